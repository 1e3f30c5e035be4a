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
    if "IMPACTCHECK_BUILD" in os.environ:
        yield pathlib.Path(os.environ["IMPACTCHECK_BUILD"])
    yield HERE.parent.parent / "build"


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


def call(*arguments):
    """Run the command and return its JSON. A refused request raises ImpactcheckError with the command's message."""
    done = subprocess.run([command(), *arguments, "--json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise ImpactcheckError(done.stderr.strip() or f"impactcheck ended with status {done.returncode}")
    return json.loads(done.stdout)


def settings_of(values):
    """NAME=VALUE of each entry: numbers with all their digits, text as it is (80pi, 3/2)."""
    return [f"{name}={value if isinstance(value, str) else repr(float(value))}" for name, value in values.items()]
