/* SPDX-License-Identifier: MIT */
/*
 * Events made during a run: a ball that bounces without loss is observed, then braked, then caught.
 *
 * An observer counts the highest points of the ball. At the third, it makes an observer of the
 * height 1/2 m and removes itself. The new observer halves the speed each time the ball rises
 * through that height, until a timer, started by its first firing, switches to the mode in which
 * the ball rests. Exit status 1 if solvers disagree on the events, 3 if a run fails.
 */
#include <impactcheck/impactcheck.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Accepted difference of event times, s: ten times the error of the runs. */
#define AGREEMENT 1e-7

/* States and modes of bouncing-ball, in the order of `impactcheck list cases --long`. */
enum { X, V };
enum { FLIGHT, REST };

#define HEIGHT 0.5 /* m */
#define DELAY 1.25 /* s */

typedef struct counts {
    int highest_points, brakings;
} counts;

static double speed(const ic_moment *now, void *context)
{
    (void)context;
    return now->x[V];
}

static double above_height(const ic_moment *now, void *context)
{
    (void)context;
    return now->x[X] - HEIGHT;
}

static ic_status stop_ball(ic_firing *now, void *context)
{
    (void)context;
    now->x_post[X] = now->x_post[V] = 0;
    now->mode_post = REST;
    return IC_OK;
}

static ic_status halve_speed(ic_firing *now, void *context)
{
    static const ic_timed caught = {.name = "caught", .handler = stop_ball};
    counts *c = context;
    now->x_post[V] = now->x[V] / 2;
    if (c->brakings++ > 0) return IC_OK;
    return ic_start_timer(now->events, &caught, DELAY, 1, NULL);
}

static ic_status count_highest_point(ic_firing *now, void *context)
{
    counts *c = context;
    if (++c->highest_points < 3) return IC_OK;
    const ic_observer braking = {
        .name = "braking", .direction = +1, .value = above_height, .handler = halve_speed, .context = c};
    const ic_status status = ic_observe(now->events, &braking, NULL);
    return status == IC_OK ? ic_event_remove(now->events, now->id) : status;
}

/* One run; NULL: it failed. */
static ic_log *run_with_observers(const ic_problem *problem, const ic_solver *solver)
{
    counts c = {0};
    const ic_observer highest = {.name = "highest point",
                                 .direction = -1,
                                 .value = speed,
                                 .handler = count_highest_point,
                                 .context = &c};
    ic_event_set *events = ic_event_set_new();
    ic_log *log = ic_log_new(problem);
    if (events == NULL || log == NULL || ic_observe(events, &highest, NULL) != IC_OK) return NULL;
    const ic_options options = {.rtol = 1e-10, .step = 1e-4, .events = events};
    const ic_status status = ic_run(log, solver, &options);
    if (status != IC_OK) fprintf(stderr, "observers: %s: %s\n", solver->name, ic_log_text(log));
    ic_event_set_free(events);
    if (status == IC_OK) return log;
    ic_log_free(log);
    return NULL;
}

static void print_events(const ic_log *log)
{
    for (size_t i = 0; i < ic_log_event_count(log); i++) {
        const ic_event event = ic_log_event_at(log, i);
        printf("%-14s t = %.9f s   x = %.9f m   v = %.9f -> %.9f m/s\n", event.name, event.t, event.x_pre[X],
               event.x_pre[V], event.x_post[V]);
    }
}

static int events_agree(const ic_log *a, const ic_log *b)
{
    size_t i = 0;
    const size_t n = ic_log_event_count(a);
    if (n == 0 || ic_log_event_count(b) != n) return 0;
    while (i < n && strcmp(ic_log_event_at(a, i).name, ic_log_event_at(b, i).name) == 0 &&
           fabs(ic_log_event_at(a, i).t - ic_log_event_at(b, i).t) <= AGREEMENT)
        i++;
    return i == n;
}

int main(void)
{
    ic_error error;
    const ic_choices choices = {.preset = "elastic", .until = "6"};
    ic_instance *instance = ic_instance_new(ic_case_find("bouncing-ball"), &choices, &error);
    if (instance == NULL) {
        fprintf(stderr, "observers: %s\n", error.text);
        return 3;
    }
    ic_log *a = run_with_observers(ic_instance_problem(instance), ic_solver_find("dop853"));
    ic_log *b = run_with_observers(ic_instance_problem(instance), ic_solver_find("rk4_henon"));
    int status = a == NULL || b == NULL ? 3 : 0;
    if (status == 0) {
        print_events(a);
        status = events_agree(a, b) ? 0 : 1;
    }
    ic_log_free(a);
    ic_log_free(b);
    ic_instance_free(instance);
    return status;
}
