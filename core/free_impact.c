/* SPDX-License-Identifier: MIT */
#include "core/free_impact.h"
#include "core/restitution.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { MOST_PARAMETERS = 32, HALVINGS = 200 };

bool ic_law_is_solved(const ic_law *law)
{
    const bool damped = law->damping != NULL || law->restitution != NULL;
    return law->dashpot != NULL || (damped && (law->stiffness != NULL || law->elastic != NULL));
}

/* ---- the expressions of a law, in its parameters and v0 */

typedef struct law_expressions {
    const ic_law *law;
    ic_parameter table[MOST_PARAMETERS];
    double value[MOST_PARAMETERS];
    ic_case names;
} law_expressions;

static bool set_law_expressions(law_expressions *s, const ic_law *law, const double *par, double v0,
                                ic_error *error)
{
    const size_t n = law->n_parameters;
    *s = (law_expressions){.law = law, .names = {.parameters = s->table, .n_parameters = n + 1}};
    if (n + 1 > MOST_PARAMETERS) {
        ic_error_set(error, "law '%s' has more than %d parameters", law->name, MOST_PARAMETERS - 1);
        return false;
    }
    memcpy(s->table, law->parameters, n * sizeof *s->table);
    memcpy(s->value, par, n * sizeof *s->value);
    s->table[n].name = "v0";
    s->value[n] = v0;
    return true;
}

static bool evaluate_for_law(const law_expressions *s, double *value, const char *what, const char *text,
                             ic_error *error)
{
    const ic_names names = {.system = &s->names, .par = s->value};
    ic_error why;
    if (ic_expression_number(value, text, &names, &why)) return true;
    ic_error_set(error, "law '%s', %s: %.400s", s->law->name, what, why.text);
    return false;
}

static bool check_requirements(const law_expressions *s, ic_error *error)
{
    for (size_t i = 0; i < s->law->n_requirements; i++) {
        const ic_requirement *requirement = &s->law->requirements[i];
        double value = NAN;
        if (!evaluate_for_law(s, &value, "requirement", requirement->positive, error)) return false;
        if (value > 0) continue;
        ic_error_set(error, "%s: %s = %g is not positive", requirement->meaning, requirement->positive, value);
        return false;
    }
    return true;
}

/* ---- F = f(d) (1 + a v/v0) */

/*
 * The indentation at which the spring stores this energy U. U is convex and rises, so Newton's
 * method from the right descends to the root.
 */
static double indentation_of_energy(const ic_law *law, const double *par, double energy)
{
    double d = 1;
    while (law->stored_energy(d, par) > energy) d *= 0.5;
    while (law->stored_energy(d, par) < energy) d *= 2;
    for (int i = 0; i < HALVINGS; i++) {
        const double step = (law->stored_energy(d, par) - energy) / law->force(d, 0, 0, par);
        d -= step;
        if (!(fabs(step) > 2 * DBL_EPSILON * d)) break;
    }
    return d;
}

/*
 * The force is greatest where `rising`, followed along the path in the phase plane from u = 1 to u
 * = 0, passes through 0.
 */
static void find_peak_force(ic_impact_outcome *o, const ic_law *law, const double *par, double m, double v0)
{
    const double a = o->damping, memory = a / v0, scale = m * v0 * v0;
    double low = 0, high = 1, d = o->peak_indentation;
    for (int i = 0; i < HALVINGS && high - low > DBL_EPSILON * high && a > 0; i++) {
        const double u = 0.5 * (low + high);
        d = indentation_of_energy(law, par, scale * ic_energy_in_spring(a, u));
        if (law->rising(d, u * v0, m, memory, par) > 0) high = u;
        else low = u;
    }
    o->u_peak = a > 0 ? high : 0;
    o->peak_force = law->force(d, o->u_peak * v0, memory, par);
}

static bool solve_damped_impact(ic_impact_outcome *o, const law_expressions *s, double m, double v0,
                                ic_error *error)
{
    const ic_law *law = s->law;
    const double *par = s->value;
    double K = NAN, n = NAN, a = NAN;
    if (law->damping != NULL) {
        if (!evaluate_for_law(s, &a, "damping", law->damping, error)) return false;
    } else {
        const double memory = law->remember(v0, par), d = 1; /* the ratio does not depend on d */
        a = law->force(d, v0, memory, par) / law->force(d, 0, memory, par) - 1;
    }
    if (!(a >= 0)) {
        ic_error_set(error, "law '%s': its damping, %g, is negative, which would add energy", law->name, a);
        return false;
    }
    o->damping = a;
    o->restitution = ic_effective_restitution(a);
    if (law->stiffness != NULL) {
        if (!evaluate_for_law(s, &K, "stiffness", law->stiffness, error) ||
            !evaluate_for_law(s, &n, "power", law->power, error))
            return false;
        o->u_peak = ic_velocity_at_peak_force(a, n);
        o->peak_indentation = ic_peak_indentation(a, n, m, K, v0);
        o->peak_force = ic_peak_force(a, n, m, K, v0);
        return true;
    }
    o->peak_indentation = indentation_of_energy(law, par, m * v0 * v0 * ic_energy_in_spring(a, 0));
    find_peak_force(o, law, par, m, v0);
    return true;
}

/* ---- F = k d + c v; time in units of sqrt(m/k) */

/*
 * arccos(zeta)/sqrt(1 - zeta^2), continued to zeta >= 1: the time from d = 0, d' = v0 to d' = 0.
 * The time from there to F = 0 is the same.
 */
static double time_to_turn(double zeta)
{
    if (zeta < 1) return acos(zeta) / sqrt((1 - zeta) * (1 + zeta));
    if (zeta > 1) return acosh(zeta) / sqrt((zeta - 1) * (zeta + 1));
    return 1;
}

/*
 * z = sqrt(1 - zeta^2) = sqrt((4 k m - c^2)/(4 k m)), from products with compensated rounding; 0
 * from critical damping on.
 */
static double frequency_ratio(double k, double c, double m)
{
    const double product = 4 * k * m, square = c * c;
    const double difference = (product - square) + (fma(4 * k, m, -product) - fma(c, c, -square));
    return difference > 0 ? sqrt(difference / product) : 0;
}

/*
 * If the contact begins at d = 0, F/(sqrt(k m) v0) = exp(-zeta t) (2 zeta cos(z t) + (1 - 2
 * zeta^2)/z sin(z t)), which for zeta >= 1/2 is greatest at its start.
 */
static double scaled_peak_from_surface(double zeta)
{
    if (zeta >= 0.5) return 2 * zeta;
    const double z = sqrt((1 - zeta) * (1 + zeta));
    /* F' = 0 */
    const double t = atan2(z * (1 - 4 * zeta * zeta), zeta * (3 - 4 * zeta * zeta)) / z;
    return exp(-zeta * t) * (2 * zeta * cos(z * t) + (1 - 2 * zeta * zeta) / z * sin(z * t));
}

static bool solve_linear_impact(ic_impact_outcome *o, const law_expressions *s, double m, double v0,
                                ic_error *error)
{
    const ic_law *law = s->law;
    double k = NAN, c = NAN, zeta = NAN;
    if (!evaluate_for_law(s, &k, "stiffness", law->stiffness, error) ||
        !evaluate_for_law(s, &c, "dashpot", law->dashpot, error))
        return false;
    o->damping = zeta = c / (2 * sqrt(k * m));
    const double z = frequency_ratio(k, c, m), pi = acos(-1);
    const bool returns = z > 0;
    const double fade = exp(-zeta * time_to_turn(zeta)), depth = v0 * sqrt(m / k);
    const double until_opposite = returns ? exp(-pi * zeta / z) : 0;
    if (law->condition == IC_CONDITION_B) {
        /*
         * F = sqrt(k m) v0 exp(-zeta t) sin(z t)/z, so that v = 0 where d' = 0, at t = (pi - arccos
         * zeta)/z
         */
        o->restitution = until_opposite;
        o->peak_force = sqrt(k * m) * v0 * fade;
        o->u_peak = 2 * zeta * fade; /* k v = c F/m where F' = 0 */
        o->peak_indentation = returns ? depth * exp(-zeta * (pi - atan2(z, zeta)) / z) : 0;
        return true;
    }
    o->restitution = law->condition == IC_CONDITION_A ? until_opposite : fade * fade;
    o->peak_indentation = depth * fade;
    o->peak_force = sqrt(k * m) * v0 * scaled_peak_from_surface(zeta);
    o->u_peak = zeta < 0.5 ? 2 * zeta * scaled_peak_from_surface(zeta) : 1;
    return true;
}

/* ---- both kinds */

bool ic_law_impact(ic_impact_outcome *outcome, const ic_law *law, const double *par, double m, double v0,
                   ic_error *error)
{
    law_expressions s;
    *outcome = (ic_impact_outcome){NAN, NAN, NAN, NAN, NAN};
    if (!set_law_expressions(&s, law, par, v0, error) || !check_requirements(&s, error)) return false;
    if (!ic_law_is_solved(law)) return true;
    if (!(law->dashpot != NULL ? solve_linear_impact(outcome, &s, m, v0, error)
                               : solve_damped_impact(outcome, &s, m, v0, error)))
        return false;
    /* extreme masses, speeds or stiffnesses overflow */
    if (outcome->peak_indentation >= 0 && isfinite(outcome->peak_indentation) && outcome->peak_force > 0 &&
        isfinite(outcome->peak_force))
        return true;
    ic_error_set(error, "the impact is beyond the range of double precision: indentation %g m, force %g N",
                 outcome->peak_indentation, outcome->peak_force);
    return false;
}
