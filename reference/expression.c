/* SPDX-License-Identifier: MIT */
/* Arithmetic of forms. */
#include "reference/expression.h"

#include "reference/grammar.h"

#include <string.h>

typedef ic_reader reader;

static slong states(const reader *r)
{
    return r->length - IC_BALL_FORM_LENGTH(0);
}

/* Indices in a form after those of the states. */
#define ONE(r) (states(r))
#define COSINE(r) (states(r) + 1)
#define SINE(r) (states(r) + 2)
#define FREQUENCY(r) (states(r) + 3)
#define TIME(r) (states(r) + 4)

static bool form_varies(const reader *r, arb_srcptr f)
{
    for (slong i = 0; i < states(r); i++) {
        if (!arb_is_zero(f + i)) return true;
    }
    return !arb_is_zero(f + COSINE(r)) || !arb_is_zero(f + SINE(r)) || !arb_is_zero(f + TIME(r));
}

static bool form_is_forced(const reader *r, arb_srcptr f)
{
    return !arb_is_zero(f + COSINE(r)) || !arb_is_zero(f + SINE(r));
}

/* f += sign g. Frequencies are equal if they come from the same computation, i.e. their balls are
   identical. */
static bool add_forms(const reader *r, arb_ptr f, arb_ptr g, int sign)
{
    if (form_is_forced(r, f) && form_is_forced(r, g) && !arb_equal(f + FREQUENCY(r), g + FREQUENCY(r))) {
        return ic_complain(r, "two different frequencies");
    }
    if (form_is_forced(r, g)) arb_set(f + FREQUENCY(r), g + FREQUENCY(r));
    for (slong i = 0; i < r->length; i++) {
        if (i == FREQUENCY(r)) continue;
        if (sign > 0) arb_add(f + i, f + i, g + i, r->prec);
        else arb_sub(f + i, f + i, g + i, r->prec);
    }
    return true;
}

static void scale_form(const reader *r, arb_ptr f, const arb_t factor)
{
    for (slong i = 0; i < r->length; i++) {
        if (i != FREQUENCY(r)) arb_mul(f + i, f + i, factor, r->prec);
    }
}

static bool multiply_forms(const reader *r, arb_ptr f, arb_ptr g)
{
    if (form_varies(r, f) && form_varies(r, g)) return ic_complain(r, "a product of two variable quantities");
    if (form_varies(r, g)) {
        scale_form(r, g, f + ONE(r));
        _arb_vec_set(f, g, r->length);
    } else {
        scale_form(r, f, g + ONE(r));
    }
    return true;
}

static bool divide_forms(const reader *r, arb_ptr f, arb_srcptr g)
{
    if (form_varies(r, g)) return ic_complain(r, "division by a variable quantity");
    if (arb_contains_zero(g + ONE(r))) return ic_complain(r, "division by zero");
    for (slong i = 0; i < r->length; i++) {
        if (i != FREQUENCY(r)) arb_div(f + i, f + i, g + ONE(r), r->prec);
    }
    return true;
}

static void set_constant(const reader *r, arb_ptr f, const arb_t value)
{
    arb_set(f + ONE(r), value);
}

static void negate_form(const reader *r, arb_ptr f)
{
    for (slong i = 0; i < r->length; i++) {
        if (i != FREQUENCY(r)) arb_neg(f + i, f + i);
    }
}

static bool raise_to_power(const reader *r, arb_ptr f, ulong exponent)
{
    if (form_varies(r, f)) return ic_complain(r, "a power of a variable quantity");
    arb_pow_ui(f + ONE(r), f + ONE(r), exponent, r->prec);
    return true;
}

static bool invert_form(const reader *r, arb_ptr f)
{
    if (arb_contains_zero(f + ONE(r))) return ic_complain(r, "division by zero");
    arb_inv(f + ONE(r), f + ONE(r), r->prec);
    return true;
}

/* An undecided sign is an error. */
static bool apply_step(const reader *r, arb_ptr f)
{
    if (arb_is_nonnegative(f + ONE(r))) arb_one(f + ONE(r));
    else if (arb_is_negative(f + ONE(r))) arb_zero(f + ONE(r));
    else return ic_complain(r, "the sign of the argument is not decided");
    return true;
}

/* Functions of constants. An undecided sign is an error. */
static bool apply_to_constant(const reader *r, const char *name, arb_ptr value)
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
    if (form_varies(r, f) || form_varies(r, g))
        return ic_complain(r, "functions other than sin and cos take constants only");
    if (strcmp(name, "min") == 0) arb_min(f + ONE(r), f + ONE(r), g + ONE(r), r->prec);
    else if (strcmp(name, "max") == 0) arb_max(f + ONE(r), f + ONE(r), g + ONE(r), r->prec);
    else arb_atan2(f + ONE(r), f + ONE(r), g + ONE(r), r->prec);
    return arb_is_finite(f + ONE(r)) || ic_complain(r, "not a number");
}

static bool apply_function(const reader *r, const char *name, arb_ptr f)
{
    const bool sine = strcmp(name, "sin") == 0, cosine = strcmp(name, "cos") == 0;
    if (!form_varies(r, f)) {
        return strcmp(name, "step") == 0 ? apply_step(r, f) : apply_to_constant(r, name, f + ONE(r));
    }
    if (!sine && !cosine) return ic_complain(r, "functions other than sin and cos take constants only");
    for (slong i = 0; i < states(r) + 3; i++) {
        if (i != ONE(r) && !arb_is_zero(f + i)) {
            return ic_complain(r, "the argument of sin and cos may contain t, but no state");
        }
    }
    /* sin(w t + p) = sin p cos w t + cos p sin w t;  cos(w t + p) = cos p cos w t - sin p sin w t
     */
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

static bool look_up_name(const reader *r, const char *name, arb_ptr f)
{
    const ic_ball_names *names = r->context;
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

static const ic_arithmetic forms = {.constant = set_constant,
                                    .scale = scale_form,
                                    .negate = negate_form,
                                    .look_up = look_up_name,
                                    .add = add_forms,
                                    .multiply = multiply_forms,
                                    .divide = divide_forms,
                                    .power = raise_to_power,
                                    .invert = invert_form,
                                    .apply = apply_function,
                                    .apply_two = apply_two};

bool ic_ball_expression(arb_ptr form, const char *text, const ic_ball_names *names, slong prec, char *message,
                        size_t size)
{
    const slong n = names != NULL && names->system != NULL ? (slong)names->system->n_states : 0;
    reader r = {.text = text,
                .here = text,
                .arithmetic = &forms,
                .context = names,
                .length = IC_BALL_FORM_LENGTH(n),
                .prec = prec,
                .size = size};
    r.message = message;
    if (!ic_read(&r, form)) return false;
    return arb_is_zero(form + TIME(&r)) || ic_complain(&r, "t may only occur inside sin and cos");
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
