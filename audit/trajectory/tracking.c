/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/tracking.h"
#include "audit/common/tolerances.h"
#include "audit/trajectory/contact.h"
#include "audit/trajectory/motion_time.h"
#include "audit/trajectory/noise.h"
#include "audit/trajectory/noisy_start.h"
#include "core/model.h"
#include "registry/registry.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Rows for a typical time: with more, a wrong force moves a state by less than ic_tolerance_accuracy within an
   interval. */
enum { ROWS_PER_TIME = 100, LEAST_INTERVALS = 20, MOST_INTERVALS = 4000, BLOCKS = 8, CALIBRATED = 200 };

/* Steps of the case's own run: of those without events all end far sooner. */
#define OWN_STEPS 1e5
/* Typical times that it lasts at least: what has had no event by then is in its steady state. */
#define OWN_TIMES 20

/* ---- which rows */

static bool beside_an_event(const ic_trajectory *tr, size_t i)
{
    return (i > 0 && tr->t[i] == tr->t[i - 1]) || (i + 1 < tr->n && tr->t[i] == tr->t[i + 1]);
}

/* A free impact begins at the surface: rows in which its first state, the indentation, is still
   negative are not its own. */
static size_t first_row(const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    size_t i = 0;
    if (k->problem->variant->free_impact == NULL) return 0;
    while (i + 2 < tr->n && tr->x[i * tr->n_states] < 0) i++;
    return i;
}

/* s; between tracked rows, at least: of rows that end within a few of these, as many intervals as
   are needed. */
static double least_spacing(const ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const double span = tr->n > 0 ? tr->t[tr->n - 1] - tr->t[0] : 0;
    const double least = fmin(k->time_scale / ROWS_PER_TIME, span / LEAST_INTERVALS);
    /* what a contact remembers is followed from the first row on: no blocks, which would begin
       without it */
    return 0.999 * (ic_remembers_contact(k) ? fmax(least, span / MOST_INTERVALS) : least);
}

static bool choose_rows(ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    const double least = least_spacing(k);
    k->rows = malloc((tr->n + 1) * sizeof *k->rows);
    if (k->rows == NULL) return false;
    for (size_t i = first_row(k); i < tr->n; i++) {
        if (beside_an_event(tr, i)) continue;
        if (k->n_rows == 0 || tr->t[i] - tr->t[k->rows[k->n_rows - 1]] >= least) k->rows[k->n_rows++] = i;
    }
    return true;
}

/* What follows from the other states is at first what the case starts with. */
static bool lay_memories(ic_tracking *k)
{
    const ic_problem *problem = k->problem;
    const size_t n = problem->system->n_states;
    double start[IC_MAX_STATES] = {0};
    if (problem->variant->start.apply(start, problem->t_start, NULL, problem->par) == IC_NO_START) return true;
    k->memory = malloc((k->n_intervals * n + 1) * sizeof *k->memory);
    if (k->memory == NULL) return false;
    for (size_t i = 0; i < k->n_intervals; i++) {
        k->intervals[i].memory = &k->memory[i * n];
        memcpy(k->intervals[i].memory, start, n * sizeof *start);
    }
    return true;
}

/* All intervals, or blocks of them, spread evenly. */
static bool choose_intervals(ic_tracking *k)
{
    const size_t all = k->n_rows > 0 ? k->n_rows - 1 : 0, n = all < MOST_INTERVALS ? all : MOST_INTERVALS;
    const size_t block = MOST_INTERVALS / BLOCKS;
    k->intervals = calloc(n + 1, sizeof *k->intervals);
    if (k->intervals == NULL) return false;
    // cppcheck-suppress knownConditionTrueFalse ; n is what has been chosen of all
    for (size_t i = 0; i < n; i++) {
        const size_t row = n == all ? i : (i / block) * (all - block) / (BLOCKS - 1) + i % block;
        k->intervals[i] =
            (ic_interval){.from = k->rows[row], .to = k->rows[row + 1], .stride = 1, .tracked = -1};
    }
    k->n_intervals = n;
    return lay_memories(k);
}

/* ---- which modes */

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

/* Modes that the start leads to, and the jumps of those. */
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

/* ---- sizes of the data */

/*
 * Numbers that are rounded are known to half of their last digit. Of those that stand still for
 * many rows, and move by a digit then, differences do not tell it.
 */
static double rounding_of(const ic_trajectory *tr, size_t j)
{
    enum { LEAST_VALUES = 8 }; /* numbers of a kind, and switches, have fewer */
    const ic_digits digits = ic_digits_of(&tr->x[j], tr->n, tr->n_states);
    double most = 0, seen[LEAST_VALUES];
    size_t values = 0;
    for (size_t i = 0; i < tr->n && digits.significant > 0; i++) {
        const double x = tr->x[i * tr->n_states + j];
        size_t v = 0;
        while (v < values && seen[v] != x) v++;
        if (v == values && values < LEAST_VALUES) seen[values++] = x;
        most = fmax(most, fabs(x));
    }
    return values == LEAST_VALUES ? ic_digits_rounding(&digits, most) : 0;
}

static bool measure(ic_tracking *k, const double *noise)
{
    const ic_trajectory *tr = k->trajectory;
    for (size_t j = 0; j < tr->n_states; j++) {
        double least = INFINITY, most = -INFINITY;
        for (size_t i = 0; i < tr->n; i++) {
            least = fmin(least, tr->x[i * tr->n_states + j]);
            most = fmax(most, tr->x[i * tr->n_states + j]);
        }
        k->range[j] = most > least ? most - least : 0;
        k->rounding[j] = rounding_of(tr, j);
        if (noise != NULL) k->noise[j] = noise[j];
        else if (!ic_noise_estimate(&k->noise[j], tr, j)) return false;
        /* all errors up to it are as likely */
        k->noise[j] = fmax(k->noise[j], k->rounding[j] / sqrt(3));
    }
    double *steps = malloc((k->n_intervals + 1) * sizeof *steps);
    if (steps == NULL) return false;
    for (size_t i = 0; i < k->n_intervals; i++)
        steps[i] = tr->t[k->intervals[i].to] - tr->t[k->intervals[i].from];
    k->spacing = ic_audit_median(steps, k->n_intervals);
    free(steps);
    k->clock = ic_clock_of(tr, k->rows, k->n_rows, k->spacing);
    return true;
}

/* What is remembered of a state has its noise, and its range: that of the noisiest in the same
   unit. */
static void fill_memory(ic_tracking *k, size_t j)
{
    const ic_state *states = k->problem->system->states;
    for (size_t i = 0; i < k->trajectory->n_states; i++) {
        if (k->trajectory->source[i] == IC_FROM_TRACKING || strcmp(states[i].unit, states[j].unit) != 0)
            continue;
        if (k->noise[i] >= k->noise[j]) k->noise[j] = k->noise[i], k->range[j] = k->range[i];
    }
}

/* A state that never moves, but for its noise, is judged beside the case's own scale. */
static void fill_ranges(ic_tracking *k)
{
    const double moves = 12; /* deviations: noise by itself has a range of 8, in 10 000 rows */
    double scale[IC_MAX_STATES];
    ic_state_scales(k->problem, scale);
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->trajectory->source[j] == IC_FROM_TRACKING) fill_memory(k, j);
        if (!(k->range[j] > moves * k->noise[j])) k->range[j] = fmax(k->range[j], scale[j]);
    }
}

/* ---- one interval */

typedef struct hypothesis {
    ic_prediction end;
    int mode;
    bool guards;
    double defect;
    size_t worst;
} hypothesis;

static void suppose(hypothesis *h, const ic_tracking *k, ic_interval *interval, int mode, bool guards)
{
    double x[IC_MAX_STATES];
    interval->mode = mode;
    ic_interval_state(x, k, interval);
    *h = (hypothesis){.mode = mode, .guards = guards};
    ic_predict(&h->end, &k->predictor, guards, k->trajectory->t[interval->from], x, mode,
               k->trajectory->t[interval->to]);
    h->defect = ic_interval_defect(k, interval, &h->end, &h->worst);
    interval->gave_up |= h->end.gave_up;
}

/* How far a guard was passed where a mode is to start, and the tolerance there; else 0. */
static ic_breach passed(const ic_tracking *k, const ic_guard *guard, double t, const double *x)
{
    const ic_breach none = {.tolerance = 1};
    if (guard->direction == 0) return none;
    if (guard->enabled != NULL && !(guard->enabled(t, x, k->problem->par) > 0)) return none;
    const double value = guard->value(t, x, k->problem->par);
    if (!(guard->direction * value > 0)) return none;
    /* asks the guard once for each state */
    const double tolerance = ic_guard_tolerance(k, guard, t, x);
    if (!(guard->direction * value > tolerance)) return none;
    return (ic_breach){guard->name, guard->unit, value, tolerance};
}

static ic_breach worse(ic_breach a, ic_breach b)
{
    return fabs(b.value) * a.tolerance > fabs(a.value) * b.tolerance ? b : a;
}

/* Of a mode that ought to be over at the start of an interval: the guard that is passed farthest.
 */
static ic_breach guards_passed(const ic_tracking *k, const ic_interval *interval, int m)
{
    const ic_mode *mode = &k->predictor.guarded.variant->modes[m];
    const double t = k->trajectory->t[interval->from];
    ic_breach worst = {.tolerance = 1};
    ic_interval from = *interval;
    double x[IC_MAX_STATES];
    from.mode = m;
    ic_interval_state(x, k, &from);
    for (size_t g = 0; g < mode->n_guards; g++) worst = worse(worst, passed(k, &mode->guards[g], t, x));
    return worst;
}

static bool is_over(const ic_tracking *k, const ic_interval *interval, int m)
{
    return guards_passed(k, interval, m).name != NULL;
}

static ic_breach mode_breach(const ic_tracking *k, const ic_interval *interval, int m)
{
    ic_interval from = *interval;
    double x[IC_MAX_STATES];
    from.mode = m;
    ic_interval_state(x, k, &from);
    return ic_mode_breach(k, m, k->trajectory->t[interval->from], x);
}

ic_breach ic_interval_breach(const ic_tracking *k, const ic_interval *interval)
{
    const ic_breach broken = mode_breach(k, interval, interval->mode);
    /* what the contact remembers at the first row is not known, and guards may depend on it */
    if (!interval->unknown || ic_remembers_contact(k)) return broken;
    return worse(broken, guards_passed(k, interval, interval->mode));
}

/* A mode explains rows only while what it keeps holds. */
static bool is_held(const ic_tracking *k, const ic_interval *interval, int m)
{
    return mode_breach(k, interval, m).name == NULL;
}

enum { GUARDS_AHEAD, GUARDS_PASSED, WITHOUT_GUARDS, WITHOUT_INVARIANTS, WAYS };

/* Whether a mode that the case can be in may be tried in this way. */
static bool may_be(const ic_tracking *k, const ic_interval *interval, int mode, int way)
{
    if (!k->reached[mode] || is_held(k, interval, mode) == (way == WITHOUT_INVARIANTS)) return false;
    return way >= WITHOUT_GUARDS || is_over(k, interval, mode) == (way == GUARDS_PASSED);
}

/*
 * All modes: with guards, those first that may be; without guards; and without their invariants.
 * The first that explains the interval, else the nearest whose invariants hold.
 */
static void search(hypothesis *best, const ic_tracking *k, ic_interval *interval)
{
    const int n = (int)k->predictor.guarded.variant->n_modes;
    const bool had_first = best->guards; /* of the tracked mode */
    for (int i = 0; i < WAYS * n && best->defect > 1; i++) {
        const int mode = i % n, way = i / n;
        hypothesis h;
        if (way < WITHOUT_GUARDS && had_first && mode == interval->tracked) continue;
        if (!may_be(k, interval, mode, way)) continue;
        suppose(&h, k, interval, mode, way < WITHOUT_GUARDS);
        if (way == WITHOUT_INVARIANTS && h.defect > 1) continue;
        if (h.defect < best->defect) *best = h;
    }
}

static double energy(const ic_tracking *k, int mode, double t, const double *x)
{
    const ic_mode *m = &k->predictor.guarded.variant->modes[mode];
    return m->stored_energy != NULL ? m->stored_energy(t, x, k->problem->par) : NAN;
}

static void conclude(ic_interval *interval, const ic_tracking *k, const hypothesis *h)
{
    const ic_trajectory *tr = k->trajectory;
    double x[IC_MAX_STATES];
    interval->mode = h->mode;
    interval->end_mode = h->end.good ? h->end.mode : h->mode;
    interval->defect = h->defect;
    interval->worst = h->worst;
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
        if (ic_state_is_derived(k->problem->system, j)) x[j] = h->end.x[j];
    }
    interval->energy_gain = energy(k, interval->end_mode, tr->t[interval->to], x) -
                            energy(k, interval->end_mode, tr->t[interval->to], h->end.x);
    interval->energy_taken = fmax(0, h->end.energy_taken);
}

static int mode_at_start(const ic_tracking *k, const ic_interval *interval)
{
    const signed char *mode = k->trajectory->mode;
    return mode != NULL ? mode[interval->from] : -1;
}

/* What noise may have made of the start: a guard that is passed, or is not, within it. The case as
   it is comes before another mode. */
static void excuse(hypothesis *h, const ic_tracking *k, ic_interval *interval)
{
    hypothesis other = {.guards = true, .mode = interval->tracked};
    if (h->defect <= 1 && (interval->tracked < 0 || (h->guards && h->mode == interval->tracked))) return;
    bool found = interval->tracked >= 0 && is_held(k, interval, interval->tracked) &&
                 ic_noisy_start(&other.end, k, interval, other.mode);
    for (size_t m = 0; !found && h->defect > 1 && m < k->predictor.guarded.variant->n_modes; m++) {
        if ((int)m == interval->tracked || !k->reached[m] || !is_held(k, interval, (int)m)) continue;
        found = ic_noisy_start(&other.end, k, interval, other.mode = (int)m);
    }
    if (!found) return;
    interval->doubtful = true;
    other.defect = fmin(1, ic_interval_defect(k, interval, &other.end, &other.worst));
    *h = other;
}

/* Noise leaves the mode of a row in doubt as well. */
static bool is_in_doubt(const ic_tracking *k, const ic_interval *interval)
{
    bool may = ic_noise_may_explain(k, interval, interval->tracked);
    for (size_t m = 0; !may && m < k->predictor.guarded.variant->n_modes; m++)
        may = k->reached[m] && (int)m != interval->tracked && ic_noise_may_explain(k, interval, (int)m);
    return may;
}

/* What the contact remembers goes over to the next interval. */
static void carry_memory(ic_interval *interval, const ic_tracking *k, const ic_prediction *end)
{
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (ic_is_memory(k, j)) interval->memory[j] = end->x[j];
    }
}

static void follow(ic_tracking *k, bool excuses)
{
    enum { EXCUSES_SOUGHT = 400 /* times states: each is moved by itself */, MOST_IN_DOUBT = 40 };
    size_t sought = 0, in_doubt = 0;
    const size_t n_states = k->trajectory->n_states;
    hypothesis h;
    for (size_t i = 0; i < k->n_intervals; i++) {
        ic_interval *interval = &k->intervals[i];
        const bool goes_on = i > 0 && k->intervals[i - 1].to == interval->from;
        const bool known = goes_on && k->intervals[i - 1].explanation < IC_IN_DOUBT;
        interval->tracked = known ? k->intervals[i - 1].end_mode : mode_at_start(k, interval);
        if (goes_on && h.end.good) carry_memory(interval, k, &h.end);
        interval->gave_up = false;
        interval->unknown = interval->tracked < 0;
        h = (hypothesis){.defect = INFINITY};
        if (interval->tracked >= 0 && is_held(k, interval, interval->tracked))
            suppose(&h, k, interval, interval->tracked, true);
        interval->due = h.end.events;
        interval->t_due = h.end.t_event;
        if (h.defect > 1) {
            search(&h, k, interval);
            /* where little is explained there is no noise to blame */
            if (excuses && n_states * sought < EXCUSES_SOUGHT + i / 4) sought++, excuse(&h, k, interval);
        }
        if (interval->tracked < 0) interval->tracked = h.mode;
        conclude(interval, k, &h);
        if (interval->explanation != IC_UNEXPLAINED || !excuses || !ic_noise_shows(k)) continue;
        if (in_doubt++ < MOST_IN_DOUBT + i / 20 && is_in_doubt(k, interval))
            interval->explanation = IC_IN_DOUBT;
    }
}

/* ---- tolerances */

/* What noise of one deviation in every state makes of each state after an interval, from row
   `from`: the worst mode. */
static void amplify(ic_tracking *k, ic_interval *interval, const double *noise, double *deviation)
{
    const size_t n = k->trajectory->n_states;
    for (size_t m = 0; m < k->predictor.guarded.variant->n_modes; m++) {
        double x[IC_MAX_STATES], sum[IC_MAX_STATES] = {0};
        ic_prediction plain, moved;
        const double t0 = k->trajectory->t[interval->from], t1 = k->trajectory->t[interval->to];
        interval->mode = (int)m;
        ic_interval_state(x, k, interval);
        ic_predict(&plain, &k->predictor, false, t0, x, (int)m, t1);
        for (size_t j = 0; j < n; j++) {
            const double kept = x[j], delta = 1e-4 * k->range[j];
            if (noise[j] == 0 || ic_is_memory(k, j)) continue;
            x[j] += delta;
            ic_predict(&moved, &k->predictor, false, t0, x, (int)m, t1);
            x[j] = kept;
            for (size_t i = 0; i < n && plain.good && moved.good; i++) {
                const double part = (moved.x[i] - plain.x[i]) / delta * noise[j];
                sum[i] += part * part;
            }
        }
        for (size_t i = 0; i < n; i++) deviation[i] = fmax(deviation[i], sqrt(sum[i] + noise[i] * noise[i]));
    }
}

/* Deviation of the defects in a state where mode m explains best; -1 for too few. */
static double deviation_in_mode(const double *defects, const int *mode, size_t n, int m, double *values)
{
    enum { LEAST = 10 };
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        if (mode[i] == m) values[count++] = defects[i];
    }
    /* a few tell it badly: Student's quantile at five deviations' chance, as in
       audit/trajectory/impact_rows.c */
    return count >= LEAST ? ic_audit_median(values, count) / IC_NORMAL_MEDIAN * (1 + 8 / (double)count) : -1;
}

/* What an integrator leaves in the tenth of the intervals where it errs most is within this many
   times what it leaves in the others. */
#define SPREAD 30.0

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of a range: the accuracy with which nine of ten intervals follow the case, by their defects, each
   over its state's range. */
static double own_accuracy(double *defects, size_t n)
{
    if (n < IC_LEAST_INTERVALS) return INFINITY;
    qsort(defects, n, sizeof *defects, ascending);
    return SPREAD * defects[9 * n / 10];
}

/*
 * The defects that there are, of the nearest hypothesis, in the mode where they are greater: a
 * bound on noise where rows are too far apart for differences to tell.
 */
static bool calibrate(ic_tracking *k, double *deviation, bool sharpens)
{
    const size_t n = k->trajectory->n_states, stride = k->n_intervals / CALIBRATED + 1;
    double *defects = malloc((CALIBRATED + 1) * n * sizeof *defects), values[CALIBRATED], slacks[CALIBRATED],
           over_range[CALIBRATED], x[IC_MAX_STATES], slack[IC_MAX_STATES], beside_slack = 0;
    int mode[CALIBRATED];
    size_t count = 0;
    if (defects == NULL) return false;
    for (size_t i = 0; i < k->n_intervals && count < CALIBRATED; i += stride) {
        hypothesis h = {.defect = INFINITY};
        search(&h, k, &k->intervals[i]);
        if (!h.end.good) continue;
        over_range[count] = slacks[count] = 0;
        ic_interval_state(x, k, &k->intervals[i]);
        ic_time_slack(slack, k, k->intervals[i].from, x, h.mode, k->intervals[i].to, &h.end);
        for (size_t j = 0; j < n; j++) {
            const double defect = fabs(h.end.x[j] - k->trajectory->x[k->intervals[i].to * n + j]);
            defects[j * CALIBRATED + count] = defect;
            if (ic_is_memory(k, j)) continue;
            over_range[count] = fmax(over_range[count], defect / k->range[j]);
            slacks[count] = fmax(slacks[count], slack[j] / k->range[j]);
            if (slack[j] > 0 && h.defect <= 1) beside_slack = fmax(beside_slack, defect / slack[j]);
        }
        mode[count++] = h.mode;
    }
    if (sharpens)
        k->accept =
            fmin(k->accept, fmax(ic_tolerance_accuracy_sharpened.value, own_accuracy(over_range, count)));
    /* rounded times move some state by more */
    k->clock.rows_are_exact = count >= IC_LEAST_INTERVALS && beside_slack < 0.05;
    k->slack = k->clock.rows_are_exact || count == 0 ? 0 : ic_audit_median(slacks, count);
    for (size_t j = 0; j < n; j++) {
        double most = -1;
        for (size_t m = 0; m < k->predictor.guarded.variant->n_modes; m++)
            most = fmax(most, deviation_in_mode(&defects[j * CALIBRATED], mode, count, (int)m, values));
        if (most >= 0) deviation[j] = fmin(deviation[j], most);
    }
    free(defects);
    return true;
}

/* The error of a velocity by differences: half of what it bends from row to row, most where a force
   sets in. */
static void find_sampling_errors(ic_tracking *k)
{
    const ic_trajectory *tr = k->trajectory;
    double *error = k->sampling;
    for (size_t j = 0; j < tr->n_states; j++) {
        for (size_t i = 1; i + 1 < tr->n && tr->source[j] == IC_FROM_DIFFERENCES; i++) {
            const double *x = &tr->x[i * tr->n_states + j];
            error[j] = fmax(error[j], 0.5 * fabs(x[tr->n_states] - 2 * x[0] + x[-(ptrdiff_t)tr->n_states]));
        }
    }
}

/* Intervals at which the growth of noise is looked at; few where one hypothesis of many is tried.
 */
enum { PROBES = 20, FEW_PROBES = 4 };

static bool set_tolerances(ic_tracking *k, bool sharpens, bool noise_is_known)
{
    const size_t probes = noise_is_known ? FEW_PROBES : PROBES;
    const size_t n = k->trajectory->n_states, stride = k->n_intervals / probes + 1;
    double deviation[IC_MAX_STATES] = {0}, sampling[IC_MAX_STATES] = {0};
    fill_ranges(k);
    find_sampling_errors(k);
    for (size_t j = 0; j < n; j++) k->tolerance[j] = k->accept * k->range[j];
    for (size_t i = 0; i < k->n_intervals; i += stride) {
        amplify(k, &k->intervals[i], k->noise, deviation);
        amplify(k, &k->intervals[i], k->sampling, sampling);
    }
    if (!calibrate(k, deviation, sharpens)) return false;
    for (size_t j = 0; j < n; j++) {
        k->tolerance[j] = k->accept * k->range[j] + ic_tolerance_noise.value * deviation[j] + sampling[j];
        k->deviation[j] = deviation[j];
        /* rows that are far apart bend more than they scatter */
        k->noise[j] = fmax(fmin(k->noise[j], deviation[j]), k->rounding[j] / sqrt(3));
    }
    return true;
}

bool ic_noise_shows(const ic_tracking *k)
{
    const double shows = 1e-6;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->noise[j] > shows * k->range[j]) return true;
    }
    return false;
}

bool ic_noise_hides(const ic_tracking *k)
{
    if (ic_times_hide(k) || ic_noise_is_rough(k)) return true;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (ic_is_memory(k, j)) continue;
        if (ic_tolerance_noise.value * k->deviation[j] > ic_tolerance_noise_hides.value * k->range[j])
            return true;
    }
    return false;
}

bool ic_noise_is_rough(const ic_tracking *k)
{
    const double rough = 5e-4; /* of a range */
    if (!ic_has_many_states(k)) return false;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->noise[j] > rough * k->range[j]) return true;
    }
    return false;
}

bool ic_times_are_rounded(const ic_tracking *k)
{
    const double t = k->trajectory->n > 0 ? k->trajectory->t[k->trajectory->n - 1] : 0;
    return ic_clock_rounding(&k->clock, t) > 0 && !(k->clock.step > 0) && !k->clock.rows_are_exact;
}

bool ic_times_hide(const ic_tracking *k)
{
    return k->slack > ic_tolerance_noise_hides.value;
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

/* Of a function of the state: what the noise of the row makes of it, and the least accuracy of the
   states. */
static double tolerance_of(const ic_tracking *k, double (*value)(double t, const double *x, const double *par),
                           double t, const double *x)
{
    const size_t n = k->trajectory->n_states;
    const double here = value(t, x, k->problem->par), off = ic_clock_doubt(&k->clock, t);
    double moved[IC_MAX_STATES], noise = 0, accepted = 0;
    memcpy(moved, x, n * sizeof *x);
    for (size_t j = 0; j < n; j++) {
        const double delta = 1e-6 * k->range[j];
        moved[j] += delta;
        const double slope = (value(t, moved, k->problem->par) - here) / delta;
        moved[j] = x[j];
        noise += slope * slope * k->noise[j] * k->noise[j];
        accepted += fabs(slope) * (k->accept * k->range[j] + k->sampling[j]);
    }
    if (off > 0) /* what depends on time itself */
        accepted += fmax(fabs(value(t + off, x, k->problem->par) - here),
                         fabs(value(t - off, x, k->problem->par) - here));
    return ic_tolerance_noise.value * sqrt(noise) + accepted;
}

double ic_guard_tolerance(const ic_tracking *k, const ic_guard *guard, double t, const double *x)
{
    return tolerance_of(k, guard->value, t, x);
}

ic_breach ic_mode_breach(const ic_tracking *k, int m, double t, const double *x)
{
    const ic_mode *mode = &k->problem->variant->modes[m];
    ic_breach worst = {.value = 0, .tolerance = 1};
    for (size_t i = 0; i < mode->n_invariants; i++) {
        const ic_invariant *invariant = &mode->invariants[i];
        const double value = invariant->value(t, x, k->problem->par);
        const double beyond = invariant->side == 0 ? fabs(value) : -invariant->side * value;
        const double tolerance = tolerance_of(k, invariant->value, t, x);
        if (beyond <= tolerance || beyond * worst.tolerance <= fabs(worst.value) * tolerance) continue;
        worst = (ic_breach){invariant->name, invariant->unit, value, tolerance};
    }
    return worst;
}

/* ---- all of it */

double ic_accept(const ic_trajectory_options *options)
{
    return options != NULL && options->accept > 0 ? options->accept : ic_tolerance_accuracy.value;
}

bool ic_track(ic_tracking *k, const ic_trajectory *tr, const ic_problem *problem, const double *noise,
              const ic_trajectory_options *options)
{
    const bool given = options != NULL && options->accept > 0;
    *k = (ic_tracking){.trajectory = tr, .problem = problem, .accept = ic_accept(options)};
    if (!ic_predictor_open(&k->predictor, problem, problem->variant)) return false;
    find_modes(k);
    k->time_scale = options != NULL ? options->time_scale : 0;
    if (!(k->time_scale > 0)) k->time_scale = ic_motion_time(&k->predictor, problem, tr);
    if (choose_rows(k) && choose_intervals(k) && measure(k, noise) &&
        set_tolerances(k, !given, noise != NULL)) {
        follow(k, noise == NULL);
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
