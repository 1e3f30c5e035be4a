#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-python.sh [--full]    tests the Python package with the build, and then as an installed wheel; --full:
#                                   with the notebooks and other slow tests
# tools/check-python.sh --missing   prints what is not installed; exit status 1: nothing is missing
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/failures.sh
. tools/failures.sh
python=/usr/bin/python3 # Debian's, which has Debian's packages

list_missing() {
    local name
    if [[ ! -x $python ]]; then
        echo python3
        return
    fi
    for name in cffi numpy pandas pytest setuptools wheel pip; do
        "$python" -c "import $name" 2>/dev/null || echo "python3-$name"
    done | paste -sd ' ' | sed 's/ /, /g'
}
tell_missing check-python python "$(list_missing)" "$@"

export PYTHONDONTWRITEBYTECODE=1
some=(-m 'not slow')
[[ ${1-} != --full ]] || some=()
tests() { # FOLDER PATH...: that of the package, tests
    PYTHONPATH=$1 "$python" -m pytest -q -rs -p no:cacheprovider -o markers=slow "${some[@]}" "${@:2}"
}
if command -v mypy >/dev/null; then
    mypy --config-file python/pyproject.toml --cache-dir="$scratch/mypy" python/impactcheck
    cp -r python/impactcheck "$scratch/planted"
    echo "audit_command(None, 3, 4, 5).good + ''" >>"$scratch/planted/functions.py"
    if mypy --config-file python/pyproject.toml --cache-dir="$scratch/mypy" "$scratch/planted" >/dev/null; then
        echo "check-python: a planted wrong type passes" >&2
        exit 1
    fi
else
    echo "Types of the Python package are not checked, since that needs mypy (./run setup python)."
fi
tests python tests/python

# a wheel of this build, away from the tree; it is built in a copy, since setuptools leaves files beside the source
mkdir "$scratch/tree"
cp -r python CMakeLists.txt "$scratch/tree"
IMPACTCHECK_BUILD=$PWD/build "$python" -m pip -q wheel --no-build-isolation --no-deps -w "$scratch" "$scratch/tree/python"
"$python" -m pip -q install --root-user-action=ignore --no-deps --target "$scratch/installed" "$scratch"/impactcheck-*.whl
tests "$scratch/installed" tests/python/test_impactcheck.py -k 'not document'
PYTHONPATH=$scratch/installed "$python" -c 'import impactcheck._library as l; assert "installed" in l.command() and (l.HERE / "py.typed").exists()'
