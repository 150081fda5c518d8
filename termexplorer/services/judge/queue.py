"""Which pairs to have judged next: those that encoders see differently, and some at random."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from termexplorer.errors import UserError
from termexplorer.services.explore.ontologies import Ontology
from termexplorer.services.judge.drawn_pairs import FoundPairs, pairs_of_ontology
from termexplorer.services.pairs.filter import NOT_REPRESENTED
from termexplorer.services.pairs.repeats import ALONE, REPEATED
from termexplorer.texts import tr
from termexplorer.workers.evaluate.messages import MEASURE
from termexplorer.workers.pairs.queue import (
    DISAGREEMENT,
    UNCERTAINTY,
    Queue,
    QueueRequest,
    run_queue,
)
from termexplorer.workers.process.supervision import JobControl, supervise
from termexplorer.workspace import Workspace

if TYPE_CHECKING:
    from termexplorer.trainer.term_pairs.drawn import DrawnPair

__all__ = ["BY", "CANDIDATES", "RANDOM_SHARE", "ChosenPairs", "QueuePlan", "queue_pairs"]

BY = (DISAGREEMENT, UNCERTAINTY)
CANDIDATES = 10_000
RANDOM_SHARE = 0.2


@dataclass(frozen=True, slots=True)
class QueuePlan:
    """Which pairs are chosen.

    Attributes:
        encoder_ids: two or more that may disagree, or the one that is unsure.
        number: how many pairs.
        pairs: files of pair sets, or folders of them.
        ontology: whose concepts are paired at random, to choose from; None for none.
        candidates: how many such pairs.
        by: one of `BY`.
        measure: of two terms.
        random_share: of the pairs that are drawn at random, 0 to 1.
        seed: of everything random.
    """

    encoder_ids: Sequence[int]
    number: int
    pairs: Sequence[Path] = ()
    ontology: Ontology | None = None
    candidates: int = CANDIDATES
    by: str = DISAGREEMENT
    measure: str = MEASURE
    random_share: float = RANDOM_SHARE
    seed: int = 0


@dataclass(frozen=True, slots=True)
class ChosenPairs:
    """What was chosen.

    Attributes:
        pairs: the pairs, and how many could not be chosen, by reason.
        candidates: how many different pairs there were.
        known: how many of them all encoders can represent; it was chosen from these.
    """

    pairs: FoundPairs
    candidates: int
    known: int


def queue_pairs(
    workspace: Workspace, plan: QueuePlan, control: JobControl, on_message: Callable[[object], None]
) -> ChosenPairs:
    """Chooses pairs; blocks until it is done. The same plan on the same data is the same choice.

    Those at random are drawn first, from all that every encoder can represent, so that agreement
    and accuracy on them are without bias.

    Raises:
        UserError: a plan that cannot be carried out, or something that it needs is not there.
        Cancelled: it was cancelled.
    """
    if plan.by not in BY:
        raise UserError(
            tr(
                "nothing is queued by {by}; choose {known}",
                by=plan.by,
                known=tr(" or ", sense="ways").join(BY),
            )
        )
    if plan.by == DISAGREEMENT and len(plan.encoder_ids) < 2:
        raise UserError(tr("one encoder alone does not disagree; name another one"))
    if plan.by == UNCERTAINTY and len(plan.encoder_ids) != 1:
        raise UserError(tr("{way} is that of one encoder; name it alone", way=UNCERTAINTY))
    if not plan.pairs and plan.ontology is None:
        raise UserError(tr("say what to choose from: pair sets, or an ontology"))
    if plan.number < 1 or not 0 <= plan.random_share <= 1:
        raise UserError(tr("choose at least one pair, and a share at random of 0 to 1"))
    candidates: list[DrawnPair] = []
    if plan.ontology is not None:
        candidates = pairs_of_ontology(workspace, plan.ontology, plan.candidates, plan.seed)
    request = QueueRequest(
        workspace.folder,
        tuple(plan.encoder_ids),
        tuple(plan.pairs),
        tuple(candidates),
        plan.by,
        plan.measure,
        plan.number,
        plan.random_share,
        plan.seed,
    )
    queue: Queue = supervise(run_queue, request, control, on_message)
    counts = {
        ALONE: queue.alone,
        REPEATED: queue.repeated,
        NOT_REPRESENTED: queue.candidates - queue.known,
    }
    left_out = {reason: count for reason, count in counts.items() if count}
    return ChosenPairs(FoundPairs(queue.pairs, left_out), queue.candidates, queue.known)
