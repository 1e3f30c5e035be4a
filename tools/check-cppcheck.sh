#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-cppcheck.sh [--changed | FILE...]
#
# Runs cppcheck on these files; by default on all C sources; with --changed on those selected by
# tools/pick-changed.sh. Suppressions, each with its reason: tools/cppcheck-suppressions.txt and
# comments in the source.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p build/cppcheck # remembers what was checked
files=("$@")
if (($# == 0)) || [[ $1 == --changed ]]; then
    pick=(cat)
    (($# == 0)) || pick=(tools/pick-changed.sh)
    mapfile -t files < <(tools/list-files.sh '*.c' | grep -v '^tools/' | "${pick[@]}")
fi
echo "cppcheck: ${#files[@]} files"
((${#files[@]})) || exit 0
printf '%s\n' "${files[@]}" | cppcheck --quiet --file-list=- -j "$(nproc)" \
    --cppcheck-build-dir=build/cppcheck --std=c11 --enable=warning,style,performance,portability \
    --inline-suppr --suppressions-list=tools/cppcheck-suppressions.txt --library=tools/cppcheck-jansson.cfg \
    -I . -I include -D_XOPEN_SOURCE=700 --error-exitcode=1
