/* SPDX-License-Identifier: MIT */
#include "casefile/dimension.h"

#include "casefile/arena.h"
#include "core/expression.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <udunits2.h>

static const char *const base_units[IC_BASE_UNITS] = {"kg", "m", "s", "A", "K", "mol", "cd"};

const ic_dimension ic_second = {.power = {0, 0, 1}};
const ic_unit ic_unit_one = {.factor = 1, .known = true};

/* ---- names of units */

static pthread_mutex_t units_lock = PTHREAD_MUTEX_INITIALIZER;
static ut_system *units; /* Kept until the process ends. */

typedef struct visit {
    const ut_unit *base[IC_BASE_UNITS];
    ic_unit *unit;
    bool good;
} visit;

static ut_status visit_basic(const ut_unit *basic, void *context)
{
    visit *v = context;
    for (int i = 0; i < IC_BASE_UNITS; i++) {
        if (v->base[i] != NULL && ut_compare(basic, v->base[i]) == 0) v->unit->dimension.power[i] += 1;
    }
    return UT_SUCCESS;
}

static ut_status visit_product(const ut_unit *product, int count, const ut_unit *const *basic,
                               const int *powers, void *context)
{
    visit *v = context;
    (void)product;
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < IC_BASE_UNITS; i++) {
            if (v->base[i] != NULL && ut_compare(basic[k], v->base[i]) == 0)
                v->unit->dimension.power[i] += powers[k];
        }
    }
    return UT_SUCCESS;
}

static ut_status visit_galilean(const ut_unit *galilean, double scale, const ut_unit *underlying, double offset,
                                void *context);

static ut_status refuse_timestamp(const ut_unit *unit, const ut_unit *time, double origin, void *context)
{
    (void)unit, (void)time, (void)origin;
    ((visit *)context)->good = false;
    return UT_SUCCESS;
}

static ut_status refuse_logarithm(const ut_unit *unit, double base, const ut_unit *reference, void *context)
{
    (void)unit, (void)base, (void)reference;
    ((visit *)context)->good = false;
    return UT_SUCCESS;
}

static const ut_visitor visitor = {visit_basic, visit_product, visit_galilean, refuse_timestamp,
                                   refuse_logarithm};

static ut_status visit_galilean(const ut_unit *galilean, double scale, const ut_unit *underlying, double offset,
                                void *context)
{
    visit *v = context;
    (void)galilean;
    v->unit->factor *= scale;
    /* A unit with an offset, such as degrees Celsius, is not a multiple of a kelvin. */
    if (offset != 0) v->good = false;
    return ut_accept_visitor(underlying, &visitor, context);
}

/* Symbols of the SI. They are known without the database, which is read for other names only. */
static const struct {
    const char *symbol;
    double power[IC_BASE_UNITS];
} si_symbols[] = {{"m", {0, 1}},
                  {"kg", {1}},
                  {"s", {0, 0, 1}},
                  {"A", {0, 0, 0, 1}},
                  {"K", {0, 0, 0, 0, 1}},
                  {"mol", {0, 0, 0, 0, 0, 1}},
                  {"cd", {0, 0, 0, 0, 0, 0, 1}},
                  {"rad", {0}},
                  {"Hz", {0, 0, -1}},
                  {"N", {1, 1, -2}},
                  {"Pa", {1, -1, -2}},
                  {"J", {1, 2, -2}},
                  {"W", {1, 2, -3}},
                  {"C", {0, 0, 1, 1}},
                  {"V", {1, 2, -3, -1}}};

static bool look_up_symbol(ic_unit *unit, const char *name)
{
    for (size_t i = 0; i < IC_COUNT(si_symbols); i++) {
        if (strcmp(si_symbols[i].symbol, name) != 0) continue;
        *unit = ic_unit_one;
        memcpy(unit->dimension.power, si_symbols[i].power, sizeof si_symbols[i].power);
        return true;
    }
    return false;
}

/*
 * Memory that must be free before UDUNITS-2 is called, which crashes or ends the process if memory
 * runs out.
 */
enum { MEMORY_OF_UNITS = 8 << 20 };

/* Reads the database of units. NULL: `error` gives the reason. */
static ut_system *load_units(ic_error *error)
{
    void *room = malloc(MEMORY_OF_UNITS);
    free(room);
    if (room == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    ut_set_error_message_handler(ut_ignore);
    errno = 0;
    ut_system *loaded = ut_read_xml(NULL);
    if (loaded == NULL && errno == ENOMEM) {
        ic_library_ran_out();
        ic_error_no_memory(error);
    } else if (loaded == NULL) {
        ic_error_set(error, "UDUNITS-2 cannot read its database of units: install udunits");
    }
    return loaded;
}

/* Units with exact definitions that have too many digits to be found from a double. */
static const struct {
    const char *name;
    double p, q;
} defined_units[] = {{"lbf", 8896443230521, 2000000000000}, {"psi", 8896443230521, 1290320000}};

/* Finds the exact factor, by the name of the unit or from the double that UDUNITS-2 gives. */
static void find_exact(ic_unit *unit, const char *name)
{
    unit->known = ic_factor_find(&unit->exact, unit->factor);
    for (size_t i = 0; i < IC_COUNT(defined_units); i++) {
        if (strcmp(defined_units[i].name, name) == 0)
            unit->known = ic_factor_of(&unit->exact, defined_units[i].p, defined_units[i].q);
    }
    if (unit->known) unit->factor = ic_factor_value(&unit->exact);
}

/* Units that have been looked up: a file has many of a few. */
enum { MOST_FOUND = 32, FOUND_NAME = 16 };
static struct {
    char name[FOUND_NAME];
    ic_unit unit;
} found_units[MOST_FOUND];
static size_t n_found;

static bool find_again(ic_unit *unit, const char *name)
{
    size_t i = 0;
    pthread_mutex_lock(&units_lock);
    while (i < n_found && strcmp(found_units[i].name, name) != 0) i++;
    const bool found = i < n_found;
    if (found) *unit = found_units[i].unit;
    pthread_mutex_unlock(&units_lock);
    return found;
}

static void keep_unit(const ic_unit *unit, const char *name)
{
    const size_t size = strlen(name) + 1;
    pthread_mutex_lock(&units_lock);
    if (n_found < MOST_FOUND && size <= FOUND_NAME) {
        memcpy(found_units[n_found].name, name, size);
        found_units[n_found++].unit = *unit;
    }
    pthread_mutex_unlock(&units_lock);
}

static bool is_named(const char *name)
{
    pthread_mutex_lock(&units_lock);
    ut_unit *unit = ut_parse(units, name, UT_UTF8);
    pthread_mutex_unlock(&units_lock);
    ut_free(unit);
    return unit != NULL;
}

/* Nm may be meant as N m. */
static void refuse_name(ic_error *error, const char *name)
{
    ic_error_set(error, "UDUNITS-2 does not know the unit '%s'", name);
    for (size_t i = 1; i < strlen(name) && i < FOUND_NAME; i++) {
        char first[FOUND_NAME];
        snprintf(first, sizeof first, "%.*s", (int)i, name);
        if (!is_named(first) || !is_named(name + i)) continue;
        ic_error_set(error, "UDUNITS-2 does not know the unit '%s'; a product has a space: %s %s", name, first,
                     name + i);
        return;
    }
}

/* Dimension and factor of a named unit, from UDUNITS-2. */
static bool look_up_unit(ic_unit *unit, const char *name, ic_error *error)
{
    if (find_again(unit, name)) return true;
    pthread_mutex_lock(&units_lock);
    if (units == NULL) units = load_units(error);
    *unit = ic_unit_one;
    visit v = {.unit = unit, .good = units != NULL};
    const char *known = strcmp(name, "deg") == 0 ? "degree" : name; /* the usual short form */
    ut_unit *named = units == NULL ? NULL : ut_parse(units, known, UT_UTF8);
    for (int i = 0; i < IC_BASE_UNITS && named != NULL; i++)
        v.base[i] = ut_get_unit_by_symbol(units, base_units[i]);
    if (named != NULL) ut_accept_visitor(named, &visitor, &v);
    for (int i = 0; i < IC_BASE_UNITS; i++) ut_free((ut_unit *)v.base[i]);
    ut_free(named);
    const bool found = named != NULL, loaded = units != NULL;
    pthread_mutex_unlock(&units_lock);
    if (loaded && !found) refuse_name(error, name);
    else if (loaded && !v.good) ic_error_set(error, "'%s' is not a multiple of SI units", name);
    else if (loaded) find_exact(unit, name), keep_unit(unit, name);
    return loaded && found && v.good;
}

/* ---- texts of units: products of powers */

typedef struct unit_parser {
    const char *text, *at;
    ic_exponent_value *names;
    void *context;
    ic_error *error;
    int depth;
} unit_parser;

static bool refuse_unit(const unit_parser *p, const char *what)
{
    ic_error_set(p->error, "unit '%.64s%s': %s", p->text, strlen(p->text) > 64 ? "..." : "", what);
    return false;
}

/* Other spellings of products and powers, m/s2, m s-1, N.m, N-m, as ours; false: the text has none. */
static bool respell(char *own, size_t room, const char *text)
{
    size_t used = 0;
    bool changed = false;
    for (const char *at = text; *at != '\0' && used + 2 < room; at++) {
        const bool after_name = at > text && isalpha((unsigned char)at[-1]);
        const bool power = isdigit((unsigned char)*at) || (*at == '-' && isdigit((unsigned char)at[1])),
                   product = (*at == '.' || *at == '-') && isalpha((unsigned char)at[1]);
        changed = changed || (after_name && (power || product));
        if (after_name && power) own[used++] = '^';
        own[used++] = *at;
        if (after_name && product) own[used - 1] = ' ';
    }
    own[used] = '\0';
    return changed;
}

static bool refuse_spelling(const unit_parser *p)
{
    char own[80], message[120];
    ic_unit unit;
    ic_error error;
    size_t offset;
    if (!respell(own, sizeof own, p->text) || !ic_unit_read(&unit, own, NULL, NULL, &offset, &error))
        return refuse_unit(p, "expected the name of a unit");
    snprintf(message, sizeof message, "write %s", own);
    return refuse_unit(p, message);
}

static void skip_blanks(unit_parser *p)
{
    while (*p->at == ' ') p->at++;
}

static bool parse_product(unit_parser *p, ic_unit *unit);

/* exponent: [-]number[.number] | name | ([-]number[/number]) */
static bool parse_exponent(unit_parser *p, double *power)
{
    char *end = NULL;
    const bool inside = *p->at == '(';
    if (inside) p->at++;
    if (isdigit((unsigned char)*p->at) || *p->at == '-') {
        *power = strtod(p->at, &end);
        if (end == p->at) return refuse_unit(p, "expected an exponent");
        p->at = end;
        if (inside && *p->at == '/') {
            const double divisor = strtod(p->at + 1, &end);
            if (end == p->at + 1 || divisor == 0) return refuse_unit(p, "expected an exponent");
            *power /= divisor;
            p->at = end;
        }
    } else {
        char name[64];
        size_t length = 0;
        while (length < sizeof name - 1 && (isalnum((unsigned char)p->at[length]) || p->at[length] == '_'))
            length++;
        memcpy(name, p->at, length);
        name[length] = '\0';
        if (length == 0 || p->names == NULL || !p->names(power, name, p->context))
            return refuse_unit(p,
                               "an exponent is a number, or a parameter without unit that is defined before");
        p->at += length;
    }
    if (inside && *p->at++ != ')') return refuse_unit(p, "expected ')'");
    return isfinite(*power) && fabs(*power) <= 64 ? true : refuse_unit(p, "the exponent is out of range");
}

static bool parse_factor(unit_parser *p, ic_unit *unit)
{
    skip_blanks(p);
    if (++p->depth > 16) return refuse_unit(p, "nested too deeply");
    if (*p->at == '(') {
        p->at++;
        if (!parse_product(p, unit)) return false;
        if (*p->at++ != ')') return refuse_unit(p, "expected ')'");
    } else if (*p->at == '1' && !isdigit((unsigned char)p->at[1]) && p->at[1] != '.') {
        p->at++;
        *unit = ic_unit_one;
    } else {
        char name[64];
        size_t length = 0;
        /* letters, and the bytes of other scripts: micro, degree */
        while (length < sizeof name - 1 && (isalpha((unsigned char)p->at[length]) || p->at[length] == '_' ||
                                            p->at[length] == '%' || (unsigned char)p->at[length] >= 128))
            length++;
        if (length == 0) return refuse_spelling(p);
        memcpy(name, p->at, length);
        name[length] = '\0';
        if (!look_up_symbol(unit, name) && !look_up_unit(unit, name, p->error)) return false;
        p->at += length;
    }
    p->depth--;
    if (*p->at != '^') return true;
    p->at++;
    double power = 0;
    if (!parse_exponent(p, &power)) return false;
    unit->dimension = ic_dimension_power(&unit->dimension, power);
    ic_factor_raise(&unit->exact, power);
    unit->factor = unit->known ? ic_factor_value(&unit->exact) : pow(unit->factor, power);
    return true;
}

static bool parse_product(unit_parser *p, ic_unit *unit)
{
    if (!parse_factor(p, unit)) return false;
    for (;;) {
        skip_blanks(p);
        if (*p->at == '\0' || *p->at == ')') return true;
        const bool divided = *p->at == '/';
        if (divided || *p->at == '*') p->at++;
        ic_unit right = ic_unit_one;
        if (!parse_factor(p, &right)) return false;
        unit->dimension = ic_dimension_product(&unit->dimension, &right.dimension, divided ? -1 : 1);
        unit->factor = divided ? unit->factor / right.factor : unit->factor * right.factor;
        unit->known =
            unit->known && right.known && ic_factor_multiply(&unit->exact, &right.exact, divided ? -1 : 1);
        if (unit->known) unit->factor = ic_factor_value(&unit->exact);
    }
}

bool ic_unit_read(ic_unit *unit, const char *text, ic_exponent_value *names, void *context, size_t *offset,
                  ic_error *error)
{
    unit_parser p = {.text = text, .at = text, .names = names, .context = context, .error = error};
    *unit = ic_unit_one;
    const bool good = parse_product(&p, unit) && (*p.at == '\0' || refuse_unit(&p, "')' without '('"));
    *offset = (size_t)(p.at - text);
    return good;
}

const char *ic_unit_convert(ic_arena *arena, const char *value, const ic_unit *unit, const char *name,
                            ic_error *error)
{
    const char *text = unit->known ? ic_factor_apply(arena, value, &unit->exact) : NULL;
    ic_error_set(error, "%s", "");
    if (text == NULL && !arena->failed)
        ic_error_set(error, "the factor of the unit '%s' is not known exactly: write the number in SI units",
                     name);
    return text;
}

size_t ic_unit_split(const char *text)
{
    int open = 0;
    for (const char *at = text; *at != '\0'; at++) {
        open += *at == '(' ? 1 : *at == ')' ? -1 : 0;
        if (*at != ' ' || open > 0 || at == text || at[1] == ' ') continue;
        if (at[1] == '\0') break;
        if (strchr("+-*/^(,", at[-1]) == NULL && strchr("+-*/^),", at[1]) == NULL) return (size_t)(at - text);
    }
    return strlen(text);
}

static bool accept_exponent(double *value, const char *name, void *context)
{
    (void)name, (void)context;
    *value = 1;
    return true;
}

bool ic_unit_is_si(const char *text)
{
    ic_unit unit;
    size_t offset = 0;
    return ic_unit_read(&unit, text, accept_exponent, NULL, &offset, NULL) && unit.factor == 1;
}

const char *ic_unit_value(ic_arena *arena, const char *text, const char *wanted, ic_error *error)
{
    const size_t length = ic_unit_split(text);
    ic_unit given = ic_unit_one, own;
    size_t offset = 0;
    const char *name = text + length + (text[length] == ' ');
    /* "1 2" is not a number with a unit. */
    if (isdigit((unsigned char)name[0]) && strncmp(name, "1/", 2) != 0) return text;
    if (name[0] == '\0') return text;
    if (!ic_unit_read(&given, name, NULL, NULL, &offset, error) ||
        !ic_unit_read(&own, wanted, accept_exponent, NULL, &offset, error))
        return NULL;
    if (!ic_dimensions_equal(&given.dimension, &own.dimension)) {
        char is[IC_DIMENSION_TEXT];
        ic_error_set(error, "'%.100s' is in %s, but has to be in %s", text,
                     ic_dimension_text(is, &given.dimension), wanted);
        return NULL;
    }
    if (strstr(wanted, "rad") != NULL && strstr(name, "Hz") != NULL) {
        ic_error_set(error, "'%.100s' is a frequency, but %s that of an angle: write %.*s*2*pi rad/s", text,
                     wanted, (int)length, text);
        return NULL;
    }
    const char *number = ic_arena_copy(arena, text, length);
    if (number == NULL) ic_error_no_memory(error);
    if (number == NULL || given.factor == 1) return number;
    const char *converted = ic_unit_convert(arena, number, &given, name, error);
    if (converted == NULL && arena->failed) ic_error_no_memory(error);
    return converted;
}

/* ---- dimensions */

bool ic_dimensions_equal(const ic_dimension *a, const ic_dimension *b)
{
    if (a->any || b->any) return true;
    for (int i = 0; i < IC_BASE_UNITS; i++) {
        if (fabs(a->power[i] - b->power[i]) > 1e-9) return false;
    }
    return true;
}

ic_dimension ic_dimension_product(const ic_dimension *a, const ic_dimension *b, double sign)
{
    ic_dimension product = {.any = a->any || (sign > 0 && b->any)};
    for (int i = 0; i < IC_BASE_UNITS; i++) product.power[i] = a->power[i] + sign * b->power[i];
    return product;
}

ic_dimension ic_dimension_power(const ic_dimension *a, double power)
{
    ic_dimension raised = {.any = a->any};
    for (int i = 0; i < IC_BASE_UNITS; i++) raised.power[i] = a->power[i] * power;
    return raised;
}

bool ic_dimension_is_none(const ic_dimension *a)
{
    static const ic_dimension none;
    return ic_dimensions_equal(a, &none);
}

/* ---- texts: a derived unit is used if it shortens the text */

static const struct {
    const char *name;
    double power[IC_BASE_UNITS];
} derived_units[] = {{"N", {1, 1, -2}}, {"J", {1, 2, -2}}, {"Pa", {1, -1, -2}}, {"W", {1, 2, -3}}};

static int count_names(const ic_dimension *a)
{
    int count = 0;
    for (int i = 0; i < IC_BASE_UNITS; i++) count += fabs(a->power[i]) > 1e-9;
    return count;
}

static void print_power(char *text, const char *name, double power, const char *separator)
{
    ic_text_append(text, IC_DIMENSION_TEXT, "%s%s", separator, name);
    if (!(fabs(power - 1) < 1e-9)) ic_text_append(text, IC_DIMENSION_TEXT, "^%.4g", power);
}

const char *ic_dimension_text(char text[IC_DIMENSION_TEXT], const ic_dimension *a)
{
    ic_dimension rest = *a;
    const char *first = NULL;
    int least = count_names(a);
    for (size_t u = 0; u < IC_COUNT(derived_units); u++) {
        ic_dimension without = *a;
        for (int i = 0; i < IC_BASE_UNITS; i++) without.power[i] -= derived_units[u].power[i];
        /* Prefer N/m to kg/s^2, although both have two names. */
        const bool stiffness = u == 0 && fabs(without.power[1]) > 1e-9 && count_names(&without) == 1;
        if (count_names(&without) + 1 >= least + (stiffness ? 1 : 0)) continue;
        least = count_names(&without) + 1;
        rest = without;
        first = derived_units[u].name;
    }
    text[0] = '\0';
    if (a->any) {
        snprintf(text, IC_DIMENSION_TEXT, "any unit");
        return text;
    }
    if (first != NULL) print_power(text, first, 1, "");
    for (int i = 0; i < IC_BASE_UNITS; i++) {
        if (rest.power[i] > 1e-9) print_power(text, base_units[i], rest.power[i], text[0] == '\0' ? "" : " ");
    }
    if (text[0] == '\0') snprintf(text, IC_DIMENSION_TEXT, "1");
    for (int i = 0; i < IC_BASE_UNITS; i++) {
        if (rest.power[i] < -1e-9) print_power(text, base_units[i], -rest.power[i], "/");
    }
    return text;
}
