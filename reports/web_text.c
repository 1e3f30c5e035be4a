/* SPDX-License-Identifier: MIT */
/* The equations of a case, as its file states them, section by section. */
#include "reports/formula.h"
#include "reports/html.h"
#include "reports/reports.h"
#include "reports/web_parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- from the language of case files to that of reports/formula.h */

static bool is_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_number(char c)
{
    return isdigit((unsigned char)c) || c == '.';
}

static const char *put_operand(FILE *out, const char *at);

/* Words; they end at the next quotation mark. */
static void put_words(FILE *out, const char *words, const char *behind)
{
    fputc('"', out);
    for (const char *c = words; *c != '\0'; c++) fputc(*c == '"' ? '\'' : *c, out);
    fprintf(out, "%s\"", behind);
}

/* Length of a name without underscores at its end: of x_[i], whose members are x_1, x_2 ... */
static size_t name_length(const char *start, const char *end)
{
    size_t n = (size_t)(end - start);
    while (n > 1 && start[n - 1] == '_') n--;
    return n;
}

/* x2 -> x_2, mu_s -> mu_s, x[i+1] -> x_(i+1), x_[i] -> x_(i), soil.force -> "soil.force". */
static const char *put_name(FILE *out, const char *at)
{
    const char *start = at;
    while (is_name(*at) || (*at == '.' && isalpha((unsigned char)at[1]))) at++;
    const size_t n = name_length(start, at);
    const bool part = memchr(start, '.', n) != NULL;
    size_t letters = 0;
    while (letters < n && isalpha((unsigned char)start[letters])) letters++;
    if (part || (n == 3 && strncmp(start, "and", n) == 0) || (n == 2 && strncmp(start, "or", n) == 0)) {
        fprintf(out, part ? "\"%.*s\"" : " \" %.*s \" ", (int)n, start);
        return at;
    }
    if (*at == '(' && letters + 1 == n && start[letters] == '2') { /* atan2 */
        fprintf(out, "%.*s", (int)letters, start);
        return at;
    }
    fprintf(out, "%.*s", (int)letters, start);
    if (letters == n && *at != '[') return at;
    fputs(*at == '[' ? "_(" : "_", out);
    for (size_t i = letters; i < n; i++) {
        if (start[i] != '_') fputc(start[i], out);
    }
    if (*at != '[') return at;
    if (letters < n) fputs(", ", out);
    for (at++; *at != '\0' && *at != ']';) at = put_operand(out, at);
    fputc(')', out);
    return *at == ']' ? at + 1 : at;
}

/* 5e-3 -> 5 10^(-3); the text after a blank is a unit: 10 m/s. */
static const char *put_number(FILE *out, const char *at)
{
    while (is_number(*at) && strncmp(at, "..", 2) != 0) fputc(*at++, out);
    if ((*at == 'e' || *at == 'E') && at[1] != '\0' && strchr("+-0123456789", at[1]) != NULL) {
        fputs(" 10^(", out);
        for (at += at[1] == '+' ? 2 : 1; *at == '-' || isdigit((unsigned char)*at); at++) fputc(*at, out);
        fputc(')', out);
    }
    if (*at == ' ' && isalpha((unsigned char)at[1]) && strncmp(at, " and ", 5) != 0 &&
        strncmp(at, " or ", 4) != 0) {
        fputs(" \" ", out);
        int depth = 0; /* the unit ends with the argument that it is in */
        for (at++; *at != '\0' && depth >= 0; at++) {
            depth += (*at == '(') - (*at == ')');
            if (depth < 0 || (depth == 0 && strchr(",<>", *at) != NULL)) break;
            fputc(*at == '"' ? '\'' : *at, out);
        }
        fputc('"', out);
    } else if (isalpha((unsigned char)*at)) {
        fputc(' ', out);
    }
    return at;
}

/* sum(i in 1..N, ...) -> sum_(i = 1 "…" N)(... */
static const char *put_sum(FILE *out, const char *at)
{
    const char *in = strstr(at, " in "), *dots = strstr(at, ".."), *comma = strchr(at, ',');
    if (in == NULL || dots == NULL || comma == NULL || in > dots || dots > comma) return put_name(out, at);
    fprintf(out, "sum_(%.*s = %.*s \"…\" %.*s)(", (int)(in - at) - 4, at + 4, (int)(dots - in) - 4, in + 4,
            (int)(comma - dots) - 2, dots + 2);
    return comma + 1;
}

/* A sign after an operator needs parentheses. */
static const char *put_operator(FILE *out, const char *at)
{
    const char operator= * at++;
    while (*at == ' ') at++;
    const bool sign = *at == '-';
    if (operator== '*') fputs(isdigit((unsigned char)*at) ? " \"·\" " : " ", out);
    else fputc(operator, out);
    if (!sign) return at;
    fputs("(-", out);
    at = put_operand(out, at + 1);
    fputc(')', out);
    return at;
}

static const char *put_operand(FILE *out, const char *at)
{
    if (strncmp(at, "sum(", 4) == 0) return put_sum(out, at);
    if (isalpha((unsigned char)*at)) return put_name(out, at);
    if (isdigit((unsigned char)*at)) return put_number(out, at);
    if (*at == '*' || *at == '/' || *at == '^') return put_operator(out, at);
    fputc(*at == '"' ? '\'' : *at, out);
    return at + 1;
}

/* Whether an expression has a sign outside parentheses, so that it needs some as a factor. */
static bool is_sum(const char *expression)
{
    int depth = 0;
    for (const char *c = expression; *c != '\0'; c++) {
        depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
        if (depth == 0 && (*c == '+' || *c == '-')) return true;
    }
    return false;
}

static void write_expression(FILE *out, const char *expression);

static void put_factor(FILE *out, const char *expression)
{
    const bool sum = is_sum(expression);
    if (sum) fputc('(', out);
    write_expression(out, expression);
    if (sum) fputc(')', out);
}

/*
 * Position of the first slash of a product if several factors stand before it: a b/c is (a b)/c.
 * NULL: there is no such slash.
 */
static const char *numerator_end(const char *product)
{
    int depth = 0;
    size_t factors = 1;
    for (const char *c = product; *c != '\0'; c++) {
        depth += (*c == '(' || *c == '[') - (*c == ')' || *c == ']');
        if (depth < 0 || (depth == 0 && strchr("+-,<>", *c) != NULL) || strncmp(c, " and ", 5) == 0 ||
            strncmp(c, " or ", 4) == 0)
            return NULL;
        if (depth == 0 && *c == '/') return factors > 1 ? c : NULL;
        if (depth == 0 && *c == '*') factors++;
    }
    return NULL;
}

static void write_expression(FILE *out, const char *expression)
{
    enum { MOST = 24 };
    const char *strokes[MOST];
    size_t n = 0;
    bool begins = true;
    for (const char *at = expression; *at != '\0';) {
        const char *stroke = begins && n < MOST && strchr(" -+(", *at) == NULL ? numerator_end(at) : NULL;
        if (begins && n < MOST && *at == '(') stroke = numerator_end(at);
        if (stroke != NULL) {
            fputc('(', out);
            strokes[n++] = stroke;
        }
        if (n > 0 && at == strokes[n - 1]) {
            fputc(')', out);
            n--;
        }
        at = put_operand(out, at);
        begins = strchr("+-(,<>=", at[-1]) != NULL || (begins && at[-1] == ' ');
    }
}

/* ---- a line: a formula in memory until it is whole */

typedef struct text_line {
    char *text;
    size_t size;
    FILE *out;
} text_line;

static bool line_begin(text_line *l)
{
    *l = (text_line){0};
    l->out = open_memstream(&l->text, &l->size);
    return l->out != NULL;
}

/*
 * Writes an expression. One that cannot be typeset is shown as text. `family`: "for i in 1..N", or
 * "".
 */
static void line_end(text_line *l, FILE *page, const char *family)
{
    char *set = NULL;
    size_t size = 0;
    const char *wrong;
    if (family[0] != '\0') {
        fputs(" \"   \" ", l->out);
        put_words(l->out, family, "");
    }
    if (fclose(l->out) == 0) {
        FILE *out = open_memstream(&set, &size);
        const bool good = out != NULL && ic_formula_write(out, l->text, &wrong);
        if (out != NULL && fclose(out) == 0 && good) fputs(set, page);
        else IC_HTML(page, "<p class=\"formula\"><code>%</code></p>\n", l->text);
    }
    free(set);
    free(l->text);
}

static void write_relation(FILE *page, const char *left, const char *relation, const char *right,
                           const char *family)
{
    text_line l;
    if (!line_begin(&l)) return;
    write_expression(l.out, left);
    fputs(relation, l.out);
    write_expression(l.out, right);
    line_end(&l, page, family);
}

/* ---- sections */

/* Writes a formula, or a mapping that has the formula in a member. */
static const char *formula_of(const json_t *item)
{
    return json_is_string(item) ? json_string_value(item) : ic_report_text(item, "value");
}

static bool is_family(const char *key)
{
    return strncmp(key, "for ", 4) == 0;
}

typedef void entry_writer(FILE *page, const char *name, const json_t *item, const char *family);

/* Each entry of a mapping; those of families are marked. */
static void write_entries(FILE *page, const json_t *section, entry_writer *write, const char *family)
{
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)section, name, item)
    {
        char inner[IC_WEB_PATH];
        snprintf(inner, sizeof inner, "%.250s%s%.250s", family, family[0] != '\0' ? ", " : "", name);
        if (is_family(name) && json_is_object(item)) write_entries(page, item, write, inner);
        else write(page, name, item, family);
    }
}

static void write_definition(FILE *page, const char *name, const json_t *item, const char *family)
{
    json_t *values = json_object_get(item, "value");
    if (json_is_object(values)) { /* one for each mode */
        const char *mode;
        json_t *value;
        json_object_foreach(values, mode, value)
        {
            char where[IC_WEB_PATH];
            snprintf(where, sizeof where, "in %.200s%s%.200s", mode, family[0] != '\0' ? ", " : "", family);
            write_relation(page, name, " = ", formula_of(value), where);
        }
        return;
    }
    write_relation(page, name, " = ", formula_of(item), family);
}

static void write_rate(FILE *page, const char *name, const json_t *item, const char *family)
{
    write_relation(page, name, "' = ", formula_of(item), family);
}

/* A row of M v' = force; members that are 0 are left out. */
static void write_mass_row(FILE *page, const json_t *of, const json_t *row, const json_t *force)
{
    text_line l;
    size_t count = 0;
    if (!line_begin(&l)) return;
    for (size_t i = 0; i < json_array_size(row); i++) {
        const json_t *cell = json_array_get(row, i);
        const char *text = formula_of(cell);
        if (strcmp(text, "0") == 0) continue;
        fputs(count++ > 0 ? " + " : "", l.out);
        put_factor(l.out, text);
        fputc(' ', l.out);
        write_expression(l.out, formula_of(json_array_get(of, i)));
        fputc('\'', l.out);
    }
    fputs(count == 0 ? "0 = " : " = ", l.out);
    write_expression(l.out, formula_of(force));
    line_end(&l, page, "");
}

static void write_tree(FILE *page, const char *name, const json_t *item, const char *family);

static bool all_texts(const json_t *list)
{
    size_t i;
    json_t *item;
    json_array_foreach(list, i, item) if (!json_is_string(item)) return false;
    return json_is_array(list);
}

static void write_mass(FILE *page, const json_t *mass)
{
    const json_t *of = json_object_get(mass, "of"), *matrix = json_object_get(mass, "matrix"),
                 *force = json_object_get(mass, "force");
    bool plain = all_texts(of) && all_texts(force) && json_array_size(of) == json_array_size(matrix);
    for (size_t i = 0; i < json_array_size(matrix); i++) plain = plain && all_texts(json_array_get(matrix, i));
    if (!plain) {
        fputs("<p>M v' = f, with</p>\n", page);
        write_entries(page, mass, write_tree, "");
        return;
    }
    for (size_t i = 0; i < json_array_size(matrix); i++)
        write_mass_row(page, of, json_array_get(matrix, i), json_array_get(force, i));
}

/* Writes any entry: a formula as NAME = FORMULA, and a mapping below its name. */
static void write_tree(FILE *page, const char *name, const json_t *item, const char *family)
{
    if (json_is_string(item)) {
        write_relation(page, name, " = ", json_string_value(item), family);
        return;
    }
    IC_HTML(page, "<p>%%%:</p>\n<div class=\"part\">\n", name, family[0] != '\0' ? ", " : "", family);
    if (json_is_object(item)) write_entries(page, item, write_tree, "");
    for (size_t i = 0; i < json_array_size(item); i++) {
        const json_t *part = json_array_get(item, i);
        char place[64];
        snprintf(place, sizeof place, "row %zu", i + 1);
        if (json_is_string(part)) write_relation(page, "", "", json_string_value(part), "");
        else write_tree(page, place, part, "");
    }
    fputs("</div>\n", page);
}

/* ---- events */

static bool is_entry_of_state(const char *key)
{
    static const char *const others[] = {"if", "mode", "departs", "ends", "meaning"};
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        if (strcmp(key, others[i]) == 0) return false;
    }
    return true;
}

static void put_changes(FILE *out, const json_t *branch, size_t *count)
{
    const char *name;
    json_t *item;
    json_object_foreach((json_t *)branch, name, item)
    {
        if (is_family(name) && json_is_object(item)) {
            put_changes(out, item, count);
            fputs(" \"  \" ", out);
            put_words(out, name, "");
        } else if (is_entry_of_state(name)) {
            fputs((*count)++ > 0 ? ", " : "", out);
            write_expression(out, name);
            fputs(" -> ", out);
            write_expression(out, formula_of(item));
        }
    }
}

static void write_branch(FILE *page, const json_t *branch)
{
    const char *condition = ic_report_text(branch, "if"), *mode = ic_report_text(branch, "mode");
    text_line l;
    size_t count = 0;
    if (!line_begin(&l)) return;
    if (condition[0] != '\0') {
        fputs("\"if \" ", l.out);
        write_expression(l.out, condition);
        fputs(": ", l.out);
    }
    put_changes(l.out, branch, &count);
    if (mode[0] != '\0') {
        fputs(count > 0 ? ", \"then \" " : "\"then \" ", l.out);
        put_words(l.out, mode, "");
    } else if (count == 0) {
        fputs("\"as before\"", l.out);
    }
    line_end(&l, page, "");
}

static void write_text_then(FILE *page, const json_t *then)
{
    if (json_is_object(then)) write_branch(page, then);
    for (size_t i = 0; i < json_array_size(then); i++) write_branch(page, json_array_get(then, i));
}

static void write_event(FILE *page, const char *name, const json_t *event, const char *family)
{
    static const struct {
        const char *key, *says;
    } ways[] = {{"falls", " \"falls to 0\""}, {"rises", " \"rises to 0\""}, {"crosses", " \"passes 0\""}};
    const char *condition = ic_report_text(event, "if"), *at = ic_report_text(event, "at");
    IC_HTML(page, "<p><b>%</b>% %</p>\n", name, family[0] != '\0' ? ", " : "", family);
    if (ic_report_text(event, "meaning")[0] != '\0')
        IC_HTML(page, "<p>%</p>\n", ic_report_text(event, "meaning"));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        text_line l;
        const json_t *value = json_object_get(event, ways[i].key);
        if (value == NULL || !line_begin(&l)) continue;
        fputs("\"when \" ", l.out);
        put_factor(l.out, formula_of(value));
        fputs(ways[i].says, l.out);
        if (condition[0] != '\0') fputs(" \" and \" ", l.out);
        write_expression(l.out, condition);
        line_end(&l, page, "");
    }
    if (at[0] != '\0') write_relation(page, "t", " = ", at, "");
    write_text_then(page, json_object_get(event, "then"));
    if (json_object_get(event, "accumulates") != NULL) {
        fputs("<p>After infinitely many:</p>\n", page);
        write_text_then(page, json_object_get(event, "accumulates"));
    }
    if (ic_text_is(event, "ends", "true")) fputs("<p>The run ends.</p>\n", page);
}

static void write_invariant(FILE *page, const char *name, const json_t *item, const char *family)
{
    static const char *const sides[][2] = {{"zero", " = "}, {"nonnegative", " >= "}, {"nonpositive", " <= "}};
    (void)name;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        const json_t *value = json_object_get(item, sides[i][0]);
        if (value != NULL) write_relation(page, formula_of(value), sides[i][1], "0", family);
    }
}

/* ---- elements */

/* Keys of an element are words, and may be names of the case as well: "gap: gap - x". */
static void write_part(FILE *page, const char *name, const json_t *item)
{
    text_line l;
    if (all_texts(item)) { /* names of laws, of conditions */
        IC_HTML(page, "<p>%:", name);
        for (size_t i = 0; i < json_array_size(item); i++)
            IC_HTML(page, i > 0 ? ", %" : " %", json_string_value(json_array_get(item, i)));
        fputs("</p>\n", page);
    } else if (!json_is_string(item)) {
        write_tree(page, name, item, "");
    } else if (strcmp(name, "law") == 0 || strcmp(name, "laws") == 0 || strncmp(name, "condition", 9) == 0) {
        IC_HTML(page, "<p>%: %</p>\n", name, json_string_value(item));
    } else if (line_begin(&l)) {
        put_words(l.out, name, ": ");
        write_expression(l.out, json_string_value(item));
        line_end(&l, page, "");
    }
}

static void write_element(FILE *page, const char *name, const json_t *element, const char *family)
{
    const char *kind, *part;
    json_t *parts, *item;
    json_object_foreach((json_t *)element, kind, parts)
    {
        IC_HTML(page, "<h4>%: %%%</h4>\n", name, kind, family[0] != '\0' ? ", " : "", family);
        json_object_foreach(parts, part, item) write_part(page, part, item);
    }
}

/* ---- the sections in the order of a paper */

static void write_sections(FILE *page, const json_t *text, int level);

static void write_mode(FILE *page, const char *name, const json_t *mode, const char *family)
{
    IC_HTML(page, "<h3>Mode %%%</h3>\n<p>%</p>\n", name, family[0] != '\0' ? ", " : "", family,
            ic_report_text(mode, "meaning"));
    if (ic_text_is(mode, "ends", "true")) fputs("<p>The run ends here.</p>\n", page);
    write_sections(page, mode, 4);
}

static void write_variant(FILE *page, const char *name, const json_t *variant, const char *family)
{
    IC_HTML(page, "<h3>Variant %%%</h3>\n<p>%</p>\n", name, family[0] != '\0' ? ", " : "", family,
            ic_report_text(variant, "meaning"));
    write_sections(page, variant, 4);
}

static void write_sections(FILE *page, const json_t *text, int level)
{
    static const struct {
        const char *key, *head;
        entry_writer *write;
    } sections[] = {
        {"definitions", "Definitions", write_definition},
        {"flow", "Motion", write_rate},
        {"mass", "", NULL},
        {"elements", "Elements", write_element},
        {"until", "Events", write_event},
        {"times", "Events at given times", write_event},
        {"keeps", "Invariants", write_invariant},
        {"modes", "", write_mode},
        {"start", "Start", NULL},
        {"energy", "Energy", write_definition},
        {"outputs", "Outputs", write_definition},
        {"variants", "", write_variant},
    };
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        const json_t *section = json_object_get(text, sections[i].key);
        if (section == NULL) continue;
        if (sections[i].head[0] != '\0') fprintf(page, "<h%d>%s</h%d>\n", level, sections[i].head, level);
        if (sections[i].write != NULL) write_entries(page, section, sections[i].write, "");
        else if (strcmp(sections[i].key, "mass") == 0) write_mass(page, section);
        else write_text_then(page, section);
    }
}

void ic_page_text_equations(FILE *page, const json_t *text)
{
    write_sections(page, text, 3);
}
