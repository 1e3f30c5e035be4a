/* SPDX-License-Identifier: MIT */
#include "casefile/formula.h"

#include "casefile/constants.h"
#include "core/expression.h"
#include "core/scan.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_"

enum { MOST_DEPTH = 200, MOST_NAME = 64, MOST_FAMILY = 1000, MOST_LISTED = 512 };

typedef struct formula_parser {
    const ic_yaml *source;
    const char *at;
    const ic_scope *scope;
    const ic_index *indices;
    int depth;

    /* True if the last atom was a product without an operator, such as 80pi. */
    bool juxtaposed;

    /* set where an index is read as a number */
    bool index_read;
} formula_parser;

static ic_file_place place_at(const formula_parser *p, const char *at)
{
    ic_file_place place = p->source->place;
    if (p->source->literal) place.column += (size_t)(at - p->source->text);
    return place;
}

static bool refuse_formula_at(const formula_parser *p, const char *at, const char *what)
{
    return ic_fault_add(p->scope->faults, place_at(p, at), "%s", what);
}

static bool refuse_formula(const formula_parser *p, const char *what)
{
    return refuse_formula_at(p, p->at, what);
}

static bool expect_char(formula_parser *p, char c)
{
    char text[96];
    if (ic_accept_char(&p->at, c)) return true;
    const char *number = p->at;
    while (number > p->source->text && number[-1] == ' ') number--;
    const bool apart = number < p->at;
    while (number > p->source->text && (isdigit((unsigned char)number[-1]) || number[-1] == '.')) number--;
    snprintf(text, sizeof text, "expected '%c'", c);
    if (apart && isdigit((unsigned char)*number) && isalpha((unsigned char)*p->at))
        snprintf(text, sizeof text, "expected '%c'; put a number and its unit in brackets: (%.*s)", c,
                 (int)(p->at - number + (ptrdiff_t)strcspn(p->at, " )+-*,")), number);
    return refuse_formula(p, text);
}

/* Accepts a word of letters that is not the beginning of a longer name. */
static bool accept_word(formula_parser *p, const char *word)
{
    const size_t length = strlen(word);
    p->at = ic_after_space(p->at);
    if (strncmp(p->at, word, length) != 0 || isalnum((unsigned char)p->at[length]) || p->at[length] == '_')
        return false;
    p->at += length;
    return true;
}

static bool graph_full(const formula_parser *p)
{
    return p->scope->faults->n_faults > 0 || !p->scope->graph->arena->failed
               ? false
               : ic_fault_memory(p->scope->faults, p->source->place);
}

static bool set_node(const formula_parser *p, ic_term *term, ic_node node)
{
    term->node = node;
    return node >= 0 || graph_full(p);
}

static bool apply_operation(const formula_parser *p, ic_term *term, ic_operation operation, ic_node a,
                            ic_node b, ic_node c)
{
    return set_node(p, term, ic_graph_apply(p->scope->graph, operation, a, b, c));
}

/* ---- units */

static bool same_units(const formula_parser *p, const char *at, const char *what, const ic_term *a,
                       const ic_term *b)
{
    char left[IC_DIMENSION_TEXT], right[IC_DIMENSION_TEXT];
    if (ic_dimensions_equal(&a->dimension, &b->dimension)) return true;
    return ic_fault_add(p->scope->faults, place_at(p, at), "units differ: %s of %s and %s", what,
                        ic_dimension_text(left, &a->dimension), ic_dimension_text(right, &b->dimension));
}

static bool without_unit(const formula_parser *p, const char *at, const char *what, const ic_term *a)
{
    char text[IC_DIMENSION_TEXT];
    if (ic_dimension_is_none(&a->dimension)) return true;
    return ic_fault_add(p->scope->faults, place_at(p, at),
                        "units: %s must be a number without unit, but is in %s", what,
                        ic_dimension_text(text, &a->dimension));
}

/* ---- names and indices */

/* Reads an identifier. `dots` allows the quantities of elements: soil.force. */
static bool parse_word(formula_parser *p, char word[MOST_NAME], bool dots)
{
    p->at = ic_after_space(p->at);
    const char *start = p->at;
    if (isdigit((unsigned char)*p->at))
        return refuse_formula(p, "expected a name; decimals have a point, since a comma begins the next entry");
    if (!isalpha((unsigned char)*p->at)) return refuse_formula(p, "expected a name");
    while (isalnum((unsigned char)*p->at) || *p->at == '_' ||
           (dots && *p->at == '.' && isalpha((unsigned char)p->at[1])))
        p->at++;
    const size_t length = (size_t)(p->at - start);
    if (length >= MOST_NAME) return refuse_formula_at(p, start, "the name is too long");
    memcpy(word, start, length);
    word[length] = '\0';
    return true;
}

static bool parse_integer_sum(formula_parser *p, int *value);

static bool parse_integer_atom(formula_parser *p, int *value)
{
    p->at = ic_after_space(p->at);
    const char *start = p->at;
    if (++p->depth > MOST_DEPTH) return refuse_formula(p, "nested too deeply");
    bool good = true;
    if (ic_accept_char(&p->at, '-')) {
        good = parse_integer_atom(p, value);
        *value = -*value;
    } else if (ic_accept_char(&p->at, '(')) {
        good = parse_integer_sum(p, value) && expect_char(p, ')');
    } else if (isdigit((unsigned char)*p->at)) {
        char *end = NULL;
        const long number = strtol(p->at, &end, 10);
        if (number > 1000000) return refuse_formula(p, "the index is out of range");
        *value = (int)number;
        p->at = end;
    } else {
        char word[MOST_NAME];
        if (!parse_word(p, word, false)) return false;
        const ic_index *index = p->indices;
        while (index != NULL && strcmp(index->name, word) != 0) index = index->outer;
        if (index != NULL) *value = index->value;
        else if (p->scope->integer == NULL || !p->scope->integer(value, word, p->scope->context))
            good = ic_fault_add(
                p->scope->faults, place_at(p, start),
                "'%s' is neither an index nor a parameter whose value is an integer below a million", word);
    }
    p->depth--;
    return good;
}

static bool parse_integer_product(formula_parser *p, int *value)
{
    if (!parse_integer_atom(p, value)) return false;
    while (ic_accept_char(&p->at, '*')) {
        int right = 0;
        if (!parse_integer_atom(p, &right)) return false;
        const long product = (long)*value * right;
        if (labs(product) > 1000000) return refuse_formula(p, "the index is out of range");
        *value = (int)product;
    }
    return true;
}

static bool parse_integer_sum(formula_parser *p, int *value)
{
    if (!parse_integer_product(p, value)) return false;
    for (;;) {
        const bool plus = ic_accept_char(&p->at, '+');
        if (!plus && !ic_accept_char(&p->at, '-')) return true;
        int right = 0;
        if (!parse_integer_product(p, &right)) return false;
        *value += plus ? right : -right;
        if (*value > 1000000 || *value < -1000000) return refuse_formula(p, "the index is out of range");
    }
}

/* Appends the indices in brackets to a name, if the text has any. */
static bool parse_indices(formula_parser *p, char name[MOST_NAME])
{
    if (*p->at != '[') return true;
    const char *start = p->at++;
    const char *separator = "";
    do {
        int value = 0;
        if (!parse_integer_sum(p, &value)) return false;
        if (value < 0) return refuse_formula_at(p, start, "the index is negative");
        const size_t length = strlen(name);
        const int printed = snprintf(name + length, MOST_NAME - length, "%s%d", separator, value);
        if (length + (size_t)printed >= MOST_NAME) return refuse_formula_at(p, start, "the name is too long");
        separator = "_";
    } while (ic_accept_char(&p->at, ','));
    return expect_char(p, ']');
}

/* Reads a quantity of a member of a family: c[i].force. */
static bool parse_part(formula_parser *p, char name[MOST_NAME])
{
    char part[MOST_NAME];
    const char *start = p->at;
    if (*p->at != '.' || !isalpha((unsigned char)p->at[1])) return true;
    p->at++;
    if (!parse_word(p, part, false)) return false;
    const size_t length = strlen(name);
    if (snprintf(name + length, MOST_NAME - length, ".%s", part) < (int)(MOST_NAME - length)) return true;
    return refuse_formula_at(p, start, "the name is too long");
}

static bool parse_sum(formula_parser *p, ic_term *term);
static bool parse_power(formula_parser *p, ic_term *term);
static bool parse_condition(formula_parser *p, ic_node *node);

static bool is_function(const char *word)
{
    return strcmp(word, "sum") == 0 || strcmp(word, "where") == 0 || ic_operation_find(word) >= 0 ||
           ic_constants_find(word) != NULL;
}

bool ic_formula_reserved(const char *word)
{
    static const char *const words[] = {"pi", "t", "and", "or", "in", "for", "mode", "none"};
    bool reserved = is_function(word);
    for (size_t i = 0; i < IC_COUNT(words); i++) reserved = reserved || strcmp(word, words[i]) == 0;
    return reserved;
}

/*
 * Adds the fault that the index of a family is beyond its members. false: the name is wrong in
 * another way.
 */
static bool is_beyond(const formula_parser *p, const char *start, const char *name, const char *const *names,
                      size_t n)
{
    const size_t base = strspn(start, NAME_CHARACTERS), index = base + 1;
    char *end = NULL;
    if (start[base] != '[' || !isdigit((unsigned char)name[base])) return false;
    const long value = strtol(name + base, &end, 10);
    long least = LONG_MAX, most = LONG_MIN;
    const char *rest = end;
    for (size_t i = 0; i < n; i++) {
        if (strncmp(names[i], name, base) != 0 || !isdigit((unsigned char)names[i][base])) continue;
        const long member = strtol(names[i] + base, &end, 10);
        if (*end != '\0') continue;
        if (member < least) least = member;
        if (member > most) most = member;
    }
    if (*rest != '\0' || least > most || (value >= least && value <= most)) return false;
    const int length = (int)strcspn(start + index, "]");
    char is[MOST_NAME] = "";
    if (strspn(start + index, "0123456789") < (size_t)length) snprintf(is, sizeof is, " = %ld", value);
    ic_fault_add(p->scope->faults, place_at(p, start), "%.*s%s is beyond %ld..%ld, the indices of '%.*s'",
                 length, start + index, is, least, most, (int)base, start);
    return true;
}

/* Adds the fault that a unit follows a number without a space, 4mm. false: the name is no unit. */
static bool is_joined_unit(const formula_parser *p, const char *start, const char *name)
{
    const char *number = start;
    ic_unit unit;
    size_t offset = 0;
    ic_error error;
    while (number > p->source->text && (isdigit((unsigned char)number[-1]) || number[-1] == '.')) number--;
    if (number == start || !ic_unit_read(&unit, name, NULL, NULL, &offset, &error)) return false;
    ic_fault_add(p->scope->faults, place_at(p, start), "a space is missing between number and unit: %.*s %s",
                 (int)(start - number), number, name);
    return true;
}

static bool unknown_name(const formula_parser *p, const char *start, const char *name)
{
    const char *names[MOST_LISTED];
    const ic_scope *s = p->scope;
    const size_t n = s->list(names, MOST_LISTED, s->context);
    if (is_beyond(p, start, name, names, n) || is_joined_unit(p, start, name)) return false;
    return ic_fault_add(s->faults, place_at(p, start), "unknown name '%s'%s", name,
                        ic_meant_hint(name, names, n).text);
}

static bool find_name(formula_parser *p, const char *start, const char *name, ic_term *term)
{
    const ic_scope *s = p->scope;
    *term = (ic_term){.node = IC_NO_NODE};
    if (strcmp(name, "pi") == 0) return set_node(p, term, ic_graph_leaf(s->graph, IC_OP_PI));
    for (const ic_index *index = p->indices; index != NULL; index = index->outer) {
        if (strcmp(index->name, name) != 0) continue;
        p->index_read = true;
        return set_node(p, term, ic_graph_integer(s->graph, index->value));
    }
    const int depth = *s->depth;
    *s->depth = p->depth;
    const ic_name_found found = s->find(term, name, place_at(p, start), s->context);
    *s->depth = depth;
    if (found == IC_NAME_KNOWN) return set_node(p, term, term->node);
    if (found == IC_NAME_WRONG) return false;
    return is_function(name) ? refuse_formula(p, "expected '('") : unknown_name(p, start, name);
}

/* ---- functions */

/*
 * Reads the arguments of sum: index in first..last, expression; or index, expression, if the index
 * is declared.
 */
static bool parse_family_sum(formula_parser *p, ic_term *term)
{
    char word[MOST_NAME];
    int first = 0, last = -1;
    p->at = ic_after_space(p->at);
    const char *start = p->at;
    if (!parse_word(p, word, false)) return false;
    if (accept_word(p, "in")) {
        if (!parse_integer_sum(p, &first)) return false;
        p->at = ic_after_space(p->at);
        if (strncmp(p->at, "..", 2) != 0) return refuse_formula(p, "expected '..': sum(r in 1..N, ...)");
        p->at += 2;
        if (!parse_integer_sum(p, &last)) return false;
    } else if (p->scope->range == NULL || !p->scope->range(&first, &last, word, p->scope->context)) {
        return ic_fault_add(p->scope->faults, place_at(p, start),
                            "the index '%s' has no range: write sum(%s in 1..N, ...)", word, word);
    }
    if (!expect_char(p, ',')) return false;
    if (last - first >= MOST_FAMILY)
        return refuse_formula_at(p, start, "the family has more than 1000 members");
    const char *body = p->at;
    const ic_index *outer = p->indices;
    *term = (ic_term){.node = ic_graph_integer(p->scope->graph, 0), .dimension = {.any = true}};
    bool good = true;
    /* The expression of an empty sum is read once, to find its end. */
    for (int i = first; good && (i <= last || i == first); i++) {
        const ic_index index = {word, i, outer};
        ic_term summand = {0};
        p->indices = &index;
        p->at = body;
        good = parse_sum(p, &summand);
        p->indices = outer;
        if (!good || last < first) continue;
        good = same_units(p, body, "a sum", term, &summand) &&
               apply_operation(p, term, IC_OP_ADD, term->node, summand.node, IC_NO_NODE);
        if (term->dimension.any) term->dimension = summand.dimension;
    }
    return good && expect_char(p, ')');
}

/* 1 or -1 if a condition is known to hold, or not to hold; otherwise 0. */
static int known_outcome(ic_graph *g, ic_node condition)
{
    return condition == ic_graph_integer(g, 1) ? 1 : condition == ic_graph_integer(g, -1) ? -1 : 0;
}

/* Passes over an alternative that a comparison of indices excludes: its members need not exist. */
static bool skip_alternative(formula_parser *p)
{
    for (int open = 0; *p->at != '\0' && (open > 0 || strchr(",)]", *p->at) == NULL); p->at++)
        open += strchr("([", *p->at) != NULL ? 1 : strchr(")]", *p->at) != NULL ? -1 : 0;
    return true;
}

/* Reads where(condition, a, b). */
static bool parse_where(formula_parser *p, ic_term *term)
{
    ic_node condition = IC_NO_NODE;
    ic_term otherwise = {0};
    if (!parse_condition(p, &condition) || !expect_char(p, ',')) return false;
    const int known = known_outcome(p->scope->graph, condition);
    p->at = ic_after_space(p->at);
    const char *start = p->at;
    if (!(known < 0 ? skip_alternative(p) : parse_sum(p, term)) || !expect_char(p, ',') ||
        !(known > 0 ? skip_alternative(p) : parse_sum(p, known < 0 ? term : &otherwise)) ||
        !expect_char(p, ')'))
        return false;
    if (known != 0) return true;
    if (!same_units(p, start, "the alternatives", term, &otherwise)) return false;
    if (term->dimension.any) term->dimension = otherwise.dimension;
    return apply_operation(p, term, IC_OP_CHOOSE, condition, term->node, otherwise.node);
}

/* Dimension of the value of a function, from the dimensions of its arguments. */
static bool check_call(const formula_parser *p, const char *start, ic_operation operation, ic_term *a,
                       const ic_term *b)
{
    const char *word = ic_operation_word(operation);
    static const ic_dimension none = {.any = false};
    char what[64];
    snprintf(what, sizeof what, "the argument of %s", word);
    switch (operation) {
    case IC_OP_SQRT: a->dimension = ic_dimension_power(&a->dimension, 0.5); return true;
    case IC_OP_CBRT: a->dimension = ic_dimension_power(&a->dimension, 1.0 / 3); return true;
    case IC_OP_ABS: return true;
    case IC_OP_SIGN:
    case IC_OP_STEP: a->dimension = none; return true;
    case IC_OP_MIN:
    case IC_OP_MAX:
    case IC_OP_ATAN2:
        if (!same_units(p, start, word, a, b)) return false;
        if (a->dimension.any) a->dimension = b->dimension;
        if (operation == IC_OP_ATAN2) a->dimension = none;
        return true;
    default:
        if (!without_unit(p, start, what, a)) return false;
        a->dimension = none;
        return true;
    }
}

/* Reads a number of a built-in table: cantilever_A(r, j). */
static bool parse_constant(formula_parser *p, const ic_constants *table, ic_term *term)
{
    int index[2] = {0, 0};
    char digits[80];
    *term = (ic_term){.node = IC_NO_NODE};
    for (int i = 0; i < table->indices; i++) {
        p->at = ic_after_space(p->at);
        const char *start = p->at;
        if ((i > 0 && !expect_char(p, ',')) || !parse_integer_sum(p, &index[i])) return false;
        if (index[i] < 1 || index[i] > table->last)
            return ic_fault_add(p->scope->faults, place_at(p, start), "'%s' has the indices 1 to %d, not %d",
                                table->name, table->last, index[i]);
    }
    if (!expect_char(p, ')')) return false;
    /* The name after the digits is the exact value, for certification. Tables with two indices are symmetric. */
    if (table->indices > 1 && index[0] < index[1]) {
        const int larger = index[1];
        index[1] = index[0];
        index[0] = larger;
    }
    const double value = ic_constants_value(table, index[0], index[1]);
    const int length = snprintf(digits, sizeof digits, "%.17g %s(%d", fabs(value), table->name, index[0]);
    if (table->indices > 1) snprintf(digits + length, sizeof digits - (size_t)length, ", %d)", index[1]);
    else snprintf(digits + length, sizeof digits - (size_t)length, ")");
    const ic_node number = ic_graph_number(p->scope->graph, digits);
    if (value >= 0) return set_node(p, term, number);
    return apply_operation(p, term, IC_OP_NEGATE, number, IC_NO_NODE, IC_NO_NODE);
}

static bool parse_call(formula_parser *p, const char *word, ic_term *term)
{
    const ic_constants *table = ic_constants_find(word);
    if (table != NULL) return parse_constant(p, table, term);
    if (strcmp(word, "sum") == 0) return parse_family_sum(p, term);
    if (strcmp(word, "where") == 0) return parse_where(p, term);
    const int operation = ic_operation_find(word);
    p->at = ic_after_space(p->at);
    const char *start = p->at;
    ic_term second = {.node = IC_NO_NODE};
    if (!parse_sum(p, term)) return false;
    if (ic_operation_operands((ic_operation)operation) == 2 && (!expect_char(p, ',') || !parse_sum(p, &second)))
        return false;
    if (!expect_char(p, ')')) return false;
    return check_call(p, start, (ic_operation)operation, term, &second) &&
           apply_operation(p, term, (ic_operation)operation, term->node, second.node, IC_NO_NODE);
}

/* ---- atoms */

static bool parse_number(formula_parser *p, ic_term *term)
{
    const char *end = p->at;
    char digits[128];
    while (isdigit((unsigned char)*end)) end++;
    if (*end == '.' && end[1] != '.') { /* 1..N is a range */
        end++;
        while (isdigit((unsigned char)*end)) end++;
    }
    end = ic_after_exponent(end);
    const size_t length = (size_t)(end - p->at);
    if (length >= sizeof digits) return refuse_formula(p, "the number has too many digits");
    if (length == 0 || (length == 1 && *p->at == '.')) return refuse_formula(p, "expected a number");
    memcpy(digits, p->at, length);
    digits[length] = '\0';
    const double value = strtod(digits, NULL);
    if (!isfinite(value)) return refuse_formula(p, "the number exceeds the range of double precision");
    p->at = end;
    *term = (ic_term){.dimension = {.any = value == 0}};
    return set_node(p, term, ic_graph_number(p->scope->graph, digits));
}

static bool parse_name(formula_parser *p, ic_term *term)
{
    char name[MOST_NAME];
    const char *start = p->at;
    if (!parse_word(p, name, true)) return false;
    if (ic_accept_char(&p->at, '(')) {
        if (is_function(name)) return parse_call(p, name, term);
        p->at = start;
        if (strcmp(name, "if") == 0)
            return refuse_formula(p, "'if' is not a function: write where(condition, a, b)");
        return ic_fault_add(p->scope->faults, place_at(p, start),
                            "'%s' is not a function; for a product write %s*(...)", name, name);
    }
    return parse_indices(p, name) && parse_part(p, name) && find_name(p, start, name, term);
}

/* Whether a number is followed by a space and a word: "10 s", "10 1/s". */
static bool unit_follows(formula_parser *p, const ic_term *term)
{
    p->at = ic_after_space(p->at);
    const bool joins = strncmp(p->at, "and ", 4) == 0 || strncmp(p->at, "or ", 3) == 0;
    const bool unit = isalpha((unsigned char)*p->at) || strncmp(p->at, "1/", 2) == 0;
    return unit && !joins && p->at > p->source->text && p->at[-1] == ' ' &&
           p->scope->graph->nodes[term->node].varies == 0 && ic_dimension_is_none(&term->dimension);
}

/* Converts a number with a unit to SI units. Its exact text is read instead of the original one. */
static bool convert_unit(formula_parser *p, ic_term *term, const ic_unit *unit, const char *name)
{
    ic_graph *g = p->scope->graph;
    ic_error error;
    const ic_node plain = term->node;
    const bool negative = g->nodes[plain].operation == IC_OP_NEGATE;
    const ic_node number = negative ? g->nodes[plain].a : plain;
    const bool literal = g->nodes[number].operation == IC_OP_NUMBER;
    const char *text = ic_unit_convert(g->arena, literal ? g->nodes[number].text : "1", unit, name, &error);
    if (text == NULL)
        return error.text[0] == '\0' ? graph_full(p)
                                     : ic_fault_add(p->scope->faults, place_at(p, p->at), "%s", error.text);
    const ic_yaml converted = {.kind = IC_YAML_SCALAR, .place = place_at(p, p->at), .text = text};
    if (!ic_formula_read(term, &converted, p->scope)) return false;
    if (!literal) return apply_operation(p, term, IC_OP_MULTIPLY, plain, term->node, IC_NO_NODE);
    return !negative || apply_operation(p, term, IC_OP_NEGATE, term->node, IC_NO_NODE, IC_NO_NODE);
}

static bool read_unit(formula_parser *p, ic_term *term, const char *text)
{
    ic_unit unit;
    ic_error error;
    size_t offset = 0;
    if (!ic_unit_read(&unit, text, NULL, NULL, &offset, &error)) {
        const char *number = p->at;
        while (number > p->source->text && strchr("0123456789. ", number[-1]) != NULL) number--;
        const int length = (int)strcspn(number, "*(+");
        return ic_fault_add(
            p->scope->faults, place_at(p, p->at),
            "text follows the end of the formula; within a formula, put a number and its unit in "
            "brackets: (%.*s)%s%s",
            length, number, strchr(text, '(') != NULL ? "" : "; ", strchr(text, '(') != NULL ? "" : error.text);
    }
    if (unit.factor != 1 && !convert_unit(p, term, &unit, text)) return false;
    term->dimension = unit.dimension;
    return true;
}

/*
 * Reads a number with a unit in brackets: (7800 kg/m^3). The unit ends before the closing bracket.
 */
static bool read_unit_within(formula_parser *p, ic_term *term)
{
    char unit[MOST_NAME];
    size_t length = 0;
    for (int open = 0; p->at[length] != '\0' && (open > 0 || p->at[length] != ')'); length++)
        open += p->at[length] == '(' ? 1 : p->at[length] == ')' ? -1 : 0;
    if (p->at[length] == '\0') return refuse_formula_at(p, p->at + length, "expected ')'");
    if (length >= sizeof unit) return refuse_formula(p, "the unit is too long");
    memcpy(unit, p->at, length);
    unit[length] = '\0';
    if (!read_unit(p, term, unit)) return false;
    p->at += length;
    return true;
}

static bool parse_atom(formula_parser *p, ic_term *term)
{
    bool good = false, juxtaposed = false;
    if (++p->depth > MOST_DEPTH) return refuse_formula(p, "nested too deeply");
    if (--*p->scope->work < 0)
        return refuse_formula(p, "the formulas up to here have too many members: numbers and names, "
                                 "those of families and sums one by one");
    p->at = ic_after_space(p->at);
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        ic_term factor = {0};
        if (!parse_number(p, &factor)) return false;
        *term = factor;
        good = true;
        if (isalpha((unsigned char)*p->at) || *p->at == '(') { /* 80pi, 2(1 + e) */
            good = parse_power(p, term) &&
                   apply_operation(p, term, IC_OP_MULTIPLY, factor.node, term->node, IC_NO_NODE);
            juxtaposed = true;
        }
    } else if (isalpha((unsigned char)*p->at)) {
        good = parse_name(p, term);
    } else if (ic_accept_char(&p->at, '(')) {
        good =
            parse_sum(p, term) && (!unit_follows(p, term) || read_unit_within(p, term)) && expect_char(p, ')');
    } else {
        good = refuse_formula(p, *p->at == '\0' ? "the text ends where a number or a name is expected"
                                                : "expected a number or a name");
    }
    p->depth--;
    p->juxtaposed = juxtaposed;
    return good;
}

/* Reads the exponent after '^': a constant without unit. */
static bool parse_exponent(formula_parser *p, ic_term *base)
{
    ic_term exponent = {0};
    p->at = ic_after_space(p->at);
    const char *start = p->at;
    const bool negative = ic_accept_char(&p->at, '-');
    if (!parse_atom(p, &exponent)) return false;
    if (p->juxtaposed) return refuse_formula_at(p, start, "an exponent such as 2pi is ambiguous: write ^(2pi)");
    const ic_graph_node *node = &p->scope->graph->nodes[exponent.node];
    if (node->varies != 0)
        return refuse_formula_at(p, start, "an exponent must be constant: use exp(b*log(a))");
    if (!without_unit(p, start, "an exponent", &exponent)) return false;
    if (negative && !apply_operation(p, &exponent, IC_OP_NEGATE, exponent.node, IC_NO_NODE, IC_NO_NODE))
        return false;
    if (!ic_dimension_is_none(&base->dimension)) {
        const double power = p->scope->constant(exponent.node, p->scope->context);
        if (!isfinite(power)) return refuse_formula_at(p, start, "the value of the exponent is not known here");
        base->dimension = ic_dimension_power(&base->dimension, power);
    }
    return apply_operation(p, base, IC_OP_POWER, base->node, exponent.node, IC_NO_NODE);
}

static bool parse_power(formula_parser *p, ic_term *term)
{
    if (ic_accept_char(&p->at, '-')) {
        if (++p->depth > MOST_DEPTH) return refuse_formula(p, "nested too deeply");
        const bool good =
            parse_power(p, term) && apply_operation(p, term, IC_OP_NEGATE, term->node, IC_NO_NODE, IC_NO_NODE);
        p->depth--;
        return good;
    }
    if (!parse_atom(p, term)) return false;
    return !ic_accept_char(&p->at, '^') || parse_exponent(p, term);
}

static bool parse_product(formula_parser *p, ic_term *term)
{
    if (!parse_power(p, term)) return false;
    for (;;) {
        const bool times = ic_accept_char(&p->at, '*');
        if (!times && !ic_accept_char(&p->at, '/')) return true;
        if (times && *p->at == '*') return refuse_formula_at(p, p->at - 1, "'**' is not an operator: write ^");
        ic_term right = {0};
        p->at = ic_after_space(p->at);
        const char *start = p->at;
        if (!parse_power(p, &right)) return false;
        if (!times && p->juxtaposed)
            return refuse_formula_at(p, start, "a divisor such as 2pi is ambiguous: write /(2pi)");
        if (!times && ic_graph_is(p->scope->graph, right.node, 0))
            return refuse_formula_at(p, start, "division by zero");
        term->dimension = ic_dimension_product(&term->dimension, &right.dimension, times ? 1 : -1);
        if (!apply_operation(p, term, times ? IC_OP_MULTIPLY : IC_OP_DIVIDE, term->node, right.node,
                             IC_NO_NODE))
            return false;
    }
}

static bool parse_sum(formula_parser *p, ic_term *term)
{
    if (!parse_product(p, term)) return false;
    for (;;) {
        const bool plus = ic_accept_char(&p->at, '+');
        if (!plus && !ic_accept_char(&p->at, '-')) return true;
        ic_term right = {0};
        p->at = ic_after_space(p->at);
        const char *start = p->at;
        if (!parse_product(p, &right)) return false;
        if (!ic_dimensions_equal(&term->dimension, &right.dimension) && unit_follows(p, &right))
            return ic_fault_add(p->scope->faults, place_at(p, start),
                                "within a formula, put a number and its unit in brackets: (%.*s)",
                                (int)(p->at - start + (ptrdiff_t)strcspn(p->at, " )+-")), start);
        if (!same_units(p, start, plus ? "a sum" : "a difference", term, &right)) return false;
        if (term->dimension.any) term->dimension = right.dimension;
        if (!apply_operation(p, term, plus ? IC_OP_ADD : IC_OP_SUBTRACT, term->node, right.node, IC_NO_NODE))
            return false;
    }
}

/* ---- conditions: nodes that are > 0 where the condition holds */

/*
 * The condition a = b: exact for parameters; for discrete states a and b may differ by less than
 * 1/2, because solvers may round them.
 */
static ic_node equal_node(ic_graph *g, ic_node difference)
{
    const ic_node apart = ic_graph_one(g, IC_OP_ABS, difference), one = ic_graph_integer(g, 1);
    if (apart < 0) return IC_NO_NODE;
    if (g->nodes[apart].varies == 0)
        return ic_graph_apply(g, IC_OP_CHOOSE, apart, ic_graph_integer(g, -1), one);
    return ic_graph_two(g, IC_OP_SUBTRACT, one, ic_graph_two(g, IC_OP_MULTIPLY, ic_graph_integer(g, 2), apart));
}

/*
 * Whether a difference is known in this case: it consists of numbers, or of indices and sizes of families, whose
 * comparison selects an alternative for a member.
 */
static bool is_known(const formula_parser *p, ic_node difference, double *value)
{
    const ic_graph_node is = p->scope->graph->nodes[difference];
    const bool number =
        is.operation == IC_OP_NUMBER ||
        (is.operation == IC_OP_NEGATE && p->scope->graph->nodes[is.a].operation == IC_OP_NUMBER);
    if ((!number && !p->index_read) || p->scope->fixed == NULL) return false;
    return p->scope->fixed(value, difference, p->scope->context);
}

/* The condition a = b, which compares indices, parameters or discrete states. */
static bool compare_equality(formula_parser *p, const char *sign, ic_node difference, ic_node *node)
{
    const ic_graph *g = p->scope->graph;
    if (g->nodes[difference].varies != 0 &&
        (p->scope->discrete == NULL || !p->scope->discrete(difference, p->scope->context)))
        return refuse_formula_at(
            p, sign,
            "'=' compares indices, parameters and discrete states only: quantities that vary "
            "are hardly ever equal");
    *node = equal_node(p->scope->graph, difference);
    return *node >= 0 || graph_full(p);
}

static bool parse_comparison(formula_parser *p, ic_node *node)
{
    ic_term left = {0}, right = {0};
    ic_graph *g = p->scope->graph;
    double value = 0;
    p->index_read = false;
    if (!parse_sum(p, &left)) return false;
    p->at = ic_after_space(p->at);
    const char *sign = p->at;
    const bool equal = ic_accept_char(&p->at, '='), less = !equal && ic_accept_char(&p->at, '<');
    if (!equal && !less && !ic_accept_char(&p->at, '>'))
        return refuse_formula(p, "expected a comparison: <, <=, > or >=");
    const bool or_equal = !equal && *p->at == '=';
    if (or_equal) p->at++;
    if (!parse_sum(p, &right) || !same_units(p, sign, "a comparison", &left, &right)) return false;
    /* a >= b is the negation of b - a > 0. */
    const bool turned = !equal && less != or_equal;
    const ic_node difference = turned ? ic_graph_two(g, IC_OP_SUBTRACT, right.node, left.node)
                                      : ic_graph_two(g, IC_OP_SUBTRACT, left.node, right.node);
    if (difference < 0) return graph_full(p);
    *node = difference;
    if (is_known(p, difference, &value))
        *node = ic_graph_integer(g, (equal ? value == 0 : or_equal ? value <= 0 : value > 0) ? 1 : -1);
    else if (equal) return compare_equality(p, sign, difference, node);
    else if (or_equal)
        *node = ic_graph_apply(g, IC_OP_CHOOSE, difference, ic_graph_integer(g, -1), ic_graph_integer(g, 1));
    return *node >= 0 || graph_full(p);
}

/* Whether the bracket that opens here encloses a condition. Otherwise it belongs to a sum. */
static bool condition_in_brackets(const formula_parser *p)
{
    formula_parser end = *p;
    int open = 0;
    end.at = ic_after_space(end.at);
    if (*end.at != '(') return false;
    do open += *end.at == '(' ? 1 : *end.at == ')' ? -1 : 0;
    while (*end.at++ != '\0' && open > 0);
    if (open > 0) return false;
    end.at = ic_after_space(end.at);
    return strchr("),", *end.at) != NULL || accept_word(&end, "and") || accept_word(&end, "or");
}

static bool parse_single(formula_parser *p, ic_node *node)
{
    if (!condition_in_brackets(p)) return parse_comparison(p, node);
    if (++p->depth > MOST_DEPTH) return refuse_formula(p, "nested too deeply");
    const bool good = ic_accept_char(&p->at, '(') && parse_condition(p, node) && expect_char(p, ')');
    p->depth--;
    return good;
}

static bool join_operand(const formula_parser *p, ic_operation operation, ic_node *node, ic_node right)
{
    int known = known_outcome(p->scope->graph, *node);
    if (known == 0 && (known = known_outcome(p->scope->graph, right)) != 0) {
        const ic_node open = *node;
        *node = right;
        right = open;
    }
    if (known == 0) *node = ic_graph_two(p->scope->graph, operation, *node, right);
    else if ((known > 0) == (operation == IC_OP_MIN)) *node = right;
    return *node >= 0 || graph_full(p);
}

/* Reads operands that a word joins. */
static bool parse_joined(formula_parser *p, ic_node *node, bool (*parse)(formula_parser *p, ic_node *node),
                         const char *word, ic_operation operation)
{
    ic_node right = IC_NO_NODE;
    if (!parse(p, node)) return false;
    while (accept_word(p, word)) {
        if (!parse(p, &right) || !join_operand(p, operation, node, right)) return false;
    }
    return true;
}

static bool parse_conjunction(formula_parser *p, ic_node *node)
{
    return parse_joined(p, node, parse_single, "and", IC_OP_MIN);
}

static bool parse_condition(formula_parser *p, ic_node *node)
{
    return parse_joined(p, node, parse_conjunction, "or", IC_OP_MAX);
}

/* ---- whole texts */

static bool open_parser(formula_parser *p, const ic_yaml *text, const ic_scope *scope)
{
    *p = (formula_parser){
        .source = text, .at = text->text, .scope = scope, .indices = scope->indices, .depth = *scope->depth};
    if (text->kind == IC_YAML_SCALAR) return true;
    return ic_fault_add(scope->faults, text->place, "expected a formula, not a list or a mapping");
}

/* Reads the unit at the end of a text that is a number: 2 s, 0 m/s^2. */
static bool finish_formula(formula_parser *p, ic_term *term)
{
    p->at = ic_after_space(p->at);
    if (*p->at == '\0') return true;
    if (term != NULL && unit_follows(p, term)) return read_unit(p, term, p->at);
    return refuse_formula(p, "text follows the end of the formula");
}

bool ic_formula_read(ic_term *term, const ic_yaml *text, const ic_scope *scope)
{
    formula_parser p;
    return open_parser(&p, text, scope) && parse_sum(&p, term) && finish_formula(&p, term);
}

bool ic_formula_read_as(ic_node *node, const ic_yaml *text, const ic_dimension *dimension, const char *what,
                        const ic_scope *scope)
{
    char wanted[IC_DIMENSION_TEXT], given[IC_DIMENSION_TEXT];
    ic_term term = {0};
    *node = IC_NO_NODE;
    if (!ic_formula_read(&term, text, scope)) return false;
    const ic_graph_node *node_read = &scope->graph->nodes[term.node];
    if (node_read->operation == IC_OP_NEGATE) node_read = &scope->graph->nodes[node_read->a];
    const bool number = node_read->operation == IC_OP_NUMBER;
    if (number && !ic_dimensions_equal(&term.dimension, dimension) && ic_dimension_is_none(&term.dimension))
        return ic_fault_add(scope->faults, text->place, "units: %s is in %s: write %s %s", what,
                            ic_dimension_text(wanted, dimension), text->text,
                            ic_dimension_text(given, dimension));
    if (!ic_dimensions_equal(&term.dimension, dimension))
        return ic_fault_add(scope->faults, text->place, "units differ: %s is in %s, but this is in %s", what,
                            ic_dimension_text(wanted, dimension), ic_dimension_text(given, &term.dimension));
    *node = term.node;
    return true;
}

bool ic_condition_read(ic_node *node, const ic_yaml *text, const ic_scope *scope)
{
    formula_parser p;
    *node = IC_NO_NODE;
    return open_parser(&p, text, scope) && parse_condition(&p, node) && finish_formula(&p, NULL);
}

bool ic_family_read(const char **name, int *first, int *last, const ic_yaml *text, const ic_scope *scope)
{
    formula_parser p;
    char word[MOST_NAME];
    if (!open_parser(&p, text, scope) || !accept_word(&p, "for") || !parse_word(&p, word, false)) return false;
    if (!accept_word(&p, "in")) return refuse_formula(&p, "expected 'in': for i in 1..N");
    if (!parse_integer_sum(&p, first)) return false;
    p.at = ic_after_space(p.at);
    if (strncmp(p.at, "..", 2) != 0) return refuse_formula(&p, "expected '..': for i in 1..N");
    p.at += 2;
    if (!parse_integer_sum(&p, last) || !finish_formula(&p, NULL)) return false;
    if (*last - *first >= MOST_FAMILY)
        return refuse_formula_at(&p, text->text, "the family has more than 1000 members");
    *name = ic_arena_copy(scope->graph->arena, word, strlen(word));
    return *name != NULL;
}

const char *ic_name_read(const ic_yaml *text, const ic_scope *scope)
{
    formula_parser p;
    char name[MOST_NAME];
    if (!open_parser(&p, text, scope) || !parse_word(&p, name, false) || !parse_indices(&p, name) ||
        !finish_formula(&p, NULL))
        return NULL;
    return ic_arena_copy(scope->graph->arena, name, strlen(name));
}

const char *ic_indexed_text(const ic_yaml *text, const ic_scope *scope)
{
    formula_parser p;
    char name[MOST_NAME] = "";
    if (!open_parser(&p, text, scope)) return NULL;
    while (*p.at != '\0') {
        const size_t length = strlen(name);
        if (*p.at == '[') {
            if (!parse_indices(&p, name)) return NULL;
        } else if (length + 1 == MOST_NAME) {
            refuse_formula(&p, "the name is too long");
            return NULL;
        } else {
            name[length] = *p.at++;
            name[length + 1] = '\0';
        }
    }
    return ic_arena_copy(scope->graph->arena, name, strlen(name));
}
