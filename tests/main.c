/* SPDX-License-Identifier: MIT */
#include "reference/flow/certify.h"
#include "tests/tests.h"

#include <CUnit/Basic.h>
#include <stdarg.h>

ic_tests_part ic_tests_part_wanted(void)
{
    ic_tests_part part = {.first = 0, .stride = 1}, wanted;
    const char *text = getenv("IC_TESTS_PART");
    if (text != NULL && sscanf(text, "%zu/%zu", &wanted.first, &wanted.stride) == 2 &&
        wanted.first < wanted.stride)
        part = wanted;
    return part;
}

bool ic_tests_is_turn(size_t i, size_t turns)
{
    const ic_tests_part part = ic_tests_part_wanted();
    return part.stride == 1 || i % turns == part.first % turns;
}

enum { MOST_TESTS = 2000 };

static struct {
    const ic_tests_suite *suite;
    const char *name;
    CU_TestFunc run;
} tests[MOST_TESTS];
static size_t n_tests;

void ic_tests_add(const ic_tests_suite *suite, const char *name, CU_TestFunc run)
{
    if (n_tests == MOST_TESTS) abort();
    tests[n_tests].suite = suite, tests[n_tests].name = name, tests[n_tests++].run = run;
}

bool ic_tests_say(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    printf("\n  ");
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
    return false;
}

static void register_tests(const char *group)
{
    for (size_t i = 0; i < n_tests; i++) {
        const ic_tests_suite *of = tests[i].suite;
        if (group != NULL && strcmp(group, of->group) != 0) continue;
        CU_pSuite suite = CU_get_suite(of->name);
        if (suite == NULL) suite = CU_add_suite(of->name, of->begin, of->end);
        CU_add_test(suite, tests[i].name, tests[i].run);
    }
}

/* Deactivates the suites that `wanted` does not select: those of another name if one has this very
   name, otherwise those whose name does not contain it. false: none is left. */
static bool select_suites(const char *wanted)
{
    const bool exact = CU_get_suite(wanted) != NULL;
    bool any = false;
    for (CU_pSuite s = CU_get_registry()->pSuite; s != NULL; s = s->pNext) {
        const bool selected = exact ? strcmp(s->pName, wanted) == 0 : strstr(s->pName, wanted) != NULL;
        CU_set_suite_active(s, selected ? CU_TRUE : CU_FALSE);
        any = any || selected;
    }
    if (any) return true;
    fprintf(stderr, "no suite's name contains '%s'; the suites are:\n", wanted);
    for (CU_pSuite s = CU_get_registry()->pSuite; s != NULL; s = s->pNext) fprintf(stderr, "  %s\n", s->pName);
    return false;
}

/* impactcheck-tests [NAME]: all suites, the suite of this name, or those whose name contains it. */
int main(int argc, char **argv)
{
    const char *group = getenv("IC_TESTS_GROUP");
    if (CU_initialize_registry() != CUE_SUCCESS) return 1;
    register_tests(group);
    CU_set_fail_on_inactive(CU_FALSE);
    CU_basic_set_mode(CU_BRM_NORMAL);
    const bool any = CU_get_registry()->uiNumberOfSuites > 0 && (argc < 2 || select_suites(argv[1]));
    const bool good = any && CU_basic_run_tests() == CUE_SUCCESS && CU_get_number_of_failures() == 0;
    CU_cleanup_registry();
    flint_cleanup();
    return good ? 0 : 1;
}
