/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/input/input.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool ic_trajectory_open(ic_trajectory *tr, size_t n, size_t n_states, bool modes)
{
    *tr = (ic_trajectory){.n = n, .n_states = n_states};
    tr->t = calloc(n + 1, sizeof *tr->t);
    tr->x = calloc(n * n_states + 1, sizeof *tr->x);
    tr->line = calloc(n + 1, sizeof *tr->line);
    tr->mode = modes ? calloc(n + 1, 1) : NULL;
    if (tr->t != NULL && tr->x != NULL && tr->line != NULL && (tr->mode != NULL || !modes)) return true;
    ic_trajectory_close(tr);
    return false;
}

void ic_trajectory_close(ic_trajectory *tr)
{
    free(tr->t);
    free(tr->x);
    free(tr->mode);
    free(tr->line);
    free(tr->force);
    *tr = (ic_trajectory){0};
}

ic_correction ic_correction_by_factors(void)
{
    ic_correction c = {.kind = IC_CORRECT_FACTORS, .time_factor = 1, .origin = NAN};
    for (size_t j = 0; j < IC_MAX_STATES; j++) c.factor[j] = 1;
    return c;
}

static bool copy_rows(ic_trajectory *to, const ic_trajectory *from)
{
    if (!ic_trajectory_open(to, from->n, from->n_states, from->mode != NULL)) return false;
    to->path = from->path;
    memcpy(to->source, from->source, sizeof to->source);
    memcpy(to->column, from->column, sizeof to->column);
    memcpy(to->t, from->t, from->n * sizeof *to->t);
    memcpy(to->x, from->x, from->n * from->n_states * sizeof *to->x);
    if (from->line != NULL) memcpy(to->line, from->line, from->n * sizeof *to->line);
    if (from->mode != NULL) memcpy(to->mode, from->mode, from->n);
    if (from->force == NULL) return true;
    to->force = malloc(from->n * sizeof *to->force);
    if (to->force == NULL) {
        ic_trajectory_close(to);
        return false;
    }
    memcpy(to->force, from->force, from->n * sizeof *to->force);
    return true;
}

static void multiply(ic_trajectory *tr, const ic_correction *c)
{
    const double t0 = isnan(c->origin) ? tr->t[0] : c->origin;
    for (size_t i = 0; i < tr->n; i++) {
        tr->t[i] = t0 + (tr->t[i] - t0) * c->time_factor;
        for (size_t j = 0; j < tr->n_states; j++) tr->x[i * tr->n_states + j] *= c->factor[j];
    }
}

/* The first two marked columns of a row of numbers. */
static void exchange_in(double *x, size_t n, const ic_correction *c)
{
    size_t pair[2] = {0, 0}, found = 0;
    for (size_t j = 0; j < n && found < 2; j++) {
        if (c->column[j]) pair[found++] = j;
    }
    const double kept = x[pair[0]];
    x[pair[0]] = x[pair[1]], x[pair[1]] = kept;
}

void ic_correct_noise(double *corrected, const double *noise, size_t n, const ic_correction *c)
{
    memcpy(corrected, noise, n * sizeof *noise);
    if (c->kind == IC_CORRECT_EXCHANGE) exchange_in(corrected, n, c);
    for (size_t j = 0; j < n && c->kind == IC_CORRECT_FACTORS; j++) corrected[j] *= fabs(c->factor[j]);
}

/* The row at the end that has no neighbour is dropped. */
static void take_from_neighbour(ic_trajectory *tr, const ic_correction *c)
{
    const size_t n = tr->n_states;
    const bool next = c->kind == IC_CORRECT_FROM_NEXT;
    if (tr->n < 2) return;
    for (size_t k = 0; k + 1 < tr->n; k++) {
        const size_t i = next ? k : tr->n - 1 - k, from = next ? i + 1 : i - 1;
        for (size_t j = 0; j < n; j++) {
            if (c->column[j]) tr->x[i * n + j] = tr->x[from * n + j];
        }
    }
    tr->n--;
    if (next) return;
    memmove(tr->t, tr->t + 1, tr->n * sizeof *tr->t);
    memmove(tr->x, tr->x + n, tr->n * n * sizeof *tr->x);
    if (tr->line != NULL) memmove(tr->line, tr->line + 1, tr->n * sizeof *tr->line);
    if (tr->mode != NULL) memmove(tr->mode, tr->mode + 1, tr->n);
    if (tr->force != NULL) memmove(tr->force, tr->force + 1, tr->n * sizeof *tr->force);
}

bool ic_correct_rows(ic_trajectory *corrected, const ic_trajectory *trajectory, const ic_correction *correction)
{
    *corrected = (ic_trajectory){0};
    if (correction->kind == IC_CORRECT_NOTHING || trajectory->n == 0) return false;
    if (!copy_rows(corrected, trajectory)) return false;
    switch (correction->kind) {
    case IC_CORRECT_NOTHING: break;
    case IC_CORRECT_FACTORS: multiply(corrected, correction); break;
    case IC_CORRECT_EXCHANGE:
        for (size_t i = 0; i < corrected->n; i++)
            exchange_in(&corrected->x[i * corrected->n_states], corrected->n_states, correction);
        break;
    case IC_CORRECT_FROM_NEXT:
    case IC_CORRECT_FROM_PREVIOUS: take_from_neighbour(corrected, correction); break;
    case IC_CORRECT_TIME:
        for (size_t i = 0; i < corrected->n; i++) corrected->t[i] += correction->shift;
        break;
    }
    return true;
}
