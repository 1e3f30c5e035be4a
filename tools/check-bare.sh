#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-bare.sh [--worktree] [COMMAND...]
#
# What a stranger's machine does: in a bare Debian 12 with a git clone of HEAD (--worktree: the files as they are now), on two cores,
# `./run verify` and `./run test` must pass with nothing but what they install themselves; and when all optional packages are installed as well, a
# new build must give the same verdicts, in the same bytes. With COMMAND, only that is run there. Part of `./run test --full`; needs
# root, debootstrap and the network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=tools/bare-machine.sh
. tools/bare-machine.sh

verify_limit=300 # s, installation and build included, on a machine with nothing else to do

worktree=0
if [[ ${1-} == --worktree ]]; then
    worktree=1
    shift
fi
bare_machine bookworm
home=$machine/root/impactcheck
mkdir -p "$home"
if ((worktree)); then
    tools/list-files.sh | tar -c -T - | tar -x -C "$home"
else
    git clone --quiet --no-hardlinks . "$home"
fi

there() { # COMMAND...: must succeed
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
((SECONDS - begin <= verify_limit)) || echo "that is longer than $verify_limit s: was this machine busy?"
there cp build/results/verify.json verify-bare.json
there ./run test

mapfile -t groups < <(sed -n 's/^\([a-z][a-z]*\) .*/\1/p' tools/packages.txt | sort -u)
there ./run setup "${groups[@]}"
there ./run clean
there ./run build
there build/impactcheck verify --json verify-all.json --quiet
cmp "$home/verify-bare.json" "$home/verify-all.json"
# planted: a build that was asked for other packages gives other verdicts
there ./run peers
there build-optional/impactcheck verify 'bouncing-ball*' --json verify-peers.json --quiet
there build/impactcheck verify 'bouncing-ball*' --json verify-own.json --quiet
if cmp -s "$home/verify-peers.json" "$home/verify-own.json"; then
    echo "planted, and not found: peers leave the results as they are"
    exit 1
fi
echo "verdicts are the same with and without optional packages"
