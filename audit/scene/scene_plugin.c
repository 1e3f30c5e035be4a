/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include "audit/common/plugin_load.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/wait.h>

/* m; height of a body that flies without a ground below it: the ground of a plugin is always there */
#define ALOFT 1e3
/* Exit statuses of the child. */
enum { PLAYED = 0, NO_LIBRARY = 2, GAVE_UP = 4 };
/* Sizes, bytes: of the lines in one packet; of one line; of a motion at most. */
enum { PACKET = 1 << 13, MOST_LINE = 512 };

/* ---- the scene of the public header */

static const ic_world_body *moving_body(const ic_world *world)
{
    size_t i = 0;
    while (world->bodies[i].fixed) i++;
    return &world->bodies[i];
}

bool ic_scene_fits_plugin(const ic_world *world)
{
    bool fits = world->file->dimension == 2 && world->n_moving == 1 && world->n_hinges == 0 &&
                world->n_bodies <= 2 && world->gravity[0] == 0 && world->gravity[1] <= 0;
    for (size_t i = 0; i < world->n_bodies && fits; i++) {
        const ic_world_body *b = &world->bodies[i];
        const bool ground =
            b->fixed && b->shapes[0].kind == IC_SCENE_SHAPE_PLANE && b->at[1] == 0 && b->turned[0] == 1;
        fits = b->n_shapes == 1 && (ground || (!b->fixed && b->shapes[0].kind == IC_SCENE_SHAPE_SPHERE));
    }
    return fits;
}

static ic_scene scene_of(const ic_world *world)
{
    const ic_world_body *b = moving_body(world);
    double r[2];
    ic_world_lever(r, b, 0);
    const bool ball = ic_world_is_round(b);
    ic_scene scene = {.body = ball ? IC_SCENE_BALL : IC_SCENE_BAR,
                      .e = world->restitution,
                      .mu = world->friction,
                      .gravity = -world->gravity[1],
                      .mass = b->mass,
                      .inertia = b->inertia[2],
                      .radius = ball ? b->shapes[0].size[0] : 0,
                      .length = ball ? 0 : 2 * hypot(r[0], r[1]),
                      .step = world->step,
                      .until = ((double)world->steps - 0.5) * world->step};
    scene.start = (ic_body_row){.x = b->at[0],
                                .y = b->at[1] + (world->n_bodies == 1 ? ALOFT : 0),
                                .phi = ball ? 0 : atan2(-r[0], -r[1]),
                                .vx = b->velocity[0],
                                .vy = b->velocity[1],
                                .omega = -b->spin[2]};
    return scene;
}

/* ---- the child */

typedef struct job {
    const ic_scene_player *player;
    const ic_world *world;
    ic_scene scene;

    /* marks the lines of our own code */
    ic_secret secret;
} job;

typedef struct packet {
    const job *job;
    const ic_seal *seal;
    char text[PACKET];
    size_t length;
} packet;

static void send_packet(packet *p)
{
    if (p->length > 0) ic_seal_write(p->seal, p->text, p->length);
    p->length = 0;
}

/* A row of the public header as a line of the protocol: angles are counted counter-clockwise from the start. */
static bool write_row(void *context, const ic_body_row *row)
{
    packet *p = context;
    const ic_scene *s = &p->job->scene;
    const ic_world_body *b = moving_body(p->job->world);
    const double half = (ic_world_angle(b->turned) - (row->phi - s->start.phi)) / 2;
    const double y = row->y - (s->start.y - b->at[1]);
    if (p->length + MOST_LINE > sizeof p->text) send_packet(p);
    p->length += (size_t)snprintf(
        p->text + p->length, MOST_LINE, "row %.17g %s %.17g %.17g 0 %.17g 0 0 %.17g %.17g %.17g 0 0 0 %.17g\n",
        row->t, b->name, row->x, y, cos(half), sin(half), row->vx, row->vy, -row->omega);
    return true;
}

static int play(const ic_seal *seal, const job *j)
{
    static packet lines;
    ic_error error;
    const ic_plugin *plugin = ic_plugin_load(j->player->library, &error);
    if (plugin == NULL || j->player->engine >= plugin->n_engines) return NO_LIBRARY;
    lines.job = j;
    lines.seal = seal;
    lines.length = (size_t)snprintf(lines.text, sizeof lines.text, "engine plugin 1\n");
    const ic_status status = plugin->engines[j->player->engine]->run(&j->scene, write_row, &lines);
    if (status == IC_OK) lines.length += (size_t)snprintf(lines.text + lines.length, MOST_LINE, "end\n");
    send_packet(&lines);
    return status == IC_OK ? PLAYED : GAVE_UP;
}

static int run_child(int answer, void *context)
{
    job *j = context;
    ic_seal seal;
    return ic_seal_open(&seal, answer, &j->secret) ? play(&seal, j) : 1;
}

/* ---- its output */

/* Reads packets until the child closes the pipe or its time is up; FAILED: it has closed it. */
static ic_motion_end read_packets(ic_scene_motion *motion, ic_scene_player *player, const job *j)
{
    static char room[IC_SECRET_SIZE + PACKET];
    player->length = 0;
    for (;;) {
        if (!ic_scene_player_room(player, sizeof room)) return IC_MOTION_NO_MEMORY;
        const ssize_t got = ic_process_read(&player->process, room, sizeof room);
        if (got < 0) return IC_MOTION_HUNG;
        if (got == 0) return IC_MOTION_COMPLETE;
        if (!ic_secret_begins(&j->secret, room, (size_t)got)) {
            motion->cause = IC_MISTAKE_WRITES_OUT_OF_BOUNDS;
            snprintf(motion->detail, sizeof motion->detail,
                     "it sent rows that the engine did not pass to `take`");
            return IC_MOTION_GARBAGE;
        }
        memcpy(player->bytes + player->length, room + IC_SECRET_SIZE, (size_t)got - IC_SECRET_SIZE);
        player->length += (size_t)got - IC_SECRET_SIZE;
    }
}

static ic_motion_end end_of_child(ic_scene_motion *motion, const ic_process_end *ended)
{
    const int state = ended->supervised.state, sig = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    const int status = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
    char limit[96];
    if (!ended->in_time) return IC_MOTION_HUNG;
    if (ended->supervised.refused != 0 || ended->lost) {
        snprintf(motion->detail, sizeof motion->detail, "%s",
                 ended->lost ? "it ended the process that supervises it" : strerror(ended->supervised.refused));
        return ended->lost ? IC_MOTION_CRASHED : IC_MOTION_REFUSED;
    }
    if (sig == 0 && status == PLAYED) return IC_MOTION_COMPLETE;
    if (ic_limit_that_ended(limit, sizeof limit, sig, &ended->supervised)) {
        snprintf(motion->detail, sizeof motion->detail, "ended by %s", limit);
        return IC_MOTION_LIMITED;
    }
    if (sig != 0) snprintf(motion->detail, sizeof motion->detail, "signal %d", sig);
    else snprintf(motion->detail, sizeof motion->detail, "exit status %d", status);
    return sig != 0 ? IC_MOTION_CRASHED : IC_MOTION_FAILED;
}

static void play_plugin(ic_scene_player *player, const ic_world *world, ic_scene_motion *motion)
{
    const ic_process_settings settings = {.input = -1, .confined = true, .seconds = player->seconds};
    if (!ic_scene_fits_plugin(world)) {
        motion->end = IC_MOTION_UNSUPPORTED;
        snprintf(motion->detail, sizeof motion->detail,
                 "engines of plugins move one ball or bar on the ground");
        return;
    }
    job j = {.player = player, .world = world, .scene = scene_of(world)};
    motion->end = IC_MOTION_REFUSED;
    if (!ic_secret_make(&j.secret) || !ic_process_start(&player->process, run_child, &j, &settings)) {
        snprintf(motion->detail, sizeof motion->detail, "the system could not start it: %s", strerror(errno));
        return;
    }
    motion->end = read_packets(motion, player, &j);
    const ic_process_end ended = ic_process_finish(&player->process, motion->end != IC_MOTION_COMPLETE);
    if (motion->end == IC_MOTION_COMPLETE) motion->end = end_of_child(motion, &ended);
    if (motion->end == IC_MOTION_HUNG)
        snprintf(motion->detail, sizeof motion->detail, "still running after %g s", player->seconds);
    if (motion->end != IC_MOTION_COMPLETE) return;
    player->bytes[player->length] = '\0';
    ic_scene_motion_read(motion, world, player->bytes);
}

void ic_scene_play(ic_scene_player *player, const ic_world *world, ic_scene_motion *motion)
{
    *motion = (ic_scene_motion){0};
    if (player->library != NULL) play_plugin(player, world, motion);
    else ic_scene_play_program(player, world, motion);
    ic_scene_check_start(motion, world);
}
