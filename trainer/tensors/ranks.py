"""Processes that train one encoder together, each on a share of the names of every step.

Every process, a rank as PyTorch calls it, holds all weights, draws the same random numbers and
takes the same losses of all names' outputs, in-batch negatives among them; only the way through the
network is shared out. So splits, seeds and checkpoints are those of one process, and figures too,
but for the order in which numbers are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import torch
import torch.distributed as dist
from torch import Tensor

from termexplorer.trainer.errors import TrainerError

_SILENCE = timedelta(minutes=5)  # that one rank may wait for another


class RankLostError(TrainerError):
    """Another process of the training is gone; what the last step came to is kept."""


class Ranks:
    """This process among those that train together; the group of PyTorch is there already.

    Attributes:
        number: of this process, from 0.
        count: of all.
    """

    def __init__(self) -> None:
        self.number, self.count = dist.get_rank(), dist.get_world_size()
        # agreements are numbers of the processor, whatever the gradients are on
        is_gloo = dist.get_backend() == "gloo"
        self._words = None if is_gloo else dist.new_group(backend="gloo", timeout=_SILENCE)

    @property
    def is_first(self) -> bool:
        """Whether this is the process that reports, and writes files."""
        return self.number == 0

    def share(self, rows: int) -> slice:
        """Return the rows of a step that this process takes through the network."""
        return self._shares(rows)[self.number]

    def gather(self, outputs: Tensor, rows: int) -> Tensor:
        """Return the outputs of all processes, (rows, d), each of whom has those of its share."""
        largest = -(-rows // self.count)
        padded = outputs.new_zeros(largest, outputs.shape[1])
        padded[: len(outputs)] = outputs
        parts = [torch.empty_like(padded) for _ in range(self.count)]
        with _telling_loss():
            dist.all_gather(parts, padded)
        shares = self._shares(rows)
        return torch.cat(
            [part[: share.stop - share.start] for part, share in zip(parts, shares, strict=True)]
        )

    def add_up(self, gradients: Sequence[Tensor]) -> None:
        """Replace gradients by their sums over all processes."""
        with _telling_loss():
            for gradient in gradients:
                dist.all_reduce(gradient)

    def agree(self, asked: Callable[[], bool]) -> bool:
        """Return what the first process answers; the others are not asked."""
        word = torch.tensor([int(self.is_first and asked())])
        with _telling_loss():
            dist.broadcast(word, 0, group=self._words)
        return bool(word.item())

    def send_all(self, value: Any) -> Any:
        """Return what the first process has, whatever the others hand in."""
        holder = [value if self.is_first else None]
        with _telling_loss():
            dist.broadcast_object_list(holder, 0, group=self._words)
        return holder[0]

    def send_weights(self, weights: Iterable[Tensor]) -> None:
        """Have all processes go on from the weights of the first one."""
        with _telling_loss():
            for weight in weights:
                dist.broadcast(weight, 0)

    def _shares(self, rows: int) -> list[slice]:
        size = -(-rows // self.count)
        starts = [min(size * number, rows) for number in range(self.count)]
        return [slice(start, min(start + size, rows)) for start in starts]


class AgreedControl:
    """What the first process is told, for all of them at the same step.

    Args:
        control: of the first process.
        ranks: the processes.
    """

    def __init__(self, control: Any, ranks: Ranks) -> None:
        self._control, self._ranks = control, ranks

    def paused(self) -> bool:
        """Whether to wait."""
        return self._ranks.agree(self._control.paused)

    def stopped(self) -> bool:
        """Whether to stop and keep the best epoch."""
        return self._ranks.agree(self._control.stopped)


def join_ranks(backend: str) -> Ranks:
    """Meet the other processes, as the environment says (torchrun's variables).

    Args:
        backend: ``gloo`` on processors, ``nccl`` on graphics processors.

    Raises:
        RankLostError: they do not come.
    """
    with _telling_loss():
        dist.init_process_group(backend, timeout=_SILENCE)
        return Ranks()


@contextmanager
def _telling_loss() -> Iterator[None]:
    try:
        yield
    except (RuntimeError, ValueError) as error:  # as PyTorch says that a connection ended
        raise RankLostError(
            "a process of the training is gone; go on from the last step, or train with fewer "
            "devices"
        ) from error
