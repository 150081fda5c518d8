"""Matrix products in float32 as it is, also where a library would round it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch


@contextmanager
def unrounded() -> Iterator[None]:
    """Keep cuDNN, which recurrent layers run on, from rounding float32 to 10 bits (TF32)."""
    before = torch.backends.cudnn.allow_tf32
    torch.backends.cudnn.allow_tf32 = False
    try:
        yield
    finally:
        torch.backends.cudnn.allow_tf32 = before
