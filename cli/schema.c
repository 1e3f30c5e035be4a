/* SPDX-License-Identifier: MIT */
/* impactcheck schema: what files may contain, as a JSON Schema, for editors. */
#include "audit/scene/scene_file.h"
#include "cli/ci_file.h"
#include "cli/command.h"
#include "cli/file.h"
#include "reports/json.h"

#include <string.h>

#ifndef IC_VERSION
#define IC_VERSION "unknown"
#endif

/* One line for each kind of file. */
static const struct {
    const char *name, *title;
    const ic_schema *schema;
} kinds[] = {
    {"case", "a case file of Impactcheck", &ic_schema_case},
    {"scene", "a scene of Impactcheck", &ic_schema_scene},
    {"ci", "impactcheck.yaml", &cli_schema_ci},
};

enum { OUT };

static const cli_option options[] = {
    [OUT] = {"--out", "FILE", "write it to a file", false},
};

/* ---- definitions */

/* How a schema is used: as it is, or in entries that override others, and that may be incomplete or "none". */
typedef enum schema_use { WHOLE, OVERRIDING, LIKE_ANOTHER } schema_use;

/* `definitions` are those that others refer to, by name. */
static json_t *define(json_t *definitions, const ic_schema *schema, schema_use use);

/* {"$ref": "#/definitions/contact-view"} for "a contact view". */
static json_t *refer(json_t *definitions, const ic_schema *schema, schema_use use)
{
    static const char *const ends[] = {
        [WHOLE] = "", [OVERRIDING] = "-override", [LIKE_ANOTHER] = "-or-override"};
    static const char start[] = "#/definitions/";
    char path[120];
    const bool article = strncmp(schema->what, "a ", 2) == 0 || strncmp(schema->what, "an ", 3) == 0;
    snprintf(path, sizeof path, "%s%s%s", start, article ? strchr(schema->what, ' ') + 1 : schema->what,
             ends[use]);
    for (char *c = path; *c != '\0'; c++) {
        if (strchr(" ,", *c) != NULL) *c = '-';
    }
    const char *name = path + strlen(start);
    if (json_object_get(definitions, name) == NULL) {
        json_t *definition = json_object();
        json_object_set_new(definitions, name, definition); /* it may refer to itself */
        json_t *made = define(definitions, schema, use);
        json_object_update(definition, made);
        json_decref(made);
    }
    return json_pack("{s:s}", "$ref", path);
}

/* The types that a value may have: YAML reads a text as a number where it is one. */
static json_t *list_types(const ic_schema *schema, schema_use use)
{
    static const char *const scalars[] = {
        [IC_SCALAR_TEXT] = "string", [IC_SCALAR_FLAG] = "boolean", [IC_SCALAR_EMPTY] = "null"};
    const bool text = schema->scalar == IC_SCALAR_TEXT, none = use == OVERRIDING && !text;
    json_t *types = json_array(), *listed = json_pack("{s:o}", "type", types);
    if (schema->keys != NULL || schema->entries != NULL || schema->families)
        json_array_append_new(types, json_string("object"));
    if (schema->items != NULL) json_array_append_new(types, json_string("array"));
    if (schema->scalar != IC_SCALAR_NOT) json_array_append_new(types, json_string(scalars[schema->scalar]));
    if (text || none) json_array_append_new(types, json_string(text ? "number" : "string"));
    if (none) json_object_set_new(listed, "pattern", json_string("^none$"));
    if (schema->words == NULL) return listed;
    json_t *words = json_array();
    for (const char *const *word = schema->words(); *word != NULL; word++)
        json_array_append_new(words, json_string(*word));
    json_object_set_new(listed, "enum", words);
    return listed;
}

/* A value: in place if it has no parts, else by its definition. */
static json_t *describe(json_t *definitions, const ic_schema *schema, schema_use use, const char *meaning)
{
    const bool parts = schema->keys != NULL || schema->entries != NULL || schema->items != NULL;
    const bool like = use == WHOLE && schema->overrides == IC_OVERRIDES_LIKE;
    json_t *value = parts ? refer(definitions, schema, like ? LIKE_ANOTHER : use) : list_types(schema, use);
    json_object_set_new(value, "description", json_string(meaning));
    return value;
}

/*
 * The keys that a mapping needs, and those of which it needs one. Servers of editors offer no keys in a mapping with
 * maxProperties, so that this is for families only, which have another key.
 */
static void add_needs(json_t *definition, const ic_schema *schema)
{
    json_t *required = json_array(), *one = json_array();
    for (const ic_key *key = schema->keys; key->name != NULL; key++) {
        if (key->need == IC_KEY_REQUIRED) json_array_append_new(required, json_string(key->name));
        if (key->need == IC_KEY_ONE_OF)
            json_array_append_new(one, json_pack("{s:s,s:[s]}", "type", "object", "required", key->name));
    }
    if (json_array_size(required) > 0) json_object_set(definition, "required", required);
    if (json_array_size(one) > 0 && schema->families) {
        json_object_set_new(definition, "minProperties", json_integer(1));
        json_object_set_new(definition, "maxProperties", json_integer(1));
    } else if (json_array_size(one) > 0) {
        if (schema->scalar != IC_SCALAR_NOT)
            json_array_append_new(one, json_pack("{s:[ss]}", "type", "string", "number"));
        json_object_set(definition, "oneOf", one);
    }
    json_decref(required);
    json_decref(one);
}

static void add_mapping(json_t *definitions, json_t *definition, const ic_schema *schema, schema_use use)
{
    const schema_use own = schema->overrides == IC_OVERRIDES_FILE ? OVERRIDING : use;
    json_t *properties = json_object();
    for (const ic_key *key = schema->keys; key != NULL && key->name != NULL; key++)
        json_object_set_new(properties, key->name, describe(definitions, key->schema, own, key->meaning));
    json_object_set_new(definition, "properties", properties);
    if (schema->keys != NULL && own == WHOLE) add_needs(definition, schema);
    if (schema->families)
        json_object_set_new(
            definition, "patternProperties",
            json_pack("{s:o}", "^for ",
                      describe(definitions, schema, use, "the same for each value of an index")));
    json_object_set_new(definition, "additionalProperties",
                        schema->entries == NULL
                            ? json_false()
                            : describe(definitions, schema->entries, own, schema->entries->what));
}

static json_t *define(json_t *definitions, const ic_schema *schema, schema_use use)
{
    if (use == LIKE_ANOTHER)
        return json_pack("{s:{s:[s]},s:o,s:o}", "if", "required", "like", "then",
                         refer(definitions, schema, OVERRIDING), "else", refer(definitions, schema, WHOLE));
    json_t *definition = list_types(schema, use);
    if (schema->keys != NULL || schema->entries != NULL || schema->families)
        add_mapping(definitions, definition, schema, use);
    if (schema->items != NULL)
        json_object_set_new(definition, "items",
                            describe(definitions, schema->items, use, schema->items->what));
    return definition;
}

static void write_schema(FILE *stream, size_t kind)
{
    json_t *definitions = json_object();
    json_t *whole = json_pack("{s:s,s:s,s:s}", "$schema", "http://json-schema.org/draft-07/schema#", "title",
                              kinds[kind].title, "$comment", "made by impactcheck " IC_VERSION);
    json_t *file = define(definitions, kinds[kind].schema, WHOLE);
    json_object_update(whole, file);
    json_object_set_new(whole, "definitions", definitions);
    ic_json json = ic_json_to(stream);
    ic_json_value(&json, NULL, whole);
    json_decref(file);
    json_decref(whole);
}

/* ---- the command */

static int run_schema(const cli_arguments *arguments)
{
    ic_nearest nearest = {.wrong = arguments->operands[0]};
    cli_file file = {0};
    size_t kind = 0;
    while (kind < IC_COUNT(kinds) && strcmp(kinds[kind].name, nearest.wrong) != 0)
        ic_nearest_offer(&nearest, kinds[kind++].name);
    if (kind == IC_COUNT(kinds))
        return cli_nearest_unknown(&nearest, arguments->command, "kind of file", "schema --help");
    if (!cli_file_open_option(&file, arguments, OUT)) return CLI_BAD_INPUT;
    write_schema(file.stream != NULL ? file.stream : stdout, kind);
    return cli_file_finish(&file, arguments, NULL) ? CLI_GOOD : CLI_FAILURE;
}

const cli_command cli_schema = {
    .name = "schema",
    .operands = "case|scene|ci",
    .least = 1,
    .most = 1,
    .title = "The keys of case files, scenes or impactcheck.yaml as a JSON Schema, for editors.",
    .details =
        "An editor with a YAML language server offers and explains keys, and marks faults as you type, in a "
        "file that begins with # yaml-language-server: $schema=FILE.",
    CLI_OPTIONS(options),
    .run = run_schema,
};
