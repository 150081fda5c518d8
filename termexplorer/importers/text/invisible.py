"""Characters that nobody sees in ids and names: dropped, or made plain spaces, and counted.

`clean` of `importers.text` has every text pass here, and `open_importer` every record besides, so
that `E10` with a zero width space after it is `E10` whatever the format.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from typing import Any

from termexplorer.importers.records import (
    ConceptRecord,
    IsARecord,
    NameRecord,
    Note,
    Record,
    Repeated,
)
from termexplorer.importers.text.notes import counted
from termexplorer.texts import mark

_DROPPED = re.compile(
    "[\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f"  # control characters
    "\u00ad\u034f\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f"
    "\ud800-\udfff\ufeff\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_JOINERS = re.compile("[\u200c\u200d]")  # which some scripts, and joined signs, need
_NO_BREAK = re.compile("[\u00a0\u2007\u202f]")
_FIRST_JOINED = 0x590  # the scripts from Hebrew on
_MOST_TOLD = 8
_IDS = (
    "parents", "alternative_ids", "cross_references", "replaced_by", "consider", "same_as",
    "associations", "modules",
)  # fmt: skip
_ALL_IDS = attrgetter(*_IDS)
_TEXT_OF_NAME = attrgetter("text")

_texts: set[int] = set()  # hashes of what was changed since the import under way began
_signs: Counter[str] = Counter()
_spaced: set[int] = set()  # hashes of what had no-break spaces
_spaces: Counter[str] = Counter()


def visible(text: str) -> str:
    """Return a text without what nobody sees; no-break spaces are left to who splits it."""
    shown = _JOINERS.sub(_keep_joiner, _DROPPED.sub("", text))
    spaces = _NO_BREAK.findall(text)
    if spaces and hash(text) not in _spaced:
        _spaced.add(hash(text))
        _spaces.update(spaces)
    if len(shown) != len(text) and hash(text) not in _texts:
        _texts.add(hash(text))
        _signs.update((Counter(text) - Counter(shown)).keys())
    return shown


def visible_records(records: Iterable[Record], clean: Callable[[str], str]) -> Iterator[Record]:
    """Yield the records of an import with visible ids and names, and say how many texts changed.

    Args:
        records: Of one file or release.
        clean: Cleans an id or name.
    """
    for cache in (_texts, _signs, _spaced, _spaces):
        cache.clear()
    for record in records:
        yield _visible_record(record, clean)
    yield from _count_invisible()


def _keep_joiner(match: re.Match[str]) -> str:
    text, position = match.string, match.start()
    around = text[position - 1 : position] + text[position + 1 : position + 2]
    needed = len(around) == 2 and all(ord(sign) >= _FIRST_JOINED for sign in around)
    return match[0] if needed else ""


def _visible_record(record: Record, clean: Callable[[str], str]) -> Record:
    if isinstance(record, ConceptRecord):
        return record if _is_visible(record) else _visible_concept(record, clean)
    if isinstance(record, IsARecord) and not (record.child + record.parent).isprintable():
        return replace(record, child=clean(record.child), parent=clean(record.parent))
    if isinstance(record, Repeated) and not record.curie.isprintable():
        return replace(record, curie=clean(record.curie))
    return record


def _is_visible(record: ConceptRecord) -> bool:
    texts = [record.curie, record.code, *map(_TEXT_OF_NAME, record.names)]
    return "".join(chain(texts, *_ALL_IDS(record))).isprintable()


def _visible_concept(record: ConceptRecord, clean: Callable[[str], str]) -> ConceptRecord:
    names: dict[str, NameRecord] = {}
    for name in record.names:
        text = clean(name.text)
        if text:
            names.setdefault(text.casefold(), name._replace(text=text))
    ids: dict[str, Any] = {
        key: tuple(dict.fromkeys(text for text in map(clean, getattr(record, key)) if text))
        for key in _IDS
    }
    return replace(
        record,
        curie=clean(record.curie),
        code=clean(record.code),
        names=tuple(names.values()),
        **ids,
    )


def _count_invisible() -> Iterator[Note]:
    yield from counted(
        "invisible",
        len(_texts),
        mark("ids or texts with characters that nobody sees, which are dropped: {n:,} ({signs})"),
        signs=_list_signs(_signs),
    )
    yield from counted(
        "no-break spaces",
        len(_spaced),
        mark("ids or texts with no-break spaces, which become plain spaces: {n:,} ({signs})"),
        signs=_list_signs(_spaces),
    )


def _list_signs(signs: Counter[str]) -> str:
    return ", ".join(f"U+{ord(sign):04X}" for sign, _ in signs.most_common(_MOST_TOLD))
