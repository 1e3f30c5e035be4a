/* SPDX-License-Identifier: MIT */
#include "reference/orbit/derivation.h"

enum { NOT_YET = -2, FIRST_CAPACITY = 256 };

/* ---- operations */

static bool make_room(ic_derivation *d)
{
    if (d->n < d->capacity) return true;
    const size_t capacity = d->capacity == 0 ? FIRST_CAPACITY : 2 * d->capacity;
    ic_equation_term *terms = ic_storage_copy(d->storage, d->terms, d->n, capacity - d->n, sizeof *terms);
    const char **texts = ic_storage_copy(d->storage, d->texts, d->n, capacity - d->n, sizeof *texts);
    if (terms == NULL || texts == NULL) return false;
    d->terms = terms;
    d->texts = texts;
    d->capacity = capacity;
    return true;
}

static int append(ic_derivation *d, ic_equation_term term, const char *text)
{
    if (!make_room(d)) return IC_ZERO;
    d->terms[d->n] = term;
    d->texts[d->n] = text;
    return (int)d->n++;
}

static int operation(ic_derivation *d, ic_operation kind, int a, int b, int c)
{
    return append(d, (ic_equation_term){.operation = kind, .a = a, .b = b, .c = c}, NULL);
}

int ic_derivation_leaf(ic_derivation *d, ic_operation kind, int a, double value)
{
    return append(d, (ic_equation_term){.operation = kind, .a = a, .b = -1, .c = -1, .number = value}, NULL);
}

static int number(ic_derivation *d, double value)
{
    return ic_derivation_leaf(d, IC_OP_NUMBER, -1, value);
}

static int negate(ic_derivation *d, int a)
{
    return a == IC_ZERO ? IC_ZERO : operation(d, IC_OP_NEGATE, a, -1, -1);
}

static int add(ic_derivation *d, int a, int b)
{
    return a == IC_ZERO ? b : b == IC_ZERO ? a : operation(d, IC_OP_ADD, a, b, -1);
}

int ic_derivation_subtract(ic_derivation *d, int a, int b)
{
    return a == IC_ZERO ? negate(d, b) : b == IC_ZERO ? a : operation(d, IC_OP_SUBTRACT, a, b, -1);
}

/* A number without a text is exact. */
static bool is_one(const ic_derivation *d, int a)
{
    return d->terms[a].operation == IC_OP_NUMBER && d->texts[a] == NULL && d->terms[a].number == 1;
}

/* A number 0, which equations may contain. */
static int or_zero(const ic_derivation *d, int a)
{
    if (a == IC_ZERO) return IC_ZERO;
    const ic_equation_term *t = &d->terms[a];
    return t->operation == IC_OP_NUMBER && d->texts[a] == NULL && t->number == 0 ? IC_ZERO : a;
}

int ic_derivation_multiply(ic_derivation *d, int a, int b)
{
    if (a == IC_ZERO || b == IC_ZERO) return IC_ZERO;
    return is_one(d, a) ? b : is_one(d, b) ? a : operation(d, IC_OP_MULTIPLY, a, b, -1);
}

int ic_derivation_divide(ic_derivation *d, int a, int b)
{
    return a == IC_ZERO || is_one(d, b) ? a : operation(d, IC_OP_DIVIDE, a, b, -1);
}

static bool has_operands(ic_operation kind)
{
    return kind != IC_OP_NUMBER && kind != IC_OP_PI && kind != IC_OP_TIME && kind != IC_OP_STATE &&
           kind != IC_OP_PARAMETER;
}

int *ic_derivation_import(ic_derivation *d, const ic_equations *e, const int *states)
{
    int *numbers = ic_storage_new(d->storage, e->n_terms, sizeof *numbers);
    for (size_t i = 0; i < e->n_terms && numbers != NULL; i++) {
        ic_equation_term t = e->terms[i];
        if (t.operation == IC_OP_STATE && states != NULL) {
            numbers[i] = states[t.a];
            continue;
        }
        if (has_operands(t.operation)) {
            t.a = t.a < 0 ? -1 : numbers[t.a];
            t.b = t.b < 0 ? -1 : numbers[t.b];
            t.c = t.c < 0 ? -1 : numbers[t.c];
        }
        numbers[i] = append(d, t, e->texts == NULL ? NULL : e->texts[i]);
    }
    return d->storage->failed ? NULL : numbers;
}

/* ---- derivatives */

ic_direction ic_direction_of(ic_derivation *d, const int *states, int time)
{
    ic_direction direction = {.states = states, .time = time, .n = d->n};
    direction.done = ic_storage_new(d->storage, d->n, sizeof *direction.done);
    for (size_t i = 0; i < d->n && direction.done != NULL; i++) direction.done[i] = NOT_YET;
    return direction;
}

/* b a^(b - 1), where b is constant */
static int derivative_of_power(ic_derivation *d, int a, int b)
{
    const bool exact = d->terms[b].operation == IC_OP_NUMBER && d->texts[b] == NULL;
    const double power = d->terms[b].number;
    if (exact && power == 1) return number(d, 1);
    if (exact && power == 2) return ic_derivation_multiply(d, b, a);
    const int less = exact ? number(d, power - 1) : ic_derivation_subtract(d, b, number(d, 1));
    return ic_derivation_multiply(d, b, operation(d, IC_OP_POWER, a, less, -1));
}

static int one_plus_square(ic_derivation *d, int a, double sign)
{
    const int square = ic_derivation_multiply(d, a, a), one = number(d, 1);
    return sign > 0 ? add(d, one, square) : ic_derivation_subtract(d, one, square);
}

/* The derivative of a function at its argument a, where i is its value; IC_ZERO: it is constant, or not known. */
static int derivative_of_function(ic_derivation *d, int i)
{
    const ic_equation_term t = d->terms[i];
    const int a = t.a;
    switch (t.operation) {
    case IC_OP_POWER: return derivative_of_power(d, a, t.b);
    case IC_OP_SQRT: return ic_derivation_divide(d, number(d, 1), ic_derivation_multiply(d, number(d, 2), i));
    case IC_OP_CBRT:
        return ic_derivation_divide(d, number(d, 1),
                                    ic_derivation_multiply(d, number(d, 3), ic_derivation_multiply(d, i, i)));
    case IC_OP_EXP: return i;
    case IC_OP_LOG: return ic_derivation_divide(d, number(d, 1), a);
    case IC_OP_SIN: return operation(d, IC_OP_COS, a, -1, -1);
    case IC_OP_COS: return negate(d, operation(d, IC_OP_SIN, a, -1, -1));
    case IC_OP_TAN: return one_plus_square(d, i, 1);
    case IC_OP_TANH: return one_plus_square(d, i, -1);
    case IC_OP_ATAN: return ic_derivation_divide(d, number(d, 1), one_plus_square(d, a, 1));
    case IC_OP_ASIN:
        return ic_derivation_divide(d, number(d, 1),
                                    operation(d, IC_OP_SQRT, one_plus_square(d, a, -1), -1, -1));
    case IC_OP_ACOS:
        return negate(d, ic_derivation_divide(d, number(d, 1),
                                              operation(d, IC_OP_SQRT, one_plus_square(d, a, -1), -1, -1)));
    case IC_OP_SINH: return operation(d, IC_OP_COSH, a, -1, -1);
    case IC_OP_COSH: return operation(d, IC_OP_SINH, a, -1, -1);
    default: d->unknown = "an operation is not differentiated"; return IC_ZERO;
    }
}

/* 0 where an operation is zero; elsewhere it has no value. */
static int undefined_unless_zero(ic_derivation *d, int a)
{
    const int zero = number(d, 0), undefined = operation(d, IC_OP_DIVIDE, number(d, 1), zero, -1);
    if (a == IC_ZERO) return zero;
    const int low = operation(d, IC_OP_CHOOSE, negate(d, a), undefined, zero);
    return operation(d, IC_OP_CHOOSE, a, undefined, low);
}

/*
 * One of two derivatives: the first where a condition is positive, the second where it is negative. Where it stays zero,
 * there is none, unless `difference`, which is then what one-sided derivatives differ by, is zero: then it is the second.
 */
static int choose(ic_derivation *d, int condition, int a, int b, int difference)
{
    if (a == IC_ZERO && b == IC_ZERO && difference == IC_ZERO) return IC_ZERO;
    const int second = b == IC_ZERO ? number(d, 0) : b;
    const int kink = add(d, second, undefined_unless_zero(d, difference));
    const int low = operation(d, IC_OP_CHOOSE, negate(d, condition), second, kink);
    return operation(d, IC_OP_CHOOSE, condition, a == IC_ZERO ? number(d, 0) : a, low);
}

/* Operands of a condition in which kinks are looked for. */
enum { DEEPEST = 8 };

/*
 * An operand of a comparison, in which kinks and differences are decided: |a| and a - b have no value where they are zero in
 * this run alone. At the start a slip a - b is compared with the accuracy of its numbers; at events it is the guard.
 */
static int decide_kinks(ic_derivation *d, int i, ic_direction *direction, int depth)
{
    const ic_equation_term t = d->terms[i];
    if (depth == DEEPEST || !has_operands(t.operation) || t.operation == IC_OP_POWER) return i;
    if (t.operation == IC_OP_ABS || t.operation == IC_OP_SIGN) {
        const int change = ic_derive(d, t.a, direction);
        return change == IC_ZERO ? i : operation(d, t.operation, choose(d, t.a, t.a, t.a, change), -1, -1);
    }
    const bool slips = t.operation == IC_OP_SUBTRACT && depth > 0 && direction->states == NULL;
    const int slip = slips ? ic_derive(d, i, direction) : IC_ZERO;
    if (slip != IC_ZERO) return choose(d, i, i, i, slip);
    const int a = decide_kinks(d, t.a, direction, depth + 1),
              b = t.b < 0 ? t.b : decide_kinks(d, t.b, direction, depth + 1);
    return a == t.a && b == t.b ? i : operation(d, t.operation, a, b, t.c);
}

int ic_derivation_decided(ic_derivation *d, int i, ic_direction *direction)
{
    const ic_equation_term t = d->terms[i];
    const bool square = t.operation == IC_OP_MULTIPLY && t.a == t.b;
    if (t.operation == IC_OP_CHOOSE || t.operation == IC_OP_MIN || t.operation == IC_OP_MAX ||
        t.operation == IC_OP_NEGATE || square) {
        const int a = ic_derivation_decided(d, t.a, direction),
                  b = t.b < 0 ? -1 : ic_derivation_decided(d, t.b, direction),
                  c = t.c < 0 ? -1 : ic_derivation_decided(d, t.c, direction);
        return operation(d, t.operation, a, b, c);
    }
    const int change = ic_derive(d, i, direction);
    const int decided = decide_kinks(d, i, direction, 0);
    return change == IC_ZERO ? decided : choose(d, i, decided, decided, change);
}

/* The derivative of choose(condition, b, c). */
static int derive_choice(ic_derivation *d, const ic_equation_term *t, ic_direction *direction)
{
    const int condition = ic_derivation_decided(d, t->a, direction);
    const int a = ic_derive(d, t->b, direction), b = ic_derive(d, t->c, direction);
    if (condition == t->a && a == IC_ZERO && b == IC_ZERO) return IC_ZERO;
    const int zero = number(d, 0);
    return operation(d, IC_OP_CHOOSE, condition, a == IC_ZERO ? zero : a, b == IC_ZERO ? zero : b);
}

static int derive_operation(ic_derivation *d, int i, ic_direction *direction)
{
    const ic_equation_term t = d->terms[i];
    if (t.operation == IC_OP_STATE) return direction->states == NULL ? IC_ZERO : direction->states[t.a];
    if (t.operation == IC_OP_TIME) return direction->time;
    if (t.operation == IC_OP_PARAMETER && direction->parameters != NULL) return direction->parameters[t.a];
    if (!has_operands(t.operation)) return IC_ZERO;
    if (t.operation == IC_OP_CHOOSE) return derive_choice(d, &t, direction);
    const int da = ic_derive(d, t.a, direction);
    const bool binary = t.b >= 0 && t.operation != IC_OP_POWER;
    const int db = binary ? ic_derive(d, t.b, direction) : IC_ZERO;
    if (da == IC_ZERO && db == IC_ZERO) return IC_ZERO;
    switch (t.operation) {
    case IC_OP_ADD: return add(d, da, db);
    case IC_OP_SUBTRACT: return ic_derivation_subtract(d, da, db);
    case IC_OP_NEGATE: return negate(d, da);
    case IC_OP_MULTIPLY: return add(d, ic_derivation_multiply(d, da, t.b), ic_derivation_multiply(d, t.a, db));
    case IC_OP_DIVIDE:
        return ic_derivation_divide(d, ic_derivation_subtract(d, da, ic_derivation_multiply(d, i, db)), t.b);
    case IC_OP_ATAN2: {
        const int square = add(d, ic_derivation_multiply(d, t.a, t.a), ic_derivation_multiply(d, t.b, t.b));
        const int turned =
            ic_derivation_subtract(d, ic_derivation_multiply(d, t.b, da), ic_derivation_multiply(d, t.a, db));
        return ic_derivation_divide(d, turned, square);
    }
    case IC_OP_MAX:
        return choose(d, ic_derivation_subtract(d, t.a, t.b), da, db, ic_derivation_subtract(d, da, db));
    case IC_OP_MIN:
        return choose(d, ic_derivation_subtract(d, t.b, t.a), da, db, ic_derivation_subtract(d, da, db));
    case IC_OP_ABS: return choose(d, t.a, da, negate(d, da), da);
    case IC_OP_SIGN:
    case IC_OP_STEP: return choose(d, t.a, IC_ZERO, IC_ZERO, da);
    default: return ic_derivation_multiply(d, derivative_of_function(d, i), da);
    }
}

int ic_derive(ic_derivation *d, int i, ic_direction *direction)
{
    if (or_zero(d, i) == IC_ZERO || direction->done == NULL || (size_t)i >= direction->n) return IC_ZERO;
    if (direction->done[i] == NOT_YET) direction->done[i] = or_zero(d, derive_operation(d, i, direction));
    return direction->done[i];
}
