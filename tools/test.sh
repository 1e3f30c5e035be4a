#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/test.sh [--full] [STAGE...]: implements ./run test; with names of stages, runs the build and
# these alone.
#
# Stages run independently, as many at once as there are processors; their output goes to
# build/test-logs/. The last lines of a failed stage are shown when it ends. At the end follow a
# table and `N passed, N failed`, which counts stages and unit tests. Files that the tests leave behind are a failure.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 3

full=0
if [[ ${1-} == --full ]]; then
    full=1
    shift
fi
if [[ ${1-} == -* ]]; then
    echo "./run test: unknown option \"$1\"; the only option is --full" >&2
    exit 2
fi
# the stages are the calls of `stage` below
mapfile -t names < <(sed -n 's/.*\bstage "\([^"]*\)" .*/\1/p' tools/test.sh)
declare -A wanted=()
known=$(printf '|%s|' "${names[@]}")
for name; do
    if [[ $known != *"|$name|"* ]]; then
        echo "./run test: unknown stage \"$name\"; the stages are: $(printf '"%s" ' "${names[@]}")" >&2
        exit 2
    fi
    wanted[$name]=1
done

# Files that git does not know, but for builds: tests leave none behind.
unknown_files() {
    git status --porcelain --ignored 2>/dev/null | grep -E '^(\?\?|!!)' | grep -vE '^!! build[^/]*/' || true
}
unknown_before=$(unknown_files)
export PYTHONDONTWRITEBYTECODE=1

logs=build/test-logs
rm -rf "$logs"
mkdir -p "$logs"
passed=0 failed=0 table=()
longest=$((full ? 7200 : 900)) # seconds that a stage may take
slots=1               # number of stages that run at once
declare -A running=() # index and name of each stage, by process
trap 'kill "${!running[@]}" 2>/dev/null; exit 130' INT TERM

# Starts a stage as soon as a slot is free.
stage() { # NAME COMMAND...
    local name=$1 log=$logs/${1// /-}.log
    shift
    ((${#wanted[@]} == 0)) || [[ $name == build || ${wanted[$name]-} ]] || return 0
    while ((${#running[@]} >= slots)); do await_stage; done
    (
        begin=$EPOCHREALTIME
        set -m # process groups, which can be ended as a whole
        (
            set -e
            "$@"
        ) </dev/null >"$log" 2>&1 &
        work=$!
        {
            sleep "$longest"
            echo "stage \"$name\" has not ended within $longest s" >>"$log"
            kill -- "-$work"
        } &
        watch=$!
        trap 'kill -- "-$work" "-$watch" 2>/dev/null; exit 130' INT TERM
        wait "$work"
        status=$?
        kill -- "-$watch"
        {
            echo "$(((${EPOCHREALTIME/./} - ${begin/./}) / 100000))" # tenths of a second
            times                                                    # second line: user and system time of its children
        } >"$log.time"
        exit "$status"
    ) 2>/dev/null & # without bash's notices of ended jobs
    running[$!]="${#table[@]} $name"
    table+=("$name")
    ((slots > 1)) || await_stage
}

await_stage() {
    local pid status index name log seconds busy
    wait -n -p pid "${!running[@]}"
    status=$?
    read -r index name <<<"${running[$pid]}"
    unset "running[$pid]"
    log=$logs/${name// /-}.log
    seconds=0 busy=0
    [[ ! -e $log.time ]] || { read -r seconds && busy=$(awk -F '[m s]+' 'NR == 2 { printf "%.0f", 60 * ($1 + $3) + $2 + $4 }'); } <"$log.time"
    rm -f "$log.time"
    seconds=$((seconds / 10)).$((seconds % 10))
    if ((status == 0)); then
        table[index]=$(printf '%-28s ok      %7s s, %4s s of processors' "$name" "$seconds" "$busy")
        passed=$((passed + 1))
        echo "${table[index]}"
    else
        table[index]=$(printf '%-28s FAILED  %7s s, %4s s of processors  %s' "$name" "$seconds" "$busy" "$log")
        failed=$((failed + 1))
        echo "${table[index]}, exit status $status:"
        tail -n 60 "$log" | sed 's/^/    | /'
    fi
}

await_stages() {
    while ((${#running[@]})); do await_stage; done
}

# Adds the numbers of CUnit's summary in the log of a stage.
count_unit_tests() {
    local more_passed more_failed
    read -r more_passed more_failed < <(
        awk '$1 == "tests" && NF == 6 { ok += $4; bad += $5 } END { print ok + 0, bad + 0 }' "$1"
    )
    passed=$((passed + more_passed))
    failed=$((failed + more_failed))
}

# Removes programs of an earlier build, which must not be tested if this build fails.
build_with_tests() {
    rm -f build/impactcheck build/impactcheck-tests
    tools/build.sh release -D IC_TESTS=ON -D IC_WERROR=ON
}

check_scripts() {
    tools/list-files.sh '*.sh' run .ci/run | xargs -d '\n' shellcheck
    bench/peers/today.py --self-test
    tools/make-site.py --self-test
}

check_includes() {
    tools/check-includes.sh --self-test
    tools/check-includes.sh
}

check_size() {
    tools/check-size.sh --self-test
    tools/check-size.sh
}

check_comments() {
    tools/check-comments.py --self-test
    tools/check-comments.py
}

check_mutants() {
    tools/check-mutants.sh --self-test
    tools/check-text-mutants.sh --self-test
}

# Results of the planted engine, in the place of another.
engines_planted() { # FOLDER
    local there
    mkdir -p "$1"
    there=$(mktemp -d)
    cp build/impactcheck "$there"
    cp build/impactcheck-engine-planted "$there/impactcheck-engine-chipmunk"
    "$there/impactcheck" audit --engine chipmunk --scenes ball-on-ground,ball-at-rest,sliding-direction --json >"$1/planted.json" || true
    rm -r "$there"
}

# Checks the pages of results that take less than a second, and those of one machine.
report_in_browser() {
    mkdir -p build/report-test/results
    build/impactcheck verify 'bouncing-ball*' --quiet --json build/report-test/results/verify.json
    engines_planted build/report-test/results/engines
    tools/report.sh --quick "$PWD/build/report-test/results" "$PWD/build/report-test/pages"
    build/impactcheck report examples/machines/stops.yaml --out build/report-test/own --quiet
    tools/check-report.sh build/report-test/pages build/report-test/own
}

# Writes the pages of ./run verify. The README shows its last line, with numbers that are right to 3 %.
verify_with_pages() {
    local said shown
    mkdir -p build/results
    said=$(build/impactcheck verify --json build/results/verify.json | tail -n 1)
    shown=$(grep -E '^All good: [0-9]+ passed' README.md)
    echo "README.md: $shown; now: $said"
    awk 'NR == 1 { was = $3 } END { exit !(NR == 2 && was > 0.97 * $3 && was < 1.03 * $3) }' <<<"$shown"$'\n'"$said"
    build/impactcheck verify --solver no_such 2>/dev/null && return 1 # planted
    tools/report.sh --quick build/results build/report
}

# Builds without warnings, and runs the light suites.
by_compiler() { # PRESET
    tools/build.sh "$1"
    IC_TESTS_GROUP=light tools/unit-tests.sh "build-$1"
}

# Light suites, and those of outside input, child processes and threads.
sanitized() {
    export ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=print_stacktrace=1
    tools/build.sh sanitize
    IC_TESTS_GROUP=light tools/unit-tests.sh build-sanitize
    local suite
    for suite in "audit of plugins" "audit of commands" "audit of trajectories" "batch" "sweep" "law certificates" "bench"; do
        IC_TEST_SUITE=$suite tools/unit-tests.sh build-sanitize
    done
    tools/check-commands.sh build-sanitize/impactcheck
}

under_valgrind() {
    local valgrind=(valgrind --quiet --error-exitcode=99 --leak-check=full
        "--errors-for-leak-kinds=definite,indirect" "--show-leak-kinds=definite,indirect")
    IC_TESTS_GROUP=light tools/unit-tests.sh build "${valgrind[@]}"
    tools/check-commands.sh build/impactcheck "${valgrind[@]}"
}

# Tests all optional packages in a separate build folder: solvers of other packages on some presets of each
# case, since they take twice as long as ours on all; GSL's in a separate program; sweeps by ranks of MPI; an
# engine in each language.
with_everything() {
    local peers peer subjects
    tools/build.sh everything
    IC_TESTS_GROUP=light tools/unit-tests.sh build-everything
    IC_TEST_SUITE=traps tools/unit-tests.sh build-everything
    IC_TESTS_GROUP=light IC_TEST_GSL=1 IC_TEST_PROGRAM=impactcheck-gsl-tests tools/unit-tests.sh build-everything
    mapfile -t peers < <(sed -n 's/^IC_PEER(\([a-z0-9_]*\), .*/\1/p' adapters/adapters.def)
    ((${#peers[@]}))
    for peer in "${peers[@]}"; do
        for subjects in 'roller/I/C' 'two-mass/example-1' 'planar-bar/kappa-1' 'bouncing-ball*' 'ball/*'; do
            build-everything/impactcheck-gsl verify "$subjects" --solver "$peer" --quiet
        done
    done
    if build-everything/impactcheck list solvers | grep '^gsl'; then return 1; fi # GSL's license differs
    bash tests/cli/test_cli.sh build-everything/impactcheck
    tools/check-commands.sh build-everything/impactcheck
    build-everything/impactcheck-benchmarks --benchmark_filter=root --benchmark_min_time=0.01
}

# 500 random problems, in a quarter of an hour on one processor.
judged_certificates() {
    local folder said proof
    folder=$(mktemp -d) said=build/test-logs/random-proofs
    build/impactcheck-judge --proofs "$folder"
    for proof in "$folder"/*; do echo "${proof##*/}: $(build/impactcheck-proof "$proof" 2>&1 | tail -n 1)"; done | tee "$said"
    rm -r "$folder"
    # the checker refuses what is too narrow for its own bits, but no event, jump or sign; in 134, guards are 1e-11 apart
    (($(grep -c ': accepted' "$said") > 250)) && ! grep -v ': accepted\|is too small$\|is not exact$\|^134: ' "$said" &&
        ! build/impactcheck-judge --draws 1 --plant 1e-20 # planted
}

# 2000 random machines, in some ten minutes on one processor.
judged_meaning() {
    build/impactcheck-meaning
    ! build/impactcheck-meaning --draws 12 --plant # planted
}

# The checker judges a proof of each preset, in some three minutes; planted: a list without a preset, one with a preset too many.
proofs_of_presets() {
    tools/check-preset-proofs.sh
    ! tools/check-preset-proofs.sh build/impactcheck build/impactcheck-proof /dev/null 'ball/hertz' &&
        ! tools/check-preset-proofs.sh build/impactcheck build/impactcheck-proof <(echo none bouncing-ball/lively) 'bouncing-ball/lively'
}

stage "build" build_with_tests
slots=$(nproc)
# Each commit tests a thirty-second of the faulty plugins and of the families of wrong rows; IC_TESTS_PART=0/1 tests all.
export IC_TESTS_PART=${IC_TESTS_PART:-$(($(git rev-list --count HEAD 2>/dev/null || echo 0) % 32))/32}
stage "tests of audits" env IC_TESTS_GROUP=audits tools/unit-tests.sh build
stage "tests of solvers" env IC_TESTS_GROUP=solvers tools/unit-tests.sh build
stage "light tests" env IC_TESTS_GROUP=light tools/unit-tests.sh build
changed=(--changed)
((!full)) || changed=()
# later versions lay out otherwise, and find what no one has looked at
same_clang=$(clang-format --version | grep -o 'version 14[.]' || true)
[[ ! $same_clang ]] || stage "clang-tidy" tools/check-tidy.sh "${changed[@]}"
stage "documentation" tools/check-docs.sh
stage "command line" bash tests/cli/test_cli.sh build/impactcheck
stage "gate" bash tests/cli/test_ci.sh build/impactcheck
stage "proofs" bash tests/cli/test_proof.sh build/impactcheck build/impactcheck-proof
stage "verify" verify_with_pages
stage "pages and completion" tools/check-pages.sh
stage "reports" tools/check-reports.sh
stage "reference" tools/check-api.sh
stage "cost baseline" tools/check-baseline.sh
stage "installed library" tools/check-install.sh
[[ ! $same_clang ]] || stage "cppcheck" tools/check-cppcheck.sh "${changed[@]}"
stage "commands" tools/check-commands.sh build/impactcheck
stage "resources" tools/check-resources.sh build "$( ((full)) && echo --full)"
stage "includes" check_includes
stage "size" check_size
stage "comments" check_comments
stage "papers" tools/check-papers.py
stage "tables of mutants" check_mutants
stage "scripts" check_scripts
[[ ! $same_clang ]] || stage "format" tools/check-format.sh
stage "release" tools/check-release.sh "$( ((full)) && echo --full)"
no_python=$(tools/check-python.sh --missing) || stage "Python" tools/check-python.sh "$( ((full)) && echo --full)"
if ((full)); then # longest first
    export CMAKE_BUILD_PARALLEL_LEVEL=1 # several stages build at once
    stage "coverage, gcc -O0" tools/check-coverage.sh
    if ((EUID == 0)); then stage "bare machine" tools/check-bare.sh; fi
    stage "sanitizers" sanitized
    stage "everything" with_everything
    stage "valgrind" under_valgrind
    stage "scratch case and solver" tools/check-scratch.sh
    stage "arm64" tools/check-arm64.sh
    stage "gcc -O3" by_compiler gcc-O3
    stage "clang -O0" by_compiler clang-O0
    stage "clang -O2" by_compiler clang-O2
    stage "clang -O3" by_compiler clang-O3
    stage "fuzzing" tools/check-fuzz.sh
    # the goal is 95: values of outputs, choices of starts and energies that nothing changes are not looked at yet
    stage "mutants of texts" tools/check-text-mutants.sh --sample 20 --jobs 1
    stage "false alarms" tools/check-alarms.sh
    stage "counter-values" tools/check-claims.sh
    stage "judged certificates" judged_certificates
    stage "proofs of presets" proofs_of_presets
    stage "judged meaning" judged_meaning
    if ((EUID == 0)); then stage "packages" tools/check-package.sh; fi
    stage "report in a browser" report_in_browser
    missing_libraries=$(tools/check-portable.sh --missing) || stage "other C libraries" tools/check-portable.sh
    stage "site" tools/make-site.py build/impactcheck build/site-test
    missing=$(tools/check-proofs.sh --missing) || stage "Coq proofs" tools/check-proofs.sh
fi
await_stages
for log in "$logs"/{tests-of-audits,tests-of-solvers,light-tests}.log; do
    [[ ! -e $log ]] || count_unit_tests "$log"
done

left=$(comm -13 <(sort <<<"$unknown_before") <(unknown_files | sort))
if [[ $left ]]; then
    failed=$((failed + 1))
    printf '\nThe tests have left files behind:\n%s\n' "$left"
fi

printf '\n'
printf '%s\n' "${table[@]}"
printf '\n%d passed, %d failed\n' "$passed" "$failed"
if ((full && EUID != 0)); then
    echo "Skipped, since they need root: a bare machine, packages on a bare machine."
fi
if [[ ! $same_clang ]]; then
    echo "Skipped, since they need the versions of Debian 12 (clang-format 14): clang-tidy, cppcheck, format."
fi
if [[ $no_python ]]; then
    echo "Skipped, since it needs $no_python (./run setup python): Python."
fi
if [[ ${missing_libraries-} ]]; then
    echo "Skipped, since they need $missing_libraries (./run setup portable): other C libraries."
fi
if [[ ${missing-} ]]; then
    echo "Skipped, since they need $missing (./run setup proof): Coq proofs."
fi
((failed == 0))
