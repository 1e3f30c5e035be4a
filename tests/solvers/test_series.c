/* SPDX-License-Identifier: MIT */
/**
 * Taylor series of equations: coefficients of every operation, their rounding errors, and runs of
 * taylor with answers in closed form: singular solutions, kinks in guards, contacts that begin and
 * end at a branch point.
 */
#include "solvers/series/root.h"
#include "solvers/series/series.h"

#include "casefile/casefile.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "tests/machine.h"
#include "tests/solvers/by_equations.h"
#include "validation/subjects.h"

#include <float.h>

IC_SUITE(solvers, "series of equations")
IC_OWNED(ic_series, ic_series_close)
IC_OWNED(ic_tape, ic_tape_close)

/* ---- coefficients */

enum { ORDER = 30 };

/* x' = 1, and an operation on a = x + x^2/4, or on a and b = 2 - x + sin(t). */
typedef struct formula {
    ic_equation_term terms[16];
    int results[2];
    ic_equations equations;
} formula;

/* Terms in the order in which they are carried out: a is term 5, b term 10. */
static void set_formula(formula *f, ic_operation operation, double exponent)
{
    const bool power = operation == IC_OP_POWER;
    const ic_equation_term terms[] = {{IC_OP_STATE, 0, -1, -1, 0},
                                      {.number = 1, .a = -1, .b = -1, .c = -1},
                                      {.number = 4, .a = -1, .b = -1, .c = -1},
                                      {IC_OP_MULTIPLY, 0, 0, -1, 0},
                                      {IC_OP_DIVIDE, 3, 2, -1, 0},
                                      {IC_OP_ADD, 0, 4, -1, 0},
                                      {IC_OP_TIME, -1, -1, -1, 0},
                                      {IC_OP_SIN, 6, -1, -1, 0},
                                      {.number = power ? exponent : 2, .a = -1, .b = -1, .c = -1},
                                      {IC_OP_SUBTRACT, 8, 0, -1, 0},
                                      {IC_OP_ADD, 9, 7, -1, 0},
                                      {operation, 5, power ? 8 : 10, -1, 0}};
    memcpy(f->terms, terms, sizeof terms);
    f->results[0] = 1;
    f->results[1] = (int)IC_COUNT(terms) - 1;
    f->equations = (ic_equations){f->terms, IC_COUNT(terms), f->results, 2, NULL};
}

static double formula_value(const formula *f, double t, double x)
{
    double values[16] = {0};
    for (size_t i = 0; i < f->equations.n_terms; i++)
        values[i] = ic_equation_value(&f->terms[i], values, &(ic_equation_input){t, &x, NULL});
    return values[f->results[1]];
}

static double series_value(const ic_series *s, ic_series_value value, double at)
{
    const double *c = ic_series_row(s->c, value.row < 0 ? 0 : value.row);
    double sum = 0;
    for (int j = ORDER; j >= 0; j--) sum = sum * at + c[j];
    return value.row < 0 ? value.value : sum;
}

/* The series are followed for 0.1, a fifth of their radius or so: 30 terms leave 1e-18. */
#define X0 0.5
#define AT 0.1
#define FEW_ROUNDINGS (64 * DBL_EPSILON)

static void check_operation(ic_operation operation, double exponent)
{
    formula f;
    IC_OWN(ic_series) s;
    IC_OWN(ic_tape) tape;
    const double x0 = X0;
    set_formula(&f, operation, exponent);
    const ic_equations *const all[] = {&f.equations};
    CU_ASSERT_FATAL(ic_tape_open(&tape, 1, all, 1));
    CU_ASSERT_FATAL(ic_series_open(&s, 1, tape.room));
    s.tape = &tape;
    ic_tape_begin(s.tape, &f.equations, NULL, 0.2, &x0);
    ic_series_expand(&s, ORDER, 1, 0.2, &x0, IC_SERIES_PLAIN);
    const double right = formula_value(&f, 0.2 + AT, X0 + AT), found = series_value(&s, s.tape->results[1], AT);
    IC_EXPECT(fabs(found - right) <= FEW_ROUNDINGS * fmax(1, fabs(right)),
              "operation %d, exponent %g: %.17g, but %.17g is right", (int)operation, exponent, found, right);
    /* planted: the value a little further on */
    const double further = formula_value(&f, 0.2 + 1.001 * AT, X0 + 1.001 * AT);
    CU_ASSERT(further == right || !(fabs(found - further) <= FEW_ROUNDINGS * fmax(1, fabs(right))));
    /* in another unit of time the coefficients are those of the powers of that unit */
    ic_series_expand(&s, ORDER, 0.25, 0.2, &x0, IC_SERIES_PLAIN);
    CU_ASSERT(fabs(series_value(&s, s.tape->results[1], 4 * AT) - right) <=
              FEW_ROUNDINGS * fmax(1, fabs(right)));
}

IC_TEST(test_operations)
{
    static const double exponents[] = {0, 1, 2, 3, 7, -1, -4, 0.5, 1.5, -0.5, 2.2, 1.0 / 3};
    for (int operation = IC_OP_ADD; operation <= IC_OP_STEP; operation++) {
        if (operation != IC_OP_POWER) check_operation((ic_operation)operation, 0);
    }
    for (size_t i = 0; i < IC_COUNT(exponents); i++) check_operation(IC_OP_POWER, exponents[i]);
}

/*
 * sin(a)^2 + cos(a)^2 - 1 is zero: what its coefficients are is rounding, and no more than
 * estimated.
 */
/* ---- regularised at any base */

/* x' = d^(3/2), where d is the operation of `formula`: dS/dtau = (dd/dt)/2 at the start. */
static void check_rate_of_base(ic_operation operation, double exponent)
{
    formula f;
    IC_OWN(ic_series) s;
    IC_OWN(ic_tape) tape;
    ic_root root;
    set_formula(&f, operation, exponent);
    const int d = f.results[1];
    f.terms[d + 1] = (ic_equation_term){.number = 1.5, .a = -1, .b = -1, .c = -1};
    f.terms[d + 2] = (ic_equation_term){IC_OP_POWER, d, d + 1, -1, 0};
    f.equations.n_terms += 2;
    f.results[0] = d + 2;
    const ic_equations *const all[] = {&f.equations};
    const double t = 0.2, h = 1e-5, value = formula_value(&f, t, X0), speed = pow(value, 1.5);
    const double rate =
        (formula_value(&f, t + h, X0 + h * speed) - formula_value(&f, t - h, X0 - h * speed)) / (2 * h);
    const double x[] = {X0, sqrt(value), t};
    CU_ASSERT_FATAL(ic_tape_open(&tape, 1, all, 1));
    ic_tape_begin(&tape, &f.equations, NULL, t, x);
    CU_ASSERT_FATAL(ic_root_open(&root, &tape));
    ic_root_build(&root, &tape, tape.results[1].row);
    CU_ASSERT_FATAL(root.exists && ic_series_open(&s, 3, root.tape.room));
    s.tape = &root.tape;
    ic_series_expand(&s, 2, 1, t, x, IC_SERIES_PLAIN);
    const double found = ic_series_row(s.c, 1)[1];
    IC_EXPECT(fabs(found - rate / 2) <= 1e-6 * fmax(1, fabs(rate)), "operation %d: %g, not %g", (int)operation,
              found, rate / 2);
    CU_ASSERT_FALSE(fabs(found - rate) <= 1e-6 * fmax(1, fabs(rate))); /* planted: without the root */
    ic_root_close(&root);
}

IC_TEST(test_rates_of_bases)
{
    static const ic_operation operations[] = {IC_OP_ADD,  IC_OP_MULTIPLY, IC_OP_DIVIDE, IC_OP_SIN,
                                              IC_OP_COS,  IC_OP_TAN,      IC_OP_EXP,    IC_OP_SINH,
                                              IC_OP_TANH, IC_OP_ATAN,     IC_OP_SQRT};
    for (size_t i = 0; i < IC_COUNT(operations); i++) check_rate_of_base(operations[i], 0);
    check_rate_of_base(IC_OP_POWER, 3);
    check_rate_of_base(IC_OP_POWER, -2);
}

/* sqrt(y^2) is |y|: a kink on the side of y, and no power. */
IC_TEST(test_modulus)
{
    const ic_equation_term terms[] = {
        {IC_OP_STATE, 0, -1, -1, 0}, {IC_OP_MULTIPLY, 0, 0, -1, 0}, {IC_OP_SQRT, 1, -1, -1, 0}};
    const int results[] = {2};
    const ic_equations equations = {terms, IC_COUNT(terms), results, 1, NULL}, *const all[] = {&equations};
    const double x[] = {-0.5};
    IC_OWN(ic_tape) tape;
    CU_ASSERT_FATAL(ic_tape_open(&tape, 1, all, 1));
    ic_tape_begin(&tape, &equations, NULL, 0, x);
    CU_ASSERT(tape.n_kinks == 1 && tape.kinks[0].side == -1 && tape.kinks[0].argument.row == 0 &&
              !tape.branches);
    CU_ASSERT(tape.n_kernels == 1 && tape.kernels[0].kind == IC_TAPE_SUM);
    ic_tape_turn(&tape, 0, 0, x);
    CU_ASSERT(tape.n_kernels == 0 && tape.results[0].row == 0);
}

IC_TEST(test_rounding)
{
    static const ic_equation_term terms[] = {
        {IC_OP_STATE, 0, -1, -1, 0},   {.number = 1, .a = -1, .b = -1, .c = -1},
        {IC_OP_SIN, 0, -1, -1, 0},     {IC_OP_COS, 0, -1, -1, 0},
        {IC_OP_MULTIPLY, 2, 2, -1, 0}, {IC_OP_MULTIPLY, 3, 3, -1, 0},
        {IC_OP_ADD, 4, 5, -1, 0},      {IC_OP_SUBTRACT, 6, 1, -1, 0}};
    static const int results[] = {1, 7};
    static const ic_equations equations = {terms, IC_COUNT(terms), results, 2, NULL};
    const ic_equations *const all[] = {&equations};
    IC_OWN(ic_series) s;
    IC_OWN(ic_tape) tape;
    double seen = 0;
    CU_ASSERT_FATAL(ic_tape_open(&tape, 1, all, 1));
    CU_ASSERT_FATAL(ic_series_open(&s, 1, tape.room));
    s.tape = &tape;
    for (int i = 1; i <= 20; i++) {
        const double x0 = 0.31 * i, size = fabs(x0);
        ic_tape_begin(s.tape, &equations, NULL, 0, &x0);
        ic_series_expand(&s, ORDER, 1, 0, &x0, IC_SERIES_PLAIN);
        ic_series_estimate(&s, ORDER, 1, &size);
        const double *c = ic_series_row(s.c, s.tape->results[1].row);
        const double *error = ic_series_row(s.errors, s.tape->results[1].row);
        for (int j = 0; j <= ORDER; j++) {
            CU_ASSERT(fabs(c[j]) <= DBL_EPSILON * error[j]);
            seen = fmax(seen, fabs(c[j]) / (DBL_EPSILON * error[j]));
        }
        CU_ASSERT(error[1] < 100); /* not just any number */
    }
    CU_ASSERT(seen > 0.01); /* planted: errors a hundred times less do not suffice */
}

/* x' = operation(x, h) + h, h' = 0 */
typedef struct holding {
    ic_equation_term terms[5];
    ic_equations equations;
} holding;

static const int holding_results[] = {3, 4};

static void open_holding(holding *f, ic_tape *tape, ic_operation operation)
{
    const ic_equation_term terms[] = {{IC_OP_STATE, 0, -1, -1, 0},
                                      {IC_OP_STATE, 1, -1, -1, 0},
                                      {operation, 0, 1, -1, 0},
                                      {IC_OP_ADD, 2, 1, -1, 0},
                                      {.number = 0, .a = -1, .b = -1, .c = -1}};
    memcpy(f->terms, terms, sizeof terms);
    f->equations = (ic_equations){f->terms, IC_COUNT(terms), holding_results, 2, NULL};
    const ic_equations *const all[] = {&f->equations};
    CU_ASSERT_FATAL(ic_tape_open(tape, 2, all, 1));
    tape->holds_rows = true;
}

/* One tape serves x = (1 + x_0) e^{h t} - 1 for all h but 0 and 1, with which terms vanish. */
IC_TEST(test_held_states)
{
    static const double values[] = {2, 0.5, -3};
    holding f;
    IC_OWN(ic_series) s;
    IC_OWN(ic_tape) tape;
    open_holding(&f, &tape, IC_OP_MULTIPLY);
    CU_ASSERT_FATAL(ic_series_open(&s, 2, tape.room));
    s.tape = &tape;
    for (size_t i = 0; i < IC_COUNT(values); i++) {
        const double x[] = {X0, values[i]}, right = (1 + X0) * exp(values[i] * AT) - 1;
        ic_tape_begin(&tape, &f.equations, NULL, 0, x);
        CU_ASSERT_EQUAL(tape.version, 1);
        ic_series_expand(&s, ORDER, 1, 0, x, IC_SERIES_PLAIN);
        CU_ASSERT(fabs(series_value(&s, (ic_series_value){0, 0}, AT) - right) <= FEW_ROUNDINGS);
    }
    for (int h = 0; h <= 1; h++) {
        ic_tape_begin(&tape, &f.equations, NULL, 0, (const double[]){X0, h});
        CU_ASSERT_EQUAL(tape.version, 2 + (unsigned)h);
        CU_ASSERT_EQUAL(tape.results[0].row < 0, h == 0);
    }
}

/* A held state whose value is needed is a number of the tape; so are all if no rows are wanted. */
IC_TEST(test_held_numbers)
{
    static const struct held_case {
        ic_operation operation;
        bool rows, same;
    } cases[] = {{IC_OP_SUBTRACT, true, true},
                 {IC_OP_MULTIPLY, false, false},
                 {IC_OP_DIVIDE, true, false},
                 {IC_OP_POWER, true, false},
                 {IC_OP_MAX, true, false}};
    for (size_t i = 0; i < IC_COUNT(cases); i++) {
        const double x[] = {X0, 2}, moved[] = {X0 + 1, 2}, other[] = {X0, 3};
        holding f;
        IC_OWN(ic_tape) tape;
        open_holding(&f, &tape, cases[i].operation);
        tape.holds_rows = cases[i].rows;
        ic_tape_begin(&tape, &f.equations, NULL, 0, x);
        CU_ASSERT(ic_tape_same_held(&tape, x, moved));
        CU_ASSERT_EQUAL(ic_tape_same_held(&tape, x, other), cases[i].same);
        CU_ASSERT_FALSE(ic_tape_same_held(&tape, x, (const double[]){X0, 0}));
    }
}

/* ---- answers in closed form */

static void run_outcome(ic_machine *o, double rtol)
{
    ic_log_free(o->log);
    o->log = ic_solve(ic_solver_find("taylor"), &o->setup.problem, &(ic_options){.rtol = rtol}, &o->status);
    IC_EXPECT(o->status == IC_OK, "%s: %s", ic_status_text(o->status), ic_log_text(o->log));
}

static double last_event(const ic_log *log)
{
    const size_t n = ic_log_event_count(log);
    return n == 0 ? NAN : ic_log_event_at(log, n - 1).t;
}

#define ONE_STATE(start_, rate_, event_)                                                                       \
    "parameters: {s: 1 s}\n"                                                                                   \
    "states: {x: {unit: \"1\", start: " start_ ", scale: 1}}\n"                                                \
    "flow: {x: (" rate_ ")/s}\n"                                                                               \
    "until: {end: {" event_ ", ends: true}}\n"                                                                 \
    "time_scale: s\n"                                                                                          \
    "presets: {default: {until: 100 s}}\n"

/*
 * An error of 20 rtol in units of 1 s, and rounding; the errors of the tightest runs are much less.
 */
#define RUN_ERROR 20
enum { TOLERANCES = 5 };

IC_TEST(test_closed_forms)
{
    static const struct {
        const char *text;
        double t;
    } rows[] = {
        {ONE_STATE("1", "x^2", "rises: x - 4"), 0.75},
        {ONE_STATE("1/2", "x*(1 - x)", "rises: x - 9/10"), 2.1972245773362196},
        {ONE_STATE("0", "exp(-x)", "rises: x - 2"), 6.38905609893065},
        {ONE_STATE("0", "1 + x^2", "rises: x - 1"), 0.7853981633974483},
        {ONE_STATE("0", "sqrt(1 - x^2)", "rises: x - 9/10"), 1.1197695149986342},
        {ONE_STATE("1", "cos(t/s)*x", "rises: x - 2"), 0.7658461948190802},
        {ONE_STATE("1", "x^(3/2)", "rises: x - 4"), 1},
        {ONE_STATE("1", "4*(t/s)^3*x", "rises: x - 2"), 0.9124443057840285}, /* every fourth term */
        {ONE_STATE("1", "-x/(1 + x)", "falls: x - 1/2"), 1.1931471805599453},
        {ONE_STATE("0", "1/cosh(x)", "rises: sinh(x) - 3"), 3},
        {ONE_STATE("0", "1", "rises: tan(x/3) - sqrt(3)"), 3.141592653589793},
        {ONE_STATE("0", "1", "rises: \"atan2(sin(x), cos(x)) - 3\""), 3},
        {ONE_STATE("0", "1", "rises: log(1 + x) - atan(3)"), 2.487013964433391},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        double error[TOLERANCES], rtol[TOLERANCES];
        IC_OWN(ic_machine) o = ic_tests_open(rows[i].text, NULL);
        for (int k = 0; k < TOLERANCES; k++) {
            rtol[k] = pow(10, -4 - 2 * k);
            run_outcome(&o, rtol[k]);
            error[k] = fabs(last_event(o.log) - rows[i].t);
            IC_EXPECT(error[k] <= RUN_ERROR * rtol[k] + 100 * DBL_EPSILON, "row %zu: error %g at rtol %g", i,
                      error[k], rtol[k]);
            /* planted */
            CU_ASSERT_FALSE(error[k] + 100 * rtol[k] <= RUN_ERROR * rtol[k] + 100 * DBL_EPSILON);
        }
    }
}

/* A flow call is one coefficient, and no step is ever rejected. */
IC_TEST(test_series_work)
{
    double before = 0;
    IC_OWN(ic_machine) o = ic_tests_open(ONE_STATE("1/2", "x*(1 - x)", "rises: x - 9/10"), NULL);
    for (int digits = 3; digits <= 14; digits++) {
        run_outcome(&o, pow(10, -digits));
        const ic_work *work = ic_log_work(o.log);
        const double order = work->flow_calls / work->steps;
        CU_ASSERT(order == floor(order) && order > before);
        CU_ASSERT(work->rejected_steps == 0 && work->guard_calls > 0);
        before = order;
    }
}

/* Kinks in guards: each piece has a series of its own, and the passage is no event. */
IC_TEST(test_kinks_in_guards)
{
    const struct {
        const char *event;
        double t;
    } rows[] = {
        {"rises: abs(x - 2) - 3", 5},
        {"falls: \"5/2 - max(x, 4 - x)\"", 2.5},
        {"falls: \"3 - min(3*x, x + 2) + sin(0*x)\"", 1},
        {"rises: sign(x - 2)*x - 5/2", 2.5},
        {"rises: abs(abs(x - 2) - 1) - 2", 5},
        {"rises: \"where(x > 2, x^2 - 9, -1)\"", 3},
        {"falls: \"abs(atan2(sin(x + 2), cos(x + 2))) - 1\"", 2 * acos(-1) - 3},
        {"falls: \"max(-1, atan2(sin(x + 2), cos(x + 2))) - 1/2\"", acos(-1) - 2},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        char text[512];
        snprintf(text, sizeof text, ONE_STATE("0", "1", "%s"), rows[i].event);
        IC_OWN(ic_machine) o = ic_tests_open(text, NULL);
        run_outcome(&o, 1e-12);
        CU_ASSERT_EQUAL(ic_log_event_count(o.log), 1);
        IC_EXPECT(fabs(last_event(o.log) - rows[i].t) <= 1e-12, "row %zu: %g", i, last_event(o.log));
        CU_ASSERT_FALSE(fabs(last_event(o.log) - rows[i].t + 1e-11) <= 1e-12); /* planted */
    }
}

/*
 * Flows that jump in time alone: each jump is one event at its place, whatever the tolerance; that of an angle is none,
 * and is not passed within a step.
 */
IC_TEST(test_jumps)
{
    const double pi = acos(-1), since = 20 - 6 * pi;
    const struct {
        const char *rate;
        size_t events;
        double last, x;
    } rows[] = {
        {"sign(sin(7*(t/s)))", 44, 44 * pi / 7, 20 - 44 * pi / 7},
        {"sign(sin(11*(t/s)))", 70, 70 * pi / 11, 20 - 70 * pi / 11},
        {"where((t/s - 7.5)^2 < 0.000001, 1000, 0)", 2, 7.501, 2},
        {"where(sin(3*(t/s)) >= 0, 1, -1) + 0*x^2", 19, 19 * pi / 3, 20 * pi / 3 - 20},
        {"where(atan2(1/2 - t/s, -1) > 0, 1, 0)", 1, 0.5, 0.5},
        {"atan2(sin(t/s), cos(t/s))", 0, NAN, since * since / 2},
        {"atan2((t/s - 4.9)^2 - 0.01, -1) + atan((t/s - 4.9)^2 - 0.01)", 0, NAN, 19.6 * pi},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        for (int digits = 6; digits <= 12; digits += 3) {
            char text[512];
            snprintf(text, sizeof text,
                     "parameters: {s: 1 s}\nstates: {x: {unit: \"1\", scale: 1}}\nflow: {x: \"(%s)/s\"}\n"
                     "presets: {default: {until: 20 s}}\n",
                     rows[i].rate);
            IC_OWN(ic_machine) o = ic_tests_open(text, NULL);
            run_outcome(&o, pow(10, -digits));
            const double off = fabs(ic_log_end(o.log).x[0] - rows[i].x), most = 100 * pow(10, -digits);
            const bool placed = !(fabs(last_event(o.log) - rows[i].last) > 8 * DBL_EPSILON * rows[i].last);
            const size_t events = ic_log_event_count(o.log);
            IC_EXPECT(placed && off <= most && events == rows[i].events,
                      "row %zu, %d digits: %zu events, the last at %.17g, x is %g off", i, digits, events,
                      last_event(o.log), off);
        }
    }
}

/* ---- branch points */

#define HERTZ(power_)                                                                                          \
    "parameters: {m: 1 kg, d0: 1 m, K: 1 N, u: 1 m/s}\n"                                                       \
    "states: {d: {unit: m, scale: 1 m}, v: {unit: m/s, start: u, scale: 1 m/s}}\n"                             \
    "flow: {d: v, v: -K/m*(d/d0)^" power_ "}\n"                                                                \
    "until: {apart: {falls: d, ends: true}}\n"                                                                 \
    "time_scale: 1 s\n"                                                                                        \
    "presets: {default: {until: 20 s}}\n"

/* The impact of a mass on K d^n begins and ends at the branch point. It lasts
   2 dm sqrt(pi) Gamma(1 + 1/(n+1))/Gamma(1/2 + 1/(n+1)) with dm^(n+1) = (n+1)/2, and ends with the
   speed with which it began. */
IC_TEST(test_branch_points)
{
    static const struct {
        const char *text;
        double n;
    } rows[] = {{HERTZ("(3/2)"), 1.5}, {HERTZ("(5/2)"), 2.5}, {HERTZ("(1/2)"), 0.5}, {HERTZ("1.37"), 1.37}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        const double part = 1 / (rows[i].n + 1), depth = pow((rows[i].n + 1) / 2, part);
        const double lasts = 2 * depth * sqrt(acos(-1)) * tgamma(1 + part) / tgamma(0.5 + part);
        IC_OWN(ic_machine) o = ic_tests_open(rows[i].text, NULL);
        for (int k = 0; k <= 2 * TOLERANCES; k++) {
            const double rtol = pow(10, -4 - k), allowed = 2 * RUN_ERROR * rtol + 1000 * DBL_EPSILON;
            run_outcome(&o, rtol);
            CU_ASSERT_EQUAL(ic_log_event_count(o.log), 1);
            const double off = fabs(last_event(o.log) - lasts);
            IC_EXPECT(off <= allowed, "n = %g: error %g at rtol %g", rows[i].n, off, rtol);
            CU_ASSERT(fabs(ic_log_end(o.log).x[1] + 1) <= allowed);
            CU_ASSERT_FALSE(off + 100 * rtol <= allowed); /* planted */
            CU_ASSERT(ic_log_work(o.log)->steps < 100);
        }
    }
}

/*
 * A guard that is zero of order n at the branch point. With F = d^n and q' = n d^(n-1) (v - 1/10), all without
 * rates there, p F - q leaves zero as (p - 9/10) d^n, and q falls behind: for p = 2 it is positive until the
 * mass leaves, for p = 1/2 it is negative at once. F is a state, too: then a held step shows neither.
 */
#define ONSET(power_, lower_, force_, part_)                                                                   \
    "parameters: {m: 1 kg, d0: 1 m, K: 1 N, u: 1 m/s, n: " power_ ", p: " part_ "}\n"                          \
    "states: {d: {unit: m, scale: 1 m}, v: {unit: m/s, start: u, scale: u}, q: {unit: N, scale: K}, "          \
    "F: {unit: N, scale: K}}\n"                                                                                \
    "flow: {d: v, v: -F/m, q: n*K*(v - u/10)/d0*(d/d0)^" lower_ ", F: n*K*v/d0*(d/d0)^" lower_ "}\n"           \
    "until: {apart: {falls: d, ends: true}, slips: {falls: " force_ ", ends: true}}\n"                         \
    "time_scale: 1 s\n"                                                                                        \
    "presets: {default: {until: 20 s}}\n"
#define ONSETS(n_, power_, lower_)                                                                             \
    {                                                                                                          \
        n_, {ONSET(power_, lower_, "p*K*(d/d0)^" power_ " - q", "2"), ONSET(power_, lower_, "p*F - q", "2")},  \
        {                                                                                                      \
            ONSET(power_, lower_, "p*K*(d/d0)^" power_ " - q", "1/2"), ONSET(power_, lower_, "p*F - q", "1/2") \
        }                                                                                                      \
    }

IC_TEST(test_guard_begins_at_a_branch_point)
{
    static const struct {
        double n;
        const char *stays[2], *slips[2];
    } rows[] = {ONSETS(1.5, "1.5", "0.5"), ONSETS(2.5, "2.5", "1.5"), ONSETS(1.37, "1.37", "0.37")};
    const double rtol = 1e-10;
    for (size_t i = 0; i < 2 * IC_COUNT(rows); i++) {
        const double n = rows[i / 2].n, part = 1 / (n + 1), depth = pow((n + 1) / 2, part);
        const double lasts = 2 * depth * sqrt(acos(-1)) * tgamma(1 + part) / tgamma(0.5 + part);
        IC_OWN(ic_machine) o = ic_tests_open(rows[i / 2].stays[i % 2], NULL);
        run_outcome(&o, rtol);
        IC_EXPECT(fabs(last_event(o.log) - lasts) <= 2 * RUN_ERROR * rtol,
                  "n = %g: ends at %.12g, not at %.12g", n, last_event(o.log), lasts);
        CU_ASSERT_EQUAL(ic_log_event_count(o.log), 1);
        /* planted: the other side; a step with powers held may be in between */
        IC_OWN(ic_machine) slipping = ic_tests_open(rows[i / 2].slips[i % 2], NULL);
        run_outcome(&slipping, rtol);
        IC_EXPECT(last_event(slipping.log) <= 1e-6, "n = %g: slips at %g", n, last_event(slipping.log));
    }
}

/* A flow that has no value beyond a branch point stops with a name, at that point. */
IC_TEST(test_beyond_a_branch_point)
{
    const double end = 2 * (1 - log(2));
    ic_status status = IC_OK;
    static const char text[] = "parameters: {s: 1 s}\n"
                               "states: {x: {unit: \"1\", start: 1, scale: 1}}\n"
                               "flow: {x: -1/s - sqrt(x)/s}\n"
                               "time_scale: 1 s\n"
                               "presets: {default: {until: 20 s}}\n";
    IC_OWN(ic_machine) o = ic_tests_open(text, NULL);
    IC_OWN(ic_log) *log =
        ic_solve(ic_solver_find("taylor"), &o.setup.problem, &(ic_options){.rtol = 1e-9}, &status);
    const double reached = ic_log_end(log).t;
    CU_ASSERT(status == IC_NOT_FINITE || status == IC_STEP_TOO_SMALL);
    CU_ASSERT(reached > end - 1e-6 && reached < end + 1e-6);
    CU_ASSERT_FALSE(reached > end - 1e-6 + 1 && reached < end + 1e-6); /* planted */
}

/* ---- with and without the linear view */

IC_TEST(test_as_by_linear_view)
{
    static const char *const paths[] = {"roller/III/C", "two-mass/forced", "bouncing-ball/lively"};
    for (size_t i = 0; i < IC_COUNT(paths); i++) {
        const ic_options options = {.rtol = 1e-11};
        ic_status status[2] = {IC_OK, IC_OK};
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = paths[i]});
        ic_setup_until(&setup, i == 0 ? "0.3" : setup.until_text, NULL);
        IC_OWN(ic_log) *a = ic_solve(ic_solver_find("taylor"), &setup.problem, &options, &status[0]);
        IC_OWN(ic_log) *b = ic_solve(&ic_taylor_by_equations, &setup.problem, &options, &status[1]);
        CU_ASSERT(status[0] == status[1] && ic_log_event_count(a) > 0);
        CU_ASSERT_EQUAL_FATAL(ic_log_event_count(a), ic_log_event_count(b));
        const double allowed = 1e-9 * ic_time_scale(&setup.problem);
        for (size_t k = 0; k < ic_log_event_count(a); k++) {
            const ic_event e = ic_log_event_at(a, k), f = ic_log_event_at(b, k);
            CU_ASSERT_STRING_EQUAL(e.name, f.name);
            CU_ASSERT(fabs(e.t - f.t) <= allowed);
            CU_ASSERT_FALSE(fabs(e.t - f.t) + 10 * allowed <= allowed); /* planted */
        }
    }
}

/* Every contact-force law has formulas, which equal its functions (check `case`): no mode is without equations. */
IC_TEST(test_laws)
{
    static const char *const cases[] = {"ball", "roller"};
    size_t laws = 0;
    for (size_t i = 0; i < IC_COUNT(cases); i++) {
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = cases[i]});
        const ic_case *system = setup.problem.system;
        for (size_t v = 0; v < system->n_variants; v++) {
            laws += system->variants[v].law != NULL;
            IC_EXPECT(ic_has_equations(&system->variants[v]), "%s, %s", cases[i], system->variants[v].name);
        }
    }
    CU_ASSERT(laws > 30);
}

/* Contact d^1.5 begins where rounding has left the bodies apart: the power of max(d, 0) is not zero for good. */
IC_TEST(test_contact_begins_apart)
{
    const ic_solver *const solvers[] = {ic_solver_find("taylor"), ic_solver_find("dop853")};
    double last[2] = {0};
    for (int i = 0; i < 2; i++) {
        ic_status status = IC_OK;
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "roller/law"});
        ic_setup_until(&setup, "0.3", NULL);
        IC_OWN(ic_log) *log = ic_solve(solvers[i], &setup.problem, &(ic_options){.rtol = 1e-11}, &status);
        CU_ASSERT_EQUAL(status, IC_OK);
        CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), 11);
        last[i] = ic_log_event_at(log, 10).t;
    }
    CU_ASSERT(fabs(last[0] - last[1]) < 1e-10 * last[1]);
}

/*
 * The pin of a slider-crank meets its bearing. Where the contact begins, (ecc - c) is below the rounding of
 * the coordinates from which it is computed: a step of that size would change no coordinate. Its radius is
 * that of the series, so that the contact must begin with a step in the root of time, although the power
 * begins where a kink turns and not where a phase begins.
 */
#define SLIDER_CRANK(parameters)                                                                               \
    "parameters: {r: 50 mm, l: 12 cm, n: 300 rpm, m: 0.3 kg, k: 2 kN/m, " parameters "}\n"                     \
    "definitions:\n"                                                                                           \
    "  xp: r*cos(n*t)\n  yp: r*sin(n*t)\n  len: sqrt((xj - xp)^2 + (yj - yp)^2)\n"                             \
    "  ux: (xj - xp)/len\n  uy: (yj - yp)/len\n"                                                               \
    "  T: kr*(len - l) + cr*(ux*(vx + r*n*sin(n*t)) + uy*(vy - r*n*cos(n*t)))\n"                               \
    "  ecc: sqrt((xj - xs)^2 + yj^2)\n"                                                                        \
    "states:\n"                                                                                                \
    "  xj: {unit: m, start: r + l}\n  vx: m/s\n  yj: m\n  vy: m/s\n"                                           \
    "  xs: {unit: m, start: r + l - c/2}\n  vs: m/s\n"                                                         \
    "flow: {xj: vx, vx: -T*ux/mp, yj: vy, vy: -T*uy/mp, xs: vs, vs: -k*(xs - l)/m}\n"                          \
    "elements:\n"                                                                                              \
    "  pin: {contact: {indentation: ecc - c, law: lankarani-nikravesh, with: {K: K, e: e, n: 3/2},\n"          \
    "    pushes: {vx: -(xj - xs)/ecc/mp, vy: -yj/ecc/mp, vs: (xj - xs)/ecc/m}}}\n"

IC_TEST(test_contact_begins_at_a_turn)
{
    static const char text[] = SLIDER_CRANK("mp: 0.25 kg, c: 0.2 mm, K: 3.32e8 N/m^1.5, kr: 447.9 kN/m, "
                                            "cr: 60 N s/m, e: 0.7") "presets: {default: {until: 2 ms}}\n";
    IC_OWN(ic_machine) o = ic_tests_open(text, NULL);
    for (int k = 0; k <= 2 * TOLERANCES; k++) {
        run_outcome(&o, 5.26 * pow(10, -5 - k)); /* At 5.26e-9 the contact begins with 7e-18 m. */
        CU_ASSERT(ic_log_work(o.log)->steps < 100);
        CU_ASSERT_FALSE(ic_log_work(o.log)->steps + 20000 < 100); /* planted: steps of that size */
    }
}

/*
 * A free pin passes the middle of its bearing, where ecc = sqrt(x^2 + y^2) is near its branch point. The flow
 * does not depend on it there, so that holding it costs no accuracy of the states; the guard does, and must not
 * lose the contact that follows.
 */
IC_TEST(test_guard_has_a_root_of_its_own)
{
    static const char text[] =
        SLIDER_CRANK("mp: 0.3478 kg, c: 0.2001 mm, K: 1.542e9 N/m^1.5, kr: 47.49 kN/m, "
                     "cr: 34.48 N s/m, e: 0.7445") "presets: {default: {until: 0.164 s}}\n";
    IC_OWN(ic_machine) o = ic_tests_open(text, NULL);
    run_outcome(&o, 2.4e-9);
    IC_OWN(ic_log) *other = ic_tests_solve("dop853", &o.setup.problem, &(ic_options){.rtol = 1e-11});
    CU_ASSERT_EQUAL(ic_log_event_count(o.log), ic_log_event_count(other));
    const double off = fabs(last_event(o.log) - last_event(other));
    /* 0.164 s times the tolerance are 4e-10 s, which the impacts before multiply; 25 times that. */
    CU_ASSERT(off <= 1e-8);
    CU_ASSERT_FALSE(off + 2e-4 <= 1e-8); /* planted: the contact that was found 0.2 ms late */
}

/* A shaft in the middle of its bearing has no direction in which it could be pushed, and need not have one. */
IC_TEST(test_starts_in_the_middle)
{
    const double lands = sqrt(2 * 2e-4 / 9.81);
    const ic_solver *const without[] = {ic_solver_find("rk4_henon"), ic_solver_find("dop853")};
    ic_machine o = ic_tests_open("parameters: {m: 0.3 kg, c: 0.2 mm, K: 2e9 N/m^1.5, g: 9.81 m/s^2}\n"
                                 "definitions: {ecc: sqrt(x^2 + y^2)}\n"
                                 "states: {x: m, vx: m/s, y: m, vy: m/s}\n"
                                 "flow: {x: vx, vx: 0, y: vy, vy: -g}\n"
                                 "elements:\n"
                                 "  pin: {contact: {indentation: ecc - c, law: hertz, with: {K: K, n: 3/2},\n"
                                 "    pushes: {vx: -x/ecc/m, vy: -y/ecc/m}}}\n"
                                 "presets: {d: {until: 0.007 s}}\n",
                                 NULL);
    for (int k = 0; k <= 2 * TOLERANCES; k++) {
        run_outcome(&o, pow(10, -4 - k));
        CU_ASSERT_EQUAL(ic_log_event_count(o.log), 1);
        const double off = fabs(last_event(o.log) - lands), allowed = 20 * pow(10, -4 - k) * lands + 1e-15;
        CU_ASSERT(off <= allowed);
        CU_ASSERT_FALSE(off + 1e-2 * lands <= allowed); /* planted */
    }
    /* Where a flow is evaluated there, the message names it. */
    for (size_t i = 0; i < IC_COUNT(without); i++) {
        ic_status status = IC_OK;
        IC_OWN(ic_log) *log = ic_solve(without[i], &o.setup.problem, &(ic_options){0}, &status);
        CU_ASSERT_EQUAL(status, IC_NOT_FINITE);
        CU_ASSERT_PTR_NOT_NULL(strstr(ic_log_text(log), "the flow of 'vx' in mode 'motion' at t = 0;"));
        CU_ASSERT_PTR_NULL(strstr(ic_log_text(log), "guard")); /* planted */
    }
    ic_tests_close(&o);
    /* A guard without a value is named too. */
    o = ic_tests_open("states: {x: {unit: \"1\", scale: 1}}\n"
                      "parameters: {s: 1 s}\n"
                      "flow: {x: 1/s}\n"
                      "time_scale: 1 s\n"
                      "modes: {on: {until: {out: {rises: sqrt(x - 1) - 2, ends: true}}}}\n"
                      "presets: {d: {until: 7 s}}\n",
                      NULL);
    for (size_t i = 0; i < IC_COUNT(without); i++) {
        ic_status status = IC_OK;
        IC_OWN(ic_log) *log = ic_solve(without[i], &o.setup.problem, &(ic_options){0}, &status);
        CU_ASSERT_EQUAL(status, IC_NOT_FINITE);
        CU_ASSERT_PTR_NOT_NULL(strstr(ic_log_text(log), "guard 'out' in mode 'on' at t = 0;"));
    }
    ic_tests_close(&o);
}

/*
 * Two balls of almost equal velocity meet. Rounding of the displacements leaves the compression just below zero, where
 * its power has no value; it must be passed by a step that moves the displacements, though they move as one.
 */
IC_TEST(test_contact_at_a_small_difference_of_speeds)
{
    static const char *const settings[] = {"N=6", "q=0.15", "n_0=2", "alpha=0.1"};
    double x[2][IC_MAX_STATES], scale[IC_MAX_STATES];
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){"ball-chain/cradle", settings, 4, "3e-4", NULL});
    for (int i = 0; i < 2; i++) {
        IC_OWN(ic_log) *log = ic_tests_solve(i == 0 ? "taylor" : "dop853", &setup.problem,
                                             &(ic_options){.rtol = 1e-12, .max_steps = 10000});
        memcpy(x[i], ic_log_end(log).x, setup.problem.system->n_states * sizeof x[i][0]);
    }
    ic_state_scales(&setup.problem, scale);
    for (size_t k = 0; k < setup.problem.system->n_states; k++)
        CU_ASSERT_DOUBLE_EQUAL(x[0][k], x[1][k], 1e-5 * scale[k]);
}

/*
 * A series with gaps, by every order modulo 5: S' = U/2, U' = -S^4, t' = S has the powers 1, 0 and 2 modulo 5
 * from S = 0 on. U falls through zero at 5^(1/5) B(1/5, 1/2)/5.
 */
#define GAPPED_TURN 1.72980933054260272933539327171

IC_TEST(test_series_with_gaps)
{
    static const char text[] =
        "parameters: {s: 1 s}\n"
        "states: {S: {unit: \"1\", start: 0, scale: 1}, U: {unit: \"1\", start: 2, scale: 1},\n"
        "  T: {unit: \"1\", start: 0, scale: 1}}\n"
        "flow: {S: U/2/s, U: -S^4/s, T: S/s}\nuntil: {turn: {falls: U, ends: true}}\ntime_scale: s\n"
        "presets: {default: {until: 4 s}}\n";
    static const double tolerances[] = {1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11, 1e-12};
    IC_OWN(ic_machine) o = ic_tests_open(text, NULL);
    for (size_t i = 0; i < IC_COUNT(tolerances); i++) {
        run_outcome(&o, tolerances[i]);
        CU_ASSERT(fabs(last_event(o.log) - GAPPED_TURN) <= RUN_ERROR * tolerances[i]);
    }
    /* planted: the last two coefficients of order 19 are zero, and its series misses the turn */
    const ic_equations *equations = o.setup.problem.variant->modes[0].equations;
    const double start[] = {0, 2, 0};
    const int order = 19;
    IC_OWN(ic_series) s;
    IC_OWN(ic_tape) tape;
    CU_ASSERT_FATAL(ic_tape_open(&tape, 3, &equations, 1));
    CU_ASSERT_FATAL(ic_series_open(&s, 3, tape.room));
    s.tape = &tape;
    ic_tape_begin(s.tape, equations, o.setup.problem.par, 0, start);
    ic_series_expand(&s, order, GAPPED_TURN, 0, start, IC_SERIES_PLAIN);
    double end = 0;
    for (int row = 0; row < 3; row++)
        CU_ASSERT(ic_series_row(s.c, row)[order] == 0 && ic_series_row(s.c, row)[order - 1] == 0);
    for (int j = order; j >= 0; j--) end += ic_series_row(s.c, 1)[j];
    CU_ASSERT(fabs(end) > 1e-3);
}

/*
 * Impacts on the forces of Hertz, of Hunt and Crossley, of Tsuji et al., which has d^(1/4), and of Lee and Wang, which
 * releases the ball at a speed that stays: few steps, as the series do not end at d = 0.
 */
IC_TEST(test_regularised_impact)
{
    enum { MOST_STEPS = 15 };
    static const char *const paths[] = {"ball/hertz", "ball/C1/0.5000", "ball/tsuji", "dem/test-3",
                                        "ball/lee-wang-1"};
    for (size_t i = 0; i < IC_COUNT(paths); i++) {
        ic_status status = IC_OK;
        IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = paths[i]});
        const ic_options coarse = {.rtol = 1e-10}, fine = {.rtol = 1e-14};
        IC_OWN(ic_log) *log = ic_solve(ic_solver_find("taylor"), &setup.problem, &coarse, &status);
        IC_OWN(ic_log) *other = ic_solve(ic_solver_find("dop853"), &setup.problem, &fine, &status);
        CU_ASSERT_EQUAL_FATAL(ic_log_event_count(log), ic_log_event_count(other));
        for (size_t e = 0; e < ic_log_event_count(log); e++) {
            const double t = ic_log_event_at(log, e).t;
            CU_ASSERT(fabs(t - ic_log_event_at(other, e).t) <=
                      RUN_ERROR * coarse.rtol * ic_time_scale(&setup.problem));
        }
        CU_ASSERT(ic_log_work(log)->steps <= MOST_STEPS); /* planted: series in t needed 20 to 70 */
    }
}

/*
 * A contact that begins where its indentation is a rounding error: of five coefficients of the regularised series two
 * are no more than that, and must not limit its steps.
 */
IC_TEST(test_onset_within_rounding)
{
    static const char *const paths[] = {"ball-chain/apart", "ball-chain/wall"};
    static const double tolerances[] = {1e-6, 1e-8};
    for (size_t i = 0; i < IC_COUNT(paths) * IC_COUNT(tolerances); i++) {
        const ic_request request = {.path = paths[i / IC_COUNT(tolerances)]};
        const ic_options options = {.rtol = tolerances[i % IC_COUNT(tolerances)]}, fine = {.rtol = 1e-12};
        ic_status status = IC_OK, other_status = IC_OK;
        IC_OWN(ic_setup) setup = ic_tests_setup(&request);
        IC_OWN(ic_log) *log = ic_solve(ic_solver_find("taylor"), &setup.problem, &options, &status);
        IC_OWN(ic_log) *other = ic_solve(ic_solver_find("dop853"), &setup.problem, &fine, &other_status);
        CU_ASSERT(status == IC_OK &&
                  other_status == IC_OK); /* planted: the steps fell below the resolution of time */
        CU_ASSERT_EQUAL(ic_log_event_count(log), ic_log_event_count(other));
    }
}

/*
 * A body coasts to the branch point of a guard, max(x, 0)^p. A power without a regularised form shortens steps to
 * the resolution of time; beyond the turn of its kink the series is a polynomial, whose step is longer than
 * those by a factor whose powers overflow. With p = 1/2 the regularised series are polynomials from the start.
 */
#define COASTING(power)                                                                                        \
    "parameters: {s: 1 s}\n"                                                                                   \
    "states: {x: {unit: \"1\", start: 1, scale: 1}}\n"                                                         \
    "flow: {x: -1/s}\n"                                                                                        \
    "until: {far: {rises: \"max(x, 0)^(" power ") - 9\"}, end: {falls: x, ends: true}}\n"                      \
    "time_scale: s\n"                                                                                          \
    "presets: {default: {until: 100 s}}\n"

IC_TEST(test_polynomials_at_a_branch_point)
{
    static const struct {
        const char *text;
        double most_steps;
    } rows[] = {{COASTING("3/10"), 100}, {COASTING("1/2"), 2}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        IC_OWN(ic_machine) o = ic_tests_open(rows[i].text, NULL);
        for (int k = 0; k <= 2 * TOLERANCES; k++) {
            run_outcome(&o, pow(10, -4 - k));
            CU_ASSERT(fabs(last_event(o.log) - 1) <= 4 * DBL_EPSILON);
            CU_ASSERT(ic_log_work(o.log)->steps <= rows[i].most_steps);
        }
    }
}

/*
 * In flight the force of Lee and Wang's second model grows by e^100, and a guard with it: its terms are not small
 * beside the value with which the flight began.
 */
IC_TEST(test_guard_grows)
{
    enum { MOST_STEPS = 1000 };
    ic_status status = IC_OK;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){"roller/law", NULL, 0, "0.1", "lee-wang-2"});
    IC_OWN(ic_log) *other =
        ic_solve(ic_solver_find("dop853"), &setup.problem, &(ic_options){.rtol = 1e-12}, &status);
    for (int k = 7; k <= 12; k++) {
        const double rtol = pow(10, -k);
        IC_OWN(ic_log) *log = ic_tests_solve("taylor", &setup.problem, &(ic_options){.rtol = rtol});
        CU_ASSERT_EQUAL(ic_log_event_count(log), ic_log_event_count(other));
        CU_ASSERT(fabs(last_event(log) - last_event(other)) <= RUN_ERROR * rtol);
        CU_ASSERT(ic_log_work(log)->steps <= MOST_STEPS); /* planted: 20000 steps reached no event */
    }
}

/* A mode without a linear view and equations is not supported, and is named. */
IC_TEST(test_unsupported)
{
    ic_status status = IC_OK;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "rotating-beam"});
    const ic_solver *taylor = ic_solver_find("taylor");
    CU_ASSERT_FALSE(ic_solver_solves(taylor, &setup.problem));
    IC_OWN(ic_log) *log = ic_solve(taylor, &setup.problem, &(ic_options){0}, &status);
    CU_ASSERT_EQUAL(status, IC_UNSUPPORTED);
    CU_ASSERT_PTR_NOT_NULL(strstr(ic_log_text(log), "'free'"));
    CU_ASSERT_PTR_NULL(strstr(ic_log_text(log), "'contact'")); /* planted: not the first */
}
