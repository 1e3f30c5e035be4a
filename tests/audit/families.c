/* SPDX-License-Identifier: MIT */
#include "tests/audit/families.h"

#include "audit/common/tolerances.h"
#include "core/linear_view.h"
#include "core/random.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows count as wrong from this part of a state's range on: more than what a fair integrator or a
   fair sensor leaves. */
#define WRONG 0.05

/* An accumulated error beyond what the default accuracy accepts, as a part of a range. */
#define NOT_ACCEPTED (1.5 * ic_tolerance_state_error.value * ic_tolerance_accuracy.value)

/* The same of a body that is said to rest where it does rest. */
#define RESTS 1e-9

double family_normal(uint64_t *seed)
{
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += ic_uniform(seed, 0, 1);
    return sum;
}

/* ---- runs */

static double range_of(const family_ground *g, size_t j)
{
    return g->most[j] > g->least[j] ? g->most[j] - g->least[j] : g->scale[j];
}

static const ic_solver *solver_of(const ic_variant *variant)
{
    const ic_solver *solver = ic_solver_find("dop853");
    return solver != NULL ? solver : ic_accurate_solver(variant);
}

/* In the place of the first row's mode: the run is the right one. */
#define FROM_START (-2)

/* Rows first .. n - 1 of the trajectory: the problem from the state x in `mode` at row `first`.
   Returns how many rows there are then; the mode of the next one is that in which the run ends. */
static size_t follow(ic_trajectory *tr, const ic_problem *problem, size_t first, const double *x, int mode)
{
    /* a run from the case's own start is followed to its end; states that the case never has may
       need endless steps */
    const double most_steps = first == 0 && tr->mode[0] == FROM_START ? 200000 : 5000;
    const size_t n = tr->n_states;
    ic_problem p = *problem;
    p.t_start = tr->t[first];
    p.t_end = tr->t[tr->n - 1];
    p.t_end_text = NULL;
    p.x_start = x;
    p.mode_start = mode;
    const ic_options options = {.samples = tr->n - first, .rtol = 1e-11, .max_steps = most_steps};
    IC_OWN(ic_log) *log = ic_log_new(&p);
    size_t count = 0;
    if (log == NULL) return first;
    if (p.t_end > p.t_start) (void)solver_of(p.variant)->solve(log, &p, &options);
    for (; count < ic_log_sample_count(log) && first + count < tr->n; count++) {
        const ic_sample sample = ic_log_sample_at(log, count);
        memcpy(&tr->x[(first + count) * n], sample.x, n * sizeof *sample.x);
        tr->mode[first + count] = (signed char)sample.mode;
    }
    if (first + count < tr->n) tr->mode[first + count] = (signed char)ic_log_end(log).mode;
    return first + count;
}

static bool open_rows(ic_trajectory *tr, const family_ground *g, size_t n, double step)
{
    const ic_case *system = g->setup.problem.system;
    if (!ic_trajectory_open(tr, n, system->n_states, true)) return false;
    for (size_t i = 0; i < n; i++) {
        tr->t[i] = g->setup.problem.t_start + step * (double)i;
        tr->line[i] = i + 2;
    }
    for (size_t j = 0; j < tr->n_states; j++)
        tr->source[j] = ic_state_is_derived(system, j) ? IC_FROM_TRACKING : IC_FROM_FILE;
    return true;
}

static double even_step(const family_ground *g, size_t n)
{
    return (g->end - g->setup.problem.t_start) / (double)(n - 1);
}

static bool rows_with_modes(ic_trajectory *tr, const family_ground *g, size_t n)
{
    if (!open_rows(tr, g, n, even_step(g, n))) return false;
    tr->mode[0] = FROM_START;
    /* the last row of a run that ends early is at its end, or one rounding behind */
    tr->n = follow(tr, &g->setup.problem, 0, g->start, g->mode_start);
    if (tr->n + 1 >= n && tr->n >= 2) return true;
    ic_trajectory_close(tr);
    return false;
}

bool family_right_rows(ic_trajectory *tr, const family_ground *g, size_t n)
{
    if (!rows_with_modes(tr, g, n)) return false;
    free(tr->mode);
    tr->mode = NULL;
    return true;
}

void family_add_noise(ic_trajectory *tr, const family_ground *g, double part, uint64_t seed)
{
    for (size_t j = 0; j < tr->n_states; j++) {
        for (size_t i = 0; i < tr->n && part > 0; i++)
            tr->x[i * tr->n_states + j] += part * range_of(g, j) * family_normal(&seed);
    }
}

static double printed(double value, const char *format)
{
    char text[64];
    if (strcmp(format, "float") == 0) return (double)(float)value;
    snprintf(text, sizeof text, format, value);
    return strtod(text, NULL);
}

void family_print(ic_trajectory *tr, const char *format, bool times_only)
{
    for (size_t i = 0; i < tr->n; i++) tr->t[i] = printed(tr->t[i], format);
    for (size_t i = 0; i < tr->n * tr->n_states && !times_only; i++) tr->x[i] = printed(tr->x[i], format);
}

static bool measure_right_run(family_ground *g)
{
    enum { ROWS = 501 };
    IC_OWN(ic_trajectory) tr = {0};
    if (!rows_with_modes(&tr, g, ROWS)) return false;
    for (size_t j = 0; j < tr.n_states; j++) {
        g->least[j] = INFINITY, g->most[j] = -INFINITY;
        for (size_t i = 0; i < tr.n; i++) {
            g->least[j] = fmin(g->least[j], tr.x[i * tr.n_states + j]);
            g->most[j] = fmax(g->most[j], tr.x[i * tr.n_states + j]);
        }
    }
    return true;
}

static bool find_end(family_ground *g)
{
    IC_OWN(ic_log) *log = ic_log_new(&g->setup.problem);
    if (log == NULL) return false;
    (void)g->solver->solve(log, &g->setup.problem, &(ic_options){0});
    g->end = ic_log_end(log).t;
    return g->end > g->setup.problem.t_start;
}

bool family_ground_open(family_ground *g, const char *path)
{
    ic_error error;
    *g = (family_ground){0};
    snprintf(g->path, sizeof g->path, "%s", path);
    if (!ic_setup_open(&g->setup, &(ic_request){.path = g->path}, &error)) return false;
    const ic_problem *p = &g->setup.problem;
    g->solver = solver_of(p->variant);
    g->typical = ic_time_scale(p);
    ic_state_scales(p, g->scale);
    const int branch = p->variant->start.apply(g->start, p->t_start, NULL, p->par);
    g->mode_start = branch >= 0 ? p->variant->start.branches[branch].mode : -1;
    if (branch >= 0 && find_end(g) && measure_right_run(g)) return true;
    family_ground_close(g);
    return false;
}

void family_ground_close(family_ground *g)
{
    ic_setup_close(&g->setup);
}

/* ---- what a state is */

static bool is_position(const ic_case *system, size_t j)
{
    const char *unit = system->states[j].unit;
    return strcmp(unit, "m") == 0 || strcmp(unit, "rad") == 0;
}

static bool is_velocity(const ic_case *system, size_t j)
{
    const char *unit = system->states[j].unit;
    return strcmp(unit, "m/s") == 0 || strcmp(unit, "rad/s") == 0;
}

/* ---- whether rows are right after all: the case itself, from their first row in any mode */

static bool agrees(const ic_trajectory *a, const ic_trajectory *b, size_t rows, const family_ground *g,
                   double part)
{
    for (size_t i = 0; i < rows * a->n_states; i++) {
        const size_t j = i % a->n_states;
        if (a->source[j] == IC_FROM_FILE && !(fabs(a->x[i] - b->x[i]) <= part * range_of(g, j))) return false;
    }
    return true;
}

/* Whether a mode can be where rows begin: its invariants hold, and no guard that ends it is passed.
 */
static bool may_be_in(const ic_mode *mode, double t, const double *x, const double *par)
{
    const double least = 1e-9; /* in the invariant's unit: what rounding leaves of 0 */
    for (size_t i = 0; i < mode->n_invariants; i++) {
        const ic_invariant *kept = &mode->invariants[i];
        const double value = kept->value(t, x, par);
        if (kept->side == 0 ? fabs(value) > least : kept->side * value < -least) return false;
    }
    for (size_t i = 0; i < mode->n_guards; i++) {
        const ic_guard *guard = &mode->guards[i];
        if (guard->enabled != NULL && !(guard->enabled(t, x, par) > 0)) continue;
        if (guard->direction * guard->value(t, x, par) > 0) return false;
    }
    return true;
}

/* Rows after the end of the run, in a mode that ends it, are not determined by the case; with fewer before it, an
   audit decides nothing. */
enum { LEAST = 8 };

static bool is_right(const ic_trajectory *tr, const family_ground *g, double part)
{
    IC_OWN(ic_trajectory) own = {0};
    bool right = false;
    if (!ic_trajectory_open(&own, tr->n, tr->n_states, true)) return true;
    memcpy(own.t, tr->t, tr->n * sizeof *tr->t);
    const ic_variant *variant = g->setup.problem.variant;
    for (size_t m = 0; m < variant->n_modes && !right; m++) {
        if (!may_be_in(&variant->modes[m], tr->t[0], tr->x, g->setup.problem.par)) continue;
        const size_t rows = follow(&own, &g->setup.problem, 0, tr->x, (int)m);
        const bool complete = rows == tr->n || (rows > LEAST && variant->modes[own.mode[rows]].terminal);
        right = complete && agrees(tr, &own, rows, g, part);
    }
    return right;
}

static bool keep_if(bool wrong, ic_trajectory *tr)
{
    if (!wrong) ic_trajectory_close(tr);
    return wrong;
}

static bool keep_wrong(ic_trajectory *tr, const family_ground *g)
{
    bool finite = true;
    for (size_t i = 0; i < tr->n * tr->n_states; i++) finite &= isfinite(tr->x[i]) != 0;
    return keep_if(finite && tr->n >= 2 && !is_right(tr, g, WRONG), tr);
}

/* ---- noise */

enum { SPACINGS = 7, NOISES = 2 * SPACINGS };

static bool make_noise(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    /* of the typical time */
    static const double parts[SPACINGS - 1] = {1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 1e-1};
    const size_t spacing = member / 2;
    uint64_t seed = 1 + member;
    if (!open_rows(tr, g, n, spacing < SPACINGS - 1 ? parts[spacing] * g->typical : even_step(g, n)))
        return false;
    for (size_t i = 0; i < n * tr->n_states; i++) {
        const size_t j = i % tr->n_states;
        tr->x[i] = member % 2 == 0 ? g->scale[j] * family_normal(&seed)
                                   : g->least[j] + range_of(g, j) * ic_uniform(&seed, 0, 1);
    }
    return true;
}

/* ---- one state held, and bodies that hover or drift */

enum { HELD = 6, HOVERS = 6 };

/* A row of the right run, `part` of the way. */
static bool right_state(double *x, int *mode, const family_ground *g, double part)
{
    enum { ROWS = 241 };
    IC_OWN(ic_trajectory) tr = {0};
    if (!rows_with_modes(&tr, g, ROWS)) return false;
    const size_t row = (size_t)(part * (double)(tr.n - 1));
    memcpy(x, &tr.x[row * tr.n_states], tr.n_states * sizeof *x);
    *mode = (int)tr.mode[row]; // NOLINT(bugprone-signed-char-misuse): -1 stays -1
    return true;
}

static bool make_constant(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    double x[IC_MAX_STATES] = {0};
    int mode;
    uint64_t seed = 100 + n;
    const size_t n_states = g->setup.problem.system->n_states;
    if (member < 3 && !right_state(x, &mode, g, (double)member / 2)) return false;
    for (size_t j = 0; j < n_states && member >= 3; j++) {
        if (member == 3) x[j] = g->scale[j];
        if (member == 4) x[j] = g->least[j] + range_of(g, j) * ic_uniform(&seed, 0, 1);
    } /* the last: all 0 */
    if (!open_rows(tr, g, n, even_step(g, n))) return false;
    for (size_t i = 0; i < n * n_states; i++) tr->x[i] = x[i % n_states];
    return keep_if(!is_right(tr, g, RESTS), tr);
}

/* Positions held with no velocity, or moved at their velocity, as if nothing acted. */
static bool make_hovering(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    double x[IC_MAX_STATES] = {0}, rate[IC_MAX_STATES] = {0};
    int mode;
    const ic_problem *p = &g->setup.problem;
    const ic_case *system = p->system;
    if (!right_state(x, &mode, g, 0.15 + (member < 2 ? 0 : member < 4 ? 0.3 : 0.6))) return false;
    p->variant->modes[mode].flow(rate, p->t_start, x, p->par);
    for (size_t j = 0; j < system->n_states; j++) {
        if (is_velocity(system, j) && member % 2 == 0) x[j] = 0;
        if (!is_position(system, j) || member % 2 == 0) rate[j] = 0;
    }
    if (!open_rows(tr, g, n, even_step(g, n))) return false;
    for (size_t i = 0; i < n * tr->n_states; i++) {
        const size_t j = i % tr->n_states;
        tr->x[i] = x[j] + rate[j] * (tr->t[i / tr->n_states] - tr->t[0]);
    }
    return keep_wrong(tr, g);
}

/* The flow of one mode without guards, from where the case is in another one: rest in the air,
   stuck apart, flight in the ground. */
enum { STARTS = 3, MODES = 8, WRONG_MODES = STARTS * MODES };

static size_t follow_smooth(ic_trajectory *tr, const family_ground *g, size_t first, const double *x, int mode)
{
    ic_problem p = g->setup.problem;
    ic_variant variant = *p.variant;
    ic_mode modes[32];
    if (variant.n_modes > IC_COUNT(modes)) return first;
    for (size_t m = 0; m < variant.n_modes; m++) {
        modes[m] = variant.modes[m];
        modes[m].n_guards = 0;
        modes[m].terminal = false;
    }
    variant.modes = modes;
    variant.n_time_events = 0;
    p.variant = &variant;
    return follow(tr, &p, first, x, mode);
}

static bool make_wrong_mode(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    double x[IC_MAX_STATES] = {0};
    int mode;
    const size_t wanted = member / STARTS;
    if (wanted >= g->setup.problem.variant->n_modes) return false;
    if (!right_state(x, &mode, g, 0.1 + 0.35 * (double)(member % STARTS)) || mode == (int)wanted) return false;
    if (!open_rows(tr, g, n, even_step(g, n))) return false;
    tr->n = follow_smooth(tr, g, 0, x, (int)wanted);
    return keep_wrong(tr, g);
}

/* ---- the right run, seen wrongly */

enum { RAISED = 4, BOTH_WAYS = 2 * RAISED, SEEN = 5 };

static bool make_raised(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    const ic_case *system = g->setup.problem.system;
    const double by = (member % 2 == 0 ? 0.1 : -0.1);
    size_t j = 0, left = member / 2;
    while (j < system->n_states && (!is_position(system, j) || left-- > 0)) j++;
    if (j == system->n_states || ic_state_is_derived(system, j) || !rows_with_modes(tr, g, n)) return false;
    for (size_t i = 0; i < tr->n; i++) tr->x[i * tr->n_states + j] += by * range_of(g, j);
    return keep_wrong(tr, g);
}

/* One number of it: state j in a row. */
static double seen_wrongly(const ic_trajectory *own, const family_ground *g, size_t row, size_t j,
                           size_t member)
{
    const ic_case *system = g->setup.problem.system;
    const size_t m = own->n_states;
    const double x = own->x[row * m + j], back = own->x[(own->n - 1 - row) * m + j];
    const bool velocity = is_velocity(system, j);
    switch (member) {
    case 0: return back;
    case 1: return velocity ? -back : back;
    case 2: return own->x[row * m + (j + 1) % m];
    case 3: return velocity ? -x : x;
    default: return velocity ? -x : is_position(system, j) ? g->most[j] + g->least[j] - x : x;
    }
}

static bool make_seen_wrongly(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    ic_trajectory own = {0};
    if (!rows_with_modes(&own, g, n)) return false;
    const size_t m = own.n_states;
    if (!open_rows(tr, g, own.n, own.t[1] - own.t[0])) return ic_trajectory_close(&own), false;
    for (size_t i = 0; i < own.n * m; i++) tr->x[i] = seen_wrongly(&own, g, i / m, i % m, member);
    ic_trajectory_close(&own);
    return keep_wrong(tr, g);
}

/* ---- rows of another system */

static const char *const others[] = {"bouncing-ball/lively", "two-mass/forced", "roller/III/C",
                                     "ball/hunt-crossley", "planar-bar/sticking"};

/* As it is, or brought to the range of each state. */
static bool make_other_case(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    family_ground other;
    IC_OWN(ic_trajectory) rows = {0};
    const char *path = others[member / 2];
    if (strncmp(path, g->path, strcspn(path, "/") + 1) == 0 || !family_ground_open(&other, path)) return false;
    bool good = rows_with_modes(&rows, &other, n) && open_rows(tr, g, rows.n, even_step(g, n));
    for (size_t i = 0; good && i < tr->n * tr->n_states; i++) {
        const size_t j = i % tr->n_states, k = j % rows.n_states;
        const double x = rows.x[i / tr->n_states * rows.n_states + k];
        tr->x[i] =
            member % 2 == 0 ? x : g->least[j] + (x - other.least[k]) / range_of(&other, k) * range_of(g, j);
    }
    family_ground_close(&other);
    return good && keep_wrong(tr, g);
}

/* A parameter doubled, halved, or doubled with noise of a twentieth of each range, from the same
   start. */
enum { CHANGES = 3, PARAMETERS = 24, OTHER_PARAMETERS = CHANGES * PARAMETERS };

static bool make_other_parameter(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    static const double factors[CHANGES] = {2, 0.5, 0.5};
    const ic_case *system = g->setup.problem.system;
    const size_t i = member / CHANGES;
    char text[96];
    const char *setting = text;
    ic_setup other;
    ic_error error;
    if (i >= system->n_parameters || g->setup.problem.par[i] == 0) return false;
    snprintf(text, sizeof text, "%s=%.17g", system->parameters[i].name,
             factors[member % CHANGES] * g->setup.problem.par[i]);
    const ic_request request = {.path = g->path, .settings = &setting, .n_settings = 1};
    if (!ic_setup_open(&other, &request, &error)) return false;
    bool good = open_rows(tr, g, n, even_step(g, n));
    if (good) {
        tr->n = follow(tr, &other.problem, 0, g->start, g->mode_start);
        good = keep_wrong(tr, g) && keep_if(!is_right(tr, g, NOT_ACCEPTED), tr);
    }
    if (good && member % CHANGES == 2) family_add_noise(tr, g, WRONG, 1 + member);
    ic_setup_close(&other);
    return good;
}

/* ---- one event left out, or made up */

enum { PLACES = 3, WAYS = 2, MADE_UP = 2, LEFT_OUT = PLACES * WAYS, ALL_MADE_UP = MADE_UP * WAYS };

/* The last row before event number `wanted` of those that change the mode or the state. */
static size_t row_before_event(const ic_trajectory *tr, const family_ground *g, size_t place, int *mode)
{
    size_t row = 0;
    ic_problem p = g->setup.problem;
    p.t_end = g->end;
    p.t_end_text = NULL;
    IC_OWN(ic_log) *log = ic_log_new(&p);
    if (log == NULL) return 0;
    (void)g->solver->solve(log, &p, &(ic_options){0});
    const size_t n = ic_log_event_count(log);
    if (n > place) {
        const ic_event event = ic_log_event_at(log, place == PLACES - 1 ? n / 2 : place);
        while (row + 1 < tr->n && tr->t[row + 1] < event.t) row++;
        *mode = event.mode_from;
    }
    return row;
}

/* As if it had not happened, to the end; or for a tenth of the rows, after which the run is right
   again. */
static bool make_event_left_out(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    double x[IC_MAX_STATES];
    int mode = -1;
    IC_OWN(ic_trajectory) right = {0};
    if (!rows_with_modes(tr, g, n)) return false;
    const size_t m = tr->n_states, row = row_before_event(tr, g, member / WAYS, &mode);
    if (mode < 0 || row == 0 || tr->mode[row] != mode || !rows_with_modes(&right, g, n))
        return keep_if(false, tr);
    memcpy(x, &tr->x[row * m], m * sizeof *x);
    const size_t end = follow_smooth(tr, g, row, x, mode), back = row + 1 + n / 10;
    if (member % WAYS == 0) tr->n = end;
    for (size_t i = back * m; i < right.n * m && member % WAYS == 1; i++) tr->x[i] = right.x[i];
    return keep_wrong(tr, g);
}

/* A jump where no guard fires, positions kept: the first guard's of the mode, or velocities
   reversed as at a ceiling. */
static bool make_event_made_up(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    const ic_problem *p = &g->setup.problem;
    double x[IC_MAX_STATES], post[IC_MAX_STATES];
    if (!rows_with_modes(tr, g, n)) return false;
    const size_t m = tr->n_states, row = (tr->n - 1) * (1 + member / WAYS) / 5;
    int mode = (int)tr->mode[row]; // NOLINT(bugprone-signed-char-misuse): -1 stays -1
    const ic_mode *from = &p->variant->modes[mode];
    memcpy(x, &tr->x[row * m], m * sizeof *x);
    memcpy(post, x, sizeof post);
    if (member % WAYS == 0) {
        if (from->n_guards == 0) return keep_if(false, tr);
        const ic_jump *jump = &from->guards[0].jump;
        const int branch = jump->apply(post, tr->t[row], x, p->par);
        if (branch < 0) return keep_if(false, tr);
        const int next = jump->branches[branch].mode;
        mode = next == IC_SAME_MODE ? mode : next;
    }
    for (size_t j = 0; j < m; j++) {
        if (is_position(p->system, j)) post[j] = x[j];
        else if (is_velocity(p->system, j) && member % WAYS == 1) post[j] = -x[j];
    }
    /* a row at the instant of an event is on either side of it: a made-up jump must change something */
    if (mode == (int)tr->mode[row] && memcmp(post, x, m * sizeof *x) == 0) return keep_if(false, tr);
    tr->n = follow(tr, p, row, post, mode);
    if (tr->n < row + 2) return keep_if(false, tr);
    memcpy(&tr->x[row * m], x, m * sizeof *x);
    return keep_wrong(tr, g);
}

/* ---- the right run, of which some rows are spoilt */

enum {
    BLOCK,
    REVERSED,
    REPEATED,
    SWAPPED,
    FAR_OUT,
    BLOWN_UP,
    SPOILERS,
    SPOILT_PLACES = 3,
    SPOILT = SPOILERS * SPOILT_PLACES
};

static void exchange_rows(ic_trajectory *tr, size_t a, size_t b)
{
    for (size_t j = 0; j < tr->n_states; j++) {
        const double kept = tr->x[a * tr->n_states + j];
        tr->x[a * tr->n_states + j] = tr->x[b * tr->n_states + j];
        tr->x[b * tr->n_states + j] = kept;
    }
}

static bool make_garbage(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    if (!rows_with_modes(tr, g, n) || tr->n < 50) return keep_if(false, tr);
    const size_t m = tr->n_states, place = tr->n * (1 + member / SPOILERS) / (SPOILT_PLACES + 1),
                 length = 2 + tr->n / 100, last = place + length - 1;
    IC_OWN(ic_trajectory) right = {0};
    if (!rows_with_modes(&right, g, n)) return keep_if(false, tr);
    for (size_t i = place; i <= last; i++) {
        for (size_t j = 0; j < m; j++) {
            double *x = &tr->x[i * m + j];
            if (member % SPOILERS == BLOCK) *x += 0.3 * range_of(g, j);
            if (member % SPOILERS == REPEATED) *x = right.x[(i - length) * m + j];
        }
    }
    for (size_t i = 0; i < length / 2 && member % SPOILERS == REVERSED; i++)
        exchange_rows(tr, place + i, last - i);
    if (member % SPOILERS == SWAPPED) exchange_rows(tr, place, place + 1);
    for (size_t i = 0; i < 4 && member % SPOILERS == FAR_OUT; i++)
        tr->x[(place + i * (tr->n - place - 1) / 4) * m] += 1e9 * g->scale[0];
    for (size_t i = tr->n - length; i < tr->n && member % SPOILERS == BLOWN_UP; i++) {
        for (size_t j = 0; j < m; j++)
            tr->x[i * m + j] += range_of(g, j) * pow(3, (double)(i + length - tr->n));
    }
    double off = 0;
    for (size_t i = 0; i < tr->n * m; i++) off = fmax(off, fabs(tr->x[i] - right.x[i]) / range_of(g, i % m));
    return keep_if(off > WRONG, tr);
}

/* ---- right rows, of which there are too few */

static bool make_two(ic_trajectory *tr, const family_ground *g, size_t n, size_t member)
{
    (void)member;
    return n == 2 && rows_with_modes(tr, g, n);
}

const family families[] = {
    {"noise", "independent numbers", NOISES, false, make_noise},
    {"constant", "one state, held", HELD, false, make_constant},
    {"hovering", "positions that are held, or drift", HOVERS, false, make_hovering},
    {"wrong-mode", "a mode's flow where the case is in another", WRONG_MODES, false, make_wrong_mode},
    {"named-mode", "the same, and the file names that mode", WRONG_MODES, true, make_wrong_mode},
    {"raised", "a position with a wrong origin", BOTH_WAYS, false, make_raised},
    {"seen-wrongly", "time reversed, columns shifted, velocities reversed, mirrored", SEEN, false,
     make_seen_wrongly},
    {"other-case", "rows of another case", 2 * IC_COUNT(others), false, make_other_case},
    {"other-parameter", "a parameter doubled or halved", OTHER_PARAMETERS, false, make_other_parameter},
    {"event-left-out", "the right run but for one event", LEFT_OUT, false, make_event_left_out},
    {"event-made-up", "the right run and one event more", ALL_MADE_UP, false, make_event_made_up},
    {"garbage", "the right run but for some rows", SPOILT, false, make_garbage},
    {"two", "two right rows", 1, false, make_two},
};
const size_t family_count = IC_COUNT(families);

bool family_make(ic_trajectory *tr, const family *family, const family_ground *g, size_t n, size_t member)
{
    *tr = (ic_trajectory){.path = family->name};
    if (!family->make(tr, g, n, member)) return false;
    tr->path = family->name;
    if (!family->tells_modes) free(tr->mode), tr->mode = NULL;
    return true;
}
