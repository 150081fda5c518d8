"""Whether a run was worth it: its encoder beside the built-in one, TF-IDF and what lies beneath."""

from collections.abc import Mapping
from dataclasses import dataclass
from math import isnan

from termexplorer.services.encoders.vector_spread import warn_of_spread
from termexplorer.services.evaluate.conclusion_words import listed
from termexplorer.services.figures.metric_kinds import LEAST_ITEMS
from termexplorer.services.train.runs import RunDetails
from termexplorer.store.encoders.evaluations import Difference, Evaluated
from termexplorer.store.encoders.infos import LEXICAL
from termexplorer.taxonomy.default_level import LARGEST_SHARE
from termexplorer.texts import interval_text, mark, number, share_text, tr, translated, trn

BETTER, NOT_SHOWN, WORSE = (
    mark("better than {others}"),
    mark("not shown to be better than {others}"),
    mark("worse than {others}"),
)
_TASKS = {
    mark("ranking", sense="task"),
    mark("hypernyms", sense="task"),
    mark("ranking, lists", sense="task"),
    mark("synonyms, test", sense="task"),
    mark("synonyms, zero-shot", sense="task"),
}
_FEW_NAMES = 100  # held out: intervals are wide
_FEW_PAIRS = 500  # of synonyms: a network learns little of them
_LITTLE_TEXT = 1_000_000  # tokens that word vectors were made of
_NEARLY_ALL = 0.9  # of a figure, which leaves little to gain


@dataclass(frozen=True, slots=True)
class Gain:
    """What an encoder has more than a baseline, by the metric of a task, on the same names.

    Attributes:
        baseline_id: the encoder that it is held against.
        value: the trained encoder's figure less the baseline's; with `low` and `high`.
    """

    baseline_id: int
    value: float
    low: float
    high: float

    @property
    def outcome(self) -> str:
        """One of `BETTER`, `NOT_SHOWN` and `WORSE`."""
        if self.low > 0:
            return BETTER
        return WORSE if self.high < 0 else NOT_SHOWN


def list_gains(details: RunDetails, evaluated: Evaluated) -> list[Gain]:
    """Return how a run's encoder differs from each other by the metric of a task.

    What lies beneath comes first, and TF-IDF last.
    """
    run = details.run
    gains = [
        _turn_to(difference, run.encoder_id or 0)
        for difference in evaluated.differences
        if difference.metric == evaluated.metric
        and run.encoder_id in (difference.first_id, difference.second_id)
    ]
    rank = {run.input_id: -1, LEXICAL: 1}
    return sorted(gains, key=lambda gain: (rank.get(gain.baseline_id, 0), gain.baseline_id))


def gain_texts(details: RunDetails, labels: Mapping[int, str]) -> list[str]:
    """Return for each task of a run whether it is better than the others, and by how much.

    Args:
        details: of the run.
        labels: of encoders, by their ids.
    """
    return [gain_text(details, evaluated, labels) for evaluated in details.evaluations]


def gain_text(details: RunDetails, evaluated: Evaluated, labels: Mapping[int, str]) -> str:
    """Return the same of one task, with what may be the reason where there is no gain."""
    task, metric = evaluated.task, translated(evaluated.metric)
    task = translated(task, sense="task") if task in _TASKS else task
    trained = [
        figure
        for figure in evaluated.figures
        if (figure.encoder_id, figure.metric) == (details.run.encoder_id, evaluated.metric)
    ]
    if not trained or isnan(trained[0].value) or trained[0].n < LEAST_ITEMS:
        n = trained[0].n if trained else 0
        return trn(
            "{task}: too few names are held out to tell, {n:,}",
            "{task}: too few names are held out to tell, {n:,}",
            n,
            task=task,
        )
    gains = list_gains(details, evaluated)
    outcomes = [
        translated(outcome, others=listed(_against_text(gain, labels) for gain in alike))
        for outcome in (WORSE, NOT_SHOWN, BETTER)
        if (alike := [gain for gain in gains if gain.outcome == outcome])
    ]
    values = {"task": task, "metric": metric, "value": number(trained[0].value, ".3f")}
    text = tr("{task}, {metric} {value}", **values)
    if outcomes:
        text = tr("{figure}: {outcomes}", figure=text, outcomes="; ".join(outcomes))
    reasons = [] if _has_gained(gains) else find_reasons(details, evaluated)
    if not reasons:
        return text
    return tr("{text}. It may be because {reasons}", text=text, reasons=listed(reasons))


def is_worse(details: RunDetails, evaluated: Evaluated) -> bool:
    """Whether a run's encoder is shown to be worse than any other on a task."""
    return any(gain.outcome == WORSE for gain in list_gains(details, evaluated))


def find_reasons(details: RunDetails, evaluated: Evaluated) -> list[str]:
    """Return why a run may have gained nothing, the likeliest first; empty where none is seen."""
    reasons = (
        _reason_in_input(details),
        _reason_in_text(details),
        _reason_in_synonyms(details),
        _reason_in_classes(details),
        _reason_in_height(details, evaluated),
        _reason_in_count(evaluated),
    )
    return [reason for reason in reasons if reason]


def _turn_to(difference: Difference, encoder_id: int) -> Gain:
    """Return a difference as one of an encoder less the other."""
    if difference.first_id == encoder_id:
        return Gain(difference.second_id, difference.value, difference.low, difference.high)
    return Gain(difference.first_id, -difference.value, -difference.high, -difference.low)


def _against_text(gain: Gain, labels: Mapping[int, str]) -> str:
    span = interval_text(gain.value, gain.low, gain.high, "+.3f")
    return f"{labels.get(gain.baseline_id, f'#{gain.baseline_id}')} ({span})"


def _has_gained(gains: list[Gain]) -> bool:
    return all(gain.outcome == BETTER for gain in gains)


def _reason_in_input(details: RunDetails) -> str:
    if not warn_of_spread(details.run.card.get("collapsed", {})):
        return ""
    return tr("its base vectors hardly tell names apart")


def _reason_in_text(details: RunDetails) -> str:
    tokens = details.input_facts.get("tokens")
    if not isinstance(tokens, int) or tokens >= _LITTLE_TEXT:
        return ""
    return trn(
        "its base vectors were made of little text ({n:,} word)",
        "its base vectors were made of little text ({n:,} words)",
        tokens,
    )


def _reason_in_synonyms(details: RunDetails) -> str:
    pairs = details.run.card.get("synonym_sets", {}).get("train synonym pairs")
    if not isinstance(pairs, int) or pairs >= _FEW_PAIRS:
        return ""
    return trn(
        "there is only {n:,} pair of synonyms to learn from",
        "there are only {n:,} pairs of synonyms to learn from",
        pairs,
    )


def _reason_in_classes(details: RunDetails) -> str:
    if not details.run.request.get("choice"):
        return ""
    sizes = list(details.run.card.get("classes", {}).values())
    if not all(isinstance(size, int) for size in sizes) or not sum(sizes):
        return ""
    share = max(sizes) / sum(sizes)
    if share <= LARGEST_SHARE:
        return ""
    return tr(
        "its level is one-sided: {share} of the names are of one class", share=share_text(share)
    )


def _reason_in_height(details: RunDetails, evaluated: Evaluated) -> str:
    beneath = [
        figure.value
        for figure in evaluated.figures
        if (figure.encoder_id, figure.metric) == (details.run.input_id, evaluated.metric)
    ]
    if not beneath or not beneath[0] >= _NEARLY_ALL:
        return ""
    return tr("there is little left to gain over {value}", value=number(beneath[0], ".3f"))


def _reason_in_count(evaluated: Evaluated) -> str:
    n = max((figure.n for figure in evaluated.figures), default=0)
    if n >= _FEW_NAMES:
        return ""
    return trn(
        "only {n:,} name is held out, so that intervals are wide",
        "only {n:,} names are held out, so that intervals are wide",
        n,
    )
