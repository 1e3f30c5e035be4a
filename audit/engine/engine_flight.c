/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_flight.h"

#include "audit/engine/engine_scene.h"

#include <math.h>

/* the first row that is used */
enum { FIRST = 2, LEAST_ROWS = 10 };

ic_engine_flight ic_engine_flight_right(void)
{
    return (ic_engine_flight){.ball_gravity = IC_ENGINE_GRAVITY, .angle_unit = 1, .spin_unit = 1, .clock = 1};
}

/* q(t) = at_start + rate t + bend t^2/2 by least squares over rows, whose times are evenly spaced. */
typedef struct curve {
    double at_start, rate, bend;
} curve;

typedef double member(const ic_engine_state *row);

static double x_of(const ic_engine_state *row)
{
    return row->x;
}
static double y_of(const ic_engine_state *row)
{
    return row->y;
}
static double phi_of(const ic_engine_state *row)
{
    return row->phi;
}
static double vx_of(const ic_engine_state *row)
{
    return row->vx;
}
static double vy_of(const ic_engine_state *row)
{
    return row->vy;
}
static double omega_of(const ic_engine_state *row)
{
    return row->omega;
}

static double mean_of(const ic_engine_motion *m, member *q)
{
    double sum = 0;
    for (size_t i = FIRST; i < m->n_rows; i++) sum += q(&m->rows[i]);
    return sum / (double)(m->n_rows - FIRST);
}

/* By orthogonal polynomials in the time from the middle: 1, s and s^2 - <s^2>. */
static curve fit_curve(const ic_engine_motion *m, member *q, bool bends)
{
    const double middle = (m->rows[FIRST].t + m->rows[m->n_rows - 1].t) / 2, mean = mean_of(m, q);
    double squares = 0, by_rate = 0, fourth = 0, by_bend = 0;
    for (size_t i = FIRST; i < m->n_rows; i++) squares += pow(m->rows[i].t - middle, 2);
    const double mean_square = squares / (double)(m->n_rows - FIRST);
    for (size_t i = FIRST; i < m->n_rows; i++) {
        const double s = m->rows[i].t - middle, p = s * s - mean_square, value = q(&m->rows[i]) - mean;
        by_rate += s * value;
        by_bend += p * value;
        fourth += p * p;
    }
    const double c = bends ? by_bend / fourth : 0, b = by_rate / squares;
    return (curve){.at_start = mean - b * middle + c * (middle * middle - mean_square),
                   .rate = b - 2 * c * middle,
                   .bend = 2 * c};
}

/*
 * By how many steps the first row used lags behind a quantity that begins at `start`; NAN: the
 * quantity hardly changes. Rows far from the start would add what damping does.
 */
static double lateness(const ic_engine_motion *m, member *q, double start, double rate, double step)
{
    const double moves = rate * step;
    return fabs(moves) > 1e-6 ? FIRST - (q(&m->rows[FIRST]) - start) / moves : NAN;
}

/* Rows of angles may be reduced to one turn. */
static void unwind(ic_engine_motion *m)
{
    for (size_t i = 1; i < m->n_rows; i++) {
        const double turn = m->rows[i].phi - m->rows[i - 1].phi;
        if (fabs(turn) > M_PI && fabs(remainder(turn, 2 * M_PI)) < 0.1)
            m->rows[i].phi = m->rows[i - 1].phi + remainder(turn, 2 * M_PI);
    }
}

static double worst_deviation(const ic_engine_motion *m, const curve *line, member *q)
{
    double worst = 0;
    for (size_t i = FIRST; i < m->n_rows; i++)
        worst = fmax(worst, fabs(q(&m->rows[i]) - line->at_start - line->rate * m->rows[i].t));
    return worst;
}

bool ic_engine_fit_flight(ic_engine_fit *fit, const ic_engine_motion *motion, const ic_engine_state *start,
                          double lowest, double step)
{
    ic_engine_motion m = *motion;
    size_t high = 0;
    while (high < m.n_rows && m.rows[high].y > lowest) high++;
    m.n_rows = high;
    if (m.n_rows < LEAST_ROWS) return false;
    unwind(&m);
    const ic_engine_state *first = &m.rows[FIRST], *last = &m.rows[m.n_rows - 1];
    const curve x = fit_curve(&m, x_of, false), phi = fit_curve(&m, phi_of, false),
                y = fit_curve(&m, y_of, true), vy = fit_curve(&m, vy_of, false);
    *fit = (ic_engine_fit){.by_velocity = -vy.rate,
                           .by_position = -y.bend,
                           .vx = mean_of(&m, vx_of),
                           .vy = mean_of(&m, vy_of),
                           .omega = mean_of(&m, omega_of),
                           .x_rate = x.rate,
                           .turn_rate = phi.rate,
                           .time = last->t - first->t,
                           .vx_change = first->vx != 0 ? last->vx / first->vx - 1 : 0,
                           .omega_change = first->omega != 0 ? last->omega / first->omega - 1 : 0,
                           .x_late = lateness(&m, x_of, start->x, x.rate, step),
                           .turn_late = lateness(&m, phi_of, start->phi, phi.rate, step),
                           .vy_late = lateness(&m, vy_of, start->vy, vy.rate, step)};
    double sum = 0;
    for (const ic_engine_state *row = first; row < last; row++) sum += (row[1].y - row->y) / step - row->vy;
    const double falls = vy.rate * step;
    fit->step_kind = fabs(falls) > 1e-6 ? sum / (double)(last - first) / falls : NAN;
    fit->crooked = worst_deviation(&m, &vy, vy_of) / fmax(fabs(vy.rate) * (last->t - first->t), 1e-3);
    return true;
}

void ic_engine_flight_correct(ic_engine_motion *motion, const ic_engine_flight *flight)
{
    for (size_t i = 0; i < motion->n_rows; i++) {
        ic_engine_state *row = &motion->rows[i];
        row->t *= flight->clock;
        /* The first row is the start, which many engines pass on as it is. */
        if (i > 0) {
            row->phi /= flight->angle_unit;
            row->omega /= flight->spin_unit;
        }
    }
}
