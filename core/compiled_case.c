/* SPDX-License-Identifier: MIT */
#include "core/compiled_case.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_CAPACITY = 64 };

/* ---- the table of texts */

/* The place of a text in the table, or the empty place where it belongs. */
static ic_compiled_text *place_of(const ic_compiled_case *c, const char *text)
{
    /* addresses differ in their low bits; Fibonacci hashing spreads them over the high ones */
    size_t i = (size_t)(((uint64_t)(uintptr_t)text * 0x9E3779B97F4A7C15u) >> 32);
    for (;; i++) {
        ic_compiled_text *at = &c->texts[i & (c->capacity - 1)];
        if (at->text == text || at->text == NULL) return at;
    }
}

const int *ic_compiled_case_find(const ic_compiled_case *compiled, const char *text)
{
    return place_of(compiled, text)->terms;
}

/* Notes that memory has run out. */
static bool out_of_memory(ic_compiled_case *c)
{
    c->code.failed = true;
    return false;
}

/* Provides room for one more text in the table, which is at most half full. false: memory ran out. */
static bool reserve_text(ic_compiled_case *c)
{
    const size_t n = c->capacity, capacity = n == 0 ? FIRST_CAPACITY : 2 * n;
    ic_compiled_text *old = c->texts;
    if (2 * (c->n_texts + 1) <= n) return true;
    ic_compiled_text *larger = calloc(capacity, sizeof *larger);
    if (larger == NULL) return out_of_memory(c);
    c->texts = larger;
    c->capacity = capacity;
    for (size_t i = 0; i < n; i++) {
        if (old[i].text != NULL) *place_of(c, old[i].text) = old[i];
    }
    free(old);
    return true;
}

/*
 * Whether a text may mean one thing in a requirement and another in a guard, which the table cannot tell apart if both are
 * one string: a parameter in it has the name of a state.
 */
static bool is_ambiguous(const ic_case *system, const char *text)
{
    for (size_t i = 0; i < system->n_states; i++) {
        for (size_t k = 0; k < system->n_parameters && strstr(text, system->states[i].name) != NULL; k++) {
            if (strcmp(system->states[i].name, system->parameters[k].name) == 0) return true;
        }
    }
    return false;
}

/* A text that means something else elsewhere is not in the table. false: memory ran out. */
static bool record_text(ic_compiled_case *c, const ic_names *names, const char *text)
{
    if (text == NULL) return true;
    if (!reserve_text(c)) return false;
    ic_compiled_text *at = place_of(c, text);
    if (at->text != NULL && at->states != names->states && is_ambiguous(names->system, text)) {
        free(at->terms);
        at->terms = NULL;
    }
    if (at->text != NULL) return true;
    int *terms = calloc(IC_FORM_COEFFICIENTS(c->n_states), sizeof *terms);
    if (terms == NULL) return out_of_memory(c);
    if (ic_expression_record(terms, text, names, NULL)) {
        *at = (ic_compiled_text){text, terms, names->states};
        c->n_texts++;
    } else {
        free(terms);
    }
    return !c->code.failed;
}

/* ---- parameters */

static int term_of_parameter(ic_compiled_case *c, const ic_names *names, const ic_problem *problem, size_t i,
                             int input)
{
    const char *text = problem->par_text[i], *standard = problem->system->parameters[i].value;
    if (input >= 0) return ic_code_input(&c->code, input, problem->par[i]);
    if (strcmp(text, standard) != 0) return ic_code_number(&c->code, problem->par[i]);
    int terms[IC_FORM_COEFFICIENTS(IC_MAX_STATES)];
    return ic_expression_record(terms, text, names, NULL) ? terms[0] : -1;
}

static bool record_parameters(ic_compiled_case *c, const ic_problem *problem, const size_t *varied,
                              size_t n_varied)
{
    ic_case system = *problem->system;
    const ic_names names = {
        .system = &system, .par = problem->par, .code = &c->code, .par_terms = c->parameters};
    for (size_t i = 0; i < c->n_parameters; i++) {
        int input = -1;
        for (size_t k = 0; k < n_varied; k++) {
            if (varied[k] == i) input = (int)k;
        }
        system.n_parameters = i; /* a default may name earlier ones only */
        c->parameters[i] = term_of_parameter(c, &names, problem, i, input);
        if (c->parameters[i] < 0 || c->code.failed) return false;
    }
    return true;
}

/* ---- all texts */

static bool record_jump(ic_compiled_case *c, const ic_names *names, const ic_jump *jump)
{
    bool good = true;
    for (size_t b = 0; b < jump->n_branches && good && jump->linear; b++) {
        const ic_branch *branch = &jump->branches[b];
        good = record_text(c, names, branch->condition);
        for (size_t k = 0; k < c->n_states && good && branch->state != NULL; k++)
            good = record_text(c, names, branch->state[k]);
    }
    return good;
}

static bool record_mode(ic_compiled_case *c, const ic_names *names, const ic_mode *mode)
{
    bool good = true;
    for (size_t i = 0; i < c->n_states && good && mode->linear != NULL; i++)
        good = record_text(c, names, mode->linear[i]);
    for (size_t i = 0; i < mode->n_guards && good; i++) {
        const ic_guard *guard = &mode->guards[i];
        good = record_text(c, names, guard->linear) && record_text(c, names, guard->linear_enabled) &&
               record_jump(c, names, &guard->jump);
    }
    return good;
}

static bool record_numbers(ic_compiled_case *c, const ic_problem *problem)
{
    const ic_case *system = problem->system;
    const ic_names names = {
        .system = system, .par = problem->par, .code = &c->code, .par_terms = c->parameters};
    bool good = record_text(c, &names, problem->variant->time_scale) &&
                record_text(c, &names, system->time_scale) && record_text(c, &names, system->period) &&
                record_text(c, &names, problem->t_end_text);
    for (size_t i = 0; i < system->n_states && good; i++)
        good = record_text(c, &names, system->states[i].scale);
    for (size_t i = 0; i < system->n_requirements && good; i++)
        good = record_text(c, &names, system->requirements[i].positive);
    return good;
}

bool ic_compiled_case_open(ic_compiled_case *compiled, const ic_problem *problem, const size_t *varied,
                           size_t n_varied)
{
    const ic_case *system = problem->system;
    *compiled = (ic_compiled_case){.n_states = system->n_states, .n_parameters = system->n_parameters};
    compiled->parameters = calloc(system->n_parameters + 1, sizeof *compiled->parameters);
    if (compiled->parameters == NULL) return out_of_memory(compiled);
    if (!reserve_text(compiled)) return false;
    const ic_names names = {.system = system,
                            .par = problem->par,
                            .states = true,
                            .time = true,
                            .code = &compiled->code,
                            .par_terms = compiled->parameters};
    bool good = record_parameters(compiled, problem, varied, n_varied) && record_numbers(compiled, problem);
    for (size_t k = 0; k < problem->variant->n_modes && good; k++)
        good = record_mode(compiled, &names, &problem->variant->modes[k]);
    return good;
}

void ic_compiled_case_close(ic_compiled_case *compiled)
{
    for (size_t i = 0; i < compiled->capacity; i++) free(compiled->texts[i].terms);
    free(compiled->texts);
    free(compiled->parameters);
    ic_code_close(&compiled->code);
    *compiled = (ic_compiled_case){0};
}

/* ---- forms of a set */

/* Forms that own what they refer to. */
typedef struct own_forms {
    struct ic_given given;
    ic_compiled_case compiled;
    ic_kept *_Atomic kept;
    double par[];
} own_forms;

bool ic_given_new(struct ic_given **given, const ic_problem *problem)
{
    const size_t bytes = problem->system->n_parameters * sizeof *problem->par;
    own_forms *own = calloc(1, sizeof *own + bytes);
    *given = NULL;
    if (own == NULL) return false;
    if (!ic_compiled_case_open(&own->compiled, problem, NULL, 0)) {
        const bool no_memory = own->compiled.code.failed;
        ic_given_free(&own->given);
        return !no_memory;
    }
    memcpy(own->par, problem->par, bytes);
    own->given = (struct ic_given){.compiled = &own->compiled, .par = own->par, .kept = &own->kept};
    *given = &own->given;
    return true;
}

void ic_given_free(struct ic_given *given)
{
    if (given == NULL) return;
    own_forms *own = (own_forms *)given; /* its first member */
    ic_kept *kept = own->kept;
    if (kept != NULL) kept->close(kept);
    ic_compiled_case_close(&own->compiled);
    free(own);
}

/* Whether forms are for the parameters `par`. */
static bool is_for(const ic_given *given, const double *par)
{
    if (given->par == NULL) return true;
    return par != NULL && memcmp(par, given->par, given->compiled->n_parameters * sizeof *par) == 0;
}

ic_kept *ic_given_take(const ic_problem *problem, const void *owner)
{
    const ic_given *given = problem->given;
    if (given == NULL || given->kept == NULL || !is_for(given, problem->par)) return NULL;
    ic_kept *kept = atomic_exchange(given->kept, NULL);
    if (kept == NULL || (kept->owner == owner && kept->variant == problem->variant)) return kept;
    kept->close(kept);
    return NULL;
}

void ic_given_keep(const ic_problem *problem, ic_kept *kept)
{
    const ic_given *given = problem->given;
    if (given != NULL && given->kept != NULL && is_for(given, problem->par))
        kept = atomic_exchange(given->kept, kept);
    if (kept != NULL) kept->close(kept);
}

/* The terms of a text, for these parameters; NULL: it is not among the given ones. */
static const int *given_terms(const ic_given *given, const double *par, const char *text)
{
    return is_for(given, par) ? ic_compiled_case_find(given->compiled, text) : NULL;
}

bool ic_given_number(const ic_given *given, const double *par, const char *text, double *value)
{
    const int *terms = given_terms(given, par, text);
    if (terms != NULL) *value = ic_code_value(&given->compiled->code, given->values, terms[0]);
    return terms != NULL;
}

bool ic_given_form(const ic_given *given, const double *par, const char *text, ic_form *form)
{
    const ic_compiled_case *c = given->compiled;
    const int *terms = given_terms(given, par, text);
    double *const head[] = {&form->constant, &form->time, &form->cosine, &form->sine, &form->frequency};
    if (terms == NULL) return false;
    for (size_t i = 0; i < IC_COUNT(head); i++) *head[i] = ic_code_value(&c->code, given->values, terms[i]);
    for (size_t i = 0; i < c->n_states; i++)
        form->state[i] = ic_code_value(&c->code, given->values, terms[IC_COUNT(head) + i]);
    if (form->cosine == 0 && form->sine == 0) form->frequency = 0;
    return true;
}
