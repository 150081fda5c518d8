"""What the figures on one set of data come to, as data: by each metric that counts for the task."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import isnan

from termexplorer.services.evaluate.evaluation import (
    Difference,
    Evaluated,
    FigureInfo,
    differences_from,
)
from termexplorer.services.figures.metric_kinds import (
    LEAST_COMPARED,
    LEAST_ITEMS,
    best_figures,
    concluding_metrics,
    find_chance,
    goodness,
    is_beyond_chance,
    is_shown_beyond_chance,
)
from termexplorer.store.encoders.infos import LEXICAL

Beneath = Mapping[int, int]
"""The encoder that lies beneath each encoder that was trained on one."""


class BesideChance(Enum):
    """How the figures of all encoders lie to what similarities that know nothing reach."""

    ABOVE = "above"
    NOT_SHOWN = "not_shown"  # the interval of the best one holds the chance level
    BELOW = "below"  # none is higher


class Contradiction(Enum):
    """Whether metrics name different encoders as the best."""

    NONE = "none"
    SEEN = "seen"  # by their values alone
    SHOWN = "shown"  # the best by one is worse by another, by more than chance


@dataclass(frozen=True, slots=True)
class MetricConclusion:
    """How encoders stand by one metric.

    Attributes:
        best_ids: encoders of the best value; several are equal.
        value: of these.
        n: items, the fewest of any encoder.
        worse_ids: those that are worse than the best by more than chance.
        level_ids: those that were compared with the best and are not shown to be worse.
        untested_ids: those that were not compared with it.
        nearest: to the next best of `level_ids`; where there is none, of `worse_ids`.
        chance: None where the metric has no chance level.
    """

    metric: str
    best_ids: tuple[int, ...]
    value: float
    n: int
    worse_ids: tuple[int, ...] = ()
    level_ids: tuple[int, ...] = ()
    untested_ids: tuple[int, ...] = ()
    nearest: Difference | None = None
    chance: BesideChance | None = None

    @property
    def best_id(self) -> int:
        """The best encoder, the first of those that are equal."""
        return self.best_ids[0]

    @property
    def shown(self) -> bool:
        """Whether one encoder is better than every other, by more than chance."""
        apart = self.level_ids or self.untested_ids
        return len(self.best_ids) == 1 and bool(self.worse_ids) and not apart

    @property
    def undecided(self) -> bool:
        """Whether so few items could show no difference to the next best, whatever it were."""
        return bool(self.level_ids) and self.nearest is not None and self.nearest.undecided

    @property
    def is_few(self) -> bool:
        """Whether there are too few items to name a best encoder."""
        return self.n < LEAST_ITEMS

    @property
    def is_alone(self) -> bool:
        """Whether a single encoder has a figure, so that there is no best one."""
        other_ids = (*self.worse_ids, *self.level_ids, *self.untested_ids)
        return len(self.best_ids) + len(other_ids) < LEAST_COMPARED


@dataclass(frozen=True, slots=True)
class Lead:
    """How far an encoder is ahead of another by a metric; behind if negative.

    Attributes:
        value: the difference of the figures, above 0 where the first is the better one.
        difference: None where the two were not compared by this metric.
    """

    metric: str
    value: float
    difference: Difference | None = None


@dataclass(frozen=True, slots=True)
class Against:
    """The best encoder against one that it has to beat, by each metric."""

    encoder_id: int
    leads: tuple[Lead, ...]


@dataclass(frozen=True, slots=True)
class Conclusion:
    """What the figures of all encoders on one set of data come to.

    Attributes:
        metrics: those that count for the task, the one that encoders are compared by first; none
            of them is there without a figure.
        encoder_ids: all that have a figure.
        lexical: the best by the first metric against TF-IDF; None if it is TF-IDF or that has none.
        beneath: the same against the vectors beneath, the first of them that have figures.
        items: how many the data have, whether they count or not; None where it is not known.
        compared: of the metrics, those by which encoders were tested against each other.
    """

    metrics: tuple[MetricConclusion, ...] = ()
    encoder_ids: tuple[int, ...] = ()
    lexical: Against | None = None
    beneath: Against | None = None
    seen: Mapping[int, float] = field(default_factory=dict)
    items: int | None = None
    compared: tuple[str, ...] = ()

    @property
    def uncompared(self) -> tuple[str, ...]:
        """The metrics that are shown without a test, where there are tests by others."""
        names = tuple(
            metric.metric for metric in self.metrics if metric.metric not in self.compared
        )
        return names if self.compared else ()

    @property
    def primary(self) -> MetricConclusion | None:
        """By the metric that encoders are compared by; None where no figure is defined."""
        return self.metrics[0] if self.metrics else None

    @property
    def best_id(self) -> int | None:
        """The best by it."""
        return self.primary.best_id if self.primary else None

    @property
    def headlined(self) -> tuple[MetricConclusion, ...]:
        """The metrics with enough items, by which several encoders have figures."""
        return tuple(metric for metric in self.metrics if not metric.is_few and not metric.is_alone)

    @property
    def has_lexical(self) -> bool:
        """Whether TF-IDF was measured."""
        return LEXICAL in self.encoder_ids

    @property
    def baselines(self) -> tuple[Against, ...]:
        """The best against what it has to beat: TF-IDF, and what lies beneath it."""
        return tuple(baseline for baseline in (self.lexical, self.beneath) if baseline is not None)

    @property
    def contradiction(self) -> Contradiction:
        """Whether the metrics with enough items name different encoders as the best."""
        headlines = self.headlined
        if not headlines or set.intersection(
            *(set(conclusion.best_ids) for conclusion in headlines)
        ):
            return Contradiction.NONE
        worse = {encoder_id for conclusion in headlines for encoder_id in conclusion.worse_ids}
        best = {encoder_id for conclusion in headlines for encoder_id in conclusion.best_ids}
        return Contradiction.SHOWN if best & worse else Contradiction.SEEN


def conclude(evaluated: Evaluated, beneath: Beneath | None = None) -> Conclusion:
    """Draw the conclusion from figures and differences.

    Args:
        evaluated: figures on one set of data.
        beneath: what lies beneath each encoder.
    """
    figures = tuple(figure for figure in evaluated.figures if not isnan(figure.value))
    names = concluding_metrics(figures, evaluated.metric)
    if evaluated.metric not in names:
        return Conclusion()
    metrics = tuple(_conclude_by(evaluated, figures, metric) for metric in names)
    best = metrics[0].best_id
    of_primary = [f.encoder_id for f in figures if f.metric == evaluated.metric]
    base = next(
        (input_id for input_id in _inputs_beneath(best, beneath or {}) if input_id in of_primary),
        None,
    )
    return Conclusion(
        metrics=metrics,
        encoder_ids=tuple(dict.fromkeys(of_primary)),
        lexical=_compare_with_best(evaluated, names, best, LEXICAL)
        if LEXICAL in of_primary
        else None,
        beneath=None if base is None else _compare_with_best(evaluated, names, best, base),
        seen=evaluated.seen,
        items=evaluated.items,
        compared=_tested_metrics(evaluated, names),
    )


def _tested_metrics(evaluated: Evaluated, metrics: Sequence[str]) -> tuple[str, ...]:
    tested = {difference.metric for difference in evaluated.differences}
    return tuple(metric for metric in metrics if metric in tested)


def _conclude_by(
    evaluated: Evaluated, figures: Sequence[FigureInfo], metric: str
) -> MetricConclusion:
    of_metric = [figure for figure in figures if figure.metric == metric]
    best = best_figures(of_metric, metric)
    best_ids = tuple(figure.encoder_id for figure in best)
    ahead = differences_from(evaluated, best_ids[0], metric)
    other_ids = [figure.encoder_id for figure in of_metric if figure.encoder_id not in best_ids]
    worse = [
        encoder_id
        for encoder_id in other_ids
        if encoder_id in ahead and _is_shown(metric, ahead[encoder_id])
    ]
    level = [
        encoder_id for encoder_id in other_ids if encoder_id in ahead and encoder_id not in worse
    ]
    nearest = min(
        (ahead[encoder_id] for encoder_id in level or worse),
        key=lambda difference: goodness(metric, difference.value),
        default=None,
    )
    return MetricConclusion(
        metric=metric,
        best_ids=best_ids,
        value=best[0].value,
        n=min(figure.n for figure in of_metric),
        worse_ids=tuple(worse),
        level_ids=tuple(level),
        untested_ids=tuple(
            _best_first(of_metric, metric, (o for o in other_ids if o not in ahead))
        ),
        nearest=nearest,
        chance=_beside_chance(metric, of_metric),
    )


def _best_first(
    figures: Sequence[FigureInfo], metric: str, encoder_ids: Iterable[int]
) -> list[int]:
    wanted = set(encoder_ids)
    ordered = sorted(figures, key=lambda figure: -goodness(metric, figure.value))
    return [figure.encoder_id for figure in ordered if figure.encoder_id in wanted]


def _is_shown(metric: str, difference: Difference) -> bool:
    return difference.significant and goodness(metric, difference.value) > 0


def _beside_chance(metric: str, figures: Sequence[FigureInfo]) -> BesideChance | None:
    if find_chance(metric) is None:
        return None
    if not is_beyond_chance(figures, metric):
        return BesideChance.BELOW
    is_above = is_shown_beyond_chance(figures, metric)
    return BesideChance.ABOVE if is_above else BesideChance.NOT_SHOWN


def _inputs_beneath(encoder_id: int, beneath: Beneath) -> list[int]:
    input_ids: list[int] = []
    below = beneath.get(encoder_id)
    while below is not None and below not in input_ids:
        input_ids.append(below)
        below = beneath.get(below)
    return input_ids


def _compare_with_best(
    evaluated: Evaluated, metrics: Sequence[str], best_id: int, other_id: int
) -> Against | None:
    """Return how the best stands to another; None if it is that one itself."""
    if best_id == other_id:
        return None
    values = {(f.encoder_id, f.metric): f.value for f in evaluated.figures}
    leads = []
    for metric in metrics:
        best_value, other_value = (
            values.get((encoder_id, metric)) for encoder_id in (best_id, other_id)
        )
        if (
            best_value is not None
            and other_value is not None
            and not isnan(best_value - other_value)
        ):
            tested = differences_from(evaluated, best_id, metric).get(other_id)
            leads.append(Lead(metric, goodness(metric, best_value - other_value), tested))
    return Against(other_id, tuple(leads))
