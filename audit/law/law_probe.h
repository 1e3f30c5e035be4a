/* SPDX-License-Identifier: MIT */
/** Supervised calls of a contact-force law, the scale of its indentations, and its free impacts. */
#ifndef IC_AUDIT_LAW_PROBE_H
#define IC_AUDIT_LAW_PROBE_H

#include "audit/common/finding_writer.h"
#include "audit/common/guarded.h"
#include "audit/law/law_settings.h"
#include "core/parameters.h"

enum { IC_FIRST_ANSWERS = 48 };

typedef struct ic_law_probe {
    const ic_law *law;
    ic_parameters parameters;

    /* the present values */
    double *set;

    /* The same values in guarded memory, which is passed to the law. */
    ic_guarded par;

    /* mass of the bodies of free impacts: that for which the law is made (ic_law_probe_mass), or 1 kg */
    double mass;

    /* speed of the present contact, m/s */
    double v0, memory;

    /* the depth of an elastic impact at the present speed, m */
    double d0;

    /* force at rest at d0, N */
    double F0;

    /* number of results that are not finite */
    size_t not_finite;

    /* number of parameters that the law has changed */
    size_t written;

    /* results of ic_law_probe_first before any other call, N */
    double first[IC_FIRST_ANSWERS];
} ic_law_probe;

/**
 * Set defaults and scales. false: `error` states the fault of the defaults. Close the probe in
 * either case.
 */
bool ic_law_probe_open(ic_law_probe *probe, const ic_law *law, ic_error *error);
void ic_law_probe_close(ic_law_probe *probe);

/**
 * Sets parameters, and the scales for impacts at the speed v. false: the law forbids this setting.
 */
bool ic_law_probe_set(ic_law_probe *probe, const ic_law_setting *setting, double v);

/**
 * Force i of an impact at 1 m/s, N: indentations rise with i from 1e-9 m to 1e-3 m, and rates
 * alternate in sign.
 */
double ic_law_probe_first(ic_law_probe *probe, size_t i);

/** Begins a contact at the speed v0. */
void ic_law_probe_begin(ic_law_probe *probe, double v0);

/** Notes a state of the present contact in its memory, of a law with a history. */
void ic_law_probe_note(ic_law_probe *probe, double d, double v);

/** Force in the present contact, N. */
double ic_law_probe_force(ic_law_probe *probe, double d, double v);

/**
 * Index of the parameter that is declared to be the coefficient of restitution: its name is "e", or the law's text
 * `restitution`; n_parameters: none.
 */
size_t ic_law_probe_restitution(const ic_law_probe *probe);

/**
 * The same; or, if none is declared, of the first one that may be it: unit 1, range within [0, 1], without effect on the
 * force at rest.
 */
size_t ic_law_probe_possible_restitution(ic_law_probe *probe);

/** Index of the only parameter with the unit kg, the mass for which the law is made; n_parameters: none, or several. */
size_t ic_law_probe_mass(const ic_law_probe *probe);

/** Index of the parameter with this name; n_parameters: none. */
size_t ic_law_parameter(const ic_law *law, const char *name);

/** The same of the probed law. */
size_t ic_law_probe_named(const ic_law_probe *probe, const char *name);

/** Integral of the force at rest from 0 to d, J: by one rule, or by as many parts as a kink needs. */
double ic_law_probe_work(ic_law_probe *probe, double d);
double ic_law_probe_exact_work(ic_law_probe *probe, double d);

/** The longest simulated impact, in units of d0/v0. */
#define IC_PROBE_LONG 100
#define IC_PROBE_SHORT 10

/** A free impact. */
typedef struct ic_free_flight {
    /* rebound speed divided by impact speed; 0: the contact does not end */
    double restitution;

    /* greatest and least force, N */
    double most, least;

    /* drag is so strong that the body does not come back within the steps of a simulation */
    bool creeps;
} ic_free_flight;

/** The rebound speed at which a simulation ends, in units of v0: the energy grows without bound. */
#define IC_PROBE_SPEED_MOST 100.0

ic_free_flight ic_law_probe_impact(ic_law_probe *probe, double v0, int longest);

#endif
