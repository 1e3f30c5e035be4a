/* SPDX-License-Identifier: MIT */
/**
 * A few random problems whose certified answers the second method judges, and a planted wrong answer. The program
 * impactcheck-judge judges hundreds.
 */
#include "tests/judge/judge.h"
#include "tests/tests.h"

IC_SUITE(solvers, "judged certificates")

static judge_result judged(const char *family, uint64_t number, double planted)
{
    judge_result r;
    judge_draw(&r, &(judge_request){.family = family, .seed = 1, .number = number, .planted = planted});
    return r;
}

static void expect_inside(const char *family, uint64_t number)
{
    const judge_result r = judged(family, number, 0);
    IC_EXPECT(r.verdict == JUDGE_INSIDE, "%s %d: %s %s", family, (int)number, judge_verdict_names[r.verdict],
              r.reason);
    CU_ASSERT(r.events > 0);
    CU_ASSERT(r.error < JUDGE_ERROR);
}

IC_TEST(test_families)
{
    expect_inside("bounce", 3);
    expect_inside("ball", 0);
    expect_inside("oscillator", 0);
    expect_inside("tanks", 1);
    expect_inside("pendulums", 3);
    expect_inside("block", 0);
    expect_inside("graze", 0);
    expect_inside("billiard", 1);
    expect_inside("kinks", 1);
    expect_inside("switch", 2);
    /* C*, with the state of the contact in the mode, and as a state */
    expect_inside("contacts", 79);
    expect_inside("contacts", 63);
    /* rigid and elastic stops, and the kink of Lee and Wang's second model */
    expect_inside("beam", 1);
    expect_inside("beam", 0);
    expect_inside("beam", 18);
}

/* Draws that the certifier once did not decide. */
IC_TEST(test_regained)
{
    /* roots of bases that are never zero */
    expect_inside("formula", 2);
    /* two contacts end shortly after each other */
    expect_inside("chain", 2);
    /* powers of one value with the denominators 4 and 3 */
    expect_inside("buffer", 1);
    /* a body sticks whose kinetic friction has the amount of the slip */
    expect_inside("friction", 2);
}

/* planted: the first event is later by 1e-20 of its time */
IC_TEST(test_planted)
{
    CU_ASSERT_EQUAL(judged("oscillator", 0, 1e-20).verdict, JUDGE_OUTSIDE);
    CU_ASSERT_EQUAL(judged("bounce", 3, -1e-20).verdict, JUDGE_OUTSIDE);
    CU_ASSERT_EQUAL(judged("beam", 1, 1e-20).verdict, JUDGE_OUTSIDE);
    /* no such family */
    CU_ASSERT_EQUAL(judged("none", 0, 0).verdict, JUDGE_NOT_JUDGED);
}
