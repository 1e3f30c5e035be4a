# SPDX-License-Identifier: MIT
"""Audits of functions written in Python. They run in this process, and what they raise is raised again."""

from __future__ import annotations

import dataclasses
import fractions
import inspect
import os
import re
import secrets
import warnings
from typing import Any, Callable, Mapping, Sequence, Tuple

import numpy as np

from ._library import ImpactcheckError, encoded, entries, ffi, json_of, lib, number, text, whole
from .answers import Audit, assert_good, audit_command
from .problem import Case, Problem

Condition = {"A": lib.IC_CONDITION_A, "B": lib.IC_CONDITION_B, "C": lib.IC_CONDITION_C,
             "C*": lib.IC_CONDITION_C_STAR, "D": lib.IC_CONDITION_D}
Promise = {"continuous-onset": lib.IC_LAW_CONTINUOUS_ONSET, "no-tension": lib.IC_LAW_NO_TENSION,
           "only-loses": lib.IC_LAW_ONLY_LOSES}
MOST_EVENTS = 100_000
LEAST_RADIUS = 1e-12  # two evaluations of one formula differ by rounding alone


Stated = Tuple[str, str, str]  # value, unit and range of a parameter


class _Callbacks:
    """Callbacks of C's. The first exception ends the audit, as soon as C returns; answers after it are NaN."""

    def __init__(self) -> None:
        self.error: BaseException | None = None
        self._kept: list[Any] = []

    def keep(self, pointer: Any) -> Any:
        self._kept.append(pointer)
        return pointer

    def text(self, value: str | None) -> Any:
        return ffi.NULL if value is None else self.keep(ffi.new("char[]", encoded("text", value)))

    def _note(self, _kind: Any, error: BaseException, traceback: Any) -> None:
        self.error = self.error or error.with_traceback(traceback)

    def function(self, form: str, function: Callable[..., Any], failed: Any = None) -> Any:
        def called(*arguments: Any) -> Any:
            return function(*arguments) if self.error is None else failed

        more = {} if failed is None else {"error": failed}
        return self.keep(ffi.callback(form, called, onerror=self._note, **more))

    def answer(self, ask: Callable[..., Any], *arguments: Any) -> Audit:
        error = ffi.new("ic_error *")
        found = ask(*arguments, error)
        try:
            if self.error is not None:
                raise self.error
            if found == ffi.NULL:
                raise ImpactcheckError(text(error.text))
            return Audit(json_of(ffi.string(found)))
        finally:
            lib.ic_door_free(found)


def _copy_process() -> int:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads, which the copy does without
        return os.fork()


def _seed(seed: int | None) -> int:
    return secrets.randbelow(2**32) if seed is None else whole("seed", seed, 2**32 - 1)


def _name(function: Callable[..., Any], name: str | None = None) -> str:
    return name or str(getattr(function, "__name__", type(function).__name__))


def _names(function: Callable[..., Any], first: int) -> tuple[dict[str, bool], bool]:
    """The arguments behind the first ones, each with whether it must be given; and whether any others are taken."""
    try:
        every = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError) as why:
        raise ImpactcheckError(f"{function!r} is no function whose arguments are known: {why}") from None
    listed = [one for one in every if one.kind in (one.POSITIONAL_ONLY, one.POSITIONAL_OR_KEYWORD)]
    if len(listed) < first and not any(one.kind == one.VAR_POSITIONAL for one in every):
        raise ImpactcheckError(f"{_name(function)} takes fewer than {first} arguments")
    behind = listed[first:] + [one for one in every if one.kind == one.KEYWORD_ONLY]
    return {one.name: one.default is one.empty for one in behind}, any(one.kind == one.VAR_KEYWORD for one in every)


# ---- contact-force laws


def _registered(name: str | None) -> Any:
    """The law of that name. A law of one's own, or one that says nothing, has none."""
    if name in (None, "own"):
        return None
    law = lib.ic_law_find(encoded("implements", name))
    if law == ffi.NULL:
        raise ImpactcheckError(f"unknown law '{name}'; laws() lists all, 'own' is a law of one's own")
    return law


def _parameters_of(law: Any) -> dict[str, Stated]:
    """Value, unit and range of each parameter of a registered law."""
    if law is None:
        return {}
    every = ffi.unpack(law.parameters, law.n_parameters)
    return {text(one.name): (text(one.value), text(one.unit), text(one.range)) for one in every}


def _stated(name: str, value: Any, registered: Stated | None) -> Stated:
    """A parameter as a case file states it: 0.8, "1e8 N/m^1.5", or with its range: ("0.8", "1", "[0, 1]").

    Without a unit or a range it has those of the registered law, or no unit, and all values of its sign.
    """
    if isinstance(value, (tuple, list)) and len(value) == 3 and all(isinstance(one, str) for one in value):
        return value[0], value[1], value[2]
    if not isinstance(value, str):
        value = repr(number(name, value))
    first, _, unit = value.strip().partition(" ")
    if registered is not None and unit.strip() in ("", registered[1]):
        return first, registered[1], registered[2]
    return first, unit.strip() or "1", "(-inf, inf)" if re.match("-|[0.]*$", first) else "(0, inf)"


def _chosen(function: Callable[..., Any], law: Any, parameters: Mapping[str, Any] | None) -> dict[str, Stated]:
    """The parameters that the function takes, from what is stated and from the registered law."""
    known = _parameters_of(law)
    known.update({name: _stated(name, one, known.get(name)) for name, one in entries("parameters", parameters).items()})
    names, any_other = _names(function, 2)
    for name, must in names.items():
        if must and name != "v0" and name not in known:
            has = "is not stated" if law is None else f"law '{text(law.name)}' does not have ({', '.join(known)})"
            raise ImpactcheckError(f"{_name(function)} has the parameter '{name}', which {has}: "
                                   f"state it by parameters={{'{name}': 'VALUE UNIT'}}")
    chosen = {name: one for name, one in known.items() if any_other or name in names}
    for name, one in known.items():  # N/m^n where n is a number in the function
        if name not in chosen and re.fullmatch(r"[\d./]+", one[0]):
            exponent = re.compile(rf"\^{re.escape(name)}\b")
            power = f"^{float(fractions.Fraction(one[0])):g}"
            chosen = {key: (value, exponent.sub(power, unit), range_) for key, (value, unit, range_) in chosen.items()}
    return chosen


def _force(function: Callable[..., Any], found: Any) -> float:
    try:
        return float(found)
    except (TypeError, ValueError):
        raise TypeError(f"{_name(function)} returned {found!r}: a force is one number") from None


def _many(function: Callable[..., Any]) -> Callable[..., np.ndarray]:
    """Forces in many states: by one call if the function takes arrays and answers as for numbers, else one by one."""
    takes_arrays: bool | None = None

    def forces(d: np.ndarray, v: np.ndarray, more: Mapping[str, float]) -> np.ndarray:
        nonlocal takes_arrays
        if takes_arrays is not False:
            try:
                found = np.asarray(function(d, v, **more), float)
            except (TypeError, ValueError):
                found = np.empty(0)
            if takes_arrays is None and found.shape == d.shape:
                at = [0, len(d) // 2, len(d) - 1]
                one_by_one = [float(function(d[i], v[i], **more)) for i in at]
                takes_arrays = np.allclose(found[at], one_by_one, rtol=LEAST_RADIUS, atol=0, equal_nan=True)
            if takes_arrays and found.shape == d.shape:
                return found
            takes_arrays = False
        return np.array([_force(function, function(float(a), float(b), **more)) for a, b in zip(d, v)])

    return forces


def audit_law(function: Callable[..., Any], implements: str | None = None, *,
              parameters: Mapping[str, Any] | None = None, condition: str | None = None,
              promises: Sequence[str] | None = None, restitution: str | None = None, gap: bool = False,
              name: str | None = None, seed: int | None = None) -> Audit:
    """Audit a contact-force law function(d, v, ...): the force, N, of an indentation d, m, and its rate v, m/s.

    gap: the function has the gap and its rate instead, -d and -v. Its further arguments are v0, the speed at which the
    contact began, and parameters, with value, unit and range of the registered law that it implements, or as
    `parameters` states them: {"e": 0.8, "K": "1e8 N/m^1.5", "mu": ("0.3", "1", "[0, 1]")}. implements: the name of a
    registered law, whose condition and promises it has then, or "own". condition: "A", "B", "C", "C*" or "D"; promises:
    "continuous-onset", "no-tension", "only-loses"; restitution: the parameter that claims to be the coefficient of
    restitution. A function that takes arrays is called with some hundred states at once where that is possible.
    """
    registered, calls = _registered(implements), _Callbacks()
    chosen = _chosen(function, registered, parameters)
    names, has_memory, sign = list(chosen), "v0" in _names(function, 2)[0], -1.0 if gap else 1.0

    def more(memory: float, par: Any) -> dict[str, float]:
        found = dict(zip(names, ffi.unpack(par, len(names)))) if names else {}
        if has_memory:
            found["v0"] = memory
        return found

    many = _many(function)

    def forces(force: Any, _law: Any, d: Any, v: Any, n: int, memory: float, par: Any) -> None:
        def array(of: Any) -> np.ndarray:
            return np.frombuffer(ffi.buffer(of, n * 8))

        array(force)[:] = np.nan
        array(force)[:] = many(sign * array(d), sign * array(v), more(memory, par))

    law, table = calls.keep(ffi.new("ic_law *")), calls.keep(ffi.new("ic_parameter[]", max(len(names), 1)))
    for i, (one, (value, unit, range_)) in enumerate(chosen.items()):
        table[i].name, table[i].value, table[i].unit = calls.text(one), calls.text(value), calls.text(unit)
        table[i].range, table[i].meaning = calls.text(range_), calls.text("")
    law.abi_version, law.struct_size = lib.ic_law_at(0).abi_version, ffi.sizeof("ic_law")
    law.name, law.implements = calls.text(_name(function, name)), calls.text(implements)
    law.title, law.source = calls.text("a function of Python"), calls.text("")
    law.parameters, law.n_parameters = table, len(names)
    if registered is not None:
        law.source, law.condition, law.promises = registered.source, registered.condition, registered.promises
        if set(_parameters_of(registered)) <= set(names):
            law.requirements, law.n_requirements = registered.requirements, registered.n_requirements
        restitution = restitution or text(registered.restitution)
    if condition is not None:
        law.condition = _one_of("condition", condition, Condition)
    if promises is not None:
        law.promises = sum(_one_of("promises", one, Promise) for one in set(promises))
    law.restitution = calls.text(restitution)
    nan = float("nan")
    law.force = calls.function("double(double, double, double, const double *)",
                               lambda d, v, memory, par: _force(function, function(sign * d, sign * v,
                                                                                   **more(memory, par))), nan)
    if has_memory:
        law.remember = calls.function("double(double, const double *)", lambda v0, par: v0, nan)
        law.memory_unit = calls.text("m/s")
    host = calls.keep(ffi.new("ic_door_host *"))
    host.copy_process = calls.function("int(void)", _copy_process, -1)
    host.forces = calls.function("void(double *, const ic_law *, const double *, const double *, size_t, double, "
                                 "const double *)", forces)
    return calls.answer(lib.ic_door_audit_law, law, host, _seed(seed))


def _one_of(name: str, value: Any, known: Mapping[str, int]) -> int:
    if value not in known:
        raise ImpactcheckError(f"{name}: {value!r} is none of {', '.join(known)}")
    return known[value]


# ---- impact maps


def audit_map(function: Callable[..., Any], implements: str | None = None, *, name: str | None = None,
              seed: int | None = None) -> Audit:
    """Audit an impact map function(v, W, mu, e), whose arguments are given by name, as many as it has.

    v: relative velocity (tangential, normal) before the impact, m/s, with v[1] < 0; W: inverse mass matrix of the
    contact, 1/kg; mu, e: coefficients of friction and restitution. It returns the velocity after the impact, or that
    and the impulse, N s: (v, P); without one, P is what W requires. None or a ValueError refuses what is no impact.
    implements: "newton", "poisson", "stronge" and others (docs/audit.md), or "own".
    """
    names, any_other = _names(function, 0)
    wrong = [one for one, must in names.items() if must and one not in ("v", "W", "mu", "e")]
    if wrong:
        raise ImpactcheckError(f"{_name(function, name)} has the argument '{wrong[0]}': an impact has v, W, mu and e")
    wanted = [one for one in ("v", "W", "mu", "e") if any_other or one in names]
    calls, answered, refusal = _Callbacks(), 0, None

    def call(result: Any, impact: Any) -> int:
        nonlocal answered, refusal
        v, W = np.array(tuple(impact.v)), np.array([[impact.w_xx, impact.w_xy], [impact.w_xy, impact.w_yy]])
        given = {"v": v.copy(), "W": W.copy(), "mu": impact.mu, "e": impact.e}
        try:
            found = function(**{one: given[one] for one in wanted})
        except ValueError as why:
            refusal = why
            return int(lib.IC_INVALID)
        if found is None:
            return int(lib.IC_INVALID)
        after = np.asarray(found, float)
        if after.shape not in ((2,), (2, 2)):
            raise TypeError(f"{_name(function, name)} returned {found!r}: 2 numbers are the velocity after the impact, "
                            "a pair of these its velocity and impulse")
        if after.ndim == 1:  # P = W^-1 (v' - v)
            (a, b, c), (x, y) = (impact.w_xx, impact.w_xy, impact.w_yy), after - v
            with np.errstate(all="ignore"):  # impacts that are none have any numbers
                after = np.array([after, [c * x - b * y, a * y - b * x] / (np.float64(a) * c - b * b)])
        result.v, result.P = tuple(after[0]), tuple(after[1])
        result.D_N = result.D_T = result.n_path = 0
        answered += 1
        return int(lib.IC_OK)

    own = calls.keep(ffi.new("ic_impact_map *"))
    own.abi_version, own.struct_size = lib.ic_law_at(0).abi_version, ffi.sizeof("ic_impact_map")
    own.name, own.implements = calls.text(_name(function, name)), calls.text(implements)
    own.title, own.source = calls.text("a function of Python"), calls.text("")
    own.map = calls.function("ic_status(ic_impact_result *, const ic_impact *)", call, lib.IC_INVALID)
    found = calls.answer(lib.ic_door_audit_impact_map, own, _seed(seed))
    if answered == 0 and refusal is not None:
        raise refusal
    return found


# ---- simulations and right-hand sides


@dataclasses.dataclass(frozen=True)
class Request:
    """What a simulation is asked for: `parameters` and `start` by name (SI units), the times of the rows, s, the step
    for fixed steps, s, and the relative tolerance for others."""

    case: str
    parameters: Mapping[str, float]
    start: Mapping[str, float]
    mode: str
    t_start: float
    until: float
    samples: int
    step: float
    rtol: float

    @property
    def t(self) -> np.ndarray:
        return np.linspace(self.t_start, self.until, self.samples)


def _request(asked: Mapping[str, Any]) -> Request:
    start = asked["start"]
    return Request(asked["case"], asked["parameters"], start["state"], start["mode"], start["t"], asked["until"],
                   asked["samples"], asked["step"], asked["rtol"])


def audit_simulation(simulate: Callable[[Request], Any], case: Case, **options: Any) -> Audit:
    """Audit simulate(request), which returns rows as `audit` takes them, with parameters and steps of its choice.

    It is called some dozen times: for rows at request.t, with several steps and parameters. Options: those of `audit`,
    and until, s; samples, step, rtol, order, phases and seed as those of `impactcheck audit --command`.
    """
    return audit_command(lambda asked: simulate(_request(asked)), _name(simulate), case, options)


def audit_rhs(fun: Callable[..., Any], case: Case, *, events: Sequence[Callable[..., Any]] = (),
              jumps: Sequence[Callable[..., Any]] = (), method: str = "DOP853", **options: Any) -> Audit:
    """Audit a right-hand side fun(t, x, ...) as scipy's solve_ivp takes it, with events and their jumps.

    An event(t, x, ...) ends a part of the motion where it falls through zero, or as its attribute `direction` says,
    and jump(t, x, ...) of the same number returns the state after it. Further arguments are parameters, by name.
    solve_ivp solves it for `audit_simulation`, whose options it takes.
    """
    if len(events) != len(jumps):
        raise ImpactcheckError(f"there are {len(events)} events and {len(jumps)} jumps: each event has its jump")

    def simulate(request: Request) -> dict[str, np.ndarray]:
        def given(function: Callable[..., Any]) -> Callable[..., Any]:
            names, any_other = _names(function, 2)
            more = {one: value for one, value in request.parameters.items() if any_other or one in names}
            return lambda t, x: function(t, x, **more)

        def event(function: Callable[..., Any]) -> Callable[..., Any]:
            found: Any = given(function)
            found.terminal, found.direction = True, getattr(function, "direction", 0) or -1
            return found

        x = np.array(list(request.start.values()))
        flow = given(fun)
        x = x[:len(np.atleast_1d(flow(request.t_start, x)))]
        return _solve(flow, [event(one) for one in events], [given(one) for one in jumps], x, method, request)

    return audit_command(lambda asked: simulate(_request(asked)), _name(fun), case, options)


def _solve(flow: Callable[..., Any], events: list[Any], jumps: list[Any], x: np.ndarray, method: str,
           request: Request) -> dict[str, np.ndarray]:
    """Rows of a motion in parts, each from a jump to the next event."""
    from scipy.integrate import solve_ivp

    t, rows, at = request.t_start, [], request.t
    for _ in range(MOST_EVENTS):
        part = solve_ivp(flow, (t, request.until), x, method, events=events or None, dense_output=True,
                         rtol=request.rtol, atol=1e-3 * request.rtol)
        if not part.success:
            raise ImpactcheckError(f"solve_ivp at t = {part.t[-1]:.9g} s: {part.message}")
        inside = at[(at >= t) & ((at < part.t[-1]) if part.status == 1 else True)]
        if len(inside):
            rows.append((inside, part.sol(inside)))
        if part.status == 0:
            names = list(request.start)
            return {"t": np.concatenate([one for one, _ in rows]),
                    **{name: np.concatenate([y[i] for _, y in rows]) for i, name in enumerate(names[:len(x)])}}
        t, x = part.t[-1], part.y[:, -1]
        for found, jump in zip(part.t_events, jumps):
            if len(found):
                x = np.asarray(jump(t, x), float)
    raise ImpactcheckError(f"more than {MOST_EVENTS} events up to t = {t:.9g} s: do they accumulate?")


def assert_law(function: Callable[..., Any], implements: str | None = None, **options: Any) -> None:
    """Raise NotGood, an AssertionError, with the scorecard unless the audit of this law is good: for tests."""
    __tracebackhide__ = True
    assert_good(audit_law(function, implements, **options))


def assert_map(function: Callable[..., Any], implements: str | None = None, **options: Any) -> None:
    """Raise NotGood, an AssertionError, with the scorecard unless the audit of this impact map is good: for tests."""
    __tracebackhide__ = True
    assert_good(audit_map(function, implements, **options))
