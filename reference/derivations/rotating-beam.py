# SPDX-License-Identifier: MIT
"""Yigit, Ulsoy & Scott 1990: the misprints of reference/errata.csv, derived a second time.

The beam is clamped at the radius a of a shaft that has turned by theta, and bends by w = q_1 phi_1 + q_2 phi_2. A point of it is at

    P = (a + x - s) e_r + w e_theta,    s = 1/2 int_0^x w'^2: how much bending shortens the beam.

Equations (15) to (18) follow from Lagrange's equations for q_r and theta, to first order in the deflection; Eq. (3) follows from
Hertz's contact of two spheres. Each function returns what the printed form differs by from the derived one, and what the corrected
form differs by. The shapes are two polynomials that satisfy the boundary conditions of a cantilever; no result depends on this.
"""
import sys

import sympy
from sympy import Rational, cos, diff, integrate, pi, sin, sqrt

import derivations

x, l, a, rho, g, theta, omega, F, x_p, k, n = sympy.symbols("x l a rho g theta omega F x_p k n", positive=True)
q = sympy.symbols("q1 q2", real=True)
PHI = [x**2 * (6 * l**2 - 4 * l * x + x**2), x**3 * (10 * l**2 - 10 * l * x + 3 * x**2)]
for shape in PHI:  # clamped at 0, no moment and no shear force at l
    assert all(sympy.expand(value) == 0 for value in (
        shape.subs(x, 0), diff(shape, x).subs(x, 0), diff(shape, x, 2).subs(x, l), diff(shape, x, 3).subs(x, l)))
w = q[0] * PHI[0] + q[1] * PHI[1]
S_STAR = [integrate(rho * shape, (x, 0, l)) for shape in PHI]  # Eq. (21)


def position(at, deflection):
    """Horizontal and vertical position of a point, to first order in the deflection."""
    return sympy.Matrix([(a + at) * cos(theta) - deflection * sin(theta),
                         (a + at) * sin(theta) + deflection * cos(theta)])


def contact_forces():
    """Generalised forces for q_1, q_2 and theta: the stop pushes with F >= 0 against a growing theta, at the place x_p.

    The torque T turns the beam towards a growing theta, and the stop throws it back: Section 3 reports a negative peak of the
    angular velocity. The moment is that of the straight beam; the deflection does not enter it, for F is at right angles to e_r.
    """
    P = position(x_p, w.subs(x, x_p))
    push = -F * sympy.Matrix([-sin(theta), cos(theta)])
    return [sympy.simplify((P.diff(c).T * push)[0]) for c in (q[0], q[1], theta)]


def weight_forces():
    """Left-hand sides of Eqs. (15) and (16): derivatives of the potential energy of the weight."""
    V = integrate(sympy.expand(rho * g * position(x, w)[1]), (x, 0, l))
    return [sympy.expand(diff(V, c)) for c in (q[0], q[1], theta)]


def eq3():
    """Hertz: a pressure p0 sqrt(1 - r^2/c^2) must move the surfaces of two spheres together by d - r^2/(2 R1) - r^2/(2 R2).

    Boussinesq: under a load p the surface moves by (1 - mu^2)/(pi E) = Q times the integral of p/distance. Over a chord through the
    point r at the angle f, of half length h, h^2 = c^2 - r^2 sin(f)^2, the pressure integrates to p0/c pi h^2/2.
    For two spheres Goldsmith's A = B = (1/R1 + 1/R2)/2, and q_k is 1/pi. At the radii and materials of Section 3, in metres.
    """
    r, c, p0, f, Q1, Q2, R1, R2, d = sympy.symbols("r c p0 f Q1 Q2 R1 R2 d", positive=True)
    moved = sympy.expand((Q1 + Q2) * integrate(p0 / c * pi * (c**2 - r**2 * sin(f)**2) / 2, (f, 0, pi)))
    found_p0 = sympy.solve(moved.coeff(r, 2) + (1 / R1 + 1 / R2) / 2, p0)[0]
    approach = sympy.simplify(moved.subs(r, 0).subs(p0, found_p0))  # d, a multiple of c^2
    force = found_p0 * integrate(2 * pi * r * sqrt(1 - r**2 / c**2), (r, 0, c))
    true_k = sympy.simplify(force.subs(c, sympy.solve(approach - d, c)[0]) / d**Rational(3, 2))
    Q = (1 - Rational(3, 10)**2) / (Rational(6895, 1000) * 10**10 * pi)
    section_3 = {Q1: Q, Q2: Q, R1: Rational(63, 10**4), R2: Rational(126, 10**4)}
    printed, corrected = Q1 + Q2 * sqrt(1 / R1 + 1 / R2), (Q1 + Q2) * sqrt(1 / R1 + 1 / R2)
    difference = [Rational(4, 3) / pi / form / true_k - 1 for form in (printed, corrected)]
    return sympy.N(difference[0].subs(section_3), 3), sympy.simplify(difference[1])


def eq15_force():
    """Eq. (15) has + phi_r F on the right; its partner in Eq. (16) has the same sign. Both are checked."""
    derived = contact_forces()
    shape = PHI[0].subs(x, x_p)
    assert sympy.expand(-(x_p + a) * F - derived[2]) == 0 and sympy.expand(-PHI[1].subs(x, x_p) * F - derived[1]) == 0
    return shape * F - derived[0], -shape * F - derived[0]


def eq15_force_by_energy():
    """The same from the spring alone: it stores k x_c^(n+1)/(n+1), and the force on q_r is minus the derivative of that."""
    x_c = sympy.symbols("x_c", positive=True)
    indented = (x_p + a) * theta + w.subs(x, x_p)  # less a constant
    on_q = -diff(k * x_c**(n + 1) / (n + 1), x_c) * diff(indented, q[0])
    shape, force = PHI[0].subs(x, x_p), k * x_c**n
    return sympy.simplify(shape * force - on_q), sympy.simplify(-shape * force - on_q)


def eq16_arm():
    """Eq. (16) has x_p F; the sign is that of eq15_force, so that only the arm differs here.

    x_p begins where the beam does, as "along the beam" says. From the axis, with x_r = x_p - a in Eq. (15), the printed arm is right.
    """
    derived = contact_forces()[2]
    return sympy.expand(-x_p * F - derived), sympy.expand(-(x_p + a) * F - derived)


def eq15_weight():
    """Eq. (15), r = 1, has sum_j rho g S*_j cos(theta) on the left."""
    derived = weight_forces()[0]
    return sympy.expand(rho * g * sum(S_STAR) * cos(theta) - derived), sympy.expand(g * S_STAR[0] * cos(theta) - derived)


def eq16_weight():
    """Eq. (16) has 1/2 rho g l^2 c cos(theta) on the left, with an undefined c; c = 1 unless the paper's [13] has another."""
    bent = -g * sin(theta) * (S_STAR[0] * q[0] + S_STAR[1] * q[1])
    derived = weight_forces()[2] - sympy.expand(bent)
    c = 1 + 2 * a / l
    assert sympy.expand(rho * g * l**2 / 2 * c * cos(theta) - derived) == 0
    return (sympy.expand(rho * g * l**2 / 2 * cos(theta) - derived),
            sympy.expand(rho * g * l * (l / 2 + a) * cos(theta) - derived))


def centrifugal(r, j):
    """c_rj - m_rj: the terms of second order in w and first in s of 1/2 rho omega^2 ((a + x - s)^2 + w^2), twice differentiated."""
    s = integrate(sympy.expand(diff(w, x)**2 / 2), (x, 0, x))
    energy = integrate(sympy.expand(rho * omega**2 * (w**2 / 2 - (a + x) * s)), (x, 0, l))
    return sympy.expand(-diff(energy, q[r], q[j]) / omega**2)


def eq18():
    """Eq. (18), r = 1 and j = 2; the integration by parts leaves no boundary term, which the other three pairs confirm."""
    def form(r, j, sign):
        stiff = rho * (l**2 - x**2 + 2 * a * l - 2 * a * x) / 2 * diff(PHI[r], x, 2) * PHI[j]
        return sympy.expand(-integrate(sympy.expand(stiff + sign * rho * (x + a) * diff(PHI[r], x) * PHI[j]), (x, 0, l)))
    off = [[[form(r, j, sign) - centrifugal(r, j) - integrate(sympy.expand(rho * PHI[r] * PHI[j]), (x, 0, l))
             for j in range(2)] for r in range(2)] for sign in (1, -1)]
    assert all(sympy.expand(off[1][r][j]) == 0 and sympy.expand(off[0][r][j]) != 0 for r in range(2) for j in range(2))
    assert sympy.expand(form(0, 1, 1) - form(1, 0, 1)) != 0  # as printed c_12 is not c_21
    return sympy.factor(off[0][0][1]), sympy.expand(off[1][0][1])


DERIVATIONS = {
    "beam-eq3": eq3,
    "beam-eq15-force": eq15_force,
    "beam-eq15-force, by the energy": eq15_force_by_energy,
    "beam-eq16-arm": eq16_arm,
    "beam-eq15-weight": eq15_weight,
    "beam-eq16-weight": eq16_weight,
    "beam-eq18": eq18,
}

if __name__ == "__main__":
    sys.exit(not derivations.report(DERIVATIONS))
