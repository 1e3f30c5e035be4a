/* SPDX-License-Identifier: MIT */
/* The result of a run as JSON and CSV. */
#include "cli/result.h"
#include "core/composition.h"
#include "core/names.h"
#include "reports/csv.h"
#include "reports/json.h"

#include <math.h>
#include <string.h>

bool cli_result_reached_anything(const cli_result *result)
{
    return isfinite(ic_log_end(result->log).t);
}

const char *cli_mode_name(const ic_problem *problem, int mode)
{
    if (mode < 0 || (size_t)mode >= problem->variant->n_modes) return NULL;
    return problem->variant->modes[mode].name;
}

/* ---- JSON */

static void json_state(ic_json *json, const char *key, const ic_problem *problem, const double *x)
{
    const ic_case *system = problem->system;
    ic_json_object_line(json, key);
    for (size_t i = 0; i < system->n_states; i++) ic_json_number(json, system->states[i].name, x[i]);
    ic_json_end(json);
}

static void json_outputs_at(ic_json *json, const ic_problem *problem, double t, int mode, const double *x)
{
    const ic_case *system = problem->system;
    ic_json_object_line(json, "outputs");
    for (size_t i = 0; i < system->n_outputs; i++) {
        ic_json_number(json, system->outputs[i].name, system->outputs[i].value(t, x, mode, problem->par));
    }
    ic_json_end(json);
}

const char *const cli_event_kinds[] = {
    [IC_EVENT_GUARD] = "guard", [IC_EVENT_TIME] = "time", [IC_EVENT_ACCUMULATION] = "accumulation"};

static void json_event(ic_json *json, const ic_problem *problem, const ic_event *event)
{
    ic_json_object(json, NULL);
    ic_json_number(json, "t", event->t);
    ic_json_null(json, "radius"); /* not measured */
    IC_JSON_MEMBERS(json, IC_TEXT("kind", cli_event_kinds[event->kind]), IC_TEXT("guard", event->name),
                    IC_TEXT("from", cli_mode_name(problem, event->mode_from)),
                    IC_TEXT("to", cli_mode_name(problem, event->mode_to)), IC_WHOLE("seq", event->sequence));
    json_state(json, "state_before", problem, event->x_pre);
    json_state(json, "state", problem, event->x_post);
    json_outputs_at(json, problem, event->t, event->mode_to, event->x_post);
    ic_json_end(json);
}

static void json_final(ic_json *json, const cli_result *result)
{
    const ic_problem *problem = &result->instance->setup.problem;
    const ic_sample end = ic_log_end(result->log);
    const bool reached = cli_result_reached_anything(result);
    ic_json_object(json, "final");
    IC_JSON_MEMBERS(json, IC_REAL("t", end.t), IC_TEXT("mode", cli_mode_name(problem, end.mode)));
    ic_json_object_line(json, "state");
    for (size_t i = 0; i < problem->system->n_states; i++) {
        ic_json_number(json, problem->system->states[i].name, reached ? end.x[i] : NAN);
    }
    ic_json_end(json);
    ic_json_end(json);
}

static void json_extremes(ic_json *json, const cli_result *result)
{
    const ic_case *system = result->instance->setup.problem.system;
    ic_json_object(json, "outputs");
    for (size_t i = 0; i < system->n_outputs; i++) {
        const ic_extreme extreme = ic_log_extreme(result->log, i);
        IC_JSON_ROW(json, system->outputs[i].name, IC_REAL("min", extreme.min), IC_REAL("t_min", extreme.t_min),
                    IC_REAL("max", extreme.max), IC_REAL("t_max", extreme.t_max),
                    IC_REAL("final", extreme.final));
    }
    ic_json_end(json);
}

static void json_defect(ic_json *json, const ic_defect *d)
{
    IC_JSON_ROW(json, "defect", IC_REAL("greatest", d->greatest), IC_REAL("t", d->t),
                IC_TEXT("state", d->state), IC_REAL("judged", (double)d->judged),
                IC_REAL("undecided", (double)d->undecided),
                IC_TEXT("reason", d->reason[0] == '\0' ? NULL : d->reason));
}

static void json_notes(ic_json *json, const ic_log *log)
{
    ic_json_array(json, "notes");
    for (size_t i = 0; i < ic_log_note_count(log); i++) {
        const ic_note note = ic_log_note_at(log, i);
        IC_JSON_ROW(json, NULL, IC_TEXT("kind", note.kind == IC_NOTE_GRAZING ? "grazing" : "fallback"),
                    IC_REAL("t", note.t), IC_TEXT("guard", note.guard));
    }
    ic_json_end(json);
}

static void json_samples(ic_json *json, const cli_result *result)
{
    const ic_problem *problem = &result->instance->setup.problem;
    ic_json_array(json, "samples");
    for (size_t i = 0; i < ic_log_sample_count(result->log); i++) {
        const ic_sample sample = ic_log_sample_at(result->log, i);
        ic_json_object_line(json, NULL);
        IC_JSON_MEMBERS(json, IC_REAL("t", sample.t), IC_TEXT("mode", cli_mode_name(problem, sample.mode)));
        json_state(json, "state", problem, sample.x);
        json_outputs_at(json, problem, sample.t, sample.mode, sample.x);
        ic_json_end(json);
    }
    ic_json_end(json);
}

/* Extremes of outputs between two samples, which the samples do not show. */
static void json_peaks(ic_json *json, const cli_result *result)
{
    const ic_problem *problem = &result->instance->setup.problem;
    ic_json_array(json, "peaks");
    for (size_t i = 0; i < result->n_peaks; i++) {
        const ic_peak *peak = &result->peaks[i];
        IC_JSON_ROW(
            json, NULL, IC_REAL("t", peak->at.t), IC_TEXT("mode", cli_mode_name(problem, peak->at.mode)),
            IC_TEXT("output", problem->system->outputs[peak->output].name), IC_REAL("value", peak->value));
    }
    ic_json_end(json);
}

static void json_head(ic_json *json, const cli_result *result)
{
    const ic_problem *problem = &result->instance->setup.problem;
    IC_JSON_MEMBERS(json, IC_TEXT("case", problem->system->name),
                    IC_TEXT("preset", result->instance->setup.preset->name),
                    IC_TEXT("variant", problem->variant->name), IC_TEXT("solver", result->solver->name));
    ic_json_object(json, "parameters");
    for (size_t i = 0; i < problem->system->n_parameters; i++) {
        if (ic_parameter_repeats(problem->system->parameters, i)) continue;
        ic_json_number(json, problem->system->parameters[i].name, problem->par[i]);
    }
    ic_json_end(json);
    IC_JSON_MEMBERS(json, IC_REAL("t_start", problem->t_start), IC_REAL("t_end", problem->t_end),
                    IC_TEXT("status", ic_status_name(result->status)),
                    IC_TEXT("message", result->status == IC_OK ? NULL : ic_status_text(result->status)),
                    IC_TEXT("detail", ic_log_text(result->log)[0] == '\0' ? NULL : ic_log_text(result->log)));
}

void cli_result_json(const cli_result *result, FILE *stream)
{
    const ic_problem *problem = &result->instance->setup.problem;
    ic_json json = ic_json_to(stream);
    ic_json_object(&json, NULL);
    json_head(&json, result);
    ic_json_array(&json, "events");
    for (size_t i = 0; i < ic_log_event_count(result->log); i++) {
        const ic_event event = ic_log_event_at(result->log, i);
        json_event(&json, problem, &event);
    }
    ic_json_end(&json);
    json_final(&json, result);
    json_extremes(&json, result);
    IC_JSON_ROW(&json, "work", IC_REAL("flow_calls", result->work.flow_calls),
                IC_REAL("guard_calls", result->work.guard_calls), IC_REAL("steps", result->work.steps),
                IC_REAL("rejected_steps", result->work.rejected_steps),
                IC_REAL("root_iterations", result->work.root_iterations));
    json_defect(&json, &result->defect);
    json_notes(&json, result->log);
    if (result->with_samples) {
        json_samples(&json, result);
        json_peaks(&json, result);
    }
    ic_json_end(&json);
}

/* ---- CSV */

bool cli_repeats_state(const ic_case *system, const ic_output *output)
{
    return ic_state_find(system, output->name) < system->n_states;
}

typedef struct csv {
    const ic_problem *problem;
    FILE *stream;
} csv;

static void csv_row(void *self, double t, int mode, const double *x)
{
    const csv *to = self;
    const ic_problem *problem = to->problem;
    const ic_case *system = problem->system;
    FILE *stream = to->stream;
    const char *name = cli_mode_name(problem, mode);
    ic_csv_number(stream, t);
    fputc(',', stream);
    ic_csv_text(stream, name != NULL ? name : "");
    for (size_t i = 0; i < system->n_states; i++) {
        fputc(',', stream);
        ic_csv_number(stream, x[i]);
    }
    for (size_t i = 0; i < system->n_outputs; i++) {
        if (cli_repeats_state(system, &system->outputs[i])) continue;
        fputc(',', stream);
        ic_csv_number(stream, system->outputs[i].value(t, x, mode, problem->par));
    }
    fputc('\n', stream);
}

void cli_result_trajectory(const cli_result *result, FILE *stream)
{
    csv to = {&result->instance->setup.problem, stream};
    const ic_case *system = to.problem->system;
    fputs("t,mode", stream);
    for (size_t i = 0; i < system->n_states; i++) {
        fputc(',', stream);
        ic_csv_text(stream, system->states[i].name);
    }
    for (size_t i = 0; i < system->n_outputs; i++) {
        if (cli_repeats_state(system, &system->outputs[i])) continue;
        fputc(',', stream);
        ic_csv_text(stream, system->outputs[i].name);
    }
    fputc('\n', stream);
    cli_result_rows(result, csv_row, &to);
}
