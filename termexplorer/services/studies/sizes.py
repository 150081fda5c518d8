"""How much a study will ask, told before it is made."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from termexplorer.errors import UserError
from termexplorer.services.pairs.files import read_pools
from termexplorer.services.pairs.folders import read_made
from termexplorer.workers.process.child import Channel
from termexplorer.workers.process.protocol import FILE_LIMITS
from termexplorer.workers.process.supervision import JobControl, supervise

SECONDS = 18  # a pair, at the pace of the protocol of one hour: 200 pairs


@dataclass(frozen=True, slots=True)
class SetSize:
    """How many pairs there are to draw from in a set.

    Attributes:
        similar: that are similar.
        dissimilar: that are not.
        rated: that have ratings instead.
    """

    similar: int
    dissimilar: int
    rated: int = 0


@dataclass(frozen=True, slots=True)
class StudySize:
    """How much is asked.

    Attributes:
        pairs: that are judged, at the most: what sets have in common is drawn once.
        asked: how often the annotator with the most is asked, repeated pairs too, practice not.
        seconds: that this takes, about, with practice.
        overlapping: how many pairs two or more judge, which agreement is of.
    """

    pairs: int
    asked: int
    seconds: float
    overlapping: int


def count_sets(paths: Sequence[Path], control: JobControl) -> tuple[SetSize, ...]:
    """Counts what can be drawn from files and folders; in a child where nobody counted before.

    Raises:
        UserError: a file that cannot be read, or a folder without pair sets.
        Cancelled: it was cancelled.
    """
    sizes: list[SetSize] = []
    unknown = []
    for path in paths:
        known = _read_known_sizes(path)
        sizes += known
        if not known:
            unknown.append(path)
    if unknown:
        sizes += supervise(
            _count_in_child, tuple(unknown), control, lambda _message: None, FILE_LIMITS
        )
    return tuple(sizes)


def study_size(
    sizes: Sequence[SetSize],
    *,
    per_kind: int,
    practice: int,
    repeat: float,
    overlap: int | None,
    annotators: int,
    shared: float = 1.0,
) -> StudySize:
    """What a plan comes to; the parameters are those of `StudyPlan`."""
    pairs = sum(
        min(per_kind, size.similar) + min(per_kind, size.dissimilar) + min(2 * per_kind, size.rated)
        for size in sizes
    )
    each_shared = min(overlap or annotators, annotators)
    common = round(shared * pairs)
    all_asked = common * each_shared + pairs - common
    share = -(-all_asked // annotators) if annotators else 0
    asked = share + min(round(repeat * share), share // 2)
    overlapping = common if each_shared > 1 else 0
    return StudySize(pairs, asked, SECONDS * (asked + practice), overlapping)


def _read_known_sizes(path: Path) -> list[SetSize]:
    """What was written down when the sets of a folder were made, if they are all there is."""
    try:
        sets = read_made(path).pair_sets.sets
    except UserError:
        return []
    if {pair_set.name for pair_set in sets} != {file.stem for file in path.glob("*.tsv")}:
        return []
    return [SetSize(pair_set.similar, pair_set.dissimilar) for pair_set in sets]


def _count_in_child(paths: tuple[Path, ...], _channel: Channel) -> list[SetSize]:
    kinds = [pool.kinds() for pool in read_pools(paths)]
    return [
        SetSize(*(len(pairs_by_kind.get(kind, ())) for kind in (1.0, 0.0, None)))
        for pairs_by_kind in kinds
    ]
