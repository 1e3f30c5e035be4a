/* SPDX-License-Identifier: MIT */
/*
 * The same problem with the same options is solved again and again in one process: at once, after another problem, and with memory
 * from the heap that holds other bytes. Its log must be the same each time. Between the runs the heap must not grow: what is allocated
 * once is a solver's own affair, what each run adds is lost.
 */
#include "audit/solver/check_repeats.h"
#include "audit/solver/solver_run.h"
#include "core/model.h"
#include "core/registry.h"
#include "validation/subjects.h"

#include <malloc.h>
#include <math.h>

/* Of times and states, by their scales: sums whose order is left to chance, as by threads, differ by rounding. */
#define SAME 1e-12
/* Little is asked of adaptive solvers: what steps depend on shows in the answer. */
#define ASKED_ERROR 1e-5
/* Bytes each run: the heap's own books grow by less. */
#define KEPT 512.0

enum { SAMPLES = 17, RUNS = 6 };

/* Bytes of fresh memory; 0: as it comes. */
static const int fillings[] = {0, 0x55, 0xaa};

const char ic_audited_again[] = "roller/III/C";

/* Bytes in use on the heap. */
static double in_use(void)
{
    const struct mallinfo2 heap = mallinfo2();
    return (double)heap.uordblks + (double)heap.hblkhd;
}

static ic_solver_run solved(const ic_solver *solver, const ic_problem *problem)
{
    ic_options options = ic_solver_asked(solver, ic_default_step(problem), 1);
    if (solver->control == IC_CONTROL_RTOL) options.rtol = ic_rtol_for(solver, ASKED_ERROR);
    options.samples = SAMPLES;
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
    const ic_measured m = {other > SAME ? 0 : 1, 0, "the damping is another one", IC_MISTAKE_MEMORY_NOT_RESET};
    ic_sink_measure(sink, IC_CHECK_SOLVER_REPEATS, &m, "whether another damping has the same answer");
}

static void tell_same(ic_sink *sink, double again, double refilled, double after_other)
{
    const ic_mistake_id cause =
        again > SAME || refilled > SAME ? IC_MISTAKE_NOT_REPEATABLE : IC_MISTAKE_MEMORY_NOT_RESET;
    const ic_measured m = {fmax(fmax(again, refilled), after_other), SAME, "rounding of sums in any order",
                           cause};
    ic_sink_measure(sink, IC_CHECK_SOLVER_REPEATS, &m,
                    "asked again %.3g, with other bytes in fresh memory %.3g, after another problem %.3g",
                    again, refilled, after_other);
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
    const ic_measured m = {fmax(least, 0), KEPT, "the heap's own books, in bytes", IC_MISTAKE_LEAKS};
    ic_sink_measure(sink, IC_CHECK_SOLVER_MEMORY, &m, "bytes that each of %d runs adds to the heap, at least",
                    RUNS);
}

static void check_repeats(ic_sink *sink, const ic_solver *solver, const ic_problem *problem,
                          const ic_problem *between)
{
    double again = 0, refilled = 0;
    ic_solver_run first = solved(solver, problem);
    if (first.log != NULL && first.status == IC_OK && first.damage == 0) {
        for (size_t i = 0; i < IC_COUNT(fillings); i++) {
            mallopt(M_PERTURB, fillings[i]);
            ic_solver_run r = solved(solver, problem);
            mallopt(M_PERTURB, 0);
            double *worst = fillings[i] == 0 ? &again : &refilled;
            if (r.log != NULL) *worst = fmax(*worst, difference(&first, &r));
            ic_solver_run_free(&r);
        }
        ic_solver_run distraction = solved(solver, between), r = solved(solver, problem);
        const double after_other = r.log != NULL ? difference(&first, &r) : 0;
        if (distraction.log != NULL) tell_other(sink, difference(&first, &distraction));
        ic_solver_run_free(&distraction);
        ic_solver_run_free(&r);
        tell_same(sink, again, refilled, after_other);
        check_memory(sink, solver, problem);
    }
    ic_solver_run_free(&first);
}

void ic_audit_repeats(ic_sink *sink, const ic_solver *solver)
{
    const char *const other[] = {"c=3e5"};
    const ic_request requests[] = {
        {.path = ic_audited_again, .until = "0.1"},
        {.path = ic_audited_again, .until = "0.1", .settings = other, .n_settings = 1}};
    ic_setup setups[2] = {0};
    ic_error error;
    bool good = true;
    for (size_t i = 0; i < 2 && good; i++)
        good = ic_setup_open(&setups[i], &requests[i], &error) && ic_solver_solves(solver, &setups[i].problem);
    if (good) check_repeats(sink, solver, &setups[0].problem, &setups[1].problem);
    for (size_t i = 0; i < 2; i++) ic_setup_close(&setups[i]);
}
