"""Codes of ICD-10-CM as all its importers write them, so that its releases meet."""

import re
from collections.abc import Iterable, Iterator

from termexplorer.importers.records import NameRecord
from termexplorer.licences import licence_notes

PREFIX, KEY, TITLE = "ICD10CM", "icd10cm", "ICD-10-CM"
LICENCE = licence_notes()[PREFIX]
_CATEGORY = 3  # characters of a category's code
_NO_NAME = re.compile(
    r"(?:any |the listed )?conditions?\b|those\b|.*(?:\b[A-Z]\d\d(?:[.-]| and\b)|: |\.$)", re.I
)
"""A note *Includes* that is a rule or a sentence, and no name."""


def block_code(code: str) -> str:
    """`B99` as a block is `B99-B99`; `A00-A09` stays."""
    return code if "-" in code else f"{code}-{code}"


def dotted(code: str) -> str:
    """`A00.0` for `A000`."""
    return f"{code[:_CATEGORY]}.{code[_CATEGORY:]}" if len(code) > _CATEGORY else code


def code_kind(code: str) -> str:
    """What a code is called that is no chapter and no block."""
    return "category" if len(code) == _CATEGORY else "code"


def curie(code: str) -> str:
    """`ICD10CM:A00.0`."""
    return f"{PREFIX}:{code}"


def name_included(notes: Iterable[str]) -> Iterator[NameRecord]:
    """Yield the notes *Includes* that are names, as `piles`, not rules, as `any condition in …`.

    What a category includes may be another name of it, a narrower or a broader one: the list says
    no more, so they are related.
    """
    for note in notes:
        if not _NO_NAME.match(note):
            yield NameRecord(note, "synonym", "RELATED")
