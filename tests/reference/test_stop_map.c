/* SPDX-License-Identifier: MIT */
/**
 * The impact map of an oscillator with a hard stop: against the certifier of general flows on the same machine as text,
 * against differences and the change of area; what is refused; and its horseshoe, with planted wrong sets and parameters.
 */
#include "casefile/casefile.h"
#include "core/model.h"
#include "reference/flow/certify.h"
#include "reference/orbit/stop_horseshoe.h"
#include "reference/orbit/walk.h"
#include "tests/machine.h"

IC_SUITE(solvers, "impact map of a stop")
IC_OWNED(ic_stop_oscillator, ic_stop_oscillator_clear)

enum { BITS = 96, MOST_SECONDS = 60 };

/* ---- the map at decimal starts */

typedef struct mapped {
    ic_stop_oscillator of;
    arb_ptr start, next;
    const char *reason;
    bool good;
} mapped;

static void set_ball(arb_t ball, double middle, double radius)
{
    arb_set_d(ball, middle);
    mag_set_d(arb_radref(ball), radius);
}

static mapped map_box(const ic_stop_parameters *parameters, double phase, double speed, double radius)
{
    mapped m;
    CU_ASSERT_FATAL(ic_stop_oscillator_init(&m.of, parameters, BITS));
    m.start = _arb_vec_init(2);
    m.next = _arb_vec_init(2);
    set_ball(m.start + IC_STOP_PHASE, phase, radius);
    set_ball(m.start + IC_STOP_SPEED, speed, radius);
    m.good = ic_stop_map(m.next, &m.of, m.start, &m.reason);
    return m;
}

static void clear(mapped *m)
{
    ic_stop_oscillator_clear(&m->of);
    _arb_vec_clear(m->start, 2);
    _arb_vec_clear(m->next, 2);
}
IC_OWNED(mapped, clear)

static double middle_of(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* ---- against the certifier of general flows */

static const char machine[] =
    "name: stop\n"
    "title: A forced oscillator hits a hard stop\n"
    "parameters:\n"
    "  zeta: {value: 0.05, range: nonnegative, meaning: damping}\n"
    "  omega: {value: 16, range: positive, meaning: frequency of the forcing}\n"
    "  sigma: {value: -0.1, meaning: place of the stop}\n"
    "  e: {value: 0.3, range: \"[0, 1]\", meaning: restitution}\n"
    "  phi: {value: 2, meaning: phase of the forcing at the start}\n"
    "  w: {value: 0.03, range: positive, meaning: speed at the start}\n"
    "states:\n"
    "  x: {unit: m, scale: 1 m, start: sigma*(1 m), meaning: place}\n"
    "  v: {unit: m/s, scale: 1 m/s, start: -w*(1 m/s), meaning: speed}\n"
    "time_scale: 1 s\n"
    "modes:\n"
    "  free:\n"
    "    flow: {x: v, v: \"-2*zeta*v/(1 s) - x/(1 s^2) + cos(omega*t/(1 s) + phi)*(1 m/s^2)\"}\n"
    "    until:\n"
    "      stop: {rises: x - sigma*(1 m), then: {v: -e*v}, meaning: it hits the stop}\n"
    "presets:\n"
    "  first: {until: 8 s, meaning: the first impact}\n";

/* Exact as doubles: what the text of a parameter says is what the map is given. */
typedef struct start_of_flight {
    ic_stop_parameters parameters;
    double phase, speed;
} start_of_flight;

/* Phase and speed after the first event. */
static bool certify_impact(arb_ptr next, const start_of_flight *start)
{
    char texts[6][64];
    const char *settings[6];
    const ic_stop_parameters *p = &start->parameters;
    snprintf(texts[0], sizeof texts[0], "zeta=%s", p->zeta);
    snprintf(texts[1], sizeof texts[1], "omega=%s", p->omega);
    snprintf(texts[2], sizeof texts[2], "sigma=%s", p->sigma);
    snprintf(texts[3], sizeof texts[3], "e=%s", p->e);
    snprintf(texts[4], sizeof texts[4], "phi=%.17g", start->phase);
    snprintf(texts[5], sizeof texts[5], "w=%.17g", start->speed);
    for (int i = 0; i < 6; i++) settings[i] = texts[i];
    IC_OWN(ic_certificate) c;
    const ic_request request = {.settings = settings, .n_settings = 6};
    IC_OWN(ic_machine) m = ic_tests_open(machine, &request);
    m.exact = ic_tests_exact(&m.setup);
    ic_certify(&c, &m.exact.problem,
               &(ic_certify_options){.digits = 15, .max_events = 1, .time_limit = MOST_SECONDS});
    const bool found = c.count == 1;
    if (!found) printf("%s\n", c.reason);
    if (found) {
        arb_set_str(next, p->omega, BITS);
        arb_mul(next, next, c.events[0].t, BITS);
        arb_set_d(next + 1, start->phase);
        arb_add(next, next, next + 1, BITS);
        arb_neg(next + 1, c.events[0].after + 1);
    }
    return found;
}

static bool impacts_agree(const mapped *m, arb_srcptr next)
{
    return arb_overlaps(m->next, next) && arb_overlaps(m->next + 1, next + 1);
}

static void compare_with_certificate(const start_of_flight *start)
{
    IC_BALL_VECTOR(next, 2);
    IC_OWN(mapped) m = map_box(&start->parameters, start->phase, start->speed, 0);
    CU_ASSERT(m.good);
    CU_ASSERT_FATAL(certify_impact(next, start));
    CU_ASSERT(impacts_agree(&m, next));
    CU_ASSERT(arb_rel_accuracy_bits(next) > 40 && arb_rel_accuracy_bits(next + 1) > 30);
    CU_ASSERT(arb_rel_accuracy_bits(m.next) > 40 && arb_rel_accuracy_bits(m.next + 1) > 30);
    /* planted: another start */
    IC_OWN(mapped) other = map_box(&start->parameters, start->phase, start->speed + 1e-9, 0);
    CU_ASSERT(other.good && !impacts_agree(&other, next));
}

IC_TEST(test_certificates)
{
    const ic_stop_parameters same = ic_stop_horseshoe_parameters, undamped = {"0", "2.75", "0.25", "0.8"},
                             strong = {"0.5", "3", "-0.5", "0.9"};
    const start_of_flight starts[] = {
        {same, 2.8125, 0.0234375}, {same, 2.6875, 0.015625}, {same, 2.375, 0.03125}, {same, 2.25, 0.0234375},
        {undamped, 1.5, 0.5},      {undamped, 5, 1.75},      {strong, 0.75, 0.375},  {strong, 4, 1}};
    for (size_t i = 0; i < IC_COUNT(starts); i++) compare_with_certificate(&starts[i]);
}

/* ---- derivatives */

/* Rates as doubles. */
static void rates_at(double rates[2][2], const ic_stop_parameters *parameters, double phase, double speed)
{
    IC_BALL_MATRIX(outer, 2, 2);
    IC_BALL_MATRIX(inner, 2, 2);
    IC_OWN(mapped) m = map_box(parameters, phase, speed, 0);
    CU_ASSERT_FATAL(m.good);
    ic_stop_derivative(outer, inner, &m.of, m.start, m.next);
    arb_mat_mul(outer, outer, inner, BITS);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) rates[i][k] = middle_of(arb_mat_entry(outer, i, k));
    }
}

/* By differences over h, whose error is of order h^2 and of rounding over h. */
static void differences_at(double rates[2][2], const ic_stop_parameters *parameters, double phase, double speed)
{
    const double h = 0x1p-18;
    for (int k = 0; k < 2; k++) {
        IC_OWN(mapped) low = map_box(parameters, phase - (k == 0) * h, speed - (k == 1) * h, 0);
        IC_OWN(mapped) high = map_box(parameters, phase + (k == 0) * h, speed + (k == 1) * h, 0);
        CU_ASSERT_FATAL(low.good && high.good);
        for (int i = 0; i < 2; i++) {
            arb_sub(high.next + i, high.next + i, low.next + i, BITS);
            rates[i][k] = middle_of(high.next + i) / (2 * h);
        }
    }
}

static void compare_rates(const ic_stop_parameters *parameters, double phase, double speed)
{
    enum { PARTS = 1000000 };
    double rates[2][2], differences[2][2];
    rates_at(rates, parameters, phase, speed);
    differences_at(differences, parameters, phase, speed);
    const double size = fabs(rates[0][0]) + fabs(rates[0][1]);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 2; k++) CU_ASSERT_DOUBLE_EQUAL(rates[i][k], differences[i][k], 10 * size / PARTS);
    }
    /* areas: det = e^2 exp(-2 zeta s) w/w', the flow and the two changes of speed */
    IC_OWN(mapped) m = map_box(parameters, phase, speed, 0);
    const double after = middle_of(m.next + 1), e = middle_of(m.of.e),
                 s = (middle_of(m.next) - phase) / middle_of(m.of.omega),
                 area = e * e * exp(-2 * middle_of(m.of.zeta) * s) * speed / after;
    CU_ASSERT_DOUBLE_EQUAL((rates[0][0] * rates[1][1] - rates[0][1] * rates[1][0]) / area, 1, 1e-9);
}

IC_TEST(test_derivative)
{
    const ic_stop_parameters undamped = {"0", "2.75", "0.25", "0.8"}, strong = {"0.5", "3", "-0.5", "0.9"};
    compare_rates(&ic_stop_horseshoe_parameters, 2.8, 0.023);
    compare_rates(&ic_stop_horseshoe_parameters, 2.4, 0.032);
    compare_rates(&undamped, 1.5, 0.5);
    compare_rates(&undamped, 5, 1.75);
    compare_rates(&strong, 0.75, 0.375);
}

/* The image of a box, and its derivatives, hold those of its corners. */
IC_TEST(test_boxes)
{
    enum { CORNERS = 4 };
    const ic_stop_parameters *p = &ic_stop_horseshoe_parameters;
    const double radius = 0x1p-17;
    IC_BALL_MATRIX(outer, 2, 2);
    IC_BALL_MATRIX(inner, 2, 2);
    IC_OWN(mapped) box = map_box(p, 2.75, 0.0234375, radius);
    CU_ASSERT_FATAL(box.good);
    ic_stop_derivative(outer, inner, &box.of, box.start, box.next);
    arb_mat_mul(outer, outer, inner, BITS);
    for (int corner = 0; corner < CORNERS; corner++) {
        const double phase = 2.75 + (corner % 2 ? radius : -radius),
                     speed = 0.0234375 + (corner / 2 ? radius : -radius);
        double rates[2][2];
        IC_OWN(mapped) m = map_box(p, phase, speed, 0);
        rates_at(rates, p, phase, speed);
        for (int i = 0; i < 2; i++) {
            CU_ASSERT(arb_contains(box.next + i, m.next + i));
            for (int k = 0; k < 2; k++) {
                arb_set_d(m.next + i, rates[i][k]);
                CU_ASSERT(arb_contains(arb_mat_entry(outer, i, k), m.next + i));
            }
        }
    }
}

/* ---- what is refused */

static void refused(const ic_stop_parameters *parameters, double phase, double speed, double radius,
                    const char *reason)
{
    IC_OWN(mapped) m = map_box(parameters, phase, speed, radius);
    CU_ASSERT(!m.good);
    CU_ASSERT(m.reason != NULL && strstr(m.reason, reason) != NULL);
}

IC_TEST(test_oscillators)
{
    static const ic_stop_parameters wrong[] = {{"1.5", "16", "-0.1", "0.3"}, {"1", "16", "-0.1", "0.3"},
                                               {"0", "1", "-0.1", "0.3"},    {"x", "16", "-0.1", "0.3"},
                                               {"0.05", "", "-0.1", "0.3"},  {"0.05", "16", "?", "0.3"},
                                               {"0.05", "16", "-0.1", "."}};
    for (size_t i = 0; i < IC_COUNT(wrong); i++) {
        IC_OWN(ic_stop_oscillator) of;
        CU_ASSERT(!ic_stop_oscillator_init(&of, &wrong[i], BITS));
    }
}

static double next_phase(const ic_stop_parameters *parameters, double phase, double speed)
{
    IC_OWN(mapped) m = map_box(parameters, phase, speed, 0);
    return m.good ? middle_of(m.next) : (double)NAN;
}

/* Speeds at one phase between which the flight first grazes the stop: the next phase jumps there by more than a radian. */
static bool find_grazing(double *low, double *high, const ic_stop_parameters *parameters, double phase)
{
    const double step = 0.001;
    for (*low = 0.02; *low < 0.2; *low += step) {
        *high = *low + step;
        const double from = next_phase(parameters, phase, *low);
        if (!(fabs(next_phase(parameters, phase, *high) - from) > 1)) continue;
        while (*high - *low > 1e-6) {
            const double half = (*low + *high) / 2;
            if (fabs(next_phase(parameters, phase, half) - from) > 1) *high = half;
            else *low = half;
        }
        return true;
    }
    return false;
}

IC_TEST(test_grazing)
{
    const ic_stop_parameters *p = &ic_stop_horseshoe_parameters;
    double low = 0, high = 0, phase = 0;
    bool found = false;
    for (phase = 0.5; phase < 6 && !found; phase += 0.5) found = find_grazing(&low, &high, p, phase);
    CU_ASSERT_FATAL(found);
    phase -= 0.5;
    /* planted: a box of starts, some of which graze the stop; starts on either side are good */
    IC_OWN(mapped) grazes = map_box(p, phase, (low + high) / 2, 1e-4);
    IC_OWN(mapped) slower = map_box(p, phase, low - 1e-3, 1e-6);
    IC_OWN(mapped) faster = map_box(p, phase, high + 1e-3, 1e-6);
    CU_ASSERT(!grazes.good && slower.good && faster.good);
}

IC_TEST(test_refused)
{
    const ic_stop_parameters *p = &ic_stop_horseshoe_parameters, far = {"0.05", "16", "5", "0.3"};
    /* planted: starts that stay, or move into the stop */
    refused(p, 2.8, 0, 0, "leave the stop");
    refused(p, 2.8, -0.02, 0, "leave the stop");
    refused(p, 2.8, 0.001, 0.002, "leave the stop");
    /* planted: the stop is not reached again */
    refused(&far, 2.8, 0.5, 0, "no next impact");
    /* planted: so large a box that impacts are not enclosed */
    refused(p, 2.4, 0.03, 0.02, "not proved to be a crossing");
}

/*
 * Planted: starts whose first impact is shorter than a step of the search in doubles, which finds a later one. The certifier
 * finds the first one; the map must not answer.
 */
IC_TEST(test_short_visits)
{
    static const struct {
        double phase, speed, before;
    } visits[] = {{0.5, 0.0293, 0.2}, {3.5, 0.0431, 0.5}};
    for (size_t i = 0; i < IC_COUNT(visits); i++) {
        const start_of_flight start = {ic_stop_horseshoe_parameters, visits[i].phase, visits[i].speed};
        IC_BALL_VECTOR(next, 2);
        CU_ASSERT(certify_impact(next, &start));
        CU_ASSERT((middle_of(next) - start.phase) / 16 < visits[i].before);
        refused(&start.parameters, start.phase, start.speed, 0, "an earlier impact");
    }
}

/* ---- the horseshoe */

static ic_covering cover(const ic_stop_parameters *parameters, const ic_h_set *from, const ic_h_set *to,
                         long turns)
{
    IC_OWN(ic_stop_oscillator) of;
    CU_ASSERT_FATAL(ic_stop_oscillator_init(&of, parameters, IC_STOP_HORSESHOE_BITS));
    const ic_planar_map map = ic_stop_planar_map(&of);
    const ic_covering c = ic_cover(&(ic_h_map){&map, from, to, turns});
    return c;
}

IC_TEST(test_proof)
{
    const ic_graph *graph = &ic_stop_horseshoe;
    IC_OWN(ic_stop_oscillator) of;
    ic_horseshoe h;
    CU_ASSERT_FATAL(ic_stop_oscillator_init(&of, &ic_stop_horseshoe_parameters, IC_STOP_HORSESHOE_BITS));
    const ic_planar_map map = ic_stop_planar_map(&of);
    ic_horseshoe_prove(&h, &map, graph);
    CU_ASSERT(h.proved);
    CU_ASSERT_EQUAL(h.growth, 2);
    CU_ASSERT(h.edge_margin > 1 && h.side_margin > 0.5);
    ic_horseshoe_prove_cones(&h, &map, graph, IC_STOP_HORSESHOE_WEIGHT);
    CU_ASSERT(h.unique && h.complete && h.stretch > 2);
    /* as many orbits as walks, without the proof */
    for (int n = 1; n <= 6; n++) {
        ic_walk walk;
        unsigned long found = 0;
        for (bool more = ic_walk_first(&walk, graph, n); more; more = ic_walk_next(&walk, graph))
            found += ic_walk_solve(&walk, &map, graph) && ic_walk_is_inside(&walk);
        CU_ASSERT_EQUAL(found, 1UL << n);
    }
}

IC_TEST(test_planted_sets)
{
    const ic_stop_parameters *p = &ic_stop_horseshoe_parameters;
    const ic_h_set *sets = ic_stop_horseshoe.sets;
    CU_ASSERT(cover(p, &sets[0], &sets[1], 2).proved);
    /* planted: moved along the image, so that this ends inside the set */
    ic_h_set moved = sets[1];
    for (int i = 0; i < 2; i++) moved.centre[i] -= 3 * moved.unstable[i] / 2;
    CU_ASSERT(!cover(p, &sets[0], &moved, 2).proved);
    /* planted: moved across it, so that it leaves by a side */
    moved = sets[1];
    for (int i = 0; i < 2; i++) moved.centre[i] += 4 * moved.stable[i] / 5;
    CU_ASSERT(!cover(p, &sets[0], &moved, 2).proved);
    /* planted: longer than the image */
    ic_h_set longer = sets[1];
    for (int i = 0; i < 2; i++) longer.unstable[i] *= 3;
    CU_ASSERT(!cover(p, &sets[0], &longer, 2).proved);
    /* planted: narrower than the image is off its middle */
    ic_h_set narrow = sets[1];
    for (int i = 0; i < 2; i++) narrow.stable[i] /= 3;
    CU_ASSERT(!cover(p, &sets[0], &narrow, 2).proved);
    /* planted: a turn too many */
    CU_ASSERT(!cover(p, &sets[0], &sets[1], 3).proved);
    /* planted: with starts that do not leave the stop */
    ic_h_set lower = sets[0];
    for (int i = 0; i < 2; i++) lower.stable[i] *= 4;
    const ic_covering c = cover(p, &lower, &sets[1], 2);
    CU_ASSERT(!c.proved);
}

IC_TEST(test_planted_parameters)
{
    const ic_h_set *sets = ic_stop_horseshoe.sets;
    /* planted: restitution, frequency, stop and damping */
    const ic_stop_parameters wrong[] = {{"0.05", "16", "-0.1", "0.15"},
                                        {"0.05", "15", "-0.1", "0.3"},
                                        {"0.05", "16", "-0.15", "0.3"},
                                        {"0.5", "16", "-0.1", "0.3"}};
    for (size_t i = 0; i < IC_COUNT(wrong); i++) {
        bool all = true;
        for (size_t k = 0; k < ic_stop_horseshoe.n_transitions && all; k++) {
            const ic_transition *t = &ic_stop_horseshoe.transitions[k];
            all = cover(&wrong[i], &sets[t->from], &sets[t->to], t->turns).proved;
        }
        IC_EXPECT(!all, "accepted: planted parameters %zu", i);
    }
}
