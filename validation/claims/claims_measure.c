/* SPDX-License-Identifier: MIT */
#include "validation/claims/claims_measure.h"
#include "registry/registry.h"
#include "validation/claims/printed.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the n-th argument of a measure must be. */
typedef enum argument_kind {
    NOTHING,
    PATH,
    OUTPUT,
    VARIABLE, /* output or state */
    MODE,
    EVENT,
    PARAMETER,
    EXPRESSION,
    ORDINAL, /* 1, 2, ... */
    TIME,
    NUMBER,
    SOLVER,
    LEAST_OR_GREATEST,
    SIDE,
    STEADY_FIELD,
    EQUATION, /* of printed.h */
    PRINTED_OR_CORRECTED,
} argument_kind;

/* Words that an argument may be, for kinds that are a choice. */
static const char *const words_of[][5] = {
    [LEAST_OR_GREATEST] = {"min", "max"},
    [SIDE] = {"before", "after"},
    [STEADY_FIELD] = {"multiple", "residual", "spectral_radius"},
    [PRINTED_OR_CORRECTED] = {"printed", "corrected", "planted"},
};

/* A quantity whose unit is the claim's: parameters and outputs do not tell it. */
#define ANY_UNIT ""

typedef struct measure {
    const char *name;
    ic_measure_info info;
    argument_kind kinds[IC_MOST_ARGUMENTS];

    /* ANY_UNIT; NULL: that of the output, variable or parameter named; if there is none, any */
    const char *unit;

    ic_measuring *value;
} measure;

/* ---- the measures */

static const measure measures[] = {
    {"parameter",
     {"parameter(PATH; PARAMETER)", "value of a parameter"},
     {PATH, PARAMETER},
     NULL,
     ic_measure_parameter},
    {"formula",
     {"formula(PATH; EXPRESSION)", "value of an expression in the parameters"},
     {PATH, EXPRESSION},
     NULL,
     ic_measure_formula},
    {"steady",
     {"steady(PATH; multiple|residual|spectral_radius)",
      "of the steady state: its period over the forcing's (0: none found), what a period changes, largest "
      "multiplier"},
     {PATH, STEADY_FIELD},
     "1",
     ic_measure_steady},
    {"settling",
     {"settling(PATH)",
      "periods of the forcing until a small deviation from the steady state is 1e-9 of itself"},
     {PATH},
     "1",
     ic_measure_settling},
    {"extreme",
     {"extreme(PATH; OUTPUT; min|max)",
      "least or greatest value in the steady state, limits at events included"},
     {PATH, OUTPUT, LEAST_OR_GREATEST},
     NULL,
     ic_measure_extreme},
    {"mean", {"mean(PATH; OUTPUT)", "mean over the steady state"}, {PATH, VARIABLE}, NULL, ic_measure_mean},
    {"fraction",
     {"fraction(PATH; MODE)", "part of the steady state that is spent in a mode"},
     {PATH, MODE},
     "1",
     ic_measure_fraction},
    {"longest",
     {"longest(PATH; MODE)", "longest uninterrupted stay in a mode in the steady state"},
     {PATH, MODE},
     "s",
     ic_measure_longest},
    {"events",
     {"events(PATH)", "events for each period of the forcing in the steady state"},
     {PATH},
     "1",
     ic_measure_events},
    {"entries",
     {"entries(PATH; MODE)", "entries into a mode for each period of the forcing in the steady state"},
     {PATH, MODE},
     "1",
     ic_measure_entries},
    {"at_entry",
     {"at_entry(PATH; MODE; VARIABLE; before|after; min|max)",
      "least or greatest value just before or after the steady state enters a mode"},
     {PATH, MODE, VARIABLE, SIDE, LEAST_OR_GREATEST},
     NULL,
     ic_measure_at_entry},
    {"difference",
     {"difference(PATH; PATH; OUTPUT)", "largest difference of two steady states over their common range"},
     {PATH, PATH, OUTPUT},
     "1",
     ic_measure_difference},
    {"mean_difference",
     {"mean_difference(PATH; PATH; OUTPUT)",
      "mean difference of two steady states over their common range: the area between the curves"},
     {PATH, PATH, OUTPUT},
     "1",
     ic_measure_mean_difference},
    {"event_time",
     {"event_time(PATH; EVENT; N)", "time of the n-th event of a name"},
     {PATH, EVENT, ORDINAL},
     "s",
     ic_measure_event_time},
    {"entry_time",
     {"entry_time(PATH; MODE; N)", "time when the run enters a mode for the n-th time"},
     {PATH, MODE, ORDINAL},
     "s",
     ic_measure_entry_time},
    {"event_count",
     {"event_count(PATH; EVENT)", "number of events of a name until the preset's end"},
     {PATH, EVENT},
     "1",
     ic_measure_event_count},
    {"at_event",
     {"at_event(PATH; EVENT; N; VARIABLE; before|after)",
      "value just before or after the n-th event of a name"},
     {PATH, EVENT, ORDINAL, VARIABLE, SIDE},
     NULL,
     ic_measure_at_event},
    {"mode_after",
     {"mode_after(PATH; EVENT; N; MODE)", "1 if the n-th event of a name leads to a mode, else 0"},
     {PATH, EVENT, ORDINAL, MODE},
     "1",
     ic_measure_mode_after},
    {"mode_at_start",
     {"mode_at_start(PATH; MODE)", "1 if the run starts in a mode, else 0"},
     {PATH, MODE},
     "1",
     ic_measure_mode_at_start},
    {"mode_at_end",
     {"mode_at_end(PATH; MODE)", "1 if the run ends in a mode, else 0"},
     {PATH, MODE},
     "1",
     ic_measure_mode_at_end},
    {"during",
     {"during(PATH; MODE; VARIABLE; min|max)", "least or greatest sampled value while the run is in a mode"},
     {PATH, MODE, VARIABLE, LEAST_OR_GREATEST},
     NULL,
     ic_measure_during},
    {"solver_difference",
     {"solver_difference(PATH; SOLVER; VARIABLE)",
      "largest sampled difference of a solver's run over the variable's range"},
     {PATH, SOLVER, VARIABLE},
     "1",
     ic_measure_solver_difference},
    {"flow_calls",
     {"flow_calls(PATH; SOLVER)", "evaluations of dx/dt in a solver's run with its default accuracy"},
     {PATH, SOLVER},
     "1",
     ic_measure_flow_calls},
    {"final",
     {"final(PATH; VARIABLE)", "value at the end of the run"},
     {PATH, VARIABLE},
     NULL,
     ic_measure_final},
    {"changes",
     {"changes(PATH)", "changes of mode during the run; that which ends it does not count"},
     {PATH},
     "1",
     ic_measure_changes},
    {"peak",
     {"peak(PATH; OUTPUT; min|max)", "least or greatest value of the run, limits at events included"},
     {PATH, OUTPUT, LEAST_OR_GREATEST},
     NULL,
     ic_measure_peak},
    {"crossing_rate",
     {"crossing_rate(PATH; EVENT; N; before|after)",
      "rate at which the guard of the n-th event of a name crosses zero"},
     {PATH, EVENT, ORDINAL, SIDE},
     NULL,
     ic_measure_crossing_rate},
    {"mean_rate",
     {"mean_rate(PATH; MODE; N; VARIABLE)", "change of a value over the n-th stay in a mode, over its length"},
     {PATH, MODE, ORDINAL, VARIABLE},
     ANY_UNIT,
     ic_measure_mean_rate},
    {"groups",
     {"groups(PATH; EVENT; TIME)", "number of groups of events of a name, with pauses longer than a time"},
     {PATH, EVENT, TIME},
     "1",
     ic_measure_groups},
    {"dominant_frequency",
     {"dominant_frequency(PATH; VARIABLE; TIME)",
      "frequency of the strongest vibration from a time to the end of the run"},
     {PATH, VARIABLE, TIME},
     "Hz",
     ic_measure_dominant_frequency},
    {"run_difference",
     {"run_difference(PATH; PATH; VARIABLE)",
      "largest sampled difference of two runs over the range of the first"},
     {PATH, PATH, VARIABLE},
     "1",
     ic_measure_run_difference},
    {"end_difference",
     {"end_difference(PATH; PATH; VARIABLE)",
      "largest sampled difference of two runs over the value at the end of the first"},
     {PATH, PATH, VARIABLE},
     "1",
     ic_measure_end_difference},
    {"spread",
     {"spread(PATH; PARAMETER; FROM; TO; VARIABLE)",
      "for five values of a parameter, evenly from one to another: largest deviation of the output's greatest "
      "sampled magnitude from its mean, over that mean"},
     {PATH, PARAMETER, NUMBER, NUMBER, VARIABLE},
     "1",
     ic_measure_spread},
    {"equation",
     {"equation(PATH; EQUATION; printed|corrected|planted)",
      "largest relative deviation of an equation of the case's paper from what it is about, for random "
      "systems; planted: as printed, "
      "from what is wrong"},
     {PATH, EQUATION, PRINTED_OR_CORRECTED},
     "1",
     ic_measure_equation},
};

size_t ic_measure_count(void)
{
    return IC_COUNT(measures);
}

ic_measure_info ic_measure_describe(size_t i)
{
    return measures[i].info;
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

static bool unknown(ic_error *error, const char *owner, const char *kind, const char *name)
{
    ic_error_set(error, "'%s' has no %s '%s'", owner, kind, name);
    return false;
}

static bool check_word(argument_kind kind, const char *text, ic_error *error)
{
    for (size_t i = 0; words_of[kind][i] != NULL; i++) {
        if (strcmp(words_of[kind][i], text) == 0) return true;
    }
    ic_error_set(error, "'%s' or '%s' expected, or the like, not '%s'", words_of[kind][0], words_of[kind][1],
                 text);
    return false;
}

static bool check_ordinal(const char *text, ic_error *error)
{
    char *end = NULL;
    if (strtol(text, &end, 10) > 0 && *end == '\0') return true;
    ic_error_set(error, "a number 1, 2, ... expected, not '%s'", text);
    return false;
}

static bool check_time(const char *text, ic_error *error)
{
    double t = NAN;
    if (!ic_expression_number(&t, text, NULL, error)) return false;
    if (t > 0) return true;
    ic_error_set(error, "a time after the start expected, not '%s'", text);
    return false;
}

static bool check_expression(const char *text, const ic_setup *setup, ic_error *error)
{
    const ic_names names = {.system = setup->problem.system, .par = setup->par};
    double value = NAN;
    return ic_expression_number(&value, text, &names, error);
}

static bool check_equation(const char *text, const ic_case *system, ic_error *error)
{
    const ic_printed_paper *paper = ic_printed_paper_of(system->name);
    return (paper != NULL && paper->has(text)) || unknown(error, system->name, "equation", text);
}

static bool check_path(const char *text, ic_error *error)
{
    ic_setup setup;
    if (!ic_path_open(&setup, text, error)) return false;
    ic_setup_close(&setup);
    return true;
}

/* A name that belongs to the case or variant of the first path. */
static bool check_name(argument_kind kind, const char *text, const ic_problem *problem, ic_error *error)
{
    const ic_case *system = problem->system;
    const bool is_output = ic_output_find(system, text) < system->n_outputs;
    switch (kind) {
    case OUTPUT: return is_output || unknown(error, system->name, "output", text);
    case VARIABLE:
        return is_output || ic_state_find(system, text) < system->n_states ||
               unknown(error, system->name, "output or state", text);
    case PARAMETER:
        return ic_parameter_find(system, text) < system->n_parameters ||
               unknown(error, system->name, "parameter", text);
    case MODE:
        return ic_find_mode(problem->variant, text) >= 0 ||
               unknown(error, problem->variant->name, "mode", text);
    default: return has_event(problem->variant, text) || unknown(error, problem->variant->name, "event", text);
    }
}

static bool check_argument(argument_kind kind, const char *text, const ic_setup *setup, ic_error *error)
{
    switch (kind) {
    case NOTHING: return true;
    case PATH: return check_path(text, error);
    case EXPRESSION: return check_expression(text, setup, error);
    case ORDINAL: return check_ordinal(text, error);
    case TIME: return check_time(text, error);
    case NUMBER: return ic_expression_number(&(double){0}, text, NULL, error);
    case SOLVER: return ic_solver_find(text) != NULL || unknown(error, "impactcheck", "solver", text);
    case LEAST_OR_GREATEST:
    case SIDE:
    case STEADY_FIELD:
    case PRINTED_OR_CORRECTED: return check_word(kind, text, error);
    case EQUATION: return check_equation(text, setup->problem.system, error);
    default: return check_name(kind, text, &setup->problem, error);
    }
}

/* ---- parsing */

typedef struct parser {
    const char *text, *at;
    size_t offsets[IC_MOST_ARGUMENTS]; /* of the arguments of the call last read */
    size_t wrong;                      /* where an error is */
    ic_error *error;
} parser;

static size_t here(const parser *p)
{
    return (size_t)(p->at - p->text);
}

static void skip_blanks(parser *p)
{
    while (*p->at == ' ') p->at++;
}

static bool wrong_here(parser *p, const char *expected)
{
    p->wrong = here(p);
    ic_error_set(p->error, "%s expected", expected);
    return false;
}

static bool read_measure(parser *p, size_t *index)
{
    size_t length = 0;
    skip_blanks(p);
    while (isalnum((unsigned char)p->at[length]) || p->at[length] == '_') length++;
    for (*index = 0; *index < IC_COUNT(measures); ++*index) {
        const char *name = measures[*index].name;
        if (strlen(name) == length && memcmp(name, p->at, length) == 0) break;
    }
    if (*index == IC_COUNT(measures)) {
        p->wrong = here(p);
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
static bool read_argument(parser *p, char *argument, size_t *offset)
{
    int depth = 0;
    skip_blanks(p);
    *offset = here(p);
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

static size_t arguments_of(const measure *m)
{
    size_t n = 0;
    while (n < IC_MOST_ARGUMENTS && m->kinds[n] != NOTHING) n++;
    return n;
}

static bool read_arguments(parser *p, ic_call *call)
{
    const size_t expected = arguments_of(&measures[call->measure]);
    for (size_t i = 0; i < expected; i++) {
        if (!read_argument(p, call->arguments[i], &p->offsets[i])) return false;
        if (*p->at != (i + 1 < expected ? ';' : ')')) break;
        p->at++;
        if (i + 1 == expected) return true;
    }
    p->wrong = here(p);
    ic_error_set(p->error, "%zu arguments expected: %s", expected, measures[call->measure].info.call);
    return false;
}

static bool check_arguments(parser *p, const ic_call *call)
{
    ic_setup setup;
    size_t i = 0;
    p->wrong = p->offsets[0];
    if (!ic_path_open(&setup, call->arguments[0], p->error)) return false;
    while (i < IC_MOST_ARGUMENTS &&
           check_argument(measures[call->measure].kinds[i], call->arguments[i], &setup, p->error)) {
        i++;
    }
    ic_setup_close(&setup);
    if (i < IC_MOST_ARGUMENTS) p->wrong = p->offsets[i];
    return i == IC_MOST_ARGUMENTS;
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
        if (m->kinds[i] == PARAMETER) unit = system->parameters[ic_parameter_find(system, name)].unit;
        if (m->kinds[i] != OUTPUT && m->kinds[i] != VARIABLE) continue;
        unit = state < system->n_states ? system->states[state].unit : system->outputs[output].unit;
    }
    ic_setup_close(&setup);
    return unit;
}

static bool read_call(parser *p, ic_call *call)
{
    *call = (ic_call){0};
    return read_measure(p, &call->measure) && read_arguments(p, call) && check_arguments(p, call);
}

static bool units_agree(const ic_quantity *quantity, const char *unit)
{
    return quantity->unit == NULL || unit == NULL || strcmp(quantity->unit, unit) == 0;
}

static bool read_quantity(parser *p, ic_quantity *quantity)
{
    if (!read_call(p, &quantity->first)) return false;
    quantity->unit = unit_of(&quantity->first);
    skip_blanks(p);
    if (*p->at == '\0') return true;
    if (*p->at != '-' && *p->at != '/') return wrong_here(p, "'-', '/' or the end");
    quantity->operation = *p->at++;
    const size_t second = here(p);
    if (!read_call(p, &quantity->second)) return false;
    const bool agree = units_agree(quantity, unit_of(&quantity->second));
    if (quantity->operation == '/') quantity->unit = agree ? "1" : NULL;
    else if (!agree) {
        p->wrong = second;
        ic_error_set(p->error, "the two quantities have different units");
        return false;
    }
    skip_blanks(p);
    return *p->at == '\0' || wrong_here(p, "the end");
}

bool ic_quantity_parse(ic_quantity *quantity, const char *text, size_t *offset, ic_error *error)
{
    parser p = {.text = text, .at = text, .error = error};
    *quantity = (ic_quantity){0};
    const bool good = read_quantity(&p, quantity);
    *offset = p.wrong;
    return good;
}

/* ---- measuring */

static bool measure_call(double *value, const ic_call *call, ic_laboratory *laboratory, ic_error *error)
{
    ic_bench b = {.laboratory = laboratory, .call = call, .error = error};
    b.subject = ic_laboratory_subject(laboratory, call->arguments[0], error);
    return b.subject != NULL && measures[call->measure].value(value, &b);
}

bool ic_quantity_locate(ic_measured *measured, const ic_quantity *quantity, ic_laboratory *laboratory,
                        ic_error *error)
{
    const ic_subject *subject = ic_laboratory_subject(laboratory, quantity->first.arguments[0], error);
    if (subject == NULL) return false;
    *measured = (ic_measured){NAN, subject->solver->name, subject->setup.problem.system, subject->setup.preset};
    return true;
}

bool ic_quantity_measure(ic_measured *measured, const ic_quantity *quantity, ic_laboratory *laboratory,
                         ic_error *error)
{
    double second = NAN;
    if (!ic_quantity_locate(measured, quantity, laboratory, error)) return false;
    if (!measure_call(&measured->value, &quantity->first, laboratory, error)) return false;
    if (quantity->operation == '\0') return true;
    if (!measure_call(&second, &quantity->second, laboratory, error)) return false;
    measured->value = quantity->operation == '/' ? measured->value / second : measured->value - second;
    return true;
}
