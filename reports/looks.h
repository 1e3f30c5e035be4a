/* SPDX-License-Identifier: MIT */
/** How curves of solvers look: the table reports/text/looks.txt. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct ic_look {
    char solver[32];

    /* classes of style: "f2 own", "f2 peer" */
    char class[16];

    /* the sign, as ic_plot_series has it */
    int mark;
} ic_look;

/** The look of row `i` of the table, in the order of legends. false: there is no such row. */
bool ic_look_at(ic_look *look, size_t i);

/** The look of a solver by name; one that is not in the table has the last family and a diamond. */
ic_look ic_look_of(const char *solver);

/** Writes the style of the families, for light and dark ground. */
void ic_looks_write_style(FILE *out);
