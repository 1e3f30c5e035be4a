/* SPDX-License-Identifier: MIT */
/**
 * A pendulum x'' = -x swings through a bump b that is narrow beside the swing:
 *
 *     x' = v,    v' = -x,    z' = v b(x),    x = 1, v = 0, z = 0 at t = 0;    z = F(x) - F(1),    F' = b
 *
 * With odd F, z = -F(1) at t = pi/2, and the swing ends at x = -1, z = -2 F(1). At the start b is below the
 * smallest number (exp(-(x/s)^2), s = 1/20), is 1 - 1 by rounding (1 - tanh(x/s)^2), is 1e-40 (1/(1 + (10 x)^40)),
 * or has a zero of order 120 ((1 - x^2)^60): a solver that chooses its first step by what the flow shows there, by
 * coefficients of its series or by stages of its steps, passes the bump without noticing it.
 */
#include "audit/solver/trap_parts.h"

#include <math.h>

enum { X, V, Z };

static const ic_state states[] = {
    {"x", "1", "angle", "1"}, {"v", "1", "velocity", "1"}, {"z", "1", "integral of the bump", "0.1"}};

static const double width = 0.05;

static double squared_tanh(double u)
{
    return tanh(u) * tanh(u);
}

IC_TRAP_FLOW(underflow, x[V], -x[X], x[V] * exp(-x[X] * x[X] / (width * width)))
IC_TRAP_FLOW(saturated, x[V], -x[X], x[V] * (1 - squared_tanh(x[X] / width)))
IC_TRAP_FLOW(quotient, x[V], -x[X], x[V] / (1 + pow(10 * x[X], 40)))
IC_TRAP_FLOW(power, x[V], -x[X], x[V] * pow(1 - x[X] * x[X], 60))
IC_TRAP_JUMP(pass, x[X], x[V], x[Z])
IC_TRAP_JUMP(start, 1, 0, 0)

/* F(1), the integral of half of the bump. */
#define HALF_OF_UNDERFLOW 0.0443113462726379006824541870835
#define HALF_OF_SATURATED 0.0499999999999999995751645744708
#define HALF_OF_QUOTIENT 0.100102882414270852189931036033
#define HALF_OF_POWER 0.113702486178572165735265246942

IC_TRAP_VALUE(underflow_half, x[Z] + HALF_OF_UNDERFLOW)
IC_TRAP_VALUE(saturated_half, x[Z] + HALF_OF_SATURATED)
IC_TRAP_VALUE(quotient_half, x[Z] + HALF_OF_QUOTIENT)
IC_TRAP_VALUE(power_half, x[Z] + HALF_OF_POWER)
IC_TRAP_VALUE(underflow_rate, x[V] * exp(-x[X] * x[X] / (width * width)))
IC_TRAP_VALUE(saturated_rate, x[V] * (1 - squared_tanh(x[X] / width)))
IC_TRAP_VALUE(quotient_rate, x[V] / (1 + pow(10 * x[X], 40)))
IC_TRAP_VALUE(power_rate, x[V] * pow(1 - x[X] * x[X], 60))

/* The flows, and the guards, as operations: terms 0 to 5 are those of all, the last two the rate of z and the guard. */
#define NUMBER(value)                                                                                          \
    {                                                                                                          \
        IC_OP_NUMBER, -1, -1, -1, (value)                                                                      \
    }
#define STATES                                                                                                 \
    {IC_OP_STATE, X, -1, -1, 0}, {IC_OP_STATE, V, -1, -1, 0}, {IC_OP_STATE, Z, -1, -1, 0},                     \
    {                                                                                                          \
        IC_OP_NEGATE, X, -1, -1, 0                                                                             \
    }
#define EQUATIONS(name, rate, guard)                                                                           \
    static const int name##_results[] = {1, 3, rate, guard};                                                   \
    static const ic_equations name##_equations = {name##_terms, IC_COUNT(name##_terms), name##_results,        \
                                                  IC_COUNT(name##_results), NULL};

static const ic_equation_term underflow_terms[] = {STATES,
                                                   NUMBER(HALF_OF_UNDERFLOW),
                                                   NUMBER(0.05),
                                                   NUMBER(2),
                                                   {IC_OP_DIVIDE, 0, 5, -1, 0},
                                                   {IC_OP_POWER, 7, 6, -1, 0},
                                                   {IC_OP_NEGATE, 8, -1, -1, 0},
                                                   {IC_OP_EXP, 9, -1, -1, 0},
                                                   {IC_OP_MULTIPLY, 1, 10, -1, 0},
                                                   {IC_OP_ADD, 2, 4, -1, 0}};
static const ic_equation_term saturated_terms[] = {STATES,
                                                   NUMBER(HALF_OF_SATURATED),
                                                   NUMBER(0.05),
                                                   NUMBER(2),
                                                   {IC_OP_DIVIDE, 0, 5, -1, 0},
                                                   {IC_OP_TANH, 7, -1, -1, 0},
                                                   {IC_OP_POWER, 8, 6, -1, 0},
                                                   NUMBER(1),
                                                   {IC_OP_SUBTRACT, 10, 9, -1, 0},
                                                   {IC_OP_MULTIPLY, 1, 11, -1, 0},
                                                   {IC_OP_ADD, 2, 4, -1, 0}};
static const ic_equation_term quotient_terms[] = {STATES,
                                                  NUMBER(HALF_OF_QUOTIENT),
                                                  NUMBER(10),
                                                  NUMBER(40),
                                                  {IC_OP_MULTIPLY, 0, 5, -1, 0},
                                                  {IC_OP_POWER, 7, 6, -1, 0},
                                                  NUMBER(1),
                                                  {IC_OP_ADD, 9, 8, -1, 0},
                                                  {IC_OP_DIVIDE, 1, 10, -1, 0},
                                                  {IC_OP_ADD, 2, 4, -1, 0}};
static const ic_equation_term power_terms[] = {STATES,
                                               NUMBER(HALF_OF_POWER),
                                               NUMBER(1),
                                               NUMBER(60),
                                               {IC_OP_MULTIPLY, 0, 0, -1, 0},
                                               {IC_OP_SUBTRACT, 5, 7, -1, 0},
                                               {IC_OP_POWER, 8, 6, -1, 0},
                                               {IC_OP_MULTIPLY, 1, 9, -1, 0},
                                               {IC_OP_ADD, 2, 4, -1, 0}};
EQUATIONS(underflow, 11, 12)
EQUATIONS(saturated, 12, 13)
EQUATIONS(quotient, 11, 12)
EQUATIONS(power, 10, 11)

static const ic_branch pass_branches[] = {{.mode = 0, .state = IC_TEXTS("x", "v", "z")}};
static const ic_branch start_branches[] = {{.mode = 0, .state = IC_TEXTS("1", "0", "0")}};

#define VARIANT_PARTS(name)                                                                                    \
    static const ic_guard name##_guards[] = {                                                                  \
        {IC_TRAP_GUARD("half", "1", "half of the bump is behind", -1, name##_half, name##_rate, NULL),         \
         .jump = IC_LINEAR_JUMP(pass, pass_branches)}};                                                        \
    static const ic_mode name##_modes[] = {                                                                    \
        {IC_TRAP_MODE("swing", "the pendulum swings", name, NULL, name##_guards),                              \
         .equations = &name##_equations}};
VARIANT_PARTS(underflow)
VARIANT_PARTS(saturated)
VARIANT_PARTS(quotient)
VARIANT_PARTS(power)

static const ic_variant variants[] = {
    {IC_TRAP_VARIANT("underflow", "exp(-(x/s)^2)", underflow_modes, start, start_branches)},
    {IC_TRAP_VARIANT("saturated", "1 - tanh(x/s)^2", saturated_modes, start, start_branches)},
    {IC_TRAP_VARIANT("quotient", "1/(1 + (10 x)^40)", quotient_modes, start, start_branches)},
    {IC_TRAP_VARIANT("power", "(1 - x^2)^60", power_modes, start, start_branches)}};
static const ic_preset presets[] = {{"underflow", "underflow", "", "pi", "one swing"},
                                    {"saturated", "saturated", "", "pi", "one swing"},
                                    {"quotient", "quotient", "", "pi", "one swing"},
                                    {"power", "power", "", "pi", "one swing"}};

static const ic_case system = {
    IC_TRAP_CASE("hidden-bump", "A bump that the start does not show", "chebfun/chebfun#1512"),
    IC_TRAP_TABLES(states, variants, presets), .time_scale = "1"};

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "half", 1.57079632679489661923132169164, 0}};

/* dz/dt = -1 at the event; z is a function of x with a slope of at most 1, in scales 10. */
#define RUN(name, half)                                                                                        \
    {                                                                                                          \
        .preset = (name), IC_TRAP_EVENTS(events), .end = {-1, 0, -2 * (half)}, .dt = 10, .dx = 10,             \
        .fastest = 0.05                                                                                        \
    }
static const ic_trap_run runs[] = {RUN("underflow", HALF_OF_UNDERFLOW), RUN("saturated", HALF_OF_SATURATED),
                                   RUN("quotient", HALF_OF_QUOTIENT), RUN("power", HALF_OF_POWER)};

const ic_trap ic_trap_hidden_bump = {
    .title = "a term that vanishes where a step begins is not seen within it",
    .cites = "chebfun/chebfun#1512, qutip/qutip#2814, SDXorg/pysd#7",
    IC_TRAP_RUNS(system, runs),
    .mistakes = {[IC_SYMPTOM_TIME] = IC_MISTAKE_COARSE_STEPS,
                 [IC_SYMPTOM_MISSING] = IC_MISTAKE_COARSE_STEPS,
                 [IC_SYMPTOM_END] = IC_MISTAKE_COARSE_STEPS},
};
