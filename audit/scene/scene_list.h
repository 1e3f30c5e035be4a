/* SPDX-License-Identifier: MIT */
/** The scenes of an audit: those of scenes/, and files of the user's. */
#ifndef IC_AUDIT_SCENE_SCENE_LIST_H
#define IC_AUDIT_SCENE_SCENE_LIST_H

#include "audit/scene/scene_file.h"

enum { IC_SCENES_MOST = 64 };

typedef struct ic_scenes {
    ic_scene_file *files[IC_SCENES_MOST];

    /* certified answers of all settings (audit/scene/scene_result.h) */
    double *answers[IC_SCENES_MOST];
    size_t n;
} ic_scenes;

/**
 * Read "all", or names of scenes and paths of files with commas between them. false: `error` gives
 * the reason. Release with ic_scenes_free in any case.
 */
bool ic_scenes_read(ic_scenes *scenes, const char *names, ic_error *error);

/** A scene of scenes/ by its name, with further settings (ic_scene_file_read_with). NULL: `error`. */
ic_scene_file *ic_scene_built_in(const char *name, const ic_yaml *added, ic_error *error);

/** Read those of scenes/ that engines of plugins can play. false: `error` gives the reason. */
bool ic_scenes_read_for_plugins(ic_scenes *scenes, ic_error *error);

/** Certify the answers of all. false: `error` gives the reason. */
bool ic_scenes_certify(ic_scenes *scenes, ic_error *error);
void ic_scenes_free(ic_scenes *scenes);

#endif
