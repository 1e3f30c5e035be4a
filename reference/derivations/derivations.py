# SPDX-License-Identifier: MIT
"""Runs the derivations of a paper. Each returns residuals: first of what must leave something, the form as printed; then of what must
leave nothing, the corrected form. Those of a table of equations take a form and return what it leaves over."""
import csv
import pathlib
import re

import sympy

PUBLISHED = pathlib.Path(__file__).resolve().parent.parent / "published"
FUNCTIONS = {"abs": sympy.Abs, "step": sympy.Heaviside, "pi": sympy.pi}


def symbol(name, text=""):
    """A number between two others has the sign of both; a kept name is real."""
    low, _, high = text.partition("..")
    signs = {"positive": True} if high and float(low) > 0 else {"negative": True} if high and float(high) < 0 else {"real": True}
    return sympy.Symbol(name, **signs)


class Equations:
    """The texts of reference/published/equations-CASE.csv, which verify computes for random systems."""

    def __init__(self, case):
        lines = [line for line in (PUBLISHED / f"equations-{case}.csv").read_text().splitlines() if not line.startswith("#")]
        self.texts, self.forms = {}, {}
        for row in csv.DictReader(lines, delimiter=";"):
            for equation in row["of"].split() or [""]:
                self.texts.setdefault(equation, {})[row["name"]] = row["text"]
                if not row["name"]:
                    self.forms[equation] = {"printed": row["text"], "corrected": row["corrected"], "truth": row["truth"]}

    def form(self, equation, name, kept):
        """A form, or another name of an equation, in the random numbers and what stands for the names that are kept."""
        texts, known = {**self.texts[""], **self.texts[equation], **self.forms[equation]}, {}

        def value(name):
            if name not in known:
                text = texts[name] or "None"
                if name in kept or ".." in text:
                    known[name] = kept.get(name, symbol(name, text))
                else:
                    used = {n: value(n) for n in re.findall(r"[A-Za-z]\w*", text) if n in texts}
                    text = re.sub(r"\blambda\b", "lambda_", text).replace("^", "**")
                    used["lambda_"] = used.pop("lambda", None)
                    known[name] = sympy.sympify(text, {**FUNCTIONS, **used}, rational=True)
            return known[name]

        return value(name)


def size(residual):
    """A residual at one point; nan if it has no number there."""
    point = {s: (-1 if s.is_negative else 1) * sympy.Rational(7 + 2 * i, 17 + i)
             for i, s in enumerate(sorted(residual.free_symbols, key=str))}
    value = residual.subs(point).evalf(30)
    return sympy.Integer(0) if value.is_finite and abs(value) < 1e-15 else value.evalf(4)


def of_equations(equations, residuals):
    """Derivations of equations: {name: (what a form leaves over, what stands for names that are kept)}. The truth in the table must
    leave nothing either. If an equation stands as printed, its truth must leave something if it is wrong by one part in 10^8."""
    def derive(name, residual, kept):
        printed, corrected, truth = (equations.form(name, form, kept) for form in ("printed", "corrected", "truth"))
        if corrected is None:
            return size(residual(truth * (1 + sympy.Rational(1, 10**8)))), residual(printed), residual(truth)
        return size(residual(printed)), residual(corrected), residual(truth)

    return {name: lambda name=name, how=how: derive(name, *how) for name, how in residuals.items()}


def together(parts):
    """One residual of several."""
    weight = sympy.Symbol("weight", positive=True)
    return sum(weight**i * part for i, part in enumerate(parts))


def report(derivations):
    """Print a line for each derivation. True: each correction leaves nothing, and what is printed leaves something."""
    confirmed = True
    for name, derive in derivations.items():
        wrong, *right = (sympy.simplify(residual) for residual in derive())
        if all(residual == 0 for residual in right) and wrong != 0:
            print(f"{name}: derived; what is wrong is off by {wrong}", flush=True)
        else:
            print(f"{name}: NOT CONFIRMED: corrected leaves {right}, printed {wrong}")
            confirmed = False
    return confirmed
