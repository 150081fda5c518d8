#!/bin/sh
# Sets termexplorer up in .venv on Debian and its kin: system packages (where it may install them),
# PyTorch first and by itself, then everything else, at locked versions with hashes. With --dev the
# tests' needs too.
set -eu
cd "$(dirname "$0")/.."

need="g++ python3-dev python3-venv \
libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxcb-shape0 libxcb-image0 libxcb-render-util0 \
libxcb-randr0 libxcb-xinerama0 libxcb-xkb1 libxkbcommon-x11-0 libegl1 libgl1 libdbus-1-3 \
libfontconfig1 libglib2.0-0 fonts-inter"
lock=packaging/lock.txt
if [ "${1:-}" = --dev ]; then
    need="$need chromium postgresql xvfb xdotool openbox strace"
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
# Every file has a hash in the locks, which name everything: nothing else is looked for.
locked="$pip install --no-deps --require-hashes --requirement"
entries() { # of the lock, with their hashes
    awk -v names=" $* " '/^[^ ]/ { split($1, name, "=="); wanted = index(names, " " name[1] " ") } wanted' $lock
}
compiled=$(mktemp -d)
trap 'rm -rf "$compiled"' EXIT
# what comes as source alone is compiled while all else is installed, which does not depend on it
entries setuptools pybind11 numpy > "$compiled/compilers.txt"
$locked "$compiled/compilers.txt"
compiling=
for package in fasttext hnswlib; do
    version=$(sed -n "s/^$package==\([^ ]*\).*/\1/p" $lock)
    installed $package "$version" && continue
    entries $package > "$compiled/$package.txt"
    $pip wheel --no-deps --no-build-isolation --require-hashes --wheel-dir "$compiled" \
        --requirement "$compiled/$package.txt" &
    compiling="$compiling $!"
done

index=https://download.pytorch.org/whl/cpu
reachable() {
    ./.venv/bin/python -c "import urllib.request as u; u.urlopen('$index/torch/', timeout=10)" 2>/dev/null
}
torch=$(sed -n 's/^torch==\([^ ]*\).*/\1/p' packaging/lock-torch.txt)
if ! installed torch "$torch"; then
    from=--no-index # where it cannot be reached, a copy that pip is told to find will do
    if reachable; then from="--index-url $index"; fi
    if ! command -v nvidia-smi >/dev/null && $locked packaging/lock-torch-cpu.txt $from 2>/dev/null; then
        say "PyTorch $torch, its build for the processor"
    else
        say "PyTorch $torch from the package index in use"
        $locked packaging/lock-torch.txt
    fi
fi
say "PyTorch build: $(./.venv/bin/python -c 'import importlib.metadata as m; print(m.version("torch"))')"

awk '/^[^ ]/ { left_out = /^(fasttext|hnswlib)==/ } !left_out' $lock > "$compiled/others.txt"
$locked "$compiled/others.txt"
for process in $compiling; do wait "$process"; done
[ -z "$compiling" ] || $pip install --no-deps --no-index "$compiled"/*.whl
$pip install --no-deps --no-build-isolation --editable .
$pip check >/dev/null || $pip check
# compiled once here, also where Python is told to write no bytecode, and not by every process anew
./.venv/bin/python -m compileall -q termexplorer trainer resources
say "done; .venv/bin/termexplorer opens the window"
