/* SPDX-License-Identifier: MIT */
/*
 * Periodic orbits along closed walks. With f_i from the coordinates of a set to those of the next one, and D_i its
 * derivative, a step of Newton's method is
 *
 *     d_(i+1) = D_i d_i + r_i,   r_i = f_i(p_i) - p_(i+1),   d_n = d_0.
 */
#include "reference/orbit/walk.h"

#include <math.h>

enum { MOST_STEPS = 40 };

/* Changes of coordinates that count as rounding: products of derivatives lose some digits. */
static const double small_change = 1e-11;

/* A point farther out is lost. */
static const double farthest = 8;

/* ---- walks */

static bool is_closed(const ic_walk *walk, const ic_graph *graph)
{
    for (int i = 0; i < walk->n; i++) {
        const size_t step = walk->steps[i], next = walk->steps[(i + 1) % walk->n];
        if (graph->transitions[step].to != graph->transitions[next].from) return false;
    }
    return true;
}

static bool next_steps(ic_walk *walk, const ic_graph *graph)
{
    int i = 0;
    while (i < walk->n && ++walk->steps[i] == graph->n_transitions) walk->steps[i++] = 0;
    return i < walk->n;
}

bool ic_walk_next(ic_walk *walk, const ic_graph *graph)
{
    for (int i = 0; i < walk->n; i++) walk->ab[i][0] = walk->ab[i][1] = 0;
    while (next_steps(walk, graph)) {
        if (is_closed(walk, graph)) return true;
    }
    return false;
}

bool ic_walk_first(ic_walk *walk, const ic_graph *graph, int n)
{
    *walk = (ic_walk){.n = n};
    return is_closed(walk, graph) || ic_walk_next(walk, graph);
}

bool ic_walk_is_inside(const ic_walk *walk)
{
    for (int i = 0; i < walk->n; i++) {
        if (!(fabs(walk->ab[i][0]) < 1 && fabs(walk->ab[i][1]) < 1)) return false;
    }
    return true;
}

/* ---- Newton's method */

/* f_i at a point, and its derivative by rows. */
typedef struct step_of_walk {
    double image[2], derivative[2][2];
} step_of_walk;

static bool take_step(step_of_walk *s, const ic_planar_map *map, const ic_graph *graph, size_t step,
                      const double ab[2])
{
    const ic_h_map h_map = ic_graph_map(map, graph, step);
    return ic_h_map_point(s->image, s->derivative, &h_map, ab);
}

/* An affine map: d_i = linear d_0 + constant. */
typedef struct affine {
    double linear[2][2], constant[2];
} affine;

static affine follow(const affine *before, const step_of_walk *s, const double next[2])
{
    affine after;
    for (int i = 0; i < 2; i++) {
        const double *row = s->derivative[i];
        for (int k = 0; k < 2; k++)
            after.linear[i][k] = row[0] * before->linear[0][k] + row[1] * before->linear[1][k];
        after.constant[i] = row[0] * before->constant[0] + row[1] * before->constant[1] + s->image[i] - next[i];
    }
    return after;
}

/* The change that returns to itself: d = linear d + constant. */
static void solve_return(double d[2], const affine *all)
{
    const double a = 1 - all->linear[0][0], b = -all->linear[0][1], c = -all->linear[1][0],
                 e = 1 - all->linear[1][1], determinant = a * e - b * c;
    d[0] = (e * all->constant[0] - b * all->constant[1]) / determinant;
    d[1] = (a * all->constant[1] - c * all->constant[0]) / determinant;
}

/* One step; the largest change of a coordinate, NAN where a point is lost. */
static double improve(ic_walk *walk, const ic_planar_map *map, const ic_graph *graph)
{
    affine changes[IC_LONGEST_WALK + 1] = {{.linear = {{1, 0}, {0, 1}}}};
    double first[2], largest = 0;
    for (int i = 0; i < walk->n; i++) {
        step_of_walk s;
        if (!take_step(&s, map, graph, walk->steps[i], walk->ab[i])) return NAN;
        changes[i + 1] = follow(&changes[i], &s, walk->ab[(i + 1) % walk->n]);
    }
    solve_return(first, &changes[walk->n]);
    for (int i = 0; i < walk->n; i++) {
        for (int k = 0; k < 2; k++) {
            const affine *at = &changes[i];
            const double change = at->linear[k][0] * first[0] + at->linear[k][1] * first[1] + at->constant[k];
            walk->ab[i][k] += change;
            largest = fmax(largest, fabs(change));
            if (!(fabs(walk->ab[i][k]) < farthest)) return NAN;
        }
    }
    return largest;
}

bool ic_walk_solve(ic_walk *walk, const ic_planar_map *map, const ic_graph *graph)
{
    for (int step = 0; step < MOST_STEPS; step++) {
        const double change = improve(walk, map, graph);
        if (isnan(change)) return false;
        if (change < small_change) return true;
    }
    return false;
}
