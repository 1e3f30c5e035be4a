#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/bench.sh [--full] [CASE-GLOB] [OPTIONS of impactcheck bench]: implements ./run bench after
# the build.
#
# Writes to build/bench/: benchmarks.json by Google Benchmark (laws, impact maps, roots), then
# work-precision.json and .csv by the command. Rows of solvers in a separate program (impactcheck-gsl)
# are measured first and added. `./run report` draws costs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

out=build/bench
mkdir -p "$out"
full=() rest=()
for argument; do
    if [[ $argument == --full ]]; then full=(--full); else rest+=("$argument"); fi
done

if [[ -x build-optional/impactcheck-benchmarks ]]; then
    echo "Micro-benchmarks by Google Benchmark (selection; all are in $out/benchmarks.json)"
    build-optional/impactcheck-benchmarks --benchmark_min_time=0.02 --benchmark_out="$out/benchmarks.json" \
        --benchmark_out_format=json 2>"$out/benchmarks.log" |
        grep -E '^(law/(force|e_out)/(hertz|hunt-crossley|flores)|impact-map|root)' || true
    echo
fi
added=()
program=build-optional/impactcheck-gsl
if [[ -x $program ]]; then
    file=$out/gsl.json
    "$program" bench "${full[@]}" "${rest[@]}" --solver 'gsl_*' --quiet --out "$file"
    added=(--add "$file")
fi
build-optional/impactcheck bench "${full[@]}" "${rest[@]}" "${added[@]}" --out "$out/work-precision.json" \
    --csv "$out/work-precision.csv"
echo
echo "Written: $out/work-precision.json (impactcheck compare OLD NEW compares two of them), $out/work-precision.csv"
