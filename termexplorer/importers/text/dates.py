"""Dates that files state: sound ones, and none that is still to come."""

import re
from datetime import UTC, datetime, timedelta

from termexplorer.texts import tr

_AHEAD = timedelta(days=1)  # of other time zones
_FIRST_YEAR = 1900  # before it nobody mapped anything; spreadsheets make dates of nothing
# other forms of ISO 8601, as of weeks, are not sorted as texts are
_FORM = re.compile(
    r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?)?", re.ASCII
)


def find_date_fault(text: str) -> str:
    """Return what is wrong with a date or moment in ISO 8601; "" where nothing is."""
    try:
        stated = datetime.fromisoformat(text).date()
    except ValueError:
        return tr("{text!r} is no date such as 2026-03-01", text=text[:40])
    if not _FORM.fullmatch(text) or stated.year < _FIRST_YEAR:
        return tr("{text!r} is no date such as 2026-03-01", text=text[:40])
    if stated > datetime.now(UTC).date() + _AHEAD:
        return tr("{text!r} is still to come", text=text[:40])
    return ""


def convert_to_utc(text: str) -> str:
    """Return a sound date or moment as it sorts among others: a moment with a zone in UTC."""
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None or (moment.tzinfo == UTC and text.endswith("+00:00")):
        return text
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")
