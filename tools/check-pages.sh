#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-pages.sh [BUILD-FOLDER]
#
# Compares the manual pages that the build made (tools/make-pages.sh) and the shells' completion with the
# command's own tables: every sub-command has a page that explains exactly its options; groff reports no
# warning; every text of cli/man is part of a page; the values of every option and operand are offered.
# Planted: a page without an option, and one that explains an unknown option.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
build=$(readlink -f "${1-build}")
command=$build/impactcheck
pages=$build/man

# shellcheck source=tools/failures.sh
. tools/failures.sh

# ---- pages

[[ -d $pages ]] || {
    echo "check-pages: $pages does not exist: the build needs help2man, which ./run setup build installs" >&2
    exit 3
}

options_of() { { "$command" complete --options "$1" | cut -f1 && echo --help; } | sort; }

# Options explained by a page: those at the head of a paragraph in the section OPTIONS.
explained_in() { # PAGE
    sed 's/\\f[A-Z]//g; s/\\-/-/g' "$1" | awk '
        /^[.]SH/ { within = /OPTIONS/ }
        head && within { print }
        { head = /^[.]TP/ }
    ' | grep -oE -- '--[a-z][a-z-]*' | sort -u
}

differing_options() { # COMMAND PAGE: prints the options that only one of them has
    { diff <(options_of "$1") <(explained_in "$2") || true; } | sed -n 's/^< /not explained: /p; s/^> /there is no /p'
}

while IFS=$'\t' read -r name _; do
    page=$pages/impactcheck-$name.1
    [[ -f $page ]] || {
        wrong "$page does not exist"
        continue
    }
    said=$(differing_options "$name" "$page")
    [[ ! $said ]] || wrong "$page: $said"
    grep -q "impactcheck.-$name" "$pages/impactcheck.1" || wrong "$pages/impactcheck.1 does not name impactcheck-$name"
done < <("$command" complete --commands)
for text in cli/man/*; do
    page=$pages/$(basename "${text%.*}").1
    missing=$(grep -vxF -f "$page" <(grep -v '^\[.*\]$\|^$' "$text") || true)
    [[ ! $missing ]] || wrong "$page lacks lines of $text: $missing"
done
for page in "$pages"/*.1; do
    said=$(groff -man -ww -z -Tutf8 "$page" 2>&1)
    [[ ! $said ]] || wrong "$page: $said"
done
grep -v 'digits' "$pages/impactcheck-certify.1" >"$scratch/planted.1"
[[ $(differing_options certify "$scratch/planted.1") == *'not explained: --digits'* ]] || wrong "planted fault not found: a missing option"
printf '.TP\n.B \\-\\-colour\nalways\n' | sed '/^\.SH EXIT/,$d' - >"$scratch/more"
sed "/^\.SH OPTIONS/r $scratch/more" "$pages/impactcheck-certify.1" >"$scratch/planted.1"
[[ $(differing_options certify "$scratch/planted.1") == *'there is no --colour'* ]] || wrong "planted fault not found: an unknown option"

# ---- completion

offers() { # WORD... -- VALUE...: each value must be offered after the words
    local words=() value said
    while [[ $1 != -- ]]; do
        words+=("$1")
        shift
    done
    shift
    said=$("$command" complete "${words[@]}" | cut -f1)
    for value; do
        grep -qxF -- "$value" <<<"$said" || wrong "complete ${words[*]@Q}: no $value"
    done
}
offers '' -- run audit sweep --version
offers ver -- verify
offers run '' -- roller roller/III/C ball/hertz
offers run roller/III/C --sol -- --solver
offers run --solver '' -- dop853 piecewise_linear
offers run roller/III/C --variant '' -- A D hertz
offers run roller/III/C --set om -- omega=
offers run roller/III/C --trajectory '' -- @files
offers run --solver=dop -- dop853
offers law hunt-crossley --set '' -- e=
offers sweep roller --record '' -- peak contact_force
offers sweep roller --method '' -- batch scalar
offers optimise roller --over om -- omega=
offers optimise roller --subject-to '' -- contact_force
offers audit --engine '' -- all ode
offers audit --scenes '' -- all stack
offers audit --config '' -- default best
offers audit --thread piqnt -- piqnt/planck.js#223
offers audit --ask '' -- json options
offers audit --trap many -- many-bounces
offers audit --case two -- two-mass/example-2
offers verify --junit '' -- @files
offers report '' -- roller @files
offers help s -- sweep study
offers init '' -- machine law map engine solver
offers schema '' --out '' -- @files
offers schema s -- scene
[[ $("$command" complete run no-such | wc -l) == 0 ]] || wrong "complete: values that do not begin with the word are offered"
topics=$("$command" complete list '' | cut -f1 | sort | paste -sd' ')
[[ $topics == "$("$command" list --json | python3 -c 'import json, sys; print(*sorted(json.load(sys.stdin)))')" ]] ||
    wrong "complete list: the topics differ"
# every option and operand that takes a name or a file offers some
while IFS=$'\t' read -r name _; do
    while IFS=$'\t' read -r option argument _; do
        case $argument in
        FILE | GLOB | CASE/PRESET | WHAT | NAME | NAME=VALUE | NAME=FROM:* | NAME\[* | *\|*)
            [[ $option != --solver || $name != law ]] || continue
            [[ $("$command" complete "$name" roller/III/C hertz "$option" '' | wc -l) -gt 0 ]] ||
                wrong "complete: nothing is offered for $name $option $argument"
            ;;
        esac
    done < <("$command" complete --options "$name")
done < <("$command" complete --commands)

# ---- bash

# shellcheck source=/dev/null
source cli/completion/impactcheck.bash
compopt() { :; }
shell_offers() { # LINE VALUE
    COMP_LINE=$1 COMP_POINT=${#1} COMPREPLY=()
    _impactcheck
    [[ " ${COMPREPLY[*]} " == *" $2 "* ]] || wrong "bash: $2 is not offered after \"$1\""
}
PATH=$build:$PATH
shell_offers 'impactcheck ru' run
shell_offers 'impactcheck run ro' roller/III/C
shell_offers 'impactcheck run roller --solver=dop' dop853
shell_offers 'impactcheck run roller --set om' omega=
shell_offers 'impactcheck compare CHANGE' CHANGELOG.md

# ---- zsh

check_zsh() { # FOLDER: prints the deviations
    local lines=() expected=() stands=() line wanted i
    while IFS='|' read -r line wanted; do
        lines+=("$line")
        expected+=("$wanted")
    done <<'LINES'
impactcheck ru|impactcheck run  0
impactcheck run rol|impactcheck run roller 0
impactcheck run roller --set om|impactcheck run roller --set omega= 0
impactcheck run roller/III/C --solver=dop|impactcheck run roller/III/C --solver=dop853  0
impactcheck verify 'rol|impactcheck verify 'roller 0
impactcheck verify --junit=CHANGE|impactcheck verify --junit=CHANGELOG.md  0
impactcheck run no-such|impactcheck run no-such 1
LINES
    mapfile -t stands < <(timeout 60 zsh -f tools/ask-zsh.zsh "$1" "${lines[@]}")
    for ((i = 0; i < ${#lines[@]}; i++)); do
        [[ ${stands[i]-} == "${expected[i]}" ]] || echo "zsh: \"${lines[i]}\" becomes \"${stands[i]-}\", expected \"${expected[i]}\""
    done
}
said=$(check_zsh "$PWD/cli/completion")
[[ ! $said ]] || wrong "$said"
mkdir "$scratch/planted"
sed '/return status_/d' cli/completion/_impactcheck >"$scratch/planted/_impactcheck"
[[ $(check_zsh "$scratch/planted") == *'run roller 1'* ]] || wrong "planted fault not found: a zsh completion that reports that it offers nothing"

# of a processor: this may run beside other tests
TIMEFORMAT='%3U %3S'
read -r user system < <({ time "$command" complete run r >/dev/null; } 2>&1)
awk "BEGIN { exit !($user + $system < 0.2) }" || wrong "complete takes $user + $system s of a processor"

((failures == 0)) || exit 1
echo "each option is explained and offered"
