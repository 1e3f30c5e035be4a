/* SPDX-License-Identifier: MIT */
#include "validation/claims/measures.h"
#include "core/names.h"
#include "validation/claims/printed.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Unit of a value that takes the unit of the claim: parameters and outputs do not determine it. */
#define ANY_UNIT ""

/* The result that a measure examines, which is computed first. */
typedef enum measure_source {
    NOTHING,
    RUN,    /* from the start */
    SEARCH, /* for a steady state, which may not exist */
    STEADY, /* the steady state */
    ORBIT,  /* a run over the steady state */
} measure_source;

typedef struct measure {
    /* "extreme(PATH; OUTPUT; min|max)": name, and the kind or the words of each argument */
    const char *form;

    // cppcheck-suppress unusedStructMember ; for the reader of the table
    const char *meaning;

    /* NULL: that of the output, variable or parameter that is an argument, if any */
    const char *unit;

    measure_source source;
    ic_measuring *value;
} measure;

/* ---- the measures */

static const measure measures[] = {
#define IC_MEASURE(name_, arguments_, meaning_, unit_, source_)                                                \
    {#name_ arguments_, meaning_, unit_, source_, ic_measure_##name_},
#include "validation/claims/measures.def"
};

/* Argument i of a measure's form, such as "OUTPUT" or "min|max"; "" if it has fewer. */
typedef struct argument_form {
    char text[48];
} argument_form;

static argument_form form_of(const measure *m, size_t i)
{
    argument_form form = {""};
    const char *at = strchr(m->form, '(');
    while (at != NULL && i-- > 0) at = strchr(at + 1, ';');
    if (at != NULL) sscanf(at, "%*1[(;] %47[^;)]", form.text);
    return form;
}

static bool argument_is_a(const measure *m, size_t i, const char *kind)
{
    return strcmp(form_of(m, i).text, kind) == 0;
}

size_t ic_measure_count(void)
{
    return IC_COUNT(measures);
}

const char *ic_measure_form(size_t i)
{
    return measures[i].form;
}

/* ---- checking arguments: all names must exist before anything is run */

static bool has_event(const ic_variant *variant, const char *name)
{
    for (size_t i = 0; i < variant->n_modes; i++) {
        for (size_t k = 0; k < variant->modes[i].n_guards; k++) {
            if (strcmp(variant->modes[i].guards[k].name, name) == 0) return true;
        }
    }
    for (size_t i = 0; i < variant->n_time_events; i++) {
        if (strcmp(variant->time_events[i].name, name) == 0) return true;
    }
    return false;
}

/* Words are separated by '|'. */
static bool check_word(const char *words, const char *text, ic_error *error)
{
    const size_t length = strlen(text);
    for (const char *at = words; at != NULL; at = strchr(at, '|')) {
        at += *at == '|';
        if (strncmp(at, text, length) == 0 && (at[length] == '|' || at[length] == '\0')) return true;
    }
    ic_error_set(error, "expected one of %s, not '%s'", words, text);
    return false;
}

static bool check_ordinal(const char *text, ic_error *error)
{
    char *end = NULL;
    if (strtol(text, &end, 10) > 0 && *end == '\0') return true;
    ic_error_set(error, "expected a number 1, 2, ..., not '%s'", text);
    return false;
}

static bool check_time(const char *text, ic_error *error)
{
    double t = NAN;
    if (!ic_expression_number(&t, text, NULL, error)) return false;
    if (t > 0) return true;
    ic_error_set(error, "expected a time after the start, not '%s'", text);
    return false;
}

static bool check_path(const char *text, ic_error *error)
{
    ic_setup setup;
    if (!ic_path_open(&setup, text, error)) return false;
    ic_setup_close(&setup);
    return true;
}

/* Names belong to the case or variant of the first path. */
static bool check_argument(const char *form, const char *text, const ic_setup *setup, ic_error *error)
{
    const ic_case *system = setup->problem.system;
    const ic_variant *variant = setup->problem.variant;
    const ic_names names = {.system = system, .par = setup->par};
    const bool is_output = ic_output_find(system, text) < system->n_outputs;
    double value;
    if (strchr(form, '|') != NULL) return check_word(form, text, error);
    if (strcmp(form, "PATH") == 0) return check_path(text, error);
    if (strcmp(form, "N") == 0) return check_ordinal(text, error);
    if (strcmp(form, "TIME") == 0) return check_time(text, error);
    if (strcmp(form, "EXPRESSION") == 0) return ic_expression_number(&value, text, &names, error);
    if (strcmp(form, "FROM") == 0 || strcmp(form, "TO") == 0)
        return ic_expression_number(&value, text, NULL, error);
    const struct {
        const char *form, *owner, *kind;
        bool exists;
    } known[] = {
        {"OUTPUT", system->name, "output", is_output},
        {"VARIABLE", system->name, "output or state",
         is_output || ic_state_find(system, text) < system->n_states},
        {"PARAMETER", system->name, "parameter", ic_parameter_find(system, text) < system->n_parameters},
        {"MODE", variant->name, "mode", ic_mode_find(variant, text) >= 0},
        {"EVENT", variant->name, "event", has_event(variant, text)},
        {"SOLVER", "impactcheck", "solver", ic_solver_find(text) != NULL},
        {"EQUATION", system->name, "equation", ic_printed_has(system->name, text)},
    };
    for (size_t i = 0; i < IC_COUNT(known); i++) {
        if (strcmp(form, known[i].form) != 0) continue;
        if (!known[i].exists) ic_error_set(error, "'%s' has no %s '%s'", known[i].owner, known[i].kind, text);
        return known[i].exists;
    }
    ic_error_set(error, "arguments of kind %s cannot be checked", form);
    return false;
}

/* ---- parsing */

typedef struct measure_parser {
    const char *text, *at;

    /* of calls without one; NULL: none */
    const char *path;

    /* whose presets may be named alone; NULL: none */
    const ic_case *system;

    /* of the arguments of the call last read */
    size_t offsets[IC_MOST_ARGUMENTS];

    /* where an error is */
    size_t wrong;

    ic_error *error;
} measure_parser;

static size_t parser_offset(const measure_parser *p)
{
    return (size_t)(p->at - p->text);
}

static void skip_blanks(measure_parser *p)
{
    while (*p->at == ' ') p->at++;
}

static bool wrong_here(measure_parser *p, const char *expected)
{
    p->wrong = parser_offset(p);
    ic_error_set(p->error, "expected %s", expected);
    return false;
}

static bool read_measure(measure_parser *p, size_t *index)
{
    size_t length = 0;
    skip_blanks(p);
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_') length++;
    for (*index = 0; *index < IC_COUNT(measures); ++*index) {
        const char *form = measures[*index].form;
        if (strncmp(form, p->at, length) == 0 && form[length] == '(') break;
    }
    if (*index == IC_COUNT(measures)) {
        p->wrong = parser_offset(p);
        ic_error_set(p->error, "unknown measure '%.*s'", (int)length, p->at);
        return false;
    }
    p->at += length;
    skip_blanks(p);
    if (*p->at != '(') return wrong_here(p, "'('");
    p->at++;
    return true;
}

/* Text up to ';' or the parenthesis that closes the call, without blanks at its ends. */
static bool read_argument(measure_parser *p, char *argument, size_t *offset)
{
    int depth = 0;
    skip_blanks(p);
    *offset = parser_offset(p);
    const char *start = p->at;
    for (; *p->at != '\0' && !(depth == 0 && (*p->at == ';' || *p->at == ')')); p->at++) {
        depth += (*p->at == '(') - (*p->at == ')');
    }
    if (*p->at == '\0') return wrong_here(p, "';' or ')'");
    size_t length = (size_t)(p->at - start);
    while (length > 0 && start[length - 1] == ' ') length--;
    if (length == 0) return wrong_here(p, "an argument");
    if (length >= IC_LONGEST_PATH) return wrong_here(p, "a shorter argument");
    memcpy(argument, start, length);
    argument[length] = '\0';
    return true;
}

bool ic_path_add_settings(char path[IC_LONGEST_PATH], const char *settings, ic_error *error)
{
    char old[IC_LONGEST_PATH];
    size_t length = strlen(path);
    const bool has_some = length > 0 && path[length - 1] == ']';
    memcpy(old, path, length + 1);
    if (has_some) old[length - 1] = '\0';
    const int n = snprintf(path, IC_LONGEST_PATH, "%s%s%s", old, has_some ? ", " : "[", settings + 1);
    if (n < IC_LONGEST_PATH) return true;
    ic_error_set(error, "the path becomes too long");
    return false;
}

bool ic_quantity_set(ic_quantity *quantity, const char *setting, ic_error *error)
{
    ic_call *const calls[] = {&quantity->first, &quantity->second};
    for (size_t k = 0; k < (quantity->operation == '\0' ? 1 : 2); k++) {
        for (size_t i = 0; i < IC_MOST_ARGUMENTS; i++) {
            if (argument_is_a(&measures[calls[k]->measure], i, "PATH") &&
                !ic_path_add_settings(calls[k]->arguments[i], setting, error))
                return false;
        }
    }
    return true;
}

/* Number of arguments up to the parenthesis that closes a call. */
static size_t count_arguments(const char *at)
{
    size_t n = 1;
    int depth = 0;
    if (at[strspn(at, " ")] == ')') return 0;
    for (; *at != '\0' && !(depth == 0 && *at == ')'); at++) {
        depth += (*at == '(') - (*at == ')');
        n += depth == 0 && *at == ';';
    }
    return n;
}

bool ic_path_complete(char path[IC_LONGEST_PATH], const ic_case *system)
{
    char alone[IC_LONGEST_PATH];
    const size_t length = strcspn(path, "[");
    if (system == NULL) return true;
    bool own = memchr(path, '/', length) == NULL;
    for (size_t i = 0; i < system->n_presets && !own; i++)
        own = strlen(system->presets[i].name) == length && strncmp(system->presets[i].name, path, length) == 0;
    if (!own) return true;
    memcpy(alone, path, strlen(path) + 1);
    return snprintf(path, IC_LONGEST_PATH, "%s/%s", system->name, alone) < IC_LONGEST_PATH;
}

static bool read_arguments(measure_parser *p, ic_call *call)
{
    size_t expected = 0;
    while (form_of(&measures[call->measure], expected).text[0] != '\0') expected++;
    size_t first = 0;
    if (p->path != NULL && count_arguments(p->at) + 1 == expected) {
        snprintf(call->arguments[0], sizeof call->arguments[0], "%s", p->path);
        p->offsets[0] = parser_offset(p);
        first = 1;
        /* settling(): the path is all */
        if (expected == 1) {
            p->at = strchr(p->at, ')') + 1;
            return true;
        }
    }
    for (size_t i = first; i < expected; i++) {
        if (!read_argument(p, call->arguments[i], &p->offsets[i])) return false;
        if (argument_is_a(&measures[call->measure], i, "PATH") &&
            !ic_path_complete(call->arguments[i], p->system))
            return wrong_here(p, "a shorter path");
        if (*p->at != (i + 1 < expected ? ';' : ')')) break;
        p->at++;
        if (i + 1 == expected) return true;
    }
    p->wrong = parser_offset(p);
    ic_error_set(p->error, "expected %zu arguments: %s", expected, measures[call->measure].form);
    return false;
}

static bool check_arguments(measure_parser *p, const ic_call *call)
{
    ic_setup setup;
    p->wrong = p->offsets[0];
    if (!ic_path_open(&setup, call->arguments[0], p->error)) return false;
    bool good = true;
    for (size_t i = 0; good && i < IC_MOST_ARGUMENTS && call->arguments[i][0] != '\0'; i++) {
        p->wrong = p->offsets[i];
        good = check_argument(form_of(&measures[call->measure], i).text, call->arguments[i], &setup, p->error);
    }
    ic_setup_close(&setup);
    return good;
}

static const char *unit_of(const ic_call *call)
{
    const measure *m = &measures[call->measure];
    ic_setup setup;
    const char *unit = m->unit;
    if (unit != NULL && strcmp(unit, ANY_UNIT) == 0) return NULL;
    if (unit != NULL || !ic_path_open(&setup, call->arguments[0], NULL)) return unit;
    const ic_case *system = setup.problem.system;
    for (size_t i = 0; i < IC_MOST_ARGUMENTS; i++) {
        const char *name = call->arguments[i];
        const size_t output = ic_output_find(system, name), state = ic_state_find(system, name);
        if (argument_is_a(m, i, "PARAMETER")) unit = system->parameters[ic_parameter_find(system, name)].unit;
        if (!argument_is_a(m, i, "OUTPUT") && !argument_is_a(m, i, "VARIABLE")) continue;
        unit = state < system->n_states ? system->states[state].unit : system->outputs[output].unit;
    }
    ic_setup_close(&setup);
    return unit;
}

static bool read_call(measure_parser *p, ic_call *call)
{
    *call = (ic_call){0};
    return read_measure(p, &call->measure) && read_arguments(p, call) && check_arguments(p, call);
}

static bool units_agree(const ic_quantity *quantity, const char *unit)
{
    return quantity->unit == NULL || unit == NULL || strcmp(quantity->unit, unit) == 0;
}

static bool read_quantity(measure_parser *p, ic_quantity *quantity)
{
    if (!read_call(p, &quantity->first)) return false;
    quantity->unit = unit_of(&quantity->first);
    skip_blanks(p);
    if (*p->at == '\0') return true;
    if (*p->at != '-' && *p->at != '/') return wrong_here(p, "'-', '/' or the end");
    quantity->operation = *p->at++;
    const size_t second = parser_offset(p);
    if (!read_call(p, &quantity->second)) return false;
    const bool agree = units_agree(quantity, unit_of(&quantity->second));
    /* the unit of a formula is not known */
    const bool known = unit_of(&quantity->second) != NULL;
    if (quantity->operation == '/') quantity->unit = agree && known ? "1" : NULL;
    else if (!agree) {
        p->wrong = second;
        ic_error_set(p->error, "the two quantities have different units");
        return false;
    }
    skip_blanks(p);
    return *p->at == '\0' || wrong_here(p, "the end");
}

bool ic_quantity_parse(ic_quantity *quantity, const char *text, const ic_case *system, size_t *offset,
                       ic_error *error)
{
    return ic_quantity_parse_on(quantity, text, NULL, system, offset, error);
}

bool ic_quantity_parse_on(ic_quantity *quantity, const char *text, const char *path, const ic_case *system,
                          size_t *offset, ic_error *error)
{
    measure_parser p = {.text = text, .at = text, .path = path, .system = system, .error = error};
    *quantity = (ic_quantity){0};
    const bool good = read_quantity(&p, quantity);
    *offset = p.wrong;
    return good;
}

/* ---- measuring */

static bool measure_call(double *value, const ic_call *call, ic_claim_evaluator *evaluator, ic_error *error)
{
    const measure *m = &measures[call->measure];
    ic_measurement b = {.evaluator = evaluator, .call = call, .error = error};
    b.subject = ic_claim_evaluator_subject(evaluator, call->arguments[0], error);
    if (b.subject == NULL) return false;
    if (m->source == RUN) b.log = ic_subject_run(b.subject, error);
    if (m->source == ORBIT) b.log = ic_subject_orbit(b.subject, error);
    if (m->source == STEADY || m->source == SEARCH) b.steady = ic_subject_steady(b.subject, error);
    if (m->source == STEADY && b.steady != NULL && b.steady->multiple == 0)
        return ic_measurement_fail(&b, "no stable steady state was found", "");
    return (m->source == NOTHING || b.log != NULL || b.steady != NULL) && m->value(value, &b);
}

const char *ic_call_form(const ic_call *call)
{
    return measures[call->measure].form;
}

bool ic_call_of_run(double *value, const ic_call *call, const ic_setup *setup, const ic_log *run,
                    ic_error *error)
{
    ic_subject subject = {.setup = *setup};
    const ic_measurement b = {.subject = &subject, .log = run, .call = call, .error = error};
    snprintf(subject.path, sizeof subject.path, "%s", call->arguments[0]);
    if (measures[call->measure].source != RUN) return ic_measurement_fail(&b, "no measure of a run", "");
    return measures[call->measure].value(value, &b);
}

bool ic_quantity_locate(ic_measured *measured, const ic_quantity *quantity, ic_claim_evaluator *evaluator,
                        ic_error *error)
{
    const ic_subject *subject = ic_claim_evaluator_subject(evaluator, quantity->first.arguments[0], error);
    if (subject == NULL) return false;
    *measured = (ic_measured){NAN, subject->solver->name, subject->setup.problem.system, subject->setup.preset};
    return true;
}

bool ic_quantity_measure(ic_measured *measured, const ic_quantity *quantity, ic_claim_evaluator *evaluator,
                         ic_error *error)
{
    double second = NAN;
    if (!ic_quantity_locate(measured, quantity, evaluator, error)) return false;
    if (!measure_call(&measured->value, &quantity->first, evaluator, error)) return false;
    if (quantity->operation == '\0') return true;
    if (!measure_call(&second, &quantity->second, evaluator, error)) return false;
    measured->value = quantity->operation == '/' ? measured->value / second : measured->value - second;
    return true;
}
