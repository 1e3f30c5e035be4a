/* SPDX-License-Identifier: MIT */
/*
 * Recursive descent that computes affine forms:
 *
 *     sum:      product {(+|-) product}
 *     product:  power {(*|/) power}
 *     power:    -power | atom [^ integer]
 *     atom:     number [power] | name | name(sum [, sum]) | (sum)
 *
 * 2x^2 is 2*(x^2); 1/2x is refused as ambiguous.
 */
#include "core/expression.h"

#include "core/equations.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_NAME = 64 };

typedef struct expression_parser {
    const char *text;
    const char *at;
    const ic_names *names;
    size_t n_states;
    int depth;

    /* the last atom was a product without an operator, such as 80pi */
    bool juxtaposed;

    /* Copy of `names->magnitudes`; false in divisors and arguments. */
    bool magnitudes;

    ic_error *error;
} expression_parser;

void ic_error_set(ic_error *error, const char *format, ...)
{
    va_list arguments;
    if (error == NULL) return;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

bool ic_error_no_memory(ic_error *error)
{
    ic_error_set(error, "memory ran out");
    return false;
}

static bool report_error(const expression_parser *p, const char *what)
{
    ic_error_set(p->error, "'%s', character %d: %s", p->text, (int)(p->at - p->text) + 1, what);
    return false;
}

static void skip_space(expression_parser *p)
{
    while (*p->at == ' ' || (*p->at >= '\t' && *p->at <= '\r')) p->at++;
}

static bool accept_char(expression_parser *p, char c)
{
    skip_space(p);
    if (*p->at != c) return false;
    p->at++;
    return true;
}

/* While a text is parsed, only the first n_states coefficients of a form are set. */
static void set_constant(const expression_parser *p, ic_form *f, double value)
{
    f->constant = value;
    f->time = f->cosine = f->sine = f->frequency = 0;
    for (size_t i = 0; i < p->n_states; i++) f->state[i] = 0;
}

static bool form_is_constant(const expression_parser *p, const ic_form *f)
{
    for (size_t i = 0; i < p->n_states; i++) {
        if (f->state[i] != 0) return false;
    }
    return f->time == 0 && f->cosine == 0 && f->sine == 0;
}

static void take_magnitudes(const expression_parser *p, ic_form *f)
{
    f->constant = fabs(f->constant);
    f->time = fabs(f->time);
    f->cosine = fabs(f->cosine);
    f->sine = fabs(f->sine);
    for (size_t i = 0; i < p->n_states; i++) f->state[i] = fabs(f->state[i]);
}

static bool add_form(const expression_parser *p, ic_form *f, ic_form *g, double sign)
{
    const bool f_forced = f->cosine != 0 || f->sine != 0;
    const bool g_forced = g->cosine != 0 || g->sine != 0;
    if (f_forced && g_forced && f->frequency != g->frequency)
        return report_error(p, "forcing at two different frequencies");
    if (g_forced) f->frequency = g->frequency;
    if (p->magnitudes) {
        take_magnitudes(p, f);
        take_magnitudes(p, g);
        sign = 1;
    }
    f->constant += sign * g->constant;
    f->time += sign * g->time;
    f->cosine += sign * g->cosine;
    f->sine += sign * g->sine;
    for (size_t i = 0; i < p->n_states; i++) f->state[i] += sign * g->state[i];
    return true;
}

static void scale_form(const expression_parser *p, ic_form *f, double factor)
{
    f->constant *= factor;
    f->time *= factor;
    f->cosine *= factor;
    f->sine *= factor;
    for (size_t i = 0; i < p->n_states; i++) f->state[i] *= factor;
}

static bool multiply_form(const expression_parser *p, ic_form *f, const ic_form *g)
{
    if (form_is_constant(p, g)) {
        scale_form(p, f, g->constant);
        return true;
    }
    if (!form_is_constant(p, f)) return report_error(p, "a product of two variable quantities");
    const double factor = f->constant;
    memcpy(f, g, offsetof(ic_form, state) + p->n_states * sizeof *g->state);
    scale_form(p, f, factor);
    return true;
}

static bool divide_form(const expression_parser *p, ic_form *f, const ic_form *g)
{
    if (!form_is_constant(p, g)) return report_error(p, "division by a variable quantity");
    if (g->constant == 0) return report_error(p, "division by zero");
    /* not scale_form by 1/g: a quotient of constants is rounded only once */
    f->constant /= g->constant;
    f->time /= g->constant;
    f->cosine /= g->constant;
    f->sine /= g->constant;
    for (size_t i = 0; i < p->n_states; i++) f->state[i] /= g->constant;
    return true;
}

static bool parse_sum(expression_parser *p, ic_form *f);
static bool parse_power(expression_parser *p, ic_form *f);

static inline bool same_name(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0; /* most names differ in their first letter */
}

/* A function of the language. */
typedef struct known_function {
    const char *name;
    ic_operation operation;
    int operands;
} known_function;

static const known_function *find_function(const char *name)
{
    static const known_function known[] = {
#define KNOWN_FUNCTION(operation, operands, word) {word, IC_OP_##operation, operands},
        IC_OPERATION_TABLE(KNOWN_FUNCTION)
#undef KNOWN_FUNCTION
    };
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        if (same_name(name, known[i].name)) return &known[i];
    }
    return NULL;
}

static bool parse_call(expression_parser *p, const known_function *function, ic_form *f)
{
    ic_form second;
    second.constant = 0;
    const bool magnitudes = p->magnitudes;
    p->magnitudes = false;
    if (!parse_sum(p, f)) return false;
    if (function->operands == 2) {
        if (!accept_char(p, ',')) return report_error(p, "expected ','");
        if (!parse_sum(p, &second)) return false;
    }
    p->magnitudes = magnitudes;
    if (!accept_char(p, ')')) return report_error(p, "expected ')'");
    if (form_is_constant(p, f) && (function->operands == 1 || form_is_constant(p, &second))) {
        set_constant(p, f, ic_operation_value(function->operation, f->constant, second.constant, 0));
        return isnan(f->constant) ? report_error(p, "not a number") : true;
    }
    const bool sine = function->operation == IC_OP_SIN;
    if (!sine && function->operation != IC_OP_COS)
        return report_error(p, "functions other than sin and cos take constants only");
    const double phase = f->constant, frequency = f->time;
    f->time = 0;
    if (!form_is_constant(p, f))
        return report_error(p, "the argument of sin and cos may contain t, but no state");
    set_constant(p, f, 0);
    f->frequency = frequency;
    f->cosine = sine ? sin(phase) : cos(phase);
    f->sine = sine ? cos(phase) : -sin(phase);
    return true;
}

static bool resolve_name(const expression_parser *p, const char *name, ic_form *f)
{
    const ic_names *names = p->names;
    set_constant(p, f, 0);
    if (same_name(name, "pi")) {
        f->constant = 3.14159265358979323846;
        return true;
    }
    if (names != NULL && names->n != NULL && same_name(name, "n")) {
        f->constant = *names->n;
        return true;
    }
    if (names != NULL && names->system != NULL && names->states) {
        for (size_t i = 0; i < names->system->n_states; i++) {
            if (!same_name(name, names->system->states[i].name)) continue;
            f->state[i] = 1;
            return true;
        }
    }
    if (names != NULL && names->time && same_name(name, "t")) {
        f->time = 1;
        return true;
    }
    if (names != NULL && names->system != NULL && names->par != NULL) {
        for (size_t i = 0; i < names->system->n_parameters; i++) {
            if (!same_name(name, names->system->parameters[i].name)) continue;
            f->constant = names->par[i];
            return true;
        }
    }
    return false;
}

static bool parse_identifier(expression_parser *p, ic_form *f)
{
    char name[MAX_NAME];
    const char *start = p->at;
    size_t length = 0;
    while (isalnum((unsigned char)*p->at) || *p->at == '_') p->at++;
    length = (size_t)(p->at - start);
    if (length >= sizeof name) return report_error(p, "the name is too long");
    memcpy(name, start, length);
    name[length] = '\0';
    const char *end = p->at;
    if (accept_char(p, '(')) {
        const known_function *function = find_function(name);
        if (function != NULL) return parse_call(p, function, f);
        p->at = end;
    }
    if (resolve_name(p, name, f)) return true; /* a parameter may have the name of a function */
    if (find_function(name) != NULL) return report_error(p, "expected '('");
    p->at = start;
    return report_error(p, "unknown name");
}

static bool parse_number(expression_parser *p, double *value)
{
    /* strtod also reads hexadecimal numbers, inf and nan, so the characters are checked first */
    const char *end = p->at;
    char *stop = NULL;
    char digits[128];
    while (isdigit((unsigned char)*end) || *end == '.') end++;
    if (*end == 'e' || *end == 'E') {
        const char *exponent = end + 1;
        if (*exponent == '+' || *exponent == '-') exponent++;
        if (isdigit((unsigned char)*exponent)) {
            end = exponent;
            while (isdigit((unsigned char)*end)) end++;
        }
    }
    if ((size_t)(end - p->at) >= sizeof digits) return report_error(p, "the number has too many digits");
    memcpy(digits, p->at, (size_t)(end - p->at));
    digits[end - p->at] = '\0';
    *value = strtod(digits, &stop);
    if (stop == digits || *stop != '\0') return report_error(p, "not a number");
    if (!isfinite(*value)) return report_error(p, "the number exceeds the range of double precision");
    p->at = end;
    return true;
}

static bool parse_atom(expression_parser *p, ic_form *f)
{
    if (++p->depth > MAX_DEPTH) return report_error(p, "nested too deeply");
    skip_space(p);
    bool good = false, juxtaposed = false;
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        double value = 0;
        if (!parse_number(p, &value)) return false;
        set_constant(p, f, value);
        good = true;
        if (isalpha((unsigned char)*p->at) || *p->at == '(') { /* 80pi, 2(1 + e) */
            good = parse_power(p, f);
            scale_form(p, f, value);
            juxtaposed = true;
        }
    } else if (isalpha((unsigned char)*p->at)) {
        good = parse_identifier(p, f);
    } else if (accept_char(p, '(')) {
        good = parse_sum(p, f) && (accept_char(p, ')') || report_error(p, "expected ')'"));
    } else {
        good = report_error(p, *p->at == '\0' ? "the expression ends where a number or a name is expected"
                                              : "expected a number or a name");
    }
    p->depth--;
    p->juxtaposed = juxtaposed;
    return good;
}

static bool parse_power(expression_parser *p, ic_form *f)
{
    if (accept_char(p, '-')) {
        if (++p->depth > MAX_DEPTH) return report_error(p, "nested too deeply");
        const bool good = parse_power(p, f);
        p->depth--;
        scale_form(p, f, -1);
        return good;
    }
    if (!parse_atom(p, f)) return false;
    if (!accept_char(p, '^')) return true;
    const bool negative = accept_char(p, '-');
    skip_space(p);
    char *end = NULL;
    errno = 0;
    const long exponent = isdigit((unsigned char)*p->at) ? strtol(p->at, &end, 10) : -1;
    if (exponent < 0 || exponent > 64 || errno != 0)
        return report_error(p, "expected an integer power from 0 to 64");
    p->at = end;
    if (!form_is_constant(p, f)) return report_error(p, "a power of a variable quantity");
    double power = 1;
    for (long i = 0; i < exponent; i++) power *= f->constant;
    if (negative && power == 0) return report_error(p, "division by zero");
    set_constant(p, f, negative ? 1 / power : power);
    return true;
}

static bool parse_product(expression_parser *p, ic_form *f)
{
    ic_form right;
    if (!parse_power(p, f)) return false;
    for (;;) {
        if (accept_char(p, '*')) {
            if (!parse_power(p, &right) || !multiply_form(p, f, &right)) return false;
        } else if (accept_char(p, '/')) {
            const bool magnitudes = p->magnitudes;
            p->magnitudes = false;
            if (!parse_power(p, &right)) return false;
            p->magnitudes = magnitudes;
            if (p->juxtaposed) return report_error(p, "a divisor such as 2pi is ambiguous: write /(2pi)");
            if (!divide_form(p, f, &right)) return false;
        } else {
            return true;
        }
    }
}

static bool parse_sum(expression_parser *p, ic_form *f)
{
    ic_form right;
    if (!parse_product(p, f)) return false;
    for (;;) {
        double sign = 0;
        if (accept_char(p, '+')) sign = 1;
        else if (accept_char(p, '-')) sign = -1;
        else return true;
        if (!parse_product(p, &right) || !add_form(p, f, &right, sign)) return false;
    }
}

/* Sets the first n_states coefficients of the form and no others. */
static bool parse_form(ic_form *form, const char *text, const ic_names *names, ic_error *error)
{
    expression_parser p = {.text = text, .at = text, .names = names, .error = error};
    if (names != NULL && names->system != NULL) p.n_states = names->system->n_states;
    p.magnitudes = names != NULL && names->magnitudes;
    if (!parse_sum(&p, form)) return false;
    skip_space(&p);
    if (*p.at != '\0') return report_error(&p, "text follows the end of the expression");
    if (form->time != 0) return report_error(&p, "t may only occur inside sin and cos");
    return true;
}

bool ic_expression(ic_form *form, const char *text, const ic_names *names, ic_error *error)
{
    memset(form, 0, sizeof *form);
    return parse_form(form, text, names, error);
}

bool ic_expression_number(double *value, const char *text, const ic_names *names, ic_error *error)
{
    ic_form form;
    ic_names constants = names != NULL ? *names : (ic_names){0};
    constants.states = constants.time = false;
    if (!parse_form(&form, text, &constants, error)) return false;
    if (!isfinite(form.constant)) {
        ic_error_set(error, "'%s' is not finite", text);
        return false;
    }
    *value = form.constant;
    return true;
}

double ic_form_value(const ic_form *form, size_t n_states, double t, const double *x)
{
    double value = form->constant;
    if (form->cosine != 0 || form->sine != 0) {
        value += form->cosine * cos(form->frequency * t) + form->sine * sin(form->frequency * t);
    }
    for (size_t i = 0; i < n_states; i++) value += form->state[i] * x[i];
    return value;
}
