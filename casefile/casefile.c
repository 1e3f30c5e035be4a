/* SPDX-License-Identifier: MIT */
/* A case file is read in one pass: `read_case` goes through its sections, and ic_casefile_fill makes a case of them. */
#include "casefile/kept.h"

#include "casefile/elements.h"
#include "casefile/estimate.h"
#include "casefile/sections.h"
#include "casefile/sketch.h"
#include "core/expression.h"

#include <stdlib.h>
#include <string.h>

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

/* All sections of a file, in the order in which each may use those before it: the one pass over its text. */
static bool read_case(ic_case_reader *r, ic_case *system, bool *internal, const char *file)
{
    ic_output *outputs = NULL;
    const ic_yaml *law = ic_yaml_get(r->root, "law");
    if (!ic_only_known_keys(r->faults, r->root, &ic_schema_case) ||
        (law != NULL && !ic_known_keys(r->faults, law, &ic_schema_law)))
        return false;
    *system = (ic_case){IC_ABI(ic_case)};
    system->name = ic_key_text(r->faults, r->root, "name", case_name(r->arena, file));
    system->title = ic_key_text(r->faults, r->root, "title", system->name);
    system->source = ic_key_text(r->faults, r->root, "source", "");
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

bool ic_casefile_fill(ic_casefile *c, const char *file, const char *bytes, size_t size,
                      const char *const *settings, size_t n_settings, const char *exact, ic_error *error)
{
    c->graph.arena = &c->arena;
    c->faults.arena = &c->arena;
    ic_case_reader r = {.arena = &c->arena,
                        .graph = &c->graph,
                        .faults = &c->faults,
                        .functions = &c->functions,
                        .exact = exact,
                        .directions = c->directions,
                        .settings = settings,
                        .n_settings = n_settings,
                        .memory = -1,
                        .work = 1000000};
    ic_file_place place;
    ic_error why;
    ic_yaml *root = ic_yaml_read(&c->arena, bytes, size, &place, &why);
    if (root == NULL) return ic_fault_add(&c->faults, place, "%s", why.text);
    c->text = r.root = root;
    if (c->altered != NULL && !ic_alter(root, &c->arena, c->change, c->place, c->altered)) return false;
    if (!read_case(&r, &c->system, c->internal, file) || c->faults.n_faults > 0 || c->arena.failed)
        return false;
    c->system.text = ic_arena_copy(&c->arena, bytes, size);
    c->sizes = r.parameter_sizes;
    c->written = r.parameter_written;
    c->closures = ic_functions_interpret(&c->functions, &c->graph, error);
    if (c->closures == NULL) return c->arena.failed ? ic_error_no_memory(error) : false;
    if (!ic_estimate_scales(&c->system, r.states, &c->arena) || c->arena.failed)
        return ic_error_no_memory(error);
    return ic_case_check(&c->system, error);
}

/* One text, with settings that determine sizes. */
static ic_casefile *read_derived(const ic_case *system, const char *variant,
                                 const ic_casefile_directions *directions, const char *const *sizes,
                                 size_t n_sizes, ic_error *error)
{
    ic_casefile *c = calloc(1, sizeof *c);
    if (c == NULL || system->text == NULL) {
        if (c == NULL) ic_error_no_memory(error);
        else ic_error_set(error, "case '%s' is not from a case file", system->name);
        free(c);
        return NULL;
    }
    c->directions = directions;
    if (ic_casefile_fill(c, system->name, system->text, strlen(system->text), sizes, n_sizes, variant, error))
        return c;
    if (c->faults.n_faults > 0) ic_error_set(error, "%s", c->faults.faults[0].text);
    ic_casefile_free(c);
    return NULL;
}

/* Whether a direction is the size of a family. */
static bool is_size(const ic_casefile *c, const ic_casefile_directions *directions, ic_error *error)
{
    for (size_t i = 0; i < c->system.n_parameters; i++) {
        for (size_t k = 0; k < directions->n && c->sizes[i]; k++) {
            if (strcmp(c->system.parameters[i].name, directions->names[k]) != 0) continue;
            ic_error_set(error, "no derivatives by '%s', which is a number of parts", directions->names[k]);
            return true;
        }
    }
    return false;
}

ic_casefile *ic_casefile_derived(const ic_case *system, const char *variant,
                                 const ic_casefile_directions *directions, ic_error *error)
{
    ic_casefile *c = read_derived(system, variant, directions, NULL, 0, error);
    const char **sizes = c == NULL ? NULL : calloc(directions->n_settings + 1, sizeof *sizes);
    size_t n = 0;
    bool good = sizes != NULL && !is_size(c, directions, error);
    for (size_t i = 0; good && i < directions->n_settings; i++) {
        if (ic_sets_size(c, directions->settings[i])) sizes[n++] = directions->settings[i];
    }
    if (n > 0 || !good) {
        ic_casefile_free(c);
        c = good ? read_derived(system, variant, directions, sizes, n, error) : NULL;
    }
    free(sizes);
    return c;
}

ic_casefile *ic_casefile_make(const char *file, const char *bytes, size_t size, const char *const *settings,
                              size_t n_settings, const char *exact, ic_error *error)
{
    ic_casefile *c = calloc(1, sizeof *c);
    ic_error why = {""};
    if (c == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    if (ic_casefile_fill(c, file, bytes, size, settings, n_settings, exact, &why)) return c;
    if (c->faults.n_faults > 0 || why.text[0] == '\0') ic_faults_error(&c->faults, file, error);
    else ic_error_set(error, "%s: %.400s", file, why.text);
    ic_casefile_free(c);
    return NULL;
}

ic_casefile *ic_casefile_read(const char *file, const char *bytes, size_t size, const char *const *settings,
                              size_t n_settings, ic_error *error)
{
    return ic_casefile_make(file, bytes, size, settings, n_settings, NULL, error);
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

size_t ic_casefile_path(const char *text)
{
    for (const char *dot = strstr(text, ".y"); dot != NULL; dot = strstr(dot + 1, ".y")) {
        const size_t length = strncmp(dot, ".yaml", 5) == 0 ? 5 : strncmp(dot, ".yml", 4) == 0 ? 4 : 0;
        if (length > 0 && (dot[length] == '\0' || dot[length] == '/')) return (size_t)(dot - text) + length;
    }
    return 0;
}
