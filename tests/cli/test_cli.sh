#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tests/cli/test_cli.sh COMMAND
#
# What the command promises to those who call it: exit status, messages, shapes of its output, files that are
# whole or not there. Prints a line `ok ...` or `not ok ...` for each test, and fails if one does.
set -uo pipefail
command=$(readlink -f "${1:?usage: test_cli.sh COMMAND}")
cases=$(readlink -f "$(dirname "${BASH_SOURCE[0]}")/../../cases")
[[ -x $command ]] || {
    echo "test_cli.sh: '$1' is not there to be tested" >&2
    exit 2
}
for tool in python3 h5dump; do
    command -v "$tool" >/dev/null || {
        echo "test_cli.sh: needs $tool (./run setup test)" >&2
        exit 3
    }
done
scratch=$(mktemp -d)
trap 'chmod -R u+w "$scratch"; rm -rf "$scratch"' EXIT
cd "$scratch" || exit 3
unset LC_ALL LC_CTYPE LANG NO_COLOR

passed=0 failed=0
ok() {
    echo "ok      $1"
    passed=$((passed + 1))
}
not_ok() {
    echo "not ok  $1"
    shift
    printf '        %s\n' "$@"
    failed=$((failed + 1))
}

impactcheck() {
    status=0
    "$command" "$@" >out 2>err || status=$?
}

# holds NAME COMMAND...: the command must succeed.
holds() {
    local name=$1
    shift
    if "$@"; then ok "$name"; else not_ok "$name" "exit status $status" "$(head -n 5 err)"; fi
}

good() { # NAME ARGUMENT...: exit status 0, something on standard output, nothing on standard error
    local name=$1
    shift
    impactcheck "$@"
    if ((status == 0)) && [[ -s out && ! -s err ]]; then
        ok "$name"
    else
        not_ok "$name: impactcheck $*" "exit status $status" "$(head -n 5 err)"
    fi
}

# Bad input: exit status 2, a message that contains PATTERN, nothing on standard output, nothing written.
bad() { # PATTERN ARGUMENT...
    local pattern=$1 before after
    shift
    before=$(ls -A)
    impactcheck "$@"
    after=$(ls -A)
    if ((status == 2)) && [[ ! -s out && $before == "$after" ]] && grep -qF -e "$pattern" err; then
        ok "refused: impactcheck $*"
    else
        not_ok "refused: impactcheck $*" "exit status $status, message expected: $pattern" "$(head -n 5 err)" \
            "$(head -n 3 out)"
    fi
}

# json NAME EXPRESSION: a Python expression over the output `o` is true.
json() {
    if python3 -c "
import json, math, sys
def no_constant(c): raise ValueError(c)
o = json.load(open('out'), parse_constant=no_constant)
sys.exit(0 if ($2) else 1)" 2>python_err; then
        ok "$1"
    else
        not_ok "$1: $2" "$(tail -n 1 python_err)"
    fi
}

contains() { # FILE TEXT
    grep -qF -e "$2" "$1"
}

touch out err python_err

# ---- help, version, lists
good "help" --help
good "version" --version
holds "version is one line" grep -qE '^impactcheck [0-9]' out
for c in list run certify verify study law bench compare sweep audit report ci explain; do
    good "help of $c" "$c" --help
    holds "help of $c names its options" contains out "--help"
    good "help by name, $c" help "$c"
done
good "list" list
for topic in cases presets solvers laws checks traps studies mistakes tolerances codes; do
    good "list $topic" list "$topic"
    good "list $topic --long" list "$topic" --long
    good "list $topic --json" list "$topic" --json
    json "list $topic --json has them" "len(o['$topic']) > 0 and all(x.get('name') or x.get('path') for x in o['$topic'])"
done
good "list one case" list cases 'bouncing*' --long
holds "a parameter has unit, default, range and meaning" \
    grep -qE '^ +g +m/s\^2 +9\.81 +\(0, inf\) +acceleration' out
good "list all as JSON" list --json
json "list --json has all topics" "set(o) == {'cases', 'presets', 'solvers', 'laws', 'checks', 'traps', 'studies', 'mistakes', 'tolerances', 'engines', 'scenes', 'threads', 'codes'}"

json "a multiple follows its base" "all(t['default'] == t['multiple'] * next(b['default'] for b in o['tolerances'] if b['name'] == t['base']) for t in o['tolerances'] if t['base'])"
json "a tolerance has a derivation" "all(t['derivation'] and t['unit'] for t in o['tolerances'])"
good "help of audit, with its tolerances" audit --help
holds "help prints defaults of tolerances, and no placeholder" bash -c "! grep -q '{' out"

# ---- run
ball="bouncing-ball/lively"
impactcheck
holds "no command: usage and exit status 2" test "$status" -eq 2
good "run, tables" run roller/III/C --until 0.4
holds "tables have no colour in a file" bash -c "! grep -q $'\033' out"
holds "long tables are cut" contains out "more (--all-events shows them)"
good "run --all-events" run roller/III/C --until 0.4 --all-events
holds "all events are shown" bash -c "! grep -q 'more (--all-events' out"
impactcheck run "$ball" --quiet
holds "run --quiet says nothing" bash -c "(($status == 0)) && [[ ! -s out && ! -s err ]]"

# those that are not made for impacts
general='print(*(s["name"] for s in json.load(sys.stdin)["solvers"] if not s["needs_impact_view"]))'
for solver in $("$command" list solvers --json | python3 -c "import json, sys; $general"); do
    good "run --json, $solver" run "$ball" --solver "$solver" --json
    json "$solver: keys" "{'case', 'preset', 'solver', 'parameters', 'status', 'events', 'final', 'outputs', 'work'} <= set(o)"
    json "$solver: what was asked" "o['case'] == 'bouncing-ball' and o['preset'] == 'lively' and o['solver'] == '$solver' and o['status'] == 'ok'"
    json "$solver: keys of events" "all({'t', 'radius', 'guard', 'from', 'to', 'seq', 'state', 'outputs'} <= set(e) for e in o['events'])"
    if [[ $solver =~ ^(moreau_jean|schatzman_paoli)$ ]]; then # they locate no event: two steps of 1/1000 of 0.452 s
        json "$solver: the first bounce" "1e-9 < abs(o['events'][0]['t'] - math.sqrt(2/9.81)) < 2 * 0.452e-3"
    else
        json "$solver: the first bounce" "abs(o['events'][0]['t'] - math.sqrt(2/9.81)) < 1e-9"
        json "$solver: restitution" "abs(o['events'][0]['state']['v'] / o['events'][0]['state_before']['v'] + 0.9) < 1e-12"
    fi
    json "$solver: not measured is null" "all(e['radius'] is None for e in o['events'])"
    json "$solver: extremes" "set(o['outputs']['height']) == {'min', 't_min', 'max', 't_max', 'final'} and o['outputs']['height']['max'] == 1"
    json "$solver: final" "o['final']['t'] == 5 and o['final']['mode'] == 'flight' and set(o['final']['state']) == {'x', 'v'}"
    json "$solver: work" "set(o['work']) == {'flow_calls', 'guard_calls', 'steps', 'rejected_steps', 'root_iterations'}"
done
for solver in newton poisson stronge; do
    good "run a rigid impact, $solver" run "planar-bar/$solver" --solver "$solver" --json
    json "$solver: corners" "[e['guard'] for e in o['events']] == ['stop', 'compression-end', 'lift-off']"
done

good "settings, exact numbers" run roller/III/C --set c=5068e2 --set omega=80pi --set 'phase=pi/6' --until '3*2*pi/omega' --json
json "settings arrive" "o['parameters']['c'] == 506800 and o['parameters']['omega'] == 80*math.pi and abs(o['final']['t'] - 0.075) < 1e-15"
good "option=value" run roller/III/C --until=0.01 --solver=rk45_bisection --rtol=1e-6 --json
good "a case alone is its first preset" run bouncing-ball --until 0.1 --json
json "its name is told" "o['preset'] == 'drop'"
good "samples in JSON" run "$ball" --samples 11 --json
json "samples" "[s['t'] for s in o['samples']] == [0.5*i for i in range(11)]"
good "default solver" run roller/III/C --until 0.01 --json
json "the case is linear between events: piecewise_linear" "o['solver'] == 'piecewise_linear'"
good "fall through the soil" run roller/I/C --set phase=pi --until 0.1
holds "the mode it ends in is explained" contains out "condition C misses regained contact there"

# ---- trajectory
good "trajectory" run "$ball" --trajectory ball.csv --samples 101
holds "header" bash -c "[[ \$(head -n 1 ball.csv) == t,mode,x,v,height,energy ]]"
"$command" run "$ball" --json >out
json "rows: samples and both sides of each event" "sum(1 for _ in open('ball.csv')) == 1 + 101 + 2*len(o['events'])"
holds "times never fall" bash -c "tail -n +2 ball.csv | cut -d , -f 1 | sort -g -c"
holds "no temporary file is left" bash -c "! ls -A | grep -q '^ball.csv.'"
umask 022
chmod 600 ball.csv
good "a file is replaced" run "$ball" --trajectory ball.csv --samples 3
holds "it keeps its permissions" bash -c "[[ \$(stat -c %a ball.csv) == 600 ]]"
ln -s ball.csv link.csv
good "a link is followed" run "$ball" --trajectory link.csv --samples 2
holds "the link stays" test -L link.csv
impactcheck run "$ball" --trajectory /dev/stdout --samples 2 --quiet
holds "a trajectory on standard output" bash -c "[[ \$(head -c 6 out) == t,mode ]]"

# ---- bench and compare
good "bench, tables" bench 'bouncing*' --no-times --out costs.json --csv costs.csv
holds "it shows orders and targets" bash -c "grep -q 'claims  shows' out && grep -q 'through the registry' out"
# shellcheck disable=SC2016 # for the inner shell
holds "CSV has a row for each row" bash -c '(($(grep -c "\"subject\": \"[^\"]*\", \"solver\": \"[^\"]*\", \"class\": \"[^\"]*\", \"control\"" costs.json) + 1 == $(wc -l <costs.csv)))'
good "bench --json" bench 'bouncing*' --solver 'dop*' --json
json "bench: schema and machine" "o['schema'] == 'impactcheck-bench/1' and {'cpu', 'cores', 'compiler', 'flags', 'version', 'commit', 'date', 'arithmetic'} == set(o['machine'])"
json "bench: what is beside the rows is measured in runs of everything only" "o['floor'] is None and o['diagram'] is None and o['overhead'] is None"
json "bench: rows have cost and error" "len(o['rows']) > 2 and all(r['error'] is not None and r['work']['flow_calls'] > 0 and len(r['seconds']) == len(r['relative']) > 5 for r in o['rows'])"
json "bench: the order shown stands beside the claim" "all({'claimed', 'shown'} <= set(r) for r in o['orders']) and len(o['targets']) == 9 and all(t['class'] is not None for t in o['targets'])"
good "bench --add: rows of another program" bench 'bouncing*' --no-times --solver 'rk4*' --add costs.json --out more.json
good "compare: nothing is worse" compare costs.json more.json
holds "both machines are shown" bash -c "grep -q '^old  costs.json: ' out && grep -q '^new  more.json: ' out"
sed 's/"error": [1-9][0-9.e-]*,/"error":1e-99,/; s/"noise": [0-9.e-]*,/"noise":0,/' costs.json >better-error.json
sed 's/"flow_calls": [1-9][0-9]*,/"flow_calls":1,/' costs.json >less-work.json
for planted in better-error less-work; do
    impactcheck compare $planted.json costs.json
    holds "compare finds a regression planted, $planted: exit status 1" bash -c "(($status == 1)) && grep -q WORSE out"
    good "the other way round it is better" compare costs.json $planted.json
    impactcheck compare $planted.json costs.json --json
    json "compare --json, $planted" "o['worse'] > 0 and all(d['verdict'] == 'worse' for d in o['differences']) and o['rows']['common'] > 5"
done
impactcheck bench 'bouncing*' --no-times --solver 'rk4*' --out less.json
impactcheck compare costs.json less.json
holds "compare: a row that is missing is worse" bash -c "(($status == 1)) && grep -q 'WORSE .* row .* missing' out"
good "compare --part: it is not" compare costs.json less.json --part
impactcheck compare costs.json costs.json --quiet
holds "compare --quiet says nothing" bash -c "(($status == 0)) && [[ ! -s out && ! -s err ]]"

# ---- bad input
bad "no case or preset matches" bench 'no-such-*'
bad "matches none of the presets that represent their cases; --full runs every preset" bench roller/I/A
bad "no solver matches" bench --solver 'no-such-*'
bad "option --add: 'no-such-file.json' cannot be read: No such file" bench --add no-such-file.json
bad "option --out: cannot write 'no-such-folder/a.json'" bench --out no-such-folder/a.json
bad "usage: impactcheck bench" bench a b
bad "OLD NEW" compare costs.json
bad "no-such-file.json" compare costs.json no-such-file.json
bad "costs.csv:1:" compare costs.csv costs.json
printf '{\n  "schema": "impactcheck-bench/1",\n  "rows": [,]\n}\n' >broken.json
bad "broken.json:3:" compare broken.json costs.json
printf '{"rows": []}' >other.json
bad "other.json: \"schema\": \"impactcheck-bench/1\" is expected" compare costs.json other.json
sed 's/impactcheck-bench.1/impactcheck-bench\/99/' costs.json >schema.json
bad 'schema.json: "schema" is "impactcheck-bench/99"' compare schema.json costs.json
sed 's/"control": "rtol"/"control": 7/' costs.json >control.json
bad '"control": expected a text' compare costs.json control.json
sed 's/bouncing-ball/another/' costs.json >apart.json
bad "have no rows in common" compare costs.json apart.json
for value in 0.5 -1 0 nan many; do
    bad "option --error-factor" compare costs.json costs.json --error-factor "$value"
done
bad "option --alpha" compare costs.json costs.json --alpha 1
bad "unknown command 'rnu'; did you mean 'run'?" rnu
bad "unknown option '--verison'; did you mean '--version'?" --verison
bad "CASE/PRESET is missing" run
bad "unexpected argument 'extra'" run "$ball" extra
bad "unknown option '--sovler'; did you mean '--solver'?" run "$ball" --sovler rk4_henon
bad "unknown option '-x'" run "$ball" -x
bad "option --solver requires a value" run "$ball" --solver
bad "but is followed by '--json'" run "$ball" --solver --json
bad "option --json takes no value" run "$ball" --json=yes
bad "option --solver is given twice" run "$ball" --solver rk4_henon --solver rk45_bisection
bad "option --json is given twice" run "$ball" --json --json
bad "parameter 'e' is set twice" run "$ball" --set e=1 --set e=0
bad "contradict" run "$ball" --quiet --all-events
bad "unknown case 'rolller'; did you mean 'roller'?" run rolller/I/A
bad "unknown case ''" run ""
bad "has no preset 'IV/CC'; did you mean" run roller/IV/CC
bad "unknown solver 'rk4_hennon'; did you mean 'rk4_henon'?" run "$ball" --solver rk4_hennon
bad "solver 'newton' solves planar impacts" run "$ball" --solver newton
bad "has no parameter 'kk'" run roller/I/A --set kk=1
bad "expected NAME=VALUE" run roller/I/A --set k
bad "outside its range (0, inf) N/m" run roller/I/A --set k=-1
bad "outside its range [0, 1]" run "$ball" --set e=2
beam=rotating-beam/main
for value in 0 17 -1 2.5 1e30; do
    bad "parameter 'N' = $value is outside its range {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16} (number of modes)" \
        run "$beam" "--set=N=$value"
done
bad "parameter 'N': 'three', character 1: unknown name; expected a number such as" run "$beam" --set N=three
bad "the stop must meet the beam: x_p <= l" run "$beam" --set x_p=0.41
bad "the stop must meet the beam: x_p <= l" run "$beam" --set l=0.2 --set x_strain=0.1
bad "strain must be measured on the beam: x_strain <= l" run "$beam" --set x_strain=0.41
for name in x_p eps theta_s; do
    for value in 0 -1e-6; do
        bad "parameter '$name' = $value is outside its range (0, inf)" run "$beam" "--set=$name=$value"
    done
done
bad "angle of the stop; assumed. The beam starts at 0" run "$beam" --set theta_s=-0.5
for value in nan inf -inf 1e999 many 1/0 "" 0x10 "1 2" "sqrt(-1)"; do
    bad "parameter 'k'" run roller/I/A "--set=k=$value"
done
bad "is not after its start" run "$ball" --until -1
bad "is not after its start" run "$ball" --until 0
bad "end of the run" run "$ball" --until nan
for option in --rtol --step --event-tol; do
    for value in -1e-9 0 nan inf many; do
        bad "option $option" run "$ball" "$option" "$value"
    done
done
bad "outside (0, 1)" run "$ball" --rtol 1
bad "steps until t" run "$ball" --solver rk4_henon --step 1e-300
for value in -1 1 1.5 1e12 nan many; do
    bad "is not an integer from 2 to" run "$ball" --json --samples "$value"
done
bad "requires --trajectory FILE or --json" run "$ball" --samples 5
bad "cannot write 'no-such-folder/a.csv': No such file or directory" run "$ball" --trajectory no-such-folder/a.csv
bad "it is a folder" run "$ball" --trajectory .
bad "Not a directory" run "$ball" --trajectory ball.csv/a.csv
bad "'case' is not a list; did you mean 'cases'?" list case
bad "none of the presets matches 'roller/V/*'" list presets 'roller/V/*'
bad "unknown option '--digit'; did you mean '--digits'?" certify "$ball" --digit 3
for value in 0 -3 1.5 1e9 none; do
    bad "option --digits" certify "$ball" --digits "$value"
done
bad "64 bits are not enough for 30 digits" certify "$ball" --digits 30 --max-precision 64
bad "outside its range" certify "$ball" --set e=2
bad "no case or preset matches" verify 'no-such-*'
bad "no solver matches" verify --solver 'no-such-*'
bad "no solver of this project matches 'cvode_*'" verify --own --solver 'cvode_*'
bad "name the same file" verify --json same --junit same
bad "cannot write" verify --json no-such-folder/a.json
bad "unknown study 'rigid-limits'; did you mean 'rigid-limit'?" study rigid-limits
# What is certified: not what no proof can begin, and not what waits for a time.
cat >cam.yaml <<'YAML'
parameters: {m: 0.3 kg, k: 5000 N/m, g: 9.81 m/s^2, L: 10 mm, omega: 50pi rad/s, e: 0.3}
definitions: {s: L/2*(1 - cos(omega*t))}
states: {y: m, v: m/s}
flow: {y: v, v: -g - k*y/m}
elements: {cam: {stop: {gap: y - s, restitution: e}}}
presets: {default: {until: 0.1 s}}
YAML
sed 's/^definitions.*/definitions: {s: L*sin(omega*t) - L}/' cam.yaml >falls.yaml
cat >late.yaml <<'YAML'
parameters: {T: 0.1 s, k: 1 1/s}
states: {x: 1}
flow: {x: "k*(1 - 2*d)"}
elements: {s: {switch: {input: x, on: 1, off: 0}}, d: {delay: {input: s, time: T}}}
presets: {default: {until: 5 s}}
YAML
sed -e 's/^flow.*/flow: {y: v, v: 0 m\/s^2}/' -e 's/gap: y - s/gap: y/' cam.yaml >rests.yaml
impactcheck check rests.yaml
holds "a body at rest on a stop is certified" grep -q "certified  yes, by ball arithmetic" out
sed -i 's|v: 0 m/s^2|v: "(t/(1 s))^20*(1 m/s^2)"|' rests.yaml
impactcheck check rests.yaml
holds "a start that cannot be proved is not certified" grep -q "certified  no: undecided at the start: the side to which 'cam' departs" out
impactcheck check cam.yaml
holds "a start on a stop that rises is certified" grep -q "certified  yes, by ball arithmetic" out
impactcheck check falls.yaml
holds "a start that can be proved is certified" grep -q "certified  yes, by ball arithmetic" out
impactcheck check late.yaml
holds "a delay does not keep a case from being certified" grep -q "certified  yes, by ball arithmetic" out
sed 's/gap: y - s/gap: y - s - (6 mm)/' cam.yaml >low.yaml
impactcheck check low.yaml
holds "a stop that overlaps at the start is named" \
    grep -q "low.yaml:5:12: preset default: the start is behind the stop 'cam' by 0.006 m" err
bad "the start is behind the stop 'cam' by 0.006 m" certify low.yaml
bad "the start is behind the stop 'cam' by 0.006 m" run low.yaml --solver piecewise_linear

bad "unknown study 'nothing-like-it' (impactcheck study shows all)" study nothing-like-it
bad "unknown study ''" study ""
bad "unexpected argument 'rigid-limit'" study impulse-paths rigid-limit
bad "need the NAME of a study" study --out a.csv
bad "need the NAME of a study" study --quiet
bad "contradict each other: no table is shown" study impulse-paths --all-rows --quiet
bad "contradict each other: JSON has every row" study impulse-paths --all-rows --json
bad "unknown option '--al-rows'; did you mean '--all-rows'?" study impulse-paths --al-rows
bad "option --out: cannot write 'no-such-folder/a.csv'" study impulse-paths --out no-such-folder/a.csv
bad "option --out requires a value" study impulse-paths --out
bad "nothing to audit: give --plugin FILE, --command COMMAND, --trajectory FILE, --solver NAME or --engine NAME" audit
bad "options --plugin and --engine exclude each other" audit --plugin text.so --engine all
bad "option --phases does not go with --solver" audit --solver taylor --phases 3
bad "option --engine: engine 'odde' does not exist; did you mean 'ode'?" audit --engine odde
bad "option --engine: './' is not a program, but a folder" audit --engine ./ --scenes overlap
bad "option --scenes: there is no scene" audit --engine /bin/true --scenes no-such-scene
bad "option --thread: there is no thread" audit --engine /bin/true --thread no-such-thread
bad "neither default nor best" audit --engine /bin/true --scenes overlap --config fast
bad "option --phases does not go with --engine" audit --engine /bin/true --phases 2
bad "option --scenes does not go with --thread" audit --engine /bin/true --scenes overlap --thread all
bad "option --results does not go with --thread" audit --engine /bin/true --thread all --results x.json
bad "option --results: a file, not '-'" audit --engine /bin/true --scenes overlap --results -
bad "no thread is about /bin/true; they are about " audit --engine /bin/true --thread all
for variant in "" "a b"; do bad "the variant after ':' is a word" audit --engine "/bin/true:$variant" --scenes overlap; done
bad "'/bin/true' and '/bin/../bin/true' are the same" audit --engine /bin/true,/bin/../bin/true --scenes overlap
bad "two scenes are called 'overlap'" audit --engine /bin/true --scenes overlap,two-balls,overlap
bad "two scenes are called 'overlap'" audit --engine /bin/true --scenes all,overlap
bad "option --engine: './no-such-engine' is not a program that can be run" audit --engine ./no-such-engine:newton --scenes overlap
bad "option --scenes: there is no scene 'overlaps'" audit --engine /bin/true --scenes overlaps
printf '%s\n' 'title: A ball' 'step: -1 s' 'until: 1 s' 'material: {restitution: 2, friction: 0}' \
    'bodies: {ball: {mass: 1 kg, sphere: 1 m}}' 'figures: {y: {measure: ball.y, is: 0 m, tolerance: 1 m, because: b}}' >ball.yaml
bad "option --scenes: ./ball.yaml:2:7: step = -1 s: a step must be positive" audit --engine /bin/true --scenes ./ball.yaml
bad "option --scenes: ./ball.yaml:4:25: restitution = 2: it must be from 0 to 1" audit --engine /bin/true --scenes ./ball.yaml
sed -i 's/-1 s/1 s/; s/restitution: 2/restitution: 0/; s/tolerance: 1 m/tolerance: 0 m/' ball.yaml
bad "./ball.yaml:6:52: figure 'y': tolerance = 0 m: it must be positive and finite" audit --engine /bin/true --scenes ./ball.yaml
bad "option --plugin: 'no-such-file.so' cannot be read" audit --plugin no-such-file.so
echo "no library" >text.so
bad "option --plugin: 'text.so': the file is not a shared library" audit --plugin text.so
for value in -1 0 nan many; do bad "option --time-limit" audit --seed 1 --plugin text.so --time-limit "$value"; done
rm text.so
bad "unknown law 'hunt-crossly'; did you mean 'hunt-crossley'?" law hunt-crossly
bad "unknown law 'nothing-like-it' (impactcheck law shows all)" law nothing-like-it
bad "unknown law ''" law ""
bad "unexpected argument 'hertz'" law flores hertz
for option in --set --mass --speed --curve; do
    bad "option $option needs the NAME of a law" law "$option" K=1
done
bad "option --quiet needs the NAME of a law" law --quiet
for option in --mass --speed; do
    for value in -1 0 nan inf many 1e999; do
        bad "option $option" law flores "$option" "$value"
    done
done
bad "law 'flores' has no parameter 'KK'; did you mean 'K'? (impactcheck list laws --long shows all)" law flores --set KK=1
bad "law 'hertz' has no parameter 'e'" law hertz --set e=1/2
bad "expected NAME=VALUE" law flores --set K
bad "parameter 'e' is set twice" law flores --set e=1 --set e=1/2
bad "parameter 'e' = 0 is outside its range (0, 1] (" law flores --set e=0
bad "outside its range (0, inf) N/m^n (stiffness)" law flores --set K=-1
for value in nan inf many 1/0 "" 2*n; do
    bad "expected a number such as 0.1, 3/2, 80pi or 5.06e5" law flores "--set=K=$value"
done
bad "law 'gonthier', damping: '(1 - e^2)/e' is not finite" law gonthier --set e=1e-320
bad "beyond the range of double precision" law flores --mass 1e300 --speed 1e300
bad "option --curve: law 'hertz' has no parameter e" law hertz --curve a.csv
bad "option --curve: cannot write 'no-such-folder/a.csv'" law flores --curve no-such-folder/a.csv
bad "outside its range" law flores --set e=2 --curve a.csv
if ((EUID != 0)); then
    mkdir closed && chmod 500 closed
    bad "Permission denied" run "$ball" --trajectory closed/a.csv
else
    echo "skipped a folder that is closed: root may write into it"
fi

# ---- failures of a solver or of the program: exit status 3
status=0
"$command" run "$ball" --json >/dev/full 2>err || status=$?
holds "standard output is full: exit status 3" test "$status" -eq 3
holds "and a message" contains err "standard output could not be written"
impactcheck run "$ball" --trajectory /dev/full
holds "the trajectory's disk is full: exit status 3" test "$status" -eq 3
status=0
"$command" run "$ball" --json >&- 2>err || status=$?
holds "standard output is closed: exit status 3" test "$status" -eq 3
status=0
{ "$command" run roller/III/C --json 2>err || echo "$?" >piped; } | head -n 1 >/dev/null
holds "the reader has gone: ended by SIGPIPE, as others" grep -qx 141 piped
holds "and no message" test ! -s err

{ "$command" verify bouncing-ball/drop --quiet --json /dev/stdout 2>err || echo "$?" >piped; } | true
holds "the reader of a file has gone: a message" contains err "cannot write '/dev/stdout': Broken pipe"

# ---- a limit on file size
mkdir limited
status=0
(ulimit -f 4 && cd limited && "$command" run "$ball" --trajectory a.csv --samples 2000 >../out 2>../err) || status=$?
holds "the limit on file size: exit status 3" test "$status" -eq 3
holds "and a message" contains err "cannot write 'a.csv': the limit on file size was reached"
holds "and nothing is left" bash -c "[[ -z \$(ls -A limited) ]]"
status=0
(ulimit -f 4 && "$command" list --json >limited/out 2>err) || status=$?
holds "the limit on file size, standard output: exit status 3" test "$status" -eq 3
holds "and a message" contains err "standard output could not be written: the limit on file size was reached"
status=0
(ulimit -f 40 && cd limited && "$command" sweep roller/III/C --vary c=450e3:550e3:4000 --keep 4 --out s.csv >../out 2>../err) || status=$?
holds "the limit on file size, a sweep: exit status 3" test "$status" -eq 3
holds "and a message" contains err "cannot write 's.csv.part': the limit on file size was reached; its contents are kept, and --resume continues"

# ---- a trajectory as HDF5: read back, it is that of CSV
same_rows() { # FILE.csv FILE.h5: each column is a data set with its numbers; modes have names
    python3 - "$1" "$2" <<'END'
import array, csv, re, subprocess, sys
def dump(*what):
    return subprocess.run(["h5dump", *what, sys.argv[2]], check=True, capture_output=True, text=True).stdout
rows = list(csv.DictReader(open(sys.argv[1])))
names = re.findall('"(.*?)"', re.search("DATA {(.*?)}", dump("-a", "/mode/names"), re.S)[1])
for column in rows[0]:
    dump("-d", "/" + column, "-b", "LE", "-o", "column.bin")
    values = array.array("i" if column == "mode" else "d", open("column.bin", "rb").read())
    texts = [names[v] if v >= 0 else "" for v in values] if column == "mode" else map(repr, values)
    assert [r[column] if column == "mode" else repr(float(r[column] or "nan")) for r in rows] == list(texts), column
END
}
for preset in bouncing-ball/lively planar-bar/kappa-1 roller/III/C; do
    "$command" run "$preset" --samples 30 --trajectory same.csv --quiet
    good "run $preset: HDF5" run "$preset" --samples 30 --trajectory same.h5
    holds "HDF5 of $preset: rows and columns are those of CSV" same_rows same.csv same.h5
done
for unit in t=s x2=m v2=m/s contact_force=N; do
    h5dump -a "/${unit%=*}/unit" same.h5 >units
    holds "the unit of ${unit%=*} is an attribute" contains units "\"${unit#*=}\""
done
sed -i '3s/[0-9]/9&/' same.csv
if same_rows same.csv same.h5 2>err; then not_ok "planted: another number is found"; else ok "planted: another number is found"; fi
impactcheck run bouncing-ball/lively --samples 30 --trajectory again.h5
impactcheck run bouncing-ball/lively --samples 30 --trajectory again-2.h5
holds "HDF5: the same run, the same bytes" cmp again.h5 again-2.h5
mkfifo pipe.h5
bad "'pipe.h5' is not a regular file, which HDF5 requires" run "$ball" --trajectory pipe.h5
status=0
(ulimit -f 4 && cd limited && "$command" run "$ball" --trajectory big.h5 --samples 2000 >../out 2>../err) || status=$?
holds "HDF5 beyond the limit on file size: exit status 3" test "$status" -eq 3
holds "and a message" contains err "cannot write 'big.h5': the limit on file size was reached"
holds "and nothing is left" test ! -e limited/big.h5

# ---- symbolic links of outputs stay, and what they lead to is written, whether it exists or not
mkdir links targets
ln -s ../targets/new.csv links/new.csv
ln -s new.csv links/chain.csv
good "a chain of links that leads to nothing yet" run "$ball" --trajectory links/chain.csv --samples 2
holds "the links stay, and the target is there" test -L links/chain.csv -a -L links/new.csv -a -s targets/new.csv -a ! -L targets/new.csv
ln -s ../targets/sweep.csv links/sweep.csv
good "sweep: a link is followed" sweep "$ball" --vary h=1:2:3 --out links/sweep.csv
holds "sweep: the link stays, and the target is there" test -L links/sweep.csv -a -s targets/sweep.csv -a ! -L targets/sweep.csv
: >targets/sweep.csv.part
bad "'links/../targets/sweep.csv.part' exists; it belongs to an interrupted sweep" sweep "$ball" --vary h=1:2:3 --out links/sweep.csv
ln -s ring-2.csv ring-1.csv
ln -s ring-1.csv ring-2.csv
bad "Too many levels of symbolic links" run "$ball" --trajectory ring-1.csv

# ---- bytes from outside reach the terminal in words
esc=$'\033'
shows_no_controls() { # every byte of what is shown is a character or the end of a line
    ! LC_ALL=C grep -qP '[\x00-\x09\x0b-\x1f\x7f\x9b]' out err
}
hostile=$'x\033[2J\x9b\177\xc2\x9b\n\xffy'
impactcheck run "$hostile"
holds "a name on the command line" bash -c "(($status == 2)) && grep -qF 'x\\x1b[2J\\x9b\\x7f\\xc2\\x9b\\x0a\\xffy' err"
holds "is escaped" shows_no_controls
printf 't,x%s]0;owned\007,v\n0,1,0\n1,1,0\n' "$esc" >hostile.csv
impactcheck audit --trajectory hostile.csv --case roller
holds "the header of a file" bash -c "(($status == 2)) && grep -qF 'x\\x1b]0;owned\\x07' err"
holds "is escaped" shows_no_controls
impactcheck run "$ball" --trajectory "a${esc}[2J.csv" --samples 2
holds "the name of an output" bash -c "(($status == 0)) && grep -qF 'Trajectory: a\\x1b[2J.csv' out"
holds "is escaped" shows_no_controls
impactcheck sweep "$ball" --vary h=1:2:3 --out "s${esc}[2J.csv"
holds "a name in a table" bash -c "(($status == 0)) && grep -qF 's\\x1b[2J.csv' out"
holds "is escaped" shows_no_controls
printf 'no library' >"p${esc}[2J.so"
impactcheck audit --seed 1 --plugin "./p${esc}[2J.so"
holds "the name of a plugin is escaped" bash -c "(($status != 0)) && grep -qF 'p\\x1b[2J.so' out err"
holds "in all that is shown" shows_no_controls
impactcheck audit --seed 1 --command "printf 'a${esc}[2J\\n'; printf '${esc}]0;x\\007' >&2; exit 7" --case bouncing-ball/lively
holds "what a command prints is escaped" shows_no_controls
impactcheck run "bällchen–→"
holds "characters beyond ASCII are shown" contains err "'bällchen–→'"
printf 'a\033b' >out
if shows_no_controls; then not_ok "planted: a control character is found"; else ok "planted: a control character is found"; fi
rm -f ./*"$esc"*

# ---- interrupted: nothing is left behind
mkdir interrupted
"$command" run roller/III/D --until 1000 --solver rk4_henon --trajectory interrupted/a.csv >/dev/null 2>&1 &
pid=$!
for ((i = 0; i < 100; i++)); do
    [[ -n $(ls -A interrupted) ]] && break
    sleep 0.05
done
kill -TERM "$pid" 2>/dev/null
wait "$pid" 2>/dev/null
status=$?
holds "interrupted: ended by the signal" test "$status" -eq 143
holds "interrupted: nothing is left behind" test -z "$(ls -A interrupted)"

# ---- certify
good "certify" certify "$ball" --until 1.5
holds "certify tells its status" contains out "certified"
good "certify --json" certify "$ball" --until 1.5 --digits 25 --json
json "certify: status" "o['status'] == 'certified'"
json "certify: keys of events" "all({'t', 'radius', 'guard', 'from', 'to', 'seq', 'state', 'outputs'} <= set(e) for e in o['events'])"
json "certify: numbers are decimal strings with a radius" "isinstance(o['events'][0]['t'], str) and isinstance(o['events'][0]['radius'], str)"
json "certify: as many digits as asked for" "float(o['events'][0]['radius']) < 1e-24"
json "certify: contains the truth" "abs(float(o['events'][0]['t']) - math.sqrt(2/9.81)) < 1e-15"
json "certify: no extremes unless asked for" "o['outputs']['height']['max'] is None and 'undecided' not in o['outputs']['height']"
good "certify --extremes" certify "$ball" --until 1.5 --extremes
holds "certify --extremes: their table" contains out "Extremes from the start until then"
good "certify --extremes --json" certify "$ball" --until 1.5 --extremes --json
json "certify --extremes: the start is highest" "float(o['outputs']['height']['max']['value']) == 1 and o['outputs']['height']['undecided'] is None"
json "certify --extremes: lost energy" "abs(float(o['outputs']['energy']['min']['value']) - float(o['outputs']['energy']['final']['value'])) < 1e-14"
good "certify --extremes, energy that is no output" certify ball/hertz --run --extremes --json
json "certify --extremes: the stored energy" "abs(float(o['stored_energy']['max']['value']) - 0.07429515112937850) < 1e-16"
json "certify --extremes: the greatest force lies between events" "abs(float(o['outputs']['contact_force']['max']['value']) - 5258.18095799580) < 1e-10"
good "certify --extremes, a run that a tie ends" certify planar-bar/sticking --extremes --json
json "certify --extremes, both sides of a jump" "abs(float(o['outputs']['vx']['max']['value']) - 0.8) < 1e-10"
good "certify --derivative" certify "$ball" --until 1.5 --derivative e,h
holds "certify --derivative: a table for each" contains out "Derivatives by h, per m"
good "certify --derivative --json" certify "$ball" --until 1.5 --derivative e,h,v --json
json "certify --derivative: the second impact's time by e" "abs(float(o['derivatives']['e']['events'][1]['t']['value']) - 2*math.sqrt(2/9.81)) < 1e-14"
json "certify --derivative: by the start of v" "abs(float(o['derivatives']['v']['events'][0]['t']['value']) - 1/9.81) < 1e-15"
bad "has no parameter or state 'ee'" certify "$ball" --derivative ee
bad "'e' stands there twice" certify "$ball" --derivative e,g,e
bad "a proof has no place for derivatives" certify "$ball" --derivative e --proof p.proof
bad "can be combined with --variant" certify roller/II/C --orbit --derivative k
bad "is a number of parts" certify ball-chain/cradle --derivative N
bad "takes single values" certify ball-chain/cradle --derivative c1
good "run --derivative" run "$ball" --until 1.5 --derivative e --solver dop853 --json
json "run --derivative: the time of the last event by e" "abs(o['final']['state']['t_by_e'] - 2*math.sqrt(2/9.81)) < 1e-9"
bad "no derivatives: the law has no formula" run ball/tsuji --derivative R
bad "closed form of a free impact" certify ball/hertz --extremes
bad "can be combined with --variant" certify roller/II/C --orbit --extremes
good "certify --orbit" certify roller/III/C --orbit
holds "the orbit has twice the period" contains out "period 2 x 0.025 s, the smallest"
good "certify --orbit --json" certify roller/II/C --orbit --json --digits 20
json "orbit: proved" "o['status'] == 'ok' and o['stable'] and o['smallest'] and o['multiple'] == 1"
json "orbit: digits" "float(o['state']['x2']['radius']) < 1e-20 and len(o['multipliers']) == 5"
good "certify, a flow that is not affine" certify roller/law --until 0.04 --digits 20 --json
json "certify, a flow that is not affine: status" "o['status'] == 'certified' and [e['guard'] for e in o['events']] == ['touch-down', 'separation']"
json "certify, a flow that is not affine: events with radii and outputs" "all(float(e['radius']) < 1e-20 and e['outputs'] for e in o['events'])"
cat >tie.yaml <<'YAML'
parameters: {a: 1 m, b: 2 m, c: 1 m/s}
states: {x: {unit: m, start: a}, y: {unit: m, start: b}}
flow: {x: -c, y: -2*c}
until: {one: {falls: x, then: {x: a}}, two: {falls: y, then: {y: b}}}
presets: {default: {until: 1.5 s}}
YAML
impactcheck certify tie.yaml
holds "a tie: a setting that decides it is named" grep -q -- '--set a=1.001 the run is certified to its end' err
good "that setting decides it" certify tie.yaml --set a=1.001
sed 's/^parameters.*/parameters: {a: 1 m}\ndefinitions: {b: 2*a, c: a\/(1 s)}/' tie.yaml >always.yaml
impactcheck certify always.yaml
holds "a tie with any value: none is named" bash -c "grep -q simultaneous err && ! grep -q -- --set err"
good "certify, a law without a closed form" certify ball/lee-wang-2 --json
json "certify, a law without a closed form: its run" "o['status'] == 'certified' and o['events'][-1]['guard'] == 'separation'"
good "certify --orbit, a contact-force law" certify roller/law --variant hunt-crossley --set F_w=30000 --orbit --json --digits 10
json "orbit on a law: proved" "o['status'] == 'ok' and o['stable'] and o['smallest'] and not o['unstable'] and o['events'] == 2"
good "certify --orbit, a cycle" certify "$cases/../examples/machines/stick-slip.yaml" --orbit --json
json "cycle: proved, with its period" "o['status'] == 'ok' and o['stable'] and o['after'] == 'belt stops slipping' and float(o['time']['radius']) < 1e-13 and 'period' not in o"
impactcheck certify "$ball" --orbit --json
json "certify --orbit, no cycle: undecided, with the reason" "o['status'] == 'undecided' and 'no cycle' in o['reason']"
holds "certify --orbit, no cycle: not proved" bash -c "(($status == 1)) && grep -q 'no cycle with events was found' err"
good "certify --doubling" certify roller/III/C --doubling F_w=58752:58754 --digits 8
holds "the value at which the period doubles" contains out "58752.999226"
holds "the orbit of twice the period" contains out "period 2 x 0.025 s, the smallest"
good "certify --doubling --json" certify roller/III/C --doubling F_w=58752:58754 --digits 8 --json
json "doubling: proved" "o['status'] == 'ok' and abs(float(o['value']['value']) - 58752.99922624612) <= float(o['value']['radius']) < 1e-6"
json "doubling: the multiplier passes -1" "float(o['multiplier_to']['value']) < -1 < float(o['multiplier_from']['value']) and float(o['rate']['value']) < 0"
json "doubling: the orbit of twice the period" "o['doubled']['multiple'] == 2 and o['doubled']['smallest']"
impactcheck certify roller/III/C --doubling F_w=58750:58751 --digits 8 --json
holds "no doubling in the interval: not proved" bash -c "(($status == 1)) && grep -q 'not proved to have passed -1' err"
json "no doubling: undecided, with the reason" "o['status'] == 'undecided' and 'passed -1' in o['reason'] and o['doubled'] is None"
bad "is not of the form NAME=FROM:TO" certify roller/III/C --doubling F_w=58750
bad "is not of the form NAME=FROM:TO" certify roller/III/C --doubling F_w=1:2:3
bad "doubling sets parameter 'F_w'" certify roller/III/C --doubling F_w=58750:58751 --set F_w=2
bad "the interval of the parameter is empty" certify roller/III/C --doubling F_w=58750:58750
bad "the period follows from 'omega'" certify roller/III/C --doubling omega=300:310
impactcheck certify roller/III/C --doubling F_w=58000:60000 --digits 8 --time-limit 1 --json
json "doubling within a time" "o['status'] == 'undecided' and 'the time limit' in o['reason']"
impactcheck certify roller/III/C --orbit --digits 900 --time-limit 1 --json
json "orbit within a time" "o['status'] == 'too_much_work' and 'the time limit' in o['reason'] and 'state' not in o"
bad "is not forced" certify "$ball" --doubling e=0.1:0.2
bad "option --doubling can be combined with" certify roller/III/C --doubling F_w=58750:58751 --orbit
bad "can be combined with --variant" certify roller/II/C --orbit --until 1
good "certify, a contact law" certify ball/C1/0.5000 --digits 20
holds "certify, a contact law: the path" contains out "Path in the phase plane"
for variant in hertz kelvin-voigt kelvin-voigt-B liu gonthier-exact bai-zhao improved; do
    good "certify, law $variant" certify ball/hertz --variant "$variant" --json
    json "certify, law $variant: answers with radii" "o['status'] == 'certified' and set(o['outputs']) == {'restitution', 'peak_force', 'peak_indentation', 'duration'} and all(float(x['final']['radius']) <= 1e-14*float(x['final']['value']) for x in o['outputs'].values())"
    json "certify, law $variant: parameters are exact" "o['parameters']['c_r']['exact'] == '0.8' and o['parameters']['m']['exact'] == '4/3*pi*R^3*7800'"
done
good "certify, stated restitution" certify ball/gonthier-exact --set c_r=1/3 --json
json "certify, stated restitution: it comes out" "abs(float(o['outputs']['restitution']['final']['value']) - 1/3) < 1e-15"
json "certify, stated restitution: the path ends there" "o['path'][0]['u']['value'] == '1.00000000000000000' and abs(float(o['path'][-1]['u']['value']) + 1/3) < 1e-15 and o['path'][-1]['d']['value'] == '0'"
good "certify, it never opens" certify ball/kelvin-voigt --set c=1e9 --json
json "certify, it never opens: no duration" "not o['opens'] and o['outputs']['duration']['final'] is None and o['outputs']['restitution']['final']['value'] == '0'"
good "certify --run, a free impact in time" certify ball/hertz --run --digits 20 --json
json "certify --run: the duration" "abs(float(o['events'][-1]['t']) - 0.000207934147171402758) < 1e-20"
bad "option --run: 'roller' is no free impact" certify roller/law --run
bad "option --time-limit: 'soon' is not an integer" certify roller/law --time-limit soon
bad "option --until: the closed form of a free impact" certify ball/hertz --until 1
bad "option --orbit: the closed form of a free impact" certify ball/hertz --orbit
impactcheck certify ball/hertz --quiet
holds "certify --quiet, a contact law: says nothing" bash -c "(($status == 0)) && [[ ! -s out && ! -s err ]]"
good "certify, the beam" certify rotating-beam/main --until 0.081 --digits 12
holds "certify, the beam: certified" bash -c "grep -q 'each proved; proved complete' out && grep -q 'Status: certified' out"
good "certify, the beam: --json" certify rotating-beam/main --until 0.081 --digits 15 --json
json "certify, the beam: status" "o['status'] == 'certified'"
json "certify, the beam: events with radii" "[e['guard'] for e in o['events']][:3] == ['torque-end', 'touch-down', 'transition'] and all(float(e['radius']) < 1e-15 for e in o['events'])"
json "certify, the beam: parameters are exact" "o['parameters']['l']['exact'] == '0.4' and o['parameters']['l']['value'].strip('0') == '.4'"
json "certify, the beam: the first touch-down" "abs(float(o['events'][1]['t']) - 0.0806946124087013) < 1e-15"
good "certify, the beam on another law" certify rotating-beam/main --variant flores --until 0.0815 --digits 8
impactcheck certify rotating-beam/main --set n=1.7 --until 0.081 --digits 8
holds "certify, an exponent without a root: undecided" bash -c "(($status == 1)) && grep -q 'no fraction p/q with q <= 8' err"
impactcheck certify rotating-beam/main --time-limit 1 --digits 60
holds "certify --time-limit: ends, with what is proved" bash -c "(($status == 3)) && grep -q 'time limit is reached' err"
impactcheck certify rotating-beam/main --orbit
holds "certify --orbit, the beam: no cycle" bash -c "(($status == 1)) && grep -q 'no cycle with events was found' err"
bad "outside its range" certify rotating-beam/main --set N=17
impactcheck certify rotating-beam/first-model --quiet --until 0.02 --digits 5
holds "certify --quiet, the beam: says nothing" bash -c "(($status == 0)) && [[ ! -s out && ! -s err ]]"
impactcheck certify bouncing-ball/drop --until 2
holds "certify, accumulation: the limit, and what follows it" bash -c "(($status == 0)) && grep -q 'flight -> rest' out"

# ---- verify: the planted request for one case
impactcheck verify 'bouncing-ball*' --json v.json --junit v.xml --markdown v.md
holds "verify: exit status 0 or 1" test "$status" -le 1
holds "verify: files are written" test -s v.json -a -s v.xml -a -s v.md
cp v.json out
json "verify --json: rows and summary" "len(o['rows']) == sum(o['summary'].values()) > 0"
json "verify --json: where it comes from" "o['machine']['version'] and o['machine']['compiler']"

# what is printed: no rows, no line that is wider than 120 columns, the verdict in the last line; -v has the rows and the errata
bad "option --in-place needs a file FILE.yaml with the name of a built-in case" verify two-mass --in-place
sed 's|flight: k/c\*x_f|flight: 2*k/c*x_f|' "$cases/roller.yaml" >roller.yaml
holds "a case with a wrong output" bash -c "! cmp -s '$cases/roller.yaml' roller.yaml"
impactcheck verify roller.yaml/I/A --in-place --solver dop853 -v
holds "verify --in-place: the wrong output is named" grep -Eq '^FAIL +equations +roller/I/A ' out
holds "verify --in-place: and by nothing else" test "$(grep -c '^FAIL' out)" -eq 1
good "verify" verify two-mass --own --jobs 2
holds "verify: the verdict is the last line" bash -c "tail -n 1 out | grep -Eq '^All good: [0-9]+ passed, 1 erratum, [0-9]+ skipped$'"
holds "verify: few lines, none too wide" bash -c "[[ \$(wc -l <out) -lt 40 && \$(awk 'length > 120' out | wc -l) -eq 0 ]]"
holds "verify: what skipped means, grouped" grep -q '^  enclosures on two-mass, 5 rows: ' out
holds "verify: errata in one line, with how to see them" grep -q '^1 erratum: .* -v lists them' out
holds "verify: the papers by kind" grep -Eq '^The papers: [0-9]+ statements hold; 1 misprint; [0-9]+ findings are ours; [0-9]+ are not testable$' out
good "verify -v" verify two-mass --own --solver piecewise_linear -v
holds "verify -v: rows" grep -q '^pass  *enclosures  *two-mass/example-1  *piecewise_linear' out
holds "verify -v: errata" grep -q '^Errata: ' out
holds "verify -v: the verdict is the last line" bash -c "tail -n 1 out | grep -q '^All good: '"
impactcheck verify 'bouncing-ball*' --quiet
holds "verify --quiet: says nothing" bash -c "(($status == 0)) && [[ ! -s out && ! -s err ]]"
bad "contradict each other" verify bouncing-ball --quiet -v
bad "unknown option '-v'" certify bouncing-ball/drop -v
bad "integer from 1" verify bouncing-ball --jobs 0
impactcheck verify 'ball/C1/*' --solver newton --quiet
holds "verify: a solver that no check compares is undecided" bash -c "(($status == 1)) && grep -q 'undecided: no row was judged for ball' err"

# the same bytes from one process and from four, and what is undecided is not good
impactcheck verify 'two-mass*' --own --jobs 1 --json one.json --junit one.xml
cp out one.txt
impactcheck verify 'two-mass*' --own --jobs 4 --json four.json --junit four.xml
holds "verify --jobs: the same bytes" bash -c "cmp one.json four.json && cmp one.xml four.xml && cmp one.txt out"

# ---- certify of several presets, and audits, on several processors

bad "integer from 1" certify "$ball" --jobs 0
bad "no preset matches 'two-mess/*'" certify 'two-mess/*'
bad "a file has the proof of one run" certify "$ball" two-mass/plastic --proof several.proof
impactcheck certify 'bouncing-ball/*' two-mass/plastic nothing/here --jobs 1 --json
cp out one.json && cp err one.txt
holds "certify of several: the greatest exit status" [ "$status" = 2 ]
impactcheck certify 'bouncing-ball/*' two-mass/plastic nothing/here --jobs 4 --json
holds "certify --jobs: the same bytes" bash -c "cmp one.json out && cmp one.txt err"
holds "certify of several: messages name the preset" contains err "certify: nothing/here: unknown case"
json "certify of several: an array in order" "[a.get('preset') for a in o] == ['drop', 'lively', 'elastic', 'plastic', 'plastic', None]"
json "certify of several: what has no answer has a reason" "o[-1]['subject'] == 'nothing/here' and 'unknown case' in o[-1]['reason']"
good "certify --times" certify bouncing-ball/lively two-mass/plastic --times
holds "certify --times: a table" contains out "processor time"
good "certify --times --json" certify bouncing-ball/lively --times --json
json "certify --times --json" "o[0]['seconds'] >= 0"
good "certify, the name of a preset is no pattern" certify 'roller/III/C*' --until 0.1 --json
json "certify, the name of a preset is no pattern" "o['preset'] == 'III/C*'"
impactcheck audit --solver rk4_henon --jobs 1 --json
cp out one.json
impactcheck audit --solver rk4_henon --jobs 3 --json
holds "audit --solver --jobs: the same bytes" cmp one.json out
impactcheck audit --solver rk4_henon --trap brief-ledge --times --json
json "audit --times --json" "len(o['times']) == len(o['findings']) and all(t['seconds'] >= 0 for t in o['times'])"
impactcheck verify ball/lee-wang-1 --solver piecewise_linear
holds "verify: nothing was judged" test "$status" -eq 1
holds "verify: undecided, it says" grep -q '^Undecided: no row was judged for ball' out
impactcheck verify ball/lee-wang-1 --solver piecewise_linear --quiet
holds "verify --quiet: undecided" bash -c "(($status == 1)) && [[ ! -s out ]] && grep -q 'undecided: no row was judged for ball' err"

# ---- report: of these rows, of a planted failure, of nothing
bad "impactcheck list --json" report --results no-such-folder
bad "needs --commands" report --quick
mkdir results
impactcheck list --json
cp out results/list.json
cp v.json results/verify.json
good "report" report --results results --out pages
holds "report: it tells where" contains out "pages/index.html"
holds "report: a page for each case and solver" test -s pages/case-roller.html -a -s pages/solver-taylor.html -a -s pages/report.css
holds "report: all good" grep -q 'checks pass</h1>' pages/index.html
impactcheck report --results results --out again --quiet
holds "report, again" test "$status" -eq 0
holds "report --quiet: says nothing" bash -c "[[ ! -s out && ! -s err ]]"
holds "report: the same bytes" diff -r pages again
sed '0,/"verdict": "pass"/s//"verdict": "FAIL"/' v.json >results/verify.json
impactcheck report --results results --out pages --quiet
holds "report of a failure" test "$status" -eq 0
holds "report: a planted failure stands at the top" grep -q '1 of [0-9]* checks fails</h1>' pages/index.html
good "report --commands" report --results results --commands
holds "report --commands: files and what makes them" grep -q '^bench.json.bench ' out
bad "cannot make the folder" report --results results --out v.json/pages

# ---- a report about one case: about nothing else, and over no other report
cp "$cases/../examples/machines/stops.yaml" .
cp -r pages kept
bad "holds a report about all cases" report stops.yaml --out pages
bad "holds results of all cases" report stops.yaml --results results --out other
holds "report: what is there stays, and nothing is begun" bash -c "diff -r pages kept && [[ ! -e other && ! -e stops-report ]]"
good "report of a file" report stops.yaml
holds "report of a file: its folder" contains out "stops-report/index.html"
holds "report of a file: no page of anything else" test "$(cd stops-report && echo *.html)" = "costs.html index.html results.html"
holds "report of a file: no empty boxes" test "$(cat stops-report/*.html | grep -c 'class="missing"')" -eq 0
good "report of the same file by another path" report "$PWD/stops.yaml" --out stops-report
cp stops.yaml other.yaml
bad "holds a report about" report other.yaml --out stops-report
bad "holds a report about" report --results results --out stops-report
good "report of a built-in case" report bouncing-ball
holds "report of a built-in case: all presets, no page of anything else" test "$(cd bouncing-ball-report && echo *.html)" = "costs.html index.html presets.html results.html"
bad "unknown case 'bouncing-bell'" report bouncing-bell
bad "is a preset: expected CASE or FILE.yaml" report bouncing-ball/drop
bad "is a preset: expected CASE or FILE.yaml" report stops.yaml/default
rm -r kept stops.yaml other.yaml stops-report bouncing-ball-report

# ---- run --from: rows of the trajectory begin there
impactcheck run bouncing-ball/lively --samples 11 --until 1 --trajectory from.csv --from 0.75 --quiet
holds "run --from" test "$status" -eq 0
holds "run --from: no earlier row" python3 -c "import csv; t = [float(r['t']) for r in csv.DictReader(open('from.csv'))]; assert t and min(t) >= 0.75 and max(t) == 1"
bad "requires --trajectory" run bouncing-ball/lively --from 1

# ---- run --sketch: the start, and the end behind it
good "run --sketch" run bouncing-ball/drop --sketch drop.svg --until 0.3
holds "run --sketch: whole XML" python3 -c "import xml.dom.minidom as m; m.parse('drop.svg')"
holds "run --sketch: the ball at the start, and faintly at the end" python3 -c "
import re; faint, solid = open('drop.svg').read().split('</g>', 1)
y = [[float(c) for c in re.findall(r'cy=\"([-.0-9]+)\"', part)] for part in (faint, solid)]
scale = 260/1.16                                    # from the floor to the top of the ball
assert abs(y[1][0] + 1.08*scale) < 0.01 and abs(y[0][0] + (1.08 - 9.81*0.3**2/2)*scale) < 0.01, y"
printf '%s\n' 'states: {x: 1}' 'flow: {x: 1 s^-1}' 'presets: {a: {until: 1 s}}' >bare.yaml
bad "case 'bare' has no sketch; a case file states one in 'sketch'" run bare.yaml --sketch bare.svg
good "check without a sketch" check bare.yaml
holds "check says that there is no sketch" grep -q '^  sketch  *none$' out
printf '%s\n' 'sketch: [{dot: {at: [x, sqrt(-1 - x)]}}]' >>bare.yaml
good "check with a shape that is not drawn" check bare.yaml
holds "check says which shape is not drawn" grep -q 'sketch  *1 shape, in 1; 1 of them, the first being number 1, is not drawn' out
impactcheck run bare.yaml --sketch bare.svg
holds "nothing can be drawn: exit status 3" test "$status" -eq 3 -a ! -e bare.svg

# ---- list presets CASE: those of a case
good "list presets of a case" list presets roller
holds "list presets of a case: they alone" test "$(grep -c '^roller/' out)" -eq "$(grep -c . out)"

# ---- run --plot: peaks between samples, both sides of events
good "run --plot" run roller/III/C --until 0.1 --samples 40 --plot force.svg --show contact_force
holds "run --plot: whole XML with its style" python3 -c "
import xml.dom.minidom as m; d = m.parse('force.svg'); assert d.getElementsByTagName('style')[0].firstChild.data.count('.s0')"
impactcheck run roller/III/C --until 0.1 --json
holds "run --plot: the greatest force is drawn, which no sample has" python3 -c "
import json, re; peak = json.load(open('out'))['outputs']['contact_force']['max']
path = re.search(r'class=\"line s0\" d=\"([^\"]*)', open('force.svg').read())[1]
y = [float(b) for a, b in re.findall(r'([-.0-9]+)[ ,]([-.0-9]+)', path)]
ticks = re.findall(r'<path d=\"M[0-9]+ ([.0-9]+)H', open('force.svg').read())
assert abs((float(ticks[0]) - min(y))/(float(ticks[0]) - float(ticks[1]))*5e4 - peak) < 2e-3*peak, (min(y), ticks, peak)"
good "run --plot: two over time, in a legend" run roller/III/C --until 0.1 --plot two.svg --show x2,x3
holds "run --plot: two names and one unit" grep -q '>x2, x3 / m<' two.svg
good "run --plot: one over another" run roller/III/C --until 0.1 --plot phase.svg --show x2:v2
holds "run --plot: both axes" grep -q '>x2 / m<.*' phase.svg
good "run --plot: the first state" run bouncing-ball/drop --plot first.svg
bad "x2 is in m, v2 in m/s: a figure has one unit" run roller/III/C --plot no.svg --show x2,v2
bad "'x9' is no state or output of case 'roller'; did you mean 'x2'?" run roller/III/C --plot no.svg --show x9
bad "--show requires --plot" run roller/III/C --show x2
bad "ends neither in .svg, .html nor .png" run roller/III/C --plot no.pdf
bad "would both write to standard output" run roller/III/C --plot - --json
bad "cannot write 'absent/no.svg'" run roller/III/C --plot absent/no.svg
bad "'roller/III/C'" run roller/III/C --plot roller/III/C
holds "run --plot: nothing is left behind" test ! -e no.svg
holds "run --plot: rules with values, which programs for SVG need, and a title" bash -c \
    "! grep -qE 'var\(' force.svg && grep -q '^.s0 { stroke: #1c5b9c; }' force.svg && grep -q '<text[^>]*>Vibratory roller' force.svg"
good "run --plot FILE.html" run roller/III/C --until 0.1 --plot page.html --show x2
holds "run --plot FILE.html: a page with the figure" bash -c "grep -q '<h1>Vibratory' page.html && grep -q '<svg class=\"plot\"' page.html"

PATH=$scratch impactcheck run roller/III/C --plot no.png
holds "no PNG without rsvg-convert, which is named" bash -c "(($status == 2)) && grep -q 'rsvg-convert, which is not found (Debian: librsvg2-bin)' err && [[ ! -e no.png ]]"
printf '#!/bin/sh\n[ $# = 1 ]\n' >rsvg-convert && chmod +x rsvg-convert
PATH=$scratch impactcheck run roller/III/C --until 0.1 --plot no.png
holds "no PNG of a converter that fails" bash -c "(($status == 3)) && grep -q 'rsvg-convert failed' err && [[ ! -e no.png ]]"
printf '#!/bin/sh\n/bin/cat\n' >rsvg-convert
PATH=$scratch impactcheck run roller/III/C --until 0.1 --plot figure.png
holds "a PNG is what the converter makes of the SVG" cmp <("$command" run roller/III/C --until 0.1 --quiet --plot same.svg && cat same.svg) figure.png
rm rsvg-convert
if command -v rsvg-convert >/dev/null; then
    good "run --plot FILE.png" run roller/III/C --until 0.1 --plot figure.png --show contact_force
    holds "run --plot FILE.png: a picture" bash -c "[[ \$(head -c 8 figure.png | od -An -tx1) == ' 89 50 4e 47 0d 0a 1a 0a' ]]"
else
    echo "skipped PNG: needs rsvg-convert (Debian: librsvg2-bin)"
fi
good "run --plot -: by characters" run roller/III/C --until 0.1 --samples 3 --quiet --plot - --show contact_force
# above 1.5e5 N is the peak alone, which neither a sample nor a side of an event has
holds "run --plot -: labels, ASCII alone, and the peak" bash -c \
    "grep -q '^ *2e5 |' out && grep -q '^ *t / s$' out && ! LC_ALL=C grep -q '[^ -~]' out && [[ \$(sed -n '/2e5/,/1.5e5/p' out) == *'*'* ]]"
good "run --plot -: two, by their signs" run roller/III/C --until 0.1 --quiet --plot - --show x2,x3
holds "run --plot -: a key" bash -c "grep -q '^ *\* *x2$' out && grep -q '^ *o *x3$' out"
LC_ALL=C.UTF-8 good "run --plot -: Braille where the locale has it" run roller/III/C --until 0.1 --quiet --plot - --show x2
holds "run --plot -: dots" grep -q '⣀' out
impactcheck run roller/III/C --until 0.1 --samples 40 --json
json "run --json: the peak between samples" "max(p['value'] for p in o['peaks'] if p['output'] == 'contact_force') == o['outputs']['contact_force']['max'] > 1.0001*max(s['outputs']['contact_force'] for s in o['samples'])"

# ---- certify --orbit --plot: events with their names, and a curve that closes
good "certify --orbit --plot" certify impact-oscillator/shaken --orbit --plot orbit.svg --show x:v
holds "certify --orbit --plot: events by name, and the curve closes" python3 -c "
import re; s = open('orbit.svg').read(); assert '>left<' in s and '>right<' in s and 'proved periodic orbit of 4.18879 s' in s
d = re.search(r'class=\"line s0\" d=\"([^\"]*)', s)[1]; p = re.findall(r'[-.0-9]+ [-.0-9]+', d); assert len(p) > 50 and p[0] == p[-1], (p[0], p[-1])"
good "certify --orbit --plot: a cycle" certify "$cases/../examples/machines/stick-slip.yaml" --orbit --plot cycle.svg
bad "require --orbit" certify roller/III/C --plot no.svg
bad "a figure has one orbit" certify roller/III/C roller/III/D --orbit --plot no.svg
bad "is no state or output" certify roller/III/C --orbit --plot no.svg --show nothing

# ---- audit --plot: theirs, the exact one, and the place of a finding
"$command" run bouncing-ball/lively --until 3 --samples 301 --quiet --trajectory exact.csv
awk -F, -v OFS=, 'NR > 152 { $3 += 0.1 } { print }' exact.csv >moved.csv
impactcheck audit --trajectory moved.csv --case bouncing-ball/lively --plot wrong.svg
holds "audit --plot: findings by name at their place" python3 -c "
import re; s = open('wrong.svg').read(); assert '>theirs<' in s and '>exact<' in s and '>events<' in s, s[-900:]
x = [float(a) for d in re.findall(r'class=\"marks s[0-9]\" d=\"([^\"]*)', s[:s.index('>exact<')]) for a in re.findall(r'M([.0-9]+) ', d)]
assert any(abs(a - (62 + 368*1.5/3)) < 8 for a in x) and not any(a < 236 for a in x), x"
awk -F, -v OFS=, 'NR > 152 { $3 += 0.01 } { print }' exact.csv >moved.csv
impactcheck audit --trajectory moved.csv --case bouncing-ball/lively --plot wrong.svg
holds "audit --plot: a finding without a place is named" grep -q '>energy (no one place)<' wrong.svg
good "audit --plot of right rows" audit --trajectory exact.csv --case bouncing-ball/lively --plot right.svg --show x:v
holds "audit --plot of right rows: no finding" bash -c "! grep -q '>events<' right.svg && grep -q '>exact<' right.svg"
bad "an output needs the mode" audit --trajectory exact.csv --case bouncing-ball/lively --plot no.svg --show energy
bad "option --plot does not go with --solver" audit --solver rk45_bisection --plot no.svg

# ---- sweep --plot: diagrams and maps, also from the file
good "sweep --plot: a diagram" sweep roller/III/C --vary omega=60pi:80pi:20 --record contact_force --keep 4 --out f.csv --plot f.svg
holds "sweep --plot: axes with units, and both extremes" bash -c "grep -q '>omega / rad/s<' f.svg && grep -q '>contact_force_max<' f.svg && grep -q 'roller/III/C: contact_force_min' f.svg"
# rows in one place share a mark
holds "sweep --plot: a mark for each row" python3 -c "
import re; d = re.search(r'class=\"marks s1\" d=\"([^\"]*)', open('f.svg').read())[1]; assert 78 <= d.count('M') <= 80, d.count('M')"
bad "case 'stops' has no outputs, whose peaks it would record" sweep "$cases/../examples/machines/stops.yaml" --vary omega=10:20:3 --record peak --out no.csv
good "sweep of two" sweep two-mass --vary u1=-1:1:12 --vary omega=1:10:9:log --skip 20 --keep 20 --out map.csv --plot map.svg
holds "sweep of two: periods by colour, with a key" bash -c "grep -q '>omega / rad/s<' map.svg && grep -q 'after which the states repeat' map.svg && grep -q '>none up to 7<' map.svg"
impactcheck sweep map.csv --plot again.svg
holds "sweep FILE.csv --plot: the same figure" cmp map.svg again.svg
impactcheck sweep map.csv --plot one.svg --show u3
holds "sweep FILE.csv --plot --show: levels of a column" bash -c "grep -q 'class=\"cells l0\"' one.svg && grep -q ': u3 / m<' one.svg"
impactcheck sweep map.csv --plot mode.svg --show mode
holds "sweep FILE.csv --plot --show mode" grep -q '>free<' mode.svg
python3 - <<'EOF'
import random
random.seed(1)
with open("noise.csv", "w") as f:
    f.write("# sweep of a/b\n# vary: p from 1 to 2 m, 500 values\n# vary: q from 1 to 2 m, 500 values\n"
            "# record: strobe; periods skipped: 0, kept: 1\n# units: x in m\nlane,status,p,q,period,mode,x\n")
    for i in range(250000): f.write("%d,ok,%.9g,%.9g,1,m,%.4g\n" % (i, 1 + i//500/499, 1 + i%500/499, random.random()))
open("rows-lost.csv", "w").write(open("map.csv").read().replace("\n3,ok", "\n3000,ok"))
EOF
impactcheck sweep noise.csv --plot noise.svg --show x
holds "a map of noise is below 1 MB" bash -c "(($status == 0)) && (( \$(stat -c %s noise.svg) < 1000000 && \$(stat -c %s noise.svg) > 100000 ))"
bad "its rows are not those" sweep rows-lost.csv --plot no.svg
bad "is no column of the sweep; did you mean 'u1'?" sweep map.csv --plot no.svg --show u9
bad "a map shows at most 1" sweep map.csv --plot no.svg --show u1,u3
bad "'exact.csv' is no result of impactcheck sweep" sweep exact.csv --plot no.svg
bad "is the file of an earlier sweep" sweep map.csv
bad "does not go with 'map.csv'" sweep map.csv --plot no.svg --keep 3
bad "3 parameters are varied" sweep two-mass --vary u1=-1:1:2 --vary omega=1:10:2 --vary c1=1:2:2 --out no.csv --plot no.svg
bad "is no column of the sweep" sweep two-mass --vary u1=-1:1:2 --out no.csv --plot no.svg --show u
bad "drawn from CSV" sweep two-mass --vary u1=-1:1:2 --out no.h5 --plot no.svg
bad "--show requires --plot" sweep two-mass --vary u1=-1:1:2 --out no.csv --show u1

"$command" list cases --json >sketches.json
holds "list.json has sketches" python3 -c "
import json; c = {c['name']: c for c in json.load(open('sketches.json'))['cases']}['bouncing-ball']['sketch']
assert c['preset'] == 'drop' and c['unit'] == 'm' and {'kind': 'ball', 'at': [0, 1.08], 'radius': 0.08} in c['shapes'], c"

# ---- studies
good "study lists" study
holds "one line each, and the figures of cases" bash -c "[[ \$(grep -vc / out) -eq \$('$command' list studies | wc -l) ]]"
holds "the figure of a case" contains out "bouncing-ball/rest"
good "study of a figure" study bouncing-ball/rest --out figure.csv
holds "its columns" grep -qx "points,e,x,impacts,formula" figure.csv
bad "unknown study 'bouncing-ball/rist'; did you mean 'bouncing-ball/rest'" study bouncing-ball/rist
good "study --json lists" study --json
json "study --json: names" "'impulse-paths' in [s['name'] for s in o['studies']]"
good "study, for people" study impulse-paths
holds "the table is cut" contains out "--all-rows shows them"
holds "findings stand below it" bash -c "grep -q '^Findings' out && grep -q 'kappa-100: lift-off' out"
good "study --all-rows" study impulse-paths --all-rows
holds "all rows are shown" bash -c "! grep -q 'all-rows shows them' out"
good "study --out" study impulse-paths --out paths.csv
holds "no temporary file is left by it" bash -c "! ls -A | grep -q '^paths.csv.'"
holds "header of the study" bash -c "[[ \$(head -n 1 paths.csv) == curve,event,mode,tau,P_x,P_y,v_x,v_y ]]"
good "study --json" study impulse-paths --json
json "study --json: keys" "set(o) == {'study', 'title', 'question', 'columns', 'rows', 'findings'}"
json "study --json: rows fit columns" "all(len(r) == len(o['columns']) for r in o['rows']) and len(o['findings']) > 0"
json "CSV and JSON are the same doubles" "[[float(c) if c else None for c in r[3:]] for r in list(__import__('csv').reader(open('paths.csv')))[1:]] == [r[3:] for r in o['rows']]"
json "the numbers are the paper's: Stronge lifts off at 0.651 m/s" "abs([r for r in o['rows'] if r[0] == 'stronge'][-1][7] - 0.651) < 5e-4"
impactcheck study impulse-paths --out quiet.csv --quiet
holds "study --quiet says nothing" bash -c "(($status == 0)) && [[ ! -s out && ! -s err ]]"
holds "and still writes the file" cmp -s paths.csv quiet.csv
impactcheck study impulse-paths --out /dev/stdout --quiet
holds "a study on standard output" cmp -s paths.csv out
if [[ -w /dev/full ]]; then
    impactcheck study impulse-paths --out /dev/full
    holds "the study's disk is full: exit status 3" test "$status" -eq 3
fi

# ---- laws
good "law lists" law
holds "one line for each law" bash -c "[[ \$(wc -l <out) -eq \$('$command' list laws | wc -l) ]]"
holds "with formula and source" grep -qE '^hunt-crossley +F = K d.n .* a = 3/2\*\(1 - e\) +Hunt & Crossley 1975$' out
good "law --json lists" law --json
json "law --json: names" "'hertz' in [l['name'] for l in o['laws']]"
good "list laws --long tells promises" list laws flores --long
holds "promises are named" contains out "Promises: continuous onset, no tension, no energy gain"
for law in $("$command" law | cut -d ' ' -f 1); do
    good "law $law" law "$law"
    good "law $law --json" law "$law" --json
    json "law $law: keys" "{'law', 'parameters', 'damping', 'restitution', 'u_peak', 'peak_indentation', 'peak_force', 'duration', 'curve'} <= set(o) and o['law'] == '$law'"
    json "law $law: the curve" "len(o['curve']) == (1000 if 'e' in o['parameters'] and o['damping'] is not None else 0)"
    json "law $law: what comes out solves the equation" "all(abs(math.log1p(c['a']) - math.log1p(-c['a']*c['e_out']) - c['a']*(1 + c['e_out'])) < 1e-9 for c in o['curve'] if c['a'] is not None and c['a'] < 10)"
done
impactcheck law hertz --set K=8 --set n=1 --mass 2 --speed 3 --json
json "law: the duration of an elastic linear impact is pi sqrt(m/K)" "abs(o['duration'] - math.pi*math.sqrt(2/8)) < 1e-9"
impactcheck law kelvin-voigt --set c=1e6 --json
json "law: no duration where the contact never opens" "o['duration'] is None"
good "law, for people" law hunt-crossley --set e=1/2 --mass 2 --speed 3
holds "parameters in use" contains out "e  1/2 = 0.5 "
holds "wanted, what comes out, and the error" contains out "prescribed 0.5: error +0.163"
holds "nine rows" bash -c "[[ \$(grep -cE '^ +0\.[1-9] ' out) == 9 ]]"
good "law hertz, in closed form" law hertz --set K=8 --set n=1 --mass 2 --speed 3 --json
json "elastic: (1/2) m v0^2 = K d^2/2" "o['restitution'] == 1 and abs(o['peak_indentation'] - 1.5) < 1e-14 and abs(o['peak_force'] - 12) < 1e-13"
good "law --curve" law gonthier --set e=1/2 --curve law.csv --json
holds "header of the curve" bash -c "[[ \$(head -n 1 law.csv) == e_in,a,e_out ]]"
holds "no temporary file is left by the curve" bash -c "! ls -A | grep -q '^law.csv.'"
json "curve: CSV and JSON are the same doubles" "[[float(c) for c in r] for r in list(__import__('csv').reader(open('law.csv')))[1:]] == [[c['e_in'], c['a'], c['e_out']] for c in o['curve']]"
json "the curve has the point asked for" "[c for c in o['curve'] if c['e_in'] == 0.5] == [{'e_in': 0.5, 'a': o['damping'], 'e_out': o['restitution']}]"
impactcheck law gonthier --curve quiet-law.csv --quiet
holds "law --quiet says nothing" bash -c "(($status == 0)) && [[ ! -s out && ! -s err ]]"
holds "and still writes the curve" cmp -s law.csv quiet-law.csv
if [[ -w /dev/full ]]; then
    impactcheck law gonthier --curve /dev/full
    holds "the curve's disk is full: exit status 3" test "$status" -eq 3
fi

# ---- sweep
few=(sweep roller/III/C --vary c=450e3:550e3:150 --skip 5 --keep 4)
good "sweep, for people" "${few[@]}" --out sweep.csv --threads 1
holds "sweep: the summary counts parameter sets" bash -c "grep -qE '^ +parameter sets +150$' out && grep -qE '^ +events +[0-9]+' out && grep -qE 'sets/s' out"
holds "sweep: lines that say what was asked" bash -c "grep -qF '# vary: c from 450000 to 550000 N s/m, 150 values' sweep.csv && grep -qF '# units: x2 in m, v2 in m/s' sweep.csv"
holds "sweep: the columns" bash -c "[[ \$(grep -v '^#' sweep.csv | head -n 1) == lane,status,c,period,mode,x2,v2,x3,v3,x_f ]]"
holds "sweep: a row for each period kept" bash -c "[[ \$(grep -c ',ok,' sweep.csv) == 600 ]]"
holds "sweep: FILE.part has become FILE" test ! -e sweep.csv.part
for threads in 2 3; do
    impactcheck "${few[@]}" --out threads.csv --threads "$threads" --quiet
    holds "sweep: the same file with $threads threads" cmp -s sweep.csv threads.csv
done
holds "sweep --quiet says nothing" bash -c "(($status == 0)) && [[ ! -s out && ! -s err ]]"
good "sweep --json" "${few[@]}" --out json.csv --json
json "sweep --json: counts" "o['lanes'] == 150 and o['status'] == {'ok': 150} and o['lanes_by_fallback'] >= 0 and o['events'] > 0 and o['file'] == 'json.csv'"
"$command" run roller/III/C --set c=550e3 --until '9*2*pi/omega' --samples 10 --json >out
json "sweep: a strobe is the state of run" "all(abs(float(r) - o['samples'][9]['state'][n]) <= 1e-12 for n, r in zip(['x2', 'v2', 'x3', 'v3', 'x_f'], open('sweep.csv').read().split()[-1].split(',')[5:]))"
good "sweep of two parameters, of an output" sweep roller/III/C --vary k=1e8:2e8:2 --vary omega=60pi:80pi:3 --record contact_force --keep 2 --out grid.csv --json
holds "the first one varies slowest" bash -c "[[ \$(grep -v '^#' grid.csv | cut -d , -f 1-5 | sed -n '1p;2p;4p;8p' | paste -sd ' ') == 'lane,status,k,omega,period 0,ok,100000000,188.49555921538757,1 1,ok,100000000,219.91148575128551,1 3,ok,200000000,188.49555921538757,1' ]]"
good "sweep of peaks, of a variant on a law" sweep ball --variant hunt-crossley --vary c_r=0.5:0.9:3 --record peak --out peaks.csv --json
holds "a row for each set" bash -c "[[ \$(grep -vc '^#' peaks.csv) == 4 ]]"
good "sweep: sets that are out of range have a status" sweep roller/III/C --vary c=-1:500e3:2 --out invalid.csv
holds "and are told" bash -c "grep -qE '^ +invalid +1: ' out && grep -q '^0,invalid,-1,1,,,,,,$' invalid.csv && grep -q '^1,ok,' invalid.csv"
unstable=(sweep roller/III/C --solver rk4_henon --skip 50 --keep 4 --out unstable.csv)
good "sweep: a set that its solver cannot follow has a status" "${unstable[@]}" --step 0.002 --vary c=5e5:5e8:2
holds "with what it was" bash -c "grep -qE '^ +not_finite +1: ' out && grep -qE '^ +the first +set 1: .* at t = ' out && grep -q '^1,not_finite,500000000,54,,,,,,$' unstable.csv"
impactcheck "${unstable[@]}" --step 0.005 --vary c=5e6:5e7:2
holds "sweep: no set solved to the end: exit status 3, and the table is there" \
    bash -c "(($status == 3)) && grep -q 'no parameter set was solved to the end' err && [[ \$(grep -c not_finite unstable.csv) == 8 ]]"
good "sweep: a column named as a parameter" sweep two-mass --vary u1=-1:1:2 --out names.csv
holds "the parameter's column is told apart" bash -c "grep -v '^#' names.csv | head -n 1 | grep -q '^lane,status,par.u1,period,mode,u1,'"

long=(sweep roller/III/C --vary c=450e3:550e3:4000 --skip 1000 --keep 4)
"$command" "${long[@]}" --out whole.csv --quiet
interrupt() { # SIGNAL FILE: the long sweep, ended by a signal once some chunks are in its part
    "$command" "${long[@]}" --out "$2" --quiet 2>err &
    local pid=$! tries=0
    while [[ $(stat -c %s "$2.part" 2>/dev/null || echo 0) -lt 100000 ]] && ((tries++ < 600)); do sleep 0.02; done
    kill "-$1" "$pid"
    status=0
    wait "$pid" 2>/dev/null || status=$?
}
interrupt TERM cut.csv
holds "sweep, interrupted: ended by the signal" test "$status" -eq 143
holds "it says what is kept, and how to go on" bash -c "grep -qE 'interrupted: [0-9]+ of 4000 parameter sets are kept in .cut.csv.part.; the same command with --resume continues' err"
holds "the file itself is not there" test ! -e cut.csv
bad "'cut.csv.part' exists; it belongs to an interrupted sweep" "${long[@]}" --out cut.csv
bad "'cut.csv.part' belongs to another request: it has '# vary: c from 450000 to 550000 N s/m, 4000 values', this one '# vary: c from 450000 to 550000 N s/m, 4001 values'" \
    sweep roller/III/C --vary c=450e3:550e3:4001 --skip 1000 --keep 4 --out cut.csv --resume
bad "belongs to another request" "${long[@]}" --set k=1e8 --out cut.csv --resume
cp cut.csv.part kept.copy
changed_at() { # BYTE: cut.csv.part is as it was, but for one digit in a line of a parameter set
    cp kept.copy cut.csv.part
    local at
    at=$(tail -c "+$1" kept.copy | grep -obE '[0-9],0[.][0-9]{5}' | head -n 1 | cut -d : -f 1)
    printf '%s' "$(($(tail -c "+$(($1 + at + 4))" kept.copy | head -c 1) ^ 1))" |
        dd of=cut.csv.part bs=1 seek="$(($1 + at + 3))" conv=notrunc status=none
}
changed_at 3000
holds "one digit is changed" bash -c "[[ \$(cmp -l kept.copy cut.csv.part | wc -l) == 1 ]]"
bad "'cut.csv.part' is damaged: parameter sets 0 to 63, from byte" "${long[@]}" --out cut.csv --resume
changed_at 40000
bad "are damaged (checksum); 'truncate -s " "${long[@]}" --out cut.csv --resume
holds "a damaged part is left as it is" bash -c "[[ \$(cmp -l kept.copy cut.csv.part | wc -l) == 1 ]]"
eval "$(grep -o "truncate -s [0-9]* cut.csv.part" err)"
good "cut off as the message says, the sweep goes on" "${long[@]}" --out cut.csv --resume
holds "and gives the same bytes" cmp -s whole.csv cut.csv
cp kept.copy cut.csv.part
size=$(stat -c %s cut.csv.part)
printf 'x' | dd of=cut.csv.part bs=1 seek="$((size - 40))" conv=notrunc status=none
good "a byte changed in the last chunk: that chunk is computed anew" "${long[@]}" --out cut.csv --resume
holds "and the bytes are the same" cmp -s whole.csv cut.csv
cp kept.copy cut.csv.part
good "sweep --resume" "${long[@]}" --out cut.csv --resume
holds "it tells what was there" grep -qE '4000, [0-9]+ of them from earlier calls' out
holds "resumed: the same bytes" cmp -s whole.csv cut.csv
"$command" "${long[@]}" --out busy.csv --quiet --threads 1 &
pid=$!
for ((i = 0; i < 200; i++)); do
    [[ $(stat -c %s busy.csv.part 2>/dev/null || echo 0) -gt 0 ]] && break
    sleep 0.01
done
kill -STOP "$pid"
bad "'busy.csv.part' is in use: another sweep (process $pid) is writing it" "${long[@]}" --out busy.csv
bad "'busy.csv.part' is in use: another sweep (process $pid) is writing it" "${long[@]}" --out busy.csv --resume
kill -CONT "$pid"
wait "$pid"
holds "the first sweep is not disturbed" cmp -s whole.csv busy.csv
interrupt KILL killed.csv
printf '%s' '3999,ok,55' >>killed.csv.part # what a loss of power may leave
good "sweep --resume after SIGKILL" "${long[@]}" --out killed.csv --resume
holds "killed and resumed: the same bytes" cmp -s whole.csv killed.csv
if ! nm -D "$command" 2>/dev/null | grep -qE 'asan|tsan'; then # sanitizers reserve address space
    status=0
    (ulimit -v 300000 && "$command" sweep roller/III/C --vary c=5e5:6e5:400000 --threads 2 --out many.csv --quiet) || status=$?
    holds "memory does not grow with the number of sets: 400 000 in 300 MB" test "$status" -eq 0
    rm -f many.csv
fi
holds "no part is left" bash -c "! ls -A | grep -q 'part$'"
"$command" "${few[@]}" --out new.csv --resume >out 2>err
holds "--resume with nothing to resume begins at the beginning, and says so" \
    bash -c "grep -q 'nothing to resume' err && cmp -s sweep.csv new.csv"
good_quietly() { # NAME ARGUMENT...
    local name=$1
    shift
    impactcheck "$@" --quiet
    holds "$name" test "$status" -eq 0
}
good_quietly "HDF5" "${few[@]}" --out sweep.h5
good_quietly "HDF5, 3 threads" "${few[@]}" --out threads.h5 --threads 3
holds "HDF5: the same file with 3 threads" cmp -s sweep.h5 threads.h5
interrupt TERM cut.h5
"$command" "${long[@]}" --out whole.h5 --quiet
good "HDF5: resumed" "${long[@]}" --out cut.h5 --resume
holds "HDF5: resumed, the same bytes" cmp -s whole.h5 cut.h5
holds "HDF5: no part is left" bash -c "! ls -A | grep -q 'part$'"
for of in rows mode axes/c; do h5dump -d "/$of" -b LE -o "${of/\//-}.bin" sweep.h5 >out; done # their bytes
h5dump -a /rows/columns -a /mode/names -a /case sweep.h5 >names
holds "HDF5: what CSV has" python3 -c '
import array, csv, os, re
def numbers(name, kind):
    a = array.array(kind)
    a.fromfile(open(name, "rb"), os.path.getsize(name) // a.itemsize)
    return a
rows = [r for r in csv.DictReader(l for l in open("sweep.csv") if l[0] != "#")]
columns, modes, case = [re.findall("\"(.*?)\"", data) for data in re.findall(r"DATA {(.*?)}", open("names").read(), re.S)]
assert case[0].strip("\0\\ ") == "roller" and len(rows) == 600
values, c = numbers("rows.bin", "d"), numbers("axes-c.bin", "d")
mode = numbers("mode.bin", {600: "b", 1200: "h", 2400: "i"}[os.path.getsize("mode.bin")])
assert len(c) == 150 and len(values) == 600 * len(columns)
for i, r in enumerate(rows):
    assert [float(r[n]) for n in columns] == list(values[i * len(columns):(i + 1) * len(columns)])
    assert float(r["c"]) == c[i // 4] and r["mode"] == modes[mode[i]]'
if [[ -e $(dirname "$command")/impactcheck-mpi.so ]]; then # with IC_MPI
    for ranks in 1 3; do
        status=0
        mpirun --allow-run-as-root --oversubscribe -n "$ranks" "$command" "${few[@]}" --out ranks.csv --json >out 2>err || status=$?
        json "sweep by $ranks ranks" "o['ranks'] == $ranks and o['status'] == {'ok': 150}"
        holds "sweep: the same file by $ranks ranks" cmp -s sweep.csv ranks.csv
        rm -f ranks.csv
    done
    mpirun --allow-run-as-root --oversubscribe -n 2 "$command" "${long[@]}" --out ranks.csv --quiet >out 2>err &
    pid=$!
    for ((i = 0; i < 600; i++)); do
        [[ $(stat -c %s ranks.csv.part 2>/dev/null || echo 0) -gt 100000 ]] && break
        sleep 0.02
    done
    kill -KILL $(pgrep -P "$pid") "$pid"
    wait "$pid" 2>/dev/null
    holds "sweep by ranks, killed: a part is left" bash -c "[[ -e ranks.csv.part && ! -e ranks.csv ]]"
    status=0
    mpirun --allow-run-as-root --oversubscribe -n 3 "$command" "${long[@]}" --out ranks.csv --resume >out 2>err || status=$?
    holds "sweep by other ranks, resumed: earlier sets are kept" grep -qE '4000, [1-9][0-9]* of them from earlier calls' out
    holds "killed by ranks, resumed by others: the same bytes" cmp -s whole.csv ranks.csv
    status=0
    mpirun --allow-run-as-root --oversubscribe -n 2 "$command" "${few[@]}" --record peek --out ranks.csv >out 2>err || status=$?
    holds "sweep by ranks, bad input: exit status 2, told once" bash -c "(($status == 2)) && [[ \$(grep -c \"did you mean 'peak'\" err) == 1 ]]"
else
    OMPI_COMM_WORLD_SIZE=2 bad "built without MPI" "${few[@]}" --out ranks.csv
fi

bad "CASE/PRESET is missing" sweep
bad "option --vary is missing" sweep roller/III/C --out x.csv
bad "option --out is missing" sweep roller/III/C --vary c=1:2:3
bad "has no parameter 'omeg'; did you mean 'omega'?" sweep roller/III/C --vary omeg=1:2:3 --out x.csv
bad "NAME=FROM:TO:COUNT" sweep roller/III/C --vary c --out x.csv
bad "NAME=FROM:TO:COUNT" sweep roller/III/C --vary c=1:2 --out x.csv
bad "COUNT, '0', is not a whole number" sweep roller/III/C --vary c=1:2:0 --out x.csv
bad "FROM and TO must be positive" sweep roller/III/C --vary c=0:2:3:log --out x.csv
bad "'lin' is not a spacing" sweep roller/III/C --vary c=1:2:3:lin --out x.csv
bad "parameter 'c' is varied twice" sweep roller/III/C --vary c=1:2:3 --vary c=3:4:3 --out x.csv
bad "parameter 'c' is both set, by c=5, and varied" sweep roller/III/C --vary c=1:2:3 --set c=5 --out x.csv
bad "'c' = -1 is outside its range" sweep roller/III/C --vary c=-1:-2:3 --out x.csv
bad "did you mean 'contact_force'?" sweep roller/III/C --vary c=1:2:3 --record contact_forc --out x.csv
bad "unknown solver 'peacewise_linear'" sweep roller/III/C --vary c=1:2:3 --solver peacewise_linear --out x.csv
bad "unknown method 'skalar'; did you mean 'scalar'?" sweep roller/III/C --vary c=1:2:3 --method skalar --out x.csv
bad "option --engine is now --method" sweep roller/III/C --vary c=1:2:3 --engine=scalar --out x.csv
bad "option --keep: '0' is not" sweep roller/III/C --vary c=1:2:3 --keep 0 --out x.csv
bad "option --skip: '-1' is not" sweep roller/III/C --vary c=1:2:3 --skip=-1 --out x.csv
bad "option --threads: '0' is not" sweep roller/III/C --vary c=1:2:3 --threads 0 --out x.csv
bad "option --threads: '2000' is not" sweep roller/III/C --vary c=1:2:3 --threads 2000 --out x.csv
bad "ends neither in .csv nor in .h5" sweep roller/III/C --vary c=1:2:3 --out x.txt
bad "No such file or directory" sweep roller/III/C --vary c=1:2:3 --out no-such-folder/x.csv
bad "contradict" sweep roller/III/C --vary c=1:2:3 --out x.csv --json --quiet
mkdir folder.csv
bad "it is a folder" sweep roller/III/C --vary c=1:2:3 --out folder.csv

# ---- optimise
impactcheck optimise bouncing-ball/elastic --minimise energy --over v0=1:10 --set v0=8 --subject-to 'height:max>=2'
holds "optimise" test "$status" = 0
holds "optimise tells settings" contains out "As settings: --set v0=4.4"
good "optimise --json" optimise bouncing-ball/elastic --minimise energy --over v0=1:10 --set v0=8 --subject-to 'height:max>=2' --json
json "optimise: the least energy" "abs(o['best']['objective'] - 2 * 9.81) < 0.01 and o['best']['bounds'][0] >= 2 and o['start']['parameters']['v0'] == 8"
impactcheck optimise bouncing-ball/elastic --minimise energy --over v0=1:2 --set v0=1 --subject-to 'height:max>=9' --json
json "optimise: nothing found" "o['best'] is None and $status == 1"
bad "option --minimise is missing" optimise bouncing-ball --over v0=1:10
bad "option --over is missing" optimise bouncing-ball --minimise energy
bad "'height:top' is not an output" optimise bouncing-ball --minimise height:top --over v0=0:10
bad "v0 starts at 0, outside 1 to 10" optimise bouncing-ball --minimise energy --over v0=1:10
bad "unknown solver 'dop583'; did you mean 'dop853'?" optimise bouncing-ball --minimise energy --over v0=0:10 --solver dop583
bad "option --runs: '0' is not" optimise bouncing-ball --minimise energy --over v0=0:10 --runs 0
bad "contradict" optimise bouncing-ball --minimise energy --over v0=0:10 --json --quiet

# ---- bad input of the pneumatic mechanism
bad "the supply pressure p_s must be above the ambient pressure p_a" run pneumatic-mechanism --set p_s=9e4
bad "V_1" run pneumatic-mechanism --set V_1=-1e-5
bad "the stroke S must be longer than the cushions" run pneumatic-mechanism --set S=0.02

# ---- audit
good "rows of condition A" run roller/III/A --until 0.3 --trajectory rows.csv
good "audit of right rows" audit --trajectory rows.csv --case roller/III/A
holds "audit tells the condition" contains out "transition condition: A"
impactcheck audit --trajectory rows.csv --case roller/III/C
holds "audit of other rows fails" test "$status" = 1
holds "audit names the cause" contains out "Likely cause: adhesion-kept"
impactcheck audit --trajectory rows.csv --case roller/III/C --json
json "audit --json" "o['failed'] > 0 and any(f['cause'] == 'adhesion-kept' for f in o['findings']) and o['classifications'][0]['answer'] == 'A'"
impactcheck audit --trajectory rows.csv --case roller/III/C --quiet
holds "audit --quiet" test "$status" = 1 -a "$(wc -l <out)" = 1 -a "$(head -c 7 out)" = 'Failed:' -a ! -s err
# the verdict as a whole: good, failed, undecided
lively=bouncing-ball/lively
first_line() { # TEXT
    [[ $(head -n 1 out) == "$1"* ]]
}
failures() { # FILE: number of <failure>
    grep -o '<failure' "$1" | wc -l
}
impactcheck run "$lively" --until 3 --samples 301 --trajectory right.csv --quiet
impactcheck run "$lively" --until 3 --samples 301 --set e=0.5 --trajectory wrong.csv --quiet
impactcheck run "$lively" --until 1 --samples 2 --trajectory two.csv --quiet
# rows have the greatest force, which is between two samples and at no event
impactcheck run roller/III/C --samples 3 --trajectory peaks.csv --json
json "run: rows have the peaks" "__import__('csv') and abs(max(float(r['contact_force']) for r in __import__('csv').DictReader(open('peaks.csv'))) / o['outputs']['contact_force']['max'] - 1) < 1e-9"
good "a good audit" audit --trajectory right.csv --case "$lively" --junit g.xml --tap g.tap --markdown g.md
holds "good: the first line" first_line 'Good: '
holds "good: what was not tested is named" grep -q '^Good: .*; [0-9]* undecided: .*rest' out
holds "good: how near to its tolerance a parameter is" grep -qE 'agree with the case; the nearest to its tolerance is [eg], at [0-9.e-]+ % of it$' out
holds "good: what the rows can tell" grep -qE '^ +v .* m/s$' out
holds "good: no failure in JUnit, TAP and Markdown" test "$(failures g.xml)" = 0 -a "$(grep -c '^not ok' g.tap)" = 0 -a \
    "$(grep -c '^\*\*All good:' g.md)" = 1
impactcheck audit --trajectory right.csv --case "$lively" --json
json "good: JSON" "o['good'] is True and o['verdict'] == 'good' and o['counts']['fail'] == 0 and o['counts']['pass'] + o['counts']['open'] == len(o['findings']) and all(f['verdict'] == 'pass' for f in o['findings'] if f['needed'])"
impactcheck audit --trajectory wrong.csv --case "$lively" --junit f.xml --markdown f.md --allow-undecided
holds "failed: exit status 1, whatever is allowed" test "$status" = 1
holds "failed: the first line" first_line 'Failed: '
holds "failed: JUnit has the checks alone" test "$(failures f.xml)" -gt 0 -a "$(grep -c 'name="verdict' f.xml)" = 0
names() { # FILE: of its test cases
    grep -o '<testcase[^>]*>' "$1" | sort
}
holds "failed: the tests have the names that they have when they pass" diff <(names g.xml) <(names f.xml)
holds "failed: Markdown" grep -q '^\*\*Failed:' f.md
impactcheck audit --trajectory wrong.csv --case "$lively" --json
json "failed: JSON" "o['good'] is False and o['verdict'] == 'failed' and o['counts']['fail'] == o['failed'] > 0"
impactcheck audit --trajectory two.csv --case "$lively" --junit u.xml --tap u.tap --markdown u.md
holds "undecided: exit status 1" test "$status" = 1
holds "undecided: the first line" first_line 'Undecided: the rows do not decide '
holds "undecided: one failure in JUnit, the rest skipped" test "$(failures u.xml)" = 1 -a "$(grep -c '<skipped' u.xml)" -gt 0
holds "undecided: one failure in TAP" test "$(grep -c '^not ok .*verdict' u.tap)" = 1 -a "$(grep -c '^not ok' u.tap)" = 1
holds "undecided: Markdown" grep -q '^\*\*Undecided:' u.md
impactcheck audit --trajectory two.csv --case "$lively" --json
json "undecided: JSON" "o['good'] is False and o['verdict'] == 'undecided' and o['counts']['fail'] == 0 and o['summary'].startswith('Undecided: ')"
good "undecided, and allowed" audit --trajectory two.csv --case "$lively" --allow-undecided --junit u.xml
holds "undecided, and allowed: the first line" first_line 'Undecided: '
holds "undecided, and allowed: no failure" test "$(failures u.xml)" = 0

# engines of one's own: names, and one word for what is not judged
engine() { # FILE GRAVITY LINE: the example in a wrong gravity, which says one line more
    mkdir -p "${1%/*}"
    printf '#!/bin/sh\nsed -u "s/^gravity 0 -9.81/gravity 0 -%s/" | python3 "%s" | sed -u "/^engine/a %s"\n' \
        "$2" "$cases/../examples/engine/engine.py" "$3" >"$1"
    chmod +x "$1"
}
engine ./a/heavy 10.3 "setting heavy"
engine ./b/heavy 9.81 "setting right"
engine ./silent 10.3 "unpromised free-flight the manual"
impactcheck audit --seed 1 --engine ./a/heavy --scenes falling-ball,ball-on-ground,two-balls,ramp --config best --markdown e.md
holds "own engine: fails" test "$status" = 1
holds "own engine: the first line" first_line 'Failed: '
holds "own engine: what is not offered is called so in the first line and above its block" \
    test "$(head -n 1 out | grep -c '; 1 not offered$')$(grep -c '^not offered: ' out)$(grep -c undecided out)" = 110
holds "own engine: it is called what it says" grep -q '^small-balls-py  *best  *falling-ball  *FAIL ' out
holds "own engine: the cause names its scenes" grep -q '^Likely cause: small-balls-py, best: gravity-wrong (falling-ball.*): ' out
holds "own engine: a block has its cause" grep -q '^  likely cause: gravity-wrong$' out
holds "own engine: a block has its scene's title" grep -q '^  by A ball falls and bounces$' out
holds "own engine: Markdown has the scene" grep -q '| pass .*small-balls-py, best, two-balls |' e.md
impactcheck audit --seed 1 --engine ./a/heavy,./b/heavy --scenes two-balls --json
json "own engines of one name: as --engine takes them" \
    "[r['engine'] for r in o['results'][::2]] == ['./a/heavy', './b/heavy'] == [r['name'] for r in o['results'][::2]]"
impactcheck audit --seed 1 --engine ./a/heavy --scenes two-balls --json
json "own engine: its name, and how it is run again" "{(r['engine'], r['name']) for r in o['results']} == {('./a/heavy', 'small-balls-py')}"
impactcheck audit --seed 1 --engine ./silent --scenes falling-ball --config best
holds "own engine: what it does not promise is no excuse" test "$status$(head -n 1 out | grep -c 'not promised')" = 10
holds "own engine: the seed is told" grep -qE '^--seed [0-9]+ repeats what was drawn$' out
impactcheck audit --seed 1 --engine ./silent --scenes falling-ball --config best --lenient
holds "own engine: what is not promised is called so" \
    test "$(head -n 1 out | grep -c 'not promised')$(grep -c '^not promised: ' out)$(grep -c undecided out)" = 110
drawn() { # SEED: the settings that are played
    impactcheck audit --engine ./b/heavy --scenes overlap --config best --json --seed "$1"
    python3 -c "import json; print(json.load(open('out'))['scenes'][0]['settings'])"
}
holds "own engine: a seed repeats its settings" test "$(drawn 7)" = "$(drawn 7)" -a "$(drawn 7)" != "$(drawn 8)"
cp "${command%/*}/impactcheck-engine-planted" ./b/planted
impactcheck audit --seed 1 --engine ./b/planted:stronge --config best --quiet --json
json "own engine: it plays all scenes, one of which tells its law" \
    "[r['law'] for r in o['results'] if r['law']] == ['stronge'] and len(o['results']) > 20"
impactcheck audit --seed 1 --engine ./b/planted:newton --scenes rough-bar --config best
holds "own engine: its law is told" grep -q '^planted:newton, best: impact law newton: ' out
holds "own engine: the cause of its law's energy" grep -q '^Likely cause: planted:newton, best: newton-energy-gain (rough-bar): ' out
impactcheck audit --trajectory two.csv --case "$lively" --quiet
holds "undecided: --quiet" test "$status" = 1 -a "$(wc -l <out)" = 1 -a "$(head -c 10 out)" = 'Undecided:' -a ! -s err
impactcheck audit --trajectory right.csv --case "$lively" --quiet
holds "good: --quiet" test "$status" = 0 -a ! -s out -a ! -s err

# what rows are held to, and to which time
most_accept() { # FACTOR: that part of the accuracy from which on e is not known
    impactcheck list tolerances --json
    python3 -c "
import json
t = {t['name']: t for t in json.load(open('out'))['tolerances']}
print('%.3g' % ($1*t['noise_hides']['default']/t['restitution']['multiple']))"
}
impactcheck run "$lively" --until 3 --samples 301 --set e=0.899 --trajectory off.csv --quiet
impactcheck audit --trajectory off.csv --case "$lively" --quiet
holds "e = 0.899 for 0.9 fails" test "$status" = 1
coarse=$(most_accept 0.8)
good "--accept: e = 0.899 for 0.9" audit --trajectory off.csv --case "$lively" --accept "$coarse" --json
json "--accept, in JSON" "o['accept'] == $coarse and o['good'] is True"
impactcheck audit --trajectory right.csv --case "$lively" --accept "$(most_accept 1.2)"
holds "--accept: the message names what hides e" grep -qE '^  e is known only to [0-9.]+; a smaller --accept would decide$' out
impactcheck audit --trajectory right.csv --case "$lively" --accept 1e-4 --json
near=$(python3 -c "
import json
print('%.17g' % (0.9 - 1.00002*next(f['tolerance'] for f in json.load(open('out'))['findings'] if f['check'] == 'restitution')))")
impactcheck run "$lively" --until 3 --samples 301 --set e="$near" --trajectory near.csv --quiet
impactcheck audit --trajectory near.csv --case "$lively" --accept 1e-4 --markdown near.md
# shellcheck disable=SC2016 # the program of awk
holds "measured and tolerance that nearly agree differ in print" \
    awk '$1 == "FAIL" && $2 == "restitution" && $3 > $4 {found = 1} END {exit !found}' out
holds "they differ in Markdown" grep -qE '[|] 0[.]00[0-9]{5,} [|] 0[.]00[0-9] [|]' near.md
impactcheck audit --trajectory wrong.csv --case "$lively" --accept 1e-3 --quiet
holds "--accept: e = 0.5 for 0.9 fails all the same" test "$status" = 1
for value in 0 -1 nan 0.5 much; do bad "option --accept" audit --trajectory right.csv --case "$lively" --accept "$value"; done
bad "option --accept does not go with --solver" audit --solver taylor --accept 1e-3
bad "option --accept does not go with --plugin" audit --plugin x.so --accept 1e-3
awk -F, -v OFS=, 'NR > 1 && $1 > 2 {$3 += 1} {print}' right.csv >later.csv
impactcheck audit --trajectory later.csv --case "$lively" --quiet
holds "rows that jump after 2 s fail" test "$status" = 1
good "--until: rows to this time" audit --trajectory later.csv --case "$lively" --until 2
awk -F, 'NR == 1 || $1 > 2' right.csv >from2.csv
bad "option --until: the end must be later than the first row of 'from2.csv', t = 2.01 s" audit --trajectory from2.csv --case "$lively" --until 1
awk -F, -v OFS=, 'NR == 1 {print "t,x,v"} NR > 1 {print 1000 * $1, $3 / 0.3048, $4}' right.csv >feet.csv
good "feet, and compound units" audit --trajectory feet.csv --case "$lively" --units t=ms,x=ft,v=mm/ms
bad "'mm/ms^2' is not a unit of a quantity measured in m/s" audit --trajectory feet.csv --case "$lively" --units v=mm/ms^2

# A puck that bounces between two walls, slowed by weak drag: few rows for each flight, which are right.
cat >puck.yaml <<'END'
parameters: {m: 1 kg, c: 0.05 N s/m, gap: 1 m, v0: 3 m/s}
states: {x: m, v: {unit: m/s, start: v0}}
flow: {x: v, v: -c*v/m}
elements:
  right: {stop: {gap: gap - x, restitution: 1}}
  left: {stop: {gap: gap + x, restitution: 1}}
time_scale: 0.6 s
presets: {default: {until: 60 s}}
END
impactcheck run puck.yaml --samples 101 --trajectory puck.csv --quiet
good "right rows of weak drag are not called damaged" audit --trajectory puck.csv --case puck.yaml
holds "rows beside events, not noise, leave the state error open" contains out "no row until the third event lies apart from the events"

impactcheck run bouncing-ball/lively --set g=9.8 --until 3 --samples 301 --trajectory ball.csv --quiet
impactcheck audit --trajectory ball.csv --case bouncing-ball/lively
holds "audit tells which parameter the rows follow" contains out "the rows follow g = 9.8 +- "
holds "audit shows parameters that fit the rows" contains out "Parameters that fit the rows"
impactcheck audit --trajectory ball.csv --case bouncing-ball/lively --json
json "audit --json has the parameters" "[p['name'] for p in o['parameters']] == ['g'] and all(abs(p['value'] - 9.8) < p['smallest_shown'] < 0.01 for p in o['parameters'] if p['name'] == 'g')"
cut -d, -f1,3,4 rows.csv >three.csv
impactcheck audit --trajectory three.csv --case roller/III/A
holds "three columns are enough, and it is told what is not there" contains err "x3 is not in the file: reconstructed"
holds "three columns tell the condition" contains out "transition condition: A"
sed '1s/x2/y/; s/,/;/g' three.csv >other.csv
impactcheck audit --trajectory other.csv --case roller/III/A --columns x2=y --json
holds "columns by name" test "$status" = 0
printf 't,x2,v2\n0,1,0\n1,nan,0\n' >nan.csv
printf 't,x2,v2\n0,1,0\n1,1\n' >few.csv
printf 't,x2,v2\n1,1,0\n0,1,0\n' >back.csv
printf 't,v2\n0,1\n1,1\n' >missing.csv
: >empty.csv
bad "nan.csv:3:3: column 'x2': 'nan' is not a finite number" audit --trajectory nan.csv --case roller
bad "few.csv:3:4: 2 fields; the first line has 3" audit --trajectory few.csv --case roller
bad "back.csv:3:1: time decreases" audit --trajectory back.csv --case roller
bad "missing.csv:1:1: column 'x2' does not exist; did you mean 'v2'?; columns: t, v2" audit --trajectory missing.csv --case roller
bad "the file is empty" audit --trajectory empty.csv --case roller
bad "UDUNITS-2 does not know the unit 'smoot'" audit --trajectory rows.csv --case roller --units x2=smoot
bad "No such file or directory" audit --trajectory no-such.csv --case roller
bad "'.' cannot be read: it is a folder; a file is needed" audit --trajectory . --case roller
mkfifo pipe.csv
bad "'pipe.csv' cannot be read: it is a named pipe" audit --trajectory pipe.csv --case roller
bad "'pipe.csv' cannot be read: it is a named pipe" compare pipe.csv pipe.csv
impactcheck audit --trajectory <(cat rows.csv) --case roller/III/A
holds "a shell's pipe is read" test "$status" = 0
printf 't,x2,v2\n0,1,0\n1,1,0\0' >zero.csv
bad "zero.csv:3:6: a zero byte; the file must be a text file" audit --trajectory zero.csv --case roller
bad "give --case," audit --trajectory rows.csv

# ---- units of numbers

cat >unit.yaml <<'END'
parameters: {w: 60 cycle/s, A: 20 mm, q: 60 l/min}
states: {u: "1"}
flow: {u: w*A/(1 m)}
outputs: {y: u}
presets: {default: {until: 12 h}}
END
impactcheck certify unit.yaml --set A=1 --until 1 --digits 30
holds "digits are those of 120 pi, whatever the unit's double" contains out 376.9911184307751886
impactcheck list cases unit.yaml --long
holds "a list has a value as it was written" grep -qE 'A +m +20 mm = 0.02 ' out
holds "a list has factors without rounding" grep -qF '60 l/min = 60/60000' out
impactcheck list cases unit.yaml --json
json "list --json has a value as it was written" "o['cases'][0]['parameters'][1]['written'] == '20 mm'"
impactcheck run unit.yaml --set "A=5 mm" --until "0.1 min" --json
json "units in --set and --until" "o['parameters']['A'] == 0.005 and o['final']['t'] == 6"
impactcheck run bouncing-ball --set "h=50 cm" --json
json "units in settings of a built-in case" "o['parameters']['h'] == 0.5"
bad "'A=5 s': '5 s' is in s, but has to be in m" run unit.yaml --set "A=5 s"
bad "UDUNITS-2 does not know the unit 'foo'" run unit.yaml --set "A=5 foo"
bad "option --until: '5 mm' is in m, but has to be in s" run unit.yaml --until "5 mm"
impactcheck sweep unit.yaml --vary "A=1 mm:5 mm:5" --out unit.csv --quiet
holds "units in --vary" grep -qF '# vary: A from 0.001 to 0.005' unit.csv
rm -f unit.csv

# ---- functions in texts that only parameters determine

cat >functions.yaml <<'END'
parameters: {b: 0.2 m, h: 0.5 m, mu_s: 0.5, mu_k: 0.3, T: {value: "atan2(b, h) + max(1, 2) + abs(-1) + tanh(0.5)", unit: s}}
requirements: [mu_s >= mu_k, {holds: mu_s < 3*mu_k, meaning: not too sticky}]
states: {x: {unit: rad, scale: "atan(b/h)", start: "min(0.1, asin(0.5))*sign(h)"}, v: rad/s}
flow: {x: v, v: "-x/(1 s^2)"}
presets: {default: {until: "T*min(1, 2)"}}
END
good "all functions in scales, starts and ends" run functions.yaml
impactcheck certify functions.yaml --digits 30
holds "and in certified answers" contains out "-0.0764177669363874"
bad "this requirement is not met: mu_s >= mu_k" run functions.yaml --set mu_k=1
bad "not too sticky (mu_s < 3*mu_k): 3*mu_k - mu_s = -0.2 is not positive" run functions.yaml --set mu_k=0.1
sed 's|scale: "atan(b/h)"|scale: "(b/h)^0.7"|' functions.yaml >power.yaml
bad "power.yaml:3:33: the scale may use +, -, *, /, integer powers" check power.yaml
rm -f functions.yaml power.yaml

# ---- what people see of a machine

cat >ball.yaml <<'END'
parameters: {m: 1 kg, K: 1e6 N/m^1.5, g: 9.81 m/s^2, h: 0.1 m, e: 0.9}
states: {x: {unit: m, start: h}, v: m/s}
flow: {x: v, v: "-g - (1 m/s^2)*max(0, v/(1 m/s))"}
elements: {soil: {contact: {indentation: -x, law: hunt-crossley, pushes: {v: 1/m}}}}
presets: {default: {until: 1 s}}
END
impactcheck run ball.yaml --set e=0.8
holds "no empty brackets for a missing meaning" grep -qE '^ +set +e = 0.8; the preset has 0.9$' out
holds "tables have states and elements" grep -qE ' x, m .* v.*, m/s .* soil' out
holds "tables leave out kinks and memories" bash -c "! grep -qE 'memory|kink_1-|^ +kink_1 ' out"
impactcheck run ball.yaml -v
holds "run -v has them" bash -c "grep -q 'soil_memory' out && grep -qE '^ +kink_1 ' out"
impactcheck run ball.yaml --json
json "run --json has them" "{'x', 'v', 'soil', 'soil_memory', 'kink_1'} <= set(o['final']['state'])"
bad "options --verbose and --quiet contradict" run ball.yaml -v --quiet
impactcheck list ball.yaml
holds "list FILE.yaml: its case and presets" bash -c "grep -q '^ball/default' out && ! grep -q rk4_henon out && (( \$(wc -l <out) < 10 ))"
holds "and what else there is" contains out "solvers, laws, checks, traps, studies, mistakes, tolerances, engines, scenes, threads and codes: impactcheck list"
impactcheck list ball.yaml --json
json "list FILE.yaml --json: all" "len(o['solvers']) > 5 and len(o['cases']) == 1"
cat >notes.yaml <<'END'
parameters: {g: 9.81 m/s^2, A: 5 mm, w: 50 rad/s, e: 0.5}
states: {x: {unit: m, start: 20 mm}, v: m/s}
flow: {x: v, v: -g}
elements: {table: {stop: {gap: x - A*sin(w*t), restitution: e}}}
presets: {default: {until: 2.5 s}}
END
impactcheck run notes.yaml --solver rk4_henon --json
json "a run with many notes" "len(o['notes']) > 12"
impactcheck run notes.yaml --solver rk4_henon
holds "notes of a kind are one line, with how often" grep -qE "t = [^ ]+ s, and [0-9]+ times later: guard 'table': " out
holds "each once" bash -c "(( \$(grep -c 'times later' out) <= 4 ))"
rm -f ball.yaml notes.yaml
# The floor's law has no memory, so its state is removed and those after it move up.
cat >between.yaml <<'END'
parameters: {m: 1 kg, h: 0.1 m, k: 1e4 N/m, c: 30 N s/m}
states: {x: {unit: m, start: 0.05 m}, v: {unit: m/s, start: -2 m/s}}
flow: {x: v, v: 0}
elements:
  floor: {contact: {indentation: -x, law: kelvin-voigt, pushes: {v: 1/m}}}
  lid: {contact: {indentation: x - h, law: hunt-crossley, with: {K: 1e6 N/m^1.5}, pushes: {v: -1/m}}}
  lamp: {switch: {input: x, on: 0.06 m, off: 0.02 m}}
presets: {default: {until: 0.1 s}}
END
shown_at_end() { sed -n '/^At the end/,/^$/p' out | awk 'NR > 2 && NF { printf "%s ", $1 }'; }
impactcheck run between.yaml
holds "a law without memory: the end has states and elements" test "$(shown_at_end)" = "x v floor lid lamp "
holds "and so do the columns of events" bash -c "grep -qE ' floor.* lid' out && ! grep -q lid_memory out"
impactcheck run between.yaml -v
holds "with -v also the memory that there is" test "$(shown_at_end)" = "x v floor lid lid_memory lamp "
rm -f between.yaml

# ---- the typical time

impactcheck check unit.yaml
holds "check shows the typical time, and that it was estimated" grep -qE 'typical time +[^ ]+ s, estimated by a rough run: time_scale sets it' out
{ cat unit.yaml && echo 'time_scale: 2 ms'; } >stated.yaml
impactcheck check stated.yaml
holds "or stated" contains out "typical time  0.002 s, as stated"
holds "and what it means to fixed steps" contains out "2.16e10 of them to the end: rk4_henon and refined_step are slow here"
rm -f stated.yaml

# ---- names of modes with commas

cat >modes.yaml <<'END'
parameters: {w: 1 rad/s}
states: {x: m, v: m/s}
modes:
  'up, say "a"': {flow: {x: v, v: -x*w^2}, until: {turn: {falls: v, then: {mode: "b,c"}}}}
  "b,c": {flow: {x: v, v: -x*w^2}, until: {turn: {rises: v, ends: true}}}
start: {v: (1 m/s)}
outputs: {y: x}
presets: {default: {until: 20 s}}
period: 1 s
END
impactcheck sweep modes.yaml --vary w=1:2:2 --keep 9 --out modes.csv --quiet
holds "fields of a sweep with commas are quoted" python3 -c '
import csv
rows = list(csv.reader(line for line in open("modes.csv") if line[0] != "#"))
assert len(rows) == 19 and all(len(r) == len(rows[0]) for r in rows), rows
mode = rows[0].index("mode")
assert {r[mode] for r in rows[1:]} >= {"up, say \"a\"", "b,c"}, rows'
modes=(sweep modes.yaml --vary w=1:2:400 --keep 9 --quiet)
"$command" "${modes[@]}" --out whole.csv
(ulimit -f 100 && trap '' XFSZ && "$command" "${modes[@]}" --out modes.csv) 2>err
holds "a sweep with quoted fields is cut off" test -s modes.csv.part
"$command" "${modes[@]}" --out cut.csv 2>err
mv modes.csv.part cut.csv.part && rm cut.csv
impactcheck sweep modes.yaml --vary w=1:2:400 --keep 9 --out cut.csv --resume
holds "it goes on" grep -qE '400, [1-9][0-9]+ of them from earlier calls' out
holds "and gives the same bytes" cmp -s whole.csv cut.csv
impactcheck sweep modes.yaml --vary w=1:2:2 --keep 9 --record y --out ended.csv --quiet
holds "extremes after the end of a run are empty, and its status is ok" grep -qE '^0,ok,1,9,,$' ended.csv
rm -f modes.csv whole.csv cut.csv ended.csv

# ---- the page of a machine: every command on it can be run

cp "$cases/../examples/machines/stops.yaml" "$cases/../examples/machines/rocking-block.yaml" .
for machine in stops rocking-block; do
    impactcheck report "$machine.yaml"
    python3 - "$machine-report/index.html" >commands <<'END'
import html, re, sys
page = open(sys.argv[1], encoding="utf-8").read()
found = re.findall(r'title="[^"]*?(impactcheck [^"]*)"|<code[^>]*>(impactcheck [^<]*)<', page)
print(*dict.fromkeys(html.unescape(a or b) for a, b in found), sep="\n")
END
    holds "the page of $machine has commands" test "$(wc -l <commands)" -gt 10
    mkdir -p runs certified
    while read -r line; do
        [[ $line != *SUBJECT* ]] || continue # with those of a row
        status=0
        bash -c "impactcheck() { '$command' \"\$@\"; }; $line" >out 2>err || status=$?
        holds "of the page of $machine: $line" test "$status" -le 1
    done <commands
    rm -rf "$machine-report" runs certified bench.json commands motion.svg rows.csv "$machine.yaml"
done

# ---- hostile case files: tests/casefile/test_hostile.c has more

printf 'states: {x: 1}\nflow: {x: 0}\n# %0*d\n' 10000000 0 >long.yaml
printf 'states: {x: 1}\nflow: {x: %s}\n' "$(printf '%10000s' '' | tr ' ' '(')" >deep.yaml
# shellcheck disable=SC2016 # it must not expand
printf 'states: {"x`touch pwned`": 1}\nflow: {x: 0}\n' >shell.yaml
for verb in check run certify; do
    bad "long.yaml: the file is longer than the limit for case files" "$verb" long.yaml
    bad "deep.yaml:2:211: nested too deeply" "$verb" deep.yaml
    bad "shell.yaml:1:12: text follows the end of the formula" "$verb" shell.yaml
done

# ---- templates: each works by the commands that it prints, which its comment has, too

bad "unknown template 'mashine'; did you mean 'machine'?" init mashine
bad "unknown kind of file 'cases'; did you mean 'case'?" schema cases
mkdir templates && cd templates || exit 3
for kind in machine law map engine solver ci; do
    good "init $kind" init "$kind"
    sed -n 's/^    //p' out >commands
    file=$(sed -n '1s/:.*//p' out)
    bad "$file exists and is left as it is" init "$kind"
    PATH=$(dirname "$command"):$PATH bash -e commands >log 2>err
    status=$?
    holds "init $kind: its commands succeed" test "$status" -eq 0
    [[ $file != *.c ]] || holds "init $kind: they stand in its comment" test "$(grep -cFf commands "$file")" -eq 2
done
good "init --out" init law --out ../own.c
holds "and its commands name that file" grep -q ' \.\./own\.c -o \.\./own\.so ' out
good "init --out, a name with a space" init law --out "my law.c"
holds "and its commands quote it" grep -q " 'my law\.c' -o '\./my law\.so' " out
sed -i 's/return fmax(0, par/return fmax(1, par/' law.c
PATH=$(dirname "$command"):$PATH bash -e <(sed -n 's/^ [*]     //p' law.c | head -n 2) >log 2>err
status=$?
holds "a law that is wrong does not pass" test "$status" -eq 1
cd .. && rm -r templates

# ---- ./run

run=$cases/../run
status=0
"$run" build tests >out 2>err || status=$?
holds "./run build refuses arguments" test "$status" -eq 2
holds "and says where the unit tests are built" grep -qF './run build: no argument is expected, but "tests" was given; ./run test build' err

echo
echo "$passed passed, $failed failed"
((failed == 0))
