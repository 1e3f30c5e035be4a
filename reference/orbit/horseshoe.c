/* SPDX-License-Identifier: MIT */
/* Horseshoes: disjoint sets, all covering relations of a graph, and the growth of its number of walks. */
#include "reference/orbit/horseshoe.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

/* Steps of the power iteration, in which whole numbers below 2^53 are exact. */
enum { POWER_STEPS = 16 };
static const double exact_below = 0x1p53;

/* A turn is longer than this, in millionths. */
static const long less_than_a_turn = 628L * (IC_H_SET_UNIT / 100);

/* ---- the graph */

ic_h_map ic_graph_map(const ic_planar_map *map, const ic_graph *graph, size_t transition)
{
    const ic_transition *t = &graph->transitions[transition];
    return (ic_h_map){map, &graph->sets[t->from], &graph->sets[t->to], t->turns};
}

static const char *fault_of_graph(const ic_graph *graph)
{
    if (graph->n_sets > IC_MOST_H_SETS || graph->n_transitions > IC_MOST_TRANSITIONS)
        return "the graph is too large";
    for (size_t i = 0; i < graph->n_transitions; i++) {
        const ic_transition *t = &graph->transitions[i];
        if (t->from < 0 || t->from >= graph->n_sets || t->to < 0 || t->to >= graph->n_sets)
            return "a transition has no such set";
        for (size_t k = 0; k < i; k++) {
            const ic_transition *other = &graph->transitions[k];
            if (other->from == t->from && other->to == t->to && other->turns == t->turns)
                return "a transition is counted twice";
        }
    }
    return NULL;
}

/* next = A x: for each set, the sum over its transitions */
static void sum_over_transitions(double *next, const ic_graph *graph, const double *x)
{
    for (int i = 0; i < graph->n_sets; i++) next[i] = 0;
    for (size_t k = 0; k < graph->n_transitions; k++)
        next[graph->transitions[k].from] += x[graph->transitions[k].to];
}

/* The least (A x)_i/x_i, rounded down; 0 where a number is not exact any more. */
static double least_ratio(const double *next, const double *x, int n)
{
    double least = INFINITY;
    for (int i = 0; i < n; i++) {
        if (next[i] >= exact_below) return 0;
        const double ratio = next[i] / x[i];
        least = fmin(least, fmod(next[i], x[i]) == 0 ? ratio : nextafter(ratio, 0));
    }
    return least;
}

double ic_graph_growth(const ic_graph *graph)
{
    double x[IC_MOST_H_SETS], next[IC_MOST_H_SETS], growth = 0;
    for (int i = 0; i < graph->n_sets; i++) x[i] = 1;
    for (int step = 0; step < POWER_STEPS; step++) {
        sum_over_transitions(next, graph, x);
        growth = fmax(growth, least_ratio(next, x, graph->n_sets));
        /* x + A x stays positive, and converges where A x alternates */
        for (int i = 0; i < graph->n_sets; i++) x[i] += next[i];
    }
    return growth;
}

unsigned long ic_graph_closed_walks(const ic_graph *graph, int n)
{
    unsigned long count = 0;
    for (int start = 0; start < graph->n_sets; start++) {
        double x[IC_MOST_H_SETS], next[IC_MOST_H_SETS];
        for (int i = 0; i < graph->n_sets; i++) x[i] = i == start;
        for (int step = 0; step < n; step++) {
            sum_over_transitions(next, graph, x);
            for (int i = 0; i < graph->n_sets; i++) x[i] = next[i];
        }
        count += (unsigned long)x[start];
    }
    return count;
}

/* ---- the sets */

/* The angles of all sets lie between these, in millionths. */
static void find_angles(long *low, long *high, const ic_graph *graph)
{
    *low = LONG_MAX, *high = LONG_MIN;
    for (int i = 0; i < graph->n_sets; i++) {
        const ic_h_set *set = &graph->sets[i];
        const long reach = labs(set->unstable[0]) + labs(set->stable[0]);
        *low = set->centre[0] - reach < *low ? set->centre[0] - reach : *low;
        *high = set->centre[0] + reach > *high ? set->centre[0] + reach : *high;
    }
}

static const char *fault_of_sets(const ic_graph *graph)
{
    long low, high;
    find_angles(&low, &high, graph);
    /* angles, all together, are less than a turn apart: no set meets another one a turn later */
    if (high - low >= less_than_a_turn) return "the sets do not fit into a turn";
    for (int i = 0; i < graph->n_sets; i++) {
        for (int k = 0; k < i; k++) {
            if (!ic_h_sets_are_disjoint(&graph->sets[i], &graph->sets[k]))
                return "the sets are not proved to be disjoint";
        }
    }
    return NULL;
}

/* ---- the proof */

static void prove_transition(ic_horseshoe *h, const ic_planar_map *map, const ic_graph *graph, size_t i)
{
    const ic_h_map h_map = ic_graph_map(map, graph, i);
    const ic_covering *covering = &h->coverings[i];
    h->coverings[i] = ic_cover(&h_map);
    h->pieces += covering->pieces;
    h->edge_margin = fmin(h->edge_margin, covering->edge_margin);
    h->side_margin = fmin(h->side_margin, covering->side_margin);
    if (covering->proved) return;
    h->failed = i;
    h->reason = covering->reason;
}

/* Whether a transition leads from one set to the other one, and all from there take as many turns as the first of them. */
static bool leads_to(const ic_graph *graph, int from, int to)
{
    bool leads = false;
    const ic_transition *first = NULL;
    for (size_t i = 0; i < graph->n_transitions; i++) {
        const ic_transition *t = &graph->transitions[i];
        if (t->from != from) continue;
        if (first == NULL) first = t;
        if (t->turns != first->turns) return false;
        leads = leads || t->to == to;
    }
    return leads;
}

/* All transitions exist, and images do not reach the sets a turn earlier or later: nothing else leads to a set. */
static bool is_complete(const ic_horseshoe *h, const ic_graph *graph)
{
    long low, high;
    bool complete = true;
    find_angles(&low, &high, graph);
    for (int i = 0; i < graph->n_sets; i++) {
        for (int k = 0; k < graph->n_sets; k++) complete = complete && leads_to(graph, i, k);
    }
    for (size_t i = 0; i < graph->n_transitions; i++) {
        const ic_covering *c = &h->coverings[i];
        complete = complete && c->lowest * IC_H_SET_UNIT > (double)(high - less_than_a_turn) &&
                   c->highest * IC_H_SET_UNIT < (double)(low + less_than_a_turn);
    }
    return complete;
}

void ic_horseshoe_prove(ic_horseshoe *horseshoe, const ic_planar_map *map, const ic_graph *graph)
{
    *horseshoe =
        (ic_horseshoe){.failed = graph->n_transitions, .edge_margin = INFINITY, .side_margin = INFINITY};
    horseshoe->reason = fault_of_graph(graph);
    if (horseshoe->reason == NULL) horseshoe->reason = fault_of_sets(graph);
    for (size_t i = 0; i < graph->n_transitions && horseshoe->reason == NULL; i++)
        prove_transition(horseshoe, map, graph, i);
    horseshoe->proved = horseshoe->reason == NULL;
    if (!horseshoe->proved) return;
    horseshoe->growth = ic_graph_growth(graph);
    horseshoe->complete = is_complete(horseshoe, graph);
}

void ic_horseshoe_prove_cones(ic_horseshoe *horseshoe, const ic_planar_map *map, const ic_graph *graph,
                              int weight)
{
    horseshoe->stretch = INFINITY;
    for (size_t i = 0; i < graph->n_transitions && horseshoe->reason == NULL; i++) {
        const ic_h_map h_map = ic_graph_map(map, graph, i);
        const ic_covering *covering = &horseshoe->coverings[i];
        const ic_cones cones = ic_cones_prove(&h_map, covering->enters, covering->leaves, weight);
        horseshoe->cones[i] = cones;
        horseshoe->cone_pieces += cones.pieces;
        horseshoe->stretch = fmin(horseshoe->stretch, cones.stretch);
        if (cones.proved) continue;
        horseshoe->failed = i;
        horseshoe->reason = cones.reason;
    }
    horseshoe->unique = horseshoe->reason == NULL;
}
