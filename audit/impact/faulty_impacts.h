/* SPDX-License-Identifier: MIT */
/** Inputs that are not impacts, which a map must refuse. */
#ifndef IC_AUDIT_IMPACT_FAULTY_IMPACTS_H
#define IC_AUDIT_IMPACT_FAULTY_IMPACTS_H

#include "audit/impact/impact_calls.h"

enum { IC_FAULTY_IMPACTS = 15 };

typedef struct ic_faulty_impacts {
    size_t count;

    /* "v_y > 0, e > 1" */
    char text[200];
} ic_faulty_impacts;

/** Those of them that the map accepts. */
ic_faulty_impacts ic_accepted_faulty_impacts(ic_impact_calls *calls);

#endif
