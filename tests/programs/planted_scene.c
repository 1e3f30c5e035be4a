/* SPDX-License-Identifier: MIT */
#include "tests/programs/planted_scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* m */
#define BALL_RADIUS 0.1
#define BAR_LENGTH 1.0
/* radius of the sphere at the tip of the bar, m; engines need bodies of finite size */
#define TIP_RADIUS 1e-3
/* m/s^2 */
#define EARTH_GRAVITY 9.81
/* starting height of the bar, and of a ball with a given speed, m */
#define NEAR_GROUND 0.05
/* fraction of a step by which rounding may miss the end */
#define PART_OF_A_STEP 1e-9

typedef enum option {
    E,
    MU,
    ANGLE,
    STEP,
    HEIGHT,
    SPEED,
    TANGENTIAL,
    OMEGA,
    PHASE,
    UNTIL,
    MASS,
    INERTIA,
    LENGTH,
    NUMBERS
} option;

/*
 * Numeric options, in SI units (the angle in degrees; angular velocities clockwise), with their
 * ranges and their defaults for the ball and for the bar. NAN: not given; the inertia is then that
 * of a solid ball or of a slender bar.
 */
static const struct {
    const char *name;
    double least, most, ball, bar;
} numbers[] = {
    [E] = {"--e", 0, 1, 0.8, 1},
    [MU] = {"--mu", 0, 1e6, 0, 1},
    [ANGLE] = {"--angle", -89, 89, 0, 45},
    [STEP] = {"--step", 1e-7, 1, 1e-3, 1e-3},
    [HEIGHT] = {"--height", 0, 1e3, NAN, NEAR_GROUND},
    [SPEED] = {"--speed", 0, 1e3, NAN, 1},
    [TANGENTIAL] = {"--tangential", -1e3, 1e3, 0, 0.8},
    [OMEGA] = {"--omega", -1e3, 1e3, 0, 0},
    [PHASE] = {"--phase", 0, 1, 0, 0},
    [UNTIL] = {"--until", 0, 1e4, 1.5, 0.25},
    [MASS] = {"--mass", 1e-6, 1e6, 1, 1},
    [INERTIA] = {"--inertia", 1e-9, 1e9, NAN, NAN},
    [LENGTH] = {"--length", 1e-2, 1e3, BAR_LENGTH, BAR_LENGTH},
};

static void exit_with_usage(const char *program)
{
    fprintf(
        stderr,
        "usage: %s ball|bar [--e E] [--mu MU] [--angle DEGREES] [--step H] [--height Z] [--speed V]\n"
        "       [--tangential U] [--omega W] [--phase P] [--until T] [--mass M] [--inertia I] [--length L]\n"
        "       [--config default|best] [--variant NAME]\n",
        program);
    exit(2);
}

static double read_number(const char *program, option which, const char *text)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end != '\0' || !(value >= numbers[which].least && value <= numbers[which].most))
        exit_with_usage(program);
    return value;
}

static void read_option(scene *s, double *values, const char *program, const char *name, const char *text)
{
    if (text == NULL) exit_with_usage(program);
    for (int i = 0; i < NUMBERS; i++) {
        if (strcmp(name, numbers[i].name) == 0) {
            values[i] = read_number(program, (option)i, text);
            return;
        }
    }
    if (strcmp(name, "--variant") == 0) s->variant = text;
    else if (strcmp(name, "--config") == 0 && strcmp(text, "best") == 0) s->best = true;
    else if (strcmp(name, "--config") == 0 && strcmp(text, "default") == 0) s->best = false;
    else exit_with_usage(program);
}

/*
 * Place the sphere such that its lowest point is the tip of the bar in the initial position, as in
 * the paper.
 */
static void place_bar(scene *s, double half)
{
    s->sphere_x = -s->radius * sin(s->phi);
    s->sphere_y = s->radius * cos(s->phi) - half;
    s->x = half * sin(s->phi);
    s->y += half * cos(s->phi);
}

static void place_body(scene *s, const double *values)
{
    const bool thrown = !isnan(values[SPEED]);
    const double drop = thrown ? NEAR_GROUND : 1;
    const double height = isnan(values[HEIGHT]) ? drop : values[HEIGHT], speed = thrown ? values[SPEED] : 0;
    s->gravity = s->bar ? 0 : EARTH_GRAVITY;
    s->radius = s->bar ? TIP_RADIUS : BALL_RADIUS;
    s->mass = values[MASS];
    s->inertia = !isnan(values[INERTIA]) ? values[INERTIA]
                 : s->bar                ? s->mass * values[LENGTH] * values[LENGTH] / 12
                                         : 0.4 * s->mass * s->radius * s->radius;
    s->impact_speed = sqrt(speed * speed + 2 * s->gravity * height);
    s->phi = s->bar ? values[ANGLE] * SCENE_PI / 180 : 0;
    if (s->bar) s->impact_speed -= values[OMEGA] * values[LENGTH] / 2 * sin(s->phi);
    s->vx = values[TANGENTIAL];
    s->vy = -speed;
    s->omega = values[OMEGA];
    s->y = height + values[PHASE] * s->impact_speed * s->step;
    if (s->bar) place_bar(s, values[LENGTH] / 2);
    else s->y += s->radius;
}

/* Keep messages of engines out of the rows. */
static FILE *take_standard_output(void)
{
    fflush(stdout);
    const int rows = dup(STDOUT_FILENO);
    FILE *out = rows >= 0 ? fdopen(rows, "w") : NULL;
    if (out == NULL || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) exit(3);
    return out;
}

scene scene_read(int argc, char **argv)
{
    scene s = {.variant = ""};
    double values[NUMBERS];
    if (argc < 2) exit_with_usage(argv[0]);
    s.bar = strcmp(argv[1], "bar") == 0;
    if (!s.bar && strcmp(argv[1], "ball") != 0) exit_with_usage(argv[0]);
    for (int i = 0; i < NUMBERS; i++) values[i] = s.bar ? numbers[i].bar : numbers[i].ball;
    for (int i = 2; i < argc; i += 2) read_option(&s, values, argv[0], argv[i], argv[i + 1]);
    s.e = values[E];
    s.mu = values[MU];
    s.step = values[STEP];
    s.until = values[UNTIL];
    place_body(&s, values);
    s.out = take_standard_output();
    fprintf(s.out, "t,x,y,phi,vx,vy,omega\n");
    return s;
}

bool scene_is(const scene *s, const char *variant)
{
    return strcmp(s->variant, variant) == 0;
}

long scene_steps(const scene *s)
{
    return (long)ceil(s->until / s->step - PART_OF_A_STEP);
}

void scene_row(const scene *s, double t, double x, double y, double phi, double vx, double vy, double omega)
{
    fprintf(s->out, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n", t, x, y, phi, vx, vy, omega);
}

int scene_close(const scene *s)
{
    return ferror(s->out) || fclose(s->out) != 0 ? 3 : 0;
}
