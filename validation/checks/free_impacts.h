/* SPDX-License-Identifier: MIT */
/** Free impacts on a contact-force law compared with the certified answers of the law. */
#ifndef IC_VALIDATION_CHECKS_FREE_IMPACTS_H
#define IC_VALIDATION_CHECKS_FREE_IMPACTS_H

#include "validation/subjects.h"

/** Four rows for each suitable solver of a list; the variant of the problem is a free impact. */
void ic_free_impacts_judge(ic_results *results, const ic_setup *setup, const char *path,
                           const ic_solver *const *solvers, size_t n_solvers);

#endif
