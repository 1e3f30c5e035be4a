/* SPDX-License-Identifier: MIT */
/* A coefficient of the tableau is wrong, with the sum of its row right. */
#define TABLEAU_ERROR 0.05

#include "tests/plugins/faulty/adaptive_base.h"
