/* SPDX-License-Identifier: MIT */
/*
 * Stops and dry friction. What they do follows from complementarity: gap >= 0, force >= 0, one of them 0;
 * |friction| <= static limit at rest, kinetic friction against a slip. Where several elements meet, all combinations of
 * their states are followed for a moment, and one that stays consistent is taken.
 */
#include "tests/judge/meaning_motion.h"

#include <math.h>
#include <string.h>

enum { MOST = MOST_MEANING, ELEMENTS = MEANING_ELEMENTS, MOST_EVENTS = 2000, MOST_HITS = 400 };

/* What is 0: gaps, m; rates, m/s. */
#define NO_GAP 1e-9
#define NO_RATE 1e-8
/* What a guard may be below 0: gaps, rates, forces. */
#define GAP_NOISE 1e-14
#define RATE_NOISE 1e-10
#define FORCE_NOISE 1e-9
/* A moment, s, and what guards may be below 0 in it. */
#define MOMENT 2e-3
#define MOMENT_NOISE 1e-12
#define MOMENT_FORCE 1e-8

/* ---- geometry */

static double time_of(const meaning_run *r, const double *z)
{
    return z[r->n - 1];
}

static double gap_of(const meaning_run *r, const meaning_element *e, const double *z)
{
    double gap = e->offset + e->amplitude * sin(e->frequency * time_of(r, z));
    for (int i = 0; i < r->m->n_bodies; i++) gap += e->g[i] * z[2 * (size_t)i];
    return gap;
}

/* The rate of a gap, or a slip. */
static double rate_of(const meaning_run *r, const meaning_element *e, const double *z)
{
    double rate = e->kind == MEANING_FRICTION ? e->offset
                                              : e->amplitude * e->frequency * cos(e->frequency * time_of(r, z));
    for (int i = 0; i < r->m->n_bodies; i++) rate += e->g[i] * z[2 * i + 1];
    return rate;
}

static bool touches(const meaning_run *r, const meaning_element *e, const double *z)
{
    return e->kind == MEANING_STOP && gap_of(r, e, z) < NO_GAP;
}

/* Adds a force, or an impulse, to rates, or velocities. */
static void push(const meaning_run *r, const meaning_element *e, double force, double *x)
{
    for (int i = 0; i < r->m->n_bodies; i++) x[2 * i + 1] += force * e->g[i] / r->m->masses[i];
}

/* ---- forces and impulses */

/* Solves for amounts by which n elements change their rates w to the rates wanted; false: they are not determined. */
static bool solve_rates(const meaning_run *r, const int *which, int n, const double *wanted, double *amounts)
{
    double a[ELEMENTS][2 * MOST];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            a[i][j] = 0;
            for (int b = 0; b < r->m->n_bodies; b++)
                a[i][j] += r->m->elements[which[i]].g[b] * r->m->elements[which[j]].g[b] / r->m->masses[b];
        }
        a[i][n] = wanted[i];
    }
    const bool good = meaning_solve(n, 1, a, 1e-9);
    for (int k = 0; k < n && good; k++) amounts[k] = a[k][n];
    return good;
}

void meaning_add_forces(const meaning_run *r, const double *z, double *f, double *forces)
{
    int which[ELEMENTS] = {0}, n = 0;
    double wanted[ELEMENTS] = {0}, amounts[ELEMENTS] = {0};
    for (int k = 0; k < r->m->n_elements; k++) {
        const meaning_element *e = &r->m->elements[k];
        const int s = r->states[k];
        forces[k] = 0;
        if (e->kind == MEANING_CONTACT) continue;
        if (s == (e->kind == MEANING_STOP)) which[n++] = k;
        else if (e->kind == MEANING_FRICTION)
            forces[k] = e->normal * (s == 2 ? e->static_mu : s == -2 ? -e->static_mu : -s * e->kinetic_mu);
        push(r, e, forces[k], f);
    }
    for (int i = 0; i < n; i++) {
        const meaning_element *e = &r->m->elements[which[i]];
        wanted[i] = 0;
        for (int b = 0; b < r->m->n_bodies; b++) wanted[i] -= e->g[b] * f[2 * b + 1];
        if (e->kind == MEANING_STOP)
            wanted[i] += e->amplitude * e->frequency * e->frequency * sin(e->frequency * time_of(r, z));
    }
    const bool is_determined = solve_rates(r, which, n, wanted, amounts);
    for (int i = 0; i < n; i++) {
        forces[which[i]] = is_determined ? amounts[i] : NAN;
        push(r, &r->m->elements[which[i]], forces[which[i]], f);
    }
}

/* Adds the stops of a subset, which must be pressed ones, to the one that is hit. Returns their number; 0: it is none. */
static int list_holding(const meaning_run *r, int number, int subset, int *which)
{
    int n = 1;
    if ((subset >> number & 1) != 0) return 0;
    for (int k = 0; k < r->m->n_elements; k++) {
        if ((subset >> k & 1) == 0) continue;
        if (r->m->elements[k].kind != MEANING_STOP || r->states[k] != 1 || n == ELEMENTS) return 0;
        which[n++] = k;
    }
    return n;
}

/* Whether another stop on which a body rests is closed further. */
static bool is_driven_in(const meaning_run *r, int number, const double *z)
{
    bool is_in = false;
    for (int k = 0; k < r->m->n_elements; k++) {
        const meaning_element *e = &r->m->elements[k];
        is_in = is_in ||
                (r->states[k] == 1 && e->kind == MEANING_STOP && k != number && rate_of(r, e, z) < -NO_RATE);
    }
    return is_in;
}

/* An impact: the gap's rate changes its sign; other stops on which bodies rest hold, unless they would pull. */
static bool hit(meaning_run *r, int number, double *z)
{
    const meaning_element *elements = r->m->elements;
    const double rate = rate_of(r, &elements[number], z), back = -elements[number].restitution * rate;
    for (int subset = (1 << r->m->n_elements) - 1; subset >= 0; subset--) {
        int which[ELEMENTS] = {number};
        double wanted[ELEMENTS] = {(back < r->slow ? 0 : back) - rate}, impulses[ELEMENTS], after[MOST];
        const int n = list_holding(r, number, subset, which);
        if (n == 0 || !solve_rates(r, which, n, wanted, impulses)) continue;
        memcpy(after, z, sizeof after);
        bool is_good = true;
        for (int i = 0; i < n; i++) {
            push(r, &elements[which[i]], impulses[i], after);
            if (impulses[i] < -1e-12) is_good = false;
        }
        if (!is_good || is_driven_in(r, number, after)) continue;
        memcpy(z, after, sizeof after);
        r->states[number] = back < r->slow; /* it holds in later hits of this instant */
        return true;
    }
    return false;
}

/* Stops that are hit at this instant, in turn; gaps that are nearly 0 become 0. */
static void take_impacts(meaning_run *r, double *z)
{
    for (int sweep = 0; sweep < 3; sweep++) {
        for (int k = 0; k < r->m->n_elements; k++) {
            const meaning_element *e = &r->m->elements[k];
            if (!touches(r, e, z)) continue;
            double square = 0;
            for (int b = 0; b < r->m->n_bodies; b++) square += e->g[b] * e->g[b];
            const double gap = gap_of(r, e, z);
            for (int b = 0; b < r->m->n_bodies; b++) z[2 * (size_t)b] -= gap * e->g[b] / square;
        }
    }
    for (int hits = 0;; hits++) {
        int k = 0;
        while (k < r->m->n_elements &&
               !(touches(r, &r->m->elements[k], z) && rate_of(r, &r->m->elements[k], z) < -NO_RATE))
            k++;
        if (k == r->m->n_elements) return;
        if (hits == MOST_HITS || !hit(r, k, z)) {
            r->failure = "an impact is not determined";
            return;
        }
    }
}

/* ---- states */

/* What an element in its state keeps at least 0; `noise`: by how much it may fail. */
static double margin(const meaning_run *r, int k, const double *z, const double *forces, double *noise)
{
    const meaning_element *e = &r->m->elements[k];
    const int s = r->states[k];
    *noise = FORCE_NOISE;
    if (e->kind == MEANING_STOP && s == 1) return forces[k];
    if (e->kind == MEANING_FRICTION && s == 0) return e->normal * e->static_mu - fabs(forces[k]);
    *noise = e->kind == MEANING_STOP ? GAP_NOISE : s == 1 || s == -1 ? RATE_NOISE : NO_RATE;
    if (e->kind == MEANING_STOP) return gap_of(r, e, z);
    return s == 1 || s == -1 ? s * rate_of(r, e, z) : -fabs(rate_of(r, e, z));
}

void meaning_guards(const meaning_run *r, const double *z, double *guards)
{
    double forces[ELEMENTS], noise;
    if (r->m->n_elements > 0) meaning_forces(r, z, forces);
    for (int k = 0; k < r->m->n_elements; k++) {
        const double value =
            r->m->elements[k].kind == MEANING_CONTACT ? 1 : margin(r, k, z, forces, &noise) + noise;
        guards[k] = isnan(value) ? -1 : value;
    }
}

/* Whether the elements that are open keep their states for a moment, whose end is `next`. */
static bool lasts(const meaning_run *r, const bool *open, double moment, const double *z, double *next)
{
    for (int part = 1; part <= 4; part *= 2) {
        double forces[ELEMENTS], noise;
        meaning_step(r, moment * part / 4, z, next);
        meaning_forces(r, next, forces);
        for (int k = 0; k < r->m->n_elements; k++) {
            if (!open[k]) continue;
            const double now = margin(r, k, next, forces, &noise);
            if (noise == FORCE_NOISE ? !(now >= -MOMENT_FORCE)
                                     : !(now - margin(r, k, z, forces, &noise) >= -MOMENT_NOISE))
                return false;
        }
    }
    return true;
}

/* The states that an element can have; their number. */
static int choices_of(const meaning_run *r, int k, const double *z, bool is_held, int *choices)
{
    static const int at_rest[] = {0, 1, -1, 2, -2};
    const meaning_element *e = &r->m->elements[k];
    const double rate = rate_of(r, e, z);
    choices[0] = 0;
    choices[1] = 1;
    if (e->kind == MEANING_CONTACT) return 1;
    if (e->kind == MEANING_STOP) return touches(r, e, z) && rate < NO_RATE ? 2 : 1;
    memcpy(choices, at_rest, sizeof at_rest);
    if (fabs(rate) < NO_RATE) return is_held ? 5 : 3;
    choices[0] = rate > 0 ? 1 : -1;
    return 1;
}

/* Friction that rests counts twice as much as a stop that presses: it is preferred. */
static int rank_of(const meaning_run *r)
{
    int rank = 0;
    for (int k = 0; k < r->m->n_elements; k++)
        if (r->m->elements[k].kind == MEANING_FRICTION) rank += r->states[k] != 1 && r->states[k] != -1;
    return rank;
}

/* Finds the states that last for a moment. false: there are none. */
static bool choose(meaning_run *r, double moment, const double *z)
{
    int choices[ELEMENTS][5], n[ELEMENTS], total = 1, best = -1, best_states[ELEMENTS] = {0};
    double best_next[MOST], next[MOST];
    bool open[ELEMENTS], is_held = false, is_open = false;
    for (int k = 0; k < r->m->n_elements; k++)
        if (touches(r, &r->m->elements[k], z) && rate_of(r, &r->m->elements[k], z) < NO_RATE) is_held = true;
    for (int k = 0; k < r->m->n_elements; k++) {
        n[k] = choices_of(r, k, z, is_held, choices[k]);
        open[k] = n[k] > 1;
        if (open[k]) is_open = true;
        total *= n[k];
    }
    for (int i = 0; i < total; i++) {
        for (int k = 0, rest = i; k < r->m->n_elements; rest /= n[k++]) r->states[k] = choices[k][rest % n[k]];
        const int rank = rank_of(r);
        if (rank < best || (is_open && !lasts(r, open, moment, z, next))) continue;
        double apart = 0;
        for (int j = 0; j < r->n && best == rank && is_open; j++)
            apart = fmax(apart, fabs(next[j] - best_next[j]));
        if (apart > 1e-9) r->failure = "several motions are possible";
        if (rank == best) continue;
        best = rank;
        memcpy(best_states, r->states, sizeof best_states);
        memcpy(best_next, next, sizeof next);
    }
    memcpy(r->states, best_states, sizeof best_states);
    return best >= 0;
}

void meaning_decide(meaning_run *r, double *z)
{
    if (r->m->n_elements == 0) return;
    take_impacts(r, z);
    bool is_decided = false;
    for (double moment = MOMENT; moment > 1e-6 && !is_decided && r->failure == NULL; moment /= 10)
        is_decided = choose(r, moment, z);
    if (!is_decided && r->failure == NULL) r->failure = "no state of the elements lasts";
    int states[ELEMENTS];
    memcpy(states, r->states, sizeof states);
    if (r->failure == NULL && choose(r, MOMENT / 30, z) && memcmp(states, r->states, sizeof states) != 0)
        r->failure = "a state of the elements lasts for a moment only";
    memcpy(r->states, states, sizeof states);
    if (++r->events > MOST_EVENTS) r->failure = "too many events";
}
