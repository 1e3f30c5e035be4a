#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/release.sh [--out FOLDER] [--parts PART,...]: implements ./run release.
#
# Makes a release of the commit that is checked out, in the new folder FOLDER (default: build/release/VERSION), from a
# clone of its own: the commit alone decides what is in it. Parts:
#
#   source    impactcheck-VERSION.tar.gz
#   packages  Debian packages of this machine's release and processor
#   wheel     of the Python package, likewise
#   data      impactcheck-VERSION-data.tar.gz: the certified data set (tools/make-data.py)
#   image     impactcheck-VERSION-image.tar, an OCI archive, by buildah or podman
#
# and SHA256SUMS. The same commit gives the same bytes on the same system, but for the image. Default: all parts; those
# that cannot be made are named. IC_RELEASE_DATA: patterns of the presets of the data set, for tests. Exit status 2: the
# tree is not ready to be released, or the request is wrong; 3: a part failed.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
umask 022
all=(source packages wheel data image)

refuse() { # STATUS MESSAGE
    echo "release: $2" >&2
    exit "$1"
}

out='' parts=() asked=0
while (($#)); do
    case $1 in
    --out | --parts) (($# > 1)) || refuse 2 "option $1: a value is missing" ;;&
    --out) out=$2 ;;
    --parts)
        IFS=, read -r -a parts <<<"$2"
        asked=1
        ;;
    *) refuse 2 "unexpected argument \"$1\"; the options are --out FOLDER and --parts PART,..." ;;
    esac
    shift 2
done
((asked)) || parts=("${all[@]}")
for part in "${parts[@]}"; do
    [[ " ${all[*]} " == *" $part "* ]] || refuse 2 "option --parts: no part \"$part\"; the parts are ${all[*]}"
done

# ---- is the tree ready?

[[ -e $root/.git ]] || refuse 2 "$root is no clone; a release is made of a commit"
changed=$(git -C "$root" status --porcelain)
[[ ! $changed ]] || refuse 2 "the tree has changes that are not committed:"$'\n'"$changed"
version=$("$root/tools/check-versions.py" --release "$root") || refuse 2 "the files above must agree first"
tag=v$version
others=$(git -C "$root" tag --points-at HEAD | grep -E '^v[0-9]' | grep -vxF "$tag" || true)
[[ ! $others ]] || refuse 2 "the commit has the tag $others, but the version is $version (CMakeLists.txt)"
if tagged=$(git -C "$root" rev-parse --verify --quiet "$tag^{commit}") && [[ $tagged != $(git -C "$root" rev-parse HEAD) ]]; then
    refuse 2 "the tag $tag is at another commit: $tagged; raise the version, or check out the tag"
fi
out=${out:-$root/build/release/$version}
[[ ! -e $out ]] || refuse 2 "$out exists; name a new folder"
mkdir -p "$(dirname "$out")" || refuse 2 "no folder can be made there"

# ---- the parts, each into the current folder

work=$(mktemp -d "$(dirname "$out")/.release.XXXXXX")
trap 'rm -rf "$work"; echo "release: $out was not made" >&2; exit 3' EXIT
tree=$work/impactcheck made=$work/made name=impactcheck-$version
git clone --quiet "$root" "$tree"
git -C "$tree" checkout --quiet --detach "$(git -C "$root" rev-parse HEAD)"
SOURCE_DATE_EPOCH=$(git -C "$tree" log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
mkdir "$made"
cd "$made"

built=0
build() { # once: packages, wheel and data are made of the same programs
    ((built)) && return
    "$tree/tools/build.sh" package >&2
    built=1
}
make_source() { git -C "$tree" archive --format=tar --prefix="$name/" HEAD | gzip -n -9 >"$name.tar.gz"; }
make_packages() {
    build
    (cd "$tree/build-package" && cpack >&2)
    mv "$tree"/build-package/*.deb .
}
make_wheel() {
    build
    IMPACTCHECK_BUILD=$tree/build-package /usr/bin/python3 -m pip -q wheel --no-build-isolation --no-deps -w . "$tree/python"
}
make_data() {
    build
    "$tree/tools/make-data.py" "$tree/build-package/impactcheck" "$work/$name-data" "${patterns[@]}"
    tar --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -C "$work" -c "$name-data" | gzip -n -9 >"$name-data.tar.gz"
}
make_image() {
    if command -v buildah >/dev/null; then
        buildah bud --quiet --timestamp "$SOURCE_DATE_EPOCH" --tag "impactcheck:$version" "$tree" >&2
        buildah push --quiet "impactcheck:$version" "oci-archive:$name-image.tar:$version"
    else
        podman build --quiet --timestamp "$SOURCE_DATE_EPOCH" --tag "impactcheck:$version" "$tree" >&2
        podman save --quiet --format oci-archive --output "$name-image.tar" "impactcheck:$version"
    fi
}
has() { /usr/bin/python3 -c 'import importlib.util, sys; sys.exit(not all(map(importlib.util.find_spec, sys.argv[1:])))' "$@"; }
lacks() { # PART: prints what is missing to make it
    case $1 in
    packages) command -v cpack dpkg-shlibdeps >/dev/null || echo "cpack and dpkg-dev (./run setup package)" ;;
    wheel) has pip setuptools wheel || echo "pip, setuptools and wheel (./run setup python)" ;;
    data) has h5py yaml || echo "python3-h5py and python3-yaml (./run setup test)" ;;
    image)
        if [[ ! -e $tree/Containerfile ]]; then
            echo "a Containerfile"
        elif ! command -v buildah podman >/dev/null; then
            echo "buildah or podman"
        fi
        ;;
    esac
}

read -r -a patterns <<<"${IC_RELEASE_DATA-}"
left=()
for part in "${parts[@]}"; do
    missing=$(lacks "$part")
    if [[ ! $missing ]]; then
        echo "release: making $part ..." >&2
        "make_$part"
    elif ((asked)); then
        refuse 3 "$part needs $missing"
    else
        left+=("$part: it needs $missing")
    fi
done
sha256sum -- * >"$work/SHA256SUMS"
mv "$work/SHA256SUMS" .
cd /
mv "$made" "$out"
trap - EXIT
rm -rf "$work"
cat "$out/SHA256SUMS"
echo "Version $version, commit $(git -C "$root" rev-parse --short=12 HEAD), in $out"
[[ ${tagged-} ]] || echo "Not tagged yet: git tag -a $tag"
((${#left[@]} == 0)) || printf 'Not made: %s\n' "${left[@]}"
