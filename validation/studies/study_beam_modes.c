/* SPDX-License-Identifier: MIT */
/**
 * Effect of the number of bending modes on the rotating beam.
 *
 * Yigit, Ulsoy & Scott 1990, section 3: with five and seven modes "no perceptible difference was
 * found with respect to the dynamic behavior. Thus three modes are considered adequate".
 * Deflections follow the first mode. The contact does not: it lasts 100 us, a period of the fourth
 * mode, and the effective mass at the stop is that within the reach of waves. The effective inertia
 * at the shaft, J - sum S_r^2/m, tends to I_R as N grows, so its acceleration is a property of N
 * and not of the beam.
 */
#include "core/model.h"
#include "validation/studies/beam_runs.h"
#include "validation/studies/study.h"
#include "validation/subjects.h"

#include <math.h>

/* The fastest of 16 modes makes 14 000 oscillations a second; times of events still agree with
   those at 1e-11 to a nanosecond. */
#define RTOL 1e-9
/* One each 25 us. */
enum { SAMPLES = 4001 };
enum { MOST_MODES = 16, PAPER = 3 };
/* Deviation from the value with the most modes below which a number counts as settled. */
#define SETTLED 0.03

enum { MODES, CONTACT_T, CONTACTS, RESTITUTION, REBOUND, FORCE, MEAN_ACCELERATION, ACCELERATION, DEFLECTION };

static const ic_study_column columns[] = {
    [MODES] = {"N", "1", "number of modes"},
    [CONTACT_T] = {"contact_time", "s", "when the beam meets the stop"},
    [CONTACTS] = {"contacts", "1", "contacts in the first group, with pauses of 5 ms at most"},
    [RESTITUTION] = {"restitution", "1",
                     "speed of the point of contact after the first contact over that before"},
    [REBOUND] =
        {"rebound", "rad/s",
         "after the group: angular momentum over the moment of inertia of the unbent beam and the shaft"},
    [FORCE] = {"peak_force", "N", "greatest contact force"},
    [MEAN_ACCELERATION] = {"mean_acceleration", "rad/s^2",
                           "of the shaft, from the first contact until its force first ends"},
    [ACCELERATION] = {"peak_acceleration", "rad/s^2",
                      "greatest magnitude of the shaft's acceleration, during the group"},
    [DEFLECTION] = {"peak_deflection", "m", "greatest magnitude of the tip's deflection"},
};

static double magnitude(const ic_log *log, const char *output)
{
    const ic_extreme extreme = ic_output_extreme(log, output);
    return fmax(fabs(extreme.min), fabs(extreme.max));
}

/*
 * Runs through the group again, from the last sample before it, for extremes. To follow extremes
 * all the way would take much longer. The log refers to the problem.
 */
static ic_log *contacts(ic_problem *problem, const ic_beam_run *solved, const ic_beam_group *group)
{
    ic_status status = IC_OK;
    *problem = solved->setup.problem;
    size_t i = 0;
    while (ic_log_sample_at(solved->log, i + 1).t < group->t) i++;
    const ic_sample from = ic_log_sample_at(solved->log, i);
    problem->t_start = from.t;
    problem->x_start = from.x;
    problem->mode_start = from.mode;
    problem->t_end = group->end;
    problem->t_end_text = NULL;
    ic_log *log =
        ic_solve(ic_solver_find("dop853"), problem, &(ic_options){.rtol = RTOL, .extremes = true}, &status);
    if (status == IC_OK) return log;
    ic_log_free(log);
    return NULL;
}

static void add_run(ic_study_data *data, int modes, const ic_beam_run *solved)
{
    ic_beam_group group;
    ic_problem problem;
    const bool over = ic_beam_first_group(&group, solved) && group.over;
    ic_log *log = over ? contacts(&problem, solved, &group) : NULL;
    if (log == NULL) {
        ic_study_fail(data, "with %d modes the beam does not leave the stop", modes);
        return;
    }
    IC_STUDY_NUMBERS(data, modes, group.t, (double)group.contacts, group.restitution, group.rebound,
                     magnitude(log, "contact_force"), group.acceleration, magnitude(log, "shaft_acceleration"),
                     ic_beam_peak(solved, "tip_deflection"));
    ic_log_free(log);
}

static void add_row(ic_study_data *data, int modes)
{
    ic_beam_run solved;
    if (!ic_beam_open(&solved, &(ic_options){.rtol = RTOL, .samples = SAMPLES},
                      IC_PATH("rotating-beam/main[N=%d]", modes), &data->error)) {
        data->failed = true;
        return;
    }
    add_run(data, modes, &solved);
    ic_beam_close(&solved);
}

static double cell_at(const ic_study_data *data, int modes, size_t column)
{
    return ic_study_at(data, (size_t)modes - 1, column)->number;
}

/* Relative deviation from the value with the most modes. */
static double deviation(const ic_study_data *data, int modes, size_t column)
{
    return cell_at(data, modes, column) / cell_at(data, MOST_MODES, column) - 1;
}

/* Least number of modes from which on a quantity agrees with that of most modes; MOST_MODES:
   never. */
static int settled_from(const ic_study_data *data, size_t column)
{
    int from = MOST_MODES;
    while (from > 1 && fabs(deviation(data, from - 1, column)) <= SETTLED) from--;
    return from;
}

static void add_findings(ic_study_data *data)
{
    static const struct {
        size_t column;
        const char *what;
    } seen[] = {
        {CONTACT_T, "Time of the first contact"},
        {DEFLECTION, "Peak deflection of the tip"},
        {FORCE, "Peak contact force"},
        {RESTITUTION, "Restitution of the first contact"},
        {REBOUND, "Rebound rate"},
        {MEAN_ACCELERATION, "Mean acceleration of the shaft in the first contact"},
        {ACCELERATION, "Peak acceleration of the shaft"},
    };
    int adequate = 0;
    for (size_t i = 0; i < sizeof seen / sizeof seen[0]; i++) {
        const size_t column = seen[i].column;
        const int from = settled_from(data, column);
        adequate += from <= PAPER;
        ic_study_finding(
            data,
            "%s: compared with 16 modes, 3 modes differ by %+.2f %%, 5 by %+.2f %%, 7 by %+.2f %%; %s N = %d.",
            seen[i].what, 100 * deviation(data, 3, column), 100 * deviation(data, 5, column),
            100 * deviation(data, 7, column), from < MOST_MODES ? "within 3 % from" : "not within 3 % before",
            from);
    }
    ic_study_finding(
        data,
        "\"Three modes are adequate\": %d of these %zu numbers have settled by then. They are for when the "
        "beam "
        "arrives and how far it bends, and not for the contact and what comes of it: the beam leaves "
        "with %.3g rad/s, and with %.3g for 16 modes.",
        adequate, sizeof seen / sizeof seen[0], cell_at(data, PAPER, REBOUND),
        cell_at(data, MOST_MODES, REBOUND));
}

static void run_study(ic_study_data *data)
{
    for (int modes = 1; modes <= MOST_MODES && !data->failed; modes++) add_row(data, modes);
    if (!data->failed) add_findings(data);
}

IC_STUDY_TABLE(beam_modes, "beam-modes", "The rotating beam with 1 to 16 bending modes",
               "Are three modes adequate for a beam that hits a stop, on assumed data?");
