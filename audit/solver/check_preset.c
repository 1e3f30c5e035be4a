/* SPDX-License-Identifier: MIT */
/*
 * A solver on presets of all cases. The reference is the analytic solver for cases with a linear
 * view, and dop853 at its finest for others; `verify` compares both with certificates and
 * accurate references. Events are compared up to the first without a partner, after which the
 * motions differ.
 *
 * Errors are compared with a fixed tolerance. If they exceed it, a solver with fixed steps must
 * show that they fall as it claims with a quarter of the step: by 4^p.
 */
#include "audit/common/drawn.h"
#include "audit/common/tolerances.h"
#include "audit/solver/solver.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Part of the time scale: events that are farther apart are different ones. */
#define SAME_EVENT 0.05
/* Part of the time scale: events that are closer are at one instant. */
#define SAME_INSTANT 1e-9
/* rtol of the reference if no analytic solver serves the case. */
#define FINEST 1e-13
/*
 * Steps of solvers of order 1 and 2, divided by the default: their errors must be smaller than
 * those of mistakes.
 */
#define PART_ORDER_1 0.25
#define PART_ORDER_2 0.5
/* Step of each further run divided by that of the one before, and how many there are at most: a method of low order
   may only show its order with short steps. */
#define REFINED 0.25
enum { MOST_RUNS = 4, MOST_HALVINGS = 3 };
#define MOST_REFINED_STEPS 1e6
/* Error of a state, in scales, that no longer falls with the step. */
#define LOST_MOTION 0.01
/* Part of the tolerances below which the errors of still shorter steps need not fall: mistakes of order 2 come near. */
#define MUCH_BETTER 0.01
/* Requested error of the second run of an adaptive method of low order, divided by that of the first. */
#define REFINED_ERROR 0.01
/* Order on contact laws, whose forces begin like d^(3/2): errors of a step there fall like h^2,
   with a factor that is not smooth in h. */
#define ORDER_ON_LAWS 1.5

/*
 * If errors of samples exceed those of events and the end by this factor, they are not errors of
 * the motion.
 */
#define ROUGH 10.0
/* The same if those are wrong, too, at right times. */
#define ROUGH_BESIDE 100.0

enum { SAMPLES = 65, MOST_DRAWN = 64, DRAWN_LENGTH = 64 };

/*
 * A sample belongs to another time if it is on the motion from the right one, followed in so many steps of a part of the time scale, up to
 * this part of its error. Errors of some tolerances are not examined, nor more than so many samples.
 */
#define ON_MOTION 0.02
#define CLEARLY_WRONG 30.0
enum { MOTION_STEPS = 4000, STEPS_OF_SCALE = 200, TRIED_SAMPLES = 8 };

/* A preset solved by the accurate solver. */
typedef struct truth {
    ic_setup setup;
    ic_log *log;

    /* time scale, s */
    double scale;

    /* of the states, at least their greatest magnitudes */
    double x_scale[IC_MAX_STATES];
} truth;

/* Where states are compared. */
typedef enum place {
    /* samples before the first event, and later ones */
    SAMPLE_BEFORE,
    SAMPLE,

    /* before and after events */
    EVENT_PRE,
    EVENT_POST,
    END,
    STATE_PLACES
} place;

/* The greatest error of a state at one kind of place. */
typedef struct state_error {
    /* over the state's scale */
    double error;

    size_t state;

    /* s */
    double t;
} state_error;

/* The differences of a run. */
typedef struct preset_comparison {
    size_t missing, spurious, matched;

    /* greatest error of a time, over the time scale */
    double worst;

    /* error of the time of the first event, over the time scale */
    double first;

    state_error states[STATE_PLACES];

    /* True if the runs are compared up to their ends. */
    bool end_compared;

    /* samples of the solver and of the reference */
    size_t sampled, samples;

    /* True if samples are wrong although events and the end are right. */
    bool rough_samples;

    /* True if these samples are states of another time. */
    bool displaced_samples;

    ic_mistake_id cause;

    /* The first contradiction in the log. */
    ic_mistake_id log;

    /* of the missing or additional event */
    const char *name;
} preset_comparison;

static place worst_place(const preset_comparison *c)
{
    place worst = SAMPLE_BEFORE;
    for (int i = 0; i < STATE_PLACES; i++)
        if (c->states[i].error > c->states[worst].error) worst = (place)i;
    return worst;
}

static double worst_state(const preset_comparison *c)
{
    return c->states[worst_place(c)].error;
}

static double worst_sample(const preset_comparison *c)
{
    return fmax(c->states[SAMPLE_BEFORE].error, c->states[SAMPLE].error);
}

/* ---- causes of missing and additional events */

static const ic_guard *find_guard(const truth *t, int mode, const char *name)
{
    const ic_variant *variant = t->setup.problem.variant;
    if (mode < 0 || (size_t)mode >= variant->n_modes) return NULL;
    return ic_guard_find(&variant->modes[mode], name);
}

/* `mine`: index of the event. A repetition at the same instant counts as one in either
   direction. */
static ic_mistake_id explain_additional(const truth *t, const ic_log *log, size_t mine, double step)
{
    const ic_event event = ic_log_event_at(log, mine), before = ic_log_event_at(log, mine > 0 ? mine - 1 : 0);
    const bool repeats = mine > 0 && strcmp(before.name, event.name) == 0;
    const double since = event.t - before.t;
    if (repeats && since <= SAME_INSTANT * t->scale) return IC_MISTAKE_FIRED_AGAIN;
    const ic_guard *guard = find_guard(t, event.mode_from, event.name);
    if (guard != NULL && guard->direction * guard->rate(event.t, event.x_pre, t->setup.problem.par) < 0)
        return IC_MISTAKE_DIRECTION_IGNORED;
    return repeats && since <= fmax(2.5 * step, 1e-4 * t->scale) ? IC_MISTAKE_FIRED_AGAIN : IC_NO_MISTAKE;
}

/* A guard fires at the start, or another event lies within a step, or the run ends beyond a guard that fired just
   before and should have fired again. */
static ic_mistake_id explain_missing(const truth *t, const ic_log *log, size_t i, double step)
{
    const ic_event event = ic_log_event_at(t->log, i), before = ic_log_event_at(t->log, i > 0 ? i - 1 : 0);
    const bool starts = i == 0 && event.t - t->setup.problem.t_start <= SAME_INSTANT * t->scale;
    if (starts && event.kind == IC_EVENT_GUARD) return IC_MISTAKE_ZERO_AT_START;
    const bool next = i + 1 < ic_log_event_count(t->log) && ic_log_event_at(t->log, i + 1).t - event.t <= step;
    if (next || (i > 0 && event.t - before.t <= step)) return IC_MISTAKE_CROSSINGS_LOST_IN_STEP;
    const ic_sample end = ic_log_end(log);
    const ic_guard *guard = find_guard(t, event.mode_from, event.name);
    const double *par = t->setup.problem.par;
    const bool beyond = guard != NULL && end.x != NULL && end.mode == event.mode_from &&
                        guard->value(end.t, end.x, par) * guard->direction > 0;
    const bool same = i > 0 && strcmp(before.name, event.name) == 0;
    return beyond && same ? IC_MISTAKE_FALLS_THROUGH : IC_MISTAKE_EVENT_LOST;
}

/* ---- comparison */

static void compare_states(preset_comparison *c, const truth *t, place where, double time, const double *right,
                           const double *other)
{
    for (size_t k = 0; right != NULL && other != NULL && k < t->setup.problem.system->n_states; k++) {
        const double error = fabs(other[k] - right[k]) / t->x_scale[k];
        if (error > c->states[where].error) c->states[where] = (state_error){error, k, time};
    }
}

/* the time until which the events agree, s */
static double compare_events(preset_comparison *c, const truth *t, const ic_log *log, double step)
{
    const size_t n = ic_log_event_count(t->log), m = ic_log_event_count(log);
    for (size_t i = 0; i < n || i < m; i++) {
        const double right = i < n ? ic_log_event_at(t->log, i).t : INFINITY,
                     other = i < m ? ic_log_event_at(log, i).t : INFINITY;
        const bool same = i < n && i < m && fabs(other - right) <= SAME_EVENT * t->scale &&
                          strcmp(ic_log_event_at(log, i).name, ic_log_event_at(t->log, i).name) == 0;
        if (same) {
            c->matched++;
            c->worst = fmax(c->worst, fabs(other - right) / t->scale);
            if (i == 0) c->first = c->worst;
            compare_states(c, t, EVENT_PRE, right, ic_log_event_at(t->log, i).x_pre,
                           ic_log_event_at(log, i).x_pre);
            compare_states(c, t, EVENT_POST, right, ic_log_event_at(t->log, i).x_post,
                           ic_log_event_at(log, i).x_post);
            continue;
        }
        /* An event at the very end may be on either side of it. */
        if (fmin(right, other) > t->setup.problem.t_end - SAME_EVENT * t->scale) return fmin(right, other);
        c->name = other < right ? ic_log_event_at(log, i).name : ic_log_event_at(t->log, i).name;
        if (other < right) c->spurious++, c->cause = explain_additional(t, log, i, step);
        else c->missing++, c->cause = explain_missing(t, log, i, step);
        return fmin(right, other);
    }
    return INFINITY;
}

static bool is_near_event(const truth *t, double time)
{
    for (size_t i = 0; i < ic_log_event_count(t->log); i++) {
        if (fabs(ic_log_event_at(t->log, i).t - time) <= 1e-3 * t->scale) return true;
    }
    return false;
}

/* ---- samples of another time */

/* y from x over the time h, by Runge and Kutta's method. */
static void step_once(double *y, const ic_mode *mode, double t, const double *x, double h,
                      const ic_problem *problem)
{
    static const double nodes[] = {0, 0.5, 0.5, 1}, weights[] = {1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6};
    const size_t n = problem->system->n_states;
    double k[4][IC_MAX_STATES] = {{0}}, stage[IC_MAX_STATES] = {0};
    memcpy(y, x, n * sizeof *y);
    for (int i = 0; i < 4; i++) {
        for (size_t j = 0; j < n; j++) stage[j] = x[j] + (i > 0 ? h * nodes[i] * k[i - 1][j] : 0);
        mode->flow(k[i], t + h * nodes[i], stage, problem->par);
        for (size_t j = 0; j < n; j++) y[j] += h * weights[i] * k[i][j];
    }
}

/* Least distance of a state from the motion in its mode from `x` on, in both directions of time, over the scales. */
static double distance_from_motion(const truth *t, const ic_sample *right, const double *other)
{
    const ic_problem *problem = &t->setup.problem;
    const size_t n = problem->system->n_states;
    double least = INFINITY;
    if (right->mode < 0 || (size_t)right->mode >= problem->variant->n_modes) return INFINITY;
    const ic_mode *mode = &problem->variant->modes[right->mode];
    for (int sense = -1; sense <= 1; sense += 2) {
        const double h = sense * t->scale / STEPS_OF_SCALE;
        double x[IC_MAX_STATES];
        memcpy(x, right->x, n * sizeof *x);
        for (int i = 0; i < MOTION_STEPS; i++) {
            double y[IC_MAX_STATES] = {0}, along = 0, length = 0, off = 0;
            step_once(y, mode, right->t + i * h, x, h, problem);
            for (size_t k = 0; k < n; k++) {
                const double way = (y[k] - x[k]) / t->x_scale[k];
                along += way * (other[k] - x[k]) / t->x_scale[k], length += way * way;
            }
            const double u =
                length > 0 ? fmin(fmax(along / length, 0), 1) : 0; /* the nearest point of the step */
            for (size_t k = 0; k < n; k++)
                off = fmax(off, fabs(other[k] - x[k] - u * (y[k] - x[k])) / t->x_scale[k]);
            least = fmin(least, off);
            memcpy(x, y, n * sizeof *x);
        }
    }
    return least;
}

/* Whether the worst samples are states of the same motion at another time. */
static bool are_displaced(const truth *t, const ic_log *log, double until)
{
    size_t wrong = 0, displaced = 0;
    for (size_t i = 0; i < ic_log_sample_count(t->log) && wrong < TRIED_SAMPLES; i++) {
        const ic_sample right = ic_log_sample_at(t->log, i), other = ic_log_sample_at(log, i);
        preset_comparison here = {0};
        if (right.t >= until || is_near_event(t, right.t)) continue;
        compare_states(&here, t, SAMPLE, right.t, right.x, other.x);
        if (here.states[SAMPLE].error <= CLEARLY_WRONG * ic_tolerance_preset_states.value) continue;
        wrong++;
        displaced += distance_from_motion(t, &right, other.x) <= ON_MOTION * here.states[SAMPLE].error;
    }
    return wrong > 0 && 4 * displaced >= 3 * wrong;
}

/* The greatest error of states after events and at the end. */
static double worst_after(const preset_comparison *c)
{
    return fmax(c->states[END].error, c->states[EVENT_POST].error);
}

/* Whether logged states before events are wrong, where the motion that they belong to is right: it has its events
   at their times, and goes on rightly. */
static bool is_wrong_before_events_alone(const preset_comparison *c)
{
    return c->worst <= ic_tolerance_preset_times.value &&
           c->states[EVENT_PRE].error > ROUGH * fmax(ic_tolerance_preset_states.value, worst_after(c));
}

/* The greatest error of states of the motion that are not samples. */
static double worst_beside_samples(const preset_comparison *c)
{
    return is_wrong_before_events_alone(c) ? worst_after(c) : fmax(worst_after(c), c->states[EVENT_PRE].error);
}

/* Whether samples are worse than all else, where both are compared over the same time. */
static bool are_rough(const preset_comparison *c)
{
    const double tolerance = ic_tolerance_preset_states.value, elsewhere = worst_beside_samples(c);
    const double factor = elsewhere <= tolerance                        ? ROUGH
                          : c->worst <= ic_tolerance_preset_times.value ? ROUGH_BESIDE
                                                                        : INFINITY;
    return (c->matched > 0 || c->end_compared) && worst_sample(c) > tolerance &&
           worst_sample(c) > factor * elsewhere;
}

static preset_comparison compare_logs(const truth *t, const ic_log *log, const ic_solver *solver, double step)
{
    preset_comparison c = {0};
    const double parted = compare_events(&c, t, log, step);
    const double until = isinf(parted)   ? parted
                         : c.matched > 0 ? ic_log_event_at(t->log, c.matched - 1).t
                                         : parted;
    c.samples = ic_log_sample_count(t->log), c.sampled = ic_log_sample_count(log);
    const double first = ic_log_event_count(t->log) > 0 ? ic_log_event_at(t->log, 0).t : INFINITY;
    for (size_t i = 0; c.sampled == c.samples && i < c.samples; i++) {
        const ic_sample right = ic_log_sample_at(t->log, i), other = ic_log_sample_at(log, i);
        if (right.t < until && !is_near_event(t, right.t))
            compare_states(&c, t, right.t < first ? SAMPLE_BEFORE : SAMPLE, right.t, right.x, other.x);
    }
    const ic_sample right = ic_log_end(t->log), other = ic_log_end(log);
    c.end_compared = isinf(until) && !is_near_event(t, t->setup.problem.t_end);
    if (c.end_compared) compare_states(&c, t, END, right.t, right.x, other.x);
    c.rough_samples = are_rough(&c);
    c.displaced_samples = c.rough_samples && are_displaced(t, log, until);
    c.log = ic_log_read(log, solver).cause;
    return c;
}

static bool is_good(const preset_comparison *c)
{
    return c->missing + c->spurious == 0 && c->worst <= ic_tolerance_preset_times.value &&
           worst_state(c) <= ic_tolerance_preset_states.value;
}

/* ---- the reference */

/* Settings that change each parameter of the preset by up to `part`, where it can be drawn. */
typedef struct drawn_settings {
    char text[MOST_DRAWN][DRAWN_LENGTH];
    const char *of[MOST_DRAWN];
    size_t n;
} drawn_settings;

static void draw_settings(drawn_settings *d, const ic_problem *problem, double part, uint64_t seed)
{
    const ic_case *system = problem->system;
    for (size_t k = 0; k < system->n_parameters && d->n < MOST_DRAWN; k++) {
        double value;
        if (!ic_draw_parameter(&value, problem, k, part, &seed)) continue;
        d->of[d->n] = d->text[d->n];
        snprintf(d->text[d->n++], DRAWN_LENGTH, "%s=%.12g", system->parameters[k].name, value);
    }
}

/* `part`: of the run, from its start on. */
static bool solve_truth(truth *t, const ic_request *request, double part)
{
    const ic_options options = {.rtol = FINEST, .samples = SAMPLES};
    ic_error error;
    *t = (truth){0};
    if (!ic_setup_open(&t->setup, request, &error)) return false;
    ic_problem *problem = &t->setup.problem;
    if (part < 1) {
        problem->t_end = problem->t_start + part * (problem->t_end - problem->t_start);
        problem->t_end_text = NULL;
    }
    const ic_solver *solver = ic_solver_find("piecewise_linear");
    if (!ic_solver_solves(solver, problem)) solver = ic_solver_find("dop853");
    t->log = ic_log_new(problem);
    t->scale = ic_time_scale(problem);
    ic_state_scales(problem, t->x_scale);
    if (t->log == NULL || solver->solve(t->log, problem, &options) != IC_OK) return false;
    for (size_t s = 0; s < ic_log_sample_count(t->log); s++) {
        const double *x = ic_log_sample_at(t->log, s).x;
        for (size_t k = 0; k < problem->system->n_states; k++) t->x_scale[k] = fmax(t->x_scale[k], fabs(x[k]));
    }
    return true;
}

static void close_truth(truth *t)
{
    ic_log_free(t->log);
    ic_setup_close(&t->setup);
}

/* Whether two solvers of our own, one of order 4 with fixed steps, agree with it, so that a right one can. */
static bool is_agreed(const truth *t)
{
    static const char *const others[] = {"rk4_henon", "rk45_bisection"};
    bool good = true;
    for (size_t i = 0; i < IC_COUNT(others) && good; i++) {
        const ic_solver *solver = ic_solver_find(others[i]);
        ic_options options = ic_solver_options(solver, ic_default_step(&t->setup.problem), 1);
        options.samples = SAMPLES;
        ic_log *log = ic_log_new(&t->setup.problem);
        good = log != NULL && solver->solve(log, &t->setup.problem, &options) == IC_OK;
        if (good) {
            const preset_comparison c = compare_logs(t, log, solver, options.step);
            good = is_good(&c);
        }
        ic_log_free(log);
    }
    return good;
}

/* Whether both runs have the same events, one after the other. */
static bool has_same_events(const ic_log *a, const ic_log *b)
{
    bool same = ic_log_event_count(a) == ic_log_event_count(b);
    for (size_t i = 0; same && i < ic_log_event_count(a); i++)
        same = strcmp(ic_log_event_at(a, i).name, ic_log_event_at(b, i).name) == 0;
    return same;
}

/*
 * A plugin meets parameters that it cannot know, near those of the preset, with the same events; the preset's own where
 * the motion is so sensitive that our own solvers do not agree on any of these.
 */
static bool open_truth(truth *t, size_t i, double part)
{
    static const double parts[] = {0.02, 0.001, 1e-5};
    const ic_trial_path path = ic_audited_preset(i);
    const ic_request usual = {.path = path.text, .until = path.until};
    truth own;
    uint64_t seed;
    bool solved = solve_truth(&own, &usual, part), found = false;
    for (size_t k = 0; k < IC_COUNT(parts) && solved && !found && ic_solver_draws(&seed); k++) {
        drawn_settings d = {.n = 0};
        draw_settings(&d, &own.setup.problem, parts[k], seed + i);
        const ic_request request = {path.text, d.of, d.n, path.until, NULL};
        found = solve_truth(t, &request, part) && has_same_events(own.log, t->log) && is_agreed(t);
        if (!found) close_truth(t);
    }
    close_truth(&own);
    if (!found) solved = solve_truth(t, &usual, part);
    return solved;
}

/* ---- rows */

static double usual_part(const ic_solver *solver)
{
    if (solver->control != IC_CONTROL_STEP) return 1;
    return solver->order <= 1 ? PART_ORDER_1 : solver->order == 2 ? PART_ORDER_2 : 1;
}

typedef struct judged {
    /* of the first run, and of the second if there is one */
    preset_comparison coarse, fine;

    bool refined;

    /* the part to which errors must fall if refined */
    double fall;
} judged;

/* The greatest error of a state that passes. */
static double allowed_state(const judged *j, double coarse)
{
    return fmax(ic_tolerance_preset_states.value, j->fall * coarse);
}

static bool is_wrong_at(const judged *j, place where)
{
    const preset_comparison *c = j->refined ? &j->fine : &j->coarse;
    return c->states[where].error > allowed_state(j, j->refined ? j->coarse.states[where].error : 0);
}

/*
 * What is wrong, given that states or times are. `located`: events are right if the motion is, so that one that is
 * late from the first on shows the motion before it.
 */
static ic_wrong classify(const judged *j, bool located)
{
    const preset_comparison *c = j->refined ? &j->fine : &j->coarse;
    const bool late = c->worst > fmax(ic_tolerance_preset_times.value, j->fall * j->coarse.worst);
    const bool at[STATE_PLACES] = {is_wrong_at(j, SAMPLE_BEFORE), is_wrong_at(j, SAMPLE),
                                   is_wrong_at(j, EVENT_PRE), is_wrong_at(j, EVENT_POST), is_wrong_at(j, END)};
    if (is_wrong_before_events_alone(c) &&
        (c->rough_samples || worst_sample(c) <= ic_tolerance_preset_states.value))
        return c->states[EVENT_PRE].error >= worst_sample(c) ? IC_WRONG_STATES_BEFORE : IC_WRONG_SAMPLES;
    if (c->rough_samples) return IC_WRONG_SAMPLES;
    const bool first = c->first > fmax(ic_tolerance_preset_times.value, j->fall * j->coarse.first);
    if (at[SAMPLE_BEFORE] || (first && located)) return IC_WRONG_BEFORE;
    if (late || at[SAMPLE] || at[EVENT_POST]) return IC_WRONG_AFTER;
    return at[END] ? IC_WRONG_END : at[EVENT_PRE] ? IC_WRONG_STATES_BEFORE : IC_WRONG_AFTER;
}

/* Whether events and the end, as far as they are compared, are right. */
static bool is_right_beside_samples(const judged *j)
{
    const preset_comparison *c = j->refined ? &j->fine : &j->coarse;
    return !is_wrong_at(j, EVENT_PRE) && !is_wrong_at(j, EVENT_POST) && !is_wrong_at(j, END) &&
           !(c->worst > fmax(ic_tolerance_preset_times.value, j->fall * j->coarse.worst));
}

/* Whether samples are so little worse than all else that it may be chance. */
static bool may_be_of_motion(const preset_comparison *c)
{
    const double elsewhere = worst_beside_samples(c);
    return c->rough_samples && !c->displaced_samples && worst_sample(c) <= ROUGH_BESIDE * elsewhere;
}

/*
 * The cause of wrong states or times: that of the log of the same run, a known one, or what they show themselves.
 * Before the first event steps alone can be wrong: if the motion is forced, the solver may evaluate the flow at
 * wrong times, else its errors do not fall as promised.
 */
static ic_mistake_id find_motion_cause(const ic_solver *solver, const truth *t, const judged *j,
                                       const ic_known *known)
{
    const preset_comparison *c = j->refined ? &j->fine : &j->coarse;
    const bool forced = t->setup.problem.system->period != NULL;
    const ic_wrong wrong = classify(j, ic_known_first(known) == IC_NO_MISTAKE);
    ic_known here = *known;
    if (here.of[IC_KNOWN_STEPS] == IC_MISTAKE_STALE_TIME && !forced && wrong == IC_WRONG_BEFORE)
        here.of[IC_KNOWN_STEPS] = IC_NO_MISTAKE; /* flows that do not depend on time are right */
    const ic_mistake_id claims = ic_known_claim(&here, may_be_of_motion(c) ? IC_WRONG_AFTER : wrong);
    if (ic_may_claim(c->log, wrong)) return c->log;
    if (claims != IC_NO_MISTAKE) return claims;
    if (wrong == IC_WRONG_SAMPLES)
        return c->displaced_samples ? IC_MISTAKE_SAMPLES_DISPLACED : IC_MISTAKE_SAMPLES_ROUGH;
    if (known->of[IC_KNOWN_SAMPLES] != IC_NO_MISTAKE && is_right_beside_samples(j))
        return known->of[IC_KNOWN_SAMPLES];
    if (forced && ic_known_first(known) == IC_NO_MISTAKE && ic_probe_clock_is_stale(solver))
        return IC_MISTAKE_STALE_TIME;
    if (wrong == IC_WRONG_AFTER && known->of[IC_KNOWN_INTERPOLANT] != IC_NO_MISTAKE)
        return known->of[IC_KNOWN_INTERPOLANT];
    return wrong == IC_WRONG_BEFORE && j->refined && !is_right_beside_samples(j) ? IC_MISTAKE_ORDER_LOST
                                                                                 : IC_NO_MISTAKE;
}

/* The cause of missing and additional events. */
static ic_mistake_id find_events_cause(const preset_comparison *c, const ic_known *known, ic_mistake_id motion)
{
    const ic_mistake_id claims = ic_known_claim(known, IC_WRONG_EVENTS);
    if (c->cause == IC_MISTAKE_DIRECTION_IGNORED && known->of[IC_KNOWN_DIRECTION] == c->cause) return c->cause;
    if (c->log == IC_MISTAKE_DISABLED_FIRES && c->spurious > 0) return c->log;
    if (claims != IC_NO_MISTAKE) return claims;
    return c->cause == IC_NO_MISTAKE && ic_may_claim(motion, IC_WRONG_EVENTS) ? motion : c->cause;
}

/* "; the worst: v at the sample at t = 0.3, and samples alone are wrong" */
static void describe_worst(char *text, size_t size, const truth *t, const judged *j)
{
    static const char *const names[STATE_PLACES] = {[SAMPLE_BEFORE] = "at the sample at",
                                                    [SAMPLE] = "at the sample at",
                                                    [EVENT_PRE] = "before the event at",
                                                    [EVENT_POST] = "after the event at",
                                                    [END] = "at the end, "};
    const preset_comparison *c = j->refined ? &j->fine : &j->coarse;
    const place worst = worst_place(c);
    const ic_wrong wrong = classify(j, false);
    snprintf(text, size, "; the worst is %.20s %s t = %.6g s%s%s",
             t->setup.problem.system->states[c->states[worst].state].name, names[worst], c->states[worst].t,
             wrong == IC_WRONG_SAMPLES         ? "; only samples are wrong"
             : wrong == IC_WRONG_END           ? "; only the end is wrong"
             : wrong == IC_WRONG_BEFORE        ? "; the motion is wrong before the first event"
             : wrong == IC_WRONG_STATES_BEFORE ? "; only states before events are wrong"
                                               : "",
             wrong == IC_WRONG_SAMPLES && c->displaced_samples ? ": they are states of another time" : "");
}

static void add_rows(ic_finding_writer *writer, const ic_solver *solver, const truth *t, const judged *j,
                     ic_known *known)
{
    const preset_comparison *c = j->refined ? &j->fine : &j->coarse;
    const char *origin =
        j->refined ? ic_tolerance_refined_order.derivation : ic_tolerance_preset_times.derivation;
    ic_judged_value times = {c->worst, fmax(ic_tolerance_preset_times.value, j->fall * j->coarse.worst), origin,
                             IC_NO_MISTAKE},
                    states = {worst_state(c), allowed_state(j, worst_state(&j->coarse)), origin, IC_NO_MISTAKE};
    if (!(times.value <= times.tolerance && states.value <= states.tolerance))
        times.cause = states.cause = find_motion_cause(solver, t, j, known);
    const bool of_samples =
        states.cause == IC_MISTAKE_SAMPLES_DISPLACED || states.cause == IC_MISTAKE_SAMPLES_ROUGH;
    if (of_samples && known->of[IC_KNOWN_SAMPLES] != IC_MISTAKE_SAMPLES_DISPLACED)
        known->of[IC_KNOWN_SAMPLES] = states.cause;
    if (c->rough_samples) times.cause = ic_known_claim(known, IC_WRONG_AFTER); /* samples have no part in it */
    const ic_judged_value events = {(double)(c->missing + c->spurious), 0, "the accurate solver's events",
                                    find_events_cause(c, known, times.cause)};
    ic_write_measured(writer, IC_CHECK_SOLVER_EVENTS, &events, "%zu events are right%s%s", c->matched,
                      c->missing > 0    ? "; then one is missing: "
                      : c->spurious > 0 ? "; then one is additional: "
                                        : "",
                      c->name != NULL ? c->name : "");
    if (c->matched > 0)
        ic_write_measured(writer, IC_CHECK_SOLVER_TIMES, &times, "greatest of %zu events", c->matched);
    char text[192] = "", samples[64] = ", samples and the end";
    if (!(states.value <= states.tolerance)) describe_worst(text, sizeof text, t, j);
    if (c->sampled != c->samples)
        snprintf(samples, sizeof samples, " and the end; there are %zu samples of %zu", c->sampled, c->samples);
    ic_write_measured(writer, IC_CHECK_SOLVER_STATES, &states, "at events%s%s", samples, text);
}

/* How far the states that are zero at the start are moved away from it, in scales. */
#define OFF_ZERO 1e-3

/*
 * The cause of steps that collapse: a tolerance that is a part of the state vanishes with it, and the same run does
 * not fail if all states differ from zero at the start.
 */
static ic_mistake_id explain_collapse(const ic_solver *solver, const truth *t, const ic_options *options)
{
    ic_problem problem = t->setup.problem;
    const ic_jump *start = &problem.variant->start;
    double x[IC_MAX_STATES] = {0}, scale[IC_MAX_STATES];
    bool moved = false;
    if (solver->control != IC_CONTROL_RTOL || problem.x_start != NULL) return IC_NO_MISTAKE;
    problem.mode_start = start->branches[start->apply(x, problem.t_start, NULL, problem.par)].mode;
    ic_state_scales(&problem, scale);
    for (size_t k = 0; k < problem.system->n_states; k++) {
        if (x[k] == 0) x[k] = OFF_ZERO * scale[k], moved = true;
    }
    problem.x_start = x;
    ic_solver_run r = ic_solver_run_of(solver, &problem, options);
    const bool good = moved && r.status == IC_OK;
    ic_solver_run_free(&r);
    return good ? IC_MISTAKE_TOLERANCE_RELATIVE : IC_NO_MISTAKE;
}

/* Compares a run. false: the solver has no result, and a row reports this. */
static bool solve_and_compare(preset_comparison *c, ic_finding_writer *writer, const ic_solver *solver,
                              const truth *t, ic_known *known, double part)
{
    const ic_mistake_id late = ic_known_claim(known, IC_WRONG_STATUS);
    ic_options options = ic_solver_options(solver, ic_default_step(&t->setup.problem), part);
    options.samples = SAMPLES;
    if (ic_steps_are_too_short(solver, known->of[IC_KNOWN_STEPS])) options.max_steps = IC_ENOUGH_STEPS;
    ic_solver_run r = ic_solver_run_of(solver, &t->setup.problem, &options);
    ic_solver_run_report(writer, &r, false);
    const bool good = r.status == IC_OK && r.damage == 0;
    if (good) {
        *c = compare_logs(t, r.log, solver, options.step);
        if (part >= usual_part(solver))
            ic_audit_log(writer, r.log, solver, ic_known_claim(known, IC_WRONG_EVENTS));
    } else if (r.damage > 0) { /* reported; the result means nothing */
    } else if (r.status == IC_UNSUPPORTED)
        ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, "the solver does not support it");
    else if (r.status == IC_TOO_MUCH_WORK && ic_solver_may_need_more_steps(solver) && late == IC_NO_MISTAKE)
        ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, "%g steps are not enough at order %d",
                      options.max_steps, solver->order);
    else {
        const bool collapsed = r.status == IC_STEP_TOO_SMALL || r.status == IC_TOO_MUCH_WORK;
        const ic_judged_value status = {1, 0, "all finish",
                                        r.status == IC_NOT_FINITE ? IC_MISTAKE_NOT_FINITE
                                        : late != IC_NO_MISTAKE   ? late
                                        : collapsed               ? explain_collapse(solver, t, &options)
                                                                  : IC_NO_MISTAKE};
        ic_write_measured(writer, IC_CHECK_SOLVER_STATUS, &status, "%s %.60s", ic_status_text(r.status),
                          ic_log_text(r.log));
        /* Later runs are ended sooner. */
        if (status.cause == IC_MISTAKE_TOLERANCE_RELATIVE && known->of[IC_KNOWN_STEPS] == IC_NO_MISTAKE)
            known->of[IC_KNOWN_STEPS] = status.cause;
    }
    ic_solver_run_free(&r);
    return good;
}

/* `least`: part of the tolerances below which errors need not fall. */
static bool falls_as_claimed(const judged *j, double least)
{
    const preset_comparison *c = &j->fine;
    return c->missing + c->spurious == 0 &&
           c->worst <= fmax(least * ic_tolerance_preset_times.value, j->fall * j->coarse.worst) &&
           worst_state(c) <= fmax(least * ic_tolerance_preset_states.value, j->fall * worst_state(&j->coarse));
}

/*
 * Runs with shorter and shorter steps, until the errors of one have fallen from an earlier one as the order claims; if
 * those of none have, the first two are judged. false: a run has no result, and a row reports this.
 */
static bool refine(judged *j, ic_finding_writer *writer, const ic_solver *solver, const truth *t,
                   ic_known *known)
{
    const bool rough = t->setup.problem.variant->law != NULL;
    const double power =
        fmin(solver->order, rough ? ORDER_ON_LAWS : INFINITY) - ic_tolerance_refined_order.value;
    preset_comparison runs[MOST_RUNS] = {j->coarse};
    for (int i = 1; i < MOST_RUNS; i++) {
        const double part = usual_part(solver) * pow(REFINED, i);
        const double step = part * ic_default_step(&t->setup.problem);
        if (i > 1 && (t->setup.problem.t_end - t->setup.problem.t_start) / step > MOST_REFINED_STEPS) break;
        if (!solve_and_compare(&runs[i], writer, solver, t, known, part)) return false;
        for (int k = i - 1; k >= 0; k--) {
            *j = (judged){runs[k], runs[i], .refined = true, .fall = pow(REFINED, power * (i - k))};
            if (falls_as_claimed(j, i == 1 ? 1 : MUCH_BETTER)) return true;
        }
        if (ic_known_first(known) != IC_NO_MISTAKE && !solver->steps_over_events) break; /* that explains it */
    }
    *j = (judged){runs[0], runs[1], .refined = true, .fall = pow(REFINED, power)};
    return true;
}

/*
 * Whether a method of low order has lost the motion, so that its errors cannot fall as claimed: it is judged by a
 * shorter run.
 */
static bool has_lost_motion(const ic_solver *solver, const judged *j)
{
    if (!j->refined || solver->order > 2 || falls_as_claimed(j, 1)) return false;
    return j->coarse.missing + j->coarse.spurious > 0 || worst_state(&j->coarse) > LOST_MOTION;
}

/* false: a shorter run may decide. */
static bool audit_preset(ic_finding_writer *writer, const ic_solver *solver, const truth *t, ic_known *known,
                         bool shortest)
{
    const double part = usual_part(solver);
    judged j = {.refined = false};
    if (!solve_and_compare(&j.coarse, writer, solver, t, known, part)) return true;
    /* The run misses an event at the start that the solver declares not to find (clause 2 of the event contract):
       the motions differ from the start on, and nothing else can be compared. */
    if (j.coarse.cause == IC_MISTAKE_ZERO_AT_START && (solver->clauses_not_kept & IC_CLAUSE(2)) != 0) {
        ic_write_open(
            writer, IC_CHECK_SOLVER_EVENTS, (double)j.coarse.missing,
            "'%s' at the start is missing; the solver declares that it does not keep clause 2 of the event "
            "contract",
            j.coarse.name);
        return true;
    }
    if (solver->control == IC_CONTROL_STEP && solver->order > 0 && !is_good(&j.coarse)) {
        if (!refine(&j, writer, solver, t, known)) return true;
    }
    if (ic_solver_may_need_more_steps(solver) && !is_good(&j.coarse)) { /* as much as is asked of others */
        j.refined = solve_and_compare(&j.fine, writer, solver, t, known, part * REFINED_ERROR);
        if (!j.refined) return true;
    }
    const preset_comparison *c = j.refined ? &j.fine : &j.coarse;
    if (solver->steps_over_events && !is_good(c) && !(j.refined && falls_as_claimed(&j, 1)) &&
        !is_wrong_at(&j, SAMPLE_BEFORE)) {
        ic_write_open(writer, IC_CHECK_SOLVER_STATES, worst_state(c),
                      "wrong from an event on; the solver declares that it steps over events");
        return true;
    }
    if (!shortest && has_lost_motion(solver, &j)) return false;
    add_rows(writer, solver, t, &j, known);
    return true;
}

void ic_audit_preset(ic_finding_writer *writer, const ic_solver *solver, size_t i, ic_known *known)
{
    bool decided = false;
    for (int halvings = 0; !decided; halvings++) {
        truth t;
        decided = true;
        if (!open_truth(&t, i, ldexp(1, -halvings)))
            ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, "there is no reference to compare with");
        else if (!ic_solver_solves(solver, &t.setup.problem))
            ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, "the solver is not for problems of this kind");
        else decided = audit_preset(writer, solver, &t, known, halvings == MOST_HALVINGS);
        close_truth(&t);
    }
}
