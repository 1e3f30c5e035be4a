#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program that `impactcheck audit --command` can ask: the case bouncing-ball by fixed steps.

One JSON object on standard input says what is wanted; rows go to standard output as CSV. To be copied for your own
engine: read the parameters, the start and the step, and print what your engine does.
"""
import json
import sys

asked = json.load(sys.stdin)
g, e = asked["parameters"]["g"], asked["parameters"]["e"]
t, x, v = asked["start"]["t"], asked["start"]["state"]["x"], asked["start"]["state"]["v"]
step, until = asked["step"], asked["until"]
every = max(1, round(until / step / (asked["samples"] - 1)))  # steps from one row to the next

print("t,x,v")
print(f"{t!r},{x!r},{v!r}")
n = 0
while t < until and not (x == 0 and v == 0):
    h = min(step, until - t)
    while h > 0:
        fall = x + v * h - g * h * h / 2  # exact for a parabola
        if fall >= 0:
            x, v, t, h = fall, v - g * h, t + h, 0
            continue
        # the floor is met within the step: when, and what is left of the step
        hit = (v + (v * v + 2 * g * x) ** 0.5) / g
        x, v, t, h = 0.0, -e * (v - g * hit), t + hit, h - hit
        if v < 1e-9:  # m/s; at rest
            v, t, h = 0.0, t + h, 0
    n += 1
    if n % every == 0 or t >= until:
        print(f"{t!r},{x!r},{v!r}")
