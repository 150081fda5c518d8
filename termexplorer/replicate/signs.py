"""Signs of differences that are shown, by p's that are corrected over the table they stand in."""

from termexplorer.store.encoders.evaluations import Difference

UNDECIDED = "?"


def correction_text(family: int) -> str:
    """Say how the p's of a table are corrected, over how many, and what is not tested."""
    return (
        f"with Holm's correction over the {family:,} of this table, and its 95 % interval beside "
        f"0; {UNDECIDED} so few items could show no difference; what is of fewer than 10 items is "
        "not tested"
    )


def sign_of(difference: Difference | None) -> str:
    """The sign of a difference as it is shown: better, worse or undecided; else none."""
    if difference is None:
        return ""
    if difference.undecided:
        return UNDECIDED
    if not difference.significant:
        return ""
    return "*" if difference.value > 0 else "†"
