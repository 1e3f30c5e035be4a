/* SPDX-License-Identifier: MIT */
/* Factors of units to SI units. A factor is p/q, times pi for angles in degrees and turns. */
#include "reference/text/reader.h"

#include <ctype.h>
#include <fmpq.h>
#include <stdlib.h>
#include <string.h>

static const struct unit {
    /* separated by blanks */
    const char *names;
    long p, q;
    bool pi, prefix;
} units[] = {
    {"m s A K mol cd rad Hz N Pa J W C V", 1, 1, false, true},
    {"g l L", 1, 1000, false, true},
    {"bar", 100000, 1, false, true},
    {"t", 1000, 1, false, false},
    {"second seconds", 1, 1, false, false},
    {"min minute minutes", 60, 1, false, false},
    {"h hour hours", 3600, 1, false, false},
    {"d day days", 86400, 1, false, false},
    {"% percent", 1, 100, false, false},
    {"atm", 101325, 1, false, false},
    {"in inch", 254, 10000, false, false},
    {"ft foot", 3048, 10000, false, false},
    {"lb", 45359237, 100000000, false, false},
    {"lbf", 8896443230521, 2000000000000, false, false},
    {"psi", 8896443230521, 1290320000, false, false},
    {"kgf", 980665, 100000, false, false},
    {"deg degree degrees", 1, 180, true, false},
    {"cycle turn revolution", 2, 1, true, false},
    {"rpm", 1, 30, true, false},
};

static const struct prefix {
    const char *name;
    int power;
} prefixes[] = {{"da", 1}, {"d", -1},        {"c", -2},        {"m", -3}, {"u", -6},
                {"n", -9}, {"p", -12},       {"f", -15},       {"h", 2},  {"k", 3},
                {"M", 6},  {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"G", 9},  {"T", 12}};

typedef struct unit_text {
    ic_text_reader *r;
    const char *text, *at;
    int depth;
} unit_text;

noreturn static void refuse_unit(const unit_text *u)
{
    ic_text_refuse(u->r, "unit '%.100s' is not understood from '%.60s' on", u->text, u->at);
}

static ic_text_node multiply(const unit_text *u, ic_text_node a, ic_text_node b)
{
    return a == IC_TEXT_NONE || b == IC_TEXT_NONE ? (a == IC_TEXT_NONE ? b : a)
                                                  : ic_text_apply(u->r, IC_TEXT_MULTIPLY, a, b, IC_TEXT_NONE);
}

/* Factor of one name, times 10^power; IC_TEXT_NONE: 1. */
static ic_text_node factor_of(const unit_text *u, const struct unit *unit, int power)
{
    fmpq_t factor, ten;
    fmpq_init(factor);
    fmpq_init(ten);
    fmpq_set_si(factor, unit->p, (ulong)unit->q);
    fmpq_set_si(ten, 10, 1);
    fmpq_pow_si(ten, ten, power);
    fmpq_mul(factor, factor, ten);
    const ic_text_node number = fmpq_is_one(factor) ? IC_TEXT_NONE : ic_text_number(u->r, factor);
    fmpq_clear(factor);
    fmpq_clear(ten);
    return unit->pi ? multiply(u, number, ic_text_leaf(u->r, IC_TEXT_PI, 0, NULL)) : number;
}

/* The unit of this name; NULL: there is none. */
static const struct unit *find_unit(const char *name, bool with_prefix)
{
    const size_t length = strlen(name);
    for (size_t i = 0; length > 0 && i < sizeof units / sizeof *units; i++) {
        if (with_prefix && !units[i].prefix) continue;
        for (const char *at = strstr(units[i].names, name); at != NULL; at = strstr(at + 1, name)) {
            if ((at == units[i].names || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
                return &units[i];
        }
    }
    return NULL;
}

static ic_text_node read_name(unit_text *u)
{
    char name[32];
    size_t n = 0;
    while (n < sizeof name - 1 && (isalpha((unsigned char)u->at[n]) || u->at[n] == '_' || u->at[n] == '%' ||
                                   (unsigned char)u->at[n] >= 128))
        n++;
    memcpy(name, u->at, n);
    name[n] = '\0';
    const struct unit *unit = find_unit(name, false);
    int power = 0;
    for (size_t k = 0; unit == NULL && k < sizeof prefixes / sizeof *prefixes; k++) {
        const size_t length = strlen(prefixes[k].name);
        power = prefixes[k].power;
        if (strncmp(prefixes[k].name, name, length) == 0) unit = find_unit(name + length, true);
    }
    if (unit == NULL) refuse_unit(u);
    u->at += n;
    return factor_of(u, unit, power);
}

/* exponent: number | name of a parameter | (number[/number]) */
static ic_text_node read_exponent(unit_text *u)
{
    const bool inside = *u->at == '(';
    size_t n = inside ? strcspn(u->at, ")") + 1 : strspn(u->at, "-");
    while (!inside && (isalnum((unsigned char)u->at[n]) || u->at[n] == '_' || u->at[n] == '.')) n++;
    if (n == 0 || (inside && u->at[n - 1] != ')')) refuse_unit(u);
    const ic_text_tree formula = {.text = ic_text_copy(u->r, u->at, n)};
    u->at += n;
    return ic_text_read_formula(u->r, &formula, NULL);
}

static ic_text_node read_product(unit_text *u);

static ic_text_node read_factor(unit_text *u)
{
    ic_text_node factor = IC_TEXT_NONE;
    while (*u->at == ' ') u->at++;
    if (++u->depth > 16) refuse_unit(u);
    if (*u->at == '(') {
        u->at++;
        factor = read_product(u);
        if (*u->at != ')') refuse_unit(u);
        u->at++;
    } else if (*u->at == '1' && !isdigit((unsigned char)u->at[1]) && u->at[1] != '.') {
        u->at++;
    } else {
        factor = read_name(u);
    }
    u->depth--;
    if (*u->at != '^') return factor;
    u->at++;
    const char *start = u->at;
    if (factor != IC_TEXT_NONE || isdigit((unsigned char)*start) || *start == '-' || *start == '(') {
        const ic_text_node power = read_exponent(u);
        return factor == IC_TEXT_NONE ? factor
                                      : ic_text_apply(u->r, IC_TEXT_POWER, factor, power, IC_TEXT_NONE);
    }
    /* m^n: n may be a parameter that comes later */
    while (isalnum((unsigned char)*u->at) || *u->at == '_') u->at++;
    return u->at == start ? read_exponent(u) : IC_TEXT_NONE;
}

static ic_text_node read_product(unit_text *u)
{
    ic_text_node product = read_factor(u);
    for (;;) {
        while (*u->at == ' ') u->at++;
        if (*u->at == '\0' || *u->at == ')') return product;
        const bool divided = *u->at == '/';
        if (divided || *u->at == '*') u->at++;
        const ic_text_node right = read_factor(u);
        if (!divided) product = multiply(u, product, right);
        else if (right != IC_TEXT_NONE)
            product = ic_text_apply(u->r, IC_TEXT_DIVIDE,
                                    product == IC_TEXT_NONE ? ic_text_integer(u->r, 1) : product, right,
                                    IC_TEXT_NONE);
    }
}

ic_text_node ic_text_unit(ic_text_reader *r, const char *text)
{
    unit_text u = {.r = r, .text = text, .at = text};
    const ic_text_node factor = read_product(&u);
    const fmpq *number = ic_text_number_of(r, factor);
    if (*u.at != '\0') refuse_unit(&u);
    return number != NULL && fmpq_is_one(number) ? IC_TEXT_NONE : factor;
}
