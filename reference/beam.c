/* SPDX-License-Identifier: MIT */
#include "reference/beam.h"
#include "reference/roots.h"

#include <arb_poly.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_STEPS = 100000, MOST_EVENTS = 1000 };

typedef enum phase { FREE, CONTACT, RELEASED } phase;

/* Events that may end a step, in order of precedence when simultaneous. */
typedef enum happening {
    TIME_REACHED,
    TOUCH_DOWN,    /* or an impact on a rigid stop */
    FORCE_CHANGES, /* release, or regained contact */
    KINK,
    EXIT,
    NOTHING
} happening;

typedef struct beam_run {
    const ic_beam_problem *problem;
    ic_beam_model model;
    ic_beam_answer *answer;
    ic_beam_method method;
    slong n_states;
    phase phase;
    ic_beam_regime regime;

    /* the event at the start of this step: its guard starts at a zero */
    happening just;

    /* s, m, s */
    arb_t t, d, target;

    arb_ptr x;
} beam_run;

/* ---- answers */

static const char *phase_name(phase phase)
{
    return phase == FREE ? "free" : phase == CONTACT ? "contact" : "released";
}

void ic_beam_answer_clear(ic_beam_answer *answer)
{
    for (size_t i = 0; i < answer->count; i++) {
        arb_clear(answer->events[i].t);
        _arb_vec_clear(answer->events[i].x, answer->n_states);
    }
    flint_free(answer->events);
    arb_clear(answer->t);
    _arb_vec_clear(answer->x, answer->n_states);
    *answer = (ic_beam_answer){0};
}

/* Appends an event that leads from a phase to the current one. */
static void add_event(beam_run *r, const char *name, phase from)
{
    ic_beam_answer *answer = r->answer;
    if (answer->count == answer->capacity) {
        answer->capacity = 2 * answer->capacity + 16;
        answer->events = flint_realloc(answer->events, answer->capacity * sizeof *answer->events);
    }
    ic_beam_event *event = &answer->events[answer->count++];
    event->name = name;
    event->from = phase_name(from), event->to = phase_name(r->phase);
    arb_init(event->t);
    arb_set(event->t, r->t);
    event->x = _arb_vec_init(answer->n_states);
    _arb_vec_set(event->x, r->x, answer->n_states);
}

static void set_failure(beam_run *r, ic_status status, const char *what)
{
    r->answer->status = status;
    snprintf(r->answer->message, sizeof r->answer->message, "%s at t = %.17g s", what,
             arf_get_d(arb_midref(r->t), ARF_RND_NEAR));
}

/* ---- guards */

typedef struct guard {
    /* the guard is series - offset; offset NULL: 0 */
    arb_srcptr series, offset;

    happening what;

    /* its sign at the start of the step */
    int side;
} guard;

/* Lists the guards of a phase; `guards` has room for NOTHING elements. */
static size_t list_guards(guard *guards, const beam_run *r, const ic_beam_series *s)
{
    size_t n = 0;
    if (r->phase == FREE) {
        guards[n++] = (guard){ic_beam_series_d(s), NULL, TOUCH_DOWN, -1};
        return n;
    }
    if (r->problem->number[IC_BEAM_DAMPING] > 0) /* the Lee-Wang law always pushes */
        guards[n++] = (guard){ic_beam_series_push(s), NULL, FORCE_CHANGES, r->phase == CONTACT ? 1 : -1};
    if (r->problem->contact == IC_BEAM_LEE_WANG_2)
        guards[n++] = (guard){ic_beam_series_d(s), r->model.eps, KINK, r->regime.beyond ? 1 : -1};
    if (s->root == 0) guards[n++] = (guard){ic_beam_series_d(s), NULL, EXIT, 1};
    /* a simple zero */
    else if (s->root < 0) guards[n++] = (guard){ic_beam_series_sqrt_d(s), NULL, EXIT, 1};
    return n;
}

/* Writes the guard as a polynomial of u, s = step u, 0 <= u <= 1. */
static void scale_guard(ic_ball_polynomial *p, const beam_run *r, const guard *g, const arb_t step)
{
    ic_ball_polynomial whole;
    arb_t factor;
    const slong prec = r->model.prec;
    const bool on_zero = g->what == r->just || (g->what == TOUCH_DOWN && r->just == EXIT);
    arb_init(factor);
    ic_ball_polynomial_init(&whole, r->method.order, prec);
    arb_one(factor);
    for (slong k = 0; k < r->method.order; k++) {
        arb_mul(whole.coefficients + k, g->series + k, factor, prec);
        arb_mul(factor, factor, step, prec);
    }
    if (g->offset != NULL) arb_sub(whole.coefficients, whole.coefficients, g->offset, prec);
    for (slong k = 0; k < r->method.order; k++) mag_zero(arb_radref(whole.coefficients + k));
    ic_ball_polynomial_deflate(p, &whole, on_zero ? 1 : 0);
    ic_ball_polynomial_clear(&whole);
    arb_clear(factor);
}

/* Finds the guard's first crossing before u and reduces u to it. false: undecided. */
static bool find_crossing(arb_t u, happening *first, const beam_run *r, const guard *g, const arb_t step)
{
    const double latest = fmin(1, arf_get_d(arb_midref(u), ARF_RND_UP));
    double low = 0, high = 0;
    mag_t none;
    arb_t root, end;
    ic_ball_polynomial p;
    mag_init(none);
    arb_init(root), arb_init(end);
    scale_guard(&p, r, g, step);
    const ic_isolation isolation = ic_first_sign_change(&low, &high, &p, 0, latest, g->side);
    if (isolation == IC_SIGN_CHANGE) {
        arb_set_d(root, low);
        arb_set_d(end, high);
        arb_union(root, root, end, r->model.prec);
        ic_refine_root(root, &p, &p, none);
        arb_get_mid_arb(root, root);
        if (*first == NOTHING || arb_lt(root, u)) {
            arb_set(u, root);
            *first = g->what;
        }
    }
    ic_ball_polynomial_clear(&p);
    arb_clear(root), arb_clear(end);
    mag_clear(none);
    return isolation != IC_CANNOT_TELL;
}

/* ---- a step */

static void series_value_at(arb_t value, arb_srcptr series, const beam_run *r, arb_srcptr powers)
{
    arb_dot(value, NULL, 0, series, 1, powers, 1, r->method.order, r->model.prec);
    mag_zero(arb_radref(value));
}

/* 1, s, s^2, ...; the caller releases it. */
static arb_ptr powers_of(const beam_run *r, const arb_t s)
{
    arb_ptr powers = _arb_vec_init(r->method.order);
    _arb_vec_set_powers(powers, s, r->method.order, r->model.prec);
    return powers;
}

/* Chooses the length of the step in s; returns whether the step ends at the target if no event
   precedes it. */
static bool choose_step(arb_t step, const beam_run *r, const ic_beam_series *s)
{
    arb_t left;
    arb_init(left);
    arb_sub(left, r->target, r->t, r->model.prec);
    mag_zero(arb_radref(left));
    arb_set_d(step, ic_beam_series_step(s, r->method.bits));
    const bool ends = s->root == 0 && arb_ge(step, left);
    if (ends) arb_set(step, left);
    arb_clear(left);
    return ends;
}

/* If the step is in sqrt(d), a guard detects that the target time is reached. */
static bool look_for_target(arb_t u, happening *first, const beam_run *r, const ic_beam_series *s,
                            const arb_t step)
{
    bool decided = true;
    arb_t left, gone;
    arb_init(left), arb_init(gone);
    arb_sub(left, r->target, r->t, r->model.prec);
    arb_ptr powers = powers_of(r, step);
    series_value_at(gone, ic_beam_series_time(s), r, powers);
    _arb_vec_clear(powers, r->method.order);
    if (arb_gt(gone, left)) {
        arb_ptr series = _arb_vec_init(r->method.order);
        _arb_vec_set(series, ic_beam_series_time(s), r->method.order);
        arb_sub(series, series, left, r->model.prec);
        decided = find_crossing(u, first, r, &(guard){series, NULL, TIME_REACHED, -1}, step);
        _arb_vec_clear(series, r->method.order);
    }
    arb_clear(left), arb_clear(gone);
    return decided;
}

/* Finds the first event of a step, or the end of the step, and its s. false: undecided. */
static bool find_first_happening(happening *first, arb_t at, const beam_run *r, const ic_beam_series *s)
{
    guard guards[NOTHING];
    arb_t step, u;
    arb_init(step), arb_init(u);
    bool decided = true;
    const bool ends = choose_step(step, r, s);
    const size_t n = list_guards(guards, r, s);
    *first = NOTHING;
    arb_one(u);
    for (size_t i = 0; i < n && decided; i++) decided = find_crossing(u, first, r, &guards[i], step);
    if (decided && s->root != 0) decided = look_for_target(u, first, r, s, step);
    if (ends && *first == NOTHING) *first = TIME_REACHED;
    arb_mul(at, step, u, r->model.prec);
    mag_zero(arb_radref(at));
    arb_clear(step), arb_clear(u);
    return decided;
}

/* Moves to the end of the step. The indentation there is d by theorem. */
static void move_to_end(beam_run *r, const ic_beam_series *s, happening first, const arb_t at)
{
    arb_t passed;
    arb_ptr powers = powers_of(r, at);
    arb_init(passed);
    series_value_at(passed, ic_beam_series_time(s), r, powers);
    if (first == TIME_REACHED) arb_set(r->t, r->target);
    else arb_add(r->t, r->t, passed, r->model.prec);
    mag_zero(arb_radref(r->t));
    for (slong i = 0; i < r->n_states; i++) series_value_at(r->x + i, ic_beam_series_state(s, i), r, powers);
    ic_beam_indentation(r->d, &r->model, r->x);
    if (first == TOUCH_DOWN || first == EXIT) arb_zero(r->d);
    if (first == KINK) arb_set(r->d, r->model.eps);
    _arb_vec_clear(powers, r->method.order);
    arb_clear(passed);
}

/* ---- jumps */

static void enter_phase(beam_run *r, phase phase)
{
    r->phase = phase;
    r->regime.near_stop = phase != FREE;
    r->regime.pushes = phase == CONTACT;
}

static void apply_event(beam_run *r, happening what)
{
    const phase from = r->phase;
    switch (what) {
    case TOUCH_DOWN:
        if (r->problem->contact == IC_BEAM_RIGID) {
            ic_beam_strike(r->x, &r->model);
            add_event(r, "impact", FREE);
            if (!(r->problem->number[IC_BEAM_RESTITUTION] > 0))
                set_failure(r, IC_UNSUPPORTED, "the beam comes to rest on a rigid stop");
        } else {
            ic_beam_approach(r->regime.v0, &r->model, r->x);
            r->regime.beyond = false;
            enter_phase(r, CONTACT);
            add_event(r, "touch-down", FREE);
        }
        break;
    case FORCE_CHANGES:
        enter_phase(r, from == CONTACT ? RELEASED : CONTACT);
        add_event(r, from == CONTACT ? "release" : "regained contact", from);
        break;
    case KINK:
        r->regime.beyond = !r->regime.beyond;
        add_event(r, "transition", from);
        break;
    case EXIT:
        enter_phase(r, FREE);
        add_event(r, "exit", from);
        break;
    case TIME_REACHED:
    case NOTHING: break;
    }
    /*
     * Guards that were zero before the torque ended are still zero. No time passes, and no crossing
     * is searched for.
     */
    r->just = what;
}

/* Follows the motion to r->target. */
static void follow_to_target(beam_run *r)
{
    happening first = NOTHING;
    arb_t at;
    arb_init(at);
    while (first != TIME_REACHED && r->answer->status == IC_OK) {
        ic_beam_series s;
        ic_beam_series_init(&s, &r->model, &r->regime, r->x, r->d, r->method.order, r->method.onset);
        if (!find_first_happening(&first, at, r, &s)) {
            set_failure(r, IC_UNDECIDED, "which event comes first is not decided");
        } else if (!arb_is_finite(at)) {
            set_failure(r, IC_NOT_FINITE, "a series is not finite");
        } else {
            move_to_end(r, &s, first, at);
            apply_event(r, first);
        }
        ic_beam_series_clear(&s);
        if (++r->answer->steps > MOST_STEPS || r->answer->count > MOST_EVENTS)
            set_failure(r, IC_TOO_MUCH_WORK, "too many steps or events");
    }
    arb_clear(at);
}

/* ---- runs */

static void run_open(beam_run *r, ic_beam_answer *answer, const ic_beam_problem *problem,
                     const ic_beam_method *method)
{
    /* Bits that cover the rounding errors of some thousand steps and of the sums over orders. */
    enum { SPARE_BITS = 20 };
    *r = (beam_run){.problem = problem, .answer = answer, .method = *method, .just = NOTHING};
    ic_beam_model_init(&r->model, problem, method->bits + SPARE_BITS);
    r->n_states = answer->n_states;
    arb_init(r->t), arb_init(r->d), arb_init(r->target);
    arb_init(r->regime.torque), arb_init(r->regime.v0);
    r->x = _arb_vec_init(r->n_states);
    ic_beam_indentation(r->d, &r->model, r->x);
    enter_phase(r, FREE);
}

/* Exponents for which series of sqrt(d)^(2n) exist. */
static bool has_force_series(const ic_beam_problem *problem)
{
    arb_t twice;
    arb_init(twice);
    ic_beam_number(twice, problem, IC_BEAM_EXPONENT);
    arb_mul_2exp_si(twice, twice, 1);
    const bool yes = problem->contact == IC_BEAM_RIGID || arb_equal_si(twice, 2) || arb_equal_si(twice, 3) ||
                     arb_equal_si(twice, 4);
    arb_clear(twice);
    return yes;
}

/* Follows the motion while the torque acts, then without it. */
static void follow_to_the_end(beam_run *r)
{
    arb_t end;
    arb_init(end);
    ic_beam_number(end, r->problem, IC_BEAM_T_END);
    ic_beam_number(r->target, r->problem, IC_BEAM_PULSE);
    const bool it_ends = arb_is_positive(r->target) && arb_le(r->target, end);
    if (arb_is_positive(r->target)) {
        if (!it_ends) arb_set(r->target, end);
        ic_beam_number(r->regime.torque, r->problem, IC_BEAM_TORQUE);
        follow_to_target(r);
        arb_zero(r->regime.torque);
        if (it_ends && r->answer->status == IC_OK) add_event(r, "torque-end", r->phase);
    }
    if (r->answer->status == IC_OK && arb_lt(r->target, end)) {
        arb_set(r->target, end);
        follow_to_target(r);
    }
    arb_clear(end);
}

void ic_beam_run(ic_beam_answer *answer, const ic_beam_problem *problem, const ic_beam_method *method)
{
    beam_run r;
    *answer = (ic_beam_answer){.n_states = 2 + 2 * problem->modes};
    arb_init(answer->t);
    answer->x = _arb_vec_init(answer->n_states);
    answer->precision = method->bits;
    run_open(&r, answer, problem, method);
    if (has_force_series(problem)) follow_to_the_end(&r);
    else set_failure(&r, IC_UNSUPPORTED, "the power of the indentation is neither 1 nor 3/2 nor 2");
    arb_set(answer->t, r.t);
    _arb_vec_set(answer->x, r.x, r.n_states);
    answer->mode = phase_name(r.phase);
    ic_beam_model_clear(&r.model);
    arb_clear(r.t), arb_clear(r.d), arb_clear(r.target);
    arb_clear(r.regime.torque), arb_clear(r.regime.v0);
    _arb_vec_clear(r.x, r.n_states);
}

/* ---- agreement */

double ic_beam_scale(const ic_beam_problem *problem, slong i)
{
    enum { PART = 100 };
    return (i < IC_BEAM_PAIRS ? 1 : problem->number[IC_BEAM_L] / PART) *
           (i % 2 == 0 ? 1 : ic_beam_rate(problem));
}

double ic_beam_speed(const ic_beam_problem *problem, arb_srcptr x)
{
    enum { FOR_DOUBLES = 64 };
    ic_beam_model model;
    arb_t v;
    arb_init(v);
    ic_beam_model_init(&model, problem, FOR_DOUBLES);
    ic_beam_approach(v, &model, x);
    const double speed = arf_get_d(arb_midref(v), ARF_RND_NEAR);
    ic_beam_model_clear(&model);
    arb_clear(v);
    return speed;
}

/*
 * Sets the radius of the finer value to twice the difference of the two midpoints; returns that
 * radius divided by the scale.
 */
static double compare_values(arb_t fine, const arb_t coarse, double scale)
{
    arf_t difference;
    arf_init(difference);
    arf_sub(difference, arb_midref(fine), arb_midref(coarse), ARF_PREC_EXACT, ARF_RND_UP);
    arf_get_mag(arb_radref(fine), difference);
    mag_mul_2exp_si(arb_radref(fine), arb_radref(fine), 1);
    arf_clear(difference);
    return mag_get_d(arb_radref(fine)) / scale;
}

static bool have_same_events(const ic_beam_answer *a, const ic_beam_answer *b)
{
    bool same = a->count == b->count && strcmp(a->mode, b->mode) == 0;
    for (size_t i = 0; same && i < a->count; i++) same = strcmp(a->events[i].name, b->events[i].name) == 0;
    return same;
}

/* Sets the radii of `fine` from `coarse`, which has the same events, and the digits of
   agreement. */
static void set_radii(ic_beam_answer *fine, const ic_beam_answer *coarse, const ic_beam_problem *problem)
{
    const double time = 1 / ic_beam_rate(problem);
    double worst = 0;
    for (size_t i = 0; i < fine->count; i++) {
        ic_beam_event *a = &fine->events[i];
        const ic_beam_event *b = &coarse->events[i];
        worst = fmax(worst, compare_values(a->t, b->t, time));
        for (slong k = 0; k < fine->n_states; k++)
            worst = fmax(worst, compare_values(a->x + k, b->x + k, ic_beam_scale(problem, k)));
    }
    for (slong k = 0; k < fine->n_states; k++)
        worst = fmax(worst, compare_values(fine->x + k, coarse->x + k, ic_beam_scale(problem, k)));
    fine->digits = worst > 0 ? -log10(worst) : (double)fine->precision * log10(2);
}

/* Settings of answer number i for `digits` digits: every free setting differs from one answer to
   the next. */
static ic_beam_method method_of(long digits, long i)
{
    /*
     * Bits that are lost in impacts, and bits from one answer to the next. The ratio of order to
     * bits determines the length of steps.
     */
    enum { LOST_BITS = 16, MORE_BITS = 24 };
    static const double order_per_bit[] = {0.57, 0.64}, onset[] = {2, 0.5};
    const slong bits = (slong)ceil((double)digits * log2(10)) + LOST_BITS + i * MORE_BITS;
    return (ic_beam_method){
        .bits = bits, .order = (slong)(order_per_bit[i % 2] * (double)bits), .onset = onset[i % 2]};
}

void ic_beam_reference(ic_beam_answer *answer, const ic_beam_problem *problem, long digits)
{
    enum { MOST_ANSWERS = 5 };
    ic_beam_answer coarse;
    ic_beam_method method = method_of(digits, 0);
    ic_beam_run(&coarse, problem, &method);
    for (int i = 1;; i++) {
        method = method_of(digits, i);
        ic_beam_run(answer, problem, &method);
        const bool solved = coarse.status == IC_OK && answer->status == IC_OK;
        if (solved && have_same_events(answer, &coarse)) set_radii(answer, &coarse, problem);
        if (answer->digits >= (double)digits || answer->status == IC_UNSUPPORTED ||
            answer->status == IC_TOO_MUCH_WORK || i + 1 == MOST_ANSWERS)
            break;
        ic_beam_answer_clear(&coarse);
        coarse = *answer;
    }
    if (answer->status == IC_OK && !(answer->digits >= (double)digits)) {
        answer->status = IC_UNDECIDED;
        snprintf(answer->message, sizeof answer->message, "no two answers agree to %ld digits", digits);
    }
    ic_beam_answer_clear(&coarse);
}
