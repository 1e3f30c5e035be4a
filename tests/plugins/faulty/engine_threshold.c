/* SPDX-License-Identifier: MIT */
/* Impacts slower than 0.5 m/s are made plastic. */
#define RESTITUTION(s, v_y) ((v_y) < -0.5 ? (s)->e : 0)

#include "tests/plugins/faulty/engine_base.h"
