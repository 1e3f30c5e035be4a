#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/report.sh [--quick] [--again] [RESULTS [OUT]]
#
# Creates the results that are missing in build/results (or RESULTS), each by the command that
# `impactcheck report --commands` names for it, and the pages of all results in build/report (or
# OUT). --quick: only results that take less than a second. --again: recreates existing results. A
# result that cannot be created is reported, and marked as missing on its page.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

quick=() again=0
while [[ ${1-} == --* ]]; do
    case $1 in
    --quick) quick=(--quick) ;;
    --again) again=1 ;;
    *)
        echo "./run report: unknown option \"$1\"; the options are --quick and --again" >&2
        exit 2
        ;;
    esac
    shift
done
cd "$root"
results=${1-build/results}
out=${2-build/report}
mkdir -p "$results"/{runs,studies,sweeps,certified,audits/gallery}
results=$(cd "$results" && pwd)
mkdir -p "$out"
out=$(cd "$out" && pwd)
PATH=$root/build:$PATH # the commands begin with `impactcheck`
cd "$results"

# A status of 1 is a failed check or a run that ended early with a reason: the file is still a result.
make_result() { # FILE COMMAND
    local status=0
    echo "  impactcheck $2" >&2
    bash -c "impactcheck $2" >make.log 2>&1 || status=$?
    if ((status > 1)) || [[ ! -s $1 ]]; then
        echo "  $1 could not be created (exit status $status): $(tail -n 1 make.log)" >&2
        rm -f "$1"
    fi
    rm -f make.log
}

# Results older than the command are recreated.
impactcheck list --json >list.json.part
mv list.json.part list.json
while IFS=$'\t' read -r file command; do
    [[ $file != list.json ]] || continue
    if ((again)) || [[ ! -s $file || $file -ot $root/build/impactcheck ]]; then make_result "$file" "$command"; fi
done < <(impactcheck report --results . --commands "${quick[@]}")

# Audits of the test plugins, if the tests have been built.
if ((${#quick[@]} == 0)); then
    for plugin in "$root"/build/plugins/*.so; do
        [[ -e $plugin ]] || continue
        file=audits/gallery/$(basename "$plugin" .so).json
        if ((again)) || [[ ! -s $file || $file -ot $plugin ]]; then
            timeout 120 impactcheck audit --plugin "$plugin" --json --time-limit 5 >"$file" 2>/dev/null || true
        fi
    done
fi
# Results that engines' maintainers sent.
mkdir -p engines
for file in "$root"/reports/engines/*.json; do
    [[ ! -e $file ]] || cp "$file" engines
done
impactcheck report --results . --out "$out" --quiet
echo "Report: $out/index.html"
