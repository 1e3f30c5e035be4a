/* SPDX-License-Identifier: MIT */
/** The search for the mistakes of a law: which changes of the registered law give all forces that were observed. */
#ifndef IC_AUDIT_LAW_SEARCH_H
#define IC_AUDIT_LAW_SEARCH_H

#include "audit/law/law_fits.h"

typedef struct ic_force_found {
    /* changes that explain all elastic forces are known; and all drags with them */
    bool explained[IC_FORCE_PARTS];

    /* they explain the forces at the defaults only */
    bool defaults_only;

    /* those of the elastic force, then those of the drag alone */
    ic_force_model model;
    size_t n_elastic;

    /* another registered law whose drag is the changed one's as well; NULL: none */
    const ic_law *also;

    /* what the changes of the model refer to: factors by setting, and other laws */
    double tables[IC_FORCE_PARTS][IC_LAW_SETTINGS_MOST];
    ic_other_laws others;
} ic_force_found;

/**
 * Searches changes: one before two, specific ones before factors that depend on the parameters. `single`: the forces
 * have the digits of single precision.
 */
void ic_force_search(ic_force_found *found, const ic_law_pair *pair, bool single);

#endif
