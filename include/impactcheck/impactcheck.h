/* SPDX-License-Identifier: MIT */
/**
 * Impactcheck: verification and benchmark suite for contact and impact integrators.
 *
 * This is the only public header. It is self-contained C17 and can be included from C++.
 * It states the model (a hybrid system), the event contract that every solver keeps, and the
 * structs by which cases and solvers, built in or from a plugin, describe themselves.
 *
 *
 * THE MODEL
 *
 * A case is a hybrid system. In each mode the state x, a vector of n numbers, follows a smooth field
 *
 *     dx/dt = f(t, x, p).
 *
 * Some modes also keep an invariant: a value of the state that is zero, or of one sign, for as long as they last.
 * A mode ends when one of its guards g(t, x, p) crosses zero in the guard's direction, or when a time
 * event is due. Then a jump maps the state before to the state after, and names the next mode:
 *
 *     x_post = J(t, x_pre, p).
 *
 * Anything a contact remembers (a compression, an impact speed) is state and is set by jumps.
 *
 *
 * THE LINEAR VIEW
 *
 * Where f, g and J are affine in x, with forcing at one frequency, a case also writes them as text, one
 * expression for each component, in the symbols of the paper:
 *
 *     "-(k*x2 + c*v2 + F_w*sin(omega*t + phase))/m2"
 *
 * From such text the analytic solver derives A, b, c and w of dx/dt = A x + b + Re(c exp(i w t)) in double
 * precision, and the certifier derives enclosures of the same in ball arithmetic, by code of its own and
 * with parameters that are exact. A test proves that the text equals the C functions.
 *
 * Expressions know: numbers (2, 0.1, 5.06e5; all exact), pi, parameters, states, t, + - * / ^ with an
 * integer power, parentheses, sqrt, cbrt, exp, log, sin, cos, and step (1 from 0 on, else 0). A number before a name or a parenthesis multiplies:
 * 80pi is 80*pi, 2x^2 is 2*(x^2), and 1/2pi is refused as ambiguous. A state hides a parameter of the same
 * name. States may only be added, and multiplied or divided by constants; t may only stand inside sin and
 * cos, where its factor is the frequency.
 *
 *
 * THE EVENT CONTRACT
 *
 * What follows holds for every solver that is built on the common event loop; each clause has a test. A solver that says
 * `steps_over_events` is no such solver, and one whose root finding is another package's may not keep every clause: each
 * names those that it does not keep in `clauses_not_kept`, and its file says why.
 *
 *  1. Direction. A guard with direction -1 fires when its value passes from positive to negative, with +1
 *     from negative to positive, with 0 both ways. A crossing in another direction is no event. A guard
 *     with an `enabled` function fires only where that function is positive at the crossing; otherwise
 *     the crossing passes without effect.
 *  2. Guard zero at the start. A guard that is exactly zero when a phase starts is judged by its rate. If
 *     the rate has the guard's direction, it fires at once. If the rate points the other way, the guard
 *     counts as being on the side that it moves to. If the rate vanishes as well, the side to which the
 *     guard then goes decides: if that is its firing side, it fires at the start. A ball that is laid on the floor without speed, g = x = 0
 *     and dg/dt = v = 0, falls by its weight: g becomes negative, so that a guard with direction -1 fires at the start, at t = t_start.
 *  3. Disarming. After its own jump a guard is disarmed until it has left zero; the zero that it stands on
 *     is not found again, whichever side it leaves to. A branch of a jump may declare that another guard of the next mode starts with a zero of
 *     known order and to which side it departs (`ic_departure`); that zero is then not found either,
 *     however rounding has shifted it. A guard with the same value function as one that has just fired stands on the
 *     same zero and is judged by 2; so is one that has fired itself, once such another has fired towards the other side.
 *     That holds for as long as it stays at zero: a body that has stopped on the guard's zero does not fire it again when another guard
 *     fires and the phase begins anew.
 *  4. Simultaneity. Guards that cross at one instant, as far as the solver can tell, fire in table order.
 *     Each gets a sequence number, 0 for the first at its instant. After each jump, those still to fire do
 *     so only if the next mode has them too (a guard of the same name and value), and only if the jump did not
 *     move them off zero.
 *  5. Chains. A jump may land where another guard is due at once. A chain of more than IC_CHAIN_MAX jumps at
 *     one instant is the error IC_CHAIN.
 *  6. Accumulation (Zeno). When the intervals between firings of one guard shrink geometrically and what is
 *     left of their sum is below the resolution of time, the limit is reached: if the guard has an
 *     `accumulation` jump, it is applied at the extrapolated limit and logged as an accumulation event;
 *     otherwise the run stops with IC_ZENO, the time, and the last state.
 *  7. Two crossings inside one step. No solver may lose a pair of crossings that its own step shows: each
 *     states in its file which bound it uses (rk45_bisection and dop853: every root of the guard along the interpolant;
 *     rk4_henon: what the cubic through values and rates at both ends of a step shows; piecewise_linear:
 *     every crossing, by a bound on the guard's second derivative; taylor: every sign change of the guard's polynomial, by a bound on its
 *     third).
 *  8. Grazing. A zero of even order is no crossing and no event. Where a solver cannot tell a touch from a
 *     pair of crossings, it goes on as for a touch and logs a note.
 *  9. Time events are due at given times, are reached exactly, and precede guards at the same instant.
 * 10. Whatever a flow, guard or jump returns that is not finite stops the run with IC_NOT_FINITE.
 * 11. Terminal modes. A run that enters a mode marked `terminal` is over: its end is the state just after
 *     that jump, at that time, before t_end.
 *
 * A run may have a set of events beside those of its case (`ic_event_set`), which changes while it goes on: observers, which are guards
 * in every mode, and time events. A handler takes the place of the jump. To them the clauses above apply, and these:
 *
 * 12. Order. At one instant come the time events first, the case's before those of the set; then the guards of the mode in table order,
 *     then observers in the order in which they were made. Disarming and arming changes no place in that order.
 * 13. Change. What a handler makes or arms is watched from that instant on: a zero at which it then stands is judged by 2, and one on which
 *     it has fired at this instant by 3. What is disarmed or removed does not fire any more, at that instant either.
 * 14. Observation. A handler that leaves state and mode as they are changes nothing but the log, the steps and the set: neither what is
 *     known of zeros that others stand on (3), nor the intervals of an accumulation (6).
 * 15. Chains (5) are counted in jumps that follow from one another. However many events were due at an instant before its first jump,
 *     they are one link.
 *
 *
 * PLANAR IMPACT
 *
 * Two rigid bodies touch in one point; x is the tangent, y the normal. While they do, positions do not
 * change, and the relative velocity v of the points in contact follows the impulse P:
 *
 *     v = v(0) + W P,     |F_x| <= mu F_y,     F_y >= 0.
 *
 * W is the inverse mass matrix at the contact, symmetric and positive definite. A rigid impact map
 * (`ic_impact_map`) gives the end of the impact by a hypothesis; a case with an impact view (`ic_case.impact`)
 * says what impact it is about, so that solvers made for impacts, and only for them, can solve it.
 */
#ifndef IMPACTCHECK_H
#define IMPACTCHECK_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Version of the structs in this header; a plugin carries the number that it was compiled with. */
#define IC_ABI_VERSION 6u

/** The first two fields of every struct that carries its version. C++ before 2020 has no names in braces: IC_ABI_VERSION, sizeof(type). */
#define IC_ABI(type) .abi_version = IC_ABI_VERSION, .struct_size = sizeof(type)

/** Number of elements of an array. */
#define IC_COUNT(array) (sizeof(array) / sizeof((array)[0]))

/** Longest chain of jumps at one instant (contract, clause 5). */
#define IC_CHAIN_MAX 32

/** Most states a case may have. */
#define IC_MAX_STATES 64

/** Next mode of a branch that leaves the mode as it is. */
#define IC_SAME_MODE (-1)

/** Returned by `start` where the parameters describe no possible start: IC_INVALID. */
#define IC_NO_START (-1)

/* ------------------------------------------------------------------------------------------------ status */

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
    X(IC_UNDECIDED, "undecided: what happens cannot be proved at the precision allowed")                       \
    X(IC_IO, "a file could not be read or written")

/** How a call or a run came out. */
typedef enum ic_status {
#define IC_STATUS_NAME(name, text) name,
    IC_STATUS_TABLE(IC_STATUS_NAME)
#undef IC_STATUS_NAME
} ic_status;

/** Text of a status, for people. Never NULL. */
const char *ic_status_text(ic_status status);

/** Name of a status, for programs: "ok", "zeno", ... Never NULL. */
const char *ic_status_name(ic_status status);

/* ------------------------------------------------------------------------------------- a case: its quantities */

/** A parameter of a case. `par[i]` in every function below is the value of parameter i. */
typedef struct ic_parameter {
    const char *name;    /* symbol in ASCII: "F_w" */
    const char *unit;    /* SI: "N"; "1" where dimensionless */
    const char *meaning; /* one line */
    const char *value;   /* default, exact: "80pi", "3/2", "5.06e5"; or an expression in parameters before it */
    const char *range;   /* "(0, inf)", "[0, 1]", or a set: "{0, 1}" */
} ic_parameter;

/** What parameters must fulfil together. */
typedef struct ic_requirement {
    const char *positive; /* an expression in parameters that must be > 0: "C_xx*C_yy - C_xy^2" */
    const char *meaning;  /* what that means: "the inverse mass matrix must be positive definite" */
} ic_requirement;

/** A component of the state vector. */
typedef struct ic_state {
    const char *name;    /* "x2" */
    const char *unit;    /* "m" */
    const char *meaning; /* one line */
    const char *scale;   /* typical magnitude, an expression in parameters; where it is 0, 1 is taken */
} ic_state;

/** A quantity computed from time and state. */
typedef struct ic_output {
    const char *name;    /* "contact_force" */
    const char *unit;    /* "N" */
    const char *meaning; /* one line */
    /* value in mode number `mode`; NAN where the quantity does not exist */
    double (*value)(double t, const double *x, int mode, const double *par);
    /* the same as expressions, one for each mode number, NULL in modes where there is none; or NULL: nowhere */
    const char *const *linear;
} ic_output;

/* --------------------------------------------------------------------------------- a case: modes and events */

/** A guard of the mode entered starts at a zero of known order. */
typedef struct ic_departure {
    int guard; /* index in the table of guards of the mode entered */
    int order; /* order of the zero: 1, 2, 3 */
    int side;  /* sign of the guard just after: -1 or +1 */
} ic_departure;

/** One of the ways a jump can go. */
typedef struct ic_branch {
    int mode;                       /* next mode, or IC_SAME_MODE */
    const char *condition;          /* the first branch whose condition is positive is taken; NULL: always */
    const char *const *state;       /* the state after: n expressions of the state before; NULL: unchanged */
    const ic_departure *departures; /* or NULL */
    size_t n_departures;            /* how many */
} ic_branch;

/** Map from the state before an event to the state after it. */
typedef struct ic_jump {
    /* fills x_post, returns the index of the branch taken; x_post and x_pre do not overlap */
    int (*apply)(double *x_post, double t, const double *x_pre, const double *par);
    const ic_branch *branches; /* the ways it can go: `apply` returns an index of this table */
    size_t n_branches;         /* at least 1 */
    bool linear;               /* the branches' conditions and states say all that `apply` does */
} ic_jump;

/** Initializer of a jump whose table of branches (an array) says all that `apply_` does. */
#define IC_LINEAR_JUMP(apply_, table_)                                                                         \
    {                                                                                                          \
        .apply = (apply_), .branches = (table_), .n_branches = IC_COUNT(table_), .linear = true                \
    }

/** Fields of a branch: guard `guard_` of the mode entered starts at a zero of this order. */
#define IC_DEPARTS(guard_, order_, side_)                                                                      \
    .departures = &(const ic_departure){guard_, order_, side_}, .n_departures = 1

/** A function whose crossing of zero ends a mode. */
typedef struct ic_guard {
    const char *name;                                                /* "touch-down" */
    const char *unit;                                                /* unit of the value */
    const char *meaning;                                             /* one line */
    int direction;                                                   /* -1, +1 or 0: contract, clause 1 */
    double (*value)(double t, const double *x, const double *par);   /* g */
    double (*rate)(double t, const double *x, const double *par);    /* dg/dt along the mode's flow */
    double (*enabled)(double t, const double *x, const double *par); /* fires only where > 0; NULL: always */
    const char *linear;                                              /* g as an expression, or NULL */
    const char *linear_enabled;                                      /* `enabled` as an expression, or NULL */
    ic_jump jump;                                                    /* what happens when it fires */
    ic_jump accumulation; /* applied at the limit of infinitely many firings; .apply NULL: IC_ZENO */
} ic_guard;

/**
 * What states keep while a mode lasts, beside the sides of its guards: equalities that its flow preserves and every jump into it
 * establishes ("the masses move together": u3 - u1 = 0, v3 - v1 = 0), or a side that a value keeps.
 */
typedef struct ic_invariant {
    const char *name;    /* "gap" */
    const char *unit;    /* unit of the value */
    const char *meaning; /* one line */
    int side;            /* 0: the value stays 0; +1: it is never negative; -1: never positive */
    double (*value)(double t, const double *x, const double *par); /* of the state */
    const char *linear;                                            /* the same as an expression, or NULL */
} ic_invariant;

/** A smooth vector field with the guards that end it. */
typedef struct ic_mode {
    const char *name;                                                         /* "contact" */
    const char *meaning;                                                      /* one line */
    void (*flow)(double *dxdt, double t, const double *x, const double *par); /* fills dx/dt: n numbers */
    const char *const *linear;      /* n expressions for dx/dt, or NULL: no linear view */
    const ic_guard *guards;         /* in the order in which simultaneous ones fire */
    size_t n_guards;                /* how many */
    bool terminal;                  /* the run is over when this mode is entered */
    const ic_invariant *invariants; /* what states keep in this mode; may be NULL */
    size_t n_invariants;            /* how many */
    /* Energy balance: d(stored)/dt = supplied - dissipated along the flow. All three or none (NULL). */
    double (*stored_energy)(double t, const double *x, const double *par);    /* J */
    double (*supplied_power)(double t, const double *x, const double *par);   /* W, by drives and forcing */
    double (*dissipated_power)(double t, const double *x, const double *par); /* W, >= 0 where physical */
} ic_mode;

/** Something that happens at given times, whatever the state. */
typedef struct ic_time_event {
    const char *name;    /* "strike" */
    const char *meaning; /* one line */
    double (*when)(int n,
                   const double *par); /* s; time of occurrence n = 0, 1, ..., increasing; INFINITY: none */
    const char *linear;                /* the same as an expression in parameters and n, or NULL */
    int occurrences;                   /* how many, where `linear` is given; 0: without end */
    ic_jump jump;                      /* what happens then */
} ic_time_event;

/* -------------------------------------------------------------------------------------- contact-force laws */

/** When a contact begins and ends, for an indentation d and the law's force F: Jonsson, Bathelt & Broman 2005, section 2. */
typedef enum ic_condition {
    IC_CONDITION_A,      /* in contact while d > 0, whatever the force: it may pull */
    IC_CONDITION_B,      /* while F > 0, wherever d is: contact begins above the surface */
    IC_CONDITION_C,      /* from d = 0 until F = 0; then d has to pass 0 again */
    IC_CONDITION_C_STAR, /* while d > 0 and F > 0: the force is max(0, F) below the surface */
    IC_CONDITION_D,      /* as C, with d counted from a surface that recovers after separation */
} ic_condition;

/**
 * What a law promises of its force, for a contact that begins at d = 0 with the speed v0: for all values of its parameters that their ranges and
 * the requirements allow, all v0 > 0, and any mass.
 */
enum {
    IC_LAW_CONTINUOUS_ONSET = 1u << 0, /* the force begins at 0 */
    IC_LAW_NO_TENSION = 1u << 1,       /* a free impact is never pulled back */
    IC_LAW_ONLY_LOSES = 1u << 2,       /* energy is never given */
};

/**
 * Force of a normal contact on an indentation d, its rate v = d', and a memory: one number that the law makes of the speed v0 > 0 at
 * which the contact began, since that is all that laws are known to remember. par[i] is the value of the law's parameter i.
 *
 * The force is continuous in d > 0 and v: at a fixed d it does not depend on the sign of v alone. It depends on its arguments alone. Where d <= 0
 * it is asked as well, and returns 0, unless its condition is B or it leaves it to the condition whether there is contact, as linear
 * springs with dashpots do. Who calls it begins and ends the contact by `condition`; C_STAR alone is cut to max(0, F) by the law itself.
 */
typedef struct ic_law {
    unsigned abi_version; /* IC_ABI_VERSION */
    size_t struct_size;   /* sizeof(ic_law) */
    const char *name;     /* "hunt-crossley" */
    const char *title;    /* one line: the formula */
    const char *source;   /* authors and year */
    const char *basis;    /* what the formula was taken from, where that is not the source itself; or NULL */
    const ic_parameter *parameters;     /* in the order of `par` */
    size_t n_parameters;                /* how many */
    const ic_requirement *requirements; /* in the parameters and v0; may be NULL */
    size_t n_requirements;              /* how many */
    unsigned promises;                  /* IC_LAW_... */
    ic_condition condition;             /* under which the law is meant to act */
    /* the memory of a contact that begins at the speed v0, m/s; NULL: the law has none, and is given 0 */
    double (*remember)(double v0, const double *par);
    const char *memory_unit; /* "s/m"; NULL without a memory */
    /* N, repelling; d in m, v in m/s */
    double (*force)(double d, double v, double memory, const double *par);
    /* N/s; d force/dt where d'' = acceleration, m/s^2 */
    double (*force_rate)(double d, double v, double acceleration, double memory, const double *par);
    /* J; elastic energy held at d: the integral of force(d, 0, memory); NULL: not known */
    double (*stored_energy)(double d, const double *par);
    /*
     * A function with the sign of d force/dt on a free impact of the mass m, kg, that is smooth at the onset. NULL: d force/dt is
     * as good.
     */
    double (*rising)(double d, double v, double m, double memory, const double *par);
    /* its rate along that impact; both or none */
    double (*rising_rate)(double d, double v, double m, double memory, const double *par);
    /* a function with the sign of the force for d > 0 that is smooth at the surface; NULL: the force is as good */
    double (*pushing)(double d, double v, double memory, const double *par);
    /* its rate, as that of the force; both or none */
    double (*pushing_rate)(double d, double v, double acceleration, double memory, const double *par);
    double (*kink)(const double *par); /* m; an indentation at which the force is not smooth; NULL: none */
    double (*reach)(double v, const double *par); /* m; indentation at which contact begins; NULL: 0 */
    /*
     * The law in closed form, as far as it has one: F = f(d) (1 + a v/v0) or F = f(d) + c v, as expressions in the parameters and
     * v0 (elastic, energy: and d). NULL: not of that form.
     */
    const char *stiffness, *power; /* f = K d^n: K, N/m^n, and n */
    const char *elastic, *energy;  /* any other f, N, and its integral, J */
    const char *damping;           /* a */
    const char *restitution;       /* in place of a: the coefficient of restitution that a is made to give */
    const char *dashpot;           /* c, N s/m */
} ic_law;

/** A default of a law's parameter in a case: an expression in the case's parameters. */
typedef struct ic_law_default {
    const char *name;  /* of the law's parameter: "e" */
    const char *value; /* "c_r" */
} ic_law_default;

/** That a variant is one free impact on its law: its certified answers are those of the law. */
typedef struct ic_free_impact {
    const char *mass, *speed;     /* names of parameters: kg, m/s */
    const char *restitution;      /* name of the output whose final value is the coefficient of restitution */
    const char *peak_force;       /* likewise, N */
    const char *peak_indentation; /* likewise, m */
    const char *duration;         /* likewise, s */
} ic_free_impact;

/** An output's value where it depends on the law. */
typedef struct ic_output_value {
    const char *output;                                                      /* its name */
    double (*value)(double t, const double *x, int mode, const double *par); /* in its unit */
} ic_output_value;

/**
 * One way to close the model: a transition condition, a contact model, a form of the equations.
 * Mode numbers mean the same in all variants of a case.
 *
 * A variant on a contact-force law has the law's parameters after the case's own, in the law's order, so that the law is given
 * par + n_parameters of the case; and the law's memory as a state after the case's own. A parameter of the law with the name
 * of one of the case's takes its value, unless `law_defaults` of the case says otherwise.
 */
typedef struct ic_variant {
    const char *name;                     /* "C" */
    const char *meaning;                  /* one line */
    const ic_mode *modes;                 /* by mode number */
    size_t n_modes;                       /* at least 1 */
    ic_jump start;                        /* initial state and mode from t and the parameters; x_pre is NULL */
    const ic_time_event *time_events;     /* may be NULL */
    size_t n_time_events;                 /* how many */
    const ic_law *law;                    /* or NULL */
    const ic_output_value *output_values; /* in place of those of the case's outputs; with a law only */
    size_t n_output_values;               /* how many */
    const ic_free_impact *free_impact;    /* or NULL; then there is a law */
} ic_variant;

/** A named set of parameter values. */
typedef struct ic_preset {
    const char *name;     /* "III/C"; the path is case/preset */
    const char *variant;  /* "C" */
    const char *settings; /* what differs from the defaults: "k=2e8, omega=80pi" */
    const char *until;    /* default end of a run, an expression in parameters, s */
    const char *meaning;  /* one line, with its source */
} ic_preset;

/** From where random problems take a parameter. */
typedef struct ic_draw {
    const char *parameter; /* name */
    double from, to;       /* in its unit */
    bool logarithmic;      /* evenly in the logarithm; from > 0 */
} ic_draw;

/* ------------------------------------------------------------------------------------------- planar impact */

/** An impact, as it begins. */
typedef struct ic_impact {
    double v[2];             /* m/s; relative velocity of the points in contact, v[1] < 0: they approach */
    double w_xx, w_xy, w_yy; /* 1/kg; inverse mass matrix at the contact */
    double mu;               /* coefficient of friction, >= 0 */
    double e;                /* coefficient of restitution, in [0, 1] */
    double k_x, k_y; /* N/m; stiffness of a compliant contact, > 0; rigid impact maps do not look at it */
} ic_impact;

/** States of a case with an impact view, in this order. */
enum {
    IC_IMPACT_X,   /* m; tangential deflection */
    IC_IMPACT_Y,   /* m; normal deflection, negative in contact */
    IC_IMPACT_X_S, /* m; position of the massless sledge that carries the contact springs */
    IC_IMPACT_P_X, /* N s; impulse */
    IC_IMPACT_P_Y, /* N s */
    IC_IMPACT_TAU, /* 1; time in contact times sqrt(k_y/m); does not pass in a rigid impact */
    IC_IMPACT_D_0, /* J; part of D_N, the energy taken from the normal motion, that the normal spring does not hold */
    IC_IMPACT_P_C, /* N s; P_y at the end of compression; 0 before, and in the regularized model */
    IC_IMPACT_D_C, /* J; D_N at the end of compression; likewise */
    IC_IMPACT_STATES
};

/** Modes of a case with an impact view. Regularized: springs on a sledge; rigid: F_y serves as the clock. */
enum {
    IC_IMPACT_STICKING,
    IC_IMPACT_SLIDING_PLUS,  /* sledge moves to +x */
    IC_IMPACT_SLIDING_MINUS, /* sledge moves to -x */
    IC_IMPACT_LIFTED_OFF,    /* terminal */
    IC_IMPACT_RIGID_STICKING,
    IC_IMPACT_RIGID_PLUS,
    IC_IMPACT_RIGID_MINUS,
    IC_IMPACT_MODES
};

/** Name of a guard of such modes: sticking ends, and the sledge moves to +x. */
#define IC_IMPACT_SLIP_PLUS "slip+"
/** Sticking ends, and the sledge moves to -x. */
#define IC_IMPACT_SLIP_MINUS "slip-"
/** Sliding ends. */
#define IC_IMPACT_STOP "stop"
/** The points in contact approach no longer: v_y = 0. */
#define IC_IMPACT_COMPRESSION_END "compression-end"
/** The impact is over. */
#define IC_IMPACT_LIFT_OFF "lift-off"

/** A corner of the path through the impulse plane. The first is at P = 0, the last is the result. */
typedef struct ic_impact_point {
    const char *event; /* "start", or the name of a guard above */
    int mode;          /* IC_IMPACT_RIGID_..., in which the path goes on; IC_IMPACT_LIFTED_OFF at the end */
    double P[2];       /* N s */
    double v[2];       /* m/s */
    double D_N;        /* J; energy taken from the normal motion so far: -integral v_y dP_y */
} ic_impact_point;

/** Most corners: start, stop, end of compression, lift-off. */
#define IC_IMPACT_CORNERS 4

/** An impact, as it ends. */
typedef struct ic_impact_result {
    double v[2]; /* m/s */
    double P[2]; /* N s */
    double
        D_N; /* J; energy taken from the normal motion; with D_T the kinetic energy lost; negative: created; 0 where a map does not tell it */
    double D_T;                              /* J; energy taken from the tangential motion; likewise */
    ic_impact_point path[IC_IMPACT_CORNERS]; /* through the impulse plane, from P = 0 to the result */
    size_t n_path;                           /* at least 2; 0 where a map does not tell its path */
} ic_impact_result;

/**
 * A rigid impact map: velocity before to velocity after, by a hypothesis. It fills v and P; D_N, D_T and the path if it can. Its answer
 * depends on the impact alone.
 */
typedef struct ic_impact_map {
    unsigned abi_version; /* IC_ABI_VERSION */
    size_t struct_size;   /* sizeof(ic_impact_map) */
    const char *name;     /* "stronge" */
    const char *title;    /* one line */
    const char *source;   /* reference to the hypothesis */
    /* IC_OK, or IC_INVALID for an impact that is none: v[1] >= 0, W not positive definite, mu < 0, e outside [0, 1] */
    ic_status (*map)(ic_impact_result *result, const ic_impact *impact);
} ic_impact_map;

/* -------------------------------------------------------------------------------------------------- a case */

/**
 * Which of a case's modes and outputs are a contact. With it, audits of trajectories check penetration, rest, adhesion, momentum and the
 * file's own contact force.
 */
typedef struct ic_contact_view {
    int contact;       /* mode number: the bodies touch */
    int free;          /* mode number: they are apart */
    const char *gap;   /* name of the output, m, that is negative where the bodies overlap; NULL: none */
    const char *force; /* name of the output, N, that is positive where the contact pushes; NULL: none */
    bool rigid;        /* the bodies do not overlap */
    /* the jump by which contact begins sets the derived states to what they are at first touch */
    bool recovers;
    /* names of states that follow from the others: what the contact remembers, what is kept for outputs, drives; NULL ends them, or
     * stands for none. Foreign trajectories need not have them. The memory of a law is one by itself */
    const char *const *derived;
} ic_contact_view;

/** A case. The foot of each file in cases/ is one constant of this type. */
typedef struct ic_case {
    unsigned abi_version;               /* IC_ABI_VERSION */
    size_t struct_size;                 /* sizeof(ic_case) */
    const char *name;                   /* "roller" */
    const char *title;                  /* one line */
    const char *source;                 /* reference to the paper */
    const ic_parameter *parameters;     /* in the order of `par` */
    size_t n_parameters;                /* how many */
    const ic_requirement *requirements; /* may be NULL */
    size_t n_requirements;              /* how many */
    const ic_state *states;             /* in the order of `x` */
    size_t n_states;                    /* 1 to IC_MAX_STATES */
    const char *states_used;  /* how many of them, from the first on, an expression in parameters; NULL: all */
    const ic_output *outputs; /* may be NULL */
    size_t n_outputs;         /* how many */
    const ic_variant *variants;         /* the ways to close the model */
    size_t n_variants;                  /* at least 1 */
    const ic_preset *presets;           /* the first is the default */
    size_t n_presets;                   /* at least 1 */
    const ic_law_default *law_defaults; /* may be NULL */
    size_t n_law_defaults;              /* how many */
    const ic_draw *draws;               /* random problems that every solver is held against; may be NULL */
    size_t n_draws;                     /* how many */
    const char *time_scale;             /* typical time, an expression in parameters, s */
    const char *period; /* period of the forcing, an expression in parameters, s; NULL: autonomous */
    /* the impact that the case is about, with the states and modes listed there; NULL: no planar impact */
    void (*impact)(ic_impact *impact, const double *par);
    /* the contact that the case is about; NULL: none that an audit could look at */
    const ic_contact_view *contact;
} ic_case;

/* ------------------------------------------------------------------------------------- problem and options */

/**
 * What a solver is given: a case with all its choices made. There is no pointer to an answer in it.
 * Pointers are borrowed and outlive the call.
 */
typedef struct ic_problem {
    const ic_case *system;       /* the case */
    const ic_variant *variant;   /* the one of its variants that is solved */
    const double *par;           /* n_parameters values */
    const char *const *par_text; /* the same, exact, as text */
    double t_start;              /* s; exact */
    double t_end;                /* s */
    const char *t_end_text;      /* exact t_end, an expression in parameters; NULL: t_end itself is exact */
    const double *x_start;       /* start from this state in mode `mode_start`; NULL: from variant->start */
    int mode_start;              /* mode number; with x_start only */
} ic_problem;

/** Events that a run has beside those of its case; further below. */
typedef struct ic_event_set ic_event_set;

/** How to solve it. Zero in a field asks for the default, which is named here. */
typedef struct ic_options {
    double rtol;      /* relative tolerance of adaptive solvers; 1e-9 */
    double step;      /* s; step of fixed-step solvers, time_scale/1000; adaptive ones: no cap */
    double event_tol; /* s; width to which an event time is located; 1e-13 time_scale */
    double max_steps; /* steps and events before IC_TOO_MUCH_WORK; 1e8 */
    size_t samples;   /* equidistant samples from t_start to t_end, ends included; 0: none */
    bool extremes;    /* follow minimum and maximum of each output */
    ic_event_set
        *events; /* beside those of the case; borrowed; NULL: none. Solvers on the common event loop take it */
} ic_options;

/* ------------------------------------------------------------------------------------------------- the log */

/** What a solver did. Counts that a solver does not keep are NAN. */
typedef struct ic_work {
    double flow_calls;      /* evaluations of dx/dt */
    double guard_calls;     /* values and rates */
    double steps;           /* that were taken */
    double rejected_steps;  /* that were tried and given up */
    double root_iterations; /* in the search for crossings */
} ic_work;

/** What made an event happen. */
typedef enum ic_event_kind {
    IC_EVENT_GUARD,        /* a guard crossed zero */
    IC_EVENT_TIME,         /* it was due */
    IC_EVENT_ACCUMULATION, /* infinitely many firings of a guard came to their limit: contract, clause 6 */
} ic_event_kind;

/** An event. */
typedef struct ic_event {
    ic_event_kind kind;   /* what made it happen */
    const char *name;     /* of the guard or the time event */
    double t;             /* s */
    int sequence;         /* 0 for the first event at its instant */
    int mode_from;        /* mode number before */
    int mode_to;          /* mode number after */
    const double *x_pre;  /* n_states */
    const double *x_post; /* n_states */
} ic_event;

/** A state at a time. */
typedef struct ic_sample {
    double t;        /* s */
    int mode;        /* mode number */
    const double *x; /* n_states */
} ic_sample;

/** Something worth knowing that is no event. */
typedef enum ic_note_kind {
    IC_NOTE_GRAZING,  /* a guard came to zero so flatly that a touch and a pair of crossings look alike */
    IC_NOTE_FALLBACK, /* the solver's own event step was not safe; another was used */
} ic_note_kind;

/** A note. */
typedef struct ic_note {
    ic_note_kind kind; /* what is worth knowing */
    double t;          /* s */
    const char *guard; /* name of the guard that it is about */
} ic_note;

/** Least and greatest value of an output over a run, with one-sided limits at events included. */
typedef struct ic_extreme {
    double min;   /* least value, in the output's unit; NAN where it never existed */
    double t_min; /* s; when */
    double max;   /* greatest value; likewise */
    double t_max; /* s; when */
    double final; /* value at the end */
} ic_extreme;

/** All that a solver says of one run. */
typedef struct ic_log ic_log;

/** A new, empty log, or NULL: memory ran out. The problem is borrowed, and outlives the log. Release it with ic_log_free. */
ic_log *ic_log_new(const ic_problem *problem);
/** Release a log with all that was read from it; NULL is allowed. */
void ic_log_free(ic_log *log);

/** A solver says: an event, which is copied with its states. IC_OK or IC_NO_MEMORY. */
ic_status ic_log_event(ic_log *log, const ic_event *event);
/** A solver says: the state x, n_states numbers, which are copied, at the time t, s, of a sample. IC_OK or IC_NO_MEMORY. */
ic_status ic_log_sample(ic_log *log, double t, int mode, const double *x);
/** A solver says: something worth knowing at t, s; the guard's name is borrowed from the case. IC_OK or IC_NO_MEMORY. */
ic_status ic_log_note(ic_log *log, ic_note_kind kind, double t, const char *guard);
/** Offer a state at t, s, to the extremes of all outputs. */
void ic_log_extremes(ic_log *log, double t, int mode, const double *x);
/** Where the run ended: t in s; x is copied. */
void ic_log_final(ic_log *log, double t, int mode, const double *x);
/** The log's own counters, to be added to. */
ic_work *ic_log_work(ic_log *log);
/** Say what went wrong, printf style, for people. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
void ic_log_message(ic_log *log, const char *format, ...);

/** The problem that the log is about. What this and the functions below point to is the log's: valid until the next write or ic_log_free. */
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
/** Where the run ended; mode -1: it did not come so far. */
ic_sample ic_log_end(const ic_log *log);
/** Extremes of output number `output`; NAN where the options did not ask for them. */
ic_extreme ic_log_extreme(const ic_log *log, size_t output);
/** The message, or "". */
const char *ic_log_text(const ic_log *log);

/* ------------------------------------------------------------------------------------------------- a solver */

/** What a solver needs of a case. */
enum {
    IC_NEEDS_FLOW = 1u << 0,        /* dx/dt as a function */
    IC_NEEDS_GUARD_RATE = 1u << 1,  /* rates of the guards */
    IC_NEEDS_LINEAR_VIEW = 1u << 2, /* flows, guards and jumps as text */
    IC_NEEDS_IMPACT_VIEW = 1u << 3, /* `impact` of the case */
};

/** Clause number `n_` of the event contract, as a bit. */
#define IC_CLAUSE(n_) (1u << (n_))

/** Number of clauses. */
#define IC_CLAUSES 11

/** What sets a solver's accuracy. */
typedef enum ic_control {
    IC_CONTROL_STEP, /* the options' step */
    IC_CONTROL_RTOL, /* the options' rtol */
    IC_CONTROL_NONE, /* nothing: it is exact up to rounding */
} ic_control;

/** A solver. The foot of each file in solvers/ is one constant of this type. */
typedef struct ic_solver {
    unsigned abi_version; /* IC_ABI_VERSION */
    size_t struct_size;   /* sizeof(ic_solver) */
    const char *name;     /* "rk4_henon" */
    const char *title;    /* one line */
    const char *source;   /* reference to the method */
    unsigned needs;       /* IC_NEEDS_... */
    int order; /* order that it claims in step or tolerance; 0: exact up to rounding, or it varies with the tolerance */
    ic_control control;  /* what sets its accuracy */
    const char *variant; /* the only variant whose model it solves; it is run on that one. NULL: any */
    /* it applies jumps at the end of the step in which it notices a crossing: outside the event contract, and held to none of it */
    bool steps_over_events;
    unsigned clauses_not_kept; /* of the event contract: IC_CLAUSE(7) | ... */
    /* what to ask of it: an rtol of this many times the error that is wanted of a run of a few typical times; 0: as much */
    double rtol_per_error;
    /*
     * The log depends on problem and options alone. They are read only, and valid during the call. Events are logged in order; then, or as they are
     * passed, samples, in order as well, as exact as the steps; and ic_log_final once, whatever the status, at t_end, at a terminal event,
     * or where the run had to stop. An audit asks for a step or an rtol, by `control`, of every solver.
     */
    ic_status (*solve)(ic_log *log, const ic_problem *problem, const ic_options *options);
} ic_solver;

/* ------------------------------------------------------------------------------------- a rigid-body engine */

/** What moves in a scene. Its mass is spread so that the centre of mass is the middle. */
typedef enum ic_scene_body {
    IC_SCENE_BALL, /* a ball of `radius`; it does not feel that it is round but in its inertia: the contact is below its centre */
    IC_SCENE_BAR, /* a thin bar of `length`; of its two ends only the lower tip touches: a point */
} ic_scene_body;

/**
 * A body in the plane, at a time. x points to the right, y up, the ground is y = 0. (x, y) is the centre of mass.
 *
 * phi and omega are counted clockwise. Of the ball phi is the angle that it has turned; of the bar the angle from the ground's normal, the
 * y axis, to the line from the lower tip to the centre, so that with half the length h
 *
 *     tip = (x - h sin phi, y - h cos phi),     velocity of the tip = (vx - h omega cos phi, vy + h omega sin phi).
 *
 * An impulse (P_x, P_y) of the ground on a point at (r_x, r_y) from the centre changes vx by P_x/m, vy by P_y/m, and omega by
 * (r_y P_x - r_x P_y)/inertia; that point moves with (vx + r_y omega, vy - r_x omega).
 */
typedef struct ic_body_row {
    double t;      /* s */
    double x, y;   /* m */
    double phi;    /* rad; clockwise */
    double vx, vy; /* m/s */
    double omega;  /* rad/s; clockwise */
} ic_body_row;

/** A scene: one body above the ground, which does not move. */
typedef struct ic_scene {
    ic_scene_body body; /* what moves */
    double e;           /* 1; coefficient of restitution that is asked for, in [0, 1] */
    double mu;          /* 1; coefficient of friction, >= 0 */
    double gravity;     /* m/s^2; downward, >= 0: of the ball; the bar has none */
    double mass;        /* kg */
    double inertia;     /* kg m^2; about the centre of mass, in the plane */
    double radius;      /* m; of the ball; 0 for the bar */
    double length;      /* m; of the bar; 0 for the ball */
    double
        step; /* s; from one row to the next. An engine may take smaller steps in between, and should not take larger ones */
    double until;      /* s; the last row is at this time or less than a step after it */
    ic_body_row start; /* at t = 0 */
} ic_scene;

/** Takes one row, which is copied. false: no more are wanted, and the engine has to return IC_IO. */
typedef bool ic_row_taker(void *context, const ic_body_row *row);

/**
 * An engine: it moves one rigid body and lets it hit the ground, by whatever method. `run` hands the start and then the state at the end of
 * every step to `take`, with times that grow, and returns IC_OK; IC_INVALID for a scene that it cannot play. What `scene` and
 * `context` point to belongs to the caller and is valid during the call. Each scene is played in a new process.
 */
typedef struct ic_rigid_engine {
    unsigned abi_version; /* IC_ABI_VERSION */
    size_t struct_size;   /* sizeof(ic_rigid_engine) */
    const char *name;     /* "my-engine" */
    const char *title;    /* one line */
    const char *source;   /* reference to the method */
    /* plays a scene, and hands each row to `take` with `context` */
    ic_status (*run)(const ic_scene *scene, ic_row_taker *take, void *context);
} ic_rigid_engine;

/* ------------------------------------------------------------------------------------------------ a plugin */

/**
 * What a shared library hands to `impactcheck audit --plugin`: laws, impact maps, solvers and engines, any of them. A table that is empty is
 * NULL with the count 0.
 *
 * Ownership: the library owns all that is pointed to, and keeps it unchanged as long as it is loaded; nothing is freed by
 * the reader. What its functions are given belongs to the caller, and is valid during the call only.
 *
 * Threading: one thread calls one function at a time. Each law, map, solver and engine is audited in a process of its own, so that
 * state which one leaves behind is not seen by another; a law's `force`, a map and a solver's answer must depend on their arguments alone.
 *
 * Checked when it is loaded: abi_version and struct_size, here and in each law, map, solver and engine; names; functions that may
 * not be NULL. A solver calls ic_log_... above, which the program that loads it provides: link the library against nothing.
 */
typedef struct ic_plugin {
    unsigned abi_version;                    /* IC_ABI_VERSION */
    size_t struct_size;                      /* sizeof(ic_plugin) */
    const char *name;                        /* for people: "mine 1.2" */
    const ic_law *const *laws;               /* contact-force laws */
    size_t n_laws;                           /* how many */
    const ic_impact_map *const *impact_maps; /* rigid impact maps */
    size_t n_impact_maps;                    /* how many */
    const ic_solver *const *solvers;         /* solvers of cases */
    size_t n_solvers;                        /* how many */
    const ic_rigid_engine *const *engines;   /* rigid-body engines */
    size_t n_engines;                        /* how many */
} ic_plugin;

/** The one function that a plugin exports. Called once, after loading; the result lives as long as the library is loaded. */
#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
const ic_plugin *
impactcheck_plugin(void);

/* ------------------------------------------------------------------------------------------------ the library */

/*
 * What a program that links libimpactcheck begins with. A case or a solver of one's own needs no registration: wherever a built-in one is
 * named by a pointer, one's own may stand. Nothing global is written; threads may do all of this side by side, each with its own objects.
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
 * examples/outside is such a program, with a case and a solver of its own.
 */

/** What was wrong, where, and what would be right, for people. */
typedef struct ic_error {
    char text[512]; /* a sentence, ended by a zero byte */
} ic_error;

/** Version of the library: "0.1.0". It is never freed. */
const char *ic_version(void);

/** The built-in case of this name; NULL: there is none. What is built in is the library's, and lives as long as it is loaded. */
const ic_case *ic_case_find(const char *name);
/** The built-in solver of this name; NULL: there is none. */
const ic_solver *ic_solver_find(const char *name);
/** The built-in contact-force law of this name; NULL: there is none. */
const ic_law *ic_law_find(const char *name);
/** The built-in rigid impact map of this name; NULL: there is none. */
const ic_impact_map *ic_impact_map_find(const char *name);

/** Built-in case number i, from 0 on; NULL behind the last. */
const ic_case *ic_case_at(size_t i);
/** Built-in solver number i, from 0 on; NULL behind the last. */
const ic_solver *ic_solver_at(size_t i);
/** Built-in contact-force law number i, from 0 on; NULL behind the last. */
const ic_law *ic_law_at(size_t i);
/** Built-in rigid impact map number i, from 0 on; NULL behind the last. */
const ic_impact_map *ic_impact_map_at(size_t i);

/**
 * Whether a case can be read at all: its version, what may not be NULL, modes, branches and departures that exist. false: `error`, which may
 * be NULL, says what and where. Whether its flows, rates and texts agree is not seen.
 */
bool ic_case_check(const ic_case *system, ic_error *error);

/** The choices that make a problem of a case. Zero in a field asks for what is named here. */
typedef struct ic_choices {
    const char *preset;          /* by name: "III/C"; the first */
    const char *variant;         /* by name; the preset's */
    const char *const *settings; /* n_settings of them, each NAME=VALUE: "omega=80pi"; what the preset says */
    size_t n_settings;           /* how many */
    const char *until; /* end of the run, s, an expression in parameters: "20*2*pi/omega"; the preset's */
    const ic_solver *
        solver; /* one made for a single variant brings that; any solver is told to be wrong for the case, if it is */
} ic_choices;

/** A problem that owns all that it points to, but the case. */
typedef struct ic_instance ic_instance;

/**
 * Make a problem. NULL: `error`, which may be NULL, says what was wrong. The case is checked by ic_case_check, is borrowed, and outlives
 * the instance; so do laws that it names. `choices` may be NULL. Release the instance with ic_instance_free, after its logs.
 */
ic_instance *ic_instance_new(const ic_case *system, const ic_choices *choices, ic_error *error);
/** Release a problem; NULL is allowed. */
void ic_instance_free(ic_instance *instance);

/** The problem itself, valid until ic_instance_free. */
const ic_problem *ic_instance_problem(const ic_instance *instance);

/**
 * Solve the log's problem, and let the log hold what comes out. A log takes one run. `options` may be NULL: all defaults. IC_INVALID: the
 * solver is of another version of this header, lacks what it may not, or the options are no numbers that make sense; whatever is not
 * IC_OK, ic_log_text says more, where there is more to say.
 */
ic_status ic_run(ic_log *log, const ic_solver *solver, const ic_options *options);

/* ------------------------------------------------------------------------------ events made at run time */

/*
 * Observers watch a function of time, state and its rates; time events are due at times, and timers after intervals. All of them can be made,
 * armed, disarmed and removed before a run and, by handlers, while it goes on: Kecskemethy & Lange 1999, section 4. They go through the same
 * loop as the guards, jumps and time events of a case, and what is written of those in the event contract holds for them.
 *
 *     ic_event_set *events = ic_event_set_new();
 *     const ic_observer apex = {.name = "apex", .direction = -1, .value = speed, .handler = count, .context = &n};
 *     ic_status status = ic_observe(events, &apex, NULL);
 *     const ic_options options = {.events = events};
 *     status = ic_run(log, solver, &options);
 *     ...
 *     ic_event_set_free(events);
 *
 * A set serves one run. It is changed by whoever made it before the run, and by handlers during it; other functions that a run
 * calls are refused. What is refused leaves the set as it was, returns IC_INVALID, and ic_event_set_text says why. examples/outside/observers.c is a
 * whole program.
 */

/** A new set without events, or NULL. Release it with ic_event_set_free, after the run. */
ic_event_set *ic_event_set_new(void);
/** Release a set and what is in it, never while its run is on. NULL is allowed. */
void ic_event_set_free(ic_event_set *set);

/** One event of a set, for as long as that exists. Never given twice by a set; 0 is none. */
typedef unsigned long long ic_event_id;

/** What an observer sees. */
typedef struct ic_moment {
    double t;                  /* s */
    const double *x;           /* state, n_states */
    const double *dxdt;        /* its rate by the mode's flow; NULL for an observer that does not ask for it */
    int mode;                  /* in which the run is */
    const ic_problem *problem; /* that is solved; parameters: problem->par */
} ic_moment;

/** What a handler is given, and may change. Valid during the call. */
typedef struct ic_firing {
    ic_event_set *events;      /* the set, which the handler may change */
    ic_event_id id;            /* of what fires */
    const ic_problem *problem; /* that is solved; parameters: problem->par */
    double t;                  /* s */
    int mode;                  /* before */
    const double *x;           /* state before, n_states */
    int mode_post;             /* after; as before, until the handler writes something else */
    double *x_post;            /* state after, n_states; likewise */
    bool stop;                 /* false; true: the run is over, at this time and in the state after */
} ic_firing;

/**
 * Called when an event of a set fires. It may change state and mode, and the set: make, arm, disarm and remove events, itself too.
 * Whatever is not IC_OK stops the run, with that status.
 */
typedef ic_status ic_handler(ic_firing *firing, void *context);

/** Watches a function; copied, but for its name and its context, which outlive set and log. */
typedef struct ic_observer {
    const char *name; /* in the log */
    int direction;    /* -1, +1 or 0: contract, clause 1 */
    /* the function, in any unit; smooth along the flow of each mode */
    double (*value)(const ic_moment *now, void *context);
    /* d value/dt along the flow; NULL: by differences along the flow, to some 1e-10 of it */
    double (*rate)(const ic_moment *now, void *context);
    double (*enabled)(const ic_moment *now, void *context); /* fires only where > 0; NULL: always */
    bool sees_rates;                                        /* these functions want dxdt */
    ic_handler *handler;                                    /* NULL: the event is logged, and nothing changes */
    /* called at the limit of infinitely many firings that change something: clause 6; NULL: IC_ZENO */
    ic_handler *accumulated;
    void *context; /* handed to all of them */
} ic_observer;

/** What happens at a time; copied, but for its name and its context, which outlive set and log. */
typedef struct ic_timed {
    const char *name;    /* in the log */
    ic_handler *handler; /* NULL: the event is logged, and nothing changes */
    void *context;       /* handed to it */
} ic_timed;

/**
 * Watch a function from now on. `id`, which may be NULL, gets what names the observer. IC_INVALID: no name, no value, a direction
 * other than -1, 0 and 1. IC_UNSUPPORTED: the solver of the run cannot follow observers, as those cannot that know guards by their texts
 * alone; before the run, ic_run says so. IC_NO_MEMORY.
 */
ic_status ic_observe(ic_event_set *set, const ic_observer *observer, ic_event_id *id);

/**
 * A time event, due once at t, s. A time that is now is due at this instant, after what is due already. IC_INVALID: no name, a time that
 * is past or no number. IC_NO_MEMORY.
 */
ic_status ic_schedule(ic_event_set *set, const ic_timed *timed, double t, ic_event_id *id);

/**
 * A timer, due every `interval`, s, counted from now, or from the start of the run; `occurrences` times, or without end for 0. IC_INVALID: no
 * name, an interval that is not positive or drowns in the rounding of time. IC_NO_MEMORY.
 */
ic_status ic_start_timer(ic_event_set *set, const ic_timed *timed, double interval, unsigned long occurrences,
                         ic_event_id *id);

/**
 * Arm an event again. What is armed stays so. A timer goes on with its next time, as if it had never stopped; occurrences that
 * have passed count. IC_INVALID: it does not exist, since it was removed or was due for the last time; or its time is past.
 */
ic_status ic_event_arm(ic_event_set *set, ic_event_id id);
/** Disarm an event: it does not fire, until it is armed again. IC_INVALID: it does not exist. */
ic_status ic_event_disarm(ic_event_set *set, ic_event_id id);
/** Remove an event, once and for all. IC_INVALID: it does not exist. */
ic_status ic_event_remove(ic_event_set *set, ic_event_id id);

/** Whether it has been made, and neither removed nor due for the last time. */
bool ic_event_exists(const ic_event_set *set, ic_event_id id);
/** Whether it exists and is armed. */
bool ic_event_is_armed(const ic_event_set *set, ic_event_id id);
/** How many there are, armed or not. */
size_t ic_event_set_count(const ic_event_set *set);
/** Why something was last refused, or "". */
const char *ic_event_set_text(const ic_event_set *set);

#ifdef __cplusplus
}
#endif

#endif
