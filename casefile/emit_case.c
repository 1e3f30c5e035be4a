/* SPDX-License-Identifier: MIT */
/*
 * Writes one constant with everything to which it points. Tables are compound literals of static
 * storage. Tables of fields describe the structs of the public header.
 */
#include "casefile/emit_case.h"

#include "casefile/law.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- the structs of the public header */

typedef enum field_kind {
    TEXT,
    INTEGER,
    SIZE,
    BOOL,
    NUMBER,
    FUNCTION,

    /* A function that receives a struct as an array of numbers. */
    IMPACT,

    /* A number of type ic_operation or ic_shape_kind. */
    OPERATION,

    /* A law, written as the address of its constant. */
    LAW,

    /* A struct inside the struct. */
    STRUCT,

    /* A pointer to one struct or to an array of structs. */
    TABLE,

    /* A pointer to an array of integers. */
    INTEGERS,

    /* An array of texts, which may be NULL: counted, or ended by NULL. */
    TEXTS,
} field_kind;

/* Number of elements of an array. */
typedef enum length {
    ONE,
    TWO,
    UNTIL_NULL,
    BY_CONDITION,
    BY_STATE,
    BY_MODE,

    /* The value of the field n_NAME of the same struct. */
    COUNTED
} length;

typedef struct struct_field {
    const char *name;
    field_kind kind;
    size_t offset;

    /*
     * STRUCT and TABLE: name, size and fields of the struct. A field without a name ends the list.
     */
    const char *type;
    size_t size;
    const struct struct_field *fields;

    /* Length of a TABLE, of INTEGERS or of TEXTS. */
    length length;
    size_t count;
} struct_field;

/* The kind follows from the type, but for enumerations: these may be the same type as a size. */
#define KIND_OF(value_)                                                                                        \
    _Generic((value_),                                                                                         \
        const char *: TEXT,                                                                                    \
        int: INTEGER,                                                                                          \
        size_t: SIZE,                                                                                          \
        bool: BOOL,                                                                                            \
        double: NUMBER,                                                                                        \
        void (*)(ic_impact *, const double *): IMPACT,                                                         \
        const ic_law *: LAW,                                                                                   \
        default: FUNCTION)
#define ROW(...)                                                                                               \
    {                                                                                                          \
        __VA_ARGS__                                                                                            \
    }
#define HEAD(struct_, name_, kind_) .name = #name_, .kind = kind_, .offset = offsetof(struct_, name_)
#define FIELD(struct_, name_, kind_) ROW(HEAD(struct_, name_, kind_))
#define PLAIN(struct_, name_) FIELD(struct_, name_, KIND_OF(((const struct_ *)0)->name_))
#define FIELDS_1(struct_, name_) PLAIN(struct_, name_)
#define FIELDS_2(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_1(struct_, __VA_ARGS__)
#define FIELDS_3(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_2(struct_, __VA_ARGS__)
#define FIELDS_4(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_3(struct_, __VA_ARGS__)
#define FIELDS_5(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_4(struct_, __VA_ARGS__)
#define FIELDS_6(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_5(struct_, __VA_ARGS__)
#define FIELDS_7(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_6(struct_, __VA_ARGS__)
#define FIELDS_8(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_7(struct_, __VA_ARGS__)
#define FIELDS_9(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_8(struct_, __VA_ARGS__)
#define FIELDS_10(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_9(struct_, __VA_ARGS__)
#define FIELDS_11(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_10(struct_, __VA_ARGS__)
#define FIELDS_12(struct_, name_, ...) PLAIN(struct_, name_), FIELDS_11(struct_, __VA_ARGS__)
#define PICK(a, b, c, d, e, f, g, h, i, j, k, l, macro_, ...) macro_
/** Fields whose kind follows from their type, at most 12. */
#define FIELDS(struct_, ...)                                                                                   \
    PICK(__VA_ARGS__, FIELDS_12, FIELDS_11, FIELDS_10, FIELDS_9, FIELDS_8, FIELDS_7, FIELDS_6, FIELDS_5,       \
         FIELDS_4, FIELDS_3, FIELDS_2, FIELDS_1, 0)                                                            \
    (struct_, __VA_ARGS__)
#define OF_TYPE(type_) .type = #type_, .size = sizeof(type_), .fields = fields_of_##type_
#define COUNTED_BY(struct_, name_) .length = COUNTED, .count = offsetof(struct_, n_##name_)
#define INNER(struct_, name_, type_) ROW(HEAD(struct_, name_, STRUCT), OF_TYPE(type_))
#define POINTER(struct_, name_, type_) ROW(HEAD(struct_, name_, TABLE), OF_TYPE(type_))
#define TABLE_OF(struct_, name_, type_)                                                                        \
    ROW(HEAD(struct_, name_, TABLE), OF_TYPE(type_), COUNTED_BY(struct_, name_)), PLAIN(struct_, n_##name_)
#define TEXTS_OF(struct_, name_, length_) ROW(HEAD(struct_, name_, TEXTS), .length = length_)
#define INTEGERS_OF(struct_, name_)                                                                            \
    ROW(HEAD(struct_, name_, INTEGERS), COUNTED_BY(struct_, name_)), PLAIN(struct_, n_##name_)
/** All fields of a struct, in any order. */
#define DESCRIBE(struct_, ...) static const struct_field fields_of_##struct_[] = {__VA_ARGS__, {.name = NULL}}

DESCRIBE(ic_parameter, FIELDS(ic_parameter, name, unit, meaning, value, range));
DESCRIBE(ic_requirement, FIELDS(ic_requirement, positive, meaning));
DESCRIBE(ic_state, FIELDS(ic_state, name, unit, meaning, scale));
DESCRIBE(ic_output, FIELDS(ic_output, name, unit, meaning, value), TEXTS_OF(ic_output, linear, BY_MODE));
DESCRIBE(ic_departure, FIELDS(ic_departure, guard, order, side));
DESCRIBE(ic_branch, FIELDS(ic_branch, mode, condition), TEXTS_OF(ic_branch, state, BY_STATE),
         TABLE_OF(ic_branch, departures, ic_departure));
DESCRIBE(ic_jump, FIELDS(ic_jump, apply, linear), TABLE_OF(ic_jump, branches, ic_branch));
DESCRIBE(ic_guard,
         FIELDS(ic_guard, name, unit, meaning, direction, value, rate, enabled, enabled_lasts, linear,
                linear_enabled),
         FIELD(ic_guard, onset, INTEGER), INNER(ic_guard, jump, ic_jump),
         INNER(ic_guard, accumulation, ic_jump));
DESCRIBE(ic_invariant, FIELDS(ic_invariant, name, unit, meaning, side, value, linear));
DESCRIBE(ic_equation_term, FIELDS(ic_equation_term, a, b, c, number),
         FIELD(ic_equation_term, operation, OPERATION));
DESCRIBE(ic_equations, TABLE_OF(ic_equations, terms, ic_equation_term), INTEGERS_OF(ic_equations, results));
DESCRIBE(ic_mode,
         FIELDS(ic_mode, name, meaning, flow, terminal, stored_energy, supplied_power, dissipated_power),
         TEXTS_OF(ic_mode, linear, BY_STATE), TABLE_OF(ic_mode, guards, ic_guard),
         TABLE_OF(ic_mode, invariants, ic_invariant), POINTER(ic_mode, equations, ic_equations));
DESCRIBE(ic_time_event, FIELDS(ic_time_event, name, meaning, when, linear, occurrences),
         INNER(ic_time_event, jump, ic_jump));
DESCRIBE(ic_output_value, FIELDS(ic_output_value, output, value), TEXTS_OF(ic_output_value, linear, BY_MODE));
DESCRIBE(ic_free_impact,
         FIELDS(ic_free_impact, mass, speed, restitution, peak_force, peak_indentation, duration));
DESCRIBE(ic_stop, FIELDS(ic_stop, name, gap, velocity, gradient, push, restitution, state));
DESCRIBE(ic_friction, FIELDS(ic_friction, name, slip, gradient, push, kinetic, sticking, state));
DESCRIBE(ic_stops_view, FIELDS(ic_stops_view, mode, flow), TABLE_OF(ic_stops_view, stops, ic_stop),
         TABLE_OF(ic_stops_view, frictions, ic_friction), INTEGERS_OF(ic_stops_view, combinations),
         INTEGERS_OF(ic_stops_view, rates));
DESCRIBE(ic_variant, FIELDS(ic_variant, name, meaning, law, time_scale), TABLE_OF(ic_variant, modes, ic_mode),
         INNER(ic_variant, start, ic_jump), TABLE_OF(ic_variant, time_events, ic_time_event),
         TABLE_OF(ic_variant, output_values, ic_output_value), POINTER(ic_variant, free_impact, ic_free_impact),
         POINTER(ic_variant, stops, ic_stops_view));
DESCRIBE(ic_preset, FIELDS(ic_preset, name, variant, settings, until, meaning));
DESCRIBE(ic_law_default, FIELDS(ic_law_default, name, value));
DESCRIBE(ic_draw, FIELDS(ic_draw, parameter, from, to, logarithmic));
DESCRIBE(ic_contact_view,
         FIELDS(ic_contact_view, contact, free, gap, force, rigid, recovers, restitution, compression),
         TEXTS_OF(ic_contact_view, derived, UNTIL_NULL), TEXTS_OF(ic_contact_view, carried, TWO),
         TEXTS_OF(ic_contact_view, conditions, BY_CONDITION));
DESCRIBE(ic_trial, FIELDS(ic_trial, preset, until, again));
DESCRIBE(ic_shape, FIELDS(ic_shape, label, dashed, marked, first), FIELD(ic_shape, kind, OPERATION));
DESCRIBE(ic_statement,
         FIELDS(ic_statement, id, kind, source, place, says, should_be, measure, is, counter, note, limits));
DESCRIBE(ic_closed_form, FIELDS(ic_closed_form, name, meaning, of, value, unit));
DESCRIBE(ic_figure_curve, FIELDS(ic_figure_curve, name, measure, formula, unit));
DESCRIBE(ic_figure_point, FIELDS(ic_figure_point, x, y, y_error, x_error));
DESCRIBE(ic_figure_points, FIELDS(ic_figure_points, name, source, place, compare),
         TABLE_OF(ic_figure_points, rows, ic_figure_point));
DESCRIBE(ic_figure,
         FIELDS(ic_figure, name, title, preset, parameter, from, to, n_values, logarithmic, x, x_si, x_unit,
                y_unit),
         TABLE_OF(ic_figure, curves, ic_figure_curve), TABLE_OF(ic_figure, points, ic_figure_points));
DESCRIBE(ic_case,
         FIELDS(ic_case, name, title, source, states_used, time_scale, period, impact, sketch, sketch_unit,
                text),
         TABLE_OF(ic_case, parameters, ic_parameter), TABLE_OF(ic_case, requirements, ic_requirement),
         TABLE_OF(ic_case, states, ic_state), TABLE_OF(ic_case, outputs, ic_output),
         TABLE_OF(ic_case, variants, ic_variant), TABLE_OF(ic_case, presets, ic_preset),
         TABLE_OF(ic_case, law_defaults, ic_law_default), TABLE_OF(ic_case, draws, ic_draw),
         POINTER(ic_case, contact, ic_contact_view), TABLE_OF(ic_case, trials, ic_trial),
         TEXTS_OF(ic_case, discrete, UNTIL_NULL), TABLE_OF(ic_case, shapes, ic_shape),
         TABLE_OF(ic_case, statements, ic_statement), TABLE_OF(ic_case, closed_forms, ic_closed_form),
         TABLE_OF(ic_case, figures, ic_figure));

/* ---- output */

/* Number of a function, found by the address of its pointer. */
typedef struct function_slot {
    const void *place;
    size_t function;
} function_slot;

typedef struct case_writer {
    FILE *out;
    function_slot *slots;
    size_t n_slots;
    const ic_case *system;

    /*
     * True if the case has several sizes: texts in states are then omitted, because they belong to
     * one size.
     */
    bool sized;

    /* Number of modes of outputs: the largest of all variants. */
    size_t n_modes;
} case_writer;

static int compare_slots(const void *left, const void *right)
{
    const char *a = ((const function_slot *)left)->place, *b = ((const function_slot *)right)->place;
    return (a > b) - (a < b);
}

static bool find_slots(case_writer *w, const ic_functions *functions)
{
    w->slots = calloc(functions->n + 1, sizeof *w->slots);
    if (w->slots == NULL) return false;
    for (size_t i = 0; i < functions->n; i++) w->slots[i] = (function_slot){functions->functions[i].slot, i};
    w->n_slots = functions->n;
    qsort(w->slots, w->n_slots, sizeof *w->slots, compare_slots);
    return true;
}

/* Writes a text as a C string. Special characters are written as octal numbers. */
static void write_text(const case_writer *w, const char *text)
{
    if (text == NULL) {
        fputc('0', w->out);
        return;
    }
    fputc('"', w->out);
    for (; *text != '\0'; text++) {
        const bool plain = *text >= ' ' && *text <= '~' && strchr("\"\\?", *text) == NULL;
        fprintf(w->out, plain ? "%c" : "\\%03o", (unsigned char)*text);
    }
    fputc('"', w->out);
}

static void write_function(const case_writer *w, const void *place)
{
    const function_slot key = {.place = place};
    const function_slot *found = bsearch(&key, w->slots, w->n_slots, sizeof key, compare_slots);
    if (found == NULL) fputc('0', w->out);
    else fprintf(w->out, "f%zu", found->function);
}

static void write_law(const case_writer *w, const ic_law *law)
{
    if (law == NULL) fputc('0', w->out);
    else fprintf(w->out, "&%s", ic_law_symbol(law));
}

static size_t find_length(const case_writer *w, const struct_field *f, const void *from)
{
    switch (f->length) {
    case ONE: return 1;
    case TWO: return 2;
    case BY_CONDITION: return IC_CONDITION_D + 1;
    case BY_STATE: return w->system->n_states;
    case BY_MODE: return w->n_modes;
    case COUNTED: return *(const size_t *)((const char *)from + f->count);
    case UNTIL_NULL: break;
    }
    size_t n = 0;
    for (const char *const *texts = *(const char *const *const *)((const char *)from + f->offset);
         texts[n++] != NULL;)
        ;
    return n;
}

static void write_struct(const case_writer *w, const struct_field *fields, const void *from);

static void write_table(const case_writer *w, const struct_field *f, const char *table, size_t n)
{
    fprintf(w->out, "(const %s[]){\n", f->type);
    for (size_t i = 0; i < n; i++) {
        write_struct(w, f->fields, table + i * f->size);
        fputs(",\n", w->out);
    }
    fputc('}', w->out);
}

static void write_texts(const case_writer *w, const char *const *texts, size_t n)
{
    fputs("(const char*const[]){", w->out);
    for (size_t i = 0; i < n; i++) {
        write_text(w, texts[i]);
        fputs(",\n", w->out);
    }
    fputc('}', w->out);
}

static void write_integers(const case_writer *w, const int *numbers, size_t n)
{
    fputs("(const int[]){", w->out);
    for (size_t i = 0; i < n; i++) fprintf(w->out, "%d,", numbers[i]);
    fputc('}', w->out);
}

static void write_field(const case_writer *w, const struct_field *f, const void *from)
{
    const void *at = (const char *)from + f->offset;
    const char *table = NULL;
    switch (f->kind) {
    case TEXT: write_text(w, *(const char *const *)at); return;
    case INTEGER: fprintf(w->out, "%d", *(const int *)at); return;
    case OPERATION: fprintf(w->out, "%d", (int)*(const ic_operation *)at); return;
    case SIZE: fprintf(w->out, "%zu", *(const size_t *)at); return;
    case BOOL: fputs(*(const bool *)at ? "1" : "0", w->out); return;
    case NUMBER: fprintf(w->out, "%.17g", *(const double *)at); return;
    case FUNCTION: write_function(w, at); return;
    case IMPACT:
        fputs("(void(*)(ic_impact*,const double*))", w->out);
        write_function(w, at);
        return;
    case STRUCT: write_struct(w, f->fields, at); return;
    case LAW: write_law(w, *(const ic_law *const *)at); return;
    case TABLE:
    case INTEGERS:
    case TEXTS: memcpy(&table, at, sizeof table);
    }
    const size_t n = table == NULL ? 0 : find_length(w, f, from);
    /* An empty table differs from NULL: a case without trials. */
    if (n == 0 && table != NULL && f->kind == TABLE) fprintf(w->out, "(const %s[]){{0}}", f->type);
    else if (n == 0) fputc('0', w->out);
    else if (f->kind == TABLE) write_table(w, f, table, n);
    else if (f->kind == INTEGERS) write_integers(w, *(const int *const *)at, n);
    else write_texts(w, *(const char *const *const *)at, n);
}

/* Whether a field holds equations, which exist for one size only. */
static bool is_of_one_size(const struct_field *f)
{
    return strcmp(f->name, "equations") == 0 || strcmp(f->name, "stops") == 0 ||
           strncmp(f->name, "linear", strlen("linear")) == 0 || (f->kind == TEXTS && f->length == BY_STATE) ||
           strcmp(f->name, "condition") == 0;
}

static void write_fields(const case_writer *w, const struct_field *fields, const void *from)
{
    for (const struct_field *f = fields; f->name != NULL; f++) {
        if (w->sized && is_of_one_size(f)) continue;
        fprintf(w->out, ".%s=", f->name);
        write_field(w, f, from);
        fputs(",\n", w->out);
    }
}

static void write_struct(const case_writer *w, const struct_field *fields, const void *from)
{
    fputc('{', w->out);
    write_fields(w, fields, from);
    fputc('}', w->out);
}

static size_t find_modes(const ic_case *system)
{
    size_t n = 0;
    for (size_t i = 0; i < system->n_variants; i++) {
        if (system->variants[i].n_modes > n) n = system->variants[i].n_modes;
    }
    return n;
}

bool ic_case_emit(FILE *out, const char *symbol, const ic_case *system, const ic_sized_functions *sizes,
                  size_t n, int parameter)
{
    ic_emitted emitted;
    case_writer w = {.out = out, .system = system, .sized = n > 1, .n_modes = find_modes(system)};
    if (!ic_functions_emit(&emitted, sizes, n, parameter, NULL)) return false;
    const bool good = find_slots(&w, sizes->functions);
    if (good) {
        fputs("#include \"impactcheck/impactcheck.h\"\n", out);
        for (size_t i = 0; ic_law_number(i) != NULL; i++)
            fprintf(out, "extern const ic_law %s;\n", ic_law_symbol(ic_law_number(i)));
        fprintf(out, "%sconst ic_case %s={IC_ABI(ic_case),\n", emitted.text, symbol);
        write_fields(&w, fields_of_ic_case, system);
        fputs("};\n", out);
    }
    free(w.slots);
    free(emitted.text);
    return good && !ferror(out);
}
