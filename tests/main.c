/* SPDX-License-Identifier: MIT */
#include "reference/certify.h"
#include "tests/tests.h"

#include <CUnit/Basic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All suites, or the one that is named. */
static bool run_suites(const char *name)
{
    CU_basic_set_mode(CU_BRM_NORMAL);
    if (name == NULL) return CU_basic_run_tests() == CUE_SUCCESS;
    CU_pSuite suite = CU_get_suite(name);
    return suite != NULL && CU_basic_run_suite(suite) == CUE_SUCCESS;
}

ic_tests_part ic_tests_part_wanted(void)
{
    ic_tests_part part = {.first = 0, .stride = 1}, wanted;
    const char *text = getenv("IC_TESTS_PART");
    if (text != NULL && sscanf(text, "%zu/%zu", &wanted.first, &wanted.stride) == 2 &&
        wanted.first < wanted.stride)
        part = wanted;
    return part;
}

/* These suites take no time. */
static void add_light(void)
{
    ic_tests_expression();
    ic_tests_fuzz();
    ic_tests_report();
    ic_tests_parameters();
    ic_tests_model();
    ic_tests_library();
    ic_tests_laws();
    ic_tests_composition();
    ic_tests_bracket();
    ic_tests_nodes();
    ic_tests_dop853();
    ic_tests_cases();
    ic_tests_contract();
    ic_tests_event_set();
    ic_tests_peers();
}

/* Suites of solvers, reference, checks and studies take a minute. */
static void add_solvers(void)
{
    ic_tests_reference();
    ic_tests_contact_law();
    ic_tests_law_certificates();
    ic_tests_beam_reference();
    ic_tests_solvers();
    ic_tests_taylor();
    ic_tests_refined_step();
    ic_tests_piecewise_linear();
    ic_tests_windows();
    ic_tests_impact_maps();
    ic_tests_modal_closed_form();
    ic_tests_validation();
    ic_tests_published();
    ic_tests_counter_values();
    ic_tests_printed_bar();
    ic_tests_printed_beam();
    ic_tests_studies();
    ic_tests_law_studies();
    ic_tests_rotating_beam_holds();
    ic_tests_beam_studies();
    ic_tests_pneumatic_mechanism();
    ic_tests_planar_bar();
    ic_tests_bench();
    ic_tests_sweep();
    ic_tests_optimise();
    ic_tests_batch();
}

/* Suites of audits take longest. */
static void add_audits(void)
{
    ic_tests_audit_plugin();
    ic_tests_audit_command();
    ic_tests_processes();
    ic_tests_interrupts();
    ic_tests_audit_trajectory();
    ic_tests_audit_impossible();
    ic_tests_audit_families();
    ic_tests_audit_alarms();
    ic_tests_audit_verdict();
    ic_tests_audit_parameters();
    ic_tests_audit_errors();
    ic_tests_audit_hypotheses();
    ic_tests_traps();
    ic_tests_audit_engines();
}

static const struct {
    const char *name;
    void (*add)(void);
} groups[] = {{"light", add_light}, {"solvers", add_solvers}, {"audits", add_audits}};

/* impactcheck-tests [SUITE]. IC_TESTS_GROUP: one group of suites alone. */
int main(int argc, char **argv)
{
    const char *wanted = getenv("IC_TESTS_GROUP");
    size_t added = 0;
    if (CU_initialize_registry() != CUE_SUCCESS) return 1;
    for (size_t i = 0; i < IC_COUNT(groups); i++) {
        if (wanted != NULL && strcmp(wanted, groups[i].name) != 0) continue;
        groups[i].add();
        added++;
    }
    const bool ran = added > 0 && run_suites(argc > 1 ? argv[1] : NULL);
    const unsigned failures = CU_get_number_of_failures();
    CU_cleanup_registry();
    flint_cleanup();
    return ran && failures == 0 ? 0 : 1;
}
