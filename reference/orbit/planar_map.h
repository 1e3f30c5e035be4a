/* SPDX-License-Identifier: MIT */
/** A map of the plane in ball arithmetic. */
#pragma once

#include "reference/ball.h"

#include <arb_mat.h>
#include <stdbool.h>

/** Its first coordinate may be an angle. */
typedef struct ic_planar_map {
    /*
     * Encloses the image of each point of the box `start` (2 balls). false: the map is not proved to be smooth on the
     * box; *reason is a constant text.
     */
    bool (*image)(const void *of, arb_ptr image, arb_srcptr start, const char **reason);

    /* Encloses the derivatives, outer times inner (2 x 2 each), at all points of the box whose images lie in `image`. */
    void (*derivative)(const void *of, arb_mat_t outer, arb_mat_t inner, arb_srcptr start, arb_srcptr image);

    const void *of;
    slong prec;
} ic_planar_map;
