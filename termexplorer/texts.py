"""What the program says to people: in English, or in the language that the window asks for.

Texts are marked where they stand: `tr("Train…")`, `tr("{what} of {ontology}", what=…, ontology=…)`
or `trn("{n:,} class", "{n:,} classes", n)`; values are put in after the translation. What stands
in a constant is marked there with `mark("…")` and handed to `translated` when it is shown.
`packaging/translations.py` collects what is marked; nothing here needs Qt, so that services may
say things too.
"""

from collections.abc import Callable

Asker = Callable[[str, str, int], str]
"""Gives the translation of a text, of one sense (or ""), for a number (-1: for none)."""

NO_NUMBER = -1
_MOST = 2**31 - 1  # Qt's numbers end here; no language cares


class _Spoken:
    """The language in use."""

    name = "en"
    ask: Asker | None = None


def speak(name: str, ask: Asker | None) -> None:
    """Says everything in a language from now on.

    Args:
        name: of the language, as "de".
        ask: gives the translations; None says everything as it is written.
    """
    _Spoken.name, _Spoken.ask = name, ask


def language() -> str:
    """The language in use, as "en"."""
    return _Spoken.name


def tr(text: str, /, *, sense: str = "", **values: object) -> str:
    """A text in the language in use.

    Args:
        text: as it is in English: a constant in quotes, with `{names}` of values.
        sense: tells apart what is one word in English, as "noun" and "verb".
        values: what is put in, as by `str.format`; without any the text stays as it is.
    """
    return translated(text, sense=sense, **values)


def translated(text: str, /, *, sense: str = "", **values: object) -> str:
    """As `tr`, for a text that was marked elsewhere."""
    said = _Spoken.ask(text, sense, NO_NUMBER) if _Spoken.ask and text else text
    return said.format(**values) if values else said


def trn(one: str, many: str, n: int, /, **values: object) -> str:
    """A text that depends on a number, `{n}` or `{n:,}` in it.

    Args:
        one: as it is in English for 1; it may do without the number.
        many: as it is in English for all other numbers.
        n: the number.
        values: what else is put in.
    """
    said = one if n == 1 else many
    if _Spoken.ask:
        said = _Spoken.ask(many, "", min(abs(int(n)), _MOST))
    return said.format(n=n, **values)


def mark(text: str, /, *, sense: str = "") -> str:
    """The text itself; it is translated where it is shown, by `translated`."""
    return text
