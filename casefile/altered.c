/* SPDX-License-Identifier: MIT */
/* The case of a text with one change: the formulas of its motion are walked, and the change is counted down to. */
#include "casefile/kept.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct alteration {
    ic_arena *arena;
    ic_alteration kind;

    /* Changes of this kind that are passed over before the one that is made. */
    size_t left;
    bool made;

    /* Whether all changes that are alike are made at once, as in a routine that all elements share. */
    bool everywhere;

    /* Number of changes that were made. */
    size_t count;

    /* Within the pushes of an element. */
    bool pushes;

    /* The section in which the walk is, the element or event, and the parameter that is 0 in impacts. */
    const char *section, *owner, *parameter;

    ic_yaml *parameters;
    const ic_yaml *states, *flow;

    /* Receives the part that was changed, and the name of the formula that has it. */
    ic_altered *altered;
} alteration;

/* Keys, between blanks, whose values are no formulas of the motion; and the sections that have them. */
static const char passed_over[] =
    " meaning law laws mode unit energy outputs start scale like departs keeps pushes of "
    "title static condition conditions ";
static const char walked[] = " definitions flow mass elements modes until times variants then accumulates ";

/* The name under which an entry of the mass matrix is changed. */
#define MASS_MATRIX "the mass matrix"

/* A slip is a velocity or a rate of rotation. */
static const char *const widths[] = {"1 m/s", "1 rad/s"};

static bool is_listed(const char *key, const char *list)
{
    const char *at = strstr(list, key);
    return at != NULL && key[0] != '\0' && at[-1] == ' ' && at[strlen(key)] == ' ';
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool is_name_at(const char *text, size_t at, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(text + at, name, length) == 0 && !is_of_name(text[at + length]) &&
           (at == 0 || !is_of_name(text[at - 1]));
}

static const char *unit_of(const ic_yaml *states, const char *name)
{
    const ic_yaml *state = ic_yaml_get(states, name);
    if (state != NULL && state->kind == IC_YAML_MAPPING) state = ic_yaml_get(state, "unit");
    return state != NULL ? state->text : NULL;
}

/* How often a part of a formula has a state as a factor, outside brackets; its square counts as two. */
static size_t count_factors(const char *part, size_t length, const char *state)
{
    const size_t own = strlen(state);
    size_t n = 0, depth = 0;
    for (size_t at = 0; at + own <= length; at++) {
        depth += part[at] == '(' ? 1 : part[at] == ')' && depth > 0 ? (size_t)-1 : 0;
        if (depth > 0 || !is_name_at(part, at, state)) continue;
        n += strncmp(part + at + own, "^2", 2) == 0 ? 2 : 1;
    }
    return n;
}

/* Whether a part of a formula is a product of velocities, as centrifugal forces are. */
static bool is_quadratic(const alteration *a, const char *part, size_t length)
{
    size_t n = 0;
    for (size_t i = 0; a->states != NULL && i < a->states->n_keys; i++) {
        const char *state = a->states->keys[i]->text, *unit = unit_of(a->states, state);
        if (unit != NULL && strstr(unit, "/s") != NULL) n += count_factors(part, length, state);
    }
    return n == 2;
}

/* Whether a term, not the whole, of the rate of a velocity has a state that is neither this nor its position. */
static bool has_other_state(const alteration *a, const char *velocity, const char *part, size_t length)
{
    const ic_yaml *whole = ic_yaml_get(a->flow, velocity);
    bool has = false;
    if (whole == NULL || strlen(whole->text) == length || ic_yaml_get(a->states, whole->text) != NULL)
        return false;
    for (size_t i = 0; i < a->states->n_keys && !has; i++) {
        const char *state = a->states->keys[i]->text;
        const ic_yaml *rate = ic_yaml_get(a->flow, state);
        if (strcmp(state, velocity) == 0 || (rate != NULL && strcmp(rate->text, velocity) == 0)) continue;
        for (size_t at = 0; at < length && !has; at++) has = is_name_at(part, at, state);
    }
    return has;
}

/*
 * Whether a term is one of those that are all missing: products of velocities; pushes on one state; what couples one
 * state to others; products of velocities and the coupling of masses.
 */
static bool is_one_of_terms(const alteration *a, const char *name, const char *part, size_t length)
{
    const size_t n = a->states->n_keys;
    if (a->left == 0 || a->left > 2 * n)
        return is_quadratic(a, part, length) || (a->left > 0 && strcmp(name, MASS_MATRIX) == 0);
    if (strcmp(name, a->states->keys[(a->left - 1) % n]->text) != 0) return false;
    return a->left <= n ? a->pushes : !a->pushes && has_other_state(a, name, part, length);
}

/* Whether this is the change that is sought, or one that is made everywhere; then it is noted. */
static bool is_sought(alteration *a, const char *name, const char *part, size_t length)
{
    if (a->everywhere && a->kind == IC_ALTER_TERM && !is_one_of_terms(a, name, part, length)) return false;
    if (a->everywhere && a->kind == IC_ALTER_CONDITION && *part != "AC"[a->left]) return false;
    if (!a->everywhere && (a->made || a->left-- > 0)) return false;
    a->made = !a->everywhere;
    if (a->count++ > 0 && strcmp(a->section, "definitions") == 0) return true;
    while (length > 0 && part[length - 1] == ' ') length--;
    snprintf(a->altered->part, sizeof a->altered->part, "%.*s", (int)length, part);
    snprintf(a->altered->name, sizeof a->altered->name, "%s", name);
    a->altered->section = a->pushes ? "pushes" : a->section;
    return true;
}

/* Replaces part of a formula by a text. */
static void replace(const alteration *a, ic_yaml *formula, size_t from, size_t to, const char *by)
{
    formula->text = ic_arena_print(a->arena, "%.*s%s%s", (int)from, formula->text, by, formula->text + to);
    formula->literal = false;
}

static void set_entry(const alteration *a, ic_yaml *mapping, const char *key, ic_yaml value)
{
    ic_yaml *both = ic_arena_take(a->arena, 2 * sizeof *both), *old = ic_yaml_get(mapping, key);
    if (old != NULL) *old = value;
    if (old != NULL || both == NULL) return;
    both[0] = (ic_yaml){.kind = IC_YAML_SCALAR, .place = mapping->place, .text = key};
    both[1] = value;
    ic_yaml **name = ic_arena_append(a->arena, &mapping->keys, &mapping->n_keys, sizeof(ic_yaml *));
    ic_yaml **item = ic_arena_append(a->arena, &mapping->items, &mapping->n_items, sizeof(ic_yaml *));
    if (name == NULL || item == NULL) return;
    *name = &both[0];
    *item = &both[1];
}

static void set_text(const alteration *a, ic_yaml *mapping, const char *key, const char *text)
{
    set_entry(a, mapping, key, (ic_yaml){.kind = IC_YAML_SCALAR, .place = mapping->place, .text = text});
}

/* ---- formulas */

/* Whether a sign joins two terms, and does not belong to a number or a first term. */
static bool joins(const char *text, size_t at)
{
    size_t before = at;
    while (before > 0 && text[before - 1] == ' ') before--;
    if (before == 0 || strchr("+-*/^(,<>=[", text[before - 1]) != NULL) return false;
    return !(before > 1 && strchr("eE", text[before - 1]) != NULL && isdigit((unsigned char)text[before - 2]));
}

/* Where a part of a formula ends: at one of `stops`, at the bracket around it, or with the text. */
static size_t end_of(const char *text, size_t at, const char *stops)
{
    int depth = 0;
    for (; text[at] != '\0'; at++) {
        const bool sign = text[at] == '+' || text[at] == '-';
        if (depth == 0 && strchr(stops, text[at]) != NULL && (!sign || joins(text, at))) break;
        if (strchr("([", text[at]) != NULL) depth++;
        if (strchr(")]", text[at]) != NULL && depth-- == 0) break;
    }
    return at;
}

/* Each term of a sum, and the whole of a definition, is 0. */
static void drop_terms(alteration *a, ic_yaml *formula, const char *name, bool whole)
{
    const char *text = formula->text;
    for (size_t at = 0; text[at] != '\0' && !a->made; at++) {
        const bool sign = at > 0 && strchr("+-", text[at - 1]) != NULL && joins(text, at - 1);
        if (!sign && at > 0 && strchr("(,<>=", text[at - 1]) == NULL) continue;
        const size_t end = end_of(text, at, "+-,<>="), from = at + strspn(text + at, " ");
        if (!sign && strchr("+-", text[end]) == NULL && !(whole && at == 0)) continue;
        if (is_sought(a, name, text + from, end - from)) replace(a, formula, from, end, "0");
        text = formula->text;
    }
}

/* The ends of the arguments of a function that begins at `at`. Returns their number. */
static size_t find_arguments(size_t ends[3], const char *text, size_t at, const char *function)
{
    const size_t length = strlen(function);
    size_t n = 0;
    if (strncmp(text + at, function, length) != 0 || text[at + length] != '(') return 0;
    if (at > 0 && is_of_name(text[at - 1])) return 0;
    for (size_t end = at + length; n < 3 && (n == 0 || text[end] == ','); n++)
        ends[n] = end = end_of(text, end + 1, ",");
    return n;
}

static const char *print_call(const alteration *a, const char *before, const char *text, size_t from, size_t to,
                              const char *after)
{
    return ic_arena_print(a->arena, "%s(%.*s)%s", before, (int)(to - from), text + from, after);
}

/*
 * max(0, F) becomes F, F in where(..., F, 0) becomes max(0, F), the same with min; sign(F) becomes tanh(F/width), or 1,
 * as abs(F) becomes F.
 */
static void change_function(alteration *a, ic_yaml *formula, const char *name, size_t at)
{
    static const char *const clips[] = {"max", "min"}, *const signs[] = {"abs", "sign"};
    const char *text = formula->text;
    size_t ends[3];
    const bool smooth = a->kind == IC_ALTER_FRICTION;
    if (smooth && find_arguments(ends, text, at, "sign") == 1 &&
        is_sought(a, name, text + at, ends[0] + 1 - at))
        replace(a, formula, at, ends[0] + 1,
                print_call(a, "tanh(", text, at + 5, ends[0], "/" IC_ALTERED_NUMBER ")"));
    for (size_t c = 0; c < IC_COUNT(signs) && a->kind == IC_ALTER_SIGN; c++) {
        if (find_arguments(ends, text, at, signs[c]) == 1 && is_sought(a, name, text + at, ends[0] + 1 - at))
            replace(a, formula, at, ends[0] + 1, c > 0 ? "1" : print_call(a, "", text, at + 4, ends[0], ""));
    }
    for (size_t c = 0; c < IC_COUNT(clips) && a->kind == IC_ALTER_CLIP && !a->made; c++) {
        const char *call = c == 0 ? "max(0, " : "min(0, ";
        const bool clipped = find_arguments(ends, text, at, clips[c]) == 2;
        if (clipped && strncmp(text + at + 3, "(0,", 3) == 0 && is_sought(a, name, text + at, ends[1] + 1 - at))
            replace(a, formula, at, ends[1] + 1, print_call(a, "", text, ends[0] + 1, ends[1], ""));
        else if (clipped && strncmp(text + ends[0], ", 0)", 4) == 0 &&
                 is_sought(a, name, text + at, ends[1] + 1 - at))
            replace(a, formula, at, ends[1] + 1, print_call(a, "", text, at + 4, ends[0], ""));
        else if (!a->everywhere && find_arguments(ends, text, at, "where") == 3 &&
                 strncmp(text + ends[1], ", 0)", 4) == 0 &&
                 is_sought(a, name, text + ends[0] + 1, ends[1] - ends[0] - 1))
            replace(a, formula, ends[0] + 1, ends[1], print_call(a, call, text, ends[0] + 1, ends[1], ")"));
    }
}

/* Replaces a parameter wherever it stands in a formula. */
static void replace_parameter(const alteration *a, ic_yaml *formula, const char *parameter, const char *by)
{
    for (size_t at = 0; formula->text != NULL && formula->text[at] != '\0'; at++) {
        if (!is_name_at(formula->text, at, parameter)) continue;
        replace(a, formula, at, at + strlen(parameter), by);
        at += strlen(by) - 1;
    }
}

/* Terms with a damping are clipped from below, or from above, or 0 in the conditions of events. */
static void clip_terms(alteration *a, ic_yaml *formula)
{
    for (size_t at = 0; formula->text[at] != '\0'; at++) {
        const char *text = formula->text, *const calls[] = {"max(0, ", "min(0, ", "0*("};
        size_t from = at;
        if (!is_name_at(text, at, a->parameter) || (a->left % 3 == 2 && strcmp(a->section, "until") != 0))
            continue;
        while (from > 0 && strchr("(,<>=", text[from - 1]) == NULL &&
               (strchr("+-", text[from - 1]) == NULL || !joins(text, from - 1)))
            from--;
        const size_t end = end_of(text, from, "+-,<>=");
        const char *by = print_call(a, calls[a->left % 3], text, from, end, ")");
        replace(a, formula, from, end, by);
        at = from + strlen(by) - 1;
    }
}

/* A state stands in place of another one of its unit. */
static void confuse_states(alteration *a, ic_yaml *formula, const char *name)
{
    const size_t n = a->states != NULL ? a->states->n_keys : 0;
    for (size_t at = 0; formula->text[at] != '\0' && !a->made; at++) {
        for (size_t i = 0; i < n * n && !a->made; i++) {
            const char *is = a->states->keys[i / n]->text, *by = a->states->keys[i % n]->text;
            const char *unit = unit_of(a->states, is), *other = unit_of(a->states, by);
            if (i / n == i % n || unit == NULL || other == NULL || strcmp(unit, other) != 0) continue;
            const char *what = ic_arena_print(a->arena, "%s' for '%s", by, is);
            if (is_name_at(formula->text, at, is) && is_sought(a, name, what, strlen(what)))
                replace(a, formula, at, at + strlen(is), by);
        }
    }
}

/* A parameter has a value of its own in one formula of an element or event. */
static void split_parameter(alteration *a, ic_yaml *formula)
{
    for (size_t i = 0; i < a->parameters->n_keys && !a->made; i++) {
        const char *name = a->parameters->keys[i]->text, *before = formula->text;
        if (strstr(before, name) == NULL) continue;
        replace_parameter(a, formula, name, IC_ALTERED_NUMBER);
        if (formula->text == before) continue;
        if (is_sought(a, a->owner, name, strlen(name)))
            set_entry(a, a->parameters, IC_ALTERED_NUMBER, *a->parameters->items[i]);
        else formula->text = before;
    }
}

/* A constant, a multiple of a state, or a drag by the square of the velocity is added to its rate. */
static void add_term(alteration *a, ic_yaml *formula, const char *name)
{
    const char *unit = unit_of(a->states, name);
    if (unit == NULL || strstr(unit, "/s") == NULL) return;
    for (size_t i = 0; i <= a->states->n_keys && !a->made; i++) {
        const char *state = i < a->states->n_keys ? a->states->keys[i]->text : "1";
        const char *own = unit_of(a->states, state), *factor = "";
        if (own != NULL) factor = ic_arena_print(a->arena, "*%s/(1 %s)", state, own);
        if (is_sought(a, name, state, strlen(state)))
            formula->text = ic_arena_print(a->arena, "%s + " IC_ALTERED_NUMBER "*(1 %s)/(1 s)%s", formula->text,
                                           unit, factor);
    }
    const char *drag = ic_arena_print(a->arena, "%s*abs(%s)", name, name);
    if (is_sought(a, name, drag, strlen(drag)))
        formula->text =
            ic_arena_print(a->arena, "%s + " IC_ALTERED_NUMBER "*%s/(1 %s)/(1 s)", formula->text, drag, unit);
}

/* ---- the tree */

/* The contact ends when the bodies separate (A), or when its force has fallen to 0 (C). */
static void change_condition(alteration *a, ic_yaml *contact, const char *name)
{
    if (is_sought(a, name, "A", 1)) set_text(a, contact, "condition", "A");
    if (is_sought(a, name, "C", 1)) set_text(a, contact, "condition", "C");
}

/* Friction becomes a part of the flow: -pushes kinetic normal tanh(slip/width). */
static void smooth_friction(alteration *a, ic_yaml *friction, const char *name, ic_yaml *flow)
{
    const ic_yaml *pushes = ic_yaml_get(friction, "pushes"), *slip = ic_yaml_get(friction, "slip"),
                  *normal = ic_yaml_get(friction, "normal"), *kinetic = ic_yaml_get(friction, "kinetic");
    if (pushes == NULL || slip == NULL || normal == NULL || kinetic == NULL || flow == NULL ||
        !is_sought(a, name, slip->text, strlen(slip->text)))
        return;
    for (size_t i = 0; i < pushes->n_keys; i++) {
        const char *velocity = pushes->keys[i]->text;
        const ic_yaml *rate = ic_yaml_get(flow, velocity);
        if (rate == NULL) continue;
        set_text(a, flow, velocity,
                 ic_arena_print(a->arena, "%s - (%s)*(%s)*(%s)*tanh((%s)/" IC_ALTERED_NUMBER ")", rate->text,
                                pushes->items[i]->text, kinetic->text, normal->text, slip->text));
    }
    set_text(a, friction, "kinetic", "0");
    set_text(a, friction, "static", "0");
}

/* Friction holds a body by its coefficient while sliding. */
static void confuse_friction(alteration *a, ic_yaml *friction, const char *name)
{
    const ic_yaml *holds = ic_yaml_get(friction, "static"), *slides = ic_yaml_get(friction, "kinetic");
    if (holds == NULL || slides == NULL) return;
    const char *what = ic_arena_print(a->arena, "%s' for '%s", slides->text, holds->text);
    if (is_sought(a, name, what, strlen(what))) set_text(a, friction, "static", slides->text);
}

/* Two entries of a mass matrix across its diagonal are 0. */
static void drop_coupling(alteration *a, const ic_yaml *matrix)
{
    for (size_t i = 0; i < matrix->n_items; i++) {
        for (size_t j = 0; j < i && j < matrix->items[i]->n_items && i < matrix->items[j]->n_items; j++) {
            ic_yaml *entry = matrix->items[i]->items[j];
            if (strcmp(entry->text, "0") != 0 && is_sought(a, MASS_MATRIX, entry->text, strlen(entry->text)))
                entry->text = matrix->items[j]->items[i]->text = "0";
        }
    }
}

/* A force between two bodies, or on a velocity and a rotation, does not act on one of them. */
static void drop_push(alteration *a, const ic_yaml *pushes)
{
    a->pushes = true;
    for (size_t i = 0; i < pushes->n_keys && pushes->n_keys > 1; i++) {
        ic_yaml *push = pushes->items[i];
        const char *name = pushes->keys[i]->text;
        if (is_sought(a, name, push->text, strlen(push->text)))
            push->text = ic_arena_print(a->arena, "0*(%s)", push->text), push->literal = false;
    }
    a->pushes = false;
}

static void change_formula(alteration *a, ic_yaml *formula, const char *name)
{
    const bool definition = strcmp(a->section, "definitions") == 0;
    if (a->kind == IC_ALTER_TERM) drop_terms(a, formula, name, definition || strcmp(a->section, "mass") == 0);
    if (a->kind == IC_ALTER_IMPACT && (definition || is_listed(a->section, " then accumulates ")))
        replace_parameter(a, formula, a->parameter, "0");
    if (a->kind == IC_ALTER_ONE_SIDED) clip_terms(a, formula);
    if (a->kind == IC_ALTER_STATE) confuse_states(a, formula, name);
    if (a->kind == IC_ALTER_ADDED && strcmp(a->section, "flow") == 0) add_term(a, formula, name);
    if (a->kind == IC_ALTER_PARAMETER && a->owner != NULL) split_parameter(a, formula);
    for (size_t at = 0; a->kind >= IC_ALTER_CLIP && !a->made && formula->text[at] != '\0'; at++)
        change_function(a, formula, name, at);
}

/* Makes the change of an entry of a mapping that has one of its own. */
static void change_entry(alteration *a, const char *key, ic_yaml *item, const char *name, ic_yaml *flow)
{
    if (strcmp(key, "friction") == 0 && a->kind == IC_ALTER_FRICTION) smooth_friction(a, item, name, flow);
    if (strcmp(key, "friction") == 0 && a->kind == IC_ALTER_STATE) confuse_friction(a, item, name);
    if (strcmp(key, "contact") == 0 && a->kind == IC_ALTER_CONDITION) change_condition(a, item, name);
    if (strcmp(key, "matrix") == 0 && a->kind == IC_ALTER_TERM) drop_coupling(a, item);
}

static void walk(alteration *a, ic_yaml *node, const char *name, ic_yaml *flow)
{
    const char *outer = a->section;
    if (node->kind == IC_YAML_SCALAR) change_formula(a, node, name);
    for (size_t i = 0; i < node->n_items && !a->made; i++) {
        const char *key = node->kind == IC_YAML_MAPPING ? node->keys[i]->text : "";
        const bool section = is_listed(key, walked);
        ic_yaml *item = node->items[i];
        if (strcmp(key, "pushes") == 0 && a->kind == IC_ALTER_TERM) drop_push(a, item);
        if (is_listed(key, passed_over)) continue;
        a->section = section ? key : outer;
        if (name == outer) a->owner = is_listed(outer, " elements until ") ? key : NULL;
        change_entry(a, key, item, name, flow);
        const bool kept = key[0] == '\0' || (section && strcmp(key, "until") != 0);
        if (!a->made) walk(a, item, kept ? name : key, flow);
    }
}

/* Number of changes that are made everywhere: contacts of one condition; the sets of terms. */
static size_t count_everywhere(const alteration *a)
{
    if (a->kind == IC_ALTER_CONDITION) return 2;
    if (a->kind == IC_ALTER_TERM && a->states != NULL) return 2 + 2 * a->states->n_keys;
    return a->kind == IC_ALTER_CLIP;
}

/* Whether there can be a change with this number; what it needs is added to the text. */
static bool begin_change(alteration *a, size_t place)
{
    if (a->everywhere && a->left >= count_everywhere(a)) return false;
    if (a->everywhere) a->altered->section = "";
    if (a->kind == IC_ALTER_ADDED) set_text(a, a->parameters, IC_ALTERED_NUMBER, "0");
    if (a->kind == IC_ALTER_FRICTION) a->left /= IC_COUNT(widths);
    if (a->kind != IC_ALTER_IMPACT && a->kind != IC_ALTER_ONE_SIDED) return true;
    for (size_t i = 0, n = 0; i < a->parameters->n_keys && a->parameter == NULL; i++) {
        const ic_yaml *p = a->parameters->items[i],
                      *value = p->kind == IC_YAML_MAPPING ? ic_yaml_get(p, "value") : p;
        const bool damping = value != NULL && value->text != NULL && strstr(value->text, " s/") != NULL;
        n += a->kind == IC_ALTER_IMPACT ? 1 : 3 * damping;
        if (n > place) a->parameter = a->parameters->keys[i]->text;
    }
    return a->parameter != NULL;
}

bool ic_alter(ic_yaml *root, ic_arena *arena, ic_alteration kind, size_t place, ic_altered *altered)
{
    ic_yaml *parameters = ic_yaml_get(root, "parameters"), none = {.kind = IC_YAML_MAPPING};
    alteration a = {.arena = arena,
                    .kind = kind,
                    .everywhere = place >= IC_ALTERED_EVERYWHERE,
                    .left = place >= IC_ALTERED_EVERYWHERE ? place - IC_ALTERED_EVERYWHERE : place,
                    .parameters = parameters != NULL ? parameters : &none,
                    .states = ic_yaml_get(root, "states"),
                    .flow = ic_yaml_get(root, "flow"),
                    .altered = altered};
    if (!begin_change(&a, place)) return false;
    for (size_t i = 0; i < root->n_keys && !a.made; i++) {
        a.section = root->keys[i]->text;
        if (is_listed(a.section, walked)) walk(&a, root->items[i], a.section, ic_yaml_get(root, "flow"));
    }
    const char *what = kind == IC_ALTER_IMPACT ? ""
                       : a.left % 3 < 2        ? "one-sided"
                                               : "conditions of events without";
    if (a.parameter != NULL) a.left = 0, is_sought(&a, a.parameter, what, strlen(what));
    if (kind == IC_ALTER_FRICTION && a.made)
        set_text(&a, a.parameters, IC_ALTERED_NUMBER, widths[place % IC_COUNT(widths)]);
    return a.made || (a.everywhere && a.count > 1);
}

ic_casefile *ic_casefile_altered(const ic_case *system, ic_alteration kind, size_t place, ic_altered *altered)
{
    ic_casefile *c = calloc(1, sizeof *c);
    ic_error error;
    *altered = (ic_altered){.section = NULL};
    if (c == NULL || system->text == NULL) {
        free(c);
        return NULL;
    }
    c->change = kind;
    c->place = place;
    c->altered = altered;
    if (ic_casefile_fill(c, system->name, system->text, strlen(system->text), NULL, 0, NULL, &error)) return c;
    ic_casefile_free(c);
    return NULL;
}
