/* SPDX-License-Identifier: MIT */
/*
 * unit: product ['/' product];  product: factor {' ' factor};  factor: (symbol | '1') ['^' power] |
 * '(' product ')'
 */
#include "validation/case/unit.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

static const char *const symbols[] = {"m", "kg", "s",  "A",  "K",  "mol", "cd", "rad", "sr", "Hz",
                                      "N", "Pa", "J",  "W",  "C",  "V",   "F",  "S",   "Wb", "T",
                                      "H", "lm", "lx", "Bq", "Gy", "ohm", "1",  "kat", "Sv"};

static bool symbol(const char **at)
{
    size_t length = 0;
    while (isalnum((unsigned char)(*at)[length])) length++;
    for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
        if (strlen(symbols[i]) != length || strncmp(symbols[i], *at, length) != 0) continue;
        *at += length;
        return true;
    }
    return false;
}

static bool power(const char **at)
{
    const char *start;
    if (**at != '^') return true;
    (*at)++;
    if (**at == '-') (*at)++;
    start = *at;
    while (isalnum((unsigned char)**at) || **at == '_') (*at)++;
    return *at > start;
}

static bool factors(const char **at)
{
    do {
        if (!symbol(at) || !power(at)) return false;
    } while (**at == ' ' && (*at)++);
    return true;
}

static bool product(const char **at)
{
    if (**at != '(') return factors(at);
    (*at)++;
    return factors(at) && *(*at)++ == ')';
}

bool ic_unit_is_known(const char *unit)
{
    const char *at = unit;
    if (!product(&at)) return false;
    if (*at == '\0') return true;
    if (*at != '/') return false;
    at++;
    return product(&at) && *at == '\0';
}
