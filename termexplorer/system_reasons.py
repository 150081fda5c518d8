"""What the operating system says of a file that it refuses, in the language in use."""

from typing import Any

from termexplorer.texts import translated
from termexplorer.trainer.errors import describe_os_error


def tell_reason(error: OSError) -> str:
    """Return why the system refused something, in words."""
    reason = describe_os_error(error)
    values: dict[str, Any] = dict(reason.values)
    return translated(reason.template, **values)
