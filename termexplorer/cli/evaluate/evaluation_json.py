"""What `evaluate --json` says."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from termexplorer.cli.json_words import name_fields
from termexplorer.services.evaluate.conclusion_words import conclusion_text
from termexplorer.services.evaluate.conclusions import (
    Beneath,
    Conclusion,
    MetricConclusion,
    conclude,
)
from termexplorer.services.evaluate.evaluation import Evaluated
from termexplorer.services.evaluate.pair_details import LABELS, placed
from termexplorer.services.figures.coverage_words import coverage_of


def evaluation_json(
    evaluations: Sequence[Evaluated], labels: Mapping[int, str], beneath: Beneath, hardest: int
) -> dict[str, Any]:
    """Figures and differences, what is to be known of them, and the pairs that are hardest.

    Args:
        evaluations: what was evaluated.
        labels: of encoders, by their ids.
        beneath: what lies beneath each encoder.
        hardest: how many pairs of each label that an encoder gets most wrong; 0 leaves them out.
    """
    content = {
        "figures": [row for evaluation in evaluations for row in _figure_objects(evaluation)],
        "differences": [
            row for evaluation in evaluations for row in _difference_objects(evaluation)
        ],
        "evaluations": [
            _evaluation_object(evaluation, labels, beneath) for evaluation in evaluations
        ],
    }
    if hardest:
        content["hardest"] = [
            row for evaluation in evaluations for row in _hardest_objects(evaluation, hardest)
        ]
    return content


def _figure_objects(evaluated: Evaluated) -> Iterator[dict[str, Any]]:
    for figure in evaluated.figures:
        yield {
            "encoder": figure.encoder_id,
            "task": figure.task,
            "data": evaluated.data,
            "level": evaluated.level,
            "split": evaluated.split_id,
            "metric": figure.metric.lower(),
            "value": _finite_or_none(figure.value),
            "low": _finite_or_none(figure.low),
            "high": _finite_or_none(figure.high),
            "n": figure.n,
            "items": evaluated.items,
            "coverage": coverage_of(figure.n, evaluated.items),
        }


def _evaluation_object(
    evaluated: Evaluated, labels: Mapping[int, str], beneath: Beneath
) -> dict[str, Any]:
    concluded = conclude(evaluated, beneath)
    return {
        "task": evaluated.task,
        "data": evaluated.data,
        "title": evaluated.name or None,
        "level": evaluated.level,
        "split": evaluated.split_id,
        "notes": evaluated.notes,
        "trained_on": [{"encoder": at, "share": share} for at, share in evaluated.seen.items()],
        "conclusion": conclusion_text(evaluated, labels, beneath=beneath),
        "contradiction": concluded.contradiction.value,
        "best": [_best_object(metric) for metric in concluded.metrics],
        "against": list(_lead_objects(concluded)),
    }


def _best_object(by: MetricConclusion) -> dict[str, Any]:
    return {
        "metric": by.metric.lower(),
        "encoders": by.best_ids,
        "shown": by.shown,
        "not_shown_worse": by.level_ids,
        "undecided": by.undecided,
        "worse": by.worse_ids,
        "not_tested": by.untested_ids,
        "chance": by.chance and by.chance.value,
        "too_few": by.is_few,
        "n": by.n,
    }


def _lead_objects(concluded: Conclusion) -> Iterator[dict[str, Any]]:
    """The best against TF-IDF and against what lies beneath it."""
    for against in (concluded.lexical, concluded.beneath):
        for lead in against.leads if against else ():
            yield {
                "encoder": concluded.best_id,
                "other_encoder": against.encoder_id if against else None,
                "metric": lead.metric.lower(),
                "ahead": lead.value,
                "shown": lead.difference and lead.difference.significant,
            }


def _difference_objects(evaluated: Evaluated) -> Iterator[dict[str, Any]]:
    for difference in evaluated.differences:
        yield (
            {"task": evaluated.task, "data": evaluated.data}
            | name_fields(difference)
            | {
                "metric": difference.metric.lower(),
                "undecided": difference.undecided,
            }
        )


def _hardest_objects(evaluated: Evaluated, most: int) -> Iterator[dict[str, Any]]:
    for details in evaluated.details:
        for rank, pair in placed(details):
            if rank <= most:
                yield {
                    "encoder": details.encoder_id,
                    "data": evaluated.data,
                    "rank": rank,
                    "terms": [pair.left, pair.right],
                    "label": LABELS[pair.similar],
                    "similarities": pair.similarities,
                    "threshold": details.threshold,
                }


def _finite_or_none(value: float) -> float | None:
    return value if value == value else None  # JSON knows no NaN
