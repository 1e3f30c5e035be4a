/* SPDX-License-Identifier: MIT */
/* Findings of an audit as the rows of reports/reports.h. */
#include "cli/audit.h"
#include "cli/report_files.h"

#include <math.h>
#include <stdio.h>

/* What the data do not decide was not compared: skipped. */
static const char *const verdicts[] = {
    [IC_FINDING_PASS] = "pass", [IC_FINDING_FAIL] = "fail", [IC_FINDING_OPEN] = "skipped"};

static json_t *number(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

/* A file's or a plugin's name may be no UTF-8, which JSON and XML are. */
static json_t *text(const char *bytes)
{
    json_t *string = json_string(bytes);
    if (string != NULL) return string;
    char ascii[1024];
    size_t n = 0;
    for (; bytes[n] != '\0' && n + 1 < sizeof ascii; n++) {
        const bool plain = ((unsigned char)bytes[n] & 0x80u) == 0;
        ascii[n] = '?';
        if (plain) ascii[n] = bytes[n];
    }
    ascii[n] = '\0';
    return json_string(ascii);
}

static json_t *row_of(const ic_finding *f)
{
    char detail[1024];
    const bool known = f->cause != IC_NO_MISTAKE;
    snprintf(detail, sizeof detail, "%s%s%s%s%s", f->detail, known ? "; likely cause: " : "",
             known ? ic_mistake_name(f->cause) : "", known ? ": " : "", known ? ic_mistake_text(f->cause) : "");
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:n, s:o, s:o, s:o, s:o, s:o}", "check",
                     text(f->check->name), "subject", text(f->subject), "place", text(f->place), "solver",
                     text(""), "what", text(f->check->what), "error", number(f->measured), "radius",
                     "tolerance", number(f->tolerance), "unit", text(f->unit != NULL ? f->unit : ""), "origin",
                     text(f->origin), "detail", text(detail), "verdict", text(verdicts[f->verdict]));
}

static json_t *results_of(const char *title, const ic_findings *findings)
{
    json_t *rows = json_array();
    bool good = rows != NULL;
    for (size_t i = 0; i < findings->count && good; i++) {
        good = json_array_append_new(rows, row_of(&findings->rows[i])) == 0; /* NULL is refused */
    }
    if (!good) {
        json_decref(rows);
        return NULL;
    }
    return json_pack("{s:o, s:o, s:{s:I, s:I, s:I, s:I}}", "title", text(title), "rows", rows, "summary",
                     "pass", (json_int_t)ic_findings_with(findings, IC_FINDING_PASS), "fail",
                     (json_int_t)ic_findings_with(findings, IC_FINDING_FAIL), "erratum", (json_int_t)0,
                     "skipped", (json_int_t)ic_findings_with(findings, IC_FINDING_OPEN));
}

bool cli_audit_write_reports(const cli_arguments *arguments, const char *input, const char *what,
                             const ic_findings *findings)
{
    char title[512];
    if (arguments->reports == NULL) return true;
    snprintf(title, sizeof title, "impactcheck audit --%s %s", input, what);
    json_t *results = results_of(title, findings);
    if (results == NULL) {
        cli_no_memory(arguments->command);
        return false;
    }
    const bool good = cli_report_files_write(arguments->reports, arguments, results);
    json_decref(results);
    return good;
}
