/* SPDX-License-Identifier: MIT */
/*
 * Landlock by system calls: the C library has no wrappers, and its headers may be older than the
 * kernel.
 */
#include "audit/common/process.h"

#include <fcntl.h>
#include <stdint.h>
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

void ic_confine(const char *folder)
{
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    restrict_files(folder);
}
