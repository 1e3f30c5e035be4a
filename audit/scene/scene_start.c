/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include <math.h>

/* part of a vector by which it may be off: single precision, turned back and forth */
#define CLOSE 1e-4
/* of a vector that is zero: m, m/s, rad/s */
#define SMALL 1e-4
/* 1 less the cosine of half the angle by which an orientation may be off, 9e-3 rad: Box2D 3 approximates angles */
#define TURNED 1e-5
/* part by which a ratio of vectors may be off to be recognised */
#define ALIKE 1e-3

static double length(const double v[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += v[k] * v[k];
    return sqrt(sum);
}

static double product(const double *a, const double *b, size_t n)
{
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += a[k] * b[k];
    return sum;
}

static double apart(const double *a, const double *b, double factor)
{
    const double d[] = {a[0] - factor * b[0], a[1] - factor * b[1], a[2] - factor * b[2]};
    return length(d);
}

/* The mistake by which a vector differs from the right one. */
static ic_mistake_id compare(const double *is, const double *due)
{
    const double size = length(due), factor = size > 0 ? product(is, due, 3) / (size * size) : 0;
    if (factor == 0 || !(apart(is, due, factor) <= ALIKE * length(is))) return IC_MISTAKE_START_IGNORED;
    const double degrees = 180 / acos(-1), power = log10(fabs(factor));
    if (fabs(factor + 1) < ALIKE) return IC_MISTAKE_SIGN_REVERSED;
    if (fabs(fabs(factor) / degrees - 1) < ALIKE || fabs(fabs(factor) * degrees - 1) < ALIKE ||
        (fabs(power) > 0.5 && fabs(power - round(power)) < ALIKE))
        return IC_MISTAKE_UNITS_MIXED;
    return IC_MISTAKE_START_IGNORED;
}

static bool check_vector(ic_scene_motion *m, const char *body, const char *what, const char *unit,
                         const double *is, const double *due)
{
    if (apart(is, due, 1) <= CLOSE * length(due) + SMALL) return true;
    m->end = IC_MOTION_STARTS_ELSEWHERE;
    m->cause = compare(is, due);
    snprintf(m->detail, sizeof m->detail,
             "it starts elsewhere: the %.12s of '%.30s' is (%.3g, %.3g, %.3g) and not (%.3g, %.3g, %.3g) %.8s",
             what, body, is[0] + 0.0, is[1] + 0.0, is[2] + 0.0, due[0] + 0.0, due[1] + 0.0, due[2] + 0.0, unit);
    return false;
}

/* The orientation of a body that is no sphere, which looks the same in all of them. */
static bool check_orientation(ic_scene_motion *m, const ic_world_body *body, const double *is)
{
    const double *due = body->turned, last[] = {is[3], is[0], is[1], is[2]};
    if (ic_world_is_round(body) || fabs(product(is, due, 4)) >= 1 - TURNED) return true;
    const bool inverse = fabs(is[0] * due[0] - product(is + 1, due + 1, 3)) >= 1 - TURNED;
    const bool exchanged = fabs(product(last, due, 4)) >= 1 - TURNED;
    m->end = IC_MOTION_STARTS_ELSEWHERE;
    m->cause = exchanged ? IC_MISTAKE_COLUMNS_EXCHANGED
               : inverse ? IC_MISTAKE_SIGN_REVERSED
                         : IC_MISTAKE_START_IGNORED;
    snprintf(m->detail, sizeof m->detail,
             "it starts elsewhere: the orientation of '%.30s' is (%.3g, %.3g, %.3g, %.3g) and not (%.3g, %.3g, "
             "%.3g, %.3g)%s",
             body->name, is[0] + 0.0, is[1] + 0.0, is[2] + 0.0, is[3] + 0.0, due[0] + 0.0, due[1] + 0.0,
             due[2] + 0.0, due[3] + 0.0,
             exchanged ? ": W comes first"
             : inverse ? ": it is the inverse"
                       : "");
    return false;
}

void ic_scene_check_start(ic_scene_motion *m, const ic_world *world)
{
    for (size_t i = 0; i < world->n_bodies && m->end == IC_MOTION_COMPLETE; i++) {
        const ic_world_body *body = &world->bodies[i];
        const double *row = m->rows + i * IC_SCENE_QUANTITY_COUNT;
        if (body->fixed) continue;
        if (check_vector(m, body->name, "place", "m", row + IC_SCENE_X, body->at) &&
            check_orientation(m, body, m->turned + 4 * i) &&
            check_vector(m, body->name, "velocity", "m/s", row + IC_SCENE_VX, body->velocity))
            check_vector(m, body->name, "spin", "rad/s", row + IC_SCENE_WX, body->spin);
    }
}
