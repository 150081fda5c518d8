#!/bin/sh
# Installs the .deb on a bare Debian 12 in a chroot, which has no Python, and starts it there: demo
# without a display (it imports, trains, prints a ranking), an import of a release if one is given,
# doctor, then the window under Xvfb, with a picture, closed by its own key. As root; needs
# debootstrap. Usage: sh packaging/bare.sh dist/termexplorer_*.deb [PICTURE [RELEASE]]
# BARE, if set, is a folder with what debootstrap makes, kept for the next time.
set -eu
deb=$(realpath "$1")
picture=$(realpath -m "${2:-dist/bare.png}")
release=${3:-}
command -v debootstrap >/dev/null || apt-get install -qq -y debootstrap >/dev/null
root=$(mktemp -d)
trap 'umount "$root/proc" "$root/dev/shm" 2>/dev/null || :; rm -rf --one-file-system "$root"' EXIT
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
inside apt-get update -qq
ln "$deb" "$root/termexplorer.deb" 2>/dev/null || cp "$deb" "$root/termexplorer.deb"
say "the package and what it depends on"
inside apt-get install -qq -y --no-install-recommends /termexplorer.deb >/dev/null
inside sh -c '! command -v python3' || { say "Python is there"; exit 1; }
say "without a display"
inside termexplorer demo
if [ -n "$release" ]; then
    cp -r "$release" "$root/release"
    inside termexplorer import /release
fi
inside termexplorer doctor
say "with one"
inside apt-get install -qq -y --no-install-recommends xvfb xdotool imagemagick >/dev/null
inside sh -c '
    Xvfb :9 -screen 0 1440x900x24 2>/dev/null & x=$!
    export DISPLAY=:9
    until xdotool getdisplaygeometry >/dev/null 2>&1; do sleep 0.2; done
    termexplorer & program=$!
    xdotool search --sync --onlyvisible --name " – termexplorer" >/dev/null
    sleep 20
    import -window root /picture.png
    window=$(xdotool search --onlyvisible --name " – termexplorer" | tail -1)
    xdotool windowfocus "$window" key ctrl+q
    wait $program; code=$?
    kill $x
    exit $code'
cp "$root/picture.png" "$picture"
say "the window: $picture"
