/* SPDX-License-Identifier: MIT */
#include "core/step_control.h"
#include "core/model.h"
#include "core/numbers.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define SAFETY 0.9
/* Bits of a double: those of its mantissa, and the exponent of 1. */
enum { MANTISSA = 52, BIAS = 1023 };
/* Lower limits of an error in the controller: for the previous step, and for the current one. */
#define FIRST_ERROR 1e-4
#define LEAST_ERROR 1e-10
/* A step to an expected event is at least this part of the step that the error permits. */
#define SHORTEST_AIM 0.01
/*
 * A step that aims at an event and misses it costs as much as one that meets its event saves. After one or
 * two misses no step aims at the next events of the mode.
 */
enum { MISS = 2, MOST_CREDIT = 2 };
/* Least number of steps in a period of the forcing. */
#define STEPS_PER_PERIOD 2
/*
 * The first step is this fraction of the time in which the state changes by its scale, and at most
 * this fraction of the typical time.
 */
#define FIRST_STEP 0.01
/*
 * Greatest accepted error of a step that was shortened to an event. A shortened step has a smaller
 * error than the whole step, except where the flow is not smooth or where the whole step passed
 * over an event.
 */
#define MOST_SHORTENED 10.0
/*
 * A solution that ends at the edge of the flow's domain can go on for ever in steps too short to leave it: after so
 * many of at most this length, in typical times, the flow is taken to end there.
 */
#define CREEP 1e-9
enum { MOST_CREEPS = 100 };
/* After so many steps the rest of the run is estimated: seconds of work, and far more steps than most runs have. */
#define WORK_OF_ESTIMATE 2e6

/*
 * Logarithm of a positive x to the base 2, and a power of 2, to 1e-3: the length of a step needs no more, and
 * the functions of the C library take as long as a stage. With x = (1 + m) 2^e, log2(1 + m)/m is a cubic in
 * m, and so is 2^y for y in [0, 1).
 */
static double rough_log2(double x)
{
    unsigned long long bits = 0;
    memcpy(&bits, &x, sizeof bits);
    const double e = (double)(int)(bits >> MANTISSA) - BIAS;
    bits = (bits & ((1ULL << MANTISSA) - 1)) | ((unsigned long long)BIAS << MANTISSA);
    memcpy(&x, &bits, sizeof x);
    const double m = x - 1;
    return e + m * (1.44207 + m * (-0.70078 + m * (0.36402 + m * -0.10566)));
}

static double rough_exp2(double y)
{
    const int whole = (int)(y + BIAS) - BIAS; /* y rounded down */
    const double rest = y - whole;
    const unsigned long long bits = (unsigned long long)(whole + BIAS) << MANTISSA;
    double power = 0;
    memcpy(&power, &bits, sizeof power);
    return power * (0.9999 + rest * (0.69632 + rest * (0.22469 + rest * 0.07897)));
}

ic_step_control ic_step_control_of_order(int k, double least_factor, double most_factor)
{
    const double beta = 0.2 / k;
    return (ic_step_control){
        .alpha = 1. / k - 0.75 * beta, .beta = beta, .least_factor = least_factor, .most_factor = most_factor};
}

/*
 * Length of the first step: scale over speed, as in Hairer, Norsett & Wanner, II.4, but without the
 * second evaluation used there.
 */
static double first_step(const ic_phase *phase, const double *slope)
{
    double speed = 0;
    for (size_t j = 0; j < phase->n; j++) {
        speed = fmax(speed, fabs(slope[j]) / (phase->scale[j] + fabs(phase->x[j])));
    }
    const double slowest = FIRST_STEP * phase->time_scale;
    return speed * slowest > FIRST_STEP ? FIRST_STEP / speed : slowest;
}

void ic_step_control_begin(ic_step_control *control, const ic_phase *phase, const double *slope)
{
    if (!(control->h > 0)) {
        const double period = ic_forcing_period(phase->problem);
        control->longest = period > 0 ? period / STEPS_PER_PERIOD : INFINITY;
        control->h = first_step(phase, slope);
    }
    const double known = control->first_of_mode[phase->mode_index % IC_STEP_MODES];
    if (known > 0 && phase->mode_index != control->mode) control->h = known;
    control->mode = phase->mode_index;
    control->log_before = rough_log2(FIRST_ERROR);
    control->rejected = false;
    control->first = true;
}

static double proposed_factor(const ic_step_control *control, double error)
{
    const double factor = SAFETY * rough_exp2(control->beta * control->log_before -
                                              control->alpha * rough_log2(fmax(error, LEAST_ERROR)));
    const double limited = fmin(control->most_factor, fmax(control->least_factor, factor));
    return control->rejected ? fmin(1, limited) : limited;
}

/* After a step of length h whose error was too large, or not finite. */
static double shorter_step(const ic_step_control *control, double h, double error)
{
    const double factor = isfinite(error) ? SAFETY * rough_exp2(-control->alpha * rough_log2(error)) : 0;
    return h * fmax(control->least_factor, factor);
}

bool ic_step_control_refuses(ic_step_control *control, const ic_phase *phase, double h, double error)
{
    if (error <= MOST_SHORTENED || h < 1e-12 * phase->time_scale) return false;
    control->rejected = true;
    control->h = shorter_step(control, h, error);
    phase->work->rejected_steps++;
    return true;
}

/* The next step: to the end of the phase, to the expected event, or as long as the error permits. */
typedef struct next_step {
    double h;
    bool last, aims;
} next_step;

static next_step choose_step(ic_step_control *control, const ic_phase *phase, double t0)
{
    const double left = phase->t_stop - t0, aim = control->aim - t0;
    control->h = fmin(control->h, phase->options->step > 0 ? phase->options->step : control->longest);
    if (control->h >= left * (1 - 1e-9)) return (next_step){.h = left, .last = true};
    const bool trusts = control->credit[phase->mode_index % IC_STEP_MODES] >= 0;
    if (trusts && aim < control->h && aim > SHORTEST_AIM * control->h)
        return (next_step){.h = aim, .aims = true};
    return (next_step){.h = control->h};
}

void ic_step_control_learn(ic_step_control *control, const ic_phase *phase)
{
    int *credit = &control->credit[phase->mode_index % IC_STEP_MODES];
    const bool fired = phase->fired >= 0;
    if (control->aimed && !fired) *credit -= MISS;
    else if (fired && (control->aimed ? *credit < MOST_CREDIT : *credit < 0)) ++*credit;
}

static void accept_step(ic_step_control *control, const ic_phase *phase, next_step step, double error)
{
    const double factor = proposed_factor(control, error), h = step.h * factor;
    control->log_before = rough_log2(fmax(error, FIRST_ERROR));
    control->rejected = false;
    if (control->first && !step.last && !step.aims)
        control->first_of_mode[phase->mode_index % IC_STEP_MODES] = h;
    control->first = false;
    control->aimed = step.aims;
    /* a step cut short must not shorten the next one, nor, by t_stop, lengthen it */
    if (step.aims) control->h = fmax(control->h, h);
    else if (!step.last || factor < 1) control->h = h;
}

/*
 * Whether, at the rate of the last steps, the limit on steps comes before the end of the run: twice in a row, as
 * where the steps chatter at a jump of the flow, or at a quotient 0/0.
 */
static bool is_hopeless(ic_step_control *control, const ic_phase *phase, double t0)
{
    const double work = (double)(phase->work->steps + phase->work->rejected_steps);
    const double done = work - control->work_then, moved = t0 - control->t_then;
    if (done < WORK_OF_ESTIMATE) return false;
    const double most = (phase->options->max_steps - work) * moved / done;
    control->hopeless = most < phase->problem->t_end - t0 ? control->hopeless + 1 : 0;
    control->work_then = work;
    control->t_then = t0;
    if (control->hopeless < 2) return false;
    ic_log_message(
        phase->log,
        "steps of %.1e s from t = %.10g on, so that the end is not within %.0e steps: the flow may jump or "
        "be 0/0 there, as friction in a plane is where it stops",
        moved / done, t0 - moved, phase->options->max_steps);
    return true;
}

ic_status ic_step_control_accept(ic_step_control *control, const ic_phase *phase, double t0,
                                 const double *slope, ic_try_step *try_step, void *self, double *t1)
{
    for (bool outside = false;;) {
        const next_step step = choose_step(control, phase, t0);
        if (ic_has_to_end(phase->options, phase->work->steps + phase->work->rejected_steps))
            return IC_TOO_MUCH_WORK;
        if (is_hopeless(control, phase, t0)) return IC_TOO_MUCH_WORK;
        const double error = try_step(self, step.h);
        *t1 = step.last ? phase->t_stop : t0 + step.h;
        if (error <= 1) {
            accept_step(control, phase, step, error);
            control->creeps = outside && step.h < CREEP * phase->time_scale ? control->creeps + 1 : 0;
            return control->creeps < MOST_CREEPS ? IC_OK : IC_NOT_FINITE;
        }
        /* where the error is not finite, a stage has left the domain of the flow */
        outside |= !isfinite(error);
        if (isfinite(error)) control->rejected = true;
        else if (step.h < 1e-12 * phase->time_scale || !ic_all_finite(slope, phase->n)) return IC_NOT_FINITE;
        control->h = shorter_step(control, step.h, error);
        phase->work->rejected_steps++;
        if (t0 + control->h <= t0 + 2 * DBL_EPSILON * fabs(t0)) return IC_STEP_TOO_SMALL;
    }
}
