/* SPDX-License-Identifier: MIT */
/* The mass matrix at the contact stands where its inverse belongs. */
#define DET(p) ((p)->w_xx * (p)->w_yy - (p)->w_xy * (p)->w_xy)
#define SOLVED(p)                                                                                              \
    ((ic_impact){{(p)->v[0], (p)->v[1]},                                                                       \
                 (p)->w_yy / DET(p),                                                                           \
                 -(p)->w_xy / DET(p),                                                                          \
                 (p)->w_xx / DET(p),                                                                           \
                 (p)->mu,                                                                                      \
                 (p)->e,                                                                                       \
                 1,                                                                                            \
                 1})

#include "tests/plugins/faulty/map_base.h"
