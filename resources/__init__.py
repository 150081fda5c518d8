"""Icons, themes and presets that are installed with the program."""

from pathlib import Path

FOLDER = Path(__file__).parent
