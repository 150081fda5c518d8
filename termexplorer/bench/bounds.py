"""Physical limits of a training step, measured on this machine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import torch

from termexplorer.trainer.tensors.matmul_speed import product_rate, wait_for

_COPIED = 50_000_000  # numbers, far more than a cache holds
ADAM_BYTES = 28  # read p, g, m, v and write p, m, v, four bytes each


@dataclass(frozen=True)
class Product:
    """A matrix product ``(rows, inner) @ (inner, columns)``, and how often a step takes it."""

    rows: int
    inner: int
    columns: int
    times: float = 1

    def seconds(self, dtype: torch.dtype, device: str = "cpu") -> float:
        """Return what it takes at the rate measured at this very shape."""
        operations = 2 * self.rows * self.inner * self.columns * self.times
        return operations / product_rate(self.rows, self.inner, self.columns, dtype, device)


def network_products(rows: int, width: int, hidden: int) -> list[Product]:
    """Return the five products of a step: two forward, three backward, none to the input."""
    return [
        Product(rows, width, hidden),
        Product(rows, hidden, width),
        Product(rows, width, hidden),
        Product(hidden, rows, width, 2),
    ]


def step_bound(
    products: Iterable[Product],
    parameters: int,
    dtype: torch.dtype,
    steps: float = 1,
    device: str = "cpu",
) -> float:
    """Return the seconds of products, plus Adam over the parameters in ``steps`` steps."""
    adam = ADAM_BYTES * parameters * steps / copy_bandwidth(device)
    return sum(product.seconds(dtype, device) for product in products) + adam


def copy_bandwidth(device: str) -> float:
    """Return the bytes that are read and written in a second by copying memory of a device."""
    source = torch.ones(_COPIED if device == "cpu" else 10 * _COPIED, device=device)
    target = torch.zeros_like(source)

    def copy() -> None:
        target.copy_(source)
        wait_for(device)

    return 2 * source.numel() * 4 / best_seconds(copy, 5)


def seconds_of(action: Callable[[], object]) -> float:
    """Return the time that an action takes."""
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def best_seconds(action: Callable[[], object], repetitions: int) -> float:
    """Return the shortest time of some repetitions, after one that does not count."""
    action()
    return min(seconds_of(action) for _ in range(repetitions))


def best_of_each(actions: Sequence[Callable[[], object]], repetitions: int) -> list[float]:
    """Return the shortest time of each action, all done in turn, so that all meet the same load."""
    rounds = [[seconds_of(action) for action in actions] for _ in range(repetitions + 1)]
    return [min(times) for times in zip(*rounds[1:], strict=True)]


def parameters_of(width: int, hidden: int) -> int:
    """Return the weights and biases of one hidden layer."""
    return 2 * width * hidden + hidden + width
