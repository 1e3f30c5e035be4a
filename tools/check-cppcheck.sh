#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-cppcheck.sh: cppcheck over the C source. What it may not say: tools/cppcheck-suppressions.txt,
# and comments in the source, each with its reason.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mkdir -p build/cppcheck # remembers what was checked
tools/list-files.sh '*.c' | grep -v '^tools/' | cppcheck --quiet --file-list=- -j "$(nproc)" \
    --cppcheck-build-dir=build/cppcheck --std=c11 --enable=warning,style,performance,portability \
    --inline-suppr --suppressions-list=tools/cppcheck-suppressions.txt \
    -I . -I include -D_XOPEN_SOURCE=700 --error-exitcode=1
