"""What stands behind figures on pairs: ROC curves, and the pairs that encoders get most wrong."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from termexplorer.services.files.exports import Cell
from termexplorer.store.encoders import pair_details as queries
from termexplorer.store.encoders.evaluations import Evaluated
from termexplorer.store.encoders.pair_details import HardPair, PairDetails
from termexplorer.texts import mark
from termexplorer.workspace import Workspace

__all__ = [
    "CURVE_HEADER",
    "LABELS",
    "HardPair",
    "PairDetails",
    "curve_rows",
    "hardest_header",
    "hardest_rows",
    "measured_together",
    "placed",
    "read_pair_details",
    "rows_of_pairs",
]

CURVE_HEADER = ["encoder", "title", "false positives", "true positives"]
LABELS = {True: mark("similar"), False: mark("dissimilar")}


def read_pair_details(workspace: Workspace, evaluated: Evaluated) -> tuple[PairDetails, ...]:
    """What is kept of all encoders on some data; nothing for tasks that have none."""
    with workspace.store.reading() as connection:
        return tuple(queries.pair_details(connection, evaluated.task, evaluated.data_hash))


def curve_rows(details: Sequence[PairDetails], labels: Mapping[int, str]) -> list[list[Cell]]:
    """The points of ROC curves as rows of a file, under `CURVE_HEADER`."""
    return [
        [detail.encoder_id, labels[detail.encoder_id], false, true]
        for detail in details
        for false, true in zip(*detail.curve, strict=True)
    ]


def placed(details: PairDetails) -> Iterator[tuple[int, HardPair]]:
    """The hardest pairs, each with its place among those of its label, from 1."""
    before: Counter[bool] = Counter()
    for pair in details.hardest:
        before[pair.similar] += 1
        yield before[pair.similar], pair


def measured_together(details: Sequence[PairDetails], labels: Mapping[int, str]) -> list[int]:
    """The encoders that have a similarity for any of the pairs, if they are still there."""
    pairs = chain.from_iterable(detail.hardest for detail in details)
    encoder_ids = set(chain.from_iterable(pair.similarities for pair in pairs))
    return sorted(encoder_ids.intersection(labels))


def hardest_header(details: Sequence[PairDetails], labels: Mapping[int, str]) -> list[str]:
    """The columns of `hardest_rows`."""
    encoders = measured_together(details, labels)
    return [
        "hardest for",
        "place",
        "left",
        "right",
        "label",
        *(labels[encoder_id] for encoder_id in encoders),
    ]


def hardest_rows(
    details: Sequence[PairDetails], labels: Mapping[int, str], most: int | None = None
) -> list[list[Cell]]:
    """The hardest pairs of each encoder as rows, with the similarity by every one.

    Args:
        details: of the encoders.
        labels: of encoders, by their ids.
        most: how many of each label; all that are kept if None.
    """
    encoders = measured_together(details, labels)
    rows: list[list[Cell]] = []
    for detail in details:
        wanted = (row for row in placed(detail) if most is None or row[0] <= most)
        rows += rows_of_pairs(labels[detail.encoder_id], wanted, encoders)
    return rows


def rows_of_pairs(
    label: str, pairs: Iterable[tuple[int, HardPair]], encoders: Sequence[int]
) -> list[list[Cell]]:
    """Return pairs that are hardest for one encoder as rows, under `hardest_header`.

    Args:
        label: of that encoder.
        pairs: each with its place among those of its label.
        encoders: ids of those whose similarities are written.
    """
    return [
        [
            label,
            rank,
            pair.left,
            pair.right,
            LABELS[pair.similar],
            *map(pair.similarities.get, encoders),
        ]
        for rank, pair in pairs
    ]
