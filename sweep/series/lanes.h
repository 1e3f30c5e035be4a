/* SPDX-License-Identifier: MIT */
/**
 * The method "series": Taylor series of many parameter sets at once, each in a lane of vector registers.
 *
 * A lane is a run of the event loop that the method advances. In a phase its flow and guards are a tape
 * (solvers/series/tape.h). Lanes whose tapes differ by numbers only share a program, and a kernel carries the
 * program out with a vector in place of each number:
 *
 *     coefficients   z(t0 + unit s) = sum_j z_j s^j, j <= p, where unit is the length of the lane's last step
 *     length         h = min_j rtol^(1/p)/||z_j||^(1/j), over the last six terms, and over those before with
 *                    a factor 4^(1/j), ||z_j|| = max_i |z_ji|/(scale_i + |x_i|) over states and guards
 *                    and such that no term is hidden in the step (solvers/series/hidden.h): a lane in which the
 *                    argument of a kernel varies much is examined alone, and its flow compared with the series
 *     events         each guard is the polynomial g(u) = sum_j g_j (h u)^j. In [l, l + w] let |g''| <= B,
 *                    which is its value in the middle and w/2 times a bound of the third derivative. If the
 *                    values at both ends have the same sign, and the lesser exceeds B w^2/8 or they differ
 *                    by more than B w^2/2, there is no zero; if the signs differ and the latter holds, there
 *                    is one, which Halley's iteration locates. Otherwise the interval is halved.
 *
 * Every decision of a lane follows from its own numbers, by operations that are rounded alike with any number
 * of lanes (sweep/vectors.h), so that neither its neighbours nor the processor change its result. What the
 * kernel does not decide (grazing, simultaneous crossings, turns of kinks, the neighbourhood of a branch
 * point) is left to the solver `taylor`, up to the end of the phase. Jumps are those of the event loop.
 *
 * Lanes wait in a queue for each program. A vector takes lanes from the longest queue, and refills itself
 * while there are any.
 *
 * Contacts. A power d^(m/2) of odd m has no series in t where d = 0, but with d = S^2 and dt = unit S ds it
 * is S^m, and
 *
 *     S' = unit d'/2,    t' = unit S,    x' = unit S f,    where d' is the rate of d in t,
 *
 * has series in s at the beginning and at the end of the contact, where S passes through zero. Guards that
 * are a multiple of d are followed as the same multiple of S.
 */
#pragma once

#include "core/event_loop.h"
#include "solvers/series/tape.h"
#include "sweep/parameter_sets.h"

enum { IC_ROOT_RATES = 8, IC_ROOT_GUARDS = 8 };

/** The root S of the quantity d of which a mode takes powers. */
typedef struct ic_lanes_root {
    bool used;

    /* Row of d. */
    int base;

    /* d' in t: the sum of these, and a constant. */
    ic_tape_entry rates[IC_ROOT_RATES];
    int n_rates;
    double constant;

    /* By guard, and by kink: the sign of its ratio to d; 0: it is no multiple of d. */
    int sides[IC_ROOT_GUARDS], kinks[IC_ROOT_GUARDS];
} ic_lanes_root;

/** The structure of phases: what lanes share. */
typedef struct ic_lanes_program {
    /* The tape of one of the lanes; its numbers do not count. */
    ic_tape tape;

    const ic_mode *mode;
    ic_lanes_root root;

    /* p */
    int order;

    double rtol;

    /*
     * How many numbers a lane has: factors of entries, alpha and gamma of kernels, results, factors and
     * constant of d'.
     */
    size_t n_numbers;
} ic_lanes_program;

typedef enum ic_lane_outcome {
    /* The phase is at t_stop, or at the crossing of guard phase->fired. */
    IC_LANE_ARRIVED,

    /* The rest of the phase is left to the solver. */
    IC_LANE_LEFT,

    /* Interrupted within the phase. */
    IC_LANE_WAITS,

    /* Memory ran out. */
    IC_LANE_FAILED,
} ic_lane_outcome;

/** A parameter set in its present phase. */
typedef struct ic_lane {
    ic_phase *phase;

    /* n_numbers of its program. */
    const double *numbers;

    /* Unit of the variable in the last step, in seconds, or in seconds over the unit of S. */
    double unit;

    /* Rounding error of the time at which the last phase ended, if phase->t is that time. */
    double landed, rest;

    ic_lane_outcome outcome;
} ic_lane;

/** The lanes of a program. */
typedef struct ic_lane_queue {
    void *self;

    /* Takes a waiting lane; NULL: there is none. */
    ic_lane *(*take)(void *self);

    /* Handles a lane that the kernel gives back. Returns it if it can go on with this program. */
    ic_lane *(*give)(void *self, ic_lane *lane);

    /* Whether so many lanes should wait, because another queue fills a vector. */
    bool (*yields)(void *self, int n_lanes);
} ic_lane_queue;

/** Follows lanes until none is left, or the queue yields. false: memory ran out. */
typedef bool ic_lanes_follow(const ic_lanes_program *program, const ic_lane_queue *queue);

typedef struct ic_lanes_kernel {
    /* The name of the instruction set, such as "avx2". */
    const char *name;

    int width;
    ic_lanes_follow *follow;

    /* Whether the processor has its instructions. */
    bool (*runs_here)(void);
} ic_lanes_kernel;

extern const ic_lanes_kernel ic_lanes_avx512, ic_lanes_avx2, ic_lanes_plain;

/** Widest first; the last one runs on every processor. */
extern const ic_lanes_kernel *const ic_lanes_kernels[];
extern const size_t ic_lanes_kernel_count;

/** Describes the root of a tape; used = false: there is none, or the powers have no series in it. */
void ic_lanes_root_find(ic_lanes_root *root, const ic_tape *tape);

/** Whether two lanes with matching tapes can share a program. */
bool ic_lanes_root_matches(const ic_lanes_root *a, const ic_tape *of_a, const ic_lanes_root *b,
                           const ic_tape *of_b);

/** The method "series" with a given kernel. */
ic_status ic_parameter_sets_in_lanes(const ic_sweep_plan *plan, const ic_lanes_kernel *kernel,
                                     ic_parameter_set *sets, size_t n_sets);
