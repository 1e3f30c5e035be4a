/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene_file.h"
#include "casefile/schema_options.h"

const char *const *ic_scene_takes(void)
{
    static const char *const words[] = {
        [IC_TAKE_END] = "end",   [IC_TAKE_START] = "start", [IC_TAKE_MOST] = "most", [IC_TAKE_LEAST] = "least",
        [IC_TAKE_MEAN] = "mean", [IC_TAKE_RANGE] = "range", [IC_TAKE_LAW] = NULL};
    return words;
}

const char *const *ic_scene_mistake_names(void)
{
    static const char *names[IC_MISTAKE_COUNT];
    for (int i = 1; i < IC_MISTAKE_COUNT; i++) names[i - 1] = ic_mistake_name((ic_mistake_id)i);
    return names;
}

#include "audit/scene/scene_schemas.def"
