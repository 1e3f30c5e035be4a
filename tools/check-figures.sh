#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-figures.sh [COMMAND]
#
# Draws every figure of reports/figures as SVG, from the study of its name, from costs (names with
# bench-), or from the sweep that its script names, with fewer parameter sets and periods. gnuplot
# must print nothing, and the picture must contain curves. A table without the required columns must
# be refused.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
command=$(readlink -f "${1-$root/build/impactcheck}")
# shellcheck source=tools/failures.sh
. "$root/tools/failures.sh"
cd "$scratch"

least_curves=3

# Creates the table that a script draws, as NAME.csv.
table() { # SCRIPT NAME
    local request
    request=$(sed -n 's/^# impactcheck \(sweep .*\)/\1/p' "$1" |
        sed -E 's/:[0-9]+ /:150 /; s/--skip [0-9]+/--skip 60/; s/--keep [0-9]+/--keep 8/')
    [[ $request ]] || request="study $2 --out $2.csv"
    [[ $2 != bench-* ]] || request="bench two-mass* --csv $2.csv"
    # shellcheck disable=SC2086 # words of a command, without blanks
    "$command" $request --quiet
}

for script in "$root"/reports/figures/*.gp; do
    name=$(basename "$script" .gp)
    table "$script" "$name"
    said=$(gnuplot -c "$script" "$name.csv" "$name.svg" 2>&1) || wrong "$name: gnuplot failed"
    [[ -z $said ]] || wrong "$name: gnuplot printed: $said"
    curves=$(grep -c '<path' "$name.svg" || true)
    ((curves >= least_curves)) || wrong "$name: $curves curves"
    echo "$name: $(wc -c <"$name.svg") bytes, $curves curves"
    echo 'nothing,of,use' >empty.csv # planted
    if gnuplot -c "$script" empty.csv empty.svg >empty.log 2>&1 && [[ ! -s empty.log ]]; then
        wrong "$name: a table without its columns was drawn"
    fi
done
((failures == 0))
