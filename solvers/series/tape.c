/* SPDX-License-Identifier: MIT */
#include "solvers/series/tape.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    /* Rows after those of the states: t, and zeros. */
    FIXED_ROWS = 2,

    /* Greatest number of rows and kernels of a power: for whole exponents up to MOST_PRODUCTS. */
    MOST_PARTS = 16,

    /* Integer powers up to this one are computed as products. */
    MOST_PRODUCTS = 64,

    /* Greatest number of entries of a sum of which others are merged; of one that is read more than once. */
    MOST_ENTRIES = IC_TAPE_LONGEST,
    FEW_ENTRIES = 2,

    /* Least number of factors of a power whose terms may begin beyond the order of a series. */
    MANY_FACTORS = 8,

    /* Forms that a tape keeps. */
    MOST_FORMS = 64,

    ENDLESS = IC_TAPE_ENDLESS,

    /* In place of the row of an idle guard; its value is no zero. */
    IDLE = -2,
};

/* Least factor that is taken out of a product, beside which nothing underflows or overflows. */
#define LEAST_FACTOR 1e-60

/* ---- memory */

void *ic_tape_place(char *block, size_t *used, size_t n, size_t size)
{
    void *at = block == NULL ? NULL : block + *used;
    *used += (n * size + sizeof(double) - 1) / sizeof(double) * sizeof(double);
    return at;
}

/* The members of the tape of which each form has its own. */
#define FORM_NUMBERS(EACH)                                                                                     \
    EACH(size_t, n_kernels)                                                                                    \
    EACH(size_t, n_time)                                                                                       \
    EACH(size_t, n_flow)                                                                                       \
    EACH(size_t, n_entries)                                                                                    \
    EACH(size_t, n_kinks)                                                                                      \
    EACH(size_t, n_rows)                                                                                       \
    EACH(unsigned, version)                                                                                    \
    EACH(bool, branches)                                                                                       \
    EACH(bool, hides)
#define FORM_ARRAYS(EACH)                                                                                      \
    EACH(ic_tape_kernel, kernels, s->room)                                                                     \
    EACH(ic_tape_entry, entries, s->room_for_entries)                                                          \
    EACH(ic_series_kink, kinks, s->terms)                                                                      \
    EACH(ic_series_value, results, s->n_results)                                                               \
    EACH(int, tops, s->room)

struct ic_tape_form {
#define NUMBER(type, name) type name;
    FORM_NUMBERS(NUMBER)
#undef NUMBER
#define ARRAY(type, name, n) type *name;
    FORM_ARRAYS(ARRAY)
#undef ARRAY

    /* States that it reads when it was built, of which the held ones count, and NAN for others. */
    double *held;

    /* The terms that it reads that are kinks, with their sides: 1 + term, or its negative. */
    int *sides;
    size_t n_sides;

    /* The memory of all arrays. */
    void *block;
};

static size_t place_form(const ic_tape *s, ic_tape_form *form, char *block)
{
    size_t used = 0;
#define PLACE(type, name, n) form->name = ic_tape_place(block, &used, n, sizeof *form->name);
    FORM_ARRAYS(PLACE)
    PLACE(double, held, s->n)
    PLACE(int, sides, s->terms)
#undef PLACE
    return used;
}

static bool open_form(ic_tape *s)
{
    ic_tape_form *form = &s->forms[s->n_opened];
    *form = (ic_tape_form){.block = NULL}; /* it is taken before it is built */
    form->block = malloc(place_form(s, form, NULL));
    if (form->block == NULL) return false;
    place_form(s, form, form->block);
    s->n_opened++;
    return true;
}

/* Takes a form into use. */
static void take_form(ic_tape *s, size_t i)
{
    const ic_tape_form *form = &s->forms[i];
#define TAKE(type, name) s->name = form->name;
#define TAKE_ARRAY(type, name, n) TAKE(type, name)
    FORM_NUMBERS(TAKE)
    FORM_ARRAYS(TAKE_ARRAY)
#undef TAKE_ARRAY
#undef TAKE
    s->form = i;
}

static int side_of(const ic_series_kink *kink)
{
    return kink->side * (1 + kink->term);
}

/* Makes room for a form: new memory, or that of the next one if there is no more. */
static void begin_form(ic_tape *s)
{
    size_t next = s->n_forms;
    if (next == s->n_opened && (next == MOST_FORMS || !open_form(s)))
        next = s->form + 1 < s->n_opened ? s->form + 1 : 0;
    else s->n_forms++;
    take_form(s, next);
    s->version = ++s->n_built;
}

/* Places all arrays of the builder in a block; returns its size. */
static size_t place_arrays(ic_tape *s, char *block)
{
    const size_t terms = s->terms;
    size_t used = 0;
#define PLACE(array, n) s->array = ic_tape_place(block, &used, n, sizeof *s->array)
    PLACE(values, terms);
    PLACE(met, terms);
    PLACE(forms, MOST_FORMS);
    PLACE(found, s->room);
    PLACE(found_entries, s->room_for_entries);
    PLACE(parts, s->n);
    PLACE(equals, terms);
    PLACE(rows, terms);
    PLACE(uses, terms);
    PLACE(settled, terms);
    PLACE(found_tops, s->room);
    PLACE(cosines, s->room);
    PLACE(moved, s->room);
    PLACE(reads, s->room);
    PLACE(constant, terms);
    PLACE(used, terms);
    PLACE(sided, terms);
    PLACE(leaves, terms);
    PLACE(flows, s->room);
    PLACE(needed, s->room);
    PLACE(varies, s->room);
    PLACE(idle, s->n_results);
#undef PLACE
    return used;
}

/* Greatest number of rows of an operation, and of the argument of its kink. */
static size_t count_parts(const ic_equation_term *terms, const ic_equation_term *in)
{
    switch (in->operation) {
    case IC_OP_POWER:
        return terms[in->b].operation == IC_OP_NUMBER && fabs(terms[in->b].number) <= 2 ? 2 : MOST_PARTS;
    case IC_OP_MULTIPLY:
    case IC_OP_DIVIDE:
    case IC_OP_SIN:
    case IC_OP_COS:
    case IC_OP_SINH:
    case IC_OP_COSH: return 2;
    case IC_OP_TAN:
    case IC_OP_TANH:
    case IC_OP_ATAN: return 3;
    case IC_OP_ASIN:
    case IC_OP_ACOS: return 5;
    case IC_OP_ATAN2: return 9;
    case IC_OP_MIN:
    case IC_OP_MAX: return 2;
    default: return 1;
    }
}

/* Greatest number of rows of the tape of these equations. */
static size_t tape_room(size_t n_states, const ic_equations *equations)
{
    size_t parts = 0;
    for (size_t k = 0; k < equations->n_terms; k++)
        parts += count_parts(equations->terms, &equations->terms[k]);
    return n_states + FIXED_ROWS + parts;
}

bool ic_tape_open(ic_tape *s, size_t n_states, const ic_equations *const *equations, size_t n_equations)
{
    size_t results = 1;
    *s = (ic_tape){.n = n_states, .terms = 1};
    for (size_t i = 0; i < n_equations; i++) {
        const size_t room = tape_room(n_states, equations[i]);
        if (equations[i]->n_terms > s->terms) s->terms = equations[i]->n_terms;
        if (equations[i]->n_results > results) results = equations[i]->n_results;
        if (room > s->room) s->room = room;
    }
    s->room_for_entries = IC_TAPE_ENTRIES * s->room + MOST_ENTRIES;
    s->n_results = results;
    s->block = malloc(place_arrays(s, NULL));
    if (s->block == NULL) return false;
    place_arrays(s, s->block);
    memset(s->idle, 0, s->n_results * sizeof *s->idle);
    return open_form(s);
}

void ic_tape_close(ic_tape *s)
{
    for (size_t i = 0; i < s->n_opened; i++) free(s->forms[i].block);
    free(s->block);
    *s = (ic_tape){.n = 0};
}

/* ---- constants of a phase */

static int operands_of(const ic_equation_term *in, int operands[3])
{
    static const int count[] = {
#define OPERANDS(name, operands_, word) operands_,
        IC_OPERATION_TABLE(OPERANDS)
#undef OPERANDS
    };
    operands[0] = in->a;
    operands[1] = in->b;
    operands[2] = in->c;
    return count[in->operation];
}

static bool is_number(const ic_tape *s, int i, double value)
{
    return s->constant[i] && s->values[i] == value;
}

/* A term equals its operand `as`. */
static void take_equal(ic_tape *s, int i, int as)
{
    s->equals[i] = as;
    s->constant[i] = s->constant[as];
    s->values[i] = s->values[as];
}

/* A state whose rate is the number 0. */
static bool is_held(const ic_equations *equations, size_t state)
{
    const ic_equation_term *rate = &equations->terms[equations->results[state]];
    return rate->operation == IC_OP_NUMBER && rate->number == 0;
}

/* Whether an operation needs more of its operand k than a row, if that row is constant. */
static bool needs_value(const ic_tape *s, ic_operation operation, int k)
{
    switch (operation) {
    case IC_OP_ADD:
    case IC_OP_SUBTRACT: return false;
    case IC_OP_MULTIPLY:
    case IC_OP_NEGATE: return !s->holds_rows;
    case IC_OP_DIVIDE: return k == 1 || !s->holds_rows;
    case IC_OP_CHOOSE: return k == 0;
    default: return true;
    }
}

/* Finds the parts of the held states. `used` is workspace: terms of which the value is needed. */
static void find_parts(ic_tape *s)
{
    const ic_equations *p = s->equations;
    memset(s->used, 0, p->n_terms * sizeof *s->used);
    for (size_t i = 0; i < s->n; i++) s->parts[i] = IC_TAPE_NO_PART;
    for (int i = (int)p->n_terms - 1; i >= 0; i--) {
        const ic_equation_term *in = &p->terms[i];
        int operands[3] = {0};
        const int n = operands_of(in, operands);
        for (int k = 0; k < n; k++) {
            if (s->used[i] || needs_value(s, in->operation, k)) s->used[operands[k]] = true;
        }
        if (in->operation != IC_OP_STATE || !is_held(p, (size_t)in->a)) continue;
        const ic_tape_part part = s->used[i] ? IC_TAPE_VALUE : IC_TAPE_UNITS;
        if (part > s->parts[in->a]) s->parts[in->a] = part;
    }
}

/* Whether a state is a number of the tape. */
static bool is_constant_state(const ic_tape *s, int state, double x)
{
    return s->parts[state] == IC_TAPE_VALUE || (s->parts[state] == IC_TAPE_UNITS && (x == 0 || x == 1));
}

bool ic_tape_same_held(const ic_tape *s, const double *x, const double *y)
{
    bool same = true;
    for (int i = 0; i < (int)s->n && same; i++)
        same = x[i] == y[i] || isnan(x[i]) || !(is_constant_state(s, i, x[i]) || is_constant_state(s, i, y[i]));
    return same;
}

static int base_of_square(const ic_tape *s, const ic_equation_term *square)
{
    if (square->operation == IC_OP_MULTIPLY) return square->a == square->b ? square->a : -1;
    return square->operation == IC_OP_POWER && is_number(s, square->b, 2) ? square->a : -1;
}

/* y if a term is sqrt(y^2), which is |y|: a kink, and no power with a branch point; otherwise -1. */
static inline int modulus_of(const ic_tape *s, const ic_equation_term *in)
{
    if (in->operation != IC_OP_SQRT && in->operation != IC_OP_POWER) return -1; /* most terms */
    if (in->operation == IC_OP_POWER && !is_number(s, in->b, 0.5)) return -1;
    return base_of_square(s, &s->equations->terms[in->a]);
}

/* The first operand that counts: that of a modulus is y. */
static int argument_of(const ic_tape *s, const ic_equation_term *in)
{
    const int modulus = modulus_of(s, in);
    return modulus >= 0 ? modulus : in->a;
}

/* Number whose sign decides a kink, with its present value. */
static double kink_value(const ic_tape *s, const ic_equation_term *in)
{
    const bool differs = in->operation == IC_OP_MIN || in->operation == IC_OP_MAX;
    return differs ? s->values[in->a] - s->values[in->b] : s->values[argument_of(s, in)];
}

/* atan2(y, x) on a side of its cut, y = 0 with x < 0, where it is pi or -pi; rounding may have left y on the other. */
static double angle_on_side(double side, double y, double x)
{
    return atan2(side != 0 && side * y <= 0 ? copysign(0, side) : y, x);
}

double ic_tape_start(const ic_tape_kernel *k, double of, double with)
{
    if (k->start == IC_OP_ATAN2) return angle_on_side(k->alpha, of, with);
    return k->start == IC_OP_NUMBER ? 0 : ic_operation_value(k->start, of, with, 0);
}

/* Replaces a kink by the smooth operation of its side. */
static void take_side(ic_tape *s, int i)
{
    const ic_equation_term *in = &s->equations->terms[i];
    const double value = kink_value(s, in);
    const int side = s->settled[i] != 0 ? s->settled[i] : value < 0 ? -1 : 1;
    s->met[s->n_met++] = (ic_series_kink){i, {-1, value}, side};
    s->sided[i] = true;
    switch (in->operation) {
    case IC_OP_ABS:
    case IC_OP_SQRT:
    case IC_OP_POWER:
        if (side > 0) take_equal(s, i, argument_of(s, in));
        break;
    case IC_OP_SIGN:
    case IC_OP_STEP:
        s->constant[i] = true;
        s->values[i] = in->operation == IC_OP_SIGN ? side : side > 0;
        break;
    case IC_OP_ATAN2: s->values[i] = angle_on_side(side, value, s->values[in->b]); break;
    case IC_OP_MIN: take_equal(s, i, side > 0 ? in->b : in->a); break;
    case IC_OP_MAX: take_equal(s, i, side > 0 ? in->a : in->b); break;
    default: take_equal(s, i, side > 0 ? in->b : in->c);
    }
}

static bool is_kink(const ic_tape *s, const ic_equation_term *in)
{
    return (in->operation >= IC_OP_ABS && in->operation <= IC_OP_CHOOSE) || modulus_of(s, in) >= 0;
}

/* An angle jumps where its first operand y becomes zero, unless the second one is positive. */
static bool has_cut(const ic_tape *s, const ic_equation_term *in)
{
    if (in->operation != IC_OP_ATAN2) return false;
    return !s->constant[in->a] && !(s->constant[in->b] && s->values[in->b] > 0);
}

/* Simplifies an operation that is a constant or equals one of its operands. */
static void simplify_operation(ic_tape *s, int i)
{
    const ic_equation_term *in = &s->equations->terms[i];
    const int a = in->a, b = in->b;
    switch (in->operation) {
    case IC_OP_ADD:
        if (is_number(s, a, 0)) take_equal(s, i, b);
        else if (is_number(s, b, 0)) take_equal(s, i, a);
        break;
    case IC_OP_SUBTRACT:
        if (is_number(s, b, 0)) take_equal(s, i, a);
        break;
    case IC_OP_MULTIPLY:
        if (is_number(s, a, 0) || is_number(s, b, 1)) take_equal(s, i, a);
        else if (is_number(s, b, 0) || is_number(s, a, 1)) take_equal(s, i, b);
        break;
    case IC_OP_DIVIDE:
        if (is_number(s, a, 0) || is_number(s, b, 1)) take_equal(s, i, a);
        break;
    case IC_OP_POWER:
        if (is_number(s, b, 1)) take_equal(s, i, a);
        break;
    default: break;
    }
}

static void examine_operation(ic_tape *s, int i, const ic_equation_input *input)
{
    const ic_equation_term *in = &s->equations->terms[i];
    int operands[3] = {0};
    const int n = operands_of(in, operands);
    s->equals[i] = -1;
    s->values[i] = ic_equation_value(in, s->values, input);
    s->constant[i] = in->operation == IC_OP_STATE ? is_constant_state(s, in->a, input->x[in->a])
                                                  : in->operation != IC_OP_TIME;
    s->sided[i] = false;
    for (int k = 0; k < n; k++) {
        s->constant[i] = s->constant[i] && s->constant[operands[k]];
        s->sided[i] = s->sided[i] || s->sided[operands[k]];
    }
    /* what is not chosen is not read, whether the sides of its kinks make it constant or not */
    if (in->operation == IC_OP_CHOOSE && s->constant[in->a])
        take_equal(s, i, s->values[in->a] > 0 ? in->b : in->c);
    if (s->constant[i] || s->equals[i] >= 0) return;
    if (is_kink(s, in) || has_cut(s, in)) take_side(s, i);
    else simplify_operation(s, i);
}

/* ---- kernels */

static int add_row(ic_tape *s, int top)
{
    s->found_tops[s->n_rows] = top;
    s->reads[s->n_rows] = FEW_ENTRIES;
    s->cosines[s->n_rows] = -1;
    return (int)s->n_rows++;
}

static int top_of(const ic_tape *s, int row)
{
    return row < 0 ? 0 : s->found_tops[row];
}

static int most(int a, int b)
{
    return a > b ? a : b;
}

static bool is_kernel_row(const ic_tape *s, int row)
{
    return row >= (int)(s->n + FIXED_ROWS);
}

static ic_tape_kernel *kernel_of(const ic_tape *s, int row)
{
    return &s->found[row - (int)(s->n + FIXED_ROWS)];
}

static int add_kernel(ic_tape *s, ic_tape_kernel k, int top)
{
    const int zeros = (int)s->n + 1;
    if (k.a < 0) k.a = zeros;
    if (k.b < 0) k.b = zeros;
    k.out = add_row(s, top < ENDLESS ? top : ENDLESS);
    s->found[s->n_kernels++] = k;
    return k.out;
}

/*
 * Whether the entries of a row may stand in a sum in its place, times a factor. Sums keep their roundings: a
 * difference of two large numbers is not multiplied out, and a constant is added last.
 */
static bool is_merged(const ic_tape *s, int row, double factor)
{
    if (!is_kernel_row(s, row)) return false;
    /* sums that are not merged have two entries at most */
    if (s->n_entries + 2 * (s->room - s->n_rows) + MOST_ENTRIES > s->room_for_entries) return false;
    const ic_tape_kernel *k = kernel_of(s, row);
    if (k->kind != IC_TAPE_SUM || k->gamma != 0 || k->count == 0) return false;
    if (k->count > 1 && fabs(factor) != 1) return false;
    return k->count <= FEW_ENTRIES || (s->reads[row] == 1 && k->count < MOST_ENTRIES);
}

static void append_entry(ic_tape *s, int row, double factor)
{
    s->found_entries[s->n_entries++] = (ic_tape_entry){row, factor};
}

/* Appends `factor` times a row to the entries. */
static void append_row(ic_tape *s, int row, double factor)
{
    if (row < 0) return;
    if (!is_merged(s, row, factor)) {
        append_entry(s, row, factor);
        return;
    }
    const ic_tape_kernel k = *kernel_of(s, row);
    for (int i = k.first; i < k.first + k.count; i++)
        append_entry(s, s->found_entries[i].row, factor * s->found_entries[i].factor);
}

/* Number of entries that a row would have in a sum. */
static int count_merged(const ic_tape *s, int row, double factor)
{
    return row < 0 ? 0 : is_merged(s, row, factor) ? kernel_of(s, row)->count : 1;
}

/* alpha a + beta b + gamma: the longer one of two sums is merged, and comes first */
static int add_linear(ic_tape *s, double alpha, int a, double beta, int b, double gamma)
{
    const int first = (int)s->n_entries, top = most(top_of(s, a), top_of(s, b));
    const int of_a = count_merged(s, a, alpha), of_b = count_merged(s, b, beta);
    const bool turned = of_b > of_a;
    append_row(s, turned ? b : a, turned ? beta : alpha);
    if (of_a > 1 && of_b > 1) append_entry(s, turned ? a : b, turned ? alpha : beta);
    else append_row(s, turned ? a : b, turned ? alpha : beta);
    const int count = (int)s->n_entries - first;
    return add_kernel(
        s,
        (ic_tape_kernel){.kind = IC_TAPE_SUM, .a = -1, .b = -1, .first = first, .count = count, .gamma = gamma},
        top);
}

static int add_product(ic_tape *s, int a, int b)
{
    const ic_tape_kind kind = a == b ? IC_TAPE_SQUARE : IC_TAPE_PRODUCT;
    return add_kernel(s, (ic_tape_kernel){.kind = kind, .a = a, .b = b}, top_of(s, a) + top_of(s, b));
}

/* gamma/b if a < 0 */
static int add_quotient(ic_tape *s, int a, int b, double gamma)
{
    return add_kernel(s, (ic_tape_kernel){.kind = IC_TAPE_QUOTIENT, .a = a, .b = b, .gamma = gamma}, ENDLESS);
}

/* A row that begins with an operation on that of row `of`, and is then the integral of sigma b da. */
static int add_integral(ic_tape *s, ic_operation start, int a, int b, double sigma)
{
    return add_kernel(
        s,
        (ic_tape_kernel){
            .kind = IC_TAPE_INTEGRAL, .a = a, .b = b, .start = start, .of = a, .with = a, .alpha = sigma},
        ENDLESS);
}

static int add_inverse(ic_tape *s, ic_operation start, int of, int with, int a, int b)
{
    return add_kernel(
        s, (ic_tape_kernel){.kind = IC_TAPE_INVERSE, .a = a, .b = b, .start = start, .of = of, .with = with},
        ENDLESS);
}

static int add_power(ic_tape *s, ic_operation operation, int a, double exponent)
{
    s->branches = true;
    return add_kernel(
        s, (ic_tape_kernel){.kind = IC_TAPE_POWER, .start = operation, .a = a, .b = -1, .alpha = exponent},
        ENDLESS);
}

/* A row without the factor of a sum of one entry, which multiplies *factor. */
static int take_factor(const ic_tape *s, int row, double *factor)
{
    const ic_tape_kernel *k = is_kernel_row(s, row) ? kernel_of(s, row) : NULL;
    if (k == NULL || k->kind != IC_TAPE_SUM || k->count != 1 || k->gamma != 0) return row;
    *factor *= s->found_entries[k->first].factor;
    return s->found_entries[k->first].row;
}

/* A product, or a quotient as of add_quotient, of rows without their factors, which the sums of it take over. */
static int add_scaled(ic_tape *s, bool divides, int a, int b, double gamma)
{
    double factor = 1, below = 1;
    const int x = gamma == 0 ? take_factor(s, a, &factor) : a;
    const int y = take_factor(s, b, divides ? &below : &factor);
    factor /= below;
    const bool scales = fabs(factor) >= LEAST_FACTOR && fabs(factor) <= 1 / LEAST_FACTOR;
    if (!scales) return divides ? add_quotient(s, a, b, gamma) : add_product(s, a, b);
    const int row = divides ? add_quotient(s, x, y, gamma) : add_product(s, x, y);
    return factor == 1 ? row : add_linear(s, factor, row, 0, -1, 0);
}

/* Computes an integer power by repeated squaring. */
static int add_whole_power(ic_tape *s, int a, int exponent)
{
    int result = -1, square = a;
    if (exponent == 0) return add_linear(s, 0, -1, 0, -1, 1);
    for (int left = abs(exponent); left > 0; left /= 2) {
        if (left % 2 != 0) result = result < 0 ? square : add_product(s, result, square);
        if (left > 1) square = add_product(s, square, square);
    }
    return exponent < 0 ? add_quotient(s, -1, result, 1) : result;
}

/* The row of sin a, sinh a; that of cos a, cosh a is kept with a. */
static int add_pair(ic_tape *s, ic_operation sine, ic_operation cosine, int a, bool first)
{
    /* Both kinds of pairs are rarely needed for one row; the later one is kept. */
    const int known = s->cosines[a];
    if (known >= 0 && s->found[known].start == cosine) {
        const int row = s->found[known].out;
        return first ? row - 1 : row;
    }
    const int row = add_integral(s, sine, a, (int)s->n_rows + 1, 1);
    s->cosines[a] = (int)s->n_kernels;
    add_integral(s, cosine, a, row, cosine == IC_OP_COS ? -1 : 1);
    return first ? row : row + 1;
}

/* tan a, tanh a: y' = (1 +- y^2) a' */
static int add_tangent(ic_tape *s, ic_operation operation, int a)
{
    const int row = add_integral(s, operation, a, (int)s->n_rows + 2, 1);
    add_linear(s, operation == IC_OP_TAN ? 1 : -1, add_product(s, row, row), 0, -1, 1);
    return row;
}

static int add_arc(ic_tape *s, ic_operation operation, int a)
{
    const int square = add_product(s, a, a);
    if (operation == IC_OP_ATAN) return add_inverse(s, operation, a, a, a, add_linear(s, 1, square, 0, -1, 1));
    const int root = add_power(s, IC_OP_SQRT, add_linear(s, -1, square, 0, -1, 1), 0.5);
    const int arc = add_inverse(s, IC_OP_ASIN, a, a, a, root);
    return operation == IC_OP_ASIN ? arc : add_linear(s, -1, arc, 0, -1, acos(0));
}

/* y/x: (x y' - y x')/(x^2 + y^2), on a side of the cut; 0: it is not met */
static int add_arc_of_two(ic_tape *s, int y, int x, int side)
{
    const int up = add_integral(s, IC_OP_NUMBER, y, x, 1), down = add_integral(s, IC_OP_NUMBER, x, y, 1);
    const int turn = add_linear(s, 1, up, -1, down, 0);
    const int size = add_linear(s, 1, add_product(s, x, x), 1, add_product(s, y, y), 0);
    const int arc = add_inverse(s, IC_OP_ATAN2, y, x, turn, size);
    kernel_of(s, arc)->alpha = side;
    return arc;
}

/* The row of a term; a constant becomes one. */
static int row_of(ic_tape *s, ic_series_value term)
{
    return term.row >= 0 ? term.row : add_linear(s, 0, -1, 0, -1, term.value);
}

static int add_sum(ic_tape *s, ic_series_value a, ic_series_value b, double sign)
{
    if (a.row >= 0 && b.row >= 0) return add_linear(s, 1, a.row, sign, b.row, 0);
    if (a.row >= 0 && b.value == 0) return a.row;
    return a.row >= 0 ? add_linear(s, 1, a.row, 0, -1, sign * b.value)
                      : add_linear(s, sign, b.row, 0, -1, a.value);
}

static int resolve_equal(const ic_tape *s, int i)
{
    while (s->equals[i] >= 0) i = s->equals[i];
    return i;
}

static ic_series_value term_of(const ic_tape *s, int i)
{
    const double value = s->values[i];
    i = resolve_equal(s, i);
    return (ic_series_value){s->constant[i] ? -1 : s->rows[i], value};
}

/* The row of an operation on rows, on a side of its kink. */
static int add_operation(ic_tape *s, const ic_equation_term *in, int side)
{
    const ic_series_value a = term_of(s, argument_of(s, in));
    const ic_series_value b = in->b >= 0 ? term_of(s, in->b) : (ic_series_value){-1, 0};
    const ic_operation op = in->operation;
    switch (op) {
    case IC_OP_ADD: return add_sum(s, a, b, 1);
    case IC_OP_SUBTRACT: return add_sum(s, a, b, -1);
    case IC_OP_MULTIPLY:
        return a.row < 0   ? add_linear(s, a.value, b.row, 0, -1, 0)
               : b.row < 0 ? add_linear(s, b.value, a.row, 0, -1, 0)
                           : add_scaled(s, false, a.row, b.row, 0);
    case IC_OP_DIVIDE:
        return b.row >= 0 ? add_scaled(s, true, a.row, b.row, a.row < 0 ? a.value : 0)
                          : add_linear(s, 1 / b.value, a.row, 0, -1, 0);
    case IC_OP_ABS: /* ABS on the side where its argument is negative. */
    case IC_OP_NEGATE: return add_linear(s, -1, a.row, 0, -1, 0);
    case IC_OP_POWER:
        if (side != 0) return add_linear(s, -1, a.row, 0, -1, 0);
        return b.value == floor(b.value) && fabs(b.value) <= MOST_PRODUCTS
                   ? add_whole_power(s, a.row, (int)b.value)
                   : add_power(s, op, a.row, b.value);
    case IC_OP_SQRT: return side != 0 ? add_linear(s, -1, a.row, 0, -1, 0) : add_power(s, op, a.row, 0.5);
    case IC_OP_CBRT: return add_power(s, op, a.row, 1.0 / 3);
    case IC_OP_EXP: return add_integral(s, op, a.row, (int)s->n_rows, 1);
    case IC_OP_LOG: return add_inverse(s, op, a.row, a.row, a.row, a.row);
    case IC_OP_SIN:
    case IC_OP_COS: return add_pair(s, IC_OP_SIN, IC_OP_COS, a.row, op == IC_OP_SIN);
    case IC_OP_SINH:
    case IC_OP_COSH: return add_pair(s, IC_OP_SINH, IC_OP_COSH, a.row, op == IC_OP_SINH);
    case IC_OP_TAN:
    case IC_OP_TANH: return add_tangent(s, op, a.row);
    case IC_OP_ASIN:
    case IC_OP_ACOS:
    case IC_OP_ATAN: return add_arc(s, op, a.row);
    default: break;
    }
    const int y = row_of(s, a);
    return add_arc_of_two(s, y, row_of(s, b), side);
}

/* ---- a phase */

/* The operands that a tape reads. */
static int operands_read(const ic_tape *s, const ic_equation_term *in, int operands[3])
{
    const int n = operands_of(in, operands);
    operands[0] = argument_of(s, in);
    return n;
}

/* Counts the terms and results that read a term. */
static void count_uses(ic_tape *s)
{
    const ic_equations *p = s->equations;
    memset(s->uses, 0, p->n_terms * sizeof *s->uses);
    for (size_t i = 0; i < p->n_results; i++) s->uses[resolve_equal(s, p->results[i])] += !s->idle[i];
    for (size_t i = 0; i < p->n_terms; i++) {
        int operands[3] = {0};
        if (!s->used[i] || (s->equals[i] >= 0 && !is_kink(s, &p->terms[i]))) continue;
        const int n = operands_read(s, &p->terms[i], operands);
        for (int k = 0; k < n; k++) s->uses[resolve_equal(s, operands[k])]++;
    }
}

/* Marks the terms on which the results depend, including the arguments of kinks. */
static void mark_used(ic_tape *s)
{
    const ic_equations *p = s->equations;
    memset(s->used, 0, p->n_terms * sizeof *s->used);
    for (size_t i = 0; i < p->n_results; i++) s->used[p->results[i]] |= !s->idle[i];
    for (int i = (int)p->n_terms - 1; i >= 0; i--) {
        const ic_equation_term *in = &p->terms[i];
        int operands[3] = {0};
        if (!s->used[i]) continue;
        const int n = operands_read(s, in, operands);
        const bool chooses = in->operation == IC_OP_CHOOSE;
        if (s->equals[i] >= 0) s->used[s->equals[i]] = true;
        for (int k = 0; k < n; k++) {
            /* an operand that is 0 or 1 on the side of a kink counts: the kink may turn */
            const bool may_turn = is_kink(s, in) ? !(chooses && k > 0) : s->sided[operands[k]];
            if (s->equals[i] < 0 || may_turn) s->used[operands[k]] = true;
        }
    }
    count_uses(s);
    s->n_kinks = 0;
    for (size_t k = 0; k < s->n_met; k++) {
        if (s->used[s->met[k].term]) s->kinks[s->n_kinks++] = s->met[k];
    }
}

static void add_kernels(ic_tape *s)
{
    const ic_equations *p = s->equations;
    size_t kink = 0;
    s->n_kernels = s->n_rows = s->n_entries = 0;
    s->branches = false;
    for (size_t i = 0; i < s->n; i++) add_row(s, is_held(p, i) ? 0 : ENDLESS);
    const int time = add_row(s, 1);
    add_row(s, 0);
    for (size_t i = 0; i < p->n_terms; i++) {
        const ic_equation_term *in = &p->terms[i];
        const bool turns = kink < s->n_kinks && s->kinks[kink].term == (int)i;
        const int side = turns ? s->kinks[kink].side : 0;
        if (s->used[i] && s->equals[i] < 0 && !s->constant[i]) {
            s->rows[i] = in->operation == IC_OP_STATE  ? in->a
                         : in->operation == IC_OP_TIME ? time
                                                       : add_operation(s, in, side);
            s->reads[s->rows[i]] = s->uses[i];
        }
        if (!turns) continue;
        ic_series_value *argument = &s->kinks[kink++].argument;
        const double value = argument->value;
        *argument = term_of(s, argument_of(s, in));
        if (in->operation == IC_OP_MIN || in->operation == IC_OP_MAX)
            *argument = (ic_series_value){add_sum(s, *argument, term_of(s, in->b), -1), value};
    }
    for (size_t i = 0; i < p->n_results; i++)
        s->results[i] = s->idle[i] ? (ic_series_value){IDLE, 1} : term_of(s, p->results[i]);
}

/* ---- order: kernels for the flow first, those that nothing reads not at all */

static void mark_row(const ic_tape *s, bool *marked, int row)
{
    if (!is_kernel_row(s, row) || marked[row]) return;
    const ic_tape_kernel *k = kernel_of(s, row);
    marked[row] = true;
    mark_row(s, marked, k->a);
    mark_row(s, marked, k->b);
    if (k->kind == IC_TAPE_INTEGRAL || k->kind == IC_TAPE_INVERSE) {
        mark_row(s, marked, k->of);
        mark_row(s, marked, k->with);
    }
    for (int i = k->first; i < k->first + k->count; i++) mark_row(s, marked, s->found_entries[i].row);
}

static void mark_rows(ic_tape *s)
{
    memset(s->flows, 0, s->n_rows * sizeof *s->flows);
    memset(s->needed, 0, s->n_rows * sizeof *s->needed);
    for (size_t i = 0; i < s->equations->n_results; i++) {
        if (i < s->n) mark_row(s, s->flows, s->results[i].row);
        mark_row(s, s->needed, s->results[i].row);
    }
    for (size_t i = 0; i < s->n_kinks; i++) mark_row(s, s->needed, s->kinks[i].argument.row);
}

static bool has_varying_operand(const ic_tape *s, const ic_tape_kernel *k)
{
    bool varies = s->varies[k->a] || s->varies[k->b];
    if (k->kind == IC_TAPE_INTEGRAL || k->kind == IC_TAPE_INVERSE)
        varies = varies || s->varies[k->of] || s->varies[k->with];
    for (int i = k->first; i < k->first + k->count; i++) varies = varies || s->varies[s->found_entries[i].row];
    return varies;
}

/* Kernels may read later ones, so that this is repeated until it changes nothing. */
static void find_varying_rows(ic_tape *s, size_t found)
{
    bool changes = true;
    for (size_t i = 0; i < s->n + FIXED_ROWS + found; i++) s->varies[i] = i < s->n;
    while (changes) {
        changes = false;
        for (const ic_tape_kernel *k = s->found; k < s->found + found; k++) {
            if (s->varies[k->out] || !has_varying_operand(s, k)) continue;
            s->varies[k->out] = changes = true;
        }
    }
}

/* Gives the kernels of one part their places, those of the flow by whether they vary with the states. */
static void place_kernels(ic_tape *s, size_t found, bool flow, bool varies)
{
    for (size_t i = 0; i < found; i++) {
        const int row = s->found[i].out;
        if (!s->needed[row] || s->flows[row] != flow || (flow && s->varies[row] != varies)) continue;
        s->moved[row] = (int)(s->n + FIXED_ROWS + s->n_kernels);
        s->kernels[s->n_kernels++] = s->found[i];
    }
}

static void rename_kernel(ic_tape *s, ic_tape_kernel *k)
{
    const int *const moved = s->moved, first = (int)s->n_entries;
    for (int i = k->first; i < k->first + k->count; i++) {
        const ic_tape_entry *entry = &s->found_entries[i];
        s->entries[s->n_entries++] = (ic_tape_entry){moved[entry->row], entry->factor};
    }
    s->tops[moved[k->out]] = s->found_tops[k->out];
    k->first = first;
    k->out = moved[k->out];
    k->a = moved[k->a];
    k->b = moved[k->b];
    k->of = moved[k->of];
    k->with = moved[k->with];
}

static void rename_value(const ic_tape *s, ic_series_value *value)
{
    if (value->row >= 0) value->row = s->moved[value->row];
}

/* Number of factors of the product in a row. */
static int factors_of(const ic_tape *s, int row)
{
    const ic_tape_kernel *k = ic_tape_kernel_of(s, row);
    return k != NULL ? k->factors : 1;
}

/* Whether a function grows or saturates like an exponential. */
static bool is_steep(ic_operation operation)
{
    return operation == IC_OP_EXP || operation == IC_OP_SINH || operation == IC_OP_COSH ||
           operation == IC_OP_TANH;
}

/* Marks kernels that hide terms. */
static void mark_hiding(ic_tape *s)
{
    s->hides = false;
    for (ic_tape_kernel *k = s->kernels; k < s->kernels + s->n_kernels; k++) {
        k->factors = k->kind == IC_TAPE_PRODUCT  ? factors_of(s, k->a) + factors_of(s, k->b)
                     : k->kind == IC_TAPE_SQUARE ? 2 * factors_of(s, k->a)
                     : k->kind == IC_TAPE_SUM && k->count == 1 && k->gamma == 0
                         ? factors_of(s, s->entries[k->first].row)
                         : 1;
        k->hides = k->factors >= MANY_FACTORS || k->kind == IC_TAPE_QUOTIENT || k->kind == IC_TAPE_POWER ||
                   (k->kind == IC_TAPE_INTEGRAL && is_steep(k->start)) ||
                   (k->kind == IC_TAPE_INVERSE && k->start == IC_OP_ATAN);
        s->hides = s->hides || k->hides;
    }
}

static void order_kernels(ic_tape *s)
{
    const size_t found = s->n_kernels;
    mark_rows(s);
    for (int i = 0; i < (int)(s->n + FIXED_ROWS); i++) {
        s->moved[i] = i;
        s->tops[i] = s->found_tops[i];
    }
    s->n_kernels = s->n_entries = 0;
    find_varying_rows(s, found);
    place_kernels(s, found, true, false);
    s->n_time = s->n_kernels;
    place_kernels(s, found, true, true);
    s->n_flow = s->n_kernels;
    place_kernels(s, found, false, true);
    s->n_rows = s->n + FIXED_ROWS + s->n_kernels;
    for (size_t i = 0; i < s->n_kernels; i++) rename_kernel(s, &s->kernels[i]);
    mark_hiding(s);
    for (size_t i = 0; i < s->equations->n_results; i++) rename_value(s, &s->results[i]);
    for (size_t i = 0; i < s->n_kinks; i++) rename_value(s, &s->kinks[i].argument);
}

/* Notes what the form in use was built for, and its numbers. It reads all but what is not chosen, or times zero. */
static void keep_form(ic_tape *s, const double *x)
{
    ic_tape_form *form = &s->forms[s->form];
    const ic_equations *p = s->equations;
    bool *const read = s->used;
#define KEEP(type, name) form->name = s->name;
    FORM_NUMBERS(KEEP)
#undef KEEP
    for (size_t i = 0; i < s->n; i++) form->held[i] = NAN;
    memset(read, 0, p->n_terms * sizeof *read);
    for (size_t i = 0; i < p->n_results; i++) read[p->results[i]] |= !s->idle[i];
    for (int i = (int)p->n_terms - 1; i >= 0; i--) {
        const ic_equation_term *in = &p->terms[i];
        int operands[3] = {0};
        const int n = read[i] ? operands_of(in, operands) : 0;
        const bool zero = in->operation == IC_OP_MULTIPLY && s->equals[i] >= 0 && is_number(s, s->equals[i], 0);
        for (int k = 0; k < n; k++) {
            const bool counts = !zero && (in->operation != IC_OP_CHOOSE || k == 0);
            if (counts || operands[k] == s->equals[i]) read[operands[k]] = true;
        }
        if (read[i] && in->operation == IC_OP_STATE) form->held[in->a] = x[in->a];
    }
    /* take_known_form looks for all kinks, also those in products with zero alone */
    for (size_t i = 0; i < s->n_kinks; i++) read[s->kinks[i].term] = true;
    form->n_sides = 0;
    for (size_t i = 0; i < s->n_met; i++) {
        if (read[s->met[i].term]) form->sides[form->n_sides++] = side_of(&s->met[i]);
    }
}

/* Whether a form is what would be built now: its kinks, one after the other, are on their sides. */
static bool is_form_for(ic_tape *s, const ic_tape_form *form, const ic_equation_input *input)
{
    size_t n = 0;
    s->n_met = 0;
    if (!ic_tape_same_held(s, form->held, input->x)) return false;
    for (size_t i = 0; i < s->equations->n_results; i++) {
        if ((form->results[i].row == IDLE) != s->idle[i]) return false;
    }
    for (int i = 0; n < form->n_sides; i++) {
        s->values[i] = ic_equation_value(&s->equations->terms[i], s->values, input);
        if (abs(form->sides[n]) != 1 + i) continue;
        take_side(s, i);
        if (side_of(&s->met[n]) != form->sides[n]) return false;
        n++;
    }
    return true;
}

/* Takes the form that would be built, if there is one, with the values of its kinks. */
static bool take_known_form(ic_tape *s, const ic_equation_input *input)
{
    size_t i = 0, met = 0;
    while (i < s->n_forms && !is_form_for(s, &s->forms[i], input)) i++;
    if (i == s->n_forms) return false;
    take_form(s, i);
    for (ic_series_kink *kink = s->kinks; kink < s->kinks + s->n_kinks; kink++) {
        while (s->met[met].term != kink->term) met++;
        kink->argument.value = s->met[met].argument.value;
    }
    return true;
}

static void examine_operations(ic_tape *s, const ic_equation_input *input)
{
    s->n_met = 0;
    for (size_t i = 0; i < s->equations->n_terms; i++) examine_operation(s, (int)i, input);
}

static void build_kernels(ic_tape *s, double t, const double *x)
{
    const ic_equation_input input = {t, x, s->par};
    if (take_known_form(s, &input)) return;
    examine_operations(s, &input);
    begin_form(s);
    mark_used(s);
    add_kernels(s);
    order_kernels(s);
    keep_form(s, x);
}

void ic_tape_begin(ic_tape *s, const ic_equations *equations, const double *par, double t, const double *x)
{
    const bool is_new = s->equations != equations; /* or they are those of other parameters */
    s->equations = equations;
    s->n_results = equations->n_results;
    s->par = par;
    if (is_new) {
        s->n_forms = 0;
        find_parts(s);
    }
    memset(s->settled, 0, equations->n_terms * sizeof *s->settled);
    memset(s->leaves, 0, equations->n_terms * sizeof *s->leaves);
    build_kernels(s, t, x);
}

void ic_tape_turn(ic_tape *s, size_t kink, double t, const double *x)
{
    const ic_equation_term *const terms = s->equations->terms;
    const bool jumps = terms[s->kinks[kink].term].operation == IC_OP_ATAN2;
    if (jumps) examine_operations(s, &(ic_equation_input){t, x, s->par});
    for (size_t i = 0; i < s->n_kinks; i++) { /* what depends on an angle jumps with it, and so may its side */
        const ic_equation_term *in = &terms[s->kinks[i].term];
        const bool follows = jumps && (s->sided[in->a] || (in->b >= 0 && s->sided[in->b]));
        s->settled[s->kinks[i].term] = follows ? 0 : s->kinks[i].side;
    }
    s->settled[s->kinks[kink].term] = -s->kinks[kink].side;
    s->leaves[s->kinks[kink].term] = true;
    build_kernels(s, t, x);
}

void ic_tape_leave(ic_tape *s)
{
    for (size_t i = 0; i < s->n_kinks; i++) s->leaves[s->kinks[i].term] = false;
}

/* ---- powers of a root */

static bool is_root_power(const ic_tape_kernel *k, int root, int most)
{
    const double parts = root * k->alpha;
    return k->start != IC_OP_CBRT && parts >= 1 && parts <= most && parts == floor(parts) &&
           fmod(parts, root) != 0;
}

int ic_tape_root_base(const ic_tape *s, int base, int root, int most)
{
    int found = -1;
    for (const ic_tape_kernel *k = s->kernels; k < s->kernels + s->n_kernels && s->branches; k++) {
        if (k->kind != IC_TAPE_POWER || (base >= 0 && k->a != base)) continue;
        if (!is_root_power(k, root, most) || (found >= 0 && k->a != found)) return -1;
        found = k->a;
    }
    return found;
}

/* ---- comparison */

static bool is_same_kernel(const ic_tape *s, const ic_tape *t, size_t i)
{
    const ic_tape_kernel *k = &s->kernels[i], *l = &t->kernels[i];
    bool same = k->kind == l->kind && k->a == l->a && k->b == l->b && k->start == l->start && k->of == l->of &&
                k->with == l->with && k->first == l->first && k->count == l->count;
    for (int e = k->first; same && e < k->first + k->count; e++) same = s->entries[e].row == t->entries[e].row;
    return same;
}

bool ic_tape_matches(const ic_tape *a, const ic_tape *b)
{
    bool same = a->equations == b->equations && a->n == b->n && a->n_kernels == b->n_kernels &&
                a->n_flow == b->n_flow && a->n_entries == b->n_entries && a->n_kinks == b->n_kinks;
    for (size_t i = 0; same && i < a->n_kernels; i++) same = is_same_kernel(a, b, i);
    for (size_t i = 0; same && i < a->equations->n_results; i++) same = a->results[i].row == b->results[i].row;
    for (size_t i = 0; same && i < a->n_kinks; i++)
        same = a->kinks[i].term == b->kinks[i].term && a->kinks[i].side == b->kinks[i].side &&
               a->kinks[i].argument.row == b->kinks[i].argument.row;
    return same;
}
