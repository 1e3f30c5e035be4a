/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"
#include "core/model.h"
#include "core/numbers.h"
#include "registry/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROWS = 1024 };

/* A reader of a file. Column n_columns: absent. */
typedef struct trajectory_reader {
    const ic_problem *problem;
    const ic_trajectory_reading *reading;
    ic_csv csv;
    ic_column_use t_column, mode_column, force_column, column[IC_MAX_STATES];
    double t_factor, force_factor, factor[IC_MAX_STATES];
    size_t capacity;
} trajectory_reader;

/* Whether the file has velocities of an impact alone, without a case's modes. */
static bool is_impact(const trajectory_reader *r)
{
    return r->problem->variant == NULL;
}

/* Append a name to a list if there is room. */
static void append_name(char *list, size_t size, const char *name)
{
    const size_t n = strlen(list);
    if (n + strlen(name) + 3 < size) snprintf(list + n, size - n, "%s%s", n == 0 ? "" : ", ", name);
}

/* ---- lists NAME=VALUE,... */

/* The name of the output for the contact force; NULL: none. */
static const char *force_name(const ic_case *system)
{
    const ic_contact_view *view = system->contact;
    return view != NULL ? view->force : NULL;
}

static bool is_known(const ic_case *system, const char *name, size_t length)
{
    const char *force = force_name(system);
    if (force != NULL && strlen(force) == length && strncmp(force, name, length) == 0) return true;
    if ((length == 1 && name[0] == 't') || (length == 4 && strncmp(name, "mode", 4) == 0)) return true;
    for (size_t i = 0; i < system->n_states; i++) {
        if (strlen(system->states[i].name) == length && strncmp(system->states[i].name, name, length) == 0)
            return true;
    }
    return false;
}

/* Whether an earlier item has the same name. */
static bool is_again(const char *list, const char *at, size_t length)
{
    for (const char *s = list; s < at; s += ic_list_item(s) + 1) {
        if (strcspn(s, ",=") == length && strncmp(s, at, length) == 0) return true;
    }
    return false;
}

/* Check the items of a list: known names, each once. */
static bool names_are_known(const char *list, const char *option, const char *shape, const ic_case *system,
                            ic_error *error)
{
    for (const char *s = list; s != NULL && *s != '\0'; s += ic_list_item(s), s += *s == ',') {
        const size_t length = strcspn(s, ",="), item = ic_list_item(s);
        char states[256] = "t";
        if (is_again(list, s, length)) {
            ic_error_set(error, "option %s: '%.*s' occurs twice; give it once", option, (int)length, s);
            return false;
        }
        if (is_known(system, s, length) && length < item) continue;
        if (system->n_variants > 0) append_name(states, sizeof states, "mode");
        for (size_t i = 0; i < system->n_states; i++)
            append_name(states, sizeof states, system->states[i].name);
        if (force_name(system) != NULL) append_name(states, sizeof states, force_name(system));
        ic_error_set(error, "option %s: '%.*s' is not NAME%s with NAME one of %s", option, (int)item, s, shape,
                     states);
        return false;
    }
    return true;
}

/* ---- columns */

static bool no_such_column(const trajectory_reader *r, const char *name, const char *column, ic_error *error)
{
    ic_nearest nearest = {.wrong = column};
    char known[256] = "";
    for (size_t i = 0; i < r->csv.n_columns; i++) {
        ic_nearest_offer(&nearest, r->csv.names[i]);
        append_name(known, sizeof known, r->csv.names[i]);
    }
    ic_error_set(
        error,
        "%s:%zu:1: column '%s' does not exist%s%s%s; columns: %s (--columns %s=COLUMN names it, also %s=-COLUMN, "
        "%s=COLUMN-0.1, with a parameter or a unit '%s=2*COLUMN deg' and, by number, %s=2)",
        r->csv.path, r->csv.line, column, strcmp(name, column) != 0 ? " for " : "",
        strcmp(name, column) != 0 ? name : "", ic_nearest_hint(&nearest).text, known, name, name, name, name,
        name);
    return false;
}

/* Reject two columns of one name as ambiguous. */
static bool only_once(const trajectory_reader *r, size_t column, ic_error *error)
{
    for (size_t i = column + 1; i < r->csv.n_columns; i++) {
        if (strcmp(r->csv.names[i], r->csv.names[column]) != 0) continue;
        ic_error_set(error, "%s:%zu:%zu: column '%s' occurs twice; names of columns must be unique",
                     r->csv.path, r->csv.line, i + 1, r->csv.names[i]);
        return false;
    }
    return true;
}

/*
 * Find the column of a name: as requested, or of the same name. false: the requested one does not
 * exist.
 */
static bool find_column(trajectory_reader *r, const char *name, const char *si, ic_column_use *use,
                        ic_error *error)
{
    char wanted[IC_MOST_LISTED];
    const char *given = ic_listed_value(r->reading->columns, name, wanted);
    if (given != NULL) ic_column_find(use, &r->csv, given, r->problem, si);
    else *use = (ic_column_use){.column = ic_csv_column(&r->csv, name), .factor = 1};
    if (use->column < r->csv.n_columns) return only_once(r, use->column, error);
    return given == NULL || no_such_column(r, name, given, error);
}

static bool find_factor(const trajectory_reader *r, const char *name, const char *si, double *factor,
                        ic_error *error)
{
    char unit[IC_MOST_LISTED];
    ic_error why;
    *factor = 1;
    if (ic_listed_value(r->reading->units, name, unit) == NULL || ic_unit_to_si(factor, unit, si, &why))
        return true;
    ic_error_set(error, "option --units: %s: %s", name, why.text);
    return false;
}

static bool is_in_file(const trajectory_reader *r, size_t i)
{
    return r->column[i].column < r->csv.n_columns;
}

/* Whether a state is in the file, or a velocity whose position is. */
static bool is_shown(const trajectory_reader *r, size_t i)
{
    const size_t position = ic_position_of(r->problem, i);
    return is_in_file(r, i) || (position < r->problem->system->n_states && is_in_file(r, position));
}

/* A question about a state: does its rate differ from 0, do rates of states in the file depend on it, do guards? */
typedef enum dependent { OWN_RATE, SHOWN_RATES, GUARDS } dependent;

static bool depends(const trajectory_reader *r, const ic_mode *mode, double *x, size_t i, double step,
                    dependent what)
{
    const ic_problem *problem = r->problem;
    const double t = problem->t_start, *par = problem->par, own = x[i];
    double rate[IC_MAX_STATES], other[IC_MAX_STATES];
    bool does = false;
    mode->flow(rate, t, x, par);
    if (what == OWN_RATE) return rate[i] != 0;
    x[i] += step;
    mode->flow(other, t, x, par);
    x[i] = own;
    for (size_t j = 0; j < problem->system->n_states && what == SHOWN_RATES; j++)
        does = does || (rate[j] != other[j] && is_shown(r, j));
    for (const ic_guard *g = mode->guards; g < mode->guards + mode->n_guards && what == GUARDS; g++) {
        const double value = g->value(t, x, par), enabled = g->enabled != NULL ? g->enabled(t, x, par) : 0;
        x[i] += step;
        does = does || g->value(t, x, par) != value || (g->enabled != NULL && g->enabled(t, x, par) != enabled);
        x[i] = own;
    }
    return does;
}

/* Whether it does in any mode, at the start of the case or beside it. */
static bool moves(const trajectory_reader *r, size_t i, dependent what)
{
    const ic_problem *problem = r->problem;
    const ic_variant *variant = problem->variant;
    double x[IC_MAX_STATES] = {0}, scale[IC_MAX_STATES];
    if (variant->start.apply(x, problem->t_start, NULL, problem->par) < 0) return true;
    ic_state_scales(problem, scale);
    for (int beside = 0; beside < 2; beside++) {
        for (size_t m = 0; m < variant->n_modes; m++) {
            if (depends(r, &variant->modes[m], x, i, scale[i], what)) return true;
        }
        for (size_t j = 0; j < problem->system->n_states; j++) x[j] += scale[j];
    }
    return false;
}

/*
 * Whether a state that is not in the file is followed along the rows: a memory, a state that changes by jumps alone, a
 * rotation that does not move what the file has, or any state on which no guard depends either, as a dissipated energy.
 */
static bool is_hidden(const trajectory_reader *r, size_t i)
{
    const ic_case *system = r->problem->system;
    size_t known = 0;
    for (size_t j = 0; j < system->n_states; j++) known += is_in_file(r, j);
    if (ic_state_is_derived(system, i) || ic_state_is_discrete(system, i)) return true;
    if (known == 0 || !moves(r, i, OWN_RATE)) return known > 0;
    const bool rotates = strncmp(system->states[i].unit, "rad", 3) == 0;
    return !moves(r, i, SHOWN_RATES) && (rotates || !moves(r, i, GUARDS));
}

/* The source of a state: file, differences, tracking or model, or an error. */
static bool find_source(ic_trajectory *tr, const trajectory_reader *r, size_t i, ic_error *error)
{
    const ic_case *system = r->problem->system;
    const char *name = system->states[i].name;
    if (is_in_file(r, i)) {
        tr->source[i] = IC_FROM_FILE;
        strncpy(tr->column[i], r->csv.names[r->column[i].column], sizeof tr->column[i] - 1);
        return true;
    }
    tr->source[i] = IC_FROM_TRACKING;
    if (is_impact(r)) return true;
    const size_t position = ic_position_of(r->problem, i);
    const bool model = ic_frame_can_reconstruct(r->problem, i);
    const bool derived = !model && position < system->n_states && is_in_file(r, position);
    const bool memory = is_hidden(r, i);
    tr->source[i] = derived ? IC_FROM_DIFFERENCES : memory ? IC_FROM_TRACKING : IC_FROM_MODEL;
    return derived || memory || model || no_such_column(r, name, name, error);
}

/* Find the column of the contact force. */
static bool find_force(trajectory_reader *r, ic_error *error)
{
    const char *force = force_name(r->problem->system);
    r->force_column = (ic_column_use){.column = r->csv.n_columns};
    return force == NULL || (find_column(r, force, "N", &r->force_column, error) &&
                             find_factor(r, force, "N", &r->force_factor, error));
}

static bool find_columns(ic_trajectory *tr, trajectory_reader *r, ic_error *error)
{
    const ic_case *system = r->problem->system;
    const ic_contact_view *view = system->contact;
    const ic_trajectory_reading *reading = r->reading;
    size_t states = 0;
    if (!names_are_known(reading->columns, "--columns", "=COLUMN", system, error) ||
        !names_are_known(reading->units, "--units", "=UNIT", system, error) ||
        !find_column(r, "t", "s", &r->t_column, error) ||
        !find_column(r, "mode", NULL, &r->mode_column, error) ||
        !find_factor(r, "t", "s", &r->t_factor, error) || !find_force(r, error))
        return false;
    if (is_impact(r)) r->mode_column.column = r->csv.n_columns;
    else if (r->t_column.column == r->csv.n_columns) return no_such_column(r, "t", "t", error);
    for (size_t i = 0; i < system->n_states; i++) {
        if (!find_column(r, system->states[i].name, system->states[i].unit, &r->column[i], error)) return false;
        states += is_in_file(r, i);
    }
    tr->times_alone =
        states == 0 && r->csv.n_columns == 1 && view != NULL && view->rigid && view->restitution != NULL;
    if (tr->times_alone) return true;
    for (size_t i = 0; i < system->n_states; i++) {
        if (!find_source(tr, r, i, error) ||
            !find_factor(r, system->states[i].name, system->states[i].unit, &r->factor[i], error))
            return false;
    }
    return true;
}

/* ---- rows */

static bool grow_rows(ic_trajectory *tr, trajectory_reader *r)
{
    const size_t capacity = r->capacity == 0 ? FIRST_ROWS : 2 * r->capacity;
    const size_t n = tr->n_states > 0 ? tr->n_states : 1;
    double *t = realloc(tr->t, capacity * sizeof *t);
    if (t != NULL) tr->t = t;
    double *x = realloc(tr->x, capacity * n * sizeof *x);
    if (x != NULL) tr->x = x;
    size_t *line = realloc(tr->line, capacity * sizeof *line);
    if (line != NULL) tr->line = line;
    const bool modes = r->mode_column.column < r->csv.n_columns;
    signed char *mode = modes ? realloc(tr->mode, capacity) : NULL;
    if (mode != NULL) tr->mode = mode;
    const bool forces = r->force_column.column < r->csv.n_columns;
    double *force = forces ? realloc(tr->force, capacity * sizeof *force) : NULL;
    if (force != NULL) tr->force = force;
    r->capacity = capacity;
    return t != NULL && x != NULL && line != NULL && (mode != NULL || !modes) && (force != NULL || !forces);
}

static bool read_mode(ic_trajectory *tr, const trajectory_reader *r, ic_error *error)
{
    const ic_variant *variant = r->problem->variant;
    const char *name = r->csv.fields[r->mode_column.column];
    char known[256] = "";
    for (size_t i = 0; i < variant->n_modes; i++) {
        if (strcmp(variant->modes[i].name, name) == 0) {
            tr->mode[tr->n] = (signed char)i;
            return true;
        }
        append_name(known, sizeof known, variant->modes[i].name);
    }
    ic_error_set(error, "%s:%zu:%zu: mode '%.40s' does not exist; modes: %s", r->csv.path, r->csv.line,
                 r->csv.places[r->mode_column.column], name, known);
    return false;
}

static bool read_row(ic_trajectory *tr, trajectory_reader *r, ic_error *error)
{
    if (tr->n == r->capacity && !grow_rows(tr, r)) {
        ic_error_set(error, "%s:%zu: memory ran out", r->csv.path, r->csv.line);
        return false;
    }
    double *t = &tr->t[tr->n], *x = &tr->x[tr->n * tr->n_states];
    *t = NAN;
    if (r->t_column.column < r->csv.n_columns &&
        !ic_column_number(&r->csv, &r->t_column, r->t_factor, t, error))
        return false;
    if (tr->n > 0 && *t < t[-1]) {
        ic_error_set(error,
                     "%s:%zu:%zu: time decreases: %.10g s after %.10g s; rows must be in the order of time "
                     "(equal times: both sides of an event)",
                     r->csv.path, r->csv.line, r->csv.places[r->t_column.column], *t, t[-1]);
        return false;
    }
    for (size_t i = 0; i < tr->n_states; i++) {
        x[i] = is_impact(r) ? NAN : 0;
        if (tr->source[i] != IC_FROM_FILE || tr->times_alone) continue;
        if (!ic_column_number(&r->csv, &r->column[i], r->factor[i], &x[i], error)) return false;
    }
    if (tr->mode != NULL && !read_mode(tr, r, error)) return false;
    if (tr->force != NULL &&
        !ic_column_number(&r->csv, &r->force_column, r->force_factor, &tr->force[tr->n], error))
        return false;
    tr->line[tr->n++] = r->csv.line;
    return true;
}

static bool read_rows(ic_trajectory *tr, trajectory_reader *r, ic_error *error)
{
    ic_csv_row row = IC_CSV_ROW;
    while ((row = ic_csv_next(&r->csv, error)) == IC_CSV_ROW) {
        if (!read_row(tr, r, error)) return false;
    }
    if (row == IC_CSV_WRONG) return false;
    if (tr->n >= 2 && (is_impact(r) || tr->t[tr->n - 1] > tr->t[0])) return true;
    ic_error_set(error, "%s:%zu:1: %zu row%s below the names; at least %s needed", r->csv.path, r->csv.line + 1,
                 tr->n, tr->n == 1 ? "" : "s",
                 is_impact(r) ? "one before the impact and one after it are" : "two with different times are");
    return false;
}

/* ---- velocities by differences */

/* Slope of a position from one row to the next; NAN: there is no next row at a later time. */
static double slope_after(const ic_trajectory *tr, ptrdiff_t k, size_t j)
{
    const size_t n = tr->n_states, i = (size_t)k;
    if (k < 0 || i + 1 >= tr->n || !(tr->t[i + 1] > tr->t[i])) return NAN;
    return (tr->x[(i + 1) * n + j] - tr->x[i * n + j]) / (tr->t[i + 1] - tr->t[i]);
}

/* Change of the slope at a row; NAN: it has no rows on both sides. */
static double bend(const ic_trajectory *tr, ptrdiff_t k, size_t j)
{
    return slope_after(tr, k, j) - slope_after(tr, k - 1, j);
}

/* The smaller magnitude; that of the other if one is NAN. */
static double smaller(double a, double b)
{
    return fmin(fabs(a), fabs(b));
}

/* Factor by which a kink bends more than the rows on both sides of it, and than half of all rows: noise bends, too. */
#define KINK 8.0

/* Median of the magnitudes of the bends at some rows. */
static double typical_bend(const ic_trajectory *tr, size_t j)
{
    enum { MOST = 512 };
    double bends[MOST + 1] = {0};
    size_t n = 0;
    for (size_t k = 1; k < tr->n; k += tr->n / MOST + 1) {
        bends[n] = fabs(bend(tr, (ptrdiff_t)k, j));
        n += isfinite(bends[n]) ? 1 : 0;
    }
    qsort(bends, n, sizeof *bends, ic_compare_numbers);
    return n > 0 ? bends[n / 2] : 0;
}

/* Slope at the end of the parabola through a row and the two before it; of the line if there is one alone. */
static double rate_from_before(const ic_trajectory *tr, ptrdiff_t k, size_t j)
{
    const double left = slope_after(tr, k - 1, j), more = bend(tr, k - 1, j);
    return isnan(more) ? left : left + (tr->t[k] - tr->t[k - 1]) * more / (tr->t[k] - tr->t[k - 2]);
}

static double rate_from_after(const ic_trajectory *tr, ptrdiff_t k, size_t j)
{
    const double right = slope_after(tr, k, j), more = bend(tr, k + 1, j);
    return isnan(more) ? right : right - (tr->t[k + 1] - tr->t[k]) * more / (tr->t[k + 2] - tr->t[k]);
}

/*
 * Slope of the parabola through three rows. At the ends, and at an impact, beside which the slope bends far more than
 * before and after it, of the parabola on the row's side of it.
 */
static double rate_at(const ic_trajectory *tr, size_t row, size_t j, double typical)
{
    const ptrdiff_t k = (ptrdiff_t)row;
    const double left = slope_after(tr, k - 1, j), right = slope_after(tr, k, j), here = fabs(right - left);
    if (isnan(left)) return isnan(right) ? 0 : rate_from_after(tr, k, j);
    if (isnan(right)) return rate_from_before(tr, k, j);
    const double before = fabs(bend(tr, k - 1, j)), after = fabs(bend(tr, k + 1, j));
    const double near = fmax(smaller(bend(tr, k - 2, j), before), smaller(bend(tr, k + 2, j), after)),
                 beside = fmax(near, typical);
    const double dt_left = tr->t[row] - tr->t[row - 1], dt_right = tr->t[row + 1] - tr->t[row];
    if (here > KINK * beside && (before <= after || isnan(after)) && isfinite(before))
        return rate_from_before(tr, k, j);
    if (here > KINK * beside && after < before && isfinite(after)) return rate_from_after(tr, k, j);
    return (left * dt_right + right * dt_left) / (dt_left + dt_right);
}

static void derive_velocities(ic_trajectory *tr, const ic_problem *problem)
{
    for (size_t i = 0; i < tr->n_states; i++) {
        if (tr->source[i] != IC_FROM_DIFFERENCES) continue;
        const size_t j = ic_position_of(problem, i);
        const double typical = typical_bend(tr, j);
        for (size_t k = 0; k < tr->n; k++) tr->x[k * tr->n_states + i] = rate_at(tr, k, j, typical);
    }
}

/* ---- the file */

/* Checks values that are computed from rows, which may overflow if the rows are absurd. */
static bool check_finite(const ic_trajectory *tr, const ic_problem *problem, ic_error *error)
{
    for (size_t k = 0; k < tr->n; k++) {
        for (size_t i = 0; i < tr->n_states; i++) {
            if (tr->source[i] == IC_FROM_TRACKING || isfinite(tr->x[k * tr->n_states + i])) continue;
            ic_error_set(
                error,
                "%s:%zu:1: the values of '%s' that follow from the rows are not finite: use values of the size of "
                "those of the case",
                tr->path, tr->line[k], problem->system->states[i].name);
            return false;
        }
    }
    return true;
}

bool ic_trajectory_read(ic_trajectory *tr, FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading, ic_error *error)
{
    trajectory_reader r = {.problem = problem, .reading = reading};
    *tr = (ic_trajectory){.path = path, .n_states = problem->system->n_states};
    bool good = ic_csv_open(&r.csv, stream, path, error) && ic_csv_has_names(&r.csv, reading->columns, error) &&
                find_columns(tr, &r, error) && read_rows(tr, &r, error);
    if (good) derive_velocities(tr, problem);
    good = good && ic_frame_reconstruct(tr, problem, error) && check_finite(tr, problem, error);
    ic_csv_close(&r.csv);
    if (!good) ic_trajectory_close(tr);
    return good;
}
