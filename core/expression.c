/* SPDX-License-Identifier: MIT */
/* Recursive descent over affine forms:  sum: product {(+|-) product};  product: power {(*|/) power};
 * power: -power | atom [^ integer];  atom: number [power] | name | name(sum) | (sum). 2x^2 is 2*(x^2); 1/2x is refused. */
#include "core/expression.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 64, MAX_NAME = 64 };

typedef struct parser {
    const char *text;
    const char *at;
    const ic_names *names;
    size_t n_states;
    int depth;
    bool juxtaposed; /* the last atom was a product without a sign, such as 80pi */
    ic_error *error;
} parser;

void ic_error_set(ic_error *error, const char *format, ...)
{
    va_list arguments;
    if (error == NULL) return;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

static bool fail(const parser *p, const char *what)
{
    ic_error_set(p->error, "'%s', character %d: %s", p->text, (int)(p->at - p->text) + 1, what);
    return false;
}

static void skip_space(parser *p)
{
    while (*p->at == ' ' || (*p->at >= '\t' && *p->at <= '\r')) p->at++;
}

static bool accept(parser *p, char c)
{
    skip_space(p);
    if (*p->at != c) return false;
    p->at++;
    return true;
}

/* Forms within a text have meaning up to n_states only. */
static void set_constant(const parser *p, ic_form *f, double value)
{
    f->constant = value;
    f->time = f->cosine = f->sine = f->frequency = 0;
    for (size_t i = 0; i < p->n_states; i++) f->state[i] = 0;
}

static void copy(const parser *p, ic_form *to, const ic_form *from)
{
    memcpy(to, from, offsetof(ic_form, state) + p->n_states * sizeof *from->state);
}

static bool is_constant(const parser *p, const ic_form *f)
{
    for (size_t i = 0; i < p->n_states; i++) {
        if (f->state[i] != 0) return false;
    }
    return f->time == 0 && f->cosine == 0 && f->sine == 0;
}

static bool add(const parser *p, ic_form *f, const ic_form *g, double sign)
{
    const bool f_forced = f->cosine != 0 || f->sine != 0;
    const bool g_forced = g->cosine != 0 || g->sine != 0;
    if (f_forced && g_forced && f->frequency != g->frequency) return fail(p, "two different frequencies");
    if (g_forced) f->frequency = g->frequency;
    f->constant += sign * g->constant;
    f->time += sign * g->time;
    f->cosine += sign * g->cosine;
    f->sine += sign * g->sine;
    for (size_t i = 0; i < p->n_states; i++) f->state[i] += sign * g->state[i];
    return true;
}

static void scale(const parser *p, ic_form *f, double factor)
{
    f->constant *= factor;
    f->time *= factor;
    f->cosine *= factor;
    f->sine *= factor;
    for (size_t i = 0; i < p->n_states; i++) f->state[i] *= factor;
}

static bool multiply(const parser *p, ic_form *f, const ic_form *g)
{
    if (is_constant(p, g)) {
        scale(p, f, g->constant);
        return true;
    }
    if (!is_constant(p, f)) return fail(p, "a product of two quantities that vary");
    const double factor = f->constant;
    copy(p, f, g);
    scale(p, f, factor);
    return true;
}

static bool divide(const parser *p, ic_form *f, const ic_form *g)
{
    if (!is_constant(p, g)) return fail(p, "division by a quantity that varies");
    if (g->constant == 0) return fail(p, "division by zero");
    f->constant /= g->constant; /* not scale(1/g): a quotient of constants is rounded once */
    f->time /= g->constant;
    f->cosine /= g->constant;
    f->sine /= g->constant;
    for (size_t i = 0; i < p->n_states; i++) f->state[i] /= g->constant;
    return true;
}

static bool sum(parser *p, ic_form *f);
static bool unary(parser *p, ic_form *f);

static double step(double x)
{
    return x >= 0 ? 1 : 0;
}

static bool call(parser *p, const char *name, ic_form *f)
{
    static const struct {
        const char *name;
        double (*function)(double);
    } functions[] = {{"sqrt", sqrt}, {"cbrt", cbrt}, {"log", log},  {"exp", exp},
                     {"sin", sin},   {"cos", cos},   {"step", step}};
    if (!sum(p, f)) return false;
    if (!accept(p, ')')) return fail(p, "')' expected");
    for (size_t i = 0; i < IC_COUNT(functions); i++) {
        if (strcmp(name, functions[i].name) != 0) continue;
        if (is_constant(p, f)) {
            set_constant(p, f, functions[i].function(f->constant));
            return isnan(f->constant) ? fail(p, "not a number") : true;
        }
        break;
    }
    const bool sine = strcmp(name, "sin") == 0;
    if (!sine && strcmp(name, "cos") != 0) return fail(p, "sqrt, cbrt, exp, log and step take constants only");
    const double phase = f->constant, frequency = f->time;
    f->time = 0;
    if (!is_constant(p, f)) return fail(p, "the argument of sin and cos may contain t, but no state");
    set_constant(p, f, 0);
    f->frequency = frequency;
    f->cosine = sine ? sin(phase) : cos(phase);
    f->sine = sine ? cos(phase) : -sin(phase);
    return true;
}

static inline bool same(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0; /* most names differ in their first letter */
}

static bool is_function(const char *name)
{
    return same(name, "sqrt") || same(name, "cbrt") || same(name, "log") || same(name, "exp") ||
           same(name, "sin") || same(name, "cos") || same(name, "step");
}

static bool name_value(const parser *p, const char *name, ic_form *f)
{
    const ic_names *names = p->names;
    set_constant(p, f, 0);
    if (same(name, "pi")) {
        f->constant = 3.14159265358979323846;
        return true;
    }
    if (names != NULL && names->n != NULL && same(name, "n")) {
        f->constant = *names->n;
        return true;
    }
    if (names != NULL && names->system != NULL && names->states) {
        for (size_t i = 0; i < names->system->n_states; i++) {
            if (!same(name, names->system->states[i].name)) continue;
            f->state[i] = 1;
            return true;
        }
    }
    if (names != NULL && names->time && same(name, "t")) {
        f->time = 1;
        return true;
    }
    if (names != NULL && names->system != NULL && names->par != NULL) {
        for (size_t i = 0; i < names->system->n_parameters; i++) {
            if (!same(name, names->system->parameters[i].name)) continue;
            f->constant = names->par[i];
            return true;
        }
    }
    return false;
}

static bool identifier(parser *p, ic_form *f)
{
    char name[MAX_NAME];
    const char *start = p->at;
    size_t length = 0;
    while (isalnum((unsigned char)*p->at) || *p->at == '_') p->at++;
    length = (size_t)(p->at - start);
    if (length >= sizeof name) return fail(p, "a name that is too long");
    memcpy(name, start, length);
    name[length] = '\0';
    if (is_function(name)) {
        if (!accept(p, '(')) return fail(p, "'(' expected");
        return call(p, name, f);
    }
    if (name_value(p, name, f)) return true;
    p->at = start;
    return fail(p, "unknown name");
}

static bool number(parser *p, double *value)
{
    /* strtod also reads hexadecimal numbers, inf and nan: the characters are checked first */
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
    if ((size_t)(end - p->at) >= sizeof digits) return fail(p, "a number with too many digits");
    memcpy(digits, p->at, (size_t)(end - p->at));
    digits[end - p->at] = '\0';
    *value = strtod(digits, &stop);
    if (stop == digits || *stop != '\0') return fail(p, "not a number");
    if (!isfinite(*value)) return fail(p, "a number beyond the range of double precision");
    p->at = end;
    return true;
}

static bool atom(parser *p, ic_form *f)
{
    if (++p->depth > MAX_DEPTH) return fail(p, "nested too deeply");
    skip_space(p);
    bool good = false, juxtaposed = false;
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        double value = 0;
        if (!number(p, &value)) return false;
        set_constant(p, f, value);
        good = true;
        if (isalpha((unsigned char)*p->at) || *p->at == '(') { /* 80pi, 2(1 + e) */
            good = unary(p, f);
            scale(p, f, value);
            juxtaposed = true;
        }
    } else if (isalpha((unsigned char)*p->at)) {
        good = identifier(p, f);
    } else if (accept(p, '(')) {
        good = sum(p, f) && (accept(p, ')') || fail(p, "')' expected"));
    } else {
        good = fail(p, *p->at == '\0' ? "it ends where a number or a name is expected"
                                      : "a number or a name expected");
    }
    p->depth--;
    p->juxtaposed = juxtaposed;
    return good;
}

static bool unary(parser *p, ic_form *f)
{
    if (accept(p, '-')) {
        if (++p->depth > MAX_DEPTH) return fail(p, "nested too deeply");
        const bool good = unary(p, f);
        p->depth--;
        scale(p, f, -1);
        return good;
    }
    if (!atom(p, f)) return false;
    if (!accept(p, '^')) return true;
    const bool negative = accept(p, '-');
    skip_space(p);
    char *end = NULL;
    errno = 0;
    const long exponent = isdigit((unsigned char)*p->at) ? strtol(p->at, &end, 10) : -1;
    if (exponent < 0 || exponent > 64 || errno != 0) return fail(p, "an integer power from 0 to 64 expected");
    p->at = end;
    if (!is_constant(p, f)) return fail(p, "a power of a quantity that varies");
    double power = 1;
    for (long i = 0; i < exponent; i++) power *= f->constant;
    if (negative && power == 0) return fail(p, "division by zero");
    set_constant(p, f, negative ? 1 / power : power);
    return true;
}

static bool product(parser *p, ic_form *f)
{
    ic_form right;
    if (!unary(p, f)) return false;
    for (;;) {
        if (accept(p, '*')) {
            if (!unary(p, &right) || !multiply(p, f, &right)) return false;
        } else if (accept(p, '/')) {
            if (!unary(p, &right)) return false;
            if (p->juxtaposed) return fail(p, "a divisor such as 2pi is ambiguous: write /(2pi)");
            if (!divide(p, f, &right)) return false;
        } else {
            return true;
        }
    }
}

static bool sum(parser *p, ic_form *f)
{
    ic_form right;
    if (!product(p, f)) return false;
    for (;;) {
        double sign = 0;
        if (accept(p, '+')) sign = 1;
        else if (accept(p, '-')) sign = -1;
        else return true;
        if (!product(p, &right) || !add(p, f, &right, sign)) return false;
    }
}

bool ic_expression(ic_form *form, const char *text, const ic_names *names, ic_error *error)
{
    parser p = {.text = text, .at = text, .names = names, .error = error};
    if (names != NULL && names->system != NULL) p.n_states = names->system->n_states;
    memset(form, 0, sizeof *form);
    if (!sum(&p, form)) return false;
    skip_space(&p);
    if (*p.at != '\0') return fail(&p, "something is left over");
    if (form->time != 0) return fail(&p, "t may only stand inside sin and cos");
    return true;
}

bool ic_expression_number(double *value, const char *text, const ic_names *names, ic_error *error)
{
    ic_form form;
    ic_names constants = names != NULL ? *names : (ic_names){0};
    constants.states = constants.time = false;
    if (!ic_expression(&form, text, &constants, error)) return false;
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
