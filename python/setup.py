# SPDX-License-Identifier: MIT
"""Builds the library and the command by CMake, and puts them into the package. IMPACTCHECK_BUILD: a build that is there."""

import os
import pathlib
import re
import shutil
import subprocess

from setuptools import setup
from setuptools.command.build_py import build_py
from setuptools.dist import Distribution

ROOT = pathlib.Path(__file__).resolve().parent.parent
FILES = ("impactcheck-python.so", "impactcheck-python.txt", "impactcheck")


class Build(build_py):
    def run(self):
        super().run()
        build = pathlib.Path(os.environ.get("IMPACTCHECK_BUILD", ROOT / "build-python"))
        if "IMPACTCHECK_BUILD" not in os.environ:
            subprocess.run(["cmake", "-S", ROOT, "-B", build, "-D", "IC_TESTS=OFF"], check=True)
            subprocess.run(["cmake", "--build", build, "--parallel", "--target", "impactcheck", "impactcheck-python",
                            "impactcheck-python-declarations"], check=True)
        for name in FILES:
            shutil.copy2(build / name, pathlib.Path(self.build_lib) / "impactcheck" / name)


class Binary(Distribution):
    def has_ext_modules(self):
        return True


version = re.search(r"project\(\s*\w+\s+VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.IGNORECASE)
setup(version=version[1], cmdclass={"build_py": Build}, distclass=Binary)
