#!/bin/sh
# Sets the packages krippendorff and irrCAC up in .agreement, apart from the program's own libraries
# (irrCAC needs an older scipy), at locked versions.
set -eu
cd "$(dirname "$0")/.."
[ -x .agreement/bin/python ] || "${PYTHON:-python3}" -m venv .agreement
.agreement/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement packaging/lock-agreement.txt
