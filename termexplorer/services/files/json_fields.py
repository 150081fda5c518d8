"""The fields of a JSON object that somebody else wrote: each is looked at before it is used."""

import math
import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from termexplorer.importers.text.dates import find_date_fault
from termexplorer.texts import tr

_MOMENT = re.compile(r"(?:19|2\d)\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00")
_NO_CHARACTER = re.compile("[\0\ud800-\udfff]")
_MOST = 2**53  # a whole number that every program reads alike


class Fields:
    """An object's fields, each to be taken once, of which none may be left.

    Every method raises ValueError, which says in words what is wrong with which field.
    """

    def __init__(self, value: object, where: str = "") -> None:
        if not isinstance(value, dict):
            raise ValueError(
                tr("{field} is no object with fields", field=where or tr("its content"))
            )
        self._left: dict[str, Any] = dict(value)
        self._where = where

    def text(self, name: str, most: int, least: int = 0) -> str:
        """A text of so many characters, none of which is half of one."""
        value = self.raw(name)
        if not isinstance(value, str) or not least <= len(value) <= most:
            raise ValueError(
                tr(
                    "{field} is no text of {least:,} to {most:,} characters",
                    field=self.named(name),
                    least=least,
                    most=most,
                )
            )
        if _NO_CHARACTER.search(value):
            raise ValueError(tr("{field} holds what is no character", field=self.named(name)))
        return value

    def hash(self, name: str) -> str:
        """A SHA-256 in hexadecimal digits."""
        value = self.text(name, 64, 64)
        if not re.fullmatch("[0-9a-f]*", value):
            raise ValueError(tr("{field} is no SHA-256", field=self.named(name)))
        return value

    def moment(self, name: str) -> str:
        """A moment as the log keeps it, ISO 8601 in UTC to the millisecond; none still to come."""
        value = self.clock_time(name)
        if fault := find_date_fault(value):
            raise ValueError(f"{self.named(name)}: {fault}")
        return value

    def clock_time(self, name: str) -> str:
        """Read a moment that somebody's clock told, which may be wrong and still to come."""
        value = self.text(name, 40)
        if _MOMENT.fullmatch(value):
            datetime.fromisoformat(value)  # a 13th month is a ValueError too
            return value
        raise ValueError(
            tr("{field} is no moment in UTC, to the millisecond", field=self.named(name))
        )

    def whole(self, name: str, most: int = _MOST) -> int:
        """A whole number from 0."""
        value = self.raw(name)
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
            raise ValueError(
                tr(
                    "{field} is no whole number from 0 to {most:,}",
                    field=self.named(name),
                    most=most,
                )
            )
        return value

    def number(self, name: str) -> float | None:
        """A finite number, or null."""
        value = self.raw(name)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise ValueError(tr("{field} is no number", field=self.named(name)))
        if not math.isfinite(value) or abs(value) > _MOST:
            raise ValueError(
                tr("{field} is no number that can be counted with", field=self.named(name))
            )
        return value

    def flag(self, name: str) -> bool:
        """True or false."""
        value = self.raw(name)
        if not isinstance(value, bool):
            raise ValueError(tr("{field} is neither true nor false", field=self.named(name)))
        return value

    def objects(self, name: str, most: int, least: int = 0) -> Iterator["Fields"]:
        """The objects of a list of so many; each has to be used up before the next one comes."""
        value = self.raw(name)
        if not isinstance(value, list) or not least <= len(value) <= most:
            raise ValueError(
                tr(
                    "{field} is no list of {least:,} to {most:,}",
                    field=self.named(name),
                    least=least,
                    most=most,
                )
            )
        for number, entry in enumerate(value, 1):
            fields = Fields(entry, f"{self.named(name)}, {number}")
            yield fields
            fields.end()

    def has(self, name: str) -> bool:
        """Whether there is a field of that name that was not taken."""
        return name in self._left

    def raw(self, name: str) -> Any:
        """Whatever stands there."""
        if name not in self._left:
            raise ValueError(tr("{field} is missing", field=self.named(name)))
        return self._left.pop(name)

    def end(self) -> None:
        """Tells that all was taken that may be there."""
        if self._left:
            name = sorted(self._left)[0][:40]
            shown = name if name.isprintable() else ascii(name)
            raise ValueError(tr("{field} does not belong there", field=self.named(shown)))

    def named(self, name: str) -> str:
        """What a field is called in messages."""
        return f"{self._where}: {name}" if self._where else name
