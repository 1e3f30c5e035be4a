/* SPDX-License-Identifier: MIT */
/**
 * A case that tools/check-scratch.sh adds to a copy of the tree, to prove that one file and one line do.
 *
 *     x' = -a x,  x(0) = x0:  x = x0 exp(-a t)
 */
#include "impactcheck/impactcheck.h"

enum { X0, RATE };

static const ic_parameter parameters[] = {
    [X0] = {"x0", "1", "start", "1", "(-inf, inf)"},
    [RATE] = {"rate", "1/s", "rate of decay a", "1", "(0, inf)"},
};

static const ic_state states[] = {{"x", "1", "what decays", "x0"}};

static void decay(double *dxdt, double t, const double *x, const double *par)
{
    (void)t;
    dxdt[0] = -par[RATE] * x[0];
}

static const ic_mode modes[] = {
    {.name = "decay", .meaning = "decays", .flow = decay, .linear = (const char *const[]){"-rate*x"}},
};

static int start(double *x, double t, const double *x_pre, const double *par)
{
    (void)t, (void)x_pre;
    x[0] = par[X0];
    return 0;
}

static const ic_branch start_branches[] = {{.mode = 0, .state = (const char *const[]){"x0"}}};

static const ic_variant variants[] = {
    {.name = "linear",
     .meaning = "exponential decay",
     .modes = modes,
     .n_modes = IC_COUNT(modes),
     .start = IC_LINEAR_JUMP(start, start_branches)},
};

static double output_x(double t, const double *x, int mode, const double *par)
{
    (void)t, (void)mode, (void)par;
    return x[0];
}

static const ic_output outputs[] = {
    {"value", "1", "what decays", output_x, (const char *const[]){"x"}},
};

static const ic_preset presets[] = {{"decay", "linear", "", "1", "decays to 1/e"}};

const ic_case ic_case_scratch_case = {
    IC_ABI(ic_case),
    .name = "scratch-case",
    .title = "Exponential decay",
    .source = "textbook",
    .parameters = parameters,
    .n_parameters = IC_COUNT(parameters),
    .states = states,
    .n_states = IC_COUNT(states),
    .outputs = outputs,
    .n_outputs = IC_COUNT(outputs),
    .variants = variants,
    .n_variants = IC_COUNT(variants),
    .presets = presets,
    .n_presets = IC_COUNT(presets),
    .time_scale = "1/rate",
};
