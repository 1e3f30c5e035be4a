/* SPDX-License-Identifier: MIT */
/**
 * Families of rows that must not pass the audit, made for any preset of any case, and the right
 * rows that they are made of.
 */
#pragma once

#include "audit/trajectory/input/input.h"
#include "tests/machine.h"

#include <stdint.h>

IC_OWNED(ic_trajectory, ic_trajectory_close)

/** A preset, and what its right run is like. */
typedef struct family_ground {
    char path[512];
    ic_setup setup;
    const ic_solver *solver;

    /* s; of the right run: its terminal event, or t_end */
    double end;

    /* s; the case's typical time */
    double typical;

    /* of each state, as the case says */
    double scale[IC_MAX_STATES];

    /* of the right run */
    double least[IC_MAX_STATES];

    /* likewise */
    double most[IC_MAX_STATES];

    /* the state at the start */
    double start[IC_MAX_STATES];

    int mode_start;
} family_ground;

bool family_ground_open(family_ground *ground, const char *path);
void family_ground_close(family_ground *ground);
IC_OWNED(family_ground, family_ground_close)

/** Rows of the right run, evenly spaced over all of it. */
bool family_right_rows(ic_trajectory *tr, const family_ground *ground, size_t n);

/** A random number of mean 0 and standard deviation 1. */
double family_normal(uint64_t *seed);

/** Independent normal noise on every state, of this part of its range; a fixed seed. */
void family_add_noise(ic_trajectory *tr, const family_ground *ground, double part, uint64_t seed);

/** Round rows as if printed by a format, "%.6g", and read again, or to single precision, "float"; only times, or all numbers. */
void family_print(ic_trajectory *tr, const char *format, bool times_only);

/** A family: its members are numbered. */
typedef struct family {
    /* "noise" */
    const char *name;

    /* one line */
    const char *what;

    /* at most */
    size_t members;

    /* rows name the mode that they claim to be in */
    bool tells_modes;

    /* n rows, member number `member`; false: this preset has no such member, or its rows would be
       right */
    bool (*make)(ic_trajectory *tr, const family_ground *ground, size_t n, size_t member);
} family;

extern const family families[];
extern const size_t family_count;

/**
 * Make wrong rows of a family. false: the member does not exist. Close them with
 * ic_trajectory_close.
 */
bool family_make(ic_trajectory *tr, const family *family, const family_ground *ground, size_t n, size_t member);
