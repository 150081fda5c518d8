"""Which pairs of terms are left out of a study: codes, abbreviations, by length or by a text."""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace

from termexplorer.services.study_sampling import PairPool
from termexplorer.texts import mark, number, translated, trn

__all__ = ["BY_HAND", "KEEP_ALL", "PairFilter", "filter_pool", "told_counts", "told_reason"]

CODES, ABBREVIATIONS, LONG, SHORT, TEXT = "codes", "abbreviations", "long", "short", "text"
BY_HAND = "by hand"
_TOLD = {
    CODES: mark("a code"),
    ABBREVIATIONS: mark("an abbreviation"),
    LONG: mark("a long term"),
    SHORT: mark("a short term"),
    TEXT: mark("a text in it"),
    BY_HAND: mark("by hand"),
}
_CODE = re.compile(r"(?:[A-Za-z][\w.]*:)?[A-Z]{0,3}\d[\dA-Z.\-/]*")  # J12.9, DOID:4, C0011849
_ABBREVIATION = re.compile(r"(?=(?:.*[A-Z]){2})[A-Za-z][A-Za-z\d.\-/]{1,7}")  # MI, COPD, HbA1C


@dataclass(frozen=True, slots=True)
class PairFilter:
    """What a pair is left out for, if one of its terms is so.

    Attributes:
        codes: a term that looks like a code: a number, perhaps after capitals or a prefix.
        abbreviations: one word of two to eight characters with two capitals at least.
        longest: characters; a longer term is left out. 0 for any.
        shortest: characters; a shorter term is left out. 0 for any.
        text: that a term holds, in whatever case; empty for none.
    """

    codes: bool = False
    abbreviations: bool = False
    longest: int = 0
    shortest: int = 0
    text: str = ""

    def reason(self, left: str, right: str) -> str:
        """Why a pair is left out, as one of the words that `told_reason` tells; "" if it is not."""
        terms = (left.strip(), right.strip())
        if self.codes and any(map(_CODE.fullmatch, terms)):
            return CODES
        if self.abbreviations and any(map(_is_abbreviation, terms)):
            return ABBREVIATIONS
        if self.longest and max(map(len, terms)) > self.longest:
            return LONG
        if self.shortest and min(map(len, terms)) < self.shortest:
            return SHORT
        text = self.text.strip().casefold()
        return TEXT if text and any(text in term.casefold() for term in terms) else ""


KEEP_ALL = PairFilter()


def filter_pool(pool: PairPool, leave_out: PairFilter) -> tuple[PairPool, dict[str, int]]:
    """Leaves pairs out of a set, and counts them by reason."""
    if leave_out == KEEP_ALL:
        return pool, {}
    reasons = [leave_out.reason(*pair) for pair in zip(pool.left, pool.right, strict=True)]
    kept = [index for index, reason in enumerate(reasons) if not reason]
    fewer = replace(
        pool,
        left=[pool.left[index] for index in kept],
        right=[pool.right[index] for index in kept],
        scores=[pool.scores[index] for index in kept],
    )
    return fewer, dict(Counter(filter(None, reasons)))


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


def _is_abbreviation(term: str) -> bool:
    return bool(_ABBREVIATION.fullmatch(term)) and not _CODE.fullmatch(term)
