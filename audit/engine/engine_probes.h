/* SPDX-License-Identifier: MIT */
/** Impacts that distinguish laws and mistakes: the scenes, and the measured changes of velocity. */
#ifndef IC_AUDIT_ENGINE_PROBES_H
#define IC_AUDIT_ENGINE_PROBES_H

#include "audit/engine/engine_impact.h"

/**
 * The bar of Table 2 at three angles with three coefficients of friction and two of restitution;
 * bars of other mass, inertia and length, turning, moving to the other side, with little slip or
 * with slip throughout; and balls with friction and spin.
 */
enum { IC_ENGINE_BAR_PROBES = 18, IC_ENGINE_PROBES = 29, IC_ENGINE_PROBE_PHASES = 2 };

typedef struct ic_engine_probe {
    ic_engine_scene scene;
    ic_engine_body body;

    /* the impact happened and ended, at every phase */
    bool ended;

    /* m; from the centre of mass to the contact point */
    double r[2];

    /* vx, vy and omega before the impact; m/s, rad/s */
    double before[3];

    /* of these by the impact; the mean over the phases */
    double change[3];

    /* 1; half of the difference between the phases, measured as by ic_engine_deviation */
    double scatter;
} ic_engine_probe;

/** Probe i, not yet run; at phase 0. */
ic_engine_probe ic_engine_probe_of(size_t i);

/** Sets the measurements of a probe. */
void ic_engine_probe_measure(ic_engine_probe *probe, const ic_engine_impact impacts[IC_ENGINE_PROBE_PHASES]);

/** m/s; velocity of the contact point before the impact. */
void ic_engine_probe_contact_velocity(double v[2], const ic_engine_probe *probe);

/**
 * 1; difference of the measured change from this one: the greater of those of the centre and of the
 * contact point, over the normal speed before. 1 if the impact has not ended.
 */
double ic_engine_deviation(const ic_engine_probe *probe, const double change[3]);

/** Root mean square of the scatter of the impacts that ended. */
double ic_engine_scatter(const ic_engine_probe probes[IC_ENGINE_PROBES]);

#endif
