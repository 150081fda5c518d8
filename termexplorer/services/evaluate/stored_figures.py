"""The figures that are kept of encoders on what is compared: nothing is measured twice."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from termexplorer.services.evaluate.curves import Curves, over_levels
from termexplorer.services.evaluate.evaluation import Evaluated, FigureInfo, list_evaluations
from termexplorer.services.figures.corrections import restrict_to
from termexplorer.store.encoders.runs import find_split
from termexplorer.workspace import Workspace

EVALUATED = {"neighbours": "ranking", "hypernyms": "hypernyms", "synonyms": "synonyms"}


@dataclass(frozen=True, slots=True)
class StoredFigures:
    """What was measured before.

    Attributes:
        evaluated: the evaluation that fits best; None if there is none.
        figures: the metric of each encoder that was measured in it, in the order asked for.
        curves: the metric over the levels; None where fewer than two were measured.
    """

    evaluated: Evaluated | None = None
    figures: tuple[FigureInfo, ...] = ()
    curves: Curves | None = None


def stored_figures(
    workspace: Workspace,
    task: str,
    ontology_id: int,
    level: int | None,
    encoder_ids: Sequence[int],
    labels: Mapping[int, str],
) -> StoredFigures:
    """Looks for figures of encoders on the held-out names of an ontology.

    Args:
        workspace: where they are kept.
        task: of a comparison, one of `EVALUATED`.
        ontology_id: the release.
        level: evaluations on this level come first, the newest of them.
        encoder_ids: those with more of these encoders come before.
        labels: of encoders, by their ids.
    """
    evaluations = [
        replace(restrict_to(evaluation, encoder_ids), figures=_figures_of(evaluation, encoder_ids))
        for evaluation in list_evaluations(workspace)
        if evaluation.task == EVALUATED[task]
    ]
    with workspace.store.reading() as connection:
        splits = {
            evaluation.split_id: find_split(connection, evaluation.split_id or 0)
            for evaluation in evaluations
        }
    here = {number for number, split in splits.items() if split and split.release_id == ontology_id}
    with_figures = [
        evaluation
        for evaluation in evaluations
        if evaluation.split_id in here and evaluation.figures
    ]
    if not with_figures:
        return StoredFigures()
    best = max(
        with_figures,
        key=lambda evaluation: (len(_primary_figures(evaluation)), evaluation.level == level),
    )
    return StoredFigures(best, _primary_figures(best), over_levels(best, with_figures, labels))


def _figures_of(evaluated: Evaluated, encoder_ids: Sequence[int]) -> tuple[FigureInfo, ...]:
    wanted = [figure for figure in evaluated.figures if figure.encoder_id in encoder_ids]
    return tuple(sorted(wanted, key=lambda figure: encoder_ids.index(figure.encoder_id)))


def _primary_figures(evaluated: Evaluated) -> tuple[FigureInfo, ...]:
    return tuple(figure for figure in evaluated.figures if figure.metric == evaluated.metric)
