#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-baseline.sh [--update] [COMMAND]
#
# Compares errors and work of all our solvers (impactcheck bench --own --no-times) with
# bench/baseline.json: no row may be worse or missing. A baseline with planted errors and work must
# be found worse. --update writes a new baseline.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
baseline=bench/baseline.json
update=0
if [[ ${1-} == --update ]]; then
    update=1
    shift
fi
command=$(readlink -f "${1-build/impactcheck}")
if ((update)); then
    "$command" bench --own --no-times --quiet --out "$baseline"
    # Orders and targets follow from the rows, and no comparison reads them; of settings with which a solver does the
    # same, one is enough.
    sed -i 's/^  "pairs": \[\],$/  "pairs": []\n}/; /^  "orders"/,$d' "$baseline"
    awk '{ row = $0; sub(/"setting": [^,]*,/, "", row) } !/"subject"/ || !seen[row]++' "$baseline" >"$baseline.short"
    mv "$baseline.short" "$baseline"
    echo "wrote $baseline"
    exit
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$command" bench --own --no-times --quiet --out "$scratch/now.json"
"$command" compare "$baseline" "$scratch/now.json"
plant() { # WHAT SED-PROGRAM: applied to one row of the baseline, it must make the comparison report a worse row
    local status=0
    sed "$2" "$baseline" >"$scratch/planted.json"
    if cmp -s "$baseline" "$scratch/planted.json"; then
        echo "the baseline was not changed: $1"
        exit 1
    fi
    "$command" compare "$scratch/planted.json" "$scratch/now.json" >"$scratch/said" || status=$?
    if ((status != 1)) || ! grep -q 'WORSE *roller/III/C *dop853' "$scratch/said"; then
        echo "planted fault not found: $1 (exit status $status)"
        exit 1
    fi
    echo "planted fault found: $1"
}
row='/"roller.III.C", *"solver": *"dop853",.*"control": *"rtol", *"setting": *1e-8,/'
plant "an error a million times smaller in the past" "$row"'s/"error":[^,]*,/"error":1e-16,/'
plant "fewer flow calls in the past" "$row"'s/"flow_calls": *[0-9]*,/"flow_calls":10000,/'
