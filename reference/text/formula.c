/* SPDX-License-Identifier: MIT */
/*
 * Formulas (docs/case-files.md, "Formulas").
 *
 *     condition:  all {or all}                    all: single {and single}      single: comparison | (condition)
 *     comparison: sum (<|<=|>|>=|=) sum
 *     sum:        product {(+|-) product}         product: power {(*|/) power}
 *     power:      -power | atom [^ [-] atom]
 *     atom:       number [power] | name | function(arguments) | (sum [unit])
 *     unit:       power {[* or /] power}, of names of units, with exponents that are atoms
 */
#include "reference/text/reader.h"

#include <ctype.h>
#include <fmpq.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    DEEPEST = 200,
    LONGEST_NAME = 64,
    MOST_MEMBERS = 1000,
    MOST_ATOMS = 1000000,
    MOST_ENTRIES = 3000,
    MOST = 1000000
};

typedef struct formula {
    ic_text_reader *r;
    const char *text, *at;
    const ic_text_index *indices;

    /* the last atom was a product without an operator, 80pi */
    bool juxtaposed;

    /* an index was read as a number */
    bool index_read;

    /* names are those of units, and a space between them multiplies */
    bool units;
} formula;

__attribute__((noreturn)) static void refuse_here(const formula *f, const char *what)
{
    ic_text_refuse(f->r, "'%.80s', at '%.40s': %s", f->text, f->at, what);
}

static void skip_space(formula *f)
{
    while (*f->at == ' ' || (*f->at >= '\t' && *f->at <= '\r')) f->at++;
}

static bool accept(formula *f, char c)
{
    skip_space(f);
    if (*f->at != c) return false;
    f->at++;
    return true;
}

static void expect(formula *f, char c)
{
    if (!accept(f, c)) refuse_here(f, c == ')' ? "expected ')'" : c == ']' ? "expected ']'" : "expected ','");
}

static bool is_letter(char c)
{
    return isalpha((unsigned char)c) != 0;
}

static bool is_name(char c)
{
    return isalnum((unsigned char)c) != 0 || c == '_';
}

static bool accept_word(formula *f, const char *word)
{
    const size_t n = strlen(word);
    skip_space(f);
    if (strncmp(f->at, word, n) != 0 || is_name(f->at[n])) return false;
    f->at += n;
    return true;
}

static void enter(const formula *f)
{
    if (++f->r->depth > DEEPEST) refuse_here(f, "nested too deeply");
    if (++f->r->work > MOST_ATOMS) refuse_here(f, "the formulas are too long");
}

static ic_text_node apply(const formula *f, ic_text_operation operation, ic_text_node a, ic_text_node b)
{
    return ic_text_apply(f->r, operation, a, b, IC_TEXT_NONE);
}

/* ---- indices: integers */

/* Exact value of a node of numbers and parameters that are known; false: it is not known. */
static bool find_exact(const ic_text_reader *r, fmpq_t value, ic_text_node node, int depth)
{
    const ic_text_term *t = r->terms + node;
    if (depth > 20) return false;
    if (t->operation == IC_TEXT_NUMBER) {
        fmpq_set(value, t->number);
        return true;
    }
    if (t->operation == IC_TEXT_PARAMETER) {
        const ic_text_parameter *p = r->parameters + t->index;
        if (r->problem == NULL) return p->value >= 0 && find_exact(r, value, p->value, depth + 1);
        const double number = ic_text_value_of_problem(r->problem, p->name);
        const bool whole = number == rint(number) && fabs(number) <= MOST;
        if (whole) fmpq_set_si(value, (slong)number, 1);
        return whole;
    }
    if (t->a < 0 || t->c >= 0) return false;
    fmpq_t left, right;
    fmpq_init(left);
    fmpq_init(right);
    const bool good = find_exact(r, left, t->a, depth + 1) &&
                      (t->b < 0 || find_exact(r, right, t->b, depth + 1)) &&
                      ic_text_fold(value, t->operation, left, t->b < 0 ? NULL : right);
    fmpq_clear(left);
    fmpq_clear(right);
    return good;
}

static ic_text_node read_sum(formula *f);

static void read_word(formula *f, char word[LONGEST_NAME], bool dots)
{
    size_t n = 0;
    skip_space(f);
    if (!is_letter(*f->at)) refuse_here(f, "expected a name");
    while (is_name(f->at[n]) || (dots && f->at[n] == '.' && is_letter(f->at[n + 1]))) n++;
    if (n >= LONGEST_NAME) refuse_here(f, "the name is too long");
    memcpy(word, f->at, n);
    word[n] = '\0';
    f->at += n;
}

/* An index or a size: a formula whose value is a known integer. */
static long read_integer(formula *f)
{
    const bool index_read = f->index_read;
    const ic_text_node node = read_sum(f);
    fmpq_t exact;
    fmpq_init(exact);
    const bool known = find_exact(f->r, exact, node, 0) && fmpz_is_one(fmpq_denref(exact)) &&
                       fmpz_cmp_si(fmpq_numref(exact), MOST) <= 0 &&
                       fmpz_cmp_si(fmpq_numref(exact), -MOST) >= 0;
    const long value = known ? fmpz_get_si(fmpq_numref(exact)) : 0;
    fmpq_clear(exact);
    f->index_read = index_read;
    if (!known) refuse_here(f, "the index before this is not a known integer");
    return value;
}

/* Appends [i, j] to a name, as x1_2. */
static void read_indices(formula *f, char name[LONGEST_NAME])
{
    const char *separator = "";
    if (*f->at != '[') return;
    f->at++;
    do {
        const long value = read_integer(f);
        const size_t n = strlen(name);
        if (value < 0) refuse_here(f, "the index is negative");
        if (snprintf(name + n, LONGEST_NAME - n, "%s%ld", separator, value) >= (int)(LONGEST_NAME - n))
            refuse_here(f, "the name is too long");
        separator = "_";
    } while (accept(f, ','));
    expect(f, ']');
}

/* Reads first..last. */
static void read_range(formula *f, long *first, long *last)
{
    *first = read_integer(f);
    skip_space(f);
    if (strncmp(f->at, "..", 2) != 0) refuse_here(f, "expected '..'");
    f->at += 2;
    *last = read_integer(f);
    if (*last - *first >= MOST_MEMBERS) refuse_here(f, "the family has too many members");
}

/* ---- names */

ic_text_item *ic_text_find(ic_text_list list, const char *name)
{
    for (size_t i = 0; i < list.n; i++) {
        // cppcheck-suppress returnDanglingLifetime ; items outlive the list
        if (strcmp(list.items[i].name, name) == 0) return &list.items[i];
    }
    return NULL;
}

static ic_text_node use_definition(const formula *f, ic_text_item *d)
{
    if (d->open) refuse_here(f, "a definition depends on itself");
    if (d->scope == f->r->scope) return d->node;
    d->open = true;
    d->node = ic_text_read_formula(f->r, d->value, d->indices);
    d->open = false;
    d->scope = f->r->scope;
    return d->node;
}

static ic_text_node find_element(const formula *f, const char *name, const char *dot)
{
    char element[LONGEST_NAME];
    ic_text_reader *r = f->r;
    if (strncmp(name, "law.", 4) == 0 && r->machine.on_law) return ic_text_leaf(r, IC_TEXT_LAW, 0);
    snprintf(element, sizeof element, "%.*s", (int)(dot - name), name);
    const ic_text_item *found = ic_text_find(r->elements, element);
    if (found == NULL || strcmp(dot, ".force") != 0) refuse_here(f, "unknown quantity before this");
    return ic_text_leaf(r, IC_TEXT_FORCE, (int)(found - r->elements.items));
}

static ic_text_node find_name(formula *f, const char *name)
{
    ic_text_reader *r = f->r;
    const bool states = r->use == IC_TEXT_USE_STATES, starts = r->use == IC_TEXT_USE_STARTS;
    if (strcmp(name, "pi") == 0) return ic_text_leaf(r, IC_TEXT_PI, 0);
    for (const ic_text_index *i = f->indices; i != NULL; i = i->outer) {
        if (strcmp(i->name, name) != 0) continue;
        f->index_read = true;
        return ic_text_integer(r, i->value);
    }
    if (strcmp(name, "t") == 0 && (states || starts)) return ic_text_leaf(r, IC_TEXT_TIME, 0);
    if (strcmp(name, "n") == 0 && r->use == IC_TEXT_USE_COUNT) return ic_text_leaf(r, IC_TEXT_COUNT, 0);
    if (strchr(name, '.') != NULL) return find_element(f, name, strchr(name, '.'));
    const int state = ic_text_find_state(&r->machine, name);
    if (state >= 0 && starts) return r->states[state].start;
    if (state >= 0 && states) return ic_text_leaf(r, IC_TEXT_STATE, state);
    const ic_text_item *element = ic_text_find(r->elements, name);
    if (element != NULL && states) return ic_text_leaf(r, IC_TEXT_ELEMENT, (int)(element - r->elements.items));
    if (element != NULL && starts) return ic_text_integer(r, 0);
    ic_text_item *d = ic_text_find(r->mode_definitions, name);
    if (d == NULL) d = ic_text_find(r->definitions, name);
    if (d != NULL) return use_definition(f, d);
    const int parameter = ic_text_find_parameter(&r->machine, name);
    if (parameter < 0) ic_text_refuse(r, "'%.80s': unknown name '%s'", f->text, name);
    return ic_text_leaf(r, IC_TEXT_PARAMETER, parameter);
}

/* ---- functions */

static ic_text_node read_power(formula *f);
static ic_text_node read_product(formula *f);
static ic_text_node read_condition(formula *f);

/* sum(i in 1..N, x[i]), or sum(i, x[i]) with an index of the section `indices` */
static ic_text_node read_family_sum(formula *f)
{
    char word[LONGEST_NAME];
    long first = 0, last = 0;
    read_word(f, word, false);
    if (accept_word(f, "in")) {
        read_range(f, &first, &last);
    } else {
        const ic_text_tree *range = ic_text_get(ic_text_get(f->r->root, "indices"), word);
        if (range == NULL || range->text == NULL) refuse_here(f, "the index has no range");
        formula of_range = {.r = f->r, .text = range->text, .at = range->text};
        read_range(&of_range, &first, &last);
    }
    expect(f, ',');
    ic_text_node total = ic_text_integer(f->r, 0);
    const ic_text_index *outer = f->indices;
    const char *body = f->at;
    for (long i = first; i == first || i <= last; i++) { /* an empty sum is read once, to find its end */
        const ic_text_index index = {word, i, outer};
        f->indices = &index;
        f->at = body;
        const ic_text_node member = read_sum(f);
        if (last >= first) total = apply(f, IC_TEXT_ADD, total, member);
    }
    f->indices = outer;
    expect(f, ')');
    return total;
}

/* Passes over an alternative that is not taken: its members need not exist. */
static void skip_alternative(formula *f)
{
    for (int open = 0; *f->at != '\0' && (open > 0 || strchr(",)]", *f->at) == NULL); f->at++)
        open += *f->at == '(' || *f->at == '[' ? 1 : *f->at == ')' || *f->at == ']' ? -1 : 0;
}

static ic_text_node read_where(formula *f)
{
    const ic_text_node condition = read_condition(f);
    const ic_text_operation known = f->r->terms[condition].operation;
    ic_text_node yes = IC_TEXT_NONE, no = IC_TEXT_NONE;
    expect(f, ',');
    if (known == IC_TEXT_FALSE) skip_alternative(f);
    else yes = read_sum(f);
    expect(f, ',');
    if (known == IC_TEXT_TRUE) skip_alternative(f);
    else no = read_sum(f);
    expect(f, ')');
    return ic_text_apply(f->r, IC_TEXT_WHERE, condition, yes, no);
}

const char *const ic_text_tables[5] = {"cantilever_lambda", "cantilever_sigma", "cantilever_gamma",
                                       "cantilever_A", "cantilever_B"};

static ic_text_node read_table(formula *f, int table)
{
    const int indices = table < 3 ? 1 : 2;
    long i[2] = {1, 1};
    for (int k = 0; k < indices; k++) {
        if (k > 0) expect(f, ',');
        i[k] = read_integer(f);
        if (i[k] < 1 || i[k] > 16) refuse_here(f, "the table has the indices 1 to 16");
    }
    expect(f, ')');
    return ic_text_leaf(f->r, IC_TEXT_TABLE, 10000 * table + (int)(100 * i[0] + i[1]));
}

static ic_text_node read_call(formula *f, const char *word)
{
    static const char *const names[] = {"atan2", "min",  "max",  "",    "sqrt", "cbrt", "exp",
                                        "log",   "sin",  "cos",  "tan", "asin", "acos", "atan",
                                        "sinh",  "cosh", "tanh", "abs", "sign", "step"}; /* from ATAN2 on */
    if (strcmp(word, "sum") == 0) return read_family_sum(f);
    if (strcmp(word, "where") == 0) return read_where(f);
    for (int i = 0; i < 5; i++) {
        if (strcmp(word, ic_text_tables[i]) == 0) return read_table(f, i);
    }
    for (int i = 0; i < (int)(sizeof names / sizeof *names); i++) {
        if (strcmp(names[i], word) != 0) continue;
        const ic_text_node a = read_sum(f);
        if (i < 3) expect(f, ',');
        const ic_text_node b = i < 3 ? read_sum(f) : IC_TEXT_NONE;
        expect(f, ')');
        return apply(f, (ic_text_operation)(IC_TEXT_ATAN2 + i), a, b);
    }
    refuse_here(f, "there is no such function before this");
}

/* ---- atoms */

static ic_text_node read_number(formula *f)
{
    fmpq_t value, ten;
    long decimals = 0, exponent = 0;
    const char *start = f->at;
    fmpq_init(value);
    fmpq_init(ten);
    fmpq_set_si(ten, 10, 1);
    for (bool point = false; f->at - start < 128; f->at++) {
        if (isdigit((unsigned char)*f->at)) {
            fmpz_mul_ui(fmpq_numref(value), fmpq_numref(value), 10);
            fmpz_add_ui(fmpq_numref(value), fmpq_numref(value), (ulong)(*f->at - '0'));
            decimals += point;
        } else if (*f->at == '.' && !point && f->at[1] != '.') {
            point = true;
        } else {
            break;
        }
    }
    const char *mantissa = f->at;
    if (*f->at == 'e' || *f->at == 'E') {
        const size_t sign = f->at[1] == '+' || f->at[1] == '-' ? 2 : 1;
        if (isdigit((unsigned char)f->at[sign])) exponent = strtol(f->at + 1, (char **)&f->at, 10);
    }
    const bool good =
        mantissa - start < 128 && exponent <= 400 && exponent >= -400 && mantissa - start > (*start == '.');
    if (good) {
        fmpq_pow_si(ten, ten, exponent - decimals);
        fmpq_mul(value, value, ten);
    }
    const ic_text_node node = good ? ic_text_number(f->r, value) : IC_TEXT_NONE;
    fmpq_clear(value);
    fmpq_clear(ten);
    if (!good) refuse_here(f, "expected a number of at most 127 digits");
    return node;
}

/* Whether a number of a formula is followed by a space and a unit. */
static bool unit_follows(formula *f, ic_text_node node)
{
    skip_space(f);
    if (strncmp(f->at, "and ", 4) == 0 || strncmp(f->at, "or ", 3) == 0 || f->at == f->text || f->at[-1] != ' ')
        return false;
    const bool unit = is_letter(*f->at) || strncmp(f->at, "1/", 2) == 0 || *f->at == '%' || *f->at == '(' ||
                      (unsigned char)*f->at >= 128;
    if (unit && f->r->terms[node].varies) refuse_here(f, "a unit after a quantity that varies");
    return unit;
}

/* The product of units that begins here. */
static ic_text_node read_units(formula *f)
{
    f->units = true;
    const ic_text_node factor = read_product(f);
    f->units = false;
    return factor;
}

static ic_text_node read_unit(formula *f)
{
    char name[LONGEST_NAME];
    size_t n = 0;
    while (n < LONGEST_NAME - 1 &&
           (is_letter(f->at[n]) || f->at[n] == '_' || f->at[n] == '%' || (unsigned char)f->at[n] >= 128))
        n++;
    memcpy(name, f->at, n);
    name[n] = '\0';
    const ic_text_node factor = ic_text_unit(f->r, name);
    if (factor == IC_TEXT_NONE) refuse_here(f, "this is not a unit");
    f->at += n;
    return factor;
}

/* The rest of a bracket after '(': a sum, or a number with a unit. */
static ic_text_node read_bracket(formula *f)
{
    ic_text_node node = read_sum(f);
    if (!f->units && unit_follows(f, node)) node = apply(f, IC_TEXT_MULTIPLY, node, read_units(f));
    expect(f, ')');
    return node;
}

static ic_text_node read_atom(formula *f)
{
    char name[LONGEST_NAME];
    ic_text_node node = IC_TEXT_NONE;
    bool juxtaposed = false;
    enter(f);
    skip_space(f);
    if (isdigit((unsigned char)*f->at) || *f->at == '.') {
        node = read_number(f);
        juxtaposed = !f->units && (is_letter(*f->at) || *f->at == '(');
        if (juxtaposed) node = apply(f, IC_TEXT_MULTIPLY, node, read_power(f));
    } else if (accept(f, '(')) {
        node = read_bracket(f);
    } else if (f->units) {
        node = read_unit(f);
    } else {
        read_word(f, name, true);
        if (accept(f, '(')) {
            node = read_call(f, name);
        } else {
            read_indices(f, name);
            if (*f->at == '.' && is_letter(f->at[1])) { /* c[i].force */
                const size_t n = strlen(name);
                char part[LONGEST_NAME];
                f->at++;
                read_word(f, part, false);
                if (snprintf(name + n, sizeof name - n, ".%s", part) >= (int)(sizeof name - n))
                    refuse_here(f, "the name is too long");
            }
            node = find_name(f, name);
        }
    }
    f->r->depth--;
    f->juxtaposed = juxtaposed;
    return node;
}

static ic_text_node read_power(formula *f)
{
    if (accept(f, '-')) {
        enter(f);
        const ic_text_node node = apply(f, IC_TEXT_NEGATE, read_power(f), IC_TEXT_NONE);
        f->r->depth--;
        return node;
    }
    const bool units = f->units;
    const ic_text_node base = read_atom(f);
    if (!accept(f, '^')) return base;
    if (units && base == ic_text_integer(f->r, 1) && is_letter(*f->at)) { /* m^n: n may come later */
        while (is_name(*f->at)) f->at++;
        return base;
    }
    f->units = false;
    const bool negative = accept(f, '-');
    ic_text_node exponent = read_atom(f);
    if (f->juxtaposed) refuse_here(f, "an exponent such as 2pi is ambiguous");
    f->units = units;
    if (f->r->terms[exponent].varies) refuse_here(f, "an exponent must be constant");
    if (negative) exponent = apply(f, IC_TEXT_NEGATE, exponent, IC_TEXT_NONE);
    return apply(f, IC_TEXT_POWER, base, exponent);
}

static ic_text_node read_product(formula *f)
{
    ic_text_node node = read_power(f);
    for (;;) {
        const bool times = accept(f, '*') || (f->units && *f->at != '\0' && strchr("/)", *f->at) == NULL);
        if (!times && !accept(f, '/')) return node;
        const ic_text_node right = read_power(f);
        if (!times && f->juxtaposed) refuse_here(f, "a divisor such as 2pi is ambiguous");
        node = apply(f, times ? IC_TEXT_MULTIPLY : IC_TEXT_DIVIDE, node, right);
        f->juxtaposed = false;
    }
}

static ic_text_node read_sum(formula *f)
{
    ic_text_node node = read_product(f);
    for (;;) {
        const bool plus = accept(f, '+');
        if (!plus && !accept(f, '-')) return node;
        const ic_text_node right = read_product(f);
        node = apply(f, plus ? IC_TEXT_ADD : IC_TEXT_SUBTRACT, node, right);
    }
}

/* ---- conditions */

static ic_text_node read_comparison(formula *f)
{
    f->index_read = false;
    ic_text_node left = read_sum(f), difference;
    const bool equal = accept(f, '='), less = !equal && accept(f, '<');
    if (!equal && !less && !accept(f, '>')) refuse_here(f, "expected a comparison");
    const bool or_equal = !equal && *f->at == '=';
    if (or_equal) f->at++;
    ic_text_node right = read_sum(f);
    difference = apply(f, IC_TEXT_SUBTRACT, left, right);
    fmpq_t exact;
    fmpq_init(exact);
    /* Comparisons of indices and sizes select an alternative for a member. */
    if ((f->index_read || ic_text_number_of(f->r, difference) != NULL) &&
        find_exact(f->r, exact, difference, 0)) {
        left = ic_text_number(f->r, exact);
        right = ic_text_integer(f->r, 0);
    }
    fmpq_clear(exact);
    return apply(f,
                 equal  ? IC_TEXT_EQUAL
                 : less ? (or_equal ? IC_TEXT_LESS_EQUAL : IC_TEXT_LESS)
                        : (or_equal ? IC_TEXT_GREATER_EQUAL : IC_TEXT_GREATER),
                 left, right);
}

/* Whether the bracket that opens here encloses a condition, and not a part of a sum. */
static bool brackets_condition(const formula *f)
{
    formula end = *f;
    int open = 0;
    skip_space(&end);
    if (*end.at != '(') return false;
    do open += *end.at == '(' ? 1 : *end.at == ')' ? -1 : 0;
    while (*end.at++ != '\0' && open > 0);
    if (open > 0) return false;
    skip_space(&end);
    return strchr("),", *end.at) != NULL || accept_word(&end, "and") || accept_word(&end, "or");
}

static ic_text_node read_single(formula *f)
{
    if (!brackets_condition(f)) return read_comparison(f);
    enter(f);
    accept(f, '(');
    const ic_text_node node = read_condition(f);
    expect(f, ')');
    f->r->depth--;
    return node;
}

static ic_text_node read_all(formula *f)
{
    ic_text_node node = read_single(f);
    while (accept_word(f, "and")) node = apply(f, IC_TEXT_AND, node, read_single(f));
    return node;
}

static ic_text_node read_condition(formula *f)
{
    ic_text_node node = read_all(f);
    while (accept_word(f, "or")) node = apply(f, IC_TEXT_OR, node, read_all(f));
    return node;
}

/* ---- whole texts */

static formula begin(ic_text_reader *r, const char *text, const ic_text_index *indices)
{
    if (text == NULL) ic_text_refuse(r, "expected a formula, not a list or a mapping");
    return (formula){.r = r, .text = text, .at = text, .indices = indices};
}

static void finish(formula *f)
{
    skip_space(f);
    if (*f->at != '\0') refuse_here(f, "text follows the end");
}

ic_text_node ic_text_read_quantity(ic_text_reader *r, const ic_text_tree *text, const ic_text_index *indices,
                                   const char *unit, ic_text_node *factor)
{
    formula f = begin(r, text->text, indices);
    const ic_text_node node = read_sum(&f);
    if (!unit_follows(&f, node)) {
        finish(&f);
        f = begin(r, unit, NULL);
    }
    *factor = read_units(&f);
    finish(&f);
    return node;
}

ic_text_node ic_text_read_formula(ic_text_reader *r, const ic_text_tree *text, const ic_text_index *indices)
{
    ic_text_node factor;
    const ic_text_node node = ic_text_read_quantity(r, text, indices, "1", &factor);
    return ic_text_apply(r, IC_TEXT_MULTIPLY, node, factor, IC_TEXT_NONE);
}

ic_text_node ic_text_read_condition(ic_text_reader *r, const ic_text_tree *text, const ic_text_index *indices)
{
    formula f = begin(r, text->text, indices);
    const ic_text_node node = read_condition(&f);
    finish(&f);
    return node;
}

/* ---- families of entries */

static ic_text_item *add_item(ic_text_reader *r, ic_text_list *list)
{
    const size_t n = list->n;
    if (n == MOST_ENTRIES) ic_text_refuse(r, "more than %d entries", MOST_ENTRIES);
    if (n % 16 == 0 && (n & (n - 1)) == 0) {
        ic_text_item *items = ic_text_take(r, n == 0 ? 16 : 2 * n, sizeof *items);
        if (n > 0) memcpy(items, list->items, n * sizeof *items);
        list->items = items;
    }
    list->n++;
    return &list->items[n];
}

/* Name of a key: its indices are replaced, anywhere in it. */
static const char *key_name(ic_text_reader *r, const char *key, const ic_text_index *indices)
{
    char name[LONGEST_NAME] = "";
    formula f = begin(r, key, indices);
    if (strchr(key, '[') == NULL) return key;
    while (*f.at != '\0') {
        const size_t n = strlen(name);
        if (*f.at == '[') {
            read_indices(&f, name);
            continue;
        }
        if (n + 1 == LONGEST_NAME) refuse_here(&f, "the name is too long");
        name[n] = *f.at++;
        name[n + 1] = '\0';
    }
    return ic_text_copy(r, name, strlen(name));
}

static void add_entries(ic_text_reader *r, ic_text_list *list, const ic_text_tree *tree,
                        const ic_text_index *indices);

/* Adds what a family contains, for each index; or else one item. key NULL: an item of a list */
static void add_entry(ic_text_reader *r, ic_text_list *list, const char *key, const ic_text_tree *value,
                      const ic_text_index *indices)
{
    const bool of_list = key == NULL;
    const bool family_item =
        of_list && value->keys != NULL && value->n == 1 && strncmp(value->keys[0], "for ", 4) == 0;
    const char *head = family_item ? value->keys[0] : key;
    if (head == NULL || strncmp(head, "for ", 4) != 0) {
        const char *name = of_list ? "" : key_name(r, key, indices);
        if (!of_list && ic_text_find(*list, name) != NULL) ic_text_refuse(r, "'%.60s' is given twice", name);
        *add_item(r, list) = (ic_text_item){.name = name, .value = value, .indices = indices, .scope = -1};
        return;
    }
    char word[LONGEST_NAME];
    long first = 0, last = 0;
    formula f = begin(r, head, indices);
    accept_word(&f, "for");
    read_word(&f, word, false);
    if (!accept_word(&f, "in")) refuse_here(&f, "expected 'in'");
    read_range(&f, &first, &last);
    finish(&f);
    for (long i = first; i <= last; i++) {
        ic_text_index *index = ic_text_take(r, 1, sizeof *index);
        *index = (ic_text_index){ic_text_copy(r, word, strlen(word)), i, indices};
        if (++r->work > MOST_ATOMS) refuse_here(&f, "the families have too many members");
        if (family_item) add_entry(r, list, NULL, value->items[0], index);
        else add_entries(r, list, value, index);
    }
}

static void add_entries(ic_text_reader *r, ic_text_list *list, const ic_text_tree *tree,
                        const ic_text_index *indices)
{
    if (tree->keys == NULL)
        ic_text_refuse(r, "expected a mapping instead of '%.60s'", tree->text == NULL ? "a list" : tree->text);
    for (size_t i = 0; i < tree->n; i++) add_entry(r, list, tree->keys[i], tree->items[i], indices);
}

ic_text_list ic_text_entries(ic_text_reader *r, const ic_text_tree *mapping, const ic_text_index *indices)
{
    ic_text_list list = {0};
    if (mapping != NULL) add_entries(r, &list, mapping, indices);
    return list;
}

ic_text_list ic_text_items(ic_text_reader *r, const ic_text_tree *tree, const ic_text_index *indices)
{
    ic_text_list list = {0};
    if (tree->text != NULL || tree->keys != NULL) ic_text_refuse(r, "expected a list");
    for (size_t i = 0; i < tree->n; i++) add_entry(r, &list, NULL, tree->items[i], indices);
    return list;
}
