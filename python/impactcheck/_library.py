# SPDX-License-Identifier: MIT
"""The library and the command: where they are, and how they are called."""

import json
import os
import pathlib
import shutil
import subprocess

import cffi

HERE = pathlib.Path(__file__).resolve().parent


class ImpactcheckError(Exception):
    """A request that is wrong, or a run that failed: what, where, and what would be right."""


def _folders():
    """Where the library and the command may be: in the installed package, a given build, or that of the source tree."""
    yield HERE
    yield pathlib.Path(os.environ.get("IMPACTCHECK_BUILD", HERE.parent.parent / "build"))


def _find(name):
    for folder in _folders():
        if (folder / name).exists():
            return folder / name
    places = ", ".join(str(folder) for folder in _folders())
    raise ImpactcheckError(f"{name} is not in {places}: build it (./run build), or set IMPACTCHECK_BUILD")


ffi = cffi.FFI()
ffi.cdef(_find("impactcheck-python.txt").read_text())
lib = ffi.dlopen(str(_find("impactcheck-python.so")))


def text(pointer):
    """A string of C's, or None."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode()


def command():
    """Path of the command `impactcheck`."""
    try:
        return str(_find("impactcheck"))
    except ImpactcheckError:
        path = shutil.which("impactcheck")
        if path is None:
            raise
        return path


def execute(*arguments):
    """Run the command: what it printed, and its exit status."""
    return subprocess.run([command(), *arguments], capture_output=True, text=True, check=False)


def call(*arguments):
    """Run the command and return its JSON. A refused request raises ImpactcheckError with the command's message."""
    done = execute(*arguments, "--json")
    if done.returncode not in (0, 1) or not done.stdout:
        raise ImpactcheckError(done.stderr.strip() or f"impactcheck ended with status {done.returncode}")
    return json.loads(done.stdout)


def number(name, value):
    """A float of any kind of number."""
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError) as why:
        raise ImpactcheckError(f"{name}: {value!r} is no number: {why}") from None


def whole(name, value, most):
    """A whole number from 0 to most."""
    found = number(name, value)
    if not (found.is_integer() and 0 <= found <= most):
        raise ImpactcheckError(f"{name}: {value!r} is no whole number from 0 to {most}")
    return int(found)


def encoded(name, value):
    """A text for C."""
    try:
        found = str(value).encode()
    except UnicodeEncodeError as why:
        raise ImpactcheckError(f"{name}: {why}") from None
    if b"\0" in found:
        raise ImpactcheckError(f"{name}: {value!r} has a zero byte")
    return found


def entries(name, values):
    """A dict, or an empty one for None."""
    if values is None or isinstance(values, dict):
        return values or {}
    raise ImpactcheckError(f"{name}: {values!r} is no dict")


def settings_of(values, more):
    """NAME=VALUE of each entry of both: numbers with all their digits, text as it is (80pi, 3/2)."""
    values = {**entries("settings", values), **more}
    return [f"{name}={value if isinstance(value, str) else repr(number(name, value))}"
            for name, value in values.items()]
