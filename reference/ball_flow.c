/* SPDX-License-Identifier: MIT */
#include "reference/ball_flow.h"
#include "reference/roots.h"
#include "reference/simultaneous_guards.h"
#include "reference/taylor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fractions of a piece at which it may end; the first at which no guard is close to zero is
   chosen. */
static const double piece_ends[] = {0.9, 0.85, 0.8, 0.74, 0.67, 0.59, 0.5, 0.4};
/* The last piece is made so long that the end of the run is at this fraction of it. */
#define STOP_PART 0.94

enum { MOST_DERIVATIVES = 4 };

/* From this precision on (300 decimal digits), guards that cannot be separated are treated as
   simultaneous. */
enum { SIMULTANEOUS_PRECISION = 1024 };

static ic_status set_undecided(ic_ball_flow *f, const char *format, ...)
{
    char at[64];
    va_list arguments;
    va_start(arguments, format);
    // NOLINTNEXTLINE(clang-analyzer-valist.Uninitialized): va_start is above
    const int length = vsnprintf(f->message, sizeof f->message, format, arguments);
    va_end(arguments);
    char *digits = arb_get_str(f->t, 12, ARB_STR_NO_RADIUS);
    snprintf(at, sizeof at, ", after t = %s", digits);
    flint_free(digits);
    if (length > 0 && (size_t)length < sizeof f->message) {
        snprintf(f->message + length, sizeof f->message - (size_t)length, "%s", at);
    }
    return IC_UNDECIDED;
}

static ic_ball_mode *mode_of(ic_ball_flow *f)
{
    return &f->system.modes[f->mode];
}

/* Value of a row whose frequency may differ from the mode's: forcing is evaluated at t itself. */
static void value_now(arb_t value, ic_ball_flow *f, arb_srcptr row)
{
    const slong dim = f->system.dim;
    arb_ptr z = _arb_vec_init(dim);
    _arb_vec_set(z, f->z, f->system.n);
    ic_ball_anchor(z, &f->system, row + f->system.n + 3, f->t);
    ic_ball_row_value(value, &f->system, row, z);
    _arb_vec_clear(z, dim);
}

/* ---- jumps */

/* 1: positive, 0: not positive, -1: undecided. */
static int sign_of_text(ic_ball_flow *f, const char *text, bool states)
{
    arb_t value;
    ic_ball_row row = ic_ball_system_row(&f->system, text, states);
    if (row == NULL) {
        snprintf(f->message, sizeof f->message, "%s", f->system.message);
        return -1;
    }
    arb_init(value);
    value_now(value, f, row);
    const int holds = arb_is_positive(value) ? 1 : arb_is_nonpositive(value) ? 0 : -1;
    if (holds < 0) set_undecided(f, "the sign of the condition '%.60s' of '%s'", text, f->name);
    arb_clear(value);
    ic_ball_row_clear(&f->system, row);
    return holds;
}

/*
 * The same for conditions joined by " and ": 0 if one is not positive, for any values of the
 * others.
 */
static int sign_of_condition(ic_ball_flow *f, const char *text, bool states)
{
    static const char word[] = " and ";
    int all = 1;
    for (const char *end = text; end != NULL && all != 0; text = end + strlen(word)) {
        char part[1024];
        end = strstr(text, word);
        const size_t length = end == NULL ? strlen(text) : (size_t)(end - text);
        if (length >= sizeof part) {
            set_undecided(f, "the condition '%.60s...' of '%s', which is too long", text, f->name);
            return -1;
        }
        memcpy(part, text, length);
        part[length] = '\0';
        const int holds = sign_of_text(f, part, states);
        if (holds <= 0) all = holds;
        if (end == NULL) break;
    }
    return all;
}

/* Rows of the state after a jump: n x dim, by rows. false: see message. */
static bool compile_state_rows(ic_ball_flow *f, arb_ptr rows, arb_ptr values, const ic_branch *branch,
                               bool states)
{
    const slong n = f->system.n, dim = f->system.dim;
    for (slong i = 0; i < n; i++) {
        ic_ball_row row = ic_ball_system_row(&f->system, branch->state[i], states);
        if (row == NULL) {
            snprintf(f->message, sizeof f->message, "%s", f->system.message);
            return false;
        }
        _arb_vec_set(rows + i * dim, row, dim);
        value_now(values + i, f, row);
        ic_ball_row_clear(&f->system, row);
    }
    return true;
}

static void derivative_of_z(arb_ptr dz, const ic_ball_flow *f, const ic_ball_mode *mode, arb_srcptr z)
{
    const slong dim = f->system.dim;
    for (slong i = 0; i < dim; i++) {
        arb_dot(dz + i, NULL, 0, mode->matrix + i * dim, 1, z, 1, dim, f->system.prec);
    }
}

static const ic_branch *choose_branch(ic_ball_flow *f, const ic_jump *jump, bool states, ic_status *status)
{
    *status = IC_OK;
    for (size_t b = 0; b < jump->n_branches; b++) {
        const char *condition = jump->branches[b].condition;
        const int holds = condition == NULL ? 1 : sign_of_condition(f, condition, states);
        if (holds > 0) return &jump->branches[b];
        if (holds < 0) {
            *status = IC_UNDECIDED;
            return NULL;
        }
    }
    snprintf(f->message, sizeof f->message, "no branch of the jump of '%.80s' can be taken", f->name);
    *status = IC_INVALID;
    return NULL;
}

static ic_status arm_guards(ic_ball_flow *f, const ic_branch *branch);

static ic_status apply_jump(ic_ball_flow *f, const ic_jump *map, bool states)
{
    const slong n = f->system.n, dim = f->system.dim;
    ic_status status = IC_OK;
    if (!map->linear) {
        snprintf(f->message, sizeof f->message, "the jump of '%.80s' has no linear view", f->name);
        return IC_UNSUPPORTED;
    }
    const ic_branch *branch = choose_branch(f, map, states, &status);
    if (branch == NULL) return status;
    if (branch->mode != IC_SAME_MODE && (branch->mode < 0 || (size_t)branch->mode >= f->system.n_modes)) {
        snprintf(f->message, sizeof f->message, "the jump of '%.80s' leads to mode %d of %zu", f->name,
                 branch->mode, f->system.n_modes);
        return IC_INVALID;
    }
    arb_ptr rows = branch->state == NULL ? NULL : _arb_vec_init(n * dim);
    arb_ptr post = _arb_vec_init(n);
    if (rows != NULL && !compile_state_rows(f, rows, post, branch, states)) status = IC_INVALID;
    if (status == IC_OK) {
        if (rows != NULL) _arb_vec_set(f->z, post, n);
        if (branch->mode != IC_SAME_MODE) f->mode = branch->mode;
        ic_ball_anchor(f->z, &f->system, mode_of(f)->frequency, f->t);
        status = arm_guards(f, branch);
    }
    if (rows != NULL) _arb_vec_clear(rows, n * dim);
    _arb_vec_clear(post, n);
    return status;
}

/* ---- arming (event contract, clauses 2 and 3) */

static bool has_fired_now(const ic_ball_flow *f, const ic_guard *guard)
{
    for (size_t i = 0; i < f->n_fired; i++) {
        if (f->fired[i] == guard) return true;
    }
    return false;
}

/* Signs of g and its derivatives; 2 where the ball is exactly zero, 0 where it contains zero. */
static void derivative_signs(int signs[MOST_DERIVATIVES], ic_ball_flow *f, arb_srcptr row)
{
    const slong dim = f->system.dim;
    arb_t value;
    arb_ptr z = _arb_vec_init(dim), dz = _arb_vec_init(dim);
    arb_init(value);
    _arb_vec_set(z, f->z, dim);
    for (int k = 0; k < MOST_DERIVATIVES; k++) {
        ic_ball_row_value(value, &f->system, row, z);
        signs[k] = arb_is_zero(value) ? 2 : ic_ball_sign(value);
        derivative_of_z(dz, f, mode_of(f), z);
        arb_ptr keep = z;
        z = dz;
        dz = keep;
    }
    arb_clear(value);
    _arb_vec_clear(z, dim);
    _arb_vec_clear(dz, dim);
}

static ic_status arm_declared(ic_ball_flow *f, size_t i, const ic_departure *departure, const int *signs)
{
    const ic_guard *guard = &mode_of(f)->mode->guards[i];
    int order = 0;
    /* A zero of a lower order, from which the guard departs to the same side, is as good. */
    while (order < departure->order && (order == 0 || signs[order] != departure->side)) {
        const int k = order++;
        if (signs[k] == 0 || signs[k] == 2) continue;
        snprintf(f->message, sizeof f->message,
                 "guard '%.60s' is declared to start at a zero of order %d, but does not", guard->name,
                 departure->order);
        return IC_INVALID;
    }
    if (order >= MOST_DERIVATIVES || signs[order] != departure->side) {
        return set_undecided(f, "the side to which guard '%s' departs", guard->name);
    }
    f->arming[i] = (ic_ball_arming){.side = departure->side, .order = order};
    return IC_OK;
}

/* The guard is zero: exactly, or because it has just fired and its jump left it at zero. */
static ic_status arm_at_zero(ic_ball_flow *f, size_t i, const int *signs, bool disarmed)
{
    const ic_guard *guard = &mode_of(f)->mode->guards[i];
    int order = 1;
    while (order < MOST_DERIVATIVES && signs[order] == 2) order++;
    if (order == MOST_DERIVATIVES || signs[order] == 0) {
        return set_undecided(f, "the side to which guard '%s' departs", guard->name);
    }
    const bool fires = !disarmed && guard->direction != 0 && signs[order] == guard->direction;
    f->arming[i] = (ic_ball_arming){.side = signs[order], .order = order, .due = fires};
    return IC_OK;
}

/*
 * The ball contains zero. The effect of the guard is known only if its rate has a definite sign
 * against the firing direction.
 */
static ic_status arm_near_zero(ic_ball_flow *f, size_t i, const int *signs)
{
    const ic_guard *guard = &mode_of(f)->mode->guards[i];
    if ((signs[1] == 1 || signs[1] == -1) && guard->direction == -signs[1]) {
        f->arming[i] = (ic_ball_arming){.side = signs[1], .order = 0};
        return IC_OK;
    }
    return set_undecided(f, "whether guard '%s' is zero", guard->name);
}

static const ic_departure *declared_departure(const ic_branch *branch, size_t guard)
{
    for (size_t i = 0; branch != NULL && i < branch->n_departures; i++) {
        if ((size_t)branch->departures[i].guard == guard) return &branch->departures[i];
    }
    return NULL;
}

/* Arms guards again whose jump has moved them off zero (clause 5). */
static void rearm_moved_guards(ic_ball_flow *f)
{
    arb_t value;
    size_t kept = 0;
    arb_init(value);
    for (size_t i = 0; i < f->n_fired; i++) {
        ic_ball_row row = ic_ball_system_row(&f->system, f->fired[i]->linear, true);
        if (row == NULL) continue;
        value_now(value, f, row);
        if (arb_contains_zero(value)) f->fired[kept++] = f->fired[i];
        ic_ball_row_clear(&f->system, row);
    }
    f->n_fired = kept;
    arb_clear(value);
}

/* Returns whether a jump preserves every state that a row depends on. */
static bool preserves_states_of(ic_ball_flow *f, const ic_branch *branch, arb_srcptr row)
{
    const slong n = f->system.n;
    bool alone = true;
    for (slong i = 0; branch->state != NULL && i < n && alone; i++) {
        if (arb_is_zero(row + i)) continue;
        ic_ball_row after = ic_ball_system_row(&f->system, branch->state[i], true);
        alone = after != NULL;
        for (slong k = 0; alone && k < f->system.dim; k++) {
            alone = k == i ? arb_is_one(after + k) : arb_is_zero(after + k);
        }
        ic_ball_row_clear(&f->system, after);
    }
    return alone;
}

static ic_status arm_guards(ic_ball_flow *f, const ic_branch *branch)
{
    const ic_ball_mode *mode = mode_of(f);
    rearm_moved_guards(f);
    for (size_t i = 0; i < mode->mode->n_guards; i++) {
        int signs[MOST_DERIVATIVES];
        ic_status status = IC_OK;
        const ic_departure *departure = declared_departure(branch, i);
        derivative_signs(signs, f, mode->guards[i]);
        const ic_guard *guard = &mode->mode->guards[i];
        if (mode->never[i]) continue;
        /*
         * The guard is still zero by theorem: it fired last, and its jump changed no state on which
         * it depends.
         */
        const bool unmoved = branch != NULL && f->n_fired > 0 && f->fired[f->n_fired - 1] == guard &&
                             preserves_states_of(f, branch, mode->guards[i]);
        const bool fired = has_fired_now(f, guard) && (signs[0] == 2 || unmoved);
        if (departure != NULL) status = arm_declared(f, i, departure, signs);
        else if (fired || signs[0] == 2) status = arm_at_zero(f, i, signs, fired);
        else if (signs[0] == 0) status = arm_near_zero(f, i, signs);
        else
            f->arming[i] = (ic_ball_arming){
                .side = signs[0], .due = guard->onset == IC_ONSET_LEVEL && signs[0] == guard->direction};
        if (status != IC_OK) return status;
    }
    return IC_OK;
}

/* ---- events */

static ic_status begin_event(ic_ball_flow *f, ic_event_kind kind, const char *name, bool same_instant)
{
    f->kind = kind;
    f->name = name;
    f->mode_from = f->mode;
    _arb_vec_set(f->before, f->z, f->system.n);
    if (!same_instant) {
        f->chain = 0;
        f->n_fired = 0;
    } else if (++f->chain > IC_CHAIN_MAX) {
        snprintf(f->message, sizeof f->message, "more than %d jumps at one instant", IC_CHAIN_MAX);
        return IC_CHAIN;
    }
    return IC_OK;
}

static ic_status fire_guard(ic_ball_flow *f, size_t i, bool same_instant)
{
    const ic_ball_mode *mode = mode_of(f);
    const ic_guard *guard = &mode->mode->guards[i];
    const ic_status status = begin_event(f, IC_EVENT_GUARD, guard->name, same_instant);
    if (status != IC_OK) return status;
    if (f->n_fired < IC_COUNT(f->fired)) f->fired[f->n_fired++] = guard;
    return apply_jump(f, &guard->jump, true);
}

/* Returns whether guard i, at zero at (t, z), is enabled: 1, 0, or -1 (undecided). */
static int guard_is_enabled(ic_ball_flow *f, size_t i, arb_srcptr z)
{
    arb_t value;
    const ic_ball_mode *mode = mode_of(f);
    if (mode->enabled[i] == NULL) return 1;
    arb_init(value);
    ic_ball_row_value(value, &f->system, mode->enabled[i], z);
    const int enabled = arb_is_positive(value) ? 1 : arb_is_nonpositive(value) ? 0 : -1;
    arb_clear(value);
    return enabled;
}

/* ---- one guard along a piece */

typedef struct crossing {
    bool found;

    /* fraction of the piece */
    arb_t s;
} crossing;

static void guard_polynomial(ic_ball_polynomial *p, const ic_taylor *taylor, arb_srcptr row)
{
    ic_ball_polynomial_init(p, taylor->order, taylor->system->prec);
    ic_taylor_row(p->coefficients, p->remainder, p->remainder_rate, taylor, row);
    ic_ball_polynomial_derive(p);
}

/* Refines the zero of row . z, isolated in [low, high] as one of `searched` (p, or p without its
   zero at the start). The first pass narrows it as far as the series from the ball allow; the
   second treats centre and spread separately at that place. */
static void refine_crossing(arb_t root, const ic_taylor *taylor, const ic_ball_polynomial *searched,
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

/* Finds the first event of guard i in (0, end]; *side is its sign at `end` if no event exists. */
static ic_status search_guard(ic_ball_flow *f, crossing *c, const ic_taylor *taylor,
                              const ic_ball_polynomial *p, size_t i, double end, int *side)
{
    const ic_guard *guard = &mode_of(f)->mode->guards[i];
    ic_ball_polynomial deflated = {0};
    const ic_ball_polynomial *searched = p;
    ic_status status = IC_OK;
    double from = 0;
    arb_ptr z = _arb_vec_init(f->system.dim);
    *side = f->arming[i].side;
    c->found = false;
    if (f->arming[i].order > 0) {
        ic_ball_polynomial_deflate(&deflated, p, f->arming[i].order);
        searched = &deflated;
    }
    for (;;) {
        double low = 0, high = 0;
        const ic_isolation isolation = ic_first_sign_change(&low, &high, searched, from, end, *side);
        if (isolation == IC_NO_SIGN_CHANGE) break;
        if (isolation == IC_CANNOT_TELL) {
            status = set_undecided(f, "whether guard '%s' crosses or touches zero", guard->name);
            break;
        }
        *side = -*side;
        from = high;
        if (guard->direction != 0 && guard->direction != *side) continue;
        refine_crossing(c->s, taylor, searched, p, mode_of(f)->guards[i], low, high);
        if (mode_of(f)->enabled[i] != NULL) ic_taylor_state(z, taylor, c->s);
        const int enabled = guard_is_enabled(f, i, z);
        if (enabled < 0) status = set_undecided(f, "whether guard '%s' is enabled", guard->name);
        c->found = enabled > 0;
        if (enabled != 0) break;
    }
    ic_ball_polynomial_clear(&deflated);
    _arb_vec_clear(z, f->system.dim);
    return status;
}

/* ---- a piece */

typedef struct flow_piece {
    ic_taylor taylor;
    ic_ball_polynomial *guards;
    crossing *crossings;
    int *sides;
    size_t n;

    /* fraction of the piece at which the run ends */
    arb_t stop;

    /* the run ends within this piece */
    bool last;
} flow_piece;

static void piece_close(flow_piece *p)
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

static ic_status piece_open(flow_piece *p, ic_ball_flow *f, const arb_t left)
{
    const ic_ball_mode *mode = mode_of(f);
    arf_t upper, part;
    arf_init(upper);
    arf_init(part);
    arb_get_ubound_arf(upper, left, 53);
    *p = (flow_piece){.n = mode->mode->n_guards};
    ic_taylor_open(&p->taylor, &f->system, mode, f->z, arf_get_d(upper, ARF_RND_UP) / STOP_PART);
    arb_init(p->stop);
    arb_set_arf(p->stop, p->taylor.length);
    arb_div(p->stop, left, p->stop, f->system.prec);
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

/* Fraction at which the piece may end: no guard's sign is undecided there. Negative: none. */
static double choose_piece_end(const flow_piece *p, const bool *never)
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

/* The earliest of the crossings found; -1: none; -2: two cannot be separated. */
static int earliest_crossing(const flow_piece *p)
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

/* Moves to fraction s of the piece. */
static void move_along_piece(ic_ball_flow *f, const flow_piece *p, const arb_t s)
{
    const slong dim = f->system.dim, prec = f->system.prec;
    arb_t length;
    arb_mat_t transition;
    arb_ptr z = _arb_vec_init(dim);
    arb_mat_init(transition, dim, dim);
    ic_taylor_transition(transition, &p->taylor, s);
    ic_taylor_state_by(z, &p->taylor, s, transition);
    arb_mat_clear(transition);
    _arb_vec_set(f->z, z, dim);
    arb_init(length);
    arb_set_arf(length, p->taylor.length);
    arb_addmul(f->t, length, s, prec);
    ic_ball_anchor(f->z, &f->system, p->taylor.mode->frequency, f->t);
    arb_clear(length);
    _arb_vec_clear(z, dim);
}

/* Marks the guards that cannot be separated from the first to cross; s covers all their
   crossings. */
static void mark_simultaneous(bool *simultaneous, arb_t s, const flow_piece *p, slong prec)
{
    int first = -1;
    for (size_t i = 0; i < p->n; i++) {
        if (p->crossings[i].found && (first < 0 || arb_lt(p->crossings[i].s, p->crossings[first].s)))
            first = (int)i;
    }
    arb_set(s, p->crossings[first].s);
    for (size_t i = 0; i < p->n; i++) {
        simultaneous[i] = p->crossings[i].found && !arb_lt(p->crossings[first].s, p->crossings[i].s);
        if (simultaneous[i]) arb_union(s, s, p->crossings[i].s, prec);
    }
}

/* Moves to simultaneous guards that end the run; returns the guard that ends it, or -1 where the
   order may matter. */
static int resolve_simultaneous(ic_ball_flow *f, const flow_piece *p)
{
    arb_t s;
    int fired = -1;
    bool *simultaneous = calloc(p->n + 1, sizeof *simultaneous);
    if (simultaneous == NULL || f->system.prec < SIMULTANEOUS_PRECISION) {
        free(simultaneous);
        return -1;
    }
    arb_init(s);
    mark_simultaneous(simultaneous, s, p, f->system.prec);
    if (!p->last || arb_lt(s, p->stop)) {
        move_along_piece(f, p, s);
        fired = ic_simultaneous_end(&f->system, f->t, f->z, f->mode, simultaneous);
    }
    free(simultaneous);
    arb_clear(s);
    return fired;
}

static ic_status check_at_stop(ic_ball_flow *f, const flow_piece *p, int first)
{
    /* An event found in the last piece precedes the end, follows it, or is undecided. */
    if (first >= 0 && arb_lt(p->crossings[first].s, p->stop)) return IC_OK;
    if (first >= 0 && !arb_gt(p->crossings[first].s, p->stop)) {
        return set_undecided(f, "whether guard '%s' fires before the end",
                             mode_of(f)->mode->guards[first].name);
    }
    return IC_OK;
}

/* Follows one piece. *fired: the guard that fires at its end, or -1; *stopped: whether the end of
   the run is reached. */
static ic_status follow_piece(ic_ball_flow *f, flow_piece *p, int *fired, bool *stopped)
{
    arb_t s;
    *stopped = false;
    const bool *never = mode_of(f)->never;
    const double end = p->last ? 1.0 : choose_piece_end(p, never);
    if (end < 0) return set_undecided(f, "the sign of a guard");
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
            search_guard(f, &p->crossings[i], &p->taylor, &p->guards[i], i, searched, &p->sides[i]);
        if (status != IC_OK) return status;
    }
    *fired = earliest_crossing(p);
    if (*fired == -2) {
        *fired = resolve_simultaneous(f, p);
        return *fired >= 0 ? IC_OK : set_undecided(f, "which of two guards fires first: simultaneous");
    }
    const ic_status status = p->last ? check_at_stop(f, p, *fired) : IC_OK;
    if (status != IC_OK) return status;
    if (*fired >= 0 && p->last && !arb_lt(p->crossings[*fired].s, p->stop)) *fired = -1;
    if (*fired >= 0) {
        move_along_piece(f, p, p->crossings[*fired].s);
        return IC_OK;
    }
    for (size_t i = 0; i < p->n; i++) f->arming[i] = (ic_ball_arming){.side = p->sides[i]};
    arb_init(s);
    if (p->last) arb_set(s, p->stop);
    else arb_set_d(s, end);
    move_along_piece(f, p, s);
    *stopped = p->last;
    arb_clear(s);
    return IC_OK;
}

/* ---- time events */

/* Earliest time event: its index and time; -1: none; -2: undecided or malformed (see message). */
static int next_time_event(ic_ball_flow *f, arb_t t)
{
    const ic_variant *variant = f->system.problem->variant;
    arb_t at;
    int first = -1;
    arb_init(at);
    for (size_t i = 0; i < variant->n_time_events && first != -2; i++) {
        const ic_time_event *event = &variant->time_events[i];
        if (event->linear == NULL) {
            snprintf(f->message, sizeof f->message, "time event '%.80s' has no linear view", event->name);
            first = -2;
        } else if (event->occurrences == 0 || f->next_occurrence[i] < event->occurrences) {
            if (!ic_ball_system_number(at, &f->system, event->linear, &f->next_occurrence[i])) {
                snprintf(f->message, sizeof f->message, "%s", f->system.message);
                first = -2;
            } else if (first < 0 || arb_lt(at, t)) {
                arb_set(t, at);
                first = (int)i;
            } else if (!arb_gt(at, t) && !arb_equal(at, t)) {
                snprintf(f->message, sizeof f->message, "the order of time events is not decided");
                first = -2;
            }
        }
    }
    arb_clear(at);
    return first;
}

static ic_status skip_past_time_events(ic_ball_flow *f)
{
    const ic_variant *variant = f->system.problem->variant;
    arb_t at;
    arb_init(at);
    ic_status status = IC_OK;
    for (size_t i = 0; i < variant->n_time_events && status == IC_OK; i++) {
        const ic_time_event *event = &variant->time_events[i];
        while (event->linear != NULL &&
               (event->occurrences == 0 || f->next_occurrence[i] < event->occurrences)) {
            if (!ic_ball_system_number(at, &f->system, event->linear, &f->next_occurrence[i]))
                status = IC_INVALID;
            if (status != IC_OK || !arb_lt(at, f->t)) break;
            f->next_occurrence[i]++;
        }
    }
    arb_clear(at);
    return status;
}

static ic_status fire_time_event(ic_ball_flow *f, int which, bool same_instant)
{
    const ic_time_event *event = &f->system.problem->variant->time_events[which];
    const ic_status status = begin_event(f, IC_EVENT_TIME, event->name, same_instant);
    f->next_occurrence[which]++;
    return status != IC_OK ? status : apply_jump(f, &event->jump, true);
}

/* ---- the flow */

static ic_status advance_before(ic_ball_flow *f, const arb_t t_stop, bool *happened, bool *stopped)
{
    arb_t left;
    ic_status status = IC_OK;
    *happened = *stopped = false;
    for (size_t i = 0; i < mode_of(f)->mode->n_guards; i++) {
        if (!f->arming[i].due) continue;
        const int enabled = guard_is_enabled(f, i, f->z);
        if (enabled < 0)
            return set_undecided(f, "whether guard '%s' is enabled", mode_of(f)->mode->guards[i].name);
        f->arming[i].due = false;
        *happened = enabled > 0;
        if (*happened) return fire_guard(f, i, true);
    }
    arb_init(left);
    while (status == IC_OK && !*happened && !*stopped) {
        flow_piece p;
        int fired = -1;
        arb_sub(left, t_stop, f->t, f->system.prec);
        if (!arb_is_positive(left)) {
            *stopped = true;
            break;
        }
        status = piece_open(&p, f, left);
        if (status == IC_OK) status = follow_piece(f, &p, &fired, stopped);
        piece_close(&p);
        if (status == IC_OK && fired >= 0) {
            *happened = true;
            status = fire_guard(f, (size_t)fired, false);
        }
    }
    arb_clear(left);
    return status;
}

ic_status ic_ball_flow_next(ic_ball_flow *f, const arb_t t_end, bool *happened)
{
    arb_t t_event;
    bool stopped = false;
    *happened = false;
    if (mode_of(f)->mode->terminal) return IC_OK;
    arb_init(t_event);
    const int which = next_time_event(f, t_event);
    const bool event_first = which >= 0 && arb_lt(t_event, t_end);
    ic_status status =
        which == -2 ? IC_UNSUPPORTED : advance_before(f, event_first ? t_event : t_end, happened, &stopped);
    if (status == IC_OK && !*happened) {
        *happened = event_first;
        if (event_first) {
            const bool same_instant = f->kind == IC_EVENT_TIME && arb_equal(f->t, t_event);
            arb_swap(f->t, t_event);
            status = fire_time_event(f, which, same_instant);
        } else {
            arb_set(f->t, t_end);
        }
    }
    arb_clear(t_event);
    return status;
}

/* Places the flow at a state, n balls. */
static ic_status place(ic_ball_flow *f, arb_srcptr x, int mode)
{
    f->mode = mode;
    _arb_vec_set(f->z, x, f->system.n);
    ic_ball_anchor(f->z, &f->system, mode_of(f)->frequency, f->t);
    const ic_status status = skip_past_time_events(f);
    return status == IC_OK ? arm_guards(f, NULL) : status;
}

static ic_status start_flow(ic_ball_flow *f)
{
    const ic_problem *problem = f->system.problem;
    f->name = "start";
    f->chain = -1; /* The first event at the start is number 0 of its instant. */
    arb_set_d(f->t, problem->t_start);
    if (problem->x_start != NULL) {
        arb_ptr x = _arb_vec_init(f->system.n);
        for (slong i = 0; i < f->system.n; i++) arb_set_d(x + i, problem->x_start[i]);
        const ic_status status = place(f, x, problem->mode_start);
        _arb_vec_clear(x, f->system.n);
        return status;
    }
    ic_ball_anchor(f->z, &f->system, mode_of(f)->frequency, f->t);
    const ic_status status = apply_jump(f, &problem->variant->start, false);
    return status == IC_OK ? skip_past_time_events(f) : status;
}

ic_status ic_ball_flow_open(ic_ball_flow *f, const ic_problem *problem, slong prec)
{
    size_t most = 1;
    *f = (ic_ball_flow){.name = "start"};
    arb_init(f->t);
    if (!ic_ball_system_open(&f->system, problem, prec)) {
        snprintf(f->message, sizeof f->message, "%s", f->system.message);
        return IC_UNSUPPORTED;
    }
    for (size_t i = 0; i < f->system.n_modes; i++) {
        if (problem->variant->modes[i].n_guards > most) most = problem->variant->modes[i].n_guards;
    }
    f->z = _arb_vec_init(f->system.dim);
    f->before = _arb_vec_init(f->system.n);
    f->arming = calloc(most, sizeof *f->arming);
    f->next_occurrence = calloc(problem->variant->n_time_events + 1, sizeof *f->next_occurrence);
    if (f->arming == NULL || f->next_occurrence == NULL) return IC_NO_MEMORY;
    return start_flow(f);
}

void ic_ball_flow_close(ic_ball_flow *f)
{
    if (f->z != NULL) _arb_vec_clear(f->z, f->system.dim);
    if (f->before != NULL) _arb_vec_clear(f->before, f->system.n);
    free(f->arming);
    free(f->next_occurrence);
    arb_clear(f->t);
    ic_ball_system_close(&f->system);
}
