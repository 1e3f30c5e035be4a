/* SPDX-License-Identifier: MIT */
#include "audit/plugin/plugin.h"

#include "audit/common/child.h"
#include "audit/common/plugin_load.h"
#include "audit/common/process.h"
#include "audit/engine/engines.h"
#include "audit/impact/check_impact_map.h"
#include "audit/law/check_law.h"
#include "audit/plugin/plugin_records.h"
#include "audit/solver/solver_parts.h"
#include "audit/solver/solver_run.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Fraction of the time that one scene of an engine's audit may take. */
#define SHARE 0.125
/*
 * Limits of a solver's audit: the part of the remaining time that one part may take, so that parts that hang
 * leave time for all others; and the processor time of one run, over the whole time limit and at least, s. The
 * longest run of a right solver takes 1.5 s. Once a run has not ended, or steps are known to be too short, all
 * others have a tenth.
 */
#define SOLVER_SHARE 0.5
#define RUN_SHARE 0.05
#define RUN_LEAST 3.0
#define SHORTER 0.1

typedef struct audit {
    const char *path;

    /* the subject of the child; NULL: it lists the subjects */
    const ic_plugin_subject *now;

    /* of a solver's audit */
    size_t part;

    /* processor time of one run, s, and whether one has exceeded it */
    double run_limit;
    bool hung;

    ic_plugin_said said;
} audit;

/* ---- in the child */

static void send_name(ic_finding_writer *writer, ic_plugin_kind what, const char *name)
{
    char printable[IC_PLUGIN_NAME_MOST] = "";
    for (size_t i = 0; i + 1 < sizeof printable && name[i] != '\0'; i++)
        printable[i] = (char)(name[i] >= ' ' && name[i] <= '~' ? name[i] : '?');
    ic_write_record(writer, IC_RECORD_SUBJECT, what, printable);
}

static void list_subjects(ic_finding_writer *writer, const ic_plugin *plugin)
{
    for (size_t i = 0; i < plugin->n_laws; i++) send_name(writer, IC_PLUGIN_LAW, plugin->laws[i]->name);
    for (size_t i = 0; i < plugin->n_impact_maps; i++)
        send_name(writer, IC_PLUGIN_IMPACT_MAP, plugin->impact_maps[i]->name);
    for (size_t i = 0; i < plugin->n_solvers; i++)
        send_name(writer, IC_PLUGIN_SOLVER, plugin->solvers[i]->name);
    for (size_t i = 0; i < plugin->n_engines; i++)
        send_name(writer, IC_PLUGIN_ENGINE, plugin->engines[i]->name);
}

static void audit_subject(ic_finding_writer *writer, void *context)
{
    const audit *a = context;
    const ic_plugin_subject *s = a->now;
    ic_error error;
    ic_announce_operation(writer, "loading the library and calling impactcheck_plugin()");
    const ic_plugin *plugin = ic_plugin_load(a->path, &error);
    if (plugin == NULL) {
        ic_write_record(writer, IC_RECORD_ERROR, 0, error.text);
        return;
    }
    if (s == NULL) {
        list_subjects(writer, plugin);
        return;
    }
    snprintf(writer->subject, sizeof writer->subject, "%s '%s'", ic_plugin_kind_name(s->kind), s->name);
    if (s->kind == IC_PLUGIN_LAW && s->index < plugin->n_laws) ic_audit_law(writer, plugin->laws[s->index]);
    if (s->kind == IC_PLUGIN_IMPACT_MAP && s->index < plugin->n_impact_maps)
        ic_audit_impact_map(writer, plugin->impact_maps[s->index]);
    if (s->kind == IC_PLUGIN_SOLVER && s->index < plugin->n_solvers) {
        ic_known known = a->said.known;
        ic_solver_run_limit(a->run_limit);
        ic_audit_solver_part(writer, plugin->solvers[s->index], a->part, &known);
        ic_write_known(writer, &known);
    }
}

/* ---- in the parent */

static void take_record(ic_record *record, void *context)
{
    audit *a = context;
    ic_plugin_take_record(record, &a->said);
}

static ic_finding_writer make_writer(const audit *a)
{
    ic_finding_writer writer = {.report = a->said.report};
    if (a->now != NULL)
        snprintf(writer.subject, sizeof writer.subject, "%s '%s'", ic_plugin_kind_name(a->now->kind),
                 a->now->name);
    else snprintf(writer.subject, sizeof writer.subject, "library");
    if (a->now != NULL && a->now->kind == IC_PLUGIN_SOLVER && a->part < ic_solver_part_count())
        ic_solver_part_name(writer.place, sizeof writer.place, a->part);
    return writer;
}

static void describe_end(char *text, size_t size, const ic_child_end *end)
{
    if (end->lost) snprintf(text, size, "it ended the process that supervises it");
    else if (end->limit[0] != '\0') snprintf(text, size, "it was ended by %s", end->limit);
    else if (end->signal != 0)
        snprintf(text, size, "it was ended by signal %d (%s)", end->signal, strsignal(end->signal));
    else snprintf(text, size, "it ended the process with exit status %d", end->status);
}

/* The mistake of a solver's steps by which a run may take very long: steps far too short, or a clock that stands. */
static ic_mistake_id find_slow(const audit *a)
{
    const ic_mistake_id steps = a->said.known.of[IC_KNOWN_STEPS];
    switch (steps) {
    case IC_MISTAKE_ORDER_LOST:
    case IC_MISTAKE_ERROR_ESTIMATE_WRONG:
    case IC_MISTAKE_TOLERANCE_RELATIVE:
    case IC_MISTAKE_SINGLE_PRECISION:
        return a->now != NULL && a->now->kind == IC_PLUGIN_SOLVER ? steps : IC_NO_MISTAKE;
    default: return IC_NO_MISTAKE;
    }
}

/* Whether a run was ended by its timer. */
static bool has_overrun(const ic_child_end *end)
{
    return end->late || end->signal == SIGPROF;
}

static ic_mistake_id find_cause(const audit *a, const ic_child_end *end)
{
    if (end->forged > 0) return IC_MISTAKE_WRITES_OUT_OF_BOUNDS;
    if (has_overrun(end)) return find_slow(a) != IC_NO_MISTAKE ? find_slow(a) : IC_MISTAKE_HANGS;
    return end->limit[0] != '\0' ? IC_MISTAKE_LIMIT_EXCEEDED : IC_MISTAKE_CRASHES;
}

/* Adds a row about the end of the child. */
static void add_end(audit *a, const ic_child_end *end, double seconds)
{
    ic_finding_writer writer = make_writer(a);
    const size_t broken = a->said.n_broken + end->forged;
    const bool good = end->whole && broken == 0;
    const ic_judged_value measured = {good ? 0 : 1, 0, "it must end", find_cause(a, end)};
    char how[128];
    if (end->signal == SIGPROF) {
        seconds = a->run_limit;
        snprintf(how, sizeof how, " of processor time for one run");
    } else if (end->late) how[0] = '\0';
    else describe_end(how, sizeof how, end);
    a->hung |= has_overrun(end);
    if (good) ic_write_measured(&writer, IC_CHECK_COMES_BACK, &measured, "it ended by itself");
    else if (broken > 0)
        ic_write_measured(&writer, IC_CHECK_COMES_BACK, &measured,
                          "its process sent %zu records that no check has written: it writes out of bounds",
                          broken);
    else if (has_overrun(end) && end->excused)
        ic_write_open(&writer, IC_CHECK_COMES_BACK, 1,
                      "still running after %.3g s%s, in: %s, which the solver does not claim to solve", seconds,
                      how, end->doing);
    else if (has_overrun(end))
        ic_write_measured(&writer, IC_CHECK_COMES_BACK, &measured, "still running after %.3g s%s, in: %s",
                          seconds, how, end->doing);
    else
        ic_write_measured(&writer, IC_CHECK_COMES_BACK, &measured, "%s, in: %.120s%s%.120s", how, end->doing,
                          end->words[0] != '\0' ? "; its last message: " : "", end->words);
    const bool slow = has_overrun(end) && (end->excused || find_slow(a) != IC_NO_MISTAKE);
    a->said.report->crashed |= !good && !slow;
}

/* Starts a child. false: the system refuses. `always`: a child that ended well gets a row too. */
static bool run_child(audit *a, double seconds, bool always, bool *whole)
{
    a->said.n_broken = 0;
    const ic_child_end end = ic_child_run(audit_subject, take_record, a, seconds);
    if (!end.started) {
        ic_error_set(a->said.error, "the system refuses to start a process for the plugin");
        a->said.report->refused = true;
        return false;
    }
    if (a->said.refused) return false;
    *whole = end.whole && a->said.n_broken + end.forged == 0;
    if (always || !*whole) add_end(a, &end, seconds);
    return true;
}

/* Each part runs in a child of its own. */
static bool audit_solver(audit *a, double seconds)
{
    const double deadline = ic_process_now() + seconds;
    bool good = true, all_whole = true;
    a->said.known = (ic_known){{IC_NO_MISTAKE}};
    a->hung = false;
    for (a->part = 0; good && a->part < ic_solver_part_count(); a->part++) {
        bool whole = false;
        const double part = a->hung || find_slow(a) != IC_NO_MISTAKE ? SHORTER : 1;
        a->run_limit = part * fmax(RUN_SHARE * seconds, RUN_LEAST);
        good = run_child(a, (a->hung ? SHORTER : 1) * SOLVER_SHARE * fmax(deadline - ic_process_now(), 0),
                         false, &whole);
        all_whole &= whole;
    }
    if (good && all_whole) {
        ic_finding_writer writer = make_writer(a);
        const ic_judged_value measured = {0, 0, "it must end", IC_NO_MISTAKE};
        ic_write_measured(&writer, IC_CHECK_COMES_BACK, &measured, "it ended by itself, in all %zu parts",
                          a->part);
    }
    return good;
}

/* Each scene runs in a child of its own. */
static void audit_engine(audit *a, double seconds)
{
    ic_engine_row rows[IC_ENGINE_CONFIGS];
    ic_audit_report *report = a->said.report;
    const ic_engine_request request = {.library = a->path,
                                       .index = a->now->index,
                                       .name = a->now->name,
                                       .phases = IC_ENGINE_PHASES,
                                       .time_limit = SHARE * seconds};
    ic_audit_engine(&report->findings, rows, &request);
    if (rows[0].law.count > 0 && report->n_classifications < IC_AUDIT_CLASSIFICATIONS_MOST)
        report->classifications[report->n_classifications++] = rows[0].law;
    for (size_t i = 0; i < report->findings.count; i++) {
        const ic_mistake_id cause = report->findings.rows[i].cause;
        report->crashed |= cause == IC_MISTAKE_CRASHES || cause == IC_MISTAKE_HANGS;
    }
}

bool ic_audit_plugin(ic_audit_report *report, const char *path, double time_limit, ic_error *error)
{
    audit *a = calloc(1, sizeof *a);
    if (a == NULL) {
        ic_error_set(error, "memory ran out");
        return false;
    }
    a->path = path;
    a->said.report = report;
    a->said.error = error;
    bool whole = false, good = run_child(a, time_limit, false, &whole);
    for (size_t i = 0; good && i < a->said.n_subjects; i++) {
        a->now = &a->said.subjects[i];
        if (a->now->kind == IC_PLUGIN_ENGINE) audit_engine(a, time_limit);
        else if (a->now->kind == IC_PLUGIN_SOLVER) good = audit_solver(a, time_limit);
        else good = run_child(a, time_limit, true, &whole);
    }
    free(a);
    return good;
}
