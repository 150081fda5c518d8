"""Signs of differences that are shown, by p's that are corrected over the table they stand in."""

from collections.abc import Iterable
from math import isnan

from termexplorer.services.figures.corrections import ALPHA


def correction_text(p: Iterable[float]) -> str:
    """Say how the p's of a table are corrected, and over how many."""
    return f"with Holm's correction over the {sum(not isnan(each) for each in p):,} of this table"


def sign_of(difference: float, p: float) -> str:
    """The sign of a difference that is shown by its corrected p: better or worse; else none."""
    if not p < ALPHA:  # so too where there is no p
        return ""
    return "*" if difference > 0 else "†"
