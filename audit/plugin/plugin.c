/* SPDX-License-Identifier: MIT */
#include "audit/plugin/plugin.h"

#include "audit/common/plugin_load.h"
#include "audit/law/law.h"
#include "audit/scene/scene.h"
#include "validation/workers.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Fraction of the time that one scene of an engine's audit may take. */
#define SHARE 0.125
/*
 * Limits of processor time in a solver's audit. SOLVER_SHARE is the fraction of the remaining time that one part
 * may take, so that parts that hang leave time for all others. A run may take RUN_SHARE of the whole time limit,
 * or LEAST_RUN, s, if that is more; the longest run of a right solver takes 1.5 s, and three times that beside other
 * work on the same core. Once a run has not ended, or steps are known to be too short, all others have SHORTER of that.
 */
#define SOLVER_SHARE 0.5
#define RUN_SHARE 0.05
#define LEAST_RUN 9.0
#define SHORTER 0.1

/* Earlier parts of a solver's audit have found this; it judges and limits later parts. */
typedef struct audit_state {
    /* the mistakes that explain other failures */
    ic_known known;

    /* a run has exceeded its processor time */
    bool hung;
} audit_state;

typedef struct audit {
    const char *path;
    const ic_plugin_audit_options *options;

    /* the subject of the child; NULL: it lists the subjects */
    const ic_plugin_subject *now;

    /* of a solver's audit */
    size_t part;

    /* before the part; in the reporting process, what is known so far */
    audit_state state;

    /* processor time of one run, s */
    double run_limit;

    /* what the parts of the solver have used, s */
    double spent;

    /* what the subject attempted and was refused: bits 1 << ic_attempt */
    unsigned attempts;

    /* all parts of the solver ended well */
    bool all_whole;

    ic_plugin_said said;

    /* number of the parts of all subjects */
    size_t n_parts;

    /* the first part of this round */
    size_t first;

    /* in a process that works: where its answer goes */
    FILE *answer;

    bool failed;
} audit;

/* ---- in the child */

static void send_name(ic_finding_writer *writer, ic_plugin_kind what, const char *name)
{
    char printable[IC_MOST_PLUGIN_NAME] = "";
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
    if (s->kind == IC_PLUGIN_LAW && s->index < plugin->n_laws)
        ic_audit_law(writer, plugin->laws[s->index], &ic_law_host_of_c, a->options->seed);
    if (s->kind == IC_PLUGIN_IMPACT_MAP && s->index < plugin->n_impact_maps)
        ic_audit_impact_map(writer, plugin->impact_maps[s->index], a->options->seed);
    if (s->kind == IC_PLUGIN_SOLVER && s->index < plugin->n_solvers) {
        ic_known known = a->state.known;
        ic_solver_run_limit(a->run_limit);
        ic_solver_disguise(a->options->seed);
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
    const ic_mistake_id steps = a->state.known.of[IC_KNOWN_STEPS];
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

/* The end of a sentence: which calls of the subject were refused so far; "": none. */
static const char *describe_refused(const audit *a)
{
    static char text[2 * IC_ATTEMPT_LIST];
    char list[IC_ATTEMPT_LIST];
    ic_attempts_write(list, sizeof list, a->attempts);
    snprintf(text, sizeof text, "%s%s", list[0] != '\0' ? "; it was refused " : "", list);
    return text;
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
    if (good)
        ic_write_measured(&writer, IC_CHECK_COMES_BACK, &measured, "it ended by itself%s", describe_refused(a));
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
        ic_write_measured(&writer, IC_CHECK_COMES_BACK, &measured, "%s, in: %.120s%s%.120s%s", how, end->doing,
                          end->words[0] != '\0' ? "; its last message: " : "", end->words, describe_refused(a));
    const bool slow = has_overrun(end) && (end->excused || find_slow(a) != IC_NO_MISTAKE);
    a->said.report->crashed |= !good && !slow;
}

static void report_no_process(audit *a)
{
    ic_error_set(a->said.error, IC_REFUSED_PROCESS);
    a->said.report->refused = true;
}

/* Lists the subjects. false: the library is no plugin, or the system refuses. */
static bool list_plugin(audit *a)
{
    const double seconds = a->options->time_limit;
    const ic_child_end end = ic_child_run(audit_subject, take_record, a, seconds);
    if (!end.started) {
        report_no_process(a);
        return false;
    }
    a->said.report->attempts |= end.attempts;
    if (a->said.refused) return false;
    if (!end.whole || a->said.n_broken + end.forged > 0) add_end(a, &end, seconds);
    return true;
}

/* ---- parts: a subject, or a part of a solver's audit */

static size_t parts_of(const ic_plugin_subject *subject)
{
    return subject->kind == IC_PLUGIN_SOLVER ? ic_solver_part_count() : 1;
}

/* Sets the subject and the part of it. */
static void choose_part(audit *a, size_t part)
{
    const ic_plugin_subject *subject = a->said.subjects;
    for (; part >= parts_of(subject); subject++) part -= parts_of(subject);
    a->now = subject;
    a->part = part;
}

/* A solver's audit begins without knowledge. */
static void begin_subject(audit *a)
{
    a->state = (audit_state){{{IC_NO_MISTAKE}}, false};
    a->spent = 0;
    a->attempts = 0;
    a->all_whole = true;
}

/* Keeps what the end of a part tells about the next ones: whether runs hang, and the time that is left. */
static void learn(audit *a, const ic_child_end *end, double seconds)
{
    a->state.hung |= has_overrun(end);
    a->spent += fmax(end->processor, end->late ? seconds : 0);
}

/* ---- in a process that works */

/*
 * Begins an answer. Records follow, or the findings of an engine's audit, whose texts are constants of this
 * program.
 */
typedef struct part_answer {
    /* what was known before the part */
    audit_state before;

    ic_child_end end;

    /* its limit, and that of a run, s */
    double seconds, run_limit;

    size_t n_records;

    bool has_law, crashed, no_memory;
    ic_classification law;
} part_answer;

/* Keeps a record for the reporting process; what it tells the next part is read here, too. */
static void keep_record(ic_record *record, void *context)
{
    audit *a = context;
    fwrite(record, sizeof *record, 1, a->answer);
    if (record->kind == IC_RECORD_MISTAKE) ic_known_take(&a->state.known, record);
}

/*
 * The scenes that engines can play, with drawn settings; NULL: `error`. They are read before any process works and kept until the program
 * ends: findings refer to them.
 */
static const ic_scenes *scenes_of_engines(const uint64_t *seed, ic_error *error)
{
    static ic_scenes scenes;
    if (scenes.n > 0) return &scenes;
    if (ic_scenes_read_for_plugins(&scenes, seed, error) && ic_scenes_certify(&scenes, error)) return &scenes;
    ic_scenes_free(&scenes);
    return NULL;
}

/* All scenes, and each worst setting once more; each in a child of its own. false: memory ran out. */
static bool play_scenes(const audit *a, part_answer *head, ic_findings *findings)
{
    ic_error error;
    const ic_scenes *scenes = scenes_of_engines(&a->options->seed, &error);
    char name[IC_SUBJECT_LENGTH];
    ic_scene_player player = {
        .library = a->path, .engine = a->now->index, .config = "", .seconds = SHARE * a->options->time_limit};
    static ic_scene_result results[IC_MOST_SCENES];
    bool good = scenes != NULL;
    snprintf(name, sizeof name, "engine '%.60s'", a->now->name);
    memset(results, 0, sizeof results);
    for (size_t i = 0; good && i < scenes->n; i++)
        good = ic_scene_audit(&results[i], scenes->files[i], scenes->answers[i], &player) &&
               ic_scene_repeat(&results[i], scenes->answers[i], &player);
    if (good) ic_scene_share_causes(results, scenes->n);
    for (size_t i = 0; scenes != NULL && i < scenes->n; i++) {
        if (good) ic_scene_add_findings(findings, &results[i], name);
        if (good && results[i].law.found.count > 0) head->law = results[i].law.found;
        head->has_law = head->law.count > 0;
        ic_scene_result_free(&results[i]);
    }
    snprintf(head->law.subject, sizeof head->law.subject, "%s", name);
    ic_scene_player_close(&player);
    return good;
}

static void work_on_engine(audit *a, part_answer *head, FILE *rows)
{
    ic_findings findings = {0};
    head->no_memory = !play_scenes(a, head, &findings);
    for (size_t i = 0; i < findings.count; i++) {
        const ic_mistake_id cause = findings.rows[i].cause;
        head->crashed |= cause == IC_MISTAKE_CRASHES || cause == IC_MISTAKE_HANGS;
    }
    head->no_memory |= findings.no_memory;
    head->n_records = findings.count;
    fwrite(findings.rows, sizeof *findings.rows, findings.count, rows);
    ic_findings_free(&findings);
}

static void work_on_child(audit *a, part_answer *head)
{
    const double limit = a->options->time_limit;
    head->seconds = limit;
    if (a->now->kind == IC_PLUGIN_SOLVER) {
        const double part = a->state.hung || find_slow(a) != IC_NO_MISTAKE ? SHORTER : 1;
        head->run_limit = a->run_limit = part * fmax(RUN_SHARE * limit, LEAST_RUN);
        head->seconds = (a->state.hung ? SHORTER : 1) * SOLVER_SHARE * fmax(limit - a->spent, 0);
    }
    head->end = ic_child_run(audit_subject, keep_record, a, head->seconds);
    learn(a, &head->end, head->seconds);
}

static void do_part(FILE *answer, size_t part, void *context)
{
    audit *a = context;
    char *bytes = NULL;
    size_t size = 0;
    const ic_plugin_subject *before = a->now;
    choose_part(a, part);
    /* what other processes have found about another subject meanwhile is not known here */
    if (a->part == 0 || a->now != before) begin_subject(a);
    part_answer head = {.before = a->state};
    a->answer = open_memstream(&bytes, &size);
    if (a->answer == NULL) return;
    if (a->now->kind == IC_PLUGIN_ENGINE) work_on_engine(a, &head, a->answer);
    else work_on_child(a, &head);
    const bool whole = ferror(a->answer) == 0;
    if (fclose(a->answer) == 0 && whole && bytes != NULL) {
        fwrite(&head, sizeof head, 1, answer);
        fwrite(bytes, 1, size, answer);
    }
    free(bytes);
}

/* ---- in the reporting process */

static void take_engine(audit *a, const part_answer *head, const char *rows)
{
    ic_audit_report *report = a->said.report;
    for (size_t i = 0; i < head->n_records; i++) {
        ic_finding finding;
        memcpy(&finding, rows + i * sizeof finding, sizeof finding);
        ic_findings_add(&report->findings, &finding);
    }
    if (head->has_law && report->n_classifications < IC_MOST_AUDIT_CLASSIFICATIONS)
        report->classifications[report->n_classifications++] = head->law;
    report->findings.no_memory |= head->no_memory;
    report->crashed |= head->crashed;
}

/* false: the system has refused to start a process. */
static bool take_child(audit *a, const part_answer *head, const char *records, size_t n)
{
    const ic_child_end *end = &head->end;
    const bool solver = a->now->kind == IC_PLUGIN_SOLVER;
    a->said.n_broken = 0;
    a->attempts |= end->attempts;
    a->said.report->attempts |= end->attempts;
    a->said.known = a->state.known;
    for (size_t i = 0; i < n; i++) {
        ic_record record;
        memcpy(&record, records + i * sizeof record, sizeof record);
        take_record(&record, a);
    }
    a->state.known = a->said.known;
    a->run_limit = head->run_limit;
    if (!end->started) {
        report_no_process(a);
        return false;
    }
    if (a->said.refused) return false;
    const bool whole = end->whole && a->said.n_broken + end->forged == 0;
    if (!solver || !whole) add_end(a, end, head->seconds);
    a->all_whole &= whole;
    learn(a, end, head->seconds);
    if (solver && a->part + 1 == ic_solver_part_count() && a->all_whole) {
        a->part++; /* the row is about the whole solver */
        ic_finding_writer writer = make_writer(a);
        const ic_judged_value measured = {0, 0, "it must end", IC_NO_MISTAKE};
        ic_write_measured(&writer, IC_CHECK_COMES_BACK, &measured, "it ended by itself, in all %zu parts%s",
                          a->part, describe_refused(a));
    }
    return true;
}

static void watch_part(const audit *a, const part_answer *head)
{
    char name[2 * IC_SUBJECT_LENGTH];
    if (a->options->watch == NULL) return;
    const ic_finding_writer writer = make_writer(a);
    snprintf(name, sizeof name, "%s%s%s", writer.subject, writer.place[0] != '\0' ? ": " : "", writer.place);
    a->options->watch(name, head->end.processor, a->options->context);
}

/* false: the part is done again, since others have found what it should have known; or the audit has failed. */
static bool take_part(const char *answer, size_t size, size_t part, void *context)
{
    audit *a = context;
    part_answer head;
    a->failed = size < sizeof head; /* memory ran out there */
    if (a->failed) {
        a->said.report->findings.no_memory = true;
        return ic_error_no_memory(a->said.error);
    }
    memcpy(&head, answer, sizeof head);
    choose_part(a, part);
    if (a->part == 0) begin_subject(a);
    if (memcmp(head.before.known.of, a->state.known.of, sizeof a->state.known.of) != 0 ||
        head.before.hung != a->state.hung)
        return false;
    a->first = part + 1;
    watch_part(a, &head);
    if (a->now->kind == IC_PLUGIN_ENGINE) take_engine(a, &head, answer + sizeof head);
    else a->failed = !take_child(a, &head, answer + sizeof head, (size - sizeof head) / sizeof(ic_record));
    return !a->failed;
}

/*
 * All parts, as if one after the other: each assumes what is known when its round begins, which holds for right
 * solvers to the end. A part that should have known more begins a new round.
 */
static bool audit_parts(audit *a)
{
    for (size_t i = 0; i < a->said.n_subjects; i++) {
        a->n_parts += parts_of(&a->said.subjects[i]);
        if (a->said.subjects[i].kind == IC_PLUGIN_ENGINE &&
            scenes_of_engines(&a->options->seed, a->said.error) == NULL)
            return false;
    }
    while (a->first < a->n_parts) {
        const ic_ordered_work work = {.jobs = a->options->jobs,
                                      .first = a->first,
                                      .parts = a->n_parts,
                                      .work = do_part,
                                      .take = take_part,
                                      .context = a};
        ic_error error = {""};
        choose_part(a, a->first); /* the subject to which the state belongs */
        if (!ic_workers_run_ordered(&work, &error)) {
            ic_error_set(a->said.error, "%s", error.text);
            a->said.report->refused = true;
            return false;
        }
        if (a->failed) return false;
    }
    return true;
}

bool ic_audit_plugin(ic_audit_report *report, const char *path, const ic_plugin_audit_options *options,
                     ic_error *error)
{
    audit *a = calloc(1, sizeof *a);
    if (a == NULL) return ic_error_no_memory(error);
    a->path = path;
    a->options = options;
    a->said.report = report;
    a->said.error = error;
    const bool good = list_plugin(a) && audit_parts(a);
    free(a);
    return good;
}
