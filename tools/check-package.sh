#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/check-package.sh
#
# Builds the Debian packages, and installs and uses them in a bare Debian of this machine's release,
# made by debootstrap, without a compiler or other build dependencies until libimpactcheck-dev is
# tested. Part of `./run test --full`; needs root, debootstrap and the network, and reports if they
# are missing.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# shellcheck source=tools/bare-machine.sh
. tools/bare-machine.sh
# shellcheck source=/dev/null
release=$(. /etc/os-release && echo "$VERSION_CODENAME")

tools/build.sh package
rm -f build-package/*.deb
(cd build-package && cpack)

failures=0
wrong() {
    echo "FAILED  $*"
    failures=$((failures + 1))
}

# ---- the packages' control files

field() { dpkg-deb --field "$1" "$2"; } # DEB FIELD
find_deb() { find build-package -maxdepth 1 -name "$1_*.deb"; }
soname=$(readelf -d build-package/libimpactcheck.so | sed -n 's/.*SONAME.*\[libimpactcheck[.]so[.]\(.*\)\]/\1/p')
packages=(impactcheck "libimpactcheck$soname" libimpactcheck-dev python3-impactcheck)
sections=(science libs libdevel python)
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

bare_machine "$release"
mkdir "$machine/packages"
for name in "${packages[@]}"; do cp "$(find_deb "$name")" "$machine/packages/"; done
cp -r examples/outside "$machine/root/outside"
chmod 755 "$machine/packages"

there() { # COMMAND: runs it in the shell of the bare machine
    on_bare_machine sh -ec "$1" >"$machine.log" 2>&1 && return
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
       impactcheck check /usr/share/impactcheck/examples/machines/stops.yaml --quiet
       impactcheck schema case | cmp - /usr/share/impactcheck/schema/case.schema.json
       test -s /usr/share/doc/impactcheck/guide.md
       test ! -e /usr/include/impactcheck' || wrong "impactcheck does not run there"
there 'apt-get -q=2 -y --no-install-recommends install /packages/lib*.deb gcc libc6-dev make pkg-config cmake
       make -C /root/outside
       /root/outside/outside >/tmp/make
       cmake -S /root/outside -B /root/build
       cmake --build /root/build
       /root/build/outside >/tmp/cmake
       cmp /tmp/make /tmp/cmake
       grep -q "bouncing-ball by midpoint: ok" /tmp/make' || wrong "a program outside cannot be built there"
there 'apt-get -q=2 -y --no-install-recommends install /packages/python3-impactcheck_*.deb python3-pytest
       cat >/tmp/test_mine.py <<PYTHON
import impactcheck as ic

def test_right(assert_follows):
    assert_follows(ic.run("bouncing-ball/lively", until=1), "bouncing-ball/lively", until=1)

def test_wrong(assert_follows):
    assert_follows(ic.run("bouncing-ball/lively", until=1, g=9.8), "bouncing-ball/lively", until=1)
PYTHON
       python3 -m pytest -q /tmp/test_mine.py >/tmp/python.log || true
       grep -q "1 failed, 1 passed" /tmp/python.log
       grep -q "parameter-wrong" /tmp/python.log
       apt-get -q=2 -y remove python3-impactcheck
       test ! -e /usr/lib/python3/dist-packages/impactcheck' || wrong "the Python package does not work there"
there 'dpkg --remove libimpactcheck-dev libimpactcheck'"$soname"' impactcheck
       test ! -e /usr/bin/impactcheck' || wrong "the packages cannot be removed"

((failures == 0)) || exit 1
echo "the packages can be installed, run and used on a bare $release"
