/* SPDX-License-Identifier: MIT */
#include "sweep/batch/lane_forms.h"
#include "core/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the texts of a variant */

static void add_text(ic_batch_forms *f, const char *text, ic_batch_pair *row)
{
    if (text != NULL) f->texts[f->n_texts++] = (ic_batch_form_text){text, row};
}

static void add_jump(ic_batch_forms *f, const ic_jump *jump, ic_batch_mode_forms *forms, size_t guard)
{
    for (size_t b = 0; b < jump->n_branches; b++) {
        const ic_branch *branch = &jump->branches[b];
        add_text(f, branch->condition, forms->branch_conditions[guard][b]);
        for (int k = 0; k < f->shape->n_states && branch->state != NULL; k++)
            add_text(f, branch->state[k], forms->branch_states[guard][b][k]);
    }
}

static void add_mode(ic_batch_forms *f, const ic_mode *mode, ic_batch_mode_forms *forms)
{
    for (int i = 0; i < f->shape->n_states; i++) add_text(f, mode->linear[i], forms->flow[i]);
    for (size_t i = 0; i < mode->n_guards; i++) {
        add_text(f, mode->guards[i].linear, forms->guards[i]);
        if (mode->guards[i].enabled != NULL) add_text(f, mode->guards[i].linear_enabled, forms->conditions[i]);
        add_jump(f, &mode->guards[i].jump, forms, i);
    }
}

static bool same_flow(const ic_mode *a, const ic_mode *b, int n)
{
    for (int i = 0; i < n; i++) {
        if (strcmp(a->linear[i], b->linear[i]) != 0) return false;
    }
    return true;
}

ic_batch_forms *ic_batch_forms_new(const ic_batch_shape *shape, const ic_variant *variant)
{
    ic_batch_forms *f = calloc(1, sizeof *f);
    if (f == NULL) return NULL;
    f->shape = shape;
    for (int k = 0; k < shape->n_modes; k++) {
        if (shape->modes[k].terminal) continue;
        add_mode(f, &variant->modes[k], &f->modes[k]);
        while (shape->modes[f->flow_of[k]].terminal ||
               !same_flow(&variant->modes[f->flow_of[k]], &variant->modes[k], shape->n_states))
            f->flow_of[k]++;
    }
    return f;
}

/* ---- numbers from compiled texts */

/* The columns of z that the coefficients of a form belong to, in the order of ic_form; -1: none. */
static int column_of(const ic_batch_shape *shape, int coefficient)
{
    enum { CONSTANT, TIME, COSINE, SINE, FREQUENCY, STATES };
    switch (coefficient) {
    case CONSTANT: return shape->n;
    case COSINE: return shape->n + 1;
    case SINE: return shape->n + 2;
    case TIME:
    case FREQUENCY: return -1;
    default: return coefficient - STATES;
    }
}

/* Whether the frequency of a form is that of all forms before it. */
static bool take_frequency(ic_batch_forms *f, const ic_code *code, const int *terms)
{
    enum { COSINE = 2, SINE = 3, FREQUENCY = 4 };
    if (ic_code_is_zero(code, terms[COSINE]) && ic_code_is_zero(code, terms[SINE])) return true;
    if (f->frequency_term < 0) f->frequency_term = terms[FREQUENCY];
    return f->frequency_term == terms[FREQUENCY];
}

static bool take_compiled_text(ic_batch_forms *f, const ic_batch_form_text *text)
{
    const ic_compiled_case *compiled = f->compiled;
    const int *terms = ic_compiled_case_find(compiled, text->text);
    if (terms == NULL || !take_frequency(f, &compiled->code, terms)) return false;
    for (int i = 0; i < (int)IC_FORM_COEFFICIENTS(compiled->n_states); i++) {
        const int column = column_of(f->shape, i);
        if (column < 0) continue;
        const ic_code_term *term = &compiled->code.terms[terms[i]];
        if (term->slot >= 0) f->varying[f->n_varying++] = (ic_batch_varying){&text->row[column], terms[i]};
        for (int l = 0; l < IC_BATCH_PAIR; l++) text->row[column][l] = term->number;
    }
    return true;
}

/* Finds the modes whose coefficients are those of all sets of the same period. */
static void find_varying_modes(ic_batch_forms *f)
{
    const ic_code *code = &f->compiled->code;
    const bool all = !f->is_compiled || (f->frequency_term >= 0 && code->terms[f->frequency_term].slot >= 0);
    bool own[IC_BATCH_MODES] = {false};
    for (int k = 0; k < f->shape->n_modes; k++) {
        const char *begin = (const char *)&f->modes[k], *end = (const char *)(&f->modes[k] + 1);
        for (int i = 0; i < f->n_varying && !own[k]; i++) {
            const char *number = (const char *)f->varying[i].number;
            own[k] = number >= begin && number < end;
        }
        f->kept_period[k] = 0;
    }
    for (int k = 0; k < f->shape->n_modes; k++) {
        f->varies[k] = all;
        for (int i = 0; i < f->shape->n_modes; i++)
            f->varies[k] = f->varies[k] || (own[i] && f->flow_of[i] == f->flow_of[k]);
    }
}

/* Takes the numbers that do not vary, for both lanes. */
static void take_compiled(ic_batch_forms *f, const ic_compiled_case *compiled)
{
    f->compiled = compiled;
    f->frequency_term = -1;
    f->n_varying = 0;
    f->is_compiled = true;
    for (int i = 0; i < f->n_texts && f->is_compiled; i++) f->is_compiled = take_compiled_text(f, &f->texts[i]);
    for (int l = 0; l < IC_BATCH_PAIR; l++) f->settled[l] = f->is_compiled;
    find_varying_modes(f);
}

static void read_compiled(ic_batch_forms *f, const struct ic_given *given, int lane)
{
    const ic_code *code = &given->compiled->code;
    for (int i = 0; i < f->n_varying; i++)
        (*f->varying[i].number)[lane] = ic_code_value(code, given->values, f->varying[i].term);
    f->frequency[lane] = f->frequency_term < 0 ? 0 : ic_code_value(code, given->values, f->frequency_term);
}

/* ---- numbers from texts */

static bool read_text(ic_batch_forms *f, const ic_batch_form_text *text, const ic_problem *problem, int lane)
{
    const ic_names names = {.system = problem->system, .par = problem->par, .states = true, .time = true};
    const int n = f->shape->n;
    ic_form form;
    if (!ic_expression(&form, text->text, &names, NULL)) return false;
    for (int j = 0; j < f->shape->n_states; j++) text->row[j][lane] = form.state[j];
    text->row[n][lane] = form.constant;
    text->row[n + 1][lane] = form.cosine;
    text->row[n + 2][lane] = form.sine;
    if (form.cosine == 0 && form.sine == 0) return true;
    if (f->frequency[lane] == 0) f->frequency[lane] = form.frequency;
    return f->frequency[lane] == form.frequency;
}

static bool read_texts(ic_batch_forms *f, const ic_problem *problem, int lane)
{
    bool good = true;
    f->settled[lane] = false;
    f->frequency[lane] = 0;
    for (int i = 0; i < f->n_texts && good; i++) good = read_text(f, &f->texts[i], problem, lane);
    return good;
}

bool ic_batch_forms_read(ic_batch_forms *f, const ic_problem *problem, int lane)
{
    /* those of a single problem are not code in what is varied */
    const struct ic_given *given =
        problem->given != NULL && problem->given->par == NULL ? problem->given : NULL;
    double scale[IC_MAX_STATES];
    ic_state_scales(problem, scale);
    for (int i = 0; i < f->shape->n; i++) {
        int exponent = 0;
        if (i < f->shape->n_states) frexp(scale[i], &exponent);
        f->scale[i][lane] = ldexp(1, exponent);
        f->inverse_scale[i][lane] = ldexp(1, -exponent);
    }
    if (given != NULL && (f->compiled != given->compiled || (f->is_compiled && !f->settled[lane])))
        take_compiled(f, given->compiled);
    if (given == NULL || !f->is_compiled) return read_texts(f, problem, lane);
    read_compiled(f, given, lane);
    return true;
}
