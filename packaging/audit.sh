#!/bin/sh
# Asks PyPI, over the network, for known weaknesses of all that the locks name; what cannot be asked
# about fails too. pip-audit is set up in .audit, apart from the program's own libraries. PyTorch's own
# builds, which PyPI does not know, are those of lock-torch.txt.
set -eu
cd "$(dirname "$0")/.."
[ -x .audit/bin/python ] || "${PYTHON:-python3}" -m venv .audit
.audit/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement packaging/lock-audit.txt
found=0
for lock in packaging/lock*.txt; do
    [ "$lock" != packaging/lock-torch-cpu.txt ] || continue
    echo "$lock"
    .audit/bin/pip-audit --strict --disable-pip --require-hashes --progress-spinner off --requirement "$lock" || found=1
done
exit $found
