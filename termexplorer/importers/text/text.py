"""Cleaning of what files hold: white space, unshowable signs, XML left over, repeated names."""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from termexplorer.importers.records import NameRecord, Note
from termexplorer.importers.text.invisible import visible
from termexplorer.texts import tr, trn

_REFERENCE = re.compile(r"&(?:[A-Za-z]+|#[0-9]+|#[xX][0-9A-Fa-f]+);")
_LICENCE = re.compile(r"licen[cs]e|creativecommons|CC[ -]?(?:BY|0)|public domain", re.IGNORECASE)


def clean(text: str) -> str:
    """Text with runs of white space as one space, and without characters that nobody sees.

    Letters and their accents are one sign each (NFC), so that what looks the same is the same.
    """
    if _is_clean(text):
        return text
    if not text.isprintable():
        text = visible(text)
    return " ".join(_compose_text(text).split())


def _is_clean(text: str) -> bool:
    """Return whether cleaning leaves a text as it is, as it does nearly all of millions."""
    return (
        text.isascii()
        and text.isprintable()
        and "  " not in text
        and text[:1] != " "
        and text[-1:] != " "
    )


def _compose_text(text: str) -> str:
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def unique(values: Iterable[str]) -> tuple[str, ...]:
    """The non-empty values, each once, in their order."""
    return tuple(dict.fromkeys(value for value in values if value))


@dataclass(slots=True)
class NameCleaner:
    """Cleans the names of one file's concepts, and counts what they lose by it.

    Attributes:
        repeated: Names that were dropped, as their concept had them already.
        spaced: Those of them whose white space was another.
        escaped: Names in which signs were written as in XML, `&apos;` or `&#39;`.
    """

    repeated: int = 0
    spaced: int = 0
    escaped: int = 0

    def distinct(self, names: Iterable[NameRecord]) -> tuple[NameRecord, ...]:
        """The non-empty names of a concept, cleaned, the preferred one first.

        Args:
            names: As they stand in the file; equal but for case, white space and how accents are
                written is the same.
        """
        name_by_key: dict[str, NameRecord] = {}
        raw_by_key: dict[str, str] = {}  # of those that were cleaned
        for name in _preferred_first(names):
            raw = name.text
            text = clean(self._signs(raw) if "&" in raw else raw)
            key = text.casefold()
            if key in name_by_key:
                self.repeated += 1
                self.spaced += _compose_text(raw).casefold() != raw_by_key.get(key, key)
            elif text == raw and text:
                name_by_key[key] = name
            elif text:
                name_by_key[key] = name._replace(text=text)
                raw_by_key[key] = _compose_text(raw).casefold()
        return tuple(name_by_key.values())

    def notes(self) -> Iterator[Note]:
        """Say how many names were dropped or written otherwise, if any."""
        if self.repeated:
            text = trn(
                "{n:,} name that repeats another of its concept, case and white space aside, "
                "is kept once",
                "{n:,} names that repeat another of their concept, case and white space aside, "
                "are kept once",
                self.repeated,
            )
            if self.spaced:
                text += tr("; in {n:,} of them the white space differs", n=self.spaced)
            yield Note("repeated names", self.repeated, text)
        if self.escaped:
            text = trn(
                "{n:,} name writes signs as XML does, such as &apos;: read as the signs themselves",
                "{n:,} names write signs as XML does, such as &apos;: read as the signs themselves",
                self.escaped,
            )
            yield Note("XML signs", self.escaped, text)

    def _signs(self, text: str) -> str:
        """The text with the signs that references of XML and HTML stand for, and that counted."""
        plain = _REFERENCE.sub(lambda match: html.unescape(match.group()), text)
        self.escaped += plain != text
        return plain


def _preferred_first(names: Iterable[NameRecord]) -> Sequence[NameRecord]:
    ordered = list(names)
    if any(name.kind == "preferred" for name in ordered[1:]):
        ordered.sort(key=lambda name: name.kind != "preferred")
    return ordered


def mentions_licence(text: str) -> bool:
    """Whether a remark seems to state the licence."""
    return _LICENCE.search(text) is not None
