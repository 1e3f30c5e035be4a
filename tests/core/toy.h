/* SPDX-License-Identifier: MIT */
/** The toy of the event contract: a point, x' = v, v' = a, with start values x0 and v0. */
#pragma once

#include "core/model.h"

enum { X, V };
enum { ACCELERATION, START_X, START_V };
enum { FIRST, SECOND };

#define TOY_PARAMETERS                                                                                         \
    [ACCELERATION] = {"a", "m/s^2", "acceleration", "0", "(-inf, inf)"},                                       \
    [START_X] = {"x0", "m", "start", "0", "(-inf, inf)"},                                                      \
    [START_V] = {"v0", "m/s", "start", "1", "(-inf, inf)"},

static const ic_state states[] = {{"x", "m", "position", "1"}, {"v", "m/s", "velocity", "1"}};

static void flow_of_motion(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    dxdt[X] = x[V];
    dxdt[V] = par[ACCELERATION];
}
static const char *const motion_text[] = {"v", "a"};

static int start_toy(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[X] = par[START_X];
    x[V] = par[START_V];
    return 0;
}
static const char *const start_state[] = {"x0", "v0"};
static const ic_branch start_branches[] = {{.mode = FIRST, .state = start_state}};

/** A jump after which position and velocity are the expressions x_ and v_; or the position is the same. */
#define TOY_JUMP_TO(name_, x_, v_)                                                                             \
    static int name_(double *x_post, double t, const double *x_pre, const double *par)                         \
    {                                                                                                          \
        (void)t, (void)x_pre, (void)par;                                                                       \
        x_post[X] = x_;                                                                                        \
        x_post[V] = v_;                                                                                        \
        return 0;                                                                                              \
    }
#define TOY_JUMP(name_, v_) TOY_JUMP_TO(name_, x_pre[X], v_)
TOY_JUMP(keep_state, x_pre[V])
