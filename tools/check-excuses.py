#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check-excuses.py RESULTS.json...: what engines' programs excuse, against what was measured.

An audit of engines (--json, --results) has the figures that a program does not promise, with the text that excuses
them, and the mistake that explains the measured values. An excuse is contradicted if this mistake is none that a
documentation may excuse, or if the text states a number and the fitted one is another.
"""
import json
import re
import sys

# faults of a method, whatever documentation says about bounds, thresholds and iterations
NEVER = {"explicit-euler", "friction-force-as-impulse", "gravity-sign", "gravity-wrong", "rebound-less-constant",
         "sign-reversed", "stale-state", "stale-time", "time-scaled", "units-mixed"}
# mistakes whose fitted constant is the number of the text: damping, 1/s; it may differ by this factor
QUOTED = {"damped-flight"}
FACTOR = 1.3


def fault_of(figure):
    """What contradicts the excuse of a figure; None: nothing."""
    cause, text, constant = figure["cause"], figure["not_promised_because"], figure["constant"]
    if cause in NEVER:
        return f"{cause} is no matter of promises"
    numbers = [float(x) for x in re.findall(r"(?<![\w.])\d+\.\d+(?![\w.])", text)]
    if cause not in QUOTED or constant is None or not numbers:
        return None
    if any(x / FACTOR <= constant <= x * FACTOR for x in numbers if x > 0):
        return None
    return f"{cause} by {constant:.3g}, where the text says {', '.join(f'{x:g}' for x in numbers)}"


def main():
    excused = contradicted = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            results = json.load(file)["results"]
        for result in results:
            for figure in result["figures"]:
                if not figure["not_promised"]:
                    continue
                excused += 1
                fault = fault_of(figure)
                if fault:
                    contradicted += 1
                    print(f"{result['name']}, {result['config']}, {result['scene']}, {figure['name']}: {fault}: "
                          f"\"{figure['not_promised_because']}\"")
    print(f"check-excuses: {excused} figures are excused, {contradicted} excuses contradicted")
    return 1 if contradicted else 0


sys.exit(main())
