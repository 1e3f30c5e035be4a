/* SPDX-License-Identifier: MIT */
/**
 * Finds the impact law that an engine follows, or the mistake that explains its impacts. Each law,
 * combined with each fault model, predicts all impacts. A mistake of unknown size (friction times a
 * factor) is fitted.
 */
#ifndef IC_AUDIT_ENGINE_ENGINE_LAW_H
#define IC_AUDIT_ENGINE_ENGINE_LAW_H

#include "audit/common/finding.h"

/** An impact of a body at one point on the ground. Angular velocities are clockwise. */
typedef struct ic_engine_probe {
    /* false: the scene has no impact of which the law is asked in this setting */
    bool asked;

    /* kg */
    double mass;

    /* about the centre of mass, kg m^2; and that of a slender bar or a solid ball of this size */
    double inertia, usual_inertia;

    /* prescribed coefficients, 1 */
    double mu, e;

    /* the impact happened, and flight followed it */
    bool ended;

    /* vector from the centre of mass to the contact point, m */
    double r[2];

    /* vx, vy and omega before the impact; m/s, rad/s */
    double before[3];

    /* Their changes by the impact. */
    double change[3];

    /* difference from the mean over the places in a step, measured as the deviation from a law, 1 */
    double scatter;
} ic_engine_probe;

/** Impacts, of which those are used that are asked for. */
typedef struct ic_engine_probes {
    const ic_engine_probe *of;
    size_t n;
} ic_engine_probes;

/**
 * Difference between the measured change and this one, 1: the greater of the differences of the
 * centre and of the contact point, divided by the normal speed before. 1 if the impact has not
 * ended.
 */
double ic_engine_deviation(const ic_engine_probe *probe, const double change[3]);

/** Root mean square of the scatter of the impacts that ended. */
double ic_engine_scatter(const ic_engine_probes *probes);

/**
 * Classifies the impacts; misfits are in tolerances, `agrees`. The best law is decided if it fits and no other law
 * fits as well.
 */
void ic_engine_classify(ic_classification *c, const ic_engine_probes *probes, double agrees);

/** The explanation of impacts that follow no law. */
typedef struct ic_engine_explanation {
    /* IC_NO_MISTAKE: no mistake explains them, or several do equally well. */
    ic_mistake_id mistake;

    /* root mean square of the remaining deviation, 1 */
    double misfit;

    /*
     * "newton with the coefficient of friction times 0.5", or the reason for which there is no
     * explanation.
     */
    char text[160];
} ic_engine_explanation;

/**
 * Finds the mistake that explains the impacts. `unexplained`: root mean square of the deviation
 * from the nearest law; `agrees`: a deviation that counts as agreement.
 */
ic_engine_explanation ic_engine_explain(const ic_engine_probes *probes, double unexplained, double agrees);

#endif
