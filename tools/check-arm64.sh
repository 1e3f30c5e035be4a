#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-arm64.sh [BUILD-FOLDER]
#
# Builds the command for arm64 with Debian's cross compiler and runs `verify` under qemu on a
# selection with every case and every solver of ours: each row must have the same verdict as the
# build in BUILD-FOLDER (default: build). Digits may differ. A changed verdict and an omitted row
# are planted and must be found. Libraries for arm64 are unpacked into build-sysroot, not installed.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
here=${1-build}/impactcheck

# The first preset of each case; the planar bar also in one for each rigid map. qemu takes some minutes for them on one processor.
mapfile -t subjects < <("$here" list presets | awk '{split($1, part, "/")} $1 ~ /\// && !seen[part[1]]++ {print $1}')
subjects+=(planar-bar/newton planar-bar/poisson planar-bar/stronge)

sysroot=$PWD/build-sysroot
for tool in aarch64-linux-gnu-gcc qemu-aarch64; do
    command -v "$tool" >/dev/null || {
        echo "check-arm64: needs $tool (./run setup arm64)" >&2
        exit 3
    }
done

# Runs apt with separate lists and state; installs nothing.
apt_arm64() {
    apt-get -q=2 -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::State="$sysroot/state" \
        -o Dir::State::status="$sysroot/state/status" -o Dir::Cache="$sysroot/cache" -o APT::Sandbox::User="$(id -un)" \
        -o Debug::NoLocking=true "$@"
}

fill_sysroot() {
    local packages deb link
    mkdir -p "$sysroot"/{state/lists/partial,cache/archives/partial,root/usr/lib}
    ln -sfn usr/lib "$sysroot/root/lib"
    touch "$sysroot/state/status"
    apt_arm64 update
    # libraries of the group build; in Debian 12 FLINT's ball arithmetic is a separate package
    mapfile -t packages < <(sed -nE 's/^build +(lib[a-z0-9-]+-dev)[?]? .*/\1/p' tools/packages.txt)
    apt_arm64 -y --no-install-recommends --download-only install "${packages[@]}" libgomp1
    for deb in "$sysroot"/cache/archives/*.deb; do
        dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$sysroot/root" --keep-directory-symlink
    done
    # absolute links such as libm.so -> /lib/... are redirected into this folder
    find "$sysroot/root" -type l -lname '/*' -print0 | while IFS= read -r -d '' link; do
        ln -sfn "$sysroot/root$(readlink "$link")" "$link"
    done
    echo "$sysroot" >"$sysroot/filled"
}
if [[ $(cat "$sysroot/filled" 2>/dev/null) != "$sysroot" ]]; then
    rm -rf "$sysroot"
    fill_sysroot
fi

tools/build.sh arm64
there() { qemu-aarch64 -L "$sysroot/root" build-arm64/impactcheck "$@"; }
there --version

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
verdicts() { # JSON: prints a line for each row, without digits
    python3 -c '
import json, sys
for r in json.load(open(sys.argv[1]))["rows"]:
    print(r["check"], r["subject"], r["solver"], r["what"], r["verdict"], sep="\t")' "$1"
}
for subject in "${subjects[@]}"; do
    "$here" verify "$subject" --quiet --json "$scratch/here.json"
    there verify "$subject" --quiet --json "$scratch/there.json"
    verdicts "$scratch/here.json" >>"$scratch/here"
    verdicts "$scratch/there.json" >>"$scratch/there"
done

# ---- every case and every solver of ours occurs
occurs() { # COLUMN NAME
    grep -qE "^$2(/|\$)" < <(cut -f "$1" "$scratch/there") || {
        echo "'$2' occurs in no row"
        exit 1
    }
}
while read -r case _; do occurs 2 "$case"; done < <("$here" list cases)
while read -r solver _; do [[ $solver == refined_step ]] || occurs 3 "$solver"; done < <("$here" list solvers)

same() { diff "$scratch/here" "$1" >"$scratch/diff"; }
same "$scratch/there" || {
    cat "$scratch/diff"
    echo "verdicts on arm64 (>) differ from those of this machine (<)"
    exit 1
}
sed '1s/pass$/fail/' "$scratch/there" >"$scratch/planted"
if same "$scratch/planted"; then echo "planted fault not found: another verdict"; exit 1; fi
sed '$d' "$scratch/there" >"$scratch/planted"
if same "$scratch/planted"; then echo "planted fault not found: a missing row"; exit 1; fi
printf 'arm64: %d rows, %d of which passed, with the verdicts of this machine\n' "$(wc -l <"$scratch/there")" \
    "$(grep -c 'pass$' "$scratch/there")"
