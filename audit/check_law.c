/* SPDX-License-Identifier: MIT */
/* Checks of a contact-force law that need no other law: promises, energy, memory, rates. */
#include "audit/law_claim.h"
#include "audit/law_probe.h"
#include "audit/plugin.h"

#include <math.h>
#include <string.h>

/* What integration of an impact and rounding leave is below 1e-8; what a mistake makes is above 1e-3. */
#define TOLERANCE 1e-6
static const char *const rounding = "integration and rounding leave less than 1e-8, mistakes more than 1e-3";
/* Central differences over 1e-5 of a length are wrong by 1e-10 and, by rounding, by 1e-11; near steep onsets by more. */
#define STEP_OF_DIFFERENCES 1e-5
#define DIFFERENCES 1e-4
static const char *const by_differences = "central differences over 1e-5 of the indentation";

enum { SPEEDS = 3, GRID = 400, CYCLE = 400, HEIGHTS = 7, DEPTHS = 20, RATES = 4 };
static const double speeds[SPEEDS] = {0.3, 1, 3}; /* m/s */

typedef struct study {
    ic_sink *sink;
    ic_law_probe probe;
    bool gives; /* its damping gives energy */
} study;

static bool promised(const study *s, unsigned promise)
{
    return (s->probe.law->promises & promise) != 0;
}

/* ---- the onset, and above the surface */

static void check_onset(study *s)
{
    ic_law_probe *p = &s->probe;
    double worst = 0;
    for (int i = 0; i < SPEEDS; i++) {
        ic_law_probe_begin(p, speeds[i]);
        const double at = p->law->reach != NULL ? p->law->reach(p->v0, p->par.data) : 0;
        worst = fmax(worst, fabs(ic_law_probe_force(p, at + 1e-12 * p->d0, p->v0)) / p->F0);
    }
    if (!promised(s, IC_LAW_CONTINUOUS_ONSET)) {
        ic_sink_open(s->sink, IC_CHECK_LAW_ONSET, worst, "a continuous onset is not promised");
        return;
    }
    const ic_measured measured = {worst, TOLERANCE, rounding, IC_MISTAKE_FORCE_JUMPS};
    ic_sink_measure(s->sink, IC_CHECK_LAW_ONSET, &measured, "at 1e-12 of the typical indentation of %.3g m",
                    p->d0);
}

/* Laws with a dashpot leave it to the condition whether there is contact; those that begin at 0 do not. */
static void check_gap(study *s)
{
    ic_law_probe *p = &s->probe;
    double worst = 0, at = 0;
    if (!promised(s, IC_LAW_CONTINUOUS_ONSET) || p->law->condition == IC_CONDITION_B) return;
    ic_law_probe_begin(p, 1);
    double d = -1e-3 * p->d0;
    for (int i = 0; i < HEIGHTS; i++, d *= 3) {
        for (int k = -1; k <= 1; k++) {
            const double force = fabs(ic_law_probe_force(p, d, k)) / p->F0;
            if (!(force <= worst)) worst = force, at = d;
        }
    }
    const ic_mistake_id cause = isnan(worst) ? IC_MISTAKE_NOT_FINITE : IC_MISTAKE_FORCE_WITHOUT_CONTACT;
    const ic_measured measured = {worst, TOLERANCE, rounding, cause};
    ic_sink_measure(s->sink, IC_CHECK_LAW_GAP, &measured, "worst at d = %.3g m", at);
}

/* ---- continuity: the interval that differs most from its neighbours, halved until only a jump is left */

typedef struct line {
    double d, v;   /* m, m/s; where it begins */
    double dd, dv; /* to where it ends */
} line;

static double on_line(study *s, const line *l, double u)
{
    return ic_law_probe_force(&s->probe, l->d + u * l->dd, l->v + u * l->dv);
}

static double jump_on(study *s, const line *l, double *at)
{
    double force[GRID + 1], most = -1, low = 0, high = 1;
    for (int i = 0; i <= GRID; i++) force[i] = on_line(s, l, (double)i / GRID);
    for (int i = 1; i + 1 < GRID; i++) {
        const double bend = fabs((force[i + 1] - force[i]) - 0.5 * (force[i] - force[i - 1]) -
                                 0.5 * (force[i + 2] - force[i + 1]));
        if (bend > most) most = bend, low = (double)i / GRID, high = (double)(i + 1) / GRID;
    }
    for (int k = 0; k < 40; k++) {
        const double middle = 0.5 * (low + high), f = on_line(s, l, middle);
        if (fabs(f - on_line(s, l, low)) > fabs(on_line(s, l, high) - f)) high = middle;
        else low = middle;
    }
    *at = low;
    return fabs(on_line(s, l, high) - on_line(s, l, low));
}

static void check_continuity(study *s)
{
    const double d0 = s->probe.d0;
    const line lines[] = {{0.01 * d0, 0.3, d0, 0},
                          {0.01 * d0, -0.4, d0, 0},
                          {0.01 * d0, 0, 1.2 * d0, 0},
                          {0.3 * d0, -1.013, 0, 2.02},
                          {0.9 * d0, -1.013, 0, 2.02}};
    double worst = 0, at_d = 0, at_v = 0;
    ic_law_probe_begin(&s->probe, 1);
    for (size_t i = 0; i < IC_COUNT(lines); i++) {
        double u = 0;
        const double jump = jump_on(s, &lines[i], &u) / s->probe.F0;
        if (jump > worst)
            worst = jump, at_d = lines[i].d + u * lines[i].dd, at_v = lines[i].v + u * lines[i].dv;
    }
    const ic_measured measured = {worst, TOLERANCE, rounding, IC_MISTAKE_FORCE_JUMPS};
    ic_sink_measure(s->sink, IC_CHECK_LAW_CONTINUITY, &measured, "at d = %.4g m, v = %.4g m/s", at_d, at_v);
}

/* ---- energy */

/* J; work done on the contact over a prescribed cycle d = d0 (1 - cos(phase))/2 at most speed v */
static double cycle_work(ic_law_probe *p, double v)
{
    double work = 0;
    for (int i = 0; i < CYCLE; i++) {
        const double phase = 2 * M_PI * (i + 0.5) / CYCLE, rate = v * sin(phase);
        work += ic_law_probe_force(p, 0.5 * p->d0 * (1 - cos(phase)), rate) * 0.5 * p->d0 * sin(phase);
    }
    return work * 2 * M_PI / CYCLE;
}

static void check_dissipation(study *s)
{
    ic_law_probe *p = &s->probe;
    double given = 0, at_d = 0, at_v = 0, cycles = 0;
    for (int i = 0; i < SPEEDS; i++) {
        ic_law_probe_begin(p, speeds[i]);
        for (int k = 0; k < DEPTHS * (2 * RATES + 1); k++) {
            const int depth = k % DEPTHS + 1, rate = k / DEPTHS - RATES;
            const double d = p->d0 * depth / DEPTHS, u = (double)rate / RATES;
            const double v = u * p->v0, drag = ic_law_probe_force(p, d, v) - ic_law_probe_force(p, d, 0);
            const double gain = -drag * u / p->F0;
            if (gain > given) given = gain, at_d = d, at_v = v;
        }
        cycles = fmax(cycles, -cycle_work(p, p->v0) / (p->F0 * p->d0));
    }
    s->gives = !(fmax(given, cycles) <= TOLERANCE);
    const ic_measured measured = {fmax(given, cycles), TOLERANCE, rounding, IC_MISTAKE_DAMPING_SIGN};
    ic_sink_measure(s->sink, IC_CHECK_LAW_LOSES, &measured,
                    "worst at d = %.4g m, v = %.4g m/s; given by a prescribed cycle: %.3g of F0 d0", at_d, at_v,
                    cycles);
}

static void check_impacts(study *s)
{
    ic_law_probe *p = &s->probe;
    double pull = 0, out[SPEEDS], most = 0;
    for (int i = 0; i < SPEEDS; i++) {
        const ic_free_flight flight = ic_law_probe_impact(p, speeds[i]);
        out[i] = flight.restitution;
        most = fmax(most, out[i]);
        if (flight.most > 0) pull = fmax(pull, -flight.least / flight.most);
    }
    const ic_measured rebound = {most - 1, TOLERANCE, rounding,
                                 s->gives ? IC_MISTAKE_DAMPING_SIGN : IC_MISTAKE_ENERGY_APPEARS};
    const ic_measured tension = {pull, TOLERANCE, rounding, IC_MISTAKE_ADHESION_KEPT};
    ic_sink_measure(s->sink, IC_CHECK_LAW_REBOUND, &rebound,
                    "e_out = %.5g, %.5g and %.5g at %g, %g and %g m/s (less 1: measured)", out[0], out[1],
                    out[2], speeds[0], speeds[1], speeds[2]);
    if (promised(s, IC_LAW_NO_TENSION))
        ic_sink_measure(s->sink, IC_CHECK_LAW_TENSION, &tension, "on free impacts of 1 kg at %g to %g m/s",
                        speeds[0], speeds[2]);
    else ic_sink_open(s->sink, IC_CHECK_LAW_TENSION, pull, "that it does not pull is not promised");
}

/* ---- memory: of the contact that it is in, and of no other */

static double relative(double a, double b)
{
    const double size = fmax(fabs(a), fabs(b));
    return size > 0 ? fabs(a - b) / size : 0;
}

static void check_memory(study *s)
{
    ic_law_probe *p = &s->probe;
    double worst = 0, forgets = 1;
    const double d = 0.5 * p->d0, v = 0.5;
    ic_law_probe_begin(p, 1);
    const double memory = p->memory, force = ic_law_probe_force(p, d, v);
    for (int i = 0; i < SPEEDS; i++) {
        ic_law_probe_begin(p, speeds[i]);
        if (speeds[i] != 1 && p->memory != memory) forgets = 0;
        const double as_given = p->law->force(d, v, memory, p->par.data);
        worst = fmax(worst, relative(as_given, force));
    }
    ic_law_probe_begin(p, 1);
    worst = fmax(worst, relative(p->memory, memory));
    /* a memory of one value, whatever the speed, is that of the first impact */
    const bool stuck = p->law->remember != NULL && forgets > 0 && memory != 0;
    const ic_measured measured = {stuck ? 1 : worst, 0, "the same arguments, the same answer",
                                  IC_MISTAKE_MEMORY_NOT_RESET};
    ic_sink_measure(s->sink, IC_CHECK_LAW_MEMORY, &measured, "%s",
                    stuck ? "remember() says the same of impacts at 0.3, 1 and 3 m/s"
                          : "force and memory of an impact at 1 m/s, before and after others at 0.3 and 3 m/s");
}

/* ---- rates */

/* d force/dt over the size that its terms have */
static double rate_deviation(ic_law_probe *p, double d, double v, double a)
{
    const double kink = p->law->kink != NULL ? p->law->kink(p->par.data) : d;
    const double dt = STEP_OF_DIFFERENCES * fmin(d, kink) / p->v0;
    const double ahead = ic_law_probe_force(p, d + v * dt, v + a * dt),
                 behind = ic_law_probe_force(p, d - v * dt, v - a * dt);
    const double rate = p->law->force_rate(d, v, a, p->memory, p->par.data);
    const double size =
        (fabs(ic_law_probe_force(p, d, p->v0)) + fabs(ic_law_probe_force(p, d, -p->v0))) * p->v0 / d +
        fabs(ic_law_probe_force(p, d, 1) - ic_law_probe_force(p, d, 0)) * fabs(a);
    if (!isfinite(rate)) p->not_finite++;
    return size > 0 ? fabs(rate - (ahead - behind) / (2 * dt)) / size : 0;
}

static void check_rates(study *s)
{
    ic_law_probe *p = &s->probe;
    double worst = 0, at_d = 0, at_v = 0;
    ic_law_probe_begin(p, 1);
    for (int k = 0; k < DEPTHS * (2 * RATES); k++) {
        const int depth = k % DEPTHS, rate = k / DEPTHS - RATES;
        const double d = p->d0 * (depth + 0.517) / DEPTHS, v = (rate + 0.45) / RATES;
        const double off = rate_deviation(p, d, v, -ic_law_probe_force(p, d, v) / IC_PROBE_MASS);
        if (!(off <= worst)) worst = off, at_d = d, at_v = v;
    }
    const ic_measured measured = {worst, DIFFERENCES, by_differences, IC_NO_MISTAKE};
    ic_sink_measure(s->sink, IC_CHECK_LAW_RATE, &measured, "worst at d = %.4g m, v = %.4g m/s", at_d, at_v);
}

static void check_stored_energy(study *s)
{
    ic_law_probe *p = &s->probe;
    double worst = 0;
    if (p->law->stored_energy == NULL) return;
    ic_law_probe_begin(p, 1);
    for (int i = 0; i < 3; i++) {
        const double d = (0.2 + 0.4 * i) * p->d0;
        const double told = p->law->stored_energy(d, p->par.data) - p->law->stored_energy(0, p->par.data);
        worst = fmax(worst, isfinite(told) ? relative(told, ic_law_probe_work(p, d)) : INFINITY);
    }
    const ic_measured measured = {worst, DIFFERENCES, "Simpson's rule in the root of the indentation",
                                  IC_NO_MISTAKE};
    ic_sink_measure(s->sink, IC_CHECK_LAW_ENERGY, &measured, "at 0.2, 0.6 and 1 times %.3g m", p->d0);
}

/* ---- */

static void check_calls(study *s)
{
    ic_law_probe *p = &s->probe;
    const size_t damage =
        ic_guarded_damage(&p->par) + (memcmp(p->par.data, p->parameters.value, p->par.size) != 0 ? 1 : 0);
    const ic_measured bounds = {(double)damage, 0, "none may change", IC_MISTAKE_WRITES_OUT_OF_BOUNDS};
    const ic_measured finite = {(double)p->not_finite, 0, "none", IC_MISTAKE_NOT_FINITE};
    ic_sink_measure(s->sink, IC_CHECK_BOUNDS, &bounds, "bytes of and around the table of %zu parameters",
                    p->law->n_parameters);
    ic_sink_measure(s->sink, IC_CHECK_FINITE, &finite,
                    "forces, rates and memories, of arguments that are finite");
}

static void check_all(study *s)
{
    static const struct {
        const char *doing;
        void (*check)(study *);
    } checks[] = {{"the onset", check_onset},
                  {"indentations below 0", check_gap},
                  {"forces on a grid", check_continuity},
                  {"cycles", check_dissipation},
                  {"free impacts", check_impacts},
                  {"impacts one after another", check_memory},
                  {"force_rate", check_rates},
                  {"stored_energy", check_stored_energy}};
    for (size_t i = 0; i < IC_COUNT(checks); i++) {
        ic_sink_doing(s->sink, checks[i].doing);
        checks[i].check(s);
    }
    ic_sink_doing(s->sink, "comparison with known laws");
    ic_law_check_claim(s->sink, &s->probe);
    ic_law_classify(s->sink, &s->probe);
    check_calls(s);
}

void ic_audit_law(ic_sink *sink, const ic_law *law)
{
    study s = {.sink = sink};
    ic_error error = {""};
    ic_sink_doing(sink, "the first forces");
    const bool good = ic_law_probe_open(&s.probe, law, &error);
    const ic_measured measured = {good ? 0 : 1, 0, "public header", IC_NO_MISTAKE};
    ic_sink_measure(sink, IC_CHECK_LAW_PARAMETERS, &measured, "%s",
                    good ? "defaults are numbers in range" : error.text);
    if (good) check_all(&s);
    ic_law_probe_close(&s.probe);
}
