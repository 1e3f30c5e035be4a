#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A program for `impactcheck audit --command`: the case bouncing-ball with fixed steps.

It reads the request, one JSON object, from standard input, and writes rows to standard output as CSV. Copy it for your
own engine: read the parameters, the start and the step, and print the motion that your engine computes.
"""
import json
import sys

request = json.load(sys.stdin)
g, e = request["parameters"]["g"], request["parameters"]["e"]
t, x, v = request["start"]["t"], request["start"]["state"]["x"], request["start"]["state"]["v"]
step, until = request["step"], request["until"]
every = max(1, int(until / step / (request["samples"] - 1)))  # steps from one row to the next, rounded down

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
        # the ball meets the floor within the step: compute the time, and the rest of the step
        hit = (v + (v * v + 2 * g * x) ** 0.5) / g
        x, v, t, h = 0.0, -e * (v - g * hit), t + hit, h - hit
        if v < 1e-9:  # m/s; at rest
            v, t, h = 0.0, t + h, 0
    n += 1
    if n % every == 0 or t >= until:
        print(f"{t!r},{x!r},{v!r}")
