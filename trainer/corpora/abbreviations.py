"""Abbreviations that a text defines itself, after Schwartz and Hearst 2003.

A. S. Schwartz, M. A. Hearst, *A simple algorithm for identifying abbreviation definitions in
biomedical text*, Pacific Symposium on Biocomputing 8.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

_PARENTHESES = re.compile(r"\(([^()]*(?:\([^()]*\)[^()]*)*)\)")
_SENTENCE_END = re.compile(r"[.!?]\s+(?=[^a-z\s])")
_LONGEST_SHORT_FORM = 10  # characters
_MOST_SHORT_WORDS = 2


def defined_abbreviations(text: str) -> dict[str, str]:
    """Return the long form of each short form that a text defines; the first definition counts.

    ``long form (short form)`` within a sentence, or ``short form (long form)`` where more than two
    words stand in the parentheses. A short form has one or two words, 2 to 10 characters, starts
    with a letter or digit, and has a letter.
    """
    long_forms: dict[str, str] = {}
    for short, candidate in _short_form_candidates(text):
        if _is_short_form(short) and short not in long_forms:
            long = best_long_form(short, candidate)
            if long is not None:
                long_forms[short] = long
    return long_forms


def _short_form_candidates(text: str) -> Iterator[tuple[str, str]]:
    """Yield each possible short form with the text that may end in its long form."""
    for match in _PARENTHESES.finditer(text):
        before = _SENTENCE_END.split(text[: match.start()])[-1].split()
        inside = re.split(r"[,;]\s", match[1])[0].split()
        if not before or not inside:
            continue
        if len(inside) > _MOST_SHORT_WORDS:
            if any(sign.isupper() for sign in before[-1]):
                yield before[-1], " ".join(inside)
        else:
            short = " ".join(inside)
            words = min(len(short) + 5, len(short) * 2)
            yield short, " ".join(before[-words:])


def _is_short_form(short: str) -> bool:
    return (
        2 <= len(short) <= _LONGEST_SHORT_FORM
        and short[0].isalnum()
        and any(sign.isalpha() for sign in short)
    )


def best_long_form(short: str, candidate: str) -> str | None:
    """Return the shortest end of a text that holds the signs of a short form in their order.

    Letters and digits are sought from right to left, whatever their case; the first one has to
    start a word. So the end may be too short: ``TTF-1`` is found in ``transcription factor 1``.

    Returns:
        None where there is no such end, or it is no longer than the short form or contains it.
    """
    text = candidate.lower()
    if len(text) != len(candidate):  # a capital whose small letter is two characters
        text = candidate
    position = len(text)
    signs = [sign for sign in short.lower() if sign.isalnum()]
    for number, sign in reversed(list(enumerate(signs))):
        position = text.rfind(sign, 0, position)
        while number == 0 and position > 0 and text[position - 1].isalnum():
            position = text.rfind(sign, 0, position)
        if position < 0:
            return None
    long = candidate[candidate.rfind(" ", 0, position) + 1 :]
    return long if len(long) > len(short) and short not in long.split() else None


def resolved(mention: str, definitions: Mapping[str, str]) -> str:
    """Return a mention with each short form, as a whole word, replaced by its long form.

    Where the mention holds the long form too, the short form is dropped, with its parentheses. A
    plural ``s`` after a short form goes to its long form.

    Args:
        mention: a stretch of the text.
        definitions: what ``defined_abbreviations`` found in that text.
    """
    for short in sorted(definitions, key=len, reverse=True):
        if short not in mention:
            continue
        word = rf"(?<![^\W_]){re.escape(short)}(s?)(?![^\W_])"
        long = definitions[short]
        if long.lower() in mention.lower():
            mention = re.sub(rf"\s*(?:\(\s*{word}\s*\)|{word})", "", mention).strip() or mention
        else:
            mention = re.sub(word, long.replace("\\", r"\\") + r"\1", mention)
    return mention
