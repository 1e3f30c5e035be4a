/* SPDX-License-Identifier: MIT */
/* Costs: statistics, fitted orders, the file of results, and the verdicts of a comparison. Nothing
   is timed here. */
#include "bench/answers.h"
#include "bench/compare.h"
#include "bench/diagram.h"
#include "bench/floor.h"
#include "bench/load.h"
#include "bench/orders.h"
#include "bench/overhead.h"
#include "bench/pairs.h"
#include "bench/statistics.h"
#include "bench/targets.h"
#include "bench/work_precision.h"
#include "core/tunings.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/subjects.h"

#include <float.h>
#include <unistd.h>

IC_SUITE(solvers, "bench")
IC_OWNED(ic_comparison, ic_comparison_free)
IC_OWNED(ic_cost_results, ic_cost_results_free)

/* Sums of some dozen numbers of size 1. */
#define ROUNDING 1e-14
/*
 * A slope through logarithms of exact powers, over less than a decade: rounding 1e-15, amplified.
 */
#define SLOPE_ROUNDING 1e-9

/* ---- Mann-Whitney */

/* All of y above all of x. */
static ic_mann_whitney separate_samples(size_t n, size_t m)
{
    double x[16], y[16];
    ic_mann_whitney test;
    for (size_t i = 0; i < n; i++) x[i] = (double)i;
    for (size_t j = 0; j < m; j++) y[j] = 100 + (double)j;
    CU_ASSERT(ic_mann_whitney_test(&test, x, n, y, m));
    return test;
}

/* Samples of 1, 2, ... where y has the places whose bits are set in `y_places`. */
static ic_mann_whitney place_samples(size_t total, unsigned y_places)
{
    double x[16], y[16];
    size_t n = 0, m = 0;
    ic_mann_whitney test;
    for (size_t i = 0; i < total; i++) {
        if (y_places >> i & 1u) y[m++] = (double)i;
        else x[n++] = (double)i;
    }
    CU_ASSERT(ic_mann_whitney_test(&test, x, n, y, m));
    return test;
}

/* Greatest U at which P(U <= u) stays within alpha, among all placements of m in n + m. */
static double critical_value(size_t n, size_t m, double alpha)
{
    double greatest = -1;
    for (unsigned places = 0; places < 1u << (n + m); places++) {
        if ((size_t)__builtin_popcount(places) != m) continue;
        const ic_mann_whitney test = place_samples(n + m, places);
        if (test.less <= alpha) greatest = fmax(greatest, test.u);
    }
    return greatest;
}

IC_TEST(test_mann_whitney_known)
{
    /* complete separation: one choice in (n + m)!/(n! m!) */
    CU_ASSERT_DOUBLE_EQUAL(separate_samples(3, 3).greater, 1.0 / 20, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(separate_samples(4, 4).greater, 1.0 / 70, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(separate_samples(5, 4).greater, 1.0 / 126, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(separate_samples(9, 9).greater, 1.0 / 48620, ROUNDING);
    CU_ASSERT(separate_samples(9, 9).u == 81);
    CU_ASSERT(separate_samples(9, 9).less == 1);
    /* planted: two-sided */
    CU_ASSERT_FALSE(fabs(separate_samples(4, 4).greater - 1.0 / 35) < ROUNDING);
    /* printed tables of critical values, two-sided 0.05: Mann & Whitney 1947 and every textbook */
    CU_ASSERT(critical_value(4, 4, 0.025) == 0);
    CU_ASSERT(critical_value(5, 5, 0.025) == 2);
    CU_ASSERT(critical_value(6, 6, 0.025) == 5);
    CU_ASSERT(critical_value(5, 3, 0.025) == 0);
    CU_ASSERT(critical_value(6, 4, 0.025) == 2);
    CU_ASSERT(critical_value(3, 3, 0.025) == -1);      /* cannot be reached */
    CU_ASSERT_FALSE(critical_value(5, 5, 0.025) == 4); /* planted: the one-sided value */
    CU_ASSERT(critical_value(5, 5, 0.05) == 4);
}

/* U of the values at `places` among all, by definition. */
static double count_pairs(const double *all, size_t total, unsigned places)
{
    double u = 0;
    for (size_t i = 0; i < total; i++) {
        for (size_t j = 0; j < total; j++) {
            const bool pair = !(places >> i & 1u) && (places >> j & 1u);
            if (pair) u += 0.5 * (double)((all[i] < all[j]) + (all[i] <= all[j]));
        }
    }
    return u;
}

/* By definition: all choices of as many of the values, and the U of each. */
static void enumerate_choices(double *greater, double *less, const double *all, size_t total, unsigned observed)
{
    const double u_observed = count_pairs(all, total, observed);
    double count = 0, at_least = 0, at_most = 0;
    for (unsigned places = 0; places < 1u << total; places++) {
        if (__builtin_popcount(places) != __builtin_popcount(observed)) continue;
        const double u = count_pairs(all, total, places);
        count++;
        at_least += u >= u_observed;
        at_most += u <= u_observed;
    }
    *greater = at_least / count;
    *less = at_most / count;
}

IC_TEST(test_mann_whitney_ties)
{
    static const double all[] = {1, 2, 2, 2, 3, 3, 5, 5, 8};
    enum { TOTAL = IC_COUNT(all) };
    static const unsigned observed[] = {0x1f, 0x1c8, 0x0a5, 0x133, 0x100};
    for (size_t k = 0; k < IC_COUNT(observed); k++) {
        double x[TOTAL], y[TOTAL], greater = 0, less = 0;
        size_t n = 0, m = 0;
        ic_mann_whitney test;
        for (size_t i = 0; i < TOTAL; i++) {
            if (observed[k] >> i & 1u) y[m++] = all[i];
            else x[n++] = all[i];
        }
        CU_ASSERT(ic_mann_whitney_test(&test, x, n, y, m));
        enumerate_choices(&greater, &less, all, TOTAL, observed[k]);
        CU_ASSERT_DOUBLE_EQUAL(test.greater, greater, ROUNDING);
        CU_ASSERT_DOUBLE_EQUAL(test.less, less, ROUNDING);
    }
    const double same[] = {4, 4, 4};
    ic_mann_whitney test;
    CU_ASSERT(ic_mann_whitney_test(&test, same, 3, same, 3));
    /* equal samples decide nothing */
    CU_ASSERT(test.u == 4.5 && test.greater == 1 && test.less == 1);
}

IC_TEST(test_mann_whitney_refuses)
{
    static const double values[IC_MOST_MANN_WHITNEY + 1] = {0}, holed[] = {1, NAN};
    ic_mann_whitney test;
    CU_ASSERT_FALSE(ic_mann_whitney_test(&test, values, 0, values, 3));
    CU_ASSERT_FALSE(ic_mann_whitney_test(&test, values, 3, values, 0));
    CU_ASSERT_FALSE(ic_mann_whitney_test(&test, values, IC_MOST_MANN_WHITNEY, values, 1));
    CU_ASSERT_FALSE(ic_mann_whitney_test(&test, holed, 2, values, 3));
    CU_ASSERT(isnan(test.greater));
    /* the largest: the two sides cover all, and their overlap is P(U = u) */
    CU_ASSERT(ic_mann_whitney_test(&test, values, IC_COST_MOST_TIMES, values, IC_COST_MOST_TIMES));
    CU_ASSERT(test.greater == 1 && test.less == 1);
}

IC_TEST(test_medians_and_lines)
{
    const double values[] = {5, 1, 4, 2}, x[] = {0, 1, 2, 3}, y[] = {1, 3, 5, 7}, bent[] = {1, 3, 5, 8};
    CU_ASSERT(ic_median(values, 4) == 3);
    CU_ASSERT(ic_median(values, 3) == 4);
    CU_ASSERT(isnan(ic_median(values, 0)));
    const ic_spread spread = ic_spread_of(values, 4); /* of 1 2 4 5 */
    CU_ASSERT(spread.low == 1.75 && spread.middle == 3 && spread.high == 4.25);
    const double holed[] = {1, NAN, 2};
    CU_ASSERT(isnan(ic_spread_of(holed, 3).low)); /* a time that is missing is not ignored */
    CU_ASSERT(ic_spread_of(values, 1).low == 5 && ic_spread_of(values, 1).high == 5);
    CU_ASSERT_DOUBLE_EQUAL(ic_line_fit(x, y, 4).slope, 2, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(ic_line_fit(x, y, 4).residual, 0, ROUNDING);
    CU_ASSERT_DOUBLE_EQUAL(ic_line_fit(x, bent, 4).slope, 2.3, ROUNDING);
    CU_ASSERT(ic_line_fit(x, bent, 4).residual > 0.1);
    CU_ASSERT(isnan(ic_line_fit(x, y, 1).slope));
    CU_ASSERT(isnan(ic_line_fit(values, y, 0).slope));
}

/* ---- artificial results */

static ic_cost_row *make_results(ic_cost_results *results, const char *solver, const char *control,
                                 double setting)
{
    ic_cost_row *row = ic_cost_results_add(results);
    CU_ASSERT_PTR_NOT_NULL_FATAL(row);
    if (row == NULL) exit(EXIT_FAILURE); /* for the analyzer: the line above does not return */
    snprintf(row->subject, sizeof row->subject, "%s", IC_PAIR_SUBJECT);
    snprintf(row->solver, sizeof row->solver, "%s", solver);
    snprintf(row->control, sizeof row->control, "%s", control);
    snprintf(row->status, sizeof row->status, "ok");
    snprintf(row->truth, sizeof row->truth, "certified");
    row->setting = setting;
    row->order = 4;
    row->events = 100, row->simulated = 5, row->radius = 1e-18, row->noise = 1e-12;
    row->work = (ic_work){1000, 2000, 250, NAN, 17};
    return row;
}

/* Times around `middle` that vary by some per cent. */
static void give_times(ic_cost_row *row, double middle, double spread)
{
    row->n_times = 9;
    for (size_t i = 0; i < row->n_times; i++) {
        row->relative[i] = middle * (1 + spread * sin(1.7 * (double)i));
        row->seconds[i] = row->relative[i] * 5e-5;
    }
}

static ic_cost_results make_family(void)
{
    ic_cost_results results = ic_cost_results_new();
    results.calibration = 5e-5;
    for (int i = 0; i < 4; i++) {
        const double h = ldexp(1e-3, -i);
        ic_cost_row *row = make_results(&results, "rk4_henon", "step", h);
        row->error = 1e4 * pow(h, 4);
        give_times(row, 20 * (1 << i), 0.05);
    }
    return results;
}

IC_TEST(test_orders)
{
    ic_cost_order order;
    IC_OWN(ic_cost_results) results = make_family();
    CU_ASSERT_FATAL(ic_cost_order_of(&order, &results, 0));
    CU_ASSERT(order.line.points == 4 && order.row->order == 4);
    CU_ASSERT_DOUBLE_EQUAL(order.line.slope, 4, SLOPE_ROUNDING);
    CU_ASSERT_FALSE(ic_cost_order_of(&order, &results, 1)); /* reported once */
    for (size_t i = 0; i < results.count; i++) results.rows[i].error = 1e2 * pow(results.rows[i].setting, 3);
    CU_ASSERT(ic_cost_order_of(&order, &results, 0));
    /* planted: an order below the claim is reported */
    CU_ASSERT_DOUBLE_EQUAL(order.line.slope, 3, SLOPE_ROUNDING);
    results.rows[3].error = 1e-14;    /* rounding */
    results.rows[0].error = INFINITY; /* other events */
    CU_ASSERT(ic_cost_order_of(&order, &results, 0));
    CU_ASSERT(order.line.points == 2 && isnan(order.line.slope));
    /* adaptive: by the mean step */
    for (size_t i = 0; i < results.count; i++) {
        ic_cost_row *row = &results.rows[i];
        snprintf(row->control, sizeof row->control, "rtol");
        row->work.steps = 250 * pow(2, (double)i);
        row->error = 1e-4 * pow(32, -(double)i);
    }
    CU_ASSERT(ic_cost_order_of(&order, &results, 0));
    CU_ASSERT_DOUBLE_EQUAL(order.line.slope, 5, SLOPE_ROUNDING);
}

/* ---- the floor, and a diagram compared with it */

static ic_cost_floor set_floor(const char *vectors, double event)
{
    ic_cost_floor floor = {.width = 4, .exp = event / 13, .sin = event / 13, .cos = event / 13, .event = event};
    snprintf(floor.vectors, sizeof floor.vectors, "%s", vectors);
    return floor;
}

/* The whole diagram, with sets that need no preparation. */
static ic_cost_diagram make_diagram(double events, double one, double two)
{
    ic_cost_diagram diagram = ic_cost_diagram_none;
    diagram.sets = IC_DIAGRAM_SETS, diagram.periods = IC_DIAGRAM_PERIODS, diagram.events = events;
    diagram.left = diagram.opening = 0;
    diagram.processor = diagram.one = one, diagram.two = two;
    snprintf(diagram.method, sizeof diagram.method, "batch");
    snprintf(diagram.solver, sizeof diagram.solver, "piecewise_linear");
    return diagram;
}

/* libmvec promises four units in the last place; the greatest value is exp(3). */
#define VECTOR_FUNCTION_ULPS 4

IC_TEST(test_floor)
{
    ic_cost_floor floor = ic_cost_floor_none;
    CU_ASSERT(ic_floor_of(1, 2, 3) == 28);       /* 2 (1.5 + 2.5 (2 + 3)) */
    CU_ASSERT_FALSE(ic_floor_of(1, 2, 3) == 14); /* planted: one evaluation */
    ic_floor_measure(&floor);
    CU_ASSERT(floor.width == 1 || floor.width == 2 || floor.width == 4 || floor.width == 8);
    CU_ASSERT_EQUAL(floor.width == 8, strcmp(floor.vectors, "AVX-512") == 0);
    CU_ASSERT(floor.exp > 0 && floor.sin > 0 && floor.cos > 0);
    CU_ASSERT(floor.event == ic_floor_of(floor.exp, floor.sin, floor.cos));
    CU_ASSERT(ic_floor_deviation() <= VECTOR_FUNCTION_ULPS * DBL_EPSILON * exp(3));
    /* shorter earlier measurements are kept */
    ic_cost_floor again = set_floor("AVX2", 1e-15);
    again.sin = 1;
    ic_floor_measure(&again);
    CU_ASSERT(again.exp == 1e-15 / 13 && again.sin < 1 && again.sin > again.exp);
    CU_ASSERT(again.event == ic_floor_of(again.exp, again.sin, again.cos));
}

/* Events of one set that is run separately. */
static double events_of_set(double c, size_t periods)
{
    char setting[64];
    const char *const settings[] = {setting};
    snprintf(setting, sizeof setting, "c=%.17g", c);
    const ic_request request = {.path = IC_DIAGRAM_PATH, .settings = settings, .n_settings = 1};
    IC_OWN(ic_setup) setup = ic_tests_setup(&request);
    setup.problem.t_end = setup.problem.t_start + (double)periods * ic_forcing_period(&setup.problem);
    setup.problem.t_end_text = NULL;
    IC_OWN(ic_log) *log = ic_tests_solve("piecewise_linear", &setup.problem, &(ic_options){0});
    return (double)ic_log_event_count(log);
}

IC_TEST(test_diagram)
{
    enum { PERIODS = 6 };
    ic_cost_diagram d;
    ic_cost_floor floor = ic_cost_floor_none;
    CU_ASSERT_TRUE_FATAL(ic_diagram_time(&d, &floor, 3, PERIODS));
    CU_ASSERT(d.sets == 3 && d.periods == PERIODS);
    const double expected =
        events_of_set(5e4, PERIODS) + events_of_set(3.25e5, PERIODS) + events_of_set(6e5, PERIODS);
    CU_ASSERT(expected > 3 * PERIODS);
    CU_ASSERT_EQUAL(d.events, expected);
    CU_ASSERT_NOT_EQUAL(d.events, expected + 1); /* planted */
    CU_ASSERT(d.processor > 0 && d.one > 0 && d.opening > 0);
    CU_ASSERT(floor.event > 0 && isfinite(d.floors) && d.floors_low <= d.floors && d.floors <= d.floors_high);
    CU_ASSERT(isnan(d.two) ? isnan(d.gain) : d.gain_low <= d.gain && d.gain <= d.gain_high);
}

static void expect_target(const ic_cost_results *results, size_t i, ic_target_verdict verdict, double ratio);

IC_TEST(test_sweep_targets)
{
    enum { EVENT = IC_PAIR_RULES + 2, THREADS };
    IC_OWN(ic_cost_results) results = ic_cost_results_new();
    for (size_t i = IC_PAIR_RULES; i < IC_TARGETS; i++) expect_target(&results, i, IC_TARGET_NOT_MEASURED, NAN);
    ic_cost_diagram *d = &results.diagram;
    *d = make_diagram(4e6, 0.05, 0.0275);
    d->floors = 8, d->floors_low = 7, d->floors_high = 9;
    d->gain = 1.9, d->gain_low = 1.85, d->gain_high = 1.95;
    expect_target(&results, EVENT, IC_TARGET_MET, 8);
    expect_target(&results, THREADS, IC_TARGET_MET, 1.9);
    CU_ASSERT_STRING_EQUAL(ic_target_of(&results, EVENT).class, "closed form");
    d->floors_high = 10.1, d->gain_low = 1.75; /* planted: a quartile on the other side */
    expect_target(&results, EVENT, IC_TARGET_NOISY, 8);
    expect_target(&results, THREADS, IC_TARGET_NOISY, 1.9);
    d->floors = d->floors_low = 10.05, d->gain = d->gain_high = 1.79;
    expect_target(&results, EVENT, IC_TARGET_MISSED, 10.05);
    expect_target(&results, THREADS, IC_TARGET_MISSED, 1.79);
}

/* ---- load */

IC_TEST(test_load)
{
    char text[256];
    const ic_load_ticks ticks = ic_load_ticks_of("cpu  10 20 30 400 5 6 7 8 9 1\n");
    CU_ASSERT(ticks.all == 486 && ticks.busy == 73 && ticks.stolen == 8);
    CU_ASSERT(isnan(ic_load_ticks_of("cpu 10 20 30\n").all)); /* an old kernel */
    CU_ASSERT(isnan(ic_load_ticks_of("").all));
    ic_cost_load load = {1.1, 1.2, 0.01, 0, 1000, 90};
    ic_load_describe(text, sizeof text, &load, 2);
    CU_ASSERT(strncmp(text, "quiet: 9 % of 1000 timings", 26) == 0);
    ic_cost_load loaded[] = {load, load, load}; /* planted, one reason each */
    loaded[0].disturbed = 110, loaded[1].stolen = 0.03, loaded[2].after = 2.5;
    for (size_t i = 0; i < IC_COUNT(loaded); i++) {
        ic_load_describe(text, sizeof text, &loaded[i], 2);
        CU_ASSERT(strncmp(text, "noisy: ", 7) == 0);
    }
    ic_load_describe(text, sizeof text, &ic_cost_load_none, 2);
    CU_ASSERT_STRING_EQUAL(text, "");
    const ic_cost_row few = {.disturbed = 3, .n_times = 9}, many = {.disturbed = 4, .n_times = 9},
                      none = {.n_times = 0};
    CU_ASSERT(!ic_cost_is_noisy(&few) && ic_cost_is_noisy(&many) && !ic_cost_is_noisy(&none));
    const ic_load_watch watch = ic_load_begin(&load);
    ic_load_end(&load, &watch);
    CU_ASSERT(load.timings == 0 && load.disturbed == 0);
}

IC_TEST(test_classes)
{
    static const char *const classes[][2] = {{"piecewise_linear", "closed form"},
                                             {"modal_closed_form", "closed form"},
                                             {"taylor", "equations"},
                                             {"dop853", "any flow"},
                                             {"rk45_bisection", "any flow"},
                                             {"moreau_jean", "stops"}};
    for (size_t i = 0; i < IC_COUNT(classes); i++)
        CU_ASSERT_STRING_EQUAL(ic_solver_class(ic_solver_find(classes[i][0])), classes[i][1]);
    const ic_solver steps = {.needs = IC_NEEDS_LINEAR_VIEW, .control = IC_CONTROL_RTOL};
    CU_ASSERT_STRING_EQUAL(ic_solver_class(&steps), "affine flow");
    CU_ASSERT(ic_solver_is_general(ic_solver_find("taylor")) && ic_solver_is_general(ic_solver_find("dop853")));
    CU_ASSERT(!ic_solver_is_general(ic_solver_find("piecewise_linear")) && !ic_solver_is_general(&steps));
    CU_ASSERT(!ic_solver_is_general(ic_solver_find("refined_step"))); /* it steps over events */
}

/* ---- the file */

static void write_to(const char *path, const ic_cost_results *results)
{
    FILE *stream = fopen(path, "w");
    CU_ASSERT_PTR_NOT_NULL_FATAL(stream);
    CU_ASSERT(ic_cost_write(results, stream));
    CU_ASSERT(fclose(stream) == 0);
}

static bool same_number(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void expect_same_row(const ic_cost_row *a, const ic_cost_row *b)
{
    CU_ASSERT_STRING_EQUAL(a->subject, b->subject);
    CU_ASSERT_STRING_EQUAL(a->solver, b->solver);
    CU_ASSERT_STRING_EQUAL(a->control, b->control);
    CU_ASSERT_STRING_EQUAL(a->status, b->status);
    CU_ASSERT_STRING_EQUAL(a->truth, b->truth);
    CU_ASSERT(a->setting == b->setting && a->order == b->order && a->events == b->events);
    CU_ASSERT(a->simulated == b->simulated && a->radius == b->radius && a->noise == b->noise);
    CU_ASSERT(same_number(a->error, b->error) || (isinf(a->error) && isnan(b->error)));
    CU_ASSERT(same_number(a->work.rejected_steps, b->work.rejected_steps));
    CU_ASSERT(a->work.flow_calls == b->work.flow_calls && a->work.guard_calls == b->work.guard_calls);
    CU_ASSERT(a->work.steps == b->work.steps && a->work.root_iterations == b->work.root_iterations);
    CU_ASSERT_STRING_EQUAL(a->class, b->class);
    CU_ASSERT(a->disturbed == b->disturbed);
    CU_ASSERT_FATAL(a->n_times == b->n_times);
    CU_ASSERT(memcmp(a->seconds, b->seconds, a->n_times * sizeof *a->seconds) == 0);
    CU_ASSERT(memcmp(a->relative, b->relative, a->n_times * sizeof *a->relative) == 0);
}

/* Quartiles at `spread` on both sides of the factor. */
static ic_cost_pair make_pair(const char *solver, const char *peer, double level, double factor, double spread)
{
    ic_cost_pair pair = {.level = level,
                         .unit = 1,
                         .setting = 1e-9,
                         .error = level,
                         .seconds = 1e-3,
                         .peer_setting = 1e-10,
                         .peer_error = level,
                         .peer_seconds = 1e-3 * factor,
                         .calls = 800,
                         .peer_calls = 1300,
                         .call_seconds = 2e-8,
                         .factor = factor,
                         .low = factor - spread,
                         .high = factor + spread,
                         .blocks = 15};
    snprintf(pair.subject, sizeof pair.subject, "%s", IC_PAIR_SUBJECT);
    snprintf(pair.solver, sizeof pair.solver, "%s", solver);
    snprintf(pair.peer, sizeof pair.peer, "%s", peer);
    return pair;
}

IC_TEST(test_round_trip)
{
    const char *path = "bench-round-trip.json";
    IC_OWN(ic_cost_results) again, results = make_family();
    ic_error error = {""};
    results.overhead = (ic_cost_overhead){1e-3, 1.1e-3, 5e-3, 1.1, 1, 1.2, 5, 4, 6};
    results.load = (ic_cost_load){1, 2, 0.5, 0, 40, 3};
    const ic_cost_pair pair = make_pair("dop853", "gsl_rk8pd", 1e-8, 1.6, 0.1);
    CU_ASSERT(ic_cost_add_pair(&results, &pair));
    results.rows[0].disturbed = 2;
    results.rows[1].error = INFINITY;
    results.rows[2].n_times = 0;
    results.rows[3].setting = 1.0 / 3;
    results.floor = set_floor("AVX2", 7e-9);
    results.diagram = make_diagram(4e6, 1, 0.6);
    results.diagram.two = NAN;
    write_to(path, &results);
    CU_ASSERT_FATAL(ic_cost_read(&again, path, &error));
    CU_ASSERT_FATAL(again.count == results.count);
    for (size_t i = 0; i < again.count; i++) expect_same_row(&results.rows[i], &again.rows[i]);
    CU_ASSERT(ic_cost_same_machine(&results.machine, &again.machine));
    CU_ASSERT_STRING_EQUAL(results.machine.date, again.machine.date);
    CU_ASSERT(again.calibration == 5e-5 && again.overhead.ratio == 1.1 && again.overhead.solver_high == 6);
    CU_ASSERT(again.load.others == 0.5 && again.load.disturbed == 3);
    CU_ASSERT_FATAL(again.n_pairs == 1);
    CU_ASSERT(again.pairs[0].low == pair.low && again.pairs[0].level == 1e-8 && again.pairs[0].blocks == 15);
    CU_ASSERT(again.pairs[0].calls == 800 && again.pairs[0].peer_calls == 1300 &&
              again.pairs[0].call_seconds == 2e-8);
    CU_ASSERT_STRING_EQUAL(again.pairs[0].peer, "gsl_rk8pd");
    CU_ASSERT(isnan(again.diagram.gain));
    CU_ASSERT_STRING_EQUAL(again.floor.vectors, "AVX2");
    CU_ASSERT(again.floor.width == 4 && again.floor.event == 7e-9 && again.floor.cos == results.floor.cos);
    CU_ASSERT_STRING_EQUAL(again.diagram.method, "batch");
    CU_ASSERT(again.diagram.events == 4e6 && again.diagram.one == 1 && isnan(again.diagram.two));
    unlink(path);
}

static void expect_refused(const char *text, const char *says)
{
    const char *path = "bench-refused.json";
    IC_OWN(ic_cost_results) results;
    ic_error error = {""};
    ic_tests_write(path, text);
    CU_ASSERT_FALSE(ic_cost_read(&results, path, &error));
    IC_EXPECT(strstr(error.text, says) != NULL, "%s: %s expected", error.text, says);
    unlink(path);
}

#define SCHEMA "\"schema\": \"" IC_COST_SCHEMA "\""
#define MACHINE                                                                                                \
    "\"machine\": {\"cpu\": \"\", \"cores\": 1, \"compiler\": \"\", \"flags\": \"\", \"version\": \"\", "      \
    "\"commit\": \"\", \"date\": \"\", \"arithmetic\": \"\"}, \"calibration\": null, \"overhead\": null"
#define ROW(setting, times)                                                                                    \
    "{\"subject\": \"a\", \"solver\": \"b\", \"control\": \"rtol\", \"setting\": " setting ", \"order\": 1, "  \
    "\"status\": \"ok\", \"truth\": \"none\", \"events\": 1, \"simulated\": 1, \"error\": null, "              \
    "\"radius\": null, \"noise\": 0, \"work\": {\"flow_calls\": 1, \"guard_calls\": 1, \"steps\": 1, "         \
    "\"rejected_steps\": null, \"root_iterations\": 1}, \"seconds\": [" times "], \"relative\": [1]}"

IC_TEST(test_bad_files)
{
    expect_refused("", "bench-refused.json:1:");
    expect_refused("{\n  \"schema\": oops\n}", "bench-refused.json:2:");
    expect_refused("[]", "\"schema\"");
    expect_refused("{\"rows\": []}", "this is not a file of results");
    expect_refused("{\"schema\": \"impactcheck-bench/99\"}",
                   "\"impactcheck-bench/99\"; \"" IC_COST_SCHEMA "\" is expected");
    expect_refused("{" SCHEMA "}", "\"machine\": expected an object");
    expect_refused("{" SCHEMA ", " MACHINE "}", "\"rows\": expected an array");
    expect_refused("{" SCHEMA ", " MACHINE ", \"floor\": 7}", "\"floor\": expected an object or null");
    expect_refused("{" SCHEMA ", " MACHINE ", \"floor\": {\"vectors\": \"\", \"width\": 1.5}}",
                   "\"width\": expected an integer");
    expect_refused("{" SCHEMA ", " MACHINE ", \"diagram\": []}", "\"diagram\": expected an object or null");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [7]}", "rows[0]");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [" ROW("1e-6", "1") ", " ROW("\"x\"", "1") "]}",
                   "rows[1], \"setting\": expected a number or null");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [" ROW("-1", "1") "]}",
                   "\"setting\": a measurement cannot be below 0");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [" ROW("1e-6", "1") ", " ROW("1e-6", "1") "]}",
                   "rows[1], \"setting\": an earlier row");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [" ROW("1e-6", "1, 2") "]}", "\"relative\"");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [" ROW("1e-6", "0") "]}", "\"seconds\"");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [], \"pairs\": {}}", "\"pairs\": expected an array");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [], \"pairs\": [1]}", "\"pairs\": expected an object");
    expect_refused("{" SCHEMA ", " MACHINE ", \"rows\": [], \"pairs\": [{}]}", "\"subject\": expected a text");
    expect_refused("{" SCHEMA ", " MACHINE ", \"load\": 1, \"rows\": []}",
                   "\"load\": expected an object or null");
    ic_cost_results results;
    ic_error error = {""};
    CU_ASSERT_FALSE(ic_cost_read(&results, "no-such-file.json", &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "no-such-file.json"));
}

/* ---- verdicts */

typedef void change(ic_cost_results *results);

/* Expected number of differences, and of worse ones, of a quantity (-1: any) after a change. */
static void expect_verdict(change *make, int quantity, size_t worse, size_t better)
{
    IC_OWN(ic_cost_results) old = make_family(), new = make_family();
    IC_OWN(ic_comparison) c;
    make(&new);
    CU_ASSERT(ic_compare(&c, &old, &new, &(ic_compare_options){0}));
    CU_ASSERT(c.worse == worse);
    CU_ASSERT(c.count == worse + better);
    for (size_t i = 0; i < c.count && quantity >= 0; i++) CU_ASSERT(c.differences[i].quantity == quantity);
}

#define CHANGE(name_, statement_)                                                                              \
    static void name_(ic_cost_results *r)                                                                      \
    {                                                                                                          \
        statement_;                                                                                            \
    }
CHANGE(no_change, (void)r)
CHANGE(error_grows, r->rows[1].error *= 2.1)
CHANGE(error_grows_a_little, r->rows[1].error *= 1.9)
CHANGE(error_shrinks, r->rows[1].error /= 10)
CHANGE(events_are_lost, r->rows[2].error = INFINITY)
CHANGE(an_event_more, r->rows[2].events++)
CHANGE(run_fails, snprintf(r->rows[0].status, sizeof r->rows[0].status, "step_too_small"))
CHANGE(one_flow_call_more, r->rows[3].work.flow_calls++)
CHANGE(one_guard_call_less, r->rows[3].work.guard_calls--)
CHANGE(slower, give_times(&r->rows[0], 20 * 1.4, 0.05))
CHANGE(faster, give_times(&r->rows[0], 20 / 1.4, 0.05))
/* the median moves by 15 %, far beyond chance, but less than the factor */
CHANGE(somewhat_slower, give_times(&r->rows[0], 20 * 1.15, 0.01))
/* the median moves by more than the factor, but the times overlap widely */
CHANGE(noisy, give_times(&r->rows[0], 20 * 1.35, 0.7))
CHANGE(all_times_noisy,
       for (size_t i = 0; i < r->count; i++) give_times(&r->rows[i], 20 * (1 << i) * 1.05, 0.3))

IC_TEST(test_verdicts)
{
    expect_verdict(no_change, -1, 0, 0);
    expect_verdict(error_grows, IC_COMPARE_ERROR, 1, 0);
    expect_verdict(error_grows_a_little, -1, 0, 0);
    expect_verdict(error_shrinks, IC_COMPARE_ERROR, 0, 1);
    expect_verdict(events_are_lost, IC_COMPARE_ERROR, 1, 0);
    expect_verdict(an_event_more, IC_COMPARE_EVENTS, 1, 0);
    expect_verdict(run_fails, IC_COMPARE_STATUS, 1, 0);
    expect_verdict(one_flow_call_more, IC_COMPARE_FLOW_CALLS, 1, 0);
    expect_verdict(one_guard_call_less, IC_COMPARE_GUARD_CALLS, 0, 1);
    expect_verdict(slower, IC_COMPARE_TIME, 1, 0);
    expect_verdict(faster, IC_COMPARE_TIME, 0, 1);
    expect_verdict(somewhat_slower, -1, 0, 0);
    expect_verdict(noisy, -1, 0, 0);
    expect_verdict(all_times_noisy, -1, 0, 0);
}

/* Once, or again and again. */
static void compare(ic_comparison *c, const ic_cost_results *old, const ic_cost_results *new,
                    const ic_compare_options *options)
{
    ic_comparison_free(c);
    CU_ASSERT(ic_compare(c, old, new, options));
}

/* Load makes a row slower, not the program: its time is not compared. */
IC_TEST(test_noisy_rows)
{
    IC_OWN(ic_cost_results) old = make_family(), new = make_family();
    IC_OWN(ic_comparison) c = {0};
    slower(&new);
    new.rows[0].disturbed = 4;
    compare(&c, &old, &new, &(ic_compare_options){0});
    CU_ASSERT(c.worse == 0 && c.noisy == 1 && c.timed == 3);
    new.rows[0].disturbed = 3; /* planted: few enough */
    compare(&c, &old, &new, &(ic_compare_options){0});
    CU_ASSERT(c.worse == 1 && c.noisy == 0 && c.timed == 4);
    new.rows[0].disturbed = 0, old.rows[0].disturbed = 9;
    compare(&c, &old, &new, &(ic_compare_options){0});
    CU_ASSERT(c.worse == 0 && c.noisy == 1);
}

IC_TEST(test_rules)
{
    IC_OWN(ic_cost_results) old = make_family(), new = make_family();
    IC_OWN(ic_comparison) c = {0};
    /* below the floor an error is rounding: noise/100 = 1e-14 */
    old.rows[0].error = 1e-17, new.rows[0].error = 1.9e-14;
    compare(&c, &old, &new, &(ic_compare_options){0});
    CU_ASSERT(c.count == 0 && c.common == 4 && c.timed == 4 && c.same_machine);
    new.rows[0].error = 2.1e-14; /* planted */
    compare(&c, &old, &new, &(ic_compare_options){.error_factor = 2});
    CU_ASSERT(c.worse == 1);
    /* settings of the rules */
    new.rows[0].error = 0;
    new.rows[1].work.flow_calls = 1009;
    slower(&new);
    const ic_compare_options loose = {.work_factor = 1.01, .time_factor = 1.5};
    compare(&c, &old, &new, &loose);
    CU_ASSERT(c.worse == 0);
    /* another machine */
    snprintf(new.machine.cpu, sizeof new.machine.cpu, "another");
    compare(&c, &old, &new, &(ic_compare_options){.work_factor = 1.01});
    CU_ASSERT(c.worse == 0);
    CU_ASSERT(!c.same_machine && c.options.time_factor == IC_COMPARE_TIME_FACTOR_ELSEWHERE);
    /* a C library that rounds differently: 10 % and 16 more */
    snprintf(new.machine.arithmetic, sizeof new.machine.arithmetic, "otherwise");
    new.rows[1].work = (ic_work){1116, 2216, 291, NAN, 50};
    compare(&c, &old, &new, &(ic_compare_options){0});
    CU_ASSERT(c.count == 0 && !c.same_arithmetic);
    new.rows[1].work.flow_calls++; /* planted */
    compare(&c, &old, &new, &(ic_compare_options){0});
    CU_ASSERT(c.worse == 1);
    /* rows that only one result has */
    make_results(&new, "dop853", "rtol", 1e-6);
    snprintf(old.rows[3].solver, sizeof old.rows[3].solver, "gone");
    compare(&c, &old, &new, &(ic_compare_options){.no_times = true});
    const size_t worse = c.worse;
    CU_ASSERT(c.common == 3 && c.only_old == 1 && c.only_new == 2 && c.timed == 0);
    compare(&c, &old, &new, &(ic_compare_options){.no_times = true, .part = true});
    CU_ASSERT(c.only_old == 1 && c.worse == worse - 1);
}

/* ---- targets */

static void expect_target(const ic_cost_results *results, size_t i, ic_target_verdict verdict, double ratio)
{
    const ic_target target = ic_target_of(results, i);
    CU_ASSERT(target.verdict == verdict);
    CU_ASSERT(isnan(ratio) ? isnan(target.ratio) : fabs(target.ratio / ratio - 1) < 1e-9);
}

static void add_pair(ic_cost_results *results, const char *solver, const char *peer, double level,
                     double factor, double spread)
{
    const ic_cost_pair pair = make_pair(solver, peer, level, factor, spread);
    CU_ASSERT(ic_cost_add_pair(results, &pair));
}

/* The targets over pairs, in the order of ic_pair_rules. */
IC_TEST(test_targets)
{
    enum { RK8, RKF45, ODEINT, TAYLOR, CLOSED_FORM, REGISTRY, SOLVER };
    IC_OWN(ic_cost_results) results = make_family();
    for (size_t i = 0; i < IC_PAIR_RULES; i++) {
        const char *peer = ic_pair_rules[i].peer;
        const bool has = peer[0] == '\0' || ic_solver_find(peer) != NULL; /* and was not selected */
        expect_target(&results, i, has ? IC_TARGET_NOT_MEASURED : IC_TARGET_NOT_BUILT, NAN);
    }
    add_pair(&results, "dop853", "gsl_rk8pd", 1e-6, 1.9, 0.1);
    add_pair(&results, "dop853", "gsl_rk8pd", 1e-8, 1.7, 0.1);
    expect_target(&results, RK8, IC_TARGET_MET, 1.7);
    CU_ASSERT_STRING_EQUAL(ic_target_of(&results, RK8).class, "any flow");
    CU_ASSERT(strstr(ic_target_of(&results, RK8).detail, "2 of 2 met") != NULL);
    CU_ASSERT(strstr(ic_target_of(&results, RK8).detail, IC_PAIR_SUBJECT " at 1e-08") != NULL);
    add_pair(&results, "dop853", "gsl_rk8pd", 1e-10, 1.55, 0.1); /* planted: the spread does not allow it */
    expect_target(&results, RK8, IC_TARGET_NOISY, 1.55);
    add_pair(&results, "taylor", "gsl_rk8pd", 1e-10, 9, 0.1); /* planted: another class is fast */
    expect_target(&results, RK8, IC_TARGET_NOISY, 1.55);
    expect_target(&results, TAYLOR, IC_TARGET_MET, 9);
    CU_ASSERT_STRING_EQUAL(ic_target_of(&results, TAYLOR).class, "equations");
    add_pair(&results, "dop853", "gsl_rk8pd", 1e-12, 1.3, 0.1);
    expect_target(&results, RK8, IC_TARGET_MISSED, 1.3);
    CU_ASSERT(strstr(ic_target_of(&results, RK8).detail, "2 of 4 met, 1 noisy") != NULL);
    add_pair(&results, "rk45_bisection", "odeint_dopri5", 1e-6, 1.3, 0.05);
    expect_target(&results, ODEINT, IC_TARGET_MET, 1.3);
    expect_target(&results, RKF45, ic_solver_find("gsl_rkf45") ? IC_TARGET_NOT_MEASURED : IC_TARGET_NOT_BUILT,
                  NAN);
    /* an error that one side does not reach */
    ic_cost_pair alone = make_pair("rk45_bisection", "odeint_dopri5", 1e-12, NAN, 0);
    alone.peer_setting = NAN;
    CU_ASSERT(ic_cost_add_pair(&results, &alone));
    expect_target(&results, ODEINT, IC_TARGET_MET, 1.3);
    alone.peer_setting = 1e-12, alone.setting = NAN;
    CU_ASSERT(ic_cost_add_pair(&results, &alone));
    expect_target(&results, ODEINT, IC_TARGET_MISSED, NAN);
    /* a pair is found by its solvers, error and problem */
    CU_ASSERT_PTR_NOT_NULL(ic_cost_find_pair(&results, &alone));
    alone.level = 1e-11; /* planted: another error */
    CU_ASSERT_PTR_NULL(ic_cost_find_pair(&results, &alone));
    /* at the error of the peer's most accurate setting */
    add_pair(&results, "piecewise_linear", "cvode_adams", 1e-8, 900, 1); /* planted: at another error */
    add_pair(&results, "piecewise_linear", "cvode_adams", 0, 480, 15);
    expect_target(&results, CLOSED_FORM, IC_TARGET_MISSED, 480);
    results.overhead = (ic_cost_overhead){1, 1.04, 3, 1.04, 1.03, 1.06, 1.4, 1.3, 1.45};
    expect_target(&results, REGISTRY, IC_TARGET_NOISY, 1.04);
    expect_target(&results, SOLVER, IC_TARGET_MET, 1.4);
}

/* ---- measurements */

/* Errors and work are the same in each run, and correct: the errors of verify. */
IC_TEST(test_rows)
{
    IC_OWN(ic_cost_results) first = ic_cost_results_new(), second = ic_cost_results_new();
    const ic_cost_request request = {.subjects = "bouncing-ball"};
    ic_error error = {""};
    IC_OWN(ic_comparison) c;
    size_t inexact = 0;
    CU_ASSERT_FATAL(ic_cost_measure(&first, &request, &error));
    CU_ASSERT_FATAL(ic_cost_measure(&second, &request, &error));
    CU_ASSERT(first.count >= 10);
    for (size_t i = 0; i < first.count; i++) {
        const ic_cost_row *row = &first.rows[i];
        CU_ASSERT_STRING_EQUAL(row->status, "ok");
        CU_ASSERT_STRING_EQUAL(row->truth, "certified");
        CU_ASSERT(row->events == 8 && row->n_times == 0);
        const ic_solver *solver = ic_solver_find(row->solver);
        const bool is_coarse = solver->steps_over_events || ic_is_peer(row->solver);
        /* Time stepping notices each of eight impacts up to two steps late. */
        const bool steps = (solver->needs & IC_NEEDS_STOPS_VIEW) != 0;
        CU_ASSERT(row->error < (steps ? 16 * row->setting : is_coarse ? 1e-2 : 1e-10));
        inexact += row->error > 0;
    }
    CU_ASSERT(inexact + 2 > first.count); /* answers compared with themselves would have no errors */
    CU_ASSERT(ic_compare(&c, &first, &second, &(ic_compare_options){0}));
    CU_ASSERT(c.common == first.count && c.count == 0 && c.timed == 0);
}

/* Pairs have equal errors and the fastest other solver, which is never another class. */
IC_TEST(test_pairs)
{
    CU_ASSERT_PTR_NULL(ic_solver_tunings("dop853")->name); /* ours has no other settings */
    if (ic_solver_find("cvode_adams") != NULL)
        CU_ASSERT_STRING_EQUAL(ic_solver_tunings("cvode_adams")->name, "orders to 5");

    IC_OWN(ic_cost_results) results = ic_cost_results_new();
    const ic_cost_request request = {.subjects = "bouncing-ball", .own = true, .timed = true, .ratios = true};
    ic_error error = {""};
    CU_ASSERT_FATAL(ic_cost_measure(&results, &request, &error));
    CU_ASSERT(results.count == 0 && results.n_pairs > 0 && results.load.timings > 0);
    for (size_t i = 0; i < results.n_pairs; i++) {
        const ic_cost_pair *pair = &results.pairs[i];
        const double wanted = pair->level * pair->unit;
        CU_ASSERT_STRING_EQUAL(pair->solver, "taylor"); /* no peer was selected */
        CU_ASSERT(ic_solver_is_general(ic_solver_find(pair->peer)) && strcmp(pair->peer, pair->solver) != 0);
        CU_ASSERT(pair->unit == 1 && pair->error <= wanted && pair->peer_error <= wanted);
        CU_ASSERT(pair->low > 0 && pair->low <= pair->factor && pair->factor <= pair->high &&
                  pair->blocks >= 7);
    }
}

static void expect_answer(const char *path, const char *origin, size_t events)
{
    ic_answer answer;
    ic_status status = IC_OK;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = path});
    ic_answer_find(&answer, &setup);
    CU_ASSERT_STRING_EQUAL(answer.origin, origin);
    CU_ASSERT(answer.truth.count == events);
    IC_OWN(ic_log) *log =
        ic_solve(ic_solver_find("dop853"), &setup.problem, &(ic_options){.rtol = 1e-10}, &status);
    CU_ASSERT_PTR_NOT_NULL_FATAL(log);
    const double tie = 1e-9 * ic_time_scale(&setup.problem);
    const double right = ic_answer_error(&answer, log, tie);
    CU_ASSERT(right > 0 && right < 1e-6 * ic_time_scale(&setup.problem));
    answer.truth.events[0].t += 1e-3 * ic_time_scale(&setup.problem); /* planted */
    CU_ASSERT(ic_answer_error(&answer, log, tie) > 100 * right);
    if (answer.truth.events[0].name[0] != '\0') {
        answer.truth.events[0].name[0] = '?'; /* planted: another event */
        CU_ASSERT(isinf(ic_answer_error(&answer, log, tie)));
    }
    ic_truth_clear(&answer.truth);
}

IC_TEST(test_answers)
{
    expect_answer("two-mass/forced", "certified", 7);
    expect_answer("ball/hunt-crossley", "certified", 1);
    expect_answer("ball/lee-wang-1", "dop853 at 1e-14", 4);
}

/* The loops whose times are compared compute the same. */
IC_TEST(test_overhead_loops)
{
    ic_overhead *overhead = ic_overhead_open();
    CU_ASSERT_PTR_NOT_NULL_FATAL(overhead);
    const ic_overhead_run hand = ic_overhead_loop(overhead, IC_OVERHEAD_BY_HAND);
    const ic_overhead_run registry = ic_overhead_loop(overhead, IC_OVERHEAD_REGISTRY);
    const ic_overhead_run solver = ic_overhead_loop(overhead, IC_OVERHEAD_SOLVER);
    CU_ASSERT(hand.t == 0.5 && hand.events >= 30);
    CU_ASSERT(registry.t == hand.t && registry.events == hand.events && solver.events == hand.events);
    for (size_t i = 0; i < IC_COUNT(hand.x); i++) {
        /* one method; only roundings differ, and the solver's treatment where Henon's step is not
           safe: steps of 5e-5 s */
        const double size = 1e-3 + fabs(hand.x[i]);
        CU_ASSERT_DOUBLE_EQUAL(registry.x[i], hand.x[i], 1e-10 * size);
        CU_ASSERT_DOUBLE_EQUAL(solver.x[i], hand.x[i], 1e-6 * size);
    }
    ic_overhead_close(overhead);
}
