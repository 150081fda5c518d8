"""Files that are not what they say: whatever a library raises for one is a ``ValueError``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError

_RAISED = (
    ArithmeticError, AssertionError, AttributeError, EOFError, LookupError, OSError, RuntimeError,
    SyntaxError, TokenError, TypeError, UnicodeError,
)  # fmt: skip  # RuntimeError: RecursionError, and torch's; TokenError: NumPy's
_BLOCK = 1 << 22  # numbers checked at a time


@contextmanager
def damage_named(path: Path) -> Iterator[None]:
    """Turn what libraries raise for a damaged file or folder into a ``ValueError`` of one line.

    What is plainly for want of memory, here or on a graphics processor, stays what it is.
    """
    try:
        yield
    except _RAISED as error:
        if "out of memory" in str(error):
            raise
        if isinstance(error, ValueError) and not isinstance(error, UnicodeError):
            raise
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise TrainerError(
            "{path} is damaged ({what}); make or fetch it anew", path=path, what=reason
        ) from error
    except Exception as error:
        if type(error).__name__ not in ("SafetensorError", "BadZipFile"):  # with no other base
            raise
        raise TrainerError(
            "{path} is damaged ({error}); make or fetch it anew", path=path, error=error
        ) from error


def check_finite(array: NDArray[Any], path: Path) -> None:
    """Refuse an array that is no matrix of finite numbers.

    Raises:
        ValueError: it has another shape, other values, or nothing in it.
    """
    if array.ndim != 2 or array.dtype.kind != "f" or not array.size:
        raise TrainerError("{path} is no matrix of numbers; make it anew", path=path)
    rows = max(_BLOCK // array.shape[1], 1)
    for start in range(0, len(array), rows):
        if not np.isfinite(array[start : start + rows]).all():
            raise TrainerError("{path}: a value is not a finite number; make it anew", path=path)
