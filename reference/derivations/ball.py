#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Second derivation of the misprints of Wang et al. 2018 (the case `ball`).

It starts from Newton's law for the ball, from Eqs. (2) to (4) and from the tables as they are
printed, with numbers in exact rational form. Nothing of impactcheck's own code is used.
Needs sympy (1.11 or later).
"""
import sys

import sympy
from sympy import Integer, Rational, cbrt, exp, log

import derivations

# Table I, MPa
BALL, C1, C2 = Integer(2050), Integer(1815), Integer(330)

# Table II, m/s: speed before the impact, after it on C1, after it on C2
TABLE_2 = [
    tuple(Rational(speed) for speed in row.split())
    for row in (
        "0.0938 0.0885 0.0799",
        "0.1500 0.1400 0.1239",
        "0.2060 0.1907 0.1660",
        "0.2989 0.2737 0.2330",
        "0.3910 0.3548 0.2965",
        "0.5000 0.4496 0.3687",
    )
]


def yield_coefficient(sigma_1, sigma_2):
    """K* by Eq. (4), with its conditions as printed."""
    if sigma_1 >= 2 * sigma_2:
        return sigma_1 / (sigma_1 - sigma_2)
    if sigma_1 <= sigma_2:
        return sigma_1 / sigma_2
    return sigma_1 / (sigma_1 + sigma_2)


def first_integral():
    """Work and speed: m v dv/d(delta) = -K delta^n (1 + a v/v0), Newton's law with Eq. (2).

    With v = u v0 the variables separate: u du/(1 + a u) = -(K/(m v0^2)) delta^n d(delta). The right
    side, from delta = 0 to delta = 0 again, gives nothing: the integral of the left side from u = 1
    to u = -e vanishes, whatever K, m, n and v0 are. This returns that integral.
    """
    u, a, e = sympy.symbols("u a e", positive=True)
    antiderivative = u / a - log(1 + a * u) / a**2
    assert sympy.simplify(sympy.diff(antiderivative, u) - u / (1 + a * u)) == 0
    return antiderivative.subs(u, 1) - antiderivative.subs(u, -e), a, e


def speed_after(v0, coefficient):
    """Speed after the impact by Eqs. (2) and (3), rounded to the four decimals of Table II."""
    integral, a, e = first_integral()
    c_r = 1 - Rational(26, 100) * coefficient * cbrt(v0)
    damping = 3 * (1 - c_r**2) * exp(2 * (1 - c_r)) / 4  # e of Eq. (2) is Euler's number
    restitution = sympy.nsolve(integral.subs(a, damping.evalf(30)), e, 0.8, prec=25)
    return Rational(sympy.floor(restitution * v0 * 10**4 + Rational(1, 2)), 10**4)


def distance(column, coefficient):
    """Largest distance of the speeds after the impact from a column of Table II."""
    return max(abs(speed_after(row[0], coefficient) - row[column]) for row in TABLE_2)


def ball_eq4_c1():
    """Eq. (4) against Table II. Eq. (4) does not say which of the two bodies comes first.

    With the ball first it gives the column of C2. In neither order does it give that of C1, which
    is what is returned, in the better order. K* = 1815/3865 gives it: the third branch, which
    Eq. (4) selects with the ball first, had it sigma_2 above the line, where it has sigma_1.
    """
    assert distance(2, yield_coefficient(BALL, C2)) == 0
    assert yield_coefficient(C1, BALL) == C1 / BALL  # second branch: 1815 <= 2050
    assert yield_coefficient(BALL, C1) == BALL / (BALL + C1)  # third: 1815 < 2050 < 2 * 1815
    printed = min(
        distance(1, yield_coefficient(C1, BALL)), distance(1, yield_coefficient(BALL, C1))
    )
    return printed, distance(1, C1 / (BALL + C1))


def ball_depart_velocity_c1():
    """Section III says that the speed after the impact decreases as the speed before it increases.

    Returned is what is left over for "decreases" in Table II, the largest rise from one row to the
    next, of the speed and of the restitution. For small speeds it follows from Eq. (3) as well:
    (c_r v)' = (4 c_r - 1)/3, which is positive down to c_r = 1/4, and c_r' < 0.
    """
    v, k = sympy.symbols("v k", positive=True)
    c_r = 1 - k * cbrt(v)
    assert sympy.simplify(sympy.diff(c_r * v, v) - (4 * c_r - 1) / 3) == 0
    assert sympy.diff(c_r, v).is_negative

    def largest_rise(of):
        return max(
            max(Integer(0), of(after, column) - of(before, column))
            for before, after in zip(TABLE_2, TABLE_2[1:])
            for column in (1, 2)
        )

    return largest_rise(lambda row, i: row[i]), largest_rise(lambda row, i: row[i] / row[0])


DERIVATIONS = {
    "ball-eq4-C1": ball_eq4_c1,
    "ball-depart-velocity-C1": ball_depart_velocity_c1,
}

if __name__ == "__main__":
    sys.exit(not derivations.report(DERIVATIONS))
