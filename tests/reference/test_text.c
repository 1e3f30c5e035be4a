/* SPDX-License-Identifier: MIT */
/* The second reader of case files: formulas of known values, refusals, kinks, and the flows of the built-in cases. */
#include "core/model.h"
#include "reference/text/text.h"
#include "tests/tests.h"

#include <CUnit/CUnit.h>
#include <arb_mat.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BITS = 128 };

/* The frame of a text with the rate of x; formulas are evaluated at x = 3, y = -2, gear = 2, t = 1/4. */
static ic_text_machine *read_rate(const char *rate, ic_text_error *error)
{
    char text[4096];
    snprintf(text, sizeof text,
             "parameters: {p: 2, N: 3, q: {value: 1/2}, for i in 1..N: {\"a[i]\": 10*i}}\n"
             "indices: {r: 1..N}\n"
             "states: {x: m, y: m}\n"
             "discrete: {gear: {values: [1, 2], start: 2}}\n"
             "definitions: {quad: 2*double, double: 2*x, loop: loop + 1}\n"
             "flow: {x: \"%s\", y: 0}\n",
             rate);
    return ic_text_read(&(ic_text_request){.text = text}, error);
}

/* Values of the parameters of a machine, by its text or, if there is one, by a problem. */
static arb_ptr parameters_of(const ic_text_machine *m, const ic_problem *problem)
{
    arb_ptr values = _arb_vec_init((slong)m->n_parameters + 1);
    for (size_t i = 0; i < m->n_parameters; i++) {
        for (size_t k = 0; problem != NULL && k < problem->system->n_parameters; k++) {
            if (strcmp(problem->system->parameters[k].name, m->parameters[i].name) == 0)
                arb_set_d(values + i, problem->par[k]);
        }
        if (problem != NULL || m->parameters[i].value < 0) continue;
        ic_text_program *p = ic_text_program_new(m, &m->parameters[i].value, 1);
        ic_text_run(p, &(ic_text_values){.parameters = values}, BITS);
        arb_set(values + i, ic_text_value(p, m->parameters[i].value));
        ic_text_program_free(p);
    }
    return values;
}

static void set_ball(arb_ptr x, double low, double high)
{
    arb_set_d(x, (low + high) / 2);
    mag_set_ui_2exp_si(arb_radref(x), (ulong)(high - low), -1);
}

static bool is_near(const arb_t ball, double value, double tolerance)
{
    const double is = arf_get_d(arb_midref(ball), ARF_RND_NEAR), radius = mag_get_d(arb_radref(ball));
    if (isnan(value)) return !arb_is_finite(ball);
    return arb_is_finite(ball) && fabs(is - value) <= tolerance && radius <= tolerance;
}

/* ---- formulas */

/* Splits the next row, "RATE => RESULT; ". false: there is none. */
static bool next_row(const char **at, char rate[100], char result[100])
{
    const char *arrow = strstr(*at, " => "), *end = strstr(*at, "; ");
    if (arrow == NULL || end == NULL) return false;
    snprintf(rate, 100, "%.*s", (int)(arrow - *at), *at);
    snprintf(result, 100, "%.*s", (int)(end - arrow - 4), arrow + 4);
    *at = end + 2;
    return true;
}

static const char formulas[] =
    "1 + 2*3 => 7; -x^2 => -9; 2x^2 => 18; 2^-1 => 0.5; -2^2 + 2^3 => 4; x - 1 - 1 => 1; 8/4/2 => 1; "
    "2pi => 6.283185307179586; 1/(2p) => 0.25; 0.1 + 1e-3*2.5E2 => 0.35; 3*(5 mm) + (2 m) => 2.015; "
    "(60 cycle/s)/pi => 120; (90 deg)*2/pi => 1; (30 rpm)/pi => 1; (36 km/h) => 10; (2 l)*1000 => 2; "
    "(3 N/mm^2) => 3e6; (4 g/cm^3) => 4000; (8 mm^1.5)*1000*sqrt(1000) => 8; (8 mm^(1/2))^2 => 0.064; "
    "(7 J/kg min) => 420; 5 mm => 0.005; (6 \xc2\xb5m)*1e6 => 6; sum(i in 1..N, a[i]*i) => 140; "
    "sum(r, a[r]) => 60; sum(i in 1..N, where(i = N, 0, a[i+1])) => 50; sum(i in 2..1, x) => 0; "
    "sum(i in 1..2, sum(k in i..2, i*k)) => 7; quad => 12; where(x > 3, 1, 2) => 2; "
    "where(x >= 3, 1, 2) => 1; where(x < 4 and (y > 0 or x = 3), 1, 2) => 1; "
    "where(x <= 2 or y < 0 and x > 5, 1, 2) => 2; where(gear = 2, 5, 6) => 5; "
    "where((x - y)/2 > 2, 1, 0) => 1; max(x, y) - min(x, y) => 5; abs(y)*sign(y) => -2; "
    "step(0) + 2*step(-1) => 1; cbrt(y*4) => -2; atan2(x, x) => 0.7853981633974483; sqrt(x^2) => 3; "
    "exp(log(x)) => 3; cosh(t)^2 - sinh(t)^2 => 1; tan(atan(t)) => 0.25; "
    "asin(sin(t)) + acos(cos(t)) => 0.5; tanh(t) => 0.24491866240370913; max(-x, 0)^1.5 => 0; "
    "x^q*x^q => 3; (-8)^(p + 1) => -512; 0^0 => 1; cantilever_lambda(1) => 1.8751040687119611; "
    "1/(x - 3) => nan; y^0.5 => nan; log(y) => nan; ";

static void test_formulas(void)
{
    char rate[100], result[100];
    for (const char *at = formulas; next_row(&at, rate, result);) {
        ic_text_error error;
        const double value = strtod(result, NULL);
        ic_text_machine *m = read_rate(rate, &error);
        CU_ASSERT_FATAL(m != NULL);
        arb_ptr parameters = parameters_of(m, NULL), x = _arb_vec_init(4);
        for (int k = 0; k < 4; k++) arb_set_d(x + k, (const double[]){3, -2, 2, 0.25}[k]);
        ic_text_program *p = ic_text_program_new(m, m->modes[0].rates, 1);
        ic_text_run(p, &(ic_text_values){.parameters = parameters, .states = x, .time = x + 3}, BITS);
        const arb_struct *is = ic_text_value(p, m->modes[0].rates[0]);
        const bool good = is_near(is, value, 1e-14 + 1e-15 * fabs(value));
        if (!good) printf("\n%s => %s", rate, result);
        CU_ASSERT(good && (isnan(value) || !is_near(is, value + 1e-9, 1e-14))); /* planted: another value */
        ic_text_program_free(p);
        _arb_vec_clear(parameters, (slong)m->n_parameters + 1);
        _arb_vec_clear(x, 4);
        ic_text_free(m);
    }
}

static void test_refusals(void)
{
    static const char rows[] =
        "x + => expected a name; 1/2p => ambiguous; x^2pi => ambiguous; loop => depends on itself; "
        "z => unknown name 'z'; (4 furlong) => furlong; a[4] => unknown name 'a4'; f(x) => no such function; "
        "where(x, 1, 2) => comparison; 2^x => constant; x 4 m => follows; max(x) => ','; "
        "sum(k, x) => no range; a[q] => not a known integer; 1e500 => number; x.force => unknown quantity; ";
    ic_text_error error;
    char rate[100], result[100];
    for (const char *at = rows; next_row(&at, rate, result);) {
        ic_text_machine *m = read_rate(rate, &error);
        const bool good = m == NULL && strstr(error.text, result) != NULL;
        if (!good) printf("\n%s: %s", rate, error.text);
        CU_ASSERT(good);
        ic_text_free(m);
    }
    char deep[2000];
    memset(deep, '(', sizeof deep - 1);
    deep[sizeof deep - 1] = '\0';
    CU_ASSERT(read_rate(deep, &error) == NULL && strstr(error.text, "deep") != NULL);
    static const char *const texts[] = {"",
                                        "{",
                                        "[]",
                                        "states: x",
                                        "states: {x: m}\nflow: {}",
                                        "a: &b [*b]",
                                        "states: {x: m}\nflow: {x: 0}\nuntil: {e: 0}",
                                        "states: {x: m}\nflow: {x: 0}\nmodes: {a: {like: b}, b: {}}"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CU_ASSERT(ic_text_read(&(ic_text_request){.text = texts[i]}, &error) == NULL && error.text[0] != '\0');
}

/* ---- kinks */

static void test_kinks(void)
{
    static const struct {
        const char *rate;
        double low, high; /* x */
        int sign;
        double least, most, rate_least, rate_most; /* enclosed, with x' = 1 */
        size_t kinks;
    } rows[] = {
        {"abs(x)", -1, 2, IC_TEXT_OPEN, 0, 2, -1, 1, 1},
        {"abs(x)", -1, 2, -1, -2, 1, -1, -1, 1},
        {"where(x > 0, x, 5)", -1, 2, IC_TEXT_OPEN, -1, 5, 0, 1, 1},
        {"where(x > 0, x, 5)", -1, 2, 0, 5, 5, 0, 0, 1},
        {"where(0 <= x, x, 5) + max(0, x) + step(-x)", 1, 2, IC_TEXT_OPEN, 2, 4, 2, 2, 1},
        {"where(x > 0, x^1.5, 0)", -1, 4, +1, 0, 8, 0, 3, 1},
        {"max(-x, 0)^1.5", -4, 1, IC_TEXT_OPEN, 0, 8, -3, 0, 1},
        {"sign(x - y)*where(y < x, 1, 0) + min(x, y)", -3, 1, -1, -3, 1, 1, 1, 1},
        {"where(x >= 0, 1, 2)", 0, 1, IC_TEXT_OPEN, 1, 1, 0, 0, 1},
        {"x^2/p + sin(0*x)", -1, 1, IC_TEXT_OPEN, 0, 0.5, -1, 1, 0},
        {"sqrt(x)", -1, 1, IC_TEXT_OPEN, NAN, NAN, NAN, NAN, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ic_text_error error;
        size_t n = 0;
        ic_text_machine *m = read_rate(rows[i].rate, &error);
        CU_ASSERT_FATAL(m != NULL);
        arb_ptr parameters = parameters_of(m, NULL), x = _arb_vec_init(6);
        set_ball(x, rows[i].low, rows[i].high);
        arb_set_d(x + 3, 1);
        ic_text_program *p = ic_text_program_new(m, m->modes[0].rates, 1);
        const ic_text_kink *kinks = ic_text_program_kinks(p, &n);
        const signed char sign = (signed char)rows[i].sign;
        ic_text_run(
            p, &(ic_text_values){.parameters = parameters, .states = x, .state_rates = x + 3, .signs = &sign},
            BITS);
        const double results[2][2] = {{rows[i].least, rows[i].most}, {rows[i].rate_least, rows[i].rate_most}};
        for (int k = 0; k < 2; k++) {
            const arb_struct *is =
                k == 0 ? ic_text_value(p, m->modes[0].rates[0]) : ic_text_rate(p, m->modes[0].rates[0]);
            const double middle = arf_get_d(arb_midref(is), ARF_RND_NEAR), radius = mag_get_d(arb_radref(is));
            const double least = results[k][0], most = results[k][1], low = middle - radius,
                         high = middle + radius;
            /* encloses, not much wider */
            const bool good = isnan(least) ? !arb_is_finite(is)
                                           : low <= least + 1e-12 && high >= most - 1e-12 &&
                                                 high - low <= 1.6 * (most - least) + 1e-7;
            if (!good) printf("\n%s: %.17g +- %.17g", rows[i].rate, middle, radius);
            CU_ASSERT(good);
        }
        CU_ASSERT(n == rows[i].kinks && (n == 0 || !kinks[0].equality));
        ic_text_program_free(p);
        _arb_vec_clear(parameters, (slong)m->n_parameters + 1);
        _arb_vec_clear(x, 6);
        ic_text_free(m);
    }
}

/* ---- the built-in cases */

static unsigned long long seed = 1;

static double draw(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) * 0x1p-53;
}

/* All rates of a mode, those by the mass matrix too. */
static void find_rates(arb_ptr rates, const ic_text_machine *m, const ic_text_mode *mode,
                       const ic_text_values *values)
{
    const slong n = (slong)mode->n_mass;
    ic_text_node *roots = malloc((m->n_states + (size_t)(n * (n + 1))) * sizeof *roots);
    memcpy(roots, mode->rates, m->n_states * sizeof *roots);
    memcpy(roots + m->n_states, mode->matrix == NULL ? roots : mode->matrix, (size_t)(n * n) * sizeof *roots);
    memcpy(roots + m->n_states + n * n, mode->force == NULL ? roots : mode->force, (size_t)n * sizeof *roots);
    ic_text_program *p = ic_text_program_new(m, roots, m->n_states + (size_t)(n * (n + 1)));
    arb_mat_t matrix, force;
    arb_mat_init(matrix, n, n), arb_mat_init(force, n, 1);
    ic_text_run(p, values, BITS);
    for (size_t i = 0; i < m->n_states; i++) {
        if (mode->rates[i] >= 0) arb_set(rates + i, ic_text_value(p, mode->rates[i]));
        else arb_zero(rates + i);
    }
    for (slong i = 0; i < n; i++) {
        arb_set(arb_mat_entry(force, i, 0), ic_text_value(p, mode->force[i]));
        for (slong j = 0; j < n; j++)
            arb_set(arb_mat_entry(matrix, i, j), ic_text_value(p, mode->matrix[i * n + j]));
    }
    const bool good = arb_mat_solve(force, matrix, force, BITS) != 0;
    for (slong i = 0; i < n; i++) {
        if (good) arb_set(rates + mode->mass_states[i], arb_mat_entry(force, i, 0));
        else arb_indeterminate(rates + mode->mass_states[i]);
    }
    arb_mat_clear(matrix), arb_mat_clear(force);
    ic_text_program_free(p);
    free(roots);
}

/*
 * The mode of the machine of which a mode of the case, "NAME, element: 0, discrete: 1", is the one with these values of
 * discrete states, which are set. NULL: there is none, or forces of elements act.
 */
static const ic_text_mode *mode_of(const ic_text_machine *m, const char *name, double *values)
{
    for (size_t i = 0; i < m->n_modes; i++) {
        const char *at = name + strlen(m->modes[i].name);
        if (strncmp(m->modes[i].name, name, strlen(m->modes[i].name)) != 0 || (*at != '\0' && *at != ','))
            continue;
        for (size_t k = 0; k < m->n_states; k++) values[k] = m->states[k].discrete ? (double)(1 + k % 2) : NAN;
        char state[64];
        for (int value = 0, length = 0; sscanf(at, ", %63[^:]: %d%n", state, &value, &length) == 2;
             at += length) {
            const int k = ic_text_find_state(m, state);
            if (k >= 0) values[k] = value;
            else if (value != 0) return NULL;
        }
        return &m->modes[i];
    }
    return NULL;
}

static bool is_comparable(const ic_text_machine *m, const ic_text_mode *mode)
{
    for (size_t i = 0; i < m->n_elements; i++) {
        if (mode->elements[i].type == IC_TEXT_FRICTION && !mode->elements[i].removed) return false;
    }
    return true;
}

/* Compares a flow at random states; returns the number of comparisons, negative after one that differs. */
static int compare_mode(const ic_text_machine *m, const ic_text_mode *mode, const double *values,
                        const ic_mode *of_case, const ic_problem *problem)
{
    enum { STATES = 6 };
    const ic_case *system = problem->system;
    const size_t n = system->n_states + 1;
    double *x = calloc(n, sizeof *x), *rates = calloc(n, sizeof *rates), *scales = calloc(n, sizeof *scales);
    arb_ptr parameters = parameters_of(m, problem), states = _arb_vec_init((slong)m->n_states + 1),
            own = _arb_vec_init((slong)m->n_states), elements = _arb_vec_init((slong)m->n_elements + 1);
    int compared = 0;
    ic_state_scales(problem, scales);
    for (int trial = 0; trial < STATES && compared >= 0; trial++) {
        const double t = draw();
        for (size_t i = 0; i < system->n_states; i++) {
            const int k = ic_text_find_state(m, system->states[i].name);
            x[i] = k < 0 ? 0 : m->states[k].discrete ? values[k] : scales[i] * (2 * draw() - (trial % 2));
            if (k >= 0) arb_set_d(states + k, x[i]);
        }
        arb_set_d(states + m->n_states, t);
        find_rates(own, m, mode,
                   &(ic_text_values){.parameters = parameters,
                                     .states = states,
                                     .time = states + m->n_states,
                                     .element_states = elements});
        of_case->flow(rates, t, x, problem->par);
        for (size_t i = 0; i < system->n_states && compared >= 0; i++) {
            const int k = ic_text_find_state(m, system->states[i].name);
            if (k < 0 || !arb_is_finite(own + k) || !isfinite(rates[i])) continue;
            const double is = arf_get_d(arb_midref(own + k), ARF_RND_NEAR);
            if (fabs(is - rates[i]) <= 1e-9 * (fabs(is) + fabs(rates[i])) + 1e-11 * scales[i]) compared++;
            else {
                printf("\n%s, %s, %s, rate of %s: %.15g is %.15g", system->name, problem->variant->name,
                       of_case->name, system->states[i].name, rates[i], is);
                compared = -1;
            }
        }
    }
    _arb_vec_clear(parameters, (slong)m->n_parameters + 1);
    _arb_vec_clear(states, (slong)m->n_states + 1);
    _arb_vec_clear(own, (slong)m->n_states);
    _arb_vec_clear(elements, (slong)m->n_elements + 1);
    free(x), free(rates), free(scales);
    return compared;
}

static ic_text_machine *read_problem(const ic_problem *problem, ic_text_error *error)
{
    const ic_case *system = problem->system;
    ic_text_size *sizes = calloc(system->n_parameters + 1, sizeof *sizes);
    const char **names = calloc(system->n_parameters + 1, sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < system->n_parameters; i++) {
        names[i] = system->parameters[i].name;
        if (problem->par[i] == floor(problem->par[i]) && fabs(problem->par[i]) < 1e6)
            sizes[n++] = (ic_text_size){names[i], (long)problem->par[i]};
    }
    static const char *const conditions[] = {"A", "B", "C", "C*", "D"};
    ic_text_machine *m = ic_text_read(
        &(ic_text_request){
            .text = system->text,
            .variant = problem->variant->name,
            .condition = problem->variant->law == NULL ? NULL : conditions[problem->variant->law->condition],
            .sizes = sizes,
            .n_sizes = n,
            .names = names,
            .n_names = system->n_parameters},
        error);
    free(sizes), free(names);
    return m;
}

static void test_cases(void)
{
    int variants = 0, modes = 0, skipped = 0;
    for (size_t c = 0; ic_case_at(c) != NULL; c++) {
        const ic_case *system = ic_case_at(c);
        for (size_t v = 0; v < system->n_variants; v++) {
            ic_text_error error;
            ic_instance *instance =
                ic_instance_new(system, &(ic_choices){.variant = system->variants[v].name}, NULL);
            CU_ASSERT_FATAL(instance != NULL && system->text != NULL);
            const ic_problem *problem = ic_instance_problem(instance);
            ic_text_machine *m = read_problem(problem, &error);
            if (m == NULL) printf("\n%s/%s: %s", system->name, system->variants[v].name, error.text);
            CU_ASSERT(m != NULL);
            for (size_t i = 0; m != NULL && i < problem->variant->n_modes; i++) {
                const ic_mode *of_case = &problem->variant->modes[i];
                double values[IC_MAX_STATES];
                const ic_text_mode *mode = mode_of(m, of_case->name, values);
                const bool compares =
                    mode != NULL && is_comparable(m, mode) && !(of_case->terminal && !mode->ends);
                const int compared = compares ? compare_mode(m, mode, values, of_case, problem) : 0;
                if (compared == 0 && getenv("IC_TEXT_SHOW"))
                    printf("\nskipped %s/%s/%s", system->name, system->variants[v].name, of_case->name);
                CU_ASSERT(compared >= 0);
                modes += compared > 0;
                skipped += compared == 0;
            }
            variants += m != NULL;
            ic_text_free(m);
            ic_instance_free(instance);
        }
    }
    printf("\n%d variants, %d modes compared, %d not", variants, modes, skipped);
    CU_ASSERT(variants > 50 && modes > 150);
}

void ic_tests_text(void)
{
    CU_pSuite suite = CU_add_suite("case texts", NULL, NULL);
    CU_add_test(suite, "formulas", test_formulas);
    CU_add_test(suite, "refusals", test_refusals);
    CU_add_test(suite, "kinks", test_kinks);
    CU_add_test(suite, "built-in cases", test_cases);
}
