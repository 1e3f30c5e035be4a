/* SPDX-License-Identifier: MIT */
#include "audit/common/finding.h"
#include "cli/ci.h"
#include "reports/reports.h"

#include <stdio.h>
#include <string.h>

/* ---- waivers */

const char *cli_ci_waiver_state(const cli_ci_waiver *w)
{
    return w->expired > 0 ? "expired" : w->used > 0 ? "used" : "unused";
}

/* The waiver that holds for a row that fails; NULL: none. */
static cli_ci_waiver *waiver_of(const cli_ci_file *file, const cli_ci_subject *s, const json_t *row)
{
    const char *code = ic_report_text(row, "code"), *cause = ic_report_text(row, "cause_code");
    for (size_t i = 0; i < file->n_waivers; i++) {
        cli_ci_waiver *w = &file->waivers[i];
        if (w->expired > 0 || (w->subject[0] != '\0' && strcmp(w->subject, s->name) != 0)) continue;
        if (strcmp(w->code, code) == 0 || strcmp(w->code, cause) == 0) return w;
    }
    return NULL;
}

/* ---- what may be undecided */

static bool allows(const cli_ci_names *undecided, const char *code)
{
    for (size_t i = 0; i < undecided->n; i++) {
        if (strcmp(undecided->names[i], code) == 0) return true;
    }
    return undecided->all;
}

/* Whether the list has each check without which the audit decides too little. */
static bool may_be_undecided(const cli_ci_subject *s, const json_t *rows)
{
    size_t listed = 0;
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *row = json_array_get(rows, i);
        if (!ic_report_skipped(row) || !json_is_true(json_object_get(row, "needed"))) continue;
        if (!allows(&s->undecided, ic_report_text(row, "code"))) return false;
        listed++;
    }
    return s->undecided.all || listed > 0;
}

/* ---- rows */

/* A row about the subject as a whole, or about the file. */
static json_t *row_of(ic_plugin_check id, const char *subject, const char *verdict, double error,
                      const char *detail)
{
    const ic_audit_check *check = &ic_plugin_checks[id];
    const bool days = id == IC_CHECK_GATE_EXPIRED;
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:s, s:f, s:n, s:i, s:s, s:s, s:s, s:s}",
                     "check", check->name, "code", check->code, "cause", "", "cause_code", "", "needed", 0,
                     "subject", subject, "place", "", "solver", "", "what", check->what, "error", error,
                     "radius", "tolerance", 0, "unit", days ? "days" : "1", "origin", "", "detail", detail,
                     "verdict", verdict);
}

static bool set_text(json_t *row, const char *key, const char *text)
{
    return json_object_set_new(row, key, json_string(text)) == 0;
}

/* The row that is its subject's: "my-law/law 'mine'". */
static bool set_subject(json_t *row, const cli_ci_subject *s)
{
    char text[512];
    const char *own = ic_report_text(row, "subject");
    const bool whole = strcmp(ic_report_text(row, "check"), "verdict") == 0;
    snprintf(text, sizeof text, "%.200s%s%.280s", s->name, whole ? "" : "/", whole ? "" : own);
    return set_text(row, "subject", text);
}

static bool waive(json_t *row, cli_ci_waiver *w)
{
    char text[4096];
    w->used++;
    snprintf(text, sizeof text, "waived until %s: %.1000s; %.2500s", w->until, w->reason,
             ic_report_text(row, "detail"));
    return set_text(row, "detail", text) && set_text(row, "verdict", "skipped") &&
           json_object_set_new(row, "waived", json_true()) == 0;
}

static bool judge_row(cli_ci_judgement *j, json_t *row, const cli_ci_file *file, const cli_ci_subject *s,
                      bool may_open)
{
    cli_ci_waiver *w = NULL;
    const bool verdict = strcmp(ic_report_text(row, "code"), ic_plugin_checks[IC_CHECK_GATE_VERDICT].code) == 0;
    bool good = set_subject(row, s);
    if (ic_report_failed(row) && verdict && may_open) good = good && set_text(row, "verdict", "skipped");
    if (ic_report_failed(row)) w = waiver_of(file, s, row);
    if (w != NULL) good = good && waive(row, w);
    if (ic_report_failed(row) && verdict) j->verdict = "undecided";
    j->failed += ic_report_failed(row);
    j->waived += w != NULL;
    j->open += ic_report_skipped(row) && w == NULL;
    j->passed += !ic_report_failed(row) && !ic_report_skipped(row);
    return good;
}

/* An audit that failed without a row that says why. */
static bool add_error(cli_ci_judgement *j, json_t *rows, const cli_ci_file *file, const cli_ci_subject *s,
                      const cli_ci_answer *answer)
{
    char text[3000];
    snprintf(text, sizeof text, "%.400s:%zu: exit status %d%s%s", file->path, s->place.line, answer->status,
             answer->messages[0] != '\0' ? ": " : "", answer->messages);
    j->failed++;
    j->verdict = answer->status == CLI_CHECK_FAILED ? "failed" : "error";
    return json_array_append_new(rows, row_of(IC_CHECK_GATE_RUNS, s->name, "fail", 1, text)) == 0;
}

bool cli_ci_judge(cli_ci_judgement *j, json_t *rows, const cli_ci_file *file, const cli_ci_subject *s,
                  const cli_ci_answer *answer)
{
    json_t *own = json_object_get(answer->results, "rows");
    const bool may_open = may_be_undecided(s, own);
    bool good = true;
    *j = (cli_ci_judgement){.verdict = ""};
    for (size_t i = 0; i < json_array_size(own) && good; i++) {
        json_t *row = json_array_get(own, i);
        good = judge_row(j, row, file, s, may_open) && json_array_append(rows, row) == 0;
    }
    /* a finding that is waived or may be open explains the status; without any, only messages do */
    const bool explained = j->failed > 0 || j->waived > 0 || (may_open && j->open > 0);
    if (good && answer->status != CLI_GOOD && (answer->results == NULL || !explained))
        good = add_error(j, rows, file, s, answer);
    else if (answer->status > CLI_CHECK_FAILED && j->failed > 0) j->verdict = "error";
    if (j->failed == 0) j->verdict = j->waived > 0 ? "waived" : "good";
    else if (j->verdict[0] == '\0' || (strcmp(j->verdict, "undecided") == 0 && j->failed > 1))
        j->verdict = "failed";
    j->status = j->failed == 0                      ? CLI_GOOD
                : answer->status > CLI_CHECK_FAILED ? answer->status
                                                    : CLI_CHECK_FAILED;
    return good;
}

bool cli_ci_judge_waivers(json_t *rows, const cli_ci_file *file)
{
    char text[1600], subject[400];
    bool good = true;
    for (size_t i = 0; i < file->n_waivers && good; i++) {
        const cli_ci_waiver *w = &file->waivers[i];
        const bool expired = w->expired > 0;
        if (!expired && w->used > 0) continue;
        snprintf(subject, sizeof subject, "waivers/%s%s%.200s", w->code, w->subject[0] != '\0' ? ", " : "",
                 w->subject);
        snprintf(text, sizeof text, "%.400s:%zu: %s%s; its reason was: %.800s", file->path, w->place.line,
                 expired ? "it has expired on " : "it waives nothing: remove it", expired ? w->until : "",
                 w->reason);
        json_t *row = row_of(expired ? IC_CHECK_GATE_EXPIRED : IC_CHECK_GATE_UNUSED, subject,
                             expired ? "fail" : "skipped", expired ? (double)w->expired : 1, text);
        good = json_array_append_new(rows, row) == 0;
    }
    return good;
}
