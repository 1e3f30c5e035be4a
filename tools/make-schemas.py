#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/make-schemas.py FOLDER

Writes FOLDER/NAME.schema.json, a JSON schema that stands by itself, for each reports/schema/NAME.yaml. Such a file has
the title, the document and the definitions of its own; shared.yaml has those that several schemas use; with `uses: OTHER`,
those of OTHER.yaml are known as well.

    NAME: TYPE; DESCRIPTION     a member of an object, which has no others
    NAME?: ...                  one that may be missing
    NAME[]: ...                 an array of such objects
    [a, b]                      one of these values
    +KEYWORD: ...               a keyword of JSON Schema as it is; null: not the one that would be there

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


def object_of(members):
    """Members and keywords of a schema."""
    keywords = {key[1:]: keyword(key[1:], value) for key, value in members.items() if key[0] == "+"}
    properties, required = {}, []
    for key, value in members.items():
        name = key.rstrip("?").removesuffix("[]")
        if key[0] != "+":
            properties[name] = schema({"+type": "array", "+items": value} if key.rstrip("?").endswith("[]") else value)
        if key[0] != "+" and key[-1] != "?":
            required.append(name)
    required += keywords.pop("required", [])
    closed = {"type": "object", "additionalProperties": False, "properties": properties} if properties else {}
    whole = closed | ({"required": required} if required else {}) | keywords
    return {key: value for key, value in whole.items() if value is not None}


def keyword(name, value):
    """The value of a keyword: schemas in it are written like all others."""
    if name in ("oneOf", "allOf"):
        return [schema(item) for item in value]
    return schema(value) if name in SUB_SCHEMAS and value not in (None, False) else value


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


def main(folder):
    shared = yaml.safe_load((SOURCES / "shared.yaml").read_text())
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(set(SOURCES.glob("*.yaml")) - {SOURCES / "shared.yaml"}):
        source = yaml.safe_load(path.read_text())
        others = yaml.safe_load((SOURCES / f"{source['uses']}.yaml").read_text())["definitions"] if "uses" in source else {}
        known, used = shared | others | source.get("definitions", {}), {}
        whole = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": source["title"]}
        whole |= schema(source["document"])
        waiting = list(references(whole))
        while waiting:
            name = waiting.pop()
            if name not in used:
                used[name] = schema(known[name])
                waiting += references(used[name])
        own = set(source.get("definitions", {}))
        if own - set(used) or own & set(shared):
            raise ValueError(f"{path}: nothing uses {own - set(used)}, {own & set(shared)} of shared.yaml is defined again")
        text = json.dumps(whole | ({"$defs": used} if used else {}), indent=2, ensure_ascii=False)
        (folder / (path.stem + ".schema.json")).write_text(text + "\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
