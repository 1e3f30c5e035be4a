/* SPDX-License-Identifier: MIT */
/*
 * Contact forces of the pneumatic mechanism before and after the optimisation, over a whole run:
 * as Kecskemethy & Lange 1999 show in Fig. 5(b) for a mechanism whose data they do not print.
 * This one is our own.
 */
#include "core/model.h"
#include "registry/registry.h"
#include "validation/studies/study.h"
#include "validation/subjects.h"

#include <math.h>

/* Some ten in the shortest contact, of a millisecond. */
#define SAMPLE 1e-4
#define RTOL 1e-10

enum { DESIGN, T, HEAD_1, HEAD_2, ARM_1, ARM_2, POSITION };

static const ic_study_column columns[] = {
    [DESIGN] = {"design", NULL, "preset of the case"},
    [T] = {"t", "s", "time"},
    [HEAD_1] = {"head_force_1", "N", "of head 1 on the piston"},
    [HEAD_2] = {"head_force_2", "N", "of head 2 on the piston"},
    [ARM_1] = {"arm_force_1", "N", "of its limit on the tip of arm 1"},
    [ARM_2] = {"arm_force_2", "N", "of its limit on the tip of arm 2"},
    [POSITION] = {"position", "m", "piston from the middle of its stroke"},
};

enum { BEFORE, AFTER, DESIGNS };
static const char *const designs[DESIGNS] = {[BEFORE] = "first-design", [AFTER] = "optimised"};

/* Results of a run, exact between samples. */
typedef struct cycle_outcome {
    double peak, cycle_time, hold_time;

    /* the part that has the peak */
    const char *where;
} cycle_outcome;

static ic_extreme extreme(const ic_log *log, const char *name)
{
    return ic_log_extreme(log, ic_output_find(ic_log_problem(log)->system, name));
}

static void find_peaks(cycle_outcome *o, const ic_log *log)
{
    o->peak = extreme(log, "contact_force").max;
    o->cycle_time = extreme(log, "cycle_time").final;
    o->hold_time = extreme(log, "hold_time").final;
    for (int c = HEAD_1; c <= ARM_2; c++) {
        if (extreme(log, columns[c].name).max >= o->peak) o->where = columns[c].name;
    }
}

static void add_rows(ic_study_data *data, const char *design, const ic_log *log)
{
    const ic_problem *problem = ic_log_problem(log);
    for (size_t i = 0; i < ic_log_sample_count(log); i++) {
        const ic_sample at = ic_log_sample_at(log, i);
        ic_study_text(data, design);
        ic_study_number(data, at.t);
        for (int c = HEAD_1; c <= POSITION; c++) {
            const ic_output *output =
                &problem->system->outputs[ic_output_find(problem->system, columns[c].name)];
            ic_study_number(data, output->value(at.t, at.x, at.mode, problem->par));
        }
    }
}

static bool solve_design(ic_study_data *data, cycle_outcome *o, const ic_setup *setup, const char *design)
{
    const ic_problem *problem = &setup->problem;
    const double span = problem->t_end - problem->t_start;
    const ic_options options = {.rtol = RTOL, .samples = (size_t)lround(span / SAMPLE) + 1, .extremes = true};
    ic_status status;
    ic_log *log = ic_solve(ic_solver_find("dop853"), problem, &options, &status);
    if (status == IC_OK) {
        find_peaks(o, log);
        add_rows(data, design, log);
    } else {
        ic_study_fail(data, "%s: %s", design, ic_status_text(status));
    }
    ic_log_free(log);
    return status == IC_OK;
}

static bool run_design(ic_study_data *data, cycle_outcome *o, const char *design)
{
    ic_setup setup;
    ic_error error;
    const ic_request request = {.path = design};
    if (!ic_setup_open_case(&setup, ic_case_find("pneumatic-mechanism"), &request, &error)) {
        ic_study_fail(data, "%s", error.text);
        return false;
    }
    const bool good = solve_design(data, o, &setup, design);
    ic_setup_close(&setup);
    return good;
}

static void run_study(ic_study_data *data)
{
    cycle_outcome of[DESIGNS] = {0};
    for (int d = 0; d < DESIGNS; d++) {
        if (!run_design(data, &of[d], designs[d])) return;
    }
    for (int d = 0; d < DESIGNS; d++) {
        ic_study_finding(data,
                         "%s: the greatest contact force is %.1f N (%s); a cycle takes %.4f s at most, an arm "
                         "is held for %.4f s "
                         "at least.",
                         designs[d], of[d].peak, of[d].where, of[d].cycle_time, of[d].hold_time);
    }
    ic_study_finding(data,
                     "The optimisation takes %.1f %% off the peak, and %.2f %% off the cycle; the paper "
                     "reports 30 %% for its "
                     "mechanism.",
                     100 * (1 - of[AFTER].peak / of[BEFORE].peak),
                     100 * (1 - of[AFTER].cycle_time / of[BEFORE].cycle_time));
}

const ic_study ic_study_pneumatic_forces = {
    .name = "pneumatic-forces",
    .title = "Pneumatic mechanism: contact forces before and after the optimisation",
    .question =
        "By how much does the optimisation of cushions, throttles and timing reduce the contact forces of piston and arms?",
    .columns = columns,
    .n_columns = IC_COUNT(columns),
    .run = run_study,
};
