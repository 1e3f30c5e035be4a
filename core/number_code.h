/* SPDX-License-Identifier: MIT */
/**
 * Straight-line code for numbers: operations on inputs and constants, recorded once and evaluated
 * for several sets of inputs side by side. Operations on constants alone are done when they are
 * recorded, equal ones are recorded once.
 */
#pragma once

#include "impactcheck/impactcheck.h"

/** Number of sets that are evaluated together. */
enum { IC_CODE_LANES = 8 };

typedef struct ic_code_term {
    /* IC_OP_NUMBER: constant; IC_OP_INPUT: input number a; otherwise on the terms a and b */
    ic_operation operation;
    int a, b;

    /* Value for the inputs with which the code was recorded. */
    double number;

    /* Place of its values; -1: constant. */
    int slot;
} ic_code_term;

typedef struct ic_term_list {
    int *terms;
    size_t n, capacity;
} ic_term_list;

typedef struct ic_code {
    ic_code_term *terms;
    size_t n, capacity;
    size_t n_slots;

    /* terms that must not be 0 */
    ic_term_list divisors;

    /* terms that must be numbers: results of functions */
    ic_term_list results;

    /* True if memory has run out. */
    bool failed;
} ic_code;

/** Each returns the index of a term, which is any term if memory has run out. */
int ic_code_number(ic_code *code, double value);
int ic_code_input(ic_code *code, int input, double value);

/** `value`: that of the operation for the values of its operands. */
int ic_code_apply(ic_code *code, ic_operation operation, int a, int b, double value);

/** Adds a term to a list of the code, its divisors or results, unless it is constant. */
void ic_code_require(ic_code *code, ic_term_list *list, int term);

/**
 * Evaluates all terms for IC_CODE_LANES sets. inputs: n x IC_CODE_LANES, values: n_slots x
 * IC_CODE_LANES. good[lane]: whether the requirements are met.
 */
void ic_code_evaluate(const ic_code *code, const double *inputs, double *values, bool good[IC_CODE_LANES]);

void ic_code_close(ic_code *code);

/** Value of a term in a lane; `values` begins at that lane. */
static inline double ic_code_value(const ic_code *code, const double *values, int term)
{
    const ic_code_term *t = &code->terms[term];
    return t->slot < 0 ? t->number : values[(size_t)t->slot * IC_CODE_LANES];
}

/** Whether a term is 0 for all inputs. */
static inline bool ic_code_is_zero(const ic_code *code, int term)
{
    return code->terms[term].slot < 0 && code->terms[term].number == 0;
}
