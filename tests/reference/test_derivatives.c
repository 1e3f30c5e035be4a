/* SPDX-License-Identifier: MIT */
/**
 * Certified derivatives: a bouncing ball against its closed form; machines with every kind of event against differences of
 * runs that are certified with 60 digits, which know nothing of saltation; and what has no derivative. Each check has
 * planted wrong answers: a time of the event that is held fixed, a jump without its saltation, another parameter.
 */
#include "casefile/casefile.h"
#include "core/names.h"
#include "reference/orbit/derivatives.h"
#include "registry/registry.h"
#include "tests/machine.h"
#include "tests/tests.h"
#include "validation/checks/judges.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

IC_SUITE(solvers, "derivatives")

/* 27 impacts with e = 1/2 are followed: what they leave of the sum of 2 k e^(k - 1), some 27 of 2^-27, with room */
#define LIMIT 2e-6
/* the ball rests on the floor, to the width in which its impacts end */
#define REST 1e-8
/* a thousand tolerances of 1e-12 at each of a dozen onsets on d^(3/2), with room */
#define ONSET 1e-6

enum { DIGITS = 25, FINE = 60, BITS = 400, NONE = -1 };

/* ---- problems */

static ic_tangent_direction direction_of(const ic_case *system, const char *name)
{
    ic_tangent_direction along = {.parameter = NONE, .state = NONE};
    for (size_t i = 0; i < system->n_parameters; i++) {
        if (strcmp(system->parameters[i].name, name) == 0) along.parameter = (int)i;
    }
    for (size_t i = 0; i < system->n_states; i++) {
        if (strcmp(system->states[i].name, name) == 0) along.state = (int)i;
    }
    CU_ASSERT_FATAL(along.parameter != NONE || along.state != NONE);
    return along;
}

/* Derivatives of a machine or of a preset. */
typedef struct derived {
    ic_machine machine;
    ic_derivatives d;
} derived;

static void derive(derived *of, const char *text, const ic_request *request, const char *name)
{
    of->machine = ic_tests_open(text, request);
    of->machine.exact = ic_tests_exact(&of->machine.setup);
    const ic_problem *problem = &of->machine.exact.problem;
    const ic_tangent_direction along = direction_of(problem->system, name);
    ic_derivatives_certify(&of->d, problem, &along, 1, &(ic_certify_options){.digits = DIGITS});
}

static void close_derived(derived *of)
{
    ic_derivatives_clear(&of->d);
    ic_tests_close(&of->machine);
}

/* ---- a bouncing ball */

/*
 * t_k = sqrt(2 h/g) (1 + 2 (e + ... + e^(k-1))), k = 1, 2, ..., and its derivative by e or, with 1/2 and -1/2 times t_k
 * over the parameter, by h and g.
 */
static void closed_time(arb_t t, arb_t by_e, size_t k)
{
    IC_BALLS(e, fall, power, sum);
    arb_set_str(e, "0.9", BITS);
    arb_set_str(fall, "2/9.81", BITS);
    arb_set_ui(fall, 200);
    arb_div_ui(fall, fall, 981, BITS);
    arb_sqrt(fall, fall, BITS);
    arb_one(sum), arb_one(power), arb_zero(by_e);
    for (size_t i = 1; i < k; i++) {
        arb_mul_ui(t, power, 2 * i, BITS);
        arb_add(by_e, by_e, t, BITS);
        arb_mul(power, power, e, BITS);
        arb_addmul_ui(sum, power, 2, BITS);
    }
    arb_mul(t, fall, sum, BITS);
    arb_mul(by_e, by_e, fall, BITS);
}

IC_TEST(test_derivatives_of_a_bouncing_ball)
{
    static const char *const names[] = {"e", "g", "h"};
    const ic_request request = {.path = "bouncing-ball/lively"};
    for (size_t p = 0; p < IC_COUNT(names); p++) {
        derived of;
        derive(&of, NULL, &request, names[p]);
        CU_ASSERT_EQUAL_FATAL(of.d.run.status, IC_OK);
        CU_ASSERT_EQUAL(of.d.run.count, 8);
        IC_BALL_VECTOR(at, 1 + 2 * of.d.n);
        IC_BALLS(t, expected);
        for (size_t k = 1; k <= of.d.run.count; k++) {
            closed_time(t, expected, k);
            if (p == 1) arb_set_str(expected, "9.81", BITS), arb_div(expected, t, expected, BITS);
            if (p == 2) arb_set(expected, t);
            if (p > 0) arb_mul_2exp_si(expected, expected, -1);
            if (p == 1) arb_neg(expected, expected);
            CU_ASSERT(ic_derivatives_of_event(at, &of.d, k - 1, 0));
            CU_ASSERT(arb_overlaps(at, expected));
            CU_ASSERT(mag_cmp_2exp_si(arb_radref(at), -72) < 0); /* 2e-22 */
            /* planted: the first impact's, and the sign of another parameter */
            arb_mul_2exp_si(expected, expected, 1);
            CU_ASSERT(!arb_overlaps(at, expected) || (p == 0 && k == 1));
            /* the ball is at the floor, whatever the parameter */
            CU_ASSERT(arb_contains_zero(at + 1) && arb_contains_zero(at + 1 + of.d.n));
        }
        close_derived(&of);
    }
}

/* ---- differences of certified runs */

/* Encloses the change of a parameter, or of a start, by a part of its size, and certifies the run there. */
static bool certify_changed(ic_certificate *c, arb_t value, const char *text, const char *name, int sign)
{
    ic_casefile *file = ic_tests_read(text);
    ic_setup first = ic_tests_setup_of(file, NULL);
    const ic_problem *problem = &first.problem;
    const size_t p = (size_t)direction_of(problem->system, name).parameter;
    IC_BALLS(change);
    char setting[200];
    arb_set_str(value, problem->par_text[p], BITS);
    arb_set_str(change, "1e-22", BITS);
    arb_mul_si(change, change, sign, BITS);
    arb_add(value, value, change, BITS);
    char *exact = arb_get_str(value, FINE, ARB_STR_NO_RADIUS);
    arb_set_str(value, exact, BITS);
    snprintf(setting, sizeof setting, "%s=%s", name, exact);
    flint_free(exact);
    const char *const settings[] = {setting};
    const ic_request request = {.settings = settings, .n_settings = 1};
    ic_setup changed = ic_tests_setup_of(file, &request), numbers = ic_tests_exact(&changed);
    ic_certify(c, &numbers.problem, &(ic_certify_options){.digits = FINE});
    ic_setup_close(&numbers), ic_setup_close(&changed), ic_setup_close(&first);
    ic_casefile_free(file);
    return c->status == IC_OK;
}

/* |enclosure - (high - low)/change| is at most this; differences of the second order and their rounding are below 1e-30. */
static bool agrees(arb_srcptr enclosure, arb_srcptr low, arb_srcptr high, const arb_t change)
{
    IC_BALLS(slope, most);
    arb_sub(slope, high, low, BITS);
    arb_div(slope, slope, change, BITS);
    arb_sub(slope, slope, enclosure, BITS);
    arb_set_str(most, "1e-18", BITS);
    arb_abs(slope, slope);
    return arb_lt(slope, most);
}

typedef struct compared {
    /* numbers that agree with the differences, and that do not */
    size_t good, bad;

    /* planted: states at an event whose time is held fixed, and the same after the jump, that differ from the truth */
    size_t frozen;
} compared;

static compared compare(const char *text, const char *name)
{
    compared sum = {0};
    ic_certificate low, high;
    IC_BALLS(below, above);
    derived of;
    derive(&of, text, NULL, name);
    const ic_derivatives *d = &of.d;
    if (d->run.status != IC_OK) printf("derivatives: %s: %s\n", name, d->run.reason);
    CU_ASSERT_EQUAL_FATAL(d->run.status, IC_OK);
    CU_ASSERT_FATAL(certify_changed(&low, below, text, name, -1) &&
                    certify_changed(&high, above, text, name, 1));
    CU_ASSERT_FATAL(low.count == d->run.count && high.count == d->run.count);
    arb_sub(above, above, below, BITS);
    IC_BALL_VECTOR(at, 1 + 2 * d->n);
    for (size_t i = 0; i < d->run.count; i++) {
        const ic_ball_event *a = &low.events[i], *b = &high.events[i], *own = &d->run.events[i];
        const bool known = ic_derivatives_of_event(at, d, i, 0);
        CU_ASSERT(known);
        bool good = known && agrees(at, a->t, b->t, above);
        for (slong k = 0; k < d->n && known; k++) {
            good = good && agrees(at + 1 + k, a->before + k, b->before + k, above) &&
                   agrees(at + 1 + d->n + k, a->after + k, b->after + k, above);
            if (!agrees(own->before + d->n + k, a->before + k, b->before + k, above)) sum.frozen++;
            if (!agrees(own->after + d->n + k, a->after + k, b->after + k, above)) sum.frozen++;
        }
        good ? sum.good++ : sum.bad++;
        if (!good) printf("derivatives: %s: event %zu, %s, differs\n", name, i + 1, own->name);
    }
    for (slong k = 0; k < d->n; k++)
        agrees(ic_derivatives_of_state(d, 0) + k, low.x + k, high.x + k, above) ? sum.good++ : sum.bad++;
    ic_certificate_clear(&low), ic_certificate_clear(&high);
    close_derived(&of);
    return sum;
}

/* A machine, and the parameters by which it is differentiated. */
typedef struct sample {
    const char *names, *text;
} sample;

#define STATES "states: {x: {unit: m, start: 0 m}, v: {unit: m/s, start: v0}}\n"

static const sample samples[] = {
    /* a stop, forced */
    {"k e F w gap",
     "parameters: {m: 1 kg, k: 4 N/m, F: 3 N, w: 1.3 rad/s, gap: 0.4 m, e: 0.6, v0: 0.1 m/s}\n" STATES
     "flow: {x: v, v: (F*cos(w*t) - k*x)/m}\n"
     "elements: {stop: {stop: {gap: gap - x, restitution: e}}}\n"
     "presets: {default: {until: 5 s}}\n"},
    /* a law, under each condition */
    {"m K e v0",
     "parameters: {m: 1 kg, K: 50 N/m^1.5, e: 0.7, gap: 0.2 m, g: 1 m/s^2, v0: 1 m/s}\n" STATES
     "flow: {x: v, v: g}\n"
     "elements: {wall: {contact: {indentation: x - gap, law: hunt-crossley, with: {K: K, e: e}, pushes: {v: -1/m}}}}\n"
     "presets: {default: {until: 3 s}}\n"},
    {"k c gap",
     "parameters: {m: 1 kg, k: 90 N/m, c: 3 N s/m, gap: 0.2 m, g: 1 m/s^2, v0: 1 m/s}\n" STATES
     "flow: {x: v, v: g}\n"
     "elements: {wall: {contact: {indentation: x - gap, law: kelvin-voigt, condition: C, with: {k: k, c: c}, pushes: {v: -1/m}}}}\n"
     "presets: {default: {until: 3 s}}\n"},
    /* dry friction that sticks and slips on a belt */
    {"mu_s mu_k k belt",
     "parameters: {m: 1 kg, k: 5 N/m, mu_s: 0.6, mu_k: 0.3, N: 10 N, belt: 0.5 m/s, v0: 0 m/s}\n" STATES
     "flow: {x: v, v: -k*x/m}\n"
     "elements: {rub: {friction: {slip: v - belt, normal: N, static: mu_s, kinetic: mu_k, pushes: {v: 1/m}}}}\n"
     "presets: {default: {until: 8 s}}\n"},
    /* a kink, and parameters that follow from others */
    {"k ratio v0", "parameters: {m: 1 kg, k: 4 N/m, ratio: 3, k2: ratio*k, gap: 0.1 m, v0: 0.7 m/s}\n" STATES
                   "flow: {x: v, v: \"-(k*x + k2*max(x - gap, (0 m)))/m\"}\n"
                   "presets: {default: {until: 4 s}}\n"},
    /* a switch, and a relay that follows it later */
    {"on off lag p0 rate",
     "parameters: {on: 2, off: 1, lag: 0.2 s, p0: 1.5, rate: 2 1/s, v0: 0 m/s}\n"
     "states: {p: {unit: 1, start: p0}}\n"
     "flow: {p: \"rate*where(relay > 0, -1, 1)*(1 + p/10)\"}\n"
     "elements: {valve: {switch: {input: p, on: on, off: off}}, relay: {delay: {input: valve, time: lag}}}\n"
     "presets: {default: {until: 4 s}}\n"},
    /* two bodies, one of which hits the other and then a wall; strikes at given times */
    {"e M v0 kick",
     "parameters: {m: 1 kg, M: 2 kg, e: 0.8, kick: 0.3 m/s, L: 3 m, v0: 1 m/s}\n"
     "states: {x: {unit: m}, y: {unit: m, start: L/2}, v: {unit: m/s, start: v0}, w: {unit: m/s}}\n"
     "flow: {x: v, y: w, v: 0 m/s^2, w: 0 m/s^2}\n"
     "elements:\n"
     "  pair: {stop: {gap: y - x, restitution: e, pushes: {v: -1/m, w: 1/M}}}\n"
     "  wall: {stop: {gap: L - y, restitution: e, pushes: {w: -1/M}}}\n"
     "times: {strike: {at: (1 s) + n*(2 s), then: {v: v + kick}}}\n"
     "presets: {default: {until: 6 s}}\n"},
};

IC_TEST(test_derivatives_against_differences)
{
    size_t frozen = 0, good = 0;
    for (size_t i = 0; i < IC_COUNT(samples); i++) {
        char names[64], *rest = NULL;
        snprintf(names, sizeof names, "%s", samples[i].names);
        for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest)) {
            const compared sum = compare(samples[i].text, name);
            CU_ASSERT_EQUAL(sum.bad, 0);
            good += sum.good;
            frozen += sum.frozen;
        }
    }
    CU_ASSERT(good > 50);
    CU_ASSERT(frozen > 50);
}

/* ---- starts, and what has no derivative */

/* A ball in free fall: x = x0 - 1/2 g t^2, so that dx/dx0 is 1, and an impact at sqrt(2 x0/g) comes later by t/(2 x0). */
IC_TEST(test_derivatives_by_a_start)
{
    derived of;
    derive(&of,
           "parameters: {g: 2 m/s^2, e: 0.5}\n"
           "states: {x: {unit: m, start: 4 m}, v: m/s}\n"
           "flow: {x: v, v: -g}\n"
           "elements: {floor: {stop: {gap: x, restitution: e}}}\n"
           "presets: {default: {until: 3 s}}\n",
           NULL, "x");
    CU_ASSERT_EQUAL_FATAL(of.d.run.status, IC_OK);
    CU_ASSERT_EQUAL_FATAL(of.d.run.count, 1);
    IC_BALL_VECTOR(at, 1 + 2 * of.d.n);
    IC_BALLS(expected);
    CU_ASSERT(ic_derivatives_of_event(at, &of.d, 0, 0));
    arb_set_d(expected, 0.25);
    CU_ASSERT(arb_overlaps(at, expected));
    /* v = -4 before it, -sqrt(2 g x0), and 2 after it */
    arb_set_d(expected, -0.5);
    CU_ASSERT(arb_overlaps(at + 2, expected));
    arb_set_d(expected, 0.25);
    CU_ASSERT(arb_overlaps(at + 2 + of.d.n, expected));
    CU_ASSERT(!arb_overlaps(at + 2, expected));
    close_derived(&of);
}

/* Expects a derivative to be refused, with a reason that contains a text. */
static void expect_none(const char *text, const char *name, ic_status status, const char *reason)
{
    derived of;
    derive(&of, text, NULL, name);
    CU_ASSERT_EQUAL(of.d.run.status, status);
    CU_ASSERT_PTR_NOT_NULL(strstr(of.d.run.reason, reason));
    if (strstr(of.d.run.reason, reason) == NULL) printf("derivatives: '%s'\n", of.d.run.reason);
    close_derived(&of);
}

IC_TEST(test_what_has_no_derivative)
{
    /* x stays at the kink of |x|, which p moves off it */
    expect_none("parameters: {p: 0 m/s}\n"
                "states: {x: m, y: m}\n"
                "flow: {x: p, y: abs(x)/(1 s)}\n"
                "presets: {default: {until: 1 s}}\n",
                "p", IC_UNDECIDED, "no derivative");
    /* planted: by the start of y there is one */
    derived of;
    derive(&of,
           "parameters: {p: 0 m/s}\n"
           "states: {x: m, y: m}\n"
           "flow: {x: p, y: abs(x)/(1 s)}\n"
           "presets: {default: {until: 1 s}}\n",
           NULL, "y");
    CU_ASSERT_EQUAL(of.d.run.status, IC_OK);
    CU_ASSERT(arb_is_one(ic_derivatives_of_state(&of.d, 0) + 1));
    close_derived(&of);
    /* the ball rests, unless d is below the floor, where it is: the condition is zero */
#define LANDS                                                                                                   \
    "parameters: {h: 2 m, d: 0 m, g: 4 m/s^2}\n"                                                                \
    "states: {x: {unit: m, start: h}, v: m/s}\n"                                                                \
    "modes:\n"                                                                                                  \
    "  fall: {flow: {x: v, v: -g}, until: {floor: {falls: x, then: [{if: x - d > 0, v: -v}, {mode: rest}]}}}\n" \
    "  rest: {flow: {x: 0 m/s, v: 0 m/s^2}}\n"                                                                  \
    "presets: {default: {until: 3 s}}\n"
    expect_none(LANDS, "d", IC_UNDECIDED, "no derivative");
    /* a body that sticks at the start, where its slip is zero; a condition that holds with equality */
    expect_none("parameters: {v0: 0 m/s}\n"
                "states: {x: m, v: {unit: m/s, start: v0}}\n"
                "flow: {x: v, v: 0 m/s^2}\n"
                "elements: {f: {friction: {slip: v, normal: 10 N, kinetic: 0.1, pushes: {v: 1 1/kg}}}}\n"
                "presets: {default: {until: 1 s}}\n",
                "v0", IC_UNDECIDED, "no derivative");
    expect_none("parameters: {p: 1, q: 1}\n"
                "states: {x: {start: 0}, y: {start: q}}\n"
                "flow: {x: \"(1 1/s)*p\", y: 0 1/s}\n"
                "until: {hit: {rises: \"x - 0.5\", if: y >= 1, then: {x: 0}}}\n"
                "presets: {default: {until: 0.9 s}}\n",
                "q", IC_UNDECIDED, "no derivative by 'q'");
    expect_none("parameters: {T: 1 s}\n"
                "states: {x: m}\n"
                "flow: {x: 1 m/s}\n"
                "times: {kick: {at: T*(n + 1), then: {x: 0}}}\n"
                "presets: {default: {until: 3 s}}\n",
                "T", IC_UNSUPPORTED, "the times of events follow from the parameter");
}

/* ---- solvers against certified derivatives */

/* Index of a state whose name is that of another one and of a parameter: x_by_e. */
static size_t tangent_of(const ic_case *system, const char *state, const char *by)
{
    char name[128];
    size_t i = 0;
    snprintf(name, sizeof name, "%s_by_%s", state, by);
    while (i < system->n_states && strcmp(system->states[i].name, name) != 0) i++;
    CU_ASSERT_FATAL(i < system->n_states);
    return i;
}

static void compare_solvers(const char *text, const char *name)
{
    static const char *const solvers[] = {"dop853", "taylor", "rk45_bisection"};
    static const double tolerances[] = {1e-9, 1e-9, 1e-6};
    derived of;
    ic_setup setup;
    ic_casefile *file = NULL;
    ic_error error;
    derive(&of, text, NULL, name);
    const ic_problem *problem = &of.machine.setup.problem;
    const double value = problem->par[ic_parameter_find(problem->system, name)];
    const bool good = ic_setup_derived(&setup, &file, problem, &name, 1, &error);
    if (!good) printf("derivatives: %s\n", error.text);
    CU_ASSERT_FATAL(good);
    for (size_t i = 0; i < IC_COUNT(solvers); i++) {
        ic_log *log = ic_tests_solve(solvers[i], &setup.problem, &(ic_options){.rtol = i < 2 ? 1e-12 : 1e-10});
        const double worst = ic_derivatives_difference(log, &of.d, name, value);
        if (!(worst <= tolerances[i])) printf("derivatives: %s, %s: %g\n", solvers[i], name, worst);
        CU_ASSERT(worst <= tolerances[i]);
        ic_log_free(log);
    }
    /* planted: the start is another one, so that all tangents are */
    ic_log *wrong = ic_log_new(&setup.problem);
    ic_problem early = setup.problem;
    early.t_end *= 0.5;
    CU_ASSERT_EQUAL(ic_solver_find("dop853")->solve(wrong, &early, &(ic_options){.rtol = 1e-12}), IC_OK);
    CU_ASSERT(!(ic_derivatives_difference(wrong, &of.d, name, value) <= tolerances[0]));
    ic_log_free(wrong);
    ic_setup_close(&setup);
    ic_casefile_free(file);
    close_derived(&of);
}

IC_TEST(test_solvers_against_certified_derivatives)
{
    for (size_t i = 0; i < IC_COUNT(samples); i++) {
        char names[64], *rest = NULL;
        snprintf(names, sizeof names, "%s", samples[i].names);
        for (char *name = strtok_r(names, " ", &rest); name != NULL; name = strtok_r(NULL, " ", &rest))
            compare_solvers(samples[i].text, name);
    }
}

/* A ball comes to rest at sqrt(2 h/g) (1 + 2 e/(1 - e)): the derivatives of solvers go through the accumulation of impacts. */
IC_TEST(test_derivatives_through_an_accumulation)
{
    const ic_request request = {.path = "bouncing-ball/drop"};
    static const char *const names[] = {"e", "h"};
    ic_setup plain, setup;
    ic_casefile *file = NULL;
    ic_error error;
    CU_ASSERT_FATAL(ic_setup_open(&plain, &request, &error));
    CU_ASSERT_FATAL(ic_setup_derived(&setup, &file, &plain.problem, names, IC_COUNT(names), &error));
    const ic_case *system = setup.problem.system;
    ic_log *log = ic_tests_solve("dop853", &setup.problem, &(ic_options){.rtol = 1e-12});
    const double *x = ic_log_end(log).x, fall = sqrt(2 / 9.81);
    CU_ASSERT_DOUBLE_EQUAL(x[tangent_of(system, "t", "e")], 8 * fall, LIMIT);
    CU_ASSERT_DOUBLE_EQUAL(x[tangent_of(system, "t", "h")], 1.5 * fall, LIMIT);
    CU_ASSERT_DOUBLE_EQUAL(x[tangent_of(system, "x", "e")], 0, REST);
    /* planted: by the first impacts alone */
    CU_ASSERT(fabs(x[tangent_of(system, "t", "e")] - 7 * fall) > 0.1);
    ic_log_free(log);
    ic_setup_close(&setup), ic_setup_close(&plain);
    ic_casefile_free(file);
}

/* It leaves the wall at once, at the time of the impact: a wrong time had been certified. */
IC_TEST(test_no_derivative_of_a_guard_beyond_zero)
{
    derived of;
    derive(&of, NULL, &(ic_request){.path = "pendulum-wall/plastic"}, "m1");
    CU_ASSERT(of.d.run.status == IC_UNDECIDED && of.d.run.count == 1);
    close_derived(&of);
}

/* Tapes with kinks that only products with zero read: they had read beyond an array, and crashed. */
IC_TEST(test_derivatives_of_a_chain_by_taylor)
{
    static const char *const name = "E";
    ic_setup plain, setup;
    ic_casefile *file = NULL;
    ic_error error;
    CU_ASSERT_FATAL(ic_setup_open(&plain, &(ic_request){.path = "ball-chain/cradle"}, &error));
    CU_ASSERT_FATAL(ic_setup_derived(&setup, &file, &plain.problem, &name, 1, &error));
    ic_log *taylor = ic_tests_solve("taylor", &setup.problem, &(ic_options){.rtol = 1e-12}),
           *other = ic_tests_solve("dop853", &setup.problem, &(ic_options){.rtol = 1e-12});
    const size_t t = tangent_of(setup.problem.system, "t", name);
    CU_ASSERT_EQUAL(ic_log_event_count(taylor), 12);
    const double delay = ic_log_end(taylor).x[t];
    CU_ASSERT(delay < 0);
    CU_ASSERT_DOUBLE_EQUAL(ic_log_end(other).x[t] / delay, 1, ONSET);
    ic_log_free(taylor), ic_log_free(other);
    ic_setup_close(&setup), ic_setup_close(&plain);
    ic_casefile_free(file);
}
