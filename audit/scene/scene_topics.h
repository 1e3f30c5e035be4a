/* SPDX-License-Identifier: MIT */
/** What figures test, and engines may not promise (docs/engines.md). */
#ifndef IC_AUDIT_SCENE_SCENE_TOPICS_H
#define IC_AUDIT_SCENE_SCENE_TOPICS_H

#include <stdbool.h>

/** Whether a topic exists. */
bool ic_scene_topic_known(const char *topic);

/** All topics: "restitution, slow-restitution, ..." */
const char *ic_scene_topic_list(void);

#endif
