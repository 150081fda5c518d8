"""What the trainer tells, in the language in use: it marks nothing, but keeps templates and values.

`packaging/translations.py` collects the templates, from where the trainer's messages are made.
"""

from typing import Any

from termexplorer.texts import translated
from termexplorer.trainer.errors import Message


def translate_error(error: ValueError) -> str:
    """Return what the trainer refuses and why, in the language in use."""
    text = error.args[0] if len(error.args) == 1 else error
    return translate_message(text if isinstance(text, str) else str(error))


def translate_message(text: str) -> str:
    """Return a message of the trainer in the language in use, and any other text as it is."""
    if not isinstance(text, Message):
        return text
    values: dict[str, Any] = {
        name: translate_message(value) if isinstance(value, Message) else value
        for name, value in text.values.items()
    }
    return translated(text.template, **values)
