"""What a ranking task hands over: its data, and what an encoder comes to on them."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, TypedDict

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.database.engine import Store
from termexplorer.trainer.errors import Message
from termexplorer.workers.data.trained_names import trained_texts
from termexplorer.workers.encoders.encoding import Encoders
from termexplorer.workers.encoders.large_vectors import is_large
from termexplorer.workers.encoders.rounded_names import count_unknown, round_names
from termexplorer.workers.evaluate.messages import EvaluationRequest
from termexplorer.workers.evaluate.scoring import scores_of
from termexplorer.workers.process import kept_texts

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.exposure import Exposure
    from termexplorer.trainer.evaluation.figures import TaskResult
    from termexplorer.trainer.evaluation.scores import Scores
    from termexplorer.trainer.search.all_pairs import PairsPlan


class TaskOptions(TypedDict):
    """What every task of the trainer takes by name."""

    seed: int
    tick: "Tick"


Ints = NDArray[np.int64]
Tick = Callable[[], None]


@dataclass(frozen=True, eq=False)
class TaskContext:
    """What every task needs.

    Attributes:
        tick: called between pieces of work; raises to stop.
        row: called before each text that is compared with names one by one; raises to stop.
        announce: told of what comparing millions of names takes.
    """

    request: EvaluationRequest
    store: Store
    encoders: Encoders
    tick: Tick
    row: Tick
    announce: "Callable[[PairsPlan], None]"

    @property
    def options(self) -> TaskOptions:
        """The same for every task of the trainer."""
        return TaskOptions(seed=self.request.seed, tick=self.tick)

    def scores(
        self, encoder_id: int, texts: Sequence[str], candidates: Sequence[str] | None = None
    ) -> "Scores":
        """`scores_of` of the encoders, for tuples of names; what was asked for last is kept."""
        scores, plans = self._planned_scores(encoder_id, texts, candidates)
        for plan in plans:
            self.announce(plan)
        return scores

    @cached_property
    def _planned_scores(self) -> "Callable[..., tuple[Scores, list[PairsPlan]]]":
        """Similarities of names, and what comparing all pairs of them takes."""

        def compare(
            encoder_id: int, texts: Sequence[str], candidates: Sequence[str] | None
        ) -> "tuple[Scores, list[PairsPlan]]":
            plans: list[PairsPlan] = []
            scores = scores_of(
                self.encoders,
                encoder_id,
                texts,
                candidates,
                tick=self.tick,
                row=self.row,
                announce=plans.append,
            )
            return scores, plans

        return lru_cache(maxsize=1)(compare)

    def unknown(self, encoder_id: int, texts: Collection[str]) -> int:
        """How many texts an encoder that knows texts by vectors has none for."""
        info = self.encoders.info(encoder_id)
        if not info.has_vectors or info.is_blended:
            return 0
        if is_large(len(texts), info.dimension):
            return count_unknown(round_names(self.encoders, encoder_id, list(texts)))
        vectors = self.encoders.encode(encoder_id, list(texts))
        return int((~vectors.any(axis=1)).sum())

    def seen(self, names: Collection[str]) -> dict[int, float]:
        """The share of names that encoders, or what lies beneath, were trained on; none if 0."""
        shares = {
            encoder_id: exposure.share(names) for encoder_id, exposure in self._exposures.items()
        }
        return {encoder_id: share for encoder_id, share in shares.items() if share}

    @cached_property
    def _exposures(self) -> "dict[int, Exposure]":
        """Of encoders that were trained on any names."""
        from termexplorer.trainer.evaluation.exposure import Exposure

        with self.store.reading() as connection:
            texts = {
                encoder_id: trained_texts(connection, [encoder_id])
                for encoder_id in self.request.encoder_ids
            }
        return {encoder_id: Exposure(trained) for encoder_id, trained in texts.items() if trained}


@dataclass(frozen=True, eq=False)
class TaskData:
    """One set of data of a ranking task.

    Attributes:
        task: as its figures are stored.
        title: for people.
        data_hash: of the data.
        result: what an encoder comes to.
        mentions: the texts that are ranked for, in the order of the result's items.
        notes: what is to be known, a line each.
        level: of the classes; None where the task knows no levels.
        split_id: which names are held out; None where the task has no split.
        texts: how encoders see the mentions; empty where that is as they stand.
        ontology_id: whose names they are, where neither the title nor a split says it.
        not_counted: the kept text that says how many mentions do not count, and why.
    """

    task: str
    title: Message
    data_hash: str
    result: "Callable[[int], TaskResult]"
    mentions: Sequence[str]
    notes: Sequence[Message] = field(default_factory=tuple)
    level: int | None = None
    split_id: int | None = None
    texts: Sequence[str] = ()
    ontology_id: int | None = None
    not_counted: str = kept_texts.NOT_COUNTED
