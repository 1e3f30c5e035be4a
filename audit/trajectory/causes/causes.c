/* SPDX-License-Identifier: MIT */
/* What all findings together say of the causes: each function is a line of causes.def. */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

/* What is known of a check: flags of ic_row_check_role. */
static bool has_role(const ic_finding *f, unsigned role)
{
    static const struct {
        const char *name;
        unsigned roles;
    } known[] = {
#define IC_ROW_CHECK(code_, id_, name_, needed_, roles_, ...) {name_, roles_},
#include "audit/trajectory/checks/checks.def"
#undef IC_ROW_CHECK
    };
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        if (strcmp(f->check->name, known[i].name) == 0) return (known[i].roles & role) != 0;
    }
    return false;
}

static void withdraw_cause(ic_findings *findings, ic_mistake_id cause)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].cause == cause) findings->rows[i].cause = IC_NO_MISTAKE;
    }
}

bool ic_is_reading(ic_mistake_id mistake)
{
    switch (mistake) {
    case IC_MISTAKE_UNITS_MIXED:
    case IC_MISTAKE_SIGN_REVERSED:
    case IC_MISTAKE_COLUMNS_EXCHANGED:
    case IC_MISTAKE_ORIGIN_SHIFTED:
    case IC_MISTAKE_TIME_SHIFTED:
    case IC_MISTAKE_CLOCK_WRONG:
    case IC_MISTAKE_STALE_STATE:
    case IC_MISTAKE_STALE_TIME:
    case IC_MISTAKE_VELOCITY_STAGGERED: return true;
    default: return false;
    }
}

bool ic_misread(const ic_findings *findings)
{
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (ic_is_reading(f->cause)) return true;
    }
    return false;
}

/* Whether a cause is a wrong model, which explains wrong energy and events. */
static bool is_of_model(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_PARAMETER_WRONG || cause == IC_MISTAKE_DRAG_ADDED ||
           cause == IC_MISTAKE_DAMPING_FACTOR_TWO || cause == IC_MISTAKE_DAMPING_SIGN ||
           cause == IC_MISTAKE_GRAVITY_SIGN || cause == IC_MISTAKE_TERM_MISSING ||
           cause == IC_MISTAKE_COUPLING_LOST || cause == IC_MISTAKE_FRICTIONLESS;
}

static bool is_of_restitution(ic_mistake_id cause)
{
    return cause == IC_MISTAKE_RESTITUTION_WRONG || cause == IC_MISTAKE_RESTITUTION_IGNORED ||
           cause == IC_MISTAKE_RESTITUTION_SQUARED || cause == IC_MISTAKE_RESTITUTION_THRESHOLD;
}

/* A cause, and symptoms that it explains: these are then no causes of their own. */
typedef struct explanation {
    /* IC_NO_MISTAKE: any that the check `law` names */
    ic_mistake_id cause;

    ic_mistake_id symptoms[8];
} explanation;

static const explanation explanations[] = {
    {IC_NO_MISTAKE,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_ROW_CORRUPTED, IC_MISTAKE_RESTITUTION_WRONG,
      IC_MISTAKE_FALLS_THROUGH, IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_RESTITUTION_IGNORED,
      IC_MISTAKE_PARAMETER_WRONG}},
    {IC_MISTAKE_ANOTHER_HYPOTHESIS,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_RESTITUTION_IGNORED,
      IC_MISTAKE_ROW_CORRUPTED, IC_MISTAKE_PARAMETER_WRONG}},
    {IC_MISTAKE_FRICTIONLESS,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_ROW_CORRUPTED,
      IC_MISTAKE_PARAMETER_WRONG}},
    {IC_MISTAKE_FRICTION_REVERSES_SLIP,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_ROW_CORRUPTED,
      IC_MISTAKE_PARAMETER_WRONG}},
    {IC_MISTAKE_MOMENTUM_LOST,
     {IC_MISTAKE_FALLS_THROUGH, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_RESTITUTION_IGNORED,
      IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_ROW_CORRUPTED, IC_MISTAKE_COUPLING_LOST}},
    {IC_MISTAKE_ROWS_GARBAGE,
     {IC_MISTAKE_CONTACT_SOFT, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_IMPACTS_UNEQUAL,
      IC_MISTAKE_FALLS_THROUGH, IC_MISTAKE_MOMENTUM_LOST, IC_MISTAKE_ROW_CORRUPTED, IC_MISTAKE_ENERGY_APPEARS}},
    {IC_MISTAKE_POSITION_JUMPS, {IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_IMPACTS_UNEQUAL}},
    {IC_MISTAKE_COUPLING_LOST, {IC_MISTAKE_PARAMETER_WRONG, IC_MISTAKE_RESTITUTION_WRONG}},
    {IC_MISTAKE_ANOTHER_VARIANT,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_PARAMETER_WRONG, IC_MISTAKE_RESTITUTION_WRONG,
      IC_MISTAKE_ROW_CORRUPTED}},
    {IC_MISTAKE_ANOTHER_CONDITION,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_ROW_CORRUPTED}},
    {IC_MISTAKE_ADHESION_KEPT, {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_ROW_CORRUPTED}},
    {IC_MISTAKE_RESTITUTION_WRONG, {IC_MISTAKE_FALLS_THROUGH, IC_MISTAKE_ROW_CORRUPTED}},
    {IC_MISTAKE_DRAG_ADDED,
     {IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_MOMENTUM_LOST, IC_MISTAKE_PARAMETER_WRONG,
      IC_MISTAKE_ROW_CORRUPTED}},
    {IC_MISTAKE_ORIGIN_SHIFTED,
     {IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_RESTITUTION_IGNORED, IC_MISTAKE_IMPACTS_UNEQUAL,
      IC_MISTAKE_PARAMETER_WRONG}},
    {IC_MISTAKE_CONTACT_SOFT,
     {IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_RESTITUTION_IGNORED, IC_MISTAKE_IMPACTS_UNEQUAL,
      IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_PARAMETER_WRONG, IC_MISTAKE_ROW_CORRUPTED}},
    {IC_MISTAKE_LINEAR_EVENT_LOCATION,
     {IC_MISTAKE_PARAMETER_WRONG, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_IMPACTS_UNEQUAL}},
    {IC_MISTAKE_WALL_VELOCITY, {IC_MISTAKE_PARAMETER_WRONG, IC_MISTAKE_RESTITUTION_WRONG}},
    {IC_MISTAKE_NO_EVENT_LOCATION, {IC_MISTAKE_IMPACTS_UNEQUAL, IC_MISTAKE_IMPACT_INVENTED}},
    {IC_MISTAKE_STALE_STATE,
     {IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_COARSE_STEPS, IC_MISTAKE_MOMENTUM_LOST,
      IC_MISTAKE_IMPACT_INVENTED, IC_MISTAKE_RESTITUTION_WRONG, IC_MISTAKE_PARAMETER_WRONG}},
    {IC_MISTAKE_RESTS_BELOW_SURFACE, {IC_MISTAKE_NO_EVENT_LOCATION, IC_MISTAKE_FALLS_THROUGH}},
    {IC_MISTAKE_RESTITUTION_WRONG, {IC_MISTAKE_DRIFTS_AT_REST}},
    {IC_MISTAKE_DRIFTS_AT_REST, {IC_MISTAKE_FALLS_THROUGH}},
    {IC_MISTAKE_PARAMETER_WRONG,
     {IC_MISTAKE_ENERGY_APPEARS, IC_MISTAKE_ROW_CORRUPTED, IC_MISTAKE_FALLS_THROUGH,
      IC_MISTAKE_IMPACT_INVENTED}},
};

/* A coefficient that is a power of the given one is a wrong coefficient. */
static bool is_same(ic_mistake_id cause, ic_mistake_id listed)
{
    return cause == listed ||
           (cause == IC_MISTAKE_RESTITUTION_SQUARED && listed == IC_MISTAKE_RESTITUTION_WRONG);
}

void ic_cause_alone(ic_findings *findings, ic_finding *own, ic_mistake_id cause)
{
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) f->cause = IC_NO_MISTAKE;
    own->cause = cause;
}

static bool is_of_law(const ic_finding *f)
{
    return strcmp(f->check->name, "law") == 0;
}

static bool is_found(const ic_findings *findings, const explanation *e)
{
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (f->cause == IC_NO_MISTAKE) continue;
        if (e->cause == IC_NO_MISTAKE ? is_of_law(f) : is_same(f->cause, e->cause)) return true;
    }
    return false;
}

/* The check that explains others keeps its cause. */
static void withdraw_symptom(ic_findings *findings, const explanation *e, ic_mistake_id symptom)
{
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        const bool own = e->cause == IC_NO_MISTAKE && is_of_law(f);
        if (is_same(f->cause, symptom) && !own) f->cause = IC_NO_MISTAKE;
    }
}

void ic_cause_before_symptoms(ic_findings *findings, const ic_tracking *k)
{
    ic_finding *rows = ic_findings_find(findings, ic_row_check_rows.name);
    /* nothing but the intervals beside single rows is unexplained */
    if (rows != NULL && rows->cause == IC_MISTAKE_ROW_CORRUPTED &&
        (double)ic_tracking_count(k, IC_UNEXPLAINED) <= 2 * rows->measured)
        ic_cause_alone(findings, rows, IC_MISTAKE_ROW_CORRUPTED);
    for (size_t i = 0; i < IC_COUNT(explanations); i++) {
        if (!is_found(findings, &explanations[i])) continue;
        for (size_t s = 0; s < IC_COUNT(explanations[i].symptoms); s++) {
            if (explanations[i].symptoms[s] != IC_NO_MISTAKE)
                withdraw_symptom(findings, &explanations[i], explanations[i].symptoms[s]);
        }
    }
}

static ic_finding *parameters_of(const ic_findings *findings)
{
    return ic_findings_find(findings, ic_row_check_parameters.name);
}

/*
 * Opens findings that are measured with the parameters of the case if the rows follow another one; and a fitted
 * coefficient that the impacts themselves contradict.
 */
void ic_cause_parameters(ic_findings *findings, const ic_tracking *k)
{
    (void)k;
    ic_finding *own = parameters_of(findings);
    const ic_finding *measured = ic_findings_find(findings, "restitution"),
                     *times = ic_findings_find(findings, ic_row_check_event_times.name);
    if (is_of_restitution(own->cause) && measured != NULL && measured->verdict == IC_FINDING_PASS &&
        own->measured > measured->tolerance) {
        ic_finding_leave_open(
            own, "the impacts show the case's coefficient, spans with impacts at other times another");
        return;
    }
    if (own->cause != IC_MISTAKE_PARAMETER_WRONG) return;
    if (findings->rows[0].verdict == IC_FINDING_PASS && times != NULL && times->verdict == IC_FINDING_FAIL &&
        times->cause != IC_NO_MISTAKE) {
        ic_finding_leave_open(own,
                              "the flow is the case's, and events at other times look like another parameter");
        return;
    }
    if (is_of_model(findings->rows[0].cause)) own->cause = findings->rows[0].cause;
    for (ic_finding *f = &findings->rows[0]; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (is_of_restitution(f->cause))
            ic_finding_leave_open(f, "measured with the case's parameters, one of which differs");
    }
}

/* An impact that changes the momentum has no coefficient of restitution. */
void ic_cause_no_coefficient(ic_findings *findings, const ic_tracking *k)
{
    (void)k;
    ic_finding *own = parameters_of(findings);
    bool lost = false;
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;)
        lost |= f->cause == IC_MISTAKE_MOMENTUM_LOST;
    if (!lost || own->verdict != IC_FINDING_FAIL || !is_of_restitution(own->cause)) return;
    ic_finding_describe(own, "%s", "");
    own->measured = NAN;
    ic_finding_leave_open(own, "impacts that change the momentum have no coefficient of restitution");
}

/* Says beside parameters that agree with the case that they do not explain a failure. */
void ic_cause_none_explains(ic_findings *findings, const ic_tracking *k)
{
    (void)k;
    ic_finding *own = parameters_of(findings);
    if (own->verdict == IC_FINDING_PASS && ic_findings_with(findings, IC_FINDING_FAIL) > 0)
        ic_finding_append(own, "; no parameter explains the failure");
}

/* Whether the first finding of a check passes. */
static bool passes(const ic_findings *findings, const char *check)
{
    const ic_finding *f = ic_findings_find(findings, check);
    return f != NULL && f->verdict == IC_FINDING_PASS;
}

/* Withdraws a cause that other checks exclude: events that are right and on time are located well. */
void ic_cause_excluded(ic_findings *findings, const ic_tracking *k)
{
    ic_finding *times = ic_findings_find(findings, "event-times");
    if (passes(findings, "events") && passes(findings, "event-times"))
        withdraw_cause(findings, IC_MISTAKE_NO_EVENT_LOCATION);
    /* a few late events are of another parameter if nothing else is wrong */
    if (times != NULL && times->cause == IC_MISTAKE_IMPACTS_UNEQUAL &&
        (k->is_again || ic_findings_with(findings, IC_FINDING_FAIL) > 1))
        times->cause = IC_NO_MISTAKE;
}

/*
 * In tolerances of the energy drift: correct programs with 20 to 200 steps per fall reach at most
 * 1.2.
 */
#define RESTITUTION_OFF 1.5
/* Relative to the momentum's range: correct programs with 30 steps per typical time reach 0.018. */
#define MOMENTUM_OFF 0.05

/* Whether a finding is too large for coarse steps. */
static bool is_too_far_off(const ic_finding *f)
{
    if (strcmp(f->check->name, "restitution") == 0) return f->measured > RESTITUTION_OFF * f->tolerance;
    return strcmp(f->check->name, "momentum") == 0 && f->measured > MOMENTUM_OFF;
}

/*
 * If the steps are so coarse that the flow differs from that of the case, comparisons with the flow
 * decide nothing, and the steps are the cause.
 */
static void leave_open_what_is_coarse(ic_findings *findings)
{
    for (ic_finding *f = &findings->rows[0]; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (has_role(f, IC_OF_POSITIONS)) continue;
        if (strcmp(f->check->name, "state-error") == 0 || strcmp(f->check->name, "energy") == 0) {
            f->cause = IC_MISTAKE_COARSE_STEPS;
            continue;
        }
        if (is_too_far_off(f)) {
            if (strcmp(f->check->name, "momentum") == 0) f->cause = IC_MISTAKE_MOMENTUM_LOST;
            continue;
        }
        ic_finding_leave_open(f, "the steps are too coarse to decide; finer ones would");
    }
}

/* Whether another check has failed, so that steps alone do not explain the state error. */
static bool has_other_cause(const ic_findings *findings)
{
    for (ic_finding *f = &findings->rows[0]; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (!has_role(f, IC_OF_STEPS)) return true;
    }
    return false;
}

/* Name coarse steps as the cause of small defects that accumulate. */
void ic_cause_steps(ic_findings *findings, const ic_tracking *k)
{
    char detail[256] = "";
    bool sought = false, found = false;
    if (findings->rows[0].verdict == IC_FINDING_FAIL) return;
    for (ic_finding *f = &findings->rows[0]; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (!has_role(f, IC_OF_STEPS)) continue; /* Each step may pass. */
        if (strcmp(f->check->name, "state-error") == 0 && has_other_cause(findings)) continue;
        if (!sought) found = ic_find_coarse_steps(k, detail, sizeof detail);
        sought = true;
        if (!found) return;
        f->cause = IC_MISTAKE_COARSE_STEPS;
        ic_finding_append(f, ". %s", detail);
    }
}

/* If the file is misread, the other checks decide nothing. */
void ic_cause_misread(ic_findings *findings, const ic_tracking *k)
{
    (void)k;
    const ic_mistake_id cause = findings->rows[0].cause;
    if (cause == IC_MISTAKE_COARSE_STEPS) {
        leave_open_what_is_coarse(findings);
        return;
    }
    if (is_of_model(cause)) {
        withdraw_cause(findings, IC_MISTAKE_ENERGY_APPEARS);
        withdraw_cause(findings, IC_MISTAKE_NO_EVENT_LOCATION);
        for (size_t i = 1; i < findings->count; i++) {
            if (findings->rows[i].cause != IC_MISTAKE_ROW_CORRUPTED) continue;
            findings->rows[i].verdict = IC_FINDING_OPEN;
            findings->rows[i].cause = IC_NO_MISTAKE;
        }
        return;
    }
    for (size_t i = 1; i < findings->count && ic_is_reading(cause); i++) {
        ic_finding *f = &findings->rows[i];
        ic_finding_leave_open(f, "the file must first be read correctly: %s", ic_mistake_name(cause));
    }
}

/*
 * Opens failures of very few rows, which may be caused by noise that so few rows do not determine.
 */
void ic_cause_too_short(ic_findings *findings, const ic_tracking *k)
{
    if (k->n_intervals >= IC_LEAST_INTERVALS) return;
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        f->verdict = IC_FINDING_OPEN;
        f->cause = IC_NO_MISTAKE;
        ic_finding_append(f, "%s%zu intervals do not determine their noise: at least %d are needed",
                          f->detail[0] != '\0' ? "; " : "", k->n_intervals, IC_LEAST_INTERVALS);
    }
}

/* Whether rounded times may change the states by a tolerance, by way of the memory of the contact. */
static bool times_hide_memory(const ic_tracking *k)
{
    bool remembers = false;
    for (size_t j = 0; j < k->trajectory->n_states; j++)
        remembers |= ic_is_memory(k, j) && !ic_state_is_discrete(k->problem->system, j);
    return remembers && ic_times_are_rounded(k) && ic_tolerance_memory_gain.value * k->slack > k->accept;
}

void ic_cause_times_hide(ic_findings *findings, const ic_tracking *k)
{
    bool explained = false; /* rounding does at random what one value of a parameter explains */
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;)
        explained |= ic_is_of_parameter(f);
    if (explained || !times_hide_memory(k)) return;
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;)
        ic_finding_leave_open(
            f, "times are rounded, and the memory of the contact with them: print t with 15 digits or more");
}

/* Per cent of wrong intervals that noise does not explain. */
#define MOST_WRONG 20.0

/*
 * With many noisy states, noise may make some intervals wrong. The needed checks are then open too.
 */
void ic_cause_rough(ic_findings *findings, const ic_tracking *k)
{
    if (!ic_noise_is_rough(k) || findings->count == 0 || findings->rows[0].measured > MOST_WRONG) return;
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (!has_role(f, IC_OF_NOISE)) continue;
        ic_finding_leave_open(
            f, "the effect of noise in %zu states on events is not predictable; less noise would decide",
            k->trajectory->n_states);
    }
}

/* Rows for each typical time that show its velocities. */
#define ROWS_FOR_DIFFERENCES 8.0

/*
 * Velocities from differences are wrong beside events that the rows do not resolve. If they are far from the case
 * nearly everywhere, the case is another one, unless states that the file lacks have been followed by these velocities;
 * energies of flights and positions have tolerances of their own.
 */
void ic_cause_differences(ic_findings *findings, const ic_tracking *k)
{
    if (!ic_has_source(k, IC_FROM_DIFFERENCES)) return;
    const bool far_apart = ROWS_FOR_DIFFERENCES * k->spacing > k->time_scale;
    for (size_t i = 0; i < findings->count; i++) {
        ic_finding *f = &findings->rows[i];
        if (i == 0 && far_apart && f->verdict == IC_FINDING_PASS)
            ic_finding_leave_open(
                f,
                "rows %.3g s apart do not show velocities by differences: columns with velocities "
                "would decide",
                k->spacing);
        if (f->verdict != IC_FINDING_FAIL || f->check == &ic_row_check_restitution_of_bounces ||
            f->check == &ic_row_check_penetration || f->check == &ic_row_check_across ||
            (!far_apart && findings->rows[0].measured > MOST_WRONG))
            continue;
        ic_finding_leave_open(
            f, "velocities from differences are uncertain beside events: columns with velocities, or "
               "closer rows, would decide");
    }
}

/* Names events at the ends of steps, or on their chords, where the motion between them is the case's. */
void ic_cause_late(ic_findings *findings, const ic_tracking *k)
{
    char detail[256] = "";
    ic_finding *own = ic_findings_find(findings, "events"), *parameters = parameters_of(findings);
    if (own == NULL || own->verdict != IC_FINDING_FAIL) own = ic_findings_find(findings, "event-times");
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        const bool named = f->cause == IC_MISTAKE_NO_EVENT_LOCATION && parameters->verdict == IC_FINDING_FAIL;
        if (ic_is_specific(f->cause) && !ic_is_of_parameter(f) && !named) return;
    }
    if (own == NULL || own->verdict != IC_FINDING_FAIL || findings->rows[0].verdict == IC_FINDING_FAIL) return;
    ic_mistake_id cause = IC_NO_MISTAKE;
    if (passes(findings, "local-defect") && ic_find_late_events(k, detail, sizeof detail))
        cause = IC_MISTAKE_NO_EVENT_LOCATION;
    else if (!ic_is_of_parameter(parameters) && !ic_noise_hides(k))
        cause = ic_find_moved_impacts(k, detail, sizeof detail);
    if (cause == IC_NO_MISTAKE) return;
    ic_cause_alone(findings, own, cause);
    ic_finding_append(own, ". %s", detail);
    if (parameters->verdict == IC_FINDING_FAIL)
        ic_finding_leave_open(parameters, "late events look like another parameter");
}

/* Rounding of a velocity that is a difference, relative to its range; and how many rows have such a one. */
#define DIFFERENCE_ROUNDING 1e-9
#define NEARLY_ALL 0.99

/* A change of a velocity from row to row that is a jump, relative to its range. */
#define JUMP 0.2

/* A difference of the third order that rounding of a velocity does not make, in roundings. */
#define CURVES 100

/*
 * Whether the file's velocity v is the central difference of its positions, also where these have a corner, or where
 * they are no parabola, of which this would be the velocity.
 */
static bool is_differenced(const ic_tracking *k, size_t v)
{
    const ic_trajectory *tr = k->trajectory;
    const size_t n = tr->n_states, x = ic_position_of(k->problem, v);
    size_t seen = 0, alike = 0, corners = 0, curves = 0;
    if (x >= n || tr->source[x] != IC_FROM_FILE || tr->source[v] != IC_FROM_FILE || tr->n < 3) return false;
    for (size_t i = 1; i + 1 < tr->n; i++) {
        const double dt = tr->t[i + 1] - tr->t[i - 1], share = (tr->t[i] - tr->t[i - 1]) / dt;
        if (!(share > 0.1 && share < 0.9)) continue; /* both rows of an event */
        const double here = tr->x[i * n + x], next = tr->x[(i + 1) * n + x], before = tr->x[(i - 1) * n + x];
        const double rounding =
            DIFFERENCE_ROUNDING * k->range[v] + 2 * k->rounding[v] + 4 * k->rounding[x] / dt;
        const bool is = fabs(tr->x[i * n + v] - (next - before) / dt) <= rounding;
        const double bend = fabs(ic_row_off_line(tr, i, x)) / (share * (1 - share));
        const bool corner = bend > dt * JUMP * k->range[v];
        if (corner && !is) return false;
        const bool even = i + 2 < tr->n && fabs(share - 0.5) < 1e-6 &&
                          fabs(2 * (tr->t[i + 2] - tr->t[i + 1]) / dt - 1) < 1e-6;
        const double third = even ? tr->x[(i + 2) * n + x] - 3 * next + 3 * here - before : 0;
        seen++;
        alike += is;
        corners += corner;
        curves += is && fabs(third) > CURVES * dt * rounding;
    }
    return (corners > 1 || 2 * curves > tr->n) && (double)alike >= NEARLY_ALL * (double)seen;
}

void ic_cause_differenced(ic_findings *findings, const ic_tracking *k)
{
    ic_finding *own = ic_findings_next_failed(findings, NULL), *parameters = parameters_of(findings);
    size_t v = 0;
    while (v < k->trajectory->n_states && own != NULL && !is_differenced(k, v)) v++;
    if (own == NULL || v == k->trajectory->n_states) return;
    ic_cause_alone(findings, own, IC_MISTAKE_VELOCITY_DIFFERENCED);
    if (parameters->verdict == IC_FINDING_FAIL) ic_finding_leave_open(parameters, "velocities are differences");
}

/* Names the time-stepping scheme whose impacts fail. */
void ic_cause_time_stepping(ic_findings *findings, const ic_tracking *k)
{
    char detail[256] = "";
    ic_mistake_id scheme = IC_NO_MISTAKE;
    bool sought = false;
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (!has_role(f, IC_OF_TIMES_OF_IMPACTS)) continue;
        if (!sought && ic_misread(findings)) return;
        if (!sought) scheme = ic_find_time_stepping(k, detail, sizeof detail);
        if (scheme == IC_NO_MISTAKE) return;
        if (!sought) ic_finding_append(f, "%s%s", f->detail[0] != '\0' ? ". " : "", detail);
        sought = true;
        f->cause = scheme;
    }
}
