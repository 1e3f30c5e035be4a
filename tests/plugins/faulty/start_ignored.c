/* SPDX-License-Identifier: MIT */
/* Every run begins with the start of the variant. */
#define PARAMETERS(problem) without_start(problem)

#include "tests/plugins/faulty/event_place.h"

static const ic_problem *without_start(const ic_problem *given)
{
    static ic_problem problem;
    problem = *given;
    problem.x_start = NULL;
    return &problem;
}

#include "tests/plugins/faulty/event_base.h"
