/* SPDX-License-Identifier: MIT */
/** Sweeps of tests, along one axis. */
#pragma once

#include "sweep/sweep.h"
#include "tests/tests.h"

IC_OWNED(ic_sweep, ic_sweep_close)

/** A sweep whose first chunk has been solved by the solver, and its results. */
typedef struct solved {
    ic_sweep_request request;
    ic_sweep sweep;
    ic_chunk chunk;
} solved;

ic_sweep_request request_of(const char *path, const char *vary, const char *record, size_t skip, size_t keep);

void open_solved(solved *s, const ic_sweep_request *request);
void close_solved(solved *s);
IC_OWNED(solved, close_solved)
