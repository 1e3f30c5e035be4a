# SPDX-License-Identifier: MIT
"""pytest: the fixture `assert_follows`, whose failure shows the scorecard of the audit."""

import pytest

from . import answers
from ._library import ImpactcheckError


@pytest.fixture
def assert_follows():
    """impactcheck.assert_follows(rows, case, ...), without a traceback of its own."""

    def check(rows, case, **options):
        try:
            found = answers.audit(rows, case, **options)
        except ImpactcheckError as why:
            pytest.fail(str(why), pytrace=False)
        if not found.good:
            pytest.fail(found.text, pytrace=False)

    return check
