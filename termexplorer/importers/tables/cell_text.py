"""Cells of workbooks as text, as the sheet shows them by their number formats."""

import re
from datetime import date, datetime, time, timedelta
from functools import cache
from typing import Any

_EPOCH_DAY = date(1899, 12, 30)
_MOST_DIGITS = 15  # that a spreadsheet keeps of a number
_NO_PLACES = re.compile(r"[Ee/@]|general", re.IGNORECASE)
_SCIENTIFIC = re.compile(r"(?<!\x00)([#0?]+)(?:\.([#0?]*))?E([+-])([0#?]+)", re.IGNORECASE)
_LITERAL = re.compile(r'"([^"]*)"|\\(.)|_.|\*.|\[[^\]]*\]')
_SECTIONS = re.compile(r';(?=(?:[^"]*"[^"]*")*[^"]*$)')
_PLACES = re.compile(r"(?<!\x00)[#0?,]*[0#?](?:\.[0#?]*)?")
_DATE_PART = re.compile(r"(?<!\x00)(?:y+|m+|d+|h+|s+(?:\.0+)?|AM/PM|A/P)", re.IGNORECASE)
_MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip
_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


class Unstored(str):
    """The empty text of a workbook's cell with a formula whose value is not stored with it."""

    __slots__ = ()


class ErrorCell(str):
    """What an error shows, as `#N/A`."""

    __slots__ = ()


class DateCell(str):
    """A date or time as its cell shows it."""

    __slots__ = ()


class TruthCell(str):
    """`TRUE` or `FALSE`."""

    __slots__ = ()


class RoundedCell(str):
    """A number of more digits than a spreadsheet keeps: the last ones are lost."""

    __slots__ = ()


def cell_text(cell: Any) -> str:
    """Return what a cell of openpyxl shows; a subclass of `str` tells what may not be a text."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return ErrorCell(value) if cell.data_type == "e" else value
    if isinstance(value, bool):
        return TruthCell(str(value).upper())
    if isinstance(value, int | float):
        text = number_text(value, cell.number_format)
        return RoundedCell(text) if abs(value) >= 10**_MOST_DIGITS else text
    if isinstance(value, datetime | date | time | timedelta):
        return DateCell(date_text(value, cell.number_format))
    return str(value)


def number_text(value: float, number_format: str) -> str:
    """Return a number as a format shows it; whole where the format is of another kind."""
    signed = len(_SECTIONS.split(number_format)) == 1  # what is below 0 has no form of its own
    shown = _format_digits_by(value if signed else abs(value), _pick_section(number_format, value))
    return _plain_number(value) if shown is None else shown


def date_text(value: datetime | date | time | timedelta, number_format: str) -> str:
    """Return a date or time as a format shows it, with English names of months and days."""
    if isinstance(value, timedelta):
        return str(value)
    moment = _as_datetime(value)
    pattern = _pick_section(number_format, 0)
    date_parts = list(_DATE_PART.finditer(pattern))
    if not date_parts:
        return str(value).removesuffix(" 00:00:00")
    half = any(part[0].upper() in ("AM/PM", "A/P") for part in date_parts)
    shown, end, before = [], 0, ""
    for index, part in enumerate(date_parts):
        after = date_parts[index + 1][0].lower() if index + 1 < len(date_parts) else ""
        shown += [
            pattern[end : part.start()], _date_part(part[0].lower(), moment, before, after, half)
        ]  # fmt: skip
        end, before = part.end(), part[0].lower()
    return "".join([*shown, pattern[end:]]).replace("\x00", "")


def _plain_number(cell_value: float) -> str:
    """A number in all its digits, without the `.0` that workbooks give whole ones."""
    if isinstance(cell_value, float) and cell_value.is_integer():
        return str(int(cell_value))
    return str(cell_value) if isinstance(cell_value, int) else format(cell_value, ".15g")


def _pick_section(number_format: str, value: float) -> str:
    """The part of a format that is for a value, what is literal in it set apart by NUL."""
    parts = _SECTIONS.split(number_format)
    part = parts[1] if value < 0 and len(parts) > 1 else parts[0]
    return _without_literals(part)


@cache
def _without_literals(part: str) -> str:
    return _LITERAL.sub(lambda match: "".join(f"\x00{s}" for s in match[1] or match[2] or ""), part)


def _format_digits_by(value: float, pattern: str) -> str | None:
    """The number by a pattern of digits; None where the pattern is none."""
    if scientific := _SCIENTIFIC.search(pattern):
        shown = _format_scientific(abs(value), scientific)
        text = pattern[: scientific.start()] + shown + pattern[scientific.end() :]
        return ("-" if value < 0 else "") + text.replace("\x00", "")
    bare = re.sub(r"\x00.", "", pattern)
    match = _PLACES.search(pattern)
    if match is None or _NO_PLACES.search(bare):
        return None
    if _PLACES.search(pattern, match.end()):
        return _format_grouped(value, pattern)
    percent = "%" in bare
    digits = _group_digits(abs(value) * (100 if percent else 1), match[0])
    sign = "-" if value < 0 else ""
    text = pattern[: match.start()] + digits + pattern[match.end() :]
    return sign + text.replace("\x00", "")


def _group_digits(cell_value: float, places: str) -> str:
    whole, point, fraction = places.partition(".")
    least = whole.replace(",", "").count("0")
    shown = f"{cell_value:.{len(fraction)}f}"
    integer, _, decimals = shown.partition(".")
    for _ in range(len(fraction) - len(fraction.rstrip("#"))):
        decimals = decimals.removesuffix("0")
    integer = integer.zfill(least) if least else integer.lstrip("0")
    if "," in whole.rstrip(","):
        cell_value = int(integer or 0)
        integer = f"{cell_value:,}"
    return integer + (point + decimals if decimals or (point and not fraction) else "")


def _format_scientific(cell_value: float, places: re.Match[str]) -> str:
    """A number as `0.00E+00` shows it; its exponent is a multiple of the places before the dot."""
    whole, fraction, sign, exponent_places = places[1], places[2] or "", places[3], places[4]
    exponent = int(f"{cell_value:.{len(whole) - 1 + len(fraction)}E}".partition("E")[2])
    exponent -= exponent % len(whole)
    cell_value = cell_value / 10.0**exponent if exponent > -300 else 0
    mantissa = f"{cell_value:.{len(fraction)}f}"
    shown = "-" if exponent < 0 else "+" if sign == "+" else ""
    return f"{mantissa}E{shown}{abs(exponent):0{len(exponent_places)}d}"


def _format_grouped(value: float, pattern: str) -> str | None:
    """A whole number in a pattern with signs between its places, as `000-00-0000`."""
    tokens = re.findall(r"\x00.|.", pattern, re.DOTALL)
    places = [token for token in tokens if token in ("0", "#", "?")]
    if not float(value).is_integer() or value < 0 or "." in tokens:
        return None
    least = len(places) - places.index("0") if "0" in places else 0
    digits = str(int(value)).zfill(least).rjust(len(places))
    spare, used = digits[: len(digits) - len(places)], iter(digits[len(digits) - len(places) :])
    shown, first = [], True
    for token in tokens:
        if token in ("0", "#", "?"):
            shown.append((spare if first else "") + next(used).strip())
            first = False
        else:
            shown.append(token.removeprefix("\x00"))
    return "".join(shown)


def _as_datetime(value: datetime | date | time) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, time):
        return datetime.combine(_EPOCH_DAY, value)
    return datetime.combine(value, time())


def _date_part(part: str, moment: datetime, before: str, after: str, half: bool) -> str:
    kind, width = part[0], len(part)
    if kind == "m" and (before.startswith("h") or after.startswith("s")):
        return f"{moment.minute:0{min(width, 2)}d}"
    if kind == "m":
        return _named_part(moment.month, width, _MONTHS[moment.month - 1])
    if kind == "d":
        return _named_part(moment.day, width, _DAYS[moment.weekday()])
    if kind == "y":
        return f"{moment.year:04d}" if width > 2 else f"{moment.year % 100:02d}"
    if kind == "a":
        return "AM" if moment.hour < 12 else "PM"
    if kind == "s":
        return f"{moment.second:0{min(len(part.partition('.')[0]), 2)}d}"
    hour = (moment.hour % 12 or 12) if half else moment.hour
    return f"{hour:0{min(width, 2)}d}"


def _named_part(number: int, width: int, name: str) -> str:
    """A month or day by the number of its letters in a format."""
    if width <= 2:
        return f"{number:0{width}d}"
    return name[:3] if width == 3 else name[:1] if width == 5 else name
