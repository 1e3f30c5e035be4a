/* SPDX-License-Identifier: MIT */
/*
 * With W the inverse mass matrix at the contact, the velocities before and after give the impulse,
 * P = W^-1 (v' - v). Under every hypothesis of restitution |P_x| <= mu P_y, v_y' >= 0, (v + v').P/2
 * <= 0, phi_dot' = phi_dot + l (sin(phi) P_y - cos(phi) P_x)/(m rho^2), and each hypothesis maps v
 * to one v'. If two of them give the same v', the impact does not separate them.
 */
#include "audit/common/tolerances.h"
#include "audit/impact/impact.h"
#include "audit/trajectory/checks/checks.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Accuracy of the velocities, relative to the speed, if no noise shows it: printed digits, or the
 * error of a step.
 */
static const double floors[] = {1e-6, 1e-4, 1e-3, 1e-2};
/*
 * Greatest misfit of the best in deviations; chi squared of the second must be five deviations
 * larger (docs/audit.md).
 */
#define FARTHER 25.0
#define MOST_MISFIT 2.5
/*
 * Single rows do not show their noise s. A hypothesis that is off by s fits to s/R in both
 * components with the probability (2.4/R)^2, one of seven with less than half a per cent for this
 * R.
 */
#define APART_SINGLE 100.0
/*
 * Greatest misfit of single rows of unknown noise. Misread columns and mistakes have greater ones.
 */
#define APART_UNKNOWN 10.0
/*
 * In single rows of unknown noise s, some coefficient always explains one of both components; the
 * other fits to a fraction p of s with probability p.
 */
#define BY_CHANCE 1e3
#define REGULARIZED "regularized"
enum { CANDIDATES = IC_IMPACT_LAWS + 1 };

/* An impact under audit. */
typedef struct meeting {
    const ic_problem *problem;

    /* accepted error, relative to the speed */
    double accept;

    /* begins as the rows do */
    ic_impact impact;

    ic_impact_sides sides;

    /* speed before, m/s */
    double speed;

    /*
     * Deviation of a component, m/s, from the scatter of the rows, the greater of both sides; 0:
     * unknown.
     */
    double scatter;

    /* The same, m/s, including the accuracy at which a hypothesis fits. */
    double deviation;

    /* Parameters of the regularized model. */
    double *par;

    /* True if nothing fits, but single rows may have so much noise. */
    bool unknown;

    /* The moment of inertia that explains the impact, over that of the case; NAN: the case's does, or none. */
    double inertia;
} meeting;

static double parameter(const ic_problem *problem, const char *name)
{
    const size_t i = ic_parameter_find(problem->system, name);
    return i < problem->system->n_parameters ? problem->par[i] : NAN;
}

/* ---- hypotheses */

static void set_parameter(const meeting *m, const char *name, double value)
{
    const size_t i = ic_parameter_find(m->problem->system, name);
    if (i < m->problem->system->n_parameters) m->par[i] = value;
}

/*
 * The regularized model has no e, because it is elastic. It ends when the contact ends, at any
 * time.
 */
static bool regularized_velocity(double v[2], const meeting *m, const ic_impact *impact)
{
    const ic_case *system = m->problem->system;
    const ic_options options = {.rtol = 1e-12};
    ic_problem problem = *m->problem;
    problem.variant = ic_variant_find(system, REGULARIZED);
    if (problem.variant == NULL) return false;
    set_parameter(m, "vx", impact->v[0]);
    set_parameter(m, "vy", impact->v[1]);
    set_parameter(m, "mu", impact->mu);
    problem.par = m->par;
    problem.par_text = NULL;
    problem.t_end_text = NULL;
    problem.x_start = NULL;
    problem.t_start = 0;
    problem.t_end = 1e6 * ic_time_scale(m->problem);
    const ic_solver *solver = ic_solver_find("modal_closed_form");
    ic_log *log = solver != NULL ? ic_log_new(&problem) : NULL;
    bool good = log != NULL && solver->solve(log, &problem, &options) == IC_OK;
    if (good) {
        const ic_sample end = ic_log_end(log);
        const double P_x = end.x[IC_IMPACT_P_X], P_y = end.x[IC_IMPACT_P_Y];
        good = end.mode == IC_IMPACT_LIFTED_OFF;
        v[0] = impact->v[0] + impact->w_xx * P_x + impact->w_xy * P_y;
        v[1] = impact->v[1] + impact->w_xy * P_x + impact->w_yy * P_y;
    }
    ic_log_free(log);
    return good;
}

static const char *candidate_name(size_t i)
{
    return i < IC_IMPACT_LAWS ? ic_impact_laws[i].name : REGULARIZED;
}

/* Number of the requested hypothesis; CANDIDATES: none. */
static size_t requested(const meeting *m)
{
    size_t i = 0;
    while (i < CANDIDATES && strcmp(candidate_name(i), m->problem->variant->name) != 0) i++;
    return i;
}

static bool velocity_after(double v[2], const meeting *m, size_t candidate, const ic_impact *impact)
{
    return candidate < IC_IMPACT_LAWS ? ic_impact_law_velocity(v, &ic_impact_laws[candidate], impact)
                                      : regularized_velocity(v, m, impact);
}

/*
 * Root mean square over both components, in deviations of the rows after and of those before as
 * propagated by the hypothesis.
 */
static double impact_misfit(const meeting *m, size_t candidate, const ic_impact *impact, double floor)
{
    double v[2], sum = 0;
    if (!(impact->v[1] < 0) || !velocity_after(v, m, candidate, impact)) return INFINITY;
    for (int k = 0; k < 2; k++) {
        double variance = floor * m->speed * floor * m->speed;
        variance += m->sides.deviation_after[k] * m->sides.deviation_after[k];
        for (int j = 0; j < 2; j++) {
            const double sigma = hypot(m->sides.deviation_before[j], floor * m->speed);
            ic_impact moved = *impact;
            double w[2];
            moved.v[j] += sigma;
            if (sigma > 0 && moved.v[1] < 0 && velocity_after(w, m, candidate, &moved))
                variance += (w[k] - v[k]) * (w[k] - v[k]);
        }
        const double off = m->sides.after[k] - v[k];
        sum += 0.5 * off * off / variance;
    }
    return sqrt(sum);
}

/* ---- another moment of inertia */

/* Accuracy, relative to the speed, to which another inertia must explain the impact. */
#define INERTIA_FITS 1e-5
/* Relative difference of the inertia that is looked at. */
#define INERTIA_OFF 1e-3

/*
 * Velocities of the point of contact and the spin give the change of the centre's velocity, and so the impulse and its
 * moment, without the inertia. Returns the inertia over that of the case; NAN: it is unknown.
 */
static double inertia_in_effect(const meeting *m)
{
    const ic_problem *p = m->problem;
    const double l = parameter(p, "l"), rho = parameter(p, "rho"), phi = parameter(p, "phi");
    double change[IC_VELOCITIES];
    for (int k = 0; k < IC_VELOCITIES; k++) change[k] = m->sides.after[k] - m->sides.before[k];
    const double spin = change[IC_VELOCITY_PHI];
    /* A second body moves the point of contact, too. */
    if (!(l > 0) || !isfinite(spin) || spin == 0 || parameter(p, "ratio") != 0) return NAN;
    const double P_x = change[IC_VELOCITY_X] + l * cos(phi) * spin,
                 P_y = change[IC_VELOCITY_Y] - l * sin(phi) * spin; /* over the mass */
    return l * (sin(phi) * P_y - cos(phi) * P_x) / (rho * rho * spin);
}

static bool hypothesis_fits(const meeting *m, const ic_impact *impact)
{
    const size_t own = requested(m);
    return own < CANDIDATES &&
           impact_misfit(m, own, impact, INERTIA_FITS) <= ic_tolerance_hypothesis_misfit.value;
}

/* Adds a multiple of the part of the inverse mass matrix that the rotation gives. */
static void set_inverse_mass(const meeting *m, double more)
{
    const ic_problem *p = m->problem;
    const double turn = parameter(p, "l") / parameter(p, "rho"), phi = parameter(p, "phi");
    set_parameter(m, "C_xx", parameter(p, "C_xx") + more * pow(turn * cos(phi), 2));
    set_parameter(m, "C_xy", parameter(p, "C_xy") - more * turn * turn * sin(phi) * cos(phi));
    set_parameter(m, "C_yy", parameter(p, "C_yy") + more * pow(turn * sin(phi), 2));
}

/* Uses the inertia that spin and impulse show if the requested hypothesis then explains the impact, and not before. */
static void use_inertia_in_effect(meeting *m)
{
    const double ratio = inertia_in_effect(m);
    ic_impact other = m->impact;
    m->inertia = NAN;
    if (!(ratio > 0) || fabs(ratio - 1) < INERTIA_OFF || !(m->impact.v[1] < 0) ||
        hypothesis_fits(m, &m->impact))
        return;
    set_inverse_mass(m, 1 / ratio - 1);
    m->problem->system->impact(&other, m->par);
    memcpy(other.v, m->impact.v, sizeof other.v);
    if (hypothesis_fits(m, &other)) {
        m->impact = other;
        m->inertia = ratio;
    } else memcpy(m->par, m->problem->par, m->problem->system->n_parameters * sizeof *m->par);
}

/* ---- choice of a hypothesis */

/* Chi squared of two components is twice the square of their misfit. */
static bool is_farther(const meeting *m, double second, double first)
{
    return m->scatter > 0 ? 2 * (second * second - first * first) >= FARTHER : second >= APART_SINGLE;
}

static bool decide_hypothesis(ic_classification *c, const meeting *m, double floor)
{
    c->count = 0;
    for (size_t i = 0; i < CANDIDATES; i++)
        ic_classification_add(c, candidate_name(i), impact_misfit(m, i, &m->impact, floor));
    ic_classification_decide(c, ic_tolerance_hypothesis_misfit.value, MOST_MISFIT);
    const double first = c->candidates[0].misfit, second = c->candidates[1].misfit;
    c->decided = c->decided && is_farther(m, second, first);
    return first <= ic_tolerance_hypothesis_misfit.value;
}

static void explain_hypothesis(ic_classification *c, const meeting *m, double floor, bool fits)
{
    const double known = fmax(floor, m->deviation / m->speed);
    if (!fits) {
        snprintf(c->detail, sizeof c->detail, "none of these; the nearest is %s", c->candidates[0].name);
    } else if (!c->decided) {
        snprintf(
            c->detail, sizeof c->detail,
            "%s and %s agree here to %.1g of the speed; less noise, or another angle, friction or restitution, would decide",
            c->candidates[0].name, c->candidates[1].name, known);
    } else {
        snprintf(c->detail, sizeof c->detail, "to %.1g of the speed, by %zu and %zu rows; the runner-up is %s",
                 known, m->sides.rows_before, m->sides.rows_after, c->candidates[1].name);
    }
}

/*
 * Classify at the first floor at which a hypothesis fits, which is then the accuracy of the
 * velocities if no scatter shows it.
 */
static void classify_impact(ic_classification *c, meeting *m)
{
    *c = (ic_classification){.question = "impact hypothesis"};
    snprintf(c->subject, sizeof c->subject, "%s", m->problem->system->name);
    bool fits = false;
    size_t f = 0;
    for (; f < IC_COUNT(floors) && !fits; f++) fits = decide_hypothesis(c, m, floors[f]);
    explain_hypothesis(c, m, floors[f - 1], fits);
    /* single rows may have unknown noise beyond the greatest floor */
    const double left = fits || c->candidates[0].misfit < APART_UNKNOWN ? fmax(1, c->candidates[0].misfit) : 0;
    m->unknown = !fits && !(m->scatter > 0) && left > 0;
    if (fits || m->unknown) m->deviation = fmax(m->deviation, left * floors[f - 1] * m->speed);
}

static bool fits_one(const ic_classification *c)
{
    return c->count > 0 && c->candidates[0].misfit <= ic_tolerance_hypothesis_misfit.value;
}

/* ---- checks */

static void set_verdict(ic_finding *f)
{
    f->verdict = f->measured <= f->tolerance ? IC_FINDING_PASS : IC_FINDING_FAIL;
}

static ic_finding finding_of(const ic_audit_check *check, const meeting *m, double measured, const char *unit)
{
    ic_finding f = {.check = check, .measured = measured, .unit = unit};
    f.tolerance = m->accept * m->speed + ic_tolerance_noise.value * m->deviation;
    set_verdict(&f);
    snprintf(f.subject, sizeof f.subject, "%s/%s", m->problem->system->name, m->problem->variant->name);
    ic_finding_set_origin(&f, "%s in the rows",
                          ic_accuracy_origin(&ic_tolerance_impact_velocity, m->accept).text);
    return f;
}

static const struct impulse_factor {
    double factor;
    const char *text;
    ic_mistake_id mistake;
} factors[] = {
    {-1, "with the other sign", IC_MISTAKE_SIGN_REVERSED},
    {M_PI / 180, "in degrees", IC_MISTAKE_UNITS_MIXED},
    {180 / M_PI, "in radians, read as degrees", IC_MISTAKE_UNITS_MIXED},
    {1e-3, "in thousandths of its unit", IC_MISTAKE_UNITS_MIXED},
    {1e3, "in thousands of its unit", IC_MISTAKE_UNITS_MIXED},
};

/* Seeks another reading of the velocities that explains the impact; IC_NO_MISTAKE: none does. */
static ic_mistake_id find_misreading(const meeting *m, char *detail, size_t size)
{
    static const struct {
        double x, y;
        const char *text;
        ic_mistake_id mistake;
        bool exchanged;
    } readings[] = {
        {1, 1, "vx and vy are exchanged", IC_MISTAKE_COLUMNS_EXCHANGED, true},
        {1, -1, "vy has the other sign", IC_MISTAKE_SIGN_REVERSED, false},
        {-1, 1, "vx has the other sign", IC_MISTAKE_SIGN_REVERSED, false},
        {-1, -1, "vx and vy have the other sign", IC_MISTAKE_SIGN_REVERSED, false},
        {1e-3, 1, "vx is in thousandths of its unit", IC_MISTAKE_UNITS_MIXED, false},
        {1, 1e-3, "vy is in thousandths of its unit", IC_MISTAKE_UNITS_MIXED, false},
    };
    const size_t own = requested(m);
    for (size_t i = 0; i < IC_COUNT(readings); i++) {
        meeting other = *m;
        double *sides[] = {other.sides.before, other.sides.after};
        for (int s = 0; s < 2; s++) {
            const double x = sides[s][0], y = sides[s][1];
            sides[s][0] = readings[i].x * (readings[i].exchanged ? y : x);
            sides[s][1] = readings[i].y * (readings[i].exchanged ? x : y);
        }
        for (int k = 0; k < 2; k++) other.impact.v[k] = other.sides.before[k];
        other.speed = hypot(other.impact.v[0], other.impact.v[1]);
        if (own == CANDIDATES ||
            impact_misfit(&other, own, &other.impact, m->accept) > ic_tolerance_hypothesis_misfit.value)
            continue;
        snprintf(detail, size, "%s: then %s explains the rows", readings[i].text, candidate_name(own));
        return readings[i].mistake;
    }
    return IC_NO_MISTAKE;
}

/*
 * Laws are homogeneous in the velocities: an error common to all shows only in comparison with the
 * preset.
 */
static bool add_start(ic_findings *findings, const meeting *m, const ic_classification *c)
{
    const double given[] = {parameter(m->problem, "vx"), parameter(m->problem, "vy")};
    const double *v = m->impact.v, size = hypot(given[0], given[1]);
    ic_finding f = finding_of(&ic_row_check_impact_start, m, hypot(v[0] - given[0], v[1] - given[1]), "m/s");
    ic_finding_set_origin(&f, "%s; another start is not a mistake",
                          ic_accuracy_origin(&ic_tolerance_impact_velocity, m->accept).text);
    bool readable = v[1] < 0;
    if (!readable || !fits_one(c)) f.cause = find_misreading(m, f.detail, sizeof f.detail);
    for (size_t i = 0; f.cause == IC_NO_MISTAKE && i < IC_COUNT(factors); i++) {
        const double scale = factors[i].factor;
        if (scale < 0 || hypot(scale * v[0] - given[0], scale * v[1] - given[1]) > 1e-3 * size) continue;
        ic_finding_describe(&f, "All velocities are %s: multiplied by %.6g, they are those of the preset",
                            factors[i].text, scale);
        f.cause = factors[i].mistake;
    }
    if (f.cause != IC_NO_MISTAKE) f.verdict = IC_FINDING_FAIL;
    else if (!readable) {
        f.verdict = IC_FINDING_FAIL;
        ic_finding_describe(&f, "the points do not approach: vy = %.6g m/s before the impact", v[1]);
    } else if (f.verdict == IC_FINDING_FAIL) {
        ic_finding_leave_open(
            &f, "the impact begins with vx = %.6g, vy = %.6g m/s and is judged from these values", v[0], v[1]);
    }
    ic_findings_add(findings, &f);
    return f.verdict != IC_FINDING_FAIL;
}

/* Deviation of an impulse a P_x + b P_y, N s, from the deviations of the velocities. */
static double impulse_deviation(const meeting *m, double a, double b)
{
    const ic_impact *p = &m->impact;
    const double det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    return sqrt(2) * m->deviation * hypot(a * p->w_yy - b * p->w_xy, b * p->w_xx - a * p->w_xy) / det;
}

/*
 * m rho^2/l times the change of the angular velocity is an impulse; divided by m it is a velocity.
 */
static void add_momentum(ic_findings *findings, const meeting *m, const double P[2])
{
    const ic_problem *p = m->problem;
    const double l = parameter(p, "l"), rho = parameter(p, "rho"), phi = parameter(p, "phi"),
                 mass = parameter(p, "m");
    const double *before = m->sides.before, *now = m->sides.after;
    if (!isfinite(now[IC_VELOCITY_PHI]) || !isfinite(before[IC_VELOCITY_PHI]) || !(l > 0)) return;
    const double change = now[IC_VELOCITY_PHI] - before[IC_VELOCITY_PHI];
    const double wanted = l * (sin(phi) * P[1] - cos(phi) * P[0]) / (mass * rho * rho);
    ic_finding f = finding_of(&ic_row_check_impact_momentum, m, fabs(change - wanted) * l, "m/s");
    f.tolerance +=
        ic_tolerance_noise.value * l * l / (mass * rho * rho) * impulse_deviation(m, -cos(phi), sin(phi));
    f.tolerance += ic_tolerance_noise.value * l *
                   hypot(m->sides.deviation_before[IC_VELOCITY_PHI], m->sides.deviation_after[IC_VELOCITY_PHI]);
    set_verdict(&f);
    ic_finding_describe(&f, "phi_dot changes by %.6g rad/s; the impulse requires %.6g", change, wanted);
    if (f.verdict == IC_FINDING_FAIL && isfinite(m->inertia)) {
        f.cause = IC_MISTAKE_INERTIA_WRONG;
        ic_finding_append(
            &f, "; with %.5g times the moment of inertia (rho = %.5g m) it agrees, and %s explains the impact",
            m->inertia, sqrt(m->inertia) * rho, p->variant->name);
    }
    for (size_t i = 0; f.verdict == IC_FINDING_FAIL && i < IC_COUNT(factors); i++) {
        if (f.cause != IC_NO_MISTAKE || fabs(factors[i].factor * change - wanted) * l > f.tolerance) continue;
        ic_finding_describe(&f, "phi_dot is %s: multiplied by %.6g, it agrees with the impulse",
                            factors[i].text, factors[i].factor);
        f.cause = factors[i].mistake;
    }
    ic_findings_add(findings, &f);
}

/* Whether the tangential impulse has Coulomb's magnitude and the wrong sign. */
static bool friction_is_reversed(const meeting *m, const double P[2], double tolerance)
{
    ic_friction_end end;
    const double coulomb = ic_coulomb_impulse(&m->impact, P[1], &end);
    return fabs(coulomb) * m->impact.w_xx > 2 * tolerance && fabs(P[0] + coulomb) * m->impact.w_xx <= tolerance;
}

/*
 * Whether friction has not stopped with the slip: it lies on Coulomb's cone, against the first slip, and the slip has
 * reversed.
 */
static bool friction_goes_on(const meeting *m, const double P[2], double tolerance)
{
    const double slip = m->impact.v[0], after = m->sides.after[0];
    const bool on_cone = fabs(fabs(P[0]) - m->impact.mu * P[1]) * m->impact.w_xx <= tolerance;
    return m->impact.mu > 0 && on_cone && P[0] * slip < 0 && after * slip < 0 && fabs(after) > tolerance;
}

static void add_friction(ic_findings *findings, const meeting *m, const double P[2], const ic_classification *c)
{
    const double beyond = fmax(0, fabs(P[0]) - m->impact.mu * P[1]) * m->impact.w_xx;
    ic_finding f = finding_of(&ic_row_check_friction_cone, m, beyond, "m/s");
    f.tolerance += ic_tolerance_noise.value * m->impact.w_xx *
                   fmax(impulse_deviation(m, 1, -m->impact.mu), impulse_deviation(m, 1, m->impact.mu));
    set_verdict(&f);
    ic_finding_describe(&f, "P_x/P_y = %.5g, mu = %.5g", P[0] / P[1], m->impact.mu);
    if (!fits_one(c) && friction_is_reversed(m, P, f.tolerance)) {
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_SIGN_REVERSED;
        ic_finding_describe(
            &f, "friction drives the slip: P_x = %.5g N s has the opposite sign to Coulomb's law", P[0]);
    } else if (!fits_one(c) && friction_goes_on(m, P, f.tolerance)) {
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_FRICTION_REVERSES_SLIP;
        f.measured = NAN;
        ic_finding_describe(
            &f, "friction goes on with its first sign after the slip has reversed, to vx = %.5g m/s",
            m->sides.after[0]);
    } else if (f.verdict == IC_FINDING_FAIL) {
        f.cause = IC_MISTAKE_OUTSIDE_CONE;
    }
    ic_findings_add(findings, &f);
}

/* (v + v').P/2 */
static double energy_made(const meeting *m, const double now[2])
{
    double P[2], made = 0;
    ic_impulse_of_velocities(P, &m->impact, now);
    for (int k = 0; k < 2; k++) made += 0.5 * (m->impact.v[k] + now[k]) * P[k];
    return made;
}

static void add_energy(ic_findings *findings, const meeting *m, const double P[2], const ic_classification *c)
{
    const size_t asked = requested(m);
    double v[2];
    const double own =
        asked < CANDIDATES && velocity_after(v, m, asked, &m->impact) ? fmax(0, energy_made(m, v)) : 0;
    ic_finding f = finding_of(&ic_row_check_impact_energy, m, energy_made(m, m->sides.after) - own, "J");
    f.tolerance *= fabs(P[0]) + fabs(P[1]); /* d energy/dv' */
    set_verdict(&f);
    ic_finding_set_origin(&f, "%s, times the impulse",
                          ic_accuracy_origin(&ic_tolerance_impact_velocity, m->accept).text);
    ic_finding_describe(
        &f, "of %.6g J in the motion of the points in contact; the requested hypothesis creates %.3g J",
        ic_impact_energy(&m->impact, m->impact.v), own);
    const bool newton = c->decided && strncmp(c->candidates[0].name, "newton", 6) == 0;
    if (f.verdict == IC_FINDING_FAIL)
        f.cause = newton ? IC_MISTAKE_NEWTON_ENERGY_GAIN : IC_MISTAKE_ENERGY_APPEARS;
    ic_findings_add(findings, &f);
}

static void add_penetration(ic_findings *findings, const meeting *m)
{
    ic_finding f = finding_of(&ic_row_check_impact_approach, m, -m->sides.after[1], "m/s");
    if (f.verdict == IC_FINDING_FAIL) f.cause = IC_MISTAKE_PENETRATES;
    ic_findings_add(findings, &f);
}

/* The value of e with which the requested hypothesis explains the impact; NAN: none does. */
static double restitution_in_effect(const meeting *m, size_t candidate, double floor)
{
    enum { PLACES = 200, ROUNDS = 5 };
    double least = 0, most = 1, best = NAN, smallest = INFINITY;
    for (int round = 0; round < ROUNDS; round++) {
        const double width = (most - least) / PLACES;
        for (int i = 0; i <= PLACES; i++) {
            ic_impact impact = m->impact;
            impact.e = least + i * width;
            const double off = impact_misfit(m, candidate, &impact, floor);
            if (off < smallest) smallest = off, best = impact.e;
        }
        if (isnan(best)) return NAN;
        least = fmax(0, best - width), most = fmin(1, best + width);
    }
    return smallest <= ic_tolerance_hypothesis_misfit.value ? best : NAN;
}

static void add_restitution(ic_findings *findings, const meeting *m, size_t candidate,
                            const ic_classification *c)
{
    const bool another = c->decided && strcmp(c->candidates[0].name, m->problem->variant->name) != 0;
    double e = NAN;
    size_t f_used = 0;
    for (size_t i = 0; i < IC_COUNT(floors) && isnan(e); i++) {
        f_used = i;
        e = restitution_in_effect(m, candidate, floors[i]);
    }
    ic_finding f = finding_of(&ic_row_check_impact_restitution, m, fabs(e - m->impact.e), "1");
    f.tolerance = ic_tolerance_restitution.value * m->accept +
                  (ic_tolerance_hypothesis_misfit.value * floors[f_used] * m->speed +
                   ic_tolerance_noise.value * m->scatter) /
                      fabs(m->impact.v[1]);
    set_verdict(&f);
    ic_finding_set_origin(&f, "%g + the uncertainty of the velocities over the normal velocity before",
                          ic_tolerance_restitution.value * m->accept);
    if (isnan(e) || another) {
        f.measured = NAN;
        ic_finding_leave_open(&f, "%s",
                              another ? "by another hypothesis"
                                      : "no coefficient explains the impact by this hypothesis");
    } else {
        ic_finding_describe(&f, "e = %.5g explains the impact, expected %.5g", e, m->impact.e);
        if (f.verdict == IC_FINDING_FAIL && !(m->scatter > 0) && f.measured < BY_CHANCE * floors[f_used]) {
            ic_finding_leave_open(&f, "e = %.5g may be by chance; more rows on both sides would show the noise",
                                  e);
        }
        if (f.verdict == IC_FINDING_FAIL) f.cause = ic_restitution_mistake(e, m->impact.e, f.tolerance);
    }
    ic_findings_add(findings, &f);
}

static void add_hypothesis(ic_findings *findings, const meeting *m, const ic_classification *c, bool explained)
{
    const char *asked = m->problem->variant->name;
    const ic_finding *spin = ic_findings_find(findings, ic_row_check_impact_momentum.name);
    double own = NAN;
    for (size_t i = 0; i < c->count; i++) {
        if (strcmp(c->candidates[i].name, asked) == 0) own = c->candidates[i].misfit;
    }
    ic_finding f = finding_of(&ic_row_check_hypothesis, m, own, "1");
    f.tolerance = ic_tolerance_hypothesis_misfit.value;
    const double first = c->candidates[0].misfit;
    const bool excluded = own >= MOST_MISFIT * first && is_farther(m, own, first);
    set_verdict(&f);
    ic_tolerance_origin(f.origin, sizeof f.origin, &ic_tolerance_hypothesis_misfit);
    if (m->unknown || (own <= ic_tolerance_hypothesis_misfit.value && !c->decided) ||
        (fits_one(c) && !excluded && strcmp(c->candidates[0].name, asked) != 0)) {
        ic_finding_leave_open(&f, "%s", c->detail);
    } else if (f.verdict == IC_FINDING_FAIL) {
        ic_finding_describe(&f,
                            fits_one(c) ? "the rows follow %s" : "none of them explains it; the nearest is %s",
                            c->candidates[0].name);
        const bool frictionless =
            fits_one(c) && c->decided && strcmp(c->candidates[0].name, "frictionless") == 0;
        if (frictionless) f.cause = IC_MISTAKE_FRICTIONLESS;
        else if (fits_one(c)) f.cause = IC_MISTAKE_ANOTHER_HYPOTHESIS;
        if (explained && !fits_one(c)) f.cause = IC_NO_MISTAKE; /* Another check names the cause. */
        /* impulse and spin do not belong together, which no hypothesis explains */
        if (spin != NULL && spin->verdict == IC_FINDING_FAIL) {
            f.cause = IC_NO_MISTAKE;
            ic_finding_append(&f, ", which leaves the change of phi_dot unexplained");
        }
    }
    ic_findings_add(findings, &f);
}

/* ---- the audit */

/* Where no hypothesis explains single rows, tolerances that their unknown noise would need let anything pass. */
static void leave_open_passes(ic_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (findings->rows[i].verdict != IC_FINDING_PASS) continue;
        ic_finding_leave_open(
            &findings->rows[i],
            "no hypothesis explains the impact unless its rows are noisy: more rows before and after "
            "it would show their noise");
    }
}

static void check_impact(ic_findings *findings, ic_classification *c, meeting *m)
{
    double P[2];
    use_inertia_in_effect(m);
    classify_impact(c, m);
    ic_impulse_of_velocities(P, &m->impact, m->sides.after);
    /* If the file is misread, the other checks decide nothing. */
    if (!add_start(findings, m, c)) return;
    add_momentum(findings, m, P);
    add_friction(findings, m, P, c);
    add_energy(findings, m, P, c);
    add_penetration(findings, m);
    const size_t asked = requested(m);
    if (asked < IC_IMPACT_LAWS) add_restitution(findings, m, asked, c);
    add_hypothesis(findings, m, c, ic_findings_with(findings, IC_FINDING_FAIL) > 0);
    if (m->unknown) leave_open_passes(findings);
}

bool ic_audit_impact(ic_findings *findings, ic_classification *c, const ic_trajectory *rows,
                     const ic_problem *problem, double accept)
{
    const size_t n = problem->system->n_parameters;
    meeting m = {.problem = problem, .accept = accept, .par = malloc(n * sizeof *m.par)};
    if (m.par == NULL) return false;
    memcpy(m.par, problem->par, n * sizeof *m.par);
    *c = (ic_classification){.question = "impact hypothesis"};
    problem->system->impact(&m.impact, problem->par);
    const bool moves = ic_impact_sides_of(&m.sides, rows);
    for (int k = 0; k < 2; k++) {
        m.impact.v[k] = m.sides.before[k];
        m.scatter = fmax(m.scatter, fmax(m.sides.deviation_before[k], m.sides.deviation_after[k]));
    }
    m.deviation = m.scatter;
    m.speed = hypot(m.impact.v[0], m.impact.v[1]);
    if (moves && m.speed > 0) {
        check_impact(findings, c, &m);
    } else {
        m.speed = fmax(m.speed, hypot(parameter(problem, "vx"), parameter(problem, "vy")));
        ic_finding f = finding_of(&ic_row_check_impact_start, &m, NAN, "m/s");
        f.verdict = IC_FINDING_FAIL;
        f.cause = IC_MISTAKE_EVENT_LOST;
        ic_finding_describe(&f, "all rows have the same velocities: they contain no impact");
        ic_findings_add(findings, &f);
    }
    free(m.par);
    return !findings->no_memory;
}
