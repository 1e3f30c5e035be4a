/* SPDX-License-Identifier: MIT */
/*
 * Number of changes of the regularized contact between sticking and sliding. Kecskemethy & Lange 1999,
 * section 3.2, say: "For technical applications, it turns out that only one or two transition
 * events can occur during impact", and that large kappa is quite unrealistic for these. This study
 * shows the limits of that statement.
 */
#include "validation/studies/bar_runs.h"
#include "validation/studies/power_law.h"
#include "validation/studies/study.h"

#include <math.h>

enum { PER_DECADE = 10, FIRST = -2 * PER_DECADE, LAST = 4 * PER_DECADE, KAPPAS = LAST - FIRST + 1 };
enum { MOST_MU = 30, MU_PARTS = 10 };      /* mu = 0, 1/10, ..., 3 */
static const int angles[] = {45, 30, -30}; /* angles, degrees; the first is the paper's */

/* The statement of the paper. */
enum { SAID = 2 };
/* The growth is fitted above this. */
#define FIT_FROM 100.0

enum { PHI, MU, KAPPA, CHANGES, TAU };

static const ic_study_column columns[] = {
    [PHI] = {"phi", "deg", "angle of the bar from the normal; the bar slides to +x"},
    [MU] = {"mu", "1", "coefficient of friction"},
    [KAPPA] = {"kappa", "1", "tangential over normal stiffness"},
    [CHANGES] = {"changes", "1", "number of changes between sticking and sliding until lift-off"},
    [TAU] = {"tau", "1", "duration of contact in sqrt(m/c_y)"},
};

static void add_row(ic_study_data *data, int phi, int mu, int step)
{
    const double kappa = pow(10, (double)step / PER_DECADE);
    ic_bar_run end;
    if (!ic_bar_solve(
            &end, IC_PATH("planar-bar/kappa-1[phi=%dpi/180, mu=%d/%d, kappa=%.17g]", phi, mu, MU_PARTS, kappa),
            false, &data->error)) {
        data->failed = true;
        return;
    }
    IC_STUDY_NUMBERS(data, phi, (double)mu / MU_PARTS, kappa, (double)end.changes, end.tau);
}

/* ---- findings, for each angle */

typedef struct change_summary {
    double most, most_kappa, most_mu;
    /* Least kappa with more changes than the paper states, and its mu. */
    double more_kappa, more_mu;

    /* Least mu with more changes than the paper states. */
    double least_mu;

    size_t points, more;

    /* the largest number over mu, for each kappa */
    double kappas[KAPPAS], largest[KAPPAS];
} change_summary;

static void count_row(change_summary *s, double kappa, double mu, double changes)
{
    const size_t k = (size_t)(lround(PER_DECADE * log10(kappa)) - FIRST);
    if (k >= KAPPAS) return;
    s->kappas[k] = kappa;
    s->largest[k] = fmax(s->largest[k], changes);
    s->points++;
    if (changes > s->most) s->most = changes, s->most_kappa = kappa, s->most_mu = mu;
    if (!(changes > SAID)) return;
    s->more++;
    s->least_mu = fmin(s->least_mu, mu);
    if (kappa < s->more_kappa) s->more_kappa = kappa, s->more_mu = mu;
}

static void find_angle(ic_study_data *data, int phi)
{
    change_summary s = {.more_kappa = INFINITY, .least_mu = INFINITY};
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        if (ic_study_at(data, i, PHI)->number != phi) continue;
        count_row(&s, ic_study_at(data, i, KAPPA)->number, ic_study_at(data, i, MU)->number,
                  ic_study_at(data, i, CHANGES)->number);
    }
    size_t from = 0;
    while (from < KAPPAS && s.kappas[from] < FIT_FROM) from++;
    const ic_power_law law = ic_power_law_fit(s.kappas + from, s.largest + from, KAPPAS - from);
    ic_study_finding(data, "phi = %d deg: at most %g changes, at kappa = %.3g, mu = %g.", phi, s.most,
                     s.most_kappa, s.most_mu);
    if (s.more == 0) {
        ic_study_finding(data, "phi = %d deg: never more than %d.", phi, SAID);
    } else {
        ic_study_finding(data,
                         "phi = %d deg: more than %d on %.0f %% of the map; never below mu = %g, and never "
                         "below kappa = %.3g "
                         "(which has them at mu = %g).",
                         phi, SAID, 100 * (double)s.more / (double)s.points, s.least_mu, s.more_kappa,
                         s.more_mu);
    }
    ic_study_finding(
        data,
        "phi = %d deg: the largest number grows like %.3g kappa^%.2f above kappa = %g (%.2f to %.2f "
        "times that).",
        phi, law.factor, law.exponent, FIT_FROM, law.lowest, law.highest);
}

static void run_study(ic_study_data *data)
{
    for (size_t a = 0; a < IC_COUNT(angles); a++) {
        for (int mu = 0; mu <= MOST_MU; mu++) {
            for (int step = FIRST; step <= LAST && !data->failed; step++) add_row(data, angles[a], mu, step);
        }
    }
    for (size_t a = 0; a < IC_COUNT(angles) && !data->failed; a++) find_angle(data, angles[a]);
}

IC_STUDY_TABLE(stick_slip_changes, "stick-slip-changes",
               "Planar bar: changes between sticking and sliding in one impact",
               "How often does a compliant contact change between sticking and sliding? The paper says: once "
               "or twice, for technical applications.");
