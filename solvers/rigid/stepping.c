/* SPDX-License-Identifier: MIT */
#include "solvers/rigid/stepping.h"

#include "core/event_loop.h"
#include "core/model.h"
#include "core/numbers.h"
#include "solvers/rigid/lcp.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * The method of Gauss and Seidel stops where a sweep changes no impulse by more than this, relative
 * to the largest, or gives up after so many sweeps; Lemke's method then solves the problem. Few
 * contacts need few sweeps.
 */
#define CONVERGED (4 * DBL_EPSILON)
enum { MOST_SWEEPS = 60 };

/* A step shorter than this fraction of h is a rounding error, and is joined to the one before. */
#define LAST_STEP 1e-9

typedef struct run {
    ic_stepping s;
    ic_log *log;
    ic_options options;
    ic_stepping_method *method;
    int mode;
    double *memory;
} run;

/* ---- functions of the view */

static bool is_stop(const ic_stepping *s, size_t i)
{
    return i < s->view->n_stops;
}

static const ic_friction *friction_at(const ic_stepping *s, size_t i)
{
    return &s->view->frictions[i - s->view->n_stops];
}

double ic_stepping_velocity(const ic_stepping *s, size_t i, double t, const double *x)
{
    s->work->guard_calls++;
    return is_stop(s, i) ? s->view->stops[i].velocity(t, x, s->problem->par)
                         : friction_at(s, i)->slip(t, x, s->problem->par);
}

void ic_stepping_flow(const ic_stepping *s, double *f, double t, const double *x)
{
    s->work->flow_calls++;
    s->view->flow(f, t, x, s->problem->par);
}

/* h L, where bodies slip or stick */
static double friction_bound(const ic_stepping *s, size_t i, double t, const double *x, bool sticks)
{
    const ic_friction *f = friction_at(s, i);
    return s->h * fmax((sticks ? f->sticking : f->kinetic)(t, x, s->problem->par), 0);
}

void ic_stepping_linearize(ic_stepping *s, double t, const double *x)
{
    const double *par = s->problem->par;
    const size_t n = s->n, c = s->n_contacts;
    for (size_t i = 0; i < c; i++) {
        double *gradient = s->gradient + i * n, *push = s->push + i * n;
        if (!s->active[i]) {
            memset(gradient, 0, n * sizeof *gradient);
            memset(push, 0, n * sizeof *push);
            continue;
        }
        (is_stop(s, i) ? s->view->stops[i].gradient : friction_at(s, i)->gradient)(gradient, t, x, par);
        (is_stop(s, i) ? s->view->stops[i].push : friction_at(s, i)->push)(push, t, x, par);
        if (!is_stop(s, i)) s->bound[i] = friction_bound(s, i, t, x, s->state[i] == 0);
    }
    for (size_t i = 0; i < c; i++) {
        for (size_t j = 0; j < c; j++) {
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += s->gradient[i * n + k] * s->push[j * n + k];
            s->D[i * c + j] = sum;
        }
    }
}

void ic_stepping_push(const ic_stepping *s, double *to, const double *x)
{
    if (to != x) memcpy(to, x, s->n * sizeof *to);
    for (size_t i = 0; i < s->n_contacts; i++) {
        for (size_t k = 0; k < s->n && s->P[i] != 0; k++) to[k] += s->P[i] * s->push[i * s->n + k];
    }
}

/* ---- impulses */

/* The impulse of a contact that the others leave with r + D_ii P. */
static double project(const ic_stepping *s, size_t i, double P)
{
    return is_stop(s, i) ? fmax(P, 0) : fmin(fmax(P, -s->bound[i]), s->bound[i]);
}

/* Gauss and Seidel: each contact in turn is solved with the present impulses of the others. */
static bool sweep_impulses(ic_stepping *s, const double *r)
{
    const size_t c = s->n_contacts;
    for (int sweep = 0; sweep < MOST_SWEEPS; sweep++) {
        double change = 0, largest = 0;
        for (size_t i = 0; i < c; i++) {
            double sum = r[i];
            if (!s->active[i]) continue;
            for (size_t j = 0; j < c; j++) sum += j == i ? 0 : s->D[i * c + j] * s->P[j];
            const double P = project(s, i, -sum / s->D[i * c + i]), size = sqrt(s->D[i * c + i]);
            change = fmax(change, fabs(P - s->P[i]) * size);
            largest = fmax(largest, fabs(P) * size);
            s->P[i] = P;
        }
        if (!isfinite(largest)) return false;
        if (change <= CONVERGED * largest) return true;
    }
    return false;
}

/*
 * As a linear complementarity problem: friction has P = z - h L, and a second row that bounds z,
 *
 *     0 <= r + D P + y _|_ z >= 0,     0 <= 2 h L - z _|_ y >= 0.
 */
static ic_status solve_exactly(ic_stepping *s, const double *r)
{
    size_t rows[IC_MOST_LCP], m = 0, c = s->n_contacts;
    double z[IC_MOST_LCP], w[IC_MOST_LCP], q[IC_MOST_LCP];
    for (size_t i = 0; i < c; i++) {
        if (s->active[i]) rows[m++] = i;
    }
    const size_t contacts = m;
    for (size_t k = 0; k < contacts; k++) {
        if (!is_stop(s, rows[k])) rows[m++] = k;
    }
    double *M = calloc(m * m + 1, sizeof *M);
    if (M == NULL) return IC_NO_MEMORY;
    for (size_t a = 0; a < contacts; a++) {
        q[a] = r[rows[a]];
        for (size_t b = 0; b < contacts; b++) {
            M[a * m + b] = s->D[rows[a] * c + rows[b]];
            if (!is_stop(s, rows[b])) q[a] -= M[a * m + b] * s->bound[rows[b]];
        }
    }
    for (size_t a = contacts; a < m; a++) {
        M[a * m + rows[a]] = -1;
        M[rows[a] * m + a] = 1;
        q[a] = 2 * s->bound[rows[rows[a]]];
    }
    const ic_status status = ic_lcp_solve(z, w, M, q, m);
    free(M);
    if (status == IC_NO_MEMORY) return status;
    if (status != IC_OK) return IC_TOO_MUCH_WORK;
    for (size_t a = 0; a < contacts; a++) s->P[rows[a]] = z[a] - (is_stop(s, rows[a]) ? 0 : s->bound[rows[a]]);
    return IC_OK;
}

static ic_status find_impulses(ic_stepping *s, const double *r)
{
    for (size_t i = 0; i < s->n_contacts; i++) {
        s->P[i] = s->active[i] ? project(s, i, s->P[i]) : 0;
        if (s->active[i] && !(s->D[i * s->n_contacts + i] > 0)) return IC_TOO_MUCH_WORK;
    }
    return sweep_impulses(s, r) ? IC_OK : solve_exactly(s, r);
}

ic_status ic_stepping_impulses(ic_stepping *s, const double *r)
{
    bool exceeded = false;
    const ic_status status = find_impulses(s, r);
    for (size_t i = s->view->n_stops; i < s->n_contacts && status == IC_OK; i++) {
        if (s->state[i] != 0 || fabs(s->P[i]) < s->bound[i]) continue;
        const double kinetic = friction_bound(s, i, s->t0, s->x0, false);
        exceeded = exceeded || kinetic < s->bound[i];
        s->bound[i] = kinetic;
    }
    return exceeded ? find_impulses(s, r) : status;
}

/* ---- the run */

static ic_status open_run(run *r)
{
    ic_stepping *s = &r->s;
    const size_t n = s->n, c = s->n_contacts;
    double **vectors[] = {&s->x0, &s->x1, &s->free, &s->f, &s->spare, &s->scale};
    r->memory = calloc(IC_COUNT(vectors) * n + 2 * c * n + c * c + 1, sizeof *r->memory);
    if (r->memory == NULL) return IC_NO_MEMORY;
    for (size_t i = 0; i < IC_COUNT(vectors); i++) *vectors[i] = r->memory + i * n;
    s->gradient = r->memory + IC_COUNT(vectors) * n;
    s->push = s->gradient + c * n;
    s->D = s->push + c * n;
    ic_state_scales(s->problem, s->scale);
    return IC_OK;
}

static ic_status start_run(run *r)
{
    const ic_problem *problem = r->s.problem;
    const ic_jump *start = &problem->variant->start;
    r->mode = problem->mode_start;
    if (problem->x_start != NULL) {
        memcpy(r->s.x0, problem->x_start, r->s.n * sizeof *r->s.x0);
    } else {
        const int branch = start->apply(r->s.x0, problem->t_start, NULL, problem->par);
        if (branch < 0 || (size_t)branch >= start->n_branches) {
            ic_log_message(r->log, "these parameters do not permit a start: %s", problem->variant->meaning);
            return IC_INVALID;
        }
        r->mode = start->branches[branch].mode;
    }
    return ic_all_finite(r->s.x0, r->s.n) ? IC_OK : IC_NOT_FINITE;
}

static int discrete_of(const ic_stepping *s, size_t i)
{
    return is_stop(s, i) ? s->view->stops[i].state : friction_at(s, i)->state;
}

/* States of contacts at the start, from the mode or the discrete states. */
static void read_states(run *r)
{
    ic_stepping *s = &r->s;
    for (size_t i = 0; i < s->n_contacts; i++) {
        const int discrete = discrete_of(s, i);
        int value = is_stop(s, i) ? 0 : ic_sign(ic_stepping_velocity(s, i, s->problem->t_start, s->x0));
        if (s->view->combinations != NULL) {
            const int listed = s->view->combinations[(size_t)r->mode * s->n_contacts + i];
            if (listed != IC_NO_COMBINATION) value = listed;
        } else if (discrete >= 0) {
            value = ic_sign(s->x0[discrete]);
        }
        s->state[i] = value;
        s->P_before[i] = is_stop(s, i) ? value : 0; /* a stop that is pressed is not hit */
    }
}

/*
 * Writes the states of contacts to x, and returns the mode in which they have these values, or most
 * of them.
 */
static int write_states(const run *r, double *x)
{
    const ic_stepping *s = &r->s;
    int mode = r->mode;
    size_t best = 0;
    for (size_t i = 0; i < s->n_contacts; i++) {
        const int discrete = discrete_of(s, i);
        if (discrete >= 0) x[discrete] = s->state[i];
    }
    for (size_t m = 0; s->view->combinations != NULL && m < s->problem->variant->n_modes; m++) {
        const int *listed = s->view->combinations + m * s->n_contacts;
        size_t agree = 1;
        for (size_t i = 0; i < s->n_contacts; i++) agree += listed[i] == s->state[i];
        if (s->n_contacts == 0 || listed[0] == IC_NO_COMBINATION || agree <= best) continue;
        best = agree;
        mode = (int)m;
    }
    return mode;
}

/*
 * Rebounds that return within a step, by the velocity that a step adds without impulses, are rest.
 * A body at rest may hover for a step: contact was predicted too early.
 */
#define REST 1.5

/*
 * States of contacts after a step. A stop is pressed if it pushes, or did in the step before, and
 * the body is at rest. Bodies stick if friction is below its bound.
 */
static void settle_states(ic_stepping *s)
{
    for (size_t i = 0; i < s->n_contacts; i++) {
        const double w = ic_stepping_velocity(s, i, s->t1, s->x1);
        if (is_stop(s, i)) {
            const double falls = s->w0[i] - ic_stepping_velocity(s, i, s->t1, s->free);
            s->state[i] = (s->P[i] > 0 || s->P_before[i] > 0) && fabs(w) <= REST * fmax(falls, 0);
        } else {
            const int slips = ic_sign(w) != 0 ? ic_sign(w) : -ic_sign(s->P[i]);
            s->state[i] = fabs(s->P[i]) < s->bound[i] ? 0 : slips;
        }
    }
}

/* Impulses act at the end of the step; a time that rounding has put just before it is the end. */
static void interpolate(void *self, double t, double *x)
{
    const ic_stepping *s = self;
    const bool is_end = t >= s->t1 - LAST_STEP * s->h;
    const double part = (t - s->t0) / s->h;
    for (size_t i = 0; i < s->n; i++) x[i] = is_end ? s->x1[i] : s->x0[i] + part * (s->free[i] - s->x0[i]);
    for (size_t i = 0; i < s->n_contacts; i++) {
        const int discrete = discrete_of(s, i);
        if (discrete >= 0) x[discrete] = s->x0[discrete];
    }
}

static ic_status log_step(run *r)
{
    ic_stepping *s = &r->s;
    const ic_phase phase = {
        .problem = s->problem, .options = &r->options, .log = r->log, .mode_index = r->mode};
    ic_status status = ic_phase_observe(&phase, s->t0, s->t1, 1, interpolate, s);
    bool pressed[IC_MOST_STEPPED] = {false};
    for (size_t i = 0; i < s->n_contacts; i++) pressed[i] = s->state[i] == 1;
    settle_states(s);
    const int mode = write_states(r, s->x1);
    int sequence = 0;
    for (size_t i = 0; i < s->view->n_stops && status == IC_OK; i++) {
        if (!(s->P[i] > 0) || s->P_before[i] > 0 || pressed[i] || !(s->w0[i] < 0)) continue;
        status = ic_log_event(r->log, &(const ic_event){IC_EVENT_GUARD, s->view->stops[i].name, s->t1, sequence,
                                                        sequence == 0 ? r->mode : mode, mode,
                                                        sequence == 0 ? s->free : s->x1, s->x1});
        sequence++;
    }
    r->mode = mode;
    return status;
}

static ic_status take_step(run *r)
{
    ic_stepping *s = &r->s;
    if (ic_has_to_end(&r->options, ++s->work->steps)) return IC_TOO_MUCH_WORK;
    for (size_t i = 0; i < s->n_contacts; i++) s->w0[i] = ic_stepping_velocity(s, i, s->t0, s->x0);
    ic_status status = r->method(s);
    if (status == IC_OK && !ic_all_finite(s->x1, s->n)) status = IC_NOT_FINITE;
    if (status != IC_OK) {
        if (status == IC_TOO_MUCH_WORK)
            ic_log_message(
                r->log, "the step from t = %.9g s has no solution that could be found: choose a shorter step",
                s->t0);
        return status;
    }
    status = log_step(r);
    memcpy(s->x0, s->x1, s->n * sizeof *s->x0);
    memcpy(s->P_before, s->P, sizeof s->P);
    s->t0 = s->t1;
    ic_log_final(r->log, s->t0, r->mode, s->x0);
    return status;
}

static ic_status follow(run *r)
{
    ic_stepping *s = &r->s;
    const ic_problem *problem = s->problem;
    const double h = r->options.step > 0 ? r->options.step : ic_default_step(problem);
    ic_status status = start_run(r);
    if (status != IC_OK) return status;
    s->t0 = problem->t_start;
    read_states(r);
    ic_log_final(r->log, s->t0, r->mode, s->x0);
    if (r->options.samples > 0) status = ic_log_sample(r->log, s->t0, r->mode, s->x0);
    if (r->options.extremes) ic_log_extremes(r->log, s->t0, r->mode, s->x0);
    for (double k = 1; status == IC_OK && s->t0 < problem->t_end; k++) {
        const double next = problem->t_start + k * h;
        s->t1 = next > problem->t_end - LAST_STEP * h ? problem->t_end : next;
        s->h = s->t1 - s->t0;
        if (!(s->h > 0)) return IC_STEP_TOO_SMALL;
        status = take_step(r);
    }
    return status;
}

ic_status ic_stepping_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                            ic_stepping_method *method)
{
    const ic_stops_view *view = problem->variant->stops;
    run r = {.log = log, .method = method};
    r.options = ic_options_resolved(problem, options);
    if (view == NULL || view->n_stops + view->n_frictions > IC_MOST_STEPPED) {
        ic_log_message(log, "this variant of '%s' does not consist of one flow, stops and friction",
                       problem->system->name);
        return IC_UNSUPPORTED;
    }
    if (r.options.events != NULL && ic_event_set_count(r.options.events) > 0) {
        ic_log_message(log, "time stepping locates no events, so that it cannot follow observers and timers");
        return IC_UNSUPPORTED;
    }
    r.s = (ic_stepping){.problem = problem,
                        .view = view,
                        .work = ic_log_work(log),
                        .n = problem->system->n_states,
                        .n_contacts = view->n_stops + view->n_frictions};
    ic_status status = open_run(&r);
    if (status == IC_OK) status = follow(&r);
    free(r.memory);
    return status;
}
