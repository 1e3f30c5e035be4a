/* SPDX-License-Identifier: MIT */
#include "casefile/emit_c.h"

#include "casefile/program.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As ic_constant_power and ic_program_run compute. */
static const char prelude[] = "#include <math.h>\n"
                              "static double power(double a, double b)\n"
                              "{\n"
                              "    if (b == 1.5) return a * sqrt(a);\n"
                              "    if (b == 0.5) return sqrt(a);\n"
                              "    if (b == 2) return a * a;\n"
                              "    if (b == 3) return a * a * a;\n"
                              "    if (b == -1) return 1 / a;\n"
                              "    return pow(a, b);\n"
                              "}\n"
                              "#define LESS(a, b) ((a) < (b) ? (a) : (b))\n"
                              "#define MORE(a, b) ((a) > (b) ? (a) : (b))\n"
                              "#define SIGN(a) ((a) > 0 ? 1.0 : (a) < 0 ? -1.0 : 0.0)\n"
                              "#define STEP(a) ((a) >= 0 ? 1.0 : 0.0)\n"
                              "#define CHOOSE(a, b, c) ((a) > 0 ? (b) : (c))\n";

static const char *const calls[] = {
    [IC_OP_POWER] = "power",  [IC_OP_SQRT] = "sqrt", [IC_OP_CBRT] = "cbrt", [IC_OP_EXP] = "exp",
    [IC_OP_LOG] = "log",      [IC_OP_SIN] = "sin",   [IC_OP_COS] = "cos",   [IC_OP_TAN] = "tan",
    [IC_OP_ASIN] = "asin",    [IC_OP_ACOS] = "acos", [IC_OP_ATAN] = "atan", [IC_OP_ATAN2] = "atan2",
    [IC_OP_SINH] = "sinh",    [IC_OP_COSH] = "cosh", [IC_OP_TANH] = "tanh", [IC_OP_ABS] = "fabs",
    [IC_OP_SIGN] = "SIGN",    [IC_OP_MIN] = "LESS",  [IC_OP_MAX] = "MORE",  [IC_OP_STEP] = "STEP",
    [IC_OP_CHOOSE] = "CHOOSE"};

static void emit_instruction(FILE *out, const ic_instruction *i, size_t number)
{
    fprintf(out, "    const double r%zu = ", number);
    switch (i->operation) {
    case IC_OP_NUMBER: fprintf(out, "%a", i->number); break;
    case IC_OP_PI: fprintf(out, "%a", 3.14159265358979323846); break;
    case IC_OP_TIME: fprintf(out, "t"); break;
    case IC_OP_STATE: fprintf(out, "x[%d]", i->a); break;
    case IC_OP_PARAMETER: fprintf(out, "par[%d]", i->a); break;
    case IC_OP_INPUT: fprintf(out, "input[%d]", i->a); break;
    case IC_OP_ADD: fprintf(out, "r%d + r%d", i->a, i->b); break;
    case IC_OP_SUBTRACT: fprintf(out, "r%d - r%d", i->a, i->b); break;
    case IC_OP_MULTIPLY: fprintf(out, "r%d * r%d", i->a, i->b); break;
    case IC_OP_DIVIDE: fprintf(out, "r%d / r%d", i->a, i->b); break;
    case IC_OP_NEGATE: fprintf(out, "-r%d", i->a); break;
    default:
        fprintf(out, "%s(r%d", calls[i->operation], i->a);
        if (i->b >= 0) fprintf(out, ", r%d", i->b);
        if (i->c >= 0) fprintf(out, ", r%d", i->c);
        fprintf(out, ")");
    }
    fprintf(out, ";\n");
}

/* The instructions for some nodes; `results` receives the numbers of their registers. */
static bool emit_nodes(FILE *out, const ic_graph *g, const ic_node *nodes, size_t n, const int **results)
{
    ic_program program;
    if (!ic_program_make(&program, g, nodes, n)) return false;
    for (size_t i = 0; i < program.n; i++) emit_instruction(out, &program.instructions[i], i);
    *results = program.results;
    return true;
}

static bool emit_returned(FILE *out, const ic_graph *g, ic_node node)
{
    const int *result = NULL;
    if (!emit_nodes(out, g, &node, 1, &result)) return false;
    fprintf(out, "    return r%d;\n", *result);
    return true;
}

/* Fills an array by nodes. */
static bool emit_filled(FILE *out, const ic_graph *g, const char *array, const ic_node *nodes, size_t n)
{
    const int *results = NULL;
    if (!emit_nodes(out, g, nodes, n, &results)) return false;
    for (size_t i = 0; i < n; i++) fprintf(out, "    %s[%zu] = r%d;\n", array, i, results[i]);
    return true;
}

static bool emit_jump(FILE *out, const ic_function *f, const ic_graph *g)
{
    bool good = true;
    for (size_t i = 0; i < f->n_branches && good; i++) {
        const ic_function_branch *b = &f->branches[i];
        const bool last = i + 1 == f->n_branches;
        const int *result = NULL;
        fprintf(out, "    {\n");
        if (b->condition >= 0 && !last) {
            good = emit_nodes(out, g, &b->condition, 1, &result);
            if (good) fprintf(out, "    if (r%d > 0) {\n", *result);
        } else {
            fprintf(out, "    {\n");
        }
        good = good && emit_filled(out, g, "x_post", b->states, f->n_states);
        fprintf(out, "    return %zu;\n    }\n    }\n", i);
    }
    fprintf(out, "    return 0;\n");
    return good;
}

static bool emit_output(FILE *out, const ic_function *f, const ic_graph *g)
{
    bool good = true;
    fprintf(out, "    switch (mode) {\n");
    for (size_t i = 0; i < f->n_nodes && good; i++) {
        if (f->nodes[i] < 0) continue;
        fprintf(out, "    case %zu: {\n", i);
        good = emit_returned(out, g, f->nodes[i]);
        fprintf(out, "    }\n");
    }
    fprintf(out, "    }\n    return NAN;\n");
    return good;
}

static bool emit_function(FILE *out, const ic_function *f, const ic_graph *g, size_t number)
{
    static const char *const heads[] = {
        [IC_FUNCTION_FLOW] = "void f%zu(double *dxdt, double t, const double *x, const double *par)",
        [IC_FUNCTION_VALUE] = "double f%zu(double t, const double *x, const double *par)",
        [IC_FUNCTION_JUMP] = "int f%zu(double *x_post, double t, const double *x, const double *par)",
        [IC_FUNCTION_OUTPUT] = "double f%zu(double t, const double *x, int mode, const double *par)",
        [IC_FUNCTION_TIME] = "double f%zu(int n, const double *par)"};
    bool good = true;
    fprintf(out, "static ");
    fprintf(out, heads[f->kind], number);
    fprintf(out, "\n{\n");
    switch (f->kind) {
    case IC_FUNCTION_FLOW: good = emit_filled(out, g, "dxdt", f->nodes, f->n_nodes); break;
    case IC_FUNCTION_VALUE: good = emit_returned(out, g, f->nodes[0]); break;
    case IC_FUNCTION_JUMP: good = emit_jump(out, f, g); break;
    case IC_FUNCTION_OUTPUT: good = emit_output(out, f, g); break;
    case IC_FUNCTION_TIME:
        fprintf(out, "    const double input[] = {n};\n");
        good = emit_returned(out, g, f->nodes[0]);
        break;
    }
    fprintf(out, "}\n");
    return good;
}

char *ic_functions_c(const ic_functions *functions, const ic_graph *graph)
{
    char *text = NULL;
    size_t size = 0;
    size_t *same =
        calloc(graph->n_nodes + 1, sizeof *same); /* by node: number + 1 of the function of its value */
    FILE *out = open_memstream(&text, &size);
    bool good = same != NULL && out != NULL;
    if (good) fputs(prelude, out);
    for (size_t i = 0; i < functions->n && good; i++) {
        const ic_function *f = &functions->functions[i];
        size_t *known = f->kind == IC_FUNCTION_VALUE ? &same[f->nodes[0]] : NULL;
        if (known != NULL && *known > 0) continue;
        if (known != NULL) *known = i + 1;
        good = emit_function(out, f, graph, i);
    }
    if (good) fprintf(out, "void (*const %s[])(void) = {\n", IC_COMPILED_TABLE);
    for (size_t i = 0; i < functions->n && good; i++) {
        const ic_function *f = &functions->functions[i];
        const size_t number = f->kind == IC_FUNCTION_VALUE ? same[f->nodes[0]] - 1 : i;
        fprintf(out, "    (void (*)(void))f%zu,\n", number);
    }
    if (good) fprintf(out, "    0};\n");
    good = out != NULL && fclose(out) == 0 && good;
    free(same);
    if (good) return text;
    free(text);
    return NULL;
}
