/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"
#include "registry/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 64, NAMES = IC_VELOCITIES + 1, T = IC_VELOCITIES };
static const char *const names[NAMES] = {"vx", "vy", "phi_dot", "t"};
static const char *const units[NAMES] = {"m/s", "m/s", "rad/s", "s"};

/* ---- the file */

static ic_column_use column_of(const ic_csv *csv, const ic_trajectory_reading *reading, const char *name,
                               const char *unit)
{
    char given[IC_MOST_LISTED];
    ic_column_use use = {.column = ic_csv_column(csv, name), .factor = 1};
    if (ic_listed_value(reading->columns, name, given) != NULL) ic_column_find(&use, csv, given, NULL, unit);
    return use;
}

bool ic_impact_rows_are(FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading)
{
    const ic_case *system = problem->system;
    ic_csv csv;
    ic_error ignored;
    bool all = true, velocities = false;
    if (ic_csv_open(&csv, stream, path, &ignored)) {
        velocities = column_of(&csv, reading, "vx", NULL).column < csv.n_columns &&
                     column_of(&csv, reading, "vy", NULL).column < csv.n_columns;
        for (size_t i = 0; i < system->n_states; i++)
            all = all && (ic_state_is_derived(system, i) ||
                          column_of(&csv, reading, system->states[i].name, system->states[i].unit).column <
                              csv.n_columns);
    }
    ic_csv_close(&csv);
    return velocities && !all;
}

static bool names_are_known(const char *list, const char *option, ic_error *error)
{
    for (const char *s = list; s != NULL && *s != '\0'; s += ic_list_item(s), s += *s == ',') {
        const size_t length = strcspn(s, ",=");
        bool known = s[length] == '=';
        for (size_t i = 0, found = 0; known && i < NAMES; i++) {
            found += strlen(names[i]) == length && strncmp(s, names[i], length) == 0;
            if (i + 1 == NAMES) known = found > 0;
        }
        if (known) continue;
        ic_error_set(error, "option %s: '%.*s' is not NAME=VALUE with NAME one of t, vx, vy, phi_dot", option,
                     (int)ic_list_item(s), s);
        return false;
    }
    return true;
}

static bool grow_rows(ic_impact_rows *rows)
{
    const size_t capacity = rows->capacity == 0 ? FIRST_ROWS : 2 * rows->capacity;
    double *t = realloc(rows->t, capacity * sizeof *t);
    if (t != NULL) rows->t = t;
    double(*v)[IC_VELOCITIES] = realloc(rows->v, capacity * sizeof *v);
    if (v != NULL) rows->v = v;
    size_t *line = realloc(rows->line, capacity * sizeof *line);
    if (line != NULL) rows->line = line;
    rows->capacity = capacity;
    return t != NULL && v != NULL && line != NULL;
}

static bool read_row(ic_impact_rows *rows, const ic_csv *csv, const ic_column_use *use, const double *factor,
                     ic_error *error)
{
    if (rows->n == rows->capacity && !grow_rows(rows)) {
        ic_error_set(error, "%s:%zu: memory ran out", csv->path, csv->line);
        return false;
    }
    for (size_t i = 0; i < NAMES; i++) {
        double *value = i == T ? &rows->t[rows->n] : &rows->v[rows->n][i];
        *value = NAN;
        if (use[i].column == csv->n_columns) continue;
        if (!ic_column_number(csv, &use[i], factor[i], value, error)) return false;
    }
    if (rows->n > 0 && rows->t[rows->n] < rows->t[rows->n - 1]) {
        ic_error_set(error, "%s:%zu:%zu: time decreases; rows must be in the order of time", csv->path,
                     csv->line, csv->places[use[T].column]);
        return false;
    }
    rows->line[rows->n++] = csv->line;
    return true;
}

static bool find_columns(const ic_csv *csv, const ic_trajectory_reading *reading, ic_column_use *use,
                         double *factor, ic_error *error)
{
    for (size_t i = 0; i < NAMES; i++) {
        char unit[IC_MOST_LISTED];
        ic_error why;
        factor[i] = 1;
        use[i] = column_of(csv, reading, names[i], units[i]);
        if (ic_listed_value(reading->units, names[i], unit) == NULL ||
            ic_unit_to_si(&factor[i], unit, units[i], &why))
            continue;
        ic_error_set(error, "option --units: %s: %s", names[i], why.text);
        return false;
    }
    return true;
}

bool ic_impact_rows_read(ic_impact_rows *rows, FILE *stream, const char *path,
                         const ic_trajectory_reading *reading, ic_error *error)
{
    ic_csv csv;
    ic_column_use use[NAMES];
    double factor[NAMES];
    ic_csv_row row = IC_CSV_WRONG;
    *rows = (ic_impact_rows){.path = path};
    if (ic_csv_open(&csv, stream, path, error) && ic_csv_has_names(&csv, reading->columns, error) &&
        names_are_known(reading->columns, "--columns", error) &&
        names_are_known(reading->units, "--units", error) && find_columns(&csv, reading, use, factor, error)) {
        row = ic_csv_next(&csv, error);
        while (row == IC_CSV_ROW)
            row = read_row(rows, &csv, use, factor, error) ? ic_csv_next(&csv, error) : IC_CSV_WRONG;
    }
    if (row == IC_CSV_END && rows->n < 2) {
        ic_error_set(
            error,
            "%s:%zu:1: %zu row%s below the names; at least one before the impact and one after it are needed",
            path, csv.line + 1, rows->n, rows->n == 1 ? "" : "s");
        row = IC_CSV_WRONG;
    }
    ic_csv_close(&csv);
    if (row == IC_CSV_WRONG) ic_impact_rows_close(rows);
    return row == IC_CSV_END;
}

bool ic_impact_rows_of(ic_impact_rows *rows, const ic_trajectory *tr, const ic_problem *problem)
{
    const ic_case *system = problem->system;
    *rows = (ic_impact_rows){.path = tr->path};
    for (size_t i = 0; i < tr->n; i++) {
        if (rows->n == rows->capacity && !grow_rows(rows)) {
            ic_impact_rows_close(rows);
            return false;
        }
        for (size_t k = 0; k < IC_VELOCITIES; k++) {
            const ic_output *output = &system->outputs[ic_output_find(system, names[k])];
            rows->v[rows->n][k] = output->value(tr->t[i], &tr->x[i * tr->n_states], 0, problem->par);
        }
        rows->t[rows->n] = tr->t[i];
        rows->line[rows->n++] = tr->line[i];
    }
    return true;
}

void ic_impact_rows_close(ic_impact_rows *rows)
{
    free(rows->t);
    free(rows->v);
    free(rows->line);
    *rows = (ic_impact_rows){0};
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

static fitted_side fit_side(const ic_impact_rows *rows, size_t first, size_t last, int k)
{
    fitted_side s = {.n = last - first + 1};
    double tv = 0;
    for (size_t i = first; i <= last; i++)
        s.mean += rows->v[i][k] / (double)s.n, s.centre += (double)i / (double)s.n;
    for (size_t i = first; i <= last; i++) {
        const double at = (double)i - s.centre;
        s.tt += at * at, tv += at * (rows->v[i][k] - s.mean);
    }
    s.slope = s.tt > 0 ? tv / s.tt : 0;
    for (size_t i = first; i <= last; i++) {
        const double left = rows->v[i][k] - s.mean - s.slope * ((double)i - s.centre);
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

bool ic_impact_sides_of(ic_impact_sides *s, const ic_impact_rows *rows)
{
    double jump = 0, most = 0;
    size_t last = 0;
    *s = (ic_impact_sides){.rows_before = 1, .rows_after = 1};
    for (size_t i = 1; i < rows->n; i++) {
        const double step = speed_between(rows->v[i], rows->v[i - 1]);
        if (step > jump) jump = step, last = i - 1;
        most = fmax(most, speed_between(rows->v[i], rows->v[0]));
    }
    memcpy(s->before, rows->v[0], sizeof s->before);
    memcpy(s->after, rows->v[rows->n - 1], sizeof s->after);
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
