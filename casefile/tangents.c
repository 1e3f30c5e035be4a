/* SPDX-License-Identifier: MIT */
/*
 * Adds tangents to the plan of a variant: for each direction, a parameter p or a state at the start, the derivatives v of
 * all states at a fixed time, and the derivative tau of the time of the last event. They follow
 *
 *     v' = f_x v + f_p,
 *
 * and at an event with the guard g, the jump J and the flow f+ after it
 *
 *     tau = -(g_x v + g_p)/(g_x f + g_t),    v -> J_x v + J_p + (J_x f + J_t - f+(J)) tau
 *
 * (Leine & Nijmeijer 2004). Where the guard has no rate, it fires together with the event before it, whose tau holds. All
 * of it is done in the graph, and shares nothing with the certificates' derivatives.
 */
#define GRAPH w->r->graph
#include "casefile/tangents.h"
#include "casefile/law.h"
#include "casefile/operators.h"
#include "core/names.h"

#include <string.h>

typedef struct tangents {
    ic_case_reader *r;
    ic_plan *plan;

    /* states without tangents, and with them */
    size_t n, all;

    /* where the first n are among all: the memory of a law is the last */
    int index[IC_MAX_STATES];

    /* the first n as nodes */
    ic_node states[IC_MAX_STATES];

    /* of all states: in the direction, the tangents of the first n */
    ic_node along[IC_MAX_STATES];

    /* by parameter: its derivative in that direction */
    ic_node *slopes;

    /* index of that direction */
    size_t direction;

    /* the state at whose start it begins, or -1 */
    int start;

    /* the variant is the one that is differentiated */
    bool varies;
} tangents;

/* ---- directions */

static size_t first_of(const tangents *w, size_t direction)
{
    return w->n - (w->r->memory >= 0) + direction * (w->n + 1);
}

/* Parameters that the settings of a problem state do not follow from others. */
static bool is_set(const ic_case_reader *r, size_t parameter)
{
    const char *name = r->parameters[parameter].name;
    const size_t length = strlen(name);
    for (size_t i = 0; i < r->directions->n_settings; i++) {
        const char *setting = r->directions->settings[i];
        if (strncmp(setting, name, length) == 0 && setting[length] == '=') return true;
    }
    return false;
}

/* The value of a parameter of the law in this case, as ic_compose gives it. IC_NO_NODE: the law's own, a number. */
static ic_node value_in_case(tangents *w, const char *name)
{
    ic_case_reader *r = w->r;
    const ic_yaml *section = ic_yaml_get(r->root, "law_defaults");
    const ic_yaml *text = section == NULL ? NULL : ic_yaml_get(section, name);
    const int same = ic_reader_parameter(r, name);
    r->uses = IC_USE_PARAMETERS;
    const ic_scope scope = ic_reader_scope(r, NULL);
    ic_term term = {.node = same < 0 ? IC_NO_NODE : ic_graph_indexed(GRAPH, IC_OP_PARAMETER, same)};
    if (text != NULL && !ic_formula_read(&term, text, &scope)) return IC_NO_NODE;
    return term.node;
}

/* Derivatives of the parameters of the law, which come after those of the case. */
static void vary_law(tangents *w, const char *by)
{
    const ic_law *law = w->r->law;
    for (size_t i = 0; law != NULL && w->varies && i < law->n_parameters; i++) {
        const ic_node value = value_in_case(w, law->parameters[i].name);
        ic_node *slope = &w->slopes[w->r->n_parameters + i];
        *slope = value < 0 ? INT(strcmp(law->parameters[i].name, by) == 0)
                           : ic_graph_along(GRAPH, value, NULL, 0, w->slopes);
    }
}

static bool begin_direction(tangents *w, size_t direction)
{
    ic_case_reader *r = w->r;
    const char *name = r->directions->names[direction];
    const int by = ic_reader_parameter(r, name);
    if (by < 0 && ic_reader_state(r, name) < 0)
        return ic_fault_add(r->faults, r->root->place, "no derivatives: there is no parameter or state '%s'",
                            name);
    w->direction = direction;
    w->start = by < 0 ? ic_reader_state(r, name) : -1;
    const size_t of_law = r->law == NULL ? 0 : r->law->n_parameters;
    w->slopes = ic_arena_take(r->arena, (r->n_parameters + of_law + 1) * sizeof *w->slopes);
    for (size_t i = 0; i < w->all; i++) w->along[i] = INT(0);
    for (size_t i = 0; i < w->n; i++)
        w->along[w->index[i]] = ic_graph_indexed(GRAPH, IC_OP_STATE, (int)(first_of(w, direction) + i));
    for (size_t i = 0; i < r->n_parameters && w->slopes != NULL; i++) {
        const ic_node formula = r->parameter_nodes[i];
        w->slopes[i] = INT(by >= 0 && strcmp(r->parameters[i].name, name) == 0);
        if ((int)i > by && by >= 0 && formula >= 0 && !is_set(r, i))
            w->slopes[i] = ic_graph_along(GRAPH, formula, NULL, 0, w->slopes);
    }
    if (w->slopes != NULL) vary_law(w, name);
    return w->slopes != NULL;
}

static ic_node derive(tangents *w, ic_node node)
{
    return ic_graph_along(GRAPH, node, w->along, w->all, w->slopes);
}

/* ---- flows and jumps */

static void derive_flow(tangents *w, ic_plan_mode *mode)
{
    ic_node *to = mode->flow + first_of(w, w->direction);
    for (size_t i = 0; i < w->n; i++) to[i] = w->varies ? derive(w, mode->flow[w->index[i]]) : INT(0);
    to[w->n] = INT(0);
}

/* A jump is caused by a guard of a mode, or by a given time; then both are NULL. */
typedef struct cause {
    const ic_plan_mode *mode;
    const ic_plan_guard *guard;
} cause;

/* tau: that of the event before, where the guard has no rate. */
static ic_node find_delay(tangents *w, const cause *cause)
{
    const ic_node last = ic_graph_indexed(GRAPH, IC_OP_STATE, (int)(first_of(w, w->direction) + w->n));
    if (cause->guard == NULL) return INT(0);
    const ic_node rate = ic_graph_rate(GRAPH, cause->guard->value, cause->mode->flow, w->all);
    const ic_node change = derive(w, cause->guard->value);
    if (ic_graph_is(GRAPH, rate, 0)) return last;
    const ic_node moves = MUL(rate, rate);
    return IF_POSITIVE(moves, NEG(DIV(change, rate)), last);
}

/* The rate of a state after a jump; nothing moves where the run is over. */
static ic_node rate_after(tangents *w, const cause *cause, const ic_plan_branch *branch, size_t i)
{
    const ic_plan_mode *next = branch->mode == IC_SAME_MODE ? cause->mode : &w->plan->modes[branch->mode];
    if (next == NULL || next->terminal) return INT(0);
    ic_node after[IC_MAX_STATES];
    for (size_t k = 0; k < w->n; k++) after[k] = branch->states[w->index[k]];
    return ic_graph_substitute(GRAPH, next->flow[w->index[i]], w->states, after, w->n);
}

static void derive_branch(tangents *w, const cause *cause, ic_plan_branch *branch, ic_node delay)
{
    ic_node *to = branch->states + first_of(w, w->direction);
    for (size_t i = 0; i < w->n; i++) {
        const ic_node state = branch->states[w->index[i]];
        to[i] = derive(w, state);
        if (cause->guard == NULL) continue;
        const ic_node excess =
            SUB(ic_graph_rate(GRAPH, state, cause->mode->flow, w->all), rate_after(w, cause, branch, i));
        to[i] = ADD(to[i], MUL(excess, delay));
    }
    to[w->n] = delay;
}

/* The start: along a state there, 1 for that state alone. */
static void derive_start(tangents *w, ic_plan_branch *branch)
{
    ic_node *to = branch->states + first_of(w, w->direction);
    for (size_t i = 0; i < w->n; i++)
        to[i] = w->start >= 0 ? INT((int)i == w->start)
                              : ic_graph_along(GRAPH, branch->states[w->index[i]], NULL, 0, w->slopes);
    to[w->n] = INT(0);
}

/* `cause` NULL: the jump is one of another variant, and changes no tangent. */
static bool derive_jump(tangents *w, ic_plan_jump *jump, const cause *cause)
{
    const size_t first = first_of(w, w->direction);
    const ic_node delay = cause == NULL ? IC_NO_NODE : find_delay(w, cause);
    for (size_t b = 0; b < jump->n; b++) {
        if (cause != NULL) derive_branch(w, cause, &jump->branches[b], delay);
        for (size_t i = 0; i <= w->n && cause == NULL; i++)
            jump->branches[b].states[first + i] = ic_graph_indexed(GRAPH, IC_OP_STATE, (int)(first + i));
    }
    return true;
}

/* ---- the plan */

/* Makes room for tangents among the states after a jump. */
static bool widen(tangents *w, ic_plan_jump *jump)
{
    for (size_t b = 0; b < jump->n; b++) {
        ic_node *wider = ic_arena_take(w->r->arena, w->all * sizeof *wider);
        if (wider == NULL) return false;
        for (size_t i = 0; i < w->n; i++) wider[w->index[i]] = jump->branches[b].states[i];
        jump->branches[b].states = wider;
    }
    return true;
}

typedef bool jump_visit(tangents *w, ic_plan_jump *jump, const cause *cause);

/* Visits all jumps but that of the start. */
static bool visit_jumps(tangents *w, jump_visit *visit)
{
    bool good = true;
    for (size_t m = 0; m < w->r->n_modes && good; m++) {
        ic_plan_mode *mode = &w->plan->modes[m];
        for (size_t g = 0; g < mode->n_guards && mode->exists && good; g++) {
            const cause own = {mode, &mode->guards[g]};
            good = visit(w, &mode->guards[g].jump, w->varies ? &own : NULL) &&
                   visit(w, &mode->guards[g].accumulation, w->varies ? &own : NULL);
        }
    }
    const cause given = {NULL, NULL};
    for (size_t i = 0; i < w->plan->n_times && good; i++)
        good = visit(w, &w->plan->times[i].jump, w->varies ? &given : NULL);
    return good;
}

static bool derive_direction(tangents *w, size_t direction)
{
    ic_plan *plan = w->plan;
    if (!begin_direction(w, direction)) return false;
    for (size_t i = 0; i < plan->n_times && w->varies; i++) {
        if (!ic_graph_is(GRAPH, ic_graph_along(GRAPH, plan->times[i].at, NULL, 0, w->slopes), 0))
            return ic_fault_add(w->r->faults, w->r->root->place,
                                "no derivatives: the times of '%s' follow from '%s'", plan->times[i].name,
                                w->r->directions->names[direction]);
    }
    /* flows of modes first: jumps use those of the case alone */
    for (size_t m = 0; m < w->r->n_modes; m++) {
        if (plan->modes[m].exists) derive_flow(w, &plan->modes[m]);
    }
    for (size_t b = 0; b < plan->start.n; b++) derive_start(w, &plan->start.branches[b]);
    return visit_jumps(w, derive_jump);
}

/* Moves the memory of a law to the end in all formulas, and writes out what the law is. */
static bool prepare_nodes(tangents *w, ic_node *nodes, size_t n)
{
    const size_t last = w->n - 1;
    const ic_node memory = ic_graph_indexed(GRAPH, IC_OP_STATE, (int)last);
    if (w->r->law != NULL && w->varies && !ic_law_write_out(w->r, nodes, n)) return false;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i] < 0) continue;
        if (w->varies && (ic_graph_first(GRAPH, nodes[i], IC_OP_CALL) >= 0 ||
                          ic_graph_first(GRAPH, nodes[i], IC_OP_DAMPING) >= 0))
            return ic_fault_add(w->r->faults, w->r->root->place,
                                "no derivatives: the law has no formula for solvers");
        nodes[i] = ic_graph_substitute(GRAPH, nodes[i], &memory, &w->states[last], 1);
    }
    return true;
}

static bool prepare_jump(tangents *w, ic_plan_jump *jump, const cause *cause)
{
    bool good = true;
    (void)cause;
    for (size_t b = 0; b < jump->n && good; b++)
        good = prepare_nodes(w, &jump->branches[b].condition, 1) &&
               prepare_nodes(w, jump->branches[b].states, w->n);
    return good && widen(w, jump);
}

static bool prepare_mode(tangents *w, ic_plan_mode *mode)
{
    const size_t last = w->n - 1;
    bool good = prepare_nodes(w, mode->flow, w->n) && prepare_nodes(w, mode->energy, 3) &&
                prepare_nodes(w, mode->outputs, w->plan->n_values);
    for (size_t i = 0; i < mode->n_guards && good; i++)
        good = prepare_nodes(w, &mode->guards[i].value, 1) && prepare_nodes(w, &mode->guards[i].enabled, 1);
    for (size_t i = 0; i < mode->n_invariants && good; i++)
        good = prepare_nodes(w, &mode->invariants[i].value, 1);
    mode->flow[w->index[last]] = mode->flow[last];
    return good;
}

bool ic_plan_add_tangents(ic_plan *plan, ic_case_reader *r, size_t n, bool varies)
{
    tangents *w = ic_arena_take(r->arena, sizeof *w);
    if (w == NULL) return false;
    *w = (tangents){.r = r, .plan = plan, .n = n, .all = r->n_states, .varies = varies};
    for (size_t i = 0; i < n; i++) w->index[i] = (int)i;
    if (r->memory >= 0) w->index[n - 1] = (int)r->n_states - 1;
    for (size_t i = 0; i < n; i++) w->states[i] = ic_graph_indexed(GRAPH, IC_OP_STATE, w->index[i]);
    bool good = prepare_jump(w, &plan->start, NULL) && visit_jumps(w, prepare_jump);
    for (size_t m = 0; m < r->n_modes && good; m++)
        good = !plan->modes[m].exists || prepare_mode(w, &plan->modes[m]);
    for (size_t k = 0; k < r->directions->n && good; k++) good = derive_direction(w, k);
    plan->stops = NULL; /* time stepping has no tangents */
    return good && !r->arena->failed;
}

#define FIXED "derivative at a fixed time"

/* Adds a state at a place, before the memory of a law. */
static bool add_state(ic_case_reader *r, const char *of, const char *by, const char *unit, const char *meaning)
{
    const char *name = ic_arena_print(r->arena, "%s_by_%s", of, by);
    size_t at = r->n_states - (r->memory >= 0);
    if (name == NULL) return false;
    if (r->n_states == IC_MAX_STATES)
        return ic_fault_add(r->faults, r->root->place, "no derivatives: more than %d states", IC_MAX_STATES);
    r->states[r->n_states] = r->states[at];
    r->state_discrete[r->n_states] = r->state_discrete[at];
    r->state_dimensions[r->n_states++] = r->state_dimensions[at];
    r->states[at] = (ic_state){name, unit, meaning, "0"}; /* its scale is estimated */
    r->state_discrete[at] = false;
    r->state_dimensions[at] = (ic_dimension){.any = true};
    return true;
}

bool ic_reader_add_tangents(ic_case_reader *r)
{
    const size_t n = r->n_states, own = n - (r->memory >= 0);
    bool good = true;
    for (size_t k = 0; k < r->directions->n; k++) {
        const char *by = r->directions->names[k];
        for (size_t i = 0; i < own && good; i++)
            good = add_state(r, r->states[i].name, by, r->states[i].unit, FIXED);
        if (own < n) good = good && add_state(r, ic_memory_name, by, "1", FIXED);
        good = good && add_state(r, "t", by, "s", "derivative of the time of the last event");
    }
    if (r->memory >= 0) r->memory = (int)r->n_states - 1;
    return good;
}
