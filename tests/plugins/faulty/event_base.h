/* SPDX-License-Identifier: MIT */
/*
 * An event-driven solver that keeps the event contract. It is right if a file redefines nothing but
 * the method (STEP). Each faulty plugin redefines one macro of the mistakes, which is its mistake.
 *
 * A step is searched in PARTS parts. If both ends of a part are on the guard's side, and its rate
 * changes from towards zero to away from it, there is an extremum, which is found by bisection of
 * the rate. A crossing is found by bisection of the guard's sign.
 */
#pragma once

#include "tests/plugins/faulty/event_place.h"

#ifndef NAME
#define NAME "event-driven"
#endif

/* ---- the method */

#ifndef ORDER
#define ORDER 4
#endif
#ifndef STEP /* x1 from s over the step h, in one go */
#define STEP(x1, s, h) runge_kutta(x1, s, h)
#endif
#ifndef CONTROL /* fixed steps; a method with IC_CONTROL_RTOL says how long its steps may be */
#define CONTROL IC_CONTROL_STEP
#define PROPOSE(s, h) (h)
#endif

/* ---- the mistakes */

#ifndef STAGE_AT /* the part of the step after which stage i is evaluated, in time */
#define STAGE_AT(i, part) (part)
#endif

#ifndef PARTS
#define PARTS 4
#endif
#ifndef LOOKS_FOR_PAIRS
#define LOOKS_FOR_PAIRS true
#endif
/* of the bisection: whether a guard's value g over a bracket of the width w, s, is good enough */
#ifndef CONVERGED
#define CONVERGED(g, w) false
#endif
/* whether a crossing after a part u of the step comes before the first so far, after `so_far` */
#ifndef FIRST_OF
#define FIRST_OF(u, so_far) ((u) < (so_far))
#endif
#ifndef FIRES_WITH /* whether guards that cross with the first one fire as well */
#define FIRES_WITH true
#endif
#ifndef FIRES_AT_START /* whether a guard that is exactly zero and goes to its firing side fires */
#define FIRES_AT_START true
#endif
#ifndef FIRES_AFTER_JUMP /* the same, after a jump */
#define FIRES_AFTER_JUMP true
#endif
#ifndef IS_SERIES /* whether intervals a, b, c are those of a geometric series */
#define IS_SERIES(a, b, c) (fabs((c) / (b) - (b) / (a)) < 0.05 * (c) / (b))
#endif
/*
 * the extremum of a guard is a touch up to this part of the greatest value that the guard has had
 */
#ifndef TOUCH
#define TOUCH 1e-11
#endif
#ifndef TOUCH_FIRES
#define TOUCH_FIRES false
#endif
#ifndef AT_ZERO /* the side of a guard that is exactly zero at the end of a part */
#define AT_ZERO(side) (-(side))
#endif
#ifndef NOT_A_NUMBER /* the side of a guard whose value is not a number at the end of a part */
#define NOT_A_NUMBER(side) (-(side))
#endif
#ifndef CROSSES_AT /* s; where the guard leaves its side between a and b */
#define CROSSES_AT(s, guard, side, a, b, h) bisect(s, guard, side, a, b)
#endif
#ifndef OWN_SIDE /* the side of a guard just after its own jump, given the one that it leaves to */
#define OWN_SIDE(guard, leaves_to) (leaves_to)
#endif
/* the side of a guard that has just fired is only known at the end of a step */
#ifndef LEARNS_SIDE_LATE
#define LEARNS_SIDE_LATE false
#endif
#ifndef STATE_AT /* the state x before an event after the part u of a step */
#define STATE_AT(x, s, h, u, x1) STEP(x, s, (u) * (h))
#endif
#ifndef CLOCK /* the time after an event `after` the beginning t of the step h, s */
#define CLOCK(t, after, h) ((t) + (after))
#endif
#ifndef DIRECTION_COUNTS
#define DIRECTION_COUNTS true
#endif
#ifndef TIMES_FOUND /* how often an event is found before its guard is disarmed */
#define TIMES_FOUND 1
#endif
#ifndef CUTS_AT_TIME_EVENTS
#define CUTS_AT_TIME_EVENTS true
#endif
#ifndef BEGINS /* what is done with the problem before a run */
#define BEGINS(problem) (void)0
#endif
#ifndef ENTERS /* what is done at the start of a run and after each jump */
#define ENTERS(s) (void)0
#endif
#ifndef GUARD_PRECEDES /* whether a guard that crosses after a part of the step h fires before a time event at its end */
#define GUARD_PRECEDES(after, h, same) ((after) < (h) - (same))
#endif
#ifndef DEPARTURES /* of a branch that are noticed */
#define DEPARTURES(branch) (branch)->n_departures
#endif
#ifndef PARAMETERS /* those that a run goes by */
#define PARAMETERS(problem) (problem)
#endif
#ifndef IS_ENABLED /* by the value of a guard's condition */
#define IS_ENABLED(condition) ((condition) > 0)
#endif
#ifndef ASKED_AFTER /* s of the step: when the condition of a guard is asked that crosses after a part of it */
#define ASKED_AFTER(after) (after)
#endif
#ifndef BRANCH /* of those that a jump has, given the one that it took */
#define BRANCH(taken) (taken)
#endif
#ifndef NUMBER /* of an event at its instant, given the next in the sequence */
#define NUMBER(next) (next)
#endif
#ifndef LOGGED_BEFORE /* the logged state before an event, of those before and after it */
#define LOGGED_BEFORE(before, after) (before)
#endif
#ifndef TOLERANCE /* that is used, of the one that is requested */
#define TOLERANCE(rtol) (rtol)
#endif
#ifndef TERMINAL_ENDS
#define TERMINAL_ENDS true
#endif
#ifndef END_TIME /* s; the reported end of a run at t with the step h */
#define END_TIME(t, h) (t)
#endif
#ifndef SAMPLE_AT /* the state x after the time u of the step h, which ends in x1 */
#define SAMPLE_AT(x, s, u, h, x1) STEP(x, s, u)
#endif
#ifndef TRIES_SHORTER /* steps that meet what is not finite are tried shorter */
#define TRIES_SHORTER true
#endif

/* part of a time; equal times differ by less */
#define SAME_TIME 1e-13
/* If |g| at both ends exceeds FAR |dg/dt| h, g has no extremum within the step. */
#define FAR 4
/* The limit of infinitely many events is reached if the remaining time is this part of the time. */
#ifndef LEFT
#define LEFT 1e-10
#endif

static inline void runge_kutta(double *x1, const place *s, double h)
{
    static const double parts[] = {0, 0.5, 0.5, 1};
    double k[4][IC_MAX_STATES], x[IC_MAX_STATES];
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < s->n; j++) x[j] = s->x[j] + (i > 0 ? h * parts[i] * k[i - 1][j] : 0);
        s->mode->flow(k[i], s->t + h * STAGE_AT(i, parts[i]), x, s->problem->par);
    }
    for (size_t j = 0; j < s->n; j++) x1[j] = s->x[j] + h / 6 * (k[0][j] + 2 * k[1][j] + 2 * k[2][j] + k[3][j]);
}

static int sign(double g)
{
    return (g > 0) - (g < 0);
}

static double value_after(const place *s, const ic_guard *guard, double h)
{
    double x[IC_MAX_STATES] = {0};
    STEP(x, s, h);
    return guard->value(s->t + h, x, s->problem->par);
}

static double rate_after(const place *s, const ic_guard *guard, double h)
{
    double x[IC_MAX_STATES] = {0};
    STEP(x, s, h);
    return guard->rate(s->t + h, x, s->problem->par);
}

static bool fires_towards(const ic_guard *guard, int side)
{
    return !DIRECTION_COUNTS || guard->direction == 0 || guard->direction == side;
}

static bool all_finite(const double *x, size_t n)
{
    bool good = true;
    for (size_t j = 0; j < n; j++) good &= isfinite(x[j]) != 0;
    return good;
}

/* ---- crossings in a step */

/* s; the time between a and b after which the guard has left `side`. A value that is not a
   number is on the other side. */
static inline double bisect(const place *s, const ic_guard *guard, int side, double a, double b)
{
    for (int i = 0; i < 100; i++) {
        const double middle = 0.5 * (a + b);
        if (middle <= a || middle >= b) break;
        const double g = value_after(s, guard, middle);
        if (sign(g) == side) a = middle;
        else b = middle;
        if (CONVERGED(g, b - a)) return middle;
    }
    return b;
}

/* s; an extremum of the guard between a and b, at a change of sign of the rate */
static double find_turn(const place *s, const ic_guard *guard, int rate_side, double a, double b)
{
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (a + b);
        if (sign(rate_after(s, guard, middle)) == rate_side) a = middle;
        else b = middle;
    }
    return 0.5 * (a + b);
}

/* s; zero of the straight line through both ends of a part */
static inline double secant(const place *s, const ic_guard *guard, double a, double b)
{
    const double g0 = value_after(s, guard, a), g1 = value_after(s, guard, b);
    return a + (b - a) * g0 / (g0 - g1);
}

static bool is_enabled(const place *s, const ic_guard *guard, double crosses_after)
{
    const double after = ASKED_AFTER(crosses_after);
    double x[IC_MAX_STATES] = {0};
    STEP(x, s, after);
    return guard->enabled == NULL || IS_ENABLED(guard->enabled(s->t + after, x, s->problem->par));
}

/* s; the first time within the step h at which guard i fires; INFINITY: it does not. side: its
   side at the end. */
static double first_of_guard(place *s, size_t i, double h, const double *x1, int *side)
{
    const ic_guard *guard = &s->mode->guards[i];
    const double *par = s->problem->par, g0 = guard->value(s->t, s->x, par),
                 g1 = guard->value(s->t + h, x1, par);
    const double fastest = fmax(fabs(guard->rate(s->t, s->x, par)), fabs(guard->rate(s->t + h, x1, par)));
    s->greatest[i] = fmax(s->greatest[i], fabs(g0));
    *side = s->side[i];
    if (sign(g0) == *side && sign(g1) == *side && fmin(fabs(g0), fabs(g1)) > FAR * h * fastest) return INFINITY;
    for (int part = 0; part < PARTS; part++) {
        const double a = h * part / PARTS, b = h * (part + 1) / PARTS;
        double cuts[2] = {b, b};
        const double gb = value_after(s, guard, b);
        if (LOOKS_FOR_PAIRS && *side != 0 && (sign(gb) == *side || guard->direction == 0)) {
            const double ra = rate_after(s, guard, a), rb = rate_after(s, guard, b);
            if (ra * *side < 0 && rb * *side > 0) {
                cuts[0] = find_turn(s, guard, sign(ra), a, b);
                const double g = value_after(s, guard, cuts[0]);
                const double touch = TOUCH * s->greatest[i];
                if (fabs(g) <= touch && TOUCH_FIRES && fires_towards(guard, -*side)) return cuts[0];
                if (fabs(g) <= touch || sign(g) == *side) cuts[0] = b;
            }
        }
        for (int k = 0; k < 2; k++) {
            const double from = k == 0 ? a : cuts[0];
            const double g = value_after(s, guard, cuts[k]);
            const int now = g == 0 ? AT_ZERO(*side) : isnan(g) ? NOT_A_NUMBER(*side) : sign(g);
            if (cuts[k] <= from || now == *side) continue;
            if (*side == 0 && s->awaited[i] != 0 && s->awaited[i] != now) continue;
            if (*side != 0 && now != 0 && fires_towards(guard, now)) {
                const double at = CROSSES_AT(s, guard, *side, from, cuts[k], h);
                if (is_enabled(s, guard, at)) return at;
            }
            *side = now;
        }
    }
    return INFINITY;
}

/* ---- modes */

/* The side to which a guard leaves zero: by its rate, or by its value shortly after. */
static int leaves_to(const place *s, const ic_guard *guard, double h)
{
    const double rate = guard->rate(s->t, s->x, s->problem->par);
    for (int k = 26; k >= 0 && (rate == 0 || !isfinite(rate)); k -= 2) {
        const double g = value_after(s, guard, ldexp(h, -k)), later = rate_after(s, guard, ldexp(h, -k));
        if (g != 0 || later != 0) return g != 0 ? sign(g) : sign(later);
    }
    return sign(rate);
}

/* Sets the sides of the guards of the entered mode. Returns a guard that is due at once, or
   NULL. */
static const ic_guard *enter_mode(place *s, int mode, const ic_guard *fired, const ic_branch *branch)
{
    const ic_guard *due = NULL;
    ENTERS(s);
    if (mode != IC_SAME_MODE) s->number = mode;
    s->mode = &s->problem->variant->modes[s->number];
    if (mode != IC_SAME_MODE) memset(s->greatest, 0, sizeof s->greatest);
    for (size_t i = 0; i < s->mode->n_guards && !s->mode->terminal; i++) {
        const ic_guard *guard = &s->mode->guards[i];
        const double g = guard->value(s->t, s->x, s->problem->par);
        const bool own = fired != NULL && guard->value == fired->value && strcmp(guard->name, fired->name) == 0;
        s->side[i] = sign(g), s->awaited[i] = 0;
        const double rounding = 1e-9 * fabs(guard->rate(s->t, s->x, s->problem->par)) * (fabs(s->t) + s->h);
        /* it is at zero up to rounding */
        const bool same = fired != NULL && guard->value == fired->value;
        if (g != 0 && !(own && LEARNS_SIDE_LATE) && !(same && fabs(g) <= rounding)) continue;
        const int leaves = leaves_to(s, guard, s->h);
        if (own) s->side[i] = LEARNS_SIDE_LATE ? 0 : OWN_SIDE(guard, leaves);
        else if (leaves != 0 && fires_towards(guard, leaves) &&
                 (fired == NULL ? FIRES_AT_START : FIRES_AFTER_JUMP)) {
            const bool enabled =
                guard->enabled == NULL || IS_ENABLED(guard->enabled(s->t, s->x, s->problem->par));
            if (due == NULL && enabled) due = guard;
            s->side[i] = -leaves;
        } else s->side[i] = leaves;
    }
    for (size_t k = 0; k < DEPARTURES(branch); k++) {
        const ic_departure *departure = &branch->departures[k];
        s->side[departure->guard] = 0, s->awaited[departure->guard] = departure->side;
        if (due == &s->mode->guards[departure->guard]) due = NULL;
    }
    return due;
}

/* s; the rest of a geometric series of intervals between events; INFINITY: there is no such
   series */
static double left_of_series(const place *s)
{
    if (s->n_latest < EVENTS_KEPT) return INFINITY;
    const double a = s->latest[2] - s->latest[3], b = s->latest[1] - s->latest[2],
                 c = s->latest[0] - s->latest[1];
    const double q = c / b;
    if (!(q > 0 && q < 0.999 && IS_SERIES(a, b, c))) return INFINITY;
    return c * q / (1 - q);
}

static void remember_event(place *s, const char *name)
{
    if (s->latest_name == NULL || strcmp(s->latest_name, name) != 0) s->n_latest = 0;
    s->latest_name = name;
    memmove(&s->latest[1], &s->latest[0], (EVENTS_KEPT - 1) * sizeof s->latest[0]);
    s->latest[0] = s->t;
    if (s->n_latest < EVENTS_KEPT) s->n_latest++;
}

/* Applies a jump and those of guards that are due at once after it. */
static ic_status apply_jump(ic_log *log, place *s, ic_event_kind kind, const char *name, const ic_jump *how,
                            const ic_guard *fired)
{
    ic_status status = IC_OK;
    while (status == IC_OK && how != NULL) {
        double x_pre[IC_MAX_STATES];
        memcpy(x_pre, s->x, sizeof x_pre);
        const int from = s->number, taken = BRANCH(how->apply(s->x, s->t, x_pre, s->problem->par));
        if (!all_finite(s->x, s->n)) return IC_NOT_FINITE;
        const ic_guard *due = enter_mode(s, how->branches[taken].mode, fired, &how->branches[taken]);
        const ic_event event = {
            kind, name, s->t, NUMBER(s->sequence), from, s->number, LOGGED_BEFORE(x_pre, s->x), s->x};
        status = ic_log_event(log, &event);
        if (++s->sequence > IC_CHAIN_MAX) return IC_CHAIN;
        remember_event(s, name);
        how = due != NULL ? &due->jump : NULL;
        kind = IC_EVENT_GUARD, fired = due, name = due != NULL ? due->name : "";
    }
    return status;
}

/* ---- the end of a step, which is cut at the first event */

static const ic_guard *same_guard(const place *s, const ic_guard *guard)
{
    for (size_t i = 0; i < s->mode->n_guards && !s->mode->terminal; i++) {
        if (s->mode->guards[i].value == guard->value && strcmp(s->mode->guards[i].name, guard->name) == 0)
            return &s->mode->guards[i];
    }
    return NULL;
}

static ic_status fire_guards(ic_log *log, place *s, const ic_guard *const *firing, size_t n)
{
    ic_status status = IC_OK;
    for (size_t k = 0; k < n && status == IC_OK; k++) {
        const ic_guard *guard = k == 0 ? firing[0] : same_guard(s, firing[k]);
        if (guard == NULL || (k > 0 && !FIRES_WITH)) continue;
        /* the jumps before it may have moved it off zero */
        const double g = guard->value(s->t, s->x, s->problem->par),
                     rate = guard->rate(s->t, s->x, s->problem->par);
        if (k > 0 && fabs(g) > 1e-9 * (fabs(rate) * (fabs(s->t) + s->h) + DBL_MIN)) continue;
        for (int i = 0; i < TIMES_FOUND && status == IC_OK; i++)
            status = apply_jump(log, s, IC_EVENT_GUARD, guard->name, &guard->jump, guard);
    }
    if (status != IC_OK || n == 0) return status;
    const double left = left_of_series(s);
    const ic_guard *guard = firing[0];
    if (!(left < LEFT * (fabs(s->t) + s->h))) return status;
    s->t += left;
    if (guard->accumulation.apply == NULL) return IC_ZENO;
    s->sequence = 0;
    s->n_latest = 0;
    return apply_jump(log, s, IC_EVENT_ACCUMULATION, guard->name, &guard->accumulation, guard);
}

static double next_time_event(const place *s, size_t *which)
{
    double next = INFINITY;
    for (size_t i = 0; i < s->problem->variant->n_time_events; i++) {
        const double t = s->problem->variant->time_events[i].when(s->occurrence[i], s->problem->par);
        if (t < next) next = t, *which = i;
    }
    return next;
}

/* Finds the guards that fire first in the step h, and the time until then, s. */
static size_t find_first(place *s, double h, const double *x1, const ic_guard **firing, double *after)
{
    double at[GUARDS];
    int sides[GUARDS];
    size_t n = 0;
    *after = INFINITY;
    for (size_t i = 0; i < s->mode->n_guards; i++) {
        at[i] = first_of_guard(s, i, h, x1, &sides[i]);
        if (isfinite(at[i]) && (isinf(*after) || FIRST_OF(at[i], *after))) *after = at[i];
    }
    for (size_t i = 0; i < s->mode->n_guards; i++) {
        if (isfinite(at[i]) && fabs(at[i] - *after) <= SAME_TIME * (fabs(s->t) + s->h))
            firing[n++] = &s->mode->guards[i];
        if (isinf(*after)) s->side[i] = sides[i];
    }
    return n;
}

/* ---- the run */

/* Samples within the step h, which ends in x1. */
static inline void sample_until(ic_log *log, place *s, double h, const double *x1)
{
    const double from = s->problem->t_start, whole = s->problem->t_end - from;
    while (s->next_sample < s->n_samples) {
        const double part = s->n_samples > 1 ? (double)s->next_sample / (double)(s->n_samples - 1) : 0;
        const double t = s->next_sample + 1 == s->n_samples ? s->problem->t_end : from + whole * part;
        double x[IC_MAX_STATES] = {0};
        if (t > s->t + h) return;
        if (t - s->t < h) SAMPLE_AT(x, s, t - s->t, h, x1);
        else memcpy(x, x1, s->n * sizeof *x);
        ic_log_sample(log, t, s->number, x);
        s->next_sample++;
    }
}

static inline ic_status one_step(ic_log *log, place *s, double longest)
{
    const ic_guard *firing[GUARDS];
    double x1[IC_MAX_STATES] = {0}, after = INFINITY, h = fmin(PROPOSE(s, longest), s->problem->t_end - s->t);
    size_t which = 0, n = 0;
    const double due = next_time_event(s, &which);
    const bool cut = s->t + h >= due && CUTS_AT_TIME_EVENTS, late = s->t + h >= due && !CUTS_AT_TIME_EVENTS;
    if (cut) h = fmax(due - s->t, 0);
    for (size_t j = 0; j < s->n; j++) s->size[j] = fmax(s->size[j], fabs(s->x[j]));
    ic_log_work(log)->steps += 1;
    STEP(x1, s, h);
    for (int i = 0; TRIES_SHORTER && i < 40 && h > 0 && !all_finite(x1, s->n); i++) STEP(x1, s, h *= 0.5);
    if (!all_finite(x1, s->n)) return IC_NOT_FINITE;
    if (h > 0) n = find_first(s, h, x1, firing, &after);
    const double same = SAME_TIME * (fabs(s->t) + s->h);
    const bool clock = cut && s->t + h >= due && !(n > 0 && GUARD_PRECEDES(after, h, same));
    if (n > 0 && !clock) {
        double x[IC_MAX_STATES] = {0};
        STATE_AT(x, s, h, after / h, x1);
        sample_until(log, s, after, x);
        memcpy(s->x, x, sizeof s->x);
        s->t = CLOCK(s->t, after, h);
        if (after > SAME_TIME * (fabs(s->t) + s->h)) s->sequence = 0;
        return fire_guards(log, s, firing, n);
    }
    sample_until(log, s, h, x1);
    memcpy(s->x, x1, sizeof s->x);
    s->t = clock ? due : s->problem->t_end - s->t <= h ? s->problem->t_end : s->t + h;
    if (h > 0) s->sequence = 0;
    if (!clock && !late) return IC_OK;
    const ic_time_event *event = &s->problem->variant->time_events[which];
    s->occurrence[which]++;
    return apply_jump(log, s, IC_EVENT_TIME, event->name, &event->jump, NULL);
}

static ic_status solve(ic_log *log, const ic_problem *given, const ic_options *options)
{
    const ic_problem *problem = PARAMETERS(given);
    BEGINS(problem);
    place s = {.problem = problem,
               .n_samples = options->samples,
               .n = problem->system->n_states,
               .t = problem->t_start};
    const ic_jump *start = &problem->variant->start;
    static const ic_branch as_given;
    const ic_branch *branch = &as_given;
    int mode = problem->mode_start;
    if (problem->x_start != NULL) memcpy(s.x, problem->x_start, s.n * sizeof *s.x);
    else {
        branch = &start->branches[start->apply(s.x, s.t, NULL, problem->par)];
        mode = branch->mode;
    }
    s.h = options->step > 0 ? options->step : (problem->t_end - problem->t_start) / 1000;
    s.rtol = options->rtol > 0 ? TOLERANCE(options->rtol) : 1e-9;
    const bool free_steps = CONTROL == IC_CONTROL_RTOL && !(options->step > 0);
    const double longest = free_steps ? problem->t_end - problem->t_start : s.h;
    const double most = options->max_steps > 0 ? options->max_steps : 1e8;
    const ic_guard *due = enter_mode(&s, mode, NULL, branch);
    ic_status status = due != NULL ? apply_jump(log, &s, IC_EVENT_GUARD, due->name, &due->jump, due) : IC_OK;
    sample_until(log, &s, 0, s.x);
    while (status == IC_OK && s.t < problem->t_end && !(s.mode->terminal && TERMINAL_ENDS)) {
        if (ic_log_work(log)->steps > most) status = IC_TOO_MUCH_WORK;
        else status = one_step(log, &s, longest);
    }
    ic_log_final(log, END_TIME(s.t, s.h), s.number, s.x);
    return status;
}

#ifndef NOT_KEPT /* clauses of the event contract */
#define NOT_KEPT 0
#endif
#ifndef OVER_EVENTS /* as declared */
#define OVER_EVENTS false
#endif

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_solver one = {
        IC_ABI(ic_solver),
        .name = NAME,
        .title = "for tests",
        .source = "textbook",
        .needs = IC_NEEDS_FLOW | IC_NEEDS_GUARD_RATE,
        .order = ORDER,
        .control = CONTROL,
        .steps_over_events = OVER_EVENTS,
        .clauses_not_kept = NOT_KEPT,
        .solve = solve,
    };
    static const ic_solver *const solvers[] = {&one};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = NAME, .solvers = solvers,
                                     .n_solvers = IC_COUNT(solvers)};
    return &plugin;
}
