/* SPDX-License-Identifier: MIT */

#include "audit/scene/scene.h"
#include "core/expression.h"
#include "core/input_file.h"
#include "scenes/embedded.h"

#include <stdlib.h>
#include <string.h>

/* Files in folders below are no scenes. */
static bool is_scene(const ic_scene_text *text)
{
    return strchr(text->path, '/') == NULL;
}

static ic_scene_file *read_built_in(const ic_scene_text *built_in, const ic_yaml *added, const uint64_t *seed,
                                    ic_error *error)
{
    char path[160];
    snprintf(path, sizeof path, "scenes/%s", built_in->path);
    return ic_scene_file_read_with(path, built_in->text, built_in->length, added, seed, error);
}

static ic_scene_file *find_built_in(const char *name, const ic_yaml *added, const uint64_t *seed,
                                    ic_error *error)
{
    char names[600] = "";
    for (size_t i = 0; i < ic_scene_text_count; i++) {
        const ic_scene_text *built_in = &ic_scene_texts[i];
        const int length = (int)strcspn(built_in->path, ".");
        if (!is_scene(built_in)) continue;
        if (strlen(name) == (size_t)length && strncmp(name, built_in->path, (size_t)length) == 0)
            return read_built_in(built_in, added, seed, error);
        ic_text_append(names, sizeof names, "%s%.*s", i > 0 ? ", " : "", length, built_in->path);
    }
    ic_error_set(error, "there is no scene '%s'; use all, the path of a file, or %s", name, names);
    return NULL;
}

ic_scene_file *ic_scene_built_in(const char *name, const ic_yaml *added, ic_error *error)
{
    return find_built_in(name, added, NULL, error);
}

static bool add_scene(ic_scenes *scenes, ic_scene_file *file, ic_error *error)
{
    if (file == NULL) return false;
    bool twice = false;
    for (size_t i = 0; i < scenes->n; i++) twice |= strcmp(scenes->files[i]->name, file->name) == 0;
    if (scenes->n < IC_MOST_SCENES && !twice) {
        scenes->files[scenes->n++] = file;
        return true;
    }
    if (twice) ic_error_set(error, "two scenes are called '%s'", file->name);
    else ic_error_set(error, "more than %d scenes", IC_MOST_SCENES);
    ic_scene_file_free(file);
    return false;
}

static bool add_all(ic_scenes *scenes, const uint64_t *seed, ic_error *error)
{
    bool good = true;
    for (size_t i = 0; i < ic_scene_text_count && good; i++)
        good = !is_scene(&ic_scene_texts[i]) ||
               add_scene(scenes, read_built_in(&ic_scene_texts[i], NULL, seed, error), error);
    return good;
}

static bool add_file(ic_scenes *scenes, const char *path, ic_error *error)
{
    FILE *in = ic_input_file_open(path, error);
    char *text = in != NULL ? malloc(IC_YAML_SIZE + 2) : NULL;
    bool good = false;
    if (in != NULL && text == NULL) ic_error_no_memory(error);
    if (text != NULL) {
        const size_t length = fread(text, 1, IC_YAML_SIZE + 1, in);
        text[length] = '\0';
        good = add_scene(scenes, ic_scene_file_read(path, text, length, error), error);
    }
    if (in != NULL) fclose(in);
    free(text);
    return good;
}

bool ic_scenes_read(ic_scenes *scenes, const char *names, const uint64_t *seed, ic_error *error)
{
    char name[512];
    *scenes = (ic_scenes){.n = 0};
    for (;;) {
        const size_t length = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        const bool file = strchr(name, '/') != NULL || strchr(name, '.') != NULL;
        const bool good = file ? add_file(scenes, name, error)
                          : strcmp(name, "all") == 0
                              ? add_all(scenes, seed, error)
                              : add_scene(scenes, find_built_in(name, NULL, seed, error), error);
        if (!good) return false;
        if (names[length] == '\0') return true;
        names += length + 1;
    }
}

bool ic_scenes_read_for_plugins(ic_scenes *scenes, const uint64_t *seed, ic_error *error)
{
    ic_scenes all;
    ic_world world;
    *scenes = (ic_scenes){.n = 0};
    const bool good = ic_scenes_read(&all, "all", seed, error);
    for (size_t i = 0; i < all.n; i++) {
        ic_world_make(&world, all.files[i], 0);
        if (good && ic_scene_fits_plugin(&world)) scenes->files[scenes->n++] = all.files[i];
        else ic_scene_file_free(all.files[i]);
    }
    return good;
}

bool ic_scenes_certify(ic_scenes *scenes, ic_error *error)
{
    for (size_t i = 0; i < scenes->n; i++) {
        scenes->answers[i] = ic_scene_all_answers(scenes->files[i], error);
        if (scenes->answers[i] == NULL) return false;
    }
    return true;
}

void ic_scenes_free(ic_scenes *scenes)
{
    for (size_t i = 0; i < scenes->n; i++) {
        ic_scene_file_free(scenes->files[i]);
        free(scenes->answers[i]);
    }
    scenes->n = 0;
}
