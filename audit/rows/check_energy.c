/* SPDX-License-Identifier: MIT */
/* Energy that appears: stored less supplied plus dissipated, along the rows. */
#include "audit/rows/checks.h"
#include "audit/rows/noise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const ic_audit_check check = {
    .name = "energy",
    .what = "energy that nothing supplies, summed over the intervals",
    .why = "the integrator, or the contact, makes energy",
    .reference = "the case's energy balance: d stored/dt = supplied - dissipated",
    .needed = true,
};

/* Times what states are held to, of the greatest less the least stored energy: it has their squares, of several states. */
#define ACCEPTED 10
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
    return fmax(most - least, ACCEPTED * k->accept * fmax(fabs(most), fabs(least)));
}

/*
 * What deviations s of the states make of an interval's energy E: with E(x + n) - E(x) = E' n + E'' n^2/2, the gain has the deviation
 * |E' s| and, noise or not, the mean |E'' s^2|/2 at most. Where a force sets in E'' may be anything; both are had by differences over s.
 */
static void add_noise(double *square, double *mean, const ic_tracking *k, const ic_interval *interval)
{
    const ic_trajectory *tr = k->trajectory;
    const ic_mode *mode = &k->problem->variant->modes[interval->mode];
    const double t = tr->t[interval->from];
    double x[IC_MAX_STATES];
    ic_interval_state(x, k, interval);
    const double here = mode->stored_energy(t, x, k->problem->par);
    for (size_t j = 0; j < tr->n_states; j++) {
        const double middle = x[j], s = k->deviation[j];
        if (tr->source[j] == IC_FROM_TRACKING || s == 0) continue;
        x[j] = middle + s;
        const double up = mode->stored_energy(t, x, k->problem->par) - here;
        x[j] = middle - s;
        const double down = mode->stored_energy(t, x, k->problem->par) - here;
        x[j] = middle;
        *square += 0.25 * (up - down) * (up - down);
        *mean += 0.5 * fabs(up + down);
    }
}

/* Beside an event noise leaves the mode in doubt, and with it what is stored: as much as another mode would say. */
static double doubt_of_mode(const ic_tracking *k, const ic_interval *interval)
{
    const ic_variant *variant = k->problem->variant;
    const double t = k->trajectory->t[interval->from];
    const bool beside =
        interval->doubtful || interval->due || interval->jumps || interval->explanation == IC_ANOTHER_MODE;
    double x[IC_MAX_STATES], most = 0;
    if (!beside || !ic_noise_shows(k)) return 0;
    ic_interval_state(x, k, interval);
    const double here = variant->modes[interval->mode].stored_energy(t, x, k->problem->par);
    for (size_t m = 0; m < variant->n_modes; m++) {
        if (variant->modes[m].stored_energy == NULL) continue;
        most = fmax(most, fabs(variant->modes[m].stored_energy(t, x, k->problem->par) - here));
    }
    return most;
}

static double gain_of(const ic_interval *interval)
{
    return isfinite(interval->energy_gain) ? interval->energy_gain : 0;
}

void ic_audit_energy(ic_findings *findings, const ic_tracking *k)
{
    const double range = energy_range(k);
    double *gains = malloc((k->n_intervals + 1) * sizeof *gains), sum = 0, time = 0, square = 0, by_noise = 0,
           mean = 0;
    if (gains == NULL || !isfinite(range)) {
        findings->no_memory |= gains == NULL;
        free(gains);
        return;
    }
    for (size_t i = 0; i < k->n_intervals; i++) {
        gains[i] = fabs(gain_of(&k->intervals[i]));
        time += k->trajectory->t[k->intervals[i].to] - k->trajectory->t[k->intervals[i].from];
    }
    const double scatter = ic_audit_median(gains, k->n_intervals) / IC_NORMAL_MEDIAN,
                 n = (double)k->n_intervals;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        double own = 0, own_mean = 0;
        add_noise(&own, &own_mean, k, interval);
        own_mean += doubt_of_mode(k, interval);
        by_noise += own, mean += own_mean;
        const double gain = gain_of(interval), noise = DEVIATIONS * fmax(scatter, sqrt(own)) + own_mean;
        /* a jump may take energy, and noise is no gain */
        sum += interval->due || interval->jumps ? fmax(0, gain - noise) : gain;
    }
    /* the noise of contact is more than that of flight; what stands out is no noise */
    for (size_t i = 0; i < k->n_intervals; i++)
        square += fmin(gains[i], OUTLIER * scatter) * fmin(gains[i], OUTLIER * scatter);
    free(gains);
    ic_finding f = ic_finding_of(
        &check, k, sum, ACCEPTED * k->accept * range + DEVIATIONS * sqrt(fmax(square, by_noise)) + mean, "J");
    snprintf(f.origin, sizeof f.origin,
             "%g of the range of the energy, %.3g J, + 5 deviations and the mean of %.0f intervals' noise",
             ACCEPTED * k->accept, range, n);
    snprintf(f.detail, sizeof f.detail, "over %.3g s", time);
    if (f.verdict == IC_FINDING_PASS && f.tolerance > IC_NOISE_HIDES * range) {
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail,
                 "the noise makes %.3g of the range of the energy, %.3g J; less of it would tell",
                 f.tolerance / range, range);
    }
    if (f.verdict == IC_FINDING_FAIL && sum <= f.tolerance + mean) { /* which is known to a factor */
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail, "noise by itself makes about as much; less of it would tell");
    }
    for (size_t j = 0; j < k->trajectory->n_states && f.verdict == IC_FINDING_FAIL; j++) {
        if (k->trajectory->source[j] != IC_FROM_DIFFERENCES) continue;
        f.verdict = IC_FINDING_OPEN;
        snprintf(f.detail, sizeof f.detail,
                 "velocities by differences do not tell energies; columns with velocities would");
    }
    if (f.verdict == IC_FINDING_FAIL) f.cause = IC_MISTAKE_ENERGY_APPEARS;
    ic_findings_add(findings, &f);
}
