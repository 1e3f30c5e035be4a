/* SPDX-License-Identifier: MIT */
#include "reports/number.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Sizes between these are written in fixed point; others as 1.5e-7. */
#define SMALLEST_FIXED 1e-4
#define LARGEST_FIXED 1e7

/* 1.5e+05 becomes 1.5e5, 1.5e-05 becomes 1.5e-5. */
static void tidy_exponent(char *text)
{
    char *e = strchr(text, 'e');
    if (e == NULL) return;
    char *to = e + 1;
    const char *from = e + 1;
    if (*from == '-') *to++ = '-';
    from++; /* printf always writes a sign */
    while (*from == '0' && from[1] != '\0') from++;
    memmove(to, from, strlen(from) + 1);
}

ic_number_text ic_number_exact(double value)
{
    ic_number_text number;
    if (!isfinite(value)) {
        snprintf(number.text, sizeof number.text, "%s", isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
        return number;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
        if (strtod(number.text, NULL) == value) break;
    }
    tidy_exponent(number.text);
    return number;
}

static ic_number_text not_finite(double value)
{
    ic_number_text number;
    snprintf(number.text, sizeof number.text, "%s", isnan(value) ? "-" : value > 0 ? "inf" : "-inf");
    return number;
}

ic_number_text ic_number_short(double value, int digits)
{
    ic_number_text number;
    if (!isfinite(value)) return not_finite(value);
    snprintf(number.text, sizeof number.text, "%.*g", digits, value == 0 ? 0.0 : value); /* no -0 */
    tidy_exponent(number.text);
    return number;
}

int ic_number_digits_apart(double a, double b, int digits)
{
    if (a == b || !isfinite(a) || !isfinite(b)) return digits;
    while (digits < 17 && strcmp(ic_number_short(a, digits).text, ic_number_short(b, digits).text) == 0)
        digits++;
    return digits;
}

ic_number_column ic_number_column_for(const double *values, size_t n, int digits)
{
    double largest = 0;
    for (size_t i = 0; i < n; i++) {
        const double size = fabs(values[i]);
        if (isfinite(size) && size > largest) largest = size;
    }
    if (largest == 0) return (ic_number_column){0, 0};
    if (largest < SMALLEST_FIXED || largest >= LARGEST_FIXED) return (ic_number_column){digits - 1, 1};
    const int decimals = digits - 1 - (int)floor(log10(largest));
    return (ic_number_column){decimals > 0 ? decimals : 0, 0};
}

ic_number_text ic_number_in_column(double value, ic_number_column column)
{
    ic_number_text number;
    if (!isfinite(value)) return not_finite(value);
    if (value == 0) return ic_number_short(value, 1);
    if (column.scientific) {
        snprintf(number.text, sizeof number.text, "%.*e", column.decimals, value);
        tidy_exponent(number.text);
        return number;
    }
    const int length = snprintf(number.text, sizeof number.text, "%.*f", column.decimals, value);
    if (length < 0 || (size_t)length >= sizeof number.text) return ic_number_short(value, column.decimals + 1);
    const int is_minus_zero = number.text[0] == '-' && strspn(number.text, "-0.") == (size_t)length;
    if (is_minus_zero) memmove(number.text, number.text + 1, (size_t)length);
    return number;
}
