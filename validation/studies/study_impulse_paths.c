/* SPDX-License-Identifier: MIT */
/*
 * The impulse plane of Kecskemethy & Lange 1999, Fig. 3, as data: the paths of the regularized
 * model for two stiffness ratios, the corners of the rigid paths, and the lines of their
 * construction.
 */
#include "core/linear_view.h"
#include "registry/registry.h"
#include "validation/studies/study.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Samples of a regularized path between start and lift-off. */
enum { SAMPLES = 200 };
/* Construction lines reach beyond the paths by this part of the window. */
#define MARGIN 0.05

enum { CURVE, EVENT, MODE, TAU, P_X, P_Y, V_X, V_Y };

static const ic_study_column columns[] = {
    [CURVE] = {"curve", NULL,
               "a path (kappa-1, kappa-100, newton, poisson, stronge) or a line of construction"},
    [EVENT] = {"event", NULL, "name of the event; both sides of an event are rows; empty: a sample"},
    [MODE] = {"mode", NULL, "mode in which the row's side of the path is; empty on lines of construction"},
    [TAU] = {"tau", "1", "time in contact in sqrt(m/c_y); empty where the model has none"},
    [P_X] = {"P_x", "N s", "tangential impulse"},
    [P_Y] = {"P_y", "N s", "normal impulse"},
    [V_X] = {"v_x", "m/s", "tangential velocity of the point of contact"},
    [V_Y] = {"v_y", "m/s", "normal velocity of the point of contact"},
};

typedef struct sampled_path {
    /* and preset */
    const char *curve;

    size_t samples;
} sampled_path;

static const sampled_path paths[] = {
    {"kappa-1", SAMPLES}, {"kappa-100", SAMPLES}, {"newton", 2}, {"poisson", 2}, {"stronge", 2}};

/* ---- points */

static void add_point(ic_study_data *data, const ic_impact *impact, const char *const *texts, double tau,
                      double px, double py)
{
    for (int i = 0; i < TAU; i++) ic_study_text(data, texts[i]);
    IC_STUDY_NUMBERS(data, tau, px, py, impact->v[0] + impact->w_xx * px + impact->w_xy * py,
                     impact->v[1] + impact->w_xy * px + impact->w_yy * py);
}

/* A path under construction. */
typedef struct tracing {
    ic_study_data *data;
    const char *curve;
    const ic_problem *problem;
    ic_impact impact;
} tracing;

static void add_state(const tracing *t, const char *event, int mode, const double *x)
{
    const char *const texts[] = {t->curve, event, t->problem->variant->modes[mode].name};
    const bool rigid = strcmp(t->problem->variant->name, "regularized") != 0;
    add_point(t->data, &t->impact, texts, rigid ? NAN : x[IC_IMPACT_TAU], x[IC_IMPACT_P_X], x[IC_IMPACT_P_Y]);
}

/* Samples and both sides of events in order of time. Samples after lift-off are not part of the
   path. */
static void add_log(const tracing *t, const ic_log *log)
{
    const size_t n_events = ic_log_event_count(log), n_samples = ic_log_sample_count(log);
    size_t sample = 0;
    for (size_t i = 0; i < n_events; i++) {
        const ic_event event = ic_log_event_at(log, i);
        /* samples before the event: earlier ones, and the start */
        for (; sample < n_samples && (sample == 0 || ic_log_sample_at(log, sample).t < event.t); sample++) {
            const ic_sample s = ic_log_sample_at(log, sample);
            add_state(t, sample == 0 ? "start" : "", s.mode, s.x);
        }
        add_state(t, event.name, event.mode_from, event.x_pre);
        add_state(t, event.name, event.mode_to, event.x_post);
    }
}

/* The end of the run just after lift-off, so that equidistant samples fill the path and the last is
   beyond it. */
static bool end_after(ic_setup *setup, double lift_off, ic_error *error)
{
    char until[32];
    snprintf(until, sizeof until, "%.17g", lift_off * SAMPLES / (SAMPLES - 0.5));
    return ic_setup_until(setup, until, error);
}

static bool trace_path(tracing *t, ic_setup *setup, size_t samples, ic_error *error)
{
    const ic_solver *solver = ic_accurate_solver(setup->problem.variant);
    ic_options options = ic_trusted_options(&setup->problem);
    ic_status status = IC_UNSUPPORTED;
    ic_log *log = solver == NULL ? NULL : ic_solve(solver, &setup->problem, &options, &status);
    const double lift_off = log != NULL ? ic_log_end(log).t : NAN;
    ic_log_free(log);
    if (status == IC_OK && !end_after(setup, lift_off, error)) return false;
    options.samples = samples;
    log = status == IC_OK ? ic_solve(solver, &setup->problem, &options, &status) : NULL;
    if (log != NULL && status == IC_OK) add_log(t, log);
    else ic_error_set(error, "%s: %s", t->curve, ic_status_text(status));
    ic_log_free(log);
    return status == IC_OK;
}

static void add_path(ic_study_data *data, const sampled_path *wanted, ic_impact *impact)
{
    ic_setup setup;
    bool good = ic_path_open(&setup, IC_PATH("planar-bar/%s", wanted->curve), &data->error);
    if (good) {
        tracing t = {.data = data, .curve = wanted->curve, .problem = &setup.problem};
        setup.problem.system->impact(&t.impact, setup.par);
        *impact = t.impact;
        good = trace_path(&t, &setup, wanted->samples, &data->error);
        ic_setup_close(&setup);
    }
    if (!good) data->failed = true;
}

/* ---- lines of construction, across the window of all paths */

typedef struct window {
    /* of P_x and P_y, whose bottom is 0 */
    double left, right, top;
} window;

static window window_of(const ic_study_data *data)
{
    window w = {0, 0, 0};
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        const double px = ic_study_at(data, i, P_X)->number, py = ic_study_at(data, i, P_Y)->number;
        w.left = fmin(w.left, px);
        w.right = fmax(w.right, px);
        w.top = fmax(w.top, py);
    }
    const double margin = MARGIN * (w.right - w.left);
    return (window){w.left - margin, w.right + margin, w.top * (1 + MARGIN)};
}

static void add_line(ic_study_data *data, const ic_impact *impact, const char *name, const double from[2],
                     const double to[2])
{
    const char *const texts[] = {name, "", ""};
    add_point(data, impact, texts, NAN, from[0], from[1]);
    add_point(data, impact, texts, NAN, to[0], to[1]);
}

static void add_lines(ic_study_data *data, const ic_impact *impact, double friction)
{
    const window w = window_of(data);
    const double origin[2] = {0, 0}, slid[2] = {friction * w.top, w.top};
    const double stuck[2][2] = {{-impact->v[0] / impact->w_xx, 0},
                                {-(impact->v[0] + impact->w_xy * w.top) / impact->w_xx, w.top}};
    const double compressed[2][2] = {{w.left, -(impact->v[1] + impact->w_xy * w.left) / impact->w_yy},
                                     {w.right, -(impact->v[1] + impact->w_xy * w.right) / impact->w_yy}};
    add_line(data, impact, "line-of-sliding", origin, slid);
    add_line(data, impact, "line-of-sticking", stuck[0], stuck[1]);
    add_line(data, impact, "line-of-compression-end", compressed[0], compressed[1]);
}

/* ---- findings */

static bool is_on(const ic_study_data *data, size_t row, const char *curve)
{
    return strcmp(ic_study_at(data, row, CURVE)->text, curve) == 0;
}

static double distance_to_segment(const double p[2], const double a[2], const double b[2])
{
    const double ab[2] = {b[0] - a[0], b[1] - a[1]}, ap[2] = {p[0] - a[0], p[1] - a[1]};
    const double square = ab[0] * ab[0] + ab[1] * ab[1];
    const double along = square > 0 ? fmin(fmax((ap[0] * ab[0] + ap[1] * ab[1]) / square, 0), 1) : 0;
    return hypot(ap[0] - along * ab[0], ap[1] - along * ab[1]);
}

static double distance_to_curve(const ic_study_data *data, const double p[2], const char *curve)
{
    double least = INFINITY;
    for (size_t i = 1; i < ic_study_rows(data); i++) {
        if (!is_on(data, i - 1, curve) || !is_on(data, i, curve)) continue;
        const double a[2] = {ic_study_at(data, i - 1, P_X)->number, ic_study_at(data, i - 1, P_Y)->number};
        const double b[2] = {ic_study_at(data, i, P_X)->number, ic_study_at(data, i, P_Y)->number};
        least = fmin(least, distance_to_segment(p, a, b));
    }
    return least;
}

static void find_path(ic_study_data *data, const char *curve)
{
    double farthest = 0;
    size_t changes = 0, last = 0;
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        if (!is_on(data, i, curve)) continue;
        const double p[2] = {ic_study_at(data, i, P_X)->number, ic_study_at(data, i, P_Y)->number};
        farthest = fmax(farthest, distance_to_curve(data, p, "stronge"));
        changes += i > 0 && is_on(data, i - 1, curve) &&
                   strcmp(ic_study_at(data, i - 1, MODE)->text, ic_study_at(data, i, MODE)->text) != 0;
        last = i;
    }
    ic_study_finding(
        data,
        "%s: lift-off at P = (%.4f, %.4f) N s with v = (%.4f, %.4f) m/s after %zu stick/slip changes; its "
        "path leaves the rigid one by up to %.3g N s.",
        curve, ic_study_at(data, last, P_X)->number, ic_study_at(data, last, P_Y)->number,
        ic_study_at(data, last, V_X)->number, ic_study_at(data, last, V_Y)->number,
        changes > 0 ? changes - 1 : 0, farthest);
}

static void find_hypothesis(ic_study_data *data, const char *curve)
{
    size_t last = 0;
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        if (is_on(data, i, curve)) last = i;
    }
    const double p[2] = {ic_study_at(data, last, P_X)->number, ic_study_at(data, last, P_Y)->number};
    ic_study_finding(data, "%s ends at P = (%.4f, %.4f) N s with v = (%.4f, %.4f) m/s.", curve, p[0], p[1],
                     ic_study_at(data, last, V_X)->number, ic_study_at(data, last, V_Y)->number);
}

static void run_study(ic_study_data *data)
{
    ic_impact impact = {.v = {0, 0}};
    for (size_t i = 0; i < IC_COUNT(paths) && !data->failed; i++) add_path(data, &paths[i], &impact);
    if (data->failed) return;
    add_lines(data, &impact, impact.v[0] > 0 ? -impact.mu : impact.mu);
    for (size_t i = 0; i < IC_COUNT(paths); i++) {
        if (paths[i].samples > 2) find_path(data, paths[i].curve);
        else find_hypothesis(data, paths[i].curve);
    }
}

IC_STUDY_TABLE(
    impulse_paths, "impulse-paths", "Planar bar: the impact in the plane of impulses",
    "Which path does the impulse take, compliant and rigid? Kecskemethy & Lange 1999, Fig. 3, as data.");
