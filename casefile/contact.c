/* SPDX-License-Identifier: MIT */
/*
 * A compliant contact: the force F(d, d', memory) of a law acts while a condition holds.
 *
 *     condition | contact begins when     | contact ends when
 *     A         | d rises to 0            | d falls to 0
 *     B         | F rises to 0            | F falls to 0
 *     C         | d rises to 0            | F falls to 0
 *     C*        | as C, and F rises to 0 where d > 0
 *     D         | d rises to the surface's own set, which relaxes in flight by k set + c set' = 0; ends as C
 */
#include "casefile/mechanics.h"

#include "casefile/law.h"

#define GRAPH r->graph
#include "casefile/operators.h"

#include <string.h>

/* ---- the law */

static const ic_law *find_law(ic_case_reader *r, const ic_element *e)
{
    const ic_yaml *given = ic_yaml_get(e->section, "law");
    const ic_file_place place = (given != NULL ? given : e->section)->place;
    const char *name = given == NULL ? "kelvin-voigt" : given->text;
    const char *const *known = ic_law_texts();
    const ic_law *law = ic_law_of_name(name);
    size_t n = 0;
    while (known[n] != NULL && strcmp(known[n], name) != 0) n++;
    if (known[n] != NULL) return law;
    if (law != NULL)
        ic_fault_add(r->faults, place, "case files cannot use law '%s': it has no formula as text", name);
    else
        ic_fault_add(r->faults, place, "law '%s' does not exist%s (impactcheck list laws shows all)", name,
                     ic_meant_hint(name, known, n).text);
    return NULL;
}

/* Unit of a law's parameter. If it is N/m^n, `with` gives n: N/m^1.5. */
static const char *unit_with(ic_case_reader *r, const ic_element *e, const char *unit)
{
    const char *power = strstr(unit, "^n");
    const ic_yaml *n = ic_yaml_get(ic_yaml_get(e->section, "with"), "n");
    const ic_scope scope = ic_reader_scope(r, e->indices);
    ic_term term;
    if (power == NULL || n == NULL || !ic_formula_read(&term, n, &scope)) return unit;
    return ic_arena_print(r->arena, "%.*s^%.15g", (int)(power - unit), unit,
                          scope.constant(term.node, scope.context));
}

static bool has_parameter(const ic_law *law, const char *name)
{
    size_t k = 0;
    while (k < law->n_parameters && strcmp(law->parameters[k].name, name) != 0) k++;
    return k < law->n_parameters;
}

/* Whether any law has a parameter of this name. */
static bool some_law_has(const char *name)
{
    const ic_law *law = NULL;
    for (size_t i = 0; (law = ic_law_number(i)) != NULL && !has_parameter(law, name);) i++;
    return law != NULL;
}

/*
 * Checks `with`, which sets parameters of the law. If variants have different laws, `with` may set
 * the parameters of any of them.
 */
static bool check_law_parameters(ic_case_reader *r, const ic_element *e, const ic_law *law, const ic_yaml *with)
{
    const bool several = ic_yaml_get(e->section, "laws") != NULL || ic_yaml_get(r->root, "variants") != NULL;
    for (size_t i = 0; with != NULL && i < with->n_keys; i++) {
        const char *name = with->keys[i]->text, *names[32];
        size_t n = 0;
        if (has_parameter(law, name) || (several && some_law_has(name))) continue;
        for (; n < law->n_parameters && n < IC_COUNT(names); n++) names[n] = law->parameters[n].name;
        return ic_fault_add(r->faults, with->keys[i]->place, "the law '%s' has no parameter '%s'%s", law->name,
                            name, ic_meant_hint(name, names, n).text);
    }
    return true;
}

/*
 * Whether the case's own parameter of the name of a law's parameter, which the law then takes, has
 * its unit. false: a fault was added.
 */
static bool check_taken(ic_case_reader *r, const ic_element *e, const ic_parameter *p)
{
    const int own = ic_reader_parameter(r, p->name);
    char is[IC_DIMENSION_TEXT];
    ic_unit unit;
    if (own < 0) return true;
    const char *text = unit_with(r, e, p->unit);
    if (text == NULL || !ic_reader_si_unit(&unit, r, text, e->section->place)) return false;
    if (ic_dimensions_equal(&r->parameter_dimensions[own], &unit.dimension)) return true;
    return ic_fault_add(
        r->faults, e->section->place,
        "law parameter '%s' is taken from the parameter '%s', which is in %s and not in %s: give "
        "it by  with: {%s: ...}",
        p->name, p->name, ic_dimension_text(is, &r->parameter_dimensions[own]), text, p->name);
}

bool ic_declare_law(ic_case_reader *r, const ic_element *e)
{
    const ic_law *law = find_law(r, e);
    const ic_yaml *with = ic_yaml_get(e->section, "with");
    if (law == NULL) return false;
    const bool good = check_law_parameters(r, e, law, with);
    for (int pass = 0; pass < 2; pass++) { /* Numbers first: units use them as exponents. */
        for (size_t i = 0; i < law->n_parameters; i++) {
            ic_parameter p = law->parameters[i];
            const bool number =
                strcmp(p.unit, "1") == 0 && strspn(p.value, "0123456789./e-") == strlen(p.value);
            if (number != (pass == 0) || ic_yaml_get(with, p.name) != NULL) continue;
            if (!check_taken(r, e, &p)) return false;
            if (ic_reader_has_name(r, p.name)) continue;
            if (ic_reader_state(r, p.name) >= 0)
                return ic_fault_add(
                    r->faults, e->section->place,
                    "parameter '%s' of the law has the name of a state: set it, with: {%s: ...}", p.name,
                    p.name);
            p.unit = unit_with(r, e, p.unit);
            if (p.unit == NULL || !ic_reader_add_parameter(r, &p, e->section->place)) return false;
        }
    }
    return good;
}

bool ic_declare_contact(ic_case_reader *r, ic_element *e, ic_file_place place)
{
    const ic_yaml *condition = ic_yaml_get(e->section, "condition"),
                  *conditions = ic_yaml_get(e->section, "conditions");
    bool recovers = condition != NULL && condition->kind == IC_YAML_SCALAR && strcmp(condition->text, "D") == 0;
    for (size_t i = 0; conditions != NULL && i < conditions->n_items; i++) {
        const ic_yaml *item = conditions->items[i];
        recovers = recovers || (item->kind == IC_YAML_SCALAR && strcmp(item->text, "D") == 0);
    }
    e->set = -1;
    e->memory = ic_reader_add_discrete(
        r, ic_arena_print(r->arena, "%s_memory", e->name), "s/m",
        "damping factor divided by the speed at the onset of contact (which must not be 0)", place);
    if (e->memory < 0 || !recovers) return e->memory >= 0;
    e->set = ic_reader_add_discrete(r, ic_arena_print(r->arena, "%s_set", e->name), "m",
                                    "residual indentation of the surface", place);
    if (e->set >= 0) r->state_discrete[e->set] = false;
    return e->set >= 0;
}

/* ---- the force */

/* Names within a law's formula: d, v, v0, and the law's parameters. */
typedef struct law_scope {
    ic_case_reader *r;
    const ic_element *element;
    const ic_law *law;
    ic_term d, v, v0;
} law_scope;

static ic_name_found find_law_name(ic_term *term, const char *name, ic_file_place place, void *context)
{
    const law_scope *l = context;
    const ic_scope outer = ic_reader_scope(l->r, l->element->indices);
    const ic_yaml *with = ic_yaml_get(ic_yaml_get(l->element->section, "with"), name);
    if (strcmp(name, "d") == 0) *term = l->d;
    else if (strcmp(name, "v") == 0) *term = l->v;
    else if (strcmp(name, "v0") == 0) *term = l->v0;
    else if (with != NULL) return ic_formula_read(term, with, &outer) ? IC_NAME_KNOWN : IC_NAME_WRONG;
    else return outer.find(term, name, place, outer.context);
    return IC_NAME_KNOWN;
}

static double constant_of_law(ic_node node, void *context)
{
    const law_scope *l = context;
    const ic_scope outer = ic_reader_scope(l->r, l->element->indices);
    return outer.constant(node, outer.context);
}

static bool read_law(const law_scope *l, const char *text, ic_term *term)
{
    ic_scope scope = ic_reader_scope(l->r, l->element->indices);
    const ic_yaml formula = {.kind = IC_YAML_SCALAR, .place = l->element->section->place, .text = text};
    law_scope own = *l;
    scope.find = find_law_name;
    scope.constant = constant_of_law;
    scope.integer = NULL;
    scope.range = NULL;
    scope.context = &own;
    return ic_formula_read(term, &formula, &scope);
}

/* The units of a law's parameters for a message: "; k is in N/m, c in N s/m". */
static const char *units_of_law(const ic_case_reader *r, const ic_law *law)
{
    const char *text = "";
    for (size_t i = 0; i < law->n_parameters && text != NULL; i++) {
        const ic_parameter *p = &law->parameters[i];
        if (strcmp(p->unit, "1") == 0) continue;
        text = ic_arena_print(r->arena, "%s%s %s %s", text, text[0] == '\0' ? ";" : ",", p->name,
                              text[0] == '\0' ? "is in" : "in");
        if (text != NULL) text = ic_arena_print(r->arena, "%s %s", text, p->unit);
    }
    return text == NULL ? "" : text;
}

/*
 * The force F = f (1 + memory d') or F = f + c d', and the memory a/v0 of a contact that begins.
 * *pushing has the sign of the force; where the force is zero beyond the surface, it has the sign
 * of d: d (1 + memory d').
 */
static bool read_force(const law_scope *l, ic_term indentation, ic_term *force, ic_term *pushing,
                       ic_node *memory)
{
    ic_case_reader *r = l->r;
    const ic_law *law = l->law;
    ic_term f, damping, stretch;
    const char *text = law->elastic;
    if (text == NULL) text = ic_arena_print(r->arena, "(%s)*d^(%s)", law->stiffness, law->power);
    if (text == NULL || !read_law(l, text, &f)) return false;
    *memory = INT(0);
    *force = f;
    if (law->dashpot != NULL) {
        if (!read_law(l, ic_arena_print(r->arena, "(%s)*v", law->dashpot), &damping)) return false;
        if (!ic_dimensions_equal(&f.dimension, &damping.dimension))
            return ic_fault_add(r->faults, l->element->section->place,
                                "units differ: spring and dashpot of '%s'%s", l->element->name,
                                units_of_law(r, law));
        force->node = ADD(f.node, damping.node);
        *pushing = *force;
        return true;
    }
    *pushing = indentation;
    if (strcmp(law->damping, "0") == 0) return true;
    if (!read_law(l, ic_arena_print(r->arena, "(%s)/v0", law->damping), &stretch)) return false;
    *memory = stretch.node;
    const ic_node now = ic_graph_indexed(r->graph, IC_OP_STATE, l->element->memory);
    const ic_node factor = ADD(INT(1), MUL(now, l->v.node));
    force->node = MUL(f.node, factor);
    pushing->node = MUL(indentation.node, factor);
    return true;
}

/* ---- begin and end of contact */

static bool read_condition(ic_case_reader *r, const ic_element *e, const ic_law *law, ic_condition *condition)
{
    const ic_yaml *given = ic_yaml_get(e->section, "condition");
    *condition = law->condition;
    if (given == NULL) return true;
    for (int i = 0; i < 5 && given->kind == IC_YAML_SCALAR; i++) {
        if (strcmp(given->text, ic_law_conditions[i]) != 0 && !(i == 3 && strcmp(given->text, "C_star") == 0))
            continue;
        *condition = (ic_condition)i;
        return true;
    }
    return ic_fault_add(r->faults, given->place, "expected a transition condition: A, B, C, C* or D");
}

typedef struct contact_element {
    ic_mechanics *m;
    ic_element *e;
    ic_condition condition;

    /* Indentation, force, and a quantity that has the sign of the force. */
    ic_term d, force, pushing;

    /* of the indentation */
    ic_node rate;

    /* of a contact that begins */
    ic_node memory;

    /* residual indentation, from which d is measured */
    ic_node set;

    /* discrete state */
    ic_node s;
} contact_element;

/* The state after contact has begun or ended. */
static ic_node *state_after(const contact_element *c, bool begins)
{
    ic_case_reader *r = c->m->r;
    ic_node *states = ic_same_states(r);
    if (states == NULL) return NULL;
    states[c->e->state] = INT(begins ? 1 : 0);
    states[c->e->memory] = begins ? c->memory : INT(0);
    const bool keeps = !begins && c->condition == IC_CONDITION_D;
    if (c->e->set >= 0 && !keeps) states[c->e->set] = begins ? c->d.node : INT(0);
    return states;
}

/* Adds a guard that can fire in one state of the contact only. */
static ic_element_branch *add_transition(const contact_element *c, const char *suffix, const char *meaning,
                                         bool begins, ic_onset onset, ic_node value,
                                         const ic_dimension *dimension)
{
    ic_case_reader *r = c->m->r;
    const int direction = begins ? +1 : -1;
    /* A constant on the side from which the guard fires, so that it cannot fire. */
    const ic_node idle = INT(-direction);
    const ic_node gated = begins ? IF_POSITIVE(c->s, idle, value) : IF_POSITIVE(c->s, value, idle);
    ic_node *states = state_after(c, begins);
    if (states == NULL) return NULL;
    ic_element_guard *g =
        ic_element_add_guard(c->m, c->e, suffix, meaning, direction, (ic_term){gated, *dimension});
    g->onset = onset;
    return ic_element_add_branch(g, IC_NO_NODE, states);
}

static void set_departure(ic_element_branch *branch, int guard, int order, int side)
{
    branch->departs = guard;
    branch->order = order;
    branch->side = side;
}

static bool add_contact_guards(const contact_element *c)
{
    ic_case_reader *r = c->m->r;
    const int first = (int)c->m->guards->n;
    const bool by_force = c->condition == IC_CONDITION_B;
    /*
     * Under C and C* contact begins only where d rises through 0: bodies that separate below the
     * surface do not meet again there.
     */
    const bool literal = c->condition == IC_CONDITION_C || c->condition == IC_CONDITION_C_STAR;
    const ic_onset meets = literal ? IC_ONSET_NEAR : IC_ONSET_LEVEL;
    const ic_node above = c->condition == IC_CONDITION_D ? SUB(c->d.node, c->set) : c->d.node;
    ic_element_branch *begins =
        by_force ? add_transition(c, "", "the force rises above zero", true, IC_ONSET_LEVEL, c->pushing.node,
                                  &c->pushing.dimension)
                 : add_transition(c, "", "the bodies meet", true, meets, above, &c->d.dimension);
    ic_element_branch *ends = c->condition == IC_CONDITION_A
                                  ? add_transition(c, " leaves", "the bodies separate", false, IC_ONSET_LEVEL,
                                                   c->d.node, &c->d.dimension)
                                  : add_transition(c, " leaves", "the contact force has fallen to zero", false,
                                                   IC_ONSET_LEVEL, c->pushing.node, &c->pushing.dimension);
    if (begins == NULL || ends == NULL) return false;
    if (c->condition == IC_CONDITION_A || by_force) {
        set_departure(begins, first + 1, 1, +1);
        set_departure(ends, first, 1, -1);
    }
    if (c->condition == IC_CONDITION_D) set_departure(ends, first, 2, -1);
    if (c->condition != IC_CONDITION_C_STAR) return true;
    /* Contact begins again below the surface where the force would push. */
    ic_element_branch *again = add_transition(c, " again", "the force rises above zero below the surface", true,
                                              IC_ONSET_LEVEL, c->pushing.node, &c->pushing.dimension);
    if (again == NULL) return false;
    c->m->guards->guards[first + 2].enabled = c->d.node;
    set_departure(again, first + 1, 1, +1);
    set_departure(ends, first + 2, 1, -1);
    return true;
}

/*
 * The residual indentation of the surface follows the bodies during contact, and relaxes in flight
 * under condition D.
 */
static bool add_set(const contact_element *c, const law_scope *l)
{
    ic_case_reader *r = c->m->r;
    ic_term relaxation = {.node = INT(0)};
    if (c->e->set < 0) return true;
    const bool linear = l->law->dashpot != NULL;
    if (linear ? !read_law(l, "k/c", &relaxation) : c->condition == IC_CONDITION_D)
        return ic_fault_add(
            r->faults, c->e->section->place,
            "condition D needs a linear law, which governs the relaxation of the surface: law: kelvin-voigt");
    const ic_node follows = SUB(c->rate, MUL(relaxation.node, SUB(c->set, c->d.node)));
    const ic_node relaxes = c->condition == IC_CONDITION_D ? NEG(MUL(relaxation.node, c->set)) : INT(0);
    c->m->flow[c->e->set] = IF_POSITIVE(c->s, follows, relaxes);
    return true;
}

/*
 * An indentation is a length. It may be an angle where the law has neither a memory, which is in s/m, nor a residual
 * indentation: then its force is a moment, and k is in N m.
 */
static bool check_indentation(ic_case_reader *r, const ic_element *e, const ic_law *law, const ic_dimension *is)
{
    static const ic_dimension metre = {.power = {0, 1}};
    const bool no_memory = law->dashpot != NULL || strcmp(law->damping, "0") == 0;
    if (ic_dimensions_equal(is, &metre) || (ic_dimension_is_none(is) && no_memory && e->set < 0)) return true;
    return ic_fault_add(
        r->faults, ic_yaml_get(e->section, "indentation")->place, "units differ: an indentation is in m%s",
        !ic_dimension_is_none(is) ? ""
        : no_memory               ? "; an angle has no condition D: multiply it by a lever"
                    : "; an angle needs a law without memory, as kelvin-voigt or hertz, with k in "
                      "N m: or multiply it by a lever");
}

bool ic_apply_contact(ic_mechanics *m, ic_element *e)
{
    ic_case_reader *r = m->r;
    contact_element c = {.m = m, .e = e, .s = ic_element_state(r, e)};
    ic_constraint *push = ic_arena_take(r->arena, sizeof *push);
    if (push == NULL || !ic_known_keys(r->faults, e->section, &ic_schema_contact)) return false;
    const ic_law *law = find_law(r, e);
    if (law == NULL || !ic_element_part(r, e, "indentation", &c.d) || !read_condition(r, e, law, &c.condition))
        return false;
    if (!check_indentation(r, e, law, &c.d.dimension)) return false;
    const ic_term rate = ic_term_rate(m, &c.d);
    c.rate = rate.node;
    c.set = e->set >= 0 ? ic_graph_indexed(r->graph, IC_OP_STATE, e->set) : INT(0);
    *push = (ic_constraint){.element = e};
    if (!ic_constraint_mechanics(m, push, rate)) return false;
    /* By virtual work, the force acts against the indentation. */
    for (size_t i = 0; i < r->n_states && ic_yaml_get(e->section, "pushes") == NULL; i++)
        push->push[i] = NEG(push->push[i]);
    if (!ic_check_sign(m, push, "deepens the indentation", "indentation")) return false;
    e->velocity = c.d.node; /* Initial value of the residual indentation. */
    const bool linear = law->power != NULL && strcmp(law->power, "1") == 0;
    const ic_dimension speed = ic_dimension_product(&c.d.dimension, &ic_second, -1);
    const law_scope l = {
        .r = r,
        .element = e,
        .law = law,
        .d = {linear ? c.d.node : ic_graph_two(r->graph, IC_OP_MAX, c.d.node, INT(0)), c.d.dimension},
        .v = {c.rate, speed},
        /*
                          * Units are not checked: fits of measurements may have inconsistent units.
                          */
        .v0 = {c.rate, {.any = true}}};
    if (!read_force(&l, c.d, &c.force, &c.pushing, &c.memory)) return false;
    if (!ic_dimensions_equal(&c.force.dimension, &e->force.dimension)) {
        char pushes[IC_DIMENSION_TEXT], force[IC_DIMENSION_TEXT];
        return ic_fault_add(r->faults, e->section->place,
                            "units differ: '%s' pushes with a force in %s, but the law gives a force in %s",
                            e->name, ic_dimension_text(pushes, &e->force.dimension),
                            ic_dimension_text(force, &c.force.dimension));
    }
    e->force = (ic_term){IF_POSITIVE(c.s, c.force.node, INT(0)), c.force.dimension};
    if (!add_set(&c, &l)) return false;
    for (size_t i = 0; i < r->n_states; i++) {
        if ((int)i != e->set) m->flow[i] = ADD(m->flow[i], MUL(push->push[i], e->force.node));
    }
    const ic_node touches = c.condition == IC_CONDITION_B ? c.force.node : c.d.node;
    e->start = IF_POSITIVE(touches, INT(1), INT(0));
    return add_contact_guards(&c);
}
