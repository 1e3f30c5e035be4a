/* SPDX-License-Identifier: MIT */
#include "solvers/linear/phase_crossing.h"

#include <math.h>

bool ic_stretch_enabled(const ic_stretch *stretch, const ic_phase *phase, size_t i, double s)
{
    double x[IC_MAX_STATES];
    if (phase->mode->guards[i].enabled == NULL) return true;
    stretch->state(stretch->self, s, x);
    return ic_phase_enabled(phase, i, stretch->time(stretch->self, s), x);
}

static ic_status note_touch(const ic_stretch *stretch, const ic_phase *phase, size_t i,
                            ic_crossing_search *search)
{
    if (!search->grazes) return IC_OK;
    search->grazes = false;
    return ic_log_note(phase->log, IC_NOTE_GRAZING, stretch->time(stretch->self, search->grazes_at),
                       ic_phase_guard_name(phase, i));
}

ic_status ic_stretch_first_crossing(double *at, const ic_stretch *stretch, const ic_phase *phase, size_t i,
                                    ic_crossing_search *search)
{
    const int direction = ic_phase_direction(phase, i);
    *at = INFINITY;
    if (search->side == 0) { /* clause 2: judged by where it goes */
        ic_crossing_depart(search);
        if (search->side != 0 && search->side == direction && ic_stretch_enabled(stretch, phase, i, 0)) {
            *at = 0;
            return IC_OK;
        }
    }
    for (;;) {
        const ic_crossing crossing = ic_crossing_next(search);
        const ic_status status = note_touch(stretch, phase, i, search);
        if (status != IC_OK) return status;
        if (crossing == IC_CROSSING_NOT_FINITE) return IC_NOT_FINITE;
        if (crossing == IC_CROSSING_NONE) return IC_OK;
        if (ic_fires(direction, search->side) && ic_stretch_enabled(stretch, phase, i, search->from)) {
            *at = search->from;
            return IC_OK;
        }
    }
}
