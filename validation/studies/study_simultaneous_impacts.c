/* SPDX-License-Identifier: MIT */
/**
 * Newton's cradle by the rigid impact maps for several contacts.
 *
 * The first of N equal balls strikes the others, which touch. The maps see one impact at N - 1
 * contacts at once. The same balls with small gaps are a hybrid system of single impacts, whose
 * final velocities are certified; they do not depend on the length of the gaps, if all gaps are the
 * same. Real balls touch, deform and are neither; but a hypothesis that does not give the limit of
 * small gaps states something about balls that only deformation can decide.
 *
 * For e = 1/2 sequences get long, and only rows of up to MOST_CERTIFIED balls are certified. For e
 * = 0 balls move on together after each impact, and the certifier does not decide whether balls
 * that touch without a force separate: no row is certified.
 */
#include "casefile/casefile.h"
#include "core/numbers.h"
#include "registry/registry.h"
#include "validation/studies/study.h"
#include "validation/truth.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEAST = 2, MOST = 10 };
static const double restitutions[] = {1, 0.9, 0.5, 0};

/* Greatest numbers of balls for which small gaps are certified, in the order of `restitutions`. */
static const size_t most_certified[] = {MOST, MOST, 5, 0};

enum { DIGITS = 12 };
/* Velocities of sums of some hundred impacts, each with a few roundings. */
#define SAME (1000 * DBL_EPSILON)

static const char row_of_balls[] =
    "title: A row of balls with small gaps\n"
    "parameters:\n"
    "  N:  {value: 5, range: 2..20, meaning: number of balls}\n"
    "  m:  1 kg\n"
    "  d:  {value: 1 mm, meaning: gap between neighbours}\n"
    "  e:  {value: 1, range: 0..1}\n"
    "  v0: 1 m/s\n"
    "states:\n"
    "  for i in 1..N:\n"
    "    \"x[i]\": {unit: m, scale: N*d, start: i*d}\n"
    "    \"v[i]\": {unit: m/s, scale: v0, start: \"where(i = 1, v0, 0)\"}\n"
    "time_scale: N*d/v0\n"
    "flow: {for i in 1..N: {\"x[i]\": \"v[i]\", \"v[i]\": 0 m/s^2}}\n"
    "elements:\n"
    "  for i in 1..N-1:\n"
    "    \"c[i]\": {stop: {gap: \"x[i+1] - x[i]\", restitution: e, pushes: {\"v[i]\": \"-1/m\", \"v[i+1]\": \"1/m\"}}}\n"
    "presets: {default: {until: 1e5*N*d/v0}}\n";

enum { BALLS, RESTITUTION, ANSWER, ENERGY, FIRST, LAST, FASTEST_OTHER };

static const ic_study_column columns[] = {
    [BALLS] = {"balls", "1", "number of balls"},
    [RESTITUTION] = {"e", "1", "coefficient of restitution"},
    [ANSWER] = {"answer", NULL, "impact map, or certified: the same balls with small gaps"},
    [ENERGY] = {"energy", "1", "kinetic energy afterwards over that before"},
    [FIRST] = {"first", "1", "final velocity of the first ball, over its velocity before"},
    [LAST] = {"last", "1", "final velocity of the last ball"},
    [FASTEST_OTHER] = {"inner", "1", "greatest final velocity of the balls between; absent for two balls"},
};

static const char certified[] = "certified";

static void add_row(ic_study_data *data, size_t balls, double e, const char *answer, const double *v)
{
    double energy = 0, inner = NAN;
    for (size_t i = 0; i < balls; i++) energy += v[i] * v[i];
    for (size_t i = 1; i + 1 < balls; i++) inner = isnan(inner) ? v[i] : fmax(inner, v[i]);
    IC_STUDY_NUMBERS(data, (double)balls, e);
    ic_study_text(data, answer);
    IC_STUDY_NUMBERS(data, energy, v[0], v[balls - 1], inner);
}

static bool apply_map(double *v, const ic_multi_impact_map *map, size_t balls, double restitution)
{
    double W[MOST * MOST] = {0}, u[MOST] = {-1}, e[MOST], after[MOST] = {0}, P[MOST + 1] = {0};
    const size_t n = balls - 1;
    ic_multi_impact_result result = {.u = after, .P = P};
    for (size_t i = 0; i < n; i++) {
        e[i] = restitution;
        W[i * n + i] = 2;
        if (i > 0) W[i * n + i - 1] = W[(i - 1) * n + i] = -1;
    }
    if (map->map(&result, &(const ic_multi_impact){n, W, u, e}) != IC_OK) return false;
    P[n] = 0;
    for (size_t i = 0; i < balls; i++) v[i] = (i == 0 ? 1 : P[i - 1]) - P[i];
    return true;
}

/* Final velocities with small gaps; false: `error` gives the reason. */
static bool certify_gaps(double *v, size_t balls, double e, ic_error *error)
{
    char size[16], restitution[32];
    const char *settings[] = {size, restitution};
    ic_setup setup;
    ic_truth truth;
    snprintf(size, sizeof size, "N=%zu", balls);
    snprintf(restitution, sizeof restitution, "e=%g", e);
    ic_casefile *file =
        ic_casefile_read("row-of-balls", row_of_balls, strlen(row_of_balls), settings, 1, error);
    if (file == NULL) return false;
    bool good =
        ic_setup_open_case(&setup, ic_casefile_case(file),
                           &(ic_request){.settings = settings, .n_settings = IC_COUNT(settings)}, error);
    if (good) {
        ic_truth_certify(&truth, &setup.problem, DIGITS);
        good = truth.status == IC_OK;
        if (!good) snprintf(error->text, sizeof error->text, "%.300s", truth.reason);
        for (size_t i = 0; i < balls && good; i++) v[i] = truth.x[2 * i + 1];
        /* The last velocities are final if no ball is faster than the next. */
        for (size_t i = 1; i < balls && good; i++) good = v[i] >= v[i - 1];
        ic_truth_clear(&truth);
        ic_setup_close(&setup);
    }
    ic_casefile_free(file);
    return good;
}

static void add_rows(ic_study_data *data, size_t balls, size_t k)
{
    double v[MOST];
    ic_error error = {"balls would collide again after the end of the run"};
    for (size_t i = 0; i < ic_multi_impact_map_count; i++) {
        if (!apply_map(v, ic_multi_impact_maps[i], balls, restitutions[k])) {
            ic_study_fail(data, "%s refuses %zu balls", ic_multi_impact_maps[i]->name, balls);
            return;
        }
        add_row(data, balls, restitutions[k], ic_multi_impact_maps[i]->name, v);
    }
    if (balls > most_certified[k]) return;
    if (certify_gaps(v, balls, restitutions[k], &error)) add_row(data, balls, restitutions[k], certified, v);
    else ic_study_fail(data, "%zu balls with e = %g: %.300s", balls, restitutions[k], error.text);
}

/* ---- findings */

static size_t count_rows(const ic_study_data *data)
{
    return data->n_cells / IC_COUNT(columns);
}

static const char *answer_of(const ic_study_data *data, size_t row)
{
    return ic_study_at(data, row, ANSWER)->text;
}

/* Where a map gives the velocities of small gaps, and how far away it is at most. */
static void find_agreement(ic_study_data *data, const char *map)
{
    size_t compared = 0, same = 0;
    double worst = 0, created = 0;
    for (size_t row = 0; row < count_rows(data); row++) {
        if (strcmp(answer_of(data, row), certified) != 0) continue;
        for (size_t other = row; other-- > 0 && other + ic_multi_impact_map_count >= row;) {
            if (strcmp(answer_of(data, other), map) != 0) continue;
            double apart = 0;
            for (size_t c = FIRST; c <= FASTEST_OTHER; c++) {
                const double a = ic_study_at(data, row, c)->number, b = ic_study_at(data, other, c)->number;
                if (!isnan(a)) apart = fmax(apart, fabs(a - b));
            }
            compared++;
            same += apart <= SAME;
            worst = fmax(worst, apart);
            created = fmax(created, ic_study_at(data, other, ENERGY)->number - 1);
        }
    }
    ic_study_finding(data,
                     "%s: the velocities of small gaps in %zu of %zu certified rows; at most %.3g of the first "
                     "ball's velocity away; %s.",
                     map, same, compared, worst,
                     created > SAME ? "it creates energy" : "it never creates energy here");
}

static void find_long_row(ic_study_data *data, double e)
{
    for (size_t row = 0; row < count_rows(data); row++) {
        if (ic_study_at(data, row, BALLS)->number != MOST || ic_study_at(data, row, RESTITUTION)->number != e)
            continue;
        ic_study_finding(
            data,
            "%d balls, e = %g, %s: the first ball has %.4g, the last %.4g, and the energy is %.4g of that before.",
            MOST, e, answer_of(data, row), ic_study_at(data, row, FIRST)->number,
            ic_study_at(data, row, LAST)->number, ic_study_at(data, row, ENERGY)->number);
    }
}

/* Without restitution momentum alone decides if all balls move on together. */
static void find_plastic(ic_study_data *data)
{
    size_t together = 0, rows = 0;
    for (size_t row = 0; row < count_rows(data); row++) {
        const double share = 1 / ic_study_at(data, row, BALLS)->number;
        if (ic_study_at(data, row, RESTITUTION)->number != 0) continue;
        rows++;
        together += fabs(ic_study_at(data, row, FIRST)->number - share) <= SAME &&
                    fabs(ic_study_at(data, row, LAST)->number - share) <= SAME;
    }
    ic_study_finding(
        data,
        "Without restitution all balls move on together, with 1/N of the velocity, in %zu of %zu rows of maps; "
        "small gaps are not certified there.",
        together, rows);
}

static void run_study(ic_study_data *data)
{
    for (size_t k = 0; k < IC_COUNT(restitutions); k++) {
        for (size_t balls = LEAST; balls <= MOST && !data->failed; balls++) add_rows(data, balls, k);
    }
    if (data->failed) return;
    for (size_t i = 0; i < ic_multi_impact_map_count; i++) find_agreement(data, ic_multi_impact_maps[i]->name);
    find_long_row(data, 1);
    find_long_row(data, 0.9);
    find_plastic(data);
}

IC_STUDY_TABLE(simultaneous_impacts, "simultaneous-impacts",
               "Newton's cradle under impact maps for several contacts",
               "Do maps for simultaneous impacts give what single impacts at small gaps give?");
