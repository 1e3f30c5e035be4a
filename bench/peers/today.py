#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What an impact costs with the tools that people use: impacts found and missed, error of their times, and time.

Usage: today.py COMMAND [--json FILE]. COMMAND is impactcheck, whose certified times are the truth. SciPy, Octave, Scilab
and PETSc solve three machines, in the way of their manuals, where they are installed; those that are not are named.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CASES = ["bouncing-ball/lively", "two-mass/forced", "impact-oscillator/duffing"]
TOLERANCES = ["1e-4", "1e-6", "1e-8", "1e-10"]
UNTIL = {"bouncing-ball/lively": "5", "two-mass/forced": "40", "impact-oscillator/duffing": "40"}  # s, of the presets


def compile_petsc(folder):
    """PETSc's program, or None if PETSc is not installed."""
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "PETSc", "ompi-c"], capture_output=True, text=True)
    program = os.path.join(folder, "petsc_ts")
    if flags.returncode != 0:
        return None
    done = subprocess.run(["cc", "-O2", os.path.join(HERE, "petsc_ts.c"), "-o", program, *flags.stdout.split(), "-lm"])
    return program if done.returncode == 0 else None


def tools(folder):
    """By name: the command and the methods of each tool; the command is None if it is not installed."""
    python = [sys.executable, "-c", "import scipy"]
    found = subprocess.run(python, capture_output=True).returncode == 0
    octave, scilab, petsc = shutil.which("octave-cli"), shutil.which("scilab-cli"), compile_petsc(folder)
    return {
        "SciPy solve_ivp": ([sys.executable, os.path.join(HERE, "scipy_ivp.py")] if found else None,
                            ["RK45", "DOP853", "LSODA"]),
        "Octave": ([octave, os.path.join(HERE, "octave_ode.m")] if octave else None, ["ode45"]),
        "Scilab ode": ([scilab, "-nb", "-f", os.path.join(HERE, "scilab_ode.sce"), "-args"] if scilab else None, ["root"]),
        "PETSc TS": ([petsc] if petsc else None, ["5dp", "8vr"]),
    }


def truth(command, case):
    """The certified times of the impacts, s, and the arguments NAME=VALUE of the case."""
    done = subprocess.run([command, "certify", case, "--until", UNTIL[case], "--json"], capture_output=True, text=True,
                          check=True)
    certified = json.loads(done.stdout)
    numbers = [f"{name}={number['value']}" for name, number in certified["parameters"].items()]
    return [float(event["t"]) for event in certified["events"]], numbers + ["t_end=" + UNTIL[case]]


def compare(true, found):
    """How many true times are found, how many others there are, and the greatest error, s."""
    near = min(b - a for a, b in zip(true, true[1:])) / 2
    error, hits, left = 0.0, 0, list(found)
    for t in true:
        best = min(left, key=lambda f: abs(f - t), default=None)
        if best is not None and abs(best - t) < near:
            error, hits = max(error, abs(best - t)), hits + 1
            left.remove(best)
    return hits, len(left), error


def own_rows(command, case):
    """(error in s, seconds per impact) of rk45_bisection for each tolerance."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as file:
        subprocess.run([command, "bench", case, "--full", "--own", "--solver", "rk45_bisection", "--csv", file.name,
                        "--quiet"], check=True)
        with open(file.name, newline="") as rows:
            return [(float(row["error"]), float(row["per_event"])) for row in csv.DictReader(rows)]


def ask(command, method, case, rtol, numbers):
    """Seconds of one run, and the times found; None: the tool gave up."""
    done = subprocess.run([*command, method, case, rtol, *numbers], capture_output=True, text=True, timeout=300)
    words = [line.split() for line in done.stdout.splitlines() if line.startswith(("time ", "event "))]
    seconds = [float(value) for kind, value in words if kind == "time"]
    return (seconds[0], [float(value) for kind, value in words if kind == "event"]) if seconds else None


def row_of(answer, true, own):
    if answer is None:
        return {"gave_up": True}
    hits, others, error = compare(true, answer[1])
    each = answer[0] / max(1, len(answer[1]))
    as_good = [seconds for other, seconds in own if other <= max(error, 1e-15)]
    return {"gave_up": False, "found": hits, "of": len(true), "others": others, "error": error, "per_impact": each,
            "ratio": each / min(as_good) if as_good else None}


def text_of(row):
    if row["gave_up"]:
        return "gives up"
    ratio = f"{row['ratio']:8.0f}" if row["ratio"] is not None else "       -"
    return f"{row['found']:5d} of {row['of']:<3d} {row['others']:6d}   {row['error']:8.1e} {1e6 * row['per_impact']:9.1f} {ratio}"


def self_test():
    """Two of four impacts found, one of them late, and one that there is not."""
    assert compare([1.0, 2.0, 3.0, 4.0], [2.25, 3.0, 7.0]) == (2, 1, 0.25)
    assert compare([1.0, 2.0], [1.0, 2.0]) == (2, 0, 0.0)


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    if len(sys.argv) not in (2, 4) or (len(sys.argv) == 4 and sys.argv[2] != "--json"):
        sys.exit("usage: today.py COMMAND [--json FILE]")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        present = tools(folder)
        for name in [name for name, (command, _) in present.items() if command is None]:
            print(f"{name}: not installed (./run setup today)", file=sys.stderr)
        for case in CASES:
            true, numbers = truth(sys.argv[1], case)
            own = own_rows(sys.argv[1], case)
            print(f"\n{case}\n  tool             method  rtol   found     others   error, s  us/impact  to rk45_bisection")
            for name, (command, methods) in present.items():
                for method in methods if command is not None else []:
                    for rtol in TOLERANCES:
                        row = row_of(ask(command, method, case, rtol, numbers), true, own)
                        rows.append({"case": case, "tool": name, "method": method, "rtol": float(rtol), **row})
                        print(f"  {name:16s} {method:7s} {rtol:6s} {text_of(row)}", flush=True)
    if len(sys.argv) == 4:
        with open(sys.argv[3], "w") as out:
            json.dump(rows, out, indent=1)


main()
