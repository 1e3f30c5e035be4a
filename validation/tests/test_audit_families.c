/* SPDX-License-Identifier: MIT */
/**
 * Nothing passes the audit that is wrong: families of wrong rows, for every preset, at 2 to 10 000 rows; and right rows do pass, from
 * some count on, so that this cannot be had by passing nothing.
 *
 * IC_TESTS_PART=K/N: some members of each family. IC_FAMILIES=LINES: every audit in a line; IC_FAMILIES_OF=GLOB: these presets alone.
 */
#include "audit/rows/trajectory_audit.h"
#include "core/registry.h"
#include "validation/tests/families.h"
#include "validation/tests/tests.h"

#include <CUnit/CUnit.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const size_t counts[] = {2, 3, 5, 10, 20, 50, 200, 1000, 2000, 10000};

enum { MOST_FAMILIES = 16 };

typedef struct tally {
    size_t audits, passes;
} tally;

static double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static ic_audit_verdict verdict_of(const ic_trajectory *tr, const ic_problem *problem)
{
    ic_trajectory_audit audit;
    CU_ASSERT_TRUE_FATAL(ic_audit_trajectory(&audit, tr, problem, NULL));
    const ic_audit_verdict verdict = ic_findings_verdict(&audit.findings);
    ic_trajectory_audit_close(&audit);
    return verdict;
}

static void try_member(tally *tally, const family *family, const family_ground *ground, size_t n, size_t member)
{
    static const char *const texts[] = {"PASSES", "fails", "undecided"};
    const double begin = seconds_now();
    ic_trajectory tr;
    if (!family_make(&tr, family, ground, n, member)) return;
    const double made = seconds_now();
    const ic_audit_verdict verdict = verdict_of(&tr, &ground->setup.problem);
    tally->audits++;
    tally->passes += verdict == IC_AUDIT_GOOD;
    if (getenv("IC_FAMILIES") != NULL)
        printf("\n%s %s member %zu, %zu rows: %s; %.3f s and %.3f s", ground->path, family->name, member, tr.n,
               texts[verdict], made - begin, seconds_now() - made);
    else if (verdict == IC_AUDIT_GOOD)
        printf("\n  %s: %s, member %zu, passes at %zu rows", ground->path, family->name, member, tr.n);
    ic_trajectory_close(&tr);
}

/* Each member at one of the counts, another one in each preset. */
static void try_families(tally *tallies, const family_ground *ground, size_t number)
{
    const ic_tests_part part = ic_tests_part_wanted();
    for (size_t f = 0, k = number; f < family_count; f++) {
        for (size_t member = 0; member < families[f].members; member++, k++) {
            if (k % part.stride != part.first) continue;
            const size_t count = families[f].members == 1 ? 0 : (k / part.stride) % IC_COUNT(counts);
            try_member(&tallies[f], &families[f], ground, counts[count], member);
        }
    }
}

static void test_wrong_rows(void)
{
    tally tallies[MOST_FAMILIES] = {{0, 0}};
    const char *wanted = getenv("IC_FAMILIES_OF");
    size_t number = 0;
    CU_ASSERT_FATAL(family_count <= MOST_FAMILIES);
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++) {
            char path[96];
            family_ground ground;
            number += 7;
            snprintf(path, sizeof path, "%s/%s", ic_cases[c]->name, ic_cases[c]->presets[p].name);
            if (wanted != NULL && !ic_glob(wanted, path)) continue;
            CU_ASSERT_TRUE(family_ground_open(&ground, path));
            try_families(tallies, &ground, number);
            family_ground_close(&ground);
        }
    }
    for (size_t f = 0; f < family_count; f++) {
        if (getenv("IC_FAMILIES") != NULL)
            printf("\n%-16s %zu of %zu pass", families[f].name, tallies[f].passes, tallies[f].audits);
        CU_ASSERT(wanted != NULL || tallies[f].audits > 0);
        CU_ASSERT_EQUAL(tallies[f].passes, 0);
    }
}

/* At which counts right rows pass. */
static void test_right_rows(void)
{
    const char *wanted = getenv("IC_FAMILIES_OF");
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++) {
            char path[96];
            family_ground ground;
            snprintf(path, sizeof path, "%s/%s", ic_cases[c]->name, ic_cases[c]->presets[p].name);
            if (wanted != NULL && !ic_glob(wanted, path)) continue;
            CU_ASSERT_TRUE(family_ground_open(&ground, path));
            printf("\nright %-32s", path);
            for (size_t i = 0; i < IC_COUNT(counts); i++) {
                ic_trajectory tr;
                if (!family_right_rows(&tr, &ground, counts[i])) {
                    printf(" -");
                    continue;
                }
                printf(" %zu:%c", counts[i], "GFu"[verdict_of(&tr, &ground.setup.problem)]);
                ic_trajectory_close(&tr);
            }
            family_ground_close(&ground);
        }
    }
}

void ic_tests_audit_families(void)
{
    CU_pSuite suite = CU_add_suite("families of trajectories", NULL, NULL);
    CU_add_test(suite, "wrong rows do not pass", test_wrong_rows);
    CU_add_test(suite, "right rows pass", test_right_rows);
}
