/* SPDX-License-Identifier: MIT */
#include "cli/audit_text.h"
#include "cli/parts.h"

#include "cli/audit_restitution.h"
#include "cli/command.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "reports/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { DIGITS = 3, CANDIDATES_SHOWN = 4 };

/* ---- for people */

/* The distance of a row from its tolerance. */
static double share_of_tolerance(const ic_finding *f)
{
    return f->tolerance > 0 && isfinite(f->measured) ? f->measured / f->tolerance : 0;
}

static bool go_together(const ic_finding *a, const ic_finding *b)
{
    return a->verdict == IC_FINDING_PASS && b->verdict == IC_FINDING_PASS && a->check == b->check &&
           strcmp(a->subject, b->subject) == 0;
}

/* Rows that pass the same check are shown as one: `i` must be the first of them; `nearest` is the
   one nearest to its tolerance. */
static bool leads_group(const ic_findings *findings, size_t i, size_t *nearest, size_t *count)
{
    const ic_finding *rows = findings->rows;
    *nearest = i;
    *count = 1;
    for (size_t k = 0; k < i; k++) {
        if (go_together(&rows[k], &rows[i])) return false;
    }
    for (size_t k = i + 1; k < findings->count; k++) {
        if (!go_together(&rows[k], &rows[i])) continue;
        ++*count;
        if (share_of_tolerance(&rows[k]) > share_of_tolerance(&rows[*nearest])) *nearest = k;
    }
    return true;
}

static bool any_go_together(const ic_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        size_t nearest, count;
        if (leads_group(findings, i, &nearest, &count) && count > 1) return true;
    }
    return false;
}

/* If each trap is a subject of its own, the subject already contains the place. */
static const char *place_of(const ic_finding *f)
{
    return strstr(f->place, f->subject) != NULL ? "" : f->place;
}

static bool any_place(const ic_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        if (place_of(&findings->rows[i])[0] != '\0') return true;
    }
    return false;
}

/* Columns that are left out. */
typedef struct hidden {
    bool subject, place, rows;
} hidden;

static void add_row(cli_table *table, const ic_finding *f, size_t count, hidden hide)
{
    char rows[24] = "";
    if (count > 1) snprintf(rows, sizeof rows, "%zu", count);
    cli_table_cell(table, ic_finding_word(f));
    if (!hide.subject) cli_table_cell(table, f->subject);
    cli_table_cell(table, f->check->name);
    if (!hide.place) cli_table_cell(table, place_of(f));
    if (!hide.rows) cli_table_cell(table, rows);
    const int digits = ic_number_digits_apart(f->measured, f->tolerance, DIGITS);
    CLI_ROW(table, ic_number_short(f->measured, digits).text, ic_number_short(f->tolerance, digits).text,
            f->unit != NULL ? f->unit : "", f->verdict == IC_FINDING_FAIL ? ic_mistake_name(f->cause) : "");
}

static bool print_findings(const cli_audit_result *result)
{
    static const cli_column all[] = {{"verdict", CLI_LEFT},    {"subject", CLI_LEFT}, {"check", CLI_LEFT},
                                     {"place", CLI_LEFT},      {"rows", CLI_RIGHT},   {"measured", CLI_RIGHT},
                                     {"tolerance", CLI_RIGHT}, {"unit", CLI_LEFT},    {"cause", CLI_LEFT}};
    enum { SUBJECT = 1, PLACE = 3, ROWS = 4 };
    const ic_findings *findings = result->findings;
    const hidden hide = {result->one_subject, !any_place(findings), !any_go_together(findings)};
    cli_column columns[IC_COUNT(all)];
    size_t n = 0;
    for (size_t i = 0; i < IC_COUNT(all); i++) {
        const bool left_out =
            (i == SUBJECT && hide.subject) || (i == PLACE && hide.place) || (i == ROWS && hide.rows);
        if (!left_out) columns[n++] = all[i];
    }
    cli_table *table = cli_table_new(columns, n);
    for (size_t i = 0; i < findings->count; i++) {
        size_t nearest, count;
        if (leads_group(findings, i, &nearest, &count)) add_row(table, &findings->rows[nearest], count, hide);
    }
    return cli_table_finish(table, 0, true);
}

/* "law 'mine', ", or nothing */
static ic_hint subject_prefix(const cli_audit_result *result, const char *subject, const char *then)
{
    ic_hint hint = {""};
    if (!result->one_subject) snprintf(hint.text, sizeof hint.text, "%s%s", subject, then);
    return hint;
}

/* What waivers and histories name. */
static void print_codes(const ic_finding *f)
{
    if (f->check->code == NULL) return;
    printf("  code: %s%s%s\n", f->check->code, f->cause != IC_NO_MISTAKE ? ", cause " : "",
           ic_mistake_code(f->cause));
}

/* Details of each row that does not pass. */
static void print_details(const cli_audit_result *result)
{
    for (size_t i = 0; i < result->findings->count; i++) {
        const ic_finding *f = &result->findings->rows[i];
        if (f->verdict == IC_FINDING_PASS) continue;
        cli_print("\n%s: %s%s (%s)\n", ic_finding_word(f), subject_prefix(result, f->subject, ", ").text,
                  f->check->name, f->check->what);
        if (place_of(f)[0] != '\0') cli_print("  at: %s\n", f->place);
        cli_print("  %s\n", f->detail);
        if (f->origin[0] != '\0') cli_print("  tolerance: %s\n", f->origin);
        if (f->verdict != IC_FINDING_FAIL) continue;
        if (f->check->why[0] != '\0') printf("  so %s; by %s\n", f->check->why, f->check->reference);
        else printf("  by %s\n", f->check->reference);
        if (f->cause != IC_NO_MISTAKE) printf("  likely cause: %s\n", ic_mistake_name(f->cause));
        else if (f->because[0] != '\0') printf("  no cause: %s\n", f->because);
        print_codes(f);
    }
}

/* Whether a row fails by the cause that another one says, if perhaps less exactly. */
static bool shows_cause(const ic_finding *g, const ic_finding *f)
{
    return g->verdict == f->verdict && g->cause == f->cause && strcmp(g->subject, f->subject) == 0 &&
           (g->because[0] == '\0' || strcmp(g->because, f->because) == 0);
}

/* Whether another row names this cause as exactly, or more exactly. */
static bool is_named_elsewhere(const ic_findings *findings, size_t i)
{
    const ic_finding *f = &findings->rows[i];
    for (size_t k = 0; k < findings->count; k++) {
        const ic_finding *g = &findings->rows[k];
        if (k == i || g->verdict != f->verdict || g->cause != f->cause || strcmp(g->subject, f->subject) != 0)
            continue;
        if (k < i && strcmp(g->because, f->because) == 0) return true;
        if (f->because[0] == '\0' && g->because[0] != '\0') return true;
    }
    return false;
}

/* Where the scenes show this cause, each once: " (falling-ball, two-balls)". */
static void print_scenes(const ic_findings *findings, const ic_finding *f)
{
    const char *before = " (";
    for (size_t i = 0; i < findings->count; i++) {
        const ic_finding *g = &findings->rows[i];
        bool said = false;
        for (size_t k = 0; k < i; k++)
            said |= shows_cause(&findings->rows[k], f) && strcmp(findings->rows[k].place, g->place) == 0;
        if (said || !shows_cause(g, f)) continue;
        cli_print("%s%s", before, g->place);
        before = ", ";
    }
    putchar(')');
}

static void print_causes(const cli_audit_result *result)
{
    for (size_t i = 0; i < result->findings->count; i++) {
        const ic_finding *f = &result->findings->rows[i];
        if (f->verdict != IC_FINDING_FAIL || f->cause == IC_NO_MISTAKE ||
            is_named_elsewhere(result->findings, i))
            continue;
        const bool known = f->because[0] != '\0';
        printf("\n%s %s%s", cli_paint(stdout, CLI_BOLD, "Likely cause:").text,
               subject_prefix(result, f->subject, ": ").text, ic_mistake_name(f->cause));
        if (result->of_scenes) print_scenes(result->findings, f);
        printf(": %s%s%s.\n", ic_mistake_text(f->cause), known ? ": " : "", f->because);
    }
}

static void print_classification(const cli_audit_result *result, const ic_classification *c)
{
    printf("\n%s%s: %s\n", subject_prefix(result, c->subject, ", ").text, c->question,
           c->decided ? c->candidates[0].name : "cannot tell");
    for (size_t i = 0; i < c->count && i < CANDIDATES_SHOWN; i++) {
        const double misfit = c->candidates[i].misfit;
        printf("  %-20s misfit %s\n", c->candidates[i].name,
               isinf(misfit) ? "infinite" : ic_number_short(misfit, DIGITS).text);
    }
    const bool none = strncmp(c->detail, "none of these", strlen("none of these")) == 0;
    if (result->one_subject && !none) printf("  (misfit 1: explained by noise)\n");
    if (c->detail[0] != '\0') cli_print("  %s\n", c->detail);
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

void cli_audit_print_failures(const cli_audit_result *result)
{
    print_details(result);
    print_causes(result);
}

bool cli_audit_print(const cli_audit_result *result)
{
    if (!print_findings(result)) return false;
    for (size_t i = 0; i < result->n_classifications; i++)
        print_classification(result, &result->classifications[i]);
    if (!cli_restitution_print(result->points, result->n_points)) return false;
    cli_audit_print_failures(result);
    const ic_audit_judgement j = cli_audit_judge(result);
    printf("\n%zu of %zu checks failed", j.failed, result->findings->count);
    if (j.open > 0) printf(", %zu undecided", j.open);
    if (result->drawn) printf("; --seed %zu repeats what was drawn", result->seed);
    putchar('\n');
    return true;
}

/* ---- for programs */

void cli_audit_json(const cli_audit_result *result)
{
    ic_json json = ic_json_to(stdout);
    ic_json_object(&json, NULL);
    cli_audit_json_members(&json, result);
    if (result->times != NULL) cli_times_json(&json, "times", result->times);
    ic_json_end(&json);
}
