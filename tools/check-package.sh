#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-package.sh
#
# Makes the Debian packages, and installs and uses them in a bare Debian of this machine's release, made by debootstrap: there is no compiler in it,
# nor anything else that the project needs to be built, until libimpactcheck-dev is tried. Part of `./run test --full`; needs root, debootstrap and
# the network, and says so where it has not.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

((EUID == 0)) || {
    echo "check-package: needs root" >&2
    exit 3
}
command -v debootstrap >/dev/null || {
    echo "check-package: needs the Debian package debootstrap" >&2
    exit 3
}
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "$VERSION_CODENAME")

tools/build.sh package
rm -f build-package/*.deb
(cd build-package && cpack)

machine=$(mktemp -d)
chmod 755 "$machine"
trap 'rm -rf --one-file-system "$machine" "$machine.log"' EXIT

failures=0
wrong() {
    echo "FAILED  $*"
    failures=$((failures + 1))
}

# ---- what the packages say of themselves

field() { dpkg-deb --field "$1" "$2"; } # DEB FIELD
find_deb() { find build-package -maxdepth 1 -name "$1_*.deb"; }
soname=$(readelf -d build-package/libimpactcheck.so | sed -n 's/.*SONAME.*\[libimpactcheck[.]so[.]\(.*\)\]/\1/p')
packages=(impactcheck "libimpactcheck$soname" libimpactcheck-dev)
sections=(science libs libdevel)
for i in "${!packages[@]}"; do
    deb=$(find_deb "${packages[i]}")
    [[ -f $deb ]] || {
        wrong "no package ${packages[i]}"
        continue
    }
    [[ $(field "$deb" Section) == "${sections[i]}" ]] || wrong "$deb: section $(field "$deb" Section)"
    dpkg-deb --contents "$deb" | grep '/copyright$' >/dev/null || wrong "$deb: no copyright"
    printf '%s\n    Depends: %s\n' "$(basename "$deb")" "$(field "$deb" Depends)"
done
((failures == 0)) || exit 1
deb=$(find_deb impactcheck)
[[ $(field "$deb" Depends) == *libflint* && $(field "$deb" Depends) == *libjansson4* ]] || wrong "$deb: FLINT and Jansson are no dependencies"
[[ $(field "$deb" Depends) != *gsl* ]] || wrong "$deb: GSL, under the GPL, is a dependency"
deb=$(find_deb "libimpactcheck$soname")
[[ $(field "$deb" Depends) == 'libc6 ('*')' ]] || wrong "$deb: it depends on more than the C library: $(field "$deb" Depends)"

# ---- a bare machine

# shellcheck disable=SC2016 # apt-get replaces the names
mapfile -t sources < <(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' \
    'Created-By: Packages' 'Origin: Debian' | grep -E " $release(-updates|-security)? " | sort -u)
mirror=$(printf '%s\n' "${sources[@]}" | awk -v release="$release" '$2 == release { print $1; exit }')
if [[ ! $mirror ]]; then
    echo "check-package: the package sources of this machine have no $release; is apt-get update due?" >&2
    exit 3
fi
echo "making a minimal $release ..."
if ! debootstrap --variant=minbase --include=ca-certificates "$release" "$machine" "$mirror" >"$machine.log" 2>&1; then
    tail -n 20 "$machine.log" >&2
    exit 3
fi
printf 'deb %s\n' "${sources[@]}" >"$machine/etc/apt/sources.list"
cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
cp -r /etc/ssl/certs/. "$machine/etc/ssl/certs/"
apt-config dump --no-empty --format '%f "%v";%n' Acquire::http::Proxy Acquire::https::Proxy \
    >"$machine/etc/apt/apt.conf.d/90proxy"
mkdir "$machine/packages"
for name in "${packages[@]}"; do cp "$(find_deb "$name")" "$machine/packages/"; done
cp -r examples/outside "$machine/root/outside"
chmod 755 "$machine/packages"

there() { # COMMAND: by the shell of the bare machine
    # shellcheck disable=SC2016 # the inner shell replaces the names
    unshare --mount bash -c '
        mount -t proc proc "$0/proc"
        mount --rbind /dev "$0/dev"
        exec chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
            DEBIAN_FRONTEND=noninteractive sh -ec "$1"' "$machine" "$1" >"$machine.log" 2>&1 && return
    tail -n 30 "$machine.log"
    return 1
}

there 'apt-get -q=2 update
       apt-get -q=2 -y --no-install-recommends install /packages/impactcheck_*.deb' || wrong "impactcheck cannot be installed"
there 'impactcheck --version
       impactcheck verify "bouncing-ball*" --quiet --junit /tmp/v.xml
       test -s /tmp/v.xml
       impactcheck run roller/III/C --until 0.1 --json >/dev/null
       impactcheck certify roller/III/C --until 0.05 --quiet
       impactcheck audit --solver taylor --trap "many-bounces*" --quiet
       impactcheck complete run roller | grep -q roller/III/C
       test ! -e /usr/include/impactcheck' || wrong "impactcheck does not run there"
there 'apt-get -q=2 -y --no-install-recommends install /packages/lib*.deb gcc libc6-dev make pkg-config cmake
       make -C /root/outside
       /root/outside/outside >/tmp/make
       cmake -S /root/outside -B /root/build
       cmake --build /root/build
       /root/build/outside >/tmp/cmake
       cmp /tmp/make /tmp/cmake
       grep -q "bouncing-ball by midpoint: ok" /tmp/make' || wrong "a program outside cannot be built there"
there 'dpkg --remove libimpactcheck-dev libimpactcheck'"$soname"' impactcheck
       test ! -e /usr/bin/impactcheck' || wrong "the packages cannot be removed"

((failures == 0)) || exit 1
echo "the packages install, run and are used on a bare $release"
