/* SPDX-License-Identifier: MIT */
#include "cli/ci_file.h"
#include "casefile/casefile.h"
#include "casefile/faults.h"
#include "cli/codes.h"
#include "cli/table.h"
#include "core/input_file.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* ---- the table of keys */

typedef enum ci_section { FILE_KEYS, SUBJECT_KEYS, WAIVER_KEYS } ci_section;

typedef enum ci_type {
    CI_SUBJECTS,
    CI_WAIVERS,

    /* a text that says what the subject is */
    CI_KIND,
    CI_TEXT,
    CI_REASON,
    CI_NUMBER,
    CI_WHOLE,

    /* true or false: an option without a value */
    CI_FLAG,

    /* [a, b], or one text: an option "a,b" */
    CI_LIST,

    /* {a: b, c: d}: an option "a=b,c=d"; settings: an option for each */
    CI_MAPPING,
    CI_SETTINGS,

    /* a code, a list of codes, a day */
    CI_CODE,
    CI_CODES,
    CI_DATE,
} ci_type;

static const struct ci_key {
    ci_section section;
    const char *name;
    ci_type type;
    const char *option, *kinds, *meaning;
} keys[] = {
#define IC_CI_KEY(section_, name_, type_, option_, kinds_, meaning_)                                           \
    {section_##_KEYS, name_, CI_##type_, option_, kinds_, meaning_},
#include "cli/ci_keys.def"
#undef IC_CI_KEY
};

/* Days are counted from noon to noon, which no change of the clocks makes a day more or less. */
enum { NOON = 12 };
#define DAY (24.0 * 60 * 60)

/* A gate must give the same answer each time. */
static const char default_seed[] = "1";

bool cli_ci_keys_print(void)
{
    static const char *const heads[] = {"the file", "a subject", "a waiver"};
    cli_table *table = cli_table_of("of|key|of subjects|meaning");
    for (size_t i = 0; i < IC_COUNT(keys); i++)
        CLI_ROW(table, heads[keys[i].section], keys[i].name,
                keys[i].section != SUBJECT_KEYS ? ""
                : keys[i].kinds[0] == '\0'      ? "all"
                                                : keys[i].kinds,
                keys[i].meaning);
    return cli_table_finish(table, 0, true);
}

/* Whether a kind is one of "trajectory command". */
static bool has_kind(const char *kinds, const char *kind)
{
    const size_t length = strlen(kind);
    for (const char *at = kinds; (at = strstr(at, kind)) != NULL; at += length) {
        if ((at == kinds || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0')) return true;
    }
    return kinds[0] == '\0';
}

/* ---- values */

typedef struct ci_reader {
    cli_ci_file *file;
    ic_faults faults;

    /* Mapping of the whole file. */
    const ic_yaml *root;
} ci_reader;

static bool known_keys(ci_reader *r, const ic_yaml *mapping, ci_section section)
{
    static const ic_schema *const schemas[] = {&cli_schema_ci, &cli_schema_ci_subject, &cli_schema_ci_waiver};
    return ic_known_keys(&r->faults, mapping, schemas[section]);
}

static bool is_text(ci_reader *r, const char *key, const ic_yaml *value, const char *like)
{
    if (value->kind == IC_YAML_SCALAR && value->text[0] != '\0') return true;
    return ic_fault_add(&r->faults, value->place, "'%s' must be %s", key, like);
}

static bool is_number(ci_reader *r, const struct ci_key *key, const ic_yaml *value)
{
    char *end = NULL;
    if (!is_text(r, key->name, value, "a number")) return false;
    const double number = strtod(value->text, &end);
    const bool whole = key->type == CI_WHOLE;
    if (*end == '\0' && (whole ? strspn(value->text, "0123456789") == strlen(value->text) : number > 0))
        return true;
    return ic_fault_add(&r->faults, value->place, "'%s' must be a %s, not '%s'", key->name,
                        whole ? "whole number" : "number > 0", value->text);
}

static bool read_code(ci_reader *r, const ic_yaml *value, const char **code)
{
    if (!is_text(r, "code", value, "a code such as IC-T-007")) return false;
    *code = value->text;
    if (cli_code_find(value->text) != NULL) return true;
    return ic_fault_add(&r->faults, value->place,
                        "no check and no mistake has the code '%s'%s (impactcheck list codes shows all)",
                        value->text, cli_code_hint(value->text).text);
}

/* Days from today until a day, YYYY-MM-DD; the last one on which a waiver holds is 0. */
static bool read_date(ci_reader *r, const ic_yaml *value, cli_ci_waiver *waiver)
{
    int year = 0, month = 0, day = 0, length = 0;
    const time_t now = time(NULL);
    struct tm today;
    const bool read = value->kind == IC_YAML_SCALAR &&
                      sscanf(value->text, "%4d-%2d-%2d%n", &year, &month, &day, &length) == 3 && length == 10 &&
                      value->text[length] == '\0';
    struct tm then = {
        .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day, .tm_hour = NOON, .tm_isdst = -1};
    const time_t last = mktime(&then);
    if (!read || then.tm_mon != month - 1 || then.tm_mday != day)
        return ic_fault_add(&r->faults, value->place, "'until' must be a day, YYYY-MM-DD, not '%s'",
                            value->text);
    localtime_r(&now, &today);
    today.tm_hour = NOON;
    today.tm_min = today.tm_sec = 0;
    today.tm_isdst = -1;
    waiver->until = value->text;
    waiver->expired = lround(difftime(mktime(&today), last) / DAY);
    return true;
}

/* A list of texts, or one text. */
static bool read_names(ci_reader *r, const struct ci_key *key, const ic_yaml *value, cli_ci_names *names)
{
    const bool one = value->kind == IC_YAML_SCALAR && value->text[0] != '\0';
    ic_yaml *const itself = (ic_yaml *)value;
    ic_yaml *const *items = one ? &itself : value->items;
    const size_t n = one ? 1 : value->n_items;
    if (!one && value->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(&r->faults, value->place, "'%s' must be a list: [a, b]", key->name);
    for (size_t i = 0; i < n; i++) {
        const char *name = items[i]->text;
        const bool code = key->type == CI_CODES, all = code && strcmp(name, "all") == 0;
        names->all = names->all || all;
        if (code ? !all && !read_code(r, items[i], &name) : !is_text(r, key->name, items[i], "a list of texts"))
            return false;
        const char **added = ic_arena_append(&r->file->arena, &names->names, &names->n, sizeof *added);
        if (added == NULL) return ic_fault_memory(&r->faults, value->place);
        *added = name;
    }
    return true;
}

/* ---- subjects */

static bool add_word(ci_reader *r, cli_ci_subject *s, const char *word)
{
    const char **added = ic_arena_append(&r->file->arena, &s->words, &s->n_words, sizeof *added);
    if (word == NULL || added == NULL) return ic_fault_memory(&r->faults, s->place);
    *added = word;
    return true;
}

static bool add_option(ci_reader *r, cli_ci_subject *s, const char *option, const char *value)
{
    return option == NULL || (add_word(r, s, option) && add_word(r, s, value));
}

/* A column or value with a comma needs quotes of its own in an option: x="h, m". */
static bool add_mapping(ci_reader *r, cli_ci_subject *s, const struct ci_key *key, const ic_yaml *value)
{
    const char *joined = "";
    if (value->kind != IC_YAML_MAPPING || value->n_keys == 0)
        return ic_fault_add(&r->faults, value->place, "'%s' must be a mapping: {NAME: VALUE}", key->name);
    for (size_t i = 0; i < value->n_keys; i++) {
        const char *name = value->keys[i]->text, *text = value->items[i]->text;
        if (!is_text(r, name, value->items[i], "a text or a number")) return false;
        const char *quote = key->type == CI_MAPPING && strchr(text, ',') != NULL ? "\"" : "";
        joined = ic_arena_print(&r->file->arena, "%s%s%s=%s%s%s", key->type == CI_MAPPING ? joined : "",
                                key->type == CI_MAPPING && i > 0 ? "," : "", name, quote, text, quote);
        if (joined == NULL) return ic_fault_memory(&r->faults, value->place);
        if (key->type == CI_SETTINGS && !add_option(r, s, key->option, joined)) return false;
    }
    return key->type == CI_SETTINGS || add_option(r, s, key->option, joined);
}

static bool add_list(ci_reader *r, cli_ci_subject *s, const struct ci_key *key, const ic_yaml *value)
{
    cli_ci_names *names = key->type == CI_CODES ? &s->undecided : &s->inputs, own = {0};
    const char *joined = "";
    if (key->option == NULL) return read_names(r, key, value, names);
    if (!read_names(r, key, value, &own)) return false;
    for (size_t i = 0; i < own.n && joined != NULL; i++)
        joined = ic_arena_print(&r->file->arena, "%s%s%s", joined, i > 0 ? "," : "", own.names[i]);
    return add_option(r, s, key->option, joined);
}

static bool add_flag(ci_reader *r, cli_ci_subject *s, const struct ci_key *key, const ic_yaml *value)
{
    if (strcmp(value->text, "false") == 0) return true;
    if (strcmp(value->text, "true") == 0) return add_word(r, s, key->option);
    return ic_fault_add(&r->faults, value->place, "'%s' must be true or false", key->name);
}

static bool add_value(ci_reader *r, cli_ci_subject *s, const struct ci_key *key, const ic_yaml *value)
{
    switch (key->type) {
    case CI_MAPPING:
    case CI_SETTINGS: return add_mapping(r, s, key, value);
    case CI_CODES:
    case CI_LIST: return add_list(r, s, key, value);
    case CI_FLAG: return add_flag(r, s, key, value);
    case CI_NUMBER:
    case CI_WHOLE: return is_number(r, key, value) && add_option(r, s, key->option, value->text);
    default: return is_text(r, key->name, value, "a text") && add_option(r, s, key->option, value->text);
    }
}

/* What the subject is: its schema has made sure that it is one thing. */
static const struct ci_key *kind_of(const ic_yaml *section)
{
    size_t i = 0;
    while (keys[i].type != CI_KIND || ic_yaml_get(section, keys[i].name) == NULL) i++;
    return &keys[i];
}

/* A key of the subject, or the same of the file if the subject does not have it. */
static bool read_key(ci_reader *r, cli_ci_subject *s, const ic_yaml *section, const struct ci_key *key)
{
    const bool of_file = key->section == FILE_KEYS;
    const ic_yaml *value = ic_yaml_get(of_file ? r->root : section, key->name);
    const bool fits = has_kind(key->kinds, s->kind);
    if (key->section == WAIVER_KEYS || key->type == CI_SUBJECTS || key->type == CI_WAIVERS) return true;
    if (of_file && strcmp(key->name, "undecided") != 0 && ic_yaml_get(section, key->name) != NULL) return true;
    if (of_file && value == NULL && strcmp(key->name, "seed") == 0 && fits)
        return add_option(r, s, key->option, default_seed);
    if (value == NULL || (of_file && !fits)) return true;
    if (fits) return add_value(r, s, key, value);
    return ic_fault_add(&r->faults, value->place, "'%s' does not go with '%s', but with: %s", key->name,
                        s->kind, key->kinds);
}

/* Files that the subject names. A program and an engine depend on files that only `inputs` can name. */
static bool find_inputs(ci_reader *r, cli_ci_subject *s, const ic_yaml *section)
{
    const ic_yaml *of_case = ic_yaml_get(section, "case");
    const char *texts[] = {s->target, of_case != NULL ? of_case->text : ""};
    const bool program = strcmp(s->kind, "engine") == 0 && strchr(s->target, '/') != NULL;
    const bool is_file = program || strcmp(s->kind, "plugin") == 0 || strcmp(s->kind, "trajectory") == 0;
    s->kept = (is_file && !program) || strcmp(s->kind, "machine") == 0 || s->inputs.n > 0;
    for (size_t i = 0; i < s->inputs.n; i++) {
        const char *name = s->inputs.names[i], *folder = name[0] == '/' ? "" : r->file->folder;
        const char *path =
            ic_arena_print(&r->file->arena, "%s%s%s", folder, folder[0] != '\0' ? "/" : "", name);
        if (path == NULL) return ic_fault_memory(&r->faults, s->place);
        if (access(path, R_OK) != 0)
            return ic_fault_add(&r->faults, s->place, "'inputs' of '%s': '%s' cannot be read: %s", s->name,
                                name, strerror(errno));
    }
    for (size_t i = 0; i < IC_COUNT(texts); i++) {
        const size_t length = i == 0 && is_file ? strlen(texts[i]) : ic_casefile_path(texts[i]);
        if (length == 0) continue;
        const char **added = ic_arena_append(&r->file->arena, &s->inputs.names, &s->inputs.n, sizeof *added);
        if (added != NULL) *added = ic_arena_copy(&r->file->arena, texts[i], length);
        if (added == NULL || *added == NULL) return ic_fault_memory(&r->faults, s->place);
    }
    return true;
}

static bool read_subject(ci_reader *r, const ic_yaml *name, const ic_yaml *section)
{
    cli_ci_file *file = r->file;
    cli_ci_subject *s = ic_arena_append(&file->arena, &file->subjects, &file->n_subjects, sizeof *s);
    if (s == NULL) return ic_fault_memory(&r->faults, name->place);
    *s = (cli_ci_subject){.name = name->text, .place = name->place};
    if (name->text[strcspn(name->text, "/ \t\n")] != '\0' || name->text[0] == '\0')
        return ic_fault_add(&r->faults, name->place, "the name of a subject has neither spaces nor '/': '%s'",
                            name->text);
    if (!known_keys(r, section, SUBJECT_KEYS)) return false;
    const struct ci_key *kind = kind_of(section);
    s->kind = kind->name;
    s->target = ic_yaml_get(section, kind->name)->text;
    const bool machine = kind->option == NULL;
    bool good = add_word(r, s, machine ? "verify" : "audit") && (!machine || add_word(r, s, s->target));
    for (size_t i = 0; i < IC_COUNT(keys); i++) good = read_key(r, s, section, &keys[i]) && good;
    if (good && strcmp(kind->name, "engine") != 0 && !machine && strcmp(kind->name, "plugin") != 0 &&
        ic_yaml_get(section, "case") == NULL)
        return ic_fault_add(&r->faults, s->place, "'%s' needs 'case': CASE/PRESET that its rows follow",
                            s->name);
    return good && find_inputs(r, s, section);
}

static bool read_subjects(ci_reader *r)
{
    const ic_yaml *subjects = ic_yaml_get(r->root, "subjects");
    bool good = true;
    if (subjects == NULL) return false;
    if (subjects->kind != IC_YAML_MAPPING || subjects->n_keys == 0)
        return ic_fault_add(
            &r->faults, subjects->place,
            "nothing to audit: 'subjects' must be {NAME: {trajectory: FILE, case: CASE/PRESET}}");
    for (size_t i = 0; i < subjects->n_keys; i++)
        good = read_subject(r, subjects->keys[i], subjects->items[i]) && good;
    return good;
}

/* ---- waivers */

static bool is_subject(ci_reader *r, const ic_yaml *value)
{
    ic_nearest nearest = {.wrong = value->text};
    for (size_t i = 0; i < r->file->n_subjects; i++) {
        if (strcmp(r->file->subjects[i].name, value->text) == 0) return true;
        ic_nearest_offer(&nearest, r->file->subjects[i].name);
    }
    return ic_fault_add(&r->faults, value->place, "no subject is called '%s'%s", value->text,
                        ic_nearest_hint(&nearest).text);
}

static bool read_waiver(ci_reader *r, const ic_yaml *section)
{
    cli_ci_file *file = r->file;
    cli_ci_waiver *w = ic_arena_append(&file->arena, &file->waivers, &file->n_waivers, sizeof *w);
    if (w == NULL) return ic_fault_memory(&r->faults, section->place);
    *w = (cli_ci_waiver){.place = section->place, .subject = ""};
    if (!known_keys(r, section, WAIVER_KEYS)) return false;
    const ic_yaml *code = ic_yaml_get(section, "code"), *until = ic_yaml_get(section, "until"),
                  *subject = ic_yaml_get(section, "subject");
    w->reason = ic_key_text(&r->faults, section, "reason", "");
    if (w->reason == NULL || w->reason[strspn(w->reason, " \t\n")] == '\0')
        return ic_fault_add(&r->faults, section->place, "a waiver needs 'reason': why the finding may stay");
    if (subject != NULL) w->subject = subject->text;
    return read_code(r, code, &w->code) && read_date(r, until, w) &&
           (subject == NULL || is_subject(r, subject));
}

static bool read_waivers(ci_reader *r)
{
    const ic_yaml *waivers = ic_yaml_get(r->root, "waivers");
    bool good = true;
    if (waivers == NULL || (waivers->kind == IC_YAML_SCALAR && waivers->text[0] == '\0')) return true;
    if (waivers->kind != IC_YAML_SEQUENCE)
        return ic_fault_add(&r->faults, waivers->place,
                            "'waivers' must be a list: - {code: IC-M-007, reason: ..., until: YYYY-MM-DD}");
    for (size_t i = 0; i < waivers->n_items; i++) good = read_waiver(r, waivers->items[i]) && good;
    return good;
}

/* ---- the file */

static bool read_tree(ci_reader *r, const char *bytes, size_t size)
{
    ic_error error;
    ic_file_place place = {0};
    r->root = ic_yaml_read(&r->file->arena, bytes, size, &place, &error);
    if (r->root == NULL) return ic_fault_add(&r->faults, place, "%s", error.text);
    const bool known = known_keys(r, r->root, FILE_KEYS), subjects = read_subjects(r),
               waivers = read_waivers(r);
    return known && subjects && waivers;
}

bool cli_ci_file_read(cli_ci_file *file, const cli_command *command, const char *path)
{
    ic_error error;
    const char *slash = strrchr(path, '/');
    FILE *stream = ic_input_file_open(path, &error);
    *file = (cli_ci_file){.path = path, .folder = "."};
    if (stream == NULL) return cli_refuse(command, "%s; docs/ci.md shows one to copy", error.text);
    ci_reader r = {.file = file, .faults = {.arena = &file->arena}};
    if (slash != NULL) file->folder = ic_arena_copy(&file->arena, path, (size_t)(slash - path) + 1);
    char *bytes = ic_arena_take(&file->arena, IC_YAML_SIZE + 1);
    const size_t size = bytes != NULL ? fread(bytes, 1, IC_YAML_SIZE + 1, stream) : 0;
    const bool good = file->folder != NULL && bytes != NULL && read_tree(&r, bytes, size);
    fclose(stream);
    if (!good) ic_faults_error_all(&r.faults, path, &error);
    for (char *rest = error.text, *line = good ? NULL : strtok_r(rest, "\n", &rest); line != NULL;
         line = strtok_r(NULL, "\n", &rest))
        cli_bad_input(command, "%s", line);
    ic_faults_free(&r.faults);
    return good;
}

void cli_ci_file_close(cli_ci_file *file)
{
    ic_arena_free(&file->arena);
}
