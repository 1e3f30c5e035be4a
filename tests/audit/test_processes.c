/* SPDX-License-Identifier: MIT */
/**
 * What runs somebody else's code: nothing of it outlives its audit, whatever it does to the
 * processes above it; it keeps to its limits; a library cannot write files that are not its own,
 * nor records that no check has written.
 */
#include "audit/command/command.h"
#include "audit/common/finding.h"
#include "audit/common/process.h"
#include "audit/plugin/plugin.h"
#include "tests/audit/audited.h"
#include "validation/workers.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

IC_SUITE(audits, "processes of audits")
IC_OWNED(ic_audit_report, ic_audit_report_free)

/* s; limits for programs that end at once, on slow machines, and for programs that must be ended */
#define LONG 60.0
#define SHORT 0.3
/* s; what is not ended waits for LONG at least, and machines may have much else to do */
#define SOON 20.0

/* Whether no child process is left. What is orphaned falls to us, once something has been
   audited. */
static bool none_left(void)
{
    const pid_t left = waitpid(-1, NULL, WNOHANG);
    return (left == -1 && errno == ECHILD) || ic_tests_say("process %ld is left", (long)left);
}

/* ---- programs */

static ic_program_run run_command(const char *command, double seconds)
{
    static const char *const no_arguments[] = {NULL};
    FILE *input = tmpfile();
    CU_ASSERT_PTR_NOT_NULL_FATAL(input);
    const ic_program_run ran = ic_program_start(command, no_arguments, input, seconds);
    fclose(input);
    CU_ASSERT(none_left());
    return ran;
}

static void check_end(const char *command, double seconds, ic_program_end end, const char *said)
{
    const double begin = ic_process_now();
    ic_program_run ran = run_command(command, seconds);
    IC_EXPECT(ran.end == end && strstr(ran.detail, said) != NULL, "%s: end %d, %s", command, ran.end,
              ran.detail);
    IC_EXPECT(ic_process_now() - begin < SOON, "%s: %g s", command, ic_process_now() - begin);
    ic_program_close(&ran);
}

IC_TEST(test_programs_end)
{
    check_end("exit 0", LONG, IC_PROGRAM_GOOD, "");
    check_end("setsid sleep 1000 & exit 0", LONG, IC_PROGRAM_GOOD, "");
    check_end("setsid sleep 1000 >&- 2>&- & exec sleep 1000", SHORT, IC_PROGRAM_HUNG,
              "still running after 0.3 s");
    check_end("trap '' HUP INT TERM; sleep 1000", SHORT, IC_PROGRAM_HUNG, "still running after 0.3 s");
    check_end("kill -STOP $PPID; sleep 1000", SHORT, IC_PROGRAM_HUNG, "still running after 0.3 s");
    check_end("kill $PPID; kill -HUP $PPID; echo no >&2; exit 4", LONG, IC_PROGRAM_FAILED,
              "its last message: no");
    check_end("setsid sleep 1000 & kill -9 $PPID; sleep 1000", LONG, IC_PROGRAM_CRASHED, "supervises it");
}

/* Standard error is read as fast as it comes, and only its tail is kept. */
IC_TEST(test_errors_flood)
{
    check_end("yes >&2", SHORT, IC_PROGRAM_HUNG, "its last message: y");
    check_end("yes | head -c 3000000 >&2; echo ' the cause ' >&2; echo >&2; exit 7", LONG, IC_PROGRAM_FAILED,
              "exit status 7; its last message:  the cause");
    check_end("head -c 100000 /dev/zero | tr '\\0' x >&2; exit 7", LONG, IC_PROGRAM_FAILED,
              "its last message: xxx");
    check_end("printf 'a\\033[31mb\\n' >&2; exit 7", LONG, IC_PROGRAM_FAILED, "its last message: a [31mb");
}

/* Limits that stand already are kept; a program meets them here long before those that it would
   have. */
IC_TEST(test_limits)
{
    struct rlimit before, less;
    check_end("test \"$(ulimit -c)\" = 0", LONG, IC_PROGRAM_GOOD, "");
    check_end("test \"$(ulimit -n)\" -le 1024 && test \"$(ulimit -f)\" != unlimited", LONG, IC_PROGRAM_GOOD,
              "");
    check_end("test \"$(ulimit -t)\" != unlimited", LONG, IC_PROGRAM_GOOD, "");
    getrlimit(RLIMIT_FSIZE, &before);
    less = before;
    less.rlim_cur = 4096;
    setrlimit(RLIMIT_FSIZE, &less);
    check_end("exec head -c 100000 /dev/zero >\"$(mktemp)\"", LONG, IC_PROGRAM_LIMITED,
              "its limit on the size of a file, 4.1e+03 bytes");
    setrlimit(RLIMIT_FSIZE, &before);
}

/* The cause of the end follows from the signal and the resources used. */
IC_TEST(test_limit_that_ended)
{
    const ic_supervised little = {.memory = 1e6, .processor = 0.1}, much = {.memory = 1e15};
    char text[96];
    CU_ASSERT_FALSE(ic_limit_that_ended(text, sizeof text, SIGSEGV, &little));
    CU_ASSERT_FALSE(ic_limit_that_ended(text, sizeof text, SIGKILL, &little));
    CU_ASSERT(ic_limit_that_ended(text, sizeof text, SIGXCPU, &little));
    CU_ASSERT_STRING_EQUAL(text, "its limit on processor time");
    CU_ASSERT(ic_limit_that_ended(text, sizeof text, SIGXFSZ, &little));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "size of a file"));
    CU_ASSERT(ic_limit_that_ended(text, sizeof text, SIGSEGV, &much));
    CU_ASSERT_PTR_NOT_NULL(strstr(text, "memory"));
}

/* ---- children of ours */

static size_t taken;

static void count_record(ic_record *record, void *context)
{
    (void)record, (void)context;
    taken++;
}

static ic_child_end run_child(ic_child_work *work, double seconds)
{
    taken = 0;
    const ic_child_end end = ic_child_run(work, count_record, NULL, seconds);
    CU_ASSERT(end.started);
    CU_ASSERT(none_left());
    return end;
}

static void say_one(ic_finding_writer *writer, void *context)
{
    (void)context;
    ic_announce_operation(writer, "what is done");
    ic_write_record(writer, IC_RECORD_SUBJECT, 0, "mine");
}

/* Bytes like a record, a secret that is wrong before them, into every descriptor that there may be.
 */
static void write_forged(ic_finding_writer *writer, void *context)
{
    const ic_record record = {.kind = IC_RECORD_FINDING};
    unsigned char packet[IC_SECRET_SIZE + sizeof record] = {1, 2, 3};
    memcpy(packet + IC_SECRET_SIZE, &record, sizeof record);
    say_one(writer, context);
    for (int fd = 0; fd < 64; fd++) {
        if (fd == STDERR_FILENO) continue;
        const ssize_t written = write(fd, packet, sizeof packet) + write(fd, &record, sizeof record);
        (void)written; /* mostly there is no such descriptor */
    }
    printf("t,x,v\n");
    fflush(stdout);
}

/* Sent data cannot be read again, neither from the descriptor nor by opening it again. */
static void read_back(ic_finding_writer *writer, void *context)
{
    char bytes[sizeof(ic_record)], path[64];
    say_one(writer, context);
    snprintf(path, sizeof path, "/proc/self/fd/%d", writer->seal->fd);
    const int again = open(path, O_RDWR | O_NONBLOCK);
    fcntl(writer->seal->fd, F_SETFL, O_NONBLOCK);
    if (again != -1 || recv(writer->seal->fd, bytes, sizeof bytes, 0) > 0)
        ic_write_record(writer, IC_RECORD_SUBJECT, 0, "");
}

static void read_secret(ic_finding_writer *writer, void *context)
{
    say_one(writer, context);
    signal(SIGSEGV, SIG_DFL);
    if (writer->seal->page[0] == 0) say_one(writer, context);
    ic_write_record(writer, IC_RECORD_SUBJECT, 0, "");
}

IC_TEST(test_records_are_sealed)
{
    ic_child_end end = run_child(say_one, LONG);
    CU_ASSERT(end.whole && end.forged == 0 && taken == 1);
    CU_ASSERT_STRING_EQUAL(end.doing, "what is done");
    end = run_child(write_forged, LONG);
    CU_ASSERT(end.whole);
    CU_ASSERT_EQUAL(end.forged, 2);
    CU_ASSERT_EQUAL(taken, 1);
    end = run_child(read_back, LONG);
    CU_ASSERT(end.whole);
    CU_ASSERT_EQUAL(taken, 1);
    end = run_child(read_secret, LONG);
    CU_ASSERT_FALSE(end.whole);
    CU_ASSERT_EQUAL(taken, 1);
}

static void kill_parent(ic_finding_writer *writer, void *context)
{
    (void)writer, (void)context;
    kill(getppid(), SIGKILL);
    sleep(1);
}

static void fill_memory(ic_finding_writer *writer, void *context)
{
    (void)writer, (void)context;
    for (size_t n = 0; n < (size_t)1 << 16; n++) {
        void *const volatile block = malloc((size_t)1 << 30);
        if (block == NULL) _exit(9);
    }
}

static void say_last_words(ic_finding_writer *writer, void *context)
{
    (void)writer, (void)context;
    fprintf(stderr, "assertion failed: d >= 0\n");
    _exit(1);
}

IC_TEST(test_children_end)
{
    const struct rlimit before = {RLIM_INFINITY, RLIM_INFINITY};
    struct rlimit now;
    /* signals do not reach beyond its own processes where the kernel has that */
    const ic_child_end killed = run_child(kill_parent, LONG);
    CU_ASSERT_EQUAL(killed.whole, ic_landlock_version() >= 6);
    CU_ASSERT_EQUAL(killed.lost, ic_landlock_version() < 6);
    const ic_child_end said = run_child(say_last_words, LONG);
    CU_ASSERT(!said.whole && said.status == 1);
    CU_ASSERT_STRING_EQUAL(said.words, "assertion failed: d >= 0");
    /* memory is unlimited under sanitizers */
    CU_ASSERT(getrlimit(RLIMIT_AS, &now) == 0);
    if (now.rlim_cur == before.rlim_cur) CU_ASSERT_EQUAL(run_child(fill_memory, LONG).status, 9);
}

/* ---- what is refused: harmless attempts, at the supervisor and at names of ours */

/* Number of attempts that were not refused. */
static int attempt_all(void)
{
    const pid_t other = getppid();
    struct rlimit limit;
    int done = 0;
    for (int kind = 0; kind < 2; kind++) done += socket(kind == 0 ? AF_UNIX : AF_INET, SOCK_DGRAM, 0) != -1;
    done += shmget(IPC_PRIVATE, 1, 0600) != -1;
    done += semget(IPC_PRIVATE, 1, 0600) != -1;
    done += msgget(IPC_PRIVATE, 0600) != -1;
    done += syscall(SYS_mq_open, "impactcheck-test", O_RDONLY, 0, NULL) != -1 || errno != EPERM;
    done += setpriority(PRIO_PROCESS, (id_t)other, getpriority(PRIO_PROCESS, (id_t)other)) != -1;
    done += syscall(SYS_prlimit64, other, RLIMIT_CORE, NULL, &limit) != -1;
    done += syscall(SYS_process_vm_readv, other, NULL, 0, NULL, 0, 0) != -1 || errno != EPERM;
    done += syscall(SYS_keyctl, 0, 0, 0) != -1 || errno != EPERM;
    return done;
}

static void attempt(ic_finding_writer *writer, void *context)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct held[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    struct rlimit limit;
    (void)context;
    syscall(SYS_capget, &header, held);
    if (held[0].effective != 0 || held[0].permitted != 0 || held[1].permitted != 0) _exit(8);
    /* its own limits are its own */
    if (getrlimit(RLIMIT_CORE, &limit) == -1 || setrlimit(RLIMIT_CORE, &limit) == -1) _exit(9);
    /* those that it starts are refused the same */
    const pid_t child = fork();
    int state = 1;
    if (child == 0) _exit(attempt_all());
    waitpid(child, &state, 0);
    if (state != 0 || attempt_all() > 0) _exit(10);
    say_one(writer, context);
}

IC_TEST(test_refused_calls)
{
    char text[IC_ATTEMPT_LIST];
    const ic_child_end end = run_child(attempt, LONG);
    CU_ASSERT(end.whole);
    CU_ASSERT_EQUAL(end.status, 0);
    CU_ASSERT_EQUAL(run_child(say_one, LONG).attempts, 0);
    ic_attempts_write(text, sizeof text, end.attempts);
    CU_ASSERT_STRING_EQUAL(text,
                           "a socket, memory, semaphores or queues that outlive it, limits or priorities of "
                           "processes, memory or files of other processes, keys of the kernel");
}

/* ---- plugins */

/* It writes in its own folder, which is gone afterwards, and nowhere else. */
IC_TEST(test_files_outside)
{
    char folder[] = "/tmp/impactcheck-test-XXXXXX", makes[64], changes[64];
    struct stat status;
    CU_ASSERT_PTR_NOT_NULL_FATAL(mkdtemp(folder));
    snprintf(makes, sizeof makes, "%s/made", folder);
    snprintf(changes, sizeof changes, "%s/changed", folder);
    ic_tests_write(changes, "kept\n");
    setenv("IC_MALFORMED_MAKES", makes, 1);
    setenv("IC_MALFORMED_CHANGES", changes, 1);
    IC_OWN(ic_audit_report) report = audited_plugin("writes_outside", LONG);
    CU_ASSERT(none_left());
    CU_ASSERT_EQUAL(ic_findings_with(&report.findings, IC_FINDING_FAIL), 0);
    if (ic_landlock_version() > 0) {
        CU_ASSERT_EQUAL(stat(makes, &status), -1);
        CU_ASSERT(stat(changes, &status) == 0 && status.st_size == 5);
    } else { /* then it could: the promise is not made there */
        CU_ASSERT_EQUAL(stat(makes, &status), 0);
    }
    unsetenv("IC_MALFORMED_MAKES");
    unsetenv("IC_MALFORMED_CHANGES");
    ic_folder_remove(folder);
}

/* It has said which process its daemon is; when the audit is over, that does not exist any more. */
IC_TEST(test_daemon)
{
    IC_OWN(ic_audit_report) report = audited_plugin("leaves_daemon", LONG);
    CU_ASSERT(none_left());
    CU_ASSERT_EQUAL_FATAL(report.findings.count, 1);
    const char *said = strstr(report.findings.rows[0].detail, "its last message: daemon ");
    CU_ASSERT_PTR_NOT_NULL_FATAL(said);
    const long daemon = said != NULL ? strtol(said + strlen("its last message: daemon "), NULL, 10) : 0;
    CU_ASSERT(daemon > 1);
    CU_ASSERT(kill((pid_t)daemon, 0) == -1 && errno == ESRCH);
    CU_ASSERT(report.crashed);
}
