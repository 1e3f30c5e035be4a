/* SPDX-License-Identifier: MIT */
/**
 * Mistakes in the code of a contact-force law as changes of the registered one: the changed law is evaluated and
 * compared with the forces observed. A change acts on the elastic force, on the drag, or on both.
 */
#ifndef IC_AUDIT_LAW_CHANGES_H
#define IC_AUDIT_LAW_CHANGES_H

#include "audit/law/law_samples.h"

/** audit/law/law_changes.def */
typedef enum ic_force_change_kind {
    IC_FORCE_UNCHANGED,
#define IC_FORCE_CHANGE(kind_, elastic_, drag_, words_) IC_FORCE_##kind_,
#include "audit/law/law_changes.def"
#undef IC_FORCE_CHANGE
    IC_FORCE_CHANGE_KINDS
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
