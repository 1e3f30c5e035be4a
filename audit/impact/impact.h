/* SPDX-License-Identifier: MIT */
/** The audit of an impact map: what its files share. Other folders call the audit, laws and trials of impacts. */
#pragma once

#include "audit/common/finding.h"

#include <stdint.h>

/** Audits a rigid impact map; `seed`: of the drawn impacts. A plugin's map must be audited in a child process. */
void ic_audit_impact_map(ic_finding_writer *writer, const ic_impact_map *map, uint64_t seed);

/**
 * impact_trials.c: The impacts on which a map is tried, and properties of its results that hold for every hypothesis
 * of restitution.
 */

enum { IC_IMPACT_USUAL = 600, IC_IMPACT_WIDE = 400, IC_IMPACT_TRIALS = IC_IMPACT_USUAL + IC_IMPACT_WIDE };

/**
 * Trial i: every sixth central, every seventh without slip, now and then mu = 0, e = 0 or e = 1;
 * speeds of 3 to 30 m/s. From IC_IMPACT_USUAL on, one quantity of each trial is far out: mu from 1e-4
 * to 30, |w_xy| up to 0.9999 of its limit, w_xx/w_yy or a mass from 1e-3 or 1e-6 to its inverse,
 * speeds from 1e-8 to 1e3 m/s. Four of eight are the same whatever is drawn.
 */
ic_impact ic_impact_trial(size_t i, uint64_t drawn);

/** The last phase of friction, up to a normal impulse. */
typedef enum ic_friction_end { IC_SLIDES_ON, IC_STICKS, IC_SLIDES_BACK } ic_friction_end;

/**
 * N s; Coulomb's P_x at the normal impulse P_y by Routh's construction, which needs no hypothesis,
 * and the last phase of friction.
 */
double ic_coulomb_impulse(const ic_impact *impact, double P_y, ic_friction_end *end);

/** Energy that the normal motion has lost up to the normal impulse P_y, J: -integral v_y dP_y. */
double ic_normal_work(const ic_impact *impact, double P_y);

/** J; kinetic energy of the relative motion, v W^-1 v/2 */
double ic_impact_energy(const ic_impact *impact, const double v[2]);

/** N s; W^-1 (v' - v), the impulse that the velocities imply */
void ic_impulse_of_velocities(double P[2], const ic_impact *impact, const double v_after[2]);

/**
 * impact_samples.c: The impacts that a map is given, and its answers: the trials, and some of them again with
 * heavier bodies, more slowly, in a mirror, and with another e.
 */

typedef enum ic_impact_variant {
    IC_AS_GIVEN,
    IC_HEAVIER,
    IC_SLOWER,
    IC_REFLECTED,
    IC_OTHER_E,
    IC_IMPACT_VARIANTS
} ic_impact_variant;

/* Scales of the variants: powers of two, so that a result scales exactly. */
#define IC_HEAVIER_BY 1024.0
#define IC_SLOWER_BY 0x1p-20

enum { IC_IMPACT_SAMPLES = IC_IMPACT_TRIALS + (IC_IMPACT_VARIANTS - 1) * IC_IMPACT_USUAL };

/* Those of them that a map is asked for. */
enum { IC_IMPACT_ASKED = IC_IMPACT_TRIALS + (IC_IMPACT_VARIANTS - 1) * IC_IMPACT_USUAL / 2 };

typedef enum ic_sample_state {
    /* The map was not asked. */
    IC_NOT_ASKED,

    IC_ANSWERED,
    IC_REFUSED,

    /* IC_OK, with numbers that are not finite */
    IC_NO_NUMBERS
} ic_sample_state;

typedef struct ic_impact_samples {
    ic_impact p[IC_IMPACT_SAMPLES];
    ic_impact_result r[IC_IMPACT_SAMPLES];
    unsigned char state[IC_IMPACT_SAMPLES];
} ic_impact_samples;

/** The number of a variant of trial i. */
size_t ic_impact_sample_of(size_t trial, ic_impact_variant variant);

/** All impacts, without answers. NULL: memory ran out. Freed by free(). */
ic_impact_samples *ic_impact_samples_new(uint64_t seed);

/** N s; the size of an impulse, against which deviations of impulses are measured */
double ic_impulse_scale(const ic_impact *p, const ic_impact_result *r);

/** m/s; the size of the terms of v_k + (W P)_k = v_k', against which deviations of v_k' are measured */
double ic_velocity_scale(const ic_impact *p, const double P[2], const double v_after[2], int k);

/**
 * impact_calls.c: Calls of a map: for all samples, in two orders and with two contents of unset memory, and what the
 * calls do besides answering.
 */

typedef struct ic_impact_calls {
    const ic_impact_map *map;
    ic_impact_samples *samples;

    /* bytes changed around the result and in the given impact */
    size_t damage;

    /* calls after which numbers are rounded otherwise than before */
    size_t rounding_changed;

    /* greatest change of an answer between the two orders, over its size; its sample */
    double changed_most;
    size_t changed_at;

    /* number of samples with such a change */
    size_t changed;

    /* why they change */
    ic_mistake_id changed_by;

    /* number of the many calls afterwards */
    size_t asked_often;

    /* the first of them with another answer, from 1 on; 0: none */
    size_t drifted;

    /* bytes that some calls keep; NAN: this allocator does not say */
    double kept;
} ic_impact_calls;

/* Calls of which bytes are counted; calls afterwards, in two halves, for drift and for what is kept now and then. */
enum { IC_LEAK_CALLS = 64, IC_MANY_CALLS = 100000 };

/** Asks for all samples; those whose answers change are not asked. Frees nothing. */
void ic_impact_ask_all(ic_impact_calls *calls);

/** One call. `filling` is the byte of unset memory, also of v and P of the result. */
ic_status ic_impact_call(ic_impact_calls *calls, ic_impact_result *r, const ic_impact *p,
                         unsigned char filling);

/** impact_common.c: What some of the trials have in common, and the others have not. */

/** Of what kind the common property is. */
typedef enum ic_common_kind {
    IC_COMMON_NOTHING,
    IC_COMMON_NO_SLIP,

    /* a sign of v_x or w_xy: left and right */
    IC_COMMON_SIDE,

    /* |v_x| or |v_y| small */
    IC_COMMON_SLOW_SLIP,
    IC_COMMON_SLOW,

    /* |v_x| or |v_y| great, or a mass great or small */
    IC_COMMON_SIZE,
    IC_COMMON_SMALL_MU,
    IC_COMMON_OTHER
} ic_common_kind;

typedef struct ic_common {
    ic_common_kind kind;

    /* trials with the property; "v_x = 0", "mu >= 3.502 (not at 3.41)": the limit is between these */
    size_t members;
    char text[128];
} ic_common;

/** `among`: the trials of which `chosen` are some. */
ic_common ic_impact_common(const ic_impact p[IC_IMPACT_TRIALS], const bool chosen[IC_IMPACT_TRIALS],
                           const bool among[IC_IMPACT_TRIALS]);

/** impact_evidence.c: Measures of the answers of a map: the worst value of each, and where it is. */

typedef enum ic_impact_measure {
    IC_OF_MOMENTUM,
    IC_OF_CONE,
    IC_OF_SEPARATION,
    IC_OF_ENERGY,
    IC_OF_NORMAL_ENERGY,
    IC_OF_FRICTION,
    IC_OF_MASS,
    IC_OF_SLOWNESS,
    IC_OF_REFLECTION,
    IC_OF_PLASTIC,
    IC_OF_CENTRAL,
    IC_OF_SMOOTH,
    IC_OF_WORK,
    IC_OF_NORMAL_WORK,
    IC_OF_PATH,
    IC_IMPACT_MEASURES
} ic_impact_measure;

typedef struct ic_impact_evidence {
    struct {
        double value;
        size_t trial;

        /* trials in which the value exceeds the tolerance */
        size_t failing;
    } worst[IC_IMPACT_MEASURES];

    /* Number of slow impacts without the rebound that they should have. */
    size_t stopped_bouncing;

    /* Number of impacts in which e changes v_y'. */
    size_t e_counts;

    /* Number of impacts with friction. */
    size_t with_friction;

    /* Number of those of them in which the map has no friction. */
    size_t without;

    /* the map reports some */
    bool has_D_N, has_D_T, has_path;
} ic_impact_evidence;

/** Takes all measures. */
void ic_impact_measure_all(ic_impact_evidence *e, const ic_impact_samples *samples);

/** One measure of one trial; 0: it does not apply. */
double ic_impact_measured(const ic_impact_samples *samples, size_t trial, ic_impact_measure measure);

/** What the trials have in common that fail by a measure; `count`: how many these are. */
ic_common ic_impact_common_failures(const ic_impact_samples *samples, ic_impact_measure measure, size_t *count);

/** The trial, or its copy in other units or in a mirror: what a measure compares with the trial. */
ic_impact_variant ic_impact_measured_on(ic_impact_measure measure);

/** The answer to a variant that follows from that to the trial. */
ic_impact_result ic_impact_carried_over(const ic_impact_result *r, ic_impact_variant variant);

/** Whether a measure exceeds the tolerance. */
bool ic_impact_fails(const ic_impact_evidence *e, ic_impact_measure measure);

/**
 * impact_curve.c: A coefficient in effect as a function of one number of the impact, fitted to impacts that show it:
 * a closed form where one meets all points, otherwise interpolation between them.
 */

/** Of what the coefficient is a function. */
typedef enum ic_curve_argument {
    IC_CURVE_OF_COEFFICIENT,

    /* its ratio to the given one, of |v_y| or |v_x| */
    IC_CURVE_OF_APPROACH,
    IC_CURVE_OF_SLIP,
    IC_CURVE_ARGUMENTS
} ic_curve_argument;

enum { IC_CURVE_POINTS = 4096 };

typedef struct ic_impact_curve {
    ic_curve_argument argument;

    /* closed form and its numbers; negative: none */
    int form;
    double a, b;

    /* points by increasing x */
    size_t count;
    double x[IC_CURVE_POINTS], y[IC_CURVE_POINTS];
} ic_impact_curve;

/** The argument of an impact. `given`: the given coefficient. NAN: it has none. */
double ic_impact_curve_argument(ic_curve_argument argument, const ic_impact *p, double given);

/**
 * Sorts the points and finds a closed form. false: they are few, or no function of x, or a simpler
 * change is as good: the given coefficient times a number, or a number, also in pieces.
 */
bool ic_impact_curve_fit(ic_impact_curve *curve);

/** The coefficient in effect; NAN: beyond the points, or too far between them. */
double ic_impact_curve_at(const ic_impact_curve *curve, const ic_impact *p, double given);

/** `other` if the form has no name of its own. */
ic_mistake_id ic_impact_curve_mistake(const ic_impact_curve *curve, ic_mistake_id other);

/** "the mu in effect is 0.4472136 at mu = 0.5, 0.7071068 at mu = 1: mu/sqrt(1 + 1 mu^2)" */
void ic_impact_curve_describe(char *text, size_t size, const ic_impact_curve *curve, const char *name);

/** impact_changes.c: Rules of impact maps, and the changes by which a map that follows one can be wrong. */

/** Rules for the end of the impact. */
typedef enum ic_impact_rule {
    /* on Coulomb's path */
    IC_RULE_NEWTON,
    IC_RULE_POISSON,
    IC_RULE_STRONGE,

    /* of the whole impulse, or of two of them: audit/impact/impact.h */
    IC_RULE_AT_ONCE,
    IC_RULE_IN_TWO,
    IC_RULE_BRACH,
    IC_RULE_WHITTAKER,
    IC_RULE_CHATTERJEE,
    IC_RULE_SMITH,
    IC_RULE_POISSON_AT_ONCE,
    IC_RULE_FRICTION_BOUND,

    /* Coulomb's path up to the P_y of the answer, whatever rule has given that */
    IC_RULE_OWN,
    IC_IMPACT_RULES
} ic_impact_rule;

/** Groups of changes, which exclude each other. */
typedef enum ic_change_group {
    IC_GROUP_NONE,
    IC_GROUP_W,
    IC_GROUP_V,
    IC_GROUP_MU,
    IC_GROUP_PATH,
    IC_GROUP_E,
    IC_GROUP_END,
    IC_GROUP_WHOLE,
    IC_GROUP_P,
    IC_GROUP_OUT
} ic_change_group;

/** Kinds of changes by group: audit/impact/impact_changes.def. `by` is their number. */
typedef enum ic_change_kind {
    IC_CHANGE_NONE,
#define IC_BELIEF(group_, kind_, ...) IC_##group_##_##kind_,
#define IC_WALKED IC_BELIEF
#define IC_ANSWER IC_BELIEF
#include "audit/impact/impact_changes.def"
    IC_CHANGE_KINDS
} ic_change_kind;

typedef struct ic_impact_change {
    ic_change_kind kind;
    double by;

    /* of IC_MU_CURVE and IC_E_CURVE; owned by the found model */
    const ic_impact_curve *curve;

    /* v' = v + W P with the given W and v, although the impulse is that of others */
    bool true_velocity;
} ic_impact_change;

/** Whether its text has a number, which is to be found in the answers. */
bool ic_change_has_number(ic_change_kind kind);

/** Whether v' = v + W P, with the given v and W, is broken by it. */
bool ic_change_breaks_momentum(const ic_impact_change *change);

ic_change_group ic_change_group_of(ic_change_kind kind);
ic_mistake_id ic_change_mistake(const ic_impact_change *change);

/** A sentence in the words of the change, with its number. */
void ic_change_describe(char *text, size_t size, const ic_impact_change *change);

/**
 * impact_model.c: A map as it may be written: a rule for the end of the impact, and changes that are mistakes. With
 * them the answer of a wrong map can be predicted, and so recognised.
 *
 * Written independently of solvers/rigid: a walk along Routh's path, from corner to corner.
 */

/** "newton", "chatterjee-ruina", ... */
const char *ic_impact_rule_name(ic_impact_rule rule);

/** The rule that the name of a map says, also by its author: "moreau". IC_IMPACT_RULES: it says none. */
ic_impact_rule ic_impact_rule_named(const char *name);

/** Whether the rule holds on Coulomb's path. */
bool ic_impact_rule_on_path(ic_impact_rule rule);

/** Two, and one that breaks momentum. */
enum { IC_MOST_CHANGES = 3 };

typedef struct ic_impact_model {
    ic_impact_rule rule;
    ic_impact_change changes[IC_MOST_CHANGES];
} ic_impact_model;

/**
 * The answer of the model: v, P, D_N and D_T. `P_y`, N s: of the answer, for IC_RULE_OWN. false: the
 * model has no answer, or several.
 */
bool ic_impact_model_solve(ic_impact_result *r, const ic_impact *p, double P_y, const ic_impact_model *model);

/**
 * Takes a change that breaks momentum out of an answer: `p` becomes the impact that the map believes
 * to solve, `r` the answer to it. false: the answer was not given with this change.
 */
bool ic_impact_undo(ic_impact *p, ic_impact_result *r, const ic_impact_change *change, double tolerance);

/** The impact that the model believes to solve, if its W is symmetric. */
ic_impact ic_impact_believed(const ic_impact *p, const ic_impact_model *model);

/** impact_candidates.c: Changes that may explain the answers of a map, with numbers taken from the answers. */

enum { IC_MOST_CHANGES_TRIED = 320 };

typedef struct ic_changes_tried {
    ic_impact_change of[IC_MOST_CHANGES_TRIED];
    size_t count;

    /* functions of the changes */
    ic_impact_curve curves[2 * IC_CURVE_ARGUMENTS];

    /* The answers keep v' = v + W P: no change that breaks it is tried. */
    bool keep_momentum;
} ic_changes_tried;

/** `tolerance`: of an answer, relative to it. The changes point into `tried`, which must not move. */
void ic_impact_candidates(ic_changes_tried *tried, const ic_impact_samples *samples, double tolerance);

/** impact_search.c: The search for the model that gives all answers of a map. */

/** A change and the samples in which it acts. */
typedef struct ic_found_change {
    ic_impact_change change;

    /* Only in those samples that the rest of the model does not explain. */
    bool conditional;
} ic_found_change;

typedef struct ic_impact_found {
    /* A model was found. Without changes the map follows its rule exactly. */
    bool good;

    ic_impact_rule rule;

    ic_found_change changes[IC_MOST_CHANGES];

    size_t n_changes;

    /* v' = v + W P holds with this change, and only with it; IC_CHANGE_NONE: none is known or needed */
    ic_impact_change of_momentum;

    /* If no model gives all answers: that which gives most of the trials, with at most one change, and how many. */
    ic_impact_model nearest;
    size_t exact;

    /* what was tried last; changes point to its functions */
    ic_changes_tried tried;

    /* Samples in which conditional changes act. */
    unsigned char acts[IC_IMPACT_SAMPLES];
} ic_impact_found;

/** Finds the simplest model; fewer changes are simpler. `tolerance`: of an answer, relative to it. */
void ic_impact_search(ic_impact_found *found, const ic_impact_samples *samples, double tolerance);

/** Whether the answer to a sample is that of a model. `undefined`: the model has none. */
bool ic_impact_matches(const ic_impact_samples *samples, size_t sample, const ic_impact_model *model,
                       double tolerance, bool *undefined);

/**
 * The answers that a map with some of the found changes would give: bit k of `with` is that of change
 * k. Answers that its model leaves open are those of the map.
 */
void ic_impact_simulate(ic_impact_samples *simulated, const ic_impact_samples *samples,
                        const ic_impact_found *found, unsigned with);

/** The found model of one sample. */
ic_impact_model ic_impact_model_of(const ic_impact_found *found, size_t sample, unsigned with);

/** Deviations of P from a model in usual trials: median, greatest, and the part of them below 0.01. */
typedef struct ic_nearness {
    double median, most, within_hundredth;
} ic_nearness;

ic_nearness ic_impact_nearness(const ic_impact_samples *samples, const ic_impact_model *model);

/**
 * impact_verdict.c: The likely cause of each row. A cause explains a row if a map with this mistake alone fails there:
 * the answers of such a map are computed, and measured like those of the audited one.
 */

typedef struct ic_impact_verdict {
    const ic_impact_samples *samples;
    const ic_impact_calls *calls;
    ic_impact_evidence evidence;
    ic_impact_found found;

    /* of maps without the changes, with each of them alone, and with all */
    ic_impact_evidence none, alone[IC_MOST_CHANGES], all;

    /* the mistakes of the changes, and the trials in which they act, if that is not all */
    ic_mistake_id mistakes[IC_MOST_CHANGES];
    ic_common where[IC_MOST_CHANGES];

    /* restitution of central impacts alone */
    ic_impact_change restitution;

    /* a mistake of the numbers, which explains what nothing else does */
    ic_mistake_id coarse;

    /* what shows this mistake, in words */
    char coarse_text[96];

    /* part of the numbers that are of single precision; 1: all have few digits */
    double single, few_digits;

    /* The reported D_N and D_T are those of the found model. */
    bool work_follows;

    /* The reported path is that of the found model. */
    bool path_follows;

    /* With the found changes several hypotheses give the same answers. */
    bool any_rule;
} ic_impact_verdict;

/** Searches for the causes. */
void ic_impact_judge(ic_impact_verdict *verdict, const ic_impact_samples *samples,
                     const ic_impact_calls *calls);

/** The likely cause of a row that fails. */
ic_mistake_id ic_impact_cause(const ic_impact_verdict *verdict, ic_impact_measure measure);

/** Bits of the changes by which a row fails; all of them if none alone explains it. */
unsigned ic_impact_explaining(const ic_impact_verdict *verdict, ic_impact_measure measure);

/** What was found, in words: "stronge with a mistake: mu is at most 4". `which`: bits of changes. */
void ic_impact_describe(char *text, size_t size, const ic_impact_verdict *verdict, unsigned which);

/** What exactly is mistaken: "P has the other sign"; "": not known. */
void ic_impact_because(char *text, size_t size, const ic_impact_verdict *verdict, ic_mistake_id cause);

/** classify_impacts.c: Which hypothesis of impact the answers of a map follow. */

/** Adds the classification "impact hypothesis". */
void ic_impact_classify(ic_finding_writer *writer, const ic_impact_verdict *verdict);

/** Greatest deviation of P from a rule, over the impulse. */
double ic_impact_misfit(const ic_impact_samples *samples, const ic_impact_model *model);

/**
 * impact_digits.c: Answers that are right but coarse: few digits, a grid of steps, a root that is not found.
 */

/** The decimal digits that suffice for all numbers of all answers; 0: more than nine. */
int ic_impact_digits(const ic_impact_samples *samples);

/** The part of the impulses, or of the velocities, that are numbers of single precision; zeros do not count. */
double ic_impact_single(const ic_impact_samples *samples);

/** The smallest n for which P_y is a multiple of |v_y|/(n w_yy) in nearly all trials; 0: there is none. */
int ic_impact_steps(const ic_impact_samples *samples);

/**
 * impact_laws.c: Impact laws with friction: the registered maps, which follow Coulomb's law through the impact,
 * and simpler ones of programs. With the impulse P and the inverse mass matrix W of the contact, v'
 * = v + W P:
 *
 *     newton-at-once   v_y' = -e v_y, Coulomb's cone for the whole impulse (Moreau 1988): time stepping
 *     poisson-in-two   the same with e = 0; then e times its P_y, and friction against the slip in the cone
 *     frictionless     v_y' = -e v_y, P_x = 0
 */

typedef struct ic_impact_law {
    const char *name;

    /* N s; false: the law is not defined for this impact */
    bool (*impulse)(double P[2], const ic_impact *impact);
} ic_impact_law;

enum { IC_IMPACT_LAWS = 6 };
extern const ic_impact_law ic_impact_laws[IC_IMPACT_LAWS];

/** NULL: no law has this name. */
const ic_impact_law *ic_impact_law_find(const char *name);

/** The velocity after the impact, m/s. false: the law is not defined for it. */
bool ic_impact_law_velocity(double v[2], const ic_impact_law *law, const ic_impact *impact);

/** classify_impacts.c: Whether the path that a map reports is that of an impact. */

/**
 * Greatest deviation of the corners from the equations of impact and from the result, over the size
 * of their terms; INFINITY: they are not those of a path. `with_modes`: modes must agree with the slip.
 */
double ic_impact_path_off(const ic_impact *p, const ic_impact_result *r, bool with_modes);

/** impact_walk.c: A walk along Routh's path from corner to corner, right or with one of its parts changed. */

/** The impact that is solved. */
typedef struct ic_believed_impact {
    /* m/s; 1/kg: a row for each component of v */
    double v[2], w[2][2];

    double mu, e;

    /* changes of the path, the end, and a law for the whole impulse; IC_CHANGE_NONE */
    ic_change_kind path, end, whole;

    /* their numbers */
    double path_by, end_by, whole_by;

    /* v_x, m/s, is kept, but taken as no slip. */
    bool held;

    /* N s; of IC_RULE_OWN */
    double own_P_y;
} ic_believed_impact;

/** v, P, D_N and D_T by a rule on the path. false: the path or the rule has no end. */
bool ic_impact_walk(ic_impact_result *r, const ic_believed_impact *b, ic_impact_rule rule);

/**
 * published_rules.c: Published impact hypotheses that do not follow friction through the impact, as algebraic laws of
 * the whole impulse. Each function gives P in N s; false: the hypothesis has no answer for this
 * impact, or leaves open which.
 *
 *     at once       v_y' = -e v_y and Coulomb's law for P and v_x' (Moreau 1988)
 *     in two        the same with e = 0, then e times its P_y with Coulomb's law for it (Glocker & Pfeiffer 1995)
 *     Brach         v_y' = -e v_y; P_x/P_y is that without slip at the end, bounded by mu (Brach 1989)
 *     Whittaker     slip as at first; if that reverses it, none at the end; if mu is too small, the other slip
 *     Chatterjee    P between that of a frictionless impact and that which stops all motion, in the cone
 *                   (Chatterjee & Ruina 1998, without tangential restitution)
 *     Smith         friction along the mean of the velocities before and after, each weighted with its size
 *                   (Smith 1991)
 */

bool ic_rule_at_once(double P[2], const ic_impact *p);
bool ic_rule_in_two(double P[2], const ic_impact *p);
bool ic_rule_brach(double P[2], const ic_impact *p);
bool ic_rule_whittaker(double P[2], const ic_impact *p);
bool ic_rule_chatterjee(double P[2], const ic_impact *p);
bool ic_rule_smith(double P[2], const ic_impact *p);

/** Not published: at once with e = 0, and its impulse times 1 + e. */
bool ic_rule_poisson_at_once(double P[2], const ic_impact *p);

/** Not published: |P_x| is bounded by mu times the P_y of a frictionless impact. */
bool ic_rule_friction_bound(double P[2], const ic_impact *p);

/** Not published: |P_x| is bounded by mu times P_y, N s. */
bool ic_rule_bound(double P[2], const ic_impact *p, double P_y);

/** In two, with a mistake: expansion starts from the slip before the impact. */
bool ic_rule_in_two_old_slip(double P[2], const ic_impact *p);

/** At once by projected Gauss-Seidel, which ends after so many sweeps; `x_first`: P_x before P_y in each. */
void ic_rule_sweeps(double P[2], const ic_impact *p, int sweeps, bool x_first);

/** The sweep after which these are within `near`, N s, of P; 0: none of the first 200. */
int ic_rule_sweeps_to(const double P[2], const ic_impact *p, bool x_first, double near);
