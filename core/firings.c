/* SPDX-License-Identifier: MIT */
#include "core/firings.h"

#include <math.h>
#include <string.h>

/*
 * In an accumulation the excursion of a guard falls with a power of the round: 2 for an impact under a
 * steady force, 3 for a switch of a double integrator or a force that vanishes at the limit. This power is
 * higher: a round becomes shorter by at least 11 % where the excursion halves.
 */
#define HIGHEST_POWER 6
/* Rounds are compared over so many halvings of the excursion. */
enum { HALVINGS = 8 };

void ic_firings_forget(ic_firings *f)
{
    f->count = f->in_turn = 0;
    memset(f->again, 0, sizeof f->again);
}

/* Compares the last firing with those before it. */
static void count_again(ic_firings *f)
{
    const size_t last = f->count - 1;
    for (size_t n = 1; n <= IC_ACCUMULATION_GUARDS; n++) {
        const bool again = n <= last && ic_same_watch(f->last[last].watch, f->last[last - n].watch);
        f->again[n] = again ? f->again[n] + 1 : 0;
    }
}

static ic_round round_before(const ic_firings *f, size_t end, size_t n)
{
    const double length = f->last[end].t - f->last[end - n].t;
    return (ic_round){length, length * f->last[end].rate};
}

/* Keeps the round that ends with the firing `end`, if its excursion is at most half of that kept last. */
static void keep_round(ic_firings *f, size_t end)
{
    const ic_round round = round_before(f, end, f->in_turn);
    if (f->n_kept == IC_ROUNDS_KEPT || !(round.excursion > 0) || !ic_same_watch(f->last[end].watch, f->ends))
        return;
    if (f->n_kept == 0 || round.excursion <= f->kept[f->n_kept - 1].excursion / 2) f->kept[f->n_kept++] = round;
}

static void follow_series(ic_firings *f, size_t n)
{
    const size_t last = f->count - 1;
    if (f->in_turn == n) {
        keep_round(f, last);
        return;
    }
    f->in_turn = n;
    f->ends = f->last[last].watch;
    f->n_kept = 0;
    for (size_t i = IC_LEAST_ROUNDS; i-- > 0;) keep_round(f, last - i * n);
}

bool ic_firings_add(ic_firings *f, ic_watch watch, double t, double rate, ic_round rounds[IC_LEAST_ROUNDS])
{
    if (f->count == IC_FIRINGS_ROOM) {
        f->count = IC_FIRINGS_SEEN - 1;
        memmove(&f->last[0], &f->last[IC_FIRINGS_ROOM - f->count], f->count * sizeof f->last[0]);
    }
    f->last[f->count].watch = watch;
    f->last[f->count].rate = fabs(rate);
    f->last[f->count++].t = t;
    count_again(f);
    for (size_t n = 1; n <= IC_ACCUMULATION_GUARDS; n++) {
        if (f->again[n] <= (IC_LEAST_ROUNDS - 1) * n) continue; /* the same n guards did not fire in turn */
        follow_series(f, n);
        for (size_t i = 0; i < IC_LEAST_ROUNDS; i++) rounds[i] = round_before(f, f->count - 1 - i * n, n);
        /* Several guards that fire at one instant are a chain. */
        return rounds[0].length < rounds[1].length && (n == 1 || rounds[0].length > 0);
    }
    f->in_turn = 0;
    return false;
}

bool ic_firings_keep_pace(const ic_firings *f, double error)
{
    size_t last = f->n_kept;
    while (last > 0 && !(f->kept[last - 1].excursion > error)) last--;
    if (last < 2) return false;
    const ic_round to = f->kept[last - 1], from = f->kept[last > HALVINGS ? last - 1 - HALVINGS : 0];
    return pow(to.length / from.length, HIGHEST_POWER) > to.excursion / from.excursion;
}
