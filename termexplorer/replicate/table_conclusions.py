"""What a table of a report comes to, concluded from the rows and columns that it shows."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from math import isnan

from termexplorer.exporters.documents.blocks import Blocks
from termexplorer.replicate.report import Value, make_bullets
from termexplorer.services.evaluate.conclusion_words import (
    details_text,
    headline_text,
    listed,
    without_lexical_text,
)
from termexplorer.services.evaluate.conclusions import BesideChance, Conclusion, conclude
from termexplorer.services.figures.corrections import correct_together
from termexplorer.services.figures.metric_kinds import LEAST_COMPARED
from termexplorer.store.encoders.evaluations import Difference, Evaluated
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.store.encoders.runs import FigureInfo
from termexplorer.store.kept_messages import plain_message

TF_IDF = "TF-IDF"


@dataclass(frozen=True, slots=True)
class RawDifference:
    """How far an encoder is ahead of another, before any correction; behind if negative.

    Attributes:
        low: lower end of its 95 % interval.
        high: upper end.
        p: two-sided, that there is no difference.
        n: items that count for both.
        least_p: the least that so many items can show.
    """

    value: float
    low: float
    high: float
    p: float
    n: int
    least_p: float


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """A column of a table.

    Attributes:
        title: over it.
        values: of its encoders by metric, the metric that tells the best one first.
        differences: by metric and the two encoders, the first less the second.
    """

    title: str
    values: Mapping[str, Mapping[str, Value]]
    differences: Mapping[tuple[str, str, str], RawDifference]

    @property
    def counts(self) -> tuple[int, ...]:
        """Of how many items the figures are that tell the best one: several where they differ."""
        return tuple(sorted({value.count for value in self._primary_values()}))

    @property
    def items(self) -> int | None:
        """How many there are in all, known or not; None where that is not told."""
        return max((value.of for value in self._primary_values()), default=0) or None

    def _primary_values(self) -> list[Value]:
        first_values = next(iter(self.values.values()), {})
        return [value for value in first_values.values() if not isnan(value.value)]


@dataclass(frozen=True, slots=True)
class TableConclusion:
    """What a table comes to.

    Attributes:
        columns: the conclusion of each column, by its title, in their order.
        differences: as they are shown, p corrected over all of the table, by the column's title,
            the metric and the two encoders.
        best: the encoders that lead in every column that names a leader; several are equal.
        labels: of the encoders, by the ids that conclusions have.
        counts: of how many items the figures of a column are; several where they are of different
            ones, and no conclusion is drawn from these.
    """

    columns: Mapping[str, Conclusion]
    differences: Mapping[tuple[str, str, str, str], Difference]
    best: tuple[str, ...]
    labels: Mapping[int, str]
    counts: Mapping[str, tuple[int, ...]]

    @property
    def family(self) -> int:
        """How many tests p was corrected for."""
        return len(self.differences)

    @property
    def headlined(self) -> list[Conclusion]:
        """The conclusions of columns that name a leading encoder."""
        return [column for column in self.columns.values() if _names_leader(column)]


def conclude_table(columns: Sequence[ShownColumn], baseline: str = "") -> TableConclusion:
    """Draw the conclusion of a table from its figures and differences.

    Args:
        columns: all that are shown.
        baseline: the encoder that others have to beat besides TF-IDF; "" for none.
    """
    encoders = dict.fromkeys(
        chain.from_iterable(
            metric_values for column in columns for metric_values in column.values.values()
        )
    )
    ids = {
        title: LEXICAL if title == TF_IDF else LEXICAL + at for at, title in enumerate(encoders, 1)
    }
    labels = {encoder_id: title for title, encoder_id in ids.items()}
    corrected = correct_together([_evaluate_column(column, ids) for column in columns])
    under = {label: ids[baseline] for label in labels if baseline in ids and label != ids[baseline]}
    counts = {column.title: column.counts for column in columns}
    concluded = {
        str(evaluated.title): conclude(evaluated, under)
        if len(counts[evaluated.title]) == 1
        else Conclusion()
        for evaluated in corrected
    }
    leading = [conclusion for conclusion in concluded.values() if _names_leader(conclusion)]
    best = (
        set.intersection(*(set(conclusion.metrics[0].best_ids) for conclusion in leading))
        if leading
        else set()
    )
    return TableConclusion(
        columns=concluded,
        differences={
            (str(evaluated.title), d.metric, labels[d.first_id], labels[d.second_id]): d
            for evaluated in corrected
            for d in evaluated.differences
        },
        best=tuple(labels[label] for label in labels if label in best),
        labels=labels,
        counts=counts,
    )


def _names_leader(concluded: Conclusion) -> bool:
    """Whether there are several encoders, enough items, and one is better than chance."""
    primary = concluded.primary
    if len(concluded.encoder_ids) < LEAST_COMPARED:
        return False
    return bool(primary and not primary.is_few and primary.chance is not BesideChance.BELOW)


def make_conclusion(concluded: TableConclusion) -> Blocks:
    """Return the conclusion in words: of all columns, then of each."""
    lines = [f"{title}: {_column_text(concluded, title)}" for title in concluded.columns]
    return make_bullets([*_whole_lines(concluded), *lines])


def _whole_lines(concluded: TableConclusion) -> list[str]:
    """Say what is of all columns together."""
    lines = []
    if len(concluded.headlined) > 1:
        if concluded.best:
            lines.append(f"Leading in every column: {listed(concluded.best)}.")
        else:
            lines.append("The columns favour different encoders.")
    if concluded.columns and not any(column.has_lexical for column in concluded.columns.values()):
        lines.append(without_lexical_text())
    return lines


def _column_text(concluded: TableConclusion, title: str) -> str:
    counts, column = concluded.counts[title], concluded.columns[title]
    if len(counts) > 1:
        return (
            f"The figures are of different items, n = {counts[0]:,} to {counts[-1]:,}, so that "
            "none is the best."
        )
    labels = concluded.labels
    sentences = headline_text(column, labels), details_text(column, labels, short=True)
    return " ".join(filter(None, sentences))


def _evaluate_column(column: ShownColumn, ids: Mapping[str, int]) -> Evaluated:
    """Return a column as one evaluation."""
    figures = tuple(
        FigureInfo(ids[encoder], "", column.title, metric, value.value, value.low, value.high,
                   value.count)
        for metric, encoder_values in column.values.items()
        for encoder, value in encoder_values.items()
        if not isnan(value.value)
    )  # fmt: skip
    differences = tuple(
        Difference(ids[first], ids[second], metric, difference.value,
                   difference.low, difference.high, p=difference.p, significant=False,
                   n=difference.n, raw_p=difference.p, least_p=difference.least_p)
        for (metric, first, second), difference in column.differences.items()
        if not isnan(difference.p)
    )  # fmt: skip
    metric = next(iter(column.values), "")
    return replace(
        Evaluated("", plain_message(column.title), column.title, metric, figures, differences),
        items=column.items,
    )
