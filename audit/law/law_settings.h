/* SPDX-License-Identifier: MIT */
/**
 * Parameters of a law as an audit sets them: the defaults, then one after another within its range.
 */
#ifndef IC_AUDIT_LAW_SETTINGS_H
#define IC_AUDIT_LAW_SETTINGS_H

#include "impactcheck/impactcheck.h"

enum { IC_LAW_SETTINGS_MOST = 64 };

typedef struct ic_law_setting {
    /* its number; n_parameters: none, all have their defaults */
    size_t parameter;

    double value;
} ic_law_setting;

/**
 * The defaults first. Of a finite range then the ends that belong to it, values close to both, and
 * some between; of an infinite one a quarter and four times the default, and the end that belongs
 * to it. Returns how many.
 */
size_t ic_law_settings(ic_law_setting settings[IC_LAW_SETTINGS_MOST], const ic_law *law,
                       const double *defaults);

/** Whether the law's requirements are met by these parameters, in a contact that begins at v0. */
bool ic_law_permits(const ic_law *law, const double *par, double v0);

#endif
