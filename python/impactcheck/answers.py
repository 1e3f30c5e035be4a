# SPDX-License-Identifier: MIT
"""Certificates, sweeps and audits, by the command: the same answers, and the same messages."""

from __future__ import annotations

import decimal
import errno
import json
import math
import os
import pathlib
import select
import shlex
import subprocess
import tempfile
import time
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence

from ._library import ImpactcheckError, call, entries, settings_of, standing_in, table
from .problem import Case, Problem, path_of

if TYPE_CHECKING:
    import pandas


class Number:
    """A certified number: `value` and `radius` as Decimals; the truth lies within value - radius and value + radius."""

    def __init__(self, value: Any, radius: Any) -> None:
        self.value, self.radius = decimal.Decimal(value), decimal.Decimal(radius)

    def interval(self) -> Any:
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

    def __float__(self) -> float:
        return float(self.value)

    def __contains__(self, number: Any) -> bool:
        """Whether a number may be the truth: an int or a Decimal itself, a float as all numbers that round to it."""
        if not isinstance(number, (int, float, decimal.Decimal)):
            raise TypeError(f"{number!r} is no int, float or Decimal")
        rounding = decimal.Decimal(math.ulp(number) if isinstance(number, float) else 0) / 2
        with decimal.localcontext() as context:
            context.prec = 1100  # a float has up to 1074 digits behind the point
            return abs(decimal.Decimal(number) - self.value) <= self.radius + rounding

    def __repr__(self) -> str:
        return f"{self.value} +- {self.radius}"


def _numbers(node: Any) -> Any:
    """JSON of a certificate, in which each value with a radius is a Number."""
    if isinstance(node, dict) and "value" in node and "radius" in node and node["value"] is not None:
        return Number(node["value"], node["radius"])
    if isinstance(node, dict):
        return {key: _numbers(value) for key, value in node.items()}
    return [_numbers(value) for value in node] if isinstance(node, list) else node


class Certificate:
    """Events and the end of a run, proved. `status`: "certified", or how far it is, with `reason`.

    events: dicts with t (a Number), guard, from, to, state_before, state, outputs; final: t, mode, state;
    derivatives, if they were asked for, by name: events with t, state_before, state, and final with state, outputs.
    """

    def __init__(self, answer: Mapping[str, Any]) -> None:
        answer = dict(answer)
        for event in answer["events"]:
            event["t"] = {"value": event.pop("t"), "radius": event.pop("radius")}
        final = answer.get("final")
        if final:
            final["t"] = {"value": final["t"], "radius": final.pop("radius")}
        self.answer = _numbers(answer)
        self.status, self.reason = answer["status"], answer["reason"]
        self.events, self.final = self.answer["events"], self.answer.get("final")
        self.derivatives = self.answer.get("derivatives", {})

    def __repr__(self) -> str:
        return f"Certificate of {self.answer['case']}/{self.answer['preset']}: {len(self.events)} events, {self.status}"

    def _repr_html_(self) -> str:
        rows = [(event["guard"], f"{float(event['t']):.15g}", f"{float(event['t'].radius):.1g}", event["from"],
                 event["to"]) for event in self.events]
        return table(repr(self), self.status == "certified", ("event", "t, s", "+-", "from", "to"), rows)


def _options(values: Mapping[str, Any]) -> list[str]:
    """Options of the command: digits=20 is --digits 20; None is left out, True is the option alone."""
    found: list[str] = []
    for name, value in values.items():
        if value is None or value is False:
            continue
        found.append("--" + name.replace("_", "-"))
        if value is not True:
            found.append(str(value))
    return found


def _sets(settings: Any, more: Mapping[str, Any]) -> list[str]:
    return [word for one in settings_of(settings, more) for word in ("--set", one)]


def certify(case: Case, *, digits: int | None = None, until: Any = None, variant: str | None = None,
            settings: Mapping[str, Any] | None = None, derivative: str | Sequence[str] = (),
            **more: Any) -> Certificate:
    """The certified answer of a case: a Certificate. Raises ImpactcheckError if nothing can be certified.

    derivative: parameters and states at the start, by which `derivatives` of the answer are.
    """
    names = derivative if isinstance(derivative, str) else ",".join(derivative)
    options = _options({"digits": digits, "until": until, "variant": variant, "derivative": names or None})
    return Certificate(call("certify", path_of(case), *options, *_sets(settings, more)))


def sweep(case: Case, vary: Mapping[str, str], *, record: str | None = None, skip: int | None = None,
          keep: int | None = None, solver: str | None = None, variant: str | None = None, rtol: float | None = None,
          settings: Mapping[str, Any] | None = None, **more: Any) -> pandas.DataFrame:
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


def study(name: str) -> pandas.DataFrame:
    """A data frame of a study or of a figure of a case, CASE/FIGURE, beside its published points (column "points").

    Its attrs have the title, the units of its columns, and the findings.
    """
    import pandas

    answer = call("study", name)
    frame = pandas.DataFrame(answer["rows"], columns=[column["name"] for column in answer["columns"]])
    frame.attrs.update(title=answer["title"], findings=answer.get("findings"),
                       units={column["name"]: column["unit"] for column in answer["columns"]})
    return frame


class Audit:
    """What an audit found. good: whether the verdict is good; verdict: "good", "failed" or "undecided"; causes: names
    of likely mistakes; findings: a dict for each check; text: the scorecard, with the details of what is not good."""

    def __init__(self, answer: Mapping[str, Any]) -> None:
        self.answer = answer
        self.verdict: str = answer["verdict"]
        self.summary: str = answer["summary"]
        self.good: bool = answer["good"]
        self.causes: list[str] = [cause["name"] for cause in answer["causes"]]
        self.findings: list[dict[str, Any]] = answer["findings"]

    @property
    def text(self) -> str:
        causes = {one["name"]: one["text"] for one in self.answer["causes"]}
        lines = [self.summary, ""]
        lines += [f"{_VERDICTS[f['verdict']]:9}  {f['check']:14}  {_measured(f)}  {f['cause'] or ''}".rstrip()
                  for f in self.findings]
        for f in self.findings:
            if f["verdict"] == "pass":
                continue
            subject = f"{f['subject']}, " if f["subject"] else ""
            lines += ["", f"{_VERDICTS[f['verdict']]}: {subject}{f['check']} ({f['what']})"]
            lines += [f"  {before}{f[key]}" for before, key in (("at: ", "place"), ("", "detail"),
                                                                ("tolerance: ", "origin")) if f[key]]
            if f["cause"]:
                because = f": {f['because']}" if f["because"] else ""
                lines.append(f"  likely cause: {f['cause']}: {causes.get(f['cause'], '')}{because}")
        lines.append("")
        lines += [f"{one['question']}: {one['answer'] or 'cannot tell'}" for one in self.answer["classifications"]]
        return "\n".join(lines).rstrip() + "\n"

    def __bool__(self) -> bool:
        return self.good

    def __repr__(self) -> str:
        return self.summary

    def _repr_html_(self) -> str:
        rows = [(_VERDICTS[f["verdict"]], f["check"], _measured(f), f["cause"] or "", f["what"]) for f in self.findings]
        return table(self.summary, self.good, ("verdict", "check", "measured / tolerance", "cause", "what"), rows)


_VERDICTS = {"pass": "pass", "fail": "FAIL", "open": "undecided"}


def _measured(finding: Mapping[str, Any]) -> str:
    measured, tolerance = ("-" if one is None else f"{one:.3g}" for one in (finding["measured"], finding["tolerance"]))
    return f"{measured:>9} / {tolerance:>7} {finding['unit']:6}"


def _csv(rows: Any, case: Case) -> str:
    """Rows as CSV: a data frame, a dict of columns, a Run, or the result of solve_ivp, whose states are the case's."""
    import pandas

    if hasattr(rows, "y") and hasattr(rows, "t_events"):
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
    return str(frame.to_csv(None, index=False, float_format="%.17g"))


def _words(case: Case, columns: Any, units: Any, settings: Any, options: Mapping[str, Any],
           more: Mapping[str, Any]) -> list[str]:
    """The options of the command that say how rows are read and judged."""
    pairs = {name: ",".join(f"{key}={value}" for key, value in entries(name, values).items()) or None
             for name, values in (("columns", columns), ("units", units))}
    return ["--case", path_of(case), *_options({**pairs, **options}), *_sets(settings, more)]


def audit(rows: Any, case: Case, *, columns: Mapping[str, str] | None = None, units: Mapping[str, str] | None = None,
          settings: Mapping[str, Any] | None = None, accept: float | None = None, variant: str | None = None,
          until: Any = None, **more: Any) -> Audit:
    """Audit rows: a data frame, a dict of columns, a Run, the result of solve_ivp, or the path of a CSV file.

    columns: {"x": "height"}, units: {"t": "ms"}, as the command's --columns and --units; accept: the accuracy required
    of the rows, relative to the states' ranges; until: only rows up to this time, s.
    """
    words = _words(case, columns, units, settings, {"accept": accept, "variant": variant, "until": until}, more)
    if isinstance(rows, (str, os.PathLike)):
        return Audit(call("audit", "--trajectory", os.fspath(rows), *words))
    with tempfile.TemporaryDirectory(prefix="impactcheck-") as folder:
        path = pathlib.Path(folder) / "rows.csv"
        path.write_text(_csv(rows, case))
        with standing_in(str(path), lambda line: f"the rows, line {line}" if line else "the rows"):
            return Audit(call("audit", "--trajectory", str(path), *words))


def audit_command(simulate: Callable[[Mapping[str, Any]], Any], name: str, case: Case,
                  options: Mapping[str, Any]) -> Audit:
    """Audit a simulation of this process as a command that passes each request to it, and its rows back."""
    known = ("accept", "variant", "until", "samples", "step", "rtol", "order", "phases", "seed")
    more = {key: value for key, value in options.items() if key not in (*known, "columns", "units", "settings")}
    words = _words(case, options.get("columns"), options.get("units"), options.get("settings"),
                   {key: options.get(key) for key in known}, more)
    with tempfile.TemporaryDirectory(prefix="impactcheck-") as folder:
        asked, rows = os.path.join(folder, "asked"), os.path.join(folder, "rows")
        os.mkfifo(asked)
        os.mkfifo(rows)
        line = f"cat >{shlex.quote(asked)};cat {shlex.quote(rows)}"

        def serve(process: subprocess.Popen[bytes]) -> None:
            while (request := _receive(process, asked)) is not None:
                _send(process, rows, _csv(simulate(json.loads(request)), case))

        with standing_in(line, lambda _: f"'{name}'"):
            return Audit(call("audit", "--command", line, *words, meanwhile=serve))


WAIT = 50  # ms, after which a command is looked at that may have ended


def _receive(process: subprocess.Popen[bytes], path: str) -> bytes | None:
    """What the command writes there until it closes it. None: the command has ended."""
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb", buffering=0) as stream:
        ready, parts = select.poll(), []
        ready.register(stream, select.POLLIN)
        while True:
            if not ready.poll(WAIT):
                if process.poll() is not None:
                    return None
                continue
            part = stream.read(1 << 16)
            if part:
                parts.append(part)
            elif parts:
                return b"".join(parts)


def _send(process: subprocess.Popen[bytes], path: str, rows: str) -> None:
    """Write rows to the command, unless it ends or ends its run, which then has taken too long."""
    while process.poll() is None:
        try:
            stream = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
        except OSError as why:
            if why.errno != errno.ENXIO:  # nobody reads yet
                raise
            time.sleep(0.001)
            continue
        os.set_blocking(stream, True)
        try:
            with open(stream, "w") as file:
                file.write(rows)
        except BrokenPipeError:
            pass
        return


class NotGood(AssertionError):
    """The scorecard of an audit whose verdict is not good."""


def assert_good(found: Audit) -> None:
    """Raise NotGood, an AssertionError, with the scorecard unless the audit is good."""
    __tracebackhide__ = True
    if not found.good:
        raise NotGood(found.text)


def assert_follows(rows: Any, case: Case, **options: Any) -> None:
    """Raise NotGood, an AssertionError, with the scorecard unless the audit of these rows is good: for tests."""
    __tracebackhide__ = True
    assert_good(audit(rows, case, **options))
