#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-preset-proofs.sh [COMMAND CHECKER [PATTERN]]
#
# Writes a proof of each built-in preset and lets the checker judge it. Presets without an accepted proof stand in
# tools/preset-proofs.txt with the reason: a preset that is missing there fails, and so does one that stands there though
# its proof is accepted. IC_PROOF_SECONDS: processor time for each certificate (20).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command=${1-build/impactcheck} checker=${2-build/impactcheck-proof} pattern=${3-*}
seconds=${IC_PROOF_SECONDS-20}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# What becomes of a preset's proof: accepted, or the word of the list that says why it is not.
judge() { # PRESET
    local proof=$scratch/proof said=$scratch/said options=(--quiet --time-limit "$seconds" --proof "$scratch/proof")
    [[ $1 != ball/* ]] || options+=(--run)
    rm -f "$proof"
    if "$command" certify "$1" "${options[@]}" >"$said" 2>&1; then
        if "$checker" "$proof" >"$said" 2>&1; then echo accepted; else echo refused; fi
    elif grep -q 'time limit' "$said"; then
        echo late
    elif grep -q 'has no place in a proof\|have no place in a proof' "$said"; then
        echo unwritten
    else
        echo undecided
    fi
}

declare -A known=() tally=()
while read -r preset word _; do known[$preset]=$word; done < <(grep -v '^#' tools/preset-proofs.txt)
failed=0
while read -r preset _; do
    # shellcheck disable=SC2053 # a pattern
    [[ $preset == $pattern ]] || continue
    word=$(judge "$preset")
    tally[$word]=$((${tally[$word]-0} + 1))
    [[ $word != "${known[$preset]-accepted}" ]] || continue
    # on a slow machine a certificate may be late
    [[ $word == late && ${known[$preset]-accepted} != accepted ]] && continue
    echo "$preset: $word, but ${known[$preset]-accepted} is expected: $(tail -n 1 "$scratch/said")"
    failed=1
done < <("$command" list presets)
for word in "${!tally[@]}"; do echo "$word: ${tally[$word]}"; done
exit "$failed"
