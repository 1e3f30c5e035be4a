/* SPDX-License-Identifier: MIT */
/**
 * Piecewise linear lanes, several in each instruction.
 *
 * In a mode z = (x, 1, cos w t, sin w t) follows z' = M z. It is carried from node to node, h
 * apart, by E = e^{Mh}. With |g''| <= B in the part between two nodes, a guard whose values there
 * are p and c has no zero in it if these have one sign and min(|p|, |c|) > B h^2/8 or |c - p| > B
 * h^2/2; with two signs it has just one where the latter holds. B is the greater one of |g''| at
 * both nodes, with h^2/8 times a bound of the fourth derivative on top. What is not that clear is
 * looked at more closely: by Taylor's series about the middle of the part,
 *
 *     z(u) = sum of Z_j u^j,  -1 <= u <= 1,  Z_0 = e^{Mh/2} z,  Z_{j+1} = (M h/2) Z_j/(j + 1),
 *
 * in which guards are polynomials, h being so short that the remainder is below rounding. No
 * eigenvalue is needed, so that resonant, repeated and defective ones are no trouble. The values of
 * guards share nothing with the solver "piecewise_linear".
 *
 * Lanes of one vector are in the same mode or wait; the one that is behind is moved on first. The
 * result of a lane does not depend on the other lanes of its vector: only its own decisions change
 * it.
 *
 * The common path is a guard that crosses alone and well apart from others. Pairs of crossings and
 * touches are decided for one lane at a time, by the search that the solvers use
 * (sweep/batch/close_look.h). If that does not decide either (guards that cross at one instant, a
 * guard that stands on zero undeclared, chains, events that accumulate), the lane leaves.
 */
#ifndef IC_SWEEP_BATCH_BATCH_H
#define IC_SWEEP_BATCH_BATCH_H

#include "sweep/parameter_sets.h"

enum {
    IC_BATCH_STATES = 6,

    /* of z; n + 3 are used */
    IC_BATCH_COLUMNS = IC_BATCH_STATES + 3,

    IC_BATCH_MODES = 6,
    IC_BATCH_GUARDS = 3,
    IC_BATCH_BRANCHES = 2,

    /* of Taylor's series; even */
    IC_BATCH_TERMS = 14,

    /* lanes in a vector */
    IC_BATCH_WIDEST = 8,

    /* place in a bound of what is not a state's */
    IC_BATCH_FORCED = IC_BATCH_STATES,
};

/* ---- what lanes share */

typedef struct ic_batch_branch {
    /* entered */
    int mode;

    /* has a condition; changes the state */
    bool conditional, changes;

    /* by guard of the mode entered: whether it is the one that fired; the zero that it starts at,
       order 0: none declared */
    bool same[IC_BATCH_GUARDS];
    int order[IC_BATCH_GUARDS], side[IC_BATCH_GUARDS];
} ic_batch_branch;

typedef struct ic_batch_guard {
    int direction;
    bool conditional;
    int n_branches;
    ic_batch_branch branches[IC_BATCH_BRANCHES];
} ic_batch_guard;

/** A variant's modes and guards, without numbers. */
typedef struct ic_batch_shape {
    int n_states;
    int n; /* with some that stay zero, up to a number that kernels are made for */
    int n_modes;
    struct {
        bool terminal;
        int n_guards;
        ic_batch_guard guards[IC_BATCH_GUARDS];
    } modes[IC_BATCH_MODES];
} ic_batch_shape;

/** false: not a variant for this engine. */
bool ic_batch_shape_take(ic_batch_shape *shape, const ic_problem *problem);

/* ---- the numbers of a mode */

/**
 * As fields of one type: a number of one lane, or a vector with those of several. Rows are factors
 * of z.
 */
#define IC_BATCH_NUMBERS(number)                                                                                           \
    {                                                                                                                      \
        number h;                                            /* s */                                                       \
        number cos_h, sin_h, cos_half, sin_half, half_angle; /* of w h, w h/2; w h/2 itself */                             \
        number step[IC_BATCH_STATES][IC_BATCH_COLUMNS];      /* e^{Mh} */                                                  \
        number half[IC_BATCH_STATES][IC_BATCH_COLUMNS];      /* e^{Mh/2} */                                                \
        number rate[IC_BATCH_STATES][IC_BATCH_COLUMNS];      /* H = M h/2 */                                               \
        number rate_2[IC_BATCH_STATES][IC_BATCH_COLUMNS];    /* H^2 */                                                     \
        number value[IC_BATCH_GUARDS][IC_BATCH_COLUMNS];                                                                   \
        number slope[IC_BATCH_GUARDS][IC_BATCH_COLUMNS]; /* h times the rate */                                            \
        number bend[IC_BATCH_GUARDS][IC_BATCH_COLUMNS];  /* h^2/8 times the second derivative */                           \
        /* bounds, as factors of the moduli of z: of h^4/64 times the fourth, and for conditions h^2/8 times the second */ \
        number fourth[IC_BATCH_GUARDS][IC_BATCH_STATES + 1];                                                               \
        number condition[IC_BATCH_GUARDS][IC_BATCH_COLUMNS];                                                               \
        number condition_bend[IC_BATCH_GUARDS][IC_BATCH_STATES + 1];                                                       \
        number branch_condition[IC_BATCH_GUARDS][IC_BATCH_BRANCHES][IC_BATCH_COLUMNS];                                     \
        number branch_state[IC_BATCH_GUARDS][IC_BATCH_BRANCHES][IC_BATCH_STATES][IC_BATCH_COLUMNS];                        \
    }

typedef struct ic_batch_numbers IC_BATCH_NUMBERS(double) ic_batch_numbers;

/**
 * The numbers of every mode of a lane's problem; *frequency: of the forcing, rad/s, 0 for none.
 * IC_UNSUPPORTED: not a lane for this engine. `numbers`: shape->n_modes.
 */
ic_status ic_batch_numbers_take(ic_batch_numbers *numbers, double *frequency, const ic_batch_shape *shape,
                                const ic_problem *problem, double period);

/* ---- lanes */

typedef enum ic_batch_outcome { IC_BATCH_RUNNING, IC_BATCH_FINISHED, IC_BATCH_LEFT } ic_batch_outcome;

/** What a kernel does with one lane. */
typedef struct ic_batch_lane {
    /* of each mode */
    const ic_batch_numbers *numbers;

    /* of the forcing: cos(frequency t + phase) within every period, rad/s and rad */
    double frequency, phase;

    /* s */
    double period;

    /* s; events closer than this are one instant */
    double tie;

    /* rows to be filled, at the ends of the periods after `skip`; 0: stop after `skip` */
    size_t n_strobes;

    double *rows;
    unsigned char *modes;
    /* in: at the start; out: at the end */
    double x[IC_BATCH_STATES];
    int mode;
    int side[IC_BATCH_GUARDS], order[IC_BATCH_GUARDS];
    /* out */
    ic_batch_outcome outcome;

    /* how many rows are filled */
    size_t strobes;

    double events;
} ic_batch_lane;

/**
 * Follow at most `width` lanes side by side over `skip` periods and their strobes. *stop: see
 * ic_sweep_plan.
 */
typedef void ic_batch_follow(const ic_batch_shape *shape, ic_batch_lane *lanes, int n_lanes, double skip,
                             const volatile sig_atomic_t *stop);

typedef struct ic_batch_kernel {
    /* of the instructions: "AVX2" */
    const char *name;

    int width;
    ic_batch_follow *follow;
    bool (*runs_here)(void);
} ic_batch_kernel;

extern const ic_batch_kernel ic_batch_avx512, ic_batch_avx2, ic_batch_plain;

/** Widest first; the last one runs everywhere. */
extern const ic_batch_kernel *const ic_batch_kernels[];
extern const size_t ic_batch_kernel_count;

/** The widest that this processor runs. */
const ic_batch_kernel *ic_batch_kernel_here(void);

/** The engine "batch" with a kernel of one's choice. */
ic_status ic_parameter_sets_by_kernel(const ic_sweep_plan *plan, const ic_batch_kernel *kernel,
                                      ic_parameter_set *lanes, size_t n_lanes);

#endif
