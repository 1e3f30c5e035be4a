/* SPDX-License-Identifier: MIT */
/** The state of an audit of an engine in one configuration, which its checks share. */
#ifndef IC_AUDIT_ENGINE_AUDIT_H
#define IC_AUDIT_ENGINE_AUDIT_H

#include "audit/common/tolerances.h"
#include "audit/engine/engine_impact.h"
#include "audit/engine/engine_probes.h"
#include "audit/engine/engine_row.h"

/** durations of the scenes, and of those with slow impacts, s */
#define IC_ENGINE_STEP 1e-3
#define IC_ENGINE_FINE_STEP 1e-4

/** Time limits, s: of normal scenes, and of those with slow impacts. */
#define IC_ENGINE_BALL_HEIGHT 1.0

/** The tolerance of the restitution of the falling ball. */
#define IC_ENGINE_RESTITUTION_TOLERANCE                                                                        \
    (ic_tolerance_engine_restitution.value * (1 + IC_ENGINE_RESTITUTION) * IC_ENGINE_GRAVITY *                 \
     IC_ENGINE_STEP / sqrt(2 * IC_ENGINE_GRAVITY * IC_ENGINE_BALL_HEIGHT))

typedef struct ic_engine_audit {
    ic_findings *findings;
    const ic_engine_request *request;
    ic_engine_row *row;

    /* the greatest penetration so far, m */
    double depth;

    /* greatest error of the spin after an impact of a probe */
    double spin;

    /* True if free flight is wrong, so that the end of an impact cannot be found. */
    bool flies_wrongly;

    /* the mistake that explains impacts that follow no law */
    ic_mistake_id cause;

    ic_engine_probe probes[IC_ENGINE_PROBES];
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

/** Runs the probes and classifies their impacts. */
void ic_engine_run_probes(ic_engine_audit *a);
/** Adds a row that impacts are undecided. */
void ic_engine_add_undecided_law(ic_engine_audit *a);
/** The law, or the mistake, that explains the impacts. */
void ic_engine_check_law(ic_engine_audit *a);
/** Changes of spin in impacts, compared with those of their impulses. */
void ic_engine_check_spin(ic_engine_audit *a);

#endif
