/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include "core/expression.h"
#include "scenes/embedded.h"

#include <string.h>

#define FILE_NAME "scenes/threads/threads.yaml"

/* The text of a key; NULL: `error` says that it is missing. */
static const char *text_of(const ic_yaml *thread, const char *key, const char *otherwise, ic_error *error)
{
    const ic_yaml *value = ic_yaml_get(thread, key);
    if (value != NULL && value->kind == IC_YAML_SCALAR) return value->text;
    if (otherwise == NULL)
        ic_error_set(error, FILE_NAME ":%zu:%zu: a thread needs '%s'", thread->place.line, thread->place.column,
                     key);
    return otherwise;
}

static bool find_shown(ic_scene_thread *t, const char *figure, const char *mistake, const ic_yaml *thread,
                       ic_error *error)
{
    t->figure = ic_scene_figure_find(t->scene, figure);
    t->mistake = ic_mistake_find(mistake);
    const bool known = t->figure < t->scene->n_figures;
    if (known && t->mistake != IC_NO_MISTAKE) return true;
    ic_error_set(error, FILE_NAME ":%zu:%zu: %s '%s'", thread->place.line, thread->place.column,
                 known ? "no mistake is called" : "the scene has no figure", known ? mistake : figure);
    return false;
}

static bool read_thread(ic_scene_thread *t, const ic_yaml *thread, ic_error *error)
{
    const char *scene = text_of(thread, "scene", NULL, error), *figure = text_of(thread, "figure", NULL, error),
               *mistake = text_of(thread, "mistake", NULL, error);
    t->id = text_of(thread, "id", NULL, error);
    t->title = text_of(thread, "title", NULL, error);
    t->engine = text_of(thread, "engine", NULL, error);
    t->state = text_of(thread, "state", NULL, error);
    t->says = text_of(thread, "says", "", error);
    t->variant = text_of(thread, "variant", "", error);
    t->config = text_of(thread, "config", "default", error);
    t->seen = strcmp(text_of(thread, "seen", "true", error), "true") == 0;
    if (scene == NULL || figure == NULL || mistake == NULL || t->id == NULL || t->title == NULL ||
        t->engine == NULL || t->state == NULL)
        return false;
    t->scene = ic_scene_built_in(scene, ic_yaml_get(thread, "vary"), error);
    return t->scene != NULL && find_shown(t, figure, mistake, thread, error);
}

bool ic_scene_threads_read(ic_scene_threads *threads, ic_error *error)
{
    ic_file_place place = {0};
    size_t i = 0;
    ic_error wrong;
    *threads = (ic_scene_threads){.n = 0};
    while (i < ic_scene_text_count && strcmp(ic_scene_texts[i].path, "threads/threads.yaml") != 0) i++;
    if (i == ic_scene_text_count) return true;
    const ic_yaml *list =
        ic_yaml_read(&threads->arena, ic_scene_texts[i].text, ic_scene_texts[i].length, &place, &wrong);
    if (list == NULL) {
        ic_error_set(error, FILE_NAME ":%zu:%zu: %s", place.line, place.column, wrong.text);
        return false;
    }
    for (size_t k = 0; k < list->n_items && k < IC_MOST_THREADS; k++) {
        if (!read_thread(&threads->threads[threads->n++], list->items[k], error)) return false;
    }
    return true;
}

void ic_scene_threads_free(ic_scene_threads *threads)
{
    for (size_t i = 0; i < threads->n; i++) ic_scene_file_free(threads->threads[i].scene);
    ic_arena_free(&threads->arena);
    threads->n = 0;
}

const ic_scene_thread *ic_scene_thread_find(const ic_scene_threads *threads, const char *id)
{
    const ic_scene_thread *found = NULL;
    for (size_t i = 0; i < threads->n; i++) {
        const ic_scene_thread *t = &threads->threads[i];
        const size_t length = strlen(t->id), part = strlen(id);
        if (part > length || strcmp(t->id + length - part, id) != 0) continue;
        if (part < length && t->id[length - part - 1] != '/') continue;
        if (found != NULL && strcmp(found->id, t->id) != 0) return NULL;
        if (found == NULL) found = t;
    }
    return found;
}
