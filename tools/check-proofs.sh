#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-proofs.sh             checks the proofs of events in proofs/ with Coq
# tools/check-proofs.sh --missing   prints what is not installed; exit status 1: nothing is missing
#
# Coq must accept all files, on one processor within a minute. Their theorems may rest on the axioms
# of the real numbers alone, and their numbers must agree with the answers of build/impactcheck.
# Wrong statements are planted, and must be refused for the expected reason. Exit status 3: Coq is
# not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/failures.sh
. tools/failures.sh

# Prints what is missing, by Debian's names.
list_missing() {
    local libraries name
    if ! command -v coqc >/dev/null; then
        echo "coq, libcoq-interval"
        return
    fi
    libraries=$(coqc -where)/user-contrib
    for name in Coquelicot/Coquelicot Interval/Tactic; do
        [[ -e $libraries/$name.vo ]] || echo "libcoq-$(dirname "${name,,}")"
    done | paste -sd ' ' | sed 's/ /, /'
}
tell_missing check-proofs proof "$(list_missing)" "$@"

# Each after those that it needs, and the presets whose events they prove.
files=(calculus bouncing_ball polynomials roller_model roller_exists roller_series roller)
presets=(bouncing_ball:bouncing-ball/drop:2 roller:roller/III/C:0.02)

compile() { # FOLDER NAME; the libraries warn of a coercion
    (cd "$1" && coqc -q -w -ambiguous-paths -Q . Impactcheck "$2.v") >"$scratch/said" 2>&1
}

folder=$scratch/proofs
mkdir "$folder"
cp proofs/*.v "$folder"
for file in "${files[@]}"; do
    begin=$EPOCHREALTIME
    compile "$folder" "$file" || {
        cat "$scratch/said"
        wrong "Coq refuses proofs/$file.v"
        exit 1
    }
    printf 'ok %5s s  proofs/%s.v\n' "$(((${EPOCHREALTIME/./} - ${begin/./}) / 1000000))" "$file"
done
for file in proofs/*.v; do
    [[ " ${files[*]} " == *" $(basename "$file" .v) "* ]] || wrong "$file is not checked"
done

# ---- axioms

# Coq's real numbers rest on these: decidability of statements about all natural numbers and of
# negations, excluded middle, and the equality of functions that have equal values.
allowed='ClassicalDedekindReals.sig_forall_dec
ClassicalDedekindReals.sig_not_dec
Classical_Prop.classic
FunctionalExtensionality.functional_extensionality_dep'

axioms() { # FOLDER FILE...: prints the names of the axioms on which any theorem of these files rests
    local folder=$1 file
    shift
    {
        printf 'From Impactcheck Require %s.\nDefinition theorems := (0' "$*"
        for file; do sed -n "s/^Theorem \([a-z0-9_]*\).*/, @$file.\1/p" "$folder/$file.v"; done
        printf ').\nPrint Assumptions theorems.\n'
    } >"$folder/axioms.v"
    compile "$folder" axioms || cat "$scratch/said" >&2
    sed -n 's/^\([A-Za-z][A-Za-z0-9_.]*\) *\(:.*\)\?$/\1/p' "$scratch/said" |
        { grep -vx Axioms || true; } | LC_ALL=C sort
}
used=$(axioms "$folder" "${files[@]}")
if [[ $used == "$allowed" ]]; then
    printf 'axioms: %s\n' "${used//$'\n'/, }"
else
    wrong "the theorems rest on other axioms than expected:"$'\n'"$used"
fi

# ---- numbers

agrees() { # FILE PRESET UNTIL
    build/impactcheck certify "$2" --until "$3" --digits 30 --json 2>/dev/null | tools/compare-proofs.py "$1"
}
for preset in "${presets[@]}"; do
    IFS=: read -r file name until <<<"$preset"
    agrees "proofs/$file.v" "$name" "$until" || wrong "proofs/$file.v and certify $name"
done

# ---- planted

plant() { # FILE OLD NEW: a folder of proofs in which a line of FILE is wrong
    rm -rf "$scratch/planted"
    cp -r "$folder" "$scratch/planted"
    python3 - "$scratch/planted/$1.v" "$2" "$3" <<'PYTHON'
import sys
path, old, new = sys.argv[1:]
text = open(path, encoding="utf-8").read()
assert text.count(old) == 1, f"{path}: {text.count(old)} places for the planted fault: {old}"
open(path, "w", encoding="utf-8").write(text.replace(old, new))
PYTHON
}
refuses() { # MESSAGE FILE OLD NEW
    plant "${@:2}"
    if compile "$scratch/planted" "$2"; then
        wrong "planted fault not found: proofs/$2.v: $4"
    elif ! grep -qF "$1" "$scratch/said"; then
        cat "$scratch/said"
        wrong "planted fault refused for another reason: proofs/$2.v: $4"
    fi
}
refuses "Numerical evaluation failed" roller 'near t_1 0.0159830816298219205536170506094437' 'near t_1 0.0159830816298219205536170506094447'
refuses "Numerical evaluation failed" bouncing_ball 'near t_2 0.903047281971461808901622248676290' 'near t_2 0.903047281971461808901622248676390'
refuses "not a valid field equation" bouncing_ball 'v := - e * v s' 'v := e * v s'

printf 'Axiom planted : False.\nTheorem free : 0 = 1.\nProof. case planted. Qed.\n' >"$folder/free.v"
compile "$folder" free
[[ $(axioms "$folder" free) == free.planted ]] || wrong "planted fault not found: an axiom"

differs() { # MESSAGE OLD NEW: tools/compare-proofs.py must report it
    plant roller "$2" "$3"
    agrees "$scratch/planted/roller.v" roller/III/C 0.02 >"$scratch/said" || true
    grep -qF "$1" "$scratch/said" || wrong "planted fault not found: $1"
}
differs "v3 before_1: -0.00267387197006822118863938340950833" 'near (v3 before_1) (-0.00267387197006822118863938340950813)' \
    'near (v3 before_1) (-0.00267387197006822118863938340950833)'
differs "x3 before_1: not stated" 'near (x3 before_1) (-0.00999522925746106058957322416083966) 1e-35' 'True'
differs "t_1: the radius 1E-28 is more" '6094437 1e-34' '6094437 1e-28'

repeat_failures
echo "${#files[@]} files, $failures failures"
((failures == 0))
