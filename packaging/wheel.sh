#!/bin/sh
# Builds the wheel and the source distribution into dist/, and has twine check them.
set -eu
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
[ -x .wheel/bin/python ] || "$python" -m venv .wheel
.wheel/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement packaging/lock-wheel.txt
.wheel/bin/python -m build --outdir dist . >/dev/null
.wheel/bin/python -m twine check --strict dist/*.whl dist/termexplorer-*.tar.gz
