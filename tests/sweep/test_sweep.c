/* SPDX-License-Identifier: MIT */
/**
 * Sweeps: the grid, records against separate runs, backends that leave parameter sets, counts, and
 * results that do not depend on the number of threads.
 */
#include "core/linear_view.h"
#include "core/log_scope.h"
#include "core/model.h"
#include "sweep/distribution.h"
#include "tests/fuzz/sweep_part.h"
#include "tests/machine.h"
#include "tests/sweep/solved.h"

#include <float.h>

IC_SUITE(solvers, "sweep")
IC_OWNED(ic_chunk, ic_chunk_close)
IC_OWNED(ic_linear_view, ic_linear_view_close)

/* ---- the grid */

static bool add_axis(ic_grid *grid, const char *text)
{
    ic_error error = {""};
    const bool good = ic_grid_add(grid, text, &error);
    CU_ASSERT_EQUAL(good, error.text[0] == '\0');
    return good;
}

IC_TEST(test_grid)
{
    ic_grid grid = {0};
    double values[IC_MOST_AXES];
    CU_ASSERT_TRUE_FATAL(add_axis(&grid, "k=1:2:3"));
    CU_ASSERT_TRUE_FATAL(add_axis(&grid, "omega=80pi:60pi:2"));
    CU_ASSERT_TRUE_FATAL(add_axis(&grid, "phase=pi/6:3/2:1"));
    CU_ASSERT_EQUAL(grid.n_sets, 6);
    ic_grid_values(&grid, 0, values);
    CU_ASSERT_EQUAL(values[0], 1);
    CU_ASSERT_EQUAL(values[1], 80 * M_PI);
    CU_ASSERT_EQUAL(values[2], M_PI / 6);
    ic_grid_values(&grid, 1, values); /* the last axis with more than one value varies fastest */
    CU_ASSERT_EQUAL(values[0], 1);
    CU_ASSERT_EQUAL(values[1], 60 * M_PI);
    ic_grid_values(&grid, 4, values);
    CU_ASSERT_EQUAL(values[0], 2);
    CU_ASSERT_EQUAL(values[1], 80 * M_PI);
    ic_grid_values(&grid, 2, values);
    CU_ASSERT_EQUAL(values[0], 1.5);
}

IC_TEST(test_log_spacing)
{
    /* pow() and a product: a few roundings */
    const double rounding = 4 * DBL_EPSILON;
    ic_grid grid = {0};
    double values[IC_MOST_AXES];
    CU_ASSERT_TRUE_FATAL(add_axis(&grid, "k=1e-3:1e5:9:log"));
    for (size_t i = 0; i < 9; i++) {
        const double expected = pow(10, (double)i - 3);
        ic_grid_values(&grid, i, values);
        CU_ASSERT_DOUBLE_EQUAL(values[0], expected, rounding * expected);
    }
    ic_grid_values(&grid, 8, values);
    CU_ASSERT_EQUAL(values[0], 1e5); /* ends are exact */
}

IC_TEST(test_bad_axes)
{
    static const char *const wrong[] = {
        "",        "k",         "k=",          "=1:2:3",      "k=1:2",        "k=1:2:0", "k=1:2:2.5",
        "k=1:2:x", "k=1:2:-1",  "k=0:1:3:log", "k=1:0:3:log", "k=1:2:3:lin",  "k=1:1:2", "k=1:2:3:log:x",
        "k=a:2:3", "k=1:1/0:3", "k=1:2:2e9",   "c=1:2:3",     "k=-1:1:3:log",
    };
    ic_grid grid = {0};
    CU_ASSERT_TRUE_FATAL(add_axis(&grid, "c=1:2:1000"));
    for (size_t i = 0; i < IC_COUNT(wrong); i++) {
        CU_ASSERT_FALSE(add_axis(&grid, wrong[i]));
        CU_ASSERT_EQUAL(grid.n_axes, 1);
        CU_ASSERT_EQUAL(grid.n_sets, 1000);
    }
    CU_ASSERT_FALSE(add_axis(&grid, "k=1:2:1000001")); /* the product is too large */
}

/* ---- sweeps */

enum { SKIP = 3, KEEP = 5 };

/* A separate run over the periods of a set. */
static ic_log *run_alone(const ic_parameter_set *set, const ic_solver *solver, ic_problem *problem,
                         double t_start, double t_end, const ic_sample *from, size_t samples)
{
    *problem = *set->problem;
    problem->t_start = t_start;
    problem->t_end = t_end;
    problem->t_end_text = NULL;
    problem->x_start = from != NULL ? from->x : NULL;
    problem->mode_start = from != NULL ? from->mode : 0;
    return ic_tests_solve(solver->name, problem, &(ic_options){.samples = samples, .extremes = true});
}

/* Strobes are the samples of `run` at those times, bit for bit, and the counts of events agree. */
static void check_strobes(const char *path, const char *vary, const char *solver, double period)
{
    ic_sweep_request request = request_of(path, vary, "strobe", SKIP, KEEP);
    IC_OWN(solved) s;
    request.solver = solver;
    open_solved(&s, &request);
    const size_t n = s.sweep.plan.n_columns;
    for (size_t i = 0; i < s.chunk.n; i++) {
        const ic_parameter_set *set = &s.chunk.sets[i];
        ic_problem problem;
        CU_ASSERT_EQUAL_FATAL(set->status, IC_OK);
        CU_ASSERT_EQUAL(set->n_rows, KEEP);
        if (period > 0) CU_ASSERT_DOUBLE_EQUAL(set->period, period, 2 * DBL_EPSILON * period);
        IC_OWN(ic_log) *log =
            run_alone(set, s.sweep.plan.solver, &problem, 0, set->problem->t_end, NULL, SKIP + KEEP + 1);
        CU_ASSERT_EQUAL(set->events, (double)ic_log_event_count(log));
        CU_ASSERT_TRUE(set->events > 0);
        for (size_t row = 0; row < KEEP; row++) {
            const ic_sample sample = ic_log_sample_at(log, SKIP + 1 + row);
            CU_ASSERT_DOUBLE_EQUAL(sample.t, (double)(SKIP + 1 + row) * set->period,
                                   4 * DBL_EPSILON * sample.t);
            CU_ASSERT_EQUAL(memcmp(sample.x, set->rows + row * n, n * sizeof *sample.x), 0);
            CU_ASSERT_EQUAL(sample.mode, set->modes[row]);
        }
    }
    CU_ASSERT_TRUE(s.chunk.sets[0].events != s.chunk.sets[1].events ||
                   s.chunk.sets[0].rows[0] != s.chunk.sets[1].rows[0]); /* the parameter matters */
}

IC_TEST(test_strobes)
{
    check_strobes("roller/III/C", "c=450e3:550e3:7", NULL, 2 * M_PI / (80 * M_PI));
    check_strobes("roller/II/D", "omega=50pi:80pi:7", NULL, 0);
    check_strobes("roller/III/C", "c=450e3:550e3:3", "rk45_bisection", 0);
    check_strobes("two-mass", "u3=2:2.4:3", NULL, 0);
    /* no forcing: the preset's end */
    check_strobes("bouncing-ball/lively", "e=0.5:0.9:3", "dop853", 5);
}

/* Extremes of each kept period against runs over that period alone, from its strobe. A smooth
   curve is flat at its peak, which is therefore exact to rounding although the intervals
   searched differ. */
IC_TEST(test_extremes)
{
    const double close = 1e-9;
    ic_sweep_request request = request_of("roller/III/C", "c=450e3:550e3:7", "contact_force", SKIP, KEEP);
    ic_sweep_request strobing = request_of("roller/III/C", "c=450e3:550e3:7", "strobe", SKIP, KEEP);
    IC_OWN(solved) forces, strobes;
    open_solved(&forces, &request);
    open_solved(&strobes, &strobing);
    CU_ASSERT_EQUAL(forces.sweep.plan.n_columns, 2);
    for (size_t i = 0; i < forces.chunk.n; i++) {
        const ic_parameter_set *set = &forces.chunk.sets[i];
        for (size_t row = 1; row < KEEP; row++) {
            const ic_sample from = {0, strobes.chunk.sets[i].modes[row - 1],
                                    strobes.chunk.sets[i].rows + (row - 1) * strobes.sweep.plan.n_columns};
            ic_problem problem;
            IC_OWN(ic_log) *log =
                run_alone(set, forces.sweep.plan.solver, &problem, (double)(SKIP + row) * set->period,
                          (double)(SKIP + row + 1) * set->period, &from, 0);
            const ic_extreme expected = ic_log_extreme(log, forces.sweep.plan.output);
            CU_ASSERT_TRUE(expected.max > 0);
            CU_ASSERT_DOUBLE_EQUAL(set->rows[2 * row], expected.min, close * expected.max);
            CU_ASSERT_DOUBLE_EQUAL(set->rows[2 * row + 1], expected.max, close * expected.max);
        }
    }
}

/* The peak is the greatest of the periods' maxima. */
IC_TEST(test_peaks)
{
    ic_sweep_request peaking = request_of("roller/III/C", "c=450e3:550e3:7", "peak", SKIP, KEEP);
    ic_sweep_request request = request_of("roller/III/C", "c=450e3:550e3:7", "contact_force", SKIP, KEEP);
    IC_OWN(solved) forces, peaks;
    open_solved(&forces, &request);
    open_solved(&peaks, &peaking);
    CU_ASSERT_EQUAL(peaks.sweep.plan.n_columns, peaks.sweep.plan.problem->system->n_outputs);
    for (size_t i = 0; i < forces.chunk.n; i++) {
        double greatest = -INFINITY;
        for (size_t row = 0; row < KEEP; row++)
            greatest = fmax(greatest, forces.chunk.sets[i].rows[2 * row + 1]);
        CU_ASSERT_EQUAL(peaks.chunk.sets[i].n_rows, 1);
        CU_ASSERT_EQUAL(peaks.chunk.sets[i].rows[forces.sweep.plan.output], greatest);
        CU_ASSERT_EQUAL(peaks.chunk.sets[i].modes[0], IC_NO_MODE);
    }
}

/* A terminal mode keeps its last state. */
IC_TEST(test_terminal)
{
    ic_sweep_request request = request_of("planar-bar/kappa-100", "mu=0.1:0.5:3", "strobe", SKIP, KEEP);
    IC_OWN(solved) s;
    open_solved(&s, &request);
    const size_t n = s.sweep.plan.n_columns;
    for (size_t i = 0; i < s.chunk.n; i++) {
        CU_ASSERT_EQUAL(s.chunk.sets[i].status, IC_OK);
        CU_ASSERT_EQUAL(s.chunk.sets[i].modes[KEEP - 1], IC_IMPACT_LIFTED_OFF);
        CU_ASSERT_EQUAL(memcmp(s.chunk.sets[i].rows + n * (KEEP - 1), s.chunk.sets[i].rows + n * (KEEP - 2),
                               n * sizeof(double)),
                        0);
    }
}

/* Values out of range are a status, unless all are out of range. */
IC_TEST(test_invalid_sets)
{
    ic_sweep_request request = request_of("roller/III/C", "c=-100e3:500e3:7", "strobe", SKIP, KEEP);
    solved s;
    ic_error error = {""};
    open_solved(&s, &request);
    CU_ASSERT_EQUAL(s.chunk.counts.by_status[IC_INVALID], 2); /* -1e5 and 0 */
    CU_ASSERT_EQUAL(s.chunk.counts.by_status[IC_OK], 5);
    CU_ASSERT_EQUAL(s.chunk.counts.failed_set, 0);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.chunk.counts.why, "outside its range"));
    CU_ASSERT_EQUAL(s.chunk.sets[0].status, IC_INVALID);
    CU_ASSERT_TRUE(isnan(s.chunk.sets[0].rows[0]));
    CU_ASSERT_EQUAL(s.chunk.sets[0].modes[0], IC_NO_MODE);
    CU_ASSERT_TRUE(isfinite(s.chunk.sets[2].rows[0]));
    close_solved(&s);
    request = request_of("roller/III/C", "c=-3:-1:3", "strobe", SKIP, KEEP);
    CU_ASSERT_FALSE(ic_sweep_open(&s.sweep, &request, &error));
    CU_ASSERT_PTR_NOT_NULL(strstr(error.text, "'c' = -3 is outside its range"));
}

/* ---- sets prepared from compiled texts, and opened from texts */

static bool same_number(double a, double b)
{
    return (a == b && signbit(a) == signbit(b)) || (isnan(a) && isnan(b));
}

static bool same_forms(const ic_form *a, const ic_form *b, size_t n)
{
    bool same = same_number(a->constant, b->constant) && same_number(a->cosine, b->cosine) &&
                same_number(a->sine, b->sine) && same_number(a->frequency, b->frequency);
    for (size_t i = 0; i < n; i++) same = same && same_number(a->state[i], b->state[i]);
    return same;
}

/* All numbers of a mode with a linear view. */
static bool same_views(const ic_problem *a, const ic_problem *b, const ic_mode *mode)
{
    IC_OWN(ic_linear_view) p = {0}, q = {0};
    if (mode->linear == NULL) return true;
    CU_ASSERT_FATAL(ic_linear_view_open(&p, a, mode, NULL) && ic_linear_view_open(&q, b, mode, NULL));
    bool same = memcmp(p.a, q.a, p.n * p.n * sizeof *p.a) == 0 &&
                memcmp(p.b, q.b, 3 * p.n * sizeof *p.b) == 0 && same_number(p.frequency, q.frequency);
    for (size_t i = 0; i < mode->n_guards; i++) {
        same = same && same_forms(&p.guards[i], &q.guards[i], p.n) &&
               same_forms(&p.enabled[i], &q.enabled[i], p.n);
    }
    return same;
}

/* Whether two problems have the same numbers, bit for bit. */
static bool same_problems(const ic_problem *a, const ic_problem *b)
{
    double p[IC_MAX_STATES], q[IC_MAX_STATES];
    ic_state_scales(a, p);
    ic_state_scales(b, q);
    bool same = memcmp(a->par, b->par, a->system->n_parameters * sizeof *a->par) == 0 &&
                memcmp(p, q, a->system->n_states * sizeof *p) == 0 && same_number(a->t_end, b->t_end) &&
                same_number(ic_time_scale(a), ic_time_scale(b)) && a->variant == b->variant;
    for (size_t k = 0; k < a->variant->n_modes; k++) same = same && same_views(a, b, &a->variant->modes[k]);
    return same;
}

/* Prepared sets have the numbers, statuses and messages of those from texts. */
static void check_preparation(const char *path, const char *vary, bool prepares)
{
    ic_sweep_request request = request_of(path, vary, "peak", SKIP, KEEP);
    IC_OWN(solved) s;
    IC_OWN(ic_chunk) plain;
    request.skip = 0;
    request.keep = 1;
    open_solved(&s, &request);
    CU_ASSERT_EQUAL(s.sweep.is_prepared, prepares);
    s.sweep.is_prepared = false;
    CU_ASSERT_TRUE_FATAL(ic_chunk_open(&plain, &s.sweep));
    CU_ASSERT_EQUAL_FATAL(ic_chunk_solve(&plain, 0), IC_OK);
    s.sweep.is_prepared = prepares;
    for (size_t i = 0; i < s.chunk.n; i++) {
        const ic_parameter_set *a = &s.chunk.sets[i], *b = &plain.sets[i];
        CU_ASSERT_EQUAL(a->status, b->status);
        CU_ASSERT_STRING_EQUAL(a->why, b->why);
        if (b->status == IC_INVALID) continue;
        CU_ASSERT_EQUAL(a->problem->given != NULL, prepares);
        CU_ASSERT(same_number(a->period, b->period));
        IC_EXPECT(same_problems(a->problem, b->problem), "%s, %s: set %zu differs", path, vary, i);
        CU_ASSERT_EQUAL(memcmp(a->rows, b->rows, a->n_rows * s.sweep.plan.n_columns * sizeof *a->rows), 0);
    }
    const ic_problem *other = plain.sets[1].problem; /* planted */
    if (prepares) CU_ASSERT_FALSE(same_problems(s.chunk.sets[0].problem, other));
}

IC_TEST(test_preparation)
{
    check_preparation("roller/III/C", "c=100e3:600e3:11", true);
    check_preparation("roller/III/C*", "omega=40pi:80pi:5", true);
    check_preparation("roller/II/D", "m2=600:2000:5:log", true);
    check_preparation("roller/I/A", "F_w=0:6e4:5", true); /* without forcing at the start */
    check_preparation("two-mass/example-1", "omega=1/2:2:7", true);
    check_preparation("two-mass/example-1", "e=0:1.5:7", true); /* some out of range */
    check_preparation("bouncing-ball", "e=0.5:1:5", true);
    check_preparation("impact-oscillator", "omega=0.5:2:5", true);
    /* cases that are composed for each set */
    check_preparation("roller/law", "c=1e5:6e5:3", false);
    check_preparation("rotating-beam/momentum-balance", "N=1:3:3", false);
}

/* The number of states differs between sets: extremes are allowed, strobes are not. */
IC_TEST(test_number_of_states)
{
    ic_sweep_request request = request_of("rotating-beam/momentum-balance", "N=1:3:3", "strobe", SKIP, KEEP);
    IC_OWN(solved) s, peaks;
    request.skip = 0;
    request.keep = 1;
    open_solved(&s, &request);
    CU_ASSERT_EQUAL(s.chunk.counts.by_status[IC_OK], 1);
    CU_ASSERT_PTR_NOT_NULL(strstr(s.chunk.counts.why, "states"));
    request.record = "peak";
    open_solved(&peaks, &request);
    CU_ASSERT_EQUAL(peaks.chunk.counts.by_status[IC_OK], 3);
}

/* The roller's period doubles between these (at 507.4 kN s/m: claims doubling-D): below, successive
   strobes differ and every second one is the same; above, all are the same. */
IC_TEST(test_period_doubling)
{
    /* mm: remainder of the transient, and the distance of strobes */
    const double settled = 1e-6, apart = 1e-2;
    ic_sweep_request request = request_of("roller/III/D", "c=480e3:535e3:2", "strobe", SKIP, KEEP);
    IC_OWN(solved) s;
    request.skip = 500;
    open_solved(&s, &request);
    const size_t n = s.sweep.plan.n_columns;
    for (size_t i = 0; i < 2; i++) {
        const double *x = s.chunk.sets[i].rows; /* x2 of row k is x[k n] */
        const double once = 1e3 * fabs(x[4 * n] - x[3 * n]), twice = 1e3 * fabs(x[4 * n] - x[2 * n]);
        CU_ASSERT_TRUE(i == 0 ? once > apart : once < settled);
        CU_ASSERT_TRUE(twice < settled);
    }
}

/* ---- backends that leave sets */

/* Leaves every third set after spoiling it. */
static ic_status leave_every_third(const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets)
{
    for (size_t i = 0; i < n_sets; i++) {
        const ic_status status = ic_parameter_sets_by_solver(plan, &sets[i], 1);
        if (status != IC_OK) return status;
        if (i % 3 != 1) continue;
        sets[i].rows[0] = 1e6;
        sets[i].modes[0] = 77;
        sets[i].events = -1;
        sets[i].status = IC_UNSUPPORTED;
    }
    return IC_OK;
}

static ic_status serve_nothing(const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets)
{
    (void)plan;
    for (size_t i = 0; i < n_sets; i++) {
        if (sets[i].status != IC_INVALID) sets[i].rows[0] = 1e6;
    }
    return IC_UNSUPPORTED;
}

/* Wrong in the last place of one state. */
static ic_status solve_slightly_wrong(const ic_sweep_plan *plan, ic_parameter_set *sets, size_t n_sets)
{
    const ic_status status = ic_parameter_sets_by_solver(plan, sets, n_sets);
    sets[n_sets - 1].rows[1] = nextafter(sets[n_sets - 1].rows[1], INFINITY);
    return status;
}

static bool have_same_sets(const ic_chunk *a, const ic_chunk *b)
{
    bool same = a->n == b->n;
    for (size_t i = 0; i < a->n && same; i++) {
        const ic_parameter_set *x = &a->sets[i], *y = &b->sets[i];
        const size_t n = x->n_rows * a->sweep->plan.n_columns;
        same = x->status == y->status && x->events == y->events && memcmp(x->modes, y->modes, x->n_rows) == 0 &&
               memcmp(x->rows, y->rows, n * sizeof *x->rows) == 0;
    }
    return same;
}

static void check_backend(ic_sweep_method_solve *solve, size_t left, bool good)
{
    const ic_sweep_method planted = {.name = "planted", .solve = solve};
    const ic_sweep_request request = request_of("roller/III/C", "c=-100e3:500e3:7", "strobe", SKIP, KEEP);
    IC_OWN(solved) s, expected;
    open_solved(&expected, &request);
    open_solved(&s, &request);
    s.sweep.method = &planted;
    CU_ASSERT_EQUAL(ic_chunk_solve(&s.chunk, 0), IC_OK);
    CU_ASSERT_EQUAL(s.chunk.counts.left, left);
    CU_ASSERT_EQUAL(have_same_sets(&s.chunk, &expected.chunk), good);
}

IC_TEST(test_fallback)
{
    /* of seven sets the first two are invalid */
    check_backend(serve_nothing, 5, true);
    check_backend(solve_slightly_wrong, 0, false); /* planted: the comparison detects it */
    check_backend(ic_parameter_sets_by_solver, 0, true);
}

IC_TEST(test_every_third_set_left)
{
    const ic_sweep_method planted = {.name = "planted", .solve = leave_every_third};
    const ic_sweep_request request = request_of("roller/III/C", "c=450e3:550e3:7", "strobe", SKIP, KEEP);
    IC_OWN(solved) expected;
    IC_OWN(ic_chunk) chunk;
    open_solved(&expected, &request);
    expected.sweep.method = &planted;
    CU_ASSERT_TRUE_FATAL(ic_chunk_open(&chunk, &expected.sweep));
    CU_ASSERT_EQUAL(ic_chunk_solve(&chunk, 0), IC_OK);
    CU_ASSERT_EQUAL(chunk.counts.left, 2);
    CU_ASSERT_EQUAL(chunk.counts.by_status[IC_OK], 7);
    CU_ASSERT_TRUE(have_same_sets(&chunk, &expected.chunk));
}

/* Every registered backend agrees with the solver to the growth of rounding in a few periods. */
IC_TEST(test_registered_engines)
{
    const double close = 1e-9;
    ic_sweep_request request = request_of("roller/III/C", "c=450e3:550e3:7", "strobe", SKIP, KEEP);
    IC_OWN(solved) expected;
    IC_OWN(ic_chunk) chunk;
    double scale[IC_MAX_STATES];
    open_solved(&expected, &request);
    ic_state_scales(expected.sweep.plan.problem, scale);
    CU_ASSERT_TRUE_FATAL(ic_chunk_open(&chunk, &expected.sweep));
    for (size_t e = 0; e < ic_sweep_method_count; e++) {
        if (ic_sweep_method_refusal(ic_sweep_methods[e], &expected.sweep.plan) != NULL) continue;
        expected.sweep.method = ic_sweep_methods[e];
        CU_ASSERT_EQUAL(ic_chunk_solve(&chunk, 0), IC_OK);
        for (size_t i = 0; i < chunk.n; i++) {
            CU_ASSERT_EQUAL(chunk.sets[i].events, expected.chunk.sets[i].events);
            CU_ASSERT_EQUAL(memcmp(chunk.sets[i].modes, expected.chunk.sets[i].modes, KEEP), 0);
            for (size_t k = 0; k < KEEP * expected.sweep.plan.n_columns; k++) {
                CU_ASSERT_DOUBLE_EQUAL(chunk.sets[i].rows[k], expected.chunk.sets[i].rows[k],
                                       close * scale[k % expected.sweep.plan.n_columns]);
            }
        }
    }
}

/* ---- distribution to threads */

typedef struct collection {
    ic_bytes bytes;
    size_t appends, fails_at;
} collection;

static void encode_bytes(const void *self, const ic_chunk *chunk, ic_bytes *bytes)
{
    (void)self;
    ic_bytes_add(bytes, &chunk->first, sizeof chunk->first);
    ic_bytes_add(bytes, chunk->rows,
                 chunk->n * chunk->sweep->n_rows * chunk->sweep->plan.n_columns * sizeof(double));
}

static volatile sig_atomic_t stop;

static bool append_bytes(void *self, const void *bytes, size_t n)
{
    collection *c = self;
    c->appends++;
    if (c->appends == c->fails_at) return false;
    ic_bytes_add(&c->bytes, bytes, n);
    return true;
}

static void stop_after_two(void *self, const ic_sweep_counts *counts)
{
    (void)counts;
    const collection *c = self;
    if (c->appends == 2) stop = 1;
}

static ic_sweep_outcome distribute(collection *c, const ic_sweep *sweep, size_t threads, size_t first,
                                   bool stops)
{
    const ic_ranks alone = {.rank = 0, .size = 1};
    const ic_sweep_writer sink = {.self = c,
                                  .encode = encode_bytes,
                                  .append = append_bytes,
                                  .progress = stops ? stop_after_two : NULL,
                                  .stop = &stop};
    stop = 0;
    return ic_sweep_distribute(sweep, &sink, &alone, threads, first);
}

IC_TEST(test_threads)
{
    ic_sweep_request request = request_of("roller/III/C", "c=450e3:550e3:500", "strobe", SKIP, KEEP);
    IC_OWN(ic_sweep) sweep;
    ic_error error;
    collection once = {0};
    CU_ASSERT_TRUE_FATAL(ic_sweep_open(&sweep, &request, &error));
    sweep.plan.stop = &stop;
    CU_ASSERT_TRUE(sweep.n_chunks > 4);
    const ic_sweep_outcome dealt = distribute(&once, &sweep, 1, 0, false);
    CU_ASSERT_EQUAL(dealt.status, IC_OK);
    CU_ASSERT_EQUAL(dealt.counts.sets, 500);
    for (size_t threads = 2; threads <= 5; threads++) {
        collection again = {0};
        const ic_sweep_outcome other = distribute(&again, &sweep, threads, 0, false);
        CU_ASSERT_EQUAL(other.counts.events, dealt.counts.events);
        CU_ASSERT_EQUAL_FATAL(again.bytes.n, once.bytes.n);
        CU_ASSERT_EQUAL(memcmp(again.bytes.data, once.bytes.data, once.bytes.n), 0);
        free(again.bytes.data);
    }
    free(once.bytes.data);
}

/* Stopped after at least two chunks and completed by another call: the same bytes. */
IC_TEST(test_stop_and_go_on)
{
    ic_sweep_request request = request_of("roller/III/C", "c=450e3:550e3:500", "strobe", SKIP, KEEP);
    IC_OWN(ic_sweep) sweep;
    ic_error error;
    collection once = {0}, parts = {0};
    CU_ASSERT_TRUE_FATAL(ic_sweep_open(&sweep, &request, &error));
    sweep.plan.stop = &stop;
    distribute(&once, &sweep, 2, 0, false);
    const ic_sweep_outcome first = distribute(&parts, &sweep, 2, 0, true);
    CU_ASSERT_TRUE(first.stopped);
    CU_ASSERT_TRUE(parts.appends >= 2 && parts.appends < sweep.n_chunks);
    CU_ASSERT_EQUAL(first.counts.sets, parts.appends * sweep.chunk_sets);
    const ic_sweep_outcome second = distribute(&parts, &sweep, 2, parts.appends, false);
    CU_ASSERT_FALSE(second.stopped);
    CU_ASSERT_EQUAL(first.counts.sets + second.counts.sets, 500);
    CU_ASSERT_EQUAL_FATAL(parts.bytes.n, once.bytes.n);
    CU_ASSERT_EQUAL(memcmp(parts.bytes.data, once.bytes.data, once.bytes.n), 0);
    free(once.bytes.data);
    free(parts.bytes.data);
    collection full = {.fails_at = 2};
    CU_ASSERT_EQUAL(distribute(&full, &sweep, 2, 0, false).status, IC_IO);
    free(full.bytes.data);
}

/* ---- the narrowed log */

IC_TEST(test_windows)
{
    size_t n = 0;
    IC_OWN(ic_setup) setup = ic_tests_setup(&(ic_request){.path = "bouncing-ball/lively", .until = "10"});
    IC_OWN(ic_log) *log = ic_log_new(&setup.problem);
    const ic_log_scope scope = {
        .samples = 11, .first_sample = 3, .first_window = 2, .n_windows = 3, .n_outputs = 1};
    CU_ASSERT_EQUAL_FATAL(ic_log_narrow(log, &scope), IC_OK); /* windows [2, 3], [3, 4], [4, 5] */
    ic_log_windows_at(log, 1.5, &n);
    CU_ASSERT_EQUAL(n, 0);
    CU_ASSERT_EQUAL(ic_log_windows_at(log, 2, &n), 0);
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_EQUAL(ic_log_windows_at(log, 3, &n), 0); /* a boundary belongs to both */
    CU_ASSERT_EQUAL(n, 2);
    CU_ASSERT_EQUAL(ic_log_windows_at(log, 4.5, &n), 2);
    CU_ASSERT_EQUAL(n, 1);
    CU_ASSERT_EQUAL(ic_log_windows_at(log, 5, &n), 2);
    CU_ASSERT_EQUAL(n, 1);
    ic_log_windows_at(log, nextafter(5, 6), &n);
    CU_ASSERT_EQUAL(n, 0);
    for (int i = 0; i < 5; i++) ic_log_sample(log, i, 0, (double[]){i, 0});
    CU_ASSERT_EQUAL(ic_log_sample_count(log), 5);
    CU_ASSERT_EQUAL(ic_log_sample_at(log, 3).t, 3);
    CU_ASSERT_EQUAL(ic_log_sample_at(log, 4).x[0], 4);
}

/* ---- FILE.part: a wrong reader of it breaks a promise that the fuzzer tests */

static ic_part_end count_sets_not_chunks(ic_sweep_counts *counts, long *end, FILE *stream,
                                         const ic_sweep *sweep, const ic_part_format *format)
{
    ic_status status = IC_OK;
    size_t length = 0;
    *counts = (ic_sweep_counts){0};
    while ((counts->sets % sweep->chunk_sets != 0 ||
            ic_part_find_chunk(stream, counts->sets / sweep->chunk_sets, &length)) &&
           counts->sets < sweep->request->grid.n_sets &&
           format->next_set(stream, sweep, counts->sets, &status) == IC_PART_SET) {
        counts->by_status[status]++;
        counts->sets++;
    }
    *end = ftell(stream);
    return IC_PART_READ;
}

static ic_part_end count_all_sets(ic_sweep_counts *counts, long *end, FILE *stream, const ic_sweep *sweep,
                                  const ic_part_format *format)
{
    const ic_part_end how = ic_part_count(counts, end, stream, sweep, format);
    fseek(stream, 0, SEEK_END);
    *end = ftell(stream);
    return how;
}

static const char *broken_promise(ic_fuzz_part_reader *read, const char *seed)
{
    static uint8_t bytes[4096];
    char path[512];
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/sweep_part/%s", IC_TEST_SOURCE_DIR, seed);
    FILE *stream = fopen(path, "rb");
    if (stream == NULL) return "the seed is there";
    const size_t n = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    const char *broken = ic_fuzz_sweep_part_by(read, bytes, n);
    return broken != NULL ? broken : "";
}

IC_TEST(test_wrong_readers_of_parts)
{
    CU_ASSERT_STRING_EQUAL(broken_promise(ic_part_count, "cut-off-behind-a-line"), "");
    CU_ASSERT_STRING_EQUAL(broken_promise(count_sets_not_chunks, "cut-off-behind-a-line"), "chunks are whole");
    CU_ASSERT_STRING_EQUAL(broken_promise(count_all_sets, "cut-off-behind-a-line"),
                           "there are as many rows as lanes have");
}
