/* SPDX-License-Identifier: MIT */
#include "audit/scene/scene.h"

#include <math.h>
#include <string.h>

/* Rows at the end in which a body must fly; and the change in one of them, over its greatest speed, that flight has. */
enum { QUIET_ROWS = 4 };
#define QUIET 1e-4
/*
 * Part of the tolerance beyond which impacts may be those of a mistake: correct engines with a contact of a
 * millisecond leave a tenth of the tolerance, a single wrong number leaves more.
 */
#define MISTAKE 0.25

size_t ic_scene_law_figure(const ic_scene_file *file)
{
    size_t k = 0;
    while (k < file->n_figures && file->figures[k].take != IC_TAKE_LAW) k++;
    return k;
}

/* ---- the impact of a motion */

static const double *row_of(const ic_scene_motion *m, size_t row, size_t body)
{
    return m->rows + row * m->row_size + body * IC_SCENE_QUANTITY_COUNT;
}

/* Difference of two rows, as a speed of a point at the distance `arm`, m/s. */
static double apart(const double *a, const double *b, double arm)
{
    return hypot(hypot(a[IC_SCENE_VX] - b[IC_SCENE_VX], a[IC_SCENE_VY] - b[IC_SCENE_VY]),
                 arm * (a[IC_SCENE_WZ] - b[IC_SCENE_WZ]));
}

/* A slender bar, or a solid ball. */
static double usual_inertia(const ic_world_body *body, const double r[2])
{
    const double arm = hypot(r[0], r[1]);
    return body->mass * arm * arm * (ic_world_is_round(body) ? 0.4 : 1.0 / 3);
}

ic_engine_probe ic_scene_impact_of(const ic_world *world, const ic_scene_motion *m, size_t figure)
{
    const ic_scene_figure *asks = &world->file->figures[figure];
    const ic_world_body *body = &world->bodies[asks->body];
    const double *first = row_of(m, 0, asks->body), *last = row_of(m, m->n_rows - 1, asks->body);
    ic_engine_probe p = {.asked = ic_world_judges(world, asks),
                         .mass = body->mass,
                         .inertia = body->inertia[2],
                         .mu = world->friction,
                         .e = world->restitution,
                         .before = {first[IC_SCENE_VX], first[IC_SCENE_VY], -first[IC_SCENE_WZ]},
                         .change = {last[IC_SCENE_VX] - first[IC_SCENE_VX],
                                    last[IC_SCENE_VY] - first[IC_SCENE_VY],
                                    first[IC_SCENE_WZ] - last[IC_SCENE_WZ]}};
    ic_world_lever(p.r, body, 0);
    p.usual_inertia = usual_inertia(body, p.r);
    const double arm = hypot(p.r[0], p.r[1]), quiet = QUIET * apart(first, last, arm);
    size_t end = m->n_rows - 1;
    while (end > 0 && apart(row_of(m, end, asks->body), last, arm) <= quiet) end--;
    p.ended = end > 0 && end + QUIET_ROWS < m->n_rows;
    ic_world_lever(p.r, body, row_of(m, end, asks->body)[IC_SCENE_ANGLE] - first[IC_SCENE_ANGLE]);
    return p;
}

/* ---- all settings */

/* Settings that differ in the phase of a step alone, the first list of a product, have the same impact. */
static void measure_scatter(ic_engine_probe *group, size_t n)
{
    double mean[3] = {0};
    for (size_t i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) mean[k] += group[i].change[k] / (double)n;
    }
    for (size_t i = 0; i < n; i++) group[i].scatter = ic_engine_deviation(&group[i], mean);
}

static void measure_scatters(const ic_scene_file *file, ic_engine_probe *impacts)
{
    for (size_t i = 0, start = 0; i < file->n_products; i++) {
        const ic_scene_list *list = &file->products[i].lists[0];
        const bool phases = strcmp(file->parameters[list->parameter].name, "phase") == 0;
        size_t n = 1;
        for (size_t k = 0; k < file->products[i].n; k++) n *= file->products[i].lists[k].n;
        for (size_t k = 0; phases && k < n; k += list->n) measure_scatter(impacts + start + k, list->n);
        start += n;
    }
}

/* What other figures judge at every phase: steps and damping also reduce the restitution of a right engine. */
static bool is_restitution(ic_mistake_id mistake)
{
    return mistake == IC_MISTAKE_RESTITUTION_WRONG || mistake == IC_MISTAKE_RESTITUTION_IGNORED ||
           mistake == IC_MISTAKE_RESTITUTION_SQUARED;
}

/* Uses the impacts that were played; returns the number of those that are asked for. */
static size_t use_played(const ic_engine_probes *probes, ic_engine_probe *impacts, size_t *asked, size_t *ended)
{
    size_t all = 0;
    for (size_t i = 0; i < probes->n; i++) {
        all += impacts[i].asked;
        impacts[i].asked &= impacts[i].mass > 0;
        *asked += impacts[i].asked;
        *ended += impacts[i].asked && impacts[i].ended;
    }
    return all;
}

void ic_scene_find_law(ic_scene_law *law, const ic_scene_file *file, ic_engine_probe *impacts, double tolerance)
{
    const ic_engine_probes probes = {impacts, ic_scene_settings(file)};
    ic_classification *found = &law->found;
    size_t asked = 0, ended = 0;
    const size_t all = use_played(&probes, impacts, &asked, &ended);
    if (asked == 0) return;
    measure_scatters(file, impacts);
    ic_engine_classify(found, &probes, tolerance);
    law->misfit = found->candidates[0].misfit * tolerance;
    const double scatter = ic_engine_scatter(&probes);
    const bool fits = law->misfit <= tolerance, few = 2 * ended < all;
    law->judged = !few && (fits || scatter <= tolerance);
    if (!law->judged) found->decided = false;
    if (few)
        snprintf(found->detail, sizeof found->detail, "%zu of %zu impacts were played and ended", ended, all);
    else if (!law->judged)
        snprintf(
            found->detail, sizeof found->detail,
            "impacts vary by %.2g with their place in a step; the nearest law is %s, with a misfit of %.2g",
            scatter, found->candidates[0].name, law->misfit);
    if (!law->judged) return;
    ic_engine_explanation why = {.mistake = IC_NO_MISTAKE};
    if (law->misfit > fmax(MISTAKE * tolerance, scatter))
        why = ic_engine_explain(&probes, law->misfit, tolerance);
    law->most = tolerance;
    law->fails = !fits || (why.mistake != IC_NO_MISTAKE && !is_restitution(why.mistake));
    if (!law->fails) return;
    if (fits) law->most = MISTAKE * tolerance;
    law->mistake = why.mistake;
    snprintf(law->because, sizeof law->because, "%s", why.text);
}
