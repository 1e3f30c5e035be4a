/* SPDX-License-Identifier: MIT */
/**
 * A ball from 1 m, g = 10, that loses nothing: 22 impacts in 20 s, and its apex stays at 1 m.
 *
 * If the impact is applied at the end of the step that overlaps, the speed that is reversed is
 * that of a point below the floor, and pushing it out costs nothing: the ball rises higher and
 * higher, or less and less.
 */
#include "audit/solver/traps.h"

static const ic_preset presets[] = {{"elastic", "ball", "e=1", "20", "22 impacts"}};

IC_TRAP_BALL_SYSTEM("elastic-creep", "A ball that keeps its energy", "erincatto/box2d#167",
                    ic_trap_ball_variants)

/* t_0 = sqrt(1/5) */
IC_TRAP_SERIES(bounce_event, IC_TRAP_BALL_FLOOR, (2 * (double)k + 1) * 0.447213595499957939281834733746)

/* as in many-bounces: dt = n v/g, dx = v dt/h = 2 n */
static const ic_trap_run runs[] = {{.preset = "elastic",
                                    .exact_from = 2,
                                    .event = bounce_event,
                                    .n_events = 22,
                                    .end = {0.479640399629865680145656967046, -3.22601798001850671599271715165},
                                    .dt = 22 * 0.45,
                                    .dx = 2 * 22}};

IC_TRAP_OF(elastic_creep, "impacts applied at the end of a step change the energy",
           "erincatto/box2d#167, jrouwe/JoltPhysics#1286, dimforge/rapier#97, bulletphysics/bullet3#1530",
           .floor = true, .mistakes = {[IC_SYMPTOM_END] = IC_MISTAKE_ENERGY_APPEARS});
