#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tests/cli/test_ci.sh COMMAND
#
# The gate of a repository: stable codes, impactcheck ci on a pretended repository made of examples, and the shell of
# action.yml, templates/impactcheck.yml and the hook, run there with stand-ins for the services.
# shellcheck disable=SC2016 # texts of stand-ins are not expanded here
set -uo pipefail
command=$(readlink -f "${1:?usage: test_ci.sh COMMAND}")
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
for tool in python3 cc yamllint shellcheck; do
    command -v "$tool" >/dev/null || {
        echo "test_ci.sh: needs $tool (./run setup test)" >&2
        exit 3
    }
done
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 3

passed=0 failed=0
holds() { # NAME COMMAND...: the command must succeed
    local name=$1
    shift
    if "$@" >said 2>&1; then
        passed=$((passed + 1))
    else
        echo "not ok  $name"
        head -n 5 said out err 2>/dev/null | sed 's/^/        /'
        failed=$((failed + 1))
    fi
}
fails() { ! "$@"; }
gate() { # STATUS ARGUMENT...
    local expected=$1 status=0
    shift
    "$command" "$@" >out 2>err || status=$?
    ((status == expected))
}
says() { grep -qF -e "$1" "${2-out}"; } # TEXT [FILE]

# ---- codes: none twice, no gap, and none that was ever released has another name

# LIST FILE: LIST as of list codes --json; FILE: LETTER COUNT DIGEST, of the first COUNT lines "CODE NAME" of a letter
cat >codes.py <<'E2'
import hashlib, json, re, sys
codes = [(c["code"], c["name"]) for c in json.load(open(sys.argv[1]))["codes"]]
letters = {}
for code, name in codes:
    letter, number = re.fullmatch(r"IC-([A-Z])-(\d{3})", code).groups()
    letters.setdefault(letter, []).append((int(number), f"{code} {name}"))
for letter, rows in letters.items():
    if [n for n, _ in rows] != list(range(1, len(rows) + 1)):
        sys.exit(f"{letter}: a code is there twice, or a number is missing without IC_RETIRED")
def digest(letter, count):
    return hashlib.sha256("\n".join(row for _, row in letters[letter][:count]).encode()).hexdigest()[:16]
if len(sys.argv) == 2:
    for letter, rows in sorted(letters.items()):
        print(letter, len(rows), digest(letter, len(rows)))
else:
    held = [line.split() for line in open(sys.argv[2]) if not line.startswith("#")]
    wrong = [l for l, n, d in held if len(letters.get(l, [])) < int(n) or digest(l, int(n)) != d]
    sys.exit(f"codes of {', '.join(wrong)} have changed" if wrong or not held else 0)
E2
holds "list codes" gate 0 list codes --json
cp out codes.json
holds "codes are as released" python3 codes.py codes.json "$root/tests/cli/codes.txt"
plant() { # FROM TO: codes.json with one replacement
    sed "0,/$1/s//$2/" codes.json >planted.json
    fails cmp -s codes.json planted.json && fails python3 codes.py planted.json "$root/tests/cli/codes.txt"
}
holds "planted: a code twice" plant IC-T-002 IC-T-001
holds "planted: another name" plant '"condition"' '"conditions"'
holds "planted: a code that is gone" plant IC-C-182 IC-C-183
holds "explain a code" gate 0 explain IC-M-007
holds "explain says what is measured" says "against Coulomb's at the same P_y"
holds "explain says how to waive it" says '{code: IC-M-007, subject: NAME'
holds "explain a name" gate 0 explain frictionless --json
holds "explain a name: all that have it" python3 -c "import json; assert [c['code'] for c in json.load(open('out'))] == ['IC-C-037', 'IC-M-013']"
holds "explain: no such code" gate 2 explain IC-M-999
holds "explain: a wrong name" gate 2 explain frictionles
holds "and the right one" says "did you mean 'IC-C-037', frictionless?" err

# ---- a pretended repository: a gate that fails, and a waiver

mkdir repository
cp "$root"/examples/ci/impactcheck.yaml "$root"/examples/plugin/mine.c "$root"/examples/machines/stops.yaml repository
cc -shared -fPIC -I"$root/include" repository/mine.c -o repository/contact.so -lm || exit 3
"$command" run bouncing-ball/lively --quiet --trajectory ball.csv || exit 3
awk -F, 'NR == 1 { print "time,height" } NR > 1 { printf "%.17g,%s\n", 1e3 * $1, $3 }' ball.csv >repository/ball.csv
file=repository/impactcheck.yaml
rows() { # EXPRESSION over rows `r` and the whole `o` of results.json
    python3 -c "
import json, sys
o = json.load(open('results.json')); r = o['rows']
sys.exit(0 if ($1) else 1)"
}
names() { grep -o '<testcase classname="[^"]*" name="[^"]*"' "$1"; }
holds "a finding fails" gate 1 ci "$file" --junit results.xml --json results.json --markdown results.md
holds "its codes" says "IC-M-007 friction, impact map 'my-map': IC-C-037 frictionless"
holds "other subjects are good" rows "[s['verdict'] for s in o['subjects']] == ['failed', 'good', 'good']"
holds "JUnit: one failure" test "$(grep -c '<failure' results.xml)" = 1
holds "JUnit: names are code and check" says 'classname="contact/impact map '"'my-map'"'" name="IC-M-007 friction">' results.xml
holds "JUnit: each name once" test -z "$(names results.xml | sort | uniq -d)"
holds "Markdown" says 'IC-M-007' results.md
names results.xml >before
sed 's/contact: {plugin: contact.so}/contact: {plugin: contact.so, seed: 7}/' "$file" >repository/other.yaml
holds "other draws, other worst places" gate 1 ci repository/other.yaml --junit results.xml
names results.xml >after
holds "JUnit: the same names" cmp before after
waive() { # WAIVER: replaces all waivers
    sed '/^# waivers/,$d' "$root/examples/ci/impactcheck.yaml" >"$file"
    printf 'waivers:\n  - {%s}\n' "$1" >>"$file"
}
waive 'code: IC-C-037, subject: contact, reason: lubricated, until: 2099-12-31'
holds "waived by the cause" gate 0 ci "$file" --json results.json --junit results.xml
holds "the line says it" says "waived"
holds "rows say it" rows "[x['detail'].startswith('waived until 2099-12-31: lubricated; ') for x in r if x.get('waived')] == [True]"
holds "JUnit: skipped" test "$(grep -c '<failure' results.xml)" = 0
waive 'code: IC-M-007, reason: lubricated, until: 2099-12-31'
holds "waived by the check, in all subjects" gate 0 ci "$file"
waive 'code: IC-C-037, subject: ball, reason: lubricated, until: 2099-12-31'
holds "the waiver of another subject" gate 1 ci "$file"
holds "is unused" says "it waives nothing: remove it"
waive 'code: IC-C-037, subject: contact, reason: lubricated, until: 2020-02-29'
holds "a waiver that has expired" gate 1 ci "$file" --json results.json
holds "it says so" says "it has expired on 2020-02-29"
holds "and waives nothing" rows "o['waivers'][0]['state'] == 'expired' and sum(x['verdict'] == 'fail' for x in r) == 2"
yesterday=$(date -d yesterday +%F) today=$(date +%F)
waive "code: IC-C-037, reason: lubricated, until: $today"
holds "the last day" gate 0 ci "$file"
waive "code: IC-C-037, reason: lubricated, until: $yesterday"
holds "the day after" gate 1 ci "$file"

# ---- what may be undecided

head -n 5 repository/ball.csv >repository/short.csv
short() { # TEXT: a subject of few rows, which decide nothing
    printf 'subjects:\n  short: {trajectory: short.csv, case: bouncing-ball/lively, columns: {t: time, x: height}, units: {t: ms}%s}\n' "$1" >"$file"
}
short ''
holds "undecided fails" gate 1 ci "$file" --json results.json
open=$(python3 -c "import json; print(', '.join(x['code'] for x in json.load(open('results.json'))['rows'] if x['verdict'] == 'skipped' and x['needed']))")
short ", undecided: [$open]"
holds "what may be undecided" gate 0 ci "$file"
short ", undecided: [${open%, *}]"
holds "one code too few" gate 1 ci "$file"
short ', undecided: all'
holds "all may be" gate 0 ci "$file"

# ---- answers that are kept

cp "$root/examples/ci/impactcheck.yaml" "$file"
holds "a first run" gate 1 ci "$file" --cache answers --junit first.xml
holds "kept" gate 1 ci "$file" --cache answers --junit second.xml
holds "all subjects" test "$(grep -c '(kept)' out)" = 3
holds "the same results" cmp first.xml second.xml
cp repository/ball.csv whole.csv
sed -i '$d' repository/ball.csv
holds "another file" gate 1 ci "$file" --cache answers
holds "is audited again" test "$(grep -c '(kept)' out)" = 2
cp whole.csv repository/ball.csv
printf 'subjects:\n  sim: {command: "python3 %s/examples/command/ball.py", case: bouncing-ball/lively, until: 1, phases: 2}\n' "$root" >"$file"
holds "a command" gate 0 ci "$file" --cache answers
holds "is not kept without its files" gate 0 ci "$file" --cache answers
holds "so it runs again" fails says '(kept)'

# ---- a wrong file: every fault with its place, exit status 2, no results

refused() { # MESSAGE TEXT
    printf '%b\n' "$2" >"$file"
    rm -f wrong.xml
    gate 2 ci "$file" --junit wrong.xml && says "$1" err && [[ ! -e wrong.xml && ! -s out ]]
}
ball='subjects: {ball: {trajectory: ball.csv, case: bouncing-ball}}'
waiver() { refused "$1" "$ball\nwaivers: [{$2}]"; }
holds "no file" gate 2 ci no-such.yaml
holds "and where one is" says 'docs/ci.md' err
holds "a key" refused "impactcheck.yaml:1:1: unknown key 'subject'; did you mean 'subjects'?" 'subject: {}'
holds "a key of a subject" refused "1:45: unknown key 'cas'; did you mean 'case'?" 'subjects: {ball: {trajectory: ball.csv,     cas: bouncing-ball}}'
holds "no subjects" refused "needs 'subjects'" 'seed: 1'
holds "no kind" refused "needs one of 'trajectory', 'plugin', 'command', 'engine', 'machine'" 'subjects: {a: {case: ball}}'
holds "subjects that are none" refused "nothing to audit" 'subjects: []'
holds "an input that is not there" refused "'lost.csv' cannot be read" 'subjects: {a: {command: "true", case: ball/hertz, inputs: [lost.csv]}}'
holds "two kinds" refused "may have 'plugin' or 'machine', not both" 'subjects: {a: {plugin: a.so, machine: b.yaml}}'
holds "a key of another kind" refused "'columns' does not go with 'plugin', but with: trajectory command" 'subjects: {a: {plugin: a.so, columns: {t: time}}}'
holds "no case" refused "needs 'case'" 'subjects: {a: {trajectory: a.csv}}'
holds "no number" refused "'accept' must be a number > 0, not 'x'" 'subjects: {a: {trajectory: a.csv, case: ball, accept: x}}'
holds "a name in place of a code" waiver "did you mean 'IC-C-037', frictionless?" 'code: frictionless, reason: x, until: 2099-12-31'
holds "a waiver without a reason" waiver "a waiver needs 'reason'" 'code: IC-C-037, until: 2099-12-31'
holds "an empty reason" waiver "a waiver needs 'reason'" 'code: IC-C-037, reason: "", until: 2099-12-31'
holds "a waiver without an end" waiver "a waiver needs 'until'" 'code: IC-C-037, reason: x'
holds "a day that is none" waiver "'until' must be a day, YYYY-MM-DD, not '2099-02-29'" 'code: IC-C-037, reason: x, until: 2099-02-29'
holds "a subject that is none" waiver "no subject is called 'bal'; did you mean 'ball'?" 'code: IC-C-037, subject: bal, reason: x, until: 2099-12-31'
printf 'subjects:\n  a: {trajectory: no-such.csv, case: bouncing-ball/lively}\n' >"$file"
holds "a file that is not there" gate 2 ci "$file" --json results.json
holds "named with its entry" says "impactcheck.yaml:2: exit status 2: option --trajectory: 'no-such.csv' cannot be read"
printf 'subjects:\n  a: {machine: broken.yaml}\n' >"$file"
echo 'title: [' >repository/broken.yaml
holds "a machine that is none" gate 2 ci "$file"
if [[ -d ${command%/*}/plugins ]]; then # with IC_TESTS
    printf 'time-limit: 1\nsubjects:\n  a: {plugin: %s/plugins/map_hangs.so}\n' "${command%/*}" >"$file"
    holds "a plugin that hangs" gate 3 ci "$file" --cache answers
    holds "its code" says "IC-P-001 comes-back"
    holds "is not kept" gate 3 ci "$file" --cache answers
    holds "so it runs again" fails says '(kept)'
fi
holds "keys" gate 0 ci --keys
holds "with what they mean" says 'last day on which it may stay'

# ---- templates

for template in action.yml templates/impactcheck.yml .pre-commit-hooks.yaml examples/ci/impactcheck.yaml; do
    holds "yamllint $template" yamllint --strict --config-data '{extends: default, rules: {line-length: {max: 130}, document-start: disable, braces: disable, comments: disable}}' "$root/$template"
done
# STEPS FILE FOLDER: writes each shell text to FOLDER, in order; expressions ${{ }} and $[[ ]] must stand in env alone
cat >steps.py <<'E2'
import sys, yaml
document, folder = list(yaml.safe_load_all(open(sys.argv[1])))[-1], sys.argv[2]
if "runs" in document:
    steps = [(s["run"], s.get("env", {})) for s in document["runs"]["steps"] if "run" in s]
    assert all(s.get("shell") == "bash" for s in document["runs"]["steps"] if "run" in s)
else:
    job = document["impactcheck"]
    steps = [(text, job["variables"]) for text in job["before_script"] + job["script"]]
for i, (text, environment) in enumerate(steps):
    assert "${{" not in text and "$[[" not in text, text
    head = "".join(f': "${{{name}?}}"\n' for name in environment)
    open(f"{folder}/{i}.sh", "w").write(f"# shellcheck shell={'bash' if 'runs' in document else 'sh'}\nset -e\n{head}{text}\n")
E2
mkdir github gitlab stand-ins source source/build
holds "steps of the action" python3 steps.py "$root/action.yml" github
holds "steps of the component" python3 steps.py "$root/templates/impactcheck.yml" gitlab
holds "their shell" shellcheck github/*.sh gitlab/*.sh
stand_in() { printf '#!/usr/bin/env bash\n%s\n' "$2" >"$1" && chmod +x "$1"; } # PATH TEXT
stand_in stand-ins/sudo 'exec "$@"'
stand_in stand-ins/dpkg 'echo amd64'
stand_in stand-ins/curl 'while [[ $1 != --output ]]; do shift; done; echo "$3" >"$2"'
# installs the package if it is the one that was asked for
stand_in stand-ins/apt-get "[[ \$1 == update || \$* != *impactcheck*deb ]] || { grep -qx \"\$WANTED\" \"\${!#}\" && ln -sf '$command' '$scratch/stand-ins/impactcheck'; }"
stand_in stand-ins/cmake '[[ $1 == --install && $3 == --prefix ]] && mkdir -p "$4/bin" && ln -sf "$2/impactcheck" "$4/bin"'
stand_in stand-ins/gh '[[ "$1 $2 $3" == "pr comment https://request" ]] && cp "${!#}" "$RUNNER_TEMP/comment.md"'
stand_in source/run "[[ \$1 == setup ]] || ln -sf '$command' '$scratch/source/build/impactcheck'"
step() { # SCRIPT: in the repository, as the service runs it
    local path=$PATH
    [[ ! -s path ]] || path=$(cat path):$PATH
    (cd repository && env PATH="$scratch/stand-ins:$path" SOURCE="$scratch/source" VERSION=0.1.0 CONFIG=impactcheck.yaml \
        RELEASES=https://releases WANTED="$wanted" PACKAGE="$wanted" RUNNER_TEMP="$scratch/temp" GITHUB_PATH="$scratch/path" \
        GH_TOKEN=token REQUEST=https://request GITHUB_STEP_SUMMARY="$scratch/summary.md" GITHUB_OUTPUT="$scratch/output" bash -eo pipefail "$scratch/$1")
}
cp "$root/examples/ci/impactcheck.yaml" "$file"
mkdir temp
wanted=https://releases/v0.1.0/impactcheck_0.1.0_amd64.deb
holds "action: the package" step github/0.sh
holds "action: its audit fails" fails step github/2.sh
holds "action: the summary" says IC-M-007 summary.md
holds "action: the status" says status=1 output
holds "action: the comment" step github/3.sh
holds "action: what it says" says IC-M-007 temp/comment.md
holds "action: the results" test -s temp/impactcheck-results/impactcheck.xml
wanted=https://releases/v0.2.0/impactcheck_0.2.0_amd64.deb
holds "planted: the package of another version" fails step github/0.sh
rm stand-ins/impactcheck
holds "action: the source" step github/1.sh
sed '/^# waivers/,$d' "$root/examples/ci/impactcheck.yaml" >"$file"
sed -n '/^# waivers/,$s/^# //p' "$root/examples/ci/impactcheck.yaml" >>"$file"
holds "action: with the example's waiver" step github/2.sh
echo 'subject: {}' >"$file"
rm -rf temp/impactcheck-results
holds "action: a wrong file" fails step github/2.sh
holds "action: its status" says status=2 output
rm -f path stand-ins/impactcheck
cp "$root/examples/ci/impactcheck.yaml" "$file"
holds "component: the package" step gitlab/0.sh
holds "component: its audit fails" fails step gitlab/1.sh
holds "component: JUnit" test -s repository/impactcheck.xml
rm -f stand-ins/impactcheck
wanted=
holds "component: neither image nor package" fails step gitlab/0.sh
mkdir repository/.git
hook=$(python3 -c "import yaml; print(yaml.safe_load(open('$root/.pre-commit-hooks.yaml'))[0]['entry'])")
ln -s "$command" stand-ins/impactcheck
holds "hook: fails" fails env PATH="$scratch/stand-ins:$PATH" bash -c "cd repository && $hook"
holds "Containerfile: commands of ./run" python3 - "$root" <<'E2'
import re, subprocess, sys
text = open(sys.argv[1] + "/Containerfile").read()
usage = subprocess.run([sys.argv[1] + "/run", "help"], capture_output=True, text=True).stdout
commands = re.findall(r"\./run (\w+)", text)
assert commands and all(re.search(rf"^  {c}\b", usage, re.M) for c in commands)
assert re.search(r"FROM \$BASE$", text, re.M) and "ARG BASE=" in text
E2

echo
echo "$passed passed, $failed failed"
((failed == 0))
