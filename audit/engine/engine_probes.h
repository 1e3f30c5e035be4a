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

    /* Coefficients that explain the impact: those of the scene, unless others have been measured. */
    double mu, e;

    /* the impact happened and ended, at every phase */
    bool ended;

    /* vector from the centre of mass to the contact point, m */
    double r[2];

    /* vx, vy and omega before the impact; m/s, rad/s */
    double before[3];

    /* Their changes by the impact, at each phase, and the mean. */
    double changes[IC_ENGINE_PROBE_PHASES][3], change[3];

    /* half of the difference between the phases, measured as by ic_engine_deviation, 1 */
    double scatter;
} ic_engine_probe;

/** Probe i, not yet run; at phase 0. */
ic_engine_probe ic_engine_probe_of(size_t i);

/** Sets the measurements of a probe. */
void ic_engine_probe_measure(ic_engine_probe *probe, const ic_engine_impact impacts[IC_ENGINE_PROBE_PHASES]);

/** Velocity of the contact point before the impact, m/s. */
void ic_engine_probe_contact_velocity(double v[2], const ic_engine_probe *probe);

/**
 * Difference between the measured change and this one, 1: the greater of the differences of the
 * centre and of the contact point, divided by the normal speed before. 1 if the impact has not
 * ended.
 */
double ic_engine_deviation(const ic_engine_probe *probe, const double change[3]);

/** The same for the change of one phase. */
double ic_engine_phase_deviation(const ic_engine_probe *probe, int phase, const double change[3]);

/** Root mean square of the scatter of the impacts that ended. */
double ic_engine_scatter(const ic_engine_probe probes[IC_ENGINE_PROBES]);

#endif
