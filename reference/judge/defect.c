/* SPDX-License-Identifier: MIT */
/*
 * The cheap form of the judge: rates of a case at places of a run, which its functions give in doubles, against the
 * text's flow at the same states. Each place is judged by itself; nothing is integrated.
 */
#include "reference/judge/judge.h"
#include "reference/judge/judge_parts.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 64, PLACE_BITS = 53 };

/*
 * Relative radius of states, times, parameters and rates. With this, and operations of PLACE_BITS, balls bound the rounding of
 * functions in doubles (2^-53 for each operation) with room for other orders of operations.
 */
#define ROUNDING 0x1p-46

/*
 * Quantities that are zero for some states that differ by this part of their sizes have no sign: a motion slides there, or
 * is held, as far as the solver's accuracy shows. A kink then has all rates between those of both sides.
 */
#define NO_SIGN 1e-3
/* Times NO_SIGN: up to this, quantities of elements that are held are zero. */
#define DRIFT 100
/* A scale is ignored if it is smaller than this part of what the state moves in a typical time. */
#define DEGENERATE 1e-6

/* A judge with its views of a place: as it is, and with all states near it. */
typedef struct place_judge {
    ic_text_judge *j;
    ic_flow f;
    ic_view *at, *near;
} place_judge;

static void set_ball(arb_t ball, double middle, double radius)
{
    arb_set_d(ball, middle);
    mag_set_d(arb_radref(ball), radius + fabs(middle) * ROUNDING);
}

/* As the case's functions see them: what is zero in the text may be rounding in doubles. */
static void set_parameters(place_judge *p)
{
    const ic_problem *problem = p->f.problem;
    for (size_t i = 0; i < problem->system->n_parameters; i++) {
        const int own = ic_text_find_parameter(p->j->machine, problem->system->parameters[i].name);
        if (own >= 0) set_ball(p->j->parameters + own, problem->par[i], 0);
    }
}

/* The value of a state of the run by its name and an ending. false: there is none. */
static bool find_value(double *value, const ic_flow *f, const double *x, const char *name, const char *ending)
{
    const ic_case *system = f->problem->system;
    const size_t n = strlen(name);
    for (size_t i = 0; i < system->n_states; i++) {
        const char *own = system->states[i].name;
        if (strncmp(own, name, n) != 0 || strcmp(own + n, ending) != 0) continue;
        *value = x[i];
        return true;
    }
    return false;
}

/* The state of an element in the run: a state, or in the name of the mode, "motion, wall: 1", which leaves out 0. */
static double element_of_run(const ic_flow *f, const double *x, const char *name)
{
    double value = 0;
    if (find_value(&value, f, x, name, "")) return value;
    char part[200];
    snprintf(part, sizeof part, ", %s: ", name);
    const char *found = strstr(ic_flow_mode(f)->name, part);
    return found == NULL ? 0 : strtod(found + strlen(part), NULL);
}

static void set_elements(place_judge *p, const double *x)
{
    ic_text_judge *j = p->j;
    for (size_t i = 0; i < j->n_elements; i++) {
        ic_text_judged_element *own = &j->elements[i];
        double memory = 0;
        const char *name = j->modes[j->mode].text->elements[i].name;
        const double value = element_of_run(&p->f, x, name);
        find_value(&memory, &p->f, x, name, "_memory");
        own->state = (int)lround(value);
        own->separated = false;
        set_ball(own->memory, memory, 0);
        arb_set_d(j->element_states + i, value);
    }
}

static void set_states(place_judge *p, double t, const double *x, const double *rates)
{
    const ic_text_judge *j = p->j;
    for (size_t i = 0; i < j->n_states; i++) {
        const int own = j->own[i];
        const bool rests = own < 0 || j->machine->states[i].discrete;
        for (int k = 0; k < 2; k++) {
            ic_view *v = k == 0 ? p->at : p->near;
            if (own < 0) arb_indeterminate(v->x + i);
            else if (rests) arb_set_d(v->x + i, x[own]);
            else set_ball(v->x + i, x[own], k == 0 ? 0 : NO_SIGN * p->f.sizes[own]);
            set_ball(v->rates + i, rests ? 0 : rates[own], 0);
            set_ball(v->t, t, 0);
        }
    }
    arb_set_d(j->box + p->f.n, t);
}

/* The mode of the text: that with the longest name, of those whose name the run's mode begins with. */
static bool find_mode(place_judge *p)
{
    size_t longest = 0;
    for (size_t m = 0; m < p->j->machine->n_modes; m++) {
        const size_t length = strlen(p->j->machine->modes[m].name);
        if (length <= longest || !ic_text_judge_is_in_mode(p->j, &p->f, (int)m)) continue;
        longest = length;
        p->j->mode = (int)m;
    }
    return longest > 0;
}

/*
 * A state that a rough run has seen at rest has a scale of rounding errors. What the text's rate, without forces of
 * elements, moves in a typical time is then its size.
 */
static void widen_states(const place_judge *p)
{
    const ic_text_judge *j = p->j;
    const ic_text_judge_mode *m = &j->modes[j->mode];
    for (size_t i = 0; i < j->n_states; i++) {
        ic_text_node rate = m->text->rates[i];
        double mass = 1, most;
        for (size_t r = 0; r < m->text->n_mass; r++) {
            if (m->text->mass_states[r] != (int)i) continue;
            const ic_text_node diagonal = m->text->matrix[r * (m->text->n_mass + 1)];
            rate = m->text->force[r];
            mass = arf_get_d(arb_midref(ic_text_value(m->program, diagonal)), ARF_RND_NEAR);
        }
        const arb_struct *value = ic_text_value(m->program, rate);
        most = p->f.sizes[p->f.n] / mass *
               (fabs(arf_get_d(arb_midref(value), ARF_RND_NEAR)) + mag_get_d(arb_radref(value)));
        if (j->own[i] >= 0 && isfinite(most) && p->f.sizes[j->own[i]] < DEGENERATE * most)
            mag_set_d(arb_radref(p->near->x + i), NO_SIGN * most);
    }
}

/* Signs of all quantities near the place; kinks may depend on others, and positions rest where velocities do. */
static void find_signs(place_judge *p)
{
    ic_text_judge *j = p->j;
    ic_text_judged_step *now = &j->now;
    const ic_text_judge_mode *m = &j->modes[j->mode];
    memset(now->assumed, IC_TEXT_OPEN, j->most_watches);
    for (int pass = 0; pass < 3; pass++) {
        ic_text_judge_run(j, p->near, now->assumed);
        widen_states(p);
        for (size_t w = 0; w < m->n_watches; w++) {
            const int sign = ic_text_judge_sign(p->near->value + w);
            now->signs[w] = m->watches[w].kind == WATCH_NOTHING  ? MIXED
                            : !arb_is_finite(p->near->value + w) ? UNKNOWN
                                                                 : (ic_text_judged_sign)sign;
            if (w < m->n_kinks) now->assumed[w] = (signed char)(sign != 0 ? sign : IC_TEXT_OPEN);
        }
    }
}

/* Whether a quantity that an element holds at zero is farther from it than errors of a solver's steps take it. */
static bool is_far(const arb_t quantity)
{
    return fabs(arf_get_d(arb_midref(quantity), ARF_RND_NEAR)) > DRIFT * mag_get_d(arb_radref(quantity));
}

/* Whether the run's states of elements are those of the text, where the text decides them. */
static ic_status check_states(place_judge *p)
{
    ic_text_judge *j = p->j;
    const ic_text_judge_mode *m = &j->modes[j->mode];
    for (size_t i = 0; i < j->n_elements; i++) {
        const ic_text_element *e = &m->text->elements[i];
        const ic_text_judged_sign *signs = j->now.signs + ic_text_judge_watch_of(m, i);
        const arb_struct *quantity = p->near->value + ic_text_judge_watch_of(m, i);
        const bool held = e->type == IC_TEXT_STOP ? j->elements[i].state != 0
                                                  : e->type == IC_TEXT_FRICTION && j->elements[i].state == 0;
        bool open = e->removed || e->type == IC_TEXT_DELAY || (held && !is_far(quantity));
        for (int k = 0; k < 2; k++) open = open || signs[k] == STAYS || signs[k] == UNKNOWN;
        if (open) continue;
        if (e->type == IC_TEXT_STOP && signs[0] == BELOW)
            return ic_text_judge_says(j, &p->f, IC_CONTRADICTED, "a body passes through '%s'", e->name);
        if (ic_text_judge_state(j, i, e, signs) != j->elements[i].state)
            return ic_text_judge_says(j, &p->f, IC_CONTRADICTED, "'%s' is in another state", e->name);
    }
    return IC_OK;
}

/* IC_UNSUPPORTED: there is nothing to be judged. */
static ic_status judge_place(place_judge *p, const ic_sample *at)
{
    double rates[IC_MAX_STATES];
    const ic_problem *problem = p->f.problem;
    if (at->mode < 0) return IC_UNSUPPORTED;
    const ic_mode *mode = &problem->variant->modes[at->mode];
    if (mode->terminal || mode->flow == NULL) return IC_UNSUPPORTED;
    p->f.mode = at->mode;
    if (!find_mode(p)) return IC_UNDECIDED;
    mode->flow(rates, at->t, at->x, problem->par);
    for (slong i = 0; i < p->f.n; i++) {
        if (!isfinite(at->x[i]) || !isfinite(rates[i])) return IC_UNDECIDED;
    }
    set_states(p, at->t, at->x, rates);
    set_elements(p, at->x);
    find_signs(p);
    const ic_status status = check_states(p);
    return status == IC_OK ? ic_text_judge_rates(p->j, &p->f, p->at) : status;
}

/* Place k of a log: samples, then both sides of events, then the end. */
static ic_sample place_at(const ic_log *log, size_t k)
{
    const size_t samples = ic_log_sample_count(log);
    if (k < samples) return ic_log_sample_at(log, k);
    k -= samples;
    if (k >= 2 * ic_log_event_count(log)) return ic_log_end(log);
    const ic_event e = ic_log_event_at(log, k / 2);
    const bool begins = k % 2 == 0, last = k / 2 + 1 == ic_log_event_count(log);
    const int chain = begins ? e.sequence : last ? 0 : ic_log_event_at(log, k / 2 + 1).sequence;
    if (chain > 0) return (ic_sample){e.t, -1, e.x_post};
    return begins ? (ic_sample){e.t, e.mode_from, e.x_pre} : (ic_sample){e.t, e.mode_to, e.x_post};
}

/* mode -1: nothing lasts there, between two events of one instant, or before an event of the start. */
static ic_sample place_of(const ic_log *log, size_t k)
{
    ic_sample at = place_at(log, k);
    if (k <= ic_log_sample_count(log) && ic_log_event_count(log) > 0 && at.t == ic_log_problem(log)->t_start &&
        ic_log_event_at(log, 0).t == at.t)
        at.mode = -1;
    return at;
}

static void judge_places(ic_defect *d, place_judge *p, const ic_log *log)
{
    const size_t n = ic_log_sample_count(log) + 2 * ic_log_event_count(log) + 1;
    for (size_t k = 0; k < n && d->status == IC_OK; k += 1 + n / MOST_PLACES) {
        const ic_sample at = place_of(log, k);
        const ic_status status = judge_place(p, &at);
        if (status == IC_CONTRADICTED) {
            d->status = status;
            snprintf(d->reason, sizeof d->reason, "%s", p->f.message);
        }
        if (status != IC_OK && status != IC_CONTRADICTED) {
            d->undecided += status != IC_UNSUPPORTED;
            continue;
        }
        d->judged++;
        if (p->j->misfit <= d->greatest) continue;
        d->greatest = p->j->misfit;
        d->t = at.t;
        d->state = d->greatest > 0 ? p->f.problem->system->states[p->j->own[p->j->misfit_state]].name : NULL;
    }
    if (d->judged == 0) snprintf(d->reason, sizeof d->reason, "no place of the run could be judged");
}

void ic_judge_defect(ic_defect *d, const ic_log *log, const char *text)
{
    const ic_problem *problem = ic_log_problem(log);
    place_judge p = {.j = ic_text_judge_new(problem, text)};
    ic_text_judge *j = p.j;
    *d = (ic_defect){.greatest = NAN, .t = NAN, .status = IC_OK};
    ic_status status = ic_flow_prepare(&p.f, problem, PLACE_BITS, &(ic_flow_options){0});
    if (status != IC_OK) ic_text_judge_ignores(j, "%s", p.f.message);
    if (j->ignorance[0] == '\0') {
        j->prec = PLACE_BITS;
        j->rounded = true;
        _arb_vec_zero(j->box, p.f.n + 1);
        status = ic_text_judge_parameters(j, &p.f);
        set_parameters(&p);
        p.at = ic_view_new(j, PLACE_BITS);
        p.near = ic_view_new(j, PLACE_BITS);
        if (status == IC_OK) judge_places(d, &p, log);
        else snprintf(d->reason, sizeof d->reason, "%s", p.f.message), d->status = status;
        ic_view_free(p.at);
        ic_view_free(p.near);
    } else {
        snprintf(d->reason, sizeof d->reason, "%s", j->ignorance);
    }
    ic_flow_close(&p.f);
    ic_text_judge_free(j);
}
