/* SPDX-License-Identifier: MIT */
#include "audit/solver/solver.h"

bool ic_may_claim(ic_mistake_id mistake, ic_wrong wrong)
{
    switch (mistake) {
    case IC_MISTAKE_ORDER_LOST: /* of steps: wrong from the start on, samples no more than the rest */
    case IC_MISTAKE_ERROR_ESTIMATE_WRONG:
    case IC_MISTAKE_TOLERANCE_OF_SOME:
    case IC_MISTAKE_TOLERANCE_IGNORED:
    case IC_MISTAKE_TOLERANCE_FLOOR:
    case IC_MISTAKE_STEPS_NOT_REJECTED:
    case IC_MISTAKE_SINGLE_PRECISION:
    case IC_MISTAKE_STALE_TIME:
    case IC_MISTAKE_NOT_REPEATABLE: return wrong != IC_WRONG_SAMPLES && wrong != IC_WRONG_STATES_BEFORE;
    case IC_MISTAKE_INTERPOLANT_COARSE: return wrong != IC_WRONG_STATUS;
    case IC_MISTAKE_NO_EVENT_LOCATION: /* of events: right up to the first one */
    case IC_MISTAKE_LINEAR_EVENT_LOCATION:
    case IC_MISTAKE_LOCATION_CUT_SHORT:
    case IC_MISTAKE_RESIDUAL_TOLERANCE:
    case IC_MISTAKE_ABSOLUTE_TIME:
    case IC_MISTAKE_LINEAR_STATE:
    case IC_MISTAKE_ENERGY_APPEARS:
    case IC_MISTAKE_FIRED_AGAIN: return wrong != IC_WRONG_BEFORE && wrong != IC_WRONG_SAMPLES;
    case IC_MISTAKE_STALE_SLOPE: /* of the steps after events */
    case IC_MISTAKE_JUMP_WRONG:
        return wrong != IC_WRONG_BEFORE && wrong != IC_WRONG_SAMPLES && wrong != IC_WRONG_STATES_BEFORE;
    case IC_MISTAKE_TERMINAL_IGNORED:
    case IC_MISTAKE_END_WRONG: return wrong == IC_WRONG_END;
    case IC_MISTAKE_DISABLED_FIRES: return wrong == IC_WRONG_EVENTS;
    case IC_MISTAKE_STATE_BEFORE: return wrong == IC_WRONG_STATES_BEFORE;
    default: return false;
    }
}

ic_mistake_id ic_known_claim(const ic_known *known, ic_wrong wrong)
{
    static const ic_known_role roles[] = {IC_KNOWN_EVENTS, IC_KNOWN_STEPS};
    for (size_t i = 0; i < IC_COUNT(roles); i++) {
        if (ic_may_claim(known->of[roles[i]], wrong)) return known->of[roles[i]];
    }
    return IC_NO_MISTAKE;
}

ic_mistake_id ic_known_first(const ic_known *known)
{
    return known->of[IC_KNOWN_EVENTS] != IC_NO_MISTAKE ? known->of[IC_KNOWN_EVENTS] : known->of[IC_KNOWN_STEPS];
}

void ic_write_known(ic_finding_writer *writer, const ic_known *known)
{
    for (unsigned role = 0; role < IC_KNOWN_ROLES; role++)
        ic_write_record(writer, IC_RECORD_MISTAKE, role * IC_MISTAKE_COUNT + known->of[role], "");
}

bool ic_known_take(ic_known *known, const ic_record *record)
{
    const unsigned role = record->number / IC_MISTAKE_COUNT;
    if (role >= IC_KNOWN_ROLES) return false;
    known->of[role] = (ic_mistake_id)(record->number % IC_MISTAKE_COUNT);
    return true;
}
