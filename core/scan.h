/* SPDX-License-Identifier: MIT */
/** Characters of formulas, for their readers. */
#pragma once

#include <ctype.h>
#include <stdbool.h>

static inline const char *ic_after_space(const char *at)
{
    while (*at == ' ' || (*at >= '\t' && *at <= '\r')) at++;
    return at;
}

/** Passes over white space, and over the character c if it follows. */
static inline bool ic_accept_char(const char **at, char c)
{
    *at = ic_after_space(*at);
    if (**at != c) return false;
    ++*at;
    return true;
}

/** The end of the exponent of a number, such as e-3; `at` itself if there is none. */
static inline const char *ic_after_exponent(const char *at)
{
    if (*at != 'e' && *at != 'E') return at;
    const char *end = at + (at[1] == '+' || at[1] == '-' ? 2 : 1);
    if (!isdigit((unsigned char)*end)) return at;
    while (isdigit((unsigned char)*end)) end++;
    return end;
}
