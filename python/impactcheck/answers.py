# SPDX-License-Identifier: MIT
"""Certificates, sweeps and audits, by the command: the same answers, and the same messages."""

import decimal
import math
import os
import pathlib
import tempfile

from ._library import ImpactcheckError, call, entries, execute, settings_of
from .problem import Problem, path_of


class Number:
    """A certified number: `value` and `radius` as Decimals; the truth lies within value - radius and value + radius."""

    def __init__(self, value, radius):
        self.value, self.radius = decimal.Decimal(value), decimal.Decimal(radius)

    def interval(self):
        """The same as an interval of mpmath."""
        import mpmath

        digits = len(self.value.as_tuple().digits) + 10
        with mpmath.workdps(digits):
            middle, radius = mpmath.mpf(str(self.value)), mpmath.mpf(str(self.radius))
        before = mpmath.iv.dps
        mpmath.iv.dps = digits
        try:
            return mpmath.iv.mpf([middle, middle]) + mpmath.iv.mpf([-radius, radius])
        finally:
            mpmath.iv.dps = before

    def __float__(self):
        return float(self.value)

    def __contains__(self, number):
        """Whether a number may be the truth: an int or a Decimal itself, a float as all numbers that round to it."""
        if not isinstance(number, (int, float, decimal.Decimal)):
            raise TypeError(f"{number!r} is no int, float or Decimal")
        rounding = decimal.Decimal(math.ulp(number)) / 2 if isinstance(number, float) else 0
        with decimal.localcontext() as context:
            context.prec = 1100  # a float has up to 1074 digits behind the point
            return abs(decimal.Decimal(number) - self.value) <= self.radius + rounding

    def __repr__(self):
        return f"{self.value} +- {self.radius}"


def _numbers(node):
    """JSON of a certificate, in which each value with a radius is a Number."""
    if isinstance(node, dict) and "value" in node and "radius" in node and node["value"] is not None:
        return Number(node["value"], node["radius"])
    if isinstance(node, dict):
        return {key: _numbers(value) for key, value in node.items()}
    return [_numbers(value) for value in node] if isinstance(node, list) else node


class Certificate:
    """Events and the end of a run, proved. `status`: "certified", or how far it is, with `reason`.

    events: dicts with t (a Number), guard, from, to, state_before, state, outputs; final: t, mode, state.
    """

    def __init__(self, answer):
        answer = dict(answer)
        for event in answer["events"]:
            event["t"] = {"value": event.pop("t"), "radius": event.pop("radius")}
        final = answer.get("final")
        if final:
            final["t"] = {"value": final["t"], "radius": final.pop("radius")}
        self.answer = _numbers(answer)
        self.status, self.reason = answer["status"], answer["reason"]
        self.events, self.final = self.answer["events"], self.answer.get("final")

    def __repr__(self):
        return f"Certificate of {self.answer['case']}/{self.answer['preset']}: {len(self.events)} events, {self.status}"


def _options(values):
    """Options of the command: digits=20 is --digits 20; None is left out, True is the option alone."""
    found = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        found.append("--" + name.replace("_", "-"))
        if value is not True:
            found.append(str(value))
    return found


def _sets(settings, more):
    return [word for one in settings_of(settings, more) for word in ("--set", one)]


def certify(case, *, digits=None, until=None, variant=None, settings=None, **more):
    """The certified answer of a case: a Certificate. Raises ImpactcheckError if nothing can be certified."""
    options = _options({"digits": digits, "until": until, "variant": variant})
    return Certificate(call("certify", path_of(case), *options, *_sets(settings, more)))


def sweep(case, vary, *, record=None, skip=None, keep=None, solver=None, variant=None, rtol=None, settings=None,
          **more):
    """A data frame of a sweep: one row for each parameter set and record.

    vary: {"omega": "0.4:0.6:200"}, FROM:TO:COUNT[:log] for each parameter; record: "strobe", an output, or "peak";
    skip, keep: numbers of periods before the record begins, and in it.
    """
    import pandas

    with tempfile.TemporaryDirectory(prefix="impactcheck-") as folder:
        out = pathlib.Path(folder) / "sweep.csv"
        grid = [word for name, values in entries("vary", vary).items() for word in ("--vary", f"{name}={values}")]
        options = _options({"record": record, "skip": skip, "keep": keep, "solver": solver, "variant": variant,
                            "rtol": rtol})
        call("sweep", path_of(case), *grid, *options, *_sets(settings, more), "--out", str(out))
        return pandas.read_csv(out, comment="#")


class Audit:
    """What an audit found. good: whether the verdict is good; verdict: "good", "failed" or "undecided"; causes: names
    of likely mistakes; findings: a dict for each check; text: the scorecard of what is not good."""

    def __init__(self, answer, text):
        self.answer, self.text = answer, text
        self.verdict, self.summary, self.good = answer["verdict"], answer["summary"], answer["good"]
        self.causes = [cause["name"] for cause in answer["causes"]]
        self.findings = answer["findings"]

    def __bool__(self):
        return self.good

    def __repr__(self):
        return self.summary

    def _repr_html_(self):
        colours = {"pass": "#1a7f37", "fail": "#b3261e", "open": "#8a6d00"}
        rows = "".join(f"<tr><td style='color:{colours.get(f['verdict'], 'inherit')}'>{f['verdict']}</td>"
                       f"<td>{f['check']}</td><td>{f['what']}</td></tr>" for f in self.findings)
        return f"<p><b>{self.summary}</b></p><table>{rows}</table>"


def _write(rows, case, path):
    """Rows as CSV: a data frame, a dict of columns, or the result of solve_ivp, whose states are those of the case."""
    import pandas

    if hasattr(rows, "y") and hasattr(rows, "t"):
        names = Problem(case).states
        if len(names) < len(rows.y):
            raise ImpactcheckError(f"the result has {len(rows.y)} states, the case {len(names)}: {', '.join(names)}")
        rows = {"t": rows.t, **dict(zip(names, rows.y))}
    try:
        frame = rows.frame(outputs=False) if hasattr(rows, "frame") else pandas.DataFrame(rows)
    except (ValueError, TypeError) as why:
        raise ImpactcheckError(f"rows are a data frame, a dict of columns of one length, a Run, the result of "
                               f"solve_ivp or a path: {why}") from None
    if len(frame) == 0:
        raise ImpactcheckError("there are no rows")
    if "t" not in frame.columns and frame.index.name == "t":
        frame = frame.reset_index()
    frame.to_csv(path, index=False, float_format="%.17g")


def audit(rows, case, *, columns=None, units=None, settings=None, accept=None, variant=None, **more):
    """Audit rows: a data frame, a dict of columns, a Run, the result of solve_ivp, or the path of a CSV file.

    columns: {"x": "height"}, units: {"t": "ms"}, as the command's --columns and --units; accept: the accuracy required
    of the rows, relative to the states' ranges.
    """
    with tempfile.TemporaryDirectory(prefix="impactcheck-") as folder:
        path = rows if isinstance(rows, (str, os.PathLike)) else pathlib.Path(folder) / "rows.csv"
        if path is not rows:
            _write(rows, case, path)
        pairs = {name: ",".join(f"{key}={value}" for key, value in entries(name, values).items()) or None
                 for name, values in (("columns", columns), ("units", units))}
        words = ["audit", "--trajectory", str(path), "--case", path_of(case),
                 *_options({**pairs, "accept": accept, "variant": variant}), *_sets(settings, more)]
        answer = call(*words)
        if answer["good"]:
            return Audit(answer, answer["summary"])
        return Audit(answer, execute(*words).stdout)


def assert_follows(rows, case, **options):
    """Raise AssertionError with the scorecard unless the audit of these rows is good: for tests."""
    found = audit(rows, case, **options)
    assert found.good, found.text
