/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_run.h"
#include "audit/common/confine.h"
#include "audit/common/process.h"
#include "audit/engine/engine_play.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUMBERS = 13, ARGUMENTS_MOST = 2 + 2 * (NUMBERS + 2) + 1 };
/* bytes; what writes more than 128 MiB writes no answer */
enum { FIRST_ROOM = 1 << 16, ROOM_MOST = 1 << 27 };

/* ---- what is asked */

typedef struct command_line {
    char numbers[NUMBERS][32];
    char *arguments[ARGUMENTS_MOST];
} command_line;

/* execv does not write to its arguments, though its type says it may. */
static void write_command(command_line *line, const char *program, const ic_engine_scene *s)
{
    const struct {
        const char *name;
        double value;
    } numbers[NUMBERS] = {
        {"--e", s->e},           {"--mu", s->mu},
        {"--angle", s->angle},   {"--step", s->step},
        {"--until", s->until},   {"--height", s->height},
        {"--speed", s->speed},   {"--tangential", s->tangential},
        {"--omega", s->omega},   {"--phase", s->phase},
        {"--mass", s->mass},     {"--inertia", s->inertia},
        {"--length", s->length},
    };
    const char *words[] = {"--config", s->config, "--variant", s->variant};
    size_t n = 0;
    line->arguments[n++] = (char *)program;
    line->arguments[n++] = s->bar ? "bar" : "ball";
    for (size_t i = 0; i < NUMBERS; i++) {
        if (isnan(numbers[i].value)) continue;
        snprintf(line->numbers[i], sizeof line->numbers[i], "%.17g", numbers[i].value);
        line->arguments[n++] = (char *)numbers[i].name;
        line->arguments[n++] = line->numbers[i];
    }
    for (size_t i = 0; i < 4; i += 2) {
        if (words[i + 1] == NULL || words[i + 1][0] == '\0') continue;
        line->arguments[n++] = (char *)words[i];
        line->arguments[n++] = (char *)words[i + 1];
    }
    line->arguments[n] = NULL;
}

/* ---- the child */

typedef struct job {
    const ic_engine_source *source;
    const ic_engine_scene *scene;
    ic_secret secret; /* of a plugin's rows */
} job;

static int be_child(int answer, void *context)
{
    job *j = context;
    command_line line;
    ic_seal seal;
    if (j->source->program == NULL)
        return ic_seal_open(&seal, answer, &j->secret)
                   ? ic_engine_play(&seal, j->source->library, j->source->index, j->scene)
                   : 1;
    write_command(&line, j->source->program, j->scene);
    execv(line.arguments[0], line.arguments);
    return 127; /* as a shell says it */
}

typedef struct text {
    char *bytes;
    size_t length, room;
} text;

/* Room for so many more bytes, and for the zero at the end. */
static bool grow(text *said, size_t more)
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

/* All that it writes, until it closes its end or its time is up; of a plugin, packets that begin
   with the secret. */
static ic_engine_end listen_to(text *said, ic_process *process, const job *j)
{
    static char room[IC_SECRET_SIZE + IC_ENGINE_PACKET];
    const size_t before = j->source->program == NULL ? IC_SECRET_SIZE : 0;
    for (;;) {
        if (!grow(said, sizeof room)) return said->room == ROOM_MOST ? IC_ENGINE_GARBAGE : IC_ENGINE_NO_MEMORY;
        const ssize_t got = ic_process_read(process, room, sizeof room);
        if (got <= 0) return got == 0 ? IC_ENGINE_GOOD : IC_ENGINE_HUNG;
        if (before > 0 && !ic_secret_begins(&j->secret, room, (size_t)got)) return IC_ENGINE_FORGED;
        memcpy(said->bytes + said->length, room + before, (size_t)got - before);
        said->length += (size_t)got - before;
    }
}

/* ---- how it ended */

static ic_engine_end judge_end(ic_engine_motion *motion, const ic_process_end *ended)
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
        snprintf(motion->detail, sizeof motion->detail, "it ended the process that watches over it");
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

static ic_engine_end run(ic_engine_motion *motion, text *said, job *j, double seconds)
{
    const bool plugin = j->source->program == NULL;
    const ic_process_ways ways = {.input = -1, .prints = !plugin, .confined = plugin, .seconds = seconds};
    ic_process process;
    if (!ic_secret_make(&j->secret) || !ic_process_start(&process, be_child, j, &ways))
        return IC_ENGINE_REFUSED;
    const ic_engine_end heard = listen_to(said, &process, j);
    const ic_process_end ended = ic_process_finish(&process, heard != IC_ENGINE_GOOD);
    return heard == IC_ENGINE_GOOD ? judge_end(motion, &ended) : heard;
}

static void explain(ic_engine_motion *motion, double seconds)
{
    char *to = motion->detail;
    const size_t size = sizeof motion->detail;
    switch (motion->end) {
    case IC_ENGINE_HUNG: snprintf(to, size, "no end after %g s", seconds); break;
    case IC_ENGINE_REFUSED: snprintf(to, size, "the system did not start it: %s", strerror(errno)); break;
    case IC_ENGINE_GARBAGE: snprintf(to, size, "more than %d bytes", ROOM_MOST); break;
    case IC_ENGINE_FORGED: snprintf(to, size, "rows came that it has not handed over"); break;
    default: break;
    }
}

ic_engine_motion ic_engine_run(const ic_engine_source *source, const ic_engine_scene *scene, double seconds)
{
    ic_engine_motion motion = {0};
    text said = {0};
    job j = {.source = source, .scene = scene};
    motion.end = run(&motion, &said, &j, seconds);
    explain(&motion, seconds);
    if (said.bytes == NULL && motion.end == IC_ENGINE_GOOD) motion.end = IC_ENGINE_NO_MEMORY;
    if (motion.end == IC_ENGINE_GOOD) {
        said.bytes[said.length] = '\0';
        motion.end = ic_engine_read_rows(&motion, said.bytes, said.length);
    }
    free(said.bytes);
    return motion;
}
