/* SPDX-License-Identifier: MIT */
/* From event to event: steps, the crossings in them, and the change of the clock. */
#include "reference/deadline.h"
#include "reference/flow/flow_extremes.h"
#include "reference/flow/flow_record.h"
#include "reference/flow/flow_tie.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a step at which it may end, with few bits; the first at which all signs are decided is used. */
static const double step_ends[] = {1, 0.9375, 0.875, 0.8125, 0.75, 0.625, 0.5, 0.375, 0.25};

/* Time is searched for the end of the run this much beyond it. */
#define BEYOND_STOP 1.0625
/* A search that is undecided, perhaps behind a crossing, is repeated up to this much beyond that. */
#define BEYOND_CROSSING 1.0625
/* The root of a guard becomes the clock at this part of the guard's value at which that is decided. */
#define PART_OF_BASE 0.875
/* It remains the clock while |b'| is greater than this times b''/b' would require to become it. */
#define LEAVES_ROOT 0.5
/* Recorded steps end so near to a crossing. */
#define NEAR_CROSSING 0x1p-7
/* A root that failed is tried again when the value has fallen to this part. */
#define TRY_AGAIN 0.25

/* The next step is tried with this length, if the last one was shortened for extremes. */
#define MORE_LENGTH 1.25

/* A step without an event makes the next one likely to be longer by this factor. */
#define MORE_LIKELY 8

enum { MOST_CUTS = 40, MOST_SHORTENINGS = 8, ROOT_BITS = 8 };

typedef enum watch_kind { WATCH_GUARD, WATCH_ARGUMENT, WATCH_STOP, WATCH_SWITCH, WATCH_JUMP } watch_kind;

/* A value whose sign changes matter during a step. */
typedef struct watch {
    watch_kind kind;
    size_t guard;
    int term;

    /* sign at the start of the step, order of a zero there, direction of the crossings that count */
    int side, order, direction;

    /* a guard: formulas use its sign */
    bool is_used;

    /* a guard: the crossing that was found fires nothing, but changes these formulas */
    bool bends;

    /* the sign is definite over the whole step */
    bool constant_sign;

    /* with the spread of the set in the remainders, and from the centre alone */
    ic_ball_polynomial p, centre;

    /* the first crossing: its place for the centre, and for the whole set */
    bool found;
    arb_t s, s_all;

    /* the sign at the end of the search */
    int side_at_end;
} watch;

typedef struct step_watches {
    watch *list;
    size_t n;
} step_watches;

/* ---- what is watched */

static void add_watch(step_watches *w, watch added)
{
    watch *at = &w->list[w->n++];
    *at = added;
    arb_init(at->s);
    arb_init(at->s_all);
}

static void watch_set_polynomials(watch *w, const ic_step *step)
{
    ic_ball_polynomial p;
    w->constant_sign = w->order == 0 && step->signs[w->term] == w->side;
    if (w->constant_sign) return;
    ic_step_polynomial(&p, step, w->term);
    if (w->order > 0) {
        ic_ball_polynomial_deflate(&w->centre, &p, w->order);
        ic_ball_polynomial_deflate(&w->p, &p, w->order);
        ic_ball_polynomial_clear(&p);
    } else {
        w->centre = p;
        ic_step_polynomial(&w->p, step, w->term);
    }
    ic_step_add_spread(&w->p, step, w->term, w->order);
}

static bool open_watches(step_watches *w, const ic_flow *f, const ic_step *step, int switch_term)
{
    const ic_flow_phase *p = &f->phase;
    *w = (step_watches){0};
    w->list = calloc(p->n_values + p->formulas.n_assumptions + 2, sizeof *w->list);
    if (w->list == NULL) return false;
    for (size_t i = 0; i < p->n_values; i++) {
        /* u > 0, so that the guard whose root is the clock keeps its sign */
        const ic_guard *guard = ic_flow_guard(f, i);
        const bool asked = f->open_conditions && i >= f->values[f->mode].first_condition;
        if (p->values[i] < 0 || (int)i == f->clock.guard ||
            (guard == NULL && (asked || f->guards[i].side == 0)))
            continue;
        add_watch(w, (watch){.kind = guard != NULL ? WATCH_GUARD : WATCH_ARGUMENT,
                             .guard = i,
                             .term = p->values[i],
                             .side = f->guards[i].side,
                             .order = f->guards[i].order,
                             .is_used = guard != NULL && p->used[i],
                             .direction = guard != NULL ? guard->direction : 0});
    }
    for (size_t i = 0; i < p->formulas.n_assumptions; i++) {
        const ic_assumption *a = &p->formulas.assumptions[i];
        add_watch(w, (watch){.kind = WATCH_JUMP, .term = a->term, .side = a->sign, .direction = 0});
    }
    add_watch(w, (watch){.kind = WATCH_STOP, .term = p->stop, .side = -1, .direction = +1});
    if (switch_term >= 0)
        add_watch(w, (watch){.kind = WATCH_SWITCH, .term = switch_term, .side = +1, .direction = -1});
    for (size_t i = 0; i < w->n; i++) watch_set_polynomials(&w->list[i], step);
    return true;
}

static void close_watches(step_watches *w)
{
    for (size_t i = 0; i < w->n; i++) {
        if (!w->list[i].constant_sign) {
            ic_ball_polynomial_clear(&w->list[i].p);
            ic_ball_polynomial_clear(&w->list[i].centre);
        }
        arb_clear(w->list[i].s);
        arb_clear(w->list[i].s_all);
    }
    free(w->list);
}

/* The kind of a crossing: a guard that bends formulas there, and does not fire, counts as their argument. */
static watch_kind crossing_kind(const watch *w)
{
    return w->bends ? WATCH_ARGUMENT : w->kind;
}

static const char *watch_name(const ic_flow *f, const watch *w)
{
    return w->kind == WATCH_GUARD    ? ic_flow_mode(f)->guards[w->guard].name
           : w->kind == WATCH_STOP   ? f->stop_event != NULL ? f->stop_event->name : "end of the run"
           : w->kind == WATCH_SWITCH ? "root"
                                     : "kink of a formula";
}

/* ---- the search */

/* The last part of the step at which all signs are decided, at most `most`; negative: none. */
static double choose_end(const step_watches *w, double most)
{
    IC_BALLS(s, value);
    double end = -1;
    for (size_t k = 0; k < IC_COUNT(step_ends) && end < 0; k++) {
        bool decided = true;
        arb_set_d(s, most * step_ends[k]);
        for (size_t i = 0; i < w->n && decided; i++) {
            if (w->list[i].constant_sign) continue;
            ic_ball_polynomial_value(value, &w->list[i].p, s);
            decided = ic_ball_sign(value) != 0;
        }
        if (decided) end = most * step_ends[k];
    }
    return end;
}

/* Encloses the zero that is isolated in [low, high], for the whole set and for its centre. */
static void refine(watch *w, double low, double high)
{
    IC_BALLS(end);
    IC_BOUNDS(none);
    arb_set_d(w->s_all, low);
    arb_set_d(end, high);
    arb_union(w->s_all, w->s_all, end, w->p.prec);
    ic_refine_root(w->s_all, &w->p, &w->p, none);
    arb_set(w->s, w->s_all);
    ic_refine_root(w->s, &w->centre, &w->centre, none);
}

/* y over a part of the step for the whole set: n + 1 balls. */
static void enclose_states(arb_ptr y, const ic_step *step, const arb_t s)
{
    const slong n = step->phase->terms.n + 1;
    IC_BOUNDS(size, part);
    IC_BALL_MATRIX(d, n, n);
    ic_step_state(y, step, s);
    ic_step_derivative(d, step, s);
    for (slong v = 0; v < n; v++) {
        mag_zero(part);
        for (slong j = 0; j < step->n_variables; j++) {
            arb_get_mag(size, arb_mat_entry(d, v, step->variables[j]));
            mag_addmul(part, size, step->spread + j);
        }
        arb_add_error_mag(y + v, part);
    }
}

static void clock_at(arb_t clock, const ic_step *step, const arb_t s)
{
    arb_mul_arf(clock, s, step->length, step->prec);
    arb_add(clock, clock, step->clock, step->prec);
}

/* Value of a term at a place of the step, for the whole set. */
static void value_at(arb_t value, const ic_step *step, int term, const arb_t s)
{
    const slong n = step->phase->terms.n + 1;
    ic_jets jets;
    IC_BALLS(clock);
    IC_BALL_VECTOR(y, n);
    enclose_states(y, step, s);
    clock_at(clock, step, s);
    ic_jets_init(&jets, &step->phase->terms, step->phase->rates, 1, step->prec);
    ic_jets_start(&jets, y, clock);
    ic_jets_extend(&jets, 1, false);
    arb_set(value, ic_jet(&jets, term));
    ic_jets_clear(&jets);
}

enum { ENABLED = 1, NOT_DECIDED = 0, NOT_ENABLED = -1 };

/* Where a condition is asked for: at s of a step, or where the phase starts (NULL); a term that is zero there, or -1. */
typedef struct place {
    const ic_step *step;
    arb_srcptr s;
    int zero;
} place;

/* Whether part number `value` of a condition holds: a multiple of what is zero does not, unless it is u <= 0. */
static int part_holds(const ic_flow *f, const place *at, size_t value)
{
    const ic_flow_terms *terms = &f->phase.formulas.terms;
    const int term = f->phase.values[value];
    IC_BALLS(x);
    if (term < 0) return term == IC_VALUE_HOLDS ? ENABLED : NOT_DECIDED;
    const bool closed = f->values[f->mode].closed[value];
    if (ic_flow_term_ratio_sign(terms, term, at->zero) != 0) return closed ? ENABLED : NOT_ENABLED;
    if (at->step != NULL) value_at(x, at->step, term, at->s);
    else arb_set(x, terms->values + term);
    const bool enabled = closed ? arb_is_nonnegative(x) : arb_is_positive(x);
    const bool not_enabled = closed ? arb_is_negative(x) : arb_is_nonpositive(x);
    return enabled ? ENABLED : not_enabled ? NOT_ENABLED : NOT_DECIDED;
}

/* The same for a condition of parts, of which *next is the first: the least of `and`, the greatest of `or`. */
static int condition_holds(const ic_flow *f, const place *at, int operation, size_t *next)
{
    const ic_equations *q = ic_flow_mode(f)->quantities;
    if (!ic_flow_is_joined(q, operation)) return part_holds(f, at, (*next)++);
    const int a = condition_holds(f, at, q->terms[operation].a, next),
              b = condition_holds(f, at, q->terms[operation].b, next);
    return q->terms[operation].operation == IC_OP_MIN ? FLINT_MIN(a, b) : FLINT_MAX(a, b);
}

static int is_enabled(const ic_flow *f, size_t guard, const place *at)
{
    const ic_mode_values *values = &f->values[f->mode];
    const size_t condition = values->conditions[guard];
    if (condition == 0 || f->phase.values[condition] < 0) return ENABLED;
    size_t next = values->first_parts[guard];
    return condition_holds(f, at, ic_flow_mode(f)->quantities->results[guard], &next);
}

/*
 * Finds the first crossing of a watched value in (0, end] that fires a guard or changes formulas. A guard also crosses
 * against its direction, or while it is not enabled.
 */
static ic_status search(ic_flow *f, const ic_step *step, watch *w, double end)
{
    double from = 0;
    w->found = w->bends = false;
    w->side_at_end = w->side;
    if (w->side == 0) return ic_flow_undecided(f, "the sign of '%s'", watch_name(f, w));
    while (!w->constant_sign) {
        double low = 0, high = 0;
        const ic_isolation isolation = ic_first_sign_change(&low, &high, &w->p, from, end, w->side_at_end);
        if (isolation == IC_NO_SIGN_CHANGE) break;
        if (isolation == IC_CANNOT_TELL)
            return ic_flow_undecided(f, "whether '%s' crosses or touches zero", watch_name(f, w));
        w->side_at_end = -w->side_at_end;
        from = high;
        const bool directed = w->direction == 0 || w->direction == w->side_at_end;
        if (!directed && !w->is_used) continue;
        refine(w, low, high);
        const place at = {step, w->s_all, w->term};
        const bool is_guard = w->kind == WATCH_GUARD;
        const int fires = !directed ? NOT_ENABLED : is_guard ? is_enabled(f, w->guard, &at) : ENABLED;
        if (fires == NOT_DECIDED)
            return ic_flow_undecided(f, "whether guard '%s' is enabled", watch_name(f, w));
        w->bends = fires == NOT_ENABLED && w->is_used;
        w->found = fires == ENABLED || w->bends;
        if (w->found) break;
    }
    return IC_OK;
}

/* Whether a watched value, rather than another one that is its multiple, gives the event where both vanish. */
static bool comes_before(const watch *a, const watch *b)
{
    const bool fires = crossing_kind(a) == WATCH_GUARD;
    if (fires != (crossing_kind(b) == WATCH_GUARD)) return fires;
    return a->guard < b->guard; /* the first in the table fires */
}

/* The number of the first crossing. -1: there is none. -2: the two in `tie` cannot be separated. */
static int earliest(const ic_flow *f, const step_watches *w, const watch **tie)
{
    int first = -1;
    for (size_t i = 0; i < w->n; i++) {
        if (!w->list[i].found) continue;
        if (first < 0 || arb_lt(w->list[i].s_all, w->list[first].s_all)) first = (int)i;
    }
    for (size_t i = 0; i < w->n && first >= 0; i++) {
        const watch *other = &w->list[i], *found = &w->list[first];
        tie[0] = found, tie[1] = other;
        if (!other->found || (int)i == first || arb_lt(found->s_all, other->s_all)) continue;
        const bool stops = other->kind > WATCH_ARGUMENT || found->kind > WATCH_ARGUMENT;
        if (stops || ic_flow_term_ratio_sign(&f->phase.formulas.terms, other->term, found->term) == 0)
            return -2;
        if (comes_before(other, found)) first = (int)i;
    }
    return first;
}

/* ---- moving the set */

/* To a place of the step that is the same for the whole set. */
static void move_to(ic_flow *f, const ic_step *step, const arb_t s)
{
    IC_BALL_VECTOR(y, f->n + 1);
    IC_BALL_MATRIX(d, f->n + 1, f->n + 1);
    ic_step_state(y, step, s);
    ic_step_derivative(d, step, s);
    ic_flow_map(f, y, d);
    if (f->clock.guard >= 0) clock_at(f->clock.u, step, s);
}

/* A state of which a term that is zero is a multiple is exactly zero. */
static void hold_at_zero(const ic_flow *f, int term, arb_ptr y, arb_mat_t d)
{
    const ic_flow_term *list = f->phase.formulas.terms.list, *t = &list[term];
    while (t->kind == IC_FLOW_PRODUCT && list[t->a].constant &&
           ic_ball_sign(f->phase.formulas.terms.values + t->a) != 0)
        t = &list[t->b];
    if (f->proof != NULL || f->columns != NULL || t->kind != IC_FLOW_VARIABLE || t->index >= f->n) return;
    arb_zero(y + t->index);
    for (slong c = 0; c <= f->n; c++) arb_zero(arb_mat_entry(d, t->index, c));
}

/* To the section where a watched value is zero: D(s) - f (grad g . D(s))/(dg/du). */
static void move_to_section(ic_flow *f, const ic_step *step, const watch *w)
{
    /* the rate may be a small difference of speeds: then entries of the derivative are large, and cancel */
    const slong n = f->n + 1, bits = FLINT_MAX(IC_SECTION_BITS, f->prec);
    ic_jets jets;
    ic_gradients gradients;
    IC_BALLS(clock, entry);
    slong m = 0;
    IC_ZEROS(slong, variables, n);
    IC_BALL_VECTOR(y, n);
    IC_BALL_VECTOR(row, n);
    IC_BALL_MATRIX(d, n, n);
    enclose_states(y, step, w->s_all);
    clock_at(clock, step, w->s_all);
    ic_jets_init(&jets, &step->phase->terms, step->phase->rates, 2, bits);
    ic_jets_start(&jets, y, clock);
    ic_jets_extend(&jets, 2, true);
    for (slong v = 0; v < n; v++) {
        if (!f->phase.constant[v]) variables[m++] = v;
    }
    ic_gradients_init(&gradients, &jets, variables, m);
    ic_step_derivative(d, step, w->s_all);
    /* row = grad g . D/(dg/du) */
    arb_srcptr rate = ic_jet(&jets, w->term) + 1;
    for (slong c = 0; c < n; c++) {
        arb_zero(entry);
        for (slong j = 0; j < m; j++)
            arb_addmul(entry, ic_gradient(&gradients, w->term, j), arb_mat_entry(d, variables[j], c), bits);
        arb_div(row + c, entry, rate, bits);
    }
    for (slong v = 0; v < n; v++) {
        const int moves = step->phase->rates[v];
        for (slong c = 0; c < n && moves >= 0; c++)
            arb_submul(arb_mat_entry(d, v, c), ic_jet(&jets, moves), row + c, bits);
    }
    ic_step_state(y, step, w->s);
    hold_at_zero(f, w->term, y, d);
    ic_flow_map(f, y, d);
    ic_gradients_clear(&gradients);
    ic_jets_clear(&jets);
}

/* ---- the root of a guard as the clock */

static void use_time(ic_flow *f)
{
    f->clock.guard = -1;
    arb_zero(f->clock.u);
}

/* Base of a root and its first two rates at a place of a step in time, from the centre; not rigorous. */
static void base_at(double base[3], const ic_flow *f, const ic_step *step, const ic_root *root, double s)
{
    IC_BALLS(place);
    IC_BALL_VECTOR(shifted, step->order);
    arb_set_d(place, s);
    arb_mul_arf(place, place, step->length, IC_FRAME_BITS);
    _arb_vec_set(shifted, ic_jet(&step->centre, f->phase.values[root->guard]), step->order);
    _arb_poly_taylor_shift(shifted, place, step->order, IC_FRAME_BITS);
    for (int k = 0; k < 3; k++) base[k] = root->sign * (k == 2 ? 2 : 1) * ic_flow_middle(shifted + k);
}

/* The root that is to become the clock. */
typedef struct root_switch {
    ic_root root;

    /* its value at that place */
    double u;

    /* the value that is zero there; -1: none is planned */
    int term;
} root_switch;

enum { NOT_PLANNED = -1, NEWLY_PLANNED = -2 };

/* The time in which the base b of a root would fall to zero; INFINITY: it does not fall. */
static double time_to_zero(const double b[3])
{
    return b[0] > 0 && b[1] < 0 ? -b[0] / b[1] : INFINITY;
}

/*
 * Plans the root of the base that is next at zero, if it falls towards zero fast enough for its root to be the
 * clock: b' < 0 and b'^2 > b |b''|.
 */
static void plan_root(root_switch *planned, ic_flow *f, const ic_step *step, double s)
{
    double b[3], base = 0, least = INFINITY;
    const ic_root *next = NULL;
    if (f->clock.guard >= 0) return;
    if (planned->term >= 0) {
        base_at(b, f, step, &planned->root, s);
        least = time_to_zero(b);
    }
    for (size_t i = 0; i < f->phase.n_roots; i++) {
        const ic_root *r = &f->phase.roots[i];
        if (f->phase.values[r->guard] < 0) continue;
        double *tried = &f->root_tried[r->guard];
        base_at(b, f, step, r, s);
        if (b[1] >= 0) *tried = 0;
        if (!(time_to_zero(b) < least && b[1] * b[1] > b[0] * fabs(b[2]))) continue;
        if (*tried > 0 && b[0] > TRY_AGAIN * *tried) continue;
        least = time_to_zero(b);
        base = b[0];
        next = r;
    }
    if (next == NULL) return;
    int exponent;
    const double part = frexp(pow(PART_OF_BASE * base, 1.0 / next->q), &exponent);
    const double u = ldexp(floor(ldexp(part, ROOT_BITS)), exponent - ROOT_BITS);
    if (!(u > 0)) return;
    if (planned->term >= 0) f->root_tried[planned->root.guard] = 0;
    f->root_tried[next->guard] = base;
    *planned = (root_switch){*next, u, NEWLY_PLANNED};
}

/* The value whose zero is the place at which the base is u^q. */
static int switch_term(ic_flow *f, const ic_root *root, double u)
{
    IC_BALLS(value);
    arb_set_d(value, u);
    arb_pow_ui(value, value, (ulong)root->q, ARF_PREC_EXACT);
    const int guard = f->phase.values[root->guard];
    const int base = root->sign > 0 ? guard : ic_flow_term_negate(&f->phase.formulas.terms, guard);
    return ic_flow_phase_watch(f, base, value);
}

/* Whether the rate b' of the clock's base is so small that the time is better: b'^2 < b |b''|. */
static bool leaves_root(const ic_flow *f, const ic_step *step, double s)
{
    IC_BALLS(place, x, y);
    if (f->clock.guard < 0) return false;
    arb_set_d(place, s);
    arb_mul_arf(place, place, step->length, IC_FRAME_BITS);
    _arb_poly_evaluate2(x, y, ic_jet(&step->centre, f->phase.base_rate), step->order, place, IC_FRAME_BITS);
    arb_add(place, place, step->clock, IC_FRAME_BITS);
    const double u = ic_flow_middle(place), rate = ic_flow_middle(x), by_u = ic_flow_middle(y);
    /* b'' = (db'/du) b'/(q u^(q-1)) */
    return !(fabs(rate) > LEAVES_ROOT * u * fabs(by_u) / f->clock.q);
}

/*
 * Whether, with a root as the clock, the base of another one falls towards zero and is nearer to it: the steps
 * would become ever shorter.
 */
static bool other_root_is_next(const ic_flow *f, const ic_step *step, double s)
{
    if (f->clock.guard < 0) return false;
    const double moved = s * arf_get_d(step->length, ARF_RND_NEAR);
    const double u = ic_flow_middle(f->clock.u) + moved;
    for (size_t i = 0; i < f->phase.n_roots; i++) {
        double b[3];
        const ic_root *r = &f->phase.roots[i];
        if (r->guard == f->clock.guard || f->phase.values[r->guard] < 0 || f->phase.powers[r->guard] != 0)
            continue;
        base_at(b, f, step, r, s);
        const double falls = f->clock.rises ? -b[1] : b[1];
        if (b[0] > 0 && falls > 0 && b[0] < falls * u && falls * falls > b[0] * fabs(b[2])) return true;
    }
    return false;
}

/* ---- one step */

typedef enum step_outcome {
    MOVED,
    FIRED,
    BENT,
    STOPPED,
    SWITCHED,
    REACHED_ZERO,
    LEFT_ROOT,
    FAILED
} step_outcome;

static double longest_step(const ic_flow *f)
{
    IC_BALLS(left);
    double longest;
    if (f->clock.guard < 0) {
        arb_sub(left, f->t_stop, f->set.centre + f->n, 64);
        longest = fmin(f->likely, BEYOND_STOP * ic_flow_middle(left));
    } else {
        longest = f->clock.rises ? INFINITY : -ic_flow_middle(f->clock.u);
    }
    return longest;
}

/* A number rounded down to a few bits, so that clocks stay short. */
static double few_bits(double x)
{
    int exponent = 0;
    const double part = frexp(x, &exponent);
    return ldexp(floor(ldexp(part, ROOT_BITS)), exponent - ROOT_BITS);
}

/* Marks the guards that cannot be separated from the first to cross; s covers their crossings. false: other values. */
static bool mark_simultaneous(bool *simultaneous, arb_t s, const step_watches *w, slong prec)
{
    const watch *first = NULL;
    bool more = true, guards = true;
    for (size_t i = 0; i < w->n; i++) {
        const watch *found = &w->list[i];
        if (found->found && (first == NULL || arb_lt(found->s_all, first->s_all))) first = found;
    }
    if (first == NULL) return false;
    arb_set(s, first->s_all);
    while (more && guards) {
        more = false;
        for (size_t i = 0; i < w->n && guards; i++) {
            const watch *found = &w->list[i];
            if (!found->found || arb_lt(s, found->s_all)) continue;
            guards = crossing_kind(found) == WATCH_GUARD;
            if (!guards || simultaneous[found->guard]) continue;
            more = simultaneous[found->guard] = true;
            arb_union(s, s, found->s_all, prec);
        }
    }
    return guards;
}

/* The crossing that ends the run, whichever of those that cannot be separated is first; -2: there is none. */
static int resolve_tie(ic_flow *f, const ic_step *step, const step_watches *w)
{
    IC_BALLS(s);
    int ends = -2;
    IC_ZEROS(bool, simultaneous, f->phase.n_values);
    if (f->clock.guard < 0 && f->columns == NULL && f->proof == NULL &&
        mark_simultaneous(simultaneous, s, w, f->prec)) {
        for (size_t i = 0; i < w->n && ends < 0; i++) {
            const watch *found = &w->list[i];
            if (found->kind == WATCH_GUARD && simultaneous[found->guard] && ic_flow_ends_run(f, found->guard))
                ends = (int)i;
        }
    }
    f->ties_at_end = ends >= 0 && f->prec < IC_FLOW_TIE_BITS;
    if (f->ties_at_end) ends = -2;
    if (ends >= 0) {
        enclose_states(f->tie, step, s);
        f->has_tie = ic_flow_tie_widen(f, f->tie, w->list[ends].guard, simultaneous);
        if (!f->has_tie) ends = -2;
    }
    return ends;
}

/* The end of the run, if all that cannot be separated from it are guards at exactly its time: it comes first; -2: no. */
static int find_exact_end(ic_flow *f, const step_watches *w)
{
    int end = -2;
    for (size_t i = 0; i < w->n && f->stop_event == NULL && f->proof == NULL; i++) {
        if (w->list[i].found && w->list[i].kind == WATCH_STOP) end = (int)i;
    }
    for (size_t i = 0; i < w->n && end >= 0; i++) {
        const watch *other = &w->list[i];
        if (!other->found || (int)i == end || arb_gt(other->s_all, w->list[end].s_all)) continue;
        if (other->kind != WATCH_GUARD || !ic_flow_vanishes_at(f, f->t_stop, other->guard)) return -2;
    }
    return end;
}

/* Whether conditions cross zero in a step. What cannot be separated from them can be where guards ask for them only. */
static bool may_open_conditions(const ic_flow *f, const step_watches *w)
{
    for (size_t i = 0; i < w->n && f->proof == NULL; i++) {
        if (w->list[i].found && w->list[i].kind == WATCH_ARGUMENT &&
            w->list[i].guard >= f->values[f->mode].first_condition)
            return true;
    }
    return false;
}

/* The first of the crossings that were found; -2: the two in `tie` cannot be separated. */
static int first_crossing(ic_flow *f, const ic_step *step, const step_watches *w, const watch **tie)
{
    int first = earliest(f, w, tie);
    f->has_tie = f->ties_at_end = false;
    if (first == -2) first = resolve_tie(f, step, w);
    if (first == -2) first = find_exact_end(f, w);
    if (first == -2 && !f->open_conditions) f->open_conditions = may_open_conditions(f, w);
    return first;
}

/* Names two values of which none is proved to change its sign first, and the time. */
static ic_status name_tie(ic_flow *f, const ic_step *step, const watch *const *tie)
{
    IC_BALL_VECTOR(y, f->n + 1);
    enclose_states(y, step, tie[0]->s_all);
    char *t = arb_get_str(y + f->n, 12, ARB_STR_NO_RADIUS);
    snprintf(f->message, sizeof f->message,
             "whether '%.60s' or '%.60s' comes first: they are simultaneous at t = %s", watch_name(f, tie[0]),
             watch_name(f, tie[1]), t);
    flint_free(t);
    return IC_UNDECIDED;
}

/* Searches all watched values; what is undecided for one may lie behind the crossing of another, at most at *cut. */
static ic_status search_all(ic_flow *f, const ic_step *step, step_watches *w, double end, double *cut)
{
    char message[sizeof f->message];
    ic_status status = IC_OK;
    *cut = INFINITY;
    for (size_t i = 0; i < w->n; i++) {
        const ic_status one = search(f, step, &w->list[i], end);
        if (one == IC_OK && w->list[i].found) *cut = fmin(*cut, ic_flow_middle(w->list[i].s_all));
        if (one == IC_OK || status != IC_OK) continue;
        status = one;
        memcpy(message, f->message, sizeof message);
    }
    if (status != IC_OK) memcpy(f->message, message, sizeof message);
    return status;
}

/* Finds all crossings before a part of the step. A guard that starts at zero must leave it in a step of its own. */
static ic_status find_crossings(ic_flow *f, const ic_step *step, step_watches *w, double most, double *end,
                                int *first)
{
    const bool to_zero = f->clock.guard >= 0 && !f->clock.rises;
    for (int cut = 0; cut < MOST_CUTS; cut++) {
        *end = choose_end(w, most);
        if (*end < 0) {
            most *= to_zero ? 0.75 : 0.25;
            continue;
        }
        double first_low = INFINITY, cut_at = INFINITY;
        const ic_status status = search_all(f, step, w, *end, &cut_at);
        if (status != IC_OK && !(cut_at * BEYOND_CROSSING < *end * step_ends[1])) return status;
        if (status != IC_OK) {
            most = few_bits(cut_at * BEYOND_CROSSING);
            continue;
        }
        for (size_t i = 0; i < w->n; i++) {
            if (!w->list[i].found || w->list[i].order == 0) continue;
            first_low = fmin(first_low, ic_flow_middle(w->list[i].s_all));
        }
        const watch *tie[2] = {NULL};
        *first = first_crossing(f, step, w, tie);
        if (*first == -2) return name_tie(f, step, tie);
        if (!(first_low < INFINITY)) return IC_OK;
        most = few_bits(first_low / 2);
    }
    return ic_flow_undecided(f, "the sign of a guard");
}

/* Sides of guards after a step without an event. */
static void keep_sides(ic_flow *f, const step_watches *w)
{
    for (size_t i = 0; i < f->phase.n_values; i++) {
        f->guards[i].order = 0;
        f->guards[i].zero = false;
    }
    for (size_t i = 0; i < w->n; i++) {
        if (w->list[i].kind == WATCH_GUARD || w->list[i].kind == WATCH_ARGUMENT)
            f->guards[w->list[i].guard].side = w->list[i].side_at_end;
    }
}

/*
 * Sides of guards where another value crosses zero. They are needed only where the phase goes on, with
 * another clock or after a stop, which may be the end; after events the guards are armed anew.
 */
static ic_status keep_sides_at(ic_flow *f, const step_watches *w, const watch *crossed)
{
    IC_BALLS(value);
    ic_status status = IC_OK;
    if (crossed->kind != WATCH_SWITCH && crossed->kind != WATCH_STOP) return IC_OK;
    keep_sides(f, w);
    for (size_t i = 0; i < w->n && status == IC_OK; i++) {
        const watch *other = &w->list[i];
        if ((other->kind != WATCH_GUARD && other->kind != WATCH_ARGUMENT) || other->constant_sign) continue;
        ic_ball_polynomial_value(value, &other->p, crossed->s_all);
        f->guards[other->guard].side = ic_ball_sign(value);
        if (f->guards[other->guard].side == 0 && crossed->kind == WATCH_SWITCH)
            status = ic_flow_undecided(f, "the sign of guard '%s'", watch_name(f, other));
    }
    return status;
}

static step_outcome outcome_of(const ic_flow *f, const watch *w)
{
    (void)f;
    const watch_kind kind = crossing_kind(w);
    return kind == WATCH_GUARD      ? FIRED
           : kind == WATCH_ARGUMENT ? BENT
           : kind == WATCH_STOP     ? STOPPED
                                    : SWITCHED;
}

/* All points of the set stand at the time t_stop. */
static void stand_at_stop(ic_flow *f)
{
    IC_BALL_VECTOR(y, f->n + 1);
    IC_BALL_MATRIX(d, f->n + 1, f->n + 1);
    arb_mat_one(d);
    arb_zero(arb_mat_entry(d, f->n, f->n));
    _arb_vec_set(y, f->set.centre, f->n);
    arb_set(y + f->n, f->t_stop);
    ic_flow_map(f, y, d);
    f->stands = true;
    arb_set(f->place, f->t_stop);
}

/* A zero as it is recorded: the number of its guard, or of the time event or end of the run at which to stop. */
static ic_status record_crossing(ic_flow *f, const ic_step *step, watch *w, const root_switch *planned,
                                 double end)
{
    const watch_kind kind = crossing_kind(w);
    const ic_flow_crossing crossing = {.kind = kind == WATCH_GUARD    ? IC_CROSSES_GUARD
                                               : kind == WATCH_STOP   ? IC_CROSSES_TIME
                                               : kind == WATCH_SWITCH ? IC_CROSSES_ROOT
                                                                      : IC_CROSSES_VALUE,
                                       .value = w->guard,
                                       .s = w->s,
                                       .s_all = w->s_all,
                                       .root = &planned->root,
                                       .u = planned->u};
    /* another program can decide the signs a little before and after */
    if (f->proof != NULL) {
        mag_mul_ui(arb_radref(w->s), arb_radref(w->s), 4);
        const double t = ic_flow_middle(f->set.centre + f->n), h = arf_get_d(step->length, ARF_RND_NEAR);
        IC_BOUNDS(rounding);
        mag_set_d(rounding, 1 + fabs(t / h));
        mag_mul_2exp_si(rounding, rounding, -f->prec);
        arb_add_error_mag(w->s, rounding);
    }
    return ic_flow_record_step(f, step, end, &crossing);
}

/* For a record: a step ends shortly before a crossing, so that the one that crosses is short. */
static ic_status stop_before(ic_flow *f, const ic_step *step, step_watches *w, double *end, int *first)
{
    const double place = *first < 0 ? 0 : ic_flow_middle(w->list[*first].s_all);
    if (f->proof == NULL || place == 0) return IC_OK;
    const bool near = place < NEAR_CROSSING || f->near_crossing;
    f->near_crossing = !near;
    return near ? IC_OK : find_crossings(f, step, w, few_bits((1 - NEAR_CROSSING) * place), end, first);
}

/* Finds a step; a shorter one, if extremes would be enclosed badly. */
static ic_step_result open_step(ic_flow *f, ic_step *step)
{
    const double longest = longest_step(f);
    ic_step_request request = {.sizes = f->sizes,
                               .longest = longest,
                               .in_time = f->clock.guard < 0,
                               .prec = f->prec,
                               .derivative = f->columns != NULL,
                               .shortening = &f->shortening,
                               .low_order = &f->low_order,
                               .long_steps = f->long_steps};
    f->extremes_length *= MORE_LENGTH;
    for (int i = 0;; i++) {
        if (f->extremes_length < fabs(longest))
            request.longest = copysign(few_bits(f->extremes_length), longest);
        const ic_step_result result = ic_step_open(step, &f->phase.formulas, &f->set, f->clock.u, &request);
        const double part =
            result == IC_STEP_PROVED && i < MOST_SHORTENINGS ? ic_flow_extremes_shorten(f, step) : 1;
        if (part == 1) return result;
        f->extremes_length = part * fabs(arf_get_d(step->length, ARF_RND_NEAR));
        ic_step_close(step);
    }
}

/* Takes one step, to its first crossing or its end. *fired: the guard that fires. */
/* Whether the deadline has passed, after which results are not to be used; states it. */
static bool is_late(ic_flow *f)
{
    if (!ic_deadline_passed()) return false;
    snprintf(f->message, sizeof f->message, IC_FLOW_TIME_IS_OVER);
    return true;
}

static ic_status tell_step(ic_flow *f, const ic_step *step, const arb_t end)
{
    return f->witness == NULL ? IC_OK : f->witness->step(f->witness->context, f, step, end);
}

static ic_status land_on_crossing(ic_flow *f, const ic_step *step, const step_watches *w, const watch *crossed,
                                  step_outcome *outcome)
{
    f->long_steps = false;
    *outcome = outcome_of(f, crossed);
    ic_status status = keep_sides_at(f, w, crossed);
    ic_flow_extremes_take_step(f, step, crossed->s_all);
    move_to_section(f, step, crossed);
    if (*outcome == STOPPED) stand_at_stop(f);
    if (status == IC_OK) status = tell_step(f, step, crossed->s_all);
    ic_flow_record_set(f);
    return status;
}

static ic_status take_step(ic_flow *f, step_outcome *outcome, size_t *fired, root_switch *planned)
{
    ic_step step;
    step_watches w;
    double end = 0;
    int first = -1;
    *outcome = FAILED;
    /* with a root as the clock, time must go on */
    const bool proved = open_step(f, &step) == IC_STEP_PROVED;
    if (is_late(f)) {
        ic_step_close(&step);
        return IC_TOO_MUCH_WORK;
    }
    const bool forward =
        proved && (f->clock.guard < 0 || step.signs[f->phase.base_rate] == (f->clock.rises ? 1 : -1));
    if (!forward) {
        ic_step_close(&step);
        return IC_OK;
    }
    f->steps++;
    f->stands = false;
    if (!open_watches(&w, f, &step, planned->term)) {
        ic_step_close(&step);
        return IC_NO_MEMORY;
    }
    const bool were_open = f->open_conditions;
    ic_status status = find_crossings(f, &step, &w, 1, &end, &first);
    if (status == IC_UNDECIDED && f->open_conditions && !were_open) {
        close_watches(&w);
        ic_step_close(&step);
        *outcome = MOVED;
        return ic_flow_phase_resume(f);
    }
    if (status == IC_OK) status = stop_before(f, &step, &w, &end, &first);
    if (is_late(f)) status = IC_TOO_MUCH_WORK;
    if (status == IC_OK && first >= 0 && w.list[first].kind == WATCH_JUMP)
        status = ic_flow_undecided(f, "a formula changes its branch, which is no event");
    if (status == IC_OK)
        status = first >= 0 ? record_crossing(f, &step, &w.list[first], planned, end)
                            : ic_flow_record_step(f, &step, end, NULL);
    if (status == IC_OK && first >= 0) {
        *fired = w.list[first].guard;
        status = land_on_crossing(f, &step, &w, &w.list[first], outcome);
    } else if (status == IC_OK) {
        IC_BALLS(place);
        arb_set_d(place, end);
        ic_flow_extremes_take_step(f, &step, place);
        keep_sides(f, &w);
        f->long_steps = end == 1;
        *outcome = leaves_root(f, &step, end) || other_root_is_next(f, &step, end) ? LEFT_ROOT : MOVED;
        plan_root(planned, f, &step, end);
        move_to(f, &step, place);
        status = tell_step(f, &step, place);
        ic_flow_record_set(f);
        if (f->clock.guard >= 0 && !f->clock.rises && arb_is_zero(f->clock.u)) *outcome = REACHED_ZERO;
    }
    close_watches(&w);
    ic_step_close(&step);
    if (planned->term == NEWLY_PLANNED) planned->term = switch_term(f, &planned->root, planned->u);
    return status;
}

/* ---- from event to event */

static ic_status fire(ic_flow *f, size_t i, bool same_instant)
{
    const ic_guard *guard = &ic_flow_mode(f)->guards[i];
    const ic_status status = ic_flow_begin_event(f, IC_EVENT_GUARD, guard->name, same_instant);
    if (status != IC_OK) return status;
    f->guards[i].zero = true;
    f->fired_number = i;
    return ic_flow_jump(f, &guard->jump, guard, true);
}

/* Guards that fire before any time passes. */
static ic_status fire_due(ic_flow *f, bool *happened)
{
    for (size_t i = 0; i < f->phase.n_values; i++) {
        if (!f->guards[i].due) continue;
        const place at = {.zero = f->guards[i].zero ? f->phase.values[i] : -1};
        const int enabled = is_enabled(f, i, &at);
        f->guards[i].due = false;
        if (enabled == NOT_ENABLED || f->phase.values[i] == IC_VALUE_DORMANT) continue;
        if (enabled == NOT_DECIDED)
            return ic_flow_undecided(f, "whether guard '%s' is enabled", ic_flow_mode(f)->guards[i].name);
        *happened = true;
        return fire(f, i, true);
    }
    return IC_OK;
}

/* A value is zero that is no guard, or does not fire: its formulas change there. */
static ic_status pass_zero(ic_flow *f, size_t i)
{
    use_time(f);
    for (size_t k = 0; k < f->phase.n_values; k++) f->guards[k].zero = k == i;
    f->n_fired = 0;
    return ic_flow_phase_begin(f, NULL);
}

/* Whether a guard may fire where the clock has reached u = 0. */
static bool may_fire_at_zero(const ic_flow *f, size_t i, const ic_guard *guard)
{
    const int side = (int)i == f->clock.guard ? f->clock.sign : f->guards[i].side;
    if (!f->guards[i].zero || guard == NULL || f->phase.values[i] < 0) return false;
    return guard->direction == 0 || guard->direction == -side;
}

/*
 * The clock has reached u = 0. Its guard is zero, and so are values with a power of u: they cross zero
 * with the base b = u^q if they are u^q times a term that is not zero.
 */
static ic_status reach_zero(ic_flow *f, bool *happened)
{
    int first = -1;
    for (size_t i = 0; i < f->phase.n_values; i++) {
        const ic_guard *guard = ic_flow_guard(f, i);
        const bool is_base = (int)i == f->clock.guard;
        f->guards[i].zero = is_base || f->phase.powers[i] > 0;
        if (!may_fire_at_zero(f, i, guard)) continue;
        /* once the base has fired, the phase after its jump decides about other powers of u */
        if (first >= 0 && first == f->clock.guard) continue;
        if (!is_base && f->phase.powers[i] != f->clock.q)
            return ic_flow_undecided(f, "whether '%s' crosses zero where a contact ends", guard->name);
        const size_t condition = f->values[f->mode].conditions[i];
        const bool zero = condition != 0 && f->phase.powers[condition] > 0;
        if (zero && !f->values[f->mode].closed[condition]) continue; /* it is zero too, and not positive */
        if (condition != 0 && f->phase.values[condition] >= 0)
            return ic_flow_undecided(f, "whether guard '%s' is enabled", guard->name);
        if (first < 0) first = (int)i;
    }
    use_time(f);
    if (first < 0) {
        f->n_fired = 0;
        return ic_flow_phase_begin(f, NULL);
    }
    *happened = true;
    return fire(f, (size_t)first, false);
}

/* Where a formula divides by the root, which is then positive in any motion, the time remains the clock. */
static ic_status change_clock(ic_flow *f, step_outcome outcome, root_switch *planned)
{
    if (outcome == SWITCHED) {
        f->clock.guard = planned->root.guard;
        f->clock.sign = planned->root.sign;
        f->clock.q = planned->root.q;
        f->clock.rises = false;
        arb_set_d(f->clock.u, planned->u);
    } else {
        use_time(f);
    }
    planned->term = NOT_PLANNED;
    const ic_status status = ic_flow_phase_resume(f);
    if (status != IC_UNDECIDED || outcome != SWITCHED) return status;
    f->root_tried[planned->root.guard] = DBL_MIN;
    use_time(f);
    return ic_flow_phase_resume(f);
}

ic_status ic_flow_advance(ic_flow *f, bool *happened, bool *stopped)
{
    root_switch planned = {.term = NOT_PLANNED};
    *happened = *stopped = false;
    const int crossed = ic_flow_crossed_too(f);
    if (crossed >= 0) {
        f->guards[crossed].crossed = false;
        *happened = true;
        return fire(f, (size_t)crossed, true);
    }
    ic_status status = fire_due(f, happened);
    *stopped = !*happened && f->stands && arb_equal(f->place, f->t_stop);
    while (status == IC_OK && !*happened && !*stopped) {
        step_outcome outcome = FAILED;
        size_t fired = 0;
        status = take_step(f, &outcome, &fired, &planned);
        if (status != IC_OK) break;
        switch (outcome) {
        case MOVED: f->likely *= MORE_LIKELY; break;
        case STOPPED: *stopped = true; break;
        case SWITCHED:
        case LEFT_ROOT: status = change_clock(f, outcome, &planned); break;
        case BENT: status = pass_zero(f, fired); break;
        case REACHED_ZERO: status = reach_zero(f, happened); break;
        case FIRED:
            *happened = true;
            use_time(f);
            for (size_t i = 0; i < f->phase.n_values; i++) f->guards[i].zero = false;
            if (f->has_tie) ic_flow_set_place(&f->set, f->tie);
            f->has_tie = false;
            status = fire(f, fired, false);
            break;
        case FAILED:
            if (f->clock.guard < 0 || arb_is_zero(f->clock.u))
                status = ic_flow_undecided(f, "the solution could not be enclosed");
            else status = change_clock(f, LEFT_ROOT, &planned);
            break;
        }
    }
    ic_flow_set_box(f->now, &f->set);
    return status;
}
