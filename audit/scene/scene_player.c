/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* bytes: read at once; of one motion at most */
enum { CHUNK = 1 << 16, MOST_MOTION = 1 << 28 };
/* s; scenes have limits of their own */
#define NO_LIMIT 2e9
/* bytes of the program's output that messages show */
enum { SHOWN = 60 };

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
        snprintf(detail, room, "it closed its output, and is still running after %g s%s%s", player->seconds,
                 colon, words);
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
    else
        snprintf(detail, room, "it ended %s%s%s", player->length > 0 ? "without `end`" : "without a motion",
                 colon, words);
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

bool ic_scene_player_room(ic_scene_player *player, size_t more)
{
    if (player->room - player->length > more) return true;
    const size_t room = player->room == 0 ? (size_t)4 * CHUNK : 2 * player->room;
    char *grown = room <= MOST_MOTION ? realloc(player->bytes, room) : NULL;
    if (grown == NULL) return false;
    player->bytes = grown;
    player->room = room;
    return true;
}

static size_t skip_blanks(const ic_scene_player *player, size_t at)
{
    while (at < player->length && strchr(" \t\r\n", player->bytes[at]) != NULL) at++;
    return at;
}

/* The line at a byte, for a message. */
static void show_line(char *shown, const ic_scene_player *player, size_t at)
{
    const char *bytes = player->bytes + at, *end = memchr(bytes, '\n', player->length - at);
    size_t length = end != NULL ? (size_t)(end - bytes) : player->length - at;
    while (length > 0 && bytes[length - 1] == '\r') length--;
    ic_scene_excerpt(shown, SHOWN, bytes, length);
}

/* `end`, and perhaps blanks. */
static bool is_end(const char *line)
{
    static const char word[] = "end";
    const size_t length = sizeof word - 1;
    return strncmp(line, word, length) == 0 && line[length + strspn(line + length, " \r")] == '\n';
}

/*
 * Look through the lines from `*at` on that have come to their end. COMPLETE: the last is `end`;
 * GARBAGE: a line that the protocol does not have there; FAILED: the motion goes on.
 */
static ic_motion_end look_through(const ic_scene_player *player, size_t *at, char *detail, size_t room)
{
    char shown[SHOWN];
    for (;;) {
        const char *line = player->bytes + *at, *end = memchr(line, '\n', player->length - *at);
        if (end == NULL) return IC_MOTION_FAILED;
        const size_t length = (size_t)(end + 1 - line);
        const bool last = is_end(line);
        if (memchr(line, '\0', length) != NULL) {
            show_line(shown, player, *at);
            snprintf(detail, room, "a line with a byte 0: '%s'", shown);
            return IC_MOTION_GARBAGE;
        }
        if (!last && !ic_scene_line_known(line)) return IC_MOTION_GARBAGE; /* its reader says why */
        *at += length;
        if (!last) continue;
        const size_t more = skip_blanks(player, *at);
        if (more == player->length) return IC_MOTION_COMPLETE;
        show_line(shown, player, more);
        snprintf(detail, room, "after `end` it wrote '%s'", shown);
        return IC_MOTION_GARBAGE;
    }
}

static void say_hung(const ic_scene_player *player, char *detail, size_t room)
{
    char words[80];
    ic_process_last_words(&player->process, words, sizeof words);
    snprintf(detail, room, "still running after %g s%s%s%s", player->seconds,
             player->length == 0 ? "; it wrote nothing, or did not flush its output" : "",
             words[0] != '\0' ? "; its last message: " : "", words);
}

/* Read until the last line, the end of the output or the deadline. */
static ic_motion_end listen_to(ic_scene_player *player, char *detail, size_t room)
{
    size_t at = 0;
    player->length = 0;
    for (;;) {
        if (!ic_scene_player_room(player, CHUNK)) {
            const bool much = player->room == MOST_MOTION;
            snprintf(detail, room, "%s", much ? "more than 134 million bytes" : "memory ran out");
            return much ? IC_MOTION_GARBAGE : IC_MOTION_NO_MEMORY;
        }
        const ssize_t got = ic_process_read(&player->process, player->bytes + player->length, CHUNK);
        if (got < 0) {
            say_hung(player, detail, room);
            return IC_MOTION_HUNG;
        }
        if (got == 0) return IC_MOTION_FAILED;
        player->length += (size_t)got;
        player->bytes[player->length] = '\0';
        const ic_motion_end end = look_through(player, &at, detail, room);
        if (end != IC_MOTION_FAILED) return end;
    }
}

/* Whether it wrote lines after `end` of the scene before. */
static bool wrote_more(ic_scene_player *player, char *detail, size_t room)
{
    struct pollfd waiting = {.fd = player->process.answer, .events = POLLIN};
    char shown[SHOWN];
    player->length = 0;
    while (player->played > 0 && poll(&waiting, 1, 0) > 0 && ic_scene_player_room(player, CHUNK)) {
        const ssize_t got = ic_process_read(&player->process, player->bytes + player->length, CHUNK);
        if (got <= 0) break; /* it has ended */
        player->length += (size_t)got;
    }
    const size_t more = skip_blanks(player, 0);
    if (more == player->length) return false;
    show_line(shown, player, more);
    snprintf(detail, room, "after `end` of the scene before, it wrote '%s'", shown);
    return true;
}

static bool is_crash(ic_motion_end end)
{
    return end == IC_MOTION_CRASHED || end == IC_MOTION_LIMITED;
}

/* Send the lines of a scene and receive the lines of its motion: `bytes`, valid until the next call. */
static ic_motion_end ask_program(ic_scene_player *player, const char *text, size_t size, char *detail,
                                 size_t room)
{
    player->after_end[0] = '\0';
    for (int attempt = 0;; attempt++) {
        detail[0] = '\0';
        if (!player->running && !start(player)) {
            snprintf(detail, room, "the system could not start it: %s", strerror(errno));
            return IC_MOTION_REFUSED;
        }
        ic_process_allow(&player->process, player->seconds);
        ic_motion_end end = IC_MOTION_GARBAGE;
        if (!wrote_more(player, detail, room)) {
            send_scene(player, text, size);
            end = listen_to(player, detail, room);
        }
        if (end == IC_MOTION_COMPLETE) {
            player->played++;
            return end;
        }
        /* A program may end after each scene. If it crashed instead, another plays this scene. */
        const bool may_end = player->played > 0 && player->length == 0 && attempt == 0;
        const ic_motion_end why = stop(player, end != IC_MOTION_FAILED, detail, room);
        if (end != IC_MOTION_FAILED) return end;
        if (!may_end || (why != IC_MOTION_FAILED && !is_crash(why))) return why;
        if (is_crash(why)) snprintf(player->after_end, sizeof player->after_end, "%s", detail);
    }
}

/* ---- what is wrong with a motion that is not complete */

/* Its last line, which may be cut off. */
static void show_last_line(char *shown, const ic_scene_player *player)
{
    size_t at = player->length;
    while (at > 0 && strchr(" \t\r\n", player->bytes[at - 1]) != NULL) at--;
    while (at > 0 && player->bytes[at - 1] != '\n') at--;
    show_line(shown, player, at);
}

/*
 * Read the lines that came. A wrong line is the reason, and how the program ended a consequence;
 * where all lines are right, the last one says how far it came.
 */
static void explain(ic_scene_motion *motion, const ic_world *world, ic_scene_player *player)
{
    const ic_motion_end end = motion->end;
    char ended[IC_MOTION_TEXT], lines[IC_MOTION_TEXT], last[SHOWN], *cut;
    snprintf(ended, sizeof ended, "%s", motion->detail);
    show_last_line(last, player);
    player->bytes[player->length] = '\0';
    cut = strrchr(player->bytes, '\n');
    *(cut != NULL ? cut : player->bytes) = '\0';
    ic_scene_motion_read(motion, world, player->bytes);
    snprintf(lines, sizeof lines, "%s", motion->detail);
    const ic_motion_end found = motion->end;
    const bool wrong = found == IC_MOTION_GARBAGE || found == IC_MOTION_NOT_FINITE;
    motion->end = wrong && (end == IC_MOTION_HUNG || end == IC_MOTION_FAILED) ? found : end;
    if (found == IC_MOTION_COMPLETE || (end == IC_MOTION_GARBAGE && !wrong))
        snprintf(motion->detail, sizeof motion->detail, "%s", ended);
    else if (wrong)
        snprintf(motion->detail, sizeof motion->detail, "%.150s%s%.80s", lines, ended[0] != '\0' ? "; " : "",
                 ended);
    else
        snprintf(motion->detail, sizeof motion->detail,
                 "%.75s%s%.40s; its last line is '%s': `end` is missing, or not flushed", ended,
                 found == IC_MOTION_FAILED ? "; " : "", found == IC_MOTION_FAILED ? lines : "", last);
}

void ic_scene_play_program(ic_scene_player *player, const ic_world *world, ic_scene_motion *motion)
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
        motion->end = ask_program(player, text, size, motion->detail, sizeof motion->detail);
        if (motion->end == IC_MOTION_COMPLETE) ic_scene_motion_read(motion, world, player->bytes);
        else if (player->length > 0 && motion->end != IC_MOTION_NO_MEMORY) explain(motion, world, player);
    }
    free(text);
}
