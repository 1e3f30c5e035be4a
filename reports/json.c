/* SPDX-License-Identifier: MIT */
#include "reports/json.h"
#include "reports/number.h"

#include <assert.h>
#include <math.h>

ic_json ic_json_to(FILE *stream)
{
    return (ic_json){.stream = stream, .empty = true};
}

static void write_text(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        if (*c == '"' || *c == '\\') fprintf(stream, "\\%c", *c);
        else if (*c == '\n') fputs("\\n", stream);
        else if (*c == '\t') fputs("\\t", stream);
        else if (*c < 0x20) fprintf(stream, "\\u%04x", *c);
        else fputc(*c, stream);
    }
    fputc('"', stream);
}

static void new_line(const ic_json *json)
{
    fprintf(json->stream, "\n%*s", 2 * json->depth, "");
}

/* Writes the comma, line break and key before a value. */
static void begin_value(ic_json *json, const char *key)
{
    if (json->depth > 0) {
        const bool line = json->line[json->depth - 1];
        if (!json->empty) fputs(line ? ", " : ",", json->stream);
        if (!line) new_line(json);
    }
    if (key != NULL) {
        write_text(json->stream, key);
        fputs(": ", json->stream);
    }
    json->empty = false;
}

static void open_container(ic_json *json, const char *key, const char *brackets, bool line)
{
    begin_value(json, key);
    assert(json->depth < IC_JSON_DEPTH);
    fputc(brackets[0], json->stream);
    json->close[json->depth] = brackets[1];
    json->line[json->depth] = line || (json->depth > 0 && json->line[json->depth - 1]);
    json->depth++;
    json->empty = true;
}

void ic_json_object(ic_json *json, const char *key)
{
    open_container(json, key, "{}", false);
}

void ic_json_object_line(ic_json *json, const char *key)
{
    open_container(json, key, "{}", true);
}

void ic_json_array(ic_json *json, const char *key)
{
    open_container(json, key, "[]", false);
}

void ic_json_array_line(ic_json *json, const char *key)
{
    open_container(json, key, "[]", true);
}

void ic_json_end(ic_json *json)
{
    assert(json->depth > 0);
    json->depth--;
    if (!json->empty && !json->line[json->depth]) new_line(json);
    fputc(json->close[json->depth], json->stream);
    json->empty = false;
    if (json->depth == 0) fputc('\n', json->stream);
}

void ic_json_text(ic_json *json, const char *key, const char *text)
{
    if (text == NULL) {
        ic_json_null(json, key);
        return;
    }
    begin_value(json, key);
    write_text(json->stream, text);
}

void ic_json_number(ic_json *json, const char *key, double value)
{
    begin_value(json, key);
    fputs(isfinite(value) ? ic_number_exact(value).text : "null", json->stream);
}

void ic_json_number_short(ic_json *json, const char *key, double value, int digits)
{
    begin_value(json, key);
    fputs(isfinite(value) ? ic_number_short(value, digits).text : "null", json->stream);
}

void ic_json_integer(ic_json *json, const char *key, long long value)
{
    begin_value(json, key);
    fprintf(json->stream, "%lld", value);
}

void ic_json_bool(ic_json *json, const char *key, bool value)
{
    begin_value(json, key);
    fputs(value ? "true" : "false", json->stream);
}

void ic_json_null(ic_json *json, const char *key)
{
    begin_value(json, key);
    fputs("null", json->stream);
}

void ic_json_members(ic_json *json, const ic_json_member *members, size_t n)
{
    for (const ic_json_member *m = members; m < members + n; m++) {
        switch (m->kind) {
        case IC_MEMBER_TEXT: ic_json_text(json, m->key, m->text); break;
        case IC_MEMBER_REAL: ic_json_number(json, m->key, m->real); break;
        case IC_MEMBER_WHOLE: ic_json_integer(json, m->key, m->whole); break;
        case IC_MEMBER_FLAG: ic_json_bool(json, m->key, m->whole != 0); break;
        }
    }
}

void ic_json_row(ic_json *json, const char *key, const ic_json_member *members, size_t n)
{
    ic_json_object_line(json, key);
    ic_json_members(json, members, n);
    ic_json_end(json);
}

void ic_json_value(ic_json *json, const char *key, const json_t *value)
{
    const char *name;
    json_t *member;
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        ic_json_object(json, key);
        json_object_foreach((json_t *)value, name, member) ic_json_value(json, name, member);
        ic_json_end(json);
        break;
    case JSON_ARRAY:
        ic_json_array(json, key);
        for (size_t i = 0; i < json_array_size(value); i++) ic_json_value(json, NULL, json_array_get(value, i));
        ic_json_end(json);
        break;
    case JSON_STRING: ic_json_text(json, key, json_string_value(value)); break;
    case JSON_INTEGER: ic_json_integer(json, key, json_integer_value(value)); break;
    case JSON_REAL: ic_json_number(json, key, json_real_value(value)); break;
    case JSON_TRUE:
    case JSON_FALSE: ic_json_bool(json, key, json_is_true(value)); break;
    case JSON_NULL: ic_json_null(json, key); break;
    }
}

json_t *ic_json_real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}
