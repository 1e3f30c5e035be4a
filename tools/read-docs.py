#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/read-docs.py COMMAND FILE...

Reads documents for tools/check-docs.sh, and prints a record for each command or finding, in order, ended by a zero byte, with
tabs between its fields:

    run   FILE:LINE  STATUS  COMMAND     a command that must exit with STATUS
    see   FILE:LINE  TEXT                a line that the last command must print, ignoring blanks
    skip  FILE:LINE  COMMAND             a command marked as not run
    wrong FILE:LINE  TEXT                a mistake in the document

Markdown: every line of a block fenced as ```sh is a command, with continued lines joined; `# exit N` after it is its status,
and `# not run` skips it. A following block fenced as ```text is part of its output. A block fenced as ```c is part of the file
named by the preceding comment `<!-- from FILE -->`, or must compile. Targets of links must exist, and so must files, commands
of ./run and options of COMMAND that the text names. Manual pages and their parts: the lines of the section EXAMPLES are commands, except after
the comment `not run`. A header: the worked example is
compiled, linked with the library and run, and must print what stands below it. Other files: lines of comments that begin with the name of
a tool are commands."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMAND = sys.argv[1]
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
TREE = ("adapters", "audit", "bench", "cases", "cli", "core", "docs", "examples", "include", "proofs", "reference", "reports", "solvers", "sweep", "templates", "tools", "validation")
PATH = re.compile(r"(?:%s)/[\w./-]+" % "|".join(TREE))


def say(*fields):
    print(*fields, sep="\t", end="\0")


def offered(*words):
    said = subprocess.run([COMMAND, "complete", *words], capture_output=True, text=True, check=True).stdout
    return {line.split("\t")[0] for line in said.splitlines()}


OPTIONS = {name: offered("--options", name) | {"--help"} for name in offered("--commands")}
with open(os.path.join(ROOT, "run"), encoding="utf-8") as stream:
    RUN = {name for words in re.findall(r"^([a-z-]+(?: \| [a-z-]+)*)\)", stream.read(), re.M) for name in words.split(" | ")}


def command(place, line):
    """A line of a block of commands."""
    line = line.strip()
    if not line or line.startswith("#"):
        return
    if "# not run" in line:
        say("skip", place, line)
        return
    status = re.search(r"# exit (\d+)", line)
    say("run", place, status[1] if status else "0", line)


def commands(path, block, first):
    """Lines of a block, joined after a backslash."""
    whole = ""
    for number, line in enumerate(block, first):
        whole += line
        if whole.endswith("\\"):
            whole = whole[:-1]
            continue
        command(f"{path}:{number}", whole)
        whole = ""


def squeezed(text):
    return [" ".join(line.split()) for line in text]


def fragment(path, number, block, source):
    """A fragment of C, which must be in a file or compile."""
    if source:
        with open(os.path.join(ROOT, source), encoding="utf-8") as stream:
            lines = squeezed(stream.read().splitlines())
        parts, part = [], []
        for line in squeezed(block) + ["..."]:
            if line.strip("/ *") == "...":
                parts.append(part)
                part = []
            else:
                part.append(line)
        for part in filter(None, parts):
            if not any(lines[i : i + len(part)] == part for i in range(len(lines))):
                say("wrong", f"{path}:{number}", f"these lines of C are not in {source}: {part[0]} ...")
        return
    compiler = ["cc", "-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only", f"-I{ROOT}/include", "-xc", "-"]
    made = subprocess.run(compiler, input="\n".join(block), capture_output=True, text=True, check=False)
    if made.returncode:
        say("wrong", f"{path}:{number}", "this C does not compile: " + made.stderr.replace("\n", " ")[:300])


def anchor(heading):
    return re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-")


def headings(path):
    with open(path, encoding="utf-8") as stream:
        return {anchor(re.sub(r"^#+ ", "", line)) for line in stream if re.match(r"#+ ", line)}


def link(path, place, target):
    if re.match(r"https?:|mailto:", target):
        return
    file, _, part = target.partition("#")
    file = os.path.normpath(os.path.join(os.path.dirname(path), file)) if file else path
    if not os.path.exists(file):
        say("wrong", place, f"there is no {target}")
    elif part and part not in headings(file):
        say("wrong", place, f"there is no heading for {target}")


def name(place, code):
    """Checks the text between backticks."""
    words = code.split()
    if words[0] == "./run" and len(words) > 1 and words[1] not in RUN:
        say("wrong", place, f"./run has no command {words[1]}")
    if words[0].removeprefix("build/") in ("impactcheck", "impactcheck-gsl"):
        words = words[1:]
    if words and words[0] in OPTIONS and (len(words) == 1 or not re.match(r"\w+$", words[1])):
        for option in re.findall(r"(?<!\S)--[a-z][a-z-]*", code):
            if option not in OPTIONS[words[0]]:
                say("wrong", place, f"{words[0]} has no option {option}")
    file = PATH.fullmatch(code.split(":")[0])
    if file and not re.search(r"(^|/)my_|[A-Z]{4}|impactcheck-enclosures", code) and not os.path.exists(os.path.join(ROOT, file[0])):
        say("wrong", place, f"there is no {file[0]}")


def markdown(path, shown, lines):
    fence, block, first, source = None, [], 0, None
    for number, line in enumerate(lines, 1):
        place = f"{shown}:{number}"
        if line.lstrip().startswith("```"):
            if fence is None:
                fence, block, first = line.strip()[3:], [], number + 1
                continue
            if fence == "sh":
                commands(shown, block, first)
            elif fence == "c":
                fragment(shown, first, block, source)
            elif fence == "text":
                for here, text in enumerate(squeezed(block), first):
                    if text not in ("", "..."):
                        say("see", f"{shown}:{here}", text)
            fence, source = None, None
        elif fence is not None:
            block.append(line)
        else:
            source = (re.match(r"<!-- from (\S+) -->", line) or [None, source if not line.strip() else None])[1]
            for code in CODE.findall(line):
                name(place, code)
            for target in LINK.findall(CODE.sub("", line)):
                link(path, place, target)


def manual(shown, lines):
    within, asked = False, True
    for number, line in enumerate(lines, 1):
        if line.startswith((".SH", "[")):
            within = "EXAMPLES" in line
        elif line.startswith('.\\" not run'):
            asked = False
        elif within and not line.startswith("."):
            line = line.replace("\\-", "-").replace("\\(aq", "'")
            command(f"{shown}:{number}", line if asked else line + " # not run")
            asked = True


def comments(shown, lines):
    for number, line in enumerate(lines, 1):
        found = re.match(r"\s*[#*]\s{2,}((?:cc|build/impactcheck) .*)", line)
        if found:
            command(f"{shown}:{number}", found[1])


def worked_example(shown, lines):
    """The program of a header's first comment, in the section A WORKED EXAMPLE, and what it prints."""
    first = lines.index(" * A WORKED EXAMPLE") + 1
    blocks = [[]]
    for line in lines[first : lines.index(" * THE MODEL")]:
        if line.startswith(" *     ") or (line == " *" and blocks[-1]):
            blocks[-1].append(line[7:])
        elif blocks[-1]:
            blocks.append([])
    program, printed = (blocks + [[]])[:2]
    build = 'cc -std=c17 -Wall -Werror -Iinclude -xc - -xnone build/libimpactcheck.a -lm -o "$program"'
    say("run", f"{shown}:{first}", "0", "\n".join([f"program=$(mktemp); {build} <<'END'", *program, "END", '"$program" && rm "$program"']))
    for text in filter(None, squeezed(printed)):
        say("see", f"{shown}:{first}", text)


for document in sys.argv[2:]:
    shown_as = os.path.relpath(document, ROOT)
    if shown_as.startswith(".."):
        shown_as = os.path.basename(document)
    with open(document, encoding="utf-8") as stream:
        content = stream.read().splitlines()
    if document.endswith(".md"):
        markdown(document, shown_as, content)
    elif document.endswith((".1", ".h2m")):
        manual(shown_as, content)
    elif document.endswith(".h"):
        worked_example(shown_as, content)
    else:
        comments(shown_as, content)
