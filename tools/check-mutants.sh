#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-mutants.sh [--folder DIR] [--list] [--only TEXT] FILE[:LINE]... | --random N [--seed
# S]
#
# Changes single tokens of product code (operators, relations, signs, constants, conditions,
# statements), one at a time, and runs the suites that cover the file (mutants-suites.txt) until one
# fails: the mutant is killed. A mutant that uses four times the processor time of the original is
# killed as well. A survivor is reported with its place and fails the check, unless
# mutants-equivalent.txt states why it behaves as the original does, or its machine code is the
# same. Builds in a copy of the tree, in build-mutants/.
#
# tools/check-mutants.sh --self-test
#
# Checks the mutants of a sample, and that both tables refer to existing files and lines; builds
# nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v python3 >/dev/null || {
    echo "check-mutants: needs python3, which ./run setup test installs with python3-jsonschema" >&2
    exit 3
}
exec python3 tools/run-mutants.py "$@"
