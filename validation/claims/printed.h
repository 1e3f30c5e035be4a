/* SPDX-License-Identifier: MIT */
/**
 * Papers whose equations are compared, as printed and as corrected, with the mechanics: the largest relative deviation
 * over seeded random systems. Each error of an equation has its own entry, in which the printed form has only that error.
 */
#ifndef IC_VALIDATION_CLAIMS_PRINTED_H
#define IC_VALIDATION_CLAIMS_PRINTED_H

#include <stdbool.h>
#include <stddef.h>

/** Planted: as printed, compared with mechanics that are wrong by one part in 10^8. */
typedef enum ic_printed_form { IC_PRINTED, IC_CORRECTED, IC_PLANTED } ic_printed_form;

#define IC_PRINTED_PLANT 1e-8

typedef struct ic_printed_equation {
    /* "eq2-sticking-x" */
    const char *name;

    /* the printed equation is right */
    bool stands;
} ic_printed_equation;

typedef struct ic_printed_paper {
    /* name of the case */
    const char *system;

    /* of the random systems */
    unsigned long long seed;
    int n_systems;

    /* NULL: there are no more */
    const ic_printed_equation *(*equation)(size_t i);

    /* relative deviation of equation i for the next random system */
    double (*deviation)(size_t i, unsigned long long *seed, ic_printed_form form);
} ic_printed_paper;

extern const ic_printed_paper ic_printed_bar, ic_printed_beam;

/** Papers by number; NULL: there are no more. */
const ic_printed_paper *ic_printed_paper_at(size_t i);

/** Whether the paper of a case has an equation. */
bool ic_printed_has(const char *system, const char *equation);

/** Its largest deviation; infinite if it gives no number. The equation exists. */
double ic_printed_residual(const char *system, const char *equation, ic_printed_form form);

/** Lehmer's generator modulo the prime 2^31 - 1: the same numbers on every machine. */
double ic_printed_random(unsigned long long *seed, double low, double high);

#endif
