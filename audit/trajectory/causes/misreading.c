/* SPDX-License-Identifier: MIT */
/*
 * For unexplained rows: would other units or another sign of a column, or an exchange of two
 * columns, explain them?
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"
#include "core/model.h"

#include <math.h>
#include <string.h>

enum { ROWS = 120 };

/* Accuracy to which the first row is the start of the case, and to which velocities are rates of positions. */
#define AT_START 1e-3
#define PACE_OFF 0.05
/* Typical times between rows that are too far apart; rows per typical time that are needed. */
#define FAR_APART 2.0
/* Times of rows that end with the case's run, but for a row or two, relative to its length. */
#define AS_LONG 1.02
#define LEAST_ROWS 3.0
/* Fewer intervals do not show another unit of time. */
#define LEAST_INTERVALS 20

static const struct factor {
    double factor;
    const char *text;
} factors[] = {
    {-1, "with the other sign"},
    {1e-3, "in thousandths of its unit (mm, ms)"},
    {1e3, "in thousands of its unit (km)"},
    {1e-2, "in hundredths of its unit (cm)"},
    {1e2, "in hundreds of its unit"},
    {M_PI / 180, "in degrees"},
    {180 / M_PI, "in radians but read as degrees"},
    {1 / 3.6, "in km/h, or in per hour for per second, by a factor of 3.6"},
    {3.6, "read as km/h, by a factor of 3.6"},
    {1.0 / 60, "in minutes for seconds, or the reverse, by a factor of 60"},
    {60, "in minutes for seconds, or the reverse, by a factor of 60"},
    {2 * M_PI, "in turns for radians, by a factor of 2 pi"},
    {0.5 / M_PI, "in radians for turns, by a factor of 2 pi"},
    {M_PI / 30, "in revolutions per minute"},
    {30 / M_PI, "read as revolutions per minute"},
    {0.3048, "in feet"},
    {1 / 0.3048, "read as feet"},
    {9.80665, "in units of standard gravity"},
    {1 / 9.80665, "divided by standard gravity"},
};

const char *ic_misread_unit(double factor, double near)
{
    for (size_t i = 0; i < IC_COUNT(factors); i++) {
        if (fabs(factor / factors[i].factor - 1) < near) return factors[i].text;
    }
    return NULL;
}

bool ic_copy_some_rows(ic_trajectory *part, const ic_tracking *k, size_t centre)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = k->n_rows < ROWS ? k->n_rows : ROWS, before = centre > n / 2 ? centre - n / 2 : 0;
    const size_t first = before < k->n_rows - n ? before : k->n_rows - n;
    if (!ic_trajectory_open(part, n, tr->n_states, tr->mode != NULL)) return false;
    memcpy(part->source, tr->source, sizeof part->source);
    // cppcheck-suppress knownConditionTrueFalse ; n counts the chosen rows of n_rows
    for (size_t i = 0; i < n; i++) {
        part->t[i] = tr->t[k->rows[first + i]];
        if (tr->mode != NULL) part->mode[i] = tr->mode[k->rows[first + i]];
        memcpy(&part->x[i * tr->n_states], &tr->x[k->rows[first + i] * tr->n_states],
               tr->n_states * sizeof *part->x);
    }
    return true;
}

/*
 * Whether the rows are explained if they are read so. A few exclude most readings: if half of them are unexplained, the
 * others are skipped. false once the effort is spent; the parameters, which are tried next, then say that they were not.
 */
static bool explains_rows(const ic_trajectory *part, const ic_tracking *k, const ic_correction *correction)
{
    enum { FEW = 16 };
    ic_trajectory read;
    double noise[IC_MAX_STATES];
    const double before = (double)ic_tracking_count(k, IC_UNEXPLAINED) / (double)k->n_intervals;
    const double enough = fmin(1 - IC_ROWS_EXPLAINED, ic_tolerance_parameter_leaves.value * before);
    ic_correction own = *correction;
    const ic_correction *c = &own;
    for (size_t v = 0; v < part->n_states && own.kind == IC_CORRECT_FACTORS; v++) {
        if (part->source[v] == IC_FROM_DIFFERENCES)
            own.factor[v] = own.factor[ic_position_of(k->problem, v)] / own.time_factor;
    }
    if (ic_effort_is_spent(k->began) || !ic_correct_rows(&read, part, c)) return false;
    ic_correct_noise(noise, k->noise, part->n_states, c);
    ic_trajectory few = read, all;
    few.n = read.n < FEW ? read.n : FEW;
    bool right = (read.n <= FEW || ic_share_wrong(&few, k->problem, k, noise) <= 0.5) &&
                 ic_share_wrong(&read, k->problem, k, noise) < enough;
    ic_trajectory_close(&read);
    /* some rows may be at rest, where noise hides how they are read */
    if (!right || !ic_correct_rows(&all, k->trajectory, c)) return false;
    right = ic_share_wrong(&all, k->problem, k, noise) < 1 - IC_ROWS_EXPLAINED;
    ic_trajectory_close(&all);
    return right;
}

/* Columns that are read otherwise together. */
typedef enum group {
    ONE,

    /* A position and its velocity. */
    BODY,

    /* All of one unit. */
    UNIT,

    ALL,

    /* The times, and no state. */
    TIME
} group;

/* Whether column j belongs to the group of column `of`. */
static bool is_in_group(const ic_tracking *k, group kind, size_t of, size_t j)
{
    const ic_state *states = k->problem->system->states;
    switch (kind) {
    case ONE: return j == of;
    case BODY: return j == of || ic_position_of(k->problem, j) == of;
    case UNIT: return strcmp(states[j].unit, states[of].unit) == 0;
    case ALL: return true;
    default: return false;
    }
}

/* Whether there is such a group, which begins with column `of`, and has more than one column unless it is one. */
static bool is_group(const ic_tracking *k, group kind, size_t of)
{
    const size_t n = k->trajectory->n_states;
    size_t count = 0, first = n;
    if (kind >= ALL) return of == 0;
    for (size_t j = 0; j < n; j++) {
        if (!is_in_group(k, kind, of, j)) continue;
        if (k->trajectory->source[j] != IC_FROM_FILE) return false;
        first = first == n ? j : first;
        count++;
    }
    return kind == ONE ? count == 1 : count > 1 && count < n && (kind == BODY || first == of);
}

static void name_group(char *text, size_t size, const ic_tracking *k, group kind, size_t of)
{
    static const char *const verbs[] = {" is", " are", " are", "All states are", "t is"};
    text[0] = '\0';
    for (size_t j = 0; j < k->trajectory->n_states && kind < ALL; j++) {
        if (is_in_group(k, kind, of, j))
            ic_text_append(text, size, "%s%s", text[0] != '\0' ? ", " : "", k->problem->system->states[j].name);
    }
    ic_text_append(text, size, "%s", verbs[kind]);
}

/* One factor of a group. */
static bool try_factor(const ic_trajectory *part, const ic_tracking *k, group kind, size_t of,
                       const struct factor *f, char *detail, size_t size, ic_correction *correction)
{
    ic_correction c = ic_correction_by_factors(); /* times count from 0 */
    char name[120];
    c.origin = 0;
    if (kind == TIME) c.time_factor = f->factor;
    for (size_t j = 0; j < part->n_states; j++) {
        if (is_in_group(k, kind, of, j)) c.factor[j] = f->factor;
    }
    if (!explains_rows(part, k, &c)) return false;
    name_group(name, sizeof name, k, kind, of);
    snprintf(detail, size, "%s %s: multiplied by %.6g, the rows are explained", name, f->text, f->factor);
    c.origin = NAN;
    *correction = c;
    return true;
}

static ic_mistake_id try_factors(const ic_trajectory *part, const ic_tracking *k, char *detail, size_t size,
                                 ic_correction *correction)
{
    for (group kind = ONE; kind <= TIME; kind++) {
        /* with velocities from differences any motion is slow in other times */
        if (kind == TIME && ic_has_source(k, IC_FROM_DIFFERENCES)) break;
        for (size_t of = 0; of < part->n_states; of++) {
            for (size_t i = kind == TIME ? 1 : 0; is_group(k, kind, of) && i < IC_COUNT(factors); i++) {
                if (try_factor(part, k, kind, of, &factors[i], detail, size, correction))
                    return factors[i].factor < 0 ? IC_MISTAKE_SIGN_REVERSED : IC_MISTAKE_UNITS_MIXED;
            }
        }
    }
    return IC_NO_MISTAKE;
}

static bool try_exchanges(const ic_trajectory *part, const ic_tracking *k, char *detail, size_t size,
                          ic_correction *correction)
{
    for (size_t a = 0; a < part->n_states; a++) {
        for (size_t b = a + 1; b < part->n_states; b++) {
            ic_correction c = {.kind = IC_CORRECT_EXCHANGE};
            c.column[a] = c.column[b] = true;
            if (part->source[a] != IC_FROM_FILE || part->source[b] != IC_FROM_FILE ||
                !explains_rows(part, k, &c))
                continue;
            *correction = c;
            snprintf(detail, size, "Columns %s and %s are exchanged", k->problem->system->states[a].name,
                     k->problem->system->states[b].name);
            return true;
        }
    }
    return false;
}

/* ---- units of all positions, all velocities and the time together */

static const struct unit {
    double factor;
    const char *name;
} lengths[] = {{1, "m"}, {1e-3, "mm"}, {1e-2, "cm"}, {1e3, "km"}, {0.3048, "ft"}, {0.0254, "in"}, {1e-6, "um"}},
  times[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {60, "min"}},
  speeds[] = {{1, "m/s"},       {1e-3, "mm/s"},   {1e-2, "cm/s"},    {1e3, "m/ms"},
              {0.3048, "ft/s"}, {0.0254, "in/s"}, {1 / 3.6, "km/h"}, {0.44704, "mph"}};

typedef struct units {
    const struct unit *length, *time, *speed;
} units;

static bool has_unit(const ic_tracking *k, size_t j, const char *unit)
{
    return k->trajectory->source[j] == IC_FROM_FILE && strcmp(k->problem->system->states[j].unit, unit) == 0;
}

/* Change of a position from row to row over that by its velocity: the median, from which units follow; NAN: none. */
static double pace(const ic_trajectory *part, const ic_tracking *k)
{
    double values[ROWS];
    size_t n = 0;
    for (size_t v = 0; v < part->n_states && n < ROWS; v++) {
        const size_t x = ic_position_of(k->problem, v);
        if (x == part->n_states || !has_unit(k, x, "m") || !has_unit(k, v, "m/s")) continue;
        for (size_t i = 0; i + 1 < part->n && n < ROWS; i++) {
            const double *row = &part->x[i * part->n_states], *next = row + part->n_states;
            const double way = 0.5 * (row[v] + next[v]) * (part->t[i + 1] - part->t[i]);
            if (way != 0) values[n++] = (next[x] - row[x]) / way;
        }
    }
    return ic_audit_median(values, n);
}

static double factor_of(const ic_tracking *k, const units *u, size_t j)
{
    return has_unit(k, j, "m") ? u->length->factor : has_unit(k, j, "m/s") ? u->speed->factor : 1;
}

/* Whether the first row in these units is the start of the case, and starts from elsewhere than 0. */
static bool starts_in(const ic_tracking *k, const units *u)
{
    const ic_trajectory *tr = k->trajectory;
    double start[IC_MAX_STATES] = {0}, scale[IC_MAX_STATES], most = 0;
    if (k->problem->variant->start.apply(start, k->problem->t_start, NULL, k->problem->par) < 0) return false;
    ic_state_scales(k->problem, scale);
    for (size_t j = 0; j < tr->n_states; j++) {
        if (tr->source[j] != IC_FROM_FILE) continue;
        if (fabs(tr->x[j] * factor_of(k, u, j) - start[j]) > AT_START * scale[j]) return false;
        most = fmax(most, fabs(start[j]) / scale[j]);
    }
    return most > AT_START;
}

static void describe_units(char *detail, size_t size, const units *u)
{
    const struct unit *const all[] = {u->time, u->length, u->speed};
    const char *const names[] = {"t", "positions", "velocities"};
    detail[0] = '\0';
    for (size_t i = 0; i < IC_COUNT(all); i++) {
        if (all[i]->factor != 1)
            ic_text_append(detail, size, "%s%s in %s", detail[0] != '\0' ? ", " : "The file has ", names[i],
                           all[i]->name);
    }
    ic_text_append(detail, size, ": read so, the rows are explained");
}

/* Units of all columns, the fewest that differ from SI first; `start`: the rows must start as the case does. */
static bool try_units(const ic_trajectory *part, const ic_tracking *k, bool start, char *detail, size_t size,
                      ic_correction *correction)
{
    const double now = pace(part, k);
    if (!isfinite(now)) return false;
    for (int changes = 1; changes <= 3; changes++) {
        for (size_t i = 0; i < IC_COUNT(lengths) * IC_COUNT(times) * IC_COUNT(speeds); i++) {
            const units u = {&lengths[i % IC_COUNT(lengths)], &times[i / IC_COUNT(lengths) % IC_COUNT(times)],
                             &speeds[i / IC_COUNT(lengths) / IC_COUNT(times)]};
            const int changed = (u.length->factor != 1) + (u.time->factor != 1) + (u.speed->factor != 1);
            const double then = now * u.length->factor / (u.time->factor * u.speed->factor);
            if (changed != changes || fabs(then - 1) > PACE_OFF || (start && !starts_in(k, &u))) continue;
            ic_correction read = ic_correction_by_factors();
            read.time_factor = u.time->factor;
            for (size_t j = 0; j < part->n_states; j++) read.factor[j] = factor_of(k, &u, j);
            if (!explains_rows(part, k, &read)) continue;
            describe_units(detail, size, &u);
            *correction = read;
            return true;
        }
    }
    return false;
}

bool ic_find_units(const ic_tracking *k, char *detail, size_t size, ic_correction *correction)
{
    ic_trajectory part;
    if (!ic_copy_some_rows(&part, k, k->n_rows / 2)) return false;
    const bool found = try_units(&part, k, true, detail, size, correction);
    ic_trajectory_close(&part);
    return found;
}

double ic_find_time_unit(const ic_trajectory *tr, const ic_problem *problem)
{
    static const double factors_of_time[] = {1e-3, 1e-6, 1e-9, 1.0 / 60, 1.0 / 3600};
    const double typical = ic_time_scale(problem), length = tr->n > 0 ? tr->t[tr->n - 1] - tr->t[0] : 0;
    const double spacing = tr->n > 1 ? length / (double)(tr->n - 1) : 0;
    ic_trajectory part;
    double found = 1;
    /* times as long as the case's own run are no other unit: its typical time may be that of a brief contact */
    if (!(spacing > FAR_APART * typical) || length <= AS_LONG * (problem->t_end - problem->t_start)) return 1;
    if (!ic_trajectory_open(&part, tr->n < ROWS ? tr->n : ROWS, tr->n_states, false)) return 1;
    memcpy(part.source, tr->source, sizeof part.source);
    memcpy(part.x, tr->x, part.n * part.n_states * sizeof *part.x);
    for (size_t f = 0; f < IC_COUNT(factors_of_time) && found == 1; f++) {
        const double factor = factors_of_time[f];
        ic_tracking tracked;
        if (spacing * factor > typical / LEAST_ROWS) continue;
        /* a body that hardly moves within these rows, as they are read then, proves nothing */
        if (part.n <= LEAST_INTERVALS || spacing * factor * (double)(part.n - 1) < typical) continue;
        for (size_t i = 0; i < part.n; i++) part.t[i] = tr->t[0] + (tr->t[i] - tr->t[0]) * factor;
        if (!ic_track(&tracked, &part, problem, NULL, NULL)) break;
        const double wrong = (double)ic_tracking_count(&tracked, IC_UNEXPLAINED);
        if (tracked.n_intervals > 0 && wrong < (1 - IC_ROWS_EXPLAINED) * (double)tracked.n_intervals)
            found = factor;
        ic_tracking_close(&tracked);
    }
    ic_trajectory_close(&part);
    return found;
}

ic_mistake_id ic_find_misreading(const ic_tracking *k, char *detail, size_t size, ic_correction *correction)
{
    ic_trajectory part;
    if (!ic_copy_some_rows(&part, k, k->n_rows / 2)) return IC_NO_MISTAKE;
    /* rows that the case explains are explained by a symmetric reading, too */
    const bool wrong = ic_share_wrong(&part, k->problem, k, k->noise) >= 1 - IC_ROWS_EXPLAINED;
    ic_mistake_id mistake = wrong ? try_factors(&part, k, detail, size, correction) : IC_NO_MISTAKE;
    if (mistake == IC_NO_MISTAKE && wrong && try_exchanges(&part, k, detail, size, correction))
        mistake = IC_MISTAKE_COLUMNS_EXCHANGED;
    if (mistake == IC_NO_MISTAKE && wrong && try_units(&part, k, false, detail, size, correction))
        mistake = IC_MISTAKE_UNITS_MIXED;
    if (mistake == IC_NO_MISTAKE && wrong && ic_find_origin(k, detail, size))
        mistake = IC_MISTAKE_ORIGIN_SHIFTED;
    ic_trajectory_close(&part);
    return mistake;
}
