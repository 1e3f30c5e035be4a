/* SPDX-License-Identifier: MIT */
/* Events are located by two linear interpolations. */
#define CROSSES_AT(s, guard, side, a, b, h) two_chords(s, guard, side, a, b)

#include "tests/plugins/faulty/event_place.h"

static double secant(const place *s, const ic_guard *guard, double a, double b);
static double value_after(const place *s, const ic_guard *guard, double h);

static double two_chords(const place *s, const ic_guard *guard, int side, double a, double b)
{
    const double middle = secant(s, guard, a, b);
    const bool before = value_after(s, guard, middle) * side > 0;
    return before ? secant(s, guard, middle, b) : secant(s, guard, a, middle);
}

#include "tests/plugins/faulty/event_base.h"
