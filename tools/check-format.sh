#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-format.sh [--fix]: whether the C source and the programs in JavaScript are laid out by
# .clang-format; --fix lays them out. Lines of Markdown and YAML have at most 120 characters, but for tables and URLs.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

options=(--dry-run -Werror --ferror-limit=3)
[[ ${1-} != --fix ]] || options=(-i)
tools/list-files.sh '*.c' '*.h' '*.cpp' '*.mjs' | xargs -r -d '\n' -P "$(nproc)" -n 8 clang-format --style=file "${options[@]}"

long_lines() { # FILE...: prints them; status 1: there is none
    LC_ALL=C.UTF-8 grep -nHE '^.{121}' "$@" | grep -vE '^[^:]*:[0-9]+:( *\||.*https?://)'
}
planted() { [[ $(long_lines <(printf '%s%0120d\n' "$1" 0)) ]]; }
if planted '' || ! planted 1 || planted '| ' || planted 'https://'; then
    echo "check-format: planted lines are misjudged" >&2
    exit 1
fi
mapfile -t texts < <(tools/list-files.sh '*.md' '*.yaml' '*.yml')
if long_lines "${texts[@]}"; then
    echo "check-format: these lines have more than 120 characters" >&2
    exit 1
fi
