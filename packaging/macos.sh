#!/bin/sh
# Builds dist/termexplorer_VERSION_ARCH.dmg on macOS, after setup.sh's steps for macOS (README): an
# application, to be dragged to Applications, with PyTorch inside, which uses Apple's GPU.
# It has not been run by us yet. Where CODESIGN_IDENTITY is set, the application is signed with it;
# else macOS asks people to allow it (right click, Open).
set -eu
cd "$(dirname "$0")/.."
python=.venv/bin/python
$python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement packaging/lock-build.txt

# the sizes that an .icns has, drawn from the one picture
icons=build/termexplorer.iconset
mkdir -p "$icons"
for size in 16 32 128 256 512; do
    for scale in 1 2; do
        suffix=$([ $scale = 1 ] || echo @2x)
        QT_QPA_PLATFORM=offscreen $python -c '
import sys
from PySide6.QtGui import QGuiApplication, QIcon
application = QGuiApplication(sys.argv[:1])
side = int(sys.argv[2])
QIcon("resources/termexplorer.svg").pixmap(side, side).save(sys.argv[1])
' "$icons/icon_${size}x${size}$suffix.png" $((size * scale))
    done
done
iconutil --convert icns --output build/termexplorer.icns "$icons"

$python -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build packaging/program.spec
$python packaging/licences.py dist/termexplorer.app/Contents/Resources build/program
codesign --force --deep --options runtime --sign "${CODESIGN_IDENTITY:--}" dist/termexplorer.app

version=$($python -c 'from importlib.metadata import version; print(version("termexplorer"))')
image=build/dmg
rm -rf "$image"
mkdir -p "$image"
cp -R dist/termexplorer.app "$image/"
ln -s /Applications "$image/Applications"
hdiutil create -volname termexplorer -srcfolder "$image" -ov -format UDZO \
    "dist/termexplorer_${version}_$(uname -m).dmg"
