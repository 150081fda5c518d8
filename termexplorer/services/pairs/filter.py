"""Pairs that are left out of pair sets and studies, counted by why, and that in words."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from termexplorer.services.pairs.repeats import ALONE, OTHER_SET, REPEATED, TWO_LABELS
from termexplorer.services.pairs.sampling import PairPool
from termexplorer.texts import mark, number, translated, trn
from termexplorer.workers.pairs.filter import (
    ABBREVIATIONS,
    CODES,
    KEEP_ALL,
    LONG,
    SHORT,
    TEXT,
    PairFilter,
)

if TYPE_CHECKING:
    from termexplorer.trainer.term_pairs.drawn import DrawnPair

__all__ = [
    "ABBREVIATIONS",
    "BY_HAND",
    "CODES",
    "IN_STUDY",
    "JUDGED",
    "KEEP_ALL",
    "LONG",
    "NOT_REPRESENTED",
    "SHORT",
    "TEXT",
    "UNKNOWN_ANSWER",
    "PairFilter",
    "add_counts",
    "filter_pairs",
    "filter_pool",
    "told_counts",
    "told_reason",
]

BY_HAND = "by hand"
NOT_REPRESENTED = "unrepresented"  # by an encoder
JUDGED = "judged"  # by the one who is asked
IN_STUDY, UNKNOWN_ANSWER = "studied", "unanswerable"  # of checks
_TOLD = {
    CODES: mark("a code"),
    ABBREVIATIONS: mark("an abbreviation"),
    LONG: mark("a long term"),
    SHORT: mark("a short term"),
    TEXT: mark("a text in it"),
    BY_HAND: mark("by hand"),
    ALONE: mark("a term with itself"),
    REPEATED: mark("stands before already"),
    TWO_LABELS: mark("with different labels"),
    OTHER_SET: mark("drawn from another set"),
    NOT_REPRESENTED: mark("a term that an encoder cannot represent"),
    JUDGED: mark("judged already"),
    IN_STUDY: mark("in the study already"),
    UNKNOWN_ANSWER: mark("no label that is an answer"),
}


def filter_pairs(
    pairs: "Sequence[DrawnPair]", leave_out: PairFilter
) -> "tuple[list[DrawnPair], dict[str, int]]":
    """Return the pairs that are not left out, and how many are, by reason."""
    reasons = [leave_out.reason(pair.left, pair.right) for pair in pairs]
    kept_pairs = [pair for pair, reason in zip(pairs, reasons, strict=True) if not reason]
    return kept_pairs, dict(Counter(filter(None, reasons)))


def add_counts(by_set: Mapping[str, Mapping[str, int]]) -> dict[str, int]:
    """Return how many pairs of several sets are left out, by reason."""
    total: Counter[str] = Counter()
    for counts in by_set.values():
        total.update(counts)
    return dict(total)


def filter_pool(pool: PairPool, leave_out: PairFilter) -> tuple[PairPool, dict[str, int]]:
    """Leaves pairs out of a set, and counts them by reason."""
    if leave_out == KEEP_ALL:
        return pool, {}
    return pool.without(
        [leave_out.reason(*pair) for pair in zip(pool.left, pool.right, strict=True)]
    )


def told_reason(reason: str) -> str:
    """Why pairs are left out, in words; those of who left them out stay as they are."""
    return translated(_TOLD.get(reason, reason))


def told_counts(counts: Mapping[str, int]) -> str:
    """How many pairs are left out and why, in words; "" for none."""
    if not counts:
        return ""
    why = ", ".join(f"{told_reason(reason)}: {number(count)}" for reason, count in counts.items())
    total = sum(counts.values())
    return trn("{n:,} pair left out ({why})", "{n:,} pairs left out ({why})", total, why=why)
