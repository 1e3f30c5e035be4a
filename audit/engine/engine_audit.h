/* SPDX-License-Identifier: MIT */
/** The state of an audit of an engine in one configuration, which its checks share. */
#ifndef IC_AUDIT_ENGINE_AUDIT_H
#define IC_AUDIT_ENGINE_AUDIT_H

#include "audit/common/tolerances.h"
#include "audit/engine/engine_coefficient.h"
#include "audit/engine/engine_fault_models.h"
#include "audit/engine/engine_flight.h"
#include "audit/engine/engine_impact.h"
#include "audit/engine/engine_probes.h"
#include "audit/engine/engine_rebound.h"
#include "audit/engine/engine_row.h"
#include "audit/scene/scene_player.h"

/** durations of the scenes, and of those with slow impacts, s */
#define IC_ENGINE_STEP 1e-3
#define IC_ENGINE_FINE_STEP 1e-4

/** Time limits, s: of normal scenes, and of those with slow impacts. */
#define IC_ENGINE_BALL_HEIGHT 1.0

/** The tolerance of the restitution of the falling ball. */
#define IC_ENGINE_RESTITUTION_TOLERANCE                                                                        \
    (ic_tolerance_engine_restitution.value * (1 + IC_ENGINE_RESTITUTION) * IC_ENGINE_GRAVITY *                 \
     IC_ENGINE_STEP / sqrt(2 * IC_ENGINE_GRAVITY * IC_ENGINE_BALL_HEIGHT))

/** Sliding balls with different friction; balls with different restitution, and speeds. */
enum { IC_ENGINE_FRICTIONS = 12 };

typedef struct ic_engine_audit {
    ic_findings *findings;
    const ic_engine_request *request;
    ic_engine_row *row;

    /* of a program */
    ic_scene_player player;

    /* the greatest penetration so far, m */
    double depth;

    /* the run with e = 0 failed, which does not prevent others; a run did not end */
    bool plastic_breaks, hangs;

    /* a bar was flown; the engine does not offer bars, so that nothing is measured on them */
    bool bar_flown, no_bar;

    /* greatest error of the spin of the bar of Table 2; the same for the probes, and which one it is */
    double rough_spin, spin;
    size_t worst_spin;

    /* Free flight as measured; until then as it should be. */
    ic_engine_flight flight;

    /* True if free flight follows no rule, so that the end of an impact cannot be found. */
    bool flies_wrongly;

    /* m/s; speeds above it are clipped; INFINITY */
    double fastest;

    /* a ball stops in the air */
    bool sleeps;

    /* m; height of the ball's surface, and of the bar's tip along the bar, where they turn round; 0
       if that is the ground */
    double displaced, bar_displaced;

    /* greatest depth of a falling ball, m; whether it comes back; whether its contact is too soft */
    double sunk;
    bool returns, soft;

    /* of the falling ball, at the phases */
    ic_engine_rebound rebounds[IC_ENGINE_PHASES_MOST];
    size_t n_rebounds;

    /* The mistake that explains impacts which follow no law. */
    ic_engine_explanation why;
    ic_mistake_id cause;

    /* what the restitution of the falling ball suffers from */
    ic_mistake_id restitution_cause;

    /* Coefficients of friction and restitution in effect. */
    ic_coefficient friction, restored;
    ic_coefficient_pair worst_friction, worst_restitution;
    size_t n_frictions, n_restitutions;

    ic_engine_probe probes[IC_ENGINE_PROBES];

    /* the bar of Table 2, and balls that slide throughout their impact */
    ic_engine_probe rough, sliding[IC_ENGINE_FRICTIONS];
} ic_engine_audit;

/** The measurement of a check. */
typedef struct ic_engine_judged {
    /* The check passes if measured <= tolerance. NAN without a cause: undecided. */
    double measured, tolerance;

    const char *unit, *origin;

    /* Cause if the check fails. */
    ic_mistake_id cause;
} ic_engine_judged;

extern const ic_audit_check ic_engine_check_runs;

/** "engine 'mine'"; "ode, best" */
void ic_engine_subject(char *text, size_t size, const ic_engine_audit *a);

#if defined(__GNUC__)
__attribute__((format(printf, 5, 6)))
#endif
void ic_engine_add(ic_engine_audit *a, const ic_audit_check *check, const char *place, const ic_engine_judged *j,
                   const char *format, ...);

/**
 * Runs a scene. The caller frees the motion. false: the run failed; no further scene is run then.
 */
bool ic_engine_run_scene(ic_engine_audit *a, ic_engine_scene *scene, ic_engine_motion *motion);

/** Runs a scene and finds its first impact. */
ic_engine_impact ic_engine_first_impact(ic_engine_audit *a, ic_engine_scene *scene);

/* ---- checks */

/** Momentum in flight, and the fall under gravity. */
void ic_engine_check_flight(ic_engine_audit *a);
/** A ball at rest on the ground. */
void ic_engine_check_rest(ic_engine_audit *a);
/** Bodies that move farther than their size in one step: the ground must stop them. */
void ic_engine_check_fast(ic_engine_audit *a);

/** A bouncing ball: whether it stays in motion, turns round at its surface and is not lifted. */
void ic_engine_check_rebounds(ic_engine_audit *a);
/** How deep a ball sinks, and by which method its impacts are integrated. */
void ic_engine_check_depth(ic_engine_audit *a);
/** Whether the bar touches with its tip. */
void ic_engine_check_bar_place(ic_engine_audit *a);
/** Whether balls come down to the ground in time. */
bool ic_engine_balls_fall(const ic_engine_audit *a);

/** Measures the coefficients of friction and of restitution in effect. */
void ic_engine_measure_friction(ic_engine_audit *a);
void ic_engine_measure_restitution(ic_engine_audit *a);
/** Judges them, after the law. */
void ic_engine_check_friction_used(ic_engine_audit *a);
void ic_engine_check_restitution_used(ic_engine_audit *a);
/** Whether a fast ball keeps its speed. */
void ic_engine_check_speed_kept(ic_engine_audit *a);
/** Restitution from 1 to 100 m/s. */
void ic_engine_check_speeds(ic_engine_audit *a);
/** e = 0, by which some formulas divide: if this run fails, the others still say something. */
void ic_engine_check_plastic(ic_engine_audit *a);

/** What friction and restitution in effect are called if they are not the given ones. */
ic_mistake_id ic_engine_friction_mistake(const ic_engine_audit *a);
ic_mistake_id ic_engine_restitution_mistake(const ic_engine_audit *a);

/** Runs the probes and classifies their impacts. */
void ic_engine_run_probes(ic_engine_audit *a);
/** Adds a row that impacts are undecided, and why. */
void ic_engine_add_undecided_law(ic_engine_audit *a, const char *why);
/** The law, or the mistake, that explains the impacts. */
void ic_engine_check_law(ic_engine_audit *a);
/** Changes of spin in impacts, compared with those of their impulses. */
void ic_engine_check_spin(ic_engine_audit *a);

#endif
