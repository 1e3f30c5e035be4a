#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-claims.sh [BUILD-FOLDER]
#
# Shows that every row about a paper can fail: each must reject its counter-value, and no two
# measure the same quantity. The unit tests try one row in ten, this script all. Then derives every
# misprint again (tools/check-papers.py).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
IC_COUNTER_VALUES=all IC_TEST_SUITE=counter-values tools/unit-tests.sh "${1-build}"
tools/check-papers.py --derive
