#!/usr/bin/python3
# SPDX-License-Identifier: MIT
"""tools/make-site.py [COMMAND [FOLDER]]
tools/make-site.py --self-test            fails unless planted dead links are found

Writes the documents as web pages with navigation and search into FOLDER (default: build/site), by Sphinx with myst-parser and
furo, Debian's packages. Documents are read where they stand; a page for each case, law, check and mistake is made of what
COMMAND (default: build/impactcheck) lists as JSON. A link that leads nowhere is an error. Pages need no network."""
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
# Part of the navigation, its documents without .md, and lists of the command of which pages are made.
PARTS = [
    ("Tutorials", ["docs/guide", "docs/python"], []),
    ("How-to", ["docs/engines", "docs/scenes", "reports/engines/README", "CONTRIBUTING"], []),
    ("Reference", ["docs/usage", "docs/case-files", "docs/proof-format", "docs/glossary", "CHANGELOG"],
     ["cases", "laws", "checks", "mistakes"]),
    ("Explanation", ["docs/semantics", "docs/derivatives", "docs/audit", "docs/limits", "reports/engine-audit",
                     "docs/decisions/README", "paper/paper"], []),
]
# Members of a list's entry that its heading, tables and equations say.
LEFT_OUT = {"name", "text", "sketch", "linear_view", "case", "preset", "t_end"}
EMPTY = (None, "", [], {})
LARGEST = 1000000  # bytes of a page
CONFIGURATION = """
project = "Impactcheck"
copyright = "Impactcheck contributors, MIT licence"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "Impactcheck {version}"
html_show_sphinx = html_copy_source = False
myst_heading_anchors = 4
suppress_warnings = ["myst.header"]
"""


def shown(value):
    """A value of the command's JSON within a line."""
    if isinstance(value, list):
        return ", ".join(map(shown, value))
    if isinstance(value, dict):
        return "; ".join(f"{name}: {shown(item)}" for name, item in value.items() if item not in EMPTY)
    return re.sub(r"([|\\\\*_`<$\\[])", r"\\\1", str(value)).replace("\n", " ") if value not in EMPTY else ""


def table(rows):
    names = [name for name in rows[0] if name not in LEFT_OUT - {"name"} and any(row.get(name) not in EMPTY for row in rows)]
    yield "| " + " | ".join(names) + " |\n" + "|---" * len(names) + "|"
    yield from ("| " + " | ".join(shown(row.get(name)) for name in names) + " |" for row in rows)
    yield ""


def body(entry, level):
    """An object as Markdown: texts first, then a section for each list of objects: a table, or its objects one by one."""
    lists = {name: value for name, value in entry.items() if isinstance(value, list) and value and isinstance(value[0], dict)}
    for name, value in entry.items():
        if name not in lists and name not in LEFT_OUT and value not in EMPTY:
            yield f"{name.replace('_', ' ').capitalize()}: {shown(value)}\n"
    for name, rows in lists.items():
        yield f"{'#' * level} {name.replace('_', ' ').capitalize()}\n"
        if level < 5 and any(isinstance(cell, list) and cell and isinstance(cell[0], dict) for row in rows for cell in row.values()):
            for row in rows:
                yield f"{'#' * (level + 1)} {row.get('name')}\n"
                yield from body(row, level + 2)
        else:
            yield from table(rows)


def write_pages(folder, topic, entries):
    (folder / topic).mkdir(parents=True)
    for entry in entries:
        for mode in (mode for variant in entry.get("variants", []) for mode in variant["modes"]):
            mode["flow"] = "; ".join(f"{state['name']}' = {rate}" for state, rate in zip(entry["states"], mode["flow"] or []))
        sections = "\n".join(body(entry, 2))
        (folder / topic / f"{entry['name']}.md").write_text(f"# {entry['name']}\n\n{sections}")
    rows = [f"| [{entry['name']}]({topic}/{entry['name']}.md) | {shown(entry.get('title') or entry.get('meaning'))} |" for entry in entries]
    (folder / f"{topic}.md").write_text(
        f"# {topic.capitalize()}\n\n| name | meaning |\n|---|---|\n" + "\n".join(rows) + toctree(f"{topic}/*", ":glob:"))


def toctree(pages, *options):
    return "\n\n```{toctree}\n" + "\n".join((":hidden:", ":maxdepth: 1", *options)) + f"\n\n{pages}\n```\n"


def mirror(folder, command):
    """The project's files by links; its documents with links to folders that lead to lists of their files; the pages."""
    lists = set()

    def to_list(match, path):
        target = (path.parent / match[1]).resolve()
        if target == ROOT / "README.md":
            return f"]({os.path.relpath(ROOT / 'index.md', path.parent)})"
        if not target.is_dir():
            return match[0]
        page = target / "README.md"
        if not page.exists():
            lists.add(target.relative_to(ROOT))
            page = ROOT / "pages/files" / target.relative_to(ROOT) / "index.md"
        return f"]({os.path.relpath(page, path.parent)})"

    files = subprocess.run([ROOT / "tools/list-files.sh"], capture_output=True, text=True, check=True).stdout.split("\n")[:-1]
    navigation = {f"{name}.md" for _, documents, _ in PARTS for name in documents} | {"README.md"}
    for name in files:
        copy, path = folder / name, ROOT / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix != ".md":
            copy.symlink_to(path)
            continue
        text = path.read_text()
        if text.startswith("---\n"):  # the paper, which has its title there
            title, text = re.match(r"---\ntitle: '(.*)'\n.*?\n---\n(.*)", text, re.S).groups()
            text = f"# {title}\n" + re.sub(r"^# ", "## ", text, flags=re.M)
        text = re.sub(r"\]\(([^)#:\s]+)\)", lambda match, path=path: to_list(match, path), text)
        copy.write_text(text if name in navigation else f"---\norphan: true\n---\n\n{text}")
    index = (folder / "README.md").rename(folder / "index.md").read_text()
    for part, documents, topics in PARTS:
        for topic in topics:
            listed = subprocess.run([command, "list", topic, "--json"], capture_output=True, check=True).stdout
            write_pages(folder / "pages", topic, json.loads(listed)[topic])
        index += toctree("\n".join([*documents, *(f"pages/{topic}" for topic in topics)]), f":caption: {part}")
    (folder / "index.md").write_text(index)
    for target in lists:
        page = folder / "pages/files" / target / "index.md"
        page.parent.mkdir(parents=True)
        rows = [f"- [{name}]({os.path.relpath(folder / name, page.parent)})" for name in files if name.startswith(f"{target}/")]
        page.write_text(f"---\norphan: true\n---\n\n# {target}/\n\n" + "\n".join(rows) + "\n")


# ---- what is made is read again


class Links(HTMLParser):
    """Identifiers and targets of a page, and what it would load from elsewhere."""

    def __init__(self, path):
        super().__init__()
        self.ids, self.targets, self.loads = set(), [], []
        self.feed(path.read_text())

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.ids |= {attributes.get("id"), attributes.get("name")}
        target = attributes.get("href" if tag in ("a", "link") else "src")
        if target and tag != "a" and re.match(r"(https?:)?//", target) and attributes.get("rel") != "canonical":
            self.loads.append(target)
        elif target and not re.match(r"[a-z]+:|//", target):
            self.targets.append(unquote(target))


def mistakes(folder):
    pages = {path: Links(path) for path in sorted(folder.rglob("*.html"))}
    for path, page in pages.items():
        where = path.relative_to(folder)
        if path.stat().st_size >= LARGEST:
            yield f"{where}: {path.stat().st_size} bytes, at most {LARGEST}"
        yield from (f"{where}: loads {target}" for target in page.loads)
        for target in page.targets:
            file, _, part = target.partition("#")
            there = (path.parent / file.split("?")[0]).resolve() if file else path
            if not there.exists():
                yield f"{where}: no {target}"
            elif part and there in pages and part not in pages[there].ids:
                yield f"{where}: no place {target}"


PLANTED = {"no there.html": '<a href="there.html">', "no place #there": '<a href="#there">', "loads https://x.y/z.js": '<script src="https://x.y/z.js">',
           "bytes, at most": "x" * LARGEST}


def self_test():
    for wanted, text in PLANTED.items():
        with tempfile.TemporaryDirectory() as scratch:
            (Path(scratch) / "index.html").write_text(f'<p id="here"></p><a href="#here"></a>{text}')
            found = list(mistakes(Path(scratch)))
        if len(found) != 1 or wanted not in found[0]:
            sys.exit(f"planted mistake not found: {wanted}: {found}")


def main(command=ROOT / "build/impactcheck", folder=ROOT / "build/site"):
    folder = Path(folder).resolve()
    missing = [package for module, package in (("sphinx", "python3-sphinx"), ("myst_parser", "python3-myst-parser"), ("furo", "furo"))
               if not importlib.util.find_spec(module)]
    if missing:
        print(f"make-site: not installed: {', '.join(missing)} (./run setup docs)", file=sys.stderr)
        return 3
    version = subprocess.run([command, "--version"], capture_output=True, text=True, check=True).stdout.split()[1]
    with tempfile.TemporaryDirectory() as scratch:
        source, made = Path(scratch) / "source", Path(scratch) / "made"
        source.mkdir()
        mirror(source, command)
        (source / "conf.py").write_text(CONFIGURATION.format(version=version))
        status = subprocess.run(["sphinx-build", "-q", "-W", "--keep-going", "-j", "auto", "-d", Path(scratch) / "cache", source, made], check=False).returncode
        found = list(mistakes(made))
        print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
        if status or found:
            return 1
        shutil.rmtree(folder, ignore_errors=True)
        shutil.move(made, folder)
    print(folder / "index.html")
    return 0


if __name__ == "__main__":
    sys.exit(self_test() if sys.argv[1:] == ["--self-test"] else main(*sys.argv[1:]))
