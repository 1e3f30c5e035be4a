/* SPDX-License-Identifier: MIT */
#include "audit/engine/engine_run.h"
#include "audit/engine/engine_play.h"
#include "audit/process.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NUMBERS = 13, ARGUMENTS_MOST = 2 + 2 * (NUMBERS + 2) + 1 };
enum { FIRST_ROOM = 1 << 16, ROOM_MOST = 1 << 27 }; /* bytes; what writes more than 128 MiB writes no answer */

ic_engine_scene ic_engine_scene_of(bool bar)
{
    return (ic_engine_scene){.bar = bar,
                             .e = NAN,
                             .mu = NAN,
                             .angle = NAN,
                             .step = NAN,
                             .until = NAN,
                             .height = NAN,
                             .speed = NAN,
                             .tangential = NAN,
                             .omega = NAN,
                             .phase = NAN,
                             .mass = NAN,
                             .inertia = NAN,
                             .length = NAN};
}

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
} job;

static int be_child(int answer, void *context)
{
    const job *j = context;
    const int nowhere = open("/dev/null", O_RDWR);
    command_line line;
    if (nowhere >= 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    dup2(answer, STDOUT_FILENO);
    if (j->source->program == NULL) return ic_engine_play(j->source->library, j->source->index, j->scene);
    write_command(&line, j->source->program, j->scene);
    execv(line.arguments[0], line.arguments);
    return 127; /* as a shell says it */
}

typedef struct text {
    char *bytes;
    size_t length, room;
} text;

/* Room for one more byte at least, and for the zero at the end. */
static bool grow(text *said)
{
    if (said->length + 1 < said->room) return true;
    const size_t room = said->room == 0 ? FIRST_ROOM : 2 * said->room;
    char *grown = room <= ROOM_MOST ? realloc(said->bytes, room) : NULL;
    if (grown == NULL) return false;
    memset(grown + said->room, 0, room - said->room);
    said->bytes = grown;
    said->room = room;
    return true;
}

/* All that it writes, until it closes the pipe or the time is up. */
static ic_engine_end listen_to(text *said, int answer, double deadline)
{
    for (;;) {
        if (!grow(said)) return said->room == ROOM_MOST ? IC_ENGINE_GARBAGE : IC_ENGINE_NO_MEMORY;
        const ssize_t got =
            ic_process_read(answer, said->bytes + said->length, said->room - said->length - 1, deadline);
        if (got <= 0) return got == 0 ? IC_ENGINE_GOOD : IC_ENGINE_HUNG;
        said->length += (size_t)got;
    }
}

static ic_engine_end run(text *said, job *j, double seconds, int *state)
{
    const double deadline = ic_process_now() + seconds;
    int answer = -1;
    const pid_t child = ic_process_start(&answer, be_child, j);
    if (child < 0) return IC_ENGINE_REFUSED;
    ic_engine_end end = listen_to(said, answer, deadline);
    close(answer);
    if (!ic_process_finish(child, end != IC_ENGINE_GOOD, state, deadline)) end = IC_ENGINE_HUNG;
    if (end == IC_ENGINE_GOOD && WIFSIGNALED(*state)) return IC_ENGINE_CRASHED;
    if (end == IC_ENGINE_GOOD && WEXITSTATUS(*state) != 0) return IC_ENGINE_FAILED;
    return end;
}

/* ---- all of it */

static void explain(ic_engine_motion *motion, int state, double seconds)
{
    char *to = motion->detail;
    const size_t size = sizeof motion->detail;
    switch (motion->end) {
    case IC_ENGINE_CRASHED: snprintf(to, size, "signal %d", WTERMSIG(state)); break;
    case IC_ENGINE_FAILED: snprintf(to, size, "exit status %d", WEXITSTATUS(state)); break;
    case IC_ENGINE_HUNG: snprintf(to, size, "no end after %g s", seconds); break;
    case IC_ENGINE_REFUSED: snprintf(to, size, "the system did not start it: %s", strerror(errno)); break;
    case IC_ENGINE_GARBAGE: snprintf(to, size, "more than %d bytes", ROOM_MOST); break;
    default: break;
    }
}

ic_engine_motion ic_engine_run(const ic_engine_source *source, const ic_engine_scene *scene, double seconds)
{
    ic_engine_motion motion = {0};
    text said = {0};
    job j = {source, scene};
    int state = 0;
    motion.end = run(&said, &j, seconds, &state);
    explain(&motion, state, seconds);
    if (said.bytes == NULL && motion.end == IC_ENGINE_GOOD) motion.end = IC_ENGINE_NO_MEMORY;
    if (motion.end == IC_ENGINE_GOOD) {
        said.bytes[said.length] = '\0';
        motion.end = ic_engine_read_rows(&motion, said.bytes, said.length);
    }
    free(said.bytes);
    return motion;
}
