#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-docs.sh [FILE.md...]
#
# Runs the commands that the documentation shows (default: README.md), so that it stays true: in each block
# fenced as ```sh every line that begins with ./run, impactcheck, build/impactcheck or cc, continued lines
# joined. Each must exit with 0, or with N where the line ends in `# exit N`. Lines with `# not run` are
# skipped, and so are `./run test`, which runs this, and `./run verify`, which is a stage of that. Commands run in a temporary folder that has links to what
# is in the project's.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
(($#)) || set -- "$root/README.md"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/tree"
ln -s "$root"/* "$scratch/tree/"
export PATH="$root/build:$PATH"

failures=0 count=0
for file; do
    file=$(readlink -f "$file")
    mapfile -t lines < <(awk '
        /^[ \t]*```/ { inside = !inside && /^[ \t]*```sh[ \t]*$/; next }
        !inside { next }
        { line = line $0 }
        /\\$/ { sub(/\\$/, "", line); next }
        { sub(/^[ \t]+/, "", line) }
        line ~ /^(\.\/run|impactcheck|build\/impactcheck|cc)( |$)/ { print line }
        { line = "" }
    ' "$file")
    for line in "${lines[@]}"; do
        if [[ $line == *'# not run'* || $line =~ ^\./run\ test( |$) || $line == './run verify' ]]; then
            echo "skipped $line"
            continue
        fi
        expected=0
        [[ ! $line =~ \#\ exit\ ([0-9]+) ]] || expected=${BASH_REMATCH[1]}
        count=$((count + 1))
        status=0
        (cd "$scratch/tree" && bash -o pipefail -c "$line" >"$scratch/output" 2>&1 </dev/null) || status=$?
        if ((status == expected)); then
            echo "ok      $line"
        else
            echo "FAILED  $line"
            echo "        exit status $status, expected $expected; ${file#"$root"/}; its last lines:"
            tail -n 20 "$scratch/output" | sed 's/^/        /'
            failures=$((failures + 1))
        fi
    done
done
if ((count == 0)); then
    echo "no command found in $*"
    exit 1
fi
((failures == 0))
