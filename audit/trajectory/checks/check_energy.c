/* SPDX-License-Identifier: MIT */
/*
 * Energy that appears without a source: stored minus supplied plus dissipated energy, along the
 * rows.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>

/* Uncertainty of the noise, as a factor. */
#define KNOWN 2
/* Part of a range from which on noise hides modes. */
#define LOUD 5e-4
/* Noise below this fraction of a state's range is rounding. */
#define LEAST_NOISE 1e-10

/* The first and the last 1/ENDS of the rows are the ends. */
enum { ENDS = 10 };

static double stored_energy_at(const ic_tracking *k, int mode, double t, const double *x)
{
    return k->problem->variant->modes[mode].stored_energy(t, x, k->problem->par);
}

/*
 * The range of the stored energy, or of its part by one state: what accuracy of the states means for an energy that is
 * kept, and only exchanged. NAN: a mode has no energy.
 */
static double energy_range(const ic_tracking *k)
{
    double least[IC_MAX_STATES + 1], most[IC_MAX_STATES + 1], x[IC_MAX_STATES], range = 0;
    const size_t n = k->trajectory->n_states;
    for (size_t j = 0; j <= n; j++) least[j] = INFINITY, most[j] = -INFINITY;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        const double t = k->trajectory->t[interval->from];
        if (k->problem->variant->modes[interval->mode].stored_energy == NULL) return NAN;
        for (size_t j = 0; j <= n; j++) {
            ic_interval_state(x, k, interval);
            double part = stored_energy_at(k, interval->mode, t, x);
            if (j < n && (ic_is_memory(k, j) || ic_is_whole(k, j, x[j]))) continue;
            if (j < n) x[j] = k->centre[j], part -= stored_energy_at(k, interval->mode, t, x);
            least[j] = fmin(least[j], part), most[j] = fmax(most[j], part);
        }
    }
    for (size_t j = 0; j <= n; j++) range = fmax(range, most[j] - least[j]);
    return range;
}

/* Variance of the stored energy at an interval's first row, J^2, caused by noise. */
static double row_variance(const ic_tracking *k, const ic_interval *interval)
{
    const ic_trajectory *tr = k->trajectory;
    const double t = tr->t[interval->from];
    double x[IC_MAX_STATES], sum = 0;
    ic_interval_state(x, k, interval);
    for (size_t j = 0; j < tr->n_states; j++) {
        const double middle = x[j], s = k->noise[j];
        if (tr->source[j] == IC_FROM_TRACKING || s == 0 || ic_is_whole(k, j, middle)) continue;
        x[j] = middle + s;
        const double up = stored_energy_at(k, interval->mode, t, x);
        x[j] = middle - s;
        const double down = stored_energy_at(k, interval->mode, t, x);
        x[j] = middle;
        sum += 0.25 * (up - down) * (up - down);
    }
    return sum;
}

/* Energy, J, that an interval loses from a start x. Supply and dissipation depend on x. */
static bool loss_from(double *loss, size_t *events, const ic_tracking *k, const ic_interval *interval,
                      const double *x)
{
    const double t0 = k->trajectory->t[interval->from], t1 = k->trajectory->t[interval->to];
    ic_prediction end;
    ic_predict(&end, &k->predictor, interval->explanation < IC_WITHOUT_EVENTS, t0, x, interval->mode, t1);
    if (!end.good || k->problem->variant->modes[end.mode].stored_energy == NULL) return false;
    *loss = stored_energy_at(k, interval->mode, t0, x) - stored_energy_at(k, end.mode, t1, end.x);
    *events = end.events;
    return true;
}

/*
 * Add the variance, J^2, and the mean, J, of the loss in an interval by the noise of its first row.
 * Adds nothing if the prediction fails.
 */
static void add_loss_noise(double *square, double *mean, const ic_tracking *k, const ic_interval *interval)
{
    const ic_trajectory *tr = k->trajectory;
    double x[IC_MAX_STATES], here = 0, up = 0, down = 0;
    size_t events = 0, more = 0, fewer = 0;
    ic_interval_state(x, k, interval);
    if (!loss_from(&here, &events, k, interval, x)) return;
    for (size_t j = 0; j < tr->n_states; j++) {
        const double middle = x[j], s = k->noise[j];
        if (tr->source[j] == IC_FROM_TRACKING || !(s > LEAST_NOISE * k->range[j])) continue;
        x[j] = middle + s;
        const bool rises = loss_from(&up, &more, k, interval, x);
        x[j] = middle - s;
        const bool falls = loss_from(&down, &fewer, k, interval, x);
        x[j] = middle;
        /* An event at the end of the interval that noise moves into the next one is not lost. */
        if (!rises || !falls || more != events || fewer != events) continue;
        *square += 0.25 * (up - down) * (up - down);
        *mean += 0.5 * (up + down - 2 * here);
    }
}

/*
 * Gains of energy, summed along the rows. The noise of a row enters the intervals before and after
 * it with opposite signs. The sum therefore contains only the noise of the first and last rows, and
 * the noise of the losses in between. Both ends are means over many rows.
 */
typedef struct energy_drift {
    /* Sum of gains up to the end of an interval, J. */
    double *level;

    /* Variance of its first row, J^2. */
    double *variance;

    /* J */
    double drift;

    /* Variance of the drift, J^2, caused by noise. */
    double square;

    /* Mean of the drift, J, caused by noise. */
    double mean;
} energy_drift;

/* Gain of energy in an interval. A jump may take less energy than that of the case. */
static double gain_of(const ic_interval *interval, double deviation)
{
    const double gain = isfinite(interval->energy_gain) ? interval->energy_gain : 0;
    return gain > ic_tolerance_noise.value * deviation ? fmax(0, gain - interval->energy_taken) : gain;
}

/*
 * Energy that all jumps together take less than those of the case, if each one is within the noise.
 */
static double less_taken(const energy_drift *b, const ic_tracking *k)
{
    double gain = 0, taken = 0, square = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        if (!ic_interval_has_event(interval)) continue;
        gain += b->level[i] - (i > 0 ? b->level[i - 1] : 0);
        taken += interval->energy_taken;
        square += 2 * b->variance[i];
    }
    return gain > ic_tolerance_noise.value * sqrt(square) ? fmin(gain, taken) : 0;
}

static void add_gains(energy_drift *b, const ic_tracking *k, double scatter)
{
    double sum = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        const ic_interval *interval = &k->intervals[i];
        b->variance[i] = fmax(row_variance(k, interval), 0.5 * scatter * scatter);
        b->level[i] = sum += gain_of(interval, sqrt(2 * b->variance[i]));
        /* Where the followed rows or the mode are interrupted, the noise does not cancel. */
        const bool goes_on = i == 0 || (interval->from == k->intervals[i - 1].to &&
                                        interval->mode == k->intervals[i - 1].end_mode);
        if (!goes_on) b->square += 2 * b->variance[i];
    }
}

/* Add losses of evenly chosen intervals with or without jumps, extrapolated to all. */
static void add_losses(energy_drift *b, const ic_tracking *k, bool jumps)
{
    enum { PREDICTIONS = 800 };
    size_t all = 0, seen = 0, count = 0;
    double square = 0, mean = 0;
    for (size_t i = 0; i < k->n_intervals; i++) all += ic_interval_has_event(&k->intervals[i]) == jumps;
    const size_t stride = all * k->trajectory->n_states / PREDICTIONS + 1;
    for (size_t i = 0; i < k->n_intervals; i++) {
        if (ic_interval_has_event(&k->intervals[i]) != jumps || seen++ % stride != 0) continue;
        add_loss_noise(&square, &mean, k, &k->intervals[i]);
        count++;
    }
    if (count == 0) return;
    b->square += square * (double)all / (double)count;
    b->mean += mean * (double)all / (double)count;
}

/* The drift from the mean of the first rows to that of the last. */
static void find_drift(energy_drift *b, const ic_tracking *k)
{
    const size_t n = k->n_intervals, part = n / ENDS + 1;
    for (size_t i = 0; i < part; i++) {
        b->drift += (b->level[n - 1 - i] - (i > 0 ? b->level[i - 1] : 0)) / (double)part;
        b->square += (b->variance[i] + b->variance[n - 1 - i]) / ((double)part * (double)part);
    }
    b->drift -= less_taken(b, k);
}

static void judge_drift(ic_finding *f, const ic_tracking *k, double range)
{
    if (f->verdict == IC_FINDING_PASS && f->tolerance > ic_tolerance_energy_hides.value * range) {
        ic_finding_leave_open(
            f,
            "the tolerance is %.3g of the range of the energy, %.3g J; less noise, or a smaller --accept, would decide",
            f->tolerance / range, range);
    }
    /*
     * Three things are unknown: the noise of a memory that is followed along noisy rows, what rounded times add to
     * losses, and what the modes take that loud noise hides.
     */
    const bool unknown = ic_remembers_contact(k) || ic_times_are_rounded(k) || ic_noise_exceeds(k, LOUD) ||
                         f->measured <= KNOWN * f->tolerance;
    if (f->verdict == IC_FINDING_FAIL && ic_noise_shows(k) && unknown) {
        ic_finding_leave_open(f, "noise alone contributes about as much; less noise would decide");
    }
    if (f->verdict == IC_FINDING_FAIL && ic_has_source(k, IC_FROM_DIFFERENCES))
        ic_finding_leave_open(
            f, "velocities from differences do not determine energies; columns with velocities would");
    if (f->verdict == IC_FINDING_FAIL) f->cause = IC_MISTAKE_ENERGY_APPEARS;
}

/* `others`: what all intervals together gain or lose, but for the one without an event that does most. */
static double typical_gain(double *others, double *room, const ic_tracking *k)
{
    double most = 0;
    *others = 0;
    for (size_t i = 0; i < k->n_intervals; i++) {
        *others += room[i] = fabs(gain_of(&k->intervals[i], 0));
        if (!ic_interval_has_event(&k->intervals[i])) most = fmax(most, room[i]);
    }
    *others -= most;
    return ic_audit_median(room, k->n_intervals) / IC_NORMAL_MEDIAN;
}

void ic_audit_energy(ic_findings *findings, const ic_tracking *k)
{
    const double range = energy_range(k);
    const size_t n = k->n_intervals;
    if (!isfinite(range) || n == 0) return;
    energy_drift b = {.level = calloc(n, sizeof *b.level), .variance = calloc(n, sizeof *b.variance)};
    findings->no_memory |= b.level == NULL || b.variance == NULL;
    if (b.level != NULL && b.variance != NULL) {
        double others;
        add_gains(&b, k, typical_gain(&others, b.level, k));
        find_drift(&b, k);
        add_losses(&b, k, false);
        add_losses(&b, k, true);
        const double noise = ic_tolerance_noise.value * sqrt(b.square) + fabs(b.mean);
        /* one interval may not gain what all others, as accurate as they and the prediction are, cannot */
        const double accepted =
            ic_tolerance_energy_drift.value * fmin(k->accept * range, fmax(others, k->predictor.rtol * range));
        ic_finding f = ic_finding_of(&ic_row_check_energy, k, b.drift, accepted + noise, "J");
        ic_finding_set_origin(
            &f,
            "%s, and its mean; the range is %.3g J; at most %g times what the others gain if one interval "
            "without an event gains most",
            ic_accuracy_origin(&ic_tolerance_energy_drift, k->accept).text, range,
            ic_tolerance_energy_drift.value);
        ic_finding_describe(&f, "over %zu intervals", n);
        judge_drift(&f, k, range);
        ic_findings_add(findings, &f);
    }
    free(b.level);
    free(b.variance);
}
