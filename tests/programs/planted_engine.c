/* SPDX-License-Identifier: MIT */
/* A planted engine: exact flight, and at the beginning of the step after the contact an impact by
   one of our maps. Variants: the name of a law, which is correct; or of a mistake. */
#include "registry/registry.h"
#include "tests/programs/planted_scene.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THRESHOLD 0.5 /* m/s */
#define PLASTIC 0.1   /* restitution, whatever is requested */
#define HALF_RESTITUTION 0.5
#define TOO_MUCH 1.2       /* fraction of the speed before */
#define THIN 0.1           /* m; depth of the ground */
#define FADES 0.1          /* 1/s */
#define MANY_SECONDS 1000u /* longer than any test waits */

typedef struct body {
    double x, y, phi, vx, vy, omega;
} body;

/* ---- variants that return no motion */

static void break_before(const scene *s)
{
    if (scene_is(s, "hangs")) sleep(MANY_SECONDS);
    if (scene_is(s, "fails")) exit(3);
    if (scene_is(s, "hides")) {
        fclose(s->out);
        sleep(MANY_SECONDS);
    }
    if (scene_is(s, "crashes")) {
        fflush(s->out);
        raise(SIGKILL);
    }
}

/* The header of the rows is in the stream's buffer, and is lost with it. */
static void write_nonsense(const scene *s)
{
    static const char words[] = "Engine 1.0 (debug build)\n";
    const int fd = fileno(s->out);
    if (scene_is(s, "garbage") && write(fd, words, sizeof words - 1) < 0) _exit(3);
    if (scene_is(s, "garbage") || scene_is(s, "silent")) _exit(0);
}

static void break_row(const scene *s, double t, body *b)
{
    if (t < s->until / 2) return;
    if (scene_is(s, "not-finite")) b->vy = NAN;
    if (scene_is(s, "back-in-time")) scene_row(s, 0, b->x, b->y, b->phi, b->vx, b->vy, b->omega);
    if (scene_is(s, "cut-short")) fprintf(s->out, "0.5,1,");
}

/* ---- the impact */

static double restitution_of(const scene *s, const body *b, double overlap)
{
    if (scene_is(s, "ignores-e")) return PLASTIC;
    if (scene_is(s, "half")) return HALF_RESTITUTION;
    if (scene_is(s, "threshold") && -b->vy < THRESHOLD) return 0;
    if (scene_is(s, "by-phase")) return s->e * fmin(1, overlap / (s->impact_speed * s->step));
    return s->e;
}

/* The registered map of the variant, newton where it has none; newton-at-once is defined in
   audit/engine/engine_fault_models.c. */
static void velocity_after_impact(double P[2], const scene *s, const ic_impact *p)
{
    const ic_impact_map *map = ic_impact_map_find(s->variant);
    ic_impact_result result;
    if (map == NULL) map = ic_impact_map_find("newton");
    if (map->map(&result, p) != IC_OK) exit(3);
    memcpy(P, result.P, sizeof result.P);
    if (!scene_is(s, "newton-at-once")) return;
    const double d_x = -p->v[0], d_y = -(1 + p->e) * p->v[1], det = p->w_xx * p->w_yy - p->w_xy * p->w_xy;
    P[0] = (p->w_yy * d_x - p->w_xy * d_y) / det;
    P[1] = (p->w_xx * d_y - p->w_xy * d_x) / det;
    for (int slip = 1; slip >= -1 && fabs(P[0]) > p->mu * P[1] * (1 + 1e-12); slip -= 2) {
        const double P_y = d_y / (p->w_yy - slip * p->mu * p->w_xy), P_x = -slip * p->mu * P_y;
        if (P_y <= 0 || slip * (p->v[0] + p->w_xx * P_x + p->w_xy * P_y) < 0) continue;
        P[0] = P_x;
        P[1] = P_y;
        break;
    }
}

/* Bounds friction by the normal impulse as it would be without friction. */
static void bound_friction(double P[2], const ic_impact *p)
{
    const double d_x = -p->v[0], d_y = -(1 + p->e) * p->v[1], most = p->mu * d_y / p->w_yy;
    const double stop = (p->w_yy * d_x - p->w_xy * d_y) / (p->w_xx * p->w_yy - p->w_xy * p->w_xy);
    P[0] = fmax(fmin(stop, most), -most);
    P[1] = (d_y - p->w_xy * P[0]) / p->w_yy;
}

static void collide_with_ground(const scene *s, body *b)
{
    const double c = cos(b->phi), n = sin(b->phi);
    const double r_x = c * s->sphere_x + n * s->sphere_y, r_y = c * s->sphere_y - n * s->sphere_x - s->radius;
    const double overlap = -(b->y + r_y);
    ic_impact p = {.v = {b->vx + b->omega * r_y, b->vy - b->omega * r_x}, .k_x = 1, .k_y = 1};
    double P[2];
    /* also not where they are NAN */
    if (!(overlap >= 0 && p.v[1] < 0) || scene_is(s, "falls-through")) return;
    if (scene_is(s, "thin") && overlap > THIN) return;
    p.w_xx = 1 / s->mass + r_y * r_y / s->inertia;
    p.w_xy = -r_x * r_y / s->inertia;
    p.w_yy = 1 / s->mass + r_x * r_x / s->inertia;
    if (scene_is(s, "rigid-solves") || scene_is(s, "no-turn")) p.w_xx = p.w_yy = 1 / s->mass, p.w_xy = 0;
    p.mu = scene_is(s, "frictionless") ? 0 : s->mu;
    p.e = restitution_of(s, b, overlap);
    if (scene_is(s, "half-friction")) p.mu *= 0.5;
    velocity_after_impact(P, s, &p);
    if (scene_is(s, "fixed-bound")) bound_friction(P, &p);
    b->vx += P[0] / s->mass;
    b->vy += P[1] / s->mass;
    if (!scene_is(s, "no-turn")) b->omega += (r_y * P[0] - r_x * P[1]) / s->inertia;
    if (scene_is(s, "gains")) b->vy *= TOO_MUCH / s->e;
}

int main(int argc, char **argv)
{
    const scene s = scene_read(argc, argv);
    body b = {s.x, s.y, s.phi, s.vx, s.vy, s.omega};
    write_nonsense(&s);
    break_before(&s);
    scene_row(&s, 0, b.x, b.y, b.phi, b.vx, b.vy, b.omega);
    for (long i = 1, n = scene_steps(&s); i <= n; i++) {
        collide_with_ground(&s, &b);
        b.x += s.step * b.vx;
        b.y += s.step * (b.vy - s.step * s.gravity / 2);
        b.vy -= s.step * s.gravity;
        b.phi += s.step * b.omega * (scene_is(&s, "turns-late") ? 0.9 : 1);
        if (scene_is(&s, "fades") || (scene_is(&s, "bar-fades") && s.sphere_x != 0))
            b.omega *= 1 - FADES * s.step;
        break_row(&s, (double)i * s.step, &b);
        scene_row(&s, (double)i * s.step, b.x, b.y, b.phi, b.vx, b.vy, b.omega);
    }
    return scene_close(&s);
}
