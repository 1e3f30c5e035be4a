/* SPDX-License-Identifier: MIT */
#include "core/system.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __linux__
#include <sched.h>
#include <sys/prctl.h>
#endif
#ifdef __GLIBC__
#include <malloc.h>
#endif

bool ic_own_folder(char *path, size_t size)
{
    const ssize_t n = readlink("/proc/self/exe", path, size - 1);
    path[n > 0 ? n : 0] = '\0';
    char *end = strrchr(path, '/');
    if (end == NULL || (size_t)n == size - 1) return false; /* a path that fills all may be cut */
    *end = '\0';
    return true;
}

size_t ic_processors(void)
{
#ifdef __linux__
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? (size_t)CPU_COUNT(&set) : 1;
#else
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 1;
#endif
}

void ic_end_with_parent(pid_t parent)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
#endif
    if (getppid() != parent) _exit(EXIT_FAILURE); /* it ended before */
}

void ic_adopt_orphans(void)
{
#ifdef __linux__
    prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
#endif
}

void ic_close_from(int first)
{
    enum { MOST = 1 << 16 };
#ifdef CLOSE_RANGE_UNSHARE
    if (close_range((unsigned)first, ~0u, 0) == 0) return;
#endif
    const long most = sysconf(_SC_OPEN_MAX);
    for (int fd = first; fd < most && fd < MOST; fd++) close(fd);
}

double ic_heap_in_use(void)
{
#ifdef __GLIBC__
    const struct mallinfo2 heap = mallinfo2();
    return (double)heap.uordblks + (double)heap.hblkhd;
#else
    return NAN;
#endif
}

void ic_heap_fill(int byte)
{
#ifdef __GLIBC__
    mallopt(M_PERTURB, byte < 0 ? 0 : byte ^ 0xff); /* it fills with the complement */
#else
    (void)byte;
#endif
}

void ic_heap_keep(size_t kept, size_t mapped)
{
#ifdef __GLIBC__
    mallopt(M_TRIM_THRESHOLD, (int)kept);
    mallopt(M_MMAP_THRESHOLD, (int)mapped);
#else
    (void)kept, (void)mapped;
#endif
}
