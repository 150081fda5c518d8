"""Words by which two names that are alike else mean different things: left and right, 1 and 2."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache

from termexplorer.trainer.text.tokenizer import tokenize

_OPPOSITES = (
    ("left", "right"),
    ("with", "without"),
    ("acute", "subacute", "chronic"),
    ("male", "female"),
    ("men", "women"),
    ("maternal", "paternal"),
    ("primary", "secondary", "tertiary"),
    ("upper", "middle", "lower"),
    ("superior", "inferior"),
    ("anterior", "posterior"),
    ("dorsal", "ventral"),
    ("medial", "lateral"),
    ("proximal", "distal"),
    ("internal", "external"),
    ("unilateral", "bilateral"),
    ("benign", "malignant"),
    ("congenital", "acquired"),
    ("dominant", "recessive"),
    ("increased", "decreased"),
    ("elevated", "reduced"),
    ("high", "low"),
    ("large", "small"),
    ("early", "late"),
    ("mild", "moderate", "severe"),
    ("adult", "childhood", "juvenile", "infantile", "neonatal"),
)
_GROUP_OF = {word: number for number, group in enumerate(_OPPOSITES) for word in group}
_NEGATIONS = {"no", "non", "not", "without", "absent", "absence", "negative"}
_ROMAN = re.compile(r"(?=[ivx])(x{0,3})(ix|iv|v?i{0,3})")
_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SPELLED = {word: str(number) for number, word in enumerate(_NUMBERS, start=1)}
_ONES = ("", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix")
_PREFIXES = (("hyper", "hypo"), ("intra", "extra"), ("macro", "micro"), ("endo", "exo"))
_MOST = 8  # names of a concept
_KEPT_NAMES = 10_000  # as words: the same ones are compared with many


def find_difference(first: str, second: str) -> str:
    """Return what tells two names apart that share their other words, such as ``left / right``.

    It is empty where their words are the same, or differ otherwise: in another order, in words of
    no such pair, or in more than one of them each.
    """
    words, other_words = Counter(_read_words(first)), Counter(_read_words(second))
    ahead, behind = words - other_words, other_words - words
    if not 0 < max(ahead.total(), behind.total()) < 2:
        return ""
    word, other = next(iter(ahead), ""), next(iter(behind), "")
    if not (words & other_words) and not _are_opposite(word, other):  # these share a stem
        return ""
    return f"{word or '–'} / {other or '–'}" if _are_told_apart(word, other) else ""


def difference_of_concepts(names: Sequence[str], other_names: Sequence[str]) -> str:
    """Return what tells two concepts apart by their names, the preferred ones first; else empty.

    Concepts that share a name are not told apart, whatever their other names say.
    """
    compared, compared_to = names[:_MOST], other_names[:_MOST]
    if {_sort_words(name) for name in compared} & {_sort_words(name) for name in compared_to}:
        return ""
    pairs: Iterable[tuple[str, str]] = ((name, other) for name in compared for other in compared_to)
    return next(filter(None, (find_difference(*pair) for pair in pairs)), "")


def _sort_words(name: str) -> tuple[str, ...]:
    return tuple(sorted(_read_words(name)))


@lru_cache(_KEPT_NAMES)
def _read_words(name: str) -> list[str]:
    """Return the words of a name, numbers in digits."""
    return [read_number(word) for word in tokenize(name) if any(map(str.isalnum, word))]


def read_number(word: str) -> str:
    """Return digits for a Roman or written number, the word itself for any other."""
    roman = _ROMAN.fullmatch(word)
    if roman is None or not word:
        return _SPELLED.get(word, word)
    return str(10 * len(roman[1]) + _ONES.index(roman[2]))


def _are_told_apart(word: str, other: str) -> bool:
    if {word, other} & _NEGATIONS and not {word, other} <= _NEGATIONS:
        return True
    if word[:1].isdigit() or other[:1].isdigit():
        return True
    if _GROUP_OF.get(word, -1) == _GROUP_OF.get(other, -2):
        return True
    return _are_opposite(word, other)


def _are_opposite(word: str, other: str) -> bool:
    """Whether words differ in the prefix alone, and by opposite ones."""
    return bool(other) and any(_swap_prefix(word, *pair) == other for pair in _PREFIXES)


def _swap_prefix(word: str, prefix: str, opposite: str) -> str:
    """Return a word with the opposite prefix; itself where it has neither."""
    if word.startswith(prefix):
        return opposite + word.removeprefix(prefix)
    return prefix + word.removeprefix(opposite) if word.startswith(opposite) else ""
