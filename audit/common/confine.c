/* SPDX-License-Identifier: MIT */
/*
 * Landlock, seccomp and capabilities by system calls: the C library has no wrappers, and its headers may be older than
 * the kernel.
 */
#include "audit/common/process.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_landlock_create_ruleset

/* from <linux/landlock.h>, with the versions that introduced them */
enum {
    CREATE_VERSION = 1 << 0,
    RULE_PATH_BENEATH = 1,
    WRITE_FILE = 1 << 1,
    REMOVE_DIR = 1 << 4,
    REMOVE_FILE = 1 << 5,
    MAKE_ALL = 0x7f << 6,      /* devices, folders, files, sockets, pipes, links */
    REFER = 1 << 13,           /* 2: moving a file to another folder */
    TRUNCATE = 1 << 14,        /* 3 */
    NETWORK = 1 << 0 | 1 << 1, /* 4: bind and connect by TCP */
    SCOPED = 1 << 0 | 1 << 1,  /* 6: abstract sockets, signals */
};

typedef struct ruleset {
    uint64_t files, network, scoped;
} ruleset;

typedef struct path_rule {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed)) path_rule;

int ic_landlock_version(void)
{
    const long version = syscall(SYS_landlock_create_ruleset, NULL, (size_t)0, (uint32_t)CREATE_VERSION);
    return version > 0 ? (int)version : 0;
}

static void allow_access(int rules, const char *path, uint64_t what)
{
    path_rule rule = {what, open(path, O_PATH | O_CLOEXEC)};
    if (rule.parent == -1) return;
    syscall(SYS_landlock_add_rule, rules, RULE_PATH_BENEATH, &rule, 0u);
    close(rule.parent);
}

static void restrict_files(const char *folder)
{
    const int version = ic_landlock_version();
    const uint64_t of_file = WRITE_FILE | (version >= 3 ? TRUNCATE : 0);
    const uint64_t all = of_file | REMOVE_DIR | REMOVE_FILE | MAKE_ALL | (version >= 2 ? REFER : 0);
    const ruleset r = {all, version >= 4 ? NETWORK : 0, version >= 6 ? SCOPED : 0};
    /* a kernel refuses a struct with unknown members, even if they are zero */
    const size_t known = version >= 6 ? 3 : version >= 4 ? 2 : 1;
    if (version == 0) return;
    const int rules = (int)syscall(SYS_landlock_create_ruleset, &r, known * sizeof(uint64_t), 0u);
    if (rules == -1) return;
    if (folder[0] != '\0') allow_access(rules, folder, all);
    allow_access(rules, "/dev/null", of_file);
    syscall(SYS_landlock_restrict_self, rules, 0u);
    close(rules);
}

#else

int ic_landlock_version(void)
{
    return 0;
}

static void restrict_files(const char *folder)
{
    (void)folder;
}

#endif

/* ---- capabilities, which a process of root has */

static void drop_capabilities(void)
{
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    const struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = {{0, 0, 0}};
    for (int i = 0; prctl(PR_CAPBSET_READ, i, 0, 0, 0) >= 0; i++) prctl(PR_CAPBSET_DROP, i, 0, 0, 0);
    syscall(SYS_capset, &header, none);
}

/* ---- system calls that reach other processes, or leave something behind */

static const char *const names[IC_ATTEMPTS] = {
    [IC_ATTEMPT_SOCKET] = "a socket",
    [IC_ATTEMPT_SHARED] = "memory, semaphores or queues that outlive it",
    [IC_ATTEMPT_LIMITS] = "limits or priorities of processes",
    [IC_ATTEMPT_MEMORY] = "memory or files of other processes",
    [IC_ATTEMPT_KEYS] = "keys of the kernel",
    [IC_ATTEMPT_TERMINAL] = "input to the terminal",
};

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__ && !defined __AARCH64EB__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#ifdef ARCHITECTURE

/* From this number on: calls of the x32 kind; other architectures have none. */
#define LEAST_FOREIGN 0x40000000u

enum { ALWAYS = -1 };

typedef struct refused_call {
    unsigned number;

    ic_attempt attempt;

    /* the argument that decides; ALWAYS: none does */
    int argument;

    /* it is refused if the argument is this value, or (`unless`) unless it is */
    unsigned value;

    bool unless;
} refused_call;

static const refused_call refused[] = {
    {SYS_socket, IC_ATTEMPT_SOCKET, ALWAYS, 0, false},
    {SYS_io_uring_setup, IC_ATTEMPT_SOCKET, ALWAYS, 0, false}, /* it opens sockets without a call */
    {SYS_shmget, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_shmat, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_shmctl, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_semget, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_semop, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_semtimedop, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_semctl, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_msgget, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_msgsnd, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_msgrcv, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_msgctl, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_mq_open, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_mq_unlink, IC_ATTEMPT_SHARED, ALWAYS, 0, false},
    {SYS_setpriority, IC_ATTEMPT_LIMITS, ALWAYS, 0, false},
    {SYS_ioprio_set, IC_ATTEMPT_LIMITS, ALWAYS, 0, false},
    /* 0: of the process itself */
    {SYS_prlimit64, IC_ATTEMPT_LIMITS, 0, 0, true},
    {SYS_sched_setaffinity, IC_ATTEMPT_LIMITS, 0, 0, true},
    {SYS_sched_setscheduler, IC_ATTEMPT_LIMITS, 0, 0, true},
    {SYS_sched_setparam, IC_ATTEMPT_LIMITS, 0, 0, true},
    {SYS_sched_setattr, IC_ATTEMPT_LIMITS, 0, 0, true},
    {SYS_ptrace, IC_ATTEMPT_MEMORY, ALWAYS, 0, false},
    {SYS_process_vm_readv, IC_ATTEMPT_MEMORY, ALWAYS, 0, false},
    {SYS_process_vm_writev, IC_ATTEMPT_MEMORY, ALWAYS, 0, false},
    {SYS_pidfd_getfd, IC_ATTEMPT_MEMORY, ALWAYS, 0, false},
    {SYS_add_key, IC_ATTEMPT_KEYS, ALWAYS, 0, false},
    {SYS_request_key, IC_ATTEMPT_KEYS, ALWAYS, 0, false},
    {SYS_keyctl, IC_ATTEMPT_KEYS, ALWAYS, 0, false},
    {SYS_ioctl, IC_ATTEMPT_TERMINAL, 1, TIOCSTI, false},
};

enum { N_REFUSED = sizeof refused / sizeof refused[0], MOST_INSTRUCTIONS = 6 + 5 * N_REFUSED };

typedef struct call_filter {
    struct sock_filter code[MOST_INSTRUCTIONS];

    unsigned short length;
} call_filter;

static void add_instruction(call_filter *f, unsigned code, unsigned k, unsigned jump_true, unsigned jump_false)
{
    f->code[f->length++] =
        (struct sock_filter){(unsigned short)code, (unsigned char)jump_true, (unsigned char)jump_false, k};
}

static void load(call_filter *f, size_t at)
{
    add_instruction(f, BPF_LD | BPF_W | BPF_ABS, (unsigned)at, 0, 0);
}

static void give(call_filter *f, unsigned answer)
{
    add_instruction(f, BPF_RET | BPF_K, answer, 0, 0);
}

/* Calls of another architecture do not exist; `answer` is that to the refused ones. */
static void write_filter(call_filter *f, unsigned answer)
{
    f->length = 0;
    load(f, offsetof(struct seccomp_data, arch));
    add_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 0, 2);
    load(f, offsetof(struct seccomp_data, nr));
    add_instruction(f, BPF_JMP | BPF_JGE | BPF_K, LEAST_FOREIGN, 0, 1);
    give(f, SECCOMP_RET_ERRNO | ENOSYS);
    for (size_t i = 0; i < N_REFUSED; i++) {
        const refused_call *c = &refused[i];
        const bool always = c->argument == ALWAYS;
        add_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, c->number, 0, always ? 1 : 4);
        if (!always) {
            load(f, offsetof(struct seccomp_data, args) + (size_t)c->argument * sizeof(uint64_t));
            add_instruction(f, BPF_JMP | BPF_JEQ | BPF_K, c->value, c->unless, !c->unless);
        }
        give(f, answer);
        if (!always) load(f, offsetof(struct seccomp_data, nr));
    }
    give(f, SECCOMP_RET_ALLOW);
}

/* A listener is refused where the system has set one for all of its processes. */
static int refuse_calls(void)
{
    call_filter f;
    write_filter(&f, SECCOMP_RET_USER_NOTIF);
    const struct sock_fprog program = {f.length, f.code};
    const int listener =
        (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &program);
    if (listener >= 0) return listener;
    write_filter(&f, SECCOMP_RET_ERRNO | EPERM);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    return -1;
}

unsigned ic_attempt_refuse(int listener)
{
    struct seccomp_notif asked;
    memset(&asked, 0, sizeof asked);
    if (syscall(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_RECV, &asked) == -1)
        return 0; /* musl's ioctl takes an int */
    struct seccomp_notif_resp answer = {.id = asked.id, .error = -EPERM};
    syscall(SYS_ioctl, listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    for (size_t i = 0; i < N_REFUSED; i++)
        if (refused[i].number == (unsigned)asked.data.nr) return 1u << refused[i].attempt;
    return 0;
}

#else

static int refuse_calls(void)
{
    return -1;
}

unsigned ic_attempt_refuse(int listener)
{
    (void)listener;
    return 0;
}

#endif

void ic_attempts_write(char *text, size_t size, unsigned attempts)
{
    size_t length = 0;
    text[0] = '\0';
    for (int i = 0; i < IC_ATTEMPTS && length < size; i++)
        if ((attempts >> i & 1) != 0)
            length += (size_t)snprintf(text + length, size - length, "%s%s", length > 0 ? ", " : "", names[i]);
}

int ic_confine(const char *folder)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    restrict_files(folder);
    drop_capabilities();
    return refuse_calls();
}
