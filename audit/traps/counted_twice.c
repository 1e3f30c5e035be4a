/* SPDX-License-Identifier: MIT */
/**
 * x = cos t, and each zero is counted: t_k = pi/2 + k pi, 32 of them up to t = 100.
 *
 * The jump moves nothing, so that the guard starts on its zero again, within rounding, on either
 * side. A search for a change of sign from there finds the same zero once more, or for ever.
 */
#include "audit/solver/traps.h"

#include <math.h>

enum { X, V, C };
enum { ZEROS = 32 };

static const ic_state states[] = {
    {"x", "m", "position", "1"}, {"v", "m/s", "velocity", "1"}, {"c", "1", "count of zeros", "1"}};

IC_TRAP_FLOW(flow, x[V], -x[X], 0)
IC_TRAP_VALUE(position, x[X])
IC_TRAP_VALUE(velocity, x[V])
IC_TRAP_LEAP(count, 0, ("x", "v", "c + 1"), x[X], x[V], x[C] + 1)
IC_TRAP_LEAP(start, 0, ("1", "0", "0"), 1, 0, 0)

static const ic_guard guards[] = {
    IC_TRAP_EVENT("zero", "m", "the oscillator passes its middle", 0, position, velocity, "x", count)};
IC_TRAP_ONE_MODE("oscillator", "an event that moves nothing", "oscillation", "x'' = -x", flow,
                 IC_TEXTS("v", "-x", "0"))
static const ic_preset presets[] = {{"long", "oscillator", "", "100", "16 periods"}};

IC_TRAP_SYSTEM("counted-twice", "An event whose jump leaves its guard at zero", "SciML/DiffEqBase.jl#1245")

IC_TRAP_SERIES(zero, "zero", M_PI *((double)k + 0.5))

/* the end: cos 100, -sin 100 */
static const ic_trap_run runs[] = {
    {.preset = "long",
     .event = zero,
     .n_events = ZEROS,
     .end = {0.862318872287683934101938513951, 0.50636564110975879365655761046, ZEROS}}};

IC_TRAP_OF(counted_twice, "after its own jump an event is found once more, or for ever",
           "SciML/DiffEqBase.jl#1245, SciML/DiffEqBase.jl#672, SciML/DifferentialEquations.jl#353, "
           "AMICI-dev/AMICI#2861, AMICI-dev/AMICI#3266",
           .clauses = IC_CLAUSE(3),
           .mistakes = {[IC_SYMPTOM_EXTRA] = IC_MISTAKE_FIRED_AGAIN,
                        [IC_SYMPTOM_WORK] = IC_MISTAKE_FIRED_AGAIN,
                        [IC_SYMPTOM_STATUS] = IC_MISTAKE_FIRED_AGAIN});
