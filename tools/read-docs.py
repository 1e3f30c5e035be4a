#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""tools/read-docs.py COMMAND FILE...

Reads documents for tools/check-docs.sh, and prints a record for each thing to be done, in order, ended by a zero byte, with tabs between its fields:

    run   FILE:LINE  STATUS  COMMAND     it has to exit with STATUS
    job   FILE, JOB  STATUS  SCRIPT      so has a job of CI
    see   FILE:LINE  TEXT                the last command's output has to have this line, blanks aside
    skip  FILE:LINE  COMMAND             it is not run, and says so
    wrong FILE:LINE  TEXT                it is not as it should be, for TEXT

Of Markdown, in blocks fenced as ```sh every line is a command, continued lines joined: `# exit N` behind it is its status, `# not run` is not run. A
block fenced as ```text behind it is what it prints, in part. A block fenced as ```c is a part of the file that the comment `<!-- from FILE -->` above it
names, or a file that compiles. Links lead to files and headings that exist; names of files, of commands of ./run and of options of COMMAND exist.
Of manual pages the lines of the section EXAMPLES are commands, but for those behind the comment `not run`; of other files those that begin with a tool's
name in a comment; of CI's YAML the steps of a job are one script."""
import os
import re
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
COMMAND = sys.argv[1]
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^)\s]+)\)")
TREE = ("adapters", "audit", "bench", "cases", "cli", "core", "docs", "examples", "include", "reference", "reports", "solvers", "sweep", "tools", "validation")
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
    """Lines of a block, those that end with a backslash joined."""
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
    """C that has to be in a file, or to compile."""
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
    """What stands between backticks in the text."""
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
                for text in filter(lambda t: t not in ("", "..."), squeezed(block)):
                    say("see", f"{shown}:{first}", text)
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
        if line.startswith(".SH"):
            within = "EXAMPLES" in line
        elif line.startswith('.\\" not run'):
            asked = False
        elif within and not line.startswith("."):
            line = line.replace("\\-", "-").replace("\\(aq", "'")
            command(f"{shown}:{number}", line if asked else line + " # not run")
            asked = True


def jobs(shown, path):
    import yaml  # pylint: disable=import-outside-toplevel; yamllint brings it

    with open(path, encoding="utf-8") as stream:
        text = yaml.safe_load(stream)
    for job, content in (text.get("jobs") or text).items():
        if not isinstance(content, dict):
            continue
        steps = [step["run"] for step in content.get("steps", []) if "run" in step]
        steps += content.get("before_script", []) + content.get("script", [])
        if steps:
            say("job", f"{shown}, {job}", "0", "\n".join(["set -e", *steps]))


def comments(shown, lines):
    for number, line in enumerate(lines, 1):
        found = re.match(r"\s*[#*]\s{2,}((?:cc|build/impactcheck) .*)", line)
        if found:
            command(f"{shown}:{number}", found[1])


for document in sys.argv[2:]:
    shown_as = os.path.relpath(document, ROOT)
    if shown_as.startswith(".."):
        shown_as = os.path.basename(document)
    with open(document, encoding="utf-8") as stream:
        content = stream.read().splitlines()
    if document.endswith(".md"):
        markdown(document, shown_as, content)
    elif document.endswith(".1"):
        manual(shown_as, content)
    elif document.endswith(".yml"):
        jobs(shown_as, document)
    else:
        comments(shown_as, content)
