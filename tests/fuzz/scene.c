/* SPDX-License-Identifier: MIT */
/*
 * Input: a scene file. A refusal names line and column. The settings of an accepted scene are as many
 * as there may be, what each asks of an engine can be written, and read again it is the same.
 */
#include "audit/scene/scene.h"
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static const char path[] = "scene.yaml";
/* settings that are written */
enum { SETTINGS_WRITTEN = 4 };

/* The lines of the first settings. NULL: memory ran out. */
static char *write_scene(const ic_scene_file *file, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (out == NULL) return NULL;
    const size_t n = ic_scene_settings(file);
    for (size_t i = 0; i < n && i < SETTINGS_WRITTEN; i++) {
        ic_world world;
        ic_world_make(&world, file, i);
        ic_world_write(out, &world, "default", "");
    }
    if (fclose(out) == 0) return text;
    free(text);
    return NULL;
}

static const char *compare_again(ic_fuzz_scene_reader *read, const ic_scene_file *file, const ic_input *input)
{
    ic_error error = {""};
    size_t lengths[2] = {0};
    const char *broken = NULL;
    ic_scene_file *again = read(path, (const char *)input->at, input->left, &error);
    if (again == NULL) return ic_input_no_memory(&error) ? NULL : "read again it is accepted";
    char *first = write_scene(file, &lengths[0]), *second = write_scene(again, &lengths[1]);
    if (first != NULL && second != NULL && (lengths[0] != lengths[1] || memcmp(first, second, lengths[0]) != 0))
        broken = "read again it is the same scene";
    free(first);
    free(second);
    ic_scene_file_free(again);
    return broken;
}

const char *ic_fuzz_scene_by(ic_fuzz_scene_reader *read, const uint8_t *data, size_t size)
{
    const ic_input input = {data, size};
    ic_error error = {""};
    ic_scene_file *file = read(path, (const char *)data, size, &error);
    if (file == NULL)
        return ic_input_no_memory(&error) || ic_input_has_place(&error, path) ? NULL : "a refusal says where";
    const char *broken = NULL;
    if (ic_scene_settings(file) > IC_MOST_SCENE_SETTINGS) broken = "there are no more settings than allowed";
    if (broken == NULL && (file->n_figures == 0 || file->n_bodies == 0))
        broken = "there are bodies and figures";
    if (broken == NULL) broken = compare_again(read, file, &input);
    ic_scene_file_free(file);
    return broken;
}
