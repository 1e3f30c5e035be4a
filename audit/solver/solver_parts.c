/* SPDX-License-Identifier: MIT */
#include "audit/solver/solver.h"
#include "audit/solver/traps.h"

#include <math.h>
#include <stdio.h>

/* ---- presets */

/* The trials of a case; without any, its first preset. */
static size_t list_trials(ic_trial *first, const ic_trial **trials, const ic_case *system)
{
    *first = (ic_trial){.preset = system->presets[0].name};
    *trials = system->trials != NULL ? system->trials : first;
    return system->trials != NULL ? system->n_trials : 1;
}

/*
 * Trial i of the repeated trials, or of the others; "" after the last. `count` receives the number
 * of trials before it.
 */
static ic_trial_path find_trial(size_t i, bool repeated, size_t *count)
{
    ic_trial_path path = {.text = ""};
    const ic_case *system;
    *count = 0;
    for (size_t c = 0; (system = ic_case_at(c)) != NULL; c++) {
        ic_trial first;
        const ic_trial *trials;
        const size_t n = list_trials(&first, &trials, system);
        for (size_t k = 0; k < n; k++) {
            if ((trials[k].again != NULL) != repeated || (*count)++ != i) continue;
            path.until = trials[k].until;
            path.again = trials[k].again;
            snprintf(path.text, sizeof path.text, "%s/%s", system->name, trials[k].preset);
            return path;
        }
    }
    return path;
}

/* Number of the runs that are compared with an accurate solver. */
static size_t count_presets(void)
{
    size_t count;
    find_trial((size_t)-1, false, &count);
    return count;
}

ic_trial_path ic_audited_preset(size_t i)
{
    size_t count;
    return find_trial(i, false, &count);
}

ic_trial_path ic_repeated_preset(void)
{
    size_t count;
    return find_trial(0, true, &count);
}

/* ---- causes of failures on traps */

/* Whether the mistake guessed from a trap may follow from the one known from other parts. */
static bool may_follow(ic_mistake_id guessed, ic_mistake_id known)
{
    if (known == IC_MISTAKE_ACCUMULATION_MISSED || known == IC_MISTAKE_ACCUMULATION_EARLY)
        return guessed == IC_MISTAKE_FALLS_THROUGH || guessed == IC_MISTAKE_EVENT_LOST ||
               guessed == IC_MISTAKE_HANGS || guessed == IC_MISTAKE_FALSE_ALARM;
    switch (guessed) {
    case IC_NO_MISTAKE:
    case IC_MISTAKE_STATE_BEFORE: return false;
    case IC_MISTAKE_JUMP_WRONG: /* a jump of the logged state before, if that is wrong, differs */
        return known == IC_MISTAKE_END_WRONG || known == IC_MISTAKE_STATE_BEFORE;
    case IC_MISTAKE_CRASHES: /* These causes are certain. */
    case IC_MISTAKE_NOT_FINITE:
    case IC_MISTAKE_WRITES_OUT_OF_BOUNDS:
    case IC_MISTAKE_DISABLED_FIRES:
    case IC_MISTAKE_TERMINAL_IGNORED:
    case IC_MISTAKE_SEQUENCE_WRONG: return known == IC_MISTAKE_END_WRONG || known == IC_MISTAKE_JUMP_WRONG;
    default:
        return ic_solver_explains_others(known) || known == IC_MISTAKE_END_WRONG ||
               known == IC_MISTAKE_JUMP_WRONG;
    }
}

static ic_mistake_id choose_cause(ic_mistake_id guessed, const ic_known *known)
{
    const ic_mistake_id first = ic_known_first(known);
    const ic_mistake_id direction = known->of[IC_KNOWN_DIRECTION];
    if (guessed == IC_MISTAKE_DIRECTION_IGNORED && direction == guessed) return guessed;
    if (guessed == IC_MISTAKE_TOUCH_FIRES && direction != IC_NO_MISTAKE)
        return direction; /* left the other way */
    if (may_follow(guessed, first)) return first;
    if (guessed == IC_NO_MISTAKE || guessed == IC_MISTAKE_LINEAR_EVENT_LOCATION)
        return ic_may_claim(first, IC_WRONG_AFTER) ? first : known->of[IC_KNOWN_INTERPOLANT];
    return guessed == IC_MISTAKE_NO_EVENT_LOCATION && first != IC_NO_MISTAKE ? first : guessed;
}

/* Whether it makes steps too long, or too many, and does nothing else. */
static bool chooses_steps(ic_mistake_id mistake)
{
    return mistake == IC_MISTAKE_TOLERANCE_OF_SOME || mistake == IC_MISTAKE_STEPS_NOT_REJECTED ||
           mistake == IC_MISTAKE_TOLERANCE_IGNORED || mistake == IC_MISTAKE_TOLERANCE_FLOOR ||
           mistake == IC_MISTAKE_ERROR_ESTIMATE_WRONG;
}

/*
 * Whether a solver with this known mistake alone could fail the run as it did.
 */
static bool could_fail(ic_mistake_id mistake, const ic_trap_run *run, const ic_solver *solver,
                       const ic_trap_outcome *o)
{
    const bool ends = o->symptom != IC_SYMPTOM_STATUS && o->symptom != IC_SYMPTOM_WORK;
    const bool exact = run->exact_from > 0 && solver->order >= run->exact_from;
    /* straight lines through a value that is not a number meet zero nowhere */
    const bool by_lines =
        mistake == IC_MISTAKE_LINEAR_EVENT_LOCATION || mistake == IC_MISTAKE_LOCATION_CUT_SHORT;
    if (o->before_clock) return false;
    if (ends && exact && chooses_steps(mistake)) return false;
    return !o->first_lost || by_lines || ic_may_claim(mistake, IC_WRONG_BEFORE);
}

/*
 * The mistake that is guessed from the run, or one known from other parts of the audit, if a solver with that mistake
 * alone could fail there as it did.
 */
static ic_mistake_id cause_on_trap(ic_mistake_id guessed, const ic_trap_run *run, const ic_solver *solver,
                                   const ic_trap_outcome *outcome, const ic_known *known)
{
    const ic_mistake_id first = ic_known_first(known);
    ic_known able = *known;
    const bool could = could_fail(first, run, solver, outcome);
    for (unsigned role = 0; role < IC_KNOWN_ROLES && !could; role++) {
        if (role != IC_KNOWN_DIRECTION && able.of[role] == first) able.of[role] = IC_NO_MISTAKE;
    }
    return choose_cause(guessed, &able);
}

/* The first part that is a preset. */
enum { SWING, CONTRACT, FIRST_PRESET };

/* The trap of a part, and the index of its run. */
static const ic_trap *find_trap(size_t part, size_t *run)
{
    size_t i = 0;
    for (*run = part; *run >= ic_traps[i]->n_runs; i++) *run -= ic_traps[i]->n_runs;
    return ic_traps[i];
}

size_t ic_solver_part_count(void)
{
    size_t trap_runs = 0;
    for (size_t i = 0; i < ic_trap_count; i++) trap_runs += ic_traps[i]->n_runs;
    return FIRST_PRESET + count_presets() + trap_runs + 1;
}

void ic_solver_part_name(char *name, size_t size, size_t part)
{
    const size_t presets = count_presets();
    if (part == SWING) snprintf(name, size, "swinging mass and wall");
    else if (part == CONTRACT) snprintf(name, size, "ball from a given start");
    else if (part < FIRST_PRESET + presets)
        snprintf(name, size, "%s", ic_audited_preset(part - FIRST_PRESET).text);
    else if (part + 1 == ic_solver_part_count()) snprintf(name, size, "%s, again", ic_repeated_preset().text);
    else {
        size_t run;
        const ic_trap *trap = find_trap(part - FIRST_PRESET - presets, &run);
        snprintf(name, size, "trap %s/%s", trap->system->name, trap->runs[run].preset);
    }
}

/* Every solver takes this many steps in a few seconds. More may take longer than the time of a
   part, which is not a mistake. */
#define MANY_STEPS 1e6

/* Factor of the usual step, so that events at round times do not fall on ends of steps. */
#define ODD 1.0863

static bool takes_long(const ic_trap_run *run, const ic_solver *solver)
{
    if (solver->control != IC_CONTROL_STEP || !(run->step > 0) || run->n_events == 0) return false;
    return ic_trap_event_at(run, run->n_events - 1).t / run->step > MANY_STEPS;
}

static void audit_trap(ic_finding_writer *writer, const ic_solver *solver, size_t part, const ic_known *known)
{
    size_t run;
    const ic_trap *trap = find_trap(part, &run);
    if (takes_long(&trap->runs[run], solver)) {
        ic_write_open(writer, IC_CHECK_SOLVER_TRAPS, NAN, "it would take more than %g fixed steps", MANY_STEPS);
        return;
    }
    if (ic_trap_is_excused(trap, solver)) ic_write_record(writer, IC_RECORD_EXCUSED, 0, "");
    const ic_mistake_id late = ic_known_first(known);
    const bool odd = solver->control == IC_CONTROL_STEP && !(trap->runs[run].step > 0);
    const ic_options options = {.step = odd ? ODD * ic_trap_usual_step(trap, &trap->runs[run]) : 0,
                                .max_steps = ic_steps_are_too_short(solver, late) ? IC_ENOUGH_STEPS : 0};
    const bool clock_alone =
        trap->runs[run].n_events == 1 && ic_trap_event_at(&trap->runs[run], 0).kind == IC_EVENT_TIME;
    ic_trap_outcome outcome;
    ic_finding f = ic_audit_trap_run(trap, &trap->runs[run], solver, &options, &outcome);
    /* a time event without guards is late whatever is wrong with their location */
    const bool own = clock_alone && f.cause == IC_MISTAKE_TIME_EVENT_LATE &&
                     late != IC_MISTAKE_SINGLE_PRECISION && late != IC_MISTAKE_END_WRONG;
    if (f.verdict != IC_FINDING_PASS && !own)
        f.cause = cause_on_trap(f.cause, &trap->runs[run], solver, &outcome, known);
    f.place[0] = '\0'; /* the place is that of the part */
    ic_write_finding(writer, IC_CHECK_SOLVER_TRAPS, &f);
}

void ic_audit_solver_part(ic_finding_writer *writer, const ic_solver *solver, size_t part, ic_known *known)
{
    const ic_mistake_id late = ic_known_first(known);
    const size_t presets = count_presets();
    char name[IC_SUBJECT_LENGTH];
    ic_solver_part_name(name, sizeof name, part);
    ic_announce_operation(writer, name);
    ic_writer_set_place(writer, "%s", name);
    const bool steps = (solver->needs & IC_NEEDS_STOPS_VIEW) != 0;
    if (solver->variant != NULL || (solver->needs & IC_NEEDS_IMPACT_VIEW) != 0 || steps) {
        if (part == SWING)
            ic_write_open(
                writer, IC_CHECK_SOLVER_STATUS, NAN,
                steps ? "time stepping with impulses locates no event, and is judged by verify"
                      : "the solver is made for one variant of a case; its impact map is audited by itself");
        return;
    }
    /* one row names what spoils all others */
    const bool last = part + 1 == ic_solver_part_count();
    const bool no_end = late == IC_MISTAKE_END_WRONG && !ic_solver_reports_end(solver);
    if (no_end || (late == IC_MISTAKE_NOT_REPEATABLE && !last)) {
        ic_write_open(writer, IC_CHECK_SOLVER_STATUS, NAN, no_end ? "runs have no end" : "runs do not repeat");
        return;
    }
    if (part == SWING) {
        known->of[IC_KNOWN_EVENTS] = ic_audit_location(writer, solver, known);
        return;
    }
    if (part == CONTRACT) {
        const ic_mistake_id found = ic_audit_contract(writer, solver, late);
        if (late == IC_NO_MISTAKE) known->of[IC_KNOWN_EVENTS] = found;
    } else if (part < FIRST_PRESET + presets) ic_audit_preset(writer, solver, part - FIRST_PRESET, known);
    else if (part + 1 == ic_solver_part_count()) ic_audit_repeats(writer, solver);
    else audit_trap(writer, solver, part - FIRST_PRESET - presets, known);
}
