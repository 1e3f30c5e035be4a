#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check-papers.py [--derive]

Checks that docs/claims/NAME.md, which reads a paper sentence by sentence, names exactly the rows of the paper in
reference/published/claims-NAME.csv and reference/errata.csv. --derive: checks that reference/derivations/NAME.py derives exactly
the misprints and the possible faults of the scan and, by their names, the equations (equations-NAME.csv) that rows measure; needs
sympy. Planted mistakes must be found.
"""
import csv
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DERIVED = ("misprint", "as scanned")


def rows_of(path):
    lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
    return list(csv.DictReader(lines, delimiter=";"))


def source_of(rows):
    """The paper that most rows refer to; rows of "impactcheck" are our own findings."""
    sources = [row["source"] for row in rows if row["source"] != "impactcheck"]
    return max(set(sources), key=sources.count)


def named_in(text):
    """Ids in backquotes in the last column of the tables."""
    names = []
    for line in text.splitlines():
        if line.startswith("|"):
            names += re.findall(r"`([^`]+)`", line.rstrip("| ").rsplit("|", 1)[-1])
    return names


def faults_of(name, ids, text):
    """Mistakes in a paper's table."""
    used, faults = set(), []
    for wanted in named_in(text):
        found = {i for i in ids if i == wanted or (wanted.endswith("*") and i.startswith(wanted[:-1]))}
        if not found:
            faults.append(f"docs/claims/{name}.md: there is no row {wanted!r}")
        used |= found
    return faults + [f"docs/claims/{name}.md: does not name the row {i!r}" for i in sorted(ids - used)]


def to_derive(row):
    """The equation that a row measures; else a misprint or a possible fault of the scan, by its id; else None."""
    equation = re.match(r"equation\([^;]*; ([^;]*);", row["measure"])
    return equation[1] if equation else row["id"] if row["kind"] in DERIVED else None


def underived(name, ids):
    """Mistakes in a paper's derivations; `ids` are what it must derive."""
    path = ROOT / "reference" / "derivations" / f"{name}.py"
    if not path.exists():
        return [f"reference/derivations/{name}.py derives {i!r}: there is no such file" for i in sorted(ids)]
    run = subprocess.run([sys.executable, "-B", path], capture_output=True, text=True, check=False)
    sys.stdout.write(run.stdout)
    derived = {line.split(":")[0] for line in run.stdout.splitlines() if ": derived; " in line}
    faults = [f"reference/derivations/{name}.py does not derive {i!r}" for i in sorted(ids - derived)]
    faults += [f"reference/derivations/{name}.py derives {i!r}, which no row needs" for i in sorted(derived - ids)]
    if run.returncode != 0:
        faults.append(f"reference/derivations/{name}.py: exit status {run.returncode}\n{run.stderr}")
    return faults


def main():
    derive = sys.argv[1:] == ["--derive"]
    if sys.argv[1:] and not derive:
        sys.exit(__doc__)
    errata = rows_of(ROOT / "reference" / "errata.csv")
    faults, papers = [], sorted((ROOT / "reference" / "published").glob("claims-*.csv"))
    for path in papers:
        name, claims = path.stem.removeprefix("claims-"), rows_of(path)
        about = [row for row in errata if row["source"] == source_of(claims)]
        ids = {row["id"] for row in claims + about}
        text = (ROOT / "docs" / "claims" / f"{name}.md").read_text()
        faults += faults_of(name, ids, text)
        for planted in (faults_of(name, ids | {"planted"}, text), faults_of(name, ids, text + "\n| a | b | `planted` |\n")):
            if not any("planted" in fault for fault in planted):
                faults.append(f"{name}: a planted mistake was not found")
        table = ROOT / "reference" / "published" / f"equations-{name}.csv"
        equations = {row["of"] for row in rows_of(table) if not row["name"]} if table.exists() else set()
        faults += [f"{name}: no row measures the equation {i!r}" for i in sorted(equations - set(map(to_derive, claims + about)))]
        if derive:
            faults += underived(name, set(map(to_derive, claims + about)) - {None})
    also = ", each misprint and equation its derivation" if derive else ""
    print("\n".join(faults) or f"{len(papers)} papers: each row has its sentence" + also)
    sys.exit(1 if faults or not papers else 0)


if __name__ == "__main__":
    main()
