/* SPDX-License-Identifier: MIT */
#include "audit/solver/check_traps.h"
#include "audit/common/plugin_checks.h"
#include "audit/solver/trap_run.h"
#include "registry/registry.h"

#include <math.h>
#include <stdio.h>

/* A time is a whole number of steps if it is one to within this part of a step. */
#define WHOLE_STEP 1e-6
/* An answer that is wrong by less than this many tolerances is inaccurate, and says nothing of how
   events are handled. */
#define MISTAKE 10.0
/* Of states and of the run: events cannot be told where so large an error is allowed. */
#define HIDES 1e-3

/* ---- the mistake */

static bool is_whole(double steps)
{
    return fabs(steps - round(steps)) <= WHOLE_STEP && steps > 0.5;
}

/* Late, by a step at most, and where a step ends: counted from the start or from the event before.
 */
static bool is_at_end_of_step(const ic_trap_outcome *o)
{
    const double late = o->t_wrong - o->t_right;
    return o->step > 0 && late > 0 && late <= o->step * (1 + WHOLE_STEP) &&
           (is_whole(o->t_wrong / o->step) || is_whole((o->t_wrong - o->t_last) / o->step));
}

static bool is_below_floor(const ic_trap *trap, const ic_trap_outcome *o)
{
    return trap->floor && o->first_state < -fmax(o->end_tolerance, 1e-6);
}

static ic_mistake_id most_likely(const ic_trap *trap, const ic_trap_outcome *o)
{
    switch (o->symptom) {
    case IC_SYMPTOM_WORK: return IC_MISTAKE_HANGS;
    case IC_SYMPTOM_AGAIN: return IC_MISTAKE_FIRED_AGAIN;
    case IC_SYMPTOM_TIME:
        return fabs(o->t_wrong - o->t_right) <= o->step ? IC_MISTAKE_LINEAR_EVENT_LOCATION : IC_NO_MISTAKE;
    case IC_SYMPTOM_MISSING: return is_below_floor(trap, o) ? IC_MISTAKE_FALLS_THROUGH : IC_MISTAKE_EVENT_LOST;
    case IC_SYMPTOM_END: return is_below_floor(trap, o) ? IC_MISTAKE_FALLS_THROUGH : IC_NO_MISTAKE;
    case IC_SYMPTOM_STATUS: return o->status == IC_NOT_FINITE ? IC_MISTAKE_NOT_FINITE : IC_NO_MISTAKE;
    case IC_SYMPTOM_NONE:
    case IC_SYMPTOM_EXTRA:
    case IC_SYMPTOM_COUNT: break;
    }
    return IC_NO_MISTAKE;
}

/* Times or an end that are off by some tolerances only. */
static bool is_merely_inaccurate(const ic_trap_outcome *o)
{
    if (o->symptom != IC_SYMPTOM_TIME && o->symptom != IC_SYMPTOM_END) return false;
    return o->time_error <= MISTAKE * o->time_tolerance && o->end_error <= MISTAKE * o->end_tolerance;
}

static ic_mistake_id cause_of(const ic_trap *trap, const ic_trap_outcome *o)
{
    if (is_merely_inaccurate(o)) return IC_NO_MISTAKE;
    if (o->symptom == IC_SYMPTOM_TIME && o->kind == IC_EVENT_TIME) return IC_MISTAKE_TIME_EVENT_LATE;
    if (o->symptom == IC_SYMPTOM_TIME && is_at_end_of_step(o)) return IC_MISTAKE_NO_EVENT_LOCATION;
    if (trap->mistakes[o->symptom] != IC_NO_MISTAKE) return trap->mistakes[o->symptom];
    return most_likely(trap, o);
}

/* ---- the number */

static void measure_time(ic_finding *f, const ic_trap_outcome *o)
{
    f->measured = o->time_error;
    f->tolerance = o->time_tolerance;
    f->unit = "s";
    snprintf(f->origin, sizeof f->origin,
             "what is asked of the solver's steps, the width of location for each event, and "
             "rounding, times the trap's sensitivity in time");
}

static void measure_end(ic_finding *f, const ic_trap_outcome *o)
{
    f->measured = o->end_error;
    f->tolerance = o->end_tolerance;
    f->unit = "1";
    snprintf(f->origin, sizeof f->origin,
             "what is asked of the solver's steps, the width of location for each event, and "
             "rounding, times the trap's sensitivity in scales of the states");
}

static void measure(ic_finding *f, const ic_trap_outcome *o)
{
    const bool end_is_worse = o->end_error * o->time_tolerance >= o->time_error * o->end_tolerance;
    f->measured = f->tolerance = NAN;
    f->unit = "";
    switch (o->symptom) {
    case IC_SYMPTOM_STATUS:
    case IC_SYMPTOM_WORK:
    case IC_SYMPTOM_COUNT: break;
    case IC_SYMPTOM_AGAIN:
    case IC_SYMPTOM_MISSING:
    case IC_SYMPTOM_EXTRA:
        f->measured = (double)(o->missing + o->extra);
        f->tolerance = 0;
        f->unit = "events";
        snprintf(f->origin, sizeof f->origin, "events are there or not");
        break;
    case IC_SYMPTOM_TIME: measure_time(f, o); break;
    case IC_SYMPTOM_END: measure_end(f, o); break;
    case IC_SYMPTOM_NONE:
        if (end_is_worse) measure_end(f, o);
        else measure_time(f, o);
        break;
    }
}

/* ---- the verdict */

bool ic_trap_is_excused(const ic_trap *trap, const ic_solver *solver)
{
    return solver->steps_over_events || (solver->clauses_not_kept & trap->clauses) != 0;
}

/* Why a failure is not held against the solver; NULL: it is. */
static const char *not_claimed(const ic_trap *trap, const ic_solver *solver)
{
    if (!ic_trap_is_excused(trap, solver)) return NULL;
    return solver->steps_over_events ? "; the solver says that it steps over events"
                                     : "; the solver says that it does not keep this clause";
}

/* Whether the errors of a method of order 1 are so large that the answer drowns in them. */
static bool is_hidden(const ic_solver *solver, const ic_trap_outcome *o)
{
    if (solver->control != IC_CONTROL_STEP || solver->order > 1) return false;
    return o->end_tolerance >= HIDES || o->time_tolerance >= HIDES * o->t_end;
}

static void judge(ic_finding *f, const ic_trap *trap, const ic_solver *solver, const ic_trap_outcome *o)
{
    const char *excuse = not_claimed(trap, solver);
    measure(f, o);
    if (o->symptom == IC_SYMPTOM_NONE) {
        f->verdict = IC_FINDING_PASS;
        snprintf(f->detail, sizeof f->detail, "known from %.200s", trap->cites);
        return;
    }
    if (excuse == NULL && is_hidden(solver, o))
        excuse = "; the errors that the solver's order allows may be the reason";
    f->verdict = excuse != NULL ? IC_FINDING_OPEN : IC_FINDING_FAIL;
    f->cause = o->end_misplaced ? IC_MISTAKE_END_WRONG : cause_of(trap, o);
    /* an event that is found twice has the same number twice: that is not the mistake */
    const bool counts_alone = o->log.cause == IC_MISTAKE_SEQUENCE_WRONG && f->cause != IC_NO_MISTAKE;
    if (o->log.cause != IC_NO_MISTAKE && !counts_alone) f->cause = o->log.cause;
    const size_t wrong = o->missing + o->extra;
    char counts[64] = "";
    if (wrong > 0) snprintf(counts, sizeof counts, " (%zu missing, %zu too many)", o->missing, o->extra);
    snprintf(f->detail, sizeof f->detail, "%s%s%s; known from %.96s", o->text, counts,
             excuse != NULL ? excuse : "", trap->cites);
}

/* A log that contradicts itself, though events and end are right. */
static void judge_log(ic_finding *f, const ic_trap_outcome *o)
{
    f->verdict = IC_FINDING_FAIL;
    f->cause = o->log.cause;
    f->measured = (double)o->log.wrong;
    f->tolerance = 0;
    f->unit = "1";
    snprintf(f->origin, sizeof f->origin, "each follows from the one before it");
    snprintf(f->detail, sizeof f->detail, "entries of the log; first %s", o->log.first);
}

/* The answer says nothing then. */
static void judge_damage(ic_finding *f, const ic_trap_outcome *o)
{
    f->verdict = IC_FINDING_FAIL;
    f->cause = IC_MISTAKE_WRITES_OUT_OF_BOUNDS;
    f->measured = (double)o->damage;
    f->tolerance = 0;
    f->unit = "1";
    snprintf(f->origin, sizeof f->origin, "none may change");
    snprintf(f->detail, sizeof f->detail, "bytes written of and around problem, parameters and options");
}

static void audit_run(ic_findings *findings, const ic_trap *trap, const ic_trap_run *run,
                      const ic_solver *solver, const ic_options *options, const char *path)
{
    ic_finding f = {.check = &ic_plugin_checks[IC_CHECK_SOLVER_TRAPS],
                    .verdict = IC_FINDING_OPEN,
                    .measured = NAN,
                    .tolerance = NAN,
                    .unit = ""};
    const ic_trap_outcome outcome = ic_trap_run_solver(trap, run, solver, options);
    snprintf(f.subject, sizeof f.subject, "%s", path);
    snprintf(f.place, sizeof f.place, "trap %.70s", path);
    if (outcome.damage > 0) judge_damage(&f, &outcome);
    else if (outcome.asked) judge(&f, trap, solver, &outcome);
    else snprintf(f.detail, sizeof f.detail, "%s", outcome.text);
    if (f.verdict == IC_FINDING_PASS && outcome.log.wrong > 0 && !ic_trap_is_excused(trap, solver))
        judge_log(&f, &outcome);
    ic_findings_add(findings, &f);
}

void ic_audit_traps(ic_findings *findings, const ic_solver *solver, const ic_options *options, const char *glob)
{
    for (size_t i = 0; i < ic_trap_count; i++) {
        const ic_trap *trap = ic_traps[i];
        for (size_t k = 0; k < trap->n_runs; k++) {
            char path[96];
            snprintf(path, sizeof path, "%s/%s", trap->name, trap->runs[k].preset);
            if (glob != NULL && !ic_glob(glob, trap->name) && !ic_glob(glob, path)) continue;
            audit_run(findings, trap, &trap->runs[k], solver, options, path);
        }
    }
}
