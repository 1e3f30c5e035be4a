/* SPDX-License-Identifier: MIT */
/*
 * Input: what an engine writes for a scene of a ball and a rod. An accepted motion has all rows, finite,
 * in order of time; another one says why, and has none that is used.
 */
#include "audit/scene/scene.h"
#include "tests/fuzz/common/input.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>

static const char scene[] = "title: A ball and a rod\n"
                            "step: 0.1 s\n"
                            "until: 0.2 s\n"
                            "material: {restitution: 0, friction: 0}\n"
                            "bodies:\n"
                            "  ground: {fixed: true, plane: true}\n"
                            "  ball: {mass: 2 kg, sphere: 1 m}\n"
                            "  rod: {mass: 1 kg, box: [1 m, 2 m, 3 m]}\n"
                            "figures: {place: {measure: ball.x, is: 0 m, tolerance: 1 m, because: b}}\n";

static const char *judge_motion(const ic_scene_motion *m, const ic_world *world)
{
    if (m->end == IC_MOTION_NO_MEMORY) return NULL;
    if (m->end != IC_MOTION_COMPLETE) return m->detail[0] != '\0' ? NULL : "a refusal says why";
    if (m->n_rows != world->steps + 1) return "there are all rows";
    for (size_t i = 0; i < m->n_rows; i++) {
        if (!(fabs(m->times[i] - (double)i * world->step) < 1e-3 * world->step)) return "each row has its time";
        for (size_t k = 0; k < m->row_size; k++) {
            if (!isfinite(m->rows[i * m->row_size + k])) return "every quantity is finite";
        }
    }
    return NULL;
}

const char *ic_fuzz_motion_by(ic_fuzz_motion_reader *read, const uint8_t *data, size_t size)
{
    ic_input input = {data, size};
    ic_error error = {""};
    ic_world world;
    ic_scene_motion motion = {0};
    const char *broken = NULL;
    ic_scene_file *file = ic_scene_file_read("scene.yaml", scene, sizeof scene - 1, &error);
    char *text = ic_input_text(&input);
    if (file != NULL && text != NULL) {
        ic_world_make(&world, file, 0);
        read(&motion, &world, text);
        broken = judge_motion(&motion, &world);
    }
    ic_scene_motion_free(&motion);
    free(text);
    ic_scene_file_free(file);
    return broken;
}
