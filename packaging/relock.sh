#!/bin/sh
# Writes lock.txt (what the program needs) and lock-dev.txt (tests and checks besides), for every platform.
# Writes lock-sssom.txt too, for the package that validates files of mappings, lock-agreement.txt for
# those that agreement is held against, lock-build.txt for what builds programs, and lock-wheel.txt for
# what builds and checks the wheel.
# torch and what it pulls in are left out: setup.sh installs torch first and by itself.
set -eu
cd "$(dirname "$0")/.."
left_out=$(sed 's/^/--no-emit-package /' packaging/torch-packages.txt)
compile() { uv pip compile --universal --python-version 3.11 --no-header --no-annotate --quiet "$@"; }
compile pyproject.toml $left_out --output-file packaging/lock.txt
compile pyproject.toml $left_out --extra dev --constraint packaging/lock.txt --output-file packaging/lock-dev.txt
echo sssom==0.4.21 | compile - --output-file packaging/lock-sssom.txt
echo pyinstaller==6.22.3 | compile - --output-file packaging/lock-build.txt
printf 'build==1.6.1\ntwine==7.0.0\n' | compile - --output-file packaging/lock-wheel.txt
printf 'krippendorff==0.9.0\nirrCAC==0.4.4\n' | compile - --output-file packaging/lock-agreement.txt
