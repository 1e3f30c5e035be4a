/* SPDX-License-Identifier: MIT */
/** An engine of a plugin, which plays the scenes of one ball or bar on the ground, each in a process of its own. */
#ifndef IC_AUDIT_SCENE_SCENE_PLUGIN_H
#define IC_AUDIT_SCENE_SCENE_PLUGIN_H

#include "audit/scene/scene_player.h"

/** Whether the public header has a scene for this world: one sphere in the plane, above the ground or without it. */
bool ic_scene_fits_plugin(const ic_world *world);

/** Play a scene, by the program or the plugin of the player. The caller frees the motion. */
void ic_scene_play(ic_scene_player *player, const ic_world *world, ic_scene_motion *motion);

#endif
