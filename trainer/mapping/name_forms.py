"""Names without what does not tell concepts apart: letter case, order, plurals, spelling."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from termexplorer.trainer.text.telling_words import read_number
from termexplorer.trainer.text.tokenizer import tokenize

_FILLERS = frozenset("of the in a an to by for on at s and".split())  # noqa: SIM905
GENERIC = frozenset(
    "disease disorder syndrome nos unspecified condition finding abnormality type".split()  # noqa: SIM905
)
"""Words without which a name still means the same."""
_KEPT_WORDS = 100_000
_SAYS_NOTHING = r"unspecified|nos|not (?:otherwise )?specified|without complications?|uncomplicated"
_PART = re.compile(rf",[^,]*\b(?:{_SAYS_NOTHING})\b[^,]*(?=,|$)", re.IGNORECASE)
_WORDS = re.compile(rf"\s*\b(?:{_SAYS_NOTHING})\b", re.IGNORECASE)


@dataclass(frozen=True, eq=False)
class NameForms:
    """Forms of n names; what has the same form is called the same, the later the more loosely.

    Attributes:
        letters: letters and digits alone, in lower case.
        words: the different words that count, in order of the alphabet.
        bags: these words as one text.
        cores: the same without those of `GENERIC`, and without what says nothing.
    """

    letters: tuple[str, ...]
    words: tuple[tuple[str, ...], ...]
    bags: tuple[str, ...]
    cores: tuple[str, ...]


def make_forms(names: Sequence[str]) -> NameForms:
    """Return the forms of names."""
    words = tuple(map(list_words, names))
    bags = tuple(" ".join(several) for several in words)
    bare = (
        several if name == stripped else list_words(stripped)
        for name, stripped, several in zip(names, map(strip_unspecified, names), words, strict=True)
    )  # fmt: skip
    cores = tuple(" ".join(word for word in several if word not in GENERIC) for several in bare)
    return NameForms(
        tuple("".join(filter(str.isalnum, name.lower())) for name in names),
        words,
        bags,
        tuple(core or bag for core, bag in zip(cores, bags, strict=True)),
    )


def strip_unspecified(name: str) -> str:
    """Return a name without what says that nothing more is known of it, if anything is left.

    >>> strip_unspecified("Pneumonia, unspecified organism"), strip_unspecified("Unspecified fall")
    ('Pneumonia', 'fall')
    """
    return _WORDS.sub("", _PART.sub("", name)).strip(" ,()") or name


def list_words(name: str) -> tuple[str, ...]:
    """Return the different words of a name that count, sorted; all of them if none does.

    >>> list_words("Tumours of the Oesophagus, Type II")
    ('2', 'esophagus', 'tumor', 'type')
    """
    decomposed = unicodedata.normalize("NFKD", name)
    plain = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    words = {normalize_word(word) for word in tokenize(plain) if word.isalnum()}
    return tuple(sorted(words - _FILLERS or words))


@lru_cache(_KEPT_WORDS)
def normalize_word(word: str) -> str:
    """Return a word as American English spells it, in the singular, a number in digits."""
    word = read_number(word).replace("ae", "e").replace("oe", "e").replace("our", "or")
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    plural = len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))
    return word[:-1] if plural else word
