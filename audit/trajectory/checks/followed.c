/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/checks/checks.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 10 };

static double share_unexplained(const ic_tracking *k)
{
    return k->n_intervals > 0 ? (double)ic_tracking_count(k, IC_UNEXPLAINED) / (double)k->n_intervals : 0;
}

/* The place of a parameter among the changed ones, which is new if there is room; IC_MOST_FOLLOWED: none. */
static size_t place_of(ic_followed *f, const ic_parameter_fit *fit)
{
    for (size_t i = 0; i < f->n_changed; i++) {
        if (f->changed[i].parameter == fit->parameter) return i;
    }
    if (f->n_changed == IC_MOST_FOLLOWED) return IC_MOST_FOLLOWED;
    f->changed[f->n_changed].case_value = fit->case_value;
    return f->n_changed++;
}

/* Changes the parameter that explains most. false: none does. */
static bool change_best(ic_followed *f, const ic_parameter_fits *fits)
{
    if (fits->best >= fits->count) return false;
    const ic_parameter_fit *fit = &fits->rows[fits->best];
    const size_t place = place_of(f, fit);
    if (place == IC_MOST_FOLLOWED) return false;
    const double given = f->changed[place].case_value;
    f->changed[place] = *fit;
    f->changed[place].case_value = given;
    f->par[fit->parameter] = fit->value;
    return true;
}

/* The last fits know the values better than those that found them. */
static void refine(ic_followed *f, const ic_parameter_fits *fits)
{
    for (size_t i = 0; i < f->n_changed; i++) {
        for (size_t j = 0; j < fits->count; j++) {
            if (fits->rows[j].parameter != f->changed[i].parameter) continue;
            f->changed[i].deviation = fits->rows[j].deviation;
            f->changed[i].smallest = fits->rows[j].smallest;
        }
    }
}

void ic_follow_parameters(ic_followed *f, const ic_tracking *k, const ic_parameter_fits *fits,
                          const ic_trajectory_options *options)
{
    const ic_trajectory_options own = {
        .accept = options != NULL ? options->accept : 0, .time_scale = k->time_scale, .began = k->began};
    ic_parameter_fits latest = *fits;
    *f = (ic_followed){.problem = *k->problem, .before = share_unexplained(k)};
    f->now = f->before;
    f->par = ic_own_parameters(&f->problem);
    if (f->par == NULL) return;
    f->problem.par_text = NULL;
    for (int round = 0; round < ROUNDS && change_best(f, &latest); round++) {
        /* The first change is always followed: without its effect it is no cause. */
        f->cut = round > 0 && ic_effort_is_spent(k->began);
        if (f->cut) break;
        ic_tracking tracked;
        ic_parameter_fits next = {0};
        if (!ic_track(&tracked, k->trajectory, &f->problem, k->noise, &own)) break;
        f->now = share_unexplained(&tracked);
        const bool good = ic_fit_parameters(&next, &tracked, NULL);
        ic_tracking_close(&tracked);
        if (round > 0) ic_parameter_fits_close(&latest);
        latest = next;
        if (!good) break;
        refine(f, &latest);
    }
    if (latest.rows != fits->rows) ic_parameter_fits_close(&latest);
    if (f->n_changed == 0) ic_followed_close(f);
}

void ic_followed_close(ic_followed *f)
{
    free(f->par);
    *f = (ic_followed){0};
}

bool ic_followed_exchanges(const ic_followed *f)
{
    for (size_t i = 0; i < f->n_changed; i++) {
        for (size_t j = 0; j < i; j++) {
            const ic_parameter_fit *a = &f->changed[i], *b = &f->changed[j];
            if (fabs(a->case_value - b->case_value) <= a->smallest + b->smallest) continue;
            if (strcmp(a->unit, b->unit) == 0 && fabs(a->value - b->case_value) <= a->smallest &&
                fabs(b->value - a->case_value) <= b->smallest)
                return true;
        }
    }
    return false;
}

void ic_followed_append(ic_finding *finding, const ic_followed *f)
{
    const char *before = "";
    for (size_t i = 0; i < f->n_changed; i++) {
        const ic_parameter_fit *fit = &f->changed[i];
        /* one that was fitted beside others may come back to the case's value */
        if (f->n_changed > 1 && fabs(fit->value - fit->case_value) <= fit->smallest) continue;
        ic_parameter_fit_append(finding, fit, before);
        before = " and ";
    }
}
