/* SPDX-License-Identifier: MIT */
/**
 * dop853: its coefficients against all order conditions, the observed orders, work counts, many
 * crossings in one step, energy, and an onset that is not smooth.
 *
 * Order conditions (J. C. Butcher). A rooted tree t = [t_1, ..., t_m] of |t| vertices has
 *
 *     gamma(t) = |t| prod gamma(t_k),    u_i(t) = prod_k sum_j a_ij u_j(t_k),
 *
 * and weights b at the point s of the step are of order p if sum_i b_i u_i(t) = s^|t|/gamma(t) for
 * every |t| <= p. (The slope at the end counts as a stage.)
 */
#include "core/model.h"
#include "core/step_control.h"
#include "core/step_events.h"
#include "impactcheck/impactcheck.h"
#include "solvers/dop853_tableau.h"
#include "tests/machine.h"
#include "validation/subjects.h"

#include <float.h>

IC_SUITE(light, "dop853")

/* ---- order conditions */

enum { N = DOP853_ALL_STAGES, MOST_ORDER = 8, TREES = 200 };
static const int trees_of_order[MOST_ORDER + 1] = {0, 1, 1, 2, 4, 9, 20, 48, 115};

/* Tolerance of a condition in roundings of the sum of its terms' magnitudes: some 16 terms at each
   of up to seven levels, few of which add up. */
#define ROUNDINGS 16.0
/* Relative error of a coefficient that must be detected. */
#define WRONG_DIGIT 1e-10

/* A copy of the coefficients, to be modified. */
typedef struct tableau {
    double c[N], a[N][N - 1], error_5[DOP853_STAGES], error_root[DOP853_STAGES], weight_3[DOP853_STAGES],
        dense[DOP853_DENSE][N];
} tableau;

static tableau true_tableau(void)
{
    tableau t;
    memcpy(t.c, dop853_node, sizeof t.c);
    memcpy(t.a, dop853_a, sizeof t.a);
    memcpy(t.error_5, dop853_error_5, sizeof t.error_5);
    memcpy(t.error_root, dop853_error_root, sizeof t.error_root);
    memcpy(t.weight_3, dop853_weight_3, sizeof t.weight_3);
    memcpy(t.dense, dop853_dense, sizeof t.dense);
    return t;
}

typedef struct tree {
    /* number of nodes */
    int order;

    /* index of the last child, of children in the order of their indices; -1: none */
    int last;

    double gamma_of_children;

    /* elementary weights of the stages, and the same from magnitudes */
    double u[N], size[N];

    /* sum_j a_ij u_j */
    double next[N], next_size[N];
} tree;

static void add_subtree(tree *t, const tableau *numbers)
{
    for (int i = 0; i < N; i++) {
        t->next[i] = t->next_size[i] = 0;
        for (int j = 0; j < i; j++) {
            t->next[i] += numbers->a[i][j] * t->u[j];
            t->next_size[i] += fabs(numbers->a[i][j]) * t->size[j];
        }
    }
}

/* All rooted trees up to MOST_ORDER: each of more than one vertex is a smaller one with one more
   child at its root, not before its last child. */
static int list_trees(tree trees[TREES], const tableau *numbers)
{
    int first[MOST_ORDER + 2] = {0, 0, 1}, count = 1;
    trees[0] = (tree){.order = 1, .last = -1, .gamma_of_children = 1};
    for (int i = 0; i < N; i++) trees[0].u[i] = trees[0].size[i] = 1;
    add_subtree(&trees[0], numbers);
    for (int order = 2; order <= MOST_ORDER; order++) {
        for (int parent = 0; parent < first[order]; parent++) {
            const int rest = order - trees[parent].order;
            for (int child = first[rest]; child < first[rest + 1]; child++) {
                if (child < trees[parent].last) continue;
                tree *t = &trees[count++];
                *t = trees[parent];
                t->order = order;
                t->last = child;
                t->gamma_of_children *= trees[child].order * trees[child].gamma_of_children;
                for (int i = 0; i < N; i++) {
                    t->u[i] *= trees[child].next[i];
                    t->size[i] *= trees[child].next_size[i];
                }
                add_subtree(t, numbers);
            }
        }
        first[order + 1] = count;
    }
    return count;
}

/* Order of weights b at the point s: the greatest p for which all conditions up to p hold.
   as_error: the sums must vanish instead. */
static int order_of_weights(const tree trees[TREES], const double *b, int n, double s, bool as_error)
{
    for (int k = 0; k < TREES; k++) {
        const double gamma = trees[k].order * trees[k].gamma_of_children;
        double sum = as_error ? 0 : -pow(s, trees[k].order) / gamma, size = fabs(sum);
        for (int i = 0; i < n; i++) {
            sum += b[i] * trees[k].u[i];
            size += fabs(b[i]) * trees[k].size[i];
        }
        if (!(fabs(sum) <= ROUNDINGS * DBL_EPSILON * size)) return trees[k].order - 1;
    }
    return MOST_ORDER;
}

/* Weights of the interpolant at the point s: the formula at the top of solvers/dop853.c with k_i
   for x. */
static void weights_at(double w[N], const tableau *t, double s)
{
    const double q = 1 - s;
    for (int i = 0; i < N; i++) {
        const double b = i < DOP853_STAGES ? t->a[DOP853_END][i] : 0;
        const double bulge = (i == 0) - b, last = b - (i == DOP853_END) - bulge;
        const double d[DOP853_DENSE] = {t->dense[0][i], t->dense[1][i], t->dense[2][i], t->dense[3][i]};
        w[i] = s * (b + q * (bulge + s * (last + q * (d[0] + s * (d[1] + q * (d[2] + s * d[3]))))));
    }
}

static bool rows_add_up(const tableau *t)
{
    for (int i = 0; i < N; i++) {
        double sum = -t->c[i], size = fabs(t->c[i]);
        for (int j = 0; j < i; j++) {
            sum += t->a[i][j];
            size += fabs(t->a[i][j]);
        }
        if (!(fabs(sum) <= ROUNDINGS * DBL_EPSILON * size)) return false;
    }
    return true;
}

/* Eight points inside the step determine the interpolant's polynomials of degree seven. */
static int order_of_interpolant(const tree trees[TREES], const tableau *t)
{
    int order = MOST_ORDER;
    for (int k = 1; k <= 8; k++) {
        double w[N];
        weights_at(w, t, k / 9.0);
        const int here = order_of_weights(trees, w, N, k / 9.0, false);
        if (here < order) order = here;
    }
    return order;
}

static bool is_dop853(const tableau *t)
{
    static tree trees[TREES];
    list_trees(trees, t);
    return rows_add_up(t) && order_of_weights(trees, t->a[DOP853_END], DOP853_STAGES, 1, false) == 8 &&
           order_of_weights(trees, t->error_5, DOP853_STAGES, 1, true) == 5 &&
           order_of_weights(trees, t->error_root, DOP853_STAGES, 1, true) == 5 &&
           order_of_weights(trees, t->weight_3, DOP853_STAGES, 1, false) == 3 &&
           order_of_interpolant(trees, t) == 7;
}

IC_TEST(test_order_conditions)
{
    static tree trees[TREES];
    const tableau t = true_tableau();
    int count[MOST_ORDER + 1] = {0};
    CU_ASSERT_EQUAL(list_trees(trees, &t), TREES);
    for (int k = 0; k < TREES; k++) count[trees[k].order]++;
    for (int p = 1; p <= MOST_ORDER; p++) CU_ASSERT_EQUAL(count[p], trees_of_order[p]);
    CU_ASSERT(rows_add_up(&t));
    CU_ASSERT_EQUAL(order_of_weights(trees, t.a[DOP853_END], DOP853_STAGES, 1, false), 8);
    CU_ASSERT_EQUAL(order_of_weights(trees, t.error_5, DOP853_STAGES, 1, true), 5);
    CU_ASSERT_EQUAL(order_of_weights(trees, t.error_root, DOP853_STAGES, 1, true), 5);
    CU_ASSERT_EQUAL(order_of_weights(trees, t.weight_3, DOP853_STAGES, 1, false), 3);
    CU_ASSERT_EQUAL(order_of_interpolant(trees, &t), 7);
    CU_ASSERT(is_dop853(&t));
}

/* Planted: any coefficient with a wrong digit. */
static size_t misses_wrong_digit(tableau *t, double *coefficients, size_t n, size_t *tried)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        const double right = coefficients[i];
        if (right == 0) continue;
        coefficients[i] = right * (1 + WRONG_DIGIT);
        count += is_dop853(t);
        coefficients[i] = right;
        ++*tried;
    }
    return count;
}

IC_TEST(test_wrong_digits)
{
    tableau t = true_tableau();
    size_t tried = 0;
    CU_ASSERT_EQUAL(misses_wrong_digit(&t, t.c, N, &tried), 0);
    CU_ASSERT_EQUAL(misses_wrong_digit(&t, t.a[0], sizeof t.a / sizeof(double), &tried), 0);
    CU_ASSERT_EQUAL(misses_wrong_digit(&t, t.error_5, DOP853_STAGES, &tried), 0);
    CU_ASSERT_EQUAL(misses_wrong_digit(&t, t.error_root, DOP853_STAGES, &tried), 0);
    CU_ASSERT_EQUAL(misses_wrong_digit(&t, t.weight_3, DOP853_STAGES, &tried), 0);
    CU_ASSERT_EQUAL(misses_wrong_digit(&t, t.dense[0], sizeof t.dense / sizeof(double), &tried), 0);
    CU_ASSERT_EQUAL(tried, 15 + 82 + 8 + 8 + 3 + 48);
    CU_ASSERT(is_dop853(&t));
}

/* ---- onset of a force d^1.5 */

/* A step of d'' = -d^1.5: its end, and the slopes of v at its stages. */
typedef struct onset {
    double d, v, k[DOP853_STAGES];
} onset;

static onset step_from(double d, double v, double h)
{
    double slope[DOP853_STAGES] = {0};
    onset o = {d, v, {0}};
    for (int i = 0; i <= DOP853_END; i++) {
        o.d = d, o.v = v;
        for (int j = 0; j < i; j++) {
            o.d += h * dop853_a[i][j] * slope[j];
            o.v += h * dop853_a[i][j] * o.k[j];
        }
        if (i == DOP853_END) break;
        slope[i] = o.v;
        o.k[i] = -pow(fmax(o.d, 0), 1.5);
    }
    return o;
}

/*
 * Error of the velocity after a step of h from the onset with d = 0, v = 1, by steps that grow with
 * their number.
 */
static double onset_error(double h)
{
    enum { STEPS = 200 };
    onset truth = {0, 1, {0}};
    for (int i = 0; i < STEPS; i++)
        truth = step_from(truth.d, truth.v, h * (pow((i + 1.) / STEPS, 4) - pow((double)i / STEPS, 4)));
    return fabs(step_from(0, 1, h).v - truth.v);
}

/* The estimate of this error, from both combinations of fifth order or from the first alone. */
static double onset_estimate(double h, bool both)
{
    const onset o = step_from(0, 1, h);
    double e_5 = 0, e_root = 0, e_3 = 0;
    for (int i = 0; i < DOP853_STAGES; i++) {
        e_5 += dop853_error_5[i] * o.k[i];
        e_root += dop853_error_root[i] * o.k[i];
        e_3 += (dop853_a[DOP853_END][i] - dop853_weight_3[i]) * o.k[i];
    }
    const double sum = e_5 * e_5 + (both ? e_root * e_root : 0);
    return h * sum / sqrt(sum + 0.01 * e_3 * e_3);
}

/*
 * The estimate is not smaller than the error, whatever part of the contact (of some 3.2) a step is.
 */
IC_TEST(test_onset_is_not_underestimated)
{
    double least = INFINITY, planted = INFINITY, h = 0.05;
    for (int i = 0; i < 320; i++, h *= 1.01) {
        const double error = onset_error(h);
        least = fmin(least, onset_estimate(h, true) / error);
        planted = fmin(planted, onset_estimate(h, false) / error);
    }
    CU_ASSERT(least > 0.99);
    CU_ASSERT_FALSE(planted > 0.01);
}

/* ---- problems */

/* Kepler's ellipse of eccentricity e: x'' = -x/r^3, from the pericentre. Position: (cos E - e,
   sqrt(1 - e^2) sin E) with E - e sin E = t. The guard is the height y - LEVEL. */
enum { X, Y, VX, VY, STATES };
#define ECCENTRICITY 0.3

static double flow_calls;

static void flow_of_kepler(double *dxdt, double t, const double *x, const double *par)
{
    const double r = hypot(x[X], x[Y]);
    (void)t, (void)par;
    flow_calls++;
    dxdt[X] = x[VX];
    dxdt[Y] = x[VY];
    dxdt[VX] = -x[X] / (r * r * r);
    dxdt[VY] = -x[Y] / (r * r * r);
}

/* Distance from the exact position. */
static double distance_from_orbit(double t, const double *x)
{
    double eccentric = t;
    for (int i = 0; i < 50; i++) {
        eccentric -= (eccentric - ECCENTRICITY * sin(eccentric) - t) / (1 - ECCENTRICITY * cos(eccentric));
    }
    return hypot(x[X] - (cos(eccentric) - ECCENTRICITY),
                 x[Y] - sqrt(1 - ECCENTRICITY * ECCENTRICITY) * sin(eccentric));
}

static int start_at_pericentre(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre, (void)par;
    x[X] = 1 - ECCENTRICITY;
    x[Y] = x[VX] = 0;
    x[VY] = sqrt((1 + ECCENTRICITY) / (1 - ECCENTRICITY));
    return 0;
}
static const ic_branch to_orbit[] = {{.mode = 0}};

/* level of the guard y: par[0] */
static const ic_parameter parameters[] = {{"level", "1", "height of the guard", "0", "(-inf, inf)"}};

IC_TESTS_VALUE(guard_height, x[Y] - par[0])
IC_TESTS_VALUE(rate_of_height, x[VY])
static int continue_run(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    memcpy(x_post, x_pre, STATES * sizeof *x_post);
    return 0;
}

static const ic_guard heights[] = {{.name = "height",
                                    .unit = "1",
                                    .meaning = "",
                                    .value = guard_height,
                                    .rate = rate_of_height,
                                    .jump = {.apply = continue_run, .branches = to_orbit, .n_branches = 1}}};

/* Scales so large that every step is accepted, and a time scale such that the first step has the
   greatest allowed length: the steps are those of the option `step`. */
static const ic_state coarse_states[STATES] = {
    {"x", "1", "", "1e6"}, {"y", "1", "", "1e6"}, {"vx", "1", "", "1e6"}, {"vy", "1", "", "1e6"}};
static const ic_state states[STATES] = {
    {"x", "1", "", "1"}, {"y", "1", "", "1"}, {"vx", "1", "", "1"}, {"vy", "1", "", "1"}};

typedef struct orbit {
    ic_mode mode;
    ic_variant variant;
    ic_case system;
    ic_problem problem;
    double level;
} orbit;

static void orbit_open(orbit *o, const ic_state *with_states, bool guarded, double level, double t_end)
{
    *o = (orbit){.level = level};
    o->mode = (ic_mode){.name = "orbit", .meaning = "", .flow = flow_of_kepler};
    if (guarded) o->mode.guards = heights, o->mode.n_guards = 1;
    o->variant = (ic_variant){.name = "kepler",
                              .meaning = "",
                              .modes = &o->mode,
                              .n_modes = 1,
                              .start = {.apply = start_at_pericentre, .branches = to_orbit, .n_branches = 1}};
    o->system =
        (ic_case){IC_ABI(ic_case),   .name = "kepler",      .title = "",        .parameters = parameters,
                  .n_parameters = 1, .states = with_states, .n_states = STATES, .variants = &o->variant,
                  .n_variants = 1,   .time_scale = "100"};
    o->problem = (ic_problem){.system = &o->system, .variant = &o->variant, .par = &o->level, .t_end = t_end};
}

static ic_log *orbit_run(const orbit *o, const ic_options *options)
{
    flow_calls = 0;
    ic_log *log = ic_tests_solve("dop853", &o->problem, options);
    CU_ASSERT_EQUAL(ic_log_work(log)->flow_calls, flow_calls); /* the count is correct */
    return log;
}

/* ---- orders */

/* Steps of 0.4, 0.2, ...: the next term of the error is some per cent of the leading one, and the
   last error is still at least ten roundings. */
enum { LEVELS = 4, SAMPLES = 9 };
#define LONGEST_STEP 0.4
#define MANY 5
#define ORDER_SHORTFALL 0.3

/* Slope of log2(error) over the levels by least squares. */
static double fitted_order(const double *error)
{
    double sum = 0, squares = 0;
    for (int k = 0; k < LEVELS; k++) {
        const double x = k - 0.5 * (LEVELS - 1);
        sum += -log2(error[k]) * x;
        squares += x * x;
    }
    return sum / squares;
}

static double error_of_samples(const ic_log *log)
{
    double most = 0;
    for (size_t i = 0; i < ic_log_sample_count(log); i++) {
        const ic_sample s = ic_log_sample_at(log, i);
        most = fmax(most, distance_from_orbit(s.t, s.x));
    }
    return most;
}

/* A single step has an error of one order more than the method: 9 at its end, 8 inside by the
   interpolant; many steps: 8. */
IC_TEST(test_orders)
{
    double step_end[LEVELS], step_inside[LEVELS], many[LEVELS];
    orbit o;
    for (int level = 0; level < LEVELS; level++) {
        const double h = LONGEST_STEP / (1 << level);
        const ic_options options = {.rtol = 1, .step = h, .samples = SAMPLES};
        orbit_open(&o, coarse_states, false, 0, h);
        IC_OWN(ic_log) *log = orbit_run(&o, &options);
        CU_ASSERT_EQUAL(ic_log_work(log)->steps, 1);
        step_end[level] = distance_from_orbit(h, ic_log_end(log).x);
        step_inside[level] = error_of_samples(log);
        orbit_open(&o, coarse_states, false, 0, MANY * LONGEST_STEP);
        IC_OWN(ic_log) *many_steps = orbit_run(&o, &(ic_options){.rtol = 1, .step = h});
        CU_ASSERT_EQUAL(ic_log_work(many_steps)->steps, MANY * (1 << level));
        many[level] = distance_from_orbit(MANY * LONGEST_STEP, ic_log_end(many_steps).x);
    }
    CU_ASSERT(fabs(fitted_order(step_end) - 9) <= ORDER_SHORTFALL);
    CU_ASSERT(fabs(fitted_order(step_inside) - 8) <= ORDER_SHORTFALL);
    CU_ASSERT(fabs(fitted_order(many) - 8) <= ORDER_SHORTFALL);
    /* planted: one order less */
    for (int level = 0; level < LEVELS; level++) many[level] *= 1 << level;
    CU_ASSERT_FALSE(fabs(fitted_order(many) - 8) <= ORDER_SHORTFALL);
}

/* The tolerance determines the error, and its eighth root the number of steps: an estimate by the
   fifth order alone, which is of order h^6, would use the sixth root. */
#define TURN 6.283185307179586
#define TURNS 4
enum { TOLERANCES = 4 };
#define LEAST_RTOL 1e-12
#define MOST_RTOL 1e-6
#define MOST_EXPONENT (1. / 7)
/* A step errs by rtol (1 + |x|), some 2 rtol; for the energy this changes the angular speed by
   three times as much, for half of the time on average. */
static double orbit_tolerance(double steps, double rtol)
{
    return steps * 2 * rtol * 3 * TURNS * TURN / 2;
}

IC_TEST(test_tolerance)
{
    orbit o;
    double fewest = INFINITY, most = 0;
    orbit_open(&o, states, false, 0, TURNS * TURN);
    for (int i = 0; i < TOLERANCES; i++) {
        const double rtol = MOST_RTOL * pow(LEAST_RTOL / MOST_RTOL, i / (TOLERANCES - 1.));
        IC_OWN(ic_log) *log = orbit_run(&o, &(ic_options){.rtol = rtol});
        const double error = distance_from_orbit(TURNS * TURN, ic_log_end(log).x);
        const double steps = ic_log_work(log)->steps;
        CU_ASSERT(error <= orbit_tolerance(steps, rtol));
        CU_ASSERT_FALSE(error + 1e-2 <= orbit_tolerance(steps, rtol)); /* planted */
        fewest = fmin(fewest, steps);
        most = fmax(most, steps);
    }
    CU_ASSERT(most / fewest <= pow(MOST_RTOL / LEAST_RTOL, MOST_EXPONENT));
    CU_ASSERT_FALSE(pow(MOST_RTOL / LEAST_RTOL, 1. / 6) <=
                    pow(MOST_RTOL / LEAST_RTOL, MOST_EXPONENT)); /* planted */
}

/* ---- work and events */

/* Twelve calls per step and one at the start; three more for a step that is searched. */
IC_TEST(test_flow_calls)
{
    orbit o;
    const double until = 10 * LONGEST_STEP;
    const ic_options coarse = {.rtol = 1, .step = LONGEST_STEP};
    const ic_options sampled = {
        .rtol = 1, .step = LONGEST_STEP, .samples = 5}; /* in four steps: at 1, 2, 3, 4 */
    orbit_open(&o, coarse_states, false, 0, until);
    ic_log_free(orbit_run(&o, &coarse));
    CU_ASSERT_EQUAL(flow_calls, 1 + 12 * 10);
    ic_log_free(orbit_run(&o, &sampled));
    CU_ASSERT_EQUAL(flow_calls, 1 + 12 * 10 + 3 * 4);
    CU_ASSERT_NOT_EQUAL(flow_calls, 1 + 15 * 10);   /* planted: every step searched */
    orbit_open(&o, coarse_states, true, 10, until); /* a guard that never comes near zero */
    IC_OWN(ic_log) *guarded = orbit_run(&o, &coarse);
    CU_ASSERT_EQUAL(flow_calls, 1 + 12 * 10);
    CU_ASSERT(ic_log_work(guarded)->guard_calls > 0);
    orbit_open(&o, coarse_states, true, 0.95,
               until); /* just above the top of the ellipse, 0.954: crossed twice */
    IC_OWN(ic_log) *crossing = orbit_run(&o, &coarse);
    CU_ASSERT_EQUAL(ic_log_event_count(crossing), 2);
    CU_ASSERT(flow_calls > 1 + 12 * 10);
}

/* A coarse step of half a turn that passes the top: both crossings of a guard just below the top
   lie inside it, and neither end of the step shows them. */
IC_TEST(test_pair_inside_a_step)
{
    static const double levels[] = {0.3, 0.9, 0.95, 0.9539};
    const double b = sqrt(1 - ECCENTRICITY * ECCENTRICITY);
    orbit o;
    for (size_t i = 0; i < IC_COUNT(levels); i++) {
        const double up = asin(levels[i] / b), down = TURN / 2 - up;
        orbit_open(&o, states, true, levels[i], TURN / 2);
        IC_OWN(ic_log) *log = orbit_run(&o, &(ic_options){.rtol = 1e-10});
        CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), 2);
        /* the flattest crossing has a rate of 0.01, which magnifies errors of the orbit a
           hundredfold */
        CU_ASSERT(fabs(ic_log_event_at(log, 0).t - (up - ECCENTRICITY * sin(up))) <= 100 * 1e-10 / 0.01);
        CU_ASSERT(fabs(ic_log_event_at(log, 1).t - (down - ECCENTRICITY * sin(down))) <= 100 * 1e-10 / 0.01);
        CU_ASSERT_FALSE(fabs(ic_log_event_at(log, 1).t - down) <= 100 * 1e-10 / 0.01); /* planted */
    }
    /* eight turns at a coarse tolerance: the same number of crossings, in steps that contain
       several */
    orbit_open(&o, states, true, 0.9, 8 * TURN);
    IC_OWN(ic_log) *log = orbit_run(&o, &(ic_options){.rtol = 1e-3});
    CU_ASSERT_EQUAL(ic_log_event_count(log), 16);
}

#define EVENT_TOLERANCE 1e-12
/* Plus the rounding of heights of 1, some 1e-16, over the least rate at a crossing, 4e-4. */
#define CROSSING_TOLERANCE (EVENT_TOLERANCE + 3e-13)

/* Heights that are polynomials of time of degree at most seven: the interpolant is exact, one step
   covers [0, 1]. */
static const double seven_roots[] = {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95};

static void through_seven_roots(double *dxdt, double t, const double *x, const double *par)
{
    (void)x, (void)par;
    memset(dxdt, 0, STATES * sizeof *dxdt);
    for (size_t i = 0; i < IC_COUNT(seven_roots); i++) { /* derivative of prod (t - r_i) */
        double product = 1;
        for (size_t k = 0; k < IC_COUNT(seven_roots); k++) product *= k == i ? 1 : t - seven_roots[k];
        dxdt[Y] += product;
    }
}

/* 1 - 32 t^2 (1-t)^2: level and high at both ends, with a dip to -1 between, of which values and
   rates at the ends show nothing. Zeros: t (1-t) = 1/sqrt(32). */
static void into_a_dip(double *dxdt, double t, const double *x, const double *par)
{
    (void)x, (void)par;
    memset(dxdt, 0, STATES * sizeof *dxdt);
    dxdt[Y] = -64 * t * (1 - t) * (1 - 2 * t);
}

static double polynomial_climb(double t, const double *x, const double *par);
static const ic_guard polynomial_height[] = {
    {.name = "height",
     .unit = "1",
     .meaning = "",
     .value = guard_height,
     .rate = polynomial_climb,
     .jump = {.apply = continue_run, .branches = to_orbit, .n_branches = 1}}};
static void (*polynomial_flow)(double *dxdt, double t, const double *x, const double *par);

static double polynomial_climb(double t, const double *x, const double *par)
{
    double dxdt[STATES];
    polynomial_flow(dxdt, t, x, par);
    return dxdt[Y];
}

static void check_crossings(void (*flow)(double *, double, const double *, const double *), double start,
                            const double *roots, size_t n)
{
    orbit o;
    const double x_start[STATES] = {[Y] = start};
    polynomial_flow = flow;
    orbit_open(&o, coarse_states, true, 0, 1);
    o.mode.flow = flow;
    o.mode.guards = polynomial_height;
    o.problem.x_start = x_start;
    const ic_solver *solver = ic_solver_find("dop853");
    IC_OWN(ic_log) *log =
        ic_tests_solve(solver->name, &o.problem, &(ic_options){.rtol = 1, .event_tol = EVENT_TOLERANCE});
    CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), n);
    /* one trial from each crossing to the end */
    CU_ASSERT_EQUAL(ic_log_work(log)->steps, (double)(n + 1));
    for (size_t i = 0; i < n; i++) {
        CU_ASSERT(fabs(ic_log_event_at(log, i).t - roots[i]) <= CROSSING_TOLERANCE);
        /* planted */
        CU_ASSERT_FALSE(fabs(ic_log_event_at(log, i).t - roots[i] - 1e-6) <= CROSSING_TOLERANCE);
    }
}

IC_TEST(test_crossings_inside_a_step)
{
    const double half = sqrt(0.25 - 1 / sqrt(32)), dip[] = {0.5 - half, 0.5 + half};
    double start = -1;
    for (size_t i = 0; i < IC_COUNT(seven_roots); i++) start *= seven_roots[i];
    check_crossings(through_seven_roots, start, seven_roots, IC_COUNT(seven_roots));
    check_crossings(into_a_dip, 1, dip, IC_COUNT(dip));
}

/* ---- contact laws */

/* Hertz' force d^1.5 is conservative: the speed after equals the speed before. The derivative of
   its slope is unbounded at the onset. */
#define ENERGY_DRIFT 1e-9
/* The onset reduces the step by factors of 3, and later steps grow by factors of 6: some twenty
   steps in addition to some thirty smooth ones, and as many rejected ones. */
#define MOST_STEPS 100.0

IC_TEST(test_onset_and_energy)
{
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "ball/hertz"});
    IC_OWN(ic_log) *log = ic_tests_solve("dop853", &setup.problem, &(ic_options){.rtol = 1e-11, .samples = 2});
    const ic_work *work = ic_log_work(log);
    const double ratio = ic_log_end(log).x[1] / ic_log_sample_at(log, 0).x[1]; /* of speeds */
    CU_ASSERT(fabs(ratio * ratio - 1) <= ENERGY_DRIFT);
    CU_ASSERT_FALSE(fabs(ratio * ratio * (1 + 1e-8) - 1) <= ENERGY_DRIFT); /* planted */
    /* it detected the onset */
    CU_ASSERT(work->rejected_steps > 0);
    CU_ASSERT(work->steps + work->rejected_steps <= MOST_STEPS); /* and recovered */
}

/* ---- landing on an event */

/* A step of length h from t = 2 ends where the guard is slope (h - zero); its rate is reported as
   `rate`. */
typedef struct landing {
    /* in the step */
    double zero, slope, rate, located;

    /* where it lands */
    double at;

    bool noted;
    ic_status status;
} landing;

typedef struct retaken {
    const landing *landing;
    double x[2], h;
} retaken;

static const double *retake_step(void *self, double h)
{
    retaken *r = self;
    r->h = h;
    r->x[0] = r->landing->slope * (h - r->landing->zero);
    r->x[1] = r->landing->rate;
    return r->x;
}

IC_TESTS_VALUE(first_state, x[0])
IC_TESTS_VALUE(second_state, x[1])

/* A step is corrected by the guard's rate; a correction that is too large, or leads before the
   start, is not applied, and a note reports it. */
IC_TEST(test_landing)
{
    static const landing landings[] = {
        {.zero = 0.45, .slope = 2, .rate = 2, .located = 0.4, .at = 0.45},
        {.zero = 0.45, .slope = 2, .rate = 2.002, .located = 0.4, .at = 0.45},
        {.zero = 0.45,
         .slope = 2,
         .rate = 8,
         .located = 0.4,
         .at = 0.45}, /* slowly, by the sum of the series */
        {.zero = 0.35, .slope = -1, .rate = -1, .located = 0.4, .at = 0.35},
        {.zero = 0.5, .slope = 1, .rate = 0, .located = 0.5, .at = 0.5}, /* already there */
        {.zero = 0.6, .slope = 1, .rate = 1, .located = 0.4, .at = 0.4, .noted = true},
        {.zero = 0.45, .slope = 1, .rate = 0, .located = 0.4, .at = 0.4, .noted = true},
        {.zero = -0.01, .slope = 1, .rate = 1, .located = 0.05, .at = 0.05, .noted = true},
        {.zero = NAN, .slope = 1, .rate = 1, .located = 0.4, .at = 0.4, .status = IC_NOT_FINITE},
        {.zero = 0.45, .slope = 1, .rate = NAN, .located = 0.4, .at = 0.4, .status = IC_NOT_FINITE},
    };
    static const ic_guard guard = {.name = "guard", .value = first_state, .rate = second_state};
    const ic_mode mode = {.name = "mode", .guards = &guard, .n_guards = 1};
    const ic_options options = {.event_tol = 1e-13};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball/drop"});
    for (size_t i = 0; i < IC_COUNT(landings); i++) {
        const landing *l = &landings[i];
        IC_OWN(ic_log) *log = ic_log_new(&setup.problem);
        ic_work work = {0};
        ic_phase phase = {
            .problem = &setup.problem, .options = &options, .log = log, .work = &work, .mode = &mode};
        retaken last = {.landing = l};
        double t = 2 + l->located;
        CU_ASSERT_EQUAL(ic_land_by_steps(&phase, 2, 1, &t, retake_step, NULL, &last), l->status);
        CU_ASSERT(fabs(t - 2 - l->at) <= 1e-12);
        CU_ASSERT(fabs(last.h - l->at) <= 1e-12); /* the last step ends there */
        CU_ASSERT_EQUAL(ic_log_note_count(log), l->noted);
    }
}

/* A flow that has no value within a step longer than this, and no error in shorter ones. */
static double leave_domain(void *longest, double h)
{
    return h > *(const double *)longest ? NAN : 0;
}

/* Steps that do not leave the domain end the run if they are too short to go on, not if they are only short. */
IC_TEST(test_edge_of_domain)
{
    static const struct {
        double longest;
        ic_status status;
    } edges[] = {{1e-3, IC_OK}, {1e-12, IC_NOT_FINITE}};
    static const ic_options options = {.max_steps = 100000};
    static const double slope = 0;
    for (size_t i = 0; i < IC_COUNT(edges); i++) {
        double longest = edges[i].longest, t = 0;
        ic_work work = {0};
        ic_phase phase = {.options = &options, .work = &work, .time_scale = 1, .t_stop = 1, .n = 1};
        ic_step_control control = ic_step_control_of_order(8, 0.3, 6);
        control.h = 0.1, control.longest = control.aim = INFINITY;
        ic_status status = IC_OK;
        for (; status == IC_OK && t < phase.t_stop; work.steps++)
            status = ic_step_control_accept(&control, &phase, t, &slope, leave_domain, &longest, &t);
        CU_ASSERT_EQUAL(status, edges[i].status);
        CU_ASSERT_EQUAL(t < phase.t_stop, edges[i].status != IC_OK);
    }
}
