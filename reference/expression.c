/* SPDX-License-Identifier: MIT */
/* A parser of its own, so that the truth shares no code with the solvers. Precedence climbing over forms. */
#include "reference/expression.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NESTED = 64, LONGEST_WORD = 127 };

typedef struct reader {
    const char *text, *here;
    const ic_ball_names *names;
    slong n, length, prec;
    int nested;
    bool juxtaposed; /* the last atom was a product without a sign, such as 80pi */
    char *message;
    size_t size;
} reader;

/* Places in a form beyond the states. */
#define ONE(r) ((r)->n)
#define COSINE(r) ((r)->n + 1)
#define SINE(r) ((r)->n + 2)
#define FREQUENCY(r) ((r)->n + 3)
#define TIME(r) ((r)->n + 4)

static bool complain(const reader *r, const char *what)
{
    if (r->message != NULL) {
        snprintf(r->message, r->size, "'%s', character %d: %s", r->text, (int)(r->here - r->text) + 1, what);
    }
    return false;
}

static char peek(reader *r)
{
    while (isspace((unsigned char)*r->here)) r->here++;
    return *r->here;
}

static bool take(reader *r, char c)
{
    if (peek(r) != c) return false;
    r->here++;
    return true;
}

static bool varies(const reader *r, arb_srcptr f)
{
    for (slong i = 0; i < r->n; i++) {
        if (!arb_is_zero(f + i)) return true;
    }
    return !arb_is_zero(f + COSINE(r)) || !arb_is_zero(f + SINE(r)) || !arb_is_zero(f + TIME(r));
}

static bool forced(const reader *r, arb_srcptr f)
{
    return !arb_is_zero(f + COSINE(r)) || !arb_is_zero(f + SINE(r));
}

/* f += sign g. Frequencies are equal if they come from the same computation: equal balls. */
static bool combine(const reader *r, arb_ptr f, arb_srcptr g, int sign)
{
    if (forced(r, f) && forced(r, g) && !arb_equal(f + FREQUENCY(r), g + FREQUENCY(r))) {
        return complain(r, "two different frequencies");
    }
    if (forced(r, g)) arb_set(f + FREQUENCY(r), g + FREQUENCY(r));
    for (slong i = 0; i < r->length; i++) {
        if (i == FREQUENCY(r)) continue;
        if (sign > 0) arb_add(f + i, f + i, g + i, r->prec);
        else arb_sub(f + i, f + i, g + i, r->prec);
    }
    return true;
}

static void scale(const reader *r, arb_ptr f, const arb_t factor)
{
    for (slong i = 0; i < r->length; i++) {
        if (i != FREQUENCY(r)) arb_mul(f + i, f + i, factor, r->prec);
    }
}

static bool times(const reader *r, arb_ptr f, arb_ptr g)
{
    if (varies(r, f) && varies(r, g)) return complain(r, "a product of two quantities that vary");
    if (varies(r, g)) {
        scale(r, g, f + ONE(r));
        _arb_vec_set(f, g, r->length);
    } else {
        scale(r, f, g + ONE(r));
    }
    return true;
}

static bool over(const reader *r, arb_ptr f, arb_srcptr g)
{
    if (varies(r, g)) return complain(r, "division by a quantity that varies");
    if (arb_contains_zero(g + ONE(r))) return complain(r, "division by zero");
    for (slong i = 0; i < r->length; i++) {
        if (i != FREQUENCY(r)) arb_div(f + i, f + i, g + ONE(r), r->prec);
    }
    return true;
}

static bool read_sum(reader *r, arb_ptr f);
static bool read_power(reader *r, arb_ptr f);

static bool read_word(reader *r, char word[LONGEST_WORD + 1], bool (*belongs)(const char *))
{
    size_t length = 0;
    while (belongs(r->here)) {
        if (length == LONGEST_WORD) return complain(r, "too long");
        word[length++] = *r->here++;
    }
    word[length] = '\0';
    return true;
}

static bool in_name(const char *c)
{
    return isalnum((unsigned char)*c) || *c == '_';
}

static bool in_mantissa(const char *c)
{
    return isdigit((unsigned char)*c) || *c == '.';
}

static bool in_digits(const char *c)
{
    return isdigit((unsigned char)*c);
}

/* 12.5e-3: an exact decimal. An `e` that no digits follow does not belong to the number. */
static bool read_number(reader *r, arb_t value)
{
    char word[2 * LONGEST_WORD + 8];
    if (!read_word(r, word, in_mantissa)) return false;
    const char *dot = strchr(word, '.');
    if ((dot != NULL && strchr(dot + 1, '.') != NULL) || strcmp(word, ".") == 0)
        return complain(r, "not a number");
    if (*r->here == 'e' || *r->here == 'E') {
        const char *exponent = r->here + 1, *mark = r->here;
        const bool negative = *exponent == '-';
        if (*exponent == '+' || *exponent == '-') exponent++;
        r->here = exponent;
        if (isdigit((unsigned char)*exponent)) {
            char digits[LONGEST_WORD + 1];
            if (!read_word(r, digits, in_digits)) return false;
            if (strlen(digits) > 4) return complain(r, "an exponent that is too large");
            const size_t length = strlen(word);
            snprintf(word + length, sizeof word - length, "e%s%s", negative ? "-" : "", digits);
        } else {
            r->here = mark;
        }
    }
    return arb_set_str(value, word, r->prec) == 0 || complain(r, "not a number");
}

/* A sign that the balls leave open leaves the step open. */
static bool apply_step(reader *r, arb_ptr f)
{
    if (arb_is_nonnegative(f + ONE(r))) arb_one(f + ONE(r));
    else if (arb_is_negative(f + ONE(r))) arb_zero(f + ONE(r));
    else return complain(r, "a sign that is not decided");
    return true;
}

static bool apply_function(reader *r, const char *name, arb_ptr f)
{
    const bool sine = strcmp(name, "sin") == 0, cosine = strcmp(name, "cos") == 0;
    if (!varies(r, f)) {
        if (sine) arb_sin(f + ONE(r), f + ONE(r), r->prec);
        else if (cosine) arb_cos(f + ONE(r), f + ONE(r), r->prec);
        else if (strcmp(name, "exp") == 0) arb_exp(f + ONE(r), f + ONE(r), r->prec);
        else if (strcmp(name, "log") == 0) arb_log(f + ONE(r), f + ONE(r), r->prec);
        else if (strcmp(name, "cbrt") == 0)
            arb_root_ui(f + ONE(r), f + ONE(r), 3, r->prec); /* of what is positive */
        else if (strcmp(name, "step") == 0) return apply_step(r, f);
        else if (arb_is_negative(f + ONE(r))) return complain(r, "the square root of a negative number");
        else arb_sqrtpos(f + ONE(r), f + ONE(r), r->prec); /* sqrt of a ball around an exact 0 stays finite */
        return arb_is_finite(f + ONE(r)) || complain(r, "not a number");
    }
    if (!sine && !cosine) return complain(r, "sqrt, cbrt, exp, log and step take constants only");
    for (slong i = 0; i < r->n + 3; i++) {
        if (i != ONE(r) && !arb_is_zero(f + i)) {
            return complain(r, "the argument of sin and cos may contain t, but no state");
        }
    }
    /* sin(w t + p) = sin p cos w t + cos p sin w t;  cos(w t + p) = cos p cos w t - sin p sin w t */
    arb_t s, c;
    arb_init(s);
    arb_init(c);
    arb_sin_cos(s, c, f + ONE(r), r->prec);
    arb_swap(f + FREQUENCY(r), f + TIME(r));
    arb_zero(f + TIME(r));
    arb_zero(f + ONE(r));
    arb_set(f + COSINE(r), sine ? s : c);
    arb_set(f + SINE(r), sine ? c : s);
    if (cosine) arb_neg(f + SINE(r), f + SINE(r));
    arb_clear(s);
    arb_clear(c);
    return true;
}

static bool look_up(const reader *r, const char *name, arb_ptr f)
{
    const ic_ball_names *names = r->names;
    const ic_case *system = names != NULL ? names->system : NULL;
    if (strcmp(name, "pi") == 0) {
        arb_const_pi(f + ONE(r), r->prec);
        return true;
    }
    if (names != NULL && names->n != NULL && strcmp(name, "n") == 0) {
        arb_set_si(f + ONE(r), *names->n);
        return true;
    }
    for (size_t i = 0; system != NULL && names->states && i < system->n_states; i++) {
        if (strcmp(name, system->states[i].name) != 0) continue;
        arb_one(f + i);
        return true;
    }
    if (names != NULL && names->time && strcmp(name, "t") == 0) {
        arb_one(f + TIME(r));
        return true;
    }
    for (size_t i = 0; system != NULL && names->par != NULL && i < system->n_parameters; i++) {
        if (strcmp(name, system->parameters[i].name) != 0) continue;
        arb_set(f + ONE(r), names->par + i);
        return true;
    }
    return false;
}

static bool read_name(reader *r, arb_ptr f)
{
    static const char *const functions[] = {"sqrt", "cbrt", "exp", "log", "sin", "cos", "step"};
    char name[LONGEST_WORD + 1];
    const char *start = r->here;
    if (!read_word(r, name, in_name)) return false;
    for (size_t i = 0; i < IC_COUNT(functions); i++) {
        if (strcmp(name, functions[i]) != 0) continue;
        if (!take(r, '(')) return complain(r, "'(' expected");
        if (!read_sum(r, f)) return false;
        if (!take(r, ')')) return complain(r, "')' expected");
        return apply_function(r, name, f);
    }
    if (look_up(r, name, f)) return true;
    r->here = start;
    return complain(r, "unknown name");
}

static bool read_atom(reader *r, arb_ptr f)
{
    const char c = peek(r);
    bool good = false, juxtaposed = false;
    _arb_vec_zero(f, r->length);
    if (++r->nested > MOST_NESTED) return complain(r, "nested too deeply");
    if (isdigit((unsigned char)c) || c == '.') {
        arb_t number;
        arb_init(number);
        good = read_number(r, number);
        if (good && (isalpha((unsigned char)*r->here) || *r->here == '(')) { /* 80pi, 2(1 + e) */
            good = read_power(r, f);
            scale(r, f, number);
            juxtaposed = true;
        } else {
            arb_set(f + ONE(r), number);
        }
        arb_clear(number);
    } else if (isalpha((unsigned char)c)) {
        good = read_name(r, f);
    } else if (take(r, '(')) {
        good = read_sum(r, f) && (take(r, ')') || complain(r, "')' expected"));
    } else {
        good = complain(r, "a number or a name expected");
    }
    r->nested--;
    r->juxtaposed = juxtaposed;
    return good;
}

static bool read_power(reader *r, arb_ptr f)
{
    char digits[LONGEST_WORD + 1];
    if (take(r, '-')) {
        if (++r->nested > MOST_NESTED) return complain(r, "nested too deeply");
        if (!read_power(r, f)) return false;
        r->nested--;
        for (slong i = 0; i < r->length; i++) {
            if (i != FREQUENCY(r)) arb_neg(f + i, f + i);
        }
        return true;
    }
    if (!read_atom(r, f)) return false;
    if (!take(r, '^')) return true;
    const bool negative = take(r, '-');
    peek(r);
    if (!read_word(r, digits, in_digits)) return false;
    const long exponent = digits[0] == '\0' || strlen(digits) > 2 ? -1 : strtol(digits, NULL, 10);
    if (exponent < 0 || exponent > 64) return complain(r, "an integer power from 0 to 64 expected");
    if (varies(r, f)) return complain(r, "a power of a quantity that varies");
    arb_pow_ui(f + ONE(r), f + ONE(r), (ulong)exponent, r->prec);
    if (!negative) return true;
    if (arb_contains_zero(f + ONE(r))) return complain(r, "division by zero");
    arb_inv(f + ONE(r), f + ONE(r), r->prec);
    return true;
}

static bool ambiguous(const reader *r)
{
    if (r->juxtaposed) complain(r, "a divisor such as 2pi is ambiguous: write /(2pi)");
    return r->juxtaposed;
}

static bool read_product(reader *r, arb_ptr f)
{
    arb_ptr g = _arb_vec_init(r->length);
    bool good = read_power(r, f);
    while (good) {
        if (take(r, '*')) good = read_power(r, g) && times(r, f, g);
        else if (take(r, '/')) good = read_power(r, g) && !ambiguous(r) && over(r, f, g);
        else break;
    }
    _arb_vec_clear(g, r->length);
    return good;
}

static bool read_sum(reader *r, arb_ptr f)
{
    arb_ptr g = _arb_vec_init(r->length);
    bool good = read_product(r, f);
    while (good) {
        if (take(r, '+')) good = read_product(r, g) && combine(r, f, g, +1);
        else if (take(r, '-')) good = read_product(r, g) && combine(r, f, g, -1);
        else break;
    }
    _arb_vec_clear(g, r->length);
    return good;
}

bool ic_ball_expression(arb_ptr form, const char *text, const ic_ball_names *names, slong prec, char *message,
                        size_t size)
{
    reader r = {.text = text, .here = text, .names = names, .prec = prec, .size = size};
    r.message = message;
    if (names != NULL && names->system != NULL) r.n = (slong)names->system->n_states;
    r.length = IC_BALL_FORM_LENGTH(r.n);
    if (!read_sum(&r, form)) return false;
    if (peek(&r) != '\0') return complain(&r, "something is left over");
    return arb_is_zero(form + TIME(&r)) || complain(&r, "t may only stand inside sin and cos");
}

bool ic_ball_number(arb_t value, const char *text, const ic_ball_names *names, slong prec, char *message,
                    size_t size)
{
    ic_ball_names constants = names != NULL ? *names : (ic_ball_names){0};
    constants.states = constants.time = false;
    const slong n = constants.system != NULL ? (slong)constants.system->n_states : 0;
    arb_ptr form = _arb_vec_init(IC_BALL_FORM_LENGTH(n));
    const bool good = ic_ball_expression(form, text, &constants, prec, message, size);
    if (good) arb_set(value, form + n);
    _arb_vec_clear(form, IC_BALL_FORM_LENGTH(n));
    return good;
}
