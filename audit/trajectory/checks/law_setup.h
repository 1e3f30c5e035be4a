/* SPDX-License-Identifier: MIT */
/** The problem of a trajectory on another contact-force law. */
#ifndef IC_AUDIT_TRAJECTORY_CHECKS_LAW_SETUP_H
#define IC_AUDIT_TRAJECTORY_CHECKS_LAW_SETUP_H

#include "core/composition.h"
#include "registry/registry.h"

/**
 * Open the case of a problem on a law, with the parameters of the problem that the case and both laws
 * share. Close it with ic_setup_close. false: the case has no such variant.
 */
bool ic_law_setup_open(ic_setup *setup, const ic_problem *problem, const ic_law *law);

#endif
