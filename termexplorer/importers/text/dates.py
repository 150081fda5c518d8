"""Dates that files state: sound ones, and none that is still to come."""

from datetime import UTC, datetime, timedelta

from termexplorer.texts import tr

_AHEAD = timedelta(days=1)  # of other time zones


def find_date_fault(text: str) -> str:
    """Return what is wrong with a date or moment in ISO 8601; "" where nothing is."""
    try:
        stated = datetime.fromisoformat(text).date()
    except ValueError:
        return tr("{text!r} is no date such as 2026-03-01", text=text[:40])
    if stated > datetime.now(UTC).date() + _AHEAD:
        return tr("{text!r} is still to come", text=text[:40])
    return ""
