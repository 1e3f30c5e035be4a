/* SPDX-License-Identifier: MIT */
/* Reads scenes (docs/engines.md): each line has its words in a fixed order. */
#include "adapters/engines/scene.h"
#include "adapters/engines/scene_output.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 16, NUMBERS_IN_HINGE = 8 };
/* deviation of the length of a unit quaternion from 1 */
#define NOT_UNIT 1e-6

static struct {
    char *text;
    size_t size;
    long number;

    /* of `text`; words[n_words] and all behind it are "" */
    char *words[MOST_WORDS + 1];
    int n_words;
} line;

__attribute__((format(printf, 1, 2), noreturn)) static void give_up(const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "line %ld of the scenes: ", line.number);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fprintf(stderr, "\n");
    exit(2);
}

/* The next line that has words; false at the end. */
static bool next_line(void)
{
    static char none[] = "";
    do {
        line.n_words = 0;
        line.number++;
        if (getline(&line.text, &line.size, stdin) < 0) return false;
        for (char *word = strtok(line.text, " \t\r\n"); word != NULL; word = strtok(NULL, " \t\r\n")) {
            if (line.n_words == MOST_WORDS) give_up("more than %d words", MOST_WORDS);
            line.words[line.n_words++] = word;
        }
    } while (line.n_words == 0);
    for (int i = line.n_words; i <= MOST_WORDS; i++) line.words[i] = none;
    return true;
}

static bool line_is(const char *word)
{
    return line.n_words > 0 && strcmp(line.words[0], word) == 0;
}

static void expect_words(int n)
{
    if (line.n_words != n + 1) give_up("'%s' must have %d values, not %d", line.words[0], n, line.n_words - 1);
}

static void expect_line(const char *word, int values)
{
    if (line.n_words == 0) give_up("the input ends before '%s'", word);
    if (!line_is(word)) give_up("'%s' where '%s' is expected", line.words[0], word);
    expect_words(values);
}

static double number_at(int i)
{
    char *end;
    const double value = strtod(line.words[i], &end);
    if (end == line.words[i] || *end != '\0' || isnan(value)) give_up("'%s' is no number", line.words[i]);
    return value;
}

static double finite_at(int i)
{
    const double value = number_at(i);
    if (!isfinite(value)) give_up("'%s' is not finite", line.words[i]);
    return value;
}

static double positive_at(int i)
{
    const double value = finite_at(i);
    if (!(value > 0)) give_up("'%s' is not positive", line.words[i]);
    return value;
}

static void vector_at(double *v, int first, int n)
{
    for (int i = 0; i < n; i++) v[i] = finite_at(first + i);
}

static void name_at(char name[SCENE_NAME_SIZE], int i)
{
    const size_t length = strlen(line.words[i]);
    if (length >= SCENE_NAME_SIZE)
        give_up("the name '%s' has more than %d bytes", line.words[i], SCENE_NAME_SIZE - 1);
    memcpy(name, line.words[i], length + 1);
}

/* Reads a line `word` with numbers, and goes on to the next. */
static void read_vector(double *v, const char *word, int n)
{
    expect_line(word, n);
    vector_at(v, 1, n);
    next_line();
}

/* An array with room for one more element of this size. */
static void *grow(void *array, size_t n, size_t size)
{
    /* room doubles at powers of two */
    if (n > 0 && (n & (n - 1)) != 0) return array;
    void *grown = realloc(array, (n == 0 ? 1 : 2 * n) * size);
    if (grown == NULL) give_up("no memory");
    return grown;
}

/* ---- the parts of a scene */

static void read_head(scene *s)
{
    expect_line("scene", 1);
    name_at(s->name, 1);
    next_line();
    expect_line("config", 1);
    s->best = strcmp(line.words[1], "best") == 0;
    if (!s->best && strcmp(line.words[1], "default") != 0)
        give_up("config '%s' is neither default nor best", line.words[1]);
    next_line();
    if (line_is("variant")) {
        expect_words(1);
        name_at(s->variant, 1);
        next_line();
    }
    expect_line("dimension", 1);
    s->dimension = (int)finite_at(1);
    if (finite_at(1) != 2 && finite_at(1) != 3) give_up("the dimension is neither 2 nor 3");
    next_line();
}

static void read_settings(scene *s)
{
    double material[2];
    read_vector(s->gravity, "gravity", 3);
    read_vector(material, "material", 2);
    s->e = material[0];
    s->mu = material[1];
    if (s->e < 0 || s->mu < 0) give_up("a coefficient of the material is negative");
    expect_line("step", 1);
    s->step = positive_at(1);
    next_line();
    expect_line("steps", 1);
    s->steps = (long)finite_at(1);
    if (s->steps < 0 || (double)s->steps != finite_at(1)) give_up("'%s' is no number of steps", line.words[1]);
    next_line();
}

static size_t body_at(const scene *s, int i)
{
    for (size_t b = 0; b < s->n_bodies; b++)
        if (strcmp(s->bodies[b].name, line.words[i]) == 0) return b;
    give_up("there is no body '%s'", line.words[i]);
}

static bool read_shape(scene_body *body)
{
    scene_shape shape = {.kind = SCENE_SPHERE};
    if (line_is("sphere")) {
        expect_words(4);
        shape.radius = positive_at(1);
        vector_at(shape.centre, 2, 3);
    } else if (line_is("box")) {
        expect_words(6);
        shape.kind = SCENE_BOX;
        for (int i = 0; i < 3; i++) shape.half[i] = positive_at(1 + i);
        vector_at(shape.centre, 4, 3);
    } else if (line_is("plane")) {
        expect_words(0);
        shape.kind = SCENE_PLANE;
        if (!body->fixed) give_up("a moving body has a plane");
    } else {
        return false;
    }
    body->shapes = (scene_shape *)grow(body->shapes, body->n_shapes, sizeof shape);
    body->shapes[body->n_shapes++] = shape;
    return true;
}

static void read_turn(double turn[4])
{
    expect_line("turned", 4);
    vector_at(turn, 1, 4);
    const double length = sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2] + turn[3] * turn[3]);
    if (!(fabs(length - 1) <= NOT_UNIT)) give_up("the quaternion has the length %g", length);
    next_line();
}

static void read_body(scene *s)
{
    scene_body body = {.fixed = strcmp(line.words[2], "fixed") == 0};
    if (!body.fixed && strcmp(line.words[2], "moving") != 0)
        give_up("body '%s' is neither fixed nor moving", line.words[1]);
    expect_words(body.fixed ? 2 : 6);
    for (size_t b = 0; b < s->n_bodies; b++)
        if (strcmp(s->bodies[b].name, line.words[1]) == 0) give_up("two bodies '%s'", line.words[1]);
    name_at(body.name, 1);
    if (!body.fixed) {
        body.mass = positive_at(3);
        for (int i = 0; i < 3; i++) body.inertia[i] = positive_at(4 + i);
    }
    next_line();
    read_vector(body.position, "at", 3);
    read_turn(body.turn);
    if (!body.fixed) {
        read_vector(body.velocity, "velocity", 3);
        read_vector(body.spin, "spin", 3);
    }
    while (read_shape(&body)) next_line();
    s->bodies = (scene_body *)grow(s->bodies, s->n_bodies, sizeof body);
    s->bodies[s->n_bodies++] = body;
}

static void read_hinge(scene *s)
{
    expect_words(2 + NUMBERS_IN_HINGE);
    scene_hinge hinge = {.a = body_at(s, 1), .b = body_at(s, 2)};
    vector_at(hinge.point, 3, 3);
    vector_at(hinge.axis, 6, 3);
    hinge.lower = number_at(9);
    hinge.upper = number_at(10);
    const double *axis = hinge.axis, length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (!(length > 0)) give_up("the axis of the hinge is zero");
    for (int i = 0; i < 3; i++) hinge.axis[i] /= length;
    if (hinge.a == hinge.b || (s->bodies[hinge.a].fixed && s->bodies[hinge.b].fixed))
        give_up("the hinge does not connect a moving body with another");
    if (!(hinge.lower <= 0 && hinge.upper >= 0)) give_up("the angle 0 is not within the bounds of the hinge");
    s->hinges = (scene_hinge *)grow(s->hinges, s->n_hinges, sizeof hinge);
    s->hinges[s->n_hinges++] = hinge;
    next_line();
}

static void release(scene *s)
{
    for (size_t i = 0; i < s->n_bodies; i++) free(s->bodies[i].shapes);
    free(s->bodies);
    free(s->hinges);
    memset(s, 0, sizeof *s);
}

bool scene_read(scene *s)
{
    scene_take_output();
    release(s);
    if (!next_line()) return false;
    read_head(s);
    read_settings(s);
    while (line_is("body")) read_body(s);
    while (line_is("hinge")) read_hinge(s);
    expect_line("run", 0);
    return true;
}
