"""Whether names are in English, by the words that an English vocabulary knows."""

from __future__ import annotations

from collections.abc import Container, Iterable
from dataclasses import dataclass

from termexplorer.trainer.text.tokenizer import tokenize

_LEAST_KNOWN = 0.65  # of the words; of English names 90 % and more, of German ones 40 %
_LEAST_WORDS = 20
_MARKS = {  # function words, and letters that English lacks
    "German": (
        {"der", "die", "das", "des", "und", "mit", "ohne", "bei", "durch", "im", "nicht", "oder",
         "auf", "eine", "einer", "nach", "vom", "zur", "sonstige"},
        set("äöüß"),
    ),
    "French": (
        {"le", "les", "du", "des", "et", "avec", "sans", "par", "une", "chez", "au", "aux", "ou",
         "l", "d", "autres"},
        set("éèêëàâçœùîï"),
    ),
    "Spanish": (
        {"el", "los", "las", "del", "y", "con", "sin", "por", "en", "una", "otras", "o", "no"},
        set("ñáíóú"),
    ),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class NamesLanguage:
    """What is seen of the language of names.

    Attributes:
        known: of their words, the share that an English vocabulary has, 0 to 1.
        language: German, French or Spanish; empty for English and for what is none of them.
        foreign: whether so few words are known that the names are hardly English.
    """

    known: float
    language: str
    foreign: bool


def detect_language(names: Iterable[str], vocabulary: Container[str]) -> NamesLanguage:
    """Return the language of names.

    Args:
        names: texts.
        vocabulary: English words, in lower case.
    """
    tokens = [token for name in names for token in tokenize(name)]
    words = [token for token in tokens if token.isalpha() and len(token) > 1]
    if len(words) < _LEAST_WORDS:
        return NamesLanguage(1.0, "", foreign=False)
    known = sum(word in vocabulary for word in words) / len(words)
    if known >= _LEAST_KNOWN:
        return NamesLanguage(known, "", foreign=False)
    counts = {language: _count_marked(tokens, *marks) for language, marks in _MARKS.items()}
    most = max(counts, key=lambda language: counts[language])
    return NamesLanguage(known, most if counts[most] else "", foreign=True)


def _count_marked(tokens: Iterable[str], function_words: set[str], letters: set[str]) -> int:
    """Count the tokens that are a function word of a language or have a letter of it."""
    return sum(token in function_words or not letters.isdisjoint(token) for token in tokens)
