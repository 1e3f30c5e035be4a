#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tools/make-data.py COMMAND FOLDER [PATTERN...]

Writes the certified data set of COMMAND (build/impactcheck) into the new FOLDER: what it certifies of all presets, or of those
that a PATTERN names, as JSON with its schema, CSV and HDF5, with a README, the licence (CC0) and checksums. The same command
writes the same bytes. Needs Debian's python3-h5py and python3-yaml."""
import contextlib
import csv
import fnmatch
import hashlib
import json
import math
import os
import shutil
import subprocess
import sys
import tempfile
from decimal import Decimal, localcontext
from pathlib import Path

import h5py
import numpy

TOOLS = Path(__file__).resolve().parent
LICENCE = Path("/usr/share/common-licenses/CC0-1.0")  # Debian's base-files
KINDS = ("state_before", "state", "outputs")  # of an event
LEFT_OUT = {"rotating-beam/N16": "takes more than ten minutes"}  # unless a pattern names them
FAULTS = {"contradicted", "invalid", "io", "no_memory"}  # statuses that no data set may have


def fail(message, status=2):
    sys.exit(print(f"make-data: {message}", file=sys.stderr) or status)


def ask(command, *arguments):
    """A document of the command. Exit statuses 1 and 3: some run is undecided or ends early, as its status says."""
    made = subprocess.run([command, *arguments], capture_output=True, text=True, check=False)
    try:
        return json.loads(made.stdout)
    except ValueError:
        return fail(f"{command} {' '.join(arguments)}: {made.stderr.strip() or 'no JSON'}")


def unit_of(name, rows):
    """The unit of a name in a list of the command; of R12 that of R1, since a preset may be longer than its case."""
    units = {row["name"]: row["unit"] for row in reversed(rows)}
    return units.get(name) or next(unit for known, unit in units.items() if known.rstrip("0123456789") == name.rstrip("0123456789"))


def entries(listed, answer):
    """What surrounds an answer: how it was made, what it is, and the units of its names."""
    case = next(case for case in listed["cases"] if case["name"] == answer["case"])
    path = f"{answer['case']}/{answer['preset']}"
    law = next(variant["law"] for variant in case["variants"] if variant["name"] == answer["variant"])
    rows = {"parameters": [row for known in listed["laws"] if known["name"] == law for row in known["parameters"]] + case["parameters"],
            # the memory of a law is that of the speed at which a contact begins, as its inverse
            "state": case["states"] + [{"name": "memory", "unit": "s/m"}], "outputs": case["outputs"]}
    names = {"parameters": answer["parameters"], "state": {}, "outputs": answer["outputs"]}
    for _, event in numbered(answer):
        names["state"] |= event.get("state_before", {}) | event.get("state", {})
    units = {kind: {name: unit_of(name, rows[kind]) for name in names[kind]} for kind in rows}
    units["state_before"] = units["state"]
    return {"path": path, "title": case["title"], "source": case["source"], "command": f"impactcheck certify {path} --json",
            "meaning": next(row["meaning"] for row in listed["presets"] if row["path"] == path), "units": units, "answer": answer}


def collect(command, patterns):
    listed = ask(command, "list", "--json")
    paths = [row["path"] for row in listed["presets"]
             if any(fnmatch.fnmatch(row["path"], p) for p in patterns or ["*"]) and row["path"] not in LEFT_OUT.keys() - set(patterns)]
    if not paths:
        fail(f"no preset is named by {' '.join(patterns)}; {command} list presets lists them")
    answers = ask(command, "certify", "--json", *paths)
    answers = answers if isinstance(answers, list) else [answers]
    if len(answers) != len(paths):
        fail(f"{len(answers)} answers for {len(paths)} presets: a run has crashed", 3)
    faults = [f"{answer['case']}/{answer['preset']}: {answer['status']}" for answer in answers if answer["status"] in FAULTS]
    if faults:
        fail("; ".join(faults), 3)
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    certified = [entries(listed, answer) for answer in answers if answer["status"] == "certified"]
    others = [{"path": f"{a['case']}/{a['preset']}", "status": a["status"], "reason": a["reason"]} for a in answers
              if a["status"] != "certified"]
    others += [{"path": path, "status": "left out", "reason": reason} for path, reason in LEFT_OUT.items() if not patterns]
    return {"name": "certified answers of Impactcheck", "version": version, "licence": "CC0-1.0", "answers": certified,
            "not_certified": others}


def numbered(answer):
    """Events with their numbers, and what is known of the end; a free impact has the end alone."""
    outputs = {name: output["final"] for name, output in answer["outputs"].items()}
    return [*enumerate(answer.get("events", []), 1), ("final", {**answer.get("final", {}), "outputs": outputs})]


# ---- CSV: numbers are the texts of the JSON


def pair(ball, key="value"):
    return [ball[key], ball["radius"]] if ball else ["", ""]


def tables(data):
    """Rows of the files NAME.csv, each with the path of its run."""
    made = {"parameters": [["path", "parameter", "unit", "exact", "value", "radius"]],
            "events": [["path", "event", "t", "t_radius", "kind", "guard", "from", "to", "seq"]],
            "values": [["path", "event", "kind", "quantity", "unit", "value", "radius"]],
            "paths": [["path", "u", "u_radius", "d", "d_radius"]]}
    for entry in data["answers"]:
        path, answer, units = entry["path"], entry["answer"], entry["units"]
        made["parameters"] += [[path, name, units["parameters"][name], p["exact"], *pair(p)] for name, p in answer["parameters"].items()]
        for number, event in numbered(answer):
            if "t" in event:
                made["events"].append([path, number, *pair(event, "t"), *(event.get(key, "") for key in ("kind", "guard", "from", "to", "seq"))])
            made["values"] += [[path, number, kind, name, units[kind][name], *pair(ball)]
                               for kind in KINDS for name, ball in event.get(kind, {}).items()]
        made["paths"] += [[path, *pair(row["u"]), *pair(row["d"])] for row in answer.get("path", [])]
    return made


# ---- HDF5: doubles, whose radius includes their rounding


def double(ball, key="value"):
    """The nearest double, and a radius about it that contains the interval: NaN where there is none."""
    if not ball:
        return math.nan, math.nan
    value = float(ball[key])
    with localcontext() as context:
        context.prec = 1200  # exact: a double has at most 1074 digits behind the point
        radius = Decimal(ball["radius"]) + abs(Decimal(ball[key]) - Decimal(value))
        rounded = float(radius)
        return value, rounded if Decimal(rounded) >= radius else math.nextafter(rounded, math.inf)


def put(group, name, rows, units, key="value"):
    """Data sets NAME and NAME_radius: a row for each element of `rows`, a column for each name of `units`."""
    pairs = numpy.array([[double(row.get(column), key) for column in units] for row in rows]).reshape(len(rows), len(units), 2)
    for k, suffix in enumerate(("", "_radius")):
        made = group.create_dataset(name + suffix, data=pairs[:, :, k], track_times=False)
        made.attrs["names"], made.attrs["units"] = (numpy.array([text.encode() for text in texts]) for texts in (units, units.values()))


def write_hdf5(path, data):
    with h5py.File(path, "w") as root:
        for name in ("name", "version", "licence"):
            root.attrs[name] = data[name]
        for entry in data["answers"]:
            group, answer, units = root.create_group(entry["path"]), entry["answer"], entry["units"]
            for name in ("title", "meaning", "command"):
                group.attrs[name] = entry[name]
            events = [event for _, event in numbered(answer)]
            put(group, "parameters", [answer["parameters"]], units["parameters"])
            put(group, "t", [{"t": event if "t" in event else None} for event in events], {"t": "s"}, "t")
            for kind in KINDS:
                put(group, kind, [event.get(kind, {}) for event in events], units[kind])
            guards = numpy.array([event.get("guard", "end").encode() for event in events])
            group.create_dataset("guard", data=guards, track_times=False)
            if "path" in answer:
                put(group, "path", answer["path"], {"u": "1", "d": "m"})


# ---- the folder

README = """# Certified answers of Impactcheck {version}

Event times, states and outputs of {n} simulations of contact and impact, as intervals that are proved to contain the true
value: the truth is within `radius` of `value`. SI units. Parameters are exact: `exact` is how they are stated.

| file | contents |
|---|---|
| certified.json | all, with the schema certified.schema.json: numbers are decimal texts |
| parameters.csv | parameters of each run |
| events.csv | events in order, and the end: time, guard, modes before and after, place among events at one instant |
| values.csv | states before and after each event (state_before, state), outputs after it, and both at the end |
| paths.csv | free impacts on contact-force laws: velocity over impact speed (u) and indentation (d, m) |
| certified.h5 | a group for each run: doubles, whose radius includes their rounding; the last row is the end |
| SHA256SUMS | checksums: `sha256sum -c SHA256SUMS` |

A path CASE/PRESET names a run. Made by Impactcheck {version}: `impactcheck certify CASE/PRESET --json` makes one answer again,
`tools/make-data.py build/impactcheck FOLDER` in its source all files, with the same bytes. `impactcheck list cases --long` shows
the equations.

To cite: Impactcheck contributors, *Certified answers of Impactcheck*, version {version}. Licence: CC0 1.0 (LICENSE), public
domain. Equations come from the sources named below.

## Runs

| case | runs | title | source |
|---|---|---|---|
{cases}

## Not certified

The end of these runs is not proved; the data set does not contain them.

{others}
"""


def readme(data):
    cases = {}
    for entry in data["answers"]:
        cases.setdefault((entry["answer"]["case"], entry["title"], entry["source"]), []).append(entry)
    rows = [f"| {name} | {len(of)} | {title} | {source} |" for (name, title, source), of in cases.items()]
    others = [f"- {row['path']}: {row['status']}: {row['reason']}" for row in data["not_certified"]] or ["None."]
    return README.format(version=data["version"], n=len(data["answers"]), cases="\n".join(rows), others="\n".join(others))


def write(folder, data):
    head = {key: value for key, value in data.items() if key not in ("answers", "not_certified")}
    lists = [f'"{key}": [\n' + ",\n".join(map(json.dumps, data[key])) + "\n]" for key in ("answers", "not_certified")]
    (folder / "certified.json").write_text("{" + json.dumps(head)[1:-1] + ",\n" + ",\n".join(lists) + "}\n")
    for name, rows in tables(data).items():
        with open(folder / f"{name}.csv", "w", newline="", encoding="utf-8") as stream:
            csv.writer(stream, lineterminator="\n").writerows(rows)
    write_hdf5(folder / "certified.h5", data)
    with tempfile.TemporaryDirectory() as schemas:
        subprocess.run([sys.executable, TOOLS / "make-schemas.py", schemas], check=True)
        shutil.copyfile(Path(schemas) / "data.schema.json", folder / "certified.schema.json")
    (folder / "README.md").write_text(readme(data))
    shutil.copyfile(LICENCE, folder / "LICENSE")
    sums = [f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in sorted(folder.iterdir())]
    (folder / "SHA256SUMS").write_text("".join(sums))


def main(command, folder, *patterns):
    folder = Path(folder)
    if folder.exists():
        fail(f"{folder} exists; name a new folder")
    if not folder.parent.is_dir():
        fail(f"there is no folder {folder.parent}")
    part = Path(tempfile.mkdtemp(prefix=folder.name + ".", dir=folder.parent))
    try:
        write(part, collect(command, patterns))
        part.chmod(0o755)
        os.rename(part, folder)
    finally:
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(part)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        fail("expected: COMMAND FOLDER [PATTERN...]")
    main(*sys.argv[1:])
