/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_run.h"
#include "audit/common/confine.h"
#include "audit/common/plugin_load.h"
#include "audit/common/process.h"
#include "audit/common/seal.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sizes of the buffer, bytes. Longer output is refused. */
enum { FIRST_ROOM = 1 << 16, ROOM_MOST = 1 << 27 };

/* ---- programs, by the protocol of docs/engines.md */

/* radius of the sphere at the tip of the bar, m; engines need bodies of finite size */
#define TIP_RADIUS 1e-3
/* part of a step by which rounding may miss the end */
#define PART_OF_A_STEP 1e-9

/* The world of a scene. phi is counted clockwise. */
static void make_world(ic_world *world, const ic_scene *s)
{
    static const ic_scene_file ball = {.name = "ball", .dimension = 2}, bar = {.name = "bar", .dimension = 2};
    const bool is_bar = s->body == IC_SCENE_BAR;
    const double half = s->start.phi / 2;
    *world = (ic_world){.file = is_bar ? &bar : &ball,
                        .gravity = {0, -s->gravity, 0},
                        .restitution = s->e,
                        .friction = s->mu,
                        .step = s->step,
                        .steps = (size_t)ceil(s->until / s->step - PART_OF_A_STEP),
                        .n_bodies = 2,
                        .n_moving = 1};
    world->bodies[0] = (ic_world_body){.name = "ground", .fixed = true, .turned = {1}, .n_shapes = 1};
    world->bodies[0].shapes[0].kind = IC_SCENE_SHAPE_PLANE;
    ic_world_body *body = &world->bodies[1];
    *body = (ic_world_body){.name = world->file->name,
                            .mass = s->mass,
                            .inertia = {s->inertia, s->inertia, s->inertia},
                            .at = {s->start.x, s->start.y, 0},
                            .turned = {cos(half), 0, 0, -sin(half)},
                            .velocity = {s->start.vx, s->start.vy, 0},
                            .spin = {0, 0, -s->start.omega},
                            .n_shapes = 1};
    body->shapes[0].kind = IC_SCENE_SHAPE_SPHERE;
    body->shapes[0].size[0] = is_bar ? TIP_RADIUS : s->radius;
    if (!is_bar) return;
    /* The lowest point of the sphere is the tip of the bar at the start, as in the paper. */
    body->shapes[0].at[0] = -TIP_RADIUS * sin(s->start.phi);
    body->shapes[0].at[1] = TIP_RADIUS * cos(s->start.phi) - s->length / 2;
}

static ic_engine_end end_of(ic_motion_end end)
{
    static const ic_engine_end ends[] = {
        [IC_MOTION_COMPLETE] = IC_ENGINE_GOOD,   [IC_MOTION_UNSUPPORTED] = IC_ENGINE_UNSUPPORTED,
        [IC_MOTION_GARBAGE] = IC_ENGINE_GARBAGE, [IC_MOTION_NOT_FINITE] = IC_ENGINE_NOT_FINITE,
        [IC_MOTION_CRASHED] = IC_ENGINE_CRASHED, [IC_MOTION_FAILED] = IC_ENGINE_FAILED,
        [IC_MOTION_LIMITED] = IC_ENGINE_LIMITED, [IC_MOTION_HUNG] = IC_ENGINE_HUNG,
        [IC_MOTION_REFUSED] = IC_ENGINE_REFUSED, [IC_MOTION_NO_MEMORY] = IC_ENGINE_NO_MEMORY};
    return ends[end];
}

static ic_engine_motion run_program(const ic_engine_source *source, const ic_engine_scene *asked)
{
    ic_engine_motion motion = {0};
    ic_scene_motion played;
    ic_world world;
    const ic_scene scene = ic_scene_of(asked);
    make_world(&world, &scene);
    source->player->config = asked->config;
    source->player->variant = asked->variant;
    ic_scene_play(source->player, &world, &played);
    motion.end = end_of(played.end);
    snprintf(motion.detail, sizeof motion.detail, "%.*s", (int)sizeof motion.detail - 1, played.detail);
    if (motion.end == IC_ENGINE_GOOD) motion.rows = calloc(played.n_rows, sizeof *motion.rows);
    if (motion.end == IC_ENGINE_GOOD && motion.rows == NULL) motion.end = IC_ENGINE_NO_MEMORY;
    for (size_t i = 0; motion.rows != NULL && i < played.n_rows; i++) {
        const double *q = played.rows + i * played.row_size + IC_SCENE_QUANTITY_COUNT;
        motion.rows[i] = (ic_engine_state){.t = played.times[i],
                                           .x = q[IC_SCENE_X],
                                           .y = q[IC_SCENE_Y],
                                           .phi = -q[IC_SCENE_ANGLE],
                                           .vx = q[IC_SCENE_VX],
                                           .vy = q[IC_SCENE_VY],
                                           .omega = -q[IC_SCENE_WZ]};
        motion.n_rows++;
    }
    ic_scene_motion_free(&played);
    return motion;
}

/* ---- the child */

/* Exit statuses of a plugin's engine. */
enum { PLAYED = 0, NO_LIBRARY = 2, GAVE_UP = 4 };

/* Sizes, bytes: of the rows in one packet; of one row, which is seven numbers of 17 digits. */
enum { PACKET = 1 << 13, ROW_MOST = 256 };

typedef struct packet {
    const ic_seal *seal;
    char text[PACKET];
    size_t length;
} packet;

static void send_packet(packet *p)
{
    if (p->length > 0) ic_seal_write(p->seal, p->text, p->length);
    p->length = 0;
}

static bool write_row(void *context, const ic_body_row *row)
{
    packet *p = context;
    if (p->length + ROW_MOST > sizeof p->text) send_packet(p);
    p->length += (size_t)snprintf(p->text + p->length, ROW_MOST, "%.17g,%.17g,%.17g,%.17g,%.17g,%.17g,%.17g\n",
                                  row->t, row->x, row->y, row->phi, row->vx, row->vy, row->omega);
    return true;
}

/* Loads the library, plays the scene with its engine and writes the rows in packets. */
static int play_scene(const ic_seal *seal, const ic_engine_source *source, const ic_engine_scene *asked)
{
    static packet rows;
    ic_error error;
    const ic_plugin *plugin = ic_plugin_load(source->library, &error);
    if (plugin == NULL || source->index >= plugin->n_engines) return NO_LIBRARY;
    const ic_scene scene = ic_scene_of(asked);
    rows.seal = seal;
    rows.length = (size_t)snprintf(rows.text, sizeof rows.text, "t,x,y,phi,vx,vy,omega\n");
    const ic_status status = plugin->engines[source->index]->run(&scene, write_row, &rows);
    send_packet(&rows);
    return status == IC_OK ? PLAYED : GAVE_UP;
}

typedef struct scene_job {
    const ic_engine_source *source;
    const ic_engine_scene *scene;

    /* Secret that marks the rows of a plugin. */
    ic_secret secret;
} scene_job;

static int run_child(int answer, void *context)
{
    scene_job *j = context;
    ic_seal seal;
    return ic_seal_open(&seal, answer, &j->secret) ? play_scene(&seal, j->source, j->scene) : 1;
}

typedef struct output_text {
    char *bytes;
    size_t length, room;
} output_text;

/* Makes room for more bytes and for the zero at the end. */
static bool grow_text(output_text *said, size_t more)
{
    if (said->length + more < said->room) return true;
    const size_t room = said->room == 0 ? FIRST_ROOM : 2 * said->room;
    char *grown = room <= ROOM_MOST ? realloc(said->bytes, room) : NULL;
    if (grown == NULL) return false;
    memset(grown + said->room, 0, room - said->room);
    said->bytes = grown;
    said->room = room;
    return true;
}

/*
 * Reads the child's output until it closes the pipe or its time is up. The packets of a plugin
 * begin with the secret.
 */
static ic_engine_end read_output(output_text *said, ic_process *process, const scene_job *j)
{
    static char room[IC_SECRET_SIZE + PACKET];
    const size_t before = IC_SECRET_SIZE;
    for (;;) {
        if (!grow_text(said, sizeof room))
            return said->room == ROOM_MOST ? IC_ENGINE_GARBAGE : IC_ENGINE_NO_MEMORY;
        const ssize_t got = ic_process_read(process, room, sizeof room);
        if (got <= 0) return got == 0 ? IC_ENGINE_GOOD : IC_ENGINE_HUNG;
        if (!ic_secret_begins(&j->secret, room, (size_t)got)) return IC_ENGINE_FORGED;
        memcpy(said->bytes + said->length, room + before, (size_t)got - before);
        said->length += (size_t)got - before;
    }
}

/* ---- the end of the child */

static ic_engine_end classify_end(ic_engine_motion *motion, const ic_process_end *ended)
{
    const int state = ended->supervised.state, sig = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    const int status = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
    char limit[96];
    if (ended->supervised.refused != 0) {
        errno = ended->supervised.refused;
        return IC_ENGINE_REFUSED;
    }
    if (!ended->in_time) return IC_ENGINE_HUNG;
    if (ended->lost) {
        snprintf(motion->detail, sizeof motion->detail, "it ended the process that supervises it");
        return IC_ENGINE_CRASHED;
    }
    if (sig == 0 && status == 0) return IC_ENGINE_GOOD;
    if (ic_limit_that_ended(limit, sizeof limit, sig, &ended->supervised)) {
        snprintf(motion->detail, sizeof motion->detail, "by %s", limit);
        return IC_ENGINE_LIMITED;
    }
    if (sig != 0) snprintf(motion->detail, sizeof motion->detail, "signal %d", sig);
    else snprintf(motion->detail, sizeof motion->detail, "exit status %d", status);
    return sig != 0 ? IC_ENGINE_CRASHED : IC_ENGINE_FAILED;
}

static ic_engine_end run_process(ic_engine_motion *motion, output_text *said, scene_job *j, double seconds)
{
    const ic_process_settings settings = {.input = -1, .confined = true, .seconds = seconds};
    ic_process process;
    if (!ic_secret_make(&j->secret) || !ic_process_start(&process, run_child, j, &settings))
        return IC_ENGINE_REFUSED;
    const ic_engine_end heard = read_output(said, &process, j);
    const ic_process_end ended = ic_process_finish(&process, heard != IC_ENGINE_GOOD);
    return heard == IC_ENGINE_GOOD ? classify_end(motion, &ended) : heard;
}

static void describe_end(ic_engine_motion *motion, double seconds)
{
    char *to = motion->detail;
    const size_t size = sizeof motion->detail;
    switch (motion->end) {
    case IC_ENGINE_HUNG: snprintf(to, size, "still running after %g s", seconds); break;
    case IC_ENGINE_REFUSED: snprintf(to, size, "the system could not start it: %s", strerror(errno)); break;
    case IC_ENGINE_GARBAGE: snprintf(to, size, "more than %d bytes", ROOM_MOST); break;
    case IC_ENGINE_FORGED: snprintf(to, size, "it sent rows that the engine did not pass to `take`"); break;
    default: break;
    }
}

ic_engine_motion ic_engine_run(const ic_engine_source *source, const ic_engine_scene *scene, double seconds)
{
    ic_engine_motion motion = {0};
    output_text said = {0};
    scene_job j = {.source = source, .scene = scene};
    if (source->player != NULL) return run_program(source, scene);
    motion.end = run_process(&motion, &said, &j, seconds);
    describe_end(&motion, seconds);
    if (said.bytes == NULL && motion.end == IC_ENGINE_GOOD) motion.end = IC_ENGINE_NO_MEMORY;
    if (motion.end == IC_ENGINE_GOOD) {
        said.bytes[said.length] = '\0';
        motion.end = ic_engine_read_rows(&motion, said.bytes, said.length);
    }
    free(said.bytes);
    return motion;
}
