#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-alarms.sh [BUILD-FOLDER [GLOB]]
#
# False alarms of the audit: our own runs of 29 presets, at 4 row counts, each with 9 levels of noise, audited as what they are. A file that fails is a
# false alarm, and is shown with check and cause. Those that the audit leaves undecided are counted by rows and noise. GLOB: of these presets alone.
# IC_TESTS_PART=I/N in the environment: one of N of them.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
IC_ALARMS=${2-*} "${1-build}/impactcheck-tests" "false alarms"
