/* SPDX-License-Identifier: MIT */
/**
 * The grammar of the expression language of the public header, over any arithmetic: values are vectors of `length` real balls, and
 * what they mean is the arithmetic's matter.
 */
#ifndef IC_REFERENCE_GRAMMAR_H
#define IC_REFERENCE_GRAMMAR_H

#include "impactcheck/impactcheck.h"
#include "reference/ball.h"

typedef struct ic_reader ic_reader;

/** What is done with values. Functions that can fail return false once ic_complain has said why. */
typedef struct ic_arithmetic {
    void (*constant)(const ic_reader *reader, arb_ptr f, const arb_t value);
    void (*scale)(const ic_reader *reader, arb_ptr f, const arb_t factor);
    void (*negate)(const ic_reader *reader, arb_ptr f);
    bool (*look_up)(const ic_reader *reader, const char *name, arb_ptr f); /* f is 0; false: unknown */
    bool (*add)(const ic_reader *reader, arb_ptr f, arb_ptr g, int sign);  /* f += sign g; g is spent */
    bool (*multiply)(const ic_reader *reader, arb_ptr f, arb_ptr g);       /* f *= g; g is spent */
    bool (*divide)(const ic_reader *reader, arb_ptr f, arb_srcptr g);
    bool (*power)(const ic_reader *reader, arb_ptr f, ulong exponent);
    bool (*invert)(const ic_reader *reader, arb_ptr f);
    bool (*apply)(const ic_reader *reader, const char *function, arb_ptr f);
} ic_arithmetic;

/** A text that is being read. */
struct ic_reader {
    const char *text, *here; /* both at the beginning, at first */
    const ic_arithmetic *arithmetic;
    const void *context; /* of the arithmetic */
    slong length, prec;
    int nested;
    bool juxtaposed; /* the last atom was a product without a sign, such as 80pi */
    char *message;   /* or NULL */
    size_t size;
};

/** Read the whole text into a vector that the caller has initialised. false: `message` says what is wrong and where. */
bool ic_read(ic_reader *reader, arb_ptr value);

/** Say what is wrong at this character; returns false. */
bool ic_complain(const ic_reader *reader, const char *what);

#endif
