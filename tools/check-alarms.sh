#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-alarms.sh [BUILD-FOLDER [GLOB]]
#
# False alarms of the audit: audits our own runs of 29 presets, with 4 numbers of rows and 9 levels
# of noise each, as correct files. A file that fails is a false alarm, reported with check and
# cause; undecided files are counted by rows and noise. GLOB selects presets. IC_TESTS_PART=I/N in
# the environment selects one of N parts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
IC_ALARMS=${2-*} "${1-build}/impactcheck-tests" "false alarms"
