#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-reports.sh [BUILD-FOLDER]
#
# Whether what the command writes for programs is what reports/schema says: JUnit XML by xmllint, JSON by Python's jsonschema, TAP by prove; whether
# reports/ci is YAML. Each check has a planted wrong file that it must reject. Exit codes and whole files go with the new options as with
# all others.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
command=$(readlink -f "${1-build}/impactcheck")
plugins=$(dirname "$command")/plugins

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
failures=0
wrong() {
    echo "FAILED  $*"
    failures=$((failures + 1))
}

expect() { # STATUS ARGUMENT...
    local expected=$1 status=0
    shift
    "$command" "$@" >output 2>messages || status=$?
    if ((status != expected)); then
        wrong "impactcheck $*: exit status $status, expected $expected"
        head -n 5 messages
    fi
}

# ---- the checks

junit() { # FILE: by the schema, and counts that are true
    xmllint --noout --schema "$root/reports/schema/junit.xsd" "$1" 2>xml-messages || return 1
    local counts='sum(//testsuite/@tests)=count(//testcase) and /testsuites/@tests=count(//testcase) and
        /testsuites/@failures=count(//failure) and sum(//testsuite/@skipped)=count(//skipped) and
        not(//testsuite[@tests!=count(testcase) or @failures!=count(testcase/failure)])'
    [[ $(xmllint --xpath "$counts" "$1") == true ]]
}

json() { # SCHEMA FILE
    python3 - "$root/reports/schema/$1.schema.json" "$2" <<'PYTHON'
import json, sys
from jsonschema import Draft202012Validator
schema, document = (json.load(open(path)) for path in sys.argv[1:])
Draft202012Validator.check_schema(schema)
error = next(Draft202012Validator(schema).iter_errors(document), None)
if error:
    sys.exit(f"{sys.argv[2]}: {list(error.absolute_path)}: {error.message[:300]}")
PYTHON
}

tap() { # FILE: as it is planned and numbered; failures in it are no failure of the file's
    local said
    said=$(prove --exec cat "$1" 2>&1) || true
    [[ $said == *'Tests='* && $said != *'Parse errors'* && $said != *'No plan'* ]]
}

rejects() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" >/dev/null 2>&1; then wrong "planted, and not found: $what"; fi
}

# ---- verify

expect 0 verify 'bouncing-ball*' --quiet --junit v.xml --tap v.tap --markdown v.md --json v.json
junit v.xml || wrong "verify --junit: $(head -n 3 xml-messages)"
json verify v.json || wrong "verify --json"
tap v.tap || wrong "verify --tap"
[[ $(grep -c '^ok ' v.tap) == $(xmllint --xpath 'count(//testcase)' v.xml) ]] || wrong "verify: TAP and JUnit differ in their number of rows"
grep -q '^\*\*All good:\*\*' v.md || wrong "verify --markdown: no summary"
[[ $(grep -c '<details>' v.md) == $(grep -c '</details>' v.md) ]] || wrong "verify --markdown: a part is not closed"
expect 0 verify 'planar-bar*' --solver newton --quiet --junit p.xml
junit p.xml || wrong "verify --junit, planar-bar: $(head -n 3 xml-messages)"

sed '0,/ tests="[0-9]*"/s// tests="7"/' v.xml >planted.xml
rejects "JUnit, a count that is wrong" junit planted.xml
sed '0,/ classname="[^"]*"/s///' v.xml >planted.xml
rejects "JUnit, a test case without a class" junit planted.xml
sed '0,/<testsuites /s//<testsuites skipped="0" /' v.xml >planted.xml
rejects "JUnit, an attribute that Jenkins refuses" junit planted.xml
sed '0,/"verdict": "pass"/s//"verdict": "passed"/' v.json >planted.json
rejects "JSON, an unknown verdict" json verify planted.json
sed '0,/"tolerance"/s//"tolerence"/' v.json >planted.json
rejects "JSON, a member of another name" json verify planted.json
sed 's/^ok 2 /ok 3 /' v.tap >planted.tap
rejects "TAP, a number twice" tap planted.tap
sed '$d' v.tap >planted.tap
rejects "TAP, a row less than planned" tap planted.tap

# ---- run, sweep, bench

expect 0 run roller/III/C --until 0.2 --samples 5 --json
json run output || wrong "run --json"
expect 0 run planar-bar/stronge --solver stronge --json
json run output || wrong "run --json, a rigid map"
cp output other.json
expect 0 sweep roller/III/C --vary c=450e3:550e3:5 --out s.csv --json
json sweep output || wrong "sweep --json"
expect 0 bench 'bouncing*' --solver 'rk4*' --json
json bench output || wrong "bench --json"
json bench "$root/bench/baseline.json" || wrong "bench/baseline.json"
rejects "JSON, the schema of another command" json sweep other.json

# ---- audit

expect 0 audit --solver taylor --trap 'many-bounces*' --json --junit a.xml --tap a.tap --markdown a.md
json audit output || wrong "audit --solver --json"
junit a.xml || wrong "audit --solver --junit: $(head -n 3 xml-messages)"
tap a.tap || wrong "audit --solver --tap"
"$command" run roller/III/A --until 0.3 --trajectory rows.csv --quiet
expect 1 audit --trajectory rows.csv --case roller/III/C --json --junit t.xml --tap t.tap --markdown t.md
json audit output || wrong "audit --trajectory --json"
junit t.xml || wrong "audit --trajectory --junit: $(head -n 3 xml-messages)"
tap t.tap || wrong "audit --trajectory --tap"
grep -q '^not ok .*adhesion' t.tap || wrong "audit --tap: no row that fails"
grep -q 'adhesion-kept' t.md || wrong "audit --markdown: no cause"
[[ $(xmllint --xpath 'count(//failure)' t.xml) -gt 0 ]] || wrong "audit --junit: no failure"
if [[ -d $plugins ]]; then # with IC_TESTS
    expect 1 audit --plugin "$plugins/newton_as_stronge.so" --json --junit g.xml --tap g.tap --markdown g.md
    json audit output || wrong "audit --plugin --json"
    junit g.xml || wrong "audit --plugin --junit: $(head -n 3 xml-messages)"
    tap g.tap || wrong "audit --plugin --tap"
    expect 3 audit --plugin "$plugins/map_hangs.so" --time-limit 1 --quiet --junit h.xml
    junit h.xml || wrong "audit --plugin --junit, one that hangs: $(head -n 3 xml-messages)"
fi

# ---- what is wrong is told before anything is computed, and nothing is left

mkdir empty
cd empty
expect 2 audit --solver taylor --junit same --tap same
expect 2 audit --solver no-such-solver --junit a.xml
expect 2 audit --solver taylor --markdown no-such-folder/a.md
expect 2 verify 'bouncing*' --tap no-such-folder/v.tap
expect 2 verify 'no-such-case*' --tap v.tap
left=$(find . -type f ! -name output ! -name messages)
[[ ! $left ]] || wrong "files are left: $left"
cd ..

# ---- examples for CI

for file in "$root"/reports/ci/*.yml; do
    yamllint --strict --config-data '{extends: default, rules: {line-length: {max: 130}, document-start: disable, truthy: {check-keys: false}}}' \
        "$file" || wrong "$file"
done
printf 'job:\n  script: [\n' >planted.yml
rejects "YAML, a list that is not closed" yamllint planted.yml

((failures == 0)) || exit 1
echo "what is written for programs is what reports/schema says"
