/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include <math.h>
#include <stdio.h>

/*
 * A property ("v_x = 0") is told of the chosen trials if at least this part of all trials that have it is chosen, and if
 * at least this part of all trials does not have it.
 */
#define LEAST_MEMBERS 0.5
#define LEAST_OTHERS 0.1

static ic_friction_end end_of(const ic_impact *p)
{
    ic_friction_end end;
    ic_coulomb_impulse(p, -p->v[1] * (1 + p->e) / p->w_yy, &end);
    return end;
}

/* ---- properties that hold or do not: kind, when, words */

#define PROPERTIES                                                                                             \
    PROPERTY(NO_SLIP, p->v[0] == 0, "v_x = 0")                                                                 \
    PROPERTY(SMALL_MU, p->mu == 0, "mu = 0")                                                                   \
    PROPERTY(OTHER, p->e == 0, "e = 0")                                                                        \
    PROPERTY(OTHER, p->e == 1, "e = 1")                                                                        \
    PROPERTY(OTHER, p->w_xy == 0, "w_xy = 0")                                                                  \
    PROPERTY(SIDE, p->v[0] > 0, "v_x > 0")                                                                     \
    PROPERTY(SIDE, p->v[0] < 0, "v_x < 0")                                                                     \
    PROPERTY(SIDE, p->w_xy > 0, "w_xy > 0")                                                                    \
    PROPERTY(SIDE, p->w_xy < 0, "w_xy < 0")                                                                    \
    PROPERTY(OTHER, end_of(p) == IC_SLIDES_ON, "the slip lasts to the end")                                    \
    PROPERTY(OTHER, end_of(p) == IC_STICKS, "the slip stops and the contact sticks")                           \
    PROPERTY(OTHER, end_of(p) == IC_SLIDES_BACK, "the slip stops and reverses")

static const struct {
    ic_common_kind kind;
    const char *text;
} properties[] = {
#define PROPERTY(kind_, holds_, text_) {IC_COMMON_##kind_, text_},
    PROPERTIES
#undef PROPERTY
};

/* ---- numbers beyond a bound: kinds if they are small and if they are great, the number, its name; NAN: it has none */

#define NUMBERS                                                                                                \
    NUMBER(SMALL_MU, OTHER, p->mu > 0 ? p->mu : NAN, "mu")                                                     \
    NUMBER(OTHER, OTHER, p->e, "e")                                                                            \
    NUMBER(SLOW, SIZE, fabs(p->v[1]), "|v_y|")                                                                 \
    NUMBER(SLOW_SLIP, SIZE, p->v[0] != 0 ? fabs(p->v[0]) : NAN, "|v_x|")                                       \
    NUMBER(SLOW, SIZE, fmax(fabs(p->v[0]), fabs(p->v[1])), "the greater of |v_x| and |v_y|")                   \
    NUMBER(SIZE, SIZE, p->w_yy, "w_yy")                                                                        \
    NUMBER(OTHER, OTHER, p->w_xx / p->w_yy, "w_xx/w_yy")                                                       \
    NUMBER(OTHER, OTHER, fabs(p->w_xy) / sqrt(p->w_xx * p->w_yy), "|w_xy|/sqrt(w_xx w_yy)")                    \
    NUMBER(SIZE, SIZE, p->w_xx * p->w_yy - p->w_xy * p->w_xy, "w_xx w_yy - w_xy^2")

static const struct {
    ic_common_kind small, great;
    const char *name;
} numbers[] = {
#define NUMBER(small_, great_, number_, name_) {IC_COMMON_##small_, IC_COMMON_##great_, name_},
    NUMBERS
#undef NUMBER
};

/* What an impact is like. */
typedef struct likeness {
    bool holds[IC_COUNT(properties)];
    double number[IC_COUNT(numbers)];
} likeness;

static likeness likeness_of(const ic_impact *p)
{
#define PROPERTY(kind_, holds_, text_) holds_,
#define NUMBER(small_, great_, number_, name_) number_,
    return (likeness){{PROPERTIES}, {NUMBERS}};
#undef PROPERTY
#undef NUMBER
}

/* ---- the property that tells most */

typedef struct choice {
    const bool *chosen, *among;
    likeness p[IC_IMPACT_TRIALS];
    size_t n_chosen, n_among;
    ic_common best;
} choice;

static bool tells_more(const choice *c, size_t members)
{
    return (double)c->n_chosen >= LEAST_MEMBERS * (double)members &&
           (double)(c->n_among - members) >= LEAST_OTHERS * (double)c->n_among &&
           (c->best.kind == IC_COMMON_NOTHING || members < c->best.members);
}

static void try_property(choice *c, size_t k)
{
    size_t members = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const bool holds = c->p[i].holds[k];
        if (c->chosen[i] && !holds) return;
        members += c->among[i] && holds;
    }
    if (!tells_more(c, members)) return;
    c->best = (ic_common){.kind = properties[k].kind, .members = members};
    snprintf(c->best.text, sizeof c->best.text, "%s", properties[k].text);
}

static void try_bounds(choice *c, size_t k)
{
    double least = INFINITY, most = -INFINITY, next = INFINITY, last = -INFINITY;
    size_t below = 0, above = 0;
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const double x = c->p[i].number[k];
        if (c->chosen[i] && isnan(x)) return;
        if (c->chosen[i]) least = fmin(least, x), most = fmax(most, x);
    }
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        const double x = c->p[i].number[k];
        below += c->among[i] && x <= most, above += c->among[i] && x >= least;
        if (c->among[i] && x > most) next = fmin(next, x);
        if (c->among[i] && x < least) last = fmax(last, x);
    }
    if (tells_more(c, below)) {
        c->best = (ic_common){.kind = numbers[k].small, .members = below};
        snprintf(c->best.text, sizeof c->best.text, "%s <= %.4g (not at %.4g)", numbers[k].name, most, next);
    }
    if (tells_more(c, above)) {
        c->best = (ic_common){.kind = numbers[k].great, .members = above};
        snprintf(c->best.text, sizeof c->best.text, "%s >= %.4g (not at %.4g)", numbers[k].name, least, last);
    }
}

ic_common ic_impact_common(const ic_impact p[IC_IMPACT_TRIALS], const bool chosen[IC_IMPACT_TRIALS],
                           const bool among[IC_IMPACT_TRIALS])
{
    choice c = {.chosen = chosen, .among = among};
    for (size_t i = 0; i < IC_IMPACT_TRIALS; i++) {
        c.p[i] = likeness_of(&p[i]);
        c.n_chosen += chosen[i], c.n_among += among[i];
    }
    if (c.n_chosen == 0) return c.best;
    for (size_t k = 0; k < IC_COUNT(properties); k++) try_property(&c, k);
    for (size_t k = 0; k < IC_COUNT(numbers); k++) try_bounds(&c, k);
    return c.best;
}
