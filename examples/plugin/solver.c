/* SPDX-License-Identifier: MIT */
/*
 * A plugin for `impactcheck audit --plugin` with the solver `midpoint` (examples/outside). Build and
 * audit it by
 *
 *     cc -shared -fPIC -Iinclude examples/plugin/solver.c examples/outside/midpoint.c -o /tmp/solver.so -lm
 *     build/impactcheck audit --plugin /tmp/solver.so
 */
#include "impactcheck/impactcheck.h"

extern const ic_solver midpoint;

const ic_plugin *impactcheck_plugin(void)
{
    static const ic_solver *const solvers[] = {&midpoint};
    static const ic_plugin plugin = {IC_ABI(ic_plugin), .name = "midpoint 1.0", .solvers = solvers,
                                     .n_solvers = IC_COUNT(solvers)};
    return &plugin;
}
