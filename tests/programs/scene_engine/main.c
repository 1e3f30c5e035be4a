/* SPDX-License-Identifier: MIT */
/*
 * The program: reads scenes and writes motions (docs/engines.md). `variant NAME` plants a mistake; so
 * does the program's own name: impactcheck-scenes-NAME.
 */
#include "tests/programs/scene_engine/engine.h"

#include <ctype.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_LINE = 1024, MOST_NUMBERS = 16 };
#define MANY_SECONDS 1000u /* longer than any test waits */

static const char *const mistake_names[] = {
#define NAME(id_, name_) name_,
    MISTAKES(NAME)
#undef NAME
};

static mistake mistake_of(const char *name)
{
    for (int i = 0; i < MISTAKE_COUNT; i++) {
        if (strcmp(name, mistake_names[i]) == 0) return (mistake)i;
    }
    return MISTAKE_NONE;
}

/* ---- a scene */

/* A line in words and numbers; words before the numbers. */
typedef struct line {
    char text[MOST_LINE];
    char *words[4];
    double numbers[MOST_NUMBERS];
    int n_words, n_numbers;
} line;

static bool read_line(line *l)
{
    *l = (line){.n_words = 0};
    if (fgets(l->text, sizeof l->text, stdin) == NULL) return false;
    for (char *word = strtok(l->text, " \r\n"); word != NULL; word = strtok(NULL, " \r\n")) {
        char *end;
        const double number = strtod(word, &end);
        if (*end == '\0' && l->n_words > 0 && l->n_numbers < MOST_NUMBERS) l->numbers[l->n_numbers++] = number;
        else if (l->n_numbers == 0 && l->n_words < 4) l->words[l->n_words++] = word;
    }
    return true;
}

static bool is(const line *l, const char *word)
{
    return l->n_words > 0 && strcmp(l->words[0], word) == 0;
}

static vector vector_at(const double *n)
{
    return (vector){n[0], n[1], n[2]};
}

static void begin_body(world *w, const line *l)
{
    body *b = &w->bodies[w->n_bodies++];
    const double *n = l->numbers;
    *b = (body){.turned = {1, 0, 0, 0}, .fixed = strcmp(l->words[2], "fixed") == 0};
    snprintf(b->name, sizeof b->name, "%s", l->words[1]);
    if (b->fixed) return;
    b->inverse_mass = 1 / n[0];
    b->inverse_inertia = (vector){1 / n[1], 1 / n[2], 1 / n[3]};
}

static void add_shape(body *b, shape_kind kind, const double *n)
{
    shape *s = &b->shapes[b->n_shapes++];
    *s = (shape){.kind = kind};
    if (kind == SPHERE) s->size.x = n[0], s->at = vector_at(n + 1);
    if (kind == BOX) s->size = vector_at(n), s->at = vector_at(n + 3);
}

static size_t find_body(const world *w, const char *name)
{
    size_t i = 0;
    while (i < w->n_bodies && strcmp(w->bodies[i].name, name) != 0) i++;
    return i;
}

static void add_hinge(world *w, const line *l)
{
    hinge *h = &w->hinges[w->n_hinges++];
    *h = (hinge){.bodies = {find_body(w, l->words[1]), find_body(w, l->words[2])},
                 .at = {vector_at(l->numbers)},
                 .axis = {vector_at(l->numbers + 3)},
                 .lower = l->numbers[6],
                 .upper = l->numbers[7]};
}

static void take_body_line(body *b, const line *l)
{
    const double *n = l->numbers;
    if (is(l, "at")) b->at = vector_at(n);
    if (is(l, "turned")) b->turned = (quaternion){n[0], n[1], n[2], n[3]};
    if (is(l, "velocity")) b->velocity = vector_at(n);
    if (is(l, "spin")) b->spin = vector_at(n);
    if (is(l, "plane")) add_shape(b, PLANE, n);
    if (is(l, "sphere")) add_shape(b, SPHERE, n);
    if (is(l, "box")) add_shape(b, BOX, n);
}

/* false: the input has ended. */
static bool read_scene(world *w, mistake planted)
{
    line l;
    *w = (world){.planted = planted};
    while (read_line(&l)) {
        const double *n = l.numbers;
        if (is(&l, "run")) return true;
        if (is(&l, "variant") && l.n_words > 1) w->planted = mistake_of(l.words[1]);
        if (is(&l, "scene") && l.n_words > 1) w->is_known = isalpha((unsigned char)l.words[1][1]);
        if (is(&l, "gravity")) w->gravity = vector_at(n);
        if (is(&l, "material")) w->restitution = n[0], w->friction = n[1];
        if (is(&l, "step")) w->step = n[0];
        if (is(&l, "steps")) w->steps = (long)n[0];
        if (is(&l, "body") && w->n_bodies < MOST_BODIES) begin_body(w, &l);
        if (is(&l, "hinge") && w->n_hinges < MOST_HINGES) add_hinge(w, &l);
        if (w->n_bodies > 0) take_body_line(&w->bodies[w->n_bodies - 1], &l);
    }
    return false;
}

/* ---- a motion */

static void write_rows(const world *w, long i)
{
    const char *line_end = w->planted == MISTAKE_CARRIAGE_RETURNS ? "\r\n" : "\n";
    for (size_t k = 0; k < w->n_bodies; k++) {
        const body *b = &w->bodies[k];
        if (b->fixed) continue;
        printf("row %.17g %s %.17g %.17g %.17g %.17g %.17g %.17g %.17g", (double)i * w->step, b->name, b->at.x,
               b->at.y, b->at.z, b->turned.w, b->turned.x, b->turned.y, b->turned.z);
        printf(" %.17g %.17g %.17g %.17g %.17g %.17g%s", b->velocity.x, b->velocity.y, b->velocity.z, b->spin.x,
               b->spin.y, b->spin.z, line_end);
    }
}

/* Programs that return no motion. */
static void break_down(const world *w)
{
    if (w->planted == MISTAKE_CRASHES) raise(SIGKILL);
    if (w->planted == MISTAKE_HANGS) sleep(MANY_SECONDS);
    if (w->planted == MISTAKE_GARBAGE) puts("Engine 1.0 (debug build)");
    if (w->planted == MISTAKE_BYTES) printf("\a\xff\001");
}

/* Programs whose motion does not end as it should. */
static void end_motion(const world *w)
{
    if (w->planted == MISTAKE_NO_END) puts("");
    else if (w->planted == MISTAKE_CARRIAGE_RETURNS) printf("end \r\n");
    else puts("end");
    if (w->planted == MISTAKE_MORE_AFTER_END) puts("that was all");
    if (w->planted == MISTAKE_NO_FLUSH) return;
    fflush(stdout);
    if (w->planted == MISTAKE_CRASHES_AFTER_END) raise(SIGKILL);
    if (w->planted != MISTAKE_LATE_LINE) return;
    /* in a second write, which may be seen with the next scene only */
    puts("that was all");
    fflush(stdout);
}

static void play(world *w)
{
    world_prepare(w);
    puts("engine planted 1");
    puts("setting 64 small steps in a row at least");
    break_down(w);
    write_rows(w, 0);
    for (long i = 1; i <= w->steps; i++) {
        world_step(w);
        for (size_t k = 0; k < w->n_bodies; k++) {
            body *b = &w->bodies[k];
            if (w->planted == MISTAKE_NOT_FINITE && 2 * i > w->steps) b->velocity.x = NAN;
            if (w->planted == MISTAKE_NOT_REPEATABLE && !b->fixed)
                b->velocity.x += 1e-6 * (double)(getpid() % 1000);
        }
        write_rows(w, i);
    }
    end_motion(w);
}

int main(int argc, char **argv)
{
    static world w;
    const char *dash = argc > 0 ? strstr(argv[0], "impactcheck-scenes-") : NULL;
    const mistake planted = dash != NULL ? mistake_of(dash + strlen("impactcheck-scenes-")) : MISTAKE_NONE;
    while (read_scene(&w, planted)) {
        play(&w);
        if (w.planted == MISTAKE_ENDS_EACH_TIME) return 0;
    }
    return 0;
}
