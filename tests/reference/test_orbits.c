/* SPDX-License-Identifier: MIT */
/**
 * Certified periodic orbits, of affine and of other flows: their states against certified runs, their
 * multipliers against differences of certified runs and against the contraction of volumes (Liouville),
 * and what must not be proved. Each check has a planted wrong answer.
 */
#include "casefile/casefile.h"
#include "core/model.h"
#include "core/names.h"
#include "reference/flow/certify.h"
#include "reference/orbit/doubling.h"
#include "reference/orbit/orbit.h"
#include "reference/orbit/return_map.h"
#include "reference/orbit/tangent.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/cycle.h"
#include "validation/steady.h"

IC_SUITE(solvers, "periodic orbits")
IC_OWNED(ic_doubling, ic_doubling_clear)
IC_OWNED(ic_orbit, ic_orbit_clear)
IC_OWNED(ic_return_map, ic_return_map_close)

/* These take many seconds, and turns from commit to commit. */
enum { SLOW_TESTS = 4 };

enum { BITS = 128, DIGITS = 18 };

/* ---- problems */

static ic_machine open_path(const char *path, const char *variant, const char *setting)
{
    const ic_request request = {
        .path = path, .variant = variant, .settings = &setting, .n_settings = setting != NULL};
    ic_machine s = ic_tests_open(NULL, &request);
    s.exact = ic_tests_exact(&s.setup);
    return s;
}

static ic_machine open_text(const char *text)
{
    ic_machine s = ic_tests_open(text, NULL);
    s.exact = ic_tests_exact(&s.setup);
    return s;
}

/* Once, or again and again. */
static void certify_orbit(ic_orbit *orbit, const ic_machine *s, const ic_orbit_request *request)
{
    ic_orbit_clear(orbit);
    ic_orbit_certify(orbit, &s->exact.problem, request);
}

static void prove(ic_orbit *orbit, const ic_machine *s, const double *x, int mode, int multiple)
{
    certify_orbit(orbit, s, &(ic_orbit_request){.x = x, .mode = mode, .multiple = multiple, .digits = DIGITS});
}

static bool has_reason(const ic_orbit *orbit, const char *text)
{
    const bool has = orbit->status == IC_UNDECIDED && strstr(orbit->reason, text) != NULL;
    if (!has) printf("status %d, reason '%s'\n", (int)orbit->status, orbit->reason);
    return has;
}

/* ---- the end of a certified run of one period, from certified doubles */

static void follow(double *end, const ic_machine *s, const double *x, int mode, double period)
{
    IC_OWN(ic_certificate) c;
    ic_problem problem = s->exact.problem;
    problem.x_start = x;
    problem.mode_start = mode;
    problem.t_start = 0;
    problem.t_end = period;
    problem.t_end_text = NULL;
    ic_certify(&c, &problem, &(ic_certify_options){.digits = 20});
    CU_ASSERT_EQUAL(c.status, IC_OK);
    for (slong i = 0; i < c.n; i++) end[i] = arf_get_d(arb_midref(c.x + i), ARF_RND_NEAR);
}

/* The sum of the multipliers, and their product. */
static void trace_and_determinant(acb_t trace, acb_t determinant, const ic_orbit *orbit)
{
    acb_zero(trace);
    acb_one(determinant);
    for (slong i = 0; i < orbit->m; i++) {
        acb_add(trace, trace, orbit->multipliers + i, BITS);
        acb_mul(determinant, determinant, orbit->multipliers + i, BITS);
    }
}

/*
 * Whether trace and determinant of P' of the first two states agree with those from differences of certified
 * runs: differences of 1e-6 have errors of some 1e-11, times second derivatives.
 */
static bool agrees_with_differences(const ic_machine *s, const ic_orbit *orbit, double period)
{
    const double h = 1e-6, most = 1e-7;
    double x[IC_MAX_STATES] = {0}, d[2][2];
    IC_COMPLEX_BALLS(trace, determinant);
    for (slong i = 0; i < orbit->n; i++) x[i] = arf_get_d(arb_midref(orbit->x + i), ARF_RND_NEAR);
    for (int k = 0; k < 2; k++) {
        double forward[IC_MAX_STATES] = {0}, backward[IC_MAX_STATES] = {0};
        const double kept = x[k];
        x[k] = kept + h;
        follow(forward, s, x, orbit->mode, period);
        x[k] = kept - h;
        follow(backward, s, x, orbit->mode, period);
        x[k] = kept;
        for (int i = 0; i < 2; i++) d[i][k] = (forward[i] - backward[i]) / (2 * h);
    }
    trace_and_determinant(trace, determinant, orbit);
    const double t = arf_get_d(arb_midref(acb_realref(trace)), ARF_RND_NEAR);
    const double p = arf_get_d(arb_midref(acb_realref(determinant)), ARF_RND_NEAR);
    return fabs(t - d[0][0] - d[1][1]) < most && fabs(p - d[0][0] * d[1][1] + d[0][1] * d[1][0]) < most;
}

/*
 * Whether the product of the multipliers is that of the contraction of volumes: exp(-damping period) in the
 * flow, and e^2 at each impact on a stop that is fixed.
 */
static bool agrees_with_liouville(const ic_orbit *orbit, const char *damping, const char *e, int impacts)
{
    IC_BALLS(expected, factor);
    IC_COMPLEX_BALLS(trace, determinant);
    arb_set_str(expected, damping, BITS);
    arb_mul(expected, expected, orbit->period, BITS);
    arb_neg(expected, expected);
    arb_exp(expected, expected, BITS);
    arb_set_str(factor, e, BITS);
    arb_pow_ui(factor, factor, 2 * (ulong)impacts, BITS);
    arb_mul(expected, expected, factor, BITS);
    trace_and_determinant(trace, determinant, orbit);
    return arb_overlaps(acb_realref(determinant), expected) && arb_contains_zero(acb_imagref(determinant)) &&
           mag_cmp_2exp_si(arb_radref(acb_realref(determinant)), -30) < 0;
}

/* ---- the roller, affine, and on laws that are not */

IC_TEST(test_roller)
{
    IC_OWN(ic_machine) s = open_path("roller/III/C", NULL, NULL);
    IC_OWN(ic_orbit) orbit = {0};
    IC_OWN(ic_certificate) c;
    double x[5], next[5], middle[5];
    /* six digits of the state at t = 0 modulo 0.05 s */
    ic_certify(&c, &s.setup.problem, &(ic_certify_options){.digits = 8});
    CU_ASSERT_EQUAL(c.status, IC_OK);
    for (int i = 0; i < 5; i++) x[i] = arf_get_d(arb_midref(c.x + i), ARF_RND_NEAR);
    prove(&orbit, &s, x, c.mode, 2);
    CU_ASSERT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(orbit.minimal && orbit.stable && !orbit.unstable && orbit.events == 4);
    CU_ASSERT(mag_get_d(arb_radref(orbit.x)) < 1e-20);
    for (int i = 0; i < 5; i++) x[i] = arf_get_d(arb_midref(orbit.x + i), ARF_RND_NEAR);
    /* twice the multiple: it is not the smallest */
    prove(&orbit, &s, x, c.mode, 4);
    CU_ASSERT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(!orbit.minimal && orbit.smaller == 2);
    /* between its two points lies the orbit from which it branches, which is unstable */
    follow(next, &s, x, c.mode, 0.025);
    for (int i = 0; i < 5; i++) middle[i] = (x[i] + next[i]) / 2;
    prove(&orbit, &s, middle, c.mode, 1);
    CU_ASSERT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(orbit.minimal && !orbit.stable && orbit.unstable);
    /* planted: a start elsewhere */
    x[1] += 3;
    prove(&orbit, &s, x, c.mode, 2);
    CU_ASSERT_NOT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(orbit.reason[0] != '\0');
}

static ic_steady find_steady(const ic_machine *s)
{
    ic_steady steady;
    const ic_problem *problem = &s->setup.problem;
    const ic_status status = ic_steady_find(&steady, problem, ic_accurate_solver(problem->variant),
                                            &(ic_options){.rtol = 1e-11}, IC_STEADY_TRANSIENT);
    CU_ASSERT_EQUAL_FATAL(status, IC_OK);
    CU_ASSERT_FATAL(steady.multiple > 0);
    return steady;
}

/* The orbit that a solver finds: stable, with some events. */
static void prove_steady(ic_orbit *orbit, const ic_machine *s, size_t events)
{
    const ic_steady steady = find_steady(s);
    prove(orbit, s, steady.x, steady.mode, steady.multiple);
    if (orbit->status != IC_OK) printf("%s\n", orbit->reason);
    CU_ASSERT(orbit->status == IC_OK && orbit->minimal && orbit->stable && orbit->events == events);
}

/* The steady state of a subject, whose impacts keep e of a velocity; planted: another damping, or another e. */
static void check_steady(const ic_machine *s, size_t events, const char *damping, const char *e,
                         const char *other_damping, const char *other_e)
{
    IC_OWN(ic_orbit) orbit = {0};
    prove_steady(&orbit, s, events);
    CU_ASSERT_EQUAL(orbit.m, 2);
    CU_ASSERT(agrees_with_liouville(&orbit, damping, e, 1));
    CU_ASSERT(!agrees_with_liouville(&orbit, other_damping, other_e, 1));
}

IC_TEST(test_roller_on_a_law)
{
    if (!ic_tests_is_turn(0, SLOW_TESTS)) return;
    IC_OWN(ic_machine) s = open_path("roller/law", "hunt-crossley", "F_w=30000");
    IC_OWN(ic_orbit) orbit = {0};
    prove_steady(&orbit, &s, 2);
    CU_ASSERT_EQUAL(orbit.multiple, 1);
    /* without loss of contact the memory of the last contact is arbitrary: no orbit is alone */
    IC_OWN(ic_machine) lighter = open_path("roller/law", "hunt-crossley", "F_w=25000");
    IC_OWN(ic_certificate) c;
    double x[IC_MAX_STATES] = {0};
    ic_problem problem = lighter.exact.problem;
    problem.t_end = 0.1;
    problem.t_end_text = NULL;
    ic_certify(&c, &problem, &(ic_certify_options){.digits = 8});
    CU_ASSERT_EQUAL(c.status, IC_OK);
    for (slong i = 0; i < c.n; i++) x[i] = arf_get_d(arb_midref(c.x + i), ARF_RND_NEAR);
    prove(&orbit, &lighter, x, c.mode, 1);
    CU_ASSERT(has_reason(&orbit, "not isolated"));
}

/* ---- machines from text */

static const char duffing[] = "title: A driven mass on a stiffening spring meets a hard stop\n"
                              "parameters: {delta: 0.08, F: 1, omega: 1.3, gap: 0.4, e: 0.81}\n"
                              "states: {x: {unit: 1, scale: 1}, v: {unit: 1/s, scale: 1 1/s}}\n"
                              "time_scale: 1 s\n"
                              "flow:\n"
                              "  x: v\n"
                              "  v: \"(F*cos(omega*t/(1 s)) - x - 0.3*x^3)/(1 s^2) - delta*v/(1 s)\"\n"
                              "elements: {stop: {stop: {gap: gap - x, restitution: e}}}\n";
static const char end[] = "presets: {default: {until: 10 s}}\n";

static const double duffing_orbit[] = {0.290076, 1.542555, 0};

static ic_machine open_duffing(const char *more)
{
    char text[1000];
    snprintf(text, sizeof text, "%s%s%s", duffing, more, end);
    return open_text(text);
}

IC_TEST(test_duffing)
{
    IC_OWN(ic_machine) s = open_duffing("");
    IC_OWN(ic_orbit) orbit = {0};
    prove(&orbit, &s, duffing_orbit, 0, 1);
    CU_ASSERT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(orbit.minimal && orbit.stable && orbit.events == 1 && orbit.m == 2);
    CU_ASSERT(mag_get_d(arb_radref(orbit.x)) < 1e-17);
    CU_ASSERT(agrees_with_liouville(&orbit, "0.08", "0.81", 1));
    CU_ASSERT(!agrees_with_liouville(&orbit, "0.08", "0.8100001", 1));
    CU_ASSERT(!agrees_with_liouville(&orbit, "0.08", "0.81", 2));
    const double period = arf_get_d(arb_midref(orbit.period), ARF_RND_NEAR);
    CU_ASSERT(agrees_with_differences(&s, &orbit, period));
    CU_ASSERT(!agrees_with_differences(&s, &orbit, period * (1 - 1e-4)));
    /* two returns have it too; its smallest period is named */
    prove(&orbit, &s, duffing_orbit, 0, 2);
    CU_ASSERT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(!orbit.minimal && orbit.smaller == 1 && orbit.events == 2);
    /* planted: far away */
    prove(&orbit, &s, (const double[]){-3, 2, 0}, 0, 1);
    CU_ASSERT_NOT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(orbit.reason[0] != '\0');
}

/* The formulas must have the period that a case states. */
IC_TEST(test_period)
{
    static const char *const texts[] = {
        "period: 4*pi/omega*(1 s)\n", "period: 2.0001*pi/omega*(1 s)\n", "period: pi/omega*(1 s)\n",
        "period: 2*pi/omega*(1 s)\ntimes: {kick: {at: 1 s, count: 3, then: {v: v}}}\n"};
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        IC_OWN(ic_machine) s = open_duffing(texts[i]);
        IC_OWN(ic_orbit) orbit = {0};
        prove(&orbit, &s, duffing_orbit, 0, 1);
        /* the orbit has half of the first of these periods, which is no multiple of it */
        CU_ASSERT(i == 0 ? orbit.status == IC_OK && orbit.events == 2
                         : has_reason(&orbit, "do not have the period"));
    }
}

/* A force that is switched at equal times: time events are repeated by the period. */
IC_TEST(test_time_events)
{
    static const char text[] = "parameters: {T: 2 s}\n"
                               "states: {x: {unit: 1, scale: 1}, v: {unit: 1/s, scale: 1 1/s}}\n"
                               "discrete: {side: {values: [-1, 1], start: 1}}\n"
                               "time_scale: 1 s\n"
                               "period: T\n"
                               "flow: {x: v, v: (side - sin(x))/(1 s^2) - 0.8*v/(1 s)}\n"
                               "times:\n"
                               "  up: {at: (n + 3/4)*T, then: {side: 1}}\n"
                               "  down: {at: (n + 1/4)*T, then: {side: -1}}\n"
                               "presets: {default: {until: 10 s}}\n";
    IC_OWN(ic_machine) s = open_text(text);
    check_steady(&s, 2, "0.8", "1", "0.8000001", "1");
}

/* A ball on a vibrating table that gives way: the contact forgets where it began. */
IC_TEST(test_table)
{
    if (!ic_tests_is_turn(1, SLOW_TESTS)) return;
    static const char text[] = "parameters: {g: 9.81 m/s^2, m: 0.1 kg, a: 0.003 m, omega: 60 rad/s}\n"
                               "states:\n"
                               "  y: {unit: m, scale: 0.01 m, start: 0.01 m}\n"
                               "  v: {unit: m/s, scale: 1 m/s, start: 0.3 m/s}\n"
                               "time_scale: 0.1 s\n"
                               "flow: {y: v, v: -g}\n"
                               "elements:\n"
                               "  table:\n"
                               "    contact:\n"
                               "      indentation: a*sin(omega*t) - y\n"
                               "      law: hunt-crossley\n"
                               "      with: {K: 1e6 N/m^1.5, e: 0.3}\n"
                               "      pushes: {v: 1/m}\n"
                               "presets: {default: {until: 2 s}}\n";
    IC_OWN(ic_machine) s = open_text(text);
    IC_OWN(ic_orbit) orbit = {0};
    prove_steady(&orbit, &s, 2);
    CU_ASSERT_EQUAL(orbit.multiple, 1);
}

IC_TEST(test_pendulum)
{
    static const char text[] = "parameters: {c: 0.3, A: 0.5, omega: 1.4, stop: 0.3, e: 0.7}\n"
                               "states: {phi: {unit: 1, scale: 1}, w: {unit: 1/s, scale: 1 1/s}}\n"
                               "time_scale: 1 s\n"
                               "flow: {phi: w, w: (A*cos(omega*t/(1 s)) - sin(phi))/(1 s^2) - c*w/(1 s)}\n"
                               "elements: {wall: {stop: {gap: phi + stop, restitution: e}}}\n"
                               "presets: {default: {until: 100 s}}\n";
    IC_OWN(ic_machine) s = open_text(text);
    check_steady(&s, 1, "0.3", "0.7", "0.3", "0.7000001");
}

/* The side of a kink is a state, but returns to its value whatever the others are. */
IC_TEST(test_kink)
{
    static const char text[] =
        "parameters: {c: 0.3, A: 0.5, omega: 1.4}\n"
        "states: {x: {unit: 1, scale: 1}, w: {unit: 1/s, scale: 1 1/s}}\ntime_scale: 1 s\n"
        "flow: {x: w, w: \"(A*cos(omega*t/(1 s)) - sin(x) - max(x, 0))/(1 s^2) - c*w/(1 s)\"}\n"
        "period: 2*pi/omega*(1 s)\npresets: {default: {until: 100 s}}\n";
    IC_OWN(ic_machine) s = open_text(text);
    check_steady(&s, 2, "0.3", "1", "0.3000001", "1");
}

/* ---- problems without forcing */

/* A self-excited mass comes to a cycle with one impact. */
IC_TEST(test_cycle)
{
    static const char text[] = "parameters: {mu: 0.5, stop: 0.8, e: 0.7}\n"
                               "states:\n"
                               "  x: {unit: 1, start: 0.5, scale: 1}\n"
                               "  v: {unit: 1/s, start: 0, scale: 1 1/s}\n"
                               "time_scale: 1 s\n"
                               "flow: {x: v, v: mu*(1 - x^2)*v/(1 s) - x/(1 s^2)}\n"
                               "elements: {wall: {stop: {gap: x + stop, restitution: e}}}\n"
                               "presets: {default: {until: 100 s}}\n";
    IC_OWN(ic_machine) s = open_text(text);
    IC_OWN(ic_orbit) orbit = {0};
    ic_cycle cycle;
    CU_ASSERT_EQUAL(ic_cycle_find(&cycle, &s.setup.problem, ic_accurate_solver(s.setup.problem.variant),
                                  &(ic_options){.rtol = 1e-10}, 0),
                    IC_OK);
    CU_ASSERT_EQUAL_FATAL(cycle.multiple, 1);
    ic_orbit_request request = {.x = cycle.x,
                                .mode = cycle.mode,
                                .multiple = 1,
                                .event = cycle.event,
                                .latest = 2 * cycle.period,
                                .digits = DIGITS};
    certify_orbit(&orbit, &s, &request);
    CU_ASSERT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(orbit.minimal && orbit.stable && orbit.events == 1);
    /* its period: the certified run from it is at the wall again then, and not a millionth later */
    double x[IC_MAX_STATES] = {0}, after[IC_MAX_STATES] = {0};
    for (slong i = 0; i < orbit.n; i++) x[i] = arf_get_d(arb_midref(orbit.x + i), ARF_RND_NEAR);
    x[0] += 1e-14; /* off the wall */
    const double period = arf_get_d(arb_midref(orbit.period), ARF_RND_NEAR);
    CU_ASSERT(mag_get_d(arb_radref(orbit.period)) < 1e-16);
    follow(after, &s, x, orbit.mode, period - 1e-6);
    CU_ASSERT(after[1] < 0 && fabs(after[0] + 0.8) < 1e-5);
    follow(after, &s, x, orbit.mode, period + 1e-6);
    CU_ASSERT(after[1] > 0 && fabs(after[0] + 0.8) < 1e-5);
    /* twice round is not the smallest */
    request.multiple = 2;
    certify_orbit(&orbit, &s, &request);
    CU_ASSERT(orbit.status == IC_OK && !orbit.minimal && orbit.smaller == 1);
    /* planted: an event that does not happen, and a start elsewhere */
    request.multiple = 1;
    request.event = "wall leaves";
    certify_orbit(&orbit, &s, &request);
    CU_ASSERT(has_reason(&orbit, "does not happen again"));
    request.event = cycle.event;
    request.x = (const double[]){-0.8, 4, 0};
    certify_orbit(&orbit, &s, &request);
    CU_ASSERT_NOT_EQUAL(orbit.status, IC_OK);
    CU_ASSERT(orbit.reason[0] != '\0');
    /* a forced problem has no cycle of its own */
    IC_OWN(ic_machine) forced = open_duffing("");
    certify_orbit(
        &orbit, &forced,
        &(ic_orbit_request){.x = duffing_orbit, .multiple = 1, .event = "stop", .latest = 10, .digits = 10});
    CU_ASSERT(has_reason(&orbit, "contain the time"));
}

/* ---- the linearised problem against the derivative of the map */

/* Whether the tangents after some periods overlap the columns of the derivative; `wrong` is added to one of them. */
static bool tangents_agree(const ic_machine *s, const double *x, int mode, int multiple, double wrong)
{
    ic_tangent_problem linearised;
    IC_OWN(ic_return_map) map, of_tangents;
    double start[IC_MAX_STATES] = {0};
    bool agree = ic_tangent_open(&linearised, &s->exact.problem);
    CU_ASSERT_FATAL(agree);
    const slong n = (slong)s->exact.problem.system->n_states;
    memcpy(start, x, (size_t)n * sizeof *x);
    CU_ASSERT_EQUAL_FATAL(ic_return_map_open(&map, &s->exact.problem, start, mode, NULL, 0, BITS), IC_OK);
    CU_ASSERT_EQUAL_FATAL(ic_return_map_open(&of_tangents, &linearised.problem, start, mode, NULL, 0, BITS),
                          IC_OK);
    IC_BALL_VECTOR(box, 2 * n);
    IC_BALL_VECTOR(image, 2 * n + 1);
    IC_BALL_MATRIX(derivative, n + 1, n);
    for (slong i = 0; i < n; i++) arb_set_d(box + i, start[i]);
    for (slong k = 0; k < map.m; k++) mag_set_d(arb_radref(box + map.unknown[k]), 1e-22);
    CU_ASSERT_EQUAL(ic_return_box(&map, image, derivative, box, multiple), IC_OK);
    for (slong i = 0; i < n; i++) arb_get_mid_arb(box + i, box + i);
    for (slong k = 0; k < map.m; k++) {
        _arb_vec_zero(box + n, n);
        arb_one(box + n + map.unknown[k]);
        CU_ASSERT_EQUAL(ic_return_box(&of_tangents, image, NULL, box, multiple), IC_OK);
        for (slong i = 0; i < n; i++) {
            IC_BALLS(component);
            arb_set_d(component, i + k == 0 ? wrong : 0);
            arb_add(component, component, image + n + i, BITS);
            agree = agree && arb_overlaps(component, arb_mat_entry(derivative, i, map.unknown[k]));
        }
    }
    ic_tangent_close(&linearised);
    return agree;
}

IC_TEST(test_tangents)
{
    static const char *const paths[] = {"roller/III/C", "roller/I/A", NULL};
    for (size_t i = 0; i < IC_COUNT(paths); i++) {
        IC_OWN(ic_machine) s = paths[i] != NULL ? open_path(paths[i], NULL, NULL) : open_duffing("");
        const ic_steady steady = find_steady(&s);
        CU_ASSERT(tangents_agree(&s, steady.x, steady.mode, steady.multiple, 0));
        CU_ASSERT(!tangents_agree(&s, steady.x, steady.mode, steady.multiple, 1e-9));
    }
}

/* ---- period doublings */

/* Follows the steady state of the subject from one value of a parameter to another. */
static void prove_doubling(ic_doubling *doubling, const ic_machine *s, const char *name, const char *from,
                           const char *to)
{
    const ic_steady steady = find_steady(s);
    ic_doubling_clear(doubling);
    ic_doubling_certify(doubling, &s->exact.problem,
                        &(ic_doubling_request){.parameter = ic_parameter_find(s->exact.problem.system, name),
                                               .from = from,
                                               .to = to,
                                               .x = steady.x,
                                               .mode = steady.mode,
                                               .multiple = steady.multiple,
                                               .digits = 8});
    if (doubling->status != IC_OK) printf("doubling: %s\n", doubling->reason);
}

IC_TEST(test_doubling_of_the_roller)
{
    if (!ic_tests_is_turn(2, SLOW_TESTS)) return;
    IC_OWN(ic_doubling) d = {0};
    IC_OWN(ic_machine) s = open_path("roller/III/C", NULL, "F_w=58752");
    prove_doubling(&d, &s, "F_w", "58752", "58754");
    CU_ASSERT_EQUAL(d.status, IC_OK);
    CU_ASSERT(d.multiple == 1 && d.events == 2 && d.before < d.after && d.after - d.before < 1e-6);
    CU_ASSERT(d.before > 58752.999 && d.after < 58753);
    CU_ASSERT(arb_is_negative(d.speed));
    /* the multiplier at an end is that of the orbit there */
    IC_OWN(ic_orbit) orbit = {0};
    double x[5];
    for (int i = 0; i < 5; i++) x[i] = arf_get_d(arb_midref(d.x_from + i), ARF_RND_NEAR);
    prove(&orbit, &s, x, d.mode, 1);
    CU_ASSERT(orbit.status == IC_OK && orbit.stable && orbit.minimal);
    arb_neg(d.multiplier_from, d.multiplier_from);
    CU_ASSERT(arb_overlaps(orbit.radius, d.multiplier_from));
    CU_ASSERT(arb_overlaps(orbit.x, d.x_from));
    /* planted: an interval beside it, one that begins behind it, and a parameter from which the period follows */
    prove_doubling(&d, &s, "F_w", "58751", "58752");
    CU_ASSERT(d.status == IC_UNDECIDED && strstr(d.reason, "passed -1") != NULL);
    prove_doubling(&d, &s, "F_w", "58754", "58755");
    CU_ASSERT(d.status == IC_UNDECIDED && strstr(d.reason, "proved to be stable") != NULL);
    prove_doubling(&d, &s, "omega", "80pi", "81pi");
    CU_ASSERT(d.status == IC_INVALID && strstr(d.reason, "the period follows from 'omega'") != NULL);
    prove_doubling(&d, &s, "F_w", "58752", "58752");
    CU_ASSERT(d.status == IC_INVALID && strstr(d.reason, "is empty") != NULL);
}

IC_TEST(test_doubling_of_duffing)
{
    if (!ic_tests_is_turn(3, SLOW_TESTS)) return;
    IC_OWN(ic_doubling) d = {0};
    /* the parameter falls; the orbit has one impact in two periods, and its multiples have four */
    static const char text[] = "parameters: {delta: 0.319, F: 1, omega: 3, gap: 0.1, e: 0.7}\n"
                               "states: {x: {unit: 1, scale: 1}, v: {unit: 1/s, scale: 1 1/s}}\n"
                               "time_scale: 1 s\n"
                               "flow:\n"
                               "  x: v\n"
                               "  v: \"(F*cos(omega*t/(1 s)) - x - 0.3*x^3)/(1 s^2) - delta*v/(1 s)\"\n"
                               "elements: {stop: {stop: {gap: gap - x, restitution: e}}}\n"
                               "presets: {default: {until: 10 s}}\n";
    IC_OWN(ic_machine) s = open_text(text);
    prove_doubling(&d, &s, "delta", "0.319", "0.317");
    CU_ASSERT_EQUAL(d.status, IC_OK);
    CU_ASSERT(d.multiple == 2 && d.events == 1 && d.before > d.after);
    CU_ASSERT(d.before < 0.317743 && d.after > 0.317742);
    CU_ASSERT(arb_is_positive(d.speed));
}
