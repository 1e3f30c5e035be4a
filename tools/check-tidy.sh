#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-tidy.sh [--changed | FILE...]
#
# clang-tidy by .clang-tidy, over these files; by default over all. --changed: those that tools/pick-changed.sh picks, since
# all take minutes, and are for `./run test --full`, where clang's analyzer, which takes nine tenths of that, leaves tests out. Needs build/compile_commands.json of a build with IC_TESTS; what is not
# built here is not in it, and left out. So are the plugins of the tests: the macros that switch mistakes on make branches that are constant, or alike;
# and faults, which bear the names of the C library's functions.
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
echo "clang-tidy: ${#files[@]} of ${#all[@]} files"
((${#files[@]})) || exit 0
tidy() { # [OPTION]: what is on standard input
    xargs -r -d '\n' -P "$(nproc)" -n 1 clang-tidy -p build --quiet "$@" 2> >(grep -vE '^[0-9]+ warnings? generated\.$' >&2)
}
picked() { printf '%s\n' "${files[@]}" | grep "$@" || true; }
if (($# > 0)); then
    picked . | tidy
    exit
fi
status=0
picked -v '^tests/' | tidy || status=$?
picked '^tests/' | tidy '--checks=-clang-analyzer-*' || status=$?
exit "$status"
