/* SPDX-License-Identifier: MIT */
#include "audit/solver/traps.h"

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

ic_mistake_id ic_trap_cause(ic_mistake_id guessed, const ic_trap_run *run, const ic_solver *solver,
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
