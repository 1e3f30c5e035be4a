# SPDX-License-Identifier: MIT
"""Runs the derivations of a paper: each returns two residuals, of the form as printed and of the corrected one."""
import sympy


def report(derivations):
    """Print a line for each derivation. True: each correction leaves nothing, and what is printed leaves something."""
    confirmed = True
    for name, derive in derivations.items():
        printed, corrected = (sympy.simplify(residual) for residual in derive())
        if corrected == 0 and printed != 0:
            print(f"{name}: derived; as printed it is off by {printed}")
        else:
            print(f"{name}: NOT CONFIRMED: corrected leaves {corrected}, printed {printed}")
            confirmed = False
    return confirmed
