/* SPDX-License-Identifier: MIT */
/* Families whose sizes depend on parameters: a case in several sizes, as C text and at run time. */
#include "casefile/kept.h"

#include "casefile/emit_case.h"
#include "core/expression.h"
#include "core/names.h"
#include "core/parameters.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether a setting NAME=VALUE is of the parameter `name`. */
static bool sets_parameter(const char *setting, const char *name)
{
    const size_t length = strcspn(setting, "=");
    return strlen(name) == length && strncmp(setting, name, length) == 0;
}

bool ic_sets_size(const ic_casefile *c, const char *setting)
{
    for (size_t i = 0; i < c->system.n_parameters; i++) {
        if (c->sizes[i] && sets_parameter(setting, c->system.parameters[i].name)) return true;
    }
    return false;
}

/* ---- C text of a file, for all its sizes */

/* Greatest number of values of a parameter on which the size of a family depends. */
enum { MOST_VALUES = 64 };

/* A case in several sizes; the largest comes first. */
typedef struct sized_case {
    const ic_casefile *cases[MOST_VALUES];
    ic_sized_functions sizes[MOST_VALUES];
    size_t n;
} sized_case;

/*
 * Index of the parameter on which sizes depend. -1: it does not exist, or its range is not a list
 * of values.
 */
static int find_size(const ic_casefile *c)
{
    for (size_t i = 0; i < c->system.n_parameters; i++) {
        if (c->sizes[i] && c->system.parameters[i].range[0] == '{') return (int)i;
    }
    return -1;
}

/* Reads the file for all values of the parameter in descending order. The caller holds the lock. */
static bool read_sizes(sized_case *s, const char *path, const ic_parameter *parameter, ic_error *error)
{
    for (int value = MOST_VALUES; value > 0; value--) {
        char text[80];
        const char *const setting[] = {text};
        if (!ic_in_range(parameter->range, value)) continue;
        snprintf(text, sizeof text, "%s=%d", parameter->name, value);
        const ic_casefile *c = ic_casefile_kept(path, setting, 1, false, error);
        if (c == NULL) return false;
        s->cases[s->n] = c;
        s->sizes[s->n++] = (ic_sized_functions){value, &c->functions, &c->graph};
    }
    return s->n > 0;
}

/*
 * Whether all sizes have the same functions, and numbers of states that are linear in the
 * parameter. `used` receives this number as text.
 */
static bool sizes_agree(const sized_case *s, const char *parameter, char *used, size_t room)
{
    const long most = (long)s->cases[0]->system.n_states, last = s->sizes[0].value;
    long slope = 0;
    for (size_t i = 1; i < s->n; i++) {
        const ic_functions *own = s->sizes[i].functions, *first = s->sizes[0].functions;
        const long states = (long)s->cases[i]->system.n_states, value = s->sizes[i].value;
        if (i == 1) slope = (most - states) / (last - value);
        if (states != most - slope * (last - value) || own->n != first->n ||
            s->cases[i]->system.n_shapes != s->cases[0]->system.n_shapes)
            return false;
        for (size_t k = 0; k < own->n; k++) {
            if (own->functions[k].kind != first->functions[k].kind) return false;
        }
    }
    snprintf(used, room, "%ld + %ld*%s", most - slope * last, slope, parameter);
    return true;
}

static bool emit_sizes(FILE *out, const char *symbol, const char *path, const ic_casefile *c, int parameter,
                       ic_error *error)
{
    sized_case *s = calloc(1, sizeof *s);
    char used[128];
    const ic_parameter *p = &c->system.parameters[parameter];
    bool good = s != NULL && read_sizes(s, path, p, error);
    if (good && !sizes_agree(s, p->name, used, sizeof used)) {
        ic_error_set(
            error,
            "%s: the number of states is not linear in '%s', or functions or the sketch differ between its values",
            path, p->name);
        good = false;
    }
    if (good) {
        /* Not a copy: functions are found by the addresses of their pointers. */
        ic_case *whole = (ic_case *)&s->cases[0]->system;
        whole->states_used = used;
        good = ic_case_emit(out, symbol, whole, s->sizes, s->n, parameter);
        whole->states_used = NULL;
    }
    free(s);
    return good;
}

bool ic_casefile_emit(FILE *out, const char *symbol, const char *path, ic_error *error)
{
    ic_error_set(error, "the C file cannot be written");
    ic_kept_lock();
    const ic_casefile *c = ic_casefile_kept(path, NULL, 0, false, error);
    bool good = c != NULL;
    if (good) {
        const ic_sized_functions one = {.functions = &c->functions, .graph = &c->graph};
        const int parameter = find_size(c);
        good = parameter >= 0 ? emit_sizes(out, symbol, path, c, parameter, error)
                              : ic_case_emit(out, symbol, &c->system, &one, 1, 0);
    }
    ic_kept_unlock();
    return good;
}

/* ---- sizes at run time */

/* Whether a built-in case contains all sizes of the parameter that is set: it is that in the number of states. */
static bool contains_sizes(const ic_case *system, const char *setting)
{
    const char *factor = system->states_used == NULL ? NULL : strrchr(system->states_used, '*');
    return factor != NULL && sets_parameter(setting, factor + 1);
}

/* Whether a text of n characters contains a name as a whole word. */
static bool has_word(const char *text, size_t n, const char *name)
{
    static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
    while (n > 0) {
        const size_t other = strcspn(text, letters), skipped = other < n ? other : n;
        const size_t word = strspn(text + skipped, letters);
        if (skipped + word <= n && word == strlen(name) && strncmp(text + skipped, name, word) == 0)
            return true;
        if (skipped + word >= n) return false;
        text += skipped + word;
        n -= skipped + word;
    }
    return false;
}

/* Whether a name stands in a range of a case file, as N in `for i in 1..N-1`. */
static bool is_in_range(const char *text, const char *name)
{
    static const char ends[] = "\n,{}\"";
    for (const char *dots = strstr(text, ".."); dots != NULL; dots = strstr(dots + 2, "..")) {
        const char *start = dots;
        while (start > text && start[-1] != ':' && strchr(ends, start[-1]) == NULL) start--;
        if (has_word(start, (size_t)(dots - start) + strcspn(dots, ends), name)) return true;
    }
    return false;
}

/*
 * Whether a setting may change a size that a built-in case does not contain: the parameter is a whole number, and
 * stands in a range. The text is read only if so.
 */
static bool may_set_size(const ic_case *system, const char *setting)
{
    for (size_t i = 0; i < system->n_parameters; i++) {
        const ic_parameter *p = &system->parameters[i];
        if (sets_parameter(setting, p->name))
            return p->value[strspn(p->value, "0123456789")] == '\0' && !contains_sizes(system, setting) &&
                   is_in_range(system->text, p->name);
    }
    return false;
}

/* The kept file of a case; that of a built-in case only if a setting may need it. NULL: none, or an error. */
static const ic_kept_file *find_text(const ic_case *system, const char *const *settings, size_t n,
                                     ic_error *error)
{
    bool needed = false;
    const ic_kept_file *k = ic_kept_of(system);
    if (k != NULL) return k;
    for (size_t i = 0; i < n && system->text != NULL; i++) needed = needed || may_set_size(system, settings[i]);
    return needed ? ic_casefile_keep(system->name, system->text, NULL, 0, NULL, false, error) : NULL;
}

/*
 * The case with the sizes among these settings; itself if there are none, or if it contains them. Moves the
 * settings of sizes to the start.
 */
static const ic_case *find_sized(const ic_case *system, const char **settings, size_t n, ic_error *error)
{
    ic_error why = {""};
    size_t n_sizes = 0;
    bool contained = true;
    const ic_kept_file *k = find_text(system, settings, n, &why);
    for (size_t i = 0; k != NULL && i < n; i++) {
        if (!ic_sets_size(k->casefile, settings[i])) continue;
        contained = contained && contains_sizes(system, settings[i]);
        settings[n_sizes++] = settings[i];
    }
    if (contained && why.text[0] == '\0') return system;
    char *path = k == NULL ? NULL : ic_copy_text(k->key, strcspn(k->key, "\n"), &why);
    k = path == NULL ? NULL : ic_casefile_keep(path, k->text, settings, n_sizes, NULL, true, &why);
    free(path);
    if (k == NULL) ic_error_set(error, "%s", why.text);
    return k == NULL ? NULL : ic_casefile_case(k->casefile);
}

const ic_case *ic_casefile_sized(const ic_case *system, const char *preset, const char *const *settings,
                                 size_t n, ic_error *error)
{
    if (system->text == NULL) return system;
    const ic_preset *named = preset == NULL ? NULL : ic_preset_find(system, preset);
    const char *text = (named == NULL ? system->presets : named)->settings;
    const ic_case *found = NULL;
    char *rest = NULL, *own = ic_copy_text(text, strlen(text), error);
    const char **all = calloc(n + strlen(text) + 1, sizeof *all);
    if (all == NULL) ic_error_no_memory(error);
    if (own != NULL && all != NULL) {
        size_t count = 0;
        for (char *at = strtok_r(own, ", ", &rest); at != NULL; at = strtok_r(NULL, ", ", &rest))
            all[count++] = at;
        for (size_t i = 0; i < n; i++) all[count++] = settings[i];
        ic_kept_lock();
        found = find_sized(system, all, count, error);
        ic_kept_unlock();
    }
    free(all);
    free(own);
    return found;
}
