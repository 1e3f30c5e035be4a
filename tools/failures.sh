# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Sourced by checks. Creates the temporary folder $scratch, which is removed when the check ends;
# `wrong` reports a failure and counts it in $failures; `repeat_failures` prints all again, for the
# end of a long log.
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
