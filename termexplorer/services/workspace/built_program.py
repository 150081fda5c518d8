"""What a program that was built for people without Python holds besides itself."""

import sys
from pathlib import Path


def built_licences() -> Path | None:
    """The licences of all that the built program holds; None where pip installed it."""
    if not getattr(sys, "frozen", False):
        return None
    beside = Path(sys.executable).resolve().parent
    places = (beside / "licences", beside.parent / "Resources/licences")  # the latter on macOS
    return next((location for location in places if location.is_dir()), None)
