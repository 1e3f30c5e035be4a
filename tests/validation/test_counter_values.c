/* SPDX-License-Identifier: MIT */
/*
 * Every row about a paper can fail: it rejects a counter-value that is computed, and no two rows
 * measure the same. One row in ten is tried; with IC_COUNTER_VALUES=all in the environment all of
 * them (tools/check-claims.sh).
 */
#include "registry/registry.h"
#include "tests/tests.h"
#include "validation/claims/counter_values.h"

IC_SUITE(solvers, "counter-values")
IC_OWNED(ic_claim_evaluator, ic_claim_evaluator_close)
IC_OWNED(ic_claims, ic_claims_close)

enum { TABLES = 6, MOST_CASES = 64, STRIDE = 10 };
static const char *const paths[TABLES] = {
    "errata.csv",
    "published/claims-ball.csv",
    "published/claims-planar-bar.csv",
    "published/claims-roller.csv",
    "published/claims-rotating-beam.csv",
    "published/claims-two-mass.csv",
};

static void print_fault(const char *id, const char *key, size_t offset, const char *text, void *context)
{
    printf("\n  %s, %s, %s:%zu: %s\n", ((const ic_case *)context)->name, id, key, offset, text);
    CU_FAIL("a statement cannot be read");
}

static size_t file_count(void)
{
    CU_ASSERT_FATAL(ic_case_count <= MOST_CASES);
    return TABLES + ic_case_count;
}

/* Tables, and the statements of case files. */
static const char *file_name(size_t f)
{
    return f < TABLES ? paths[f] : ic_cases[f - TABLES]->name;
}

static bool open_file(ic_claims *claims, size_t f)
{
    if (f >= TABLES)
        return ic_claims_of_case(claims, ic_cases[f - TABLES], print_fault, (void *)ic_cases[f - TABLES]);
    const char *path = paths[f];
    ic_error error = {""};
    const ic_embedded *file = ic_embedded_find(path);
    const char *text = file != NULL ? file->text : "";
    const bool good = strcmp(path, "errata.csv") == 0 ? ic_errata_open(claims, path, text, &error)
                                                      : ic_claims_open(claims, path, text, &error);
    if (!good) printf("\n  %s\n", error.text);
    return good;
}

IC_TEST(test_rejected)
{
    const char *wanted = getenv("IC_COUNTER_VALUES");
    const size_t stride = wanted != NULL && strcmp(wanted, "all") == 0 ? 1 : STRIDE;
    size_t tried = 0, rows = 0;
    for (size_t f = 0; f < file_count(); f++) {
        IC_OWN(ic_claim_evaluator) evaluator = {0};
        IC_OWN(ic_claims) claims;
        CU_ASSERT_FATAL(open_file(&claims, f));
        for (size_t i = 0; i < claims.count; i++) {
            const ic_claim *claim = &claims.claims[i];
            ic_error error = {""};
            if (claim->kind == IC_KIND_NOT_TESTABLE || rows++ % stride != 0) continue;
            IC_EXPECT(ic_counter_rejected(claim, &evaluator, &error), "%s, %s: %s", file_name(f), claim->id,
                      error.text);
            tried++;
        }
    }
    CU_ASSERT(tried >= rows / stride);
    if (stride == 1) printf(" %zu of %zu rows", tried, rows);
}

/* Rows of all files, one behind the other. */
IC_TEST(test_rows_measure_once)
{
    ic_claims claims[TABLES + MOST_CASES];
    const size_t n = file_count();
    for (size_t f = 0; f < n; f++) CU_ASSERT_FATAL(open_file(&claims[f], f));
    for (size_t f = 0; f < n; f++) {
        for (size_t i = 0; i < claims[f].count; i++) {
            const ic_claim *one = &claims[f].claims[i];
            for (size_t g = 0; g <= f && one->measure[0] != '\0'; g++) {
                for (size_t k = 0; k < (g == f ? i : claims[g].count); k++) {
                    const bool same = one->system == claims[g].claims[k].system &&
                                      strcmp(one->measure, claims[g].claims[k].measure) == 0;
                    IC_EXPECT(!same, "%s and %s measure the same", one->id, claims[g].claims[k].id);
                }
            }
        }
    }
    for (size_t f = 0; f < n; f++) ic_claims_close(&claims[f]);
}

#define HEADER "id;kind;source;place;statement;measure;relation;value;unit;printed;note;counter\n"

static bool is_rejected(const char *counter, const char *says)
{
    char text[512];
    IC_OWN(ic_claim_evaluator) evaluator = {0};
    IC_OWN(ic_claims) claims;
    ic_error error = {""};
    snprintf(text, sizeof text,
             HEADER "a;statement;s;p;t;\"extreme(roller/II/A[g=9.81]; contact_force; min)\";<;0;kN;;;\"%s\"\n",
             counter);
    CU_ASSERT_FATAL(ic_claims_open(&claims, "planted.csv", text, &error));
    const bool rejected = ic_counter_rejected(&claims.claims[0], &evaluator, &error);
    CU_ASSERT(rejected || strstr(error.text, says) != NULL);
    return rejected;
}

IC_TEST(test_planted)
{
    CU_ASSERT(is_rejected("roller/I/A", ""));
    CU_ASSERT(is_rejected("[F_w=0]", ""));
    CU_ASSERT(is_rejected("extreme(roller/II/A; contact_force; max)", ""));
    /* planted: the row itself, what holds as well, what cannot be measured, nothing */
    CU_ASSERT_FALSE(is_rejected("extreme(roller/II/A; contact_force; min)", "no counter-value"));
    CU_ASSERT_FALSE(is_rejected("[c=5.1e5]", "the row asks for < 0"));
    CU_ASSERT_FALSE(is_rejected("[cc=1]", "'cc'"));
    CU_ASSERT_FALSE(is_rejected("roller/V/A", "no preset"));
    CU_ASSERT_FALSE(is_rejected("extreme(roller/II/A; force; max)", "no output 'force'"));
    CU_ASSERT_FALSE(is_rejected("", "there is no counter-value"));
}
