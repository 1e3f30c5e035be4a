#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-fresh.sh [--worktree] [COMMAND...]
#
# Runs `./run verify`, or COMMAND, on a machine that has nothing: a minimal Debian 12 in a temporary folder,
# made by debootstrap from the package archive that this machine uses, with a git clone of HEAD in it
# (--worktree: the files as they are now), on two cores. Says how long it took, and fails if the command does
# or if it takes longer than the limit. Not part of ./run test: it needs root, debootstrap and the network.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

release=bookworm
limit=300 # s, installation and build included

worktree=0
if [[ ${1-} == --worktree ]]; then
    worktree=1
    shift
fi
(($#)) || set -- ./run verify
((EUID == 0)) || {
    echo "check-fresh: needs root" >&2
    exit 3
}
command -v debootstrap >/dev/null || {
    echo "check-fresh: needs the Debian package debootstrap" >&2
    exit 3
}

machine=$(mktemp -d)
chmod 755 "$machine"
trap 'rm -rf --one-file-system "$machine" "$machine.log"' EXIT

# The sources of this machine for the release: lines "site suite component".
# shellcheck disable=SC2016 # apt-get replaces the names
mapfile -t sources < <(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | grep -E " $release(-updates|-security)? " | sort -u)
mirror=$(printf '%s\n' "${sources[@]}" | awk -v release="$release" '$2 == release { print $1; exit }')
if [[ ! $mirror ]]; then
    echo "check-fresh: the package sources of this machine have no $release; is apt-get update due?" >&2
    exit 3
fi

echo "making a minimal $release ..."
if ! debootstrap --variant=minbase --include=ca-certificates "$release" "$machine" "$mirror" \
    >"$machine.log" 2>&1; then
    tail -n 20 "$machine.log" >&2
    exit 3
fi
printf 'deb %s\n' "${sources[@]}" >"$machine/etc/apt/sources.list"
rm -rf "$machine"/var/lib/apt/lists/* # a fresh image has no lists
cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
cp -r /etc/ssl/certs/. "$machine/etc/ssl/certs/"
apt-config dump --no-empty --format '%f "%v";%n' Acquire::http::Proxy Acquire::https::Proxy \
    >"$machine/etc/apt/apt.conf.d/90proxy"

mkdir -p "$machine/root/impactcheck"
if ((worktree)); then
    tools/list-files.sh | tar -c -T - | tar -x -C "$machine/root/impactcheck"
else
    git clone --quiet --no-hardlinks . "$machine/root/impactcheck"
fi

echo "running there, on two cores: $*"
begin=$SECONDS
status=0
# shellcheck disable=SC2016 # the inner shells replace the names
unshare --mount bash -c '
    mount -t proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    exec taskset -c 0,1 chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
        LANG=C.UTF-8 bash -c "cd /root/impactcheck && exec \"\$@\"" bash "$@"
' "$machine" "$@" || status=$?
seconds=$((SECONDS - begin))
echo "exit status $status after $seconds s"
((status == 0 && seconds <= limit))
