/* SPDX-License-Identifier: MIT */
/**
 * Formulas of a smooth phase as a list of few kinds of terms, from which Taylor coefficients and
 * derivatives follow by short rules. Equal formulas are one term. Operands precede their term.
 *
 * Variables are the n states and, as number n, the time. Further variables are formulas of these that
 * have equations of their own: as variables they lose less in interval arithmetic where they are small
 * differences of large terms. The independent variable, the clock, is the
 * time, or u with u^q = the value of a guard; then terms may contain powers of u.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

typedef enum ic_flow_term_kind {
    /* A number, known as a ball. */
    IC_FLOW_NUMBER,

    /* Variable number `index`. */
    IC_FLOW_VARIABLE,

    /* u^index. */
    IC_FLOW_CLOCK_POWER,

    IC_FLOW_SUM,
    IC_FLOW_DIFFERENCE,

    /* If one of the factors is constant, it is the first. */
    IC_FLOW_PRODUCT,

    /* 1/a */
    IC_FLOW_RECIPROCAL,

    /* a^b, with a constant b. */
    IC_FLOW_POWER,

    /* f(a) for one of ic_flow_term_function. Its derivative f'(a) is the term `slope`. */
    IC_FLOW_FUNCTION,

    /* The greater of a and b, where their order is not known. Only the value is computed. */
    IC_FLOW_GREATER,
} ic_flow_term_kind;

typedef enum ic_flow_term_function {
    IC_FLOW_EXP,
    IC_FLOW_LOG,
    IC_FLOW_SIN,
    IC_FLOW_COS,
    IC_FLOW_SINH,
    IC_FLOW_COSH,
    IC_FLOW_ATAN,
    IC_FLOW_ASIN,

    /* The damping factor of a law with the restitution a (IC_OP_DAMPING), of constants only. */
    IC_FLOW_DAMPING,
} ic_flow_term_function;

typedef struct ic_flow_term {
    ic_flow_term_kind kind;

    /* Terms; -1 for operands that the kind does not have. */
    int a, b;

    /* VARIABLE, CLOCK_POWER, FUNCTION: see there. NUMBER: identifies the number. */
    int index;

    /* NUMBER: the text of equations that gives it exactly; NULL: there is none */
    const char *text;

    /* RECIPROCAL, POWER, FUNCTION: the term that is the derivative with respect to a. */
    int slope;

    /* Whether the value does not change in the phase. */
    bool constant;

    /* Whether Taylor coefficients of the results depend on it; otherwise only derivatives do. */
    bool needed;
} ic_flow_term;

enum { IC_FLOW_MOST_FURTHER = 8 };

typedef struct ic_flow_terms {
    slong n, prec;

    ic_flow_term *list;
    size_t count, capacity;

    /*
     * Values by term: where the term is constant, its value; otherwise an enclosure for all states of
     * the set from which the phase starts.
     */
    arb_ptr values;

    /* Hash table: 1 + term, or 0. Its size is a power of two. */
    int *table;
    size_t table_size;

    /* By further variable, from number n + 1 on: the term that it is. */
    int definitions[IC_FLOW_MOST_FURTHER];
    slong n_further;

    /* The variables (n + 1 balls) and the clock for which `values` are computed. */
    arb_srcptr start;
    arb_t clock;

    /* By variable: whether it is constant in this phase. */
    const bool *constant;

    bool failed; /* memory ran out */
} ic_flow_terms;

/**
 * Begin with no terms. `start` (n + 1 balls) and `constant` (n + 1 flags) are borrowed; `clock` is
 * copied.
 */
void ic_flow_terms_init(ic_flow_terms *t, slong n, arb_srcptr start, const arb_t clock, const bool *constant,
                        slong prec);
void ic_flow_terms_clear(ic_flow_terms *t);

/** Add terms. They return its number; -1: memory ran out, or an operand was -1. */
int ic_flow_term_number(ic_flow_terms *t, const arb_t value, int identity);
int ic_flow_term_integer(ic_flow_terms *t, slong value);
int ic_flow_term_variable(ic_flow_terms *t, slong index);

/** Add a further variable that equals a term. */
int ic_flow_term_define(ic_flow_terms *t, int definition);
int ic_flow_term_clock_power(ic_flow_terms *t, slong exponent);
int ic_flow_term_add(ic_flow_terms *t, int a, int b);
int ic_flow_term_subtract(ic_flow_terms *t, int a, int b);
int ic_flow_term_multiply(ic_flow_terms *t, int a, int b);
int ic_flow_term_negate(ic_flow_terms *t, int a);
int ic_flow_term_invert(ic_flow_terms *t, int a);

/** a^b, b constant, a > 0 unless b is a whole number. */
int ic_flow_term_power(ic_flow_terms *t, int a, int b);
int ic_flow_term_integer_power(ic_flow_terms *t, int a, ulong exponent);
int ic_flow_term_apply(ic_flow_terms *t, ic_flow_term_function function, int a);
int ic_flow_term_greater(ic_flow_terms *t, int a, int b);

/** Whether a term is the exact number 0. */
bool ic_flow_term_is_zero(const ic_flow_terms *t, int a);

/** Whether a term is positive for all states by its form, such as 1 + x^2. false: it may or may not be. */
bool ic_flow_term_is_positive(const ic_flow_terms *t, int a);

/** If `a` is a constant factor times `b`, the sign of that factor (0: not decided), otherwise 0. */
int ic_flow_term_ratio_sign(const ic_flow_terms *t, int a, int b);

/** Whether two terms are sums of the same terms with opposite signs, such as x - y and y - x. */
bool ic_flow_term_opposite(const ic_flow_terms *t, int a, int b);

/**
 * The derivative of a term along the flow, by the same clock as the rates that are given, a term for each
 * variable; if the term contains u, by u. -1: it is not known.
 */
int ic_flow_term_rate(ic_flow_terms *t, int a, const int *rates);

/** Mark the terms on which n results depend (`needed`). */
void ic_flow_terms_mark(ic_flow_terms *t, const int *results, size_t n);

/** The term that a further variable is; -1: term i is no further variable. */
int ic_flow_term_definition(const ic_flow_terms *t, int i);

/** Coefficient k of (u + e)^m, 0 for k > m. */
void ic_flow_clock_power(arb_t y, const arb_t u, slong m, slong k, slong prec);

/** The value of a function of one ball. */
void ic_flow_term_function_value(arb_t value, ic_flow_term_function function, const arb_t a, slong prec);
