/* SPDX-License-Identifier: MIT */
/** The impact law that an engine follows. */
#pragma once

#include "audit/impact/impact.h"

/**
 * engine_law.c: Finds the impact law that an engine follows, or the mistake that explains its impacts. Each law,
 * combined with each fault model, predicts all impacts. A mistake of unknown size (friction times a
 * factor) is fitted.
 */

/** An impact of a body at one point on the ground. Angular velocities are clockwise. */
typedef struct ic_engine_probe {
    /* false: the scene has no impact of which the law is asked in this setting */
    bool asked;

    /* kg */
    double mass;

    /* about the centre of mass, kg m^2 */
    double inertia;

    /* that of a slender bar or a solid ball of this size, kg m^2 */
    double usual_inertia;

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

/** engine_impulses.c: Impulses that engines apply and that no registered impact map provides. */

/**
 * Hunt and Crossley's force with Coulomb friction, and the damping with which a central impact
 * returns e. Where the impact ends does not depend on the stiffness.
 */
extern const ic_impact_law ic_law_of_hunt_crossley;

/**
 * N s; v' = (0, -e v_y) where that impulse is in Coulomb's cone, otherwise v_y' = -e v_y on the edge of the
 * cone that is against the slip before the impact, or on the other one if no impulse on that edge has this
 * effect.
 */
void ic_impulse_edge_by_slip(double P[2], const ic_impact *p);

/**
 * N s; two impacts one after the other, each with Coulomb's cone for its impulse: to the normal
 * velocity `between`, m/s, then to -e v_y. Schatzman and Paoli's steps make an impact in two.
 */
void ic_impulse_in_two_steps(double P[2], const ic_impact *p, double between);

/**
 * N s; v' = (-e_t v_x, -e v_y) where that impulse is in Coulomb's cone, otherwise v_y' = -e v_y on
 * the edge of the cone.
 */
void ic_impulse_with_tangential_restitution(double P[2], const ic_impact *p, double e_t);

/**
 * N s; on Routh's path with a change of it. With IC_PATH_FIRST_REVERSED friction acts along every slip. false: the
 * law has no path (only newton, poisson and stronge have), or the path no end.
 */
bool ic_impulse_on_path(double P[2], const ic_impact *p, const ic_impact_law *law, ic_change_kind change);
