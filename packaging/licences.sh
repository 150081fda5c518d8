#!/bin/sh
# Collects the licences of everything that a built program holds: licences.sh FOLDER, the program's,
# in which a folder of that name is made (or made anew).
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-.venv/bin/python}
program=$1
licences=$program/licences
rm -rf "$licences"
mkdir -p "$licences"
# the names of what is locked for users, with PyTorch, which is installed by itself
names=$(sed 's/[=; ].*//' packaging/lock.txt)
$python -m piplicenses --packages $names torch --with-license-file --no-license-path \
    --with-urls --format=plain-vertical --output-file="$licences/third-party.txt" >/dev/null
cp LICENSE "$licences/termexplorer.txt"
cp "$($python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))')/LICENSE.txt" "$licences/python.txt" ||
    $python -c 'import builtins; print(builtins.license)' >"$licences/python.txt"
# the system's libraries that went along, by the packages that own them
if [ -d /var/lib/dpkg/info ]; then
    find "$program/_internal" -maxdepth 1 -type f -name '*.so*' -printf '/%f\n' |
        grep -lFf - /var/lib/dpkg/info/*.list | sed 's#.*/##; s/\.list$//; s/:.*//' | sort --unique |
        while read -r owner; do
            cp -L "/usr/share/doc/$owner/copyright" "$licences/$owner.txt"
        done
fi
cat >"$licences/qt.txt" <<END
Qt and PySide6 are used under the GNU Lesser General Public License, version 3
(https://www.gnu.org/licenses/lgpl-3.0.html). They are the files below _internal/PySide6 and
_internal/shiboken6, loaded when the program starts: you may put other builds of the same version in
their place. Their sources: https://download.qt.io/
END
if [ -d /usr/share/common-licenses ]; then
    cp -L /usr/share/common-licenses/LGPL-3 "$licences/lgpl-3.txt"
    cp -L /usr/share/common-licenses/GPL-3 "$licences/gpl-3.txt" # which the LGPL refers to
fi
