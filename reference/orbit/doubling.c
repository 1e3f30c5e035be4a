/* SPDX-License-Identifier: MIT */
#include "reference/orbit/doubling.h"
#include "reference/deadline.h"
#include "reference/expression.h"
#include "reference/flow/flow.h"
#include "reference/orbit/arc.h"
#include "reference/orbit/discrete.h"
#include "reference/orbit/tangent.h"
#include "reference/orbit/unfolded.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { BITS = 128, ROOT_STEPS = 40, WIDENINGS = 12, MOST_ARCS = 4000 };

/* The first arc is this part of the interval; an arc that fails is divided, the next one is longer. */
#define FIRST_PART 0.125
#define SHORTER 0.5
#define LONGER 1.6
/* The multiplier is sought from arc to arc, and then by secants, to this. */
#define CLOSE 1e-15
/* Arcs shorter than this part of the interval end the attempt. */
#define LEAST_PART 1e-14

typedef struct doubling_proof {
    ic_doubling *doubling;
    const ic_doubling_request *request;
    ic_unfolded unfolded;
    ic_tangent_problem linearised;
    ic_arc_map map;

    /* the orbit at the first value, with its multiplier */
    ic_arc_guess first;

    /* the arc that was proved last */
    ic_arc last;
} doubling_proof;

static bool fail(ic_doubling *d, const char *reason)
{
    d->status = IC_UNDECIDED;
    snprintf(d->reason, sizeof d->reason, "%s", reason);
    return false;
}

static bool refuse(ic_doubling *d, const char *reason)
{
    fail(d, reason);
    d->status = IC_INVALID;
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
static bool read_end(double *value, const doubling_proof *p, const ic_problem *problem, const char *text,
                     bool up)
{
    char message[200];
    IC_BALLS(ball);
    IC_FLOATS(end);
    const ic_ball_names names = {.system = problem->system};
    bool good = ic_ball_number(ball, text, &names, BITS, message, sizeof message) && arb_is_finite(ball);
    if (!good) snprintf(p->doubling->reason, sizeof p->doubling->reason, "'%.60s' is not a number", text);
    if (good && up) arb_get_ubound_arf(end, ball, BITS);
    else if (good) arb_get_lbound_arf(end, ball, BITS);
    *value = arf_get_d(end, up ? ARF_RND_CEIL : ARF_RND_FLOOR);
    return good;
}

static bool read_interval(doubling_proof *p, const ic_problem *problem)
{
    ic_doubling *d = p->doubling;
    double a = 0, b = 0;
    if (!read_end(&a, p, problem, p->request->from, false) || !read_end(&b, p, problem, p->request->to, false))
        return false;
    if (a == b) return refuse(d, "the interval of the parameter is empty");
    const bool rises = a < b;
    return read_end(&d->from, p, problem, p->request->from, !rises) &&
           read_end(&d->to, p, problem, p->request->to, rises);
}

/* ---- single values */

static double multiplier_of(const ic_arc *arc)
{
    return arf_get_d(arb_midref(arc->multiplier), ARF_RND_NEAR);
}

/* Proves the orbit at one value; the guess becomes what was found. */
static bool visit(doubling_proof *q, ic_arc *arc, ic_arc_guess *guess, double p)
{
    const bool proved = ic_arc_prove(arc, &q->map, p, p, guess);
    if (proved) ic_arc_guess_set(guess, &arc->centre, &q->map);
    else fail_at(q->doubling, p, q->map.map.message);
    return proved;
}

/* Whether mu is proved to be above (+1) or below (-1) of -1 at a value; 0: neither, or nothing is proved. */
static int side_at(doubling_proof *q, ic_arc_guess *guess, double p)
{
    ic_arc arc;
    IC_BALLS(distance);
    const bool proved = visit(q, &arc, guess, p);
    if (proved) arb_add_si(distance, arc.multiplier, 1, BITS);
    const int side = !proved ? 0 : arb_is_positive(distance) ? 1 : arb_is_negative(distance) ? -1 : 0;
    ic_arc_clear(&arc);
    return side;
}

/* ---- p*, not rigorous: a zero of mu + 1 between the ends of an arc */

typedef struct bracket {
    double p[2], mu[2];
} bracket;

static bool find_root(doubling_proof *q, double *root, bracket b, ic_arc_guess *guess)
{
    for (int i = 0; i < ROOT_STEPS; i++) {
        ic_arc arc;
        *root = b.p[0] - (b.mu[0] + 1) * (b.p[1] - b.p[0]) / (b.mu[1] - b.mu[0]);
        if (i % 3 == 2) *root = (b.p[0] + b.p[1]) / 2;
        if (*root == b.p[0] || *root == b.p[1]) return true;
        const bool good = visit(q, &arc, guess, *root);
        const double mu = good ? multiplier_of(&arc) : 0;
        ic_arc_clear(&arc);
        if (!good) return false;
        if (fabs(mu + 1) < CLOSE) return true;
        const int replaced = mu + 1 > 0 ? 0 : 1;
        b.p[replaced] = *root;
        b.mu[replaced] = mu;
    }
    return true;
}

/* Values close to the root between which mu is proved to pass -1. */
static bool find_sides(doubling_proof *q, double root, ic_arc_guess *guess)
{
    ic_doubling *d = q->doubling;
    double width = pow(10, -(double)q->request->digits) * (d->to - d->from);
    for (int i = 0; i < WIDENINGS; i++, width *= 4) {
        d->before = root - width / 2;
        d->after = root + width / 2;
        if (side_at(q, guess, d->before) == 1 && side_at(q, guess, d->after) == -1) return true;
    }
    return fail_at(d, root, "the multiplier is not proved to pass -1");
}

/* ---- the arcs */

/* Where mu is on an arc: above -1 (+1), below (-1), or on both sides. */
static int side_of(const ic_arc *arc)
{
    IC_BALLS(distance);
    arb_add_si(distance, arc->multiplier, 1, BITS);
    return arb_is_positive(distance) ? 1 : arb_is_negative(distance) ? -1 : 0;
}

/*
 * Whether what is to be said holds on an arc: other multipliers lie inside; mu lies inside, or is below -1, or
 * falls in the direction in which the parameter goes.
 */
static bool is_good(doubling_proof *q, const ic_arc *arc)
{
    const ic_doubling *d = q->doubling;
    const char *wrong = NULL;
    const int side = side_of(arc);
    IC_BALLS(rest);
    arb_sub_si(rest, arc->multiplier, 1, BITS);
    const bool falls = d->to > d->from ? arb_is_negative(arc->speed) : arb_is_positive(arc->speed);
    if (!arc->others_inside) wrong = "the other multipliers are not proved to lie inside the unit circle";
    else if (!arb_is_negative(rest)) wrong = "the multiplier is not proved to be below 1";
    else if (side == 0 && !falls) wrong = "the multiplier is not proved to change in one direction";
    if (wrong != NULL) snprintf(q->map.map.message, sizeof q->map.map.message, "%s", wrong);
    return wrong == NULL;
}

/* Takes in an arc that continues the last one at p. */
static bool take(doubling_proof *q, ic_arc *arc, double p)
{
    if (!ic_arc_meets(arc, &q->last, &q->map, p) && !ic_arc_meets(&q->last, arc, &q->map, p)) {
        snprintf(q->map.map.message, sizeof q->map.map.message, "two arcs are not proved to meet");
        return false;
    }
    ic_arc_clear(&q->last);
    q->last = *arc;
    q->doubling->arcs++;
    q->doubling->events = arc->events;
    if (q->request->watch != NULL)
        q->request->watch((p - q->doubling->from) / (q->doubling->to - q->doubling->from), q->request->context);
    return true;
}

/* Proves one arc from p on. */
static bool try_arc(doubling_proof *q, double p, double to)
{
    ic_arc arc;
    ic_arc_guess guess;
    ic_arc_guess_init(&guess, &q->map);
    ic_arc_predict(&guess, &q->last, &q->map, (p + to) / 2);
    bool good = ic_arc_prove(&arc, &q->map, p, to, &guess);
    good = good && is_good(q, &arc) && take(q, &arc, p);
    if (!good) ic_arc_clear(&arc);
    ic_arc_guess_clear(&guess);
    return good;
}

/* Where the last arc is on both sides of -1, finds the values between which p* lies. */
static bool locate(doubling_proof *q)
{
    ic_arc_guess guess;
    ic_doubling *d = q->doubling;
    ic_arc low, high;
    double root = 0;
    bracket b = {
        .p = {d->to > d->from ? q->last.from : q->last.to, d->to > d->from ? q->last.to : q->last.from}};
    if (d->before != d->after || side_of(&q->last) != 0) return true;
    ic_arc_guess_init(&guess, &q->map);
    ic_arc_predict(&guess, &q->last, &q->map, b.p[0]);
    bool good = visit(q, &low, &guess, b.p[0]);
    if (good) b.mu[0] = multiplier_of(&low);
    ic_arc_clear(&low);
    ic_arc_predict(&guess, &q->last, &q->map, b.p[1]);
    good = good && visit(q, &high, &guess, b.p[1]);
    if (good) b.mu[1] = multiplier_of(&high), ic_arc_clear(&high);
    if (good && b.mu[0] > -1 && b.mu[1] < -1) {
        good = find_root(q, &root, b, &guess) && find_sides(q, root, &guess);
        if (good) arb_set(d->speed, q->last.speed);
    }
    ic_arc_guess_clear(&guess);
    return good;
}

/* Covers the interval by arcs. */
static bool cover(doubling_proof *q)
{
    ic_doubling *d = q->doubling;
    const double whole = fabs(d->to - d->from), sign = d->to > d->from ? 1 : -1;
    double p = d->from, length = FIRST_PART * whole;
    while (p != d->to) {
        const double to = fabs(d->to - p) <= 1.01 * length ? d->to : p + sign * length;
        if (d->arcs > MOST_ARCS) return fail_at(d, p, "too many arcs are needed");
        if (try_arc(q, p, to)) {
            if (!locate(q)) return false;
            p = to;
            length *= LONGER;
            continue;
        }
        if (ic_deadline_passed()) return fail_at(d, p, IC_FLOW_TIME_IS_OVER);
        length = fmin(length, fabs(d->to - p)) * SHORTER;
        if (!(length > LEAST_PART * whole)) return fail_at(d, p, q->map.map.message);
    }
    return true;
}

/* The orbit at the first value, with which the arcs begin. */
static bool begin(doubling_proof *q)
{
    ic_doubling *d = q->doubling;
    if (!ic_arc_begin(&q->first, &q->map, d->from)) return fail_at(d, d->from, q->map.map.message);
    if (!visit(q, &q->last, &q->first, d->from)) return false;
    ic_arc_states(d->x_from, &q->last, &q->map, d->from);
    arb_set(d->multiplier_from, q->last.multiplier);
    if (!is_good(q, &q->last) || side_of(&q->last) != 1)
        return fail_at(d, d->from, "the orbit is not proved to be stable");
    return true;
}

/* The orbit at the last value, with which they end. */
static bool finish(doubling_proof *q)
{
    ic_doubling *d = q->doubling;
    ic_arc arc;
    ic_arc_guess guess;
    ic_arc_guess_init(&guess, &q->map);
    ic_arc_predict(&guess, &q->last, &q->map, d->to);
    bool good = visit(q, &arc, &guess, d->to) && ic_arc_meets(&arc, &q->last, &q->map, d->to);
    if (good) {
        ic_arc_states(d->x_to, &arc, &q->map, d->to);
        arb_set(d->multiplier_to, arc.multiplier);
        good = side_of(&arc) == -1 && d->before != d->after;
    }
    ic_arc_clear(&arc);
    ic_arc_guess_clear(&guess);
    return good || fail_at(d, d->to, "the multiplier is not proved to have passed -1");
}

/* ---- the map */

/* The map of the problem with the parameter as a state and with tangents. */
static bool open_map(doubling_proof *q, const ic_problem *problem)
{
    ic_doubling *d = q->doubling;
    ic_arc_map *map = &q->map;
    double start[2 * IC_MAX_STATES] = {0};
    if (!ic_unfold(&q->unfolded, problem, q->request->parameter)) return refuse(d, q->unfolded.message);
    if (!ic_tangent_open(&q->linearised, &q->unfolded.problem)) return fail(d, q->linearised.message);
    memcpy(start, q->request->x, (size_t)d->n * sizeof *start);
    ic_round_discrete_states(start, problem);
    start[d->n] = d->from;
    if (ic_return_map_of_parameter(&map->map, &q->linearised.problem, start, d->mode, d->n, BITS) != IC_OK)
        return fail(d, map->map.message);
    map->n = d->n;
    map->multiple = d->multiple;
    for (slong i = 0; i < d->n; i++) {
        if (!ic_state_takes_numbers(problem, (size_t)i)) map->unknown[map->m++] = i;
    }
    /* these and their tangents vary */
    map->map.m = 2 * map->m;
    for (slong i = 0; i < map->m; i++) {
        map->map.unknown[i] = map->unknown[i];
        map->map.unknown[map->m + i] = d->n + 1 + map->unknown[i];
    }
    ic_arc_guess_init(&q->first, map);
    for (slong i = 0; i < d->n; i++) arb_set_d(q->first.states + i, start[i]);
    return true;
}

void ic_doubling_certify(ic_doubling *doubling, const ic_problem *problem, const ic_doubling_request *request)
{
    const slong n = (slong)problem->system->n_states;
    *doubling =
        (ic_doubling){.status = IC_UNDECIDED, .multiple = request->multiple, .mode = request->mode, .n = n};
    doubling->x_from = _arb_vec_init(n);
    doubling->x_to = _arb_vec_init(n);
    arb_init(doubling->multiplier_from), arb_init(doubling->multiplier_to), arb_init(doubling->speed);
    doubling_proof q = {.doubling = doubling, .request = request};
    if (read_interval(&q, problem) && open_map(&q, problem) && begin(&q) && cover(&q) && finish(&q)) {
        doubling->status = IC_OK;
        doubling->reason[0] = '\0';
    }
    ic_arc_clear(&q.last);
    ic_arc_guess_clear(&q.first);
    ic_return_map_close(&q.map.map);
    ic_tangent_close(&q.linearised);
    ic_unfolded_close(&q.unfolded);
}

void ic_doubling_clear(ic_doubling *doubling)
{
    _arb_vec_clear(doubling->x_from, doubling->n);
    _arb_vec_clear(doubling->x_to, doubling->n);
    arb_clear(doubling->multiplier_from), arb_clear(doubling->multiplier_to), arb_clear(doubling->speed);
    *doubling = (ic_doubling){0};
}
