/* SPDX-License-Identifier: MIT */
/**
 * Impacts that tell laws and mistakes apart: what is asked, and how the body's velocities change.
 */
#ifndef IC_AUDIT_ENGINE_PROBES_H
#define IC_AUDIT_ENGINE_PROBES_H

#include "audit/engine/engine_impact.h"

/**
 * Three angles, three coefficients of friction and two of restitution of the bar of Table 2; bars
 * of other mass, inertia and length, that turn, come from the other side, hardly slip or slip
 * throughout; and balls with friction and spin.
 */
enum { IC_ENGINE_BAR_PROBES = 18, IC_ENGINE_PROBES = 29, IC_ENGINE_PROBE_PHASES = 2 };

typedef struct ic_engine_probe {
    ic_engine_scene scene;
    ic_engine_body body;

    /* in an impact that was met and ended, at every phase */
    bool ended;

    /* m; from the centre of mass to the point that touched */
    double r[2];

    /* vx, vy and omega before: m/s, rad/s */
    double before[3];

    /* by the impact; the mean over the phases */
    double change[3];

    /* 1; half of what the phases differ by, as ic_engine_deviation */
    double scatter;
} ic_engine_probe;

/** Probe i, unanswered; at phase 0. */
ic_engine_probe ic_engine_probe_of(size_t i);

/** Its answer. */
void ic_engine_probe_take(ic_engine_probe *probe, const ic_engine_impact impacts[IC_ENGINE_PROBE_PHASES]);

/** m/s; velocity of the point that touches, before. */
void ic_engine_probe_meets(double v[2], const ic_engine_probe *probe);

/**
 * 1; by how much the change differs from this one: the centre's velocity or that of the point that
 * touches, whichever is off by more, over the normal speed before. 1 where the impact has not
 * ended.
 */
double ic_engine_deviation(const ic_engine_probe *probe, const double change[3]);

/** Root mean square of the scatter of those that ended. */
double ic_engine_scatter(const ic_engine_probe probes[IC_ENGINE_PROBES]);

#endif
