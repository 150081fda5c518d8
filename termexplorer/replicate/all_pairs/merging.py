"""The merged ranking of all names as a table."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from termexplorer.exporters.tables import Cell, write_table
from termexplorer.replicate.all_pairs.request import AllPairsRequest
from termexplorer.store.releases.corpus import ReleaseNames, release_labels, release_names
from termexplorer.trainer.search.eight_bit import NearestRows
from termexplorer.workspace import Workspace

COLUMNS = ("query", "query concept", "rank", "similarity", "concept", "name")
_AT_ONCE = 1_024  # names between two looks whether it is to end


@dataclass(frozen=True, slots=True)
class RankedNames:
    """What a ranking of all names came to.

    Attributes:
        file: the table.
        names: for how many names others were ranked.
        unknown: how many have none, as the encoder knows no part of them.
        rows: of the table.
    """

    file: Path
    names: int
    unknown: int
    rows: int


@dataclass(frozen=True, eq=False)
class _NamedSide:
    names: ReleaseNames
    curies: dict[int, str]

    def describe(self, index: int) -> tuple[str, str]:
        """Return a name, and the CURIE of its concept."""
        return self.names.texts[index], self.curies[int(self.names.concept_ids[index])]


@dataclass(slots=True)
class _Counts:
    names: int = 0
    unknown: int = 0
    rows: int = 0


def write_ranking(
    workspace: Workspace,
    request: AllPairsRequest,
    row_blocks: Iterable[tuple[int, NearestRows]],
    find_known: Callable[[range], NDArray[np.bool_]],
    tick: Callable[[float], None],
) -> RankedNames:
    """Write the merged ranking, names of which the encoder knows nothing left out.

    Args:
        workspace: of the names.
        request: what was ranked, and where the table goes.
        row_blocks: the first row of each block, and the nearest of its rows.
        find_known: tells of which rows anything is known.
        tick: called with the share that is written; may raise to stop.
    """
    left = _read_side(workspace, request.ontology_id)
    right = left if request.to_id == request.ontology_id else _read_side(workspace, request.to_id)
    counts = _Counts()
    rows = _list_rows(left, right, row_blocks, find_known, tick, counts)
    write_table(request.table, COLUMNS, rows)
    return RankedNames(request.table, counts.names, counts.unknown, counts.rows)


def _list_rows(
    left: _NamedSide,
    right: _NamedSide,
    row_blocks: Iterable[tuple[int, NearestRows]],
    find_known: Callable[[range], NDArray[np.bool_]],
    tick: Callable[[float], None],
    counts: _Counts,
) -> Iterator[tuple[Cell, ...]]:
    for start, nearest in row_blocks:
        known = find_known(range(start, start + len(nearest.rows))).tolist()
        for offset, is_known in enumerate(known):
            if offset % _AT_ONCE == 0:
                tick((start + offset) / len(left.names.texts))
            if not is_known:
                counts.unknown += 1
                continue
            counts.names += 1
            query = left.describe(start + offset)
            neighbours = zip(
                nearest.rows[offset].tolist(), nearest.cosines[offset].tolist(), strict=True
            )
            for rank, (row, cosine) in enumerate(neighbours, 1):
                if cosine == -np.inf:  # the name itself, where fewer than k others are there
                    break
                counts.rows += 1
                name, concept = right.describe(row)
                yield *query, rank, cosine, concept, name


def _read_side(workspace: Workspace, release_id: int) -> _NamedSide:
    with workspace.store.reading() as connection:
        names = release_names(connection, release_id)
        labels = release_labels(connection, release_id)
    return _NamedSide(names, {concept_id: label[0] for concept_id, label in labels.items()})
