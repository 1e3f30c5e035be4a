# SPDX-License-Identifier: MIT
"""Audits of functions in this process. Each has a planted wrong function, which is named by its mistake."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pandas
import pytest

import impactcheck as ic
from test_impactcheck import MACHINE, bounce

MACHINE_1 = ic.Machine(**{**MACHINE, "presets": {"default": {"until": "1 s"}}})


def hunt_crossley(d, v, v0, K, n, e):
    return K * np.maximum(d, 0) ** n * (1 + 1.5 * (1 - e) * v / v0)


def scalar(d, v, v0, K, e):
    return K * d**1.5 * (1 + 1.5 * (1 - e) * v / v0) if d > 0 else 0.0


def in_gap(gap, speed, v0, K, e):
    return scalar(-gap, -speed, v0, K, e)


def limited(d, v, v0, K, n, e):
    return np.minimum(hunt_crossley(d, v, v0, K, n, e), 15000)


def undamped(d, v, v0, K, n, e):
    return hunt_crossley(d, v, v0, K, n, 0.8)


def is_impact(v, W, mu, e):
    definite = W[0, 0] > 0 and W[0, 0] * W[1, 1] - W[0, 1] ** 2 > 0
    return bool(definite and np.isfinite(v).all() and v[1] < 0 and mu >= 0 and 0 <= e <= 1)


def newton(v, W, mu, e):
    """Without friction."""
    if not is_impact(v, W, mu, e):
        raise ValueError("no impact")
    P = np.array([0, -(1 + e) * v[1] / W[1, 1]])
    return v + W @ P, P


@pytest.mark.parametrize("law, options", [(hunt_crossley, {}), (scalar, {}), (in_gap, {"gap": True})])
def test_a_right_law_is_good_in_ten_seconds(law, options):
    start = time.process_time()
    found = ic.audit_law(law, "hunt-crossley", **options)
    assert found.good, found.text
    assert time.process_time() - start < 10
    assert "hunt-crossley" in found.summary


@pytest.mark.parametrize("law, cause, says", [
    (limited, "force-limited", "15000 N"), (undamped, "parameter-ignored", "'e' has no")])
@pytest.mark.slow
def test_a_wrong_law_is_named(law, cause, says):
    found = ic.audit_law(law, "hunt-crossley", seed=3)
    assert found.verdict == "failed" and cause in found.causes
    assert says in found.text and "likely cause: " + cause in found.text and cause in found._repr_html_()
    assert ic.audit_law(law, "hunt-crossley", seed=3).text == found.text


@pytest.mark.slow
def test_a_law_of_ones_own_states_its_parameters():
    def mine(d, v, k, c):
        return k * d + c * v if d > 0 else 0.0

    with pytest.raises(ic.ImpactcheckError, match="'k', which is not stated"):
        ic.audit_law(mine)
    with pytest.raises(ic.ImpactcheckError, match="'k', which law 'hertz' does not have"):
        ic.audit_law(mine, "hertz")
    assert ic.audit_law(scalar, "hunt-crossley", parameters={"K": "2e9", "e": 0.5}).good
    found = ic.audit_law(mine, "own", parameters={"k": "1e6 N/m", "c": ("100", "N s/m", "[0, inf)")},
                         promises=["only-loses", "no-tension"])
    assert found.verdict == "failed" and found.causes == ["adhesion-kept"]


@pytest.mark.parametrize("options, says", [
    ({"implements": "hunt-crosley"}, "unknown law 'hunt-crosley'"), ({"promises": ["all"]}, "'all' is none of"),
    ({"condition": "E"}, "'E' is none of"), ({"seed": -1}, "seed"),
    ({"parameters": {"K": ("1", "N", "positive")}}, "'positive'"), ({"parameters": 3}, "parameters: 3 is no dict")])
def test_wrong_requests_of_laws_are_refused(options, says):
    with pytest.raises(ic.ImpactcheckError, match=says):
        ic.audit_law(scalar, **{"implements": "hunt-crossley", **options})
    with pytest.raises(ic.ImpactcheckError, match="fewer than 2"):
        ic.audit_law(lambda d: d)


def test_what_a_function_raises_is_raised_again():
    def broken(d, v, K):
        return K * d["depth"]

    with pytest.raises(TypeError, match="subscriptable") as caught:
        ic.audit_law(broken, "hertz")
    assert caught.traceback[-1].name == "broken"
    with pytest.raises(ZeroDivisionError):
        ic.audit_map(lambda v, e: v / 0 if e > 0.9 else 1 / 0, "newton")
    with pytest.raises(TypeError, match="2 numbers are the velocity"):
        ic.audit_map(lambda v: 3.0)
    with pytest.raises(ValueError, match="no answer"):
        ic.audit_map(lambda v: (_ for _ in ()).throw(ValueError("no answer")))
    with pytest.raises(KeyError, match="'height'"):
        ic.audit_simulation(lambda request: request.parameters["height"], MACHINE_1)
    not_numbers = ic.audit_law(lambda d, v, K: float("nan"), "hertz")
    assert not_numbers.verdict == "failed" and "not-finite" in not_numbers.causes


@pytest.mark.slow
def test_a_law_with_state_is_named():
    kept = {}

    def first_stiffness(d, v, v0, K, n, e):
        return hunt_crossley(d, v, v0, kept.setdefault("K", K), n, e)

    assert "memory-not-reset" in ic.audit_law(first_stiffness, "hunt-crossley").causes


def test_impact_maps():
    found = ic.audit_map(newton, "newton")
    assert found.verdict == "failed" and "frictionless" in found.causes
    with pytest.raises(AssertionError, match="frictionless"):
        ic.assert_map(newton, "newton")
    with pytest.raises(ic.ImpactcheckError, match="argument 'mass'"):
        ic.audit_map(lambda v, mass: v)

    def moreau(v, W, mu, e):
        """Newton's restitution, and Coulomb's law for the whole impulse."""
        if not is_impact(v, W, mu, e):
            return None
        P = np.linalg.solve(W, [-v[0], -(1 + e) * v[1]])
        if abs(P[0]) > mu * P[1]:
            for sign in (-1, 1):
                P_y = -(1 + e) * v[1] / (W[1, 1] + sign * mu * W[0, 1])
                P = np.array([sign * mu * P_y, P_y])
                if P_y > 0 and (v + W @ P)[0] * sign <= 0:
                    break
        return v + W @ P

    right = ic.audit_map(moreau, "newton-at-once")
    assert right.verdict == "good", right.text


def ball(request, g=None, e=None):
    """A ball by hand."""
    p = request.parameters
    rows = bounce(e or p["e"], request.samples, request.until, g or p["g"])
    return rows


def test_simulations():
    found = ic.audit_simulation(ball, MACHINE_1, phases=2)
    assert found.good, found.text
    wrong = ic.audit_simulation(lambda request: ball(request, e=0.7), MACHINE_1, phases=2)
    assert wrong.verdict == "failed" and wrong.causes == ["parameter-wrong"]

    def planted(request):
        return ball(request).rename(columns={"x": "y"})

    with pytest.raises(ic.ImpactcheckError, match="'planted'.*column 'x' does not exist") as caught:
        ic.audit_simulation(planted, MACHINE_1)
    assert "/tmp" not in str(caught.value)


def fall(t, x, g):
    return [x[1], -g]


def floor(t, x):
    return x[0]


def test_right_hand_sides():
    pytest.importorskip("scipy")
    found = ic.audit_rhs(fall, MACHINE_1, events=[floor], jumps=[lambda t, x, e: [0, -e * x[1]]], phases=2)
    assert found.good, found.text
    wrong = ic.audit_rhs(lambda t, x, g: [x[1], -0.98 * g], MACHINE_1, events=[floor],
                         jumps=[lambda t, x, e: [0, -e * x[1]]], phases=2)
    assert wrong.verdict == "failed" and wrong.causes == ["parameter-wrong"]
    with pytest.raises(ic.ImpactcheckError, match="1 events and 0 jumps"):
        ic.audit_rhs(fall, MACHINE_1, events=[floor])


@pytest.mark.slow
def test_fixtures_show_the_scorecard(tmp_path):
    (tmp_path / "test_mine.py").write_text(
        "import sys; sys.path.insert(0, %r)\nimport pytest\n"
        "from test_functions import limited, hunt_crossley, newton\n"
        "def test_right(assert_law): assert_law(hunt_crossley, 'hunt-crossley')\n"
        "def test_wrong(assert_law): assert_law(limited, 'hunt-crossley')\n"
        "def test_map(assert_map): assert_map(newton, 'newton')\n"
        "def test_own_error(assert_law): assert_law(lambda d, v: {}['missing'], 'hertz')\n"
        % __file__.rpartition("/")[0])
    installed = "site-packages" in ic.__file__ or "installed" in ic.__file__
    plugin = [] if installed else ["-p", "impactcheck.pytest_plugin"]
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", *plugin, str(tmp_path)],
                          capture_output=True, text=True, check=False)
    assert "3 failed, 1 passed" in done.stdout, done.stdout + done.stderr
    assert "the force is limited to 15000 N" in done.stdout and "likely cause: frictionless" in done.stdout
    assert "KeyError: 'missing'" in done.stdout


@pytest.mark.parametrize("call", [
    lambda: ic.run("roller/III/C", solver="rk4_henon", step=1e-9, until=10),
    lambda: ic.certify("roller/III/C", until=1000, digits=200),
    lambda: ic.audit_law(lambda d, v, K: time.sleep(1e-3) or K * max(d, 0), "hertz")], ids=["run", "certify", "law"])
def test_an_interrupt_ends_what_takes_long(call):
    """SIGINT reaches this process alone, as in a notebook."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    timer = threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.perf_counter()
    try:
        with pytest.raises(KeyboardInterrupt):
            call()
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert time.perf_counter() - start < 10
    assert ic.run("bouncing-ball/drop").status == "ok"


def test_representations_of_notebooks():
    run = ic.run("bouncing-ball/drop", samples=101)
    assert "<table>" in run._repr_html_() and "height" not in run._repr_html_()
    certificate = ic.certify("bouncing-ball/drop", until="0.5")
    assert "floor" in certificate._repr_html_() and "0.4515" in certificate._repr_html_()
    if run._repr_png_() is not None:
        assert run._repr_png_().startswith(b"\x89PNG") and "data:image/png" in run._repr_html_()
    wrong = ic.audit(pandas.DataFrame(bounce(e=0.7)), MACHINE_1, until=1)
    assert "#b3261e" in wrong._repr_html_() and "#1a7f37" in ic.audit(bounce(), MACHINE_1, until=1)._repr_html_()


def test_a_force_that_is_no_number_is_named():
    with pytest.raises(TypeError, match="nothing returned None: a force is one number"):
        def nothing(d, v, K):
            return None
        ic.audit_law(nothing, "hertz")
