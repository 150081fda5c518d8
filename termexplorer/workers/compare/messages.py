"""What is asked of the child that compares encoders, and what comes back."""

from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from termexplorer.store.encoders.ranks import RankFile
from termexplorer.texts import mark

Ints: TypeAlias = NDArray[np.int64]
Float64s: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]

TASKS = ("neighbours", "hypernyms", "synonyms")
TASK_WORDS = {
    "neighbours": mark("neighbours"),
    "hypernyms": mark("hypernyms"),
    "synonyms": mark("synonyms"),
}
MOST_ENCODERS = 8


@dataclass(frozen=True, slots=True)
class ComparisonSubject:
    """What is ranked for what, whoever ranks it.

    Attributes:
        task: `neighbours`: each name among all others, right are those of its class;
            `hypernyms`: each name below the level among the names of the concepts on it, right are
            those of its classes; `synonyms`: each name of a concept that has several among all
            others, right are those of its concept.
        ontology_id: the release whose names these are.
        root_id: only names of this concept and of what lies below it, and levels count from it;
            None: all.
        level: of the classes, 1 the highest; None: 1, or no classes where there are no levels.
    """

    task: str
    ontology_id: int
    root_id: int | None = None
    level: int | None = None


@dataclass(frozen=True, slots=True)
class CompareRequest:
    """A subject and the encoders to compare on it, in the order in which they are shown."""

    workspace: Path
    subject: ComparisonSubject
    encoder_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WholeRequest:
    """One mention's whole ranking by one encoder; `name_id` is the mention."""

    subject: ComparisonSubject
    encoder_id: int
    name_id: int


@dataclass(frozen=True, eq=False)
class WholeRanking:
    """All candidates in their order; of equals the earlier name comes first.

    Attributes:
        name_ids: (c,) int64.
        similarities: (c,) float32, falling.
        true: (c,) bool, the right answers.
        empty: the encoder knows no part of the mention, so its ranking says nothing.
    """

    name_ids: Ints
    similarities: NDArray[np.float32]
    true: Bools
    empty: bool


@dataclass(frozen=True, eq=False)
class Sets:
    """The sets that each of n names is in, by their numbers.

    Attributes:
        starts: (n + 1,) int64, where those of each name begin in `numbers`.
        numbers: int64.
    """

    starts: Ints
    numbers: Ints

    def of(self, name: int) -> Ints:
        """The sets of one name."""
        numbers: Ints = self.numbers[self.starts[name] : self.starts[name + 1]]
        return numbers

    def share(self, name: int, other_sets: "Sets", of_others: Ints) -> Bools:
        """Whether each of some names of another list shares a set with a name."""
        own_numbers = self.of(name)
        return np.array(
            [np.isin(other_sets.of(int(number)), own_numbers).any() for number in of_others],
            np.bool_,
        )


@dataclass(frozen=True, eq=False)
class Compared:
    """Encoders on the same m mentions and c candidates.

    Attributes:
        titles: of the e encoders.
        mentions: their texts.
        mention_ids: (m,) int64, the ids of these names.
        candidate_ids: (c,) int64, the ids of the names that are ranked.
        classes: labels of the classes on the level.
        mention_classes: which of them each mention is in.
        mention_sets: what makes a candidate right for a mention: a set that both are in.
        candidate_sets: see `mention_sets`.
        best: (m, e) float64, the rank of each mention's best right candidate by each encoder, the
            mean over all orders of equals; NaN where no candidate is right.
        lowest: (m,) float64, the lowest rank-biased overlap of two encoders' first names, 0 to 1;
            NaN where fewer than two encoders know the mention.
        mean: (m,) float64, the mean overlap of all pairs of encoders that know the mention.
        overlap: (e, e) float64, the mean overlap of each two encoders over all mentions.
        seen: (m, e) bool, whether an encoder, or what lies beneath it, was trained on a mention.
        files: what is kept of each encoder's rankings.
    """

    request: CompareRequest
    titles: tuple[str, ...]
    mentions: tuple[str, ...]
    mention_ids: Ints
    candidate_ids: Ints
    classes: tuple[str, ...]
    mention_classes: Sets
    mention_sets: Sets
    candidate_sets: Sets
    best: Float64s
    lowest: Float64s
    mean: Float64s
    overlap: Float64s
    seen: Bools
    files: tuple[RankFile, ...]

    @property
    def encoder_ids(self) -> tuple[int, ...]:
        """The encoders that were compared, in their order."""
        return self.request.encoder_ids
