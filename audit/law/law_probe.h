/* SPDX-License-Identifier: MIT */
/**
 * A contact-force law at work: calls that are watched, the scale of its indentations, and free
 * impacts.
 */
#ifndef IC_AUDIT_LAW_PROBE_H
#define IC_AUDIT_LAW_PROBE_H

#include "audit/common/guarded.h"
#include "audit/common/sink.h"
#include "audit/law/law_settings.h"
#include "core/parameters.h"

/** Every probe is about the impact of 1 kg at some speed, often 1 m/s. */
#define IC_PROBE_MASS 1.0

enum { IC_FIRST_ANSWERS = 48 };

typedef struct ic_law_probe {
    const ic_law *law;
    ic_parameters parameters;

    /* their values as they are set now */
    double *set;

    /* the same, as the law is given them */
    ic_guarded par;

    /* of the contact that it is in */
    double v0, memory;

    /* m; an elastic impact at the speed that it is set for would reach it */
    double d0;

    /* N; force at rest there */
    double F0;

    /* answers */
    size_t not_finite;

    /* parameters that the law has changed */
    size_t written;

    /* N; before it was asked anything else: ic_law_probe_first */
    double first[IC_FIRST_ANSWERS];
} ic_law_probe;

/**
 * Defaults and scales. false: `error` says what is wrong with the defaults; close it in either
 * case.
 */
bool ic_law_probe_open(ic_law_probe *probe, const ic_law *law, ic_error *error);
void ic_law_probe_close(ic_law_probe *probe);

/**
 * Another setting of the parameters, and its scales for impacts at the speed v. false: the law
 * forbids it.
 */
bool ic_law_probe_set(ic_law_probe *probe, const ic_law_setting *setting, double v);

/**
 * N; force number i of an impact at 1 m/s: indentations rise from 1e-9 m to 1e-3 m with i, at
 * either sign of the rate.
 */
double ic_law_probe_first(ic_law_probe *probe, size_t i);

/** A contact begins at the speed v0. */
void ic_law_probe_begin(ic_law_probe *probe, double v0);

/** N; force of the contact that has begun. */
double ic_law_probe_force(ic_law_probe *probe, double d, double v);

/**
 * Number of the parameter that is a coefficient of restitution: without unit, within [0, 1];
 * n_parameters: none.
 */
size_t ic_law_probe_restitution(const ic_law_probe *probe);

/** Number of the parameter of this name, n_parameters: none. */
size_t ic_law_probe_named(const ic_law_probe *probe, const char *name);

/** J; integral of the force at rest from 0 to d. */
double ic_law_probe_work(ic_law_probe *probe, double d);

/** Longest impact that is followed, in times d0 over the speed. */
#define IC_PROBE_LONG 100
#define IC_PROBE_SHORT 10

/** A free impact. */
typedef struct ic_free_flight {
    /* speed out over speed in; 0: it does not end */
    double restitution;

    /* N; greatest and least force */
    double most, least;
} ic_free_flight;

ic_free_flight ic_law_probe_impact(ic_law_probe *probe, double v0, int longest);

#endif
