/* SPDX-License-Identifier: MIT */
/*
 * C functions of a case have no argument for the case to which they belong. libffi makes functions
 * at run time that carry this pointer.
 */
#include "casefile/functions.h"

#include "casefile/program.h"
#include "core/expression.h"

#include <errno.h>
#include <ffi.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 64 };

/*
 * The programs of one function. A jump has two for each branch: condition and states. An output and
 * a sketch have one for each mode.
 */
typedef struct callable {
    ic_function_kind kind;

    ic_program *programs;
    size_t n_programs;

    ffi_closure *closure;
} callable;

struct ic_closures {
    callable *callables;
    size_t n;

    ffi_cif interfaces[IC_FUNCTION_SKETCH + 1];

    /*
     * By node: the function whose value it is. Guards that stand on one zero share one function, by
     * which the event loop recognises them.
     */
    void **values;
};

/* ---- calls */

/* By kind: the types of result and arguments, and what these are: o results, t, x, p parameters, m mode, n number. */
#define D &ffi_type_double
#define P &ffi_type_pointer
#define I &ffi_type_sint
static const struct {
    ffi_type *result, *arguments[5];
    const char *roles;
} kinds[] = {[IC_FUNCTION_FLOW] = {&ffi_type_void, {P, D, P, P}, "otxp"},
             [IC_FUNCTION_VALUE] = {D, {D, P, P}, "txp"},
             [IC_FUNCTION_JUMP] = {I, {P, D, P, P}, "otxp"},
             [IC_FUNCTION_OUTPUT] = {D, {D, P, I, P}, "txmp"},
             [IC_FUNCTION_TIME] = {D, {I, P}, "np"},
             [IC_FUNCTION_IMPACT] = {&ffi_type_void, {P, P}, "op"}, /* a struct that consists of numbers only */
             [IC_FUNCTION_SKETCH] = {&ffi_type_void, {P, D, P, I, P}, "otxmp"}};

/* Returns the branch. */
static size_t run_jump(const callable *c, double *x_post, const ic_program_input *in)
{
    size_t branch = 0;
    for (; 2 * (branch + 1) < c->n_programs; branch++) {
        double condition = 1;
        const ic_program *program = &c->programs[2 * branch];
        if (program->n_results > 0) ic_program_run(program, &condition, in);
        if (condition > 0) break;
    }
    ic_program_run(&c->programs[2 * branch + 1], x_post, in);
    return branch;
}

static void call(ffi_cif *cif, void *result, void **arguments, void *context)
{
    const callable *c = context;
    ic_program_input in = {.t = 0};
    double *out = result, number = 0;
    int mode = 0;
    (void)cif;
    for (const char *role = kinds[c->kind].roles; *role != '\0'; role++, arguments++) {
        switch (*role) {
        case 'o': out = *(double **)*arguments; break;
        case 't': in.t = *(const double *)*arguments; break;
        case 'x': in.x = *(const double *const *)*arguments; break;
        case 'p': in.par = *(const double *const *)*arguments; break;
        case 'm': mode = *(const int *)*arguments; break;
        default: number = *(const int *)*arguments, in.input = &number;
        }
    }
    if (c->kind == IC_FUNCTION_JUMP) *(ffi_sarg *)result = (ffi_sarg)run_jump(c, out, &in);
    else if (mode >= 0 && (size_t)mode < c->n_programs && c->programs[mode].n_results > 0)
        ic_program_run(&c->programs[mode], out, &in);
    else
        for (size_t i = c->kind == IC_FUNCTION_SKETCH ? c->programs[0].n_results : 1; i-- > 0;) out[i] = NAN;
}

/* ---- creation */

/* Programs of a condition, which may be missing, and of states. */
static bool make_branch(callable *c, const ic_function *f, const ic_graph *g, size_t i)
{
    const ic_function_branch *b = &f->branches[i];
    if (f->kind == IC_FUNCTION_SKETCH) return ic_program_make(&c->programs[i], g, b->states, f->n_states);
    return (b->condition < 0 || ic_program_make(&c->programs[2 * i], g, &b->condition, 1)) &&
           ic_program_make(&c->programs[2 * i + 1], g, b->states, f->n_states);
}

static bool make_programs(callable *c, const ic_function *f, const ic_graph *g)
{
    const bool output = f->kind == IC_FUNCTION_OUTPUT, branches = f->n_branches > 0;
    c->kind = f->kind;
    c->n_programs = f->kind == IC_FUNCTION_JUMP ? 2 * f->n_branches
                    : branches                  ? f->n_branches
                    : output                    ? f->n_nodes
                                                : 1;
    c->programs = ic_arena_take(g->arena, c->n_programs * sizeof *c->programs);
    bool good = c->programs != NULL;
    if (good && !branches && !output) return ic_program_make(c->programs, g, f->nodes, f->n_nodes);
    for (size_t i = 0; good && output && i < f->n_nodes; i++)
        good = f->nodes[i] < 0 || ic_program_make(&c->programs[i], g, &f->nodes[i], 1);
    for (size_t i = 0; good && i < f->n_branches; i++) good = make_branch(c, f, g, i);
    return good;
}

static bool make_callable(ic_closures *closures, const ic_function *f, const ic_graph *g)
{
    void *code = f->kind == IC_FUNCTION_VALUE ? closures->values[f->nodes[0]] : NULL;
    if (code != NULL) {
        memcpy(f->slot, &code, sizeof code);
        return true;
    }
    callable *c = &closures->callables[closures->n++];
    if (!make_programs(c, f, g)) return false;
    errno = 0;
    c->closure = ffi_closure_alloc(sizeof(ffi_closure), &code);
    if (c->closure == NULL && errno == ENOMEM) ic_library_ran_out();
    if (c->closure == NULL ||
        ffi_prep_closure_loc(c->closure, &closures->interfaces[f->kind], call, c, code) != FFI_OK)
        return false;
    if (f->kind == IC_FUNCTION_VALUE) closures->values[f->nodes[0]] = code;
    memcpy(f->slot, &code, sizeof code);
    return true;
}

ic_closures *ic_functions_interpret(const ic_functions *functions, const ic_graph *graph, ic_error *error)
{
    ic_closures *closures = calloc(1, sizeof *closures);
    bool good = closures != NULL;
    if (good) {
        closures->callables = calloc(functions->n + 1, sizeof *closures->callables);
        closures->values = calloc(graph->n_nodes + 1, sizeof *closures->values);
        good = closures->callables != NULL && closures->values != NULL;
    }
    for (size_t k = 0; good && k < sizeof kinds / sizeof *kinds; k++) {
        good = ffi_prep_cif(&closures->interfaces[k], FFI_DEFAULT_ABI, (unsigned)strlen(kinds[k].roles),
                            kinds[k].result, (ffi_type **)kinds[k].arguments) == FFI_OK;
    }
    for (size_t i = 0; good && i < functions->n; i++)
        good = make_callable(closures, &functions->functions[i], graph);
    if (good) return closures;
    ic_error_set(error,
                 "the functions of the case cannot be interpreted: memory ran out, or the system forbids "
                 "code that is generated at run time");
    ic_closures_free(closures);
    return NULL;
}

void ic_closures_free(ic_closures *closures)
{
    if (closures == NULL) return;
    for (size_t i = 0; closures->callables != NULL && i < closures->n; i++) {
        if (closures->callables[i].closure != NULL) ffi_closure_free(closures->callables[i].closure);
    }
    free(closures->values);
    free(closures->callables);
    free(closures);
}
