/* SPDX-License-Identifier: MIT */
/**
 * The method "batch": solves several parameter sets at once, each in a lane of vector registers.
 *
 * In a mode, z = (x, 1, cos w t, sin w t) satisfies z' = M z. E = e^{Mh} carries z from node to
 * node, h apart. Let |g''| <= B in the part between two nodes, and let p and c be the values of a
 * guard there. If p and c have the same sign, and min(|p|, |c|) > B h^2/8 or |c - p| > B h^2/2, the
 * guard has no zero in the part; if they have different signs and the latter holds, it has exactly
 * one. B is the greater |g''| of the two nodes plus h^2/8 times a bound of the fourth derivative.
 * Parts in which this test does not decide are examined by Taylor's series about their middle,
 *
 *     z(u) = sum of Z_j u^j,  -1 <= u <= 1,  Z_0 = e^{Mh/2} z,  Z_{j+1} = (M h/2) Z_j/(j + 1),
 *
 * which makes guards polynomials; h is so short that the remainder is below rounding. The method
 * needs no eigenvalues, so resonant, repeated and defective ones are no special cases. Guards are
 * evaluated independently of the solver "piecewise_linear".
 *
 * Lanes of a vector advance together if they are in the same mode; the others wait, and the lane
 * with the earliest time determines the mode. The result of a lane depends on its own decisions
 * only, not on the other lanes of its vector.
 *
 * The common path is a single guard that crosses zero well apart from others. Pairs of crossings
 * and touches are decided for one lane at a time, by the search that the solvers use
 * (sweep/batch/lane_search.h). If that does not decide either (guards that cross at the same
 * instant, a guard that fires at the start of a phase or is level at zero there, accumulating events), the
 * lane is dropped, and its parameter set is left to the solver.
 */
#pragma once

#include "sweep/parameter_sets.h"

enum {
    IC_BATCH_STATES = 6,

    /* columns of z, of which n + 3 are used */
    IC_BATCH_COLUMNS = IC_BATCH_STATES + 3,

    IC_BATCH_MODES = 6,
    IC_BATCH_GUARDS = 3,
    IC_BATCH_BRANCHES = 2,

    /* terms of Taylor's series; even */
    IC_BATCH_TERMS = 14,

    /* most lanes in a vector */
    IC_BATCH_WIDEST = 8,

    /* index in a bound of the constant and the forcing */
    IC_BATCH_FORCED = IC_BATCH_STATES,
};

/* ---- what lanes share */

typedef struct ic_batch_branch {
    /* mode after the jump */
    int mode;

    /* whether the branch has a condition */
    bool conditional;

    /* whether it changes the state */
    bool changes;

    /* for each guard of the mode after the jump: whether it has the value function of the guard that fired */
    bool same[IC_BATCH_GUARDS];

    /* whether it is that guard, which its own jump disarms */
    bool own[IC_BATCH_GUARDS];

    /* its declared departure from zero, order 0: none */
    int order[IC_BATCH_GUARDS], side[IC_BATCH_GUARDS];
} ic_batch_branch;

typedef struct ic_batch_guard {
    int direction;
    bool conditional;

    /* the values other than zero at which it fires at the start of a phase */
    ic_onset onset;

    int n_branches;
    ic_batch_branch branches[IC_BATCH_BRANCHES];
} ic_batch_guard;

/** The structure of a variant: modes, guards and branches without their coefficients. */
typedef struct ic_batch_shape {
    int n_states;

    /* n_states rounded up to a number for which kernels are compiled; added states remain zero */
    int n;

    int n_modes;
    struct {
        bool terminal;
        int n_guards;
        ic_batch_guard guards[IC_BATCH_GUARDS];
    } modes[IC_BATCH_MODES];
} ic_batch_shape;

/** Returns false if the method cannot solve the variant. */
bool ic_batch_shape_read(ic_batch_shape *shape, const ic_problem *problem);

/* ---- coefficients of a mode */

/**
 * Fields of one type: `number` is a double (one lane) or a vector (all lanes). Rows are multiplied
 * by z.
 */
#define IC_BATCH_COEFFICIENTS(number)                                                                          \
    {                                                                                                          \
        number h;                                            /* s */                                           \
        number cos_h, sin_h, cos_half, sin_half, half_angle; /* of w h and w h/2; w h/2 */                     \
        number step[IC_BATCH_STATES][IC_BATCH_COLUMNS];      /* e^{Mh} */                                      \
        number half[IC_BATCH_STATES][IC_BATCH_COLUMNS];      /* e^{Mh/2} */                                    \
        number rate[IC_BATCH_STATES][IC_BATCH_COLUMNS];      /* H = M h/2 */                                   \
        number value[IC_BATCH_GUARDS][IC_BATCH_COLUMNS];                                                       \
        number slope[IC_BATCH_GUARDS][IC_BATCH_COLUMNS]; /* h times the rate */                                \
        number bend[IC_BATCH_GUARDS][IC_BATCH_COLUMNS];  /* h^2/8 times the second derivative */               \
        /*
         * bounds, as factors of the moduli of z: of h^4/64 times the fourth, and for conditions
         * h^2/8 times the second
         */                                                                                                     \
        number fourth[IC_BATCH_GUARDS][IC_BATCH_STATES + 1];                                                   \
        number condition[IC_BATCH_GUARDS][IC_BATCH_COLUMNS];                                                   \
        number condition_bend[IC_BATCH_GUARDS][IC_BATCH_STATES + 1];                                           \
        number branch_condition[IC_BATCH_GUARDS][IC_BATCH_BRANCHES][IC_BATCH_COLUMNS];                         \
        number branch_state[IC_BATCH_GUARDS][IC_BATCH_BRANCHES][IC_BATCH_STATES][IC_BATCH_COLUMNS];            \
    }

typedef struct ic_batch_coefficients IC_BATCH_COEFFICIENTS(double) ic_batch_coefficients;

/* lanes whose coefficients are computed side by side */
enum { IC_BATCH_PAIR = 2 };

/** Affine forms of a variant, read once (sweep/batch/lane_forms.h). */
typedef struct ic_batch_forms ic_batch_forms;

/**
 * Computes the coefficients of all modes of IC_BATCH_PAIR problems, and the frequencies of their
 * forcing (rad/s, 0: none). coefficients[lane] has shape->n_modes elements, which are 0 before they
 * are used for the first time; two lanes may be the same one. good[lane]: whether the method can
 * solve the problem.
 */
void ic_batch_coefficients_compute(ic_batch_forms *forms, ic_batch_coefficients *const *coefficients,
                                   double *frequency, bool *good, const ic_problem *const *problems,
                                   const double *periods);

/* ---- lanes */

typedef enum ic_batch_outcome { IC_BATCH_RUNNING, IC_BATCH_FINISHED, IC_BATCH_LEFT } ic_batch_outcome;

/** One lane: the data that a kernel needs and returns. */
typedef struct ic_batch_lane {
    /* one for each mode */
    const ic_batch_coefficients *coefficients;

    /* of the forcing cos(frequency t + phase), with t from the start of each period, rad/s */
    double frequency;

    /* rad */
    double phase;

    /* s */
    double period;

    /* time difference below which events count as simultaneous, s */
    double tie;

    /* rows to fill, one at the end of each period after the first `skip`; 0: stop after these */
    size_t n_strobes;

    double *rows;
    unsigned char *modes;

    /* at the start on entry, at the end on return */
    double x[IC_BATCH_STATES];
    int mode;
    int side[IC_BATCH_GUARDS], order[IC_BATCH_GUARDS];

    /* output */
    ic_batch_outcome outcome;

    /* output: number of filled rows */
    size_t strobes;

    /* output: number of events */
    double events;
} ic_batch_lane;

/**
 * Solves at most `width` lanes together over `skip` periods and their strobes. `stop`: as in
 * ic_sweep_plan.
 */
typedef void ic_batch_follow(const ic_batch_shape *shape, ic_batch_lane *lanes, int n_lanes, double skip,
                             const volatile sig_atomic_t *stop);

typedef struct ic_batch_kernel {
    /* the name of the instruction set, such as "avx2" */
    const char *name;

    int width;
    ic_batch_follow *follow;
    bool (*runs_here)(void);
} ic_batch_kernel;

extern const ic_batch_kernel ic_batch_avx512, ic_batch_avx2, ic_batch_plain;

/** Widest first; the last one runs on every processor. */
extern const ic_batch_kernel *const ic_batch_kernels[];
extern const size_t ic_batch_kernel_count;

/** The method "batch" with a given kernel. */
ic_status ic_parameter_sets_by_kernel(const ic_sweep_plan *plan, const ic_batch_kernel *kernel,
                                      ic_parameter_set *lanes, size_t n_lanes);
