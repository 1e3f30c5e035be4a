/* SPDX-License-Identifier: MIT */
/**
 * Does the regularized model converge to a rigid one as the tangential spring gets stiff, to which,
 * and how fast?
 *
 * Kecskemethy & Lange 1999, section 3.3: "Clearly, the regularized model converges to the
 * rigid-body approach for kappa -> oo. However, only Stronge's hypothesis predicts accurately the
 * impact response". Known beforehand:
 *
 * 1. For every kappa, the normal spring has returned all its energy at lift-off: D_N = 0, which is
 * Stronge's hypothesis for
 *    e = 1. The open question is whether the path in the plane of impulses tends to the rigid one.
 * 2. |F_x| <= mu F_y bounds the deflection by mu F_y/c_x and the energy of the tangential spring by
 * (mu F_y)^2/(2 c_x): both
 *    vanish like 1/kappa. Slip, v_x = x_s' + x', is then friction's alone, up to the swings of the spring, which last
 *    1/sqrt(kappa).
 * 3. Where the point of contact sticks after it has stopped, the swings (v_x of order
 * 1/sqrt(kappa)) are about v_x = 0, and
 *    their mean, and what is left of them when the cone closes at lift-off, are of order 1/kappa. Once they touch the
 *    closing cone they slip a little in each swing: stick/slip changes as many as sqrt(kappa), and phases at lift-off that
 *    depend on kappa, so that the error scatters about 1/kappa and does not follow it smoothly.
 * 4. Where it slides back (mu C_xx < |C_xy|), F_x has to swing from -mu F_y to mu F_y first, during
 * 1/sqrt(kappa) and with
 *    forces of order 1; nothing restores v_x afterwards: the error is of order 1/sqrt(kappa).
 * 5. Where it never stops, both slide all the time once kappa |v_x(0)| >= mu |v_y(0)|: no
 * difference at all.
 *
 * The regularized model is elastic, so that nothing follows for e < 1.
 */
#include "validation/studies/bar_runs.h"
#include "validation/studies/power_law.h"
#include "validation/studies/study.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { PER_DECADE = 10, DECADES = 6, KAPPAS = PER_DECADE * DECADES + 1 };
/* Laws are fitted from here on: below, the swings are not shorter than the impact. */
enum { FIT_DECADE = 3, FIT = FIT_DECADE * PER_DECADE };

/* Impulses and velocities of order 1 to 3, sums of some ten terms each rounded: differences below
   are rounding. */
#define ROUNDING (100 * DBL_EPSILON)
/*
 * A distance tends to 0 if its largest value falls from decade to decade by more than this:
 * kappa^-1/2 gives 3.2, and a constant distance gives 1.
 */
#define FALLS 2.0
/* Threshold between the exponents of points 3 and 4 above. */
#define SLOW (-0.75)
/* Distance that is small enough for practice, as a fraction of the speed before. */
#define CLOSE 0.01

enum { NEWTON, POISSON, STRONGE, HYPOTHESES };
static const char *const names[HYPOTHESES] = {"newton", "poisson", "stronge"};

typedef struct set {
    const char *name, *settings, *description;
} set;

static const set sets[] = {
    {"paper", "mu=1", "phi = 45 deg, mu = 1"},
    {"other-angle", "phi=pi/6, mu=4/5", "phi = 30 deg, mu = 0.8"},
    {"self-locking", "phi=-pi/4, mu=2, vx=3", "phi = -45 deg, mu = 2, v_x = 3 m/s"},
    {"nearly-critical", "mu=31/50", "phi = 45 deg, mu = 0.62, a little above |C_xy|/C_xx = 0.6"},
    {"critical", "mu=3/5", "phi = 45 deg, mu = 0.6 = |C_xy|/C_xx"},
    {"reversal", "mu=3/10", "phi = 45 deg, mu = 0.3: slides back after the stop"},
    {"sliding", "phi=-pi/4, mu=1/2", "phi = -45 deg, mu = 0.5: never stops"},
    {"at-rest", "vx=0", "phi = 45 deg, mu = 1, v_x = 0"},
};

enum { SET, KAPPA, HYPOTHESIS, TO_V, TO_P, TO_PHI_DOT, CHANGES, TAU, SPRING };

static const ic_study_column columns[] = {
    [SET] = {"set", NULL, "set of parameters; the findings name their values"},
    [KAPPA] = {"kappa", "1", "tangential over normal stiffness"},
    [HYPOTHESIS] = {"hypothesis", NULL, "rigid answer, e = 1, from which distances are taken"},
    [TO_V] = {"to_v", "m/s", "distance of the final velocity of the point of contact"},
    [TO_P] = {"to_P", "N s", "distance of the impulse"},
    [TO_PHI_DOT] = {"to_phi_dot", "rad/s", "distance of the final angular velocity"},
    [CHANGES] = {"changes", "1", "regularized: number of changes between sticking and sliding"},
    [TAU] = {"tau", "1", "regularized: duration of contact in sqrt(m/c_y)"},
    [SPRING] = {"spring", "J", "regularized: the most energy that the tangential spring held"},
};

/* ---- rows */

static double distance(const double a[2], const double b[2])
{
    return hypot(a[0] - b[0], a[1] - b[1]);
}

static void add_rows(ic_study_data *data, const set *s, double kappa, const ic_bar_run *end,
                     const ic_bar_run *rigid)
{
    for (int h = 0; h < HYPOTHESES; h++) {
        ic_study_text(data, s->name);
        ic_study_number(data, kappa);
        ic_study_text(data, names[h]);
        IC_STUDY_NUMBERS(data, distance(end->v, rigid[h].v), distance(end->P, rigid[h].P),
                         fabs(end->phi_dot - rigid[h].phi_dot), (double)end->changes, end->tau, end->spring);
    }
}

static bool add_set(ic_study_data *data, const set *s, ic_error *error)
{
    ic_bar_run rigid[HYPOTHESES], end;
    for (int h = 0; h < HYPOTHESES; h++) {
        if (!ic_bar_solve(&rigid[h], IC_PATH("planar-bar/%s[%s]", names[h], s->settings), false, error))
            return false;
    }
    for (int i = 0; i < KAPPAS; i++) {
        const double kappa = pow(10, (double)i / PER_DECADE);
        if (!ic_bar_solve(&end, IC_PATH("planar-bar/kappa-1[%s, kappa=%.17g]", s->settings, kappa), true,
                          error))
            return false;
        add_rows(data, s, kappa, &end, rigid);
    }
    return true;
}

/* ---- findings of one set */

typedef struct kappa_series {
    double kappa[KAPPAS], to_v[HYPOTHESES][KAPPAS], changes[KAPPAS], spring[KAPPAS];
} kappa_series;

static void take_series(kappa_series *s, const ic_study_data *data, size_t number)
{
    for (size_t i = 0; i < KAPPAS; i++) {
        for (size_t h = 0; h < HYPOTHESES; h++) {
            const size_t row = (number * KAPPAS + i) * HYPOTHESES + h;
            s->kappa[i] = ic_study_at(data, row, KAPPA)->number;
            s->to_v[h][i] = ic_study_at(data, row, TO_V)->number;
            s->changes[i] = ic_study_at(data, row, CHANGES)->number;
            s->spring[i] = ic_study_at(data, row, SPRING)->number;
        }
    }
}

static double largest(const double *values, int from, int to)
{
    double most = 0;
    for (int i = from; i < to; i++) most = fmax(most, values[i]);
    return most;
}

/* Whether the largest distance of each decade is far below that of the decade before, or all is
   rounding. */
static bool tends_to_0(const double *distances)
{
    double before = INFINITY;
    for (int decade = FIT_DECADE; decade < DECADES; decade++) {
        const double here = largest(distances, decade * PER_DECADE, (decade + 1) * PER_DECADE + 1);
        if (here > ROUNDING && !(here * FALLS < before)) return false;
        before = here;
    }
    return true;
}

/* The least kappa from which no distance exceeds `limit`; INFINITY if it does not exist. */
static double below_from(const kappa_series *s, const double *distances, double limit)
{
    int i = KAPPAS;
    while (i > 0 && distances[i - 1] <= limit) i--;
    return i < KAPPAS ? s->kappa[i] : INFINITY;
}

static ic_power_law law_of(const kappa_series *s, const double *values)
{
    return ic_power_law_fit(s->kappa + FIT, values + FIT, KAPPAS - FIT);
}

/* "; Newton's stays 0.349 m/s away" where it is not the limit, "; Newton's is the same" where it
   is. */
static void describe_others(char *text, size_t size, const kappa_series *s)
{
    static const char *const people[HYPOTHESES] = {"Newton", "Poisson", "Stronge"};
    size_t length = 0;
    text[0] = '\0';
    for (int h = NEWTON; h <= POISSON && length < size; h++) {
        const bool same = tends_to_0(s->to_v[h]);
        const int n = same ? snprintf(text + length, size - length, "; %s's is the same", people[h])
                           : snprintf(text + length, size - length, "; %s's stays %.3g m/s away", people[h],
                                      s->to_v[h][KAPPAS - 1]);
        if (n > 0) length += (size_t)n;
    }
}

static void find_limit(ic_study_data *data, const set *which, const kappa_series *s)
{
    const double *to = s->to_v[STRONGE];
    char others[160];
    describe_others(others, sizeof others, s);
    if (!tends_to_0(to)) {
        ic_study_finding(data, "%s (%s): does not tend to Stronge's answer%s.", which->name, which->description,
                         others);
        return;
    }
    const double exact = below_from(s, to, ROUNDING);
    if (exact < s->kappa[FIT]) {
        ic_study_finding(data, "%s (%s): equals Stronge's answer up to rounding from kappa = %.3g on%s.",
                         which->name, which->description, exact, others);
        return;
    }
    const ic_power_law law = law_of(s, to);
    ic_study_finding(data,
                     "%s (%s): a limit exists and is Stronge's answer; the distance of v falls like %.3g "
                     "kappa^%.3f m/s from "
                     "kappa = %g on, at most %.3g and at least %.3g times that%s.",
                     which->name, which->description, law.factor, law.exponent, s->kappa[FIT], law.highest,
                     law.lowest, others);
}

static void find_changes(ic_study_data *data, const set *which, const kappa_series *s)
{
    const ic_power_law law = law_of(s, s->changes);
    if (s->changes[FIT] == s->changes[KAPPAS - 1]) {
        ic_study_finding(data, "%s: %g stick/slip changes at kappa = %g, as many at %g.", which->name,
                         s->changes[FIT], s->kappa[FIT], s->kappa[KAPPAS - 1]);
        return;
    }
    ic_study_finding(data, "%s: %g stick/slip changes at kappa = 1, %g at %g, about %.3g kappa^%.2f.",
                     which->name, s->changes[0], s->changes[KAPPAS - 1], s->kappa[KAPPAS - 1], law.factor,
                     law.exponent);
}

static void find_practice(ic_study_data *data, const set *which, const kappa_series *s, double speed)
{
    int nearest = NEWTON;
    for (int h = POISSON; h < HYPOTHESES; h++) {
        if (s->to_v[h][0] < s->to_v[nearest][0]) nearest = h;
    }
    ic_study_finding(
        data,
        "%s: within %g %% of the speed before from kappa = %.3g on; at kappa = 1 Stronge's answer is %.3g m/s "
        "away, the nearest (%s) %.3g m/s.",
        which->name, 100 * CLOSE, below_from(s, s->to_v[STRONGE], CLOSE * speed), s->to_v[STRONGE][0],
        names[nearest], s->to_v[nearest][0]);
}

static bool is_exact(const kappa_series *s)
{
    return below_from(s, s->to_v[STRONGE], ROUNDING) < s->kappa[FIT];
}

/* ---- findings of all sets */

typedef struct limit_result {
    /* sets that tend to Stronge's answer */
    size_t to_stronge;

    /* sets that tend to Newton's or Poisson's, but not to Stronge's */
    size_t to_others;

    double spring_least, spring_most;
    char slow[96];
} limit_result;

static void join_series(limit_result *v, const kappa_series *s, const char *name)
{
    const ic_power_law spring = law_of(s, s->spring), law = law_of(s, s->to_v[STRONGE]);
    const bool stronge = tends_to_0(s->to_v[STRONGE]);
    v->to_stronge += stronge;
    v->to_others += !stronge && (tends_to_0(s->to_v[NEWTON]) || tends_to_0(s->to_v[POISSON]));
    v->spring_least = fmin(v->spring_least, spring.exponent);
    v->spring_most = fmax(v->spring_most, spring.exponent);
    if (law.exponent > SLOW && !is_exact(s)) ic_list_append(v->slow, sizeof v->slow, name);
}

static void find_verdict(ic_study_data *data, const limit_result *v)
{
    ic_study_finding(
        data,
        "%zu sets were examined: %zu tend to Stronge's answer for e = 1, and %zu to another one of the three.",
        IC_COUNT(sets), v->to_stronge, v->to_others);
    ic_study_finding(
        data,
        "The reason: at lift-off the normal spring has returned all its energy, at every kappa, which is Stronge's "
        "hypothesis for e = 1; and the most that the tangential spring holds falls like kappa^%.2f to "
        "kappa^%.2f, so that friction alone is left.",
        v->spring_least, v->spring_most);
    if (v->slow[0] == '\0') return;
    ic_study_finding(
        data,
        "The slow ones (%s) do not stick after the stop: the spring takes a time of order kappa^-1/2 to swing "
        "to "
        "the other edge of the friction cone, and nothing takes back what the velocity gains by that.",
        v->slow);
}

static double speed_before(const set *s, ic_error *error)
{
    ic_bar_run end;
    if (!ic_bar_solve(&end, IC_PATH("planar-bar/stronge[%s]", s->settings), false, error)) return NAN;
    return sqrt(2 * end.energy); /* m = 1 kg */
}

static void run_study(ic_study_data *data)
{
    limit_result v = {.spring_least = NAN, .spring_most = NAN};
    for (size_t i = 0; i < IC_COUNT(sets) && !data->failed; i++) {
        if (!add_set(data, &sets[i], &data->error)) data->failed = true;
    }
    if (data->failed) return;
    for (size_t i = 0; i < IC_COUNT(sets); i++) {
        kappa_series s;
        take_series(&s, data, i);
        find_limit(data, &sets[i], &s);
        if (!is_exact(&s)) {
            find_practice(data, &sets[i], &s, speed_before(&sets[i], &data->error));
            find_changes(data, &sets[i], &s);
        }
        join_series(&v, &s, sets[i].name);
    }
    find_verdict(data, &v);
}

IC_STUDY_TABLE(
    rigid_limit, "rigid-limit", "Planar bar: the regularized model as the tangential spring gets stiff",
    "Does the compliant impact tend to a rigid one as kappa grows, to which hypothesis, and how fast?");
