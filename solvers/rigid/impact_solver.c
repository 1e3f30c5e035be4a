/* SPDX-License-Identifier: MIT */
/*
 * Between two corners of the path, v is linear and D_N quadratic in the impulse: at the fraction h,
 *
 *     P = P_0 + h (P_1 - P_0),   v_y = v_y0 + h (v_y1 - v_y0),   D_N = D_0 - h (P_y1 - P_y0) (v_y0 + v_y)/2.
 */
#include "solvers/rigid/impact_solver.h"
#include "core/event_loop.h"
#include "core/model.h"
#include "solvers/rigid/impulse_plane.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct impact_run {
    ic_log *log;
    const ic_problem *problem;
    ic_options options;
    ic_impact_result result;

    /* P_y per second, N */
    double clock;

    /* states P_C and D_C; 0 before the end of compression */
    double P_C, D_C;

    /* corner at the start of the current piece */
    size_t from;

    /* time of that corner, and of the last event, s */
    double t, last_t;

    int sequence;
    double events;
} impact_run;

/* ---- states */

static void put_state(double *x, const impact_run *r, const double P[2], double D_N)
{
    for (int i = 0; i < IC_IMPACT_STATES; i++) x[i] = 0;
    x[IC_IMPACT_P_X] = P[0];
    x[IC_IMPACT_P_Y] = P[1];
    x[IC_IMPACT_D_0] = D_N;
    x[IC_IMPACT_P_C] = r->P_C;
    x[IC_IMPACT_D_C] = r->D_C;
}

static void put_corner(double *x, const impact_run *r, const ic_impact_point *corner)
{
    put_state(x, r, corner->P, corner->D_N);
}

/* Writes the state at time t on the current piece. */
static void on_piece(void *self, double t, double *x)
{
    const impact_run *r = self;
    const ic_impact_point *from = &r->result.path[r->from], *to = from + 1;
    const double gain = to->P[1] - from->P[1];
    const double h = gain > 0 ? fmin((t - r->t) * r->clock / gain, 1) : 0;
    const double P[2] = {from->P[0] + h * (to->P[0] - from->P[0]), from->P[1] + h * gain};
    const double v_y = from->v[1] + h * (to->v[1] - from->v[1]);
    put_state(x, r, P, from->D_N - 0.5 * h * gain * (from->v[1] + v_y));
}

/* ---- logging */

/*
 * Logs extremes. They are at corners: on a piece, v, P and linear functions of them are monotonic;
 * so is D_T, since friction only dissipates; and D_N turns where v_y = 0, which is a corner.
 */
static void log_extremes(const impact_run *r, double t, int mode, const double *x)
{
    if (r->options.extremes) ic_log_extremes(r->log, t, mode, x);
}

/* Logs samples on the current piece, up to time t. */
static ic_status log_samples(impact_run *r, double t)
{
    const ic_options samples_only = {.samples = r->options.samples};
    const ic_phase phase = {.problem = r->problem,
                            .options = &samples_only,
                            .log = r->log,
                            .mode_index = r->result.path[r->from].mode};
    return ic_phase_observe(&phase, r->t, t, 1, on_piece, r);
}

/* ---- corners as events */

/* Logs the event at the end of the current piece, at time t. */
static ic_status log_event(impact_run *r, double t)
{
    double x_pre[IC_IMPACT_STATES], x_post[IC_IMPACT_STATES];
    const int mode_from = r->result.path[r->from].mode;
    const ic_impact_point *corner = &r->result.path[++r->from];
    put_corner(x_pre, r, corner);
    if (strcmp(corner->event, IC_IMPACT_COMPRESSION_END) == 0) {
        r->P_C = corner->P[1];
        r->D_C = corner->D_N;
    }
    put_corner(x_post, r, corner);
    const bool same_instant = fabs(t - r->last_t) <= IC_INSTANT_ULPS * DBL_EPSILON * fabs(t);
    r->sequence = same_instant ? r->sequence + 1 : 0;
    r->t = r->last_t = same_instant ? r->last_t : t;
    log_extremes(r, r->t, mode_from, x_pre);
    log_extremes(r, r->t, corner->mode, x_post);
    ic_log_final(r->log, r->t, corner->mode, x_post);
    if (ic_has_to_end(&r->options, ++r->events)) return IC_TOO_MUCH_WORK;
    return ic_log_event(r->log, &(const ic_event){IC_EVENT_GUARD, corner->event, r->t, r->sequence, mode_from,
                                                  corner->mode, x_pre, x_post});
}

static ic_status follow_path(impact_run *r)
{
    double x[IC_IMPACT_STATES];
    ic_status status = IC_OK;
    const ic_impact_point *start = &r->result.path[0];
    put_corner(x, r, start);
    ic_log_final(r->log, r->t, start->mode, x);
    log_extremes(r, r->t, start->mode, x);
    if (r->options.samples > 0) status = ic_log_sample(r->log, r->t, start->mode, x);
    while (status == IC_OK && r->result.path[r->from].mode != IC_IMPACT_LIFTED_OFF) {
        const double t = r->problem->t_start + r->result.path[r->from + 1].P[1] / r->clock;
        const double t_end = r->problem->t_end;
        ic_log_work(r->log)->steps++;
        status = log_samples(r, fmin(t, t_end));
        if (status != IC_OK) return status;
        if (t > t_end) { /* the run ends before the next corner */
            const int mode = r->result.path[r->from].mode;
            on_piece(r, t_end, x);
            log_extremes(r, t_end, mode, x);
            ic_log_final(r->log, t_end, mode, x);
            return IC_OK;
        }
        status = log_event(r, t);
    }
    return status;
}

/* ---- the solver */

static ic_status check_support(ic_log *log, const ic_problem *problem)
{
    if (problem->system->impact == NULL) {
        ic_log_message(log, "case '%s' has no impact view", problem->system->name);
        return IC_UNSUPPORTED;
    }
    if (problem->x_start != NULL) {
        ic_log_message(log, "a rigid impact map goes from the start of the impact, not from a given state");
        return IC_UNSUPPORTED;
    }
    return IC_OK;
}

static ic_status apply_map(impact_run *r, const ic_impact_map *map)
{
    ic_impact impact = {.mu = 0};
    r->problem->system->impact(&impact, r->problem->par);
    const ic_status status = map->map(&r->result, &impact);
    if (status != IC_OK) {
        const char *fault = ic_impact_fault(&impact);
        ic_log_message(r->log, "%s", fault != NULL ? fault : "the map refuses this impact");
        return status;
    }
    if (r->result.n_path < 2) {
        ic_log_message(r->log, "the map '%s' does not report its path", map->name);
        return IC_UNSUPPORTED;
    }
    r->clock = -impact.k_y * impact.v[1];
    if (!(r->clock > 0) || !isfinite(r->clock)) {
        ic_log_message(r->log, "the normal stiffness, which sets the clock, must be positive and finite");
        return IC_INVALID;
    }
    return IC_OK;
}

ic_status ic_impact_solve(ic_log *log, const ic_problem *problem, const ic_options *options,
                          const ic_impact_map *map)
{
    impact_run r = {.log = log, .problem = problem, .t = problem->t_start, .last_t = NAN};
    ic_status status = check_support(log, problem);
    if (status == IC_OK) status = apply_map(&r, map);
    if (status != IC_OK) return status;
    r.options = ic_options_resolved(problem, options);
    return follow_path(&r);
}
