#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-install.sh [BUILD-FOLDER]
#
# Installs a build (default: build) into a temporary folder, as a package would be, and uses it from
# there. Compares the symbols that the shared library exports with the public header, in both
# directions; builds examples/outside with CMake, shared and static, and with pkg-config, from a
# copy outside this tree, and runs it; checks the places of manual pages, completion, documents, examples and schemas,
# and makes a plugin of `impactcheck init` with what is installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
root=$PWD
build=$(cd "${1-build}" && pwd)

# shellcheck source=tools/failures.sh
. tools/failures.sh
stage=$scratch/stage

DESTDIR=$stage cmake --install "$build" >"$scratch/log" || {
    cat "$scratch/log"
    exit 1
}
prefix=$stage$(sed -n 's/^CMAKE_INSTALL_PREFIX:PATH=//p' "$build/CMakeCache.txt")
library=$(find "$prefix" -name 'libimpactcheck.so')
pkgconfig=$(dirname "$(find "$prefix" -name impactcheck.pc)")
export LD_LIBRARY_PATH=${library%/*}

# ---- symbols

# Functions declared in a header: a name and a parenthesis outside of comments, macros and fields of structs.
functions_of() { # HEADER
    gcc -fpreprocessed -dD -E -P -x c "$1" 2>/dev/null | grep -v '^#' | tr '\n' ' ' | sed 's/[;{}]/&\n/g' |
        grep -v '(\*' | grep -oE '\bic_[a-z_]+ *\(' | tr -d ' (' | grep -vE '^ic_(row_taker|handler)$' | sort -u
}
exported_by() { # LIBRARY
    nm -D --defined-only "$1" | awk '$2 != "A" { sub(/@.*/, "", $3); print $3 }' | sort -u
}
differing_symbols() { # HEADER LIBRARY: prints the symbols that only one of them has
    { diff <(functions_of "$1") <(exported_by "$2") || true; } |
        sed -n 's/^< /declared but not exported: /p; s/^> /exported but not declared: /p'
}
header=$prefix/include/impactcheck/impactcheck.h
difference=$(differing_symbols "$header" "$library")
[[ ! $difference ]] || wrong "$difference"
# planted: a function that is only declared, and one that is only exported
sed 's/^const char \*ic_version(void);/const char *ic_absent(void);/' "$header" >"$scratch/planted.h"
[[ $(differing_symbols "$scratch/planted.h" "$library") == *'not exported: ic_absent'*'not declared: ic_version'* ||
    $(differing_symbols "$scratch/planted.h" "$library") == *'not declared: ic_version'*'not exported: ic_absent'* ]] ||
    wrong "planted fault not found: functions that are only declared or only exported"
foreign=$(nm -g --defined-only "${library%.so}.a" | awk 'NF == 3 && $3 !~ /^ic_/ { print $3 }')
[[ ! $foreign ]] || wrong "libimpactcheck.a has symbols without the prefix ic_: $foreign"
readelf -d "$library" | grep -q 'SONAME.*libimpactcheck[.]so[.][0-9]*\]' || wrong "libimpactcheck.so has no soname with a version"
needed=$(readelf -d "$library" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | grep -vE '^(lib[cm]|ld-linux.*)[.]so' || true)
[[ ! $needed ]] || wrong "libimpactcheck.so needs more than the C library: $needed"

# ---- examples/outside

check_outside() { # NAME PROGRAM: runs it, and compares its output with that of the first
    if ! "$2" >"$scratch/$1.out" 2>"$scratch/$1.err"; then
        cat "$scratch/$1.out" "$scratch/$1.err"
        wrong "examples/outside, $1: it does not run, or solvers disagree"
    elif [[ $(grep -c '^rattle by' "$scratch/$1.out") -lt 4 ]] || ! grep -q '^bouncing-ball by midpoint: ok' "$scratch/$1.out"; then
        cat "$scratch/$1.out"
        wrong "examples/outside, $1: event tables are missing"
    else
        cmp "$scratch/$1.out" "$scratch/shared.out" || wrong "examples/outside, $1: another answer than by the shared library"
    fi
}
check_observers() { # NAME PROGRAM: events added at run time
    if ! "$2" >"$scratch/$1.observers" || [[ $(grep -c '^highest point\|^braking\|^caught' "$scratch/$1.observers") -ne 6 ]]; then
        cat "$scratch/$1.observers"
        wrong "examples/outside, $1: observers do not run, disagree, or miss events"
    fi
}
mkdir "$scratch/work"
cp -r "$root/examples/outside" "$scratch/work/shared"
cp -r "$root/examples/outside" "$scratch/work/make"
sed 's/impactcheck::impactcheck)/impactcheck::impactcheck-static)/' "$root/examples/outside/CMakeLists.txt" >"$scratch/static.txt"
cp -r "$root/examples/outside" "$scratch/work/static"
cp "$scratch/static.txt" "$scratch/work/static/CMakeLists.txt"
for kind in shared static; do
    if cmake -S "$scratch/work/$kind" -B "$scratch/work/$kind/build" -D CMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 &&
        cmake --build "$scratch/work/$kind/build" >>"$scratch/log" 2>&1; then
        check_outside "$kind" "$scratch/work/$kind/build/outside"
        check_observers "$kind" "$scratch/work/$kind/build/observers"
    else
        cat "$scratch/log"
        wrong "examples/outside is not built by CMake, $kind"
    fi
done
if readelf -d "$scratch/work/static/build/outside" | grep -q libimpactcheck; then
    wrong "examples/outside, static: it needs the shared library"
fi
# impactcheck.pc finds its prefix from its own place, which differs here from the configured prefix
if PKG_CONFIG_PATH=$pkgconfig make -C "$scratch/work/make" >"$scratch/log" 2>&1; then
    check_outside make "$scratch/work/make/outside"
    check_observers make "$scratch/work/make/observers"
else
    cat "$scratch/log"
    wrong "examples/outside is not built by pkg-config"
fi

# ---- a prefix chosen at installation

flags_of() { # PREFIX: pkg-config's flags of the library there, with resolved paths
    local flag
    for flag in $(PKG_CONFIG_PATH=$(dirname "$(find "$1" -name impactcheck.pc)") pkg-config --cflags --libs impactcheck); do
        case $flag in
        -[IL]*) printf '%s%s ' "${flag:0:2}" "$(readlink -m "${flag:2}")" ;;
        *) printf '%s ' "$flag" ;;
        esac
    done
}
follows() { # PREFIX
    [[ $(flags_of "$1") == "-I$1/include -L$(dirname "$(find "$1" -name libimpactcheck.so)") -limpactcheck " ]]
}
cmake --install "$build" --prefix "$scratch/chosen" >"$scratch/log"
follows "$scratch/chosen" || wrong "cmake --install --prefix: pkg-config says $(flags_of "$scratch/chosen")"
mv "$scratch/chosen" "$scratch/moved"
follows "$scratch/moved" || wrong "moved to another folder: pkg-config says $(flags_of "$scratch/moved")"
planted=$(find "$scratch/moved" -name impactcheck.pc)
sed -i 's|^prefix=.*|prefix=/usr/local|' "$planted"
! follows "$scratch/moved" || wrong "planted fault not found: a prefix that does not follow the file"

[[ ! -s $scratch/shared.out ]] || sed 's/^/    | /' "$scratch/shared.out" | tail -n 12

for file in man/man1/impactcheck.1 man/man1/impactcheck-run.1 bash-completion/completions/impactcheck zsh/vendor-completions/_impactcheck \
    doc/impactcheck/guide.md doc/impactcheck/README.md impactcheck/examples/plugin/mine.c; do
    [[ -s $prefix/share/$file ]] || wrong "share/$file is not installed"
done
"$prefix/bin/impactcheck" --version >/dev/null || wrong "the command does not run"
"$prefix/bin/impactcheck" check "$prefix/share/impactcheck/examples/machines/stops.yaml" --quiet || wrong "an installed example is refused"
for kind in case scene; do
    "$prefix/bin/impactcheck" schema "$kind" | cmp - "$prefix/share/impactcheck/schema/$kind.schema.json" || wrong "schema of a $kind: another one is installed"
done
cd "$scratch"
"$prefix/bin/impactcheck" init law | sed -n 's/^    //p' >commands
grep -qF -- "-I\"$prefix/include\" law.c" commands || wrong "init: not the installed header: $(head -n 1 commands)"
PATH=$prefix/bin:$PATH bash -e commands >log 2>&1 || wrong "init law: its commands fail: $(cat log)"

((failures == 0)) || exit 1
echo "the installed library agrees with its header and works outside the tree"
