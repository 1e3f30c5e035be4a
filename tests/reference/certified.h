/* SPDX-License-Identifier: MIT */
/** Machines with their certificates. */
#pragma once

#include "reference/flow/certify.h"
#include "tests/machine.h"

typedef struct certified {
    ic_machine m;
    ic_certificate c;
} certified;

/** A certificate that certify() makes, once or again and again; it is released where the block ends. */
#define CERTIFIED(r_) __attribute__((cleanup(certified_clear))) certified r_ = {0}

/** Certify a machine of a text, or a case (text: NULL), and judge the certificate by its text; request: NULL: the first preset. */
void certify(certified *r, const char *text, const ic_request *request, const ic_certify_options *options);
void certified_clear(certified *r);

/** The final value of an output. */
bool certified_output(arb_t value, const certified *r, const char *name);

/** Whether a ball overlaps a number, by a formula or as decimals +/- decimals, but not one that is greater by `planted`. */
bool ball_is(const arb_t ball, const char *formula, const char *planted);
