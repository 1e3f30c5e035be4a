#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/build.sh [--configure-only] PRESET [CMAKE-OPTION...]
#
# Configures a preset of CMakePresets.json if necessary, and builds it. With options, or when the
# presets have changed, it configures again. A build folder that was copied or moved with its tree
# is removed first. Prints nothing when everything is up to date.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"

configure_only=0
if [[ ${1-} == --configure-only ]]; then
    configure_only=1
    shift
fi
preset=$1
shift
folder=build
[[ $preset == release ]] || folder=build-$preset

cache=$folder/CMakeCache.txt
if [[ -f $cache ]] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$cache"; then
    rm -rf "$folder"
fi
if (($#)) || [[ ! -f $folder/build.ninja || CMakePresets.json -nt $folder/build.ninja ]]; then
    mkdir -p "$folder"
    if ! cmake --preset "$preset" "$@" >"$folder/configure.log" 2>&1; then
        cat "$folder/configure.log" >&2
        exit 3
    fi
fi
((configure_only)) && exit
cmake --build "$folder" 2>&1 | { grep --line-buffered -vE '^ninja: no work to do|Re-checking globbed' || true; }
