/* SPDX-License-Identifier: MIT */
/*
 * The same problem with the same options is solved repeatedly: in one process, at once and after
 * another problem; and in processes that differ only in the bytes of uninitialised memory. The log
 * must be the same each time. The heap must not grow with each run; a solver may keep what it
 * allocates once.
 */
#include "audit/common/memory.h"
#include "audit/common/tolerances.h"
#include "audit/solver/solver.h"
#include "core/model.h"
#include "registry/registry.h"
#include "validation/subjects.h"

#include <math.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

/* Requested error of adaptive solvers, so large that changes of the steps show in the result. */
#define ASKED_ERROR 1e-5

enum { SAMPLES = 17, RUNS = 6 };

/*
 * As numbers these bytes are 4.8e-4, 32.5 and 1.4e306; none of them is zero as a number or a
 * pointer. The first byte is used twice, to see whether a run with it repeats.
 */
static const unsigned char fillings[] = {0x3f, 0x3f, 0x40, 0x7f};

static ic_options choose_options(const ic_solver *solver, const ic_problem *problem)
{
    ic_options options = ic_solver_options(solver, ic_default_step(problem), 1);
    if (solver->control == IC_CONTROL_RTOL) options.rtol = ic_rtol_for(solver, ASKED_ERROR);
    options.samples = SAMPLES;
    return options;
}

static ic_solver_run run_solver(const ic_solver *solver, const ic_problem *problem)
{
    const ic_options options = choose_options(solver, problem);
    return ic_solver_run_of(solver, problem, &options);
}

static double compare_numbers(double a, double b, double scale)
{
    if (a == b || (isnan(a) && isnan(b))) return 0;
    return isfinite(a) && isfinite(b) ? fabs(a - b) / fmax(fmax(fabs(a), fabs(b)), scale) : 1;
}

static double compare_states(const double *a, const double *b, const ic_problem *problem)
{
    double worst = 0, scale[IC_MAX_STATES];
    ic_state_scales(problem, scale);
    for (size_t k = 0; a != NULL && b != NULL && k < problem->system->n_states; k++)
        worst = fmax(worst, compare_numbers(a[k], b[k], scale[k]));
    return (a == NULL) != (b == NULL) ? 1 : worst;
}

/* The greatest difference between two logs; 1: their events differ. */
static double compare_logs(const ic_solver_run *a, const ic_solver_run *b)
{
    const ic_problem *problem = ic_log_problem(a->log);
    const double time_scale = ic_time_scale(problem);
    double worst = 0;
    if (a->status != b->status || ic_log_event_count(a->log) != ic_log_event_count(b->log) ||
        ic_log_sample_count(a->log) != ic_log_sample_count(b->log))
        return 1;
    for (size_t i = 0; i < ic_log_event_count(a->log); i++) {
        const ic_event x = ic_log_event_at(a->log, i), y = ic_log_event_at(b->log, i);
        worst = fmax(worst,
                     fmax(compare_numbers(x.t, y.t, time_scale), compare_states(x.x_post, y.x_post, problem)));
    }
    for (size_t i = 0; i < ic_log_sample_count(a->log); i++)
        worst =
            fmax(worst, compare_states(ic_log_sample_at(a->log, i).x, ic_log_sample_at(b->log, i).x, problem));
    const ic_sample x = ic_log_end(a->log), y = ic_log_end(b->log);
    return fmax(worst, fmax(compare_numbers(x.t, y.t, time_scale), compare_states(x.x, y.x, problem)));
}

/* ---- uninitialised memory */

/* Difference of a run from the first one in a process of its own, a copy of this one, with this
   byte in uninitialised memory. */
static double compare_filled(const ic_solver_run *first, const ic_solver *solver, const ic_problem *problem,
                             unsigned char byte)
{
    int fds[2], state = 0;
    double difference = 1; /* of a child that dies */
    if (pipe(fds) != 0) return NAN;
    const pid_t child = fork();
    if (child == 0) {
        const ic_options options = choose_options(solver, problem);
        ic_fill_heap(byte);
        const ic_solver_run r = ic_solver_run_filled(solver, problem, &options, byte);
        difference = r.log != NULL ? compare_logs(first, &r) : 1;
        _exit(write(fds[1], &difference, sizeof difference) != (ssize_t)sizeof difference);
    }
    close(fds[1]);
    if (child > 0) {
        if (read(fds[0], &difference, sizeof difference) != (ssize_t)sizeof difference) difference = 1;
        waitpid(child, &state, 0);
    }
    close(fds[0]);
    return child > 0 ? difference : NAN;
}

/* Greatest difference between runs that differ only in these bytes; 0 if a run with the same
   byte does not repeat; NAN: the system refuses a process. */
static double compare_fillings(const ic_solver_run *first, const ic_solver *solver, const ic_problem *problem)
{
    double apart_from_first[IC_COUNT(fillings)], most = 0;
    for (size_t i = 0; i < IC_COUNT(fillings); i++)
        apart_from_first[i] = compare_filled(first, solver, problem, fillings[i]);
    for (size_t i = 0; i < IC_COUNT(fillings); i++) {
        if (isnan(apart_from_first[i])) return NAN;
    }
    if (!(fabs(apart_from_first[1] - apart_from_first[0]) <= ic_tolerance_repetition.value)) return 0;
    for (size_t i = 2; i < IC_COUNT(fillings); i++)
        most = fmax(most, fabs(apart_from_first[i] - apart_from_first[0]));
    return most;
}

static void add_repetition(ic_finding_writer *writer, double again, double after_other, bool unset)
{
    const ic_mistake_id cause = unset                                   ? IC_MISTAKE_UNSET_MEMORY
                                : again > ic_tolerance_repetition.value ? IC_MISTAKE_NOT_REPEATABLE
                                                                        : IC_MISTAKE_MEMORY_NOT_RESET;
    const ic_judged_value m = IC_JUDGED(fmax(again, after_other), ic_tolerance_repetition, cause);
    ic_write_measured(writer, IC_CHECK_SOLVER_REPEATS, &m, "repeated at once %.3g, after another problem %.3g",
                      again, after_other);
}

typedef struct repeated_run {
    const ic_solver *solver;
    const ic_problem *problem;
} repeated_run;

static void run_once(void *repeated)
{
    const repeated_run *of = repeated;
    ic_solver_run r = run_solver(of->solver, of->problem);
    ic_solver_run_free(&r);
}

static void check_memory(ic_finding_writer *writer, const ic_solver *solver, const ic_problem *problem)
{
    repeated_run of = {solver, problem};
    const double growth = ic_heap_growth(RUNS, run_once, &of);
    const ic_judged_value m = IC_JUDGED(growth, ic_tolerance_memory_kept, IC_MISTAKE_LEAKS);
    char what[96];
    snprintf(what, sizeof what, "least number of bytes that one of %d runs adds to the heap", RUNS);
    ic_write_kept(writer, IC_CHECK_SOLVER_MEMORY, &m, what);
}

static void check_repeats(ic_finding_writer *writer, const ic_solver *solver, const ic_problem *problem,
                          const ic_problem *between)
{
    ic_solver_run first = run_solver(solver, problem);
    if (first.log != NULL && first.status == IC_OK && first.damage == 0) {
        const double by_bytes = compare_fillings(&first, solver, problem);
        if (isnan(by_bytes)) ic_write_refusal(writer);
        ic_solver_run second = run_solver(solver, problem), distraction = run_solver(solver, between),
                      r = run_solver(solver, problem);
        const double again = second.log != NULL ? compare_logs(&first, &second) : 0,
                     after_other = r.log != NULL ? compare_logs(&first, &r) : 0;
        if (distraction.log != NULL) {
            const bool same = !(compare_logs(&first, &distraction) > ic_tolerance_repetition.value);
            const ic_judged_value m = {same ? 1 : 0, 0, "the damping differs", IC_MISTAKE_MEMORY_NOT_RESET};
            ic_write_measured(writer, IC_CHECK_SOLVER_REPEATS, &m,
                              "results that are the same with another damping");
        }
        ic_solver_run_free(&distraction);
        ic_solver_run_free(&r);
        ic_solver_run_free(&second);
        const ic_judged_value unset = IC_JUDGED(by_bytes, ic_tolerance_repetition, IC_MISTAKE_UNSET_MEMORY);
        if (by_bytes > ic_tolerance_repetition.value || ic_heap_is_of_glibc())
            ic_write_measured(writer, IC_CHECK_SOLVER_UNSET, &unset,
                              "processes that differ only in the bytes 0x%x, 0x%x or 0x%x on heap and stack",
                              fillings[0], fillings[2], fillings[3]);
        else
            ic_write_open(writer, IC_CHECK_SOLVER_UNSET, by_bytes,
                          "the allocator of this process fills memory by itself: run the audit without it");
        add_repetition(writer, again, after_other, by_bytes > ic_tolerance_repetition.value);
        check_memory(writer, solver, problem);
    }
    ic_solver_run_free(&first);
}

void ic_audit_repeats(ic_finding_writer *writer, const ic_solver *solver)
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
    if (good) check_repeats(writer, solver, &setups[0].problem, &setups[1].problem);
    for (size_t i = 0; i < 2; i++) ic_setup_close(&setups[i]);
}
