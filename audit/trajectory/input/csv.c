/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Limits of a line: a row of numbers has some hundred bytes. */
enum { MOST_LINE = 1 << 20, LINE_FIRST = 1 << 8, MOST_COLUMNS = 1 << 14 };

/* ---- numbers */

/*
 * Reads digits. *mantissa is their value as far as 64 bits hold it; if they do not, it is too large
 * for an exact double. *exponent is the power of ten. Returns the rest of the text; NULL: no digit.
 */
static const char *read_mantissa(const char *s, uint64_t *mantissa, int *exponent)
{
    bool digit = false, point = false;
    for (;; s++) {
        if (*s == '.' && !point) {
            point = true;
        } else if (*s >= '0' && *s <= '9') {
            digit = true;
            *exponent -= point;
            if (*mantissa < (UINT64_MAX - 9) / 10) *mantissa = 10 * *mantissa + (uint64_t)(*s - '0');
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

/* Compare without case; trailing blanks are ignored. */
static bool equal_without_case(const char *a, const char *b)
{
    while (*b != '\0' && tolower((unsigned char)*a) == *b) a++, b++;
    return *b == '\0' && a[strspn(a, " ")] == '\0';
}

/* If mantissa and power of ten are exact doubles, one operation rounds once. false: use strtod. */
static bool scale_exactly(uint64_t mantissa, int exponent, double *value)
{
    static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                    1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const int most = sizeof powers / sizeof *powers - 1;
    const uint64_t all_exact = UINT64_C(1) << DBL_MANT_DIG;
    if (mantissa > all_exact || abs(exponent) > most) return false;
    *value = exponent < 0 ? (double)mantissa / powers[-exponent] : (double)mantissa * powers[exponent];
    return true;
}

/* Writes "e-12". snprintf would take a tenth of the time of reading a file. */
static void print_exponent(char *text, int exponent)
{
    char digits[16];
    int n = 0;
    *text++ = 'e';
    if (exponent < 0) *text++ = '-';
    unsigned rest = (unsigned)abs(exponent);
    do digits[n++] = (char)('0' + rest % 10);
    while ((rest /= 10) > 0);
    while (n > 0) *text++ = digits[--n];
    *text = '\0';
}

/*
 * The digits from s to `end` times 10^exponent, rounded once. strtod receives them without the
 * decimal point, which depends on the locale. The midpoint of two doubles has at most 768 digits;
 * of further digits it only matters whether all are 0.
 */
static double scale_digits(const char *s, const char *end, int exponent)
{
    enum { DIGITS = 768, EXPONENT = 16 };
    char text[DIGITS + 1 + EXPONENT];
    int n = 0;
    bool more = false;
    for (; s < end; s++) {
        if (*s == '.' || (n == 0 && *s == '0')) continue;
        if (n < DIGITS) {
            text[n++] = *s;
        } else {
            more = more || *s != '0';
            exponent++;
        }
    }
    if (more) text[n++] = '1';
    print_exponent(text + n, exponent - more);
    return n > 0 ? strtod(text, NULL) : 0;
}

/* NAN and INFINITY by name; 0: the text is neither. */
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
    if (isalpha((unsigned char)*s)) {
        *value = sign * named_value(s);
        return !isfinite(*value);
    }
    const char *const digits = s, *const end = read_mantissa(s, &mantissa, &exponent);
    if (end == NULL) return false;
    s = *end == 'e' || *end == 'E' ? read_exponent(end, &exponent) : end;
    if (!scale_exactly(mantissa, exponent, value)) *value = scale_digits(digits, end, exponent);
    *value *= sign;
    return s[strspn(s, " ")] == '\0';
}

/* ---- lines */

static ic_csv_row no_text(const ic_csv *csv, size_t column, const char *what, ic_error *error)
{
    ic_error_set(error, "%s:%zu:%zu: %s; the file must be a text file with a row in each line", csv->path,
                 csv->line, column, what);
    return IC_CSV_WRONG;
}

static bool out_of_memory(ic_error *error)
{
    ic_error_set(error, "memory ran out");
    return false;
}

/* Double the room for a line, from LINE_FIRST to MOST_LINE bytes. */
static bool grow_line(ic_csv *csv)
{
    const size_t room = csv->room == 0 ? LINE_FIRST : 2 * csv->room;
    char *text = realloc(csv->text, room);
    if (text == NULL) return false;
    csv->text = text;
    csv->room = room;
    return true;
}

/*
 * Read bytes of a line from index n on, as room permits; returns their number, and in *last the
 * next character.
 */
static size_t get_bytes(const ic_csv *csv, size_t n, int *last)
{
    char *const text = csv->text;
    FILE *const stream = csv->stream;
    const size_t most = csv->room - 1;
    int c = *last;
    for (; c != EOF && c != '\n' && c != '\0' && n < most; c = getc_unlocked(stream)) text[n++] = (char)c;
    *last = c;
    return n;
}

/* Read the next line, without its end. */
static ic_csv_row get_line(ic_csv *csv, ic_error *error)
{
    size_t n = 0;
    int c = getc_unlocked(csv->stream);
    if (c == EOF && !ferror(csv->stream)) return IC_CSV_END;
    csv->line++;
    for (;;) {
        n = get_bytes(csv, n, &c);
        if (c == EOF || c == '\n') break;
        if (c == '\0') return no_text(csv, n + 1, "a zero byte", error);
        if (csv->room >= MOST_LINE) return no_text(csv, n + 1, "a line of more than a million bytes", error);
        if (!grow_line(csv)) return out_of_memory(error), IC_CSV_WRONG;
    }
    if (ferror(csv->stream)) {
        ic_error_set(error, "%s:%zu:%zu: the file cannot be read further: %s", csv->path, csv->line, n + 1,
                     strerror(errno));
        return IC_CSV_WRONG;
    }
    while (n > 0 && csv->text[n - 1] == '\r') n--;
    csv->text[n] = '\0';
    return IC_CSV_ROW;
}

/* Read the next line that is not a comment. */
static ic_csv_row read_line(ic_csv *csv, ic_error *error)
{
    static const char mark[] = "\xEF\xBB\xBF"; /* byte order mark of UTF-8 */
    ic_csv_row row = IC_CSV_ROW;
    while ((row = get_line(csv, error)) == IC_CSV_ROW) {
        if (csv->line == 1 && strncmp(csv->text, mark, 3) == 0)
            memmove(csv->text, csv->text + 3, strlen(csv->text + 3) + 1);
        if (csv->text[0] != '#' && csv->text[strspn(csv->text, " \t,;")] != '\0') break;
    }
    return row;
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
    if (count[0] + count[1] + count[2] == 0) return ' ';
    for (size_t i = 1; i < 3; i++) {
        if (count[i] > count[best]) best = i;
    }
    return separators[best];
}

/*
 * Remove quotes in place. Returns the end of the field; NULL: the quote is not closed, or text
 * follows it.
 */
static char *unquote_field(char *field, char separator)
{
    char *from = field + 1, *to = field;
    while (*from != '\0' && !(from[0] == '"' && from[1] != '"')) {
        if (*from == '"') from++;
        *to++ = *from++;
    }
    if (*from != '"') return NULL;
    from++;
    if (separator != ' ') from += strspn(from, " ");
    const bool ends = *from == separator || *from == '\0' || (separator == ' ' && *from == '\t');
    if (!ends) return NULL;
    *to = '\0';
    return from;
}

/*
 * Split a line in place. Fields beyond `most` are only counted. SIZE_MAX: wrong quotes in the field
 * at `places[0]`.
 */
static size_t split_line(char *line, char separator, const char **fields, size_t *places, size_t most)
{
    size_t n = 0;
    for (char *s = line;;) {
        const size_t place = (size_t)(s - line) + 1;
        while (*s == ' ' || (separator == ' ' && *s == '\t')) s++;
        if (separator == ' ' && *s == '\0' && n > 0) return n; /* blanks at the end of the line */
        const char *field = s;
        char *end = NULL;
        if (*s == '"') end = unquote_field(s, separator);
        else if (separator == ' ') end = s + strcspn(s, " \t");
        else
            for (end = s; *end != separator && *end != '\0'; end++) {
            }
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

static bool has_numbers_only(const ic_csv *csv)
{
    double value = 0;
    for (size_t i = 0; i < csv->n_columns; i++) {
        if (!ic_csv_parse_number(csv->names[i], &value)) return false;
    }
    return true;
}

bool ic_csv_has_names(const ic_csv *csv, const char *columns, ic_error *error)
{
    if (!csv->headerless || columns != NULL) return true;
    ic_error_set(
        error,
        "%s:%zu:1: the first line has numbers; put a line with the names of the columns before it, such as "
        "t,x,v, or give the columns by number: --columns t=1,x=2,v=3",
        csv->path, csv->line);
    return false;
}

/* Calls the columns of a file without names by their numbers. */
static bool number_columns(ic_csv *csv, ic_error *error)
{
    enum { DIGITS = 8 };
    char *names = malloc(csv->n_columns * DIGITS + 1);
    if (names == NULL) return out_of_memory(error);
    free(csv->header);
    csv->header = names;
    for (size_t i = 0; i < csv->n_columns; i++) {
        snprintf(names + i * DIGITS, DIGITS, "%u", (unsigned)(i + 1) % 1000000);
        csv->names[i] = names + i * DIGITS;
    }
    csv->headerless = csv->pending = true;
    return true;
}

/* Upper bound of the number of fields of a line, up to MOST_COLUMNS. */
static size_t most_fields(const char *line, char separator)
{
    size_t n = 1;
    for (; *line != '\0' && n < MOST_COLUMNS; line++)
        n += *line == separator || (separator == ' ' && *line == '\t');
    return n;
}

static bool read_names(ic_csv *csv, ic_error *error)
{
    if (strncmp(csv->text, "\x89HDF", 4) == 0) {
        ic_error_set(error,
                     "%s:%zu:1: this is an HDF5 file; use a table in text form (CSV), as run --trajectory "
                     "FILE.csv writes it",
                     csv->path, csv->line);
        return false;
    }
    csv->separator = separator_of(csv->text);
    const size_t most = most_fields(csv->text, csv->separator);
    csv->header = malloc(strlen(csv->text) + 1);
    csv->names = calloc(most, sizeof *csv->names);
    csv->fields = calloc(most, sizeof *csv->fields);
    csv->places = calloc(most, sizeof *csv->places);
    if (csv->header == NULL || csv->names == NULL || csv->fields == NULL || csv->places == NULL)
        return out_of_memory(error);
    memcpy(csv->header, csv->text, strlen(csv->text) + 1);
    csv->n_columns = split_line(csv->header, csv->separator, csv->names, csv->places, most);
    if (csv->n_columns > MOST_COLUMNS) {
        const bool quote = csv->n_columns == SIZE_MAX;
        ic_error_set(error, "%s:%zu:%zu: %s", csv->path, csv->line, quote ? csv->places[0] : 1,
                     quote ? "a quoted name is not closed in its line, or text follows it; correct: \"x, m\""
                           : "more than 16384 columns; one for the time and one for each state are enough");
        csv->n_columns = 0;
        return false;
    }
    for (size_t i = 0; i < csv->n_columns; i++) trim_end((char *)csv->names[i]);
    return !has_numbers_only(csv) || number_columns(csv, error);
}

bool ic_csv_open(ic_csv *csv, FILE *stream, const char *path, ic_error *error)
{
    *csv = (ic_csv){.stream = stream, .path = path};
    if (!grow_line(csv)) return out_of_memory(error);
    switch (read_line(csv, error)) {
    case IC_CSV_ROW: return read_names(csv, error);
    case IC_CSV_WRONG: return false;
    case IC_CSV_END: break;
    }
    ic_error_set(
        error,
        "%s:%zu:1: the file is empty; it must have a line with the names of columns, and rows of numbers", path,
        csv->line + 1);
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
    const ic_csv_row row = csv->pending ? IC_CSV_ROW : read_line(csv, error);
    if (row != IC_CSV_ROW) return row;
    csv->pending = false;
    const size_t length = strlen(csv->text);
    const size_t n = split_line(csv->text, csv->separator, csv->fields, csv->places, csv->n_columns);
    if (n == csv->n_columns) return IC_CSV_ROW;
    if (n == SIZE_MAX)
        ic_error_set(error,
                     "%s:%zu:%zu: a quoted field is not closed in its line, or text follows it; correct: "
                     "\"0.5\"",
                     csv->path, csv->line, csv->places[0]);
    else
        ic_error_set(error, "%s:%zu:%zu: %zu fields; the first line has %zu, separated by %s%s%s", csv->path,
                     csv->line, length + 1, n, csv->n_columns, csv->separator == ' ' ? "" : "'",
                     csv->separator == '\t'  ? "\\t"
                     : csv->separator == ' ' ? "blanks"
                                             : (char[]){csv->separator, '\0'},
                     csv->separator == ' ' ? "" : "'");
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
    const char *advice = "; write a number such as 0.5 or -1.5e-3";
    if (text[0] == '\0') advice = "; the field is empty";
    else if (!number && strchr(text, ',') != NULL) advice = "; use a decimal point, not a comma";
    ic_error_set(error, "%s:%zu:%zu: column '%s': '%.40s' is not a %snumber%s", csv->path, csv->line,
                 csv->places[column], csv->names[column], text, number ? "finite " : "", advice);
    return false;
}
