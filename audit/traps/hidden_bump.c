/* SPDX-License-Identifier: MIT */
/**
 * A pendulum swings through a bump b that is narrow beside the swing:
 *
 *     x' = v,    v' = -x,    z' = v b(x),    x = 1, v = 0, z = 0 at t = 0;    z = F(x) - F(1),    F' = b
 *
 * With odd F, z = -F(1) at t = pi/2, and the swing ends at x = -1, z = -2 F(1). At the start b is below the
 * smallest number (exp(-(x/s)^2), s = 1/20), is 1 - 1 by rounding (1 - tanh(x/s)^2), is 1e-40 (1/(1 + (10 x)^40)),
 * or has a zero of order 120 ((1 - x^2)^60): a solver that chooses its first step by what the flow shows there, by
 * coefficients of its series or by stages of its steps, passes the bump without noticing it.
 */
#include "audit/solver/traps.h"

#include <math.h>

enum { X, V, Z };

static const ic_state states[] = {
    {"x", "1", "angle", "1"}, {"v", "1", "velocity", "1"}, {"z", "1", "integral of the bump", "0.1"}};

/* The kind of the bump. */
static const ic_parameter parameters[] = {{"underflow", "1", "factor of exp(-(x/s)^2)", "0", "{0, 1}"},
                                          {"saturated", "1", "factor of 1 - tanh(x/s)^2", "0", "{0, 1}"},
                                          {"quotient", "1", "factor of 1/(1 + (10 x)^40)", "0", "{0, 1}"},
                                          {"power", "1", "factor of (1 - x^2)^60", "0", "{0, 1}"}};

/* F(1), the integrals of half of the bumps. */
#define UNDERFLOW 0.0443113462726379006824541870835
#define SATURATED 0.0499999999999999995751645744708
#define QUOTIENT 0.100102882414270852189931036033
#define POWER 0.113702486178572165735265246942

static double bump(double x, const double *factors)
{
    const double tanh_x = tanh(20 * x);
    return factors[0] * exp(-400 * x * x) + factors[1] * (1 - tanh_x * tanh_x) +
           factors[2] / (1 + pow(10 * x, 40)) + factors[3] * pow(1 - x * x, 60);
}

IC_TRAP_FLOW(flow, x[V], -x[X], x[V] * bump(x[X], par))
IC_TRAP_VALUE(half, x[Z] + UNDERFLOW * par[0] + SATURATED * par[1] + QUOTIENT * par[2] + POWER * par[3])
IC_TRAP_VALUE(half_rate, x[V] * bump(x[X], par))
IC_TRAP_LEAP(pass, 0, ("x", "v", "z"), x[X], x[V], x[Z])
IC_TRAP_LEAP(start, 0, ("1", "0", "0"), 1, 0, 0)

/* The flow, and the guard, as operations. */
#define NUMBER(value)                                                                                          \
    {                                                                                                          \
        IC_OP_NUMBER, -1, -1, -1, (value)                                                                      \
    }
#define TWO(operation, a, b)                                                                                   \
    {                                                                                                          \
        IC_OP_##operation, (a), (b), -1, 0                                                                     \
    }
#define ONE(operation, a)                                                                                      \
    {                                                                                                          \
        IC_OP_##operation, (a), -1, -1, 0                                                                      \
    }
/* clang-format off */
static const ic_equation_term terms[] = {
    ONE(STATE, X), ONE(STATE, V), ONE(STATE, Z), ONE(NEGATE, 0),                             /* 0 - 3 */
    ONE(PARAMETER, 0), ONE(PARAMETER, 1), ONE(PARAMETER, 2), ONE(PARAMETER, 3),              /* 4 - 7 */
    NUMBER(20), NUMBER(2), NUMBER(1), NUMBER(10), NUMBER(40), NUMBER(60),                    /* 8 - 13 */
    TWO(MULTIPLY, 0, 8), TWO(POWER, 14, 9), ONE(NEGATE, 15), ONE(EXP, 16), TWO(MULTIPLY, 4, 17),
    ONE(TANH, 14), TWO(POWER, 19, 9), TWO(SUBTRACT, 10, 20), TWO(MULTIPLY, 5, 21),           /* 19 - 22 */
    TWO(MULTIPLY, 0, 11), TWO(POWER, 23, 12), TWO(ADD, 10, 24), TWO(DIVIDE, 6, 25),          /* 23 - 26 */
    TWO(MULTIPLY, 0, 0), TWO(SUBTRACT, 10, 27), TWO(POWER, 28, 13), TWO(MULTIPLY, 7, 29),    /* 27 - 30 */
    TWO(ADD, 18, 22), TWO(ADD, 31, 26), TWO(ADD, 32, 30), TWO(MULTIPLY, 1, 33),              /* 31 - 34 */
    NUMBER(UNDERFLOW), NUMBER(SATURATED), NUMBER(QUOTIENT), NUMBER(POWER),                   /* 35 - 38 */
    TWO(MULTIPLY, 4, 35), TWO(MULTIPLY, 5, 36), TWO(MULTIPLY, 6, 37), TWO(MULTIPLY, 7, 38),  /* 39 - 42 */
    TWO(ADD, 2, 39), TWO(ADD, 43, 40), TWO(ADD, 44, 41), TWO(ADD, 45, 42)};                  /* 43 - 46 */
/* clang-format on */
static const int results[] = {1, 3, 34, 46};
static const ic_equations equations = {terms, IC_COUNT(terms), results, IC_COUNT(results), NULL};

static const ic_guard guards[] = {
    IC_TRAP_EVENT("half", "1", "half of the bump is behind", -1, half, half_rate, NULL, pass)};
static const ic_mode modes[] = {
    {IC_TRAP_MODE("swing", "the pendulum swings", flow, NULL, guards), .equations = &equations}};
static const ic_variant variants[] = {{IC_TRAP_VARIANT("swing", "one swing", modes, start)}};
static const ic_preset presets[] = {{"underflow", "swing", "underflow=1", "pi", "exp(-(x/s)^2)"},
                                    {"saturated", "swing", "saturated=1", "pi", "1 - tanh(x/s)^2"},
                                    {"quotient", "swing", "quotient=1", "pi", "1/(1 + (10 x)^40)"},
                                    {"power", "swing", "power=1", "pi", "(1 - x^2)^60"}};

static const ic_case system = {
    IC_TRAP_CASE("hidden-bump", "A bump that the start does not show", "chebfun/chebfun#1512"),
    IC_TRAP_TABLES(states, variants, presets), IC_TRAP_PARAMETERS(parameters), .time_scale = "1"};

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "half", 1.57079632679489661923132169164, 0}};

/* dz/dt = -1 at the event; z is a function of x with a slope of at most 1, in scales 10. */
#define RUN(name, half_of_bump)                                                                                \
    {                                                                                                          \
        .preset = (name), IC_TRAP_EVENTS(events), .end = {-1, 0, -2 * (half_of_bump)}, .dt = 10, .dx = 10,     \
        .fastest = 0.05                                                                                        \
    }
static const ic_trap_run runs[] = {RUN("underflow", UNDERFLOW), RUN("saturated", SATURATED),
                                   RUN("quotient", QUOTIENT), RUN("power", POWER)};

IC_TRAP_OF(hidden_bump, "a term that vanishes where a step begins is not seen within it",
           "chebfun/chebfun#1512, qutip/qutip#2814, SDXorg/pysd#7",
           .mistakes = {[IC_SYMPTOM_TIME] = IC_MISTAKE_COARSE_STEPS,
                        [IC_SYMPTOM_MISSING] = IC_MISTAKE_COARSE_STEPS,
                        [IC_SYMPTOM_END] = IC_MISTAKE_COARSE_STEPS});
