"""What a program that PyInstaller built is made of, by PyInstaller's own lists of it."""

import ast
import sys
import sysconfig
from collections.abc import Iterator
from importlib.metadata import Distribution, distributions
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LISTS = ("PYZ-00.toc", "COLLECT-00.toc")
PACKAGES = Path(sysconfig.get_path("purelib"))
PYTHON = (Path(sys.base_prefix), Path(sysconfig.get_path("stdlib")))


def held(build: Path) -> dict[Path, str]:
    """Each file here that went into the program built in a folder -> its name there."""
    return {
        Path(here): there
        for name in LISTS
        for there, here in _entries(ast.literal_eval((build / name).read_text("utf-8")))
        if Path(here).is_absolute()
    }


def installed() -> dict[Path, Distribution]:
    """Each file that pip installed -> the package that it is of."""
    return {
        Path(str(each.locate_file(file))).resolve(): each
        for each in distributions()
        for file in each.files or []
    }


def is_of_system(file: Path) -> bool:
    """Whether a file is neither a package's, nor Python's, nor the repository's."""
    return not any(map(file.is_relative_to, (PACKAGES, ROOT, *PYTHON)))


def _entries(node: object) -> Iterator[tuple[str, str]]:
    if isinstance(node, tuple) and len(node) == 3 and all(isinstance(each, str) for each in node):
        yield node[0], node[1]
    elif isinstance(node, tuple | list):
        for each in node:
            yield from _entries(each)
