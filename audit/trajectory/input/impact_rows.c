/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"
#include "registry/registry.h"

#include <math.h>
#include <string.h>

/* ---- the file */

static const ic_state velocities[IC_VELOCITIES] = {
    {.name = "vx", .unit = "m/s"}, {.name = "vy", .unit = "m/s"}, {.name = "phi_dot", .unit = "rad/s"}};
static const ic_case of_velocities = {.name = "impact", .states = velocities, .n_states = IC_VELOCITIES};

static bool has_column(const ic_csv *csv, const ic_trajectory_reading *reading, const ic_state *state)
{
    char given[IC_MOST_LISTED];
    ic_column_use use = {.column = ic_csv_column(csv, state->name)};
    if (ic_listed_value(reading->columns, state->name, given) != NULL)
        ic_column_find(&use, csv, given, NULL, state->unit);
    return use.column < csv->n_columns;
}

bool ic_impact_rows_are(FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading)
{
    const ic_case *system = problem->system;
    ic_csv csv;
    ic_error ignored;
    bool all = true, some = false;
    if (ic_csv_open(&csv, stream, path, &ignored)) {
        some = has_column(&csv, reading, &velocities[IC_VELOCITY_X]) &&
               has_column(&csv, reading, &velocities[IC_VELOCITY_Y]);
        for (size_t i = 0; i < system->n_states; i++)
            all = all && (ic_state_is_derived(system, i) || has_column(&csv, reading, &system->states[i]));
    }
    ic_csv_close(&csv);
    return some && !all;
}

bool ic_impact_rows_read(ic_trajectory *rows, FILE *stream, const char *path,
                         const ic_trajectory_reading *reading, ic_error *error)
{
    return ic_trajectory_read(rows, stream, path, &(ic_problem){.system = &of_velocities}, reading, error);
}

bool ic_impact_rows_of(ic_trajectory *rows, const ic_trajectory *tr, const ic_problem *problem)
{
    const ic_case *system = problem->system;
    if (!ic_trajectory_open(rows, tr->n, IC_VELOCITIES, false)) return false;
    rows->path = tr->path;
    memcpy(rows->t, tr->t, tr->n * sizeof *tr->t);
    for (size_t i = 0; i < tr->n * IC_VELOCITIES; i++) {
        const size_t row = i / IC_VELOCITIES;
        const ic_output *output = &system->outputs[ic_output_find(system, velocities[i % IC_VELOCITIES].name)];
        rows->x[i] = output->value(tr->t[row], &tr->x[row * tr->n_states], 0, problem->par);
    }
    return true;
}

/* ---- both sides of the impact */

/*
 * If an impact happens between two rows, its change is at least this fraction of the whole change.
 * Otherwise the rows lie within the impact and are its ends.
 */
#define AT_ONCE 0.5
/*
 * Number of deviations from which on a drift counts. Rows near the impact determine its velocities.
 */
#define DRIFTS 5
enum { NEAR_ROWS = 50 };

static const double *velocity_at(const ic_trajectory *rows, size_t i)
{
    return &rows->x[i * IC_VELOCITIES];
}

static double speed_between(const double *a, const double *b)
{
    return hypot(a[IC_VELOCITY_X] - b[IC_VELOCITY_X], a[IC_VELOCITY_Y] - b[IC_VELOCITY_Y]);
}

/* A line through one velocity in the rows of one side. */
typedef struct fitted_side {
    /* m/s */
    double mean;

    /* m/s per row */
    double slope;

    /* mean of the rows' numbers */
    double centre;

    /* sum of squared distances of the rows' numbers from the centre */
    double tt;

    /* sum of squared residuals */
    double square;

    size_t n;
} fitted_side;

static fitted_side fit_side(const ic_trajectory *rows, size_t first, size_t last, int k)
{
    fitted_side s = {.n = last - first + 1};
    double tv = 0;
    for (size_t i = first; i <= last; i++)
        s.mean += velocity_at(rows, i)[k] / (double)s.n, s.centre += (double)i / (double)s.n;
    for (size_t i = first; i <= last; i++) {
        const double at = (double)i - s.centre;
        s.tt += at * at, tv += at * (velocity_at(rows, i)[k] - s.mean);
    }
    s.slope = s.tt > 0 ? tv / s.tt : 0;
    for (size_t i = first; i <= last; i++) {
        const double left = velocity_at(rows, i)[k] - s.mean - s.slope * ((double)i - s.centre);
        s.square += left * left;
    }
    return s;
}

/*
 * Value of the line at the row `edge`; the mean if the rows do not drift. One or two rows do not
 * show noise.
 */
static void extrapolate_to_edge(double *value, double *deviation, const fitted_side *s, size_t edge,
                                double sigma)
{
    const bool drifts = s->n > 2 && fabs(s->slope) * sqrt(s->tt) > DRIFTS * sigma;
    const double from = (double)edge - s->centre;
    *value = s->mean + (drifts || s->n == 2 ? s->slope * from : 0);
    *deviation = sigma * sqrt(1 / (double)s->n + (drifts ? from * from / s->tt : 0));
}

/*
 * The scatter of few rows is uncertain: deviations are widened as Student's quantile at five
 * deviations is, some 5 (1 + 8/f) for f >= 4 degrees of freedom.
 */
static double scatter_of(const fitted_side *before, const fitted_side *after, int n)
{
    double square = 0, freedom = 0;
    for (int k = 0; k < n; k++) {
        square += before[k].square + after[k].square;
        freedom +=
            (before[k].n > 2 ? (double)before[k].n - 2 : 0) + (after[k].n > 2 ? (double)after[k].n - 2 : 0);
    }
    return freedom > 0 ? sqrt(square / freedom) * (1 + 8 / freedom) : 0;
}

bool ic_impact_sides_of(ic_impact_sides *s, const ic_trajectory *rows)
{
    double jump = 0, most = 0;
    size_t last = 0;
    *s = (ic_impact_sides){.rows_before = 1, .rows_after = 1};
    for (size_t i = 1; i < rows->n; i++) {
        const double step = speed_between(velocity_at(rows, i), velocity_at(rows, i - 1));
        if (step > jump) jump = step, last = i - 1;
        most = fmax(most, speed_between(velocity_at(rows, i), velocity_at(rows, 0)));
    }
    memcpy(s->before, velocity_at(rows, 0), sizeof s->before);
    memcpy(s->after, velocity_at(rows, rows->n - 1), sizeof s->after);
    if (!(most > 0)) return false;
    if (jump < AT_ONCE * most) return true; /* The rows lie within the impact. */
    const size_t first = last + 1 > NEAR_ROWS ? last + 1 - NEAR_ROWS : 0;
    const size_t end = last + NEAR_ROWS < rows->n ? last + NEAR_ROWS : rows->n - 1;
    fitted_side before[IC_VELOCITIES], after[IC_VELOCITIES];
    for (int k = 0; k < IC_VELOCITIES; k++) {
        before[k] = fit_side(rows, first, last, k);
        after[k] = fit_side(rows, last + 1, end, k);
    }
    /* vx and vy have the same noise. */
    const double linear = scatter_of(before, after, IC_VELOCITY_PHI);
    const double angular = scatter_of(&before[IC_VELOCITY_PHI], &after[IC_VELOCITY_PHI], 1);
    for (int k = 0; k < IC_VELOCITIES; k++) {
        const double sigma = k < IC_VELOCITY_PHI ? linear : angular;
        extrapolate_to_edge(&s->before[k], &s->deviation_before[k], &before[k], last, sigma);
        extrapolate_to_edge(&s->after[k], &s->deviation_after[k], &after[k], last + 1, sigma);
    }
    s->rows_before = last + 1 - first, s->rows_after = end - last;
    return true;
}
