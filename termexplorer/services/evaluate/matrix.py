"""All stored evaluations at one sight: a row an encoder, a column a set or task."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from math import isnan
from statistics import fmean

from termexplorer.services.evaluate.evaluation import (
    ON_PAIRS,
    TASKS,
    Difference,
    Evaluated,
    FigureInfo,
    differences_from,
    list_evaluations,
)
from termexplorer.services.evaluate.matrix_sets import keep_once
from termexplorer.services.explore.ontologies import Ontology, list_ontologies
from termexplorer.services.figures.corrections import correct_together
from termexplorer.services.figures.metric_kinds import (
    LEAST_COMPARED,
    LEAST_ITEMS,
    best_figures,
    goodness,
    is_shown_beyond_chance,
)
from termexplorer.store.encoders.runs import find_split
from termexplorer.trainer.errors import Message
from termexplorer.trainer.search.ties import expected_rank_among
from termexplorer.workspace import Workspace

_SAME = 1e-12  # what rounding leaves of equal figures


class CellStanding(Enum):
    """How an encoder stands in its column."""

    BEST = "best"
    LEVEL = "not_shown_worse"
    WORSE = "worse"
    UNTESTED = "not_tested"
    UNDECIDED = "cannot_be_decided"  # by so few items among so many tests
    CHANCE = "not_above_chance"  # the best of a column in which none is shown to be above chance
    FEW = "too_few"  # items to say anything; no encoder is the best there
    ALONE = "not_compared"  # with any other encoder: none has a figure there


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A figure in the matrix.

    Attributes:
        behind: how far it is behind the best of its column; None where they were not compared.
        known: items that the encoder knows, and all items; None where that is not kept.
    """

    figure: FigureInfo
    standing: CellStanding
    behind: Difference | None = None
    known: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class MatrixColumn:
    """One task on one set of data, by the metric that encoders are compared by."""

    task: str
    title: Message
    level: int | None
    metric: str
    data_hash: str
    n: int
    encoders: int
    name: str = ""

    @property
    def data(self) -> str:
        """What it is of, in English, as commands and exports have it; the user's name if any."""
        if self.name:
            return self.name
        return self.title if self.level is None else f"level {self.level}: {self.title}"

    @property
    def is_few(self) -> bool:
        """Whether it has too few items for a best encoder, and counts in no mean."""
        return self.n < LEAST_ITEMS

    @property
    def is_alone(self) -> bool:
        """Whether a single encoder has a figure, so that none is the best."""
        return self.encoders < LEAST_COMPARED


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """One encoder.

    Attributes:
        cells: one for each column; None where it was not evaluated.
        mean: over all columns with enough items; None where any is missing, or they have several
            metrics.
        mean_rank: over the same columns, among the encoders that are in all of them; None where
            there are fewer than two.
    """

    encoder_id: int
    cells: tuple[MatrixCell | None, ...]
    mean: float | None = None
    mean_rank: float | None = None


@dataclass(frozen=True, slots=True)
class EvaluationMatrix:
    """Encoders by sets.

    Attributes:
        rows: the lowest mean rank first, those without one last.
        correction: how p was corrected, for people; empty where nothing was tested.
        family: how many tests p was corrected for: all between encoders of the matrix.
        left_out: how many evaluations are of sets that stand there by another one.
    """

    columns: tuple[MatrixColumn, ...] = ()
    rows: tuple[MatrixRow, ...] = ()
    correction: str = ""
    family: int = 0
    left_out: int = 0

    @property
    def missing(self) -> int:
        """How many cells were not evaluated."""
        return sum(cell is None for row in self.rows for cell in row.cells)

    @property
    def has_one_metric(self) -> bool:
        """Whether a mean over the columns means anything."""
        return len({self.columns[at].metric for at in self.counted_places}) == 1

    @property
    def counted_places(self) -> list[int]:
        """Which columns means are over; none of one encoder, unless there is no other encoder."""
        return _counted_places(self.columns, len(self.rows))

    @property
    def counted(self) -> int:
        """How many columns means and mean ranks are over."""
        return len(self.counted_places)

    @property
    def ranked(self) -> int:
        """How many encoders have a mean rank."""
        return sum(row.mean_rank is not None for row in self.rows)

    @property
    def alone(self) -> int:
        """How many columns with enough items have figures of a single encoder."""
        return sum(column.is_alone and not column.is_few for column in self.columns)

    @property
    def few(self) -> int:
        """How many columns have too few items."""
        return sum(column.is_few for column in self.columns)


def gather_matrix(
    workspace: Workspace,
    ontology: Ontology | None = None,
    *,
    task: str = "",
    encoder_ids: Collection[int] = (),
) -> EvaluationMatrix:
    """Gather what is stored for an ontology, and for pair sets, which belong to none.

    Args:
        workspace: where it is stored.
        ontology: None for all of them.
        task: one of `TASKS`; empty for all.
        encoder_ids: the rows; empty for all encoders with a figure.
    """
    evaluations = list_evaluations(workspace)
    if ontology is not None:
        of_ontology = _of_ontology(workspace, evaluations, ontology)
        evaluations = [
            evaluation
            for evaluation in evaluations
            if evaluation.task.partition(",")[0] in ON_PAIRS or evaluation in of_ontology
        ]
    return make_matrix(evaluations, task=task, encoder_ids=encoder_ids)


def make_matrix(
    evaluations: Iterable[Evaluated], *, task: str = "", encoder_ids: Collection[int] = ()
) -> EvaluationMatrix:
    """Make the matrix of evaluations; see `gather_matrix`."""
    shown = [
        _primary_of(evaluation, encoder_ids)
        for evaluation in evaluations
        if not task or evaluation.task.partition(",")[0] == task
    ]
    with_figures = [evaluation for evaluation in shown if evaluation.figures]
    once = keep_once(with_figures)
    corrected = correct_together(sorted(once, key=_sort_position))
    tested = [difference for evaluation in corrected for difference in evaluation.differences]
    columns = tuple(_make_column(evaluation) for evaluation in corrected)
    cells = [_make_cells(evaluation) for evaluation in corrected]
    ids = sorted(
        {figure.encoder_id for evaluation in with_figures for figure in evaluation.figures}
    )
    rows = [MatrixRow(id_, tuple(column.get(id_) for column in cells)) for id_ in ids]
    return EvaluationMatrix(
        columns=columns,
        rows=_with_means(rows, columns),
        correction=tested[0].after if tested else "",
        family=len(tested),
        left_out=len(with_figures) - len(once),
    )


def _of_ontology(
    workspace: Workspace, evaluations: Sequence[Evaluated], ontology: Ontology
) -> list[Evaluated]:
    """Return those whose split is of an ontology, or whose title tells it."""
    with workspace.store.reading() as connection:
        split_ids = {
            evaluation.split_id for evaluation in evaluations if evaluation.split_id is not None
        }
        splits = {split_id: find_split(connection, split_id) for split_id in split_ids}
    other_labels = [
        candidate.label for candidate in list_ontologies(workspace) if candidate.id != ontology.id
    ]

    def belongs(evaluation: Evaluated) -> bool:
        split = splits.get(evaluation.split_id) if evaluation.split_id is not None else None
        if split is not None:
            return split.release_id == ontology.id
        named = ontology.label in evaluation.title
        longer = any(
            ontology.label in other and other in evaluation.title for other in other_labels
        )
        return named and not longer

    return [evaluation for evaluation in evaluations if belongs(evaluation)]


def _primary_of(evaluated: Evaluated, encoder_ids: Collection[int]) -> Evaluated:
    """Return an evaluation with the figures and differences alone that the matrix shows."""
    figures = tuple(
        figure
        for figure in evaluated.figures
        if figure.metric == evaluated.metric
        and not isnan(figure.value)
        and (not encoder_ids or figure.encoder_id in encoder_ids)
    )
    measured_ids = {figure.encoder_id for figure in figures}
    differences = tuple(
        difference
        for difference in evaluated.differences
        if difference.metric == evaluated.metric
        and {difference.first_id, difference.second_id} <= measured_ids
    )
    return replace(evaluated, figures=figures, differences=differences)


def _sort_position(evaluated: Evaluated) -> tuple[int, str, int, str]:
    name = evaluated.task.partition(",")[0]
    at = TASKS.index(name) if name in TASKS else len(TASKS)
    return at, evaluated.task, evaluated.level or 0, evaluated.title


def _make_column(evaluated: Evaluated) -> MatrixColumn:
    return MatrixColumn(
        task=evaluated.task,
        title=evaluated.title,
        level=evaluated.level,
        metric=evaluated.metric,
        data_hash=evaluated.data_hash,
        n=evaluated.n,
        encoders=len(evaluated.figures),
        name=evaluated.name,
    )


def _make_cells(evaluated: Evaluated) -> dict[int, MatrixCell]:
    metric = evaluated.metric
    best_ids = [figure.encoder_id for figure in best_figures(evaluated.figures, metric)]
    ahead = differences_from(evaluated, best_ids[0], metric)
    total, column = evaluated.items, _make_column(evaluated)
    is_above = is_shown_beyond_chance(evaluated.figures, metric)

    def standing(encoder_id: int) -> CellStanding:
        if column.is_few:
            return CellStanding.FEW
        if column.is_alone:
            return CellStanding.ALONE
        if encoder_id in best_ids:
            return CellStanding.BEST if is_above else CellStanding.CHANCE
        difference = ahead.get(encoder_id)
        if difference is None:
            return CellStanding.UNTESTED
        if difference.undecided:
            return CellStanding.UNDECIDED
        is_worse = difference.significant and goodness(metric, difference.value) > 0
        return CellStanding.WORSE if is_worse else CellStanding.LEVEL

    return {
        figure.encoder_id: MatrixCell(
            figure,
            standing(figure.encoder_id),
            None if figure.encoder_id in best_ids else ahead.get(figure.encoder_id),
            None if total is None else (figure.n, total),
        )
        for figure in evaluated.figures
    }


def _with_means(
    rows: Sequence[MatrixRow], columns: Sequence[MatrixColumn]
) -> tuple[MatrixRow, ...]:
    """Return rows with their means, in order."""
    counted = _counted_places(columns, len(rows))
    values: dict[int, list[float]] = {}
    for row in rows:
        figures = [cell.figure for at in counted if (cell := row.cells[at])]
        if counted and len(figures) == len(counted):
            values[row.encoder_id] = [goodness(f.metric, f.value) for f in figures]
    has_one_metric = len({columns[at].metric for at in counted}) == 1
    done = []
    for row in rows:
        encoder_values = values.get(row.encoder_id)
        if encoder_values is None:
            done.append(row)
            continue
        ranks = [
            expected_rank_among(value, [other[at] for other in values.values()], _SAME)
            for at, value in enumerate(encoder_values)
        ]
        mean = None
        if has_one_metric:
            mean = goodness(columns[counted[0]].metric, fmean(encoder_values))
        rank = fmean(ranks) if len(values) >= LEAST_COMPARED else None
        done.append(replace(row, mean=mean, mean_rank=rank))
    return tuple(sorted(done, key=_row_place))


def _counted_places(columns: Sequence[MatrixColumn], encoders: int) -> list[int]:
    """Return which columns means are over; those of one encoder alone say nothing of others."""
    return [
        at
        for at, column in enumerate(columns)
        if not column.is_few and (encoders < LEAST_COMPARED or not column.is_alone)
    ]


def _row_place(row: MatrixRow) -> tuple[bool, float, int]:
    return row.mean_rank is None, row.mean_rank or 0.0, row.encoder_id
