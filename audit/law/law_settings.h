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
    /* index of the varied parameter; n_parameters: all have their defaults */
    size_t parameter;

    double value;
} ic_law_setting;

/**
 * Lists the settings, and returns their number. The defaults are first. In a finite range follow
 * the ends that belong to it, values close to both, and some between; in an infinite one a quarter
 * of the default, four times the default, and the end that belongs to it.
 */
size_t ic_law_settings(ic_law_setting settings[IC_LAW_SETTINGS_MOST], const ic_law *law,
                       const double *defaults);

/** Whether these parameters meet the law's requirements, in a contact that begins at v0. */
bool ic_law_permits(const ic_law *law, const double *par, double v0);

#endif
