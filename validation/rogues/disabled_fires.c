/* SPDX-License-Identifier: MIT */
/* A guard fires whatever its condition. */
#define IS_ENABLED(condition) ((void)(condition), true)

#include "validation/rogues/event_base.h"
