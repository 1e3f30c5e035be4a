/* SPDX-License-Identifier: MIT */
/** A law's closed form as it tells it (texts of ic_law), in numbers; and held against its force. */
#ifndef IC_AUDIT_LAW_TEXTS_H
#define IC_AUDIT_LAW_TEXTS_H

#include "audit/law/law_probe.h"

/**
 * A text's value for the parameters that are set, an indentation d, m, and a speed v0, m/s. false:
 * `error` says why it cannot be read.
 */
bool ic_law_text(double *value, const ic_law_probe *probe, const char *text, double d, double v0,
                 ic_error *error);

/**
 * The coefficient of restitution that the law's texts give to a free impact at v0: that of
 * `restitution`, or the one that follows from `damping`. NAN: it has neither, or they give none.
 */
double ic_law_restitution_told(const ic_law_probe *probe, double v0);

/**
 * Rows on the texts of the elastic force, of its energy and of the drag, over settings, speeds and
 * indentations. true: all are right.
 */
bool ic_law_check_texts(ic_sink *sink, ic_law_probe *probe);

#endif
