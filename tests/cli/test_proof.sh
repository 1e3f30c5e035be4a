#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tests/cli/test_proof.sh COMMAND CHECKER
#
# Proofs that `certify --proof` writes are accepted by the checker, impactcheck-proof, and wrong ones are refused:
# each planted fault changes one thing in a proof that was accepted. Prints a line `ok ...` or `not ok ...` for
# each test, and fails if one does.
# shellcheck disable=SC2016 # programs of awk
set -uo pipefail
command=$(readlink -f "${1:?usage: test_proof.sh COMMAND CHECKER}")
checker=$(readlink -f "${2:?usage: test_proof.sh COMMAND CHECKER}")
machines=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../../examples/machines")
[[ -x $checker ]] || {
    echo "test_proof.sh: '$2' is not there to be tested: MPFI is missing (Debian package libmpfi-dev)" >&2
    exit 3
}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 3

failed=0
result() { # NAME STATUS [WHY]
    if (($2 == 0)); then
        echo "ok      $1"
    else
        echo "not ok  $1: ${3-}"
        failed=$((failed + 1))
    fi
}

accepted() { # NAME PLACE [OPTION...]: its proof is written to NAME, and accepted
    local name=$1
    shift
    if ! "$command" certify "$@" --proof "$name" --quiet >out 2>err; then
        result "$name" 1 "$(head -n 1 err)"
    else
        "$checker" "$name" >said 2>&1
        result "$name is accepted" $? "$(tail -n 1 said)"
    fi
}

refused() { # WHAT STATUS FILE: the checker must refuse a file that differs from the proof it was made of
    local said status=0
    if cmp -s "$3" good; then
        result "$1" 1 "nothing was planted"
        return
    fi
    said=$("$checker" "$3" 2>&1 | tail -n 1) || true
    "$checker" "$3" >/dev/null 2>&1 || status=$?
    if ((status == $2)) && { ((status == 2)) || [[ $said == 'refused: line '* ]]; }; then
        result "planted: $1" 0
    else
        result "planted: $1" 1 "exit status $status: $said"
    fi
}

# ---- proofs of machines of all kinds

accepted damping "$machines/quadratic-damping.yaml" --until 2
accepted stops "$machines/stops.yaml" --until 1
accepted pendulum "$machines/double-pendulum.yaml" --until 1
accepted masses "$machines/two-masses.yaml" --until 0.5
accepted heater "$machines/heater.yaml" --until 500
accepted block "$machines/rocking-block.yaml"
accepted cradle "$machines/cradle.yaml"
accepted wall "$machines/moving-wall.yaml"
accepted bounces bouncing-ball/lively --until 2
accepted roller-A roller/III/A --until 0.05
accepted roller-B roller/II/B --until 0.1
accepted roller-C roller/III/C --until 0.05
accepted roller-D roller/II/D --until 0.1
accepted names two-mass/example-1
accepted impact ball/kelvin-voigt --run
accepted beam rotating-beam/main --until 0.002
accepted hertz-force ball/hunt-crossley --run
accepted law-of-its-own ball/improved --run
accepted roller-law roller/law --until 0.1
accepted roller-hertz roller/law --variant hertz --until 0.1
accepted roller-liu roller/law --variant liu --until 0.1
accepted digits "$machines/stops.yaml" --until 0.5 --digits 40
accepted roller-wang roller/law --variant lee-wang-1 --until 0.05
accepted two-masses-plastic two-mass/plastic
accepted forced two-mass/forced
accepted bar planar-bar/kappa-1
accepted bar-locks planar-bar/self-locking
accepted bar-slips planar-bar/reversal-poisson
accepted stiff-bar planar-bar/kappa-1e4
accepted thin-sets roller/IV/B --until 0.06
accepted wang ball/lee-wang-1 --run
accepted beam-first rotating-beam/first-model --until 0.001
accepted beam-restitution rotating-beam/momentum-balance --until 0.001
for law in kelvin-voigt lankarani-nikravesh bai-zhao; do
    accepted "roller-$law" roller/law --variant "$law" --until 0.1
done
cat >times.yaml <<'Y'
title: A mass that is struck
parameters: {k: 40 N/m, m: 1 kg, dv: 0.3 m/s, T: 0.3 s}
states: {x: {unit: m, start: 0.1 m}, v: m/s}
flow: {x: v, v: -k*x/m}
times: {strike: {at: n*T, count: 3, then: {v: v + dv}}}
presets: {default: {until: 1 s}}
Y
accepted strikes times.yaml

# ---- wrong proofs

cp stops good
edit() { # AWK-PROGRAM: of the proof `good`, to `bad`
    awk "$1" good >bad
}
middle='/^set [0-9]/ { sets++ }'
edit "$middle"' /^radius/ && sets == 8 { match($2, /p-/); $2 = substr($2, 1, RSTART + 1) (substr($2, RSTART + 2) + 1) } 1'
refused "a radius is halved" 1 bad
edit '/^event/ && !gone { skip = 1 } skip && /^event/ { gone = 1 } skip { if (/^printed/ && ++p == 2) skip = 0; next } 1'
refused "an event is left out" 1 bad
edit '/^parameter e / { sub(/0.8/, "0.81") } 1'
refused "another parameter" 1 bad
edit '/^parameter k / { sub(/100/, "100.000000001") } 1'
refused "a parameter that is almost right" 1 bad
edit '/^part/ && !n++ { sub(/[+]/, "-") } 1'
refused "another sign of a guard" 1 bad
edit '/^event/ { e++ } /^printed/ && e == 2 && !n++ { $2 = $2 "1" } 1'
refused "the time of an event is shifted" 1 bad
edit '/^step/ && NF == 9 && !n++ { $8 = $9 } 1'
refused "a crossing elsewhere" 1 bad
edit "$middle"' /^axis/ && sets == 8 && !n++ { sub(/ 0x/, " -0x") } 1'
refused "an entry of a frame has another sign" 1 bad
edit '/^rate v / { sub(/[)]-/, ")+") } 1'
refused "another operation in a formula" 1 bad
edit '/^guard/ && !n++ { sub(/gap-x/, "gap-v") } 1'
refused "another guard" 1 bad
edit '/^guard/ && !n++ { sub(/falls/, "rises") } 1'
refused "another direction of a guard" 1 bad
edit '/^event/ && !n++ { $3 = 1 } 1'
refused "another alternative of a jump" 1 bad
edit '/^to / && !n++ { $3 = "(-1)" } 1'
refused "another condition of a jump" 1 bad
edit '/^set v / && !n++ { $3 = 0 } 1'
refused "another jump" 1 bad
edit '/^tube/ && ++n == 3 { $4 = $3 } 1'
refused "a tube without width" 1 bad
edit '/^step/ && ++n == 3 { $2 = $2 "0" } 1'
refused "a step of another length" 1 bad
edit '/^to / && !n++ { sub(/to 0/, "to 57") } 1'
refused "a mode that does not exist" 2 bad
edit '1; /^parameter k/ { print "let k 5" }'
refused "a name with two meanings" 2 bad
edit '1; /^printed/ && ++n == 2 { held = 1 } /^event/ { first = first == "" ? $0 : first } held == 1 { print first; held = 2 }'
refused "an event that fires once more" 1 bad
edit '/^begin/ { $2 = 1 } 1'
refused "another alternative at the start" 1 bad
edit '/^at -1/ { $3 = "0.5" } 1'
refused "another end" 1 bad
edit '/^end/ { exit } 1'
refused "the end is missing" 1 bad
edit '/^set [0-9]/ && ++n == 10 { exit } 1'
refused "a file that ends between two lines" 1 bad
head -n 100 good | head -c -3 >bad
refused "a file that ends within a line" 2 bad
edit '/^parameter k/ { sub(/100/, "(100+)") } 1'
refused "a formula that is none" 2 bad
edit '/^rate x/ { $3 = "y" } 1'
refused "an unknown name" 2 bad
echo "something else" >bad
refused "another file" 2 bad
cp beam good
edit '/^number/ && !n++ { sub(/0x/, "0x1") } 1'
refused "another constant of a table" 1 bad
cp strikes good
edit '/^at 0/ && !n++ { next } 1'
refused "a time event is left out of the problem" 1 bad
awk '/^at 0/ { print; print "at 0 (T/2)"; next } 1' good >bad
refused "a time event is added to the problem" 1 bad

# ---- a root as the clock

cp hertz-force good
edit '/^root/ && !n++ { $4 = 4 } 1'
refused "a root of another order" 1 bad
edit '/^root/ && ++n == 2 { $4 = 4 } 1'
refused "a root of another order at the end of the contact" 1 bad
edit '/^root/ && !n++ { $3 = -$3 } 1'
refused "a root of the other side" 1 bad
edit '/^root/ && !n++ { $2 = 1 } 1'
refused "a root of another state" 1 bad
edit '/^root/ && ++n == 2 { $5 = $5 "0" } 1'
refused "a root with another value" 1 bad
edit '/^root/ && !n++ { next } 1'
refused "a root that is left out" 1 bad
edit '/^time/ && !n++ { next } 1'
refused "a change to the time that is left out" 1 bad
edit '/^root/ { root = 1 } root && /^radius/ && !n++ { sub(/p-/, "p-1") } 1'
refused "a radius by a root is smaller" 1 bad
edit '/^root/ { root = 1 } root && /^step/ && !n++ { sub(/p-/, "p-1") } 1'
refused "a step by a root has another length" 1 bad
edit '/^root/ { roots++ } roots == 2 && /^step -/ { $2 = substr($2, 2) } 1'
refused "a root that grows where it must fall" 1 bad
edit '/^event 2/ { skip = 1 } skip && /^printed/ && ++p == 2 { skip = 0; print "end"; next } skip { next } 1'
refused "the end of the contact is left out" 1 bad
edit '/^event 2/ && !n++ { print "time" } 1'
refused "the time goes on where the contact ends" 1 bad
edit '/^parameter n / { sub(/3\/2/, "5/2") } 1'
refused "another power" 1 bad
edit '/^tube/ && !n++ { $0 = $0 " 5 0x1 0x1p1" } 1'
refused "a tube elsewhere of a state that rests" 1 bad
cp roller-law good
edit '/^root/ && !n++ { $3 = 1 } 1'
refused "a root of the other side, of a state that falls" 1 bad
edit '/^event 0/ && !gone { skip = 1 } skip && /^event/ { gone = 1 } skip { if (/^printed/ && ++p == 2) skip = 0; next } 1'
refused "a separation that is left out" 1 bad
edit '/^root/ { roots++ } roots == 1 && /^part/ && !n++ { sub(/-/, "+") } 1'
refused "another sign of a guard by a root" 1 bad

# ---- what has no proof

status=0
"$command" certify ball/hertz --run --proof none >out 2>err || status=$?
[[ $status == 2 && ! -e none ]] && grep -q 'two guards at one instant' err
result "two guards at one instant are refused by name, without a file" $? "exit status $status: $(head -n 1 err)"
for of in 'ball/lee-wang-2 --run:a kink within a formula' 'roller/law --variant gonthier-exact --until 0.1:damping factor'; do
    status=0
    # shellcheck disable=SC2086 # several words
    "$command" certify ${of%%:*} --proof none >out 2>err || status=$?
    [[ $status == 2 && ! -e none ]] && grep -q "${of#*:}" err
    result "${of#*:}: refused by name, without a file" $? "exit status $status: $(head -n 1 err)"
done
status=0
"$command" certify bouncing-ball/lively --proof no-such-folder/none >out 2>err || status=$?
((status == 2))
result "a folder that does not exist" $? "exit status $status"
"$command" certify bouncing-ball/drop --proof none >out 2>err
[[ ! -e none && -z $(compgen -G 'none*') ]] && grep -q 'no file is written' err
result "no file for an answer that is not proved to the end, and a word about it" $?
status=0
"$checker" >out 2>err || status=$?
((status == 2)) && grep -q usage err
result "the checker without a file" $? "exit status $status"
status=0
"$checker" no-such-file >out 2>err || status=$?
((status == 2)) && grep -q 'no-such-file: No such file' err
result "the checker, a file that is not there" $? "exit status $status"

((failed == 0)) || exit 1
echo "proofs are accepted, and wrong ones are refused"
