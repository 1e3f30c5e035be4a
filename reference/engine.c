/* SPDX-License-Identifier: MIT */
#include "reference/engine.h"
#include "reference/roots.h"
#include "reference/taylor.h"
#include "reference/tie.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a piece at which it may end; the first where no guard is close to zero is taken. */
static const double piece_ends[] = {0.9, 0.85, 0.8, 0.74, 0.67, 0.59, 0.5, 0.4};
/* A piece is made so long that the end of the run lies at this part of it. */
#define STOP_PART 0.94

enum { MOST_DERIVATIVES = 4 };

/* Bits from which on guards that cannot be told apart are taken for tied: 300 decimal digits. */
enum { TIE_PRECISION = 1024 };

static ic_status undecided(ic_engine *e, const char *format, ...)
{
    char at[64];
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(e->message, sizeof e->message, format, arguments);
    va_end(arguments);
    char *digits = arb_get_str(e->t, 12, ARB_STR_NO_RADIUS);
    snprintf(at, sizeof at, ", after t = %s", digits);
    flint_free(digits);
    if (length > 0 && (size_t)length < sizeof e->message) {
        snprintf(e->message + length, sizeof e->message - (size_t)length, "%s", at);
    }
    return IC_UNDECIDED;
}

static ic_ball_mode *mode_of(ic_engine *e)
{
    return &e->system.modes[e->mode];
}

/* Value of a row whose frequency may differ from the mode's: forcing is evaluated at t itself. */
static void value_now(arb_t value, ic_engine *e, arb_srcptr row)
{
    const slong dim = e->system.dim;
    arb_ptr z = _arb_vec_init(dim);
    _arb_vec_set(z, e->z, e->system.n);
    ic_ball_anchor(z, &e->system, row + e->system.n + 3, e->t);
    ic_ball_row_value(value, &e->system, row, z);
    _arb_vec_clear(z, dim);
}

/* ---- jumps */

/* 1: positive, 0: not positive, -1: cannot be told. */
static int condition_holds(ic_engine *e, const char *text, bool states)
{
    arb_t value;
    ic_ball_row row = ic_ball_system_row(&e->system, text, states);
    if (row == NULL) {
        snprintf(e->message, sizeof e->message, "%s", e->system.message);
        return -1;
    }
    arb_init(value);
    value_now(value, e, row);
    const int holds = arb_is_positive(value) ? 1 : arb_is_nonpositive(value) ? 0 : -1;
    if (holds < 0) undecided(e, "the sign of the condition '%.60s' of '%s'", text, e->name);
    arb_clear(value);
    ic_ball_row_clear(&e->system, row);
    return holds;
}

/* Rows of the state after: n x dim, by rows. false: message. */
static bool state_rows(ic_engine *e, arb_ptr rows, arb_ptr values, const ic_branch *branch, bool states)
{
    const slong n = e->system.n, dim = e->system.dim;
    for (slong i = 0; i < n; i++) {
        ic_ball_row row = ic_ball_system_row(&e->system, branch->state[i], states);
        if (row == NULL) {
            snprintf(e->message, sizeof e->message, "%s", e->system.message);
            return false;
        }
        _arb_vec_set(rows + i * dim, row, dim);
        value_now(values + i, e, row);
        ic_ball_row_clear(&e->system, row);
    }
    return true;
}

static void derivative_of_z(arb_ptr dz, const ic_engine *e, const ic_ball_mode *mode, arb_srcptr z)
{
    const slong dim = e->system.dim;
    for (slong i = 0; i < dim; i++) {
        arb_dot(dz + i, NULL, 0, mode->matrix + i * dim, 1, z, 1, dim, e->system.prec);
    }
}

/* d(event time)/dx_0 = -(g . phi)/(g . M z), for each column; zero for time events (guard NULL). */
static void time_derivatives(arb_ptr dt, const ic_engine *e, arb_srcptr guard, arb_srcptr dz)
{
    const slong n = e->system.n, dim = e->system.dim, prec = e->system.prec;
    arb_t rate;
    _arb_vec_zero(dt, n);
    if (guard == NULL) return;
    arb_init(rate);
    arb_dot(rate, NULL, 0, guard, 1, dz, 1, dim, prec);
    for (slong k = 0; k < n; k++) {
        arb_dot(dt + k, NULL, 1, guard, 1, e->phi + k * dim, 1, dim, prec);
        arb_div(dt + k, dt + k, rate, prec);
    }
    arb_clear(rate);
}

/*
 * Saltation: phi_post = J (phi_pre + f_pre dt) - f_post dt for the states; the forcing's own rows of phi stay zero, since
 * it depends on time alone.
 */
static void saltate(ic_engine *e, arb_srcptr rows, arb_srcptr dz_pre, arb_srcptr dt,
                    const ic_ball_mode *mode_post)
{
    const slong n = e->system.n, dim = e->system.dim, prec = e->system.prec;
    arb_ptr dz_post = _arb_vec_init(dim), total = _arb_vec_init(dim);
    derivative_of_z(dz_post, e, mode_post, e->z);
    for (slong k = 0; k < n; k++) {
        arb_ptr column = e->phi + k * dim;
        for (slong i = 0; i < dim; i++) {
            arb_set(total + i, column + i);
            arb_addmul(total + i, dz_pre + i, dt + k, prec);
        }
        for (slong i = 0; i < n; i++) {
            if (rows != NULL) arb_dot(column + i, NULL, 0, rows + i * dim, 1, total, 1, dim, prec);
            else arb_set(column + i, total + i);
            arb_submul(column + i, dz_post + i, dt + k, prec);
        }
        for (slong i = n; i < dim; i++) arb_zero(column + i);
    }
    _arb_vec_clear(dz_post, dim);
    _arb_vec_clear(total, dim);
}

static const ic_branch *choose_branch(ic_engine *e, const ic_jump *jump, bool states, ic_status *status)
{
    *status = IC_OK;
    for (size_t b = 0; b < jump->n_branches; b++) {
        const char *condition = jump->branches[b].condition;
        const int holds = condition == NULL ? 1 : condition_holds(e, condition, states);
        if (holds > 0) return &jump->branches[b];
        if (holds < 0) {
            *status = IC_UNDECIDED;
            return NULL;
        }
    }
    snprintf(e->message, sizeof e->message, "no branch of the jump of '%.80s' can be taken", e->name);
    *status = IC_INVALID;
    return NULL;
}

static ic_status arm(ic_engine *e, const ic_branch *branch);

static ic_status jump(ic_engine *e, const ic_jump *map, arb_srcptr guard, bool states)
{
    const slong n = e->system.n, dim = e->system.dim;
    ic_status status = IC_OK;
    if (!map->linear) {
        snprintf(e->message, sizeof e->message, "the jump of '%.80s' has no linear view", e->name);
        return IC_UNSUPPORTED;
    }
    const ic_branch *branch = choose_branch(e, map, states, &status);
    if (branch == NULL) return status;
    if (branch->mode != IC_SAME_MODE && (branch->mode < 0 || (size_t)branch->mode >= e->system.n_modes)) {
        snprintf(e->message, sizeof e->message, "the jump of '%.80s' leads to mode %d of %zu", e->name,
                 branch->mode, e->system.n_modes);
        return IC_INVALID;
    }
    arb_ptr rows = branch->state == NULL ? NULL : _arb_vec_init(n * dim);
    arb_ptr post = _arb_vec_init(n), dz = _arb_vec_init(dim), dt = _arb_vec_init(n);
    if (e->phi != NULL) {
        derivative_of_z(dz, e, mode_of(e), e->z);
        time_derivatives(dt, e, guard, dz);
    }
    if (rows != NULL && !state_rows(e, rows, post, branch, states)) status = IC_INVALID;
    if (status == IC_OK) {
        if (rows != NULL) _arb_vec_set(e->z, post, n);
        if (branch->mode != IC_SAME_MODE) e->mode = branch->mode;
        ic_ball_anchor(e->z, &e->system, mode_of(e)->frequency, e->t);
        if (e->phi != NULL) saltate(e, rows, dz, dt, mode_of(e));
        status = arm(e, branch);
    }
    if (rows != NULL) _arb_vec_clear(rows, n * dim);
    _arb_vec_clear(post, n);
    _arb_vec_clear(dz, dim);
    _arb_vec_clear(dt, n);
    return status;
}

/* ---- arming (event contract, clauses 2 and 3) */

static bool has_fired_here(const ic_engine *e, const ic_guard *guard)
{
    for (size_t i = 0; i < e->n_fired; i++) {
        if (e->fired[i] == guard) return true;
    }
    return false;
}

/* Signs of g and its derivatives, 2 where the ball is exactly zero, 0 where it only contains zero. */
static void derivative_signs(int signs[MOST_DERIVATIVES], ic_engine *e, arb_srcptr row)
{
    const slong dim = e->system.dim;
    arb_t value;
    arb_ptr z = _arb_vec_init(dim), dz = _arb_vec_init(dim);
    arb_init(value);
    _arb_vec_set(z, e->z, dim);
    for (int k = 0; k < MOST_DERIVATIVES; k++) {
        ic_ball_row_value(value, &e->system, row, z);
        signs[k] = arb_is_zero(value) ? 2 : ic_ball_sign(value);
        derivative_of_z(dz, e, mode_of(e), z);
        arb_ptr keep = z;
        z = dz;
        dz = keep;
    }
    arb_clear(value);
    _arb_vec_clear(z, dim);
    _arb_vec_clear(dz, dim);
}

static ic_status arm_declared(ic_engine *e, size_t i, const ic_departure *departure, const int *signs)
{
    const ic_guard *guard = &mode_of(e)->mode->guards[i];
    for (int k = 0; k < departure->order; k++) {
        if (signs[k] == 0 || signs[k] == 2) continue;
        snprintf(e->message, sizeof e->message,
                 "guard '%.60s' is declared to start at a zero of order %d, but does not", guard->name,
                 departure->order);
        return IC_INVALID;
    }
    if (departure->order >= MOST_DERIVATIVES || signs[departure->order] != departure->side) {
        return undecided(e, "the side to which guard '%s' departs", guard->name);
    }
    e->arming[i] = (ic_ball_arming){.side = departure->side, .order = departure->order};
    return IC_OK;
}

/* The guard is zero: exactly, or because it has just fired and its jump left it there. */
static ic_status arm_at_zero(ic_engine *e, size_t i, const int *signs, bool disarmed)
{
    const ic_guard *guard = &mode_of(e)->mode->guards[i];
    int order = 1;
    while (order < MOST_DERIVATIVES && signs[order] == 2) order++;
    if (order == MOST_DERIVATIVES || signs[order] == 0) {
        return undecided(e, "the side to which guard '%s' departs", guard->name);
    }
    const bool fires = !disarmed && guard->direction != 0 && signs[order] == guard->direction;
    e->arming[i] = (ic_ball_arming){.side = signs[order], .order = order, .due = fires};
    return IC_OK;
}

/* The ball contains zero: only a definite rate against the firing direction settles what the guard does. */
static ic_status arm_near_zero(ic_engine *e, size_t i, const int *signs)
{
    const ic_guard *guard = &mode_of(e)->mode->guards[i];
    if ((signs[1] == 1 || signs[1] == -1) && guard->direction == -signs[1]) {
        e->arming[i] = (ic_ball_arming){.side = signs[1], .order = 0};
        return IC_OK;
    }
    return undecided(e, "whether guard '%s' is zero", guard->name);
}

static const ic_departure *declared(const ic_branch *branch, size_t guard)
{
    for (size_t i = 0; branch != NULL && i < branch->n_departures; i++) {
        if ((size_t)branch->departures[i].guard == guard) return &branch->departures[i];
    }
    return NULL;
}

/* Guards whose jump has moved them off zero are armed again (clause 5). */
static void forget_those_that_left(ic_engine *e)
{
    arb_t value;
    size_t kept = 0;
    arb_init(value);
    for (size_t i = 0; i < e->n_fired; i++) {
        ic_ball_row row = ic_ball_system_row(&e->system, e->fired[i]->linear, true);
        if (row == NULL) continue;
        value_now(value, e, row);
        if (arb_contains_zero(value)) e->fired[kept++] = e->fired[i];
        ic_ball_row_clear(&e->system, row);
    }
    e->n_fired = kept;
    arb_clear(value);
}

/* Whether a jump leaves every state alone that a row depends on. */
static bool leaves_alone(ic_engine *e, const ic_branch *branch, arb_srcptr row)
{
    const slong n = e->system.n;
    bool alone = true;
    for (slong i = 0; branch->state != NULL && i < n && alone; i++) {
        if (arb_is_zero(row + i)) continue;
        ic_ball_row after = ic_ball_system_row(&e->system, branch->state[i], true);
        alone = after != NULL;
        for (slong k = 0; alone && k < e->system.dim; k++) {
            alone = k == i ? arb_is_one(after + k) : arb_is_zero(after + k);
        }
        ic_ball_row_clear(&e->system, after);
    }
    return alone;
}

static ic_status arm(ic_engine *e, const ic_branch *branch)
{
    const ic_ball_mode *mode = mode_of(e);
    forget_those_that_left(e);
    for (size_t i = 0; i < mode->mode->n_guards; i++) {
        int signs[MOST_DERIVATIVES];
        ic_status status = IC_OK;
        const ic_departure *departure = declared(branch, i);
        derivative_signs(signs, e, mode->guards[i]);
        const ic_guard *guard = &mode->mode->guards[i];
        if (mode->never[i]) continue;
        /* still zero by theorem: it fired last, and its jump has moved nothing */
        const bool unmoved = branch != NULL && e->n_fired > 0 && e->fired[e->n_fired - 1] == guard &&
                             leaves_alone(e, branch, mode->guards[i]);
        const bool fired = has_fired_here(e, guard) && (signs[0] == 2 || unmoved);
        if (departure != NULL) status = arm_declared(e, i, departure, signs);
        else if (fired || signs[0] == 2) status = arm_at_zero(e, i, signs, fired);
        else if (signs[0] == 0) status = arm_near_zero(e, i, signs);
        else e->arming[i] = (ic_ball_arming){.side = signs[0]};
        if (status != IC_OK) return status;
    }
    return IC_OK;
}

/* ---- events */

static ic_status begin_event(ic_engine *e, ic_event_kind kind, const char *name, bool same_instant)
{
    e->kind = kind;
    e->name = name;
    e->mode_from = e->mode;
    _arb_vec_set(e->before, e->z, e->system.n);
    if (!same_instant) {
        e->chain = 0;
        e->n_fired = 0;
    } else if (++e->chain > IC_CHAIN_MAX) {
        snprintf(e->message, sizeof e->message, "more than %d jumps at one instant", IC_CHAIN_MAX);
        return IC_CHAIN;
    }
    return IC_OK;
}

static ic_status fire(ic_engine *e, size_t i, bool same_instant)
{
    const ic_ball_mode *mode = mode_of(e);
    const ic_guard *guard = &mode->mode->guards[i];
    const ic_status status = begin_event(e, IC_EVENT_GUARD, guard->name, same_instant);
    if (status != IC_OK) return status;
    if (e->n_fired < IC_COUNT(e->fired)) e->fired[e->n_fired++] = guard;
    return jump(e, &guard->jump, mode->guards[i], true);
}

/* 1: guard i, at zero at (t, z), fires as far as `enabled` goes; 0: not; -1: cannot be told. */
static int enabled_at(ic_engine *e, size_t i, arb_srcptr z)
{
    arb_t value;
    const ic_ball_mode *mode = mode_of(e);
    if (mode->enabled[i] == NULL) return 1;
    arb_init(value);
    ic_ball_row_value(value, &e->system, mode->enabled[i], z);
    const int enabled = arb_is_positive(value) ? 1 : arb_is_nonpositive(value) ? 0 : -1;
    arb_clear(value);
    return enabled;
}

/* ---- one guard along a piece */

typedef struct crossing {
    bool found;
    arb_t s; /* part of the piece */
} crossing;

static void guard_polynomial(ic_ball_polynomial *p, const ic_taylor *taylor, arb_srcptr row)
{
    ic_ball_polynomial_init(p, taylor->order, taylor->system->prec);
    ic_taylor_row(p->coefficients, p->remainder, p->remainder_rate, taylor, row);
    ic_ball_polynomial_derive(p);
}

/*
 * The zero of row . z, isolated in [low, high] as one of `searched` (p, or p without its zero at the start). The first
 * pass narrows it as far as the series from the ball go; the second takes centre and spread apart at that place.
 */
static void refine(arb_t root, const ic_taylor *taylor, const ic_ball_polynomial *searched,
                   const ic_ball_polynomial *p, arb_srcptr row, double low, double high)
{
    ic_ball_polynomial centre;
    mag_t spread;
    arb_t end;
    mag_init(spread);
    arb_init(end);
    arb_set_d(root, low);
    arb_set_d(end, high);
    arb_union(root, root, end, p->prec);
    ic_refine_root(root, searched, searched, spread);
    ic_ball_polynomial_init(&centre, taylor->order, taylor->system->prec);
    ic_taylor_centre_row(centre.coefficients, taylor, row);
    mag_set(centre.remainder, p->remainder);
    ic_taylor_spread(spread, taylor, row, root);
    ic_refine_root(root, p, &centre, spread);
    ic_ball_polynomial_clear(&centre);
    mag_clear(spread);
    arb_clear(end);
}

/* First event of guard i in (0, end]; its arming is moved to `end` if there is none. */
static ic_status search_guard(ic_engine *e, crossing *c, const ic_taylor *taylor, const ic_ball_polynomial *p,
                              size_t i, double end, int *side)
{
    const ic_guard *guard = &mode_of(e)->mode->guards[i];
    ic_ball_polynomial deflated = {0};
    const ic_ball_polynomial *searched = p;
    ic_status status = IC_OK;
    double from = 0;
    arb_ptr z = _arb_vec_init(e->system.dim);
    *side = e->arming[i].side;
    c->found = false;
    if (e->arming[i].order > 0) {
        ic_ball_polynomial_deflate(&deflated, p, e->arming[i].order);
        searched = &deflated;
    }
    for (;;) {
        double low = 0, high = 0;
        const ic_isolation isolation = ic_first_sign_change(&low, &high, searched, from, end, *side);
        if (isolation == IC_NO_SIGN_CHANGE) break;
        if (isolation == IC_CANNOT_TELL) {
            status = undecided(e, "whether guard '%s' crosses or touches zero", guard->name);
            break;
        }
        *side = -*side;
        from = high;
        if (guard->direction != 0 && guard->direction != *side) continue;
        refine(c->s, taylor, searched, p, mode_of(e)->guards[i], low, high);
        if (mode_of(e)->enabled[i] != NULL) ic_taylor_state(z, taylor, c->s);
        const int enabled = enabled_at(e, i, z);
        if (enabled < 0) status = undecided(e, "whether guard '%s' is enabled", guard->name);
        c->found = enabled > 0;
        if (enabled != 0) break;
    }
    ic_ball_polynomial_clear(&deflated);
    _arb_vec_clear(z, e->system.dim);
    return status;
}

/* ---- a piece */

typedef struct piece {
    ic_taylor taylor;
    ic_ball_polynomial *guards;
    crossing *crossings;
    int *sides;
    size_t n;
    arb_t stop; /* part of the piece at which the run ends */
    bool last;  /* it ends within this piece */
} piece;

static void piece_close(piece *p)
{
    for (size_t i = 0; i < p->n; i++) {
        ic_ball_polynomial_clear(&p->guards[i]);
        arb_clear(p->crossings[i].s);
    }
    free(p->guards);
    free(p->crossings);
    free(p->sides);
    ic_taylor_close(&p->taylor);
    arb_clear(p->stop);
}

static ic_status piece_open(piece *p, ic_engine *e, const arb_t left)
{
    const ic_ball_mode *mode = mode_of(e);
    arf_t upper, part;
    arf_init(upper);
    arf_init(part);
    arb_get_ubound_arf(upper, left, 53);
    *p = (piece){.n = mode->mode->n_guards};
    ic_taylor_open(&p->taylor, &e->system, mode, e->z, arf_get_d(upper, ARF_RND_UP) / STOP_PART);
    arb_init(p->stop);
    arb_set_arf(p->stop, p->taylor.length);
    arb_div(p->stop, left, p->stop, e->system.prec);
    arb_get_ubound_arf(part, p->stop, 53);
    p->last = arf_cmp_d(part, 0.5 * (STOP_PART + 1)) < 0;
    arf_clear(upper);
    arf_clear(part);
    p->guards = calloc(p->n + 1, sizeof *p->guards);
    p->crossings = calloc(p->n + 1, sizeof *p->crossings);
    p->sides = calloc(p->n + 1, sizeof *p->sides);
    if (p->guards == NULL || p->crossings == NULL || p->sides == NULL) {
        p->n = 0;
        return IC_NO_MEMORY;
    }
    for (size_t i = 0; i < p->n; i++) {
        guard_polynomial(&p->guards[i], &p->taylor, mode->guards[i]);
        arb_init(p->crossings[i].s);
    }
    return IC_OK;
}

/* Where the piece may end: no guard's sign is in doubt there. Negative: nowhere. */
static double choose_end(const piece *p, const bool *never)
{
    arb_t s, value;
    double end = -1;
    arb_init(s);
    arb_init(value);
    for (size_t k = 0; k < IC_COUNT(piece_ends) && end < 0; k++) {
        bool clear = true;
        arb_set_d(s, piece_ends[k]);
        for (size_t i = 0; i < p->n && clear; i++) {
            if (never[i]) continue;
            ic_ball_polynomial_value(value, &p->guards[i], s);
            clear = ic_ball_sign(value) != 0;
        }
        if (clear) end = piece_ends[k];
    }
    arb_clear(s);
    arb_clear(value);
    return end;
}

/* The earliest of the crossings found; -1: none; -2: two cannot be told apart. */
static int earliest(const piece *p)
{
    int first = -1;
    for (size_t i = 0; i < p->n; i++) {
        if (!p->crossings[i].found) continue;
        if (first < 0 || arb_lt(p->crossings[i].s, p->crossings[first].s)) first = (int)i;
    }
    for (size_t i = 0; i < p->n && first >= 0; i++) {
        if (!p->crossings[i].found || (int)i == first) continue;
        if (!arb_lt(p->crossings[first].s, p->crossings[i].s)) return -2;
    }
    return first;
}

/* Move to part s of the piece. */
static void move_to(ic_engine *e, const piece *p, const arb_t s)
{
    const slong n = e->system.n, dim = e->system.dim, prec = e->system.prec;
    arb_t length;
    arb_mat_t transition; /* of all that starts where the piece does */
    arb_ptr z = _arb_vec_init(dim);
    arb_mat_init(transition, dim, dim);
    ic_taylor_transition(transition, &p->taylor, s);
    for (slong k = 0; e->phi != NULL && k < n; k++) {
        ic_taylor column;
        ic_taylor_open(&column, &e->system, p->taylor.mode, e->phi + k * dim,
                       arf_get_d(p->taylor.length, ARF_RND_NEAR));
        ic_taylor_state_by(z, &column, s, transition);
        _arb_vec_set(e->phi + k * dim, z, dim);
        ic_taylor_close(&column);
    }
    ic_taylor_state_by(z, &p->taylor, s, transition);
    arb_mat_clear(transition);
    _arb_vec_set(e->z, z, dim);
    arb_init(length);
    arb_set_arf(length, p->taylor.length);
    arb_addmul(e->t, length, s, prec);
    ic_ball_anchor(e->z, &e->system, p->taylor.mode->frequency, e->t);
    arb_clear(length);
    _arb_vec_clear(z, dim);
}

/* Guards that cannot be told from the first one to cross, and the part of the piece where all of them cross. */
static void tied_with(bool *tied, arb_t s, const piece *p, slong prec)
{
    int first = -1;
    for (size_t i = 0; i < p->n; i++) {
        if (p->crossings[i].found && (first < 0 || arb_lt(p->crossings[i].s, p->crossings[first].s)))
            first = (int)i;
    }
    arb_set(s, p->crossings[first].s);
    for (size_t i = 0; i < p->n; i++) {
        tied[i] = p->crossings[i].found && !arb_lt(p->crossings[first].s, p->crossings[i].s);
        if (tied[i]) arb_union(s, s, p->crossings[i].s, prec);
    }
}

/* Move to a tie that ends the run: the guard that ends it, or -1 where the order of the guards may matter. */
static int settle_tie(ic_engine *e, const piece *p)
{
    arb_t s;
    int fired = -1;
    bool *tied = calloc(p->n + 1, sizeof *tied);
    if (tied == NULL || e->phi != NULL || e->system.prec < TIE_PRECISION) {
        free(tied);
        return -1;
    }
    arb_init(s);
    tied_with(tied, s, p, e->system.prec);
    if (!p->last || arb_lt(s, p->stop)) {
        move_to(e, p, s);
        fired = ic_tie_that_ends(&e->system, e->t, e->z, e->mode, tied);
    }
    free(tied);
    arb_clear(s);
    return fired;
}

static ic_status settle_at_stop(ic_engine *e, const piece *p, int first)
{
    /* an event found in the last piece comes before the end, after it, or cannot be told */
    if (first >= 0 && arb_lt(p->crossings[first].s, p->stop)) return IC_OK;
    if (first >= 0 && !arb_gt(p->crossings[first].s, p->stop)) {
        return undecided(e, "whether guard '%s' fires before the end", mode_of(e)->mode->guards[first].name);
    }
    return IC_OK;
}

/* Follow one piece: *fired is the guard that fires at its end, or -1; *stopped whether the end of the run is reached. */
static ic_status follow_piece(ic_engine *e, piece *p, int *fired, bool *stopped)
{
    arb_t s;
    *stopped = false;
    const bool *never = mode_of(e)->never;
    const double end = p->last ? 1.0 : choose_end(p, never);
    if (end < 0) return undecided(e, "the sign of a guard");
    double searched = end;
    if (p->last) {
        arf_t upper;
        arf_init(upper);
        arb_get_ubound_arf(upper, p->stop, 53);
        searched = arf_get_d(upper, ARF_RND_UP);
        arf_clear(upper);
    }
    for (size_t i = 0; i < p->n; i++) {
        if (never[i]) continue;
        const ic_status status =
            search_guard(e, &p->crossings[i], &p->taylor, &p->guards[i], i, searched, &p->sides[i]);
        if (status != IC_OK) return status;
    }
    *fired = earliest(p);
    if (*fired == -2) {
        *fired = settle_tie(e, p);
        return *fired >= 0 ? IC_OK : undecided(e, "which of two guards fires first: simultaneous");
    }
    const ic_status status = p->last ? settle_at_stop(e, p, *fired) : IC_OK;
    if (status != IC_OK) return status;
    if (*fired >= 0 && p->last && !arb_lt(p->crossings[*fired].s, p->stop)) *fired = -1;
    if (*fired >= 0) {
        move_to(e, p, p->crossings[*fired].s);
        return IC_OK;
    }
    for (size_t i = 0; i < p->n; i++) e->arming[i] = (ic_ball_arming){.side = p->sides[i]};
    arb_init(s);
    if (p->last) arb_set(s, p->stop);
    else arb_set_d(s, end);
    move_to(e, p, s);
    *stopped = p->last;
    arb_clear(s);
    return IC_OK;
}

/* ---- time events */

/* Earliest time event: its index and time; -1: none; -2: cannot be told or wrong (message). */
static int next_time_event(ic_engine *e, arb_t t)
{
    const ic_variant *variant = e->system.problem->variant;
    arb_t at;
    int first = -1;
    arb_init(at);
    for (size_t i = 0; i < variant->n_time_events && first != -2; i++) {
        const ic_time_event *event = &variant->time_events[i];
        if (event->linear == NULL) {
            snprintf(e->message, sizeof e->message, "time event '%.80s' has no linear view", event->name);
            first = -2;
        } else if (event->occurrences == 0 || e->next_occurrence[i] < event->occurrences) {
            if (!ic_ball_system_number(at, &e->system, event->linear, &e->next_occurrence[i])) {
                snprintf(e->message, sizeof e->message, "%s", e->system.message);
                first = -2;
            } else if (first < 0 || arb_lt(at, t)) {
                arb_set(t, at);
                first = (int)i;
            } else if (!arb_gt(at, t) && !arb_equal(at, t)) {
                snprintf(e->message, sizeof e->message, "the order of time events cannot be told");
                first = -2;
            }
        }
    }
    arb_clear(at);
    return first;
}

static ic_status skip_past_time_events(ic_engine *e)
{
    const ic_variant *variant = e->system.problem->variant;
    arb_t at;
    arb_init(at);
    ic_status status = IC_OK;
    for (size_t i = 0; i < variant->n_time_events && status == IC_OK; i++) {
        const ic_time_event *event = &variant->time_events[i];
        while (event->linear != NULL &&
               (event->occurrences == 0 || e->next_occurrence[i] < event->occurrences)) {
            if (!ic_ball_system_number(at, &e->system, event->linear, &e->next_occurrence[i]))
                status = IC_INVALID;
            if (status != IC_OK || !arb_lt(at, e->t)) break;
            e->next_occurrence[i]++;
        }
    }
    arb_clear(at);
    return status;
}

static ic_status fire_time_event(ic_engine *e, int which, bool same_instant)
{
    const ic_time_event *event = &e->system.problem->variant->time_events[which];
    const ic_status status = begin_event(e, IC_EVENT_TIME, event->name, same_instant);
    e->next_occurrence[which]++;
    return status != IC_OK ? status : jump(e, &event->jump, NULL, true);
}

/* ---- the engine */

static ic_status next_before(ic_engine *e, const arb_t t_stop, bool *happened, bool *stopped)
{
    arb_t left;
    ic_status status = IC_OK;
    *happened = *stopped = false;
    for (size_t i = 0; i < mode_of(e)->mode->n_guards; i++) {
        if (!e->arming[i].due) continue;
        const int enabled = enabled_at(e, i, e->z);
        if (enabled < 0) return undecided(e, "whether guard '%s' is enabled", mode_of(e)->mode->guards[i].name);
        e->arming[i].due = false;
        *happened = enabled > 0;
        if (*happened) return fire(e, i, true);
    }
    arb_init(left);
    while (status == IC_OK && !*happened && !*stopped) {
        piece p;
        int fired = -1;
        arb_sub(left, t_stop, e->t, e->system.prec);
        if (!arb_is_positive(left)) {
            *stopped = true;
            break;
        }
        status = piece_open(&p, e, left);
        if (status == IC_OK) status = follow_piece(e, &p, &fired, stopped);
        piece_close(&p);
        if (status == IC_OK && fired >= 0) {
            *happened = true;
            status = fire(e, (size_t)fired, false);
        }
    }
    arb_clear(left);
    return status;
}

ic_status ic_engine_next(ic_engine *e, const arb_t t_end, bool *happened)
{
    arb_t t_event;
    bool stopped = false;
    *happened = false;
    if (mode_of(e)->mode->terminal) return IC_OK;
    arb_init(t_event);
    const int which = next_time_event(e, t_event);
    const bool event_first = which >= 0 && arb_lt(t_event, t_end);
    ic_status status =
        which == -2 ? IC_UNSUPPORTED : next_before(e, event_first ? t_event : t_end, happened, &stopped);
    if (status == IC_OK && !*happened) {
        *happened = event_first;
        if (event_first) {
            const bool same_instant = e->kind == IC_EVENT_TIME && arb_equal(e->t, t_event);
            arb_swap(e->t, t_event);
            status = fire_time_event(e, which, same_instant);
        } else {
            arb_set(e->t, t_end);
        }
    }
    arb_clear(t_event);
    return status;
}

static void identity_derivatives(ic_engine *e)
{
    const slong n = e->system.n, dim = e->system.dim;
    if (e->phi == NULL) return;
    _arb_vec_zero(e->phi, n * dim);
    for (slong k = 0; k < n; k++) arb_one(e->phi + k * dim + k);
}

ic_status ic_engine_place(ic_engine *e, arb_srcptr x, int mode, const arb_t t)
{
    e->mode = mode;
    e->name = "start";
    e->n_fired = 0;
    e->chain = -1; /* the first event at the start is number 0 of its instant */
    arb_set(e->t, t);
    _arb_vec_set(e->z, x, e->system.n);
    ic_ball_anchor(e->z, &e->system, mode_of(e)->frequency, e->t);
    identity_derivatives(e);
    const ic_status status = skip_past_time_events(e);
    return status == IC_OK ? arm(e, NULL) : status;
}

static ic_status start(ic_engine *e)
{
    const ic_problem *problem = e->system.problem;
    e->name = "start";
    e->chain = -1;
    arb_set_d(e->t, problem->t_start);
    if (problem->x_start != NULL) {
        arb_ptr x = _arb_vec_init(e->system.n);
        for (slong i = 0; i < e->system.n; i++) arb_set_d(x + i, problem->x_start[i]);
        const ic_status status = ic_engine_place(e, x, problem->mode_start, e->t);
        _arb_vec_clear(x, e->system.n);
        return status;
    }
    ic_ball_anchor(e->z, &e->system, mode_of(e)->frequency, e->t);
    const ic_status status = jump(e, &problem->variant->start, NULL, false);
    identity_derivatives(e);
    return status == IC_OK ? skip_past_time_events(e) : status;
}

ic_status ic_engine_open(ic_engine *e, const ic_problem *problem, slong prec, bool with_derivative)
{
    size_t most = 1;
    *e = (ic_engine){.name = "start"};
    arb_init(e->t);
    if (!ic_ball_system_open(&e->system, problem, prec)) {
        snprintf(e->message, sizeof e->message, "%s", e->system.message);
        return IC_UNSUPPORTED;
    }
    for (size_t i = 0; i < e->system.n_modes; i++) {
        if (problem->variant->modes[i].n_guards > most) most = problem->variant->modes[i].n_guards;
    }
    e->z = _arb_vec_init(e->system.dim);
    e->before = _arb_vec_init(e->system.n);
    if (with_derivative) e->phi = _arb_vec_init(e->system.n * e->system.dim);
    e->arming = calloc(most, sizeof *e->arming);
    e->next_occurrence = calloc(problem->variant->n_time_events + 1, sizeof *e->next_occurrence);
    if (e->arming == NULL || e->next_occurrence == NULL) return IC_NO_MEMORY;
    return start(e);
}

void ic_engine_close(ic_engine *e)
{
    if (e->z != NULL) _arb_vec_clear(e->z, e->system.dim);
    if (e->before != NULL) _arb_vec_clear(e->before, e->system.n);
    if (e->phi != NULL) _arb_vec_clear(e->phi, e->system.n * e->system.dim);
    free(e->arming);
    free(e->next_occurrence);
    arb_clear(e->t);
    ic_ball_system_close(&e->system);
}
