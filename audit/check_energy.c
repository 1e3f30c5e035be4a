/* SPDX-License-Identifier: MIT */
/* Energy that appears: stored less supplied plus dissipated, along the rows. */
#include "audit/checks.h"
#include "audit/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const ic_audit_check check = {
    .name = "energy",
    .what = "energy that nothing supplies, summed over the intervals",
    .why = "the integrator, or the contact, makes energy",
    .reference = "the case's energy balance: d stored/dt = supplied - dissipated",
};

/* Of the greatest less the least stored energy, for each typical time. */
#define ACCEPTED 1e-3
#define DEVIATIONS 5
#define OUTLIER 10 /* deviations */

/* Greatest less least; where energy is kept, a part of what it is. */
static double energy_range(const ic_tracking *k)
{
    double least = INFINITY, most = -INFINITY;
    for (size_t i = 0; i < k->n_intervals; i++) {
        double x[IC_MAX_STATES];
        const ic_interval *interval = &k->intervals[i];
        const ic_mode *mode = &k->problem->variant->modes[interval->mode];
        if (mode->stored_energy == NULL) return NAN;
        ic_interval_state(x, k, interval);
        const double e = mode->stored_energy(k->trajectory->t[interval->from], x, k->problem->par);
        least = fmin(least, e), most = fmax(most, e);
    }
    return fmax(most - least, ACCEPTED * fmax(fabs(most), fabs(least)));
}

static double gain_of(const ic_interval *interval)
{
    return isfinite(interval->energy_gain) ? interval->energy_gain : 0;
}

void ic_audit_energy(ic_findings *findings, const ic_tracking *k)
{
    const double range = energy_range(k);
    double *gains = malloc((k->n_intervals + 1) * sizeof *gains), sum = 0, time = 0, square = 0;
    if (gains == NULL || !isfinite(range)) {
        findings->no_memory |= gains == NULL;
        free(gains);
        return;
    }
    for (size_t i = 0; i < k->n_intervals; i++) {
        gains[i] = fabs(gain_of(&k->intervals[i]));
        time += k->trajectory->t[k->intervals[i].to] - k->trajectory->t[k->intervals[i].from];
    }
    const double scatter = ic_audit_median(gains, k->n_intervals) / 0.6745, n = (double)k->n_intervals;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        const double gain = gain_of(interval); /* a jump may take energy, and noise is no gain */
        sum += interval->due || interval->jumps ? fmax(0, gain - DEVIATIONS * scatter) : gain;
    }
    /* the noise of contact is more than that of flight; what stands out is no noise */
    for (size_t i = 0; i < k->n_intervals; i++)
        square += fmin(gains[i], OUTLIER * scatter) * fmin(gains[i], OUTLIER * scatter);
    free(gains);
    ic_finding f = ic_finding_of(&check, k, sum, ACCEPTED * range + DEVIATIONS * sqrt(square), "J");
    snprintf(f.origin, sizeof f.origin,
             "1e-3 of the range of the energy, %.3g J, + 5 deviations of %.0f intervals' noise", range, n);
    snprintf(f.detail, sizeof f.detail, "over %.3g s", time);
    for (size_t j = 0; j < k->trajectory->n_states && f.verdict == IC_FINDING_FAIL; j++) {
        if (k->trajectory->source[j] != IC_FROM_DIFFERENCES) continue;
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail,
                 "velocities by differences do not tell energies; columns with velocities would");
    }
    if (f.verdict == IC_FINDING_FAIL) f.cause = IC_MISTAKE_ENERGY_APPEARS;
    ic_findings_add(findings, &f);
}
