#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-includes.sh [FOLDER]      checks who includes whom, and who names cases, in FOLDER (default: this project)
# tools/check-includes.sh --self-test   plants forbidden includes and names, each of which must be found
#
# Rules:
#  1. A project header is included in quotes and by its path from the root: "core/event_loop.h", or as
#     "impactcheck/impactcheck.h". It must exist.
#  2. A room includes only itself and the rooms that `rules` lists for it.
#  3. Rooms form no circle, neither in that table nor in the files; nor do the folders of a room, nor modules: X.c
#     and X.h are one module.
#  4. Ball arithmetic (FLINT, Arb, MPFR, GMP) is included in reference/ only, so that the reference shares no
#     numerical code; other rooms use it through reference/'s headers. tests/judge/number.h has MPFR's numbers for a second
#     method that judges the reference.
#  5. Other packages' solvers (SUNDIALS, Boost, GSL) and physics engines are included in adapters/ only.
#  6. Jansson is included in bench/, cli/, reports/ and validation/ only; CUnit in tests/ only; Google
#     Benchmark in bench/ only; NLopt in sweep/ only.
#     Headers of Linux and glibc are included in core/system.c and audit/common/confine.c only.
#  7. JSON is written by reports/json.h only.
#  8. No case and none of its states is named in a string of audit/, cli/ or reports/: a case says itself what they must
#     know of it. The names come from the files of cases/. `named` lists words that are meant otherwise, and examples in
#     help texts.
set -euo pipefail

# Rooms that each room may include. `header` is impactcheck.h. registry/registry.c may also read the lists of names: cases.def,
# laws.def, solvers.def, impact_maps.def, multi_impact_maps.def and adapters.def. tests and tests/fuzz are separate rooms. reports read results as data and
# include no room; validation and bench write theirs by reports/json.h.
rules='
header
core        header
cases       header
casefile    header core cases
solvers     header core
adapters    header core
registry    header core casefile
sweep       header core registry solvers
reference   header
validation  header core casefile registry cases solvers reference adapters sweep reports
fuzz        header core casefile registry cases solvers reference adapters sweep validation bench audit
tests       header core casefile registry cases solvers reference adapters sweep validation fuzz bench audit reports
bench       header core registry cases solvers reference adapters sweep validation reports
audit       header core casefile registry cases solvers reference adapters validation scenes
scenes
reports
cli         header core casefile registry cases solvers reference adapters sweep validation bench audit reports
scratch     header audit
python      header core registry audit cli
'

# FILES NAME WHY: strings of these files may hold that name of a case or of a state.
named='
cli/certify.c                   ball      an example in its help
cli/list.c                      roller    an example in its help
cli/verify.c                    roller    an example in its help
reports/sketch.c                ball      a shape of sketches
audit/solver/trap_ball.c        ball      a variant of the traps
audit/traps/*                   ball      the same
audit/traps/*                   u1        a state of a trap
audit/trajectory/checks/impact_*  vx      a parameter of planar impacts, as the public header lists them
audit/trajectory/checks/impact_*  vy      the same
audit/trajectory/input/impact_*   vx      the same
audit/trajectory/input/impact_*   vy      the same
audit/scene/scene_file.h        vx        a quantity of a row
audit/scene/scene_file.h        vy        the same
audit/scene/scene_file.h        vz        the same
*                               command   a word
*                               hold      a word
*                               step      a word
'

# Greek letters, spelled out, are letters like others.
greek=alpha,beta,gamma,delta,epsilon,zeta,eta,theta,iota,kappa,lambda,mu,nu,xi,pi,rho,sigma,tau,phi,chi,psi,omega

names_of_cases() { # FOLDER: "case NAME" or "state NAME", a line each, of all cases; states of one letter are no names
    local files
    mapfile -t files < <(find "$1/cases" -maxdepth 1 \( -name '*.c' -o -name '*.yaml' \))
    awk '
        FNR == 1 { of_states = of_case = 0 }
        /^static const ic_state states\[\]/ { of_states = 1 }
        of_states && FILENAME ~ /c$/ {
            for (line = $0; match(line, /\{"[^"]+"/); line = substr(line, RSTART + RLENGTH))
                if (RLENGTH > 4) print "state", substr(line, RSTART + 2, RLENGTH - 3)
        }
        /^\};/ || /\}\};$/ { of_states = 0 }
        /^const ic_case ic_case_/ { of_case = 1 }
        of_case && match($0, /\.name = "[^"]+"/) { print "case", substr($0, RSTART + 9, RLENGTH - 10); of_case = 0 }
        FILENAME !~ /yaml$/ { next }
        /^name:/ { print "case", $2 }
        /^[a-z]/ { of_states = /^states:/ }
        of_states && match($0, /^  [A-Za-z_0-9]+:/) && RLENGTH > 4 { print "state", substr($0, 3, RLENGTH - 3) }
    ' "${files[@]}" | grep -vxE "state (${greek//,/|})" | sort -u
}

check_names() { # FOLDER: prints each string in audit/, cli/ and reports/ that names a case or a state; status 1 if any does
    # shellcheck disable=SC2016 # the program of awk
    (cd "$1" && find audit cli reports -name '*.[ch]' | sort | xargs awk -v names="$(names_of_cases "$1")" -v named="$named" '
        function like(path, pattern) {
            if (pattern !~ /\*$/) return path == pattern
            return index(path, substr(pattern, 1, length(pattern) - 1)) == 1
        }
        function is_meant(name,   i) {
            for (i = 1; i <= n_meant; i++) if (meant[i] == name && like(FILENAME, files[i])) return 1
            return 0
        }
        # A name with a hyphen is none of the language: it is sought anywhere; others alone, or before a preset.
        function names_case(text, name,   before, at) {
            if (text == name || (name ~ /-/ && index(text, name))) return 1
            at = index(text, name "/")
            before = at > 1 ? substr(text, at - 1, 1) : " "
            return at && before !~ /[A-Za-z0-9_-]/
        }
        function look(text,   i) {
            for (i = 1; i <= n; i++) {
                if (is_meant(name[i]) || (kind[i] == "state" ? text != name[i] : !names_case(text, name[i]))) continue
                printf "%s:%d: \"%s\" names the %s %s\n", FILENAME, FNR, text, kind[i], name[i]
                bad = 1
            }
        }
        BEGIN {
            n = split(names, lines, "\n")
            for (i = 1; i <= n; i++) { split(lines[i], words, " "); kind[i] = words[1]; name[i] = words[2] }
            split(named, lines, "\n")
            for (i in lines) if (split(lines[i], words, " ") > 1) { files[++n_meant] = words[1]; meant[n_meant] = words[2] }
        }
        FNR == 1 { comment = 0 }
        /^[ \t]*#[ \t]*include/ { next }
        {
            rest = $0
            while (rest != "") {
                if (comment) {
                    if (!match(rest, /\*\//)) break
                    comment = 0
                    rest = substr(rest, RSTART + 2)
                } else if (match(rest, /\/\*|"([^"\\]|\\.)*"/)) {
                    token = substr(rest, RSTART, RLENGTH)
                    rest = substr(rest, RSTART + RLENGTH)
                    if (token == "/*") comment = 1
                    else look(substr(token, 2, length(token) - 2))
                } else break
            }
        }
        END { exit bad }
    ') || return 1
}

check() { # FOLDER RULES: prints a line for each violation; status 1 if there is any
    local root=$1 table=$2 files room edges modules folders wrong=0
    files=$(cd "$root" && for room in include core registry cases scenes solvers reference adapters sweep validation bench audit \
        reports cli tests tools/scratch; do
        [[ ! -d $room ]] || find "$room" -name '*.[ch]' -o -name '*.def' -o -name '*.cpp' -o -name '*.hpp'
    done | sort)
    if [[ -z $files ]]; then
        echo "$root: no source found"
        return 1
    fi
    edges=$(mktemp) modules=$(mktemp) folders=$(mktemp)
    # shellcheck disable=SC2086 # names of source files have no blanks
    (cd "$root" && awk -v table="$table" -v edges="$edges" -v modules="$modules" -v folders="$folders" '
        function room_of(path) {
            if (path ~ /^include\/|^impactcheck\//) return "header"
            if (path ~ /^tools\/scratch\//) return "scratch"
            if (path ~ /^tests\/fuzz\// && path !~ /test_/) return "fuzz"
            sub(/\/.*/, "", path)
            return path
        }
        function module_of(path) {
            sub(/[.][a-z]+$/, "", path)
            return path
        }
        function folder_of(path) {
            sub(/\/[^\/]*$/, "", path)
            return path
        }
        function exists(path,   line, status) {
            status = (getline line < path)
            close(path)
            return status >= 0
        }
        function wrong(text) {
            printf "%s:%d: %s\n", FILENAME, FNR, text
            bad = 1
        }
        function system_header(name) {
            if (exists(name) || exists("include/" name))
                wrong("<" name "> is a header of this project: include it in quotes")
            if (room != "reference" && (name ~ /^flint\// || name ~ ball_arithmetic) && FILENAME name != "tests/judge/number.hmpfr.h")
                wrong("<" name ">: ball arithmetic is included in reference/ only")
            if (name ~ /^(cvodes?|arkode|ida|kinsol|nvector|sun[a-z]*|boost|gsl)\// && room != "adapters")
                wrong("<" name ">: solvers of other packages are included in adapters/ only")
            if (name ~ engine && room != "adapters")
                wrong("<" name ">: physics engines are included in adapters/ only")
            if (name ~ /^jansson/ && room !~ /^(bench|cli|reports|validation|tests)$/)
                wrong("<" name ">: Jansson is included in bench/, cli/, reports/ and validation/ only")
            if (name ~ /^benchmark\// && room != "bench")
                wrong("<" name ">: Google Benchmark is included in bench/ only")
            if (name ~ /^nlopt/ && room != "sweep")
                wrong("<" name ">: NLopt is included in sweep/ only")
            if (name ~ /^(linux\/|sys\/(prctl|syscall|sysinfo|auxv|mount)[.]|(malloc|sched|execinfo|link|features)[.]h)/ && FILENAME !~ /^(core\/system|audit\/common\/confine)[.]c$|^tests\//)
                wrong("<" name ">: what POSIX does not have is included in core/system.c and audit/common/confine.c only")
            if (name ~ /^CUnit\// && FILENAME !~ /^tests\//)
                wrong("<" name ">: CUnit is included in tests/ only")
        }
        function project_header(name,   target) {
            if (!(exists(name) && name ~ /\//) && !exists("include/" name)) {
                wrong("\"" name "\" is not a path from the root of the project")
                return
            }
            if (name ~ /(^|\/)\.\.?\/|^include\//) {
                wrong("\"" name "\": write the path from the root, and \"impactcheck/impactcheck.h\"")
                return
            }
            if (FILENAME == "registry/registry.c" && name ~ /^(cases\/(cases|laws\/laws)|solvers\/(solvers|impact_maps|multi_impact_maps)|adapters\/adapters)[.]def$/)
                return
            target = room_of(name)
            if (name !~ /[.]def$/) { # a list of names is no module
                if (module_of(name) != module_of(FILENAME)) print module_of(FILENAME), module_of(name) > modules
                if (target == room && folder_of(name) != folder_of(FILENAME))
                    print folder_of(FILENAME), folder_of(name) > folders
            }
            if (target == room) return
            print room, target > edges
            if (!((room, target) in allowed)) wrong(room " may not include " target " (\"" name "\")")
        }
        BEGIN {
            ball_arithmetic = "^(a[cr]b|a[cr]f|mag|fmp[qrz]|flint|bool_mat|bernoulli|partitions|nmod|" \
                              "ulong_extras|gmp|mpfr|mpf2mpfr)[a-z0-9_]*[.]h$"
            engine = "^((ode|chipmunk|mujoco|siconos|bullet|box2d|simbody|dart)/|bt[A-Z]|Simbody[.]h|SimTK)"
            n = split(table, lines, "\n")
            for (i = 1; i <= n; i++) {
                m = split(lines[i], words, " ")
                for (j = 2; j <= m; j++) allowed[words[1], words[j]] = 1
            }
        }
        FNR == 1 { room = room_of(FILENAME) }
        /^[ \t]*#[ \t]*(include|import|include_next)/ {
            name = $0
            sub(/^[ \t]*#[ \t]*[a-z_]+[ \t]*/, "", name)
            if (name ~ /^<[^>]+>/) {
                sub(/^</, "", name)
                sub(/>.*/, "", name)
                system_header(name)
            } else if (name ~ /^"[^"]+"/) {
                sub(/^"/, "", name)
                sub(/".*/, "", name)
                project_header(name)
            } else {
                wrong("a computed include cannot be checked: " $0)
            }
        }
        /(^|[^a-z_])json_dump[a-z_]* *\(/ && FILENAME !~ /^tests\// { wrong("JSON is written by reports/json.h only") }
        END { exit bad }
    ' $files) || wrong=1

    local what loop
    for what in "rooms, by the table" "rooms" "folders" "modules"; do
        loop=$(case $what in
        *table) awk '{ for (j = 2; j <= NF; j++) print $1, $j }' <<<"$table" ;;
        rooms) cat "$edges" ;;
        folders) cat "$folders" ;;
        modules) cat "$modules" ;;
        esac | { tsort 2>&1 >/dev/null || true; } | sed -n 's/^tsort: \([^ ]*\)$/\1/p' | sort -u | paste -sd' ')
        if [[ $loop ]]; then
            echo "$what that include each other in a circle: $loop"
            wrong=1
        fi
    done
    rm -f "$edges" "$modules" "$folders"
    return "$wrong"
}

self_test() {
    local tree i failures=0 planted=()
    tree=$(mktemp -d)
    # shellcheck disable=SC2064 # expanded now
    trap "rm -rf '$tree'" EXIT

    clean_tree() {
        rm -rf "${tree:?}"/*
        (cd "$tree" && mkdir -p include/impactcheck core registry cases scenes solvers reference adapters sweep validation tests/fuzz \
            audit bench reports cli tools/scratch)
        echo '#include <stddef.h>' >"$tree/include/impactcheck/impactcheck.h"
        local room
        for room in core registry cases scenes solvers reference adapters sweep validation audit bench reports cli; do
            echo '#include <stdio.h>' >"$tree/$room/part.h"
            printf '#include "%s/part.h"\n' "$room" >"$tree/$room/part.c"
        done
        echo '#include "impactcheck/impactcheck.h"' >"$tree/tools/scratch/scratch_case.c"
        : >"$tree/cases/cases.def"
        : >"$tree/solvers/solvers.def"
        : >"$tree/solvers/impact_maps.def"
        : >"$tree/solvers/multi_impact_maps.def"
        mkdir -p "$tree/cases/laws"
        : >"$tree/cases/laws/laws.def"
        : >"$tree/adapters/adapters.def"
        printf '#include "%s"\n' cases/cases.def cases/laws/laws.def solvers/solvers.def solvers/impact_maps.def solvers/multi_impact_maps.def adapters/adapters.def \
            >"$tree/registry/registry.c"
        printf '  #  include "core/part.h" /* why */\n#include "impactcheck/impactcheck.h"\n' \
            >"$tree/solvers/rk4.c"
        printf '#include <arb.h>\n#include <flint/fmpq.h>\n' >"$tree/reference/ball.c"
        printf '#include <jansson.h>\n#include "reference/part.h"\n#include "adapters/part.h"\n' \
            >"$tree/validation/verify.c"
        printf '#include <%s>\n' CUnit/CUnit.h jansson.h >"$tree/tests/test.c"
        printf '#include "%s/part.h"\n' validation bench >>"$tree/tests/test.c"
        printf '#include "%s/part.h"\n' audit bench sweep >"$tree/tests/fuzz/target.c"
        : >"$tree/tests/part.h"
        printf '#include "validation/part.h"\n#include <jansson.h>\n#include <benchmark/benchmark.h>\n' \
            >"$tree/bench/micro.cpp"
        printf '#include <jansson.h>\n#include "validation/part.h"\n#include "reports/part.h"\n' \
            >"$tree/cli/main.c"
    }

    reject() { # FILE LINE MESSAGE [RULES]: with LINE in FILE, MESSAGE must be printed
        clean_tree
        for ((i = 0; i < ${#planted[@]}; i += 2)); do
            mkdir -p "$(dirname "$tree/${planted[i]}")"
            printf '%s\n' "${planted[i + 1]}" >>"$tree/${planted[i]}"
        done
        planted=()
        printf '%s\n' "$2" >>"$tree/$1"
        local said
        if said=$(check "$tree" "${4-$rules}") || [[ $said != *"$3"* ]]; then
            echo "self-test: not found: $2 in $1 (output: ${said:-none})"
            failures=$((failures + 1))
        fi
    }

    clean_tree
    if ! check "$tree" "$rules"; then
        echo "self-test: a correct tree was rejected"
        failures=$((failures + 1))
    fi
    reject cases/part.c '#include "solvers/part.h"' "cases may not include solvers"
    reject cases/part.c '#include <sys/prctl.h>' "<sys/prctl.h>: what POSIX does not have"
    reject cases/part.c '#include "core/part.h"' "cases may not include core"
    reject cases/part.h '#include "reference/part.h"' "cases may not include reference"
    reject solvers/rk4.c '#include "cases/part.h"' "solvers may not include cases"
    reject solvers/rk4.c '#include "cases/cases.def"' "solvers may not include cases"
    reject solvers/rk4.c '#include "reference/part.h"' "solvers may not include reference"
    reject reference/ball.c '#include "core/part.h"' "reference may not include core"
    reject reference/ball.c '#include "solvers/part.h"' "reference may not include solvers"
    reject core/part.c '#include "cases/cases.def"' "core may not include cases"
    reject core/part.c '#include "solvers/impact_maps.def"' "core may not include solvers"
    reject cases/part.c '#include "solvers/impact_maps.def"' "cases may not include solvers"
    reject registry/registry.c '#include "solvers/part.h"' "registry may not include solvers"
    reject adapters/part.c '#include "solvers/part.h"' "adapters may not include solvers"
    reject sweep/part.c '#include "cases/part.h"' "sweep may not include cases"
    reject core/part.c '#include "sweep/part.h"' "core may not include sweep"
    reject validation/verify.c '#include "cli/part.h"' "validation may not include cli"
    reject validation/verify.c '#include "bench/part.h"' "validation may not include bench"
    reject tests/test.c '#include "cli/part.h"' "tests may not include cli"
    reject tests/fuzz/target.c '#include "cli/part.h"' "fuzz may not include cli"
    reject tests/fuzz/target.c '#include "tests/part.h"' "fuzz may not include tests"
    reject sweep/part.c '#include "reports/part.h"' "sweep may not include reports"
    reject bench/part.c '#include "cli/part.h"' "bench may not include cli"
    reject reports/part.c '#include "validation/part.h"' "reports may not include validation"
    reject include/impactcheck/impactcheck.h '#include "core/part.h"' "header may not include core"
    reject tools/scratch/scratch_case.c '#include "core/part.h"' "scratch may not include core"
    reject core/part.c '#include "part.h"' "not a path from the root"
    reject core/part.c '#include "impactcheck.h"' "not a path from the root"
    reject core/part.c '#include "core/absent.h"' "not a path from the root"
    reject core/part.c '#include "core/../core/part.h"' "write the path from the root"
    reject core/part.c '#include "include/impactcheck/impactcheck.h"' "write the path from the root"
    reject core/part.c '#include <core/part.h>' "include it in quotes"
    reject core/part.c '#include <impactcheck/impactcheck.h>' "include it in quotes"
    reject core/part.c '#include PART' "cannot be checked"
    reject validation/verify.c '#include <arb.h>' "in reference/ only"
    reject solvers/rk4.c '#include <acb_poly.h>' "in reference/ only"
    reject core/part.h '#	include <flint/flint.h>' "in reference/ only"
    reject cli/main.c '#include <mpfr.h>' "in reference/ only"
    reject tests/test.c '#include <mpfr.h>' "in reference/ only"
    reject core/part.c '#include <jansson.h>' "Jansson is included in"
    reject reference/ball.c '#include <jansson.h>' "Jansson is included in"
    reject validation/verify.c '#include <CUnit/Basic.h>' "CUnit is included in"
    reject solvers/rk4.c '#include <gsl/gsl_odeiv2.h>' "in adapters/ only"
    reject core/part.c '#include <boost/numeric/odeint.hpp>' "in adapters/ only"
    reject validation/verify.c '#include <cvode/cvode.h>' "in adapters/ only"
    reject audit/part.c '#include <ode/ode.h>' "physics engines are included in adapters/ only"
    reject audit/part.c '#include <btBulletDynamicsCommon.h>' "physics engines are included in adapters/ only"
    reject validation/verify.c '#include <benchmark/benchmark.h>' "in bench/ only"
    reject cli/main.c '#include <nlopt.h>' "in sweep/ only"
    reject cli/main.c 'good = json_dumpf(root, stream, 0) == 0;' "JSON is written by reports/json.h only"
    reject_name() { # FILE LINE: with LINE in FILE, a name must be found; without LINE: none may be
        clean_tree
        printf '%s\n' 'static const ic_state states[] = {' '    {"x", "m", "", "1"}, {"x_f", "m", "", "1"},' '};' \
            'const ic_case ic_case_part = {' '    .name = "vibratory-roller",' '};' >>"$tree/cases/part.c"
        printf '%s\n' 'name: ball' 'states:' '  y_f: {unit: m}' 'flow:' '  z_f: 0' >"$tree/cases/other.yaml"
        printf '%s\n' "$2" >>"$tree/$1"
        local said status=0
        said=$(check_names "$tree") || status=$?
        if [[ $status == "$3" ]]; then return; fi
        echo "self-test: names in $1: $2: status $status, $3 is right (said: ${said:-nothing})"
        failures=$((failures + 1))
    }
    reject_name cli/main.c 'x = is(name, "ball");' 1
    reject_name cli/main.c 'x = is(name, "ball/C1");' 1
    reject_name reports/part.c 'print("as vibratory-roller does");' 1
    reject_name audit/part.c '/* about */ x = find("x_f"); /* the state */' 1
    reject_name audit/part.c 'x = find("a", "x_f");' 1
    reject_name audit/part.c 'print("ball arithmetic, a football/");  /* "ball" */' 0
    reject_name audit/part.c 'x = find("y_f");' 1
    reject_name audit/part.c 'x = find("x");' 0
    reject_name audit/part.c 'x = find("z_f");' 0
    local more="$rules core solvers"
    reject core/part.c '#include "solvers/part.h"' "rooms that include each other in a circle: core solvers" "$more"
    reject core/part.c '#include "core/part.h"' "rooms, by the table that include each other in a circle: core solvers" "$more"
    plant() { # FILE LINE: one more include in what the next `reject` checks
        planted+=("$1" "$2")
    }
    plant core/other.h '#include "core/part.h"'
    reject core/part.c '#include "core/other.h"' "modules that include each other in a circle: core/other core/part"
    plant core/deep/a.h '#include "core/part.h"'
    plant core/deep/b.h ''
    reject core/other.c '#include "core/deep/b.h"' "folders that include each other in a circle: core core/deep"
    rm -rf "$tree"

    if ((failures)); then
        echo "self-test: $failures failed"
        return 1
    fi
    echo "self-test: every planted include and name was found"
}

case ${1-} in
--self-test) self_test ;;
-*)
    echo "tools/check-includes.sh: unknown option $1" >&2
    exit 2
    ;;
*)
    root=${1-$(dirname "${BASH_SOURCE[0]}")/..}
    wrong=0
    check "$root" "$rules" || wrong=1
    check_names "$root" || wrong=1
    ((!wrong)) || exit 1
    echo "includes follow the rules, and no case is named outside its room"
    ;;
esac
