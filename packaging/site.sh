#!/bin/sh
# Builds the site, build/site/index.html, without the network once its packages are installed: pages
# are put together in build/site-src; a link that leads nowhere fails. After setup.sh.
set -eu
cd "$(dirname "$0")/.."
[ -x .site/bin/python ] || "${PYTHON:-python3}" -m venv .site
.site/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes --requirement packaging/lock-site.txt
.venv/bin/python packaging/site_pages.py
NO_MKDOCS_2_WARNING=1 .site/bin/python -m mkdocs build --strict --quiet --config-file build/mkdocs.yml
if grep -rlE '<(script|img|iframe)[^>]* src="?https?:|<link[^>]*rel="?(stylesheet|preconnect)[^>]*href="?https?:' \
    build/site --include='*.html'; then
    echo "site: these pages would fetch something from elsewhere" >&2
    exit 1
fi
echo "site: build/site/index.html"
