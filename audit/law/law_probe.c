/* SPDX-License-Identifier: MIT */
#include "audit/law/law.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Intervals of Simpson's rule in s, d = D s^2: forces like d^n with integer 2n are polynomials
   in s. */
enum { INTERVALS = 200, HALVINGS = 40, PARTS = 40 };
/* Accuracy of the work, relative. */
#define WORK 1e-9
/* m; range of the search for an indentation */
#define LEAST_INDENTATION 1e-15
#define MOST_INDENTATION 1e3
/* m per m/s; for laws without a force at rest */
#define INDENTATION_WITHOUT_SPRING 1e-3
/* kg, of a body that hits a law which is made for any mass */
#define MASS 1.0
/*
 * Steps of a quarter period d0/v0. Near the surface a step is a part of the time to it, NEAR d/|v|, but at least the
 * part LEAST_STEP of the others: an onset like d^p leaves an error of (LEAST_STEP/STEPS)^(1 + p), 1e-9 for Tsuji's
 * d^(1/4). There are so few of these that MORE times the number of the others is enough.
 */
enum { STEPS = 500, MORE = 2 };
#define NEAR 0.1
#define LEAST_STEP 2.5e-5
/* Forces that differ by less are the same. */
#define SAME_FORCE 1e-9

double ic_law_probe_force(ic_law_probe *p, double d, double v)
{
    const double force = p->law->force(d, v, p->memory, p->par.data);
    if (!isfinite(force)) p->not_finite++;
    return force;
}

void ic_law_probe_forces(ic_law_probe *p, double *force, const double *d, const double *v, size_t n)
{
    p->host.forces(force, p->law, d, v, n, p->memory, p->par.data);
    for (size_t i = 0; i < n; i++) p->not_finite += isfinite(force[i]) ? 0 : 1;
}

static void call_each(double *force, const ic_law *law, const double *d, const double *v, size_t n,
                      double memory, const double *par)
{
    for (size_t i = 0; i < n; i++) force[i] = law->force(d[i], v[i], memory, par);
}

const ic_law_host ic_law_host_of_c = {fork, call_each};

void ic_law_probe_begin(ic_law_probe *p, double v0)
{
    p->v0 = v0;
    p->memory = p->law->remember != NULL ? p->law->remember(v0, p->par.data) : 0;
    if (!isfinite(p->memory)) p->not_finite++;
}

void ic_law_probe_note(ic_law_probe *p, double d, double v)
{
    if (p->law->update == NULL) return;
    p->memory = p->law->update(p->memory, d, v, p->par.data);
    if (!isfinite(p->memory)) p->not_finite++;
}

/* Simpson's rule in s, d = D s^2, over part of [0, 1]. */
static double simpson(ic_law_probe *p, double deepest, double from, double to, int intervals)
{
    double s[INTERVALS + 1] = {0}, d[INTERVALS + 1] = {0}, force[INTERVALS + 1], sum = 0;
    const double at_rest[INTERVALS + 1] = {0};
    const int first = from > 0 ? 0 : 1; /* nothing is added at s = 0 */
    for (int i = first; i <= intervals; i++) {
        s[i] = from + (to - from) * i / intervals;
        d[i] = deepest * s[i] * s[i];
    }
    ic_law_probe_forces(p, force + first, d + first, at_rest, (size_t)(intervals + 1 - first));
    for (int i = first; i <= intervals; i++) {
        const double weight = i == 0 || i == intervals ? 1 : i % 2 == 1 ? 4 : 2;
        sum += weight * force[i] * 2 * deepest * s[i];
    }
    return sum * (to - from) / (3 * intervals);
}

double ic_law_probe_work(ic_law_probe *p, double d)
{
    return simpson(p, d, 0, 1, INTERVALS);
}

/* A part of [0, 1], the integral over it by all intervals, and the difference from half of them. */
typedef struct work_part {
    double from, to, work, doubt;
} work_part;

static work_part take_part(ic_law_probe *p, double deepest, double from, double to)
{
    const double work = simpson(p, deepest, from, to, INTERVALS);
    return (work_part){from, to, work, fabs(work - simpson(p, deepest, from, to, INTERVALS / 2))};
}

/* The part of greatest doubt is halved, again and again: it contains a kink. */
double ic_law_probe_exact_work(ic_law_probe *p, double d)
{
    work_part parts[PARTS] = {take_part(p, d, 0, 1)};
    double work = parts[0].work, doubt = parts[0].doubt;
    for (int n = 1; n < PARTS && doubt > WORK * fabs(work); n++) {
        int worst = 0;
        for (int i = 1; i < n; i++) worst = parts[i].doubt > parts[worst].doubt ? i : worst;
        const work_part old = parts[worst];
        const double middle = 0.5 * (old.from + old.to);
        parts[worst] = take_part(p, d, old.from, middle);
        parts[n] = take_part(p, d, middle, old.to);
        work = doubt = 0;
        for (int i = 0; i <= n; i++) work += parts[i].work, doubt += parts[i].doubt;
    }
    return work;
}

/* The indentation at which the force at rest has absorbed the energy of the probe's mass at the speed v. */
static double find_indentation(ic_law_probe *p, double v)
{
    const double energy = 0.5 * p->mass * v * v;
    double low = LEAST_INDENTATION, high = MOST_INDENTATION;
    if (!(ic_law_probe_work(p, high) >= energy)) return INDENTATION_WITHOUT_SPRING * v;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = sqrt(low * high);
        if (ic_law_probe_work(p, middle) >= energy) high = middle;
        else low = middle;
    }
    return high;
}

/* Takes the mass for which the law is made, if it has one. */
static void take_mass(ic_law_probe *p)
{
    const size_t i = ic_law_probe_mass(p);
    p->mass = i < p->law->n_parameters && p->set[i] > 0 ? p->set[i] : MASS;
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
    take_mass(p);
    if (!ic_law_permits(p->law, p->set, v)) return false;
    find_scales(p, v);
    return true;
}

bool ic_law_probe_open(ic_law_probe *p, const ic_law *law, const ic_law_host *host, uint64_t seed,
                       ic_error *error)
{
    *p = (ic_law_probe){.law = law, .host = *host, .seed = seed};
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
    take_mass(p);
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

size_t ic_law_probe_mass(const ic_law_probe *p)
{
    size_t i = 0, n = 0, mass = p->law->n_parameters;
    for (; i < p->law->n_parameters; i++) {
        if (p->law->parameters[i].unit != NULL && strcmp(p->law->parameters[i].unit, "kg") == 0) mass = i, n++;
    }
    return n == 1 ? mass : p->law->n_parameters;
}

size_t ic_law_probe_restitution(const ic_law_probe *p)
{
    const size_t named = ic_law_parameter(p->law, "e");
    return named == p->law->n_parameters && p->law->restitution != NULL
               ? ic_law_parameter(p->law, p->law->restitution)
               : named;
}

/* Whether the force at rest is the same with two values of a parameter. */
static bool keeps_spring(ic_law_probe *p, size_t i)
{
    double *par = p->par.data, force[2];
    const double kept = par[i], v0 = p->v0;
    for (int k = 0; k < 2; k++) {
        par[i] = k == 0 ? 0.4 : 0.6;
        ic_law_probe_begin(p, v0);
        force[k] = ic_law_probe_force(p, 0.5 * p->d0, 0);
    }
    par[i] = kept;
    ic_law_probe_begin(p, v0);
    return fabs(force[0] - force[1]) <= SAME_FORCE * fabs(force[0]);
}

size_t ic_law_probe_possible_restitution(ic_law_probe *p)
{
    size_t i = ic_law_probe_restitution(p);
    if (i < p->law->n_parameters) return i;
    for (i = 0; i < p->law->n_parameters; i++) {
        const ic_parameter *q = &p->law->parameters[i];
        if (strcmp(q->unit, "1") == 0 && q->range != NULL && ic_in_range(q->range, 0.4) &&
            ic_in_range(q->range, 0.6) && !ic_in_range(q->range, 1.5) && !ic_in_range(q->range, -0.5) &&
            keeps_spring(p, i))
            break;
    }
    return i;
}

/* ---- free impacts: d'' = -F/m */

/* Accepted h/m dF/dv of half a step, and jump of an acceleration within a step, relative; rounding of accelerations. */
#define STIFF 0.02
#define JUMP 1e-4
#define NO_CHANGE 1e-9
/* Steps are divided by 4 where they are rough, at most so often, and doubled where they are far from it. */
#define SMOOTH 0.05
enum { DIVISIONS = 15 };
/*
 * A body creeps if drag balances its spring and it is slow: so many steps on end; or if so many steps must be so short.
 * Such an impact is given up.
 */
enum { MOST_CREEPING = 1000, MOST_SHORT = 8000 };
#define SHORT 0.025
#define SLOW 1e-3
#define BALANCE 1e-3

/*
 * One step from x, where the force is `first`, for the length h. The force may jump where contact begins: within a
 * contact it is that of a depth beyond it, so that no step contains the jump. Returns how rough the step is: at most 1 if
 * its error is small. A stiff drag makes the two accelerations at mid-step differ; a jump, or a kink, the changes in both
 * halves.
 */
static double advance_motion(ic_law_probe *p, double from, double first, double x[2], double h)
{
    double k[4][2];
    for (int s = 0; s < 4; s++) {
        const double part = s == 0 ? 0 : s == 3 ? h : 0.5 * h;
        const double d = x[0] + (s > 0 ? part * k[s - 1][0] : 0), v = x[1] + (s > 0 ? part * k[s - 1][1] : 0);
        k[s][0] = v;
        k[s][1] = -(s == 0 ? first : ic_law_probe_force(p, fmax(d, from), v)) / p->mass;
    }
    for (int i = 0; i < 2; i++) x[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    const double change = k[1][1] - k[0][1], size = fmax(fabs(k[0][1]), p->F0 / p->mass),
                 stiff = fabs(k[2][1] - k[1][1]) / (STIFF * fabs(change) + NO_CHANGE * size),
                 jump = fabs(k[3][1] - k[2][1] - change) / (JUMP * size);
    return fmax(stiff, jump);
}

/* Whether the contact is over by the law's condition. */
static bool is_over(const ic_law *law, double from, const double x[2], double force)
{
    if (x[1] >= 0) return false;
    if (law->condition == IC_CONDITION_A) return x[0] <= from;
    return force <= 0 || (x[0] <= from && law->condition != IC_CONDITION_B);
}

/* The state at the end of a contact that ends within a step from x. */
static void find_end(ic_law_probe *p, double from, double first, double x[2], double h)
{
    double low = 0, high = h, end[2] = {x[0], x[1]};
    for (int i = 0; i < HALVINGS; i++) {
        double at[2] = {x[0], x[1]};
        const double middle = 0.5 * (low + high);
        advance_motion(p, from, first, at, middle);
        if (is_over(p->law, from, at, ic_law_probe_force(p, fmax(at[0], from), at[1]))) high = middle;
        else low = middle, memcpy(end, at, sizeof end);
    }
    memcpy(x, end, sizeof end);
}

/* Contact is taken to begin and end this far below the surface, relative to the depth of an elastic impact. */
#define TOUCH 1e-14

/* A step from x to `next`, which is short enough; `h` becomes the length of the following one. Returns its own. */
static double take_step(ic_law_probe *p, double from, double first, const double x[2], double next[2],
                        double *h, double longest)
{
    double taken = *h;
    for (int i = 0; i <= DIVISIONS; i++) {
        memcpy(next, x, 2 * sizeof *next);
        const double rough = advance_motion(p, from, first, next, taken);
        *h = rough < SMOOTH ? fmin(2 * taken, longest) : taken;
        if (rough <= 1 || i == DIVISIONS || taken < longest * pow(4, -DIVISIONS)) break;
        taken *= 0.25;
    }
    return taken;
}

static double choose_step(const ic_law_probe *p, double v0, const double x[2])
{
    const double most = p->d0 / (v0 * STEPS), near = NEAR * fabs(x[0]);
    return near < most * fabs(x[1]) ? fmax(near / fabs(x[1]), LEAST_STEP * most) : most;
}

/* Notes a step, with the deepest state in it: by its speed at both ends, which falls nearly evenly. */
static void note_step(ic_law_probe *p, const double x[2], const double next[2], double h)
{
    if (x[1] > 0 && next[1] < 0) {
        const double part = x[1] / (x[1] - next[1]);
        ic_law_probe_note(p, x[0] + 0.5 * part * h * x[1], 0);
    }
    ic_law_probe_note(p, next[0], next[1]);
}

ic_free_flight ic_law_probe_impact(ic_law_probe *p, double v0, int longest)
{
    ic_free_flight flight = {.least = INFINITY};
    ic_law_probe_begin(p, v0);
    const double reach = p->law->reach != NULL ? p->law->reach(v0, p->par.data) : 0;
    /* A contact that begins above the surface has no jump at d = 0. */
    const double from = p->law->condition == IC_CONDITION_B ? -INFINITY : fmax(reach, 0) + TOUCH * p->d0;
    double x[2] = {fmax(reach, from), v0}, t = 0;
    const double whole = p->d0 / (v0 * STEPS);
    double h = whole, first = ic_law_probe_force(p, fmax(x[0], from), x[1]);
    for (int n_short = 0, creeping = 0; t < longest * STEPS * whole;) {
        double next[2];
        h = fmin(h, choose_step(p, v0, x));
        const double taken = take_step(p, from, first, x, next, &h, whole);
        const double force = ic_law_probe_force(p, fmax(next[0], from), next[1]);
        t += taken;
        n_short += taken < SHORT * whole ? 1 : 0;
        /* drag balances the spring of a slow body */
        const bool slow = fabs(next[1]) < SLOW * v0;
        creeping = slow && fabs(force) < BALANCE * fabs(ic_law_probe_force(p, next[0], 0)) ? creeping + 1 : 0;
        flight.creeps = n_short > MOST_SHORT || creeping > MOST_CREEPING;
        if (!isfinite(next[0]) || !isfinite(force) || flight.creeps) break;
        if (fabs(next[1]) > IC_MOST_PROBE_SPEED * v0) {
            flight.restitution = IC_MOST_PROBE_SPEED;
            break;
        }
        if (is_over(p->law, from, next, force)) {
            find_end(p, from, first, x, taken);
            flight.restitution = -x[1] / v0;
            break;
        }
        note_step(p, x, next, taken);
        memcpy(x, next, sizeof x);
        /* a memory that has changed may change the force */
        first = p->law->update == NULL ? force : ic_law_probe_force(p, fmax(x[0], from), x[1]);
        flight.most = fmax(flight.most, force);
        flight.least = fmin(flight.least, force);
    }
    return flight;
}
