#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Second derivation of the errata of Dedow & Murphy 2021, from Newton's laws alone.

The equations of the paper are images, and lost. What its text says is enough: two linear masses, each with its own spring
and damper, u1 and u2 the displacement and velocity of the first mass, u3 and u4 those of the second, r1 the distance
between them, and an interaction force F_i that pushes them apart while they touch."""
import cmath as cm
import itertools
import math
import sys

import sympy

import derivations

t = sympy.Symbol("t", positive=True)
m1, m2, k1, k2, c1, c2 = sympy.symbols("m1 m2 k1 k2 c1 c2", positive=True)


def common_motion():
    """What keeps two touching masses together: their accelerations are the same, which fixes F_i and the motion in common.

    Returns the displacement u(t) of the first mass, the displacement of the second that Newton's law gives it under that
    F_i, and the time at which F_i is zero: all for the data of the first example, as far as they are recovered."""
    u, v, force, a1, a2 = sympy.symbols("u v F_i a1 a2")
    newton = sympy.solve([m1 * a1 + c1 * v + k1 * u + force, m2 * a2 + c2 * v + k2 * u - force, a1 - a2],
                         [a1, a2, force], dict=True)[0]
    # the paper: the sum of both equations has no F_i, and is one oscillator with both masses, springs and dampers
    single = -((c1 + c2) * v + (k1 + k2) * u) / (m1 + m2)
    assert sympy.simplify(newton[a1] - single) == 0

    fifth = sympy.Rational(1, 5)
    data = {m1: 1, m2: 1, k1: fifth, k2: 2 * fifth, c1: fifth, c2: fifth}
    f = sympy.Function("f")
    start = {f(0): 1, f(t).diff(t).subs(t, 0): 0}
    oscillator = f(t).diff(t, 2) - newton[a1].subs(data).subs({u: f(t), v: f(t).diff(t)})
    first = sympy.dsolve(oscillator, f(t), ics=start).rhs
    pressing = sympy.simplify(newton[force].subs(data).subs({u: first, v: first.diff(t)}))
    alone = (m2 * f(t).diff(t, 2) + c2 * f(t).diff(t) + k2 * f(t)).subs(data)
    second = sympy.dsolve(alone - pressing, f(t), ics=start).rhs
    # u and F_i are damped cosines and sines of w t: the first zero is where tan(w t) is the quotient of the amplitudes
    w = sympy.sqrt(29) / 10
    cosine, sine = (sympy.expand(pressing * sympy.exp(t / 10)).coeff(g(w * t)) for g in (sympy.cos, sympy.sin))
    separation = (sympy.pi + sympy.atan(-cosine / sine)) / w
    assert sympy.simplify(pressing.subs(t, separation)) == 0
    assert pressing.subs(t, 0) > 0 and abs(separation - 3.26) < 0.005, "it is not the first example of the paper"
    return first, second, separation


def u1_equals_u2():
    """Masses that touch: r1 = u3 - u1 = 0, so that u1 = u3 at all times.

    As printed, u1 = u2, a displacement would be its own rate. At the separation of the first example it is not."""
    first, second, separation = common_motion()
    printed = (first - first.diff(t)).subs(t, separation)
    return sympy.simplify(printed), sympy.simplify(first - second)


def oscillator(k, c, u, v):
    """Motion of a mass of 1 on spring and damper: displacement and velocity at a time."""
    w = complex(k - c * c / 4) ** 0.5 or 1e-9

    def at(s):
        decay, cosine, sine = math.exp(-c / 2 * s), cm.cos(w * s), cm.sin(w * s) / w
        return (decay * (u * cosine + (v + c / 2 * u) * sine)).real, (decay * (v * cosine - (k * u + c / 2 * v) * sine)).real
    return at


def first_fall(value, start, end):
    """Where a function first falls below zero, to 1e-6."""
    step = 0.05
    while start < end and value(start + step) >= 0:
        start += step
    if start >= end:
        return math.inf
    while step > 1e-6:
        step /= 2
        start += step if value(start + step) >= 0 else 0
    return start


def tenths():
    """How the data of the first example were recovered: all k and c in tenths up to 1, with masses of 1, from u = 1 and v = 0.

    Returns how many there are, and those that separate at 3.26 s, hit at 11.83 s, and in common have half a period of 5.83 s."""
    found, tried = [], 0
    for steps in itertools.product(range(1, 11), range(1, 11), range(11), range(11)):
        k, l, c, d = (step / 10 for step in steps)
        tried += 1
        common = oscillator((k + l) / 2, (c + d) / 2, 1, 0)
        w_squared = (k + l) / 2 - (c + d) ** 2 / 16
        if l <= k or w_squared <= 0 or abs(math.pi / math.sqrt(w_squared) - 5.83) > 0.01:  # 10.36 - 4.53
            continue
        separation = first_fall(lambda s: (l - k) * common(s)[0] + (d - c) * common(s)[1], 0, 4)
        if abs(separation - 3.26) > 0.005:
            continue
        one, two = oscillator(k, c, *common(separation)), oscillator(l, d, *common(separation))
        impact = separation + first_fall(lambda s: two(s)[0] - one(s)[0], 0.2, 10)
        if abs(impact - 11.83) <= 0.005:
            found.append((k, l, c, d))
    return tried, found


DERIVATIONS = {
    "u1-equals-u2": u1_equals_u2,
}


if __name__ == "__main__":
    confirmed = derivations.report(DERIVATIONS)
    tried, found = tenths()
    print(f"lost-data: of {tried} sets of k and c in tenths these give 3.26, 11.83 and 5.83 s: {found}")
    sys.exit(not confirmed or tried != 12100 or found != [(0.2, 0.4, 0.2, 0.2)])
