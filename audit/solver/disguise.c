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
#include <string.h>
#include <sys/mman.h>

enum { NAME = 16, NUMBER = 32, SPARE = 4096, CHUNK = 1 << 20, MOST_KEPT = 32, MOST_VARIANTS = 16 };

struct ic_disguise {
    ic_problem problem;

    const ic_problem *original;

    /* the case that was copied, and those of its variants that were needed, with their copies */
    const ic_case *system;
    const ic_state *of_states;
    const ic_variant *own[MOST_VARIANTS], *copies[MOST_VARIANTS];
    size_t n_variants;

    /* parts of the copy that follow from values of parameters */
    ic_case *seen;
    ic_parameter *parameters;
    ic_state *states;
    const char **texts;

    /* names are drawn by it: those of one problem are the same in all runs of an audit */
    uint64_t seed;

    /* texts of the linear view, and the symbols of states and parameters, stay */
    bool keeps_texts;

    bool no_memory;
};

/* Stands in for pages where there are none. */
static max_align_t spare[SPARE];

/*
 * Pages that stay until the process ends, apart from the heap, whose growth is measured: a solver that keeps pointers
 * from one run to the next finds what was there, and one case is one case.
 */
static void *take(ic_disguise *d, size_t n, size_t size)
{
    static unsigned char *chunk;
    static size_t left;
    const size_t whole = (n * size / sizeof(max_align_t) + 1) * sizeof(max_align_t);
    if (whole > left) {
        left = whole > CHUNK ? whole : CHUNK;
        void *pages = mmap(NULL, left, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        chunk = pages == MAP_FAILED ? NULL : pages;
    }
    if (chunk == NULL) {
        d->no_memory = true, left = 0;
        return spare;
    }
    chunk += whole, left -= whole;
    return chunk - whole;
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
    uint64_t mixed = (d->seed + 1) * 0x9e3779b97f4a7c15u ^ 0xcbf29ce484222325u; /* FNV-1a */
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

static void disguise_mode(ic_disguise *d, ic_mode *m)
{
    ic_guard *guards = copy(d, m->guards, m->n_guards, sizeof *guards);
    for (size_t i = 0; i < m->n_guards && !d->no_memory; i++) {
        ic_guard *g = &guards[i];
        g->name = rename_text(d, g->name), g->meaning = "";
        if (!d->keeps_texts) g->linear = g->linear_enabled = NULL;
        g->jump = disguise_jump(d, g->jump), g->accumulation = disguise_jump(d, g->accumulation);
    }
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

static void disguise_case(ic_disguise *d)
{
    const ic_case *c = d->system;
    d->parameters = copy(d, c->parameters, c->n_parameters, sizeof *d->parameters);
    d->states = copy(d, c->states, c->n_states, sizeof *d->states);
    d->texts = take(d, c->n_parameters, sizeof *d->texts);
    d->seen = take(d, 1, sizeof *d->seen);
    if (d->no_memory) return;
    for (size_t i = 0; i < c->n_parameters && !d->no_memory; i++) {
        if (!d->keeps_texts) d->parameters[i].name = rename_text(d, c->parameters[i].name);
        d->parameters[i].meaning = "";
    }
    for (size_t i = 0; i < c->n_states && !d->no_memory; i++) {
        if (!d->keeps_texts) d->states[i].name = rename_text(d, c->states[i].name);
        d->states[i].meaning = "";
    }
    *d->seen = (ic_case){.abi_version = c->abi_version,
                         .struct_size = c->struct_size,
                         .name = rename_text(d, c->name),
                         .title = "",
                         .source = "",
                         .parameters = d->parameters,
                         .n_parameters = c->n_parameters,
                         .states = d->states,
                         .n_states = c->n_states,
                         .n_variants = 1,
                         .n_presets = 1,
                         .discrete = disguise_discrete(d, c->discrete)};
}

static const ic_variant *find_variant(ic_disguise *d, const ic_variant *own)
{
    for (size_t i = 0; i < d->n_variants; i++)
        if (d->own[i] == own) return d->copies[i];
    const ic_variant *seen = disguise_variant(d, own);
    if (d->n_variants < MOST_VARIANTS) d->own[d->n_variants] = own, d->copies[d->n_variants++] = seen;
    return seen;
}

/* Sets what differs between problems of one case. */
static void set_values(ic_disguise *d, const ic_problem *of)
{
    const ic_variant *variant = find_variant(d, of->variant);
    ic_preset *preset = take(d, 1, sizeof *preset);
    double scale[IC_MAX_STATES];
    if (d->no_memory) return;
    ic_state_scales(of, scale);
    for (size_t i = 0; i < d->system->n_parameters; i++) {
        d->parameters[i].value = write_number(d, of->par[i]);
        d->texts[i] = d->keeps_texts ? of->par_text[i] : d->parameters[i].value;
    }
    for (size_t i = 0; i < d->system->n_states; i++) d->states[i].scale = write_number(d, scale[i]);
    *preset = (ic_preset){"preset", variant->name, "", write_number(d, of->t_end), ""};
    d->seen->presets = preset;
    d->seen->variants = variant;
    d->seen->time_scale = write_number(d, ic_time_scale(of));
    d->seen->period = d->system->period != NULL ? write_number(d, ic_forcing_period(of)) : NULL;
    d->original = of;
    d->problem = *of;
    d->problem.system = d->seen, d->problem.variant = variant;
    d->problem.par_text = d->texts;
    if (!d->keeps_texts) d->problem.t_end_text = NULL;
    d->problem.given = NULL;
}

ic_disguise *ic_disguise_open(const ic_problem *problem, const ic_solver *solver, uint64_t seed)
{
    static ic_disguise kept[MOST_KEPT];
    static size_t n_kept;
    const ic_case *system = problem->system;
    ic_disguise *d = NULL;
    for (size_t i = 0; i < n_kept && d == NULL; i++)
        if (kept[i].system == system && kept[i].of_states == system->states) d = &kept[i];
    if (d == NULL) {
        d = &kept[n_kept < MOST_KEPT ? n_kept++ : 0];
        *d = (ic_disguise){.system = system, .of_states = system->states, .seed = seed};
        d->keeps_texts = (solver->needs & IC_NEEDS_LINEAR_VIEW) != 0;
        disguise_case(d);
    }
    set_values(d, problem);
    return d->no_memory ? NULL : d;
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
    if (status != IC_OK) {
        ic_log_free(own);
        return NULL;
    }
    ic_log_message(own, "%s", ic_log_text(log));
    return own;
}
