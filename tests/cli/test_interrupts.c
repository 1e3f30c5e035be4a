/* SPDX-License-Identifier: MIT */
/**
 * The command, ended from outside in the midst of its work, on a terminal of its own: it ends by
 * the signal, and neither a process nor a temporary file is left, when it has ended after a signal
 * that can be caught, and soon after one that cannot.
 */
#include "audit/common/process.h"
#include "impactcheck/impactcheck.h"
#include "tests/tests.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int begin_suite(void);
IC_SUITE_WITH(audits, "interruptions", begin_suite, NULL)

/* s; until it is at work, and until it has ended, on machines that are slow; what is left after
   SIGKILL has that long */
#define MOST_START 30.0
#define MOST_END 20.0
#define SOON 5.0

static const struct timespec moment = {.tv_nsec = 5000000};
static char folder[64];

/* ---- one command on a terminal */

enum { MOST_WORDS = 16 };

typedef struct job {
    /* behind the command's name */
    const char *words[MOST_WORDS];

    /* once it is at work, there is something new in its folder */
    bool starts;

    /* s; how long it then is at work */
    double after;

    /* a line for the shell that fills the folder before */
    const char *prepare;

    /* NULL: the one that was built */
    const char *command;
} job;

typedef struct terminal {
    pid_t command;
    int master, state;
    bool ended;
} terminal;

/* Its output is read, or it would wait. */
static void read_terminal(const terminal *t)
{
    char bytes[4096];
    struct pollfd waiting = {.fd = t->master, .events = POLLIN};
    while (poll(&waiting, 1, 0) > 0) {
        if (read(t->master, bytes, sizeof bytes) <= 0) return;
    }
}

static bool watch(terminal *t)
{
    read_terminal(t);
    if (!t->ended) t->ended = waitpid(t->command, &t->state, WNOHANG) == t->command;
    nanosleep(&moment, NULL);
    return !t->ended;
}

static size_t count_entries(void)
{
    size_t count = 0;
    DIR *dir = opendir(folder);
    for (const struct dirent *e = dir != NULL ? readdir(dir) : NULL; e != NULL; e = readdir(dir)) {
        count += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    }
    if (dir != NULL) closedir(dir);
    return count;
}

static void prepare(const job *j)
{
    char line[2048];
    strcpy(folder, "/tmp/impactcheck-test-XXXXXX");
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(line, sizeof line, "cd %s && %s", folder, j->prepare != NULL ? j->prepare : ":");
    CU_ASSERT_EQUAL_FATAL(system(line), 0);
}

static terminal start(const job *j)
{
    terminal t = {0};
    const char *words[MOST_WORDS + 2] = {j->command != NULL ? j->command : IC_TEST_COMMAND};
    for (size_t i = 0; i < MOST_WORDS && j->words[i] != NULL; i++) words[i + 1] = j->words[i];
    t.command = forkpty(&t.master, NULL, NULL, NULL);
    if (t.command == 0) {
        /* tests that run behind nohup, or in the background of a script, ignore some */
        const int usual[] = {SIGPIPE, SIGINT, SIGHUP, SIGTERM};
        for (size_t i = 0; i < sizeof usual / sizeof *usual; i++) signal(usual[i], SIG_DFL);
        setenv("TMPDIR", folder, 1);
        if (chdir(folder) == 0) execv(words[0], (char *const *)words);
        _exit(127);
    }
    CU_ASSERT_FATAL(t.command > 0);
    return t;
}

/* Until it is at work. false: it has ended before. */
static bool wait_for_work(terminal *t, const job *j, size_t before)
{
    const double begin = ic_process_now();
    while (j->starts && count_entries() == before) {
        if (!watch(t) || ic_process_now() > begin + MOST_START) return false;
    }
    const double end = ic_process_now() + j->after;
    while (ic_process_now() < end) {
        if (!watch(t)) return false;
    }
    return true;
}

/* ---- what is left */

/* Orphans fall to this process. */
static bool none_left(double within)
{
    const double end = ic_process_now() + within;
    for (;;) {
        const pid_t left = waitpid(-1, NULL, WNOHANG);
        if (left == -1 && errno == ECHILD) return true;
        if (left == 0 && ic_process_now() >= end) return false;
        if (left == 0) nanosleep(&moment, NULL);
    }
}

static void end_all(void)
{
    while (ic_descendants_kill(getpid(), 0) > 0) nanosleep(&moment, NULL);
    while (waitpid(-1, NULL, WNOHANG) > 0) continue;
}

static void say(const char *what, const job *j)
{
    printf("\n  %s:", what);
    for (size_t i = 0; i < MOST_WORDS && j->words[i] != NULL; i++) printf(" %s", j->words[i]);
    printf("\n");
}

#define HOLDS(what_, job_)                                                                                     \
    do {                                                                                                       \
        const bool holds = (what_);                                                                            \
        CU_ASSERT(holds);                                                                                      \
        if (!holds) say(#what_, job_);                                                                         \
    } while (0)

typedef void ending(terminal *t);

static void press_ctrl_c(terminal *t)
{
    CU_ASSERT_EQUAL(write(t->master, "\x03", 1), 1);
}

static void ask_to_end(terminal *t)
{
    kill(t->command, SIGTERM);
}

static void kill_it(terminal *t)
{
    kill(t->command, SIGKILL);
}

/* The terminal goes, as when a window is closed. */
static void hang_up(terminal *t)
{
    close(t->master);
    t->master = open("/dev/null", O_RDONLY);
}

/* `kept`: new entries of its folder that are meant to stay. */
static void check(const job *j, ending *ends, int by, size_t kept)
{
    prepare(j);
    const size_t before = count_entries();
    terminal t = start(j);
    HOLDS(wait_for_work(&t, j, before), j);
    ends(&t);
    const double end = ic_process_now() + MOST_END;
    while (watch(&t) && ic_process_now() < end) continue;
    HOLDS(t.ended && WIFSIGNALED(t.state) && WTERMSIG(t.state) == by, j);
    /* processes of our own that compute end by the same signal, each by itself */
    HOLDS(none_left(by == SIGKILL || strcmp(j->words[0], "audit") != 0 ? SOON : 0), j);
    HOLDS(count_entries() == before + kept, j);
    end_all();
    close(t.master);
    ic_folder_remove(folder);
}

/* ---- all commands */

#define BALL "--case", "bouncing-ball/lively"
#define GOING "touch going; setsid sleep 1000 & sleep 1000"

static const job hanging_law = {
    .words = {"audit", "--plugin", IC_TEST_PLUGINS "/law_hangs.so"}, .starts = true, .after = 0.1};
static const job sleeping_command = {
    .words = {"audit", "--command", GOING, BALL}, .starts = true, .after = 0.1};

IC_TEST(test_audits)
{
    check(&hanging_law, press_ctrl_c, SIGINT, 0);
    check(&sleeping_command, press_ctrl_c, SIGINT, 1);
}

/* The command looks for engines in its own folder: a copy of it, with a hanging program in the
   place of an engine. */
IC_TEST(test_engine)
{
    const job j = {.words = {"audit", "--engine", "ode"},
                   .starts = true,
                   .after = 0.1,
                   .prepare = "cp '" IC_TEST_COMMAND "' impactcheck && printf '#!/bin/sh\n" GOING
                              "\n' >impactcheck-engine-ode && chmod +x impactcheck-engine-ode",
                   .command = "./impactcheck"};
    check(&j, press_ctrl_c, SIGINT, 1);
}

/* Commands other than audits: nothing is started, and files are complete or absent. The part of
   a sweep stays, to be resumed. */
IC_TEST(test_computations)
{
    static const job jobs[] = {
        {.words = {"verify", "--json", "verify.json", "--junit", "verify.xml"}, .starts = true, .after = 0.2},
        {.words = {"run", "roller/III/D", "--until", "1000", "--solver", "rk4_henon", "--trajectory",
                   "run.csv"},
         .starts = true},
        {.words = {"certify", "roller/III/C", "--until", "1000"}, .after = 0.3},
        {.words = {"optimise", "roller/III/C", "--minimise", "contact_force:max", "--over", "k=1e7:1e9:log",
                   "--until", "100"},
         .after = 0.3},
        {.words = {"bench"}, .after = 0.3},
        {.words = {"report", "--results", "results", "--out", "pages"},
         .after = 0.3,
         .prepare = "mkdir results && mkfifo results/list.json"},
    };
    const job sweep = {.words = {"sweep", "roller/III/C", "--vary", "c=450e3:550e3:4000", "--skip", "100000",
                                 "--out", "sweep.csv"},
                       .starts = true,
                       .after = 0.2};
    check(&sweep, press_ctrl_c, SIGINT, 1);
    for (size_t i = 0; i < IC_COUNT(jobs); i++) check(&jobs[i], press_ctrl_c, SIGINT, 0);
}

IC_TEST(test_other_ends)
{
    check(&hanging_law, ask_to_end, SIGTERM, 0);
    check(&sleeping_command, ask_to_end, SIGTERM, 1);
    check(&hanging_law, hang_up, SIGHUP, 0);
    check(&sleeping_command, hang_up, SIGHUP, 1);
    check(&hanging_law, kill_it, SIGKILL, 0);
    check(&sleeping_command, kill_it, SIGKILL, 1);
}

static int begin_suite(void)
{
    end_all();
    return prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
}
