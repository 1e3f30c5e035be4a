/* SPDX-License-Identifier: MIT */
/*
 * The restitution in effect of any case with a coefficient of restitution: by the rows on both sides of an impact, or,
 * with one impact between two rows, after which the state is affine in e, by two predictions of the second row.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_IMPACTS = 400 };
/* Accepted misfit of the best coefficient, in tolerances. */
#define LEFT 1.0
#define OTHER 0.1 /* a second coefficient */
/* The deviation of a median divided by that of the mean. */
#define OF_A_MEDIAN 1.25

typedef struct impacts {
    double e[MOST_IMPACTS], deviation[MOST_IMPACTS];
    size_t n;
} impacts;

/*
 * The coefficient by least squares over the second row; NAN: not a single impact, or no dependence
 * on e.
 */
static double coefficient(double *deviation, const ic_tracking *k, const ic_interval *interval,
                          ic_predictor *predictor, double *par, size_t e)
{
    const ic_trajectory *tr = k->trajectory;
    const double *goal = &tr->x[interval->to * tr->n_states], given = par[e];
    const double second = given > 0.5 ? given - OTHER : given + OTHER;
    double x[IC_MAX_STATES], along = 0, square = 0, all = 0;
    ic_prediction here, other;
    ic_interval_state_in(x, k, interval, interval->tracked);
    ic_predict(&here, predictor, true, tr->t[interval->from], x, interval->tracked, tr->t[interval->to]);
    par[e] = second;
    ic_predict(&other, predictor, true, tr->t[interval->from], x, interval->tracked, tr->t[interval->to]);
    par[e] = given;
    if (!here.good || !other.good || here.events != 1 || other.events != 1) return NAN;
    for (size_t j = 0; j < tr->n_states; j++) {
        if (tr->source[j] == IC_FROM_TRACKING) continue;
        const double weight = 1 / (k->tolerance[j] * k->tolerance[j]),
                     slope = (other.x[j] - here.x[j]) / (second - given);
        along += weight * slope * (goal[j] - here.x[j]);
        square += weight * slope * slope;
        all += weight * (goal[j] - here.x[j]) * (goal[j] - here.x[j]);
    }
    /*
     * If every coefficient has a misfit, the reason is another one: a late impact, or lost
     * momentum.
     */
    if (all - along * along / square > LEFT * LEFT) return NAN;
    /*
     * Tolerances contain ic_tolerance_noise deviations. An impact that moves no state by a
     * tolerance decides nothing.
     */
    *deviation = 1 / sqrt(square) / ic_tolerance_noise.value;
    return square * OTHER * OTHER > 1 ? given + along / square : NAN;
}

/*
 * The coefficient by two rows of one time, the states before and after an impact of the case: the ratio of the rates of
 * its guard. NAN: there are none in the interval, or the case's own coefficient is another ratio.
 */
static double coefficient_of_pair(double *deviation, const ic_tracking *k, const ic_interval *interval,
                                  double given)
{
    const ic_trajectory *tr = k->trajectory;
    const ic_mode *mode = &k->problem->variant->modes[interval->tracked];
    for (size_t row = interval->from + 1; row + 1 < interval->to; row++) {
        const double t = tr->t[row], *x = &tr->x[row * tr->n_states];
        if (t != tr->t[row + 1]) continue;
        for (size_t g = 0; g < mode->n_guards; g++) {
            const ic_guard *guard = &mode->guards[g], rate = {.value = guard->rate};
            double own[IC_MAX_STATES];
            memcpy(own, x, tr->n_states * sizeof *x);
            if (guard->rate == NULL || guard->jump.apply == NULL ||
                guard->jump.apply(own, t, x, k->problem->par) < 0)
                continue;
            const double before = guard->rate(t, x, k->problem->par),
                         after = guard->rate(t, own, k->problem->par);
            if (!(before * guard->direction > 0) || fabs(after + given * before) > 1e-9 * fabs(before))
                continue;
            *deviation =
                (1 + given) * ic_guard_tolerance(k, &rate, t, x) / fabs(before) / ic_tolerance_noise.value;
            return -guard->rate(t, x + tr->n_states, k->problem->par) / before;
        }
    }
    return NAN;
}

static void measure_impacts(impacts *all, const ic_tracking *k, const ic_problem *problem, double *par,
                            size_t e)
{
    ic_predictor predictor;
    if (!ic_predictor_open(&predictor, problem, problem->variant)) return;
    for (size_t i = 0; i < k->n_intervals && all->n < MOST_IMPACTS; i++) {
        const ic_interval *interval = &k->intervals[i];
        const double by_pair =
            interval->tracked < 0 ? NAN : coefficient_of_pair(&all->deviation[all->n], k, interval, par[e]);
        if (isfinite(by_pair)) {
            all->e[all->n++] = by_pair;
            continue;
        }
        /* Rows without an impact have no coefficient here. */
        const bool has_it = interval->explanation == IC_BY_GUARDS && !interval->doubtful;
        if (!interval->due || !(has_it || interval->explanation == IC_UNEXPLAINED)) continue;
        const double value = coefficient(&all->deviation[all->n], k, interval, &predictor, par, e);
        if (isfinite(value)) all->e[all->n++] = value;
    }
}

static void add_finding(ic_findings *findings, const ic_tracking *k, impacts *all, double wanted)
{
    /* impacts that determine e better have more weight */
    ic_weighted values[MOST_IMPACTS];
    double weights = 0, spread[MOST_IMPACTS];
    for (size_t i = 0; i < all->n; i++) {
        const double weight = 1 / (all->deviation[i] * all->deviation[i]);
        values[i] = (ic_weighted){all->e[i], weight};
        weights += weight;
    }
    const double typical = ic_weighted_median(values, all->n);
    for (size_t i = 0; i < all->n; i++) spread[i] = fabs(all->e[i] - typical) / all->deviation[i];
    enum { FEW = 4 }; /* fewer values do not determine a spread */
    const double beside = all->n < FEW ? 1 : fmax(1, ic_audit_median(spread, all->n) / IC_NORMAL_MEDIAN),
                 scatter = OF_A_MEDIAN * beside / sqrt(weights);
    ic_finding f =
        ic_finding_of(&ic_row_check_restitution, k, fabs(typical - wanted),
                      ic_tolerance_restitution.value * k->accept + ic_tolerance_noise.value * scatter, "1");
    ic_finding_set_origin(&f, "%s in %zu impacts' coefficients",
                          ic_accuracy_origin(&ic_tolerance_restitution, k->accept).text, all->n);
    if (all->n == 0) {
        f.measured = f.tolerance = NAN;
        ic_finding_leave_open(
            &f,
            "no impact shows a coefficient: that needs two rows with one impact between them, after which every "
            "state is as one coefficient makes it");
    } else {
        ic_finding_describe(&f, "%zu impacts; typical e = %.5g, expected %.5g", all->n, typical, wanted);
    }
    if (f.verdict == IC_FINDING_FAIL) f.cause = ic_restitution_mistake(typical, wanted, f.tolerance);
    ic_leave_open_what_hides_e(&f, k, f.tolerance);
    ic_findings_add(findings, &f);
}

void ic_leave_open_what_hides_e(ic_finding *f, const ic_tracking *k, double tolerance)
{
    const double accepted = ic_tolerance_restitution.value * k->accept, noise = tolerance - accepted,
                 most = ic_tolerance_noise_hides.value;
    const char *remedy = accepted <= most && accepted <= noise ? "less noise, or more rows near the impacts,"
                         : noise <= most
                             ? "a smaller --accept"
                             : "a smaller --accept with less noise, or with more rows near the impacts,";
    if (f->verdict == IC_FINDING_PASS && tolerance > most)
        ic_finding_leave_open(f, "e is known only to %.3g; %s would decide", tolerance, remedy);
}

void ic_audit_impacts(ic_findings *findings, const ic_tracking *k)
{
    const ic_case *system = k->problem->system;
    const ic_contact_view *view = system->contact;
    ic_bouncing_body body;
    /*
     * Bounces of one body have a check of their own, which also examines slow ones. Cases with laws
     * have no impacts.
     */
    if (view == NULL || view->restitution == NULL || k->problem->variant->law != NULL ||
        ic_bouncing_body_of(&body, k))
        return;
    const size_t e = ic_parameter_find(system, view->restitution);
    ic_problem problem = *k->problem;
    double *par = ic_own_parameters(&problem);
    impacts all = {.n = 0};
    if (par == NULL) {
        findings->no_memory = true;
        return;
    }
    measure_impacts(&all, k, &problem, par, e);
    add_finding(findings, k, &all, par[e]);
    free(par);
}
