"""ICD-10-CM's order file: a code a line, in fixed columns, below the longest code it begins with.

It has all codes, those with a 7th character too, and neither chapters nor blocks: its categories
are roots.
"""

import re
from collections.abc import Iterator, Mapping

from termexplorer.errors import UserError
from termexplorer.importers.files.source import Source
from termexplorer.importers.icd10cm.codes import KEY, LICENCE, TITLE, code_kind, curie, dotted
from termexplorer.importers.records import (
    ConceptRecord,
    Header,
    NameRecord,
    Note,
    Record,
    Skipped,
)
from termexplorer.importers.text.text import NameCleaner, clean
from termexplorer.texts import tr

_CODE, _BILLABLE, _SHORT, _LONG = slice(6, 13), slice(14, 15), slice(16, 76), slice(77, None)
_SOUND = re.compile(r"[A-Z]\d[0-9A-Z]{1,5}")
_RELEASE = re.compile(r"(?<!\d)(20\d\d)(?:[-_](0\d|1[0-2]))?(?!\d)")


def read(source: Source, options: Mapping[str, object]) -> Iterator[Record]:
    """Yield the header, the codes, and the lines that are none.

    Args:
        source: The file; its `passes` should be 2, as a code may stand before its parent.
        options: None are known.

    Raises:
        UserError: Damaged, no text, or without a code.
    """
    yield Header(KEY, TITLE, release_of(source.path.name), LICENCE, {})
    known = {text[_CODE].strip() for _, text in source.lines()}
    cleaner = NameCleaner()
    count = billable = 0
    for line, text in source.lines():
        record = _read_row(line, text, known, cleaner) if text.strip() else None
        if record:
            yield record
        if isinstance(record, ConceptRecord):
            count += 1
            billable += text[_BILLABLE] == "1"
    if not count:
        raise UserError(
            tr("{path} holds no line of an ICD-10-CM order file; choose another", path=source.path)
        )
    text = tr("{n:,} of {all:,} codes are billable", n=billable, all=count)
    yield Note("billable", billable, text)
    yield from cleaner.notes()


def release_of(name: str) -> str:
    """The year, or year and month, in a file's name (`icd10cm_order_2021-01.txt`), or ""."""
    match = _RELEASE.search(name)
    return "-".join(filter(None, match.groups())) if match else ""


def _read_row(
    line: int, text: str, known: set[str], cleaner: NameCleaner
) -> ConceptRecord | Skipped:
    code = text[_CODE].strip()
    names = list(dict.fromkeys(clean(text[part]) for part in (_LONG, _SHORT)))
    records = cleaner.distinct(
        NameRecord(name, "synonym" if index else "preferred")
        for index, name in enumerate(filter(None, names))
    )
    if not _SOUND.fullmatch(code):
        return Skipped(line, tr("no code of ICD-10-CM in {text!r}", text=clean(text)[:60]))
    if not records:
        return Skipped(line, tr("{code}: no name", code=code))
    if text[_BILLABLE] not in ("0", "1"):
        return Skipped(line, tr("{code}: no 0 or 1 in column 15", code=code))
    above = next((code[:end] for end in range(len(code) - 1, 2, -1) if code[:end] in known), "")
    dotted_code = dotted(code)
    return ConceptRecord(
        curie=curie(dotted_code),
        code=dotted_code,
        kind=code_kind(dotted_code),
        names=records,
        parents=(curie(dotted(above)),) if above else (),
        line=line,
    )
