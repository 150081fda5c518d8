"""Where things are kept when nobody says otherwise."""

import sys
from pathlib import Path

from platformdirs import user_data_path


def default_folder() -> Path:
    """The usual workspace folder."""
    return user_data_path("termexplorer") / "workspace"


def built_licences() -> Path | None:
    """The licences of all that the built program holds; None where pip installed it."""
    if not getattr(sys, "frozen", False):
        return None
    beside = Path(sys.executable).resolve().parent
    places = (beside / "licences", beside.parent / "Resources/licences")  # the latter on macOS
    return next((each for each in places if each.is_dir()), None)
