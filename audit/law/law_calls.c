/* SPDX-License-Identifier: MIT */
#include "audit/law/law_calls.h"

#include "audit/common/heap.h"
#include "audit/common/tolerances.h"
#include "audit/common/unset_memory.h"

#include <fenv.h>
#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWERS = 16, CALLS = 64, TRIALS = 64, DEPTHS = 40 };
/* Two depths that only double precision tells apart, relative. */
#define CLOSE 1e-9

/* ---- first impacts of processes of their own */

/* Memory and forces of the first impact of a process, at the speed v0. */
typedef struct first_impact {
    double memory, force[ANSWERS];
} first_impact;

static void take_first_impact(first_impact *f, const ic_law *law, const double *par, double v0)
{
    f->memory = law->remember != NULL ? law->remember(v0, par) : 0;
    double memory = f->memory;
    for (int i = 0; i < ANSWERS; i++) {
        const double d = 1e-6 * pow(2, i), v = (i % 2 == 0 ? 0.5 : -0.5) * v0;
        if (law->update != NULL) memory = law->update(memory, d, v, par);
        f->force[i] = law->force(d, v, memory, par);
    }
}

/* In a copy of this process with this byte in uninitialised memory. false: there is no answer. */
static bool ask_copy(first_impact *f, const ic_law *law, const double *par, double v0, unsigned char byte)
{
    int fds[2];
    if (pipe(fds) != 0) return false;
    const pid_t child = fork();
    if (child == 0) {
        ic_fill_heap(byte);
        ic_fill_stack(byte);
        take_first_impact(f, law, par, v0);
        _exit(write(fds[1], f, sizeof *f) != (ssize_t)sizeof *f);
    }
    close(fds[1]);
    const bool good = child > 0 && read(fds[0], f, sizeof *f) == (ssize_t)sizeof *f;
    if (child > 0) waitpid(child, NULL, 0);
    close(fds[0]);
    return good;
}

static double difference(double a, double b)
{
    const double size = fmax(fabs(a), fabs(b));
    if (a == b || (isnan(a) && isnan(b))) return 0;
    return isfinite(a) && isfinite(b) && size > 0 ? fabs(a - b) / size : 1;
}

static double difference_of(const first_impact *a, const first_impact *b)
{
    double most = difference(a->memory, b->memory);
    for (int i = 0; i < ANSWERS; i++) most = fmax(most, difference(a->force[i], b->force[i]));
    return most;
}

/* As numbers the bytes are 4.8e-4 and 1.4e306: neither is zero as a number or a pointer. */
void ic_law_calls_begin(ic_law_calls *calls, const ic_law *law, const double *par)
{
    first_impact one, same, other, faster;
    *calls = (ic_law_calls){.unset = NAN, .kept = NAN};
    if (!ask_copy(&one, law, par, 1, 0x3f) || !ask_copy(&same, law, par, 1, 0x3f) ||
        !ask_copy(&other, law, par, 1, 0x7f) || !ask_copy(&faster, law, par, 3, 0x3f))
        return;
    if (difference_of(&one, &same) > 0) return; /* another check finds answers that do not repeat */
    calls->unset = difference_of(&one, &other);
    calls->stuck = one.memory != faster.memory;
}

/* ---- after all other measures */

/* Each function of the law once, within a contact. */
static void call_all(ic_law_probe *p)
{
    const ic_law *l = p->law;
    const double d = 0.5 * p->d0, v = 0.3 * p->v0, m = p->memory, *par = p->par.data;
    if (l->remember != NULL) l->remember(p->v0, par);
    l->force(d, v, m, par);
    if (l->force_rate != NULL) l->force_rate(d, v, -1, m, par);
    if (l->stored_energy != NULL) l->stored_energy(d, par);
    if (l->rising != NULL) l->rising(d, v, 1, m, par);
    if (l->rising_rate != NULL) l->rising_rate(d, v, 1, m, par);
    if (l->pushing != NULL) l->pushing(d, v, m, par);
    if (l->pushing_rate != NULL) l->pushing_rate(d, v, -1, m, par);
    if (l->update != NULL) l->update(m, d, v, par);
    if (l->kink != NULL) l->kink(v, par);
    if (l->kink_rate != NULL) l->kink_rate(v, -1, par);
    if (l->reach != NULL) l->reach(p->v0, par);
}

static void call_often(void *probe)
{
    for (int k = 0; k < CALLS; k++) call_all(probe);
}

/* Whether most forces do not see differences of the depth that double precision resolves. */
static bool is_single(ic_law_probe *p)
{
    int coarse = 0;
    ic_law_probe_begin(p, 1);
    for (int i = 0; i < DEPTHS; i++) {
        const double d = p->d0 * (i + 1.3) / DEPTHS, force = ic_law_probe_force(p, d, 0.3);
        coarse += force != 0 && ic_law_probe_force(p, d * (1 + CLOSE), 0.3) == force ? 1 : 0;
    }
    return coarse > DEPTHS / 2;
}

void ic_law_calls_end(ic_law_calls *calls, ic_law_probe *p)
{
    calls->rounding = fegetround() != FE_TONEAREST;
    fesetround(FE_TONEAREST);
    ic_law_probe_begin(p, 1);
    calls->kept = ic_heap_growth(TRIALS, call_often, p) / CALLS;
    fesetround(FE_TONEAREST);
    calls->single = is_single(p);
}

void ic_law_calls_write(ic_finding_writer *writer, const ic_law_calls *c)
{
    const ic_judged_value kept = {c->kept, 0, "the same memory before and after a call", IC_MISTAKE_LEAKS},
                          rounding = {c->rounding ? 1 : 0, 0, "to nearest before and after",
                                      IC_MISTAKE_ROUNDING_MODE},
                          unset = {c->unset, 0, "the same answers", IC_MISTAKE_UNSET_MEMORY};
    if (isnan(c->kept))
        ic_write_open(writer, IC_CHECK_LAW_KEPT, NAN,
                      "the allocator of this process does not report what is in use: run the audit without it");
    else ic_write_measured(writer, IC_CHECK_LAW_KEPT, &kept, "bytes that a call adds to the heap, at least");
    ic_write_measured(writer, IC_CHECK_LAW_ROUNDING, &rounding, "%s",
                      c->rounding ? "numbers are rounded in another way after calls of the law"
                                  : "it is unchanged");
    if (!isnan(c->unset))
        ic_write_measured(writer, IC_CHECK_LAW_UNSET, &unset,
                          "forces in processes that differ only in the bytes of uninitialised memory");
}
