/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

/* numbers of a row: time, place, orientation, velocity, angular velocity */
enum { NUMBERS = 14, AT = 1, TURNED = 4, VELOCITY = 8, SPIN = 11 };
/* A time may differ from its multiple of the step by this part of a step: rounding of float32. */
#define TIME_PART 1e-3
/* |q|^2 - 1 of float32 engines after many steps */
#define UNIT_QUATERNION 1e-2
/* bytes of a line, and of a word in it, that messages show */
enum { LINE_SHOWN = 48, WORD_SHOWN = 24 };

typedef struct reading {
    ic_scene_motion *motion;
    const ic_world *world;

    /* the line that is read, and its number from 1 */
    const char *line;
    size_t n_lines;

    /* of the row that is read: the place of the next moving body in the order of the scene */
    size_t next;

    /* angles about z in the row before */
    double angle[IC_MOST_SCENE_BODIES];
    bool ended;
} reading;

__attribute__((format(printf, 3, 4))) static bool refuse(reading *r, ic_motion_end end, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(r->motion->detail, sizeof r->motion->detail, format, list);
    va_end(list);
    r->motion->end = end;
    return false;
}

void ic_scene_excerpt(char *to, size_t size, const char *bytes, size_t length)
{
    static const char more[] = "...";
    size_t used = 0, i = 0;
    for (; i < length && used + sizeof "\\x00" + sizeof more <= size; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        const bool shown = c >= ' ' && c <= '~';
        used += (size_t)snprintf(to + used, size - used, shown ? "%c" : "\\x%02X", c);
    }
    snprintf(to + used, size - used, "%s", i < length ? more : "");
}

/* "line 12 is 'row 0.1 upper ...': " and what is wrong with it. */
__attribute__((format(printf, 3, 4))) static bool refuse_line(reading *r, ic_motion_end end, const char *format,
                                                              ...)
{
    char shown[LINE_SHOWN], wrong[IC_MOTION_TEXT];
    va_list list;
    va_start(list, format);
    vsnprintf(wrong, sizeof wrong, format, list);
    va_end(list);
    ic_scene_excerpt(shown, sizeof shown, r->line, strlen(r->line));
    return refuse(r, end, "line %zu is '%s': %.150s", r->n_lines, shown, wrong);
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
    /* the angle next to the one before that has this orientation */
    own[IC_SCENE_ANGLE] = r->angle[index] += remainder(ic_world_angle(q) - r->angle[index], 2 * M_PI);
    own[IC_SCENE_TILT] = acos(fmax(-1, fmin(1, y[1])));
    add_totals(row + r->world->n_bodies * IC_SCENE_QUANTITY_COUNT, r->world, &r->world->bodies[index], n);
}

/* ---- lines */

static size_t next_moving(const ic_world *world, size_t next)
{
    while (next < world->n_seen && world->bodies[world->order[next]].fixed) next++;
    return next;
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

/* s; of the row that is due */
static double time_due(const reading *r)
{
    return (double)(r->motion->n_rows - 1) * r->world->step;
}

static bool check_numbers(reading *r, const double *n)
{
    const double due = time_due(r), *q = n + TURNED;
    for (int k = 0; k < NUMBERS; k++) {
        if (!isfinite(n[k]))
            return refuse_line(r, IC_MOTION_NOT_FINITE, "a number that is not finite at t = %.6g s", due);
    }
    if (fabs(n[0] - due) > TIME_PART * r->world->step * fmax(1, (double)r->motion->n_rows * TIME_PART))
        return refuse_line(r, IC_MOTION_GARBAGE, "the time is %.9g s, where t = %.9g s is due", n[0], due);
    if (fabs(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] - 1) > UNIT_QUATERNION)
        return refuse_line(r, IC_MOTION_GARBAGE, "its orientation is not a unit quaternion");
    return true;
}

/* The next word, a number; false: it is none, or the line ends. */
static bool read_number(reading *r, double *number, char **at)
{
    char *word = *at + strspn(*at, " "), shown[WORD_SHOWN];
    const size_t length = strcspn(word, " ");
    *number = strtod(word, at);
    if (length == 0) return refuse_line(r, IC_MOTION_GARBAGE, "less than 13 numbers after the name");
    if (*at == word + length) return true;
    ic_scene_excerpt(shown, sizeof shown, word, length);
    return refuse_line(r, IC_MOTION_GARBAGE, "'%s' %s", shown,
                       strchr(word, ',') != NULL && strchr(word, ',') < word + length
                           ? "has a comma; numbers have a decimal point"
                           : "is not a number");
}

/* The next body whose row is due. */
static bool begin_row(reading *r)
{
    if (r->motion->rows == NULL && !make_room(r)) return false;
    if (r->next < r->world->n_seen && r->motion->n_rows > 0) return true;
    if (r->motion->n_rows == r->world->steps + 1)
        return refuse_line(r, IC_MOTION_GARBAGE, "more rows than the scene has steps");
    r->motion->n_rows++;
    r->next = next_moving(r->world, 0);
    return true;
}

/* T NAME and 13 numbers; the time is n[0]. */
static bool read_row(reading *r, char *at)
{
    double n[NUMBERS];
    if (!begin_row(r) || !read_number(r, &n[0], &at)) return false;
    const size_t index = r->world->order[r->next];
    const ic_world_body *body = &r->world->bodies[index];
    at += strspn(at, " ");
    const size_t length = strcspn(at, " ");
    if (length != strlen(body->name) || strncmp(at, body->name, length) != 0)
        return refuse_line(r, IC_MOTION_GARBAGE, "the row of '%s' at t = %.9g s is due", body->name,
                           time_due(r));
    at += length;
    for (int k = 1; k < NUMBERS; k++) {
        if (!read_number(r, &n[k], &at)) return false;
    }
    if (at[strspn(at, " ")] != '\0')
        return refuse_line(r, IC_MOTION_GARBAGE, "more than 13 numbers after the name");
    if (!check_numbers(r, n)) return false;
    r->motion->times[r->motion->n_rows - 1] = n[0];
    take_row(r, index, n);
    r->next = next_moving(r->world, r->next + 1);
    return true;
}

static bool has_all_rows(const reading *r)
{
    return r->motion->n_rows == r->world->steps + 1 && r->next == r->world->n_seen;
}

static bool read_end(reading *r)
{
    if (!has_all_rows(r))
        return refuse_line(r, IC_MOTION_GARBAGE, "it comes after %zu of %zu rows", r->motion->n_rows,
                           r->world->steps + 1);
    r->ended = true;
    return true;
}

/* NAME VERSION; the name may have several words. */
static bool take_engine(reading *r, const char *text)
{
    const char *space = strchr(text, ' ');
    if (space == NULL || space == text || space[1 + strspn(space + 1, " ")] == '\0')
        return refuse_line(r, IC_MOTION_GARBAGE, "'engine NAME VERSION' is due");
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
        return refuse_line(r, IC_MOTION_GARBAGE, "no topic; those are %s", ic_scene_topic_list());
    if (text[0] == '\0') return refuse_line(r, IC_MOTION_GARBAGE, "the place in the documentation is due");
    if (strlen(text) > most)
        return refuse_line(r, IC_MOTION_GARBAGE, "%zu characters, where at most %zu are due", strlen(text),
                           most);
    if (ic_unpromised_find(m->unpromised, m->n_unpromised, told.topic) != NULL) return true;
    if (m->n_unpromised == IC_MOST_UNPROMISED)
        return refuse_line(r, IC_MOTION_GARBAGE, "it comes after %d topics, the most that are due",
                           IC_MOST_UNPROMISED);
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
    if ((text = after_word(line, "setting")) != NULL)
        ic_text_append(m->setting, sizeof m->setting, "%s%s", m->setting[0] != '\0' ? "; " : "", text);
    else if ((text = after_word(line, "unsupported")) != NULL)
        return refuse(r, IC_MOTION_UNSUPPORTED, "%s",
                      text[strspn(text, " ")] != '\0' ? text : "no reason given");
    else if (after_word(line, "end") != NULL) return read_end(r);
    else return refuse_line(r, IC_MOTION_GARBAGE, "the protocol has no such line");
    return true;
}

bool ic_scene_line_known(const char *line)
{
    static const char *const words[] = {"row", "engine", "setting", "unpromised", "unsupported", "end"};
    const size_t length = strcspn(line, " \r\n");
    for (size_t i = 0; i < IC_COUNT(words); i++) {
        if (strlen(words[i]) == length && strncmp(line, words[i], length) == 0) return true;
    }
    return length == 0 && line[0] != ' ';
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
    reading r = {.motion = motion, .world = world, .n_lines = 1};
    motion->end = IC_MOTION_COMPLETE;
    for (size_t i = 0; i < world->n_bodies; i++) r.angle[i] = ic_world_angle(world->bodies[i].turned);
    for (char *line = text; *line != '\0' && !r.ended; r.n_lines++) {
        char *end = line + strcspn(line, "\n"), *next = *end != '\0' ? end + 1 : end;
        *end = '\0';
        if (end > line && end[-1] == '\r') end[-1] = '\0';
        r.line = line;
        if (line[0] != '\0' && !read_line(&r, line)) return;
        line = next;
    }
    if (!r.ended && has_all_rows(&r)) refuse(&r, IC_MOTION_GARBAGE, "`end` is missing, or was not flushed");
    else if (!r.ended) refuse(&r, IC_MOTION_FAILED, "%zu of %zu rows", motion->n_rows, world->steps + 1);
    else if (motion->engine[0] == '\0')
        refuse(&r, IC_MOTION_GARBAGE, "%zu lines without 'engine NAME VERSION', which is due", r.n_lines - 1);
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
