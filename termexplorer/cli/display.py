"""Whether there is a screen."""

import os
import sys

from termexplorer.errors import UserError


def has_display() -> bool:
    """Whether a window could be shown."""
    if sys.platform != "linux" or os.environ.get("QT_QPA_PLATFORM"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def check_display(instead: str) -> None:
    """Refuse to go on where no window could be shown, which Qt would end by a crash.

    Args:
        instead: what to do where there is none.

    Raises:
        UserError: there is no display.
    """
    if not has_display():
        raise UserError(f"there is no display here: {instead}")
