#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/check-schemas.py COMMAND [CHANGES]

Checks the schemas that `impactcheck schema` writes for editors against the readers: both accept all case files and
scenes of this project and the seeds of the fuzzer that are right, and both refuse a key that is unknown, a key that is
missing, and a text in place of a mapping, at CHANGES places (default: 3) of each file. Part of tools/check-reports.sh."""
import copy
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from jsonschema import Draft7Validator

ROOT = Path(__file__).resolve().parent.parent
READS = {
    "case": ["list", "cases"],
    "scene": ["audit", "--engine", "/bin/false", "--scenes"],
    "ci": ["ci"],
}
FILES = {
    "case": ["cases/*.yaml", "examples/machines/*.yaml", "tests/fuzz/corpus/casefile/*"],
    "scene": ["scenes/*.yaml", "tests/fuzz/corpus/scene/*"],
    "ci": ["examples/ci/*.yaml"],
}
# faults of structure, which a schema must find, too
STRUCTURE = re.compile(r"unknown key|: an? [a-z ]+ needs |the material needs |not both|expected a mapping: KEY")


class Loader(yaml.SafeLoader):
    """YAML 1.2, as editors read it: `on` is a text."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern in (("bool", "true|false"), ("null", "|~|null"), ("int", r"[-+]?[0-9]+"),
                     ("float", r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")):
    Loader.add_implicit_resolver(f"tag:yaml.org,2002:{tag}", re.compile(f"^({pattern})$"), None)
Loader.add_constructor("tag:yaml.org,2002:float", lambda loader, node: float(loader.construct_scalar(node)))


def with_names(node):
    """JSON's keys are texts."""
    if isinstance(node, dict):
        return {str(key): with_names(value) for key, value in node.items()}
    return [with_names(item) for item in node] if isinstance(node, list) else node


def mappings(node, overrides=False):
    """All mappings, each with the place of which it is the value, and whether it may lack keys that others have."""
    for key, value in node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ():
        inside = overrides or key == "variants" or "like" in node
        if isinstance(value, dict) and value:
            yield node, key, inside
        yield from mappings(value, inside)


def changed(document, chance):
    """The document with one fault of structure."""
    document = {"whole": copy.deepcopy(document)}
    node, key, overrides = chance.choice(list(mappings(document)))
    kind, name = chance.randrange(2 if overrides else 3), chance.choice(list(node[key]))
    if kind == 0:
        node[key]["unheard_of"] = "1"
    elif kind == 1:
        node[key][name] = "nothing"
    else:
        del node[key][name]
    return document["whole"]


def said_by_reader(command, kind, path):
    run = subprocess.run([command, *READS[kind], path], capture_output=True, text=True, cwd=ROOT, check=False)
    return run.stderr if run.returncode == 2 else ""


def main(command, changes=3):
    chance, failures, refused, accepted = random.Random(1), [], 0, 0
    for kind, patterns in FILES.items():
        written = subprocess.run([command, "schema", kind], capture_output=True, text=True, check=True).stdout
        schema = json.loads(written)
        Draft7Validator.check_schema(schema)
        validator = Draft7Validator(schema)
        with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
            for path in sorted(path for pattern in patterns for path in ROOT.glob(pattern)):
                try:
                    document = with_names(yaml.load(path.read_text(), Loader))
                except (yaml.YAMLError, UnicodeDecodeError, ValueError):
                    continue  # a seed that is not YAML
                documents = [document]
                if path.suffix == ".yaml":
                    documents += [changed(document, chance) for _ in range(int(changes))]
                for number, document in enumerate(documents):
                    file.seek(0)
                    file.truncate()
                    yaml.safe_dump(document, file, sort_keys=False, allow_unicode=True, width=10000)
                    file.flush()
                    said = said_by_reader(command, kind, str(path) if number == 0 else file.name)
                    error = next(validator.iter_errors(document), None)
                    accepted += not said and not error
                    refused += bool(error)
                    where = f"{path.relative_to(ROOT)}, change {number}"
                    if error and not said:
                        failures.append(f"{where}: only the schema refuses it: {list(error.path)}: {error.message[:200]}")
                    if STRUCTURE.search(said) and not error:
                        failures.append(f"{where}: only the reader refuses it: {said[:300]}")
    print(*failures, sep="\n", end="\n" if failures else "")
    if not accepted or not refused:
        sys.exit("check-schemas: nothing was accepted, or nothing refused")
    print(f"readers and schemas accept {accepted} files and refuse {refused}; they disagree about {len(failures)}")
    sys.exit(bool(failures))


if __name__ == "__main__":
    main(*sys.argv[1:])
