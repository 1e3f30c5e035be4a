# SPDX-License-Identifier: MIT
"""pytest: the fixtures `assert_follows`, `assert_law` and `assert_map`, whose failure is the scorecard of the audit."""

from __future__ import annotations

from typing import Any, Callable

import pytest

from . import answers, functions
from ._library import ImpactcheckError


def _without_traceback(check: Callable[..., None]) -> Callable[..., None]:
    """What the audit found, or why there is none, and nothing else; errors of the user's code stay as they are."""
    def checked(*arguments: Any, **options: Any) -> None:
        try:
            check(*arguments, **options)
        except (answers.NotGood, ImpactcheckError) as why:
            said = str(why)
        else:
            return
        pytest.fail(said, pytrace=False)

    return checked


@pytest.fixture
def assert_follows() -> Callable[..., None]:
    """impactcheck.assert_follows(rows, case, ...)"""
    return _without_traceback(answers.assert_follows)


@pytest.fixture
def assert_law() -> Callable[..., None]:
    """impactcheck.assert_law(function, "hunt-crossley", ...)"""
    return _without_traceback(functions.assert_law)


@pytest.fixture
def assert_map() -> Callable[..., None]:
    """impactcheck.assert_map(function, "poisson", ...)"""
    return _without_traceback(functions.assert_map)
