/* SPDX-License-Identifier: MIT */
#include "audit/plugin.h"

#include "audit/child.h"
#include "audit/plugin_load.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind { LAW, IMPACT_MAP, SOLVER, KINDS } kind;
static const char *const kind_names[KINDS] = {"law", "impact map", "solver"};
enum { NAME_MOST = 64, SUBJECTS_MOST = 256 };

typedef struct subject {
    kind kind;
    size_t index; /* in the plugin's table */
    char name[NAME_MOST];
} subject;

typedef struct audit {
    const char *path;
    const subject *now; /* what the child audits; NULL: it lists what there is */
    ic_audit_report *report;
    subject subjects[SUBJECTS_MOST];
    size_t n_subjects;
    ic_error *error;
    bool refused;
} audit;

/* ---- in the child */

static void list_one(ic_sink *sink, kind what, const char *name)
{
    char printable[NAME_MOST] = "";
    for (size_t i = 0; i + 1 < sizeof printable && name[i] != '\0'; i++)
        printable[i] = (char)(name[i] >= ' ' && name[i] <= '~' ? name[i] : '?');
    ic_sink_record(sink, IC_RECORD_SUBJECT, what, printable);
}

static void list(ic_sink *sink, const ic_plugin *plugin)
{
    for (size_t i = 0; i < plugin->n_laws; i++) list_one(sink, LAW, plugin->laws[i]->name);
    for (size_t i = 0; i < plugin->n_impact_maps; i++) list_one(sink, IMPACT_MAP, plugin->impact_maps[i]->name);
    for (size_t i = 0; i < plugin->n_solvers; i++) list_one(sink, SOLVER, plugin->solvers[i]->name);
}

static void work(ic_sink *sink, void *context)
{
    const audit *a = context;
    const subject *s = a->now;
    ic_error error;
    ic_sink_doing(sink, "loading the library and calling impactcheck_plugin()");
    const ic_plugin *plugin = ic_plugin_load(a->path, &error);
    if (plugin == NULL) {
        ic_sink_record(sink, IC_RECORD_ERROR, 0, error.text);
        return;
    }
    if (s == NULL) {
        list(sink, plugin);
        return;
    }
    snprintf(sink->subject, sizeof sink->subject, "%s '%s'", kind_names[s->kind], s->name);
    if (s->kind == LAW && s->index < plugin->n_laws) ic_audit_law(sink, plugin->laws[s->index]);
    if (s->kind == IMPACT_MAP && s->index < plugin->n_impact_maps)
        ic_audit_impact_map(sink, plugin->impact_maps[s->index]);
    if (s->kind == SOLVER && s->index < plugin->n_solvers) ic_audit_solver(sink, plugin->solvers[s->index]);
}

/* ---- in the parent */

static void add_subject(audit *a, const ic_record *record)
{
    if (a->n_subjects == SUBJECTS_MOST || record->number >= KINDS) return;
    subject *s = &a->subjects[a->n_subjects];
    s->kind = (kind)record->number;
    s->index = 0;
    for (size_t i = 0; i < a->n_subjects; i++) s->index += a->subjects[i].kind == s->kind;
    snprintf(s->name, sizeof s->name, "%.*s", NAME_MOST - 1, record->text);
    a->n_subjects++;
}

static void read_record(ic_record *record, void *context)
{
    audit *a = context;
    switch (record->kind) {
    case IC_RECORD_ERROR:
        ic_error_set(a->error, "%s", record->text);
        a->refused = true;
        break;
    case IC_RECORD_SUBJECT: add_subject(a, record); break;
    case IC_RECORD_FINDING:
    case IC_RECORD_CLASSIFICATION: ic_report_record(a->report, record); break;
    default: break;
    }
}

/* A row that says how the child ended. */
static void judge_end(audit *a, const ic_child_end *end, double seconds)
{
    ic_sink sink = {.report = a->report};
    const ic_mistake_id cause = end->late ? IC_MISTAKE_HANGS : IC_MISTAKE_CRASHES;
    const ic_measured measured = {end->whole ? 0 : 1, 0, "it must end", cause};
    if (a->now != NULL)
        snprintf(sink.subject, sizeof sink.subject, "%s '%s'", kind_names[a->now->kind], a->now->name);
    else snprintf(sink.subject, sizeof sink.subject, "library");
    if (end->whole) ic_sink_measure(&sink, IC_CHECK_COMES_BACK, &measured, "it ended by itself");
    else if (end->late)
        ic_sink_measure(&sink, IC_CHECK_COMES_BACK, &measured, "still busy after %g s with: %s", seconds,
                        end->doing);
    else if (end->signal != 0)
        ic_sink_measure(&sink, IC_CHECK_COMES_BACK, &measured, "ended by signal %d (%s) with: %s", end->signal,
                        strsignal(end->signal), end->doing);
    else
        ic_sink_measure(&sink, IC_CHECK_COMES_BACK, &measured, "left the process with exit status %d with: %s",
                        end->status, end->doing);
    a->report->crashed |= !end->whole;
}

/* false: the system refuses */
static bool run_child(audit *a, double seconds)
{
    const ic_child_end end = ic_child_run(work, read_record, a, seconds);
    if (!end.started) {
        ic_error_set(a->error, "the system refuses to start a process for the plugin");
        return false;
    }
    if (a->refused) return false;
    if (a->now != NULL || !end.whole) judge_end(a, &end, seconds);
    return true;
}

bool ic_audit_plugin(ic_audit_report *report, const char *path, double time_limit, ic_error *error)
{
    audit *a = calloc(1, sizeof *a);
    if (a == NULL) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    a->path = path;
    a->report = report;
    a->error = error;
    bool good = run_child(a, time_limit);
    for (size_t i = 0; good && i < a->n_subjects; i++) {
        a->now = &a->subjects[i];
        good = run_child(a, time_limit);
    }
    free(a);
    return good;
}
