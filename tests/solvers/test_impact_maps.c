/* SPDX-License-Identifier: MIT */
/**
 * Rigid impact maps: the paper's values, a simple integration along P_y, the analytic solver on the
 * same models as hybrid systems, properties of every impact, and the solvers' logs. Each check
 * rejects a planted wrong answer.
 */
#include "core/model.h"
#include "core/random.h"
#include "registry/registry.h"
#include "solvers/rigid/impulse_plane.h"
#include "tests/machine.h"

#include <float.h>

IC_SUITE(solvers, "impact maps")

enum { NEWTON, POISSON, STRONGE, HYPOTHESES };
static const char *const names[HYPOTHESES] = {"newton", "poisson", "stronge"};

/* A corner adds some ten roundings, each half a DBL_EPSILON of a term; there are four corners, and
   a check adds a few roundings. */
#define ROUNDINGS (64 * DBL_EPSILON)

/* ---- numbers at random */

static uint64_t seed;

/* Uniform in [-1, 1). */
static double draw_number(void)
{
    return 2 * ic_uniform(&seed, 0, 1) - 1;
}

static bool one_in(int n)
{
    return draw_number() < -1 + 2.0 / n;
}

/* How close to singular W may be: |w_xy| <= this times sqrt(w_xx w_yy). Terms of the slopes of
   lines may then exceed their sum by the condition number. */
#define MOST_COUPLED 0.98
#define WORST_CONDITION (1 / (1 - MOST_COUPLED * MOST_COUPLED))

static ic_impact random_impact(void)
{
    ic_impact impact = {.w_xx = pow(10, draw_number()), .w_yy = pow(10, draw_number()), .k_x = 1, .k_y = 1};
    impact.w_xy = one_in(10) ? 0 : MOST_COUPLED * draw_number() * sqrt(impact.w_xx * impact.w_yy);
    impact.mu = one_in(10) ? 0 : pow(10, draw_number());
    impact.e = one_in(10) ? 0 : 0.5 * (1 + draw_number());
    if (one_in(10)) impact.e = 1;
    impact.v[0] = one_in(10) ? 0 : 3 * draw_number();
    impact.v[1] = -pow(10, 0.5 * draw_number());
    return impact;
}

/* ---- what holds of a result */

static ic_impact_result apply_map(int hypothesis, const ic_impact *impact)
{
    ic_impact_result result;
    CU_ASSERT_EQUAL(ic_impact_maps[hypothesis]->map(&result, impact), IC_OK);
    return result;
}

static bool is_near(double a, double b, double tolerance)
{
    return fabs(a - b) <= tolerance;
}

/* Magnitudes of the terms of velocities, impulses and energies, relative to which rounding is
   measured. */
typedef struct sizes {
    double v[2], P[2], energy;
} sizes;

static sizes sizes_of(const ic_impact *impact, const ic_impact_result *result)
{
    sizes s = {.energy = 0};
    for (size_t k = 0; k < result->n_path; k++) {
        for (int i = 0; i < 2; i++) s.P[i] = fmax(s.P[i], fabs(result->path[k].P[i]));
    }
    s.v[0] = fabs(impact->v[0]) + impact->w_xx * s.P[0] + fabs(impact->w_xy) * s.P[1];
    s.v[1] = fabs(impact->v[1]) + fabs(impact->w_xy) * s.P[0] + impact->w_yy * s.P[1];
    s.energy = s.v[0] * s.P[0] + s.v[1] * s.P[1];
    return s;
}

/* Kinetic energy lost: -v(0) P - P W P/2. */
static double kinetic_energy_lost(const ic_impact *impact, const double P[2])
{
    const double PWP = impact->w_xx * P[0] * P[0] + 2 * impact->w_xy * P[0] * P[1] + impact->w_yy * P[1] * P[1];
    return -impact->v[0] * P[0] - impact->v[1] * P[1] - 0.5 * PWP;
}

static double kinetic_energy(const ic_impact *impact)
{
    const double v_x = impact->v[0], v_y = impact->v[1];
    return 0.5 * (impact->w_yy * v_x * v_x - 2 * impact->w_xy * v_x * v_y + impact->w_xx * v_y * v_y) /
           (impact->w_xx * impact->w_yy - impact->w_xy * impact->w_xy);
}

static bool is_event(const ic_impact_point *point, const char *name)
{
    return strcmp(point->event, name) == 0;
}

static size_t count_events(const ic_impact_result *result, const char *name)
{
    size_t count = 0;
    for (size_t k = 0; k < result->n_path; k++) count += is_event(&result->path[k], name);
    return count;
}

static const ic_impact_point *corner(const ic_impact_result *result, const char *name)
{
    for (size_t k = 0; k < result->n_path; k++) {
        if (is_event(&result->path[k], name)) return &result->path[k];
    }
    return NULL;
}

/* start; stop at most once; end of compression at v_y = 0; lift-off, which is the result. */
static bool has_good_corners(const ic_impact *impact, const ic_impact_result *result)
{
    const ic_impact_point *path = result->path, *end = path + result->n_path - 1;
    const size_t stops = count_events(result, IC_IMPACT_STOP);
    if (result->n_path != 3 + stops || stops > 1) return false;
    if (!is_event(path, "start") || path->P[0] != 0 || path->P[1] != 0 || path->D_N != 0) return false;
    if (path->v[0] != impact->v[0] || path->v[1] != impact->v[1]) return false;
    if (count_events(result, IC_IMPACT_COMPRESSION_END) != 1) return false;
    if (corner(result, IC_IMPACT_COMPRESSION_END)->v[1] != 0) return false;
    if (stops > 0 && corner(result, IC_IMPACT_STOP)->v[0] != 0) return false;
    if (!is_event(end, IC_IMPACT_LIFT_OFF) || end->mode != IC_IMPACT_LIFTED_OFF) return false;
    return end->v[0] == result->v[0] && end->v[1] == result->v[1] && end->P[0] == result->P[0] &&
           end->P[1] == result->P[1] && end->D_N == result->D_N;
}

/* Coulomb's law on a piece in its mode. */
static bool obeys_coulomb(const ic_impact *impact, const ic_impact_point *a, const ic_impact_point *b,
                          const sizes *s)
{
    const double P_x = b->P[0] - a->P[0], P_y = b->P[1] - a->P[1];
    const double rounding = ROUNDINGS * s->P[0];
    switch (a->mode) {
    case IC_IMPACT_RIGID_STICKING:
        return a->v[0] == 0 && b->v[0] == 0 && fabs(P_x) <= impact->mu * P_y + rounding;
    case IC_IMPACT_RIGID_PLUS: return a->v[0] >= 0 && b->v[0] >= 0 && is_near(P_x, -impact->mu * P_y, rounding);
    case IC_IMPACT_RIGID_MINUS: return a->v[0] <= 0 && b->v[0] <= 0 && is_near(P_x, impact->mu * P_y, rounding);
    default: return P_x == 0 && P_y == 0; /* e = 0: lift-off at the end of compression */
    }
}

static bool has_good_pieces(const ic_impact *impact, const ic_impact_result *result)
{
    const sizes s = sizes_of(impact, result);
    for (size_t k = 1; k < result->n_path; k++) {
        const ic_impact_point *a = &result->path[k - 1], *b = a + 1;
        const double v_x = impact->v[0] + impact->w_xx * b->P[0] + impact->w_xy * b->P[1];
        const double v_y = impact->v[1] + impact->w_xy * b->P[0] + impact->w_yy * b->P[1];
        const double D_N = -0.5 * (a->v[1] + b->v[1]) * (b->P[1] - a->P[1]);
        if (b->P[1] < a->P[1] || !obeys_coulomb(impact, a, b, &s)) return false;
        if (!is_near(b->v[0], v_x, ROUNDINGS * s.v[0]) || !is_near(b->v[1], v_y, ROUNDINGS * s.v[1]))
            return false;
        if (!is_near(b->D_N - a->D_N, D_N, ROUNDINGS * s.energy)) return false;
    }
    return true;
}

/* No penetration, impulse in the cone, consistent energies, friction that only dissipates. */
static bool has_good_end(const ic_impact *impact, const ic_impact_result *result)
{
    const sizes s = sizes_of(impact, result);
    const double lost = kinetic_energy_lost(impact, result->P), rounding = ROUNDINGS * s.energy;
    return result->v[1] >= 0 && fabs(result->P[0]) <= impact->mu * result->P[1] + ROUNDINGS * s.P[0] &&
           is_near(result->D_N + result->D_T, lost, rounding) && result->D_T >= -rounding;
}

static bool is_sound(const ic_impact *impact, const ic_impact_result *result)
{
    return has_good_corners(impact, result) && has_good_pieces(impact, result) && has_good_end(impact, result);
}

static bool follows_hypothesis(int hypothesis, const ic_impact *impact, const ic_impact_result *result)
{
    const ic_impact_point *compressed = corner(result, IC_IMPACT_COMPRESSION_END);
    const sizes s = sizes_of(impact, result);
    const double e = impact->e;
    if (compressed == NULL) return false;
    switch (hypothesis) {
    case NEWTON: return is_near(result->v[1], -e * impact->v[1], ROUNDINGS * s.v[1]);
    case POISSON: return is_near(result->P[1], (1 + e) * compressed->P[1], ROUNDINGS * s.P[1]);
    default: return is_near(result->D_N, (1 - e * e) * compressed->D_N, ROUNDINGS * s.energy);
    }
}

/* ---- the paper's bar */

/* Kecskemethy & Lange 1999, section 3.3: l = 0.5, rho = 1/(2 sqrt 3), 45 degrees: (l/rho)^2 = 3. */
static const ic_impact paper = {
    .v = {0.8, -1}, .w_xx = 2.5, .w_xy = -1.5, .w_yy = 2.5, .mu = 1, .e = 1, .k_x = 1, .k_y = 1};

/* Half a unit of the last printed digit. */
#define DIGITS_5 5e-6
#define DIGITS_4 5e-5

static double angular_velocity(const double P[2])
{
    return 0.5 * 12 * sqrt(0.5) * (P[1] - P[0]); /* l (sin phi P_y - cos phi P_x)/(m rho^2) */
}

IC_TEST(test_paper)
{
    static const struct {
        double v_y, phi_dot, D_N;
    } published[HYPOTHESES] = {{1, 2.9698, -0.18}, {0.52, 2.4607, 0.048}, {0.65115, 2.5998, 0}};
    for (int h = 0; h < HYPOTHESES; h++) {
        const ic_impact_result result = apply_map(h, &paper);
        CU_ASSERT_EQUAL(result.v[0], 0);
        CU_ASSERT(is_near(result.v[1], published[h].v_y, DIGITS_5));
        CU_ASSERT(is_near(angular_velocity(result.P), published[h].phi_dot, DIGITS_4));
        CU_ASSERT(is_near(result.D_N, published[h].D_N, ROUNDINGS));
        const int other = (h + 1) % HYPOTHESES; /* planted */
        CU_ASSERT_FALSE(is_near(result.v[1], published[other].v_y, DIGITS_5));
        CU_ASSERT_FALSE(is_near(angular_velocity(result.P), published[other].phi_dot, DIGITS_4));
        CU_ASSERT_FALSE(is_near(result.D_N, published[other].D_N, ROUNDINGS));
        CU_ASSERT(is_sound(&paper, &result) && follows_hypothesis(h, &paper, &result));
        CU_ASSERT_FALSE(follows_hypothesis(other, &paper, &result));
    }
}

/* ---- a naive integration along P_y */

enum { NAIVE_STEPS = 20000, NAIVE_SETS = 200, MOST_NAIVE = 100 * NAIVE_STEPS };

typedef struct naive {
    double v[2], P[2], D_N, D_T, P_C, D_C;
    bool compressed;
} naive;

/* In each step friction acts to end at v_x = 0. The method knows no stop, no sticking and no
   reversal. */
static void naive_step(naive *n, const ic_impact *impact, double h)
{
    const double wanted = -(n->v[0] + impact->w_xy * h) / (impact->w_xx * h);
    const double slope = fmax(-impact->mu, fmin(impact->mu, wanted));
    const double v_x = n->v[0], v_y = n->v[1];
    n->v[0] += (impact->w_xx * slope + impact->w_xy) * h;
    n->v[1] += (impact->w_xy * slope + impact->w_yy) * h;
    n->P[0] += slope * h;
    n->P[1] += h;
    n->D_N -= 0.5 * h * (v_y + n->v[1]);
    n->D_T -= 0.5 * h * slope * (v_x + n->v[0]);
    if (n->compressed || n->v[1] < 0) return;
    n->compressed = true;
    n->P_C = n->P[1];
    n->D_C = n->D_N;
}

static bool naive_ends(const naive *n, int hypothesis, const ic_impact *impact)
{
    const double e = impact->e;
    if (!n->compressed) return false;
    switch (hypothesis) {
    case NEWTON: return n->v[1] >= -e * impact->v[1];
    case POISSON: return n->P[1] >= (1 + e) * n->P_C;
    default: return n->D_N <= (1 - e * e) * n->D_C;
    }
}

static naive creep_step(int hypothesis, const ic_impact *impact, double h)
{
    naive n = {.v = {impact->v[0], impact->v[1]}};
    for (int i = 0; i < MOST_NAIVE && !naive_ends(&n, hypothesis, impact); i++) naive_step(&n, impact, h);
    return n;
}

/* A trial step of at most a hundredth of the way shows how long the way is; it is then taken in
   NAIVE_STEPS. */
static naive integrate_impact(int hypothesis, const ic_impact *impact, double *h)
{
    const double steepest = impact->w_yy + impact->mu * fabs(impact->w_xy);
    const naive first = creep_step(hypothesis, impact, -impact->v[1] / steepest / 100);
    *h = first.P[1] / NAIVE_STEPS;
    return creep_step(hypothesis, impact, *h);
}

/* Stop, end of compression and lift-off are each located to a step. An error of one step at the end
   of a line is magnified on the next by the ratio of the two slopes of v_y; and Poisson's
   hypothesis doubles the error at the end of compression. */
static double naive_tolerance(const ic_impact *impact, double h)
{
    const double steepest = impact->w_yy + impact->mu * fabs(impact->w_xy);
    const double flattest = impact->w_yy - impact->w_xy * impact->w_xy / impact->w_xx;
    return 4 * h * steepest / flattest;
}

static bool agrees_with_naive(const ic_impact *impact, const ic_impact_result *result, const naive *n, double h)
{
    const double P = naive_tolerance(impact, h), slope = fmax(1, impact->mu);
    const double v_x = (impact->w_xx * slope + fabs(impact->w_xy)) * P;
    const double v_y = (fabs(impact->w_xy) * slope + impact->w_yy) * P;
    const sizes s = sizes_of(impact, result);
    return is_near(result->P[1], n->P[1], P) && is_near(result->P[0], n->P[0], slope * P) &&
           is_near(result->v[0], n->v[0], v_x) && is_near(result->v[1], n->v[1], v_y) &&
           is_near(result->D_N, n->D_N, s.v[1] * P) && is_near(result->D_T, n->D_T, slope * s.v[0] * P);
}

/* Matrices and friction for which the simple integration resolves enough. */
static ic_impact tame_impact(void)
{
    ic_impact impact = random_impact();
    impact.w_xy *= 0.85;
    impact.mu = fmin(impact.mu, 2);
    return impact;
}

IC_TEST(test_naive_integration)
{
    int rejected = 0;
    seed = 1;
    for (int i = 0; i < NAIVE_SETS; i++) {
        const ic_impact impact = tame_impact();
        ic_impact other = impact; /* planted: restitution and the diagonal of W off by a tenth */
        other.e = fabs(impact.e - 0.1);
        other.w_yy *= 1.1;
        for (int h = 0; h < HYPOTHESES; h++) {
            double step = 0;
            const naive n = integrate_impact(h, &impact, &step);
            const ic_impact_result result = apply_map(h, &impact), wrong = apply_map(h, &other);
            CU_ASSERT(agrees_with_naive(&impact, &result, &n, step));
            rejected += !agrees_with_naive(&impact, &wrong, &n, step);
        }
    }
    CU_ASSERT(rejected >= HYPOTHESES * NAIVE_SETS * 95 / 100);
}

/* ---- properties of every impact */

enum { SETS = 5000 };

/* Kinds of impact among the random sets. */
typedef struct tally {
    int slid_on, stuck_from_start, no_stop, turned_back, sticks, self_locks;
    int stop_in_compression, stop_in_restitution;

    /* D_N + D_T < 0, D_N < 0 */
    int creates[HYPOTHESES], gives_normal[HYPOTHESES];
} tally;

static void count_kind(tally *t, const ic_impact *impact, const ic_impact_result *result)
{
    const ic_impact_point *stop = corner(result, IC_IMPACT_STOP), *path = result->path;
    const double s = path->mode == IC_IMPACT_RIGID_PLUS ? 1 : path->mode == IC_IMPACT_RIGID_MINUS ? -1 : 0;
    t->self_locks += impact->w_yy - s * impact->mu * impact->w_xy <= 0;
    t->stuck_from_start += path->mode == IC_IMPACT_RIGID_STICKING;
    t->no_stop += stop == NULL && s != 0;
    if (stop == NULL) return;
    t->stop_in_compression += stop->v[1] < 0;
    t->stop_in_restitution += stop->v[1] > 0;
    t->sticks += stop->mode == IC_IMPACT_RIGID_STICKING;
    t->turned_back += stop->mode != IC_IMPACT_RIGID_STICKING && stop->mode != path->mode;
    t->slid_on += stop->mode == path->mode;
}

static bool all_kinds_occurred(const tally *t)
{
    return t->self_locks > 0 && t->stuck_from_start > 0 && t->no_stop > 0 && t->stop_in_compression > 0 &&
           t->stop_in_restitution > 0 && t->sticks > 0 && t->turned_back > 0;
}

/* Planted: results that no impact can have. */
static int rejected_of_spoiled(const ic_impact *impact, const ic_impact_result *result, int *spoiled)
{
    ic_impact_result wrong[7];
    int rejected = 0;
    for (size_t i = 0; i < IC_COUNT(wrong); i++) wrong[i] = *result;
    wrong[0].v[1] = -wrong[0].v[1] - 0.01;
    wrong[1].P[0] = -2 * impact->mu * result->P[1] - 0.01;
    wrong[2].D_T += 0.01;
    wrong[3].D_N -= 0.01;
    wrong[4].path[1].P[1] *= 1.01;
    wrong[5].n_path--;
    wrong[6].path[0].mode = impact->v[0] > 0 ? IC_IMPACT_RIGID_MINUS : IC_IMPACT_RIGID_PLUS;
    if (impact->v[0] == 0) wrong[6].path[0].mode = IC_IMPACT_LIFTED_OFF;
    *spoiled += (int)IC_COUNT(wrong);
    for (size_t i = 0; i < IC_COUNT(wrong); i++) rejected += !is_sound(impact, &wrong[i]);
    return rejected;
}

/* Every result is sound and follows its hypothesis; Poisson's and Stronge's create no energy.
   Newton's does, in 2 or 3 of 100 such sets. Poisson's may return more to the normal motion than
   compression took from it, but friction has taken more than that. */
IC_TEST(test_properties)
{
    tally t = {.slid_on = 0};
    int spoiled = 0, rejected = 0, mistaken = 0, restituting = 0;
    seed = 2;
    for (int i = 0; i < SETS; i++) {
        const ic_impact impact = random_impact();
        for (int h = 0; h < HYPOTHESES; h++) {
            const ic_impact_result result = apply_map(h, &impact);
            const double rounding = ROUNDINGS * sizes_of(&impact, &result).energy;
            CU_ASSERT(is_sound(&impact, &result));
            CU_ASSERT(follows_hypothesis(h, &impact, &result));
            t.creates[h] += result.D_N + result.D_T < -rounding;
            t.gives_normal[h] += result.D_N < -rounding;
            if (h == STRONGE) count_kind(&t, &impact, &result);
            rejected += rejected_of_spoiled(&impact, &result, &spoiled);
            /* planted: by another hypothesis; without reversal of slip they may agree */
            if (h == POISSON && impact.w_xy != 0 && impact.e > 0 && impact.mu > 0 && impact.v[0] != 0) {
                restituting++;
                mistaken += !follows_hypothesis(NEWTON, &impact, &result) ||
                            !follows_hypothesis(STRONGE, &impact, &result);
            }
        }
    }
    CU_ASSERT(all_kinds_occurred(&t));
    CU_ASSERT_EQUAL(t.slid_on, 0);
    CU_ASSERT_EQUAL(t.creates[POISSON], 0);
    CU_ASSERT_EQUAL(t.creates[STRONGE], 0);
    CU_ASSERT_EQUAL(t.gives_normal[STRONGE], 0);
    CU_ASSERT(t.creates[NEWTON] > 0 && t.gives_normal[POISSON] > 0);
    CU_ASSERT(rejected == spoiled);
    CU_ASSERT(mistaken > restituting / 4);
}

/* ---- symmetries: powers of two and signs do not change rounding */

static bool is_scaled(const ic_impact_result *a, const ic_impact_result *b, double factor, double mirror)
{
    bool same =
        a->n_path == b->n_path && b->D_N == factor * factor * a->D_N && b->D_T == factor * factor * a->D_T;
    for (size_t k = 0; same && k < a->n_path; k++) {
        const ic_impact_point *p = &a->path[k], *q = &b->path[k];
        same = is_event(p, q->event) && q->P[0] == mirror * factor * p->P[0] && q->P[1] == factor * p->P[1] &&
               q->v[0] == mirror * factor * p->v[0] && q->v[1] == factor * p->v[1];
    }
    return same;
}

IC_TEST(test_symmetries)
{
    static const double factors[] = {0x1p-20, 0.5, 8};
    int rejected = 0;
    seed = 3;
    for (int i = 0; i < SETS; i++) {
        const ic_impact impact = random_impact();
        for (int h = 0; h < HYPOTHESES; h++) {
            const double factor = factors[i % (int)IC_COUNT(factors)];
            const ic_impact_result result = apply_map(h, &impact);
            ic_impact other = impact;
            other.v[0] *= factor, other.v[1] *= factor;
            const ic_impact_result scaled = apply_map(h, &other);
            other = impact;
            other.v[0] *= -1, other.w_xy *= -1;
            const ic_impact_result mirrored = apply_map(h, &other);
            CU_ASSERT(is_scaled(&result, &scaled, factor, 1));
            CU_ASSERT(is_scaled(&result, &mirrored, 1, -1));
            rejected += !is_scaled(&result, &scaled, 1, 1); /* planted */
        }
    }
    CU_ASSERT_EQUAL(rejected, HYPOTHESES * SETS);
}

/* ---- where the hypotheses agree */

static bool have_same_end(const ic_impact *impact, const ic_impact_result *a, const ic_impact_result *b)
{
    const sizes s = sizes_of(impact, a);
    return is_near(a->P[0], b->P[0], ROUNDINGS * s.P[0]) && is_near(a->P[1], b->P[1], ROUNDINGS * s.P[1]) &&
           is_near(a->v[0], b->v[0], ROUNDINGS * s.v[0]) && is_near(a->v[1], b->v[1], ROUNDINGS * s.v[1]);
}

static int hypotheses_agree(const ic_impact *impact)
{
    const ic_impact_result newton = apply_map(NEWTON, impact), poisson = apply_map(POISSON, impact),
                           stronge = apply_map(STRONGE, impact);
    return have_same_end(impact, &newton, &poisson) + have_same_end(impact, &newton, &stronge);
}

/* A central impact, one without friction and one without restitution do not depend on the
   hypothesis. */
IC_TEST(test_agreement)
{
    int rejected = 0;
    seed = 4;
    for (int i = 0; i < SETS; i++) {
        const ic_impact impact = random_impact();
        ic_impact central = impact, smooth = impact, plastic = impact;
        central.w_xy = 0;
        smooth.mu = 0;
        plastic.e = 0;
        CU_ASSERT_EQUAL(hypotheses_agree(&central), 2);
        CU_ASSERT_EQUAL(hypotheses_agree(&smooth), 2);
        CU_ASSERT_EQUAL(hypotheses_agree(&plastic), 2);
        for (int h = 0; h < HYPOTHESES; h++) CU_ASSERT_EQUAL(apply_map(h, &plastic).v[1], 0);
        rejected += hypotheses_agree(&impact) < 2; /* planted */
    }
    CU_ASSERT(rejected > SETS / 3);
}

static bool conserves_energy(const ic_impact *impact)
{
    bool good = true;
    for (int h = 0; h < HYPOTHESES; h++) {
        const ic_impact_result result = apply_map(h, impact);
        ic_impact after = *impact;
        after.v[0] = result.v[0], after.v[1] = result.v[1];
        const double before = kinetic_energy(impact);
        good = good && is_near(kinetic_energy(&after), before, WORST_CONDITION * ROUNDINGS * before) &&
               is_near(result.D_N, 0, ROUNDINGS * before) && result.D_T == 0 && result.P[0] == 0;
    }
    return good;
}

IC_TEST(test_conservation)
{
    seed = 5;
    for (int i = 0; i < SETS; i++) {
        ic_impact impact = random_impact();
        impact.mu = 0;
        impact.e = 1;
        CU_ASSERT(conserves_energy(&impact));
        impact.e = 0.999; /* planted */
        CU_ASSERT_FALSE(conserves_energy(&impact));
    }
}

/* ---- continuity */

/* A relative change of a number by this... */
#define NUDGE 1e-9
/* ... moves the end by a multiple given by the condition number, on each of two lines. */
#define NUDGED (2 * WORST_CONDITION * NUDGE)

static bool nearly_same_end(const ic_impact *impact, const ic_impact_result *a, const ic_impact_result *b)
{
    const sizes s = sizes_of(impact, a);
    return is_near(a->P[0], b->P[0], NUDGED * s.P[1] * fmax(1, impact->mu)) &&
           is_near(a->P[1], b->P[1], NUDGED * s.P[1]) && is_near(a->v[0], b->v[0], NUDGED * s.v[0]) &&
           is_near(a->v[1], b->v[1], NUDGED * s.v[1]);
}

/* Across |w_xy| = mu w_xx the contact point sticks on one side and slides back on the other; on the
   boundary itself it sticks. */
IC_TEST(test_reversal_boundary)
{
    int stops = 0, rejected = 0;
    seed = 6;
    for (int i = 0; i < SETS; i++) {
        ic_impact at = random_impact();
        if (at.w_xy == 0) continue;
        at.w_xx = fabs(at.w_xy) / 0.5;
        at.w_yy = fmax(at.w_yy, 2 * at.w_xy * at.w_xy / at.w_xx);
        at.mu = 0.5;
        ic_impact below = at, above = at, far = at;
        below.mu *= 1 - NUDGE;
        above.mu *= 1 + NUDGE;
        far.mu *= 0.9; /* planted */
        for (int h = 0; h < HYPOTHESES; h++) {
            const ic_impact_result a = apply_map(h, &at), b = apply_map(h, &below), c = apply_map(h, &above);
            const ic_impact_result d = apply_map(h, &far);
            CU_ASSERT(nearly_same_end(&at, &a, &b));
            CU_ASSERT(nearly_same_end(&at, &a, &c));
            const ic_impact_point *stop = corner(&a, IC_IMPACT_STOP);
            if (stop == NULL) continue;
            stops++;
            rejected += !nearly_same_end(&at, &a, &d);
            CU_ASSERT_EQUAL(stop->mode, IC_IMPACT_RIGID_STICKING);
            CU_ASSERT_EQUAL(corner(&c, IC_IMPACT_STOP)->mode, IC_IMPACT_RIGID_STICKING);
            CU_ASSERT_EQUAL(corner(&b, IC_IMPACT_STOP)->mode,
                            at.w_xy > 0 ? IC_IMPACT_RIGID_PLUS : IC_IMPACT_RIGID_MINUS);
        }
    }
    CU_ASSERT(stops > SETS / 3);
    CU_ASSERT(rejected > stops * 9 / 10);
}

/* Lengths that agree to this are equal, as in the construction. */
#define TIE (8 * DBL_EPSILON)

/* Chosen so that the contact point stops exactly where compression ends (at = 1) or the bodies
   separate (at = 1 + e, w_xy = 0): one point, with the stop first. */
IC_TEST(test_coincidences)
{
    seed = 7;
    for (int i = 0; i < SETS; i++) {
        ic_impact impact = random_impact();
        const bool at_lift_off = one_in(2);
        if (at_lift_off) impact.w_xy = 0;
        const double s = draw_number() < 0 ? -1 : 1;
        const double a = fma(-impact.mu, impact.w_xx, s * impact.w_xy);
        const double b = fma(-impact.mu, s * impact.w_xy, impact.w_yy);
        if (a > -0.1 || b < 0.1 || (at_lift_off && impact.e == 0)) continue;
        impact.v[0] = s * a / b * impact.v[1] * (at_lift_off ? 1 + impact.e : 1);
        for (int h = 0; h < HYPOTHESES; h++) {
            const ic_impact_result result = apply_map(h, &impact);
            const ic_impact_point *stop = corner(&result, IC_IMPACT_STOP);
            CU_ASSERT(is_sound(&impact, &result));
            CU_ASSERT_FATAL(stop != NULL && result.n_path == 4);
            CU_ASSERT(is_event(stop + 1, at_lift_off ? IC_IMPACT_LIFT_OFF : IC_IMPACT_COMPRESSION_END));
            CU_ASSERT(stop[0].P[0] == stop[1].P[0] && stop[0].P[1] == stop[1].P[1]);
            /* planted: farther apart than the tolerance of simultaneity */
            ic_impact other = impact;
            other.v[0] *= 1 + 4 * TIE;
            const ic_impact_result apart = apply_map(h, &other);
            const ic_impact_point *late = corner(&apart, IC_IMPACT_STOP);
            CU_ASSERT(late == NULL || is_event(late - 1, IC_IMPACT_COMPRESSION_END));
        }
    }
}

/* ---- limits */

/* For mu -> inf, P_x = -v_x/w_xx at once, and then the contact sticks. The finite part is P_y =
   |v_x|/(mu w_xx - s w_xy), below 1/mu times this for |v_x| < 1 and the matrices drawn, and changes
   v_y by at most the slopes mu |w_xy| + w_yy. */
#define STOPS_WITHIN 20.0
/* v_y while sticking is clearly an approach. */
#define APPROACHES 0.01

static bool sticks_at_once(const ic_impact *impact, const ic_impact_result *result)
{
    const ic_impact_point *stop = &result->path[1];
    const sizes s = sizes_of(impact, result);
    const double P_x = -impact->v[0] / impact->w_xx, v_y = impact->v[1] + impact->w_xy * P_x;
    const double P_y = STOPS_WITHIN / impact->mu;
    return is_event(stop, IC_IMPACT_STOP) && stop->P[1] <= P_y &&
           is_near(stop->P[0], P_x, fabs(impact->w_xy) / impact->w_xx * P_y + ROUNDINGS * s.P[0]) &&
           is_near(stop->v[1], v_y,
                   (impact->w_yy + impact->w_xy * impact->w_xy / impact->w_xx) * P_y + ROUNDINGS * s.v[1]);
}

IC_TEST(test_limits_of_friction)
{
    static const double frictions[] = {1e8, 1e100, DBL_MAX};
    seed = 8;
    for (int i = 0; i < SETS; i++) {
        ic_impact impact = random_impact();
        impact.v[0] = draw_number();
        const double v_y = impact.v[1] - impact.w_xy * impact.v[0] / impact.w_xx;
        for (size_t k = 0; k < IC_COUNT(frictions); k++) {
            impact.mu = frictions[k];
            for (int h = 0; h < HYPOTHESES; h++) {
                ic_impact_result result = apply_map(h, &impact);
                CU_ASSERT(isfinite(result.D_N) && isfinite(result.D_T) && result.v[1] >= 0);
                /* compression ends during this part or close to it */
                if (v_y > -APPROACHES) continue;
                CU_ASSERT(sticks_at_once(&impact, &result));
                result.path[1].v[1] += APPROACHES; /* planted */
                CU_ASSERT_FALSE(sticks_at_once(&impact, &result));
            }
        }
    }
}

/* Sliding that stops in spite of b = 0 and of b < 0, in numbers that can be checked by hand: w =
   (2, 1, 1), mu = 1 or 2, v = (1, -1): u = v_x/(mu w_xx - w_xy), v_y = -1 + (1 - mu) u, then b =
   1/2. */
IC_TEST(test_self_locking)
{
    ic_impact impact = {.v = {1, -1}, .w_xx = 2, .w_xy = 1, .w_yy = 1, .mu = 1, .e = 0.5};
    ic_impact_result result = apply_map(STRONGE, &impact);
    CU_ASSERT(result.path[1].P[1] == 1 && result.path[1].v[1] == -1 && result.path[2].P[1] == 3);
    /* 1 + 1 */
    CU_ASSERT(result.path[2].D_N == 2);
    /* v^2/(2 b) = 2/4 */
    CU_ASSERT(is_near(result.v[1], 0.5 * sqrt(2), ROUNDINGS) && is_sound(&impact, &result));
    impact.mu = 2;
    result = apply_map(POISSON, &impact);
    CU_ASSERT(is_near(result.path[1].P[1], 1.0 / 3, ROUNDINGS) &&
              is_near(result.path[1].v[1], -4.0 / 3, ROUNDINGS));
    CU_ASSERT(is_near(result.path[2].P[1], 3, ROUNDINGS) && is_near(result.v[1], 0.75, ROUNDINGS));
    CU_ASSERT_FALSE(is_near(result.v[1], 0.5, ROUNDINGS)); /* planted: Newton's hypothesis */
    impact.mu = 1 - 0x1p-53;                               /* b close to 0 */
    result = apply_map(NEWTON, &impact);
    CU_ASSERT(is_near(result.path[2].P[1], 3, ROUNDINGS) && is_sound(&impact, &result));
    impact.v[0] = 1e30; /* slides so long that v_y exceeds the approach before the stop */
    result = apply_map(NEWTON, &impact);
    CU_ASSERT(result.n_path == 3 && result.v[1] == 0.5);
    CU_ASSERT_FALSE(result.path[1].P[1] == 3); /* planted */
}

/* All combinations of the ends of the range: numbers remain finite. */
IC_TEST(test_range)
{
    static const double magnitudes[] = {IC_LEAST_IMPACT, 1, IC_MOST_IMPACT}, couplings[] = {-0.9, 0, 0.9};
    static const double frictions[] = {0, DBL_TRUE_MIN, 1, DBL_MAX},
                        speeds[] = {0, DBL_TRUE_MIN, 1, IC_MOST_IMPACT};
    enum { COMBINATIONS = 3 * 3 * 3 * 3 * 4 * 4 };
    for (int i = 0; i < COMBINATIONS; i++) {
        const double w_xx = magnitudes[i % 3], w_yy = magnitudes[i / 3 % 3];
        const ic_impact impact = {.v = {speeds[i / 324], -magnitudes[i / 9 % 3]},
                                  .w_xx = w_xx,
                                  .w_xy = couplings[i / 27 % 3] * sqrt(w_xx * w_yy),
                                  .w_yy = w_yy,
                                  .mu = frictions[i / 81 % 4],
                                  .e = 0.5};
        for (int h = 0; h < HYPOTHESES; h++) {
            const ic_impact_result result = apply_map(h, &impact);
            CU_ASSERT(isfinite(result.v[0]) && isfinite(result.P[0]) && isfinite(result.P[1]));
            CU_ASSERT(isfinite(result.D_N) && isfinite(result.D_T) && result.v[1] >= 0);
            CU_ASSERT(has_good_corners(&impact, &result));
        }
    }
}

/* ---- invalid impacts */

IC_TEST(test_faults)
{
    static const struct {
        ic_impact impact;
        const char *fault;
    } rows[] = {
        {{{NAN, -1}, 1, 0, 1, 0, 1, 1, 1}, "the relative velocity is not finite"},
        {{{0, -INFINITY}, 1, 0, 1, 0, 1, 1, 1}, "the relative velocity is not finite"},
        {{{0, -1}, INFINITY, 0, 1, 0, 1, 1, 1}, "the inverse mass matrix is not finite"},
        {{{0, -1}, 1, NAN, 1, 0, 1, 1, 1}, "the inverse mass matrix is not finite"},
        {{{0, -1}, 1, 0, NAN, 0, 1, 1, 1}, "the inverse mass matrix is not finite"},
        {{{0, -1}, 1, 0, 1, INFINITY, 1, 1, 1}, "mu or e is not finite"},
        {{{0, -1}, 1, 0, 1, 0, NAN, 1, 1}, "mu or e is not finite"},
        {{{0, 0}, 1, 0, 1, 0, 1, 1, 1}, "the bodies do not approach: v_y >= 0"},
        {{{0, 1}, 1, 0, 1, 0, 1, 1, 1}, "the bodies do not approach: v_y >= 0"},
        {{{0, -1}, 1, 0, 1, -1e-9, 1, 1, 1}, "the coefficient of friction is negative"},
        {{{0, -1}, 1, 0, 1, 0, -1e-9, 1, 1}, "the coefficient of restitution lies outside [0, 1]"},
        {{{0, -1}, 1, 0, 1, 0, 1 + 1e-9, 1, 1}, "the coefficient of restitution lies outside [0, 1]"},
        {{{0, -1}, -1, 0, -1, 0, 1, 1, 1}, "the inverse mass matrix is not positive definite"},
        {{{0, -1}, 1, 1, 1, 0, 1, 1, 1}, "the inverse mass matrix is not positive definite"},
        {{{0, -1}, 0, 0, 1, 0, 1, 1, 1}, "the inverse mass matrix is not positive definite"},
        /* determinant -2^-60 */
        {{{0, -1}, 1 + 0x1p-29, 1 + 0x1p-30, 1, 0, 1, 1, 1},
         "the inverse mass matrix is not positive definite"},
        {{{0, -1e-80}, 1, 0, 1, 0, 1, 1, 1},
         "the relative velocity is out of range: magnitudes from 1e-75 to 1e75 m/s are computed with"},
        {{{1e80, -1}, 1, 0, 1, 0, 1, 1, 1},
         "the relative velocity is out of range: magnitudes from 1e-75 to 1e75 m/s are computed with"},
        {{{0, -1}, 1e-80, 0, 1, 0, 1, 1, 1},
         "the inverse mass matrix is out of range: magnitudes from 1e-75 to 1e75 per kg are computed with"},
        {{{0, -1}, 1, 0, 1e80, 0, 1, 1, 1},
         "the inverse mass matrix is out of range: magnitudes from 1e-75 to 1e75 per kg are computed with"},
        {{{0, -1}, 1, -1e80, 1, 0, 1, 1, 1},
         "the inverse mass matrix is out of range: magnitudes from 1e-75 to 1e75 per kg are computed with"},
    };
    CU_ASSERT_PTR_NULL(ic_impact_fault(&paper)); /* planted: valid input */
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const char *fault = ic_impact_fault(&rows[i].impact);
        CU_ASSERT(fault != NULL && strcmp(fault, rows[i].fault) == 0);
        for (size_t k = 0; k < ic_impact_map_count; k++) {
            ic_impact_result result = {.n_path = 3};
            CU_ASSERT_EQUAL(ic_impact_maps[k]->map(&result, &rows[i].impact), IC_INVALID);
            CU_ASSERT_EQUAL(result.n_path, 0);
        }
    }
    /* 2^-53 - 2^-60 + 2^-83, which rounded products do not show */
    const ic_impact thin = {
        .v = {0, -1}, .w_xx = 1 + 0x1p-30, .w_xy = 1, .w_yy = 1 - 0x1p-30 + 0x1p-53, .mu = 9, .e = 1};
    CU_ASSERT_PTR_NULL(ic_impact_fault(&thin));
}

/* Forbidden for a hypothesis: to end before the end of compression, and to continue with e = 0. */
static double end_too_early(const ic_restitution *r)
{
    return -r->compressed->P[1];
}

static double continue_beyond_end(const ic_restitution *r)
{
    return r->compressed->P[1];
}

IC_TEST(test_bad_hypotheses)
{
    ic_impact impact = paper;
    ic_impact_result result;
    CU_ASSERT_EQUAL(ic_impulse_path(&result, &impact, end_too_early), IC_OK);
    CU_ASSERT(has_good_corners(&impact, &result) && has_good_pieces(&impact, &result) && result.v[1] == 0);
    CU_ASSERT_EQUAL(ic_impulse_path(&result, &impact, continue_beyond_end), IC_OK);
    CU_ASSERT_FALSE(result.v[1] == 0); /* planted: Poisson's hypothesis with e = 1 */
    impact.e = 0;
    CU_ASSERT_EQUAL(ic_impulse_path(&result, &impact, continue_beyond_end), IC_OK);
    CU_ASSERT(is_sound(&impact, &result) && result.v[1] == 0);
}

IC_TEST(test_registry)
{
    CU_ASSERT_EQUAL_FATAL(ic_impact_map_count, HYPOTHESES);
    for (int i = 0; i < HYPOTHESES; i++) {
        const ic_impact_map *map = ic_impact_maps[i];
        CU_ASSERT_STRING_EQUAL(map->name, names[i]);
        CU_ASSERT(map->abi_version == IC_ABI_VERSION && map->struct_size == sizeof(ic_impact_map));
        CU_ASSERT(ic_impact_map_find(map->name) == map);
        CU_ASSERT(strlen(map->title) > 0 && strlen(map->source) > 0);
        const ic_solver *solver = ic_solver_find(map->name);
        CU_ASSERT(solver != NULL && strcmp(solver->variant, map->name) == 0);
    }
    CU_ASSERT_PTR_NULL(ic_impact_map_find("routh")); /* planted */
}

/* ---- the solvers, against the hybrid systems */

/* Opens a rigid variant of the bar with this impact; settings are exact. */
enum { SETTINGS = 8, SETTING = 40 };

static void open_bar(ic_setup *setup, const char *variant, const ic_impact *impact, double m)
{
    char path[32], text[SETTINGS][SETTING];
    const char *settings[SETTINGS];
    const struct {
        const char *name;
        double value;
    } rows[SETTINGS] = {
        {"m", m},           {"C_xx", impact->w_xx}, {"C_xy", impact->w_xy}, {"C_yy", impact->w_yy},
        {"mu", impact->mu}, {"e", impact->e},       {"vx", impact->v[0]},   {"vy", impact->v[1]},
    };
    ic_error error = {""};
    snprintf(path, sizeof path, "planar-bar/%s", variant);
    for (size_t i = 0; i < SETTINGS; i++) {
        snprintf(text[i], SETTING, "%s=%.17g", rows[i].name, rows[i].value);
        settings[i] = text[i];
    }
    const ic_request request = {.path = path, .settings = settings, .n_settings = SETTINGS};
    CU_ASSERT_FATAL(ic_setup_open(setup, &request, &error));
}

/* Two closed forms, each with its roundings in units of the scales, times the condition number of
   W. */
#define LOG_TOLERANCE (2 * WORST_CONDITION * ROUNDINGS)

static bool agrees_with_hybrid_system(const char *variant, const char *solver, const ic_impact *impact,
                                      double m, double share)
{
    IC_OWN(ic_setup) setup;
    open_bar(&setup, variant, impact, m);
    const ic_options options = {.samples = 21, .extremes = true};
    if (share > 0) { /* a run that stops early */
        IC_OWN(ic_log) *whole = ic_tests_solve(variant, &setup.problem, &options);
        setup.problem.t_end = share * ic_log_end(whole).t;
        setup.problem.t_end_text = NULL;
    }
    IC_OWN(ic_log) *a = ic_tests_solve("piecewise_linear", &setup.problem, &options);
    IC_OWN(ic_log) *b = ic_tests_solve(solver, &setup.problem, &options);
    const double energy = m * kinetic_energy(impact), last = ic_log_end(a).t;
    return ic_tests_same_run(a, b, LOG_TOLERANCE * fmax(1, fmax(last, energy)));
}

enum { HYBRID_SETS = 300 };

IC_TEST(test_hybrid_systems)
{
    int planted = 0, rejected = 0;
    seed = 9;
    for (int i = 0; i < HYBRID_SETS; i++) {
        ic_impact impact = random_impact();
        const double m = pow(2, 3 * draw_number()), share = one_in(3) ? 0.5 * (1 + draw_number()) : 0;
        for (int h = 0; h < HYPOTHESES; h++) {
            CU_ASSERT(agrees_with_hybrid_system(names[h], names[h], &impact, m, share));
            if (share > 0 || impact.e == 0 || impact.w_xy == 0 || impact.mu == 0) continue;
            planted++;
            rejected += !agrees_with_hybrid_system(names[h], names[(h + 1) % HYPOTHESES], &impact, m, share);
        }
    }
    CU_ASSERT(rejected >
              /* the others have no corner between the ends of compression and impact */
              planted / 3);
}

/* Degenerate impacts, at which the hybrid system is at zeros of its guards. */
IC_TEST(test_degenerate_hybrid_systems)
{
    static const ic_impact rows[] = {
        {{0, -1}, 2, 0.5, 1, 1, 0.5, 1, 1},       /* v_x = 0: sticks */
        {{0, -1}, 2, 0.5, 1, 0.1, 0.5, 1, 1},     /* v_x = 0: pushed to + */
        {{0, -1}, 2, -0.5, 1, 0.1, 0.5, 1, 1},    /* v_x = 0: pushed to - */
        {{0, -1}, 2, 0.5, 1, 0.25, 0.5, 1, 1},    /* v_x = 0 on the boundary |w_xy| = mu w_xx */
        {{0.1, -1}, 2, -0.5, 1, 0.25, 0.5, 1, 1}, /* a stop on the boundary */
        {{1, -1}, 2, 0.5, 1, 0.25, 0.5, 1, 1},    /* slides on the boundary indefinitely */
        {{1, -1}, 2, 0.5, 1, 0, 0.5, 1, 1},       /* no friction */
        {{1, -1}, 2, 0, 1, 0.2, 0.5, 1, 1},       /* central */
        {{0, -1}, 2, 0, 1, 0, 1, 1, 1},           /* straight, central, no friction */
        {{0.3, -1}, 2, 0.5, 1, 1, 0, 1, 1},       /* e = 0, sticking */
        {{3, -1}, 2, 0.5, 1, 1, 0, 1, 1},         /* e = 0, sliding */
        {{1, -1}, 2, 0, 1, 0.5, 0.5, 1, 1},       /* stops where compression ends */
        {{1, -1}, 2, 0, 1, 0.5, 0, 1, 1},         /* the same with e = 0 */
        {{-2, -1}, 2, 0, 1, 0.5, 1, 1, 1},        /* stops where the bodies separate */
        {{1, -1}, 2, 1, 1, 1, 0.5, 1, 1},         /* b = 0 */
        {{1, -1}, 2, 1, 1, 2, 0.5, 1, 1},         /* b < 0: self-locking */
        {{1, -1}, 2, 1, 1, 1e6, 0.5, 1, 1},       /* sticks almost at once */
    };
    static const double shares[] = {0, 0.3, 1.5};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_impact other = rows[i]; /* planted */
        other.e = 0.25;
        for (int h = 0; h < HYPOTHESES; h++) {
            for (size_t k = 0; k < IC_COUNT(shares); k++) {
                CU_ASSERT(agrees_with_hybrid_system(names[h], names[h], &rows[i], 2, shares[k]));
            }
        }
        const ic_impact_result a = apply_map(STRONGE, &rows[i]), b = apply_map(STRONGE, &other);
        CU_ASSERT_FALSE(have_same_end(&rows[i], &a, &b));
    }
}

/* ---- requests, and refusals */

static ic_status status_of(const char *solver, const ic_problem *problem, const ic_options *options,
                           const char *message)
{
    IC_OWN(ic_log) *log = ic_log_new(problem);
    const ic_status status = ic_solver_find(solver)->solve(log, problem, options);
    const bool reported = strstr(ic_log_text(log), message) != NULL;
    CU_ASSERT(reported);
    return reported ? status : IC_IO;
}

static void no_impact(ic_impact *impact, const double *par)
{
    (void)par;
    *impact = paper;
    impact->v[1] = 1;
}

static void no_stiffness(ic_impact *impact, const double *par)
{
    (void)par;
    *impact = paper;
    impact->k_y = 0;
}

#define LATE 10.0 /* s; t_start */

IC_TEST(test_requests)
{
    static const double x[IC_IMPACT_STATES] = {0};
    const ic_options defaults = {0}, few = {.max_steps = 2};
    IC_OWN(ic_setup) bar = ic_tests_setup(&(ic_request){.path = "planar-bar/kappa-1"});
    IC_OWN(ic_setup) ball = ic_tests_setup(&(ic_request){.path = "bouncing-ball/drop"});
    ic_case away = *bar.problem.system, limp = away;
    ic_problem started = bar.problem, leaves = bar.problem, gives_way = bar.problem, late = bar.problem;
    started.x_start = x;
    started.mode_start = IC_IMPACT_RIGID_STICKING;
    away.impact = no_impact;
    leaves.system = &away;
    limp.impact = no_stiffness;
    gives_way.system = &limp;
    late.t_start = LATE;
    for (int h = 0; h < HYPOTHESES; h++) {
        const char *name = names[h];
        CU_ASSERT_EQUAL(status_of(name, &ball.problem, &defaults, "no impact view"), IC_UNSUPPORTED);
        CU_ASSERT_EQUAL(status_of(name, &started, &defaults, "not from a given state"), IC_UNSUPPORTED);
        CU_ASSERT_EQUAL(status_of(name, &bar.problem, &few, ""), IC_TOO_MUCH_WORK);
        CU_ASSERT_EQUAL(status_of(name, &leaves, &defaults, "the bodies do not approach"), IC_INVALID);
        CU_ASSERT_EQUAL(status_of(name, &gives_way, &defaults, "stiffness"), IC_INVALID);
        /* planted: a valid request */
        CU_ASSERT_EQUAL(status_of(name, &bar.problem, &defaults, ""), IC_OK);
        /* uses its own hypothesis for any variant; the clock starts at t_start */
        const ic_impact_result result = apply_map(h, &paper);
        IC_OWN(ic_log) *log = ic_tests_solve(name, &late, &defaults);
        CU_ASSERT(is_near(ic_log_end(log).t, LATE + result.P[1], LATE * ROUNDINGS));
        CU_ASSERT_FALSE(is_near(ic_log_end(log).t, result.P[1], LATE * ROUNDINGS)); /* planted */
        CU_ASSERT(is_near(ic_log_end(log).x[IC_IMPACT_P_Y], result.P[1], ROUNDINGS));
    }
}
