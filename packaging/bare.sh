#!/bin/sh
# Installs the .deb on a bare Debian 12 in a chroot, which has no Python, and starts it there: demo
# without a display (it imports, trains, prints a ranking), then the window under Xvfb, with a
# picture. As root; needs debootstrap. Usage: sh packaging/bare.sh dist/termexplorer_*.deb [PICTURE]
set -eu
deb=$(realpath "$1")
picture=$(realpath -m "${2:-dist/bare.png}")
command -v debootstrap >/dev/null || apt-get install -qq -y debootstrap >/dev/null
root=$(mktemp -d)
trap 'umount -q "$root/proc" "$root/dev/shm" 2>/dev/null; rm -rf --one-file-system "$root"' EXIT
mirror=$(sed -n 's/^URIs: *//p' /etc/apt/sources.list.d/debian.sources 2>/dev/null | head -1)
debootstrap --variant=minbase bookworm "$root" ${mirror:+"$mirror"} >/dev/null
# the same way out as this machine's
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -r /etc/apt/apt.conf.d/. "$root/etc/apt/apt.conf.d/"
mount -t proc proc "$root/proc"
mkdir -p "$root/dev/shm" && mount -t tmpfs tmpfs "$root/dev/shm"
cp "$deb" "$root/termexplorer.deb"
inside() { chroot "$root" env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/root LANG=C.UTF-8 "$@"; }
inside apt-get update -qq
inside apt-get install -qq -y --no-install-recommends /termexplorer.deb >/dev/null
inside sh -c '! command -v python3' || { echo "bare.sh: Python is there" >&2; exit 1; }
inside termexplorer demo
inside apt-get install -qq -y --no-install-recommends xvfb xdotool imagemagick >/dev/null
inside sh -c '
    Xvfb :9 -screen 0 1440x900x24 2>/dev/null & x=$!
    export DISPLAY=:9
    termexplorer & program=$!
    xdotool search --sync --onlyvisible --name " – termexplorer" >/dev/null
    sleep 8
    import -window root /picture.png
    xdotool key ctrl+q
    wait $program; code=$?
    kill $x
    exit $code'
cp "$root/picture.png" "$picture"
echo "the window: $picture"
