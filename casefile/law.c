/* SPDX-License-Identifier: MIT */
/*
 * Variants on a contact-force law. In their formulas, law.force and the other quantities of the law
 * stand for its C functions. Their arguments are the indentation and the rate that the section
 * `law` names, the state with the memory, and the parameters of the law, which follow those of the
 * case (ic_variant).
 */
#include "casefile/law.h"

#include "core/names.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define IC_LAW(symbol, name, condition) extern const ic_law ic_law_##symbol;
#include "cases/laws/laws.def"

static const struct {
    const ic_law *law;
    const char *symbol;
} laws[] = {
#define IC_LAW(symbol, name, condition) {&ic_law_##symbol, "ic_law_" #symbol},
#include "cases/laws/laws.def"
};

const ic_law *ic_law_number(size_t i)
{
    return i < IC_COUNT(laws) ? laws[i].law : NULL;
}

const char *ic_law_symbol(const ic_law *law)
{
    size_t i = 0;
    while (laws[i].law != law) i++;
    return laws[i].symbol;
}

const ic_law *ic_law_of_name(const char *name)
{
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        if (strcmp(laws[i].law->name, name) == 0) return laws[i].law;
    }
    return NULL;
}

static bool has_text(const ic_law *law)
{
    const bool elastic = law->elastic != NULL || (law->stiffness != NULL && law->power != NULL);
    return elastic && (law->damping != NULL || law->dashpot != NULL);
}

const char *const *ic_law_texts(void)
{
    static const char *names[IC_COUNT(laws) + 1];
    size_t n = 0;
    for (size_t i = 0; i < IC_COUNT(laws); i++) {
        if (has_text(laws[i].law)) names[n++] = laws[i].law->name;
    }
    names[n] = NULL;
    return names;
}

/* ---- functions of a law, with the operands d, v, a third one, and the memory */

/*
 * LAW(kind, function, form, rate, rule, operands...): the name in ic_law, the beginning of a call in C, the function that
 * is its rate or -1, and how (ic_external).
 */
#define LAW_FUNCTIONS(LAW)                                                                                     \
    LAW(FORCE, force, "force(a,b,d", FORCE_RATE, IC_RATE_WITH_SECOND, o[0], o[1], o[3])                        \
    LAW(FORCE_RATE, force_rate, "force_rate(a,b,c,d", -1, 0, o[0], o[1], o[2], o[3])                           \
    LAW(PUSHING, pushing, "pushing(a,b,d", PUSHING_RATE, IC_RATE_WITH_SECOND, o[0], o[1], o[3])                \
    LAW(PUSHING_RATE, pushing_rate, "pushing_rate(a,b,c,d", -1, 0, o[0], o[1], o[2], o[3])                     \
    LAW(RISING, rising, "rising(a,b,c,d", RISING_RATE, IC_RATE_OF_ALL, o[0], o[1], o[2], o[3])                 \
    LAW(RISING_RATE, rising_rate, "rising_rate(a,b,c,d", -1, 0, o[0], o[1], o[2], o[3])                        \
    LAW(STORED, stored_energy, "stored_energy(a", FORCE, IC_RATE_BY_FIRST, o[0])                               \
    LAW(REMEMBER, remember, "remember(b", -1, 0, o[1])                                                         \
    LAW(REACH, reach, "reach(b", -1, 0, o[1])                                                                  \
    LAW(KINK, kink, "kink(b", KINK_RATE, IC_RATE_WITH_SECOND, o[1])                                            \
    LAW(KINK_RATE, kink_rate, "kink_rate(b,c", -1, 0, o[1], o[2])

#define LAW(kind_, function_, form_, rate_, rule_, ...)                                                        \
    static double call_##function_(const double o[4], const double *par, const void *law)                      \
    {                                                                                                          \
        return ((const ic_law *)law)->function_(__VA_ARGS__, par);                                             \
    }
LAW_FUNCTIONS(LAW)
#undef LAW

#define LAW(kind_, ...) kind_,
enum { LAW_FUNCTIONS(LAW) };
#undef LAW

static const struct {
    double (*call)(const double operands[4], const double *par, const void *law);
    const char *form;
    int rate;

    /* As in ic_external. */
    unsigned rule;

    /* Offset of the pointer in ic_law. */
    size_t offset;
} functions[] = {
#define LAW(kind_, function_, form_, rate_, rule_, ...)                                                        \
    {call_##function_, form_, rate_, rule_, offsetof(ic_law, function_)},
    LAW_FUNCTIONS(LAW)
#undef LAW
};

void ic_law_declare(FILE *out)
{
    fputs("typedef union ic_law{\n", out);
    for (size_t i = 0; i < IC_COUNT(functions); i++) {
        const char *form = functions[i].form;
        const int length = (int)strcspn(form, "(");
        fprintf(out, "struct{char before_%.*s[%zu];double(*%.*s)(", length, form, functions[i].offset, length,
                form);
        for (const char *letter = form + length; *letter != '\0'; letter++) {
            if (*letter >= 'a' && *letter <= 'd') fputs("double,", out);
        }
        fputs("const double*);};\n", out);
    }
    fputs("}ic_law;\n", out);
}

/* Number of an external function of the variant's law. -1: memory ran out. */
static int find_external(ic_case_reader *r, int function)
{
    ic_graph *g = r->graph;
    for (size_t i = 0; i < g->n_externals; i++) {
        if (g->externals[i].object == r->law && g->externals[i].call == functions[function].call) return (int)i;
    }
    /* the function that is its rate; -1: the rate is 0 */
    const int rated = function == KINK && r->law->kink_rate == NULL ? -1 : functions[function].rate;
    const int rate = rated < 0 ? -1 : find_external(r, rated);
    const char *form = functions[function].form;
    const char *comma = form[strlen(form) - 1] == '(' ? "" : ",";
    form = ic_arena_print(g->arena, "L->%s%spar+%zu)", form, comma, r->n_parameters);
    ic_external *e = ic_arena_append(g->arena, &g->externals, &g->n_externals, sizeof *e);
    if (form == NULL || e == NULL || (rate < 0 && rated >= 0)) return -1;
    *e = (ic_external){.call = functions[function].call,
                       .object = r->law,
                       .first_parameter = r->n_parameters,
                       .form = form,
                       .symbol = ic_law_symbol(r->law),
                       .rate = rate,
                       .rule = functions[function].rule};
    return (int)g->n_externals - 1;
}

/* ---- quantities */

/* Reads an entry of the section `law`: indentation, its rate, or the mass of a free impact. */
static bool read_operand(ic_term *term, ic_case_reader *r, const char *key, const ic_dimension *dimension,
                         ic_file_place place)
{
    const ic_yaml *text = ic_yaml_get(ic_yaml_get(r->root, "law"), key);
    const ic_scope scope = ic_reader_scope(r, NULL);
    if (text == NULL)
        return ic_fault_add(r->faults, place,
                            "the section 'law' needs '%s': law: {indentation: d, rate: v, mass: m}", key);
    term->dimension = *dimension;
    return ic_formula_read_as(&term->node, text, dimension, key, &scope);
}

static ic_node call(ic_case_reader *r, int function, const ic_node operands[4])
{
    const int external = find_external(r, function);
    return external < 0 ? IC_NO_NODE : ic_graph_call(r->graph, external, operands);
}

static const ic_dimension metre = {.power = {0, 1}}, speed = {.power = {0, 1, -1}}, kilogram = {.power = {1}},
                          newton = {.power = {1, 1, -2}}, newton_per_second = {.power = {1, 1, -3}},
                          joule = {.power = {1, 2, -2}}, any = {.any = true};

/* Calls an optional function of a law; 0 if the law does not have it. */
static ic_node call_if(bool given, ic_case_reader *r, int function, const ic_node operands[4])
{
    return given ? call(r, function, operands) : ic_graph_integer(r->graph, 0);
}

/* The memory, or the force, with which a contact begins. It does not depend on the state. */
static ic_term begin_contact(ic_case_reader *r, bool force, ic_node operands[4])
{
    operands[3] = ic_graph_integer(r->graph, 0);
    const ic_node memory = call_if(r->law->remember != NULL, r, REMEMBER, operands);
    operands[0] = call_if(r->law->reach != NULL, r, REACH, operands);
    operands[3] = memory;
    return force ? (ic_term){call(r, FORCE, operands), newton} : (ic_term){memory, any};
}

bool ic_law_quantity(ic_term *term, ic_case_reader *r, const char *name, ic_file_place place)
{
    static const char *const names[] = {"force",  "elastic", "stored", "pushing", "rising",
                                        "memory", "onset",   "reach",  "kink"};
    const ic_law *law = r->law;
    ic_graph *g = r->graph;
    const ic_node zero = ic_graph_integer(g, 0);
    ic_term d, v, mass = {.node = zero};
    if (law == NULL)
        return ic_fault_add(r->faults, place, "only variants on a law have 'law.%s': laws: all", name);
    if (!read_operand(&d, r, "indentation", &metre, place) || !read_operand(&v, r, "rate", &speed, place))
        return false;
    if (strcmp(name, "rising") == 0 && !read_operand(&mass, r, "mass", &kilogram, place)) return false;
    ic_node operands[4] = {d.node, v.node, mass.node, ic_graph_indexed(g, IC_OP_STATE, r->memory)};
    *term = (ic_term){zero, newton};
    if (strcmp(name, "memory") == 0 || strcmp(name, "onset") == 0) {
        *term = begin_contact(r, name[0] == 'o', operands);
    } else if (strcmp(name, "force") == 0) {
        term->node = call(r, FORCE, operands);
    } else if (strcmp(name, "elastic") == 0) {
        operands[1] = zero;
        term->node = call(r, FORCE, operands);
    } else if (strcmp(name, "stored") == 0) {
        *term = (ic_term){call(r, STORED, operands), joule};
    } else if (strcmp(name, "pushing") == 0) {
        term->node = call(r, law->pushing != NULL ? PUSHING : FORCE, operands);
    } else if (strcmp(name, "rising") == 0) {
        *term = (ic_term){call(r, RISING, operands), newton_per_second};
    } else if (strcmp(name, "reach") == 0) {
        operands[3] = zero;
        *term = (ic_term){call_if(law->reach != NULL, r, REACH, operands), metre};
    } else if (strcmp(name, "kink") == 0) {
        /* A law without a kink is treated as if it had one a metre above the surface. */
        *term = (ic_term){law->kink != NULL ? call(r, KINK, operands) : ic_graph_integer(g, -1), metre};
    } else {
        return ic_fault_add(r->faults, place, "'law.%s' does not exist%s", name,
                            ic_meant_hint(name, names, IC_COUNT(names)).text);
    }
    return term->node >= 0;
}

/* ---- functions of a law as formulas */

/*
 * Names in the texts of a law: d, v, m, memory, the parameters, and for the memory of a contact that
 * begins v0, which is v then. Units are not checked.
 */
typedef struct call_scope {
    const ic_case_reader *r;
    const ic_law *law;
    size_t first_parameter;
    ic_node d, v, m, memory;
} call_scope;

static ic_name_found find_operand(ic_term *term, const char *name, ic_file_place place, void *context)
{
    const call_scope *c = context;
    size_t k = 0;
    (void)place;
    term->dimension = any;
    term->node = IC_NO_NODE;
    if (strcmp(name, "d") == 0) term->node = c->d;
    if (strcmp(name, "v") == 0 || strcmp(name, "v0") == 0) term->node = c->v;
    if (strcmp(name, "m") == 0) term->node = c->m;
    if (strcmp(name, "memory") == 0) term->node = c->memory;
    while (term->node < 0 && k < c->law->n_parameters && strcmp(c->law->parameters[k].name, name) != 0) k++;
    if (term->node < 0 && k < c->law->n_parameters)
        term->node = ic_graph_indexed(c->r->graph, IC_OP_PARAMETER, (int)(c->first_parameter + k));
    return term->node < 0 ? IC_NAME_UNKNOWN : IC_NAME_KNOWN;
}

/* Text of a function that the law states, in the names of find_operand. NULL: it states none. */
static const char *stated_text(const ic_law *law, int function)
{
    switch (function) {
    case FORCE: return law->force_text;
    case PUSHING: return law->pushing_text;
    case RISING: return law->rising_text;
    case KINK: return law->kink_text;
    default: return NULL;
    }
}

/* Text of a function from the law's closed form. Without a dashpot, d is 0 above the surface. */
static const char *closed_text(const ic_case_reader *r, const ic_law *law, int function)
{
    const char *K = law->stiffness, *n = law->power, *c = law->dashpot;
    static const char damped[] = "(1 + memory*v)";
    const char *factor = n != NULL || law->remember != NULL ? damped : "1";
    if (!has_text(law) && law->restitution == NULL) return NULL;
    switch (function) {
    case FORCE:
        if (n == NULL) return ic_arena_print(r->arena, "(%s)*%s", law->elastic, factor);
        if (c != NULL) return ic_arena_print(r->arena, "(%s)*d + (%s)*v", K, c);
        return ic_arena_print(r->arena, "(%s)*d^(%s)*%s", K, n, factor);
    case PUSHING: return damped;
    case REMEMBER: return law->damping == NULL ? NULL : ic_arena_print(r->arena, "(%s)/v0", law->damping);
    case STORED:
        if (n == NULL) return law->energy;
        return ic_arena_print(r->arena, "(%s)*d^(%s)*d/((%s) + 1)", K, n, n);
    case REACH: return ic_arena_print(r->arena, "-(%s)*v/(%s)", c, K);
    case RISING:
        if (c != NULL) return ic_arena_print(r->arena, "(%s)*v - (%s)*((%s)*d + (%s)*v)/m", K, c, K, c);
        if (n == NULL) return law->remember == NULL ? "v" : NULL;
        return ic_arena_print(r->arena, "(%s)*v - memory*(%s)*d^(%s)*d/m", n, K, n);
    default: return NULL;
    }
}

/* The value of an exponent is needed for units only. */
static double constant_of_call(ic_node node, void *context)
{
    (void)node, (void)context;
    return NAN;
}

/* Laws' texts are the suite's own: an unknown name means that memory ran out. */
static size_t list_none(const char **names, size_t room, void *context)
{
    (void)names, (void)room, (void)context;
    return 0;
}

static bool read_law_text(ic_term *term, ic_case_reader *r, const char *text, call_scope *context)
{
    const ic_yaml formula = {.kind = IC_YAML_SCALAR, .text = text};
    /* no indices, and nothing of the reader's scope that would take this context for its own */
    const ic_scope scope = {.graph = r->graph,
                            .faults = r->faults,
                            .find = find_operand,
                            .list = list_none,
                            .constant = constant_of_call,
                            .context = context,
                            .work = &r->work,
                            .depth = &r->depth};
    return ic_formula_read(term, &formula, &scope);
}

/* a/v0 of a law whose restitution in a free impact is given. */
static ic_node damping_for_restitution(ic_case_reader *r, call_scope *context)
{
    ic_term e;
    if (!read_law_text(&e, r, context->law->restitution, context)) return IC_NO_NODE;
    return ic_graph_two(r->graph, IC_OP_DIVIDE, ic_graph_one(r->graph, IC_OP_DAMPING, e.node), context->v);
}

ic_node ic_law_formula(ic_case_reader *r, ic_node call)
{
    const ic_graph_node *node = &r->graph->nodes[call], *pair = &r->graph->nodes[node->c];
    const ic_external *e = &r->graph->externals[node->index];
    call_scope context = {.r = r,
                          .law = e->object,
                          .first_parameter = e->first_parameter,
                          .d = node->a,
                          .v = node->b,
                          .m = pair->a,
                          .memory = pair->b};
    int function = FORCE;
    ic_term term;
    while (functions[function].call != e->call) function++;
    const char *text = stated_text(context.law, function);
    if (function == REMEMBER && context.law->restitution != NULL) return damping_for_restitution(r, &context);
    if (text == NULL) {
        text = closed_text(r, context.law, function);
        if (context.law->dashpot == NULL)
            context.d = ic_graph_two(r->graph, IC_OP_MAX, context.d, ic_graph_integer(r->graph, 0));
    }
    return text != NULL && read_law_text(&term, r, text, &context) ? term.node : IC_NO_NODE;
}

/* ---- laws of a variant */

const char *const ic_law_conditions[] = {"A", "B", "C", "C*", "D", NULL};

static bool is_meant(const ic_law *law, const char *text)
{
    return strcmp(text, "all") == 0 || strcmp(text, law->name) == 0 ||
           strcmp(text, ic_law_conditions[law->condition]) == 0;
}

bool ic_law_is_listed(const ic_law *law, const ic_yaml *list)
{
    if (list == NULL) return false;
    if (list->kind == IC_YAML_SCALAR) return is_meant(law, list->text);
    for (size_t i = 0; i < list->n_items; i++) {
        if (list->items[i]->kind == IC_YAML_SCALAR && is_meant(law, list->items[i]->text)) return true;
    }
    return false;
}
