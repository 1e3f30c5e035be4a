/* SPDX-License-Identifier: MIT */
/*
 * Table 1 of Jonsson, Bathelt & Broman (2005): quantities that jump where contact starts (-) and
 * ends (+).
 *
 * With s = x1 - x2 = -x2, the one-sided values of s, s', s'' and s''' at the located events of the
 * steady state come from the states before and after and the flows of the two modes:
 *
 *     s = -x2,   s' = -v2,   s'' = -(flow of v2),   s''' = -(rate of that flow along itself).
 *
 * If the q-th derivative is the first that jumps, displacement, velocity and acceleration are
 * C^(q-1), C^(q-2) and C^(q-3), where C^(-1) is discontinuous. All entries of the table are
 * computed so and compared with reference/published/roller-table-1.csv.
 */
#include "core/linear_view.h"
#include "registry/registry.h"
#include "validation/checks/claims_checks.h"
#include "validation/subjects.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONDITION, SIDE, QUANTITY, PRINTED, EXCEPTION, THERE, COLUMNS };
static const char *const columns[COLUMNS] = {"condition", "side", "quantity", "printed", "exception", "there"};

/* The rows of Table 1. */
enum { DISTANCE, FORCE, ACCELERATION, VELOCITY, DISPLACEMENT, QUANTITIES };
static const char *const quantities[QUANTITIES] = {"x1 - x2", "F_f", "acceleration", "velocity",
                                                   "displacement"};

/* Parameter, states and mode of the roller, by the order in which cases/roller.yaml lists them;
   checked by name. */
enum { M2 };
enum { X2, V2, X3, V3, X_F };
enum { CONTACT };

enum { DERIVATIVES = 4 }; /* s, s', s'', s''' */

/* Event times are accurate to the solver's width of location and some roundings of the time
   itself. */
#define TIME_ROUNDINGS (16 * DBL_EPSILON)
/* Roundings of a sum of some ten terms, of states that have rounding errors themselves. */
#define VALUE_ROUNDINGS (64 * DBL_EPSILON)
/*
 * A jump counts if it is this many times the error bound of no jump; the smallest one, of s''' at
 * separation under D in Case IV, is 2e8 times that. In between nothing is decided.
 */
#define SEEN 1e3

/* One side of an event. */
typedef struct limit {
    double s[DERIVATIVES];
    double x_f;
} limit;

/* An event, and the quantities of its tolerances. */
typedef struct transition {
    limit before, after;

    /* F_f */
    double force;

    /* of s, s', s'', s''' */
    double tolerance[DERIVATIVES];

    double force_tolerance;
} transition;

/* ---- one-sided limits */

static double rate_of_acceleration(const ic_mode *mode, double t, const double *x, const double *par,
                                   double omega)
{
    /* a is affine in x and has a sine of frequency omega: the best step for central differences of
       it */
    const double h = cbrt(DBL_EPSILON) / omega;
    double flow[IC_MAX_STATES], shifted[IC_MAX_STATES], ahead[IC_MAX_STATES], behind[IC_MAX_STATES];
    mode->flow(flow, t, x, par);
    for (int i = 0; i <= X_F; i++) shifted[i] = x[i] + h * flow[i];
    mode->flow(ahead, t + h, shifted, par);
    for (int i = 0; i <= X_F; i++) shifted[i] = x[i] - h * flow[i];
    mode->flow(behind, t - h, shifted, par);
    return (ahead[V2] - behind[V2]) / (2 * h);
}

static limit limit_of(const ic_subject *subject, int mode_index, double t, const double *x)
{
    const ic_mode *mode = &subject->setup.problem.variant->modes[mode_index];
    const double *par = subject->setup.par;
    const double omega = 2 * acos(-1) / subject->steady.period;
    double flow[IC_MAX_STATES];
    mode->flow(flow, t, x, par);
    return (limit){.s = {-x[X2], -x[V2], -flow[V2], -rate_of_acceleration(mode, t, x, par, omega)},
                   .x_f = x[X_F]};
}

static double contact_force(const ic_subject *subject, double t, const double *x)
{
    const ic_case *system = subject->setup.problem.system;
    for (size_t i = 0; i < system->n_outputs; i++) {
        const ic_output *output = &system->outputs[i];
        if (strcmp(output->name, "contact_force") == 0) return output->value(t, x, CONTACT, subject->setup.par);
    }
    return NAN;
}

/*
 * A quantity that is zero at the exact event is wrong by its derivative times the error of the
 * event's time, and by rounding of its terms: the state itself for s and s'; the forces of spring
 * and damper, which may cancel, over m2 for s''; and for s''' what the differences over h =
 * cbrt(eps)/omega make of rounding in s''. The force goes on changing by m2 times the jump of s''',
 * since s'' = -F_f/m2 + the forces that also act in flight.
 */
static void set_tolerances(transition *e, const ic_subject *subject, double t, double forces)
{
    const double width = subject->options.event_tol + TIME_ROUNDINGS * t;
    const double omega = 2 * acos(-1) / subject->steady.period, mass = subject->setup.par[M2];
    const double acceleration = forces / mass + fmax(fabs(e->before.s[2]), fabs(e->after.s[2]));
    double scale[IC_MAX_STATES];
    ic_state_scales(&subject->setup.problem, scale);
    const double size[DERIVATIVES] = {scale[X2], scale[V2], acceleration};
    for (int k = 0; k + 1 < DERIVATIVES; k++) {
        const double rate = fmax(fabs(e->before.s[k + 1]), fabs(e->after.s[k + 1]));
        e->tolerance[k] = width * rate + VALUE_ROUNDINGS * size[k];
    }
    e->tolerance[3] = VALUE_ROUNDINGS / cbrt(DBL_EPSILON) * omega * acceleration;
    e->force_tolerance = mass * width * fabs(e->after.s[3] - e->before.s[3]) + VALUE_ROUNDINGS * forces;
}

/* ---- entries of the table */

static const char *sign_text(double value, double tolerance)
{
    if (fabs(value) <= tolerance) return "0";
    if (value > SEEN * tolerance) return ">0";
    if (value < -SEEN * tolerance) return "<0";
    return "undecided";
}

/* Order of the first derivative that jumps: DERIVATIVES if none does, -1 if undecided. */
static int first_jump(const transition *e)
{
    for (int k = 0; k < DERIVATIVES; k++) {
        const double jump = fabs(e->after.s[k] - e->before.s[k]);
        if (jump > SEEN * e->tolerance[k]) return k;
        if (jump > e->tolerance[k]) return -1;
    }
    return DERIVATIVES;
}

static const char *class_text(int continuous_derivatives)
{
    static const char *const texts[] = {"Dis.", "C0", "C1", "C2", "C3"};
    return continuous_derivatives < -1 ? "Dis." : texts[continuous_derivatives + 1];
}

/* The entries that the table should have for the event. */
static void describe_transition(const char *entries[QUANTITIES], const transition *e,
                                const char *printed_distance)
{
    const int q = first_jump(e);
    entries[DISTANCE] = sign_text(e->before.s[0], e->tolerance[0]);
    if (strcmp(printed_distance, "x_f") == 0) {
        const char *offset = sign_text(e->before.s[0] - e->before.x_f, 2 * e->tolerance[0]);
        entries[DISTANCE] = strcmp(offset, "0") == 0 ? "x_f" : "not x_f";
    }
    entries[FORCE] = sign_text(e->force, e->force_tolerance);
    entries[ACCELERATION] = q < 0 ? "undecided" : class_text(q - 3);
    entries[VELOCITY] = q < 0 ? "undecided" : class_text(q - 2);
    entries[DISPLACEMENT] = q < 0 ? "undecided" : class_text(q - 1);
}

/* Largest jump of a derivative that is continuous, divided by its tolerance. */
static double largest_remainder(const transition *e)
{
    const int q = first_jump(e);
    double largest = 0;
    for (int k = 0; k < (q < 0 ? DERIVATIVES : q); k++) {
        largest = fmax(largest, fabs(e->after.s[k] - e->before.s[k]) / e->tolerance[k]);
    }
    return largest;
}

/* ---- the printed table */

static size_t find_entry(const ic_table *table, const char *condition, const char *side, const char *quantity)
{
    size_t i = 0;
    while (i < table->n_rows && (strcmp(ic_table_field(table, i, CONDITION), condition) != 0 ||
                                 strcmp(ic_table_field(table, i, SIDE), side) != 0 ||
                                 strcmp(ic_table_field(table, i, QUANTITY), quantity) != 0)) {
        i++;
    }
    return i;
}

/* Pass, a known erratum, or failure. */
static ic_verdict judge_entry(const ic_table *table, size_t i, const char *preset, const char *measured)
{
    const bool excepted = strcmp(ic_table_field(table, i, EXCEPTION), preset) == 0;
    if (strcmp(measured, ic_table_field(table, i, excepted ? THERE : PRINTED)) != 0) return IC_FAIL;
    return excepted ? IC_ERRATUM : IC_PASS;
}

typedef struct entry_tally {
    ic_verdict verdict;
    size_t events;
    double remainder;
    char detail[256];
} entry_tally;

/* A failure outweighs an erratum, which outweighs a pass. */
static ic_verdict worse_verdict(ic_verdict a, ic_verdict b)
{
    if (a == IC_FAIL || b == IC_FAIL) return IC_FAIL;
    return a == IC_ERRATUM ? a : b;
}

static void count_event(entry_tally *sum, const transition *e, const ic_table *table, const char *condition,
                        const char *side, const char *preset)
{
    const char *entries[QUANTITIES];
    const bool failed = sum->verdict == IC_FAIL; /* only the first failure is reported */
    size_t at = 0;
    sum->events++;
    const size_t first = find_entry(table, condition, side, quantities[DISTANCE]);
    describe_transition(entries, e, first < table->n_rows ? ic_table_field(table, first, PRINTED) : "");
    sum->remainder = fmax(sum->remainder, largest_remainder(e));
    for (int k = 0; k < QUANTITIES; k++) {
        const size_t i = find_entry(table, condition, side, quantities[k]);
        const ic_verdict verdict = i < table->n_rows ? judge_entry(table, i, preset, entries[k]) : IC_FAIL;
        const char *printed = verdict == IC_PASS ? "" : " (printed ", *close = verdict == IC_PASS ? "" : ")";
        const char *entry = i < table->n_rows ? ic_table_field(table, i, PRINTED) : "nothing";
        sum->verdict = worse_verdict(sum->verdict, verdict);
        if (failed) continue;
        const int length =
            snprintf(sum->detail + at, sizeof sum->detail - at, "%s%s %s%s%s%s", k == 0 ? "" : ", ",
                     quantities[k], entries[k], printed, verdict == IC_PASS ? "" : entry, close);
        at += length > 0 && at + (size_t)length < sizeof sum->detail ? (size_t)length : 0;
    }
}

/* ---- all events of a preset */

static transition transition_of(const ic_subject *subject, const ic_event *event)
{
    const bool starts = event->mode_to == CONTACT;
    transition e = {.before = limit_of(subject, event->mode_from, event->t, event->x_pre),
                    .after = limit_of(subject, event->mode_to, event->t, event->x_post)};
    const double *x = starts ? event->x_post : event->x_pre;
    e.force = contact_force(subject, event->t, x);
    const double spring = fabs(contact_force(subject, event->t, (const double[IC_MAX_STATES]){[X2] = x[X2]}));
    const double damper = fabs(contact_force(subject, event->t, (const double[IC_MAX_STATES]){[V2] = x[V2]}));
    set_tolerances(&e, subject, event->t, spring + damper);
    return e;
}

static ic_result new_row(const ic_subject *subject, const ic_preset *preset)
{
    ic_result row = ic_row("continuity", "", NULL, "");
    snprintf(row.subject, sizeof row.subject, "roller/%s", preset->name);
    if (subject != NULL) snprintf(row.solver, sizeof row.solver, "%s", subject->solver->name);
    return row;
}

static void check_side(ic_results *results, ic_subject *subject, const ic_log *orbit, const ic_table *table,
                       bool starts)
{
    const ic_preset *preset = subject->setup.preset;
    const char *side = starts ? "-" : "+";
    ic_result row = new_row(subject, preset);
    entry_tally sum = {.verdict = IC_PASS};
    for (size_t i = 0; i < ic_log_event_count(orbit); i++) {
        const ic_event event = ic_log_event_at(orbit, i);
        if ((event.mode_to == CONTACT) != starts || event.mode_from == event.mode_to) continue;
        const transition e = transition_of(subject, &event);
        count_event(&sum, &e, table, preset->variant, side, preset->name);
    }
    snprintf(row.what, sizeof row.what, "Table 1, %s%s: %s of contact", preset->variant, side,
             starts ? "start" : "end");
    snprintf(row.unit, sizeof row.unit, "1");
    snprintf(row.origin, sizeof row.origin,
             "largest jump of a continuous quantity, divided by the effect of the location of the event and of "
             "rounding");
    snprintf(row.detail, sizeof row.detail, "%s", sum.detail);
    row.error = sum.remainder;
    row.tolerance = 1;
    row.verdict = sum.verdict;
    if (row.verdict == IC_ERRATUM) { /* it is counted in errata.csv */
        snprintf(row.kind, sizeof row.kind, "%s", ic_kind_text(IC_KIND_EVIDENCE));
        snprintf(row.place, sizeof row.place, "Table 1");
    }
    if (sum.events == 0) {
        row = new_row(subject, preset);
        row.verdict = IC_SKIPPED;
        snprintf(row.what, sizeof row.what, "Table 1, %s%s", preset->variant, side);
        snprintf(row.detail, sizeof row.detail, "contact never %s in the steady state",
                 starts ? "starts" : "ends");
    }
    ic_results_add(results, &row);
}

/* Eq. (13): from separation to impact x_f falls by exp(-k/c (t - t+)). */
static void check_relaxation(ic_results *results, const ic_subject *subject, const ic_log *orbit)
{
    const ic_names names = {.system = subject->setup.problem.system, .par = subject->setup.par};
    const ic_preset *preset = subject->setup.preset;
    ic_result row = new_row(subject, preset);
    double rate = NAN;
    if (!ic_expression_number(&rate, "k/c", &names, NULL)) return;
    const size_t n = ic_log_event_count(orbit);
    for (size_t i = 0; i < n; i++) {
        /* the event before the first one of the orbit is its last one, a period earlier */
        const ic_event start = ic_log_event_at(orbit, i > 0 ? i - 1 : n - 1), end = ic_log_event_at(orbit, i);
        if (start.mode_to == CONTACT || end.mode_to != CONTACT) continue;
        const double flight = end.t - start.t + (i > 0 ? 0 : subject->orbit_problem.t_end);
        const double error = fabs(end.x_pre[X_F] / start.x_post[X_F] - exp(-rate * flight));
        row.error = isnan(row.error) ? error : fmax(row.error, error);
    }
    ic_row_accept(&row, &ic_tolerance_relaxation);
    snprintf(row.what, sizeof row.what, "Eq. (13): the compression relaxes freely in flight");
    snprintf(row.unit, sizeof row.unit, "1");
    ic_results_compare(results, row);
}

static void check_preset(ic_results *results, ic_claim_evaluator *evaluator, const ic_table *table,
                         const ic_preset *preset)
{
    ic_error error;
    ic_subject *subject = ic_claim_evaluator_subject(evaluator, IC_PATH("roller/%s", preset->name), &error);
    const ic_log *orbit = subject == NULL ? NULL : ic_subject_orbit(subject, &error);
    if (orbit == NULL) {
        ic_result row = new_row(subject, preset);
        snprintf(row.what, sizeof row.what, "Table 1");
        snprintf(row.detail, sizeof row.detail, "%.*s", (int)sizeof row.detail - 1, error.text);
        ic_results_add(results, &row);
        return;
    }
    check_side(results, subject, orbit, table, true);
    check_side(results, subject, orbit, table, false);
    if (strcmp(preset->variant, "D") == 0) check_relaxation(results, subject, orbit);
}

/* Whether the case is the one of this file, and the table has its conditions. */
static bool is_roller_case(const ic_case *roller)
{
    static const char *const names[] = {"x2", "v2", "x3", "v3", "x_f"};
    if (roller == NULL || roller->n_states != IC_COUNT(names) || strcmp(roller->parameters[M2].name, "m2") != 0)
        return false;
    for (size_t i = 0; i < IC_COUNT(names); i++) {
        if (strcmp(roller->states[i].name, names[i]) != 0) return false;
    }
    return strcmp(roller->variants[0].modes[CONTACT].name, "contact") == 0;
}

/* C* is not in the paper, and Case I has no events. */
static bool is_concerned(const ic_table *table, const ic_case *roller, const ic_preset *preset,
                         const ic_selection *selection)
{
    const bool in_table = find_entry(table, preset->variant, "-", quantities[DISTANCE]) < table->n_rows;
    return in_table && strncmp(preset->name, "I/", 2) != 0 && ic_selects_preset(selection, roller, preset) &&
           ic_selects_solver(selection, ic_accurate_solver(ic_variant_find(roller, preset->variant)));
}

void ic_continuity_judge(ic_results *results, const ic_selection *selection, const char *path, const char *text)
{
    const ic_case *roller = ic_case_find("roller");
    ic_claim_evaluator evaluator = {0};
    ic_table table;
    ic_error error;
    if (!is_roller_case(roller)) {
        ic_add_failure(results, "continuity", "", "Table 1 can be read",
                       "states, modes or parameters of the roller have changed");
    } else if (!ic_table_open(&table, path, text, columns, COLUMNS, &error)) {
        ic_add_failure(results, "continuity", "", "Table 1 can be read", error.text);
    } else {
        for (size_t i = 0; i < roller->n_presets; i++) {
            if (!is_concerned(&table, roller, &roller->presets[i], selection)) continue;
            check_preset(results, &evaluator, &table, &roller->presets[i]);
        }
        ic_table_close(&table);
    }
    ic_claim_evaluator_close(&evaluator);
}

static void run_check(ic_results *results, const ic_selection *selection)
{
    if (!ic_results_part(results)) return;
    ic_embedded_judge(results, selection, "continuity", "published/roller-table-1.csv", ic_continuity_judge);
}

const ic_check ic_check_continuity = {
    .name = "continuity",
    .meaning = "quantities that jump where contact starts and ends (Table 1 of the roller paper)",
    .run = run_check,
    .cost = 40,
};
