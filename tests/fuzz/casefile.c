/* SPDX-License-Identifier: MIT */
/*
 * Input: a case file. A refusal names line and column. The functions of an accepted case can be
 * called, each jump takes one of its branches, and read again the case has the same texts and the
 * same numbers.
 */
#include "casefile/casefile.h"

#include "core/model.h"
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

static const char file[] = "case.yaml";
static const char same_case[] = "read again it is the same case";

/* What a case is, as one number: texts, and values of functions. */
typedef struct summary {
    uint64_t hash;
    const char *broken;
    bool no_memory;
} summary;

static void add_bytes(summary *s, const void *bytes, size_t size)
{
    const unsigned char *at = bytes;
    /* FNV-1a */
    for (size_t i = 0; i < size; i++) s->hash = (s->hash ^ at[i]) * UINT64_C(0x100000001b3);
}

static void add_text(summary *s, const char *text)
{
    if (text != NULL) add_bytes(s, text, strlen(text) + 1);
}

static void add_value(summary *s, double value)
{
    const double one_nan = isnan(value) ? NAN : value; /* whose sign and payload mean nothing */
    add_bytes(s, &one_nan, sizeof one_nan);
}

static void add_texts(summary *s, const char *const *texts, size_t n)
{
    for (size_t i = 0; texts != NULL && i < n; i++) add_text(s, texts[i]);
}

static void add_state(summary *s, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++) add_value(s, x[i]);
}

/* A point at which functions are called. */
typedef struct point {
    const ic_problem *problem;
    size_t n;
    double t, x[IC_MAX_STATES];
} point;

typedef double state_function(double t, const double *x, const double *par);

static void call_value(summary *s, const point *at, state_function *value, const char *text)
{
    if (value != NULL) add_value(s, value(at->t, at->x, at->problem->par));
    add_text(s, text);
}

static void call_jump(summary *s, const point *at, const double *before, const ic_jump *jump)
{
    double after[IC_MAX_STATES] = {0};
    if (jump->apply == NULL) return;
    const int branch = jump->apply(after, at->t, before, at->problem->par);
    if (branch < 0 || (size_t)branch >= jump->n_branches) s->broken = "a jump takes one of its branches";
    add_state(s, after, at->n);
    for (size_t i = 0; i < jump->n_branches; i++) {
        add_text(s, jump->branches[i].condition);
        add_texts(s, jump->branches[i].state, at->n);
    }
}

static void call_guard(summary *s, const point *at, const ic_guard *guard)
{
    add_text(s, guard->name);
    call_value(s, at, guard->value, guard->linear);
    call_value(s, at, guard->rate, NULL);
    call_value(s, at, guard->enabled, guard->linear_enabled);
    call_jump(s, at, at->x, &guard->jump);
    call_jump(s, at, at->x, &guard->accumulation);
}

static void call_mode(summary *s, const point *at, const ic_mode *mode)
{
    double rates[IC_MAX_STATES] = {0};
    add_text(s, mode->name);
    add_texts(s, mode->linear, at->n);
    mode->flow(rates, at->t, at->x, at->problem->par);
    add_state(s, rates, at->n);
    for (size_t i = 0; i < mode->n_guards; i++) call_guard(s, at, &mode->guards[i]);
    for (size_t i = 0; i < mode->n_invariants; i++)
        call_value(s, at, mode->invariants[i].value, mode->invariants[i].linear);
    call_value(s, at, mode->stored_energy, NULL);
    call_value(s, at, mode->supplied_power, NULL);
    call_value(s, at, mode->dissipated_power, NULL);
}

typedef double output_function(double t, const double *x, int mode, const double *par);

static void call_output(summary *s, const point *at, output_function *value, const char *const *linear)
{
    const size_t n_modes = at->problem->variant->n_modes;
    for (size_t mode = 0; mode < n_modes; mode++)
        add_value(s, value(at->t, at->x, (int)mode, at->problem->par));
    add_texts(s, linear, n_modes);
}

static void call_variant(summary *s, const ic_problem *problem)
{
    const ic_case *system = problem->system;
    const ic_variant *v = problem->variant;
    point at = {.problem = problem, .n = system->n_states, .t = 0.1};
    call_jump(s, &at, NULL, &v->start);
    v->start.apply(at.x, 0, NULL, problem->par);
    for (size_t i = 0; i < v->n_modes; i++) call_mode(s, &at, &v->modes[i]);
    for (size_t i = 0; i < system->n_outputs; i++)
        call_output(s, &at, system->outputs[i].value, system->outputs[i].linear);
    for (size_t i = 0; i < v->n_output_values; i++)
        call_output(s, &at, v->output_values[i].value, v->output_values[i].linear);
    for (size_t i = 0; i < v->n_time_events; i++) {
        add_value(s, v->time_events[i].when(1, problem->par));
        call_jump(s, &at, at.x, &v->time_events[i].jump);
    }
}

/* Parameters of a variant may be ones that its requirements refuse: then nothing is called. */
static void call_case(summary *s, const ic_case *system)
{
    for (size_t i = 0; i < system->n_variants && s->broken == NULL; i++) {
        ic_setup setup;
        ic_error error = {""};
        const ic_request request = {.variant = system->variants[i].name};
        if (ic_setup_open_case(&setup, system, &request, &error)) {
            call_variant(s, &setup.problem);
            ic_setup_close(&setup);
        } else if (error.text[0] == '\0') {
            s->broken = "a refusal says why";
        } else {
            s->no_memory = s->no_memory || ic_input_no_memory(&error);
        }
    }
}

static summary summarise_case(const ic_case *system)
{
    summary s = {.hash = UINT64_C(0xcbf29ce484222325)};
    for (size_t i = 0; i < system->n_states; i++) {
        add_text(&s, system->states[i].name);
        add_text(&s, system->states[i].scale);
    }
    for (size_t i = 0; i < system->n_parameters; i++) add_text(&s, system->parameters[i].name);
    add_text(&s, system->time_scale);
    add_text(&s, system->period);
    call_case(&s, system);
    return s;
}

/* Whether the case is accepted; else `broken` is a promise that the refusal breaks, or NULL. */
static bool read_once(summary *s, ic_fuzz_casefile_reader *read, const uint8_t *data, size_t size,
                      const char **broken)
{
    ic_error error = {""};
    ic_casefile *casefile = read(file, (const char *)data, size, NULL, 0, &error);
    *broken = NULL;
    if (casefile == NULL) {
        if (ic_input_no_memory(&error)) return false;
        *broken = ic_input_has_place(&error, file) ? same_case : "a refusal says where";
        return false;
    }
    *s = summarise_case(ic_casefile_case(casefile));
    *broken = s->broken;
    ic_casefile_free(casefile);
    return true;
}

const char *ic_fuzz_casefile_by(ic_fuzz_casefile_reader *read, const uint8_t *data, size_t size)
{
    const char *broken = NULL;
    summary first = {0}, again = {0};
    if (!read_once(&first, read, data, size, &broken))
        return broken == same_case ? NULL : broken; /* there is nothing to compare it with */
    if (broken == NULL && read_once(&again, read, data, size, &broken) && broken == NULL && !first.no_memory &&
        !again.no_memory && first.hash != again.hash)
        broken = same_case;
    return broken;
}
