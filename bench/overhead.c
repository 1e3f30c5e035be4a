/* SPDX-License-Identifier: MIT */
#include "bench/overhead.h"
#include "bench/statistics.h"
#include "bench/timing.h"
#include "core/model.h"
#include "registry/registry.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 5, REPETITIONS = 15 };

struct ic_overhead {
    ic_setup setup;
    const ic_solver *solver;
    double h;
};

/* ---- the roller, by hand: equations as in cases/roller.yaml */

enum { M2, M3, K23, C23, G, D, F_W, OMEGA, PHASE, K, C };
enum { X2, V2, X3, V3, X_F };
enum { CONTACT, FLIGHT };

static inline double suspension_force(const double *x, const double *p)
{
    return p[C23] * (x[V3] - x[V2]) + p[K23] * (x[X3] - x[X2] - p[D]);
}

static inline double exciter_acceleration(double t, const double *x, const double *p, double force)
{
    return -p[G] + (force + suspension_force(x, p) - p[F_W] * sin(p[OMEGA] * t + p[PHASE])) / p[M2];
}

static inline double contact_force(double t, const double *x, const double *p)
{
    (void)t;
    return -p[C] * x[V2] - p[K] * x[X2];
}

static inline void hand_contact(double *f, double t, const double *x, const double *p)
{
    f[X2] = x[V2];
    f[V2] = exciter_acceleration(t, x, p, contact_force(t, x, p));
    f[X3] = x[V3];
    f[V3] = -p[G] - suspension_force(x, p) / p[M3];
    f[X_F] = -x[V2] - p[K] / p[C] * (x[X_F] + x[X2]);
}

static inline void hand_flight(double *f, double t, const double *x, const double *p)
{
    f[X2] = x[V2];
    f[V2] = exciter_acceleration(t, x, p, 0);
    f[X3] = x[V3];
    f[V3] = -p[G] - suspension_force(x, p) / p[M3];
    f[X_F] = 0;
}

static inline double hand_force_rate(double t, const double *x, const double *p)
{
    return -p[C] * exciter_acceleration(t, x, p, contact_force(t, x, p)) - p[K] * x[V2];
}

static inline double hand_position(double t, const double *x, const double *p)
{
    (void)t, (void)p;
    return x[X2];
}

static inline double hand_velocity(double t, const double *x, const double *p)
{
    (void)t, (void)p;
    return x[V2];
}

static inline int hand_jump(double *x_post, double t, const double *x, const double *p)
{
    (void)t, (void)p;
    memcpy(x_post, x, STATES * sizeof *x_post);
    return 0;
}

static inline int hand_engage(double *x_post, double t, const double *x, const double *p)
{
    const int branch = hand_jump(x_post, t, x, p);
    x_post[X_F] = -x[X2];
    return branch;
}

static inline int hand_release(double *x_post, double t, const double *x, const double *p)
{
    const int branch = hand_jump(x_post, t, x, p);
    x_post[X_F] = 0;
    return branch;
}

/* ---- the loop over any functions: where they are known, the compiler inlines them */

typedef void flow_of(double *f, double t, const double *x, const double *p);
typedef double value_of(double t, const double *x, const double *p);
typedef int jump_of(double *x_post, double t, const double *x, const double *p);

typedef struct phase_of {
    flow_of *flow;
    value_of *guard, *rate;
    jump_of *jump;
} phase_of;

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* One step dx/ds = f/r, dt/ds = 1/r of length ds; r = 1 for a step in time, the guard's rate for
   Henon's step. k[0] is f at the start. */
ALWAYS_INLINE void step(double *x1, double *t1, double t0, const double *x0, double k[4][STATES], double ds,
                        flow_of *flow, value_of *rate, const double *p)
{
    static const double part[4] = {0, 0.5, 0.5, 1};
    double r[4] = {rate == NULL ? 1 : rate(t0, x0, p), 1, 1, 1}, stage[STATES];
    for (int i = 1; i < 4; i++) {
        const double t = t0 + ds * part[i] / r[i - 1];
        for (int j = 0; j < STATES; j++) stage[j] = x0[j] + ds * part[i] * k[i - 1][j] / r[i - 1];
        flow(k[i], t, stage, p);
        if (rate != NULL) r[i] = rate(t, stage, p);
    }
    for (int j = 0; j < STATES; j++)
        x1[j] = x0[j] + ds / 6 * (k[0][j] / r[0] + 2 * k[1][j] / r[1] + 2 * k[2][j] / r[2] + k[3][j] / r[3]);
    *t1 = t0 + ds / 6 * (1 / r[0] + 2 / r[1] + 2 / r[2] + 1 / r[3]);
}

/* Follows one mode until its guard falls through zero; true: it did, before t_end. */
ALWAYS_INLINE bool follow(ic_overhead_run *run, phase_of phase, double h, double t_end, const double *p)
{
    double k[4][STATES], x1[STATES], t1;
    phase.flow(k[0], run->t, run->x, p);
    double g0 = phase.guard(run->t, run->x, p);
    while (run->t < t_end) {
        const double next = fmin(h * (floor(run->t / h + 1e-9) + 1), t_end);
        step(x1, &t1, run->t, run->x, k, next - run->t, phase.flow, NULL, p);
        const double g1 = phase.guard(next, x1, p);
        if (g0 > 0 && g1 <= 0) {
            step(x1, &t1, run->t, run->x, k, -g0, phase.flow, phase.rate, p);
            run->t = t1;
            phase.jump(run->x, t1, x1, p);
            run->events++;
            return true;
        }
        run->t = next;
        memcpy(run->x, x1, sizeof run->x);
        g0 = g1;
        phase.flow(k[0], run->t, run->x, p);
    }
    return false;
}

ALWAYS_INLINE void alternate(ic_overhead_run *run, phase_of contact, phase_of flight, int mode, double h,
                             double t_end, const double *p)
{
    bool on = true;
    while (on) {
        on = mode == CONTACT ? follow(run, contact, h, t_end, p) : follow(run, flight, h, t_end, p);
        mode = mode == CONTACT ? FLIGHT : CONTACT;
    }
}

static void run_by_hand(ic_overhead_run *run, int mode, double h, double t_end, const double *p)
{
    alternate(run, (phase_of){hand_contact, contact_force, hand_force_rate, hand_release},
              (phase_of){hand_flight, hand_position, hand_velocity, hand_engage}, mode, h, t_end, p);
}

static void run_through_registry(ic_overhead_run *run, const ic_mode *modes, int mode, double h, double t_end,
                                 const double *p)
{
    phase_of phases[2];
    for (int i = 0; i < 2; i++) {
        const ic_guard *guard = &modes[i].guards[0];
        phases[i] = (phase_of){modes[i].flow, guard->value, guard->rate, guard->jump.apply};
    }
    alternate(run, phases[CONTACT], phases[FLIGHT], mode, h, t_end, p);
}

/* ---- both, and the solver */

ic_overhead *ic_overhead_open(void)
{
    ic_error error;
    ic_overhead *overhead = calloc(1, sizeof *overhead);
    if (overhead == NULL) return NULL;
    overhead->solver = ic_solver_find("rk4_henon");
    const ic_request request = {.path = "roller/III/C", .until = IC_OVERHEAD_UNTIL};
    if (overhead->solver == NULL || !ic_setup_open(&overhead->setup, &request, &error)) {
        free(overhead);
        return NULL;
    }
    overhead->h = ic_default_step(&overhead->setup.problem);
    return overhead;
}

void ic_overhead_close(ic_overhead *overhead)
{
    if (overhead == NULL) return;
    ic_setup_close(&overhead->setup);
    free(overhead);
}

static ic_overhead_run run_by_solver(const ic_overhead *overhead)
{
    const ic_problem *problem = &overhead->setup.problem;
    ic_overhead_run run = {.t = NAN};
    ic_log *log = ic_log_new(problem);
    if (log != NULL && overhead->solver->solve(log, problem, &(ic_options){0}) == IC_OK) {
        const ic_sample end = ic_log_end(log);
        run = (ic_overhead_run){.t = end.t, .events = ic_log_event_count(log)};
        memcpy(run.x, end.x, sizeof run.x);
    }
    ic_log_free(log);
    return run;
}

ic_overhead_run ic_overhead_loop(ic_overhead *overhead, int which)
{
    const ic_problem *problem = &overhead->setup.problem;
    const ic_jump *start = &problem->variant->start;
    ic_overhead_run run = {.t = problem->t_start};
    if (which == IC_OVERHEAD_SOLVER) return run_by_solver(overhead);
    const int mode = start->branches[start->apply(run.x, run.t, NULL, problem->par)].mode;
    if (which == IC_OVERHEAD_BY_HAND) run_by_hand(&run, mode, overhead->h, problem->t_end, problem->par);
    else run_through_registry(&run, problem->variant->modes, mode, overhead->h, problem->t_end, problem->par);
    return run;
}

void ic_overhead_measure(ic_cost_overhead *result)
{
    double seconds[IC_OVERHEAD_LOOPS][REPETITIONS], ratios[IC_OVERHEAD_LOOPS][REPETITIONS];
    ic_overhead *overhead = ic_overhead_open();
    *result = ic_cost_overhead_none;
    if (overhead == NULL) return;
    for (int i = -1; i < REPETITIONS; i++) { /* the first repetition warms up */
        const int k = i < 0 ? 0 : i;
        for (int which = 0; which < IC_OVERHEAD_LOOPS; which++) {
            const double begin = ic_time_now();
            const ic_overhead_run run = ic_overhead_loop(overhead, which);
            seconds[which][k] = run.events > 0 ? ic_time_now() - begin : NAN;
            ratios[which][k] = seconds[which][k] / seconds[IC_OVERHEAD_BY_HAND][k];
        }
    }
    ic_overhead_close(overhead);
    const ic_spread registry = ic_spread_of(ratios[IC_OVERHEAD_REGISTRY], REPETITIONS),
                    solver = ic_spread_of(ratios[IC_OVERHEAD_SOLVER], REPETITIONS);
    *result = (ic_cost_overhead){.by_hand = ic_median(seconds[IC_OVERHEAD_BY_HAND], REPETITIONS),
                                 .registry = ic_median(seconds[IC_OVERHEAD_REGISTRY], REPETITIONS),
                                 .solver = ic_median(seconds[IC_OVERHEAD_SOLVER], REPETITIONS),
                                 .ratio = registry.middle,
                                 .ratio_low = registry.low,
                                 .ratio_high = registry.high,
                                 .solver_ratio = solver.middle,
                                 .solver_low = solver.low,
                                 .solver_high = solver.high};
}
