/* SPDX-License-Identifier: MIT */
#include "tests/solvers/by_equations.h"

#include "core/expression.h"

#include <stdlib.h>

enum { MOST_TERMS = 4000, MOST_RESULTS = IC_MAX_STATES + 64 };

typedef struct translation {
    ic_equation_term terms[MOST_TERMS];
    int results[MOST_RESULTS];
    ic_equations equations;
} translation;

static int add(translation *t, ic_operation operation, int a, int b, double number)
{
    t->terms[t->equations.n_terms] = (ic_equation_term){operation, a, b, -1, number};
    return (int)t->equations.n_terms++;
}

static int add_term(translation *t, int sum, double factor, int of)
{
    if (factor == 0) return sum;
    const int term = add(t, IC_OP_MULTIPLY, add(t, IC_OP_NUMBER, -1, -1, factor), of, 0);
    return add(t, IC_OP_ADD, sum, term, 0);
}

static int add_form(translation *t, const ic_form *form, size_t n)
{
    int sum = add(t, IC_OP_NUMBER, -1, -1, form->constant);
    for (size_t i = 0; i < n; i++) {
        if (form->state[i] != 0) sum = add_term(t, sum, form->state[i], add(t, IC_OP_STATE, (int)i, -1, 0));
    }
    const int time = add(t, IC_OP_TIME, -1, -1, 0);
    const int phase = add(t, IC_OP_MULTIPLY, add(t, IC_OP_NUMBER, -1, -1, form->frequency), time, 0);
    sum = add_term(t, sum, form->cosine, add(t, IC_OP_COS, phase, -1, 0));
    return add_term(t, sum, form->sine, add(t, IC_OP_SIN, phase, -1, 0));
}

/* false: the mode has no linear view, or is longer than there is room. */
static bool translate_mode(translation *t, const ic_problem *problem, const ic_mode *mode)
{
    const ic_names names = {.system = problem->system, .par = problem->par, .states = true, .time = true};
    const size_t n = problem->system->n_states;
    t->equations = (ic_equations){.terms = t->terms, .results = t->results};
    if (n + mode->n_guards > MOST_RESULTS || mode->linear == NULL) return false;
    for (size_t i = 0; i < n + mode->n_guards; i++) {
        ic_form form;
        const char *text = i < n ? mode->linear[i] : mode->guards[i - n].linear;
        if (text == NULL || t->equations.n_terms + 3 * n + 20 > MOST_TERMS) return false;
        if (!ic_expression(&form, text, &names, NULL)) return false;
        t->results[t->equations.n_results++] = add_form(t, &form, n);
    }
    return true;
}

static ic_status solve_by_equations(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    const size_t n_modes = problem->variant->n_modes;
    ic_mode *modes = calloc(n_modes, sizeof *modes);
    translation *translations = calloc(n_modes, sizeof *translations);
    ic_variant variant = *problem->variant;
    ic_problem changed = *problem;
    ic_status status = modes == NULL || translations == NULL ? IC_NO_MEMORY : IC_OK;
    for (size_t i = 0; i < n_modes && status == IC_OK; i++) {
        modes[i] = variant.modes[i];
        if (modes[i].equations == NULL) {
            if (!translate_mode(&translations[i], problem, &modes[i])) status = IC_UNSUPPORTED;
            modes[i].equations = &translations[i].equations;
        }
        modes[i].linear = NULL;
    }
    variant.modes = modes;
    changed.variant = &variant;
    if (status == IC_OK) status = ic_solver_find("taylor")->solve(log, &changed, options);
    free(modes);
    free(translations);
    return status;
}

const ic_solver ic_taylor_by_equations = {IC_ABI(ic_solver), .name = "taylor by equations",
                                          .control = IC_CONTROL_RTOL, .needs = IC_NEEDS_EQUATIONS,
                                          .solve = solve_by_equations};
