"""The one owner of corrections of p: over exactly what is shown together, when it is shown."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from termexplorer.services.figures.metric_kinds import LEAST_ITEMS
from termexplorer.store.encoders.evaluations import ALPHA, Difference, Evaluated

__all__ = ["ALPHA", "correct_alone", "correct_p", "correct_together", "restrict_to"]

_Key = TypeVar("_Key")


def correct_p(
    p: Mapping[_Key, float], items: Mapping[_Key, int] | None = None
) -> dict[_Key, float]:
    """Return each p by Holm's correction over all of them; NaN stays NaN and is not counted.

    Args:
        p: of each comparison by itself.
        items: that each is over; those of fewer than `LEAST_ITEMS` are not tested: NaN.
    """
    from termexplorer.trainer.evaluation.comparison import holm

    if items is not None:
        p = {key: value if items[key] >= LEAST_ITEMS else float("nan") for key, value in p.items()}
    return dict(zip(p, holm(list(p.values())).tolist(), strict=True))


def correct_together(evaluations: Sequence[Evaluated]) -> list[Evaluated]:
    """Return evaluations as one table shows them: differences are corrected over all of these.

    Differences of an encoder that has no figure there, as of one that was removed, are left out;
    so are those of fewer than `LEAST_ITEMS` items, which are not tested and count in no family.
    """
    shown = [_list_shown(evaluation) for evaluation in evaluations]
    raw = {
        (at, index): difference.raw_p
        for at, differences in enumerate(shown)
        for index, difference in enumerate(differences)
    }
    corrected = correct_p(raw)
    return [
        replace(
            evaluation,
            differences=tuple(
                _correct_difference(difference, corrected[at, index], len(raw))
                for index, difference in enumerate(shown[at])
            ),
        )
        for at, evaluation in enumerate(evaluations)
    ]


def correct_alone(evaluated: Evaluated) -> Evaluated:
    """Return an evaluation as a table of its own shows it."""
    return correct_together([evaluated])[0]


def restrict_to(evaluated: Evaluated, encoder_ids: Collection[int]) -> Evaluated:
    """Return an evaluation as a table of these encoders alone shows it."""
    figures = tuple(figure for figure in evaluated.figures if figure.encoder_id in encoder_ids)
    return correct_alone(replace(evaluated, figures=figures))


def _list_shown(evaluated: Evaluated) -> list[Difference]:
    measured = {(figure.encoder_id, figure.metric) for figure in evaluated.figures}
    few = {figure.metric for figure in evaluated.figures if figure.n < LEAST_ITEMS}
    return [
        difference
        for difference in evaluated.differences
        if {(difference.first_id, difference.metric), (difference.second_id, difference.metric)}
        <= measured
        and difference.metric not in few
        and difference.n >= LEAST_ITEMS
    ]


def _correct_difference(difference: Difference, p: float, family: int) -> Difference:
    """Return a difference as shown where neither its p nor its interval speaks against it.

    On a few tied items the two can disagree; then nothing is claimed.
    """
    holds_zero = difference.low <= 0 <= difference.high
    return replace(difference, p=p, significant=p < ALPHA and not holds_zero, family=family)
