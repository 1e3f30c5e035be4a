/* SPDX-License-Identifier: MIT */
/**
 * The regularised tape of a compliant contact. A force that depends on the indentation d by d^(k/m), m = 2 or 4,
 * has no series in t where d = 0: at the onset of a contact and at its end. It has one in tau, with
 *
 *     d = S^m,    dt = S^(m-1) dtau:
 *     dx/dtau = S^(m-1) f,    dS/dtau = (dd/dt)/m,    dt/dtau = S^(m-1),    d^(k/m) = d^i S^(k - i m), i = [k/m]
 *
 * whose right sides are analytic, at S = 0 as well (for m = 2 the transformation of Levi-Civita for collisions:
 * E. L. Stiefel, G. Scheifele, Linear and Regular Celestial Mechanics (1971)). S passes zero with a rate where d
 * touches it.
 *
 * dd/dt follows from the rates of the states, if d is no sum of these by the rates of the kernels on which d
 * depends. Powers of other quantities stay: d may be the base that is next to zero.
 *
 * The regularised tape has the states x, S, t. Guards and kinks whose value is a multiple of d become that
 * multiple of S, which has the same sign while S > 0 and a simple zero where the contact ends.
 */
#pragma once

#include "solvers/series/tape.h"

/* Greatest m. */
enum { IC_MOST_ROOT_POWERS = 4 };

typedef struct ic_root {
    ic_tape tape;

    /* Number of states of the original. The row of S is n, that of t is n + 1. */
    size_t n;

    /* m, and the rows of S^1 .. S^(m-1). */
    int root, powers[IC_MOST_ROOT_POWERS];

    /* The row of d in the original, and what was asked for. */
    int base_row, asked;

    /* Whether d = gamma + sum of entries of states and of time, which is row n of the original. */
    bool is_sum;
    ic_tape_entry *base;
    int n_base;
    double gamma;

    /* By guard: whether S stands for d. */
    bool *is_root;

    /* by row of the original: the row, and the rate, of which the row is UNKNOWN_RATE (root.c) before it is needed */
    int *moved;
    ic_series_value *rates;

    /* the first row of the rates */
    size_t first_rate;

    /* of the original from which the tape was made, and of the last one whose powers have no base in common */
    unsigned version, lacking;

    /* Whether it can be regularised. */
    bool exists;

    /* The memory of all arrays. */
    void *block;
} ic_root;

/** Open a regularised tape for tapes with the room of `from`. false: memory ran out. */
bool ic_root_open(ic_root *s, const ic_tape *from);
void ic_root_close(ic_root *s);

/** Greatest number of rows, for a tape with so much room. */
size_t ic_root_room(size_t n_states, size_t room);

/**
 * Regularise a tape at a row, or at that of all its powers, a sum of states, if `base` is -1, unless that has been
 * done. Returns `exists`, which is false if not all powers of the row are powers k/2 or all are powers k/4, k > 0 and
 * not whole, or if its rate is too long.
 */
bool ic_root_build(ic_root *s, const ic_tape *from, int base);

/** d at (t, x) if it is a sum, and the sum of the moduli of its terms. */
double ic_root_base(const ic_root *s, double t, const double *x, double *size);

/** S for d >= 0, and S^(m-1). */
double ic_root_of(const ic_root *s, double d);
double ic_root_rate(const ic_root *s, double root);
