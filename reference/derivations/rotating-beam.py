# SPDX-License-Identifier: MIT
"""Yigit, Ulsoy & Scott 1990: a second derivation of each equation of reference/published/equations-rotating-beam.csv.

The beam is clamped at the radius a of a shaft that has turned by theta, and bends by w = q_1 phi_1 + q_2 phi_2. A point of it is at

    P = (a + x - s) e_r + w e_theta,    s = 1/2 int_0^x w'^2: how much bending shortens the beam.

Equations (15) to (18) follow from Lagrange's equations for q_r and theta, to first order in the deflection; Eq. (3) follows from
Hertz's contact of two spheres; Eqs. (17), (19) and (20) from phi'''' = lambda^4 phi. Each function returns what a form differs by from
the derived one. The shapes of Eqs. (15), (16) and (18) are two polynomials that satisfy the boundary conditions of a cantilever; no
result depends on this.
"""
import sys

import sympy
from sympy import I, Rational, cos, cosh, diff, exp, integrate, pi, sin, sinh, sqrt

import derivations
from derivations import symbol, together

TABLE = derivations.Equations("rotating-beam")
l, a, rho, EI, g, theta, F, x_p, u, v, E, nu, R_1, R_2, per_m, e, lambda_1, lambda_2, x, t = (
    symbol(name, "1..2") for name in "l a rho EI g theta F x_p u v E nu R_1 R_2 per_m e lambda_1 lambda_2 x t".split())
q = [symbol(name, "1..2") for name in ("q_1", "q_2")]
PHI = [x**2 * (6 * l**2 - 4 * l * x + x**2), x**3 * (10 * l**2 - 10 * l * x + 3 * x**2)]
for shape in PHI:  # clamped at 0, no moment and no shear force at l
    assert all(sympy.expand(value) == 0 for value in (
        shape.subs(x, 0), diff(shape, x).subs(x, 0), diff(shape, x, 2).subs(x, l), diff(shape, x, 3).subs(x, l)))
w = q[0] * PHI[0] + q[1] * PHI[1]
BEAM = {"g": g, "true_g": g, "x_p": x_p}


def position(at, deflection):
    """Horizontal and vertical position of a point, to first order in the deflection."""
    return sympy.Matrix([(a + at) * cos(theta) - deflection * sin(theta),
                         (a + at) * sin(theta) + deflection * cos(theta)])


def contact_force(coordinate):
    """Generalised force: the stop pushes with F >= 0 against a growing theta, at the place x_p, counted from where the beam begins.

    The torque T turns the beam towards a growing theta, and the stop throws it back: Section 3 reports a negative peak of the
    angular velocity. The moment is that of the straight beam; the deflection does not enter it, for F is at right angles to e_r.
    The same follows from the spring alone: it stores k x_c^(n+1)/(n+1), and the force is minus the derivative of that.
    """
    deflection = w.subs(x, x_p)
    push = -F * sympy.Matrix([-sin(theta), cos(theta)])
    derived = sympy.simplify((position(x_p, deflection).diff(coordinate).T * push)[0])
    x_c, k, n = sympy.symbols("x_c k n", positive=True)
    by_energy = -diff(k * x_c**(n + 1) / (n + 1), x_c) * diff((x_p + a) * theta + deflection, coordinate)
    assert sympy.simplify(by_energy - derived.subs(F, k * x_c**n)) == 0
    return lambda form: form - derived, BEAM


def weight_force(coordinate):
    """Left-hand sides of Eqs. (15) and (16): derivatives of the potential energy of the weight; for theta, of the straight beam."""
    V = integrate(sympy.expand(rho * g * position(x, w)[1]), (x, 0, l))
    derived = sympy.expand(diff(V, coordinate).subs({} if coordinate in q else {q[0]: 0, q[1]: 0}))
    if coordinate == theta:  # 1/2 rho g l^2 c cos(theta), if the undefined c is this
        assert sympy.expand(rho * g * l**2 / 2 * (1 + 2 * a / l) * cos(theta) - derived) == 0
    return lambda form: sympy.expand(form - derived), BEAM


def bent_weight():
    V = integrate(sympy.expand(rho * g * w * cos(theta)), (x, 0, l))
    return lambda form: sympy.expand(form - diff(V, theta)), BEAM


def hertz(form):
    """Hertz: a pressure p0 sqrt(1 - r^2/c^2) must move the surfaces of two spheres together by d - r^2/(2 R1) - r^2/(2 R2).

    Boussinesq: under a load p the surface moves by (1 - mu^2)/(pi E) = Q times the integral of p/distance. Over a chord through the
    point r at the angle f, of half length h, h^2 = c^2 - r^2 sin(f)^2, the pressure integrates to p0/c pi h^2/2.
    For two spheres Goldsmith's A = B = (1/R1 + 1/R2)/2, and q_k is 1/pi.
    """
    r, c, p0, f, Q, d = sympy.symbols("r c p0 f Q d", positive=True)
    moved = sympy.expand(2 * Q * integrate(p0 / c * pi * (c**2 - r**2 * sin(f)**2) / 2, (f, 0, pi)))
    found_p0 = sympy.solve(moved.coeff(r, 2) + (1 / R_1 + 1 / R_2) / 2, p0)[0]
    approach = sympy.simplify(moved.subs(r, 0).subs(p0, found_p0))  # d, a multiple of c^2
    force = found_p0 * integrate(2 * pi * r * sqrt(1 - r**2 / c**2), (r, 0, c))
    true_k = sympy.simplify(force.subs(c, sympy.solve(approach - d, c)[0]) / d**Rational(3, 2))
    return sympy.simplify(form / true_k.subs(Q, (1 - nu**2) / (pi * E))) - 1


def eq14(form):
    """The ratio of the same damping in two units of length."""
    return together([diff(form, per_m), form - 1])


def eq14_linear(form):
    """Half a vibration of m d'' + c d' + k d = 0 from d = 0 to d = 0; zeta = c/(2 sqrt(k m)), and the time in sqrt(m/k)."""
    zeta = symbol("zeta", "1..2")
    motion = exp(-zeta * t) * sin(sqrt(1 - zeta**2) * t)
    assert sympy.simplify(diff(motion, t, 2) + 2 * zeta * diff(motion, t) + motion) == 0
    rate = diff(motion, t)
    rebound = sympy.simplify(-rate.subs(t, pi / sqrt(1 - zeta**2)) / rate.subs(t, 0))
    log_e = sympy.log(e)
    return sympy.simplify((form - rebound.subs(zeta, sqrt(log_e**2 / (log_e**2 + pi**2)))).subs(e, exp(-t)))


# Modes of a cantilever: cos cosh = -1, so that sin = tanh for the first, and -tanh for the second. ENDS: exp(root x/l) at x = l
MODES, CONDITIONS, ENDS = {"lambda_1": lambda_1, "lambda_2": lambda_2}, {}, {0: 1}
for k, side, grown in ((lambda_1, 1, symbol("A", "1..2")), (lambda_2, -1, symbol("B", "1..2"))):  # e^lambda
    C, tanh = (grown + 1 / grown) / 2, (grown**2 - 1) / (grown**2 + 1)
    CONDITIONS |= {cosh(k): C, sinh(k): C * tanh, cos(k): -1 / C, sin(k): side * tanh}
    ENDS |= {k: grown, -k: 1 / grown, I * k: I * side * tanh - 1 / C, -I * k: -I * side * tanh - 1 / C}


def mode(k, n=0):
    """The n-th derivative of cosh - cos - sigma (sinh - sin) by x/l: coefficients by roots."""
    sigma = ((sinh(k) - sin(k)) / (cosh(k) + cos(k))).subs(CONDITIONS)
    shape = {k: (1 - sigma) / 2, -k: (1 + sigma) / 2, I * k: -(1 + I * sigma) / 2, -I * k: -(1 - I * sigma) / 2}
    return {root: factor * root**n for root, factor in shape.items()}


def integral(f, g):
    return sympy.simplify(sum(c * d * (1 if a + b == 0 else (ENDS[a] * ENDS[b] - 1) / (a + b))
                              for a, c in f.items() for b, d in g.items()))


def pairs(n):
    first, second = mode(lambda_1, n), mode(lambda_2, n)
    return u * integral(first, first) + v * integral(second, second) + u * v * integral(first, second)


def coupling():
    moment = sum(c * (ENDS[b] / b - (ENDS[b] - 1) / b**2) for b, c in mode(lambda_1).items())
    return l * moment + a * integral(mode(lambda_1), {0: 1})


def of_modes(truth):
    return lambda form: form.subs(CONDITIONS) - sympy.simplify(truth), MODES


def centrifugal(r, j):
    """c_rj, less m_rj: the terms of second order in w and first in s of 1/2 rho omega^2 ((a + x - s)^2 + w^2), twice differentiated."""
    s = integrate(sympy.expand(diff(w, x)**2 / 2), (x, 0, x))
    energy = integrate(sympy.expand(rho * (w**2 / 2 - (a + x) * s)), (x, 0, l))
    mass = integrate(sympy.expand(rho * PHI[r] * PHI[j]), (x, 0, l))
    return sympy.expand(mass - diff(energy, q[r], q[j]))


def eq18_form(r, j, sign):
    """Eq. (18); its integration by parts leaves no boundary term."""
    stiff = rho * (l**2 - x**2 + 2 * a * l - 2 * a * x) / 2 * diff(PHI[r], x, 2) * PHI[j]
    return sympy.expand(-integrate(sympy.expand(stiff + sign * rho * (x + a) * diff(PHI[r], x) * PHI[j]), (x, 0, l)))


def eq18(symmetric):
    """The texts of the table are the integrals with either sign; the derived one is the energy's."""
    def of(c):
        return c(1, 0) / c(0, 1) if symmetric else u * c(0, 0) + v * c(0, 1)
    assert all(sympy.expand(eq18_form(r, j, -1) - centrifugal(r, j)) == 0 for r in range(2) for j in range(2))
    name = "eq18-symmetric" if symmetric else "eq18"
    for form, sign in (("printed", 1), ("corrected", -1)):
        assert sympy.simplify(TABLE.form(name, form, {}) - of(lambda r, j: eq18_form(r, j, sign))) == 0
    return lambda form: sympy.simplify(form - of(centrifugal)), {}


DERIVATIONS = derivations.of_equations(TABLE, {
    "eq3": (hertz, {}),
    "eq3-curvature": (hertz, {}),
    "eq14": (eq14, {}),
    "eq14-linear": (eq14_linear, {}),
    "eq15-force": contact_force(q[0]),
    "eq15-weight": weight_force(q[0]),
    "eq16-force": contact_force(theta),
    "eq16-arm": contact_force(theta),
    "eq16-weight": weight_force(theta),
    "eq16-bent-weight": bent_weight(),
    "eq17": of_modes(rho * l * pairs(0)),
    "eq18": eq18(False),
    "eq18-symmetric": eq18(True),
    "eq19": of_modes(EI / l**3 * pairs(2)),
    "eq20": of_modes(rho * l * coupling()),
})

if __name__ == "__main__":
    sys.exit(not derivations.report(DERIVATIONS))
