/* SPDX-License-Identifier: MIT */
/**
 * The equations of Kecskemethy & Lange (1999), as printed and as corrected, compared with the
 * motion itself.
 *
 * The truth is Newton's and Euler's laws for the bar, integrated by power series; it knows no C, no
 * eigenvector and no constant of Table 1. A residual is the largest relative deviation of an
 * equation from that, over seeded random bars. Each error of an equation has its own entry, in
 * which the printed form has only that error.
 */
#ifndef IC_VALIDATION_CLAIMS_PRINTED_BAR_H
#define IC_VALIDATION_CLAIMS_PRINTED_BAR_H

#include "validation/claims/printed_random.h"

#include <stdbool.h>
#include <stddef.h>

/** A bar, its contact and its state: one random set. */
typedef struct ic_printed_bar {
    /*
     * mass, kg; length l and radius of gyration rho, m; angle phi, clockwise from the normal, rad
     */
    double m, l, rho, phi;

    /* 1, N/m */
    double kappa, c_y;

    /* mu* of the paper: F_x/F_y while sliding */
    double friction;

    /* (x, y) or (x^, y) at tau = 0, and their derivatives with respect to tau, m */
    double at[2], rate[2];

    /* N s, at tau = 0 */
    double impulse[2];

    /* time at which motions are compared */
    double tau;

    /* Radius of gyration of the motion, m. It differs from rho if a wrong truth is planted. */
    double true_rho;
} ic_printed_bar;

typedef struct ic_printed_equation {
    /* "eq2-sticking-x" */
    const char *name;

    const char *meaning;

    /* changes a random bar so that the equation applies; NULL: it always applies */
    void (*choose)(ic_printed_bar *bar);

    double (*residual)(const ic_printed_bar *bar, bool printed);

    /* the printed equation is right */
    bool stands;
} ic_printed_equation;

size_t ic_printed_count(void);
const ic_printed_equation *ic_printed_equation_at(size_t i);
/** By name, or NULL. */
const ic_printed_equation *ic_printed_equation_find(const char *name);

/**
 * Largest residual over the random bars; infinite if the equation gives no number. IC_PLANTED: for
 * bars with another radius of gyration, no equation may hold.
 */
double ic_printed_residual(const ic_printed_equation *equation, ic_printed_form form);

#endif
