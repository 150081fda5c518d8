"""What a file of ratings may hold by mistake: items in several rows, labels spelt in two ways."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from termexplorer.trainer.agreement.ratings import Ratings, rows_of
from termexplorer.trainer.files.pair_columns import OTHERS, TERMS, words_of

_ITEMS = {"item", "items", "pair", "unit", "subject", "question"}
_FEWEST_TERMS = 2


@dataclass(frozen=True)
class RepeatedItems:
    """Items that stand in several rows.

    Attributes:
        titles: of the columns that tell items apart.
        items: how many stand in several rows.
        rows: in how many rows these stand.
        contradicting: how many of these a rater has given different labels, or the table has
            under different labels.
    """

    titles: tuple[str, ...]
    items: int
    rows: int
    contradicting: int


def find_item_columns(titles: Sequence[str], other_columns: Collection[int]) -> list[list[int]]:
    """Return the groups of columns that may tell items apart by their titles, ids before terms.

    Args:
        titles: of the columns.
        other_columns: columns that are something else, such as those of raters.
    """
    words = {at: set(words_of(title)) for at, title in enumerate(titles) if at not in other_columns}
    ids = [at for at, title_words in words.items() if title_words & _ITEMS or title_words == {"id"}]
    terms = [
        at
        for at, title_words in words.items()
        if title_words & TERMS and not title_words & (OTHERS | _ITEMS)
    ]
    return [columns for columns in (ids, terms if len(terms) >= _FEWEST_TERMS else []) if columns]


def count_repeated_items(
    ratings: Ratings,
    items: Sequence[Hashable],
    titles: Sequence[str],
    labels: Sequence[str] | None = None,
) -> RepeatedItems:
    """Count the items that stand in several rows.

    Args:
        ratings: of n rows.
        items: (n,) what each row is a rating of; a row of "" is of an item of its own.
        titles: of the columns that `items` are from.
        labels: (n,) to hold against the majority's, if there are some; "" for none.
    """
    several = [rows for item, rows in rows_of(items).items() if item != "" and len(rows) > 1]
    contradicting = sum(
        any(len(np.unique(column[column >= 0])) > 1 for column in ratings.codes[rows].T)
        or (labels is not None and len({labels[row] for row in rows} - {""}) > 1)
        for rows in several
    )
    return RepeatedItems(tuple(titles), len(several), sum(map(len, several)), contradicting)


def count_spellings(labels: Iterable[str]) -> tuple[dict[str, int], ...]:
    """Return how often each of those labels is given that differ by case or blanks alone."""
    groups: dict[str, dict[str, int]] = {}
    for label, count in sorted(Counter(label for label in labels if label).items()):
        groups.setdefault(" ".join(label.casefold().split()), {})[label] = count
    return tuple(group for group in groups.values() if len(group) > 1)
