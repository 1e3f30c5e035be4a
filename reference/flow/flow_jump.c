/* SPDX-License-Identifier: MIT */
/* Jumps of a set, and which guards are zero after them. */
#include "reference/flow/flow_record.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The next event is likely to come within some times the interval since the last one. */
static void expect_event(ic_flow *f)
{
    enum { TIMES = 4, BITS = 64 };
    IC_BALLS(interval);
    arb_sub(interval, f->set.centre + f->n, f->last_event, BITS);
    f->likely = TIMES * ic_flow_middle(interval);
    if (!(f->likely > 0)) f->likely = INFINITY;
    arb_set(f->last_event, f->set.centre + f->n);
}

ic_status ic_flow_begin_event(ic_flow *f, ic_event_kind kind, const char *name, bool same_instant)
{
    f->kind = kind;
    f->name = name;
    f->mode_from = f->mode;
    ic_flow_set_box(f->before, &f->set);
    if (!same_instant) {
        f->chain = 0;
        f->n_fired = 0;
        expect_event(f);
    } else if (++f->chain > IC_CHAIN_MAX) {
        snprintf(f->message, sizeof f->message, "more than %d jumps at one instant", IC_CHAIN_MAX);
        return IC_CHAIN;
    }
    return IC_OK;
}

int ic_flow_crossed_too(const ic_flow *f)
{
    for (size_t i = 0; i < f->values[f->mode].n; i++) {
        if (f->guards[i].crossed) return (int)i;
    }
    return -1;
}

/* A jump while it is applied: formulas of the set before it. */
typedef struct set_jump {
    ic_flow *f;
    const ic_jump *jump;
    ic_flow_terms terms;
    ic_translation translation;
    ic_store store;

    arb_ptr box;
    bool *constant;

    /* by state: its term after the jump */
    int *after;

    /* by value of the present mode: its term before the jump (-1: not known), and whether it is zero there */
    int *before;
    bool *zero;

    int branch;
} set_jump;

/* A value of a mode as a term; -1: it is not known. Values are asked for in the order of their numbers. */
static int value_term(set_jump *j, int mode, size_t i)
{
    const ic_mode_values *values = &j->f->values[mode];
    const ic_mode *m = &j->f->problem->variant->modes[mode];
    ic_translation *t = &j->translation;
    if (i == 0 || i == values->first_condition)
        ic_translate_begin(t, i < values->first_condition ? m->equations : m->quantities);
    t->message[0] = '\0';
    return ic_translated_term(t, ic_translate(t, values->operations[i]));
}

/* Whether a term is zero by theorem: as a constant, or as a multiple of a guard that is zero. */
static bool is_zero(const set_jump *j, int term)
{
    if (term < 0) return false;
    if (ic_flow_term_is_zero(&j->terms, term)) return true;
    for (size_t i = 0; i < j->translation.n_known; i++) {
        if (ic_flow_term_ratio_sign(&j->terms, term, j->translation.known[i].term) != 0) return true;
    }
    return false;
}

/* Values of the present mode that are zero before the jump. */
static void add_zeros(set_jump *j)
{
    ic_translation *t = &j->translation;
    const size_t n = j->f->values[j->f->mode].n;
    for (size_t i = 0; i < n; i++) {
        const int term = j->before[i] = value_term(j, j->f->mode, i);
        if (term >= 0 && j->f->guards[i].zero)
            t->known[t->n_known++] = (ic_known_sign){.term = term, .sign = 0, .guard = (int)i};
    }
    for (size_t i = 0; i < n; i++) j->zero[i] = is_zero(j, j->before[i]);
    t->message[0] = '\0';
}

/* false: memory ran out. Close the jump in any case. */
static bool open_jump(set_jump *j, ic_flow *f, const ic_jump *jump, bool from_states)
{
    const slong n = f->n;
    IC_BALLS(no_clock);
    *j = (set_jump){.f = f, .jump = jump, .branch = -1};
    j->translation = ic_translation_of_values(&j->terms, f->problem, f->par, &f->tables);
    j->translation.proved = f->proof != NULL;
    const size_t values = f->values[f->mode].n;
    j->box = ic_store_balls(&j->store, n + 1);
    j->constant = ic_store_zeros(&j->store, (size_t)n + 1, sizeof *j->constant);
    j->after = ic_store_zeros(&j->store, (size_t)n, sizeof *j->after);
    j->before = ic_store_zeros(&j->store, values, sizeof *j->before);
    j->zero = ic_store_zeros(&j->store, values, sizeof *j->zero);
    j->translation.known = ic_store_zeros(&j->store, values, sizeof *j->translation.known);
    ic_flow_set_box(j->box, &f->set);
    for (slong v = 0; v <= n; v++) j->constant[v] = arb_is_exact(j->box + v);
    ic_flow_terms_init(&j->terms, n, j->box, no_clock, j->constant, f->prec);
    if (from_states) add_zeros(j);
    return !j->terms.failed;
}

static void close_jump(set_jump *j)
{
    ic_translate_end(&j->translation);
    free(j->translation.assumptions);
    ic_flow_terms_clear(&j->terms);
    ic_store_free(&j->store);
}

/* The value of a guard of any mode as a term; -1: it is not known. */
static int guard_term(set_jump *j, const ic_guard *guard)
{
    const ic_variant *variant = j->f->problem->variant;
    for (size_t m = 0; m < variant->n_modes; m++) {
        for (size_t i = 0; i < variant->modes[m].n_guards; i++) {
            if (&variant->modes[m].guards[i] != guard || variant->modes[m].equations == NULL) continue;
            ic_translate_begin(&j->translation, variant->modes[m].equations);
            j->translation.message[0] = '\0';
            return ic_translated_term(&j->translation,
                                      ic_translate(&j->translation, j->f->values[m].operations[i]));
        }
    }
    return -1;
}

/*
 * Adds the guard that fires to those that have fired at this instant. Guards with the same function that have fired
 * towards the other side may fire again (contract, clause 3).
 */
static void add_fired(ic_flow *f, const ic_guard *fired)
{
    const int side = f->guards[f->fired_number].side, to = fired->direction != 0 ? fired->direction : -side;
    size_t kept = 0;
    for (size_t i = 0; i < f->n_fired; i++) {
        /* not by terms: all values that are exactly zero are one */
        const bool same = f->fired[i].guard->value == fired->value;
        if (ic_flow_same_guard(f->fired[i].guard, fired)) continue;
        if (!same || f->fired[i].to == to) f->fired[kept++] = f->fired[i];
    }
    if (kept < IC_COUNT(f->fired)) f->fired[kept++] = (ic_fired_guard){.guard = fired, .to = to};
    f->n_fired = kept;
}

/* Guards that a jump has moved off zero are armed again (clause 5). */
static void forget_moved_guards(set_jump *j)
{
    ic_flow *f = j->f;
    size_t kept = 0;
    j->translation.substitute = j->after;
    for (size_t i = 0; i < f->n_fired; i++) {
        const int value = guard_term(j, f->fired[i].guard);
        if (value < 0 || arb_contains_zero(j->terms.values + value)) f->fired[kept++] = f->fired[i];
    }
    j->translation.substitute = NULL;
    f->n_fired = kept;
}

static size_t results_per_branch(const ic_jump *jump)
{
    return jump->equations->n_results / jump->n_branches;
}

/* Whether the enclosure of a condition alone decides it, as a proof requires. */
static bool has_plain_sign(set_jump *j, int condition)
{
    const int term = ic_translated_term(&j->translation, ic_translate(&j->translation, condition));
    arb_srcptr value = j->terms.values + (term < 0 ? 0 : term);
    return term >= 0 && (arb_is_positive(value) || arb_is_nonpositive(value));
}

static ic_status choose_branch(set_jump *j)
{
    ic_translation *t = &j->translation;
    for (size_t b = 0; b < j->jump->n_branches; b++) {
        const int condition = j->jump->equations->results[b * results_per_branch(j->jump)];
        int sign = 1;
        if (condition >= 0) {
            const ic_translated value = ic_translate(t, condition);
            sign = value.term < 0 ? IC_NO_SIGN : ic_translated_sign(t, value);
        }
        if (j->f->proof != NULL && condition >= 0 && sign != IC_NO_SIGN && !has_plain_sign(j, condition)) {
            snprintf(j->f->message, sizeof j->f->message,
                     "a condition of '%.80s' that is zero by a theorem has no place in a proof yet",
                     j->f->name);
            return IC_UNSUPPORTED;
        }
        if (sign == IC_NO_SIGN)
            return ic_flow_undecided(j->f, "the sign of a condition of '%.60s'%s%s", j->f->name,
                                     t->message[0] != '\0' ? ": " : "", t->message);
        if (sign <= 0) continue;
        j->branch = (int)b;
        return IC_OK;
    }
    snprintf(j->f->message, sizeof j->f->message, "no branch of the jump of '%.80s' can be taken", j->f->name);
    return IC_INVALID;
}

static ic_status translate_states(set_jump *j)
{
    ic_translation *t = &j->translation;
    const int *results = j->jump->equations->results + (size_t)j->branch * results_per_branch(j->jump) + 1;
    for (slong v = 0; v < j->f->n; v++) {
        j->after[v] = ic_translated_term(t, ic_translate(t, results[v]));
        if (j->after[v] >= 0) continue;
        const char *meaning = j->f->problem->system->states[v].meaning;
        const bool side = meaning != NULL && strncmp(meaning, "sign of ", 8) == 0;
        if (side && strstr(t->message, "negative number") != NULL) /* a side without a value */
            return ic_flow_undecided(
                j->f,
                "the motion is not determined where %.60s is 0: the flows of its sides allow several or none",
                meaning + 8);
        return ic_flow_undecided(j->f, "the jump of '%.60s': %s", j->f->name, t->message);
    }
    return j->terms.failed ? IC_NO_MEMORY : IC_OK;
}

/*
 * Whether a guard of either direction was on its other side before the event that has led to zero, and has not fired
 * yet: it fires there, whatever the flow is from here on. For a guard with a direction its rate decides (clause 2).
 */
static bool crosses_too(const set_jump *j, size_t i, const ic_guard_state *before)
{
    const ic_guard *guard = ic_flow_guard(j->f, i);
    return guard->direction == 0 && j->zero[i] && ic_flow_fired(j->f, guard) == NULL &&
           (before->crossed || (before->side != 0 && before->order == 0));
}

/* The number of a guard of the present mode in the next one; SIZE_MAX: that does not have it. */
static size_t counterpart(const ic_flow *f, size_t i, int next)
{
    const ic_mode *mode = &f->problem->variant->modes[next];
    size_t k = 0;
    while (k < mode->n_guards && !ic_flow_same_guard(&mode->guards[k], ic_flow_guard(f, i))) k++;
    return k < mode->n_guards ? k : SIZE_MAX;
}

/* Finds the values of the next mode that are zero after the jump, as formulas in the states before it. */
static ic_status find_zero_guards(set_jump *j, int next)
{
    ic_flow *f = j->f;
    const size_t n = ic_flow_mode(f)->n_guards;
    IC_ZEROS(ic_guard_state, before, n);
    ic_status status = IC_OK;
    for (size_t i = 0; i < n; i++) before[i] = f->guards[i];
    j->translation.substitute = j->after;
    for (size_t i = 0; i < f->values[next].n; i++)
        f->guards[i] = (ic_guard_state){.zero = is_zero(j, value_term(j, next, i))};
    j->translation.substitute = NULL;
    for (size_t i = 0; i < n && status == IC_OK; i++) {
        const size_t k = crosses_too(j, i, &before[i]) ? counterpart(f, i, next) : SIZE_MAX;
        if (k == SIZE_MAX || !f->guards[k].zero) continue;
        f->guards[k].crossed = true;
        f->guards[k].side = before[i].side;
        if (f->values[next].conditions[k] != 0)
            status = ic_flow_undecided(f, "whether guard '%s' is enabled", ic_flow_guard(f, i)->name);
    }
    return status;
}

/* Maps the set. */
static void map_set(set_jump *j)
{
    ic_flow *f = j->f;
    const slong n = f->n;
    ic_jets centre, near;
    ic_gradients gradients;
    IC_ZEROS(slong, variables, n + 1);
    IC_ZEROS(int, rates, n + 1);
    slong m = 0;
    for (slong v = 0; v <= n; v++) {
        rates[v] = -1;
        if (!j->constant[v]) variables[m++] = v;
    }
    IC_BALL_VECTOR(image, n + 1);
    ic_jets_init(&centre, &j->terms, rates, 1, f->prec);
    ic_jets_init(&near, &j->terms, rates, 1, IC_SECTION_BITS);
    ic_jets_start(&centre, f->set.centre, j->terms.clock);
    ic_jets_extend(&centre, 1, true);
    ic_jets_start(&near, j->box, j->terms.clock);
    ic_jets_extend(&near, 1, true);
    ic_gradients_init(&gradients, &near, variables, m);
    IC_BALL_MATRIX(derivative, n + 1, n + 1);
    for (slong v = 0; v < n; v++) {
        arb_set(image + v, ic_jet(&centre, j->after[v]));
        for (slong c = 0; c < m; c++)
            arb_set(arb_mat_entry(derivative, v, variables[c]), ic_gradient(&gradients, j->after[v], c));
    }
    arb_set(image + n, f->set.centre + n);
    arb_one(arb_mat_entry(derivative, n, n));
    ic_flow_map(f, image, derivative);
    ic_gradients_clear(&gradients);
    ic_jets_clear(&near);
    ic_jets_clear(&centre);
}

/* The mode after the jump, if it is known as formulas. */
static ic_status find_next_mode(int *next, ic_flow *f, const ic_branch *branch)
{
    const ic_variant *variant = f->problem->variant;
    *next = branch->mode == IC_SAME_MODE ? f->mode : branch->mode;
    if (*next < 0 || (size_t)*next >= variant->n_modes) {
        snprintf(f->message, sizeof f->message, "the jump of '%.80s' leads to mode %d of %zu", f->name, *next,
                 variant->n_modes);
        return IC_INVALID;
    }
    if (variant->modes[*next].equations == NULL) {
        snprintf(f->message, sizeof f->message, "mode '%.80s' is not known as formulas",
                 variant->modes[*next].name);
        return IC_UNSUPPORTED;
    }
    return IC_OK;
}

/* Moves the flow to the other side of the jump. */
static void land(set_jump *j, const ic_branch *branch, int next, const ic_guard *fired)
{
    ic_flow *f = j->f;
    ic_flow_record_jump(f, j->branch);
    map_set(j);
    ic_flow_record_set(f);
    f->mode = next;
    f->branch = branch;
    f->departed = branch;
    f->faded = SIZE_MAX;
    f->unchanged =
        fired != NULL && next == f->mode_from && f->guards[f->fired_number].zero ? f->fired_number : SIZE_MAX;
    ic_flow_set_box(f->now, &f->set);
    if (f->chain >= 0) ic_flow_record_printed(f, f->now);
}

/* The phase after a jump. */
static ic_status begin_phase(ic_flow *f, const ic_branch *branch)
{
    ic_flow_phase_clear(f);
    if (ic_flow_mode(f)->terminal) return IC_OK;
    if (ic_flow_crossed_too(f) < 0) return ic_flow_phase_begin(f, branch);
    for (size_t i = 0; i < f->n_fired; i++) f->fired[i].turned = true; /* or the next jump has */
    return IC_OK;
}

ic_status ic_flow_jump(ic_flow *f, const ic_jump *jump, const ic_guard *fired, bool from_states)
{
    set_jump j;
    int next = 0;
    const ic_branch *branch = NULL;
    if (jump->equations == NULL) {
        snprintf(f->message, sizeof f->message, "the jump of '%.80s' is not known as formulas", f->name);
        return IC_UNSUPPORTED;
    }
    ic_status status = open_jump(&j, f, jump, from_states) ? IC_OK : IC_NO_MEMORY;
    if (status == IC_OK) {
        if (fired != NULL) add_fired(f, fired);
        ic_translate_begin(&j.translation, jump->equations);
        status = choose_branch(&j);
    }
    if (status == IC_OK) status = translate_states(&j);
    if (status == IC_OK) {
        branch = &jump->branches[j.branch];
        status = find_next_mode(&next, f, branch);
    }
    if (status == IC_OK) {
        forget_moved_guards(&j);
        status = find_zero_guards(&j, next);
    }
    if (status == IC_OK) land(&j, branch, next, fired);
    close_jump(&j);
    return status == IC_OK ? begin_phase(f, branch) : status;
}
