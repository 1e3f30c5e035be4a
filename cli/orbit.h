/* SPDX-License-Identifier: MIT */
/** impactcheck certify --orbit: the steady state as a certified periodic orbit. */
#pragma once

#include "cli/certified.h"
#include "cli/plot.h"
#include "reference/orbit/orbit.h"

typedef struct cli_shown_orbit {
    const cli_instance *instance;
    const ic_orbit *orbit;

    /* the guard after whose events states are taken; NULL: multiples of the forcing's period, s */
    const char *event;
    double forcing;

    long digits;
    bool out_of_memory;
} cli_shown_orbit;

/** Write the members of a JSON object, which has been begun; or a paragraph and tables. false: memory ran out. */
void cli_orbit_json(ic_json *json, cli_shown_orbit *shown);
bool cli_orbit_print(cli_shown_orbit *shown);

/** What is asked. */
typedef struct cli_orbit_request {
    const cli_arguments *arguments;
    const cli_instance *instance;
    const cli_certified_format *format;

    /* what is drawn of the orbit, and where; NULL: nothing */
    cli_plot *shown;
    cli_figure *figure;
} cli_orbit_request;

/**
 * Find the steady state and prove it; print tables, one JSON object, or (quiet) nothing; and draw it. Returns the exit
 * status.
 */
int cli_orbit(const cli_orbit_request *request);
