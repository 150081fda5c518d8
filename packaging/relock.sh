#!/bin/sh
# Writes the locks, each with the hashes of its files, for every platform: lock.txt (what the program
# needs) and lock-dev.txt (tests and checks besides); lock-torch.txt (PyTorch and what it pulls in, from
# the package index) and lock-torch-cpu.txt (its builds for the processor, from PyTorch's own index);
# lock-sssom.txt, for the package that validates files of mappings; lock-agreement.txt for those that
# agreement is held against; lock-build.txt for what builds programs; lock-wheel.txt for what builds and
# checks the wheel; lock-audit.txt for what looks for known weaknesses; lock-site.txt for what builds the
# site. Needs uv.
set -eu
cd "$(dirname "$0")/.."
left_out=$(sed 's/^/--no-emit-package /' packaging/torch-packages.txt)
torch=torch==2.13.0 # the one that is tested; pyproject.toml takes later and somewhat earlier ones
index=https://download.pytorch.org/whl/cpu
compile() {
    uv pip compile --universal --python-version 3.11 --no-header --no-annotate --quiet \
        --generate-hashes "$@"
}
tested=$(mktemp)
trap 'rm -f "$tested"' EXIT
echo "$torch" > "$tested"
compile pyproject.toml $left_out --extra all --constraint "$tested" --output-file packaging/lock.txt
compile pyproject.toml $left_out --extra all --extra dev --constraint "$tested" --constraint packaging/lock.txt --output-file packaging/lock-dev.txt
there=$(sed -n 's/^\([^ =]*\)==.*/--no-emit-package \1/p' packaging/lock.txt)
echo "$torch" | compile - --constraint packaging/lock.txt $there --output-file packaging/lock-torch.txt
if python3 -c "import urllib.request as u; u.urlopen('$index/torch/', timeout=10)" 2>/dev/null; then
    echo "$torch+cpu" | compile - --no-deps --index-url "$index" --output-file packaging/lock-torch-cpu.txt
else
    echo "relock: $index cannot be reached; lock-torch-cpu.txt stays as it is" >&2
fi
echo sssom==0.4.21 | compile - --output-file packaging/lock-sssom.txt
echo pyinstaller==6.22.3 | compile - --output-file packaging/lock-build.txt
printf 'build==1.6.1\ntwine==7.0.0\n' | compile - --output-file packaging/lock-wheel.txt
printf 'krippendorff==0.9.0\nirrCAC==0.4.4\n' | compile - --output-file packaging/lock-agreement.txt
echo pip-audit==2.10.1 | compile - --output-file packaging/lock-audit.txt
printf 'mkdocs==1.6.1\nmkdocs-material==9.8.2\nmkdocstrings==1.0.8\nmkdocstrings-python==2.0.11\n' \
    | compile - --output-file packaging/lock-site.txt
