"""Where things are kept when nobody says otherwise."""

import os
from pathlib import Path

from platformdirs import user_data_path

WORKSPACE_VARIABLE = "TERMEXPLORER_WORKSPACE"  # of the environment


def workspace_folder(named: Path | None) -> Path:
    """Return the workspace folder as an absolute path.

    Args:
        named: what the user named, which may be relative to the current directory; None for the
            folder that the environment names, or the usual one.
    """
    return (named or _usual_folder()).expanduser().absolute()


def _usual_folder() -> Path:
    if from_environment := os.environ.get(WORKSPACE_VARIABLE):
        return Path(from_environment)
    return user_data_path("termexplorer") / "workspace"
