/* SPDX-License-Identifier: MIT */
/*
 * Restitution and peak force over the impact speed, for both specimens: measured by Zhang and
 * Sharf, computed by Wang et al. 2018 (Tables III to VI; Figs. 2 and 5), and computed here from the
 * same law (Eqs. 2 to 4), in closed form.
 */
#include "validation/studies/ball_experiments.h"
#include "validation/studies/ball_runs.h"
#include "validation/studies/power_law.h"
#include "validation/studies/study.h"

#include <math.h>

/* The curves: v0 = 0.005, 0.01, ..., 0.55 m/s, a little beyond the fastest experiment. */
enum { STEPS = 110, PER_SPEED = 200 };

enum { SPECIMEN, V0, E_MEASURED, E_PRINTED, E, F_MEASURED, F_PRINTED, F };

static const ic_study_column columns[] = {
    [SPECIMEN] = {"specimen", NULL, "of the paper's Table I"},
    [V0] = {"v0", "m/s", "impact speed"},
    [E_MEASURED] = {"restitution_measured", "1", "by Zhang and Sharf, at six speeds"},
    [E_PRINTED] = {"restitution_printed", "1", "computed by Wang et al. 2018, Tables III and IV"},
    [E] = {"restitution", "1", "of the same law, in closed form"},
    [F_MEASURED] = {"force_measured", "N", "greatest force, by Zhang and Sharf"},
    [F_PRINTED] = {"force_printed", "N", "computed by Wang et al. 2018, Tables V and VI"},
    [F] = {"force", "N", "of the same law, in closed form, for the derived ball"},
};

/* ---- rows */

static void add_row(ic_study_data *data, const char *specimen, double v0, const ic_ball_experiment *e,
                    const ic_impact_outcome *outcome)
{
    ic_study_text(data, specimen);
    IC_STUDY_NUMBERS(data, v0, e != NULL ? e->restitution.measured : NAN,
                     e != NULL ? e->restitution.printed : NAN, outcome->restitution,
                     e != NULL ? e->force.measured : NAN, e != NULL ? e->force.printed : NAN,
                     outcome->peak_force);
}

/* Speeds of the curve, with those of the experiments in their places. */
static bool add_specimen(ic_study_data *data, const char *specimen, const ic_ball_experiment *of,
                         ic_error *error)
{
    ic_impact_outcome outcome;
    int next = 0;
    for (int k = 1; k <= STEPS; k++) {
        const double v0 = (double)k / PER_SPEED;
        for (; next < IC_BALL_SPEEDS && of[next].v0 <= v0; next++) {
            if (!ic_ball_impact_of(&outcome, of[next].preset, error)) return false;
            add_row(data, specimen, of[next].v0, &of[next], &outcome);
        }
        if (next > 0 && of[next - 1].v0 == v0) continue;
        if (!ic_ball_impact_of(&outcome, IC_PATH("%s[v0=%.17g]", of[0].preset, v0), error)) return false;
        add_row(data, specimen, v0, NULL, &outcome);
    }
    return true;
}

/* ---- findings */

typedef struct speed_series {
    size_t n;
    double v0[IC_BALL_SPEEDS], loss_measured[IC_BALL_SPEEDS], loss[IC_BALL_SPEEDS];
    double force_measured[IC_BALL_SPEEDS], force[IC_BALL_SPEEDS];

    /* errors compared with the experiment */
    double least_e, most_e, least_f, most_f;

    /* greatest deviation from printed values after the impact, m/s */
    double off_e;

    /* the same of the force, relative */
    double off_f;
} speed_series;

static void take_row(speed_series *s, const ic_study_data *data, size_t row)
{
    const double measured_e = ic_study_at(data, row, E_MEASURED)->number, e = ic_study_at(data, row, E)->number,
                 measured_f = ic_study_at(data, row, F_MEASURED)->number, f = ic_study_at(data, row, F)->number;
    s->v0[s->n] = ic_study_at(data, row, V0)->number;
    s->loss_measured[s->n] = 1 - measured_e;
    s->loss[s->n] = 1 - e;
    s->force_measured[s->n] = measured_f;
    s->force[s->n++] = f;
    s->least_e = fmin(s->least_e, e / measured_e - 1);
    s->most_e = fmax(s->most_e, e / measured_e - 1);
    s->least_f = fmin(s->least_f, f / measured_f - 1);
    s->most_f = fmax(s->most_f, f / measured_f - 1);
    s->off_e = fmax(s->off_e, s->v0[s->n - 1] * fabs(e - ic_study_at(data, row, E_PRINTED)->number));
    s->off_f = fmax(s->off_f, fabs(f / ic_study_at(data, row, F_PRINTED)->number - 1));
}

static void find_specimen(ic_study_data *data, const char *specimen, const speed_series *s)
{
    const ic_power_law loss_measured = ic_power_law_fit(s->v0, s->loss_measured, s->n),
                       loss = ic_power_law_fit(s->v0, s->loss, s->n),
                       force_measured = ic_power_law_fit(s->v0, s->force_measured, s->n),
                       force = ic_power_law_fit(s->v0, s->force, s->n);
    ic_study_finding(data,
                     "%s: printed values reproduce: speed after the impact to %.1e m/s, peak force to %.3f "
                     "%%. Against the "
                     "experiment the restitution is %+.1f to %+.1f %% off, the peak force %+.1f to %+.1f %%.",
                     specimen, s->off_e, 100 * s->off_f, 100 * s->least_e, 100 * s->most_e, 100 * s->least_f,
                     100 * s->most_f);
    ic_study_finding(
        data,
        "%s: the measured 1 - e is %.3f v0^%.2f, that of the law %.3f v0^%.2f (v0 in m/s): the law's "
        "cube root %s; the measured peak force grows like v0^%.3f, that of the law like v0^%.3f, "
        "without damping it would be v0^1.2.",
        specimen, loss_measured.factor, loss_measured.exponent, loss.factor, loss.exponent,
        fabs(loss_measured.exponent - 1.0 / 3) < fabs(loss_measured.exponent - 2.0 / 3)
            ? "is the right trend"
            : "grows too slowly, 2/3 would be nearer",
        force_measured.exponent, force.exponent);
}

/* Section III: speed after the impact "decreased" with the impact speed; the force of C1 is the
   larger. */
static void find_statements(ic_study_data *data, const ic_ball_experiments *x)
{
    int faster = 0, less = 0, larger = 0, larger_measured = 0;
    for (int s = 0; s < IC_BALL_SPECIMENS; s++) {
        for (int k = 1; k < IC_BALL_SPEEDS; k++) {
            faster += x->of[s][k].v_after > x->of[s][k - 1].v_after;
            less += x->of[s][k].restitution.printed < x->of[s][k - 1].restitution.printed;
        }
    }
    for (int k = 0; k < IC_BALL_SPEEDS; k++) {
        larger += x->of[0][k].force.printed > x->of[1][k].force.printed;
        larger_measured += x->of[0][k].force.measured > x->of[1][k].force.measured;
    }
    ic_study_finding(
        data,
        "With the impact speed the printed speed after the impact rises in %d of %d steps, though the "
        "text says that it decreases; the restitution does, in %d.",
        faster, IC_BALL_SPECIMENS * (IC_BALL_SPEEDS - 1), less);
    ic_study_finding(data,
                     "The peak force on C1 is larger than that on C2 at %d of %d speeds as printed, at %d as "
                     "measured.",
                     larger, IC_BALL_SPEEDS, larger_measured);
}

static void run_study(ic_study_data *data)
{
    ic_ball_experiments x;
    bool good = ic_ball_experiments_read(&x, &data->error);
    for (int s = 0; s < IC_BALL_SPECIMENS && good; s++)
        good = add_specimen(data, ic_ball_specimens[s], x.of[s], &data->error);
    if (!good) {
        data->failed = true;
        return;
    }
    for (int s = 0; s < IC_BALL_SPECIMENS && !data->failed; s++) {
        speed_series of = {.least_e = INFINITY, .most_e = -INFINITY, .least_f = INFINITY, .most_f = -INFINITY};
        for (size_t row = 0; row < ic_study_rows(data); row++) {
            if (ic_study_at(data, row, SPECIMEN)->text == ic_ball_specimens[s] &&
                !isnan(ic_study_at(data, row, E_MEASURED)->number))
                take_row(&of, data, row);
        }
        find_specimen(data, ic_ball_specimens[s], &of);
    }
    find_statements(data, &x);
}

IC_STUDY_TABLE(
    impact_speed, "impact-speed", "Ball on two specimens: restitution and peak force over the impact speed",
    "How do restitution and peak force of the improved law follow the experiment as the speed grows?");
