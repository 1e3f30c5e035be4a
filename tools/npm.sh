#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/npm.sh SOURCE FOLDER
#
# Installs the packages of SOURCE/package-lock.json in FOLDER/node_modules, unless
# that has been done since the lock file changed. Exit status 3: npm is missing, or it failed.
set -euo pipefail
source=$(cd "$1" && pwd)
folder=$2
stamp=$folder/node_modules/installed-lock.json # npm ci removes node_modules first, and with it this file

if cmp -s "$source/package-lock.json" "$stamp"; then exit; fi
if ! command -v npm >/dev/null; then
    echo "npm.sh: npm is missing" >&2
    exit 3
fi
mkdir -p "$folder"
cp "$source/package.json" "$source/package-lock.json" "$source/.npmrc" "$folder/"
echo "npm.sh: installing packages of the npm registry" >&2
log=$(mktemp)
trap 'rm -f "$log"' EXIT
if ! (cd "$folder" && npm ci --ignore-scripts >"$log" 2>&1); then
    tail -n 20 "$log" >&2
    exit 3
fi
cp "$source/package-lock.json" "$stamp"
