/* SPDX-License-Identifier: MIT */
/**
 * Settings of a law's parameters in an audit: the defaults, then each parameter varied over its
 * range.
 */
#ifndef IC_AUDIT_LAW_SETTINGS_H
#define IC_AUDIT_LAW_SETTINGS_H

#include "impactcheck/impactcheck.h"

enum { IC_LAW_SETTINGS_MOST = 64 };

typedef struct ic_law_setting {
    /* Index of the parameter that is varied; n_parameters: all have their defaults. */
    size_t parameter;

    double value;
} ic_law_setting;

/**
 * List the settings, and return their number. The defaults come first. For a finite range follow
 * those of its ends that belong to it, values close to both ends, and some values between them; for
 * an infinite range a quarter of the default, four times the default, and the end that belongs to
 * it.
 */
size_t ic_law_settings(ic_law_setting settings[IC_LAW_SETTINGS_MOST], const ic_law *law,
                       const double *defaults);

/** Whether these parameters meet the law's requirements, in a contact that begins at v0. */
bool ic_law_permits(const ic_law *law, const double *par, double v0);

#endif
