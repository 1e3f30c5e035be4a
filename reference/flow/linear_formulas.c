/* SPDX-License-Identifier: MIT */
#include "reference/flow/linear_formulas.h"

#include "reference/grammar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values of the reader are numbers of operations: this precision is that of numbers which only have to be finite. */
enum { BITS = 64 };

/* The energies of a mode, which stand between the conditions of its guards and the outputs. */
enum { ENERGIES = 3 };

/* Formulas that are being made. */
typedef struct writer {
    ic_linear_formulas *formulas;
    ic_equations *equations;
    ic_equation_term *terms;
    const char **texts;
    int *results;
    size_t capacity, result_capacity;

    /* whether states may occur */
    bool states;

    /* memory ran out */
    bool failed;
} writer;

/* ---- operations */

static int add_term(writer *w, ic_operation operation, int a, int b)
{
    ic_equations *e = w->equations;
    if (e->n_terms == w->capacity) {
        const size_t capacity = 2 * w->capacity + 32;
        ic_equation_term *terms = realloc(w->terms, capacity * sizeof *terms);
        if (terms != NULL) e->terms = w->terms = terms;
        const char **texts = realloc(w->texts, capacity * sizeof *texts);
        if (texts != NULL) e->texts = w->texts = texts;
        if (terms == NULL || texts == NULL) {
            w->failed = true;
            return 0;
        }
        w->capacity = capacity;
    }
    w->terms[e->n_terms] = (ic_equation_term){operation, a, b, -1, 0};
    w->texts[e->n_terms] = NULL;
    return (int)e->n_terms++;
}

static int add_integer(writer *w, double number)
{
    const int term = add_term(w, IC_OP_NUMBER, -1, -1);
    if (!w->failed) w->terms[term].number = number;
    return term;
}

static void add_result(writer *w, int term)
{
    ic_equations *e = w->equations;
    if (e->n_results == w->result_capacity) {
        const size_t capacity = 2 * w->result_capacity + 32;
        int *results = realloc(w->results, capacity * sizeof *results);
        if (results == NULL) {
            w->failed = true;
            return;
        }
        e->results = w->results = results;
        w->result_capacity = capacity;
    }
    w->results[e->n_results++] = term;
}

/* ---- the arithmetic of the reader */

static writer *writer_of(const ic_reader *r)
{
    return *(writer *const *)r->context;
}

static int term_of(arb_srcptr f)
{
    return (int)arf_get_si(arb_midref(f), ARF_RND_NEAR);
}

static bool write_operation(const ic_reader *r, arb_ptr f, ic_operation operation, int a, int b)
{
    arb_set_si(f, add_term(writer_of(r), operation, a, b));
    return true;
}

static void write_number(const ic_reader *r, arb_ptr f, const arb_t value, const char *text)
{
    writer *w = writer_of(r);
    const double number = arf_get_d(arb_midref(value), ARF_RND_NEAR);
    const int term = add_integer(w, number);
    const bool plain = arb_is_exact(value) && fabs(number) < 1e6 && number == trunc(number);
    if (!plain && !w->failed) {
        w->texts[term] = strdup(text);
        w->failed = w->texts[term] == NULL;
    }
    arb_set_si(f, term);
}

static bool look_up_name(const ic_reader *r, const char *name, arb_ptr f)
{
    const ic_case *system = writer_of(r)->formulas->problem.system;
    if (strcmp(name, "pi") == 0) return write_operation(r, f, IC_OP_PI, -1, -1);
    for (size_t i = 0; i < system->n_states && writer_of(r)->states; i++) {
        if (strcmp(name, system->states[i].name) == 0) return write_operation(r, f, IC_OP_STATE, (int)i, -1);
    }
    if (strcmp(name, "t") == 0) return write_operation(r, f, IC_OP_TIME, -1, -1);
    for (size_t i = 0; i < system->n_parameters; i++) {
        if (strcmp(name, system->parameters[i].name) == 0)
            return write_operation(r, f, IC_OP_PARAMETER, (int)i, -1);
    }
    return false;
}

static void write_negation(const ic_reader *r, arb_ptr f)
{
    write_operation(r, f, IC_OP_NEGATE, term_of(f), -1);
}

static bool write_sum(const ic_reader *r, arb_ptr f, arb_ptr g, int sign)
{
    return write_operation(r, f, sign > 0 ? IC_OP_ADD : IC_OP_SUBTRACT, term_of(f), term_of(g));
}

static bool write_product(const ic_reader *r, arb_ptr f, arb_ptr g)
{
    return write_operation(r, f, IC_OP_MULTIPLY, term_of(f), term_of(g));
}

static bool write_quotient(const ic_reader *r, arb_ptr f, arb_srcptr g)
{
    return write_operation(r, f, IC_OP_DIVIDE, term_of(f), term_of(g));
}

static bool write_power(const ic_reader *r, arb_ptr f, ulong exponent)
{
    return write_operation(r, f, IC_OP_POWER, term_of(f), add_integer(writer_of(r), (double)exponent));
}

static bool write_inverse(const ic_reader *r, arb_ptr f)
{
    return write_operation(r, f, IC_OP_DIVIDE, add_integer(writer_of(r), 1), term_of(f));
}

static bool write_function(const ic_reader *r, const char *name, arb_ptr f, int second)
{
    static const char *const words[] = {
#define OPERATION_WORD(name, operands, word) [IC_OP_##name] = (word),
        IC_OPERATION_TABLE(OPERATION_WORD)
#undef OPERATION_WORD
    };
    for (size_t i = 0; i < IC_COUNT(words); i++) {
        if (strcmp(words[i], name) == 0) return write_operation(r, f, (ic_operation)i, term_of(f), second);
    }
    return ic_complain(r, "an unknown function");
}

static bool write_unary(const ic_reader *r, const char *name, arb_ptr f)
{
    return write_function(r, name, f, -1);
}

static bool write_binary(const ic_reader *r, const char *name, arb_ptr f, arb_ptr g)
{
    return write_function(r, name, f, term_of(g));
}

static const ic_arithmetic operations = {.constant = write_number,
                                         .negate = write_negation,
                                         .look_up = look_up_name,
                                         .add = write_sum,
                                         .multiply = write_product,
                                         .divide = write_quotient,
                                         .power = write_power,
                                         .invert = write_inverse,
                                         .apply = write_unary,
                                         .apply_two = write_binary};

/* ---- texts */

/* Reads a text of a given length as an operation. */
static bool read_part(writer *w, const char *text, size_t length, int *term)
{
    bool good = false;
    char *part = strndup(text, length);
    IC_BALLS(value);
    if (part == NULL) {
        w->failed = true;
    } else {
        ic_reader r = {.text = part,
                       .here = part,
                       .arithmetic = &operations,
                       .context = &w,
                       .length = 1,
                       .prec = BITS,
                       .message = w->formulas->message,
                       .size = sizeof w->formulas->message};
        good = ic_read(&r, value) && !w->failed;
        *term = term_of(value);
    }
    free(part);
    return good;
}

static bool write_text(writer *w, const char *text)
{
    int term = -1;
    if (!read_part(w, text, strlen(text), &term)) return false;
    add_result(w, term);
    return !w->failed;
}

/* Conditions joined by " and " are positive if the least of them is. NULL: none. */
static bool write_condition(writer *w, const char *text)
{
    static const char word[] = " and ";
    int all = -1;
    while (text != NULL) {
        const char *end = strstr(text, word);
        int term = -1;
        if (!read_part(w, text, end == NULL ? strlen(text) : (size_t)(end - text), &term)) return false;
        all = all < 0 ? term : add_term(w, IC_OP_MIN, all, term);
        text = end == NULL ? NULL : end + strlen(word);
    }
    add_result(w, all);
    return !w->failed;
}

/* ---- the parts of a problem */

/* Begins formulas, which are kept until the end. */
static bool begin(writer *w, ic_linear_formulas *f)
{
    *w = (writer){.formulas = f, .states = true};
    ic_equations **made = realloc(f->made, (f->n_made + 1) * sizeof(void *));
    if (made == NULL) return false;
    f->made = made;
    w->equations = calloc(1, sizeof *w->equations);
    if (w->equations == NULL) return false;
    f->made[f->n_made++] = w->equations;
    return true;
}

static bool write_jump(ic_linear_formulas *f, ic_jump *jump, bool from_states)
{
    writer w;
    const size_t n = f->problem.system->n_states;
    if (jump->equations != NULL || !jump->linear) return true;
    if (!begin(&w, f)) return false;
    w.states = from_states;
    for (size_t b = 0; b < jump->n_branches; b++) {
        const ic_branch *branch = &jump->branches[b];
        if (!write_condition(&w, branch->condition)) return false;
        for (size_t v = 0; v < n; v++) {
            if (branch->state != NULL && !write_text(&w, branch->state[v])) return false;
            if (branch->state == NULL) add_result(&w, add_term(&w, IC_OP_STATE, (int)v, -1));
        }
    }
    jump->equations = w.equations;
    return !w.failed;
}

static bool has_texts(const ic_mode *mode)
{
    bool texts = mode->linear != NULL;
    for (size_t i = 0; i < mode->n_guards && texts; i++) texts = mode->guards[i].linear != NULL;
    return texts;
}

static bool conditions_have_texts(const ic_mode *mode)
{
    bool texts = true;
    for (size_t i = 0; i < mode->n_guards && texts; i++)
        texts = mode->guards[i].enabled == NULL || mode->guards[i].linear_enabled != NULL;
    return texts;
}

static bool write_flow(ic_linear_formulas *f, ic_mode *mode)
{
    writer w;
    if (!begin(&w, f)) return false;
    for (size_t v = 0; v < f->problem.system->n_states; v++) {
        if (!write_text(&w, mode->linear[v])) return false;
    }
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (!write_text(&w, mode->guards[i].linear)) return false;
    }
    mode->equations = w.equations;
    return !w.failed;
}

/* Conditions of guards, and outputs. */
static bool write_quantities(ic_linear_formulas *f, ic_mode *mode, size_t number)
{
    writer w;
    const ic_case *system = f->problem.system;
    if (!begin(&w, f)) return false;
    for (size_t i = 0; i < mode->n_guards; i++) {
        if (!write_condition(&w, mode->guards[i].linear_enabled)) return false;
    }
    for (int i = 0; i < ENERGIES; i++) add_result(&w, -1);
    for (size_t i = 0; i < system->n_outputs; i++) {
        const char *text = system->outputs[i].linear == NULL ? NULL : system->outputs[i].linear[number];
        if (text == NULL) add_result(&w, -1);
        else if (!write_text(&w, text)) return false;
    }
    mode->quantities = w.equations;
    return !w.failed;
}

static bool write_mode(ic_linear_formulas *f, size_t number)
{
    ic_mode *mode = &f->modes[number];
    bool good = true;
    if (mode->quantities == NULL) {
        /* without its conditions a guard would fire where it does not */
        if (conditions_have_texts(mode)) good = write_quantities(f, mode, number);
        else mode->equations = NULL;
    }
    if (good && mode->equations == NULL && mode->quantities != NULL && has_texts(mode))
        good = write_flow(f, mode);
    ic_guard *guards = calloc(mode->n_guards + 1, sizeof *guards);
    if (guards == NULL) return false;
    for (size_t i = 0; i < mode->n_guards; i++) {
        guards[i] = mode->guards[i];
        good = good && write_jump(f, &guards[i].jump, true);
    }
    mode->guards = guards;
    return good;
}

const ic_equations *ic_linear_formulas_read(ic_linear_formulas *f, const char *text)
{
    writer w;
    if (!begin(&w, f)) return NULL;
    w.states = false;
    return write_text(&w, text) ? w.equations : NULL;
}

bool ic_linear_formulas_open(ic_linear_formulas *f, const ic_problem *problem)
{
    const ic_variant *variant = problem->variant;
    *f = (ic_linear_formulas){.problem = *problem, .variant = *variant};
    snprintf(f->message, sizeof f->message, "%s", ic_status_text(IC_NO_MEMORY));
    f->variant.n_modes = 0; /* those whose guards are copies */
    f->modes = calloc(variant->n_modes + 1, sizeof *f->modes);
    f->time_events = calloc(variant->n_time_events + 1, sizeof *f->time_events);
    bool good = f->modes != NULL && f->time_events != NULL && write_jump(f, &f->variant.start, false);
    for (size_t i = 0; i < variant->n_modes && good; i++) {
        f->modes[i] = variant->modes[i];
        good = write_mode(f, i);
        if (f->modes[i].guards != variant->modes[i].guards) f->variant.n_modes = i + 1;
    }
    for (size_t i = 0; i < variant->n_time_events && good; i++) {
        f->time_events[i] = variant->time_events[i];
        good = write_jump(f, &f->time_events[i].jump, true);
    }
    f->variant.modes = f->modes;
    f->variant.time_events = f->time_events;
    f->problem.variant = &f->variant;
    return good;
}

void ic_linear_formulas_close(ic_linear_formulas *f)
{
    for (size_t i = 0; i < f->variant.n_modes && f->modes != NULL; i++) free((void *)f->modes[i].guards);
    for (size_t i = 0; i < f->n_made; i++) {
        ic_equations *e = f->made[i];
        for (size_t k = 0; k < e->n_terms; k++) free((void *)e->texts[k]);
        free((void *)e->terms);
        free((void *)e->texts);
        free((void *)e->results);
        free(e);
    }
    free(f->made);
    free(f->modes);
    free(f->time_events);
    *f = (ic_linear_formulas){0};
}
