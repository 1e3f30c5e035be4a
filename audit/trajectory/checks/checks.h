/* SPDX-License-Identifier: MIT */
/** The checks of a trajectory; each adds its findings. */
#pragma once

#include "audit/common/finding.h"
#include "audit/trajectory/track/track.h"
#include "core/composition.h"
#include "registry/registry.h"

struct ic_parameter_fits;

/** Share of the rows that a change of the case, or of how rows are read, must explain: the others may be near events. */
#define IC_ROWS_EXPLAINED 0.8

/** What is known of checks of rows, as flags. */
typedef enum ic_row_check_role {
    /* compares impacts, which a time-stepping scheme shifts to the ends of its steps */
    IC_OF_TIMES_OF_IMPACTS = 1 << 0,

    /* may fail by coarse steps alone, each of which passes */
    IC_OF_STEPS = 1 << 1,

    /* of positions alone, which do not depend on the steps */
    IC_OF_POSITIONS = 1 << 2,

    /* may fail by the noise of many states */
    IC_OF_NOISE = 1 << 3
} ic_row_check_role;

#define IC_ROW_CHECK(code_, id_, ...) extern const ic_audit_check ic_row_check_##id_;
#include "audit/trajectory/checks/checks.def"
#undef IC_ROW_CHECK

#define IC_ROW_AUDIT(function_) void function_(ic_findings *findings, const ic_tracking *k);
#define IC_ROW_AUDIT_WITH(function_)
#include "audit/trajectory/checks/audits.def"
#undef IC_ROW_AUDIT
#undef IC_ROW_AUDIT_WITH

#define IC_ROW_CAUSE(function_) void function_(ic_findings *findings, const ic_tracking *k);
#include "audit/trajectory/causes/causes.def"

/** Whether the case leads from the first row of an interval to the last one of a later interval. */
bool ic_heals_across(const ic_tracking *k, const ic_interval *before, const ic_interval *after);

/**
 * Whether the case leads to a row within an interval from its start, to `most` tolerances. Discrete states, which events
 * change, do not count; the row of an event may have the state before or after it.
 */
bool ic_row_is_led_to(const ic_tracking *k, const ic_interval *interval, size_t row, double most);

/** Distance of a row from the line between its neighbours, in a state; NAN if times do not increase. */
double ic_row_off_line(const ic_trajectory *tr, size_t row, size_t state);

/** Rows that the case does not explain. A cause that the fitted parameters exclude is not named. */
void ic_audit_local_defect(ic_findings *findings, const ic_tracking *k, const struct ic_parameter_fits *fits,
                           ic_correction *correction);

/** The restitution shown by bounces of a body, and whether slow bounces have another. */
void ic_audit_restitution(ic_findings *findings, ic_classification *c, const ic_tracking *k);

/**
 * Find out whether other units, another sign or an exchange of columns would explain the rows.
 * Returns the mistake, with details in `detail`.
 */
ic_mistake_id ic_find_misreading(const ic_tracking *k, char *detail, size_t size, ic_correction *correction);

/**
 * The factor of the times with which rows that are typical times apart follow the case; 1: none, or they are closer.
 * Such rows take long to be followed as they are.
 */
double ic_find_time_unit(const ic_trajectory *tr, const ic_problem *problem);

/**
 * altered_case.c: Names a force that is added, or a parameter of one element alone, if no cause is known. A parameter
 * that is wrong everywhere would be explained, too.
 */
void ic_cause_added(ic_findings *findings, const ic_tracking *k);

/** changed_parameter.c: Names parameters with another value in the first or last rows, where the others follow the case. */
void ic_cause_changes(ic_findings *findings, const ic_tracking *k);

/** Gives one finding a cause that explains all failures: the others lose theirs. */
void ic_cause_alone(ic_findings *findings, ic_finding *own, ic_mistake_id cause);

/** Whether a parameter is a coefficient of friction, by its unit and its name or meaning. */
bool ic_is_of_friction(const ic_problem *problem, const char *parameter);

/** Whether the rate of a velocity depends on another coordinate than its own in the case, and not without a term of it. */
bool ic_is_coupling(const ic_tracking *k, const ic_problem *without);

/** What a factor between units is called if it is within a part `near` of a known one: "in feet"; else NULL. */
const char *ic_misread_unit(double factor, double near);

/** Whether other units of the columns, in which the rows start as the case does, explain them. */
bool ic_find_units(const ic_tracking *k, char *detail, size_t size, ic_correction *correction);

/**
 * Whether another value of one parameter, or a shift of time, would explain unexplained rows.
 * Returns the mistake, with details in `detail`. `fits`: parameters of all rows; `centre`: index of
 * the tracked row around which rows are tried.
 */
ic_mistake_id ic_find_wrong_parameter(const ic_tracking *k, const struct ic_parameter_fits *fits, size_t centre,
                                      char *detail, size_t size, ic_correction *correction);

/**
 * Find out whether events that the case does not have would become events of the case if a constant
 * were added to a position. Returns the mistake, with details in `detail`.
 */
ic_mistake_id ic_find_offset(const ic_tracking *k, char *detail, size_t size);

/** The same for rows that the case does not explain between events, and any state. */
bool ic_find_origin(const ic_tracking *k, char *detail, size_t size);

/**
 * Whether the rows are those of a correct integrator of low order with coarse steps; details in
 * `detail`.
 */
bool ic_find_coarse_steps(const ic_tracking *k, char *detail, size_t size);

/**
 * The length of equal steps that lead through the intervals which the case does not explain, in the flow of a problem in
 * which friction has the sign of the slip, and an element always slips; `from`: the case's number of each of its states.
 * NAN: there is none.
 */
double ic_find_chatter(const ic_tracking *k, const ic_problem *problem, const size_t *from,
                       const char *element);

/**
 * Whether a row lies on the straight line between its neighbours in all states: it is interpolated,
 * or nothing accelerates.
 */
bool ic_row_on_line(const ic_tracking *k, size_t row);

/** Copy some tracked rows around one of them. false: memory ran out. */
bool ic_copy_some_rows(ic_trajectory *part, const ic_tracking *k, size_t centre);

/**
 * Leave a finding about e open if the tolerance of e is so large that other values pass too. The
 * detail states whether noise or the accepted accuracy must decrease.
 */
void ic_leave_open_what_hides_e(ic_finding *finding, const ic_tracking *k, double tolerance);
/** Whether a mistake is one of writing or reading the rows, so that they say nothing about the model. */
bool ic_is_reading(ic_mistake_id mistake);
/** look_again.c: Whether a mistake says what was done, and not only what came of it. */
bool ic_is_specific(ic_mistake_id cause);
/** look_again.c: Whether a finding fails by another value of a parameter. `f` may be NULL. */
bool ic_is_of_parameter(const ic_finding *f);
/** look_again.c: Whether a mistake says what the rows show, which a change of the text or of a value may explain. */
bool ic_gives_way(ic_mistake_id cause);
/** Whether any finding has such a cause. */
bool ic_misread(const ic_findings *findings);
/** A finding that passes if `measured` is within `tolerance`. */
ic_finding ic_finding_of(const ic_audit_check *c, const ic_tracking *k, double measured, double tolerance,
                         const char *unit);

/* ---- what explains rows, and which of several they follow */

/**
 * The hypothesis that explains nearly all intervals, and better than any parameter: a clock that is
 * fast or slow, a column that is scaled, of another origin, or that belongs to another row or time,
 * a drag. IC_NO_MISTAKE: none does. `detail` receives its description, and *left the part of the
 * case's defect that it leaves.
 */
ic_mistake_id ic_find_reading(const ic_tracking *k, char *detail, size_t size, double *left,
                              ic_correction *correction);

/**
 * The scheme that leads to the rows at all their impacts, with its step in `detail`. Returns the
 * mistake that it is; IC_NO_MISTAKE: no scheme, or the case has no such body.
 */
ic_mistake_id ic_find_time_stepping(const ic_tracking *k, char *detail, size_t size);

/** time_stepping.c: Whether events of any kind happen at the ends of steps. */
bool ic_find_late_events(const ic_tracking *k, char *detail, size_t size);

/** Whether nearly all impacts that the case does not explain use the velocity of a moving wall in one wrong way. */
bool ic_find_wall_velocity(const ic_tracking *k, char *detail, size_t size);

/** Whether one body gets another impulse than the others in nearly all impacts: none, or the same part of its own. */
ic_mistake_id ic_find_unequal_impulses(const ic_tracking *k, char *detail, size_t size);

/** The same for impacts on the surface at another time than the case's, as an interpolation of the step finds them. */
ic_mistake_id ic_find_moved_impacts(const ic_tracking *k, char *detail, size_t size);

/**
 * Fill the classification for a case with such variants; does nothing for other cases, and for
 * contact laws. false: memory ran out.
 */
bool ic_classify_condition(ic_classification *c, const ic_tracking *k);

/** Whether a candidate is the requested variant; "C = C*" is both. */
bool ic_condition_is_asked_for(const char *candidate, const ic_problem *problem);

/**
 * For a problem with a free impact (`ball`), fit each registered law, with the case's parameters,
 * to the rows by the time and the speed of touch. Adds the finding `law`: whether another law than
 * the requested one fits. false: memory ran out.
 */
bool ic_classify_law(ic_findings *findings, ic_classification *classification, const ic_tracking *tracking);

/**
 * Fill the classification and add its finding, if the case is on a law and rows in contact fail. false: memory ran out.
 */
bool ic_classify_element(ic_findings *findings, ic_classification *c, const ic_tracking *k);

/**
 * fit_parameters.c: Fits the parameters to the rows: each separately, by weighted least squares over spans of the
 * rows. The accuracy of the data gives the uncertainty. A deviation that is too small to show in
 * one row shows in all of them.
 */

typedef struct ic_parameter_fit {
    /* Value of the case. */
    const char *name, *unit;

    double case_value;

    /* Value that the rows follow if all other parameters have the values of the case. */
    double value;

    /* Standard deviation of this value. */
    double deviation;

    /* Smallest difference from the case that the rows would show. */
    double smallest;

    /* Number of the parameter in the case. */
    size_t parameter;
} ic_parameter_fit;

typedef struct ic_parameter_fits {
    /* Fits in the order of the case. Parameters without effect on the rows are left out. */
    ic_parameter_fit *rows;

    size_t count;

    /* The fit that is off and explains most; `count`: none. */
    size_t best;

    /* The check `parameters`. */
    ic_finding finding;
} ic_parameter_fits;

/** Fit and judge all parameters, or one. Close the fits in any case. false: memory ran out. */
bool ic_fit_parameters(ic_parameter_fits *fits, const ic_tracking *k, const char *only);
void ic_parameter_fits_close(ic_parameter_fits *fits);

/** Whether the check passes and excludes that a parameter differs from the case by `change`. */
bool ic_parameter_fits_exclude(const ic_parameter_fits *fits, const char *name, double change);

/** Append "NAME = VALUE +- DEVIATION, not CASE" to a finding, behind the text `before`. */
void ic_parameter_fit_append(ic_finding *finding, const ic_parameter_fit *fit, const char *before);

/** Whether the parameter of this name is a coefficient of restitution. */
bool ic_parameter_is_restitution(const char *name, const ic_problem *problem);

/** Whether a fitted value is in its range, or the reverse of the given one: a sign may be wrong. */
bool ic_parameter_may_be(const ic_parameter *parameter, double given, double value);

/** Whether a fitted mass is not positive, or one with which a body hardly moves. */
bool ic_parameter_is_no_mass(const ic_parameter *parameter, double given, double value);

/** Number of significant digits of the value. */
int ic_parameter_fit_digits(const ic_parameter_fit *fit);

/**
 * followed.c: The parameters that rows follow if several differ from those of the case: the one that explains
 * most is changed, the rows are followed again, and so on.
 */

/** More parameters would explain any rows. */
enum { IC_MOST_FOLLOWED = 4 };

typedef struct ic_followed {
    /* The case with these parameters. */
    ic_problem problem;

    /* Its parameters, owned. NULL: nothing was changed. */
    double *par;

    /* The changed parameters, in the order of their discovery. */
    ic_parameter_fit changed[IC_MOST_FOLLOWED];
    size_t n_changed;

    /* Share of the intervals that are unexplained, before and now. */
    double before, now;

    /* True if the processor time for seeking was used up. */
    bool cut;
} ic_followed;

/**
 * Changes parameters of the case one after the other, beginning with the best of `fits`, as long as each explains
 * more. Close the result in any case.
 */
void ic_follow_parameters(ic_followed *followed, const ic_tracking *k, const ic_parameter_fits *fits,
                          const ic_trajectory_options *options);
void ic_followed_close(ic_followed *followed);

/** Whether two of the changed parameters have each the value of the other. */
bool ic_followed_exchanges(const ic_followed *followed);

/** Describe the changed parameters: "k1 = 0.4 +- 1e-9, not 1.9, and k2 = ...". */
void ic_followed_append(ic_finding *finding, const ic_followed *followed);

/**
 * impact_audit.c: Audit of a planar impact by the velocities before and after it: the hypothesis that it follows,
 * and violations of rules that all hypotheses obey.
 */

/** Compare times of impacts, which are all that the file has, with the case's run. false: memory ran out. */
bool ic_audit_times_alone(ic_findings *findings, const ic_tracking *k);

/**
 * Compare with a problem of a case with an impact view; the impact begins as the rows do. `accept`:
 * accuracy to which rows are held, relative to the speed, apart from noise. false: memory ran out.
 */
bool ic_audit_impact(ic_findings *findings, ic_classification *classification, const ic_trajectory *rows,
                     const ic_problem *problem, double accept);

/**
 * law_curve.c: A free impact on a contact-force law as a curve: indentation and rate as functions of the time
 * since the touch.
 */

enum { IC_CURVE_STEPS = 600, IC_MOST_CURVE = 16 * IC_CURVE_STEPS };

/** The law and the mass of a curve. */
typedef struct ic_curve_law {
    const ic_law *law;
    const double *par;

    /* kg */
    double mass;

    /* Factor of the non-elastic part of the force; 1 for the law itself. */
    double damping;

    /* That part acts always (0), in loading only (1) or in unloading only (-1). */
    int side;
} ic_curve_law;

typedef struct ic_curve {
    /* Number of points. */
    size_t n;

    /* Step between points, s. The last step is shorter, at the end of contact. */
    double step;

    /* time of the last point, s */
    double t_end;

    /* m, m/s */
    double *d, *v;

    /* acceleration d'', m/s^2 */
    double *a;
} ic_curve;

/** Room for IC_MOST_CURVE + 1 points. false: memory ran out. */
bool ic_curve_open(ic_curve *curve);
void ic_curve_close(ic_curve *curve);

/**
 * Follow the impact from d = 0 (or the law's reach) at speed v0 until the law's condition ends it
 * or until `longest`, by the classical Runge-Kutta method with IC_CURVE_STEPS steps in `quarter`,
 * s. false: the motion is not finite.
 */
bool ic_curve_follow(ic_curve *curve, const ic_curve_law *law, double v0, double quarter, double longest);

/** Indentation and rate t seconds after the touch; free flight before and after the contact. */
void ic_curve_at(const ic_curve *curve, double t, double *d, double *v);

/** classify_law.c: The problem of a trajectory on another contact-force law. */

/**
 * Open the case of a problem on a law, with the parameters of the problem that the case and both laws
 * share. Close it with ic_setup_close. false: the case has no such variant.
 */
bool ic_law_setup_open(ic_setup *setup, const ic_problem *problem, const ic_law *law);

/** check_restitution.c: The mistake that makes a coefficient of restitution another one than requested. */

/** The mistake of a coefficient e in effect, known to `tolerance`, where `given` was requested. */
ic_mistake_id ic_restitution_mistake(double e, double given, double tolerance);

/** What e is if its square, or its root, was requested: "the root of", "the square of"; else NULL. */
const char *ic_restitution_power(double e, double given, double tolerance);
