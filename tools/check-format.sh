#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-format.sh [--fix]: whether the C source and the programs in JavaScript are laid out by
# .clang-format; --fix lays them out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(--dry-run -Werror --ferror-limit=3)
[[ ${1-} != --fix ]] || options=(-i)
tools/list-files.sh '*.c' '*.h' '*.cpp' '*.mjs' | xargs -r -d '\n' -P "$(nproc)" -n 8 clang-format --style=file "${options[@]}"
