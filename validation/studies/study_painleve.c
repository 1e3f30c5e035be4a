/* SPDX-License-Identifier: MIT */
/* Painleve's rod: regions without, with one and with two motions, proved by subdivision in ball arithmetic. */
#include "core/expression.h"
#include "reference/closed/painleve.h"
#include "validation/studies/power_law.h"
#include "validation/studies/study.h"

#include <math.h>

enum { BITS = 96, LEVELS = 5, SHALLOWEST = 9, CURVE_PARTS = 48 };

/* mu from 0 to 2, phi from 0 to pi/2, kappa from 1 (a dumbbell) to 4; a uniform rod has 3. */
static const ic_painleve_box whole = {{0, 0, 1}, {2, 0.5, 3}};

/* s w^2/g: at rest, where b < 0; and fast enough for b > 0 at steep angles */
static const double spins[] = {0, 1.25};

enum { CURVE, KAPPA, MU, ANGLE, SPIN, DEPTH, NONE, ONE, TWO, UNDECIDED };

static const ic_study_column columns[] = {
    [CURVE] = {"curve", NULL,
               "shares: of the box of friction, angle and inertia; lower, upper: angles where p = 0"},
    [KAPPA] = {"kappa", "1", "m s^2/J"},
    [MU] = {"mu", "1", "coefficient of friction"},
    [ANGLE] = {"phi", "deg", "angle of the rod to the plane"},
    [SPIN] = {"spin", "1", "s w^2/g"},
    [DEPTH] = {"depth", "1", "halvings of the box"},
    [NONE] = {"none", "1", "share of the volume that is proved to have no solution"},
    [ONE] = {"one", "1", "share with one solution"},
    [TWO] = {"two", "1", "share with two solutions"},
    [UNDECIDED] = {"undecided", "1", "share that is not decided"},
};

static void add_row(ic_study_data *data, const char *curve, const double number[UNDECIDED])
{
    ic_study_text(data, curve);
    for (int i = 0; i < UNDECIDED; i++) ic_study_number(data, number[i]);
}

/* ---- shares of the volume */

static void add_shares(ic_study_data *data, double spin)
{
    double depths[LEVELS], undecided[LEVELS];
    ic_painleve_shares shares = {{0, 0, 0}, 0};
    double volume = 1;
    for (int k = 0; k < LEVELS; k++) {
        const int depth = SHALLOWEST + IC_PAINLEVE_AXES * k;
        shares = ic_painleve_map(&whole, spin, depth);
        volume = ldexp(1, depth);
        depths[k] = ldexp(1, depth / IC_PAINLEVE_AXES);
        undecided[k] = (double)shares.undecided / volume;
        add_row(data, "shares",
                (double[]){NAN, NAN, NAN, spin, depth, (double)shares.with[0] / volume,
                           (double)shares.with[1] / volume, (double)shares.with[2] / volume, undecided[k]});
    }
    ic_study_finding(
        data,
        "s w^2/g = %g, mu from 0 to 2, phi from 0 to 90 deg, m s^2/J from 1 to 4: proved to have no motion on "
        "%.4f of the volume, one on %.4f, two on %.4f; %.4f are not decided, a share that falls like n^%.2f "
        "with n parts of each side.",
        spin, (double)shares.with[0] / volume, (double)shares.with[1] / volume, (double)shares.with[2] / volume,
        undecided[LEVELS - 1], ic_power_law_fit(depths, undecided, LEVELS).exponent);
}

/* ---- the critical friction */

static double middle_of(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

static void add_critical_friction(ic_study_data *data)
{
    static const long kappas[] = {1, 2, 3, 4};
    IC_BALLS(mu);
    for (size_t i = 0; i < IC_COUNT(kappas); i++) {
        const double kappa = (double)kappas[i];
        ic_painleve_critical_friction(mu, kappas[i], 1, BITS);
        add_row(data, "critical",
                (double[]){kappa, middle_of(mu), atan(sqrt(1 + kappa)) * 180 / acos(-1), NAN, NAN, NAN, NAN,
                           NAN, NAN});
    }
    if (ic_painleve_discriminant_sign(4, 3, 3, 1) != 0)
        ic_study_fail(data, "4/3 is not critical for a uniform rod");
    ic_study_finding(
        data,
        "p < 0 for some angle exactly if mu > 2 sqrt(1 + kappa)/kappa, kappa = m s^2/J: p (1 + tan^2 phi) "
        "= tan^2 phi - kappa mu tan phi + 1 + kappa. For a uniform rod (kappa = 3) its discriminant is 0 "
        "at mu = 4/3, in rational numbers, where tan phi = 2.");
}

static void add_boundary(ic_study_data *data, double kappa)
{
    IC_BALLS(lower, upper);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i <= CURVE_PARTS; i++) {
            const double mu = 2.0 * i / CURVE_PARTS;
            if (!ic_painleve_angles(lower, upper, mu, kappa, BITS)) continue;
            add_row(data, end == 0 ? "lower" : "upper",
                    (double[]){kappa, mu, middle_of(end == 0 ? lower : upper), NAN, NAN, NAN, NAN, NAN, NAN});
        }
    }
}

static void run_study(ic_study_data *data)
{
    add_critical_friction(data);
    add_boundary(data, 3);
    for (size_t i = 0; i < IC_COUNT(spins) && !data->failed; i++) add_shares(data, spins[i]);
}

IC_STUDY_TABLE(
    painleve, "painleve",
    "Painleve's rod: no motion, one, or two, proved over a box of friction, angle and inertia",
    "For which friction, angle and inertia has a rod that slides on its end no motion, one, or two?");
