/* SPDX-License-Identifier: MIT */
/*
 * The root S of the indentation d of a contact, in which powers d^(m/2) are polynomials
 * (sweep/series/lanes.h).
 */
#include "sweep/series/lanes.h"

#include <string.h>

/* Greatest m. */
#define MOST_HALVES 7

static bool add_rate(ic_lanes_root *root, int row, double factor)
{
    if (root->n_rates == IC_ROOT_RATES) return false;
    root->rates[root->n_rates++] = (ic_tape_entry){row, factor};
    return true;
}

/* Adds the rate of factor times a row: of a state, of time, or of a sine or cosine of time. */
static bool add_rate_of(ic_lanes_root *root, const ic_tape *tape, int row, double factor)
{
    if (row < (int)tape->n) {
        const ic_series_value *rate = &tape->results[row];
        if (rate->row >= 0) return add_rate(root, rate->row, factor);
        root->constant += factor * rate->value;
        return true;
    }
    if (row == (int)tape->n) {
        root->constant += factor;
        return true;
    }
    const ic_tape_kernel *k = ic_tape_kernel_of(tape, row);
    const ic_tape_kernel *angle =
        k != NULL && k->kind == IC_TAPE_INTEGRAL ? ic_tape_kernel_of(tape, k->a) : NULL;
    if (angle == NULL || angle->kind != IC_TAPE_SUM || angle->count != 1) return false;
    const ic_tape_entry *e = &tape->entries[angle->first];
    return e->row == (int)tape->n && add_rate(root, k->b, factor * k->alpha * e->factor);
}

static bool add_rates(ic_lanes_root *root, const ic_tape *tape)
{
    const ic_tape_kernel *k = ic_tape_kernel_of(tape, root->base);
    bool good = k == NULL || k->kind == IC_TAPE_SUM;
    if (k == NULL) return add_rate_of(root, tape, root->base, 1);
    for (int i = 0; i < k->count && good; i++)
        good = add_rate_of(root, tape, tape->entries[k->first + i].row, tape->entries[k->first + i].factor);
    return good;
}

/* A row as a multiple of another one. */
static ic_tape_entry multiple_of(const ic_tape *tape, int row)
{
    const ic_tape_kernel *k = ic_tape_kernel_of(tape, row);
    if (k == NULL || k->kind != IC_TAPE_SUM || k->count != 1 || k->gamma != 0) return (ic_tape_entry){row, 1};
    return tape->entries[k->first];
}

/* The sign of the ratio of a row to the base; 0: it is no multiple. */
static int ratio_to_base(const ic_tape *tape, int base, int row)
{
    const ic_tape_entry a = multiple_of(tape, base), b = multiple_of(tape, row);
    if (row == base) return 1;
    return a.row != b.row || row < 0 ? 0 : a.factor * b.factor > 0 ? 1 : -1;
}

void ic_lanes_root_find(ic_lanes_root *root, const ic_tape *tape)
{
    const size_t n_guards = tape->equations->n_results - tape->n;
    bool good = n_guards <= IC_ROOT_GUARDS && tape->n_kinks <= IC_ROOT_GUARDS, guarded = false;
    *root = (ic_lanes_root){.base = ic_tape_root_base(tape, -1, 2, MOST_HALVES)};
    for (size_t i = tape->n_flow; i < tape->n_kernels; i++)
        good = good && tape->kernels[i].kind != IC_TAPE_POWER;
    if (!good || root->base < 0 || !add_rates(root, tape)) return;
    for (size_t i = 0; i < n_guards; i++) {
        root->sides[i] = ratio_to_base(tape, root->base, tape->results[tape->n + i].row);
        guarded = guarded || root->sides[i] != 0;
    }
    for (size_t i = 0; i < tape->n_kinks; i++)
        root->kinks[i] = ratio_to_base(tape, root->base, tape->kinks[i].argument.row);
    root->used = guarded; /* else nothing shows where S ends */
}

bool ic_lanes_root_matches(const ic_lanes_root *a, const ic_tape *of_a, const ic_lanes_root *b,
                           const ic_tape *of_b)
{
    if (!a->used || !b->used) return a->used == b->used;
    bool same = a->base == b->base && a->n_rates == b->n_rates &&
                memcmp(a->sides, b->sides, sizeof a->sides) == 0 &&
                memcmp(a->kinks, b->kinks, sizeof a->kinks) == 0;
    for (int i = 0; i < a->n_rates && same; i++) same = a->rates[i].row == b->rates[i].row;
    for (size_t i = 0; i < of_a->n_kernels && same; i++)
        same = of_a->kernels[i].kind != IC_TAPE_POWER || of_a->kernels[i].alpha == of_b->kernels[i].alpha;
    return same;
}
