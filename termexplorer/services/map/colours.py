"""By what the points of a map are coloured: classes, ranks of each name, or verdicts.

A further colouring is one more field of `Colouring` and one more line of `colours_for`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from termexplorer.services.explore.ontologies import find_concept, find_ontology
from termexplorer.services.map.points import NONE, MapPoints, PointGroup, point_groups
from termexplorer.services.map.projection import ProjectionRequest
from termexplorer.services.verdicts.log import ANSWER_WORDS, ANSWERS, CHANGED, LoggedVerdict
from termexplorer.store.judging.verdicts import iterate_judged
from termexplorer.texts import tr, translated
from termexplorer.workers.compare.messages import TASK_WORDS, TASKS, ComparisonSubject
from termexplorer.workers.map.ranks import BestRanks, RanksRequest, run_best_ranks
from termexplorer.workers.process.supervision import Cancelled, JobControl, supervise
from termexplorer.workspace import Workspace

__all__ = [
    "COLOURINGS",
    "TASKS",
    "VERDICTS",
    "Colouring",
    "MapColours",
    "class_colours",
    "colours_for",
    "rank_colours",
    "rank_legend",
    "verdict_colours",
]

VERDICTS = "verdicts"
COLOURINGS = (*TASKS, VERDICTS)

_BINS = (1, 10, 100, 1_000)  # the last rank of each
_COLOURS = ("#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#CC79A7")
_OF_ANSWERS = dict(
    zip(ANSWERS, ("#009E73", "#0072B2", "#CC79A7", "#D55E00", "#E69F00", "#56B4E9"), strict=True)
)
_BOTH_WAYS = ("skos:closeMatch", "skos:exactMatch")  # the object is judged as the subject is


@dataclass(frozen=True, slots=True)
class Colouring:
    """What tells points apart.

    Attributes:
        level: whose classes; None for one colour.
        task: how high the best right name ranks in it, where ranks are kept; `VERDICTS`; empty for
            classes.
    """

    level: int | None = None
    task: str = ""


@dataclass(frozen=True, eq=False)
class MapColours:
    """Points by colour.

    Attributes:
        legend: what the colours stand for.
        groups: of points.
        by_class: whether classes tell the groups apart.
    """

    legend: str
    groups: tuple[PointGroup, ...]
    by_class: bool = True

    def text_of(self, point: int) -> str:
        """What the colour of a point stands for, unless that is its class."""
        labels = (group.label for group in self.groups if point in group.points)
        return "" if self.by_class else f"{self.legend}: {next(labels, tr('unknown'))}"


def colours_for(
    workspace: Workspace,
    request: ProjectionRequest,
    colouring: Colouring,
    points: MapPoints,
    name_ids: NDArray[np.int64],
    control: JobControl | None = None,
) -> MapColours:
    """The colours of (n,) names on a map; blocks while ranks are read.

    When it is cancelled meanwhile, they are those of classes.

    Raises:
        UserError: no ranks are kept of the task and the map's encoder.
    """
    if not colouring.task:
        return class_colours(points)
    if colouring.task == VERDICTS:
        with workspace.store.reading() as connection:
            return verdict_colours(points, iterate_judged(connection))
    ontology = find_ontology(workspace, str(request.release_id))
    root = find_concept(workspace, ontology, request.root).id if request.root else None
    level = None if colouring.task == "synonyms" else colouring.level
    subject = ComparisonSubject(colouring.task, request.release_id, root, level)
    asked = RanksRequest(workspace.folder, subject, request.encoder_id)
    try:
        ranks = supervise(run_best_ranks, asked, control or JobControl(), lambda _message: None)
    except Cancelled:
        return class_colours(points)
    return rank_colours(name_ids, ranks, colouring.task)


def class_colours(points: MapPoints) -> MapColours:
    """The points by their classes, the largest of which have colours."""
    level = points.level
    legend = tr("Names") if level is None else tr("Classes on level {level}", level=level)
    return MapColours(legend, point_groups(points))


def rank_colours(name_ids: NDArray[np.int64], best_ranks: BestRanks, task: str) -> MapColours:
    """(n,) names of a map by the rank of the best right name."""
    ranks = np.full(len(name_ids), np.nan)
    is_ranked = np.isin(name_ids, best_ranks.name_ids)
    ranks[is_ranked] = best_ranks.ranks[np.searchsorted(best_ranks.name_ids, name_ids[is_ranked])]
    bins = np.where(np.isnan(ranks), -1, np.searchsorted(_BINS, ranks))
    labels = [
        tr("rank 1"),
        *(tr("rank {low:,} to {high:,}", low=low + 1, high=high) for low, high in pairwise(_BINS)),
        tr("beyond rank {rank:,}", rank=_BINS[-1]),
    ]
    groups = [
        PointGroup(label, colour, "", np.flatnonzero(bins == number))
        for number, (label, colour) in enumerate(zip(labels, _COLOURS, strict=True))
    ]
    groups.append(PointGroup(tr("no right answer"), NONE, "", np.flatnonzero(bins < 0)))
    shown = tuple(group for group in groups if len(group.points))
    return MapColours(rank_legend(task), shown, by_class=False)


def rank_legend(task: str) -> str:
    """What colours by ranks in a task stand for."""
    return tr("Best right rank, {task}", task=translated(TASK_WORDS[task]))


def verdict_colours(points: MapPoints, verdicts: Iterable[LoggedVerdict]) -> MapColours:
    """The points by the last verdict of any curator on a suggestion about the concept or name."""
    last: dict[tuple[str, str], str] = {}
    for verdict in verdicts:
        about = verdict.subject
        both = about.question in _BOTH_WAYS
        for curie in (about.subject, about.object) if both else (about.subject,):
            last[curie, about.term] = verdict.answer.answer
    answers = np.array(
        [
            last.get((curie, name), last.get((curie, ""), ""))
            for curie, name in zip(points.concepts, points.names, strict=True)
        ]
    )
    groups = [
        PointGroup(
            translated(ANSWER_WORDS[answer]),
            colour,
            "≠" if answer == CHANGED else answer[0].upper(),
            np.flatnonzero(answers == answer),
        )
        for answer, colour in _OF_ANSWERS.items()
    ]
    groups.append(
        PointGroup(tr("not judged"), NONE, "", np.flatnonzero(~np.isin(answers, ANSWERS)))
    )
    shown = tuple(group for group in groups if len(group.points))
    return MapColours(tr("Last verdict"), shown, by_class=False)
