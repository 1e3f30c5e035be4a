/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene_motion.h"

#include "audit/scene/scene_topics.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* numbers of a row: time, place, orientation, velocity, angular velocity */
enum { NUMBERS = 14, AT = 1, TURNED = 4, VELOCITY = 8, SPIN = 11 };
/* A time may differ from its multiple of the step by this part of a step: rounding of float32. */
#define TIME_PART 1e-3
/* |q|^2 - 1 of float32 engines after many steps */
#define UNIT_QUATERNION 1e-2

typedef struct reading {
    ic_scene_motion *motion;
    const ic_world *world;

    /* number of the line that is read */
    size_t line;

    /* of the row that is read: the next moving body */
    size_t body;

    /* angles about z in the row before */
    double angle[IC_SCENE_BODIES_MOST];
    bool ended;
} reading;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static bool
refuse(reading *r, ic_motion_end end, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(r->motion->detail, sizeof r->motion->detail, format, list);
    va_end(list);
    r->motion->end = end;
    return false;
}

/* ---- quantities */

static void rotate(double v[3], const double q[4], const double u[3])
{
    /* v = u + 2 w (p x u) + 2 p x (p x u), q = (w, p) */
    const double c[] = {q[2] * u[2] - q[3] * u[1], q[3] * u[0] - q[1] * u[2], q[1] * u[1] - q[2] * u[0]};
    v[0] = u[0] + 2 * (q[0] * c[0] + q[2] * c[2] - q[3] * c[1]);
    v[1] = u[1] + 2 * (q[0] * c[1] + q[3] * c[0] - q[1] * c[2]);
    v[2] = u[2] + 2 * (q[0] * c[2] + q[1] * c[1] - q[2] * c[0]);
}

/* Kinetic energy and angular momentum of the rotation. */
static void add_rotation(double *totals, const ic_world_body *body, const double q[4], const double w[3])
{
    const double back[] = {q[0], -q[1], -q[2], -q[3]};
    double own[3], momentum[3];
    rotate(own, back, w);
    for (int k = 0; k < 3; k++) {
        totals[IC_SCENE_KINETIC] += body->inertia[k] * own[k] * own[k] / 2;
        own[k] *= body->inertia[k];
    }
    rotate(momentum, q, own);
    for (int k = 0; k < 3; k++) totals[IC_SCENE_LX + k] += momentum[k];
}

static void add_totals(double *totals, const ic_world *world, const ic_world_body *body, const double *n)
{
    const double *x = n + AT, *v = n + VELOCITY;
    double potential = 0;
    for (int k = 0; k < 3; k++) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        totals[IC_SCENE_KINETIC] += body->mass * v[k] * v[k] / 2;
        potential -= body->mass * world->gravity[k] * x[k];
        totals[IC_SCENE_PX + k] += body->mass * v[k];
        totals[IC_SCENE_LX + k] += body->mass * (x[i] * v[j] - x[j] * v[i]);
    }
    totals[IC_SCENE_ENERGY] += potential;
    add_rotation(totals, body, n + TURNED, n + SPIN);
}

/* The angle next to the one before that has this orientation. */
static double angle_about_z(const double q[4], double before)
{
    return before + remainder(2 * atan2(q[3], q[0]) - before, 2 * M_PI);
}

static void take_row(reading *r, size_t index, const double *n)
{
    const double up[] = {0, 1, 0}, *q = n + TURNED;
    ic_scene_motion *m = r->motion;
    double *row = m->rows + (m->n_rows - 1) * m->row_size, *own = row + index * IC_SCENE_QUANTITY_COUNT, y[3];
    for (int k = 0; k < 3; k++) {
        own[IC_SCENE_X + k] = n[AT + k];
        own[IC_SCENE_VX + k] = n[VELOCITY + k];
        own[IC_SCENE_WX + k] = n[SPIN + k];
    }
    memcpy(m->turned + 4 * ((m->n_rows - 1) * r->world->n_bodies + index), q, 4 * sizeof *q);
    rotate(y, q, up);
    own[IC_SCENE_ANGLE] = r->angle[index] = angle_about_z(q, r->angle[index]);
    own[IC_SCENE_TILT] = acos(fmax(-1, fmin(1, y[1])));
    add_totals(row + r->world->n_bodies * IC_SCENE_QUANTITY_COUNT, r->world, &r->world->bodies[index], n);
}

/* ---- lines */

static size_t next_moving(const ic_world *world, size_t body)
{
    while (body < world->n_bodies && world->bodies[body].fixed) body++;
    return body;
}

static bool make_room(reading *r)
{
    ic_scene_motion *m = r->motion;
    m->row_size = r->world->n_bodies * IC_SCENE_QUANTITY_COUNT + IC_SCENE_TOTAL_COUNT;
    m->times = calloc(r->world->steps + 1, sizeof *m->times);
    m->rows = calloc((r->world->steps + 1) * m->row_size, sizeof *m->rows);
    /* a place more: the size is never 0 */
    m->turned = calloc((r->world->steps + 1) * (r->world->n_bodies + 1) * 4, sizeof *m->turned);
    if (m->times == NULL || m->rows == NULL || m->turned == NULL)
        return refuse(r, IC_MOTION_NO_MEMORY, "memory ran out");
    return true;
}

static bool check_numbers(reading *r, const double *n)
{
    const double due = (double)(r->motion->n_rows - 1) * r->world->step, *q = n + TURNED;
    for (int k = 0; k < NUMBERS; k++) {
        if (!isfinite(n[k]))
            return refuse(r, IC_MOTION_NOT_FINITE, "a number that is not finite at t = %.6g s", due);
    }
    if (fabs(n[0] - due) > TIME_PART * r->world->step * fmax(1, (double)r->motion->n_rows * TIME_PART))
        return refuse(r, IC_MOTION_GARBAGE, "a row at t = %.9g s, where t = %.9g s is due", n[0], due);
    if (fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) > UNIT_QUATERNION)
        return refuse(r, IC_MOTION_GARBAGE, "an orientation that is not a unit quaternion at t = %.6g s", due);
    return true;
}

/* T NAME and 13 numbers; the time is n[0]. */
static bool read_row(reading *r, char *at)
{
    const ic_world *world = r->world;
    double n[NUMBERS];
    char *end = NULL;
    if (r->motion->rows == NULL && !make_room(r)) return false;
    if (r->body == world->n_bodies || r->motion->n_rows == 0) {
        if (r->motion->n_rows == world->steps + 1)
            return refuse(r, IC_MOTION_GARBAGE, "more rows than the scene has steps");
        r->motion->n_rows++;
        r->body = next_moving(world, 0);
    }
    const ic_world_body *body = &world->bodies[r->body];
    const size_t length = strlen(body->name);
    n[0] = strtod(at, &end);
    while (*end == ' ') end++;
    if (end == at || strncmp(end, body->name, length) != 0 || end[length] != ' ')
        return refuse(r, IC_MOTION_GARBAGE, "a row that is not: row T %s and 13 numbers", body->name);
    at = end + length;
    for (int k = 1; k < NUMBERS; k++, at = end) {
        n[k] = strtod(at, &end);
        if (end == at)
            return refuse(r, IC_MOTION_GARBAGE, "a row of '%s' with less than 13 numbers", body->name);
    }
    while (*end == ' ') end++;
    if (*end != '\0')
        return refuse(r, IC_MOTION_GARBAGE, "a row of '%s' with more than 13 numbers", body->name);
    if (!check_numbers(r, n)) return false;
    r->motion->times[r->motion->n_rows - 1] = n[0];
    take_row(r, r->body, n);
    r->body = next_moving(world, r->body + 1);
    return true;
}

static void add_text(char *to, size_t size, const char *text)
{
    const size_t used = strlen(to);
    snprintf(to + used, size - used, "%s%s", used > 0 ? "; " : "", text);
}

/* NAME VERSION; the name may have several words. */
static bool take_engine(reading *r, const char *text)
{
    const char *space = strchr(text, ' ');
    if (space == NULL || space == text || space[1 + strspn(space + 1, " ")] == '\0')
        return refuse(r, IC_MOTION_GARBAGE, "line %zu: 'engine %.60s', where 'engine NAME VERSION' is due",
                      r->line, text);
    snprintf(r->motion->engine, sizeof r->motion->engine, "%s", text);
    return true;
}

/* TOPIC TEXT. Of two texts for a topic, the first one holds. */
static bool take_unpromised(reading *r, const char *line)
{
    ic_scene_motion *m = r->motion;
    const size_t length = strcspn(line, " "), most = sizeof m->unpromised->text - 1;
    const char *text = line + length + strspn(line + length, " ");
    ic_unpromised told;
    snprintf(told.topic, sizeof told.topic, "%.*s", (int)length, line);
    if (!ic_scene_topic_known(told.topic))
        return refuse(r, IC_MOTION_GARBAGE, "line %zu: unpromised '%.31s', where a topic is due: %s", r->line,
                      told.topic, ic_scene_topic_list());
    if (text[0] == '\0')
        return refuse(r, IC_MOTION_GARBAGE, "line %zu: unpromised %s without a text, where the place is due",
                      r->line, told.topic);
    if (strlen(text) > most)
        return refuse(r, IC_MOTION_GARBAGE,
                      "line %zu: unpromised %s with %zu characters, where at most %zu are due", r->line,
                      told.topic, strlen(text), most);
    if (ic_unpromised_find(m->unpromised, m->n_unpromised, told.topic) != NULL) return true;
    if (m->n_unpromised == IC_UNPROMISED_MOST)
        return refuse(r, IC_MOTION_GARBAGE, "line %zu: unpromised %s, after %d topics, the most that are due",
                      r->line, told.topic, IC_UNPROMISED_MOST);
    snprintf(told.text, sizeof told.text, "%s", text);
    m->unpromised[m->n_unpromised++] = told;
    return true;
}

/* The text after a word; NULL: the line has another one. */
static char *after_word(char *line, const char *word)
{
    const size_t length = strlen(word);
    if (strncmp(line, word, length) != 0) return NULL;
    if (line[length] == '\0') return line + length;
    return line[length] == ' ' ? line + length + 1 : NULL;
}

static bool read_line(reading *r, char *line)
{
    ic_scene_motion *m = r->motion;
    char *text = after_word(line, "row");
    if (text != NULL) return read_row(r, text);
    if ((text = after_word(line, "engine")) != NULL) return take_engine(r, text);
    if ((text = after_word(line, "unpromised")) != NULL) return take_unpromised(r, text);
    if ((text = after_word(line, "setting")) != NULL) add_text(m->setting, sizeof m->setting, text);
    else if ((text = after_word(line, "unsupported")) != NULL)
        return refuse(r, IC_MOTION_UNSUPPORTED, "%s", text);
    else if (after_word(line, "end") != NULL) r->ended = true;
    else
        return refuse(r, IC_MOTION_GARBAGE, "line %zu: a line that the protocol does not have: '%.60s'",
                      r->line, line);
    return true;
}

/* Energy is complete only when all bodies are there. */
static void finish_totals(const reading *r)
{
    ic_scene_motion *m = r->motion;
    for (size_t i = 0; i < m->n_rows; i++) {
        double *totals = m->rows + i * m->row_size + r->world->n_bodies * IC_SCENE_QUANTITY_COUNT;
        totals[IC_SCENE_ENERGY] += totals[IC_SCENE_KINETIC];
    }
}

void ic_scene_motion_read(ic_scene_motion *motion, const ic_world *world, char *text)
{
    reading r = {.motion = motion, .world = world};
    motion->end = IC_MOTION_COMPLETE;
    for (size_t i = 0; i < world->n_bodies; i++)
        r.angle[i] = 2 * atan2(world->bodies[i].turned[3], world->bodies[i].turned[0]);
    for (char *line = text; *line != '\0' && !r.ended;) {
        char *end = line + strcspn(line, "\n"), *next = *end != '\0' ? end + 1 : end;
        *end = '\0';
        r.line++;
        if (end > line && end[-1] == '\r') end[-1] = '\0';
        if (line[0] != '\0' && !read_line(&r, line)) return;
        line = next;
    }
    if (motion->n_rows != world->steps + 1 || r.body != world->n_bodies || !r.ended)
        refuse(&r, IC_MOTION_GARBAGE, "%zu of %zu rows", motion->n_rows, world->steps + 1);
    else if (motion->engine[0] == '\0')
        refuse(&r, IC_MOTION_GARBAGE, "%zu lines without 'engine NAME VERSION', which is due", r.line);
    else finish_totals(&r);
}

const char *ic_unpromised_find(const ic_unpromised *list, size_t n, const char *topic)
{
    for (size_t i = 0; topic[0] != '\0' && i < n; i++) {
        if (strcmp(list[i].topic, topic) == 0) return list[i].text;
    }
    return NULL;
}

void ic_scene_motion_free(ic_scene_motion *motion)
{
    free(motion->times);
    free(motion->rows);
    free(motion->turned);
    motion->times = motion->rows = motion->turned = NULL;
    motion->n_rows = 0;
}
