/* SPDX-License-Identifier: MIT */
/** Whether the first row of a motion is the start of its scene. */
#ifndef IC_AUDIT_SCENE_SCENE_START_H
#define IC_AUDIT_SCENE_SCENE_START_H

#include "audit/scene/scene_motion.h"

/**
 * Compare the first row of a complete motion with the bodies of the scene, to single precision. A
 * motion that starts elsewhere ends with IC_MOTION_STARTS_ELSEWHERE; `cause` and `detail` say how.
 */
void ic_scene_check_start(ic_scene_motion *motion, const ic_world *world);

#endif
