#!/bin/sh
# Collects the licences of everything that a built program holds into the folder that is given.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
# the names of what is locked for users, with PyTorch, which is installed by itself
names=$(sed 's/[=; ].*//' packaging/lock.txt)
.venv/bin/python -m piplicenses --packages $names torch --with-license-file --no-license-path \
    --with-urls --format=plain-vertical --output-file="$1/third-party.txt" >/dev/null
cp LICENSE "$1/termexplorer.txt"
cat >"$1/qt.txt" <<END
Qt and PySide6 are used under the GNU Lesser General Public License, version 3. They are the files
below _internal/PySide6 and _internal/shiboken6, loaded when the program starts: you may put
other builds of the same version in their place. Their sources: https://download.qt.io/
END
