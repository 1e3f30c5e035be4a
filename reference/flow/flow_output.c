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

bool ic_flow_quantity(arb_t value, const ic_problem *problem, size_t number, int mode, const arb_t t,
                      arb_srcptr x, slong prec)
{
    const slong n = (slong)problem->system->n_states, parameters = (slong)problem->system->n_parameters;
    const ic_mode *m = &problem->variant->modes[mode];
    const int result = ic_flow_quantity_operation(m, number);
    ic_flow_terms terms;
    IC_BALLS(no_clock);
    char message[200];
    if (result < 0) return false;
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
    if (good) {
        ic_translate_begin(&translation, m->quantities);
        const int term = ic_translated_term(&translation, ic_translate(&translation, result));
        good = term >= 0 && !terms.failed && arb_is_finite(terms.values + term);
        if (good) arb_set(value, terms.values + term);
    }
    ic_translate_end(&translation);
    free(translation.assumptions);
    ic_flow_terms_clear(&terms);
    flint_free(constant);
    return good;
}
