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

    /* The section in which the walk is, and the parameter that is 0 in impacts. */
    const char *section, *parameter;

    /* What was changed, and in the formula of which name. */
    ic_altered *altered;
} alteration;

/* Keys whose values are no formulas of the motion. */
static const char *const passed_over[] = {"meaning", "law",   "laws",  "mode",    "unit",   "energy", "outputs",
                                          "start",   "scale", "like",  "departs", "keeps",  "pushes", "of",
                                          "title",   "static", "condition", "conditions"};
/* Sections that have them. */
static const char *const walked[] = {"definitions", "flow", "mass", "elements",
                                     "modes",       "until", "times", "variants", "then", "accumulates"};

/* A slip is a velocity or a rate of rotation. */
static const char *const widths[] = {"1 m/s", "1 rad/s"};

static bool is_listed(const char *key, const char *const *list, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(key, list[i]) == 0) return true;
    }
    return false;
}

/* ---- texts */

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Replaces part of a formula, if it is the change that is sought. */
static void replace(alteration *a, ic_yaml *formula, const char *name, size_t from, size_t to, const char *by)
{
    if (a->made || a->left-- > 0) return;
    a->made = true;
    while (formula->text[from] == ' ') from++;
    while (to > from && formula->text[to - 1] == ' ') to--;
    snprintf(a->altered->part, sizeof a->altered->part, "%.*s", (int)(to - from), formula->text + from);
    snprintf(a->altered->name, sizeof a->altered->name, "%s", name);
    formula->text = ic_arena_print(a->arena, "%.*s%s%s", (int)from, formula->text, by, formula->text + to);
    formula->literal = false;
}

/* Whether a sign at `at` joins two terms, and does not belong to a number or a first term. */
static bool joins(const char *text, size_t at)
{
    size_t before = at;
    if (text[at] != '+' && text[at] != '-') return false;
    while (before > 0 && text[before - 1] == ' ') before--;
    if (before == 0 || strchr("+-*/^(,<>=[", text[before - 1]) != NULL) return false;
    return !(before > 1 && strchr("eE", text[before - 1]) != NULL && isdigit((unsigned char)text[before - 2]));
}

/* The end of the term that begins at `from`, and whether another one follows it. */
static size_t end_of_term(const char *text, size_t from, bool *followed)
{
    int depth = 0;
    size_t at = from;
    for (; text[at] != '\0'; at++) {
        if (strchr("([", text[at]) != NULL) depth++;
        if (strchr(")]", text[at]) != NULL && depth-- == 0) break;
        if (depth == 0 && (strchr(",<>=", text[at]) != NULL || joins(text, at))) break;
    }
    *followed = text[at] != '\0' && joins(text, at);
    return at;
}

/* Each term of a sum, and the whole of a definition, is 0. */
static void drop_terms(alteration *a, ic_yaml *formula, const char *name, bool whole)
{
    const char *text = formula->text;
    bool joined = false;
    for (size_t at = 0; text[at] != '\0' && !a->made; at++) {
        const bool begins = at == 0 || strchr("(,<>=", text[at - 1]) != NULL || joins(text, at - 1);
        if (at > 0 && begins) joined = joins(text, at - 1);
        bool followed;
        if (!begins) continue;
        const size_t end = end_of_term(text, at, &followed);
        if (joined || followed || (whole && at == 0)) replace(a, formula, name, at, end, "0");
    }
}

/* The arguments of a function that begins at `at`: their places. Returns their number. */
static size_t find_arguments(size_t from[4], size_t to[4], const char *text, size_t at, const char *function)
{
    const size_t length = strlen(function);
    size_t n = 0;
    int depth = 0;
    if (strncmp(text + at, function, length) != 0 || text[at + length] != '(') return 0;
    if (at > 0 && is_of_name(text[at - 1])) return 0;
    for (size_t i = at + length + 1; text[i] != '\0' && n < 4; i++) {
        if (n == 0 && depth == 0 && i == at + length + 1) from[0] = i;
        if (text[i] == '(') depth++;
        if (depth == 0 && (text[i] == ',' || text[i] == ')')) {
            to[n++] = i;
            if (text[i] == ')') return n;
            if (n < 4) from[n] = i + 1;
        }
        if (text[i] == ')') depth--;
    }
    return 0;
}

static bool is_zero(const char *text, size_t from, size_t to)
{
    while (from < to && text[from] == ' ') from++;
    return to == from + 1 && text[from] == '0';
}

/* max(0, F) and min(0, F) become F, and F in where(..., F, 0) becomes these. */
static void change_clips(alteration *a, ic_yaml *formula, const char *name)
{
    static const char *const clips[] = {"max", "min"};
    const char *text = formula->text;
    size_t from[4], to[4];
    for (size_t at = 0; text[at] != '\0' && !a->made; at++) {
        for (size_t c = 0; c < IC_COUNT(clips) && !a->made; c++) {
            const bool clipped = find_arguments(from, to, text, at, clips[c]) == 2;
            const size_t zero = clipped && is_zero(text, from[0], to[0]) ? 0 : 1, other = 1 - zero;
            if (clipped && is_zero(text, from[zero], to[zero]))
                replace(a, formula, name, at, to[1] + 1,
                        ic_arena_print(a->arena, "(%.*s)", (int)(to[other] - from[other]), text + from[other]));
            else if (find_arguments(from, to, text, at, "where") == 3 && is_zero(text, from[2], to[2]))
                replace(a, formula, name, from[1], to[1],
                        ic_arena_print(a->arena, "%s(0, %.*s)", clips[c], (int)(to[1] - from[1]), text + from[1]));
        }
    }
}

/* A parameter is 0 wherever it stands. */
static void drop_parameter(const alteration *a, ic_yaml *formula)
{
    const size_t length = strlen(a->parameter);
    const char *found = formula->text;
    while ((found = strstr(found, a->parameter)) != NULL) {
        const size_t at = (size_t)(found - formula->text), end = at + length;
        found += length;
        if ((at > 0 && is_of_name(formula->text[at - 1])) || is_of_name(formula->text[end])) continue;
        formula->text = ic_arena_print(a->arena, "%.*s0%s", (int)at, formula->text, formula->text + end);
        if (formula->text == NULL) return;
        formula->literal = false;
        found = formula->text + at;
    }
}

/* sign(F) becomes tanh(F/width). */
static void smooth_signs(alteration *a, ic_yaml *formula, const char *name)
{
    const char *text = formula->text;
    size_t from[4], to[4];
    for (size_t at = 0; text[at] != '\0' && !a->made; at++) {
        if (find_arguments(from, to, text, at, "sign") != 1) continue;
        replace(a, formula, name, at, to[0] + 1,
                ic_arena_print(a->arena, "tanh((%.*s)/" IC_ALTERED_WIDTH ")", (int)(to[0] - from[0]),
                               text + from[0]));
    }
}

/* ---- the tree */

/* Sets an entry of a mapping to a text. */
static void set_entry(const alteration *a, ic_yaml *mapping, const char *key, const char *text)
{
    const size_t n = mapping->n_keys, size = (n + 1) * sizeof(ic_yaml *);
    ic_yaml *both = ic_arena_take(a->arena, 2 * sizeof *both), *old = ic_yaml_get(mapping, key);
    ic_yaml **keys = ic_arena_take(a->arena, size), **items = ic_arena_take(a->arena, size);
    if (both == NULL || keys == NULL || items == NULL) return;
    both[0] = (ic_yaml){.kind = IC_YAML_SCALAR, .place = mapping->place, .text = key};
    both[1] = (ic_yaml){.kind = IC_YAML_SCALAR, .place = mapping->place, .text = text};
    if (old != NULL) {
        *old = both[1];
        return;
    }
    if (n > 0) memcpy(keys, mapping->keys, n * sizeof *keys);
    if (n > 0) memcpy(items, mapping->items, n * sizeof *items);
    keys[n] = &both[0];
    items[n] = &both[1];
    mapping->keys = keys;
    mapping->items = items;
    mapping->n_keys = mapping->n_items = n + 1;
}

/* The contact begins when the bodies meet, and ends when they separate (A), or when its force has fallen to 0 (C). */
static void change_condition(alteration *a, ic_yaml *contact, const char *name)
{
    static const char *const others[] = {"A", "C"};
    for (size_t i = 0; i < IC_COUNT(others) && !a->made; i++) {
        if (a->left-- > 0) continue;
        a->made = true;
        snprintf(a->altered->part, sizeof a->altered->part, "%s", others[i]);
        snprintf(a->altered->name, sizeof a->altered->name, "%s", name);
        set_entry(a, contact, "condition", others[i]);
    }
}

/* Friction becomes a part of the flow: -pushes kinetic normal tanh(slip/width). */
static void smooth_friction(alteration *a, ic_yaml *friction, const char *name, ic_yaml *flow)
{
    const ic_yaml *pushes = ic_yaml_get(friction, "pushes"), *slip = ic_yaml_get(friction, "slip"),
                  *normal = ic_yaml_get(friction, "normal"), *kinetic = ic_yaml_get(friction, "kinetic");
    if (pushes == NULL || slip == NULL || normal == NULL || kinetic == NULL || flow == NULL || a->made) return;
    if (a->left-- > 0) return;
    a->made = true;
    snprintf(a->altered->part, sizeof a->altered->part, "%s", slip->text);
    snprintf(a->altered->name, sizeof a->altered->name, "%s", name);
    for (size_t i = 0; i < pushes->n_keys; i++) {
        const char *velocity = pushes->keys[i]->text;
        const ic_yaml *rate = ic_yaml_get(flow, velocity);
        if (rate == NULL) continue;
        set_entry(a, flow, velocity,
                  ic_arena_print(a->arena, "%s - (%s)*(%s)*(%s)*tanh((%s)/" IC_ALTERED_WIDTH ")", rate->text,
                                 pushes->items[i]->text, kinetic->text, normal->text, slip->text));
    }
    set_entry(a, friction, "kinetic", "0");
    set_entry(a, friction, "static", "0");
}

/* Two entries of a mass matrix across its diagonal are 0. */
static void drop_coupling(alteration *a, const ic_yaml *matrix)
{
    for (size_t i = 0; i < matrix->n_items && !a->made; i++) {
        for (size_t j = 0; j < i && j < matrix->items[i]->n_items && !a->made; j++) {
            if (i >= matrix->items[j]->n_items || strcmp(matrix->items[i]->items[j]->text, "0") == 0) continue;
            replace(a, matrix->items[i]->items[j], "the mass matrix", 0, strlen(matrix->items[i]->items[j]->text), "0");
            if (a->made) matrix->items[j]->items[i]->text = "0";
        }
    }
}

static void walk(alteration *a, ic_yaml *node, const char *name, ic_yaml *flow)
{
    if (node->kind == IC_YAML_SCALAR) {
        const bool whole = strcmp(a->section, "definitions") == 0 || strcmp(a->section, "mass") == 0;
        const bool impact = strcmp(a->section, "then") == 0 || strcmp(a->section, "accumulates") == 0;
        if (a->kind == IC_ALTER_IMPACT && (impact || strcmp(a->section, "definitions") == 0)) drop_parameter(a, node);
        if (a->kind == IC_ALTER_TERM) drop_terms(a, node, name, whole);
        if (a->kind == IC_ALTER_CLIP) change_clips(a, node, name);
        if (a->kind == IC_ALTER_FRICTION) smooth_signs(a, node, name);
        return;
    }
    const char *outer = a->section;
    for (size_t i = 0; i < node->n_items && !a->made; i++) {
        const char *key = node->kind == IC_YAML_MAPPING ? node->keys[i]->text : "";
        const bool section = is_listed(key, walked, IC_COUNT(walked));
        ic_yaml *item = node->items[i];
        if (is_listed(key, passed_over, IC_COUNT(passed_over))) continue;
        if (strcmp(key, "friction") == 0 && a->kind == IC_ALTER_FRICTION) smooth_friction(a, item, name, flow);
        if (strcmp(key, "contact") == 0 && a->kind == IC_ALTER_CONDITION) change_condition(a, item, name);
        if (section) a->section = key;
        if (strcmp(key, "matrix") == 0 && a->kind == IC_ALTER_TERM) drop_coupling(a, item);
        if (!a->made) walk(a, item, key[0] == '\0' || section ? name : key, flow);
        if (!a->made) a->section = outer;
    }
}

bool ic_alter(ic_yaml *root, ic_arena *arena, ic_alteration kind, size_t place, ic_altered *altered)
{
    alteration a = {.arena = arena, .kind = kind, .left = place, .altered = altered};
    ic_yaml *parameters = ic_yaml_get(root, "parameters");
        if (kind == IC_ALTER_IMPACT && (parameters == NULL || place >= parameters->n_keys)) return false;
    if (kind == IC_ALTER_IMPACT) a.parameter = parameters->keys[place]->text;
    if (kind == IC_ALTER_FRICTION) a.left /= IC_COUNT(widths);
    for (size_t i = 0; i < root->n_keys && !a.made; i++) {
        const char *section = root->keys[i]->text;
        if (!is_listed(section, walked, IC_COUNT(walked))) continue;
        a.section = section;
        walk(&a, root->items[i], section, ic_yaml_get(root, "flow"));
    }
    if (kind == IC_ALTER_IMPACT) {
        a.made = true;
        snprintf(altered->name, sizeof altered->name, "%s", a.parameter);
    }
    if (a.made) altered->section = a.section;
    if (a.made && kind == IC_ALTER_FRICTION && parameters != NULL)
        set_entry(&a, parameters, IC_ALTERED_WIDTH, widths[place % IC_COUNT(widths)]);
    return a.made;
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
    c->change.kind = kind;
    c->change.place = place;
    c->change.altered = altered;
    if (ic_casefile_fill(c, system->name, system->text, strlen(system->text), NULL, 0, NULL, &error)) return c;
    ic_casefile_free(c);
    return NULL;
}
