/* SPDX-License-Identifier: MIT */
/* A separate parser by precedence climbing, so that the reference shares no code with the
   solvers. */
#include "reference/grammar.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 64, LONGEST_WORD = 127, LONGEST_NUMBER = 2 * LONGEST_WORD + 7 };

typedef ic_reader reader;

bool ic_complain(const ic_reader *r, const char *what)
{
    if (r->message != NULL) {
        snprintf(r->message, r->size, "'%s', character %d: %s", r->text, (int)(r->here - r->text) + 1, what);
    }
    return false;
}

static char next_character(reader *r)
{
    while (isspace((unsigned char)*r->here)) r->here++;
    return *r->here;
}

static bool accept_character(reader *r, char c)
{
    if (next_character(r) != c) return false;
    r->here++;
    return true;
}

static bool read_sum(reader *r, arb_ptr f);
static bool read_power(reader *r, arb_ptr f);

static bool read_word(reader *r, char word[LONGEST_WORD + 1], bool (*belongs)(const char *))
{
    size_t length = 0;
    while (belongs(r->here)) {
        if (length == LONGEST_WORD) return ic_complain(r, "too long");
        word[length++] = *r->here++;
    }
    word[length] = '\0';
    return true;
}

static bool is_in_name(const char *c)
{
    return isalnum((unsigned char)*c) || *c == '_';
}

static bool is_in_mantissa(const char *c)
{
    return isdigit((unsigned char)*c) || *c == '.';
}

static bool is_digit(const char *c)
{
    return isdigit((unsigned char)*c);
}

/* 12.5e-3: an exact decimal. An `e` without digits after it does not belong to the number. */
static bool read_number(reader *r, arb_t value, char word[LONGEST_NUMBER + 1])
{
    if (!read_word(r, word, is_in_mantissa)) return false;
    const char *dot = strchr(word, '.');
    if ((dot != NULL && strchr(dot + 1, '.') != NULL) || strcmp(word, ".") == 0)
        return ic_complain(r, "not a number");
    if (*r->here == 'e' || *r->here == 'E') {
        const char *exponent = r->here + 1, *mark = r->here;
        const bool negative = *exponent == '-';
        if (*exponent == '+' || *exponent == '-') exponent++;
        r->here = exponent;
        if (isdigit((unsigned char)*exponent)) {
            char digits[LONGEST_WORD + 1];
            if (!read_word(r, digits, is_digit)) return false;
            if (strlen(digits) > 4) return ic_complain(r, "an exponent that is too large");
            const size_t length = strlen(word);
            snprintf(word + length, LONGEST_NUMBER + 1 - length, "e%s%s", negative ? "-" : "", digits);
        } else {
            r->here = mark;
        }
    }
    return arb_set_str(value, word, r->prec) == 0 || ic_complain(r, "not a number");
}

/* Number of operands of a function; 0 if the function does not exist. */
static int operands_of(const char *name)
{
    static const char *const one[] = {"sqrt", "cbrt", "exp",  "log",  "sin",  "cos", "tan",  "asin",
                                      "acos", "atan", "sinh", "cosh", "tanh", "abs", "sign", "step"};
    static const char *const two[] = {"atan2", "min", "max"};
    for (size_t i = 0; i < IC_COUNT(one); i++) {
        if (strcmp(name, one[i]) == 0) return 1;
    }
    for (size_t i = 0; i < IC_COUNT(two); i++) {
        if (strcmp(name, two[i]) == 0) return 2;
    }
    return 0;
}

static bool read_call(reader *r, const char *name, int operands, arb_ptr f)
{
    if (!read_sum(r, f)) return false;
    if (operands == 1)
        return accept_character(r, ')') ? r->arithmetic->apply(r, name, f) : ic_complain(r, "expected ')'");
    if (!accept_character(r, ',')) return ic_complain(r, "expected ','");
    IC_BALL_VECTOR(g, r->length);
    return read_sum(r, g) && (accept_character(r, ')') || ic_complain(r, "expected ')'")) &&
           r->arithmetic->apply_two(r, name, f, g);
}

static bool read_name(reader *r, arb_ptr f)
{
    char name[LONGEST_WORD + 1];
    const char *start = r->here;
    if (!read_word(r, name, is_in_name)) return false;
    const int operands = operands_of(name);
    if (operands > 0 && accept_character(r, '(')) return read_call(r, name, operands, f);
    /* a parameter may have the name of a function */
    if (r->arithmetic->look_up(r, name, f)) return true;
    if (operands > 0) return ic_complain(r, "expected '('");
    r->here = start;
    return ic_complain(r, "unknown name");
}

static bool read_atom(reader *r, arb_ptr f)
{
    const char c = next_character(r);
    bool good = false, juxtaposed = false;
    _arb_vec_zero(f, r->length);
    if (++r->nested > MOST_NESTED) return ic_complain(r, "nested too deeply");
    if (isdigit((unsigned char)c) || c == '.') {
        char word[LONGEST_NUMBER + 1];
        IC_BALLS(number);
        good = read_number(r, number, word);
        if (good) r->arithmetic->constant(r, f, number, word);
        if (good && (isalpha((unsigned char)*r->here) || *r->here == '(')) { /* 80pi, 2(1 + e) */
            IC_BALL_VECTOR(g, r->length);
            good = read_power(r, g) && r->arithmetic->multiply(r, f, g);
            juxtaposed = true;
        }
    } else if (isalpha((unsigned char)c)) {
        good = read_name(r, f);
    } else if (accept_character(r, '(')) {
        good = read_sum(r, f) && (accept_character(r, ')') || ic_complain(r, "expected ')'"));
    } else {
        good = ic_complain(r, "expected a number or a name");
    }
    r->nested--;
    r->juxtaposed = juxtaposed;
    return good;
}

static bool read_power(reader *r, arb_ptr f)
{
    char digits[LONGEST_WORD + 1];
    if (accept_character(r, '-')) {
        if (++r->nested > MOST_NESTED) return ic_complain(r, "nested too deeply");
        if (!read_power(r, f)) return false;
        r->nested--;
        r->arithmetic->negate(r, f);
        return true;
    }
    if (!read_atom(r, f)) return false;
    if (!accept_character(r, '^')) return true;
    const bool negative = accept_character(r, '-');
    next_character(r);
    if (!read_word(r, digits, is_digit)) return false;
    const long exponent = digits[0] == '\0' || strlen(digits) > 2 ? -1 : strtol(digits, NULL, 10);
    if (exponent < 0 || exponent > 64) return ic_complain(r, "expected an integer power from 0 to 64");
    return r->arithmetic->power(r, f, (ulong)exponent) && (!negative || r->arithmetic->invert(r, f));
}

static bool reject_ambiguous(const reader *r)
{
    if (r->juxtaposed) ic_complain(r, "a divisor such as 2pi is ambiguous: write /(2pi)");
    return r->juxtaposed;
}

static bool read_product(reader *r, arb_ptr f)
{
    IC_BALL_VECTOR(g, r->length);
    bool good = read_power(r, f);
    while (good) {
        if (accept_character(r, '*')) good = read_power(r, g) && r->arithmetic->multiply(r, f, g);
        else if (accept_character(r, '/'))
            good = read_power(r, g) && !reject_ambiguous(r) && r->arithmetic->divide(r, f, g);
        else break;
    }
    return good;
}

static bool read_sum(reader *r, arb_ptr f)
{
    IC_BALL_VECTOR(g, r->length);
    bool good = read_product(r, f);
    while (good) {
        if (accept_character(r, '+')) good = read_product(r, g) && r->arithmetic->add(r, f, g, +1);
        else if (accept_character(r, '-')) good = read_product(r, g) && r->arithmetic->add(r, f, g, -1);
        else break;
    }
    return good;
}

bool ic_read(ic_reader *r, arb_ptr value)
{
    if (!read_sum(r, value)) return false;
    return next_character(r) == '\0' || ic_complain(r, "unexpected text");
}
