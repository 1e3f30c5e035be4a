/* SPDX-License-Identifier: MIT */
/* The second reader of case files: formulas of known values, refusals, kinks, and the flows of the built-in cases. */
#include "core/model.h"
#include "reference/text/text.h"
#include "tests/tests.h"

IC_SUITE(solvers, "case texts")
IC_OWNED_POINTER(ic_text_machine, ic_text_free)
IC_OWNED_POINTER(ic_text_program, ic_text_program_free)

enum { BITS = 128 };

/* The frame of a text with the rate of x; formulas are evaluated at x = 3, y = -2, gear = 2, t = 1/4. */
static ic_text_machine *read_rate(const char *rate, ic_error *error)
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
    return ic_text_read(text, NULL, NULL, error);
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
        IC_OWN(ic_text_program) *p = ic_text_program_new(m, &m->parameters[i].value, 1);
        ic_text_run(p, &(ic_text_values){.parameters = values}, BITS);
        arb_set(values + i, ic_text_value(p, m->parameters[i].value));
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

IC_TEST(test_formulas)
{
    char rate[100], result[100];
    for (const char *at = formulas; next_row(&at, rate, result);) {
        ic_error error;
        const double value = strtod(result, NULL);
        IC_OWN(ic_text_machine) *m = read_rate(rate, &error);
        CU_ASSERT_FATAL(m != NULL);
        arb_ptr parameters = parameters_of(m, NULL), x = _arb_vec_init(4);
        for (int k = 0; k < 4; k++) arb_set_d(x + k, (const double[]){3, -2, 2, 0.25}[k]);
        IC_OWN(ic_text_program) *p = ic_text_program_new(m, m->modes[0].rates, 1);
        ic_text_run(p, &(ic_text_values){.parameters = parameters, .states = x, .time = x + 3}, BITS);
        const arb_struct *is = ic_text_value(p, m->modes[0].rates[0]);
        const bool good = is_near(is, value, 1e-14 + 1e-15 * fabs(value));
        if (!good) printf("\n%s => %s", rate, result);
        CU_ASSERT(good && (isnan(value) || !is_near(is, value + 1e-9, 1e-14))); /* planted: another value */
        _arb_vec_clear(parameters, (slong)m->n_parameters + 1);
        _arb_vec_clear(x, 4);
    }
}

IC_TEST(test_refusals)
{
    static const char rows[] =
        "x + => expected a name; 1/2p => ambiguous; x^2pi => ambiguous; loop => depends on itself; "
        "z => unknown name 'z'; (4 furlong) => furlong; a[4] => unknown name 'a4'; f(x) => no such function; "
        "where(x, 1, 2) => comparison; 2^x => constant; x 4 m => follows; max(x) => ','; "
        "sum(k, x) => no range; a[q] => not a known integer; 1e500 => number; x.force => unknown quantity; ";
    ic_error error;
    char rate[100], result[100];
    for (const char *at = rows; next_row(&at, rate, result);) {
        IC_OWN(ic_text_machine) *m = read_rate(rate, &error);
        IC_EXPECT(m == NULL && strstr(error.text, result) != NULL, "%s: %s", rate, error.text);
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
        CU_ASSERT(ic_text_read(texts[i], NULL, NULL, &error) == NULL && error.text[0] != '\0');
}

/* ---- kinks */

IC_TEST(test_kinks)
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
        {"sin(1/x)", -1, 1, IC_TEXT_OPEN, NAN, NAN, NAN, NAN, 0},
        {"sqrt(x^2)", 0, 0, IC_TEXT_OPEN, 0, 0, NAN, NAN, 0},
        {"cbrt(x)", -8, 0, IC_TEXT_OPEN, -2, 0, NAN, NAN, 0},
        {"atan2(x, -2)", -1, 1, IC_TEXT_OPEN, -3.1415926, 3.1415926, NAN, NAN, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ic_error error;
        size_t n = 0;
        IC_OWN(ic_text_machine) *m = read_rate(rows[i].rate, &error);
        CU_ASSERT_FATAL(m != NULL);
        arb_ptr parameters = parameters_of(m, NULL), x = _arb_vec_init(6);
        set_ball(x, rows[i].low, rows[i].high);
        arb_set_d(x + 3, 1);
        IC_OWN(ic_text_program) *p = ic_text_program_new(m, m->modes[0].rates, 1);
        ic_text_program_kinks(p, &n);
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
            IC_EXPECT(isnan(least) ? !arb_is_finite(is)
                                   : low <= least + 1e-12 && high >= most - 1e-12 &&
                                         high - low <= 1.6 * (most - least) + 1e-7,
                      "%s: %.17g +- %.17g", rows[i].rate, middle, radius);
        }
        CU_ASSERT(n == rows[i].kinks);
        _arb_vec_clear(parameters, (slong)m->n_parameters + 1);
        _arb_vec_clear(x, 6);
    }
}

/* ---- sections that the flows of built-in cases do not show */

static const char sections[] =
    "parameters: {N: 2, e: 0.5}\n"
    "states: {for i in 1..N: {\"x[i]\": m}, v: m/s}\n"
    "flow: {for i in 1..N: {\"x[i]\": v}, v: 0}\n"
    "elements:\n"
    "  for i in 1..N: {\"stop[i]\": {stop: {gap: \"x[i] + D\", pushes: {v: 2}}}}\n"
    "  soil: {contact: {indentation: -x1, laws: [hertz, flores], conditions: [A], with: {K: 3}}}\n"
    "  rub: {friction: {slip: v, normal: soil.force, kinetic: e}}\n"
    "  valve: {switch: {input: x1*stop2, on: 1}}\n"
    "  relay: {delay: {input: valve, time: 5 ms}}\n"
    "definitions: {D: 1}\n"
    "modes:\n"
    "  go: {until: {own: {falls: v, ends: true}, all: {rises: x2, if: v > 1, then: {mode: wait, stop1: 0}}}}\n"
    "  wait: {like: go, definitions: {D: 7}, until: {own: none}, ends: true}\n"
    "until: {all: {falls: 3}, \"end of [N]\": {crosses: x1}}\n"
    "times: {once: {at: 2}, ticks: {at: 3*n}, few: {at: n, count: 4, then: [{if: v > 0, v: -v}]}}\n"
    "start: [{if: e > 1, mode: go}, {mode: wait, x2: x1 + 1}]\n";

static double constant(const ic_text_machine *m, ic_text_node node)
{
    IC_OWN(ic_text_program) *p = ic_text_program_new(m, &node, 1);
    ic_text_run(p, &(ic_text_values){.parameters = NULL}, BITS);
    return arf_get_d(arb_midref(ic_text_value(p, node)), ARF_RND_NEAR);
}

IC_TEST(test_sections)
{
    ic_error error;
    IC_OWN(ic_text_machine) *m = ic_text_read(sections, "flores", NULL, &error);
    CU_ASSERT_FATAL(m != NULL);
    const ic_text_mode *go = &m->modes[0], *wait = &m->modes[1];
    const ic_text_element *e = go->elements;
    CU_ASSERT(m->n_states == 3 && m->n_modes == 2 && m->n_elements == 6 && m->n_times == 3 && !m->on_law);
    CU_ASSERT(ic_text_find_element(m, "stop2") == 1 && e[1].type == IC_TEXT_STOP &&
              constant(m, e[1].parts[IC_TEXT_RESTITUTION]) == 0);
    CU_ASSERT(e[0].n_pushes == 1 && e[0].pushes[0].state == 2 && constant(m, e[0].pushes[0].value) == 2 &&
              e[0].parts[IC_TEXT_SLIP] == IC_TEXT_NONE);
    CU_ASSERT(e[0].parts[IC_TEXT_GAP] !=
              wait->elements[0].parts[IC_TEXT_GAP]); /* by the mode's own definition */
    CU_ASSERT(strcmp(e[2].law, "flores") == 0 && e[2].condition == NULL && e[2].n_with == 1 &&
              constant(m, e[2].with[0].value) == 3);
    const ic_text_term *normal = &m->terms[e[3].parts[IC_TEXT_NORMAL]];
    CU_ASSERT(normal->operation == IC_TEXT_FORCE && normal->index == 2 &&
              e[3].parts[IC_TEXT_STATIC] == e[3].parts[IC_TEXT_KINETIC]);
    CU_ASSERT(e[4].parts[IC_TEXT_OFF] == e[4].parts[IC_TEXT_ON] &&
              constant(m, e[5].parts[IC_TEXT_DELAY_TIME]) == 0.005);
    CU_ASSERT(m->terms[e[5].parts[IC_TEXT_INPUT]].operation == IC_TEXT_ELEMENT);
    CU_ASSERT(go->n_events == 3 && go->events[0].jump.branches[0].mode == IC_TEXT_ENDS &&
              go->events[0].direction == -1);
    CU_ASSERT(go->events[1].direction == 1 && m->terms[go->events[1].condition].operation == IC_TEXT_GREATER);
    CU_ASSERT(go->events[1].jump.branches[0].mode == 1 &&
              go->events[1].jump.branches[0].entries[0].element == 0);
    CU_ASSERT(strcmp(go->events[2].name, "end of 2") == 0 && !go->ends);
    CU_ASSERT(wait->n_events == 2 && wait->ends);
    CU_ASSERT(m->times[0].count == 1 && m->times[1].count == 0 && m->times[2].count == 4 &&
              m->times[2].jump.n == 2);
    CU_ASSERT(m->start.n == 2 && m->start.branches[1].mode == 1 &&
              constant(m, m->start.branches[1].entries[0].value) == 1);
    IC_OWN(ic_text_machine) *other = ic_text_read(sections, "A", NULL, &error);
    CU_ASSERT_FATAL(other != NULL);
    CU_ASSERT(strcmp(other->modes[0].elements[2].condition, "A") == 0 &&
              strcmp(other->modes[0].elements[2].law, "kelvin-voigt") == 0);
    CU_ASSERT(ic_text_read(sections, "D", NULL, &error) == NULL); /* planted: no such variant */
}

/* ---- the built-in cases */

static unsigned long long seed = 1;

static double draw(void)
{
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(seed >> 11) * 0x1p-53;
}

/* A machine beside its case: a program of all formulas, and their values for a state of the case. */
typedef struct comparison {
    const ic_text_machine *m;
    const ic_problem *problem;
    ic_text_program *program;
    arb_ptr parameters, states, elements;
    double *x, *after, *rates, *scales;
    const char *mode;
    int compared, differ;
} comparison;

static double value_of(const comparison *c, ic_text_node node)
{
    const arb_struct *value = ic_text_value(c->program, node);
    return node >= 0 && arb_is_finite(value) ? arf_get_d(arb_midref(value), ARF_RND_NEAR) : NAN;
}

/* Compares a number of the case with its value by the text, unless it has none. */
static void compare(comparison *c, double is, double should_be, double size, const char *what)
{
    if (!isfinite(is) || !isfinite(should_be)) return;
    c->compared++;
    if (fabs(is - should_be) <= 1e-9 * (fabs(is) + fabs(should_be)) + 1e-11 * size) return;
    printf("\n%s, %s, %s, %s: %.15g is %.15g", c->problem->system->name, c->problem->variant->name, c->mode,
           what, is, should_be);
    c->differ++;
}

/* Compares the states after a jump of the case, with the first alternative of the text; elements are settled by the case. */
static void compare_jump(comparison *c, const ic_text_jump *jump, const ic_jump *of_case, double t,
                         const char *name)
{
    const ic_case *system = c->problem->system;
    size_t k = 0;
    while (k + 1 < jump->n && ic_text_truth(c->program, jump->branches[k].condition) == -1) k++;
    if (jump->branches[k].condition >= 0 && ic_text_truth(c->program, jump->branches[k].condition) != 1) return;
    of_case->apply(c->after, t, c->x, c->problem->par);
    for (size_t i = 0; i < system->n_states; i++) {
        const int state = ic_text_find_state(c->m, system->states[i].name);
        double should_be = state < 0 ? NAN : c->x[i];
        for (size_t e = 0; e < jump->branches[k].n_entries; e++) {
            if (jump->branches[k].entries[e].state == state && state >= 0)
                should_be = value_of(c, jump->branches[k].entries[e].value);
        }
        compare(c, c->after[i], should_be, c->scales[i], name);
    }
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

/* Evaluates all formulas at the state x of the case. */
static void run_all(const comparison *c, double t)
{
    const ic_text_values values = {.parameters = c->parameters,
                                   .states = c->states,
                                   .time = c->states + c->m->n_states,
                                   .element_states = c->elements};
    for (size_t i = 0; i < c->problem->system->n_states; i++) {
        const int k = ic_text_find_state(c->m, c->problem->system->states[i].name);
        if (k >= 0) arb_set_d(c->states + k, c->x[i]);
    }
    arb_set_d(c->states + c->m->n_states, t);
    ic_text_run(c->program, &values, BITS);
}

static void compare_event(comparison *c, const ic_text_event *event, const ic_mode *of_case, double t)
{
    for (size_t k = 0; k < of_case->n_guards; k++) {
        const ic_guard *guard = &of_case->guards[k];
        if (strcmp(guard->name, event->name) != 0) continue;
        CU_ASSERT(guard->direction == event->direction);
        compare(c, guard->value(t, c->x, c->problem->par), value_of(c, event->value), 1, guard->name);
        compare_jump(c, &event->jump, &guard->jump, t, guard->name);
    }
}

/* Compares rates, equations with the mass matrix, events and jumps of a mode at random states. */
static void compare_mode(comparison *c, const ic_text_mode *mode, const double *values, const ic_mode *of_case)
{
    const ic_case *system = c->problem->system;
    c->mode = of_case->name;
    for (int trial = 0; trial < 6; trial++) {
        const double t = draw();
        for (size_t i = 0; i < system->n_states; i++) {
            const int k = ic_text_find_state(c->m, system->states[i].name);
            c->x[i] = k < 0                      ? 0
                      : c->m->states[k].discrete ? values[k]
                                                 : c->scales[i] * (2 * draw() - (trial % 2));
        }
        run_all(c, t);
        double rates[IC_MAX_STATES] = {0};
        of_case->flow(c->rates, t, c->x, c->problem->par);
        for (size_t i = 0; i < system->n_states; i++) {
            const int k = ic_text_find_state(c->m, system->states[i].name);
            if (k < 0) continue;
            rates[k] = c->rates[i];
            compare(c, c->rates[i], value_of(c, mode->rates[k]), c->scales[i], system->states[i].name);
        }
        for (size_t i = 0; i < mode->n_mass; i++) {
            double sum = 0, size = 0;
            for (size_t j = 0; j < mode->n_mass; j++) {
                const double term =
                    value_of(c, mode->matrix[i * mode->n_mass + j]) * rates[mode->mass_states[j]];
                sum += term, size += fabs(term);
            }
            compare(c, sum, value_of(c, mode->force[i]), size * 1e4, "mass");
        }
        for (size_t i = 0; i < mode->n_events; i++) compare_event(c, &mode->events[i], of_case, t);
    }
}

/* Compares the values of parameters that the preset does not set, and the start. */
static void compare_start(comparison *c)
{
    const ic_problem *problem = c->problem;
    const ic_preset *preset = problem->system->presets;
    c->mode = "start";
    memset(c->x, 0, problem->system->n_states * sizeof *c->x);
    run_all(c, problem->t_start);
    for (size_t i = 0; i < c->m->n_parameters; i++) {
        char setting[100];
        snprintf(setting, sizeof setting, "%s=", c->m->parameters[i].name);
        for (size_t k = 0; k < problem->system->n_parameters; k++) {
            if (strcmp(problem->system->parameters[k].name, c->m->parameters[i].name) == 0 &&
                strstr(preset->settings, setting) == NULL)
                compare(c, problem->par[k], value_of(c, c->m->parameters[i].value), 0, setting);
        }
    }
    for (size_t i = 0; i < problem->system->n_states; i++) {
        const int k = ic_text_find_state(c->m, problem->system->states[i].name);
        c->x[i] = k < 0 ? 0 : value_of(c, c->m->states[k].start);
    }
    compare_jump(c, &c->m->start, &problem->variant->start, problem->t_start, "start");
}

static void open_comparison(comparison *c, const ic_text_machine *m, const ic_problem *problem)
{
    ic_text_node *all = malloc((m->n_terms + 1) * sizeof *all);
    for (size_t i = 0; i < m->n_terms; i++) all[i] = (ic_text_node)i;
    *c = (comparison){.m = m,
                      .problem = problem,
                      .program = ic_text_program_new(m, all, m->n_terms),
                      .parameters = parameters_of(m, problem)};
    free(all);
    c->states = _arb_vec_init((slong)m->n_states + 1);
    c->elements = _arb_vec_init((slong)m->n_elements + 1);
    c->x = calloc((size_t)4 * IC_MAX_STATES, sizeof *c->x);
    c->after = c->x + IC_MAX_STATES;
    c->rates = c->after + IC_MAX_STATES;
    c->scales = c->rates + IC_MAX_STATES;
    ic_state_scales(problem, c->scales);
}

static void close_comparison(comparison *c)
{
    ic_text_program_free(c->program);
    _arb_vec_clear(c->parameters, (slong)c->m->n_parameters + 1);
    _arb_vec_clear(c->states, (slong)c->m->n_states + 1);
    _arb_vec_clear(c->elements, (slong)c->m->n_elements + 1);
    free(c->x);
}

/* Compares all modes of a variant; returns their number. */
static int compare_variant(const ic_problem *problem)
{
    ic_error error;
    comparison c;
    int modes = 0;
    IC_OWN(ic_text_machine) *m = ic_text_read(problem->system->text, problem->variant->name, problem, &error);
    if (m == NULL) {
        printf("\n%s/%s: %s", problem->system->name, problem->variant->name, error.text);
        CU_FAIL_FATAL("the text is not read");
        return 0;
    }
    open_comparison(&c, m, problem);
    compare_start(&c);
    for (size_t i = 0; i < problem->variant->n_modes; i++) {
        const ic_mode *of_case = &problem->variant->modes[i];
        double values[IC_MAX_STATES];
        const ic_text_mode *mode = mode_of(m, of_case->name, values);
        /* modes of other variants have no flow */
        if (mode == NULL || !is_comparable(m, mode) || (of_case->terminal && !mode->ends)) continue;
        const int before = c.compared;
        compare_mode(&c, mode, values, of_case);
        modes += c.compared > before;
    }
    CU_ASSERT(c.differ == 0);
    close_comparison(&c);
    return modes;
}

IC_TEST(test_cases)
{
    int variants = 0, modes = 0;
    for (size_t k = 0; ic_case_at(k) != NULL; k++) {
        for (size_t v = 0; v < ic_case_at(k)->n_variants; v++) {
            IC_OWN(ic_instance) *instance =
                ic_instance_new(ic_case_at(k), &(ic_choices){.variant = ic_case_at(k)->variants[v].name}, NULL);
            CU_ASSERT_FATAL(instance != NULL);
            modes += compare_variant(ic_instance_problem(instance));
            variants++;
        }
    }
    CU_ASSERT(variants >= 120 && modes >= 330);
}
