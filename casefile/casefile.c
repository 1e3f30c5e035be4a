/* SPDX-License-Identifier: MIT */
#include "casefile/casefile.h"

#include "casefile/compile.h"
#include "casefile/elements.h"
#include "casefile/emit_case.h"
#include "casefile/estimate.h"
#include "casefile/sections.h"
#include "casefile/sketch.h"
#include "core/expression.h"
#include "core/input_file.h"
#include "core/names.h"
#include "core/parameters.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ic_casefile {
    ic_arena arena;
    ic_graph graph;
    ic_faults faults;
    ic_functions functions;
    ic_closures *closures;

    /* The text of the whole file. */
    const ic_yaml *text;

    /* The variant for which everything is given as operations, or NULL. */
    const char *exact;

    /* the settings of sizes with which that was read */
    const char *exact_sizes;

    /* The next of these cases; NULL: the last. */
    ic_casefile *next_exact;

    /* The compiled functions, or NULL. */
    ic_compiled *library;

    ic_case system;

    /* by parameter: whether the size of a family depends on it */
    const bool *sizes;

    /* By parameter: its value as written, if its unit is not an SI unit, or NULL. */
    const char *const *written;

    /* By state: whether it is internal (ic_casefile_state_is_internal). */
    bool internal[IC_MAX_STATES + 1];
};

/* ---- reading a file */

static const char *case_name(ic_arena *arena, const char *file)
{
    const char *base = strrchr(file, '/');
    base = base == NULL ? file : base + 1;
    const char *end = strrchr(base, '.');
    return ic_arena_copy(arena, base, end == NULL ? strlen(base) : (size_t)(end - base));
}

/* Checks the name, which is part of NAME/PRESET and of the names of result files. */
static bool check_name(ic_case_reader *r)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
    enum { LONGEST = 64 };
    const ic_yaml *name = ic_yaml_get(r->root, "name");
    if (name == NULL || name->kind != IC_YAML_SCALAR) return true;
    const size_t n = strlen(name->text);
    if (n > 0 && n <= LONGEST && strspn(name->text, letters) == n) return true;
    return ic_fault_add(r->faults, name->place, "a name consists of at most %d letters, digits, - and _",
                        LONGEST);
}

static const char *const sections[] = {
    "name",       "title",       "source",       "about",        "parameters",  "requirements",
    "indices",    "definitions", "states",       "discrete",     "elements",    "mass",
    "flow",       "modes",       "until",        "energy",       "start",       "times",
    "outputs",    "variants",    "presets",      "contact",      "trials",      "draws",
    "time_scale", "period",      "law",          "law_defaults", "free_impact", "impact",
    "stops",      "statements",  "closed_forms", "figures",      "sketch",      NULL};

/*
 * Marks internal states: kinks, memories, and the times since which inputs of delays are constant.
 */
static void find_internal(bool *internal, const ic_case_reader *r, size_t own)
{
    for (size_t i = own; i < r->n_states; i++) {
        internal[i] = true;
        for (size_t k = 0; k < r->n_elements; k++) {
            if (r->elements[k].state == (int)i) internal[i] = false;
        }
    }
}

/*
 * Lists discrete states without a unit: elements, kinks, and counters or choices of the file.
 * Values with a unit may be rounded.
 */
static const char *const *list_discrete(const ic_case_reader *r)
{
    const char **names = ic_arena_take(r->arena, (r->n_states + 1) * sizeof *names);
    size_t n = 0;
    for (size_t i = 0; i < r->n_states && names != NULL; i++) {
        if (r->state_discrete[i] && strcmp(r->states[i].unit, "1") == 0) names[n++] = r->states[i].name;
    }
    return n > 0 ? names : NULL;
}

static bool read_case(ic_case_reader *r, ic_case *system, bool *internal, const char *file)
{
    ic_output *outputs = NULL;
    if (!ic_reader_keys(r, r->root, sections)) return false;
    *system = (ic_case){IC_ABI(ic_case)};
    system->name = ic_reader_text(r, r->root, "name", case_name(r->arena, file));
    system->title = ic_reader_text(r, r->root, "title", system->name);
    system->source = ic_reader_text(r, r->root, "source", "");
    /* Continue after a fault, so that faults of later sections are reported too. */
    bool good = check_name(r);
    good = ic_read_parameters(r) && good;
    if (r->parameter_sizes == NULL) return false;
    good = ic_read_definitions(&r->case_definitions, r, ic_yaml_get(r->root, "definitions")) && good;
    good = ic_read_states(r) && good;
    const size_t own = r->n_states;
    if (r->n_states == 0 || !ic_read_elements(r) || !ic_read_outputs(r, &outputs, &system->n_outputs) ||
        !ic_read_sketch(r, system))
        return false;
    system->parameters = r->parameters;
    system->n_parameters = r->n_parameters;
    system->states = r->states;
    system->n_states = r->n_states;
    system->outputs = outputs;
    if (!ic_read_variants(r, system, outputs) || !good) return false;
    /* Kinks have added states, and laws have added parameters. */
    system->n_states = r->n_states - (r->memory >= 0 ? 1 : 0);
    system->n_parameters = r->n_parameters;
    system->discrete = list_discrete(r);
    find_internal(internal, r, own);
    return ic_read_sections(r, system) && ic_read_answers(r, system);
}

/*
 * Reads a file. `c->faults` receives the faults of its text, `error` any other error. exact: see
 * ic_case_reader.
 */
static bool read_casefile(ic_casefile *c, const char *file, const char *bytes, size_t size,
                          const char *const *settings, size_t n_settings, const char *exact, ic_error *error)
{
    c->graph.arena = &c->arena;
    c->faults.arena = &c->arena;
    ic_case_reader r = {.arena = &c->arena,
                        .graph = &c->graph,
                        .faults = &c->faults,
                        .functions = &c->functions,
                        .exact = exact,
                        .settings = settings,
                        .n_settings = n_settings,
                        .memory = -1,
                        .work = 1000000};
    ic_file_place place;
    ic_error why;
    r.root = ic_yaml_read(&c->arena, bytes, size, &place, &why);
    if (r.root == NULL) return ic_fault_add(&c->faults, place, "%s", why.text);
    c->text = r.root;
    if (!read_case(&r, &c->system, c->internal, file) || c->faults.n_faults > 0 || c->arena.failed)
        return false;
    c->system.text = ic_arena_copy(&c->arena, bytes, size);
    c->exact = exact == NULL ? NULL : ic_arena_copy(&c->arena, exact, strlen(exact));
    c->sizes = r.parameter_sizes;
    c->written = r.parameter_written;
    c->closures = ic_functions_interpret(&c->functions, &c->graph, error);
    if (c->closures == NULL) return c->arena.failed ? ic_error_no_memory(error) : false;
    if (!ic_estimate_scales(&c->system, r.states, &c->arena) || c->arena.failed)
        return ic_error_no_memory(error);
    return ic_case_check(&c->system, error);
}

static ic_casefile *make_casefile(const char *file, const char *bytes, size_t size, const char *const *settings,
                                  size_t n_settings, const char *exact, ic_error *error)
{
    ic_casefile *c = calloc(1, sizeof *c);
    ic_error why = {""};
    if (c == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    if (read_casefile(c, file, bytes, size, settings, n_settings, exact, &why)) return c;
    if (c->faults.n_faults > 0 || why.text[0] == '\0') ic_faults_error(&c->faults, file, error);
    else ic_error_set(error, "%s: %.400s", file, why.text);
    ic_casefile_free(c);
    return NULL;
}

ic_casefile *ic_casefile_read(const char *file, const char *bytes, size_t size, const char *const *settings,
                              size_t n_settings, ic_error *error)
{
    return make_casefile(file, bytes, size, settings, n_settings, NULL, error);
}

bool ic_casefile_compile(ic_casefile *casefile, ic_error *note)
{
    ic_error why = {""};
    if (casefile->library == NULL)
        casefile->library = ic_functions_compile(&casefile->functions, &casefile->graph, &why);
    if (casefile->library == NULL) ic_error_set(note, "%s", why.text);
    return casefile->library != NULL;
}

void ic_casefile_free(ic_casefile *casefile)
{
    if (casefile == NULL) return;
    ic_compiled_free(casefile->library);
    ic_closures_free(casefile->closures);
    ic_faults_free(&casefile->faults);
    ic_arena_free(&casefile->arena);
    free(casefile);
}

const ic_case *ic_casefile_case(const ic_casefile *casefile)
{
    return &casefile->system;
}

/* ---- files by name, read once */

size_t ic_casefile_path(const char *text)
{
    for (const char *dot = strstr(text, ".y"); dot != NULL; dot = strstr(dot + 1, ".y")) {
        const size_t length = strncmp(dot, ".yaml", 5) == 0 ? 5 : strncmp(dot, ".yml", 4) == 0 ? 4 : 0;
        if (length > 0 && (dot[length] == '\0' || dot[length] == '/')) return (size_t)(dot - text) + length;
    }
    return 0;
}

typedef struct kept_file {
    struct kept_file *next;
    ic_casefile *casefile;

    /* The text of a built-in case; NULL: the text is that of the file. */
    const char *text;

    /* Path, or name of the built-in case, and the settings that determine sizes. */
    char key[];
} kept_file;

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static kept_file *kept_files; /* Kept until the process ends, because problems borrow the cases. */

/*
 * Contents of a file, which the caller frees. One byte more than IC_YAML_SIZE is read, so that a
 * longer file is refused.
 */
static char *read_bytes(const char *path, size_t *size, ic_error *error)
{
    FILE *file = ic_input_file_open(path, error);
    if (file == NULL) return NULL;
    char *bytes = malloc(IC_YAML_SIZE + 1);
    if (bytes == NULL) ic_error_no_memory(error);
    else *size = fread(bytes, 1, IC_YAML_SIZE + 1, file);
    if (bytes != NULL && ferror(file)) {
        ic_error_set(error, "%s: the file cannot be read", path);
        free(bytes);
        bytes = NULL;
    }
    fclose(file);
    return bytes;
}

/* Reads a case from the text, or from the file of this name if the text is NULL. */
static ic_casefile *read_text_or_file(const char *path, const char *text, const char *const *settings, size_t n,
                                      ic_error *error)
{
    size_t size = 0;
    if (text != NULL) return ic_casefile_read(path, text, strlen(text), settings, n, error);
    char *bytes = read_bytes(path, &size, error);
    ic_casefile *c = bytes == NULL ? NULL : ic_casefile_read(path, bytes, size, settings, n, error);
    free(bytes);
    return c;
}

/*
 * The case of a file, or of the text of a built-in case, with these settings, which is read unless it was
 * read before. The caller holds the lock.
 */
static const kept_file *keep_case(const char *path, const char *text, const char *const *settings, size_t n,
                                  bool compiled, ic_error *error)
{
    size_t length = strlen(path) + 1;
    for (size_t i = 0; i < n; i++) length += strlen(settings[i]) + 1;
    kept_file *k = malloc(sizeof *k + length);
    if (k == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    size_t used = (size_t)snprintf(k->key, length, "%s", path);
    for (size_t i = 0; i < n; i++) used += (size_t)snprintf(k->key + used, length - used, "\n%s", settings[i]);
    for (const kept_file *known = kept_files; known != NULL; known = known->next) {
        if (known->text != text || strcmp(known->key, k->key) != 0) continue;
        free(k);
        return known;
    }
    k->text = text;
    k->casefile = read_text_or_file(path, text, settings, n, error);
    if (k->casefile != NULL && compiled) ic_casefile_compile(k->casefile, NULL);
    if (k->casefile == NULL) {
        free(k);
        return NULL;
    }
    k->next = kept_files;
    kept_files = k;
    return k;
}

static const ic_casefile *find_kept(const char *path, const char *const *settings, size_t n, bool compiled,
                                    ic_error *error)
{
    const kept_file *k = keep_case(path, NULL, settings, n, compiled, error);
    return k == NULL ? NULL : k->casefile;
}

const ic_case *ic_casefile_find(const char *path, ic_error *error)
{
    pthread_mutex_lock(&kept_lock);
    const ic_casefile *found = find_kept(path, NULL, 0, true, error);
    pthread_mutex_unlock(&kept_lock);
    return found == NULL ? NULL : ic_casefile_case(found);
}

/* The file of a case; NULL: it is not from a file. */
static const kept_file *file_of_case(const ic_case *system)
{
    pthread_mutex_lock(&kept_lock);
    const kept_file *k = kept_files;
    while (k != NULL && &k->casefile->system != system) k = k->next;
    pthread_mutex_unlock(&kept_lock);
    return k;
}

const char *ic_casefile_written(const ic_case *system, size_t parameter)
{
    const kept_file *k = file_of_case(system);
    return k == NULL ? NULL : k->casefile->written[parameter];
}

bool ic_casefile_state_is_internal(const ic_case *system, size_t state)
{
    const kept_file *k = file_of_case(system);
    return k != NULL && k->casefile->internal[state];
}

const struct ic_yaml *ic_casefile_text(const ic_case *system, const char **path)
{
    const kept_file *k = file_of_case(system);
    if (k == NULL) return NULL;
    *path = k->key;
    return k->casefile->text;
}

/* ---- cases with all formulas as operations */

static ic_casefile *exact_files; /* Kept until the process ends. */

enum { LONGEST_SIZES = 512 };

static bool sets_parameter(const char *setting, const char *name)
{
    const size_t length = strcspn(setting, "=");
    return strlen(name) == length && strncmp(setting, name, length) == 0;
}

/* Whether a setting is of a parameter on which sizes depend. */
static bool sets_size(const ic_casefile *c, const char *setting)
{
    for (size_t i = 0; i < c->system.n_parameters; i++) {
        if (c->sizes[i] && sets_parameter(setting, c->system.parameters[i].name)) return true;
    }
    return false;
}

/* These settings, as one text. */
static void write_sizes(char text[LONGEST_SIZES], const ic_casefile *c, const char *const *settings, size_t n)
{
    size_t used = 0;
    text[0] = '\0';
    for (size_t k = 0; k < n && used < LONGEST_SIZES; k++) {
        if (sets_size(c, settings[k]))
            used += (size_t)snprintf(text + used, LONGEST_SIZES - used, "%s;", settings[k]);
    }
}

/* Whether a case was read from the text of another for this variant, with the same sizes. */
static bool is_exact_form(const ic_casefile *c, const ic_case *system, const char *variant,
                          const char *const *settings, size_t n)
{
    char sizes[LONGEST_SIZES];
    write_sizes(sizes, c, settings, n);
    return strcmp(c->system.text, system->text) == 0 && strcmp(c->exact, variant) == 0 &&
           strcmp(c->exact_sizes, sizes) == 0;
}

/* Reads the text of a case for a variant, and keeps the case. */
static ic_casefile *read_exact(const ic_case *system, const char *variant, const char *const *settings,
                               size_t n, ic_error *error)
{
    char sizes[LONGEST_SIZES];
    ic_casefile *c =
        make_casefile(system->name, system->text, strlen(system->text), settings, n, variant, error);
    if (c == NULL) return NULL;
    write_sizes(sizes, c, settings, n);
    c->exact_sizes = ic_arena_copy(&c->arena, sizes, strlen(sizes));
    if (c->exact_sizes == NULL) {
        ic_error_no_memory(error);
        ic_casefile_free(c);
        return NULL;
    }
    c->next_exact = exact_files;
    exact_files = c;
    return c;
}

/* The settings of parameters on which sizes depend. Others are no part of the text, whose units hold for its own. */
static size_t settings_of_sizes(const char **chosen, const ic_casefile *c, const char *const *settings,
                                size_t n)
{
    size_t count = 0;
    for (size_t k = 0; k < n; k++) {
        if (sets_size(c, settings[k])) chosen[count++] = settings[k];
    }
    return count;
}

const ic_case *ic_casefile_exact(const ic_case *system, const char *variant, const char *const *settings,
                                 size_t n, ic_error *error)
{
    ic_casefile *found = NULL;
    if (system->text == NULL) {
        ic_error_set(error, "case '%s' is not from a case file", system->name);
        return NULL;
    }
    pthread_mutex_lock(&kept_lock);
    for (ic_casefile *c = exact_files; c != NULL && found == NULL; c = c->next_exact) {
        if (is_exact_form(c, system, variant, settings, n)) found = c;
    }
    if (found == NULL) {
        found = read_exact(system, variant, NULL, 0, error);
        if (found != NULL && !is_exact_form(found, system, variant, settings, n)) {
            const char **chosen = calloc(n + 1, sizeof *chosen);
            const size_t count = chosen == NULL ? 0 : settings_of_sizes(chosen, found, settings, n);
            found = chosen == NULL ? NULL : read_exact(system, variant, chosen, count, error);
            if (chosen == NULL) ic_error_no_memory(error);
            free(chosen);
        }
    }
    pthread_mutex_unlock(&kept_lock);
    return found == NULL ? NULL : &found->system;
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
        const ic_casefile *c = find_kept(path, setting, 1, false, error);
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
    pthread_mutex_lock(&kept_lock);
    const ic_casefile *c = find_kept(path, NULL, 0, false, error);
    bool good = c != NULL;
    if (good) {
        const ic_sized_functions one = {.functions = &c->functions, .graph = &c->graph};
        const int parameter = find_size(c);
        good = parameter >= 0 ? emit_sizes(out, symbol, path, c, parameter, error)
                              : ic_case_emit(out, symbol, &c->system, &one, 1, 0);
    }
    pthread_mutex_unlock(&kept_lock);
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

static const ic_preset *find_preset(const ic_case *system, const char *name)
{
    for (size_t i = 0; name != NULL && i < system->n_presets; i++) {
        if (strcmp(system->presets[i].name, name) == 0) return &system->presets[i];
    }
    return system->presets;
}

/* The kept file of a case; that of a built-in case only if a setting may need it. NULL: none, or an error. */
static const kept_file *find_text(const ic_case *system, const char *const *settings, size_t n, ic_error *error)
{
    bool needed = false;
    for (const kept_file *k = kept_files; k != NULL; k = k->next) {
        if (&k->casefile->system == system) return k;
    }
    for (size_t i = 0; i < n && system->text != NULL; i++) needed = needed || may_set_size(system, settings[i]);
    return needed ? keep_case(system->name, system->text, NULL, 0, false, error) : NULL;
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
    const kept_file *k = find_text(system, settings, n, &why);
    for (size_t i = 0; k != NULL && i < n; i++) {
        if (!sets_size(k->casefile, settings[i])) continue;
        contained = contained && contains_sizes(system, settings[i]);
        settings[n_sizes++] = settings[i];
    }
    if (contained && why.text[0] == '\0') return system;
    char *path = k == NULL ? NULL : ic_copy_text(k->key, strcspn(k->key, "\n"), &why);
    k = path == NULL ? NULL : keep_case(path, k->text, settings, n_sizes, true, &why);
    free(path);
    if (k == NULL) ic_error_set(error, "%s", why.text);
    return k == NULL ? NULL : ic_casefile_case(k->casefile);
}

const ic_case *ic_casefile_sized(const ic_case *system, const char *preset, const char *const *settings,
                                 size_t n, ic_error *error)
{
    if (system->text == NULL) return system;
    const char *text = find_preset(system, preset)->settings;
    const ic_case *found = NULL;
    char *rest = NULL, *own = ic_copy_text(text, strlen(text), error);
    const char **all = calloc(n + strlen(text) + 1, sizeof *all);
    if (all == NULL) ic_error_no_memory(error);
    if (own != NULL && all != NULL) {
        size_t count = 0;
        for (char *at = strtok_r(own, ", ", &rest); at != NULL; at = strtok_r(NULL, ", ", &rest))
            all[count++] = at;
        for (size_t i = 0; i < n; i++) all[count++] = settings[i];
        pthread_mutex_lock(&kept_lock);
        found = find_sized(system, all, count, error);
        pthread_mutex_unlock(&kept_lock);
    }
    free(all);
    free(own);
    return found;
}

size_t ic_casefile_examine(const ic_case **system, const char *path, ic_casefile_report *report, void *context)
{
    ic_error error = {""};
    size_t size = 0, n = 0;
    ic_casefile *c = NULL;
    *system = NULL;
    char *bytes = read_bytes(path, &size, &error);
    if (bytes != NULL && (c = calloc(1, sizeof *c)) == NULL) ic_error_no_memory(&error);
    if (c != NULL && read_casefile(c, path, bytes, size, NULL, 0, NULL, &error)) {
        pthread_mutex_lock(&kept_lock); /* The case is only examined, and not compiled. */
        const ic_casefile *kept = find_kept(path, NULL, 0, false, &error);
        pthread_mutex_unlock(&kept_lock);
        *system = kept == NULL ? NULL : ic_casefile_case(kept);
    } else if (c != NULL && c->faults.n_faults > 0) {
        for (; n < c->faults.n_faults; n++) {
            char text[640];
            const ic_fault *f = &c->faults.faults[n];
            if (f->place.line == 0) snprintf(text, sizeof text, "%s: %s", path, f->text);
            else snprintf(text, sizeof text, "%s:%zu:%zu: %s", path, f->place.line, f->place.column, f->text);
            report(text, context);
        }
    } else {
        ic_error whole;
        ic_error_set(&whole, bytes == NULL ? "%.0s%s" : "%s: %.400s", path,
                     error.text[0] != '\0' ? error.text : "the case needs too much memory");
        report(whole.text, context);
        n = 1;
    }
    free(bytes);
    ic_casefile_free(c);
    return n;
}
