/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/track/track.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS = 20 };

/*
 * Tukey's biweight: points beyond this many deviations have no weight; 95 % efficient for normal
 * errors.
 */
#define BIWEIGHT 4.685
/*
 * The scatter of few points is widened by Student's quantile at five deviations, as in
 * audit/trajectory/track/noise.c.
 */
#define FEW 8
/* Ratio of a deviation to a floor, which is a bound on an error. */
#define FLOOR (1 / 3.0)

/* Deviation of z about a line; points are weighted by their slope. */
static double scatter_about(double slope, const ic_slope_point *points, size_t n, ic_weighted *room)
{
    for (size_t i = 0; i < n; i++)
        room[i] = (ic_weighted){fabs(points[i].z - slope * points[i].a), fabs(points[i].a)};
    return ic_weighted_median(room, n) / IC_NORMAL_MEDIAN;
}

/* Minimises the sum of |z - s a|: the median of z/a with weights |a|. */
static double first_slope(const ic_slope_point *points, size_t n, ic_weighted *room)
{
    for (size_t i = 0; i < n; i++) room[i] = (ic_weighted){points[i].z / points[i].a, fabs(points[i].a)};
    return ic_weighted_median(room, n);
}

static double weight_of(const ic_slope_point *p, const ic_fitted_slope *s)
{
    const double distance = (p->z - s->value * p->a) / (BIWEIGHT * hypot(s->scatter, p->floor));
    return fabs(distance) < 1 ? (1 - distance * distance) * (1 - distance * distance) : 0;
}

static void refine_slope(ic_fitted_slope *s, const ic_slope_point *points, size_t n)
{
    for (int step = 0; step < STEPS; step++) {
        double along = 0, square = 0;
        for (size_t i = 0; i < n; i++) {
            const double w = weight_of(&points[i], s);
            along += w * points[i].a * points[i].z;
            square += w * points[i].a * points[i].a;
        }
        if (!(square > 0)) return;
        s->value = along / square;
    }
}

/*
 * Deviation of the slope from the observed errors. Each error counts at its own place, because
 * errors may differ in size, and errors are summed within groups. Floors may all have one sign,
 * because a periodic motion is rounded in the same way each time.
 */
static void find_deviation(ic_fitted_slope *s, const ic_slope_point *points, size_t n, double shared)
{
    double square = 0, fourth = 0, errors = 0, floors = 0, expected = 0, all = 0;
    for (size_t first = 0, i = 0; first < n; first = i) {
        double group = 0, error = 0, together = 0;
        for (; i < n && points[i].group == points[first].group; i++) {
            const ic_slope_point *p = &points[i];
            const double weight = weight_of(p, s);
            all += p->a * p->a;
            together += fabs(p->a);
            group += weight * p->a * p->a;
            error += weight * p->a * (p->z - s->value * p->a);
            floors += weight * fabs(p->a) * p->floor;
        }
        square += group;
        fourth += group * group;
        errors += error * error;
        expected += together * together;
    }
    s->n = square * square / fourth / shared;
    s->deviation =
        square > 0 ? hypot(sqrt(shared * errors) * (1 + FEW / s->n), FLOOR * floors) / square : INFINITY;
    /*
     * For few groups, the expected errors count too: one error may be the reason for the whole
     * scatter of a group.
     */
    if (!(s->n >= FEW)) s->deviation = fmax(s->deviation, sqrt(shared * expected) / all);
}

ic_fitted_slope ic_robust_slope(const ic_slope_point *points, size_t n, double shared)
{
    ic_fitted_slope s = {.value = NAN, .deviation = INFINITY};
    ic_weighted *room = n > 0 ? malloc(n * sizeof *room) : NULL;
    if (room == NULL) return s;
    s.before = scatter_about(0, points, n, room);
    s.value = first_slope(points, n, room);
    s.scatter = scatter_about(s.value, points, n, room);
    refine_slope(&s, points, n);
    s.scatter = scatter_about(s.value, points, n, room);
    find_deviation(&s, points, n, shared);
    free(room);
    return s;
}
