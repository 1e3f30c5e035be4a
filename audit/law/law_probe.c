/* SPDX-License-Identifier: MIT */
#include "audit/law/law_probe.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Intervals of Simpson's rule in s, d = D s^2: forces like d^n with integer 2n are polynomials
   in s. */
enum { INTERVALS = 200, HALVINGS = 40 };
/* m; range of the search for an indentation */
#define LEAST_INDENTATION 1e-15
#define MOST_INDENTATION 1e3
/* m per m/s; for laws without a force at rest */
#define INDENTATION_WITHOUT_SPRING 1e-3
/* Steps of a quarter period d0/v0; an onset like d^(3/2) leaves an error of STEPS^-2.5 */
enum { STEPS = 2000 };

double ic_law_probe_force(ic_law_probe *p, double d, double v)
{
    const double force = p->law->force(d, v, p->memory, p->par.data);
    if (!isfinite(force)) p->not_finite++;
    return force;
}

void ic_law_probe_begin(ic_law_probe *p, double v0)
{
    p->v0 = v0;
    p->memory = p->law->remember != NULL ? p->law->remember(v0, p->par.data) : 0;
    if (!isfinite(p->memory)) p->not_finite++;
}

double ic_law_probe_work(ic_law_probe *p, double d)
{
    double sum = 0;
    for (int i = 0; i <= INTERVALS; i++) {
        const double s = (double)i / INTERVALS, weight = i == 0 || i == INTERVALS ? 1 : i % 2 == 1 ? 4 : 2;
        if (i > 0) sum += weight * ic_law_probe_force(p, d * s * s, 0) * 2 * d * s;
    }
    return sum / (3 * INTERVALS);
}

/* The indentation at which the force at rest has absorbed the energy of 1 kg at the speed v. */
static double find_indentation(ic_law_probe *p, double v)
{
    const double energy = 0.5 * IC_PROBE_MASS * v * v;
    double low = LEAST_INDENTATION, high = MOST_INDENTATION;
    if (!(ic_law_probe_work(p, high) >= energy)) return INDENTATION_WITHOUT_SPRING * v;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = sqrt(low * high);
        if (ic_law_probe_work(p, middle) >= energy) high = middle;
        else low = middle;
    }
    return high;
}

static void find_scales(ic_law_probe *p, double v)
{
    /* The search calls the force at indentations that no contact reaches. */
    const size_t not_finite = p->not_finite;
    ic_law_probe_begin(p, v);
    p->d0 = find_indentation(p, v);
    p->not_finite = not_finite;
    p->F0 = fabs(ic_law_probe_force(p, p->d0, 0));
    if (!(p->F0 > 0)) p->F0 = 1;
}

double ic_law_probe_first(ic_law_probe *p, size_t i)
{
    const size_t depth = i / 2, last = IC_FIRST_ANSWERS / 2 - 1;
    const double d = 1e-9 * pow(1e6, (double)depth / (double)last);
    return ic_law_probe_force(p, d, i % 2 == 0 ? 0.5 : -0.5);
}

bool ic_law_probe_set(ic_law_probe *p, const ic_law_setting *setting, double v)
{
    double *par = p->par.data;
    for (size_t i = 0; i < p->law->n_parameters; i++) p->written += par[i] != p->set[i];
    memcpy(par, p->parameters.value, p->par.size);
    if (setting->parameter < p->law->n_parameters) par[setting->parameter] = setting->value;
    memcpy(p->set, par, p->par.size);
    if (!ic_law_permits(p->law, p->set, v)) return false;
    find_scales(p, v);
    return true;
}

bool ic_law_probe_open(ic_law_probe *p, const ic_law *law, ic_error *error)
{
    *p = (ic_law_probe){.law = law};
    if (!ic_parameters_open(&p->parameters, "law", law->name, law->parameters, law->n_parameters, error) ||
        !ic_parameters_evaluate(&p->parameters, error))
        return false;
    p->set = calloc(law->n_parameters + 1, sizeof *p->set);
    if (p->set == NULL ||
        !ic_guarded_open(&p->par, law->n_parameters * sizeof(double), p->parameters.value, false)) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    memcpy(p->set, p->parameters.value, p->par.size);
    ic_law_probe_begin(p, 1);
    for (size_t i = 0; i < IC_FIRST_ANSWERS; i++) p->first[i] = ic_law_probe_first(p, i);
    p->not_finite = 0; /* Those calls may lie outside any contact. */
    find_scales(p, 1);
    return true;
}

void ic_law_probe_close(ic_law_probe *p)
{
    free(p->set);
    ic_parameters_close(&p->parameters);
    ic_guarded_close(&p->par);
}

size_t ic_law_probe_named(const ic_law_probe *p, const char *name)
{
    size_t i = 0;
    while (i < p->law->n_parameters && strcmp(p->law->parameters[i].name, name) != 0) i++;
    return i;
}

size_t ic_law_probe_restitution(const ic_law_probe *p)
{
    const size_t named = ic_law_probe_named(p, "e");
    if (named < p->law->n_parameters) return named;
    size_t i = 0;
    for (; i < p->law->n_parameters; i++) {
        const ic_parameter *q = &p->law->parameters[i];
        if (q->unit != NULL && strcmp(q->unit, "1") == 0 && q->range != NULL && ic_in_range(q->range, 0.5) &&
            !ic_in_range(q->range, 1.5) && !ic_in_range(q->range, -0.5))
            break;
    }
    return i;
}

/* ---- free impacts: d'' = -F/m */

static void advance_motion(ic_law_probe *p, double x[2], double h)
{
    double k[4][2];
    for (int s = 0; s < 4; s++) {
        const double part = s == 0 ? 0 : s == 3 ? h : 0.5 * h;
        const double d = x[0] + (s > 0 ? part * k[s - 1][0] : 0), v = x[1] + (s > 0 ? part * k[s - 1][1] : 0);
        k[s][0] = v;
        k[s][1] = -ic_law_probe_force(p, d, v) / IC_PROBE_MASS;
    }
    for (int i = 0; i < 2; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

/* Whether the contact is over by the law's condition. */
static bool is_over(const ic_law *law, const double x[2], double force)
{
    if (x[1] >= 0) return false;
    if (law->condition == IC_CONDITION_A) return x[0] <= 0;
    return force <= 0 || (x[0] <= 0 && law->condition != IC_CONDITION_B);
}

/* Greatest speed relative to that of the impact; above it the energy grows without bound. */
#define MOST_SPEED 100.0

ic_free_flight ic_law_probe_impact(ic_law_probe *p, double v0, int longest)
{
    ic_free_flight flight = {0, 0, INFINITY};
    ic_law_probe_begin(p, v0);
    double x[2] = {p->law->reach != NULL ? p->law->reach(v0, p->par.data) : 0, v0};
    const double h = p->d0 / (v0 * STEPS);
    for (int i = 0; i < longest * STEPS; i++) {
        const double before[2] = {x[0], x[1]};
        advance_motion(p, x, h);
        const double force = ic_law_probe_force(p, x[0], x[1]);
        if (!isfinite(x[0]) || !isfinite(force)) break;
        if (fabs(x[1]) > MOST_SPEED * v0) {
            flight.restitution = MOST_SPEED;
            break;
        }
        if (is_over(p->law, x, force)) {
            const double part = x[0] < 0 && before[0] > 0 ? before[0] / (before[0] - x[0]) : 1;
            flight.restitution = -(before[1] + part * (x[1] - before[1])) / v0;
            break;
        }
        flight.most = fmax(flight.most, force);
        flight.least = fmin(flight.least, force);
    }
    return flight;
}
