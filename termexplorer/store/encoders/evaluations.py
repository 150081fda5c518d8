"""Queries and operations on evaluations: figures, with the data they were measured on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, select, update
from sqlalchemy.dialects.sqlite import insert as upsert

from termexplorer.store.encoders.pair_details import PairDetails, put_pair_details
from termexplorer.store.encoders.runs import FigureInfo, figures, put_figures
from termexplorer.store.kept_messages import translate_message
from termexplorer.store.tables.runs import EvaluationRow
from termexplorer.texts import tr, translated, trn
from termexplorer.trainer.errors import Message

ALPHA = 0.05  # of a difference that is shown

_KEPT = (  # of a difference; all else is of what it is shown with
    "first_id", "second_id", "metric", "value", "low", "high", "n", "test", "raw_p", "least_p"
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Difference:
    """The first encoder's value less the second's, on the same items.

    What is kept is the p of each comparison alone; it is corrected for those that it is shown with
    when it is shown, by `services.corrections`.

    Attributes:
        p: two-sided, corrected; before that as `raw_p`.
        significant: at .05 after the correction.
        n: items that count for both.
        test: which p comes of, where there are several.
        raw_p: of this comparison alone.
        least_p: the least that the test can show of so many items.
        family: how many comparisons p is corrected for; 0 before that.
    """

    first_id: int
    second_id: int
    metric: str
    value: float
    low: float
    high: float
    p: float
    significant: bool
    n: int
    test: str = ""
    raw_p: float = 1.0
    least_p: float = 0.0
    family: int = 0

    @property
    def undecided(self) -> bool:
        """Whether so few items could show no difference at all, among so many comparisons."""
        return not self.significant and self.least_p * max(self.family, 1) >= ALPHA

    @property
    def by(self) -> str:
        """What p comes of, for people."""
        if not self.test:
            return self.after
        return tr("by {test}, {after}", test=translated(self.test), after=self.after)

    @property
    def after(self) -> str:
        """How p was corrected, for people."""
        if not self.family:
            return tr("uncorrected")
        return trn("after Holm over {n} test", "after Holm over {n} tests", self.family)


@dataclass(frozen=True, slots=True)
class Evaluated:
    """One task on one set of data.

    Attributes:
        task: as figures are stored under it.
        title: what the data are, for people; `data` says the level as well.
        data_hash: SHA-256 of all that the figures depend on besides the encoder.
        metric: which tells the best encoder.
        figures: of all encoders.
        differences: of each two encoders that were evaluated together, by one metric or several.
        seen: the share of the mentions that an encoder was trained on, by its id, if any.
        notes: what is to be known about the data, a line each.
        level: of the classes, 1 the highest; None where the task knows no levels.
        split_id: which names were held out; None where the task has no split.
        items: how many pairs or mentions the data have, whether they count or not; None where an
            earlier version has not kept it.
        name: what the user calls it; empty where the data tell it.
        set_hash: SHA-256 of a set of pairs, whichever of them count; empty of other data, and where
            an earlier version has not kept it.
        details: what stands behind figures on pairs; only of what was measured just now.
    """

    task: str
    title: Message
    data_hash: str
    metric: str
    figures: tuple[FigureInfo, ...]
    differences: tuple[Difference, ...] = ()
    seen: Mapping[int, float] = field(default_factory=dict)
    notes: tuple[Message, ...] = ()
    level: int | None = None
    split_id: int | None = None
    items: int | None = None
    name: str = ""
    set_hash: str = ""
    details: tuple[PairDetails, ...] = field(default=(), compare=False)

    @property
    def n(self) -> int:
        """How many items count by the metric that tells the best; the fewest of any encoder."""
        return min((f.n for f in self.figures if f.metric == self.metric), default=0)

    @property
    def data(self) -> str:
        """What the data are, with the level; in English, as commands and exports have it."""
        return self.title if self.level is None else f"level {self.level}: {self.title}"

    @property
    def shown_data(self) -> str:
        """What the data are, with the level, in the language in use."""
        return describe_data(self.title, self.level)


def describe_data(title: Message, level: int | None) -> str:
    """Return what was evaluated on, in the language in use."""
    shown = translate_message(title)
    return shown if level is None else tr("level {level}: {title}", level=level, title=shown)


def put_evaluations(connection: Connection, evaluations: Iterable[Evaluated]) -> None:
    """Keeps evaluations; figures and differences measured before on the same data are replaced.

    Those of other encoders on the same data stay.
    """
    # one for all, by which they are in order; two calls may end within a second
    at = datetime.now(UTC).isoformat(timespec="microseconds")
    for evaluated in evaluations:
        put_figures(connection, evaluated.figures)
        put_pair_details(connection, evaluated.details)
        before = evaluation(connection, evaluated.task, evaluated.data_hash)
        row = _evaluation_values(evaluated, before, at)
        query = upsert(EvaluationRow).values(**row)
        keys = ("task", "data_hash")
        connection.execute(query.on_conflict_do_update(index_elements=keys, set_=row))


def _evaluation_values(evaluated: Evaluated, before: Evaluated | None, at: str) -> dict[str, Any]:
    known = (*(before.differences if before else ()), *evaluated.differences)
    differences = {(d.metric, d.first_id, d.second_id): d for d in known}
    seen = {**(before.seen if before else {}), **evaluated.seen}
    return {
        "task": evaluated.task,
        "data_hash": evaluated.data_hash,
        "title": before.title if before else evaluated.title,  # a copy of its file renames nothing
        "metric": evaluated.metric,
        "differences": [difference_row(difference) for difference in differences.values()],
        "seen": {str(encoder_id): share for encoder_id, share in seen.items()},
        "notes": list(evaluated.notes),
        "level": evaluated.level,
        "split_id": evaluated.split_id,
        "items": evaluated.items,
        "set_hash": evaluated.set_hash,
        "evaluated_at": at,
    }


def evaluation(connection: Connection, task: str, data_hash: str) -> Evaluated | None:
    """One evaluation with all figures on its data, or None."""
    query = select(*_COLUMNS).where(
        EvaluationRow.task == task, EvaluationRow.data_hash == data_hash
    )
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else _read_evaluation(connection, row)


def name_evaluation(connection: Connection, task: str, data_hash: str, name: str) -> None:
    """Keep what the user calls an evaluation."""
    query = update(EvaluationRow).filter_by(task=task, data_hash=data_hash)
    connection.execute(query.values(name=name))


def evaluations(connection: Connection) -> list[Evaluated]:
    """All evaluations, the newest first, and the highest level before those below."""
    rows = connection.execute(select(*_COLUMNS, EvaluationRow.evaluated_at)).mappings().all()
    below = sorted(rows, key=lambda row: (row["level"] or 0, row["title"]))
    newest = sorted(below, key=lambda row: str(row["evaluated_at"]), reverse=True)
    return [_read_evaluation(connection, row) for row in newest]


_COLUMNS = [
    getattr(EvaluationRow, name)
    for name in (
        "task", "title", "data_hash", "metric", "differences", "seen", "notes", "level",
        "split_id", "items", "name", "set_hash",
    )
]  # fmt: skip


def _read_evaluation(connection: Connection, row: RowMapping) -> Evaluated:
    known_figures: Sequence[FigureInfo] = figures(connection, row["data_hash"])
    return Evaluated(
        task=row["task"],
        title=row["title"],
        data_hash=row["data_hash"],
        metric=row["metric"],
        figures=tuple(figure for figure in known_figures if figure.task == row["task"]),
        differences=read_differences(row["differences"]),
        seen={int(encoder_id): share for encoder_id, share in row["seen"].items()},
        notes=tuple(row["notes"]),
        level=row["level"],
        split_id=row["split_id"],
        items=row["items"],
        name=row["name"],
        set_hash=row["set_hash"],
    )


def difference_row(difference: Difference) -> dict[str, Any]:
    """Return what is kept of a difference: all but what depends on what it is shown with."""
    return {name: getattr(difference, name) for name in _KEPT}


def read_differences(rows: Iterable[Mapping[str, Any]]) -> tuple[Difference, ...]:
    """Return differences as they were kept, uncorrected.

    Those of earlier versions are left out, whose p was corrected for others than those on show.
    """
    return tuple(
        Difference(**{name: row[name] for name in _KEPT}, p=row["raw_p"], significant=False)
        for row in rows
        if row.get("raw_p") is not None
    )
