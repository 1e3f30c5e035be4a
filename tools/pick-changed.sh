#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/pick-changed.sh < LIST > LIST
#
# Selects the source files that differ from the commit before HEAD or are not committed yet, and for
# a changed header the source file of its name. If settings have changed, or git cannot be used,
# selects one twelfth of all files, depending on HEAD.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t all
head=$(git rev-parse -q --verify HEAD 2>/dev/null || echo 0)
files=()
for ((i = 16#${head:0:4} % 12; i < ${#all[@]}; i += 12)); do files+=("${all[i]}"); done
if git rev-parse -q --verify HEAD~1 >/dev/null 2>&1; then
    changed=$(git -c core.quotePath=off diff --name-only HEAD~1 &&
        git -c core.quotePath=off ls-files --others --exclude-standard)
    if ! grep -qE '\.cmake$|^\.clang-tidy$|^CMake|suppressions' <<<"$changed"; then
        mapfile -t files < <(comm -12 <(printf '%s\n' "${all[@]}" | sort) \
            <(printf '%s\n' "$changed" | sed 's/\.h$/.c/' | sort -u))
    fi
fi
((${#files[@]} == 0)) || printf '%s\n' "${files[@]}"
