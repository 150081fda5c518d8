"""What is told of many short times."""

from collections.abc import Sequence


def quantile(seconds: Sequence[float], share: float) -> float:
    """The time that `share` of all are no longer than, in milliseconds."""
    ordered = sorted(seconds)
    return 1000 * ordered[min(int(len(ordered) * share), len(ordered) - 1)]
