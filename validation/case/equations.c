/* SPDX-License-Identifier: MIT */
/**
 * Equations of modes: as many results as states and guards, each from terms before it, and the
 * values of the functions at random states.
 */
#include "core/equations.h"
#include "validation/case/judge.h"

#include <math.h>
#include <stdlib.h>

/*
 * Rounding of long sums that cancel, relative to the values' size at all the states: the same
 * formula in another order differs by less, and another formula by more.
 */
#define SAME_FORMULA 1e-9

static int operands_of(ic_operation operation)
{
    static const int count[] = {
#define OPERANDS(name, operands, word) operands,
        IC_OPERATION_TABLE(OPERANDS)
#undef OPERANDS
    };
    return operation >= 0 && operation <= IC_OP_CHOOSE ? count[operation] : -1;
}

static bool term_is_sound(const ic_judge *judge, const ic_equation_term *term, size_t i)
{
    const int operands[] = {term->a, term->b, term->c}, n = operands_of(term->operation);
    const ic_case *system = judge->problem->system;
    if (n < 0 || term->operation == IC_OP_INPUT) return false;
    for (int k = 0; k < n && k < 3; k++) {
        if (operands[k] < 0 || (size_t)operands[k] >= i) return false;
    }
    if (term->operation == IC_OP_STATE) return term->a >= 0 && (size_t)term->a < system->n_states;
    return term->operation != IC_OP_PARAMETER || (term->a >= 0 && (size_t)term->a < system->n_parameters);
}

static bool judge_form(ic_judge *judge, const ic_place *place, const ic_equations *e, size_t results)
{
    if (e->n_results != results)
        return ic_contradicts(judge, place, NULL, "it has a result for each state and guard",
                              "%zu results for %zu", e->n_results, results);
    for (size_t i = 0; i < e->n_terms; i++) {
        if (!term_is_sound(judge, &e->terms[i], i))
            return ic_contradicts(judge, place, NULL, "its terms are operations on terms before them",
                                  "term %zu is not", i);
    }
    for (size_t i = 0; i < results; i++) {
        if (e->results[i] < 0 || (size_t)e->results[i] >= e->n_terms)
            return ic_contradicts(judge, place, NULL, "its results are terms", "result %zu is not", i);
    }
    return true;
}

/* Values of the functions: rates, then guards. */
static double function_value(const ic_judge *judge, const ic_mode *mode, size_t i, const ic_point *at)
{
    const size_t n = judge->problem->system->n_states;
    double rates[IC_MAX_STATES];
    if (i >= n) return mode->guards[i - n].value(at->t, at->x, judge->problem->par);
    mode->flow(rates, at->t, at->x, judge->problem->par);
    return rates[i];
}

static double result_value(const ic_judge *judge, const ic_equations *e, size_t i, const ic_point *at,
                           double *values)
{
    const ic_equation_input input = {at->t, at->x, judge->problem->par};
    for (int k = 0; k <= e->results[i]; k++) values[k] = ic_equation_value(&e->terms[k], values, &input);
    return values[e->results[i]];
}

/* At states at which neither has a value there is nothing to compare. */
static bool judge_result(ic_judge *judge, const ic_mode *mode, size_t i, double *values)
{
    const size_t n = judge->problem->system->n_states;
    const ic_place place = {mode, i >= n ? &mode->guards[i - n] : NULL, "equations"};
    double size = 0;
    for (int k = 0; k < IC_JUDGE_POINTS; k++) {
        const double value = fabs(function_value(judge, mode, i, &judge->anywhere[k]));
        if (isfinite(value)) size = fmax(size, value);
    }
    for (int k = 0; k < IC_JUDGE_POINTS; k++) {
        const ic_point *at = &judge->anywhere[k];
        const double here = result_value(judge, mode->equations, i, at, values);
        const double there = function_value(judge, mode, i, at);
        if (!isfinite(here) && !isfinite(there)) continue;
        if (!ic_judge_equal(judge, &place, at, "they equal the functions", "equations", here, "function", there,
                            SAME_FORMULA * size))
            return false;
    }
    return true;
}

static bool judge_mode(ic_judge *judge, const ic_mode *mode)
{
    const size_t results = judge->problem->system->n_states + mode->n_guards;
    const ic_place place = {.mode = mode, .of = "equations"};
    if (!judge_form(judge, &place, mode->equations, results)) return false;
    double *values = calloc(mode->equations->n_terms, sizeof *values);
    bool good = values != NULL;
    judge->no_memory = !good;
    for (size_t i = 0; i < results && good; i++) good = judge_result(judge, mode, i, values);
    free(values);
    return good;
}

bool ic_judge_equations(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        if (variant->modes[m].equations != NULL && !judge_mode(judge, &variant->modes[m])) return false;
    }
    return true;
}
