/* SPDX-License-Identifier: MIT */
#include "reference/law/analytic.h"

#include "reference/grammar.h"

#include <acb_poly.h>
#include <string.h>

/* A value is stored in a reader's vector as k, then the real and imaginary part of each
   coefficient. */
typedef struct context {
    const ic_analytic_names *names;
    acb_srcptr w;
    slong length;
    bool *unsupported;
} context;

static const context *context_of(const ic_reader *r)
{
    return r->context;
}

static acb_ptr series(arb_ptr f)
{
    return (acb_ptr)(f + 1); /* an acb is two arbs */
}

static acb_srcptr series_of(arb_srcptr f)
{
    return (acb_srcptr)(f + 1);
}

static slong order_of(arb_srcptr f)
{
    return arf_get_si(arb_midref(f), ARF_RND_NEAR);
}

static bool is_zero(const ic_reader *r, arb_srcptr f)
{
    return _acb_vec_is_zero(series_of(f), context_of(r)->length);
}

/* Rejects a function that is not analytic in w at 0. */
static bool reject_as_unsupported(const ic_reader *r, const char *what)
{
    *context_of(r)->unsupported = true;
    return ic_complain(r, what);
}

static void set_value(const ic_reader *r, arb_ptr f, const arb_t value)
{
    _arb_vec_zero(f, r->length);
    acb_set_arb(series(f), value);
}

static void set_constant(const ic_reader *r, arb_ptr f, const arb_t value, const char *text)
{
    (void)text;
    set_value(r, f, value);
}

static void negate_value(const ic_reader *r, arb_ptr f)
{
    _acb_vec_neg(series(f), series(f), context_of(r)->length);
}

static bool look_up_name(const ic_reader *r, const char *name, arb_ptr f)
{
    const ic_analytic_names *names = context_of(r)->names;
    if (strcmp(name, IC_INDENTATION) == 0) {
        acb_one(series(f));
        arb_set_si(f, 2);
        return true;
    }
    if (strcmp(name, "pi") == 0) {
        acb_const_pi(series(f), r->prec);
        return true;
    }
    for (size_t i = 0; i < names->n; i++) {
        if (strcmp(name, names->parameters[i].name) != 0) continue;
        acb_set_arb(series(f), names->par + i);
        return true;
    }
    return false;
}

static bool multiply_values(const ic_reader *r, arb_ptr f, arb_ptr g)
{
    const slong n = context_of(r)->length;
    IC_COMPLEX_VECTOR(product, n);
    _acb_poly_mullow(product, series(f), n, series(g), n, n, r->prec);
    _acb_vec_set(series(f), product, n);
    arb_add(f, f, g, r->prec);
    return true;
}

/* w^k g becomes w^(k - by) (w^by g), by >= 0 */
static void lower_order(const ic_reader *r, arb_ptr f, slong by)
{
    const slong n = context_of(r)->length;
    IC_COMPLEX_VECTOR(product, n);
    IC_COMPLEX_VECTOR(w, 2);
    acb_set(w, context_of(r)->w);
    acb_one(w + 1);
    for (slong i = 0; i < by; i++) {
        _acb_poly_mullow(product, series(f), n, w, n < 2 ? n : 2, n, r->prec);
        _acb_vec_set(series(f), product, n);
    }
    arb_sub_si(f, f, by, r->prec);
}

static bool add_values(const ic_reader *r, arb_ptr f, arb_ptr g, int sign)
{
    const slong n = context_of(r)->length;
    if (is_zero(r, g)) return true;
    if (is_zero(r, f)) arb_set(f, g);
    const slong excess = order_of(f) - order_of(g);
    if (excess > 0) lower_order(r, f, excess);
    else if (excess < 0) lower_order(r, g, -excess);
    if (sign > 0) _acb_vec_add(series(f), series(f), series(g), n, r->prec);
    else _acb_vec_sub(series(f), series(f), series(g), n, r->prec);
    return true;
}

static bool divide_values(const ic_reader *r, arb_ptr f, arb_srcptr g)
{
    const slong n = context_of(r)->length;
    if (is_zero(r, g)) return ic_complain(r, "division by zero");
    IC_COMPLEX_VECTOR(quotient, n);
    _acb_poly_div_series(quotient, series(f), n, series_of(g), n, n, r->prec);
    _acb_vec_set(series(f), quotient, n);
    arb_sub(f, f, g, r->prec);
    return true;
}

static bool raise_to_power(const ic_reader *r, arb_ptr f, ulong exponent)
{
    IC_BALL_VECTOR(base, r->length);
    IC_BALL_VECTOR(one, r->length);
    _arb_vec_swap(base, f, r->length);
    arb_one(one);
    set_value(r, f, one);
    for (ulong i = 0; i < exponent; i++) multiply_values(r, f, base);
    return true;
}

static bool invert_value(const ic_reader *r, arb_ptr f)
{
    IC_BALL_VECTOR(below, r->length);
    IC_BALLS(one);
    arb_one(one);
    _arb_vec_swap(below, f, r->length);
    set_value(r, f, one);
    return divide_values(r, f, below);
}

/* Returns whether principal sqrt and log are analytic on the ball g_0; if not, makes the value
   indeterminate. */
static bool is_off_the_cut(const ic_reader *r, arb_ptr f)
{
    acb_srcptr value = series(f);
    if (arb_is_positive(acb_realref(value)) || arb_is_nonzero(acb_imagref(value))) return true;
    for (slong i = 0; i < context_of(r)->length; i++) acb_indeterminate(series(f) + i);
    return false;
}

static bool take_square_root(const ic_reader *r, arb_ptr f)
{
    const slong n = context_of(r)->length;
    if (is_zero(r, f)) return true;
    if (order_of(f) % 2 != 0) return reject_as_unsupported(r, "a fourth root of the indentation");
    arb_set_si(f, order_of(f) / 2);
    if (!is_off_the_cut(r, f)) return true;
    IC_COMPLEX_VECTOR(root, n);
    _acb_poly_sqrt_series(root, series(f), n, n, r->prec);
    _acb_vec_set(series(f), root, n);
    return true;
}

/* exp, log, sin and cos of a value that is finite at d = 0 */
static bool apply_transcendental(const ic_reader *r, const char *name, arb_ptr f)
{
    const slong n = context_of(r)->length;
    if (order_of(f) < 0) return reject_as_unsupported(r, "a function whose argument is infinite at d = 0");
    if (order_of(f) > 0) lower_order(r, f, order_of(f));
    IC_COMPLEX_VECTOR(value, n);
    IC_COMPLEX_VECTOR(other, n);
    if (strcmp(name, "exp") == 0) _acb_poly_exp_series(value, series(f), n, n, r->prec);
    else if (strcmp(name, "sin") == 0) _acb_poly_sin_cos_series(value, other, series(f), n, n, r->prec);
    else if (strcmp(name, "cos") == 0) _acb_poly_sin_cos_series(other, value, series(f), n, n, r->prec);
    else if (is_off_the_cut(r, f)) _acb_poly_log_series(value, series(f), n, n, r->prec);
    else _acb_vec_set(value, series(f), n);
    _acb_vec_set(series(f), value, n);
    return true;
}

/* exp(log(g)/3) */
static bool take_cube_root(const ic_reader *r, arb_ptr f)
{
    const slong k = order_of(f);
    IC_BALLS(third);
    if (is_zero(r, f)) return true;
    if (k % 3 != 0) return reject_as_unsupported(r, "a sixth root of the indentation");
    arb_zero(f);
    arb_set_si(third, 3);
    arb_inv(third, third, r->prec);
    bool good = apply_transcendental(r, "log", f);
    if (good) _acb_vec_scalar_mul_arb(series(f), series(f), context_of(r)->length, third, r->prec);
    good = good && apply_transcendental(r, "exp", f);
    arb_set_si(f, k / 3);
    return good;
}

static bool apply_function(const ic_reader *r, const char *name, arb_ptr f)
{
    if (strcmp(name, "sqrt") == 0) return take_square_root(r, f);
    if (strcmp(name, "cbrt") == 0) return take_cube_root(r, f);
    if (strcmp(name, "step") == 0) return reject_as_unsupported(r, "a step is not analytic");
    static const char *const others[] = {"tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "abs", "sign"};
    for (size_t i = 0; i < IC_COUNT(others); i++) {
        if (strcmp(name, others[i]) == 0) return reject_as_unsupported(r, "a function without a series here");
    }
    if (strcmp(name, "log") == 0 && order_of(f) != 0)
        return reject_as_unsupported(r, "the logarithm of a power of the indentation");
    return apply_transcendental(r, name, f);
}

static bool apply_two(const ic_reader *r, const char *name, arb_ptr f, arb_ptr g)
{
    (void)name, (void)f, (void)g;
    return reject_as_unsupported(r, "a function without a series here");
}

static const ic_arithmetic analytic = {.constant = set_constant,
                                       .negate = negate_value,
                                       .look_up = look_up_name,
                                       .add = add_values,
                                       .multiply = multiply_values,
                                       .divide = divide_values,
                                       .power = raise_to_power,
                                       .invert = invert_value,
                                       .apply = apply_function,
                                       .apply_two = apply_two};

ic_status ic_analytic_text(ic_analytic_value *value, const char *text, const ic_analytic_names *names,
                           const acb_t w, slong prec, char *message, size_t size)
{
    bool unsupported = false;
    const context with = {.names = names, .w = w, .length = value->length, .unsupported = &unsupported};
    ic_reader r = {.text = text,
                   .here = text,
                   .arithmetic = &analytic,
                   .context = &with,
                   .length = 1 + 2 * value->length,
                   .prec = prec,
                   .size = size};
    r.message = message;
    IC_BALL_VECTOR(f, r.length);
    const bool good = ic_read(&r, f);
    value->k = order_of(f);
    _acb_vec_set(value->g, series(f), value->length);
    return good ? IC_OK : unsupported ? IC_UNSUPPORTED : IC_INVALID;
}
