/* SPDX-License-Identifier: MIT */
/**
 * Translates the operations of a case into terms. Operations that are not smooth (abs, min, where)
 * are replaced by the branch that holds, which requires signs: of guards, which keep them until they
 * fire, or of values, which each step proves again.
 *
 * Fractional powers of a guard's value that is zero are not analytic in time. With u^q = the guard's
 * value, a translated value is u^power times its term, so that its powers are powers of u.
 */
#pragma once

#include "reference/flow/flow_step.h"

#include <fmpq.h>

/** Numbers of built-in tables that have been enclosed, with one precision. */
typedef struct ic_table_numbers {
    /* texts are borrowed */
    const char **texts;
    arb_ptr values;
    size_t n, capacity;
} ic_table_numbers;

void ic_table_numbers_clear(ic_table_numbers *numbers);

/** The absolute value of a number of a built-in table, by its name. false: it is not known. */
bool ic_table_number(arb_t value, const char *name, slong prec);

/** u^power times a term; -1 if translation failed. */
typedef struct ic_translated {
    int term;
    slong power;
} ic_translated;

/** A term whose sign is known. */
typedef struct ic_known_sign {
    int term;

    /* 0: the term is zero */
    int sign;

    /* number of the guard with this value; -1: none */
    int guard;

    /* the value is zero where the phase starts */
    bool starts_at_zero;

    /* a translation has used it */
    bool used;
} ic_known_sign;

/* Exponents are p/q with q up to the first; the clock of several such powers is a root of a higher order. */
enum { IC_LARGEST_ROOT = 8, IC_LARGEST_CLOCK_ROOT = 60, IC_MOST_ROOTS = 8 };

/** A guard of whose value, times `sign`, powers with exponents p/q occur. */
typedef struct ic_root {
    int guard, sign, q;
} ic_root;

typedef struct ic_translation ic_translation;

struct ic_translation {
    ic_flow_terms *terms;
    const ic_problem *problem;

    /* parameters */
    arb_srcptr par;

    /* where numbers of tables are kept; or NULL */
    ic_table_numbers *tables;

    /* whether values that depend on an unknown order may be translated as `greater` */
    bool values_only;

    /* whether only known signs count */
    bool known_only;

    /* whether a proof is written: its checker has no fractions, so that a sum of decimals is as its ball is */
    bool proved;

    /* known signs; entries are added by the caller */
    ic_known_sign *known;
    size_t n_known;

    /* signs that were used and are not known */
    ic_assumption *assumptions;
    size_t n_assumptions, assumption_capacity;

    /* the term b with u^q = b, and q; -1 and 0: the clock is the time */
    int base, q;

    /* the base with further variables in place of what they are; -1: there are none */
    int base_by_variables;

    /* terms that are further variables, and these */
    int defined[IC_FLOW_MOST_FURTHER], variables[IC_FLOW_MOST_FURTHER];
    size_t n_defined;

    /*
     * Called with the arguments of operations that are not smooth, before their signs are needed; NULL: not
     * called. The operation is one of the equations.
     */
    void (*meet)(struct ic_translation *t, int operation, ic_translated argument);
    void *context;

    /* guards of whose values fractional powers occur */
    ic_root roots[IC_MOST_ROOTS];
    size_t n_roots;

    /* the guard whose value is zero where a fractional power of it stopped a translation; -1: none */
    int wanted_guard;

    /* the q that a fractional power of u needs, if that stopped a translation; otherwise 0 */
    int wanted_q;

    /* a power has no root, whatever the precision */
    bool has_no_root;

    /* by state: the term that stands for it, or NULL: the variable does */
    const int *substitute;

    char message[200];

    /* the equations that are being translated, and results by operation */
    const ic_equations *equations;
    ic_translated *done;
};

/** Translate operation number `i` of the equations that were begun. Term -1: `message` gives the reason. */
ic_translated ic_translate(ic_translation *t, int i);

/** Whether a condition is joined from parts by `and` (the least value) or `or` (the greatest). */
bool ic_flow_is_joined(const ic_equations *equations, int operation);

/** A translation for values alone, with no root as the clock. `tables` may be NULL. All are borrowed. */
ic_translation ic_translation_of_values(ic_flow_terms *terms, const ic_problem *problem, arb_srcptr par,
                                        ic_table_numbers *tables);

/** Begin with some equations, after others if there are any; and end. */
void ic_translate_begin(ic_translation *t, const ic_equations *equations);
void ic_translate_end(ic_translation *t);

/**
 * The known value of which a term is a multiple by factors whose signs are definite where the phase
 * starts; NULL: none. *sign: the sign of the product of these factors.
 */
ic_known_sign *ic_translated_guard(const ic_translation *t, int term, int *sign);

/**
 * Make a term a further variable, which stands for it in what is translated from now on. Returns the
 * variable.
 */
int ic_translate_define(ic_translation *t, int definition);

/** A translated value as one term. */
int ic_translated_term(ic_translation *t, ic_translated value);

/**
 * The sign of a translated value: -1, 0, +1; IC_NO_SIGN: not known. A sign that is taken from a value
 * becomes an assumption.
 */
enum { IC_NO_SIGN = 2 };
int ic_translated_sign(ic_translation *t, ic_translated value);
