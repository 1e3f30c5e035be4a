/* SPDX-License-Identifier: MIT */
#include "audit/law/law.h"

#include "audit/common/memory.h"
#include "audit/common/tolerances.h"

#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ANSWERS = 16, CALLS = 64, TRIALS = 64, DEPTHS = 40 };
/* Two depths that only double precision tells apart, relative. */
#define CLOSE 1e-9
/* Distance from the place where a float steps, relative. */
#define EDGE 1e-10
/* Half the distance of floats from each other, relative; double precision leaves rounding of formulas. */
#define FLOAT 0x1p-24
#define DOUBLE 1e-12

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

/*
 * In a copy of this process with this byte in uninitialised memory, after an impact with the parameters `before`
 * (NULL: none). false: there is no answer.
 */
static bool ask_copy(ic_law_calls *calls, first_impact *f, const ic_law *law, const double *before,
                     const double *par, double v0, unsigned char byte)
{
    int fds[2];
    const bool piped = pipe(fds) == 0;
    const pid_t child = piped ? calls->host->copy_process() : -1;
    calls->refused |= child == -1;
    if (!piped) return false;
    if (child == 0) {
        ic_fill_heap(byte);
        ic_fill_stack(byte);
        if (before != NULL) take_first_impact(f, law, before, v0);
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

/* Whether forces with another value of a parameter depend on its default in an earlier impact. */
static bool keeps_parameter(ic_law_calls *calls, const ic_law *law, const double *first,
                            const ic_law_setting *setting)
{
    first_impact alone, after;
    double *changed = calloc(law->n_parameters, sizeof *changed);
    if (changed == NULL) return false;
    memcpy(changed, first, law->n_parameters * sizeof *changed);
    changed[setting->parameter] = setting->value;
    const bool keeps =
        ic_law_permits(law, changed, 1) && ask_copy(calls, &alone, law, NULL, changed, 1, 0x3f) &&
        ask_copy(calls, &after, law, first, changed, 1, 0x3f) && difference_of(&alone, &after) > 0;
    free(changed);
    return keeps;
}

static size_t find_kept_parameter(ic_law_calls *calls, const ic_law *law, const double *par)
{
    ic_law_setting settings[IC_MOST_LAW_SETTINGS];
    const size_t n = ic_law_settings(settings, law, par);
    for (size_t i = 1; i < n; i++) {
        const bool first = settings[i].parameter != settings[i - 1].parameter;
        if (first && keeps_parameter(calls, law, par, &settings[i])) return settings[i].parameter;
    }
    return law->n_parameters;
}

/* As numbers the bytes are 4.8e-4 and 1.4e306: neither is zero as a number or a pointer. */
static void compare_first_impacts(ic_law_calls *calls, const ic_law *law, const double *par)
{
    first_impact one, same, other, faster;
    if (!ask_copy(calls, &one, law, NULL, par, 1, 0x3f) || !ask_copy(calls, &same, law, NULL, par, 1, 0x3f) ||
        !ask_copy(calls, &other, law, NULL, par, 1, 0x7f) || !ask_copy(calls, &faster, law, NULL, par, 3, 0x3f))
        return;
    if (difference_of(&one, &same) > 0) return; /* another check finds answers that do not repeat */
    calls->unset = difference_of(&one, &other);
    calls->stuck = one.memory != faster.memory;
    calls->kept_parameter = find_kept_parameter(calls, law, par);
}

void ic_law_calls_begin(ic_law_calls *calls, const ic_law *law, const ic_law_host *host)
{
    ic_parameters parameters;
    ic_error error;
    *calls = (ic_law_calls){.host = host, .unset = NAN, .kept = NAN, .kept_parameter = law->n_parameters};
    if (ic_parameters_open(&parameters, "law", law->name, law->parameters, law->n_parameters, &error) &&
        ic_parameters_evaluate(&parameters, &error))
        compare_first_impacts(calls, law, parameters.value);
    ic_parameters_close(&parameters);
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

/* ---- digits */

/* Arguments of a force: depth, rate and memory, then the parameters. */
enum { OF_DEPTH, OF_RATE, OF_MEMORY, OF_PARAMETERS };

/* The force with one argument replaced; a parameter acts on the memory, too. */
static double force_with(ic_law_probe *p, size_t argument, double value, const double at[OF_PARAMETERS])
{
    double used[OF_PARAMETERS], *par = p->par.data;
    memcpy(used, at, sizeof used);
    if (argument < OF_PARAMETERS) {
        used[argument] = value;
        return p->law->force(used[OF_DEPTH], used[OF_RATE], used[OF_MEMORY], par);
    }
    const double kept = par[argument - OF_PARAMETERS];
    par[argument - OF_PARAMETERS] = value;
    used[OF_MEMORY] = p->law->remember != NULL ? p->law->remember(p->v0, par) : 0;
    const double force = p->law->force(used[OF_DEPTH], used[OF_RATE], used[OF_MEMORY], par);
    par[argument - OF_PARAMETERS] = kept;
    return force;
}

/* Whether an argument is rounded to a float: the force is constant where the float is, and steps where it steps. */
static bool is_rounded(ic_law_probe *p, size_t argument, double value, const double at[OF_PARAMETERS])
{
    const float below = (float)value, above = nextafterf(below, INFINITY);
    const double middle = 0.5 * ((double)below + (double)above);
    const double low = force_with(p, argument, middle * (1 - copysign(EDGE, value)), at),
                 high = force_with(p, argument, middle * (1 + copysign(EDGE, value)), at);
    return low != high && force_with(p, argument, below, at) == low &&
           force_with(p, argument, above, at) == high;
}

static bool is_mostly_rounded(ic_law_probe *p, size_t argument)
{
    int rounded = 0;
    for (int i = 0; i < DEPTHS; i++) {
        const double at[OF_PARAMETERS] = {p->d0 * (i + 1.3) / DEPTHS, 0.3 - 0.6 * (i % 2), p->memory};
        const double value = argument < OF_PARAMETERS ? at[argument] : p->set[argument - OF_PARAMETERS];
        rounded += value != 0 && is_rounded(p, argument, value, at) ? 1 : 0;
    }
    return rounded > DEPTHS / 2;
}

/* Whether most forces are floats, or do not see differences of the depth that double precision resolves. */
static bool has_few_digits(ic_law_probe *p)
{
    int coarse = 0, floats = 0;
    double before = NAN;
    for (int i = 0; i < DEPTHS; i++) {
        const double d = p->d0 * (i + 1.3) / DEPTHS, force = ic_law_probe_force(p, d, 0.3);
        /* a limited force is constant */
        const bool counts = force != 0 && force != before;
        coarse += counts && ic_law_probe_force(p, d * (1 + CLOSE), 0.3) == force ? 1 : 0;
        floats += counts && (double)(float)force == force ? 1 : 0;
        before = force;
    }
    return coarse > DEPTHS / 2 || floats > DEPTHS / 2;
}

static const char *find_single(ic_law_probe *p)
{
    static const char *const names[OF_PARAMETERS] = {"d", "v", "the memory"};
    ic_law_probe_begin(p, 1);
    for (size_t i = 0; i < OF_PARAMETERS + p->law->n_parameters; i++) {
        if (is_mostly_rounded(p, i))
            return i < OF_PARAMETERS ? names[i] : p->law->parameters[i - OF_PARAMETERS].name;
    }
    return has_few_digits(p) ? "the force" : NULL;
}

void ic_law_calls_end(ic_law_calls *calls, ic_law_probe *p)
{
    calls->rounding = fegetround() != FE_TONEAREST;
    fesetround(FE_TONEAREST);
    ic_law_probe_begin(p, 1);
    calls->kept = ic_heap_growth(TRIALS, call_often, p) / CALLS;
    fesetround(FE_TONEAREST);
    calls->single = find_single(p);
}

void ic_law_calls_write(ic_finding_writer *writer, const ic_law_calls *c)
{
    if (c->refused) ic_write_refusal(writer);
    const ic_judged_value kept = {c->kept, 0, "the same memory before and after a call", IC_MISTAKE_LEAKS},
                          rounding = {c->rounding ? 1 : 0, 0, "to nearest before and after",
                                      IC_MISTAKE_ROUNDING_MODE},
                          unset = {c->unset, 0, "the same answers", IC_MISTAKE_UNSET_MEMORY};
    ic_write_kept(writer, IC_CHECK_LAW_KEPT, &kept, "bytes that a call adds to the heap, at least");
    ic_write_measured(writer, IC_CHECK_LAW_ROUNDING, &rounding, "%s",
                      c->rounding ? "numbers are rounded in another way after calls of the law"
                                  : "it is unchanged");
    const ic_judged_value digits = {c->single != NULL ? FLOAT : 0, DOUBLE, "numbers of type double",
                                    IC_MISTAKE_SINGLE_PRECISION};
    ic_write_measured(writer, IC_CHECK_LAW_DIGITS, &digits, "%.40s%s",
                      c->single != NULL ? c->single : "all answers",
                      c->single != NULL ? " is rounded to the 24 bits of single precision, or to few digits"
                                        : " see differences that single precision does not");
    if (!isnan(c->unset))
        ic_write_measured(writer, IC_CHECK_LAW_UNSET, &unset,
                          "forces in processes that differ only in the bytes of uninitialised memory");
}
