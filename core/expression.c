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
#include "core/number_code.h"
#include "core/scan.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 64, MOST_NAME = 64 };

/* The coefficients of a form, in the order of ic_form. */
enum { CONSTANT, TIME, COSINE, SINE, FREQUENCY, STATES };

/** A form that is being parsed; while code is recorded, the term of each coefficient too. */
typedef struct parsed_form {
    double value[STATES + IC_MAX_STATES];
    int term[STATES + IC_MAX_STATES];
} parsed_form;

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

void ic_text_append(char *text, size_t size, const char *format, ...)
{
    va_list arguments;
    const size_t used = strlen(text);
    va_start(arguments, format);
    vsnprintf(text + used, size - used, format, arguments);
    va_end(arguments);
}

void ic_list_append(char *list, size_t size, const char *item)
{
    ic_text_append(list, size, "%s%s", list[0] != '\0' ? ", " : "", item);
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

/* ---- coefficients; while a text is parsed, only those of the first n_states states are set */

static inline ic_code *code_of(const expression_parser *p)
{
    return p->names == NULL ? NULL : p->names->code;
}

static inline size_t coefficients_of(const expression_parser *p)
{
    return STATES + p->n_states;
}

static void set_number(const expression_parser *p, parsed_form *f, size_t i, double value)
{
    ic_code *code = code_of(p);
    f->value[i] = value;
    f->term[i] = code != NULL ? ic_code_number(code, value) : 0;
}

/* As ic_operation_value; operations on all coefficients of a form are the common ones. */
static inline double operation_value(ic_operation operation, double a, double b)
{
    switch (operation) {
    case IC_OP_ADD: return a + b;
    case IC_OP_SUBTRACT: return a - b;
    case IC_OP_MULTIPLY: return a * b;
    case IC_OP_DIVIDE: return a / b;
    default: return ic_operation_value(operation, a, b, 0);
    }
}

/* f_i becomes the operation on f_i and g_k. */
static inline void apply_operation(const expression_parser *p, ic_operation operation, parsed_form *f, size_t i,
                                   const parsed_form *g, size_t k)
{
    ic_code *code = code_of(p);
    f->value[i] = operation_value(operation, f->value[i], g->value[k]);
    if (code != NULL) f->term[i] = ic_code_apply(code, operation, f->term[i], g->term[k], f->value[i]);
}

static void copy_coefficient(parsed_form *f, size_t to, const parsed_form *g, size_t from)
{
    f->value[to] = g->value[from];
    f->term[to] = g->term[from];
}

/* Whether a coefficient is zero; while code is recorded, for all inputs. */
static inline bool is_zero(const expression_parser *p, const parsed_form *f, size_t i)
{
    const ic_code *code = code_of(p);
    return code != NULL && !code->failed ? ic_code_is_zero(code, f->term[i]) : f->value[i] == 0;
}

static void set_constant(const expression_parser *p, parsed_form *f, double value)
{
    const size_t n = coefficients_of(p);
    const int zero = code_of(p) != NULL ? ic_code_number(code_of(p), 0) : 0;
    memset(f->value, 0, n * sizeof *f->value);
    for (size_t i = TIME; i < n; i++) f->term[i] = zero;
    set_number(p, f, CONSTANT, value);
}

static bool form_is_constant(const expression_parser *p, const parsed_form *f)
{
    for (size_t i = STATES; i < coefficients_of(p); i++) {
        if (!is_zero(p, f, i)) return false;
    }
    return is_zero(p, f, TIME) && is_zero(p, f, COSINE) && is_zero(p, f, SINE);
}

static bool form_is_forced(const expression_parser *p, const parsed_form *f)
{
    return !is_zero(p, f, COSINE) || !is_zero(p, f, SINE);
}

static bool same_frequency(const expression_parser *p, const parsed_form *f, const parsed_form *g)
{
    if (code_of(p) != NULL) return f->term[FREQUENCY] == g->term[FREQUENCY];
    return f->value[FREQUENCY] == g->value[FREQUENCY];
}

static void take_magnitudes(const expression_parser *p, parsed_form *f)
{
    for (size_t i = 0; i < coefficients_of(p); i++) {
        if (i != FREQUENCY) f->value[i] = fabs(f->value[i]);
    }
}

static bool add_form(const expression_parser *p, parsed_form *f, parsed_form *g, ic_operation operation)
{
    if (form_is_forced(p, g)) {
        if (form_is_forced(p, f) && !same_frequency(p, f, g))
            return report_error(p, "forcing at two different frequencies");
        copy_coefficient(f, FREQUENCY, g, FREQUENCY);
    }
    if (p->magnitudes) {
        take_magnitudes(p, f);
        take_magnitudes(p, g);
        operation = IC_OP_ADD;
    }
    for (size_t i = 0; i < coefficients_of(p); i++) {
        if (i != FREQUENCY) apply_operation(p, operation, f, i, g, i);
    }
    return true;
}

/* Multiplies a form by a constant one, or divides it: a quotient of constants is rounded only once. */
static void scale_form(const expression_parser *p, parsed_form *f, ic_operation operation, const parsed_form *g)
{
    parsed_form factor; /* g may be f */
    copy_coefficient(&factor, CONSTANT, g, CONSTANT);
    for (size_t i = 0; i < coefficients_of(p); i++) {
        if (i != FREQUENCY) apply_operation(p, operation, f, i, &factor, CONSTANT);
    }
}

static void multiply_by_number(const expression_parser *p, parsed_form *f, double value)
{
    parsed_form factor;
    set_number(p, &factor, CONSTANT, value);
    scale_form(p, f, IC_OP_MULTIPLY, &factor);
}

static void copy_form(const expression_parser *p, parsed_form *f, const parsed_form *g)
{
    memcpy(f->value, g->value, coefficients_of(p) * sizeof *f->value);
    if (code_of(p) != NULL) memcpy(f->term, g->term, coefficients_of(p) * sizeof *f->term);
}

static bool multiply_form(const expression_parser *p, parsed_form *f, const parsed_form *g)
{
    if (form_is_constant(p, g)) {
        scale_form(p, f, IC_OP_MULTIPLY, g);
        return true;
    }
    if (!form_is_constant(p, f)) return report_error(p, "a product of two variable quantities");
    parsed_form product;
    copy_form(p, &product, g);
    scale_form(p, &product, IC_OP_MULTIPLY, f);
    copy_form(p, f, &product);
    return true;
}

static bool check_divisor(const expression_parser *p, const parsed_form *g)
{
    if (g->value[CONSTANT] == 0) return report_error(p, "division by zero");
    if (code_of(p) != NULL) ic_code_require(code_of(p), &code_of(p)->divisors, g->term[CONSTANT]);
    return true;
}

static bool divide_form(const expression_parser *p, parsed_form *f, const parsed_form *g)
{
    if (!form_is_constant(p, g)) return report_error(p, "division by a variable quantity");
    if (!check_divisor(p, g)) return false;
    scale_form(p, f, IC_OP_DIVIDE, g);
    return true;
}

static bool parse_sum(expression_parser *p, parsed_form *f);
static bool parse_power(expression_parser *p, parsed_form *f);

static inline bool same_name(const char *a, const char *b)
{
    return a[0] == b[0] && strcmp(a, b) == 0; /* most names differ in their first letter */
}

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

/* f becomes constant: the value of a function, whose operands are those of f and g. */
static bool apply_function(const expression_parser *p, const known_function *function, parsed_form *f,
                           const parsed_form *g)
{
    apply_operation(p, function->operation, f, CONSTANT, function->operands == 1 ? f : g, CONSTANT);
    for (size_t i = TIME; i < coefficients_of(p); i++) set_number(p, f, i, 0);
    if (isnan(f->value[CONSTANT])) return report_error(p, "not a number");
    if (code_of(p) != NULL) ic_code_require(code_of(p), &code_of(p)->results, f->term[CONSTANT]);
    return true;
}

/* f = phase + frequency t becomes its sine or cosine. */
static void apply_forcing(const expression_parser *p, bool sine, parsed_form *f)
{
    copy_coefficient(f, COSINE, f, CONSTANT);
    copy_coefficient(f, SINE, f, CONSTANT);
    copy_coefficient(f, FREQUENCY, f, TIME);
    set_number(p, f, CONSTANT, 0);
    set_number(p, f, TIME, 0);
    apply_operation(p, sine ? IC_OP_SIN : IC_OP_COS, f, COSINE, f, COSINE);
    apply_operation(p, sine ? IC_OP_COS : IC_OP_SIN, f, SINE, f, SINE);
    if (!sine) apply_operation(p, IC_OP_NEGATE, f, SINE, f, SINE);
}

static bool parse_call(expression_parser *p, const known_function *function, parsed_form *f)
{
    parsed_form second;
    second.value[CONSTANT] = second.term[CONSTANT] = 0;
    const bool magnitudes = p->magnitudes;
    p->magnitudes = false;
    if (!parse_sum(p, f)) return false;
    if (function->operands == 2) {
        if (!ic_accept_char(&p->at, ',')) return report_error(p, "expected ','");
        if (!parse_sum(p, &second)) return false;
    }
    p->magnitudes = magnitudes;
    if (!ic_accept_char(&p->at, ')')) return report_error(p, "expected ')'");
    if (form_is_constant(p, f) && (function->operands == 1 || form_is_constant(p, &second)))
        return apply_function(p, function, f, &second);
    const bool sine = function->operation == IC_OP_SIN;
    if (!sine && function->operation != IC_OP_COS)
        return report_error(p, "functions other than sin and cos take constants only");
    parsed_form argument;
    copy_form(p, &argument, f);
    set_number(p, &argument, TIME, 0);
    if (!form_is_constant(p, &argument))
        return report_error(p, "the argument of sin and cos may contain t, but no state");
    apply_forcing(p, sine, f);
    return true;
}

static bool resolve_name(const expression_parser *p, const char *name, parsed_form *f)
{
    const ic_names *names = p->names;
    set_constant(p, f, 0);
    if (same_name(name, "pi")) {
        set_number(p, f, CONSTANT, 3.14159265358979323846);
        return true;
    }
    if (names != NULL && names->n != NULL && same_name(name, "n")) {
        set_number(p, f, CONSTANT, *names->n);
        return true;
    }
    if (names != NULL && names->system != NULL && names->states) {
        for (size_t i = 0; i < names->system->n_states; i++) {
            if (!same_name(name, names->system->states[i].name)) continue;
            set_number(p, f, STATES + i, 1);
            return true;
        }
    }
    if (names != NULL && names->time && same_name(name, "t")) {
        set_number(p, f, TIME, 1);
        return true;
    }
    if (names != NULL && names->system != NULL && names->par != NULL) {
        for (size_t i = 0; i < names->system->n_parameters; i++) {
            if (!same_name(name, names->system->parameters[i].name)) continue;
            f->value[CONSTANT] = names->par[i];
            f->term[CONSTANT] = names->code != NULL ? names->par_terms[i] : 0;
            return true;
        }
    }
    return false;
}

static bool parse_identifier(expression_parser *p, parsed_form *f)
{
    char name[MOST_NAME];
    const char *start = p->at;
    size_t length = 0;
    while (isalnum((unsigned char)*p->at) || *p->at == '_') p->at++;
    length = (size_t)(p->at - start);
    if (length >= sizeof name) return report_error(p, "the name is too long");
    memcpy(name, start, length);
    name[length] = '\0';
    const char *end = p->at;
    if (ic_accept_char(&p->at, '(')) {
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
    end = ic_after_exponent(end);
    if ((size_t)(end - p->at) >= sizeof digits) return report_error(p, "the number has too many digits");
    memcpy(digits, p->at, (size_t)(end - p->at));
    digits[end - p->at] = '\0';
    *value = strtod(digits, &stop);
    if (stop == digits || *stop != '\0') return report_error(p, "not a number");
    if (!isfinite(*value)) return report_error(p, "the number exceeds the range of double precision");
    p->at = end;
    return true;
}

static bool parse_atom(expression_parser *p, parsed_form *f)
{
    if (++p->depth > MOST_DEPTH) return report_error(p, "nested too deeply");
    p->at = ic_after_space(p->at);
    bool good = false, juxtaposed = false;
    if (isdigit((unsigned char)*p->at) || *p->at == '.') {
        double value = 0;
        if (!parse_number(p, &value)) return false;
        set_constant(p, f, value);
        good = true;
        if (isalpha((unsigned char)*p->at) || *p->at == '(') { /* 80pi, 2(1 + e) */
            good = parse_power(p, f);
            multiply_by_number(p, f, value);
            juxtaposed = true;
        }
    } else if (isalpha((unsigned char)*p->at)) {
        good = parse_identifier(p, f);
    } else if (ic_accept_char(&p->at, '(')) {
        good = parse_sum(p, f) && (ic_accept_char(&p->at, ')') || report_error(p, "expected ')'"));
    } else {
        good = report_error(p, *p->at == '\0' ? "the expression ends where a number or a name is expected"
                                              : "expected a number or a name");
    }
    p->depth--;
    p->juxtaposed = juxtaposed;
    return good;
}

static bool parse_power(expression_parser *p, parsed_form *f)
{
    if (ic_accept_char(&p->at, '-')) {
        if (++p->depth > MOST_DEPTH) return report_error(p, "nested too deeply");
        const bool good = parse_power(p, f);
        p->depth--;
        multiply_by_number(p, f, -1);
        return good;
    }
    if (!parse_atom(p, f)) return false;
    if (!ic_accept_char(&p->at, '^')) return true;
    const bool negative = ic_accept_char(&p->at, '-');
    p->at = ic_after_space(p->at);
    char *end = NULL;
    errno = 0;
    const long exponent = isdigit((unsigned char)*p->at) ? strtol(p->at, &end, 10) : -1;
    if (exponent < 0 || exponent > 64 || errno != 0)
        return report_error(p, "expected an integer power from 0 to 64");
    p->at = end;
    if (!form_is_constant(p, f)) return report_error(p, "a power of a variable quantity");
    parsed_form power;
    set_number(p, &power, CONSTANT, 1);
    for (long i = 0; i < exponent; i++) apply_operation(p, IC_OP_MULTIPLY, &power, CONSTANT, f, CONSTANT);
    if (negative) {
        if (!check_divisor(p, &power)) return false;
        set_number(p, f, CONSTANT, 1);
        apply_operation(p, IC_OP_DIVIDE, f, CONSTANT, &power, CONSTANT);
    } else {
        copy_coefficient(f, CONSTANT, &power, CONSTANT);
    }
    return true;
}

static bool parse_product(expression_parser *p, parsed_form *f)
{
    parsed_form right;
    if (!parse_power(p, f)) return false;
    for (;;) {
        if (ic_accept_char(&p->at, '*')) {
            if (!parse_power(p, &right) || !multiply_form(p, f, &right)) return false;
        } else if (ic_accept_char(&p->at, '/')) {
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

static bool parse_sum(expression_parser *p, parsed_form *f)
{
    parsed_form right;
    if (!parse_product(p, f)) return false;
    for (;;) {
        ic_operation operation = IC_OP_ADD;
        if (ic_accept_char(&p->at, '-')) operation = IC_OP_SUBTRACT;
        else if (!ic_accept_char(&p->at, '+')) return true;
        if (!parse_product(p, &right) || !add_form(p, f, &right, operation)) return false;
    }
}

/* Sets the coefficients of the first n_states states and no others. */
static bool parse_form(parsed_form *form, const char *text, const ic_names *names, ic_error *error)
{
    expression_parser p = {.text = text, .at = text, .names = names, .error = error};
    if (names != NULL && names->system != NULL) p.n_states = names->system->n_states;
    p.magnitudes = names != NULL && names->magnitudes;
    if (!parse_sum(&p, form)) return false;
    p.at = ic_after_space(p.at);
    if (*p.at != '\0') return report_error(&p, "text follows the end of the expression");
    if (!is_zero(&p, form, TIME)) return report_error(&p, "t may only occur inside sin and cos");
    return true;
}

bool ic_expression(ic_form *form, const char *text, const ic_names *names, ic_error *error)
{
    parsed_form parsed;
    memset(form, 0, sizeof *form);
    if (names != NULL && names->given != NULL && ic_given_form(names->given, names->par, text, form))
        return true;
    if (!parse_form(&parsed, text, names, error)) return false;
    const size_t n = names != NULL && names->system != NULL ? names->system->n_states : 0;
    form->constant = parsed.value[CONSTANT];
    form->cosine = parsed.value[COSINE];
    form->sine = parsed.value[SINE];
    form->frequency = parsed.value[FREQUENCY];
    memcpy(form->state, parsed.value + STATES, n * sizeof *form->state);
    return true;
}

bool ic_expression_record(int *terms, const char *text, const ic_names *names, ic_error *error)
{
    parsed_form parsed;
    if (!parse_form(&parsed, text, names, error) || names->code->failed) return false;
    memcpy(terms, parsed.term, (STATES + names->system->n_states) * sizeof *terms);
    return true;
}

bool ic_expression_number(double *value, const char *text, const ic_names *names, ic_error *error)
{
    parsed_form form;
    ic_names constants = names != NULL ? *names : (ic_names){0};
    constants.states = constants.time = false;
    const bool given =
        constants.given != NULL && ic_given_number(constants.given, constants.par, text, &form.value[CONSTANT]);
    if (!given && !parse_form(&form, text, &constants, error)) return false;
    if (!isfinite(form.value[CONSTANT])) {
        ic_error_set(error, "'%s' is not finite", text);
        return false;
    }
    *value = form.value[CONSTANT];
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
