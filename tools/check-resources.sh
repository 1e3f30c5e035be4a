#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-resources.sh BUILD-FOLDER [--full] [COMMAND]
#
# Tests the command when the system refuses memory, files, processes, threads or disk space. Each
# request to the system fails once, alone or (every other time) with all that follow; by default a
# few requests, evenly spread (--full: up to 300 for each command and kind; COMMAND: of this one
# alone). The command must end with exit status 3 and one line, or continue without the resource and
# give its normal output; in both cases it leaves no temporary file.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
build=$(cd "$1" && pwd)
command=$build/impactcheck faults=$build/impactcheck-faults.so
most=8 budget=400 # requests for each command and kind, and their time limit in milliseconds; at least three
shift
if [[ ${1-} == --full ]]; then
    most=300 budget=15000
    shift
fi
chosen=${1-}

# shellcheck source=tools/failures.sh
. tools/failures.sh
cd "$scratch"
export LANG=C LC_ALL=C XDG_CACHE_HOME=$scratch/cache
points=0

# Runs PROGRAM ARGUMENT... with the fault in a separate folder, where it leaves status, output, messages and files.
run_with() { # FAULT FOLDER PROGRAM ARGUMENT...
    local fault=$1 folder=$2 status=0
    shift 2
    rm -rf "$folder"
    mkdir -p "$folder/files"
    (
        cd "$folder/files"
        IC_FAULT=$fault IC_FAULT_COUNT=../count LD_PRELOAD=$faults exec "$@"
    ) >"$folder/output" 2>"$folder/messages" </dev/null || status=$?
    echo "$status" >"$folder/status"
}

# Prints how its end is wrong, compared with the undisturbed run; prints nothing if it is right.
judge_run() { # FOLDER
    local status
    status=$(cat "$1/status")
    if [[ -n $(find "$1/files" -name '*.??????' ! -name '*.part') ]]; then
        echo "a temporary file is left"
    elif [[ $status == 3 ]]; then
        [[ $(wc -l <"$1/messages") == 1 ]] || echo "exit status 3 with $(wc -l <"$1/messages") lines, not one"
        grep -q '^impactcheck' "$1/messages" || echo "exit status 3 without a line of impactcheck's"
    elif [[ $status != "$(cat undisturbed/status)" ]]; then
        echo "exit status $status"
    elif ! cmp -s "$1/output" undisturbed/output; then
        echo "exit status $status with another output"
    elif ! diff -rq "$1/files" undisturbed/files >/dev/null; then
        echo "exit status $status with other files"
    fi
}

# The commands here write no times, which differ from run to run.
try() { # KIND PROGRAM ARGUMENT...
    local kind=$1 n=0 i fault what begin=${EPOCHREALTIME/./} points_here
    shift
    run_with "$kind:999999999" undisturbed "$@"
    n=$(cat undisturbed/count)
    points_here=$((1000 * budget / (${EPOCHREALTIME/./} - begin)))
    ((points_here <= most)) || points_here=$most
    ((points_here >= 3)) || points_here=3
    for ((i = 0; i < n && i < points_here; i++)); do
        # evenly spread, including the first and the last
        fault=$kind:$((n <= points_here ? i : i * (n - 1) / (points_here - 1)))
        ((i % 2 == 0)) || fault+=+
        run_with "$fault" disturbed "$@"
        points=$((points + 1))
        what=$(judge_run disturbed)
        [[ -z $what ]] || wrong "${*:2}: $fault of $n: $what: $(head -c 300 disturbed/messages | head -n 2 | tr '\n' '|')"
    done
    echo "$kind: $((n < points_here ? n : points_here)) of $n requests by impactcheck ${*:2}"
}

# ---- planted: commands that end in a wrong way

plant() { # WHAT SCRIPT
    run_with memory:999999999 undisturbed sh -c 'echo 1'
    run_with memory:999999999 disturbed sh -c "$2"
    [[ $(judge_run disturbed) == *"$1"* ]] || wrong "planted fault not found: $1"
}
plant 'exit status 134' 'kill -ABRT $$'
plant 'exit status 2' 'echo impactcheck: no >&2; exit 2'
plant 'with another output' 'echo null'
plant '2 lines' 'echo impactcheck: a >&2; echo b >&2; exit 3'
plant 'without a line' 'echo abort >&2; exit 3'
plant 'temporary file' 'echo 1; touch x.csv.abcdef'
plant 'with other files' 'echo 1; touch x.csv'

# ---- commands

cp "$root/examples/plugin/mine.c" .
cc -shared -fPIC -I"$root/include" mine.c -o mine.so -lm
"$command" run bouncing-ball/drop --samples 40 --trajectory rows.csv --quiet
commands=(
    "list --json"
    "run bouncing-ball/drop --json --trajectory x.csv --samples 20"
    "run bouncing-ball/drop --quiet --trajectory x.h5 --samples 20"
    "law kelvin-voigt --json"
    "certify bouncing-ball/drop --until 0.5 --json"
    "verify bouncing-ball/drop --solver rk4_henon --json x.json --quiet"
    "verify bouncing-ball/drop --solver rk4_henon"
    "audit --trajectory $scratch/rows.csv --case bouncing-ball/drop --json"
    "sweep bouncing-ball/drop --vary h=1:2:3 --out x.csv --quiet --threads 2"
    "sweep bouncing-ball/drop --vary h=1:2:3 --out x.h5 --quiet --threads 2"
    "study impulse-paths --out x.csv --quiet"
    "optimise bouncing-ball/elastic --set v0=8 --minimise energy --over v0=1:10 --json"
    "audit --seed 1 --plugin $scratch/mine.so --json"
    "check $root/examples/machines/stops.yaml"
    "run $root/examples/machines/cradle.yaml --json"
    "certify $root/examples/machines/moving-wall.yaml --until 1 --json"
    "audit --seed 1 --command $build/impactcheck-command-planted --case bouncing-ball/lively --until 1 --phases 2 --json"
)
for kind in memory file process thread; do
    for arguments in "${commands[@]}"; do
        [[ $arguments == "$chosen"* ]] || continue
        eval "words=($arguments)"
        try "$kind" "$command" "${words[@]}"
    done
done

# ---- a full disk

for arguments in "list --json" "run bouncing-ball/drop" "certify bouncing-ball/drop --until 0.5 --json"; do
    read -ra words <<<"$arguments"
    status=0
    "$command" "${words[@]}" >/dev/full 2>messages || status=$?
    [[ $status == 3 && $(wc -l <messages) == 1 ]] || wrong "$arguments on a full disk: exit status $status, $(cat messages)"
done

((failures == 0)) || exit 1
echo "$points requests to the system failed, each with a correct result or message"
