#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/make-pages.sh COMMAND FOLDER
#
# Writes the manual pages of COMMAND, a build of impactcheck, to FOLDER: impactcheck.1 and one for each
# sub-command, by help2man from what --help says, and from cli/man/PAGE.h2m what it does not say. The page
# in cli/man that is written by hand is copied. The same COMMAND gives the same bytes.
set -euo pipefail
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../cli/man" && pwd)
command=$1 folder=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

PATH=$(dirname "$(readlink -f "$command")"):$PATH
names=$("$command" complete --commands)
version=$("$command" --version | sed -n '1s/.* //p')

write_page() { # PAGE SUMMARY [SUB-COMMAND]
    local page=$1 summary=$2 sub=${3-} other
    {
        [[ ! -e $sources/$page.h2m ]] || cat "$sources/$page.h2m"
        printf '\n[SEE ALSO]\n'
        for other in impactcheck impactcheck-proof $(sed 's/\t.*//; s/^/impactcheck-/' <<<"$names"); do
            [[ $other == "$page" ]] || printf '.BR %s (1) ,\n' "${other//-/\\-}"
        done | sed '$s/ ,$//'
    } >"$scratch/include"
    help2man --no-info --version-string="$version" --name="${summary%.}" --include="$scratch/include" "impactcheck${sub:+ $sub}" |
        sed -e "s/^\.TH .*/.TH ${page^^} 1 \"\" \"Impactcheck $version\" \"User Commands\"/" \
            -e '/^\\fI\\,/s/|/|\\:/g' -e "/^\.SH NAME/{ n; s/^impactcheck[^\\\\]*/${page//-/\\\\-} / }" >"$folder/$page.1"
}

mkdir -p "$folder"
rm -f "$folder"/*.1
write_page impactcheck "verify and benchmark contact and impact integrators"
while IFS=$'\t' read -r name summary; do write_page "impactcheck-$name" "$summary" "$name"; done <<<"$names"
cp "$sources"/*.1 "$folder"
