/* SPDX-License-Identifier: MIT */
/*
 * Views of a step, and the signs of quantities over it.
 *
 * A sign is that of the enclosure over a part of the step; where that contains zero, parts are halved. Where the
 * quantity u is zero at the start (an event is there), u' > 0 over the part shows u > 0, and likewise at the end.
 * Next to a zero of a higher order (a body begins to slip) not even u' has a sign. There the sign is that in the middle of
 * each of the parts of 2^-MOST_HALVINGS of the step.
 */
#include "reference/judge/judge_parts.h"

#include <math.h>

enum { SIGN_BITS = 64, MOST_HALVINGS = 4, MOST_PASSES = 6, NARROW_BITS = 8 };

/* Places of the step where no event is likely. */
#define MIDDLE 0.4453125
#define OTHER_POINT 0.734375
/* A value counts as zero if its radius is below 2^-NARROW_BITS of the value within the step. */
/* The set is narrow if radii are below this part of the states' sizes. */
#define NARROW_SET 0x1p-20

int ic_text_judge_sign(const arb_t x)
{
    return !arb_is_finite(x) ? 0 : arb_is_positive(x) ? 1 : arb_is_negative(x) ? -1 : 0;
}

/* ---- views */

ic_view *ic_view_new(const ic_text_judge *j, slong prec)
{
    ic_view *v = flint_calloc(1, sizeof *v);
    v->prec = prec;
    v->x = ic_store_balls(&v->store, (slong)j->n_states);
    v->rates = ic_store_balls(&v->store, (slong)j->n_states);
    v->t = ic_store_balls(&v->store, 1);
    v->value = ic_store_balls(&v->store, (slong)j->most_watches);
    v->slope = ic_store_balls(&v->store, (slong)j->most_watches);
    v->truth = ic_store_zeros(&v->store, j->most_events, 1);
    v->pass = -1;
    return v;
}

void ic_view_free(ic_view *v)
{
    if (v != NULL) ic_store_free(&v->store);
    flint_free(v);
}

/* Fills a view with the certificate's states and rates where its states are y and its clock stands at a place. */
static void place_view(const ic_text_judge *j, ic_view *v, const ic_step *step, arb_srcptr y, const arb_t s)
{
    const slong n = step->phase->terms.n;
    ic_jets jets;
    IC_BALLS(clock);
    arb_mul_arf(clock, s, step->length, v->prec);
    arb_add(clock, clock, step->clock, v->prec);
    ic_jets_init(&jets, &step->phase->terms, step->phase->rates, 1, v->prec);
    ic_jets_start(&jets, y, clock);
    ic_jets_extend(&jets, 1, false);
    ic_text_judge_states(v->x, j, y);
    arb_set(v->t, y + n);
    const int time = step->phase->rates[n];
    for (size_t i = 0; i < j->n_states; i++) {
        const int own = j->own[i] < 0 || j->machine->states[i].discrete ? -1 : (int)j->own[i];
        /* a state that the certificate holds constant has no rate, whatever its formula says */
        const bool moves = own >= 0 && !step->phase->terms.constant[own];
        const int rate = moves ? step->phase->rates[own] : -1;
        if (rate < 0) arb_zero(v->rates + i);
        else if (time < 0) arb_indeterminate(v->rates + i);
        else arb_div(v->rates + i, ic_jet(&jets, rate), ic_jet(&jets, time), v->prec);
        /* where the clock is the root of what is zero, the quotient is not known, but x' = v is */
        const ic_text_judge_mode *m = &j->modes[j->mode];
        if (m->position[i] && !arb_is_finite(v->rates + i))
            arb_set(v->rates + i, v->x + j->machine->terms[m->text->rates[i]].index);
    }
    ic_jets_clear(&jets);
}

/* From and to, parts of the step, of a view of a part. */
static void part_of(double *from, double *to, const ic_text_judged_step *now, int number)
{
    int depth = 0;
    while (number >> (depth + 1) != 0) depth++;
    const double width = now->last / (1 << depth);
    *from = (number - (1 << depth)) * width;
    *to = *from + width;
}

/* States at a place of the step, for the whole set. */
static void states_at(arb_ptr y, const ic_text_judge *j, const ic_step *step, double place)
{
    IC_BALLS(s);
    IC_BOUNDS(spread);
    arb_set_d(s, place);
    ic_step_state(y, step, s);
    for (slong v = 0; v <= step->phase->terms.n; v++) {
        if (step->phase->variables[v] >= 0) ic_step_spread(spread, step, step->phase->variables[v], 0);
        if (step->phase->variables[v] >= 0) arb_add_error_mag(y + v, spread);
        else arb_set(y + v, j->box + v);
    }
}

static void open_view(ic_text_judge *j, ic_flow *f, ic_view *v, int number)
{
    const ic_text_judged_step *now = &j->now;
    IC_BALL_VECTOR(y, f->n + 1);
    double from = 0, to = 0;
    IC_BALLS(s, last);
    if (number == VIEW_MIDDLE) from = to = MIDDLE * now->last;
    else if (number == VIEW_POINT) from = to = OTHER_POINT * now->last;
    else if (number != VIEW_START && number != VIEW_END) part_of(&from, &to, now, number % VIEW_CENTRES);
    if (number >= VIEW_CENTRES) from = to = (from + to) / 2;
    arb_set_d(s, from);
    arb_set_d(last, to);
    arb_union(s, s, last, SIGN_BITS);
    if (number == VIEW_END) arb_set(s, now->end);
    if (number == VIEW_START || number == VIEW_END)
        _arb_vec_set(y, number == VIEW_START ? j->box : j->end_box, f->n + 1);
    else if (from < to) ic_step_range(y, now->step, now->step->low_order, to, from, to);
    else states_at(y, j, now->step, from);
    place_view(j, v, now->step, y, s);
}

ic_view *ic_text_judge_view(ic_text_judge *j, ic_flow *f, int number)
{
    ic_text_judged_step *now = &j->now;
    ic_view *v = now->views[number];
    if (v == NULL) {
        v = now->views[number] = ic_view_new(j, number < IC_VIEW_PARTS ? SIGN_BITS : f->prec);
        open_view(j, f, v, number);
    }
    if (v->pass != now->pass) ic_text_judge_run(j, v, now->assumed);
    v->pass = now->pass;
    return v;
}

/* ---- signs */

/* Whether a value at an end of the step is zero beside that in its middle. */
static bool is_zero_beside(const arb_t value, const arb_t middle)
{
    bool narrow = false;
    IC_BOUNDS(size);
    if (arb_is_finite(value) && arb_is_finite(middle) && arb_contains_zero(value)) {
        arb_get_mag_lower(size, middle);
        mag_mul_2exp_si(size, size, -NARROW_BITS);
        narrow = mag_cmp(arb_radref(value), size) <= 0;
    }
    return narrow;
}

/* Whether the value at an end of the step admits a sign in the step. */
static bool admits(ic_text_judge *j, ic_flow *f, size_t watch, int number, int sign)
{
    const ic_view *at = ic_text_judge_view(j, f, number);
    return ic_text_judge_sign(at->value + watch) == sign ||
           is_zero_beside(at->value + watch, ic_text_judge_view(j, f, VIEW_MIDDLE)->value + watch);
}

/* The value is monotone over a part and its sign is that beside it. */
enum { MONOTONE = UNKNOWN + 1 };

/* The sign of a part that is not halved any more. */
static int last_sign(ic_text_judge *j, ic_flow *f, size_t watch, int number, int middle)
{
    const bool ends[] = {number == 1 << MOST_HALVINGS, number == (2 << MOST_HALVINGS) - 1};
    const int centre = ic_text_judge_sign(ic_text_judge_view(j, f, VIEW_CENTRES + number)->value + watch);
    for (int k = 0; k < 2; k++) {
        if (!ends[k] || admits(j, f, watch, VIEW_START + k, middle)) continue;
        return ic_text_judge_sign(ic_text_judge_view(j, f, VIEW_START + k)->value + watch) == -middle ? MIXED
                                                                                                      : UNKNOWN;
    }
    if (centre != 0) return centre;
    return ic_text_judge_sign(ic_text_judge_view(j, f, number)->slope + watch) != 0 ? MONOTONE : UNKNOWN;
}

/* The sign over a part, where it is `middle` in the middle of the step. */
static int sign_over(ic_text_judge *j, ic_flow *f, size_t watch, int number, int middle, bool left_known,
                     bool right_known)
{
    const ic_view *over = ic_text_judge_view(j, f, number);
    const int sign = ic_text_judge_sign(over->value + watch), slope = ic_text_judge_sign(over->slope + watch);
    if (sign != 0) return sign;
    if ((left_known && slope == middle) || (right_known && slope == -middle)) return middle;
    if (number >= 1 << MOST_HALVINGS) return last_sign(j, f, watch, number, middle);
    int left = sign_over(j, f, watch, 2 * number, middle, left_known, false);
    const int right = sign_over(j, f, watch, 2 * number + 1, middle, left == middle, right_known);
    if (left == UNKNOWN && right == middle) left = sign_over(j, f, watch, 2 * number, middle, left_known, true);
    return left == right || right == MONOTONE    ? left
           : left == MONOTONE                    ? right
           : left == UNKNOWN || right == UNKNOWN ? UNKNOWN
                                                 : MIXED;
}

/* Whether the set is a point for all purposes. */
static bool set_is_narrow(const ic_text_judge *j, const ic_flow *f, const ic_view *v)
{
    for (size_t i = 0; i < j->n_states; i++) {
        if (j->own[i] < 0) continue;
        const double size = f->sizes[j->own[i]] + fabs(arf_get_d(arb_midref(v->x + i), ARF_RND_NEAR));
        if (!(mag_get_d(arb_radref(v->x + i)) <= NARROW_SET * size)) return false;
    }
    return true;
}

static ic_text_judged_sign sign_of(ic_text_judge *j, ic_flow *f, size_t watch)
{
    const ic_view *whole = ic_text_judge_view(j, f, 1);
    const int sign = ic_text_judge_sign(whole->value + watch);
    if (sign != 0) return (ic_text_judged_sign)sign;
    const ic_view *middle = ic_text_judge_view(j, f, VIEW_MIDDLE);
    const int inside = ic_text_judge_sign(middle->value + watch);
    if (!arb_is_finite(middle->value + watch)) return UNKNOWN;
    if (inside != 0) {
        const int over = sign_over(j, f, watch, 1, inside, admits(j, f, watch, VIEW_START, inside),
                                   admits(j, f, watch, VIEW_END, inside));
        return over == MONOTONE ? UNKNOWN : (ic_text_judged_sign)over;
    }
    return set_is_narrow(j, f, middle) ? STAYS : UNKNOWN;
}

/* ---- elements */

int ic_text_judge_state(const ic_text_judge *j, size_t i, const ic_text_element *e,
                        const ic_text_judged_sign *signs)
{
    const ic_text_judged_element *own = &j->elements[i];
    const int sign = signs[0] == BELOW ? -1 : signs[0] == ABOVE ? 1 : 0;
    const int condition = e->type == IC_TEXT_CONTACT ? ic_text_judge_condition(e) : 0;
    switch (e->type) {
    case IC_TEXT_STOP: return signs[0] == STAYS;
    case IC_TEXT_FRICTION: return sign;
    case IC_TEXT_SWITCH: return signs[0] == ABOVE ? 1 : signs[1] == BELOW ? 0 : own->state;
    case IC_TEXT_CONTACT:
        if (condition == 'A') return signs[0] == ABOVE;
        if (condition == 'B') return signs[1] == ABOVE;
        if (signs[0] != ABOVE || signs[1] == BELOW) return 0;
        return condition == '*' || own->state != 0 || own->separated;
    default: return own->state;
    }
}

/* A delay takes its input when that has been constant for its time. */
static ic_status follow_delay(ic_text_judge *j, ic_flow *f, size_t i, const ic_text_element *e, bool *changes)
{
    ic_text_judged_element *own = &j->elements[i];
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    ic_status status = IC_OK;
    IC_BALLS(arrival);
    ic_view *v = ic_text_judge_view(j, f, VIEW_START);
    ic_text_judge_run(j, v, j->now.assumed);
    const arb_struct *input = ic_text_value(m->program, e->parts[IC_TEXT_INPUT]);
    if (j->at_start) {
        *changes = *changes || !arb_equal(own->input, input);
        arb_set(own->input, input);
        arb_set(own->value, input);
        arb_set(own->since, v->t);
    } else if (!arb_overlaps(input, own->input)) {
        arb_set(own->input, input);
        arb_set(own->since, v->t);
        *changes = true;
    }
    arb_add(arrival, own->since, ic_text_value(m->program, e->parts[IC_TEXT_DELAY_TIME]), f->prec);
    if (!arb_overlaps(own->value, own->input)) {
        if (!arb_gt(arrival, v->t)) {
            arb_set(own->value, own->input);
            *changes = true;
        } else if (arb_lt(arrival, j->end_box + f->n)) {
            status = ic_text_judge_says(j, f, IC_CONTRADICTED, "delay '%s' has its input before the step's end",
                                        e->name);
        }
    }
    return status;
}

static ic_status follow_elements(ic_text_judge *j, ic_flow *f, bool *changes)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    ic_status status = IC_OK;
    for (size_t i = 0; i < j->n_elements && status == IC_OK; i++) {
        const ic_text_element *e = &m->text->elements[i];
        ic_text_judged_element *own = &j->elements[i];
        if (e->removed) continue;
        if (e->type == IC_TEXT_DELAY) {
            status = follow_delay(j, f, i, e, changes);
            arb_set(j->element_states + i, own->value);
            continue;
        }
        ic_text_judged_sign signs[2];
        for (size_t k = 0; k < 2; k++) {
            const size_t w = ic_text_judge_watch_of(m, i) + k;
            signs[k] = j->now.signs[w];
            /* a switch goes by its input where the step begins */
            if (e->type == IC_TEXT_SWITCH && signs[k] == MIXED)
                signs[k] =
                    (ic_text_judged_sign)ic_text_judge_sign(ic_text_judge_view(j, f, VIEW_START)->value + w);
        }
        const int state = ic_text_judge_state(j, i, e, signs);
        if (e->type == IC_TEXT_CONTACT && state != 0 && own->state == 0) {
            const ic_view *start = ic_text_judge_view(j, f, VIEW_START);
            const size_t w = ic_text_judge_watch_of(m, i);
            arb_zero(own->memory);
            if (arb_contains_zero(start->value + w))
                ic_text_judge_memory(own->memory, j, e, start->slope + w, f->prec);
        }
        if (e->type == IC_TEXT_CONTACT && state == 0) arb_zero(own->memory);
        *changes = *changes || state != own->state;
        own->state = state;
        arb_set_si(j->element_states + i, state);
    }
    return status;
}

/* Sides of kinks by the signs that are decided. Returns whether any changes. */
static bool assume_sides(ic_text_judged_step *now, size_t n_kinks)
{
    bool changes = false;
    for (size_t k = 0; k < n_kinks; k++) {
        const int is = now->signs[k] == ABOVE ? 1 : now->signs[k] == BELOW ? -1 : IC_TEXT_OPEN;
        changes = changes || now->assumed[k] != is;
        now->assumed[k] = (signed char)is;
    }
    return changes;
}

ic_status ic_text_judge_signs(ic_text_judge *j, ic_flow *f)
{
    const ic_text_judge_mode *m = ic_text_judge_mode_of(j);
    ic_text_judged_step *now = &j->now;
    ic_status status = IC_OK;
    bool changes = true;
    for (int pass = 0; pass < MOST_PASSES && changes && status == IC_OK; pass++) {
        now->pass = pass;
        for (size_t w = 0; w < m->n_watches; w++) {
            const bool decided = now->is_decided[w];
            if (decided || m->watches[w].kind == WATCH_NOTHING) continue;
            now->signs[w] = sign_of(j, f, w);
            now->is_decided[w] = now->signs[w] != UNKNOWN;
        }
        changes = assume_sides(now, m->n_kinks);
        /* other views are wanted for quantities that depend on what has just been decided only */
        bool lacking = false, states = false;
        for (size_t w = 0; w < m->n_watches; w++)
            lacking = lacking || (m->watches[w].kind != WATCH_NOTHING && now->signs[w] == UNKNOWN);
        status = follow_elements(j, f, &states);
        if (states) {
            for (size_t w = 0; w < m->n_watches; w++) now->is_decided[w] = false;
        }
        changes = states || (changes && lacking);
    }
    return status;
}
