#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Identifies gravity and restitution from the times at which a ball was heard to bounce (Gauss-Newton).

A bounce is an event: its derivative by a parameter is that of its time, t_by_e. No differences are taken, so that no
step has to be chosen, and a bounce that moves across a sample does not matter.
"""
import numpy as np

import impactcheck as ic

MEASURED = np.array([0.4526, 1.2566, 1.9745, 2.6109, 3.1791, 3.6829])  # s, +- 1 ms, with e = 0.89 and g = 9.78 m/s^2
NAMES = ["e", "g"]

ball = ic.Machine(parameters={"e": 0.8, "g": "9.81 m/s^2", "h": "1 m"},
                  states={"x": {"unit": "m", "start": "h"}, "v": "m/s"}, flow={"x": "v", "v": "-g"},
                  elements={"floor": {"stop": {"gap": "x", "restitution": "e"}}},
                  presets={"default": {"until": "10 s"}})


def bounces(values):
    """Times of the bounces that were heard, and their derivatives by the names."""
    run = ic.Problem(ball, until=5, solver="dop853", derivative=NAMES, **dict(zip(NAMES, values))).run(rtol=1e-12)
    events = run.events[: len(MEASURED)]
    return events["t"].to_numpy(), np.stack([events[f"t_by_{name}+"].to_numpy() for name in NAMES], axis=1)


values = np.array([0.8, 9.5])
for count in range(1, 20):
    times, slopes = bounces(values)
    change, *_ = np.linalg.lstsq(slopes, MEASURED - times, rcond=None)
    values += change
    if np.abs(change / values).max() < 1e-10:
        break
times, slopes = bounces(values)
residual = MEASURED - times
variance = residual @ residual / (len(MEASURED) - len(NAMES))
deviation = np.sqrt(variance * np.diag(np.linalg.inv(slopes.T @ slopes)))
print(f"after {count} runs:", ", ".join(f"{n} = {v:.4f} +- {d:.4f}" for n, v, d in zip(NAMES, values, deviation)))
print(f"largest residual {1e3 * np.abs(residual).max():.2f} ms")
