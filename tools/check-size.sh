#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-size.sh               prints how many lines of text the project has, and fails above a budget
# tools/check-size.sh --self-test   fails unless a budget below the size is refused
#
# A change that needs more lines raises the budget in its own commit, whose message says why. Lines that are merely
# joined, or moved into data, are none saved.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# What, its greatest number of lines, and a pattern of its files (!: of others): product code is all but tests, tools, documents and examples.
budgets=${IC_SIZE_BUDGETS:-'
all      270640 .
product  202580 !^(tests|tools|docs|examples)/|[.]md$
tests     52060 ^tests/
audit     45600 ^audit/
'}
# Without git nothing says which files belong to the project, and which ones runs have made.
if [[ ! -e .git ]] || ! command -v git >/dev/null; then
    echo "size: not counted, without git"
    exit 0
fi
if [[ ${1-} == --self-test ]]; then
    if IC_SIZE_BUDGETS='all 1000' "$0" &>/dev/null; then exit 1; fi
    exit 0
fi
bad=0
while read -r what most files; do
    [[ $what ]] || continue
    invert=()
    [[ $files != '!'* ]] || invert=(-v)
    lines=$(tools/list-files.sh | grep -E "${invert[@]}" -- "${files#!}" | tr '\n' '\0' | xargs -0 grep -cI '' /dev/null | awk -F: '{ n += $NF } END { print n + 0 }')
    echo "$what: $lines lines of at most $most"
    ((lines <= most)) || bad=1
done <<<"$budgets"
((!bad)) || echo "check-size: too many lines; delete, or raise the budget in tools/check-size.sh and say why" >&2
exit $bad
