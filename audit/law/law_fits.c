/* SPDX-License-Identifier: MIT */
#include "audit/law/law.h"

#include "audit/common/explain.h"
#include "registry/registry.h"

#include <string.h>

/* Factors of two sides that differ by less are one; single precision leaves 1e-5. */
#define SIDES_APART 1e-3

/* Values of one kind that are tried, the most frequent first; sought roots of one parameter. */
enum { MOST_VALUES = 3, MOST_ROOTS = 3, HALVINGS = 60, DECADES = 6, PER_DECADE = 4, PARTS = 20 };

typedef struct fit {
    ic_fitted_changes *out;
    const ic_force_model *base;
    const ic_law_pair *pair;
    const ic_force_sample *list;
    const ic_fit_samples *s;

    /* forces of the base at the samples, and at their partners */
    double here[IC_FORCE_FIT_SAMPLES], deeper[IC_FORCE_FIT_SAMPLES], faster[IC_FORCE_FIT_SAMPLES],
        other_impact[IC_FORCE_FIT_SAMPLES];
} fit;

/* ---- other laws */

static bool set_other(ic_other_laws *o, const ic_law *law, const ic_law_pair *pair)
{
    const ic_law *mine = pair->known.law;
    ic_known_law *known = &o->of[o->n].law;
    bool whole = true;
    *known = (ic_known_law){.law = law, .e = law->n_parameters};
    for (size_t i = 0; i < law->n_parameters; i++) {
        const char *name = law->parameters[i].name;
        const size_t same = ic_law_parameter(mine, name);
        o->of[o->n].source[i] = same;
        if (same < mine->n_parameters) continue;
        /* a drag is taken as a part of the elastic force: its stiffness does not matter */
        if (strcmp(name, "K") != 0 && strcmp(name, "k") != 0 && strcmp(name, "n") != 0) return false;
        known->par[i] = strcmp(name, "n") == 0 ? pair->fit.n : 1;
        whole = false;
        o->of[o->n].source[i] = mine->n_parameters;
    }
    o->of[o->n].whole = whole;
    return true;
}

void ic_other_laws_find(ic_other_laws *o, const ic_law_pair *pair)
{
    o->n = 0;
    for (size_t i = 0; i < ic_law_count && o->n < IC_MOST_FORCE_OTHERS; i++) {
        bool again =
            ic_laws[i]->force == pair->known.law->force && ic_laws[i]->remember == pair->known.law->remember;
        for (size_t k = 0; k < o->n; k++)
            again = again || (o->of[k].law.law->force == ic_laws[i]->force &&
                              o->of[k].law.law->remember == ic_laws[i]->remember);
        if (!again && ic_laws[i]->n_parameters <= IC_MOST_LAW_PARAMETERS && set_other(o, ic_laws[i], pair))
            o->n++;
    }
}

/* ---- samples */

static bool is_significant(const ic_force_sample *s)
{
    return s->setting == 0 && fmax(fabs(s->theirs), fabs(s->mine)) >= s->size;
}

/* Index of a sample like i, but with another depth (0), another rate of the same sign (1), another impact (2). */
static size_t find_partner(const ic_force_samples *s, size_t i, int what)
{
    const ic_force_sample *a = &s->list[i];
    for (size_t k = 1; k < s->n; k++) {
        const size_t j = (i + k) % s->n;
        const ic_force_sample *b = &s->list[j];
        if (!is_significant(b) || b->v * a->v < 0) continue;
        if (what == 0 && b->v0 == a->v0 && b->v == a->v && b->d != a->d) return j;
        if (what == 1 && b->v0 == a->v0 && b->v != a->v && b->d == a->d) return j;
        if (what == 2 && b->v0 != a->v0) return j;
    }
    return i;
}

/* Half of them among those that are wrong. */
void ic_fit_samples_choose(ic_fit_samples *c, const ic_law_pair *pair, ic_force_part part)
{
    const ic_force_samples *s = &pair->part[part];
    size_t wrong = 0, all = 0;
    c->part = part, c->n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (!is_significant(&s->list[i])) continue;
        all++, wrong += ic_force_right(&s->list[i]) ? 0 : 1;
    }
    for (int round = 0; round < 2; round++) {
        const size_t of = round == 0 ? wrong : all, most = IC_FORCE_FIT_SAMPLES / 2;
        size_t seen = 0, taken = 0;
        for (size_t i = 0; i < s->n && taken < most; i++) {
            if (!is_significant(&s->list[i]) || (round == 0 && ic_force_right(&s->list[i]))) continue;
            /* evenly spread */
            if (seen++ * most < taken * of) continue;
            c->at[c->n] = i, taken++;
            c->deeper[c->n] = find_partner(s, i, 0);
            c->faster[c->n] = find_partner(s, i, 1);
            c->other_impact[c->n++] = find_partner(s, i, 2);
        }
    }
}

/* ---- values */

static void add(fit *f, ic_force_change change)
{
    change.on = change.on != 0 ? change.on : 1U << f->s->part;
    if (f->out->n < IC_MOST_FORCE_FITTED) f->out->of[f->out->n++] = change;
}

/* The most frequent values; zero has no sign. Returns their number. */
static int find_frequent(double found[MOST_VALUES], double *value, size_t n)
{
    const size_t count = ic_frequent_numbers(found, MOST_VALUES, value, n, 2, NAN);
    for (size_t i = 0; i < count; i++) found[i] = found[i] == 0 ? 0 : found[i];
    return (int)count;
}

typedef double value_of(const fit *f, size_t k, const ic_force_change *change);

static void add_frequent(fit *f, value_of *of, const ic_force_change *change)
{
    double value[IC_FORCE_FIT_SAMPLES] = {0}, found[MOST_VALUES];
    for (size_t k = 0; k < f->s->n; k++) value[k] = of(f, k, change);
    const int n = find_frequent(found, value, f->s->n);
    for (int i = 0; i < n; i++) {
        ic_force_change c = *change;
        c.x = found[i];
        add(f, c);
    }
}

static const ic_force_sample *at(const fit *f, size_t k)
{
    return &f->list[f->s->at[k]];
}

static bool is_wrong(const fit *f, size_t k)
{
    return !(fabs(at(f, k)->mine - f->here[k]) <= IC_SAME_NUMBER * fabs(f->here[k]));
}

static double ratio_at(const fit *f, size_t k, const ic_force_change *c)
{
    return c->side * at(f, k)->v < 0 ? NAN : at(f, k)->mine / f->here[k];
}

/* The most frequent factors of loading and of unloading, where they differ; 1 up to rounding is 1. */
static void add_sides(fit *f)
{
    double value[IC_FORCE_FIT_SAMPLES], found[2][MOST_VALUES];
    int n[2];
    for (int side = 0; side < 2; side++) {
        const ic_force_change change = {.side = side == 0 ? 1 : -1};
        for (size_t k = 0; k < f->s->n; k++) value[k] = ratio_at(f, k, &change);
        n[side] = find_frequent(found[side], value, f->s->n);
        for (int i = 0; i < n[side]; i++)
            found[side][i] = fabs(found[side][i] - 1) < IC_SAME_NUMBER ? 1 : found[side][i];
    }
    for (int i = 0; i < n[0]; i++) {
        for (int k = 0; k < n[1]; k++) {
            const double x = found[0][i], y = found[1][k];
            if (!(fabs(x - y) > SIDES_APART * fabs(x))) continue;
            /* with another factor, which a second change may explain */
            if (x != 0 && x != 1) add(f, (ic_force_change){.kind = IC_FORCE_SIDES, .x = 1, .y = y / x});
            add(f, (ic_force_change){.kind = IC_FORCE_SIDES, .x = x, .y = y});
        }
    }
}

static double rate_limit_at(const fit *f, size_t k, const ic_force_change *c)
{
    const ic_force_sample *s = at(f, k);
    return is_wrong(f, k) && c->side * s->v >= 0 ? fabs(s->v) * s->mine / f->here[k] : NAN;
}

static double added_at(const fit *f, size_t k, const ic_force_change *c)
{
    const ic_force_sample *s = at(f, k);
    (void)c;
    return is_wrong(f, k) ? (s->mine - f->here[k]) / (f->s->part == IC_ELASTIC ? 1 : s->v) : NAN;
}

/* y: the power of v0 in the law's drag */
static double speed_at(const fit *f, size_t k, const ic_force_change *c)
{
    const ic_force_sample *s = at(f, k);
    const double speed = s->v0 * pow(s->mine / f->here[k], 1 / c->y);
    if (c->kind == IC_FORCE_SPEED_SHIFTED) return speed - s->v0;
    return is_wrong(f, k) ? speed : NAN;
}

/* The power by which a ratio grows between two samples. */
static double power_between(const fit *f, size_t k, size_t partner, double theirs, double x, double x_partner)
{
    const double r = at(f, k)->mine / f->here[k], q = f->list[partner].mine / theirs;
    const double power = log(q / r) / log(x_partner / x);
    return fabs(power) > IC_SAME_NUMBER ? power : NAN;
}

static double power_at(const fit *f, size_t k, const ic_force_change *c)
{
    const ic_force_sample *s = at(f, k);
    size_t p;
    switch (c->kind) {
    case IC_FORCE_DEPTH_POWER:
        p = f->s->deeper[k];
        return power_between(f, k, p, f->deeper[k], s->d, f->list[p].d);
    case IC_FORCE_RATE_POWER:
        p = f->s->faster[k];
        return power_between(f, k, p, f->faster[k], fabs(s->v), fabs(f->list[p].v));
    default: p = f->s->other_impact[k]; return power_between(f, k, p, f->other_impact[k], s->v0, f->list[p].v0);
    }
}

/* y of a power: what remains of the ratio */
static void add_powers(fit *f, ic_force_change_kind kind)
{
    const size_t first = f->out->n;
    const ic_force_change change = {.kind = kind};
    add_frequent(f, power_at, &change);
    for (size_t i = first; i < f->out->n; i++) {
        ic_force_change *c = &f->out->of[i];
        double y[IC_FORCE_FIT_SAMPLES], found[MOST_VALUES];
        for (size_t k = 0; k < f->s->n; k++) {
            const ic_force_sample *s = at(f, k);
            y[k] = s->mine / f->here[k] / pow(kind == IC_FORCE_DEPTH_POWER ? s->d : fabs(s->v) / s->v0, c->x);
        }
        /* 1 where it is so up to rounding */
        c->y = find_frequent(found, y, f->s->n) > 0 ? found[0] : 1;
        if (fabs(c->y - 1) < 10 * IC_SAME_NUMBER) c->y = 1;
        if (fabs(c->x - round(2 * c->x) / 2) < IC_SAME_NUMBER) c->x = round(2 * c->x) / 2;
    }
}

/* ---- roots: values of a change with which the model has the force of one sample */

static double excess(fit *f, const ic_force_change *change, const ic_force_sample *s, double x)
{
    ic_force_model m = *f->base;
    m.of[m.n] = *change;
    m.of[m.n++].x = x;
    f->out->calls += 2;
    return ic_force_model_sample(&m, f->s->part, s) - s->mine;
}

static double bisect(fit *f, const ic_force_change *change, const ic_force_sample *s, double a, double b)
{
    const double at_a = excess(f, change, s, a);
    for (int i = 0; i < HALVINGS && a != b; i++) {
        const double middle = 0.5 * (a + b);
        if ((excess(f, change, s, middle) > 0) == (at_a > 0)) a = middle;
        else b = middle;
    }
    return 0.5 * (a + b);
}

/* Roots between neighbours of a grid of n values. */
static int find_roots(fit *f, const ic_force_change *change, const ic_force_sample *s, const double *grid,
                      int n, double roots[MOST_ROOTS])
{
    int count = 0;
    double before = excess(f, change, s, grid[0]);
    for (int i = 1; i < n && count < MOST_ROOTS; i++) {
        const double here = excess(f, change, s, grid[i]);
        if (isfinite(before) && isfinite(here) && before != 0 && (before > 0) != (here > 0))
            roots[count++] = bisect(f, change, s, grid[i - 1], grid[i]);
        before = here;
    }
    return count;
}

static int list_values(double *grid, double value)
{
    int n = 0;
    const double size = value != 0 ? fabs(value) : 1;
    for (int k = -DECADES * PER_DECADE; k <= DECADES * PER_DECADE; k++)
        grid[n++] = size * pow(10, (double)k / PER_DECADE);
    return n;
}

static void add_root(fit *f, size_t i, double now, double root)
{
    if (fabs(root - now) <= IC_SAME_NUMBER * fabs(now)) return;
    add(f, (ic_force_change){.kind = IC_FORCE_FIXED, .i = i, .x = root});
    add(f, (ic_force_change){.kind = now > root ? IC_FORCE_AT_MOST : IC_FORCE_AT_LEAST, .i = i, .x = root});
    if (now != 0) add(f, (ic_force_change){.kind = IC_FORCE_SCALED, .i = i, .x = root / now});
    if (root > 0 && now > 0 && now < 1 && root != 1)
        add(f, (ic_force_change){.kind = IC_FORCE_POWER, .i = i, .x = log(root) / log(now)});
}

static void add_roots_of(fit *f, size_t i, const ic_force_sample *s)
{
    double grid[2 * DECADES * PER_DECADE + 1], roots[MOST_ROOTS];
    const double now = f->pair->par[s->setting][i];
    const ic_force_change change = {.kind = IC_FORCE_FIXED, .on = 1U << f->s->part, .i = i};
    int n = find_roots(f, &change, s, grid, list_values(grid, now), roots);
    for (int k = 0; k < n; k++) add_root(f, i, now, roots[k]);
    if (!(now >= 0 && now <= 1)) return;
    for (int k = 0; k <= PARTS; k++) grid[k] = (double)k / PARTS;
    const int more = find_roots(f, &change, s, grid, PARTS + 1, roots);
    for (int k = 0; k < more; k++) add_root(f, i, now, roots[k]);
}

/* A sample that the base does not explain: the first, or the last one. */
static const ic_force_sample *find_unexplained(fit *f, bool last)
{
    const ic_force_samples *s = &f->pair->part[f->s->part];
    for (size_t k = 0; k < s->n; k++) {
        const ic_force_sample *a = &s->list[last ? s->n - 1 - k : k];
        const double theirs = ic_force_model_sample(f->base, f->s->part, a);
        f->out->calls++;
        if (fabs(a->mine - theirs) >
                IC_SAME_NUMBER * fabs(a->mine) + IC_SAME_NUMBER * IC_SAME_NUMBER * fabs(a->whole) &&
            a->d > 0)
            return a;
    }
    return NULL;
}

static void add_parameters(fit *f)
{
    const ic_law *law = f->pair->known.law;
    bool varies[IC_MOST_LAW_PARAMETERS] = {false};
    for (size_t i = 0; i < law->n_parameters; i++) varies[i] = ic_law_pair_varies(f->pair, f->s->part, i);
    for (size_t i = 0; i < law->n_parameters; i++) {
        if (!varies[i]) continue;
        for (size_t j = i + 1; j < law->n_parameters; j++) {
            if (varies[j]) add(f, (ic_force_change){.kind = IC_FORCE_EXCHANGED, .i = i, .j = j});
        }
        add(f, (ic_force_change){.kind = IC_FORCE_FIXED, .i = i, .x = f->pair->par[0][i]});
        if (i == f->pair->known.e) {
            add(f, (ic_force_change){.kind = IC_FORCE_POWER, .i = i, .x = 2});
            add(f, (ic_force_change){.kind = IC_FORCE_POWER, .i = i, .x = 0.5});
        }
    }
    const ic_force_sample *first = find_unexplained(f, false), *last = find_unexplained(f, true);
    for (size_t i = 0; i < law->n_parameters && first != NULL; i++) {
        if (varies[i]) add_roots_of(f, i, first);
        if (varies[i] && last != first) add_roots_of(f, i, last);
    }
}

/* ---- limits */

/* The greatest force, if several samples have it. */
static void add_force_limit(fit *f)
{
    double most = 0;
    int count = 0;
    for (int part = 0; part < IC_FORCE_PARTS; part++) {
        const ic_force_samples *s = &f->pair->part[part];
        for (size_t i = 0; i < s->n; i++) {
            if (s->list[i].whole > most * (1 + IC_SAME_NUMBER)) most = s->list[i].whole, count = 0;
            count += fabs(s->list[i].whole - most) <= IC_SAME_NUMBER * most;
        }
    }
    if (count > 2) add(f, (ic_force_change){.kind = IC_FORCE_LIMIT, .on = IC_ON_BOTH, .x = most});
}

static double threshold_between(const fit *f, double none, double some)
{
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (none + some);
        if (ic_law_probe_force(f->pair->p, middle, 0) == 0) none = middle;
        else some = middle;
    }
    return none;
}

/* The greatest depth without a force, and where the force begins to be. */
static void add_threshold(fit *f)
{
    const ic_force_samples *s = &f->pair->part[f->s->part];
    double none = 0, some = INFINITY;
    for (size_t i = 0; i < s->n; i++) {
        if (s->list[i].setting != 0) continue;
        if (s->list[i].mine == 0) none = fmax(none, s->list[i].d);
        else some = fmin(some, s->list[i].d);
    }
    if (none > 0 && some < INFINITY && some > none)
        add(f, (ic_force_change){.kind = IC_FORCE_THRESHOLD, .x = threshold_between(f, none, some)});
}

static void add_depth_roots(fit *f, ic_force_change_kind kind, const ic_force_sample *s, const double *grid,
                            int n)
{
    const ic_force_change change = {.kind = kind, .on = 1U << f->s->part};
    double roots[MOST_ROOTS];
    n = find_roots(f, &change, s, grid, n, roots);
    for (int i = 0; i < n; i++) {
        ic_force_change c = change;
        c.x = roots[i];
        add(f, c);
    }
}

static void add_depths(fit *f)
{
    size_t k = 0;
    while (k < f->s->n && (!is_wrong(f, k) || at(f, k)->mine == 0)) k++;
    if (k == f->s->n) return;
    const ic_force_sample *s = at(f, k);
    const double d = s->d, shifts[] = {-1e3 * d, -10 * d, -d, 0, 0.5 * d, d}, limits[] = {1e-3 * d, 0.1 * d, d},
                 scales[] = {1e-7, 1e-4, 1e-2, 0.3, 3, 1e2, 1e4, 1e7};
    add_depth_roots(f, IC_FORCE_DEPTH_SCALED, s, scales, (int)IC_COUNT(scales));
    add_depth_roots(f, IC_FORCE_SHIFTED, s, shifts, (int)IC_COUNT(shifts));
    add_depth_roots(f, IC_FORCE_DEPTH_LIMIT, s, limits, (int)IC_COUNT(limits));
}

/* ---- all changes */

/* The power of v0 in the base's drag, between the impacts of two samples at equal depth and rate. */
static double speed_power_of(fit *f)
{
    const ic_force_sample *s = at(f, 0);
    const double one = ic_force_model_whole(f->base, 0, s->d, s->v, 1) -
                       ic_force_model_whole(f->base, 0, s->d, 0, 1),
                 two = ic_force_model_whole(f->base, 0, s->d, s->v, 2) -
                       ic_force_model_whole(f->base, 0, s->d, 0, 2);
    f->out->calls += 4;
    return log(two / one) / log(2);
}

static void add_speeds(fit *f)
{
    const double power = speed_power_of(f);
    add_frequent(f, power_at, &(ic_force_change){.kind = IC_FORCE_SPEED_POWER});
    for (int kind = IC_FORCE_SPEED_SHIFTED; kind <= IC_FORCE_SPEED_MOST && fabs(power) > IC_SAME_NUMBER; kind++)
        add_frequent(f, speed_at, &(ic_force_change){.kind = (ic_force_change_kind)kind, .y = power});
    for (int kind = IC_FORCE_RATE_MOST; kind <= IC_FORCE_RATE_LEAST; kind++) {
        for (int side = -1; side <= 1; side++)
            add_frequent(f, rate_limit_at,
                         &(ic_force_change){.kind = (ic_force_change_kind)kind, .side = side});
    }
}

static void take_forces(fit *f)
{
    for (size_t k = 0; k < f->s->n; k++) {
        f->here[k] = ic_force_model_sample(f->base, f->s->part, at(f, k));
        f->deeper[k] = ic_force_model_sample(f->base, f->s->part, &f->list[f->s->deeper[k]]);
        f->faster[k] = ic_force_model_sample(f->base, f->s->part, &f->list[f->s->faster[k]]);
        f->other_impact[k] = ic_force_model_sample(f->base, f->s->part, &f->list[f->s->other_impact[k]]);
    }
    f->out->calls += 4 * (long)f->s->n;
}

void ic_force_fit(ic_fitted_changes *fitted, const ic_force_model *base, const ic_fit_samples *samples,
                  const ic_other_laws *others, bool defaults_only)
{
    fit f = {.out = fitted, .base = base, .pair = base->pair, .s = samples};
    f.list = f.pair->part[samples->part].list;
    fitted->n = 0, fitted->calls = 0;
    if (samples->n == 0) return;
    take_forces(&f);
    add_frequent(&f, ratio_at, &(ic_force_change){.kind = IC_FORCE_FACTOR});
    add_frequent(&f, added_at, &(ic_force_change){.kind = IC_FORCE_ADDED});
    if (samples->part == IC_DRAG) {
        add_sides(&f);
        add(&f, (ic_force_change){.kind = IC_FORCE_CUT_ABOVE});
        add_speeds(&f);
    }
    if (!defaults_only) add_parameters(&f);
    add_force_limit(&f);
    if (samples->part == IC_ELASTIC) {
        add_depths(&f);
        add_threshold(&f);
    }
    add_powers(&f, IC_FORCE_DEPTH_POWER);
    if (samples->part == IC_DRAG) add_powers(&f, IC_FORCE_RATE_POWER);
    for (size_t i = 0; i < others->n; i++) {
        if (f.s->part == IC_ELASTIC && !others->of[i].whole) continue;
        add(&f, (ic_force_change){.kind = IC_FORCE_OTHER_LAW,
                                  .other = &others->of[i].law,
                                  .other_source = others->of[i].source});
    }
}

bool ic_force_fit_factors(ic_force_change *change, double table[IC_MOST_PAIR_SETTINGS],
                          const ic_force_model *base, ic_force_part part)
{
    const ic_force_samples *s = &base->pair->part[part];
    *change = (ic_force_change){
        .kind = IC_FORCE_FACTORS, .on = 1U << part, .x = INFINITY, .y = -INFINITY, .table = table};
    double best[IC_MOST_PAIR_SETTINGS];
    /* a force that is 0 has a ratio, too */
    for (size_t i = 0; i < IC_MOST_PAIR_SETTINGS; i++) table[i] = NAN, best[i] = -1;
    for (size_t i = 0; i < s->n; i++) {
        const ic_force_sample *one = &s->list[i];
        /* the force that rounding disturbs least */
        const double part_of_whole = fmin(fabs(one->mine / one->whole), 1);
        if (!(part_of_whole > best[one->setting]) || one->theirs == 0 || one->v < 0) continue;
        const double ratio = one->mine / ic_force_model_sample(base, part, one);
        if (isfinite(ratio)) table[one->setting] = ratio, best[one->setting] = part_of_whole;
    }
    for (size_t i = 0; i < IC_MOST_PAIR_SETTINGS; i++)
        change->x = fmin(change->x, table[i]), change->y = fmax(change->y, table[i]);
    return change->x <= change->y;
}
