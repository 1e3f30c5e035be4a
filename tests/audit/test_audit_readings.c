/* SPDX-License-Identifier: MIT */
/**
 * Audit of trajectories: rows of a ball that were written wrongly, come from time-stepping schemes,
 * or have single wrong impacts. The first cause named must be the mistake that was made.
 */
#include "tests/audit/audited.h"
#include "tests/tests.h"

IC_SUITE(audits, "audit of trajectories: readings, schemes, single impacts")

#define G 9.81
#define E 0.9
#define FOOT 0.3048

/* The ball whose rows are put in place of those of the run. */
typedef struct ball {
    /* m, m/s */
    double x, v;

    /* so far */
    int impacts;
} ball;

typedef double restitution_of(int impact, double speed);
typedef void step_of(ball *b, double h);

static ic_mistake_id first_cause(const audited *a)
{
    for (size_t i = 0; i < a->audit.findings.count; i++) {
        const ic_finding *f = &a->audit.findings.rows[i];
        if (f->verdict == IC_FINDING_FAIL && f->cause != IC_NO_MISTAKE) return f->cause;
    }
    return IC_NO_MISTAKE;
}

static void expect(audited *a, const char *what, ic_mistake_id wanted)
{
    audited_judge(a, 0);
    const ic_mistake_id found = first_cause(a);
    IC_EXPECT(found == wanted, "%s: '%s' in place of '%s'", what, ic_mistake_name(found),
              ic_mistake_name(wanted));
    audited_close(a);
}

/* ---- rows of the case, written otherwise */

static void slow_clock(ic_trajectory *tr)
{
    for (size_t i = 0; i < tr->n; i++) tr->t[i] *= 1.001;
}

static void shift_column(ic_trajectory *tr, size_t j)
{
    for (size_t i = tr->n; i-- > 1;) tr->x[2 * i + j] = tr->x[2 * (i - 1) + j];
}

static void late_position(ic_trajectory *tr)
{
    shift_column(tr, 0);
}

static void late_velocity(ic_trajectory *tr)
{
    shift_column(tr, 1);
}

static void late_rows(ic_trajectory *tr)
{
    shift_column(tr, 0);
    shift_column(tr, 1);
}

static void staggered(ic_trajectory *tr)
{
    for (size_t i = 0; i < tr->n; i++) tr->x[2 * i + 1] += G * 0.5 * (tr->t[1] - tr->t[0]);
}

static void scale(ic_trajectory *tr, double t, double x, double v)
{
    for (size_t i = 0; i < tr->n; i++) {
        tr->t[i] *= t;
        tr->x[2 * i] *= x;
        tr->x[2 * i + 1] *= v;
    }
}

static void feet(ic_trajectory *tr)
{
    scale(tr, 1, 1 / FOOT, 1 / FOOT);
}

static void milli(ic_trajectory *tr)
{
    scale(tr, 1e3, 1e3, 1e3);
}

static void milliseconds(ic_trajectory *tr)
{
    scale(tr, 1e3, 1, 1);
}

IC_TEST(test_readings)
{
    static const struct reading {
        const char *what;
        void (*write)(ic_trajectory *tr);
        ic_mistake_id mistake;
    } readings[] = {
        {"a clock 0.1 % fast", slow_clock, IC_MISTAKE_CLOCK_WRONG},
        {"positions a row late", late_position, IC_MISTAKE_STALE_STATE},
        {"velocities a row late", late_velocity, IC_MISTAKE_STALE_STATE},
        {"all a row late", late_rows, IC_MISTAKE_STALE_STATE},
        {"velocities half a row early", staggered, IC_MISTAKE_VELOCITY_STAGGERED},
        {"feet", feet, IC_MISTAKE_UNITS_MIXED},
        {"ms, mm, mm/s", milli, IC_MISTAKE_UNITS_MIXED},
        {"ms", milliseconds, IC_MISTAKE_UNITS_MIXED},
    };
    for (size_t i = 0; i < IC_COUNT(readings); i++) {
        audited a;
        audited_open(&a, "bouncing-ball/lively", "3", 301);
        readings[i].write(&a.rows);
        expect(&a, readings[i].what, readings[i].mistake);
    }
}

/* ---- other motions of the ball */

static void fill(audited *a, step_of *step, int steps)
{
    ic_trajectory *tr = &a->rows;
    ball b = {.x = 1};
    for (size_t i = 0; i < tr->n; i++) {
        tr->x[2 * i] = b.x;
        tr->x[2 * i + 1] = b.v;
        for (int s = 0; s < steps && i + 1 < tr->n; s++) step(&b, (tr->t[i + 1] - tr->t[i]) / steps);
    }
}

static void moreau(ball *b, double h)
{
    double u = b->v - G * h;
    if (b->x + 0.5 * h * b->v <= 0) u = fmax(u, -E * b->v);
    b->x += 0.5 * h * (b->v + u);
    b->v = u;
}

static void moreau_projected(ball *b, double h)
{
    moreau(b, h);
    b->x = fmax(b->x, 0);
}

static void at_the_end(ball *b, double h)
{
    b->x += b->v * h - 0.5 * G * h * h;
    b->v -= G * h;
    if (b->x < 0 && b->v < 0) b->v *= -E;
}

/* The time of an impact by one linear interpolation. */
static void on_chord(ball *b, double h)
{
    const double x = b->x + b->v * h - 0.5 * G * h * h;
    if (x >= 0) {
        b->x = x;
        b->v -= G * h;
        return;
    }
    const double hit = h * b->x / (b->x - x), rest = h - hit, v = -E * (b->v - G * hit);
    b->x = v * rest - 0.5 * G * rest * rest;
    b->v = v - G * rest;
}

static void step_with(ball *b, double h, restitution_of *e)
{
    while (h > 0) {
        if (b->x == 0 && b->v == 0) return;
        const double x = b->x + b->v * h - 0.5 * G * h * h;
        if (x >= 0) {
            b->x = x;
            b->v -= G * h;
            return;
        }
        const double hit = (b->v + sqrt(b->v * b->v + 2 * G * b->x)) / G, v = G * hit - b->v;
        b->x = 0;
        b->v = e(++b->impacts, v) * v;
        h -= hit;
    }
}

static double third_weak(int impact, double speed)
{
    (void)speed;
    return impact % 3 == 0 ? 0.6 : E;
}

static double none_below(int impact, double speed)
{
    (void)impact;
    return speed < 3.5 ? 0 : E;
}

static void step_third_weak(ball *b, double h)
{
    step_with(b, h, third_weak);
}

static void step_threshold(ball *b, double h)
{
    step_with(b, h, none_below);
}

/* Drag of 2 % of the square of the velocity, by small steps. */
static void step_drag(ball *b, double h)
{
    enum { PARTS = 100 };
    for (int i = 0; i < PARTS; i++) {
        const double v = b->v - h / PARTS * (G + 0.02 * b->v * fabs(b->v));
        b->x += 0.5 * h / PARTS * (b->v + v);
        b->v = b->x < 0 && v < 0 ? -E * v : v;
    }
}

IC_TEST(test_motions)
{
    static const struct motion {
        const char *what;
        step_of *step;
        int steps;
        size_t rows;
        ic_mistake_id mistake;
    } motions[] = {
        {"Moreau-Jean", moreau, 1, 601, IC_MISTAKE_COARSE_STEPS},
        {"Moreau-Jean with projection, two steps for each row", moreau_projected, 2, 601,
         IC_MISTAKE_COARSE_STEPS},
        {"impacts at the ends of steps", at_the_end, 5, 601, IC_MISTAKE_NO_EVENT_LOCATION},
        {"impacts on a chord", on_chord, 1, 151, IC_MISTAKE_LINEAR_EVENT_LOCATION},
        {"each third impact weak", step_third_weak, 1, 601, IC_MISTAKE_IMPACTS_UNEQUAL},
        {"no restitution below a speed", step_threshold, 1, 601, IC_MISTAKE_RESTITUTION_THRESHOLD},
        {"drag", step_drag, 1, 601, IC_MISTAKE_DRAG_ADDED},
    };
    for (size_t i = 0; i < IC_COUNT(motions); i++) {
        audited a;
        audited_open(&a, "bouncing-ball/lively", "3", motions[i].rows);
        fill(&a, motions[i].step, motions[i].steps);
        expect(&a, motions[i].what, motions[i].mistake);
    }
}
