/* SPDX-License-Identifier: MIT */
/* Outputs of a case from enclosed states. */
#include "reference/flow/flow.h"

#include "reference/expression.h"

#include <stdlib.h>

int ic_flow_quantity_operation(const ic_mode *mode, size_t number)
{
    return mode->quantities == NULL ? -1 : mode->quantities->results[mode->n_guards + number];
}

bool ic_flow_output(arb_t value, const ic_problem *problem, size_t output, int mode, const arb_t t,
                    arb_srcptr x, slong prec)
{
    return ic_flow_quantity(value, problem, IC_FLOW_OUTPUTS + output, mode, t, x, prec);
}

/* The result as a term becomes a value. */
static bool enclose(arb_t value, ic_translation *translation, ic_flow_terms *terms, int result)
{
    const int term = result < 0 ? -1 : ic_translated_term(translation, ic_translate(translation, result));
    const bool good = term >= 0 && !terms->failed && arb_is_finite(terms->values + term);
    if (good) arb_set(value, terms->values + term);
    return good;
}

bool ic_flow_enclose(arb_ptr values, const ic_problem *problem, const ic_flow_results *r, const arb_t t,
                     arb_srcptr x, slong prec)
{
    const slong n = (slong)problem->system->n_states, parameters = (slong)problem->system->n_parameters;
    ic_flow_terms terms;
    IC_BALLS(no_clock);
    char message[200];
    IC_BALL_VECTOR(par, parameters);
    IC_BALL_VECTOR(y, n + 1);
    bool *constant = flint_calloc((size_t)n + 1, sizeof *constant);
    _arb_vec_set(y, x, n);
    arb_set(y + n, t);
    /* what is exact may be zero, which removes a term that has no value there: the law of a contact that is apart */
    for (slong i = 0; i < n; i++) constant[i] = arb_is_exact(x + i);
    ic_flow_terms_init(&terms, n, y, no_clock, constant, prec);
    ic_translation translation = ic_translation_of_values(&terms, problem, par, NULL);
    bool good = ic_ball_parameters(par, problem, prec, message, sizeof message);
    if (good) ic_translate_begin(&translation, r->of);
    ic_known_sign zero = {.term = -1, .guard = -1};
    if (good && r->zero >= 0)
        zero.term = ic_translated_term(&translation, ic_translate(&translation, r->of->results[r->zero]));
    translation.known = &zero;
    translation.n_known = zero.term >= 0;
    for (size_t i = 0; i < r->n && good; i++)
        good = enclose(values + i, &translation, &terms, r->of->results[r->first + i]);
    ic_translate_end(&translation);
    free(translation.assumptions);
    ic_flow_terms_clear(&terms);
    flint_free(constant);
    return good;
}

bool ic_flow_quantity(arb_t value, const ic_problem *problem, size_t number, int mode, const arb_t t,
                      arb_srcptr x, slong prec)
{
    const ic_mode *m = &problem->variant->modes[mode];
    return m->quantities != NULL &&
           ic_flow_enclose(value, problem, &(ic_flow_results){m->quantities, m->n_guards + number, 1, -1}, t, x,
                           prec);
}
