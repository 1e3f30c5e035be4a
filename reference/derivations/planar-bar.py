# SPDX-License-Identifier: MIT
"""Kecskemethy & Lange 1999: a second derivation of each equation of reference/published/equations-planar-bar.csv.

Each function starts from mechanics or elementary calculus, not from the paper's result, and returns what a form of the equation leaves
over: the printed one, the corrected one, and what the table takes for the truth. Contact forces act on the bar.
"""
import sys

import sympy
from sympy import Matrix, cos, cosh, diag, diff, exp, sin, sinh, sqrt

import derivations
from derivations import symbol, together

TABLE = derivations.Equations("planar-bar")
m, c_y, kappa, u, v, tau, rho, P_x, P_y, F_y, friction = (
    symbol(name, "1..2") for name in "m c_y kappa u v tau rho P_x P_y F_y friction".split())
l, phi, mu, x, y, dx, F_x, c, S_x, r_2 = (symbol(name) for name in "l phi mu x y dx F_x c S_x r_2".split())
dy, w, w_1, w_2, E = symbol("dy", "-2..-1"), *(symbol(name, "1..2") for name in ("w", "w_1", "w_2", "E"))


def inverse_mass():
    """m J M^-1 J^T at the contact point O, by Lagrange: the coordinates are the centre of mass (X, Y) and the
    angle theta by which the bar has turned counter-clockwise; phi is the angle of the line from O to the centre
    from the normal, clockwise."""
    X, Y, theta = sympy.symbols("X Y theta", real=True)
    contact_point = Matrix([X - l * sin(phi - theta), Y - l * cos(phi - theta)])
    jacobian = contact_point.jacobian([X, Y, theta]).subs(theta, 0)
    return (m * jacobian * diag(m, m, m * rho**2).inv() * jacobian.T).applyfunc(sympy.expand)


# (x, y)'' = -K (x, y) while sticking, F = -(c_x x, c_y y), and -S (x, y) while sliding, F = -c_y y (mu, 1); time in sqrt(m/c_y)
C = inverse_mass()
K, S = C * diag(kappa, 1), C * Matrix([[0, mu], [0, 1]])
STICKING, SLIDING = -K * Matrix([x, y]), -S * Matrix([x, y])
BAR = {"l": l, "phi": phi, "mu": mu, "x": x, "y": y}


def eq1(form):
    """F . C F is twice the kinetic energy, times m, that a blow F gives to a bar at rest."""
    blow = Matrix([F_x, F_y])
    return form - (blow.T * C * blow)[0]


def eq2_friction(form):
    """Power. The bar's kinetic energy changes by F . v, with v_x = x_s' + x'; the springs' by c_x x x' + c_y y y',
    with F = -(c_x x, c_y y). What is left must be what friction takes: mu F_y |x_s'|."""
    slip, spring_x, spring_y = symbol("slip"), symbol("spring_x"), symbol("spring_y")
    kinetic, springs = form * (slip + spring_x) + F_y * spring_y, -form * spring_x - F_y * spring_y
    left = kinetic + springs + friction * F_y * abs(slip)
    return together(left.subs(slip, side * w) for side in (1, -1))


def eq4(form):
    """K r = lambda r, divided."""
    return form - 1 - u


# The general sticking bar by its modes (c, r_i) and frequencies w_i: r_1 - r_2 = lambda_2 - lambda_1, r_1 r_2 = -kappa c^2. Proved of
# the names that are kept by eq1 and eq3.
r_1 = r_2 + w_2**2 - w_1**2
STICKS = {name: value for names, value in (
    ("T_xx C_xx", -c**2 * (r_1 + w_1**2) / (r_1 * r_2)), ("T_xy", -c), ("T_yy C_yy", w_2**2 - r_1), ("c", c), ("y", y),
    ("r_1", r_1), ("r_2", r_2), ("kappa", -r_1 * r_2 / c**2), ("lambda_1 s_1", w_1**2), ("lambda_2 s_2", w_2**2),
    ("omega_1 f_1", w_1), ("omega_2 f_2", w_2)) for name in names.split()}
K_MODES = Matrix([[r_1 + w_1**2, -c], [r_1 * r_2 / c, w_2**2 - r_1]])
AT, RATE = Matrix([x, y]), Matrix([dx, dy])


def vector(form):
    return Matrix([diff(form, u), diff(form, v)])


def motion(form, matrix, at, rate):
    """A motion with f'' = -matrix f from its start."""
    f = vector(form)
    return together([*(diff(f, tau, 2) + matrix * f), *(f.subs(tau, 0) - at), *(diff(f, tau).subs(tau, 0) - rate)])


def eq5(form):
    return motion(form, K_MODES, AT, RATE)


def eq6(form):
    return motion(form, K_MODES, RATE, -K_MODES * AT)


def eq7(form):
    """(P_x/kappa, P_y), less the impulse by Newton and Euler alone: m C^-1 (v - v_0) after P_0, where v = sqrt(c_y/m) x' and
    C = K diag(1/kappa, 1). No force is integrated."""
    velocity = vector(TABLE.form("eq6", "printed", STICKS))
    momentum = sqrt(m * c_y) * K_MODES.inv() * (velocity - RATE)
    return together(vector(form) - Matrix([P_x / STICKS["kappa"], P_y]) - momentum)


# Sliding, with the names that eq2 and eq8 prove
def slides(eigenvalue, cosine, sine):
    return {"S_x": S_x, "S_y": eigenvalue, "lambda": eigenvalue, "r_x": S_x, "omega": w, "Omega": w, "cosine": cosine, "sine": sine,
            "mu": mu, "y": y, "tau": tau}


CASE_1 = slides(w**2, cos(w * tau), sin(w * tau) / w)
CASE_2 = slides(-(w**2), cosh(w * tau), sinh(w * tau) / w)
CASE_3 = slides(0, 1, tau)


def sliding(case, rate_y=dy):
    """(x, y)'' = -(S_x, S_y) y; y is what the case puts in its place."""
    at, matrix = Matrix([x, case["y"]]), Matrix([[0, S_x], [0, case["S_y"]]])

    def left(form):
        return sympy.expand(motion(form, matrix, at, Matrix([dx, rate_y])).rewrite(exp), trig=True)
    return left, case


def along(case):
    """x alone, beside the true y."""
    return lambda form: sliding(case)[0](u * form + v * (y * case["cosine"] + dy * case["sine"])), case


def amplitude(form):
    """y = lambda a_2 sin(...): y^2 + y'^2/omega^2 stays."""
    return (w**2 * form) ** 2 - y**2 - (dy / w) ** 2


def ends(form):
    """x_s' = x' - mu/kappa y' is zero at tau, and y at lift-off."""
    stop = TABLE.form("analytic-ends", "tau", {name: value for name, value in CASE_1.items() if name != "tau"})
    left = form - mu / kappa * (dy * cos(w * tau) - w * y * sin(w * tau))
    return sympy.expand(left.subs(tau, stop), trig=True)


def quadruple(form):
    matrix = Matrix([[0, S_x], [0, 0]])
    assert matrix**2 == sympy.zeros(2)
    return form - S_x**2


def fast(equation, rate_y=dy):
    """Case 2 by b_2 = log(E): y = -y'/nu tanh(b_2)."""
    case = {**CASE_2, "y": -rate_y / w * (E**2 - 1) / (E**2 + 1)}
    assert sympy.simplify(exp(2 * TABLE.form(equation, "b_2", case))) == E**2
    left, case = sliding({**case, "b_2": sympy.log(E)}, rate_y)
    return lambda form: left(form.replace(lambda e: e.is_Pow, lambda e: sympy.expand_power_base(sympy.factor(e)))), case


def slow():
    """Case 2 where nu |y| = (1 + E) |y'|: an artanh, as a logarithm, has no number if the argument is negative."""
    left, case = sliding({**CASE_2, "y": dy / w * (1 + E)})

    def residual(form):
        missing = any(sympy.simplify(log.args[0]).is_negative for log in form.atoms(sympy.log))
        return sympy.nan if missing else left(form)
    return residual, case


DERIVATIONS = derivations.of_equations(TABLE, {
    "eq1": (eq1, BAR),
    "eq1-C_xy": (lambda form: form - C[0, 1], BAR),
    "eq2-sticking-x": (lambda form: form - STICKING[0], BAR),
    "eq2-sticking-y": (lambda form: form - STICKING[1], BAR),
    "eq2-sliding-x": (lambda form: form - SLIDING[0], BAR),
    "eq2-sliding-y": (lambda form: form - SLIDING[1], BAR),
    "eq2-other-sign": (lambda form: form - STICKING[0] - u * STICKING[1] - v * SLIDING[0] - u * v * SLIDING[1], BAR),
    "eq2-literal": (lambda form: form - SLIDING[1], BAR),
    "eq2-friction": (eq2_friction, {"slip": symbol("slip")}),
    "eq3": (lambda form: form - u * K.trace() - v * K.det(), BAR),
    "eq3-positive": (lambda form: form - K.det(), BAR),
    "eq4": (eq4, STICKS),
    "eq4-central": (eq4, {}),
    "eq5": (eq5, STICKS),
    "eq6": (eq6, STICKS),
    "eq7-start": (eq7, STICKS),
    "eq7-stiffness": (eq7, STICKS),
    "eq7-bracket": (eq7, STICKS),
    "eq8": (lambda form: form - S[1, 1] * (u * S[0, 1] + v * S[1, 1]), BAR),
    "table1-rigid-body": along(CASE_1),
    "table1-rigid-body-2": along(CASE_2),
    "table1-case1-a2": (amplitude, CASE_1),
    "table1-case1-b2": sliding(CASE_1),
    "table1-case1-quadrant": sliding(CASE_1),
    "analytic-ends": (ends, CASE_1),
    "table1-case2-a2": fast("table1-case2-a2"),
    "table1-case2-sign": fast("table1-case2-sign", symbol("dy", "1..2")),
    "table1-case2-range": slow(),
    "eq11": sliding(CASE_3),
    "eq11-quadruple": (quadruple, CASE_3),
    "eq11-condition": sliding(CASE_2),
})

if __name__ == "__main__":
    sys.exit(not derivations.report(DERIVATIONS))
