"""Encoders of a workspace, of whatever kind, as similarities of names for the trainer's tasks."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.store.encoders.infos import check_distinct
from termexplorer.texts import tr
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.large_vectors import is_large
from termexplorer.workers.encoders.lexical import fitted
from termexplorer.workers.encoders.rounded_names import round_names
from termexplorer.workers.process.child import trainer_errors
from termexplorer.workers.process.devices import usual_device

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.scores import Scores
    from termexplorer.trainer.search.all_pairs import PairsPlan


def scores_of(
    encoders: Encoders,
    encoder_id: int,
    texts: Sequence[str],
    candidates: Sequence[str] | None = None,
    *,
    tick: Callable[[], None],
    row: Callable[[], None],
    announce: "Callable[[PairsPlan], None] | None" = None,
) -> "Scores":
    """Similarities of texts with others, or among themselves.

    Args:
        encoders: of the workspace.
        encoder_id: one of them.
        texts: to compare.
        candidates: what with; the texts themselves if None.
        tick: called often by what takes long; may raise to stop.
        row: called before each text that is compared with names one by one; may raise to stop.
        announce: told of what comparing millions of names takes, by vectors of 8 bits; that is
            measured for it.

    Raises:
        UserError: the encoder or its files are not there.
    """
    from termexplorer.trainer.evaluation.scores import cosine_scores
    from termexplorer.trainer.evaluation.sparse import with_sparse
    from termexplorer.trainer.representations.lexical_names import table_of

    info = encoders.info(encoder_id)
    with trainer_errors():
        if info.is_blended:
            first, *more = (
                scores_of(
                    encoders, part_id, texts, candidates, tick=tick, row=row, announce=announce
                )
                for part_id in info.part_ids
            )
            for part, weight in zip(more, info.weights[1:], strict=True):
                first = with_sparse(first, part, weight)
            return first
        if info.is_lexical:
            names = texts if candidates is None else candidates
            return table_of(fitted(encoders, info, names, tick), texts, row)
        if is_large(max(len(texts), len(candidates or ())), info.dimension):
            return _round_scores(encoders, encoder_id, texts, candidates, announce)
        vectors = encoders.encode(encoder_id, texts)
        return cosine_scores(
            vectors, None if candidates is None else encoders.encode(encoder_id, candidates)
        )


def _round_scores(
    encoders: Encoders,
    encoder_id: int,
    texts: Sequence[str],
    candidates: Sequence[str] | None,
    announce: "Callable[[PairsPlan], None] | None",
) -> "Scores":
    """Similarities of so many names that their vectors are of 8 bits, most of them on the disk."""
    from termexplorer.trainer.evaluation.eight_bit_scores import EightBitScores
    from termexplorer.trainer.search.all_pairs import plan_all_pairs

    left = round_names(encoders, encoder_id, texts)
    right = left if candidates is None else round_names(encoders, encoder_id, candidates)
    device = usual_device()
    if announce is not None:
        announce(plan_all_pairs(left.shape[0], right.shape[0], left.shape[1], device))
    return EightBitScores(left, right, device)


def check_encoders(encoders: Encoders, encoder_ids: Sequence[int]) -> None:
    """Refuses none, one that is there twice, and one that is not there.

    Raises:
        UserError: what is wrong with them.
    """
    if not encoder_ids:
        raise UserError(tr("choose at least one encoder; see `termexplorer encoder list`"))
    check_distinct(encoder_ids)
    for encoder_id in encoder_ids:
        encoders.info(encoder_id)
