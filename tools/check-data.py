#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tools/check-data.py FOLDER

Checks a certified data set (tools/make-data.py) without the code that made it: checksums, the schema, that CSV has the numbers
of the JSON and intervals of HDF5 contain them, and that intervals contain the values of closed forms, by mpmath to 60 digits.
Prints each fault; exit status 1. Needs python3-h5py, python3-jsonschema and python3-mpmath."""
import csv
import hashlib
import json
import sys
from fractions import Fraction
from pathlib import Path

import h5py
import jsonschema
from mpmath import beta, cos, ellipk, mp, mpf, nstr, pi, sqrt

mp.dps = 60
ROUNDING = Fraction(1, 10**50)  # of mpmath, relative to the values, which are of order 1
faults = []


def wrong(text):
    faults.append(text)
    print(f"FAILED  {text}")


def fraction(number):
    """An exact value; of mpmath's numbers to 60 digits."""
    return Fraction(nstr(number, 60) if isinstance(number, mpf) else str(number))


# ---- values of closed forms


def bouncing_ball(answer):
    """Flights of a ball that is dropped: each is e times the one before."""
    p = {name: mpf(row["value"]) for name, row in answer["parameters"].items()}
    t, speed = sqrt(2 * p["h"] / p["g"]), sqrt(2 * p["g"] * p["h"])
    for event in answer["events"]:
        if event["kind"] != "guard":
            break
        yield event, "t", t
        yield event["state_before"]["v"], "value", -speed
        speed *= p["e"]
        t += 2 * speed / p["g"]


def pendulum(answer):
    """From rest at -45 degrees to the wall below the pivot, l = 1 m, e = 0.7: quarters of the period are elliptic integrals."""
    g, e, amplitude = mpf("9.81"), mpf("0.7"), pi / 4
    t = ellipk(mp.sin(amplitude / 2) ** 2) / sqrt(g)
    for event in answer["events"]:
        speed = sqrt(2 * g * (1 - cos(amplitude)))
        yield event, "t", t
        yield event["state"]["w1"], "value", -e * speed
        amplitude = mp.acos(1 - (e * speed) ** 2 / (2 * g))
        t += 2 * ellipk(mp.sin(amplitude / 2) ** 2) / sqrt(g)


def hertz(answer):
    """An impact on F = K d^(3/2): m v0^2/2 = K d^(5/2)/(5/2), and its duration 2 d/v0 times the integral of du/sqrt(1 - u^(5/2))."""
    v0, radius = mpf("0.5"), mpf("0.0263")
    stiffness = mpf(4) / 3 * sqrt(radius) / ((1 - mpf("0.29") ** 2) / mpf("213e9") + (1 - mpf("0.3") ** 2) / mpf("210e9"))
    mass = mpf(4) / 3 * pi * radius**3 * 7800
    depth = (5 * mass * v0**2 / (4 * stiffness)) ** (mpf(2) / 5)
    yield answer["outputs"]["peak_indentation"]["final"], "value", depth
    yield answer["outputs"]["duration"]["final"], "value", 2 * depth / v0 * beta(mpf(2) / 5, mpf(1) / 2) * 2 / 5


CLOSED_FORMS = {"bouncing-ball/lively": bouncing_ball, "bouncing-ball/elastic": bouncing_ball, "pendulum-wall/single": pendulum,
                "ball/hertz": hertz}


def check_closed_forms(data):
    compared = 0
    for entry in data["answers"]:
        for ball, key, truth in CLOSED_FORMS.get(entry["path"], lambda answer: ())(entry["answer"]):
            compared += 1
            if abs(fraction(ball[key]) - fraction(truth)) > fraction(ball["radius"]) + ROUNDING:
                wrong(f"{entry['path']}: {ball[key]} +- {ball['radius']} does not contain {nstr(truth, 30)}")
    if not compared:
        wrong(f"no value was compared with a closed form; the data set needs one of {', '.join(CLOSED_FORMS)}")
    return compared


# ---- the other forms


def numbers(data):
    """All numbers of the JSON: path, event, kind and name, with value and radius; empty texts where there is none."""
    def number(ball, key="value"):
        return (ball[key], ball["radius"]) if ball else ("", "")

    for entry in data["answers"]:
        path, answer = entry["path"], entry["answer"]
        yield from (((path, "", "parameters", name), number(row)) for name, row in answer["parameters"].items())
        end = {**answer.get("final", {}), "outputs": {name: row["final"] for name, row in answer["outputs"].items()}}
        for i, event in [*enumerate(answer.get("events", []), 1), ("final", end)]:
            if "t" in event:
                yield (path, str(i), "t", "t"), number(event, "t")
            for kind in ("state_before", "state", "outputs"):
                yield from (((path, str(i), kind, name), number(ball)) for name, ball in event.get(kind, {}).items())


def check_csv(folder, wanted):
    def rows(name):
        with open(folder / f"{name}.csv", newline="", encoding="utf-8") as stream:
            return list(csv.DictReader(stream))

    found = {(r["path"], "", "parameters", r["parameter"]): (r["value"], r["radius"]) for r in rows("parameters")}
    found |= {(r["path"], r["event"], "t", "t"): (r["t"], r["t_radius"]) for r in rows("events")}
    found |= {(r["path"], r["event"], r["kind"], r["quantity"]): (r["value"], r["radius"]) for r in rows("values")}
    for key in sorted(wanted.keys() | found.keys()):
        if wanted.get(key) != found.get(key):
            wrong(f"CSV: {' '.join(key)}: {found.get(key)}, but {wanted.get(key)} in certified.json")


def check_hdf5(path, wanted):
    stored = {}
    with h5py.File(path) as root:
        for (run, event, kind, name), (value, radius) in wanted.items():
            if (run, kind) not in stored:
                sets = root[run][kind], root[run][kind + "_radius"]
                stored[run, kind] = [text.decode() for text in sets[0].attrs["names"]], sets[0][:], sets[1][:]
            names, values, radii = stored[run, kind]
            at = -1 if event == "final" else int(event or 1) - 1, names.index(name)
            if value and not abs(Fraction(values[at]) - fraction(value)) + fraction(radius) <= Fraction(radii[at]):
                wrong(f"{path.name}: {run}/{kind}: {name} at event {event} does not contain {value} +- {radius}")


def main(folder):
    for line in (folder / "SHA256SUMS").read_text().splitlines():
        digest, name = line.split()
        if hashlib.sha256((folder / name).read_bytes()).hexdigest() != digest:
            wrong(f"{name}: not the file of SHA256SUMS")
    data = json.loads((folder / "certified.json").read_text())
    validator = jsonschema.Draft202012Validator(json.loads((folder / "certified.schema.json").read_text()))
    for error in validator.iter_errors(data):
        wrong(f"certified.json: {list(error.absolute_path)}: {error.message[:200]}")
    if not faults:
        compared = check_closed_forms(data)
        wanted = dict(numbers(data))
        check_csv(folder, wanted)
        check_hdf5(folder / "certified.h5", wanted)
        print(f"{len(data['answers'])} answers in three forms; {compared} values are those of closed forms" if not faults else "")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
