/* SPDX-License-Identifier: MIT */
#include "audit/common/process.h"

#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* All bytes 0xff: a quiet NaN wherever a double begins. */
static const unsigned char canary = 0xff;

/* Watched pages: more than one call needs. */
enum { WATCHES = 16 };

typedef struct page_watch {
    /* NULL: free */
    unsigned char *block;

    size_t mapped;
    volatile sig_atomic_t written;
} page_watch;

static page_watch watches[WATCHES];
static struct sigaction before;
static bool listening;

/* Notes a write to watched pages and permits it. Other faults are handled as without a watch. */
static void note_write(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    const uintptr_t at = (uintptr_t)info->si_addr;
    for (size_t i = 0; i < WATCHES; i++) {
        page_watch *w = &watches[i];
        if (w->block == NULL || w->written || at - (uintptr_t)w->block >= w->mapped) continue;
        w->written = 1;
        if (mprotect(w->block, w->mapped, PROT_READ | PROT_WRITE) == 0) return;
    }
    sigaction(signal_number, &before, NULL);
}

/* Pages for `size` bytes; NULL: the system refuses. */
static unsigned char *map_pages(ic_guarded *g, size_t size)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    g->mapped = (size + page - 1) / page * page;
    void *pages = mmap(NULL, g->mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages != MAP_FAILED) return pages;
    g->mapped = 0;
    return NULL;
}

/* If no watch is left, changed bytes still show. */
static void watch_pages(ic_guarded *g)
{
    struct sigaction action = {.sa_sigaction = note_write, .sa_flags = SA_SIGINFO};
    sigemptyset(&action.sa_mask);
    if (!listening) listening = sigaction(SIGSEGV, &action, &before) == 0;
    for (size_t i = 0; i < WATCHES && listening && g->watched == 0; i++) {
        if (watches[i].block != NULL) continue;
        watches[i] = (page_watch){g->block, g->mapped, 0};
        g->watched = i + 1;
        mprotect(g->block, g->mapped, PROT_READ);
    }
}

bool ic_guarded_open(ic_guarded *g, size_t size, const void *content, bool constant)
{
    const size_t whole = size + 2 * IC_GUARD_ZONE;
    *g = (ic_guarded){.size = size};
    g->block = constant ? map_pages(g, whole) : malloc(whole);
    if (constant) g->copy = malloc(size + 1);
    if (g->block == NULL || (constant && g->copy == NULL)) {
        ic_guarded_close(g);
        return false;
    }
    memset(g->block, canary, whole);
    g->data = g->block + IC_GUARD_ZONE;
    if (content != NULL) memcpy(g->data, content, size);
    else memset(g->data, 0, size);
    if (constant) {
        memcpy(g->copy, g->data, size);
        watch_pages(g);
    }
    return true;
}

void ic_guarded_close(ic_guarded *g)
{
    if (g->watched > 0) watches[g->watched - 1] = (page_watch){NULL, 0, 0};
    if (g->mapped > 0) munmap(g->block, g->mapped);
    else free(g->block);
    free(g->copy);
    *g = (ic_guarded){0};
}

static size_t changed_bytes(const unsigned char *zone)
{
    size_t count = 0;
    for (size_t i = 0; i < IC_GUARD_ZONE; i++) count += zone[i] != canary;
    return count;
}

size_t ic_guarded_damage(const ic_guarded *g)
{
    const unsigned char *data = g->data;
    size_t count = changed_bytes(g->block) + changed_bytes(data + g->size);
    for (size_t i = 0; g->copy != NULL && i < g->size; i++) count += data[i] != g->copy[i];
    const bool written = g->watched > 0 && watches[g->watched - 1].written;
    return written && count == 0 ? 1 : count;
}
