"""What the trainer tells, in the language in use: it marks nothing, but keeps templates and values.

`packaging/translations.py` collects the templates, from where the trainer's messages are made.
"""

from termexplorer.store.kept_messages import translate_message


def translate_error(error: ValueError) -> str:
    """Return what the trainer refuses and why, in the language in use."""
    text = error.args[0] if len(error.args) == 1 else error
    return translate_message(text if isinstance(text, str) else str(error))
