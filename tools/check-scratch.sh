#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-scratch.sh
#
# Proves that a new case is one file and one line, a new solver too, a new scene one file, a new check of rows one file
# and two lines, a new column of the results one row, and a changed default tolerance one line: in a copy of the tree it
# adds tools/scratch/scratch_case.c, the same case as a case file, scratch_text.yaml, scratch_rows.c, and as a solver
# examples/outside/midpoint.c, with their lines in .def files, adds a column to the results, builds, and asks the command
# for all of them. The case must get every check of the audit that the bouncing ball gets, and a
# page in the report with equations, figures of its states and events, and its certified table. Then it proves
# that a line without its file, a name given twice and a malformed line are refused, and that a file without a
# line is not built.
#
# The copy is build/scratch/tree. It keeps the files' times and its build folder, so that a second
# run compiles only what changed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
tree=$root/build/scratch/tree
built=$root/build/scratch/build

rm -rf "$tree"
mkdir -p "$tree"
tools/list-files.sh | tar -c -T - | tar -x -C "$tree"
touch "$tree/audit/common/tolerances.def" "$tree/validation/tolerances.def" # the run before has compiled a change of these
cp tools/scratch/scratch_case.c "$tree/cases/" # compiled each time: the run before has left a wrong one
cp -p tools/scratch/scratch_text.yaml "$tree/cases/"
sed 's/^const ic_solver midpoint/const ic_solver ic_solver_scratch_solver/; s/"midpoint"/"scratch_solver"/' examples/outside/midpoint.c \
    >"$tree/solvers/scratch_solver.c"
cp -p tools/scratch/scratch_rows.c "$tree/audit/trajectory/checks/check_scratch.c"
sed 's/^title: .*/title: A scratch scene/' scenes/slow-flight.yaml >"$tree/scenes/scratch-scene.yaml"
add_line() { # FILE LINE: sets the file's time to the original's plus one second
    printf '%s\n' "$2" >>"$tree/$1"
    touch -d "$(date -r "$root/$1" '+%F %T.%N') 1 second" "$tree/$1"
}
add_line cases/cases.def 'IC_CASE(scratch_case)
IC_CASE(scratch_text)'
add_line solvers/solvers.def 'IC_SOLVER(scratch_solver)'
add_line audit/trajectory/checks/audits.def 'IC_ROW_AUDIT(ic_audit_scratch)'
add_line audit/trajectory/checks/checks.def 'IC_ROW_CHECK(NULL, scratch, "scratch", false, 0, "greatest step back in time", "", "")'
sed -i '/^IC_RESULT_NUMBER(tolerance,/{n;a\
IC_RESULT_NUMBER(allowance, "", IC_IF_SET, IC_EVERYWHERE, "allowance", "tolerance minus error")
}' "$tree/reports/result_columns.def"
sed -i 's|^    \*added = \*row;$|&\n    added->allowance = added->tolerance - added->error;|' "$tree/validation/results.c"
for file in reports/result_columns.def validation/results.c; do
    touch -d "$(date -r "$root/$file" '+%F %T.%N') 1 second" "$tree/$file"
done

configure() {
    cmake -G Ninja -S "$tree" -B "$built" -D CMAKE_BUILD_TYPE=Release -D CMAKE_C_FLAGS_RELEASE=-O0
}
configure
cmake --build "$built" --target impactcheck

export PATH="$built:$PATH"
output=$built/output
shows() { # PATTERN ARGUMENT...: the command must succeed and print PATTERN
    local pattern=$1
    shift
    echo "--- impactcheck $*"
    impactcheck "$@" | tee "$output"
    if ! grep -qE -- "$pattern" "$output"; then
        echo "FAILED: impactcheck $*: its output has no \"$pattern\""
        exit 1
    fi
}
shows 'scratch-scene +A scratch scene' list scenes
shows 'scratch-case' list cases
shows 'scratch-case/hit' list presets
shows 'scratch-text/hit' list presets
shows 'scratch-text' verify 'scratch-text*' --solver dop853
# The command says the same of scratch-text as of scratch-case, apart from the file's equations, the bits of a
# certificate and its judgement, which needs a text.
same() { # ARGUMENT...
    local of_case of_text
    of_case=$(impactcheck "$@" | sed 's/scratch-case/scratch-text/; s/, with [0-9]* bits$//; /^Held against/d')
    of_text=$(impactcheck "${@/scratch-case/scratch-text}" |
        sed '/^  Equations$/,/^  Variants$/{/^  Variants$/!d}; s/, with [0-9]* bits$//; /^Held against/d')
    if [[ $of_case != "$of_text" ]]; then
        diff <(echo "$of_case") <(echo "$of_text") || true
        echo "FAILED: impactcheck $*: the case file says something else than the case in C"
        exit 1
    fi
    echo "the same of a case in C and of a case file: $*"
}
same certify scratch-case/hit --until 5 --digits 20
same list cases --long scratch-case
if ! diff <(impactcheck list cases --long scratch-text) \
    <(impactcheck list cases --long "$tree/cases/scratch_text.yaml") >"$output"; then
    cat "$output"
    echo "FAILED: a built-in case lists something else than its file"
    exit 1
fi
shows '^      stored: 1/2[*][(]v\^2 [+] w\^2[*][(]x [+] d[)]\^2[)]$' list cases --long scratch-text
shows 'scratch_solver' list solvers
shows '"solver": *"scratch_solver"' run scratch-case/swing --solver scratch_solver --json
shows '"status": *"ok"' run scratch-case/hit --solver rk45_bisection --set w=2 --json
shows 'scratch_solver' verify scratch-case/swing
shows 'scratch-case' verify 'scratch*' --solver piecewise_linear
shows 'scratch-case' verify 'scratch*' --solver dop853
shows 'scratch-case' verify scratch-case/swing --solver 'scratch*'

# The audit: of its own trajectory, and of a solver on it.
checks_of() { # PRESET OPTION...: names of the checks that the audit of the preset's own trajectory has, sorted
    impactcheck run "$@" --samples 1000 --trajectory "$built/rows.csv" --quiet
    impactcheck audit --trajectory "$built/rows.csv" --case "$@" --json >"$built/audit.json"
    grep -o '"check": *"[^"]*"' "$built/audit.json" | sort -u
}
same_checks() { # MODEL PRESET OPTION...
    local wanted missing
    wanted=$(checks_of "$1")
    shift
    missing=$(comm -23 <(echo "$wanted") <(checks_of "$@"))
    if [[ -n $missing ]]; then
        echo "FAILED: the audit of $* lacks checks that the bouncing ball has:" "$missing"
        exit 1
    fi
    echo "audited by all $(wc -l <<<"$wanted") checks of the bouncing ball: $*"
}
if ! checks_of bouncing-ball/lively | grep -q '"scratch"'; then
    echo "FAILED: the scratch check of rows is not made"
    exit 1
fi
same_checks bouncing-ball/lively scratch-case/hit
same_checks bouncing-ball/drop scratch-case/hit --set e=1/2 --until 8
cc -shared -fPIC -I"$tree/include" -I"$tree" "$tree/tests/plugins/correct/event_driven.c" -o "$built/plugin.so" -lm
impactcheck audit --plugin "$built/plugin.so" --json >"$built/solver.json" || true
if ! grep -q '"place": *"scratch-case/hit"' "$built/solver.json"; then
    echo "FAILED: audits of solvers leave out the scratch case"
    exit 1
fi
echo "solvers are audited on scratch-case/hit"

# The report: what it asks for of the case, and the page that it makes of that.
results=$built/results
rm -rf "$results"
mkdir -p "$results"/{runs,certified,studies,sweeps,audits} "$built/file"
impactcheck list --json >"$results/list.json"
commands=$(impactcheck report --results "$results" --commands --quick | grep 'scratch-case')
while IFS=$'\t' read -r file command; do
    echo "--- $file: impactcheck $command"
    (cd "$results" && eval "impactcheck $command")
done <<<"$commands"
impactcheck report --results "$results" --out "$built/report" --quiet
page=$built/report/case-scratch-case.html
page_shows() { # WHAT PATTERN: the page has a line with PATTERN
    if ! grep -qE -- "$2" "$page"; then
        echo "FAILED: the scratch case's page has no $1"
        exit 1
    fi
    echo "on its page: $1"
}
if sed -n '/id="equations"/,/id="published"\|id="Parameters"/p' "$page" | grep -n 'class="missing"'; then
    echo "FAILED: the scratch case's page lacks something"
    exit 1
fi
page_shows 'an equation of a mode' '<math.*<mi>v</mi><mo class="prime">|<mi>v</mi>.*′'
page_shows 'the guard of an event' 'falls.*to.*0'
for state in x v; do page_shows "a figure of $state" "<figure id=\"state-1-$state\">"; done
page_shows 'events in the figures' '>events<'
page_shows 'a certified table' '<caption>scratch-case/hit, variant stop: certified'
page_shows 'a certified event' '<td data-l="quantity">stop</td>'

# The page of a case that was built from a file has the same equations as the page of that file.
impactcheck list "$tree/cases/scratch_text.yaml" --json >"$built/file/list.json"
impactcheck report --results "$built/file" --out "$built/file/pages" --quiet
equations() { # PAGE: the equations on the page of scratch-text
    sed -n '/id="equations"/,/id="graph"/p' "$1"
}
built_in=$built/report/case-scratch-text.html
if ! diff <(equations "$built_in") <(equations "$built/file/pages/index.html") || ! equations "$built_in" | grep -q '>Energy<'; then
    echo "FAILED: the page of a built-in case has other equations than the page of its file"
    exit 1
fi
echo "on the page of a case from a file: the equations of the file"

# The column is in the table of rows, in each file, in the schema and on the pages.
results=$built/column
rm -rf "$results"
mkdir -p "$results"
shows ' allowance  ' verify scratch-case/swing -v --json "$results/verify.json" --junit "$results/junit.xml" \
    --markdown "$results/rows.md"
shows '"allowance": \{' verify --schema
mv "$output" "$results/schema.json"
impactcheck list --json >"$results/list.json"
impactcheck report --results "$results" --out "$results/pages" --quiet
holds() { # WHERE PATTERN FILE
    grep -qE -- "$2" "$results/$3" || { echo "FAILED: the column is not in $1"; exit 1; }
}
holds JSON '"allowance": [0-9.e-]+' verify.json
holds "JUnit XML, after the tolerance with its origin" 'tolerance [^(]*\([^)]*\), allowance [0-9.e-]+' junit.xml
holds Markdown '\| allowance \|' rows.md
holds "the web pages" '<td class="n" data-l="allowance" data-v' pages/case-scratch-case.html
echo "a column of the results is one row"

# A default tolerance is one line; multiples, help and rows follow it, and no text keeps the old one.
sed -i 's/^IC_TOLERANCE(accuracy, [^,]*,/IC_TOLERANCE(accuracy, 3e-3,/; s/^IC_TOLERANCE(noise, [^,]*,/IC_TOLERANCE(noise, 4,/
    s/^IC_TOLERANCE(energy_drift, [^,]*,/IC_TOLERANCE(energy_drift, 20,/
    ' "$tree/audit/common/tolerances.def"
sed -i 's/^IC_TOLERANCE(energy_balance, [^,]*,/IC_TOLERANCE(energy_balance, 1e-18,/' "$tree/validation/tolerances.def"
cmake --build "$built" --target impactcheck
shows '^accuracy +0[.]003 of ' list tolerances
shows '^energy_drift +0[.]06 of ' list tolerances
shows 'default 0[.]003' audit --help
shows '"origin": "0[.]003 of the speed before the impact [+] 4 deviations' \
    audit --trajectory examples/trajectory/impact.csv --case planar-bar/stronge --json
for old in '0[.]0001 of' '1e-0*4 of' '5 deviations' 'five deviations'; do
    if grep -qE "$old" "$output"; then
        echo "FAILED: a row still has the old tolerance: $old"
        exit 1
    fi
done
if impactcheck verify bouncing-ball/drop --solver dop853 --json "$built/rows.json" --tap "$results/rows.tap" >"$output"; then
    echo "FAILED: no row of verify exceeds a tolerance of 1e-18"
    exit 1
fi
holds "TAP, which has the measurements of rows that fail" 'allowance -[0-9.e-]+' rows.tap
if ! grep -q '1e-18 of the energy turned over' "$built/rows.json"; then
    echo "FAILED: no row of verify has the new tolerance"
    exit 1
fi

# A case that contradicts itself is reported as one failure, and its solvers are not run.
sed -i 's/"-w^2\*(x + d)"/"w^2*(x + d)"/' "$tree/cases/scratch_case.c"
cmake --build "$built" --target impactcheck
status=0
impactcheck verify 'scratch-case*' --json "$built/contradiction.json" >"$output" || status=$?
if ((status != 1)) || [[ $(grep -o '"check": *"[^"]*"' "$built/contradiction.json") != '"check": "case"' ]] ||
    ! grep -q "mode free, rate of 'v': its text equals its function" "$built/contradiction.json"; then
    cat "$output"
    echo "FAILED: a text with a wrong sign is not the one failure of its case (exit status $status)"
    exit 1
fi
echo "reported as expected: a case that contradicts itself"

refused() { # WHAT PATTERN: configuring must fail and print PATTERN
    local status=0
    configure >"$output" 2>&1 || status=$?
    if ((status == 0)) || ! tr -s ' \n' ' ' <"$output" | grep -qE -- "$2"; then
        cat "$output"
        echo "FAILED: $1 was not refused"
        exit 1
    fi
    echo "refused as expected: $1"
}
cp -p "$tree/cases/cases.def" "$built/cases.def"
add_line cases/cases.def 'IC_CASE(absent_case)'
refused 'a line without its file' 'there is no cases/absent_case.c'
cp -p "$built/cases.def" "$tree/cases/cases.def"
add_line cases/cases.def 'IC_CASE(scratch_case)'
refused 'a name given twice' 'names scratch_case twice'
cp -p "$built/cases.def" "$tree/cases/cases.def"
add_line cases/cases.def 'IC_CASES(scratch_case)'
refused 'a malformed line' 'is not understood'
cp -p "$built/cases.def" "$tree/cases/cases.def"
cp -p "$tree/cases/scratch_case.c" "$tree/cases/idle_case.c"
configure | tee "$output"
grep -q 'cases/idle_case.c is not built' "$output"
echo "a case and a solver are one file and one line each, a scene is one file, a default tolerance one line"
