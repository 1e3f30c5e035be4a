/* SPDX-License-Identifier: MIT */
#include "validation/claims/printed.h"

#include <math.h>
#include <string.h>

static const ic_printed_paper *const papers[] = {&ic_printed_bar, &ic_printed_beam};

const ic_printed_paper *ic_printed_paper_at(size_t i)
{
    return i < sizeof papers / sizeof papers[0] ? papers[i] : NULL;
}

/* NULL: there is no such equation; otherwise *i is its number. */
static const ic_printed_paper *find_equation(size_t *i, const char *system, const char *equation)
{
    const ic_printed_paper *paper;
    for (size_t p = 0; (paper = ic_printed_paper_at(p)) != NULL; p++) {
        if (strcmp(paper->system, system) != 0) continue;
        for (*i = 0; paper->equation(*i) != NULL; (*i)++) {
            if (strcmp(paper->equation(*i)->name, equation) == 0) return paper;
        }
    }
    return NULL;
}

bool ic_printed_has(const char *system, const char *equation)
{
    size_t i;
    return find_equation(&i, system, equation) != NULL;
}

double ic_printed_residual(const char *system, const char *equation, ic_printed_form form)
{
    size_t i;
    const ic_printed_paper *paper = find_equation(&i, system, equation);
    unsigned long long seed = paper->seed;
    double worst = 0;
    for (int n = 0; n < paper->n_systems; n++) {
        const double deviation = paper->deviation(i, &seed, form);
        if (!isfinite(deviation)) return INFINITY;
        worst = fmax(worst, deviation);
    }
    return worst;
}

double ic_printed_random(unsigned long long *seed, double low, double high)
{
    *seed = *seed * 48271u % 2147483647u;
    return low + (high - low) * (double)*seed / 2147483647.0;
}
