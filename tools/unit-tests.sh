#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/unit-tests.sh BUILD-FOLDER [WRAPPER...]
#
# Runs BUILD-FOLDER/impactcheck-tests (or the program IC_TEST_PROGRAM there) in a temporary folder:
# all suites or the one named by IC_TEST_SUITE, optionally under a wrapper such as valgrind. Fails
# also if no test ran, or if one leaves a file in the current folder.
set -euo pipefail
folder=$(cd "$1" && pwd)
shift

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
status=0
"$@" "$folder/${IC_TEST_PROGRAM:-impactcheck-tests}" ${IC_TEST_SUITE:+"$IC_TEST_SUITE"} | tee output || status=$?
# CUnit's summary:   tests  Total  Ran  Passed  Failed  Inactive
read -r ran failed < <(
    awk '$1 == "tests" && NF == 6 { ran += $3; failed += $5 } END { print ran + 0, failed + 0 }' output
)
if ((status == 0 && ran == 0)); then
    echo "unit tests: no test ran" >&2
    exit 1
fi
left=$(find . -mindepth 1 ! -name output)
[[ ! $left ]] || echo "unit tests: files are left in the current folder: $left" >&2
((status == 0 && failed == 0)) && [[ ! $left ]]
