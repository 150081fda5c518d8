#!/bin/sh
# Asks PyPI, over the network, for known weaknesses of all that the locks name. pip-audit is set up in
# .audit, apart from the program's own libraries.
set -eu
cd "$(dirname "$0")/.."
[ -x .audit/bin/python ] || "${PYTHON:-python3}" -m venv .audit
.audit/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement packaging/lock-audit.txt
found=0
for lock in packaging/lock*.txt; do
    echo "$lock"
    .audit/bin/pip-audit --disable-pip --require-hashes --progress-spinner off --requirement "$lock" || found=1
done
exit $found
