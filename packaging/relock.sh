#!/bin/sh
# Writes lock.txt (what the program needs) and lock-dev.txt (tests and checks besides), for every platform.
# torch and what it pulls in are left out: setup.sh installs torch first and by itself.
set -eu
cd "$(dirname "$0")/.."
left_out=$(sed 's/^/--no-emit-package /' packaging/torch-packages.txt)
compile() { uv pip compile pyproject.toml --universal --python-version 3.11 --no-header --no-annotate --quiet $left_out "$@"; }
compile --output-file packaging/lock.txt
compile --extra dev --constraint packaging/lock.txt --output-file packaging/lock-dev.txt
