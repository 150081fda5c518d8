"""Which names of synonym sets are worth learning from ([CG] 4.1.1)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.text.names import Int64s, LabelledNames, plain
from termexplorer.trainer.text.tokenizer import tokenize_all

METATAGS = (
    "disorder",
    "finding",
    "nos",
    "morphologic abnormality",
    "situation",
    "event",
    "observable entity",
    "qualifier value",
    "context-dependent category",
    "procedure",
    "function",
    "attribute",
    "clinical",
)
"""What stands in parentheses at the end of redundant names ([CG] appendix A)."""

Bools = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class FilteredNames:
    """What is left, and what each filter took away.

    Attributes:
        labels: the names that are left; every class is still listed.
        name_indices: (k,) int64, which names these are of those given.
        removed: the number of names that each filter removed, in the order they were applied:
            ``unknown words`` where that one was, ``metatags``, ``tokens``, ``several classes``.
    """

    labels: LabelledNames
    name_indices: Int64s
    removed: dict[str, int]


def filter_names(
    labels: LabelledNames,
    known: Callable[[str], bool] | None,
    *,
    tokens: int = 6,
    metatags: Sequence[str] = METATAGS,
) -> FilteredNames:
    """Keep the names that [CG] 4.1.1 keeps, by its four filters in its order.

    First names with a token that is not known; then names of a class that differ from another one
    of it only by metatags or capitals; then names of too many tokens; last names that, but for
    capitals and spaces, are of several classes.

    Args:
        labels: names and their classes, synonym sets for example.
        known: says of a lower-case token whether the target text has it; asked once of each. None
            leaves that filter out.
        tokens: the most that a name may have, counted as ``trainer.text.tokenizer`` counts.
        metatags: without their parentheses, in lower case.
    """
    table = tokenize_all(labels.names)
    filters: dict[str, Callable[[Bools], Bools]] = {}
    if known is not None:
        unknown = np.array([not known(token) for token in table.tokens], dtype=np.int64)
        before = np.concatenate(([0], np.cumsum(unknown[table.token_index])))
        of_known = np.asarray(before[table.starts[1:]] == before[table.starts[:-1]])
        filters["unknown words"] = lambda left: of_known
    filters |= {
        "metatags": lambda left: _first_of_their_kind(labels, left, metatags),
        "tokens": lambda left: np.asarray(np.diff(table.starts) <= tokens),
        "several classes": lambda left: _of_one_class(labels, left),
    }
    left, removed = np.ones(len(labels.names), dtype=np.bool_), {}
    for name, passes in filters.items():
        sound = left & passes(left)
        removed[name] = int(left.sum() - sound.sum())
        left = sound
    name_indices = np.flatnonzero(left)
    return FilteredNames(labels.only(name_indices), name_indices, removed)


def _first_of_their_kind(labels: LabelledNames, left: Bools, metatags: Sequence[str]) -> Bools:
    """Return which names are the plainest ones of some class that differ by metatags alone."""
    tags = "|".join(re.escape(tag).replace(r"\ ", r"\s+") for tag in metatags)
    # something stands before: of a name of metatags alone the first is the name
    ending = re.compile(rf"(?<=\S)(\s*\(\s*({tags})\s*\))+$") if metatags else re.compile("(?!)")
    plainest: dict[tuple[int, str], tuple[int, int]] = {}
    for name, number in _memberships_left(labels, left):
        text = plain(labels.names[name])
        key = number, ending.sub("", text)
        plainest[key] = min((len(text), name), plainest.get(key, (len(text), name)))
    first = np.asarray(labels.class_counts() == 0)
    first[[name for _, name in plainest.values()]] = True
    return first


def _of_one_class(labels: LabelledNames, left: Bools) -> Bools:
    """Return which names are, but for capitals and spaces, of one class at most."""
    classes: dict[str, set[int]] = {}
    for name, number in _memberships_left(labels, left):
        classes.setdefault(plain(labels.names[name]), set()).add(number)
    several = {text for text, numbers in classes.items() if len(numbers) > 1}
    return np.array([plain(name) not in several for name in labels.names], dtype=np.bool_)


def _memberships_left(labels: LabelledNames, left: Bools) -> Iterable[tuple[int, int]]:
    """Return the pairs of a name that is left and a class of it."""
    is_left = left[labels.name_index]
    return zip(
        labels.name_index[is_left].tolist(), labels.class_index[is_left].tolist(), strict=True
    )
