"""A query as it was typed, and how a text answers it."""

import re
import unicodedata
from enum import IntEnum

from termexplorer.store.indexes.folding import fold_text, fold_with_offsets

_WORD = re.compile(r"[^\W_]+")


class Match(IntEnum):
    """How a text answers a query, the strictest first."""

    EXACT = 0
    CODE = 1  # a code but for its punctuation, or a cross-reference
    PREFIX = 2
    WORD_START = 3
    INSIDE = 4


class TypedQuery:
    """A query as texts are compared with it.

    Attributes:
        query: what was typed, its accents composed as those of names are when they are imported.
        words: those of it, folded.
        plain_words: those of it as the indexes of names have them, which fold less.
    """

    def __init__(self, query: str) -> None:
        self.query = unicodedata.normalize("NFC", query.strip())
        self._whole = fold_text(self.query)
        self._exact = (self._whole, self._whole.partition(":")[2])
        self.words = _WORD.findall(self._whole)
        self.plain_words = [_fold_text(word) for word in _WORD.findall(self.query)]

    def match(self, folded: str) -> Match | None:
        """How a folded text answers."""
        if folded in self._exact or folded.partition(":")[2] == self._whole:
            return Match.EXACT
        if folded.startswith(self._whole):
            return Match.PREFIX
        if self.starts(folded):
            return Match.WORD_START
        if all(word in folded for word in self.words):
            return Match.INSIDE
        return None

    def starts(self, folded: str) -> bool:
        """Whether each word starts a word of a folded text."""
        return all(_word_start(folded, word) >= 0 for word in self.words)

    def spans(self, text: str) -> tuple[tuple[int, int], ...]:
        """Where the words are in a text: at a word's start if that is possible."""
        word_spans = set()
        folded, offsets = fold_with_offsets(text)
        for word in self.words:
            at = _word_start(folded, word)
            at = folded.find(word) if at < 0 else at
            if at >= 0:
                word_spans.add((offsets[at], offsets[at + len(word) - 1] + 1))
        return tuple(sorted(word_spans))


def _word_start(folded: str, word: str) -> int:
    """Where a word of a text starts with `word`, or -1."""
    at = folded.find(word)
    while at > 0 and folded[at - 1].isalnum():
        at = folded.find(word, at + 1)
    return at


def _fold_text(text: str) -> str:
    """Lower case without diacritics: as the index of words has it."""
    if text.isascii():
        return text.lower()
    return "".join(_fold_character(character) for character in text)


def _fold_character(character: str) -> str:
    if character.isascii():
        return character.lower()
    base = unicodedata.normalize("NFD", character)[0].lower()
    return base if len(base) == 1 else character
