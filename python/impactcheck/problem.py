# SPDX-License-Identifier: MIT
"""Problems and runs of them, in process: rows and events are views of the solver's own arrays."""

from __future__ import annotations

import atexit
import base64
import dataclasses
import functools
import hashlib
import inspect
import io
import json
import os
import pathlib
import re
import shutil
import tempfile
from typing import TYPE_CHECKING, Any, Callable, Mapping, Sequence, Union

import numpy as np

from ._library import ImpactcheckError, encoded, ffi, lib, number, settings_of, stand_ins, table, text, whole

if TYPE_CHECKING:
    import pandas

MOST_SAMPLES = 10**8


class _View:
    """An array of C's, read only, which keeps its owner alive."""

    def __init__(self, owner: Any, pointer: Any, shape: tuple[int, ...], form: str,
                 strides: tuple[int, ...] | None = None) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "data": (int(ffi.cast("uintptr_t", pointer)), True),
            "shape": shape,
            "typestr": form,
            "strides": strides,
            "version": 3,
        }


@dataclasses.dataclass(frozen=True)
class Extreme:
    """Least and greatest value of an output over a run, in its unit, and their times, s; nan: it has no value."""

    min: float
    t_min: float
    max: float
    t_max: float


def _plain(value: Any) -> Any:
    """What JSON does not know: numbers and arrays of numpy."""
    if isinstance(value, (np.generic, np.ndarray)):
        return value.tolist()
    raise ImpactcheckError(f"a machine has no words for {value!r}")


@functools.lru_cache(maxsize=None)
def _folder(process: int) -> pathlib.Path:
    """A folder for the case files of one process, which removes it; a child that was forked has one of its own."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="impactcheck-"))


    def remove() -> None:
        if os.getpid() == process:
            shutil.rmtree(folder, ignore_errors=True)

    atexit.register(remove)
    return folder


class Machine:
    """A machine stated by the words of a case file (docs/case-files.md) as dicts and lists.

    Every function that takes a case takes the machine itself. Machines of the same words are read once.
    """

    def __init__(self, **words: Any) -> None:
        self.words = words
        self._text = json.dumps(words, indent=1, default=_plain)  # JSON is YAML

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a case file, for the command and for others."""
        pathlib.Path(path).write_text(self._text)

    def _place(self, line: int) -> str:
        """The words of a line, and those that it belongs to: "the machine, flow.x"."""
        words: list[str] = []
        deepest = None
        for one in reversed(self._text.splitlines()[:line]):
            indent, key = len(one) - len(one.lstrip()), re.match(r'\s*"([^"]+)": ', one)
            if key and (deepest is None or indent < deepest):
                words.insert(0, key[1])
            if deepest is None or (key and indent < deepest):
                deepest = indent
        return "the machine" + (", " + ".".join(words) if words else "")

    def __fspath__(self) -> str:
        path = _folder(os.getpid()) / (hashlib.sha256(self._text.encode()).hexdigest()[:16] + "/machine.yaml")
        if not path.exists():
            path.parent.mkdir(exist_ok=True)
            path.write_text(self._text)
        stand_ins[str(path)] = self._place
        return str(path)

    def __reduce__(self) -> tuple[Any, ...]:
        return _machine, (self.words,)

    def __repr__(self) -> str:
        return f"Machine({', '.join(self.words)})"


def _machine(words: Mapping[str, Any]) -> Machine:
    return Machine(**words)


Case = Union[str, "os.PathLike[str]", Machine, "Problem"]


def path_of(case: Case) -> str:
    """The path of a case: a name, a case file, a Machine, or what a Problem has been made of."""
    if isinstance(case, Problem):
        case = case.made_of
    if not isinstance(case, (str, os.PathLike)):
        raise ImpactcheckError(f"a case is a name, the path of a case file or a Machine, not {case!r}")
    return os.fspath(case)


class Problem:
    """A case with its parameters, opened once for many runs.

    case: "CASE/PRESET", a path "FILE.yaml[/PRESET]", or a Machine; settings: parameters by name, as numbers or text
    ("80pi"); until: end of the run, s, or an expression; variant, solver: names, by default those of `impactcheck run`;
    derivative: parameters and states at the start, by which runs are differentiated: states "x_by_e", "t_by_e".
    Raises ImpactcheckError with the place of what is wrong.
    """

    def __init__(self, case: Case, *, until: Any = None, variant: str | None = None, solver: str | None = None,
                 settings: Mapping[str, Any] | None = None, derivative: str | Sequence[str] = (), **more: Any) -> None:
        self.made_of: Any = case
        kept = [ffi.new("char[]", encoded("settings", one)) for one in settings_of(settings, more)]

        def own(name: str, value: Any) -> Any:
            kept.append(ffi.NULL if value is None else ffi.new("char[]", encoded(name, value)))
            return kept[-1]

        n = len(kept)
        request = ffi.new("ic_door_request *")
        array = ffi.new("char *[]", kept) if n else ffi.NULL
        request.settings, request.n_settings = array, n
        request.path, request.until = own("case", path_of(case)), own("until", until)
        request.variant, request.solver = own("variant", variant), own("solver", solver)
        names = [derivative] if isinstance(derivative, str) else list(derivative)
        directions = ffi.new("char *[]", [own("derivative", name) for name in names]) if names else ffi.NULL
        request.directions, request.n_directions = directions, len(names)
        error = ffi.new("ic_error *")
        door = lib.ic_door_open(request, error)
        if door == ffi.NULL:
            raise ImpactcheckError(ffi.string(error.text).decode())
        self._door = ffi.gc(door, lib.ic_door_close)
        self._problem = lib.ic_door_problem(door)
        system = self._problem.system
        self.case: str = text(system.name)
        self.preset: str | None = text(lib.ic_door_preset(door))
        self.solver: str = text(lib.ic_door_solver(door).name)
        self.states: list[str] = [text(system.states[i].name) for i in range(system.n_states)]
        self.outputs: list[str] = [text(system.outputs[i].name) for i in range(system.n_outputs)]
        modes = ffi.unpack(self._problem.variant.modes, self._problem.variant.n_modes)
        self.modes: list[str] = [text(mode.name) for mode in modes]
        self.units = {"t": "s"}
        for list_, count in ((system.states, system.n_states), (system.outputs, system.n_outputs)):
            self.units.update({text(list_[i].name): text(list_[i].unit) for i in range(count)})

    @property
    def parameters(self) -> dict[str, float]:
        """Values by name, in SI units."""
        system = self._problem.system
        return {text(system.parameters[i].name): self._problem.par[i] for i in range(system.n_parameters)}

    def run(self, *, samples: int = 1001, rtol: float = 0, step: float = 0, event_tol: float = 0, max_steps: float = 0,
            extremes: bool = True) -> Run:
        """Solve the problem. Returns a Run, whose status may not be "ok". 0: the solver's default. Ctrl-C ends it.

        samples: number of rows, evenly spaced from the start to the end; rtol: relative tolerance; step: s, of solvers
        with fixed steps, and the longest of others; event_tol: s; max_steps: after so many the run stops, with status
        "too_much_work"; extremes: of outputs, also between rows.
        """
        options = ffi.new("ic_options *")
        options.rtol, options.step = number("rtol", rtol), number("step", step)
        options.event_tol, options.max_steps = number("event_tol", event_tol), number("max_steps", max_steps)
        options.samples, options.extremes = whole("samples", samples, MOST_SAMPLES), bool(extremes)
        log = lib.ic_log_new(self._problem)
        if log == ffi.NULL:
            raise MemoryError("the log of a run")
        log = ffi.gc(log, lib.ic_log_free)
        status = lib.ic_door_run(self._door, log, options)
        if status == lib.IC_INVALID:
            raise ImpactcheckError(text(lib.ic_log_text(log)) or text(lib.ic_status_text(status)))
        return Run(self, log, status)

    def __repr__(self) -> str:
        return f"Problem({self.case!r}, preset {self.preset!r}, solver {self.solver!r})"


class Run:
    """One run. Arrays are views of the log, without copies: they are read only, and keep it alive.

    t: times, s (n); x: states in SI units (n, states); mode: numbers of modes (n), names in problem.modes;
    status: "ok", or the name of what ended it, with `reason`.
    """

    def __init__(self, problem: Problem, log: Any, status: int) -> None:
        self.problem, self._log, self._status = problem, log, status

    def _column(self, field: str, form: str) -> np.ndarray:
        rows = ffi.new("const double **")
        at = ffi.cast("char *", lib.ic_log_samples(self._log, rows)) + ffi.offsetof("ic_sample", field)
        return self._view(at, (lib.ic_log_sample_count(self._log),), form, (ffi.sizeof("ic_sample"),))

    def _view(self, pointer: Any, shape: tuple[int, ...], form: str,
              strides: tuple[int, ...] | None = None) -> np.ndarray:
        if not shape[0]:
            return np.empty(shape, form)
        return np.asarray(_View((self.problem, self._log), pointer, shape, form, strides))

    @functools.cached_property
    def t(self) -> np.ndarray:
        return self._column("t", "<f8")

    @functools.cached_property
    def mode(self) -> np.ndarray:
        return self._column("mode", "<i4")

    @functools.cached_property
    def x(self) -> np.ndarray:
        rows = ffi.new("const double **")
        lib.ic_log_samples(self._log, rows)
        return self._view(rows[0], (lib.ic_log_sample_count(self._log), len(self.problem.states)), "<f8")

    @property
    def status(self) -> str:
        return text(lib.ic_status_name(self._status))

    @property
    def reason(self) -> str | None:
        return text(lib.ic_log_text(self._log))

    @property
    def n_events(self) -> int:
        return lib.ic_log_event_count(self._log)

    def __getitem__(self, name: str) -> np.ndarray:
        """A state's column (a view), or an output at each sample."""
        if name in self.problem.states:
            return self.x[:, self.problem.states.index(name)]
        if name == "t":
            return self.t
        if name not in self.problem.outputs:
            known = ", ".join(self.problem.states + self.problem.outputs)
            raise KeyError(f"'{name}' is no state or output of {self.problem.case}: {known}")
        values = np.empty(len(self.t))
        pointer = ffi.cast("double *", ffi.from_buffer(values))
        lib.ic_door_output(pointer, self._log, self.problem.outputs.index(name))
        return values

    @property
    def events(self) -> pandas.DataFrame:
        """A data frame: t, event, sequence, from, to, and each state before (NAME-) and after it (NAME+)."""
        import pandas

        n, states = self.n_events, self.problem.states
        events = [lib.ic_log_event_at(self._log, i) for i in range(n)]
        columns: dict[str, Any] = {
            "t": [e.t for e in events],
            "event": [text(e.name) for e in events],
            "sequence": [e.sequence for e in events],
            "from": [self.problem.modes[e.mode_from] for e in events],
            "to": [self.problem.modes[e.mode_to] for e in events],
        }
        both = self.event_states
        for j, name in enumerate(states):
            columns[name + "-"] = both[:, 0, j]
            columns[name + "+"] = both[:, 1, j]
        return pandas.DataFrame(columns)

    @property
    def event_states(self) -> np.ndarray:
        """States before and after each event (events, 2, states), a view."""
        rows = ffi.new("const double **")
        lib.ic_log_events(self._log, rows)
        return self._view(rows[0], (self.n_events, 2, len(self.problem.states)), "<f8")

    @property
    def final(self) -> dict[str, Any]:
        """The state at the end, by name, with t and mode."""
        end = lib.ic_log_end(self._log)
        values = {"t": end.t, "mode": self.problem.modes[end.mode]}
        values.update({name: end.x[j] for j, name in enumerate(self.problem.states)})
        return values

    @property
    def extremes(self) -> dict[str, Extreme]:
        """Extremes of each output over the whole run, also between samples."""
        found = {}
        for i, name in enumerate(self.problem.outputs):
            e = lib.ic_log_extreme(self._log, i)
            found[name] = Extreme(e.min, e.t_min, e.max, e.t_max)
        return found

    @property
    def work(self) -> dict[str, float]:
        """Counts of the solver: flow_calls, guard_calls, steps, rejected_steps, root_iterations."""
        counts = lib.ic_log_work(self._log)
        return {name: getattr(counts, name) for name, _ in ffi.typeof("ic_work").fields}

    def frame(self, outputs: bool = True) -> pandas.DataFrame:
        """A data frame of the rows: t, mode, the states and, unless `outputs` is False, the outputs."""
        import pandas

        columns: dict[str, Any] = {"t": self.t, "mode": np.asarray(self.problem.modes, object)[self.mode]}
        columns.update({name: self[name] for name in self.problem.states})
        if outputs:
            columns.update({name: self[name] for name in self.problem.outputs})
        return pandas.DataFrame(columns)

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Draw states or outputs over time by matplotlib; default: the first state. Returns the axes."""
        if ax is None:
            import matplotlib.pyplot

            ax = matplotlib.pyplot.subplots()[1]
        for name in names or self.problem.states[:1]:
            ax.plot(self.t, self[name], label=f"{name}, {self.problem.units[name]}")
        ax.set_xlabel("t, s")
        ax.legend()
        return ax

    def __reduce__(self) -> Any:
        raise TypeError("a Run is an object of this process: send run.frame()")

    def __repr__(self) -> str:
        reason = f": {self.reason}" if self.reason else ""
        return (f"Run of {self.problem.case}/{self.problem.preset} by {self.problem.solver}, "
                f"to t = {self.final['t']:.9g} s: {self.n_events} events, {len(self.t)} rows, {self.status}{reason}")

    def _repr_png_(self) -> bytes | None:
        """The first state over time. None: matplotlib is not installed, or there are no rows."""
        try:
            from matplotlib.figure import Figure
        except ImportError:
            return None
        if not len(self.t):
            return None
        image, figure = io.BytesIO(), Figure(figsize=(6, 2.4), layout="constrained")
        self.plot(ax=figure.subplots())
        figure.savefig(image, format="png")
        return image.getvalue()

    def _repr_html_(self) -> str:
        units = self.problem.units
        rows = [(name, f"{value:.9g}", units[name]) for name, value in self.final.items() if name != "mode"]
        image = self._repr_png_()
        figure = "" if image is None else f"<img src='data:image/png;base64,{base64.b64encode(image).decode()}'/>"
        return table(repr(self), None if self.status == "ok" else False, ("state", "at the end", "unit"), rows) + figure


_OF_RUN = tuple(inspect.signature(Problem.run).parameters)[1:]


def run(case: Case, **options: Any) -> Run:
    """Run a case once: Problem(case, ...).run(...), each with its own options."""
    own = {name: options.pop(name) for name in _OF_RUN if name in options}
    return Problem(case, **options).run(**own)


def cases() -> list[str]:
    """Names of the built-in cases."""
    return _names(lib.ic_case_at)


def solvers() -> list[str]:
    """Names of the solvers."""
    return _names(lib.ic_solver_at)


def laws() -> list[str]:
    """Names of the contact-force laws."""
    return _names(lib.ic_law_at)


def _names(at: Callable[[int], Any]) -> list[str]:
    found: list[str] = []
    while (one := at(len(found))) != ffi.NULL:
        found.append(text(one.name))
    return found
