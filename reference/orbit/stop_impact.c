/* SPDX-License-Identifier: MIT */
/* The first impact of a flight: found without proof, enclosed by interval Newton, proved to be the first. */
#include "reference/orbit/stop_impact.h"

#include <math.h>

/* Steps of the search without proof, and how long a flight may last. */
static const double search_step = 0.02, longest_flight = 64;

/* Least and greatest half-width of the bracket in which Newton's step is tried. */
static const double least_bracket = 0x1p-40, greatest_bracket = 0.25;

/* Least part of a flight in which its speed is asked for a sign. */
static const double shortest_part = 0x1p-30;

/* A piece of time in which a sign is not decided is halved at most so often. */
/* BITS: precision of balls between two doubles. */
enum { MOST_HALVINGS = 12, BITS = 106, BISECTIONS = 48, NEWTON_STEPS = 3 };

/* ---- without proof */

/* The flight from the middle of the balls, in doubles. */
typedef struct rough_flight {
    double zeta, omega, natural, A, B, sigma, phase, offset, kick;
} rough_flight;

static double middle_of(const arb_t x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

static rough_flight rough_flight_of(const ic_stop_flight *flight)
{
    const ic_stop_oscillator *of = flight->of;
    return (rough_flight){.zeta = middle_of(of->zeta),
                          .omega = middle_of(of->omega),
                          .natural = middle_of(of->natural),
                          .A = middle_of(of->A),
                          .B = middle_of(of->B),
                          .sigma = middle_of(of->sigma),
                          .phase = middle_of(flight->phase),
                          .offset = middle_of(flight->offset),
                          .kick = middle_of(flight->kick)};
}

static bool is_beyond_stop(const rough_flight *f, double s)
{
    const double phase = f->phase + f->omega * s, decay = exp(-f->zeta * s),
                 K = decay * sin(f->natural * s) / f->natural, H = decay * cos(f->natural * s) + f->zeta * K;
    return f->A * cos(phase) + f->B * sin(phase) + f->offset * H - f->kick * K > f->sigma;
}

/* About the first time at which that flight is beyond the stop; NAN: none is found. */
static double guess_impact(const ic_stop_flight *flight)
{
    const rough_flight f = rough_flight_of(flight);
    double low = 0, high = search_step;
    while (high < longest_flight && !is_beyond_stop(&f, high)) low = high, high += search_step;
    if (high >= longest_flight) return NAN;
    for (int i = 0; i < BISECTIONS; i++) {
        const double half = low + (high - low) / 2;
        if (is_beyond_stop(&f, half)) high = half;
        else low = half;
    }
    return high;
}

/* ---- signs over a piece of time */

static void set_piece(arb_t s, double from, double to)
{
    IC_FLOATS(low, high);
    arf_set_d(low, from);
    arf_set_d(high, to);
    arb_set_interval_arf(s, low, high, BITS);
}

typedef bool sign_test(const ic_stop_flight *flight, const ic_stop_place *place);

static bool is_inside(const ic_stop_flight *flight, const ic_stop_place *place)
{
    return arb_lt(place->x, flight->of->sigma);
}

static bool moves_away(const ic_stop_flight *flight, const ic_stop_place *place)
{
    (void)flight;
    return arb_is_negative(place->v);
}

static bool approaches(const ic_stop_flight *flight, const ic_stop_place *place)
{
    (void)flight;
    return arb_is_positive(place->v);
}

static bool holds(sign_test *test, const ic_stop_flight *flight, ic_stop_place *place, double from, double to,
                  int halvings)
{
    IC_BALLS(s);
    set_piece(s, from, to);
    ic_stop_flight_at(place, flight, s);
    if (test(flight, place)) return true;
    const double half = from + (to - from) / 2;
    return halvings > 0 && holds(test, flight, place, from, half, halvings - 1) &&
           holds(test, flight, place, half, to, halvings - 1);
}

/* The longest of a half, a quarter and so on of the time after the start (or before `until`) in which the sign holds; 0: none. */
static double part_with(sign_test *test, const ic_stop_flight *flight, ic_stop_place *place, double until,
                        bool at_end)
{
    double part = until / 2;
    while (part > shortest_part) {
        if (holds(test, flight, place, at_end ? until - part : 0, at_end ? until : part, 2)) return part;
        part /= 2;
    }
    return 0;
}

/*
 * x < sigma in (0, until], where x(until) < sigma is known: x falls from sigma at first, stays inside, and rises to
 * x(until) in the end.
 */
static bool is_clear_until(const ic_stop_flight *flight, ic_stop_place *place, double until)
{
    const double falls = part_with(moves_away, flight, place, until, false),
                 rises = part_with(approaches, flight, place, until, true);
    return falls > 0 && rises > 0 && holds(is_inside, flight, place, falls, until - rises, MOST_HALVINGS);
}

/* ---- the zero */

/* One step of interval Newton over the ball s, which it replaces; false: the step does not fall into its interior. */
static bool newton_step(arb_t s, const ic_stop_flight *flight, ic_stop_place *place)
{
    const slong prec = flight->of->prec;
    IC_BALLS(rate, middle);
    ic_stop_flight_at(place, flight, s);
    arb_set(rate, place->v);
    bool good = arb_is_positive(rate);
    arb_get_mid_arb(middle, s);
    ic_stop_flight_at(place, flight, middle);
    arb_sub(place->x, place->x, flight->of->sigma, prec);
    arb_div(place->x, place->x, rate, prec);
    arb_sub(middle, middle, place->x, prec);
    good = good && arb_contains_interior(s, middle);
    if (good) arb_swap(s, middle);
    return good;
}

/* A bracket about the guess in which x has one zero for each start, and is increasing; *from is where it begins. */
static bool enclose_zero(arb_t s, double *from, const ic_stop_flight *flight, ic_stop_place *place,
                         double guess)
{
    for (double width = least_bracket; width <= greatest_bracket && width < guess; width *= 2) {
        *from = guess - width;
        set_piece(s, *from, guess + width);
        if (newton_step(s, flight, place)) return true;
    }
    return false;
}

/* The same for flights that leave the stop. */
static const char *find_impact(arb_t duration, const ic_stop_flight *flight, ic_stop_place *place)
{
    double from;
    const double guess = guess_impact(flight);
    if (isnan(guess)) return "no next impact is found";
    if (!enclose_zero(duration, &from, flight, place, guess))
        return "the next impact is not proved to be a crossing";
    if (!is_clear_until(flight, place, from)) return "an earlier impact is not excluded";
    for (int i = 0; i < NEWTON_STEPS; i++) {
        if (!newton_step(duration, flight, place)) break;
    }
    return NULL;
}

bool ic_stop_first_impact(arb_t duration, const ic_stop_flight *flight, const char **reason)
{
    ic_stop_place place;
    *reason = "a start is not proved to leave the stop";
    if (!arb_is_positive(flight->speed)) return false;
    ic_stop_place_init(&place);
    *reason = find_impact(duration, flight, &place);
    ic_stop_place_clear(&place);
    return *reason == NULL;
}
