/* SPDX-License-Identifier: MIT */
/**
 * The tape of a phase: the list of kernels by which the coefficients of Taylor series follow from those
 * before (A. Griewank, A. Walther, Evaluating Derivatives, 2nd ed. (2008), 13.2). It is data that
 * interpreters carry out: `series.c` for one parameter set, coefficient by coefficient; others for many sets
 * in lanes.
 *
 * Rows. A row holds the coefficients of one quantity in s: rows 0 .. n-1 are the n states, row n is the time,
 * row n+1 is zero throughout; kernel k writes row n+2+k, its member `out`. Coefficient j of a row is
 *
 *     SUM        y_j = sum_i factor_i row_i,j                            + gamma in y_0
 *     PRODUCT    y_j = sum_{0<=k<=j} a_k b_{j-k}
 *     SQUARE     y_j = sum_{0<=k<=j} a_k a_{j-k}                         half of the products, twice
 *     QUOTIENT   b_0 y_j = a_j - sum_{1<=k<=j} b_k y_{j-k}               y_0 = (a_0 + gamma)/b_0
 *     INTEGRAL   j y_j = alpha sum_{1<=k<=j} k a_k b_{j-k}               y' = alpha b a'
 *     INVERSE    b_0 y_j = a_j - sum_{1<=k<j} k y_k b_{j-k}/j            y' = a'/b
 *     POWER      j a_0 y_j = sum_{1<=k<=j} (k e - (j - k)) a_k y_{j-k}   y = a^e, e = alpha
 *
 * INTEGRAL and INVERSE have y_0 = start(of_0, with_0); POWER has y_0 = cbrt(a_0) if start is IC_OP_CBRT, else
 * a_0^alpha. A kernel reads coefficients up to j of rows of earlier kernels; INTEGRAL may read later rows,
 * up to j - 1, and INVERSE reads its own row: the kernels in order, for j = 0, 1, 2, ..., is a valid order.
 * A factor of products that is absent has the row of zeros.
 *
 * States. Coefficient j + 1 of state i is unit/(j + 1) times coefficient j of results[i], which is a row or a
 * constant (only its coefficient 0 is not zero). The guards follow: results[n + g] is guard g. Kernels from
 * `n_flow` on serve guards and kinks alone: nothing before them reads their rows, so that they can be
 * carried out after all coefficients of the states are known. Those before `n_time` depend on time alone, and
 * can be carried out before.
 *
 * Held states, whose rate is the number 0, are numbers of the tape. If it `holds_rows`, they are rows where
 * ic_tape_part permits, so that a new value changes nothing.
 *
 * Parameter sets. Two sets have the same structure if ic_tape_matches: kinds, rows, entries' rows, operations
 * and kinks (with their sides) are then the same, and only numbers differ: factor, alpha, gamma, constants in
 * `results` and in the arguments of kinks. The structure depends on the mode, on the sides of kinks, on
 * parameters that are 0 or 1 (terms vanish), and on whole exponents.
 */
#pragma once

#include "core/equations.h"

typedef enum ic_tape_kind {
    IC_TAPE_SUM,
    IC_TAPE_PRODUCT,
    IC_TAPE_SQUARE,
    IC_TAPE_QUOTIENT,
    IC_TAPE_INTEGRAL,
    IC_TAPE_INVERSE,
    IC_TAPE_POWER,
} ic_tape_kind;

/** One summand of a SUM. */
typedef struct ic_tape_entry {
    int row;
    double factor;
} ic_tape_entry;

typedef struct ic_tape_kernel {
    ic_tape_kind kind;

    /* row of the result */
    int out;

    /* rows of the operands: a = b for SQUARE, b is the row of zeros for SUM */
    int a, b;

    /* SUM: its entries, entries[first] to entries[first + count - 1]. */
    int first, count;

    /* INTEGRAL, INVERSE: the operation that gives y_0 from those of the rows `of` and `with`. */
    ic_operation start;
    int of, with;

    /* alpha of INVERSE: the side of the cut of an angle, as its kink has it; 0: it is not met. */
    double alpha, gamma;

    /* Number of factors of a product of products. */
    int factors;

    /* Whether its coefficients may not show a term that grows within a step (solvers/series/hidden.h). */
    bool hides;
} ic_tape_kernel;

/** A term of the equations: a row, or a constant. */
typedef struct ic_series_value {
    /* Index of the row; -1: constant. */
    int row;

    /* Its value at the start of the phase. */
    double value;
} ic_series_value;

/** A kink: a choice by the sign of a quantity that varies, or the cut of an angle, atan2(y, x), where y changes its sign. */
typedef struct ic_series_kink {
    /* The term that is the kink. */
    int term;

    /* The quantity whose sign decides. */
    ic_series_value argument;

    /* The side that is taken: -1 or +1. */
    int side;
} ic_series_kink;

/** The part of a held state's value on which a tape depends. */
typedef enum ic_tape_part {
    /* None: the state moves, nothing reads it. */
    IC_TAPE_NO_PART,

    /*
     * Whether it is 0 or 1, because terms vanish then. With any other value it is a row, of which only
     * coefficient 0 is not zero: nothing but sums and products are formed of it.
     */
    IC_TAPE_UNITS,

    /* All of it: it is a number of the tape. */
    IC_TAPE_VALUE,
} ic_tape_part;

/** A tape that was built: what its users read, and what it was built for. */
typedef struct ic_tape_form ic_tape_form;

typedef struct ic_tape {
    const ic_equations *equations;
    const double *par;

    /* Chosen by the user of the tape: whether held states that are factors are rows, too, where that is possible. */
    bool holds_rows;

    /* Chosen by the user: by result, whether it is that of a guard that cannot fire, and has no row. */
    bool *idle;

    /* Number of states. */
    size_t n;

    ic_tape_kernel *kernels;
    size_t n_kernels;

    /* Number of kernels that depend on time alone among those below; they come first. */
    size_t n_time;

    /* Number of kernels on which the rates of the states depend; they come first. */
    size_t n_flow;

    ic_tape_entry *entries;
    size_t n_entries;

    ic_series_kink *kinks;
    size_t n_kinks;

    /* By row: highest coefficient that is not zero in powers of t - t0; IC_TAPE_ENDLESS if there is none. */
    int *tops;
    size_t n_rows;

    /* Results: n rates, then the guards. */
    ic_series_value *results;
    size_t n_results;

    /* Number of this form of the tape: no other has had it. */
    unsigned version;

    /* Number of times that the tape was built. */
    unsigned n_built;

    /* Forms that were built for these equations, to be taken again; there is memory for n_opened of them. */
    ic_tape_form *forms;
    size_t n_forms, n_opened;

    /* The form in use. */
    size_t form;

    /* True if a kernel is POWER, which has no series where its base is zero. */
    bool branches;

    /* True if any kernel hides terms. */
    bool hides;

    /* By term: whether it is a kink whose argument starts at zero. */
    bool *leaves;

    /* workspace of the builder: all kinks, of which some may not be used */
    ic_series_kink *met;
    size_t n_met;

    /* by term: its value at the start of the phase */
    double *values;

    /* by term: its row */
    int *rows;

    /* by term: the operand that it equals, or -1 */
    int *equals;

    /* by term: the number of terms and results that read it */
    int *uses;

    /* by term: the decided side of its kink, or 0 */
    int *settled;

    /* by term: whether it is */
    bool *constant;

    /* by term: whether a result depends on it */
    bool *used;

    /* by term: whether its value depends on the side of a kink */
    bool *sided;

    /* by state: what of the value of a held state the tape depends on */
    ic_tape_part *parts;

    /* by row, as found: its highest coefficient */
    int *found_tops;

    /* by row: the number of terms that read it */
    int *reads;

    /* by row: the kernel of its cosine, or -1 */
    int *cosines;

    /* by row: its number in the order of `kernels` */
    int *moved;

    /* by row: whether rates depend on it */
    bool *flows;

    /* by row: whether any results and kinks depend on it */
    bool *needed;

    /* by row: whether it depends on states */
    bool *varies;

    /* as found */
    ic_tape_kernel *found;
    ic_tape_entry *found_entries;

    /* greatest number of rows, of terms */
    size_t room, terms;

    /* greatest number of entries */
    size_t room_for_entries;

    /* The memory of all arrays. */
    void *block;
} ic_tape;

enum {
    /* Number of entries for each row. Sums are merged while there is room. */
    IC_TAPE_ENTRIES = 4,

    /* Greatest number of entries of one sum. */
    IC_TAPE_LONGEST = 16,
};

/* Highest coefficient of a row that does not end. */
#define IC_TAPE_ENDLESS (2147483647 / 2)

/** Place the next array of a block of memory, or count its size if there is no block yet. */
void *ic_tape_place(char *block, size_t *used, size_t n, size_t size);

/** Open a tape for any of these equations. false: memory ran out; ic_tape_close releases the rest. */
bool ic_tape_open(ic_tape *s, size_t n_states, const ic_equations *const *equations, size_t n_equations);
void ic_tape_close(ic_tape *s);

/**
 * Build the tape of a phase that begins at (t, x). Kinks take the sides of their arguments, and +1 where an
 * argument is zero. `par` is the same, with the same values, in each call for the same equations. A tape
 * without kinks that would become the same is kept; only the values of its rows are then those of an earlier
 * phase.
 */
void ic_tape_begin(ic_tape *s, const ic_equations *equations, const double *par, double t, const double *x);

/** start(of_0, with_0) of INTEGRAL and INVERSE; that of an angle is on its side of the cut. */
double ic_tape_start(const ic_tape_kernel *k, double of, double with);

/** Change the side of a kink, from now on. */
void ic_tape_turn(ic_tape *s, size_t kink, double t, const double *x);

/** Record that a step has been taken, so that the argument of no kink is at zero any more. */
void ic_tape_leave(ic_tape *s);

/** The kernel that writes a row; NULL: the row is -1, or that of a state, of time, or of zeros. */
static inline const ic_tape_kernel *ic_tape_kernel_of(const ic_tape *s, int row)
{
    const int first = (int)(s->n_rows - s->n_kernels);
    return row < first ? NULL : &s->kernels[row - first];
}

/**
 * The row d of which all powers of the tape are powers of a root, d^(k/root), 1 <= k <= most, and none is whole;
 * if `base` >= 0, that row, if its powers are so. -1: there is none, or there are other powers.
 */
int ic_tape_root_base(const ic_tape *s, int base, int root, int most);

/** Whether a tape for the equations of `s` is the same for the states x and y, apart from kinks. */
bool ic_tape_same_held(const ic_tape *s, const double *x, const double *y);

/** Whether two tapes differ by numbers only. */
bool ic_tape_matches(const ic_tape *a, const ic_tape *b);
