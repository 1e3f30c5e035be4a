# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Sourced by checks. Creates the temporary folder $scratch, which is removed when the check ends;
# `wrong` reports a failure and counts it in $failures; `repeat_failures` prints all again, for the
# end of a long log; `tell_missing` ends a check that lacks packages.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
reported=()
wrong() {
    echo "FAILED  $*"
    reported+=("$*")
    failures=$((failures + 1))
}
repeat_failures() {
    ((failures == 0)) || printf 'FAILED  %s\n' "${reported[@]: -failures}"
}
tell_missing() { # CHECK GROUP MISSING [--missing]: prints what is missing; exit status 1: nothing. Else goes on, or 3
    if [[ ${4-} == --missing ]]; then
        [[ $3 ]] || exit 1
        echo "$3"
        exit
    fi
    [[ $3 ]] || return 0
    echo "$1: not installed: $3 (./run setup $2)" >&2
    exit 3
}
