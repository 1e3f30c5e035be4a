#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-bare.sh [--worktree] [--release NAME] [COMMAND...]
#
# Tests a new user's machine: in a bare Debian 12 (or trixie, or noble of Ubuntu) with a git clone of HEAD (--worktree:
# the current files), on two cores, `./run verify` and `./run test` must pass with only the packages that they
# install themselves; after all optional packages are installed, a new build must write the same
# results byte for byte. With COMMAND, runs only that. Part of `./run test --full`; needs root,
# debootstrap and the network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/bare-machine.sh
. tools/bare-machine.sh

verify_limit=300 # s, installation and build included, on a machine with nothing else to do

worktree=0 release=bookworm
while [[ ${1-} == --* ]]; do
    case $1 in
        --worktree) worktree=1 ;;
        --release) release=${2:?--release needs a name} && shift ;;
        *) echo "check-bare: unknown option $1; see its head" >&2 && exit 2 ;;
    esac
    shift
done
bare_machine "$release"
home=$machine/root/impactcheck
mkdir -p "$home"
if ((worktree)); then
    tools/list-files.sh | tar -c -T - | tar -x -C "$home"
else
    git clone --quiet --no-hardlinks . "$home"
fi

there() { # COMMAND...: runs it on the bare machine, where it must succeed
    local begin=$SECONDS status=0
    on_bare_machine taskset -c 0,1 env -C impactcheck "$@" || status=$?
    echo "there: $*: exit status $status after $((SECONDS - begin)) s"
    ((status == 0))
}

if (($#)); then
    there "$@"
    exit
fi

begin=$SECONDS
there ./run verify
((SECONDS - begin <= verify_limit)) || echo "./run verify took longer than $verify_limit s: was this machine busy?"
there cp build/results/verify.json ../verify-bare.json # outside: the tree is counted
there ./run test

# without Coq and the tools that people use, which take gigabytes and which no build looks for
mapfile -t groups < <(sed -n 's/^\([a-z][a-z]*\) .*/\1/p' tools/packages.txt | grep -vx -e proof -e today | sort -u)
there ./run setup "${groups[@]}"
there ./run clean
there ./run build
there build/impactcheck verify --json verify-all.json --quiet
cmp "$home/../verify-bare.json" "$home/verify-all.json"
# planted: a build with other packages gives other results
there ./run peers
there build-optional/impactcheck verify 'bouncing-ball*' --json verify-peers.json --quiet
there build/impactcheck verify 'bouncing-ball*' --json verify-own.json --quiet
if cmp -s "$home/verify-peers.json" "$home/verify-own.json"; then
    echo "planted fault not found: results with peers are the same"
    exit 1
fi
echo "verdicts are the same with and without optional packages installed"
