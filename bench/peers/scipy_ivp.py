# SPDX-License-Identifier: MIT
"""Machines with impacts by SciPy's solve_ivp, as its users write them: a terminal event, the impact, and a new start.

Usage: scipy_ivp.py METHOD CASE RTOL NAME=VALUE...; prints `time SECONDS`, then a line `event SECONDS` for each impact.
"""
import sys
import time
from math import cos

import numpy as np
from scipy.integrate import solve_ivp


def bouncing_ball(p):
    def impact(x):
        return [0.0, -p["e"] * x[1]]

    return [p["h"], p["v0"]], lambda t, x: (x[1], -p["g"]), lambda t, x: x[0], impact, -1


def two_mass(p):
    def flow(t, x):
        u1, v1, u3, v3 = x
        return (v1, (p["f1"] * cos(p["omega"] * t + p["p1"]) - p["k1"] * u1 - p["c1"] * v1) / p["m1"],
                v3, (p["f2"] * cos(p["omega"] * t + p["p2"]) - p["k2"] * u3 - p["c2"] * v3) / p["m2"])

    def impact(x):
        m1, m2, e = p["m1"], p["m2"], p["e"]
        mean, apart = (m1 * x[1] + m2 * x[3]) / (m1 + m2), e * (x[1] - x[3]) / (m1 + m2)
        return [x[0], mean - m2 * apart, x[2], mean + m1 * apart]

    return [p["u1"], p["v1"], p["u3"], p["v3"]], flow, lambda t, x: x[2] - x[0], impact, -1


def duffing(p):
    def flow(t, x):
        return (x[1], (p["F"] * cos(p["omega"] * t) - p["c"] * x[1] - p["k"] * x[0] - p["k_3"] * x[0]**3) / p["m"])

    return [p["x0"], p["v0"]], flow, lambda t, x: x[0] - p["gap_r"], lambda x: [x[0], -p["e"] * x[1]], 1


def run(machine, method, rtol, t_end):
    x, flow, guard, impact, guard.direction = machine
    guard.terminal = True
    t, times = 0.0, []
    while t < t_end:
        run = solve_ivp(flow, (t, t_end), x, method=method, rtol=rtol, atol=rtol * 1e-2, events=guard)
        if run.status != 1:
            break
        t, x = run.t[-1], impact(run.y[:, -1])
        times.append(t)
    return times


method, case, rtol = sys.argv[1], sys.argv[2], float(sys.argv[3])
numbers = {name: float(value) for name, value in (word.split("=") for word in sys.argv[4:])}
machine = {"bouncing-ball/lively": bouncing_ball, "two-mass/forced": two_mass,
           "impact-oscillator/duffing": duffing}[case](numbers)
best, events = np.inf, []
for _ in range(3):
    begin = time.process_time()
    events = run(machine, method, rtol, numbers["t_end"])
    best = min(best, time.process_time() - begin)
print("time", best)
for event in events:
    print("event", repr(float(event)))
