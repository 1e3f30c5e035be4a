/* SPDX-License-Identifier: MIT */
/** Bytes of a fuzzer as what readers take: texts and streams; and what every message must have. */
#pragma once

#include "core/expression.h"

#include <stdint.h>
#include <stdio.h>

/** The remaining bytes. */
typedef struct ic_input {
    const uint8_t *at;
    size_t left;
} ic_input;

/** The next byte; 0 where there is none. */
unsigned ic_input_byte(ic_input *input);

/**
 * What is left up to the end of a line, without it, as a text to be freed: it ends at its first
 * zero. NULL: memory ran out.
 */
char *ic_input_line(ic_input *input);

/** All that is left, as a text to be freed. */
char *ic_input_text(ic_input *input);

/** All that is left, as a stream that is read. NULL: memory ran out. */
FILE *ic_input_stream(const ic_input *input);

/** Whether a reader gave up because memory ran out: nothing that the bytes are to blame for. */
bool ic_input_no_memory(const ic_error *error);

/**
 * Whether a message begins with PATH:LINE: or PATH:LINE:COLUMN:, both from 1, and says something
 * behind it.
 */
bool ic_input_has_place(const ic_error *error, const char *path);

/** The same number, or both none. */
bool ic_input_same(double a, double b);
