"""What all finders that learn from corrupted copies are asked, and how they learn."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from termexplorer.trainer.evaluation.likelihood import Candidates, Likelihood, Trial

Row = TypeVar("Row")

COPIES = 6  # the first half to learn from; the others tell how good it is
MOST = 2_000  # suggestions
_ROUNDING = 1e-4


@dataclass(frozen=True, slots=True)
class FinderRequest:
    """Where something wrong is looked for.

    Attributes:
        workspace: its folder.
        ontology_id: the release.
        encoder_ids: what the suggestions come from; the first one tells what is best instead.
        root: CURIE of the concept to look below; empty for all roots.
        level: of the classes, 1 the highest; of misplaced concepts alone.
        share: of what could be made wrong that is, in each corrupted copy.
        seed: of those copies.
    """

    workspace: Path
    ontology_id: int
    encoder_ids: tuple[int, ...]
    root: str = ""
    level: int = 1
    share: float = 0.02
    seed: int = 0


def clip_similarity(value: float) -> float:
    """Return a similarity as 1 where it is above by rounding; other ones, as of BM25, stay."""
    return 1.0 if 1 < value <= 1 + _ROUNDING else value


def keep_most_likely(
    rows: Sequence[int], make_row: Callable[[int], Row]
) -> tuple[tuple[Row, ...], int]:
    """Return what is made of the first rows, the most likely, and how many rows are left out."""
    return tuple(map(make_row, rows[:MOST])), max(0, len(rows) - MOST)


def learn_and_try(copies: "Sequence[Candidates]") -> "tuple[Likelihood, Trial]":
    """Learns likelihoods from the first half of the copies and tries them on the others."""
    from termexplorer.trainer.evaluation.likelihood import Likelihood, trial

    half = len(copies) // 2
    likelihood = Likelihood.learned(copies[:half])
    return likelihood, trial(likelihood, copies[half:])
