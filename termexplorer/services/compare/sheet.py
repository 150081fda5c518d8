"""A comparison as a sheet: what was measured of each mention, to be sorted, filtered, exported."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from heapq import merge

import numpy as np

from termexplorer.services.compare.comparison import (
    Compared,
    Float64s,
    Ints,
    Tally,
    differences,
    gains,
    losses,
    order_mentions,
)
from termexplorer.services.compare.rows import Summary, mention_rows, summary
from termexplorer.services.files.exports import Cell
from termexplorer.store.indexes.folding import fold_text
from termexplorer.workspace import Workspace

MEASURES = ("overlap", "difference", "gain", "loss")
_AT_ONCE = 8192  # texts that are sorted in one go


@dataclass(frozen=True, slots=True)
class ClassTally:
    """How the others did against the baseline in a class.

    Attributes:
        number: of the class in the comparison; None: all mentions.
        mentions: those for which anything is right.
        tallies: one for each other encoder.
    """

    number: int | None
    label: str
    mentions: int
    tallies: tuple[Tally, ...]


@dataclass(frozen=True, slots=True)
class Order:
    """Which mentions are to be shown, and in what order.

    Attributes:
        column: of a sheet's values; None: by their texts.
        descending: the highest first.
        text: only mentions with this in them.
        class_number: only mentions of this class; None: all.
        seen: only mentions that any encoder was trained on, or that none was; None: all.
    """

    column: int | None = 0
    descending: bool = False
    text: str = ""
    class_number: int | None = None
    seen: bool | None = None


@dataclass(frozen=True, eq=False)
class ComparisonSheet:
    """What a comparison came to, by columns.

    Attributes:
        values: (m, 4 + e + 1) float64, the `MEASURES` of each mention, the rank of its best right
            answer by each encoder, and how many were trained on it; NaN where there is none.
        folded: the mentions as searches compare them.
        by_class: all mentions first, then the classes, those with most mentions first.
    """

    summary: Summary
    values: Float64s
    folded: tuple[str, ...]
    by_class: tuple[ClassTally, ...]

    @property
    def compared(self) -> Compared:
        """What it is of."""
        return self.summary.compared

    @property
    def conclusion(self) -> str:
        """Who is ahead of the baseline, in words."""
        return self.summary.conclusion

    def places(self, order: Order) -> Ints:
        """Mentions by their places, those without a value last, equals by their overlap."""
        places = order_mentions(self.compared, class_number=order.class_number, seen=order.seen)
        wanted = fold_text(order.text.strip())
        if wanted:
            matches = [wanted in self.folded[row] for row in places.tolist()]
            places = places[np.array(matches, np.bool_)]
        if order.column is None:
            return self._by_text(places, order.descending)
        key = self.values[places, order.column]
        return np.asarray(places[np.argsort(-key if order.descending else key, kind="stable")])

    def _by_text(self, places: Ints, descending: bool) -> Ints:
        """In parts, since a single long sort would hold up every other thread."""
        positions = places.tolist()
        of = partial(sorted, key=self.folded.__getitem__, reverse=descending)
        parts = [of(positions[at : at + _AT_ONCE]) for at in range(0, len(positions), _AT_ONCE)]
        whole = merge(*parts, key=self.folded.__getitem__, reverse=descending)
        return np.fromiter(whole, np.int64, len(positions))

    def export_header(self) -> list[str]:
        """The columns of a file."""
        ranks = (f"rank by {title}" for title in self.summary.titles.values())
        measured = ("lowest overlap", "mean overlap", "difference", "gain", "loss")
        return ["mention", "class", *ranks, *measured, "trained on by"]

    def export_rows(self, places: Sequence[int]) -> list[list[Cell]]:
        """Some mentions as rows of a file."""
        titles = self.summary.titles
        return [
            [
                row.mention,
                "; ".join(row.classes),
                *row.numbers,
                "; ".join(titles[encoder_id] for encoder_id in row.seen),
            ]
            for row in mention_rows(self.compared, self.summary.baseline_id, places)
        ]


def make_sheet(workspace: Workspace, compared: Compared, baseline_id: int) -> ComparisonSheet:
    """Lays out a comparison against one of its encoders."""
    columns = (
        compared.lowest,
        differences(compared),
        gains(compared, baseline_id),
        losses(compared, baseline_id),
    )
    summed = summary(workspace, compared, baseline_id, "rbo", 0)
    return ComparisonSheet(
        summary=summed,
        values=np.column_stack((*columns, compared.best, compared.seen.sum(axis=1))),
        folded=tuple(map(fold_text, compared.mentions)),
        by_class=_by_class(summed),
    )


def _by_class(summed: Summary) -> tuple[ClassTally, ...]:
    other_count = len(summed.titles) - 1
    numbers = {label: number for number, label in enumerate(summed.compared.classes)}
    all_tallies = summed.tallies
    groups = [all_tallies[at : at + other_count] for at in range(0, len(all_tallies), other_count)]
    return tuple(
        ClassTally(
            numbers.get(first.label), first.label, first.wins + first.losses + first.ties, group
        )
        for group in groups
        for first in group[:1]
    )
