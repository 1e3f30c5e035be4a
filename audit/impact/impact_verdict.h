/* SPDX-License-Identifier: MIT */
/**
 * The likely cause of each row. A cause explains a row if a map with this mistake alone fails there:
 * the answers of such a map are computed, and measured like those of the audited one.
 */
#ifndef IC_AUDIT_IMPACT_IMPACT_VERDICT_H
#define IC_AUDIT_IMPACT_IMPACT_VERDICT_H

#include "audit/impact/impact_calls.h"
#include "audit/impact/impact_common.h"
#include "audit/impact/impact_evidence.h"
#include "audit/impact/impact_search.h"

typedef struct ic_impact_verdict {
    const ic_impact_samples *samples;
    const ic_impact_calls *calls;
    ic_impact_evidence evidence;
    ic_impact_found found;

    /* of maps without the changes, with each of them alone, and with all */
    ic_impact_evidence none, alone[IC_CHANGES_MOST], all;

    /* the mistakes of the changes, and the trials in which they act, if that is not all */
    ic_mistake_id mistakes[IC_CHANGES_MOST];
    ic_common where[IC_CHANGES_MOST];

    /* restitution of central impacts alone */
    ic_impact_change restitution;

    /* a mistake of the numbers, which explains what nothing else does; in words */
    ic_mistake_id coarse;
    char coarse_text[96];

    /* part of the numbers that are of single precision; 1: all have few digits */
    double single, few_digits;

    /* The reported D_N and D_T are those of the found model; so is the path. */
    bool work_follows, path_follows;

    /* With the found changes several hypotheses give the same answers. */
    bool any_rule;
} ic_impact_verdict;

/** Searches for the causes. */
void ic_impact_judge(ic_impact_verdict *verdict, const ic_impact_samples *samples,
                     const ic_impact_calls *calls);

/** The likely cause of a row that fails. */
ic_mistake_id ic_impact_cause(const ic_impact_verdict *verdict, ic_impact_measure measure);

/** Bits of the changes by which a row fails; all of them if none alone explains it. */
unsigned ic_impact_explaining(const ic_impact_verdict *verdict, ic_impact_measure measure);

/** What was found, in words: "stronge with a mistake: mu is at most 4". `which`: bits of changes. */
void ic_impact_describe(char *text, size_t size, const ic_impact_verdict *verdict, unsigned which);

/** What exactly is mistaken: "P has the other sign"; "": not known. */
void ic_impact_because(char *text, size_t size, const ic_impact_verdict *verdict, ic_mistake_id cause);

/** The rule of the map has no mistake, although it is not one on Coulomb's path. */
bool ic_impact_is_published(const ic_impact_verdict *verdict);

#endif
