/* SPDX-License-Identifier: MIT */
#include "audit/trajectory/checks/checks.h"

#include <math.h>

/* A coefficient known less sharply than this part of its error may be near another number by chance. */
#define SHARP 0.1

const char *ic_restitution_power(double e, double given, double tolerance)
{
    if (!(tolerance < SHARP * fabs(e - given))) return NULL;
    if (fabs(e - sqrt(given)) <= tolerance) return "the root of";
    return fabs(e - given * given) <= tolerance ? "the square of" : NULL;
}

ic_mistake_id ic_restitution_mistake(double e, double given, double tolerance)
{
    if (fabs(e - 1) <= tolerance) return IC_MISTAKE_RESTITUTION_IGNORED;
    return ic_restitution_power(e, given, tolerance) != NULL ? IC_MISTAKE_RESTITUTION_SQUARED
                                                             : IC_MISTAKE_RESTITUTION_WRONG;
}
