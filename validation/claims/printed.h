/* SPDX-License-Identifier: MIT */
/** Papers whose equations are compared, as printed and as corrected, with what they are about. */
#ifndef IC_VALIDATION_CLAIMS_PRINTED_H
#define IC_VALIDATION_CLAIMS_PRINTED_H

#include <stdbool.h>

typedef struct ic_printed_paper {
    /* name of the case */
    const char *system;

    bool (*has)(const char *equation);
    /* largest relative deviation over random systems of an equation that it has */
    double (*residual)(const char *equation, bool printed);
    /* ... as printed, against a truth that is planted wrong */
    double (*planted)(const char *equation);
} ic_printed_paper;

/** NULL: no equations of this case's paper are compared. */
const ic_printed_paper *ic_printed_paper_of(const char *system);

#endif
