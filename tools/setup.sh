#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# tools/setup.sh GROUP...
#
# Installs the missing Debian packages of these groups in tools/packages.txt, of group `engine` also those that
# adapters/engines/engines.def names, as root or with sudo.
# Prints nothing if none is missing. IC_NO_SETUP=1 skips it, for machines that have the tools by
# other means. Without apt, it prints the required packages and leaves the rest to CMake's checks.
# Exit status 3: a package is missing and could not be installed.
set -euo pipefail

[[ ${IC_NO_SETUP:-0} == 0 ]] || exit 0
cd "$(dirname "${BASH_SOURCE[0]}")/.."
lists() {
    cat tools/packages.txt
    sed -nE 's/^IC_(SCRIPT_)?ENGINE[(]([a-z0-9]+),( *c| *cpp)?,? *"([^"]*)".*/\2 \4/p' adapters/engines/engines.def |
        while read -r engine packages; do
            for package in $packages; do echo "engine $package $engine"; done
        done
}

declare -A purpose=()
wanted=() optional=()
while read -r group package text; do
    [[ $group && $group != '#'* && " $* " == *" $group "* ]] || continue
    if [[ $package == *\|* ]]; then
        ! command -v "${package#*|}" >/dev/null || continue
        package=${package%|*}
    fi
    if [[ $package == *\? ]]; then
        package=${package%\?}
        optional+=("$package")
    else
        wanted+=("$package")
    fi
    purpose[$package]=$text
done < <(lists)

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    echo "setup: apt is not available (IC_NO_SETUP=1 suppresses this message). Required packages, by Debian's names:" \
        "${wanted[*]} ${optional[*]-}" >&2
    exit 0
fi

# Prints the arguments that are not installed packages.
missing() {
    local package status installed=" "
    while read -r package status; do
        [[ $status != installed ]] || installed+="$package "
    done < <(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "$@" 2>/dev/null || true)
    for package; do
        [[ $installed == *" $package "* ]] || echo "$package"
    done
}

# Returns whether this machine's package lists contain every package named.
archive_has() {
    local package candidate
    for package; do
        candidate=$(LC_ALL=C apt-cache policy "$package" | sed -n 's/^  Candidate: //p')
        [[ $candidate && $candidate != '(none)' ]] || return 1
    done
}

mapfile -t needed < <(missing "${wanted[@]}" "${optional[@]}")
((${#needed[@]})) || exit 0

required=() # missing packages that are not optional
for package in "${needed[@]}"; do
    [[ " ${optional[*]-} " == *" $package "* ]] || required+=("$package")
done
as_root=()
able=1
if ((EUID != 0)); then
    as_root=(sudo)
    [[ -t 0 && -t 2 ]] || as_root+=(-n)
    command -v sudo >/dev/null && "${as_root[@]}" true || able=0
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
quietly() { # COMMAND...: prints its output only if it fails
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive "$@" >"$log" 2>&1 && return
    tail -n 30 "$log" >&2
    return 1
}

updated=0
update() {
    echo "setup: updating the lists of packages" >&2
    updated=1
    quietly apt-get -q=2 -o DPkg::Lock::Timeout=120 update
}

if ((able && ${#required[@]})) && ! archive_has "${needed[@]}"; then
    update || true # the installation shows whether the packages are available
fi
to_install=("${required[@]}")
for package in "${needed[@]}"; do
    if [[ " ${optional[*]-} " == *" $package "* ]] && archive_has "$package"; then
        to_install+=("$package")
    fi
done
((${#to_install[@]})) || exit 0

if ((!able)); then
    {
        echo "setup: these Debian packages are missing, and root must install them:"
        for package in "${to_install[@]}"; do printf '    %-18s %s\n' "$package" "${purpose[$package]}"; done
        echo "Command:  apt-get install ${to_install[*]}"
        echo "or, if you have the tools by other means, set IC_NO_SETUP=1."
    } >&2
    exit 3
fi

echo "setup: installing from the Debian archive:" >&2
for package in "${to_install[@]}"; do printf '    %-18s %s\n' "$package" "${purpose[$package]}" >&2; done
install() {
    quietly apt-get -q=2 -y --no-install-recommends -o DPkg::Lock::Timeout=120 install "${to_install[@]}"
}
install && exit 0
if ((!updated)) && update && install; then
    exit 0
fi
echo "setup: could not install ${to_install[*]}" >&2
exit 3
