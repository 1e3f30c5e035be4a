/* SPDX-License-Identifier: MIT */
/**
 * The sensitivity measures of Yigit, Ulsoy & Scott 1990, section 4, for stops and inertia ratios
 * that the paper does not give.
 *
 *     s1 = (max_t |w(l, t)| - mean)/mean, the mean over all C2                                            (Eq. 24)
 *     s2(t) = (w_p(l, t) with C2 = 500 - w_p(l, t))/(w_p(l, t1) with C2 = 500)                            (Eq. 25)
 *
 * w is the deflection of the tip, w_p its path; the torque of 1 N m lasts 0.05 s, t1 = 0.2 s. The
 * paper finds |s1| of about 5 % for two inertia ratios (Fig. 9) for C2 from 0 to 1000 kg/s,
 * "corresponding to" e of 0.4 to 0.8, and |s2| of about 6 % (Fig. 10) for values of C2 that it does
 * not name; here they are those of s1. Its geometry is lost, and this one assumed. Each row also
 * has the restitution that the first contact really has.
 */
#include "core/model.h"
#include "validation/studies/beam_runs.h"
#include "validation/studies/study.h"

#include <math.h>
#include <stdio.h>

/* Preset and ratio I_R/I_B, and the angles of its stops, in rad: reached well before t1. */
enum { RATIOS = 2, STOPS = 8, VALUES = 11 };
static const struct {
    const char *preset;
    double ratio, theta_s[STOPS];
} beams[RATIOS] = {
    {"C2-500", 0.01, {0.2, 0.35, 0.5, 0.65, 0.8, 1, 1.2, 1.4}},
    {"heavy-shaft", 1, {0.1, 0.2, 0.3, 0.4, 0.5, 0.55, 0.6, 0.7}},
};
/* C2 in kg/s, and which of them is the paper's "intermediate value". */
#define STEP 100.0
enum { MIDDLE = 5 };

/* The measures are good to 1e-4: vibrations below 1 kHz, a sample each 50 us. */
#define RTOL 1e-8
enum { SAMPLES = 4001 };

/* Values of the paper. */
#define S1_BOUND 0.05
#define S2_BOUND 0.06
#define LEAST_E 0.4
#define MOST_E 0.8

enum { RATIO, STOP, DAMPING, RESTITUTION, CONTACTS, PEAK, S1, S2, S2_END };

static const ic_study_column columns[] = {
    [RATIO] = {"I_R_ratio", "1", "moment of inertia of the shaft over that of the beam"},
    [STOP] = {"theta_s", "rad", "angle of the stop"},
    [DAMPING] = {"C2", "kg/s", "damping of the second model"},
    [RESTITUTION] = {"restitution", "1", "of the first contact"},
    [CONTACTS] = {"contacts", "1", "contacts in the first group, with pauses of 5 ms at most"},
    [PEAK] = {"peak_deflection", "m", "greatest magnitude of the tip's deflection, up to 0.2 s"},
    [S1] = {"s1", "1", "Eq. (24)"},
    [S2] = {"s2", "1", "Eq. (25): the value of greatest magnitude, up to 0.2 s"},
    [S2_END] = {"s2_end", "1", "Eq. (25) at 0.2 s"},
};

typedef struct beam_motion {
    ic_beam_group group;

    /* m */
    double peak;

    /* deflection of the tip, m */
    double path[SAMPLES];
} beam_motion;

static bool follow_motion(beam_motion *m, int beam, double theta_s, double damping, ic_error *error)
{
    ic_beam_run solved;
    const ic_options options = {.rtol = RTOL, .samples = SAMPLES};
    if (!ic_beam_open(
            &solved, &options,
            IC_PATH("rotating-beam/%s[theta_s=%.17g, C2=%.17g]", beams[beam].preset, theta_s, damping), error))
        return false;
    const ic_problem *problem = &solved.setup.problem;
    const bool hits = ic_beam_first_group(&m->group, &solved);
    if (!hits) ic_error_set(error, "the beam does not hit and leave a stop at %g rad", theta_s);
    m->peak = ic_beam_peak(&solved, "tip_deflection");
    for (size_t i = 0; i < SAMPLES; i++) {
        const ic_sample at = ic_log_sample_at(solved.log, i);
        m->path[i] = ic_beam_output(problem, "tip_displacement", at.t, at.x, at.mode);
    }
    ic_beam_close(&solved);
    return hits;
}

static void add_row(ic_study_data *data, const beam_motion *m, int beam, double theta_s, int value, double mean)
{
    const double end = m[MIDDLE].path[SAMPLES - 1];
    double s2 = 0;
    for (size_t i = 0; i < SAMPLES; i++) {
        const double now = (m[MIDDLE].path[i] - m[value].path[i]) / end;
        if (fabs(now) > fabs(s2)) s2 = now;
    }
    IC_STUDY_NUMBERS(data, beams[beam].ratio, theta_s, STEP * value, m[value].group.restitution,
                     (double)m[value].group.contacts, m[value].peak, m[value].peak / mean - 1, s2,
                     (end - m[value].path[SAMPLES - 1]) / end);
}

static void add_stop(ic_study_data *data, int beam, double theta_s)
{
    static beam_motion m[VALUES];
    double mean = 0;
    for (int i = 0; i < VALUES && !data->failed; i++) {
        if (!follow_motion(&m[i], beam, theta_s, STEP * i, &data->error)) data->failed = true;
        mean += m[i].peak / VALUES;
    }
    for (int i = 0; i < VALUES && !data->failed; i++) add_row(data, m, beam, theta_s, i, mean);
}

/* ---- findings */

/* Greatest magnitudes for one stop. */
typedef struct worst {
    double s1, s2;

    /* without C2 = 0 */
    double s2_damped;

    /* where the first contact has the paper's restitution */
    double s2_practical;

    double least_e, most_e;
} worst;

static worst worst_of(const ic_study_data *data, int beam, int stop)
{
    const size_t first = (size_t)(beam * STOPS + stop) * VALUES;
    worst w = {.least_e = INFINITY, .most_e = -INFINITY};
    for (size_t row = first; row < first + VALUES; row++) {
        const double e = ic_study_at(data, row, RESTITUTION)->number;
        const double s1 = fabs(ic_study_at(data, row, S1)->number),
                     s2 = fabs(ic_study_at(data, row, S2)->number);
        w.s1 = fmax(w.s1, s1);
        w.s2 = fmax(w.s2, s2);
        if (ic_study_at(data, row, DAMPING)->number > 0) w.s2_damped = fmax(w.s2_damped, s2);
        if (e >= LEAST_E && e <= MOST_E) w.s2_practical = fmax(w.s2_practical, s2);
        w.least_e = fmin(w.least_e, e);
        w.most_e = fmax(w.most_e, e);
    }
    return w;
}

/* "0.2: 11, 0.35: 17, ...": percentages for each stop; and how many stay within a bound. */
typedef struct text_list {
    char text[160];
    int length, within;
} text_list;

static void list_value(text_list *l, double theta_s, double value, double bound)
{
    const size_t left = sizeof l->text - (size_t)l->length;
    const int n = snprintf(l->text + l->length, left, value < 0.1 ? "%s%g: %.1f" : "%s%g: %.0f",
                           l->length > 0 ? ", " : "", theta_s, 100 * value);
    if (n > 0 && (size_t)n < left) l->length += n;
    l->within += value <= bound;
}

static void add_findings(ic_study_data *data)
{
    int s1_within = 0, s2_within = 0, damped = 0, practical = 0;
    double least_e = INFINITY, most_e = -INFINITY;
    for (int beam = 0; beam < RATIOS; beam++) {
        text_list s1 = {.length = 0}, s2 = {.length = 0}, s2_practical = {.length = 0};
        for (int stop = 0; stop < STOPS; stop++) {
            const worst w = worst_of(data, beam, stop);
            const double theta_s = beams[beam].theta_s[stop];
            list_value(&s1, theta_s, w.s1, S1_BOUND);
            list_value(&s2, theta_s, w.s2, S2_BOUND);
            list_value(&s2_practical, theta_s, w.s2_practical, S2_BOUND);
            damped += w.s2_damped <= S2_BOUND;
            least_e = fmin(least_e, w.least_e), most_e = fmax(most_e, w.most_e);
        }
        s1_within += s1.within, s2_within += s2.within, practical += s2_practical.within;
        ic_study_finding(
            data,
            "I_R/I_B = %g: |s1| in %%, up to, by the stop in rad: %s. The paper's 5 %% holds for %d of %d.",
            beams[beam].ratio, s1.text, s1.within, STOPS);
        ic_study_finding(
            data,
            "I_R/I_B = %g: |s2| in %%, up to: %s. The paper's 6 %% holds for %d of %d; where the first "
            "contact has a restitution of 0.4 to 0.8: %s.",
            beams[beam].ratio, s2.text, s2.within, STOPS, s2_practical.text);
    }
    ic_study_finding(
        data,
        "For %d beams and stops, |s1| stays within 5 %% for %d and |s2| within 6 %% for %d: for %d without "
        "C2 = 0, for %d where the restitution is 0.4 to 0.8. C2 from 0 to 1000 is a restitution "
        "from %.2f to %.2f, and not from 0.8 to 0.4.",
        RATIOS * STOPS, s1_within, s2_within, damped, practical, most_e, least_e);
}

static void run_study(ic_study_data *data)
{
    for (int beam = 0; beam < RATIOS; beam++) {
        for (int stop = 0; stop < STOPS && !data->failed; stop++)
            add_stop(data, beam, beams[beam].theta_s[stop]);
    }
    if (!data->failed) add_findings(data);
}

IC_STUDY_TABLE(
    beam_sensitivity, "beam-sensitivity",
    "The rotating beam: how much deflection and path depend on the damping of the contact",
    "How large are the sensitivities, which the paper gives as about 5 and 6 per cent, for C2 from 0 to 1000 "
    "and assumed stops and shafts?");
