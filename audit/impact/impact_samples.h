/* SPDX-License-Identifier: MIT */
/**
 * The impacts that a map is given, and its answers: the trials, and some of them again with
 * heavier bodies, more slowly, in a mirror, and with another e.
 */
#ifndef IC_AUDIT_IMPACT_IMPACT_SAMPLES_H
#define IC_AUDIT_IMPACT_IMPACT_SAMPLES_H

#include "audit/impact/impact_trials.h"

typedef enum ic_impact_variant {
    IC_AS_GIVEN,
    IC_HEAVIER,
    IC_SLOWER,
    IC_REFLECTED,
    IC_OTHER_E,
    IC_IMPACT_VARIANTS
} ic_impact_variant;

/* Scales of the variants: powers of two, so that a result scales exactly. */
#define IC_HEAVIER_BY 1024.0
#define IC_SLOWER_BY 0x1p-20

enum { IC_IMPACT_SAMPLES = IC_IMPACT_TRIALS + (IC_IMPACT_VARIANTS - 1) * IC_IMPACT_USUAL };

/* Those of them that a map is asked for. */
enum { IC_IMPACT_ASKED = IC_IMPACT_TRIALS + (IC_IMPACT_VARIANTS - 1) * IC_IMPACT_USUAL / 2 };

typedef enum ic_sample_state {
    /* The map was not asked. */
    IC_NOT_ASKED,

    IC_ANSWERED,
    IC_REFUSED,

    /* IC_OK, with numbers that are not finite */
    IC_NO_NUMBERS
} ic_sample_state;

typedef struct ic_impact_samples {
    ic_impact p[IC_IMPACT_SAMPLES];
    ic_impact_result r[IC_IMPACT_SAMPLES];
    unsigned char state[IC_IMPACT_SAMPLES];
} ic_impact_samples;

/** Half of the usual trials, by pairs, have variants: maps that march are slow. */
bool ic_impact_has_variants(size_t trial);

/** The number of a variant of trial i. */
size_t ic_impact_sample_of(size_t trial, ic_impact_variant variant);

/** The trial of a sample. */
size_t ic_impact_trial_of(size_t sample);

/** All impacts, without answers. NULL: memory ran out. Freed by free(). */
ic_impact_samples *ic_impact_samples_new(void);

/** N s; the size of an impulse, against which deviations of impulses are measured */
double ic_impulse_scale(const ic_impact *p, const ic_impact_result *r);

/** m/s; the size of the terms of v_k + (W P)_k = v_k', against which deviations of v_k' are measured */
double ic_velocity_scale(const ic_impact *p, const double P[2], const double v_after[2], int k);

#endif
