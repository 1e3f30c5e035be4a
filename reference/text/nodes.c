/* SPDX-License-Identifier: MIT */
/* The graph of formulas. */
#include "reference/text/reader.h"

#include <fmpq.h>
#include <stdlib.h>

/* Greatest number of bits of numerator and denominator of a number that is computed from others. */
enum { MOST_BITS = 4096, MOST_TERMS = 4000000 };

const fmpq *ic_text_number_of(const ic_text_reader *r, ic_text_node node)
{
    return node >= 0 ? r->terms[node].number : NULL;
}

static void *grow(void *array, size_t room, size_t size)
{
    void *larger = realloc(array, room * size);
    if (larger == NULL) flint_abort();
    return larger;
}

static bool is_value(const ic_text_reader *r, ic_text_node node, long value)
{
    const fmpq *number = ic_text_number_of(r, node);
    return number != NULL && fmpz_is_one(fmpq_denref(number)) && fmpz_equal_si(fmpq_numref(number), value);
}

/* Whether the form of a term shows that it is never negative. */
static bool never_negative(const ic_text_reader *r, const ic_text_term *t)
{
    const bool a = t->a >= 0 && r->terms[t->a].nonnegative, b = t->b >= 0 && r->terms[t->b].nonnegative;
    const fmpq *power = t->operation == IC_TEXT_POWER ? ic_text_number_of(r, t->b) : NULL;
    switch (t->operation) {
    case IC_TEXT_NUMBER: return fmpq_sgn(t->number) >= 0;
    case IC_TEXT_PI:
    case IC_TEXT_COUNT:
    case IC_TEXT_ABS:
    case IC_TEXT_STEP:
    case IC_TEXT_EXP:
    case IC_TEXT_SQRT:
    case IC_TEXT_COSH: return true;
    case IC_TEXT_MAX: return a || b;
    case IC_TEXT_ADD:
    case IC_TEXT_DIVIDE:
    case IC_TEXT_MIN: return a && b;
    case IC_TEXT_MULTIPLY: return (a && b) || t->a == t->b;
    case IC_TEXT_POWER:
        return a || (power != NULL && fmpz_is_one(fmpq_denref(power)) && fmpz_is_even(fmpq_numref(power)));
    case IC_TEXT_WHERE: return b && r->terms[t->c].nonnegative;
    default: return false;
    }
}

static size_t hash_of(const ic_text_term *t)
{
    size_t h = (size_t)t->operation;
    if (t->number != NULL) {
        h += 31 * fmpz_fdiv_ui(fmpq_numref(t->number), 1000000007) +
             37 * fmpz_fdiv_ui(fmpq_denref(t->number), 1000000009);
    } else {
        h = (((h * 1000003 + (size_t)t->a) * 1000003 + (size_t)t->b) * 1000003 + (size_t)t->c) * 1000003 +
            (size_t)t->index;
    }
    return h * 0x9e3779b1u;
}

static bool same_term(const ic_text_term *s, const ic_text_term *t)
{
    if (s->operation != t->operation || s->a != t->a || s->b != t->b || s->c != t->c) return false;
    return s->number != NULL ? fmpq_equal(s->number, t->number) : s->index == t->index;
}

/* Place of a term in the table, or the free place for it. */
static ic_text_node *find_place(const ic_text_reader *r, const ic_text_term *t)
{
    size_t at = hash_of(t) & (r->hash_size - 1);
    while (r->hash[at] != IC_TEXT_NONE && !same_term(r->terms + r->hash[at], t))
        at = (at + 1) & (r->hash_size - 1);
    return r->hash + at;
}

static ic_text_node add_term(ic_text_reader *r, ic_text_term t)
{
    const size_t n = r->machine.n_terms;
    if (2 * n >= r->hash_size) {
        r->hash_size = r->hash_size == 0 ? 256 : 2 * r->hash_size;
        r->hash = grow(r->hash, r->hash_size, sizeof *r->hash);
        for (size_t i = 0; i < r->hash_size; i++) r->hash[i] = IC_TEXT_NONE;
        for (size_t i = 0; i < n; i++) *find_place(r, r->terms + i) = (ic_text_node)i;
    }
    ic_text_node *place = find_place(r, &t);
    if (*place != IC_TEXT_NONE) return *place;
    if (n >= MOST_TERMS) ic_text_refuse(r, "the formulas have too many terms");
    if (n == r->terms_room) {
        r->terms_room = n == 0 ? 256 : 2 * n;
        r->terms = grow(r->terms, r->terms_room, sizeof *r->terms);
        r->machine.terms = r->terms;
    }
    t.nonnegative = never_negative(r, &t);
    t.varies = (t.operation >= IC_TEXT_STATE && t.operation <= IC_TEXT_COUNT) ||
               (t.a >= 0 && r->terms[t.a].varies) || (t.b >= 0 && r->terms[t.b].varies) ||
               (t.c >= 0 && r->terms[t.c].varies);
    r->terms[n] = t;
    r->machine.n_terms = n + 1;
    return *place = (ic_text_node)n;
}

ic_text_node ic_text_leaf(ic_text_reader *r, ic_text_operation operation, int index)
{
    return add_term(
        r, (ic_text_term){.operation = operation, .a = -1, .b = -1, .c = -1, .index = index, .kink = -1});
}

ic_text_node ic_text_number(ic_text_reader *r, const fmpq_t value)
{
    fmpq *number = ic_text_take(r, 1, sizeof *number);
    fmpq_init(number);
    fmpq_set(number, value);
    const ic_text_node node = add_term(
        r,
        (ic_text_term){.operation = IC_TEXT_NUMBER, .a = -1, .b = -1, .c = -1, .number = number, .kink = -1});
    if (r->terms[node].number != number) fmpq_clear(number); /* it was there before */
    return node;
}

ic_text_node ic_text_integer(ic_text_reader *r, long value)
{
    fmpq_t number;
    fmpq_init(number);
    fmpq_set_si(number, value, 1);
    const ic_text_node node = ic_text_number(r, number);
    fmpq_clear(number);
    return node;
}

bool ic_text_fold(fmpq_t value, ic_text_operation operation, const fmpq *x, const fmpq *y)
{
    const slong bits = (slong)(fmpq_height_bits(x) + (y == NULL ? 0 : fmpq_height_bits(y)));
    const bool whole =
        y != NULL && fmpz_is_one(fmpq_denref(y)) && fmpz_cmpabs(fmpq_numref(y), fmpq_denref(y)) >= 0;
    if (bits > MOST_BITS) return false;
    switch (operation) {
    case IC_TEXT_ADD: fmpq_add(value, x, y); return true;
    case IC_TEXT_SUBTRACT: fmpq_sub(value, x, y); return true;
    case IC_TEXT_MULTIPLY: fmpq_mul(value, x, y); return true;
    case IC_TEXT_NEGATE: fmpq_neg(value, x); return true;
    case IC_TEXT_ABS: fmpq_abs(value, x); return true;
    case IC_TEXT_SIGN: fmpq_set_si(value, fmpq_sgn(x), 1); return true;
    case IC_TEXT_STEP: fmpq_set_si(value, fmpq_sgn(x) >= 0, 1); return true;
    case IC_TEXT_MIN: fmpq_set(value, fmpq_cmp(x, y) < 0 ? x : y); return true;
    case IC_TEXT_MAX: fmpq_set(value, fmpq_cmp(x, y) > 0 ? x : y); return true;
    case IC_TEXT_DIVIDE:
        if (fmpq_is_zero(y)) return false;
        fmpq_div(value, x, y);
        return true;
    case IC_TEXT_POWER:
        if (!whole || fmpq_is_zero(x) || fmpz_cmp_si(fmpq_numref(y), 512) > 0 ||
            fmpz_cmp_si(fmpq_numref(y), -512) < 0 || bits * labs(fmpz_get_si(fmpq_numref(y))) > MOST_BITS)
            return false;
        fmpq_pow_si(value, x, fmpz_get_si(fmpq_numref(y)));
        return true;
    default: return false;
    }
}

/* The node without signs before it and with the operands of a difference in order: node = turn times the result. */
static ic_text_node kink_of(ic_text_reader *r, ic_text_node node, int *turn)
{
    *turn = 1;
    while (r->terms[node].operation == IC_TEXT_NEGATE) {
        node = r->terms[node].a;
        *turn = -*turn;
    }
    const ic_text_term t = r->terms[node];
    if (t.operation != IC_TEXT_SUBTRACT || t.a < t.b) return node;
    *turn = -*turn;
    return ic_text_apply(r, IC_TEXT_SUBTRACT, t.b, t.a, IC_TEXT_NONE);
}

static bool has_kink(ic_text_operation operation)
{
    return operation == IC_TEXT_MIN || operation == IC_TEXT_MAX ||
           (operation >= IC_TEXT_ABS && operation <= IC_TEXT_EQUAL && operation != IC_TEXT_WHERE);
}

/* An operation whose result is one of its operands, or 0: x + 0, 1*x, x - x. IC_TEXT_NONE: none of these. */
static ic_text_node shorten(ic_text_reader *r, ic_text_operation operation, ic_text_node a, ic_text_node b)
{
    switch (operation) {
    case IC_TEXT_ADD: return is_value(r, a, 0) ? b : is_value(r, b, 0) ? a : IC_TEXT_NONE;
    case IC_TEXT_SUBTRACT:
        if (a == b) return ic_text_integer(r, 0);
        if (is_value(r, a, 0)) return ic_text_apply(r, IC_TEXT_NEGATE, b, IC_TEXT_NONE, IC_TEXT_NONE);
        return is_value(r, b, 0) ? a : IC_TEXT_NONE;
    case IC_TEXT_MULTIPLY: return is_value(r, a, 1) ? b : is_value(r, b, 1) ? a : IC_TEXT_NONE;
    case IC_TEXT_DIVIDE:
    case IC_TEXT_POWER:
        return is_value(r, b, 1) || (operation == IC_TEXT_POWER && is_value(r, a, 1)) ? a : IC_TEXT_NONE;
    case IC_TEXT_NEGATE: return r->terms[a].operation == IC_TEXT_NEGATE ? r->terms[a].a : IC_TEXT_NONE;
    default: return IC_TEXT_NONE;
    }
}

/* sign(u) or step(u) compared with a number: a condition on the sign of u. */
static ic_text_node compare_sign(ic_text_reader *r, ic_text_operation operation, ic_text_node a, ic_text_node b)
{
    static const ic_text_operation sides[] = {IC_TEXT_LESS, IC_TEXT_EQUAL, IC_TEXT_GREATER};
    const bool is_step = r->terms[a].operation == IC_TEXT_STEP;
    const ic_text_node u = r->terms[a].a, zero = ic_text_integer(r, 0);
    ic_text_node holds = ic_text_leaf(r, IC_TEXT_FALSE, 0);
    for (int side = -1; side <= 1; side++) {
        const ic_text_node value = ic_text_integer(r, is_step ? side >= 0 : side);
        const ic_text_node there = ic_text_apply(r, sides[side + 1], u, zero, IC_TEXT_NONE);
        if (r->terms[ic_text_apply(r, operation, value, b, IC_TEXT_NONE)].operation == IC_TEXT_TRUE)
            holds = ic_text_apply(r, IC_TEXT_OR, holds, there, IC_TEXT_NONE);
    }
    return holds;
}

static bool is_constant(const ic_text_reader *r, ic_text_node condition)
{
    return r->terms[condition].operation == IC_TEXT_TRUE || r->terms[condition].operation == IC_TEXT_FALSE;
}

/* AND or OR with a constant. IC_TEXT_NONE: it is none. */
static ic_text_node join(const ic_text_reader *r, ic_text_operation operation, ic_text_node a, ic_text_node b)
{
    const ic_text_operation neutral = operation == IC_TEXT_AND ? IC_TEXT_TRUE : IC_TEXT_FALSE;
    const ic_text_node constant = is_constant(r, b) ? b : a, other = constant == b ? a : b;
    if (!is_constant(r, constant)) return IC_TEXT_NONE;
    return r->terms[constant].operation == neutral ? other : constant;
}

/* A condition that is known: a comparison of numbers or of a quantity with itself. IC_TEXT_NONE: it is not. */
static ic_text_node settle(ic_text_reader *r, ic_text_operation operation, ic_text_node a, ic_text_node b)
{
    if (operation == IC_TEXT_AND || operation == IC_TEXT_OR) return join(r, operation, a, b);
    const fmpq *x = ic_text_number_of(r, a), *y = ic_text_number_of(r, b);
    if (y != NULL && (r->terms[a].operation == IC_TEXT_SIGN || r->terms[a].operation == IC_TEXT_STEP))
        return compare_sign(r, operation, a, b);
    if (a != b && (x == NULL || y == NULL)) return IC_TEXT_NONE;
    const int sign = a == b ? 0 : fmpq_cmp(x, y);
    const bool holds = operation == IC_TEXT_LESS            ? sign < 0
                       : operation == IC_TEXT_LESS_EQUAL    ? sign <= 0
                       : operation == IC_TEXT_GREATER       ? sign > 0
                       : operation == IC_TEXT_GREATER_EQUAL ? sign >= 0
                                                            : sign == 0;
    return ic_text_leaf(r, holds ? IC_TEXT_TRUE : IC_TEXT_FALSE, 0);
}

ic_text_node ic_text_apply(ic_text_reader *r, ic_text_operation operation, ic_text_node a, ic_text_node b,
                           ic_text_node c)
{
    ic_text_term t = {.operation = operation, .a = a, .b = b, .c = c, .index = 0, .kink = IC_TEXT_NONE};
    ic_text_node node = IC_TEXT_NONE;
    if (operation >= IC_TEXT_LESS && operation <= IC_TEXT_OR) {
        node = settle(r, operation, a, b);
    } else if (operation == IC_TEXT_WHERE) {
        const ic_text_operation known = r->terms[a].operation;
        node = known == IC_TEXT_TRUE ? b : known == IC_TEXT_FALSE ? c : IC_TEXT_NONE;
    } else {
        const fmpq *x = ic_text_number_of(r, a), *y = ic_text_number_of(r, b);
        fmpq_t value;
        fmpq_init(value);
        if (x != NULL && (b < 0 || y != NULL) && ic_text_fold(value, operation, x, y))
            node = ic_text_number(r, value);
        fmpq_clear(value);
        if (node == IC_TEXT_NONE) node = shorten(r, operation, a, b);
    }
    if (node != IC_TEXT_NONE) return node;
    if (has_kink(operation) || operation == IC_TEXT_POWER || operation == IC_TEXT_SQRT) {
        const ic_text_node difference =
            has_kink(operation) && b >= 0 ? ic_text_apply(r, IC_TEXT_SUBTRACT, a, b, IC_TEXT_NONE) : a;
        t.kink = kink_of(r, difference, &t.turn);
    }
    return add_term(r, t);
}
