/* SPDX-License-Identifier: MIT */
/*
 * The same problem with the same options is solved again and again: in one process at once and
 * after another problem; and in processes that all begin alike, but for the bytes in memory that
 * nobody has set. Its log must be the same each time. Between the runs the heap must not grow: what
 * is allocated once is a solver's own affair, what each run adds is lost.
 */
#include "audit/solver/check_repeats.h"
#include "audit/common/tolerances.h"
#include "audit/solver/solver_run.h"
#include "audit/solver/trials.h"
#include "audit/solver/unset_memory.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <malloc.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

/* Little is asked of adaptive solvers: what steps depend on shows in the answer. */
#define ASKED_ERROR 1e-5

enum { SAMPLES = 17, RUNS = 6 };

/* As numbers 4.8e-4, 32.5 and 1.4e306, and none of them zero as a number or a pointer; the first
   one twice: it must repeat itself. */
static const unsigned char fillings[] = {0x3f, 0x3f, 0x40, 0x7f};

/* Bytes in use on the heap. */
static double in_use(void)
{
    const struct mallinfo2 heap = mallinfo2();
    return (double)heap.uordblks + (double)heap.hblkhd;
}

static ic_options asked_of(const ic_solver *solver, const ic_problem *problem)
{
    ic_options options = ic_solver_asked(solver, ic_default_step(problem), 1);
    if (solver->control == IC_CONTROL_RTOL) options.rtol = ic_rtol_for(solver, ASKED_ERROR);
    options.samples = SAMPLES;
    return options;
}

static ic_solver_run solved(const ic_solver *solver, const ic_problem *problem)
{
    const ic_options options = asked_of(solver, problem);
    return ic_solver_run_of(solver, problem, &options);
}

static double apart(double a, double b, double scale)
{
    if (a == b || (isnan(a) && isnan(b))) return 0;
    return isfinite(a) && isfinite(b) ? fabs(a - b) / fmax(fmax(fabs(a), fabs(b)), scale) : 1;
}

static double states_apart(const double *a, const double *b, const ic_problem *problem)
{
    double worst = 0, scale[IC_MAX_STATES];
    ic_state_scales(problem, scale);
    for (size_t k = 0; a != NULL && b != NULL && k < problem->system->n_states; k++)
        worst = fmax(worst, apart(a[k], b[k], scale[k]));
    return (a == NULL) != (b == NULL) ? 1 : worst;
}

/* The greatest difference between two logs; 1: other events. */
static double difference(const ic_solver_run *a, const ic_solver_run *b)
{
    const ic_problem *problem = ic_log_problem(a->log);
    const double time_scale = ic_time_scale(problem);
    double worst = 0;
    if (a->status != b->status || ic_log_event_count(a->log) != ic_log_event_count(b->log) ||
        ic_log_sample_count(a->log) != ic_log_sample_count(b->log))
        return 1;
    for (size_t i = 0; i < ic_log_event_count(a->log); i++) {
        const ic_event x = ic_log_event_at(a->log, i), y = ic_log_event_at(b->log, i);
        worst = fmax(worst, fmax(apart(x.t, y.t, time_scale), states_apart(x.x_post, y.x_post, problem)));
    }
    for (size_t i = 0; i < ic_log_sample_count(a->log); i++)
        worst =
            fmax(worst, states_apart(ic_log_sample_at(a->log, i).x, ic_log_sample_at(b->log, i).x, problem));
    const ic_sample x = ic_log_end(a->log), y = ic_log_end(b->log);
    return fmax(worst, fmax(apart(x.t, y.t, time_scale), states_apart(x.x, y.x, problem)));
}

/* Another problem has another answer, if it is solved at all. */
static void tell_other(ic_sink *sink, double other)
{
    const ic_measured m = {other > ic_tolerance_repetition.value ? 0 : 1, 0, "the damping is another one",
                           IC_MISTAKE_MEMORY_NOT_RESET};
    ic_sink_measure(sink, IC_CHECK_SOLVER_REPEATS, &m, "whether another damping has the same answer");
}

/* ---- memory that nobody has set */

/* In a process of its own, which begins as this one is: how far from the first run one is with this
   byte in memory. */
static double difference_with(const ic_solver_run *first, const ic_solver *solver, const ic_problem *problem,
                              unsigned char byte)
{
    int fds[2], state = 0;
    double told = 1; /* it dies */
    if (pipe(fds) != 0) return NAN;
    const pid_t child = fork();
    if (child == 0) {
        const ic_options options = asked_of(solver, problem);
        ic_fill_heap(byte);
        const ic_solver_run r = ic_solver_run_filled(solver, problem, &options, byte);
        told = r.log != NULL ? difference(first, &r) : 1;
        _exit(write(fds[1], &told, sizeof told) != (ssize_t)sizeof told);
    }
    close(fds[1]);
    if (child > 0) {
        if (read(fds[0], &told, sizeof told) != (ssize_t)sizeof told) told = 1;
        waitpid(child, &state, 0);
    }
    close(fds[0]);
    return child > 0 ? told : NAN;
}

/* How much runs differ that differ in these bytes alone; 0 where a run does not even repeat itself
   with the same ones. */
static double difference_by_bytes(const ic_solver_run *first, const ic_solver *solver,
                                  const ic_problem *problem)
{
    double apart_from_first[IC_COUNT(fillings)], most = 0;
    for (size_t i = 0; i < IC_COUNT(fillings); i++)
        apart_from_first[i] = difference_with(first, solver, problem, fillings[i]);
    if (!(fabs(apart_from_first[1] - apart_from_first[0]) <= ic_tolerance_repetition.value)) return 0;
    for (size_t i = 2; i < IC_COUNT(fillings); i++)
        most = fmax(most, fabs(apart_from_first[i] - apart_from_first[0]));
    return most;
}

static void tell_unset(ic_sink *sink, double by_bytes)
{
    const ic_measured m = {by_bytes, ic_tolerance_repetition.value, ic_tolerance_repetition.derivation,
                           IC_MISTAKE_UNSET_MEMORY};
    ic_sink_measure(sink, IC_CHECK_SOLVER_UNSET, &m,
                    "processes that are alike, but for the bytes 0x%x, 0x%x or 0x%x on heap and stack",
                    fillings[0], fillings[2], fillings[3]);
}

static void tell_same(ic_sink *sink, double again, double after_other, bool unset)
{
    const ic_mistake_id cause = unset                                   ? IC_MISTAKE_UNSET_MEMORY
                                : again > ic_tolerance_repetition.value ? IC_MISTAKE_NOT_REPEATABLE
                                                                        : IC_MISTAKE_MEMORY_NOT_RESET;
    const ic_measured m = {fmax(again, after_other), ic_tolerance_repetition.value,
                           ic_tolerance_repetition.derivation, cause};
    ic_sink_measure(sink, IC_CHECK_SOLVER_REPEATS, &m, "asked again %.3g, after another problem %.3g", again,
                    after_other);
}

/* What each run adds, at least: what is kept once for all, or grows now and then, is less. */
static void check_memory(ic_sink *sink, const ic_solver *solver, const ic_problem *problem)
{
    double least = INFINITY;
    for (int i = 0; i < RUNS; i++) {
        const double before = in_use();
        ic_solver_run r = solved(solver, problem);
        ic_solver_run_free(&r);
        least = fmin(least, in_use() - before);
    }
    const ic_measured m = {fmax(least, 0), ic_tolerance_memory_kept.value, ic_tolerance_memory_kept.derivation,
                           IC_MISTAKE_LEAKS};
    ic_sink_measure(sink, IC_CHECK_SOLVER_MEMORY, &m, "bytes that each of %d runs adds to the heap, at least",
                    RUNS);
}

static void check_repeats(ic_sink *sink, const ic_solver *solver, const ic_problem *problem,
                          const ic_problem *between)
{
    ic_solver_run first = solved(solver, problem);
    if (first.log != NULL && first.status == IC_OK && first.damage == 0) {
        const double by_bytes = difference_by_bytes(&first, solver, problem);
        ic_solver_run second = solved(solver, problem), distraction = solved(solver, between),
                      r = solved(solver, problem);
        const double again = second.log != NULL ? difference(&first, &second) : 0,
                     after_other = r.log != NULL ? difference(&first, &r) : 0;
        if (distraction.log != NULL) tell_other(sink, difference(&first, &distraction));
        ic_solver_run_free(&distraction);
        ic_solver_run_free(&r);
        ic_solver_run_free(&second);
        tell_unset(sink, by_bytes);
        tell_same(sink, again, after_other, by_bytes > ic_tolerance_repetition.value);
        check_memory(sink, solver, problem);
    }
    ic_solver_run_free(&first);
}

void ic_audit_repeats(ic_sink *sink, const ic_solver *solver)
{
    const ic_trial_path run = ic_repeated_preset();
    const ic_request requests[] = {
        {.path = run.text, .until = run.until},
        {.path = run.text, .until = run.until, .settings = &run.again, .n_settings = 1}};
    ic_setup setups[2] = {0};
    ic_error error;
    bool good = true;
    for (size_t i = 0; i < 2 && good; i++)
        good = ic_setup_open(&setups[i], &requests[i], &error) && ic_solver_solves(solver, &setups[i].problem);
    if (good) check_repeats(sink, solver, &setups[0].problem, &setups[1].problem);
    for (size_t i = 0; i < 2; i++) ic_setup_close(&setups[i]);
}
