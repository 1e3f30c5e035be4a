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

bool ic_scene_topic_known(const char *topic)
{
#define NAME(name_) name_,
    static const char *const names[] = {TOPICS(NAME)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (strcmp(names[i], topic) == 0) return true;
    }
    return false;
}

const char *ic_scene_topic_list(void)
{
#define JOINED(name_) ", " name_
    static const char list[] = TOPICS(JOINED);
    return list + 2;
}
