#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-text-mutants.sh [--sample N] [--seed S] [--least PERCENT] [--jobs N] [--list] [FILE.yaml...]
#
# Changes the equations of case files, one sign, operator, factor, symbol, function or direction at a
# time, and asks `impactcheck check` and `impactcheck verify` about each changed file: by units, energy,
# the certified answers stored for the case of that name, and solvers against each other they should
# reject it. Names the changes that pass, and fails if less than PERCENT (95) of all are rejected.
# FILE: by default cases/*.yaml, or examples/machines/*.yaml if there are none. --sample: only N changes
# of each file, chosen by the seed S (1). --list prints the changes and judges none.
#
# tools/check-text-mutants.sh --self-test
#
# Checks the changes of a small case, and that the judges see a change and pass a file without one.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
python=/usr/bin/python3 # Debian's, for which yamllint brings the module yaml
"$python" -c 'import yaml' 2>/dev/null || python=python3
"$python" -c 'import yaml' 2>/dev/null || {
    echo "check-text-mutants: needs Python's module yaml, which ./run setup test installs with yamllint" >&2
    exit 3
}
exec "$python" tools/text_mutants.py "$@"
