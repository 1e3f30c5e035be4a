/* SPDX-License-Identifier: MIT */
/*
 * For unexplained rows: do they come from a correct integrator with too coarse steps? After n steps
 * of length h a method of order p leaves a defect of about n C h^(p+1). For each method, the number
 * of steps between rows is chosen at which its defect equals that of the rows. Its steps from the
 * same row must then come ten times as near to the next row as the case does. No method matches a
 * wrong parameter, law or sign: their defects are of first order in h in the velocities alone,
 * while those of a method have the same order in all states.
 */
#include "audit/trajectory/checks/checks.h"
#include "audit/trajectory/input/input.h"
#include "core/numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- single steps */

/*
 * Integration methods of order 1 and 2 as single steps along the flow of one mode, by which rows of
 * a correct but coarse integrator are recognised. Hairer, Norsett & Wanner, Solving Ordinary
 * Differential Equations I, II.1 and II.14; Hairer, Lubich & Wanner, Geometric Numerical
 * Integration, I.1.
 */

/* The flow of one mode, and which states are positions. */
typedef struct step_field {
    const ic_mode *mode;
    const double *par;

    /* states */
    size_t n;

    /* whether its rate is another state, a velocity */
    bool is_position[IC_MAX_STATES];
} step_field;

typedef enum step_kind {
    EXPLICIT,

    /* one kind of states by a part of the step, the other by all of it, the first one by the rest */
    VELOCITIES_FIRST,
    POSITIONS_FIRST,

    /* the classical method of Runge and Kutta, of order 4 */
    CLASSICAL,

    IMPLICIT,
    IMPLICIT_MIDPOINT
} step_kind;

typedef struct step_method {
    /* "explicit Euler" */
    const char *name;

    int order;
    step_kind kind;

    /* place of the second stage, or part of the step, or weight of the end in an implicit one */
    double at;

    /* of the second stage of an explicit one */
    double weight;
} step_method;

/* Implicit equations: Newton's method with differences of the flow. */
enum { IMPLICIT_STATES = 16, ITERATIONS = 12 };
#define CONVERGED 1e-12
#define DIFFERENCE 1e-7

static void flow(double *f, const step_field *field, double t, const double *x)
{
    field->mode->flow(f, t, x, field->par);
}

static void add_scaled(double *x, const double *from, double h, const double *f, size_t n)
{
    for (size_t i = 0; i < n; i++) x[i] = from[i] + h * f[i];
}

/* ---- explicit, of one or two stages */

static void explicit_step(const step_method *m, const step_field *field, double t, double h, double *x)
{
    double f[IC_MAX_STATES], g[IC_MAX_STATES] = {0}, middle[IC_MAX_STATES];
    flow(f, field, t, x);
    add_scaled(middle, x, m->at * h, f, field->n);
    if (m->weight > 0) flow(g, field, t + m->at * h, middle);
    for (size_t i = 0; i < field->n; i++) x[i] += h * ((1 - m->weight) * f[i] + m->weight * g[i]);
}

static void classical_step(const step_field *field, double t, double h, double *x)
{
    static const double at[] = {0, 0.5, 0.5, 1}, weights[] = {1, 2, 2, 1};
    double f[IC_MAX_STATES] = {0}, stage[IC_MAX_STATES], sum[IC_MAX_STATES] = {0};
    for (size_t s = 0; s < IC_COUNT(at); s++) {
        add_scaled(stage, x, at[s] * h, f, field->n);
        flow(f, field, t + at[s] * h, stage);
        add_scaled(sum, sum, weights[s] * h / 6, f, field->n);
    }
    add_scaled(x, x, 1, sum, field->n);
}

/* ---- methods that advance positions and velocities one after the other */

/* Advances the positions, or all else. */
static void advance_some(const step_field *field, bool positions, double t, double h, double *x)
{
    double f[IC_MAX_STATES];
    flow(f, field, t, x);
    for (size_t i = 0; i < field->n; i++) x[i] += field->is_position[i] == positions ? h * f[i] : 0;
}

static void split_step(const step_method *m, const step_field *field, double t, double h, double *x)
{
    const bool positions = m->kind == POSITIONS_FIRST;
    advance_some(field, positions, t, m->at * h, x);
    advance_some(field, !positions, positions ? t + m->at * h : t, h, x);
    if (m->at < 1) advance_some(field, positions, t + h, (1 - m->at) * h, x);
}

/* ---- implicit: z = x + h (1 - theta) f(t, x) + h theta f(t + h, z), or z = x + h f(t + h/2, (x +
   z)/2) */

typedef struct implicit {
    const step_field *field;
    double t, h, theta;
    bool midpoint;
    const double *x;

    /* x + h (1 - theta) f(t, x) */
    double before[IC_MAX_STATES];
} implicit;

static void residual(double *r, const implicit *s, const double *z)
{
    const size_t n = s->field->n;
    double f[IC_MAX_STATES], middle[IC_MAX_STATES];
    for (size_t i = 0; i < n; i++) middle[i] = 0.5 * (s->x[i] + z[i]);
    if (s->midpoint) flow(f, s->field, s->t + 0.5 * s->h, middle);
    else flow(f, s->field, s->t + s->h, z);
    for (size_t i = 0; i < n; i++) r[i] = z[i] - s->before[i] - s->theta * s->h * f[i];
}

static bool newton_step(const implicit *s, double *z, double *change)
{
    const size_t n = s->field->n;
    double a[IMPLICIT_STATES * IMPLICIT_STATES], r[IC_MAX_STATES], moved[IC_MAX_STATES];
    residual(r, s, z);
    for (size_t j = 0; j < n; j++) {
        const double kept = z[j], delta = DIFFERENCE * fmax(fabs(kept), fabs(s->x[j] - s->before[j]) + 1e-9);
        z[j] += delta;
        residual(moved, s, z);
        z[j] = kept;
        for (size_t i = 0; i < n; i++) a[i * n + j] = (moved[i] - r[i]) / delta;
    }
    if (!ic_solve_linear(n, a, r)) return false;
    *change = 0;
    for (size_t i = 0; i < n; i++) {
        z[i] -= r[i];
        *change = fmax(*change, fabs(r[i]) / fmax(fabs(z[i]), DIFFERENCE));
    }
    return isfinite(*change);
}

static bool solve_implicit(implicit *s, double *x)
{
    const size_t n = s->field->n;
    double z[IC_MAX_STATES], f[IC_MAX_STATES], change = INFINITY;
    if (n > IMPLICIT_STATES) return false;
    flow(f, s->field, s->t, x);
    add_scaled(s->before, x, (1 - s->theta) * s->h, f, n);
    add_scaled(z, x, s->h, f, n);
    s->x = x;
    for (int i = 0; i < ITERATIONS && change > CONVERGED; i++) {
        if (!newton_step(s, z, &change)) return false;
    }
    memcpy(x, z, n * sizeof *x);
    return change < sqrt(CONVERGED);
}

static const step_method methods[] = {
    {"explicit Euler", 1, EXPLICIT, 0, 0},
    {"implicit Euler", 1, IMPLICIT, 1, 0},
    {"semi-implicit Euler, velocity first", 1, VELOCITIES_FIRST, 1, 0},
    {"semi-implicit Euler, position first", 1, POSITIONS_FIRST, 1, 0},
    {"explicit midpoint", 2, EXPLICIT, 0.5, 1},
    {"Heun", 2, EXPLICIT, 1, 0.5},
    {"velocity Verlet", 2, VELOCITIES_FIRST, 0.5, 0},
    {"position Verlet", 2, POSITIONS_FIRST, 0.5, 0},
    {"trapezoidal", 2, IMPLICIT, 0.5, 0},
    {"implicit midpoint", 2, IMPLICIT_MIDPOINT, 1, 0},
};

/* ---- steps */

static bool step_by(const step_method *m, const step_field *field, double t, double h, double *x)
{
    implicit s = {.field = field, .t = t, .h = h, .theta = m->at, .midpoint = m->kind == IMPLICIT_MIDPOINT};
    if (m->kind == IMPLICIT || s.midpoint) return solve_implicit(&s, x);
    if (m->kind == CLASSICAL) classical_step(field, t, h, x);
    else (m->kind == EXPLICIT ? explicit_step : split_step)(m, field, t, h, x);
    return true;
}

static step_field field_of(const ic_problem *problem, size_t mode)
{
    step_field field = {
        .mode = &problem->variant->modes[mode], .par = problem->par, .n = problem->system->n_states};
    ic_find_positions(field.is_position, problem);
    return field;
}

static bool take_steps(const step_method *method, const step_field *field, double t0, double t1, size_t steps,
                       double *x)
{
    const double h = (t1 - t0) / (double)steps;
    for (size_t i = 0; i < steps; i++) {
        if (!step_by(method, field, t0 + (double)i * h, h, x)) return false;
    }
    for (size_t i = 0; i < field->n; i++) {
        if (!isfinite(x[i])) return false;
    }
    return true;
}

enum { MOST_ASKED = 120, LEAST = 8, MOST_STEPS = 200, MOST_METHODS = 16 };

/* Factor by which a method must come nearer to the rows than the case. */
#define NEARER 0.1
/* A method that is nearer than another by this factor is named alone. */
#define MARGIN 3.0
/* In each mode this share of the intervals must be better explained by steps, by this factor. */
#define SHARE 0.7
#define LEFT_BY_STEPS 0.3
/* Least defect relative to the ranges: a file of nine digits shows nothing smaller. */
#define LEAST_DEFECT 1e-8

/* The search over some intervals. */
typedef struct step_search {
    const ic_tracking *k;

    /* Numbers of intervals. */
    size_t asked[MOST_ASKED], n;

    step_field fields[IC_PREDICT_MODES];

    /* Defects of the case, relative to the ranges. */
    double exact[MOST_ASKED];

    /* Number of steps of the last method from one row of the file to the next. */
    size_t per_row;
} step_search;

static double state_distance(const ic_tracking *k, const double *a, const double *b)
{
    double greatest = 0;
    for (size_t j = 0; j < k->trajectory->n_states; j++) {
        if (k->trajectory->source[j] == IC_FROM_TRACKING || !(k->range[j] > 0)) continue;
        const double d = fabs(a[j] - b[j]) / k->range[j];
        if (!(d <= greatest)) greatest = d;
    }
    return greatest;
}

/* The end of the case along one mode. */
static bool exact_end(double *end, const ic_tracking *k, const ic_interval *interval, size_t mode)
{
    ic_prediction p;
    ic_interval_predict(&p, k, interval, (int)mode, false);
    if (p.good) memcpy(end, p.x, k->trajectory->n_states * sizeof *end);
    return p.good;
}

static bool method_end(double *end, const step_search *s, const step_method *method,
                       const ic_interval *interval, size_t mode, size_t steps)
{
    const double *t = s->k->trajectory->t;
    ic_interval_state_in(end, s->k, interval, (int)mode);
    return take_steps(method, &s->fields[mode], t[interval->from], t[interval->to], steps, end);
}

/* ---- choice of intervals without an event, evenly spaced */

static bool is_smooth(const ic_tracking *k, size_t i)
{
    const ic_interval *interval = &k->intervals[i];
    ic_prediction p;
    if (ic_interval_has_event(interval) || interval->doubtful || !isfinite(interval->defect)) return false;
    if (interval->explanation != IC_UNEXPLAINED) return true;
    /* No event may be due where no mode was tracked. */
    ic_interval_predict(&p, k, interval, interval->mode, true);
    return p.good && p.events == 0;
}

static void choose_intervals(step_search *s)
{
    const ic_tracking *k = s->k;
    const size_t stride = k->n_intervals / MOST_ASKED + 1;
    for (size_t i = 0; i < k->n_intervals && s->n < MOST_ASKED; i += stride) {
        if (is_smooth(k, i)) s->asked[s->n++] = i;
    }
}

/* The defect, in ranges, of the nearest mode of a method, or of the case if it is NULL. */
static double defect_in(const step_search *s, const step_method *method, const ic_interval *interval)
{
    double least = INFINITY, end[IC_MAX_STATES] = {0};
    const size_t rows = interval->to - interval->from;
    const double *row = &s->k->trajectory->x[interval->to * s->k->trajectory->n_states];
    for (size_t m = 0; m < s->k->problem->variant->n_modes; m++) {
        const bool good = method == NULL ? exact_end(end, s->k, interval, m)
                                         : method_end(end, s, method, interval, m, s->per_row * rows);
        if (good) least = fmin(least, state_distance(s->k, end, row));
    }
    return least;
}

/*
 * Median defect over the intervals. INFINITY: too few intervals of one mode are explained, so that
 * the steps are not the only reason there; the contact force may be wrong.
 */
static double typical_defect(const step_search *s, const step_method *method)
{
    enum { FEW = 5 };
    double values[MOST_ASKED];
    size_t all[IC_PREDICT_MODES] = {0}, better[IC_PREDICT_MODES] = {0};
    for (size_t i = 0; i < s->n; i++) {
        const ic_interval *interval = &s->k->intervals[s->asked[i]];
        values[i] = defect_in(s, method, interval);
        all[interval->mode]++;
        better[interval->mode] += values[i] <= fmax(LEFT_BY_STEPS * s->exact[i], LEAST_DEFECT);
    }
    for (size_t m = 0; m < s->k->problem->variant->n_modes; m++) {
        if (all[m] >= FEW && (double)better[m] < SHARE * (double)all[m]) return INFINITY;
    }
    return ic_audit_median(values, s->n);
}

/* ---- one method */

/* The number of steps at which a method's defect e/n^p is that of the rows: the median. */
static double steps_asked_for(const step_search *s, const step_method *method)
{
    double values[MOST_ASKED];
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        const ic_interval *interval = &s->k->intervals[s->asked[i]];
        double end[IC_MAX_STATES] = {0}, case_end[IC_MAX_STATES] = {0};
        const size_t m = (size_t)interval->mode, rows = interval->to - interval->from;
        if (!exact_end(case_end, s->k, interval, m) || !method_end(end, s, method, interval, m, rows)) continue;
        const double own = state_distance(s->k, end, case_end);
        if (s->exact[i] > 0) values[n++] = pow(own / s->exact[i], 1.0 / method->order);
    }
    return n >= LEAST ? ic_audit_median(values, n) : NAN;
}

/* The typical defect of a method with the best number of steps; INFINITY: none. */
static double try_method(step_search *s, const step_method *method)
{
    const double asked = steps_asked_for(s, method), least = 0.7; /* `least` counts as one step. */
    const size_t rows = s->k->intervals[s->asked[0]].to - s->k->intervals[s->asked[0]].from;
    double best = INFINITY;
    size_t best_steps = 0;
    if (!(asked > least) || asked * (double)rows > MOST_STEPS) return INFINITY;
    const size_t middle = (size_t)fmax(1, floor(asked + 0.5));
    for (size_t n = middle > 1 ? middle - 1 : 1; n <= middle + 1; n++) {
        s->per_row = n;
        const double defect = typical_defect(s, method);
        if (defect < best) best = defect, best_steps = n;
    }
    s->per_row = best_steps;
    return best;
}

/* ---- rows on straight lines between points that are farther apart */

bool ic_row_on_line(const ic_tracking *k, size_t i)
{
    if (i == 0 || i + 1 >= k->trajectory->n) return false;
    const ic_trajectory *tr = k->trajectory;
    const double rounding = 1e-11, before = tr->t[i] - tr->t[i - 1], after = tr->t[i + 1] - tr->t[i];
    if (!(before > 0 && after > 0)) return false;
    for (size_t j = 0; j < tr->n_states; j++) {
        const double *x = &tr->x[i * tr->n_states + j];
        const double line = (x[-(ptrdiff_t)tr->n_states] * after + x[tr->n_states] * before) / (before + after);
        if (tr->source[j] == IC_FROM_FILE && fabs(x[0] - line) > rounding * k->range[j]) return false;
    }
    return true;
}

/*
 * The rows at which lines meet, as a trajectory of their own. false: rows are not on lines, or
 * memory ran out.
 */
static bool copy_corners(ic_trajectory *part, const ic_tracking *k)
{
    enum { MOST_CORNERS = 400, ROWS_PER_LINE = 2 };
    const ic_trajectory *tr = k->trajectory;
    size_t last = 0;
    if (!ic_trajectory_open(part, MOST_CORNERS, tr->n_states, tr->mode != NULL)) return false;
    memcpy(part->source, tr->source, sizeof part->source);
    part->n = 0;
    for (size_t i = 1; i + 1 < tr->n && part->n < MOST_CORNERS; i++) {
        if (ic_row_on_line(k, i)) continue;
        last = i;
        part->t[part->n] = tr->t[i];
        part->line[part->n] = tr->line != NULL ? tr->line[i] : i;
        if (tr->mode != NULL) part->mode[part->n] = tr->mode[i];
        memcpy(&part->x[part->n++ * tr->n_states], &tr->x[i * tr->n_states], tr->n_states * sizeof *part->x);
    }
    if (part->n >= LEAST && last >= ROWS_PER_LINE * part->n) return true;
    ic_trajectory_close(part);
    return false;
}

/*
 * Chooses the intervals. Returns the median defect of the case, relative to the ranges; NAN: there
 * are too few.
 */
static double open_search(step_search *s, const ic_tracking *k)
{
    double sorted[MOST_ASKED];
    *s = (step_search){.k = k};
    choose_intervals(s);
    if (s->n < LEAST || k->problem->variant->n_modes > IC_PREDICT_MODES) return NAN;
    for (size_t m = 0; m < k->problem->variant->n_modes; m++) s->fields[m] = field_of(k->problem, m);
    for (size_t i = 0; i < s->n; i++) s->exact[i] = defect_in(s, NULL, &k->intervals[s->asked[i]]);
    memcpy(sorted, s->exact, s->n * sizeof *sorted);
    return ic_audit_median(sorted, s->n);
}

/* Whether the case or steps explain the points where the lines meet. */
static bool name_lines(const ic_tracking *k, double exact, char *detail, size_t size)
{
    const ic_trajectory_options options = {.accept = k->accept, .time_scale = k->time_scale};
    ic_trajectory part;
    ic_tracking tracked;
    step_search s;
    bool right = false;
    if (!copy_corners(&part, k)) return false;
    if (ic_track(&tracked, &part, k->problem, k->noise, &options)) {
        right = open_search(&s, &tracked) <= NEARER * exact;
        if (right)
            snprintf(detail, size,
                     "The rows lie on straight lines between points %.3g s apart, which are explained",
                     tracked.spacing);
        else right = ic_find_coarse_steps(&tracked, detail, size);
        ic_tracking_close(&tracked);
    }
    ic_trajectory_close(&part);
    return right;
}

/* ---- the search */

/* Name the methods that fit as well as the best, and their common order. */
static void name_methods(char *detail, size_t size, const step_search *s, const double *defects, size_t best,
                         double exact)
{
    const ic_interval *first = &s->k->intervals[s->asked[0]];
    const double *t = s->k->trajectory->t;
    const double h = (t[first->to] - t[first->from]) / (double)(s->per_row * (first->to - first->from));
    bool one_order = true;
    size_t named = 0;
    char names[192] = "";
    for (size_t i = 0; i < IC_COUNT(methods); i++) {
        if (defects[i] > MARGIN * defects[best] && i != best) continue;
        one_order &= methods[i].order == methods[best].order;
        ic_text_append(names, sizeof names, "%s%s", named++ > 0 ? " or " : "", methods[i].name);
    }
    if (one_order)
        snprintf(
            detail, size,
            "Steps of %.3g s by a method of order %d (%s) lead to the rows, with %.2g of the case's defect", h,
            methods[best].order, names, defects[best] / exact);
    else snprintf(detail, size, "Steps of %.3g s by a method of low order lead to the rows (%s)", h, names);
}

/* Whether steps in the flow of another problem lead through an interval. */
static bool steps_lead(const ic_tracking *k, const ic_interval *interval, const step_method *method,
                       const step_field *field, const size_t *from, size_t slips, size_t n)
{
    const ic_trajectory *tr = k->trajectory;
    const double *next = &tr->x[interval->to * tr->n_states];
    double x[IC_MAX_STATES] = {0}, row[IC_MAX_STATES];
    ic_interval_state(row, k, interval);
    for (size_t j = 0; j < field->n; j++) x[j] = j == slips ? 1 : from[j] < tr->n_states ? row[from[j]] : 0;
    bool good = take_steps(method, field, tr->t[interval->from], tr->t[interval->to], n, x);
    for (size_t j = 0; j < field->n && good; j++)
        good = from[j] >= tr->n_states || tr->source[from[j]] != IC_FROM_FILE ||
               fabs(x[j] - next[from[j]]) <= k->tolerance[from[j]];
    return good;
}

/* Another problem, and how rows become its states. */
typedef struct sign_friction {
    step_field field;
    const size_t *from;

    /* Number of the state that is the sign of the slip; n of the field: none. */
    size_t slips;
} sign_friction;

/* Whether n steps lead through nearly all intervals that guards do not explain. */
static bool steps_lead_all(const ic_tracking *k, const sign_friction *friction, const step_method *method,
                           size_t n)
{
    size_t led = 0, tried = 0;
    for (size_t i = 0; i < k->n_intervals && tried < MOST_ASKED && tried <= 2 * led + 4; i++) {
        if (k->intervals[i].explanation == IC_BY_GUARDS) continue;
        led += steps_lead(k, &k->intervals[i], method, &friction->field, friction->from, friction->slips, n);
        tried++;
    }
    return led > 2 && (double)led >= IC_ROWS_EXPLAINED * (double)tried;
}

double ic_find_chatter(const ic_tracking *k, const ic_problem *problem, const size_t *from, const char *element)
{
    static const step_method of_users[] = {{"explicit Euler", 1, EXPLICIT, 0, 0},
                                           {"", 1, VELOCITIES_FIRST, 1, 0},
                                           {"Runge-Kutta", 4, CLASSICAL, 0, 0}};
    sign_friction friction = {field_of(problem, 0), from, ic_state_find(problem->system, element)};
    const size_t own = friction.slips < friction.field.n ? from[friction.slips] : 0;
    if (own < k->trajectory->n_states && !ic_is_memory(k, own)) friction.slips = friction.field.n;
    for (size_t n = 1; n <= MOST_STEPS; n++) {
        for (size_t m = 0; m < IC_COUNT(of_users); m++) {
            /* where the sign stays, steps of any length lead to the rows */
            if (steps_lead_all(k, &friction, &of_users[m], n))
                return steps_lead_all(k, &friction, &of_users[m], 3 * n + 1) ? NAN : k->spacing / (double)n;
        }
    }
    return NAN;
}

bool ic_find_coarse_steps(const ic_tracking *k, char *detail, size_t size)
{
    step_search s;
    double defects[MOST_METHODS] = {INFINITY};
    size_t best = 0, steps = 1;
    const double exact = open_search(&s, k);
    if (!(exact > LEAST_DEFECT)) return false;
    for (size_t i = 0; i < IC_COUNT(methods); i++) {
        s.per_row = 1;
        defects[i] = fmax(try_method(&s, &methods[i]), 1e-6 * exact);
        if (defects[i] < defects[best] || i == 0) best = i, steps = s.per_row;
    }
    s.per_row = steps;
    if (!(defects[best] <= NEARER * exact)) return name_lines(k, exact, detail, size);
    name_methods(detail, size, &s, defects, best, exact);
    return true;
}
