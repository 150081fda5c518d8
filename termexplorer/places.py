"""Where things are kept when nobody says otherwise."""

from pathlib import Path

from platformdirs import user_data_path


def default_folder() -> Path:
    """The usual workspace folder."""
    return user_data_path("termexplorer") / "workspace"
