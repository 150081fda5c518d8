#!/bin/sh
# Sets termexplorer up in .venv on Debian and its kin: system packages (where it may install them),
# PyTorch first and by itself, then everything else at locked versions. With --dev the tests' needs too.
set -eu
cd "$(dirname "$0")/.."

need="g++ python3-dev python3-venv \
libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-image0 libxcb-render-util0 \
libxcb-randr0 libxcb-xinerama0 libxcb-xkb1 libxkbcommon-x11-0 libegl1 libgl1 libdbus-1-3 \
libfontconfig1 libglib2.0-0 fonts-inter"
lock=packaging/lock.txt
if [ "${1:-}" = --dev ]; then
    need="$need xvfb xdotool openbox"
    lock=packaging/lock-dev.txt
fi

say() { printf '%s\n' "setup: $*" >&2; }

missing=
for package in $need; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing="$missing $package"
done
if [ -n "$missing" ]; then
    if command -v apt-get >/dev/null && [ "$(id -u)" = 0 ]; then
        say "installing system packages:$missing"
        apt-get update -qq
        DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends $missing >/dev/null
    else
        say "these Debian packages may be missing:$missing (install them as root if something fails)"
    fi
fi

python=${PYTHON:-python3}
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { say "Python 3.11 or newer is needed"; exit 1; }
[ -x .venv/bin/python ] || "$python" -m venv .venv
pip="./.venv/bin/python -m pip --disable-pip-version-check --quiet"

installed() { # a package, and its version
    ./.venv/bin/python -c 'import importlib.metadata as m, sys
sys.exit(m.version(sys.argv[1]).split("+")[0] != sys.argv[2])' "$@" 2>/dev/null
}
compiled=$(mktemp -d)
trap 'rm -rf "$compiled"' EXIT
# what comes as source alone is compiled while all else is installed, which does not depend on it
for package in fasttext hnswlib; do
    version=$(sed -n "s/^$package==//p" $lock)
    installed $package "$version" || $pip wheel --no-deps --wheel-dir "$compiled" "$package==$version" &
done

index=https://download.pytorch.org/whl/cpu
reachable() {
    ./.venv/bin/python -c "import urllib.request as u; u.urlopen('$index/torch/', timeout=10)" 2>/dev/null
}
if ! installed torch 2.13.0; then
    if ! command -v nvidia-smi >/dev/null && reachable; then
        say "PyTorch 2.13.0 from PyTorch's own index of CPU builds"
        $pip install torch==2.13.0 --index-url "$index"
    else
        say "PyTorch 2.13.0 from the package index in use"
        $pip install torch==2.13.0
    fi
fi
say "PyTorch build: $(./.venv/bin/python -c 'import importlib.metadata as m; print(m.version("torch"))')"

sed '/^fasttext==/d; /^hnswlib==/d' $lock > "$compiled/others.txt"
$pip install --requirement "$compiled/others.txt"
wait # what could not be compiled is told here, and tried again, by the next line
$pip install --find-links "$compiled" --requirement $lock
$pip install --no-deps --editable .
# compiled once here, also where Python is told to write no bytecode, and not by every process anew
./.venv/bin/python -m compileall -q termexplorer trainer resources
say "done; .venv/bin/termexplorer opens the window"
