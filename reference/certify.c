/* SPDX-License-Identifier: MIT */
#include "reference/certify.h"
#include "reference/ball_flow.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_DIGITS 15
#define DEFAULT_MAX_PRECISION 16384
#define DEFAULT_MAX_EVENTS 100000
/*
 * Bits in addition to the requested digits in the first attempt: the loss of a typical sequence of
 * events.
 */
enum { FIRST_SPARE_BITS = 96, WATCH_EVERY = 16, SHRINKING = 6, GUARDS_IN_TURN = 4 };

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
    *c = (ic_certificate){0};
}

/* ---- accumulation: events of guards in turn whose rounds shrink geometrically below the digits */

static double interval_between(const ic_ball_event *from, const ic_ball_event *to)
{
    arb_t difference;
    arb_init(difference);
    arb_sub(difference, to->t, from->t, 64);
    const double interval = arf_get_d(arb_midref(difference), ARF_RND_NEAR);
    arb_clear(difference);
    return interval;
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

static bool record_event(ic_certificate *c, const ic_ball_flow *f)
{
    ic_ball_event *event = add_event(c);
    if (event == NULL) return false;
    event->kind = f->kind;
    event->name = f->name;
    event->mode_from = f->mode_from;
    event->mode_to = f->mode;
    event->sequence = f->chain;
    arb_set(event->t, f->t);
    _arb_vec_set(event->before, f->before, c->n);
    _arb_vec_set(event->after, f->z, c->n);
    return true;
}

static ic_status follow_events(ic_certificate *c, ic_ball_flow *f, const arb_t t_end,
                               const ic_certify_options *options, double least_interval)
{
    for (;;) {
        bool happened = false;
        const ic_status status = ic_ball_flow_next(f, t_end, &happened);
        if (status != IC_OK || !happened) return status;
        if (!record_event(c, f)) return IC_NO_MEMORY;
        if (options->watch != NULL && c->count % WATCH_EVERY == 0) {
            options->watch(arf_get_d(arb_midref(f->t), ARF_RND_NEAR), c->count, options->context);
        }
        if (c->count >= options->max_events) {
            snprintf(f->message, sizeof f->message, "more than %zu events", options->max_events);
            return IC_TOO_MUCH_WORK;
        }
        if (events_accumulate(c, least_interval)) {
            char *t = arb_get_str(f->t, 12, ARB_STR_NO_RADIUS);
            snprintf(f->message, sizeof f->message, "events of '%.80s' accumulate just after t = %s", f->name,
                     t);
            flint_free(t);
            return IC_ZENO;
        }
    }
}

/* Encloses the end of the run. */
static bool enclose_end(arb_t t_end, ic_ball_flow *f)
{
    const ic_problem *problem = f->system.problem;
    if (problem->t_end_text != NULL) return ic_ball_system_number(t_end, &f->system, problem->t_end_text, NULL);
    arb_set_d(t_end, problem->t_end);
    return true;
}

/* Bits by which a radius exceeds 10^-digits scale; <= 0: narrow enough. */
static double excess_bits(const arb_t ball, double scale, long digits)
{
    if (mag_is_zero(arb_radref(ball))) return -INFINITY;
    if (mag_is_inf(arb_radref(ball))) return INFINITY;
    return mag_get_d_log2_approx(arb_radref(ball)) - log2(scale) + (double)digits * log2(10);
}

static double worst_excess(const ic_certificate *c, ic_ball_flow *f, long digits)
{
    const ic_case *system = f->system.problem->system;
    const double time_scale = ic_ball_system_scale(&f->system, system->time_scale);
    double worst = -INFINITY;
    for (size_t i = 0; i < c->count; i++) worst = fmax(worst, excess_bits(c->events[i].t, time_scale, digits));
    for (slong k = 0; k < c->n; k++) {
        const double scale = ic_ball_system_scale(&f->system, system->states[k].scale);
        worst = fmax(worst, excess_bits(c->x + k, scale, digits));
        for (size_t i = 0; i < c->count; i++) {
            worst = fmax(worst, excess_bits(c->events[i].before + k, scale, digits));
            worst = fmax(worst, excess_bits(c->events[i].after + k, scale, digits));
        }
    }
    return worst;
}

/* Precision of the next attempt; 0: the result is sufficient, or more bits would not help. */
static slong next_precision(const ic_certificate *c, ic_ball_flow *f, const arb_t t_end, long digits)
{
    if (c->status == IC_UNDECIDED) {
        /* All bits were lost on the way to c->t: the precision grows with the remaining part of the
           run. */
        const double reached = arf_get_d(arb_midref(c->t), ARF_RND_NEAR) - f->system.problem->t_start;
        const double whole = arf_get_d(arb_midref(t_end), ARF_RND_NEAR) - f->system.problem->t_start;
        const double factor = reached > 0 ? fmin(8, fmax(1.5, 1.1 * whole / reached)) : 2;
        return (slong)((double)c->precision * factor) + FIRST_SPARE_BITS;
    }
    const double excess = worst_excess(c, f, digits);
    return excess > 0 ? c->precision + (slong)fmin(excess, (double)c->precision) + 16 : 0;
}

static slong run_at_precision(ic_certificate *c, const ic_problem *problem, const ic_certify_options *options,
                              slong precision)
{
    ic_ball_flow f;
    arb_t t_end;
    slong next = 0;
    arb_init(t_end);
    clear_events(c);
    c->reason[0] = '\0';
    c->precision = precision;
    c->status = ic_ball_flow_open(&f, problem, precision, false);
    const bool started = c->status == IC_OK;
    if (c->status == IC_OK && !enclose_end(t_end, &f)) c->status = IC_INVALID;
    if (c->status == IC_OK) {
        const double least =
            ic_ball_system_scale(&f.system, problem->system->time_scale) * pow(10, -(double)options->digits);
        c->status = follow_events(c, &f, t_end, options, least);
    }
    if (f.z != NULL) {
        arb_set(c->t, f.t);
        _arb_vec_set(c->x, f.z, c->n);
        c->mode = started ? f.mode : -1;
        next = next_precision(c, &f, t_end, options->digits);
    }
    if (c->status != IC_OK) {
        snprintf(c->reason, sizeof c->reason, "%s",
                 f.message[0] != '\0' ? f.message : ic_status_text(c->status));
    }
    ic_ball_flow_close(&f);
    arb_clear(t_end);
    return next;
}

void ic_certify(ic_certificate *c, const ic_problem *problem, const ic_certify_options *options)
{
    ic_certify_options with_defaults = *options;
    if (with_defaults.digits <= 0) with_defaults.digits = DEFAULT_DIGITS;
    if (with_defaults.max_precision <= 0) with_defaults.max_precision = DEFAULT_MAX_PRECISION;
    if (with_defaults.max_events == 0) with_defaults.max_events = DEFAULT_MAX_EVENTS;
    *c = (ic_certificate){.n = (slong)problem->system->n_states};
    arb_init(c->t);
    c->x = _arb_vec_init(c->n);
    slong precision = FIRST_SPARE_BITS + (slong)(3.33 * (double)with_defaults.digits);
    if (precision > with_defaults.max_precision) precision = with_defaults.max_precision;
    for (;;) {
        const slong next = run_at_precision(c, problem, &with_defaults, precision);
        if (next == 0) return;
        if (precision >= with_defaults.max_precision) break;
        precision = next < with_defaults.max_precision ? next : with_defaults.max_precision;
    }
    if (c->status == IC_OK) {
        c->status = IC_UNDECIDED;
        snprintf(c->reason, sizeof c->reason, "the requested digits were not reached with %ld bits",
                 (long)precision);
    }
}

/* ---- outputs and text */

bool ic_certified_output(arb_t value, const ic_problem *problem, const ic_output *output, int mode,
                         const arb_t t, arb_srcptr x, slong precision)
{
    ic_ball_system system;
    bool good = false;
    if (output->linear == NULL || output->linear[mode] == NULL) return false;
    if (ic_ball_system_open(&system, problem, precision)) {
        ic_ball_row row = ic_ball_system_row(&system, output->linear[mode], true);
        if (row != NULL) {
            arb_ptr z = _arb_vec_init(system.dim);
            _arb_vec_set(z, x, system.n);
            ic_ball_anchor(z, &system, row + system.n + 3, t);
            ic_ball_row_value(value, &system, row, z);
            _arb_vec_clear(z, system.dim);
            ic_ball_row_clear(&system, row);
            good = true;
        }
    }
    ic_ball_system_close(&system);
    return good;
}

bool ic_ball_decimal(char **value, char **radius, const arb_t ball, long digits)
{
    arb_t centre, rest;
    arb_init(centre);
    arb_init(rest);
    arb_get_mid_arb(centre, ball);
    char *text = arb_get_str(centre, digits, ARB_STR_NO_RADIUS);
    const slong precision = arb_bits(ball) + 64 + 4 * digits;
    arb_set_str(rest, text, precision);
    arb_sub(rest, ball, rest, precision);
    arf_t upper;
    arf_init(upper);
    arb_get_abs_ubound_arf(upper, rest, 53);
    char buffer[64] = "0";
    if (!arf_is_zero(upper)) {
        /* Two digits, rounded up, as text: exponents may lie below the range of double. */
        arb_set_arf(rest, upper);
        char *digits_text = arb_get_str(rest, 3, ARB_STR_NO_RADIUS);
        arb_t printed, factor;
        arb_init(printed);
        arb_init(factor);
        arb_set_str(printed, digits_text, 128);
        arb_set_d(factor, 1.01);
        arb_mul(printed, printed, factor, 128);
        flint_free(digits_text);
        digits_text = arb_get_str(printed, 3, ARB_STR_NO_RADIUS);
        snprintf(buffer, sizeof buffer, "%s", digits_text);
        flint_free(digits_text);
        arb_clear(printed);
        arb_clear(factor);
    }
    *value = strdup(text);
    *radius = strdup(buffer);
    flint_free(text);
    arf_clear(upper);
    arb_clear(centre);
    arb_clear(rest);
    return *value != NULL && *radius != NULL;
}
