/* SPDX-License-Identifier: MIT */
/* Turns nodes into the tables of the public header. */
#include "casefile/forcing.h"
#include "casefile/law.h"
#include "casefile/plan.h"
#include "casefile/program.h"
#include "casefile/stops.h"

#include <string.h>

static bool emit_value(ic_case_reader *r, ic_node node, void *slot)
{
    return ic_reader_function(r, IC_FUNCTION_VALUE, &node, 1, slot);
}

/* ---- formulas as operations */

static bool calls_functions(const ic_program *program)
{
    for (size_t i = 0; i < program->n; i++) {
        if (program->instructions[i].operation == IC_OP_CALL) return true;
    }
    return false;
}

bool ic_law_write_out(ic_case_reader *r, ic_node *nodes, size_t n)
{
    ic_graph *g = r->graph;
    const size_t n_nodes = g->n_nodes;
    ic_node *calls = NULL, *formulas = NULL;
    size_t n_calls = 0, n_formulas = 0;
    for (size_t i = 0; i < n_nodes; i++) {
        if (g->nodes[i].operation != IC_OP_CALL) continue;
        if (g->externals[g->nodes[i].index].object != r->law) continue; /* the call of another variant */
        ic_node formula = ic_law_formula(r, (ic_node)i);
        if (formula < 0) continue;
        /* The operands may contain calls, whose numbers are smaller. */
        formula = ic_graph_substitute(g, formula, calls, formulas, n_calls);
        ic_node *call = ic_arena_append(r->arena, &calls, &n_calls, sizeof *calls);
        ic_node *written = ic_arena_append(r->arena, &formulas, &n_formulas, sizeof *formulas);
        if (call == NULL || written == NULL) return false;
        *call = (ic_node)i;
        *written = formula;
    }
    for (size_t i = 0; i < n; i++) {
        if (nodes[i] >= 0 && (nodes[i] = ic_graph_substitute(g, nodes[i], calls, formulas, n_calls)) < 0)
            return false;
    }
    return true;
}

/* Makes operations of existing nodes. *equations is NULL if they call functions that are not operations. */
static bool make_equations(const ic_equations **equations, ic_case_reader *r, ic_node *nodes, size_t n)
{
    ic_program program;
    *equations = NULL;
    if (r->law != NULL && !ic_law_write_out(r, nodes, n)) return false;
    if (!ic_program_make(&program, r->graph, nodes, n)) return false;
    if (calls_functions(&program)) return true;
    ic_equations *made = ic_arena_take(r->arena, sizeof *made);
    ic_equation_term *terms = ic_arena_take(r->arena, (program.n + 1) * sizeof *terms);
    const char **texts = r->exact == NULL ? NULL : ic_arena_take(r->arena, (program.n + 1) * sizeof *texts);
    if (made == NULL || terms == NULL || (r->exact != NULL && texts == NULL)) return false;
    for (size_t i = 0; i < program.n; i++) {
        const ic_instruction *in = &program.instructions[i];
        terms[i] = (ic_equation_term){in->operation, in->a, in->b, in->c, in->number};
        if (texts != NULL) texts[i] = in->text;
    }
    *made = (ic_equations){terms, program.n, program.results, n, texts};
    *equations = made;
    return true;
}

/* The same where some nodes may be IC_NO_NODE, whose result is -1. */
static bool make_equations_of_some(const ic_equations **equations, ic_case_reader *r, const ic_node *nodes,
                                   size_t n)
{
    ic_node *existing = ic_arena_take(r->arena, (n + 1) * sizeof *existing);
    int *results = ic_arena_take(r->arena, (n + 1) * sizeof *results);
    size_t k = 0;
    if (existing == NULL || results == NULL) return false;
    for (size_t i = 0; i < n; i++) {
        if (nodes[i] >= 0) existing[k++] = nodes[i];
    }
    if (!make_equations(equations, r, existing, k)) return false;
    if (*equations == NULL) return true;
    ic_equations *whole = ic_arena_take(r->arena, sizeof *whole);
    if (whole == NULL) return false;
    for (size_t i = n; i-- > 0;) results[i] = nodes[i] >= 0 ? (*equations)->results[--k] : -1;
    *whole = **equations;
    whole->results = results;
    whole->n_results = n;
    *equations = whole;
    return true;
}

/* Conditions and states of a jump. */
static bool emit_jump_equations(ic_case_reader *r, const ic_plan_jump *plan, ic_jump *jump)
{
    const size_t n = plan->n * (1 + r->n_states);
    ic_node *nodes = ic_arena_take(r->arena, (n + 1) * sizeof *nodes);
    if (nodes == NULL) return false;
    for (size_t i = 0; i < plan->n; i++) {
        ic_node *of_branch = nodes + i * (1 + r->n_states);
        of_branch[0] = plan->branches[i].condition;
        for (size_t k = 0; k < r->n_states; k++) of_branch[1 + k] = plan->branches[i].states[k];
    }
    return make_equations_of_some(&jump->equations, r, nodes, n);
}

/* Flow and guards of a mode. */
static bool emit_equations(ic_case_reader *r, const ic_plan_mode *plan, ic_mode *mode)
{
    const size_t n = r->n_states + plan->n_guards;
    ic_node *nodes = ic_arena_take(r->arena, (n + 1) * sizeof *nodes);
    if (nodes == NULL) return false;
    for (size_t i = 0; i < n; i++)
        nodes[i] = i < r->n_states ? plan->flow[i] : plan->guards[i - r->n_states].value;
    return make_equations(&mode->equations, r, nodes, n);
}

/* Further quantities of a mode. A quantity that calls functions without a formula is left out. */
static bool emit_quantities(ic_case_reader *r, const ic_plan *all, const ic_plan_mode *plan, ic_mode *mode)
{
    const size_t n = plan->n_guards + 3 + all->n_outputs;
    ic_node *nodes = ic_arena_take(r->arena, (n + 1) * sizeof *nodes);
    const ic_equations *alone = NULL;
    if (nodes == NULL) return false;
    for (size_t i = 0; i < plan->n_guards; i++) nodes[i] = plan->guards[i].enabled;
    for (size_t i = 0; i < 3; i++)
        nodes[plan->n_guards + i] = plan->energy[0] >= 0 ? plan->energy[i] : IC_NO_NODE;
    for (size_t i = 0; i < all->n_outputs; i++) nodes[plan->n_guards + 3 + i] = plan->outputs[i];
    for (size_t i = plan->n_guards; i < n; i++) {
        ic_node node = nodes[i];
        if (node < 0) continue;
        if (!make_equations(&alone, r, &node, 1)) return false;
        if (alone == NULL) nodes[i] = IC_NO_NODE;
    }
    return make_equations_of_some(&mode->quantities, r, nodes, n);
}

/* ---- jumps, guards and modes */

static bool emit_branch(ic_case_reader *r, const ic_plan_branch *plan, ic_branch *branch, bool *linear)
{
    const char **texts = ic_arena_take(r->arena, (r->n_states + 1) * sizeof *texts);
    if (texts == NULL) return false;
    *branch = (ic_branch){
        .mode = plan->mode, .state = texts, .departures = plan->departures, .n_departures = plan->n_departures};
    for (size_t i = 0; i < r->n_states; i++) {
        texts[i] = ic_reader_linear_text(r, plan->states[i]);
        *linear = *linear && texts[i] != NULL;
    }
    if (r->law != NULL) branch->state = NULL; /* Only the functions describe this jump. */
    if (plan->condition < 0) return true;
    branch->condition = ic_reader_condition_text(r, plan->condition);
    *linear = *linear && branch->condition != NULL;
    return true;
}

static bool emit_jump(ic_case_reader *r, const ic_plan_jump *plan, ic_jump *jump)
{
    ic_branch *branches = ic_arena_take(r->arena, plan->n * sizeof *branches);
    ic_function_branch *functions = ic_arena_take(r->arena, plan->n * sizeof *functions);
    bool linear = true;
    if (branches == NULL || functions == NULL) return false;
    for (size_t i = 0; i < plan->n; i++) {
        functions[i] = (ic_function_branch){plan->branches[i].condition, plan->branches[i].states};
        if (!emit_branch(r, &plan->branches[i], &branches[i], &linear)) return false;
    }
    *jump = (ic_jump){.branches = branches, .n_branches = plan->n, .linear = linear};
    if (r->emits_all && !emit_jump_equations(r, plan, jump)) return false;
    ic_function *f = ic_arena_append(r->arena, &r->functions->functions, &r->functions->n, sizeof *f);
    if (f == NULL) return false;
    *f = (ic_function){.kind = IC_FUNCTION_JUMP,
                       .branches = functions,
                       .n_branches = plan->n,
                       .n_states = r->n_states,
                       .slot = &jump->apply};
    return true;
}

static bool emit_guard(ic_case_reader *r, const ic_plan_guard *plan, const ic_node *flow, ic_guard *guard)
{
    *guard = (ic_guard){.name = plan->name,
                        .unit = plan->unit,
                        .meaning = plan->meaning,
                        .direction = plan->direction,
                        .onset = plan->onset,
                        .linear = ic_reader_linear_text(r, plan->value)};
    const ic_node rate = ic_graph_rate(r->graph, plan->value, flow, r->n_states);
    if (!emit_value(r, plan->value, &guard->value) || !emit_value(r, rate, &guard->rate)) return false;
    if (plan->enabled >= 0) {
        guard->linear_enabled = ic_reader_linear_text(r, plan->enabled);
        guard->enabled_lasts = ic_reader_is_discrete(r, plan->enabled);
        if (!emit_value(r, plan->enabled, &guard->enabled)) return false;
    }
    return emit_jump(r, &plan->jump, &guard->jump) &&
           (plan->accumulation.n == 0 || emit_jump(r, &plan->accumulation, &guard->accumulation));
}

static bool emit_invariants(ic_case_reader *r, const ic_plan_mode *plan, ic_mode *mode)
{
    ic_invariant *invariants = ic_arena_take(r->arena, (plan->n_invariants + 1) * sizeof *invariants);
    if (invariants == NULL) return false;
    for (size_t i = 0; i < plan->n_invariants; i++) {
        const ic_plan_invariant *p = &plan->invariants[i];
        invariants[i] = (ic_invariant){.name = p->name,
                                       .unit = p->unit,
                                       .meaning = p->meaning,
                                       .side = p->side,
                                       .linear = ic_reader_linear_text(r, p->value)};
        if (!emit_value(r, p->value, &invariants[i].value)) return false;
    }
    mode->invariants = invariants;
    mode->n_invariants = plan->n_invariants;
    return true;
}

static bool emit_mode(ic_case_reader *r, const ic_plan *all, const ic_plan_mode *plan, ic_mode *mode)
{
    const char **texts = ic_arena_take(r->arena, (r->n_states + 1) * sizeof *texts);
    ic_guard *guards = ic_arena_take(r->arena, (plan->n_guards + 1) * sizeof *guards);
    void *const slots[] = {&mode->stored_energy, &mode->supplied_power, &mode->dissipated_power};
    bool linear = true;
    if (texts == NULL || guards == NULL) return false;
    *mode = (ic_mode){.name = plan->name,
                      .meaning = plan->meaning,
                      .terminal = plan->terminal,
                      .guards = guards,
                      .n_guards = plan->n_guards};
    for (size_t i = 0; i < r->n_states && linear; i++)
        linear = (texts[i] = ic_reader_linear_text(r, plan->flow[i])) != NULL;
    if (linear && ic_forcing_is_single(r, plan)) mode->linear = texts;
    if (!ic_reader_function(r, IC_FUNCTION_FLOW, plan->flow, r->n_states, &mode->flow)) return false;
    for (size_t i = 0; i < plan->n_guards; i++) {
        if (!emit_guard(r, &plan->guards[i], plan->flow, &guards[i])) return false;
    }
    for (int i = 0; i < 3 && plan->energy[0] >= 0; i++) {
        if (!emit_value(r, plan->energy[i], slots[i])) return false;
    }
    const bool omitted = r->exact != NULL && !r->emits_all;
    return emit_invariants(r, plan, mode) && (omitted || emit_equations(r, plan, mode)) &&
           (!r->emits_all || emit_quantities(r, all, plan, mode));
}

/*
 * A mode of another variant, which this variant never enters. It has an energy balance if all other
 * modes have one.
 */
static ic_plan_mode empty_mode(ic_case_reader *r, const ic_plan *plan, const char *name)
{
    ic_plan_mode mode = {.name = name,
                         .meaning = "not a mode of this variant",
                         .terminal = true,
                         .flow = ic_arena_take(r->arena, IC_MAX_STATES * sizeof(ic_node)),
                         .outputs = ic_arena_take(r->arena, (plan->n_values + 1) * sizeof(ic_node))};
    for (size_t i = 0; i < r->n_states && mode.flow != NULL; i++) mode.flow[i] = ic_graph_integer(r->graph, 0);
    for (size_t i = 0; i < plan->n_values && mode.outputs != NULL; i++) mode.outputs[i] = IC_NO_NODE;
    for (size_t i = 0; i < 3; i++) mode.energy[i] = ic_graph_integer(r->graph, 0);
    for (size_t i = 0; i < r->n_modes; i++) {
        if (plan->modes[i].exists && plan->modes[i].energy[0] < 0) mode.energy[0] = IC_NO_NODE;
    }
    return mode;
}

static bool emit_times(ic_case_reader *r, const ic_plan *plan, ic_variant *variant)
{
    ic_time_event *events = ic_arena_take(r->arena, (plan->n_times + 1) * sizeof *events);
    ic_graph *g = r->graph;
    if (events == NULL) return false;
    for (size_t i = 0; i < plan->n_times; i++) {
        const ic_plan_time *p = &plan->times[i];
        ic_node when = p->at;
        events[i] = (ic_time_event){.name = p->name,
                                    .meaning = p->meaning,
                                    .linear = ic_reader_node_text(r, p->at),
                                    .occurrences = p->occurrences};
        /* After the last occurrence the time is infinity, written as -log(0). */
        if (p->occurrences > 0) {
            const ic_node n = ic_graph_indexed(g, IC_OP_INPUT, 0);
            const ic_node over = ic_graph_two(g, IC_OP_SUBTRACT, n, ic_graph_integer(g, p->occurrences - 1));
            const ic_node never =
                ic_graph_one(g, IC_OP_NEGATE, ic_graph_one(g, IC_OP_LOG, ic_graph_integer(g, 0)));
            when = ic_graph_apply(g, IC_OP_CHOOSE, over, never, p->at);
        }
        if (!ic_reader_function(r, IC_FUNCTION_TIME, &when, 1, &events[i].when) ||
            !emit_jump(r, &p->jump, &events[i].jump))
            return false;
    }
    variant->time_events = events;
    variant->n_time_events = plan->n_times;
    return true;
}

bool ic_plan_emit_output(ic_case_reader *r, const ic_node *nodes, void *slot, const char *const **linear)
{
    const char **texts = ic_arena_take(r->arena, (r->n_modes + 1) * sizeof *texts);
    *linear = NULL;
    if (texts == NULL) return false;
    for (size_t m = 0; m < r->n_modes; m++) {
        if (nodes[m] >= 0) texts[m] = ic_reader_linear_text(r, nodes[m]);
        if (texts[m] != NULL) *linear = texts;
    }
    return ic_reader_function(r, IC_FUNCTION_OUTPUT, nodes, r->n_modes, slot);
}

bool ic_plan_emit(const ic_plan *plan, ic_case_reader *r, ic_variant *variant)
{
    ic_mode *modes = ic_arena_take(r->arena, (r->n_modes + 1) * sizeof *modes);
    if (modes == NULL) return false;
    r->emits_all = r->exact != NULL && strcmp(variant->name, r->exact) == 0;
    for (size_t i = 0; i < r->n_modes; i++) {
        const ic_plan_mode mode =
            plan->modes[i].exists ? plan->modes[i] : empty_mode(r, plan, r->mode_names[i]);
        if (mode.flow == NULL || mode.outputs == NULL || !emit_mode(r, plan, &mode, &modes[i])) return false;
    }
    variant->modes = modes;
    variant->n_modes = r->n_modes;
    /* The last modes belong to other variants. */
    while (!plan->modes[variant->n_modes - 1].exists) variant->n_modes--;
    return emit_jump(r, &plan->start, &variant->start) && emit_times(r, plan, variant) &&
           ic_stops_emit(plan, r, &variant->stops);
}
