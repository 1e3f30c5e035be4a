# SPDX-License-Identifier: MIT
"""The library and the command: where they are, and how they are called."""

from __future__ import annotations

import contextlib
import html
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
from typing import Any, Callable, Iterable, Iterator, Mapping, NamedTuple

import cffi

HERE = pathlib.Path(__file__).resolve().parent


class ImpactcheckError(Exception):
    """A request that is wrong, or a run that failed: what, where, and what would be right."""

    def __init__(self, message: str | None) -> None:
        super().__init__(readable(message or "no message"))


def _folders() -> Iterator[pathlib.Path]:
    """Where the library and the command may be: in the installed package, a given build, or that of the source tree."""
    yield HERE
    yield pathlib.Path(os.environ.get("IMPACTCHECK_BUILD", HERE.parent.parent / "build"))


def _find(name: str) -> pathlib.Path:
    for folder in _folders():
        if (folder / name).exists():
            return folder / name
    places = ", ".join(str(folder) for folder in _folders())
    raise ImpactcheckError(f"{name} is not in {places}: build it (./run build), or set IMPACTCHECK_BUILD")


# Paths that mean nothing to a caller, each with what stands there in its place: see readable().
stand_ins: dict[str, Callable[[int], str]] = {}


def readable(message: str) -> str:
    """A message in which files and commands that are our own stand by what they are for."""
    for path, name in stand_ins.items():
        found = re.compile("'?" + re.escape(path) + r"'?(?::(\d+)(?::\d+)?)?")
        message = found.sub(lambda match, name=name: name(int(match[1] or 0)), message)  # type: ignore[misc]
    return message


@contextlib.contextmanager
def standing_in(path: str, name: Callable[[int], str]) -> Iterator[None]:
    """Within this, messages have the name in place of the path; it may say the line, 0 if there is none."""
    stand_ins[path] = name
    try:
        yield
    finally:
        del stand_ins[path]


def table(title: str, good: bool | None, heads: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table for notebooks, below a line in the colour of its verdict."""
    def cells(kind: str, texts: Iterable[str]) -> str:
        escaped = (html.escape(one) for one in texts)
        return "<tr>" + "".join(f"<{kind} style='text-align:left'>{one}</{kind}>" for one in escaped) + "</tr>"

    colour = {True: "#1a7f37", False: "#b3261e", None: "inherit"}[good]
    return (f"<p><b style='color:{colour}'>{html.escape(title)}</b></p>"
            f"<table>{cells('th', heads)}{''.join(cells('td', row) for row in rows)}</table>")


ffi = cffi.FFI()
ffi.cdef(_find("impactcheck-python.txt").read_text())
lib: Any = ffi.dlopen(str(_find("impactcheck-python.so")))


def text(pointer: Any) -> Any:
    """A string of C's, or None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode()


def command() -> str:
    """Path of the command `impactcheck`."""
    try:
        return str(_find("impactcheck"))
    except ImpactcheckError:
        path = shutil.which("impactcheck")
        if path is None:
            raise
        return path


class Ended(NamedTuple):
    """What the command printed, and its exit status."""

    stdout: str
    stderr: str
    status: int


def execute(*arguments: str, meanwhile: Callable[[subprocess.Popen[bytes]], None] | None = None) -> Ended:
    """Run the command, and something else beside it. What ends this, as Ctrl-C, ends the command and all its own."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen([command(), *arguments], stdin=subprocess.DEVNULL, stdout=out, stderr=err)
        try:
            if meanwhile is not None:
                meanwhile(process)
            process.wait()
        except BaseException:
            process.terminate()
            process.wait()
            raise
        said = []
        for stream in (out, err):
            stream.seek(0)
            said.append(stream.read().decode(errors="replace"))
        return Ended(said[0], said[1], process.returncode)


def json_of(answer: str | bytes) -> Any:
    """A document of the command."""
    return json.loads(readable(answer if isinstance(answer, str) else answer.decode()))


def call(*arguments: str, meanwhile: Callable[[subprocess.Popen[bytes]], None] | None = None) -> Any:
    """Run the command and return its JSON. A refused request raises ImpactcheckError with the command's message."""
    done = execute(*arguments, "--json", meanwhile=meanwhile)
    if done.status not in (0, 1) or not done.stdout:
        raise ImpactcheckError(done.stderr.strip() or f"impactcheck ended with status {done.status}")
    return json_of(done.stdout)


def number(name: str, value: Any) -> float:
    """A float of any kind of number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as why:
        raise ImpactcheckError(f"{name}: {value!r} is no number: {why}") from None


def whole(name: str, value: Any, most: int) -> int:
    """A whole number from 0 to most."""
    found = number(name, value)
    if not (found.is_integer() and 0 <= found <= most):
        raise ImpactcheckError(f"{name}: {value!r} is no whole number from 0 to {most}")
    return int(found)


def encoded(name: str, value: Any) -> bytes:
    """A text for C."""
    try:
        found = str(value).encode()
    except UnicodeEncodeError as why:
        raise ImpactcheckError(f"{name}: {why}") from None
    if b"\0" in found:
        raise ImpactcheckError(f"{name}: {value!r} has a zero byte")
    return found


def entries(name: str, values: Any) -> Mapping[str, Any]:
    """A dict, or an empty one for None."""
    if values is None or isinstance(values, dict):
        return values or {}
    raise ImpactcheckError(f"{name}: {values!r} is no dict")


def settings_of(values: Any, more: Mapping[str, Any]) -> list[str]:
    """NAME=VALUE of each entry of both: numbers with all their digits, text as it is (80pi, 3/2)."""
    values = {**entries("settings", values), **more}
    return [f"{name}={value if isinstance(value, str) else repr(number(name, value))}"
            for name, value in values.items()]
