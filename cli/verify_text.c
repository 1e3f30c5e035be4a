/* SPDX-License-Identifier: MIT */
#include "cli/verify_text.h"
#include "cli/table.h"
#include "cli/terminal.h"
#include "registry/registry.h"
#include "reports/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 3, INDENT = 2, GAP = 2, NAME_SIZE = 64, LONGEST_TEXT = 56 };

/*
 * Number of rows of a group that are shown: the first explains the failure, the others show what
 * varies.
 */
enum { MOST_OF_A_GROUP = 3 };

/* ---- all rows */

/* Origins of tolerances; each is printed once and referred to by its number. */
typedef struct origins {
    /* of the rows */
    const char **texts;

    size_t n;
} origins;

static size_t origin_number(origins *known, const char *text)
{
    for (size_t i = 0; i < known->n; i++) {
        if (strcmp(known->texts[i], text) == 0) return i + 1;
    }
    known->texts[known->n++] = text;
    return known->n;
}

/*
 * A text, cut to a table's width at the start of a character. --json, --markdown and failures give
 * the whole text.
 */
static void add_text(cli_table *table, const char *text)
{
    char cut[LONGEST_TEXT + sizeof "…"];
    size_t length = strlen(text);
    if (length > LONGEST_TEXT) {
        length = LONGEST_TEXT;
        while (length > 0 && ((unsigned char)text[length] & 0xc0) == 0x80) length--;
        snprintf(cut, sizeof cut, "%.*s…", (int)length, text);
        text = cut;
    }
    cli_table_cell(table, text);
}

static void add_origin(cli_table *table, const char *origin, origins *known)
{
    char number[32] = "";
    if (origin[0] != '\0') snprintf(number, sizeof number, "[%zu]", origin_number(known, origin));
    cli_table_cell(table, number);
}

static void add_row(cli_table *table, const ic_result *row, origins *known)
{
    static const cli_colour colours[] = {
        [IC_PASS] = CLI_GREEN, [IC_FAIL] = CLI_RED, [IC_ERRATUM] = CLI_YELLOW, [IC_SKIPPED] = CLI_DIM};
    cli_table_painted(table, cli_paint(stdout, colours[row->verdict], ic_verdict_text(row->verdict)));
    for (int i = -1; (i = ic_result_column_after(i, IC_IN_ROWS)) < IC_RESULT_COLUMNS;) {
        const double value = ic_result_columns[i].type == IC_COLUMN_NUMBER ? ic_result_number(row, i) : NAN;
        if (ic_result_columns[i].type == IC_COLUMN_NUMBER)
            cli_table_cell(table, isnan(value) ? "" : ic_number_short(value, DIGITS).text);
        else if (i == IC_RESULT_origin) add_origin(table, row->origin, known);
        else if (i == IC_RESULT_unit && strcmp(row->unit, "1") == 0) cli_table_cell(table, "");
        else add_text(table, ic_result_text(row, i));
    }
}

static cli_table *new_table_of_rows(void)
{
    cli_column columns[IC_RESULT_COLUMNS + 1] = {{"verdict", CLI_LEFT}};
    size_t n = 1;
    for (int i = -1; (i = ic_result_column_after(i, IC_IN_ROWS)) < IC_RESULT_COLUMNS;)
        columns[n++] = (cli_column){i == IC_RESULT_origin ? "from" : ic_result_columns[i].title, CLI_LEFT};
    return cli_table_new(columns, n);
}

/* A paragraph with an indent; its further lines have a larger indent. */
static void print_paragraph(const char *text, int indent)
{
    printf("%*s", indent, "");
    cli_print_broken(stdout, text, indent, indent + INDENT, cli_width(stdout));
}

/* A row in words. */
static void print_row(const ic_result *row, int indent)
{
    char text[1024];
    snprintf(text, sizeof text, "%s%s%s%s%s: %s", row->subject, row->subject[0] == '\0' ? "" : ", ",
             row->solver, row->solver[0] == '\0' ? "" : ", ", row->what, cli_verify_reason(row).text);
    print_paragraph(text, indent);
}

static void print_rows_with(const ic_results *results, ic_verdict verdict, const char *title, cli_colour colour)
{
    if (ic_results_with(results, verdict) == 0) return;
    printf("\n%s\n", cli_paint(stdout, colour, title).text);
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].verdict == verdict) print_row(&results->rows[i], INDENT);
    }
}

bool cli_verify_print_rows(const ic_results *results)
{
    origins known = {calloc(results->count + 1, sizeof *known.texts), 0};
    cli_table *table = new_table_of_rows();
    bool good = known.texts != NULL;
    for (size_t i = 0; i < results->count && good; i++) add_row(table, &results->rows[i], &known);
    good = cli_table_finish(table, 0, true) && good;
    if (good && known.n > 0) printf("\n%s\n", cli_paint(stdout, CLI_BOLD, "Origins of the tolerances").text);
    for (size_t i = 0; i < known.n && good; i++) printf("%*s[%zu] %s\n", INDENT, "", i + 1, known.texts[i]);
    free(known.texts);
    if (!good) return false;
    print_rows_with(results, IC_ERRATUM,
                    "Errata: statements that do not hold as printed or as scanned, with the evidence",
                    CLI_YELLOW);
    putchar('\n');
    return true;
}

cli_reason cli_verify_reason(const ic_result *row)
{
    cli_reason reason = {""};
    const bool compared = row->verdict == IC_FAIL && !isnan(row->tolerance);
    char numbers[96] = "";
    if (compared && isfinite(row->error)) {
        snprintf(numbers, sizeof numbers, "error %.3g exceeds %.3g%s%s", row->error, row->tolerance,
                 strcmp(row->unit, "1") == 0 ? "" : " ", strcmp(row->unit, "1") == 0 ? "" : row->unit);
    } else if (compared || row->detail[0] == '\0') {
        snprintf(numbers, sizeof numbers, "nothing can be compared");
    }
    snprintf(reason.text, sizeof reason.text, "%s%s%s", row->detail,
             row->detail[0] != '\0' && numbers[0] != '\0' ? "; " : "", numbers);
    return reason;
}

/* ---- the summary by solver and case */

typedef struct verdict_tally {
    /* by verdict */
    size_t count[IC_SKIPPED + 1];
} verdict_tally;

/* The case of "case/preset". */
static void case_of(char name[NAME_SIZE], const ic_result *row)
{
    snprintf(name, NAME_SIZE, "%.*s", (int)strcspn(row->subject, "/"), row->subject);
}

static bool is_of_case(const ic_result *row, const char *name)
{
    char mine[NAME_SIZE];
    case_of(mine, row);
    return strcmp(mine, name) == 0;
}

static verdict_tally count_rows(const ic_results *results, const char *name, const char *solver)
{
    verdict_tally t = {{0}};
    for (size_t i = 0; i < results->count; i++) {
        const ic_result *row = &results->rows[i];
        if (strcmp(row->solver, solver) == 0 && is_of_case(row, name)) t.count[row->verdict]++;
    }
    return t;
}

static void tally_text(char *text, size_t size, const verdict_tally *t)
{
    const size_t failed = t->count[IC_FAIL], passed = t->count[IC_PASS];
    if (failed > 0) snprintf(text, size, "%zu FAIL of %zu", failed, failed + passed);
    else if (passed > 0) snprintf(text, size, "%zu", passed);
    else
        snprintf(text, size, "%s",
                 t->count[IC_ERRATUM] > 0   ? "errata"
                 : t->count[IC_SKIPPED] > 0 ? "skipped"
                                            : "-");
}

/* Names of the cases that have rows, each once. */
typedef struct cases {
    char (*names)[NAME_SIZE];
    size_t n;
} cases;

static bool find_cases(cases *found, const ic_results *results)
{
    *found = (cases){calloc(results->count + 1, sizeof *found->names), 0};
    if (found->names == NULL) return false;
    for (size_t i = 0; i < results->count; i++) {
        size_t k = 0;
        while (k < found->n && !is_of_case(&results->rows[i], found->names[k])) k++;
        if (k < found->n || results->rows[i].subject[0] == '\0') continue;
        case_of(found->names[found->n++], &results->rows[i]);
    }
    return true;
}

static bool has_rows(const ic_results *results, const char *solver)
{
    for (size_t i = 0; i < results->count; i++) {
        if (strcmp(results->rows[i].solver, solver) == 0 && results->rows[i].subject[0] != '\0') return true;
    }
    return false;
}

/* A solver's line. "": rows in which no solver is judged. */
static void add_solver(cli_table *table, const ic_results *results, const char *solver, const cases *shown)
{
    if (!has_rows(results, solver)) return;
    cli_table_cell(table, solver[0] == '\0' ? "(no solver)" : solver);
    for (size_t k = 0; k < shown->n; k++) {
        char text[64];
        const verdict_tally t = count_rows(results, shown->names[k], solver);
        tally_text(text, sizeof text, &t);
        if (t.count[IC_FAIL] > 0) cli_table_painted(table, cli_paint(stdout, CLI_RED, text));
        else cli_table_cell(table, text);
    }
}

static bool print_cases(const ic_results *results, const cases *shown)
{
    cli_column *columns = calloc(shown->n + 1, sizeof *columns);
    if (columns == NULL) return false;
    columns[0].title = "solver";
    for (size_t k = 0; k < shown->n; k++) columns[k + 1] = (cli_column){shown->names[k], CLI_RIGHT};
    cli_table *table = cli_table_new(columns, shown->n + 1);
    free(columns);
    if (table == NULL) return false;
    for (size_t s = 0; s < ic_solver_count; s++) add_solver(table, results, ic_solvers[s]->name, shown);
    add_solver(table, results, "", shown);
    return cli_table_finish(table, INDENT, true);
}

static int column_width(const ic_results *results, const char *name)
{
    int width = cli_text_width(name);
    for (size_t s = 0; s <= ic_solver_count; s++) {
        char text[64];
        const verdict_tally t = count_rows(results, name, s < ic_solver_count ? ic_solvers[s]->name : "");
        tally_text(text, sizeof text, &t);
        if (cli_text_width(text) > width) width = cli_text_width(text);
    }
    return width + GAP;
}

/* Prints as many cases side by side as fit. */
static bool print_table(const ic_results *results)
{
    int names = (int)strlen("(no solver)");
    for (size_t s = 0; s < ic_solver_count; s++) {
        const int width = cli_text_width(ic_solvers[s]->name);
        if (width > names) names = width;
    }
    cases all;
    bool good = find_cases(&all, results);
    for (size_t first = 0; first < all.n && good;) {
        cases shown = {all.names + first, 0};
        int width = INDENT + names;
        while (first < all.n) {
            width += column_width(results, all.names[first]);
            if (shown.n > 0 && width > cli_width(stdout)) break;
            shown.n++, first++;
        }
        good = print_cases(results, &shown);
        if (first < all.n) putchar('\n');
    }
    free(all.names);
    return good;
}

/* ---- failed and skipped rows, grouped by cause: rows of the same check on the same case */

/* A group is named by its first row. */
static bool same_group(const ic_result *a, const ic_result *b)
{
    char name[NAME_SIZE];
    case_of(name, a);
    return a->verdict == b->verdict && strcmp(a->check, b->check) == 0 && is_of_case(b, name);
}

static bool is_first_of_group(const ic_results *results, size_t row)
{
    for (size_t i = 0; i < row; i++) {
        if (same_group(&results->rows[i], &results->rows[row])) return false;
    }
    return true;
}

static size_t group_size(const ic_results *results, size_t first)
{
    size_t n = 0;
    for (size_t i = first; i < results->count; i++) n += same_group(&results->rows[first], &results->rows[i]);
    return n;
}

/* ", by a, b, c" */
static void name_solvers(char *text, size_t size, const ic_results *results, size_t first)
{
    size_t length = 0;
    text[0] = '\0';
    for (size_t s = 0; s < ic_solver_count && length < size; s++) {
        bool found = false;
        for (size_t i = first; i < results->count && !found; i++)
            found = same_group(&results->rows[first], &results->rows[i]) &&
                    strcmp(results->rows[i].solver, ic_solvers[s]->name) == 0;
        if (!found) continue;
        const int n =
            snprintf(text + length, size - length, "%s%s", length == 0 ? ": " : ", ", ic_solvers[s]->name);
        if (n > 0) length += (size_t)n;
    }
}

static void print_group(const ic_results *results, size_t first, size_t most)
{
    const size_t n = group_size(results, first);
    char name[NAME_SIZE], solvers[512], heading[768];
    size_t shown = 0;
    case_of(name, &results->rows[first]);
    name_solvers(solvers, sizeof solvers, results, first);
    snprintf(heading, sizeof heading, "%s%s%s, %zu row%s%s", results->rows[first].check,
             name[0] == '\0' ? "" : " on ", name, n, n == 1 ? "" : "s", solvers);
    print_paragraph(heading, INDENT);
    for (size_t i = first; i < results->count && shown < most; i++) {
        if (!same_group(&results->rows[first], &results->rows[i])) continue;
        print_row(&results->rows[i], 2 * INDENT);
        shown++;
    }
    if (shown < n) printf("%*s... and %zu more (-v shows all)\n", 2 * INDENT, "", n - shown);
}

/* Rows with a verdict under a title, if there are any. most: rows of a group, 0: all */
static void print_groups(const ic_results *results, ic_verdict verdict, cli_painted title, size_t most)
{
    const size_t n = ic_results_with(results, verdict);
    if (n > 0) printf("\n%s\n", title.text);
    for (size_t i = 0; i < results->count; i++) {
        if (results->rows[i].verdict == verdict && is_first_of_group(results, i))
            print_group(results, i, most > 0 ? most : n);
    }
}

static void print_errata(const ic_results *results, bool verbose)
{
    char text[256];
    const size_t n = ic_results_with(results, IC_ERRATUM);
    if (n == 0) return;
    snprintf(
        text, sizeof text,
        "%zu %s: statements of papers that do not hold, with evidence that was computed again. Not a failure%s",
        n, n == 1 ? "erratum" : "errata", verbose ? "; listed above." : "; -v lists them.");
    putchar('\n');
    print_paragraph(text, 0);
}

/* "3 misprints", where there are any. */
static void add_count(char *text, size_t size, size_t n, const char *one, const char *many)
{
    const size_t length = strlen(text);
    if (n > 0)
        snprintf(text + length, size - length, "%s%zu %s", length > 0 ? "; " : "", n, n == 1 ? one : many);
}

/* Counts the rows about papers by kind: only misprints say that a paper is misprinted. */
static void print_kinds(const ic_results *results)
{
    static const struct {
        ic_kind kind;
        ic_verdict verdict;
        const char *one, *many;
    } counted[] = {
        {IC_KIND_STATEMENT, IC_PASS, "statement holds", "statements hold"},
        {IC_KIND_STATEMENT, IC_ERRATUM, "does not", "do not"},
        {IC_KIND_MISPRINT, IC_ERRATUM, "misprint", "misprints"},
        {IC_KIND_AS_SCANNED, IC_ERRATUM, "fault as scanned, possibly an error of the scan",
         "faults as scanned, possibly errors of the scan"},
        {IC_KIND_GIVEN, IC_PASS, "input is as given", "inputs are as given"},
        {IC_KIND_FINDING, IC_PASS, "finding is ours", "findings are ours"},
        {IC_KIND_NOT_TESTABLE, IC_SKIPPED, "is not testable", "are not testable"},
    };
    char text[512] = "";
    for (size_t i = 0; i < IC_COUNT(counted); i++)
        add_count(text, sizeof text, ic_results_of_kind(results, counted[i].kind, counted[i].verdict),
                  counted[i].one, counted[i].many);
    if (text[0] == '\0') return;
    printf("\n%s ", cli_paint(stdout, CLI_BOLD, "The papers:").text);
    cli_print_broken(stdout, text, (int)strlen("The papers: "), INDENT, cli_width(stdout));
}

/* ---- the verdict */

static void print_verdict(const ic_results *results, const char *undecided)
{
    const size_t failed = ic_results_with(results, IC_FAIL), errata = ic_results_with(results, IC_ERRATUM);
    char text[640];
    putchar('\n');
    if (failed > 0) {
        printf("%s %zu of %zu rows; ", cli_paint(stdout, CLI_RED, "Failed:").text, failed, results->count);
    } else if (undecided[0] != '\0') {
        snprintf(text, sizeof text, "%s%s.", undecided,
                 ic_results_with(results, IC_SKIPPED) > 0 ? ": the reasons for skipped rows are above" : "");
        fputs(cli_paint(stdout, CLI_YELLOW, "Undecided: ").text, stdout);
        cli_print_broken(stdout, text, (int)strlen("Undecided: "), INDENT, cli_width(stdout));
        printf("%*s", INDENT, "");
    } else {
        printf("%s ", cli_paint(stdout, CLI_GREEN, "All good:").text);
    }
    printf("%zu passed, %zu %s, %zu skipped\n", ic_results_with(results, IC_PASS), errata,
           errata == 1 ? "erratum" : "errata", ic_results_with(results, IC_SKIPPED));
}

bool cli_verify_print_summary(const ic_results *results, const char *undecided, bool verbose)
{
    printf("%s\n", cli_paint(stdout, CLI_BOLD, "Rows that passed, by solver and case").text);
    if (!print_table(results)) return false;
    print_groups(
        results, IC_SKIPPED,
        cli_paint(stdout, CLI_BOLD, "Skipped: rows that their check could not judge, with the reasons"),
        verbose ? 0 : 1);
    print_kinds(results);
    print_errata(results, verbose);
    print_groups(results, IC_FAIL, cli_paint(stdout, CLI_RED, "Failed, by check and case"),
                 verbose ? 0 : MOST_OF_A_GROUP);
    print_verdict(results, undecided);
    return true;
}
