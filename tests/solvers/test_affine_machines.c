/* SPDX-License-Identifier: MIT */
/**
 * The solvers that find every crossing of an affine machine, piecewise_linear and taylor, against dop853 at a tight
 * tolerance on random chains of 1 to 6 masses: 2 to 12 states. The lowest mass meets a stop on which it stays, a
 * stop that throws it back, or a spring, soft or stiff. Half of the chains have equal masses, springs or starts, so
 * that eigenvalues occur several times. Then declared departures of too high an order.
 */
#include "casefile/casefile.h"
#include "core/random.h"
#include "tests/machine.h"
#include "validation/subjects.h"

#include <stdarg.h>

IC_SUITE(solvers, "affine machines")

enum { MACHINES = 150, MASSES = 6, TEXT = 16384, SAMPLES = 50, LEAST_EVENTS = 10 * MACHINES };

/* Relative tolerance of dop853, as tight as rounding permits. */
#define TIGHT 1e-12
/*
 * Times of events are the same if they differ by less than SAME, s. Errors of dop853, TIGHT in each step, may grow
 * from impact to impact: a difference is no fault if those before it have grown above GROWN, 1000 TIGHT.
 */
#define SAME 1e-6
#define GROWN 1e-9

static uint64_t seed;

static bool chance(double part)
{
    return ic_uniform(&seed, 0, 1) < part;
}

/* ---- texts of machines */

typedef struct text {
    char at[TEXT];
    size_t length;
} text;

__attribute__((format(printf, 2, 3))) static void write_text(text *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    s->length += (size_t)vsnprintf(s->at + s->length, sizeof s->at - s->length, format, arguments);
    va_end(arguments);
    CU_ASSERT_FATAL(s->length < sizeof s->at);
}

/* Masses, kg; springs and dampers above each mass, and to the ground; N/m, N s/m. */
typedef struct chain {
    int n;
    double m[MASSES], k[MASSES], c[MASSES], k_ground[MASSES], c_ground[MASSES];
    double g, force, omega;
} chain;

/* 0 in some part of the draws, otherwise a number in [a, b), or `equal` if it is not 0. */
static double draw_or_none(double none, double equal, double a, double b)
{
    const bool draws = !chance(none);
    const double number = ic_log_uniform(&seed, a, b);
    return !draws ? 0 : equal > 0 ? equal : number;
}

static chain draw_chain(void)
{
    chain c = {.n = 1 + (int)ic_uniform(&seed, 0, MASSES), .g = draw_or_none(0.3, 10, 1, 10)};
    const double equal = chance(0.5), apart = chance(0.2);
    const bool critical = chance(0.2);
    for (int i = 0; i < c.n; i++) {
        c.m[i] = draw_or_none(0, equal, 0.3, 3);
        c.k[i] = draw_or_none(i + 1 == c.n ? 1 : apart, 100 * equal, 1, 1e5);
        c.c[i] = draw_or_none(c.k[i] == 0 ? 1 : 0.6, 0, 0.01, 10);
        c.k_ground[i] = critical ? 25 * c.m[i] : draw_or_none(0.5, 50 * equal, 1, 1e3);
        c.c_ground[i] = critical ? 10 * c.m[i] : draw_or_none(0.7, 0, 0.01, 10);
    }
    /* without a spring above it only the force could take the lowest mass from a stop */
    c.force = draw_or_none(c.k[0] > 0 ? 0.5 : 0, 0, 1, 30);
    c.omega = ic_uniform(&seed, 2, 30);
    return c;
}

/* Acceleration of a mass; at rest: of the lowest one if it stands still at height 0. */
static void write_acceleration(text *s, const chain *c, int i, bool rests)
{
    char u[16], v[16];
    const double m = c->m[i];
    snprintf(u, sizeof u, rests ? "0" : "u%d", i);
    snprintf(v, sizeof v, rests ? "0" : "v%d", i);
    write_text(s, "(-%.4g - %.4g*(%s - 1/10) - %.4g*%s", c->g, c->k_ground[i] / m, u, c->c_ground[i] / m, v);
    if (i > 0)
        write_text(s, " + %.4g*(u%d - %s) + %.4g*(v%d - %s)", c->k[i - 1] / m, i - 1, u, c->c[i - 1] / m, i - 1,
                   v);
    if (i + 1 < c->n)
        write_text(s, " + %.4g*(u%d - %s) + %.4g*(v%d - %s)", c->k[i] / m, i + 1, u, c->c[i] / m, i + 1, v);
    write_text(s, " + %.4g*sin(%.4g*t/(1 s)))", i == 0 ? c->force / m : 0, c->omega);
}

static void write_stop(text *s, const chain *c)
{
    write_text(s, "modes:\n  flight: {until: {touches: {falls: u0, then: [{if: \"");
    write_acceleration(s, c, 0, true);
    write_text(s, " > 0\", mode: flight, u0: 0, v0: 0, departs: {touches: [2, +1]}}, "
                  "{mode: contact, u0: 0, v0: 0}]}}}\n"
                  "  contact: {flow: {u0: 0, v0: 0}, until: {leaves: {rises: \"");
    write_acceleration(s, c, 0, true);
    write_text(s, "\", then: {mode: flight, u0: 0, v0: 0, departs: {touches: [3, +1]}}}}}\n");
}

static void write_spring(text *s, const chain *c)
{
    const double stiffness = ic_log_uniform(&seed, 1e2, 1e7), damping = chance(0.5) ? 0 : 10;
    write_text(s, "modes:\n  flight: {until: {touches: {falls: u0, then: {mode: contact}}}}\n"
                  "  contact: {flow: {v0: \"(");
    write_acceleration(s, c, 0, false);
    write_text(s, " - %.4g*u0 - %.4g*v0)/(1 s)\"}, until: {leaves: {rises: u0, then: {mode: flight}}}}\n",
               stiffness / c->m[0], damping / c->m[0]);
}

static void write_machine(text *s)
{
    const chain c = draw_chain();
    const double height = ic_uniform(&seed, 0.05, 0.3), speed = ic_uniform(&seed, -3, 3);
    const bool together = chance(0.3);
    *s = (text){.length = 0};
    write_text(s, "title: chain\ntime_scale: 0.1 s\nparameters: {one: 1}\nstates:\n");
    for (int i = 0; i < c.n; i++) {
        const double u = together ? height : ic_uniform(&seed, 0.05, 0.3);
        const double v = together ? speed : ic_uniform(&seed, -3, 3);
        write_text(s, "  u%d: {unit: \"1\", start: %.4g, scale: 1}\n", i, u);
        write_text(s, "  v%d: {unit: \"1\", start: %.4g, scale: 10}\n", i, v);
    }
    write_text(s, "flow:\n");
    for (int i = 0; i < c.n; i++) {
        write_text(s, "  u%d: v%d/(1 s)\n  v%d: \"", i, i, i);
        write_acceleration(s, &c, i, false);
        write_text(s, "/(1 s)\"\n");
    }
    switch ((int)ic_uniform(&seed, 0, 3)) {
    case 0: write_stop(s, &c); break;
    case 1: write_spring(s, &c); break;
    default:
        write_text(s, "until: {touches: {falls: u0, then: {u0: 0, v0: \"-%.4g*v0\"}}}\n",
                   ic_uniform(&seed, 0.3, 0.9));
    }
    write_text(s, "presets: {default: {until: %.4g s}}\n", ic_uniform(&seed, 0.5, 3));
}

/* ---- runs */

static ic_log *run(const ic_setup *setup, const char *solver, size_t samples, ic_status *status)
{
    const ic_options options = {.rtol = TIGHT, .samples = samples};
    ic_log *log = ic_solve(ic_solver_find(solver), &setup->problem, &options, status);
    CU_ASSERT(*status == IC_OK || *status == IC_ZENO);
    return log;
}

/*
 * Whether two runs have the same events; before an accumulation they may differ in number. Planted: the first
 * `missing` events of b are missing, the others are later, s.
 */
static bool have_same_events(const ic_log *a, const ic_log *b, bool accumulates, size_t missing, double later)
{
    const size_t n_a = ic_log_event_count(a), n_b = ic_log_event_count(b) - missing;
    double before = 0;
    for (size_t i = 0; i < n_a && i < n_b; i++) {
        const ic_event x = ic_log_event_at(a, i), y = ic_log_event_at(b, i + missing);
        const double apart = fabs(x.t - y.t - later);
        if (strcmp(x.name, y.name) != 0 || apart > SAME) return before > GROWN;
        before = fmax(before, apart);
    }
    return n_a == n_b || before > GROWN || accumulates;
}

typedef struct tally {
    size_t with_events, events, rejected;
} tally;

static void compare_runs(const ic_setup *setup, const ic_log *reference, ic_status expected, const char *solver,
                         size_t samples, tally *seen)
{
    const bool accumulates = expected == IC_ZENO;
    ic_status status = IC_OK;
    IC_OWN(ic_log) *log = run(setup, solver, samples, &status);
    IC_EXPECT(status == expected && have_same_events(reference, log, accumulates, 0, 0), "%s, %zu samples",
              solver, samples);
    seen->events += ic_log_event_count(log);
    if (ic_log_event_count(log) > 0) {
        seen->with_events++;
        seen->rejected += !have_same_events(reference, log, accumulates, 0, 2 * SAME);
        seen->rejected += !have_same_events(reference, log, accumulates, 1, 0);
    }
}

IC_TEST(test_random_machines)
{
    tally seen = {0};
    text s;
    seed = 1;
    for (int i = 0; i < MACHINES; i++) {
        write_machine(&s);
        IC_OWN(ic_machine) m = ic_tests_open(s.at, NULL);
        const unsigned failures = CU_get_number_of_failures();
        ic_status status = IC_OK;
        IC_OWN(ic_log) *reference = run(&m.setup, "dop853", 0, &status);
        compare_runs(&m.setup, reference, status, "piecewise_linear", 0, &seen);
        compare_runs(&m.setup, reference, status, "piecewise_linear", SAMPLES, &seen);
        compare_runs(&m.setup, reference, status, "taylor", 0, &seen);
        if (CU_get_number_of_failures() > failures) printf("  machine %d:\n%s", i, s.at);
    }
    /* Most machines have events, and both planted faults in each are rejected. */
    CU_ASSERT(seen.with_events > MACHINES && seen.events > LEAST_EVENTS);
    CU_ASSERT_EQUAL(seen.rejected, 2 * seen.with_events);
}

/*
 * A departure from a stop, of order 3, that a variant with a spring inherits: the gap has a rate there. The
 * oscillator of 2 pi/s leaves at 0 upwards and is back after half a period, then every full one.
 */
IC_TEST(test_order_too_high)
{
    static const char text[] =
        "title: inherited departure\nparameters: {w: {value: 2*pi, unit: 1/s}}\n"
        "states: {u: {unit: m, start: -1/10 m, scale: 1 m}, v: {unit: m/s, scale: 1 m/s}}\n"
        "flow: {u: v, v: -w^2*u}\n"
        "modes:\n"
        "  contact: {until: {leaves: {rises: u, then: {mode: flight, departs: {touches: [ORDER, +1]}}}}}\n"
        "  flight: {until: {touches: {falls: u, then: {mode: contact}}}}\n"
        "presets: {default: {until: 3 s}}\n";
    static const char *const every[] = {"piecewise_linear", "taylor", "dop853", "rk45_bisection", "rk4_henon"};
    for (int order = 1; order <= 3; order++) {
        char of_order[sizeof text + 16];
        const char *place = strstr(text, "ORDER");
        snprintf(of_order, sizeof of_order, "%.*s%d%s", (int)(place - text), text, order,
                 place + strlen("ORDER"));
        IC_OWN(ic_casefile) *file = ic_tests_read(of_order);
        IC_OWN(ic_setup) setup = ic_tests_setup_of(file, NULL);
        for (size_t i = 0; i < IC_COUNT(every); i++) {
            ic_status status = IC_OK;
            IC_OWN(ic_log) *log = run(&setup, every[i], 0, &status);
            const size_t n = ic_log_event_count(log);
            IC_EXPECT(n == 6, "%s, declared order %d: %zu events, but there are 6", every[i], order, n);
            if (n == 6) {
                CU_ASSERT_DOUBLE_EQUAL(ic_log_event_at(log, 5).t, 2.75, SAME);
                CU_ASSERT(fabs(ic_log_event_at(log, 1).t - 1.75) >
                          SAME); /* planted: the first return is missed */
            }
        }
    }
}
