#!/bin/sh
# Builds what people without Python install on Linux: dist/termexplorer_VERSION_ARCH.deb and .tar.gz,
# a PyInstaller folder with PyTorch for the CPU, menu entries, icon and file type inside.
set -eu
cd "$(dirname "$0")/.."
pip=".venv/bin/python -m pip --disable-pip-version-check --quiet"
$pip install --require-hashes --requirement packaging/lock-build.txt
.venv/bin/python -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build \
    packaging/program.spec
.venv/bin/python packaging/licences.py dist/termexplorer build/program

version=$(.venv/bin/python -c 'from importlib.metadata import version; print(version("termexplorer"))')
arch=$(dpkg --print-architecture)
name="termexplorer_${version}_${arch}"
# menu entries, icon and file type for those who unpack it by hand
mkdir -p dist/termexplorer/share
cp packaging/termexplorer.desktop packaging/termexplorer-judge.desktop \
    packaging/termexplorer-study.xml resources/termexplorer.svg dist/termexplorer/share/
tar --create --gzip --owner=0 --group=0 --directory dist --file "dist/$name.tar.gz" termexplorer

root="build/$name"
rm -rf "$root"
share="$root/usr/share"
mkdir -p "$root/DEBIAN" "$root/opt" "$root/usr/bin" "$share/applications" "$share/mime/packages" \
    "$share/icons/hicolor/scalable/apps" "$share/doc/termexplorer"
cp -al dist/termexplorer "$root/opt/termexplorer"
ln -s /opt/termexplorer/termexplorer "$root/usr/bin/termexplorer"
cp packaging/termexplorer.desktop packaging/termexplorer-judge.desktop "$share/applications/"
cp packaging/termexplorer-study.xml "$share/mime/packages/"
cp resources/termexplorer.svg "$share/icons/hicolor/scalable/apps/"
cat dist/termexplorer/licences/README.txt LICENSE >"$share/doc/termexplorer/copyright"
ln -s /opt/termexplorer/licences "$share/doc/termexplorer/licences"
cat >"$root/DEBIAN/control" <<CONTROL
Package: termexplorer
Version: $version
Architecture: $arch
Maintainer: termexplorer developers <termexplorer@localhost>
Installed-Size: $(du -sk "$root" | cut -f1)
Section: science
Priority: optional
Depends: libc6, libxcb-cursor0, libxcb-icccm4, libxcb-keysyms1, libxcb-shape0, libxcb-image0, libxcb-render-util0, libxcb-randr0, libxcb-xinerama0, libxcb-xkb1, libxkbcommon-x11-0, libegl1, libgl1, libdbus-1-3, libfontconfig1, libglib2.0-0
Recommends: fonts-inter, shared-mime-info, desktop-file-utils
Description: which names does an encoder believe belong together, and is it right?
 A workbench for the people who look after terminologies: import one, train small encoders on a
 level of its hierarchy, browse and compare rankings, and judge pairs of terms.
CONTROL
dpkg-deb --build --root-owner-group -Zzstd -z3 "$root" "dist/$name.deb" >/dev/null
ls -l "dist/$name.deb" "dist/$name.tar.gz"
