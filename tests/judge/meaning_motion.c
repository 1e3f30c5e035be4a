/* SPDX-License-Identifier: MIT */
/*
 * The motion of a machine from its trees. Where a rate jumps, it is replaced by its mean over a short segment of a fixed
 * direction about the state:
 *
 *     f_w(z) = 1/2 int_-1^1 f(z + w s d) ds,   z = (x, t),
 *
 * which is a convex combination of rates nearby. If the motion in Filippov's sense is unique, that of f_w tends to it as
 * w -> 0. This is a stiff, continuous equation, which Rodas4 solves (Hairer and Wanner, Solving ODEs II, IV.10). The
 * answer is settled if it does not depend on w, d and small changes of the start.
 */
#include "tests/judge/meaning_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST = MOST_MEANING,
    STAGES = 6,
    MOST_TRIALS = 20000,
    MOST_EVENTS = 500,
    RUNS = 6,
    GUARDS = MEANING_ELEMENTS + MEANING_EVENTS
};

/* Steps at kinks are this many times more accurate. */
#define AT_KINKS 100
/* A state beyond this is not followed. */
#define TOO_FAR 1e3
/* Answers settle if regularisations (changes of the start) make less difference, relative to the scale. */
#define LARGEST_ERROR 1e-3
/* A solver with a relative tolerance of 1e-10, which spends it in each of a hundred steps. */
#define SOLVER_ERROR 1e-8
#define LARGEST_RESPONSE 1e-3
/* A guard whose tangents meet above this within a step does not touch 0. */
#define NEAR_DIP 1e-4

typedef meaning_run run;

/* ---- formulas */

typedef struct point {
    const meaning_machine *m;
    const double *z;
    double kinks[MEANING_KINKS];
} point;

static double value(point *p, int root)
{
    const meaning_node *n = &p->m->nodes[root];
    if (n->op == MEANING_CONSTANT) return n->value;
    if (n->op == MEANING_STATE) return p->z[n->a];
    if (n->op == MEANING_TIME) return p->z[p->m->n_states];
    const double a = value(p, n->a);
    if (n->op == MEANING_SIN) return sin(a);
    if (n->op == MEANING_COS) return cos(a);
    if (n->op >= MEANING_ABS && n->op <= MEANING_STEP) {
        p->kinks[n->kink] = a;
        return n->op == MEANING_ABS ? fabs(a) : n->op == MEANING_SIGN ? (a > 0) - (a < 0) : a >= 0;
    }
    const double b = value(p, n->b);
    if (n->kink >= 0) p->kinks[n->kink] = a - b;
    switch (n->op) {
    case MEANING_ADD: return a + b;
    case MEANING_SUBTRACT: return a - b;
    case MEANING_MULTIPLY: return a * b;
    case MEANING_MIN: return a < b ? a : b;
    case MEANING_MAX: return a > b ? a : b;
    case MEANING_LESS: return a < b;
    case MEANING_LESS_EQUAL: return a <= b;
    case MEANING_GREATER: return a > b;
    case MEANING_GREATER_EQUAL: return a >= b;
    case MEANING_AND: return a != 0 && b != 0;
    case MEANING_OR: return a != 0 || b != 0;
    default: break;
    }
    const double c = value(p, n->c);
    return a != 0 ? b : c;
}

/* Adds a multiple of the rates at a point. */
static void add_rates(const run *r, point *p, const double *z, double factor, double *f)
{
    p->m = r->m;
    p->z = z;
    for (int i = 0; i < r->m->n_states; i++) f[i] += factor * value(p, r->m->rates[r->mode][i]);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* f_w(z) without elements. Returns whether the segment crosses a kink. */
static bool free_rates(const run *r, const double *z, double *f)
{
    point low = {.m = r->m}, high = {.m = r->m};
    double ends[2][MOST], cuts[MEANING_KINKS + 2], f_low[MOST] = {0}, f_high[MOST] = {0};
    int n_cuts = 1;
    for (int i = 0; i < r->n; i++) {
        ends[0][i] = z[i] - r->width * r->direction[i];
        ends[1][i] = z[i] + r->width * r->direction[i];
    }
    add_rates(r, &low, ends[0], 1, f_low);
    add_rates(r, &high, ends[1], 1, f_high);
    for (int k = 0; k < r->m->n_kinks; k++) {
        const double a = low.kinks[k], b = high.kinks[k];
        if ((a < 0) != (b < 0)) cuts[n_cuts++] = a / (a - b);
    }
    cuts[0] = 0;
    cuts[n_cuts] = 1;
    qsort(cuts + 1, (size_t)n_cuts - 1, sizeof *cuts, ascending);
    for (int i = 0; i < r->m->n_states; i++) f[i] = n_cuts == 1 ? (f_low[i] + f_high[i]) / 2 : 0;
    for (int k = 0; k < n_cuts && n_cuts > 1; k++) {
        double middle[MOST];
        const double s = (cuts[k] + cuts[k + 1]) / 2;
        if (cuts[k + 1] <= cuts[k]) continue;
        for (int i = 0; i < r->n; i++) middle[i] = ends[0][i] + s * (ends[1][i] - ends[0][i]);
        add_rates(r, &low, middle, cuts[k + 1] - cuts[k], f);
    }
    for (int i = 0; i < r->m->n_states; i++)
        if (r->m->n_bodies == 0 || i % 2 == 1) f[i] += r->growth * z[i];
    f[r->n - 1] = 1;
    return n_cuts > 1;
}

static bool mean_rates(const run *r, const double *z, double *f)
{
    double forces[MEANING_ELEMENTS];
    const bool is_cut = free_rates(r, z, f);
    meaning_add_forces(r, z, f, forces);
    return is_cut;
}

void meaning_forces(const meaning_run *r, const double *z, double *forces)
{
    double f[MOST];
    free_rates(r, z, f);
    meaning_add_forces(r, z, f, forces);
}

/* ---- a step of Rodas4 of (x, t) */

static const double gamma_0 = 0.25;
static const double a_of[STAGES][STAGES] = {
    {0},
    {1.544},
    {0.9466785280815826, 0.2557011698983284},
    {3.314825187068521, 2.896124015972201, 0.9986419139977817},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950},
    {1.221224509226641, 6.019134481288629, 12.53708332932087, -0.6878860361058950, 1}};
static const double c_of[STAGES][STAGES] = {
    {0},
    {-5.6688},
    {-2.430093356833875, -0.2063599157091915},
    {-0.1073529058151375, -9.594562251023355, -20.47028614809616},
    {7.496443313967647, -10.24680431464352, -33.99990352819905, 11.70890893206160},
    {8.083246795921522, -7.981132988064893, -31.52159432874371, 16.31930543123136, -6.058818238834054}};

bool meaning_solve(int n, int n_right, double a[][2 * MOST], double least)
{
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(a[i][k]) > fabs(a[best][k])) best = i;
        if (!(fabs(a[best][k]) > least)) return false;
        const double pivot = a[best][k];
        for (int j = k; j < n + n_right; j++) {
            const double now = a[best][j] / pivot;
            a[best][j] = a[k][j];
            a[k][j] = now;
        }
        for (int i = 0; i < n; i++) {
            const double part = a[i][k];
            for (int j = k; j < n + n_right && i != k; j++) a[i][j] -= part * a[k][j];
        }
    }
    return true;
}

/* The inverse of 1/(h gamma) - df/dz, beside the unit matrix. */
static bool step_matrix(const run *r, double h, const double *z, double w[MOST][2 * MOST])
{
    double f[MOST], g[MOST], y[MOST];
    const double change = r->width / 2048;
    mean_rates(r, z, f);
    for (int j = 0; j < r->n; j++) {
        memcpy(y, z, sizeof y);
        y[j] = z[j] + change;
        mean_rates(r, y, g);
        for (int i = 0; i < r->n; i++) {
            w[i][j] = (i == j) / (h * gamma_0) - (g[i] - f[i]) / (y[j] - z[j]);
            w[i][r->n + j] = i == j;
        }
    }
    return meaning_solve(r->n, r->n, w, 0);
}

double meaning_step(const meaning_run *r, double h, const double *z, double *next)
{
    double w[MOST][2 * MOST], u[STAGES][MOST] = {{0}}, error = 0;
    bool is_cut = false;
    if (!step_matrix(r, h, z, w)) return 1e9;
    for (int s = 0; s < STAGES; s++) {
        double y[MOST], f[MOST];
        memcpy(y, z, sizeof y);
        for (int j = 0; j < s; j++)
            for (int i = 0; i < r->n; i++) y[i] += a_of[s][j] * u[j][i];
        if (mean_rates(r, y, f)) is_cut = true;
        for (int j = 0; j < s; j++)
            for (int i = 0; i < r->n; i++) f[i] += c_of[s][j] / h * u[j][i];
        for (int i = 0; i < r->n; i++)
            for (int j = 0; j < r->n; j++) u[s][i] += w[i][r->n + j] * f[j];
        for (int i = 0; i < r->n; i++) next[i] = y[i] + u[s][i];
    }
    for (int i = 0; i < r->n; i++) error = fmax(error, fabs(u[STAGES - 1][i]));
    /* the matrix hides errors within the width of a kink */
    return isfinite(error) ? error / r->tolerance * (is_cut ? AT_KINKS : 1) : 1e9;
}

/* ---- runs */

/* The guard of an event, positive where it has not fired. */
static double event_guard(const run *r, int k, const double *z)
{
    point p = {.m = r->m, .z = z};
    return value(&p, r->m->events[k].guard) * (r->m->events[k].rises ? -1 : 1);
}

/* Finds the guards of elements and events; a guard that nothing watches is 1. */
static void find_guards(const run *r, const double *z, double *guards)
{
    for (int k = 0; k < GUARDS; k++) guards[k] = 1;
    meaning_guards(r, z, guards);
    for (int k = 0; k < r->m->n_events; k++)
        if (r->is_armed[k]) guards[MEANING_ELEMENTS + k] = event_guard(r, k, z);
}

static double least_guard(const run *r, const double *z)
{
    double guards[GUARDS], least = 1;
    find_guards(r, z, guards);
    for (int k = 0; k < GUARDS; k++) least = fmin(least, guards[k]);
    return least;
}

/* Guards and their rates at a place, by a difference over a time. */
static void find_slopes(const run *r, const double *z, double over, double *guards, double *slopes)
{
    double f[MOST], y[MOST], moved[GUARDS];
    mean_rates(r, z, f);
    for (int i = 0; i < r->n; i++) y[i] = z[i] + over * f[i];
    find_guards(r, z, guards);
    find_guards(r, y, moved);
    for (int k = 0; k < GUARDS; k++) slopes[k] = (moved[k] - guards[k]) / over;
}

/*
 * A time within a step h at which a guard is negative that is not so at its ends; h: there is none. Where a guard falls, then
 * rises, and its tangents meet below 0, its least value is found by golden sections.
 */
static double find_dip(const run *r, double h, const double *z, const double *next)
{
    double at[2][GUARDS], slopes[2][GUARDS], y[MOST];
    find_slopes(r, z, 1e-4 * h, at[0], slopes[0]);
    find_slopes(r, next, -1e-4 * h, at[1], slopes[1]);
    for (int k = 0; k < GUARDS; k++) {
        const double a = slopes[0][k], b = slopes[1][k], meet = (at[1][k] - at[0][k] - b * h) / (a - b);
        if (!(a < 0 && b > 0) || at[0][k] + a * meet > NEAR_DIP) continue;
        double low = 0, high = h, least[2] = {INFINITY, INFINITY};
        for (int i = 0; i < 30; i++) {
            for (int side = 0; side < 2; side++) {
                double guards[GUARDS];
                const double part = side == 0 ? 0.381966 : 0.618034, now = low + part * (high - low);
                meaning_step(r, now, z, y);
                find_guards(r, y, guards);
                least[side] = guards[k];
                if (guards[k] < 0) return now;
            }
            if (least[0] < least[1]) high = low + 0.618034 * (high - low);
            else low += 0.381966 * (high - low);
        }
    }
    return h;
}

static void fire(run *r, double *z)
{
    point p = {.m = r->m, .z = z};
    for (int k = 0; k < r->m->n_events; k++) {
        const meaning_event *e = &r->m->events[k];
        if (!r->is_armed[k] || event_guard(r, k, z) > 0) continue;
        r->is_armed[k] = false;
        if (e->condition >= 0 && value(&p, e->condition) == 0) continue;
        if (e->state >= 0) z[e->state] = value(&p, e->value);
        r->mode = e->next;
        if (++r->events > MOST_EVENTS) r->failure = "too many events";
        memset(r->is_armed, 0, sizeof r->is_armed);
        return;
    }
}

/* Ends a step where an event fires, or an element changes its state, and lets it do so. */
static void take_event(run *r, double h, double *z)
{
    double next[MOST], low = 0, high = h, at_low = least_guard(r, z);
    meaning_step(r, high, z, next);
    double at_high = least_guard(r, next);
    for (int i = 0; i < 60 && at_low > 0 && high - low > 1e-15 && at_high < 0; i++) {
        /* bisection every third time, otherwise false position */
        const double part = i % 3 == 2 ? 0.5 : fmin(0.999, fmax(0.001, at_low / (at_low - at_high)));
        const double middle = low + part * (high - low);
        meaning_step(r, middle, z, next);
        const double g = least_guard(r, next);
        if (g <= 0) high = middle, at_high = g;
        else low = middle, at_low = g;
    }
    meaning_step(r, high, z, next);
    memcpy(z, next, sizeof next);
    r->last = z[r->n - 1];
    fire(r, z);
    meaning_decide(r, z);
}

/* Events of the mode whose guards are on the side from which they fire. */
static void arm_events(run *r, const double *z)
{
    for (int k = 0; k < r->m->n_events; k++)
        if (r->m->events[k].mode == r->mode && event_guard(r, k, z) > 1e-9) r->is_armed[k] = true;
}

static void follow(run *r, double *z)
{
    const double end = r->m->end, longest = end / (r->m->n_bodies > 0 ? 400 : 100);
    double h = 1e-8 * end;
    meaning_decide(r, z);
    while (z[r->n - 1] < end && r->failure == NULL) {
        double next[MOST];
        const double left = end - z[r->n - 1], now = fmin(h, left);
        const double error = meaning_step(r, now, z, next);
        h = fmin(longest, now * fmin(5, fmax(0.1, 0.9 * pow(error + 1e-9, -0.25))));
        arm_events(r, z);
        const bool is_good = error <= 1, is_event = is_good && least_guard(r, next) < 0;
        const double dip = is_good && !is_event ? find_dip(r, now, z, next) : now;
        if (is_event || dip < now) {
            take_event(r, dip, z);
            h = 1e-8 * end;
        } else if (is_good) {
            memcpy(z, next, sizeof next);
            if (now == left) z[r->n - 1] = end;
        }
        for (int i = 0; i < r->m->n_states; i++) r->largest = fmax(r->largest, fabs(z[i]));
        if (++r->trials > MOST_TRIALS || h < 1e-14 * end) r->failure = "too many steps";
        if (r->largest > TOO_FAR) r->failure = "too far";
    }
}

/* A run: two regularisations, starts that are changed by 1e-6 or -1e-6, and errors of a solver. */
static void start_run(run *r, const meaning_machine *m, int number, double *z)
{
    static const double signs[RUNS][3] = {{1, 0.6, 0.8},  {0.7, -1, 0.5}, {1, 0.9, -0.6},
                                          {-0.8, 1, 0.7}, {0.7, -1, 0.5}, {0.7, -1, 0.5}};
    *r = (run){.m = m,
               .n = m->n_states + 1,
               .width = number == 0 ? 1e-7 : 2e-8,
               .tolerance = number == 0 ? 1e-8 : 1e-9,
               .slow = number == 0 ? 4e-6 : 1e-6,
               .growth = (number < 4    ? 0
                          : number == 4 ? 1
                                        : -1) *
                         SOLVER_ERROR / m->end,
               .largest = 1};
    const double change = number == 2 ? 1e-6 : number == 3 ? -1e-6 : 0;
    for (int i = 0; i < r->n; i++) r->direction[i] = signs[number][i % 3];
    for (int i = 0; i < m->n_states; i++) z[i] = m->starts[i] + change * signs[0][i % 3];
    z[m->n_states] = 0;
}

static double difference(const meaning_machine *m, const double *a, const double *b)
{
    double most = 0;
    for (int i = 0; i < m->n_states; i++) most = fmax(most, fabs(a[i] - b[i]));
    return most;
}

static void compare_runs(meaning_answer *a, const meaning_machine *m, double z[RUNS][MOST])
{
    const double response = fmax(difference(m, z[1], z[2]), difference(m, z[1], z[3]));
    const double of_solvers = fmax(difference(m, z[1], z[4]), difference(m, z[1], z[5]));
    a->error = 5 * difference(m, z[0], z[1]) + response / 10 + of_solvers + 1e-7;
    if (a->error > LARGEST_ERROR * a->scale) a->why = "regularisations differ";
    else if (response > LARGEST_RESPONSE * a->scale) a->why = "a change of the start has a large effect";
    else a->is_settled = true;
}

void meaning_simulate(meaning_answer *answer, const meaning_machine *machine)
{
    double z[RUNS][MOST] = {{0}};
    const clock_t begin = clock();
    *answer = (meaning_answer){.scale = 1};
    for (int i = 0; i < RUNS && answer->why == NULL; i++) {
        run r;
        start_run(&r, machine, i, z[i]);
        follow(&r, z[i]);
        answer->scale = fmax(answer->scale, r.largest);
        answer->last = fmax(answer->last, r.last);
        answer->why = r.failure;
    }
    memcpy(answer->x, z[1], (size_t)machine->n_states * sizeof(double));
    if (answer->why == NULL) compare_runs(answer, machine, z);
    answer->seconds = (double)(clock() - begin) / CLOCKS_PER_SEC;
}
