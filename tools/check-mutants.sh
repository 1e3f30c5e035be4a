#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-mutants.sh [--folder DIR] [--list] [--only TEXT] FILE[:LINE]... | --random N [--seed S]
#
# Changes single tokens of product code (operators, relations, signs, constants, conditions, statements), one at a time, and runs
# the suites that cover the file (mutants-suites.txt), until one fails: the mutant is killed. One that computes four times as long
# as the original is killed too. What survives is printed with its place, and fails, unless mutants-equivalent.txt says why it
# behaves as the original does, or it is the same machine code. Builds in a copy of the tree, in build-mutants/.
#
# tools/check-mutants.sh --self-test: what is found in a sample, and that both tables speak of what is there; builds nothing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v python3 >/dev/null || {
    echo "check-mutants: needs python3, which ./run setup test installs with python3-jsonschema" >&2
    exit 3
}
exec python3 tools/run-mutants.py "$@"
