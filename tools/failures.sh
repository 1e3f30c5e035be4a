# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Sourced by checks. Creates the temporary folder $scratch, which is removed when the check ends;
# `wrong` reports a failure and counts it in $failures.
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
wrong() {
    echo "FAILED  $*"
    failures=$((failures + 1))
}
