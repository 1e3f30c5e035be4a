/* SPDX-License-Identifier: MIT */
/*
 * Force over time of the twelve impacts of Wang et al. 2018 (Fig. 4), by the trusted solver, and
 * its peak, its duration and the restitution compared with certified answers
 * (reference/law/contact_law.h).
 */
#include "core/model.h"
#include "reference/law/contact_law.h"
#include "registry/registry.h"
#include "validation/studies/ball_experiments.h"
#include "validation/studies/ball_runs.h"
#include "validation/studies/power_law.h"
#include "validation/studies/study.h"
#include "validation/truth.h"

#include <math.h>

/* For each impact, from its start to its end. The solver may end an ulp before the last, so that
   the end itself is taken. */
enum { SAMPLES = 201 };

enum { SPECIMEN, V0, T, F, D };

static const ic_study_column columns[] = {
    [SPECIMEN] = {"specimen", NULL, "of the paper's Table I"},
    [V0] = {"v0", "m/s", "impact speed"},
    [T] = {"t", "s", "since contact began"},
    [F] = {"F", "N", "contact force"},
    [D] = {"d", "m", "indentation"},
};

/* The results of an impact. */
typedef struct history {
    /* s, N; NAN duration: none */
    double duration, peak;

    /* greatest relative distance from a certified answer */
    double off;
} history;

/* ---- one impact */

static double distance(double value, const arb_t truth)
{
    return fabs(value / arf_get_d(arb_midref(truth), ARF_RND_NEAR) - 1);
}

static bool compare_with_certified(history *h, const ic_ball *ball, const ic_log *log, ic_error *error)
{
    const ic_free_impact *names = ball->setup.problem.variant->free_impact;
    ic_law_certificate c;
    ic_law_certificate_init(&c);
    ic_free_impact_certify(&c, &ball->setup.problem);
    const bool good = c.status == IC_OK;
    if (!good) ic_error_set(error, "%s", c.message);
    h->duration = ic_output_extreme(log, names->duration).final;
    h->peak = ic_output_extreme(log, names->peak_force).final;
    h->off = fmax(fmax(distance(h->duration, c.duration), distance(h->peak, c.F_max)),
                  distance(ic_output_extreme(log, names->restitution).final, c.e_out));
    ic_law_certificate_clear(&c);
    return good;
}

static void add_rows(ic_study_data *data, const char *specimen, const ic_ball *ball, const ic_log *log)
{
    const ic_case *system = ball->setup.problem.system;
    const size_t d = ic_state_find(system, "d"), v = ic_state_find(system, "v"), memory = system->n_states - 1;
    for (size_t i = 0; i < SAMPLES; i++) {
        const ic_sample at = i + 1 < SAMPLES ? ic_log_sample_at(log, i) : ic_log_end(log);
        const double depth = fmax(at.x[d], 0); /* at the end 0 up to rounding */
        ic_study_text(data, specimen);
        IC_STUDY_NUMBERS(data, ball->v0, at.t, ball->law->force(depth, at.x[v], at.x[memory], ball->par),
                         depth);
    }
}

/* A first run finds the duration; a second run is sampled over exactly that duration. */
static bool add_impact(ic_study_data *data, const char *specimen, const char *preset, history *h,
                       ic_error *error)
{
    ic_ball ball;
    if (!ic_ball_open(&ball, preset, error)) return false;
    ic_log *log = ic_ball_solve(&ball, error);
    bool good = log != NULL && compare_with_certified(h, &ball, log, error);
    ic_log_free(log);
    if (good) {
        log = ic_ball_sample(&ball, h->duration, SAMPLES, error);
        good = log != NULL;
        if (good) add_rows(data, specimen, &ball, log);
        ic_log_free(log);
    }
    ic_ball_close(&ball);
    return good;
}

/* ---- findings */

static void find_agreement(ic_study_data *data, history of[][IC_BALL_SPEEDS])
{
    double off = 0;
    for (int s = 0; s < IC_BALL_SPECIMENS; s++) {
        for (int k = 0; k < IC_BALL_SPEEDS; k++) off = fmax(off, of[s][k].off);
    }
    ic_study_finding(
        data,
        "Peak force, duration and restitution of the %d runs differ from certified answers by at most "
        "%.1e of them.",
        IC_BALL_SPECIMENS * IC_BALL_SPEEDS, off);
}

static void find_specimen(ic_study_data *data, const char *specimen, const history *of,
                          const ic_ball_experiment *x)
{
    double v0[IC_BALL_SPEEDS], duration[IC_BALL_SPEEDS];
    for (int k = 0; k < IC_BALL_SPEEDS; k++) v0[k] = x[k].v0, duration[k] = of[k].duration;
    const int last = IC_BALL_SPEEDS - 1;
    ic_study_finding(
        data,
        "%s: from %g to %g m/s the peak rises from %.1f to %.1f N, and contact shortens from %.1f to "
        "%.1f us, like v0^%.3f; without damping it would be v0^-0.2.",
        specimen, v0[0], v0[last], of[0].peak, of[last].peak, 1e6 * duration[0], 1e6 * duration[last],
        ic_power_law_fit(v0, duration, IC_BALL_SPEEDS).exponent);
}

static void find_difference(ic_study_data *data, history of[][IC_BALL_SPEEDS])
{
    double least = INFINITY, most = 0, longer_least = INFINITY, longer_most = 0;
    for (int k = 0; k < IC_BALL_SPEEDS; k++) {
        const double ratio = of[0][k].peak / of[1][k].peak, longer = of[1][k].duration / of[0][k].duration;
        least = fmin(least, ratio), most = fmax(most, ratio);
        longer_least = fmin(longer_least, longer), longer_most = fmax(longer_most, longer);
    }
    ic_study_finding(
        data,
        "At the same speed the peak on C1 is %.3f to %.3f times that on C2, and contact with C2 lasts "
        "%.3f to %.3f times as long.",
        least, most, longer_least, longer_most);
}

static void run_study(ic_study_data *data)
{
    ic_ball_experiments x;
    history of[IC_BALL_SPECIMENS][IC_BALL_SPEEDS] = {0};
    bool good = ic_ball_experiments_read(&x, &data->error);
    for (int s = 0; s < IC_BALL_SPECIMENS && good; s++) {
        for (int k = 0; k < IC_BALL_SPEEDS && good; k++)
            good = add_impact(data, ic_ball_specimens[s], x.of[s][k].preset, &of[s][k], &data->error);
    }
    if (!good) {
        data->failed = true;
        return;
    }
    find_agreement(data, of);
    for (int s = 0; s < IC_BALL_SPECIMENS; s++) find_specimen(data, ic_ball_specimens[s], of[s], x.of[s]);
    find_difference(data, of);
}

IC_STUDY_TABLE(force_histories, "force-histories",
               "Ball on two specimens: the contact force over time at six speeds",
               "Which course has the force of the improved law over time, and which peak and duration?");
