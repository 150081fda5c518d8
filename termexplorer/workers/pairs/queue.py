"""The child that finds which pairs are worth judging, by what encoders say of them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from termexplorer.errors import UserError
from termexplorer.texts import tr
from termexplorer.workers.encoders.keeping_encoders import BlockEncoders
from termexplorer.workers.evaluate.opening import opened
from termexplorer.workers.evaluate.pairs import files_of
from termexplorer.workers.evaluate.similarities import pair_similarities
from termexplorer.workers.process.child import Channel

if TYPE_CHECKING:
    from termexplorer.trainer.files.pairs import PairSet
    from termexplorer.trainer.term_pairs.drawn import DrawnPair

DISAGREEMENT, UNCERTAINTY = "disagreement", "uncertainty"
Floats = NDArray[np.floating]


@dataclass(frozen=True, slots=True)
class QueueRequest:
    """Which pairs are chosen.

    Attributes:
        workspace: its folder.
        encoder_ids: two or more that may disagree, or the one that is unsure.
        pairs: files of pair sets, or folders of them.
        candidates: pairs that are chosen from besides.
        by: `DISAGREEMENT` or `UNCERTAINTY`.
        measure: of two terms.
        number: how many pairs.
        random_share: of them drawn at random.
        seed: of the draw.
    """

    workspace: Path
    encoder_ids: tuple[int, ...]
    pairs: tuple[Path, ...]
    candidates: "tuple[DrawnPair, ...]"
    by: str
    measure: str
    number: int
    random_share: float
    seed: int


@dataclass(frozen=True, slots=True)
class Queue:
    """What was chosen.

    Attributes:
        pairs: each with the part that it is from.
        candidates: how many different pairs there were.
        known: how many of them all encoders can represent; it was chosen from these.
        alone: how many were of a term with itself.
        repeated: how many stood before already, in whatever order and case.
    """

    pairs: "tuple[DrawnPair, ...]"
    candidates: int
    known: int
    alone: int
    repeated: int


def run_queue(request: QueueRequest, channel: Channel) -> Queue:
    """Chooses pairs.

    Raises:
        UserError: an encoder or a file cannot be used, pairs have no label where one is needed, or
            it was stopped.
    """
    from termexplorer.trainer.term_pairs.drawn import QUEUE, RANDOM
    from termexplorer.trainer.term_pairs.queue import queued

    with opened(request.workspace, request.encoder_ids, channel) as (store, _, steps):
        sets = _read_sets(request, steps.tick)
        steps.plan(len(request.encoder_ids), 1)
        encoders = BlockEncoders(request.workspace, store, steps.encoding)
        known = {}
        for encoder_id in request.encoder_ids:
            steps.begin(tr("similarities by {label}", label=encoders.info(encoder_id).label))
            known[encoder_id] = pair_similarities(
                encoders, encoder_id, [_as_set(pair_list) for pair_list in sets.values()],
                request.measure, steps.tick,
            )  # fmt: skip
        steps.tick()
        scores = [
            _score_pairs(
                request, name, pairs, [known[encoder][index] for encoder in request.encoder_ids]
            )
            for index, (name, pairs) in enumerate(sets.items())
        ]
    pairs, of_each = _distinct_scored_pairs(sets.values(), scores)
    best, at_random = queued(of_each, request.number, request.random_share, request.seed)
    chosen = [(index, QUEUE) for index in best] + [(index, RANDOM) for index in at_random]
    queued_pairs = tuple(replace(pairs[index], drawn=part) for index, part in chosen)
    rows = [pair for of_set in sets.values() for pair in of_set]
    alone = sum(pair.left.casefold() == pair.right.casefold() for pair in rows)
    known_pairs = int(np.count_nonzero(~np.isnan(of_each)))
    return Queue(queued_pairs, len(pairs), known_pairs, alone, len(rows) - alone - len(pairs))


def _read_sets(
    request: QueueRequest, tick: Callable[[], None]
) -> "Mapping[str, Sequence[DrawnPair]]":
    """The pairs of each file, and the candidates that come besides."""
    from termexplorer.trainer.files.pairs import read_pairs
    from termexplorer.trainer.term_pairs.drawn import DrawnPair, is_pair_set, read_drawn

    sets_by_name: dict[str, Sequence[DrawnPair]] = {}
    for path in (file for pair_path in request.pairs for file in files_of(pair_path)):
        tick()
        if is_pair_set(path):
            sets_by_name[str(path)] = read_drawn(path)
            continue
        for pair_set in read_pairs(path):
            terms = zip(pair_set.left, pair_set.right, pair_set.scores.tolist(), strict=True)
            sets_by_name[f"{path}, {pair_set.name}"] = [DrawnPair(*row) for row in terms]
    if request.candidates:
        sets_by_name[""] = request.candidates
    return sets_by_name


def _as_set(pairs: "Sequence[DrawnPair]") -> "PairSet":
    from termexplorer.trainer.files.pairs import PairSet

    left, right = (tuple(getattr(pair, side) for pair in pairs) for side in ("left", "right"))
    return PairSet("", left, right, np.zeros(len(pairs)))


def _score_pairs(
    request: QueueRequest, name: str, pairs: "Sequence[DrawnPair]", similarities: Sequence[Floats]
) -> NDArray[np.float64]:
    from termexplorer.trainer.term_pairs.queue import disagreement, uncertainty

    if request.by == DISAGREEMENT:
        return disagreement(similarities)
    labels = [pair.label for pair in pairs]
    if not set(labels) <= {0.0, 1.0}:
        raise UserError(
            tr(
                "{name}: not all pairs have a label of 1 or 0, without which there is no best "
                "threshold; choose by {other}",
                name=name or tr("these candidates"),
                other=DISAGREEMENT,
            )
        )
    return uncertainty(np.array(labels, np.float64), similarities[0])


def _distinct_scored_pairs(
    sets: "Iterable[Sequence[DrawnPair]]", scores: Iterable[NDArray[np.float64]]
) -> "tuple[list[DrawnPair], NDArray[np.float64]]":
    """Each pair of two different terms as it comes first, with its score."""
    pair_by_terms: dict[frozenset[str], tuple[DrawnPair, float]] = {}
    for pairs, of_set in zip(sets, scores, strict=True):
        for pair, score in zip(pairs, of_set.tolist(), strict=True):
            key = frozenset((pair.left.casefold(), pair.right.casefold()))
            if len(key) > 1:
                pair_by_terms.setdefault(key, (pair, score))
    return [pair for pair, _ in pair_by_terms.values()], np.array(
        [score for _, score in pair_by_terms.values()]
    )
