#!/bin/sh
# Installs the .deb on a bare Debian 12 in a chroot, which has no Python, and uses it there as
# bare_inside.sh says. As root; needs debootstrap.
# Usage: sh packaging/bare.sh dist/termexplorer_*.deb [PICTURE [RELEASE]]
# PICTURE is one of the window; RELEASE, a folder or file, is imported too. The .tar.gz beside the
# .deb is tried as well. BARE, if set, is a folder with what debootstrap makes, kept for the next time;
# KEEP=1 leaves the chroot where it is, to be looked into.
set -eu
cd "$(dirname "$0")/.."
deb=$(realpath "$1")
picture=$(realpath -m "${2:-dist/bare.png}")
release=${3:-}
command -v debootstrap >/dev/null || apt-get install -qq -y debootstrap >/dev/null
root=$(mktemp -d)
clean() {
    umount "$root/proc" "$root/dev/shm" 2>/dev/null || :
    [ -n "${KEEP:-}" ] || rm -rf --one-file-system "$root"
}
trap clean EXIT
say() { printf '%s\n' "bare: $*" >&2; }

bare=${BARE:-$root}
if [ ! -d "$bare/etc" ]; then
    say "debootstrap"
    mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -1 || :)
    debootstrap --variant=minbase bookworm "$bare" ${mirror:+"$mirror"} >/dev/null
fi
[ "$bare" = "$root" ] || cp -a "$bare/." "$root/"
# the same way out as this machine's
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm" && mount -t tmpfs tmpfs "$root/dev/shm"
inside() {
    chroot "$root" env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root LANG=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive "$@"
}
mkdir "$root/given"
for file in "$deb" "${deb%.deb}.tar.gz" packaging/bare_inside.sh ${release:+"$release"}; do
    [ ! -e "$file" ] || cp -r "$file" "$root/given/"
done
inside apt-get update -qq
say "the package and what it depends on"
inside apt-get install -qq -y --no-install-recommends "/given/$(basename "$deb")" >/dev/null
inside sh -c '! command -v python3' || { say "Python is there"; exit 1; }
inside sh /given/bare_inside.sh ${release:+"/given/$(basename "$release")"}
cp "$root/window.png" "$picture"
for page in judge train; do cp "$root/$page.png" "${picture%.png}_$page.png"; done
say "the windows: $picture, and beside it those of judging and training"
[ -z "${KEEP:-}" ] || say "kept: $root"
