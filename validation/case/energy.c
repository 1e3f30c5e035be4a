/* SPDX-License-Identifier: MIT */
/**
 * d(stored)/dt = supplied - dissipated along the flow, at states of the run: some balances hold
 * only at states that can be reached. Jumps may create energy (condition B of the roller does at
 * each onset of contact), and cases do not declare which: those jumps are reported.
 */
#include "validation/case/judge.h"

#include <math.h>

/*
 * A derivative with a larger error, relative to the greatest power, is ignored: the energy has a
 * kink.
 */
#define DECIDES 1e-3

typedef struct power_balance {
    double rate, error, power, size;
} power_balance;

static power_balance balance_at(const ic_judge *judge, const ic_mode *mode, const ic_point *at)
{
    const double *par = judge->problem->par;
    const double supplied = mode->supplied_power(at->t, at->x, par);
    const double dissipated = mode->dissipated_power(at->t, at->x, par);
    const double energy = mode->stored_energy(at->t, at->x, par);
    const ic_slope slope = ic_slope_along(judge, mode, mode->stored_energy, at);
    return (power_balance){slope.value, slope.error, supplied - dissipated,
                           fabs(energy) / judge->time_scale + fabs(supplied) + fabs(dissipated)};
}

static bool judge_mode(ic_judge *judge, const ic_mode *mode, int number)
{
    const ic_place place = {.mode = mode};
    ic_point at;
    double size = 0;
    for (size_t k = 0; ic_point_seen(judge, number, k, &at); k++) {
        const power_balance b = balance_at(judge, mode, &at);
        ic_meet(judge->modes_met, mode);
        if (isfinite(b.size)) size = fmax(size, b.size);
    }
    for (size_t k = 0; ic_point_seen(judge, number, k, &at); k++) {
        if (!ic_point_project(judge, mode, NULL, &at)) continue;
        const power_balance b = balance_at(judge, mode, &at);
        if (isfinite(b.size) && !(b.error <= DECIDES * size)) continue;
        if (!ic_judge_equal(judge, &place, &at, "stored energy changes by supplied minus dissipated energy",
                            "rate of the stored energy", b.rate, "supplied minus dissipated power", b.power,
                            ic_tolerance_case_rate.value * size + 4 * b.error))
            return false;
    }
    return true;
}

static const ic_guard *guard_of(const ic_mode *mode, const char *name)
{
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (mode->guards[i].name == name) return &mode->guards[i];
    }
    return NULL;
}

static bool judge_jumps(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    for (size_t i = 0; judge->seen != NULL && i < ic_log_event_count(judge->seen); i++) {
        const ic_event event = ic_log_event_at(judge->seen, i);
        const ic_mode *before = &variant->modes[event.mode_from], *after = &variant->modes[event.mode_to];
        const ic_place place = {before, guard_of(before, event.name), NULL};
        char where[160];
        if (before->stored_energy == NULL || after->stored_energy == NULL) continue;
        const double had = before->stored_energy(event.t, event.x_pre, judge->problem->par);
        const double has = after->stored_energy(event.t, event.x_post, judge->problem->par);
        judge->comparisons++;
        if (!isfinite(had) || !isfinite(has))
            return ic_contradicts(judge, &place, NULL, "stored energy is a number on both sides of its jump",
                                  "%.9g J before, %.9g J after, at t = %.9g s", had, has, event.t);
        if (!(has - had > ic_tolerance_case_energy_given.value * (fabs(has) + fabs(had)))) continue;
        ic_place_write(where, sizeof where, judge, &place);
        ic_remark(judge->gains, judge->gains_size, where);
    }
    return true;
}

bool ic_judge_energy(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        const ic_mode *mode = &variant->modes[m];
        /* a terminal mode's flow is never followed */
        if (mode->stored_energy == NULL || mode->terminal) continue;
        if (mode->supplied_power == NULL || mode->dissipated_power == NULL)
            return ic_contradicts(judge, &(const ic_place){.mode = mode}, NULL,
                                  "its energy balance is complete",
                                  "stored energy without supplied and dissipated power");
        if (!judge_mode(judge, mode, (int)m)) return false;
    }
    return judge_jumps(judge);
}
