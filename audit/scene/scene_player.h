/* SPDX-License-Identifier: MIT */
/**
 * An engine's program that plays scenes, one after another in one process (docs/engines.md). A
 * program that ends, crashes or hangs is started again for the next scene.
 */
#ifndef IC_AUDIT_SCENE_SCENE_PLAYER_H
#define IC_AUDIT_SCENE_SCENE_PLAYER_H

#include "audit/common/process.h"
#include "audit/scene/scene_motion.h"

typedef struct ic_scene_player {
    /* path; NULL or "": none */
    const char *program, *variant, *config;

    /* path of a plugin, whose engine of this number plays; NULL: the program does */
    const char *library;
    size_t engine;

    /* time limit of a scene, s */
    double seconds;

    /* the rest is the player's own, and zero at first */
    ic_process process;
    bool running;

    /* scenes that the running process has played */
    size_t played;

    /* the end to which scenes are written */
    int input;

    /* its output */
    char *bytes;
    size_t length, room;

    /*
     * How it crashed after the last scene but one: another process plays the last one. "": it did
     * not.
     */
    char after_end[IC_MOTION_TEXT];
} ic_scene_player;

/** Play a scene by the program. The caller frees the motion. */
void ic_scene_play_program(ic_scene_player *player, const ic_world *world, ic_scene_motion *motion);

/** End the program. */
void ic_scene_player_close(ic_scene_player *player);

#endif
