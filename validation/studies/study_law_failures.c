/* SPDX-License-Identifier: MIT */
/*
 * The point at which the formula of each contact-force law fails in one free impact: the ball of
 * the experiments on specimen C1 at 0.5 m/s, on every law, given a coefficient of restitution e.
 *
 * Impacts are in closed form if the law has one, otherwise by the trusted solver. The presets of
 * the case define how e enters a law without the parameter e: K_star of `improved`, c of a linear
 * law, C_2 of lee-wang-2 as for a linear law.
 *
 * For a law F = f(d) (1 + a v/v0) to be right for every e, (1 - e_out)/(1 - e) -> 1 for e -> 1,
 * that is a -> 3/2 (1 - e), and a e -> 1 for e -> 0.
 */
#include "registry/registry.h"
#include "validation/studies/ball_experiments.h"
#include "validation/studies/ball_runs.h"
#include "validation/studies/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* e = 1/PARTS, 2/PARTS, ... below 1 where an answer is in closed form; where a solver is run, in
   coarser steps */
enum { PARTS = 1000, PARTS_SOLVED = 100, MOST_LAWS = 64, HALVINGS = 60 };

/* The force is examined at this e. */
#define HALF 0.5
/* Distance from the limits, and order of the remaining error. A solver does not resolve 1 -
   e_out there, and is used at 1 - 1/PARTS_SOLVED. */
#define NEARLY 1e-6
/* An error that a user would call wrong; the number is ours. */
#define WRONG 0.05
/* Closed forms, rounded. */
#define ROUNDING 1e-12

enum {
    LAW,
    END_FORCE,
    PULLS_BELOW,
    PULL_SPEED,
    ONSET,
    CREATED,
    WRONG_FROM,
    WRONG_TO,
    WORST,
    WORST_AT,
    SLOPE,
    A_E,
    LEAST
};

static const ic_study_column columns[] = {
    [LAW] = {"law", NULL, "contact-force law"},
    [END_FORCE] = {"end_force", "1",
                   "force at the end of contact over the greatest, e = 0.5; below 0 it pulls"},
    [PULLS_BELOW] = {"pulls_below", "1", "a free impact is pulled back for e below this; 0: never"},
    [PULL_SPEED] = {"pull_speed", "1",
                    "speed of return over v0 from which the contact pulls at half of the greatest indentation, "
                    "e = 0.5, under other forces; none: never"},
    [ONSET] = {"onset", "1", "force at the first touch over the greatest, e = 0.5"},
    [CREATED] = {"created", "1", "energy that the contact holds when it begins over the impact's, e = 0.5"},
    [WRONG_FROM] = {"wrong_from", "1", "least e for which e_out is more than 0.05 off; none: there is none"},
    [WRONG_TO] = {"wrong_to", "1", "greatest e for which it is"},
    [WORST] = {"worst", "1", "greatest error of e_out"},
    [WORST_AT] = {"worst_at", "1", "e at which it is"},
    [SLOPE] = {"slope", "1", "(1 - e_out)/(1 - e) for e -> 1, which should be 1: slope of a over 3/2 (1 - e)"},
    [A_E] = {"a_e", "1", "a e for e -> 0, which should be 1; none for laws without a"},
    [LEAST] = {"least", "1", "least restitution that the law can give"},
};

/* The results for a law. */
typedef struct law_failure {
    const ic_law *law;

    /* gives 1 for every e */
    bool elastic;

    double end_force, pulls_below, pull_speed, onset, created;
    double wrong_from, wrong_to, worst, worst_at, slope, a_e, least;
} law_failure;

/* ---- the force of one impact */

static bool open_law(ic_ball *ball, const ic_law *law, double e, ic_error *error)
{
    return ic_ball_open(ball, IC_PATH("ball/%s[c_r=%.17g]", law->name, e), error);
}

static double memory_of(const ic_ball *ball)
{
    return ball->law->remember != NULL ? ball->law->remember(ball->v0, ball->par) : 0;
}

static double force(const ic_ball *ball, double d, double v)
{
    return ball->law->force(d, v, memory_of(ball), ball->par);
}

/* Contact that lasts until d = 0 may pull; one that ends where F = 0 does not. */
static bool may_pull(const ic_law *law)
{
    return law->condition == IC_CONDITION_A;
}

/* So near to the surface, relative to the peak, the speed is that of the rebound. */
#define SKIN 1e-6

/* At the surface, on the way out; just below it if the force vanishes there. */
static double end_force(const ic_ball *ball, const ic_impact_outcome *o)
{
    const double v = -o->restitution * ball->v0, at_surface = may_pull(ball->law) ? force(ball, 0, v) : 0;
    if (!may_pull(ball->law) || at_surface != 0) return at_surface / o->peak_force;
    return fmin(0, force(ball, SKIN * o->peak_indentation, v) / o->peak_force);
}

/* F is affine in v: F(d, -u v0) = F(d, 0) - u (F(d, 0) - F(d, -v0)) */
static double pull_speed(const ic_ball *ball, const ic_impact_outcome *o)
{
    const double d = 0.5 * o->peak_indentation, elastic = force(ball, d, 0),
                 slope = elastic - force(ball, d, -ball->v0);
    return may_pull(ball->law) && slope > 0 ? elastic / slope : NAN;
}

static void examine_force(law_failure *f, const ic_ball *ball, const ic_impact_outcome *o)
{
    const double begin = ball->law->reach != NULL ? ball->law->reach(ball->v0, ball->par) : 0;
    /* a force of the order of rounding counts as zero */
    const double onset = force(ball, begin, ball->v0) / o->peak_force;
    f->onset = fabs(onset) > ROUNDING ? onset : 0;
    f->created = ball->law->stored_energy(begin, ball->par) / (0.5 * ball->m * ball->v0 * ball->v0);
    f->end_force = end_force(ball, o);
    f->pull_speed = pull_speed(ball, o);
}

/* ---- restitution in effect for each e */

static bool outcome_at(ic_impact_outcome *outcome, double *end, const ic_law *law, double e, ic_error *error)
{
    ic_ball ball;
    if (!open_law(&ball, law, e, error)) return false;
    const bool good = ic_ball_impact(outcome, &ball, error);
    if (good && end != NULL) *end = end_force(&ball, outcome);
    ic_ball_close(&ball);
    return good;
}

static bool scan_restitution(law_failure *f, ic_error *error)
{
    const int parts = ic_law_is_solved(f->law) ? PARTS : PARTS_SOLVED;
    for (int k = 1; k < parts; k++) { /* e = 1 is outside the range of `improved` */
        ic_impact_outcome o;
        double end = 0;
        const double e = (double)k / parts;
        if (!outcome_at(&o, &end, f->law, e, error)) return false;
        const double off = o.restitution - e;
        if (end < -ROUNDING) f->pulls_below = e;
        if (fabs(off) > WRONG) f->wrong_to = e;
        if (fabs(off) > WRONG && isnan(f->wrong_from)) f->wrong_from = e;
        if (fabs(off) > fabs(f->worst) + ROUNDING) f->worst = off, f->worst_at = e;
    }
    /* the scan does not resolve e between its steps */
    if (f->pulls_below > 0 && f->pulls_below + 1.5 / parts > 1) f->pulls_below = 1;
    return true;
}

static bool find_limits(law_failure *f, ic_error *error)
{
    ic_impact_outcome o;
    const bool solved = ic_law_is_solved(f->law);
    const double rest = solved ? NEARLY : 1.0 / PARTS_SOLVED;
    if (!outcome_at(&o, NULL, f->law, 1 - rest, error)) return false;
    f->slope = (1 - o.restitution) / rest;
    if (!outcome_at(&o, NULL, f->law, solved ? NEARLY : rest, error)) return false;
    f->least = o.restitution;
    f->a_e = solved && f->law->dashpot == NULL ? o.damping * NEARLY : NAN;
    return true;
}

static bool examine_law(law_failure *f, const ic_law *law, ic_error *error)
{
    ic_ball ball;
    ic_impact_outcome o;
    *f = (law_failure){.law = law, .wrong_from = NAN, .wrong_to = NAN, .a_e = NAN, .slope = NAN};
    if (!open_law(&ball, law, HALF, error)) return false;
    const bool good = ic_ball_impact(&o, &ball, error);
    if (good) examine_force(f, &ball, &o);
    ic_ball_close(&ball);
    f->elastic = good && o.restitution == 1;
    f->worst = f->worst_at = f->elastic ? NAN : 0;
    f->least = 1;
    return good && (f->elastic || (scan_restitution(f, error) && find_limits(f, error)));
}

static void add_row(ic_study_data *data, const law_failure *f)
{
    const double numbers[] = {f->end_force, f->pulls_below, f->pull_speed, f->onset, f->created, f->wrong_from,
                              f->wrong_to,  f->worst,       f->worst_at,   f->slope, f->a_e,     f->least};
    ic_study_text(data, f->law->name);
    for (size_t i = 0; i < IC_COUNT(numbers); i++) ic_study_number(data, numbers[i]);
}

/* ---- in words */

typedef char name_list[512];

static void append_name(name_list names, bool belongs, const char *name)
{
    if (belongs) ic_list_append(names, sizeof(name_list), name);
}

/* Closed-form limits are met to about NEARLY, those of a solver to the next order,
   1/PARTS_SOLVED. */
#define MEETS (2.0 / PARTS_SOLVED)

static bool gives_every_e(const law_failure *f)
{
    return fabs(f->worst) <= ROUNDING;
}

static void find_lists(ic_study_data *data, const law_failure *of, size_t n)
{
    name_list elastic = "", exact = "", right = "", plastic = "", lively = "", slope = "";
    for (size_t i = 0; i < n; i++) {
        const law_failure *f = &of[i];
        append_name(elastic, f->elastic, f->law->name);
        if (f->elastic) continue;
        append_name(exact, gives_every_e(f), f->law->name);
        append_name(right, !gives_every_e(f) && isnan(f->wrong_from), f->law->name);
        append_name(plastic, f->least <= WRONG, f->law->name);
        append_name(lively, f->least > WRONG, f->law->name);
        append_name(slope, fabs(f->slope - 1) > MEETS, f->law->name);
    }
    ic_study_finding(data, "Elastic, without a prescribed restitution: %s.", elastic);
    ic_study_finding(data, "The restitution in effect equals the prescribed one for every e: %s.", exact);
    ic_study_finding(data, "Never more than 0.05 off: %s.", right);
    ic_study_finding(data, "Restitution falls to 0 with the prescribed one: %s.", plastic);
    ic_study_finding(data, "Restitution has a positive least value: %s.", lively);
    ic_study_finding(data, "The energy loss for e -> 1 is wrong: %s.", slope);
}

static void find_law(ic_study_data *data, const law_failure *f)
{
    const char *name = f->law->name;
    if (f->pulls_below > 0)
        ic_study_finding(
            data,
            "%s has a tensile force in a free impact for every e below %g: at e = 0.5 with %.1f %% of its greatest "
            "force.",
            name, f->pulls_below, -100 * f->end_force);
    if (f->onset > 0)
        ic_study_finding(data, "%s begins with a force: at e = 0.5 with %.1f %% of its greatest.", name,
                         100 * f->onset);
    if (f->created > ROUNDING)
        ic_study_finding(
            data,
            "%s begins with energy that has no source: at e = 0.5 with %.1f %% of the impact's, held by its "
            "spring where contact begins above the surface.",
            name, 100 * f->created);
}

static void find_pulls(ic_study_data *data, const law_failure *of, size_t n)
{
    const law_failure *first = NULL, *last = NULL;
    name_list never = "";
    for (size_t i = 0; i < n; i++) {
        const bool pulls = !isnan(of[i].pull_speed);
        append_name(never, !pulls, of[i].law->name);
        if (!pulls || of[i].law->dashpot != NULL) continue;
        if (first == NULL || of[i].pull_speed < first->pull_speed) first = &of[i];
        if (last == NULL || of[i].pull_speed > last->pull_speed) last = &of[i];
    }
    if (first == NULL || last == NULL) return;
    ic_study_finding(
        data,
        "Under other forces every law of the form f(d) (1 + a v/v0) pulls where v < -v0/a: at e = 0.5 "
        "from %.3f v0 (%s) to %.3f v0 (%s). Never: %s.",
        first->pull_speed, first->law->name, last->pull_speed, last->law->name, never);
}

/*
 * The speed at which the paper's law ends: its coefficient of restitution falls to 0 as the speed
 * grows.
 */
static bool find_end(ic_study_data *data, const char *specimen, const char *preset, ic_error *error)
{
    ic_ball ball;
    ic_impact_outcome o;
    if (!ic_ball_open(&ball, preset, error)) return false;
    double low = ball.v0, high = 2 * low;
    while (ic_law_impact(&o, ball.law, ball.par, ball.m, high, NULL) && isfinite(high)) low = high, high *= 2;
    for (int i = 0; i < HALVINGS; i++) {
        const double middle = 0.5 * (low + high);
        if (ic_law_impact(&o, ball.law, ball.par, ball.m, middle, NULL)) low = middle;
        else high = middle;
    }
    ic_study_finding(
        data,
        "%s has no answer on specimen %s from %.4g m/s on, where its coefficient of restitution falls "
        "to 0; the restitution just below this speed is %.3f.",
        ball.law->name, specimen, high,
        ic_law_impact(&o, ball.law, ball.par, ball.m, low, NULL) ? o.restitution : NAN);
    ic_ball_close(&ball);
    return true;
}

static void run_study(ic_study_data *data)
{
    static law_failure of[MOST_LAWS];
    ic_ball_experiments x;
    size_t n = 0;
    bool good = ic_ball_experiments_read(&x, &data->error);
    for (size_t l = 0; l < ic_law_count && n < MOST_LAWS && good; l++) {
        good = examine_law(&of[n], ic_laws[l], &data->error);
        if (good) add_row(data, &of[n++]);
    }
    if (good) {
        find_lists(data, of, n);
        for (size_t i = 0; i < n; i++) find_law(data, &of[i]);
        find_pulls(data, of, n);
    }
    for (int s = 0; s < IC_BALL_SPECIMENS && good; s++)
        good = find_end(data, ic_ball_specimens[s], x.of[s][0].preset, &data->error);
    if (!good) data->failed = true;
}

IC_STUDY_TABLE(
    law_failures, "law-failures", "Contact-force laws: where each formula fails",
    "Which laws pull, jump, create energy or miss the prescribed restitution, and under which conditions?");
