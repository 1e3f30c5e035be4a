/* SPDX-License-Identifier: MIT */
/* A guard fires whatever its condition. */
#define IS_ENABLED(condition) ((void)(condition), true)

#include "tests/plugins/faulty/event_base.h"
