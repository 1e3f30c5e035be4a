/* SPDX-License-Identifier: MIT */
#include "audit/common/explain.h"
#include "core/numbers.h"

#include <stdlib.h>

/* ---- the search */

static bool try_more(const ic_explainer *e, const void *hypothesis, int added, int wanted)
{
    if (added == wanted) return e->is_exact(e->of, hypothesis) && e->take(e->of, hypothesis, added);
    void *more = (char *)e->room + (size_t)added * e->size;
    const size_t n = e->list(e->of, hypothesis, added);
    for (size_t i = 0; i < n; i++) {
        if (e->add(e->of, more, hypothesis, i, added) && try_more(e, more, added + 1, wanted)) return true;
    }
    return false;
}

bool ic_explain(const ic_explainer *e, const void *bases, size_t n, int least, int most)
{
    for (int wanted = least; wanted <= most; wanted++) {
        for (size_t i = 0; i < n; i++) {
            if (try_more(e, (const char *)bases + i * e->size, 0, wanted)) return true;
        }
        if (e->settle != NULL && e->settle(e->of, wanted)) return true;
    }
    return false;
}

bool ic_best_offer(ic_best *b, size_t candidate, int name, double misfit)
{
    const bool rival = b->first == SIZE_MAX || name != b->name;
    if (misfit < b->misfit) {
        if (rival) b->second = b->first, b->second_misfit = b->misfit;
        b->first = candidate, b->name = name, b->misfit = misfit;
        return true;
    }
    if (rival && misfit < b->second_misfit) b->second = candidate, b->second_misfit = misfit;
    return false;
}

/* ---- numbers */

/* Moves those that are numbers to the front, and sorts them. */
static size_t sort_numbers(double *values, size_t n)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        if (isfinite(values[i])) values[kept++] = values[i];
    }
    qsort(values, kept, sizeof *values, ic_compare_numbers);
    return kept;
}

size_t ic_frequent_numbers(double *found, size_t most, double *values, size_t n, size_t least, double usual)
{
    size_t shown[8] = {0}, many = 0;
    n = sort_numbers(values, n);
    for (size_t i = 0, next; i < n; i = next) {
        for (next = i + 1; next < n && values[next] - values[i] <= IC_SAME_NUMBER * fabs(values[i]); next++)
            continue;
        const double value = values[i + (next - i) / 2];
        if (next - i < least || fabs(value - usual) <= IC_SAME_NUMBER * fmax(fabs(usual), fabs(value)))
            continue;
        size_t at = many;
        while (at > 0 && shown[at - 1] < next - i) at--;
        if (at == most) continue;
        many += many < most;
        for (size_t k = many - 1; k > at; k--) shown[k] = shown[k - 1], found[k] = found[k - 1];
        shown[at] = next - i, found[at] = value;
    }
    return many;
}
