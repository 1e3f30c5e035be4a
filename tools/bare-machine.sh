# shellcheck shell=bash
# SPDX-License-Identifier: MIT
#
# Sourced by other scripts. Creates a bare Debian or Ubuntu in a temporary folder with debootstrap, from this machine's
# package sources, or from the archive that debootstrap has for the release; needs root and the network. Fetched
# packages are kept in build/archives.

# bare_machine RELEASE: creates it in the folder $machine, which is removed when the script ends. Exit status 3: it
# could not be created.
bare_machine() {
    local release=$1 sources mirror
    ((EUID == 0)) || bare_machine_fails "needs root"
    command -v debootstrap >/dev/null || bare_machine_fails "needs the Debian package debootstrap (./run setup package)"
    # lines "site suite component"
    # shellcheck disable=SC2016 # apt-get replaces the names
    mapfile -t sources < <(apt-get indextargets --format '$(SITE) $(RELEASE) $(COMPONENT)' \
        'Created-By: Packages' 'Origin: Debian' | grep -E " $release(-updates|-security)? " | sort -u)
    mirror=$(printf '%s\n' "${sources[@]}" | awk -v release="$release" '$2 == release { print $1; exit }')
    archives=$PWD/build/archives/$release
    mkdir -p "$archives/partial"
    machine=$(mktemp -d)
    chmod 755 "$machine"
    trap 'rm -rf --one-file-system "$machine" "$machine.log"' EXIT
    echo "creating a minimal $release ..."
    local options=(--variant=minbase --include=ca-certificates --cache-dir="$archives") script=()
    if [[ ! $mirror ]]; then
        options+=("--components=main,universe") # Debian has no universe, and says so in a warning
        # a release of Ubuntu that debootstrap does not know yet is made as the others are
        [[ -e /usr/share/debootstrap/scripts/$release ]] || script=(/usr/share/debootstrap/scripts/gutsy)
    fi
    if ! debootstrap "${options[@]}" "$release" "$machine" ${mirror:+"$mirror"} ${script:+"" "${script[@]}"} >"$machine.log" 2>&1; then
        tail -n 20 "$machine.log" >&2
        exit 3
    fi
    [[ ! $mirror ]] || printf 'deb %s\n' "${sources[@]}" >"$machine/etc/apt/sources.list"
    rm -rf "$machine"/var/lib/apt/lists/* # a fresh image has no lists
    rm -f "$machine"/var/cache/apt/archives/*.deb
    cp -L /etc/resolv.conf /etc/hosts "$machine/etc/"
    cp -r /etc/ssl/certs/. "$machine/etc/ssl/certs/"
    {
        apt-config dump --no-empty --format '%f "%v";%n' Acquire::http::Proxy Acquire::https::Proxy
        # the archives belong to this machine: nothing is fetched twice, and no user of the bare machine owns them
        echo 'Binary::apt-get::APT::Keep-Downloaded-Packages "true"; APT::Keep-Downloaded-Packages "true"; APT::Sandbox::User "root";'
    } >"$machine/etc/apt/apt.conf.d/90here"
    rm -f "$machine/etc/apt/apt.conf.d/docker-clean"
}

bare_machine_fails() {
    echo "$(basename "$0"): $*" >&2
    exit 3
}

# on_bare_machine COMMAND...: runs it in /root of the bare machine, without this machine's environment.
on_bare_machine() {
    # shellcheck disable=SC2016 # the inner shells replace the names
    unshare --mount bash -c '
        mount -t proc proc "$0/proc"
        mount --rbind /dev "$0/dev"
        mount --bind "$1" "$0/var/cache/apt/archives"
        shift
        exec chroot "$0" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
            bash -c "cd /root && exec \"\$@\"" bash "$@"
    ' "$machine" "$archives" "$@"
}
