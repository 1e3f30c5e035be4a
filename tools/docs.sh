#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/docs.sh [FOLDER]: what ./run docs does.
#
# The reference of the public header by Doxygen, in FOLDER/html (default: build/docs). A warning is an error: what is declared is documented.
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
