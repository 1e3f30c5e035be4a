/* SPDX-License-Identifier: MIT */
/**
 * Mistakes in the code of a contact-force law as changes of the registered one: the changed law is evaluated and
 * compared with the forces observed. A change acts on the elastic force, on the drag, or on both.
 */
#ifndef IC_AUDIT_LAW_CHANGES_H
#define IC_AUDIT_LAW_CHANGES_H

#include "audit/law/law_samples.h"

typedef enum ic_force_change_kind {
    IC_FORCE_UNCHANGED,

    /* a factor x; x in loading and y in unloading */
    IC_FORCE_FACTOR,
    IC_FORCE_SIDES,

    /* a factor for each setting of the parameters, from `table` */
    IC_FORCE_FACTORS,

    /* added: x N to the elastic force; x N s/m times the rate to the drag */
    IC_FORCE_ADDED,

    /* the parameter i is x; at most x; at least x; x times itself; itself to the power x; exchanged with j */
    IC_FORCE_FIXED,
    IC_FORCE_AT_MOST,
    IC_FORCE_AT_LEAST,
    IC_FORCE_SCALED,
    IC_FORCE_POWER,
    IC_FORCE_EXCHANGED,

    /* the part of another registered law */
    IC_FORCE_OTHER_LAW,

    /* y times the power x more of the depth in m, of the rate over v0; v0^x more */
    IC_FORCE_DEPTH_POWER,
    IC_FORCE_RATE_POWER,
    IC_FORCE_SPEED_POWER,

    /* the depth is x times itself; is counted from x, m; is at most x; there is no force up to x */
    IC_FORCE_DEPTH_SCALED,
    IC_FORCE_SHIFTED,
    IC_FORCE_DEPTH_LIMIT,
    IC_FORCE_THRESHOLD,

    /* the whole force is at most x, N */
    IC_FORCE_LIMIT,

    /* v0 is more by x, m/s; is x; at least x; at most x */
    IC_FORCE_SPEED_SHIFTED,
    IC_FORCE_SPEED_FIXED,
    IC_FORCE_SPEED_LEAST,
    IC_FORCE_SPEED_MOST,

    /* |v| is at most x, m/s; at least x */
    IC_FORCE_RATE_MOST,
    IC_FORCE_RATE_LEAST,

    /* there is no force above the surface, although the law acts there */
    IC_FORCE_CUT_ABOVE,
} ic_force_change_kind;

enum { IC_ON_ELASTIC = 1 << IC_ELASTIC, IC_ON_DRAG = 1 << IC_DRAG, IC_ON_BOTH = IC_ON_ELASTIC | IC_ON_DRAG };

typedef struct ic_force_change {
    ic_force_change_kind kind;
    unsigned on;

    /* indices of parameters of the registered law */
    size_t i, j;

    /* of a rate: 1 in loading only, -1 in unloading only, 0 both */
    int side;

    double x, y;

    /* the other law, and for each of its parameters that of the registered one, or n_parameters: the value in par */
    const ic_known_law *other;
    const size_t *other_source;

    /* a factor for each setting, NAN where the law has no force to compare; belongs to the search */
    const double *table;
} ic_force_change;

enum { IC_FORCE_CHANGES_MOST = 4 };

typedef struct ic_force_model {
    const ic_law_pair *pair;
    ic_force_change of[IC_FORCE_CHANGES_MOST];
    size_t n;
} ic_force_model;

/** The whole force of the changed law, N, with the parameters of a setting. */
double ic_force_model_whole(const ic_force_model *m, size_t setting, double d, double v, double v0);

/** What the changed law has where a sample was taken, N: its elastic force, or its drag. */
double ic_force_model_sample(const ic_force_model *m, ic_force_part part, const ic_force_sample *s);

/** The mistake of a change, as it shows in a part. */
ic_mistake_id ic_force_change_mistake(const ic_law_pair *pair, const ic_force_change *change,
                                      ic_force_part part);

enum { IC_FORCE_WORDS = 200 };

/** What the changed law does: "'e' has no effect, as if it were 0.8". */
void ic_force_change_words(char text[IC_FORCE_WORDS], const ic_law_pair *pair, const ic_force_change *change,
                           ic_force_part part);

#endif
