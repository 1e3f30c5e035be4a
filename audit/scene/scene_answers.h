/* SPDX-License-Identifier: MIT */
/** Certified answers of the case of a scene. */
#ifndef IC_AUDIT_SCENE_SCENE_ANSWERS_H
#define IC_AUDIT_SCENE_SCENE_ANSWERS_H

#include "audit/scene/scene_file.h"

/** Digits to which answers are certified. */
enum { IC_SCENE_DIGITS = 12 };

/**
 * Fill `answers` with the states and outputs that figures and mistakes use, at the end of the case's
 * run with these parameters. false: `error` gives the reason.
 */
bool ic_scene_answer(double *answers, const ic_scene_file *file, const double *par, ic_error *error);

/**
 * The same, and those of exact motions, at n times, ascending, s: n x IC_SCENE_ANSWERS_MOST. The case's
 * run goes on to the last one.
 */
bool ic_scene_answers_at(double *answers, const ic_scene_file *file, const double *par, const double *times,
                         size_t n, ic_error *error);

#endif
