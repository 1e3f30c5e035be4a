/* SPDX-License-Identifier: MIT */
/*
 * Jumps: at random states, the texts of branches (conditions and states) agree with `apply`; names
 * in them exist.
 */
#include "validation/case/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * A condition this near to zero, relative to its terms, may be positive for the text and not for
 * the function, or vice versa.
 */
#define ON_THE_FENCE 1e-9

typedef struct jump_at {
    const ic_place *place;
    const ic_jump *jump;
    const ic_names *names;

    /* NULL: the start */
    const ic_point *at;
} jump_at;

static const double *state_of(const jump_at *j)
{
    return j->at != NULL ? j->at->x : NULL;
}

static bool read_text(ic_judge *judge, const jump_at *j, const char *text, ic_form *form, const char *what)
{
    ic_error error = {""};
    if (ic_expression(form, text, j->names, &error)) return true;
    return ic_contradicts(judge, j->place, NULL, what, "%.200s", error.text);
}

static double value_of(const ic_judge *judge, const jump_at *j, const ic_form *form)
{
    const double t = j->at != NULL ? j->at->t : judge->problem->t_start;
    return ic_form_value(form, j->at != NULL ? judge->problem->system->n_states : 0, t, state_of(j));
}

static double magnitude(const ic_judge *judge, const jump_at *j, const ic_form *form)
{
    double sum = fabs(form->constant) + fabs(form->cosine) + fabs(form->sine);
    for (size_t i = 0; j->at != NULL && i < judge->problem->system->n_states; i++)
        sum += fabs(form->state[i] * j->at->x[i]);
    return sum;
}

/* ---- the branch taken */

enum { NO_BRANCH = -1, UNCLEAR = -2 };

/* Whether the conditions of a branch, joined by " and ", hold: 1, 0, or UNCLEAR near to zero. */
static bool judge_condition(ic_judge *judge, const jump_at *j, const char *text, int *holds)
{
    static const char word[] = " and ";
    *holds = 1;
    while (text != NULL) {
        const char *end = strstr(text, word);
        char *part = strndup(text, end == NULL ? strlen(text) : (size_t)(end - text));
        ic_form form;
        const bool read = part != NULL && read_text(judge, j, part, &form, "a branch's condition can be read");
        free(part);
        judge->no_memory = part == NULL;
        if (!read) return false;
        const double value = value_of(judge, j, &form), size = magnitude(judge, j, &form);
        if (size > 0 && fabs(value) <= ON_THE_FENCE * size) *holds = *holds == 0 ? 0 : UNCLEAR;
        else if (!(value > 0)) *holds = 0;
        text = end == NULL ? NULL : end + strlen(word);
    }
    return true;
}

static bool branch_of_table(ic_judge *judge, const jump_at *j, int *taken)
{
    *taken = NO_BRANCH;
    for (size_t b = 0; b < j->jump->n_branches; b++) {
        const char *condition = j->jump->branches[b].condition;
        int holds = 1;
        if (condition != NULL && !judge_condition(judge, j, condition, &holds)) return false;
        if (holds == 0) continue;
        *taken = holds == UNCLEAR ? UNCLEAR : (int)b;
        return true;
    }
    return true;
}

/* ---- the state after */

static bool same_state(ic_judge *judge, const jump_at *j, const char *const *state, const double *post)
{
    const ic_case *system = judge->problem->system;
    char what[128];
    for (size_t i = 0; i < system->n_states; i++) {
        ic_form form = {0};
        if (state == NULL) form.state[i] = 1;
        else if (state[i] == NULL)
            return ic_contradicts(judge, j->place, NULL, "each state after its jump has a text",
                                  "'%s' has none", system->states[i].name);
        else if (!read_text(judge, j, state[i], &form, "the text of a state after its jump can be read"))
            return false;
        const double tolerance = IC_SUMMATION * (magnitude(judge, j, &form) + judge->scale[i]);
        snprintf(what, sizeof what, "the text of '%.48s' after its jump equals its function",
                 system->states[i].name);
        if (!ic_judge_equal(judge, j->place, j->at, what, "text", value_of(judge, j, &form), "function",
                            post[i], tolerance))
            return false;
    }
    return true;
}

static bool judge_at(ic_judge *judge, const jump_at *j)
{
    double post[IC_MAX_STATES] = {0};
    int expected = NO_BRANCH;
    const double t = j->at != NULL ? j->at->t : judge->problem->t_start;
    const int taken = j->jump->apply(post, t, state_of(j), judge->problem->par);
    const bool start = j->at == NULL;
    if (taken >= (int)j->jump->n_branches || taken < (start ? IC_NO_START : 0))
        return ic_contradicts(judge, j->place, j->at, "its jump takes a branch of its table",
                              "`apply` returns %d, branches are 0 to %zu", taken, j->jump->n_branches - 1);
    if (!j->jump->linear || taken < 0) return true;
    if (!branch_of_table(judge, j, &expected)) return false;
    judge->comparisons++;
    if (expected != UNCLEAR && expected != taken)
        return ic_contradicts(judge, j->place, j->at,
                              "the conditions of its branches select the branch that is taken",
                              "the texts select branch %d, the function selects %d", expected, taken);
    return same_state(judge, j, j->jump->branches[taken].state, post);
}

/* Every text, whether or not its branch is taken somewhere. */
static bool names_exist(ic_judge *judge, const jump_at *j)
{
    ic_form form;
    for (size_t b = 0; j->jump->linear && b < j->jump->n_branches; b++) {
        const ic_branch *branch = &j->jump->branches[b];
        int holds = 0;
        if (branch->condition != NULL && !judge_condition(judge, j, branch->condition, &holds)) return false;
        for (size_t i = 0; branch->state != NULL && i < judge->problem->system->n_states; i++) {
            if (branch->state[i] != NULL &&
                !read_text(judge, j, branch->state[i], &form, "the text of a state after its jump can be read"))
                return false;
        }
    }
    return true;
}

static bool judge_jump(ic_judge *judge, const ic_place *place, const ic_jump *jump)
{
    const ic_names names = {
        .system = judge->problem->system, .par = judge->problem->par, .states = true, .time = true};
    if (jump->apply == NULL) return true;
    if (!names_exist(judge, &(const jump_at){place, jump, &names, NULL})) return false;
    for (int k = 0; k < IC_JUDGE_POINTS; k++) {
        if (!judge_at(judge, &(const jump_at){place, jump, &names, &judge->anywhere[k]})) return false;
    }
    return true;
}

bool ic_judge_jumps(ic_judge *judge)
{
    const ic_variant *variant = judge->problem->variant;
    const ic_names at_start = {.system = judge->problem->system, .par = judge->problem->par, .time = true};
    const ic_place start = {.of = "start"};
    if (!names_exist(judge, &(const jump_at){&start, &variant->start, &at_start, NULL})) return false;
    if (!judge_at(judge, &(const jump_at){&start, &variant->start, &at_start, NULL})) return false;
    for (size_t m = 0; m < variant->n_modes; m++) {
        const ic_mode *mode = &variant->modes[m];
        for (size_t i = 0; i < mode->n_guards; i++) {
            const ic_place place = {mode, &mode->guards[i], NULL},
                           limit = {mode, &mode->guards[i], "accumulation"};
            if (!judge_jump(judge, &place, &mode->guards[i].jump)) return false;
            if (!judge_jump(judge, &limit, &mode->guards[i].accumulation)) return false;
        }
    }
    for (size_t k = 0; k < variant->n_time_events; k++) {
        char of[96];
        snprintf(of, sizeof of, "time event '%s'", variant->time_events[k].name);
        if (!judge_jump(judge, &(const ic_place){.of = of}, &variant->time_events[k].jump)) return false;
    }
    return true;
}
