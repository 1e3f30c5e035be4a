#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/list-files.sh [PATTERN...]
#
# Prints the project's files, one per line, relative to its root: those that git tracks or would
# add; without git, all outside build folders. With patterns ('*.c'), only matching files.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

if [[ -e .git ]] && command -v git >/dev/null; then
    git -c core.quotePath=off ls-files --cached --others --exclude-standard
else
    find . -type d -name 'build*' -prune -o -type f -printf '%P\n'
fi | sort -u | while IFS= read -r file; do
    [[ -f $file ]] || continue # deleted, but still in git's index
    if (($# == 0)); then
        printf '%s\n' "$file"
        continue
    fi
    for pattern; do
        # shellcheck disable=SC2053 # the right side is a pattern
        if [[ $file == $pattern ]]; then
            printf '%s\n' "$file"
            break
        fi
    done
done
