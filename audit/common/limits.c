/* SPDX-License-Identifier: MIT */
#include "audit/common/confine.h"

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
#define SANITIZED 0 /* with it memory is reserved by the terabyte */
#endif

/* bytes; as much as an answer may have at most (audit/command/program.c) */
#define FILE_MOST 2e9
/* what select() can wait for; a program that needs more has forgotten to close them */
#define FILES_MOST 1024.0
/*
 * Of the machine's memory: the rest is for those who are not to blame. What counts is what can be
 * written (RLIMIT_DATA), since run times of languages reserve far more addresses than they use; a
 * library that is audited does not, and its process has no more of them than there is memory.
 */
#define MEMORY_SHARE 0.5
/* Of the limit: a request that does not fit any more is refused before all of it is used. */
#define NEARLY 0.9
/* s; longer is no limit */
#define LONGEST 1e9

static double machine_memory(void)
{
    return (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
}

/* One that the caller has set is finite: it stays. */
static void limit(int resource, double most)
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
    if (seconds < LONGEST) limit(RLIMIT_CPU, ceil(processors * seconds) + 1);
    limit(RLIMIT_FSIZE, FILE_MOST);
    if (!SANITIZED) limit(RLIMIT_DATA, MEMORY_SHARE * machine_memory());
    if (!SANITIZED && confined) limit(RLIMIT_AS, machine_memory());
    if (getrlimit(RLIMIT_NOFILE, &files) == 0 && (double)files.rlim_cur > FILES_MOST) {
        files.rlim_cur = files.rlim_max = (rlim_t)FILES_MOST;
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
        snprintf(text, size, "its limit on the size of a file, %.3g bytes", limit_of(RLIMIT_FSIZE, FILE_MOST));
    else if (said->memory > NEARLY * memory) snprintf(text, size, "its limit on memory, %.3g bytes", memory);
    else return false;
    return true;
}
