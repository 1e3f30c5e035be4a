/* SPDX-License-Identifier: MIT */
#include "audit/impact/impact.h"
#include "core/system.h"

#include "audit/common/memory.h"
#include "core/numbers.h"

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

/* As numbers these bytes are 4.8e-4 and 1.4e306; neither is zero as a number or a pointer. */
enum { FIRST_FILLING = 0x3f, SECOND_FILLING = 0x7f };
/* bytes around a result outside of the guarded calls, and on the stack below a call */
enum { ZONE = 512, STACK_BELOW = 8192 };
/* Every fifth trial is repeated first: five has no common divisor with the kinds of trials. */
enum { SOME = 5, LEAK_ROUNDS = 3 };

typedef struct answer_memory {
    unsigned char before[ZONE];
    ic_impact_result r;
    unsigned char after[ZONE];
} answer_memory;

/* ---- one call */

/* Like ic_fill_stack(), but short enough for each call. */
__attribute__((noinline)) static void fill_stack_below(unsigned char byte)
{
    volatile uint64_t area[STACK_BELOW / sizeof(uint64_t)];
    const uint64_t word = byte * UINT64_C(0x0101010101010101);
    for (size_t i = 0; i < IC_COUNT(area); i++) area[i] = word;
}

static size_t count_changed(const unsigned char *zone, unsigned char byte)
{
    size_t changed = 0;
    for (size_t i = 0; i < ZONE; i++) changed += zone[i] != byte;
    return changed;
}

static bool is_changed(const ic_impact *a, const ic_impact *b)
{
    const double was[] = {b->v[0], b->v[1], b->w_xx, b->w_xy, b->w_yy, b->mu, b->e, b->k_x, b->k_y};
    const double now[] = {a->v[0], a->v[1], a->w_xx, a->w_xy, a->w_yy, a->mu, a->e, a->k_x, a->k_y};
    bool changed = false;
    for (size_t i = 0; i < IC_COUNT(was); i++) changed |= was[i] != now[i] && !(isnan(was[i]) && isnan(now[i]));
    return changed;
}

static ic_status call_watched(ic_impact_calls *c, ic_impact_result *r, const ic_impact *p)
{
    const int before = fegetround();
    const ic_status status = c->map->map(r, p);
    const int after = fegetround(); /* the map may have set it */
    // cppcheck-suppress knownConditionTrueFalse
    if (after != before) c->rounding_changed++, fesetround(before);
    return status;
}

static ic_impact_result unset_result(unsigned char filling)
{
    ic_impact_result r = {.D_N = 0};
    memset(r.v, filling, sizeof r.v);
    memset(r.P, filling, sizeof r.P);
    return r;
}

ic_status ic_impact_call(ic_impact_calls *c, ic_impact_result *r, const ic_impact *p, unsigned char filling)
{
    answer_memory m;
    ic_impact given = *p;
    memset(m.before, filling, ZONE);
    memset(m.after, filling, ZONE);
    m.r = unset_result(filling);
    fill_stack_below(filling);
    const ic_status status = call_watched(c, &m.r, &given);
    c->damage += count_changed(m.before, filling) + count_changed(m.after, filling);
    c->damage += is_changed(&given, p);
    *r = m.r;
    return status;
}

/* On pages that notice each write. */
static ic_status call_guarded(ic_impact_calls *c, ic_impact_result *r, const ic_impact *p,
                              unsigned char filling)
{
    ic_guarded in, out;
    ic_status status = IC_NO_MEMORY;
    const bool good = ic_guarded_open(&in, sizeof *p, p, true);
    if (good && ic_guarded_open(&out, sizeof *r, NULL, false)) {
        *(ic_impact_result *)out.data = unset_result(filling);
        fill_stack_below(filling);
        status = call_watched(c, out.data, in.data);
        c->damage += ic_guarded_damage(&in) + ic_guarded_damage(&out);
        memcpy(r, out.data, sizeof *r);
        ic_guarded_close(&out);
    }
    if (good) ic_guarded_close(&in);
    return status;
}

/* ---- all samples */

static unsigned char state_of(ic_status status, const ic_impact_result *r)
{
    if (status != IC_OK) return IC_REFUSED;
    return ic_all_finite(r->v, 2) && ic_all_finite(r->P, 2) ? IC_ANSWERED : IC_NO_NUMBERS;
}

static double difference(const ic_impact *p, const ic_impact_result *a, const ic_impact_result *b)
{
    double most = hypot(a->P[0] - b->P[0], a->P[1] - b->P[1]) / ic_impulse_scale(p, a);
    for (int k = 0; k < 2; k++)
        most = fmax(most, fabs(a->v[k] - b->v[k]) / ic_velocity_scale(p, a->P, a->v, k));
    return isfinite(most) ? most : 1;
}

static void ask_first(ic_impact_calls *c, size_t j)
{
    ic_impact_samples *s = c->samples;
    const bool is_trial = j < IC_IMPACT_TRIALS; /* each trial on guarded pages, its variants not */
    const ic_status status = (is_trial ? call_guarded : ic_impact_call)(c, &s->r[j], &s->p[j], FIRST_FILLING);
    s->state[j] = state_of(status, &s->r[j]);
}

static void ask_again(ic_impact_calls *c, size_t j)
{
    ic_impact_samples *s = c->samples;
    ic_impact_result r;
    const unsigned char state = state_of(ic_impact_call(c, &r, &s->p[j], SECOND_FILLING), &r);
    const bool answered = state == IC_ANSWERED && s->state[j] == IC_ANSWERED;
    if (s->state[j] == IC_NOT_ASKED) return;
    const double off = answered ? difference(&s->p[j], &s->r[j], &r) : state != s->state[j] ? 1 : 0;
    if (!(off > 0)) return;
    if (off > c->changed_most) c->changed_most = off, c->changed_at = j;
    c->changed++;
    s->state[j] = IC_NOT_ASKED;
}

static void in_order(ic_impact_calls *c, void (*ask)(ic_impact_calls *, size_t), bool backwards, size_t every)
{
    for (size_t n = 0; n < IC_IMPACT_TRIALS; n += every) {
        const size_t i = backwards ? IC_IMPACT_TRIALS - 1 - n : n;
        /* half of the usual trials, by pairs, have variants: maps that march are slow */
        const int variants = i < IC_IMPACT_USUAL && i / 2 % 2 == 0 ? IC_IMPACT_VARIANTS : 1;
        for (int k = 0; k < variants; k++)
            ask(c, ic_impact_sample_of(i, (ic_impact_variant)(backwards ? variants - 1 - k : k)));
    }
}

/* Why an answer changes: by the bytes of unset memory, by calls before, or always. */
static ic_mistake_id find_reason(ic_impact_calls *c)
{
    const ic_impact *p = &c->samples->p[c->changed_at];
    const unsigned char fillings[] = {FIRST_FILLING, FIRST_FILLING, FIRST_FILLING, SECOND_FILLING,
                                      SECOND_FILLING};
    ic_impact_result r[IC_COUNT(fillings)];
    for (size_t i = 0; i < IC_COUNT(fillings); i++) {
        ic_fill_heap(fillings[i]);
        if (ic_impact_call(c, &r[i], p, fillings[i]) != IC_OK) return IC_MISTAKE_NOT_REPEATABLE;
    }
    if (difference(p, &r[1], &r[2]) > 0 || difference(p, &r[3], &r[4]) > 0) return IC_MISTAKE_NOT_REPEATABLE;
    return difference(p, &r[2], &r[4]) > 0 ? IC_MISTAKE_UNSET_MEMORY : IC_MISTAKE_MEMORY_NOT_RESET;
}

/* ---- memory that is kept */

static void ask_for_leaks(void *calls)
{
    ic_impact_calls *c = calls;
    for (size_t i = 0; i < IC_LEAK_CALLS; i++) {
        ic_impact_result r;
        ic_impact_call(c, &r, &c->samples->p[i], FIRST_FILLING);
    }
}

/* ---- many calls, for what comes late: counters, caches, memory that is kept now and then */

/* s of processor time: maps that march answer few times */
#define MOST_SECONDS 0.25

static void ask_many(void *calls)
{
    enum { STRIDE = 389 }; /* without a common divisor with the number of trials */
    ic_impact_calls *c = calls;
    const ic_impact_samples *s = c->samples;
    const clock_t start = clock();
    for (size_t k = 1; k <= IC_MANY_CALLS / 2; k++) {
        const size_t j = k * STRIDE % IC_IMPACT_TRIALS;
        ic_impact given = s->p[j];
        ic_impact_result r;
        if (s->state[j] != IC_ANSWERED) continue;
        c->asked_often++;
        const ic_status status = call_watched(c, &r, &given);
        if (c->drifted == 0 && (status != IC_OK || difference(&given, &s->r[j], &r) > 0))
            c->drifted = c->asked_often, c->changed_at = j;
        if (k % 64 == 0 && (double)(clock() - start) > 0.5 * MOST_SECONDS * CLOCKS_PER_SEC) return;
    }
}

void ic_impact_ask_all(ic_impact_calls *c)
{
    ic_fill_heap(FIRST_FILLING);
    in_order(c, ask_first, false, 1);
    ic_fill_heap(SECOND_FILLING);
    in_order(c, ask_again, true, SOME);
    /* a few answers show whether all are to be looked at */
    if (c->changed > 0) in_order(c, ask_again, true, 1);
    if (c->changed > 0) c->changed_by = find_reason(c);
    ic_heap_fill(-1);
    c->kept = ic_heap_growth(LEAK_ROUNDS, ask_for_leaks, c);
    if (c->changed == 0) c->kept = fmax(c->kept, ic_heap_growth(2, ask_many, c));
    if (c->drifted > 0) c->changed_by = find_reason(c);
}
