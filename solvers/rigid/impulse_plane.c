/* SPDX-License-Identifier: MIT */
/*
 * Routh's construction in the plane of impulses.
 *
 *     v = v(0) + W P,     P = (0, 0) at the start.
 *
 * The path consists of straight lines. On each, with the length u along it and the sign s of v_x,
 *
 *     sliding:    dP/du = (-s mu, 1) q,            dv_x/du = a = (w_xy - s mu w_xx) q,   dv_y/du = b = (w_yy - s mu w_xy) q,
 *     sticking:   dP/du = (-w_xy/w_xx, 1),         a = 0,                                b = det W/w_xx,
 *     D_N' = -v_y P_y',   D_T' = -v_x P_x',
 *
 * so that v is linear and D_N and D_T are quadratic in u: on a line, D_N grows by minus the mean of
 * v_y times the gain of P_y. q is 1 for mu <= 1, and else the power of two for which mu q lies in
 * [1, 2), so that a large mu cannot overflow.
 *
 * Sliding stops after u = -v_x/a if s a < 0. Then, as in an impact that begins with v_x = 0, the
 * point sticks if |w_xy| <= mu w_xx (the line of sticking lies in the cone). Otherwise it slides
 * (back, after a stop) to s = sign(w_xy), and does not stop again: s a = |w_xy| - mu w_xx > 0.
 *
 * Compression ends after u = -v_y/b if b > 0. If b <= 0 (self-locking), s mu w_xy >= w_yy, so that
 *
 *     s a = s w_xy - mu w_xx <= (w_xy^2 - w_xx w_yy)/(s w_xy) < 0:
 *
 * sliding stops before compression could fail to end. And if it does not stop, mu <= s w_xy/w_xx
 * and b >= det W/w_xx > 0. So one of the two lengths is finite, and comparing them needs no case
 * distinction: for b close to 0, -v_y/b is merely long. After the end of compression v_y > 0 grows,
 * so b > 0 there.
 *
 * Accuracy: a and b of sliding have one rounding each by fma, and the signs of a and b are exact;
 * det W by Kahan's two products has a relative error of two units in the last place (Jeannerod,
 * Louvet & Muller 2013). Velocities that are zero at a corner are set to zero.
 */
#include "solvers/rigid/impulse_plane.h"
#include "core/numbers.h"

#include <float.h>
#include <math.h>

/*
 * A stop coincides with another end of the line if their lengths agree within this relative
 * tolerance. Each length has one rounding of a or b, one of the quotient and, at lift-off, about
 * four of the hypothesis and one of the sum, of half a DBL_EPSILON each, so two of them differ by
 * at most 5 DBL_EPSILON. The rest allows for one rounding in each number of the impact.
 */
#define COINCIDENCE (8 * DBL_EPSILON)

typedef struct impulse_path {
    const ic_impact *impact;
    ic_impact_result *result;
    ic_impulse_line line;

    /* length from the first corner of the line to the last one */
    double gone;

    /* length from the last corner to the stop; INFINITY if no stop exists */
    double stop;
} impulse_path;

/* ---- faults */

static bool is_magnitude(double value)
{
    return value >= IC_LEAST_IMPACT && value <= IC_MOST_IMPACT;
}

/* x y - z^2 by Kahan's two products */
static double determinant(double x, double y, double z)
{
    const double square = z * z;
    return fma(x, y, -square) - fma(z, z, -square);
}

const char *ic_impact_fault(const ic_impact *impact)
{
    const double v_x = impact->v[0], v_y = impact->v[1];
    const double w_xx = impact->w_xx, w_xy = impact->w_xy, w_yy = impact->w_yy;
    if (!isfinite(v_x) || !isfinite(v_y)) return "the relative velocity is not finite";
    if (!isfinite(w_xx) || !isfinite(w_xy) || !isfinite(w_yy)) return "the inverse mass matrix is not finite";
    if (!isfinite(impact->mu) || !isfinite(impact->e)) return "mu or e is not finite";
    if (v_y >= 0) return "the bodies do not approach: v_y >= 0";
    if (impact->mu < 0) return "the coefficient of friction is negative";
    if (impact->e < 0 || impact->e > 1) return "the coefficient of restitution lies outside [0, 1]";
    if (w_xx <= 0 || w_yy <= 0) return "the inverse mass matrix is not positive definite";
    if (!is_magnitude(-v_y) || fabs(v_x) > IC_MOST_IMPACT)
        return "the relative velocity is out of range: magnitudes from 1e-75 to 1e75 m/s are computed with";
    if (!is_magnitude(w_xx) || !is_magnitude(w_yy) || fabs(w_xy) > IC_MOST_IMPACT)
        return "the inverse mass matrix is out of range: magnitudes from 1e-75 to 1e75 per kg are computed "
               "with";
    return determinant(w_xx, w_yy, w_xy) > 0 ? NULL : "the inverse mass matrix is not positive definite";
}

/* ---- lines */

static ic_impulse_line sliding_line(const ic_impact *impact, int s)
{
    int exponent = 0;
    frexp(impact->mu, &exponent);
    const double q = impact->mu > 1 ? ldexp(1, 1 - exponent) : 1;
    const double friction = -s * (impact->mu * q);
    return (ic_impulse_line){.mode = s > 0 ? IC_IMPACT_RIGID_PLUS : IC_IMPACT_RIGID_MINUS,
                             .d = {friction, q},
                             .a = fma(friction, impact->w_xx, impact->w_xy * q),
                             .b = fma(friction, impact->w_xy, impact->w_yy * q)};
}

/*
 * Chooses the line on which the path continues at v_x; from rest, the point of contact may stick.
 */
static void choose_line(impulse_path *p, double v_x)
{
    const double w_xx = p->impact->w_xx, w_xy = p->impact->w_xy;
    if (v_x == 0 && fma(-p->impact->mu, w_xx, fabs(w_xy)) <= 0) {
        p->line = (ic_impulse_line){.mode = IC_IMPACT_RIGID_STICKING,
                                    .d = {-w_xy / w_xx, 1},
                                    .b = determinant(w_xx, p->impact->w_yy, w_xy) / w_xx};
    } else {
        p->line = sliding_line(p->impact, v_x != 0 ? ic_sign(v_x) : w_xy > 0 ? 1 : -1);
    }
    p->stop = ic_sign(v_x) * p->line.a < 0 ? -v_x / p->line.a : INFINITY;
    p->gone = 0;
}

/* ---- corners */

static ic_impact_point *last_corner(const impulse_path *p)
{
    return &p->result->path[p->result->n_path - 1];
}

static void add_corner(impulse_path *p, const ic_impact_point *point)
{
    p->result->path[p->result->n_path++] = *point;
}

/* The point at length u from the last corner. */
static ic_impact_point point_at(const impulse_path *p, double u, const char *event)
{
    const ic_impact_point *from = last_corner(p);
    const ic_impulse_line *line = &p->line;
    return (ic_impact_point){.event = event,
                             .mode = line->mode,
                             .P = {from->P[0] + line->d[0] * u, from->P[1] + line->d[1] * u},
                             .v = {from->v[0] + line->a * u, from->v[1] + line->b * u}};
}

/* Adds a corner at length u from the last one, with its energies. */
static void add_corner_at(impulse_path *p, double u, ic_impact_point *point)
{
    const ic_impact_point *from = last_corner(p);
    const double half = 0.5 * u;
    point->D_N = from->D_N - half * p->line.d[1] * (from->v[1] + point->v[1]);
    p->result->D_T -= half * p->line.d[0] * (from->v[0] + point->v[0]);
    add_corner(p, point);
}

/* Whether the point of contact stops before length u, or at it (*tied). */
static bool stops_before(const impulse_path *p, double u, bool *tied)
{
    *tied = u < INFINITY && fabs(p->stop - u) <= COINCIDENCE * (p->gone + u);
    return *tied || p->stop < u;
}

/* Adds the corner of a stop. v_y: the normal velocity there if it is known, otherwise NAN. */
static void add_stop(impulse_path *p, double v_y)
{
    const double u = p->stop;
    ic_impact_point point = point_at(p, u, IC_IMPACT_STOP);
    point.v[0] = 0;
    if (!isnan(v_y)) point.v[1] = v_y;
    add_corner_at(p, u, &point);
    choose_line(p, 0);
    last_corner(p)->mode = p->line.mode;
}

static double length_of_compression(const impulse_path *p)
{
    return p->line.b > 0 ? -last_corner(p)->v[1] / p->line.b : INFINITY;
}

/* Follows the path to the end of compression, and returns its corner. */
static const ic_impact_point *follow_compression(impulse_path *p)
{
    bool tied = false;
    double u = length_of_compression(p);
    if (stops_before(p, u, &tied)) {
        add_stop(p, tied ? 0 : NAN);
        u = length_of_compression(p);
    }
    ic_impact_point point = point_at(p, u, IC_IMPACT_COMPRESSION_END);
    point.v[1] = 0;
    if (p->impact->e == 0) point.mode = IC_IMPACT_LIFTED_OFF;
    add_corner_at(p, u, &point);
    p->stop -= u;
    p->gone = u;
    return last_corner(p);
}

/* The length to lift-off by the hypothesis; 0 if e = 0. */
static double length_of_restitution(const impulse_path *p, const ic_impact_point *compressed,
                                    ic_restitution_hypothesis *hypothesis)
{
    const ic_restitution r = {p->impact, compressed, last_corner(p), &p->line};
    return p->impact->e > 0 ? fmax(hypothesis(&r), 0) : 0;
}

static void follow_restitution(impulse_path *p, const ic_impact_point *compressed,
                               ic_restitution_hypothesis *hypothesis)
{
    bool tied = false;
    double u = length_of_restitution(p, compressed, hypothesis);
    if (stops_before(p, u, &tied)) {
        add_stop(p, NAN);
        u = tied ? 0 : length_of_restitution(p, compressed, hypothesis);
    }
    ic_impact_point point = point_at(p, u, IC_IMPACT_LIFT_OFF);
    point.mode = IC_IMPACT_LIFTED_OFF;
    add_corner_at(p, u, &point);
}

ic_status ic_impulse_path(ic_impact_result *result, const ic_impact *impact,
                          ic_restitution_hypothesis *hypothesis)
{
    impulse_path p = {.impact = impact, .result = result};
    *result = (ic_impact_result){.n_path = 0};
    if (ic_impact_fault(impact) != NULL) return IC_INVALID;
    choose_line(&p, impact->v[0]);
    add_corner(
        &p, &(const ic_impact_point){.event = "start", .mode = p.line.mode, .v = {impact->v[0], impact->v[1]}});
    follow_restitution(&p, follow_compression(&p), hypothesis);
    const ic_impact_point *end = last_corner(&p);
    for (int i = 0; i < 2; i++) {
        result->v[i] = end->v[i];
        result->P[i] = end->P[i];
    }
    result->D_N = end->D_N;
    return IC_OK;
}
