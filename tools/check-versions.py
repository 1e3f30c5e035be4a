#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check-versions.py [--release] [ROOT]    compares what names a version or a date; prints the version
tools/check-versions.py --self-test            fails unless planted mistakes are found

The version is that of CMakeLists.txt. CITATION.cff must follow the rules of its format, version 1.2.0, as far as they concern
us, and agree with codemeta.json; with --release, both agree with the newest section of CHANGELOG.md. Exit status 2: a mistake."""
import datetime
import json
import re
import sys
import tempfile
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
REQUIRED = {"cff-version", "message", "title", "authors"}
KNOWN = REQUIRED | {"type", "abstract", "version", "date-released", "license", "keywords", "commit", "doi", "identifiers",
                    "preferred-citation", "references", "repository", "repository-artifact", "repository-code", "url", "contact"}
OF_AUTHORS = {"name", "family-names", "given-names", "orcid", "affiliation", "email", "alias", "website"}


def mistakes_of_cff(cff):
    """The rules of https://citation-file-format.github.io, version 1.2.0."""
    yield from (f"no key {key}" for key in sorted(REQUIRED - cff.keys()))
    yield from (f"no such key: {key}" for key in sorted(cff.keys() - KNOWN))
    yield from (f"{key} is no text" for key in ("title", "message", "version", "license") if not isinstance(cff.get(key, ""), str))
    if cff.get("cff-version") != "1.2.0":
        yield "cff-version is not 1.2.0"
    if cff.get("type", "software") not in ("software", "dataset"):
        yield f"type {cff['type']}"
    if not isinstance(cff.get("date-released"), datetime.date):
        yield "date-released is no date YYYY-MM-DD"
    for author in cff.get("authors") or [{}]:
        if not author.keys() <= OF_AUTHORS or not author.keys() & {"name", "family-names", "alias"}:
            yield f"author {author}: a name or family-names is expected"


def mistakes(root, release):
    """The version, then the mistakes."""
    version = re.search(r"project\(\s*impactcheck\s+VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text())[1]
    yield version
    cff = yaml.safe_load((root / "CITATION.cff").read_text())
    yield from (f"CITATION.cff: {text}" for text in mistakes_of_cff(cff))
    date = str(cff.get("date-released"))
    meta = json.loads((root / "codemeta.json").read_text())
    authors = [author["name"] for author in meta["author"]]
    section = re.search(r"^## \[?([0-9][^]\s]*)\]?(?: - (\S+))?", (root / "CHANGELOG.md").read_text(), re.M)
    found = [("CITATION.cff", "version", cff.get("version"), version), ("codemeta.json", "version", meta["version"], version),
             ("codemeta.json", "datePublished", meta["datePublished"], date),
             ("codemeta.json", "author", authors, [author.get("name") for author in cff.get("authors") or []]),
             ("codemeta.json", "license", meta["license"].rsplit("/", 1)[-1], cff.get("license"))]
    if release and section:
        found += [("CHANGELOG.md", "newest section", section[1], version), ("CHANGELOG.md", "its date", section[2], date)]
    elif release:
        yield f"CHANGELOG.md: no section; expected: ## [{version}] - {date}"
    yield from (f"{file}: {what}: {value}, expected: {wanted}" for file, what, value, wanted in found if value != wanted)


def check(root, release=False):
    version, *wrong = mistakes(root, release)
    return version, wrong


PLANTED = [("CITATION.cff", r"^version: .*", "version: 0.0.9", "version: 0.0.9"), ("CITATION.cff", r"^title: .*\n", "", "no key title"),
           ("CITATION.cff", r"^date-released: .*", "date-released: soon", "no date"), ("CITATION.cff", r"- name:", "- who:", "author"),
           ("codemeta.json", r'"version": "[^"]*"', '"version": "9"', "codemeta.json: version"),
           ("codemeta.json", r'licenses/\w+', "licenses/GPL-3.0", "license"), ("CHANGELOG.md", r"\A", "## [0.0.1] - 2026-01-01\n", "newest section"),
           ("CHANGELOG.md", r"\A(?s:.*)\Z", "", "no section"),
           ("CMakeLists.txt", r"VERSION [0-9.]+$", "VERSION 7.0.0", "expected: 7.0.0")]


def self_test():
    for file, pattern, replacement, wanted in PLANTED:
        with tempfile.TemporaryDirectory() as folder:
            for name in ("CMakeLists.txt", "CITATION.cff", "codemeta.json", "CHANGELOG.md"):
                text = (ROOT / name).read_text()
                if name == file:
                    text, count = re.subn(pattern, replacement, text, count=1, flags=re.M)
                    assert count, f"{file} has no {pattern}"
                (Path(folder) / name).write_text(text)
            wrong = check(Path(folder), file == "CHANGELOG.md")[1]
        if not any(wanted in text for text in wrong):
            sys.exit(f"planted mistake not found: {file}: {replacement}")


if __name__ == "__main__":
    if sys.argv[1:] == ["--self-test"]:
        self_test()
        sys.exit()
    arguments = [argument for argument in sys.argv[1:] if argument != "--release"]
    number, found_wrong = check(Path(arguments[0]) if arguments else ROOT, "--release" in sys.argv)
    print(*found_wrong, sep="\n", end="\n" if found_wrong else "", file=sys.stderr)
    print(number)
    sys.exit(2 if found_wrong else 0)
