/* SPDX-License-Identifier: MIT */
/**
 * The grammar of the expression language of the public header, over any arithmetic: values are
 * vectors of `length` real balls, which the arithmetic interprets.
 */
#pragma once

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

typedef struct ic_reader ic_reader;

/** Operations on values. Functions that can fail return false after a call of ic_complain. */
typedef struct ic_arithmetic {
    /* f is 0 on entry, and the text, a decimal, is the exact value */
    void (*constant)(const ic_reader *reader, arb_ptr f, const arb_t value, const char *text);
    void (*negate)(const ic_reader *reader, arb_ptr f);

    /* f is 0 on entry; false: unknown name */
    bool (*look_up)(const ic_reader *reader, const char *name, arb_ptr f);

    /* f += sign g; g is overwritten */
    bool (*add)(const ic_reader *reader, arb_ptr f, arb_ptr g, int sign);

    /* f *= g; g is overwritten */
    bool (*multiply)(const ic_reader *reader, arb_ptr f, arb_ptr g);

    bool (*divide)(const ic_reader *reader, arb_ptr f, arb_srcptr g);
    bool (*power)(const ic_reader *reader, arb_ptr f, ulong exponent);
    bool (*invert)(const ic_reader *reader, arb_ptr f);
    bool (*apply)(const ic_reader *reader, const char *function, arb_ptr f);

    /* f = function(f, g); g is overwritten */
    bool (*apply_two)(const ic_reader *reader, const char *function, arb_ptr f, arb_ptr g);
} ic_arithmetic;

/** A text being read. */
struct ic_reader {
    /* both point to the beginning at first */
    const char *text, *here;

    const ic_arithmetic *arithmetic;

    /* passed to the arithmetic */
    const void *context;

    slong length, prec;
    int nested;

    /* the last atom was a product without a sign, such as 80pi */
    bool juxtaposed;

    /* or NULL */
    char *message;

    size_t size;
};

/**
 * Reads the whole text into a vector that the caller has initialised. false: `message` names the
 * error and its character.
 */
bool ic_read(ic_reader *reader, arb_ptr value);

/** Reports an error at the current character; returns false. */
bool ic_complain(const ic_reader *reader, const char *what);
