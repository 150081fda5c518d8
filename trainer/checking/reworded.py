"""Other words for a name, as somebody writes it who does not know that it is there already."""

from __future__ import annotations

import re
from collections import defaultdict

import numpy as np

from termexplorer.trainer.mapping.name_forms import normalize_word
from termexplorer.trainer.mapping.word_swaps import WordSwaps

_WORD = re.compile(r"[^\W_]+")
_GENERIC = ("disease", "disorder", "syndrome")
_SPELLINGS = (
    ("tumor", "tumour"), ("hemo", "haemo"), ("emia", "aemia"), ("edema", "oedema"),
    ("esoph", "oesoph"), ("pediat", "paediat"), ("ical", "ic"), ("type ", ""), ("-", " "),
    ("'s", ""), ("neoplasm", "tumor"), ("carcinoma", "cancer"),
)  # fmt: skip
_ENDINGS = (
    ("ical", "ic"), ("ic", "ical"), ("ial", "al"), ("oid", "oidal"), ("is", "es"), ("a", "as"),
    ("y", "ies"), ("r", "rs"), ("t", "ts"), ("ary", "ar"), ("ous", "ic"), ("ed", ""),
    ("osis", "otic"),
)  # fmt: skip
_SHORT = 5  # letters of words whose ending stays
_ROMAN = {"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7"}
_SURE = 0.6  # share of names in which a swap keeps the concept
_OFTEN = 4  # how often it was met


class NameRewording:
    """Rewords names: swaps of words that the ontology itself uses, order, spelling, endings.

    Args:
        swaps: as `count_swaps` has them.
    """

    def __init__(self, swaps: WordSwaps) -> None:
        self._swaps: dict[str, list[str]] = defaultdict(list)
        for (word, other), count in swaps.same.items():
            if word and count >= _OFTEN and swaps.rate_swap(word, other)[0] >= _SURE:
                self._swaps[word].append(other)

    def reword(self, name: str, random: np.random.Generator) -> str:
        """Return a name in one or two other ways; itself where there are none."""
        reworded = name
        for _ in range(int(random.integers(1, 3))):
            changes = [text for text in self._list_changes(reworded, random) if text != reworded]
            if changes:
                reworded = changes[int(random.integers(len(changes)))]
        return reworded.strip() or name

    def _list_changes(self, name: str, random: np.random.Generator) -> list[str]:
        return [
            self._swap_word(name, random),
            self._swap_word(name, random),
            _change_order(name),
            _change_spelling(name, random),
            _change_ending(name, random),
            _change_generic(name, random),
            _change_number(name),
            _leave_out_word(name, random),
            _join_words(name, random),
        ]

    def _swap_word(self, name: str, random: np.random.Generator) -> str:
        words = [
            word for word in _WORD.findall(name) if normalize_word(word.lower()) in self._swaps
        ]
        if not words:
            return name
        word = words[int(random.integers(len(words)))]
        swapped = self._swaps[normalize_word(word.lower())]
        other = swapped[int(random.integers(len(swapped)))]
        return " ".join(re.sub(rf"\b{re.escape(word)}\b", other, name, count=1).split())


def _change_order(name: str) -> str:
    first, of, last = name.partition(" of ")
    if of and " " not in last.strip():
        return f"{last.strip()} {first}"
    words = name.split()
    if 2 <= len(words) <= 4 and "," not in name:
        return f"{words[-1]} of {' '.join(words[:-1])}"
    return name


def _change_spelling(name: str, random: np.random.Generator) -> str:
    pairs = [
        pair
        for several in (_SPELLINGS, [(new, old) for old, new in _SPELLINGS if len(new) > 1])
        for pair in several
        if pair[0] in name.lower()
    ]
    if not pairs:
        return name
    old, new = pairs[int(random.integers(len(pairs)))]
    return re.sub(re.escape(old), new, name, count=1, flags=re.IGNORECASE)


def _change_ending(name: str, random: np.random.Generator) -> str:
    """Give one longer word another ending: *symmetric* for *symmetrical*."""
    words = name.split()
    ways = [
        (index, word.removesuffix(old) + new)
        for index, word in enumerate(words)
        if len(word) > _SHORT
        for old, new in _ENDINGS
        if word.endswith(old)
    ]
    if not ways:
        return name
    index, word = ways[int(random.integers(len(ways)))]
    return " ".join([*words[:index], word, *words[index + 1 :]])


def _change_generic(name: str, random: np.random.Generator) -> str:
    word = _GENERIC[int(random.integers(len(_GENERIC)))]
    *first, last = name.split()
    if first and last.lower() in _GENERIC:
        return " ".join(first if random.random() < 0.5 else [*first, word])
    return f"{name} {word}"


def _change_number(name: str) -> str:
    return _WORD.sub(lambda word: _ROMAN.get(word[0].lower(), word[0]), name)


def _leave_out_word(name: str, random: np.random.Generator) -> str:
    """Leave out one word of four or more, the last one never."""
    words = name.split()
    if len(words) < 4:
        return name
    del words[int(random.integers(len(words) - 1))]
    return " ".join(words)


def _join_words(name: str, random: np.random.Generator) -> str:
    """Write two words that follow each other as one: *zebrafish* for *zebra fish*."""
    gaps = [index for index, sign in enumerate(name) if sign in " -"]
    if not gaps:
        return name
    gap = gaps[int(random.integers(len(gaps)))]
    return name[:gap] + name[gap + 1 :]
