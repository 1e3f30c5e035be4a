/* SPDX-License-Identifier: MIT */
/**
 * Readers of outside bytes: the fuzzer's seeds keep every promise, with memory and without, and
 * wrong readers break one.
 */
#include "audit/common/finding.h"
#include "audit/plugin/plugin.h"
#include "tests/allocations.h"
#include "tests/fuzz/fuzz.h"
#include "tests/tests.h"

#include <dirent.h>

IC_SUITE(light, "readers of outside bytes")

/* ---- the stored bytes */

enum { MOST_SEED = 1 << 16, LEAST_SEEDS = 8, MOST_FAILURES = 500 };

typedef struct seed {
    char name[512];
    uint8_t bytes[MOST_SEED];
    size_t size;
} seed;

static bool read_seed(seed *s, const char *target, const char *name)
{
    snprintf(s->name, sizeof s->name, "%s/tests/fuzz/corpus/%s/%s", IC_TEST_SOURCE_DIR, target, name);
    FILE *stream = fopen(s->name, "rb");
    if (stream == NULL) return false;
    s->size = fread(s->bytes, 1, sizeof s->bytes, stream);
    fclose(stream);
    return s->size < sizeof s->bytes;
}

/* Every promise is kept, and no memory leaks. */
static void run_seed(const seed *s, ic_fuzz_target *target)
{
    ic_allocations_begin(IC_NO_FAILURE);
    const char *broken = target(s->bytes, s->size);
    const ic_allocations used = ic_allocations_end();
    CU_ASSERT_PTR_NULL(broken);
    CU_ASSERT(used.left <= 0); /* below zero: the C library's memory was released */
    if (broken != NULL) printf("\n  %s: %s\n", s->name, broken);
    if (used.left > 0) printf("\n  %s: %td bytes are left\n", s->name, used.left);
}

/* The same where each of the first allocations fails. */
static void run_seed_without_memory(const seed *s, ic_fuzz_target *target)
{
    ic_allocations used = {.failed = true};
    for (size_t i = 0; i < MOST_FAILURES && used.failed; i++) {
        ic_allocations_begin(i);
        const char *broken = target(s->bytes, s->size);
        used = ic_allocations_end();
        CU_ASSERT_PTR_NULL(broken);
        CU_ASSERT(used.left <= 0);
        if (broken != NULL || used.left > 0)
            printf("\n  %s, without memory in call %zu: %s, %td bytes are left\n", s->name, i,
                   broken != NULL ? broken : "", used.left);
    }
}

static void test_seeds_of(const char *name, ic_fuzz_target *target)
{
    char folder[512];
    size_t n = 0;
    seed *s = malloc(sizeof *s);
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", IC_TEST_SOURCE_DIR, name);
    DIR *files = opendir(folder);
    CU_ASSERT_PTR_NOT_NULL(files);
    for (struct dirent *file; files != NULL && s != NULL && (file = readdir(files)) != NULL;) {
        if (file->d_name[0] == '.') continue;
        CU_ASSERT_TRUE(read_seed(s, name, file->d_name));
        run_seed(s, target);
        run_seed_without_memory(s, target);
        n++;
    }
    if (files != NULL) closedir(files);
    free(s);
    CU_ASSERT(n >= LEAST_SEEDS);
}

#define IC_FUZZ_TARGET(name_, reader_)                                                                         \
    IC_TEST(test_seeds_of_##name_)                                                                             \
    {                                                                                                          \
        test_seeds_of(#name_, ic_fuzz_##name_);                                                                \
    }
#include "tests/fuzz/targets.def"
#undef IC_FUZZ_TARGET

/* ---- readers with one mistake each, which a stored input shows */

/* The target reports, for this reader and seed, the broken promise. */
#define REJECTS(by_, wrong_, target_, seed_, promise_)                                                         \
    do {                                                                                                       \
        seed *s = malloc(sizeof *s);                                                                           \
        CU_ASSERT_PTR_NOT_NULL_FATAL(s);                                                                       \
        CU_ASSERT_TRUE(read_seed(s, target_, seed_));                                                          \
        const char *broken = by_(wrong_, s->bytes, s->size);                                                   \
        CU_ASSERT_PTR_NOT_NULL(broken);                                                                        \
        CU_ASSERT_STRING_EQUAL(broken != NULL ? broken : "", promise_);                                        \
        free(s);                                                                                               \
    } while (0)

static bool read_inexactly(const char *text, double *value)
{
    const bool good = ic_csv_parse_number(text, value);
    *value = nextafter(*value, INFINITY);
    return good;
}

static bool read_to_first_comma(const char *text, double *value)
{
    char *end = NULL;
    *value = strtod(text, &end);
    return end != text;
}

IC_TEST(test_wrong_numbers)
{
    REJECTS(ic_fuzz_number_by, read_inexactly, "number", "exponent", "it has the C library's value");
    REJECTS(ic_fuzz_number_by, read_to_first_comma, "number", "comma",
            "a number is one exactly where the C library reads one");
}

static bool read_degrees(double *value, const char *text, const ic_names *names, ic_error *error)
{
    const bool good = ic_expression_number(value, text, names, error);
    *value *= 180 / M_PI;
    return good;
}

static bool refuse_silently(double *value, const char *text, const ic_names *names, ic_error *error)
{
    (void)error;
    return ic_expression_number(value, text, names, NULL);
}

static bool accept_all_settings(ic_parameters *parameters, const char *settings, ic_error *error)
{
    ic_parameters_set_list(parameters, settings, NULL);
    (void)error;
    return false;
}

static bool sum_of_counts(ic_grid *grid, const char *text, ic_error *error)
{
    const size_t before = grid->n_sets;
    const bool good = ic_grid_add(grid, text, error);
    if (good) grid->n_sets = before + grid->axes[grid->n_axes - 1].count;
    return good;
}

IC_TEST(test_wrong_requests)
{
    REJECTS(ic_fuzz_expression_by, read_degrees, "expression", "pi-fraction",
            "both parsers read the same value");
    REJECTS(ic_fuzz_expression_by, refuse_silently, "expression", "unknown", "a refusal says why");
    REJECTS(ic_fuzz_settings_by, accept_all_settings, "settings", "unknown", "a refusal says why");
    REJECTS(ic_fuzz_axis_by, sum_of_counts, "axis", "two", "the lanes are the product of the counts");
}

static bool swap_times(ic_trajectory *tr, FILE *stream, const char *path, const ic_problem *problem,
                       const ic_trajectory_reading *reading, ic_error *error)
{
    if (!ic_trajectory_read(tr, stream, path, problem, reading, error)) return false;
    const double first = tr->t[0];
    tr->t[0] = tr->t[1];
    tr->t[1] = first;
    return true;
}

static bool make_infinite(ic_trajectory *tr, FILE *stream, const char *path, const ic_problem *problem,
                          const ic_trajectory_reading *reading, ic_error *error)
{
    if (!ic_trajectory_read(tr, stream, path, problem, reading, error)) return false;
    tr->x[tr->n * tr->n_states - 1] = NAN;
    return true;
}

static bool drop_last_row(ic_trajectory *tr, FILE *stream, const char *path, const ic_problem *problem,
                          const ic_trajectory_reading *reading, ic_error *error)
{
    if (!ic_trajectory_read(tr, stream, path, problem, reading, error)) return false;
    tr->n--;
    return true;
}

/* Reads what a C string holds, as a reader by lines does. */
static bool read_to_zero_byte(ic_trajectory *tr, FILE *stream, const char *path, const ic_problem *problem,
                              const ic_trajectory_reading *reading, ic_error *error)
{
    char text[4096];
    const size_t n = fread(text, 1, sizeof text - 1, stream);
    text[n] = '\0';
    FILE *shorter = fmemopen(text, strlen(text), "r");
    if (shorter == NULL) return false;
    const bool good = ic_trajectory_read(tr, shorter, path, problem, reading, error);
    fclose(shorter);
    return good;
}

static bool refuse_without_place(ic_trajectory *tr, FILE *stream, const char *path, const ic_problem *problem,
                                 const ic_trajectory_reading *reading, ic_error *error)
{
    if (ic_trajectory_read(tr, stream, path, problem, reading, error)) return true;
    ic_error_set(error, "%s: it is wrong", path);
    return false;
}

static bool leak_memory(ic_trajectory *tr, FILE *stream, const char *path, const ic_problem *problem,
                        const ic_trajectory_reading *reading, ic_error *error)
{
    if (ic_trajectory_read(tr, stream, path, problem, reading, error)) return true;
    CU_ASSERT_TRUE(ic_trajectory_open(tr, 1, problem->system->n_states, false));
    return false;
}

IC_TEST(test_wrong_trajectories)
{
    REJECTS(ic_fuzz_trajectory_by, swap_times, "trajectory", "roller", "times are in order");
    REJECTS(ic_fuzz_trajectory_by, make_infinite, "trajectory", "two-mass", "every state is finite");
    REJECTS(ic_fuzz_trajectory_by, drop_last_row, "trajectory", "roller",
            "every line below the names is a row");
    REJECTS(ic_fuzz_trajectory_by, read_to_zero_byte, "trajectory", "regression-zero-byte-at-the-end",
            "a zero byte is in no text");
    REJECTS(ic_fuzz_trajectory_by, refuse_without_place, "trajectory", "nan", "a refusal says where");
    REJECTS(ic_fuzz_trajectory_by, leak_memory, "trajectory", "backwards", "what is refused leaves nothing");
}

static bool read_single_precision(ic_cost_results *results, FILE *stream, const char *path, ic_error *error)
{
    if (!ic_cost_read_stream(results, stream, path, error)) return false;
    for (size_t i = 0; i < results->count; i++) results->rows[i].seconds[0] *= 1 + 1e-7;
    return true;
}

static bool make_error_negative(ic_cost_results *results, FILE *stream, const char *path, ic_error *error)
{
    if (!ic_cost_read_stream(results, stream, path, error)) return false;
    for (size_t i = 0; i < results->count; i++) results->rows[i].error = -results->rows[i].error;
    return true;
}

IC_TEST(test_wrong_costs)
{
    REJECTS(ic_fuzz_costs_by, read_single_precision, "costs", "two-rows", "written again a row is the same");
    REJECTS(ic_fuzz_costs_by, make_error_negative, "costs", "row", "no measurement is negative or infinite");
}

/* Accepts a record without checking it. Without numbers, which would be compared with a check that
   does not exist. */
static void believe_record(ic_record *record, void *context)
{
    ic_plugin_said *said = context;
    if (record->kind != IC_RECORD_FINDING) return;
    const ic_finding finding = {.check = ic_plugin_checks + record->number,
                                .verdict = (ic_finding_verdict)record->verdict,
                                .cause = (ic_mistake_id)record->cause,
                                .measured = NAN,
                                .tolerance = NAN};
    ic_findings_add(&said->report->findings, &finding);
}

static void keep_escapes(ic_record *record, void *context)
{
    memset(record->text, '\x1b', 2);
    ic_plugin_take_record(record, context);
}

IC_TEST(test_wrong_records)
{
    REJECTS(ic_fuzz_records_by, believe_record, "records", "unknown-check", "a check is known");
    REJECTS(ic_fuzz_records_by, believe_record, "records", "unknown-verdict", "a verdict is known");
    REJECTS(ic_fuzz_records_by, believe_record, "records", "unknown-mistake", "a mistake is known");
    REJECTS(ic_fuzz_records_by, keep_escapes, "records", "finding", "texts are printable");
}

/* Records that no check writes are counted, and nothing of them is reported. */
IC_TEST(test_broken_records)
{
    static const ic_record broken[] = {
        {.kind = IC_RECORD_FINDING, .number = IC_PLUGIN_CHECK_COUNT},
        {.kind = IC_RECORD_FINDING, .verdict = IC_FINDING_OPEN + 1},
        {.kind = IC_RECORD_FINDING, .cause = -1},
        {.kind = IC_RECORD_CLASSIFICATION, .number = IC_MOST_CANDIDATES + 1},
        {.kind = IC_RECORD_SUBJECT, .number = IC_PLUGIN_KINDS},
        {.kind = (ic_finding_record_kind)77},
    };
    ic_audit_report report = {0};
    ic_plugin_said *said = calloc(1, sizeof *said);
    CU_ASSERT_PTR_NOT_NULL_FATAL(said);
    said->report = &report;
    for (size_t i = 0; i < IC_COUNT(broken); i++) {
        ic_record record = broken[i];
        ic_plugin_take_record(&record, said);
    }
    CU_ASSERT_EQUAL(said->n_broken, IC_COUNT(broken));
    CU_ASSERT_EQUAL(report.findings.count + report.n_classifications + said->n_subjects, 0);
    ic_record right = {.kind = IC_RECORD_FINDING};
    ic_plugin_take_record(&right, said);
    CU_ASSERT_EQUAL(said->n_broken, IC_COUNT(broken));
    CU_ASSERT_EQUAL(report.findings.count, 1);
    ic_audit_report_free(&report);
    free(said);
}

static ic_casefile *read_without_place(const char *file, const char *bytes, size_t size,
                                       const char *const *settings, size_t n, ic_error *error)
{
    ic_casefile *casefile = ic_casefile_read(file, bytes, size, settings, n, error);
    if (casefile == NULL) ic_error_set(error, "%s: it is wrong", file);
    return casefile;
}

/* Takes a jump that the tables do not have. */
static ic_casefile *read_without_start(const char *file, const char *bytes, size_t size,
                                       const char *const *settings, size_t n, ic_error *error)
{
    ic_casefile *casefile = ic_casefile_read(file, bytes, size, settings, n, error);
    if (casefile == NULL) return NULL;
    ic_variant *variant = (ic_variant *)ic_casefile_case(casefile)->variants; /* made by malloc */
    variant->start.n_branches = 0;
    return casefile;
}

/* As if memory were not initialised. */
static ic_casefile *read_something_else(const char *file, const char *bytes, size_t size,
                                        const char *const *settings, size_t n, ic_error *error)
{
    static const char *const texts[] = {"0", "1"};
    static size_t calls;
    ic_casefile *casefile = ic_casefile_read(file, bytes, size, settings, n, error);
    if (casefile == NULL) return NULL;
    ic_state *states = (ic_state *)ic_casefile_case(casefile)->states;
    states[0].scale = texts[calls++ % 2];
    return casefile;
}

static ic_casefile *refuse_later(const char *file, const char *bytes, size_t size, const char *const *settings,
                                 size_t n, ic_error *error)
{
    static size_t calls;
    return ic_casefile_read(file, bytes, calls++ % 2 == 0 ? size : 0, settings, n, error);
}

IC_TEST(test_wrong_cases)
{
    REJECTS(ic_fuzz_casefile_by, read_without_place, "casefile", "circle", "a refusal says where");
    REJECTS(ic_fuzz_casefile_by, read_without_start, "casefile", "oscillator",
            "a jump takes one of its branches");
    REJECTS(ic_fuzz_casefile_by, read_something_else, "casefile", "oscillator",
            "read again it is the same case");
    REJECTS(ic_fuzz_casefile_by, refuse_later, "casefile", "oscillator", "read again it is the same case");
}

static ic_scene_file *read_scene_without_place(const char *name, const char *bytes, size_t size,
                                               ic_error *error)
{
    ic_scene_file *file = ic_scene_file_read(name, bytes, size, error);
    if (file == NULL) ic_error_set(error, "%s: it is wrong", name);
    return file;
}

static ic_scene_file *read_scene_without_figures(const char *name, const char *bytes, size_t size,
                                                 ic_error *error)
{
    ic_scene_file *file = ic_scene_file_read(name, bytes, size, error);
    if (file != NULL) file->n_figures = 0;
    return file;
}

static ic_scene_file *read_another_scene(const char *name, const char *bytes, size_t size, ic_error *error)
{
    ic_scene_file *file = ic_scene_file_read(name, bytes, size, error);
    if (file != NULL) {
        static size_t calls;
        file->dimension = calls++ % 2 == 0 ? 2 : 3;
    }
    return file;
}

static void read_late_rows(ic_scene_motion *motion, const ic_world *world, char *text)
{
    ic_scene_motion_read(motion, world, text);
    if (motion->end == IC_MOTION_COMPLETE) motion->times[1] += world->step / 2;
}

static void read_without_reason(ic_scene_motion *motion, const ic_world *world, char *text)
{
    ic_scene_motion_read(motion, world, text);
    motion->detail[0] = '\0';
}

IC_TEST(test_wrong_scenes)
{
    REJECTS(ic_fuzz_scene_by, read_scene_without_place, "scene", "no-bodies", "a refusal says where");
    REJECTS(ic_fuzz_scene_by, read_scene_without_figures, "scene", "ball", "there are bodies and figures");
    REJECTS(ic_fuzz_scene_by, read_another_scene, "scene", "ball", "read again it is the same scene");
    REJECTS(ic_fuzz_motion_by, read_late_rows, "motion", "right", "each row has its time");
    REJECTS(ic_fuzz_motion_by, read_without_reason, "motion", "short", "a refusal says why");
}
