"""What the program says to people: in English, or in the language that the window asks for.

Texts are marked where they stand: `tr("Train…")`, `tr("{what} of {ontology}", what=…, ontology=…)`
or `trn("{n:,} class", "{n:,} classes", n)`; values are put in after the translation. What stands
in a constant is marked there with `mark("…")` and handed to `translated` when it is shown, or with
`mark_plural("…", "…")`, where it depends on the number `n` that `translated` is given.
`packaging/translations.py` collects what is marked; nothing here needs Qt, so that services may
say things too. Numbers that are put in, and those that `number` writes elsewhere, have the
separators of the language.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from string import Formatter
from typing import Any, SupportsInt

Asker = Callable[[str, str, int], str]
"""Gives the translation of a text, of one sense (or ""), for a number (-1: for none)."""

ENGLISH = "en"
NO_NUMBER = -1
_MOST = 2**31 - 1  # Qt's numbers end here; no language cares
_PER_CENT = 0.01
_THOUSAND = 1000
_NEARLY_TEN, _NEARLY_MILLION = 9.95, 999_500  # what is rounded to these
_COMMA = {"de"}  # languages that write 1.234,5
_OTHERWISE = str.maketrans({",": ".", ".": ",", "%": "\N{NO-BREAK SPACE}%"})
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SIGNED_NOTHING = re.compile(r"[+-][0.]+%?")
_GROUPED = re.compile(r"[+-]?\d{1,3}(\.\d{3})+")


class _Spoken:
    """The language in use."""

    name = ENGLISH
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


class PluralText(str):
    """A text for all numbers but 1 that knows what it is for 1.

    Attributes:
        singular: As it is in English for 1.
    """

    __slots__ = ("singular",)
    singular: str

    def __new__(cls, singular: str, many: str) -> "PluralText":
        """Make the text of its two forms."""
        text = super().__new__(cls, many)
        text.singular = singular
        return text

    def __reduce__(self) -> tuple[type["PluralText"], tuple[str, str]]:
        """Return what makes the same text in another process."""
        return PluralText, (self.singular, str(self))


class SpokenText(str):
    """A text in the language in use that keeps what it was made of, to be said in another one.

    Attributes:
        template: As it is in English, with `{names}` of values.
        values: Numbers and texts by name; anything else as the text that it is.
    """

    __slots__ = ("template", "values")
    template: str
    values: Mapping[str, object]

    def __add__(self, more: str) -> "SpokenText":
        """Return both as one text, which keeps what each was made of."""
        return join_texts((self, more))


def tr(text: str, /, *, sense: str = "", **values: object) -> str:
    """A text in the language in use.

    Args:
        text: as it is in English: a constant in quotes, with `{names}` of values.
        sense: tells apart what is one word in English, as "noun" and "verb".
        values: what is put in, as by `str.format`; without any the text stays as it is.
    """
    return translated(text, sense=sense, **values)


def translated(text: str, /, *, sense: str = "", **values: object) -> str:
    """As `tr`, for a text that was marked elsewhere, by `mark` or by `mark_plural`."""
    n = values.get("n")
    if isinstance(text, PluralText) and isinstance(n, SupportsInt):
        spoken = _plural_form(text, int(n))
    else:
        spoken = _Spoken.ask(text, sense, NO_NUMBER) if _Spoken.ask and text else text
    return _keep_parts(_fill_text(spoken, values) if values else spoken, text, values)


def _keep_parts(spoken: str, template: str, values: Mapping[str, object]) -> SpokenText:
    text = SpokenText(spoken)
    text.template = template
    text.values = {name: _plain_value(value) for name, value in values.items()}
    return text


def _plain_value(value: object) -> object:
    """Return a value to keep, which holds on to nothing: an error would to all that it went by."""
    if isinstance(value, str | int | float | None):
        return value
    if isinstance(value, BaseException) and value.args and isinstance(value.args[0], str):
        return value.args[0]
    return str(value)


def _plural_form(text: PluralText, n: int) -> str:
    if _Spoken.ask:
        return _Spoken.ask(str(text), "", min(abs(n), _MOST))
    return text.singular if n == 1 else str(text)


def trn(singular: str, many: str, n: int, /, **values: object) -> str:
    """A text that depends on a number, `{n}` or `{n:,}` in it.

    Args:
        singular: as it is in English for 1; it may do without the number.
        many: as it is in English for all other numbers.
        n: the number.
        values: what else is put in.
    """
    template, values = PluralText(singular, many), {"n": int(n), **values}
    return _keep_parts(_fill_text(_plural_form(template, int(n)), values), template, values)


def join_texts(parts: Iterable[str], separator: str = "") -> SpokenText:
    """Return texts as one, which keeps what each was made of."""
    listed = {f"part{at}": part for at, part in enumerate(parts)}
    template = separator.join(f"{{{name}}}" for name in listed)
    return _keep_parts(separator.join(listed.values()), template, listed)


def mark_plural(singular: str, many: str) -> str:
    """Return a text of a constant that depends on a number: give `translated` that as `n`."""
    return PluralText(singular, many)


def mark(text: str, /, *, sense: str = "") -> str:
    """The text itself; it is translated where it is shown, by `translated`."""
    return text


def number(value: object, spec: str = ",") -> str:
    """A number as the language in use writes it: `1,234` is 1.234 in German, `12.5%` 12,5 %.

    Args:
        value: the number.
        spec: how `format` is to write it.
    """
    return separated(figure_text(value, spec))


def figure_text(value: object, spec: str = ",") -> str:
    """Return a number as English writes it; what is rounded to nothing has no sign.

    Example:
        >>> figure_text(-0.0004, ".3f"), figure_text(-0.0004, "+.3f"), figure_text(0.25, "+.3f")
        ('0.000', '0.000', '+0.250')
    """
    text = format(value, spec)
    return text[1:] if _SIGNED_NOTHING.fullmatch(text) else text


def share_text(share: float) -> str:
    """A share in per cent; some is never written as 0%, nor what is not all as 100%."""
    if 0 < share < _PER_CENT:
        return f"<{number(_PER_CENT, '.0%')}"
    if 1 - _PER_CENT < share < 1:
        return f">{number(1 - _PER_CENT, '.0%')}"
    return number(share, ".0%")


def short_count(count: int) -> str:
    """A count in four letters at most, where there is no room for more: 948, 4.0k, 55k, 1.5M."""
    if count < _THOUSAND:
        return number(count)
    unit, of = ("M", _THOUSAND**2) if count >= _NEARLY_MILLION else ("k", _THOUSAND)
    times = count / of
    return number(times, ".1f" if times < _NEARLY_TEN else ".0f") + unit


def duration_text(seconds: float) -> str:
    """Return a time in the largest unit that suits it: `4 s`, `12 min`, `1.5 h`."""
    if seconds < 90:
        return f"{max(round(seconds), 1)} s"
    if seconds < 5400:
        return tr("{minutes} min", minutes=round(seconds / 60))
    return f"{number(seconds / 3600, '.1f')} h"


def power_text(count: int) -> str:
    """Return a large number by its power of ten: `5.8 × 10¹³`.

    Example:
        >>> power_text(58_123_456_789_012)
        '5.8 × 10¹³'
    """
    factor, _, power = f"{count:.1e}".partition("e")
    return f"{separated(factor)} × 10{str(int(power)).translate(_RAISED)}"


def separated(text: str) -> str:
    """As `number`, for what `format` or the like has written already."""
    return text.translate(_OTHERWISE) if _Spoken.name in _COMMA else text


def interval_text(value: float, low: float, high: float, spec: str = ".3f") -> str:
    """A figure with its interval, as `0.512 [0.498, 0.530]`; alone where it has none."""
    if low != low or high != high:
        return number(value, spec)
    return f"{number(value, spec)} [{number(low, spec)}, {number(high, spec)}]"


def read_number(text: str, *, whole: bool) -> int | float:
    """Reads what a user wrote as `number` does.

    Raises:
        ValueError: it is no number, or no whole one.
    """
    if _Spoken.name not in _COMMA:
        return int(text.replace(",", "")) if whole else float(text)
    if whole:
        return int(text.replace(".", "") if _GROUPED.fullmatch(text.strip()) else text)
    return float(text.replace(",", "."))


class _Filler(Formatter):
    """Puts values into texts, numbers with the separators of the language in use."""

    def format_field(self, value: Any, format_spec: str) -> str:
        is_number = bool(format_spec) or isinstance(value, float)
        if is_number and hasattr(value, "__float__") and not isinstance(value, bool):
            return number(value, format_spec)
        return format(value, format_spec)


_FILLER = _Filler()


def _fill_text(text: str, values: dict[str, object]) -> str:
    return _FILLER.vformat(text, (), values)
