/* SPDX-License-Identifier: MIT */
/*
 * Verdicts of `verify` on machines from files: a wrong run fails, a right one does not, and what
 * nothing decides is skipped with its reason.
 */
#include "casefile/casefile.h"
#include "tests/machine.h"
#include "validation/case/judgement.h"
#include "validation/checks/judges.h"
#include "validation/subjects.h"
#include "validation/truth.h"

IC_SUITE(solvers, "verdicts")

/* ---- machines, and what is said of them */

/* The only row whose statement contains `what`. */
static const ic_result *the_row(const ic_results *results, const char *what)
{
    static const ic_result none = {.verdict = IC_FAIL};
    const ic_result *found = &none;
    for (size_t i = 0; i < results->count; i++) {
        if (strstr(results->rows[i].what, what) == NULL) continue;
        CU_ASSERT(found == &none);
        found = &results->rows[i];
    }
    CU_ASSERT(found != &none);
    return found;
}

static void expect(const ic_results *results, const char *what, ic_verdict verdict, const char *detail)
{
    const ic_result *row = the_row(results, what);
    IC_EXPECT(row->verdict == verdict && strstr(row->detail, detail) != NULL, "%s: %s, %s", row->what,
              ic_verdict_text(row->verdict), row->detail);
}

/* ---- a solver that falls through a table on which a ball comes to rest */

static const char table[] = "parameters: {g: 9.81 m/s^2, h0: 0.02 m}\n"
                            "states: {x: {unit: m, start: h0}, v: m/s}\n"
                            "flow: {x: v, v: -g}\n"
                            "elements: {table: {stop: {gap: x, restitution: 0.5}}}\n"
                            "presets: {default: {until: 1 s}}\n";

/* The same with a flow that is not affine. */
static const char curved_table[] = "parameters: {g: 9.81 m/s^2, h0: 0.02 m}\n"
                                   "states: {x: {unit: m, start: h0}, v: m/s, w: m^2/s}\n"
                                   "flow: {x: v, v: -g, w: v^2}\n"
                                   "elements: {table: {stop: {gap: x, restitution: 0.5}}}\n"
                                   "presets: {default: {until: 1 s}}\n";
static const char *const tables[] = {table, curved_table};

/* Misses all bounces but the first ones. */
static size_t bounces_seen;

static ic_status falling_solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    IC_OWN(ic_log) *right = ic_log_new(problem);
    const ic_options accurate = {.rtol = 1e-12};
    const ic_status status = ic_solver_find("dop853")->solve(right, problem, &accurate);
    (void)options;
    CU_ASSERT_FATAL(status == IC_OK && ic_log_event_count(right) > bounces_seen);
    for (size_t i = 0; i < bounces_seen; i++) {
        const ic_event event = ic_log_event_at(right, i);
        CU_ASSERT_EQUAL(ic_log_event(log, &event), IC_OK);
    }
    ic_log_final(log, problem->t_end, ic_log_event_at(right, 0).mode_to, (const double[]){-4, -9, 0});
    return status;
}

IC_TEST(test_falling_through)
{
    const ic_solver falling = {IC_ABI(ic_solver), .name = "falling", .control = IC_CONTROL_RTOL,
                               .solve = falling_solve};
    const ic_solver exact = {IC_ABI(ic_solver), .name = "falling", .solve = falling_solve};
    for (size_t i = 0; i < IC_COUNT(tables); i++) {
        IC_OWN(ic_machine) m = ic_tests_open(tables[i], NULL);
        IC_OWN(ic_truth) truth = ic_tests_truth(&m.setup.problem, IC_TRUTH_DIGITS);
        CU_ASSERT(ic_truth_limit(&truth, 0) < truth.count);
        for (bounces_seen = 1; bounces_seen <= 20; bounces_seen++) {
            for (int k = 0; k < 2; k++) {
                IC_OWN(ic_results) results = {0};
                ic_enclosures_judge(&results, &m.setup.problem, &truth, "test/default",
                                    k == 0 ? &falling : &exact);
                CU_ASSERT(ic_results_with(&results, IC_FAIL) > 0);
            }
        }
    }
}

/* Solvers that rest where they can no longer tell the bounces apart. */
IC_TEST(test_accumulation_is_compared)
{
    static const char *const solvers[] = {"rk4_henon", "rk45_bisection", "dop853", "taylor",
                                          "piecewise_linear"};
    for (size_t k = 0; k < IC_COUNT(tables); k++) {
        IC_OWN(ic_machine) m = ic_tests_open(tables[k], NULL);
        IC_OWN(ic_truth) truth = ic_tests_truth(&m.setup.problem, IC_TRUTH_DIGITS);
        for (size_t i = 0; i < IC_COUNT(solvers); i++) {
            const ic_solver *solver = ic_solver_find(solvers[i]);
            IC_OWN(ic_results) results = {0};
            if (!ic_solver_serves(solver, &m.setup.problem)) continue;
            ic_enclosures_judge(&results, &m.setup.problem, &truth, "test/default", solver);
            expect(&results, "times of ", IC_PASS, "");
        }
    }
}

/* ---- where nothing certifies */

/* A right solver, but for what follows. */
static double late, off, gravity_error;

static ic_status planted_solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    IC_OWN(ic_log) *right = ic_log_new(problem);
    double par[8], x[IC_MAX_STATES];
    ic_problem other = *problem;
    CU_ASSERT_FATAL(problem->system->n_parameters <= IC_COUNT(par));
    memcpy(par, problem->par, problem->system->n_parameters * sizeof *par);
    par[0] *= 1 + gravity_error;
    other.par = par;
    const ic_status status = ic_solver_find("dop853")->solve(right, &other, options);
    for (size_t i = 0; i < ic_log_event_count(right); i++) {
        ic_event event = ic_log_event_at(right, i);
        memcpy(x, event.x_pre, problem->system->n_states * sizeof *x);
        event.t += late;
        x[0] += off;
        event.x_pre = x;
        ic_log_event(log, &event);
    }
    const ic_sample end = ic_log_end(right);
    ic_log_final(log, end.t, end.mode, end.x);
    return status;
}

static const ic_solver planted = {IC_ABI(ic_solver), .name = "planted", .control = IC_CONTROL_RTOL,
                                  .solve = planted_solve};

static void judge_agreement(ic_results *results, const ic_machine *m)
{
    static const ic_solver *const solvers[] = {&planted};
    *results = (ic_results){0};
    ic_agreement_judge(results, &m->setup.problem, "test/default", true, solvers, 1);
    CU_ASSERT_FALSE(results->out_of_memory);
}

/* A ball bounces on a wavy floor: errors grow tenfold with each bounce. */
static const char waves[] = "parameters: {g: 9.81 m/s^2, h: 1 m, a: 0.05 m, k: 5 rad/m, m: 1 kg, x0: 0.1 m}\n"
                            "states: {x: {unit: m, start: x0}, y: {unit: m, start: h}, vx: m/s, vy: m/s}\n"
                            "flow: {x: vx, y: vy, vx: 0, vy: -g}\n"
                            "elements: {floor: {stop: {gap: y - a*cos(k*x), restitution: 1,"
                            " pushes: {vx: a*k*sin(k*x)/m, vy: 1/m}}}}\n"
                            "time_scale: sqrt(h/g)\n"
                            "presets: {default: {until: UNTIL s}}\n";

static void open_waves(ic_machine *m, const char *until)
{
    char text[sizeof waves];
    const size_t length = (size_t)(strstr(waves, "UNTIL") - waves);
    snprintf(text, sizeof text, "%.*s%s%s", (int)length, waves, until, waves + length + strlen("UNTIL"));
    *m = ic_tests_open(text, NULL);
}

/* A spike of a guard that the accurate runs step over: the solver that finds it is not the culprit, nor do the others pass. */
IC_TEST(test_missed_event)
{
    static const char text[] = "parameters: {c: 0.537 s, s: 1e-6 s}\nstates: {x: 1}\nflow: {x: 1 1/s}\n"
                               "until: {g: {crosses: \"1 - 2*exp(-((t - c)/s)^2)\", then: {x: x}}}\n"
                               "presets: {default: {until: 1 s}}\n";
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    const ic_solver *const solvers[] = {ic_solver_find("dop853"), ic_solver_find("taylor")};
    IC_OWN(ic_results) results = {0}, two = {0}, unsure = {0};
    ic_agreement_judge(&results, &m.setup.problem, "test/default", true, solvers, 1);
    CU_ASSERT(results.count == 2 && ic_results_with(&results, IC_PASS) == 2);
    ic_agreement_judge(&two, &m.setup.problem, "test/default", true, solvers, 2);
    CU_ASSERT(two.count == 1 && two.rows[0].verdict == IC_FAIL && strcmp(two.rows[0].solver, "dop853") == 0);
    ic_agreement_judge(&unsure, &m.setup.problem, "test/default", false, solvers, 1);
    CU_ASSERT_EQUAL(ic_results_with(&unsure, IC_SKIPPED), 2);
}

IC_TEST(test_states_are_compared)
{
    IC_OWN(ic_machine) m;
    IC_OWN(ic_results) results, wrong;
    open_waves(&m, "2");
    late = off = gravity_error = 0;
    judge_agreement(&results, &m);
    CU_ASSERT_EQUAL(ic_results_with(&results, IC_PASS), 4);
    off = 1e-5;
    judge_agreement(&wrong, &m);
    expect(&wrong, "states at 2 events and at the end as by", IC_FAIL, "error 1e-05");
    expect(&wrong, "times of 2 events as by", IC_PASS, "");
}

/* Whether some row about the planted solver fails. */
static bool fails(const ic_machine *m)
{
    IC_OWN(ic_results) results;
    judge_agreement(&results, m);
    const bool some = ic_results_with(&results, IC_FAIL) > 0;
    for (size_t i = 0; i < results.count; i++)
        CU_ASSERT(results.rows[i].verdict != IC_FAIL || strcmp(results.rows[i].solver, "planted") == 0);
    return some;
}

IC_TEST(test_growing_errors)
{
    IC_OWN(ic_machine) m;
    IC_OWN(ic_results) results;
    open_waves(&m, "16");
    late = off = gravity_error = 0;
    CU_ASSERT_FALSE(fails(&m));
    /* like an error of a right solver: it becomes 1e4 times as large */
    gravity_error = 1e-9;
    judge_agreement(&results, &m);
    CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL), 0);
    expect(&results, "after its first 10 events", IC_SKIPPED, "a relative change of the parameters");
    /* wrong from the first events on */
    gravity_error = 1e-6;
    CU_ASSERT(fails(&m));
    gravity_error = 0, late = 1e-6;
    CU_ASSERT(fails(&m));
    late = 0, off = 1e-4;
    CU_ASSERT(fails(&m));
}

/* A ball on a vibrating table, certified: its bounces are chaotic. */
static const char vibrating[] = "parameters: {g: 9.81 m/s^2, A: 6 mm, f: 10 Hz, e: 0.8, h0: 20 mm}\n"
                                "states: {x: {unit: m, start: h0}, v: m/s}\n"
                                "flow: {x: v, v: -g}\n"
                                "elements: {table: {stop: {gap: x - A*sin(2*pi*f*t), restitution: e}}}\n"
                                "presets: {default: {until: 4 s}}\n";

IC_TEST(test_growing_errors_of_certified_runs)
{
    IC_OWN(ic_results) results = {0}, wrong = {0};
    IC_OWN(ic_machine) m = ic_tests_open(vibrating, NULL);
    IC_OWN(ic_truth) truth = ic_tests_truth(&m.setup.problem, 12);
    late = off = 0, gravity_error = 1e-9;
    ic_enclosures_judge(&results, &m.setup.problem, &truth, "test/default", &planted);
    expect(&results, "times of 8 events", IC_PASS, "");
    expect(&results, "after its first 8 events", IC_SKIPPED, "a relative change of the parameters");
    gravity_error = 1e-6;
    ic_enclosures_judge(&wrong, &m.setup.problem, &truth, "test/default", &planted);
    expect(&wrong, "times of 8 events", IC_FAIL, "error ");
}

/* ---- orders */

/* The end of rk4_henon, off by a multiple of a power of the step. */
static double power_of_step;

static ic_status stepping_solve(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    IC_OWN(ic_log) *right = ic_log_new(problem);
    double x[IC_MAX_STATES];
    const ic_status status = ic_solver_find("rk4_henon")->solve(right, problem, options);
    const ic_sample end = ic_log_end(right);
    for (size_t i = 0; i < ic_log_event_count(right); i++) {
        const ic_event event = ic_log_event_at(right, i);
        ic_log_event(log, &event);
    }
    memcpy(x, end.x, problem->system->n_states * sizeof *x);
    if (power_of_step > 0) x[0] += 1e4 * pow(options->step, power_of_step);
    ic_log_final(log, end.t, end.mode, x);
    return status;
}

static const ic_solver stepping = {IC_ABI(ic_solver), .name = "stepping", .control = IC_CONTROL_STEP,
                                   .order = 4, .solve = stepping_solve};

static void judge_orders(ic_results *results, const char *text, double t_end)
{
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    m.setup.problem.t_end = t_end;
    m.setup.problem.t_end_text = NULL;
    IC_OWN(ic_truth) truth = ic_tests_truth(&m.setup.problem, IC_TRUTH_DIGITS);
    *results = (ic_results){0};
    ic_orders_judge(results, &m.setup.problem, &stepping, &truth, "test/default");
}

/* Steps that are exact: what is left of the errors is rounding, which this motion makes larger. */
IC_TEST(test_orders_hidden_by_rounding)
{
    IC_OWN(ic_results) results;
    power_of_step = 0;
    judge_orders(&results, vibrating, 2.2);
    expect(&results, "order in the final state", IC_SKIPPED, "amplifies rounding");
}

/* A contact that takes some steps. */
static const char stiff[] = "parameters: {m: 1 kg, k: 4e6 N/m, K: 100 N/m}\n"
                            "states: {x: {unit: m, start: 0.1 m}, v: m/s}\n"
                            "flow: {x: v, v: -K/m*x}\n"
                            "elements: {wall: {contact: {indentation: -x, law: kelvin-voigt,"
                            " with: {k: k, c: 1 N*s/m}, pushes: {v: 1/m}}}}\n"
                            "time_scale: sqrt(m/K)\n"
                            "presets: {default: {until: 0.5 s}}\n";

/* A wrong order is not made right by shorter steps. */
IC_TEST(test_orders_with_finer_steps)
{
    IC_OWN(ic_results) results, wrong;
    power_of_step = 0;
    judge_orders(&results, stiff, 0.4);
    expect(&results, "order in the final state", IC_PASS, "");
    power_of_step = 2;
    judge_orders(&wrong, stiff, 0.4);
    expect(&wrong, "order in the final state", IC_FAIL, "shows 1.97");
}

/* The default step is too long for the contact: a shorter one is right, if the solver is. */
IC_TEST(test_shorter_steps)
{
    IC_OWN(ic_results) results = {0}, wrong = {0};
    IC_OWN(ic_machine) m = ic_tests_open(stiff, NULL);
    IC_OWN(ic_truth) truth = ic_tests_truth(&m.setup.problem, IC_TRUTH_DIGITS);
    power_of_step = 0;
    ic_enclosures_judge(&results, &m.setup.problem, &truth, "test/default", &stepping);
    expect(&results, "state at t = 0.5, in steps of 1/4 of the default", IC_PASS, "");
    power_of_step = 1e-9;
    ic_enclosures_judge(&wrong, &m.setup.problem, &truth, "test/default", &stepping);
    CU_ASSERT(ic_results_with(&wrong, IC_FAIL) > 0);
    for (size_t i = 0; i < wrong.count; i++) CU_ASSERT(strstr(wrong.rows[i].what, "in steps of") == NULL);
}

/* ---- engines of sweeps */

static double engine_error;

static ic_status solve_off(const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets)
{
    const ic_status status = ic_sweep_method_series.solve(plan, sets, n_sets);
    sets[n_sets - 1].rows[0] += engine_error;
    return status;
}

/* An engine whose last set is off by ten tolerances fails, the same one without an error passes. */
IC_TEST(test_engine)
{
    const ic_sweep_method engine = {.name = "off", .stands_in_for = "taylor", .solve = solve_off};
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "pendulum-wall/double"});
    for (int wrong = 0; wrong < 2; wrong++) {
        IC_OWN(ic_results) results = {0};
        engine_error = wrong * 10 * ic_tolerance_sweep_ends.value;
        ic_sweep_method_judge(&results, &setup, &engine, "pendulum-wall/double");
        expect(&results, "ends of a sweep by method off", wrong ? IC_FAIL : IC_PASS, "5 of 5 sets");
    }
}

/* ---- texts */

#define OSCILLATOR(rate)                                                                                       \
    "states: {x: {unit: 1, start: 1}, v: 1}\nflow: {x: v/(1 s), v: \"(" rate ")/(1 s)\"}\n"                    \
    "presets: {default: {until: 2 s}}\n"

/* By its own text a machine passes; by one with a stiffer spring, or another branch of a kink, it fails. */
IC_TEST(test_rates_of_text)
{
    static const char *const texts[] = {OSCILLATOR("-40*x - 3*max(x, v)"),
                                        OSCILLATOR("-40.000004*x - 3*max(x, v)"),
                                        OSCILLATOR("-40*x - 3*min(x, v)")};
    IC_OWN(ic_machine) m = ic_tests_open(texts[0], NULL);
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        IC_OWN(ic_results) results = {0};
        ic_text_rates_judge(&results, &m.setup.problem, texts[i], "test/default");
        expect(&results, "rates along a run", i == 0 ? IC_PASS : IC_FAIL, "");
    }
}

/* ---- energy */

#define FALLS                                                                                                  \
    "parameters: {m: 1 kg, g: 9.81 m/s^2, h: 0.05 m, e: 0.8, K: 1e9 N/m^1.5}\n"                                \
    "states: {x: {unit: m, start: h}, v: m/s}\n"                                                               \
    "flow: {x: v, v: -g}\n"                                                                                    \
    "presets: {default: {until: 0.5 s}}\n"
#define HITS(time_scale_)                                                                                      \
    FALLS "elements: {floor: {contact: {indentation: -x, law: hunt-crossley, with: {K: K, e: e},"              \
          " pushes: {v: 1/m}}}}\ntime_scale: " time_scale_ "\n"
#define CAM                                                                                                    \
    "parameters: {m: 0.2 kg, k: 500 N/m, F: 22 N, a: 0.01 m, omega: 1400/30*pi rad/s, e: 0.5}\n"               \
    "states: {x: {unit: m, scale: 2*a}, v: {unit: m/s, scale: a*omega}}\n"                                     \
    "time_scale: 1/omega\n"                                                                                    \
    "flow: {x: v, v: -(F + k*x)/m}\n"                                                                          \
    "elements: {cam: {stop: {gap: x - a*(1 - cos(omega*t)), restitution: e, pushes: {v: 1/m}}}}\n"             \
    "presets: {default: {until: 8*pi/omega}}\n"
#define DAMPED                                                                                                 \
    "parameters: {m: 1 kg, K: 1 N/m^1.5}\n"                                                                    \
    "definitions: {c: 0.8*sqrt(K*m), F: K*d^1.5 + c*d^0.25*v}\n"                                               \
    "states: {d: {unit: m, start: 0 m}, v: {unit: m/s, start: 1 m/s}}\n"                                       \
    "flow: {d: v, v: -F/m}\n"                                                                                  \
    "until: {separate: {falls: d, ends: true}}\n"                                                              \
    "time_scale: 3 s\n"                                                                                        \
    "presets: {default: {until: 10 s}}\n"
#define DAMPED_ENERGY(loss)                                                                                    \
    "energy: {stored: \"m*v^2/2 + 2/5*K*max(d, 0)^2.5\", dissipated: \"" loss "*c*max(d, 0)^0.25*v^2\"}\n"
#define ENDS "modes: {falls: {until: {low: {falls: x - h/2, ends: true}}}}\n"

/* Machines with their energy balance, and with a wrong one. */
IC_TEST(test_energies)
{
    static const struct {
        const char *solver, *machine, *right, *wrong;
    } rows[] = {
        /* in infinitely many impacts a cam does work on its follower */
        {"dop853", CAM, "energy: {stored: m*v^2/2 + k*x^2/2 + F*x, supplied: cam.force*v}\n",
         "energy: {stored: m*v^2/2 + k*x^2/2 + F*x, supplied: 0.999999*cam.force*v}\n"},
        /* an event that ends the run does not end the judgement of its energy */
        {"dop853", FALLS ENDS, "energy: {stored: m*v^2/2 + m*g*x}\n",
         "energy: {stored: m*v^2/2 + 0.999*m*g*x}\n"},
        /* the fall takes longer than twenty typical times */
        {"dop853", HITS("0.001 s"), "energy: {stored: m*v^2/2 + m*g*x, supplied: floor.force*v}\n",
         "energy: {stored: m*v^2/2 + m*g*x}\n"},
        /* the contact is shorter than a tenth of one */
        {"dop853", HITS("0.1 s"), "energy: {stored: m*v^2/2 + m*g*x, supplied: floor.force*v}\n",
         "energy: {stored: m*v^2/2 + m*g*x, supplied: 0.9999*floor.force*v}\n"},
        /* the power of a damped contact begins and ends like t^(1/4); fixed steps resolve it */
        {"rk4_henon", DAMPED, DAMPED_ENERGY("1"), DAMPED_ENERGY("1.00001")},
        {"dop853", DAMPED, DAMPED_ENERGY("1"), DAMPED_ENERGY("1.00001")},
    };
    for (size_t i = 0; i < 2 * IC_COUNT(rows); i++) {
        const bool wrong = i % 2 == 1;
        char text[1024];
        ic_problem judged;
        IC_OWN(ic_results) results = {0};
        snprintf(text, sizeof text, "%s%s", rows[i / 2].machine, wrong ? rows[i / 2].wrong : rows[i / 2].right);
        IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
        CU_ASSERT(ic_energy_problem(&judged, &m.setup.problem));
        ic_energy_judge(&results, &judged, ic_solver_find(rows[i / 2].solver), "test/default");
        CU_ASSERT_EQUAL_FATAL(results.count, 1);
        IC_EXPECT(results.rows[0].verdict == (wrong ? IC_FAIL : IC_PASS), "%s, %s", text, rows[i / 2].solver);
    }
}

/* ---- what is not proved */

IC_TEST(test_reason_of_an_uncertified_start)
{
    IC_OWN(ic_results) results = {0};
    const ic_truth truth = {.status = IC_UNDECIDED, .reason = "whether guard 'table' is zero"};
    IC_OWN(ic_machine) m = ic_tests_open(table, NULL);
    late = off = gravity_error = 0;
    ic_enclosures_judge(&results, &m.setup.problem, &truth, "test/default", &planted);
    expect(&results, "times of 0 events", IC_SKIPPED, "certified to t = 0 only: whether guard 'table' is zero");
}

/*
 * Wherever this body starts, it returns after a period: no orbit is isolated. With a speed it does
 * not return.
 */
IC_TEST(test_orbit_that_is_not_isolated)
{
    ic_judged_orbit last = {.orbit.status = IC_UNDECIDED};
    ic_steady steady = {.multiple = 1, .period = 1, .x = {0.3, 0}};
    IC_OWN(ic_results) results = {0}, moving = {0};
    static const char text[] = "parameters: {a: 1 m/s^2, w: 2*pi rad/s}\n"
                               "states: {x: {unit: m, start: 0.3 m}, v: m/s}\n"
                               "flow: {x: v, v: a*sin(w*t + pi/2)}\n"
                               "period: 2*pi/w\n"
                               "presets: {default: {until: 1 s}}\n";
    IC_OWN(ic_machine) m = ic_tests_open(text, NULL);
    ic_orbit_judge(&results, &m.setup.problem, &planted, &steady, "test/default", &last);
    expect(&results, "certified periodic orbit", IC_SKIPPED,
           "no orbit is proved: the periodic orbit is not isolated");
    steady.x[1] = 1e-3;
    ic_orbit_judge(&moving, &m.setup.problem, &planted, &steady, "test/default", &last);
    expect(&moving, "certified periodic orbit", IC_FAIL, "after its period the certified motion deviates by");
    ic_orbit_clear(&last.orbit);
}

/* ---- text and function */

/* On the table gravity cancels: what is left is smaller than its rounding. */
static const char slow[] = "parameters: {g: 9.81 m/s^2, e: 0.3, a: 0.001 m, w: 1 rad/s}\n"
                           "states: {y: {unit: m, start: 0.01 m}, v: m/s}\n"
                           "flow: {y: v, v: -g}\n"
                           "elements: {table: {stop: {gap: y - a*sin(w*t), restitution: e}}}\n"
                           "presets: {default: {until: 5 s}}\n";

IC_TEST(test_text_of_a_sum_that_cancels)
{
    ic_result row;
    ic_mode modes[4];
    const char *texts[2] = {"v", "-g + 1e-12"};
    char undecided[256];
    IC_OWN(ic_machine) m = ic_tests_open(slow, NULL);
    const ic_case *right = ic_casefile_case(m.file);
    CU_ASSERT(ic_case_judge(&row, undecided, sizeof undecided, right));
    CU_ASSERT_EQUAL(row.verdict, IC_PASS);
    ic_variant variant = right->variants[0];
    ic_case wrong = *right;
    CU_ASSERT_FATAL(variant.n_modes <= IC_COUNT(modes));
    memcpy(modes, variant.modes, variant.n_modes * sizeof *modes);
    modes[0].linear = texts;
    variant.modes = modes;
    wrong.variants = &variant;
    CU_ASSERT(ic_case_judge(&row, undecided, sizeof undecided, &wrong));
    CU_ASSERT_EQUAL(row.verdict, IC_FAIL);
    CU_ASSERT(strstr(row.what, "its text equals its function") != NULL);
}
