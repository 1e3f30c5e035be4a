#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/make-schemas.py FOLDER

Writes FOLDER/NAME.schema.json, a JSON schema that stands by itself, for each reports/schema/NAME.yaml. Such a file has
the title, the document and the definitions of its own; shared.yaml has those that several schemas use; with `uses: OTHER`,
those of OTHER.yaml are known as well.

    NAME: TYPE; DESCRIPTION     a member of an object, which has no others; NAME, NAME: members of one type
    NAME?: ...                  one that may be missing
    NAME[]: ... or NAME{}: ...  an array of such values, or an object with such values
    NAME; DESCRIPTION: ...      a description of what has parts
    [a, b]                      one of these values
    +KEYWORD: ...               a keyword of JSON Schema as it is
    +partial: true              an object of which other schemas say the rest

TYPE: names of JSON's types with | between them, or $NAME of a definition; then >=0 or >0 (bounds), {} (an object with
such values) or [] (an array of such values)."""
import json
import re
import sys
from pathlib import Path

import yaml

SOURCES = Path(__file__).resolve().parent.parent / "reports/schema"
TYPES = {"string", "number", "integer", "boolean", "null", "object", "array"}
SUB_SCHEMAS = {"items", "additionalProperties", "propertyNames", "if", "then", "else"}
BOUNDS = {">=": "minimum", ">": "exclusiveMinimum"}


def type_of(text):
    if text.endswith("[]"):
        return {"type": "array", "items": type_of(text[:-2])}
    if text.endswith("{}"):
        return {"type": "object", "additionalProperties": type_of(text[:-2])}
    if text.startswith("$"):
        return {"$ref": "#/$defs/" + text[1:]}
    names, bound, least = re.fullmatch(r"([a-z|]+)(?:(>=?)(\d+))?", text).groups()
    types = names.split("|")
    if not TYPES.issuperset(types):
        raise ValueError(f"no type: {text}")
    return {"type": types if len(types) > 1 else types[0]} | ({BOUNDS[bound]: int(least)} if bound else {})


def members_of(source):
    """Name, schema and whether it may be missing, of each member of an object; or of each definition."""
    for key, value in source.items():
        names, _, description = key.partition("; ")
        for name in names.split(", ") if key[0] != "+" else []:
            bare = name.rstrip("?")
            made = schema(value)
            if bare.endswith("[]"):
                made = {"type": "array", "items": made}
            elif bare.endswith("{}"):
                made = {"type": "object", "additionalProperties": made}
            yield bare.rstrip("[]{}"), made | ({"description": description} if description else {}), name[-1] == "?"


def object_of(source):
    """Members and keywords of a schema."""
    keywords = {key[1:]: keyword(key[1:], value) for key, value in source.items() if key[0] == "+"}
    members, open_ = list(members_of(source)), keywords.pop("partial", False)
    required = [name for name, _, optional in members if not optional] + keywords.pop("required", [])
    closed = {"type": "object", "properties": {name: made for name, made, _ in members}}
    closed |= {} if open_ else {"additionalProperties": False}
    return (closed if members else {}) | ({"required": required} if required else {}) | keywords


def keyword(name, value):
    """The value of a keyword: schemas in it are written like all others."""
    if name in ("oneOf", "allOf"):
        return [schema(item) for item in value]
    return schema(value) if name in SUB_SCHEMAS and value is not False else value


def schema(node):
    if isinstance(node, dict):
        return object_of(node)
    if isinstance(node, list):
        return {"enum": node}
    text, _, description = node.partition("; ")
    return type_of(text) | ({"description": description} if description else {})


def references(node):
    if isinstance(node, dict):
        yield from [node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else []
        node = list(node.values())
    for item in node if isinstance(node, list) else []:
        yield from references(item)


def definitions_of(path):
    source = yaml.safe_load(path.read_text())
    return source, {name: made for name, made, _ in members_of(source.get("definitions", {}))}


def main(folder):
    shared = definitions_of(SOURCES / "shared.yaml")[1]
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(set(SOURCES.glob("*.yaml")) - {SOURCES / "shared.yaml"}):
        source, own = definitions_of(path)
        others = definitions_of(SOURCES / f"{source['uses']}.yaml")[1] if "uses" in source else {}
        known, used = shared | others | own, {}
        whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": source["title"]}
        whole |= schema(source["document"])
        waiting = list(references(whole))
        while waiting:
            name = waiting.pop()
            if name not in used:
                used[name] = known[name]
                waiting += references(used[name])
        unused, again = own.keys() - used.keys(), own.keys() & shared.keys()
        if unused or again:
            raise ValueError(f"{path}: nothing uses {unused}, {again} of shared.yaml is defined again")
        text = json.dumps(whole | ({"$defs": used} if used else {}), indent=2, ensure_ascii=False)
        (folder / (path.stem + ".schema.json")).write_text(text + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
