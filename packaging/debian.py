"""Whose the system's libraries are, where dpkg knows it."""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

DPKG = Path("/var/lib/dpkg")
COMMON = Path("/usr/share/common-licenses")


def owners(files: Iterable[Path]) -> dict[str, str]:
    """Names of libraries -> the packages that own files of these names."""
    names = {each.name for each in files} | {each.resolve().name for each in files}
    owned = {}
    for each in sorted((DPKG / "info").glob("*.list")):
        for line in each.read_text("utf-8").splitlines():
            name = line.rpartition("/")[2]
            if name in names and "/lib" in line:
                owned[name] = each.stem.split(":")[0]
    return owned


def copyright_of(package: str) -> str:
    """A package's note on its licences."""
    return Path("/usr/share/doc", package, "copyright").read_text("utf-8", "replace")


def source_of(package: str) -> tuple[str, str]:
    """The name and the version of the source that a package was built from."""
    stanza = re.search(rf"^Package: {re.escape(package)}\n(?:.+\n)*", _status(), re.MULTILINE)
    fields = dict(re.findall(r"^([\w-]+): (.*)$", stanza.group() if stanza else "", re.MULTILINE))
    told = re.fullmatch(r"(\S+)(?: \((.+)\))?", fields.get("Source", package))
    name, version = told.groups() if told else (package, None)
    return name, version or fields.get("Version", "")


@cache
def _status() -> str:
    return (DPKG / "status").read_text("utf-8")
