/* SPDX-License-Identifier: MIT */
/* Case files by name: each is read once, and kept; so are their forms with exact numbers. */
#include "casefile/kept.h"

#include "casefile/yaml.h"
#include "core/expression.h"
#include "core/input_file.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t kept_lock = PTHREAD_MUTEX_INITIALIZER;
static ic_kept_file *kept_files, *exact_files;

void ic_kept_lock(void)
{
    pthread_mutex_lock(&kept_lock);
}

void ic_kept_unlock(void)
{
    pthread_mutex_unlock(&kept_lock);
}

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
                                      const char *exact, ic_error *error)
{
    size_t size = 0;
    if (text != NULL) return ic_casefile_make(path, text, strlen(text), settings, n, exact, error);
    char *bytes = read_bytes(path, &size, error);
    ic_casefile *c = bytes == NULL ? NULL : ic_casefile_read(path, bytes, size, settings, n, error);
    free(bytes);
    return c;
}

/* Texts are compared, because those of cases that are not kept may have stood at the same place. */
static bool has_text(const ic_kept_file *k, const char *text)
{
    if (k->text == NULL || text == NULL) return k->text == text;
    return strcmp(k->casefile->system.text, text) == 0;
}

const ic_kept_file *ic_casefile_keep(const char *path, const char *text, const char *const *settings, size_t n,
                                     const char *exact, bool compiled, ic_error *error)
{
    ic_kept_file **all = exact != NULL ? &exact_files : &kept_files;
    size_t length = strlen(path) + (exact != NULL ? strlen(exact) + 1 : 0) + 1;
    for (size_t i = 0; i < n; i++) length += strlen(settings[i]) + 1;
    ic_kept_file *k = malloc(sizeof *k + length);
    if (k == NULL) {
        ic_error_no_memory(error);
        return NULL;
    }
    size_t used = (size_t)snprintf(k->key, length, "%s", path);
    for (size_t i = 0; i < n; i++) used += (size_t)snprintf(k->key + used, length - used, "\n%s", settings[i]);
    if (exact != NULL) snprintf(k->key + used, length - used, "\n%s", exact);
    for (const ic_kept_file *known = *all; known != NULL; known = known->next) {
        if (!has_text(known, text) || strcmp(known->key, k->key) != 0) continue;
        free(k);
        return known;
    }
    k->text = text;
    k->casefile = read_text_or_file(path, text, settings, n, exact, error);
    if (k->casefile != NULL && compiled) ic_casefile_compile(k->casefile, NULL);
    if (k->casefile == NULL) {
        free(k);
        return NULL;
    }
    k->next = *all;
    *all = k;
    return k;
}

const ic_casefile *ic_casefile_kept(const char *path, const char *const *settings, size_t n, bool compiled,
                                    ic_error *error)
{
    const ic_kept_file *k = ic_casefile_keep(path, NULL, settings, n, NULL, compiled, error);
    return k == NULL ? NULL : k->casefile;
}

const ic_case *ic_casefile_find(const char *path, ic_error *error)
{
    ic_kept_lock();
    const ic_casefile *found = ic_casefile_kept(path, NULL, 0, true, error);
    ic_kept_unlock();
    return found == NULL ? NULL : ic_casefile_case(found);
}

const ic_kept_file *ic_kept_of(const ic_case *system)
{
    const ic_kept_file *k = kept_files;
    while (k != NULL && &k->casefile->system != system) k = k->next;
    return k;
}

/* The same without the lock. */
static const ic_kept_file *file_of_case(const ic_case *system)
{
    ic_kept_lock();
    const ic_kept_file *k = ic_kept_of(system);
    ic_kept_unlock();
    return k;
}

bool ic_casefile_is_size(const ic_case *system, size_t parameter)
{
    bool found = false;
    ic_kept_lock();
    const ic_kept_file *const lists[] = {kept_files, exact_files};
    for (size_t i = 0; i < IC_COUNT(lists); i++) {
        for (const ic_kept_file *k = lists[i]; k != NULL; k = k->next) {
            const bool own = k->casefile->system.text == system->text;
            found =
                found || (own && parameter < k->casefile->system.n_parameters && k->casefile->sizes[parameter]);
        }
    }
    ic_kept_unlock();
    return found;
}

const char *ic_casefile_written(const ic_case *system, size_t parameter)
{
    const ic_kept_file *k = file_of_case(system);
    return k == NULL ? NULL : k->casefile->written[parameter];
}

bool ic_casefile_state_is_internal(const ic_case *system, size_t state)
{
    const ic_kept_file *k = file_of_case(system);
    return k != NULL && k->casefile->internal[state];
}

const struct ic_yaml *ic_casefile_text(const ic_case *system, const char **path)
{
    const ic_kept_file *k = file_of_case(system);
    if (k == NULL) return NULL;
    *path = k->key;
    return k->casefile->text;
}

size_t ic_casefile_examine(const ic_case **system, const char *path, ic_casefile_report *report, void *context)
{
    ic_error error = {""};
    size_t size = 0, n = 0;
    ic_casefile *c = NULL;
    *system = NULL;
    char *bytes = read_bytes(path, &size, &error);
    if (bytes != NULL && (c = calloc(1, sizeof *c)) == NULL) ic_error_no_memory(&error);
    if (c != NULL && ic_casefile_fill(c, path, bytes, size, NULL, 0, NULL, &error)) {
        ic_kept_lock(); /* The case is only examined, and not compiled. */
        const ic_casefile *kept = ic_casefile_kept(path, NULL, 0, false, &error);
        ic_kept_unlock();
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

const ic_case *ic_casefile_exact(const ic_case *system, const char *variant, const char *const *settings,
                                 size_t n, ic_error *error)
{
    const char *text = system->text;
    size_t count = 0;
    if (text == NULL) {
        ic_error_set(error, "case '%s' is not from a case file", system->name);
        return NULL;
    }
    ic_kept_lock();
    const ic_kept_file *k = ic_casefile_keep(system->name, text, NULL, 0, variant, false, error);
    const char **sizes = k == NULL ? NULL : calloc(n + 1, sizeof *sizes);
    /* Settings of other parameters are no part of the text, whose units hold for its own. */
    for (size_t i = 0; i < n && sizes != NULL; i++) {
        if (ic_sets_size(k->casefile, settings[i])) sizes[count++] = settings[i];
    }
    if (count > 0) k = ic_casefile_keep(system->name, text, sizes, count, variant, false, error);
    if (k != NULL && sizes == NULL) ic_error_no_memory(error);
    const ic_case *found = k == NULL || sizes == NULL ? NULL : &k->casefile->system;
    free(sizes);
    ic_kept_unlock();
    return found;
}
