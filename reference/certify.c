/* SPDX-License-Identifier: MIT */
#include "reference/certify.h"
#include "reference/ball_flow.h"
#include "reference/flow_extremes.h"
#include "reference/flow_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define DEFAULT_DIGITS 15
#define DEFAULT_MAX_PRECISION 16384
#define DEFAULT_MAX_EVENTS 100000
/*
 * Bits in addition to the requested digits in the first attempt: the loss of a typical sequence of
 * events; sets of the general flow lose less.
 */
enum {
    FIRST_SPARE_BITS = 96,
    FIRST_SPARE_BITS_OF_SETS = 56,
    WATCH_EVERY = 16,
    SHRINKING = 6,
    GUARDS_IN_TURN = 4,

    /* Bits that may still be lost after the event that is too wide. */
    EXCESS_BITS = 32
};

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
    ic_flow_extremes_free(c->extremes, c->n_extremes);
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

/* ---- flows: affine ones by the exponential of a matrix, others by Taylor series with proven remainders */

typedef struct any_flow {
    bool affine;
    ic_ball_flow ball;
    ic_flow general;
} any_flow;

/* Whether all formulas are given as operations. */
static bool has_formulas(const ic_problem *problem)
{
    const ic_variant *variant = problem->variant;
    bool known = variant->start.equations != NULL;
    for (size_t i = 0; i < variant->n_modes && known; i++) known = variant->modes[i].equations != NULL;
    return known;
}

static bool is_affine(const ic_problem *problem)
{
    const ic_variant *variant = problem->variant;
    bool affine = variant->start.linear;
    for (size_t i = 0; i < variant->n_modes && affine; i++) {
        const ic_mode *mode = &variant->modes[i];
        affine = mode->linear != NULL;
        for (size_t k = 0; k < mode->n_guards && affine; k++)
            affine = mode->guards[k].linear != NULL && mode->guards[k].jump.linear;
    }
    return affine;
}

static void flow_close(any_flow *f)
{
    if (f->affine) ic_ball_flow_close(&f->ball);
    else ic_flow_close(&f->general);
}

static ic_status flow_next(any_flow *f, const arb_t t_end, bool *happened)
{
    return f->affine ? ic_ball_flow_next(&f->ball, t_end, happened)
                     : ic_flow_next(&f->general, t_end, happened);
}

static arb_srcptr flow_time(const any_flow *f)
{
    return f->affine ? f->ball.t : f->general.now + f->general.n;
}

/* The present state, n balls; NULL: there is none. */
static arb_srcptr flow_state(const any_flow *f)
{
    return f->affine ? f->ball.z : f->general.now;
}

static char *flow_message(any_flow *f)
{
    return f->affine ? f->ball.message : f->general.message;
}

enum { MESSAGE = sizeof((ic_flow *)0)->message };
_Static_assert(MESSAGE == sizeof((ic_ball_flow *)0)->message, "both flows have messages of one size");

/* Encloses a number that the case states. */
static bool flow_number(arb_t value, any_flow *f, const char *text)
{
    return f->affine ? ic_ball_system_number(value, &f->ball.system, text, NULL)
                     : ic_flow_number(value, &f->general, text, NULL);
}

/* A typical magnitude that the case states; 1 where it states none, or 0. */
static double flow_scale(any_flow *f, const char *text)
{
    double scale = 1;
    arb_t value;
    arb_init(value);
    if (text != NULL && flow_number(value, f, text)) {
        const double stated = arf_get_d(arb_midref(value), ARF_RND_NEAR);
        if (stated > 0 && isfinite(stated)) scale = stated;
    }
    arb_clear(value);
    return scale;
}

/* ---- one run at one precision */

static bool record_event(ic_certificate *c, const any_flow *f)
{
    ic_ball_event *event = add_event(c);
    if (event == NULL) return false;
    event->kind = f->affine ? f->ball.kind : f->general.kind;
    event->name = f->affine ? f->ball.name : f->general.name;
    event->mode_from = f->affine ? f->ball.mode_from : f->general.mode_from;
    event->mode_to = f->affine ? f->ball.mode : f->general.mode;
    event->sequence = f->affine ? f->ball.chain : f->general.chain;
    arb_set(event->t, flow_time(f));
    _arb_vec_set(event->before, f->affine ? f->ball.before : f->general.before, c->n);
    _arb_vec_set(event->after, flow_state(f), c->n);
    return true;
}

static double processor_time(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* One run at one precision. */
typedef struct attempt {
    any_flow flow;
    const ic_problem *problem;
    const ic_certify_options *options;
    arb_t t_end;

    /* typical time, and states */
    double time_scale, *scales;

    /* processor time at which to give up; 0: none */
    double deadline;

    /* of the present run, or NULL */
    FILE *proof;

    /* bits by which the worst radius of an event exceeds what was asked for; <= 0: none does */
    double excess;
} attempt;

static ic_status flow_open(any_flow *f, const attempt *a, slong precision, bool affine,
                           ic_flow_extreme *extremes)
{
    *f = (any_flow){.affine = affine};
    if (f->affine) return ic_ball_flow_open(&f->ball, a->problem, precision);
    const ic_flow_options general = {
        .deadline = a->deadline, .extremes = extremes, .proof = a->proof, .digits = a->options->digits};
    return ic_flow_open(&f->general, a->problem, precision, &general);
}

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

static ic_status follow_events(ic_certificate *c, attempt *a)
{
    any_flow *f = &a->flow;
    const ic_certify_options *options = a->options;
    char *message = flow_message(f);
    for (;;) {
        bool happened = false;
        const ic_status status = flow_next(f, a->t_end, &happened);
        if (status != IC_OK || !happened) return status;
        if (!record_event(c, f)) return IC_NO_MEMORY;
        /* the event is proved, but wider than was asked for: what follows is not better */
        a->excess = fmax(a->excess, excess_of_event(c, a, &c->events[c->count - 1]));
        if (a->excess > 0 && c->precision < options->max_precision) return IC_UNDECIDED;
        if (options->watch != NULL && c->count % WATCH_EVERY == 0) {
            options->watch(arf_get_d(arb_midref(flow_time(f)), ARF_RND_NEAR), c->count, options->context);
        }
        if (c->count >= options->max_events) {
            snprintf(message, MESSAGE, "more than %zu events", options->max_events);
            return IC_TOO_MUCH_WORK;
        }
        if (events_accumulate(c, a->time_scale * pow(10, -(double)options->digits))) {
            char *t = arb_get_str(flow_time(f), 12, ARB_STR_NO_RADIUS);
            snprintf(message, MESSAGE, "events of '%.80s' accumulate just after t = %s",
                     c->events[c->count - 1].name, t);
            flint_free(t);
            return IC_ZENO;
        }
        if (a->deadline > 0 && processor_time() > a->deadline) {
            snprintf(message, MESSAGE, IC_FLOW_TIME_IS_OVER);
            return IC_TOO_MUCH_WORK;
        }
    }
}

/* Encloses the end of the run. */
static bool enclose_end(attempt *a)
{
    if (a->problem->t_end_text != NULL) return flow_number(a->t_end, &a->flow, a->problem->t_end_text);
    arb_set_d(a->t_end, a->problem->t_end);
    return true;
}

static bool find_scales(attempt *a)
{
    const ic_case *system = a->problem->system;
    a->time_scale = flow_scale(&a->flow, system->time_scale);
    a->scales = malloc((system->n_states + 1) * sizeof *a->scales);
    for (size_t k = 0; k < system->n_states && a->scales != NULL; k++)
        a->scales[k] = flow_scale(&a->flow, system->states[k].scale);
    return a->scales != NULL;
}

/* Precision of the next attempt; 0: the result is sufficient, or more bits would not help. */
static slong next_precision(const ic_certificate *c, const attempt *a)
{
    const double reached = arf_get_d(arb_midref(c->t), ARF_RND_NEAR) - a->problem->t_start;
    const double whole = arf_get_d(arb_midref(a->t_end), ARF_RND_NEAR) - a->problem->t_start;
    const double bits = (double)c->precision;
    double excess = a->excess;
    if (c->status == IC_TOO_MUCH_WORK) return 0;
    if (excess <= 0 && c->status == IC_UNDECIDED) {
        /* all bits were lost on the way to c->t: the precision grows with the remaining part of the run */
        const double factor = reached > 0 ? fmin(8, fmax(1.5, 1.1 * whole / reached)) : 2;
        return (slong)(bits * factor) + FIRST_SPARE_BITS;
    }
    for (slong k = 0; k < c->n; k++)
        excess = fmax(excess, excess_bits(c->x + k, a->scales[k], a->options->digits));
    if (!(excess > 0)) return 0;
    /* bits are lost from event to event, and an attempt ends where too many are lost */
    if (c->status == IC_UNDECIDED) excess += EXCESS_BITS;
    return c->precision + (slong)fmin(excess, bits) + 16;
}

/* Whether no step has followed the last jump. */
static bool stands_after_jump(const ic_certificate *c, const ic_flow *f)
{
    return f->steps == 0 || (c->count > 0 && arb_equal(f->now + f->n, c->events[c->count - 1].t));
}

static slong run_at_precision(ic_certificate *c, attempt *a, slong precision, bool affine)
{
    any_flow *f = &a->flow;
    slong next = 0;
    arb_init(a->t_end);
    clear_events(c);
    c->reason[0] = '\0';
    c->precision = precision;
    a->excess = -INFINITY;
    c->status = flow_open(f, a, precision, affine, c->extremes);
    const bool started = c->status == IC_OK;
    if (c->status == IC_OK && !enclose_end(a)) c->status = IC_INVALID;
    if (c->status == IC_OK && !find_scales(a)) c->status = IC_NO_MEMORY;
    if (c->status == IC_OK) c->status = follow_events(c, a);
    if (started && !affine && stands_after_jump(c, &f->general)) ic_flow_extremes_take_last(&f->general);
    if (flow_state(f) != NULL) {
        arb_set(c->t, flow_time(f));
        _arb_vec_set(c->x, flow_state(f), c->n);
        c->mode = started ? (affine ? f->ball.mode : f->general.mode) : -1;
        c->steps += affine ? 0 : (size_t)f->general.steps;
        if (a->scales != NULL) next = next_precision(c, a);
    }
    if (c->status != IC_OK) {
        snprintf(c->reason, sizeof c->reason, "%s",
                 flow_message(f)[0] != '\0' ? flow_message(f) : ic_status_text(c->status));
    }
    flow_close(f);
    free(a->scales);
    a->scales = NULL;
    arb_clear(a->t_end);
    return next;
}

/* One run, of which the proof, if one is wanted, takes the place of the last one. */
static slong run_with_proof(ic_certificate *c, attempt *a, slong precision, bool affine, char **proof)
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
    const slong next = run_at_precision(c, a, precision, affine);
    if (a->proof != NULL && fclose(a->proof) != 0) c->status = IC_NO_MEMORY;
    return next;
}

/* Raises the precision until the digits are reached, or more bits would not help. */
static void raise_precision(ic_certificate *c, attempt *a, bool affine)
{
    const long most = a->options->max_precision;
    const slong first = affine ? FIRST_SPARE_BITS : FIRST_SPARE_BITS_OF_SETS;
    slong precision = FLINT_MIN(most, first + (slong)(3.33 * (double)a->options->digits)), next = 1;
    char before[sizeof c->reason] = "", *proof = NULL;
    size_t events = 0;
    while (next != 0) {
        next = run_with_proof(c, a, precision, affine, &proof);
        /* what more bits have not decided is a tie, a touch, or beyond what is implemented */
        const bool in_vain = c->status == IC_UNDECIDED && c->count == events && strcmp(c->reason, before) == 0;
        if (c->status == IC_UNSUPPORTED || (!affine && in_vain)) break;
        snprintf(before, sizeof before, "%s", c->reason);
        events = c->count;
        if (next == 0 || precision >= most) break;
        precision = FLINT_MIN(most, next);
    }
    if (next != 0 && c->status == IC_OK) {
        c->status = IC_UNDECIDED;
        snprintf(c->reason, sizeof c->reason, "the requested digits were not reached with %ld bits",
                 (long)precision);
    }
    if (c->status == IC_OK && proof != NULL) fputs(proof, a->options->proof);
    free(proof);
}

/* By the exponential of a matrix, which follows no extremes. */
static void raise_without_formulas(ic_certificate *c, attempt *a)
{
    raise_precision(c, a, true);
    for (size_t i = 0; i < c->n_extremes; i++)
        ic_flow_extreme_give_up(&c->extremes[i],
                                "the exponential of a matrix, by which the run is certified, encloses none");
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
    attempt a = {.problem = problem,
                 .options = &with_defaults,
                 .deadline = options->time_limit > 0 ? processor_time() + options->time_limit : 0};
    const bool affine = is_affine(problem), general = !affine || has_formulas(problem);
    c->n_extremes = options->extremes ? ic_flow_extremes_count(problem) : 0;
    c->extremes = options->extremes ? ic_flow_extremes_new(c->n_extremes) : NULL;
    if (general) raise_precision(c, &a, false);
    /* only the exponential of a matrix shows that guards which end a run are zero at once; it gives no proof */
    if (!general || (affine && c->status == IC_UNDECIDED && options->proof == NULL))
        raise_without_formulas(c, &a);
}

/* ---- outputs and text */

/* An output as an expression that is affine in the states. */
static bool affine_output(arb_t value, const ic_problem *problem, const char *text, const arb_t t, arb_srcptr x,
                          slong precision)
{
    ic_ball_system system;
    bool good = false;
    if (ic_ball_system_open(&system, problem, precision)) {
        ic_ball_row row = ic_ball_system_row(&system, text, true);
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

bool ic_certified_output(arb_t value, const ic_problem *problem, const ic_output *output, int mode,
                         const arb_t t, arb_srcptr x, slong precision)
{
    const size_t number = (size_t)(output - problem->system->outputs);
    if (has_formulas(problem)) return ic_flow_output(value, problem, number, mode, t, x, precision);
    if (output->linear == NULL || output->linear[mode] == NULL) return false;
    return affine_output(value, problem, output->linear[mode], t, x, precision);
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
