/* SPDX-License-Identifier: MIT */
/* Arithmetic of numbers. */
#include "reference/expression.h"

#include "reference/grammar.h"

#include <stdio.h>
#include <string.h>

typedef ic_reader reader;

static void set_constant(const reader *r, arb_ptr f, const arb_t value, const char *text)
{
    (void)r, (void)text;
    arb_set(f, value);
}

static bool add(const reader *r, arb_ptr f, arb_ptr g, int sign)
{
    if (sign > 0) arb_add(f, f, g, r->prec);
    else arb_sub(f, f, g, r->prec);
    return true;
}

static bool multiply(const reader *r, arb_ptr f, arb_ptr g)
{
    arb_mul(f, f, g, r->prec);
    return true;
}

static bool divide(const reader *r, arb_ptr f, arb_srcptr g)
{
    if (arb_contains_zero(g)) return ic_complain(r, "division by zero");
    arb_div(f, f, g, r->prec);
    return true;
}

static void negate(const reader *r, arb_ptr f)
{
    (void)r;
    arb_neg(f, f);
}

static bool raise_to_power(const reader *r, arb_ptr f, ulong exponent)
{
    arb_pow_ui(f, f, exponent, r->prec);
    return true;
}

static bool invert(const reader *r, arb_ptr f)
{
    if (arb_contains_zero(f)) return ic_complain(r, "division by zero");
    arb_inv(f, f, r->prec);
    return true;
}

/* An undecided sign is an error. */
static bool apply_step(const reader *r, arb_ptr f)
{
    if (arb_is_nonnegative(f)) arb_one(f);
    else if (arb_is_negative(f)) arb_zero(f);
    else return ic_complain(r, "the sign of the argument is not decided");
    return true;
}

/* An undecided sign is an error. */
static bool apply_function(const reader *r, const char *name, arb_ptr value)
{
    static const struct {
        const char *name;
        void (*function)(arb_t, const arb_t, slong);
    } plain[] = {{"sin", arb_sin},   {"cos", arb_cos},   {"exp", arb_exp},   {"log", arb_log},
                 {"tan", arb_tan},   {"asin", arb_asin}, {"acos", arb_acos}, {"atan", arb_atan},
                 {"sinh", arb_sinh}, {"cosh", arb_cosh}, {"tanh", arb_tanh}};
    for (size_t i = 0; i < IC_COUNT(plain); i++) {
        if (strcmp(name, plain[i].name) != 0) continue;
        plain[i].function(value, value, r->prec);
        return arb_is_finite(value) || ic_complain(r, "not a number");
    }
    if (strcmp(name, "step") == 0) return apply_step(r, value);
    if (strcmp(name, "abs") == 0) {
        arb_abs(value, value);
    } else if (strcmp(name, "sign") == 0) {
        arb_sgn(value, value);
        if (!arb_is_exact(value)) return ic_complain(r, "the sign of the argument is not decided");
    } else if (strcmp(name, "cbrt") == 0) {
        arb_root_ui(value, value, 3, r->prec); /* of a positive value */
    } else if (arb_is_negative(value)) {
        return ic_complain(r, "the square root of a negative number");
    } else {
        arb_sqrtpos(value, value, r->prec); /* of a ball around an exact 0 it stays finite */
    }
    return arb_is_finite(value) || ic_complain(r, "not a number");
}

static bool apply_two(const reader *r, const char *name, arb_ptr f, arb_ptr g)
{
    if (strcmp(name, "min") == 0) arb_min(f, f, g, r->prec);
    else if (strcmp(name, "max") == 0) arb_max(f, f, g, r->prec);
    else arb_atan2(f, f, g, r->prec);
    return arb_is_finite(f) || ic_complain(r, "not a number");
}

static bool look_up_name(const reader *r, const char *name, arb_ptr f)
{
    const ic_ball_names *names = r->context;
    const ic_case *system = names != NULL ? names->system : NULL;
    if (strcmp(name, "pi") == 0) {
        arb_const_pi(f, r->prec);
        return true;
    }
    if (names != NULL && names->n != NULL && strcmp(name, "n") == 0) {
        arb_set_si(f, *names->n);
        return true;
    }
    for (size_t i = 0; system != NULL && names->par != NULL && i < system->n_parameters; i++) {
        if (strcmp(name, system->parameters[i].name) != 0) continue;
        arb_set(f, names->par + i);
        return true;
    }
    return false;
}

static const ic_arithmetic numbers = {.constant = set_constant,
                                      .negate = negate,
                                      .look_up = look_up_name,
                                      .add = add,
                                      .multiply = multiply,
                                      .divide = divide,
                                      .power = raise_to_power,
                                      .invert = invert,
                                      .apply = apply_function,
                                      .apply_two = apply_two};

bool ic_ball_number(arb_t value, const char *text, const ic_ball_names *names, slong prec, char *message,
                    size_t size)
{
    reader r = {.text = text,
                .here = text,
                .arithmetic = &numbers,
                .context = names,
                .length = 1,
                .prec = prec,
                .size = size};
    r.message = message;
    arb_zero(value);
    return ic_read(&r, value);
}

/* The text of a parameter is a number or, for a default, an expression in the parameters before it. */
bool ic_ball_parameters(arb_ptr par, const ic_problem *problem, slong prec, char *message, size_t size)
{
    const ic_case *system = problem->system;
    const ic_ball_names names = {.system = system, .par = par};
    IC_BALLS(value);
    bool good = true;
    for (size_t i = 0; i < system->n_parameters && good; i++) {
        if (problem->par_text == NULL || problem->par_text[i] == NULL) arb_set_d(value, problem->par[i]);
        else good = ic_ball_number(value, problem->par_text[i], &names, prec, message, size);
        if (good && !arb_is_finite(value)) {
            snprintf(message, size, "parameter '%.60s' is not finite", system->parameters[i].name);
            good = false;
        }
        arb_set(par + i, value);
    }
    return good;
}
