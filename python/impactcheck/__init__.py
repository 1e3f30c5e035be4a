# SPDX-License-Identifier: MIT
"""Impactcheck in Python: runs, certificates, sweeps and audits of contact and impact problems (docs/python.md)."""

from ._library import ImpactcheckError, lib, text
from .answers import Audit, Certificate, Number, assert_follows, audit, certify, sweep
from .problem import Extreme, Machine, Problem, Run, cases, run, solvers

__version__ = text(lib.ic_version())
__all__ = ["Audit", "Certificate", "Extreme", "ImpactcheckError", "Machine", "Number", "Problem", "Run",
           "assert_follows", "audit", "cases", "certify", "run", "solvers", "sweep"]
