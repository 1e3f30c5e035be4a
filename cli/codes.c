/* SPDX-License-Identifier: MIT */
#include "cli/codes.h"
#include "audit/common/finding.h"
#include "audit/trajectory/checks/checks.h"
#include "validation/checks/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int by_code(const void *a, const void *b)
{
    return strcmp(((const cli_code *)a)->code, ((const cli_code *)b)->code);
}

static const char *kind_of(const char *code)
{
    static const struct {
        char letter;
        const char *kind;
    } kinds[] = {{'T', "check of rows"},           {'P', "check of a program or a plugin as a whole"},
                 {'L', "check of a law"},          {'M', "check of an impact map"},
                 {'S', "check of a solver"},       {'E', "check of a physics engine"},
                 {'G', "check of impactcheck ci"}, {'V', "check of verify"},
                 {'C', "mistake, a likely cause"}};
    size_t i = 0;
    while (i + 1 < IC_COUNT(kinds) && kinds[i].letter != code[strlen("IC-")]) i++;
    return kinds[i].kind;
}

/* Checks of one name have one code: the first says what it is. */
static size_t add(cli_code *codes, size_t n, const cli_code *code)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(codes[i].code, code->code) == 0) return n;
    }
    codes[n] = *code;
    if (codes[n].kind == NULL) codes[n].kind = kind_of(code->code);
    return n + 1;
}

static const ic_audit_check *const row_checks[] = {
#define IC_ROW_CHECK(code_, id_, ...) &ic_row_check_##id_,
#include "audit/trajectory/checks/checks.def"
#undef IC_ROW_CHECK
};

static const cli_code others[] = {
#define IC_FIGURE(code_, name_)                                                                                \
    {code_,                                                                                                    \
     name_,                                                                                                    \
     NULL,                                                                                                     \
     "a figure of scenes: its exact value, by the scene",                                                      \
     "the engine's motion is not that of the scene",                                                           \
     "impactcheck list scenes --long"},
#include "audit/scene/figures.def"
#define IC_RETIRED(code_, name_, why_) {code_, name_, "retired", why_, "", ""},
#include "audit/common/retired.def"
};

enum { MOST_CODES = IC_PLUGIN_CHECK_COUNT + IC_COUNT(row_checks) + IC_COUNT(others) + IC_MISTAKE_COUNT + 64 };

static size_t add_check(cli_code *codes, size_t n, const ic_audit_check *c)
{
    if (c->code == NULL) return n;
    return add(codes, n, &(cli_code){c->code, c->name, NULL, c->what, c->why, c->reference});
}

static size_t collect(cli_code *codes)
{
    size_t n = 0;
    for (size_t i = 0; i < IC_COUNT(row_checks); i++) n = add_check(codes, n, row_checks[i]);
    for (size_t i = 0; i < IC_PLUGIN_CHECK_COUNT; i++) n = add_check(codes, n, &ic_plugin_checks[i]);
    for (size_t i = 0; i < IC_COUNT(others); i++) n = add(codes, n, &others[i]);
    for (size_t i = 0; i < ic_check_count; i++)
        n = add(codes, n,
                &(cli_code){ic_check_codes[i], ic_checks[i]->name, NULL, ic_checks[i]->meaning, "", ""});
    for (int i = 1; i < IC_MISTAKE_COUNT; i++) {
        const ic_mistake_id id = (ic_mistake_id)i;
        n = add(codes, n,
                &(cli_code){ic_mistake_code(id), ic_mistake_name(id), NULL, ic_mistake_text(id), "", ""});
    }
    qsort(codes, n, sizeof *codes, by_code);
    return n;
}

const cli_code *cli_code_at(size_t i)
{
    static cli_code codes[MOST_CODES];
    static size_t n;
    if (n == 0) n = collect(codes);
    return i < n ? &codes[i] : NULL;
}

const cli_code *cli_code_find(const char *code)
{
    const cli_code *c = NULL;
    for (size_t i = 0; (c = cli_code_at(i)) != NULL && strcmp(c->code, code) != 0;) i++;
    return c;
}

ic_hint cli_code_hint(const char *wrong)
{
    const cli_code *c = NULL;
    ic_nearest nearest = {.wrong = wrong};
    ic_hint hint = {""};
    for (size_t i = 0; (c = cli_code_at(i)) != NULL; i++) ic_nearest_offer(&nearest, c->name);
    for (size_t i = 0; (c = cli_code_at(i)) != NULL; i++) {
        if (nearest.name.text[0] == '\0' || strcmp(c->name, nearest.name.text) != 0) continue;
        snprintf(hint.text, sizeof hint.text, "; did you mean '%s', %.80s?", c->code, c->name);
        return hint;
    }
    return hint;
}
