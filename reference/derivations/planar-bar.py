# SPDX-License-Identifier: MIT
"""Kecskemethy & Lange 1999: a second derivation of each misprint of reference/errata.csv.

Each function starts from mechanics or elementary calculus, not from the paper's result, and returns what the
printed formula and the corrected one leave over: (printed, corrected). Only the error that the function is
named after is left in; everything else is right. Contact forces act on the bar.
"""
import sys

import sympy
from sympy import Matrix, cos, cosh, diag, diff, exp, sin, sinh, solve, sqrt, symbols

import derivations

m, c_y, kappa, mu, tau = symbols("m c_y kappa mu tau", positive=True)
F_x, F_y, x, y, x_0, y_0, dx_0, dy_0 = symbols("F_x F_y x y x_0 y_0 dx_0 dy_0", real=True)
lambda_x, lambda_y, P_0, p, q = symbols("lambda_x lambda_y P_0 p q", real=True)
# Eq. (7), undeflected at the start and in one mode only: a short residual to show
ONE_MODE = {x_0: 0, y_0: 0, dx_0: dy_0 / p}


def inverse_mass():
    """m J M^-1 J^T at the contact point O, by Lagrange: the coordinates are the centre of mass (X, Y) and the
    angle theta by which the bar has turned counter-clockwise; phi is the angle of the line from O to the centre
    from the normal, clockwise. lambda_x = l sin(phi)/rho, lambda_y = l cos(phi)/rho."""
    X, Y, theta, l, rho, phi = symbols("X Y theta l rho phi", real=True)
    contact_point = Matrix([X - l * sin(phi - theta), Y - l * cos(phi - theta)])
    mass = diag(m, m, m * rho**2)
    jacobian = contact_point.jacobian([X, Y, theta]).subs(theta, 0)
    C = m * jacobian * mass.inv() * jacobian.T
    return C.applyfunc(sympy.expand).subs({sin(phi): lambda_x * rho / l, cos(phi): lambda_y * rho / l})


def eq1():
    """F . C F is twice the kinetic energy, times m, that a blow F gives to a bar at rest."""
    blow = Matrix([F_x, F_y])
    C_xy = -lambda_x * lambda_y
    printed = Matrix([[1 + lambda_x**2, C_xy], [C_xy, 1 + lambda_y**2]])
    corrected = Matrix([[1 + lambda_y**2, C_xy], [C_xy, 1 + lambda_x**2]])
    return tuple((blow.T * (C - inverse_mass()) * blow)[0] for C in (printed, corrected))


def eq2_sticking_x():
    """The paper's own Eq. (1), for any C, with the springs of the sticking case: c_x = kappa c_y, and time in
    sqrt(m/c_y), so that x'' = C F/c_y."""
    C_xx, C_xy = symbols("C_xx C_xy", real=True)
    acceleration = (C_xx * (-kappa * c_y * x) + C_xy * (-c_y * y)) / c_y
    return acceleration + kappa * C_xx * x - C_xy * y, acceleration + kappa * C_xx * x + C_xy * y


def eq2_friction():
    """Power. The bar's kinetic energy changes by F . v, with v_x = x_s' + x'; the springs' by c_x x x' + c_y y y',
    with F = -(c_x x, c_y y). What is left must be what friction takes: mu F_y |x_s'|."""
    speed, direction = symbols("speed direction", positive=True)  # of the sledge; direction is 1 or -1
    spring_x, spring_y = symbols("spring_x spring_y", real=True)
    left = []
    for sign in (+1, -1):
        force = sign * mu * direction * F_y
        kinetic = force * (direction * speed + spring_x) + F_y * spring_y
        springs = -force * spring_x - F_y * spring_y
        left.append(sympy.expand(kinetic + springs + mu * F_y * speed).subs(direction**2, 1))
    return tuple(left)


def eq7(start, stiffness, bracket):
    """The second row of Eq. (7), less the impulse by Newton and Euler alone: m C^-1 (v - v_0) after P_0, for any
    motion of two frequencies in modes R, where v = sqrt(c_y/m) x' and C = R diag(omega^2) R^-1 diag(1/kappa, 1).
    No force is integrated."""
    omega = symbols("omega_1 omega_2", positive=True)
    R = Matrix([[1, 1], [p, q]])
    at, rate = R.inv() * Matrix([x_0, y_0]), R.inv() * Matrix([dx_0, dy_0])
    modes = Matrix([at[i] * cos(omega[i] * tau) + rate[i] * sin(omega[i] * tau) / omega[i] for i in range(2)])
    velocity = sqrt(c_y / m) * R * diff(modes, tau)
    C = R * diag(omega[0] ** 2, omega[1] ** 2) * R.inv() * diag(1 / kappa, 1)
    truth = P_0 + (m * C.inv() * (velocity - velocity.subs(tau, 0)))[1]
    terms = Matrix([at[i] * sin(omega[i] * tau) / omega[i] + rate[i] * bracket(omega[i]) for i in range(2)])
    return sympy.simplify(start - sqrt(m / c_y) * stiffness * (R * terms)[1] - truth)


def grown(omega):
    return (1 - cos(omega * tau)) / omega**2


def eq7_start():
    """The expression between the two signs of equality."""
    return eq7(sympy.Integer(0), c_y, grown), eq7(P_0, c_y, grown)


def eq7_stiffness():
    """The last line, with k_i read as c_x and c_y."""
    return eq7(P_0, sqrt(c_y), grown).subs(ONE_MODE), eq7(P_0, c_y, grown)


def eq7_bracket():
    """The last line."""
    printed = eq7(P_0, c_y, lambda omega: 1 - cos(omega * tau) / omega**2)
    return printed.subs(ONE_MODE), eq7(P_0, c_y, grown)


def table1_case1_b2():
    """tan(b_2) from Eq. (9) at tau = 0: the sine and the cosine of b_2, times a_2, follow from y_0 and y_0'."""
    omega, S, Q = symbols("omega_2 S Q", positive=True)  # S = a_2 sin(b_2), Q = a_2 cos(b_2)
    motion = omega**2 * (Q * sin(omega * tau) - S * cos(omega * tau))
    start = [motion.subs(tau, 0) - y_0, diff(motion, tau).subs(tau, 0) - dy_0]
    found = solve(start, [S, Q], dict=True)[0]
    truth = found[S] / found[Q]
    return -(omega**2) * y_0 / dy_0 - truth, -omega * y_0 / dy_0 - truth


def table1_case2_a2():
    """a_2 as a bar that approaches has it: Eq. (10) and its rate at tau = 0 give y_0 and y_0' from any a_2 and
    b_2; the entry of the table must give a_2 back."""
    nu, a_2 = symbols("nu a_2", positive=True)
    b_2 = symbols("b_2", real=True)
    motion = -(nu**2) * a_2 * sinh(nu * tau - b_2)
    at, rate = motion.subs(tau, 0), diff(motion, tau).subs(tau, 0)
    root = sqrt(sympy.simplify((rate**2 + nu**2 * at**2).rewrite(exp) / cosh(2 * b_2).rewrite(exp)))
    return root * sqrt(cosh(2 * b_2)) / (nu**3 * cosh(2 * b_2)) - a_2, root / nu**3 - a_2


def eq11_condition():
    """Eq. (11) with its constants of Table 1 put into both rows of sliding of Eq. (2), as a sum with weights."""
    coupling, weight = symbols("coupling weight", real=True)  # coupling = mu* C_xx - C_xy
    left = []
    for eigenvalue in (symbols("lambda_2", negative=True), sympy.Integer(0)):
        normal = y_0 + dy_0 * tau
        along = x_0 + dx_0 * tau - coupling * (y_0 * tau**2 / 2 + dy_0 * tau**3 / 6)
        left.append(diff(along, tau, 2) + coupling * normal + weight * (diff(normal, tau, 2) + eigenvalue * normal))
    return tuple(left)


DERIVATIONS = {
    "bar-eq1": eq1,
    "bar-eq2-sticking-x": eq2_sticking_x,
    "bar-eq2-friction": eq2_friction,
    "bar-eq7-start": eq7_start,
    "bar-eq7-stiffness": eq7_stiffness,
    "bar-eq7-bracket": eq7_bracket,
    "bar-table1-case1-b2": table1_case1_b2,
    "bar-table1-case2-a2": table1_case2_a2,
    "bar-eq11-condition": eq11_condition,
}

if __name__ == "__main__":
    sys.exit(not derivations.report(DERIVATIONS))
