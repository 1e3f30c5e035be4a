/* SPDX-License-Identifier: MIT */
/*
 * For unexplained rows of a case whose modes slip either way and stick: friction that does not stick. With the flows
 * f+ and f- of both slips, steps follow f+ or f- by the sign of the slip s, or rows the flow
 *
 *     (f+ + f-)/2 + tanh(s/width) (f+ - f-)/2
 */
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <string.h>

enum { MOST_ASKED = 40, LEAST = 6, WIDTHS = 16, SECTIONS = 16 };

/* The widths that are tried first are powers of this, relative to the range of the slip. */
#define NARROWER 0.4
/* The width at which tanh is the sign. */
#define NO_WIDTH 1e-300
/* Share of the intervals that a width explains; defects beyond the last number are alike. */
#define EXPLAINED 0.8
#define FAR_OFF 1e6

typedef double function_of_state(double t, const double *x, const double *par);

/* Two modes that slip either way, and what is their slip. */
typedef struct smooth {
    const ic_mode *forwards, *backwards;
    function_of_state *slip;
    size_t n;

    /* of the slip */
    double width;
} smooth;

/* A flow is called with the state alone. */
static _Thread_local const smooth *acting;

static void smooth_flow(double *dxdt, double t, const double *x, const double *par)
{
    double other[IC_MAX_STATES] = {0};
    const double part = 0.5 * (1 + tanh(acting->slip(t, x, par) / acting->width));
    acting->forwards->flow(dxdt, t, x, par);
    acting->backwards->flow(other, t, x, par);
    for (size_t j = 0; j < acting->n; j++) dxdt[j] = other[j] + part * (dxdt[j] - other[j]);
}

/* The direction of the slip's zero at which a mode leaves for a sticking one: -1 falling, 1 rising; 0: there is none. */
static int leaves_slip(const ic_tracking *k, const ic_mode *mode, int sticks, function_of_state *slip)
{
    const ic_trajectory *tr = k->trajectory;
    const double *par = k->problem->par, *x = &tr->x[tr->n / 2 * tr->n_states], t = tr->t[tr->n / 2];
    const double s = slip(t, x, par);
    for (size_t g = 0; g < mode->n_guards; g++) {
        const ic_guard *guard = &mode->guards[g];
        const double value = guard->value(t, x, par);
        if (!ic_jump_leads_to(&guard->jump, sticks) || s == 0) continue;
        if (fabs(fabs(value) - fabs(s)) <= 1e-9 * fabs(s))
            return value * s > 0 ? guard->direction : -guard->direction;
    }
    return 0;
}

/* Finds a mode that sticks, whose slip is 0, and those that slip. */
static bool find_friction(smooth *f, const ic_tracking *k)
{
    const ic_variant *variant = k->problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        for (size_t i = 0; i < variant->modes[m].n_invariants; i++) {
            const ic_invariant *kept = &variant->modes[m].invariants[i];
            *f = (smooth){.slip = kept->value, .n = k->trajectory->n_states};
            if (kept->side != 0 || strstr(kept->unit, "/s") == NULL) continue;
            for (size_t other = 0; other < variant->n_modes; other++) {
                const int side = leaves_slip(k, &variant->modes[other], (int)m, kept->value);
                if (side < 0) f->forwards = &variant->modes[other];
                if (side > 0) f->backwards = &variant->modes[other];
            }
            if (f->forwards != NULL && f->backwards != NULL) return true;
        }
    }
    return false;
}

/* A case that slips so in all modes, and the intervals asked. */
typedef struct search {
    const ic_tracking *k;
    smooth friction;
    ic_mode modes[IC_PREDICT_MODES];
    ic_variant variant;
    ic_problem problem;
    ic_predictor predictor;
    size_t asked[MOST_ASKED], n;
} search;

static bool open_search(search *s, const ic_tracking *k)
{
    size_t wrong = 0, seen = 0;
    *s = (search){.k = k, .variant = *k->problem->variant, .problem = *k->problem};
    if (s->variant.n_modes > IC_PREDICT_MODES || !find_friction(&s->friction, k)) return false;
    for (size_t m = 0; m < s->variant.n_modes; m++)
        s->modes[m] = (ic_mode){.name = k->problem->variant->modes[m].name, .flow = smooth_flow};
    s->variant.modes = s->modes;
    s->problem.variant = &s->variant;
    for (size_t i = 0; i < k->n_intervals; i++) wrong += k->intervals[i].explanation != IC_BY_GUARDS;
    for (size_t i = 0; i < k->n_intervals; i++) {
        if (k->intervals[i].explanation == IC_BY_GUARDS) continue;
        if (seen++ * MOST_ASKED >= s->n * wrong && s->n < MOST_ASKED) s->asked[s->n++] = i;
    }
    return s->n >= LEAST && ic_predictor_open(&s->predictor, &s->problem, &s->variant);
}

/* The mean logarithm of the defects with a width; *right receives how many intervals it explains. */
static double misfit(search *s, double width, size_t *right)
{
    const ic_trajectory *tr = s->k->trajectory;
    double sum = 0;
    *right = 0;
    s->friction.width = width;
    for (size_t i = 0; i < s->n; i++) {
        const ic_interval *interval = &s->k->intervals[s->asked[i]];
        double x[IC_MAX_STATES];
        ic_prediction end;
        size_t worst;
        ic_interval_state_in(x, s->k, interval, interval->mode);
        ic_predict(&end, &s->predictor, false, tr->t[interval->from], x, 0, tr->t[interval->to]);
        const double defect = ic_interval_defect(s->k, interval, &end, &worst);
        sum += log1p(fmin(defect, FAR_OFF));
        *right += defect <= 1;
    }
    return sum / (double)s->n;
}

/* The best width: of powers, and then by golden section of its logarithm. */
static double find_width(search *s, size_t *right)
{
    const double golden = 0.5 * (sqrt(5) - 1);
    const ic_trajectory *tr = s->k->trajectory;
    double most = 0, best = INFINITY, found = 0;
    for (size_t i = 0; i < tr->n; i++)
        most = fmax(most, fabs(s->friction.slip(tr->t[i], &tr->x[i * tr->n_states], s->k->problem->par)));
    for (int i = 0; i < WIDTHS; i++, most *= NARROWER) {
        const double here = misfit(s, most, right);
        if (here < best) best = here, found = log(most);
    }
    double low = found + log(NARROWER), high = found - log(NARROWER);
    for (int i = 0; i < SECTIONS; i++) {
        const double a = high - golden * (high - low), b = low + golden * (high - low);
        if (misfit(s, exp(a), right) < misfit(s, exp(b), right)) high = b;
        else low = a;
    }
    (void)misfit(s, exp(0.5 * (low + high)), right);
    return exp(0.5 * (low + high));
}

void ic_cause_smooth_friction(ic_findings *findings, const ic_tracking *k)
{
    static _Thread_local search s; /* too large for the stack */
    size_t right = 0, narrower = 0, from[IC_MAX_STATES];
    ic_finding *own = ic_findings_find(findings, "local-defect");
    if (own == NULL || own->verdict != IC_FINDING_FAIL) own = ic_findings_find(findings, "events");
    for (ic_finding *f = NULL; (f = ic_findings_next_failed(findings, f)) != NULL;) {
        if (ic_is_specific(f->cause) && !ic_is_of_parameter(f) && f->cause != IC_MISTAKE_NO_EVENT_LOCATION)
            return;
    }
    if (own == NULL || own->verdict != IC_FINDING_FAIL || k->is_again || !open_search(&s, k)) return;
    acting = &s.friction;
    s.friction.width = NO_WIDTH;
    for (size_t j = 0; j < IC_MAX_STATES; j++) from[j] = j;
    const double step = ic_find_chatter(k, &s.problem, from, "");
    const double width = isfinite(step) ? NAN : find_width(&s, &right);
    /* a width is known if a tenth of it explains less */
    if (!isfinite(step)) (void)misfit(&s, 0.1 * width, &narrower);
    if (!isfinite(step) && ((double)right < EXPLAINED * (double)s.n || narrower >= right)) return;
    ic_cause_alone(findings, own,
                   isfinite(step) ? IC_MISTAKE_FRICTION_CHATTERS : IC_MISTAKE_FRICTION_REGULARISED);
    if (isfinite(step))
        ic_finding_append(
            own, ". Steps of %.3g s lead to the rows, with friction by the sign of the slip in each", step);
    else
        ic_finding_append(
            own, ". The rows are those of the case with friction by tanh(slip/width), width = %.3g: %zu of %zu",
            width, right, s.n);
}
