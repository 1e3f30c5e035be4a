/* SPDX-License-Identifier: MIT */
/* The verdict of an audit as a whole: its first line. */
#include "cli/audit_text.h"

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

/* Which rows a list of checks is about. */
typedef bool row_choice(const ic_finding *f, const cli_audit_result *result);

static bool is_failed(const ic_finding *f, const cli_audit_result *result)
{
    (void)result;
    return f->verdict == IC_FINDING_FAIL;
}

static bool leaves_verdict_open(const ic_finding *f, const cli_audit_result *result)
{
    return ic_finding_leaves_open(result->findings, f, !result->together);
}

static bool is_open(const ic_finding *f, const cli_audit_result *result)
{
    (void)result;
    return f->verdict == IC_FINDING_OPEN;
}

/* Length of the part of a place that says what was run: "roller" of "roller/III/C"; 0: there is none. */
static int root_of(const ic_finding *f, const char **root)
{
    const char *trap = "trap ";
    *root = strncmp(f->place, trap, strlen(trap)) == 0 ? f->place + strlen(trap) : f->place;
    return strchr(*root, '/') != NULL ? (int)strcspn(*root, "/") : 0;
}

/* What was run for the listed rows of a check, each once: " (three-crossings, grazing)". */
static void append_roots(cli_headline *line, const cli_audit_result *result, const ic_audit_check *check,
                         row_choice *is_listed)
{
    const ic_findings *findings = result->findings;
    const char *before = " (", *root = NULL, *other = NULL;
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        const int length = root_of(f, &root);
        bool named = f->check != check || length == 0 || !is_listed(f, result);
        for (size_t k = 0; k < i && !named; k++)
            named = findings->rows[k].check == check && is_listed(&findings->rows[k], result) &&
                    root_of(&findings->rows[k], &other) == length && strncmp(root, other, (size_t)length) == 0;
        if (named) continue;
        char text[IC_PLACE_LENGTH];
        snprintf(text, sizeof text, "%.*s", length, root);
        append_text(line, before, text);
        before = ", ";
    }
    if (before[0] == ',') append_text(line, "", ")");
}

/*
 * Names of the checks with listed rows that are called `word` (NULL: any), each once; `roots`: with what was
 * run, if subjects are judged each.
 */
static void append_checks(cli_headline *line, const cli_audit_result *result, row_choice *is_listed,
                          const char *word, bool roots)
{
    const ic_findings *findings = result->findings;
    const char *before = "";
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        bool named = !is_listed(f, result) || (word != NULL && strcmp(ic_finding_word(f), word) != 0);
        for (size_t k = 0; k < i && !named; k++)
            named = findings->rows[k].check == f->check && is_listed(&findings->rows[k], result);
        if (named) continue;
        append_text(line, before, f->check->name);
        if (roots && !result->together) append_roots(line, result, f->check, is_listed);
        before = ", ";
    }
}

/* "; 2 not promised: rest, energy; 1 undecided: law": how many rows are open, by the word of their blocks. */
static void append_open(cli_headline *line, const cli_audit_result *result, bool names)
{
    const ic_findings *findings = result->findings;
    for (size_t i = 0; i < findings->count; i++) {
        const char *word = ic_finding_word(&findings->rows[i]);
        size_t n = 0, before = 0;
        for (size_t k = 0; k < findings->count; k++) {
            const bool same = strcmp(ic_finding_word(&findings->rows[k]), word) == 0;
            n += same;
            before += same && k < i;
        }
        if (!is_open(&findings->rows[i], result) || before > 0) continue;
        char counts[64];
        snprintf(counts, sizeof counts, "; %zu %s%s", n, word, names ? ": " : "");
        append_text(line, "", counts);
        if (names) append_checks(line, result, is_open, word, true);
    }
}

static bool is_identity(const ic_finding *f)
{
    return f->check == &ic_plugin_checks[IC_CHECK_LAW_IDENTITY] ||
           f->check == &ic_plugin_checks[IC_CHECK_MAP_IDENTITY];
}

/* "; acts as hunt-crossley": what each law and map is, with its name if there are several. */
static void append_identities(cli_headline *line, const cli_audit_result *result, const char *before)
{
    const ic_findings *findings = result->findings;
    size_t n = 0;
    for (size_t i = 0; i < findings->count; i++) n += is_identity(&findings->rows[i]);
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *f = &findings->rows[i];
        char text[IC_SUBJECT_LENGTH + sizeof f->detail];
        if (!is_identity(f)) continue;
        snprintf(text, sizeof text, "%s%s%.*s", n > 1 ? f->subject : "", n > 1 ? ": " : "",
                 (int)strcspn(f->detail, ";"), f->detail);
        append_text(line, before, text);
        before = "; ";
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
        append_checks(line, result, leaves_verdict_open, NULL, true);
        append_text(line, "", "; the data that would decide are named below");
    } else if (is_identity(j->why)) {
        append_identities(line, result, "");
    } else {
        append_text(line, "there are no data that decide on ", j->why->subject);
        append_text(line, ": ", j->why->check->name);
        append_text(line, ": ", j->why->detail);
    }
}

static void say_failed(cli_headline *line, const cli_audit_result *result, const ic_audit_judgement *j)
{
    char counts[64];
    ic_likely_cause causes[IC_MISTAKE_COUNT];
    const size_t n = ic_findings_causes(result->findings, causes);
    snprintf(counts, sizeof counts, "%zu of %zu checks", j->failed, result->findings->count);
    append_text(line, "", counts);
    if (n == 0) {
        append_text(line, "", " (");
        append_checks(line, result, is_failed, NULL, false);
        append_text(line, "", "); cause unknown");
    }
    for (size_t i = 0; i < n; i++)
        append_text(line,
                    i > 0    ? ", "
                    : n == 1 ? "; likely cause: "
                             : "; likely causes: ",
                    ic_mistake_name(causes[i].mistake));
    append_identities(line, result, "; ");
    append_open(line, result, false);
}

static void say_good(cli_headline *line, const cli_audit_result *result, const ic_audit_judgement *j)
{
    char counts[96];
    snprintf(counts, sizeof counts, "%zu check%s passed", j->passed, j->passed == 1 ? "" : "s");
    append_text(line, "", counts);
    append_identities(line, result, "; ");
    append_open(line, result, true);
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
