#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Single changes of the equations of case files, and who rejects them. Called by check-text-mutants.sh."""
import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
COMMAND = ROOT / "build/impactcheck"
SECONDS = 300  # after which a judge is taken to hang

# Keys whose values are no equations: words, magnitudes, settings, values of parameters, names of modes and laws, and
# what others have published. A departure and an invariant only repeat what follows from the equations.
NO_EQUATIONS = {"meaning", "title", "source", "about", "name", "unit", "scale", "time_scale", "period", "presets",
                "draws", "trials", "parameters", "requirements", "law_defaults", "free_impact", "indices", "discrete",
                "departs", "mode", "laws", "sketch", "condition", "conditions", "like", "ends", "count", "values", "of",
                "statements", "figures"}
TURNED = {"falls": "rises", "rises": "falls", "crosses": "falls"}
SIGN_ONLY = {"falls", "rises", "crosses", "if", "zero", "nonnegative", "nonpositive"}  # a factor changes nothing
TOKEN = re.compile(r"(?P<skip>\[[^][]*\]|\([\d.eE+/-]+ [^()]*\))|(?P<number>\d+\.?\d*(?:[eE][+-]?\d+)?)"
                   r"|(?P<name>[A-Za-z_][\w.]*)|(?P<operator>[-+*/^<>()=,])")


# ---- equations of a file

def formulas(node, path=()):
    """(path, node) of each formula, and of each key that gives a direction."""
    if isinstance(node, yaml.ScalarNode):
        yield path, node
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from formulas(item, path)
    else:
        for key, value in node.value:
            here = path + (key.value,)
            if key.value in NO_EQUATIONS or here == ("contact",):
                continue
            if key.value == "law" and isinstance(value, yaml.ScalarNode):
                continue
            if path[:1] == ("states",) and key.value != "start" and len(path) > 0 and isinstance(value, yaml.ScalarNode):
                continue
            if key.value in TURNED:
                yield here + ("",), key
            yield from formulas(value, here)


def unit_of(node):
    """Unit of a parameter or a state; None if it is not written out."""
    if isinstance(node, yaml.MappingNode):
        parts = {key.value: value.value for key, value in node.value if isinstance(value, yaml.ScalarNode)}
        if "unit" in parts:
            return parts["unit"]
        return unit_of_text(parts.get("value", ""))
    return unit_of_text(node.value) if isinstance(node, yaml.ScalarNode) else None


def unit_of_text(text):
    number, _, unit = text.partition(" ")
    return unit if re.match(r"[\d.-]", number) else None


def section(root, name):
    for key, value in root.value:
        if key.value == name and isinstance(value, yaml.MappingNode):
            return value.value
    return []


def symbols_by_unit(root):
    """{unit: names} of parameters and states."""
    units = {}
    for key, value in section(root, "parameters"):
        unit = unit_of(value)
        if unit is not None and "[" not in key.value and not key.value.startswith("for "):
            units.setdefault(unit or "1", []).append(key.value)
    for key, value in section(root, "states"):
        unit = value.value if isinstance(value, yaml.ScalarNode) else unit_of(value)
        if isinstance(unit, str) and "[" not in key.value:
            units.setdefault(unit, []).append(key.value)
    return {unit: sorted(set(names)) for unit, names in units.items()}


def only_in_scales(root, text):
    """Definitions that no equation uses."""
    bodies = {key.value: value.value for key, value in section(root, "definitions") if isinstance(value, yaml.ScalarNode)}
    used, waiting = set(), []
    for path, node in formulas(root):
        if path[:1] != ("definitions",):
            waiting += re.findall(r"[A-Za-z_]\w*", node.value)
    while waiting:
        name = waiting.pop()
        if name in bodies and name not in used:
            used.add(name)
            waiting += re.findall(r"[A-Za-z_]\w*", bodies[name])
    return set(bodies) - used


# ---- single changes

def is_sum(tokens):
    """Whether a + or - stands outside all brackets, behind the first term."""
    depth = 0
    for i, (kind, token, _) in enumerate(tokens):
        depth += {"(": 1, ")": -1}.get(token, 0)
        if depth == 0 and token in "+-" and i > 0 and tokens[i - 1][1] not in list("*/^<>(,") + [">=", "<="]:
            return True
    return False


def changes_of(raw, path, units, chooser):
    """(start, end, text) of each change of a formula."""
    if re.fullmatch(r"['\"]?-?[\d.eE+/-]+( .*)?", raw):
        return  # a number, perhaps with its unit
    tokens = [(m.lastgroup, m[0], m.start()) for m in TOKEN.finditer(raw)]
    tokens = [t for t in tokens if t[0] != "skip"]
    compared = [t for t in tokens if t[1] not in "<>=" ]
    zero = bool(re.search(r"[<>]=? *0['\"]?$", raw)) or not re.search("[<>]", raw)
    scaled = path[-1] in SIGN_ONLY and zero and not is_sum(compared)
    if tokens and tokens[0][1] != "-":
        yield tokens[0][2], tokens[0][2], "-"
    for i, (kind, token, at) in enumerate(tokens):
        before = tokens[i - 1][1] if i > 0 else ""
        after = tokens[i + 1][1] if i + 1 < len(tokens) else ""
        if token in "+-":
            unary = before == "" or before in "+-*/^<>(,="
            yield at, at + 1, "" if unary else {"+": "-", "-": "+"}[token]
        elif token in "*/" and before != "^":
            if not (scaled and token == "*" and after == "2"):
                yield at, at + 1, {"*": "/", "/": "*"}[token]
        elif token in ("sin", "cos") and after == "(":
            yield at, at + 3, {"sin": "cos", "cos": "sin"}[token]
        elif token in "<>" and kind == "operator":
            yield at, at + 1, {"<": ">", ">": "<"}[token]
        elif token == "2" and after == "*" and not scaled:
            yield at, tokens[i + 1][2] + 1, ""
        elif token == "2" and before == "/" and not scaled:
            yield tokens[i - 1][2], at + 1, "" if i > 1 and tokens[i - 2][1] != "1" else "/1"
        elif kind == "name" and after != "(" and token not in ("and", "or", "in", "none", "pi") and before != "^":
            if not scaled:
                yield at, at + len(token), f"(2*{token})"
            others = [n for names in units.values() if token in names for n in names if n != token]
            if others:
                yield at, at + len(token), chooser.choice(others)


def mutants_of(text, seed=1):
    """(line, column, before, after, changed text) of each change."""
    root = yaml.compose(text)
    units, unused = symbols_by_unit(root), only_in_scales(root, text)
    chooser = random.Random(seed)
    found = []
    for path, node in formulas(root):
        start, end = node.start_mark.index, node.end_mark.index
        if path[-1] == "":  # a direction
            found.append((start, end, TURNED[node.value]))
        elif not (path[0] == "definitions" and path[1] in unused) and node.style not in ("|", ">"):
            found += [(start + a, start + b, c) for a, b, c in changes_of(text[start:end], path, units, chooser)]
    for start, end, change in sorted(set(found)):
        line = text.count("\n", 0, start) + 1
        column = start - text.rfind("\n", 0, start)
        yield line, column, text[start:end], change, text[:start] + change + text[end:]


# ---- who rejects them

def run(arguments, scratch):
    environment = dict(os.environ, XDG_CACHE_HOME=scratch, IMPACTCHECK_INTERPRET="1")
    try:
        done = subprocess.run([COMMAND, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                              errors="replace", env=environment, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "hangs", ""
    return done.returncode, done.stderr


def judge(name, text, built_in=False):
    """Who rejects a file, "" if nobody does, or how a judge failed; and the message.

    built_in: papers say something about the built-in case of that name."""
    with tempfile.TemporaryDirectory() as scratch:
        path = str(Path(scratch) / name)
        Path(path).write_text(text)
        verify = ["verify", path, "--quiet", "--own", "--jobs", "1"] + (["--in-place"] if built_in else [])
        # one solver rejects most; what it lets pass, all of them see
        for who, arguments in (("check", ["check", path, "--quiet"]), ("verify", verify + ["--solver", "dop853"]),
                               ("verify", verify)):
            status, message = run(arguments, scratch)
            if status in (1, 2):
                return who, message
            if status != 0:
                return f"{who} ends with {status}", message
    return "", ""


def is_built_in(file):
    return Path(file).resolve().parent == ROOT / "cases"


def judge_files(files, options):
    jobs = []
    for file in files:
        text = Path(file).read_text()
        who, message = judge(Path(file).name, text, is_built_in(file))
        if who != "":
            print(f"check-text-mutants: {file} is rejected as it is, by {who}: {message}", file=sys.stderr)
            return 2
        mutants = list(mutants_of(text, options.seed))
        if options.sample and len(mutants) > options.sample:
            mutants = sorted(random.Random(options.seed).sample(mutants, options.sample))
        jobs += [(file, mutant) for mutant in mutants]
    table = {file: Counter() for file in files}
    with ThreadPoolExecutor(options.jobs) as pool:
        verdicts = pool.map(lambda job: judge(Path(job[0]).name, job[1][4], is_built_in(job[0]))[0], jobs)
        for (file, (line, column, before, after, _)), who in zip(jobs, verdicts):
            table[file]["all"] += 1
            table[file][who] += 1
            if who not in ("check", "verify"):
                print(f"{file}:{line}:{column}: '{before}' -> '{after}' {who or 'passes'}", flush=True)
    return tell(table, options.least)


def tell(table, least):
    print(f"{'changes':>8} {'check':>7} {'verify':>7} {'passed':>7}  rejected")
    total = Counter()
    for file, row in [*table.items(), ("all", None)]:
        row = total if row is None else row
        rejected = row["check"] + row["verify"]
        if row is not total:
            total.update(row)
        percent = 100 * rejected / max(1, row["all"])
        print(f"{row['all']:>8} {row['check']:>7} {row['verify']:>7} {row['all'] - rejected:>7}  {percent:5.1f} %  {file}")
    good = 100 * (total["check"] + total["verify"]) >= least * total["all"] > 0
    print(f"{'At least' if good else 'Less than'} {least:g} % of the changes are rejected")
    return 0 if good else 1


# ---- the check of this check

SAMPLE = """title: sin(x) - a title
parameters: {m: 1 kg, M: 2 kg, l: 2 m, k: {value: 3 N/m, meaning: a - b}}
definitions: {F: -k*x, size: l + 2*l}
states: {x: {unit: m, scale: 2*size, start: 1 m}, v: m/s}
flow: {x: v, v: F/m}
energy: {stored: m*v^2/2 + k*x^2/2}
until: {up: {rises: "x", if: v > 0, meaning: x + 1}}
presets: {default: {until: 1 s, meaning: 2*x}}
"""
EXPECTED = {
    (3, 18, "-", ""), (3, 19, "k", "(2*k)"), (3, 20, "*", "/"), (3, 21, "x", "l"), (5, 11, "", "-"),
    (5, 19, "m", "M"), (6, 23, "/", "*"), (6, 23, "/2", ""), (6, 26, "+", "-"), (7, 14, "rises", "falls"),
    (7, 30, "", "-"), (7, 32, ">", "<")}


def self_test():
    found = {mutant[:4] for mutant in mutants_of(SAMPLE)}
    good = True
    for missing in sorted(EXPECTED - found):
        print(f"FAILED  not made: {missing}")
        good = False
    for line, *rest in sorted(found):
        if line in (1, 2, 8) or "size" in rest:
            print(f"FAILED  no equation: {line}, {rest}")
            good = False
    for text, judged in ((SAMPLE, ""), (SAMPLE.replace("F/m", "F*m"), "check"), (SAMPLE.replace("-k", "k"), "check")):
        who, message = judge("sample.yaml", text)
        if who != judged:
            print(f"FAILED  rejected by '{who}' instead of '{judged}': {message}")
            good = False
    print("self-test: the changes of a sample, and their judges" if good else "self-test failed")
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser(prog="check-text-mutants.sh")
    parser.add_argument("files", nargs="*")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--least", type=float, default=95)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    cases = sorted((ROOT / "cases").glob("*.yaml")) or sorted((ROOT / "examples/machines").glob("*.yaml"))
    files = options.files or [str(path.relative_to(ROOT)) for path in cases]
    if options.list:
        for file in files:
            for line, column, before, after, _ in mutants_of(Path(file).read_text(), options.seed):
                print(f"{file}:{line}:{column}: '{before}' -> '{after}'")
        return 0
    return judge_files(files, options)


if __name__ == "__main__":
    sys.exit(main())
