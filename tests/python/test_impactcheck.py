# SPDX-License-Identifier: MIT
"""The package as a user has it. Each check has a planted wrong answer, or a request that must be refused."""

import gc
import importlib.metadata
import math
import os
import pathlib
import pickle
import subprocess
import sys

import numpy as np
import pandas
import pytest

import impactcheck as ic

MACHINE = {
    "parameters": {"g": "9.81 m/s^2", "e": 0.8},
    "states": {"x": {"unit": "m", "start": "1 m"}, "v": "m/s"},
    "flow": {"x": "v", "v": "-g"},
    "elements": {"floor": {"stop": {"gap": "x", "restitution": "e"}}},
    "presets": {"default": {"until": "2 s"}},
}


def bounce(e=0.8, n=400, until=2.0, g=9.81):
    """Rows of a ball that falls from 1 m, by hand."""
    rows, t0, x0, v0 = [], 0.0, 1.0, 0.0
    for t in np.linspace(0, until, n):
        while True:
            hit = (v0 + math.sqrt(v0 * v0 + 2 * g * x0)) / g
            if t0 + hit > t:
                break
            t0, x0, v0 = t0 + hit, 0.0, e * (g * hit - v0)
        s = t - t0
        rows.append((t, x0 + v0 * s - g * s * s / 2, v0 - g * s))
    return pandas.DataFrame(rows, columns=["t", "x", "v"])


def test_run():
    run = ic.run("bouncing-ball/drop", samples=101)
    first = math.sqrt(2 / 9.81)
    assert run.status == "ok" and run.problem.states == ["x", "v"] and run.problem.units["x"] == "m"
    assert run.x.shape == (101, 2) and run.t[0] == 0 and len(run["energy"]) == 101
    assert run.events["t"][0] == pytest.approx(first, rel=1e-12)
    assert run.events["v+"][0] == pytest.approx(-0.5 * run.events["v-"][0], rel=1e-12)
    assert run.extremes["height"].max == pytest.approx(1)
    with pytest.raises(KeyError, match="no state or output"):
        run["nothing"]


def test_views_are_no_copies_and_outlive_their_run():
    run = ic.run("roller/III/C", samples=1001)
    x, t = run.x, run.t
    assert x.base is not None and not x.flags.writeable and t.strides == (24,)
    kept, times = x.copy(), t.copy()
    del run
    gc.collect()
    others = [ic.run("roller/III/C", samples=1001) for _ in range(5)]
    assert np.array_equal(x, kept) and np.array_equal(t, times) and len(others) == 5
    with pytest.raises(ValueError):
        x[0, 0] = 1


def test_settings_reach_the_problem():
    problem = ic.Problem("bouncing-ball/drop", g=1.6, until="2*h")
    assert problem.parameters["g"] == 1.6
    assert problem.run().events["t"][0] == pytest.approx(math.sqrt(2 / 1.6))
    assert ic.Problem("bouncing-ball/drop", settings={"g": "3/2"}).parameters["g"] == 1.5


@pytest.mark.parametrize("case, more, says", [
    ("bouncing-bal", {}, "did you mean 'bouncing-ball'"),
    ("bouncing-ball/drop", {"nope": 1}, "no parameter 'nope'"),
    ("bouncing-ball/drop", {"solver": "dop"}, "unknown solver 'dop'"),
    ("bouncing-ball/drop", {"e": -1}, "e"),
    ("nowhere.yaml", {}, "nowhere.yaml"),
    (3, {}, "a case is a name"),
    ("bouncing-ball\0x", {}, "zero byte"),
    ("\ud800", {}, "case: "),
    ("bouncing-ball/drop", {"e": None}, "e: None is no number"),
    ("bouncing-ball/drop", {"settings": "e=3"}, "settings: 'e=3' is no dict"),
])
def test_wrong_requests_say_what_is_wrong(case, more, says):
    with pytest.raises(ic.ImpactcheckError, match=says):
        ic.Problem(case, **more)


@pytest.mark.parametrize("options, says", [
    ({"rtol": -1}, "negative"), ({"rtol": "small"}, "rtol"), ({"samples": -1}, "samples: -1"),
    ({"samples": 2.5}, "samples: 2.5"), ({"samples": 10**10}, "no whole number"),
    ({"samples": None}, "samples")])
def test_wrong_options_are_refused(options, says):
    with pytest.raises(ic.ImpactcheckError, match=says):
        ic.run("bouncing-ball/drop", **options)


def test_wrong_requests_of_other_functions_are_refused():
    with pytest.raises(ic.ImpactcheckError, match="vary"):
        ic.sweep("bouncing-ball/drop", "e=0.1:0.9:3")
    with pytest.raises(ic.ImpactcheckError, match="rows are a data frame"):
        ic.audit({"t": [0, 1], "x": [1]}, "bouncing-ball/drop")
    with pytest.raises(ic.ImpactcheckError, match="no rows"):
        ic.audit(pandas.DataFrame(), "bouncing-ball/drop")
    with pytest.raises(ic.ImpactcheckError, match="end of the run"):
        ic.certify("bouncing-ball/drop", until="never")


def test_a_machine_of_ones_own():
    machine = ic.Machine(**MACHINE)
    run = ic.run(machine, solver="dop853", rtol=1e-12)
    assert np.abs(run["x"] - bounce(n=1001)["x"]).max() < 1e-9 < np.abs(run["x"] - bounce(e=0.81, n=1001)["x"]).max()
    with pytest.raises(ic.ImpactcheckError, match="the machine, flow.x: unknown name 'w'"):
        ic.Problem(ic.Machine(**{**MACHINE, "flow": {"x": "w", "v": "-g"}}))


def test_a_machine_is_its_words():
    """It survives pickling, children, and the end of its siblings; the same words are read once."""
    machine = ic.Machine(**MACHINE)
    copy = pickle.loads(pickle.dumps(machine))
    path = machine.__fspath__()
    del machine
    gc.collect()
    assert copy.__fspath__() == path == ic.Machine(**MACHINE).__fspath__() and ic.run(copy).status == "ok"
    child = os.fork()
    if child == 0:
        os._exit(0 if ic.Machine(**MACHINE).__fspath__() != path else 1)
    assert os.waitpid(child, 0)[1] == 0 and ic.certify(copy, until="0.1").status == "certified"
    numbers = {**MACHINE, "parameters": {"g": "9.81 m/s^2", "e": np.float32(0.5)}}
    assert ic.Problem(ic.Machine(**numbers)).parameters["e"] == 0.5
    with pytest.raises(ic.ImpactcheckError, match="no words for"):
        ic.Machine(parameters={"e": {1, 2}})


def test_runs_without_rows_or_with_little_work():
    run = ic.run("bouncing-ball/drop", samples=0)
    assert len(run.frame()) == 0 and run.n_events > 0
    assert ic.run("roller/III/C", solver="dop853", max_steps=10).status == "too_much_work"
    with pytest.raises(TypeError, match="frame"):
        pickle.dumps(run)


def test_certificates_are_exact():
    certificate = ic.certify("bouncing-ball/drop", digits=30, until="0.5")
    t = certificate.events[0]["t"]
    assert certificate.status == "certified" and t.radius < 1e-29
    assert abs(t.value * t.value * 981 - 200) < 1e-26  # t^2 = 2 h/g
    assert t.value in t and float(t) in t and float(t) + 1e-15 not in t
    assert float(t) == pytest.approx(math.sqrt(2 / 9.81), rel=1e-15)
    pytest.importorskip("mpmath")
    interval = t.interval()
    assert interval.a < interval.b and interval.delta < 1e-28 and abs(float(interval.mid) - float(t)) < 1e-15


def test_sweeps_are_frames():
    frame = ic.sweep("impact-oscillator/forced-elastic", {"F": "1:2:3"}, skip=2, keep=2)
    assert len(frame) == 6 and {"F", "x", "v"} <= set(frame.columns)
    assert sorted(set(frame["F"])) == [1, 1.5, 2]


def test_audits_of_rows():
    machine = ic.Machine(**MACHINE)
    good = ic.audit(bounce(), machine)
    assert good and good.verdict == "good" and good.causes == []
    wrong = ic.audit(bounce(e=0.7), machine)
    assert not wrong and wrong.causes == ["parameter-wrong"] and "e = 0.7" in wrong.text
    named = bounce().rename(columns={"x": "height"})
    named["t"] *= 1000
    assert ic.audit(named, machine, columns={"x": "height"}, units={"t": "ms"})
    assert ic.audit(ic.run(machine), machine) and ic.audit(bounce().set_index("t"), ic.Problem(machine))
    with pytest.raises(ic.ImpactcheckError, match="column 'x' does not exist"):
        ic.audit(named, machine)


def test_audits_of_solve_ivp():
    integrate = pytest.importorskip("scipy.integrate")
    machine = ic.Machine(**{**MACHINE, "presets": {"default": {"until": "0.4 s"}}})
    right = integrate.solve_ivp(lambda t, x: [x[1], -9.81], (0, 0.4), [1, 0], max_step=0.01, rtol=1e-9)
    wrong = integrate.solve_ivp(lambda t, x: [x[1], -9.7], (0, 0.4), [1, 0], max_step=0.01, rtol=1e-9)
    assert ic.audit(right, machine).verdict != "failed"
    assert ic.audit(wrong, machine).verdict == "failed"


def test_the_plugin_of_pytest(tmp_path):
    """A wrong simulation fails with the scorecard, a right one passes."""
    (tmp_path / "test_mine.py").write_text(
        "import sys; sys.path.insert(0, %r)\n"
        "from test_impactcheck import MACHINE, bounce\nimport impactcheck\n"
        "machine = impactcheck.Machine(**MACHINE)\n"
        "def test_right(assert_follows): assert_follows(bounce(), machine)\n"
        "def test_wrong(assert_follows): assert_follows(bounce(e=0.7), machine)\n" % __file__.rpartition("/")[0])
    installed = any(one.name == "impactcheck" for one in importlib.metadata.distributions())
    plugin = [] if installed else ["-p", "impactcheck.pytest_plugin"]
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *plugin, str(tmp_path)],
                          capture_output=True, text=True, check=False)
    assert "1 failed, 1 passed" in done.stdout and "likely cause: parameter-wrong" in done.stdout
    with pytest.raises(AssertionError, match="parameter-wrong"):
        ic.assert_follows(bounce(e=0.7), ic.Machine(**MACHINE))


def test_lists():
    assert "roller" in ic.cases() and "taylor" in ic.solvers() and ic.__version__.count(".") == 2


def test_the_examples_of_the_document():
    """docs/python.md, from its first example to its last."""
    document = pathlib.Path(__file__).resolve().parents[2] / "docs" / "python.md"
    examples = document.read_text().split("```python\n")[1:]
    names = {}
    for example in examples:
        exec(example.split("```")[0], names)  # pylint: disable=exec-used
    assert len(examples) >= 6 and names["wrong"].verdict == "failed"


def test_derivatives_of_runs_and_certificates():
    run = ic.run("bouncing-ball/lively", derivative=["e", "h"], solver="dop853", rtol=1e-12)
    truth = ic.certify("bouncing-ball/lively", derivative=["e", "h"], digits=20).derivatives
    for name in ("e", "h"):
        delays = [float(event["t"]) for event in truth[name]["events"]]
        assert np.allclose(run.events[f"t_by_{name}+"], delays, rtol=1e-9)
        assert run.final[f"x_by_{name}"] == pytest.approx(float(truth[name]["final"]["state"]["x"]), rel=1e-9)
    assert not np.allclose(run.events["t_by_e+"], run.events["t_by_h+"])
    with pytest.raises(ic.ImpactcheckError, match="no parameter or state 'ee'"):
        ic.Problem("bouncing-ball/lively", derivative="ee")


def test_identification_by_derivatives():
    example = pathlib.Path(__file__).resolve().parents[2] / "examples/derivatives/identify.py"
    done = subprocess.run([sys.executable, example], capture_output=True, text=True, check=True)
    assert "e = 0.8898 +- 0.0002, g = 9.7731 +- 0.0083" in done.stdout
