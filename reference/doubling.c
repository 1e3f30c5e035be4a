/* SPDX-License-Identifier: MIT */
#include "reference/doubling.h"
#include "reference/arc.h"
#include "reference/discrete.h"
#include "reference/expression.h"
#include "reference/system.h"
#include "reference/unfolded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    BITS = 128,
    /* points at which the orbit is followed before anything is proved between them */
    POINTS = 16,
    ROOT_STEPS = 40,
    WIDENINGS = 12,
    MOST_ARCS = 4000
};

/* The first arc is this part of the interval; an arc that fails is divided, the next one is longer. */
#define FIRST_PART 0.125
#define SHORTER 0.5
#define LONGER 1.6
/* Arcs shorter than this part of the interval end the attempt. */
#define LEAST_PART 1e-14

typedef struct doubling_proof {
    ic_doubling *doubling;
    const ic_doubling_request *request;
    ic_unfolded unfolded;
    ic_return_map map;

    /* the approximation, and the parameter */
    double start[IC_MAX_STATES];

    /* the arc that was proved last */
    ic_arc last;
    bool has_last;
} doubling_proof;

static bool fail(ic_doubling *d, const char *reason)
{
    d->status = IC_UNDECIDED;
    snprintf(d->reason, sizeof d->reason, "%s", reason);
    return false;
}

static bool fail_at(ic_doubling *d, double p, const char *reason)
{
    d->status = IC_UNDECIDED;
    snprintf(d->reason, sizeof d->reason, "at %.10g: %.280s", p, reason);
    return false;
}

/* ---- the ends of the interval */

/* Rounds a text down or up. */
static bool read_end(double *value, const doubling_proof *p, const ic_problem *problem, const char *text, bool up)
{
    char message[200];
    arb_t ball;
    arf_t end;
    const ic_ball_names names = {.system = problem->system};
    arb_init(ball);
    arf_init(end);
    bool good = ic_ball_number(ball, text, &names, BITS, message, sizeof message) && arb_is_finite(ball);
    if (!good) snprintf(p->doubling->reason, sizeof p->doubling->reason, "'%.60s' is not a number", text);
    if (good && up) arb_get_ubound_arf(end, ball, BITS);
    else if (good) arb_get_lbound_arf(end, ball, BITS);
    *value = arf_get_d(end, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    arb_clear(ball);
    arf_clear(end);
    return good;
}

static bool read_interval(doubling_proof *p, const ic_problem *problem)
{
    ic_doubling *d = p->doubling;
    double a = 0, b = 0;
    if (!read_end(&a, p, problem, p->request->from, false) || !read_end(&b, p, problem, p->request->to, false))
        return false;
    if (a == b) return fail(d, "the interval of the parameter is empty");
    const bool rises = a < b;
    return read_end(&d->from, p, problem, p->request->from, !rises) &&
           read_end(&d->to, p, problem, p->request->to, rises);
}

static double at_part(const ic_doubling *d, double part)
{
    return part >= 1 ? d->to : d->from + part * (d->to - d->from);
}

static double part_of(const ic_doubling *d, double value)
{
    return (value - d->from) / (d->to - d->from);
}

static void start_states(arb_ptr x, const doubling_proof *q)
{
    for (slong i = 0; i < q->doubling->n; i++) arb_set_d(x + i, q->start[i]);
}

/* ---- where the multiplier passes -1, not rigorous */

/* det(I + P') of an arc. */
static double determinant(const ic_arc *arc, slong precision)
{
    arb_mat_t sum;
    arb_t value;
    arb_mat_init(sum, arc->m, arc->m);
    arb_init(value);
    arb_mat_one(sum);
    arb_mat_add(sum, sum, arc->derivative, precision);
    arb_mat_det(value, sum, precision);
    const double middle = arf_get_d(arb_midref(value), ARF_RND_NEAR);
    arb_mat_clear(sum);
    arb_clear(value);
    return middle;
}

typedef struct point {
    double p, determinant;
    ic_multiplier_places places;
    arb_ptr x;
} point;

/* The orbit at one value; its states replace those of `x`, which are a guess. */
static bool visit(doubling_proof *q, point *at, double p)
{
    ic_arc arc;
    const bool proved = ic_arc_prove(&arc, &q->map, p, p, at->x, q->doubling->multiple);
    at->p = p;
    if (proved) {
        at->determinant = determinant(&arc, q->map.precision);
        at->places = arc.places;
        _arb_vec_set(at->x, arc.x, q->doubling->n);
    } else {
        fail_at(q->doubling, p, q->map.message);
    }
    ic_arc_clear(&arc, &q->map);
    return proved;
}

/* Follows points until the determinant changes its sign between `low` and `high`. */
static bool bracket(doubling_proof *q, point *low, point *high)
{
    ic_doubling *d = q->doubling;
    if (!visit(q, low, d->from)) return false;
    if (low->places != IC_MULTIPLIERS_INSIDE)
        return fail_at(d, d->from, "the multipliers are not proved to lie inside the unit circle");
    for (int i = 1; i <= POINTS; i++) {
        _arb_vec_set(high->x, low->x, d->n);
        if (!visit(q, high, at_part(d, (double)i / POINTS))) return false;
        if (high->determinant < 0) return true;
        low->p = high->p;
        low->determinant = high->determinant;
        _arb_vec_swap(low->x, high->x, d->n);
    }
    return fail(d, "no multiplier passes -1 in the interval");
}

/* The zero of the determinant between two points, by secants that bisect if they do not converge. */
static bool find_root(doubling_proof *q, double *root, point *low, point *high)
{
    point middle = {.x = _arb_vec_init(q->doubling->n)};
    bool good = true;
    for (int i = 0; i < ROOT_STEPS && good; i++) {
        const double slope = (high->determinant - low->determinant) / (high->p - low->p);
        const double secant = low->p - low->determinant / slope;
        *root = i % 3 == 2 ? (low->p + high->p) / 2 : secant;
        if (*root == low->p || *root == high->p) break;
        _arb_vec_set(middle.x, low->x, q->doubling->n);
        good = visit(q, &middle, *root);
        if (!good || fabs(middle.determinant) < 1e-14) break;
        point *replaced = middle.determinant > 0 ? low : high;
        replaced->p = middle.p;
        replaced->determinant = middle.determinant;
        _arb_vec_set(replaced->x, middle.x, q->doubling->n);
    }
    _arb_vec_clear(middle.x, q->doubling->n);
    return good;
}

/* Values on both sides of the root at which the places of the multipliers are decided. */
static bool find_sides(doubling_proof *q, double root, arb_srcptr guess)
{
    ic_doubling *d = q->doubling;
    point at = {.x = _arb_vec_init(d->n)};
    double width = pow(10, -(double)q->request->digits) * (d->to - d->from);
    bool decided = false, good = true;
    for (int i = 0; i < WIDENINGS && good && !decided; i++, width *= 10) {
        d->before = root - width / 2;
        d->after = root + width / 2;
        _arb_vec_set(at.x, guess, d->n);
        good = visit(q, &at, d->before);
        decided = good && at.places == IC_MULTIPLIERS_INSIDE;
        good = good && visit(q, &at, d->after);
        decided = decided && good && at.places == IC_MULTIPLIERS_ONE_BELOW;
    }
    if (good && !decided) good = fail_at(d, root, "the places of the multipliers are not decided on both sides");
    _arb_vec_clear(at.x, d->n);
    return good;
}

static bool locate(doubling_proof *q)
{
    ic_doubling *d = q->doubling;
    point low = {.x = _arb_vec_init(d->n)}, high = {.x = _arb_vec_init(d->n)};
    double root = 0;
    start_states(low.x, q);
    const bool good = bracket(q, &low, &high) && find_root(q, &root, &low, &high) && find_sides(q, root, low.x);
    _arb_vec_clear(low.x, d->n);
    _arb_vec_clear(high.x, d->n);
    return good;
}

/* ---- the arcs */

/* Takes in an arc that continues the last one at p. */
static bool take(doubling_proof *q, ic_arc *arc, double p)
{
    if (!ic_arc_meets(arc, &q->last, &q->map, p) && !ic_arc_meets(&q->last, arc, &q->map, p)) return false;
    ic_arc_clear(&q->last, &q->map);
    q->last = *arc;
    q->doubling->arcs++;
    q->doubling->events = arc->events;
    if (q->request->watch != NULL) q->request->watch(fabs(part_of(q->doubling, p)), q->request->context);
    return true;
}

/* The orbit at the first value, with which the arcs begin. */
static bool begin(doubling_proof *q, arb_srcptr guess)
{
    ic_doubling *d = q->doubling;
    q->has_last = true;
    if (!ic_arc_prove(&q->last, &q->map, d->from, d->from, guess, d->multiple))
        return fail_at(d, d->from, q->map.message);
    ic_arc_states(d->x_from, &q->last, &q->map, d->from);
    arb_set(d->critical_from, q->last.critical);
    return true;
}

/* Proves one arc from p on, with its multipliers at the wanted places. */
static bool try_arc(doubling_proof *q, double p, double to, arb_srcptr guess, ic_multiplier_places wanted)
{
    ic_arc arc;
    bool good = ic_arc_prove(&arc, &q->map, p, to, guess, q->doubling->multiple);
    if (good && wanted != IC_MULTIPLIERS_UNDECIDED && arc.places != wanted) {
        snprintf(q->map.message, sizeof q->map.message, "the places of the multipliers are not decided");
        good = false;
    }
    if (good && !take(q, &arc, p)) {
        snprintf(q->map.message, sizeof q->map.message, "two arcs are not proved to meet");
        good = false;
    }
    if (!good) ic_arc_clear(&arc, &q->map);
    return good;
}

/* Covers the values from p to `end` by arcs. guess: states near the orbit at p. `first`: length of the first arc. */
static bool cover(doubling_proof *q, double p, double end, arb_ptr guess, double first,
                  ic_multiplier_places wanted)
{
    ic_doubling *d = q->doubling;
    const double sign = end > p ? 1 : -1, least = LEAST_PART * fabs(d->to - d->from);
    double length = first;
    while (p != end) {
        const double to = fabs(end - p) <= 1.01 * length ? end : p + sign * length;
        if (d->arcs > MOST_ARCS) return fail_at(d, p, "too many arcs are needed");
        if (try_arc(q, p, to, guess, wanted)) {
            ic_arc_states(guess, &q->last, &q->map, to);
            p = to;
            length *= LONGER;
            continue;
        }
        length = fmin(length, fabs(end - p)) * SHORTER;
        if (!(length > least)) return fail_at(d, p, q->map.message);
    }
    return true;
}

static bool cover_all(doubling_proof *q)
{
    ic_doubling *d = q->doubling;
    const double whole = fabs(d->to - d->from), gap = fabs(d->after - d->before);
    arb_ptr guess = _arb_vec_init(d->n);
    start_states(guess, q);
    bool good = begin(q, guess) && cover(q, d->from, d->before, guess, FIRST_PART * whole, IC_MULTIPLIERS_INSIDE) &&
                cover(q, d->before, d->after, guess, gap, IC_MULTIPLIERS_UNDECIDED) &&
                cover(q, d->after, d->to, guess, gap, IC_MULTIPLIERS_ONE_BELOW);
    _arb_vec_clear(guess, d->n);
    return good;
}

/* The orbit at the last value, with which they end. */
static bool finish(doubling_proof *q)
{
    ic_doubling *d = q->doubling;
    ic_arc arc;
    const bool good = ic_arc_prove(&arc, &q->map, d->to, d->to, q->last.x, d->multiple) &&
                      ic_arc_meets(&arc, &q->last, &q->map, d->to);
    if (good) {
        ic_arc_states(d->x_to, &arc, &q->map, d->to);
        arb_set(d->critical_to, arc.critical);
    }
    ic_arc_clear(&arc, &q->map);
    return good || fail_at(d, d->to, "the orbit at the end is not proved to be that of the last arc");
}

static bool prove(doubling_proof *q, const ic_problem *problem)
{
    ic_doubling *d = q->doubling;
    if (!read_interval(q, problem)) return false;
    if (!ic_unfold(&q->unfolded, problem, q->request->parameter)) return fail(d, q->unfolded.message);
    memcpy(q->start, q->request->x, (size_t)d->n * sizeof *q->start);
    ic_round_discrete_states(q->start, problem);
    q->start[d->n] = d->from;
    if (ic_return_map_unfolded(&q->map, &q->unfolded.problem, q->start, d->mode, BITS) != IC_OK)
        return fail(d, q->map.message);
    return locate(q) && cover_all(q) && finish(q);
}

void ic_doubling_certify(ic_doubling *doubling, const ic_problem *problem, const ic_doubling_request *request)
{
    const slong n = (slong)problem->system->n_states;
    *doubling = (ic_doubling){
        .status = IC_UNDECIDED, .multiple = request->multiple, .mode = request->mode, .n = n};
    doubling->x_from = _arb_vec_init(n);
    doubling->x_to = _arb_vec_init(n);
    arb_init(doubling->critical_from);
    arb_init(doubling->critical_to);
    doubling_proof q = {.doubling = doubling, .request = request};
    arb_init(q.map.period);
    if (prove(&q, problem)) doubling->status = IC_OK;
    if (q.has_last) ic_arc_clear(&q.last, &q.map);
    ic_return_map_close(&q.map);
    ic_unfolded_close(&q.unfolded);
}

void ic_doubling_clear(ic_doubling *doubling)
{
    _arb_vec_clear(doubling->x_from, doubling->n);
    _arb_vec_clear(doubling->x_to, doubling->n);
    arb_clear(doubling->critical_from);
    arb_clear(doubling->critical_to);
    *doubling = (ic_doubling){0};
}
