"""Texts that a spreadsheet would run, kept from it by a sign that our readers take away again."""

import re

# what begins so is run, by some programs in full width too, or is one of ours that would be
_FORMULA = re.compile(r"'*[=+\-@\t\r|＝＋－＠｜]")

ESCAPE_NOTE = "# termexplorer: before texts that a spreadsheet would run there is a '"
"""A comment by which a file of a standard that knows no such sign tells that it is there."""
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?([eE][+-]?\d+)?")


def is_formula(text: str) -> bool:
    """Return whether a spreadsheet may run a text, or it looks as `escape_formula` writes one.

    A number with a sign is none: a spreadsheet takes it for that number.
    """
    return bool(_FORMULA.match(text)) and not _NUMBER.fullmatch(text)


def escape_formula(text: str) -> str:
    """Return a text with a `'` before it where a spreadsheet would run it."""
    return f"'{text}" if is_formula(text) else text


def unescape_formula(text: str) -> str:
    """Return a text that `escape_formula` wrote as it was."""
    return text[1:] if text.startswith("'") and is_formula(text) else text
