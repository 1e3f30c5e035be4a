/* SPDX-License-Identifier: MIT */
/** The motion that an engine writes, and its quantities (audit/scene/scene_file.h). */
#ifndef IC_AUDIT_SCENE_SCENE_MOTION_H
#define IC_AUDIT_SCENE_SCENE_MOTION_H

#include "audit/scene/scene_world.h"

typedef enum ic_motion_end {
    IC_MOTION_COMPLETE,

    /* the engine does not play this scene; `detail` says why */
    IC_MOTION_UNSUPPORTED,

    /* the lines are not those of the protocol */
    IC_MOTION_GARBAGE,

    /* a number is not finite */
    IC_MOTION_NOT_FINITE,

    /* the first row is not the start of the scene */
    IC_MOTION_STARTS_ELSEWHERE,

    /* it ended by a signal, by its exit status, by a limit, or did not end in time */
    IC_MOTION_CRASHED,
    IC_MOTION_FAILED,
    IC_MOTION_LIMITED,
    IC_MOTION_HUNG,

    /* the system could not start it */
    IC_MOTION_REFUSED,

    IC_MOTION_NO_MEMORY,
} ic_motion_end;

/** Topics of a motion; room for a text of 240 characters. */
enum { IC_UNPROMISED_MOST = 8, IC_MOTION_TEXT = 241 };

/** What the documentation of an engine does not promise, and where it says so. */
typedef struct ic_unpromised {
    char topic[32], text[IC_MOTION_TEXT];
} ic_unpromised;

typedef struct ic_scene_motion {
    ic_motion_end end;

    /* the reason if it is not complete */
    char detail[IC_MOTION_TEXT];

    /* what is mistaken if it starts elsewhere, or writes what it should not */
    ic_mistake_id cause;

    /* "rapier3d 0.19.3"; settings, joined by "; " */
    char engine[80], setting[IC_MOTION_TEXT];

    ic_unpromised unpromised[IC_UNPROMISED_MOST];
    size_t n_unpromised;

    /* s; rows of quantities, IC_SCENE_ROW_MOST values at most each */
    double *times;
    double *rows;
    size_t n_rows, row_size;

    /* orientations of all bodies in all rows, 4 numbers each */
    double *turned;
} ic_scene_motion;

/**
 * Read the lines of one motion, which a zero byte follows. Sets `end` and `detail`; IC_MOTION_FAILED:
 * the lines are right, but rows are missing at the end.
 */
void ic_scene_motion_read(ic_scene_motion *motion, const ic_world *world, char *text);

/** Whether a line, to its end or a zero byte, begins with a word of the protocol, or is blank. */
bool ic_scene_line_known(const char *line);

/** The beginning of a line in printable ASCII: other bytes as \xNN, "..." for what is cut off. */
void ic_scene_excerpt(char *to, size_t size, const char *bytes, size_t length);

void ic_scene_motion_free(ic_scene_motion *motion);

/** The reason why a topic is not promised in a list of n; NULL: it is. */
const char *ic_unpromised_find(const ic_unpromised *list, size_t n, const char *topic);

#endif
