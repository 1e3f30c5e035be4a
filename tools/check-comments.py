#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""
tools/check-comments.py [FILE...]     whether each field of a struct has a comment of its own, in FILE (default: all C)
tools/check-comments.py --self-test   plants comments, each of which must be judged right

Refused is one comment above or beside several fields that lists a meaning for each, joined by semicolons: the reader has
to count. No meaning of its own has what is said of a special value ("NULL: none"), what goes on about the field before
it ("it is borrowed"), and a field that belongs to the one before it (`n_terms`, `context`).
"""
import re
import subprocess
import sys
import tempfile

SPECIAL = re.compile(r'(or )?(\w+ ){0,2}(NULL|NAN|INFINITY|none|true|false|negative|"[^"]*"|-?\d+|[A-Z]+_[A-Z_]+)(\W|$)')
GOES_ON = re.compile(r"(its?|they|there|otherwise|others?|which|formulas|solutions|never|valid|unused|until|empty|only|may) ")
COMPANION = re.compile(r"(n|room|size)(_\w+)?$|\w+_(room|size)$|context$")


def meanings(comment):
    parts = [part.strip() for part in comment.split(";") if part.strip(" .")]
    return [p for i, p in enumerate(parts) if i == 0 or not (SPECIAL.match(p) or GOES_ON.match(p))]


def fields(code):
    """Names of the fields that a declaration or several of them declare, without those that only go with one."""
    code = re.sub(r"\{.*\}", "", re.sub(r"\[[^]]*\]", "", code))
    code = re.sub(r"\(\*(\w+)\)\s*\((?:[^()]|\([^()]*\))*\)", r"\1", code)
    names = [n for d in code.split(";") for n in re.findall(r"(\w+)\s*(?:,|$)", d.strip())]
    return [n for i, n in enumerate(names) if i == 0 or not COMPANION.match(n)]


def found(path):
    """Line and text of each comment that serves several fields."""
    with open(path, encoding="utf-8", errors="replace") as file:
        lines = file.read().split("\n")
    depth, structs, at = 0, [], 0
    while at < len(lines):
        text, start = lines[at], at
        code = re.sub(r"/\*.*?\*/", "", re.sub(r'"(\\.|[^"\\])*"', '""', text))
        if re.search(r"\b(struct|union)\b[^;=()]*\{\s*$", code):
            structs.append(depth)
        elif structs and text.lstrip().startswith("/*"):
            while "*/" not in lines[at]:
                at += 1
            comment = " ".join(re.sub(r"\*/.*", "", line).strip(" /*") for line in lines[start:at + 1]).strip()
            below = lines[at].split("*/", 1)[1] + " "
            after = at + 1
            while after < len(lines) and not re.match(r"\s*(/\*|\}|#|$)", lines[after]):
                below += lines[after] + " "
                after += 1
            if len(meanings(comment)) > 1 and len(fields(re.sub(r"/\*.*?\*/", "", below))) > 1:
                yield start + 1, comment
            code = ""
        elif structs:
            beside = re.match(r"\s*(\w.*;)\s*/\*\*?<?(.*)\*/\s*$", text)
            if beside and len(meanings(beside[2])) > 1 and len(fields(beside[1])) > 1:
                yield start + 1, beside[2].strip()
        depth += code.count("{") - code.count("}")
        while structs and depth <= structs[-1]:
            structs.pop()
        at += 1


PLANTED = [  # what a struct has, and whether it is refused
    ("/* m/s^2; 1; s */ \n double g[3], e, h;", True),
    ("/* m/s^2; 1; s */\n double g[3], e, mu, h;\n size_t steps;", True),
    ("double mass, inertia; /* kg; kg m^2 */", True),
    ("/* the bodies;\n   the joints */\n body *bodies;\n joint *joints;", True),
    ("/* called at the end; the time, s */\n void (*call)(double t, void *context);\n double t;", True),
    ("/* m/s^2 */\n double g;\n\n /* 1; NAN: none */\n double e;", False),
    ("/* first and last one, s; NAN: none */\n double from, to;", False),
    ("/* terms that matter; borrowed from the tape */\n int *terms;\n size_t n_terms;", False),
    ("/* called after each; watched by the caller */\n void (*watch)(int, void *context);\n void *context;", False),
    ("/* the interval; its ends are exact */\n double from, to;", False),
    ("/* the bodies; the ground is one of them */\n body *bodies;", False),
]


def self_test():
    failures = 0
    for text, refused in PLANTED:
        with tempfile.NamedTemporaryFile("w", suffix=".h") as file:
            file.write("typedef struct thing {\n" + text + "\n} thing;\nvoid f(int a, int b); /* one; two */\n")
            file.flush()
            if bool(list(found(file.name))) != refused:
                print(f"self-test: {'not ' if refused else ''}refused: {text}")
                failures += 1
    return failures


def main(arguments):
    if arguments == ["--self-test"]:
        return 1 if self_test() else 0
    files = arguments or subprocess.run(["tools/list-files.sh", "*.h", "*.c"], check=True, capture_output=True,
                                        text=True).stdout.split()
    bad = [(path, *one) for path in files for one in found(path)]
    for path, line, comment in bad:
        print(f"{path}:{line}: one comment serves several fields: {comment}")
    print(f"{len(files)} files, {len(bad)} comments that serve several fields")
    return 1 if bad else 0


sys.exit(main(sys.argv[1:]))
