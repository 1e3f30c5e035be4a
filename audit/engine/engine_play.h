/* SPDX-License-Identifier: MIT */
/**
 * A scene for an engine of a plugin, and its rows as an engine's program writes them
 * (adapters/engines/scene.h).
 */
#ifndef IC_AUDIT_ENGINE_PLAY_H
#define IC_AUDIT_ENGINE_PLAY_H

#include "audit/common/seal.h"
#include "audit/engine/engine_scene.h"
#include "impactcheck/impactcheck.h"

/** bytes; of rows in one packet */
enum { IC_ENGINE_PACKET = 1 << 13 };

/**
 * Load the library, play the scene with its engine `index` and write the rows in packets. The exit
 * status of the process.
 */
int ic_engine_play(const ic_seal *seal, const char *library, size_t index, const ic_engine_scene *asked);

#endif
