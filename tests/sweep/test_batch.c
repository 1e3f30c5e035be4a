/* SPDX-License-Identifier: MIT */
/**
 * The method "batch": every kernel that runs on this machine, and one of eight lanes that runs on
 * any, against the solver that it replaces; what the detailed search decides and leaves; sets that
 * leave the common path.
 */
#include "core/linear_view.h"
#include "core/model.h"
#include "sweep/batch/batch.h"
#include "sweep/batch/lane_forms.h"
#include "sweep/batch/lane_search.h"
#include "sweep/sweep.h"
#include "tests/sweep/solved.h"

#include <float.h>

IC_SUITE(solvers, "batch")

/* Eight lanes in instructions of any processor: see CMakeLists.txt. */
extern const ic_batch_kernel ic_batch_wide;

enum { MOST_KERNELS = 8 };

static size_t list_kernels(const ic_batch_kernel *kernels[MOST_KERNELS])
{
    size_t n = 0;
    for (size_t i = 0; i < ic_batch_kernel_count; i++) {
        if (ic_batch_kernels[i]->runs_here()) kernels[n++] = ic_batch_kernels[i];
    }
    kernels[n++] = &ic_batch_wide;
    return n;
}

/* ---- sweeps of the registry's cases */

/* Greatest deviation of a set's rows from the expected ones, relative for each column to the
   greatest value there, or to `least` if that is greater. */
static double greatest_deviation(const ic_parameter_set *set, const ic_parameter_set *expected,
                                 const double *least, size_t n_columns)
{
    double most = 0;
    for (size_t k = 0; k < n_columns; k++) {
        double size = least[k], off = 0;
        for (size_t row = 0; row < set->n_rows; row++) {
            const double value = expected->rows[row * n_columns + k], got = set->rows[row * n_columns + k];
            if (isnan(value) && isnan(got)) continue;
            size = fmax(size, fabs(value));
            off = fabs(got - value) <= off ? off : fabs(got - value); /* NAN counts */
        }
        if (!(off <= most * size)) most = off / size;
    }
    return most;
}

/* The scales of states; an output's least and greatest value are treated together. */
static void set_least_values(double *least, const ic_sweep_plan *plan, const ic_parameter_set *expected)
{
    if (plan->record == IC_RECORD_STROBE) ic_state_scales(expected->problem, least);
    if (plan->record == IC_RECORD_OUTPUT) {
        least[0] = 0;
        for (size_t i = 0; i < 2 * expected->n_rows; i++) least[0] = fmax(least[0], fabs(expected->rows[i]));
        least[1] = least[0];
    }
}

/* Bound of the growth of rounding errors over some periods. */
#define CLOSE 1e-9

/* Solves the sets of `chunk` with a kernel; returns how many are wrong. */
static size_t count_wrong(const ic_batch_kernel *kernel, const ic_sweep *sweep, ic_chunk *chunk,
                          const ic_chunk *expected, size_t *left)
{
    size_t wrong = 0;
    for (size_t i = 0; i < chunk->n; i++) chunk->sets[i].status = IC_OK;
    CU_ASSERT_EQUAL(ic_parameter_sets_by_kernel(&sweep->plan, kernel, chunk->sets, chunk->n), IC_OK);
    *left = 0;
    for (size_t i = 0; i < chunk->n; i++) {
        const ic_parameter_set *set = &chunk->sets[i], *at = &expected->sets[i];
        if (set->status == IC_UNSUPPORTED) {
            (*left)++;
            continue;
        }
        double least[IC_MAX_STATES] = {0};
        set_least_values(least, &sweep->plan, at);
        const double off = greatest_deviation(set, at, least, sweep->plan.n_columns);
        const bool good = set->status == at->status && set->events == at->events &&
                          memcmp(set->modes, at->modes, set->n_rows) == 0 && off <= CLOSE;
        if (!good) {
            wrong++;
            printf("%s, %s, lane %zu: off by %.1e, %g events, not %g\n", sweep->request->request.path,
                   kernel->name, i, off, set->events, at->events);
        }
    }
    return wrong;
}

static void check_sweep(const char *path, const char *vary, const char *record, size_t skip, size_t keep)
{
    const ic_batch_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    ic_sweep_request request = request_of(path, vary, record, skip, keep);
    IC_OWN(solved) got, expected;
    size_t left = 0;
    open_solved(&expected, &request);
    open_solved(&got, &request);
    for (size_t k = 0; k < n; k++) {
        CU_ASSERT_EQUAL(count_wrong(kernels[k], &got.sweep, &got.chunk, &expected.chunk, &left), 0);
        CU_ASSERT_EQUAL(left, 0);
    }
}

/* All conditions and load cases, over parameters for which orbits settle. */
IC_TEST(test_roller)
{
    static const char *const paths[] = {"roller/III/A", "roller/III/B", "roller/III/C", "roller/III/C*",
                                        "roller/III/D", "roller/I/C",   "roller/II/D",  "roller/II/A",
                                        "roller/IV/C*", "roller/IV/B"};
    for (size_t i = 0; i < IC_COUNT(paths); i++) check_sweep(paths[i], "c=4e5:3e6:13", "strobe", 2, 5);
    check_sweep("roller/III/C", "omega=20:900:21:log", "strobe", 1, 5);
    check_sweep("roller/III/A", "phase=0:6:7", "strobe", 0, 4);
    check_sweep("roller/II/D", "k=1e6:1e10:13:log", "strobe", 0, 3);
}

/* Guards that are at zero after jumps of others, or at the start. */
IC_TEST(test_elastic_stops)
{
    check_sweep("impact-oscillator/forced-elastic", "F=1:3:13", "strobe", 0, 3);
    check_sweep("impact-oscillator/sdnd102", "Y=2e-4:4e-4:13", "strobe", 2, 5);
}

/* Phases longer than a period, before and while strobes are recorded. */
IC_TEST(test_contact_for_good)
{
    check_sweep("roller/II/A", "F_w=1e3:3e4:11", "strobe", 7, 4);
    check_sweep("roller/II/B", "F_w=1e3:3e4:11", "strobe", 0, 4);
}

IC_TEST(test_extremes)
{
    check_sweep("roller/III/C", "c=4e5:3e6:5", "contact_force", 3, 3);
    check_sweep("roller/III/D", "c=4e5:3e6:5", "peak", 2, 3);
}

/* The result for a set does not depend on its neighbours. */
IC_TEST(test_neighbours)
{
    const ic_batch_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    ic_sweep_request request = request_of("roller/III/C", "c=1e5:3e6:17", "strobe", 5, 5);
    IC_OWN(solved) together, alone;
    open_solved(&together, &request);
    open_solved(&alone, &request);
    for (size_t k = 0; k < n; k++) {
        size_t same = 0;
        for (size_t i = 0; i < together.chunk.n; i++)
            together.chunk.sets[i].status = alone.chunk.sets[i].status = IC_OK;
        CU_ASSERT_EQUAL(ic_parameter_sets_by_kernel(&together.sweep.plan, kernels[k], together.chunk.sets,
                                                    together.chunk.n),
                        IC_OK);
        for (size_t i = 0; i < alone.chunk.n; i++) {
            const ic_parameter_set *a = &alone.chunk.sets[i], *b = &together.chunk.sets[i];
            CU_ASSERT_EQUAL(
                ic_parameter_sets_by_kernel(&together.sweep.plan, kernels[k], &alone.chunk.sets[i], 1), IC_OK);
            same +=
                memcmp(a->rows, b->rows, a->n_rows * together.sweep.plan.n_columns * sizeof *a->rows) == 0 &&
                a->events == b->events && memcmp(a->modes, b->modes, a->n_rows) == 0;
        }
        CU_ASSERT_EQUAL(same, alone.chunk.n);
    }
    /* planted: the sets do differ */
    CU_ASSERT_TRUE(together.chunk.sets[0].rows[0] != together.chunk.sets[1].rows[0]);
}

/* All kernels give the same bits. */
IC_TEST(test_bits)
{
    const ic_batch_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    ic_sweep_request request = request_of("roller/III/D", "c=1e5:3e6:17", "strobe", 5, 5);
    IC_OWN(solved) first, s;
    open_solved(&first, &request);
    open_solved(&s, &request);
    const size_t of_one = first.chunk.sets[0].n_rows * first.sweep.plan.n_columns,
                 bytes = first.chunk.n * of_one * sizeof *first.chunk.rows;
    for (size_t i = 0; i < first.chunk.n; i++) first.chunk.sets[i].status = IC_OK;
    CU_ASSERT_NOT_EQUAL(memcmp(first.chunk.rows, first.chunk.rows + of_one, of_one * sizeof *first.chunk.rows),
                        0);
    CU_ASSERT_EQUAL(ic_parameter_sets_by_kernel(&first.sweep.plan, kernels[0], first.chunk.sets, first.chunk.n),
                    IC_OK);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < s.chunk.n; i++) s.chunk.sets[i].status = IC_OK;
        CU_ASSERT_EQUAL(ic_parameter_sets_by_kernel(&s.sweep.plan, kernels[k], s.chunk.sets, s.chunk.n), IC_OK);
        CU_ASSERT_EQUAL(memcmp(first.chunk.rows, s.chunk.rows, bytes), 0);
    }
}

IC_TEST(test_stopped)
{
    static const volatile sig_atomic_t stop = 1;
    ic_sweep_request request = request_of("roller/III/C", "c=4e5:3e6:5", "strobe", 2, 3);
    IC_OWN(solved) s;
    open_solved(&s, &request);
    s.sweep.plan.stop = &stop;
    for (size_t i = 0; i < s.chunk.n; i++) ic_parameter_set_clear(&s.sweep.plan, &s.chunk.sets[i]);
    CU_ASSERT_EQUAL(ic_parameter_sets_by_kernel(&s.sweep.plan, &ic_batch_wide, s.chunk.sets, s.chunk.n), IC_OK);
    CU_ASSERT_TRUE(isnan(s.chunk.sets[0].rows[0]));
}

IC_TEST(test_registered)
{
    ic_sweep_request request = request_of("roller/III/C", "c=4e5:3e6:5", "strobe", 0, 3);
    IC_OWN(ic_sweep) sweep, requested, complete;
    ic_error error;
    CU_ASSERT_PTR_EQUAL(ic_sweep_method_find("batch"), &ic_sweep_method_batch);
    request.method = NULL;
    CU_ASSERT_TRUE_FATAL(ic_sweep_open(&sweep, &request, &error));
    CU_ASSERT_PTR_EQUAL(sweep.method, &ic_sweep_method_batch);
    request.solver = "dop853"; /* requested, and chosen */
    CU_ASSERT_TRUE_FATAL(ic_sweep_open(&requested, &request, &error));
    CU_ASSERT_STRING_EQUAL(requested.method->name, "scalar");
    request.solver = NULL;
    request.record = "contact_force"; /* all periods are kept: nothing to skip */
    CU_ASSERT_TRUE_FATAL(ic_sweep_open(&complete, &request, &error));
    CU_ASSERT_STRING_EQUAL(complete.method->name, "scalar");
}

/* ---- coefficients */

static void compute_coefficients(ic_batch_coefficients *coefficients, double *frequency,
                                 const ic_batch_shape *shape, const ic_parameter_set *set)
{
    ic_batch_forms *forms = ic_batch_forms_new(shape, set->problem->variant);
    CU_ASSERT_PTR_NOT_NULL_FATAL(forms);
    double frequencies[IC_BATCH_PAIR];
    bool good[IC_BATCH_PAIR];
    memset(coefficients, 0, IC_BATCH_MODES * sizeof *coefficients);
    ic_batch_coefficients_compute(forms, (ic_batch_coefficients *const[]){coefficients, coefficients},
                                  frequencies, good, (const ic_problem *const[]){set->problem, set->problem},
                                  (const double[]){set->period, set->period});
    CU_ASSERT_TRUE(good[0]);
    *frequency = frequencies[0];
    free(forms);
}

/* Rounding errors of e^{Mh}, in scaled states, in units of its greatest number. */
#define EXPONENTIAL_ROUNDING (4 * DBL_EPSILON)
enum { ORDER = 8, SERIES = 24, HALVINGS = 12 };
typedef long double exact_matrix[ORDER][ORDER];

static void multiply_exact(exact_matrix product, exact_matrix a, exact_matrix b)
{
    exact_matrix sum = {{0}};
    for (int i = 0; i < ORDER; i++) {
        for (int k = 0; k < ORDER; k++) {
            for (int j = 0; j < ORDER; j++) sum[i][j] += a[i][k] * b[k][j];
        }
    }
    memcpy(product, sum, sizeof sum);
}

/* e^{Mh} of the roller in scaled states, by scaling and squaring in long double. */
static void compute_exact(exact_matrix e, const ic_problem *problem, size_t mode, double h)
{
    ic_linear_view view;
    double scale[IC_MAX_STATES];
    exact_matrix m = {{0}}, term = {{0}};
    CU_ASSERT_TRUE_FATAL(ic_linear_view_open(&view, problem, &problem->variant->modes[mode], NULL));
    CU_ASSERT_EQUAL_FATAL(view.n + 3, ORDER);
    ic_state_scales(problem, scale);
    const long double part = ldexpl(h, -HALVINGS);
    for (size_t i = 0; i < view.n; i++) {
        for (size_t j = 0; j < view.n; j++) m[i][j] = part * view.a[i * view.n + j] * scale[j] / scale[i];
        m[i][view.n] = part * view.b[i] / scale[i];
        m[i][view.n + 1] = part * view.cosine[i] / scale[i];
        m[i][view.n + 2] = part * view.sine[i] / scale[i];
    }
    m[view.n + 1][view.n + 2] = -part * view.frequency;
    m[view.n + 2][view.n + 1] = part * view.frequency;
    memset(e, 0, sizeof(exact_matrix));
    for (int i = 0; i < ORDER; i++) e[i][i] = term[i][i] = 1;
    for (int k = 1; k < SERIES; k++) {
        multiply_exact(term, term, m);
        for (int i = 0; i < ORDER; i++) {
            for (int j = 0; j < ORDER; j++) term[i][j] /= k, e[i][j] += term[i][j];
        }
    }
    for (int k = 0; k < HALVINGS; k++) multiply_exact(e, e, e);
    ic_linear_view_close(&view);
}

/* The greatest error of a row of e^{Mh}, in scaled states, relative to the row's greatest number. */
static double error_of_step(const ic_batch_coefficients *coefficients, const ic_problem *problem, size_t mode)
{
    exact_matrix exact;
    double scale[IC_MAX_STATES] = {0}, worst = 0;
    ic_state_scales(problem, scale);
    for (int i = (int)problem->system->n_states; i < ORDER; i++) scale[i] = 1;
    compute_exact(exact, problem, mode, coefficients->h);
    for (int i = 0; i < (int)problem->system->n_states; i++) {
        long double size = 0, off = 0;
        for (int j = 0; j < ORDER; j++) {
            const long double is = coefficients->step[i][j] * (long double)scale[j] / scale[i];
            size = fmaxl(size, fabsl(exact[i][j]));
            off = fmaxl(off, fabsl(is - exact[i][j]));
        }
        worst = fmax(worst, (double)(off / size));
    }
    return worst;
}

IC_TEST(test_exponentials)
{
    static const char *const axes[] = {"c=4e5:3e6:1", "c=8e4:3e6:1", "k=5e6:3e6:1", "omega=250:1:1"};
    for (size_t i = 0; i < IC_COUNT(axes); i++) {
        ic_sweep_request request = request_of("roller/III/C", axes[i], "strobe", 0, 3);
        IC_OWN(solved) s;
        ic_batch_shape shape;
        ic_batch_coefficients coefficients[IC_BATCH_MODES];
        double frequency = 0;
        open_solved(&s, &request);
        const ic_problem *problem = s.chunk.sets[0].problem;
        CU_ASSERT_TRUE_FATAL(ic_batch_shape_read(&shape, problem));
        compute_coefficients(coefficients, &frequency, &shape, &s.chunk.sets[0]);
        for (size_t k = 0; k < 2; k++) {
            const double error = error_of_step(&coefficients[k], problem, k);
            if (error > EXPONENTIAL_ROUNDING) printf("%s, mode %zu: %g\n", axes[i], k, error);
            CU_ASSERT(error <= EXPONENTIAL_ROUNDING);
            coefficients[k].step[1][1] *= 1 + 4 * EXPONENTIAL_ROUNDING;
            CU_ASSERT(error_of_step(&coefficients[k], problem, k) > EXPONENTIAL_ROUNDING); /* planted */
        }
    }
}

/* A propagator that is wrong by 1e-9 is detected. */
IC_TEST(test_planted_number)
{
    ic_sweep_request request = request_of("roller/III/C", "c=4e5:3e6:1", "strobe", 0, 3);
    IC_OWN(solved) s;
    ic_batch_shape shape;
    ic_batch_coefficients coefficients[IC_BATCH_MODES];
    open_solved(&s, &request);
    const ic_parameter_set *set = &s.chunk.sets[0];
    CU_ASSERT_TRUE_FATAL(ic_batch_shape_read(&shape, set->problem));
    for (int planted = 0; planted < 2; planted++) {
        double rows[3 * 5], x[5], least[5];
        unsigned char modes[3];
        ic_batch_lane at = {.coefficients = coefficients,
                            .period = set->period,
                            .tie = 1e-13 * set->period,
                            .n_strobes = 3,
                            .rows = rows,
                            .modes = modes,
                            .side = {1}};
        const ic_parameter_set got = {.rows = rows, .modes = modes, .n_rows = 3};
        compute_coefficients(coefficients, &at.frequency, &shape, set);
        set->problem->variant->start.apply(x, 0, x, set->par);
        memcpy(at.x, x, sizeof x);
        if (planted == 1) coefficients[1].step[0][1] *= 1 + 1e-8;
        ic_batch_wide.follow(&shape, &at, 1, 0, NULL);
        CU_ASSERT_EQUAL(at.outcome, IC_BATCH_FINISHED);
        ic_state_scales(set->problem, least);
        CU_ASSERT_EQUAL(greatest_deviation(&got, set, least, 5) <= CLOSE, planted == 0);
    }
}

/* ---- toys: x'' = -x, with guards of all kinds */

enum { X, V };

static void flow_of_swing(double *dxdt, double t, const double *x, const double *par)
{
    (void)t, (void)par;
    dxdt[X] = x[V];
    dxdt[V] = -x[X];
}
static const char *const swing_linear[] = {"v", "-x"};

IC_TESTS_VALUE(guard_level, x[X] - par[0])
IC_TESTS_VALUE(guard_twice, 2 * guard_level(t, x, par))
IC_TESTS_VALUE(condition_above, guard_level(t, x, par) - 0.0625)
IC_TESTS_VALUE(rate_of_level, x[V])
IC_TESTS_VALUE(rate_of_twice, 2 * rate_of_level(t, x, par))

static int keep_state(double *x_post, double t, const double *x_pre, const double *par)
{
    (void)t, (void)par;
    x_post[X] = x_pre[X];
    x_post[V] = x_pre[V];
    return 0;
}

static int reverse_velocity(double *x_post, double t, const double *x_pre, const double *par)
{
    keep_state(x_post, t, x_pre, par);
    x_post[V] = -x_pre[V];
    return x_pre[V] > 0 ? 0 : 1;
}

/* Between -1 and 1, faster in one direction than in the other. */
static int set_speed(double *x_post, double t, const double *x_pre, const double *par)
{
    keep_state(x_post, t, x_pre, par);
    x_post[V] = x_pre[V] > 0 ? x_pre[V] + 0.25 : x_pre[V];
    return x_pre[V] > 0 ? 0 : 1;
}

static int start_swing(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[X] = par[1];
    x[V] = par[2];
    return 0;
}

enum { RUNS, OVER };

static const char *const turned[] = {"x", "-v"}, *const pushed[] = {"x", "v + 1/4"},
                         *const started[] = {"x0", "v0"};
static const ic_branch keeps[] = {{.mode = IC_SAME_MODE}};
static const ic_branch turns[] = {{.mode = IC_SAME_MODE, .condition = "v", .state = turned},
                                  {.mode = IC_SAME_MODE, .state = turned}};
static const ic_branch pushes[] = {{.mode = IC_SAME_MODE, .condition = "v", .state = pushed},
                                   {.mode = IC_SAME_MODE}};
static const ic_branch ends[] = {{.mode = OVER}};
static const ic_branch starts[] = {{.mode = RUNS, .state = started}};
static const ic_branch starts_departing[] = {{.mode = RUNS, .state = started, IC_DEPARTS(0, 1, +1)}};

#define GUARD(name_, direction_, value_, rate_, linear_, ...)                                                  \
    {                                                                                                          \
        .name = name_, .unit = "m", .meaning = "", .direction = direction_, .value = value_, .rate = rate_,    \
        .linear = linear_, .jump = __VA_ARGS__                                                                 \
    }
#define LEVEL(direction_, ...) GUARD("level", direction_, guard_level, rate_of_level, "x - a", __VA_ARGS__)

static const ic_guard silent[] = {LEVEL(0, IC_LINEAR_JUMP(keep_state, keeps))};
static const ic_guard turning[] = {LEVEL(0, IC_LINEAR_JUMP(reverse_velocity, turns))};
static const ic_guard pushing[] = {LEVEL(0, IC_LINEAR_JUMP(set_speed, pushes))};
static const ic_guard ending[] = {LEVEL(-1, IC_LINEAR_JUMP(keep_state, ends))};
static const ic_guard tied[] = {
    LEVEL(-1, IC_LINEAR_JUMP(keep_state, keeps)),
    GUARD("twice", -1, guard_twice, rate_of_twice, "2*(x - a)", IC_LINEAR_JUMP(keep_state, keeps))};
static const ic_guard successive[] = {
    LEVEL(-1, IC_LINEAR_JUMP(keep_state, keeps)),
    GUARD("above", -1, condition_above, rate_of_level, "x - a - 1/16", IC_LINEAR_JUMP(keep_state, ends))};
/* two guards on one zero */
static const ic_guard both_ways[] = {
    LEVEL(-1, IC_LINEAR_JUMP(keep_state, keeps)),
    GUARD("back", +1, guard_level, rate_of_level, "x - a", IC_LINEAR_JUMP(keep_state, keeps))};
/* the second one fires again at the start of the phase after the first */
static const ic_guard beyond[] = {LEVEL(-1, IC_LINEAR_JUMP(keep_state, keeps)),
                                  GUARD("above", -1, condition_above, rate_of_level, "x - a - 1/16",
                                        IC_LINEAR_JUMP(keep_state, keeps), .onset = IC_ONSET_LEVEL)};
static const ic_guard rising[] = {
    LEVEL(0, IC_LINEAR_JUMP(keep_state, keeps), .enabled = rate_of_level, .linear_enabled = "v")};

static const ic_parameter parameters[] = {{"a", "m", "", "0", "(-inf, inf)"},
                                          {"x0", "m", "", "0", "(-inf, inf)"},
                                          {"v0", "m/s", "", "0", "(-inf, inf)"}};
static const ic_state states[] = {{"x", "m", "", "1"}, {"v", "m/s", "", "1"}};

enum { TOY_ROWS = 6, MOST_TOY = 3 };

typedef struct toy {
    const ic_guard *guards;
    size_t n_guards;
    double a, x0, v0;

    /* s; 0: 3 */
    double period;

    /* from zero at the start, upwards, as declared */
    bool departs;

    ic_status status;
    double events;

    /* at the end */
    int mode;
} toy;

/* Runs the toy by every kernel and, where it supports the toy, by the solver. */
static void check_toy(const toy *y)
{
    const double period = y->period > 0 ? y->period : 3;
    const ic_batch_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    const ic_mode modes[] = {
        {.name = "runs",
         .meaning = "",
         .flow = flow_of_swing,
         .linear = swing_linear,
         .guards = y->guards,
         .n_guards = y->n_guards},
        {.name = "over", .meaning = "", .flow = flow_of_swing, .linear = swing_linear, .terminal = true}};
    const ic_jump first = {start_swing, y->departs ? starts_departing : starts, 1, true, NULL};
    const ic_variant variant = {.name = "toy", .meaning = "", .modes = modes, .n_modes = 2, .start = first};
    const ic_case system = {IC_ABI(ic_case),   .name = "toy",    .title = "toy", .parameters = parameters,
                            .n_parameters = 3, .states = states, .n_states = 2,  .variants = &variant,
                            .n_variants = 1,   .time_scale = "1"};
    const double par[] = {y->a, y->x0, y->v0};
    const ic_problem problem = {.system = &system, .variant = &variant, .par = par, .t_end = TOY_ROWS * period};
    const ic_sweep_plan plan = {.problem = &problem,
                                .solver = ic_solver_find("piecewise_linear"),
                                .keep = TOY_ROWS,
                                .record = IC_RECORD_STROBE,
                                .n_columns = 2};
    double rows[2][TOY_ROWS * 2];
    unsigned char modes_at[2][TOY_ROWS];
    ic_parameter_set expected = {.par = par,
                                 .problem = &problem,
                                 .period = period,
                                 .n_rows = TOY_ROWS,
                                 .rows = rows[0],
                                 .modes = modes_at[0]};
    CU_ASSERT_EQUAL_FATAL(ic_parameter_sets_by_solver(&plan, &expected, 1), IC_OK);
    for (size_t k = 0; k < n; k++) {
        ic_parameter_set set = expected;
        set.rows = rows[1];
        set.modes = modes_at[1];
        set.status = IC_OK;
        CU_ASSERT_EQUAL(ic_parameter_sets_by_kernel(&plan, kernels[k], &set, 1), IC_OK);
        CU_ASSERT_EQUAL(set.status, y->status);
        if (set.status != IC_OK) continue;
        CU_ASSERT_EQUAL(set.events, y->events);
        CU_ASSERT_EQUAL(expected.events, y->events);
        CU_ASSERT_EQUAL(set.modes[TOY_ROWS - 1], y->mode);
        CU_ASSERT_TRUE(greatest_deviation(&set, &expected, (const double[]){1, 1}, 2) <= CLOSE);
    }
}

#define TOY(guards_, ...)                                                                                      \
    check_toy(&(const toy){.guards = (guards_), .n_guards = IC_COUNT(guards_), __VA_ARGS__})

IC_TEST(test_toys)
{
    /* 18 s of x = sin t: five zeros, pi to 5 pi */
    TOY(silent, .v0 = 1, .departs = true, .events = 5);
    TOY(silent, .v0 = 1, .events = 5);
    TOY(silent, .a = 0.5, .v0 = 1, .events = 6);
    TOY(ending, .v0 = 1, .events = 1, .mode = OVER);
    TOY(both_ways, .a = 0.3, .x0 = 2, .events = 6);
    TOY(rising, .a = 0.5, .v0 = 1, .events = 3);
    /* stays above, where the second branch turns it */
    TOY(turning, .a = 0.5, .x0 = 2, .v0 = 0.3, .events = 7);
    TOY(turning, .a = 0.5, .v0 = 1, .events = 5);
    TOY(pushing, .a = 0.25, .v0 = 1, .events = 6);
    TOY(ending, .a = 0.5, .v0 = 1, .events = 1, .mode = OVER);
    /* two guards cross in one part: the second one first */
    TOY(successive, .a = 0.25, .v0 = 1, .events = 1, .mode = OVER);
    /* pairs of crossings within a part, where the guard is flat */
    TOY(silent, .a = 0.999, .v0 = 1, .events = 6);
    TOY(silent, .a = 0.99999999, .v0 = 1, .events = 6);
    TOY(silent, .a = 1.001, .v0 = 1, .events = 0);
    /* periods whose parts, with the rounding of their sums, do not end with them */
    for (int i = 1; i < 40; i++) TOY(silent, .a = 2, .v0 = 1, .period = 0.01 * i);
}

IC_TEST(test_toys_that_leave)
{
    TOY(tied, .a = 0.5, .v0 = 1, .status = IC_UNSUPPORTED); /* at one instant */
    /* at zero at the start: level, or fires there */
    TOY(silent, .status = IC_UNSUPPORTED);
    TOY(ending, .v0 = -1, .status = IC_UNSUPPORTED);
    TOY(both_ways, .v0 = 1, .status = IC_UNSUPPORTED);
    /* fires beyond zero, at the start and after a jump */
    TOY(beyond, .x0 = -0.5, .status = IC_UNSUPPORTED);
    TOY(beyond, .x0 = 1, .status = IC_UNSUPPORTED);
    TOY(silent, .a = 1, .v0 = 1, .status = IC_UNSUPPORTED);                          /* a touch */
    TOY(silent, .v0 = 1, .departs = true, .period = 4000, .status = IC_UNSUPPORTED); /* a crowd */
}

/* ---- the detailed search */

/* Location of a zero within [-1, 1] of polynomials with a slope of at least 1/2: a few units in the
   last place. */
#define ROUNDING (4 * DBL_EPSILON)

static ic_lane_event search_in_detail(const ic_lane_guard *guards, int n)
{
    ic_lane_event found;
    ic_lane_search(&found, guards, n, 0);
    return found;
}

IC_TEST(test_lane_search)
{
    /* (u - 1/4)(u + 1/2): falls at -1/2, rises at 1/4 */
    const ic_lane_guard pair = {.a = {-0.125, 0.25, 1}, .side = 1, .direction = -1};
    ic_lane_guard guard = pair;
    ic_lane_event found = search_in_detail(&guard, 1);
    CU_ASSERT_EQUAL(found.outcome, 0);
    CU_ASSERT_DOUBLE_EQUAL(found.u, -0.5, ROUNDING);
    guard.direction = +1;
    found = search_in_detail(&guard, 1);
    CU_ASSERT_EQUAL(found.outcome, 0);
    CU_ASSERT_DOUBLE_EQUAL(found.u, 0.25, ROUNDING);
    guard.a[0] = 0.02; /* planted: lifted, it has no zero */
    CU_ASSERT_EQUAL(search_in_detail(&guard, 1).outcome, IC_LANE_NO_EVENT);
    guard.a[0] = 1.0 / 64; /* (u + 1/8)^2 */
    CU_ASSERT_EQUAL(search_in_detail(&guard, 1).outcome, IC_LANE_UNDECIDED);
    guard.a[0] = 1.0 / 64 + 1e-9;
    CU_ASSERT_EQUAL(search_in_detail(&guard, 1).outcome, IC_LANE_NO_EVENT);
    CU_ASSERT_EQUAL(search_in_detail(&guard, 1).side[0], 1);
    guard.a[0] = 1.0 / 64 - 1e-9;
    CU_ASSERT_EQUAL(search_in_detail(&guard, 1).outcome, 0);
}

IC_TEST(test_close_condition)
{
    /* the zero at -1/2 counts where u + c > 0 there */
    ic_lane_guard guard = {.a = {-0.125, 0.25, 1}, .condition = {0, 1}, .conditional = true, .side = 1};
    ic_lane_event found = search_in_detail(&guard, 1);
    CU_ASSERT_EQUAL(found.outcome, 0);
    CU_ASSERT_DOUBLE_EQUAL(found.u, 0.25, ROUNDING);
    guard.condition[0] = 0.6;
    CU_ASSERT_DOUBLE_EQUAL(search_in_detail(&guard, 1).u, -0.5, ROUNDING);
    guard.condition[0] = -1;
    found = search_in_detail(&guard, 1);
    CU_ASSERT_EQUAL(found.outcome, IC_LANE_NO_EVENT);
    CU_ASSERT_EQUAL(found.side[0], 1); /* there and back */
    guard.condition[0] = 0.5;          /* zero with the guard */
    CU_ASSERT_EQUAL(search_in_detail(&guard, 1).outcome, IC_LANE_UNDECIDED);
}

IC_TEST(test_close_starts)
{
    /* (u + 1)(1/2 - u): departs upwards, comes back at 1/2 */
    ic_lane_guard guard = {.a = {0.5, -0.5, -1}, .side = 1, .order = 1};
    ic_lane_event found = search_in_detail(&guard, 1);
    CU_ASSERT_EQUAL(found.outcome, 0);
    CU_ASSERT_DOUBLE_EQUAL(found.u, 0.5, ROUNDING);
    guard.side = -1; /* planted: it does not depart there */
    CU_ASSERT_EQUAL(search_in_detail(&guard, 1).outcome, IC_LANE_UNDECIDED);
    guard.side = 1;
    guard.order = 0; /* planted: at zero, and not declared */
    CU_ASSERT_EQUAL(search_in_detail(&guard, 1).outcome, IC_LANE_UNDECIDED);
    /* (u + 1)^2 (1/2 - u) */
    const ic_lane_guard level_start = {.a = {0.5, 0, -1.5, -1}, .side = 1, .order = 2};
    found = search_in_detail(&level_start, 1);
    CU_ASSERT_EQUAL(found.outcome, 0);
    CU_ASSERT_DOUBLE_EQUAL(found.u, 0.5, ROUNDING);
}

IC_TEST(test_close_two)
{
    const ic_lane_guard early = {.a = {-0.25, -1}, .side = 1, .direction = -1};
    const ic_lane_guard late = {.a = {0.25, -1}, .side = 1, .direction = -1};
    ic_lane_event found = search_in_detail((const ic_lane_guard[]){late, early}, 2);
    CU_ASSERT_EQUAL(found.outcome, 1);
    CU_ASSERT_DOUBLE_EQUAL(found.u, -0.25, ROUNDING);
    CU_ASSERT_EQUAL(search_in_detail((const ic_lane_guard[]){early, early}, 2).outcome, IC_LANE_UNDECIDED);
    ic_lane_guard other = early; /* the other way: passes */
    other.direction = +1;
    found = search_in_detail((const ic_lane_guard[]){late, other}, 2);
    CU_ASSERT_EQUAL(found.outcome, 0);
    CU_ASSERT_DOUBLE_EQUAL(found.u, 0.25, ROUNDING);
}
