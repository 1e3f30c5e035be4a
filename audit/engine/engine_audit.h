/* SPDX-License-Identifier: MIT */
/** An audit of an engine in one configuration that is under way: what its checks share. */
#ifndef IC_AUDIT_ENGINE_AUDIT_H
#define IC_AUDIT_ENGINE_AUDIT_H

#include "audit/common/tolerances.h"
#include "audit/engine/engine_impact.h"
#include "audit/engine/engine_probes.h"
#include "audit/engine/engine_row.h"

/** s; of the scenes, and where impacts are slow or the law is asked for */
#define IC_ENGINE_STEP 1e-3
#define IC_ENGINE_FINE_STEP 1e-4

/** m; a ball that falls */
#define IC_ENGINE_BALL_HEIGHT 1.0

/** The tolerance of the restitution of the ball that falls. */
#define IC_ENGINE_RESTITUTION_TOLERANCE                                                                        \
    (ic_tolerance_engine_restitution.value * (1 + IC_ENGINE_RESTITUTION) * IC_ENGINE_GRAVITY *                 \
     IC_ENGINE_STEP / sqrt(2 * IC_ENGINE_GRAVITY * IC_ENGINE_BALL_HEIGHT))

typedef struct ic_engine_audit {
    ic_findings *findings;
    const ic_engine_request *request;
    ic_engine_row *row;

    /* m; the greatest so far */
    double depth;

    /* greatest error of the spin after an impact of a probe */
    double spin;

    /* in free flight: where that ends, cannot be seen */
    bool flies_wrongly;

    /* that explains the impacts, where no law does */
    ic_mistake_id cause;

    ic_engine_probe probes[IC_ENGINE_PROBES];
} ic_engine_audit;

/** What a check has measured. */
typedef struct ic_engine_judged {
    /* passes where measured <= tolerance; NAN and no cause: cannot tell */
    double measured, tolerance;

    const char *unit, *origin;

    /* where it fails */
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

/** A motion, to be freed. false: there is none; nothing more is run once a run has failed. */
bool ic_engine_motion_of(ic_engine_audit *a, ic_engine_scene *scene, ic_engine_motion *motion);

/** The first impact of a scene. */
ic_engine_impact ic_engine_first_impact(ic_engine_audit *a, ic_engine_scene *scene);

/* ---- checks */

/** Whether momentum is kept in flight, and what gravity does. */
void ic_engine_check_flight(ic_engine_audit *a);
/** A ball on the ground. */
void ic_engine_check_rest(ic_engine_audit *a);
/** Whether the ground stops what moves farther than its size in one step. */
void ic_engine_check_fast(ic_engine_audit *a);

/** Ask the probes, and classify. */
void ic_engine_ask_law(ic_engine_audit *a);
/** Say that nothing can be said of impacts. */
void ic_engine_impacts_not_seen(ic_engine_audit *a);
/** Whether any law, or any mistake, explains the impacts. */
void ic_engine_check_law(ic_engine_audit *a);
/** Whether impacts turn the body as their impulse does. */
void ic_engine_check_spin(ic_engine_audit *a);

#endif
