/* SPDX-License-Identifier: MIT */
/**
 * The method "series": every kernel that runs here, and one of eight lanes for any processor, against the
 * solver `taylor`; the same bits from all of them, whatever the neighbours; wrong numbers; lack of memory.
 */
#include "core/model.h"
#include "sweep/series/lanes.h"
#include "sweep/sweep.h"
#include "tests/allocations.h"
#include "tests/sweep/solved.h"

IC_SUITE(solvers, "lanes")

#define MACHINES IC_TEST_SOURCE_DIR "/examples/machines/"

/* Eight lanes in instructions of any processor: see CMakeLists.txt. */
extern const ic_lanes_kernel ic_lanes_wide;

enum { MOST_KERNELS = 8 };

static size_t list_kernels(const ic_lanes_kernel *kernels[MOST_KERNELS])
{
    size_t n = 0;
    for (size_t i = 0; i < ic_lanes_kernel_count; i++) {
        if (ic_lanes_kernels[i]->runs_here()) kernels[n++] = ic_lanes_kernels[i];
    }
    kernels[n++] = &ic_lanes_wide;
    return n;
}

static void open_by_taylor(solved *s, const char *path, const char *vary, const char *record, size_t skip,
                           size_t keep)
{
    ic_sweep_request request = request_of(path, vary, record, skip, keep);
    request.solver = "taylor";
    request.options = (ic_options){.rtol = 1e-11};
    open_solved(s, &request);
}

static size_t numbers_of(const solved *s)
{
    return s->chunk.sets[0].n_rows * s->sweep.plan.n_columns;
}

/* Solves the sets from `first` on again by a kernel. */
static ic_status solve_in_lanes(solved *s, const ic_lanes_kernel *kernel, size_t first, size_t n)
{
    for (size_t i = first; i < first + n; i++) s->chunk.sets[i].status = IC_OK;
    return ic_parameter_sets_in_lanes(&s->sweep.plan, kernel, s->chunk.sets + first, n);
}

/* Errors of both at a tolerance of 1e-11, which the periods amplify; in typical magnitudes. */
#define CLOSE 1e-8

/* Number of sets that differ from the expected ones. */
static size_t count_wrong(const solved *got, const solved *expected, double *left)
{
    size_t wrong = 0;
    const size_t n_columns = got->sweep.plan.n_columns;
    *left = 0;
    for (size_t i = 0; i < got->chunk.n; i++) {
        const ic_parameter_set *a = &got->chunk.sets[i], *b = &expected->chunk.sets[i];
        double scale[IC_MAX_STATES], off = 0;
        ic_state_scales(b->problem, scale);
        for (size_t k = 0; k < numbers_of(got); k++) {
            const double size = got->sweep.plan.record == IC_RECORD_STROBE
                                    ? fmax(scale[k % n_columns], fabs(b->rows[k]))
                                    : fabs(b->rows[k]) + 1;
            if (isnan(a->rows[k]) && isnan(b->rows[k])) continue;
            const double difference = fabs(a->rows[k] - b->rows[k]) / size;
            off = difference <= off ? off : difference; /* NAN counts */
        }
        const bool good = a->status == b->status && a->events == b->events &&
                          memcmp(a->modes, b->modes, a->n_rows) == 0 && off <= CLOSE;
        *left += a->phases_left;
        wrong += !good;
    }
    return wrong;
}

/* Every kernel against the solver. `most_left`: greatest number of phases that are left to the solver. */
static void check_sweep(const char *path, const char *vary, const char *record, size_t skip, size_t keep,
                        double most_left)
{
    const ic_lanes_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    IC_OWN(solved) expected, got;
    double events = 0;
    open_by_taylor(&expected, path, vary, record, skip, keep);
    open_by_taylor(&got, path, vary, record, skip, keep);
    for (size_t i = 0; i < expected.chunk.n; i++) events += expected.chunk.sets[i].events;
    CU_ASSERT_TRUE(events > 0);
    for (size_t k = 0; k < n; k++) {
        double left = 0;
        CU_ASSERT_EQUAL(solve_in_lanes(&got, kernels[k], 0, got.chunk.n), IC_OK);
        const size_t wrong = count_wrong(&got, &expected, &left);
        if (wrong > 0 || left > most_left)
            printf("%s, %s: %zu of %zu sets are wrong, %g phases left\n", path, kernels[k]->name, wrong,
                   got.chunk.n, left);
        CU_ASSERT_EQUAL(wrong, 0);
        CU_ASSERT_TRUE(left <= most_left);
    }
}

IC_TEST(test_smooth)
{
    check_sweep(MACHINES "duffing-stop.yaml", "omega=1.2:1.4:13", "strobe", 1, 3, 0);
    check_sweep("rocking-block/free", "alpha=0.1:0.2:9", "strobe", 0, 2, 0);
    check_sweep("pendulum-wall/double", "m2=0.9:1:5", "strobe", 0, 1, 0);
    check_sweep("pendulum-wall/single", "m2=0.9:1:5", "strobe", 0, 2, 0);
    check_sweep("painleve-rod/glocker", "mu=0.6:0.7:5", "strobe", 0, 1, 0);
}

IC_TEST(test_friction)
{
    check_sweep("stick-slip/hyperbolic", "v_s=0.4:0.6:5", "strobe", 0, 2, 0);
    check_sweep("stick-slip/forced-belt", "c1=0.1:0.2:5", "strobe", 0, 2, 0);
    check_sweep("stick-slip/den-hartog-stops", "mu_s=0.2:0.3:5", "strobe", 0, 2, 0);
    check_sweep("spinning-ball-3d/compliant", "R=0.01:0.02:5", "strobe", 0, 1, 0);
}

/* The root of the indentation passes both ends of a contact: nothing is left to the solver. */
IC_TEST(test_contact)
{
    check_sweep("roller/law", "F_w=5e4:6e4:13", "strobe", 1, 3, 0);
    check_sweep("ball/hunt-crossley", "R=0.01:0.02:5", "strobe", 0, 1, 0);
    check_sweep("ball/C1/0.5000", "R=0.01:0.02:5", "strobe", 0, 1, 0);
    check_sweep("dem/sliding", "R_1=0.01:0.02:5", "strobe", 0, 1, 0);
}

/* Affine systems, stops at which impacts accumulate, kinks: some phases are left. */
IC_TEST(test_others)
{
    check_sweep("impact-oscillator/shaken", "c=0.08:0.12:9", "strobe", 0, 3, 200);
    check_sweep("impact-oscillator/forced-elastic", "gap_r=0.4:0.6:5", "strobe", 0, 2, 200);
    check_sweep("bouncing-ball/lively", "e=0.5:0.8:5", "strobe", 0, 1, 400);
    check_sweep("two-mass/example-1", "k1=100:120:5", "strobe", 0, 1, 200);
    check_sweep("rocking-block/shaken", "alpha=0.1:0.2:5", "strobe", 0, 1, 200);
    check_sweep("woodpecker/start-1995", "m_M=0.0003:0.00031:5", "strobe", 0, 1, 400);
    check_sweep("dem/test-4/mindlin", "R_1=0.01:0.02:3", "strobe", 0, 1, 200);
}

/*
 * Sets whose states, from the column `first` on, end as multiples of their parameter. `most_left`: the greatest number of
 * phases of a set that are left to the solver.
 */
static void check_ends(const char *path, const char *vary, size_t first, const double *right, size_t n_right,
                       double most_left)
{
    const ic_lanes_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    IC_OWN(solved) s;
    open_by_taylor(&s, path, vary, "strobe", 0, 1);
    for (size_t k = 0; k < n; k++) {
        CU_ASSERT_EQUAL(solve_in_lanes(&s, kernels[k], 0, s.chunk.n), IC_OK);
        for (size_t i = 0; i < s.chunk.n; i++) {
            for (size_t j = 0; j < n_right; j++)
                CU_ASSERT_DOUBLE_EQUAL(s.chunk.sets[i].rows[first + j], right[j] * s.chunk.sets[i].par[0],
                                       CLOSE);
            CU_ASSERT_TRUE(s.chunk.sets[i].phases_left <= most_left);
        }
    }
}

/* Sets in which a bump is hidden where steps begin (audit/traps/hidden_bump.c). */
IC_TEST(test_hidden_bumps)
{
    const double pi = acos(-1), right[] = {-sqrt(pi), -2, -2 * (pi / 40) / sin(pi / 40)};
    check_ends(IC_TEST_SOURCE_DIR "/tests/sweep/bumps.yaml", "s=0.02:0.05:11", 2, right, IC_COUNT(right), 0);
}

/* A pulse of 2 ms at the extreme of a guard in a step of 100 s, and an angle that jumps at the cut 16 times. */
IC_TEST(test_jumps)
{
    const double since = 100 - 32 * acos(-1), right[] = {0.002, since * since / 2};
    check_ends(IC_TEST_SOURCE_DIR "/tests/sweep/jumps.yaml/pulse", "A=1:2:3", 0, right, 1, 0);
    check_ends(IC_TEST_SOURCE_DIR "/tests/sweep/jumps.yaml/angle", "A=1:2:3", 0, right, IC_COUNT(right), 3);
}

IC_TEST(test_extremes)
{
    check_sweep(MACHINES "duffing-stop.yaml", "omega=1.2:1.4:5", "peak", 1, 2, 0);
    check_sweep("roller/law", "F_w=5e4:6e4:5", "contact_force", 1, 2, 0);
}

/* All kernels, and all companies of lanes, give the same bits. */
IC_TEST(test_bits)
{
    static const char *const paths[][2] = {{MACHINES "duffing-stop.yaml", "omega=1.2:1.4:11"},
                                           {"roller/law", "F_w=5e4:6e4:11"},
                                           {"stick-slip/hyperbolic", "v_s=0.4:0.6:11"},
                                           {"pendulum-wall/double", "m2=0.9:1:11"}};
    const ic_lanes_kernel *kernels[MOST_KERNELS];
    const size_t n = list_kernels(kernels);
    for (size_t i = 0; i < IC_COUNT(paths); i++) {
        IC_OWN(solved) first, other;
        open_by_taylor(&first, paths[i][0], paths[i][1], "strobe", 0, 3);
        open_by_taylor(&other, paths[i][0], paths[i][1], "strobe", 0, 3);
        const size_t bytes = first.chunk.n * numbers_of(&first) * sizeof(double);
        CU_ASSERT_NOT_EQUAL(
            memcmp(first.chunk.rows, first.chunk.rows + numbers_of(&first), bytes / first.chunk.n), 0);
        CU_ASSERT_EQUAL(solve_in_lanes(&first, kernels[0], 0, first.chunk.n), IC_OK);
        for (size_t k = 0; k < n; k++) {
            CU_ASSERT_EQUAL(solve_in_lanes(&other, kernels[k], 0, other.chunk.n), IC_OK);
            CU_ASSERT_EQUAL(memcmp(first.chunk.rows, other.chunk.rows, bytes), 0);
            memset(other.chunk.rows, 0, bytes);
            for (size_t set = 0; set < other.chunk.n; set++)
                CU_ASSERT_EQUAL(solve_in_lanes(&other, kernels[k], set, 1), IC_OK);
            CU_ASSERT_EQUAL(memcmp(first.chunk.rows, other.chunk.rows, bytes), 0);
        }
    }
}

/* Planted: the sets of a neighbouring parameter are no answer. */
IC_TEST(test_planted)
{
    IC_OWN(solved) expected, got;
    double left = 0;
    open_by_taylor(&expected, "roller/law", "F_w=58800:58800:1", "strobe", 1, 3);
    open_by_taylor(&got, "roller/law", "F_w=58801:58801:1", "strobe", 1, 3);
    CU_ASSERT_EQUAL(solve_in_lanes(&got, &ic_lanes_wide, 0, 1), IC_OK);
    CU_ASSERT_EQUAL(count_wrong(&got, &expected, &left), 1);
}

IC_TEST(test_stopped)
{
    static const volatile sig_atomic_t stop = 1;
    IC_OWN(solved) s;
    open_by_taylor(&s, "roller/law", "F_w=5e4:6e4:5", "strobe", 0, 1);
    s.sweep.plan.stop = &stop;
    for (size_t i = 0; i < s.chunk.n; i++) ic_parameter_set_clear(&s.sweep.plan, &s.chunk.sets[i]);
    CU_ASSERT_EQUAL(solve_in_lanes(&s, &ic_lanes_wide, 0, s.chunk.n), IC_OK);
    CU_ASSERT_TRUE(isnan(s.chunk.sets[0].rows[0]));
}

IC_TEST(test_registered)
{
    ic_sweep sweep;
    ic_error error = {""};
    ic_sweep_request request = {.request = {.path = "roller/law"}, .record = "strobe", .keep = 1};
    CU_ASSERT_TRUE_FATAL(ic_grid_add(&request.grid, "F_w=5e4:6e4:5", &error));
    CU_ASSERT_TRUE_FATAL(ic_sweep_open(&sweep, &request, &error));
    CU_ASSERT_TRUE(strcmp(sweep.method->name, "series") == 0 || !ic_sweep_fuses());
    ic_sweep_close(&sweep);
    request.solver = "dop853"; /* requested, and chosen */
    CU_ASSERT_TRUE_FATAL(ic_sweep_open(&sweep, &request, &error));
    CU_ASSERT_STRING_EQUAL(sweep.method->name, "scalar");
    ic_sweep_close(&sweep);
    request.method = "series";
    CU_ASSERT_FALSE(ic_sweep_open(&sweep, &request, &error));
    request.solver = "taylor";
    request.request.path = "rotating-beam/main"; /* in C: it has no equations as text */
    request.grid = (ic_grid){0};
    CU_ASSERT_TRUE_FATAL(ic_grid_add(&request.grid, "l=0.4:0.41:2", &error));
    CU_ASSERT_FALSE(ic_sweep_open(&sweep, &request, &error));
}

/* Each allocation fails in turn: an error, or the same rows if one can do without; and nothing leaks. */
IC_TEST(test_memory)
{
    IC_OWN(solved) s;
    size_t failures = 0;
    open_by_taylor(&s, "roller/law", "F_w=5e4:6e4:3", "strobe", 0, 1);
    CU_ASSERT_EQUAL(solve_in_lanes(&s, &ic_lanes_wide, 0, s.chunk.n), IC_OK);
    const double row = s.chunk.sets[2].rows[0];
    for (size_t i = 0;; i++) {
        ic_allocations_begin(i);
        const ic_status status = solve_in_lanes(&s, &ic_lanes_wide, 0, s.chunk.n);
        const ic_allocations seen = ic_allocations_end();
        CU_ASSERT_TRUE(seen.left <= 0);
        if (!seen.failed) break;
        CU_ASSERT_TRUE(status == IC_NO_MEMORY || (status == IC_OK && s.chunk.sets[2].rows[0] == row));
        failures += status == IC_NO_MEMORY;
    }
    CU_ASSERT_TRUE(failures > 10);
}
