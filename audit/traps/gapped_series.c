/* SPDX-License-Identifier: MIT */
/**
 * An elastic impact on the force m d^(3/2), regularised by d = S^2, dt = S dtau; tau is the time of the trap:
 *
 *     S' = U/2,    U' = -S^4,    t' = S,    S = 0, U = 2, t = 0 at tau = 0
 *
 * By U^2/2 + 2 S^5/5 = 2 the ball turns, U = 0, at S = 5^(1/5), tau = 5^(1/5) B(1/5, 1/2)/5. The series at the start
 * have the powers 1, 0 and 2 modulo 5 only. A step that follows from the last two coefficients alone is then
 * unlimited for two orders out of five, and nothing is reported.
 */
#include "audit/solver/traps.h"

enum { S, U, T };

static const ic_state states[] = {{"S", "1", "root of the indentation", "1"},
                                  {"U", "1", "velocity of approach", "2"},
                                  {"T", "1", "physical time", "1"}};

IC_TRAP_FLOW(flow, x[U] / 2, -x[S] * x[S] * x[S] * x[S], x[S])
IC_TRAP_VALUE(velocity, x[U])
IC_TRAP_VALUE(velocity_rate, -x[S] * x[S] * x[S] * x[S])
IC_TRAP_LEAP(pass, 0, ("S", "U", "T"), x[S], x[U], x[T])
IC_TRAP_LEAP(start, 0, ("0", "2", "0"), 0, 2, 0)

/* The flow, and the guard, as operations. */
static const ic_equation_term terms[] = {{IC_OP_STATE, S, -1, -1, 0},   {IC_OP_STATE, U, -1, -1, 0},
                                         {IC_OP_NUMBER, -1, -1, -1, 2}, {IC_OP_DIVIDE, 1, 2, -1, 0},
                                         {IC_OP_NUMBER, -1, -1, -1, 4}, {IC_OP_POWER, 0, 4, -1, 0},
                                         {IC_OP_NEGATE, 5, -1, -1, 0}};
static const int results[] = {3, 6, 0, 1};
static const ic_equations equations = {terms, IC_COUNT(terms), results, IC_COUNT(results), NULL};

static const ic_guard guards[] = {
    IC_TRAP_EVENT("turn", "1", "the indentation is greatest", -1, velocity, velocity_rate, NULL, pass)};
static const ic_mode modes[] = {
    {IC_TRAP_MODE("contact", "the ball is in contact", flow, NULL, guards), .equations = &equations}};
static const ic_variant variants[] = {{IC_TRAP_VARIANT("impact", "an impact without loss", modes, start)}};
static const ic_preset presets[] = {{"turn", "impact", "", "4", "beyond the end of the contact"}};

IC_TRAP_SYSTEM("gapped-series", "A series with gaps", "PerezHz/TaylorIntegration.jl#66")

static const ic_trap_event events[] = {{IC_EVENT_GUARD, "turn", 1.72980933054260272933539327171, 0}};

/* U' = -S^4 is between -3.63 at the turn and 0: errors of S and U grow by less than ten to the end. */
static const ic_trap_run runs[] = {{.preset = "turn",
                                    IC_TRAP_EVENTS(events),
                                    .end = {-0.540796689510987468351615574471, -2.00922994564550139920144652172,
                                            2.65545065019778071559178689164},
                                    .dt = 4,
                                    .dx = 10}};

IC_TRAP_OF(gapped_series, "the last coefficients of a series are zero, and no limit of the step",
           "PerezHz/TaylorIntegration.jl#66",
           .mistakes = {[IC_SYMPTOM_TIME] = IC_MISTAKE_COARSE_STEPS,
                        [IC_SYMPTOM_MISSING] = IC_MISTAKE_COARSE_STEPS,
                        [IC_SYMPTOM_END] = IC_MISTAKE_COARSE_STEPS});
