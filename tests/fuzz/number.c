/* SPDX-License-Identifier: MIT */
/* Input: a text. Where the C library, in the locale "C", reads a decimal number to the text's end,
   so does our reader, to the last bit; it accepts nothing else but nan and inf. A number printed
   with 17 digits is read back exactly. */
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Hexadecimal numbers and nan(...) are accepted by the C library alone. */
static bool library_reads(const char *text, double *value)
{
    char *end = NULL;
    text += strspn(text, " ");
    if (strpbrk(text, "xX(\t\n\v\f\r") != NULL) return false;
    *value = strtod(text, &end);
    return end != text && end[strspn(end, " ")] == '\0';
}

static const char *judge_number(ic_fuzz_number_reader *read, const char *text)
{
    char printed[32];
    double value = NAN, expected = NAN, again = NAN;
    const bool number = read(text, &value);
    if (number != library_reads(text, &expected))
        return "a number is one exactly where the C library reads one";
    if (!number) return NULL;
    if (!ic_input_same(value, expected)) return "it has the C library's value";
    snprintf(printed, sizeof printed, "%.17g", value);
    if (!read(printed, &again) || !ic_input_same(again, value)) return "17 digits are read back exactly";
    return NULL;
}

const char *ic_fuzz_number_by(ic_fuzz_number_reader *read, const uint8_t *data, size_t size)
{
    ic_input input = {data, size};
    char *text = ic_input_text(&input);
    const char *broken = text != NULL ? judge_number(read, text) : NULL;
    free(text);
    return broken;
}
