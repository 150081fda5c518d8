"""Items that were rated more than once: how well each rater agrees with themselves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from termexplorer.trainer.agreement.figures import AgreementFigure, figures_of
from termexplorer.trainer.agreement.ratings import NOT_RATED, Int64s, Ratings, rows_of
from termexplorer.trainer.errors import TrainerError


@dataclass(frozen=True)
class SelfAgreement:
    """How well one rater's ratings of the same items agree, first with second and later ones."""

    rater: str
    figures: tuple[AgreementFigure, ...]


def self_agreement(
    ratings: Ratings,
    items: Sequence[Hashable],
    *,
    seed: int = 0,
    resamples: int = 2000,
    tick: Callable[[], None] = lambda: None,
) -> tuple[SelfAgreement, ...]:
    """Measure the agreement within each rater, by the items that they have rated several times.

    Args:
        ratings: of n rows.
        items: (n,), what each row is a rating of.
        seed: of the bootstrap over items.
        resamples: of the bootstrap.
        tick: called between blocks; may raise to stop.

    Raises:
        ValueError: for items that are not n.
    """
    rows = _rows_of(ratings, items)
    times = max(map(len, rows), default=0)
    agreements = []
    for rater, column in zip(ratings.raters, ratings.codes.T, strict=True):
        table = np.full((len(rows), times), NOT_RATED)  # (items, occasions)
        for at, places in enumerate(rows):
            table[at, : len(places)] = column[places]
        again = table[(table >= 0).sum(axis=1) > 1]
        figures = figures_of(ratings, again, seed=seed, resamples=resamples, tick=tick)
        agreements.append(SelfAgreement(rater, figures))
    return tuple(agreements)


def first_ratings(ratings: Ratings, items: Sequence[Hashable]) -> tuple[Ratings, list[int]]:
    """Return the ratings of each item once, the first of each rater, in the order of the rows.

    Args:
        ratings: of n rows.
        items: (n,), what each row is a rating of.

    Returns:
        the ratings, and the first row of each item.

    Raises:
        ValueError: for items that are not n.
    """
    rows = _rows_of(ratings, items)
    codes = np.full((len(rows), len(ratings.raters)), NOT_RATED)
    for at, places in enumerate(rows):
        codes[at] = _first_answers(ratings.codes[places])
    return replace(ratings, codes=codes), [places[0] for places in rows]


def _first_answers(codes: Int64s) -> Int64s:
    """Return the first answer in each column of (k, r) codes."""
    first = (codes != NOT_RATED).argmax(axis=0, keepdims=True)
    taken: Int64s = np.take_along_axis(codes, first, axis=0)[0]
    return taken


def _rows_of(ratings: Ratings, items: Sequence[Hashable]) -> list[list[int]]:
    if len(items) != len(ratings):
        raise TrainerError(
            "{items} items do not fit {ratings} rows of ratings",
            items=len(items),
            ratings=len(ratings),
        )
    return list(rows_of(items).values())
