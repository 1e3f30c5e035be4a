#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-portable.sh             holds the tree against another C library and another C++ library
# tools/check-portable.sh --missing   prints what is not installed; exit status 1: nothing is missing
#
# With musl's headers every C source of the command compiles without a warning; the library, linked statically with
# musl, runs examples/outside, whose exit status says whether its solvers agree. With libc++, what is C++ and has its
# libraries here compiles. Needs a build in build/. Part of `./run test --full`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/failures.sh
. tools/failures.sh

has_libcxx() { echo '#include <vector>' | clang++ -stdlib=libc++ -x c++ -fsyntax-only - 2>/dev/null; }
tell_missing check-portable portable "$({
    command -v musl-gcc >/dev/null || echo musl-tools
    has_libcxx || echo libc++-dev
} | paste -sd ' ')" "$@"

# The commands of the build for these objects, by musl's compiler into $scratch; headers of libraries come after those
# of C. -Wno-psabi: vectors in registers.
with_musl() { # PATTERN OPTIONS
    sed -nE 's/^ *"command": "(.*)",$/\1/p' build/compile_commands.json | sed 's/\\\(.\)/\1/g' | grep -E "$1" |
        sed -E "s#^[^ ]+#musl-gcc -Wno-psabi#; s# -isystem # -idirafter #g; s# -o CMakeFiles/([^ /]+)[^ ]*/([^/ ]+) # -o $scratch/\1-\2 #;
            s#\$# $2 -idirafter /usr/include -idirafter /usr/include/$(gcc -print-multiarch)#"
}
# shellcheck disable=SC2016 # the inner shell expands it
run_all() { xargs -d '\n' -P "$(nproc)" -n 1 bash -c 'cd build && eval "$0"'; }

with_musl ' -o CMakeFiles/ic_(core|laws|cases|solvers|registry_own)[.]dir' -O1 | run_all || wrong "the library does not compile with musl"
with_musl ' -o CMakeFiles/ic_(casefile|reference|sweep|validation|bench|audit|reports|cli|results)[.]dir' -fsyntax-only | run_all ||
    wrong "the command does not compile with musl"
if ((failures == 0)); then
    musl-gcc -static -std=c17 -D_XOPEN_SOURCE=700 -Iinclude -o "$scratch/outside" examples/outside/[!o]*.c "$scratch"/ic_*.o -lm
    "$scratch/outside" >"$scratch/said" || wrong "examples/outside does not run with musl, or its solvers disagree"
    grep -q '^bouncing-ball by midpoint: ok' "$scratch/said" || wrong "examples/outside with musl: no table of events"
fi
# planted: what only glibc has
echo '#include <malloc.h>
double f(void) { return mallinfo2().uordblks; }' >"$scratch/glibc.c"
! musl-gcc -fsyntax-only "$scratch/glibc.c" 2>/dev/null || wrong "a function of glibc was found with musl"

for file in adapters/odeint_dopri5.cpp bench/benchmarks.cpp; do
    library=$(sed -n 's/^#include <\(boost\/[a-z_\/]*[.]hpp\|benchmark[^>]*\)>.*/\1/p' "$file" | head -n 1)
    if echo "#include <$library>" | clang++ -stdlib=libc++ -x c++ -fsyntax-only - 2>/dev/null; then
        clang++ -stdlib=libc++ -std=c++17 -Wall -Wextra -Werror -I. -Iinclude -D_XOPEN_SOURCE=700 -fsyntax-only "$file" ||
            wrong "$file does not compile with libc++"
    else
        echo "$file: not looked at, since $library is not here"
    fi
done
((failures == 0)) && echo "compiles with musl and with libc++, and runs with musl"
