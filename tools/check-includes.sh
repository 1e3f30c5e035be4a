#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-includes.sh [FOLDER]      who includes whom, in the tree of FOLDER (default: this project)
# tools/check-includes.sh --self-test   plants forbidden includes, each of which must be found
#
# Rules:
#  1. A project header is included in quotes and by its path from the root: "core/event_loop.h", or as
#     "impactcheck/impactcheck.h". It must exist.
#  2. A room includes itself and the rooms that `rules` gives it, nothing else.
#  3. Rooms form no cycle, neither in that table nor in what the files do.
#  4. Ball arithmetic (FLINT, Arb, MPFR, GMP) is included in reference/ only: the truth shares no numerical
#     code. Others see it through reference/'s headers.
#  5. Other packages' solvers (SUNDIALS, Boost, GSL) and physics engines are included in adapters/ only.
#  6. Jansson is included in bench/, cli/, reports/ and validation/ only; CUnit in tests/ only; Google
#     Benchmark in bench/ only; NLopt in sweep/ only.
set -euo pipefail

# The table of the design. `header` is impactcheck.h. registry/registry.c may also read the lists of names: cases.def,
# laws.def, solvers.def and impact_maps.def. tests and tests/fuzz are separate rooms. reports read results as data and
# include no room.
rules='
header
core        header
cases       header
solvers     header core
adapters    header core
registry    header core
sweep       header core registry
reference   header
validation  header core registry cases solvers reference adapters sweep
fuzz        header core registry cases solvers reference adapters sweep validation bench audit
tests       header core registry cases solvers reference adapters sweep validation fuzz bench audit reports
bench       header core registry cases solvers reference adapters sweep validation
audit       header core registry cases solvers reference adapters validation
reports
cli         header core registry cases solvers reference adapters sweep validation bench audit reports
scratch     header
'

check() { # FOLDER RULES: prints what is wrong, one line each; status 1 if anything is
    local root=$1 table=$2 files room edges wrong=0
    files=$(cd "$root" && for room in include core registry cases solvers reference adapters sweep validation bench audit \
        reports cli tests tools/scratch; do
        [[ ! -d $room ]] || find "$room" -name '*.[ch]' -o -name '*.def' -o -name '*.cpp' -o -name '*.hpp'
    done | sort)
    if [[ -z $files ]]; then
        echo "$root: no source found"
        return 1
    fi
    edges=$(mktemp)
    # shellcheck disable=SC2086 # names of source files have no blanks
    (cd "$root" && awk -v table="$table" -v edges="$edges" '
        function room_of(path) {
            if (path ~ /^include\/|^impactcheck\//) return "header"
            if (path ~ /^tools\/scratch\//) return "scratch"
            if (path ~ /^tests\/fuzz\// && path !~ /test_/) return "fuzz"
            sub(/\/.*/, "", path)
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
            if (room != "reference" && (name ~ /^flint\// || name ~ ball_arithmetic))
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
            if (name ~ /^CUnit\// && FILENAME !~ /^tests\//)
                wrong("<" name ">: CUnit is included in tests/ only")
        }
        function project_header(name,   target) {
            if (!(exists(name) && name ~ /\//) && !exists("include/" name)) {
                wrong("\"" name "\" is no path from the root of the project")
                return
            }
            if (name ~ /(^|\/)\.\.?\/|^include\//) {
                wrong("\"" name "\": write the path from the root, and \"impactcheck/impactcheck.h\"")
                return
            }
            if (FILENAME == "registry/registry.c" && name ~ /^(cases\/(cases|laws\/laws)|solvers\/(solvers|impact_maps))[.]def$/)
                return
            target = room_of(name)
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
                wrong("an include that is computed cannot be checked: " $0)
            }
        }
        END { exit bad }
    ' $files) || wrong=1

    local what loop
    for what in "the table" "the files"; do
        loop=$({
            if [[ $what == "the table" ]]; then
                awk '{ for (j = 2; j <= NF; j++) print $1, $j }' <<<"$table"
            else
                cat "$edges"
            fi
        } | tsort 2>&1 >/dev/null | sed -n 's/^tsort: \([a-z]*\)$/\1/p' | sort -u | paste -sd' ')
        if [[ $loop ]]; then
            echo "rooms that include each other in a cycle, by $what: $loop"
            wrong=1
        fi
    done
    rm -f "$edges"
    return "$wrong"
}

self_test() {
    local tree failures=0
    tree=$(mktemp -d)
    # shellcheck disable=SC2064 # the folder of now
    trap "rm -rf '$tree'" EXIT

    clean_tree() {
        rm -rf "${tree:?}"/*
        (cd "$tree" && mkdir -p include/impactcheck core registry cases solvers reference adapters sweep validation tests/fuzz \
            audit bench reports cli tools/scratch)
        echo '#include <stddef.h>' >"$tree/include/impactcheck/impactcheck.h"
        local room
        for room in core registry cases solvers reference adapters sweep validation audit bench reports cli; do
            echo '#include <stdio.h>' >"$tree/$room/part.h"
            printf '#include "%s/part.h"\n' "$room" >"$tree/$room/part.c"
        done
        echo '#include "impactcheck/impactcheck.h"' >"$tree/tools/scratch/scratch_case.c"
        : >"$tree/cases/cases.def"
        : >"$tree/solvers/solvers.def"
        : >"$tree/solvers/impact_maps.def"
        mkdir -p "$tree/cases/laws"
        : >"$tree/cases/laws/laws.def"
        printf '#include "%s"\n' cases/cases.def cases/laws/laws.def solvers/solvers.def solvers/impact_maps.def \
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

    reject() { # FILE LINE MESSAGE [RULES]: with LINE in FILE, MESSAGE must be among what is said
        clean_tree
        printf '%s\n' "$2" >>"$tree/$1"
        local said
        if said=$(check "$tree" "${4-$rules}") || [[ $said != *"$3"* ]]; then
            echo "self-test: not found: $2 in $1 (said: ${said:-nothing})"
            failures=$((failures + 1))
        fi
    }

    clean_tree
    if ! check "$tree" "$rules"; then
        echo "self-test: a tree without fault was rejected"
        failures=$((failures + 1))
    fi
    reject cases/part.c '#include "solvers/part.h"' "cases may not include solvers"
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
    reject sweep/part.c '#include "solvers/part.h"' "sweep may not include solvers"
    reject core/part.c '#include "sweep/part.h"' "core may not include sweep"
    reject validation/verify.c '#include "cli/part.h"' "validation may not include cli"
    reject validation/verify.c '#include "bench/part.h"' "validation may not include bench"
    reject tests/test.c '#include "cli/part.h"' "tests may not include cli"
    reject tests/fuzz/target.c '#include "cli/part.h"' "fuzz may not include cli"
    reject tests/fuzz/target.c '#include "tests/part.h"' "fuzz may not include tests"
    reject bench/part.c '#include "reports/part.h"' "bench may not include reports"
    reject bench/part.c '#include "cli/part.h"' "bench may not include cli"
    reject reports/part.c '#include "validation/part.h"' "reports may not include validation"
    reject include/impactcheck/impactcheck.h '#include "core/part.h"' "header may not include core"
    reject tools/scratch/scratch_case.c '#include "core/part.h"' "scratch may not include core"
    reject core/part.c '#include "part.h"' "no path from the root"
    reject core/part.c '#include "impactcheck.h"' "no path from the root"
    reject core/part.c '#include "core/absent.h"' "no path from the root"
    reject core/part.c '#include "core/../core/part.h"' "write the path from the root"
    reject core/part.c '#include "include/impactcheck/impactcheck.h"' "write the path from the root"
    reject core/part.c '#include <core/part.h>' "include it in quotes"
    reject core/part.c '#include <impactcheck/impactcheck.h>' "include it in quotes"
    reject core/part.c '#include PART' "cannot be checked"
    reject validation/verify.c '#include <arb.h>' "in reference/ only"
    reject solvers/rk4.c '#include <acb_poly.h>' "in reference/ only"
    reject core/part.h '#	include <flint/flint.h>' "in reference/ only"
    reject cli/main.c '#include <mpfr.h>' "in reference/ only"
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
    local more="$rules core solvers"
    reject core/part.c '#include "solvers/part.h"' "in a cycle, by the files: core solvers" "$more"
    reject core/part.c '#include "core/part.h"' "in a cycle, by the table: core solvers" "$more"
    rm -rf "$tree"

    if ((failures)); then
        echo "self-test: $failures failed"
        return 1
    fi
    echo "self-test: every planted include was found"
}

case ${1-} in
--self-test) self_test ;;
-*)
    echo "tools/check-includes.sh: no option $1" >&2
    exit 2
    ;;
*)
    root=${1-$(dirname "${BASH_SOURCE[0]}")/..}
    check "$root" "$rules"
    echo "includes go the right way"
    ;;
esac
