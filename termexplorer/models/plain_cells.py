"""Cells and headers of tables show data as it is: neither markup nor hidden signs work in them."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from PySide6.QtCore import Qt

from termexplorer.plain_text import plain_tip, show_signs

_DISPLAY, _TIP = Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole
_Read = Callable[..., Any]


class PlainCells:
    """What a model of ours inherits before Qt's own, so that all of its texts are plain."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for name, at in (("data", 1), ("headerData", 2)):
            if name in vars(cls):
                setattr(cls, name, _make_plain(vars(cls)[name], at))


def _make_plain(read: _Read, at: int) -> _Read:
    """Return the method of a model with plain texts.

    Args:
        read: the method.
        at: which of its arguments is the role.
    """

    @wraps(read)
    def read_plain(self: object, *where: Any) -> Any:
        value = read(self, *where)
        if not isinstance(value, str):
            return value
        role = where[at] if len(where) > at else _DISPLAY
        if role == _DISPLAY:
            return show_signs(value)
        return plain_tip(value) if role == _TIP else value

    return read_plain
