/* SPDX-License-Identifier: MIT */
/** The impact law of a scene's body, which a figure of kind `law` asks for: of all its settings together. */
#ifndef IC_AUDIT_SCENE_SCENE_LAW_H
#define IC_AUDIT_SCENE_SCENE_LAW_H

#include "audit/engine/engine_law.h"
#include "audit/scene/scene_result.h"

/** The figure that asks for the law; n_figures: there is none. */
size_t ic_scene_law_figure(const ic_scene_file *file);

/** The impact of a motion: from its first row, without gravity, to its last. */
ic_engine_probe ic_scene_impact_of(const ic_world *world, const ic_scene_motion *motion, size_t figure);

/** Find the law of the impacts of all settings, and judge the figure; impacts get their scatter. */
void ic_scene_judge_law(ic_scene_result *result, ic_engine_probe *impacts);

#endif
