/* SPDX-License-Identifier: MIT */
#include "tests/reference/certified.h"
#include "core/names.h"
#include "reference/expression.h"
#include "reference/judge/judge.h"

#include <CUnit/CUnit.h>
#include <stdio.h>

enum { BITS = 256 };

void certified_clear(certified *r)
{
    ic_certificate_clear(&r->c);
    ic_tests_close(&r->m);
}

void certify(certified *r, const char *text, const ic_request *request, const ic_certify_options *options)
{
    certified_clear(r);
    r->m = ic_tests_open(text, request);
    r->m.exact = ic_tests_exact(&r->m.setup);
    ic_certify_judged(&r->c, &r->m.exact.problem, options, NULL);
    if (r->c.reason[0] != '\0' && r->c.status == IC_OK) printf("\n  %s\n", r->c.reason);
}

bool certified_output(arb_t value, const certified *r, const char *name)
{
    const ic_problem *problem = &r->m.exact.problem;
    const size_t number = ic_output_find(problem->system, name);
    CU_ASSERT_FATAL(number < problem->system->n_outputs);
    return ic_certified_output(value, problem, &problem->system->outputs[number], r->c.mode, r->c.t, r->c.x,
                               BITS);
}

bool ball_is(const arb_t ball, const char *formula, const char *planted)
{
    IC_BALLS(number, more);
    if (arb_set_str(number, formula, BITS) != 0)
        CU_ASSERT_FATAL(ic_ball_number(number, formula, NULL, BITS, NULL, 0));
    arb_set_str(more, planted, BITS);
    arb_add(more, more, number, BITS);
    return arb_overlaps(ball, number) && !arb_overlaps(ball, more);
}
