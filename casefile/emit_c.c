/* SPDX-License-Identifier: MIT */
#include "casefile/emit_c.h"

#include "casefile/hoist.h"
#include "casefile/law.h"
#include "casefile/program.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The body that function i calls. */
typedef struct function_entry {
    size_t body;

    /*
     * Name of the constant whose address is the last argument of the body; NULL: the body has no
     * such argument.
     */
    const char *symbol;
} function_entry;

/* Text of a body. Functions with equal texts share one body; functions of several laws often do. */
typedef struct function_body {
    ic_function_kind kind;
    char *text;
    size_t size;
} function_body;

typedef struct emitter {
    FILE *out;
    ic_hoist hoist;

    /* Memory of programs, which is reused. */
    ic_arena arena;

    /* Prefix of all names of this size. */
    char prefix[16];

    function_body *bodies;
    size_t n_bodies;

    /*
     * entries: by function. values: by node, 1 + the number of the function whose value it is, or
     * 0.
     */
    function_entry *entries;
    size_t *values;

    /* Symbol that the body being emitted uses; NULL: none. */
    const char *symbol;

    size_t statements, longest;
} emitter;

/*
 * The text includes no headers, which would take longer to compile than the case. It calls the
 * mathematical functions of the C library and not the built-in ones of the compiler, whose
 * constants may differ. The square root is exact in both; the sine and the cosine of one number, together, have the bits
 * of the single ones.
 */
static const char preamble[] =
    "#if __FLT_EVAL_METHOD__ != 0\n#error \"doubles are not computed as doubles here\"\n#endif\n"
    "#define sqrt __builtin_sqrt\n"
    "#define fabs __builtin_fabs\n"
    "#define NAN __builtin_nan(\"\")\n"
    "double pow(double, double), cbrt(double), exp(double), log(double), sin(double), cos(double);\n"
    "#define sin(x) (__builtin_constant_p(x)?(sin)(x):__builtin_sin(x))\n"
    "#define cos(x) (__builtin_constant_p(x)?(cos)(x):__builtin_cos(x))\n"
    "double tan(double), asin(double), acos(double), atan(double), atan2(double, double);\n"
    "double sinh(double), cosh(double), tanh(double);\n"
    "typedef const double d;\n"
    "static void product(double*restrict o,d*K,int m,d*x,int n,int s){"
    "for(int i=0;i<m;i++)o[i]=K[i]*x[0];"
    "for(int j=1;j<n;j++)for(int i=0;i<m;i++)o[i]+=K[j*m+i]*x[j*s];}\n";

/*
 * By operation: the text after "d rN=", in which a, b and c stand for the registers of the
 * operands.
 */
static const char *const forms[] = {
    [IC_OP_PI] = "0x1.921fb54442d18p+1",
    [IC_OP_TIME] = "t",
    [IC_OP_STATE] = "x[i]",
    [IC_OP_PARAMETER] = "par[i]",
    [IC_OP_INPUT] = "in[i]",
    [IC_OP_ADD] = "a+b",
    [IC_OP_SUBTRACT] = "a-b",
    [IC_OP_MULTIPLY] = "a*b",
    [IC_OP_DIVIDE] = "a/b",
    [IC_OP_NEGATE] = "-a",
    [IC_OP_POWER] = "power(a,b)",
    [IC_OP_SQRT] = "sqrt(a)",
    [IC_OP_CBRT] = "cbrt(a)",
    [IC_OP_EXP] = "exp(a)",
    [IC_OP_LOG] = "log(a)",
    [IC_OP_SIN] = "sin(a)",
    [IC_OP_COS] = "cos(a)",
    [IC_OP_TAN] = "tan(a)",
    [IC_OP_ASIN] = "asin(a)",
    [IC_OP_ACOS] = "acos(a)",
    [IC_OP_ATAN] = "atan(a)",
    [IC_OP_ATAN2] = "atan2(a,b)",
    [IC_OP_SINH] = "sinh(a)",
    [IC_OP_COSH] = "cosh(a)",
    [IC_OP_TANH] = "tanh(a)",
    [IC_OP_ABS] = "fabs(a)",
    [IC_OP_SIGN] = "a>0?1:a<0?-1:0",
    [IC_OP_MIN] = "a<b?a:b",
    [IC_OP_MAX] = "a>b?a:b",
    [IC_OP_STEP] = "a>=0?1:0",
    [IC_OP_CHOOSE] = "a>0?b:c",
    [IC_OP_PAIR] = "0",
    [IC_OP_CONSTANT] = "K[i]",
    [IC_OP_PRODUCT] = "D[i]",
};

/*
 * Writes a number as an integer times a power of two, which is exact and independent of the locale.
 */
static void emit_number(FILE *out, double number)
{
    int exponent = 0;
    if (isnan(number)) {
        fputs("NAN", out);
    } else if (isinf(number)) {
        fputs(number < 0 ? "-__builtin_inf()" : "__builtin_inf()", out);
    } else {
        const double fraction = frexp(fabs(number), &exponent);
        fprintf(out, "%s0x%llxp%d", signbit(number) ? "-" : "", (unsigned long long)ldexp(fraction, 53),
                exponent - 53);
    }
}

/*
 * Whether a letter of a form stands for an operand: it is not part of a word or the name of a
 * function.
 */
static bool is_word(const char *form, size_t i)
{
    const int before = i == 0 ? ' ' : (unsigned char)form[i - 1], after = (unsigned char)form[i + 1];
    return isalnum(before) || before == '_' || isalnum(after) || after == '_';
}

static void emit_form(FILE *out, const char *form, const ic_instruction *in)
{
    for (size_t i = 0; form[i] != '\0'; i++) {
        const bool alone = !is_word(form, i);
        if (alone && form[i] == 'a') fprintf(out, "r%d", in->a);
        else if (alone && form[i] == 'b') fprintf(out, "r%d", in->b);
        else if (alone && form[i] == 'c') fprintf(out, "r%d", in->c);
        else if (alone && form[i] == 'd') fprintf(out, "r%d", in->d);
        else if (alone && form[i] == 'i') fprintf(out, "%d", in->a);
        else fputc(form[i], out);
    }
}

/*
 * The form of an instruction. A power with a constant exponent is computed as ic_constant_power
 * does.
 */
static const char *find_form(const ic_program *program, const ic_instruction *in)
{
    static const struct {
        double exponent;
        const char *form;
    } powers[] = {{1.5, "a*sqrt(a)"}, {0.5, "sqrt(a)"}, {1, "a"}, {2, "a*a"}, {3, "a*a*a"}, {-1, "1/a"}};
    if (in->external != NULL) return in->external->form;
    const ic_instruction *exponent = in->operation == IC_OP_POWER ? &program->instructions[in->b] : NULL;
    for (size_t i = 0; exponent != NULL && exponent->operation == IC_OP_NUMBER && i < IC_COUNT(powers); i++) {
        if (powers[i].exponent == exponent->number) return powers[i].form;
    }
    return forms[in->operation];
}

/*
 * Emits statements that compute `n` nodes. Returns their registers, valid until the next call.
 * NULL: memory ran out.
 */
static const int *emit_nodes(emitter *e, const ic_node *nodes, size_t n)
{
    ic_program program;
    ic_arena_empty(&e->arena);
    if (!ic_program_make(&program, &e->hoist.graph, nodes, n)) return NULL;
    for (size_t i = 0; i < program.n; i++) {
        const ic_instruction *in = &program.instructions[i];
        fprintf(e->out, "d r%zu=", i);
        if (in->external != NULL) e->symbol = in->external->symbol;
        if (in->operation == IC_OP_NUMBER) emit_number(e->out, in->number);
        else emit_form(e->out, find_form(&program, in), in);
        fputs(";\n", e->out);
    }
    e->statements += program.n;
    return program.results;
}

/*
 * Emits { compute; store all; }. All results are computed before the first is stored, because
 * results may overlap operands.
 */
static bool emit_stores(emitter *e, const ic_node *nodes, size_t n)
{
    const int *results = emit_nodes(e, nodes, n);
    for (size_t i = 0; results != NULL && i < n; i++) fprintf(e->out, "o[%zu]=r%d;\n", i, results[i]);
    return results != NULL;
}

static bool emit_return(emitter *e, ic_node node)
{
    const int *results = emit_nodes(e, &node, 1);
    if (results != NULL) fprintf(e->out, "return r%d;\n", results[0]);
    return results != NULL;
}

/*
 * Conditions are computed in order and only up to the first that holds. The last branch needs none.
 */
static bool emit_jump(emitter *e, const ic_function *f)
{
    bool good = true;
    for (size_t i = 0; good && i < f->n_branches; i++) {
        const ic_function_branch *b = &f->branches[i];
        const bool asks = i + 1 < f->n_branches && b->condition >= 0;
        const int *condition = NULL;
        fputs("{\n", e->out);
        if (asks) good = (condition = emit_nodes(e, &b->condition, 1)) != NULL;
        if (condition != NULL) fprintf(e->out, "if(r%d>0)", condition[0]);
        fputs("{\n", e->out);
        good = good && emit_stores(e, b->states, f->n_states);
        fprintf(e->out, "return %zu;}}\n", i);
    }
    return good;
}

static bool emit_output(emitter *e, const ic_function *f)
{
    bool good = true;
    fputs("switch(mode){\n", e->out);
    for (size_t i = 0; good && i < f->n_nodes; i++) {
        if (f->nodes[i] < 0) continue;
        fprintf(e->out, "case %zu:{", i);
        good = emit_return(e, f->nodes[i]);
        fputs("}\n", e->out);
    }
    fputs("}\nreturn NAN;\n", e->out);
    return good;
}

static bool same_coordinates(const ic_function *f, size_t i, size_t k)
{
    return memcmp(f->branches[i].states, f->branches[k].states, f->n_states * sizeof(ic_node)) == 0;
}

/* Modes with the same coordinates share their statements. */
static bool emit_sketch(emitter *e, const ic_function *f)
{
    bool good = true;
    fputs("switch(mode){\n", e->out);
    for (size_t i = 0; good && i < f->n_branches; i++) {
        size_t first = 0;
        while (!same_coordinates(f, first, i)) first++;
        if (first < i) continue;
        for (size_t k = i; k < f->n_branches; k++) {
            if (same_coordinates(f, i, k)) fprintf(e->out, "case %zu:", k);
        }
        fputs("{\n", e->out);
        good = emit_stores(e, f->branches[i].states, f->n_states);
        fputs("return;}\n", e->out);
    }
    fprintf(e->out, "}\nfor(int i=0;i<%zu;i++)o[i]=NAN;\n", f->n_states);
    return good;
}

/*
 * Emits the constants and products that the function uses (casefile/hoist.h). A sketch has none: it
 * is drawn once, and runs do not wait for constants of its own.
 */
static bool emit_hoisted(emitter *e, const ic_function *f)
{
    size_t n = f->n_nodes;
    const ic_node *nodes = f->nodes;
    for (size_t i = 0; i < f->n_branches; i++) n += f->n_states + 1;
    ic_node *all = malloc((n + 1) * sizeof *all);
    if (all == NULL) return false;
    if (f->n_nodes > 0) memcpy(all, nodes, f->n_nodes * sizeof *all);
    for (size_t i = 0, at = 0; i < f->n_branches; i++, at += f->n_states + 1) {
        all[at] = f->branches[i].condition;
        memcpy(all + at + 1, f->branches[i].states, f->n_states * sizeof *all);
    }
    const bool good = ic_hoist_open(&e->hoist, all, f->kind == IC_FUNCTION_SKETCH ? 0 : n);
    free(all);
    if (e->hoist.uses_constants) fprintf(e->out, "d*K=%sconstants(par);\n", e->prefix);
    if (e->hoist.n_products > 0) fprintf(e->out, "double D[%d];\n", e->hoist.n_rows);
    for (size_t i = 0; i < e->hoist.n_products; i++) {
        const ic_product *p = &e->hoist.products[i];
        fprintf(e->out, "product(D+%d,K+%d,%d,x+%d,%d,%d);\n", p->first, p->constant, p->rows, p->state,
                p->columns, p->stride);
    }
    return good;
}

/*
 * Indices of the parameters on which the constants depend. NULL: memory ran out. The caller frees
 * the array.
 */
static int *find_parameters(const ic_hoist *h, size_t *n)
{
    const size_t n_nodes = h->graph.n_nodes;
    bool *used = calloc(n_nodes + 1, sizeof *used);
    int *parameters = malloc((n_nodes + 1) * sizeof *parameters);
    *n = 0;
    for (size_t i = 0; used != NULL && i < h->n_constants; i++) used[h->constants[i]] = true;
    for (size_t i = n_nodes; used != NULL && parameters != NULL && i-- > 0;) {
        const ic_graph_node *node = &h->original[i];
        if (!used[i]) continue;
        if (node->operation == IC_OP_PARAMETER) parameters[(*n)++] = node->index;
        if (node->a >= 0) used[node->a] = true;
        if (node->b >= 0) used[node->b] = true;
        if (node->c >= 0) used[node->c] = true;
    }
    if (used == NULL) {
        free(parameters);
        parameters = NULL;
    }
    free(used);
    return parameters;
}

/*
 * Number of constants in one function. Compile time grows with the square of the length of a
 * function.
 */
enum { PART = 64 };

/*
 * Emits the constants of all functions. Each thread keeps those of the parameters that it used
 * last.
 */
static bool emit_constants(emitter *e)
{
    const ic_hoist *h = &e->hoist;
    size_t n = 0, parts = 0;
    int *parameters = find_parameters(h, &n);
    bool good = parameters != NULL;
    for (size_t at = 0; good && at < h->n_constants; at += PART) {
        const size_t left = h->n_constants - at;
        fprintf(e->out, "static void %sk%zu(double*o,d*par){\n", e->prefix, parts++);
        good = emit_stores(e, h->constants + at, left < PART ? left : PART);
        fputs("}\n", e->out);
    }
    fprintf(e->out,
            "static d*%sconstants(d*par){\nstatic _Thread_local double K[%zu],of[%zu];\n"
            "static _Thread_local int known;\nif(known",
            e->prefix, h->n_constants + 1, n + 1);
    for (size_t i = 0; good && i < n; i++) fprintf(e->out, "&&of[%zu]==par[%d]", i, parameters[i]);
    fputs(")return K;\n", e->out);
    for (size_t i = 0; good && i < n; i++) fprintf(e->out, "of[%zu]=par[%d];\n", i, parameters[i]);
    for (size_t i = 0; i < parts; i++) fprintf(e->out, "%sk%zu(K+%zu,par);\n", e->prefix, i, i * PART);
    fputs("known=1;\nreturn K;}\n", e->out);
    free(parameters);
    return good;
}

/* By kind: result and parameters of the C function, and the arguments of a call. */
static const struct {
    const char *result, *arguments, *call;
} heads[] = {
    [IC_FUNCTION_FLOW] = {"void", "double*o,double t,d*x,d*par", "o,t,x,par"},
    [IC_FUNCTION_VALUE] = {"double", "double t,d*x,d*par", "t,x,par"},
    [IC_FUNCTION_JUMP] = {"int", "double*o,double t,d*x,d*par", "o,t,x,par"},
    [IC_FUNCTION_OUTPUT] = {"double", "double t,d*x,int mode,d*par", "t,x,mode,par"},
    [IC_FUNCTION_TIME] = {"double", "int n,d*par", "n,par"},
    [IC_FUNCTION_IMPACT] = {"void", "void*impact,d*par", "impact,par"},
    [IC_FUNCTION_SKETCH] = {"void", "double*o,double t,d*x,int mode,d*par", "o,t,x,mode,par"},
};

static bool emit_statements(emitter *e, const ic_function *f)
{
    if (!emit_hoisted(e, f)) return false;
    switch (f->kind) {
    case IC_FUNCTION_FLOW: return emit_stores(e, f->nodes, f->n_nodes);
    case IC_FUNCTION_VALUE: return emit_return(e, f->nodes[0]);
    case IC_FUNCTION_JUMP: return emit_jump(e, f);
    case IC_FUNCTION_OUTPUT: return emit_output(e, f);
    case IC_FUNCTION_TIME: fputs("d in[1]={n};\n", e->out); return emit_return(e, f->nodes[0]);
    case IC_FUNCTION_IMPACT: fputs("double*o=impact;\n", e->out); return emit_stores(e, f->nodes, f->n_nodes);
    case IC_FUNCTION_SKETCH: return emit_sketch(e, f);
    }
    return false;
}

/* The text of a body, which the caller frees. NULL: memory ran out. */
static char *write_body(emitter *e, const ic_function *f, size_t *size)
{
    FILE *whole = e->out;
    char *text = NULL;
    e->symbol = NULL;
    e->out = open_memstream(&text, size);
    bool good = e->out != NULL && emit_statements(e, f);
    ic_hoist_close(&e->hoist);
    if (e->out != NULL && fclose(e->out) != 0) good = false;
    e->out = whole;
    if (good) return text;
    free(text);
    return NULL;
}

/* Emits the body of function i, unless an earlier body has the same text. */
static bool emit_body(emitter *e, const ic_function *f, size_t i)
{
    const size_t before = e->statements;
    size_t k = 0;
    function_body b = {.kind = f->kind};
    b.text = write_body(e, f, &b.size);
    if (b.text == NULL) return false;
    while (k < e->n_bodies && (e->bodies[k].kind != b.kind || e->bodies[k].size != b.size ||
                               memcmp(e->bodies[k].text, b.text, b.size) != 0))
        k++;
    e->entries[i] = (function_entry){k, e->symbol};
    if (k < e->n_bodies) {
        e->statements = before;
        free(b.text);
        return true;
    }
    e->bodies[e->n_bodies++] = b;
    /* Prevent inlining, which would merge the bodies of all sizes into one long function. */
    fprintf(e->out, "static %s %s %sb%zu(%s%s){\n%s}\n",
            e->prefix[0] != '\0' ? "__attribute__((noinline))" : "", heads[f->kind].result, e->prefix, k,
            heads[f->kind].arguments, e->symbol != NULL ? ",const ic_law*L" : "", b.text);
    if (e->statements - before > e->longest) e->longest = e->statements - before;
    return true;
}

static bool emit_bodies(emitter *e, const ic_functions *functions)
{
    bool good = true;
    fprintf(e->out, "static d*%sconstants(d*par);\n", e->prefix);
    for (size_t i = 0; good && i < functions->n; i++) {
        const ic_function *f = &functions->functions[i];
        size_t *first = f->kind == IC_FUNCTION_VALUE ? &e->values[f->nodes[0]] : NULL;
        if (first != NULL && *first > 0) {
            e->entries[i] = e->entries[*first - 1];
            continue;
        }
        if (first != NULL) *first = i + 1;
        good = emit_body(e, f, i);
    }
    return good && emit_constants(e);
}

static bool open_emitter(emitter *e, const ic_sized_functions *size, bool one, FILE *out)
{
    const size_t n = size->functions->n;
    *e = (emitter){.out = out, .values = calloc(size->graph->n_nodes + 1, sizeof *e->values)};
    e->entries = calloc(n + 1, sizeof *e->entries);
    e->bodies = calloc(n + 1, sizeof *e->bodies);
    if (!one) snprintf(e->prefix, sizeof e->prefix, "n%d_", size->value);
    return ic_hoist_begin(&e->hoist, size->graph, &e->arena) && e->values != NULL && e->entries != NULL &&
           e->bodies != NULL;
}

static void close_emitter(emitter *e)
{
    for (size_t i = 0; e->bodies != NULL && i < e->n_bodies; i++) free(e->bodies[i].text);
    free(e->bodies);
    free(e->entries);
    free(e->values);
    ic_hoist_free(&e->hoist);
    ic_arena_free(&e->arena);
}

/* ---- functions that call bodies */

/*
 * Whether two functions call the same bodies in all sizes. They then have one address, by which the
 * event loop recognises guards that stand on one zero.
 */
static bool same_entries(const emitter *sizes, size_t n, size_t i, size_t k)
{
    for (size_t s = 0; s < n; s++) {
        const function_entry *a = &sizes[s].entries[i], *b = &sizes[s].entries[k];
        if (a->body != b->body || a->symbol != b->symbol ||
            sizes[s].bodies[a->body].kind != sizes[s].bodies[b->body].kind)
            return false;
    }
    return true;
}

static bool returns_nothing(ic_function_kind kind)
{
    return strcmp(heads[kind].result, "void") == 0;
}

static void emit_call(FILE *out, const emitter *e, const function_entry *call, ic_function_kind kind)
{
    fprintf(out, "%s%sb%zu(%s%s%s);", returns_nothing(kind) ? "" : "return ", e->prefix, call->body,
            heads[kind].call, call->symbol != NULL ? ",&" : "", call->symbol != NULL ? call->symbol : "");
}

static void emit_entry(FILE *out, const emitter *e, const ic_sized_functions *sizes, size_t n, int parameter,
                       size_t i)
{
    const ic_function_kind kind = sizes->functions->functions[i].kind;
    size_t k = 0;
    if (n == 1 && e->entries[i].symbol == NULL) {
        fprintf(out, "#define f%zu b%zu\n", i, e->entries[i].body);
        return;
    }
    while (k < i && !same_entries(e, n, i, k)) k++;
    if (k < i) {
        fprintf(out, "#define f%zu f%zu\n", i, k);
        return;
    }
    fprintf(out, "static %s f%zu(%s){\n", heads[kind].result, i, heads[kind].arguments);
    if (n > 1) fprintf(out, "switch((int)par[%d]){\n", parameter);
    for (size_t s = 0; s < n; s++) {
        if (n > 1) fprintf(out, "case %d:", sizes[s].value);
        emit_call(out, &e[s], &e[s].entries[i], kind);
        fputs(n > 1 && returns_nothing(kind) ? "return;\n" : "\n", out);
    }
    if (n > 1) fputs(returns_nothing(kind) ? "}\n" : "}\nreturn 0;\n", out);
    fputs("}\n", out);
}

static void emit_table(FILE *out, const char *table, size_t n)
{
    fprintf(out, "void(*const %s[])(void)={\n", table);
    for (size_t i = 0; i < n; i++) fprintf(out, "(void(*)(void))f%zu,\n", i);
    fputs("0};\n", out);
}

/* Declares the external functions' objects, whose addresses the loader sets. */
static void emit_objects(FILE *out, const ic_graph *graph)
{
    if (graph->n_externals == 0) return;
    ic_law_declare(out);
    fprintf(out, "const void*" IC_EMITTED_OBJECTS "[%zu];\n", graph->n_externals);
    for (size_t i = 0; i < graph->n_externals; i++) {
        size_t k = 0;
        while (strcmp(graph->externals[k].symbol, graph->externals[i].symbol) != 0) k++;
        if (k == i)
            fprintf(out, "#define %s (*(const ic_law*)" IC_EMITTED_OBJECTS "[%zu])\n",
                    graph->externals[i].symbol, i);
    }
}

static bool emit_functions(ic_emitted *emitted, FILE *out, emitter *emitters, const ic_sized_functions *sizes,
                           size_t n, int parameter, bool alone)
{
    bool good = true;
    fputs(preamble, out);
    if (alone) emit_objects(out, sizes->graph);
    fprintf(out, "static double power(double a,double b){%s}\n", ic_constant_power_source);
    for (size_t s = 0; good && s < n; s++) {
        good =
            open_emitter(&emitters[s], &sizes[s], n == 1, out) && emit_bodies(&emitters[s], sizes[s].functions);
        emitted->statements += emitters[s].statements;
        if (emitters[s].longest > emitted->longest) emitted->longest = emitters[s].longest;
    }
    for (size_t i = 0; good && i < sizes->functions->n; i++) emit_entry(out, emitters, sizes, n, parameter, i);
    return good;
}

bool ic_functions_emit(ic_emitted *emitted, const ic_sized_functions *sizes, size_t n, int parameter,
                       const char *table)
{
    *emitted = (ic_emitted){0};
    emitter *emitters = calloc(n, sizeof *emitters);
    FILE *out = emitters == NULL ? NULL : open_memstream(&emitted->text, &emitted->size);
    bool good = out != NULL && emit_functions(emitted, out, emitters, sizes, n, parameter, table != NULL);
    if (good && table != NULL) emit_table(out, table, sizes->functions->n);
    if (out != NULL && fclose(out) != 0) good = false;
    for (size_t s = 0; emitters != NULL && s < n; s++) close_emitter(&emitters[s]);
    free(emitters);
    if (good) return true;
    free(emitted->text);
    emitted->text = NULL;
    return false;
}
