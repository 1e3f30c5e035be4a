#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/docs.sh [FOLDER]: implements ./run docs.
#
# Generates the reference of the public header with Doxygen, in FOLDER/html (default: build/docs). A
# warning is an error: every declaration must be documented.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
folder=${1-build/docs}
mkdir -p "$folder"
version=$(sed -n 's/^ *VERSION \([0-9.]*\)$/\1/p' CMakeLists.txt)
{
    cat docs/Doxyfile
    echo "PROJECT_NUMBER = $version"
    echo "OUTPUT_DIRECTORY = \"$folder\""
} | doxygen -
echo "$folder/html/index.html"
