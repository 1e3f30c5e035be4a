#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-reports.sh [BUILD-FOLDER]
#
# Checks the command's machine-readable output against the schemas of reports/schema: JUnit XML by xmllint, JSON by
# Python's jsonschema, TAP by prove; and, by tools/check-schemas.py, the schemas for editors. Each check must reject a
# planted wrong file. Exit codes and complete files are tested for the options of reports as for all others.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
command=$(readlink -f "${1-build}/impactcheck")
build=$(dirname "$command")
plugins=$build/plugins

# shellcheck source=tools/failures.sh
. tools/failures.sh
cd "$scratch"

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

junit() { # FILE: checks the schema and the counts
    xmllint --noout --schema "$root/reports/schema/junit.xsd" "$1" 2>xml-messages || return 1
    local counts='sum(//testsuite/@tests)=count(//testcase) and /testsuites/@tests=count(//testcase) and
        /testsuites/@failures=count(//failure) and sum(//testsuite/@skipped)=count(//skipped) and
        not(//testsuite[@tests!=count(testcase) or @failures!=count(testcase/failure)]) and
        (count(//@time)=0 or count(//@time)=count(//testcase)+count(//testsuite)+1)'
    [[ $(xmllint --xpath "$counts" "$1") == true ]]
}

# One process validates all documents: starting Python takes longer than validating.
coproc VALIDATOR { python3 -u -c '
import json, sys
from jsonschema import Draft202012Validator
validators = {}
for line in sys.stdin:
    schema, path = line.split()
    try:
        if schema not in validators:
            Draft202012Validator.check_schema(json.load(open(schema)))
            validators[schema] = Draft202012Validator(json.load(open(schema)))
        error = next(validators[schema].iter_errors(json.load(open(path))), None)
        print(f"{list(error.absolute_path)}: {error.message[:300]!r}" if error else "valid")
    except (OSError, ValueError) as error:
        print(error)
'; }

json() { # SCHEMA FILE
    local said schema=$PWD/schema/$1.schema.json
    [[ $1 != verify ]] || schema=$PWD/verify.schema.json
    echo "$schema $2" >&"${VALIDATOR[1]}"
    read -r said <&"${VALIDATOR[0]}"
    [[ $said == valid ]] || { echo "$2: $said" && false; }
}

tap() { # FILE: checks plan and numbering; failed tests in it are not errors of the file
    local said
    said=$(prove --exec cat "$1" 2>&1) || true
    [[ $said == *'Tests='* && $said != *'Parse errors'* && $said != *'No plan'* ]]
}

# A name of a definition means the same in all schemas.
shared_definitions_agree() { # FILE...
    # shellcheck disable=SC2016 # a program of Python
    python3 -c '
import json, sys
seen = {}
for path in sys.argv[1:]:
    for name, definition in json.load(open(path)).get("$defs", {}).items():
        if seen.setdefault(name, definition) != definition:
            sys.exit(f"{path}: {name} differs from that of another schema")
' "$@"
}

rejects() { # WHAT COMMAND...
    local what=$1
    shift
    if "$@" >/dev/null 2>&1; then wrong "planted fault not found: $what"; fi
}

# A fault that an expression of sed plants in FILE is found.
plant() { # WHAT EXPRESSION FILE COMMAND...
    sed "$2" "$3" >planted."${3##*.}"
    ! cmp -s "$3" planted."${3##*.}" || wrong "the file was not changed: $1: $2"
    rejects "$1" "${@:4}" planted."${3##*.}"
}

# ---- the schemas

python3 "$root"/tools/make-schemas.py schema
for file in "$root"/reports/schema/*.yaml; do
    [[ $file == */shared.yaml || -s schema/$(basename "$file" .yaml).schema.json ]] || wrong "$file: no schema is made of it"
done
schemas=(schema/*.json "$root"/reports/text/verify.schema.json)
said=$(shared_definitions_agree "${schemas[@]}" 2>&1) || wrong "$said"
sed '/"undecided",$/d' schema/run.schema.json >planted.json
rejects "schemas: a definition of another content" shared_definitions_agree "${schemas[@]}" planted.json

# ---- verify

expect 0 verify --schema
mv output verify.schema.json
expect 0 verify 'bouncing-ball*' --quiet --junit v.xml --tap v.tap --markdown v.md --json v.json
junit v.xml || wrong "verify --junit: $(head -n 3 xml-messages)"
json verify v.json || wrong "verify --json"
tap v.tap || wrong "verify --tap"
[[ $(grep -c '^ok ' v.tap) == $(xmllint --xpath 'count(//testcase)' v.xml) ]] || wrong "verify: TAP and JUnit differ in their number of rows"
grep -q '^\*\*All good:\*\*' v.md || wrong "verify --markdown: no summary"
[[ $(grep -c '<details>' v.md) == $(grep -c '</details>' v.md) ]] || wrong "verify --markdown: a part is not closed"
expect 0 verify 'planar-bar*' --solver newton --quiet --junit p.xml
junit p.xml || wrong "verify --junit, planar-bar: $(head -n 3 xml-messages)"

# times appear on request, add up, and nothing else differs
expect 0 verify 'bouncing-ball*' --quiet --times --junit times.xml --json times.json
junit times.xml || wrong "verify --times --junit: $(head -n 3 xml-messages)"
json verify times.json || wrong "verify --times --json"
[[ $(xmllint --xpath 'sum(//testcase/@time) > 0 and sum(//testcase/@time) - /testsuites/@time < 0.001 and
    /testsuites/@time - sum(//testcase/@time) < 0.001' times.xml) == true ]] || wrong "verify --times: times do not add up"
cmp v.xml <(sed 's/ time="[0-9.]*"//g' times.xml) || wrong "verify: results differ in more than times"
plant "JUnit, a time that is missing" '0,/ time="[0-9.]*"/s///' times.xml junit
plant "JUnit, a time below zero" '0,/ time="/s// time="-/' times.xml junit

plant "JUnit, a count that is wrong" '0,/ tests="[0-9]*"/s// tests="7"/' v.xml junit
plant "JUnit, a test case without a class" '0,/ classname="[^"]*"/s///' v.xml junit
plant "JUnit, an attribute that Jenkins refuses" '0,/<testsuites /s//<testsuites skipped="0" /' v.xml junit
plant "JSON, an unknown verdict" '0,/"verdict": "pass"/s//"verdict": "passed"/' v.json json verify
plant "JSON, a member of another name" '0,/"tolerance"/s//"tolerence"/' v.json json verify
plant "TAP, a number twice" 's/^ok 2 /ok 3 /' v.tap tap
plant "TAP, a row less than planned" "\$d" v.tap tap

# ---- list, law, study, certify, compare

# Checks a document of a command, and the same with a fault planted by an expression of sed.
document() { # SCHEMA WHAT SED-EXPRESSION ARGUMENT...
    local schema=$1 what=$2 plant=$3
    shift 3
    expect 0 "$@" --json
    json "$schema" output || wrong "$* --json"
    plant "JSON of $*: $what" "$plant" output json "$schema"
}
document list "an unknown topic" '0,/"cases"/s//"case"/' list
document list "an invalid direction" '0,/"direction": -1/s//"direction": -2/' list cases
document list "a formula that is a number" '0,/"falls": "[^"]*"/s//"falls": 0/' list cases bouncing-ball
document list "a path that is a number" '0,/"file": "[^"]*"/s//"file": 1/' list cases "$root/cases/ball.yaml"
document list "a clause that there is not" 's/"clauses_not_kept": \[/&12/' list solvers
document list "a preset without its path" '0,/"path": [^,]*,/s///' list presets
document list "a default that is a number" '0,/"default": "[^"]*"/s//"default": 1/' list laws
document list "an engine that may be built" '0,/"built": [a-z]*/s//"built": "perhaps"/' list engines
document list "a trap without its runs" '0,/"runs"/s//"presets"/' list traps
document law "a law without its source" '0,/"source"/s//"sources"/' law
document law "a peak that is text" 's/"peak_force": [^,]*/"peak_force": "much"/' law hunt-crossley
document study "a study without its title" '0,/"title"/s//"name"/' study
document study "a cell that is an object" '0,/^    \[/s//    [{}, /' study impulse-paths
document certify "a radius that is a number" '0,/"radius": "\([^"]*\)"/s//"radius": 0/' certify roller/III/C --until 0.05
document certify "certified without events" 's/"events"/"happened"/' certify bouncing-ball/lively --until 1
document certify "digits that are none" '0,/"value": "/s//"value": "about /' certify ball/bai-zhao
document certify "an unknown status" 's/"certified"/"proved"/' certify planar-bar/kappa-1
document certify "a beam without an end" 's/"final"/"end"/' certify rotating-beam/main --until 0.002
document certify "an orbit without its multiple" '/"multiple"/d' certify roller/III/C --orbit
"$command" certify rocking-block/free-to-rest --json >undecided.json 2>/dev/null && wrong "certify rocking-block/free-to-rest: it claims to certify infinitely many events"
json certify undecided.json || wrong "certify --json, a run that stops before its end"
expect 0 bench 'bouncing*' --no-times --quiet --out costs.json
sed 's/"error":[^,]*,/"error":1e-99,/; s/"steps": [0-9]*,/"steps":1,/' costs.json >less.json
document compare "a side without its machine" '0,/"cpu"/s//"processor"/' compare costs.json costs.json
expect 1 compare less.json costs.json --json
json compare output || wrong "compare --json, differences"
[[ $(grep -c '"worse"' output) -gt 1 ]] || wrong "compare --json: no difference"
plant "JSON of compare: an unknown verdict" '0,/"verdict": "worse"/s//"verdict": "other"/' output json compare

# ---- run, sweep, bench

expect 0 run roller/III/C --until 0.2 --samples 5 --json
json run output || wrong "run --json"
expect 0 run planar-bar/stronge --solver stronge --json
json run output || wrong "run --json, a rigid map"
cp output other.json
expect 0 sweep roller/III/C --vary c=450e3:550e3:5 --out s.csv --json
json sweep output || wrong "sweep --json"
plant "JSON of sweep: no case" '0,/"case"/s//"system"/' output json sweep
expect 0 optimise bouncing-ball/elastic --minimise energy --over h=1:2 --subject-to 'height:max<=start' --json
json optimise output || wrong "optimise --json"
expect 1 optimise bouncing-ball/elastic --minimise energy --over h=1:2 --subject-to 'height:max>=3' --json
json optimise output || wrong "optimise --json, nothing found"
expect 0 bench 'bouncing*' --solver 'rk4*' --json
json bench output || wrong "bench --json"
cp output bench.json
rejects "JSON, the schema of another command" json sweep other.json
plant "JSON of run: a sequence number below zero" '0,/"seq": 0/s//"seq": -1/' other.json json run
plant "JSON of bench: no seconds" '0,/"seconds"/s//"second"/' bench.json json bench

# ---- audit

expect 0 audit --solver taylor --trap 'many-bounces*' --json --junit a.xml --tap a.tap --markdown a.md
json audit output || wrong "audit --solver --json"
junit a.xml || wrong "audit --solver --junit: $(head -n 3 xml-messages)"
tap a.tap || wrong "audit --solver --tap"
plant "JSON of audit: an unknown verdict" '0,/"verdict": "pass"/s//"verdict": "passed"/' output json audit
asked="python3 $root/examples/command/ball.py"
[[ ! -x $build/impactcheck-command-planted ]] || asked="$build/impactcheck-command-planted right" # with IC_TESTS; faster
expect 0 audit --command "$asked" --case bouncing-ball/lively --until 2 --phases 2 --json
json audit output || wrong "audit --command --json"
plant "JSON of audit --command: no measured" '0,/"measured"/s//"value"/' output json audit
expect 0 audit --trajectory "$root/examples/trajectory/impact.csv" --case planar-bar/stronge --json
json audit output || wrong "audit --trajectory --json, an impact"
cc -shared -fPIC -I"$root/include" "$root/examples/plugin/engine.c" -o engine.so -lm
expect 0 audit --plugin ./engine.so --json
json audit output || wrong "audit --plugin --json, an engine"
engines=()
for program in "$build"/impactcheck-engine-*; do # chipmunk with IC_ENGINES; otherwise the planted engine, with IC_TESTS
    case ${program##*-} in
    chipmunk) engines+=("$command") ;;
    planted)
        mkdir with-planted
        cp "$command" with-planted
        cp "$program" with-planted/impactcheck-engine-chipmunk
        engines+=("$PWD/with-planted/impactcheck")
        ;;
    esac
done
for program in "${engines[@]}"; do
    # its verdict does not matter here
    "$program" audit --engine chipmunk --scenes thin-wall,rough-bar --json >output || true
    json engines output || wrong "audit --engine --json"
    plant "JSON of audit --engine: an unknown letter" '0,/"verdicts": "/s//"verdicts": "x/' output json engines
    plant "JSON of audit --engine: no date" '0,/"date"/s//"day"/' output json engines
done
for file in "$root"/reports/engines/*.json; do # what engines' maintainers send
    [[ ! -e $file ]] || json engines "$file" || wrong "$file"
done
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

# ---- ci

printf 'subjects:\n  roller: {trajectory: rows.csv, case: roller/III/C}\n  ball: {machine: bouncing-ball}\n' >impactcheck.yaml
printf 'waivers: [{code: IC-T-006, reason: planted, until: 2099-12-31}]\n' >>impactcheck.yaml
expect 1 ci --json c.json --junit c.xml --markdown c.md
json ci c.json || wrong "ci --json"
junit c.xml || wrong "ci --junit: $(head -n 3 xml-messages)"
plant "JSON of ci: an unknown state of a waiver" '0,/"state": "/s//"state": "x/' c.json json ci
expect 1 audit --trajectory rows.csv --case roller/III/C --quiet --rows r.json
json rows r.json || wrong "audit --rows"
plant "JSON of audit --rows: no code" '0,/"code"/s//"number"/' r.json json rows

# ---- invalid requests are refused before anything is computed, and leave no files

mkdir empty
cd empty
expect 2 audit --solver taylor --junit same --tap same
expect 2 audit --solver no-such-solver --junit a.xml
expect 2 audit --solver taylor --markdown no-such-folder/a.md
expect 2 verify 'bouncing*' --tap no-such-folder/v.tap
expect 2 verify 'no-such-case*' --tap v.tap
left=$(find . -type f ! -name output ! -name messages)
[[ ! $left ]] || wrong "leftover files: $left"
cd ..

# ---- schemas for editors

python3 "$root"/tools/check-schemas.py "$command" || wrong "impactcheck schema: the readers disagree"

((failures == 0)) || exit 1
echo "machine-readable output agrees with reports/schema"
