/* SPDX-License-Identifier: MIT */
#include "audit/solver/traps.h"

#include <math.h>
#include <stdio.h>

/* The first part that is a preset. */
enum { SWING, CONTRACT, FIRST_PRESET };

static size_t count_trap_runs(void)
{
    size_t count = 0;
    for (size_t i = 0; i < ic_trap_count; i++) count += ic_traps[i]->n_runs;
    return count;
}

/* The trap of a part, and the index of its run. */
static const ic_trap *find_trap(size_t part, size_t *run)
{
    size_t i = 0;
    for (*run = part; *run >= ic_traps[i]->n_runs; i++) *run -= ic_traps[i]->n_runs;
    return ic_traps[i];
}

static void write_trap_path(char *path, size_t size, size_t part)
{
    size_t run;
    const ic_trap *trap = find_trap(part, &run);
    snprintf(path, size, "%s/%s", trap->system->name, trap->runs[run].preset);
}

size_t ic_solver_part_count(void)
{
    return FIRST_PRESET + ic_audited_preset_count() + count_trap_runs() + 1;
}

void ic_solver_part_name(char *name, size_t size, size_t part)
{
    char path[IC_SUBJECT_LENGTH];
    const size_t presets = ic_audited_preset_count();
    if (part == SWING) snprintf(name, size, "swinging mass and wall");
    else if (part == CONTRACT) snprintf(name, size, "ball from a given start");
    else if (part < FIRST_PRESET + presets)
        snprintf(name, size, "%s", ic_audited_preset(part - FIRST_PRESET).text);
    else if (part + 1 == ic_solver_part_count()) snprintf(name, size, "%s, again", ic_repeated_preset().text);
    else {
        write_trap_path(path, sizeof path, part - FIRST_PRESET - presets);
        snprintf(name, size, "trap %s", path);
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
    if (ic_trap_is_excused(trap, solver)) ic_excuse_operation(writer);
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
        f.cause = ic_trap_cause(f.cause, &trap->runs[run], solver, &outcome, known);
    f.place[0] = '\0'; /* the place is that of the part */
    ic_write_finding(writer, IC_CHECK_SOLVER_TRAPS, &f);
}

void ic_audit_solver_part(ic_finding_writer *writer, const ic_solver *solver, size_t part, ic_known *known)
{
    const ic_mistake_id late = ic_known_first(known);
    const size_t presets = ic_audited_preset_count();
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
        ic_audit_location(writer, solver, known);
        return;
    }
    if (part == CONTRACT) {
        const ic_mistake_id found = ic_audit_contract(writer, solver, late);
        if (late == IC_NO_MISTAKE) known->of[IC_KNOWN_EVENTS] = found;
    } else if (part < FIRST_PRESET + presets) ic_audit_preset(writer, solver, part - FIRST_PRESET, known);
    else if (part + 1 == ic_solver_part_count()) ic_audit_repeats(writer, solver);
    else audit_trap(writer, solver, part - FIRST_PRESET - presets, known);
}
