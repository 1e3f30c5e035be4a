/* SPDX-License-Identifier: MIT */

#include "audit/scene/scene.h"
#include "core/expression.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* formulas of a file together: a limit on hostile files */
#define WORK 100000L

bool ic_scene_flag(ic_scene_reader *r, const ic_yaml *mapping, const char *key, bool *flag)
{
    const char *text = ic_key_text(&r->faults, mapping, key, "false");
    if (text == NULL) return false;
    *flag = strcmp(text, "true") == 0;
    return *flag || strcmp(text, "false") == 0 ||
           ic_fault_add(&r->faults, ic_yaml_get(mapping, key)->place, "'%s' must be true or false", key);
}

bool ic_scene_points(ic_scene_reader *r, const ic_yaml *mapping, size_t otherwise, size_t most, size_t *points)
{
    const char *text = ic_key_text(&r->faults, mapping, "points", "");
    if (text == NULL) return false;
    *points = text[0] != '\0' ? strtoul(text, NULL, 10) : otherwise;
    return (*points >= 2 && *points <= most && strlen(text) == strspn(text, "0123456789")) ||
           ic_fault_add(&r->faults, mapping->place, "'points' must be a whole number from 2 to %zu", most);
}

bool ic_scene_read_ends(ic_scene_reader *r, ic_scene_formula ends[2], bool *logarithmic, const ic_yaml *range,
                        const char *unit)
{
    static const char *const names[] = {"from", "to"};
    if (!ic_known_keys(&r->faults, range, &ic_schema_scene_range) ||
        !ic_scene_flag(r, range, "log", logarithmic))
        return false;
    for (int k = 0; k < 2; k++) {
        const ic_yaml *end = ic_yaml_get(range, names[k]);
        if (!(unit != NULL ? ic_scene_read_quantity_in(r, &ends[k], end, unit, names[k], IC_USE_NUMBERS)
                           : ic_scene_read_formula(r, &ends[k], end, IC_USE_NUMBERS)))
            return false;
        const double value = ic_scene_evaluate(&ends[k], &(ic_scene_values){0});
        if (!isfinite(value)) return ic_fault_add(&r->faults, end->place, "'%s' must be finite", names[k]);
        if (*logarithmic && !(value > 0))
            return ic_fault_add(&r->faults, end->place, "with 'log', '%s' must be positive", names[k]);
    }
    return true;
}

const char *ic_scene_topic(ic_scene_reader *r, const ic_yaml *mapping)
{
    const char *topic = ic_key_text(&r->faults, mapping, "topic", "");
    if (topic == NULL || topic[0] == '\0' || ic_scene_topic_known(topic)) return topic;
    ic_fault_add(&r->faults, ic_yaml_get(mapping, "topic")->place, "there is no topic '%s'; topics: %s", topic,
                 ic_scene_topic_list());
    return NULL;
}

/* ---- the whole file */

static bool read_world(ic_scene_reader *r, const ic_yaml *top)
{
    ic_scene_file *file = r->file;
    const ic_yaml *gravity = ic_yaml_get(top, "gravity"), *material = ic_yaml_get(top, "material");
    const ic_yaml *step = ic_yaml_get(top, "step"), *until = ic_yaml_get(top, "until");
    if (!ic_known_keys(&r->faults, material, &ic_schema_scene_material)) return false;
    const ic_yaml *e = ic_yaml_get(material, "restitution"), *mu = ic_yaml_get(material, "friction");
    return ic_scene_read_quantity(r, &file->step, step, "s", "the step") &&
           ic_scene_read_quantity(r, &file->until, until, "s", "the end") &&
           ic_scene_read_quantity(r, &file->restitution, e, "1", "restitution") &&
           ic_scene_read_quantity(r, &file->friction, mu, "1", "friction") &&
           (gravity == NULL || ic_scene_read_vector(r, file->gravity, gravity, "m/s^2", "gravity"));
}

static bool read_head(ic_scene_reader *r, const ic_yaml *top)
{
    ic_scene_file *file = r->file;
    if (!ic_known_keys(&r->faults, top, &ic_schema_scene)) return false;
    file->title = ic_key_text(&r->faults, top, "title", "");
    file->asks = ic_key_text(&r->faults, top, "asks", "");
    file->source = ic_key_text(&r->faults, top, "source", "");
    const char *dimension = ic_key_text(&r->faults, top, "dimension", "3");
    if (file->title == NULL || file->asks == NULL || file->source == NULL || dimension == NULL) return false;
    if (file->title[0] == '\0') return ic_fault_add(&r->faults, top->place, "a scene needs a 'title'");
    file->dimension = strcmp(dimension, "2") == 0 ? 2 : 3;
    if (strcmp(dimension, "2") != 0 && strcmp(dimension, "3") != 0)
        return ic_fault_add(&r->faults, ic_yaml_get(top, "dimension")->place, "'dimension' must be 2 or 3");
    return true;
}

static bool read_scene(ic_scene_reader *r, const ic_yaml *top, const ic_yaml *added, const uint64_t *seed)
{
    return read_head(r, top) && ic_scene_read_parameters(r, ic_yaml_get(top, "parameters")) &&
           ic_scene_read_definitions(r, ic_yaml_get(top, "definitions")) &&
           ic_scene_read_vary(r, ic_yaml_get(top, "vary"), added, seed) && read_world(r, top) &&
           ic_scene_read_bodies(r, ic_yaml_get(top, "bodies")) &&
           ic_scene_read_hinges(r, ic_yaml_get(top, "hinges")) &&
           ic_scene_read_case(r, ic_yaml_get(top, "case")) &&
           ic_scene_read_figures(r, ic_yaml_get(top, "figures")) &&
           ic_scene_read_mistakes(r, ic_yaml_get(top, "mistakes")) &&
           ic_scene_read_motion(r, ic_yaml_get(top, "motion"));
}

/* "ball-on-ground" of "scenes/ball-on-ground.yaml" */
static const char *name_of_file(ic_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash != NULL ? slash + 1 : path;
    return ic_arena_copy(arena, base, strcspn(base, "."));
}

ic_scene_file *ic_scene_file_read(const char *name, const char *bytes, size_t size, ic_error *error)
{
    return ic_scene_file_read_with(name, bytes, size, NULL, NULL, error);
}

ic_scene_file *ic_scene_file_read_with(const char *name, const char *bytes, size_t size, const ic_yaml *added,
                                       const uint64_t *seed, ic_error *error)
{
    ic_scene_file *file = calloc(1, sizeof *file);
    ic_scene_reader *r = calloc(1, sizeof *r);
    ic_file_place place = {0};
    ic_error wrong = {""};
    bool good = false;
    if (file != NULL && r != NULL) {
        r->file = file;
        r->graph.arena = &file->arena;
        r->faults.arena = &file->arena;
        r->work = WORK;
        file->name = name_of_file(&file->arena, name);
        file->path = ic_arena_copy(&file->arena, name, strlen(name));
        const ic_yaml *top = ic_yaml_read(&file->arena, bytes, size, &place, &wrong);
        if (top == NULL) ic_fault_add(&r->faults, place, "%s", wrong.text);
        good = top != NULL && read_scene(r, top, added, seed) && r->faults.n_faults == 0 &&
               !file->arena.failed && ic_scene_check(file, &r->faults);
        if (!good && r->faults.n_faults == 0) ic_error_no_memory(error);
        else if (!good) ic_faults_error_all(&r->faults, name, error);
        ic_faults_free(&r->faults);
    } else ic_error_no_memory(error);
    free(r);
    if (good) return file;
    ic_scene_file_free(file);
    return NULL;
}

void ic_scene_file_free(ic_scene_file *file)
{
    if (file != NULL) ic_arena_free(&file->arena);
    free(file);
}
