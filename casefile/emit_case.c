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

#define FIELD(struct_, name_, kind_)                                                                           \
    {                                                                                                          \
#name_, kind_, offsetof(struct_, name_), NULL, 0, NULL, ONE, 0                                         \
    }
#define INNER(struct_, name_, type_)                                                                           \
    {                                                                                                          \
#name_, STRUCT, offsetof(struct_, name_), #type_, sizeof(type_), fields_of_##type_, ONE, 0             \
    }
#define TABLE_OF(struct_, name_, type_)                                                                        \
    {#name_,                                                                                                   \
     TABLE,                                                                                                    \
     offsetof(struct_, name_),                                                                                 \
     #type_,                                                                                                   \
     sizeof(type_),                                                                                            \
     fields_of_##type_,                                                                                        \
     COUNTED,                                                                                                  \
     offsetof(struct_, n_##name_)},                                                                            \
        FIELD(struct_, n_##name_, SIZE)
#define POINTER(struct_, name_, type_)                                                                         \
    {                                                                                                          \
#name_, TABLE, offsetof(struct_, name_), #type_, sizeof(type_), fields_of_##type_, ONE, 0              \
    }
#define TEXTS_OF(struct_, name_, length_)                                                                      \
    {                                                                                                          \
#name_, TEXTS, offsetof(struct_, name_), NULL, 0, NULL, length_, 0                                     \
    }
#define INTEGERS_OF(struct_, name_)                                                                            \
    {#name_, INTEGERS, offsetof(struct_, name_), NULL, 0, NULL, COUNTED, offsetof(struct_, n_##name_)},        \
        FIELD(struct_, n_##name_, SIZE)
#define END                                                                                                    \
    {                                                                                                          \
        NULL, TEXT, 0, NULL, 0, NULL, ONE, 0                                                                   \
    }

static const struct_field fields_of_ic_parameter[] = {
    FIELD(ic_parameter, name, TEXT),  FIELD(ic_parameter, unit, TEXT),  FIELD(ic_parameter, meaning, TEXT),
    FIELD(ic_parameter, value, TEXT), FIELD(ic_parameter, range, TEXT), END};
static const struct_field fields_of_ic_requirement[] = {FIELD(ic_requirement, positive, TEXT),
                                                        FIELD(ic_requirement, meaning, TEXT), END};
static const struct_field fields_of_ic_state[] = {FIELD(ic_state, name, TEXT), FIELD(ic_state, unit, TEXT),
                                                  FIELD(ic_state, meaning, TEXT), FIELD(ic_state, scale, TEXT),
                                                  END};
static const struct_field fields_of_ic_output[] = {
    FIELD(ic_output, name, TEXT),      FIELD(ic_output, unit, TEXT),         FIELD(ic_output, meaning, TEXT),
    FIELD(ic_output, value, FUNCTION), TEXTS_OF(ic_output, linear, BY_MODE), END};
static const struct_field fields_of_ic_departure[] = {FIELD(ic_departure, guard, INTEGER),
                                                      FIELD(ic_departure, order, INTEGER),
                                                      FIELD(ic_departure, side, INTEGER), END};
static const struct_field fields_of_ic_branch[] = {
    FIELD(ic_branch, mode, INTEGER), FIELD(ic_branch, condition, TEXT), TEXTS_OF(ic_branch, state, BY_STATE),
    TABLE_OF(ic_branch, departures, ic_departure), END};
static const struct_field fields_of_ic_jump[] = {
    FIELD(ic_jump, apply, FUNCTION), TABLE_OF(ic_jump, branches, ic_branch), FIELD(ic_jump, linear, BOOL), END};
static const struct_field fields_of_ic_guard[] = {FIELD(ic_guard, name, TEXT),
                                                  FIELD(ic_guard, unit, TEXT),
                                                  FIELD(ic_guard, meaning, TEXT),
                                                  FIELD(ic_guard, direction, INTEGER),
                                                  FIELD(ic_guard, onset, INTEGER),
                                                  FIELD(ic_guard, value, FUNCTION),
                                                  FIELD(ic_guard, rate, FUNCTION),
                                                  FIELD(ic_guard, enabled, FUNCTION),
                                                  FIELD(ic_guard, linear, TEXT),
                                                  FIELD(ic_guard, linear_enabled, TEXT),
                                                  INNER(ic_guard, jump, ic_jump),
                                                  INNER(ic_guard, accumulation, ic_jump),
                                                  END};
static const struct_field fields_of_ic_invariant[] = {FIELD(ic_invariant, name, TEXT),
                                                      FIELD(ic_invariant, unit, TEXT),
                                                      FIELD(ic_invariant, meaning, TEXT),
                                                      FIELD(ic_invariant, side, INTEGER),
                                                      FIELD(ic_invariant, value, FUNCTION),
                                                      FIELD(ic_invariant, linear, TEXT),
                                                      END};
static const struct_field fields_of_ic_equation_term[] = {
    FIELD(ic_equation_term, operation, OPERATION), FIELD(ic_equation_term, a, INTEGER),
    FIELD(ic_equation_term, b, INTEGER),           FIELD(ic_equation_term, c, INTEGER),
    FIELD(ic_equation_term, number, NUMBER),       END};
static const struct_field fields_of_ic_equations[] = {TABLE_OF(ic_equations, terms, ic_equation_term),
                                                      INTEGERS_OF(ic_equations, results), END};
static const struct_field fields_of_ic_mode[] = {FIELD(ic_mode, name, TEXT),
                                                 FIELD(ic_mode, meaning, TEXT),
                                                 FIELD(ic_mode, flow, FUNCTION),
                                                 TEXTS_OF(ic_mode, linear, BY_STATE),
                                                 TABLE_OF(ic_mode, guards, ic_guard),
                                                 FIELD(ic_mode, terminal, BOOL),
                                                 TABLE_OF(ic_mode, invariants, ic_invariant),
                                                 FIELD(ic_mode, stored_energy, FUNCTION),
                                                 FIELD(ic_mode, supplied_power, FUNCTION),
                                                 FIELD(ic_mode, dissipated_power, FUNCTION),
                                                 POINTER(ic_mode, equations, ic_equations),
                                                 END};
static const struct_field fields_of_ic_time_event[] = {FIELD(ic_time_event, name, TEXT),
                                                       FIELD(ic_time_event, meaning, TEXT),
                                                       FIELD(ic_time_event, when, FUNCTION),
                                                       FIELD(ic_time_event, linear, TEXT),
                                                       FIELD(ic_time_event, occurrences, INTEGER),
                                                       INNER(ic_time_event, jump, ic_jump),
                                                       END};
static const struct_field fields_of_ic_output_value[] = {FIELD(ic_output_value, output, TEXT),
                                                         FIELD(ic_output_value, value, FUNCTION),
                                                         TEXTS_OF(ic_output_value, linear, BY_MODE), END};
static const struct_field fields_of_ic_free_impact[] = {FIELD(ic_free_impact, mass, TEXT),
                                                        FIELD(ic_free_impact, speed, TEXT),
                                                        FIELD(ic_free_impact, restitution, TEXT),
                                                        FIELD(ic_free_impact, peak_force, TEXT),
                                                        FIELD(ic_free_impact, peak_indentation, TEXT),
                                                        FIELD(ic_free_impact, duration, TEXT),
                                                        END};
static const struct_field fields_of_ic_stop[] = {
    FIELD(ic_stop, name, TEXT),         FIELD(ic_stop, gap, FUNCTION),
    FIELD(ic_stop, velocity, FUNCTION), FIELD(ic_stop, gradient, FUNCTION),
    FIELD(ic_stop, push, FUNCTION),     FIELD(ic_stop, restitution, FUNCTION),
    FIELD(ic_stop, state, INTEGER),     END};
static const struct_field fields_of_ic_friction[] = {
    FIELD(ic_friction, name, TEXT),         FIELD(ic_friction, slip, FUNCTION),
    FIELD(ic_friction, gradient, FUNCTION), FIELD(ic_friction, push, FUNCTION),
    FIELD(ic_friction, kinetic, FUNCTION),  FIELD(ic_friction, sticking, FUNCTION),
    FIELD(ic_friction, state, INTEGER),     END};
static const struct_field fields_of_ic_stops_view[] = {FIELD(ic_stops_view, mode, INTEGER),
                                                       FIELD(ic_stops_view, flow, FUNCTION),
                                                       TABLE_OF(ic_stops_view, stops, ic_stop),
                                                       TABLE_OF(ic_stops_view, frictions, ic_friction),
                                                       INTEGERS_OF(ic_stops_view, combinations),
                                                       INTEGERS_OF(ic_stops_view, rates),
                                                       END};
static const struct_field fields_of_ic_variant[] = {FIELD(ic_variant, name, TEXT),
                                                    FIELD(ic_variant, meaning, TEXT),
                                                    TABLE_OF(ic_variant, modes, ic_mode),
                                                    INNER(ic_variant, start, ic_jump),
                                                    TABLE_OF(ic_variant, time_events, ic_time_event),
                                                    FIELD(ic_variant, law, LAW),
                                                    TABLE_OF(ic_variant, output_values, ic_output_value),
                                                    POINTER(ic_variant, free_impact, ic_free_impact),
                                                    POINTER(ic_variant, stops, ic_stops_view),
                                                    FIELD(ic_variant, time_scale, TEXT),
                                                    END};
static const struct_field fields_of_ic_preset[] = {
    FIELD(ic_preset, name, TEXT),  FIELD(ic_preset, variant, TEXT), FIELD(ic_preset, settings, TEXT),
    FIELD(ic_preset, until, TEXT), FIELD(ic_preset, meaning, TEXT), END};
static const struct_field fields_of_ic_law_default[] = {FIELD(ic_law_default, name, TEXT),
                                                        FIELD(ic_law_default, value, TEXT), END};
static const struct_field fields_of_ic_draw[] = {FIELD(ic_draw, parameter, TEXT), FIELD(ic_draw, from, NUMBER),
                                                 FIELD(ic_draw, to, NUMBER), FIELD(ic_draw, logarithmic, BOOL),
                                                 END};
static const struct_field fields_of_ic_contact_view[] = {FIELD(ic_contact_view, contact, INTEGER),
                                                         FIELD(ic_contact_view, free, INTEGER),
                                                         FIELD(ic_contact_view, gap, TEXT),
                                                         FIELD(ic_contact_view, force, TEXT),
                                                         FIELD(ic_contact_view, rigid, BOOL),
                                                         FIELD(ic_contact_view, recovers, BOOL),
                                                         TEXTS_OF(ic_contact_view, derived, UNTIL_NULL),
                                                         FIELD(ic_contact_view, restitution, TEXT),
                                                         TEXTS_OF(ic_contact_view, carried, TWO),
                                                         TEXTS_OF(ic_contact_view, conditions, BY_CONDITION),
                                                         FIELD(ic_contact_view, compression, TEXT),
                                                         END};
static const struct_field fields_of_ic_trial[] = {FIELD(ic_trial, preset, TEXT), FIELD(ic_trial, until, TEXT),
                                                  FIELD(ic_trial, again, TEXT), END};
static const struct_field fields_of_ic_shape[] = {
    FIELD(ic_shape, kind, OPERATION), FIELD(ic_shape, label, TEXT), FIELD(ic_shape, dashed, BOOL),
    FIELD(ic_shape, marked, BOOL),    FIELD(ic_shape, first, SIZE), END};
static const struct_field fields_of_ic_statement[] = {
    FIELD(ic_statement, id, TEXT),      FIELD(ic_statement, kind, TEXT),   FIELD(ic_statement, source, TEXT),
    FIELD(ic_statement, place, TEXT),   FIELD(ic_statement, says, TEXT),   FIELD(ic_statement, should_be, TEXT),
    FIELD(ic_statement, measure, TEXT), FIELD(ic_statement, is, TEXT),     FIELD(ic_statement, counter, TEXT),
    FIELD(ic_statement, note, TEXT),    FIELD(ic_statement, limits, TEXT), END};
static const struct_field fields_of_ic_closed_form[] = {
    FIELD(ic_closed_form, name, TEXT),  FIELD(ic_closed_form, meaning, TEXT), FIELD(ic_closed_form, of, TEXT),
    FIELD(ic_closed_form, value, TEXT), FIELD(ic_closed_form, unit, TEXT),    END};
static const struct_field fields_of_ic_figure_curve[] = {
    FIELD(ic_figure_curve, name, TEXT), FIELD(ic_figure_curve, measure, TEXT),
    FIELD(ic_figure_curve, formula, TEXT), FIELD(ic_figure_curve, unit, TEXT), END};
static const struct_field fields_of_ic_figure_point[] = {
    FIELD(ic_figure_point, x, TEXT), FIELD(ic_figure_point, y, TEXT), FIELD(ic_figure_point, y_error, TEXT),
    FIELD(ic_figure_point, x_error, TEXT), END};
static const struct_field fields_of_ic_figure_points[] = {FIELD(ic_figure_points, name, TEXT),
                                                          FIELD(ic_figure_points, source, TEXT),
                                                          FIELD(ic_figure_points, place, TEXT),
                                                          FIELD(ic_figure_points, compare, TEXT),
                                                          TABLE_OF(ic_figure_points, rows, ic_figure_point),
                                                          END};
static const struct_field fields_of_ic_figure[] = {FIELD(ic_figure, name, TEXT),
                                                   FIELD(ic_figure, title, TEXT),
                                                   FIELD(ic_figure, preset, TEXT),
                                                   FIELD(ic_figure, parameter, TEXT),
                                                   FIELD(ic_figure, from, TEXT),
                                                   FIELD(ic_figure, to, TEXT),
                                                   FIELD(ic_figure, n_values, SIZE),
                                                   FIELD(ic_figure, logarithmic, BOOL),
                                                   FIELD(ic_figure, x, TEXT),
                                                   FIELD(ic_figure, x_si, TEXT),
                                                   FIELD(ic_figure, x_unit, TEXT),
                                                   FIELD(ic_figure, y_unit, TEXT),
                                                   TABLE_OF(ic_figure, curves, ic_figure_curve),
                                                   TABLE_OF(ic_figure, points, ic_figure_points),
                                                   END};
static const struct_field fields_of_ic_case[] = {FIELD(ic_case, name, TEXT),
                                                 FIELD(ic_case, title, TEXT),
                                                 FIELD(ic_case, source, TEXT),
                                                 TABLE_OF(ic_case, parameters, ic_parameter),
                                                 TABLE_OF(ic_case, requirements, ic_requirement),
                                                 TABLE_OF(ic_case, states, ic_state),
                                                 FIELD(ic_case, states_used, TEXT),
                                                 TABLE_OF(ic_case, outputs, ic_output),
                                                 TABLE_OF(ic_case, variants, ic_variant),
                                                 TABLE_OF(ic_case, presets, ic_preset),
                                                 TABLE_OF(ic_case, law_defaults, ic_law_default),
                                                 TABLE_OF(ic_case, draws, ic_draw),
                                                 FIELD(ic_case, time_scale, TEXT),
                                                 FIELD(ic_case, period, TEXT),
                                                 FIELD(ic_case, impact, IMPACT),
                                                 POINTER(ic_case, contact, ic_contact_view),
                                                 TABLE_OF(ic_case, trials, ic_trial),
                                                 TEXTS_OF(ic_case, discrete, UNTIL_NULL),
                                                 TABLE_OF(ic_case, shapes, ic_shape),
                                                 FIELD(ic_case, sketch, FUNCTION),
                                                 FIELD(ic_case, sketch_unit, TEXT),
                                                 FIELD(ic_case, text, TEXT),
                                                 TABLE_OF(ic_case, statements, ic_statement),
                                                 TABLE_OF(ic_case, closed_forms, ic_closed_form),
                                                 TABLE_OF(ic_case, figures, ic_figure),
                                                 END};

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
