/* SPDX-License-Identifier: MIT */
#include "casefile/yaml.h"

#include "core/expression.h"

#include <string.h>
#include <yaml.h>

typedef struct yaml_reader {
    ic_arena *arena;
    yaml_parser_t parser;
    const char *bytes;
    ic_file_place *place;
    ic_error *error;
    int depth;
} yaml_reader;

static ic_file_place place_of_mark(yaml_mark_t mark)
{
    return (ic_file_place){mark.line + 1, mark.column + 1};
}

/* Place of a byte. libyaml gives no mark for bytes that are not UTF-8. */
static ic_file_place place_of_byte(const char *bytes, size_t offset)
{
    ic_file_place place = {1, 1};
    for (size_t i = 0; i < offset; i++) {
        const unsigned char byte = (unsigned char)bytes[i];
        if (byte == '\n') place = (ic_file_place){place.line + 1, 1};
        else if ((byte & 0xC0) != 0x80) place.column++; /* The first byte of a character. */
    }
    return place;
}

static void *refuse_file_at(yaml_reader *r, ic_file_place place, const char *text)
{
    *r->place = place;
    ic_error_set(r->error, "%s", text);
    return NULL;
}

static void *refuse_memory(yaml_reader *r)
{
    return refuse_file_at(r, (ic_file_place){0, 0}, "the file needs too much memory");
}

/* Hint at the usual cause of a fault that libyaml reports. */
static const char *explain_problem(const char *problem)
{
    static const char *const rows[][2] = {
        {"mapping values are not allowed",
         "; put a text that contains ': ' in quotes, and a space after the colon of a key"},
        {"cannot start any token",
         "; indent with spaces, not with tabs, and put a text that begins with such a character in quotes"},
        {"did not find expected ',' or '}'", "; within braces, put a text with a comma or a bracket in quotes"},
        {"block scalar", "; put a text that begins with > or | in quotes"}};
    for (size_t i = 0; i < IC_COUNT(rows); i++) {
        if (strstr(problem, rows[i][0]) != NULL) return rows[i][1];
    }
    return "";
}

static bool next_event(yaml_reader *r, yaml_event_t *event)
{
    if (yaml_parser_parse(&r->parser, event)) return true;
    if (r->parser.error == YAML_MEMORY_ERROR) {
        ic_library_ran_out();
        return refuse_memory(r) != NULL;
    }
    const char *problem = r->parser.problem != NULL ? r->parser.problem : "unreadable";
    *r->place = r->parser.error == YAML_READER_ERROR ? place_of_byte(r->bytes, r->parser.problem_offset)
                                                     : place_of_mark(r->parser.problem_mark);
    ic_error_set(r->error, "not YAML: %s%s%s%s", problem, r->parser.context != NULL ? ", " : "",
                 r->parser.context != NULL ? r->parser.context : "",
                 explain_problem(r->parser.context != NULL && strstr(r->parser.context, "block scalar") != NULL
                                     ? r->parser.context
                                     : problem));
    return false;
}

static ic_yaml *read_node(yaml_reader *r, yaml_event_t *event);

static ic_yaml *new_node(yaml_reader *r, ic_yaml_kind kind, const yaml_event_t *event)
{
    ic_yaml *node = ic_arena_take(r->arena, sizeof *node);
    if (node == NULL) return refuse_memory(r);
    node->kind = kind;
    node->text = "";
    node->place = place_of_mark(event->start_mark);
    return node;
}

static ic_yaml *read_scalar(yaml_reader *r, const yaml_event_t *event)
{
    ic_yaml *node = new_node(r, IC_YAML_SCALAR, event);
    if (node == NULL) return NULL;
    const char *value = (const char *)event->data.scalar.value;
    const size_t length = event->data.scalar.length;
    if (strlen(value) != length) return refuse_file_at(r, node->place, "a zero byte in a text");
    node->text = ic_arena_copy(r->arena, value, length);
    if (node->text == NULL) return refuse_memory(r);
    const bool one_line = event->start_mark.line == event->end_mark.line;
    const size_t written = event->end_mark.column - event->start_mark.column;
    if (event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE) {
        node->literal = one_line;
    } else if (one_line && written == length + 2) { /* The text is in quotes. */
        node->literal = true;
        node->place.column++;
    }
    return node;
}

static bool append_node(yaml_reader *r, ic_yaml ***list, size_t *count, ic_yaml *node)
{
    ic_yaml **added = ic_arena_append(r->arena, list, count, sizeof(ic_yaml *));
    if (added == NULL) return refuse_memory(r) != NULL;
    *added = node;
    return true;
}

/*
 * Checks that a key is new. Keys are compared one by one, because a file is at most a megabyte
 * long.
 */
static bool key_is_new(yaml_reader *r, const ic_yaml *mapping, const ic_yaml *key)
{
    if (key->kind != IC_YAML_SCALAR) return refuse_file_at(r, key->place, "a key has to be a name") != NULL;
    if (mapping->n_keys > 4096)
        return refuse_file_at(r, key->place, "more than 4096 keys in one mapping") != NULL;
    for (size_t i = 0; i < mapping->n_keys; i++) {
        if (strcmp(mapping->keys[i]->text, key->text) != 0) continue;
        *r->place = key->place;
        ic_error_set(r->error, "'%s' is given twice; first in line %zu", key->text,
                     mapping->keys[i]->place.line);
        return false;
    }
    return true;
}

/* Reads items up to the event that ends the collection. */
static bool read_items(yaml_reader *r, ic_yaml *node, yaml_event_type_t end)
{
    for (;;) {
        yaml_event_t event;
        if (!next_event(r, &event)) return false;
        const bool ended = event.type == end;
        ic_yaml *item = ended ? NULL : read_node(r, &event);
        yaml_event_delete(&event);
        if (ended) return true;
        if (item == NULL) return false;
        if (node->kind == IC_YAML_MAPPING && node->n_keys == node->n_items) {
            if (!key_is_new(r, node, item) || !append_node(r, &node->keys, &node->n_keys, item)) return false;
        } else if (!append_node(r, &node->items, &node->n_items, item)) {
            return false;
        }
    }
}

static ic_yaml *read_collection(yaml_reader *r, ic_yaml_kind kind, const yaml_event_t *event)
{
    ic_yaml *node = new_node(r, kind, event);
    if (node == NULL) return NULL;
    if (++r->depth > IC_YAML_DEPTH) return refuse_file_at(r, node->place, "nested too deeply");
    const bool mapping = kind == IC_YAML_MAPPING;
    if (!read_items(r, node, mapping ? YAML_MAPPING_END_EVENT : YAML_SEQUENCE_END_EVENT)) return NULL;
    r->depth--;
    return node;
}

static ic_yaml *read_node(yaml_reader *r, yaml_event_t *event)
{
    const ic_file_place place = place_of_mark(event->start_mark);
    const yaml_char_t *anchor = NULL, *tag = NULL;
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
        break;
    case YAML_SEQUENCE_START_EVENT:
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
        break;
    case YAML_MAPPING_START_EVENT:
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
        break;
    case YAML_ALIAS_EVENT: return refuse_file_at(r, place, "aliases (*name) are not used in case files");
    default: return refuse_file_at(r, place, "expected a text, a list or a mapping");
    }
    if (anchor != NULL) return refuse_file_at(r, place, "anchors (&name) are not used in case files");
    if (tag != NULL) return refuse_file_at(r, place, "tags (!name) are not used in case files");
    if (event->type == YAML_SCALAR_EVENT) return read_scalar(r, event);
    return read_collection(r, event->type == YAML_MAPPING_START_EVENT ? IC_YAML_MAPPING : IC_YAML_SEQUENCE,
                           event);
}

/* Skips one event, which must have the given type. */
static bool skip_event(yaml_reader *r, yaml_event_type_t type, const char *otherwise)
{
    yaml_event_t event;
    if (!next_event(r, &event)) return false;
    const bool good = event.type == type;
    if (!good) refuse_file_at(r, place_of_mark(event.start_mark), otherwise);
    yaml_event_delete(&event);
    return good;
}

static ic_yaml *read_document(yaml_reader *r)
{
    yaml_event_t event;
    if (!skip_event(r, YAML_STREAM_START_EVENT, "not YAML") ||
        !skip_event(r, YAML_DOCUMENT_START_EVENT, "the file is empty"))
        return NULL;
    if (!next_event(r, &event)) return NULL;
    ic_yaml *node = read_node(r, &event);
    yaml_event_delete(&event);
    if (node == NULL || !skip_event(r, YAML_DOCUMENT_END_EVENT, "text follows the end of the case") ||
        !skip_event(r, YAML_STREAM_END_EVENT, "a second document begins here: a file contains one case"))
        return NULL;
    return node;
}

ic_yaml *ic_yaml_read(ic_arena *arena, const char *bytes, size_t size, ic_file_place *place, ic_error *error)
{
    yaml_reader r = {.arena = arena, .bytes = bytes, .place = place, .error = error};
    *place = (ic_file_place){0, 0};
    if (size > IC_YAML_SIZE) {
        ic_error_set(error, "the file is longer than the limit for case files, %d bytes", IC_YAML_SIZE);
        return NULL;
    }
    if (!yaml_parser_initialize(&r.parser)) {
        ic_library_ran_out();
        return refuse_memory(&r);
    }
    yaml_parser_set_encoding(&r.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&r.parser, (const unsigned char *)bytes, size);
    ic_yaml *root = read_document(&r);
    yaml_parser_delete(&r.parser);
    return root;
}

ic_yaml *ic_yaml_get(const ic_yaml *mapping, const char *key)
{
    if (mapping == NULL || mapping->kind != IC_YAML_MAPPING) return NULL;
    for (size_t i = 0; i < mapping->n_keys; i++) {
        if (strcmp(mapping->keys[i]->text, key) == 0) return mapping->items[i];
    }
    return NULL;
}
