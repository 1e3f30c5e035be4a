/* SPDX-License-Identifier: MIT */
/* Machines from files: every example is consistent, and elements do what mechanics says. */
#include "bench/answers.h"
#include "casefile/casefile.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "validation/case/judgement.h"
#include "validation/checks/judges.h"

IC_SUITE(light, "machines from case files")

#define MACHINES IC_TEST_SOURCE_DIR "/examples/machines/"

/* ---- every example agrees with itself, and two solvers with each other */

/* The events of a solver are those of dop853. */
static void compare_solvers(const ic_problem *problem, const char *solver)
{
    const ic_options tight = {.rtol = 1e-11};
    IC_OWN(ic_log) *a = ic_tests_solve("dop853", problem, &tight), *b = ic_tests_solve(solver, problem, &tight);
    CU_ASSERT_EQUAL(ic_log_event_count(a), ic_log_event_count(b));
    for (size_t k = 0; k < ic_log_event_count(a) && k < ic_log_event_count(b); k++) {
        const ic_event e = ic_log_event_at(a, k), f = ic_log_event_at(b, k);
        IC_EXPECT(fabs(e.t - f.t) < 1e-6, "%s, %s, event %zu: %.12g and %.12g", problem->system->name, solver,
                  k, e.t, f.t);
    }
}

/*
 * A mode that ends where d falls to 0 has powers of d in its energy and in another guard, too. Steps and
 * rounding reach beyond d = 0.
 */
#define LEAVES(part_)                                                                                          \
    "parameters: {P: 300 N/m^1.5, m: 1 kg, K: 1000 N/m^1.5, S: 800 N/m^1.5, v0: 1 m/s, u0: 0.2 m/s}\n"         \
    "states: {d: {unit: m, start: 0, scale: 0.01 m}, v: {unit: m/s, start: v0, scale: v0}, "                   \
    "u: {unit: m/s, start: u0, scale: v0}, q: {unit: N, scale: 10 N}}\n"                                       \
    "time_scale: 0.05 s\n"                                                                                     \
    "modes:\n"                                                                                                 \
    "  stick:\n"                                                                                               \
    "    flow: {d: v, v: -K*d^1.5/m, u: -3.5*q/m, q: S*d^0.5*u}\n"                                             \
    "    energy: {stored: m*v^2/2 + " part_ "*K*d^2.5}\n"                                                      \
    "    until: {lift-off: {falls: d, then: {mode: apart}}, slips: {falls: P*d^1.5 - q, ends: true}}\n"        \
    "  apart: {flow: {d: v, v: 0, u: 0, q: 0}, energy: {stored: m*v^2/2}}\n"                                   \
    "presets: {default: {until: 0.5 s}}\n"

static ic_verdict verdict_of(const ic_case *system)
{
    char undecided[512];
    ic_result row;
    CU_ASSERT_FATAL(ic_case_judge(&row, undecided, sizeof undecided, system));
    return row.verdict;
}

IC_TEST(test_powers_beyond_an_event)
{
    static const char *const texts[] = {LEAVES("2/5"), LEAVES("3/5")};
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        IC_OWN(ic_machine) m = ic_tests_open(texts[i], NULL);
        /* planted: the other energy is wrong */
        CU_ASSERT_EQUAL(verdict_of(ic_casefile_case(m.file)), i == 0 ? IC_PASS : IC_FAIL);
        compare_solvers(&m.setup.problem, "rk4_henon");
        compare_solvers(&m.setup.problem, "rk45_bisection");
        compare_solvers(&m.setup.problem, "taylor");
    }
}

/*
 * dem's slip ends where friction reverses or the spheres part; the guard of its grip has no value beyond
 * that. Steps of coarse runs pass over both. Events of a run of 1e-4 lie within 1e-3 of the typical time.
 */
IC_TEST(test_guard_without_value_beyond_an_event)
{
    static const struct {
        const char *solver;
        double rtol;
    } runs[] = {{"rk45_bisection", 1e-4}, {"rk45_bisection", 1e-6}, {"dop853", 1e-4}, {"dop853", 3e-6}};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "dem/test-4"});
    IC_OWN(ic_log) *right = ic_tests_solve("dop853", &setup.problem, &(ic_options){.rtol = 1e-11});
    for (size_t i = 0; i < IC_COUNT(runs); i++) {
        IC_OWN(ic_log) *log =
            ic_tests_solve(runs[i].solver, &setup.problem, &(ic_options){.rtol = runs[i].rtol});
        CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), ic_log_event_count(right));
        for (size_t k = 0; k < ic_log_event_count(log); k++) {
            const ic_event e = ic_log_event_at(log, k), f = ic_log_event_at(right, k);
            CU_ASSERT(strcmp(e.name, f.name) == 0 && fabs(e.t - f.t) < 1e-3 * ic_time_scale(&setup.problem));
        }
    }
}

IC_TEST(test_examples)
{
    static const char *const files[] = {
        "compliant-ball", "cradle", "double-pendulum", "heater", "moving-wall", "quadratic-damping",
        "rocking-block",  "roller", "stick-slip",      "stops",  "two-masses"};
    for (size_t i = 0; i < IC_COUNT(files); i++) {
        char path[256], undecided[512];
        ic_error error = {""};
        ic_result row;
        snprintf(path, sizeof path, MACHINES "%s.yaml", files[i]);
        const ic_case *system = ic_casefile_find(path, &error);
        IC_EXPECT_FATAL(system != NULL, "%s", error.text);
        CU_ASSERT_FATAL(ic_case_judge(&row, undecided, sizeof undecided, system));
        IC_EXPECT(row.verdict == IC_PASS, "%s: %s: %s", files[i], row.what, row.detail);
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = path});
        compare_solvers(&setup.problem, "rk45_bisection");
        compare_solvers(&setup.problem, "taylor");
    }
}

/* ---- machines in the test itself */

static void run_text(ic_machine *o, const char *text, const char *solver)
{
    *o = ic_tests_open(text, NULL);
    o->log = ic_log_new(&o->setup.problem);
    o->status = ic_run(o->log, ic_solver_find(solver), &(ic_options){.rtol = 1e-12});
}

static double time_of(const ic_machine *o, const char *event, size_t n)
{
    for (size_t i = 0; i < ic_log_event_count(o->log); i++) {
        const ic_event e = ic_log_event_at(o->log, i);
        if (strcmp(e.name, event) == 0 && n-- == 0) return e.t;
    }
    return NAN;
}

static void expect_near(const char *what, double value, double expected, double tolerance)
{
    IC_EXPECT(fabs(value - expected) <= tolerance, "%s: %.15g instead of %.15g", what, value, expected);
    CU_ASSERT_FALSE(fabs(value + 10 * tolerance - expected) <= tolerance); /* planted */
}

/* Modes with forcing of different frequencies. */
IC_TEST(test_two_frequencies)
{
    static const char text[] = "states: {x: {unit: m, start: 0.2 m}, v: m/s}\n"
                               "modes:\n"
                               "  slow:\n"
                               "    flow: {x: v, v: -x*(1 1/s^2) + (1 m/s^2)*cos((1.6 rad/s)*t)}\n"
                               "    until: {up: {rises: x - (0.5 m), then: {mode: fast}}}\n"
                               "  fast:\n"
                               "    flow: {x: v, v: -x*(1 1/s^2) + (1 m/s^2)*sin((2.5 rad/s)*t)}\n"
                               "    until: {down: {falls: x, then: {mode: slow}}}\n"
                               "presets: {default: {until: 12 s}}\n";
    IC_OWN(ic_machine) a;
    run_text(&a, text, "piecewise_linear");
    IC_OWN(ic_machine) b;
    run_text(&b, text, "dop853");
    const size_t n = ic_log_event_count(b.log);
    CU_ASSERT(n >= 4);
    CU_ASSERT_EQUAL(ic_log_event_count(a.log), n);
    for (size_t i = 0; i < n && ic_log_event_count(a.log) == n; i++)
        expect_near("event", ic_log_event_at(a.log, i).t, ic_log_event_at(b.log, i).t, 1e-7);
}

IC_TEST(test_stop_between_two_masses)
{
    /* central impact: momentum is kept, the relative velocity is -e times itself */
    static const char text[] =
        "parameters: {m1: 2 kg, m2: 3 kg, e: 0.5}\n"
        "states: {x1: m, v1: {unit: m/s, start: 2 m/s}, x2: {unit: m, start: 1 m}, v2: {unit: m/s, start: -1 m/s}}\n"
        "flow: {x1: v1, v1: 0, x2: v2, v2: 0}\n"
        "elements: {hit: {stop: {gap: x2 - x1, restitution: e, pushes: {v1: -1/m1, v2: 1/m2}}}}\n"
        "presets: {default: {until: 1 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "rk45_bisection");
    const ic_sample end = ic_log_end(o.log);
    expect_near("time", time_of(&o, "hit", 0), 1.0 / 3, 1e-12);
    expect_near("momentum", 2 * end.x[1] + 3 * end.x[3], 1, 1e-12);
    expect_near("relative velocity", end.x[3] - end.x[1], 1.5, 1e-12);
}

IC_TEST(test_stop_acts_through_the_mass_matrix)
{
    /*
     * a free rod, hit at its end: v = J/m, w = J l/(2 I) with I = m l^2/12: the end turns round by
     * -e
     */
    static const char text[] =
        "parameters: {m: 1 kg, l: 1 m, e: 1}\n"
        "states: {y: {unit: m, start: 1 m}, phi: rad, v: {unit: m/s, start: -1 m/s}, w: rad/s}\n"
        "flow: {y: v, phi: w}\n"
        "mass: {of: [v, w], matrix: [[m, 0], [0, m*l^2/12]], force: [0, 0]}\n"
        "elements: {floor: {stop: {gap: y - l/2*sin(phi), restitution: e}}}\n"
        "energy: {stored: m*v^2/2 + m*l^2/24*w^2}\n"
        "presets: {default: {until: 1.1 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "dop853");
    const ic_event hit = ic_log_event_at(o.log, 0);
    expect_near("v after", hit.x_post[2], -0.5, 1e-12);
    expect_near("w after", hit.x_post[3], -3, 1e-12);
}

/*
 * A ball bounces to rest on a sinking plate, whose motion rounds off the last bounces: the limit is
 * 2 v0/g/(1 - e).
 */
IC_TEST(test_rounded_bounces_keep_their_limit)
{
    static const char text[] = "parameters: {g: 10 m/s^2, v0: 1 m/s, w: 0.5 m/s}\n"
                               "states: {x: m, v: {unit: m/s, start: v0 - w}}\n"
                               "flow: {x: v, v: -g}\n"
                               "elements: {plate: {stop: {gap: x + w*t, restitution: 0.3}}}\n"
                               "presets: {default: {until: 1 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "dop853");
    CU_ASSERT_EQUAL(o.status, IC_OK);
    const ic_event last = ic_log_event_at(o.log, ic_log_event_count(o.log) - 1);
    CU_ASSERT_EQUAL(last.kind, IC_EVENT_ACCUMULATION);
    expect_near("limit", last.t, 2. / 7, 4e-10);
}

/* Under C* the force of a dashpot may turn its sign above the surface: contact does not begin there. */
IC_TEST(test_force_above_the_surface)
{
    static const char text[] = "parameters: {m: 1 kg, g: 9.81 m/s^2, h: 0.01 m}\n"
                               "states: {x: {unit: m, start: h}, v: m/s}\n"
                               "flow: {x: v, v: -g - (1 1/s)*v - 0.3*(1 1/m)*v*abs(v)}\n"
                               "elements:\n"
                               "  soil:\n"
                               "    contact: {indentation: -x, pushes: {v: 1/m}, condition: C*,\n"
                               "              with: {k: 1e4 N/m, c: 30 N*s/m}}\n"
                               "presets: {default: {until: 0.3 s}}\n";
    IC_OWN(ic_machine) a;
    run_text(&a, text, "dop853");
    IC_OWN(ic_machine) b;
    run_text(&b, text, "taylor");
    CU_ASSERT_FATAL(ic_log_event_count(a.log) == 13 && ic_log_event_count(b.log) == 13);
    for (size_t i = 0; i < 13; i++) {
        const ic_event e = ic_log_event_at(a.log, i), f = ic_log_event_at(b.log, i);
        CU_ASSERT_STRING_EQUAL(e.name, f.name);
        CU_ASSERT_STRING_NOT_EQUAL(e.name, "soil again");
        expect_near(e.name, f.t, e.t, 1e-9);
    }
}

IC_TEST(test_friction_sticks_and_breaks)
{
    /* sliding: decelerated by mu_k g; it sticks, and breaks where F t = mu_s m g */
    static const char text[] =
        "parameters: {m: 1 kg, g: 10 m/s^2, mu_s: 0.5, mu_k: 0.4, r: 2 N/s}\n"
        "states: {x: m, v: {unit: m/s, start: 1 m/s}}\n"
        "flow: {x: v, v: r*t/m}\n"
        "elements: {floor: {friction: {slip: v, normal: m*g, static: mu_s, kinetic: mu_k, pushes: {v: 1/m}}}}\n"
        "presets: {default: {until: 3 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "dop853");
    /* v = 1 - 4 t + t^2 */
    expect_near("sticks", time_of(&o, "floor stops slipping", 0), 2 - sqrt(3), 1e-10);
    expect_near("breaks", time_of(&o, "floor slips forwards", 0), 2.5, 1e-10);
}

/*
 * A belt carries a box against a rail. The box stuck to the belt until then, so that nothing pressed
 * it; after the impact the belt slips under it, and presses it against the rail.
 */
IC_TEST(test_stop_holds_what_friction_presses)
{
    static const char box[] = "parameters: {m: 3 kg, g: 10 m/s^2, mu: 0.4, vb: 0.5 m/s, d: 0.3 m}\n"
                              "states: {x: m, v: {unit: m/s, start: vb}}\n"
                              "flow: {x: v, v: 0}\n"
                              "elements:\n"
                              "  f: {friction: {slip: v - vb, normal: m*g, kinetic: mu, pushes: {v: 1/m}}}\n"
                              "  rail: {stop: {gap: d - x, pushes: {v: -1/m}}}\n"
                              "outputs: {force: rail.force}\n"
                              "presets: {default: {until: 3 s}}\n";
    static const char boxes[] =
        "parameters: {m: 2 kg, g: 10 m/s^2, mu: 0.4, vb: 0.5 m/s, d: 0.3 m, k: 2 kN/m}\n"
        "states: {x1: {unit: m, start: d}, v1: m/s, x2: m, v2: {unit: m/s, start: vb}}\n"
        "flow: {x1: v1, v1: -k*(x1 - d)/m, x2: v2, v2: 0}\n"
        "elements:\n"
        "  f1: {friction: {slip: v1 - vb, normal: m*g, kinetic: mu, pushes: {v1: 1/m}}}\n"
        "  f2: {friction: {slip: v2 - vb, normal: m*g, kinetic: mu, pushes: {v2: 1/m}}}\n"
        "  hit: {stop: {gap: x1 - x2, pushes: {v1: 1/m, v2: -1/m}}}\n"
        "outputs: {force: hit.force}\n"
        "presets: {default: {until: 3 s}}\n";
    static const char *const solvers[] = {"dop853", "rk45_bisection", "taylor", "piecewise_linear"};
    for (size_t i = 0; i < IC_COUNT(solvers); i++) {
        IC_OWN(ic_machine) o;
        run_text(&o, box, solvers[i]);
        const ic_sample end = ic_log_end(o.log);
        const ic_case *system = o.setup.problem.system;
        CU_ASSERT_EQUAL(o.status, IC_OK);
        expect_near("rail", time_of(&o, "rail", 0), 0.6, 1e-12);
        expect_near("place", end.x[0], 0.3, 1e-12);
        expect_near("force", system->outputs[0].value(end.t, end.x, end.mode, o.setup.problem.par), 12, 1e-9);
        if (strcmp(solvers[i], "piecewise_linear") == 0) continue; /* the boxes have too many modes */
        IC_OWN(ic_machine) met;
        run_text(&met, boxes, solvers[i]);
        double least = INFINITY;
        for (size_t k = 0; k < ic_log_event_count(met.log); k++) {
            const double *x = ic_log_event_at(met.log, k).x_post;
            least = fmin(least, x[0] - x[2]);
        }
        const ic_sample both = ic_log_end(met.log);
        CU_ASSERT_EQUAL(met.status, IC_OK);
        CU_ASSERT(fmin(least, both.x[0] - both.x[2]) > -1e-9);
        CU_ASSERT(both.x[0] - both.x[2] < 1e-9); /* planted: the boxes meet */
    }
}

#define SHAKEN_BOX(restitution)                                                                                \
    "parameters: {m: 2 kg, R: 6 N, k: 300 N/m, A: 5 mm, om: 30 rad/s, e: " restitution "}\n"                   \
    "states: {x: m, v: m/s}\n"                                                                                 \
    "flow: {x: v, v: -k*x/m}\n"                                                                                \
    "elements:\n"                                                                                              \
    "  f: {friction: {slip: v - A*om*cos(om*t), normal: R, kinetic: 1, static: 1.3, pushes: {v: 1/m}}}\n"      \
    "  rail: {stop: {gap: x + (2 mm) + (1 mm)*sin(om*t/3), restitution: e}}\n"

/*
 * A box is pressed against a stop that moves while friction turns round: the gap is as small as the
 * run has left it, which is no fault of the friction's jump.
 */
static void expect_good_case(const char *text)
{
    char undecided[512];
    ic_result row;
    IC_OWN(ic_casefile) *c = ic_tests_read(text);
    CU_ASSERT_FATAL(ic_case_judge(&row, undecided, sizeof undecided, ic_casefile_case(c)));
    IC_EXPECT(row.verdict == IC_PASS, "%s: %s", row.what, row.detail);
}

IC_TEST(test_judge_leaves_the_accuracy_of_the_run)
{
    expect_good_case(SHAKEN_BOX("0") "presets: {default: {until: 3 s}}\n");
}

/*
 * A body comes to rest while another one is 0.1 mm above its stop. The state of that stop is no length: the
 * body counts as on it by its gap alone.
 */
IC_TEST(test_judge_leaves_a_stop_that_is_near)
{
    expect_good_case("states: {x: {unit: m, start: 1 m}, u: m/s, y: {unit: m, start: 1.0001 m}, v: m/s}\n"
                     "flow: {x: u, u: -(9.81 m/s^2)*cos(x/(9 m)), y: v, v: -(9.81 m/s^2)*cos(x/(9 m))}\n"
                     "elements: {a: {stop: {gap: x}}, b: {stop: {gap: y}}}\n"
                     "presets: {default: {until: 1 s}}\n");
}

static const char *const general_solvers[] = {"rk4_henon", "rk45_bisection", "dop853", "taylor"};

/* By each general solver, the last event but `later` is `name` at t. */
static void expect_last_event(const char *text, size_t later, const char *name, double t, double tolerance)
{
    for (size_t i = 0; i < IC_COUNT(general_solvers); i++) {
        IC_OWN(ic_machine) o;
        run_text(&o, text, general_solvers[i]);
        const ic_event last = ic_log_event_at(o.log, ic_log_event_count(o.log) - 1 - later);
        IC_EXPECT(strcmp(last.name, name) == 0, "%s: %s", general_solvers[i], last.name);
        expect_near(general_solvers[i], last.t, t, tolerance);
    }
}

/*
 * A clipped contact: max(0, F) is zero as long as F is, in flight, and F rises like d^1.5, which has no value on
 * the other side of the floor.
 */
IC_TEST(test_force_from_zero)
{
    static const char text[] = "parameters: {g: 9.81 m/s^2, K: 1e8 m^-0.5/s^2, c: 0.3 s/m}\n"
                               "states: {x: {unit: m, start: 0.05 m}, v: m/s}\n"
                               "flow: {x: v, v: '-g + max(0, K*max(-x, 0)^1.5*(1 - c*v))'}\n"
                               "presets: {default: {until: 0.12 s}}\n";
    expect_last_event(text, 0, "x = 0", 0.1030483110, 1e-6); /* x and -x have one kink */
}

/*
 * Friction turns round and pulls the box off the stop: the contact force falls by a jump, and the gap has a
 * curvature at once. The next event is the end of sliding.
 */
IC_TEST(test_friction_pulls_off_a_stop)
{
    expect_last_event(SHAKEN_BOX("0") "presets: {default: {until: 0.65 s}}\n", 0, "f stops slipping",
                      0.626083204, 1e-7);
}

/* The last bounces are lower than rounding. The box then rests, and does not pass the stop. */
IC_TEST(test_last_bounces_end_in_rest)
{
    expect_last_event(SHAKEN_BOX("0.2") "presets: {default: {until: 2.3 s}}\n", 1, "rail leaves", 2.25337877,
                      1e-6);
}

/*
 * How many bounces a follower makes before it rests on its cam, and whether the last is an accumulation,
 * depends on rounding: the agreement of solvers does not.
 */
IC_TEST(test_agreement_of_bounces_before_rest)
{
    static const char cam[] =
        "parameters: {m: 180 g, k: 2.2 kN/m, pre: 35 N, c: 4 N s/m, h1: 3 mm, h2: 0.9 mm, n: 2400 rpm, e: 0.35}\n"
        "states: {y: m, v: m/s}\n"
        "flow: {y: v, v: -(pre + k*y + c*v)/m}\n"
        "elements: {cam: {stop: {gap: y - h1*(1 - cos(n*t)) - h2*(1 - cos(2*n*t)), restitution: e}}}\n"
        "period: 2*pi/n\n"
        "presets: {default: {until: 0.25 s}}\n";
    const ic_solver *solvers[IC_COUNT(general_solvers)];
    IC_OWN(ic_results) results = {0};
    IC_OWN(ic_machine) o;
    run_text(&o, cam, "dop853");
    for (size_t i = 0; i < IC_COUNT(solvers); i++) solvers[i] = ic_solver_find(general_solvers[i]);
    ic_agreement_judge(&results, &o.setup.problem, "cam", true, solvers, IC_COUNT(solvers));
    CU_ASSERT(results.count >= 2 * IC_COUNT(solvers));
    for (size_t i = 0; i < results.count; i++) {
        const ic_result *row = &results.rows[i];
        IC_EXPECT(row->verdict != IC_FAIL, "%s: %s: %s", row->solver, row->what, row->detail);
    }
    /* Nor does the cost of accuracy, which is measured up to the first event that rounding decides. */
    ic_answer answer;
    ic_answer_find(&answer, &o.setup);
    CU_ASSERT(answer.of_runs && answer.truth.count >= 20);
    const double error = ic_answer_error(&answer, o.log, 0);
    IC_EXPECT(error < 1e-8, "error of event times: %g", error);
    answer.truth.events[5].t += 1e-6;
    CU_ASSERT_FALSE(ic_answer_error(&answer, o.log, 0) < 1e-8); /* planted */
    ic_truth_clear(&answer.truth);
}

IC_TEST(test_switch_and_delay)
{
    /* a ramp: on at x = 1, off at 0.5; the output follows 0.1 s later */
    static const char text[] = "parameters: {r: 1 1/s, late: 0.1 s}\n"
                               "states: {x: 1}\n"
                               "elements:\n"
                               "  relay: {switch: {input: x, on: 1, off: 0.5}}\n"
                               "  output: {delay: {input: relay, time: late}}\n"
                               "flow: {x: r*(1 - 2*output)}\n"
                               "presets: {default: {until: 2 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "dop853");
    expect_near("on", time_of(&o, "relay on", 0), 1, 1e-10);
    expect_near("arrives", time_of(&o, "output arrives", 0), 1.1, 1e-10);
    expect_near("off", time_of(&o, "relay off", 0), 1.7, 1e-10);
}

IC_TEST(test_kink_is_an_event)
{
    /* x'' = -sign(x): x = 1 - t^2/2 falls to 0 at sqrt 2 */
    static const char text[] = "states: {x: {unit: m, start: 1 m}, v: m/s}\n"
                               "parameters: {a: 1 m/s^2}\n"
                               "flow: {x: v, v: -a*sign(x)}\n"
                               "presets: {default: {until: 5 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "taylor");
    expect_near("first", time_of(&o, "x = 0", 0), sqrt(2), 1e-10);
    expect_near("second", time_of(&o, "x = 0", 1), 3 * sqrt(2), 1e-10);
}

/* The roller as text is the roller in C: same events under every condition. */
IC_TEST(test_roller_as_in_c)
{
    static const char *const conditions[] = {"A", "B", "C", "D"};
    for (size_t i = 0; i < IC_COUNT(conditions); i++) {
        char text[256], built_in[64];
        snprintf(text, sizeof text, MACHINES "roller.yaml/%s", conditions[i]);
        snprintf(built_in, sizeof built_in, "roller/III/%s", conditions[i]);
        IC_OWN(ic_setup) a = ic_tests_setup(&(ic_request){.path = text});
        IC_OWN(ic_setup) b = ic_tests_setup(&(ic_request){.path = built_in, .until = "20*2*pi/omega"});
        IC_OWN(ic_log) *log_a = ic_tests_solve("piecewise_linear", &a.problem, &(ic_options){0});
        IC_OWN(ic_log) *log_b = ic_tests_solve("piecewise_linear", &b.problem, &(ic_options){0});
        CU_ASSERT_EQUAL(ic_log_event_count(log_a), ic_log_event_count(log_b));
        for (size_t k = 0; k < ic_log_event_count(log_a) && k < ic_log_event_count(log_b); k++)
            CU_ASSERT(fabs(ic_log_event_at(log_a, k).t - ic_log_event_at(log_b, k).t) < 1e-12);
    }
}

/* A free impact on Hertz's law and on Hunt and Crossley's, against the law's own first integral. */
IC_TEST(test_contact_gives_the_restitution_of_its_law)
{
    static const char text[] = "parameters: {m: 1 kg}\n"
                               "states: {x: {unit: m, start: 0.001 m}, v: {unit: m/s, start: -1 m/s}}\n"
                               "flow: {x: v, v: 0}\n"
                               "elements: {floor: {contact: {indentation: -x, pushes: {v: 1/m}, law: hertz}}}\n"
                               "presets: {default: {until: 0.01 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "dop853");
    /* m v^2/2 = 2/5 K d^(5/2); duration 4 sqrt(pi)/5 Gamma(2/5)/Gamma(9/10) d/v = 2.94 d/v */
    const double factor = 0.8 * sqrt(M_PI) * tgamma(0.4) / tgamma(0.9);
    const double d = pow(1.25 / 1e10, 0.4), duration = time_of(&o, "floor leaves", 0) - time_of(&o, "floor", 0);
    expect_near("duration", duration, factor * d, 1e-9 * d);
    expect_near("restitution", ic_log_end(o.log).x[1], 1, 1e-9);
}

/* Twenty balls with nineteen contacts that remember: what they exchange is momentum. */
IC_TEST(test_long_chain_keeps_its_momentum)
{
    static const char text[] =
        "indices: {i: 1..20}\n"
        "parameters: {m: 0.1 kg, R: 1 cm, K: 1e9 N/m^1.5, v0: 1 m/s}\n"
        "states:\n"
        "  for i in 1..20: {\"x[i]\": {unit: m, start: 2.01*R*i}, \"v[i]\": {unit: m/s, start: \"where(i = 1, v0, 0)\"}}\n"
        "flow: {for i in 1..20: {\"x[i]\": \"v[i]\", \"v[i]\": 0}}\n"
        "elements:\n"
        "  for i in 1..19:\n"
        "    c[i]: {contact: {indentation: \"x[i] - x[i+1] + 2*R\", law: hunt-crossley, with: {K: K}, condition: A,\n"
        "                     pushes: {\"v[i]\": -1/m, \"v[i+1]\": 1/m}}}\n"
        "presets: {default: {until: 5 ms}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "dop853");
    const ic_sample end = ic_log_end(o.log);
    double momentum = 0;
    CU_ASSERT_EQUAL(o.status, IC_OK);
    CU_ASSERT_EQUAL(o.setup.problem.system->n_states, 40 + 2 * 19);
    for (size_t i = 0; i < 20; i++) momentum += end.x[2 * i + 1];
    expect_near("momentum", momentum, 1, 1e-11);
    CU_ASSERT(end.x[11] > 0.01); /* it came to the sixth ball */
}

IC_TEST(test_family_has_the_size_asked_for)
{
    ic_error error;
    static const char *const eight[] = {"N=8"}, *const wrong[] = {"N=21"};
    const ic_request asked = {.path = MACHINES "cradle.yaml", .settings = eight, .n_settings = 1};
    ic_setup setup = ic_tests_setup(&asked);
    CU_ASSERT_EQUAL(setup.problem.system->n_states, 2 * 8 + 7);
    IC_OWN(ic_log) *log = ic_tests_solve("dop853", &setup.problem, &(ic_options){0});
    CU_ASSERT_EQUAL(ic_log_event_count(log), 7);
    expect_near("last ball", ic_log_end(log).x[15], 1, 1e-12);
    ic_setup_close(&setup);
    const ic_request refused = {.path = MACHINES "cradle.yaml", .settings = wrong, .n_settings = 1};
    CU_ASSERT_FALSE(ic_setup_open(&setup, &refused, &error));
}

/*
 * Two tanks fill, each until it is full: a condition on a discrete state needs no event of its own.
 */
IC_TEST(test_discrete_states_select)
{
    static const char text[] =
        "parameters: {top1: 1 m, top2: 3 m, rate: 2 m/s}\n"
        "states: {for j in 1..2: {\"h[j]\": m}}\n"
        "discrete:\n"
        "  for j in 1..2: {\"phase[j]\": {values: [1, 2], start: 1}, \"t_full[j]\": {unit: s}}\n"
        "flow: {for j in 1..2: {\"h[j]\": \"where(phase[j] = 1, j*rate, 0)\"}}\n"
        "until:\n"
        "  for j in 1..2:\n"
        "    \"tank [j] full\": {rises: \"h[j] - top[j]\", if: \"phase[j] = 1\",\n"
        "                      then: {\"phase[j]\": 2, \"t_full[j]\": t}}\n"
        "outputs: {full: {value: \"where(phase1 = 2, t_full1, none)\"}}\n"
        "presets: {default: {until: 1 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "dop853");
    const ic_case *system = o.setup.problem.system;
    const ic_sample end = ic_log_end(o.log);
    double start[IC_MAX_STATES];
    CU_ASSERT_EQUAL(o.status, IC_OK);
    CU_ASSERT_EQUAL(system->n_states, 6); /* no sign of a kink */
    expect_near("tank 1", time_of(&o, "tank 1 full", 0), 0.5, 1e-12);
    expect_near("tank 2", time_of(&o, "tank 2 full", 0), 0.75, 1e-12);
    expect_near("level", end.x[1], 3, 1e-12);
    expect_near("noted", system->outputs[0].value(end.t, end.x, end.mode, o.setup.problem.par), 0.5, 1e-12);
    o.setup.problem.variant->start.apply(start, 0, NULL, o.setup.problem.par);
    CU_ASSERT(isnan(system->outputs[0].value(0, start, 0, o.setup.problem.par)));
    CU_ASSERT_STRING_EQUAL(system->states[3].unit, "s");
}

/* The least gap of gears with backlash between wheels, m; their angles are the even states. */
static double least_gap(const ic_machine *o, size_t gears)
{
    double least = INFINITY;
    for (size_t i = 0; i <= ic_log_event_count(o->log); i++) {
        const double *x =
            i < ic_log_event_count(o->log) ? ic_log_event_at(o->log, i).x_pre : ic_log_end(o->log).x;
        for (size_t k = 0; k < gears; k++) least = fmin(least, 1e-4 - fabs(0.05 * (x[2 * k] - x[2 * k + 2])));
    }
    return least;
}

/*
 * Several teeth rest on each other while others rattle to rest: none may pass through its
 * neighbour.
 */
IC_TEST(test_gears_keep_their_gaps)
{
    static const char text[] =
        "parameters: {J: 0.01 kg m^2, r: 5 cm, b: 0.1 mm, M: 5 N m, w: 40 rad/s, d: 0.05 N m s}\n"
        "states: {for i in 1..4: {\"phi[i]\": rad, \"om[i]\": rad/s}}\n"
        "flow:\n"
        "  for i in 1..4: {\"phi[i]\": \"om[i]\", \"om[i]\": \"(where(i = 1, M*sin(w*t), 0) - d*om[i])/J\"}\n"
        "elements:\n"
        "  for i in 1..3:\n"
        "    drive[i]: {stop: {gap: \"b - r*(phi[i] - phi[i+1])\", restitution: 0.4,\n"
        "                      pushes: {\"om[i]\": -r/J, \"om[i+1]\": r/J}}}\n"
        "    coast[i]: {stop: {gap: \"b + r*(phi[i] - phi[i+1])\", restitution: 0.4,\n"
        "                      pushes: {\"om[i]\": r/J, \"om[i+1]\": -r/J}}}\n"
        "presets: {default: {until: 0.5 s}}\n";
    IC_OWN(ic_machine) o;
    run_text(&o, text, "dop853");
    CU_ASSERT_EQUAL(o.status, IC_OK);
    CU_ASSERT(ic_log_event_count(o.log) > 50);
    CU_ASSERT(least_gap(&o, 3) > -1e-12);
    CU_ASSERT_FALSE(least_gap(&o, 3) > 1e-12); /* planted: teeth that never touch */
}

/*
 * A body rests until the force on it passes through zero: position, speed and acceleration are then zero, and
 * the third derivative decides the side to which the guard goes. A guard of both directions has crossed nothing,
 * and one of the other direction does not fire either.
 */
static void check_uplift(const char *guard, const char *solver, double rtol, bool fires)
{
    char text[1024];
    snprintf(text, sizeof text,
             "parameters: {s: 1 s, m: 1 m}\n"
             "states: {x: {unit: m, scale: 1 m}, v: {unit: m/s, scale: 1 m/s}}\n"
             "time_scale: 1 s\n"
             "modes:\n"
             "  rest: {flow: {x: 0, v: 0}, until: {lift: {rises: sin(t/s) - 4/5, then: {mode: up}}}}\n"
             "  up:\n"
             "    flow: {x: v, v: (4/5 - sin(t/s))*m/(s^2)}\n"
             "    until: {bang: {%s: x, ends: true}, far: {rises: abs(x)/m - 1/100, ends: true}}\n"
             "presets: {default: {until: 2 s}}\n",
             guard);
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    m.log = ic_tests_solve(solver, &m.setup.problem, &(ic_options){.rtol = rtol});
    CU_ASSERT_EQUAL_FATAL(ic_log_event_count(m.log), 2);
    const char *name = ic_log_event_at(m.log, 1).name;
    IC_EXPECT(strcmp(name, fires ? "bang" : "far") == 0, "%s: x, %s at rtol %g: %s", guard, solver, rtol, name);
}

IC_TEST(test_uplift_from_rest)
{
    static const char *const solvers[] = {"rk4_henon", "rk45_bisection", "dop853", "taylor"};
    for (size_t i = 0; i < IC_COUNT(solvers); i++) {
        for (int k = 5; k <= 12; k++) {
            check_uplift("crosses", solvers[i], pow(10, -k), false);
            check_uplift("rises", solvers[i], pow(10, -k), false);
            check_uplift("falls", solvers[i], pow(10, -k), true); /* clause 2 */
        }
    }
}
