"""Which pairs of terms are left out: with codes, abbreviations, long or short terms, or a text."""

import re
from dataclasses import dataclass

CODES, ABBREVIATIONS, LONG, SHORT, TEXT = "codes", "abbreviations", "long", "short", "text"
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


def _is_abbreviation(term: str) -> bool:
    return bool(_ABBREVIATION.fullmatch(term)) and not _CODE.fullmatch(term)


KEEP_ALL = PairFilter()
