/* SPDX-License-Identifier: MIT */
#include "audit/common/process.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0 /* address sanitizers reserve terabytes */
#endif

/* the size limit of an answer (audit/command/program.c), bytes */
#define MOST_FILE 2e9
/* the limit of select(); a program that needs more leaks descriptors */
#define MOST_FILES 1024.0
/*
 * Share of the machine's memory. The limit is on writable memory (RLIMIT_DATA), since language
 * runtimes reserve far more addresses than they use; an audited library does not, and its address
 * space is limited to the machine's memory.
 */
#define MEMORY_SHARE 0.5
/* Fraction of a limit: a request that does not fit is refused before the limit is reached. */
#define NEARLY 0.9
/* Time, s, above which there is no limit. */
#define LONGEST 1e9

static double machine_memory(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* Limits that the caller has set are finite and remain. */
static void limit_resource(int resource, double most)
{
    struct rlimit l;
    if (getrlimit(resource, &l) != 0 || l.rlim_cur != RLIM_INFINITY) return;
    if (l.rlim_max == RLIM_INFINITY || most < (double)l.rlim_max) l.rlim_max = (rlim_t)most;
    l.rlim_cur = l.rlim_max;
    setrlimit(resource, &l);
}

void ic_limit_use(double seconds, bool confined)
{
    const struct rlimit none = {0, 0};
    const double processors = fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN));
    struct rlimit files;
    setrlimit(RLIMIT_CORE, &none);
    if (seconds < LONGEST) limit_resource(RLIMIT_CPU, ceil(processors * seconds) + 1);
    limit_resource(RLIMIT_FSIZE, MOST_FILE);
    if (!SANITIZED) limit_resource(RLIMIT_DATA, MEMORY_SHARE * machine_memory());
    if (!SANITIZED && confined) limit_resource(RLIMIT_AS, machine_memory());
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && (double)files.rlim_cur > MOST_FILES) {
        files.rlim_cur = files.rlim_max = (rlim_t)MOST_FILES;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

static double limit_of(int resource, double most)
{
    struct rlimit l;
    const bool own = getrlimit(resource, &l) == 0 && l.rlim_cur != RLIM_INFINITY;
    return own ? (double)l.rlim_cur : most;
}

bool ic_limit_that_ended(char *text, size_t size, int ended_by_signal, const ic_supervised *said)
{
    const double memory = limit_of(RLIMIT_DATA, MEMORY_SHARE * machine_memory());
    const bool busy = said->processor > NEARLY * limit_of(RLIMIT_CPU, INFINITY);
    if (ended_by_signal == SIGXCPU || (ended_by_signal == SIGKILL && busy))
        snprintf(text, size, "its limit on processor time");
    else if (ended_by_signal == SIGXFSZ)
        snprintf(text, size, "its limit on the size of a file, %.3g bytes", limit_of(RLIMIT_FSIZE, MOST_FILE));
    else if (said->memory > NEARLY * memory) snprintf(text, size, "its limit on memory, %.3g bytes", memory);
    else return false;
    return true;
}
