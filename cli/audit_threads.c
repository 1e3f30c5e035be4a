/* SPDX-License-Identifier: MIT */
/* impactcheck audit --engine --thread: public reports of faults in engines, each by its scene. */

#include "audit/scene/scene.h"
#include "audit/scene/scene_file.h"
#include "cli/audit.h"
#include "cli/audit_scenes.h"
#include "cli/engine_list.h"
#include "cli/table.h"
#include "cli/terminal.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* default time limit of a scene, s */
#define TIME_LIMIT 20.0

/* A thread on an engine. */
typedef struct part {
    const ic_scene_thread *thread;
    const cli_engine *engine;
    char variant[CLI_ENGINE_NAME];
    const char *config;
    double *answers;
} part;

typedef struct threads_audit {
    const cli_arguments *arguments;
    ic_scene_threads threads;
    cli_engine_list list;
    double seconds;

    /* processes at the same time */
    size_t jobs;

    part parts[IC_MOST_THREADS];
    ic_scene_result results[IC_MOST_THREADS];
    size_t n;
    ic_findings findings;
} threads_audit;

/* ---- the work */

static void do_part(FILE *answer, size_t i, void *context)
{
    const threads_audit *a = context;
    const part *p = &a->parts[i];
    ic_scene_player player = {
        .program = p->engine->program, .variant = p->variant, .config = p->config, .seconds = a->seconds};
    ic_scene_result result;
    const bool good = ic_scene_audit(&result, p->thread->scene, p->answers, &player);
    fputc(good ? 1 : 0, answer);
    if (good) ic_scene_result_write(answer, &result);
    ic_scene_result_free(&result);
    ic_scene_player_close(&player);
}

static bool take_part(const char *answer, size_t size, size_t i, void *context)
{
    threads_audit *a = context;
    (void)size;
    const bool good = *answer++ != 0 && ic_scene_result_read(&a->results[i], &answer);
    a->findings.no_memory |= !good;
    cli_progress_say(a->parts[i].thread->id);
    return good;
}

/* ---- verdicts */

typedef enum seen { SEEN, ANOTHER, NOT_SEEN, NOT_PLAYED } seen;

/* The setting of the thread in which its figure is farthest outside; that of the scene if it has none. */
static size_t setting_of(const part *p, const ic_scene_result *r)
{
    size_t worst = r->figures[p->thread->figure].worst;
    double excess = -INFINITY;
    for (size_t i = r->file->first_added; i < r->n_settings; i++) {
        const ic_scene_point *point = ic_scene_point_of(r, i, p->thread->figure);
        const double beyond = ic_scene_excess(&r->file->figures[p->thread->figure], point);
        if (point->verdict == IC_POINT_NONE || !(beyond > excess)) continue;
        excess = beyond;
        worst = i;
    }
    return worst;
}

static const ic_scene_point *point_of(const part *p, const ic_scene_result *r)
{
    return ic_scene_point_of(r, setting_of(p, r), p->thread->figure);
}

static seen see(const part *p, const ic_scene_result *r)
{
    const ic_point_verdict verdict = point_of(p, r)->verdict;
    if (r->broken == r->n_settings) return NOT_PLAYED;
    if (verdict != IC_POINT_FAIL && verdict != IC_POINT_UNPROMISED) return NOT_SEEN;
    return r->figures[p->thread->figure].cause == p->thread->mistake ? SEEN : ANOTHER;
}

static const char *seen_text(seen s, const ic_scene_thread *t)
{
    switch (s) {
    case SEEN: return t->seen ? "seen" : "seen, though said to be mended";
    case ANOTHER: return "another fault";
    case NOT_SEEN: return t->seen ? "not seen" : "not seen, as said";
    default: return "not played";
    }
}

static void add_finding(threads_audit *a, size_t i)
{
    const part *p = &a->parts[i];
    const ic_scene_result *r = &a->results[i];
    const ic_scene_figure *figure = &r->file->figures[p->thread->figure];
    const ic_figure_result *f = &r->figures[p->thread->figure];
    const ic_scene_point *point = point_of(p, r);
    const seen s = see(p, r);
    ic_finding finding = {.check = &ic_plugin_checks[IC_CHECK_ENGINE_THREAD],
                          .measured = NAN,
                          .tolerance = NAN,
                          .unit = figure->unit,
                          .verdict = s == NOT_PLAYED ? IC_FINDING_OPEN
                                     : s == NOT_SEEN ? IC_FINDING_PASS
                                                     : IC_FINDING_FAIL};
    snprintf(finding.subject, sizeof finding.subject, "%.80s, %s", p->engine->name, p->config);
    snprintf(finding.place, sizeof finding.place, "%.60s", p->thread->id);
    if (s == NOT_PLAYED)
        ic_finding_describe(&finding, "the scene %s is not played: %s", r->file->name, r->detail);
    else
        ic_finding_describe(&finding, "%s: %s %.6g instead of %.6g +- %.2g in scene %s by %s",
                            seen_text(s, p->thread), figure->name, point->measured, point->exact,
                            point->tolerance, r->file->name, r->engine);
    if (finding.verdict == IC_FINDING_FAIL) {
        finding.cause = f->cause;
        snprintf(finding.because, sizeof finding.because, "%s", f->because);
    }
    ic_findings_add(&a->findings, &finding);
}

static bool print_table(const threads_audit *a)
{
    cli_table *table = cli_table_of("thread|engine|set|scene|figure|measured; exact|named|result");
    for (size_t i = 0; i < a->n; i++) {
        const part *p = &a->parts[i];
        const ic_scene_result *r = &a->results[i];
        const ic_scene_figure *figure = &r->file->figures[p->thread->figure];
        const ic_figure_result *f = &r->figures[p->thread->figure];
        const ic_scene_point *point = point_of(p, r);
        char value[96] = "-";
        if (r->broken < r->n_settings) cli_scene_point_text(value, sizeof value, figure, point);
        CLI_ROW(table, p->thread->id, r->engine[0] != '\0' ? r->engine : p->engine->name, p->config,
                r->file->name, figure->name, value, f->cause != IC_NO_MISTAKE ? ic_mistake_name(f->cause) : "-",
                seen_text(see(p, r), p->thread));
    }
    return cli_table_finish(table, 0, true);
}

static void print_titles(const threads_audit *a)
{
    if (a->n > 3) return;
    for (size_t i = 0; i < a->n; i++) {
        const ic_scene_thread *t = a->parts[i].thread;
        printf("\n%s: %s (%s)%s%s\n", t->id, t->title, t->state, t->says[0] != '\0' ? "\n  " : "", t->says);
    }
}

static int report(threads_audit *a)
{
    cli_audit_result result = {
        .input = "engine", .path = cli_value(a->arguments, CLI_AUDIT_ENGINE), .findings = &a->findings};
    if (a->findings.no_memory) return cli_no_memory(a->arguments->command);
    for (size_t i = 0; i < a->n; i++) add_finding(a, i);
    const bool text = !cli_has(a->arguments, CLI_AUDIT_JSON) && !cli_has(a->arguments, CLI_AUDIT_QUIET);
    if (!text) return cli_audit_report(a->arguments, &result);
    cli_audit_print_headline(&result);
    if (!print_table(a)) return cli_no_memory(a->arguments->command);
    print_titles(a);
    cli_engine_list_missing(&a->list);
    return cli_audit_write_reports(a->arguments, &result) ? cli_audit_status(a->arguments, &result)
                                                          : CLI_FAILURE;
}

/* ---- choice */

static bool add_part(threads_audit *a, const ic_scene_thread *thread, const cli_engine *engine)
{
    ic_error error;
    const char *config = cli_value(a->arguments, CLI_AUDIT_CONFIG);
    if (engine->program[0] == '\0' || a->n == IC_MOST_THREADS) return true;
    part *p = &a->parts[a->n++];
    *p = (part){.thread = thread, .engine = engine, .config = config != NULL ? config : thread->config};
    const bool own = engine->known != NULL && strcmp(engine->name, thread->engine) == 0;
    snprintf(p->variant, sizeof p->variant, "%s",
             engine->variant[0] != '\0' ? engine->variant
             : own                      ? thread->variant
                                        : "");
    p->answers = ic_scene_all_answers(thread->scene, &error);
    return p->answers != NULL || cli_refuse(a->arguments->command, "%s", error.text);
}

/* No thread can be played: why. */
static bool refuse_none(const threads_audit *a, const ic_scene_thread *one)
{
    char names[512] = "";
    if (one != NULL)
        return cli_refuse(a->arguments->command, "option --thread: %s, the engine of this thread, is not built",
                          one->engine);
    for (size_t i = 0; i < a->threads.n; i++) {
        const char *name = a->threads.threads[i].engine;
        bool known = false;
        for (size_t k = 0; k < i; k++) known |= strcmp(a->threads.threads[k].engine, name) == 0;
        const size_t used = strlen(names);
        if (!known) snprintf(names + used, sizeof names - used, "%s%s", used > 0 ? ", " : "", name);
    }
    if (a->list.all)
        return cli_refuse(a->arguments->command, "option --thread: none of the engines of threads is built: %s",
                          names);
    return cli_refuse(a->arguments->command,
                      "option --thread: no thread is about %s; they are about %s. "
                      "One by its ID (impactcheck list threads) can be played by any engine",
                      cli_value(a->arguments, CLI_AUDIT_ENGINE), names);
}

/* One thread on all engines of the list, or all threads on their own engines. */
static bool add_parts(threads_audit *a)
{
    const char *id = cli_value(a->arguments, CLI_AUDIT_THREAD);
    const bool all = strcmp(id, "all") == 0;
    const ic_scene_thread *one = all ? NULL : ic_scene_thread_find(&a->threads, id);
    if (!all && one == NULL)
        return cli_refuse(a->arguments->command,
                          "option --thread: there is no thread '%s'; impactcheck list threads", id);
    for (size_t i = 0; i < a->threads.n; i++) {
        const ic_scene_thread *t = &a->threads.threads[i];
        if (!all && strcmp(t->id, one->id) != 0) continue;
        for (size_t k = 0; k < a->list.n; k++) {
            const bool own = strcmp(a->list.engines[k].name, t->engine) == 0;
            if ((own || (!all && !a->list.all)) && !add_part(a, t, &a->list.engines[k])) return false;
        }
    }
    return a->n > 0 || refuse_none(a, one);
}

/* ---- all */

/* Options, engines and threads, of which those that are played are the parts; returns the exit status. */
static int read_audit(threads_audit *a)
{
    ic_error error;
    a->seconds = TIME_LIMIT;
    if (!cli_positive(a->arguments, CLI_AUDIT_TIME_LIMIT, INFINITY, &a->seconds) ||
        !cli_jobs(a->arguments, CLI_AUDIT_JOBS, &a->jobs) ||
        cli_engine_list_read(&a->list, a->arguments, CLI_AUDIT_ENGINE) != CLI_GOOD)
        return CLI_BAD_INPUT;
    if (ic_scene_threads_read(&a->threads, &error)) return add_parts(a) ? CLI_GOOD : CLI_BAD_INPUT;
    cli_failure(a->arguments->command, "%s", error.text);
    return CLI_BAD_INPUT;
}

static void release(threads_audit *a)
{
    for (size_t i = 0; i < a->n; i++) {
        ic_scene_result_free(&a->results[i]);
        free(a->parts[i].answers);
    }
    ic_findings_free(&a->findings);
    ic_scene_threads_free(&a->threads);
}

int cli_audit_threads(const cli_arguments *arguments)
{
    static threads_audit a;
    a = (threads_audit){.arguments = arguments};
    int status = read_audit(&a);
    const ic_ordered_work work = {
        .jobs = a.jobs, .parts = a.n, .work = do_part, .take = take_part, .context = &a};
    if (status == CLI_GOOD && !cli_audit_play(arguments, &work)) status = CLI_FAILURE;
    if (status == CLI_GOOD) status = report(&a);
    release(&a);
    return status;
}
