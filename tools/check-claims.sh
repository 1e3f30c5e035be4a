#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-claims.sh [BUILD-FOLDER]
#
# Every row about a paper can fail: each rejects its counter-value, and no two measure the same; the unit tests try one row in ten, this all.
# Every misprint is derived once more (tools/check-papers.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
IC_COUNTER_VALUES=all IC_TEST_SUITE=counter-values tools/unit-tests.sh "${1-build}"
tools/check-papers.py --derive
