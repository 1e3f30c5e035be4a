/* SPDX-License-Identifier: MIT */
/** Processes that run audited code: limits, confinement, supervision, and what they send. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdnoreturn.h>
#include <sys/types.h>

/**
 * supervise.c: The supervisor is a process between the audit and a process that runs audited code. It is the
 * parent of the audited process, in a group of its own, and inherits all orphans, whatever group or
 * session they are in. It kills all of them when the audit closes its line to the supervisor (or
 * dies) or when the audited process has ended.
 */

/** Report of the supervisor at its end. */
typedef struct ic_supervised {
    /* errno if the system did not start the process; otherwise 0 */
    int refused;

    /* state of the process, as by waitpid */
    int state;

    /* peak memory of the process or of one that it waited for, bytes */
    double memory;

    /* total processor time, s */
    double processor;

    /* what it attempted and was refused: bits 1 << ic_attempt */
    unsigned attempts;
} ic_supervised;

/** Prepare the supervisor before it starts the process. */
void ic_supervise_begin(void);

/** First call in the process: it dies with its supervisor, and its signals are reset. */
void ic_supervise_child(pid_t supervisor);

/**
 * Watch `child` (-1: not started, see errno) until it or `line` ends; then remove `folder` ("":
 * none). `handed` is a socket by which a confined child hands over the listener to its refused calls, or -1.
 */
noreturn void ic_supervise(int line, int handed, pid_t child, const char *folder);

/** The process hands over a descriptor to its supervisor. */
void ic_descriptor_send(int socket, int fd);

/** Remove a folder with its contents. */
void ic_folder_remove(const char *path);

/**
 * process.c: A child process with limited time and resources. If the child or the audit ends for any reason,
 * the supervisor (audit/common/process.h) ends everything that the child started. Only one child
 * runs at a time.
 */

/** Monotonic time, s; deadlines use it. */
double ic_process_now(void);

/** Options for the start of a process. */
typedef struct ic_process_settings {
    /* its standard input; -1: empty */
    int input;

    /*
     * True: it answers on standard output, a pipe. False: it answers by packets, and its standard
     * output is discarded.
     */
    bool prints;

    /*
     * True: confine it as an audited library (ic_confine). TMPDIR is then a folder of its own,
     * which is removed at the end.
     */
    bool confined;

    /* time limit, s: of processor time while it computes, otherwise of time */
    double seconds;
} ic_process_settings;

/** The child's code; `answer` is the descriptor of its answers. Returns the exit status. */
typedef int ic_process_body(int answer, void *context);

enum { IC_PROCESS_TAIL = 4096, IC_PROCESS_FOLDER = 256 };

typedef struct ic_process {
    pid_t supervisor;

    /* its answers, its standard error, and its supervisor; -1: closed */
    int answer, errors, line;

    /* of time, s: it is put off while the process waits for a processor; never beyond `latest` */
    double deadline, latest;

    /* time limit, s */
    double seconds;

    /* the supervisor has reported, or was killed */
    bool over, lost;

    ic_supervised supervised;

    /* folder of a confined process; "": none */
    char folder[IC_PROCESS_FOLDER];

    /* the end of its standard error */
    char tail[IC_PROCESS_TAIL];

    size_t tail_length;
} ic_process;

/**
 * Start a process. false: the system refuses; errno gives the reason, and the process needs no
 * finishing.
 */
bool ic_process_start(ic_process *process, ic_process_body *body, void *context,
                      const ic_process_settings *settings);

/** From now on, the process has this time for its next answer, s. */
void ic_process_allow(ic_process *process, double seconds);

/** Read bytes or one packet of up to `size` bytes; 0: closed; -1: deadline passed. */
ssize_t ic_process_read(ic_process *process, void *bytes, size_t size);

typedef struct ic_process_end {
    bool in_time;

    /* True if its supervisor was killed; `supervised` is then not set. */
    bool lost;

    ic_supervised supervised;
} ic_process_end;

/**
 * Wait for the end of a process. If `at_once`, or at the deadline, kill it and everything that it
 * started.
 */
ic_process_end ic_process_finish(ic_process *process, bool at_once);

/**
 * The last non-blank line on standard error in printable ASCII, which usually gives the reason of a
 * failure; "": none.
 */
void ic_process_last_words(const ic_process *process, char *words, size_t size);

/**
 * End the running process, if there is one, and wait for it. For handlers of signals that end the
 * audit.
 */
void ic_process_interrupt(void);

/** confine.c: Resource limits and confinement of processes that run audited code. */

/**
 * Limit the resources of this process and its children: processor time (all processors for
 * `seconds`), memory, if `confined` address space, file size, open files; no core files. Limits set
 * by the caller of the command (ulimit) stay.
 */
void ic_limit_use(double seconds, bool confined);

/**
 * Write the limit that ended a process, as a text that follows "ended by ". false: apparently no
 * limit did.
 */
bool ic_limit_that_ended(char *text, size_t size, int ended_by_signal, const ic_supervised *said);

/**
 * Irrevocably drop the rights that an audited library does not need: new privileges, capabilities, the system calls
 * of `ic_attempt` and, as far as the kernel's Landlock supports it, writing to files outside `folder` ("": all files)
 * and /dev/null, TCP, and signals to other processes. Returns the listener to refused calls, which answers them by
 * `ic_attempt_refuse`; -1: there is none, and they are refused without a note. The caller closes it.
 */
int ic_confine(const char *folder);

/** What is refused to a confined process. */
typedef enum ic_attempt {
    IC_ATTEMPT_SOCKET,
    IC_ATTEMPT_SHARED,
    IC_ATTEMPT_LIMITS,
    IC_ATTEMPT_MEMORY,
    IC_ATTEMPT_KEYS,
    IC_ATTEMPT_TERMINAL,
    IC_ATTEMPTS
} ic_attempt;

/** Refuses the call that waits at the listener. Returns 1 << ic_attempt; 0: no call waits any more. */
unsigned ic_attempt_refuse(int listener);

/** Room for a list of all attempts. */
enum { IC_ATTEMPT_LIST = 256 };

/** Lists attempts, bits 1 << ic_attempt, separated by commas. */
void ic_attempts_write(char *text, size_t size, unsigned attempts);

/**
 * The Landlock version of the kernel; 0: none, files stay writable. 4: also network; 6: also
 * signals.
 */
int ic_landlock_version(void);

/** descendants.c: Descendants of a process, found in /proc whatever group or session they have joined. */

/** Start time of a process in ticks since boot; 0: it does not exist. */
unsigned long long ic_process_start_time(pid_t id);

/**
 * Kill the descendants of `root` started no earlier than `since`; returns how many were alive, 0
 * also if /proc cannot be read. Call it until it returns 0: a killed process may just have started
 * others, which pass to the nearest subreaper.
 */
size_t ic_descendants_kill(pid_t root, unsigned long long since);

/** What the living descendants of a process use. */
typedef struct ic_descendants_use {
    /* processor time, with that of their children that have ended, s */
    double processor;

    /* one of them runs, or waits for a processor or a disk */
    bool runs;
} ic_descendants_use;

ic_descendants_use ic_descendants_measure(pid_t root);

/**
 * seal.c: Packets that only our own code in a child can write. Each packet begins with a secret of the run.
 * The secret is on a page that is readable only while a packet is written, so that a library that
 * writes to a guessed descriptor is detected. A library that makes this page readable, or searches
 * /proc/self/mem, is not stopped by it.
 */

enum { IC_SECRET_SIZE = 32 };

typedef struct ic_secret {
    unsigned char bytes[IC_SECRET_SIZE];
} ic_secret;

/** Make a new secret. false: the system has no random numbers. */
bool ic_secret_make(ic_secret *secret);

/** Whether a packet begins with the secret; the content follows it. */
bool ic_secret_begins(const ic_secret *secret, const void *packet, size_t size);

/** The writing side. */
typedef struct ic_seal {
    /* a packet socket */
    int fd;

    unsigned char *page;
    size_t page_size;
} ic_seal;

/** Move the secret to the hidden page and erase it where it was. false: the system refuses. */
bool ic_seal_open(ic_seal *seal, int fd, ic_secret *secret);

/** Write a packet. If the reader has ended, the process exits. */
void ic_seal_write(const ic_seal *seal, const void *bytes, size_t size);

/**
 * guarded.c: Memory that is passed to a plugin, between two zones to which the plugin must not write.
 * Read-only memory is on write-protected pages: a write is counted even if it changes nothing or is
 * undone; later writes succeed.
 */

#define IC_GUARD_ZONE ((size_t)512) /* size of the zone beyond either end, bytes: 64 numbers */

typedef struct ic_guarded {
    /* zone, data, zone */
    unsigned char *block;

    void *data;
    size_t size;

    /* copy of read-only content; NULL: writable */
    unsigned char *copy;

    /* bytes of the mapped pages; 0: heap memory */
    size_t mapped;

    /* number of the watch on the pages, from 1; 0: none */
    size_t watched;
} ic_guarded;

/**
 * Allocate `size` bytes, zero or a copy of `content`, write-protected if `constant`. The zones hold
 * NaNs, so that reading out of bounds shows too. false: memory ran out.
 */
bool ic_guarded_open(ic_guarded *guarded, size_t size, const void *content, bool constant);
void ic_guarded_close(ic_guarded *guarded);

/**
 * Number of changed bytes in the zones and in constant data; at least 1 if constant data were
 * written at all.
 */
size_t ic_guarded_damage(const ic_guarded *guarded);
