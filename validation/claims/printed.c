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

static double bar_residual(const char *equation, bool printed)
{
    return ic_printed_residual(ic_printed_equation_find(equation), printed);
}

static double bar_planted(const char *equation)
{
    return ic_printed_planted(ic_printed_equation_find(equation));
}

static bool beam_has(const char *equation)
{
    return ic_beam_equation_find(equation) != NULL;
}

static double beam_residual(const char *equation, bool printed)
{
    return ic_beam_residual(ic_beam_equation_find(equation), printed);
}

static double beam_planted(const char *equation)
{
    return ic_beam_planted(ic_beam_equation_find(equation));
}

static const ic_printed_paper papers[] = {
    {"planar-bar", bar_has, bar_residual, bar_planted},
    {"rotating-beam", beam_has, beam_residual, beam_planted},
};

const ic_printed_paper *ic_printed_paper_of(const char *system)
{
    for (size_t i = 0; i < sizeof papers / sizeof papers[0]; i++) {
        if (strcmp(papers[i].system, system) == 0) return &papers[i];
    }
    return NULL;
}
