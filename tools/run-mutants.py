#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the suites that cover a file on its mutants. Called by check-mutants.sh."""
import argparse
import fcntl
import hashlib
import json
import math
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from mutants import mutants_of

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("core", "cases", "solvers", "reference", "audit")
PROGRAMS = ("impactcheck-tests", "impactcheck")
# A mutant hangs if it uses four times the processor time of the original plus five seconds. Elapsed time would
# depend on other programs.
SLOWER, SECONDS, CLOCK = 4, 5, 40
MEMORY = 8 << 30
# Part of the faulty plugins, all of which take minutes.
GALLERY = "0/8"


def fail(message):
    print(f"check-mutants: {message}", file=sys.stderr)
    sys.exit(2)


# ---- tables

def read_steps():
    """(pattern, steps) of each line."""
    table = []
    for line in (ROOT / "tools/mutants-suites.txt").read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            pattern, steps = line.split(None, 1)
            table.append((pattern, [step.strip() for step in steps.split("|")]))
    return table


def steps_of(file, table):
    steps = []
    for pattern, these in table:
        if re.fullmatch(re.escape(pattern).replace(r"\*", "[^/]*"), file):
            steps += [step for step in these if step not in steps]
    return steps


def read_equivalent():
    """{(file, original line, mutated line): reason}"""
    known, entry = {}, {}
    for line in (ROOT / "tools/mutants-equivalent.txt").read_text().splitlines():
        if line[:2] in ("@ ", "- ", "+ ", "= "):
            entry[line[0]] = line[2:].strip()
            if line[0] == "=":
                known[entry["@"], entry["-"], entry["+"]] = entry["="]
    return known


def check_equivalent(known):
    """Rejects entries whose line has changed or occurs more than once."""
    for file, old, _ in known:
        path = ROOT / file
        lines = [line.strip() for line in path.read_text().splitlines()] if path.exists() else []
        if lines.count(old) != 1:
            fail(f'tools/mutants-equivalent.txt: {file} has the line "{old}" {lines.count(old)} times, not once')


# ---- tests without a build

SAMPLE = """/* a + b */
#include <math.h>
#define LIMIT 2.5
static double f(double x, const double *y)
{
    double sum = 0;
    if (x < 1e-9) return -x;
    /* c - d */
    sum = y[0] * x;
    assert(sum > 7);
    free(sum);
    return printf("%d < 5") ? fmin(sum, x) : 0.5;
}
"""
MUTATED = """#define LIMIT 3.0
double sum = 1;
if (x < 1e-7) return -x;
if (x <= 1e-9) return -x;
if (x > 1e-9) return -x;
if (x < 1e-9) return x;
if (0 && (x < 1e-9)) return -x;
if (1 || (x < 1e-9)) return -x;
sum = y[1] * x;
sum = y[0] / x;
;
return printf("%d < 5") ? fmax(sum, x) : 0.5;
return printf("%d < 5") ? fmin(sum, x) : 0.6;"""


def self_test():
    """Checks the mutants of a sample (no declaration, assertion or free is removed), and that the tables refer to existing files
    and suites."""
    found = sorted(m.new for m in mutants_of("sample.c", SAMPLE))
    expected = sorted(MUTATED.splitlines())
    if found != expected:
        fail(f"the sample has the mutants {found}, not {expected}")
    suites = set()
    for path in (ROOT / "tests").glob("*/test_*.c"):
        suites.update(re.findall(r'IC_SUITE(?:_WITH)?\(\w+, "([^"]*)"', path.read_text()))
    table = read_steps()
    for pattern, steps in table:
        for step in steps:
            if step not in suites and not step.startswith("verify "):
                fail(f'tools/mutants-suites.txt: there is no suite "{step}"')
    for file in product_files():
        if not steps_of(file, table):
            fail(f"{file}: no line of tools/mutants-suites.txt says which suites cover it")
    check_equivalent(read_equivalent())
    return 0


# ---- the copy

def fast_linker():
    """Number of links: each mutant is linked once or twice."""
    return ["-D", "CMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold"] if shutil.which("ld.gold") else []


class Copy:
    """A separate copy of the tree and its build. Its sources are never mutated: a mutant's object file is linked before the
    archive with the original, which the linker then ignores."""

    def __init__(self, folder):
        self.folder = folder
        self.tree, self.build = folder / "tree", folder / "tree/build"
        folder.mkdir(parents=True, exist_ok=True)
        self.lock = open(folder / "lock", "w")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            fail(f"{folder} is in use; --folder names another")
        self.refresh()
        self.compile_all()
        commands = self.output("ninja", "-C", self.build, "-t", "commands", *PROGRAMS).splitlines()
        self.compilers = {m.group(1): line for line in commands if (m := re.search(r" -o (\S+\.o) -c ", line))}
        self.linkers = {name: next(line for line in commands if f" -o {name} " in line) for name in PROGRAMS}
        self.program_hash = hashlib.sha256((self.build / "impactcheck-tests").read_bytes()).hexdigest()
        self.times = self.read_times()
        self.serial = 0
        self.linked = {name: {} for name in PROGRAMS}

    def output(self, *command):
        return subprocess.run([str(c) for c in command], check=True, capture_output=True, text=True).stdout

    def refresh(self):
        files = set(self.output(ROOT / "tools/list-files.sh").splitlines())
        for path in list(self.tree.rglob("*")):
            name = str(path.relative_to(self.tree))
            if not name.startswith("build") and path.is_file() and name not in files:
                path.unlink()
        for name in files:
            here, there = ROOT / name, self.tree / name
            if not there.exists() or here.read_bytes() != there.read_bytes():
                there.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(here, there)
                os.utime(there)

    def compile_all(self):
        environment = {k: v for k, v in os.environ.items() if not k.endswith("_COMPILER_LAUNCHER")}
        for name in PROGRAMS: # an interrupted run leaves a mutant's program
            (self.build / name).unlink(missing_ok=True)
        if not (self.build / "build.ninja").exists():
            subprocess.run(["cmake", "--preset", "release", "-D", "IC_TESTS=ON", "-D", "IC_PEERS=OFF", "-D", "IC_WERROR=OFF", *fast_linker()],
                           cwd=self.tree, check=True, env=environment, stdout=subprocess.DEVNULL)
        built = subprocess.run(["ninja", "-C", str(self.build)], env=environment, capture_output=True, text=True)
        if built.returncode != 0:
            sys.exit(built.stdout)

    # -- processor time of the original

    def read_times(self):
        path = self.folder / "times.json"
        kept = json.loads(path.read_text()) if path.exists() else {}
        return kept["steps"] if kept.get("program") == self.program_hash else {}

    def time_of(self, step):
        """Processor time of the original; infinite if it fails, since its mutants would not be tested."""
        if step not in self.times:
            self.link_for(step, {})
            good, seconds = self.run(step, 1200)
            if not good:
                print(f'"{step}" fails without a mutant, and judges none', file=sys.stderr)
            self.times[step] = seconds if good else math.inf
            (self.folder / "times.json").write_text(json.dumps({"program": self.program_hash, "steps": self.times}, indent=1))
        return self.times[step]

    # -- one mutant

    def link(self, name, replaced):
        """`replaced`: {object: mutated object}; empty: the original."""
        if self.linked.get(name) == replaced:
            return
        command = self.linkers[name]
        for old, new in replaced.items():
            if f" {old} " in command:
                command = command.replace(f" {old} ", f" {new} ")
            else:
                command = command.replace(f" -o {name} ", f" -o {name} {new} ")
        subprocess.run(command, shell=True, cwd=self.build, check=True)
        self.linked[name] = replaced

    def link_for(self, step, replaced):
        """The programs of this step; suites of audits may also run the command."""
        if not step.startswith("verify "):
            self.link("impactcheck-tests", replaced)
        if step.startswith(("verify ", "audit")):
            self.link("impactcheck", replaced)

    def objects_of(self, file):
        """Object files that depend on this file."""
        if file.endswith(".c"):
            return [o for o in self.compilers if o.endswith(f"/{file}.o")]
        needs = self.output("ninja", "-C", self.build, "-t", "deps")
        found = []
        for block in needs.split("\n\n"):
            name = block.split(":", 1)[0]
            if name in self.compilers and "ic_tests" not in name and f"tree/{file}\n" in block + "\n":
                found.append(name)
        return found

    def compile(self, file, text):
        """Mutated objects by their originals; None if it does not compile, {} if the machine code is the same."""
        self.serial += 1
        overlay, changed = self.folder / "mutant", {}
        shutil.rmtree(overlay, ignore_errors=True)
        (overlay / file).parent.mkdir(parents=True)
        (overlay / file).write_text(text)
        for number, name in enumerate(self.objects_of(file)):
            source = self.tree / name.split(".dir/", 1)[1].removesuffix(".o")
            mutated = overlay / source.relative_to(self.tree)
            new, original = f"{overlay}/{self.serial}-{number}.o", self.build / name
            command = self.compilers[name].replace(f" -I{self.tree} ", f" -I{overlay} -I{self.tree} ", 1)
            command = re.sub(r" -MD .* -c .*", "", command) + f" -w -o {new} -c "
            command += str(mutated if mutated.exists() else source)
            if subprocess.run(command, shell=True, cwd=self.build, stderr=subprocess.DEVNULL).returncode != 0:
                return None
            if Path(new).read_bytes() != original.read_bytes():
                changed[name] = new
        return changed

    def run(self, step, limit):
        """Whether the step passed, and its processor time. A program that hangs fails."""
        words = step.split()
        command = [str(self.build / "impactcheck-tests"), step]
        if words[0] == "verify":
            command = [str(self.build / "impactcheck"), *words, "--own", "--quiet", "--jobs", "1"]

        def limits():
            # the soft limit: a test of limits raises it in its child process
            resource.setrlimit(resource.RLIMIT_CPU, (int(limit) + 1, resource.getrlimit(resource.RLIMIT_CPU)[1]))
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as scratch:
            process = subprocess.Popen(command, cwd=scratch, env={**os.environ, "IC_TESTS_PART": GALLERY}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, start_new_session=True, preexec_fn=limits)
            self.in_time = True
            try:
                status = process.wait(timeout=CLOCK * (limit + 1))
            except subprocess.TimeoutExpired:
                status = -signal.SIGKILL
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
                process.wait()
        self.in_time = status not in (-signal.SIGKILL, -signal.SIGXCPU)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return status == 0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime

    def judge(self, mutant, text, steps):
        """The result for a mutant, and the step that decided it."""
        changed = self.compile(mutant.file, mutant.apply(text))
        if changed is None:
            return "not compiling", ""
        if not changed:
            return "same code", ""
        for step in steps:
            limit = SLOWER * self.time_of(step) + SECONDS
            if limit == math.inf:
                continue
            self.link_for(step, changed)
            if not self.run(step, limit)[0]:
                return "killed", step + ("" if self.in_time else ", by time")
        return "survived", " | ".join(steps)


# ---- selection of mutants

def product_files():
    listed = subprocess.run([str(ROOT / "tools/list-files.sh"), *(f"{room}/*.c" for room in ROOMS)], check=True,
                            capture_output=True, text=True).stdout
    return listed.split()


def draw(n, seed):
    """The same number from each room; within a room all mutants are equally probable."""
    chosen, files, draws = [], product_files(), random.Random(seed)
    rooms = {room: [m for f in files if f.startswith(room + "/") for m in mutants_of(f, (ROOT / f).read_text())]
             for room in ROOMS}
    for i in range(n):
        room = rooms[ROOMS[i % len(ROOMS)]]
        chosen.append(room.pop(draws.randrange(len(room))))
    return chosen


def asked(arguments):
    if arguments.random is not None:
        return draw(arguments.random, arguments.seed)
    chosen = []
    for name in arguments.file:
        file, _, line = name.partition(":")
        if not (ROOT / file).is_file() or not file.endswith((".c", ".h")):
            fail(f'"{file}" is no C file below the root of the project')
        if line and not line.isdigit():
            fail(f'"{name}": behind the colon stands the number of a line')
        chosen += [m for m in mutants_of(file, (ROOT / file).read_text()) if not line or m.line == int(line)]
    return chosen


def arguments_of():
    parser = argparse.ArgumentParser(prog="tools/check-mutants.sh", description="Which mutants of product code survive the suites.")
    parser.add_argument("file", nargs="*", metavar="FILE[:LINE]", help="all mutants of a file, or of one line")
    parser.add_argument("--random", type=int, metavar="N", help="N mutants, of " + ", ".join(ROOMS))
    parser.add_argument("--seed", type=int, default=1, help="which ones; default 1")
    parser.add_argument("--only", metavar="TEXT", help="those whose line, as mutated, has this text")
    parser.add_argument("--list", action="store_true", help="print them, and judge none")
    parser.add_argument("--self-test", action="store_true", help="what is found in a sample, and the tables; needs no build")
    parser.add_argument("--folder", default="build-mutants", help="where they are built; default build-mutants")
    arguments = parser.parse_args()
    if not arguments.self_test and bool(arguments.file) == (arguments.random is not None):
        parser.error("either files or --random N")
    return arguments


def summary(counts, n):
    same, listed = counts.get("same code", 0), counts.get("listed", 0)
    judged = counts.get("killed", 0) + counts.get("survived", 0)
    share = f"{100 * counts.get('killed', 0) / judged:.0f} %" if judged else "none"
    print(f"\n{n} mutants: {counts.get('killed', 0)} killed, {counts.get('survived', 0)} survived, {same + listed} equivalent "
          f"({same} are the same machine code, {listed} listed), {counts.get('not compiling', 0)} do not compile. "
          f"Killed of those that differ: {share}.")


def main():
    arguments, table, known = arguments_of(), read_steps(), read_equivalent()
    if arguments.self_test:
        return self_test()
    check_equivalent(known)
    chosen = [m for m in asked(arguments) if arguments.only is None or arguments.only in m.new]
    if arguments.list:
        for m in chosen: print(m)
        return 0
    if not chosen:
        fail("no mutant to judge")
    copy = Copy((ROOT / arguments.folder).resolve())
    counts, survivors = {}, []
    for m in chosen:
        begin, steps = time.monotonic(), steps_of(m.file, table)
        if not steps:
            fail(f"{m.file}: no line of tools/mutants-suites.txt says which suites cover it")
        if (m.file, m.old, m.new) in known:
            fate, by = "listed", known[m.file, m.old, m.new]
        else:
            fate, by = copy.judge(m, (copy.tree / m.file).read_text(), steps)
        counts[fate] = counts.get(fate, 0) + 1
        if fate == "survived":
            survivors.append(m)
        print(f"{fate.upper() if fate == 'survived' else fate:13} {m}  [{by}; {time.monotonic() - begin:.0f} s]", flush=True)
    if survivors:
        print("\nsurvived:")
        for m in survivors: print(f"  {m.file}:{m.line}\n    - {m.old}\n    + {m.new}")
    summary(counts, len(chosen))
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
