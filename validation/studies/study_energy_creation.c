/* SPDX-License-Identifier: MIT */
/*
 * Conditions under which the rigid hypotheses create energy. The bar of Kecskemethy & Lange 1999 falls with v =
 * (0.8, -1) m/s at any angle on a surface of any roughness; any energy that it has after the impact
 * in excess of the energy before must have been created.
 */
#include "validation/studies/bar_runs.h"
#include "validation/studies/study.h"

#include <math.h>

enum { STEEPEST = 89, ANGLE_STEP = 2 }; /* degrees */
enum { MOST_MU = 30, MU_PARTS = 10 };   /* mu = 0, 1/10, ..., 3 */
enum { PAPERS_ANGLE = 45 };

/* Less than this part of the energy is rounding: forces, velocities and impulses of order 1 carry
   errors of some 1e-15. */
#define ROUNDING 1e-12

/* Bisections of an interval to its 1e-6: a boundary to the digits shown. */
enum { BISECTIONS = 20 };

enum { NEWTON, POISSON, STRONGE, HYPOTHESES };
static const char *const names[HYPOTHESES] = {"newton", "poisson", "stronge"};

static const double restitutions[] = {1, 0.5};

enum { PHI, MU, E, TOTAL, NORMAL = TOTAL + HYPOTHESES, END = NORMAL + HYPOTHESES };

static const ic_study_column columns[] = {
    [PHI] = {"phi", "deg", "angle of the bar from the normal; the bar slides to +x"},
    [MU] = {"mu", "1", "coefficient of friction"},
    [E] = {"e", "1", "coefficient of restitution"},
    [TOTAL + NEWTON] = {"newton", "1", "kinetic energy gained under Newton's hypothesis over that before"},
    [TOTAL + POISSON] = {"poisson", "1", "the same under Poisson's"},
    [TOTAL + STRONGE] = {"stronge", "1", "the same under Stronge's"},
    [NORMAL +
        NEWTON] = {"newton_normal", "1", "energy that the normal motion alone gained (-D_N), likewise: Newton"},
    [NORMAL + POISSON] = {"poisson_normal", "1", "the same, Poisson"},
    [NORMAL + STRONGE] = {"stronge_normal", "1", "the same, Stronge"},
};

/* ---- rows */

typedef struct gain {
    double total, normal;
} gain;

typedef struct bar_impact {
    /* degrees */
    double phi;

    double mu, e;
} bar_impact;

static bool compute_gain(gain *g, const char *hypothesis, const bar_impact *i, ic_error *error)
{
    ic_bar_run end;
    if (!ic_bar_solve(
            &end,
            IC_PATH("planar-bar/%s[phi=%.17g*pi/180, mu=%.17g, e=%.17g]", hypothesis, i->phi, i->mu, i->e),
            false, error)) {
        return false;
    }
    *g = (gain){-(end.D_N + end.D_T) / end.energy, -end.D_N / end.energy};
    return true;
}

static void add_row(ic_study_data *data, const bar_impact *i)
{
    gain gains[HYPOTHESES];
    for (int h = 0; h < HYPOTHESES; h++) {
        if (compute_gain(&gains[h], names[h], i, &data->error)) continue;
        data->failed = true;
        return;
    }
    IC_STUDY_NUMBERS(data, i->phi, i->mu, i->e);
    for (int h = 0; h < HYPOTHESES; h++) ic_study_number(data, gains[h].total);
    for (int h = 0; h < HYPOTHESES; h++) ic_study_number(data, gains[h].normal);
}

static void add_map(ic_study_data *data, double e)
{
    for (int phi = -STEEPEST; phi <= STEEPEST; phi += ANGLE_STEP) {
        for (int i = 0; i <= MOST_MU && !data->failed; i++) {
            add_row(data, &(bar_impact){.phi = phi, .mu = (double)i / MU_PARTS, .e = e});
        }
    }
}

/* ---- findings */

typedef struct region {
    size_t points, of;

    /* least and greatest */
    double phi[2], mu[2];

    double most, most_phi, most_mu;
} region;

static region region_of(const ic_study_data *data, double e, size_t column)
{
    region r = {.phi = {INFINITY, -INFINITY}, .mu = {INFINITY, -INFINITY}};
    for (size_t i = 0; i < ic_study_rows(data); i++) {
        const double phi = ic_study_at(data, i, PHI)->number, mu = ic_study_at(data, i, MU)->number;
        const double value = ic_study_at(data, i, column)->number;
        if (ic_study_at(data, i, E)->number != e) continue;
        r.of++;
        if (!(value > ROUNDING)) continue;
        r.points++;
        r.phi[0] = fmin(r.phi[0], phi), r.phi[1] = fmax(r.phi[1], phi);
        r.mu[0] = fmin(r.mu[0], mu), r.mu[1] = fmax(r.mu[1], mu);
        if (value > r.most) r.most = value, r.most_phi = phi, r.most_mu = mu;
    }
    return r;
}

static void find_region(ic_study_data *data, const char *who, double e, size_t column, const char *what)
{
    const region r = region_of(data, e, column);
    if (r.points == 0) {
        ic_study_finding(data, "%s, e = %g: %s is created nowhere on the map.", who, e, what);
        return;
    }
    ic_study_finding(
        data,
        "%s, e = %g: %s is created on %.1f %% of the map, within phi = %g to %g deg and mu = %g to %g; most at "
        "phi = %g deg, mu = %g: %.3g %% of the kinetic energy before.",
        who, e, what, 100 * (double)r.points / (double)r.of, r.phi[0], r.phi[1], r.mu[0], r.mu[1], r.most_phi,
        r.most_mu, 100 * r.most);
}

static bool newton_creates(const bar_impact *i)
{
    gain g;
    ic_error error;
    return compute_gain(&g, names[NEWTON], i, &error) && g.total > ROUNDING;
}

/*
 * Raise `value`, which is mu or e of the impact, from 0 to the least at which Newton's hypothesis
 * creates energy, given that it does at `high`.
 */
static void raise_to_boundary(const bar_impact *i, double *value, double high)
{
    double low = 0;
    for (int k = 0; k < BISECTIONS; k++) {
        *value = 0.5 * (low + high);
        *(newton_creates(i) ? &high : &low) = *value;
    }
    *value = high;
}

/* Newton's boundaries: in mu at the paper's angle, and in e where it creates most. */
static void find_boundaries(ic_study_data *data)
{
    const region r = region_of(data, 1, TOTAL + NEWTON);
    bar_impact papers = {PAPERS_ANGLE, (double)MOST_MU / MU_PARTS, 1}, worst = {r.most_phi, r.most_mu, 1};
    if (newton_creates(&papers)) {
        raise_to_boundary(&papers, &papers.mu, papers.mu);
        ic_study_finding(data,
                         "Newton, e = 1, the paper's angle of %d deg: energy is created from mu = %.5f on.",
                         PAPERS_ANGLE, papers.mu);
    }
    if (r.points > 0 && newton_creates(&worst)) {
        raise_to_boundary(&worst, &worst.e, 1);
        ic_study_finding(
            data,
            "Newton, phi = %g deg, mu = %g, where e = 1 creates most: energy is created from e = %.5f on.",
            worst.phi, worst.mu, worst.e);
    }
}

static void run_study(ic_study_data *data)
{
    static const char *const people[HYPOTHESES] = {"Newton", "Poisson", "Stronge"};
    for (size_t k = 0; k < IC_COUNT(restitutions); k++) add_map(data, restitutions[k]);
    for (size_t k = 0; k < IC_COUNT(restitutions) && !data->failed; k++) {
        for (size_t h = 0; h < HYPOTHESES; h++) {
            find_region(data, people[h], restitutions[k], TOTAL + h, "energy");
            find_region(data, people[h], restitutions[k], NORMAL + h, "energy of the normal motion alone");
        }
    }
    if (!data->failed) find_boundaries(data);
}

IC_STUDY_TABLE(
    energy_creation, "energy-creation", "Planar bar: where the rigid hypotheses create energy",
    "At which angles and coefficients of friction does a rigid impact leave the bar with more energy than "
    "before?");
