/* SPDX-License-Identifier: MIT */
#include "audit/common/tolerances.h"
#include "audit/trajectory/track/track.h"
#include "core/model.h"
#include "registry/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* ---- processor time */

double ic_effort_now(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

bool ic_effort_is_spent(double began)
{
    return ic_effort_now() - began > IC_MOST_EFFORT;
}

/*
 * Rows per typical time: with more, a wrong force would move a state by less than
 * ic_tolerance_accuracy within an interval.
 */
enum { ROWS_PER_TIME = 100, LEAST_INTERVALS = 20, MOST_INTERVALS = 4000, BLOCKS = 8 };

/* Steps of the case's own run: runs without events need far fewer. */
#define OWN_STEPS 1e5
/*
 * Length of the case's own run in typical times. A case that has no event until then is in its
 * steady state.
 */
#define OWN_TIMES 20

/* ---- choice of rows */

static bool beside_an_event(const ic_trajectory *tr, size_t i)
{
    return (i > 0 && tr->t[i] == tr->t[i - 1]) || (i + 1 < tr->n && tr->t[i] == tr->t[i + 1]);
}

/* Most rows from one of a grid to the next, and in the mean; least number of its rows, relative accuracy of its step. */
enum { MOST_BETWEEN = 64, LEAST_ON_GRID = 8, MOST_FOR_EACH = 20 };
#define EVEN 1e-3
/* Steps across which a grid goes on. */
#define LONGEST_GAP 2.5
/* Greatest rounding of times, relative to the step. */
#define ROUNDED 0.2

/*
 * Whether half of the file's time is rows in this step from the first one on. Rows may be lost; behind a longer gap the
 * grid may begin anew.
 */
static bool is_even(const ic_trajectory *tr, double step, double uneven)
{
    double last = tr->t[0];
    size_t count = 1;
    for (size_t i = 1; i < tr->n; i++) {
        const double apart = tr->t[i] - last, steps = nearbyint(apart / step);
        const bool on = steps >= 1 && fabs(apart - steps * step) <= uneven;
        count += on;
        if (on || apart > LONGEST_GAP * step) last = tr->t[i];
    }
    return count >= LEAST_ON_GRID && MOST_FOR_EACH * count >= tr->n &&
           2 * (double)count * step >= tr->t[tr->n - 1] - tr->t[0];
}

/* Seeks the step of an even grid from the first row on, of exact times or of rounded ones. */
static void find_grid(ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const ic_digits digits = ic_digits_of(tr->t, tr->n, 1);
    const double rounded = tr->n > 0 ? 2 * ic_digits_rounding(&digits, tr->t[tr->n - 1]) : 0;
    k->grid_step = 0;
    for (size_t i = 0; i < 2 * (size_t)MOST_BETWEEN && k->grid_step == 0; i++) {
        const size_t row = i / 2 + 1;
        const double step = row < tr->n ? tr->t[row] - tr->t[0] : 0;
        k->uneven_by = EVEN * step + (i % 2 == 0 ? 0 : rounded);
        if (k->uneven_by < ROUNDED * step && is_even(tr, step, k->uneven_by)) k->grid_step = step;
    }
}

bool ic_row_is_between_steps(const ic_tracking *k, size_t i)
{
    const ic_trajectory *tr = k->trajectory;
    if (k->grid_step == 0) return false;
    const double least = k->grid_step - k->uneven_by, most = k->grid_step + k->uneven_by;
    for (size_t a = i; a-- > 0 && i - a < MOST_BETWEEN && tr->t[i] - tr->t[a] < least;) {
        for (size_t b = i + 1; b < tr->n && b - a <= MOST_BETWEEN && tr->t[b] - tr->t[a] <= most; b++) {
            if (tr->t[b] - tr->t[a] >= least) return true;
        }
    }
    return false;
}

/*
 * A free impact begins at the surface: rows whose first state, the indentation, is still negative
 * precede it.
 */
static size_t first_row(const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    size_t i = 0;
    if (k->problem->variant->free_impact == NULL) return 0;
    while (i + 2 < tr->n && tr->x[i * tr->n_states] < 0) i++;
    return i;
}

/* Least spacing of tracked rows, s. Short trajectories still get LEAST_INTERVALS. */
static double least_spacing(const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const double span = tr->n > 0 ? tr->t[tr->n - 1] - tr->t[0] : 0;
    const double least = fmin(k->time_scale / ROWS_PER_TIME, span / LEAST_INTERVALS);
    /*
     * A memory of the contact must be followed from the first row on, which blocks of intervals do
     * not permit.
     */
    return 0.999 * (ic_remembers_contact(k) ? fmax(least, span / MOST_INTERVALS) : least);
}

static bool choose_rows(ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const double least = least_spacing(k);
    find_grid(k);
    k->rows = malloc((tr->n + 1) * sizeof *k->rows);
    if (k->rows == NULL) return false;
    double before = -INFINITY; /* time of the row that was chosen last */
    for (size_t i = first_row(k); i < tr->n; i++) {
        if (beside_an_event(tr, i) || ic_row_is_between_steps(k, i) || !(tr->t[i] - before >= least)) continue;
        k->rows[k->n_rows++] = i;
        before = tr->t[i];
    }
    /* the last interval is longer, so that it ends with the rows */
    size_t last = tr->n;
    while (last > 0 && beside_an_event(tr, last - 1)) last--;
    if (k->n_rows > 1 && last > 0) k->rows[k->n_rows - 1] = last - 1;
    return true;
}

/* Sets the initial values of memories to those of the case's own run at the first tracked row. */
static bool lay_memories(ic_tracking *k)
{
    const ic_problem *problem = k->problem;
    const ic_jump *jump = &problem->variant->start;
    const size_t n = problem->system->n_states;
    double start[IC_MAX_STATES] = {0};
    ic_prediction own = {0};
    const int taken = jump->apply(start, problem->t_start, NULL, problem->par);
    if (taken == IC_NO_START || k->n_intervals == 0) return true;
    const double t = k->trajectory->t[k->intervals[0].from];
    if (ic_remembers_contact(k) && t > problem->t_start)
        ic_predict(&own, &k->predictor, true, problem->t_start, start, jump->branches[taken].mode, t);
    k->memory = malloc((k->n_intervals * n + 1) * sizeof *k->memory);
    if (k->memory == NULL) return false;
    for (size_t i = 0; i < k->n_intervals; i++) {
        k->intervals[i].memory = &k->memory[i * n];
        memcpy(k->intervals[i].memory, own.good ? own.x : start, n * sizeof *start);
    }
    return true;
}

/* Chooses all intervals, or evenly spaced blocks of them. */
static bool choose_intervals(ic_tracking *k)
{
    const size_t all = k->n_rows > 0 ? k->n_rows - 1 : 0, n = all < MOST_INTERVALS ? all : MOST_INTERVALS;
    const size_t block = MOST_INTERVALS / BLOCKS;
    k->intervals = calloc(n + 1, sizeof *k->intervals);
    if (k->intervals == NULL) return false;
    // cppcheck-suppress knownConditionTrueFalse ; n counts the chosen intervals
    for (size_t i = 0; i < n; i++) {
        const size_t row = n == all ? i : (i / block) * (all - block) / (BLOCKS - 1) + i % block;
        k->intervals[i] =
            (ic_interval){.from = k->rows[row], .to = k->rows[row + 1], .stride = 1, .tracked = -1};
    }
    k->n_intervals = n;
    return lay_memories(k);
}

/* ---- choice of modes */

static bool mark_branches(bool *reached, const ic_jump *jump)
{
    bool news = false;
    for (size_t b = 0; jump->apply != NULL && b < jump->n_branches; b++) {
        const int mode = jump->branches[b].mode;
        if (mode == IC_SAME_MODE || reached[mode]) continue;
        reached[mode] = news = true;
    }
    return news;
}

/* Modes reachable from the start by jumps. */
static void find_modes(ic_tracking *k)
{
    const ic_variant *variant = k->problem->variant;
    bool news = mark_branches(k->reached, &variant->start);
    for (size_t e = 0; e < variant->n_time_events; e++)
        news |= mark_branches(k->reached, &variant->time_events[e].jump);
    while (news) {
        news = false;
        for (size_t m = 0; m < variant->n_modes; m++) {
            const ic_mode *mode = &variant->modes[m];
            for (size_t g = 0; k->reached[m] && g < mode->n_guards; g++) {
                news |= mark_branches(k->reached, &mode->guards[g].jump);
                news |= mark_branches(k->reached, &mode->guards[g].accumulation);
            }
        }
    }
}

/* ---- one interval */

static double energy(const ic_tracking *k, int mode, double t, const double *x)
{
    const ic_mode *m = &k->predictor.guarded.variant->modes[mode];
    return m->stored_energy != NULL ? m->stored_energy(t, x, k->problem->par) : NAN;
}

static void conclude_interval(ic_interval *interval, const ic_tracking *k, const ic_mode_trial *h)
{
    const ic_trajectory *tr = k->trajectory;
    double x[IC_MAX_STATES];
    interval->mode = h->mode;
    interval->end_mode = h->end.good ? h->end.mode : h->mode;
    interval->defect = h->defect;
    interval->worst = h->worst;
    interval->shift_from = h->shift_from;
    interval->shift_to = h->shift_to;
    interval->energy_gain = interval->energy_taken = 0;
    interval->jumps = h->end.events > 0;
    interval->gave_up &= h->defect > 1;
    if (h->defect > 1) interval->explanation = IC_UNEXPLAINED;
    else if (!interval->doubtful && ic_interval_breach(k, interval).name != NULL)
        interval->explanation = IC_UNHELD;
    else if (!h->guards) interval->explanation = IC_WITHOUT_EVENTS;
    else interval->explanation = h->mode == interval->tracked ? IC_BY_GUARDS : IC_ANOTHER_MODE;
    if (!h->end.good) return;
    memcpy(x, &tr->x[interval->to * tr->n_states], tr->n_states * sizeof *x);
    for (size_t j = 0; j < tr->n_states; j++) {
        if (ic_state_is_derived(k->problem->system, j) || ic_is_memory(k, j)) x[j] = h->end.x[j];
        else if (ic_is_whole(k, j, x[j])) x[j] = nearbyint(x[j]);
    }
    interval->energy_gain = energy(k, interval->end_mode, tr->t[interval->to], x) -
                            energy(k, interval->end_mode, tr->t[interval->to], h->end.x);
    interval->energy_taken = fmax(0, h->end.energy_taken);
}

/*
 * The mode in which the case starts, if this interval begins there and the mode explains it; else -1. A mode that
 * differs in what the rows do not show explains it as well, but not the next event.
 */
static int mode_of_start(const ic_tracking *k, const ic_interval *interval)
{
    const ic_jump *jump = &k->problem->variant->start;
    double start[IC_MAX_STATES] = {0};
    ic_interval from_start = *interval;
    ic_mode_trial h;
    if (k->trajectory->t[interval->from] != k->problem->t_start) return -1;
    const int taken = jump->apply(start, k->problem->t_start, NULL, k->problem->par);
    if (taken == IC_NO_START || !ic_mode_holds(k, interval, jump->branches[taken].mode)) return -1;
    ic_mode_trial_run(&h, k, &from_start, jump->branches[taken].mode, true);
    return h.defect <= 1 ? h.mode : -1;
}

/* The mode that the rows name, or else the one by the case's start; -1: not known. */
static int mode_at_start(const ic_tracking *k, const ic_interval *interval)
{
    const signed char *mode = k->trajectory->mode;
    const int named = mode != NULL ? mode[interval->from] : -1;
    return named >= 0 ? named : mode_of_start(k, interval);
}

/* Seeks a start within the noise that explains the interval. The tracked mode is tried first. */
static void excuse_by_noise(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval)
{
    ic_mode_trial other = {.guards = true, .mode = interval->tracked};
    if (h->defect <= 1 && (interval->tracked < 0 || (h->guards && h->mode == interval->tracked))) return;
    bool found = interval->tracked >= 0 && ic_mode_holds(k, interval, interval->tracked) &&
                 ic_noisy_start(&other.end, k, interval, other.mode);
    for (size_t m = 0; !found && h->defect > 1 && m < k->predictor.guarded.variant->n_modes; m++) {
        if ((int)m == interval->tracked || !k->reached[m] || !ic_mode_holds(k, interval, (int)m)) continue;
        found = ic_noisy_start(&other.end, k, interval, other.mode = (int)m);
    }
    if (!found) return;
    interval->doubtful = true;
    other.defect = fmin(1, ic_interval_defect(k, interval, &other.end, &other.worst));
    *h = other;
}

/* Whether noise may explain an interval from some mode; the tracked one is known. */
static bool is_in_doubt(const ic_tracking *k, const ic_interval *interval)
{
    bool may = ic_noise_may_explain(k, interval, interval->tracked);
    for (size_t m = 0; !may && m < k->predictor.guarded.variant->n_modes; m++)
        may = k->reached[m] && (int)m != interval->tracked && ic_noise_may_explain(k, interval, (int)m);
    return may;
}

/* Continues the memories of the contact in the next interval. */
static void carry_memory(ic_interval *interval, const ic_tracking *k, const ic_prediction *end)
{
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (ic_is_memory(k, j)) interval->memory[j] = end->x[j];
    }
}

/*
 * Whether rows that are read again to name a mistake have used up the effort: noise is then not tried as their
 * cause.
 */
static bool is_cut(const ic_tracking *k)
{
    return k->is_again && ic_effort_is_spent(k->began);
}

/* The mode in which interval i starts, and what is known of it: it goes on from the end of the one before. */
static void start_interval(const ic_tracking *k, size_t i, bool goes_on)
{
    ic_interval *interval = &k->intervals[i];
    /* noise may have led to a mode whose guards the rows have passed */
    const bool known = goes_on && interval[-1].explanation < (ic_noise_is_there(k) ? IC_UNHELD : IC_IN_DOUBT);
    interval->tracked = known ? interval[-1].end_mode : mode_at_start(k, interval);
    interval->gave_up = interval->at_guard = false;
    /* what the rows name is their own claim; a later block may begin where its mode was entered beyond a guard */
    interval->unknown = !known && (i == 0 || goes_on);
    /* as long as the memory of the contact is unknown, guards may depend on it */
    interval->entered =
        known ? !interval[-1].jumps && (interval[-1].entered || interval[-1].explanation == IC_ANOTHER_MODE)
              : interval->unknown && !ic_remembers_contact(k);
}

/* Tries the tracked mode with its guards, where rows and ends of contacts are uncertain also beside these. */
static void try_tracked(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval)
{
    if (interval->tracked < 0) return;
    if (ic_mode_holds(k, interval, interval->tracked))
        ic_mode_trial_run(h, k, interval, interval->tracked, true);
    if (h->defect <= 1) {
        ic_mode_trial_leave(h, k, interval);
        /* a guard that noise has put the row beyond has fired: what remembers that would be wrong from then on */
        if (ic_remembers_contact(k) && ic_noise_is_there(k))
            interval->at_guard = ic_start_at_guard(h, k, interval, true);
    } else if (!ic_mode_trial_at_end(h, k, interval) && !ic_mode_trial_before_event(h, k, interval)) {
        interval->at_guard = ic_start_at_guard(h, k, interval, false);
    }
}

static void track_intervals(ic_tracking *k, bool excuses)
{
    enum {
        EXCUSES_SOUGHT = 400 /* times the number of states: each is moved separately */,
        MOST_IN_DOUBT = 40
    };
    size_t sought = 0, in_doubt = 0;
    const size_t n_states = k->trajectory->n_states;
    ic_mode_trial h;
    for (size_t i = 0; i < k->n_intervals; i++) {
        ic_interval *interval = &k->intervals[i];
        const bool goes_on = i > 0 && k->intervals[i - 1].to == interval->from;
        start_interval(k, i, goes_on);
        if (goes_on && h.end.good) carry_memory(interval, k, &h.end);
        h = (ic_mode_trial){.defect = INFINITY};
        try_tracked(&h, k, interval);
        const ic_prediction guarded = h.end;
        interval->due = h.end.events;
        interval->t_due = h.end.t_event;
        if (h.defect > 1) {
            ic_mode_trial_best(&h, k, interval);
            /* If many intervals are unexplained, noise is not the reason. */
            if (excuses && !is_cut(k) && n_states * sought < EXCUSES_SOUGHT + i / 4)
                sought++, excuse_by_noise(&h, k, interval);
        }
        if (interval->tracked < 0) interval->tracked = h.mode;
        conclude_interval(interval, k, &h);
        /* what the case remembers goes on as after its events */
        if (interval->explanation == IC_UNEXPLAINED && guarded.good) h.end = guarded;
        if (interval->explanation != IC_UNEXPLAINED || !excuses || !ic_noise_is_there(k) || is_cut(k)) continue;
        if (in_doubt++ < MOST_IN_DOUBT + i / 20 && is_in_doubt(k, interval))
            interval->explanation = IC_IN_DOUBT;
    }
}

bool ic_case_has_events(const ic_tracking *k)
{
    const ic_options options = {.max_steps = OWN_STEPS};
    ic_problem problem = *k->problem;
    bool has = true;
    problem.t_end = fmax(problem.t_end, problem.t_start + OWN_TIMES * k->time_scale);
    problem.t_end_text = NULL;
    ic_log *log = ic_log_new(&problem);
    if (log != NULL && k->predictor.solver->solve(log, &problem, &options) == IC_OK) {
        has = false;
        for (size_t i = 0; i < ic_log_event_count(log); i++)
            has |= !problem.variant->modes[ic_log_event_at(log, i).mode_to].terminal;
    }
    ic_log_free(log);
    return has;
}

/* ---- the tracking of a trajectory */

double ic_accept(const ic_trajectory_options *options)
{
    return options != NULL && options->accept > 0 ? options->accept : ic_tolerance_accuracy.value;
}

bool ic_track(ic_tracking *k, const ic_trajectory *tr, const ic_problem *problem, const double *noise,
              const ic_trajectory_options *options)
{
    const bool given = options != NULL && options->accept > 0;
    *k = (ic_tracking){.trajectory = tr, .problem = problem, .accept = ic_accept(options)};
    k->is_again = options != NULL && options->corrected > 0;
    k->began = options != NULL && options->began > 0 ? options->began : ic_effort_now();
    if (!ic_predictor_open(&k->predictor, problem, problem->variant)) return false;
    find_modes(k);
    k->time_scale = options != NULL ? options->time_scale : 0;
    if (!(k->time_scale > 0)) k->time_scale = ic_motion_time(&k->predictor, problem, tr);
    if (choose_rows(k) && choose_intervals(k) && ic_rows_measure(k, noise) &&
        ic_rows_set_tolerances(k, !given, noise != NULL)) {
        track_intervals(k, noise == NULL);
        return true;
    }
    ic_tracking_close(k);
    return false;
}

void ic_tracking_close(ic_tracking *k)
{
    free(k->rows);
    free(k->intervals);
    free(k->memory);
    k->memory = NULL;
    k->rows = NULL;
    k->intervals = NULL;
    k->n_rows = k->n_intervals = 0;
}

size_t ic_tracking_count(const ic_tracking *k, ic_explanation explanation)
{
    size_t count = 0;
    for (size_t i = 0; i < k->n_intervals; i++) count += k->intervals[i].explanation == explanation;
    return count;
}

size_t ic_tracked_row(const ic_tracking *k, size_t row)
{
    size_t i = 0;
    while (i + 1 < k->n_rows && k->rows[i] < row) i++;
    return i;
}

size_t ic_first_unexplained(const ic_tracking *k)
{
    size_t i = 0;
    while (i + 1 < k->n_intervals && k->intervals[i].explanation != IC_UNEXPLAINED) i++;
    return i < k->n_intervals ? ic_tracked_row(k, k->intervals[i].from) : 0;
}

/* Tries each mode as the tracked one: a row may have the state before or after an event at its instant. */
static void try_at_guards(ic_mode_trial *h, const ic_tracking *k, ic_interval *interval)
{
    for (size_t m = 0; m < k->predictor.guarded.variant->n_modes && h->defect > 1; m++) {
        ic_mode_trial other = {.defect = INFINITY};
        interval->tracked = (int)m;
        if (k->reached[m]) try_tracked(&other, k, interval);
        if (other.defect <= 1) *h = other;
    }
}

ic_interval ic_follow_between(const ic_tracking *k, size_t from, size_t to)
{
    ic_interval interval = {.from = from, .to = to, .stride = 1, .tracked = -1, .unknown = true};
    ic_mode_trial h = {.defect = INFINITY};
    ic_mode_trial_best(&h, k, &interval);
    try_at_guards(&h, k, &interval);
    interval.defect = h.defect;
    interval.due = h.end.good ? h.end.events : 0;
    interval.mode = interval.tracked = h.mode;
    interval.end_mode = h.end.good ? h.end.mode : h.mode;
    interval.jumps = interval.due > 0;
    interval.explanation = h.defect <= 1                                       ? IC_ANOTHER_MODE
                           : ic_noise_is_there(k) && is_in_doubt(k, &interval) ? IC_IN_DOUBT
                                                                               : IC_UNEXPLAINED;
    return interval;
}

double ic_share_wrong(const ic_trajectory *rows, const ic_problem *problem, const ic_tracking *k,
                      const double *noise)
{
    const ic_trajectory_options options = {.accept = k->accept, .time_scale = k->time_scale};
    ic_tracking tracked;
    double share = 1;
    if (!ic_track(&tracked, rows, problem, noise, &options)) return 1;
    /* rows that noise hides are explained by anything */
    if (tracked.n_intervals > 0 && (!ic_noise_hides(&tracked) || ic_noise_hides(k)))
        share = (double)ic_tracking_count(&tracked, IC_UNEXPLAINED) / (double)tracked.n_intervals;
    ic_tracking_close(&tracked);
    return share;
}
