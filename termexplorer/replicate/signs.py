"""Signs of differences that are shown, by p's that are corrected over the table they stand in."""

from collections.abc import Mapping
from typing import TypeVar

_CHANCE = 0.05

_Key = TypeVar("_Key")


def corrected(p: Mapping[_Key, float]) -> dict[_Key, float]:
    """Each p by Holm's correction over all of them; NaN stays NaN and is not counted."""
    from trainer.evaluation.comparison import holm

    return dict(zip(p, holm(list(p.values())).tolist(), strict=True))


def sign_of(difference: float, p: float) -> str:
    """The sign of a difference that is shown by its corrected p: better or worse; else none."""
    if not p < _CHANCE:  # so too where there is no p
        return ""
    return "*" if difference > 0 else "†"
