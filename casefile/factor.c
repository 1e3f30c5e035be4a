/* SPDX-License-Identifier: MIT */
#include "casefile/factor.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Whole numbers up to here are exact as doubles, and so are their texts. */
static const double most_whole = 1e15;

/* ---- products of powers of primes */

static bool multiply_prime(ic_factor *a, double prime, double power)
{
    size_t i = 0;
    while (i < a->n && a->of[i].prime != prime) i++;
    if (i == IC_FACTOR_PRIMES) return false;
    if (i == a->n) {
        a->of[i].prime = prime;
        a->of[i].power = 0;
        a->n++;
    }
    a->of[i].power += power;
    if (fabs(a->of[i].power) < 1e-9) a->of[i] = a->of[--a->n];
    return true;
}

/*
 * Multiplies by the prime factors of a whole number. The numbers that occur have at most one prime
 * factor above 10^6.
 */
static bool multiply_whole(ic_factor *a, double whole, double sign)
{
    for (double prime = 2; prime * prime <= whole && prime <= 1e6; prime += prime == 2 ? 1 : 2) {
        while (fmod(whole, prime) == 0) {
            if (!multiply_prime(a, prime, sign)) return false;
            whole /= prime;
        }
    }
    return whole == 1 || multiply_prime(a, whole, sign);
}

bool ic_factor_of(ic_factor *factor, double p, double q)
{
    *factor = (ic_factor){0};
    return multiply_whole(factor, p, 1) && multiply_whole(factor, q, -1);
}

bool ic_factor_multiply(ic_factor *a, const ic_factor *b, double sign)
{
    for (size_t i = 0; i < b->n; i++) {
        if (!multiply_prime(a, b->of[i].prime, sign * b->of[i].power)) return false;
    }
    a->pi += sign * b->pi;
    return true;
}

void ic_factor_raise(ic_factor *a, double power)
{
    for (size_t i = 0; i < a->n; i++) a->of[i].power *= power;
    if (power == 0) a->n = 0;
    a->pi *= power;
}

double ic_factor_value(const ic_factor *a)
{
    long double above = 1, below = 1;
    for (size_t i = 0; i < a->n; i++) {
        const long double part = powl((long double)a->of[i].prime, (long double)fabs(a->of[i].power));
        *(a->of[i].power > 0 ? &above : &below) *= part;
    }
    return (double)(above / below * powl(3.14159265358979323846264338L, (long double)a->pi));
}

/* ---- the factor that a double stands for */

/*
 * Relative error of a factor that UDUNITS-2 computes: two roundings, and half a rounding for
 * safety.
 */
static const double rounding = 5e-16;

/*
 * Upper limit B of p q. Some p/q with p q < B, or some decimal number of as many digits, lies
 * within the rounding of an arbitrary number with probability B times the rounding: 1 in 2000.
 */
static const double most_complex = 1e12;

typedef struct found_factor {
    /* p/q 10^ten pi^pi, the simplest factor so far. `complexity` is p q. */
    double p, q, pi, complexity;
    int ten;
} found_factor;

static void offer_factor(found_factor *f, found_factor other)
{
    if (other.complexity < f->complexity) *f = other;
}

/* Tries the convergents of the continued fraction of a number. */
static void find_fraction(found_factor *f, double value, double power_of_pi)
{
    double p = 1, q = 0, last_p = 0, last_q = 1, rest = value;
    for (int i = 0; i < 40; i++) {
        const double whole = floor(rest);
        const double next_p = whole * p + last_p, next_q = whole * q + last_q;
        last_p = p;
        last_q = q;
        p = next_p;
        q = next_q;
        if (!(p * q <= most_complex)) return;
        if (p > 0 && fabs(p / q / value - 1) <= rounding) {
            offer_factor(f, (found_factor){p, q, power_of_pi, p * q, 0});
            return;
        }
        if (rest == whole) return;
        rest = 1 / (rest - whole);
    }
}

/* Reads a number such as 4.5359237e-1 as a whole number and a power of ten. */
static void find_decimal(found_factor *f, double value)
{
    for (int digits = 1; digits <= 12; digits++) {
        char text[40];
        snprintf(text, sizeof text, "%.*e", digits - 1, value);
        if (!(fabs(strtod(text, NULL) / value - 1) <= rounding)) continue;
        const int ten = (int)strtol(strchr(text, 'e') + 1, NULL, 10) - (digits - 1);
        char whole[20];
        snprintf(whole, sizeof whole, "%c%.*s", text[0], digits - 1, digits > 1 ? text + 2 : "");
        const double p = strtod(whole, NULL);
        offer_factor(f, (found_factor){p, 1, 0, pow(10, digits), ten});
        return;
    }
}

bool ic_factor_find(ic_factor *factor, double value)
{
    found_factor f = {.complexity = INFINITY};
    *factor = (ic_factor){0};
    if (!(value > 1e-100 && value < 1e100)) return false;
    find_fraction(&f, value, 0);
    find_decimal(&f, value);
    find_fraction(&f, value / pi, 1);
    find_fraction(&f, value * pi, -1);
    if (f.complexity > most_complex) return false;
    factor->pi = f.pi;
    return multiply_whole(factor, f.p, 1) && multiply_whole(factor, f.q, -1) &&
           (f.ten == 0 || (multiply_prime(factor, 2, f.ten) && multiply_prime(factor, 5, f.ten)));
}

/* ---- texts */

static double power_of(const ic_factor *a, double prime)
{
    for (size_t i = 0; i < a->n; i++) {
        if (a->of[i].prime == prime) return a->of[i].power;
    }
    return 0;
}

static bool is_whole(double power)
{
    return fabs(power - round(power)) < 1e-9;
}

static bool powers_are_whole(const ic_factor *a)
{
    bool whole = is_whole(a->pi);
    for (size_t i = 0; i < a->n; i++) whole = whole && is_whole(a->of[i].power);
    return whole;
}

/*
 * Writes a factor with integer powers and without pi as p/q 10^ten; q is 1 if the number is
 * decimal.
 */
static bool read_whole(const ic_factor *a, double *p, double *q, int *ten)
{
    const double two = round(power_of(a, 2)), five = round(power_of(a, 5));
    double tens = two > 0 && five > 0 ? fmin(two, five) : two < 0 && five < 0 ? fmax(two, five) : 0;
    *p = *q = 1;
    for (size_t i = 0; i < a->n; i++) {
        const double prime = a->of[i].prime, power = round(a->of[i].power);
        if (prime != 2 && prime != 5) *(power > 0 ? p : q) *= pow(prime, fabs(power));
    }
    /* The number is decimal: 5/16 is 3125 10^-4. */
    if (*q == 1) tens = fmin(fmin(two, five), tens);
    const double left[2] = {two - tens, five - tens};
    *(left[0] > 0 ? p : q) *= pow(2, fabs(left[0]));
    *(left[1] > 0 ? p : q) *= pow(5, fabs(left[1]));
    *ten = (int)tens;
    return *p < most_whole && *q < most_whole && fabs(tens) < 300;
}

/* Writes digits times 10^ten: 20 and -3 give 0.02. `digits` is a decimal number without sign. */
static const char *shift_decimal(ic_arena *arena, const char *digits, int ten)
{
    char figures[160] = "";
    size_t n = 0;
    int point = 0;
    bool past = false;
    for (; isdigit((unsigned char)*digits) || *digits == '.'; digits++) {
        if (*digits == '.') past = true;
        else if (n + 1 < sizeof figures) figures[n++] = *digits;
        if (*digits != '.' && !past) point++;
    }
    if (*digits != '\0') ten += (int)strtol(digits + 1, NULL, 10);
    size_t zeros = 0;
    while (zeros < n && figures[zeros] == '0') zeros++;
    while (n > zeros && figures[n - 1] == '0') n--;
    if (n == zeros) return "0";
    const char *first = figures + zeros;
    /* `before` is the number of digits before the point. */
    const int length = (int)(n - zeros), before = point - (int)zeros + ten;
    if (before > 7 || before < -4)
        return ic_arena_print(arena, "%c%s%.*se%d", first[0], length > 1 ? "." : "", length - 1, first + 1,
                              before - 1);
    if (before <= 0) return ic_arena_print(arena, "0.%.*s%.*s", -before, "0000", length, first);
    if (before >= length) return ic_arena_print(arena, "%.*s%.*s", length, first, before - length, "0000000");
    return ic_arena_print(arena, "%.*s.%.*s", before, first, length - before, first + before);
}

static const char *whole_number(ic_arena *arena, double whole, int ten)
{
    char text[40];
    snprintf(text, sizeof text, "%.0f", whole);
    return shift_decimal(arena, text, ten);
}

/* Writes the part that follows "(formula)*": "5/18", "pi/30", "1000". */
static const char *whole_text(ic_arena *arena, const ic_factor *a)
{
    double p = 1, q = 1;
    int ten = 0;
    ic_factor rational = *a;
    rational.pi = 0;
    if (!read_whole(&rational, &p, &q, &ten)) return NULL;
    const char *text = whole_number(arena, p, q == 1 || ten > 0 ? ten : 0);
    const int of_pi = (int)round(a->pi);
    if (text != NULL && of_pi > 0) {
        const char *separator = strcmp(text, "1") == 0 ? "" : "*";
        text = strcmp(text, "1") == 0 ? "" : text;
        text = of_pi == 1 ? ic_arena_print(arena, "%s%spi", text, separator)
                          : ic_arena_print(arena, "%s%spi^%d", text, separator, of_pi);
    }
    const char *below = q == 1 ? NULL : whole_number(arena, q, ten < 0 ? -ten : 0);
    if (text != NULL && q != 1) text = below == NULL ? NULL : ic_arena_print(arena, "%s/%s", text, below);
    if (text != NULL && of_pi < 0)
        text = of_pi == -1 ? ic_arena_print(arena, "%s/pi", text)
                           : ic_arena_print(arena, "%s/pi^%d", text, -of_pi);
    return text;
}

static const char *factor_text(ic_arena *arena, const ic_factor *a)
{
    static const struct {
        int root;
        const char *name;
    } roots[] = {{2, "sqrt"}, {3, "cbrt"}};
    if (powers_are_whole(a)) return whole_text(arena, a);
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++) { /* N/mm^1.5 */
        ic_factor raised = *a;
        ic_factor_raise(&raised, roots[i].root);
        if (!powers_are_whole(&raised)) continue;
        const char *text = whole_text(arena, &raised);
        return text == NULL ? NULL : ic_arena_print(arena, "%s(%s)", roots[i].name, text);
    }
    return NULL;
}

/* Whether a text is a decimal number and nothing else; sign and exponent are optional. */
static bool is_decimal(const char *text)
{
    char *end = NULL;
    const char *digits = text + (text[0] == '-');
    if (!isdigit((unsigned char)digits[0]) && digits[0] != '.') return false;
    if (digits[strspn(digits, "0123456789.eE+-")] != '\0' || strlen(digits) > 150) return false;
    strtod(digits, &end);
    return *end == '\0';
}

/* Whether a text can be multiplied without brackets: 80pi, 3/2, 20*pi. */
static bool is_product(const char *text)
{
    return text[strcspn(text, "+-,<>=")] == '\0' && strpbrk(text, " ") == NULL;
}

const char *ic_factor_apply(ic_arena *arena, const char *formula, const ic_factor *a)
{
    double p = 1, q = 1;
    int ten = 0;
    const bool number = is_decimal(formula), negative = formula[0] == '-';
    if (number && a->pi == 0 && powers_are_whole(a) && read_whole(a, &p, &q, &ten) && p == 1 && q == 1) {
        const char *shifted = shift_decimal(arena, formula + negative, ten);
        return shifted == NULL || !negative ? shifted : ic_arena_print(arena, "-%s", shifted);
    }
    const char *text = factor_text(arena, a);
    if (text == NULL || strcmp(formula, "1") == 0) return text;
    const bool divides = text[0] == '1' && text[1] == '/';
    const char *left = number || is_product(formula) ? "" : "(", *right = left[0] == '(' ? ")" : "";
    return ic_arena_print(arena, "%s%s%s%s%s", left, formula, right, divides ? "" : "*", text + divides);
}
