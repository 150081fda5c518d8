"""Abbreviations in names of a list: what they may stand for, found in names of ontologies.

Where an ontology calls a concept *COPD* and *chronic obstructive pulmonary disease*, the one stands
for the other; whether it may is told as in running text, by its letters from the last to the first
[A. S. Schwartz and M. A. Hearst, "A simple algorithm for identifying abbreviation definitions in
biomedical text", PSB 2003]. Words that are cut, as *abd pain*, stand for words of the target.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources import as_file, files
from itertools import chain, islice, product

import numpy as np

from termexplorer.trainer.mapping.sides import EXACT, INEXACT, MappingSide

Abbreviations = Mapping[str, Sequence[str]]
"""Short forms in lower case, to what they stand for in lower case, the most usual first."""

FILE = "abbreviations.tsv"  # in the resources
LONGEST = 6  # words that an abbreviation stands for
_SHORT = re.compile(r"(?=.*[A-Z].*[A-Z])[A-Za-z][A-Za-z0-9/&-]{1,6}")
_MOST = 3  # readings of an abbreviation or a cut word
_MOST_NAMES = 6  # further ones of a name
_CUT = 3  # letters of a word that is cut, at least
_USUAL = 20  # names with a word that is no abbreviation unless it is in capitals
_WORD = re.compile(r"[^\W_]+(?:/[^\W_]+)*\.?")
_NUMBERED = re.compile(r"([a-z]{2,})(\d)")


def is_short_for(short: str, long: str) -> bool:
    """Return whether the letters of an abbreviation stand in order in what it may stand for.

    The first letter of both is the same.

    >>> is_short_for("HTN", "hypertension"), is_short_for("MI", "heart attack")
    (True, False)
    """
    letters, text = [sign for sign in short.lower() if sign.isalnum()], long.lower()
    if not letters or not text.startswith(letters[0]):
        return False
    end = len(text)
    for sign in reversed(letters[1:]):
        end = text.rfind(sign, 1, end)
        if end < 0:
            return False
    return True


def list_abbreviations(names: Iterable[str]) -> Iterator[tuple[str, str]]:
    """Yield the abbreviations among the names of a concept, each with what it stands for."""
    texts = list(names)
    for short in filter(_SHORT.fullmatch, texts):
        for long in texts:
            words = long.split()
            longer = len(long) > len(short) + 2 and len(words) <= LONGEST
            has_it = short.lower() in map(str.lower, _WORD.findall(long))
            if longer and not has_it and is_short_for(short, long):
                yield short.lower(), long.lower()


def count_abbreviations(sides: Iterable[Iterable[Sequence[str]]]) -> dict[str, Counter[str]]:
    """Count of how many concepts an abbreviation and what it stands for are names.

    Args:
        sides: of each ontology, the names of each of its concepts.
    """
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for concepts in sides:
        for names in concepts:
            for short, long in set(list_abbreviations(names)):
                counts[short][long] += 1
    return dict(counts)


def load_abbreviations() -> dict[str, tuple[str, ...]]:
    """Return the abbreviations that come with the program, of open ontologies."""
    with as_file(files("termexplorer.resources").joinpath(FILE)) as path:
        lines = path.read_text(encoding="utf-8").splitlines()
    rows = (line.split("\t") for line in lines if not line.startswith("#"))
    return {short: tuple(longs) for short, *longs in rows}


class NameExpander:
    """Names with what abbreviations and cut words in them may stand for.

    Args:
        target: whose names tell which words there are.
        known: abbreviations; those of the target come in addition, and first.
    """

    def __init__(self, target: MappingSide, known: Abbreviations) -> None:
        ends = zip(target.starts[:-1], target.starts[1:], strict=True)
        concepts = (target.names[start:end] for start, end in ends)
        counts = count_abbreviations([concepts])
        ours = {
            short: tuple(of for of, _ in longs.most_common(_MOST))
            for short, longs in counts.items()
        }
        self.abbreviations = {
            short: tuple(dict.fromkeys((*ours.get(short, ()), *known.get(short, ()))))[:_MOST]
            for short in {*ours, *known}
        }
        self._usual = Counter(word for name in target.names for word in _words_of(name))
        self._starting = self._group_by_start()

    def _group_by_start(self) -> dict[str, list[str]]:
        starting: dict[str, list[str]] = defaultdict(list)
        for word, _ in self._usual.most_common():
            if word.isalpha():
                for length in range(_CUT, len(word) - 1):
                    several = starting[word[:length]]
                    if len(several) < _MOST:
                        several.append(word)
        return dict(starting)

    def expand(self, name: str) -> dict[str, int]:
        """Return what else a name may stand for, the most usual first, and what kind of name it is.

        What abbreviations stand for is an exact name, what cut words may be an inexact one.
        """
        matches = list(_WORD.finditer(name))
        choices = [
            (*self._find_readings(match[0], name.isupper()), (match[0], EXACT)) for match in matches
        ]
        gaps, expanded = _WORD.split(name), {}
        for readings in islice(product(*choices), _MOST_NAMES):
            words = (word for word, _ in readings)
            text = "".join(chain(*zip(gaps, words, strict=False), gaps[-1:]))
            if text != name:
                expanded[text] = max(kind for _, kind in readings)
        return expanded

    def _find_readings(self, word: str, in_capitals: bool) -> list[tuple[str, int]]:
        """Return what a word may stand for, and what kind of name that makes.

        Args:
            word: with the point after it.
            in_capitals: whether all words are, so that capitals tell nothing.
        """
        text = word.lower().rstrip(".")
        shouted = word.isupper() and not in_capitals
        if self._usual[text] >= _USUAL and not shouted:
            return []
        longs = list(self.abbreviations.get(text, ()))
        if numbered := _NUMBERED.fullmatch(text):
            heads = self.abbreviations.get(numbered[1], ())
            longs += [f"{head} type {numbered[2]}" for head in heads]
        if self._usual[text] or longs:
            return [(long, EXACT) for long in longs[:_MOST]]
        return [(long, INEXACT) for long in self._starting.get(text, [])]


def _words_of(name: str) -> list[str]:
    return [word.rstrip(".") for word in _WORD.findall(name.lower())]


def add_expansions(side: MappingSide, expander: NameExpander) -> MappingSide:
    """Return a list whose codes are also called what abbreviations in their names stand for."""
    names: list[str] = []
    concepts: list[int] = []
    kinds: list[int] = []
    for concept in range(side.count):
        rows = range(*side.starts[concept : concept + 2].tolist())
        listed = {side.names[row]: int(side.kinds[row]) for row in rows}
        for row in rows:
            for text, kind in expander.expand(side.names[row]).items():
                listed.setdefault(text, kind)
        names += listed
        kinds += listed.values()
        concepts += [concept] * len(listed)
    return MappingSide(
        names, np.array(concepts, np.int64), np.array(kinds, np.int64), side.children, side.parents
    )
