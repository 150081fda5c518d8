"""Texts of data as they are: no markup, and signs that nobody sees or that turn others around.

A name, title, note or file name may hold anything. Qt takes a text that looks like markup for
markup, in labels and tooltips, and would open the files that it names.
"""

import re
from html import escape

_LONGEST_TIP = 2_000  # characters, which fill a screen
_HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, but for tab and end of line
    "\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069"  # what turns the direction of writing
    "\u2028\u2029\ufeff]"
)
_MARKUP = re.compile("<|&lt;")


class PlainTip(str):
    """A tooltip that Qt shows as it was meant, so that it is not escaped once more."""

    __slots__ = ()


def show_signs(text: str) -> str:
    """Return a text with the codes of control characters and of those that turn it around.

    Example:
        >>> show_signs("abc\u202ecba")
        'abc⟨U+202E⟩cba'

    """
    return text if text.isprintable() else _HIDDEN.sub(_code_point, text)


def show_line(text: str) -> str:
    """Return a text as `show_signs` does, in one line."""
    if text.isprintable():
        return text
    return show_signs(text).replace("\n", " ⏎ ").replace("\t", " ")


def plain_html(text: str) -> str:
    """Return a text for a place where markup is read, to be seen there as it is."""
    return escape(show_signs(text))


def plain_tip(text: str) -> str:
    """Return a text for a tooltip, to be seen there as it is, as far as a screen has room."""
    if isinstance(text, PlainTip):
        return text
    if len(text) > _LONGEST_TIP:
        text = f"{text[:_LONGEST_TIP]}…"
    shown = show_signs(text)
    if _MARKUP.search(shown) is None:
        return PlainTip(shown)
    return PlainTip(f"<p style='white-space:pre-wrap'>{escape(shown)}</p>")


def _code_point(match: re.Match[str]) -> str:
    return f"⟨U+{ord(match[0]):04X}⟩"
