/* SPDX-License-Identifier: MIT */
/** What some of the trials have in common, and the others have not. */
#ifndef IC_AUDIT_IMPACT_IMPACT_COMMON_H
#define IC_AUDIT_IMPACT_IMPACT_COMMON_H

#include "audit/impact/impact_trials.h"

/** Of what kind the common property is. */
typedef enum ic_common_kind {
    IC_COMMON_NOTHING,
    IC_COMMON_NO_SLIP,

    /* a sign of v_x or w_xy: left and right */
    IC_COMMON_SIDE,

    /* |v_x| or |v_y| small */
    IC_COMMON_SLOW_SLIP,
    IC_COMMON_SLOW,

    /* |v_x| or |v_y| great, or a mass great or small */
    IC_COMMON_SIZE,
    IC_COMMON_SMALL_MU,
    IC_COMMON_OTHER
} ic_common_kind;

typedef struct ic_common {
    ic_common_kind kind;

    /* trials with the property; "v_x = 0", "mu >= 3.502 (not at 3.41)": the limit is between these */
    size_t members;
    char text[128];
} ic_common;

/** `among`: the trials of which `chosen` are some. */
ic_common ic_impact_common(const bool chosen[IC_IMPACT_TRIALS], const bool among[IC_IMPACT_TRIALS]);

#endif
