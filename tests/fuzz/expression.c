/* SPDX-License-Identifier: MIT */
/* Input: a text. Double and ball arithmetic have separate parsers that share no code: a text that
   both accept has the same value, and a text that is malformed to one is malformed to the other. An
   accepted number is finite, a refusal names the character. */
#include "reference/expression.h"
#include "reference/ball.h"
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Balls of 40 bits are some thousand times as wide as the rounding of doubles in the same
   operations: they contain the double's value. */
enum { BITS = 40, MOST_TEXT = 48, MOST_DIGITS = 4 };

/*
 * Short texts of short numbers without powers, exponentials and hyperbolic functions: nothing
 * overflows in between or jumps with the rounding of an argument.
 */
static bool is_tame(const char *text)
{
    if (strlen(text) > MOST_TEXT || strpbrk(text, "^eE") != NULL) return false;
    for (const char *at = text; *at != '\0'; at++) {
        if (strspn(at, "0123456789.") > MOST_DIGITS) return false;
    }
    return strstr(text, "log") == NULL && strstr(text, "sinh") == NULL && strstr(text, "cosh") == NULL;
}

/* A root of a negative number, or of a ball that extends below zero, or a quotient by zero: refused
   for the value, not for the form. */
static bool is_refused_for_value(const char *why)
{
    return strstr(why, "not a number") != NULL || strstr(why, "negative number") != NULL ||
           strstr(why, "by zero") != NULL || strstr(why, "not decided") != NULL ||
           strstr(why, "not finite") != NULL;
}

static bool ball_contains(const arb_t ball, double value)
{
    IC_FLOATS(number);
    arf_set_d(number, value);
    return !arb_is_finite(ball) || arb_contains_arf(ball, number);
}

/* `refusal`: NULL where the text was accepted. */
static const char *compare_parsers(const char *text, double value, const char *refusal)
{
    char why[256] = "";
    const char *broken = NULL;
    IC_BALLS(ball);
    const bool read = ic_ball_number(ball, text, NULL, BITS, why, sizeof why);
    if (refusal == NULL && read && !ball_contains(ball, value)) broken = "both parsers read the same value";
    if ((refusal == NULL && !read && !is_refused_for_value(why)) ||
        (refusal != NULL && read && !is_refused_for_value(refusal)))
        broken = "what one parser accepts the other does";
    return broken;
}

static const char *judge_text(ic_fuzz_expression_reader *read, const char *text)
{
    ic_error error = {""};
    double value = NAN;
    const bool accepted = read(&value, text, NULL, &error);
    if (accepted && !isfinite(value)) return "an accepted number is finite";
    if (!accepted && error.text[0] == '\0') return "a refusal says why";
    if (!accepted && strlen(text) < MOST_TEXT && strstr(error.text, text) == NULL)
        return "a refusal cites the text";
    return is_tame(text) ? compare_parsers(text, value, accepted ? NULL : error.text) : NULL;
}

const char *ic_fuzz_expression_by(ic_fuzz_expression_reader *read, const uint8_t *data, size_t size)
{
    ic_input input = {data, size};
    char *text = ic_input_text(&input);
    const char *broken = text != NULL ? judge_text(read, text) : NULL;
    free(text);
    return broken;
}
