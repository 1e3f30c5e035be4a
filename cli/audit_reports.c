/* SPDX-License-Identifier: MIT */
/* Findings of an audit as the rows of reports/reports.h. */
#include "cli/audit.h"
#include "cli/report_files.h"
#include "reports/json.h"

#include <stdio.h>
#include <string.h>

/* Undecided findings are skipped rows. */
static const char *const verdicts[] = {
    [IC_FINDING_PASS] = "pass", [IC_FINDING_FAIL] = "fail", [IC_FINDING_OPEN] = "skipped"};

/* The name of a file or a plugin may not be valid UTF-8, which JSON and XML require. */
static json_t *text_json(const char *bytes)
{
    json_t *string = json_string(bytes);
    if (string != NULL) return string;
    char ascii[2048];
    size_t n = 0;
    for (; bytes[n] != '\0' && n + 1 < sizeof ascii; n++) {
        const bool plain = ((unsigned char)bytes[n] & 0x80u) == 0;
        ascii[n] = '?';
        if (plain) ascii[n] = bytes[n];
    }
    ascii[n] = '\0';
    return json_string(ascii);
}

/*
 * Whether a finding is the only one of its check and subject. Its place is then where it is worst, which changes with
 * the audited code; the place of others is what they are about.
 */
static bool is_alone(const ic_findings *all, const ic_finding *f)
{
    for (size_t i = 0; i < all->count; i++) {
        const ic_finding *other = &all->rows[i];
        if (other != f && other->check == f->check && strcmp(other->subject, f->subject) == 0) return false;
    }
    return true;
}

/* Names of tests hold what is stable, so that a CI server recognises the test in the next run. */
static json_t *row_of(const ic_findings *all, const ic_finding *f)
{
    char detail[2048];
    const bool known = f->cause != IC_NO_MISTAKE, worst = f->place[0] != '\0' && is_alone(all, f);
    snprintf(detail, sizeof detail, "%s%s%s%s%s%s%s%s%s%s", worst ? "at " : "", worst ? f->place : "",
             worst ? ": " : "", f->detail, known ? "; likely cause: " : "", ic_mistake_code(f->cause),
             known ? " " : "", ic_mistake_name(f->cause), known ? ": " : "", ic_mistake_text(f->cause));
    return json_pack(
        "{s:o, s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:o, s:o, s:n, s:o, s:o, s:o, s:o, s:o}", "check",
        text_json(f->check->name), "code", f->check->code != NULL ? f->check->code : "", "cause",
        ic_mistake_name(f->cause), "cause_code", ic_mistake_code(f->cause), "needed", f->check->needed,
        "subject", text_json(f->subject), "place", text_json(worst ? "" : f->place), "solver", text_json(""),
        "what", text_json(f->check->what), "error", ic_json_real(f->measured), "radius", "tolerance",
        ic_json_real(f->tolerance), "unit", text_json(f->unit != NULL ? f->unit : ""), "origin",
        text_json(f->origin), "detail", text_json(detail), "verdict", text_json(verdicts[f->verdict]));
}

/*
 * A row of its own if the verdict is undecided because too little was decided. It fails unless this
 * is allowed.
 */
static json_t *row_of_whole(const cli_audit_result *result, bool allowed)
{
    const ic_audit_check *check = &ic_plugin_checks[IC_CHECK_GATE_VERDICT];
    return json_pack("{s:s, s:s, s:s, s:s, s:b, s:s, s:s, s:s, s:s, s:n, s:n, s:n, s:s, s:s, s:o, s:s}",
                     "check", check->name, "code", check->code, "cause", "", "cause_code", "", "needed", 1,
                     "subject", "audit", "place", "", "solver", "", "what", check->what, "error", "radius",
                     "tolerance", "unit", "", "origin", "", "detail",
                     text_json(cli_audit_headline(result).text), "verdict", allowed ? "skipped" : "fail");
}

static json_t *results_of(const char *title, const cli_audit_result *result, bool allow_undecided)
{
    const ic_findings *findings = result->findings;
    const ic_audit_judgement j = cli_audit_judge(result);
    const bool undecided = j.verdict == IC_AUDIT_UNDECIDED;
    json_t *rows = json_array();
    bool good =
        rows != NULL && (!undecided || json_array_append_new(rows, row_of_whole(result, allow_undecided)) == 0);
    for (size_t i = 0; i < findings->count && good; i++) {
        good = json_array_append_new(rows, row_of(findings, &findings->rows[i])) == 0; /* NULL is refused */
    }
    if (!good) {
        json_decref(rows);
        return NULL;
    }
    const size_t failed = j.failed + (undecided && !allow_undecided),
                 open = j.open + (undecided && allow_undecided);
    return json_pack("{s:o, s:s, s:o, s:{s:I, s:I, s:I, s:I}}", "title", text_json(title), "verdict",
                     ic_audit_verdict_text(j.verdict), "rows", rows, "summary", "pass", (json_int_t)j.passed,
                     "fail", (json_int_t)failed, "erratum", (json_int_t)0, "skipped", (json_int_t)open);
}

bool cli_audit_write_reports(const cli_arguments *arguments, const cli_audit_result *result)
{
    char title[512];
    if (arguments->reports == NULL) return true;
    snprintf(title, sizeof title, "impactcheck audit --%s %s", result->input, result->path);
    json_t *results = results_of(title, result, cli_has(arguments, CLI_AUDIT_ALLOW_UNDECIDED));
    if (results == NULL) {
        cli_no_memory(arguments->command);
        return false;
    }
    const bool good = cli_report_files_write(arguments->reports, arguments, results);
    json_decref(results);
    return good;
}
