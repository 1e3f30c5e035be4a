#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-coverage.sh
#
# Measures the line coverage, by file, of the unit tests without audits, of the tests of proofs and of the
# commands in tools/check-commands.sh; fails below the threshold. Writes a page for each file:
# build-coverage/html/index.html.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

threshold=90 # per cent of the lines of these rooms together:
rooms=(core cases solvers reference validation)

tools/build.sh coverage
find build-coverage -name '*.gcda' -delete
# all tests, also those that take turns
for group in light solvers; do IC_TESTS_PART=0/1 IC_TESTS_GROUP=$group tools/unit-tests.sh build-coverage; done
bash tests/cli/test_proof.sh build-coverage/impactcheck build-coverage/impactcheck-proof
tools/check-commands.sh build-coverage/impactcheck
mkdir -p build-coverage/html
gcovr --root . --object-directory build-coverage "${rooms[@]/#/--filter=}" --exclude=tests/ \
    -j "$(nproc)" --exclude-unreachable-branches --txt --html-details build-coverage/html/index.html \
    --print-summary --fail-under-line "$threshold"
