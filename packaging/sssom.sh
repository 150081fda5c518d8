#!/bin/sh
# Sets the package sssom up in .sssom, apart from the program's own libraries, at locked versions.
set -eu
cd "$(dirname "$0")/.."
[ -x .sssom/bin/python ] || "${PYTHON:-python3}" -m venv .sssom
.sssom/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement packaging/lock-sssom.txt
