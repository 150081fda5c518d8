"""How fast this machine multiplies matrices, measured once and asked often."""

from __future__ import annotations

import time
from functools import lru_cache

import torch

_WORTH_IT = 2.0  # bfloat16 must be this many times faster
_SECONDS = 0.1  # at least, for a shape
_LEAST = 5  # products
_ROWS = 512  # of the product whose rate decides on the number format


def product_rate(rows: int, inner: int, columns: int, dtype: torch.dtype, device: str) -> float:
    """Return the best measured rate of ``(rows, inner) @ (inner, columns)``, in FLOP/s."""
    left = torch.ones((rows, inner), dtype=dtype, device=device)
    right = torch.ones((inner, columns), dtype=dtype, device=device)
    out = torch.empty((rows, columns), dtype=dtype, device=device)
    torch.mm(left, right, out=out)
    best, end, taken = float("inf"), time.perf_counter() + _SECONDS, 0
    while time.perf_counter() < end or taken < _LEAST:
        taken += 1
        wait_for(device)
        start = time.perf_counter()
        torch.mm(left, right, out=out)
        wait_for(device)
        best = min(best, time.perf_counter() - start)
    return 2 * rows * inner * columns / best


def wait_for(device: str) -> None:
    """Wait until a graphics processor has done all that it was asked; others never owe any."""
    if device.startswith("cuda"):
        torch.cuda.synchronize(device)


@lru_cache(maxsize=8)
def bfloat16_pays(rows: int, inner: int, columns: int, device: str) -> bool:
    """Say whether bfloat16 is more than twice as fast as float32 at these shapes, here.

    The processor must have instructions for it: elsewhere it is emulated, and the rates of an
    emulation are not worth their measuring.
    """
    if device == "cpu" and not torch.ops.mkldnn._is_mkldnn_bf16_supported():
        return False
    shape = (rows, inner, columns)
    single = product_rate(*shape, torch.float32, device)
    return product_rate(*shape, torch.bfloat16, device) > _WORTH_IT * single


def paying_precision(inner: int, columns: int, device: str) -> str:
    """Return ``bfloat16`` where it pays for a layer of these widths, otherwise ``float32``."""
    return "bfloat16" if bfloat16_pays(_ROWS, inner, columns, device) else "float32"
