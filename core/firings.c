/* SPDX-License-Identifier: MIT */
#include "core/firings.h"

#include <string.h>

void ic_firings_forget(ic_firings *f)
{
    f->count = 0;
}

/* Whether the same `n` guards fired in turn. */
static bool take_turns(const ic_firings *f, size_t n)
{
    if (f->count < IC_ACCUMULATION_MIN * n + 1) return false;
    for (size_t i = f->count - (IC_ACCUMULATION_MIN - 1) * n - 1; i < f->count; i++) {
        if (!ic_same_watch(f->last[i].watch, f->last[i - n].watch)) return false;
    }
    return true;
}

bool ic_firings_add(ic_firings *f, ic_watch watch, double t, double rounds[IC_ACCUMULATION_MIN])
{
    if (f->count == IC_FIRINGS_ROOM) {
        f->count = IC_FIRINGS_SEEN - 1;
        memmove(&f->last[0], &f->last[IC_FIRINGS_ROOM - f->count], f->count * sizeof f->last[0]);
    }
    f->last[f->count].watch = watch;
    f->last[f->count++].t = t;
    for (size_t n = 1; n <= IC_ACCUMULATION_GUARDS; n++) {
        if (!take_turns(f, n)) continue;
        size_t end = f->count - 1;
        for (size_t i = 0; i < IC_ACCUMULATION_MIN; i++, end -= n)
            rounds[i] = f->last[end].t - f->last[end - n].t;
        /* Several guards that fire at one instant are a chain. */
        return rounds[0] < rounds[1] && (n == 1 || rounds[0] > 0);
    }
    return false;
}
