#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-preset-proofs.sh [COMMAND CHECKER [LIST [PATTERN]]]
#
# Writes a proof of each built-in preset whose name matches the pattern (all), of 12 digits, and lets the checker judge
# it. LIST (tools/preset-proofs.txt) has the presets without an accepted proof: `none`, no file is written, or `refused`
# by the checker. Each difference from the list fails, a proof that is accepted now as well.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/failures.sh
. tools/failures.sh
command=${1-build/impactcheck} checker=${2-build/impactcheck-proof} list=${3-tools/preset-proofs.txt} pattern=${4-*}
seconds=60 # of processor time: three times what the slowest proof takes

judge() { # PRESET: sets $word; what was said is in $scratch/said
    local options=(--quiet --digits 12 --time-limit "$seconds" --proof "$scratch/proof")
    [[ $1 != ball/* ]] || options+=(--run)
    rm -f "$scratch/proof"
    word=none
    "$command" certify "$1" "${options[@]}" >"$scratch/said" 2>&1 || true
    [[ -e $scratch/proof ]] || return 0
    if "$checker" "$scratch/proof" >"$scratch/said" 2>&1; then word=accepted; else word=refused; fi
}

declare -A known=() tally=([accepted]=0 [none]=0 [refused]=0)
while read -r word preset _; do known[$preset]=$word; done < <(grep -v '^#' "$list")
while read -r preset _; do
    # shellcheck disable=SC2053 # a pattern
    [[ $preset == $pattern ]] || continue
    judge "$preset"
    tally[$word]=$((tally[$word] + 1))
    expected=${known[$preset]-accepted}
    unset "known[$preset]"
    [[ $word == "$expected" ]] || wrong "$preset: $word, $expected by the list: $(tail -n 1 "$scratch/said")"
done < <("$command" list presets)
for preset in "${!known[@]}"; do
    # shellcheck disable=SC2053
    [[ $preset != $pattern ]] || wrong "$preset is no preset"
done
echo "accepted ${tally[accepted]}, none ${tally[none]}, refused ${tally[refused]}"
repeat_failures
((failures == 0))
