/* SPDX-License-Identifier: MIT */
/*
 * A command is asked with parameters that it cannot know: two sets that are drawn, then the first request and the first
 * set again. What is written down, replayed or kept from an earlier request is no answer to these.
 */
#include "audit/command/command.h"
#include "audit/common/drawn.h"
#include "audit/common/tolerances.h"

#include <stdio.h>
#include <stdlib.h>

static const ic_audit_check *const other_parameters = &ic_plugin_checks[IC_CHECK_COMMAND_PARAMETERS];

/* of the drawn sets, the smaller ones where the case has no solution with the larger, or one with events of another
   kind, as a ball that comes to rest: a program need not have been written for these */
static const double parts[] = {0.1, 0.02, 0.002};
enum { SETS = 2 };

/* A set of parameters, its run, and what the command answers. */
typedef struct drawn_set {
    ic_parameters parameters;
    ic_problem problem;
    ic_reference_run reference;
    ic_command_request request;
    ic_trajectory rows;

    /* "g=9.9, e=0.87" */
    char settings[160];

    bool open;
} drawn_set;

static bool draw_set(drawn_set *s, const ic_command_audit *audit, double part, uint64_t *seed)
{
    const ic_problem *own = audit->request.problem;
    const ic_case *system = own->system;
    ic_error error;
    bool good = ic_parameters_open(&s->parameters, "case", system->name, system->parameters,
                                   system->n_parameters, &error);
    for (size_t k = 0; k < system->n_parameters && good; k++) {
        char setting[96];
        double value = own->par[k];
        if (ic_parameter_repeats(system->parameters, k)) continue;
        if (ic_draw_parameter(&value, own, k, part, seed))
            ic_text_append(s->settings, sizeof s->settings, "%s%s=%.6g", s->settings[0] != '\0' ? ", " : "",
                           system->parameters[k].name, value);
        else if (strcmp(own->par_text[k], system->parameters[k].value) == 0) continue;
        snprintf(setting, sizeof setting, "%s=%.17g", system->parameters[k].name, value);
        good = ic_parameters_set(&s->parameters, setting, &error);
    }
    if (!good || s->settings[0] == '\0' || !ic_parameters_evaluate(&s->parameters, &error) ||
        !ic_parameters_require(&s->parameters, system->requirements, system->n_requirements, &error))
        return false;
    s->problem = *own;
    s->problem.par = s->parameters.value;
    s->problem.par_text = (const char *const *)s->parameters.text;
    s->problem.t_end_text = NULL;
    s->problem.given = NULL;
    if (!ic_reference_run_open(&s->reference, &s->problem, &error)) return false;
    s->request = audit->request;
    s->request.problem = &s->problem;
    s->request.x_start = s->reference.x_start;
    s->request.mode_start = s->reference.mode_start;
    return true;
}

/* Whether each event is of a kind that the other run has, too. */
static bool has_events_of(const ic_log *log, const ic_log *other)
{
    bool known = true;
    for (size_t i = 0; i < ic_log_event_count(log) && known; i++) {
        const ic_event event = ic_log_event_at(log, i);
        known = false;
        for (size_t k = 0; k < ic_log_event_count(other) && !known; k++) {
            const ic_event same = ic_log_event_at(other, k);
            known = same.kind == event.kind && strcmp(same.name, event.name) == 0;
        }
    }
    return known;
}

static void close_set(drawn_set *s)
{
    ic_trajectory_close(&s->rows);
    ic_reference_run_close(&s->reference);
    ic_parameters_close(&s->parameters);
    *s = (drawn_set){.open = false};
}

static void open_set(drawn_set *s, const ic_command_audit *audit, uint64_t *seed)
{
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !s->open; i++) {
        s->open = draw_set(s, audit, parts[i], seed) && has_events_of(s->reference.log, audit->reference.log);
        if (!s->open) close_set(s);
    }
}

/* The first failure of rows that should follow the problem, and its cause; NULL: they do. */
static const ic_audit_check *find_failure(ic_mistake_id *cause, const ic_trajectory *rows,
                                          const ic_problem *problem, const ic_command *command)
{
    ic_trajectory_audit audit;
    const ic_audit_check *failed = NULL;
    *cause = IC_NO_MISTAKE;
    if (ic_audit_trajectory(&audit, rows, problem, &command->rows)) {
        for (size_t i = 0; i < audit.findings.count; i++) {
            const ic_finding *f = &audit.findings.rows[i];
            if (f->verdict != IC_FINDING_FAIL) continue;
            if (failed == NULL) failed = f->check;
            if (*cause == IC_NO_MISTAKE) *cause = f->cause;
        }
    }
    ic_trajectory_audit_close(&audit);
    return failed;
}

/* Whether the first row is the start that is asked for. */
static bool starts_there(const drawn_set *s)
{
    double scale[IC_MAX_STATES];
    bool same = true;
    ic_state_scales(&s->problem, scale);
    for (size_t j = 0; j < s->rows.n_states; j++)
        same &= s->rows.source[j] != IC_FROM_FILE ||
                fabs(s->rows.x[j] - s->request.x_start[j]) <= ic_tolerance_start_state.value * scale[j];
    return same;
}

/* The only parameter that has the value of the first request in the answer to a drawn set; n_parameters: none has. */
static size_t find_kept(const drawn_set *s, const ic_command_audit *audit, const ic_command *command)
{
    const ic_problem *own = audit->request.problem;
    const size_t n = own->system->n_parameters;
    double *par = malloc((n + 1) * sizeof *par);
    const char **text = malloc((n + 1) * sizeof *text);
    ic_problem mixed = s->problem;
    mixed.par = par, mixed.par_text = text;
    mixed.x_start = s->request.x_start, mixed.mode_start = s->request.mode_start;
    size_t kept = n;
    for (size_t k = 0; k < n && kept == n && par != NULL && text != NULL; k++) {
        ic_mistake_id none;
        if (s->problem.par[k] == own->par[k]) continue;
        for (size_t i = 0; i < n; i++) {
            par[i] = (i == k ? own : &s->problem)->par[i];
            text[i] = (i == k ? own : &s->problem)->par_text[i];
        }
        if (find_failure(&none, &s->rows, &mixed, command) == NULL) kept = k;
    }
    free(text);
    free(par);
    return kept;
}

/* Judges the answer to a drawn set; "" and IC_NO_MISTAKE: it is right. */
static ic_mistake_id judge_set(char *text, size_t size, const drawn_set *s, const ic_command_audit *audit,
                               const ic_command *command)
{
    ic_mistake_id cause = IC_NO_MISTAKE, none;
    const ic_audit_check *failed =
        starts_there(s) ? find_failure(&cause, &s->rows, &s->problem, command) : other_parameters;
    text[0] = '\0';
    if (failed == NULL) return IC_NO_MISTAKE;
    const bool first = find_failure(&none, &s->rows, audit->request.problem, command) == NULL;
    ic_problem mixed = *audit->request.problem;
    mixed.x_start = s->request.x_start, mixed.mode_start = s->request.mode_start;
    snprintf(text, size, "%s fails with %s%s", failed == other_parameters ? "the start" : failed->name,
             s->settings, first ? ": the rows are those of the first request" : "");
    const ic_case *system = mixed.system;
    const size_t kept = first ? system->n_parameters : find_kept(s, audit, command);
    if (kept < system->n_parameters)
        ic_text_append(text, size, ": the rows have '%.40s' as in the first request",
                       system->parameters[kept].name);
    return first || kept < system->n_parameters || find_failure(&none, &s->rows, &mixed, command) == NULL ||
                   strcmp(failed->name, "parameters") == 0
               ? IC_MISTAKE_PARAMETER_IGNORED
               : cause;
}

/* Asks; a run that gives no rows fails. */
static bool ask(ic_trajectory *rows, ic_finding *f, ic_command_audit *audit, const ic_command *command,
                const ic_command_request *request, const char *what)
{
    ic_error error = {""};
    ic_mistake_id cause = IC_NO_MISTAKE;
    if (ic_command_ask(rows, audit, command, request, &cause, &error)) return true;
    f->measured++;
    f->cause = cause;
    snprintf(f->detail, sizeof f->detail, "no rows %s: %.200s", what, error.text);
    return false;
}

/* Asks a request again whose answer is known. */
static void ask_again(ic_finding *f, ic_command_audit *audit, const ic_command *command,
                      const ic_command_request *request, const ic_trajectory *known)
{
    ic_trajectory rows;
    if (ask(&rows, f, audit, command, request, "when it is asked again") &&
        ic_command_count_differences(known, &rows) > 0) {
        f->measured++;
        if (f->cause == IC_NO_MISTAKE) f->cause = IC_MISTAKE_MEMORY_NOT_RESET;
        if (f->detail[0] == '\0')
            snprintf(f->detail, sizeof f->detail,
                     "an earlier request has another answer after one with other parameters");
    }
    ic_trajectory_close(&rows);
}

void ic_audit_other_parameters(ic_command_audit *audit, const ic_command *command)
{
    drawn_set sets[SETS] = {{.open = false}};
    uint64_t seed = command->seed;
    ic_finding f = ic_finding_of(other_parameters, &audit->rows.tracking, 0, 0, "answers");
    snprintf(f.origin, sizeof f.origin, "each answers its own request");
    ic_uniform(&seed, 0, 1);
    for (int i = 0; i < SETS; i++) {
        drawn_set *s = &sets[i];
        char text[240];
        open_set(s, audit, &seed);
        if (!s->open || !ask(&s->rows, &f, audit, command, &s->request, s->settings)) break;
        const ic_mistake_id cause = judge_set(text, sizeof text, s, audit, command);
        if (text[0] == '\0') continue;
        f.measured++;
        if (f.detail[0] == '\0') f.cause = cause, snprintf(f.detail, sizeof f.detail, "%s", text);
    }
    if (sets[0].open && f.measured == 0) {
        ask_again(&f, audit, command, &audit->request, &audit->trajectory);
        ask_again(&f, audit, command, &sets[0].request, &sets[0].rows);
    }
    f.verdict = !sets[0].open ? IC_FINDING_OPEN : f.measured > 0 ? IC_FINDING_FAIL : IC_FINDING_PASS;
    if (!sets[0].open) ic_finding_leave_open(&f, "the case has no parameter that can be drawn");
    if (f.verdict == IC_FINDING_PASS)
        snprintf(f.detail, sizeof f.detail, "with %s; and with %s", sets[0].settings, sets[1].settings);
    ic_findings_add(&audit->rows.findings, &f);
    for (int i = 0; i < SETS; i++) close_set(&sets[i]);
}
