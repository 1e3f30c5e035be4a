#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-docs.sh [FILE...]
#
# Runs the commands of the documentation and checks its links, names and fragments of C
# (tools/read-docs.py extracts them). Default files: README.md, CONTRIBUTING.md, docs, all other
# Markdown but the changelog, the examples of the manual pages, the worked example of the public header, and comments in
# examples; then planted mistakes, each of which must be found. Commands run in a temporary folder
# with links to the project's files.
# shellcheck disable=SC2016 # scripts and documents in single quotes are not expanded here
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=tools/failures.sh
. "$root/tools/failures.sh"
export PATH="$root/build:$PATH"

# ---- the folder in which commands run

mkdir "$scratch/tree"
ln -s "$root"/* "$scratch/tree/"
run_command() { (cd "$scratch/tree" && bash -o pipefail -c "$1"); }

# ---- running the commands

count=0

attempt() { # PLACE STATUS TEXT
    local status=0 begin=$EPOCHREALTIME seconds
    count=$((count + 1))
    # skipped, since this script is a stage of ./run test: commands that test or build everything
    if [[ $3 =~ ^\./run\ (test|verify|report|build)( |$) ]]; then
        echo "skipped $3"
        return
    fi
    (run_command "$3") >"$scratch/output" 2>&1 </dev/null || status=$?
    seconds=$(((${EPOCHREALTIME/./} - ${begin/./}) / 100000))
    if ((status == $2)); then
        echo "ok $((seconds / 10)).$((seconds % 10)) s  $(head -c 200 <<<"${3//$'\n'/; }")"
    else
        wrong "$3"
        echo "        $1: exit status $status, expected $2; the last lines of its output:"
        tail -n 20 "$scratch/output" | sed 's/^/        /'
    fi
}

check_files() { # FILE...: runs the commands and reports the findings of tools/read-docs.py
    local what place first rest
    while IFS=$'\t' read -r -d '' what place first rest; do
        case $what in
        run) attempt "$place" "$first" "$rest" ;;
        see) # grep reads everything: with -q a long output would break the pipe
            tr -s ' ' <"$scratch/output" | sed 's/^ //; s/ $//' | grep -xF -- "$first" >/dev/null ||
                wrong "$place: the preceding command prints no line \"$first\""
            ;;
        skip) echo "skipped $first" ;;
        wrong) wrong "$place: $first" ;;
        esac
    done < <(python3 "$root/tools/read-docs.py" "$root/build/impactcheck" "$@" || printf 'wrong\t%s\tcannot be read\0' "$*")
}

if (($#)); then
    mapfile -t files < <(readlink -f "$@")
else
    mapfile -t files < <("$root/tools/list-files.sh" '*.md' 'cli/man/*' 'examples/*.c' 'examples/*.py' include/impactcheck/impactcheck.h | grep -vx CHANGELOG.md)
    files=("${files[@]/#/$root/}")
fi
check_files "${files[@]}"
if ((count == 0)); then
    echo "no command found in $*"
    exit 1
fi

# ---- planted

finds() { # SUFFIX MESSAGE: the document on standard input must fail with MESSAGE
    local before=$failures said
    cat >"$scratch/planted.$1"
    said=$(check_files "$scratch/planted.$1")
    failures=$before
    [[ $said == *FAILED*"$2"* ]] || wrong "planted fault not found: $2"
}
fenced() { printf '```%s\n%s\n```\n' "$1" "$2"; }
if ((!$#)); then
    fenced sh 'build/impactcheck run no-such-case' | finds md 'exit status 2, expected 0'
    fenced sh 'true # exit 1' | finds md 'exit status 0, expected 1'
    { fenced sh 'echo one two' && fenced text 'one three'; } | finds md 'prints no line "one three"'
    fenced c 'int x = "text";' | finds md 'does not compile'
    { echo '<!-- from examples/outside/rattle.c -->' && fenced c 'int here_is_none;'; } | finds md 'are not in examples/outside/rattle.c'
    echo 'see [this](no-such-file.md)' | finds md 'there is no no-such-file.md'
    echo 'see [this](#no-such-heading)' | finds md 'no heading'
    echo 'call `./run nonsense`' | finds md 'no command nonsense'
    echo 'call `verify --nonsense`' | finds md 'no option --nonsense'
    echo 'in `tools/no-such.sh`' | finds md 'there is no tools/no-such.sh'
    printf '.SH EXAMPLES\nimpactcheck law no\\-such\\-law\n' | finds 1 'exit status 2'
    printf '/*\n *     build/impactcheck run nothing\n */\n' | finds c 'exit status 2'
    printf ' * A WORKED EXAMPLE\n *     int main(void) { return 0; }\n * It prints:\n *     one\n * THE MODEL\n' | finds h 'prints no line "one"'
    printf ' * A WORKED EXAMPLE\n *     int main(void) { return 1; }\n * THE MODEL\n' | finds h 'exit status 1'
fi

repeat_failures
echo "$count commands, $failures failures"
((failures == 0))
