/* SPDX-License-Identifier: MIT */
#include "casefile/program.h"

#include <math.h>
#include <stdlib.h>

enum { UNUSED = -1, USED = -2 };

/* Mark the nodes on which the results depend. Returns how many there are. */
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

/* An instruction for each node that is marked; its number takes the place of the mark. */
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
                                              .number = node->number};
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

/* One text for both: what is interpreted, and what compiled programs contain. */
#define POWER_BODY                                                                                             \
    if (b == 1.5) return a * sqrt(a);                                                                          \
    if (b == 0.5) return sqrt(a);                                                                              \
    if (b == 2) return a * a;                                                                                  \
    if (b == 3) return a * a * a;                                                                              \
    if (b == -1) return 1 / a;                                                                                 \
    return pow(a, b);
#define TEXT_OF(code) #code
#define EXPANDED_TEXT_OF(code) TEXT_OF(code)

const char ic_constant_power_source[] = EXPANDED_TEXT_OF(POWER_BODY);

double ic_constant_power(double a, double b)
{
    POWER_BODY
}

static double call_external(const ic_instruction *i, const double *r, const ic_program_input *in)
{
    const double operands[4] = {r[i->a], r[i->b], r[i->c], r[i->d]};
    return i->external->call(operands, in->par + i->external->first_parameter, i->external->object);
}

static double compute(const ic_instruction *i, const double *r, const ic_program_input *in)
{
    switch (i->operation) {
    case IC_OP_NUMBER: return i->number;
    case IC_OP_PI: return 3.14159265358979323846;
    case IC_OP_TIME: return in->t;
    case IC_OP_STATE: return in->x[i->a];
    case IC_OP_PARAMETER: return in->par[i->a];
    case IC_OP_INPUT: return in->input[i->a];
    case IC_OP_ADD: return r[i->a] + r[i->b];
    case IC_OP_SUBTRACT: return r[i->a] - r[i->b];
    case IC_OP_MULTIPLY: return r[i->a] * r[i->b];
    case IC_OP_DIVIDE: return r[i->a] / r[i->b];
    case IC_OP_NEGATE: return -r[i->a];
    case IC_OP_POWER: return ic_constant_power(r[i->a], r[i->b]);
    case IC_OP_SQRT: return sqrt(r[i->a]);
    case IC_OP_CBRT: return cbrt(r[i->a]);
    case IC_OP_EXP: return exp(r[i->a]);
    case IC_OP_LOG: return log(r[i->a]);
    case IC_OP_SIN: return sin(r[i->a]);
    case IC_OP_COS: return cos(r[i->a]);
    case IC_OP_TAN: return tan(r[i->a]);
    case IC_OP_ASIN: return asin(r[i->a]);
    case IC_OP_ACOS: return acos(r[i->a]);
    case IC_OP_ATAN: return atan(r[i->a]);
    case IC_OP_ATAN2: return atan2(r[i->a], r[i->b]);
    case IC_OP_SINH: return sinh(r[i->a]);
    case IC_OP_COSH: return cosh(r[i->a]);
    case IC_OP_TANH: return tanh(r[i->a]);
    case IC_OP_ABS: return fabs(r[i->a]);
    case IC_OP_SIGN: return r[i->a] > 0 ? 1 : r[i->a] < 0 ? -1 : 0;
    case IC_OP_MIN: return r[i->a] < r[i->b] ? r[i->a] : r[i->b];
    case IC_OP_MAX: return r[i->a] > r[i->b] ? r[i->a] : r[i->b];
    case IC_OP_STEP: return r[i->a] >= 0 ? 1 : 0;
    case IC_OP_CHOOSE: return r[i->a] > 0 ? r[i->b] : r[i->c];
    case IC_OP_PAIR: return 0; /* the call reads its operands */
    case IC_OP_CALL: return call_external(i, r, in);
    case IC_OP_CONSTANT:
    case IC_OP_PRODUCT: break; /* of compiled programs only */
    }
    return NAN;
}

/* Registers of programs up to this length are on the stack. */
enum { SMALL = 512 };

void ic_program_run(const ic_program *program, double *results, const ic_program_input *in)
{
    double small[SMALL];
    double *r = program->n <= SMALL ? small : malloc(program->n * sizeof *r);
    for (size_t i = 0; i < program->n && r != NULL; i++) r[i] = compute(&program->instructions[i], r, in);
    for (size_t i = 0; i < program->n_results; i++) results[i] = r != NULL ? r[program->results[i]] : NAN;
    if (r != small) free(r);
}
