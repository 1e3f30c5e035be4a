/* SPDX-License-Identifier: MIT */
/*
 * A copy of a problem without names by which a solver could recognise it. Guards, modes, states and parameters keep
 * their order, since functions, departures and clause 4 of the event contract refer to it. Expressions of the problem
 * (time scale, scales of states, values) become numbers; the texts of a linear view stay, with the symbols in them, for
 * a solver that needs them. Names of guards, which contract and log compare, are the same function of the original.
 */
#include "audit/solver/solver.h"
#include "core/model.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 16, NUMBER = 32 };

typedef struct block {
    struct block *next;
    max_align_t data[];
} block;

struct ic_disguise {
    ic_problem problem;

    const ic_problem *original;

    /* of this run: names are drawn by it */
    uint64_t seed;

    /* texts of the linear view, and the symbols of states and parameters, stay */
    bool keeps_texts;

    /* all that the copy consists of */
    block *blocks;

    bool no_memory;
};

static void *take(ic_disguise *d, size_t n, size_t size)
{
    static max_align_t spare[4096];
    block *b = calloc(1, sizeof *b + n * size + 1);
    if (b == NULL) {
        d->no_memory = true;
        return spare;
    }
    b->next = d->blocks;
    d->blocks = b;
    return b->data;
}

static void *copy(ic_disguise *d, const void *table, size_t n, size_t size)
{
    void *to = take(d, n, size);
    if (table != NULL && !d->no_memory) memcpy(to, table, n * size);
    return to;
}

/* A name that follows from another one and the seed. */
static const char *rename_text(ic_disguise *d, const char *name)
{
    uint64_t mixed = d->seed ^ 0xcbf29ce484222325u; /* FNV-1a */
    char *to = take(d, 1, NAME);
    for (const char *at = name; *at != '\0'; at++) mixed = (mixed ^ (unsigned char)*at) * 0x100000001b3u;
    snprintf(to, NAME, "n%010llx", (unsigned long long)(mixed >> 24));
    return to;
}

static const char *write_number(ic_disguise *d, double value)
{
    char *to = take(d, 1, NUMBER);
    snprintf(to, NUMBER, "%.17g", value);
    return to;
}

static ic_jump disguise_jump(ic_disguise *d, ic_jump jump)
{
    if (d->keeps_texts || jump.branches == NULL) return jump;
    ic_branch *branches = copy(d, jump.branches, jump.n_branches, sizeof *branches);
    for (size_t i = 0; i < jump.n_branches && !d->no_memory; i++)
        branches[i].condition = NULL, branches[i].state = NULL;
    jump.branches = branches;
    jump.linear = false;
    return jump;
}

static void disguise_guard(ic_disguise *d, ic_guard *g)
{
    g->name = rename_text(d, g->name), g->meaning = "";
    if (!d->keeps_texts) g->linear = g->linear_enabled = NULL;
    g->jump = disguise_jump(d, g->jump), g->accumulation = disguise_jump(d, g->accumulation);
}

static void disguise_mode(ic_disguise *d, ic_mode *m)
{
    ic_guard *guards = copy(d, m->guards, m->n_guards, sizeof *guards);
    for (size_t i = 0; i < m->n_guards && !d->no_memory; i++) disguise_guard(d, &guards[i]);
    m->name = rename_text(d, m->name), m->meaning = "", m->guards = guards;
    m->invariants = NULL, m->n_invariants = 0, m->quantities = NULL;
    m->stored_energy = m->supplied_power = m->dissipated_power = NULL;
    if (!d->keeps_texts) m->linear = NULL;
}

static const ic_variant *disguise_variant(ic_disguise *d, const ic_variant *of)
{
    ic_variant *v = copy(d, of, 1, sizeof *v);
    if (d->no_memory) return of;
    ic_mode *modes = copy(d, of->modes, of->n_modes, sizeof *modes);
    ic_time_event *events = copy(d, of->time_events, of->n_time_events, sizeof *events);
    for (size_t i = 0; i < of->n_modes && !d->no_memory; i++) disguise_mode(d, &modes[i]);
    for (size_t i = 0; i < of->n_time_events && !d->no_memory; i++) {
        events[i].name = rename_text(d, events[i].name), events[i].meaning = "";
        if (!d->keeps_texts) events[i].linear = NULL;
        events[i].jump = disguise_jump(d, events[i].jump);
    }
    v->name = rename_text(d, of->name), v->meaning = "", v->modes = modes, v->time_events = events;
    v->start = disguise_jump(d, v->start);
    v->law = NULL, v->output_values = NULL, v->n_output_values = 0, v->free_impact = NULL, v->stops = NULL;
    v->time_scale = NULL;
    return v;
}

static const char *const *disguise_discrete(ic_disguise *d, const char *const *names)
{
    size_t n = 0;
    if (names == NULL || d->keeps_texts) return names;
    while (names[n] != NULL) n++;
    const char **to = take(d, n + 1, sizeof *to);
    for (size_t i = 0; i < n && !d->no_memory; i++) to[i] = rename_text(d, names[i]);
    return to;
}

static const ic_case *disguise_case(ic_disguise *d)
{
    const ic_problem *of = d->original;
    const ic_case *c = of->system;
    double scale[IC_MAX_STATES];
    ic_parameter *parameters = copy(d, c->parameters, c->n_parameters, sizeof *parameters);
    ic_state *states = copy(d, c->states, c->n_states, sizeof *states);
    ic_case *to = take(d, 1, sizeof *to);
    ic_preset *preset = take(d, 1, sizeof *preset);
    if (d->no_memory) return c;
    ic_state_scales(of, scale);
    for (size_t i = 0; i < c->n_parameters && !d->no_memory; i++) {
        if (!d->keeps_texts) parameters[i].name = rename_text(d, c->parameters[i].name);
        parameters[i].meaning = "", parameters[i].value = write_number(d, of->par[i]);
    }
    for (size_t i = 0; i < c->n_states && !d->no_memory; i++) {
        if (!d->keeps_texts) states[i].name = rename_text(d, c->states[i].name);
        states[i].meaning = "", states[i].scale = write_number(d, scale[i]);
    }
    *to = (ic_case){.abi_version = c->abi_version,
                    .struct_size = c->struct_size,
                    .name = rename_text(d, c->name),
                    .title = "",
                    .source = "",
                    .parameters = parameters,
                    .n_parameters = c->n_parameters,
                    .states = states,
                    .n_states = c->n_states,
                    .variants = d->problem.variant,
                    .n_variants = 1,
                    .presets = preset,
                    .n_presets = 1,
                    .time_scale = write_number(d, ic_time_scale(of)),
                    .period = c->period != NULL ? write_number(d, ic_forcing_period(of)) : NULL,
                    .discrete = disguise_discrete(d, c->discrete)};
    *preset = (ic_preset){"preset", d->problem.variant->name, "", write_number(d, of->t_end), ""};
    return to;
}

ic_disguise *ic_disguise_open(const ic_problem *problem, const ic_solver *solver, uint64_t seed)
{
    ic_disguise *d = calloc(1, sizeof *d);
    if (d == NULL) return NULL;
    d->problem = *problem;
    d->original = problem;
    d->seed = seed;
    d->keeps_texts = (solver->needs & IC_NEEDS_LINEAR_VIEW) != 0;
    d->problem.variant = disguise_variant(d, problem->variant);
    d->problem.system = disguise_case(d);
    const char **texts = take(d, problem->system->n_parameters, sizeof *texts);
    for (size_t i = 0; i < problem->system->n_parameters && !d->no_memory; i++)
        texts[i] = d->keeps_texts ? problem->par_text[i] : d->problem.system->parameters[i].value;
    d->problem.par_text = texts;
    if (!d->keeps_texts) d->problem.t_end_text = NULL;
    d->problem.given = NULL;
    if (!d->no_memory) return d;
    ic_disguise_close(d);
    return NULL;
}

const ic_problem *ic_disguise_problem(const ic_disguise *d)
{
    return &d->problem;
}

/* The original of an event's name; a name that the problem does not have stays. */
static const char *original_name(const ic_disguise *d, const ic_event *event)
{
    const ic_variant *seen = d->problem.variant, *own = d->original->variant;
    for (size_t i = 0; event->kind == IC_EVENT_TIME && i < seen->n_time_events; i++)
        if (strcmp(seen->time_events[i].name, event->name) == 0) return own->time_events[i].name;
    for (size_t m = 0; event->kind != IC_EVENT_TIME && m < seen->n_modes; m++) {
        for (size_t i = 0; i < seen->modes[m].n_guards; i++)
            if (strcmp(seen->modes[m].guards[i].name, event->name) == 0) return own->modes[m].guards[i].name;
    }
    return "?";
}

ic_log *ic_disguise_lift(const ic_disguise *d, const ic_log *log)
{
    ic_log *own = ic_log_new(d->original);
    ic_status status = own != NULL ? IC_OK : IC_NO_MEMORY;
    for (size_t i = 0; i < ic_log_event_count(log) && status == IC_OK; i++) {
        ic_event event = ic_log_event_at(log, i);
        event.name = original_name(d, &event);
        status = ic_log_event(own, &event);
    }
    for (size_t i = 0; i < ic_log_sample_count(log) && status == IC_OK; i++) {
        const ic_sample sample = ic_log_sample_at(log, i);
        status = ic_log_sample(own, sample.t, sample.mode, sample.x);
    }
    const ic_sample end = ic_log_end(log);
    if (status == IC_OK && end.mode >= 0) ic_log_final(own, end.t, end.mode, end.x);
    if (status == IC_OK) ic_log_message(own, "%s", ic_log_text(log));
    if (status == IC_OK) return own;
    ic_log_free(own);
    return NULL;
}

void ic_disguise_close(ic_disguise *d)
{
    while (d != NULL && d->blocks != NULL) {
        block *next = d->blocks->next;
        free(d->blocks);
        d->blocks = next;
    }
    free(d);
}
