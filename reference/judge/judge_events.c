/* SPDX-License-Identifier: MIT */
/* Jumps of the text, impacts, and which events may and must happen. */
#include "reference/judge/judge_parts.h"

#include <math.h>
#include <string.h>

/* The radius of a state after a jump, as a part of its size, within which it is known. */
#define NARROW_JUMP 0x1p-20

/* ---- programs of jumps */

static ic_text_program *program_for(ic_text_judge *j, const void *what, const ic_text_node *roots, size_t n)
{
    for (size_t i = 0; i < j->n_programs; i++) {
        if (j->programs[i].what == what) return j->programs[i].program;
    }
    j->programs = flint_realloc(j->programs, (j->n_programs + 1) * sizeof *j->programs);
    j->programs[j->n_programs] = (ic_text_judge_program){what, ic_text_program_new(j->machine, roots, n)};
    return j->programs[j->n_programs++].program;
}

static ic_text_program *program_of_jump(ic_text_judge *j, const ic_text_jump *jump)
{
    size_t n = 0, used = 0;
    for (size_t b = 0; b < jump->n; b++) n += 1 + jump->branches[b].n_entries;
    IC_ZEROS(ic_text_node, roots, n);
    for (size_t b = 0; b < jump->n; b++) {
        const ic_text_branch *branch = &jump->branches[b];
        if (branch->condition >= 0) roots[used++] = branch->condition;
        for (size_t i = 0; i < branch->n_entries; i++) roots[used++] = branch->entries[i].value;
    }
    return program_for(j, jump, roots, used);
}

void ic_text_judge_time(arb_t time, ic_text_judge *j, const ic_text_time *event, long occurrence)
{
    IC_BALLS(count);
    arb_set_si(count, occurrence);
    arb_pos_inf(time);
    if (event->count == 0 || occurrence < event->count) {
        ic_text_program *program = program_for(j, event, &event->at, 1);
        const ic_text_values values = {.parameters = j->parameters, .count = count};
        ic_text_run(program, &values, j->prec);
        arb_set(time, ic_text_value(program, event->at));
    }
}

/* ---- jumps of the text */

bool ic_text_judge_is_in_mode(const ic_text_judge *j, const ic_flow *f, int mode)
{
    const char *own = ic_flow_mode(f)->name, *name = j->machine->modes[mode].name;
    const size_t n = strlen(name);
    return strncmp(own, name, n) == 0 && (own[n] == '\0' || own[n] == ',');
}

/* Whether the certificate is in the mode of the text. */
static ic_status judge_mode_name(const ic_text_judge *j, ic_flow *f)
{
    if (j->over || ic_text_judge_is_in_mode(j, f, j->mode)) return IC_OK;
    return ic_text_judge_says(j, f, IC_CONTRADICTED, "the mode is '%s'", j->machine->modes[j->mode].name);
}

/* Whether a branch gives the certificate's mode and states. `x` has the states before it, and receives those after it. */
static ic_status compare_branch(const ic_text_judge *j, const ic_flow *f, const ic_text_branch *branch,
                                const ic_text_program *program, arb_ptr x)
{
    for (size_t i = 0; i < branch->n_entries; i++) {
        if (branch->entries[i].state >= 0)
            arb_set(x + branch->entries[i].state, ic_text_value(program, branch->entries[i].value));
    }
    if (branch->mode != IC_TEXT_ENDS &&
        !ic_text_judge_is_in_mode(j, f, branch->mode >= 0 ? branch->mode : j->mode))
        return IC_CONTRADICTED;
    for (size_t i = 0; i < j->n_states; i++) {
        if (j->own[i] < 0) continue;
        const arb_struct *own = f->now + j->own[i];
        if (!arb_overlaps(x + i, own)) return IC_CONTRADICTED;
        const double size = f->sizes[j->own[i]] + fabs(arf_get_d(arb_midref(own), ARF_RND_NEAR));
        if (!arb_is_finite(x + i) || mag_get_d(arb_radref(x + i)) > NARROW_JUMP * size) return IC_UNDECIDED;
    }
    return IC_OK;
}

static void take_branch(ic_text_judge *j, const ic_text_branch *branch, const ic_text_program *program,
                        arb_srcptr x)
{
    for (size_t i = 0; i < j->n_states; i++) {
        if (j->machine->states[i].discrete) arb_set(j->discrete + i, x + i);
    }
    for (size_t i = 0; i < branch->n_entries; i++) {
        const int element = branch->entries[i].element;
        if (element < 0) continue;
        arb_set(j->elements[element].value, ic_text_value(program, branch->entries[i].value));
        j->elements[element].state =
            (int)lround(arf_get_d(arb_midref(j->elements[element].value), ARF_RND_NEAR));
        arb_set(j->element_states + element, j->elements[element].value);
    }
    j->over = branch->mode == IC_TEXT_ENDS;
    if (branch->mode >= 0) j->mode = branch->mode;
    j->over = j->over || j->machine->modes[j->mode].ends;
}

ic_status ic_text_judge_jump(ic_text_judge *j, ic_flow *f, const ic_text_jump *jump, const char *name,
                             const long *count)
{
    ic_text_program *program = program_of_jump(j, jump);
    const slong n = (slong)j->n_states;
    ic_status status = IC_CONTRADICTED;
    bool open = false;
    IC_BALLS(number);
    IC_BALL_VECTOR(x, n);
    IC_BALL_VECTOR(before, n);
    if (count != NULL) arb_set_si(number, *count);
    const bool starts = jump == &j->machine->start;
    if (starts) _arb_vec_set(before, j->starts, n);
    else ic_text_judge_states(before, j, f->before);
    const ic_text_values values = {.parameters = j->parameters,
                                   .states = before,
                                   .time = starts ? f->now + f->n : f->before + f->n,
                                   .count = number,
                                   .element_states = j->element_states,
                                   .element_forces = j->element_forces};
    ic_text_run(program, &values, f->prec);
    for (size_t b = 0; b < jump->n && status != IC_OK; b++) {
        const ic_text_branch *branch = &jump->branches[b];
        const int truth = branch->condition < 0 ? 1 : ic_text_truth(program, branch->condition);
        if (truth < 0) continue;
        _arb_vec_set(x, before, n);
        const ic_status same = compare_branch(j, f, branch, program, x);
        if (same == IC_OK) take_branch(j, branch, program, x);
        open = open || truth != 1 || same == IC_UNDECIDED;
        status = same;
        if (truth == 1) break;
    }
    if (status != IC_OK)
        status = ic_text_judge_says(j, f, open ? IC_UNDECIDED : IC_CONTRADICTED,
                                    "the states or the mode after '%s'", name);
    return status;
}

/* ---- impacts */

/* Values of the present mode at a box, and their rates without forces of elements. */
static void run_at(ic_text_judge *j, const ic_flow *f, ic_view *v, arb_srcptr box)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    ic_text_judge_states(v->x, j, box);
    arb_set(v->t, box + f->n);
    _arb_vec_zero(v->rates, (slong)j->n_states);
    for (int pass = 0; pass < 2; pass++) {
        ic_text_judge_run(j, v, NULL);
        for (size_t i = 0; i < j->n_states && pass == 0; i++) {
            if (m->text->rates[i] >= 0) arb_set(v->rates + i, ic_text_value(m->program, m->text->rates[i]));
        }
    }
}

/* Rates of all gaps, by element, where the certificate's states are `box`. */
static void find_gap_rates(ic_text_judge *j, const ic_flow *f, arb_ptr rates, ic_view *v, arb_srcptr box)
{
    run_at(j, f, v, box);
    for (size_t i = 0; i < j->n_elements; i++)
        arb_set(rates + i, v->slope + ic_text_judge_watch_of(ic_text_judge_mode_of(j), i));
}

/* Whether a jump is the sum of impulses of stops that are touched. `pushed` receives which of them push. */
static bool is_impact(ic_text_judge *j, const ic_flow *f, const ic_view *v, bool *pushed)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    const slong n = (slong)j->n_states, all = n * (slong)j->n_elements;
    IC_BALL_VECTOR(gradients, all);
    IC_BALL_VECTOR(change, n);
    IC_BALL_VECTOR(column, n);
    IC_ZEROS(double, columns, all);
    IC_ZEROS(double, right, n);
    IC_ZEROS(double, sizes, n);
    IC_ZEROS(double, x, j->n_elements);
    IC_ZEROS(size_t, which, j->n_elements);
    size_t row, used = 0;
    ic_text_judge_gradients(gradients, j, v);
    ic_text_judge_run(j, (ic_view *)v, NULL);
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_element *e = &m->text->elements[i];
        pushed[i] = false;
        if (e->removed || e->type != IC_TEXT_STOP ||
            !arb_contains_zero(v->value + ic_text_judge_watch_of(m, i)))
            continue;
        ic_text_judge_column(column, j, i, gradients, v->prec);
        ic_text_judge_numbers(columns + used * (size_t)n, column, (size_t)n, 1);
        which[used++] = i;
    }
    for (slong i = 0; i < n; i++) {
        if (j->own[i] < 0) continue;
        arb_sub(change + i, f->now + j->own[i], f->before + j->own[i], v->prec);
        if (arb_contains_zero(change + i)) arb_zero(change + i);
    }
    ic_text_judge_rows(column, j, change, v->prec);
    ic_text_judge_numbers(right, column, (size_t)n, 1);
    for (slong i = 0; i < n; i++) {
        arb_zero(change + i);
        if (j->own[i] >= 0) arb_set_d(change + i, f->sizes[j->own[i]] * NARROW_JUMP);
    }
    ic_text_judge_rows(column, j, change, v->prec);
    ic_text_judge_numbers(sizes, column, (size_t)n, 1);
    const bool fits = ic_text_judge_misfit(x, &row, columns, right, sizes, (size_t)n, used) <= IC_FITS;
    for (size_t k = 0; k < used; k++) pushed[which[k]] = x[k] > 0;
    return fits;
}

/* The stop that is hit returns the part e of its speed, at a limit of impacts, e < 1, none; others that push are held. */
static ic_status judge_impact(ic_text_judge *j, ic_flow *f)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    const int hit = ic_text_find_element(j->machine, f->name);
    const bool limit = f->kind == IC_EVENT_ACCUMULATION;
    const slong all = (slong)j->n_elements;
    if (hit < 0 || m->text->elements[hit].type != IC_TEXT_STOP || m->text->elements[hit].removed)
        return ic_text_judge_says(j, f, IC_CONTRADICTED, "states jump at '%s', which is no event of the text",
                                  f->name);
    ic_view *v = ic_view_new(j, f->prec);
    IC_BALL_VECTOR(rates, 2 * all);
    IC_ZEROS(bool, pushed, j->n_elements);
    IC_BALLS(wanted);
    find_gap_rates(j, f, rates + all, v, f->now);
    find_gap_rates(j, f, rates, v, f->before);
    const arb_struct *e = ic_text_value(m->program, m->text->elements[hit].parts[IC_TEXT_RESTITUTION]);
    const bool loses = mag_cmp_2exp_si(arb_radref(e), 0) < 0 && arf_cmp_si(arb_midref(e), 1) < 0;
    arb_mul(wanted, rates + hit, e, f->prec);
    arb_neg(wanted, wanted);
    if (limit) arb_zero(wanted);
    const bool touches = arb_contains_zero(v->value + ic_text_judge_watch_of(m, (size_t)hit));
    const bool fits = is_impact(j, f, v, pushed);
    ic_status status = IC_OK;
    if (!touches)
        status = ic_text_judge_says(j, f, IC_CONTRADICTED, "'%s' is hit apart from its bodies", f->name);
    else if (!arb_overlaps(wanted, rates + all + hit))
        status = ic_text_judge_says(j, f, IC_CONTRADICTED, "the speed after '%s'", f->name);
    else if (limit && !loses)
        status = ic_text_judge_says(j, f, IC_CONTRADICTED, "impacts at '%s' do not lose their speed", f->name);
    else if (!fits || arb_is_positive(rates + hit))
        status = ic_text_judge_says(j, f, IC_CONTRADICTED, "no impulses of stops give the states after '%s'",
                                    f->name);
    for (size_t i = 0; i < j->n_elements && status == IC_OK; i++) {
        if ((int)i != hit && pushed[i] && !arb_contains_zero(rates + all + i))
            status = ic_text_judge_says(j, f, IC_CONTRADICTED, "'%s' pushes and is not held",
                                        m->text->elements[i].name);
    }
    ic_view_free(v);
    return status;
}

/* ---- events of the certificate */

static bool states_change(const ic_text_judge *j, const ic_flow *f)
{
    for (size_t i = 0; i < j->n_states; i++) {
        if (j->own[i] >= 0 && !arb_overlaps(f->before + j->own[i], f->now + j->own[i])) return true;
    }
    return false;
}

static ic_status judge_time_event(ic_text_judge *j, ic_flow *f)
{
    const ic_text_machine *machine = j->machine;
    IC_BALLS(time);
    size_t i = 0;
    while (i < machine->n_times && strcmp(machine->times[i].name, f->name) != 0) i++;
    if (i == machine->n_times)
        return ic_text_judge_says(j, f, IC_CONTRADICTED, "the time event '%s' is not in it", f->name);
    const long occurrence = j->occurrences[i]++;
    ic_text_judge_time(time, j, &machine->times[i], occurrence);
    const bool now = arb_overlaps(time, f->now + f->n);
    if (!now)
        return ic_text_judge_says(j, f, IC_CONTRADICTED, "the time event '%s' is at another time", f->name);
    return ic_text_judge_jump(j, f, &machine->times[i].jump, f->name, &occurrence);
}

static bool is_same_event(const ic_text_event *a, const ic_text_event *b)
{
    return a->value == b->value && strcmp(a->name, b->name) == 0;
}

/* The record of an event that has fired at this instant; NULL: the event has not fired. */
static const ic_text_judge_fired *find_fired(const ic_text_judge *j, const ic_text_event *e)
{
    for (size_t k = 0; k < j->n_fired; k++) {
        if (j->fired[k].event != NULL && is_same_event(j->fired[k].event, e)) return &j->fired[k];
    }
    return NULL;
}

/* Events of one value that have fired towards the other side may fire again. */
static void add_fired(ic_text_judge *j, const ic_text_event *e, int to)
{
    for (size_t k = 0; k < j->n_fired; k++) {
        ic_text_judge_fired *fired = &j->fired[k];
        if (fired->event != NULL && fired->event->value == e->value && fired->to == -to) fired->event = NULL;
    }
    if (j->n_fired < MOST_FIRED) j->fired[j->n_fired++] = (ic_text_judge_fired){e, to, j->jumped};
}

/* The number of the event of the text whose name the certificate's event has, if it can fire there; or that of events. */
static size_t find_event(ic_text_judge *j, const ic_flow *f, const ic_view *before)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    size_t i = 0;
    for (; i < m->text->n_events; i++) {
        const ic_text_event *e = &m->text->events[i];
        const int last = j->last_signs[i];
        const bool may = f->kind == IC_EVENT_ACCUMULATION || find_fired(j, e) == NULL;
        if (may && strcmp(e->name, f->name) == 0 && before->truth[i] != -1 &&
            arb_contains_zero(before->value + ic_text_judge_event_watch(j, m, i)) &&
            (e->direction == 0 || last == 0 || last == -e->direction || j->jumped))
            break;
    }
    return i;
}

/*
 * Whether an event is the next one: time events come before it, and those before it in the file that cross at this instant.
 * After another event its rate decides.
 */
static ic_status check_order(ic_text_judge *j, ic_flow *f, const ic_view *before, size_t event)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    const char *first = NULL;
    IC_BALLS(time);
    for (size_t i = 0; i < j->machine->n_times; i++) {
        ic_text_judge_time(time, j, &j->machine->times[i], j->occurrences[i]);
        if (arb_overlaps(time, before->t)) first = j->machine->times[i].name;
    }
    for (size_t i = 0; i < event; i++) {
        const ic_text_event *e = &m->text->events[i];
        const int last = j->last_signs[i];
        if (last != 0 && (e->direction == 0 || last == -e->direction) && before->truth[i] != -1 &&
            find_fired(j, e) == NULL && arb_contains_zero(before->value + ic_text_judge_event_watch(j, m, i)))
            first = e->name;
    }
    if (first != NULL)
        return ic_text_judge_says(j, f, IC_UNDECIDED, "whether '%s' comes before '%s'", first, f->name);
    const int slope = ic_text_judge_sign(before->slope + ic_text_judge_event_watch(j, m, event)),
              direction = m->text->events[event].direction;
    if (!j->jumped || (direction == 0 ? slope != 0 : slope == direction)) return IC_OK;
    return ic_text_judge_says(j, f, IC_UNDECIDED, "whether '%s' happens here", f->name);
}

/*
 * After a jump: the sign of an event before this instant lasts as long as jumps leave its value at zero, in modes that have
 * it. What is moved off zero may fire again.
 */
static void carry_signs(ic_text_judge *j, const ic_flow *f, const ic_text_judge_mode *from,
                        const ic_view *before)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    ic_view *after = ic_view_new(j, f->prec);
    IC_ZEROS(int, last, j->most_events);
    run_at(j, f, after, f->now);
    for (size_t i = 0; i < m->text->n_events; i++) {
        const ic_text_event *e = &m->text->events[i];
        const bool zero = arb_contains_zero(after->value + ic_text_judge_event_watch(j, m, i));
        for (size_t k = 0; k < from->text->n_events && zero; k++) {
            if (is_same_event(e, &from->text->events[k]) &&
                arb_contains_zero(before->value + ic_text_judge_event_watch(j, from, k)))
                last[i] = j->last_signs[k];
        }
        for (size_t k = 0; k < j->n_fired && !zero; k++) {
            if (j->fired[k].event != NULL && j->fired[k].event->value == e->value) j->fired[k].event = NULL;
        }
    }
    memcpy(j->last_signs, last, j->most_events * sizeof *last);
    ic_view_free(after);
}

/*
 * The limit of events that go on as the last three: the rounds between them shrink by a factor r, so that all further ones
 * sum up to r/(1 - r) times the last one. That is so if the text lets a part of a speed remain each time (r -> e), under a
 * force that presses, which the first step after it shows. Twice as much is allowed for states, a part of 2^-4 for the time.
 */
static ic_status judge_place_of_limit(ic_text_judge *j, ic_flow *f)
{
    const slong t = f->n;
    IC_BALLS(round, ratio, change, own, allowed);
    if (j->n_rounds < 3 || j->fires != f->name)
        return ic_text_judge_says(j, f, IC_UNDECIDED, "whether '%s' accumulates", f->name);
    arb_sub(round, j->rounds[0] + t, j->rounds[1] + t, f->prec);
    arb_sub(ratio, j->rounds[1] + t, j->rounds[2] + t, f->prec);
    arb_div(ratio, round, ratio, f->prec);
    arb_sub_si(change, ratio, 1, f->prec);
    arb_neg(change, change);
    ic_status status = arb_is_positive(ratio) && arb_is_positive(change) ? IC_OK : IC_UNDECIDED;
    arb_div(ratio, ratio, change, f->prec);
    arb_mul_2exp_si(ratio, ratio, 1);
    for (slong v = 0; v <= t && status == IC_OK; v++) {
        arb_set_si(allowed, v == t);
        mag_one(arb_radref(allowed));
        arb_sub(change, j->rounds[0] + v, j->rounds[1] + v, f->prec);
        arb_mul(change, change, ratio, f->prec);
        arb_set(own, j->rounds[0] + v);
        if (v == t) arb_mul_2exp_si(change, change, -1), mag_set_ui_2exp_si(arb_radref(allowed), 1, -4);
        arb_mul(change, change, allowed, f->prec);
        arb_add(own, own, change, f->prec);
        if (!arb_overlaps(own, f->before + v)) status = IC_CONTRADICTED;
        else if (mag_get_d(arb_radref(own)) > NARROW_JUMP * (f->sizes[v] + fabs(ic_flow_middle(own))))
            status = IC_UNDECIDED;
    }
    return status == IC_OK ? status : ic_text_judge_says(j, f, status, "the limit of '%s'", f->name);
}

/* Keeps the place after an event. */
static void keep_round(ic_text_judge *j, const ic_flow *f)
{
    arb_ptr last = j->rounds[2];
    if (f->kind != IC_EVENT_GUARD || j->fires != f->name) j->n_rounds = 0;
    j->fires = f->name;
    j->n_rounds++;
    j->rounds[2] = j->rounds[1], j->rounds[1] = j->rounds[0], j->rounds[0] = last;
    _arb_vec_set(last, f->now, f->n + 1);
}

/* A switch whose input is at its level, from the other side, where the certificate says that it turns on or off. */
static void turn_switch(ic_text_judge *j, const ic_flow *f, const ic_view *at)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_element *e = &m->text->elements[i];
        const size_t n = strlen(e->name), w = ic_text_judge_watch_of(m, i);
        if (e->type != IC_TEXT_SWITCH || e->removed || strncmp(f->name, e->name, n) != 0) continue;
        const int to = strcmp(f->name + n, " on") == 0 ? 1 : strcmp(f->name + n, " off") == 0 ? 0 : -1;
        if (to == 1 - j->elements[i].state && arb_contains_zero(at->value + w + 1 - to))
            j->elements[i].state = to;
    }
}

ic_status ic_text_judge_event(void *judge, ic_flow *f)
{
    ic_text_judge *j = judge;
    ic_status status = IC_OK;
    if (j->ignorance[0] != '\0') return IC_OK;
    if (j->over) return ic_text_judge_says(j, f, IC_CONTRADICTED, "the run is over before '%s'", f->name);
    ic_view *before = ic_view_new(j, f->prec);
    const ic_text_judge_mode *from = ic_text_judge_mode_of(j);
    const bool limit = f->kind == IC_EVENT_ACCUMULATION;
    run_at(j, f, before, f->before);
    turn_switch(j, f, before);
    const size_t i = f->kind == IC_EVENT_GUARD || limit ? find_event(j, f, before) : from->text->n_events;
    const ic_text_event *event = &from->text->events[i];
    const bool is_event = i < from->text->n_events;
    if (limit) status = judge_place_of_limit(j, f);
    else if (is_event) status = check_order(j, f, before, i);
    if (status != IC_OK) {
        /* the place is not that of the text */
    } else if (f->kind == IC_EVENT_TIME) {
        status = judge_time_event(j, f);
    } else if (is_event) {
        add_fired(j, event, event->direction != 0 ? event->direction : -j->last_signs[i]);
        status = ic_text_judge_jump(j, f, limit ? &event->limit : &event->jump, event->name, NULL);
    } else if (limit || states_change(j, f)) {
        status = judge_impact(j, f);
    } else {
        status = judge_mode_name(j, f);
    }
    if (ic_text_judge_mode_of(j) != from || states_change(j, f)) carry_signs(j, f, from, before);
    ic_view_free(before);
    keep_round(j, f);
    j->jumped = true;
    _arb_vec_set(j->box, f->now, f->n + 1);
    return status;
}

/* ---- events of the text in a step */

/* Whether an event cannot fire where its value crosses zero within the step. */
static ic_status check_crossings(ic_text_judge *j, ic_flow *f, size_t i)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    const ic_text_event *e = &m->text->events[i];
    const size_t w = ic_text_judge_event_watch(j, m, i);
    ic_status status = IC_OK;
    for (int k = 1; k < IC_VIEW_PARTS && status == IC_OK; k++) {
        const ic_view *v = j->now.views[k];
        if (v == NULL || (2 * k < IC_VIEW_PARTS && j->now.views[(size_t)2 * (size_t)k] != NULL)) continue;
        const int slope = ic_text_judge_sign(v->slope + w);
        if (ic_text_judge_sign(v->value + w) != 0 || v->truth[i] == -1 || slope * e->direction < 0) continue;
        status = ic_text_judge_says(j, f, v->truth[i] == 1 && slope != 0 ? IC_CONTRADICTED : IC_UNDECIDED,
                                    "whether '%s' happens within a step", e->name);
    }
    return status;
}

/* The sign of an event's value where the step ends, or just before; 0: it is zero all along, or not known. */
static int last_sign(ic_text_judge *j, ic_flow *f, size_t watch)
{
    const ic_text_judged_sign sign = j->now.signs[watch];
    if (sign != MIXED && sign != UNKNOWN) return (int)sign;
    const ic_view *end = ic_text_judge_view(j, f, VIEW_END);
    const int value = ic_text_judge_sign(end->value + watch);
    return value != 0 ? value : -ic_text_judge_sign(end->slope + watch);
}

/*
 * Whether an event has happened where its value is zero at the start of a step, `last` before that instant, and `sign` in
 * the step. One that crosses either way also fires where an event turns it back, and does not where one stops it.
 */
static ic_status check_start(ic_text_judge *j, ic_flow *f, const ic_text_event *e, int sign, int last,
                             bool holds)
{
    const ic_text_judge_fired *fired = find_fired(j, e);
    const bool either = e->direction == 0 && last != 0, due = either ? sign == -last : sign * e->direction > 0;
    const bool open = either && (fired == NULL ? j->jumped : sign == 0 && fired->follows);
    if (fired == NULL && due)
        return ic_text_judge_says(j, f, holds ? IC_CONTRADICTED : IC_UNDECIDED, "'%s' has to happen here",
                                  e->name);
    if (!open) return IC_OK;
    return ic_text_judge_says(j, f, IC_UNDECIDED, "whether '%s' happens here", e->name);
}

ic_status ic_text_judge_events(ic_text_judge *j, ic_flow *f)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    ic_status status = IC_OK;
    for (size_t i = 0; i < m->text->n_events && status == IC_OK; i++) {
        const ic_text_event *e = &m->text->events[i];
        const size_t w = ic_text_judge_event_watch(j, m, i);
        const ic_text_judged_sign sign = j->now.signs[w];
        const int last = j->last_signs[i];
        j->last_signs[i] = last_sign(j, f, w);
        const ic_view *whole = ic_text_judge_view(j, f, 1);
        if (whole->truth[i] == -1) continue;
        if (sign == MIXED) status = check_crossings(j, f, i);
        if (sign == UNKNOWN)
            status = ic_text_judge_says(j, f, IC_UNDECIDED, "whether '%s' happens within a step", e->name);
        if (sign == MIXED || sign == UNKNOWN || ic_text_judge_sign(whole->value + w) != 0) continue;
        const ic_view *start = ic_text_judge_view(j, f, VIEW_START);
        if (start->truth[i] == -1 || !arb_contains_zero(start->value + w)) continue;
        status = check_start(j, f, e, (int)sign, last, start->truth[i] == 1);
    }
    return status;
}
