/* SPDX-License-Identifier: MIT */
/**
 * Measures of a case, written as calls:
 *
 *     extreme(roller/IV/B; gap; min)
 *     event_time(two-mass/example-1; separation; 1)
 *     extreme(roller/II/C; roller_acceleration; max) - extreme(roller/II/D; roller_acceleration; max)
 *
 * Arguments are separated by semicolons. Two calls may be joined by one - or /; a quotient of
 * different units has the unit of the row. A path may have settings, as in
 * roller/I/C[phase=pi]. measures.c has the table of measures.
 *
 * "Steady" means the stable periodic motion that the case reaches from its start; 0 in
 * `steady(PATH; multiple)` means that no such motion of up to IC_STEADY_MOST_PERIODS periods of the
 * forcing was found.
 */
#pragma once

#include "validation/claims/measurement.h"

/** A call, or two that are joined. */
typedef struct ic_quantity {
    /* '\0', '-' or '/' */
    char operation;

    ic_call first, second;

    /* SI unit of the value; NULL: the claim's unit */
    const char *unit;
} ic_quantity;

/** Place and method of the measurement of a quantity. */
typedef struct ic_measured {
    /* in SI units */
    double value;

    const char *solver;

    /* of the first path */
    const ic_case *system;

    const ic_preset *preset;
} ic_measured;

size_t ic_measure_count(void);

/** "extreme(PATH; OUTPUT; min|max)" */
const char *ic_measure_form(size_t i);

/**
 * Read a quantity and check every name in it. A path may be a preset of `system` alone, "drop[e=1]";
 * NULL: it begins with the name of a case. false: `error` gives the reason, and *offset its place in
 * the text.
 */
bool ic_quantity_parse(ic_quantity *quantity, const char *text, const ic_case *system, size_t *offset,
                       ic_error *error);

/** The same for calls without PATH, too, "final(v)", which then is `path`. */
bool ic_quantity_parse_on(ic_quantity *quantity, const char *text, const char *path, const ic_case *system,
                          size_t *offset, ic_error *error);

/** Add a setting, "[e=0.5]", to every path of a quantity. false: one becomes too long. */
bool ic_quantity_set(ic_quantity *quantity, const char *setting, ic_error *error);

/** Add settings, "[e=0.5]", to a path, which may have some. false: it becomes too long. */
bool ic_path_add_settings(char path[IC_LONGEST_PATH], const char *settings, ic_error *error);

/** Let a path that is a preset of a case begin with that case. false: it becomes too long. */
bool ic_path_complete(char path[IC_LONGEST_PATH], const ic_case *system);

/** Form of the measure of a call, "event_time(PATH; EVENT; N)". */
const char *ic_call_form(const ic_call *call);

/** Measure a call on a run that is given, if that is possible. false: `error` gives the reason. */
bool ic_call_of_run(double *value, const ic_call *call, const ic_setup *setup, const ic_log *run,
                    ic_error *error);

/** Case, preset and solver of a quantity, without measuring it. */
bool ic_quantity_locate(ic_measured *measured, const ic_quantity *quantity, ic_claim_evaluator *evaluator,
                        ic_error *error);

/** Measure. false: `error` gives the reason. */
bool ic_quantity_measure(ic_measured *measured, const ic_quantity *quantity, ic_claim_evaluator *evaluator,
                         ic_error *error);
