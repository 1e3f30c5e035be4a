/* SPDX-License-Identifier: MIT */
#include "core/number_code.h"
#include "core/array.h"
#include "core/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- recording */

static bool same_term(const ic_code_term *a, const ic_code_term *b)
{
    return a->operation == b->operation && a->a == b->a && a->b == b->b &&
           (a->operation != IC_OP_NUMBER ||
            (a->number == b->number && signbit(a->number) == signbit(b->number)));
}

static int add_term(ic_code *code, ic_code_term term)
{
    for (size_t i = 0; i < code->n; i++) {
        if (same_term(&code->terms[i], &term)) return (int)i;
    }
    ic_code_term *terms = ic_array_reserve(code->terms, &code->capacity, code->n, sizeof *terms);
    if (terms == NULL) {
        code->failed = true;
        return 0;
    }
    code->terms = terms;
    term.slot = term.operation == IC_OP_NUMBER ? -1 : (int)code->n_slots++;
    code->terms[code->n] = term;
    return (int)code->n++;
}

int ic_code_number(ic_code *code, double value)
{
    return add_term(code, (ic_code_term){.operation = IC_OP_NUMBER, .number = value});
}

int ic_code_input(ic_code *code, int input, double value)
{
    return add_term(code, (ic_code_term){.operation = IC_OP_INPUT, .a = input, .number = value});
}

int ic_code_apply(ic_code *code, ic_operation operation, int a, int b, double value)
{
    if (code->failed) return 0;
    const bool zero_a = ic_code_is_zero(code, a), zero_b = ic_code_is_zero(code, b);
    const bool constant = code->terms[a].slot < 0 && code->terms[b].slot < 0;
    if (constant || (operation == IC_OP_MULTIPLY && (zero_a || zero_b)) ||
        (operation == IC_OP_DIVIDE && zero_a))
        return ic_code_number(code, value);
    if (operation == IC_OP_ADD && zero_a) return b;
    if ((operation == IC_OP_ADD || operation == IC_OP_SUBTRACT) && zero_b) return a;
    return add_term(code, (ic_code_term){.operation = operation, .a = a, .b = b, .number = value});
}

void ic_code_require(ic_code *code, ic_term_list *list, int term)
{
    if (code->failed || code->terms[term].slot < 0) return;
    int *terms = ic_array_reserve(list->terms, &list->capacity, list->n, sizeof *terms);
    if (terms == NULL) {
        code->failed = true;
        return;
    }
    list->terms = terms;
    terms[list->n++] = term;
}

void ic_code_close(ic_code *code)
{
    free(code->terms);
    free(code->divisors.terms);
    free(code->results.terms);
    *code = (ic_code){0};
}

/* ---- evaluation */

/* The values of an operand in all lanes; those of a constant are written to `filled`. */
static const double *operand_of(const ic_code *code, const double *values, int term, double *filled)
{
    const ic_code_term *t = &code->terms[term];
    if (t->slot >= 0) return values + (size_t)t->slot * IC_CODE_LANES;
    for (int l = 0; l < IC_CODE_LANES; l++) filled[l] = t->number;
    return filled;
}

static void evaluate_term(ic_operation operation, const double *a, const double *b, double *out)
{
    switch (operation) {
    case IC_OP_ADD:
        for (int l = 0; l < IC_CODE_LANES; l++) out[l] = a[l] + b[l];
        break;
    case IC_OP_SUBTRACT:
        for (int l = 0; l < IC_CODE_LANES; l++) out[l] = a[l] - b[l];
        break;
    case IC_OP_MULTIPLY:
        for (int l = 0; l < IC_CODE_LANES; l++) out[l] = a[l] * b[l];
        break;
    case IC_OP_DIVIDE:
        for (int l = 0; l < IC_CODE_LANES; l++) out[l] = a[l] / b[l];
        break;
    default:
        for (int l = 0; l < IC_CODE_LANES; l++) out[l] = ic_operation_value(operation, a[l], b[l], 0);
        break;
    }
}

void ic_code_evaluate(const ic_code *code, const double *inputs, double *values, bool good[IC_CODE_LANES])
{
    double first[IC_CODE_LANES], second[IC_CODE_LANES];
    for (size_t i = 0; i < code->n; i++) {
        const ic_code_term *term = &code->terms[i];
        if (term->slot < 0) continue;
        double *out = values + (size_t)term->slot * IC_CODE_LANES;
        if (term->operation == IC_OP_INPUT) {
            memcpy(out, inputs + (size_t)term->a * IC_CODE_LANES, IC_CODE_LANES * sizeof *out);
            continue;
        }
        evaluate_term(term->operation, operand_of(code, values, term->a, first),
                      operand_of(code, values, term->b, second), out);
    }
    for (int l = 0; l < IC_CODE_LANES; l++) {
        good[l] = true;
        for (size_t i = 0; i < code->divisors.n; i++)
            good[l] = good[l] && ic_code_value(code, values + l, code->divisors.terms[i]) != 0;
        for (size_t i = 0; i < code->results.n; i++)
            good[l] = good[l] && !isnan(ic_code_value(code, values + l, code->results.terms[i]));
    }
}
