/* SPDX-License-Identifier: MIT */
/**
 * Events within a step, without any solver: sign changes of a polynomial through the values of a
 * guard, and the first crossing of several guards.
 */
#include "core/step_events.h"
#include "tests/tests.h"

IC_SUITE(light, "events within a step")

/* Sign changes of polynomials with known roots, from as many values as a solver evaluates of its
   guards. */
static double product_of_roots(double s, const double *roots, int n)
{
    double value = 1;
    for (int i = 0; i < n; i++) value *= s - roots[i];
    return value;
}

static int count_changes(const double *roots, int n, int nodes, ic_arming arming, ic_sign_change *changes,
                         bool *grazes)
{
    double values[IC_STEP_MOST_NODES];
    int last = 0;
    for (int k = 0; k < nodes; k++) values[k] = product_of_roots(k / (double)(nodes - 1), roots, n);
    return ic_sign_changes(changes, values, nodes, arming, &last, grazes);
}

/* Whether the changes found enclose these places, in this order; if not, prints both. */
static bool encloses(const char *what, int nodes, const ic_sign_change *changes, int found,
                     const double *places, int n)
{
    bool same = found == n;
    for (int i = 0; i < n && same; i++) same = changes[i].low <= places[i] && places[i] <= changes[i].high;
    if (same) return true;
    printf("\n  %s, %d nodes: found %d sign changes:", what, nodes, found);
    for (int i = 0; i < found; i++)
        printf(" [%.9g, %.9g] to %+d", changes[i].low, changes[i].high, changes[i].to);
    printf("; expected %d:", n);
    for (int i = 0; i < n; i++) printf(" %.9g", places[i]);
    printf("\n");
    return false;
}

/* Whether a sign change passes to this side; if not, prints both. */
static bool passes_to(const char *what, int nodes, const ic_sign_change *change, int to)
{
    if (change->to == to) return true;
    printf("\n  %s, %d nodes: found a change to %+d, expected one to %+d\n", what, nodes, change->to, to);
    return false;
}

IC_TEST(test_sign_changes)
{
    ic_sign_change changes[IC_STEP_MOST_NODES] = {{0}};
    bool grazes = false;
    static const double four[] = {0.1, 0.10001, 0.6, 0.97}, pair[] = {0.3, 0.300001}, touch[] = {0.4, 0.4};
    static const double start_and_end[] = {0, 0.5, 1.0}, outside[] = {-0.1, 1.1}, triple[] = {0, 0, 0, 0.8};
    for (int nodes = 5; nodes <= IC_STEP_MOST_NODES; nodes++) {
        const ic_arming above = {.side = 1}, below = {.side = -1};
        int n = count_changes(four, 4, nodes, above, changes, &grazes);
        CU_ASSERT(encloses("four roots", nodes, changes, n, four, 4));
        n = count_changes(pair, 2, nodes, above, changes, &grazes);
        CU_ASSERT(encloses("a pair", nodes, changes, n, pair, 2));
        CU_ASSERT_FALSE(grazes);
        /* none, or a pair */
        n = count_changes(touch, 2, nodes, above, changes, &grazes);
        IC_EXPECT(n % 2 == 0, "a touch, %d nodes: found %d sign changes, expected 0 or 2", nodes, n);
        n = count_changes(outside, 2, nodes, below, changes, &grazes);
        CU_ASSERT(encloses("roots outside", nodes, changes, n, NULL, 0));
        /* zero at the start, disarmed: only the root inside; the one at the end is left to the next
           step */
        const ic_arming disarmed = {.side = 1, .order = 1}, unknown = {.side = 0, .order = 1};
        n = count_changes(start_and_end, 3, nodes, disarmed, changes, &grazes);
        CU_ASSERT(encloses("disarmed at the start", nodes, changes, n, &start_and_end[1], 1));
        CU_ASSERT(passes_to("disarmed at the start", nodes, &changes[0], -1));
        /* a triple zero at the start, divided out */
        const ic_arming departing = {.side = -1, .order = 3};
        n = count_changes(triple, 4, nodes, departing, changes, &grazes);
        CU_ASSERT(encloses("a triple zero at the start", nodes, changes, n, &triple[3], 1));
        CU_ASSERT(passes_to("a triple zero at the start", nodes, &changes[0], 1));
        CU_ASSERT_FALSE(changes[0].to == -1); /* planted */
        /* side unknown: the start itself counts */
        n = count_changes(start_and_end, 3, nodes, unknown, changes, &grazes);
        CU_ASSERT(encloses("the side at the start unknown", nodes, changes, n, start_and_end, 2));
    }
}

/* Values on one side of zero between two of which the polynomial dips below zero: the worst such
   values, raised so that it has two roots, and none. For values that are alternately 0 and 1 in the
   worst order, the dip is (L - 1)/2, L the Lebesgue constant. */
/* The constants have four decimals; the maximum over this many places is closer to the exact
   one. */
enum { PLACES = 2000 };
#define DECIMALS 1e-4

static double basis_at(int degree, int j, double at)
{
    double value = 1;
    for (int k = 0; k <= degree; k++) {
        if (k != j) value *= (at * degree - k) / (j - k);
    }
    return value;
}

/* Values 0 and 1 for which the polynomial dips deepest; returns the depth. */
static double deepest_dip(double *bump, int degree)
{
    double lowest = 0;
    for (int place = 1; place < PLACES; place++) {
        double sum = 0, shape[IC_STEP_MOST_NODES] = {0};
        for (int j = 0; j <= degree; j++) {
            const double basis = basis_at(degree, j, (double)place / PLACES);
            shape[j] = basis < 0 ? 1 : 0;
            sum += fmin(basis, 0);
        }
        if (sum < lowest) lowest = sum, memcpy(bump, shape, sizeof shape);
    }
    return -lowest;
}

/* `above`: all values are raised by this fraction of the dip. */
static void expect_roots(int count, const double *bump, int degree, int side, double above)
{
    ic_sign_change changes[IC_STEP_MOST_NODES];
    double values[IC_STEP_MOST_NODES];
    bool grazes = true;
    int last = 0;
    for (int j = 0; j <= degree; j++) values[j] = side * (bump[j] + above);
    const int found = ic_sign_changes(changes, values, degree + 1, (ic_arming){.side = side}, &last, &grazes);
    IC_EXPECT(found == count && last == side && !grazes,
              "a dip at degree %d: found %d sign changes, side %+d at the end%s; expected %d, side %+d", degree,
              found, last, grazes ? ", a pair too close" : "", count, side);
}

IC_TEST(test_dips)
{
    /* of 2 to 7 equal parts */
    static const double lebesgue[] = {1.25, 1.6311, 2.2078, 3.1063, 4.5493, 6.9297};
    for (int degree = 2; degree < IC_STEP_MOST_NODES; degree++) {
        double bump[IC_STEP_MOST_NODES] = {0};
        const double dip = deepest_dip(bump, degree);
        CU_ASSERT_DOUBLE_EQUAL(dip, (lebesgue[degree - 2] - 1) / 2, DECIMALS);
        for (int side = -1; side <= 1; side += 2) {
            expect_roots(2, bump, degree, side, 0.98 * dip);
            expect_roots(0, bump, degree, side, 1.02 * dip);
        }
    }
}

/* As many roots as the degree, all within one step: found from values that determine the degree,
   and not from fewer. */
IC_TEST(test_many_sign_changes)
{
    static const double seven[] = {0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95};
    ic_sign_change changes[IC_STEP_MOST_NODES];
    bool grazes = false;
    const int n = count_changes(seven, 7, 8, (ic_arming){.side = -1}, changes, &grazes);
    CU_ASSERT_FATAL(encloses("seven roots", 8, changes, n, seven, 7));
    for (int i = 0; i < 7; i++) CU_ASSERT(passes_to("seven roots", 8, &changes[i], i % 2 == 0 ? 1 : -1));
    /* planted */
    CU_ASSERT(count_changes(seven, 7, 5, (ic_arming){.side = -1}, changes, &grazes) < 7);
}

/* ---- the first event of a step on which x = t, from 0 to 1 */

IC_TESTS_VALUE(beyond_3, x[0] - 0.3)
IC_TESTS_VALUE(before_3, 0.3 - x[0])
IC_TESTS_VALUE(beyond_6, x[0] - 0.6)
IC_TESTS_VALUE(rising, 1)
IC_TESTS_VALUE(falling, -1)
IC_TESTS_VALUE(only_late, x[0] - 0.5)
IC_TESTS_VALUE(close_pair, (x[0] - 0.4) * (x[0] - 0.401))
IC_TESTS_VALUE(rate_of_pair, 2 * x[0] - 0.801)

/* Above zero for 0.4 -+ 0.08 sqrt(log 2), where none of five values lies. */
IC_TESTS_VALUE(narrow_bump, exp(-pow((x[0] - 0.4) / 0.08, 2)) - 0.5)
IC_TESTS_VALUE(rate_of_bump, -2 * (x[0] - 0.4) / 0.0064 * (narrow_bump(t, x, par) + 0.5))

static void follow_time(void *self, double t, double *x)
{
    (void)self;
    x[0] = t;
}

static void unit_flow(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)x, (void)par;
    *dxdt = 1;
}

#define EVENT_TOL 1e-13

/* The step, and a phase that it belongs to, without workspace for its guards. */
typedef struct time_step {
    double x0, x1, scale, x, scratch;
    ic_options options;
    ic_work work;
    ic_problem problem;
    ic_mode mode;
    ic_phase phase;
    ic_step step;
} time_step;

static void open_time_step(time_step *s, const ic_guard *guards, size_t n_guards, const double *par)
{
    *s = (time_step){.x1 = 1,
                     .scale = 1,
                     .options = {.event_tol = EVENT_TOL, .rtol = 1e-9},
                     .problem = {.par = par},
                     .mode = {.name = "step", .flow = unit_flow, .guards = guards, .n_guards = n_guards}};
    s->phase = (ic_phase){.problem = &s->problem,
                          .options = &s->options,
                          .work = &s->work,
                          .n = 1,
                          .mode = &s->mode,
                          .x = &s->x,
                          .n_watched = n_guards,
                          .scale = &s->scale,
                          .rounded = &s->scale,
                          .time_scale = 1};
    s->step = (ic_step){.t0 = 0,
                        .t1 = 1,
                        .x0 = &s->x0,
                        .x1 = &s->x1,
                        .interpolate = follow_time,
                        .scratch = &s->scratch,
                        .nodes = 5};
}

#define WATCH(direction_, value_, ...)                                                                         \
    {                                                                                                          \
        .name = #value_, .unit = "1", .meaning = "", .direction = direction_, .value = value_, __VA_ARGS__     \
    }

#define RISES(value_) WATCH(+1, value_, .rate = rising)
#define FALLS(value_) WATCH(-1, value_, .rate = rising)
/* where the bump rises through zero */
#define BUMP (0.4 - 0.08 * 0.83255461115769776)

IC_TEST(test_first_event)
{
    static const struct {
        const char *what;
        ic_guard guards[2];

        /* Sides from which the guards come. */
        int sides[2];
        bool curved;

        /* First event, and the guards due; INFINITY: none. */
        double t;
        bool due[2];
    } rows[] = {
        {"one of two crossings is earlier",
         {RISES(beyond_6), RISES(beyond_3)},
         {-1, -1},
         .t = 0.3,
         .due = {[1] = true}},
        {"a crossing in the other direction",
         {WATCH(+1, before_3, .rate = falling), RISES(beyond_6)},
         {1, -1},
         .t = 0.6,
         .due = {[1] = true}},
        {"a crossing that is not enabled",
         {WATCH(0, beyond_3, .rate = rising, .enabled = only_late),
          WATCH(0, beyond_6, .rate = rising, .enabled = only_late)},
         {-1, -1},
         .t = 0.6,
         .due = {[1] = true}},
        {"two crossings at one instant",
         {RISES(beyond_3), WATCH(-1, before_3, .rate = falling)},
         {-1, 1},
         .t = 0.3,
         .due = {true, true}},
        {"a close pair",
         {RISES(beyond_6), WATCH(-1, close_pair, .rate = rate_of_pair)},
         {-1, 1},
         .t = 0.4,
         .due = {[1] = true}},
        {"a narrow bump that is searched in pieces",
         {FALLS(beyond_6), WATCH(+1, narrow_bump, .rate = rate_of_bump)},
         {-1, -1},
         .curved = true,
         .t = BUMP,
         .due = {[1] = true}},
        {"a narrow bump before the first event found",
         {RISES(beyond_6), WATCH(+1, narrow_bump, .rate = rate_of_bump)},
         {-1, -1},
         .t = BUMP,
         .due = {[1] = true}},
        {"no crossing", {FALLS(beyond_3), WATCH(+1, before_3, .rate = falling)}, {-1, 1}, .t = INFINITY},
    };
    static ic_narrow *const narrow[] = {ic_narrow_by_bisection, ic_narrow_by_itp};
    for (size_t i = 0; i < 2 * IC_COUNT(rows); i++) {
        const size_t k = i / 2;
        double t = INFINITY, located[2] = {0};
        bool due[2] = {false, false}, curved[2] = {rows[k].curved, rows[k].curved};
        int arrival[2] = {0};
        ic_arming arming[2] = {{.side = rows[k].sides[0]}, {.side = rows[k].sides[1]}};
        time_step s;
        open_time_step(&s, rows[k].guards, 2, NULL);
        s.phase.arming = arming;
        s.phase.due = due;
        s.phase.curved = curved;
        s.phase.located = located;
        s.phase.arrival = arrival;
        s.step.narrow = narrow[i % 2];
        CU_ASSERT_EQUAL(ic_step_first_event(&s.phase, &s.step, &t), IC_OK);
        const bool none = rows[k].t == INFINITY;
        bool found = none ? s.phase.fired == -1 : s.phase.fired >= 0 && fabs(t - rows[k].t) <= 4 * EVENT_TOL;
        if (!none) found = found && due[0] == rows[k].due[0] && due[1] == rows[k].due[1];
        IC_EXPECT(found, "%s, by %s: found guard %d at t = %.15g, due: %d, %d; expected t = %.15g, due: %d, %d",
                  rows[k].what, i % 2 == 0 ? "bisection" : "ITP", s.phase.fired, t, due[0], due[1], rows[k].t,
                  rows[k].due[0], rows[k].due[1]);
        CU_ASSERT_FALSE(fabs(t + 1e-9 - rows[k].t) <= 4 * EVENT_TOL); /* planted */
    }
}

/* ---- guards that stay clear, and the end of a step */

/* A dip of depth par[0] below 1 in the middle of the step, level and at 1 at both ends. */
#define DIP 0.9
IC_TESTS_VALUE(dip_value, 1 - 16 * par[0] * t * t * (1 - t) * (1 - t))
IC_TESTS_VALUE(dip_rate, -32 * par[0] * t * (1 - t) * (1 - 2 * t))

/* A guard that leaves zero upwards and returns to `par[0]` at the end: t (1 - t) + par[0] t. */
IC_TESTS_VALUE(hop_value, t *(1 - t) + par[0] * t)
IC_TESTS_VALUE(hop_rate, 1 - 2 * t + par[0])

/* Workspace of a step with two guards, for ic_step_find_event. */
typedef struct guard_arrays {
    ic_arming arming[2];
    ic_guard_end ends[2];
    double located[2];
    int arrival[2];
    bool curved[2], clear[2], due[2];
} guard_arrays;

static ic_status find_event(time_step *s, guard_arrays *a, int n_probes, double *t)
{
    ic_clearance clearance = ic_clearance_by_thirds;
    clearance.n_probes = clearance.n_far = n_probes;
    clearance.x = clearance.at;
    clearance.stride = 1;
    s->phase.arming = a->arming;
    s->phase.ends = a->ends;
    s->phase.located = a->located;
    s->phase.arrival = a->arrival;
    s->phase.curved = a->curved;
    s->phase.clear = a->clear;
    s->phase.due = a->due;
    s->step.narrow = ic_narrow_by_itp;
    for (int i = 0; i < 2; i++) a->ends[i].t = NAN;
    return ic_step_find_event(&s->phase, &s->step, &clearance, t);
}

/*
 * A guard is clear if its cubic and the probes show it; values and rates at the ends alone do not show a dip.
 */
IC_TEST(test_clear_guards)
{
    static const struct {
        const char *what;
        ic_guard guard;
        ic_arming arming;
        double par;
        int n_probes;
        bool clear;
    } rows[] = {
        {"a dip of nothing", {.value = dip_value, .rate = dip_rate}, {.side = 1}, 0, 2, true},
        {"a dip below zero", {.value = dip_value, .rate = dip_rate}, {.side = 1}, 1.1, 2, false},
        {"a dip that nearly touches", {.value = dip_value, .rate = dip_rate}, {.side = 1}, DIP, 2, false},
        {"a dip without probes (planted)", {.value = dip_value, .rate = dip_rate}, {.side = 1}, 1.1, 0, true},
        {"on the other side", {.value = dip_value, .rate = dip_rate}, {.side = -1}, 0, 2, false},
        {"a departure", {.value = hop_value, .rate = hop_rate}, {.side = 1, .order = 1}, 0.5, 2, true},
        {"a return", {.value = hop_value, .rate = hop_rate}, {.side = 1, .order = 1}, -0.5, 2, false},
        {"a departure to an unknown side", {.value = hop_value, .rate = hop_rate}, {.order = 1}, 0.5, 2, false},
        {"a departure without a rate",
         {.value = hop_value, .rate = hop_rate},
         {.side = 1, .order = 2},
         0.5,
         2,
         false},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        guard_arrays a = {.arming = {rows[i].arming}, .curved = {true, true}};
        double t = NAN;
        time_step s;
        open_time_step(&s, &rows[i].guard, 1, &rows[i].par);
        CU_ASSERT_EQUAL(find_event(&s, &a, rows[i].n_probes, &t), IC_OK);
        IC_EXPECT(a.clear[0] == rows[i].clear, "%s: clear %d, expected %d", rows[i].what, a.clear[0],
                  rows[i].clear);
        CU_ASSERT(a.ends[0].t == 1); /* the next step begins with what is known at this end */
        if (rows[i].clear) CU_ASSERT_EQUAL(a.arming[0].order, 0);
    }
}

/* Returns to zero from above at the time par[0]. */
IC_TESTS_VALUE(fall_value, par[0] - x[0] + 0.1 * (par[0] * par[0] * par[0] - x[0] * x[0] * x[0]))
IC_TESTS_VALUE(fall_rate, -1 - 0.3 * x[0] * x[0])
IC_TESTS_VALUE(wavy_value, cos(9 * x[0]) + 1.3 - 2 * x[0])
IC_TESTS_VALUE(wavy_rate, -9 * sin(9 * x[0]) - 2)
#define PI 3.14159265358979324
/* Close to its cubic at the thirds of the step, where probes are. */
IC_TESTS_VALUE(fast_value, cos(5 * PI * x[0]))
IC_TESTS_VALUE(fast_rate, -5 * PI * sin(5 * PI * x[0]))
IC_TESTS_VALUE(bent_value, cos(3 * x[0]))
IC_TESTS_VALUE(bent_rate, -3 * sin(3 * x[0]))

/*
 * Guards that cross once are located without a search of the interpolant: the searched ones of these rows take more
 * than 10 states of it.
 */
enum { STATES_OF_SECANTS = 10 };
static size_t states_taken;
static void follow_counted_time(void *self, double t, double *x)
{
    (void)self;
    states_taken++;
    *x = t;
}

#define RETURNS WATCH(-1, fall_value, .rate = fall_rate)
#define NEVER FALLS(beyond_6)

IC_TEST(test_predicted_events)
{
    static const struct {
        const char *what;
        ic_guard guards[2];
        ic_arming arming[2];
        double par, t;
        int fired;
        bool due_both, searched;
        bool curved[2];
    } rows[] = {
        {"one crossing", {RETURNS, NEVER}, {{.side = 1}, {.side = -1}}, .par = 0.4, .t = 0.4},
        {"a crossing before all probes",
         {RETURNS, NEVER},
         {{.side = 1}, {.side = -1}},
         .par = 0.2,
         .t = 0.2,
         .searched = true,
         .curved = {[1] = true}},
        {"the later guard crosses first",
         {RETURNS, RISES(beyond_6)},
         {{.side = 1}, {.side = -1}},
         .par = 0.9,
         .t = 0.6,
         .fired = 1},
        {"a return to zero",
         {WATCH(-1, hop_value, .rate = hop_rate), NEVER},
         {{.side = 1, .order = 1}, {.side = -1}},
         .par = -0.25,
         .t = 0.75},
        {"two crossings at one instant",
         {RETURNS, RISES(beyond_6)},
         {{.side = 1}, {.side = -1}},
         .par = 0.6,
         .t = 0.6,
         .due_both = true,
         .searched = true},
        {"a crossing that is not enabled",
         {WATCH(0, beyond_3, .rate = rising, .enabled = only_late), WATCH(0, beyond_6, .rate = rising)},
         {{.side = -1}, {.side = -1}},
         .t = 0.6,
         .fired = 1,
         .searched = true},
        {"three crossings of one guard",
         {WATCH(-1, wavy_value, .rate = wavy_rate), NEVER},
         {{.side = 1}, {.side = -1}},
         .t = 0.270340315004648,
         .searched = true,
         .curved = {true}},
        {"five crossings of one guard that is close to its cubic at the probes",
         {WATCH(-1, fast_value, .rate = fast_rate), NEVER},
         {{.side = 1}, {.side = -1}},
         .t = 0.1,
         .searched = true,
         .curved = {true}},
        {"one crossing of a curved guard",
         {WATCH(-1, bent_value, .rate = bent_rate), NEVER},
         {{.side = 1}, {.side = -1}},
         .t = PI / 6,
         .curved = {true}},
        {"none in its direction",
         {WATCH(+1, fall_value, .rate = fall_rate), NEVER},
         {{.side = 1}, {.side = -1}},
         .par = 0.3,
         .t = NAN,
         .fired = -1},
    };
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        guard_arrays a = {.arming = {rows[i].arming[0], rows[i].arming[1]},
                          .curved = {rows[i].curved[0], rows[i].curved[1]}};
        double t = NAN;
        time_step s;
        open_time_step(&s, rows[i].guards, 2, &rows[i].par);
        s.step.interpolate = follow_counted_time;
        states_taken = 0;
        CU_ASSERT_EQUAL(find_event(&s, &a, 2, &t), IC_OK);
        const bool fired = rows[i].fired >= 0, searched = states_taken > STATES_OF_SECANTS;
        IC_EXPECT(s.phase.fired == rows[i].fired && searched == rows[i].searched &&
                      (!fired || (fabs(t - rows[i].t) <= 1e-11 && (a.due[0] && a.due[1]) == rows[i].due_both)),
                  "%s: guard %d at t = %.15g, due: %d, %d, by %zu states; expected guard %d at t = %.15g",
                  rows[i].what, s.phase.fired, t, a.due[0], a.due[1], states_taken, rows[i].fired, rows[i].t);
        if (!fired) CU_ASSERT(a.arming[0].side == -1 && a.arming[1].side == 1);
    }
}

IC_TESTS_VALUE(first_beyond, x[0] - par[0])

/*
 * Slopes give the state at an event from the nearer end of the step, without effect of the interpolant's error if this
 * is far below the tolerance.
 */
#define WRONG 5e-10
static double wrong;
static void follow_time_wrongly(void *self, double t, double *x)
{
    (void)self;
    *x = t + wrong * (1 - t);
}

IC_TEST(test_landing_by_slopes)
{
    static const struct {
        double located, wrong;
        bool inside, lands;
    } rows[] = {
        {0.97, WRONG, true, true},        {0.9, WRONG, false, true},      {1, WRONG, true, true},
        {0.55, 0.1 * WRONG, true, true},  {0.3, 0.1 * WRONG, true, true}, {0.05, 0.1 * WRONG, false, false},
        {0.5, 0.1 * WRONG, false, false}, {0.55, WRONG, true, false},     {0.97, 1000 * WRONG, true, false},
    };
    const double slope = 1;
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        ic_guard guard = {.value = first_beyond, .rate = rising};
        double x = 0, t = rows[i].located - WRONG;
        time_step s;
        open_time_step(&s, &guard, 1, &rows[i].located);
        s.step.interpolate = follow_time_wrongly;
        wrong = rows[i].wrong;
        const bool lands = ic_land_by_slopes(&s.phase, &s.step, &slope, &slope, rows[i].inside, &t, &x);
        IC_EXPECT(lands == rows[i].lands, "at %g: lands %d", rows[i].located, lands);
        if (!rows[i].lands) continue;
        CU_ASSERT(fabs(t - rows[i].located) <= 4 * EVENT_TOL);
        CU_ASSERT(fabs(x - rows[i].located) <= 4 * EVENT_TOL);
        CU_ASSERT_FALSE(fabs(x + WRONG * 1e-2 - rows[i].located) <= 4 * EVENT_TOL); /* planted */
    }
}
