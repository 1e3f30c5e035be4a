/* SPDX-License-Identifier: MIT */
/* The judge: what it keeps, the start, steps and the end. */
#include "reference/judge/judge.h"
#include "reference/judge/judge_parts.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- messages */

ic_status ic_text_judge_says(const ic_text_judge *j, ic_flow *f, ic_status status, const char *format, ...)
{
    char what[160];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    char *t = arb_get_str(j->box + f->n, 6, ARB_STR_NO_RADIUS);
    snprintf(f->message, sizeof f->message, "the case's text %s at t = %.30s: %s",
             status == IC_CONTRADICTED ? "contradicts the answer" : "could not be confirmed", t, what);
    flint_free(t);
    return status;
}

ic_status ic_text_judge_ignores(ic_text_judge *j, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (j->ignorance[0] == '\0') vsnprintf(j->ignorance, sizeof j->ignorance, format, arguments);
    va_end(arguments);
    return IC_OK;
}

/* ---- modes */

ic_text_judge_mode *ic_text_judge_mode_of(ic_text_judge *j)
{
    return &j->modes[j->mode];
}

size_t ic_text_judge_watch_of(const ic_text_judge_mode *m, size_t element)
{
    return m->n_kinks + 2 * element;
}

size_t ic_text_judge_event_watch(const ic_text_judge *j, const ic_text_judge_mode *m, size_t event)
{
    return m->n_kinks + 2 * j->n_elements + event;
}

void ic_text_judge_states(arb_ptr x, const ic_text_judge *j, arb_srcptr box)
{
    for (size_t i = 0; i < j->n_states; i++)
        arb_set(x + i, j->machine->states[i].discrete || j->own[i] < 0 ? j->discrete + i : box + j->own[i]);
}

/* Whether a node changes between events. */
static void find_changing(bool *changes, const ic_text_machine *machine)
{
    for (size_t i = 0; i < machine->n_terms; i++) {
        const ic_text_term *t = &machine->terms[i];
        const bool state = t->operation == IC_TEXT_STATE && !machine->states[t->index].discrete;
        changes[i] = state || t->operation == IC_TEXT_TIME || t->operation == IC_TEXT_FORCE ||
                     (t->a >= 0 && changes[t->a]) || (t->b >= 0 && changes[t->b]) ||
                     (t->c >= 0 && changes[t->c]);
    }
}

typedef struct roots {
    ic_text_node *list;
    size_t n, capacity;
} roots;

static void add_root(roots *r, ic_text_node node)
{
    if (node < 0) return;
    if (r->n == r->capacity)
        r->list = flint_realloc(r->list, (r->capacity = 2 * r->capacity + 32) * sizeof *r->list);
    r->list[r->n++] = node;
}

/* The two quantities of an element whose signs matter. */
static void watch_element(ic_text_judge_watch watches[2], size_t i, const ic_text_element *e)
{
    const ic_text_node *p = e->parts, one = ic_text_judge_quantity(e);
    if (e->removed) return;
    if (one >= 0) watches[0] = (ic_text_judge_watch){WATCH_NODE, one, IC_TEXT_NONE, i};
    if (e->type == IC_TEXT_CONTACT && ic_text_judge_condition(e) != 'A')
        watches[1] = (ic_text_judge_watch){WATCH_FORCE, IC_TEXT_NONE, IC_TEXT_NONE, i};
    if (e->type != IC_TEXT_SWITCH) return;
    watches[0] = (ic_text_judge_watch){WATCH_NODE, p[IC_TEXT_INPUT], p[IC_TEXT_ON], i};
    watches[1] = (ic_text_judge_watch){WATCH_NODE, p[IC_TEXT_INPUT], p[IC_TEXT_OFF], i};
}

static void add_roots_of_element(ic_text_judge *j, roots *r, const ic_text_element *e)
{
    if (e->removed) return;
    for (int p = 0; p < IC_TEXT_PARTS; p++) add_root(r, e->parts[p]);
    for (size_t i = 0; i < e->n_pushes; i++) add_root(r, e->pushes[i].value);
    for (size_t i = 0; i < e->n_with; i++) add_root(r, e->with[i].value);
    if (e->type == IC_TEXT_CONTACT && !ic_text_judge_knows_law(e))
        ic_text_judge_ignores(j, "the law '%s' under the condition %c of '%s'", e->law,
                              ic_text_judge_condition(e), e->name);
}

static void open_mode(ic_text_judge *j, ic_text_judge_mode *m, const ic_text_mode *text, const bool *changes)
{
    const ic_text_machine *machine = j->machine;
    roots r = {0};
    m->text = text;
    m->position = ic_store_zeros(&j->store, j->n_states, sizeof *m->position);
    for (size_t i = 0; i < j->n_states; i++) {
        const ic_text_node rate = text->rates[i];
        add_root(&r, rate);
        m->position[i] = rate >= 0 && machine->terms[rate].operation == IC_TEXT_STATE &&
                         machine->terms[rate].index != (int)i;
    }
    for (size_t i = 0; i < text->n_mass; i++) add_root(&r, text->force[i]);
    for (size_t i = 0; i < text->n_mass * text->n_mass; i++) add_root(&r, text->matrix[i]);
    for (size_t i = 0; i < j->n_elements; i++) add_roots_of_element(j, &r, &text->elements[i]);
    for (size_t i = 0; i < text->n_events; i++) {
        add_root(&r, text->events[i].value);
        add_root(&r, text->events[i].condition);
    }
    m->program = ic_text_program_new(machine, r.list, r.n);
    m->kinks = ic_text_program_kinks(m->program, &m->n_kinks);
    m->n_watches = m->n_kinks + 2 * j->n_elements + text->n_events;
    m->watches = ic_store_zeros(&j->store, m->n_watches, sizeof *m->watches);
    for (size_t k = 0; k < m->n_kinks; k++) {
        if (changes[m->kinks[k]])
            m->watches[k] = (ic_text_judge_watch){WATCH_NODE, m->kinks[k], IC_TEXT_NONE, 0};
    }
    for (size_t i = 0; i < j->n_elements; i++)
        watch_element(m->watches + ic_text_judge_watch_of(m, i), i, &text->elements[i]);
    for (size_t i = 0; i < text->n_events; i++)
        m->watches[ic_text_judge_event_watch(j, m, i)] =
            (ic_text_judge_watch){WATCH_NODE, text->events[i].value, IC_TEXT_NONE, 0};
    j->most_events = FLINT_MAX(j->most_events, text->n_events + 1);
    j->most_watches = FLINT_MAX(j->most_watches, m->n_watches + 1);
    flint_free(r.list);
}

/* ---- a judge */

/* The certificate's state by name. */
static int find_own(const ic_case *system, const char *name)
{
    for (size_t i = 0; i < system->n_states; i++) {
        if (strcmp(system->states[i].name, name) == 0) return (int)i;
    }
    return -1;
}

static void open_run(ic_text_judge *j)
{
    const slong n = (slong)j->n_states, elements = (slong)j->n_elements,
                all = (slong)j->problem->system->n_states + 1;
    ic_store *store = &j->store;
    j->parameters = ic_store_balls(store, (slong)j->machine->n_parameters);
    j->discrete = ic_store_balls(store, n);
    j->starts = ic_store_balls(store, n);
    j->element_states = ic_store_balls(store, elements);
    j->element_forces = ic_store_balls(store, elements);
    j->elements = ic_store_zeros(store, j->n_elements, sizeof *j->elements);
    for (slong i = 0; i < elements; i++) {
        arb_ptr x = ic_store_balls(store, 4);
        j->elements[i] = (ic_text_judged_element){.input = x, .value = x + 1, .since = x + 2, .memory = x + 3};
    }
    j->occurrences = ic_store_zeros(store, j->machine->n_times + 1, sizeof *j->occurrences);
    j->box = ic_store_balls(store, all);
    j->end_box = ic_store_balls(store, all);
    for (int k = 0; k < 3; k++) j->rounds[k] = ic_store_balls(store, all);
    j->last_signs = ic_store_zeros(store, j->most_events, sizeof *j->last_signs);
    j->compared = ic_store_zeros(store, j->most_watches, sizeof *j->compared);
    j->now.signs = ic_store_zeros(store, j->most_watches, sizeof *j->now.signs);
    j->now.is_decided = ic_store_zeros(store, j->most_watches, sizeof *j->now.is_decided);
    j->now.assumed = ic_store_zeros(store, j->most_watches, 1);
}

ic_text_judge *ic_text_judge_new(const ic_problem *problem, const char *text)
{
    ic_text_judge *j = flint_calloc(1, sizeof *j);
    ic_error error = {""};
    j->problem = problem;
    if (text == NULL) text = problem->system->text;
    if (text == NULL) ic_text_judge_ignores(j, "the case has no text");
    else if (problem->x_start != NULL) ic_text_judge_ignores(j, "a start that is not that of the text");
    else j->machine = ic_text_read(text, problem->variant->name, problem, &error);
    if (error.text[0] != '\0')
        ic_text_judge_ignores(j, "its text cannot be read a second time: %.140s", error.text);
    if (j->machine == NULL) return j;
    const ic_text_machine *machine = j->machine;
    j->n_states = machine->n_states;
    j->n_elements = machine->n_elements;
    j->own = ic_store_zeros(&j->store, j->n_states, sizeof *j->own);
    for (size_t i = 0; i < j->n_states; i++) {
        j->own[i] = find_own(problem->system, machine->states[i].name);
        if (j->own[i] < 0 && !machine->states[i].discrete)
            ic_text_judge_ignores(j, "the state '%s' under the name that the text gives",
                                  machine->states[i].name);
    }
    for (size_t i = 0; i < machine->n_terms; i++) {
        j->uses_forces = j->uses_forces || machine->terms[i].operation == IC_TEXT_FORCE;
        if (machine->terms[i].operation == IC_TEXT_LAW)
            ic_text_judge_ignores(j, "modes of one's own on a contact-force law");
    }
    IC_ZEROS(bool, changes, machine->n_terms);
    find_changing(changes, machine);
    j->modes = ic_store_zeros(&j->store, machine->n_modes, sizeof *j->modes);
    for (size_t m = 0; m < machine->n_modes; m++) open_mode(j, &j->modes[m], &machine->modes[m], changes);
    open_run(j);
    return j;
}

static void free_views(ic_text_judge *j)
{
    for (int i = 0; i < IC_VIEWS; i++) {
        ic_view_free(j->now.views[i]);
        j->now.views[i] = NULL;
    }
}

void ic_text_judge_free(ic_text_judge *j)
{
    if (j == NULL) return;
    for (size_t i = 0; i < j->n_programs; i++) ic_text_program_free(j->programs[i].program);
    for (size_t m = 0; j->machine != NULL && m < j->machine->n_modes; m++)
        ic_text_program_free(j->modes[m].program);
    flint_free(j->programs);
    ic_text_free(j->machine);
    ic_store_free(&j->store);
    flint_free(j);
}

/* ---- the start */

ic_status ic_text_judge_parameters(ic_text_judge *j, ic_flow *f)
{
    const ic_case *system = j->problem->system;
    for (size_t i = 0; i < j->machine->n_parameters; i++) {
        const ic_text_parameter *p = &j->machine->parameters[i];
        size_t own = 0;
        while (own < system->n_parameters && strcmp(system->parameters[own].name, p->name) != 0) own++;
        const bool has = own < system->n_parameters;
        const char *set = has && j->problem->par_text != NULL ? j->problem->par_text[own] : NULL;
        const bool own_value =
            p->value < 0 || (has && (set == NULL || strcmp(set, system->parameters[own].value) != 0));
        if (own_value) {
            if (has) arb_set(j->parameters + i, f->par + own);
            continue;
        }
        ic_text_program *program = ic_text_program_new(j->machine, &p->value, 1);
        ic_text_run(program, &(ic_text_values){.parameters = j->parameters}, f->prec);
        arb_set(j->parameters + i, ic_text_value(program, p->value));
        ic_text_program_free(program);
        if (has && !arb_overlaps(j->parameters + i, f->par + own))
            return ic_text_judge_says(j, f, IC_CONTRADICTED, "the parameter '%s' has another value", p->name);
    }
    return IC_OK;
}

static void find_starts(ic_text_judge *j, ic_flow *f)
{
    roots r = {0};
    for (size_t i = 0; i < j->n_states; i++) add_root(&r, j->machine->states[i].start);
    ic_text_program *program = ic_text_program_new(j->machine, r.list, r.n);
    ic_text_run(program, &(ic_text_values){.parameters = j->parameters}, f->prec);
    for (size_t i = 0; i < j->n_states; i++) {
        arb_zero(j->starts + i);
        if (j->machine->states[i].start >= 0)
            arb_set(j->starts + i, ic_text_value(program, j->machine->states[i].start));
    }
    ic_text_program_free(program);
    flint_free(r.list);
}

static ic_status begin(void *judge, ic_flow *f)
{
    ic_text_judge *j = judge;
    if (j->ignorance[0] != '\0') return IC_OK;
    j->prec = f->prec;
    j->mode = 0;
    j->over = false;
    j->at_start = true;
    j->jumped = false;
    j->n_fired = 0;
    j->n_rounds = 0;
    j->compared_mode = -1;
    memset(j->last_signs, 0, j->most_events * sizeof *j->last_signs);
    memset(j->occurrences, 0, (j->machine->n_times + 1) * sizeof *j->occurrences);
    for (size_t i = 0; i < j->n_elements; i++) {
        j->elements[i].state = 0;
        j->elements[i].separated = true;
        arb_zero(j->elements[i].memory);
        arb_zero(j->element_states + i);
        arb_zero(j->element_forces + i);
    }
    _arb_vec_set(j->box, f->now, f->n + 1);
    const ic_status status = ic_text_judge_parameters(j, f);
    if (status != IC_OK) return status;
    find_starts(j, f);
    return ic_text_judge_jump(j, f, &j->machine->start, "the start", NULL);
}

/* ---- steps */

/* Under C and C* bodies whose contact has ended below the surface rise through it without an event. */
static bool leaves_unnoticed(ic_text_judge *j, ic_flow *f, size_t i, const ic_text_element *e)
{
    const size_t w = ic_text_judge_watch_of(ic_text_judge_mode_of(j), i);
    if (e->type != IC_TEXT_CONTACT || j->now.signs[w] != MIXED || j->elements[i].state != 0) return false;
    const char condition = ic_text_judge_condition(e);
    return (condition == 'C' || condition == '*') &&
           arb_is_positive(ic_text_judge_view(j, f, VIEW_START)->value + w) &&
           arb_is_negative(ic_text_judge_view(j, f, VIEW_END)->value + w);
}

static ic_status check_elements(ic_text_judge *j, ic_flow *f)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_element *e = &m->text->elements[i];
        const ic_text_judged_sign *signs = j->now.signs + ic_text_judge_watch_of(m, i);
        if (e->removed || e->type == IC_TEXT_DELAY) continue;
        if (e->type == IC_TEXT_STOP && (signs[0] == BELOW || signs[0] == MIXED))
            return ic_text_judge_says(j, f, IC_CONTRADICTED, "a body passes through '%s'", e->name);
        const size_t which = e->type == IC_TEXT_SWITCH && j->elements[i].state != 0;
        if (leaves_unnoticed(j, f, i, e)) continue;
        const int condition = e->type == IC_TEXT_CONTACT ? ic_text_judge_condition(e) : 'A';
        const bool over = condition == 'C' && j->elements[i].state == 0 && !j->elements[i].separated;
        const bool force = condition == 'B' || (condition != 'A' && signs[0] == ABOVE && !over);
        const bool open = (condition != 'B' && (signs[which] == MIXED || signs[which] == UNKNOWN)) ||
                          (force && (signs[1] == MIXED || signs[1] == UNKNOWN));
        if (open) return ic_text_judge_says(j, f, IC_UNDECIDED, "the state of '%s' along a step", e->name);
    }
    return IC_OK;
}

static ic_status check_times(ic_text_judge *j, ic_flow *f)
{
    IC_BALLS(time);
    ic_status status = IC_OK;
    for (size_t i = 0; i < j->machine->n_times && status == IC_OK; i++) {
        ic_text_judge_time(time, j, &j->machine->times[i], j->occurrences[i]);
        if (arb_lt(time, j->end_box + f->n))
            status = ic_text_judge_says(j, f, IC_CONTRADICTED, "the time event '%s' is missing",
                                        j->machine->times[i].name);
    }
    return status;
}

/* At two places, or, where signs are those of the step before, at one. */
static ic_status check_rates(ic_text_judge *j, ic_flow *f)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    const size_t size = ic_text_judge_event_watch(j, m, 0) * sizeof *j->compared;
    const bool again = j->compared_mode == j->mode && j->compared_own == f->mode && j->n_fired == 0 &&
                       memcmp(j->compared, j->now.signs, size) == 0;
    /* where the clock is a root, rates are not known at its zero */
    const int other = f->clock.guard < 0 ? VIEW_END : VIEW_POINT;
    ic_status status = ic_text_judge_rates(j, f, ic_text_judge_view(j, f, other));
    if (status == IC_OK && !again) status = ic_text_judge_rates(j, f, ic_text_judge_view(j, f, VIEW_MIDDLE));
    memcpy(j->compared, j->now.signs, size);
    j->compared_mode = j->mode;
    j->compared_own = f->mode;
    return status;
}

static void keep_contacts(ic_text_judge *j)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_judged_sign sign = j->now.signs[ic_text_judge_watch_of(m, i)];
        j->elements[i].separated = m->text->elements[i].type == IC_TEXT_CONTACT && sign != ABOVE;
    }
}

static ic_status take_step(void *judge, ic_flow *f, const ic_step *step, const arb_t end)
{
    ic_text_judge *j = judge;
    if (j->ignorance[0] != '\0') return IC_OK;
    if (j->over) return ic_text_judge_says(j, f, IC_CONTRADICTED, "the run is over");
    ic_text_judged_step *now = &j->now;
    IC_FLOATS(last);
    arb_get_ubound_arf(last, end, 53);
    now->step = step;
    now->end = end;
    now->last = FLINT_MIN(1, arf_get_d(last, ARF_RND_UP));
    memset(now->assumed, IC_TEXT_OPEN, j->most_watches);
    memset(now->is_decided, 0, j->most_watches * sizeof *now->is_decided);
    for (size_t w = 0; w < j->most_watches; w++) now->signs[w] = MIXED;
    ic_flow_set_box(j->end_box, &f->set);
    IC_ZEROS(int, was, j->n_elements);
    for (size_t i = 0; i < j->n_elements; i++) was[i] = j->at_start ? 1 : j->elements[i].state;
    ic_status status = check_times(j, f);
    if (status == IC_OK) status = ic_text_judge_signs(j, f);
    if (status == IC_OK) status = check_elements(j, f);
    if (status == IC_OK) status = ic_text_judge_events(j, f);
    if (status == IC_OK) status = check_rates(j, f);
    const int place = f->clock.guard < 0 ? VIEW_START : VIEW_POINT;
    if (status == IC_OK && (j->jumped || j->at_start))
        status = ic_text_judge_sticking(j, f, ic_text_judge_view(j, f, place), was);
    keep_contacts(j);
    free_views(j);
    j->at_start = j->jumped = false;
    j->n_fired = 0;
    if (status == IC_OK) _arb_vec_set(j->box, j->end_box, f->n + 1);
    else ic_flow_set_place(&f->set, j->box);
    return status;
}

static ic_status end_run(void *judge, ic_flow *f, const arb_t t_end)
{
    const ic_text_judge *j = judge;
    if (j->ignorance[0] != '\0' || j->over || arb_overlaps(f->now + f->n, t_end)) return IC_OK;
    return ic_text_judge_says(j, f, IC_CONTRADICTED, "the run ends");
}

void ic_certify_judged(ic_certificate *c, const ic_problem *problem, const ic_certify_options *options,
                       const char *text)
{
    ic_text_judge *j = ic_text_judge_new(problem, text);
    const ic_flow_witness witness = {
        .context = j, .begin = begin, .event = ic_text_judge_event, .end = end_run, .step = take_step};
    ic_certify_options with_witness = *options;
    with_witness.witness = &witness;
    ic_certify(c, problem, &with_witness);
    const char *known = c->status == IC_CONTRADICTED ? "contradicted" : "confirmed";
    if (j->ignorance[0] != '\0') snprintf(c->judged, sizeof c->judged, "not judged: %s", j->ignorance);
    else snprintf(c->judged, sizeof c->judged, "%s", known);
    ic_text_judge_free(j);
}
