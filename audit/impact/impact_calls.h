/* SPDX-License-Identifier: MIT */
/**
 * Calls of a map: for all samples, in two orders and with two contents of unset memory, and what the
 * calls do besides answering.
 */
#ifndef IC_AUDIT_IMPACT_IMPACT_CALLS_H
#define IC_AUDIT_IMPACT_IMPACT_CALLS_H

#include "audit/common/finding.h"
#include "audit/impact/impact_samples.h"

typedef struct ic_impact_calls {
    const ic_impact_map *map;
    ic_impact_samples *samples;

    /* bytes changed around the result and in the given impact */
    size_t damage;

    /* calls after which numbers are rounded otherwise than before */
    size_t rounding_changed;

    /* greatest change of an answer between the two orders, over its size; its sample */
    double changed_most;
    size_t changed_at;

    /* samples with such a change; why they change */
    size_t changed;
    ic_mistake_id changed_by;

    /* bytes that a call keeps, times `leak_calls`; NAN: this allocator does not say */
    double kept;
} ic_impact_calls;

enum { IC_LEAK_CALLS = 64 };

/** Asks for all samples; those whose answers change are not asked. Frees nothing. */
void ic_impact_ask_all(ic_impact_calls *calls);

/** One call. `filling` is the byte of unset memory, also of v and P of the result. */
ic_status ic_impact_call(ic_impact_calls *calls, ic_impact_result *r, const ic_impact *p,
                         unsigned char filling);

#endif
