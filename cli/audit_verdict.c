/* SPDX-License-Identifier: MIT */
/* The verdict of an audit as a whole: its first line, and the exit status. */
#include "cli/audit.h"
#include "cli/audit_text.h"
#include "cli/terminal.h"

#include <stdio.h>
#include <string.h>

ic_audit_judgement cli_audit_judge(const cli_audit_result *result)
{
    return ic_findings_judge(result->findings, !result->together);
}

static void append_text(cli_headline *line, const char *before, const char *text)
{
    const size_t n = strlen(line->text);
    snprintf(line->text + n, sizeof line->text - n, "%s%s", before, text);
}

static bool is_listed(const ic_finding *f, const cli_audit_result *result, bool leaves_open)
{
    return f->verdict == IC_FINDING_OPEN &&
           ic_finding_leaves_open(result->findings, f, !result->together) == leaves_open;
}

/*
 * Names of checks with open rows, separated by commas: those that leave the verdict open, or the
 * others. Each name appears once.
 */
static void append_checks(cli_headline *line, const cli_audit_result *result, bool leaves_open)
{
    const ic_findings *findings = result->findings;
    const char *before = "";
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        bool named = !is_listed(f, result, leaves_open);
        for (size_t k = 0; k < i && !named; k++)
            named = findings->rows[k].check == f->check && is_listed(&findings->rows[k], result, leaves_open);
        if (named) continue;
        append_text(line, before, f->check->name);
        before = ", ";
    }
}

static void say_undecided(cli_headline *line, const cli_audit_result *result, const ic_audit_judgement *j)
{
    if (j->why == NULL) {
        append_text(line, "", "no check was made");
    } else if (j->passed == 0 && result->together) {
        append_text(line, "", "no check could be decided; the data that would decide are named below");
    } else if (result->together) {
        append_text(line, "", "the rows do not decide ");
        append_checks(line, result, true);
        append_text(line, "", "; the data that would decide are named below");
    } else {
        append_text(line, "there are no data that decide on ", j->why->subject);
        append_text(line, ": ", j->why->check->name);
        append_text(line, ": ", j->why->detail);
    }
}

static void say_failed(cli_headline *line, const cli_audit_result *result, const ic_audit_judgement *j)
{
    char counts[64];
    snprintf(counts, sizeof counts, "%zu of %zu checks", j->failed, result->findings->count);
    append_text(line, "", counts);
    for (size_t i = 0; i < result->findings->count; i++) {
        const ic_finding *f = &result->findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || f->cause == IC_NO_MISTAKE) continue;
        append_text(line, "; likely cause: ", ic_mistake_name(f->cause));
        return;
    }
    const char *before = "; cause unknown: ";
    for (size_t i = 0; i < result->findings->count; i++) {
        const ic_finding *f = &result->findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL) continue;
        append_text(line, before, f->check->name);
        before = ", ";
    }
}

static void say_good(cli_headline *line, const cli_audit_result *result, const ic_audit_judgement *j)
{
    char counts[96];
    snprintf(counts, sizeof counts, "%zu check%s passed", j->passed, j->passed == 1 ? "" : "s");
    append_text(line, "", counts);
    if (j->open == 0) return;
    snprintf(counts, sizeof counts,
             result->one_subject ? "; %zu not decided by these data: "
                                 : "; %zu not claimed or not there, and so not tested: ",
             j->open);
    append_text(line, "", counts);
    append_checks(line, result, false);
}

cli_headline cli_audit_headline(const cli_audit_result *result)
{
    static const char *const words[] = {
        [IC_AUDIT_GOOD] = "Good: ", [IC_AUDIT_FAILED] = "Failed: ", [IC_AUDIT_UNDECIDED] = "Undecided: "};
    const ic_audit_judgement j = cli_audit_judge(result);
    cli_headline line = {""};
    append_text(&line, "", words[j.verdict]);
    if (j.verdict == IC_AUDIT_UNDECIDED) say_undecided(&line, result, &j);
    else if (j.verdict == IC_AUDIT_FAILED) say_failed(&line, result, &j);
    else say_good(&line, result, &j);
    return line;
}

void cli_audit_print_headline(const cli_audit_result *result)
{
    static const cli_colour colours[] = {
        [IC_AUDIT_GOOD] = CLI_GREEN, [IC_AUDIT_FAILED] = CLI_RED, [IC_AUDIT_UNDECIDED] = CLI_YELLOW};
    const cli_headline line = cli_audit_headline(result);
    printf("%s%s%s\n", cli_paint_on(stdout, colours[cli_audit_judge(result).verdict]), line.text,
           cli_paint_off(stdout));
}

void cli_audit_print_if_not_good(const cli_audit_result *result)
{
    if (cli_audit_judge(result).verdict != IC_AUDIT_GOOD) cli_audit_print_headline(result);
}

int cli_audit_status(const cli_arguments *arguments, const cli_audit_result *result)
{
    switch (cli_audit_judge(result).verdict) {
    case IC_AUDIT_GOOD: return CLI_GOOD;
    case IC_AUDIT_UNDECIDED: return cli_has(arguments, CLI_AUDIT_ALLOW_UNDECIDED) ? CLI_GOOD : CLI_CHECK_FAILED;
    default: return CLI_CHECK_FAILED;
    }
}
