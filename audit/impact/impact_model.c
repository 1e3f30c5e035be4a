/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"

#include <math.h>
#include <string.h>

/* ---- the rules */

static const struct {
    const char *name;

    /* NULL: on Coulomb's path */
    bool (*impulse)(double P[2], const ic_impact *p);
} rules[IC_IMPACT_RULES] = {
    [IC_RULE_NEWTON] = {"newton", NULL},
    [IC_RULE_POISSON] = {"poisson", NULL},
    [IC_RULE_STRONGE] = {"stronge", NULL},
    [IC_RULE_AT_ONCE] = {"newton-at-once", ic_rule_at_once},
    [IC_RULE_IN_TWO] = {"poisson-in-two", ic_rule_in_two},
    [IC_RULE_BRACH] = {"brach", ic_rule_brach},
    [IC_RULE_WHITTAKER] = {"whittaker", ic_rule_whittaker},
    [IC_RULE_CHATTERJEE] = {"chatterjee-ruina", ic_rule_chatterjee},
    [IC_RULE_SMITH] = {"smith", ic_rule_smith},
    [IC_RULE_POISSON_AT_ONCE] = {"poisson-at-once", ic_rule_poisson_at_once},
    [IC_RULE_FRICTION_BOUND] = {"friction-bound", ic_rule_friction_bound},
    [IC_RULE_OWN] = {"its own P_y", NULL},
};

const char *ic_impact_rule_name(ic_impact_rule rule)
{
    return rules[rule].name;
}

ic_impact_rule ic_impact_rule_named(const char *name)
{
    static const struct {
        const char *author;
        ic_impact_rule rule;
    } authors[] = {{"moreau", IC_RULE_AT_ONCE},
                   {"glocker", IC_RULE_IN_TWO},
                   {"chatterjee", IC_RULE_CHATTERJEE},
                   {"whittaker", IC_RULE_WHITTAKER},
                   {"kane-levinson", IC_RULE_WHITTAKER}};
    for (int rule = IC_RULE_NEWTON; rule <= IC_RULE_SMITH; rule++) {
        if (strcmp(name, rules[rule].name) == 0) return (ic_impact_rule)rule;
    }
    for (size_t i = 0; i < IC_COUNT(authors); i++) {
        if (strncmp(name, authors[i].author, strlen(authors[i].author)) == 0) return authors[i].rule;
    }
    return IC_IMPACT_RULES;
}

bool ic_impact_rule_on_path(ic_impact_rule rule)
{
    return rules[rule].impulse == NULL;
}

/* ---- what is solved */

static void set_w(ic_believed_impact *b, double xx, double xy, double yy)
{
    b->w[0][0] = xx, b->w[0][1] = b->w[1][0] = xy, b->w[1][1] = yy;
}

static double limited(double value, double most)
{
    return fmax(-most, fmin(most, value));
}

static double rounded(double value, double unit)
{
    return unit > 0 ? floor(value / unit + 0.5) * unit : floor(value / -unit) * -unit;
}

static void change_belief(ic_believed_impact *b, const ic_impact *p, const ic_impact_change *c)
{
    const double by = c->by, det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    switch (c->kind) {
#define IC_BELIEF(group_, kind_, mistake_, text_, ...)                                                         \
    case IC_##group_##_##kind_:                                                                                \
        __VA_ARGS__;                                                                                           \
        break;
#define IC_WALKED(...)
#define IC_ANSWER(...)
#include "audit/impact/impact_changes.def"
    default: break;
    }
    const ic_change_group group = ic_change_group_of(c->kind);
    if (group == IC_GROUP_PATH) b->path = c->kind, b->path_by = by;
    if (group == IC_GROUP_END) b->end = c->kind, b->end_by = by;
    if (group == IC_GROUP_WHOLE) b->whole = c->kind, b->whole_by = by;
}

static ic_believed_impact believe(const ic_impact *p, double P_y, const ic_impact_model *m)
{
    ic_believed_impact b = {.v = {p->v[0], p->v[1]}, .mu = p->mu, .e = p->e, .own_P_y = fmax(P_y, 0)};
    set_w(&b, p->w_xx, p->w_xy, p->w_yy);
    for (int k = 0; k < IC_MOST_CHANGES; k++) change_belief(&b, p, &m->changes[k]);
    return b;
}

static ic_impact symmetric(const ic_believed_impact *b, const ic_impact *p)
{
    ic_impact q = *p;
    q.v[0] = b->held ? 0 : b->v[0], q.v[1] = b->v[1];
    q.w_xx = b->w[0][0], q.w_xy = b->w[0][1], q.w_yy = b->w[1][1];
    q.mu = b->mu, q.e = b->e;
    return q;
}

ic_impact ic_impact_believed(const ic_impact *p, const ic_impact_model *model)
{
    const ic_believed_impact b = believe(p, 0, model);
    return symmetric(&b, p);
}

/* ---- what is answered */

static void set_velocity(ic_impact_result *r, const ic_impact *p, const double P[2], double normal,
                         double tangential)
{
    r->v[0] = p->v[0] + p->w_xx * P[0] + tangential * p->w_xy * P[1];
    r->v[1] = p->v[1] + normal * p->w_xy * P[0] + p->w_yy * P[1];
}

static void exchange(double x[2])
{
    const double first = x[0];
    x[0] = x[1], x[1] = first;
}

/* The effect of a change on the answer alone. */
static void change_answer(ic_impact_result *r, const ic_impact *p, const ic_impact_change *c)
{
    const double by = c->by;
    switch (c->kind) {
#define IC_BELIEF(...)
#define IC_WALKED(...)
#define IC_ANSWER(group_, kind_, mistake_, text_, ...)                                                         \
    case IC_##group_##_##kind_:                                                                                \
        __VA_ARGS__;                                                                                           \
        break;
#include "audit/impact/impact_changes.def"
    default: break;
    }
}

static void change_impulse(ic_impact_result *r, const ic_impact *p, const ic_impact_change *c)
{
    const double before[2] = {r->P[0], r->P[1]};
    if (ic_change_group_of(c->kind) == IC_GROUP_P) change_answer(r, p, c);
    if (c->kind == IC_P_X_SCALED || c->kind == IC_P_X_MORE || c->true_velocity) {
        r->v[0] += p->w_xx * (r->P[0] - before[0]) + p->w_xy * (r->P[1] - before[1]);
        r->v[1] += p->w_xy * (r->P[0] - before[0]) + p->w_yy * (r->P[1] - before[1]);
    }
}

static void change_velocity(ic_impact_result *r, const ic_impact *p, const ic_impact_change *c)
{
    if (ic_change_group_of(c->kind) == IC_GROUP_OUT) change_answer(r, p, c);
    if (c->kind == IC_V_SHIFTED_X) r->v[0] -= c->by;
}

static bool has_velocity(const ic_impact_result *r, const double v[2], const ic_impact *p, double tolerance)
{
    for (int k = 0; k < 2; k++) {
        if (!(fabs(r->v[k] - v[k]) <= tolerance * ic_velocity_scale(p, r->P, r->v, k))) return false;
    }
    return true;
}

bool ic_impact_undo(ic_impact *p, ic_impact_result *r, const ic_impact_change *c, double tolerance)
{
    const ic_impact_result answer = *r;
    ic_impact_result q;
    if (c->kind == IC_W_UNCOUPLED_NORMAL || c->kind == IC_W_UNCOUPLED_TANGENTIAL) return false;
    if (c->kind <= IC_V_SLIP_HELD) *p = ic_impact_believed(p, &(ic_impact_model){.changes = {*c}});
    else if (c->kind >= IC_OUT_V_X_SIGN) {
        set_velocity(r, p, r->P, 1, 1);
        q = *r;
        change_velocity(&q, p, c);
        return has_velocity(&answer, q.v, p, tolerance);
    } else {
        /* but for factors, these changes are their own inverses */
        ic_impact_change back = *c;
        if (c->kind == IC_P_SCALED) back.by = 1 / c->by;
        if (c->kind == IC_P_PER_MASS) back = (ic_impact_change){.kind = IC_P_SCALED, .by = 1 / p->w_yy};
        change_impulse(r, p, &back);
    }
    q = *r;
    set_velocity(&q, p, r->P, 1, 1);
    return has_velocity(r, q.v, p, tolerance);
}

static bool solve_whole(double P[2], const ic_impact *q, const ic_believed_impact *b, ic_impact_rule rule)
{
    if (rule == IC_RULE_IN_TWO) return b->whole == IC_WHOLE_OLD_SLIP && ic_rule_in_two_old_slip(P, q);
    if (rule != IC_RULE_AT_ONCE) return false;
    switch (b->whole) {
    case IC_WHOLE_SWEEPS_X:
    case IC_WHOLE_SWEEPS_Y: ic_rule_sweeps(P, q, (int)b->whole_by, b->whole == IC_WHOLE_SWEEPS_X); return true;
    case IC_WHOLE_BOUND_PLASTIC: return ic_rule_bound(P, q, -q->v[1] / q->w_yy);
    default: return false;
    }
}

static bool solve_by_rule(ic_impact_result *r, const ic_impact *p, const ic_believed_impact *b,
                          ic_impact_rule rule)
{
    if (!isfinite(b->mu) || !isfinite(b->e)) return false;
    if (ic_impact_rule_on_path(rule)) return b->whole == IC_CHANGE_NONE && ic_impact_walk(r, b, rule);
    /* neither a path nor two matrices; mu without bound means that P_x is without bound */
    if (b->path != IC_CHANGE_NONE || b->end != IC_CHANGE_NONE || b->w[0][1] != b->w[1][0]) return false;
    const ic_impact q = symmetric(b, p);
    *r = (ic_impact_result){.P = {0}};
    if (b->whole != IC_CHANGE_NONE ? !solve_whole(r->P, &q, b, rule) : !rules[rule].impulse(r->P, &q))
        return false;
    set_velocity(r, &q, r->P, 1, 1);
    return true;
}

bool ic_impact_model_solve(ic_impact_result *r, const ic_impact *p, double P_y, const ic_impact_model *m)
{
    const ic_believed_impact b = believe(p, P_y, m);
    if (!solve_by_rule(r, p, &b, m->rule)) return false;
    for (int k = 0; k < IC_MOST_CHANGES; k++) {
        const ic_impact_change *c = &m->changes[k];
        if (c->true_velocity && c->kind <= IC_V_SLIP_HELD) set_velocity(r, p, r->P, 1, 1);
    }
    for (int k = 0; k < IC_MOST_CHANGES; k++) change_impulse(r, p, &m->changes[k]);
    for (int k = 0; k < IC_MOST_CHANGES; k++) change_velocity(r, p, &m->changes[k]);
    return isfinite(r->v[0]) && isfinite(r->v[1]) && isfinite(r->P[0]) && isfinite(r->P[1]);
}
