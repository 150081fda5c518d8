"""How many items figures are over, of how many, in words: beside every list and headline."""

from termexplorer.store.encoders.evaluations import Evaluated
from termexplorer.texts import number, share_text, tr

LEAST_COVERAGE = 0.8  # of the items; below it there is a warning
WARNING = "⚠"


def is_thin(n: int, items: int | None) -> bool:
    """Return whether so few of the items count that it is to be warned of."""
    return items is not None and n < LEAST_COVERAGE * items


def n_text(n: int, items: int | None) -> str:
    """Return n, and of how many where that differs; with a sign where far fewer: `⚠ 52 of 566`."""
    if items is None or n == items:
        return number(n)
    count_text = tr("{n:,} of {items:,}", n=n, items=items)
    return f"{WARNING} {count_text}" if is_thin(n, items) else count_text


def coverage_of(n: int, items: int | None) -> float | None:
    """Return the share of the items that count; None where it is not known."""
    return n / items if items else None


def coverage_text(n: int, items: int | None) -> str:
    """Return in a sentence how many items count; empty where it is not known of how many."""
    if items is None or not n:
        return ""
    if is_thin(n, items):
        return tr(
            "{sign} Only {n:,} of {items:,} items count ({share}).",
            sign=WARNING,
            n=n,
            items=items,
            share=share_text(n / items),
        )
    return tr("n = {n:,} of {items:,}.", n=n, items=items)


def evaluated_n_text(evaluated: Evaluated) -> str:
    """Return `n_text` of the metric that encoders are compared by."""
    return n_text(evaluated.n, evaluated.items)
