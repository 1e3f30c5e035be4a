/* SPDX-License-Identifier: MIT */
/*
 * A small engine for `impactcheck audit --engine ./engine --scenes ...`: balls on the ground and among
 * each other. cc -O2 -o engine engine.c -lm
 *
 * It reads scenes from standard input and writes motions to standard output (docs/engines.md). Copy it
 * for your own engine: read a scene, give its bodies to your engine, and write a row for each moving
 * body after each step.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum { BODIES = 32, NAME = 64, SMALL_STEPS = 16 }; /* small steps to a row, at least */
#define PART_OF_RADIUS 0.2                         /* a ball moves less than this in a small step */
#define SLOP 1e-6 /* overlap that is left, over the radius: bodies at rest stay in contact */

/* mass and inertia of a fixed body are infinite; the radius of a plane is 0 */
typedef struct body {
    char name[NAME];
    double mass, inertia, radius, at[3], turned[4], velocity[3], spin[3];
} body;

typedef struct scene {
    double gravity[3], restitution, friction, step;
    long steps;
    body bodies[BODIES];
    int n;
    const char *cannot; /* why the scene cannot be played; NULL: it can */
} scene;

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(double *c, const double *a, const double *b)
{
    for (int k = 0; k < 3; k++) c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void begin_body(scene *s, const char *line)
{
    double I[3];
    body *b = &s->bodies[s->n++];
    *b = (body){.mass = INFINITY, .inertia = INFINITY};
    const int m = sscanf(line, "body %63s %*s %lf %lf %lf %lf", b->name, &b->mass, &I[0], &I[1], &I[2]);
    if (m == 5) b->inertia = I[0];
    if (m == 5 && (I[0] != I[1] || I[1] != I[2])) s->cannot = "moments of inertia that differ";
}

/* The line of a body: a word and numbers. */
static void take_body_line(scene *s, body *b, const char *word, const double *n)
{
    static const char *const words[] = {"at", "velocity", "spin"};
    double *const vectors[] = {b->at, b->velocity, b->spin};
    for (int i = 0; i < 3; i++) {
        if (strcmp(word, words[i]) == 0) memcpy(vectors[i], n, sizeof b->at);
    }
    if (strcmp(word, "turned") == 0) memcpy(b->turned, n, sizeof b->turned);
    if (strcmp(word, "box") == 0) s->cannot = "no box";
    if (strcmp(word, "sphere") != 0) return;
    b->radius = n[0];
    if (n[1] != 0 || n[2] != 0 || n[3] != 0) s->cannot = "spheres off the centre of mass";
}

static void take_line(scene *s, const char *line)
{
    char word[NAME] = "";
    double n[6] = {0};
    int used = 0;
    sscanf(line, "%63s%n", word, &used);
    for (int k = 0, more = 0; k < 6 && sscanf(line + used, "%lf%n", &n[k], &more) == 1; k++) used += more;
    if (strcmp(word, "gravity") == 0) memcpy(s->gravity, n, sizeof s->gravity);
    else if (strcmp(word, "material") == 0) s->restitution = n[0], s->friction = n[1];
    else if (strcmp(word, "step") == 0) s->step = n[0];
    else if (strcmp(word, "steps") == 0) s->steps = (long)n[0];
    else if (strcmp(word, "hinge") == 0) s->cannot = "no hinge";
    else if (strcmp(word, "body") != 0 && s->n > 0) take_body_line(s, &s->bodies[s->n - 1], word, n);
    else if (strcmp(word, "body") == 0 && s->n == BODIES) s->cannot = "too many bodies";
    else if (strcmp(word, "body") == 0) begin_body(s, line);
}

/* The overlap, and the normal from a to b; a may be a plane, whose normal is the y axis of its frame. */
static double touch(double n[3], const body *a, const body *b)
{
    const double d[] = {b->at[0] - a->at[0], b->at[1] - a->at[1], b->at[2] - a->at[2]};
    const double distance = sqrt(dot(d, d)), *q = a->turned;
    const double up[] = {2 * (q[1] * q[2] - q[0] * q[3]), 1 - 2 * (q[1] * q[1] + q[3] * q[3]),
                         2 * (q[2] * q[3] + q[0] * q[1])};
    for (int k = 0; k < 3; k++) n[k] = a->radius == 0 ? up[k] : distance > 0 ? d[k] / distance : k == 1;
    return a->radius == 0 ? b->radius - dot(n, d) : a->radius + b->radius - distance;
}

/* The impulse between two bodies that overlap. */
static void collide(const scene *s, body *a, body *b, double h)
{
    double n[3], arms[2][3], turns[2][3], v[3], slip[3], compliance = 0;
    const double overlap = touch(n, a, b);
    if (overlap < 0) return;
    body *of[] = {a, b};
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++) arms[i][k] = b->at[k] + (overlap / 2 - b->radius) * n[k] - of[i]->at[k];
        cross(turns[i], of[i]->spin, arms[i]);
        compliance += 1 / of[i]->mass + dot(arms[i], arms[i]) / of[i]->inertia;
    }
    for (int k = 0; k < 3; k++) v[k] = b->velocity[k] + turns[1][k] - a->velocity[k] - turns[0][k];
    const double normal = dot(v, n), mass = 1 / (1 / a->mass + 1 / b->mass);
    /* what gravity gave in this step does not bounce: a body at rest stays at rest */
    const double before = normal - (isfinite(b->mass) - isfinite(a->mass)) * h * dot(s->gravity, n);
    const double P = mass * fmax(0, -normal + s->restitution * fmax(0, -before));
    /* friction stops the slip, or is mu P against it */
    for (int k = 0; k < 3; k++) slip[k] = v[k] - normal * n[k];
    const double speed = sqrt(dot(slip, slip));
    const double friction = speed > 0 ? fmin(s->friction * P, speed / compliance) / speed : 0;
    /* the overlap is removed without a velocity */
    const double shift = mass * fmax(0, overlap - SLOP * b->radius);
    for (int i = 0; i < 2; i++) {
        double impulse[3], moment[3];
        for (int k = 0; k < 3; k++) impulse[k] = (i == 0 ? -1 : 1) * (P * n[k] - friction * slip[k]);
        cross(moment, arms[i], impulse);
        for (int k = 0; k < 3; k++) {
            of[i]->velocity[k] += impulse[k] / of[i]->mass;
            of[i]->spin[k] += moment[k] / of[i]->inertia;
            of[i]->at[k] += (i == 0 ? -1 : 1) * shift / of[i]->mass * n[k];
        }
    }
}

static void move(body *b, double h)
{
    /* q' = (1, w h / 2) q, as a unit quaternion */
    double *q = b->turned, across[3], size = 0;
    const double w = q[0], *p = q + 1;
    cross(across, b->spin, p);
    q[0] -= h / 2 * dot(b->spin, p);
    for (int k = 0; k < 3; k++) q[k + 1] += h / 2 * (w * b->spin[k] + across[k]);
    for (int k = 0; k < 4; k++) size += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrt(size);
    for (int k = 0; k < 3; k++) b->at[k] += h * b->velocity[k];
}

static void small_step(scene *s, double h)
{
    for (int i = 0; i < s->n; i++) {
        for (int k = 0; k < 3 && isfinite(s->bodies[i].mass); k++)
            s->bodies[i].velocity[k] += h * s->gravity[k];
    }
    for (int i = 0; i < s->n; i++) {
        for (int j = i + 1; j < s->n; j++) {
            body *a = &s->bodies[i], *b = &s->bodies[j];
            const bool swap = b->radius == 0;
            if (isfinite(a->mass) || isfinite(b->mass)) collide(s, swap ? b : a, swap ? a : b, h);
        }
    }
    for (int i = 0; i < s->n; i++) {
        if (isfinite(s->bodies[i].mass)) move(&s->bodies[i], h);
    }
}

static void write_rows(const scene *s, long i)
{
    for (const body *b = s->bodies; b < s->bodies + s->n; b++) {
        if (!isfinite(b->mass)) continue;
        printf("row %.17g %s", (double)i * s->step, b->name);
        for (int k = 0; k < 3; k++) printf(" %.17g", b->at[k]);
        for (int k = 0; k < 4; k++) printf(" %.17g", b->turned[k]);
        for (int k = 0; k < 3; k++) printf(" %.17g", b->velocity[k]);
        for (int k = 0; k < 3; k++) printf(" %.17g%s", b->spin[k], k == 2 ? "\n" : "");
    }
}

static void play(scene *s)
{
    write_rows(s, 0);
    for (long i = 1; i <= s->steps; i++) {
        double n = SMALL_STEPS, radius = INFINITY, speed = 0;
        for (const body *b = s->bodies; b < s->bodies + s->n; b++) {
            if (b->radius > 0) radius = fmin(radius, b->radius);
            speed = fmax(speed, sqrt(dot(b->velocity, b->velocity)));
        }
        n = fmax(n, ceil(speed * s->step / (PART_OF_RADIUS * radius)));
        for (long k = 0; k < (long)n; k++) small_step(s, s->step / n);
        write_rows(s, i);
    }
}

int main(void)
{
    static scene s;
    char line[1024];
    while (fgets(line, sizeof line, stdin) != NULL) {
        if (strncmp(line, "scene ", 6) == 0) s = (scene){.n = 0};
        take_line(&s, line);
        if (strncmp(line, "run", 3) != 0) continue;
        puts("engine small-balls-c 1");
        printf("setting %d small steps in a row at least\n", SMALL_STEPS);
        if (s.cannot != NULL) printf("unsupported %s\n", s.cannot);
        else play(&s);
        puts("end");
        fflush(stdout);
    }
    return 0;
}
