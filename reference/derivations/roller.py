#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A. Jonsson, J. Bathelt, G. Broman, Proc. IMechE K 219 (2005) 299-305: the errata of kind "as scanned", derived again.

Each function derives what should stand there from mechanics alone, and returns two residuals: of the form as scanned, which
must not vanish, and of the corrected form, which must. Needs sympy.
"""
import sys

import sympy

import derivations

t = sympy.Symbol("t")
m1, m2, m3, g, k, c, k23, c23, d, F_w, omega = sympy.symbols("m1 m2 m3 g k c k23 c23 d F_w omega", positive=True)
F_c, v, y = sympy.symbols("F_c v y")


def eq15_contact_force():
    """Lagrange's equations of roller and frame, upward coordinates x2 and x3.

    Kinetic and potential energy of two masses and a spring of free length d between them, Rayleigh's dissipation of the damper
    between them; generalised forces on x2: the contact force upwards, and the exciter downwards, as F_2 in Eq. (3).
    """
    x2, x3 = sympy.Function("x2")(t), sympy.Function("x3")(t)
    v2, v3 = x2.diff(t), x3.diff(t)
    F_e = F_w * sympy.sin(omega * t)
    lagrangian = (m2 * v2**2 + m3 * v3**2) / 2 - m2 * g * x2 - m3 * g * x3 - k23 * (x3 - x2 - d) ** 2 / 2
    dissipation = c23 * (v3 - v2) ** 2 / 2

    def force_of_inertia(x, applied):
        equation = lagrangian.diff(x.diff(t)).diff(t) - lagrangian.diff(x) + dissipation.diff(x.diff(t)) - applied
        mass = lagrangian.diff(x.diff(t), 2)
        return sympy.expand(mass * x.diff(t, 2) - equation)

    suspension = c23 * (v3 - v2) + k23 * (x3 - x2 - d)
    derived2, derived3 = force_of_inertia(x2, F_c - F_e), force_of_inertia(x3, 0)
    scanned = -m2 * g + F_c + suspension - F_c
    corrected = -m2 * g + F_c + suspension - F_e
    frame = -m3 * g - suspension
    assert sympy.expand(frame - derived3) == 0, "the second equation stands as scanned"

    # Over a period of a periodic motion both momenta are unchanged: the sum of the right-hand sides is 0 on average. At rest,
    # without an exciter, it is 0 at once. The contact force then is the weight; as scanned nothing carries it.
    at_rest = {F_w: 0}
    assert sympy.solve(sympy.expand(corrected + frame).subs(at_rest), F_c) == [(m2 + m3) * g]
    assert sympy.simplify((scanned + frame).subs(at_rest) + (m2 + m3) * g) == 0
    return sympy.expand(scanned - derived2), sympy.expand(corrected - derived2)


def table1_row_symbols():
    """Newton's law for the relative motion y = x1 - x2, from Eqs. (1) to (3): y'' = a - F_c (1/m1 + 1/m2), a continuous.

    Contact under A starts at y = 0 with y' = v. The residual of the scan is the jump of the acceleration where it reads C0, that
    of the correction is the jump of the velocity where it should read C0.
    """
    duration, a, slope = sympy.symbols("duration a slope", positive=True)
    masses = 1 / m1 + 1 / m2
    force = (c * v + k * y).subs(y, 0)  # Eq. (2)
    jump_of_acceleration = (a - force * masses) - a
    # a finite force gives no momentum in no time: F_c = force + slope t just after the start, whatever the slope
    gained = sympy.integrate(a - (force + slope * t) * masses, (t, 0, duration))
    jump_of_velocity = sympy.limit(gained, duration, 0)

    # The rows must also agree with each other: velocity and acceleration are differentiable once and twice less often than the
    # displacement. Dis. counts as -1. Columns A- A+ B- B+ C- C+ D- D+.
    displacement = [1, 1, 2, 2, 1, 2, 1, 2]
    scanned_velocity = [-1, -1, 0, 0, -1, 0, -1, 0]
    scanned_acceleration = [0, 0, 1, 1, 0, 1, 0, 1]
    signs_of_force = [1, -1, 0, 0, 1, 0, 1, 0]
    for n, as_velocity, as_acceleration, sign in zip(displacement, scanned_acceleration, scanned_velocity, signs_of_force):
        assert as_velocity == n - 1 and as_acceleration == n - 2, "exchanged, the two rows agree with the displacement"
        assert (as_acceleration == -1) == (sign != 0), "the acceleration jumps where the force does"
    assert all(of_velocity != n - 1 for n, of_velocity in zip(displacement, scanned_velocity)), "as scanned they do not"
    return jump_of_acceleration, jump_of_velocity


DERIVATIONS = {
    "eq15-contact-force": eq15_contact_force,
    "table1-row-symbols-velocity": table1_row_symbols,
}

if __name__ == "__main__":
    sys.exit(not derivations.report(DERIVATIONS))
