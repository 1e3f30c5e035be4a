/* SPDX-License-Identifier: MIT */
/** A contact-force law, as tables, JSON and CSV. */
#pragma once

#include "core/free_impact.h"
#include "core/parameters.h"
#include "impactcheck/impactcheck.h"

#include <stdbool.h>
#include <stdio.h>

/** The curve has the points e = i/CLI_LAW_POINTS, i = 1, 2, ... */
enum { CLI_LAW_POINTS = 1000 };

/**
 * Prescribed restitution, and the results of a law for it. NAN if the law does not have the
 * quantity.
 */
typedef struct cli_law_point {
    double wanted, damping, restitution;
} cli_law_point;

/** A law with its parameters, and a free impact under it. NAN where the law is not solved. */
typedef struct cli_law_result {
    const ic_law *law;
    ic_parameters parameters;

    /* kg, m/s */
    double mass, speed;

    /* restitution; NAN where the law has no parameter e */
    double wanted;

    ic_impact_outcome impact;

    /* s, from a certificate; INFINITY: the contact never opens; NAN: not certified */
    double duration;

    /* the law has a parameter e, and is solved */
    bool has_curve;

    cli_law_point curve[CLI_LAW_POINTS];
} cli_law_result;

/** The i-th promise of the law as text; NULL after the last. */
const char *cli_law_promise(const ic_law *law, size_t i);

/** On standard output. false: memory ran out. */
bool cli_law_print(const cli_law_result *result);

/** One JSON object. */
void cli_law_json(const cli_law_result *result, FILE *stream);

/** The curve: e_in, a, e_out. */
void cli_law_csv(const cli_law_result *result, FILE *stream);
