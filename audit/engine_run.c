/* SPDX-License-Identifier: MIT */
#include "audit/engine_run.h"
#include "audit/child.h"
#include "audit/engine_play.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST_WAIT 1e6 /* ms; how long one wait may last, so that int holds it */

enum { NUMBERS = 9, ARGUMENTS_MOST = 2 + 2 * (NUMBERS + 2) + 1 };
enum { FIRST_ROOM = 1 << 16, ROOM_MOST = 1 << 27 }; /* bytes; what writes more than 128 MiB writes no answer */

ic_engine_scene ic_engine_scene_of(bool bar)
{
    return (ic_engine_scene){bar, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NULL, NULL};
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
        {"--e", s->e},         {"--mu", s->mu},         {"--angle", s->angle}, {"--step", s->step},
        {"--until", s->until}, {"--height", s->height}, {"--speed", s->speed}, {"--tangential", s->tangential},
        {"--phase", s->phase},
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

static void be_child(const ic_engine_source *source, const ic_engine_scene *scene, const command_line *line,
                     int rows)
{
    const struct rlimit none = {0, 0};
    const int nowhere = open("/dev/null", O_RDWR);
    setrlimit(RLIMIT_CORE, &none);
    setpgid(0, 0); /* what it starts is ended with it */
    signal(SIGPIPE, SIG_DFL);
    if (nowhere >= 0) {
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDERR_FILENO);
    }
    dup2(rows, STDOUT_FILENO);
    if (source->program != NULL) execv(line->arguments[0], line->arguments);
    else _exit(ic_engine_play(source->library, source->index, scene));
    _exit(127); /* as a shell says it */
}

static pid_t start(const ic_engine_source *source, const ic_engine_scene *scene, const command_line *line,
                   int *rows)
{
    int fds[2];
    if (pipe(fds) != 0) return -1;
    fflush(NULL); /* or the child would write it again */
    const pid_t child = fork();
    if (child == 0) {
        close(fds[0]);
        be_child(source, scene, line, fds[1]);
    }
    close(fds[1]);
    if (child > 0) setpgid(child, child); /* whoever comes first */
    if (child < 0) close(fds[0]);
    else *rows = fds[0];
    return child;
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
static ic_engine_end listen_to(text *said, int fd, double deadline)
{
    for (;;) {
        struct pollfd waiting = {.fd = fd, .events = POLLIN};
        const double wait = 1e3 * (deadline - ic_child_now());
        if (wait <= 0) return IC_ENGINE_HUNG;
        if (!grow(said)) return said->room == ROOM_MOST ? IC_ENGINE_GARBAGE : IC_ENGINE_NO_MEMORY;
        const int ready = poll(&waiting, 1, (int)fmin(ceil(wait), LONGEST_WAIT));
        if (ready == 0 || (ready == -1 && errno == EINTR)) continue;
        const ssize_t got = ready > 0 ? read(fd, said->bytes + said->length, said->room - said->length - 1) : 0;
        if (got == -1 && errno == EINTR) continue;
        if (got <= 0) return IC_ENGINE_GOOD;
        said->length += (size_t)got;
    }
}

static ic_engine_end run(text *said, const ic_engine_source *source, const ic_engine_scene *scene,
                         double seconds, int *state)
{
    const double deadline = ic_child_now() + seconds;
    int rows = -1;
    command_line line;
    write_command(&line, source->program != NULL ? source->program : "", scene);
    const pid_t child = start(source, scene, &line, &rows);
    if (child < 0) return IC_ENGINE_REFUSED;
    ic_engine_end end = listen_to(said, rows, deadline);
    close(rows);
    if (end != IC_ENGINE_GOOD) kill(-child, SIGKILL);
    if (!ic_child_wait(child, state, deadline)) end = IC_ENGINE_HUNG;
    kill(-child, SIGKILL); /* what it has left behind */
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
    int state = 0;
    motion.end = run(&said, source, scene, seconds, &state);
    explain(&motion, state, seconds);
    if (said.bytes == NULL && motion.end == IC_ENGINE_GOOD) motion.end = IC_ENGINE_NO_MEMORY;
    if (motion.end == IC_ENGINE_GOOD) {
        said.bytes[said.length] = '\0';
        motion.end = ic_engine_read_rows(&motion, said.bytes, said.length);
    }
    free(said.bytes);
    return motion;
}
