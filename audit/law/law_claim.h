/* SPDX-License-Identifier: MIT */
/** Comparison of a law with the registered law of the same name. */
#ifndef IC_AUDIT_LAW_CLAIM_H
#define IC_AUDIT_LAW_CLAIM_H

#include "audit/law/law_probe.h"

/** What else is known of a law. */
typedef struct ic_law_claim_causes {
    /* the registered law that alone fits the force; or NULL */
    const ic_law *fits;

    /* a mistake that explains all other failures; and one that explains a force of another shape */
    ic_mistake_id whole, shape;

    /* the force has the digits of single precision */
    bool single;
} ic_law_claim_causes;

/** What the comparison found. */
typedef struct ic_law_claim_result {
    /* known mistakes explain all forces, and so what follows from them */
    bool explained;

    bool named[IC_MISTAKE_COUNT];
} ic_law_claim_result;

/**
 * Adds rows on condition, elastic force and damping if the law has the name of a registered one. false: the law is not
 * the one that its name says.
 */
bool ic_law_check_claim(ic_law_claim_result *result, ic_finding_writer *writer, ic_law_probe *probe,
                        const ic_law_claim_causes *causes);

#endif
