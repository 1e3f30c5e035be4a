/* SPDX-License-Identifier: MIT */
#include "validation/claims/printed.h"
#include "validation/claims/printed_bar.h"
#include "validation/claims/printed_beam.h"

#include <stddef.h>
#include <string.h>

static bool bar_has(const char *equation)
{
    return ic_printed_equation_find(equation) != NULL;
}

static double bar_residual(const char *equation, ic_printed_form form)
{
    return ic_printed_residual(ic_printed_equation_find(equation), form);
}

static bool beam_has(const char *equation)
{
    return ic_beam_equation_find(equation) != NULL;
}

static double beam_residual(const char *equation, ic_printed_form form)
{
    return ic_beam_residual(ic_beam_equation_find(equation), form);
}

static const ic_printed_paper papers[] = {
    {"planar-bar", bar_has, bar_residual},
    {"rotating-beam", beam_has, beam_residual},
};

const ic_printed_paper *ic_printed_paper_of(const char *system)
{
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; i++) {
        if (strcmp(papers[i].system, system) == 0) return &papers[i];
    }
    return NULL;
}
