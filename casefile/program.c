/* SPDX-License-Identifier: MIT */
#include "casefile/program.h"

#include <math.h>
#include <stdlib.h>

enum { UNUSED = -1, USED = -2 };

/* Marks the nodes on which the results depend. Returns their number. */
static size_t mark_used(int *registers, const ic_graph *g, ic_node last)
{
    size_t n = 0;
    for (ic_node i = last; i >= 0; i--) {
        const ic_graph_node *node = &g->nodes[i];
        if (registers[i] == UNUSED) continue;
        n++;
        if (node->a >= 0) registers[node->a] = USED;
        if (node->b >= 0) registers[node->b] = USED;
        if (node->c >= 0) registers[node->c] = USED;
    }
    return n;
}

/* Makes an instruction of each marked node; its number replaces the mark. */
static void write_instructions(ic_instruction *instructions, int *registers, const ic_graph *g, ic_node last)
{
    int next = 0;
    for (ic_node i = 0; i <= last; i++) {
        const ic_graph_node *node = &g->nodes[i];
        if (registers[i] == UNUSED) continue;
        instructions[next] = (ic_instruction){.operation = node->operation,
                                              .a = node->a >= 0 ? registers[node->a] : node->index,
                                              .b = node->b >= 0 ? registers[node->b] : -1,
                                              .c = node->c >= 0 ? registers[node->c] : -1,
                                              .number = node->number,
                                              .text = node->whole ? NULL : node->text};
        if (node->operation == IC_OP_CALL) {
            instructions[next].external = &g->externals[node->index];
            instructions[next].c = registers[g->nodes[node->c].a];
            instructions[next].d = registers[g->nodes[node->c].b];
        }
        registers[i] = next++;
    }
}

bool ic_program_make(ic_program *program, const ic_graph *g, const ic_node *nodes, size_t n)
{
    ic_node last = 0;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i] < 0) return false;
        if (nodes[i] > last) last = nodes[i];
    }
    int *registers = malloc(((size_t)last + 1) * sizeof *registers);
    *program = (ic_program){.n_results = n};
    program->results = ic_arena_take(g->arena, (n + 1) * sizeof *program->results);
    if (registers == NULL || program->results == NULL) {
        free(registers);
        g->arena->failed = true;
        return false;
    }
    for (ic_node i = 0; i <= last; i++) registers[i] = UNUSED;
    for (size_t i = 0; i < n; i++) registers[nodes[i]] = USED;
    program->n = mark_used(registers, g, last);
    program->instructions = ic_arena_take(g->arena, (program->n + 1) * sizeof *program->instructions);
    if (program->instructions != NULL) {
        write_instructions(program->instructions, registers, g, last);
        for (size_t i = 0; i < n; i++) program->results[i] = registers[nodes[i]];
    }
    free(registers);
    return program->instructions != NULL;
}

static double call_external(const ic_instruction *i, const double *r, const ic_program_input *in)
{
    const double operands[4] = {r[i->a], r[i->b], r[i->c], r[i->d]};
    return i->external->call(operands, in->par + i->external->first_parameter, i->external->object);
}

static double compute_instruction(const ic_instruction *i, const double *r, const ic_program_input *in)
{
    switch (i->operation) {
    case IC_OP_NUMBER: return i->number;
    case IC_OP_PI: return 3.14159265358979323846;
    case IC_OP_TIME: return in->t;
    case IC_OP_STATE: return in->x[i->a];
    case IC_OP_PARAMETER: return in->par[i->a];
    case IC_OP_INPUT: return in->input[i->a];
    case IC_OP_PAIR: return 0; /* CALL reads the operands of the pair. */
    case IC_OP_CALL: return call_external(i, r, in);
    case IC_OP_CONSTANT:
    case IC_OP_PRODUCT: return NAN; /* Only compiled programs have products. */
    default: return ic_operation_value(i->operation, r[i->a], i->b < 0 ? 0 : r[i->b], i->c < 0 ? 0 : r[i->c]);
    }
}

/* Greatest number of registers that are kept on the stack. */
enum { SMALL = 512 };

void ic_program_run(const ic_program *program, double *results, const ic_program_input *in)
{
    double small[SMALL];
    double *r = program->n <= SMALL ? small : malloc(program->n * sizeof *r);
    for (size_t i = 0; i < program->n && r != NULL; i++)
        r[i] = compute_instruction(&program->instructions[i], r, in);
    for (size_t i = 0; i < program->n_results; i++) results[i] = r != NULL ? r[program->results[i]] : NAN;
    if (r != small) free(r);
}
