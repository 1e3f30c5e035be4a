/* SPDX-License-Identifier: MIT */
/**
 * Traps: their answers are those of the certifier, our solvers pass but where it is known that they
 * do not, and small faulty integrators fail the trap that was made for their fault, which is named.
 */
#include "audit/solver/traps.h"
#include "reference/flow/certify.h"
#include "registry/registry.h"
#include "tests/machine.h"

IC_SUITE(audits, "traps")
IC_OWNED(ic_findings, ic_findings_free)

/* ---------------------------------------------------------------------------------------- faulty
   integrators */

/* The fault of an integrator. */
typedef enum fault {
    /* an event is where the step ends */
    NO_LOCATION,

    /* an event is where the straight line through the step's ends is zero */
    ONE_INTERPOLATION,

    /* located well, and found once more from the zero on which the jump leaves the guard */
    FIRES_AGAIN,

    /* located well, whichever way the guard crosses */
    NO_DIRECTION,

    /* located well, where signs at the ends of a long step differ */
    ENDS_OF_STEPS,

    /* time events at the end of their step */
    LATE_CLOCK,
} fault;

enum { HALVINGS = 60 };
/* s; no event falls on the end of a step */
#define STEP 0.0013
#define LONG_STEP 20.0

typedef struct faulty {
    const ic_problem *problem;
    ic_log *log;
    fault fault;
    double t, step;
    double x[IC_TRAP_STATES], next[IC_TRAP_STATES];
    int mode, occurrence;

    /* that fired at t; NULL: none */
    const ic_guard *last;

    size_t events;
} faulty;

static void step_to(const faulty *f, double h, double *to)
{
    memcpy(to, f->x, sizeof f->x);
    ic_tests_step(f->problem->variant->modes[f->mode].flow, f->problem->par, f->problem->system->n_states, f->t,
                  h, to);
}

static double guard_after(const faulty *f, const ic_guard *guard, double h)
{
    double x[IC_TRAP_STATES];
    step_to(f, h, x);
    return guard->value(f->t + h, x, f->problem->par);
}

/* Part of the step after which a guard crosses, as this integrator sees it. */
static double located(const faulty *f, const ic_guard *guard, double h)
{
    const double g0 = guard->value(f->t, f->x, f->problem->par), g1 = guard_after(f, guard, h);
    double low = 0, high = h;
    if (f->fault == NO_LOCATION) return h;
    if (f->fault == ONE_INTERPOLATION) return h * g0 / (g0 - g1);
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if ((guard_after(f, guard, middle) > 0) == (g0 > 0)) low = middle;
        else high = middle;
    }
    return high;
}

static bool crosses(const faulty *f, const ic_guard *guard, double h)
{
    const double g0 = guard->value(f->t, f->x, f->problem->par), g1 = guard_after(f, guard, h);
    if (guard == f->last || (g0 > 0) == (g1 > 0)) return false;
    return f->fault == NO_DIRECTION || guard->direction == 0 || (guard->direction > 0) == (g1 > 0);
}

static void jump(faulty *f, const ic_jump *map, ic_event_kind kind, const char *name)
{
    double post[IC_TRAP_STATES];
    const int branch = map->apply(post, f->t, f->x, f->problem->par);
    const int to = map->branches[branch].mode == IC_SAME_MODE ? f->mode : map->branches[branch].mode;
    ic_log_event(f->log, &(const ic_event){kind, name, f->t, 0, f->mode, to, f->x, post});
    memcpy(f->x, post, f->problem->system->n_states * sizeof *post);
    f->mode = to;
    f->events++;
}

static void fire(faulty *f, const ic_guard *guard)
{
    jump(f, &guard->jump, IC_EVENT_GUARD, guard->name);
    if (f->fault == FIRES_AGAIN) jump(f, &guard->jump, IC_EVENT_GUARD, guard->name);
    f->last = guard;
}

/* One step, or a part of it up to a guard; true: a guard has fired. */
static bool advance(faulty *f, double h)
{
    const ic_mode *mode = &f->problem->variant->modes[f->mode];
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (!crosses(f, &mode->guards[i], h)) continue;
        const double part = located(f, &mode->guards[i], h);
        step_to(f, part, f->next);
        memcpy(f->x, f->next, sizeof f->x);
        f->t += part;
        fire(f, &mode->guards[i]);
        return true;
    }
    step_to(f, h, f->next);
    memcpy(f->x, f->next, sizeof f->x);
    f->t += h;
    f->last = NULL;
    return false;
}

/* The clock of LATE_CLOCK is looked at when a step is over. */
static double next_step(const faulty *f, double t_clock)
{
    const double left = f->problem->t_end - f->t;
    if (f->fault != LATE_CLOCK && t_clock > f->t) return fmin(fmin(f->step, left), t_clock - f->t);
    return fmin(f->step, left);
}

static ic_status integrate(ic_log *log, const ic_problem *problem, const ic_options *options, fault which)
{
    faulty f = {.problem = problem, .log = log, .fault = which, .t = problem->t_start};
    const ic_variant *variant = problem->variant;
    f.step = options->step > 0 ? options->step : STEP;
    f.mode = variant->start.branches[variant->start.apply(f.x, f.t, NULL, problem->par)].mode;
    while (f.t < problem->t_end && (double)f.events < options->max_steps) {
        const double t_clock =
            variant->n_time_events > 0 ? variant->time_events[0].when(f.occurrence, problem->par) : INFINITY;
        const double h = next_step(&f, t_clock);
        if (h <= 1e-15) break;
        if (advance(&f, h)) continue;
        if (f.t < t_clock) continue;
        f.occurrence++;
        jump(&f, &variant->time_events[0].jump, IC_EVENT_TIME, variant->time_events[0].name);
    }
    ic_log_final(log, problem->t_end, f.mode, f.x);
    return IC_OK;
}

#define FAULTY(name_, fault_)                                                                                  \
    static ic_status name_(ic_log *log, const ic_problem *problem, const ic_options *options)                  \
    {                                                                                                          \
        return integrate(log, problem, options, fault_);                                                       \
    }
FAULTY(without_location, NO_LOCATION)
FAULTY(with_one_interpolation, ONE_INTERPOLATION)
FAULTY(that_fires_again, FIRES_AGAIN)
FAULTY(without_direction, NO_DIRECTION)
FAULTY(by_ends_of_steps, ENDS_OF_STEPS)
FAULTY(with_late_clock, LATE_CLOCK)

/* A Taylor series of S' = U/2, U' = -S^4, T' = S. */
enum { SERIES_ORDER = 19, SERIES_STATES = 3 };
#define SERIES_RTOL 1e-12

static void expand_impact(double c[SERIES_STATES][SERIES_ORDER + 1])
{
    double square[SERIES_ORDER + 1], fourth[SERIES_ORDER + 1];
    for (int j = 0; j <= SERIES_ORDER; j++) {
        square[j] = fourth[j] = 0;
        for (int i = 0; i <= j; i++) square[j] += c[0][i] * c[0][j - i];
        for (int i = 0; i <= j; i++) fourth[j] += square[i] * square[j - i];
        if (j == SERIES_ORDER) break;
        c[0][j + 1] = c[1][j] / (2 * (j + 1));
        c[1][j + 1] = -fourth[j] / (j + 1);
        c[2][j + 1] = c[0][j] / (j + 1);
    }
}

static double sum_series(const double *c, double h)
{
    double sum = 0;
    for (int j = SERIES_ORDER; j >= 0; j--) sum = sum * h + c[j];
    return sum;
}

/* The step follows from the last two coefficients alone, which are zero at the start. */
static ic_status by_last_two_terms(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    double c[SERIES_STATES][SERIES_ORDER + 1] = {{0}, {2}, {0}}, t = 0, x[SERIES_STATES];
    (void)options;
    while (t < problem->t_end) {
        double h = problem->t_end - t, low = 0;
        expand_impact(c);
        for (int i = 0; i < SERIES_STATES; i++) {
            for (int j = SERIES_ORDER - 1; j <= SERIES_ORDER; j++)
                if (c[i][j] != 0) h = fmin(h, pow(SERIES_RTOL / fabs(c[i][j]), 1.0 / j));
        }
        double high = h;
        for (int k = 0; c[1][0] > 0 && sum_series(c[1], h) < 0 && k < HALVINGS; k++) {
            const double middle = 0.5 * (low + high);
            if (sum_series(c[1], middle) > 0) low = middle;
            else high = middle;
        }
        for (int i = 0; i < SERIES_STATES; i++) x[i] = sum_series(c[i], high);
        if (high < h) ic_log_event(log, &(const ic_event){IC_EVENT_GUARD, "turn", t + high, 0, 0, 0, x, x});
        for (int i = 0; i < SERIES_STATES; i++) c[i][0] = sum_series(c[i], h);
        t += h;
    }
    for (int i = 0; i < SERIES_STATES; i++) x[i] = c[i][0];
    ic_log_final(log, t, 0, x);
    return IC_OK;
}

/* x = cos t, v = -sin t, and of z no more than the rate at the start of a step shows, as in a series in which its
   term underflows. */
static ic_status by_rate_at_start(ic_log *log, const ic_problem *problem, const ic_options *options)
{
    double x[IC_TRAP_STATES] = {1, 0, 0}, rate[IC_TRAP_STATES], t = 0;
    (void)options;
    while (t < problem->t_end) {
        const double h = fmin(LONG_STEP, problem->t_end - t);
        problem->variant->modes[0].flow(rate, t, x, problem->par);
        t += h;
        x[0] = cos(t), x[1] = -sin(t), x[2] += h * rate[2];
    }
    ic_log_final(log, t, 0, x);
    return IC_OK;
}

static const struct {
    ic_status (*solve)(ic_log *log, const ic_problem *problem, const ic_options *options);
    double step;
    const char *trap;
    ic_mistake_id mistake;
} planted[] = {
    {without_location, STEP, "elastic-creep/elastic", IC_MISTAKE_NO_EVENT_LOCATION},
    {without_location, STEP, "stale-slope/drop", IC_MISTAKE_NO_EVENT_LOCATION},
    {with_one_interpolation, STEP, "elastic-creep/elastic", IC_MISTAKE_LINEAR_EVENT_LOCATION},
    {with_one_interpolation, STEP, "stale-slope/drop", IC_MISTAKE_LINEAR_EVENT_LOCATION},
    {that_fires_again, STEP, "counted-twice/long", IC_MISTAKE_FIRED_AGAIN},
    {without_direction, STEP, "three-crossings/rising", IC_MISTAKE_DIRECTION_IGNORED},
    {by_ends_of_steps, LONG_STEP, "three-crossings/both", IC_MISTAKE_CROSSINGS_LOST_IN_STEP},
    {by_ends_of_steps, LONG_STEP, "brief-ledge/throw", IC_MISTAKE_CROSSINGS_LOST_IN_STEP},
    {by_ends_of_steps, LONG_STEP, "thin-wall/shot", IC_MISTAKE_CROSSINGS_LOST_IN_STEP},
    {with_late_clock, STEP, "clock-and-floor/alone", IC_MISTAKE_TIME_EVENT_LATE},
    {with_late_clock, STEP, "clock-and-floor/together", IC_MISTAKE_TIME_EVENT_LATE},
    {by_last_two_terms, STEP, "gapped-series/turn", IC_MISTAKE_COARSE_STEPS},
    {by_rate_at_start, STEP, "hidden-bump/underflow", IC_MISTAKE_COARSE_STEPS},
    {by_rate_at_start, STEP, "hidden-bump/saturated", IC_MISTAKE_COARSE_STEPS},
    {by_rate_at_start, STEP, "hidden-bump/quotient", IC_MISTAKE_COARSE_STEPS},
    {by_rate_at_start, STEP, "hidden-bump/power", IC_MISTAKE_COARSE_STEPS},
    {by_ends_of_steps, STEP, "zero-at-start/entering", IC_MISTAKE_ZERO_AT_START},
    {by_ends_of_steps, STEP, "bounces-to-rest/drop", IC_MISTAKE_FALLS_THROUGH},
};

static ic_solver faulty_solver(size_t i)
{
    return (ic_solver){IC_ABI(ic_solver),
                       .name = "faulty",
                       .title = "",
                       .source = "",
                       .needs = IC_NEEDS_FLOW,
                       .order = 4,
                       .control = IC_CONTROL_STEP,
                       .solve = planted[i].solve};
}

IC_TEST(test_faults_are_named)
{
    for (size_t i = 0; i < IC_COUNT(planted); i++) {
        const ic_solver solver = faulty_solver(i);
        IC_OWN(ic_findings) findings = {0};
        ic_audit_traps(&findings, &solver, &(ic_options){.step = planted[i].step}, planted[i].trap);
        CU_ASSERT_EQUAL_FATAL(findings.count, 1);
        const ic_finding *f = &findings.rows[0];
        CU_ASSERT(f->verdict == IC_FINDING_FAIL && f->cause == planted[i].mistake);
        if (f->cause != planted[i].mistake)
            fprintf(stderr, "%s: '%s' instead of '%s': %s\n", f->subject, ic_mistake_name(f->cause),
                    ic_mistake_name(planted[i].mistake), f->detail);
    }
}

/* The same integrators pass where their fault does not show: it is not the harness that fails them.
 */
IC_TEST(test_faults_elsewhere_pass)
{
    static const struct {
        size_t which;
        const char *trap;
    } good[] = {
        {5, "clock-and-floor/alone"}, {5, "three-crossings/both"}, {9, "stale-slope"}, {7, "stale-slope"}};
    for (size_t i = 0; i < IC_COUNT(good); i++) {
        const ic_solver solver = faulty_solver(good[i].which);
        IC_OWN(ic_findings) findings = {0};
        ic_audit_traps(&findings, &solver, &(ic_options){.step = STEP}, good[i].trap);
        CU_ASSERT_EQUAL(ic_findings_with(&findings, IC_FINDING_PASS), findings.count);
        CU_ASSERT(findings.count > 0);
        for (size_t k = 0; k < findings.count; k++) {
            if (findings.rows[k].verdict != IC_FINDING_PASS)
                fprintf(stderr, "%s: %s\n", findings.rows[k].subject, findings.rows[k].detail);
        }
    }
}

/* A property that a solver does not claim is reported and does not fail. */
IC_TEST(test_not_claimed)
{
    ic_solver solver = faulty_solver(6);
    IC_OWN(ic_findings) findings = {0};
    solver.clauses_not_kept = IC_CLAUSE(7);
    ic_audit_traps(&findings, &solver, &(ic_options){.step = LONG_STEP}, "three-crossings/both");
    solver.clauses_not_kept = IC_CLAUSE(9);
    ic_audit_traps(&findings, &solver, &(ic_options){.step = LONG_STEP}, "three-crossings/both");
    CU_ASSERT_EQUAL_FATAL(findings.count, 2);
    CU_ASSERT_EQUAL(findings.rows[0].verdict, IC_FINDING_OPEN);
    CU_ASSERT(strstr(findings.rows[0].detail, "does not keep") != NULL);
    CU_ASSERT_EQUAL(findings.rows[1].verdict, IC_FINDING_FAIL);
}

/* --------------------------------------------------------------------------------------------- our
   own solvers */

/* Faults of ours that are known: docs/limits.md. A line that is no longer true is to go. */
static const struct {
    const char *solver, *trap, *reason;
} known[] = {
    {"odeint_dopri5", "cubed-guard/drop", "zeros are those of a polynomial through the guard's values"},
    {"gsl_*", "cubed-guard/drop", "likewise"},
    {"dop853", "grazing/touching", "its error makes the touch a dip, and no note says so (clause 8)"},
    {"gsl_rk8pd", "grazing/over", "a dip within one step is lost"},
    {"cvode_bdf", "stiff-contact/two", "its error is up to some times what is asked"},
    {"gsl_rkf45", "stiff-contact/two", "likewise"},
    {"cvode_bdf", "clock-and-floor/together", "its error before t = 1 is beyond a tie: the guard comes first"},
};

/* Why it is known that a solver fails a trap; NULL: it is not. */
static const char *known_reason(const char *solver, const char *trap)
{
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        if (ic_glob(known[i].solver, solver) && strcmp(known[i].trap, trap) == 0) return known[i].reason;
    }
    return NULL;
}

IC_TEST(test_our_solvers)
{
    for (size_t s = 0; s < ic_solver_count; s++) {
        const ic_solver *solver = ic_solvers[s];
        IC_OWN(ic_findings) findings = {0};
        if ((solver->needs & (IC_NEEDS_IMPACT_VIEW | IC_NEEDS_STOPS_VIEW)) != 0) continue;
        ic_audit_traps(&findings, solver, NULL, NULL);
        CU_ASSERT(findings.count > ic_trap_count && !findings.no_memory);
        for (size_t i = 0; i < findings.count; i++) {
            const ic_finding *f = &findings.rows[i];
            IC_EXPECT(f->verdict != IC_FINDING_FAIL || known_reason(solver->name, f->subject) != NULL,
                      "%s: %s: %s", solver->name, f->subject, f->detail);
        }
    }
}

/* ------------------------------------------------------------------------------------------------
   the answers */

/*
 * Long runs are left to the closed forms in their files; and to plain arithmetic those that the
 * certifier calls undecided: guards that stay at zero or vanish together.
 */
IC_TEST(test_answers_are_certified)
{
    static const char *const traps[] = {
        "three-crossings",    "brief-ledge",           "zero-at-start/leaving", "zero-at-start/entering",
        "counted-twice",      "close-successors",      "many-bounces/short",    "bounces-to-rest",
        "scaled-guard",       "chatter/sliding",       "later-listed-first",    "event-at-end/before",
        "event-at-end/after", "on-the-mesh",           "grazing/short",         "grazing/over",
        "stiff-contact",      "clock-and-floor/alone", "stale-slope",           "picosecond-fall",
        "elastic-creep",      "condition-in-step"};
    const ic_solver certifier = {IC_ABI(ic_solver),
                                 .name = "certifier",
                                 .title = "",
                                 .source = "",
                                 .needs = IC_NEEDS_LINEAR_VIEW,
                                 .control = IC_CONTROL_NONE,
                                 .solve = ic_tests_certify_into_log};
    for (size_t i = 0; i < IC_COUNT(traps); i++) {
        IC_OWN(ic_findings) findings = {0};
        ic_audit_traps(&findings, &certifier, NULL, traps[i]);
        CU_ASSERT(findings.count > 0 && ic_findings_with(&findings, IC_FINDING_PASS) == findings.count);
        for (size_t k = 0; k < findings.count; k++) {
            if (findings.rows[k].verdict != IC_FINDING_PASS)
                fprintf(stderr, "%s: %s\n", findings.rows[k].subject, findings.rows[k].detail);
        }
    }
}

/* Each says where it comes from, and is whole. */
IC_TEST(test_traps_are_whole)
{
    for (size_t i = 0; i < ic_trap_count; i++) {
        const ic_trap *trap = ic_traps[i];
        CU_ASSERT(strchr(trap->cites, '#') != NULL && trap->n_runs > 0 && trap->title[0] != '\0');
        CU_ASSERT(trap->system->n_states <= IC_TRAP_STATES);
        for (size_t k = 0; k < trap->n_runs; k++) {
            const ic_preset *preset = ic_preset_find(trap->system, trap->runs[k].preset);
            CU_ASSERT(preset != NULL);
            if (preset == NULL) continue;
            CU_ASSERT(ic_variant_find(trap->system, preset->variant) != NULL);
        }
    }
}
