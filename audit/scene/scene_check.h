/* SPDX-License-Identifier: MIT */
/** Checks of the numbers of a scene, in each of its settings. */
#ifndef IC_AUDIT_SCENE_SCENE_CHECK_H
#define IC_AUDIT_SCENE_SCENE_CHECK_H

#include "audit/scene/scene_file.h"
#include "casefile/faults.h"

/** Check bodies, hinges and windows in all settings, to the first that has a fault. false: faults were added. */
bool ic_scene_check(const ic_scene_file *file, ic_faults *faults);

/** Check what figures must be in a setting, by the answers of the case there. false: `error` has the place. */
bool ic_scene_check_figures(const ic_scene_file *file, size_t setting, const double *answers, ic_error *error);

#endif
