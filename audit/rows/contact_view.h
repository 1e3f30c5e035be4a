/* SPDX-License-Identifier: MIT */
/** Which of a case's modes are contact, and what of it is gap, force and memory: what checks of a contact need to know. */
#ifndef IC_AUDIT_CONTACT_VIEW_H
#define IC_AUDIT_CONTACT_VIEW_H

#include "impactcheck/impactcheck.h"

typedef struct ic_contact_view {
    const char *system; /* name of the case */
    int contact, free;  /* mode numbers */
    const char *gap;    /* output: m, negative where the bodies overlap; NULL: it has none */
    const char *force;  /* output: N, positive where the contact pushes; NULL: it has none */
    bool rigid;         /* the gap must not be negative */
    bool recovers;      /* the guard of the free mode says what a contact that has just begun remembers */
} ic_contact_view;

/** The view of a case, or NULL. */
const ic_contact_view *ic_contact_view_of(const ic_case *system);

/** Whether state i is a consequence of the others: what the contact remembers, or the case keeps for its outputs or drives. */
bool ic_contact_memory(const ic_case *system, size_t i);

/** Number of an output of a case by name; n_outputs where there is none. */
size_t ic_output_number(const ic_case *system, const char *name);

#endif
