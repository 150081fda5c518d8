"""A list of names as a local system may have them, made of an ontology, to be mapped to it.

A list has one name for each of its codes and no hierarchy. What maps it is learned from names of
the ontology alone: one of each concept, every other one of them spelled as people spell in a hurry.
Who writes "heart failure" writes neither "unspecified" nor "NOS" behind it, and who writes
"pneumonia" no "unspecified organism", so that these words go from most names. What several concepts
are called is no name of the list, and nothing is spelled so that another one is called it, unless
one is the other's ancestor, as *Asthma* is of *Unspecified asthma, uncomplicated*.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.mapping.abbreviations import LONGEST, NameExpander, add_expansions
from termexplorer.trainer.mapping.name_forms import make_forms, strip_unspecified
from termexplorer.trainer.mapping.sides import PREFERRED, MappingSide, list_links

Int64s = NDArray[np.int64]
Bools = NDArray[np.bool_]

_SPELLED_OTHERWISE = 0.5  # of the names
_SEVERAL = 0.7  # of the concepts have several names, where so many do
_LABELS = 0.5  # of the names of concepts that have a synonym
_LONG, _STEM = 7, 4  # letters of a word that is cut, and what is left of it
_ADDED = (" NOS", ", unspecified")
_LEFT_OUT = frozenset(("of", "the", "in", "with"))
_BRITISH = {
    "anemi": "anaemi", "edema": "oedema", "esoph": "oesoph", "fetal": "foetal", "hemat": "haemat",
    "hemo": "haemo", "ischem": "ischaem", "leukem": "leukaem", "pedi": "paedi", "tumor": "tumour",
}  # fmt: skip
_AMERICAN = re.compile("|".join(_BRITISH), re.IGNORECASE)
_ABBREVIATED = 0.5  # of the names with words that an abbreviation stands for
_BARE = 0.7  # of the names with such a word


def copy_names(
    side: MappingSide, expander: NameExpander, most: int, seed: int
) -> tuple[MappingSide, Int64s]:
    """Return a list of one name each of some concepts, without links.

    Args:
        side: what is copied from.
        expander: tells what abbreviations stand for; some names are abbreviated, and all expanded.
        most: concepts that are drawn.
        seed: of the draws.

    Returns:
        The list; and (a, 2) int64, each of its concepts and that of ``side``.
    """
    random = np.random.default_rng(seed)
    called = _index_concepts(side)
    is_exclusive = np.array(
        [
            _is_called_alone(side, called, text, concept)
            for text, concept in zip(side.forms.letters, side.concepts.tolist(), strict=True)
        ],
        np.bool_,
    )
    nameable = np.unique(side.concepts[is_exclusive])
    several = random.permutation(np.intersect1d(np.flatnonzero(np.diff(side.starts) > 1), nameable))
    several = several[: int(_SEVERAL * most)]
    single = random.permutation(np.setdiff1d(nameable, several))
    drawn = np.sort(np.concatenate([several, single[: most - len(several)]])).astype(np.int64)
    shorts = {long: short for short, longs in expander.abbreviations.items() for long in longs}
    names = [_draw_name(side, concept, is_exclusive, random) for concept in drawn.tolist()]
    spelled = [_spell_otherwise(name, shorts, random) for name in names]
    names = [
        otherwise if _is_called_alone(side, called, letters, concept) else name
        for name, otherwise, letters, concept in zip(
            names, spelled, make_forms(spelled).letters, drawn.tolist(), strict=True
        )
    ]
    nothing = np.zeros(0, np.int64)
    indices = np.arange(len(drawn), dtype=np.int64)
    kinds = np.full(len(drawn), PREFERRED, np.int64)
    listed = MappingSide(names, indices, kinds, nothing, nothing)
    return add_expansions(listed, expander), np.stack([indices, drawn], axis=1)


def _index_concepts(side: MappingSide) -> dict[str, set[int]]:
    """Return which concepts are called something, by its letters."""
    called: dict[str, set[int]] = {}
    for text, concept in zip(side.forms.letters, side.concepts.tolist(), strict=True):
        called.setdefault(text, set()).add(concept)
    return called


def _is_called_alone(
    side: MappingSide, called: Mapping[str, set[int]], letters: str, concept: int
) -> bool:
    """Return whether no concept but one and its twins is called something."""
    rivals = called.get(letters, set()) - {concept}
    return not rivals or rivals <= set(list_links(side.twins, concept))


def _draw_name(
    side: MappingSide, concept: int, is_exclusive: Bools, random: np.random.Generator
) -> str:
    rows = np.arange(*side.starts[concept : concept + 2])
    rows = rows[is_exclusive[rows]]
    labels = rows[side.kinds[rows] == PREFERRED]
    synonyms = rows[side.kinds[rows] != PREFERRED]
    from_labels = len(labels) and (not len(synonyms) or random.random() < _LABELS)
    return side.names[int(random.choice(labels if from_labels else synonyms))]


def _spell_otherwise(name: str, shorts: Mapping[str, str], random: np.random.Generator) -> str:
    bare = strip_unspecified(name)
    if bare != name and random.random() < _BARE:
        return bare
    if random.random() >= _SPELLED_OTHERWISE:
        return name
    if short := _abbreviate_name(name, shorts, random):
        return short
    spell = _SPELLINGS[int(random.integers(len(_SPELLINGS)))]
    return spell(name, random) or name


def _abbreviate_name(name: str, shorts: Mapping[str, str], random: np.random.Generator) -> str:
    """Return a name with an abbreviation of some of its words, mostly; "" where none is known."""
    words = name.split()
    runs = [
        (start, end)
        for start in range(len(words))
        for end in range(start + 1, min(start + LONGEST, len(words)) + 1)
        if " ".join(words[start:end]).strip(",").lower() in shorts
    ]
    if not runs or random.random() >= _ABBREVIATED:
        return ""
    start, end = max(runs, key=lambda run: run[1] - run[0])
    short = shorts[" ".join(words[start:end]).strip(",").lower()].upper()
    return " ".join([*words[:start], short, *words[end:]])


def _swap_letters(name: str, random: np.random.Generator) -> str:
    inner = [i for i in range(1, len(name) - 2) if name[i : i + 2].isalpha()]
    if not inner:
        return name
    index = inner[int(random.integers(len(inner)))]
    return name[:index] + name[index + 1] + name[index] + name[index + 2 :]


def _cut_word(name: str, random: np.random.Generator) -> str:
    words = name.split()
    long = [i for i, word in enumerate(words) if len(word) >= _LONG and word.isalpha()]
    if long:
        index = long[int(random.integers(len(long)))]
        words[index] = f"{words[index][:_STEM]}."
    return " ".join(words)


def _turn_round(name: str, random: np.random.Generator) -> str:
    first, comma, rest = name.partition(", ")
    if comma:
        return f"{rest} {first}"
    words = name.split()
    return f"{words[-1]}, {' '.join(words[:-1])}" if len(words) > 1 else name


def _leave_words_out(name: str, random: np.random.Generator) -> str:
    return " ".join(word for word in name.split() if word.lower() not in _LEFT_OUT)


def _add_nothing_said(name: str, random: np.random.Generator) -> str:
    return name + _ADDED[int(random.integers(len(_ADDED)))]


def _change_number(name: str, random: np.random.Generator) -> str:
    words = name.split()
    last = words[-1]
    if last.isalpha():
        words[-1] = last[:-1] if last.endswith("s") and not last.endswith("ss") else f"{last}s"
    return " ".join(words)


def _spell_british(name: str, random: np.random.Generator) -> str:
    return _AMERICAN.sub(lambda match: _BRITISH[match[0].lower()], name)


_SPELLINGS: tuple[Callable[[str, np.random.Generator], str], ...] = (
    _swap_letters, _cut_word, _turn_round, _leave_words_out, _add_nothing_said, _change_number,
    _spell_british,
)  # fmt: skip
