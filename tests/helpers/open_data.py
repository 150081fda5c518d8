"""Where the open terminologies lie beside a checkout, for tests that read them whole."""

from pathlib import Path

import pytest


def open_data(name):
    """Skips the test where the file is not here."""
    places = (folder / "shared/data/ontologies" / name for folder in Path(__file__).parents)
    path = next((path for path in places if path.exists()), None)
    return path or pytest.skip(f"{name} is not here")
