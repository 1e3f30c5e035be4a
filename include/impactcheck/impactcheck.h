/* SPDX-License-Identifier: MIT */
/**
 * Impactcheck: verification and benchmark suite for contact and impact integrators.
 *
 * This is the only public header. It is self-contained C17 and can be included from C++. It defines
 * the model (a hybrid system), the event contract that every solver keeps, and the structs by which
 * cases and solvers, built in or from a plugin, describe themselves.
 *
 *
 * A WORKED EXAMPLE
 *
 * A ball falls from a height of 1 m and rebounds with half of its speed. The program states this
 * case, solves it with the solver dop853, and prints its events.
 *
 *     #include "impactcheck/impactcheck.h"
 *
 *     #include <stdio.h>
 *
 *     enum { G, E }; // parameters
 *     enum { X, V }; // states
 *
 *     static const ic_parameter parameters[] = {
 *         [G] = {"g", "m/s^2", "acceleration of free fall", "9.81", "(0, inf)"},
 *         [E] = {"e", "1", "coefficient of restitution", "1/2", "[0, 1]"},
 *     };
 *     static const ic_state states[] = {
 *         [X] = {"x", "m", "height above the floor", "1"},
 *         [V] = {"v", "m/s", "velocity, upwards", "sqrt(2*g)"},
 *     };
 *
 *     // x' = v, v' = -g
 *     static void fall(double *dxdt, double t, const double *x, const double *par)
 *     {
 *         dxdt[X] = x[V];
 *         dxdt[V] = -par[G];
 *     }
 *     static double height(double t, const double *x, const double *par) { return x[X]; }
 *     static double height_rate(double t, const double *x, const double *par) { return x[V]; }
 *
 *     // v+ = -e v-; returns the index of the branch taken
 *     static int rebound(double *x_post, double t, const double *x_pre, const double *par)
 *     {
 *         x_post[X] = 0;
 *         x_post[V] = -par[E] * x_pre[V];
 *         return 0;
 *     }
 *     static int start(double *x, double t, const double *none, const double *par)
 *     {
 *         x[X] = 1;
 *         x[V] = 0;
 *         return 0;
 *     }
 *
 *     static const ic_branch to_flight[] = {{.mode = 0}};
 *     static const ic_guard guards[] = {{"floor", "m", "the ball meets the floor", .direction = -1,
 *                                        .value = height, .rate = height_rate,
 *                                        .jump = {rebound, to_flight, .n_branches = 1}}};
 *     static const ic_mode modes[] = {
 *         {"flight", "free fall", fall, .guards = guards, .n_guards = IC_COUNT(guards)}};
 *     static const ic_variant variants[] = {
 *         {"newton", "restitution v+ = -e v-", modes, .n_modes = IC_COUNT(modes),
 *          .start = {start, to_flight, .n_branches = 1}}};
 *     static const ic_preset presets[] = {{"drop", "newton", "", "1", "from 1 m, for 1 s"}};
 *
 *     static const ic_case ball = {
 *         IC_ABI(ic_case), .name = "ball", .title = "A ball on a floor", .source = "textbook",
 *         .parameters = parameters, .n_parameters = IC_COUNT(parameters),
 *         .states = states, .n_states = IC_COUNT(states),
 *         .variants = variants, .n_variants = IC_COUNT(variants),
 *         .presets = presets, .n_presets = IC_COUNT(presets),
 *         .time_scale = "sqrt(2/g)"};
 *
 *     int main(void)
 *     {
 *         ic_error error;
 *         const ic_solver *solver = ic_solver_find("dop853");
 *         ic_instance *instance = ic_instance_new(&ball, NULL, &error);
 *         if (instance == NULL) return fprintf(stderr, "%s\n", error.text), 2;
 *         ic_log *log = ic_log_new(ic_instance_problem(instance));
 *         const ic_status status = ic_run(log, solver, NULL);
 *         for (size_t i = 0; i < ic_log_event_count(log); i++) {
 *             const ic_event event = ic_log_event_at(log, i);
 *             printf("%s: t = %.6f s, v+ = %.6f m/s\n", event.name, event.t, event.x_post[V]);
 *         }
 *         printf("%s\n", ic_status_text(status));
 *         ic_log_free(log);
 *         ic_instance_free(instance);
 *         return status == IC_OK ? 0 : 3;
 *     }
 *
 * It prints:
 *
 *     floor: t = 0.451524 s, v+ = 2.214723 m/s
 *     floor: t = 0.903047 s, v+ = 1.107362 m/s
 *     finished
 *
 *
 * THE MODEL
 *
 * A case is a hybrid system. In each mode the state x, a vector of n numbers, follows a smooth
 * field
 *
 *     dx/dt = f(t, x, p).
 *
 * A mode ends when one of its guards g(t, x, p) crosses zero in the guard's direction, or when a
 * time event is due. Then a jump maps the state before to the state after, and selects the next
 * mode:
 *
 *     x_post = J(t, x_pre, p).
 *
 * A mode may also have invariants: functions of the state that stay zero or keep one sign as long
 * as the mode lasts. The memory of a contact (a compression, an impact speed) is a state, and
 * is set by jumps.
 *
 *
 * THE LINEAR VIEW
 *
 * If f, g and J are affine in x, with forcing at one frequency, a case also gives them as text,
 * one expression for each component, in the symbols of the paper:
 *
 *     "-(k*x2 + c*v2 + F_w*sin(omega*t + phase))/m2"
 *
 * From this text the analytic solver derives A, b, c and w of dx/dt = A x + b + Re(c exp(i w t)) in
 * double precision. The certifier derives enclosures of the same quantities in ball arithmetic,
 * with exact parameters and with separate code. A test compares the text with the C functions.
 *
 * Expressions consist of numbers (2, 0.1, 5.06e5; all exact), pi, parameters, states, t, the
 * operators + - * / ^ with an integer power, parentheses, and the functions sqrt, cbrt, exp, log,
 * sin, cos, tan, asin, acos, atan, atan2, sinh, cosh, tanh, abs, sign, min, max and step (1 for
 * arguments >= 0, else 0). A number before a name or a parenthesis multiplies: 80pi is 80*pi, 2x^2
 * is 2*(x^2), and 1/2pi is refused as ambiguous. A state hides a parameter of the same name. States
 * may only be added, and multiplied or divided by constants; t may only occur inside sin and cos,
 * where its factor is the frequency. All other functions take constants only.
 *
 *
 * THE EVENT CONTRACT
 *
 * The clauses hold for every solver that is built on the common event loop; each clause has a test.
 * Two kinds of solvers do not keep all of them: a solver with `steps_over_events` is outside the
 * contract, and a solver whose root finding belongs to another package lists the clauses that it
 * does not keep in `clauses_not_kept`; its file gives the reasons. The examples use the ball above.
 *
 *  1. Direction. A guard with direction -1 fires when its value passes from positive to negative, a
 *     guard with direction +1 when it passes from negative to positive, a guard with direction 0 in
 *     both cases. A crossing in another direction is not an event. A guard with an `enabled`
 *     function fires only if that function is positive at the crossing; otherwise the crossing has
 *     no effect.
 *     Example: "floor" fires when the ball lands. It does not fire when a ball that is thrown from
 *     below the floor rises through it.
 *  2. Guard zero at the start. If a guard is exactly zero when a phase starts, its rate decides. If
 *     the rate has the guard's direction, the guard fires at once. If the rate has the opposite
 *     sign, the guard counts as being on the side to which it moves. If the rate is zero too,
 *     the side to which the guard then moves decides: if that is its firing side, it fires at the
 *     start. A guard with direction 0 does not fire then, because it has crossed nothing.
 *     Example: a ball that is placed on the floor has x = 0 and v = 0. Gravity makes x negative:
 *     "floor" fires at t_start.
 *     A guard may have a weaker condition (`ic_onset`). IC_ONSET_NEAR: a value that cannot be
 *     distinguished from zero because of rounding counts as zero; a guard whose rate at its zero
 *     cannot be distinguished from zero is at the limit of its firings (clause 6), as is one that
 *     would return to its zero within the resolution of time; and a guard that its own jump has
 *     turned back fires again if a later jump of the instant turns it again.
 *     IC_ONSET_LEVEL: the last rule holds here too, and a guard that is on its firing side when a
 *     phase starts fires at once if it is enabled and has not just fired; others wait for a return.
 *     Example: a body rests on a floor until a switched magnet pulls it up. The force of the floor
 *     does not pass through zero but jumps to a negative value. Its guard "leaves" has
 *     IC_ONSET_LEVEL.
 *  3. Disarming. After its own jump a guard is disarmed until it has left zero: the zero on which
 *     it stands is not found again, whichever side the guard leaves to. A branch of a jump may also
 *     declare that another guard of the next mode starts at a zero of known order, and to which
 *     side that guard departs (`ic_departure`); this zero is not found either, even if rounding has
 *     shifted it. Two guards with the same value function stand on the same zero. After one of them
 *     has fired, clause 2 applies to the other. If the other then fires towards the other side,
 *     clause 2 applies to the first again. A guard that remains at zero does not fire again when a
 *     guard with another function fires and a new phase starts.
 *     Example: after the rebound the ball is at x = 0 with v > 0. Rounding may have left x at
 *     -1e-17; "floor" does not fire again.
 *  4. Simultaneity. Guards whose crossings a solver cannot separate in time fire in table
 *     order. Each event gets a sequence number, 0 for the first at its instant. After each jump, a
 *     guard that has not fired yet fires only if the next mode has it too (a guard of the same name
 *     and value function) and if the jump neither moved it off zero nor turned it back.
 *     Example: a ball reaches the floor and a wall at one instant. "floor", the first in the table,
 *     has sequence 0. "wall" has sequence 1: the rebound did not change the distance to the wall.
 *  5. Chains. A jump may lead to a state where another guard is due at once. A chain of more than
 *     IC_CHAIN_MAX jumps at one instant stops the run with IC_CHAIN.
 *     Example: two modes of a controller, each of which switches to the other at once.
 *  6. Accumulation (Zeno). When the intervals between firings of one guard, or of up to eight guards
 *     that fire in turn, shrink geometrically and the remainder of their sum is below the resolution
 *     of time, the limit is reached. If the guard that fires has an `accumulation` jump, it is applied
 *     at the extrapolated limit and logged as an accumulation event; otherwise the run stops with
 *     IC_ZENO, the time, and the last state.
 *     Guards with IC_ONSET_NEAR and an `accumulation` jump that turn each other again and again at one
 *     instant are at their limit when the rates at which they fire shrink geometrically.
 *     Example: each flight of the ball takes half as long as the one before. "floor" has no
 *     `accumulation` jump, so that a run to 2 s stops with IC_ZENO at t = 1.354571 s.
 *  7. Two crossings inside one step. A solver must not lose a pair of crossings that its own step
 *     shows. The file of each solver states the bound that it uses: rk45_bisection and dop853 find
 *     every root of the guard along the interpolant; rk4_henon finds the roots of the cubic through
 *     values and rates at both ends of a step; piecewise_linear finds every crossing, by a bound on
 *     the guard's second derivative; taylor finds every sign change of the guard's polynomial, by a
 *     bound on its third derivative.
 *     Example: a ball under water rises through the surface and falls back within one step. The
 *     guard "surface" is negative at both ends of the step; both crossings are found.
 *  8. Grazing. A zero of even order is neither a crossing nor an event. If a solver cannot
 *     distinguish a touch from a pair of crossings, it continues as for a touch and logs a note.
 *     Example: a ball thrown upwards just touches the ceiling at the apex of its flight. There is
 *     no event; there may be a note IC_NOTE_GRAZING.
 *  9. Time events are due at given times, are reached exactly, and precede guards at the same
 *     instant.
 *     Example: a hammer strikes at t = 0.5 s. If the ball lands at the same instant, "strike" is
 *     logged first.
 * 10. Values that are not finite. If a flow, guard or jump returns such a value, the run stops with
 *     IC_NOT_FINITE.
 *     Example: a flow with sqrt(x) when x becomes negative.
 * 11. Terminal modes. A run that enters a mode marked `terminal` is over. It ends in the state just
 *     after that jump, at that time, before t_end.
 *     Example: an oblique impact of a bar is over at lift-off, whose mode is terminal.
 *
 * A run may have events in addition to those of its case (`ic_event_set`), and this set may change
 * during the run: observers, which are guards in every mode, and time events. A handler takes the
 * place of the jump. The clauses above apply to these events, and so do the following:
 *
 * 12. Order. At one instant time events come first, those of the case before those of the set; then
 *     the guards of the mode in table order; then observers in the order in which they were made.
 *     Disarming and arming an event does not change its place.
 *     Example: a timer is due when the ball lands. It has sequence 0, "floor" has sequence 1.
 * 13. Change. An event that a handler makes or arms is watched from that instant on. If it stands
 *     on a zero, clause 2 applies; if it has fired on this zero at this instant, clause 3 applies.
 *     An event that is disarmed or removed does not fire any more, not even at that instant.
 *     Example: the handler of a timer removes an observer that is due at the same instant. The
 *     observer does not fire.
 * 14. Observation. A handler that leaves state and mode unchanged affects only the log, the steps
 *     and the set. It affects neither the disarming of other guards (3) nor
 *     the intervals of an accumulation (6).
 *     Example: an observer counts the apexes of the flights. The run still stops with IC_ZENO.
 * 15. Chains (5) count jumps that follow from one another. All events that are due at an instant
 *     before its first jump count as one link.
 *     Example: forty timers are due at once. They are one link, not a chain of forty.
 *
 *
 * PLANAR IMPACT
 *
 * Two rigid bodies touch in one point; x is the tangent, y the normal. During the impact positions
 * do not change, and the relative velocity v of the points in contact depends on the impulse P:
 *
 *     v = v(0) + W P,     |F_x| <= mu F_y,     F_y >= 0.
 *
 * W is the inverse mass matrix at the contact, symmetric and positive definite. A rigid impact map
 * (`ic_impact_map`) determines the end of the impact by a hypothesis. A case with an impact view
 * (`ic_case.impact`) states the impact, so that solvers made only for impacts can solve it.
 */
#ifndef IMPACTCHECK_H
#define IMPACTCHECK_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Version of the structs in this header. A plugin carries the number with which it was compiled.
 */
#define IC_ABI_VERSION 14u

/**
 * The first two fields of every struct that carries its version. C++ before 2020 has no designated
 * initializers: write IC_ABI_VERSION, sizeof(type).
 */
#define IC_ABI(type) .abi_version = IC_ABI_VERSION, .struct_size = sizeof(type)

/** Number of elements of an array. */
#define IC_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Longest chain of jumps at one instant (contract, clause 5). */
#define IC_CHAIN_MAX 32

/** Greatest number of states of a case. */
#define IC_MAX_STATES 128

/** Next mode of a branch that does not change the mode. */
#define IC_SAME_MODE (-1)

/**
 * Returned by `start` if no start is possible with these parameters; the run ends with IC_INVALID.
 */
#define IC_NO_START (-1)

/* --------------------------------------------------------------------------------------- status */

/** Every status with its text: X(NAME, TEXT). */
#define IC_STATUS_TABLE(X)                                                                                     \
    X(IC_OK, "finished")                                                                                       \
    X(IC_INVALID, "the request or the input is wrong")                                                         \
    X(IC_NO_MEMORY, "memory ran out")                                                                          \
    X(IC_UNSUPPORTED, "the solver does not solve problems of this kind")                                       \
    X(IC_NOT_FINITE, "a flow, guard or jump returned a value that is not finite")                              \
    X(IC_STEP_TOO_SMALL, "the step fell below the resolution of time")                                         \
    X(IC_TOO_MUCH_WORK, "the limit on steps or events was reached")                                            \
    X(IC_ROOT_LOST, "a crossing was seen but could not be located")                                            \
    X(IC_CHAIN, "a chain of jumps at one instant does not settle")                                             \
    X(IC_ZENO, "events accumulate: infinitely many before a finite time")                                      \
    X(IC_UNDECIDED, "undecided: the precision allowed is too low to prove what happens")                       \
    X(IC_IO, "a file could not be read or written")                                                            \
    X(IC_CONTRADICTED, "the answer contradicts the text of the case, a fault of impactcheck: please report it")

/** Outcome of a call or a run. */
typedef enum ic_status {
#define IC_STATUS_NAME(name, text) name,
    IC_STATUS_TABLE(IC_STATUS_NAME)
#undef IC_STATUS_NAME
} ic_status;

/** Text of a status, for people. Never NULL. */
const char *ic_status_text(ic_status status);

/** Name of a status, for programs: "ok", "zeno", ... Never NULL. */
const char *ic_status_name(ic_status status);

/* ----------------------------------------------------------------------- a case: its quantities */

/** A parameter of a case. `par[i]` in every function below is the value of parameter i. */
typedef struct ic_parameter {
    /* Symbol in ASCII: "F_w". */
    const char *name;

    /* SI unit: "N"; "1" if dimensionless. */
    const char *unit;

    /* Meaning, in one line. */
    const char *meaning;

    /*
     * Default value, exact: "80pi", "3/2", "5.06e5"; or an expression in the parameters before it.
     */
    const char *value;

    /* Permitted values: "(0, inf)", "[0, 1]", or a set: "{0, 1}". */
    const char *range;
} ic_parameter;

/** A condition on several parameters. */
typedef struct ic_requirement {
    /* Expression in parameters that must be > 0: "C_xx*C_yy - C_xy^2". */
    const char *positive;

    /* Meaning of the condition: "the inverse mass matrix must be positive definite". */
    const char *meaning;
} ic_requirement;

/** A component of the state vector. */
typedef struct ic_state {
    /* Symbol: "x2". */
    const char *name;

    /* SI unit: "m". */
    const char *unit;

    /* Meaning, in one line. */
    const char *meaning;

    /* Typical magnitude, an expression in parameters. If it is 0, 1 is used. */
    const char *scale;
} ic_state;

/** A quantity computed from time and state. */
typedef struct ic_output {
    /* Name: "contact_force". */
    const char *name;

    /* SI unit: "N". */
    const char *unit;

    /* Meaning, in one line. */
    const char *meaning;

    /* Value in mode number `mode`; NAN if the quantity does not exist. */
    double (*value)(double t, const double *x, int mode, const double *par);

    /*
     * The same as expressions, one for each mode number, with NULL in modes without one. NULL if no
     * mode has one.
     */
    const char *const *linear;
} ic_output;

/* --------------------------------------------------------------------------- a case: its sketch */

/** What a shape shows, and its coordinates. Angles are in rad, counterclockwise. */
typedef enum ic_shape_kind {
    /* Ground or a wall, hatched on the right-hand side of the way: from x, y to x, y. */
    IC_SHAPE_GROUND,

    /* A round body: centre x, y; radius; angle of a mark on it. */
    IC_SHAPE_BALL,

    /* A rectangular body: centre x, y; width, height; angle. */
    IC_SHAPE_BOX,

    /* From x, y to x, y: a spring, a dashpot, a thick line, a thin line, an arrow. */
    IC_SHAPE_SPRING,
    IC_SHAPE_DAMPER,
    IC_SHAPE_ROD,
    IC_SHAPE_LINE,
    IC_SHAPE_ARROW,

    /* A fixed joint: x, y. */
    IC_SHAPE_PIVOT,

    /* A point: x, y. */
    IC_SHAPE_DOT,

    /* A belt that carries from x, y to x, y, with its rollers on the right-hand side of the way. */
    IC_SHAPE_BELT,

    /* A text with its centre at x, y. */
    IC_SHAPE_TEXT,
} ic_shape_kind;

/** A shape of the sketch of a machine. */
typedef struct ic_shape {
    /* What it shows. */
    ic_shape_kind kind;

    /* Label, or the text of IC_SHAPE_TEXT: "m_1". "": none. */
    const char *label;

    /* IC_SHAPE_LINE: whether the line is dashed. */
    bool dashed;

    /* IC_SHAPE_BALL: whether the mark that shows the angle is drawn. */
    bool marked;

    /* Index of its first coordinate. */
    size_t first;
} ic_shape;

/* -------------------------------------------------------------------- a case: equations as operations */

/** All operations: X(NAME, number of operands, name as a function in formulas, or ""). */
#define IC_OPERATION_TABLE(X)                                                                                  \
    X(NUMBER, 0, "")                                                                                           \
    X(PI, 0, "")                                                                                               \
    X(TIME, 0, "")                                                                                             \
    X(STATE, 0, "")                                                                                            \
    X(PARAMETER, 0, "")                                                                                        \
    X(INPUT, 0, "")                                                                                            \
    X(ADD, 2, "")                                                                                              \
    X(SUBTRACT, 2, "")                                                                                         \
    X(MULTIPLY, 2, "")                                                                                         \
    X(DIVIDE, 2, "")                                                                                           \
    X(NEGATE, 1, "")                                                                                           \
    X(POWER, 2, "")                                                                                            \
    X(SQRT, 1, "sqrt")                                                                                         \
    X(CBRT, 1, "cbrt")                                                                                         \
    X(EXP, 1, "exp")                                                                                           \
    X(LOG, 1, "log")                                                                                           \
    X(SIN, 1, "sin")                                                                                           \
    X(COS, 1, "cos")                                                                                           \
    X(TAN, 1, "tan")                                                                                           \
    X(ASIN, 1, "asin")                                                                                         \
    X(ACOS, 1, "acos")                                                                                         \
    X(ATAN, 1, "atan")                                                                                         \
    X(ATAN2, 2, "atan2")                                                                                       \
    X(SINH, 1, "sinh")                                                                                         \
    X(COSH, 1, "cosh")                                                                                         \
    X(TANH, 1, "tanh")                                                                                         \
    X(ABS, 1, "abs")                                                                                           \
    X(SIGN, 1, "sign")                                                                                         \
    X(MIN, 2, "min")                                                                                           \
    X(MAX, 2, "max")                                                                                           \
    X(STEP, 1, "step")                                                                                         \
    X(CHOOSE, 3, "")                                                                                           \
    X(PAIR, 2, "")                                                                                             \
    X(CALL, 3, "")                                                                                             \
    X(CONSTANT, 0, "")                                                                                         \
    X(PRODUCT, 0, "")                                                                                          \
    X(DAMPING, 1, "")

/**
 * An operation on operands a, b, c. POWER: a to the power b, where b does not depend on time or
 * state. SIGN: -1, 0, 1. STEP: 1 for a >= 0, else 0. CHOOSE: b if a > 0, else c. DAMPING:
 * the factor x > 0 with (1 + x)/(1 - x a) = exp(x (1 + a)), 0 for a = 1, by which a free impact on
 * the force f(d) (1 + x v/v0) has the restitution a; it occurs in the equations of jumps only. INPUT
 * and the other operations after CHOOSE in the table do not occur in equations.
 */
typedef enum ic_operation {
#define IC_OPERATION_NAME(name, operands, word) IC_OP_##name,
    IC_OPERATION_TABLE(IC_OPERATION_NAME)
#undef IC_OPERATION_NAME
} ic_operation;

/** An operation on the values of earlier terms. */
typedef struct ic_equation_term {
    /* The operation. */
    ic_operation operation;

    /*
     * Indices of the terms that are its operands; -1 for missing ones. STATE, PARAMETER: a is the
     * index.
     */
    int a, b, c;

    /* NUMBER: its value, rounded. */
    double number;
} ic_equation_term;

/** Formulas as a sequence of operations. */
typedef struct ic_equations {
    /* Operations. */
    const ic_equation_term *terms;

    /* Number of operations. */
    size_t n_terms;

    /* Indices of the terms whose values are the results. */
    const int *results;

    /* Number of results. */
    size_t n_results;

    /*
     * By term: the exact value of a NUMBER as text, NULL where `number` is exact. A text with a name
     * after its digits stands for the absolute value of that number of a built-in table:
     * "1.8751040687119611 cantilever_lambda(1)". NULL: not given.
     */
    const char *const *texts;
} ic_equations;

/* --------------------------------------------------------------------- a case: modes and events */

/** States that a guard of the mode entered starts at a zero of known order. */
typedef struct ic_departure {
    /* Index in the table of guards of the mode entered. */
    int guard;

    /* Order of the zero: 1, 2 or 3. */
    int order;

    /* Sign of the guard just after the jump: -1 or +1. */
    int side;
} ic_departure;

/** One of the possible outcomes of a jump. */
typedef struct ic_branch {
    /* Next mode, or IC_SAME_MODE. */
    int mode;

    /*
     * Condition, or several joined by " and ": the first branch whose conditions are all positive
     * is taken. NULL: always true.
     */
    const char *condition;

    /* State after the jump: n expressions in the state before it. NULL: unchanged. */
    const char *const *state;

    /* Guards of the next mode that start at a zero; may be NULL. */
    const ic_departure *departures;

    /* Number of departures. */
    size_t n_departures;
} ic_branch;

/** Map from the state before an event to the state after it. */
typedef struct ic_jump {
    /* Fills x_post and returns the index of the branch taken. x_post and x_pre do not overlap. */
    int (*apply)(double *x_post, double t, const double *x_pre, const double *par);

    /* Possible outcomes: `apply` returns an index of this table. */
    const ic_branch *branches;

    /* Number of branches, at least 1. */
    size_t n_branches;

    /* True if conditions and states of the branches describe `apply` completely. */
    bool linear;

    /*
     * For each branch its condition (result -1: none), followed by the state after it (n results),
     * as operations. Cases give them for certification only (ic_casefile_exact). NULL: not given.
     */
    const ic_equations *equations;
} ic_jump;

/** Initializer of a jump whose table of branches (an array) describes `apply_` completely. */
#define IC_LINEAR_JUMP(apply_, table_)                                                                         \
    {                                                                                                          \
        .apply = (apply_), .branches = (table_), .n_branches = IC_COUNT(table_), .linear = true                \
    }

/** Fields of a branch: guard `guard_` of the mode entered starts at a zero of order `order_`. */
#define IC_DEPARTS(guard_, order_, side_)                                                                      \
    .departures = &(const ic_departure){guard_, order_, side_}, .n_departures = 1

/** Values at which a guard fires at the start of a phase: contract, clause 2. */
typedef enum ic_onset {
    /* At a zero that it leaves in its direction. */
    IC_ONSET_ZERO,

    /* Also at a value that cannot be distinguished from zero because of rounding. */
    IC_ONSET_NEAR,

    /* Also at any value on its firing side. */
    IC_ONSET_LEVEL
} ic_onset;

/** A function whose crossing of zero ends a mode. */
typedef struct ic_guard {
    /* Name in the log: "touch-down". */
    const char *name;

    /* SI unit of the value. */
    const char *unit;

    /* Meaning, in one line. */
    const char *meaning;

    /* -1, +1 or 0: contract, clause 1. */
    int direction;

    /*
     * Values other than zero at which the guard fires at the start of a phase: contract, clause 2.
     */
    ic_onset onset;

    /* The guard function g. */
    double (*value)(double t, const double *x, const double *par);

    /* dg/dt along the flow of the mode. */
    double (*rate)(double t, const double *x, const double *par);

    /* The guard fires only if this is > 0. NULL: always. */
    double (*enabled)(double t, const double *x, const double *par);

    /* True if only events change the value of `enabled`. */
    bool enabled_lasts;

    /* g as an expression, or NULL. */
    const char *linear;

    /* `enabled` as an expression, or NULL. */
    const char *linear_enabled;

    /* Jump applied when the guard fires. */
    ic_jump jump;

    /*
     * Jump applied at the limit of infinitely many firings. If .apply is NULL, the run ends with
     * IC_ZENO.
     */
    ic_jump accumulation;
} ic_guard;

/**
 * A property that the state keeps while a mode lasts, in addition to the signs of the mode's
 * guards: an equation that the flow preserves and every jump into the mode establishes ("the masses
 * move together": u3 - u1 = 0, v3 - v1 = 0), or the sign of a value.
 */
typedef struct ic_invariant {
    /* Name: "gap". */
    const char *name;

    /* SI unit of the value. */
    const char *unit;

    /* Meaning, in one line. */
    const char *meaning;

    /* 0: the value stays 0. +1: it is never negative. -1: it is never positive. */
    int side;

    /* Value, a function of the state. */
    double (*value)(double t, const double *x, const double *par);

    /* The same as an expression, or NULL. */
    const char *linear;
} ic_invariant;

/** A smooth vector field with the guards that end it. */
typedef struct ic_mode {
    /* Name: "contact". */
    const char *name;

    /* Meaning, in one line. */
    const char *meaning;

    /* Fills dx/dt, n numbers. */
    void (*flow)(double *dxdt, double t, const double *x, const double *par);

    /* n expressions for dx/dt. NULL: the mode has no linear view. */
    const char *const *linear;

    /* Guards, in the order in which simultaneous ones fire. */
    const ic_guard *guards;

    /* Number of guards. */
    size_t n_guards;

    /* True if the run is over when this mode is entered. */
    bool terminal;

    /* Invariants of the state in this mode; may be NULL. */
    const ic_invariant *invariants;

    /* Number of invariants. */
    size_t n_invariants;

    /*
     * Energy balance: d(stored)/dt = supplied - dissipated along the flow. All three functions are
     * given, or none (NULL).
     */

    /* Stored energy, J. */
    double (*stored_energy)(double t, const double *x, const double *par);

    /* Power supplied by drives and forcing, W. */
    double (*supplied_power)(double t, const double *x, const double *par);

    /* Dissipated power, W; >= 0 if physical. */
    double (*dissipated_power)(double t, const double *x, const double *par);

    /*
     * The flow (n results), followed by the value of each guard, as operations. They equal the
     * functions. NULL: not given.
     */
    const ic_equations *equations;

    /*
     * Further quantities as operations, -1 for results that do not exist: `enabled` of each guard,
     * stored energy, supplied and dissipated power, and each output. Cases give them for
     * certification only. NULL: not given.
     */
    const ic_equations *quantities;
} ic_mode;

/** An event at given times, whatever the state. */
typedef struct ic_time_event {
    /* Name in the log: "strike". */
    const char *name;

    /* Meaning, in one line. */
    const char *meaning;

    /*
     * Time of occurrence n = 0, 1, ..., s, increasing with n. INFINITY: there is no such
     * occurrence.
     */
    double (*when)(int n, const double *par);

    /* The same as an expression in parameters and n, or NULL. */
    const char *linear;

    /* Number of occurrences, if `linear` is given. 0: without end. */
    int occurrences;

    /* Jump applied at these times. */
    ic_jump jump;
} ic_time_event;

/* --------------------------------------------------------------------------- contact-force laws */

/**
 * Transition condition: when a contact begins and ends, for an indentation d and the law's force F.
 * See Jonsson, Bathelt & Broman 2005, section 2.
 */
typedef enum ic_condition {
    /* In contact while d > 0, whatever the force: it may pull. */
    IC_CONDITION_A,

    /* In contact while F > 0, whatever d is: contact begins above the surface. */
    IC_CONDITION_B,

    /* In contact from d = 0 until F = 0; then d has to pass 0 again. */
    IC_CONDITION_C,

    /* In contact while d > 0 and F > 0: the force is max(0, F) below the surface. */
    IC_CONDITION_C_STAR,

    /* As C, with d measured from a surface that recovers after separation. */
    IC_CONDITION_D,
} ic_condition;

/**
 * Promises of a law about its force in a contact that begins at d = 0 with the speed v0. They hold
 * for all parameter values that the ranges and the requirements allow, all v0 > 0, and any mass.
 */
enum {
    /* The force begins at 0. */
    IC_LAW_CONTINUOUS_ONSET = 1u << 0,

    /* The force never pulls during a free impact. */
    IC_LAW_NO_TENSION = 1u << 1,

    /* The contact never creates energy. */
    IC_LAW_ONLY_LOSES = 1u << 2,
};

/**
 * Force of a normal contact as a function of an indentation d, its rate v = d', and a memory: one
 * number that the law derives from the speed v0 > 0 at which the contact began. No published law needs
 * more than one number. par[i] is the value of parameter i of the law.
 *
 * The force depends on its arguments alone (a history is in the memory, see `update`) and is continuous in d > 0 and v: at a fixed d it does
 * not jump where v changes its sign. It is also evaluated at d <= 0, where it returns 0, with two
 * exceptions: laws with condition B, and laws that leave the decision about contact to the
 * condition, as linear springs with dashpots do. The caller begins and ends the contact by
 * `condition`: under C_STAR it ends where F = 0, so that a law may limit its force to max(0, F) or not.
 *
 * Only `name`, `title`, `source`, `condition` and `force` are required, and for cases also `force_rate`; an audit does
 * without the others, and states what it could not test.
 */
typedef struct ic_law {
    /* IC_ABI_VERSION. */
    unsigned abi_version;

    /* sizeof(ic_law). */
    size_t struct_size;

    /* Name: "hunt-crossley". */
    const char *name;

    /* The formula, in one line. */
    const char *title;

    /* Authors and year. */
    const char *source;

    /* Publication from which the formula was taken, if it is not the source itself; or NULL. */
    const char *basis;

    /* Parameters, in the order of `par`. */
    const ic_parameter *parameters;

    /* Number of parameters. */
    size_t n_parameters;

    /* Conditions on the parameters and v0; may be NULL. */
    const ic_requirement *requirements;

    /* Number of requirements. */
    size_t n_requirements;

    /* Promises: IC_LAW_... */
    unsigned promises;

    /* Condition under which the law is meant to act. */
    ic_condition condition;

    /*
     * Memory of a contact that begins at the speed v0, m/s. NULL: the law has no memory and
     * receives 0.
     */
    double (*remember)(double v0, const double *par);

    /* Unit of the memory: "s/m". NULL without a memory. */
    const char *memory_unit;

    /*
     * For laws whose force depends on the history of a contact, such as its greatest depth (Walton and Braun's): the
     * memory after the state d, v, from the memory before it. A contact begins with the answer of `remember`, or with 0.
     * The caller notes each state that it accepts, in order of time, and keeps the answer until the contact ends; the
     * law keeps nothing. So that the caller's steps do not matter, a state has the same force before and after it is
     * noted, and nothing changes if it is noted twice, or if states between two others of rising or falling depth are
     * left out. NULL: the memory stays as it begins. Only for audits: the laws of cases have none.
     */
    double (*update)(double memory, double d, double v, const double *par);

    /* Force, N, positive if it repels; d in m, v in m/s. */
    double (*force)(double d, double v, double memory, const double *par);

    /* d force/dt, N/s, if d'' = acceleration, m/s^2. NULL: only for audits. */
    double (*force_rate)(double d, double v, double acceleration, double memory, const double *par);

    /*
     * Elastic energy stored at d, J: the integral of force(d, 0, memory). NULL: not known, as that of a law with
     * `update`, which depends on the memory.
     */
    double (*stored_energy)(double d, const double *par);

    /*
     * A function with the sign of d force/dt during a free impact of the mass m, kg, that is smooth
     * at the onset. NULL: d force/dt itself serves.
     */
    double (*rising)(double d, double v, double m, double memory, const double *par);

    /* Rate of `rising` along that impact. Both functions are given, or none. */
    double (*rising_rate)(double d, double v, double m, double memory, const double *par);

    /*
     * A function with the sign of the force for d > 0 that is smooth at the surface. NULL: the
     * force itself serves.
     */
    double (*pushing)(double d, double v, double memory, const double *par);

    /* Rate of `pushing`, with the arguments of `force_rate`. Both functions are given, or none. */
    double (*pushing_rate)(double d, double v, double acceleration, double memory, const double *par);

    /* Indentation at which the force is not smooth at the rate v, m. NULL: there is none. */
    double (*kink)(double v, const double *par);

    /* d kink/dt, m/s, if v' = acceleration, m/s^2. NULL: the kink does not depend on v. */
    double (*kink_rate)(double v, double acceleration, const double *par);

    /* Indentation at which contact begins, m. NULL: 0. */
    double (*reach)(double v, const double *par);

    /*
     * The law in closed form, if it has one: F = f(d) (1 + a v/v0) or F = f(d) + c v, as
     * expressions in the parameters and v0 (elastic and energy: also in d). NULL: not of that form.
     */

    /* f = K d^n: K, N/m^n, and n. */
    const char *stiffness, *power;

    /* Any other f, N, and its integral, J. */
    const char *elastic, *energy;

    /* The factor a. */
    const char *damping;

    /*
     * Instead of a: the coefficient of restitution that a is chosen to give. Laws of another form may state theirs, too:
     * that of a free impact of the mass that is their parameter with the unit kg, or of any mass if they have none.
     */
    const char *restitution;

    /* The coefficient c, N s/m. */
    const char *dashpot;

    /*
     * The functions force, pushing, rising and kink as formulas of case files in d, v, m, memory and
     * the parameters. NULL: they follow from the closed form, or are not known as text.
     */
    const char *force_text, *pushing_text, *rising_text, *kink_text;

    /*
     * The law that an audit compares it with: the name of a registered one ("hunt-crossley"), or "own": none. NULL: the
     * law of its name; if no registered law has that name, the one that it is found to be.
     */
    const char *implements;
} ic_law;

/** Default of a law's parameter in a case: an expression in the parameters of the case. */
typedef struct ic_law_default {
    /* Name of the law's parameter: "e". */
    const char *name;

    /* Value: "c_r". */
    const char *value;
} ic_law_default;

/**
 * States that a variant is a single free impact on its law: its certified answers are those of the
 * law.
 */
typedef struct ic_free_impact {
    /* Names of the parameters for mass, kg, and speed of impact, m/s. */
    const char *mass, *speed;

    /* Name of the output whose final value is the coefficient of restitution. */
    const char *restitution;

    /* Name of the output for the peak force, N. */
    const char *peak_force;

    /* Name of the output for the peak indentation, m. */
    const char *peak_indentation;

    /* Name of the output for the duration of the contact, s. */
    const char *duration;
} ic_free_impact;

/**
 * A rigid stop, as time stepping uses it. Functions of (t, x, par) are as in ic_mode.flow and ic_guard.value;
 * vectors have n_states numbers.
 */
typedef struct ic_stop {
    /* Name of the guard that fires where the stop is hit. */
    const char *name;

    /* Distance g; the bodies do not overlap where g >= 0. */
    double (*gap)(double t, const double *x, const double *par);

    /* Rate of the distance, w = dg/dt. */
    double (*velocity)(double t, const double *x, const double *par);

    /* dw/dx. Its elements for velocities are those of dg/dx for positions. */
    void (*gradient)(double *gradient, double t, const double *x, const double *par);

    /* Change of the state by an impulse of 1 of the stop: inverse mass matrix times direction. */
    void (*push)(double *push, double t, const double *x, const double *par);

    /* Newton's coefficient of restitution, in [0, 1]. */
    double (*restitution)(double t, const double *x, const double *par);

    /* Index of the discrete state that is 1 while the bodies are pressed together, otherwise 0. -1: none. */
    int state;
} ic_stop;

/** Dry friction, in the same form. */
typedef struct ic_friction {
    /* Name of the element. */
    const char *name;

    /* The slip w. */
    double (*slip)(double t, const double *x, const double *par);

    /* dw/dx. */
    void (*gradient)(double *gradient, double t, const double *x, const double *par);

    /* Change of the state by an impulse of 1 of the friction force. */
    void (*push)(double *push, double t, const double *x, const double *par);

    /* Friction force where bodies slip. */
    double (*kinetic)(double t, const double *x, const double *par);

    /* Greatest friction force where bodies stick. */
    double (*sticking)(double t, const double *x, const double *par);

    /* Index of the discrete state that is the sign of the slip, 0 if the bodies stick. -1: none. */
    int state;
} ic_friction;

/**
 * A variant that consists of one smooth flow, rigid stops and dry friction. Time stepping needs no
 * more, and knows neither the other modes nor the guards.
 */
typedef struct ic_stops_view {
    /* Number of the mode in which no stop is pressed and no friction sticks or slips backwards, or the only mode. */
    int mode;

    /* dx/dt without the forces of stops and friction. */
    void (*flow)(double *dxdt, double t, const double *x, const double *par);

    /* Stops. */
    const ic_stop *stops;

    /* Number of stops. */
    size_t n_stops;

    /* Frictions. */
    const ic_friction *frictions;

    /* Number of frictions. */
    size_t n_frictions;

    /*
     * For each mode number the values that the discrete states of the stops, and then of the frictions, have in
     * it; IC_NO_COMBINATION in modes that are no combination of such values. NULL: the states themselves have them.
     */
    const int *combinations;

    /* Number of modes times that of stops and frictions; 0 if NULL. */
    size_t n_combinations;

    /* By state: the index of the state that is its rate, if it is a position with such a rate; otherwise -1. */
    const int *rates;

    /* Number of states. */
    size_t n_rates;
} ic_stops_view;

/** A mode that is no combination of states of stops and frictions. */
#define IC_NO_COMBINATION (-2)

/** Value of an output that depends on the variant. */
typedef struct ic_output_value {
    /* Name of the output. */
    const char *output;

    /* Value, in the unit of the output. */
    double (*value)(double t, const double *x, int mode, const double *par);

    /* The same as expressions, one for each mode number; NULL: none. */
    const char *const *linear;
} ic_output_value;

/**
 * One way to close the model: a transition condition, a contact model, or a form of the equations.
 * Mode numbers mean the same in all variants of a case.
 *
 * A variant with a contact-force law has the law's parameters after those of the case, in the law's
 * order (the law receives par + n_parameters of the case), and the law's memory as one more state
 * after those of the case. If a parameter of the law has the name of a parameter of the case, it
 * has the same value, unless the case's `law_defaults` say otherwise.
 */
typedef struct ic_variant {
    /* Name: "C". */
    const char *name;

    /* Meaning, in one line. */
    const char *meaning;

    /* Modes, by mode number. */
    const ic_mode *modes;

    /* Number of modes, at least 1. */
    size_t n_modes;

    /* Initial state and mode from t and the parameters; x_pre is NULL. */
    ic_jump start;

    /* Time events; may be NULL. */
    const ic_time_event *time_events;

    /* Number of time events. */
    size_t n_time_events;

    /* Contact-force law, or NULL. */
    const ic_law *law;

    /* Values that replace those of the case's outputs. */
    const ic_output_value *output_values;

    /* Number of these values. */
    size_t n_output_values;

    /* The free impact that the variant describes, or NULL. Only variants with a law have one. */
    const ic_free_impact *free_impact;

    /* The variant as stops and friction, or NULL. */
    const ic_stops_view *stops;

    /* Typical time of the variant, s, an expression in parameters. NULL: that of the case. */
    const char *time_scale;
} ic_variant;

/** A named set of parameter values. */
typedef struct ic_preset {
    /* Name: "III/C". The path of the preset is case/preset. */
    const char *name;

    /* Name of the variant: "C". */
    const char *variant;

    /* Values that differ from the defaults: "k=2e8, omega=80pi". */
    const char *settings;

    /* Default end of a run, s, an expression in parameters. */
    const char *until;

    /* Meaning, in one line, with its source. */
    const char *meaning;
} ic_preset;

/** Range from which random problems draw a parameter. */
typedef struct ic_draw {
    /* Name of the parameter. */
    const char *parameter;

    /* Limits of the range, in the parameter's unit. */
    double from, to;

    /* True if drawn uniformly in the logarithm; then from > 0. */
    bool logarithmic;
} ic_draw;

/* -------------------------------------------------------------------------------- planar impact */

/** Data of an impact, as it begins. */
typedef struct ic_impact {
    /* Relative velocity of the points in contact, m/s. They approach: v[1] < 0. */
    double v[2];

    /* Inverse mass matrix at the contact, 1/kg. */
    double w_xx, w_xy, w_yy;

    /* Coefficient of friction, >= 0. */
    double mu;

    /* Coefficient of restitution, in [0, 1]. */
    double e;

    /* Stiffness of a compliant contact, N/m, > 0. Rigid impact maps ignore it. */
    double k_x, k_y;
} ic_impact;

/** States of a case with an impact view, in this order. */
enum {
    /* Tangential deflection, m. */
    IC_IMPACT_X,

    /* Normal deflection, m, negative in contact. */
    IC_IMPACT_Y,

    /* Position of the massless sledge that carries the contact springs, m. */
    IC_IMPACT_X_S,

    /* Tangential impulse, N s. */
    IC_IMPACT_P_X,

    /* Normal impulse, N s. */
    IC_IMPACT_P_Y,

    /* Time in contact times sqrt(k_y/m), dimensionless; constant in a rigid impact. */
    IC_IMPACT_TAU,

    /*
     * The part of D_N (energy taken from the normal motion) that the normal spring does not store,
     * J.
     */
    IC_IMPACT_D_0,

    /* P_y at the end of compression, N s; 0 before, and in the regularized model. */
    IC_IMPACT_P_C,

    /* D_N at the end of compression, J; 0 before, and in the regularized model. */
    IC_IMPACT_D_C,

    IC_IMPACT_STATES
};

/**
 * Modes of a case with an impact view. Regularized: springs on a sledge; rigid: the normal impulse
 * serves as the clock.
 */
enum {
    IC_IMPACT_STICKING,

    /* The sledge moves to +x. */
    IC_IMPACT_SLIDING_PLUS,

    /* The sledge moves to -x. */
    IC_IMPACT_SLIDING_MINUS,

    /* Terminal mode. */
    IC_IMPACT_LIFTED_OFF,

    IC_IMPACT_RIGID_STICKING,
    IC_IMPACT_RIGID_PLUS,
    IC_IMPACT_RIGID_MINUS,
    IC_IMPACT_MODES
};

/** Name of a guard of these modes: sticking ends, and the sledge moves to +x. */
#define IC_IMPACT_SLIP_PLUS "slip+"
/** Name of a guard: sticking ends, and the sledge moves to -x. */
#define IC_IMPACT_SLIP_MINUS "slip-"
/** Name of a guard: sliding ends. */
#define IC_IMPACT_STOP "stop"
/** Name of a guard: the points in contact no longer approach, v_y = 0. */
#define IC_IMPACT_COMPRESSION_END "compression-end"
/** Name of a guard: the impact is over. */
#define IC_IMPACT_LIFT_OFF "lift-off"

/**
 * A corner of the path through the impulse plane. The first corner is P = 0, the last is the
 * result.
 */
typedef struct ic_impact_point {
    /* "start", or the name of one of the guards above. */
    const char *event;

    /*
     * IC_IMPACT_RIGID_..., the mode in which the path continues; IC_IMPACT_LIFTED_OFF at the end.
     */
    int mode;

    /* Impulse, N s. */
    double P[2];

    /* Relative velocity, m/s. */
    double v[2];

    /* Energy taken from the normal motion so far, J: -integral v_y dP_y. */
    double D_N;
} ic_impact_point;

/** Greatest number of corners: start, stop, end of compression, lift-off. */
#define IC_IMPACT_CORNERS 4

/** Result of an impact. */
typedef struct ic_impact_result {
    /* Relative velocity after the impact, m/s. */
    double v[2];

    /* Impulse, N s. */
    double P[2];

    /*
     * Energy taken from the normal motion, J; negative if created. D_N + D_T is the kinetic energy
     * lost. 0 if a map does not report it.
     */
    double D_N;

    /*
     * Energy taken from the tangential motion, J; negative if created. 0 if a map does not report
     * it.
     */
    double D_T;

    /* Path through the impulse plane, from P = 0 to the result. */
    ic_impact_point path[IC_IMPACT_CORNERS];

    /* Number of corners, at least 2; 0 if a map does not report its path. */
    size_t n_path;
} ic_impact_result;

/**
 * A rigid impact map: from the velocity before to the velocity after an impact, by a hypothesis. It
 * fills v and P, and also D_N, D_T and the path if it can. Its answer depends on the impact alone.
 */
typedef struct ic_impact_map {
    /* IC_ABI_VERSION. */
    unsigned abi_version;

    /* sizeof(ic_impact_map). */
    size_t struct_size;

    /* Name: "stronge". */
    const char *name;

    /* Title, in one line. */
    const char *title;

    /* Reference to the hypothesis. */
    const char *source;

    /*
     * Returns IC_OK, or IC_INVALID if the data are not an impact: v[1] >= 0, W not positive
     * definite, mu < 0, or e outside [0, 1].
     */
    ic_status (*map)(ic_impact_result *result, const ic_impact *impact);

    /*
     * The hypothesis that an audit compares it with ("newton", "newton-at-once", "poisson", "poisson-in-two",
     * "stronge", "brach", "whittaker", "chatterjee-ruina", "smith"), or "own": none. NULL: that of its name; if there is
     * none of that name, the one that it is found to be.
     */
    const char *implements;
} ic_impact_map;

/* --------------------------------------------------------------- impact at several contacts at once */

/** Greatest number of contacts of an impact. */
#define IC_MULTI_CONTACTS 64

/**
 * Bodies without friction that touch in n points at one instant. The relative normal velocities u of these
 * points (positive: they separate) depend on the impulses P >= 0,
 *
 *     u+ = u- + W P.
 *
 * W is Delassus's matrix: W_ij is the change of u_i by a unit of P_j.
 */
typedef struct ic_multi_impact {
    /* Number of contacts, 1 to IC_MULTI_CONTACTS. */
    size_t n;

    /* W, n x n numbers by rows, 1/kg; symmetric, positive semidefinite, with a positive diagonal. */
    const double *W;

    /* u-, n numbers, m/s. */
    const double *u;

    /* Coefficients of restitution, n numbers in [0, 1]. */
    const double *e;
} ic_multi_impact;

/** Result of an impact at several contacts. The arrays belong to the caller. */
typedef struct ic_multi_impact_result {
    /* u+, n numbers, m/s. */
    double *u;

    /* P, n numbers, N s. */
    double *P;

    /* Kinetic energy lost, J: -P.(u- + u+)/2. Negative if the map creates energy. */
    double loss;
} ic_multi_impact_result;

/**
 * A rigid impact map for several contacts at once. Its answer depends on the impact alone. An impact in which
 * no contact approaches has P = 0.
 */
typedef struct ic_multi_impact_map {
    /* IC_ABI_VERSION. */
    unsigned abi_version;

    /* sizeof(ic_multi_impact_map). */
    size_t struct_size;

    /* Name: "sequential". */
    const char *name;

    /* Title, in one line. */
    const char *title;

    /* Reference to the hypothesis. */
    const char *source;

    /*
     * Fills the result. IC_INVALID: the data are not an impact, as described above. IC_NO_MEMORY: memory ran out.
     * IC_TOO_MUCH_WORK: a sequence of single impacts does not settle.
     */
    ic_status (*map)(ic_multi_impact_result *result, const ic_multi_impact *impact);
} ic_multi_impact_map;

/* --------------------------------------------------------------------------------------- a case */

/**
 * The part of a case that is a contact: its modes, outputs, states and variants. Audits of
 * trajectories know nothing else about the contact. With the modes alone they check adhesion and
 * momentum; each other member that is not NULL adds the checks that its comment names.
 */
typedef struct ic_contact_view {
    /* Number of the mode in which the bodies touch. */
    int contact;

    /* Number of the mode in which the bodies are apart. */
    int free;

    /*
     * Name of the output, m, that is negative where the bodies overlap. NULL: none. Checks, if
     * `rigid`: penetration, rest.
     */
    const char *gap;

    /*
     * Name of the output, N, that is positive where the contact pushes. NULL: none. Check:
     * continuity of the force in a file.
     */
    const char *force;

    /* True if the bodies do not overlap. */
    bool rigid;

    /*
     * True if the jump by which contact begins sets the derived states to their values at the first
     * contact.
     */
    bool recovers;

    /*
     * Names of states that follow from the others: memories of the contact, states that only
     * outputs use, drives. Ends with NULL. NULL: none. Trajectories of other programs may omit
     * them. The memory of a law is always derived and need not be listed.
     */
    const char *const *derived;

    /*
     * Name of the parameter that is Newton's coefficient of restitution in variants without a law.
     * NULL: none.
     */
    const char *restitution;

    /*
     * Names of a position and its velocity on which the contact does not act directly: their rates
     * are the same in all modes, autonomous, and affine in these two states. NULL: none.
     * Trajectories of other programs may omit them, because they follow from the other rows.
     */
    const char *const *carried;

    /*
     * Names of the variants that differ only in their transition condition, by number of
     * `ic_condition`. An audit reports which of them the rows follow. Needs `gap`, `force` and
     * `compression`. NULL: none.
     */
    const char *const *conditions;

    /*
     * Name of the state, m, that equals -gap in contact and that IC_CONDITION_D remembers. NULL:
     * none.
     */
    const char *compression;
} ic_contact_view;

/** A run on which audits of solvers try each solver. */
typedef struct ic_trial {
    /* Name of a preset. */
    const char *preset;

    /* End of the run, s, an expression in parameters. NULL: that of the preset. */
    const char *until;

    /*
     * A setting, "c=3e5". The run is repeated after a run with this setting, and must give the same
     * result. NULL: the run is compared with that of an accurate solver.
     */
    const char *again;
} ic_trial;

/**
 * A statement about the case, of its literature or of ours, which `verify` judges. All members are
 * texts of the section `statements` of a case file (docs/case-files.md); "": not given.
 */
typedef struct ic_statement {
    /* Name: "table-4.1-v". */
    const char *id;

    /* "statement", "given", "finding", "not testable", "misprint", "as scanned" or "evidence". */
    const char *kind;

    /* Publication. */
    const char *source;

    /* Place in the publication. */
    const char *place;

    /* The statement, in words. */
    const char *says;

    /* The words that would hold, if the statement does not. */
    const char *should_be;

    /* The quantity that is measured. */
    const char *measure;

    /* The value, range or bound that it must meet: "198.05 m/s", "in 0.9..1.1 m", "< 3 m". */
    const char *is;

    /* Settings or a measure for which the statement must not hold. */
    const char *counter;

    /* Remarks for the reader; the evidence, if the statement does not hold. */
    const char *note;

    /* Conclusions that the evidence does not support. */
    const char *limits;
} ic_statement;

/** An exact answer, which certified answers and runs of all solvers are compared with. */
typedef struct ic_closed_form {
    /* Name: "fall". */
    const char *name;

    /* Meaning, in one line; "": none. */
    const char *meaning;

    /* The quantity: "event_time(PRESET; EVENT; N)" (docs/case-files.md lists the possible ones). */
    const char *of;

    /* Its value in SI units, an expression in the parameters of the preset. */
    const char *value;

    /* Unit of that expression; "": any. */
    const char *unit;
} ic_closed_form;

/** A curve of a figure. */
typedef struct ic_figure_curve {
    /* Name: "calculated". */
    const char *name;

    /* A measure of each run: "final(omega)". "": the curve is a formula. */
    const char *measure;

    /* Value of a formula in SI units, an expression in parameters. */
    const char *formula;

    /* SI unit of the formula. */
    const char *unit;
} ic_figure_curve;

/** A published point of a figure, with the digits printed. */
typedef struct ic_figure_point {
    /* Abscissa. */
    const char *x;

    /* Ordinate. */
    const char *y;

    /* Half the length of the error bar of y; "": none. */
    const char *y_error;

    /* Half the length of the error bar of x; "": none. */
    const char *x_error;
} ic_figure_point;

/** Published points of one publication. */
typedef struct ic_figure_points {
    /* Name: "Kharaz 2001". */
    const char *name;

    /* Publication. */
    const char *source;

    /* Place in the publication, and how the points were read. */
    const char *place;

    /* The curve that they are compared with; "": none. */
    const char *compare;

    /* The points. */
    const ic_figure_point *rows;

    /* Number of points. */
    size_t n_rows;
} ic_figure_points;

/** Curves over a parameter, beside published points. */
typedef struct ic_figure {
    /* Name: "rebound". */
    const char *name;

    /* Title, in one line. */
    const char *title;

    /* Name of the preset that is varied. */
    const char *preset;

    /* Parameter that is varied. */
    const char *parameter;

    /* Its first value, in SI units. */
    const char *from;

    /* Its last value, in SI units. */
    const char *to;

    /* Number of values; 0: every integer. */
    size_t n_values;

    /* Values are spaced logarithmically. */
    bool logarithmic;

    /* The abscissa, an expression in parameters in SI units. */
    const char *x;

    /* SI unit of the abscissa. */
    const char *x_si;

    /* Unit of the horizontal axis and of x of the points. "": that of the curves. */
    const char *x_unit;

    /* Unit of the vertical axis and of y of the points. "": that of the curves. */
    const char *y_unit;

    /* The curves. */
    const ic_figure_curve *curves;

    /* Number of curves. */
    size_t n_curves;

    /* Published points; may be NULL. */
    const ic_figure_points *points;

    /* Number of publications. */
    size_t n_points;
} ic_figure;

/** A case. The last definition of each file in cases/ is a constant of this type. */
typedef struct ic_case {
    /* IC_ABI_VERSION. */
    unsigned abi_version;

    /* sizeof(ic_case). */
    size_t struct_size;

    /* Name: "roller". */
    const char *name;

    /* Title, in one line. */
    const char *title;

    /* Reference to the paper. */
    const char *source;

    /* Parameters, in the order of `par`. */
    const ic_parameter *parameters;

    /* Number of parameters. */
    size_t n_parameters;

    /* Conditions on the parameters; may be NULL. */
    const ic_requirement *requirements;

    /* Number of requirements. */
    size_t n_requirements;

    /* States, in the order of `x`. */
    const ic_state *states;

    /* Number of states, 1 to IC_MAX_STATES. */
    size_t n_states;

    /* Number of states in use, counted from the first: an expression in parameters. NULL: all. */
    const char *states_used;

    /* Outputs; may be NULL. */
    const ic_output *outputs;

    /* Number of outputs. */
    size_t n_outputs;

    /* Ways to close the model. */
    const ic_variant *variants;

    /* Number of variants, at least 1. */
    size_t n_variants;

    /* Presets; the first is the default. */
    const ic_preset *presets;

    /* Number of presets, at least 1. */
    size_t n_presets;

    /* Defaults of the parameters of laws; may be NULL. */
    const ic_law_default *law_defaults;

    /* Number of these defaults. */
    size_t n_law_defaults;

    /* Ranges of the random problems that test every solver; may be NULL. */
    const ic_draw *draws;

    /* Number of these ranges. */
    size_t n_draws;

    /* Typical time, s, an expression in parameters, of variants that do not state their own. */
    const char *time_scale;

    /* Period of the forcing, s, an expression in parameters. NULL: the case is autonomous. */
    const char *period;

    /*
     * Fills the impact that the case is about; the case then has the states and modes listed above.
     * NULL: no planar impact.
     */
    void (*impact)(ic_impact *impact, const double *par);

    /* The contact that the case is about. NULL: none that an audit can examine. */
    const ic_contact_view *contact;

    /* Runs on which audits try solvers. NULL: the first preset alone. */
    const ic_trial *trials;

    /* Number of these runs. */
    size_t n_trials;

    /*
     * Names of the states that only events change, to values without rounding: the side of a kink,
     * whether a stop is pressed. Ends with NULL. NULL: none.
     */
    const char *const *discrete;

    /* Shapes of a sketch of the machine, in the order in which they are drawn; may be NULL. */
    const ic_shape *shapes;

    /* Number of shapes. */
    size_t n_shapes;

    /*
     * Fills the coordinates of all shapes, in the order of the shapes, for mode number `mode`; NAN
     * for what does not exist there. May be NULL if there are no shapes.
     */
    void (*sketch)(double *coordinates, double t, const double *x, int mode, const double *par);

    /* Unit of the coordinates: "m", or "1". NULL without shapes. */
    const char *sketch_unit;

    /*
     * The whole case file (docs/case-files.md), from which lists and pages show the equations. NULL:
     * the case was written in C.
     */
    const char *text;

    /* Statements that `verify` judges; may be NULL. */
    const ic_statement *statements;

    /* Number of these statements. */
    size_t n_statements;

    /* Exact answers; may be NULL. */
    const ic_closed_form *closed_forms;

    /* Number of these answers. */
    size_t n_closed_forms;

    /* Figures that reports and studies draw; may be NULL. */
    const ic_figure *figures;

    /* Number of these figures. */
    size_t n_figures;
} ic_case;

/* -------------------------------------------------------------------------- problem and options */

/**
 * The input of a solver: a case with all choices made. It has no pointer to an answer. Pointers are
 * borrowed and outlive the call.
 */
typedef struct ic_problem {
    /* The case. */
    const ic_case *system;

    /* The variant that is solved. */
    const ic_variant *variant;

    /* Values of the parameters, n_parameters of them. */
    const double *par;

    /* The same values as exact text. */
    const char *const *par_text;

    /* Start, s; exact. */
    double t_start;

    /* End, s. */
    double t_end;

    /* Exact t_end, an expression in parameters. NULL: the number t_end is exact. */
    const char *t_end_text;

    /* State from which to start, in mode `mode_start`. NULL: the start of the variant. */
    const double *x_start;

    /* Mode number of the start; only with x_start. */
    int mode_start;

    /* Forms of texts that sweeps have computed for `par`; NULL: none. For the program itself. */
    const struct ic_given *given;
} ic_problem;

/** Events of a run in addition to those of its case; see "events made at run time" below. */
typedef struct ic_event_set ic_event_set;

/** How to solve a problem. Zero in a field selects the default stated here. */
typedef struct ic_options {
    /* Relative tolerance of adaptive solvers. Default: 1e-9. */
    double rtol;

    /*
     * Step of fixed-step solvers, s; default: time_scale/1000. Greatest step of adaptive ones;
     * default: no limit.
     */
    double step;

    /* Width to which an event time is located, s. Default: 1e-13 time_scale. */
    double event_tol;

    /* Number of steps and events after which the run stops with IC_TOO_MUCH_WORK. Default: 1e8. */
    double max_steps;

    /* Number of equidistant samples from t_start to t_end, both included. 0: none. */
    size_t samples;

    /* Whether to record minimum and maximum of each output. */
    bool extremes;

    /*
     * Events in addition to those of the case, borrowed. NULL: none. Solvers on the common event
     * loop support them.
     */
    ic_event_set *events;
} ic_options;

/* -------------------------------------------------------------------------------------- the log */

/** Work that a solver has done. Counts that a solver does not keep are NAN. */
typedef struct ic_work {
    /* Evaluations of dx/dt. */
    double flow_calls;

    /* Evaluations of values and rates of guards. */
    double guard_calls;

    /* Accepted steps. */
    double steps;

    /* Rejected steps. */
    double rejected_steps;

    /* Iterations in the search for crossings. */
    double root_iterations;
} ic_work;

/** Cause of an event. */
typedef enum ic_event_kind {
    /* A guard crossed zero. */
    IC_EVENT_GUARD,

    /* A time event was due. */
    IC_EVENT_TIME,

    /* Infinitely many firings of a guard reached their limit: contract, clause 6. */
    IC_EVENT_ACCUMULATION,
} ic_event_kind;

/** An event. */
typedef struct ic_event {
    /* Cause of the event. */
    ic_event_kind kind;

    /* Name of the guard or time event. */
    const char *name;

    /* Time, s. */
    double t;

    /* 0 for the first event at its instant. */
    int sequence;

    /* Mode number before the event. */
    int mode_from;

    /* Mode number after the event. */
    int mode_to;

    /* State before the event, n_states numbers. */
    const double *x_pre;

    /* State after the event, n_states numbers. */
    const double *x_post;
} ic_event;

/** The state at a time. */
typedef struct ic_sample {
    /* Time, s. */
    double t;

    /* Mode number. */
    int mode;

    /* State, n_states numbers. */
    const double *x;
} ic_sample;

/** Kind of an observation that is not an event. */
typedef enum ic_note_kind {
    /*
     * A guard came so close to zero that a touch and a pair of crossings cannot be distinguished.
     */
    IC_NOTE_GRAZING,

    /* The solver's own method for the step onto an event was not safe; another was used. */
    IC_NOTE_FALLBACK,
} ic_note_kind;

/** An observation that is not an event. */
typedef struct ic_note {
    /* Kind of the note. */
    ic_note_kind kind;

    /* Time, s. */
    double t;

    /* Name of the guard concerned. */
    const char *guard;
} ic_note;

/** Minimum and maximum of an output over a run, including the one-sided limits at events. */
typedef struct ic_extreme {
    /* Minimum, in the output's unit; NAN if the output never existed. */
    double min;

    /* Time of the minimum, s. */
    double t_min;

    /* Maximum, in the output's unit; NAN if the output never existed. */
    double max;

    /* Time of the maximum, s. */
    double t_max;

    /* Value at the end. */
    double final;
} ic_extreme;

/** Everything that a solver reports about one run. */
typedef struct ic_log ic_log;

/**
 * Create an empty log. NULL: memory ran out. The problem is borrowed, and outlives the log. Release
 * the log with ic_log_free.
 */
ic_log *ic_log_new(const ic_problem *problem);

/** Release a log with everything that was read from it. NULL is allowed. */
void ic_log_free(ic_log *log);

/** For solvers: record an event, which is copied with its states. Returns IC_OK or IC_NO_MEMORY. */
ic_status ic_log_event(ic_log *log, const ic_event *event);

/**
 * For solvers: record the state x at the time t, s, of a sample. The n_states numbers are copied.
 * Returns IC_OK or IC_NO_MEMORY.
 */
ic_status ic_log_sample(ic_log *log, double t, int mode, const double *x);

/**
 * For solvers: record a note about the time t, s. The guard's name is borrowed from the case.
 * Returns IC_OK or IC_NO_MEMORY.
 */
ic_status ic_log_note(ic_log *log, ic_note_kind kind, double t, const char *guard);

/** For solvers: let the extremes of all outputs take account of the state x at the time t, s. */
void ic_log_extremes(ic_log *log, double t, int mode, const double *x);

/** For solvers: record time t, s, mode and state x at which the run ended. x is copied. */
void ic_log_final(ic_log *log, double t, int mode, const double *x);

/** For solvers: the counters of the log, which the solver increases. */
ic_work *ic_log_work(ic_log *log);

/** For solvers: record what went wrong, as text for the user. The arguments are those of printf. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void ic_log_message(ic_log *log, const char *format, ...);

/**
 * The problem that the log is about. Whatever this function and those below point to belongs to the
 * log: it is valid until the next write or ic_log_free.
 */
const ic_problem *ic_log_problem(const ic_log *log);

/** Number of events. */
size_t ic_log_event_count(const ic_log *log);

/** Event i < ic_log_event_count, in the order in which they happened. */
ic_event ic_log_event_at(const ic_log *log, size_t i);

/** Number of samples. */
size_t ic_log_sample_count(const ic_log *log);

/** Sample i < ic_log_sample_count, in the order of time. */
ic_sample ic_log_sample_at(const ic_log *log, size_t i);

/** Number of notes. */
size_t ic_log_note_count(const ic_log *log);

/** Note i < ic_log_note_count. */
ic_note ic_log_note_at(const ic_log *log, size_t i);

/** Time, mode and state at which the run ended. Mode -1: the solver did not record an end. */
ic_sample ic_log_end(const ic_log *log);

/** Extremes of output number `output`; NAN if the options did not ask for them. */
ic_extreme ic_log_extreme(const ic_log *log, size_t output);

/** The message, or "". */
const char *ic_log_text(const ic_log *log);

/* ------------------------------------------------------------------------------------- a solver */

/** Features of a case that a solver requires. */
enum {
    /* dx/dt as a function. */
    IC_NEEDS_FLOW = 1u << 0,

    /* Rates of the guards. */
    IC_NEEDS_GUARD_RATE = 1u << 1,

    /* Flows, guards and jumps as text. */
    IC_NEEDS_LINEAR_VIEW = 1u << 2,

    /* The case's `impact`. */
    IC_NEEDS_IMPACT_VIEW = 1u << 3,

    /* In each mode, flow and guards as text, or `equations`. */
    IC_NEEDS_EQUATIONS = 1u << 4,

    /* The variant's `stops`. */
    IC_NEEDS_STOPS_VIEW = 1u << 5,
};

/** Clause number `n_` of the event contract, as a bit. */
#define IC_CLAUSE(n_) (1u << (n_))

/** Number of clauses that `clauses_not_kept` can name. */
#define IC_CLAUSES 11

/** Option that sets a solver's accuracy. */
typedef enum ic_control {
    /* The step. */
    IC_CONTROL_STEP,

    /* The relative tolerance. */
    IC_CONTROL_RTOL,

    /* None: the solver is exact up to rounding. */
    IC_CONTROL_NONE,
} ic_control;

/** A solver. The last definition of each file in solvers/ is a constant of this type. */
typedef struct ic_solver {
    /* IC_ABI_VERSION. */
    unsigned abi_version;

    /* sizeof(ic_solver). */
    size_t struct_size;

    /* Name: "rk4_henon". */
    const char *name;

    /* Title, in one line. */
    const char *title;

    /* Reference to the method. */
    const char *source;

    /* Features of a case that it requires: IC_NEEDS_... */
    unsigned needs;

    /*
     * Order that it claims in step or tolerance. 0: exact up to rounding, or the order varies with
     * the tolerance.
     */
    int order;

    /* Option that sets its accuracy. */
    ic_control control;

    /* The only variant that it solves; every problem is run with this one. NULL: any variant. */
    const char *variant;

    /*
     * True if it applies jumps, or impulses, at the end of the step in which it notices a crossing. It is
     * then outside the event contract, and no clause is tested.
     */
    bool steps_over_events;

    /* Clauses of the event contract that it does not keep: IC_CLAUSE(7) | ... */
    unsigned clauses_not_kept;

    /*
     * Ratio of the rtol to request to the error wanted after a run of a few typical times. 0: the
     * ratio is 1.
     */
    double rtol_per_error;

    /*
     * Solves the problem and records the run in the log. The log depends on problem and options
     * alone, which are read only and valid during the call. Events are recorded in order; samples,
     * too, at the end or as they are passed, with the accuracy of the steps; ic_log_final is called
     * once, whatever the status, at t_end, at a terminal event, or where the run had to stop. An
     * audit sets a step or an rtol, according to `control`.
     */
    ic_status (*solve)(ic_log *log, const ic_problem *problem, const ic_options *options);
} ic_solver;

/* -------------------------------------------------------------------------- a rigid-body engine */

/** The body that moves in a scene. Its centre of mass is its middle. */
typedef enum ic_scene_body {
    /*
     * A ball of `radius`. Its roundness affects only its inertia: the point of contact is below its
     * centre.
     */
    IC_SCENE_BALL,

    /* A thin bar of `length`. Only its lower tip, a point, touches the ground. */
    IC_SCENE_BAR,
} ic_scene_body;

/**
 * State of a body in the plane at a time. x points to the right, y up, and the ground is y = 0. (x,
 * y) is the centre of mass.
 *
 * phi and omega are positive clockwise. For the ball phi is the angle of rotation. For the bar phi
 * is the angle from the ground's normal, the y axis, to the line from the lower tip to the centre.
 * With half the length h:
 *
 *     tip = (x - h sin phi, y - h cos phi)
 *     velocity of the tip = (vx - h omega cos phi, vy + h omega sin phi)
 *
 * An impulse (P_x, P_y) of the ground at a point (r_x, r_y) from the centre changes vx by P_x/m, vy
 * by P_y/m, and omega by (r_y P_x - r_x P_y)/inertia. The velocity of that point is (vx + r_y
 * omega, vy - r_x omega).
 */
typedef struct ic_body_row {
    /* Time, s. */
    double t;

    /* Centre of mass, m. */
    double x, y;

    /* Angle, rad, clockwise. */
    double phi;

    /* Velocity of the centre of mass, m/s. */
    double vx, vy;

    /* Angular velocity, rad/s, clockwise. */
    double omega;
} ic_body_row;

/** A scene: one body above the ground, which is fixed. */
typedef struct ic_scene {
    /* The body that moves. */
    ic_scene_body body;

    /* Prescribed coefficient of restitution, in [0, 1]. */
    double e;

    /* Coefficient of friction, >= 0. */
    double mu;

    /* Downward acceleration of gravity, m/s^2, >= 0; 0 for the bar. */
    double gravity;

    /* Mass, kg. */
    double mass;

    /* Moment of inertia about the centre of mass, in the plane, kg m^2. */
    double inertia;

    /* Radius of the ball, m; 0 for the bar. */
    double radius;

    /* Length of the bar, m; 0 for the ball. */
    double length;

    /*
     * Time between rows, s. An engine may take smaller steps in between, and should not take larger
     * ones.
     */
    double step;

    /* The last row is at this time, s, or less than a step later. */
    double until;

    /* State at t = 0. */
    ic_body_row start;
} ic_scene;

/**
 * Takes one row, which is copied. false: no more rows are wanted, and the engine has to return
 * IC_IO.
 */
typedef bool ic_row_taker(void *context, const ic_body_row *row);

/**
 * An engine: it moves one rigid body and lets it hit the ground, by any method. `run` passes the
 * start and then the state at the end of every step to `take`, with increasing times, and returns
 * IC_OK; it returns IC_INVALID for a scene that it cannot simulate. Whatever `scene` and `context`
 * point to belongs to the caller and is valid during the call. Each scene runs in a new process.
 */
typedef struct ic_rigid_engine {
    /* IC_ABI_VERSION. */
    unsigned abi_version;

    /* sizeof(ic_rigid_engine). */
    size_t struct_size;

    /* Name: "my-engine". */
    const char *name;

    /* Title, in one line. */
    const char *title;

    /* Reference to the method. */
    const char *source;

    /* Simulates a scene, and passes each row to `take` with `context`. */
    ic_status (*run)(const ic_scene *scene, ic_row_taker *take, void *context);
} ic_rigid_engine;

/* ------------------------------------------------------------------------------------- a plugin */

/**
 * The contents of a shared library for `impactcheck audit --plugin`: any of laws, impact maps,
 * solvers and engines. An empty table is NULL with the count 0.
 *
 * Ownership: all objects belong to the library, which does not change them as long as it is loaded.
 * The reader frees nothing. The arguments of its functions belong to the caller, and are valid
 * during the call only.
 *
 * Threads: one thread calls one function at a time. Each law, map, solver and engine is audited in
 * a process of its own, so that global state of one cannot affect another. The answer of a law's
 * `force`, of a map and of a solver must depend on the arguments alone.
 *
 * The reader checks when it loads the library: abi_version and struct_size, here and in each law,
 * map, solver and engine; names; functions that must not be NULL. A solver calls the ic_log_...
 * functions above, which the loading program provides: link the library with nothing.
 */
typedef struct ic_plugin {
    /* IC_ABI_VERSION. */
    unsigned abi_version;

    /* sizeof(ic_plugin). */
    size_t struct_size;

    /* Name and version, for people: "mine 1.2". */
    const char *name;

    /* Contact-force laws. */
    const ic_law *const *laws;

    /* Number of laws. */
    size_t n_laws;

    /* Rigid impact maps. */
    const ic_impact_map *const *impact_maps;

    /* Number of maps. */
    size_t n_impact_maps;

    /* Solvers of cases. */
    const ic_solver *const *solvers;

    /* Number of solvers. */
    size_t n_solvers;

    /* Rigid-body engines. */
    const ic_rigid_engine *const *engines;

    /* Number of engines. */
    size_t n_engines;
} ic_plugin;

/**
 * The one function that a plugin exports. It is called once, after loading. Its result lives as
 * long as the library is loaded.
 */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const ic_plugin *
impactcheck_plugin(void);

/* ---------------------------------------------------------------------------------- the library */

/*
 * Functions for programs that link libimpactcheck. Your own case or solver needs no registration:
 * wherever a pointer to a built-in one is accepted, a pointer to your own is accepted too. No
 * function writes global data, so that threads may work at the same time with objects of their own.
 *
 *     ic_error error;
 *     const ic_solver *solver = ic_solver_find("dop853");
 *     const ic_choices choices = {.preset = "III/C", .solver = solver};
 *     ic_instance *instance = ic_instance_new(ic_case_find("roller"), &choices, &error);
 *     ic_log *log = ic_log_new(ic_instance_problem(instance));
 *     ic_status status = ic_run(log, solver, NULL);
 *     ... ic_log_event_count(log), ic_log_event_at(log, i), ...
 *     ic_log_free(log);
 *     ic_instance_free(instance);
 *
 * examples/outside is a whole program, with a case and a solver of its own.
 */

/** Message for the user: the error, its place, and a correct alternative. */
typedef struct ic_error {
    /* A sentence, ended by a zero byte. */
    char text[512];
} ic_error;

/** Version of the library: "0.1.0". It is never freed. */
const char *ic_version(void);

/**
 * The built-in case of this name, or NULL if it does not exist. Built-in objects belong to the
 * library, and live as long as it is loaded.
 */
const ic_case *ic_case_find(const char *name);

/** The built-in solver of this name, or NULL if it does not exist. */
const ic_solver *ic_solver_find(const char *name);

/** The built-in contact-force law of this name, or NULL if it does not exist. */
const ic_law *ic_law_find(const char *name);

/** The built-in rigid impact map of this name, or NULL if it does not exist. */
const ic_impact_map *ic_impact_map_find(const char *name);

/** The built-in rigid impact map for several contacts of this name, or NULL if it does not exist. */
const ic_multi_impact_map *ic_multi_impact_map_find(const char *name);

/** Built-in case number i, starting at 0; NULL after the last. */
const ic_case *ic_case_at(size_t i);

/** Built-in solver number i, starting at 0; NULL after the last. */
const ic_solver *ic_solver_at(size_t i);

/** Built-in contact-force law number i, starting at 0; NULL after the last. */
const ic_law *ic_law_at(size_t i);

/** Built-in rigid impact map number i, starting at 0; NULL after the last. */
const ic_impact_map *ic_impact_map_at(size_t i);

/** Built-in rigid impact map for several contacts number i, starting at 0; NULL after the last. */
const ic_multi_impact_map *ic_multi_impact_map_at(size_t i);

/**
 * Whether a case can be used: it has the right version, no required pointer is NULL, and the modes,
 * branches and departures that it names exist. If false, `error`, which may be NULL, states the
 * error and its place. The function does not check whether flows, rates and texts agree.
 */
bool ic_case_check(const ic_case *system, ic_error *error);

/** The choices that turn a case into a problem. Zero in a field selects the default stated here. */
typedef struct ic_choices {
    /* Name of the preset: "III/C". Default: the first. */
    const char *preset;

    /* Name of the variant. Default: that of the preset. */
    const char *variant;

    /* Values of parameters, each NAME=VALUE: "omega=80pi". Default: those of the preset. */
    const char *const *settings;

    /* Number of settings. */
    size_t n_settings;

    /*
     * End of the run, s, an expression in parameters: "20*2*pi/omega". Default: that of the preset.
     */
    const char *until;

    /*
     * The solver that will be used, or NULL. A solver made for a single variant selects this
     * variant; a solver that cannot solve the case is refused.
     */
    const ic_solver *solver;
} ic_choices;

/** A problem that owns everything it points to, except the case. */
typedef struct ic_instance ic_instance;

/**
 * Create a problem. NULL: `error`, which may be NULL, states the reason. The case is checked by
 * ic_case_check. It is borrowed and outlives the instance, as do the laws that it names. `choices`
 * may be NULL. Release the instance with ic_instance_free, after its logs.
 */
ic_instance *ic_instance_new(const ic_case *system, const ic_choices *choices, ic_error *error);

/** Release a problem. NULL is allowed. */
void ic_instance_free(ic_instance *instance);

/** The problem itself, valid until ic_instance_free. */
const ic_problem *ic_instance_problem(const ic_instance *instance);

/**
 * Solve the problem of the log and record the run in the log. A log takes one run. `options` may be
 * NULL: all defaults. IC_INVALID: the solver was compiled with another version of this header,
 * lacks a required field, or the options are not valid numbers. For every status but IC_OK,
 * ic_log_text may say more.
 */
ic_status ic_run(ic_log *log, const ic_solver *solver, const ic_options *options);

/* ---------------------------------------------------------------------- events made at run time */

/*
 * Observers watch a function of time, state and its rates; time events are due at given times, and
 * timers after given intervals. All of them can be made, armed, disarmed and removed before a run
 * and, by handlers, during it: Kecskemethy & Lange 1999, section 4. The event loop treats them like
 * the guards, jumps and time events of a case, and the event contract holds for them.
 *
 *     ic_event_set *events = ic_event_set_new();
 *     const ic_observer apex = {
 *         .name = "apex", .direction = -1, .value = speed, .handler = count, .context = &n};
 *     ic_status status = ic_observe(events, &apex, NULL);
 *     const ic_options options = {.events = events};
 *     status = ic_run(log, solver, &options);
 *     ...
 *     ic_event_set_free(events);
 *
 * A set serves one run. Its owner changes it before the run, and handlers change it during the run;
 * calls by other functions that a run calls are refused. A refused call leaves the set unchanged
 * and returns IC_INVALID; ic_event_set_text gives the reason. examples/outside/observers.c is a
 * whole program.
 */

/**
 * Create a set without events. NULL: memory ran out. Release it with ic_event_set_free, after the
 * run.
 */
ic_event_set *ic_event_set_new(void);

/** Release a set and its events, never during its run. NULL is allowed. */
void ic_event_set_free(ic_event_set *set);

/**
 * Identifies an event of a set as long as the event exists. A set never uses a number twice; 0
 * identifies no event.
 */
typedef unsigned long long ic_event_id;

/** The input of an observer. */
typedef struct ic_moment {
    /* Time, s. */
    double t;

    /* State, n_states numbers. */
    const double *x;

    /* Rate of the state by the flow of the mode; NULL for an observer that does not ask for it. */
    const double *dxdt;

    /* Mode number of the run. */
    int mode;

    /* The problem being solved; its parameters are problem->par. */
    const ic_problem *problem;
} ic_moment;

/** The input of a handler, which may change some of it. Valid during the call. */
typedef struct ic_firing {
    /* The set, which the handler may change. */
    ic_event_set *events;

    /* The event that fires. */
    ic_event_id id;

    /* The problem being solved; its parameters are problem->par. */
    const ic_problem *problem;

    /* Time, s. */
    double t;

    /* Mode number before the event. */
    int mode;

    /* State before the event, n_states numbers. */
    const double *x;

    /* Mode number after the event: as before, unless the handler changes it. */
    int mode_post;

    /* State after the event, n_states numbers: as before, unless the handler changes it. */
    double *x_post;

    /* Initially false. true: the run ends at this time, in the state after the event. */
    bool stop;
} ic_firing;

/**
 * Called when an event of a set fires. It may change state and mode, and the set: make, arm, disarm
 * and remove events, including itself. Any status but IC_OK stops the run with that status.
 */
typedef ic_status ic_handler(ic_firing *firing, void *context);

/**
 * An observer watches a function. It is copied, except name and context, which outlive set and log.
 */
typedef struct ic_observer {
    /* Name in the log. */
    const char *name;

    /* -1, +1 or 0: contract, clause 1. */
    int direction;

    /* The function, in any unit, smooth along the flow of each mode. */
    double (*value)(const ic_moment *now, void *context);

    /*
     * d value/dt along the flow. NULL: by differences along the flow, to about 1e-10 of the rate.
     */
    double (*rate)(const ic_moment *now, void *context);

    /* The observer fires only if this is > 0. NULL: always. */
    double (*enabled)(const ic_moment *now, void *context);

    /* True if these functions use dxdt. */
    bool sees_rates;

    /* Called when the observer fires. NULL: the event is logged, and nothing changes. */
    ic_handler *handler;

    /*
     * Called at the limit of infinitely many firings that change the state or the mode (clause 6).
     * NULL: the run ends with IC_ZENO.
     */
    ic_handler *accumulated;

    /* Passed to all these functions. */
    void *context;
} ic_observer;

/** An event at a time. It is copied, except name and context, which outlive set and log. */
typedef struct ic_timed {
    /* Name in the log. */
    const char *name;

    /* Called at that time. NULL: the event is logged, and nothing changes. */
    ic_handler *handler;

    /* Passed to the handler. */
    void *context;
} ic_timed;

/**
 * Watch a function from now on. `id`, which may be NULL, receives the number of the observer.
 * IC_INVALID: no name, no value, or a direction other than -1, 0 and 1. IC_UNSUPPORTED: the solver
 * of the run cannot follow observers because it knows guards by their texts only; if the observer
 * is made before the run, ic_run returns this status. IC_NO_MEMORY: memory ran out.
 */
ic_status ic_observe(ic_event_set *set, const ic_observer *observer, ic_event_id *id);

/**
 * Schedule a time event, due once at t, s. If t is now, it is due at this instant, after those that
 * are due already. IC_INVALID: no name, or a time that is past or not a number. IC_NO_MEMORY:
 * memory ran out.
 */
ic_status ic_schedule(ic_event_set *set, const ic_timed *timed, double t, ic_event_id *id);

/**
 * Start a timer, due every `interval`, s, counted from now, or from the start of the run; it is due
 * `occurrences` times, or without end if this is 0. IC_INVALID: no name, or an interval that is not
 * positive or below the rounding of time. IC_NO_MEMORY: memory ran out.
 */
ic_status ic_start_timer(ic_event_set *set, const ic_timed *timed, double interval, unsigned long occurrences,
                         ic_event_id *id);

/**
 * Arm an event again; no effect if it is armed. A timer continues with its next time as if it had
 * never stopped; occurrences that have passed count. IC_INVALID: the event does not exist, because
 * it was removed or was due for the last time; or its time is past.
 */
ic_status ic_event_arm(ic_event_set *set, ic_event_id id);

/** Disarm an event: it does not fire until it is armed again. IC_INVALID: it does not exist. */
ic_status ic_event_disarm(ic_event_set *set, ic_event_id id);

/** Remove an event for good. IC_INVALID: it does not exist. */
ic_status ic_event_remove(ic_event_set *set, ic_event_id id);

/** Whether an event exists: it was made, has not been removed, and may still be due. */
bool ic_event_exists(const ic_event_set *set, ic_event_id id);

/** Whether an event exists and is armed. */
bool ic_event_is_armed(const ic_event_set *set, ic_event_id id);

/** Number of events, armed or not. */
size_t ic_event_set_count(const ic_event_set *set);

/** Reason for which the last refused call was refused, or "". */
const char *ic_event_set_text(const ic_event_set *set);

#ifdef __cplusplus
}
#endif

#endif
