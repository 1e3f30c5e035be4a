/* SPDX-License-Identifier: MIT */
#include "audit/csv.h"

#include <ctype.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A line is a row of numbers: some hundred bytes, and in any file that is a table less than this. */
enum { LINE_MOST = 1 << 20, COLUMNS_MOST = 1 << 14 };

/* ---- numbers */

/* 10^i as a long double: exact up to 27 with 64 bits, and below 1e-19 of it beyond. */
static long double power_of_ten(int i)
{
    long double power = 1, base = 10;
    for (; i > 0; i /= 2, base *= base) {
        if (i % 2 == 1) power *= base;
    }
    return power;
}

/* All digits of a mantissa that 64 bits hold; *exponent: of ten. false: there is no digit. */
static const char *read_mantissa(const char *s, uint64_t *mantissa, int *exponent)
{
    bool digit = false, point = false;
    for (;; s++) {
        if (*s == '.' && !point) {
            point = true;
        } else if (*s >= '0' && *s <= '9') {
            digit = true;
            if (*mantissa < (UINT64_MAX - 9) / 10) {
                *mantissa = 10 * *mantissa + (uint64_t)(*s - '0');
                *exponent -= point;
            } else {
                *exponent += !point;
            }
        } else {
            return digit ? s : NULL;
        }
    }
}

static const char *read_exponent(const char *s, int *exponent)
{
    const char *const before = s++;
    const bool negative = *s == '-';
    int value = 0;
    s += *s == '-' || *s == '+';
    if (!isdigit((unsigned char)*s)) return before;
    for (; isdigit((unsigned char)*s); s++) value = value < 10000 ? 10 * value + (*s - '0') : value;
    *exponent += negative ? -value : value;
    return s;
}

static bool equal_without_case(const char *a, const char *b)
{
    while (*a != '\0' && tolower((unsigned char)*a) == *b) a++, b++;
    return *a == *b;
}

static double scaled(uint64_t mantissa, int exponent)
{
    enum { MOST = 400 };
    if (mantissa == 0 || exponent < -MOST) return 0;
    if (exponent > MOST) return INFINITY;
    const long double m = (long double)mantissa, p = power_of_ten(abs(exponent));
    return (double)(exponent < 0 ? m / p : m * p);
}

/* NAN and INFINITY by name; 0: neither. */
static double named_value(const char *text)
{
    if (equal_without_case(text, "nan")) return NAN;
    return equal_without_case(text, "inf") || equal_without_case(text, "infinity") ? INFINITY : 0;
}

bool ic_csv_parse_number(const char *text, double *value)
{
    const char *s = text + strspn(text, " ");
    const double sign = *s == '-' ? -1 : 1;
    uint64_t mantissa = 0;
    int exponent = 0;
    s += *s == '-' || *s == '+';
    *value = sign * named_value(s);
    if (!isfinite(*value)) return true;
    s = read_mantissa(s, &mantissa, &exponent);
    if (s == NULL) return false;
    if (*s == 'e' || *s == 'E') s = read_exponent(s, &exponent);
    *value = sign * scaled(mantissa, exponent);
    return s[strspn(s, " ")] == '\0';
}

/* ---- lines */

static bool is_blank(const char *text)
{
    return text[strspn(text, " \t,;")] == '\0';
}

/* The next line that is no comment, without its end. */
static ic_csv_row read_line(ic_csv *csv, ic_error *error)
{
    for (;;) {
        if (fgets(csv->text, LINE_MOST, csv->stream) == NULL) {
            if (!ferror(csv->stream)) return IC_CSV_END;
            ic_error_set(error, "%s:%zu: the file cannot be read further", csv->path, csv->line + 1);
            return IC_CSV_WRONG;
        }
        csv->line++;
        size_t length = strlen(csv->text);
        if ((length == 0 || csv->text[length - 1] != '\n') && !feof(csv->stream)) {
            ic_error_set(error, "%s:%zu:%zu: %s; a text file with a row in each line is needed", csv->path,
                         csv->line, length + 1,
                         length + 1 < LINE_MOST ? "a zero byte" : "a line of more than a million bytes");
            return IC_CSV_WRONG;
        }
        while (length > 0 && (csv->text[length - 1] == '\n' || csv->text[length - 1] == '\r'))
            csv->text[--length] = '\0';
        if (csv->line == 1 && memcmp(csv->text, "\xEF\xBB\xBF", length < 3 ? length : 3) == 0 && length >= 3)
            memmove(csv->text, csv->text + 3, length - 2);
        if (csv->text[0] != '#' && !is_blank(csv->text)) return IC_CSV_ROW;
    }
}

static char separator_of(const char *line)
{
    static const char separators[] = ",;\t";
    size_t count[3] = {0}, best = 0;
    bool quoted = false;
    for (; *line != '\0'; line++) {
        if (*line == '"') quoted = !quoted;
        for (size_t i = 0; i < 3 && !quoted; i++) count[i] += *line == separators[i];
    }
    for (size_t i = 1; i < 3; i++) {
        if (count[i] > count[best]) best = i;
    }
    return separators[best];
}

/* Take the quotes off, in place. Returns what follows the field, or NULL where the quote is not closed or something follows it. */
static char *unquote(char *field, char separator)
{
    char *from = field + 1, *to = field;
    while (*from != '\0' && !(from[0] == '"' && from[1] != '"')) {
        if (*from == '"') from++;
        *to++ = *from++;
    }
    if (*from != '"') return NULL;
    from += 1 + strspn(from + 1, " ");
    if (*from != separator && *from != '\0') return NULL;
    *to = '\0';
    return from;
}

/* Take a line apart, in place. Fields beyond `most` are counted only. SIZE_MAX: quotes are wrong, in field number `places[0]`. */
static size_t take_apart(char *line, char separator, const char **fields, size_t *places, size_t most)
{
    size_t n = 0;
    for (char *s = line;;) {
        const size_t place = (size_t)(s - line) + 1;
        while (*s == ' ') s++;
        const char *field = s;
        char *end = NULL;
        if (*s == '"') end = unquote(s, separator);
        else end = strchr(s, separator) != NULL ? strchr(s, separator) : s + strlen(s);
        if (end == NULL) {
            places[0] = place;
            return SIZE_MAX;
        }
        const bool last = *end == '\0';
        *end = '\0';
        if (n < most) fields[n] = field, places[n] = place;
        n++;
        if (last) return n;
        s = end + 1;
    }
}

/* ---- the table */

static void trim_end(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ') text[--length] = '\0';
}

/* A file without names starts with numbers. */
static bool has_names(const ic_csv *csv, ic_error *error)
{
    double value = 0;
    for (size_t i = 0; i < csv->n_columns; i++) {
        if (!ic_csv_parse_number(csv->names[i], &value)) return true;
    }
    ic_error_set(
        error,
        "%s:%zu:1: the first line has numbers; a line with the names of the columns is needed before it: t,x,v",
        csv->path, csv->line);
    return false;
}

static bool out_of_memory(ic_error *error)
{
    ic_error_set(error, "memory ran out");
    return false;
}

static bool read_names(ic_csv *csv, ic_error *error)
{
    csv->header = malloc(strlen(csv->text) + 1);
    csv->names = calloc(COLUMNS_MOST, sizeof *csv->names);
    csv->fields = calloc(COLUMNS_MOST, sizeof *csv->fields);
    csv->places = calloc(COLUMNS_MOST, sizeof *csv->places);
    if (csv->header == NULL || csv->names == NULL || csv->fields == NULL || csv->places == NULL)
        return out_of_memory(error);
    memcpy(csv->header, csv->text, strlen(csv->text) + 1);
    csv->separator = separator_of(csv->header);
    csv->n_columns = take_apart(csv->header, csv->separator, csv->names, csv->places, COLUMNS_MOST);
    if (csv->n_columns > COLUMNS_MOST) {
        const bool quote = csv->n_columns == SIZE_MAX;
        ic_error_set(error, "%s:%zu:%zu: %s", csv->path, csv->line, quote ? csv->places[0] : 1,
                     quote ? "a quoted name is not closed, or something stands behind it"
                           : "more than 16384 columns");
        csv->n_columns = 0;
        return false;
    }
    for (size_t i = 0; i < csv->n_columns; i++) trim_end((char *)csv->names[i]);
    return has_names(csv, error);
}

bool ic_csv_open(ic_csv *csv, FILE *stream, const char *path, ic_error *error)
{
    *csv = (ic_csv){.stream = stream, .path = path, .text = malloc(LINE_MOST)};
    if (csv->text == NULL) return out_of_memory(error);
    switch (read_line(csv, error)) {
    case IC_CSV_ROW: return read_names(csv, error);
    case IC_CSV_WRONG: return false;
    case IC_CSV_END: break;
    }
    ic_error_set(error,
                 "%s:%zu:1: the file is empty; a line with names of columns and rows of numbers are needed",
                 path, csv->line + 1);
    return false;
}

void ic_csv_close(ic_csv *csv)
{
    free(csv->text);
    free(csv->header);
    free(csv->names);
    free(csv->fields);
    free(csv->places);
    *csv = (ic_csv){0};
}

ic_csv_row ic_csv_next(ic_csv *csv, ic_error *error)
{
    const ic_csv_row row = read_line(csv, error);
    if (row != IC_CSV_ROW) return row;
    const size_t length = strlen(csv->text);
    const size_t n = take_apart(csv->text, csv->separator, csv->fields, csv->places, csv->n_columns);
    if (n == csv->n_columns) return IC_CSV_ROW;
    if (n == SIZE_MAX)
        ic_error_set(error, "%s:%zu:%zu: a quoted field is not closed, or something stands behind it",
                     csv->path, csv->line, csv->places[0]);
    else
        ic_error_set(error, "%s:%zu:%zu: %zu fields; the line of names has %zu, separated by '%s'", csv->path,
                     csv->line, length + 1, n, csv->n_columns,
                     csv->separator == '\t' ? "\\t" : (char[]){csv->separator, '\0'});
    return IC_CSV_WRONG;
}

size_t ic_csv_column(const ic_csv *csv, const char *name)
{
    size_t i = 0;
    while (i < csv->n_columns && strcmp(csv->names[i], name) != 0) i++;
    return i;
}

bool ic_csv_field_number(const ic_csv *csv, size_t column, double *value, ic_error *error)
{
    const char *text = csv->fields[column];
    const bool number = ic_csv_parse_number(text, value);
    if (number && isfinite(*value)) return true;
    const char *advice = "";
    if (text[0] == '\0') advice = "; the field is empty";
    else if (!number && csv->separator != ',' && strchr(text, ',') != NULL)
        advice = "; a decimal point is needed, not a comma";
    ic_error_set(error, "%s:%zu:%zu: column '%s': '%.40s' is not a %snumber%s", csv->path, csv->line,
                 csv->places[column], csv->names[column], text, number ? "finite " : "", advice);
    return false;
}
