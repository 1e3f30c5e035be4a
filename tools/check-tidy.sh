#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-tidy.sh [--changed | FILE...]
#
# Runs clang-tidy with .clang-tidy on these files; by default on all; with --changed on those
# selected by tools/pick-changed.sh, since all of them take minutes (`./run test --full` runs all).
# clang's analyzer, which takes nine tenths of the time, skips tests. Needs
# build/compile_commands.json of a build with IC_TESTS; files that are not built are skipped. So are
# the test plugins, whose macros for mistakes create constant or equal branches, and faults, which
# uses the names of the C library's functions.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t all < <(tools/list-files.sh '*.c' '*.cpp' | grep -vE '^(tools|tests/plugins|tests/programs/faults)' | while IFS= read -r file; do
    ! grep -qF "/$file\"" build/compile_commands.json || echo "$file"
done)
files=("$@")
if [[ ${1-} == --changed ]]; then
    mapfile -t files < <(printf '%s\n' "${all[@]}" | tools/pick-changed.sh)
elif (($# == 0)); then
    files=("${all[@]}")
fi
mkdir -p build/tidy # clang knows no such option of gcc
sed 's/-fno-tree-loop-distribute-patterns//g' build/compile_commands.json >build/tidy/compile_commands.json
echo "clang-tidy: ${#files[@]} of ${#all[@]} files"
((${#files[@]})) || exit 0
tidy() { # [OPTION]: checks the files listed on standard input
    xargs -r -d '\n' -P "$(nproc)" -n 1 clang-tidy -p build/tidy --quiet --extra-arg=-Wno-ignored-optimization-argument --extra-arg=-Wno-unknown-warning-option "$@" 2> >(grep -vE '^[0-9]+ warnings? generated\.$' >&2)
}
picked() { printf '%s\n' "${files[@]}" | grep "$@" || true; }
if (($# > 0)) && [[ $1 != --changed ]]; then
    picked . | tidy
    exit
fi
status=0
picked -v '^tests/' | tidy || status=$?
picked '^tests/' | tidy '--checks=-clang-analyzer-*' || status=$?
exit "$status"
