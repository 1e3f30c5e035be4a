/* SPDX-License-Identifier: MIT */
#include "audit/law/law.h"

#include "audit/common/tolerances.h"
#include "core/random.h"

#include <math.h>
#include <stdio.h>

/* Central differences over 1e-5 of a length have an error of 1e-10, and of 1e-11 by rounding; near
   steep onsets the error is greater. */
#define STEP_OF_DIFFERENCES 1e-5
enum { STEPS_OF_DIFFERENCES = 3 };
/* A rate that is smaller than this part of its terms has no significant sign. */
#define NO_SIGN 1e-6

/* Slopes at a kink are taken over this part of its depth; curvature changes them by less than LEAST_KINK. */
#define KINK_STEP 1e-6
#define LEAST_KINK 1e-4

enum { GRID = 400, CYCLE = 400, HEIGHTS = 7, DEPTHS = 20, RATES = 4 };
enum { SPEEDS = 5, SPEEDS_SET = 3 };
/* Drawn speeds at the defaults; drawn values of each parameter, each with a drawn speed. */
enum { DRAWN_SPEEDS = 4, DRAWN_VALUES = 6, MOST_DRAWN = 48 };
static const double speeds[SPEEDS] = {1, 0.3, 3, 0.01, 30}; /* speeds at the defaults, m/s */
static const double speeds_set[SPEEDS_SET] = {1, 0.01, 30}; /* at other settings */

static void note_worst(ic_law_measures *m, ic_law_measure measure, double value, double d, double v)
{
    ic_law_worst *w = &m->worst[measure];
    if (w->measured && value <= w->value) return;
    if (w->measured && isnan(w->value)) return;
    *w = (ic_law_worst){true, value, d, v, m->probe.v0, m->setting};
}

/* ---- jumps: the interval that differs most from its neighbours, bisected until only a jump remains */

typedef enum spacing {
    EVEN,
    DEPTHS_FALL, /* d falls by DECADES towards 0 */
    RATES_FALL,  /* v falls so */
} spacing;

typedef struct probe_line {
    /* depth at the start of the line, m; of a falling depth: at the end */
    double d;

    /* rate at the start of the line, m/s; of a falling rate: at the end */
    double v;

    /* change of the depth from the start to the end, m */
    double dd;

    /* change of the rate from the start to the end, m/s */
    double dv;

    spacing spacing;
} probe_line;

/* A force like d^(1/4), or like the root of the rate, is steep at 0 without a jump: it is followed
   over this range. */
#define DECADES 200.0

static double depth_on(const probe_line *l, double u)
{
    return l->spacing == DEPTHS_FALL ? l->d * pow(10, -DECADES * (1 - u)) : l->d + u * l->dd;
}

static double rate_on(const probe_line *l, double u)
{
    return l->spacing == RATES_FALL ? l->v * pow(10, -DECADES * (1 - u)) : l->v + u * l->dv;
}

static double force_on(ic_law_measures *m, const probe_line *l, double u)
{
    return ic_law_probe_force(&m->probe, depth_on(l, u), rate_on(l, u));
}

/* The greatest jump on a line, divided by the greatest force: a strong drag may be far greater than F0. */
static double find_jump(ic_law_measures *m, const probe_line *l, double *at)
{
    double d[GRID + 1], v[GRID + 1], force[GRID + 1], most = -1, low = 0, high = 1, greatest = 0;
    for (int i = 0; i <= GRID; i++) {
        d[i] = depth_on(l, (double)i / GRID);
        v[i] = rate_on(l, (double)i / GRID);
    }
    ic_law_probe_forces(&m->probe, force, d, v, GRID + 1);
    for (int i = 0; i <= GRID; i++) greatest = fmax(greatest, fabs(force[i]));
    for (int i = 1; i + 1 < GRID; i++) {
        const double bend = fabs((force[i + 1] - force[i]) - 0.5 * (force[i] - force[i - 1]) -
                                 0.5 * (force[i + 2] - force[i + 1]));
        if (bend > most) most = bend, low = (double)i / GRID, high = (double)(i + 1) / GRID;
    }
    for (int k = 0; k < 40; k++) {
        const double middle = 0.5 * (low + high), f = force_on(m, l, middle);
        if (fabs(f - force_on(m, l, low)) > fabs(force_on(m, l, high) - f)) high = middle;
        else low = middle;
    }
    *at = low;
    return fabs(force_on(m, l, high) - force_on(m, l, low)) / fmax(greatest, m->probe.F0);
}

/* The depth from which a body that comes with v0 is pushed, without a jump; NAN: none within a few `reach`. */
static double find_onset(ic_law_probe *p, double reach)
{
    double low = -4 * fabs(reach), high = 4 * fabs(reach);
    if (ic_law_probe_force(p, low, p->v0) > 0 || !(ic_law_probe_force(p, high, p->v0) > 0)) return NAN;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        if (ic_law_probe_force(p, middle, p->v0) > 0) high = middle;
        else low = middle;
    }
    return ic_law_probe_force(p, high, p->v0) <= ic_tolerance_law_integration.value * p->F0 ? high : NAN;
}

static void measure_onset(ic_law_measures *m)
{
    ic_law_probe *p = &m->probe;
    const double at = p->law->reach != NULL ? p->law->reach(p->v0, p->set) : 0;
    for (int k = -1; k <= 1; k++)
        ic_law_probe_force(p, 0, k * p->v0); /* it is to be finite at the touch, too */
    if (at != 0) {
        const double d = at + 1e-12 * fmax(fabs(at), p->d0), begins = find_onset(p, at);
        if (fabs(begins - at) > ic_tolerance_law_integration.value * fabs(at)) m->begins = begins;
        note_worst(m, IC_OF_ONSET, fabs(ic_law_probe_force(p, d, p->v0)) / p->F0, d, p->v0);
        return;
    }
    const probe_line l = {.d = 0.01 * p->d0, .v = p->v0, .spacing = DEPTHS_FALL};
    double u = 0;
    const double first = fabs(force_on(m, &l, 0)) / p->F0, jump = find_jump(m, &l, &u);
    note_worst(m, IC_OF_ONSET, fmax(first, jump), first >= jump ? 0 : depth_on(&l, u), p->v0);
}

/*
 * For laws with a dashpot the condition decides whether there is contact. Laws whose force begins
 * at 0 have no force in the gap.
 */
static void measure_gap(ic_law_measures *m)
{
    ic_law_probe *p = &m->probe;
    if ((p->law->promises & IC_LAW_CONTINUOUS_ONSET) == 0 || p->law->condition == IC_CONDITION_B) return;
    double d = -1e-3 * p->d0;
    for (int i = 0; i < HEIGHTS; i++, d *= 3) {
        for (int k = -1; k <= 1; k++)
            note_worst(m, IC_OF_GAP, fabs(ic_law_probe_force(p, d, k * p->v0)) / p->F0, d, k * p->v0);
    }
}

static void follow_line(ic_law_measures *m, const probe_line *l)
{
    double u = 0;
    const double jump = find_jump(m, l, &u);
    note_worst(m, IC_OF_CONTINUITY, jump, depth_on(l, u), rate_on(l, u));
}

static void measure_continuity(ic_law_measures *m)
{
    ic_law_probe *p = &m->probe;
    const double d0 = p->d0, v0 = p->v0, depths[] = {0.3 * d0, 0.9 * d0}, rates[] = {0.3 * v0, -0.4 * v0, 0};
    for (size_t i = 0; i < IC_COUNT(rates); i++) {
        const probe_line l = {0.01 * d0, rates[i], d0, 0, EVEN};
        follow_line(m, &l);
    }
    for (size_t i = 0; i < IC_COUNT(depths); i++) {
        const double d = depths[i], least = v0 * pow(10, -DECADES);
        for (int side = -1; side <= 1; side += 2) {
            const probe_line far = {d, side * 0.005 * v0, 0, side * 1.01 * v0, EVEN};
            const probe_line near = {d, side * 0.013 * v0, 0, 0, RATES_FALL};
            follow_line(m, &far);
            follow_line(m, &near);
        }
        note_worst(m, IC_OF_CONTINUITY,
                   fabs(ic_law_probe_force(p, d, least) - ic_law_probe_force(p, d, -least)) / p->F0, d, 0);
    }
}

/* ---- energy */

/*
 * work done on the contact over the prescribed cycle d = low + (d0 - low) (1 - cos(phase))/2 with the greatest
 * speed v, J
 */
static double cycle_work(ic_law_probe *p, double low, double v)
{
    const double half = 0.5 * (p->d0 - low);
    double work = 0;
    for (int i = 0; i < CYCLE; i++) {
        const double phase = 2 * M_PI * (i + 0.5) / CYCLE, rate = v * sin(phase),
                     d = low + half * (1 - cos(phase));
        ic_law_probe_note(p, d, rate);
        work += ic_law_probe_force(p, d, rate) * half * sin(phase);
    }
    return work * 2 * M_PI / CYCLE;
}

/*
 * If the damping has the right sign for every rate at every depth, no motion creates energy,
 * because every loop consists of such points.
 */
static void measure_dissipation(ic_law_measures *m)
{
    ic_law_probe *p = &m->probe;
    for (int k = 0; k < DEPTHS * (2 * RATES + 1); k++) {
        const int depth = k % DEPTHS + 1, rate = k / DEPTHS - RATES;
        const double d = p->d0 * depth / DEPTHS, u = (double)rate / RATES;
        const double v = u * p->v0, drag = ic_law_probe_force(p, d, v) - ic_law_probe_force(p, d, 0);
        note_worst(m, IC_OF_DISSIPATION, -drag * u / p->F0, d, v);
    }
    note_worst(m, IC_OF_DISSIPATION, -cycle_work(p, 0, p->v0) / (p->F0 * p->d0), NAN, NAN);
    if (p->law->update == NULL) return;
    /* another one within the same contact */
    note_worst(m, IC_OF_DISSIPATION, -cycle_work(p, 0.3 * p->d0, p->v0) / (p->F0 * p->d0), NAN, NAN);
    ic_law_probe_begin(p, p->v0);
}

static void measure_impact(ic_law_measures *m, bool by_default)
{
    ic_law_probe *p = &m->probe;
    const ic_free_flight flight = ic_law_probe_impact(p, p->v0, by_default ? IC_PROBE_LONG : IC_PROBE_SHORT);
    note_worst(m, IC_OF_REBOUND, flight.restitution - 1, NAN, NAN);
    note_worst(m, IC_OF_TENSION, flight.most > 0 ? -flight.least / flight.most : 0, NAN, NAN);
}

static double relative_difference(double a, double b)
{
    const double size = fmax(fabs(a), fabs(b));
    if (a == b || (isnan(a) && isnan(b))) return 0;
    return size > 0 ? fabs(a - b) / size : 0;
}

static void measure_energy_held(ic_law_measures *m)
{
    ic_law_probe *p = &m->probe;
    if (p->law->stored_energy == NULL || p->law->update != NULL) return;
    for (int i = 0; i < 3; i++) {
        const double d = (0.2 + 0.4 * i) * p->d0;
        const double stated = p->law->stored_energy(d, p->set) - p->law->stored_energy(0, p->set);
        note_worst(m, IC_OF_ENERGY_HELD,
                   isfinite(stated) ? relative_difference(stated, ic_law_probe_exact_work(p, d)) : NAN, d, 0);
    }
}

/* ---- rates */

/* A function of d and v, and the stated rate of it. */
typedef struct rated {
    double (*value)(ic_law_probe *p, double d, double v);
    double rate;
} rated;

static double rising_of(ic_law_probe *p, double d, double v)
{
    return p->law->rising(d, v, p->mass, p->memory, p->set);
}

static double pushing_of(ic_law_probe *p, double d, double v)
{
    return p->law->pushing(d, v, p->memory, p->set);
}

/*
 * Difference of the stated rate from finite differences, divided by the size of its terms. Next to
 * a kink one side must be right.
 */
static double rate_deviation(ic_law_probe *p, const rated *f, double d, double v, double a)
{
    const double kink = p->law->kink != NULL ? p->law->kink(v, p->set) : d, here = f->value(p, d, v);
    const double terms = (fabs(f->value(p, d, p->v0)) + fabs(f->value(p, d, -p->v0))) * p->v0 / d +
                         fabs(f->value(p, d, p->v0) - f->value(p, d, 0)) * fabs(a) / p->v0,
                 size = fmax(terms, fabs(f->rate)); /* next to the end of a contact that stays deformed */
    if (!isfinite(f->rate)) return NAN;
    if (!(terms > 0)) return 0;
    double off = INFINITY, dt = STEP_OF_DIFFERENCES * (kink > 0 ? fmin(d, kink) : d) / p->v0;
    /* shorter ones where the force is steep, such as next to its end */
    for (int i = 0; i < STEPS_OF_DIFFERENCES && off > ic_tolerance_law_rate.value * size; i++, dt /= 16) {
        const double ahead = f->value(p, d + v * dt, v + a * dt), behind = f->value(p, d - v * dt, v - a * dt);
        off = fmin(fmin(off, fabs(f->rate - (ahead - behind) / (2 * dt))),
                   fmin(fabs(f->rate - (ahead - here) / dt), fabs(f->rate - (here - behind) / dt)));
    }
    return off / size;
}

/* 1 if both have a significant sign, and the signs differ */
static double compare_signs(double a, double size_a, double b, double size_b)
{
    return fabs(a) > NO_SIGN * size_a && fabs(b) > NO_SIGN * size_b && a * b < 0 ? 1 : 0;
}

static void measure_rising(ic_law_measures *m, double d, double v, double a, double rate)
{
    ic_law_probe *p = &m->probe;
    if (p->law->rising == NULL) return;
    const rated f = {rising_of, p->law->rising_rate(d, v, p->mass, p->memory, p->set)};
    const double rising = rising_of(p, d, v),
                 size = fabs(rising_of(p, d, p->v0)) + fabs(rising_of(p, d, -p->v0));
    note_worst(m, IC_OF_RISING, rate_deviation(p, &f, d, v, a), d, v);
    /* no free impact enters a region where the law pulls */
    if (a < 0) note_worst(m, IC_OF_RISING, compare_signs(rising, size, rate, p->F0 * p->v0 / p->d0), d, v);
}

static void measure_pushing(ic_law_measures *m, double d, double v, double a)
{
    ic_law_probe *p = &m->probe;
    if (p->law->pushing == NULL) return;
    const rated f = {pushing_of, p->law->pushing_rate(d, v, a, p->memory, p->set)};
    const double pushing = pushing_of(p, d, v);
    const double size = fabs(pushing_of(p, d, p->v0)) + fabs(pushing_of(p, d, -p->v0));
    note_worst(m, IC_OF_PUSHING, rate_deviation(p, &f, d, v, a), d, v);
    note_worst(m, IC_OF_PUSHING, compare_signs(pushing, size, ic_law_probe_force(p, d, v), p->F0), d, v);
}

static void measure_rates(ic_law_measures *m)
{
    ic_law_probe *p = &m->probe;
    if (p->law->force_rate == NULL) return;
    for (int k = 0; k < DEPTHS * (2 * RATES); k++) {
        const int depth = k % DEPTHS, step = k / DEPTHS - RATES;
        const double d = p->d0 * (depth + 0.517) / DEPTHS, v = p->v0 * (step + 0.45) / RATES;
        const double a = -ic_law_probe_force(p, d, v) / p->mass;
        const rated f = {ic_law_probe_force, p->law->force_rate(d, v, a, p->memory, p->set)};
        note_worst(m, IC_OF_RATE, rate_deviation(p, &f, d, v, a), d, v);
        measure_rising(m, d, v, a, f.rate);
        measure_pushing(m, d, v, a);
    }
}

/* ---- memory: of the present contact, and of no other */

static void measure_memory(ic_law_measures *m)
{
    ic_law_probe *p = &m->probe;
    bool forgets = true;
    ic_law_probe_begin(p, 1);
    const double memory = p->memory;
    /* In reverse order. */
    for (size_t i = IC_FIRST_ANSWERS; i-- > 0;)
        m->memory = fmax(m->memory, relative_difference(ic_law_probe_first(p, i), p->first[i]));
    for (size_t i = 0; i < SPEEDS; i++) {
        ic_law_probe_begin(p, speeds[i]);
        if (speeds[i] != 1 && p->memory != memory) forgets = false;
        for (size_t k = 0; k < IC_FIRST_ANSWERS; k++) {
            p->memory = memory;
            m->memory = fmax(m->memory, relative_difference(ic_law_probe_first(p, k), p->first[k]));
        }
    }
    ic_law_probe_begin(p, 1);
    m->memory = fmax(m->memory, relative_difference(p->memory, memory));
    /* a memory that is the same at every speed is that of the first impact */
    m->memory_stuck = p->law->remember != NULL && forgets && m->calls.stuck && isfinite(memory);
}

/* ---- the declared kink: the slopes on both sides of it differ, at some rate */

static void measure_kink(ic_law_measures *m)
{
    ic_law_probe *p = &m->probe;
    if (p->law->kink == NULL) return;
    double most = 0, deepest = NAN;
    for (int i = -1; i <= 1; i++) {
        const double v = 0.5 * i * p->v0, d = p->law->kink(v, p->set), h = KINK_STEP * d;
        if (!(d > 0)) continue;
        deepest = d;
        const double here = ic_law_probe_force(p, d, v);
        const double above = (ic_law_probe_force(p, d + h, v) - here) / h,
                     below = (here - ic_law_probe_force(p, d - h, v)) / h;
        const double difference = relative_difference(above, below);
        if (isfinite(difference)) most = fmax(most, difference);
    }
    if (!isnan(deepest)) note_worst(m, IC_OF_KINK, most > LEAST_KINK ? 0 : 1, deepest, NAN);
}

/* ---- the history of a contact */

/* Loads and unloads to these parts of d0, each in so many states; the change of force by noting a state, N. */
static double follow_history(ic_law_probe *p, int states)
{
    static const double turns[] = {0.8, 0.3, 0.6, 0.95, 0.2};
    double from = 0, most = 0;
    ic_law_probe_begin(p, p->v0);
    for (size_t k = 0; k < IC_COUNT(turns); k++) {
        const double to = turns[k] * p->d0, v = (to > from ? 0.5 : -0.5) * p->v0;
        for (int i = 1; i <= states; i++) {
            const double d = i == states ? to : from + (to - from) * i / states;
            const double before = ic_law_probe_force(p, d, v);
            ic_law_probe_note(p, d, v);
            const double memory = p->memory, noted = ic_law_probe_force(p, d, v);
            ic_law_probe_note(p, d, v);
            most = fmax(most, fabs(noted - before));
            most = fmax(most, fabs(ic_law_probe_force(p, d, v) - noted));
            p->memory = memory;
        }
        from = to;
    }
    return most;
}

/* The greatest difference of forces with two memories, N. */
static double difference_by_memory(ic_law_probe *p, double a, double b)
{
    double most = 0;
    for (int i = 1; i <= DEPTHS; i++) {
        const double d = p->d0 * i / DEPTHS, v = (i % 2 == 0 ? 0.4 : -0.4) * p->v0;
        p->memory = a;
        const double force = ic_law_probe_force(p, d, v);
        p->memory = b;
        most = fmax(most, fabs(ic_law_probe_force(p, d, v) - force));
    }
    return most;
}

/*
 * The caller's choice of states must not matter, and the memory must. With the memory of a deep contact, too, the force
 * does not jump, and has its rate.
 */
static void measure_history(ic_law_measures *m)
{
    static const int states[] = {1, 7, 100};
    ic_law_probe *p = &m->probe;
    double most = 0, memory[IC_COUNT(states)];
    if (p->law->update == NULL) return;
    ic_law_probe_begin(p, p->v0);
    const double fresh = p->memory;
    for (size_t i = 0; i < IC_COUNT(states); i++) {
        most = fmax(most, follow_history(p, states[i]));
        memory[i] = p->memory;
        most = fmax(most, difference_by_memory(p, memory[0], memory[i]));
    }
    /* at an end of a range, the law may be elastic */
    if (difference_by_memory(p, fresh, memory[0]) > 0) m->history_unused = false;
    note_worst(m, IC_OF_HISTORY, most / p->F0, NAN, NAN);
    p->memory = memory[0];
    measure_continuity(m);
    measure_rates(m);
    ic_law_probe_begin(p, p->v0);
}

/* ---- all measures */

static void measure_setting(ic_law_measures *m, ic_finding_writer *writer, const double *at, size_t n)
{
    const bool by_default = m->setting.parameter == m->probe.law->n_parameters;
    for (size_t i = 0; i < n; i++) {
        const double v0 = at[i];
        const size_t not_finite = m->probe.not_finite;
        char doing[160];
        snprintf(doing, sizeof doing, "forces, impacts and rates at %g m/s%s", v0,
                 ic_law_setting_text(m->probe.law, &m->setting).text);
        ic_announce_operation(writer, doing);
        if (!ic_law_probe_set(&m->probe, &m->setting, v0)) continue;
        measure_onset(m);
        measure_gap(m);
        measure_continuity(m);
        measure_dissipation(m);
        measure_impact(m, by_default);
        measure_rates(m);
        measure_energy_held(m);
        measure_history(m);
        if (by_default && at == speeds && i == 0) measure_kink(m);
        if (not_finite == 0 && m->probe.not_finite > 0) m->spoilt = m->setting;
    }
}

static void measure_drawn(ic_law_measures *m, ic_finding_writer *writer)
{
    ic_law_setting drawn[MOST_DRAWN] = {{m->probe.law->n_parameters, 0}};
    uint64_t seed = m->probe.seed;
    for (size_t i = 1; i < DRAWN_SPEEDS; i++) drawn[i] = drawn[0];
    const size_t n =
        DRAWN_SPEEDS + ic_law_draw_settings(drawn + DRAWN_SPEEDS, MOST_DRAWN - DRAWN_SPEEDS, DRAWN_VALUES, 1,
                                            m->probe.law, m->probe.parameters.value, &seed);
    for (size_t i = 0; i < n; i++) {
        const double v0 = ic_log_uniform(&seed, speeds[SPEEDS - 2], speeds[SPEEDS - 1]);
        m->setting = drawn[i];
        measure_setting(m, writer, &v0, 1);
    }
}

void ic_law_measure_all(ic_law_measures *m, ic_finding_writer *writer)
{
    ic_law_setting settings[IC_MOST_LAW_SETTINGS];
    m->begins = NAN;
    m->n_settings = ic_law_settings(settings, m->probe.law, m->probe.parameters.value);
    m->history_unused = m->probe.law->update != NULL;
    ic_announce_operation(writer, "impacts one after another");
    measure_memory(m);
    for (size_t i = 0; i < m->n_settings; i++) {
        m->setting = settings[i];
        measure_setting(m, writer, i == 0 ? speeds : speeds_set, i == 0 ? SPEEDS : SPEEDS_SET);
    }
    measure_drawn(m, writer);
    m->setting = settings[0];
    ic_law_probe_set(&m->probe, &settings[0], 1);
    if (m->history_unused) note_worst(m, IC_OF_HISTORY, 1, NAN, NAN);
    measure_memory(m);
    ic_announce_operation(writer, "many calls at one place");
    ic_law_calls_end(&m->calls, &m->probe);
    m->pulls = ic_law_probe_force(&m->probe, m->probe.d0, 0) < 0 &&
               ic_law_probe_force(&m->probe, 0.1 * m->probe.d0, 0) < 0;
}

/* ---- parameters without effect */

/* Whether answers at this setting differ from those at the defaults. */
static bool has_effect(ic_law_probe *p, const ic_law_setting *setting, const ic_law_setting *defaults)
{
    enum { PLACES = 72 };
    double answer[2][2 * PLACES + 4] = {{0}};
    const ic_law *l = p->law;
    for (int k = 0; k < 2; k++) {
        /* at the same places */
        if (!ic_law_probe_set(p, k == 0 ? defaults : setting, 1)) return true;
        double *other = answer[k] + 2 * (size_t)PLACES;
        if (l->remember != NULL) other[0] = p->memory;
        if (l->stored_energy != NULL) other[1] = l->stored_energy(1e-3, p->set);
        if (l->reach != NULL) other[2] = l->reach(1, p->set);
        if (l->kink != NULL) other[3] = l->kink(0.5, p->set);
        for (int i = 0; i < PLACES; i++) {
            /* deeper than before, and once more from a depth twice that */
            const double d = pow(10, -9 + 0.4 * (double)(i - i % 3) / 3), v = (i % 3 - 1) * 0.7;
            answer[k][i] = ic_law_probe_force(p, d, v);
            ic_law_probe_note(p, 2 * d, 0);
            answer[k][PLACES + i] = ic_law_probe_force(p, d, v);
        }
    }
    bool effect = false;
    for (int i = 0; i < 2 * PLACES + 4; i++)
        effect = effect || (answer[0][i] != answer[1][i] && !(isnan(answer[0][i]) && isnan(answer[1][i])));
    return effect;
}

size_t ic_law_find_idle(ic_law_probe *p)
{
    ic_law_setting settings[IC_MOST_LAW_SETTINGS];
    const size_t n = ic_law_settings(settings, p->law, p->parameters.value), not_finite = p->not_finite;
    size_t idle = p->law->n_parameters;
    for (size_t i = 1; i < n && idle == p->law->n_parameters;) {
        const size_t parameter = settings[i].parameter;
        bool effect = false;
        for (; i < n && settings[i].parameter == parameter; i++)
            effect = effect || has_effect(p, &settings[i], &settings[0]);
        if (!effect) idle = parameter;
    }
    ic_law_probe_set(p, &settings[0], 1);
    p->not_finite = not_finite;
    return idle;
}
