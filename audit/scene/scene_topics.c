/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene_file.h"

#include <stddef.h>
#include <string.h>

#define TOPICS(ROW)                                                                                            \
    ROW("restitution")                                                                                         \
    ROW("slow-restitution")                                                                                    \
    ROW("friction")                                                                                            \
    ROW("fast-bodies")                                                                                         \
    ROW("rest")                                                                                                \
    ROW("free-flight")                                                                                         \
    ROW("slow-motion")                                                                                         \
    ROW("energy")                                                                                              \
    ROW("joints")                                                                                              \
    ROW("mass-ratio")                                                                                          \
    ROW("slop")

const char *const *ic_scene_topics(void)
{
#define NAME(name_) name_,
    static const char *const names[] = {TOPICS(NAME) NULL};
    return names;
}

bool ic_scene_topic_known(const char *topic)
{
    for (const char *const *name = ic_scene_topics(); *name != NULL; name++) {
        if (strcmp(*name, topic) == 0) return true;
    }
    return false;
}

const char *ic_scene_topic_list(void)
{
#define JOINED(name_) ", " name_
    static const char list[] = TOPICS(JOINED);
    return list + 2;
}
