#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-release.sh [--full]
#
# Checks that versions and dates agree, makes the certified data set of some presets twice and judges it, checks the
# citations of the paper, and makes releases of a copy of the tree in a repository of its own: the source alone, and with
# --full all parts that can be made, twice, from two folders. Each check must find planted mistakes.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
# shellcheck source=tools/failures.sh
. tools/failures.sh
# with closed forms; with the memory of a law; with more parameters than its case lists
presets=(bouncing-ball/lively pendulum-wall/single ball/hertz roller/law ball-chain/tapered)

expect() { # STATUS TEXT COMMAND...: the exit status, and a text that the command prints
    local wanted=$1 text=$2 status=0
    shift 2
    "$@" >"$scratch/said" 2>&1 || status=$?
    ((status == wanted)) || wrong "$*: exit status $status, expected $wanted: $(tail -n 3 "$scratch/said")"
    [[ $(<"$scratch/said") == *"$text"* ]] || wrong "$*: does not print \"$text\": $(tail -n 3 "$scratch/said")"
}

# ---- versions

expect 0 '' tools/check-versions.py
expect 0 '' tools/check-versions.py --self-test

# ---- data

data=$scratch/data
expect 0 '' tools/make-data.py build/impactcheck "$data" "${presets[@]}"
expect 0 '' tools/make-data.py build/impactcheck "$data-again" "${presets[@]}"
expect 0 '' diff -r "$data" "$data-again"
expect 0 'values are those of closed forms' tools/check-data.py "$data"
planted() { # TEXT FILE COMMAND...: the command changes a copy of the FILE, with a checksum that fits
    local text=$1 file=$2
    shift 2
    rm -rf "$data-planted"
    cp -r "$data" "$data-planted"
    "$@" "$data-planted/$file"
    ! cmp -s "$data/$file" "$data-planted/$file" || wrong "$file: the command changes nothing: $*"
    (cd "$data-planted" && sha256sum -- [a-z]* LICENSE README.md >SHA256SUMS)
    expect 1 "$text" tools/check-data.py "$data-planted"
}
planted 'does not contain 0.52156396815359' certified.json sed -i 's/"0[.]52156396815359182\(.\)"/"0.52156396815359183\1"/'
planted 'certified.json: ' certified.json sed -i '0,/"radius": "[^"]*"/s//"radius": "small"/'
planted 'certified.json: ' certified.json sed -i '0,/"status": "certified"/s//"status": "undecided"/'
planted 'CSV: pendulum-wall/single 2 t t' events.csv sed -i 's/\(single,2,1[.]5\)\(.\)/\1\2\2/'
planted 'CSV: ball/hertz final outputs duration: None' values.csv sed -i '/hertz.*duration/d'
# shellcheck disable=SC2016 # a program of Python
planted 'certified.h5: ball/hertz/outputs' certified.h5 /usr/bin/python3 -c '
import sys, h5py
with h5py.File(sys.argv[1], "r+") as file:
    file["ball/hertz/outputs_radius"][:] /= 2'
echo >>"$data-again/README.md"
expect 1 'README.md: not the file' tools/check-data.py "$data-again"
expect 2 'no preset is named by no-such' tools/make-data.py build/impactcheck "$scratch/none" 'no-such*'
expect 2 'exists' tools/make-data.py build/impactcheck "$data" ball/hertz
expect 2 'no folder' tools/make-data.py build/impactcheck "$scratch/no/such" ball/hertz
[[ $(find "$scratch" -name 'none*') == '' ]] || wrong "make-data leaves a folder behind"

# ---- the paper: what it cites is in its bibliography, and nothing else is; its commands run with those of all documents

cited() { # FOLDER
    cmp -s <(grep -oE '@[a-z]+[0-9]{4}' "$1/paper.md" | tr -d @ | sort -u) <(sed -nE 's/^@[a-z]+[{](.*),$/\1/p' "$1/paper.bib" | sort) &&
        for title in Summary 'Statement of need' 'State of the field' References; do grep -qx "# $title" "$1/paper.md" || return 1; done
}
cited paper || wrong "paper/paper.md does not cite what is in paper/paper.bib, or has not all sections"
cp -r paper "$scratch/paper"
sed -i 's/@henon1982/@henon1983/' "$scratch/paper/paper.md"
! cited "$scratch/paper" || wrong "a citation without its entry is not found"

# ---- releases of a copy

version=$(tools/check-versions.py)
copy=$scratch/copy
mkdir "$copy"
tools/list-files.sh | tar -c -T - | tar -x -C "$copy"
cd "$copy"
in_git() { git -c user.name=test -c user.email=test@localhost "$@"; }
commit() {
    git add --all
    in_git commit --quiet --message "$1"
}
git init --quiet
sed -i '/^## \[*[0-9]/d' CHANGELOG.md
commit "without a section"
release=(tools/release.sh --out "$scratch/release" --parts source)
expect 2 "no section; expected: ## [$version]" "${release[@]}"
sed -i "0,/^###* /s//## [$version] - $(sed -n 's/^date-released: //p' CITATION.cff)\n\n&/" CHANGELOG.md
expect 2 'changes that are not committed' "${release[@]}"
commit "with a section"
git tag v0.0.1
expect 2 'has the tag v0.0.1' "${release[@]}"
git tag --delete v0.0.1 >/dev/null
git tag "v$version" HEAD~
expect 2 "the tag v$version is at another commit" "${release[@]}"
git tag --force "v$version" >/dev/null
expect 2 'no part "everything"' tools/release.sh --parts everything
expect 2 'unexpected argument' tools/release.sh --parts source please
expect 2 'exists' tools/release.sh --out "$copy" --parts source
[[ ! -e $scratch/release ]] || wrong "a release that is refused leaves files behind"
expect 0 "Version $version, commit" "${release[@]}"
mv "$scratch/release" "$scratch/first"
sleep 1 # another time of day
cp -r "$copy" "$scratch/elsewhere"
cd "$scratch/elsewhere"
expect 0 '' "${release[@]}"
expect 0 '' diff -r "$scratch/first" "$scratch/release"
(cd "$scratch/first" && sha256sum --quiet -c SHA256SUMS) || wrong "SHA256SUMS"
tar -x -C "$scratch" -f "$scratch/first/impactcheck-$version.tar.gz"
expect 0 '' diff -r --exclude .git "$copy" "$scratch/impactcheck-$version"

if [[ ${1-} == --full ]]; then
    export IC_RELEASE_DATA=${presets[*]}
    (cd "$copy" && tools/release.sh --out "$scratch/full-1")
    (cd "$scratch/elsewhere" && tools/release.sh --out "$scratch/full-2" >/dev/null)
    (cd "$scratch/full-1" && rm -f ./*-image.tar SHA256SUMS)
    (cd "$scratch/full-2" && rm -f ./*-image.tar SHA256SUMS)
    expect 0 '' diff -r "$scratch/full-1" "$scratch/full-2"
    for part in "impactcheck_${version}_*.deb" "impactcheck-$version-*.whl" "impactcheck-$version-data.tar.gz"; do
        [[ $(find "$scratch/full-1" -name "$part") ]] || wrong "there is no $part"
    done
fi

cd "$root"
repeat_failures
((failures == 0)) || exit 1
echo "the tree can be released"
