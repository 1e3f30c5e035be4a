#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-api.sh
#
# Generates the reference of the public header, in which every declaration must have an entry and
# every example a page. Planted: an undocumented field, an undocumented function, and an unknown
# name, each of which must be an error.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/failures.sh
. tools/failures.sh

tools/docs.sh "$scratch/docs" >"$scratch/log" 2>&1 || wrong "$(cat "$scratch/log")"
html=$scratch/docs/html
while read -r struct; do
    [[ -s $html/struct${struct//_/__}.html ]] || wrong "$struct has no page"
done < <(sed -n 's/^typedef struct \(ic_[a-z_]*\) {$/\1/p' include/impactcheck/impactcheck.h)
while read -r name; do
    grep -q ">$name<" "$html/impactcheck_8h.html" || wrong "$name is not in the reference"
done < <(sed -n 's/^    \(ic_[a-z_]*\);$/\1/p' core/exports.map)
for example in examples/*/*.c; do
    page=${example#examples/}
    page=${page/\//_2}
    [[ -s $html/${page%.c}_8c-example.html ]] || wrong "$example has no page"
done

# planted, in a copy of the files that Doxygen reads
rejects() { # MESSAGE FILE SED-EXPRESSION
    rm -rf "$scratch/tree"
    mkdir "$scratch/tree"
    cp -r CMakeLists.txt docs include examples tools "$scratch/tree"
    sed -i "$3" "$scratch/tree/$2"
    if "$scratch/tree/tools/docs.sh" "$scratch/planted" >"$scratch/log" 2>&1 || ! grep -q "$1" "$scratch/log"; then
        wrong "planted fault not found: $1"
    fi
}
header=include/impactcheck/impactcheck.h
rejects 'Member order .* not documented' $header '/Order of the zero: 1, 2 or 3/d'
rejects 'ic_version.* not documented' $header '/^[/][*][*] Version of the library/d'
rejects 'ic_no_such_name' docs/api.dox 's/::ic_run/::ic_no_such_name/'

((failures == 0)) || exit 1
echo "the public header is documented: $(grep -c . core/exports.map) lines of exports, $(find "$html" -name 'struct*.html' | wc -l) pages of structs"
