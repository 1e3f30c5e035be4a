/* SPDX-License-Identifier: MIT */
/**
 * Fits the parameters to the rows: each separately, by weighted least squares over spans of the
 * rows. The accuracy of the data gives the uncertainty. A deviation that is too small to show in
 * one row shows in all of them.
 */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_FIT_PARAMETERS_H
#define IC_AUDIT_TRAJECTORY_CHECKS_FIT_PARAMETERS_H

#include "audit/common/finding.h"
#include "audit/trajectory/track/tracking.h"

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

/** Fit and judge. Close the fits in any case. false: memory ran out. */
bool ic_fit_parameters(ic_parameter_fits *fits, const ic_tracking *k);
void ic_parameter_fits_close(ic_parameter_fits *fits);

/** Whether the check passes and excludes that a parameter differs from the case by `change`. */
bool ic_parameter_fits_exclude(const ic_parameter_fits *fits, const char *name, double change);

/** Append "NAME = VALUE +- DEVIATION, not CASE" to a finding, behind the text `before`. */
void ic_parameter_fit_append(ic_finding *finding, const ic_parameter_fit *fit, const char *before);

/** Whether a fitted parameter is a coefficient of restitution. */
bool ic_parameter_is_restitution(const ic_parameter_fit *fit, const ic_problem *problem);

/** Number of significant digits of the value. */
int ic_parameter_fit_digits(const ic_parameter_fit *fit);

#endif
