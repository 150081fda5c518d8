"""Texts that one person types and others read: nothing in them that no reader could see."""

import unicodedata

from termexplorer.texts import tr

_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")  # bidi controls
_OF_LINES = frozenset("\t\n\r")


def check_text(
    subject: str,
    text: str,
    most: int,
    least: int = 1,
    *,
    lines: bool = False,
    turning: bool = False,
) -> None:
    """Refuse a text that is too long or too short, or holds what no reader could see.

    Args:
        subject: it is, for the message.
        text: that was typed, or came in a file.
        most: characters.
        least: characters.
        lines: whether it may have several lines.
        turning: whether it may turn the direction of writing, as terms of some languages do.

    Raises:
        ValueError: with what is wrong in words.
    """
    if not least <= len(text) <= most:
        raise ValueError(
            tr(
                "{what} has {count:,} characters; {least:,} to {most:,} can be",
                what=subject,
                count=len(text),
                least=least,
                most=most,
            )
        )
    for at, sign in enumerate(text, 1):
        if _is_unseen(sign, lines=lines) or (sign in _TURNING and not turning):
            raise ValueError(
                tr(
                    "{what} holds the control character U+{code} at {at:,}; take it out",
                    what=subject,
                    code=f"{ord(sign):04X}",
                    at=at,
                )
            )


def fold_name(name: str) -> str:
    """Return what names have in common that look the same, or differ by case alone."""
    return unicodedata.normalize("NFKC", " ".join(name.split())).casefold()


def _is_unseen(sign: str, *, lines: bool) -> bool:
    if sign in _OF_LINES:
        return not lines
    return unicodedata.category(sign) in {"Cc", "Cs", "Zl", "Zp"}
