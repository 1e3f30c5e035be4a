/* SPDX-License-Identifier: MIT */
#include "reference/flow/certify.h"
#include "reference/deadline.h"
#include "reference/flow/flow_extremes.h"
#include "reference/flow/flow_parts.h"
#include "reference/flow/flow_tie.h"
#include "reference/flow/linear_formulas.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_DIGITS 15
#define DEFAULT_MAX_PRECISION 16384
#define DEFAULT_MAX_EVENTS 100000
enum {
    /* Bits in addition to the requested digits in the first attempt: the loss of a typical sequence of events. */
    FIRST_SPARE_BITS = 56,

    /* Bits by which the limit of an accumulation is narrower than requested, in the first attempt. */
    LIMIT_BITS = 8,

    /* Digits of a limit, so that the rounds before it are short enough for a judge. */
    LEAST_LIMIT_DIGITS = 12,

    /* Bits that may still be lost after the event that is too wide. */
    EXCESS_BITS = 32,

    /* Attempts with more bits that come no further; each has at least twice as many as the one before it. */
    MOST_IN_VAIN = 2,

    WATCH_EVERY = 16,
    SHRINKING = 6,
    GUARDS_IN_TURN = 4
};

/* Sets are wide where this part of the bits is lost. */
#define WIDE 0.5
/* Radii fall by at least this part of the bits that are added: at a multiple root, by half or a third. */
#define LEAST_GAIN 0.125
/* With more bits, an attempt whose sets become wide reaches a time that is later by this part of the run. */
#define LEAST_ADVANCE 0.01

/* ---- the certificate */

static ic_ball_event *add_event(ic_certificate *c)
{
    if (c->count == c->capacity) {
        const size_t capacity = c->capacity == 0 ? 32 : 2 * c->capacity;
        ic_ball_event *events = realloc(c->events, capacity * sizeof *events);
        if (events == NULL) return NULL;
        c->events = events;
        c->capacity = capacity;
    }
    ic_ball_event *event = &c->events[c->count++];
    *event = (ic_ball_event){0};
    arb_init(event->t);
    event->before = _arb_vec_init(c->n);
    event->after = _arb_vec_init(c->n);
    return event;
}

static void clear_events(ic_certificate *c)
{
    for (size_t i = 0; i < c->count; i++) {
        arb_clear(c->events[i].t);
        _arb_vec_clear(c->events[i].before, c->n);
        _arb_vec_clear(c->events[i].after, c->n);
    }
    c->count = 0;
}

void ic_certificate_clear(ic_certificate *c)
{
    clear_events(c);
    free(c->events);
    arb_clear(c->t);
    _arb_vec_clear(c->x, c->n);
    _arb_vec_clear(c->start, c->n);
    ic_flow_extremes_free(c->extremes, c->n_extremes);
    *c = (ic_certificate){0};
}

/* ---- accumulation: events of guards in turn whose rounds shrink geometrically below the digits */

static double interval_between(const ic_ball_event *from, const ic_ball_event *to)
{
    IC_BALLS(difference);
    arb_sub(difference, to->t, from->t, 64);
    return arf_get_d(arb_midref(difference), ARF_RND_NEAR);
}

/*
 * Whether the same `n` guards fired in turn, in shrinking rounds, of which the last is shorter than
 * `least`.
 */
static bool rounds_shrink(const ic_certificate *c, size_t n, double least)
{
    double before = INFINITY, interval = INFINITY;
    if (c->count < SHRINKING * n) return false;
    for (size_t i = c->count - (SHRINKING - 1) * n; i < c->count; i++) {
        if (c->events[i].name != c->events[i - n].name) return false;
        interval = interval_between(&c->events[i - n], &c->events[i]);
        if (!(interval < before) || (n > 1 && !(interval > 0))) return false;
        before = interval;
    }
    return interval < least;
}

static bool events_accumulate(const ic_certificate *c, double least)
{
    for (size_t n = 1; n <= GUARDS_IN_TURN; n++) {
        if (rounds_shrink(c, n, least)) return true;
    }
    return false;
}

/* ---- one run at one precision */

enum { MESSAGE = sizeof((ic_flow *)0)->message };

/* A typical magnitude that the case states; 1 where it states none, or 0. */
static double flow_scale(ic_flow *f, const char *text)
{
    double scale = 1;
    IC_BALLS(value);
    if (text != NULL && ic_flow_number(value, f, text, NULL)) {
        const double stated = arf_get_d(arb_midref(value), ARF_RND_NEAR);
        if (stated > 0 && isfinite(stated)) scale = stated;
    }
    return scale;
}

/* The state and, after it, the time: n + 1 balls. */
static arb_srcptr flow_time(const ic_flow *f)
{
    return f->now + f->n;
}

/* A guard of the present mode that is zero by theorem; -1: none is, or the run is over. */
static int zero_guard(const ic_flow *f)
{
    const ic_mode *mode = ic_flow_mode(f);
    for (size_t i = 0; i < mode->n_guards && !mode->terminal; i++) {
        if (f->guards[i].zero) return (int)i;
    }
    return -1;
}

static bool record_event(ic_certificate *c, const ic_flow *f)
{
    ic_ball_event *event = add_event(c);
    if (event == NULL) return false;
    event->kind = f->kind;
    event->name = f->name;
    event->mode_from = f->mode_from;
    event->mode_to = f->mode;
    event->sequence = f->chain;
    event->zero_before = f->kind == IC_EVENT_GUARD ? (int)f->fired_number : -1;
    event->zero_after = zero_guard(f);
    arb_set(event->t, flow_time(f));
    _arb_vec_set(event->before, f->before, c->n);
    _arb_vec_set(event->after, f->now, c->n);
    return true;
}

/* One run at one precision. */
typedef struct attempt {
    ic_flow flow;
    const ic_problem *problem;
    const ic_certify_options *options;
    arb_t t_end;

    /* typical time, and states */
    double time_scale, *scales;

    /* of the present run, or NULL */
    FILE *proof;

    /* bits by which the worst radius exceeds what was asked for; <= 0: none does */
    double excess;

    /* bits by which limits of accumulations are to be narrower, as earlier attempts have shown */
    double lacking;

    /* part of the run that was reached */
    double reached;

    /* whether most bits had been lost there, where a sign was not decided */
    bool wide;
} attempt;

/* Bits by which a radius exceeds 10^-digits scale; <= 0: narrow enough. */
static double excess_bits(const arb_t ball, double scale, long digits)
{
    if (mag_is_zero(arb_radref(ball))) return -INFINITY;
    if (mag_is_inf(arb_radref(ball))) return INFINITY;
    return mag_get_d_log2_approx(arb_radref(ball)) - log2(scale) + (double)digits * log2(10);
}

static double excess_of_event(const ic_certificate *c, const attempt *a, const ic_ball_event *event)
{
    const long digits = a->options->digits;
    double worst = excess_bits(event->t, a->time_scale, digits);
    for (slong k = 0; k < c->n; k++) {
        worst = fmax(worst, excess_bits(event->before + k, a->scales[k], digits));
        worst = fmax(worst, excess_bits(event->after + k, a->scales[k], digits));
    }
    return worst;
}

/* Takes in an event that the flow has followed. */
static ic_status take_event(ic_certificate *c, attempt *a)
{
    ic_flow *f = &a->flow;
    const ic_certify_options *options = a->options;
    const ic_flow_witness *witness = options->witness;
    const ic_status judged = witness == NULL ? IC_OK : witness->event(witness->context, f);
    if (judged != IC_OK) return judged;
    if (!record_event(c, f)) return IC_NO_MEMORY;
    /* the event is proved, but wider than was asked for: what follows is not better */
    a->excess = fmax(a->excess, excess_of_event(c, a, &c->events[c->count - 1]));
    if (a->excess > 0 && c->precision < options->max_precision) return IC_UNDECIDED;
    if (options->watch != NULL && c->count % WATCH_EVERY == 0) {
        options->watch(arf_get_d(arb_midref(flow_time(f)), ARF_RND_NEAR), c->count, options->context);
    }
    if (c->count < options->max_events) return IC_OK;
    snprintf(f->message, MESSAGE, "more than %zu events", options->max_events);
    return IC_TOO_MUCH_WORK;
}

/* Whether a limit is as narrow as what follows it requires, or nearly as the present state. */
static bool is_narrow(const attempt *a, arb_srcptr limit)
{
    const ic_flow *f = &a->flow;
    const long digits = FLINT_MAX(a->options->digits, LEAST_LIMIT_DIGITS);
    const double bits = LIMIT_BITS + a->lacking;
    bool narrow = true;
    for (slong v = 0; v <= f->n && narrow; v++) {
        const double scale = v == f->n ? a->time_scale : a->scales[v];
        const double width = excess_bits(limit + v, scale, digits);
        narrow = width + bits <= 0 || width <= excess_bits(f->now + v, scale, digits) + 1;
    }
    return narrow;
}

/* Where rounds shrink: goes on to their limit once it is narrow, if it is proved and a jump is defined there. */
static ic_status follow_accumulation(ic_certificate *c, attempt *a)
{
    ic_flow *f = &a->flow;
    ic_status status = IC_OK;
    IC_BALL_VECTOR(limit, 2 * (f->n + 1));
    const bool proved = rounds_shrink(c, 1, INFINITY) && ic_flow_enclose_limit(limit, f);
    if (proved && is_narrow(a, limit)) {
        status = ic_flow_take_limit(f, limit);
        if (status == IC_OK) status = take_event(c, a);
    } else if (!proved && events_accumulate(c, a->time_scale * pow(10, -(double)a->options->digits))) {
        char *t = arb_get_str(flow_time(f), 12, ARB_STR_NO_RADIUS);
        snprintf(f->message, MESSAGE, "events of '%.80s' accumulate just after t = %s",
                 c->events[c->count - 1].name, t);
        flint_free(t);
        status = IC_ZENO;
    }
    return status;
}

static ic_status follow_events(ic_certificate *c, attempt *a, const arb_t until)
{
    for (;;) {
        bool happened = false;
        ic_status status = ic_flow_next(&a->flow, until, &happened);
        if (status != IC_OK || !happened) return status;
        status = take_event(c, a);
        if (status == IC_OK) status = follow_accumulation(c, a);
        if (status != IC_OK) return status;
    }
}

static void take_state(ic_certificate *c, const ic_flow *f)
{
    arb_set(c->t, flow_time(f));
    _arb_vec_set(c->x, f->now, c->n);
    c->mode = f->mode;
}

static ic_status follow_to_end(ic_certificate *c, attempt *a)
{
    const ic_certify_options *options = a->options;
    ic_status status = IC_OK;
    IC_BALLS(until);
    for (size_t i = 0; i < options->n_times && status == IC_OK; i++) {
        arb_set_d(until, options->times[i]);
        status = follow_events(c, a, until);
        if (status != IC_OK) break;
        take_state(c, &a->flow);
        options->at_time(i, c, options->context);
    }
    if (status == IC_OK) status = follow_events(c, a, a->t_end);
    const ic_flow_witness *witness = options->witness;
    return status == IC_OK && witness != NULL ? witness->end(witness->context, &a->flow, a->t_end) : status;
}

/* Encloses the end of the run. */
static bool enclose_end(attempt *a)
{
    if (a->problem->t_end_text != NULL) return ic_flow_number(a->t_end, &a->flow, a->problem->t_end_text, NULL);
    arb_set_d(a->t_end, a->problem->t_end);
    return true;
}

static bool find_scales(attempt *a)
{
    const ic_case *system = a->problem->system;
    a->time_scale = flow_scale(&a->flow, ic_flow_time_scale(a->problem));
    a->scales = malloc((system->n_states + 1) * sizeof *a->scales);
    for (size_t k = 0; k < system->n_states && a->scales != NULL; k++)
        a->scales[k] = flow_scale(&a->flow, system->states[k].scale);
    return a->scales != NULL;
}

/* ---- precision */

/* The worst bits by which a state exceeds 10^-digits of its scale. */
static double excess_of_states(const ic_certificate *c, const attempt *a, long digits)
{
    double worst = -INFINITY;
    for (slong k = 0; k < c->n; k++) worst = fmax(worst, excess_bits(c->x + k, a->scales[k], digits));
    return worst;
}

static double reached_part(const ic_certificate *c, const attempt *a)
{
    const double reached = arf_get_d(arb_midref(c->t), ARF_RND_NEAR) - a->problem->t_start;
    const double whole = arf_get_d(arb_midref(a->t_end), ARF_RND_NEAR) - a->problem->t_start;
    return whole > 0 ? reached / whole : 0;
}

/*
 * Precision of the next attempt; 0: the result is sufficient, or more bits would not help. Notes how far this
 * one has come.
 */
static slong next_precision(const ic_certificate *c, attempt *a)
{
    const double bits = (double)c->precision;
    const bool undecided = c->status == IC_UNDECIDED;
    double excess = a->excess;
    a->reached = reached_part(c, a);
    if (c->status == IC_TOO_MUCH_WORK || c->status == IC_CONTRADICTED) return 0;
    if (undecided && a->flow.has_no_root) return 0;
    if (excess <= 0 && undecided) {
        if (a->flow.ties_at_end) return FLINT_MAX(2 * c->precision, IC_FLOW_TIE_BITS);
        /* the set is narrow: what could not be decided is a touch or a tie, or nearly one */
        a->wide = bits + excess_of_states(c, a, 0) > WIDE * bits;
        if (!a->wide) return 2 * c->precision;
        /* bits were lost on the way to c->t: the precision grows with the remaining part of the run */
        const double factor = a->reached > 0 ? fmin(8, fmax(1.5, 1.1 / a->reached)) : 2;
        return (slong)(bits * factor) + FIRST_SPARE_BITS;
    }
    excess = fmax(excess, excess_of_states(c, a, a->options->digits));
    if (!(excess > 0)) return 0;
    a->lacking = fmax(a->lacking, fmin(excess, bits));
    a->excess = excess;
    /* bits are lost from event to event, and an attempt ends where too many are lost */
    if (undecided) excess += EXCESS_BITS;
    return c->precision + (slong)fmin(excess, bits) + 16;
}

static slong run_at_precision(ic_certificate *c, attempt *a, slong precision)
{
    ic_flow *f = &a->flow;
    const ic_flow_options options = {.extremes = c->extremes,
                                     .n_extremes = c->n_extremes,
                                     .witness = a->options->witness,
                                     .proof = a->proof,
                                     .digits = a->options->digits};
    slong next = 0;
    arb_init(a->t_end);
    clear_events(c);
    c->reason[0] = '\0';
    c->precision = precision;
    a->excess = -INFINITY;
    a->wide = false;
    c->status = ic_flow_open(f, a->problem, precision, &options);
    const bool started = c->status == IC_OK;
    if (started) _arb_vec_set(c->start, f->now, c->n);
    c->mode_at_start = f->mode;
    if (c->status == IC_OK && !enclose_end(a)) c->status = IC_INVALID;
    if (c->status == IC_OK && !find_scales(a)) c->status = IC_NO_MEMORY;
    const ic_flow_witness *witness = a->options->witness;
    if (c->status == IC_OK && witness != NULL) c->status = witness->begin(witness->context, f);
    if (c->status == IC_OK) c->status = follow_to_end(c, a);
    /* no step has followed the last jump */
    if (started && (f->steps == 0 || (c->count > 0 && arb_equal(flow_time(f), c->events[c->count - 1].t))))
        ic_flow_extremes_take_last(f);
    take_state(c, f);
    if (!started) c->mode = -1;
    c->steps += (size_t)f->steps;
    if (a->scales != NULL) next = next_precision(c, a);
    if (c->status != IC_OK) {
        snprintf(c->reason, sizeof c->reason, "%s",
                 f->message[0] != '\0' ? f->message : ic_status_text(c->status));
    }
    ic_flow_close(f);
    free(a->scales);
    a->scales = NULL;
    arb_clear(a->t_end);
    return next;
}

/* One run, of which the proof, if one is wanted, takes the place of the last one. */
static slong run_with_proof(ic_certificate *c, attempt *a, slong precision, char **proof)
{
    size_t size = 0;
    ic_flow_extremes_reset(c->extremes, c->n_extremes);
    free(*proof);
    *proof = NULL;
    a->proof = a->options->proof == NULL ? NULL : open_memstream(proof, &size);
    if (a->options->proof != NULL && a->proof == NULL) {
        c->status = IC_NO_MEMORY;
        snprintf(c->reason, sizeof c->reason, "%s", ic_status_text(c->status));
        return 0;
    }
    const slong next = run_at_precision(c, a, precision);
    if (a->proof != NULL && (fclose(a->proof) != 0 || *proof == NULL)) c->status = IC_NO_MEMORY;
    return next;
}

/* How far attempts have come, and why one that decided no more was not the last: what was undecided there first. */
typedef struct progress {
    size_t events;
    double reached, excess;
    slong precision;
    int in_vain;
    char reason[sizeof((ic_certificate *)0)->reason];
} progress;

/*
 * Whether an attempt has come further than the last one with fewer bits: to more events; where bits had been
 * lost, to a later time; or to radii that are smaller by a part of the bits.
 */
static bool came_further(const progress *p, const ic_certificate *c, const attempt *a)
{
    const double gained = (double)(c->precision - p->precision);
    if (p->precision == 0 || c->count > p->events) return true;
    if (a->excess > 0 && p->excess > 0) return a->excess < p->excess - LEAST_GAIN * gained;
    return a->wide && a->reached > p->reached + LEAST_ADVANCE;
}

/* States why the last attempt was the last. */
static void explain_end(ic_certificate *c, const progress *p, slong next)
{
    if (c->status == IC_UNDECIDED && p->in_vain > 0) snprintf(c->reason, sizeof c->reason, "%s", p->reason);
    if (c->status == IC_TOO_MUCH_WORK && p->precision > 0 && p->reason[0] != '\0') {
        char reason[sizeof c->reason];
        snprintf(reason, sizeof reason, "%.60s; undecided with %ld bits: %.200s", c->reason, (long)p->precision,
                 p->reason);
        snprintf(c->reason, sizeof c->reason, "%s", reason);
    }
    if (next == 0 || (c->status != IC_OK && p->excess <= 0)) return;
    if (c->status != IC_OK && c->status != IC_UNDECIDED) return;
    c->status = IC_UNDECIDED;
    snprintf(c->reason, sizeof c->reason, "the requested digits were not reached with %ld bits%s",
             (long)c->precision,
             p->in_vain > 0 ? ", and more gain nothing here; fewer digits may lead further" : "");
}

/* An answer without contents, beside another one. */
static ic_certificate empty_beside(const ic_certificate *c)
{
    ic_certificate empty = {.n = c->n, .n_extremes = c->n_extremes, .mode = -1};
    arb_init(empty.t);
    empty.x = _arb_vec_init(c->n);
    empty.start = _arb_vec_init(c->n);
    empty.extremes = c->extremes == NULL ? NULL : ic_flow_extremes_new(c->n_extremes);
    return empty;
}

static bool reaches_further(const ic_certificate *a, const ic_certificate *b)
{
    return a->mode >= 0 && (b->mode < 0 || arb_gt(a->t, b->t));
}

/* Exchanges two answers, but not the number of steps of all attempts, which `c` counts. */
static void exchange(ic_certificate *c, ic_certificate *other)
{
    const ic_certificate last = *c;
    *c = *other;
    *other = last;
    c->steps = last.steps;
}

/* An attempt that failed may have less than an earlier one with fewer bits: what that has proved is the answer. */
static void use_furthest(ic_certificate *c, ic_certificate *furthest)
{
    if (c->status == IC_OK || !reaches_further(furthest, c)) return;
    furthest->status = c->status;
    snprintf(furthest->reason, sizeof furthest->reason, "%s", c->reason);
    exchange(c, furthest);
}

/* Raises the precision until the digits are reached, or more bits would not help. */
static void raise_precision(ic_certificate *c, attempt *a)
{
    const slong most = a->options->max_precision;
    const slong spare = FIRST_SPARE_BITS + a->options->spare_bits;
    slong precision = FLINT_MIN(most, spare + (slong)(3.33 * (double)a->options->digits)), next = 1;
    progress p = {.excess = -INFINITY};
    char *proof = NULL;
    ic_certificate furthest = empty_beside(c);
    for (;;) {
        next = run_with_proof(c, a, precision, &proof);
        if (c->status == IC_TOO_MUCH_WORK || c->status == IC_UNSUPPORTED || c->status == IC_CONTRADICTED) break;
        const bool further = came_further(&p, c, a);
        p.in_vain = further ? 0 : p.in_vain + 1;
        if (further) snprintf(p.reason, sizeof p.reason, "%s", c->reason);
        p.events = c->count;
        p.reached = a->reached;
        p.excess = a->excess;
        p.precision = c->precision;
        if (next == 0 || precision >= most || p.in_vain == MOST_IN_VAIN) break;
        precision = FLINT_MIN(most, next);
        if (!reaches_further(&furthest, c)) exchange(c, &furthest);
    }
    explain_end(c, &p, next);
    use_furthest(c, &furthest);
    ic_certificate_clear(&furthest);
    if (c->status == IC_OK && proof != NULL) fputs(proof, a->options->proof);
    free(proof);
}

void ic_certify(ic_certificate *c, const ic_problem *problem, const ic_certify_options *options)
{
    ic_linear_formulas formulas;
    ic_certify_options with_defaults = *options;
    if (with_defaults.digits <= 0) with_defaults.digits = DEFAULT_DIGITS;
    if (with_defaults.max_precision <= 0) with_defaults.max_precision = DEFAULT_MAX_PRECISION;
    if (with_defaults.max_events == 0) with_defaults.max_events = DEFAULT_MAX_EVENTS;
    *c = (ic_certificate){.n = (slong)problem->system->n_states, .mode = -1};
    arb_init(c->t);
    c->x = _arb_vec_init(c->n);
    c->start = _arb_vec_init(c->n);
    attempt a = {.problem = &formulas.problem, .options = &with_defaults};
    c->n_extremes = options->extremes ? ic_flow_extremes_count(problem) : 0;
    c->extremes = options->extremes ? ic_flow_extremes_new(c->n_extremes) : NULL;
    ic_deadline_after(options->time_limit);
    if (ic_linear_formulas_open(&formulas, problem)) {
        raise_precision(c, &a);
    } else {
        c->status = IC_UNSUPPORTED;
        snprintf(c->reason, sizeof c->reason, "%s", formulas.message);
    }
    ic_deadline_after(0);
    ic_linear_formulas_close(&formulas);
}

/* ---- outputs and text */

bool ic_certified_output(arb_t value, const ic_problem *problem, const ic_output *output, int mode,
                         const arb_t t, arb_srcptr x, slong precision)
{
    const size_t number = (size_t)(output - problem->system->outputs);
    ic_linear_formulas formulas;
    if (problem->variant->modes[mode].quantities != NULL)
        return ic_flow_output(value, problem, number, mode, t, x, precision);
    const bool good = ic_linear_formulas_open(&formulas, problem) &&
                      ic_flow_output(value, &formulas.problem, number, mode, t, x, precision);
    ic_linear_formulas_close(&formulas);
    return good;
}

bool ic_ball_decimal(char **value, char **radius, const arb_t ball, long digits)
{
    IC_BALLS(centre, rest);
    arb_get_mid_arb(centre, ball);
    char *text = arb_get_str(centre, digits, ARB_STR_NO_RADIUS);
    const slong precision = arb_bits(ball) + 64 + 4 * digits;
    arb_set_str(rest, text, precision);
    arb_sub(rest, ball, rest, precision);
    IC_FLOATS(upper);
    arb_get_abs_ubound_arf(upper, rest, 53);
    char buffer[64] = "0";
    if (!arf_is_zero(upper)) {
        /* Two digits, rounded up, as text: exponents may lie below the range of double. */
        arb_set_arf(rest, upper);
        char *digits_text = arb_get_str(rest, 3, ARB_STR_NO_RADIUS);
        IC_BALLS(printed, factor);
        arb_set_str(printed, digits_text, 128);
        arb_set_d(factor, 1.01);
        arb_mul(printed, printed, factor, 128);
        flint_free(digits_text);
        digits_text = arb_get_str(printed, 3, ARB_STR_NO_RADIUS);
        snprintf(buffer, sizeof buffer, "%s", digits_text);
        flint_free(digits_text);
    }
    *value = strdup(text);
    *radius = strdup(buffer);
    flint_free(text);
    return *value != NULL && *radius != NULL;
}
