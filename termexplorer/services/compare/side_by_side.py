"""One mention of a comparison: its rankings beside each other, and how names moved."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from termexplorer.errors import UserError
from termexplorer.store.kept_paths import locate_kept
from termexplorer.store.releases import concepts
from termexplorer.store.releases.concepts import ConceptRef
from termexplorer.store.releases.corpus import named
from termexplorer.texts import mark, number, tr, translated
from termexplorer.workers.compare.messages import (
    Compared,
    Ints,
    WholeRanking,
    WholeRequest,
)
from termexplorer.workspace import Workspace


@dataclass(frozen=True, slots=True)
class ComparedName:
    """A row of one encoder's ranking.

    Attributes:
        rank: from 1.
        true: whether it is a right answer.
        ranks: its rank by each encoder, in their order; None where it is not among those kept.
        move: how many ranks it is above its place by the baseline, negative below it; None where it
            is new, as it is not among the baseline's.
    """

    rank: int
    name_id: int
    text: str
    concept: ConceptRef
    true: bool
    ranks: tuple[int | None, ...]
    move: int | None

    @property
    def moved(self) -> str:
        """The move as it is shown: +3, −12, new, or 0 where it stayed."""
        if self.move is None:
            return tr("new")
        return number(self.move, "+,d").replace("-", "−") if self.move else "0"


@dataclass(frozen=True, slots=True)
class ComparedColumn:
    """What one encoder ranks first for a mention.

    Attributes:
        best: the rank of its best right answer among all candidates; None if nothing is right.
        rows: empty where the encoder knows nothing of the mention.
        kept: how many of the first names are kept; a name that is not among them ranks lower.
    """

    encoder_id: int
    title: str
    best: float | None
    rows: tuple[ComparedName, ...]
    kept: int


@dataclass(frozen=True, slots=True)
class SideBySide:
    """A mention's rankings.

    Attributes:
        concept: whose name the mention is.
        classes: labels of its classes on the level.
        overlap: the lowest rank-biased overlap of two of them; None where too few know it.
    """

    name_id: int
    text: str
    concept: ConceptRef
    classes: tuple[str, ...]
    overlap: float | None
    columns: tuple[ComparedColumn, ...]


def side_by_side(
    workspace: Workspace,
    compared: Compared,
    mention: int,
    *,
    top: int = 20,
    baseline_id: int | None = None,
) -> SideBySide:
    """The rankings of one mention, as they were kept.

    Args:
        workspace: where it was compared.
        compared: what came of it.
        mention: its place among the mentions.
        top: rows of each encoder.
        baseline_id: what moves are told against; the first encoder if None.

    Raises:
        UserError: the rankings were removed meanwhile.
    """
    return _put_side_by_side(
        workspace, compared, mention, _top_places(workspace, compared, mention), top, baseline_id
    )


def whole_side_by_side(
    workspace: Workspace,
    rank_whole: Callable[[WholeRequest], WholeRanking],
    compared: Compared,
    mention: int,
    *,
    top: int,
    baseline_id: int | None = None,
) -> SideBySide:
    """The same as `side_by_side` from whole rankings, which are computed for it.

    Args:
        workspace: where it was compared.
        rank_whole: answers for one mention and encoder.
        compared: what came of it.
        mention: its place among the mentions.
        top: rows of each encoder; ranks are known of all names.
        baseline_id: what moves are told against; the first encoder if None.

    Raises:
        UserError: an encoder or a name was removed meanwhile.
    """
    subject, name_id = compared.request.subject, int(compared.mention_ids[mention])
    order = np.argsort(compared.candidate_ids)
    ids = compared.candidate_ids[order]
    rankings = [
        rank_whole(WholeRequest(subject, encoder_id, name_id))
        for encoder_id in compared.encoder_ids
    ]
    tops = [
        order[np.searchsorted(ids, ranking.name_ids)]
        if not ranking.empty
        else np.zeros(0, np.int64)
        for ranking in rankings
    ]
    return _put_side_by_side(workspace, compared, mention, tops, top, baseline_id)


def _put_side_by_side(
    workspace: Workspace,
    compared: Compared,
    mention: int,
    tops: Sequence[Ints],
    top: int,
    baseline_id: int | None,
) -> SideBySide:
    """The first names of each encoder, of all whose places are known."""
    baseline = compared.encoder_ids.index(baseline_id or compared.encoder_ids[0])
    shown = np.unique(np.concatenate([positions[:top] for positions in tops]))
    names = _ShownNames.read(workspace, compared, mention, shown)
    ranks = [_ranks_of_places(positions, len(compared.candidate_ids)) for positions in tops]
    before = ranks[baseline]

    def row(rank: int, position: int) -> ComparedName:
        text, concept, true = names.of(position)
        return ComparedName(
            rank=rank,
            name_id=int(compared.candidate_ids[position]),
            text=text,
            concept=concept,
            true=true,
            ranks=tuple(int(encoder_ranks[position]) or None for encoder_ranks in ranks),
            move=int(before[position]) - rank if before[position] else None,
        )

    return SideBySide(
        name_id=int(compared.mention_ids[mention]),
        text=compared.mentions[mention],
        concept=names.concept,
        classes=classes_of(compared, mention),
        overlap=defined(compared.lowest[mention]),
        columns=tuple(
            ComparedColumn(
                encoder_id,
                compared.titles[at],
                defined(compared.best[mention, at]),
                tuple(
                    row(rank, position) for rank, position in enumerate(tops[at][:top].tolist(), 1)
                ),
                len(tops[at]),
            )
            for at, encoder_id in enumerate(compared.encoder_ids)
        ),
    )


@dataclass(frozen=True, slots=True)
class _ShownNames:
    """The candidates on show by their places, and the mention's own concept."""

    concept: ConceptRef
    shown: Mapping[int, tuple[str, ConceptRef, bool]]

    @classmethod
    def read(
        cls, workspace: Workspace, compared: Compared, mention: int, shown: Ints
    ) -> "_ShownNames":
        own_id = int(compared.mention_ids[mention])
        ids = compared.candidate_ids[shown].tolist()
        true = compared.mention_sets.share(mention, compared.candidate_sets, shown)
        with workspace.store.reading() as connection:
            names = named(connection, [own_id, *ids])
            refs = concepts.references(connection, [concept for _, concept in names.values()])
        if own_id not in names or not names.keys() >= set(ids):
            raise UserError(translated(_GONE))
        names_by_position = {
            position: (names[name_id][0], refs[names[name_id][1]], right)
            for position, name_id, right in zip(shown.tolist(), ids, true.tolist(), strict=True)
        }
        return cls(refs[names[own_id][1]], names_by_position)

    def of(self, position: int) -> tuple[str, ConceptRef, bool]:
        """Text, concept, and whether it is a right answer."""
        return self.shown[position]


def _ranks_of_places(places: Ints, count: int) -> Ints:
    """The rank of each candidate, (count,); 0 of those that are not among the places."""
    ranks = np.zeros(count, np.int64)
    ranks[places] = np.arange(1, len(places) + 1)
    return ranks


def classes_of(compared: Compared, mention: int) -> tuple[str, ...]:
    """Labels of a mention's classes on the level."""
    return tuple(
        compared.classes[class_number]
        for class_number in compared.mention_classes.of(mention).tolist()
    )


def defined(value: float) -> float | None:
    """A number, or None for NaN."""
    return float(value) if value == value else None


_GONE = mark("these rankings were removed from the workspace; compare the encoders again")


def _top_places(workspace: Workspace, compared: Compared, mention: int) -> Sequence[Ints]:
    """Places of the candidates that each encoder ranks first; none where it knows nothing."""
    tops = []
    for file in compared.files:
        try:
            stored = np.load(
                locate_kept(workspace.folder, file.path), mmap_mode="r", allow_pickle=False
            )
        except OSError as error:
            raise UserError(translated(_GONE)) from error
        top = stored["top"][mention].astype(np.int64)
        tops.append(top[top >= 0])
    return tops
