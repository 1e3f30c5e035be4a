# SPDX-License-Identifier: MIT
"""Impactcheck in Python: runs, certificates, sweeps and audits of contact and impact problems (docs/python.md)."""

from ._library import ImpactcheckError, lib, text
from .answers import Audit, Certificate, Number, assert_follows, audit, certify, study, sweep
from .functions import Request, assert_law, assert_map, audit_law, audit_map, audit_rhs, audit_simulation
from .problem import Extreme, Machine, Problem, Run, cases, laws, run, solvers

__version__: str = text(lib.ic_version())
__all__ = ["Audit", "Certificate", "Extreme", "ImpactcheckError", "Machine", "Number", "Problem", "Request", "Run",
           "assert_follows", "assert_law", "assert_map", "audit", "audit_law", "audit_map", "audit_rhs",
           "audit_simulation", "cases", "certify", "laws", "run", "solvers", "study", "sweep"]
