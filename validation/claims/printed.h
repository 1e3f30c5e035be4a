/* SPDX-License-Identifier: MIT */
/** Papers whose equations are compared, as printed and as corrected, with the mechanics. */
#ifndef IC_VALIDATION_CLAIMS_PRINTED_H
#define IC_VALIDATION_CLAIMS_PRINTED_H

#include "validation/claims/printed_random.h"

#include <stdbool.h>

typedef struct ic_printed_paper {
    /* name of the case */
    const char *system;

    bool (*has)(const char *equation);

    /* largest relative deviation of one of its equations over random systems */
    double (*residual)(const char *equation, ic_printed_form form);
} ic_printed_paper;

/** NULL: the case's paper has no compared equations. */
const ic_printed_paper *ic_printed_paper_of(const char *system);

#endif
