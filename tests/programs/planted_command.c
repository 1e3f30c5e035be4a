/* SPDX-License-Identifier: MIT */
/* A planted command: a bouncing ball as requested by `impactcheck audit --command`, correct or with
   the mistake that its argument names. If started with options, it reads --NAME=VALUE in place of
   standard input. */
#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define REST 1e-9 /* m/s; slower balls come to rest */
/* fraction of the restitution lost where an impact falls on the beginning of a step */
#define BY_PHASE 0.1
#define OTHER_START 1.01   /* fraction of the height */
#define COARSE 0.01        /* s; step of the variant that ignores the requested one */
#define FINE 2e-4          /* s; the variant that crashes does so with shorter steps */
#define TOO_EARLY 0.7      /* fraction of the requested time */
#define MANY_SECONDS 1000u /* longer than any test waits */

typedef struct asked {
    double g, e, t, x, v, until, step;
    long samples;
} asked;

static double number_of(const json_t *object, const char *name)
{
    return json_number_value(json_object_get(object, name));
}

static asked read_json(void)
{
    json_t *root = json_loadf(stdin, 0, NULL);
    const json_t *parameters = json_object_get(root, "parameters"), *start = json_object_get(root, "start");
    const json_t *state = json_object_get(start, "state");
    const asked a = {.g = number_of(parameters, "g"),
                     .e = number_of(parameters, "e"),
                     .t = number_of(start, "t"),
                     .x = number_of(state, "x"),
                     .v = number_of(state, "v"),
                     .until = number_of(root, "until"),
                     .step = number_of(root, "step"),
                     .samples = (long)number_of(root, "samples")};
    json_decref(root);
    return a;
}

static double read_option(char **arguments, const char *name)
{
    const size_t length = strlen(name);
    for (; *arguments != NULL; arguments++) {
        if (strncmp(*arguments, name, length) == 0) return strtod(*arguments + length, NULL);
    }
    fprintf(stderr, "no %s\n", name);
    exit(1);
}

static asked read_options(char **arguments)
{
    return (asked){.g = read_option(arguments, "--g="),
                   .e = read_option(arguments, "--e="),
                   .x = read_option(arguments, "--h="),
                   .v = read_option(arguments, "--v0="),
                   .until = read_option(arguments, "--until="),
                   .step = read_option(arguments, "--step="),
                   .samples = (long)read_option(arguments, "--samples=")};
}

static void break_before(const char *how, const asked *a)
{
    if (strcmp(how, "hangs") == 0) sleep(MANY_SECONDS);
    if (strcmp(how, "crashes") == 0) raise(SIGKILL);
    if (strcmp(how, "crashes-with-fine-steps") == 0 && a->step < FINE) raise(SIGKILL);
    if (strcmp(how, "fails-with-fine-steps") == 0 && a->step < FINE) exit(1);
    if (strcmp(how, "hides") == 0) {
        fclose(stdout);
        sleep(MANY_SECONDS);
    }
    if (strcmp(how, "fails") == 0) {
        fprintf(stderr, "loading\nno licence found\n\n");
        exit(7);
    }
    if (strcmp(how, "garbage") == 0) {
        printf("Engine 1.0 (debug build)\n");
        exit(0);
    }
}

/* Semi-implicit Euler where `euler`, else exact. */
static void advance_fall(const asked *a, bool euler, double h, double *x, double *v)
{
    if (euler) {
        *v -= a->g * h;
        *x += *v * h;
    } else {
        *x += *v * h - a->g * h * h / 2;
        *v -= a->g * h;
    }
}

/* Time from x > 0 to the floor, within h, by bisection; where `chord`, by one interpolation. */
static double time_to_floor(const asked *a, bool euler, bool chord, double h, double x0, double v0)
{
    double from = 0, to = h, x = x0, v = v0;
    advance_fall(a, euler, h, &x, &v);
    if (chord) return h * x0 / (x0 - x);
    for (int i = 0; i < 60; i++) {
        const double middle = (from + to) / 2;
        x = x0, v = v0;
        advance_fall(a, euler, middle, &x, &v);
        if (x < 0) to = middle;
        else from = middle;
    }
    return to;
}

static void take_step(const asked *a, const char *how, double h, double *x, double *v)
{
    const bool euler = strncmp(how, "euler", 5) == 0;
    const bool at_end = strstr(how, "end-of-step") != NULL;
    double next_x = *x, next_v = *v, e = a->e;
    if (strcmp(how, "worse-with-fine-steps") == 0 && a->step < FINE) e *= 1 - BY_PHASE;
    advance_fall(a, euler, h, &next_x, &next_v);
    if (next_x >= 0 || next_v > 0) {
        *x = next_x, *v = next_v;
        return;
    }
    const double hit = at_end ? h : time_to_floor(a, euler, strcmp(how, "chord") == 0, h, *x, *v);
    if (strcmp(how, "by-phase") == 0) e *= 1 - BY_PHASE * (1 - hit / h);
    advance_fall(a, euler, hit, x, v);
    *v *= -e;
    if (*x < 0 && !at_end) *x = 0;
    if (*v < REST) *x = *v = 0;
    else advance_fall(a, euler, h - hit, x, v);
}

static void run_ball(const asked *a, const char *how)
{
    const double h = strcmp(how, "own-step") == 0 ? COARSE : a->step;
    const double end = strcmp(how, "short") == 0 ? TOO_EARLY * a->until : a->until;
    const long right = (long)fmax(1, round((a->until - a->t) / h / (double)(a->samples - 1)));
    const long every = strcmp(how, "two-rows") == 0          ? LONG_MAX
                       : strcmp(how, "every-other-row") == 0 ? 2 * right
                                                             : right;
    double t = a->t, x = a->x * (strcmp(how, "other-start") == 0 ? OTHER_START : 1), v = a->v;
    printf("t,x,v\n%.17g,%.17g,%.17g\n", t, x, v);
    for (long n = 1; t < end; n++) {
        const double now = fmin(h, end - t);
        if (x > 0 || v > 0) take_step(a, how, now, &x, &v);
        t += now;
        if (n % every == 0 || t >= end) printf("%.17g,%.17g,%.17g\n", t, x, v);
    }
}

int main(int count, char **arguments)
{
    const char *how = count > 1 ? arguments[1] : "right";
    asked a = count > 2 ? read_options(arguments + 2) : read_json();
    if (strcmp(how, "random") == 0) {
        struct timespec now;
        clock_gettime(CLOCK_REALTIME, &now);
        a.x += 1e-10 * (double)(now.tv_nsec % 997);
    }
    const bool replays = strcmp(how, "replays") == 0;
    if (replays || strcmp(how, "built-in") == 0) a.g = 9.81, a.e = 0.9;
    if (strcmp(how, "built-in-e") == 0) a.e = 0.9;
    if (replays) a.x = 1, a.step = FINE;
    break_before(how, &a);
    run_ball(&a, how);
    return 0;
}
