/* SPDX-License-Identifier: MIT */
/**
 * A few random machines whose answers a simulation of their trees judges, and planted wrong meanings. The program
 * impactcheck-meaning judges thousands.
 */
#include "tests/judge/meaning.h"
#include "tests/tests.h"

#include <CUnit/CUnit.h>

enum { MACHINES = 100, PLANTED = 12, MOST_UNSETTLED = 20 };

static meaning_verdict judged(uint64_t number, bool planted)
{
    meaning_result r;
    meaning_judge(&r,
                  &(meaning_request){.seed = 44, .number = number, .kind = MEANING_KINDS, .planted = planted});
    const bool is_wrong = r.verdict == MEANING_FALSE_CERTIFICATE || r.verdict == MEANING_WRONG_FINISH;
    if (is_wrong && !planted)
        printf("seed 44, %s %d: %s: %s\n", meaning_kind_names[r.kind], (int)number,
               meaning_verdict_names[r.verdict], r.reason);
    return r.verdict;
}

static void test_machines(void)
{
    int counts[MEANING_VERDICTS] = {0};
    for (uint64_t i = 0; i < MACHINES; i++) counts[judged(i, false)]++;
    CU_ASSERT_EQUAL(counts[MEANING_FALSE_CERTIFICATE], 0);
    CU_ASSERT_EQUAL(counts[MEANING_WRONG_FINISH], 0);
    CU_ASSERT_EQUAL(counts[MEANING_REFUSED], 0);
    CU_ASSERT(counts[MEANING_NOT_SETTLED] <= MOST_UNSETTLED);
    CU_ASSERT(counts[MEANING_AGREES] > MACHINES / 2);
}

/* planted: the simulation reads > and >= as < */
static void test_planted(void)
{
    int wrong = 0;
    for (uint64_t i = 0; i < PLANTED; i++) {
        const meaning_verdict v = judged(i, true);
        wrong += v == MEANING_FALSE_CERTIFICATE || v == MEANING_WRONG_FINISH;
    }
    CU_ASSERT(wrong >= 2);
}

void ic_tests_meaning(void)
{
    CU_pSuite suite = CU_add_suite("judged meaning", NULL, NULL);
    CU_ADD_TEST(suite, test_machines);
    CU_ADD_TEST(suite, test_planted);
}
