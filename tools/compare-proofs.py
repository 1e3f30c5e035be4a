#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/compare-proofs.py FILE.v <JSON

Compares the balls that a Coq file states with those that `impactcheck certify --json` has printed:
`near t_2 NUMBER RADIUS` is the time of event 2, `near (v before_2) ...` the state v before it,
`near (v after_2) ...` the state after it, `near t_end ...` the time at which events accumulate.
Two balls of one quantity must overlap. Those of Coq must be narrow, with 30 digits, and include all
states of an event. Exit status 1: they differ, with a line for each difference.
"""

import json
import re
import sys
from decimal import Decimal, getcontext

getcontext().prec = 80  # digits, more than any number here has

PRECISION = Decimal("1e-30")  # relative, of the balls in Coq: `certify --digits 30`
NEAR = re.compile(r"\bnear (\w+|\(\w+ \w+\)) (\(-[\d.]+\)|[\d.]+) ([\de.-]*\d)")


def proved_balls(text):
    """Returns {quantity: (number, radius)} of the statements `near QUANTITY NUMBER RADIUS`."""
    return {
        quantity.strip("()"): (Decimal(number.strip("()")), Decimal(radius))
        for quantity, number, radius in NEAR.findall(text)
    }


def certified_balls(answer):
    """Returns {quantity: (number, radius)} of the command's answer."""
    balls = {}
    for n, event in enumerate(answer["events"], 1):
        balls[f"t_{n}"] = (Decimal(event["t"]), Decimal(event["radius"]))
        for when, member in ("before", "state_before"), ("after", "state"):
            for name, ball in event[member].items():
                balls[f"{name} {when}_{n}"] = (Decimal(ball["value"]), Decimal(ball["radius"]))
        if event["kind"] == "accumulation":
            balls["t_end"] = balls[f"t_{n}"]
    return balls


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        proved = proved_balls(file.read())
    certified = certified_balls(json.load(sys.stdin))
    events = sum(bool(re.fullmatch(r"t_\d+", quantity)) for quantity in proved)
    faults = [] if events else ["no event is stated"]
    for quantity in certified:
        event = re.search(r"_(\d+)$", quantity)
        if event and int(event[1]) <= events and quantity not in proved:
            faults.append(f"{quantity}: not stated")
    for quantity, (number, radius) in proved.items():
        if quantity not in certified:
            faults.append(f"{quantity}: not in the command's answer")
            continue
        there, there_radius = certified[quantity]
        if abs(number - there) > radius + there_radius:
            faults.append(f"{quantity}: {number} ± {radius} in Coq, {there} ± {there_radius} by the command")
        if radius > PRECISION * abs(number):
            faults.append(f"{quantity}: the radius {radius} is more than {PRECISION} of {number}")
    for fault in faults:
        print(f"{sys.argv[1]}: {fault}")
    if not faults:
        print(f"{sys.argv[1]}: {len(proved)} balls agree with the command's")
    return bool(faults)


sys.exit(main())
