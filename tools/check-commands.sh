#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-commands.sh COMMAND [WRAPPER...]
#
# Runs the command, optionally under a wrapper such as valgrind, on valid and invalid requests, and
# compares the exit status: 0 good, 1 a check failed, 2 the request was wrong, 3 the program failed.
# Meant for builds with sanitizers or counters, which must find nothing.
set -euo pipefail
command=$(readlink -f "$1")
shift
wrapper=("$@")

# shellcheck source=tools/failures.sh
. "$(dirname "${BASH_SOURCE[0]}")/failures.sh"
cd "$scratch"

expect() { # STATUS ARGUMENT...
    local expected=$1 status=0
    shift
    "${wrapper[@]}" "$command" "$@" >output 2>messages || status=$?
    if ((status == expected)); then
        echo "ok      impactcheck $*"
    else
        wrong "impactcheck $*: exit status $status, expected $expected"
        tail -n 20 output messages
    fi
}

expect 0 --help
expect 0 list
expect 0 complete run ''
expect 0 complete run roller --set=''
expect 0 complete
expect 2 complete --options no-such-command
expect 0 list cases --long
expect 0 list presets --json
expect 0 list solvers
for solver in rk4_henon rk45_bisection dop853 taylor refined_step piecewise_linear; do
    expect 0 run bouncing-ball/drop --solver "$solver" --json
    expect 0 run roller/III/C --solver "$solver" --until 0.5 --samples 20 --trajectory trajectory.csv
done
expect 0 run roller/II/B --set omega=50pi --until 0.2 --quiet
expect 0 run rotating-beam/momentum-balance --solver refined_step --quiet
expect 0 run rotating-beam/main --variant hertz --quiet
expect 0 certify bouncing-ball/drop --until 0.5 --json
expect 0 certify roller/III/C --until 0.1 --digits 30
expect 0 certify ball/bai-zhao --json
expect 0 certify ball/kelvin-voigt --digits 20
expect 0 verify 'bouncing-ball*' --json verify.json --junit verify.xml --markdown verify.md
expect 0 list --json
cp output list.json
expect 0 report --results . --out pages
expect 0 report --results . --commands --quick
expect 2 report --results no-such-folder

expect 0 bench 'bouncing*' --no-times --out costs.json --csv costs.csv
expect 0 bench 'bouncing*' --no-times --solver 'rk4*' --add costs.json --json
expect 0 compare costs.json costs.json
expect 0 compare costs.json costs.json --json
sed 's/"error":[^,]*,/"error":1e-99,/; s/"steps": [0-9]*,/"steps":1,/' costs.json >less.json
expect 1 compare less.json costs.json
expect 0 study
expect 0 study impulse-paths --out study.csv
expect 0 study impulse-paths --json
expect 0 study beam-sensitivity --quiet --out study.csv
expect 0 list laws --long
expect 0 law
expect 0 law --json
expect 0 law hertz
expect 0 law gonthier --set e=1/2 --mass 2 --speed 3 --curve curve.csv
expect 0 law lee-wang --json

expect 0 sweep roller/III/C --vary c=450e3:550e3:5 --skip 2 --keep 2 --out sweep.csv --threads 2
expect 0 sweep roller/III/C --vary c=450e3:550e3:5 --record peak --out sweep.csv --json
expect 0 sweep bouncing-ball --vary e=0.5:0.9:3 --record height --out sweep.csv --quiet
expect 2 sweep roller/III/C --vary c=-2:-1:2 --out sweep.csv
expect 0 optimise bouncing-ball/elastic --minimise energy --over v0=0:10 --set v0=8 --subject-to 'height:max>=2'
expect 0 optimise bouncing-ball/elastic --minimise energy --over h=1:2:log --runs 20 --json
expect 1 optimise bouncing-ball/elastic --minimise energy --over h=1:2 --subject-to 'height:max>=3' --quiet
expect 2 optimise bouncing-ball --minimise energi --over v0=0:10

plugins=$(dirname "$command")/plugins # with IC_TESTS
if [[ -d $plugins ]]; then
    expect 0 audit --seed 1 --plugin "$plugins/hunt_crossley_pow.so"
    expect 0 audit --seed 1 --plugin "$plugins/stronge_by_steps.so" --json
    expect 0 audit --seed 1 --plugin "$plugins/adaptive_dense.so" --quiet --time-limit 300
    expect 1 audit --seed 1 --plugin "$plugins/newton_as_stronge.so"
    expect 1 audit --seed 1 --plugin "$plugins/map_out_of_bounds.so" --json
    expect 3 audit --seed 1 --plugin "$plugins/map_hangs.so" --time-limit 1
    expect 2 audit --plugin "$plugins/other_abi.so"
fi
expect 2 audit --plugin no-such-file.so
expect 0 run roller/III/A --until 0.3 --trajectory rows.csv --quiet
expect 0 audit --trajectory rows.csv --case roller/III/A
expect 1 audit --trajectory rows.csv --case roller/III/C --json
expect 2 audit --trajectory rows.csv --case two-mass
expect 2 audit --trajectory no-such-file.csv --case roller
expect 2 audit --trajectory rows.csv
planted=$(dirname "$command")/impactcheck-command-planted # with IC_TESTS
if [[ -x $planted ]]; then
    expect 0 audit --seed 1 --command "$planted" --case bouncing-ball/lively
    expect 0 audit --seed 1 --command "$planted right" --ask options --case bouncing-ball/lively --until 2 --phases 2 --json
    expect 1 audit --seed 1 --command "$planted end-of-step" --case bouncing-ball/lively --phases 2
    expect 2 audit --command "$planted garbage" --case bouncing-ball/lively
    expect 3 audit --seed 1 --command "$planted crashes" --case bouncing-ball/lively
    expect 3 audit --seed 1 --command "$planted hangs" --case bouncing-ball/lively --time-limit 0.2
fi
expect 2 audit --command no-such-command --case bouncing-ball
expect 2 audit --command ' ' --case bouncing-ball
expect 2 audit --command true --case bouncing-ball
expect 2 audit --command true
expect 2 audit --command true --case bouncing-ball --ask politely
expect 2 audit --command true --case bouncing-ball --order -1
expect 0 list traps --long
expect 0 list traps --json
expect 0 audit --solver taylor --trap 'many-bounces*'
expect 0 audit --solver dop853 --trap clock-and-floor --json --rtol 1e-10
expect 1 audit --solver refined_step --trap on-the-mesh # outside its documented scope: undecided
expect 0 audit --solver refined_step --trap on-the-mesh --allow-undecided
expect 0 audit --solver rk45_bisection --trap cubed-guard
expect 1 audit --solver dop853 --rtol 1e-8 --trap grazing
expect 0 audit --solver dop853 --trap grazing
expect 0 audit --solver rk4_henon --trap zero-at-start --step 1e-3 --quiet
expect 2 audit
expect 2 audit --solver no-such-solver
expect 2 audit --solver taylor --trap no-such-trap
expect 2 audit --solver taylor --step 0

if [[ -x $(dirname "$command")/impactcheck-engine-chipmunk ]]; then # with IC_ENGINES
    expect 1 audit --engine chipmunk
    expect 1 audit --engine chipmunk --scenes rough-bar --json
    expect 3 audit --engine chipmunk --scenes rough-bar --time-limit 1e-6
else
    expect 2 audit --engine chipmunk
fi
expect 2 audit --engine no-such-engine
expect 2 audit --engine chipmunk,
expect 2 no-such-command
expect 2 run
expect 2 run no-such-case/preset
expect 2 run roller/no-such-preset
expect 2 run roller/III/C --solver no-such-solver
expect 2 run roller/III/C --set no_such_parameter=1
expect 2 run roller/III/C --set k=many
expect 2 run roller/III/C --set k=nan
expect 2 run roller/III/C --set k=-1
expect 2 run roller/III/C --until -1
expect 2 run roller/III/C --rtol -1e-9
expect 2 run roller/III/C --trajectory no-such-folder/trajectory.csv
expect 2 certify roller/III/C --digits none
expect 2 verify no-such-case
expect 2 bench 'no-such-case*'
expect 2 bench --add no-such-file.json
expect 2 compare costs.json
expect 2 compare costs.json no-such-file.json
expect 2 compare costs.json costs.csv
expect 2 compare costs.json verify.json
expect 2 study no-such-study
expect 2 study impulse-paths --out no-such-folder/study.csv
expect 2 law no-such-law
expect 2 law flores --set e=0
expect 2 law flores --set e=1e-320
expect 2 law flores --set no_such_parameter=1
expect 2 law flores --mass 0
expect 2 law hertz --curve curve.csv
expect 2 law flores --curve no-such-folder/curve.csv

((failures == 0))
