#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-fuzz.sh [SECONDS [TARGET...]]
#
# Builds the libFuzzer program of these targets, by default of all in tests/fuzz/targets.def, and
# lets each search for SECONDS (20) for bytes that break a promise, starting from the seeds in
# tests/fuzz/corpus, for case files also from examples/machines. Findings are in build-fuzz/found/TARGET.
#
# tools/check-fuzz.sh --merge
#
# Adds to the seeds the smallest set of inputs of build-fuzz/corpus that reach additional code.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

export ASAN_OPTIONS=detect_leaks=1:quarantine_size_mb=16 UBSAN_OPTIONS=print_stacktrace=1
FUZZ_SEED=1 MOST_LENGTH=4096 # the same inputs every time; their greatest length in bytes
export FUZZ_SEED MOST_LENGTH
mapfile -t targets < <(sed -n 's/^IC_FUZZ_TARGET(\([a-z_]*\),.*/\1/p' tests/fuzz/targets.def)

build() {
    tools/setup.sh build test
    tools/build.sh --configure-only fuzz
    cmake --build build-fuzz --target "${targets[@]/#/fuzz-}" 2>&1 |
        { grep --line-buffered -vE '^ninja: no work to do|Re-checking globbed' || true; }
}

options_of() { # TARGET: options for libFuzzer
    local options=(-seed="$FUZZ_SEED" -max_len="$MOST_LENGTH" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1
        -artifact_prefix="build-fuzz/found/$1/")
    [[ $1 != records ]] || options+=(-max_len=16384) # a record has more than a thousand bytes
    [[ ! -e tests/fuzz/$1.dict ]] || options+=(-dict="tests/fuzz/$1.dict")
    printf '%s\n' "${options[@]}"
}

seeds_of() { # TARGET: folders of its seeds
    echo "tests/fuzz/corpus/$1"
    [[ $1 != casefile ]] || echo examples/machines
}

fuzz() { # TARGET SECONDS
    local target=$1 log=build-fuzz/$1.log options seeds units
    mapfile -t options < <(options_of "$target")
    mapfile -t seeds < <(seeds_of "$target")
    mkdir -p "build-fuzz/found/$target" "build-fuzz/corpus/$target"
    if ! "build-fuzz/fuzz-$target" "${options[@]}" -max_total_time="$2" "build-fuzz/corpus/$target" \
        "${seeds[@]}" >"$log" 2>&1; then
        tail -n 40 "$log"
        echo "fuzz-$target: a broken promise or a sanitizer's finding ($log); the input is in build-fuzz/found/$target."
        echo "After the repair, add it to tests/fuzz/corpus/$target under a name that describes it."
        return 1
    fi
    units=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    printf '%-12s %9d inputs in %s s, no broken promise\n' "$target" "$units" "$2"
    ((units > $(find "${seeds[@]}" -type f | wc -l))) # it did go beyond the seeds
}

merge() { # TARGET
    local options
    mapfile -t options < <(options_of "$1")
    "build-fuzz/fuzz-$1" "${options[@]}" -merge=1 -use_counters=0 "tests/fuzz/corpus/$1" "build-fuzz/corpus/$1" 2>&1 | tail -n 1
}

if [[ ${1-} == --merge ]]; then
    build
    for target in "${targets[@]}"; do merge "$target"; done
    exit
fi
seconds=${1-20}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || {
    echo "tools/check-fuzz.sh: '$seconds' is not a number of seconds" >&2
    exit 2
}
(($# < 2)) || targets=("${@:2}")
build
export -f fuzz options_of seeds_of
printf '%s\0' "${targets[@]}" | xargs -0 -P "$(nproc)" -I '{}' bash -euo pipefail -c 'fuzz "$@"' fuzz '{}' "$seconds"
