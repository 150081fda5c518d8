#!/bin/sh
# Builds the judging program for people without Python: dist/termexplorer-judge, one folder.
set -eu
cd "$(dirname "$0")/.."
.venv/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement packaging/lock-build.txt
.venv/bin/python -m PyInstaller --noconfirm --log-level WARN --distpath dist --workpath build packaging/judge.spec
.venv/bin/python packaging/licences.py dist/termexplorer-judge build/judge
