/* SPDX-License-Identifier: MIT */
#include "reference/flow/flow_translate.h"

#include "reference/closed/cantilever.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Identities of numbers that are not parameters: IC_OP_PI and fractions; texts have their own. */
enum { PI_NUMBER = -1000, HALF_NUMBER, THIRD_NUMBER };

static const ic_translated failed = {-1, 0};

static ic_translated translate(ic_translation *t, int i);
static ic_translated argument(ic_translation *t, int i);
static bool read_fraction(fmpq_t value, const char *text);
static bool parameter_fraction(fmpq_t value, const ic_problem *problem, int index);

static ic_translated fail(ic_translation *t, const char *text)
{
    if (t->message[0] == '\0') snprintf(t->message, sizeof t->message, "%s", text);
    return failed;
}

/* ---- arithmetic of u^power times a term */

static ic_translated plain(int term)
{
    return (ic_translated){term, 0};
}

/* 1 if two terms are equal, -1 if they are opposite, otherwise 0. */
static int compare(const ic_flow_terms *terms, int x, int y)
{
    return x == y ? 1 : ic_flow_term_opposite(terms, x, y) ? -1 : 0;
}

/* The base itself is u^q, and terms that are further variables are these. */
static ic_translated known_as(ic_translation *t, ic_translated value)
{
    if (value.term < 0 || value.power != 0) return value;
    int base = t->base < 0 ? 0 : compare(t->terms, value.term, t->base);
    if (base == 0 && t->base >= 0 && t->base_by_variables >= 0)
        base = compare(t->terms, value.term, t->base_by_variables);
    if (base != 0) return (ic_translated){ic_flow_term_integer(t->terms, base), t->q};
    for (size_t i = 0; i < t->n_defined; i++) {
        const int sign = compare(t->terms, value.term, t->defined[i]);
        if (sign == 0) continue;
        const int variable = t->variables[i];
        return plain(sign > 0 ? variable : ic_flow_term_negate(t->terms, variable));
    }
    return value;
}

int ic_translate_define(ic_translation *t, int definition)
{
    const int variable = ic_flow_term_define(t->terms, definition);
    if (variable < 0) return -1;
    t->defined[t->n_defined] = definition;
    t->variables[t->n_defined++] = variable;
    return variable;
}

static int times_clock(ic_translation *t, int term, slong power)
{
    return power == 0 ? term : ic_flow_term_multiply(t->terms, ic_flow_term_clock_power(t->terms, power), term);
}

int ic_translated_term(ic_translation *t, ic_translated value)
{
    if (value.term < 0) return -1;
    if (value.power < 0) {
        fail(t, "a formula is infinite where a fractional power is zero");
        return -1;
    }
    return times_clock(t, value.term, value.power);
}

/*
 * The exact value of a term of parameters and whole numbers, whose ball has a radius where they are decimals. false: it
 * is not known to be a fraction. `work` bounds the terms that are looked at.
 */
static bool term_fraction(fmpq_t value, const ic_translation *t, int i, int *work)
{
    const ic_flow_term *term = &t->terms->list[i];
    arb_srcptr ball = t->terms->values + i;
    if (!term->constant || --*work < 0) return false;
    if (arb_is_exact(ball)) {
        arf_get_fmpq(value, arb_midref(ball));
        return true;
    }
    if (term->kind == IC_FLOW_NUMBER && term->text != NULL) return read_fraction(value, term->text);
    if (term->kind == IC_FLOW_NUMBER)
        return term->index >= 0 && (size_t)term->index < t->problem->system->n_parameters &&
               parameter_fraction(value, t->problem, term->index);
    if (term->kind != IC_FLOW_SUM && term->kind != IC_FLOW_DIFFERENCE && term->kind != IC_FLOW_PRODUCT &&
        term->kind != IC_FLOW_RECIPROCAL)
        return false;
    if (!term_fraction(value, t, term->a, work)) return false;
    if (term->kind == IC_FLOW_RECIPROCAL) {
        if (fmpq_is_zero(value)) return false;
        fmpq_inv(value, value);
        return true;
    }
    IC_RATIONALS(other);
    const bool good = term_fraction(other, t, term->b, work);
    if (good && term->kind == IC_FLOW_SUM) fmpq_add(value, value, other);
    if (good && term->kind == IC_FLOW_DIFFERENCE) fmpq_sub(value, value, other);
    if (good && term->kind == IC_FLOW_PRODUCT) fmpq_mul(value, value, other);
    return good;
}

/* Whether a sum of decimals is exactly zero, as 0.1 + 0.2 - 0.3 is, though its ball is not. */
static bool is_zero_sum(const ic_translation *t, int i)
{
    enum { MOST_TERMS = 200 };
    int work = MOST_TERMS;
    if (i < 0 || !t->terms->list[i].constant || !arb_contains_zero(t->terms->values + i)) return false;
    IC_RATIONALS(value);
    return term_fraction(value, t, i, &work) && fmpq_is_zero(value);
}

static ic_translated add(ic_translation *t, ic_translated a, ic_translated b, int sign)
{
    if (a.term < 0 || b.term < 0) return failed;
    if (ic_flow_term_is_zero(t->terms, b.term)) return a;
    if (ic_flow_term_is_zero(t->terms, a.term))
        return sign > 0 ? b : (ic_translated){ic_flow_term_negate(t->terms, b.term), b.power};
    const slong power = a.power < b.power ? a.power : b.power;
    const int x = times_clock(t, a.term, a.power - power), y = times_clock(t, b.term, b.power - power);
    const int sum = sign > 0 ? ic_flow_term_add(t->terms, x, y) : ic_flow_term_subtract(t->terms, x, y);
    if (!t->proved && is_zero_sum(t, sum)) return plain(ic_flow_term_integer(t->terms, 0));
    return known_as(t, (ic_translated){sum, power});
}

static ic_translated multiply(ic_translation *t, ic_translated a, ic_translated b)
{
    if (a.term < 0 || b.term < 0) return failed;
    return known_as(t, (ic_translated){ic_flow_term_multiply(t->terms, a.term, b.term), a.power + b.power});
}

static ic_translated negate(ic_translation *t, ic_translated a)
{
    return multiply(t, plain(ic_flow_term_integer(t->terms, -1)), a);
}

static ic_translated invert(ic_translation *t, ic_translated a)
{
    if (a.term < 0) return failed;
    if (ic_flow_term_is_zero(t->terms, a.term)) return fail(t, "a division by zero");
    return (ic_translated){ic_flow_term_invert(t->terms, a.term), -a.power};
}

/* ---- signs */

static int sign_of_constant(const ic_flow_terms *terms, int term)
{
    if (arb_is_zero(terms->values + term)) return 0;
    const int sign = ic_ball_sign(terms->values + term);
    return sign != 0 ? sign : IC_NO_SIGN;
}

static int known_sign(const ic_translation *t, int term)
{
    for (size_t i = 0; i < t->n_known; i++) {
        const int ratio = ic_flow_term_ratio_sign(t->terms, term, t->known[i].term);
        if (ratio == 0) continue;
        t->known[i].used = true;
        return t->known[i].sign == IC_NO_SIGN ? IC_NO_SIGN : ratio * t->known[i].sign;
    }
    return IC_NO_SIGN;
}

static bool assume(ic_translation *t, int term, int sign)
{
    for (size_t i = 0; i < t->n_assumptions; i++) {
        if (t->assumptions[i].term == term) return true;
    }
    if (t->n_assumptions == t->assumption_capacity) {
        const size_t capacity = 2 * t->assumption_capacity + 8;
        ic_assumption *grown = realloc(t->assumptions, capacity * sizeof *grown);
        if (grown == NULL) {
            t->terms->failed = true;
            return false;
        }
        t->assumptions = grown;
        t->assumption_capacity = capacity;
    }
    t->assumptions[t->n_assumptions++] = (ic_assumption){term, sign};
    return true;
}

static int sign_of_term(ic_translation *t, int i);

/* The sign of a product or a reciprocal of which a factor has a known sign. */
static int sign_of_factors(ic_translation *t, const ic_flow_term *term)
{
    if (term->kind == IC_FLOW_RECIPROCAL) return sign_of_term(t, term->a);
    if (term->kind != IC_FLOW_PRODUCT) return IC_NO_SIGN;
    int sign = 0;
    if (ic_translated_guard(t, term->a, &sign) == NULL && ic_translated_guard(t, term->b, &sign) == NULL)
        return IC_NO_SIGN;
    const int a = sign_of_term(t, term->a), b = sign_of_term(t, term->b);
    return a == IC_NO_SIGN || b == IC_NO_SIGN ? IC_NO_SIGN : a * b;
}

static int sign_of_term(ic_translation *t, int i)
{
    const ic_flow_term term = t->terms->list[i];
    if (term.constant) return sign_of_constant(t->terms, i);
    if (ic_flow_term_is_positive(t->terms, i)) return 1;
    const int known = known_sign(t, i);
    if (known != IC_NO_SIGN) return known;
    const int by_factors = sign_of_factors(t, &term);
    if (by_factors != IC_NO_SIGN || t->known_only) return by_factors;
    const int sign = ic_ball_sign(t->terms->values + i);
    return sign != 0 && assume(t, i, sign) ? sign : IC_NO_SIGN;
}

int ic_translated_sign(ic_translation *t, ic_translated value)
{
    return value.term < 0 ? IC_NO_SIGN : sign_of_term(t, value.term);
}

static int sign_or_fail(ic_translation *t, ic_translated value, const char *operation)
{
    char text[160];
    const int sign = ic_translated_sign(t, value);
    if (sign != IC_NO_SIGN || value.term < 0) return sign;
    char *digits = arb_get_str(t->terms->values + value.term, 6, 0);
    snprintf(text, sizeof text, "the sign of an argument of '%s' near %.60s", operation, digits);
    flint_free(digits);
    fail(t, text);
    return IC_NO_SIGN;
}

ic_known_sign *ic_translated_guard(const ic_translation *t, int term, int *sign)
{
    for (size_t i = 0; i < t->n_known; i++) {
        *sign = ic_flow_term_ratio_sign(t->terms, term, t->known[i].term);
        if (*sign != 0) return &t->known[i];
    }
    const ic_flow_term *product = &t->terms->list[term];
    if (product->kind != IC_FLOW_PRODUCT) return NULL;
    for (int i = 0; i < 2; i++) {
        const int factor = i == 0 ? product->a : product->b, other = i == 0 ? product->b : product->a;
        const int other_sign = ic_ball_sign(t->terms->values + other);
        ic_known_sign *found = other_sign != 0 ? ic_translated_guard(t, factor, sign) : NULL;
        *sign *= other_sign;
        if (found != NULL) return found;
    }
    return NULL;
}

/* ---- numbers */

/* The exact value of a decimal or a fraction of decimals. false: the text is neither. */
static bool read_fraction(fmpq_t value, const char *text)
{
    fmpz_t digits, scale;
    bool any = false, good = true;
    slong exponent = 0;
    const char *c = text;
    fmpz_init(digits), fmpz_init(scale);
    const bool minus = *c == '-';
    if (minus) c++;
    for (bool point = false; (*c >= '0' && *c <= '9') || (*c == '.' && !point); c++) {
        if (*c == '.') {
            point = true;
            continue;
        }
        fmpz_mul_ui(digits, digits, 10);
        fmpz_add_ui(digits, digits, (ulong)(*c - '0'));
        exponent -= point;
        any = true;
    }
    if (any && (*c == 'e' || *c == 'E')) {
        char *end = NULL;
        exponent += strtol(c + 1, &end, 10);
        good = end != c + 1;
        c = end;
    }
    good = good && any && exponent > -400 && exponent < 400;
    if (good) {
        fmpz_ui_pow_ui(scale, 10, (ulong)(exponent < 0 ? -exponent : exponent));
        fmpq_set_fmpz(value, digits);
        if (exponent < 0) fmpq_div_fmpz(value, value, scale);
        else fmpq_mul_fmpz(value, value, scale);
        if (minus) fmpq_neg(value, value);
    }
    fmpz_clear(digits), fmpz_clear(scale);
    if (good && *c == '/') {
        IC_RATIONALS(below);
        good = read_fraction(below, c + 1) && !fmpq_is_zero(below);
        if (good) fmpq_div(value, value, below);
        return good;
    }
    return good && *c == '\0';
}

static bool parameter_fraction(fmpq_t value, const ic_problem *problem, int index)
{
    const ic_case *system = problem->system;
    const char *text = problem->par_text == NULL ? NULL : problem->par_text[index];
    /* the value of another parameter */
    for (int depth = 0; text != NULL && depth < 8; depth++) {
        if (read_fraction(value, text)) return true;
        const char *next = NULL;
        for (size_t i = 0; i < system->n_parameters && next == NULL; i++) {
            if (strcmp(system->parameters[i].name, text) == 0) next = problem->par_text[i];
        }
        text = next;
    }
    return false;
}

/* The first parameter of the same exact value, so that a difference of both is zero in formulas, too. */
static int first_of_value(const ic_translation *t, int index)
{
    const double *par = t->problem->par;
    IC_RATIONALS(own, other);
    int first = 0;
    while (first < index && !(par[first] == par[index] && parameter_fraction(own, t->problem, index) &&
                              parameter_fraction(other, t->problem, first) && fmpq_equal(own, other)))
        first++;
    return first;
}

/* The exact value of an operation on fractions. false: it is not known to be a fraction. */
static bool exact_fraction(fmpq_t value, const ic_translation *t, int i)
{
    const ic_equation_term *term = &t->equations->terms[i];
    const char *text = t->equations->texts == NULL ? NULL : t->equations->texts[i];
    IC_RATIONALS(other);
    bool good;
    if (term->operation == IC_OP_NUMBER) {
        if (text != NULL) return read_fraction(value, text);
        fmpq_set_si(value, (slong)term->number, 1);
        return (double)(slong)term->number == term->number;
    }
    if (term->operation == IC_OP_PARAMETER) return parameter_fraction(value, t->problem, term->a);
    if (term->operation == IC_OP_NEGATE) {
        good = exact_fraction(value, t, term->a);
        fmpq_neg(value, value);
        return good;
    }
    if (term->operation < IC_OP_ADD || term->operation > IC_OP_DIVIDE) return false;
    good = exact_fraction(value, t, term->a) && exact_fraction(other, t, term->b);
    if (good) {
        if (term->operation == IC_OP_ADD) fmpq_add(value, value, other);
        else if (term->operation == IC_OP_SUBTRACT) fmpq_sub(value, value, other);
        else if (term->operation == IC_OP_MULTIPLY) fmpq_mul(value, value, other);
        else if (fmpq_is_zero(other)) good = false;
        else fmpq_div(value, value, other);
    }
    return good;
}

/* Equal texts are equal numbers. The identities of parameters are their numbers. */
static int identity_of_text(const ic_translation *t, const char *text)
{
    unsigned identity = 0;
    for (const char *c = text; *c != '\0'; c++) identity = (identity * 31 + (unsigned char)*c) & 0x3fffffffu;
    return (int)identity + (int)t->problem->system->n_parameters;
}

bool ic_table_number(arb_t value, const char *name, slong prec)
{
    static const struct {
        const char *format;
        int indices;
    } tables[] = {{"cantilever_lambda(%d)", 1},
                  {"cantilever_sigma(%d)", 1},
                  {"cantilever_gamma(%d)", 1},
                  {"cantilever_A(%d, %d)", 2},
                  {"cantilever_B(%d, %d)", 2}};
    size_t which = 0;
    int r = 0, j = 1;
    while (which < IC_COUNT(tables) && sscanf(name, tables[which].format, &r, &j) != tables[which].indices)
        which++;
    if (which == IC_COUNT(tables) || r < 1 || j < 1) return false;
    ic_cantilever_mode first, second;
    ic_cantilever_mode_init(&first, r - 1, prec);
    ic_cantilever_mode_init(&second, j - 1, prec);
    /* (1 - xi^2) and (1 - xi) times the slopes of both modes */
    const ic_cantilever_integrand integrand = {.weight = {1, which == 3 ? 0 : -1, which == 3 ? -1 : 0},
                                               .first = &first,
                                               .second = r == j ? &first : &second,
                                               .derivative = 1};
    if (which == 0) arb_set(value, first.lambda);
    else if (which == 1) arb_set(value, first.sigma);
    else if (which == 2) ic_cantilever_mode_tail(value, &first);
    else ic_cantilever_integral(value, &integrand);
    arb_abs(value, value);
    ic_cantilever_mode_clear(&first);
    ic_cantilever_mode_clear(&second);
    return true;
}

void ic_table_numbers_clear(ic_table_numbers *numbers)
{
    _arb_vec_clear(numbers->values, (slong)numbers->capacity);
    flint_free(numbers->texts);
    *numbers = (ic_table_numbers){0};
}

static void keep_number(ic_table_numbers *numbers, const char *text, const arb_t value)
{
    if (numbers->n == numbers->capacity) {
        const size_t capacity = 2 * numbers->capacity + 16;
        arb_ptr values = _arb_vec_init((slong)capacity);
        for (size_t i = 0; i < numbers->n; i++) arb_swap(values + i, numbers->values + i);
        _arb_vec_clear(numbers->values, (slong)numbers->capacity);
        numbers->texts = flint_realloc(numbers->texts, capacity * sizeof *numbers->texts);
        numbers->values = values;
        numbers->capacity = capacity;
    }
    numbers->texts[numbers->n] = text;
    arb_set(numbers->values + numbers->n++, value);
}

/* The same, kept for the next time: an enclosure takes long. */
static bool kept_table_number(arb_t value, const ic_translation *t, const char *text)
{
    ic_table_numbers *numbers = t->tables;
    for (size_t i = 0; numbers != NULL && i < numbers->n; i++) {
        if (strcmp(numbers->texts[i], text) != 0) continue;
        arb_set(value, numbers->values + i);
        return true;
    }
    const bool good = ic_table_number(value, text, t->terms->prec);
    if (good && numbers != NULL) keep_number(numbers, text, value);
    return good;
}

/* The exact value of a number's text. */
static bool read_number(arb_t value, const ic_translation *t, const char *text)
{
    IC_RATIONALS(exact);
    const char *name = strchr(text, ' ');
    if (name != NULL) return kept_table_number(value, t, name + 1);
    const bool good = read_fraction(exact, text);
    if (good) arb_set_fmpq(value, exact, t->terms->prec);
    return good;
}

static ic_translated number(ic_translation *t, int i)
{
    const ic_equation_term *term = &t->equations->terms[i];
    const char *text = t->equations->texts == NULL ? NULL : t->equations->texts[i];
    IC_BALLS(value);
    if (text == NULL && term->number == (double)(int)term->number)
        return plain(ic_flow_term_integer(t->terms, (int)term->number));
    char digits[40];
    if (text == NULL) {
        snprintf(digits, sizeof digits, "%.17g", term->number);
        text = digits;
    }
    int result = -1;
    if (read_number(value, t, text)) {
        result = ic_flow_term_number(t->terms, value, identity_of_text(t, text));
        /* another text with the same identity */
        if (result >= 0 && !arb_equal(t->terms->values + result, value)) result = -1;
        if (result >= 0)
            t->terms->list[result].text = t->equations->texts == NULL ? NULL : t->equations->texts[i];
    }
    return result < 0 ? fail(t, "a number that cannot be read") : plain(result);
}

static ic_translated constant_pi(ic_translation *t)
{
    IC_BALLS(value);
    arb_const_pi(value, t->terms->prec);
    const int result = ic_flow_term_number(t->terms, value, PI_NUMBER);
    return plain(result);
}

static int fraction(ic_translation *t, slong p, ulong q, int identity)
{
    IC_BALLS(value);
    arb_set_si(value, p);
    arb_div_ui(value, value, q, t->terms->prec);
    return ic_flow_term_number(t->terms, value, identity);
}

/* ---- powers */

/* Asks for the root of a guard that is zero. */
static ic_translated want_root(ic_translation *t, const ic_known_sign *known)
{
    if (known->guard < 0 || t->base >= 0)
        return fail(t, "a fractional power of zero that is not the value of a guard");
    t->wanted_guard = known->guard;
    return fail(t, "a fractional power of a guard that is zero");
}

static ic_translated fail_without_root(ic_translation *t)
{
    t->has_no_root = true;
    return fail(t, "a power of zero whose exponent is no fraction p/q with q <= 8");
}

/* u^power to the power 1/q, which u is not a root for yet. */
static ic_translated want_larger_root(ic_translation *t, slong power, slong q)
{
    if (q == 0) return fail_without_root(t);
    const slong factor = q / (slong)n_gcd((ulong)(power < 0 ? -power : power), (ulong)q);
    t->wanted_q = (int)factor * t->q;
    return fail(t, "a fractional power of zero that is none of p/q with q <= 8");
}

/* Remembers that a fractional power of a guard's value occurs. */
static void note_root(ic_translation *t, const ic_known_sign *known, int sign, slong q)
{
    if (known->guard < 0 || q == 0 || sign == 0) return;
    for (size_t i = 0; i < t->n_roots; i++) {
        if (t->roots[i].guard != known->guard) continue;
        t->roots[i].q = (int)(t->roots[i].q * q / (slong)n_gcd((ulong)t->roots[i].q, (ulong)q));
        return;
    }
    if (t->n_roots < IC_COUNT(t->roots)) t->roots[t->n_roots++] = (ic_root){known->guard, sign, (int)q};
}

/*
 * base^(p/q) with base > 0, or u^power times such a base; q = 0: the exponent is positive, but no
 * fraction that is known.
 */
static ic_translated fractional_power(ic_translation *t, ic_translated base, slong p, slong q, int exponent)
{
    if (ic_flow_term_is_zero(t->terms, base.term)) return p > 0 ? base : fail(t, "a negative power of zero");
    int ratio = 0;
    ic_known_sign *known = base.power == 0 ? ic_translated_guard(t, base.term, &ratio) : NULL;
    if (known != NULL) known->used = true;
    if (known != NULL && known->starts_at_zero && !t->values_only) {
        note_root(t, known, ratio, q);
        if (q == 0) return fail_without_root(t);
        return want_root(t, known);
    }
    if (base.power != 0 && (q == 0 || base.power * p % q != 0)) return want_larger_root(t, base.power * p, q);
    const int sign = sign_or_fail(t, base, "^");
    if (sign == IC_NO_SIGN) return failed;
    if (sign < 0) return fail(t, "a fractional power of a negative number: the motion has no value there");
    if (sign == 0)
        return p > 0 ? plain(ic_flow_term_integer(t->terms, 0)) : fail(t, "a negative power of zero");
    if (known != NULL) note_root(t, known, ratio, q);
    return (ic_translated){ic_flow_term_power(t->terms, base.term, exponent),
                           base.power == 0 ? 0 : base.power * p / q};
}

static ic_translated to_power(ic_translation *t, ic_translated base, int exponent)
{
    IC_RATIONALS(e);
    slong p = 0, q = 0;
    if (base.term < 0) return failed;
    if (exact_fraction(e, t, exponent) && fmpz_fits_si(fmpq_numref(e)) &&
        fmpz_cmp_si(fmpq_denref(e), IC_LARGEST_ROOT) <= 0) {
        p = fmpz_get_si(fmpq_numref(e));
        q = fmpz_get_si(fmpq_denref(e));
    }
    if (q == 1) {
        const int whole = ic_flow_term_integer_power(t->terms, base.term, (ulong)(p < 0 ? -p : p));
        const ic_translated result = {whole, base.power * (p < 0 ? -p : p)};
        return known_as(t, p < 0 ? invert(t, result) : result);
    }
    const ic_translated b = translate(t, exponent);
    if (b.term < 0) return failed;
    if (!t->terms->list[b.term].constant) return fail(t, "an exponent that is not constant");
    if (q == 0 && arb_is_positive(t->terms->values + b.term)) p = 1;
    return fractional_power(t, base, p, q, b.term);
}

static ic_translated absolute(ic_translation *t, ic_translated a);

/* The square root of x^2 is |x|. */
static ic_translated square_root(ic_translation *t, ic_translated a)
{
    const ic_flow_term *term = a.term < 0 ? NULL : &t->terms->list[a.term];
    if (term != NULL && term->kind == IC_FLOW_PRODUCT && term->a == term->b && a.power % 2 == 0)
        return absolute(t, (ic_translated){term->a, a.power / 2});
    return a.term < 0 ? failed : fractional_power(t, a, 1, 2, fraction(t, 1, 2, HALF_NUMBER));
}

static ic_translated cube_root(ic_translation *t, ic_translated a)
{
    if (a.term < 0) return failed;
    const int third = fraction(t, 1, 3, THIRD_NUMBER);
    if (ic_translated_sign(t, a) == -1) return negate(t, fractional_power(t, negate(t, a), 1, 3, third));
    return fractional_power(t, a, 1, 3, third);
}

/* ---- functions */

static ic_translated apply(ic_translation *t, ic_flow_term_function function, ic_translated a)
{
    const int term = ic_translated_term(t, a);
    if (term < 0) return failed;
    if (function == IC_FLOW_DAMPING && !t->terms->list[term].constant)
        return fail(t, "a restitution that is not constant");
    return plain(ic_flow_term_apply(t->terms, function, term));
}

static ic_translated quotient(ic_translation *t, ic_flow_term_function above, ic_flow_term_function below,
                              ic_translated a)
{
    return multiply(t, apply(t, above, a), invert(t, apply(t, below, a)));
}

static ic_translated arc_cosine(ic_translation *t, ic_translated a)
{
    const ic_translated half_pi = multiply(t, constant_pi(t), plain(fraction(t, 1, 2, HALF_NUMBER)));
    return add(t, half_pi, apply(t, IC_FLOW_ASIN, a), -1);
}

/* atan2(y, x) = atan(y/x) for x > 0, +-pi/2 - atan(x/y) for y > 0 and y < 0, atan(y/x) +- pi beyond */
static ic_translated arc_tangent(ic_translation *t, ic_translated y, ic_translated x)
{
    const ic_translated half_pi = multiply(t, constant_pi(t), plain(fraction(t, 1, 2, HALF_NUMBER)));
    if (ic_translated_sign(t, x) == 1) return apply(t, IC_FLOW_ATAN, multiply(t, y, invert(t, x)));
    const int sign = ic_translated_sign(t, y);
    if (sign != 1 && sign != -1) {
        if (ic_translated_sign(t, x) == -1 && sign == 0) return constant_pi(t);
        return fail(t, "the quadrant of an angle");
    }
    const ic_translated angle = apply(t, IC_FLOW_ATAN, multiply(t, x, invert(t, y)));
    return add(t, sign > 0 ? half_pi : negate(t, half_pi), angle, -1);
}

static ic_translated absolute(ic_translation *t, ic_translated a)
{
    if (a.term < 0) return failed;
    const int sign = ic_translated_sign(t, a);
    if (sign == IC_NO_SIGN && t->values_only && a.power == 0)
        return plain(ic_flow_term_greater(t->terms, a.term, ic_flow_term_negate(t->terms, a.term)));
    if (sign == IC_NO_SIGN) sign_or_fail(t, a, "abs");
    return sign == IC_NO_SIGN ? failed : sign < 0 ? negate(t, a) : a;
}

static ic_translated greater(ic_translation *t, ic_translated a, ic_translated b)
{
    if (a.term < 0 || b.term < 0) return failed;
    const ic_translated difference = add(t, a, b, -1);
    const int sign = ic_translated_sign(t, difference);
    if (sign == IC_NO_SIGN && t->values_only && a.power == 0 && b.power == 0)
        return plain(ic_flow_term_greater(t->terms, a.term, b.term));
    if (sign == IC_NO_SIGN) sign_or_fail(t, difference, "max");
    return sign == IC_NO_SIGN ? failed : sign < 0 ? b : a;
}

static ic_translated choose(ic_translation *t, const ic_equation_term *term)
{
    const int sign = sign_or_fail(t, translate(t, term->a), "where");
    return sign == IC_NO_SIGN ? failed : translate(t, sign > 0 ? term->b : term->c);
}

static ic_translated sign_value(ic_translation *t, ic_translated a, bool step)
{
    const int sign = sign_or_fail(t, a, step ? "step" : "sign");
    if (sign == IC_NO_SIGN) return failed;
    return plain(ic_flow_term_integer(t->terms, step ? sign >= 0 : sign));
}

/* ---- operations */

/* A state. One that is constant and a small number, such as the side of a kink, is that number: -1 times x is -x. */
static ic_translated state(ic_translation *t, int index)
{
    const int variable = ic_flow_term_variable(t->terms, index);
    if (variable < 0 || t->proved || !t->terms->list[variable].constant) return known_as(t, plain(variable));
    arb_srcptr value = t->terms->values + variable;
    for (int integer = -1; integer <= 1; integer++) {
        if (arb_equal_si(value, integer)) return plain(ic_flow_term_integer(t->terms, integer));
    }
    return known_as(t, plain(variable));
}

static ic_translated operation(ic_translation *t, int i)
{
    const ic_equation_term *term = &t->equations->terms[i];
    switch (term->operation) {
    case IC_OP_NUMBER: return number(t, i);
    case IC_OP_PI: return constant_pi(t);
    case IC_OP_TIME: return plain(ic_flow_term_variable(t->terms, t->terms->n));
    case IC_OP_STATE:
        if (t->substitute != NULL) return plain(t->substitute[term->a]);
        return state(t, term->a);
    case IC_OP_PARAMETER: {
        const int first = first_of_value(t, term->a);
        return plain(ic_flow_term_number(t->terms, t->par + first, first));
    }
    case IC_OP_CHOOSE: return choose(t, term);
    case IC_OP_POWER: return to_power(t, argument(t, term->a), term->b);
    case IC_OP_SQRT: return square_root(t, argument(t, term->a));
    case IC_OP_CBRT: return cube_root(t, argument(t, term->a));
    case IC_OP_ABS: return absolute(t, argument(t, term->a));
    case IC_OP_MAX: return greater(t, argument(t, term->a), argument(t, term->b));
    case IC_OP_MIN:
        return negate(t, greater(t, negate(t, argument(t, term->a)), negate(t, argument(t, term->b))));
    default: break;
    }
    const ic_translated a = translate(t, term->a);
    if (a.term < 0) return failed;
    switch (term->operation) {
    case IC_OP_ADD: return add(t, a, translate(t, term->b), +1);
    case IC_OP_SUBTRACT: return add(t, a, translate(t, term->b), -1);
    case IC_OP_MULTIPLY:
        /* what is multiplied by zero, such as the friction of a body that sticks, needs no sign */
        if (ic_flow_term_is_zero(t->terms, a.term)) return a;
        return multiply(t, a, translate(t, term->b));
    case IC_OP_DIVIDE: return multiply(t, a, invert(t, translate(t, term->b)));
    case IC_OP_NEGATE: return negate(t, a);
    case IC_OP_EXP: return apply(t, IC_FLOW_EXP, a);
    case IC_OP_LOG: return apply(t, IC_FLOW_LOG, a);
    case IC_OP_SIN: return apply(t, IC_FLOW_SIN, a);
    case IC_OP_COS: return apply(t, IC_FLOW_COS, a);
    case IC_OP_TAN: return quotient(t, IC_FLOW_SIN, IC_FLOW_COS, a);
    case IC_OP_ASIN: return apply(t, IC_FLOW_ASIN, a);
    case IC_OP_ACOS: return arc_cosine(t, a);
    case IC_OP_ATAN: return apply(t, IC_FLOW_ATAN, a);
    case IC_OP_ATAN2: return arc_tangent(t, a, translate(t, term->b));
    case IC_OP_SINH: return apply(t, IC_FLOW_SINH, a);
    case IC_OP_COSH: return apply(t, IC_FLOW_COSH, a);
    case IC_OP_TANH: return quotient(t, IC_FLOW_SINH, IC_FLOW_COSH, a);
    case IC_OP_SIGN: return sign_value(t, a, false);
    case IC_OP_STEP: return sign_value(t, a, true);
    case IC_OP_DAMPING: return apply(t, IC_FLOW_DAMPING, a);
    default: return fail(t, "an operation that cannot be enclosed");
    }
}

/* An argument of an operation that is not smooth. */
static ic_translated argument(ic_translation *t, int i)
{
    const ic_translated value = translate(t, i);
    if (t->meet != NULL && value.term >= 0) t->meet(t, i, value);
    return value;
}

static ic_translated translate(ic_translation *t, int i)
{
    if (t->done[i].term < 0) t->done[i] = operation(t, i);
    return t->done[i];
}

ic_translation ic_translation_of_values(ic_flow_terms *terms, const ic_problem *problem, arb_srcptr par,
                                        ic_table_numbers *tables)
{
    return (ic_translation){.terms = terms,
                            .problem = problem,
                            .par = par,
                            .tables = tables,
                            .values_only = true,
                            .base = -1,
                            .base_by_variables = -1,
                            .wanted_guard = -1};
}

void ic_translate_begin(ic_translation *t, const ic_equations *equations)
{
    free(t->done);
    t->equations = equations;
    t->done = malloc((equations->n_terms + 1) * sizeof *t->done);
    for (size_t i = 0; t->done != NULL && i < equations->n_terms; i++) t->done[i] = failed;
    if (t->done == NULL) t->terms->failed = true;
}

void ic_translate_end(ic_translation *t)
{
    free(t->done);
    t->done = NULL;
}

ic_translated ic_translate(ic_translation *t, int i)
{
    return t->done == NULL || i < 0 ? fail(t, "memory ran out") : translate(t, i);
}

bool ic_flow_is_joined(const ic_equations *equations, int operation)
{
    const ic_operation joins = equations->terms[operation].operation;
    return joins == IC_OP_MIN || joins == IC_OP_MAX;
}
