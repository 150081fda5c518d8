"""ICD-10-CM from the package `simple-icd-10-cm`: chapters, blocks, categories, codes.

39 codes stand for a block and for its only category. Both are kept, the block as `B99-B99`, so that
every category is on level 3, below its chapter and its block.
"""

import gc
import re
import warnings
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from importlib import metadata, resources
from types import ModuleType

from termexplorer.importers.files.source import ImportProgress
from termexplorer.importers.icd10cm.codes import (
    KEY,
    LICENCE,
    TITLE,
    block_code,
    curie,
    name_included,
)
from termexplorer.importers.records import ConceptRecord, Header, NameRecord, Record
from termexplorer.importers.text.text import NameCleaner

_PACKAGE = "simple_icd_10_cm"
_TABULAR = re.compile(r"icd10c\w*-tabular-(\w+-\d+-\d{4})\.xml")


def read(progress: ImportProgress, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, then every entry before its children.

    Args:
        progress: Told how many of the entries were yielded.
        options: None are known.
    """
    package = _load_package()
    yield Header(KEY, TITLE, _find_version(), LICENCE, {})
    codes: list[str] = package.get_all_codes(True)
    progress.total = len(codes)
    blocks: set[str] = set()
    kind_of, cleaner = _make_kind_of(package), NameCleaner()
    for code in codes:
        progress.done += 1
        # A code that is a block and a category is listed twice, the block first.
        as_block = code not in blocks and package.is_block(code)
        if as_block:
            blocks.add(code)
        yield _make_concept(package, code, "block" if as_block else kind_of(code), blocks, cleaner)
    yield from cleaner.notes()


def _load_package() -> ModuleType:
    """Import the package; the collector is paused, as it would pass over 98,505 nodes in vain.

    On Python 3.11 the package uses a function of the standard library that is deprecated there.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            import simple_icd_10_cm
    finally:
        if collecting:
            gc.enable()
    module: ModuleType = simple_icd_10_cm
    return module


def _find_version() -> str:
    for entry in resources.files(f"{_PACKAGE}.data").iterdir():
        if match := _TABULAR.fullmatch(entry.name):
            return datetime.strptime(match[1], "%B-%d-%Y").date().isoformat()
    return metadata.version("simple-icd-10-cm")


def _make_kind_of(package: ModuleType) -> Callable[[str], str]:
    def kind_of(code: str) -> str:
        if package.is_category(code):
            return "category"
        return "chapter" if package.is_chapter(code) else "code"

    return kind_of


def _make_concept(
    package: ModuleType, code: str, kind: str, blocks: set[str], cleaner: NameCleaner
) -> ConceptRecord:
    as_block = kind == "block"
    own_code = block_code(code) if as_block else code
    parent = package.get_parent(code, as_block)
    if kind == "category" and parent in blocks:
        parent = block_code(parent)
    names = [NameRecord(package.get_description(code, as_block), "preferred")]
    terms = package.get_inclusion_term(code, as_block)
    names += [NameRecord(term, "synonym") for term in terms]
    names += name_included(package.get_includes(code, as_block))
    return ConceptRecord(
        curie=curie(own_code),
        code=own_code,
        kind=kind,
        names=cleaner.distinct(names),
        parents=(curie(parent),) if parent else (),
    )
