"""Cleaning of what files hold: white space, characters that cannot be shown, repeated names."""

import re
from collections.abc import Iterable

from termexplorer.importers.records import NameRecord

_UNSHOWABLE = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")
_LICENCE = re.compile(r"licen[cs]e|creativecommons|CC[ -]?(?:BY|0)|public domain", re.IGNORECASE)


def clean(text: str) -> str:
    """Text with runs of white space as one space, and without control characters."""
    if not text.isprintable():
        text = _UNSHOWABLE.sub("", text)
    return " ".join(text.split())


def unique(values: Iterable[str]) -> tuple[str, ...]:
    """The non-empty values, each once, in their order."""
    return tuple(dict.fromkeys(value for value in values if value))


def distinct_names(names: Iterable[NameRecord]) -> tuple[NameRecord, ...]:
    """The non-empty names, the preferred one first; equal but for case counts as the same."""
    kept: dict[str, NameRecord] = {}
    for name in sorted(names, key=lambda name: name.kind != "preferred"):
        if name.text:
            kept.setdefault(name.text.casefold(), name)
    return tuple(kept.values())


def mentions_licence(text: str) -> bool:
    """Whether a remark seems to state the licence."""
    return _LICENCE.search(text) is not None
