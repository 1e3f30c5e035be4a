/* SPDX-License-Identifier: MIT */
/** The solver `taylor` as a method: for phases of runs that the caller advances. */
#pragma once

#include "core/event_loop.h"

extern const ic_method ic_taylor_method;

/** Its workspace for a problem. *self is to be closed in any case; NULL: nothing. */
ic_status ic_taylor_open(void **self, const ic_problem *problem, ic_log *log);
void ic_taylor_close(void *self);
