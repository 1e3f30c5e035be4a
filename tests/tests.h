/* SPDX-License-Identifier: MIT */
/** Suites of the test program. Each function registers one suite with CUnit. */
#ifndef IC_TESTS_TESTS_H
#define IC_TESTS_TESTS_H

#include "impactcheck/impactcheck.h"

#include <stddef.h>

/** How many solvers serve a problem: whoever loops over them says how many of ours there must be. */
size_t ic_tests_serving(const ic_problem *problem);

void ic_tests_expression(void);
void ic_tests_parameters(void);
void ic_tests_model(void);
void ic_tests_library(void);
void ic_tests_laws(void);
void ic_tests_composition(void);
void ic_tests_contact_law(void);
void ic_tests_bracket(void);
void ic_tests_dop853(void);
void ic_tests_nodes(void);
void ic_tests_taylor(void);
void ic_tests_law_certificates(void);
void ic_tests_beam_reference(void);
void ic_tests_contract(void);
void ic_tests_event_set(void);
void ic_tests_peers(void);
void ic_tests_cases(void);
void ic_tests_solvers(void);
void ic_tests_refined_step(void);
void ic_tests_piecewise_linear(void);
void ic_tests_windows(void);
void ic_tests_impact_maps(void);
void ic_tests_modal_closed_form(void);
void ic_tests_reference(void);
void ic_tests_published(void);
void ic_tests_counter_values(void);
void ic_tests_printed_bar(void);
void ic_tests_printed_beam(void);
void ic_tests_validation(void);
void ic_tests_studies(void);
void ic_tests_law_studies(void);
void ic_tests_rotating_beam_holds(void);
void ic_tests_beam_studies(void);
void ic_tests_pneumatic_mechanism(void);
void ic_tests_planar_bar(void);
void ic_tests_bench(void);
void ic_tests_sweep(void);
void ic_tests_optimise(void);
void ic_tests_batch(void);
void ic_tests_audit_plugin(void);
void ic_tests_audit_command(void);
void ic_tests_processes(void);
void ic_tests_interrupts(void);
void ic_tests_audit_trajectory(void);
void ic_tests_audit_impossible(void);
void ic_tests_audit_families(void);
void ic_tests_audit_alarms(void);
void ic_tests_audit_verdict(void);
void ic_tests_audit_errors(void);
void ic_tests_audit_parameters(void);
void ic_tests_audit_hypotheses(void);
void ic_tests_traps(void);
void ic_tests_audit_engines(void);
void ic_tests_fuzz(void);
void ic_tests_report(void);

/** Which elements of a gallery are tested: number `first`, and every one `stride` further on. */
typedef struct ic_tests_part {
    size_t first, stride;
} ic_tests_part;

/** IC_TESTS_PART=K/N in the environment: K and N, where K < N; else all of them. The galleries of plugins take minutes. */
ic_tests_part ic_tests_part_wanted(void);

#endif
