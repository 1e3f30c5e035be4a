/* SPDX-License-Identifier: MIT */
#include "audit/solver/traps.h"
#include "registry/registry.h"
#include "validation/workers.h"

#include <math.h>
#include <stdio.h>

#define IC_TRAP(name_) extern const ic_trap ic_trap_##name_;
#include "audit/traps/traps.def"

const ic_trap *const ic_traps[] = {
#define IC_TRAP(name_) &ic_trap_##name_,
#include "audit/traps/traps.def"
};
const size_t ic_trap_count = IC_COUNT(ic_traps);

ic_trap_event ic_trap_event_at(const ic_trap_run *run, size_t i)
{
    return run->event != NULL ? run->event(i) : run->events[i];
}

/* Accepted part of a step in a whole number of steps. */
#define WHOLE_STEP 1e-6
/* A result with an error below this many tolerances is merely inaccurate. */
#define MISTAKE 10.0
/* Part of a state's scale and of the run: tolerances above it hide the events. */
#define HIDES 1e-3

/* ---- the mistake */

static bool is_whole(double steps)
{
    return fabs(steps - round(steps)) <= WHOLE_STEP && steps > 0.5;
}

/* Whether the event is late by a step at most, at an end of a step counted from the start or
   from the event before. */
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

static ic_mistake_id guess_cause(const ic_trap *trap, const ic_trap_outcome *o)
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

static ic_mistake_id find_cause(const ic_trap *trap, const ic_trap_outcome *o)
{
    if (ic_trap_is_inaccurate(o, MISTAKE) || o->stopped_before) return IC_NO_MISTAKE;
    if (o->reversed && o->log.cause != IC_MISTAKE_STATE_BEFORE) return IC_MISTAKE_DIRECTION_IGNORED;
    if (o->not_finite > 0) return IC_MISTAKE_NOT_FINITE;
    if (o->symptom == IC_SYMPTOM_TIME && o->kind == IC_EVENT_TIME) return IC_MISTAKE_TIME_EVENT_LATE;
    if (o->symptom == IC_SYMPTOM_TIME && is_at_end_of_step(o)) return IC_MISTAKE_NO_EVENT_LOCATION;
    if (trap->mistakes[o->symptom] != IC_NO_MISTAKE) return trap->mistakes[o->symptom];
    return guess_cause(trap, o);
}

/* ---- the measured value */

static void set_measured(ic_finding *f, double measured, double tolerance, const char *unit, const char *origin)
{
    f->measured = measured;
    f->tolerance = tolerance;
    f->unit = unit;
    snprintf(f->origin, sizeof f->origin, "%s", origin);
}

static void set_error(ic_finding *f, const ic_trap_outcome *o, bool of_end)
{
    set_measured(f, of_end ? o->end_error : o->time_error, of_end ? o->end_tolerance : o->time_tolerance,
                 of_end ? "1" : "s", "");
    snprintf(f->origin, sizeof f->origin,
             "requested error of the solver's steps, width of location for each event, and rounding, times the "
             "trap's sensitivity in %s",
             of_end ? "scales of the states" : "time");
}

static void set_value(ic_finding *f, const ic_trap_outcome *o)
{
    switch (o->symptom) {
    case IC_SYMPTOM_STATUS:
    case IC_SYMPTOM_WORK:
    case IC_SYMPTOM_COUNT: set_measured(f, NAN, NAN, "", ""); break;
    case IC_SYMPTOM_AGAIN:
    case IC_SYMPTOM_MISSING:
    case IC_SYMPTOM_EXTRA:
        set_measured(f, (double)(o->missing + o->extra), 0, "events", "all events, and no others");
        break;
    case IC_SYMPTOM_TIME: set_error(f, o, false); break;
    case IC_SYMPTOM_END: set_error(f, o, true); break;
    case IC_SYMPTOM_NONE:
        set_error(f, o, o->end_error * o->time_tolerance >= o->time_error * o->end_tolerance);
        break;
    }
}

/* ---- the verdict */

bool ic_trap_is_excused(const ic_trap *trap, const ic_solver *solver)
{
    return solver->steps_over_events || (solver->clauses_not_kept & trap->clauses) != 0;
}

/* Whether the accepted errors of a method of order 1 are so large that they hide the result. */
static bool is_hidden(const ic_solver *solver, const ic_trap_outcome *o)
{
    if (solver->control != IC_CONTROL_STEP || solver->order > 1) return false;
    return o->end_tolerance >= HIDES || o->time_tolerance >= HIDES * o->t_end;
}

/* "; the solver declares that it does not keep clause 3 of the event contract" */
static void name_clauses(char *text, size_t size, unsigned clauses)
{
    int first = 1;
    while (first < IC_CLAUSES && (clauses & IC_CLAUSE(first)) == 0) first++;
    snprintf(text, size, "; the solver declares that it does not keep clause %d of the event contract", first);
}

static void judge_outcome(ic_finding *f, const ic_trap *trap, const ic_solver *solver, const ic_trap_outcome *o)
{
    char clauses[96];
    name_clauses(clauses, sizeof clauses, trap->clauses & solver->clauses_not_kept);
    const char *excuse = !ic_trap_is_excused(trap, solver) ? NULL
                         : solver->steps_over_events       ? "; the solver declares that it steps over events"
                                                           : clauses;
    set_value(f, o);
    if (o->symptom == IC_SYMPTOM_NONE) {
        f->verdict = IC_FINDING_PASS;
        snprintf(f->detail, sizeof f->detail, "known from %.500s", trap->cites);
        return;
    }
    if (excuse == NULL && o->symptom == IC_SYMPTOM_WORK && o->extra == 0 &&
        ic_solver_may_need_more_steps(solver))
        excuse = "; at its order the limit on steps is too low to tell";
    if (excuse == NULL && is_hidden(solver, o))
        excuse = "; the reason may be errors that the solver's order permits";
    if (excuse == NULL && o->falls) excuse = "; the error falls with the tolerance or the step as it should";
    if (excuse == NULL && o->rounded) excuse = "; the rounding of the steps makes a dip of a touch";
    f->verdict = excuse != NULL ? IC_FINDING_OPEN : IC_FINDING_FAIL;
    f->cause = o->end_misplaced ? IC_MISTAKE_END_WRONG : find_cause(trap, o);
    /*
     * An event that is found twice has the same sequence number twice, which is not a separate
     * mistake. A wrong state before events moves none.
     */
    const bool counts_alone =
        (o->log.cause == IC_MISTAKE_SEQUENCE_WRONG || o->log.cause == IC_MISTAKE_STATE_BEFORE) &&
        f->cause != IC_NO_MISTAKE;
    if (o->log.cause != IC_NO_MISTAKE && !counts_alone) f->cause = o->log.cause;
    /* that errors fall, or are rounding, excludes a mistake of events */
    if (o->falls || o->rounded) f->cause = IC_NO_MISTAKE;
    const bool shorter = o->symptom == IC_SYMPTOM_TIME && o->t_wrong < o->t_right;
    if (f->cause == IC_MISTAKE_ENERGY_APPEARS && shorter)
        f->cause = IC_NO_MISTAKE; /* a flight with more energy is longer */
    const size_t wrong = o->missing + o->extra;
    char counts[64] = "";
    if (wrong > 0) snprintf(counts, sizeof counts, " (%zu missing, %zu additional)", o->missing, o->extra);
    snprintf(f->detail, sizeof f->detail, "%s%s%s; known from %.500s", o->text, counts,
             excuse != NULL ? excuse : "", trap->cites);
}

ic_finding ic_audit_trap_run(const ic_trap *trap, const ic_trap_run *run, const ic_solver *solver,
                             const ic_options *options, ic_trap_outcome *result)
{
    char path[96];
    snprintf(path, sizeof path, "%s/%s", trap->system->name, run->preset);
    ic_finding f = {.check = &ic_plugin_checks[IC_CHECK_SOLVER_TRAPS],
                    .verdict = IC_FINDING_OPEN,
                    .measured = NAN,
                    .tolerance = NAN,
                    .unit = ""};
    const ic_trap_outcome outcome = ic_trap_run_solver(trap, run, solver, options);
    snprintf(f.subject, sizeof f.subject, "%s", path);
    snprintf(f.place, sizeof f.place, "trap %.70s", path);
    if (outcome.damage > 0) { /* then the result means nothing */
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_WRITES_OUT_OF_BOUNDS;
        set_measured(&f, (double)outcome.damage, 0, "1", "none may change");
        snprintf(f.detail, sizeof f.detail, "bytes written in and around problem, parameters and options");
    } else if (outcome.asked) judge_outcome(&f, trap, solver, &outcome);
    else snprintf(f.detail, sizeof f.detail, "%s", outcome.text);
    /* a log that contradicts the model, though events and end are right */
    if (f.verdict == IC_FINDING_PASS && outcome.log.wrong > 0 && !ic_trap_is_excused(trap, solver)) {
        f.verdict = IC_FINDING_FAIL;
        f.cause = outcome.log.cause;
        set_measured(&f, (double)outcome.log.wrong, 0, "1", "each entry must follow from the one before it");
        snprintf(f.detail, sizeof f.detail, "entries of the log; first %s", outcome.log.first);
    }
    *result = outcome;
    return f;
}

/* ---- all runs */

typedef struct trap_choice {
    const ic_trap *trap;
    const ic_trap_run *run;
    char path[96];
} trap_choice;

/* Run number `n` of those that match. false: there are fewer. */
static bool choose_run(trap_choice *chosen, const char *glob, size_t n)
{
    for (size_t i = 0; i < ic_trap_count; i++) {
        const ic_trap *trap = chosen->trap = ic_traps[i];
        for (size_t k = 0; k < trap->n_runs; k++) {
            chosen->run = &trap->runs[k];
            snprintf(chosen->path, sizeof chosen->path, "%s/%s", trap->system->name, chosen->run->preset);
            if (glob != NULL && !ic_glob(glob, trap->system->name) && !ic_glob(glob, chosen->path)) continue;
            if (n-- == 0) return true;
        }
    }
    return false;
}

void ic_audit_traps(ic_findings *findings, const ic_solver *solver, const ic_options *options, const char *glob)
{
    trap_choice chosen;
    for (size_t n = 0; choose_run(&chosen, glob, n); n++) {
        ic_trap_outcome outcome;
        const ic_finding f = ic_audit_trap_run(chosen.trap, chosen.run, solver, options, &outcome);
        ic_findings_add(findings, &f);
    }
}

/* ---- by several processes */

typedef struct traps_audit {
    ic_findings *findings;
    const ic_solver *solver;
    const ic_options *options;
    const char *glob;
    const ic_traps_work *work;

    /* "" or why there is no finding of a run */
    ic_error lost;
} traps_audit;

/* The names and units of a finding are constants of this program, which all processes have. */
static void do_run(FILE *answer, size_t part, void *context)
{
    const traps_audit *a = context;
    trap_choice chosen;
    ic_trap_outcome outcome;
    if (!choose_run(&chosen, a->glob, part)) return;
    const double began = ic_processor_time();
    const ic_finding f = ic_audit_trap_run(chosen.trap, chosen.run, a->solver, a->options, &outcome);
    const double seconds = ic_processor_time() - began;
    fwrite(&f, sizeof f, 1, answer);
    fwrite(&seconds, sizeof seconds, 1, answer);
}

static bool take_run(const char *answer, size_t size, size_t part, void *context)
{
    const traps_audit *a = context;
    ic_finding f;
    double seconds;
    (void)size, (void)part;
    memcpy(&f, answer, sizeof f);
    memcpy(&seconds, answer + sizeof f, sizeof seconds);
    ic_findings_add(a->findings, &f);
    if (a->work->watch != NULL) a->work->watch(f.subject, seconds, a->work->context);
    return true;
}

static bool lose_run(const char *how, size_t part, void *context)
{
    traps_audit *a = context;
    trap_choice chosen;
    if (choose_run(&chosen, a->glob, part))
        ic_error_set(&a->lost, "trap %s: the process that ran it %s", chosen.path, how);
    return false;
}

bool ic_audit_traps_distributed(ic_findings *findings, const ic_solver *solver, const ic_options *options,
                                const char *glob, const ic_traps_work *work, ic_error *error)
{
    traps_audit a = {.findings = findings, .solver = solver, .options = options, .glob = glob, .work = work};
    trap_choice chosen;
    ic_ordered_work ordered = {
        .jobs = work->jobs, .work = do_run, .take = take_run, .lost = lose_run, .context = &a};
    while (choose_run(&chosen, glob, ordered.parts)) ordered.parts++;
    const bool good = ic_workers_run_ordered(&ordered, error);
    if (a.lost.text[0] == '\0') return good;
    *error = a.lost;
    return false;
}
