/* SPDX-License-Identifier: MIT */
/* Chaos of an oscillator with a hard stop, proved: a horseshoe of its impact map. */
#include "core/expression.h"
#include "reference/orbit/stop_horseshoe.h"
#include "reference/orbit/walk.h"
#include "validation/studies/study.h"

#include <math.h>

enum { SETS = 2, LONGEST = 6 };

static const ic_graph *const graph = &ic_stop_horseshoe;

enum { CURVE, PHASE, SPEED, A_0, B_0, A_1, B_1 };

static const ic_study_column columns[] = {
    [CURVE] = {"curve", NULL,
               "N0, N1: outlines of the sets; P(N0), P(N1): of their images; orbits: periodic points"},
    [PHASE] = {"phase", "rad", "phase of the forcing at an impact; of images less 2 or 3 turns"},
    [SPEED] = {"speed", "1", "speed just after it"},
    [A_0] = {"a_0", "1", "coordinates in N0: along its unstable direction"},
    [B_0] = {"b_0", "1", "and along its stable one"},
    [A_1] = {"a_1", "1", "coordinates in N1"},
    [B_1] = {"b_1", "1", "coordinates in N1"},
};

/* ---- the oscillator and its proof */

typedef struct proof {
    ic_stop_oscillator oscillator;
    ic_planar_map map;
    ic_horseshoe horseshoe;
} proof;

static bool prove(ic_study_data *data, proof *p)
{
    const ic_horseshoe *h = &p->horseshoe;
    if (!ic_stop_oscillator_init(&p->oscillator, &ic_stop_horseshoe_parameters, IC_STOP_HORSESHOE_BITS)) {
        ic_study_fail(data, "there is no such oscillator");
        return false;
    }
    p->map = ic_stop_planar_map(&p->oscillator);
    ic_horseshoe_prove(&p->horseshoe, &p->map, graph);
    if (h->proved) ic_horseshoe_prove_cones(&p->horseshoe, &p->map, graph, IC_STOP_HORSESHOE_WEIGHT);
    if (!h->unique) ic_study_fail(data, "transition %zu: %s", h->failed, h->reason);
    else if (!h->complete)
        ic_study_fail(data, "orbits that stay in the sets without following a walk are not excluded");
    return h->unique && h->complete;
}

/* ---- rows */

static void point_of(double point[2], const ic_h_set *set, const double ab[2])
{
    for (int i = 0; i < 2; i++)
        point[i] =
            ((double)set->centre[i] + ab[0] * (double)set->unstable[i] + ab[1] * (double)set->stable[i]) /
            IC_H_SET_UNIT;
}

static void coordinates_of(double ab[2], const ic_h_set *set, const double point[2])
{
    const double x = point[0] * IC_H_SET_UNIT - (double)set->centre[0],
                 y = point[1] * IC_H_SET_UNIT - (double)set->centre[1], u0 = (double)set->unstable[0],
                 u1 = (double)set->unstable[1], s0 = (double)set->stable[0], s1 = (double)set->stable[1];
    ab[0] = (x * s1 - y * s0) / (u0 * s1 - u1 * s0);
    ab[1] = (u0 * y - u1 * x) / (u0 * s1 - u1 * s0);
}

static void add_row(ic_study_data *data, const char *curve, int set, const double ab[2])
{
    double point[2], other[2];
    point_of(point, &graph->sets[set], ab);
    ic_study_text(data, curve);
    IC_STUDY_NUMBERS(data, point[0], point[1]);
    for (int i = 0; i < SETS; i++) {
        coordinates_of(other, &graph->sets[i], point);
        IC_STUDY_NUMBERS(data, other[0], other[1]);
    }
}

/* The outline of a square, from (-1, -1) to the right; s counts its sides. */
static void outline(double ab[2], double s)
{
    static const double corners[5][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}, {-1, -1}};
    const int side = (int)fmin(floor(s), 3);
    for (int i = 0; i < 2; i++)
        ab[i] = corners[side][i] + (s - side) * (corners[side + 1][i] - corners[side][i]);
}

static void add_set(ic_study_data *data, int set)
{
    static const char *const names[SETS] = {"N0", "N1"};
    for (int i = 0; i <= 4; i++) {
        double ab[2];
        outline(ab, i);
        add_row(data, names[set], set, ab);
    }
}

static void add_image(ic_study_data *data, const proof *p, int set)
{
    static const char *const names[SETS] = {"P(N0)", "P(N1)"};
    enum { PARTS = 400 };
    const ic_transition *first = graph->transitions;
    while (first->from != set) first++;
    const ic_h_map h_map = {&p->map, &graph->sets[set], &graph->sets[set], first->turns};
    for (int i = 0; i <= PARTS; i++) {
        double ab[2], image[2], derivative[2][2];
        outline(ab, 4.0 * i / PARTS);
        if (ic_h_map_point(image, derivative, &h_map, ab)) add_row(data, names[set], set, image);
        else ic_study_fail(data, "a point of an outline has no image");
    }
}

/* ---- periodic orbits */

/* Points of period n (or a divisor of it) that Newton's method finds inside the sets; those of the longest period are rows. */
static unsigned long find_orbits(ic_study_data *data, const proof *p, int n)
{
    unsigned long found = 0;
    ic_walk walk;
    for (bool more = ic_walk_first(&walk, graph, n); more; more = ic_walk_next(&walk, graph)) {
        if (!ic_walk_solve(&walk, &p->map, graph) || !ic_walk_is_inside(&walk)) continue;
        found++;
        if (n == LONGEST) add_row(data, "orbits", graph->transitions[walk.steps[0]].from, walk.ab[0]);
    }
    return found;
}

static void find_counts(ic_study_data *data, const unsigned long found[LONGEST + 1])
{
    for (int n = 1; n <= LONGEST; n++) {
        if (found[n] != ic_graph_closed_walks(graph, n))
            ic_study_fail(data, "%lu points of period %d were found, not %lu", found[n], n,
                          ic_graph_closed_walks(graph, n));
    }
    ic_study_finding(
        data,
        "Check without the proof: Newton's method finds %lu, %lu, %lu, %lu, %lu and %lu points whose periods divide 1 to 6 "
        "impacts, all in the sets.",
        found[1], found[2], found[3], found[4], found[5], found[6]);
}

/* ---- findings */

static void state_theorem(ic_study_data *data, const ic_horseshoe *h)
{
    const ic_stop_parameters *is = &ic_stop_horseshoe_parameters;
    ic_study_finding(
        data,
        "Theorem, for x'' + 2 zeta x' + x = cos(omega t) with x <= sigma, and x' -> -e x' at the stop, where zeta = "
        "%s, omega = %s, sigma = %s and e = %s exactly: for every sequence of the symbols 0 and 1, endless to both "
        "sides, there is exactly one motion, up to whole periods of the forcing, whose impacts lie in N0 and N1 in this order. After an impact in "
        "N0 the mass flies for about two periods of the forcing, after one in N1 for about three.",
        is->zeta, is->omega, is->sigma, is->e);
    ic_study_finding(
        data,
        "So the impact map has a horseshoe: on the set of all impacts whose past and future ones lie in N0 and N1 it "
        "acts like the full shift of two symbols. There are exactly 2^n points whose period divides n, all of them "
        "saddles, and the topological entropy is log %g = %.5f for each impact.",
        h->growth, log(h->growth));
}

/* Rounded down, to print a bound. */
static double thousandths(double bound)
{
    return floor(1000 * bound) / 1000;
}

static void state_proof(ic_study_data *data, const ic_horseshoe *h)
{
    for (size_t i = 0; i < graph->n_transitions; i++) {
        const ic_covering *c = &h->coverings[i];
        ic_study_finding(
            data,
            "N%d covers N%d (%s): the images of its edges pass N%d by at least %.3f of its half-length, its image "
            "stays off the sides by at least %.3f of its half-width; |da'/da| >= %.3f.",
            graph->transitions[i].from, graph->transitions[i].to, c->turned ? "turned" : "not turned",
            graph->transitions[i].to, thousandths(c->edge_margin), thousandths(c->side_margin),
            thousandths(h->cones[i].stretch));
    }
    ic_study_finding(
        data,
        "The proof encloses the impact map by its closed form over %zu parallelograms, and %zu for its derivative. Each "
        "start there has a next impact, which is the first one and has a positive speed.",
        h->pieces, h->cone_pieces);
    ic_study_finding(
        data,
        "No such proof for an oscillator with a hard stop, at stated parameters, is published to our knowledge.");
}

static void fill(ic_study_data *data, const proof *p)
{
    unsigned long found[LONGEST + 1] = {0};
    for (int i = 0; i < SETS; i++) add_set(data, i);
    for (int i = 0; i < SETS; i++) add_image(data, p, i);
    for (int n = 1; n <= LONGEST; n++) found[n] = find_orbits(data, p, n);
    state_theorem(data, &p->horseshoe);
    state_proof(data, &p->horseshoe);
    find_counts(data, found);
}

static void run_study(ic_study_data *data)
{
    proof p;
    if (prove(data, &p)) fill(data, &p);
    ic_stop_oscillator_clear(&p.oscillator);
}

IC_STUDY_TABLE(
    impact_horseshoe, "impact-horseshoe", "Oscillator with a hard stop: a horseshoe of its impact map, proved",
    "Is the motion of a forced oscillator that hits a hard stop chaotic? A proof by covering relations.");
