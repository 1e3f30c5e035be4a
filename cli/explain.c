/* SPDX-License-Identifier: MIT */
/* impactcheck explain: what a stable code means, how it is measured, how it is mended. Also the list of all codes. */
#include "cli/codes.h"
#include "cli/list_topics.h"

#include <string.h>

/* How a failure is mended, by the letter of its code. */
static const struct {
    /* letters of codes */
    const char *letters;

    const char *mend;
} ways[] = {
    {"C",
     "The audit prints, after this name, what exactly it has found and with which numbers. Correct that in the "
     "code, and audit again: the finding disappears, and others that it has hidden may appear."},
    {"G", "The message says which entry of impactcheck.yaml is concerned."},
    {"V",
     "The row says what was compared, how far it is off and where the tolerance comes from. If the case is your "
     "own, impactcheck check FILE names what contradicts itself; begin there."},
    {"",
     "Begin with the likely cause that the audit names; it has a code of its own. Without one, repeat the worst "
     "place by hand: the finding has its numbers. docs/guide.md, How to check a verdict, has the steps."},
};

static const char *way_to_mend(const char *code)
{
    size_t i = 0;
    while (ways[i].letters[0] != '\0' && strchr(ways[i].letters, code[strlen("IC-")]) == NULL) i++;
    return ways[i].mend;
}

/* ---- list codes */

CLI_TOPIC_NAMES(code, cli_code_at(i) != NULL, cli_code_at(i)->code)

static void add_code(cli_table *table, size_t i, bool long_form)
{
    const cli_code *c = cli_code_at(i);
    if (long_form) CLI_ROW(table, c->code, c->name, c->kind, c->what, c->why, c->reference);
    else CLI_ROW(table, c->code, c->name, c->what);
}

static void code_json(ic_json *json, size_t i)
{
    const cli_code *c = cli_code_at(i);
    IC_JSON_ROW(json, NULL, IC_TEXT("code", c->code), IC_TEXT("name", c->name), IC_TEXT("kind", c->kind),
                IC_TEXT("what", c->what), IC_TEXT("why", c->why), IC_TEXT("reference", c->reference),
                IC_TEXT("mend", way_to_mend(c->code)));
}

const cli_topic cli_topic_codes = {.name = "codes",
                                   .name_at = code_name,
                                   .titles = "code|name|meaning",
                                   .long_titles = "code|name|kind|meaning|a failure means|by",
                                   .add = add_code,
                                   .json = code_json};

/* ---- explain CODE */

enum { JSON };

static const cli_option options[] = {[JSON] = {CLI_OPTION_JSON}};

enum { INDENT = 16 };

static void print_part(const char *title, const char *text)
{
    if (text[0] == '\0') return;
    printf("  %-*s", INDENT - 2, title);
    cli_print_broken(stdout, text, INDENT, INDENT, cli_width(stdout));
}

static void print_code(const cli_code *c)
{
    const bool mistake = c->code[strlen("IC-")] == 'C';
    printf("%s %s (%s)\n", cli_paint(stdout, CLI_BOLD, c->code).text, c->name, c->kind);
    print_part(mistake ? "what is wrong" : "measured", c->what);
    print_part("if it fails", c->why);
    print_part("measured by", c->reference);
    print_part("to mend it", way_to_mend(c->code));
    if (c->code[strlen("IC-")] == 'G') { /* of the gate itself */
        print_part("to waive it", "It cannot be waived.");
        return;
    }
    print_part("to waive it", "In impactcheck.yaml, with the reason and the last day on which it holds:");
    printf("\n    waivers:\n      - {code: %s, subject: NAME, reason: \"...\", until: YYYY-MM-DD}\n", c->code);
}

/* A name stands for all codes that have it: checks of different audits may have the same. */
static int run_explain(const cli_arguments *arguments)
{
    ic_json json = ic_json_to(stdout);
    const char *wanted = arguments->operands[0];
    const bool as_json = cli_has(arguments, JSON);
    size_t found = 0;
    const cli_code *c = NULL;
    for (size_t i = 0; (c = cli_code_at(i)) != NULL; i++)
        found += strcmp(c->code, wanted) == 0 || strcmp(c->name, wanted) == 0;
    if (found == 0)
        return cli_bad_input(arguments->command,
                             "no check and no mistake is called '%s'%s (impactcheck list codes shows all)",
                             wanted, cli_code_hint(wanted).text);
    if (as_json) ic_json_array(&json, NULL);
    for (size_t i = 0, shown = 0; (c = cli_code_at(i)) != NULL; i++) {
        if (strcmp(c->code, wanted) != 0 && strcmp(c->name, wanted) != 0) continue;
        if (as_json) {
            code_json(&json, i);
            continue;
        }
        if (shown++ > 0) putchar('\n');
        print_code(c);
    }
    if (as_json) ic_json_end(&json);
    return CLI_GOOD;
}

const cli_command cli_explain = {
    .name = "explain",
    .operands = "CODE|NAME",
    .least = 1,
    .most = 1,
    .title = "What a check or a mistake is, by its code or name.",
    .details =
        "A code, such as IC-T-007, belongs to a check or a mistake for good: waivers and the histories of CI servers "
        "hold it. Its letter says what it is about: T rows of a trajectory, P a program or a plugin as a whole, L a "
        "law, M an impact map, S a solver, E a physics engine, V verify, G impactcheck ci; C is a likely cause, a "
        "mistake. impactcheck list codes has all, with --json for programs.\n"
        "Exit status: 0; 2 there is no such code or name.",
    CLI_OPTIONS(options),
    .run = run_explain,
};
