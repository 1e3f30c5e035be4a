/* SPDX-License-Identifier: MIT */
/**
 * A few random machines whose answers a simulation of their trees judges, and planted wrong meanings. The program
 * impactcheck-meaning judges thousands.
 */
#include "tests/judge/meaning.h"
#include "tests/tests.h"

IC_SUITE(solvers, "judged meaning")

enum { MACHINES = 100, PLANTED = 12, PARTS = 3 };

static meaning_verdict judged(uint64_t seed, uint64_t number, bool planted)
{
    meaning_result r;
    meaning_judge(
        &r, &(meaning_request){.seed = seed, .number = number, .kind = MEANING_KINDS, .planted = planted});
    const bool is_wrong = r.verdict == MEANING_FALSE_CERTIFICATE || r.verdict == MEANING_WRONG_FINISH;
    if (is_wrong && !planted)
        printf("seed %d, %s %d: %s: %s\n", (int)seed, meaning_kind_names[r.kind], (int)number,
               meaning_verdict_names[r.verdict], r.reason);
    return r.verdict;
}

IC_TEST(test_machines)
{
    int counts[MEANING_VERDICTS] = {0}, machines = 0;
    for (uint64_t i = 0; i < MACHINES; i++) {
        if (!ic_tests_is_turn(i / MEANING_KINDS, PARTS)) continue;
        counts[judged(44, i, false)]++;
        machines++;
    }
    CU_ASSERT_EQUAL(counts[MEANING_FALSE_CERTIFICATE], 0);
    CU_ASSERT_EQUAL(counts[MEANING_WRONG_FINISH], 0);
    CU_ASSERT_EQUAL(counts[MEANING_REFUSED], 0);
    CU_ASSERT(counts[MEANING_NOT_SETTLED] <= machines / 4);
    CU_ASSERT(counts[MEANING_AGREES] > machines / 2);
}

/* Machines of longer runs whose answers were wrong until a fault of their kind was mended. */
IC_TEST(test_mended)
{
    static const struct {
        uint64_t seed, number;
    } machines[] = {
        {3001, 92},    /* both sides hold a kink by their second rates */
        {3001, 2520},  /* one side of a kink neither pulls nor pushes at the start */
        {3001, 282},   /* x >= x */
        {4004, 989},   /* scales of a body that a rough run let through its stop */
        {4004, 3603},  /* the side of a kink is no line in the sign */
        {12012, 4449}, /* a slip whose force moves nothing, since a kink slides that determines it */
        {5005, 1568},  /* rounding of a rate that is zero, as `run` judges it */
    };
    for (size_t i = 0; i < IC_COUNT(machines); i++)
        CU_ASSERT_EQUAL(judged(machines[i].seed, machines[i].number, false), MEANING_AGREES);
}

/* planted: the simulation reads > and >= as < */
IC_TEST(test_planted)
{
    int wrong = 0;
    for (uint64_t i = 0; i < PLANTED; i++) {
        const meaning_verdict v = judged(44, i, true);
        wrong += v == MEANING_FALSE_CERTIFICATE || v == MEANING_WRONG_FINISH;
    }
    CU_ASSERT(wrong >= 2);
}
