/* SPDX-License-Identifier: MIT */
/** Rows of a trajectory with their audit, for tests. A failure to make them fails the test. */
#pragma once

#include "audit/common/finding.h"
#include "audit/trajectory/trajectory_audit.h"
#include "tests/audit/families.h"

#include <stdint.h>

IC_OWNED(ic_findings, ic_findings_free)

/** Planted numbers and steps are made for this accuracy, whatever the default is. */
#define AUDITED_ACCURACY 1e-4

typedef struct audited {
    /* the problem that the rows are compared with */
    ic_setup setup;

    ic_trajectory rows;
    ic_trajectory_audit audit;
} audited;

/** Open a problem, "PATH NAME=VALUE ...", and, unless `samples` is 0, take the rows of an accurate run of it. A word
    "variant=NAME" is no setting. */
audited audited_open(const char *path, const char *until, size_t samples);

/** Open the problem `as`, and take the rows of a run of `own`; solver NULL: the accurate one. */
audited audited_open_as(const char *as, const char *own, const char *until, const char *solver,
                        const ic_options *options);

/** Take evenly spaced rows of a run, its end included. States derived from others are not read. */
void audited_take_rows(ic_trajectory *rows, const ic_problem *problem, const char *solver,
                       const ic_options *options);

/** Audit the rows; accept 0: the default accuracy. Returns the verdict. */
ic_audit_verdict audited_judge(audited *a, double accept);

/** Audit a plugin of the tests, with a limit of each part, s. */
ic_audit_report audited_plugin(const char *name, double limit);

/** Release everything. No finding may have contradicted its numbers. */
void audited_close(audited *a);
IC_OWNED(audited, audited_close)

/** Whether the first finding of a check fails and names this cause. */
bool finding_blames(const ic_findings *findings, const char *check, ic_mistake_id cause);

/** Number of findings that name a mistake. */
size_t findings_naming(const ic_findings *findings, ic_mistake_id mistake);

/** Print the findings that failed. */
void findings_print_failed(const ic_findings *findings, const char *subject);

/** Add normal noise to each state, of this part of its range. */
void rows_add_noise(ic_trajectory *rows, double part, uint64_t *seed);
