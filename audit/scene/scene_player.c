/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene_player.h"

#include "audit/scene/scene_start.h"

#include "audit/common/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* bytes: read at once; of one motion at most */
enum { CHUNK = 1 << 16, MOTION_MOST = 1 << 28 };
/* s; scenes have limits of their own */
#define NO_LIMIT 2e9

/* ---- start and end of the program */

static int run_program(int answer, void *context)
{
    const ic_scene_player *player = context;
    char *arguments[] = {(char *)player->program, NULL}; /* execv does not write to it */
    (void)answer;
    execv(player->program, arguments);
    return 127; /* the exit status of a shell in this case */
}

static bool start(ic_scene_player *player)
{
    int ends[2];
    if (pipe(ends) != 0) return false;
    /* Otherwise a later process would hold it open. */
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const ic_process_settings settings = {.input = ends[0], .prints = true, .seconds = NO_LIMIT};
    player->running = ic_process_start(&player->process, run_program, player, &settings);
    close(ends[0]);
    player->input = ends[1];
    player->played = 0;
    if (!player->running) close(ends[1]);
    return player->running;
}

/* End the process; the reason of its end, if it was not asked to end. */
static ic_motion_end stop(ic_scene_player *player, bool at_once, char *detail, size_t room)
{
    close(player->input);
    if (!at_once) ic_process_allow(&player->process, player->seconds);
    const ic_process_end ended = ic_process_finish(&player->process, at_once);
    const int state = ended.supervised.state, sig = WIFSIGNALED(state) ? WTERMSIG(state) : 0;
    const int status = WIFEXITED(state) ? WEXITSTATUS(state) : 0;
    char words[160], limit[96];
    player->running = false;
    if (at_once) return IC_MOTION_COMPLETE;
    ic_process_last_words(&player->process, words, sizeof words);
    const char *colon = words[0] != '\0' ? ": " : "";
    if (ended.supervised.refused != 0) {
        snprintf(detail, room, "the system could not start it: %s", strerror(ended.supervised.refused));
        return IC_MOTION_REFUSED;
    }
    if (ended.lost) {
        snprintf(detail, room, "it ended the process that supervises it%s%s", colon, words);
        return IC_MOTION_CRASHED;
    }
    if (!ended.in_time) {
        snprintf(detail, room, "still running after %g s, without output%s%s", player->seconds, colon, words);
        return IC_MOTION_HUNG;
    }
    if (ic_limit_that_ended(limit, sizeof limit, sig, &ended.supervised)) {
        snprintf(detail, room, "ended by %s", limit);
        return IC_MOTION_LIMITED;
    }
    if (sig != 0) snprintf(detail, room, "ended by signal %d%s%s", sig, colon, words);
    else if (status == 127)
        snprintf(detail, room, "exit status 127: the program could not be run%s%s", colon, words);
    else if (status != 0) snprintf(detail, room, "exit status %d%s%s", status, colon, words);
    else snprintf(detail, room, "it ended without a motion%s%s", colon, words);
    return sig != 0 ? IC_MOTION_CRASHED : IC_MOTION_FAILED;
}

void ic_scene_player_close(ic_scene_player *player)
{
    if (player->running) {
        char detail[IC_MOTION_TEXT];
        stop(player, true, detail, sizeof detail);
    }
    free(player->bytes);
    player->bytes = NULL;
    player->room = player->length = 0;
}

/* ---- question and answer */

/* A program that has ended is seen by the end of its output. */
static void send_scene(const ic_scene_player *player, const char *text, size_t size)
{
    struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
    sigaction(SIGPIPE, &ignore, &before);
    for (size_t sent = 0; sent < size;) {
        const ssize_t n = write(player->input, text + sent, size - sent);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        sent += (size_t)n;
    }
    sigaction(SIGPIPE, &before, NULL);
}

static bool make_room(ic_scene_player *player)
{
    if (player->room - player->length > CHUNK) return true;
    const size_t room = player->room == 0 ? (size_t)4 * CHUNK : 2 * player->room;
    char *grown = room <= MOTION_MOST ? realloc(player->bytes, room) : NULL;
    if (grown == NULL) return false;
    player->bytes = grown;
    player->room = room;
    return true;
}

/* Whether the last line is `end`. */
static bool is_complete(const ic_scene_player *player)
{
    static const char last[] = "end\n";
    const size_t length = sizeof last - 1;
    if (player->length < length || memcmp(player->bytes + player->length - length, last, length) != 0)
        return false;
    return player->length == length || player->bytes[player->length - length - 1] == '\n';
}

/* Read until the last line, the end of the output or the deadline. */
static ic_motion_end listen_to(ic_scene_player *player, char *detail, size_t room)
{
    player->length = 0;
    for (;;) {
        if (!make_room(player)) {
            const bool much = player->room == MOTION_MOST;
            snprintf(detail, room, "%s", much ? "more than 134 million bytes" : "memory ran out");
            return much ? IC_MOTION_GARBAGE : IC_MOTION_NO_MEMORY;
        }
        const ssize_t got = ic_process_read(&player->process, player->bytes + player->length, CHUNK);
        if (got < 0) {
            snprintf(detail, room, "still running after %g s", player->seconds);
            return IC_MOTION_HUNG;
        }
        player->length += (size_t)got;
        player->bytes[player->length] = '\0';
        if (is_complete(player)) return IC_MOTION_COMPLETE;
        if (got == 0) return IC_MOTION_FAILED;
    }
}

ic_motion_end ic_scene_ask(ic_scene_player *player, const char *text, size_t size, char *detail, size_t room)
{
    for (int attempt = 0;; attempt++) {
        if (!player->running && !start(player)) {
            snprintf(detail, room, "the system could not start it: %s", strerror(errno));
            return IC_MOTION_REFUSED;
        }
        ic_process_allow(&player->process, player->seconds);
        send_scene(player, text, size);
        const ic_motion_end end = listen_to(player, detail, room);
        if (end == IC_MOTION_COMPLETE) {
            player->played++;
            return end;
        }
        /* A program may end after each scene. */
        const bool may_end = player->played > 0 && player->length == 0 && attempt == 0;
        const ic_motion_end why = stop(player, end != IC_MOTION_FAILED, detail, room);
        if (end != IC_MOTION_FAILED) return end;
        if (!may_end || why != IC_MOTION_FAILED) return why;
    }
}

void ic_scene_play(ic_scene_player *player, const ic_world *world, ic_scene_motion *motion)
{
    char *text = NULL;
    size_t size = 0;
    *motion = (ic_scene_motion){0};
    FILE *out = open_memstream(&text, &size);
    if (out != NULL) ic_world_write(out, world, player->config, player->variant);
    const bool lost = out == NULL || ferror(out) != 0;
    if ((out != NULL && fclose(out) != 0) || lost) {
        motion->end = IC_MOTION_NO_MEMORY;
        snprintf(motion->detail, sizeof motion->detail, "memory ran out");
    } else {
        motion->end = ic_scene_ask(player, text, size, motion->detail, sizeof motion->detail);
        if (motion->end == IC_MOTION_COMPLETE) ic_scene_motion_read(motion, world, player->bytes);
        ic_scene_check_start(motion, world);
    }
    free(text);
}
