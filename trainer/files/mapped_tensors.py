"""The tensors of a safetensors file as views of the file itself.

The library's own reader copies each tensor for NumPy: the whole file is in memory before one row
of it is wanted.
"""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from termexplorer.trainer.errors import TrainerError

_TYPES = {
    f"{letter}{8 * size}": np.dtype(f"<{kind}{size}")
    for letter, kind, sizes in (
        ("U", "u", (1, 2, 4, 8)),
        ("I", "i", (1, 2, 4, 8)),
        ("F", "f", (2, 4, 8)),
    )
    for size in sizes
}
_LENGTH = 8  # bytes that tell how long the header is


def map_tensors(path: Path) -> dict[str, NDArray[Any]]:
    """Map the tensors of a safetensors file, by their names, without reading them.

    Raises:
        ValueError: it is none, is cut, or has numbers that NumPy has not.
        OSError: it cannot be read.
    """
    tensors = {}
    try:
        content = np.asarray(np.memmap(path, np.uint8, "r"))
        end = _LENGTH + int.from_bytes(content[:_LENGTH].tobytes(), "little")
        header = json.loads(content[_LENGTH:end].tobytes())
        for name, entry in header.items():
            if name != "__metadata__":
                tensors[name] = _view_tensor(content[end:], **entry)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise TrainerError(
            "{path} is no safetensors file that fits; make or fetch it anew", path=path
        ) from error
    if any(tensor is None for tensor in tensors.values()):
        raise TrainerError(
            "{path} is no safetensors file that fits; make or fetch it anew", path=path
        )
    return {name: tensor for name, tensor in tensors.items() if tensor is not None}


def _view_tensor(
    content: NDArray[np.uint8], dtype: str, shape: list[int], data_offsets: tuple[int, int]
) -> NDArray[Any] | None:
    """Return a tensor; None where the file is too short for it, or its shape is another size."""
    kind = _TYPES[dtype]
    start, stop = data_offsets
    is_inside = 0 <= start <= stop <= len(content) and min(shape, default=0) >= 0
    if not is_inside or math.prod(shape) * kind.itemsize != stop - start:
        return None
    return content[start:stop].view(kind).reshape(shape)
