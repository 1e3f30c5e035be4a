/* SPDX-License-Identifier: MIT */
/*
 * The restitution in bounces of a body on a stop, if the body keeps its energy in between: e^2 =
 * E'/E by the energies at the stop before and after, each a median over a flight; or by the rows on both sides of the
 * impact where they are there.
 */
#include "audit/common/tolerances.h"
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the mistake of a coefficient */

/* A coefficient known less sharply than this part of its error may be near another number by chance. */
#define SHARP 0.1

const char *ic_restitution_power(double e, double given, double tolerance)
{
    if (!(tolerance < SHARP * fabs(e - given))) return NULL;
    if (fabs(e - sqrt(given)) <= tolerance) return "the root of";
    return fabs(e - given * given) <= tolerance ? "the square of" : NULL;
}

ic_mistake_id ic_restitution_mistake(double e, double given, double tolerance)
{
    if (fabs(e - 1) <= tolerance) return IC_MISTAKE_RESTITUTION_IGNORED;
    return ic_restitution_power(e, given, tolerance) != NULL ? IC_MISTAKE_RESTITUTION_SQUARED
                                                             : IC_MISTAKE_RESTITUTION_WRONG;
}

/* Bounces; rows of a flight in which velocities from differences show its energy. */
enum { MOST_BOUNCES = 256, LEAST_DERIVED = 8, NAMED = 5 };

typedef struct bounces {
    const ic_tracking *k;
    ic_bouncing_body body;
    double e[MOST_BOUNCES], speed[MOST_BOUNCES], tolerance[MOST_BOUNCES];
    size_t n;
} bounces;

/* The case's coefficient. */
static double given_e(const bounces *b)
{
    return b->k->problem->par[b->body.e];
}

/* Velocity away from the stop, m/s. */
static double velocity_at(const bounces *b, size_t row)
{
    const ic_trajectory *tr = b->k->trajectory;
    return b->body.side * tr->x[row * tr->n_states + b->body.state.v];
}

/* Energy of a flight per unit mass, and its drift, which coarse steps cause. */
typedef struct flight {
    /* J/kg */
    double energy, drift;

    size_t rows;
} flight;

static double energy_between(const bounces *b, size_t first, size_t last, double *values)
{
    enum { MOST = 512 };
    const ic_trajectory *tr = b->k->trajectory;
    const ic_problem *problem = b->k->problem;
    const ic_mode *mode = &problem->variant->modes[problem->system->contact->free];
    size_t n = 0;
    const size_t stride = (last - first) / MOST + 1;
    for (size_t i = first; i < last; i += stride) {
        /* below the surface a spring may carry the body */
        if (ic_contact_gap(problem, tr->t[i], &tr->x[i * tr->n_states]) < -2 * b->k->tolerance[b->body.state.x])
            continue;
        const double stored = mode->stored_energy(tr->t[i], &tr->x[i * tr->n_states], problem->par);
        values[n++] = (stored - b->body.at_stop) / b->body.mass;
    }
    return ic_audit_median(values, n);
}

/*
 * Drift of the energy. The change from the middle of the first quarter to that of the last quarter
 * is 3/4 of it.
 */
static flight flight_of(const bounces *b, size_t first, size_t last, double *values)
{
    enum { LEAST = 8 };
    const size_t quarter = (last - first) / 4;
    flight f = {.energy = energy_between(b, first, last, values), .rows = last - first};
    if (last - first < LEAST) return f;
    f.drift = fabs(energy_between(b, last - quarter, last, values) -
                   energy_between(b, first, first + quarter, values)) /
              0.75;
    return f;
}

/*
 * Whether rows resolve the rebound. If the next flight is shorter than a few rows, or than the time
 * that the bounce takes, several bounces may look like one.
 */
static bool rows_show_rebound(const bounces *b, double speed, double gap)
{
    const double least_e = 0.1, rows = 4;
    if (!(b->body.pull > 0)) return true; /* A distant force returns the body. */
    const double flight_time = 2 * fmax(least_e, given_e(b)) * speed / b->body.pull;
    const ic_trajectory *tr = b->k->trajectory;
    const double spacing = tr->n > 1 ? (tr->t[tr->n - 1] - tr->t[0]) / (double)(tr->n - 1) : b->k->spacing;
    return flight_time >= rows * spacing && flight_time > gap;
}

/* The deviation of a median divided by that of a value. */
static double of_a_median(size_t rows)
{
    return fmin(1, 1.25 / sqrt((double)rows));
}

/*
 * The tolerance of e, from e^2 = E'/E, E = v^2/2 = g h and v' = e v: by noise of rows before and
 * after, and by the drift, half of which is the uncertainty of the energy at an impact: e/2 (dE/2E
 * + dE'/2E'). The median of a flight has less noise than its rows.
 */
static double tolerance_at(const bounces *b, double speed, const flight *before, const flight *after)
{
    const ic_tracking *k = b->k;
    const double least_e = 0.1, e = fmax(least_e, given_e(b));
    const double by_velocity = k->noise[b->body.state.v] / speed,
                 by_height = b->body.most * k->noise[b->body.state.x] / (speed * speed);
    const double by_drift =
        0.25 * e *
        (before->drift / before->energy + after->drift / fmax(after->energy, least_e * before->energy));
    const double first = of_a_median(before->rows), second = of_a_median(after->rows);
    if (given_e(b) < least_e) /* The remaining energy is noise, and e is its square root. */
        return ic_tolerance_restitution.value * k->accept +
               sqrt(2 * by_velocity * by_velocity + 2 * ic_tolerance_noise.value * second * by_height +
                    0.5 * (before->drift + after->drift) / before->energy);
    return ic_tolerance_restitution.value * k->accept + by_drift +
           ic_tolerance_noise.value *
               ((second + e * first) * by_velocity + (second / e + e * first) * by_height);
}

/* Whether rows first - 1 and first are both sides of one impact. */
static bool is_pair(const bounces *b, size_t first)
{
    const double *t = b->k->trajectory->t;
    return first > 0 && t[first] == t[first - 1] && velocity_at(b, first - 1) < 0;
}

/* The coefficient by both sides of an impact, from whose velocities alone it follows. */
static void take_pair(bounces *b, size_t first)
{
    const double before = -velocity_at(b, first - 1), e = velocity_at(b, first) / before;
    b->e[b->n] = e;
    b->tolerance[b->n] = ic_tolerance_restitution.value * b->k->accept +
                         ic_tolerance_noise.value * b->k->noise[b->body.state.v] * (1 + fabs(e)) / before;
}

/* Velocity at row i of free motion from row i - 1. */
static double carried_on(const bounces *b, size_t i)
{
    const ic_tracking *k = b->k;
    const double acceleration =
        b->body.side * 0.5 *
        (ic_bouncing_acceleration(&b->body, k, i - 1) + ic_bouncing_acceleration(&b->body, k, i));
    return velocity_at(b, i - 1) + acceleration * (k->trajectory->t[i] - k->trajectory->t[i - 1]);
}

/* A bounce between two rows that both move away: the velocity exceeds that of free motion. */
static bool bounces_unseen(const bounces *b, size_t i)
{
    /* Fraction of the range of velocities. Slower bounces are visible as turns, or not at all. */
    const double part = 0.05;
    const size_t v = b->body.state.v;
    return velocity_at(b, i) - carried_on(b, i) >
           part * b->k->range[v] + 2 * ic_tolerance_noise.value * b->k->noise[v];
}

/*
 * Whether the body approaches in one row and does not in the next, although free motion would not
 * turn it.
 */
static bool turns_back(const bounces *b, size_t i)
{
    const double noise = ic_tolerance_noise.value * b->k->noise[b->body.state.v],
                 before = velocity_at(b, i - 1), now = velocity_at(b, i);
    return before < -noise && (now > noise || now == 0) && carried_on(b, i) <= 0;
}

/*
 * Divides the rows into flights. A flight begins where the velocity turns away from the stop from
 * one row to the next.
 */
static bool find_bounces(bounces *b)
{
    const ic_trajectory *tr = b->k->trajectory;
    double *values = malloc(1024 * sizeof *values);
    flight before = {.energy = NAN};
    size_t first = 0;
    if (values == NULL) return false;
    for (size_t i = 1; i <= tr->n && b->n < MOST_BOUNCES; i++) {
        if (i < tr->n && !turns_back(b, i) && !bounces_unseen(b, i)) continue;
        const flight after = flight_of(b, first, i, values);
        if (isnan(after.energy)) { /* all of it is below the surface */
            first = i;
            continue;
        }
        /* Velocities from differences are wrong beside impacts. */
        const bool derived = tr->source[b->body.state.v] == IC_FROM_DIFFERENCES;
        if (derived && (before.rows < LEAST_DERIVED || after.rows < LEAST_DERIVED)) before.energy = NAN;
        if (isfinite(before.energy) && before.energy > 0 &&
            rows_show_rebound(b, sqrt(2 * before.energy), first > 0 ? tr->t[first] - tr->t[first - 1] : 0)) {
            const double speed = sqrt(2 * before.energy);
            b->e[b->n] = sqrt(fmax(0, after.energy) / before.energy);
            b->speed[b->n] = speed;
            b->tolerance[b->n] = tolerance_at(b, speed, &before, &after);
            if (is_pair(b, first)) take_pair(b, first);
            b->n++;
        }
        before = after;
        if (i - first < 3) before.energy = NAN; /* Fewer rows do not determine an energy. */
        first = i;
    }
    free(values);
    return true;
}

/*
 * Whether restitution falls or rises with the speed all over: -1, +1; 0: neither. Of numbers that
 * only scatter, one set in MONOTONE!/2 = 60 is in such an order. Where single bounces are wrong,
 * most pairs are alike.
 */
static int find_trend(const bounces *b, size_t *slowest, size_t *fastest)
{
    enum { MONOTONE = 5 };
    int trend = 0;
    size_t ordered = 0;
    *slowest = *fastest = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (b->speed[i] < b->speed[*slowest]) *slowest = i;
        if (b->speed[i] > b->speed[*fastest]) *fastest = i;
        for (size_t j = 0; j < i; j++) {
            const double change = b->e[j] - b->e[i];
            if (fabs(change) <= b->tolerance[i] + b->tolerance[j] || b->speed[i] == b->speed[j]) continue;
            const int sign = (change > 0) == (b->speed[j] > b->speed[i]) ? 1 : -1;
            if (trend == -sign) return 0;
            trend = sign, ordered++;
        }
    }
    return b->n >= MONOTONE && 4 * ordered > b->n * (b->n - 1) ? trend : 0;
}

/* Classify the restitution: constant, or none below a speed; misfits in tolerances. */
static void classify_bounces(ic_classification *c, const bounces *b)
{
    double sorted[MOST_BOUNCES], constant = 0, threshold = 0, fastest = 0;
    c->question = "restitution";
    snprintf(c->subject, sizeof c->subject, "%zu bounces", b->n);
    memcpy(sorted, b->e, b->n * sizeof *sorted);
    const double typical = ic_audit_median(sorted, b->n);
    size_t plastic = 0, slower = 0;
    for (size_t i = 0; i < b->n; i++)
        fastest = b->e[i] <= b->tolerance[i] ? fmax(fastest, b->speed[i]) : fastest;
    for (size_t i = 0; i < b->n; i++) {
        const double defect = fabs(b->e[i] - typical) / b->tolerance[i];
        constant = fmax(constant, defect);
        plastic += b->e[i] <= b->tolerance[i];
        slower += b->speed[i] < fastest && b->e[i] > b->tolerance[i];
        if (b->e[i] > b->tolerance[i]) threshold = fmax(threshold, defect);
    }
    ic_classification_add(c, "constant", fmax(constant, 0.1));
    ic_classification_add(c, "none below a speed",
                          plastic > 0 && plastic < b->n && slower == 0 ? fmax(threshold, 0.1) : INFINITY);
    ic_classification_decide(c, 1, 3);
    if (b->n < 2) c->decided = false;
    snprintf(c->detail, sizeof c->detail,
             b->n < 2 ? "at least two bounces at different speeds are needed"
                      : "typical e = %.4g, speeds to %.3g m/s",
             typical, b->speed[0]);
}

/* Whether all bounces that do not have the case's coefficient have one of their own. */
static bool others_agree(const bounces *b)
{
    double others[MOST_BOUNCES];
    size_t n = 0, far = 0;
    for (size_t i = 0; i < b->n; i++) {
        if (fabs(b->e[i] - given_e(b)) > b->tolerance[i]) others[n++] = b->e[i];
    }
    const double typical = ic_audit_median(others, n);
    for (size_t i = 0; i < b->n; i++)
        far += fabs(b->e[i] - given_e(b)) > b->tolerance[i] && fabs(b->e[i] - typical) > b->tolerance[i];
    return n > 1 && far == 0;
}

/*
 * Names the coefficients of bounces that differ from the case's: all alike, by speed, or some of them. IC_NO_MISTAKE:
 * they scatter by more than their uncertainty.
 */
static ic_mistake_id name_values(ic_finding *f, const bounces *b)
{
    double sorted[MOST_BOUNCES];
    char list[80] = "";
    size_t alike = 0, wrong = 0, as_given = 0, slowest, fastest;
    memcpy(sorted, b->e, b->n * sizeof *sorted);
    const double typical = ic_audit_median(sorted, b->n);
    double sharpest = INFINITY;
    for (size_t i = 0; i < b->n; i++) {
        sharpest = fmin(sharpest, b->tolerance[i]);
        alike += fabs(b->e[i] - typical) <= b->tolerance[i];
        as_given += fabs(b->e[i] - given_e(b)) <= b->tolerance[i];
    }
    if (alike == b->n && as_given < b->n) return ic_restitution_mistake(typical, given_e(b), sharpest);
    const int trend = find_trend(b, &slowest, &fastest);
    if (trend != 0) {
        ic_finding_append(f, "; it %s with the speed, from %.4g at %.3g m/s to %.4g at %.3g m/s",
                          trend < 0 ? "falls" : "rises", b->e[slowest], b->speed[slowest], b->e[fastest],
                          b->speed[fastest]);
        return IC_MISTAKE_RESTITUTION_WRONG;
    }
    if (as_given == 0 || (2 * as_given < b->n && !others_agree(b))) return IC_NO_MISTAKE;
    for (size_t i = 0; i < b->n && wrong < NAMED; i++) {
        if (fabs(b->e[i] - given_e(b)) <= b->tolerance[i]) continue;
        ic_text_append(list, sizeof list, "%s%zu (%.4g)", wrong++ > 0 ? ", " : "", i + 1, b->e[i]);
    }
    ic_finding_append(f, "; bounces %s differ, the others do not", list);
    return IC_MISTAKE_IMPACTS_UNEQUAL;
}

void ic_audit_restitution(ic_findings *findings, ic_classification *c, const ic_tracking *k)
{
    bounces b = {.k = k};
    size_t worst = 0, full = 0, plastic = 0, right = 0;
    double sharpest = INFINITY;
    if (!ic_bouncing_body_of(&b.body, k)) return;
    if (!find_bounces(&b)) {
        findings->no_memory = true;
        return;
    }
    const double e = given_e(&b);
    for (size_t i = 0; i < b.n; i++) {
        if (fabs(b.e[i] - e) / b.tolerance[i] > fabs(b.e[worst] - e) / b.tolerance[worst]) worst = i;
        sharpest = fmin(sharpest, b.tolerance[i]);
        full += fabs(b.e[i] - 1) <= b.tolerance[i];
        plastic += b.e[i] <= b.tolerance[i];
        right += fabs(b.e[i] - e) <= b.tolerance[i];
    }
    ic_finding f =
        ic_finding_of(&ic_row_check_restitution_of_bounces, k, b.n > 0 ? fabs(b.e[worst] - e) : NAN,
                      b.n > 0 ? b.tolerance[worst] : ic_tolerance_restitution.value * k->accept, "1");
    ic_finding_set_origin(&f, "%s in height and velocity at that speed + the drift of the energy in flight",
                          ic_accuracy_origin(&ic_tolerance_restitution, k->accept).text);
    if (b.n == 0) {
        ic_finding_leave_open(&f, "no bounce with three rows on each side");
    } else {
        ic_finding_describe(&f, "%zu bounces; the worst has e = %.5g at %.3g m/s, expected %.5g", b.n,
                            b.e[worst], b.speed[worst], e);
        classify_bounces(c, &b);
    }
    if (f.verdict == IC_FINDING_FAIL) {
        if (full == b.n) f.cause = IC_MISTAKE_RESTITUTION_IGNORED;
        else if (plastic > 0 && plastic + right == b.n) f.cause = IC_MISTAKE_RESTITUTION_THRESHOLD;
        else f.cause = name_values(&f, &b);
    }
    ic_leave_open_what_hides_e(&f, k, sharpest);
    ic_findings_add(findings, &f);
}
