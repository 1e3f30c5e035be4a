/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene_list.h"

#include "audit/scene/scene_result.h"
#include "core/expression.h"
#include "core/input_file.h"
#include "core/names.h"
#include "scenes/embedded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool add_text(ic_scenes *scenes, const char *path, const char *text, size_t length, ic_error *error)
{
    if (scenes->n == IC_SCENES_MOST) {
        ic_error_set(error, "more than %d scenes", IC_SCENES_MOST);
        return false;
    }
    scenes->files[scenes->n] = ic_scene_file_read(path, text, length, error);
    return scenes->files[scenes->n] != NULL && ++scenes->n > 0;
}

static bool add_built_in(ic_scenes *scenes, const ic_scene_text *built_in, ic_error *error)
{
    char path[160];
    snprintf(path, sizeof path, "scenes/%s", built_in->path);
    return add_text(scenes, path, built_in->text, built_in->length, error);
}

/* "ball-on-ground" */
static bool add_named(ic_scenes *scenes, const char *name, ic_error *error)
{
    char names[600] = "";
    for (size_t i = 0; i < ic_scene_text_count; i++) {
        const ic_scene_text *built_in = &ic_scene_texts[i];
        const int length = (int)strcspn(built_in->path, ".");
        const size_t used = strlen(names);
        if (strlen(name) == (size_t)length && strncmp(name, built_in->path, (size_t)length) == 0)
            return add_built_in(scenes, built_in, error);
        snprintf(names + used, sizeof names - used, "%s%.*s", i > 0 ? ", " : "", length, built_in->path);
    }
    ic_error_set(error, "there is no scene '%s'; use all, the path of a file, or %s", name, names);
    return false;
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
        good = add_text(scenes, path, text, length, error);
    }
    if (in != NULL) fclose(in);
    free(text);
    return good;
}

bool ic_scenes_read(ic_scenes *scenes, const char *names, ic_error *error)
{
    char name[512];
    *scenes = (ic_scenes){.n = 0};
    if (strcmp(names, "all") == 0) {
        for (size_t i = 0; i < ic_scene_text_count; i++) {
            if (!add_built_in(scenes, &ic_scene_texts[i], error)) return false;
        }
        return true;
    }
    for (;;) {
        const size_t length = strcspn(names, ",");
        snprintf(name, sizeof name, "%.*s", (int)length, names);
        const bool file = strchr(name, '/') != NULL || strchr(name, '.') != NULL;
        if (!(file ? add_file(scenes, name, error) : add_named(scenes, name, error))) return false;
        if (names[length] == '\0') return true;
        names += length + 1;
    }
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
