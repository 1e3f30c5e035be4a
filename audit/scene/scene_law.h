/* SPDX-License-Identifier: MIT */
/** The impact law of a scene's body, which a figure of kind `law` asks for: of all its settings together. */
#ifndef IC_AUDIT_SCENE_SCENE_LAW_H
#define IC_AUDIT_SCENE_SCENE_LAW_H

#include "audit/engine/engine_law.h"
#include "audit/scene/scene_motion.h"

/** The law of the impacts of a scene. */
typedef struct ic_scene_law {
    /* no candidates where it is not asked for, or nothing was played; `detail` says why none is told */
    ic_classification found;

    /* false: too few impacts ended, or they differ by their places in a step */
    bool judged;

    /* root mean square of the difference from the nearest law, 1 */
    double misfit;

    /* the greatest that is no failure: less than the tolerance where one with a mistake fits far better */
    double most;

    bool fails;

    /* the mistake that explains impacts which fail, and how */
    ic_mistake_id mistake;
    char because[IC_BECAUSE_LENGTH];
} ic_scene_law;

/** The figure that asks for the law; n_figures: there is none. */
size_t ic_scene_law_figure(const ic_scene_file *file);

/** The impact of a motion: from its first row, without gravity, to its last. */
ic_engine_probe ic_scene_impact_of(const ic_world *world, const ic_scene_motion *motion, size_t figure);

/**
 * Find the law of the impacts of all settings, which get their scatter; those that are asked for but have no mass
 * were not played. `tolerance`: of the figure.
 */
void ic_scene_find_law(ic_scene_law *law, const ic_scene_file *file, ic_engine_probe *impacts,
                       double tolerance);

#endif
