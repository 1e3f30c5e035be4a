#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-scratch.sh
#
# Proves that a new case is one file and one line, and a new solver too: in a copy of the tree it adds
# tools/scratch/scratch_case.c and scratch_solver.c with a line each in cases.def and solvers.def, builds, and
# asks the command for both. Then it proves that a line without its file, a name given twice and a line that
# is none are refused, and that a file without a line is not built.
#
# The copy is build/scratch/tree. It keeps the times of the files, and the build folder in it stays, so that
# a second run compiles only what changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
tree=$root/build/scratch/tree
built=$root/build/scratch/build

rm -rf "$tree"
mkdir -p "$tree"
tools/list-files.sh | tar -c -T - | tar -x -C "$tree"
cp -p tools/scratch/scratch_case.c "$tree/cases/"
cp -p tools/scratch/scratch_solver.c "$tree/solvers/"
add_line() { # FILE LINE: the time of the file stays that of the original, plus one second
    printf '%s\n' "$2" >>"$tree/$1"
    touch -d "$(date -r "$root/$1" '+%F %T.%N') 1 second" "$tree/$1"
}
add_line cases/cases.def 'IC_CASE(scratch_case)'
add_line solvers/solvers.def 'IC_SOLVER(scratch_solver)'

configure() {
    cmake -G Ninja -S "$tree" -B "$built" -D CMAKE_BUILD_TYPE=Release -D CMAKE_C_FLAGS_RELEASE=-O0
}
configure
cmake --build "$built" --target impactcheck

export PATH="$built:$PATH"
output=$built/output
shows() { # PATTERN ARGUMENT...: the command must succeed, and say PATTERN
    local pattern=$1
    shift
    echo "--- impactcheck $*"
    impactcheck "$@" | tee "$output"
    if ! grep -qE -- "$pattern" "$output"; then
        echo "FAILED: impactcheck $*: its output has no \"$pattern\""
        exit 1
    fi
}
shows 'scratch-case' list cases
shows 'scratch-case/decay' list presets
shows 'scratch_solver' list solvers
shows '"solver": *"scratch_solver"' run scratch-case/decay --solver scratch_solver --json
shows '"status": *"ok"' run scratch-case/decay --solver rk45_bisection --set rate=2 --json
shows 'scratch_solver' verify 'scratch*'
shows 'scratch-case' verify 'scratch*' --solver piecewise_linear
shows 'scratch-case' verify 'scratch*' --solver 'scratch*'

# A case that contradicts itself is one failure, and its solvers are not run.
sed -i 's/"-rate\*x"/"rate*x"/' "$tree/cases/scratch_case.c"
cmake --build "$built" --target impactcheck
status=0
impactcheck verify 'scratch*' --json "$built/contradiction.json" >"$output" || status=$?
if ((status != 1)) || [[ $(grep -o '"check": *"[^"]*"' "$built/contradiction.json") != '"check": "case"' ]] ||
    ! grep -q "mode decay, rate of 'x': its text equals its function" "$built/contradiction.json"; then
    cat "$output"
    echo "FAILED: a text with a wrong sign is not the one failure of its case (exit status $status)"
    exit 1
fi
echo "judged as it should be: a case that contradicts itself"

refused() { # WHAT PATTERN: configuring must fail, and say PATTERN
    local status=0
    configure >"$output" 2>&1 || status=$?
    if ((status == 0)) || ! tr -s ' \n' ' ' <"$output" | grep -qE -- "$2"; then
        cat "$output"
        echo "FAILED: $1 was not refused"
        exit 1
    fi
    echo "refused as it should be: $1"
}
cp -p "$tree/cases/cases.def" "$built/cases.def"
add_line cases/cases.def 'IC_CASE(absent_case)'
refused 'a line without its file' 'there is no cases/absent_case.c'
cp -p "$built/cases.def" "$tree/cases/cases.def"
add_line cases/cases.def 'IC_CASE(scratch_case)'
refused 'a name given twice' 'names scratch_case twice'
cp -p "$built/cases.def" "$tree/cases/cases.def"
add_line cases/cases.def 'IC_CASES(scratch_case)'
refused 'a line that is none' 'is not understood'
cp -p "$built/cases.def" "$tree/cases/cases.def"
cp -p "$tree/cases/scratch_case.c" "$tree/cases/idle_case.c"
configure | tee "$output"
grep -q 'cases/idle_case.c is not built' "$output"
echo "a case and a solver are one file and one line each"
