#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-tidy.sh [--changed | FILE...]
#
# clang-tidy by .clang-tidy, over these files; by default over all. --changed: those that differ from the
# commit before HEAD or are not committed yet, and for a header the file of its name; when settings are among them or
# git cannot tell, a sixth of all, which sixth by HEAD: all take minutes, and are for `./run test --full`. Needs
# build/compile_commands.json of a build with IC_TESTS; what is not built here is not in it, and left out.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mapfile -t all < <(tools/list-files.sh '*.c' '*.cpp' | grep -v '^tools/' | while IFS= read -r file; do
    ! grep -qF "/$file\"" build/compile_commands.json || echo "$file"
done)
files=("$@")
if [[ ${1-} == --changed ]]; then
    files=()
    head=$(git rev-parse -q --verify HEAD 2>/dev/null || echo 0)
    for ((i = 16#${head:0:4} % 6; i < ${#all[@]}; i += 6)); do files+=("${all[i]}"); done
    if git rev-parse -q --verify HEAD~1 >/dev/null 2>&1; then
        changed=$(git -c core.quotePath=off diff --name-only HEAD~1 &&
            git -c core.quotePath=off ls-files --others --exclude-standard)
        if ! grep -qE '\.cmake$|^\.clang-tidy$|^CMake' <<<"$changed"; then
            mapfile -t files < <(comm -12 <(printf '%s\n' "${all[@]}" | sort) \
                <(printf '%s\n' "$changed" | sed 's/\.h$/.c/' | sort -u))
        fi
    fi
elif (($# == 0)); then
    files=("${all[@]}")
fi
echo "clang-tidy: ${#files[@]} of ${#all[@]} files"
((${#files[@]})) || exit 0
printf '%s\0' "${files[@]}" | xargs -0 -P "$(nproc)" -n 1 clang-tidy -p build --quiet \
    2> >(grep -vE '^[0-9]+ warnings? generated\.$' >&2)
