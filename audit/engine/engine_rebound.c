/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_rebound.h"

#include "audit/engine/engine_impact.h"

#include <math.h>

/* Steps of flight that make an arc: more than a compliant contact looks like flight by chance. */
enum { ARC_STEPS = 5 };
/* Steps without a change by gravity that make a sleep; and the height in which it is seen, m. */
enum { SLEEP_STEPS = 8 };
#define IN_THE_AIR 1e-3
/* Greatest root mean square of a method's times, in steps. */
#define EXPLAINS 0.12
/* Contacts of more steps are compliant. */
enum { COMPLIANT_STEPS = 3 };

/* Time from this row to the touch nearest to it, s, along the parabola of its arc. */
static double time_to_touch(const ic_engine_state *row, double radius, double gravity)
{
    const double gap = row->y - radius, v = row->vy, root = v * v + 2 * gravity * gap;
    if (root < 0) return NAN;
    /* gap + v s - g s^2/2 = 0 */
    return -2 * gap / (v + copysign(sqrt(root), v));
}

static bool is_arc(const ic_engine_motion *m, size_t from, double step, const ic_engine_flight *flight)
{
    bool all = from + ARC_STEPS < m->n_rows;
    for (size_t i = from; all && i < from + ARC_STEPS; i++)
        all = ic_engine_is_free(&m->rows[i], flight->ball_gravity, step, flight);
    return all;
}

size_t ic_engine_find_rebounds(ic_engine_rebound *found, size_t most, const ic_engine_motion *m, double radius,
                               double step, const ic_engine_flight *flight)
{
    const double h = step * flight->clock, g = flight->ball_gravity;
    size_t n = 0, i = 0;
    while (i + 1 < m->n_rows && !is_arc(m, i, step, flight)) i++;
    while (n < most) {
        size_t last = i;
        while (last + 1 < m->n_rows && ic_engine_is_free(&m->rows[last], g, step, flight)) last++;
        size_t next = last + 1;
        while (next < m->n_rows && !is_arc(m, next, step, flight)) next++;
        if (next >= m->n_rows) break;
        const ic_engine_state *a = &m->rows[last], *b = &m->rows[next];
        const double touch = a->t + time_to_touch(a, radius, g), leave = b->t + time_to_touch(b, radius, g);
        i = next;
        if (!(a->vy < 0 && b->vy > 0)) continue;
        found[n++] = (ic_engine_rebound){.before = -a->vy,
                                         .after = b->vy,
                                         .gap = a->y - radius,
                                         .late = (leave - touch) / h,
                                         .fraction = touch / h - floor(touch / h),
                                         .steps = next - last};
    }
    return n;
}

double ic_engine_lift(const ic_engine_rebound *rebound, double step)
{
    return rebound->late < 0 ? -rebound->late * step * rebound->after : 0;
}

/* ---- methods */

/*
 * Time in steps by which a rebound is late that touches at the fraction f of a step. A body that
 * turns round in the depth d below the ground has come late by d/v and goes back for d/(e v).
 */
typedef double lateness(double f, double e);

static double located(double f, double e)
{
    return 0 * f * e;
}

static double at_end(double f, double e)
{
    return (1 - f) * (1 + 1 / e);
}

static double at_end_projected(double f, double e)
{
    return (1 - f) + 0 * e;
}

static double at_start(double f, double e)
{
    return -f * (1 + 1 / e);
}

/* Contact is decided in the middle of the step: y + h v/2 <= 0. */
static double in_the_middle(double f, double e)
{
    return ((f < 0.5 ? 0.5 : 1.5) - f) * (1 + 1 / e);
}

/* gap(i + 1) = -e gap(i - 1) */
static double by_two_steps(double f, double e)
{
    return 2 + 0 * f * e;
}

static const struct {
    const char *name;
    lateness *late;
} methods[] = {
    {"event-driven: impacts are located (or steps are much smaller than those of the rows)", located},
    {"time stepping: impacts at the end of the step", at_end},
    {"time stepping: impacts at the end of the step, with projection to the surface", at_end_projected},
    {"time stepping: impacts at the start of the step that would enter the ground", at_start},
    {"Moreau-Jean time stepping: contact is decided in the middle of the step", in_the_middle},
    {"Schatzman-Paoli time stepping, or a contact of two steps", by_two_steps},
};

static double misfit_of(size_t method, const ic_engine_rebound *r, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow(r[i].late - methods[method].late(r[i].fraction, r[i].after / r[i].before), 2);
    return sqrt(sum / (double)n);
}

/* Whether all rebounds take less than half a step. */
static bool is_short(const ic_engine_rebound *r, size_t n)
{
    bool all = true;
    for (size_t i = 0; i < n; i++) all &= fabs(r[i].late) < 0.5;
    return all;
}

/* Whether rebounds take the same time wherever in a step they begin. */
static bool takes_time(const ic_engine_rebound *r, size_t n)
{
    double mean = 0, square = 0;
    size_t steps = 0;
    for (size_t i = 0; i < n; i++) mean += r[i].late / (double)n;
    for (size_t i = 0; i < n; i++) {
        square += (r[i].late - mean) * (r[i].late - mean) / (double)n;
        steps += r[i].steps;
    }
    return mean > 0 && (sqrt(square) < EXPLAINS || steps >= COMPLIANT_STEPS * n);
}

const char *ic_engine_method_of(const ic_engine_rebound *rebounds, size_t n)
{
    double least = EXPLAINS;
    const char *name = NULL;
    if (n < 2) return "too few rebounds to tell";
    for (size_t i = 0; i < IC_COUNT(methods); i++) {
        const double misfit = misfit_of(i, rebounds, n);
        if (!(misfit < least)) continue;
        least = misfit;
        name = methods[i].name;
    }
    if (name != NULL) return name;
    if (is_short(rebounds, n)) return "smaller steps than those of the rows, or a short contact";
    return takes_time(rebounds, n)
               ? "compliant contact, or time stepping in a few smaller steps: impacts take time"
               : "no known method";
}

bool ic_engine_sleeps(const ic_engine_motion *m, double radius, double step, const ic_engine_flight *flight,
                      double *from)
{
    const double falls = fabs(flight->ball_gravity) * step * flight->clock;
    size_t still = 0;
    for (size_t i = 2; falls > 0 && i + 1 < m->n_rows; i++) {
        const ic_engine_state *a = &m->rows[i];
        const bool stays =
            fabs(a[1].vy - a->vy) < falls / 10 && fabs(a->vy) < 2 * falls && a->y - radius > IN_THE_AIR;
        still = stays ? still + 1 : 0;
        if (still < SLEEP_STEPS) continue;
        *from = a[1].t - (double)still * step;
        return true;
    }
    return false;
}
