/* SPDX-License-Identifier: MIT */
/**
 * Requirements on every registered case: it is consistent (validation/case), its invariants hold
 * along accurate runs, its names are unique, and every preset can be opened. Also the consistency
 * check itself: it must find and locate the one mistake in each of a series of copied cases.
 */
#include "casefile/casefile.h"
#include "casefile/dimension.h"
#include "core/linear_view.h"
#include "core/model.h"
#include "registry/registry.h"
#include "tests/allocations.h"
#include "tests/machine.h"
#include "validation/case/judgement.h"
#include "validation/checks/verify.h"
#include "validation/claims/measurement.h"
#include "validation/subjects.h"

IC_SUITE(light, "cases")

/* ---- the registered cases */

IC_TEST(test_registered)
{
    IC_OWN(ic_results) results = {0};
    ic_cases_judge(&results, ic_cases, ic_case_count, NULL);
    /* one row for each, and none undecided */
    CU_ASSERT_EQUAL(results.count, ic_case_count);
    for (size_t i = 0; i < results.count; i++) {
        IC_EXPECT(results.rows[i].verdict == IC_PASS, "%s: %s: %s", results.rows[i].subject,
                  results.rows[i].what, results.rows[i].detail);
    }
}

/* ---- invariants along runs */

/* Bound of a value relative to its change by the scales: ten errors of rtol for each of some
   hundred time scales, as for events elsewhere. */
#define RUN_RTOL 1e-10
#define RUN_TOLERANCE 1e-7
enum { RUN_SAMPLES = 2000, RUN_TIMES = 200 };

/* Change of a value when each state changes by its scale. */
static double change_by_scales(const ic_problem *problem, const ic_invariant *invariant, const ic_sample *s)
{
    double scale[IC_MAX_STATES], x[IC_MAX_STATES], sum = 0;
    const double value = invariant->value(s->t, s->x, problem->par);
    ic_state_scales(problem, scale);
    memcpy(x, s->x, problem->system->n_states * sizeof *x);
    for (size_t i = 0; i < problem->system->n_states; i++) {
        x[i] += scale[i];
        sum += fabs(invariant->value(s->t, x, problem->par) - value);
        x[i] = s->x[i];
    }
    return sum;
}

/* Greatest violation of the invariants of the visited modes, relative to the bound. */
static double worst_violation(const ic_log *log, size_t *compared, int flip)
{
    const ic_problem *problem = ic_log_problem(log);
    double worst = 0;
    for (size_t i = 0; i < ic_log_sample_count(log); i++) {
        const ic_sample s = ic_log_sample_at(log, i);
        const ic_mode *mode = &problem->variant->modes[s.mode];
        for (size_t k = 0; k < mode->n_invariants; k++) {
            const ic_invariant *invariant = &mode->invariants[k];
            const double value = invariant->value(s.t, s.x, problem->par);
            const int side = flip * invariant->side;
            const double off = side == 0 ? fabs(value) : fmax(0, -side * value);
            worst = fmax(worst, off / (RUN_TOLERANCE * change_by_scales(problem, invariant, &s)));
            (*compared)++;
        }
    }
    return worst;
}

IC_TEST(test_invariants_along_runs)
{
    size_t compared = 0, sides = 0;
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++) {
            IC_OWN(ic_setup) setup;
            ic_status status = IC_OK;
            const ic_request request = {.path = ic_cases[c]->presets[p].name};
            CU_ASSERT_FATAL(ic_setup_open_case(&setup, ic_cases[c], &request, NULL));
            const double longest = setup.problem.t_start + RUN_TIMES * ic_time_scale(&setup.problem);
            if (setup.problem.t_end > longest) setup.problem.t_end = longest, setup.problem.t_end_text = NULL;
            const ic_options options = {.rtol = RUN_RTOL, .samples = RUN_SAMPLES};
            IC_OWN(ic_log) *log =
                ic_solve(ic_accurate_solver(setup.problem.variant), &setup.problem, &options, &status);
            CU_ASSERT_FATAL(log != NULL && status == IC_OK);
            const double worst = worst_violation(log, &compared, 1);
            IC_EXPECT(worst <= 1, "%s/%s: %g", ic_cases[c]->name, request.path, worst);
            sides += worst_violation(log, &compared, -1) > 1; /* planted: the other side */
        }
    }
    CU_ASSERT(compared > 10000);
    CU_ASSERT(sides > 10);
}

/* ---- copies of two cases, with room for mistakes */

enum { MODES = 2, BRANCHES = 4 };

typedef struct copy {
    ic_case system;
    ic_variant variant;
    ic_mode modes[MODES];

    /* for the modes, which have one at most */
    ic_guard guards[MODES];

    ic_branch branches[MODES][BRANCHES], limits[MODES][BRANCHES], starts[BRANCHES];
    ic_invariant invariants[2];
    const char *flow[IC_MAX_STATES], *post[IC_MAX_STATES];
    ic_parameter parameters[32];
    ic_state states[4];
    ic_output outputs[8];
    const char *output_texts[MODES];
    ic_preset preset;
} copy;

static void copy_jump(ic_jump *jump, ic_branch *branches)
{
    if (jump->apply == NULL) return;
    memcpy(branches, jump->branches, jump->n_branches * sizeof *branches);
    jump->branches = branches;
}

static void copy_texts(const char **to, const char *const *from, size_t n)
{
    for (size_t i = 0; from != NULL && i < n; i++) to[i] = from[i];
}

static void copy_tables(copy *c, const ic_case *of)
{
    memcpy(c->parameters, of->parameters, of->n_parameters * sizeof *c->parameters);
    memcpy(c->states, of->states, of->n_states * sizeof *c->states);
    memcpy(c->outputs, of->outputs, of->n_outputs * sizeof *c->outputs);
    copy_texts(c->output_texts, of->outputs[0].linear, MODES);
    c->outputs[0].linear = c->output_texts;
    c->preset = of->presets[0];
    c->system.parameters = c->parameters;
    c->system.states = c->states;
    c->system.outputs = c->outputs;
    c->system.presets = &c->preset;
    c->system.n_presets = 1;
    c->system.trials = NULL; /* of presets that are gone */
    c->system.n_trials = 0;
}

/* One preset, the first, and one variant; the last mode has invariants. */
static void copy_case(copy *c, const char *name)
{
    const ic_case *of = ic_case_find(name);
    *c = (copy){.system = *of, .variant = of->variants[0]};
    memcpy(c->modes, c->variant.modes, sizeof c->modes);
    for (int m = 0; m < MODES; m++) {
        if (c->modes[m].n_guards == 0) continue;
        c->guards[m] = c->modes[m].guards[0];
        copy_jump(&c->guards[m].jump, c->branches[m]);
        copy_jump(&c->guards[m].accumulation, c->limits[m]);
        c->modes[m].guards = &c->guards[m];
    }
    const ic_invariant *keeps = c->modes[1].invariants;
    CU_ASSERT_FATAL(keeps != NULL && c->modes[1].n_invariants == IC_COUNT(c->invariants));
    if (keeps != NULL) memcpy(c->invariants, keeps, sizeof c->invariants);
    c->modes[1].invariants = c->invariants;
    copy_texts(c->flow, c->modes[0].linear, of->n_states);
    c->modes[0].linear = c->flow;
    copy_texts(c->post, c->branches[0][0].state, of->n_states);
    c->branches[0][0].state = c->post;
    copy_jump(&c->variant.start, c->starts);
    c->variant.modes = c->modes;
    c->system.variants = &c->variant;
    copy_tables(c, of);
}

/* The row of the check, which must be the only one. */
static ic_result check_copy(const copy *c)
{
    const ic_case *system = &c->system;
    IC_OWN(ic_results) results = {0};
    ic_cases_judge(&results, &system, 1, NULL);
    CU_ASSERT_EQUAL_FATAL(results.count, 1);
    const ic_result row = results.rows[0];
    CU_ASSERT_EQUAL(ic_case_contradicts_itself(&results, system), row.verdict == IC_FAIL);
    return row;
}

static void expect_finding(const copy *c, const char *place, const char *detail)
{
    const ic_result row = check_copy(c);
    const bool found =
        row.verdict == IC_FAIL && strstr(row.what, place) != NULL && strstr(row.detail, detail) != NULL;
    CU_ASSERT(found);
    CU_ASSERT_STRING_EQUAL(row.check, "case");
    CU_ASSERT_STRING_EQUAL(row.subject, c->system.name);
    if (!found)
        fprintf(stderr, "expected '%s', '%s'\n     got '%s', '%s'\n", place, detail, row.what, row.detail);
}

#define FINDS(case_, mistake_, place_, detail_)                                                                \
    do {                                                                                                       \
        copy c;                                                                                                \
        copy_case(&c, case_);                                                                                  \
        mistake_;                                                                                              \
        expect_finding(&c, place_, detail_);                                                                   \
    } while (false)

/* ---- mistakes: functions of the ball, x and v */

IC_TESTS_VALUE(minus_velocity, -x[1])
IC_TESTS_VALUE(nearly_velocity, 1.00001 * x[1])
IC_TESTS_VALUE(value_one, 1)

static double whole_energy(double t, const double *x, const double *par)
{
    (void)t;
    return x[1] * x[1] + par[2] * x[0]; /* g; 1/2 is missing */
}

IC_TESTS_VALUE(value_nan, x[0] > 0.5 ? NAN : 0)

static int goes_through(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t;
    x_post[0] = 0;
    x_post[1] = par[3] * x_pre[1]; /* e: the sign is missing */
    return x_pre[1] < 0 ? 0 : 1;
}

static int keeps_moving(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    x_post[0] = 0;
    x_post[1] = x_pre[1];
    return 0;
}

static int wrong_branch(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    memcpy(x_post, x_pre, 2 * sizeof *x_post);
    return 7;
}

static int not_finite(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    x_post[0] = 0;
    x_post[1] = x_pre[1] / 0.;
    return 0;
}

static void drifting_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)x, (void)par;
    dxdt[0] = 1e-3;
    dxdt[1] = 0;
}

/* ---- mistakes of the two masses, u1, v1, u3, v3: the first guard of each mode closes or opens the
   gap */

IC_TESTS_VALUE(gap_of_masses, x[2] - x[0])
IC_TESTS_VALUE(gap_rate, x[3] - x[1])

static int keep_state(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    memcpy(x_post, x_pre, 4 * sizeof *x_post);
    return 0;
}

/* Each guard opens what the other closes: they fire alternately. */
static void make_chain(copy *c)
{
    for (int m = 0; m < MODES; m++) {
        c->guards[m].value = gap_of_masses;
        c->guards[m].rate = gap_rate;
        c->guards[m].linear = "u3 - u1";
        c->guards[m].jump.apply = keep_state;
        c->guards[m].jump.linear = false;
        c->guards[m].direction = -1;
        c->branches[m][0] = (ic_branch){.mode = 1 - m};
        c->modes[m].equations = NULL;
    }
    c->modes[1].flow = c->modes[0].flow;
    c->modes[1].linear = c->modes[0].linear;
    c->modes[1].n_invariants = 0;
}

/* ---- planted */

IC_TEST(test_copies)
{
    static const char *const cases[] = {"bouncing-ball", "two-mass"};
    for (size_t i = 0; i < IC_COUNT(cases); i++) {
        copy c;
        copy_case(&c, cases[i]);
        /* the check finds the mistakes below, not the copying */
        CU_ASSERT_EQUAL(check_copy(&c).verdict, IC_PASS);
    }
}

/* x' = v, v' = -g, and the guard x; a mistake is another term. */
IC_TEST(test_wrong_equations)
{
    enum { G = 2 };
    static const ic_equation_term right[] = {{IC_OP_STATE, 0, -1, -1, 0},
                                             {IC_OP_STATE, 1, -1, -1, 0},
                                             {IC_OP_PARAMETER, G, -1, -1, 0},
                                             {IC_OP_NEGATE, 2, -1, -1, 0}};
    static const int results[] = {1, 3, 0}, beyond[] = {1, 4, 0};
    ic_equation_term terms[IC_COUNT(right)];
    ic_equations e = {terms, IC_COUNT(terms), results, IC_COUNT(results), NULL};
#define FINDS_WITH(mistake_, place_, detail_)                                                                  \
    memcpy(terms, right, sizeof terms);                                                                        \
    e.n_results = IC_COUNT(results), e.results = results;                                                      \
    FINDS("bouncing-ball", mistake_; c.modes[0].equations = &e, place_, detail_)
    memcpy(terms, right, sizeof terms);
    copy same;
    copy_case(&same, "bouncing-ball");
    same.modes[0].equations = &e;
    CU_ASSERT_EQUAL(check_copy(&same).verdict, IC_PASS);
    FINDS_WITH(terms[3].a = 1, "mode flight, equations: they equal the functions", "function -9.81");
    FINDS_WITH(terms[0].a = 1, "guard 'floor', equations: they equal the functions", "function");
    FINDS_WITH(terms[3].a = 3, "terms are operations on terms before them", "term 3 is not");
    FINDS_WITH(terms[1].a = 2, "terms are operations on terms before them", "term 1 is not");
    FINDS_WITH(terms[2].a = 99, "terms are operations on terms before them", "term 2 is not");
    FINDS_WITH(terms[2].operation = IC_OP_INPUT, "terms are operations", "term 2 is not");
    FINDS_WITH(e.n_results = 2, "a result for each state and guard", "2 results for 3");
    FINDS_WITH(e.results = beyond, "its results are terms", "result 1 is not");
#undef FINDS_WITH
}

IC_TEST(test_wrong_texts)
{
    FINDS("bouncing-ball", c.flow[1] = "g", "variant newton, mode flight, rate of 'v'",
          "text 9.81, function -9.81");
    FINDS("bouncing-ball", c.flow[1] = "-gg", "mode flight, rate of 'v': its text can be read",
          "'-gg', character 2: unknown name");
    FINDS("bouncing-ball", c.guards[0].linear = "-x", "mode flight, guard 'floor', its value", "text");
    FINDS("bouncing-ball", c.guards[0].linear = "height", "guard 'floor'", "character 1: unknown name");
    FINDS("bouncing-ball", c.post[1] = "e*v", "guard 'floor': the text of 'v' after its jump", "text");
    FINDS("bouncing-ball", c.post[1] = "-e*w", "guard 'floor': the text of a state after", "unknown name");
    FINDS("bouncing-ball", c.branches[0][0].condition = "e*v", "guard 'floor': the conditions of its branches",
          "the texts select branch");
    FINDS("bouncing-ball", c.output_texts[0] = "2*x", "mode flight, output 'height'", "text");
    FINDS("bouncing-ball", c.invariants[1].linear = "v + 1", "mode rest, invariant 'velocity'", "text");
    FINDS("bouncing-ball", c.starts[0].condition = "-h", "start: the conditions of its branches",
          "the texts select");
    FINDS("two-mass", c.flow[3] = "(f2*cos(omega*t + p2) - c2*v3 + k2*u3)/m2", "mode free, rate of 'v3'",
          "text");
    FINDS("two-mass", c.flow[1] = "cos(omega*t) + cos(2*omega*t)", "mode free, rate of 'v1'", "two different");
}

IC_TEST(test_wrong_functions)
{
    FINDS("bouncing-ball", c.guards[0].rate = minus_velocity, "guard 'floor': its rate is its derivative",
          "rate ");
    FINDS("bouncing-ball", c.guards[0].rate = nearly_velocity, "guard 'floor': its rate is its derivative",
          "rate ");
    FINDS("two-mass", c.guards[1].rate = value_one, "mode stuck, guard 'separation': its rate",
          "rate 1, derivative");
    FINDS("bouncing-ball", c.modes[0].stored_energy = whole_energy, "mode flight: stored energy changes by",
          "rate of the stored energy");
    FINDS("bouncing-ball", c.modes[0].dissipated_power = value_one, "mode flight: stored energy changes by",
          "supplied minus dissipated power -1");
    FINDS("bouncing-ball", c.modes[0].stored_energy = value_nan, "mode flight: stored energy", "nan");
    FINDS("bouncing-ball", c.modes[0].supplied_power = NULL, "mode flight: its energy balance is complete",
          "without");
}

IC_TEST(test_wrong_jumps)
{
    FINDS("bouncing-ball", (c.guards[0].jump.apply = goes_through, c.guards[0].jump.linear = false),
          "guard 'floor': its jump leads away from the side", "in mode flight");
    FINDS("bouncing-ball", (c.guards[0].jump.apply = wrong_branch, c.guards[0].jump.linear = false),
          "guard 'floor': its jump takes a branch", "`apply` returns 7");
    FINDS("bouncing-ball", (c.guards[0].jump.apply = not_finite, c.guards[0].jump.linear = false),
          "guard 'floor': the state after its jump is finite", "v is ");
    FINDS("two-mass", make_chain(&c), "guard 'impact': jumps at one instant settle", "more than 32");
    static const ic_departure upwards = {0, 1, 1}, downwards = {0, 1, -1};
    copy right;
    copy_case(&right, "bouncing-ball");
    right.branches[0][0].departures = &upwards;
    right.branches[0][0].n_departures = 1;
    CU_ASSERT_EQUAL(check_copy(&right).verdict, IC_PASS);
    FINDS("bouncing-ball", (c.branches[0][0].departures = &downwards, c.branches[0][0].n_departures = 1),
          "guard 'floor': 'departs' states the side", "to the positive side, not to the negative one");
}

IC_TEST(test_wrong_invariants)
{
    FINDS("bouncing-ball",
          (c.guards[0].accumulation.apply = keeps_moving, c.guards[0].accumulation.linear = false),
          "guard 'floor', accumulation: afterwards invariant 'velocity' of mode rest stays 0", "it is ");
    FINDS("bouncing-ball",
          (c.modes[1].flow = drifting_flow, c.modes[1].linear = NULL, c.modes[1].equations = NULL),
          "mode rest, invariant 'height': the flow preserves it", "its rate where it holds 0.001");
    FINDS("two-mass",
          (c.invariants[0].side = -1, c.invariants[0].value = value_one, c.invariants[0].linear = NULL),
          "start: afterwards invariant 'gap' of mode stuck is never positive", "it is 1 m");
    FINDS("bouncing-ball", c.invariants[0].unit = "metters", "mode rest, invariant 'height': its unit",
          "'metters'");
}

/* A time event is judged at its own times: the profile changes its half where both halves meet. */
IC_TEST(test_profile_by_half_turns)
{
    static const char profile[] =
        "parameters: {w: {value: 10, unit: 1/s}, a: 1 cm}\n"
        "states: {x: {unit: m, scale: a}, v: {unit: m/s, scale: a*w, start: a*w}}\n"
        "discrete: {half: {values: [-1, 1], start: 1}}\n"
        "definitions: {s: a*half*sin(w*t)}\n"
        "modes: {rides: {flow: {x: a*w*half*cos(w*t), v: -w^2*s}, keeps: {place: {zero: x - s}}}}\n"
        "times: {turn: {at: \"%s*pi/w\", then: {half: -half, v: -v}}}\n"
        "presets: {default: {until: 2 s}}\n";
    static const struct {
        const char *at;
        ic_verdict verdict;
    } rows[] = {{"(n + 1)", IC_PASS}, {"(n + 9/10)", IC_FAIL}}; /* planted: before the half turn */
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        char text[1024], undecided[256] = "";
        ic_result row = {.verdict = IC_PASS};
        snprintf(text, sizeof text, profile, rows[i].at);
        IC_OWN(ic_casefile) *file = ic_tests_read(text);
        ic_case_judge(&row, undecided, sizeof undecided, ic_casefile_case(file));
        CU_ASSERT_EQUAL(row.verdict, rows[i].verdict);
    }
}

IC_TEST(test_wrong_quantities)
{
    FINDS("bouncing-ball", c.states[0].scale = "0*h", "scale of state 'x': it is a positive number",
          "'0*h' is 0");
    FINDS("bouncing-ball", c.states[1].scale = "sqrt(g*l)", "scale of state 'v'", "unknown name");
    FINDS("bouncing-ball", c.system.time_scale = "-h", "time scale: it is a positive number", "'-h' is -1");
    FINDS("bouncing-ball", c.system.time_scale = NULL, "time scale", "it has no text");
    FINDS("bouncing-ball", c.parameters[3].value = "2", "preset drop: its parameters", "'e'");
    FINDS("bouncing-ball", c.parameters[3].range = "[0, 1", "preset drop: its parameters", "'e'");
    FINDS("bouncing-ball", c.preset.settings = "k=3", "preset drop: its parameters", "no parameter 'k'");
    FINDS("bouncing-ball", c.preset.until = "3*T", "preset drop", "unknown name");
    FINDS("bouncing-ball", c.guards[0].rate = NULL, "its tables are complete", "has no rate");
}

IC_TEST(test_units)
{
    static const char *const known[] = {"1", "m", "N s/m^2", "J/(kg K)", "m^3/(s Pa)", "N/m^n", "m^-1"};
    static const char *const unknown[] = {"", "m/", "/m", "m^", "(m", "m/(s", "mm", "hour", "degC", "M"};
    for (size_t i = 0; i < IC_COUNT(known); i++) CU_ASSERT(ic_unit_is_si(known[i]));
    for (size_t i = 0; i < IC_COUNT(unknown); i++) CU_ASSERT_FALSE(ic_unit_is_si(unknown[i]));
}

/* ---- a case that contradicts itself is not solved, and every row that does not pass states why */

IC_TEST(test_left_out)
{
    static const bool none[64] = {false}, first[64] = {true};
    const ic_selection all = {.left_out = none}, rest = {.left_out = first};
    CU_ASSERT_FATAL(ic_case_count > 1 && ic_case_count <= IC_COUNT(none));
    CU_ASSERT(ic_selects_case(&all, ic_cases[0]));
    CU_ASSERT_FALSE(ic_selects_case(&rest, ic_cases[0]));
    CU_ASSERT_FALSE(ic_selects_preset(&rest, ic_cases[0], ic_cases[0]->presets));
    CU_ASSERT(ic_selects_case(&rest, ic_cases[1]));
}

/* Each allocation fails once, which is not a contradiction. */
IC_TEST(test_memory)
{
    static const char *const cases[] = {"bouncing-ball", "two-mass"};
    for (size_t c = 0; c < IC_COUNT(cases); c++) {
        size_t failures = 0;
        for (size_t i = 0;; i++) {
            char undecided[256];
            ic_result row;
            ic_allocations_begin(i);
            const bool judged = ic_case_judge(&row, undecided, sizeof undecided, ic_case_find(cases[c]));
            const ic_allocations used = ic_allocations_end();
            CU_ASSERT(used.left <= 0);
            if (!used.failed) break;
            IC_EXPECT(!judged, "%s, allocation %zu: %s: %s", cases[c], i, row.what, row.detail);
            failures++;
        }
        CU_ASSERT(failures > 10);
    }
}

IC_TEST(test_reasons)
{
    IC_OWN(ic_results) results = {0};
    ic_result row = ic_row("energy", "roller", NULL, "J");
    row.verdict = IC_SKIPPED;
    ic_results_add(&results, &row); /* without a reason: refused */
    row.error = 2, row.tolerance = 1;
    ic_results_compare(&results, row);
    row.error = NAN;
    ic_results_compare(&results, row);
    CU_ASSERT_EQUAL(ic_results_with(&results, IC_FAIL), 3);
    CU_ASSERT(strstr(results.rows[0].detail, "'energy' does not give a reason") != NULL);
    CU_ASSERT_STRING_EQUAL(results.rows[1].detail, "error 2 J, tolerance 1 J");
    CU_ASSERT_STRING_EQUAL(results.rows[2].detail, "no value could be measured");
    CU_ASSERT_STRING_EQUAL(ic_failure_text(NULL, IC_ZENO), ic_status_text(IC_ZENO));
}

/* ---- rates */

// NOLINTNEXTLINE(readability-non-const-parameter): the type of a flow
static void flow_without_rates(double *dxdt, double t, const double *x, const double *par)
{
    (void)dxdt, (void)t, (void)x, (void)par;
}

/* Returns whether the rates do not depend on the previous contents of the array. */
static bool writes_all_rates(void (*flow)(double *, double, const double *, const double *), const double *x,
                             const ic_problem *problem)
{
    double once[IC_MAX_STATES], again[IC_MAX_STATES];
    const size_t n = problem->system->n_states;
    for (size_t i = 0; i < n; i++) once[i] = 1, again[i] = 2;
    flow(once, problem->t_start, x, problem->par);
    flow(again, problem->t_start, x, problem->par);
    return memcmp(once, again, n * sizeof *once) == 0;
}

IC_TEST(test_flows_fill_every_rate)
{
    for (size_t c = 0; c < ic_case_count; c++) {
        for (size_t p = 0; p < ic_cases[c]->n_presets; p++) {
            char path[128];
            double x[IC_MAX_STATES] = {0};
            snprintf(path, sizeof path, "%s/%s", ic_cases[c]->name, ic_cases[c]->presets[p].name);
            IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = path});
            const ic_variant *variant = setup.problem.variant;
            variant->start.apply(x, setup.problem.t_start, NULL, setup.problem.par);
            for (size_t m = 0; m < variant->n_modes; m++)
                CU_ASSERT(variant->modes[m].flow == NULL ||
                          writes_all_rates(variant->modes[m].flow, x, &setup.problem));
            CU_ASSERT_FALSE(writes_all_rates(flow_without_rates, x, &setup.problem)); /* planted */
        }
    }
}

/* ---- names, ranges and presets */

IC_TEST(test_names)
{
    for (size_t c = 0; c < ic_case_count; c++) {
        const ic_case *system = ic_cases[c];
        CU_ASSERT(ic_case_find(system->name) == system);
        for (size_t i = 0; i < system->n_parameters; i++) {
            CU_ASSERT_FALSE(ic_in_range(system->parameters[i].range, NAN)); /* planted */
            for (size_t k = 0; k < i; k++)
                CU_ASSERT(strcmp(system->parameters[i].name, system->parameters[k].name) != 0);
        }
        for (size_t i = 0; i < system->n_states; i++) {
            for (size_t k = 0; k < i; k++)
                CU_ASSERT(strcmp(system->states[i].name, system->states[k].name) != 0);
        }
        for (size_t i = 0; i < system->n_outputs; i++)
            CU_ASSERT_EQUAL(ic_output_find(system, system->outputs[i].name), i);
        for (size_t i = 0; i < system->n_presets; i++)
            CU_ASSERT(ic_preset_find(system, system->presets[i].name) == &system->presets[i]);
    }
    CU_ASSERT_PTR_NULL(ic_case_find("no such case"));
    CU_ASSERT_PTR_NULL(ic_solver_find("no such solver"));
}

/* A condition turns where a stop is hit: two guards with one quantity, neither of which is the other. */
IC_TEST(test_condition_at_a_stop)
{
    static const char text[] = "states: {x: {unit: m, start: 1 m}, v: m/s, Q: s}\n"
                               "flow: {x: v, v: -(2 m/s^2), Q: \"where(x > 0, 1, 0)\"}\n"
                               "elements: {f: {stop: {gap: x}}}\npresets: {default: {until: 3 s}}\n";
    IC_OWN(ic_casefile) *file = ic_tests_read(text);
    const ic_case *system = ic_casefile_case(file);
    IC_OWN(ic_results) results = {0};
    ic_cases_judge(&results, &system, 1, NULL);
    CU_ASSERT_FATAL(results.count == 1);
    CU_ASSERT_EQUAL(results.rows[0].verdict, IC_PASS);
}
